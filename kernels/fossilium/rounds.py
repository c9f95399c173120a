"""Fossilium: the course of a round: income, whose turn, opening, excavation (3, 4.1, 11 to 13)."""

import numpy as np

from ..jit import index, kernel
from .choices import _line_pays
from .market import _draw_tile, _fill_market
from .pal import (
    NO_SOLO,
    PAL,
    _begin_round_of_pal,
    _begin_turn_of_pal,
    _look_for_job_worker,
    _next_in_solo,
    _send_pal_home,
)
from .parts import (
    AT_OF_ROUND_GOAL,
    BIT,
    DRAW_CAP,
    ENTRANCE_GUESTS,
    FILL_ROUNDS,
    FILLED,
    INCOME_DOLLARS,
    INCOME_GUESTS,
    INCOME_STUDENTS,
    METRIC_OF_ROUND_GOAL,
    N_LINES,
    N_NEUTRAL,
    N_SITES,
    N_TYPES,
    NEUTRAL_FIELD,
    NEUTRAL_PLACE,
    PRESTIGE_OF_GUESTS,
    REGULAR_LIMIT,
    REGULAR_WORTH,
    ROUNDS,
    SHOP_DOLLARS,
    STORAGE,
    STUDENTS_OF_STORED,
    WORKERS_OF_FIELD,
)
from .people import (
    _can_act,
    _in_column,
    _museums,
    _own_in_column,
    _receive_guests,
    _receive_students,
    _score,
)
from .scoring import _metric, _panel_pays, _score_end
from .state import NONE, Phase, Reason, Stage


@kernel(apart=True)
def _run_stage(state):
    """Do what the rules do next by themselves, up to the next decision or stage."""
    stage = np.int64(state.phase)
    if stage == Stage.ROUND.value:
        _begin_round(state)
    elif stage == Stage.TURN.value:
        _next_turn(state)
    elif stage == Stage.OPENING.value:
        _open(state)
    elif stage == Stage.EXCAVATION.value:
        _excavate(state, np.int64(0), np.int64(0))
    elif stage == Stage.DISCARDS.value:
        _look_for_discards(state, np.int64(0))
    elif stage == Stage.HOME.value:
        _go_home(state)
    elif stage == Stage.ASSIGNMENTS.value:
        _look_for_assignments(state, np.int64(0))
    else:
        _clean_up(state)


# --- beginning, income (3) ----------------------------------------------------------------------


@kernel
def _begin_round(state):
    """Begin a round with its income."""
    state.round_number += 1
    _place_neutral_workers(state)
    _begin_round_of_pal(state)
    _pay_income(state)
    state.paid_elsewhere[:] = 0
    state.phase = Stage.TURN.value


@kernel
def _place_neutral_workers(state):
    """Put the neutral groups on their fields; in the solo game they move (2.7, solo 3.1)."""
    n = _museums(state)
    moves = max(np.int64(0), np.int64(state.round_number) - 1) if n == 1 else np.int64(0)
    used = N_SITES - (1 if state.unused != NONE else 0)
    state.taken[:] = 0
    state.neutral[:] = 0
    for group in range(N_NEUTRAL[index(n)]):
        place = (NEUTRAL_PLACE[index(n), group] + moves) % used
        column = index(place + 1 if state.unused != NONE and place >= state.unused else place)
        field = NEUTRAL_FIELD[index(n), group]
        state.taken[column] |= BIT[field]
        state.neutral[column] += WORKERS_OF_FIELD[field]


@kernel(apart=True)
def _pay_income(state):
    """Pay everybody for shops, entrances, storage and panels (3)."""
    state.paid_elsewhere[:] = 0
    for seat in range(_museums(state)):
        me = np.int64(seat)
        dollars = _panel_pays(state, me, INCOME_DOLLARS)
        guests = _panel_pays(state, me, INCOME_GUESTS)
        students = _panel_pays(state, me, INCOME_STUDENTS)
        for line in range(N_LINES):
            n = _line_pays(state, me, np.int64(line))
            if line < N_TYPES:
                dollars += n * SHOP_DOLLARS
            else:
                guests += n * ENTRANCE_GUESTS
        state.dollars[seat] += dollars
        _receive_guests(state, me, guests)
        _receive_students(state, me, students + STUDENTS_OF_STORED[index(state.stored[seat])])


# --- turns (4.1) --------------------------------------------------------------------------------


@kernel
def _next_turn(state):
    """Give the turn to the next player who can act, or end the action phase."""
    state.dug = 0
    state.acted = 0
    seat = _next_in_solo(state)
    if seat == NO_SOLO:
        seat = _next_seat(state)
    state.active = seat
    if seat == NONE:
        state.phase = Stage.OPENING.value
    elif seat == PAL and _museums(state) == 1:
        _begin_turn_of_pal(state)
    else:
        state.to_play = seat
        state.paid[index(seat)] = 0
        state.phase = Phase.TURN.value


@kernel
def _next_seat(state):
    """Return the next seat that can place a worker, or NONE."""
    n = _museums(state)
    start = np.int64(state.first) if state.active == NONE else np.int64(state.active) + 1
    for k in range(n):
        seat = (start + k) % n
        if _can_act(state, seat):
            return seat
    return np.int64(NONE)


# --- opening (11, 13.5, 13.6) -------------------------------------------------------------------


@kernel
def _open(state):
    """Score guests and round goal; after the last round the game ends (11, 13.6)."""
    for seat in range(_museums(state)):
        _score(state, np.int64(seat), PRESTIGE_OF_GUESTS[index(state.guests[seat])])
        goal = np.int64(state.round_goal[index(state.round_number - 1)])
        if goal != NONE:
            state.regular[seat] += _goal_worth(state, np.int64(seat), goal)
        state.guests[seat] = state.regular[seat]
    if state.round_number < ROUNDS:
        state.phase = Stage.EXCAVATION.value
    else:
        _pay_income(state)
        _score_end(state)
        state.to_play = 0
        state.done = 1
        state.phase = Phase.OVER.value


@kernel
def _goal_worth(state, seat, goal):
    """Return the worth of the regular guest tile that a round goal brings (11.2)."""
    reached = _metric(state, seat, METRIC_OF_ROUND_GOAL[index(goal)])
    worth = np.int64(0)
    for condition in range(len(REGULAR_WORTH)):
        if reached >= AT_OF_ROUND_GOAL[index(goal), condition]:
            worth = REGULAR_WORTH[condition]
    return worth


# --- excavation (12) ----------------------------------------------------------------------------


@kernel
def _excavate(state, site, k):
    """Go on digging at a site with the k-th player from the ammonite (12.1)."""
    n = _museums(state)
    while site < N_SITES:
        while k < n:
            seat = (np.int64(state.first) + k) % n
            own = _own_in_column(state, seat, site)
            drawn = min(np.int64(DRAW_CAP), _in_column(state, site))
            drawn = min(drawn, np.int64(state.in_bag[index(site)]))
            if own > 0 and drawn > 0:
                state.to_play = seat
                _draw_to_keep(state, site, drawn, own, np.int64(Reason.EXCAVATION.value))
                return
            k += 1
        site += 1
        k = np.int64(0)
    state.phase = Stage.DISCARDS.value


@kernel
def _draw_to_keep(state, site, n, keep, reason):
    """Draw tiles from a bag, of which some are to be kept (1.10, 1.11)."""
    for i in range(n):
        state.drawn[index(i)] = _draw_tile(state, site)
    state.n_drawn = n
    state.keep = min(keep, n)
    state.reason = reason
    state.site = site
    state.phase = Phase.KEEP.value


@kernel
def _look_for_discards(state, k):
    """Ask the next player, from the k-th one on, whose storage is overfull (12.2)."""
    n = _museums(state)
    while k < n:
        seat = (np.int64(state.first) + k) % n
        if state.stored[index(seat)] > STORAGE:
            state.to_play = seat
            state.phase = Phase.DISCARD.value
            return
        k += 1
    state.phase = Stage.HOME.value


@kernel
def _go_home(state):
    """Take all workers back from the board (12.3)."""
    for seat in range(_museums(state)):
        for column in range(N_SITES):
            state.workers[seat] += state.placed[seat, column]
            state.placed[seat, column] = 0
    _send_pal_home(state)
    _place_neutral_workers(state)
    state.phase = Stage.ASSIGNMENTS.value


@kernel
def _look_for_assignments(state, k):
    """Ask the next player, from the k-th one on, who has too many workers (12.3)."""
    n = _museums(state)
    while k < n:
        seat = (np.int64(state.first) + k) % n
        if state.workers[index(seat)] > REGULAR_LIMIT:
            state.to_play = seat
            state.phase = Phase.ASSIGN.value
            return
        k += 1
    state.phase = Stage.CLEAN_UP.value


@kernel
def _clean_up(state):
    """Pass the ammonite, fill the market (12.5, 12.6; solo 7.10)."""
    n = _museums(state)
    state.first = (state.first + 1) % n
    if FILL_ROUNDS[index(state.round_number)]:
        _fill_market(state, FILLED[index(n)])
    state.phase = Stage.ROUND.value
    _look_for_job_worker(state)
