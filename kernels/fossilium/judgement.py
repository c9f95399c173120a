"""Fossilium: what a position is worth, for players that look ahead a little."""

import numpy as np

from ..bits import lowest
from ..jit import index, kernel
from .choices import _in_storage, _line_pays
from .museum import _count, _displayable, _footprint, _wanted
from .parts import (
    AMBER_PRESTIGE,
    AMBER_SIZE,
    BIT,
    COMPLETION_GUESTS,
    END_PANEL,
    END_PRESTIGE,
    INCOME_DOLLARS,
    INCOME_GUESTS,
    INCOME_STUDENTS,
    MAJORITIES,
    N_CELLS,
    N_LINES,
    N_PEDESTALS,
    N_SITES,
    N_TILES,
    N_TYPES,
    PEDESTAL,
    PEDESTAL_PRESTIGE,
    ROUNDS,
    ROW_OF_FIELD,
    SIZE_OF_TILE,
    STAND_PRESTIGE,
    STAND_SIZE,
    STORAGE,
    Row,
)
from .people import _museums
from .rounds import _goal_worth
from .scoring import _panel_pays
from .state import NONE

# What things are worth in prestige, found by playing the greedy agent against itself.
GUEST = 1 / 3  # at an opening (11.1)
DOLLAR = 0.32
STUDENT = 0.28
WORKER = 1.6  # that can still act in this round
EXTRA_WORKER = 0.5  # for each round to come
TILE = 0.55  # in the storage
WANTED_TILE = 1.1  # that an own fossil waits for
OVERFULL_TILE = -0.3
USE = 0.9  # of an action, for each piece, panel or tile that it still allows
TILE_TO_KEEP = 0.6
DUG_TILE = 0.35  # that a worker on the board keeps at the next excavation
LAST_GOAL = 0.5  # share of what the next round's goal would bring now

# what a complete fossil brings, guests included, by size
WORTH_OF_FOSSIL = END_PRESTIGE + COMPLETION_GUESTS * GUEST
WORTH_OF_FOSSIL[AMBER_SIZE] += AMBER_PRESTIGE
WORTH_OF_FOSSIL[STAND_SIZE] += STAND_PRESTIGE


@kernel
def value(state, player):
    """Estimate the margin of prestige at the end over the mean of the others.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
    """
    n = _museums(state)
    mine = _estimate(state, player)
    others = 0.0
    for k in range(1, n):
        others += _estimate(state, (player + k) % n)
    return mine - others / (n - 1)


@kernel(apart=True)
def _estimate(state, seat):
    """Estimate a player's prestige at the end."""
    me = index(seat)
    total = np.float64(state.score[me])
    if state.done:
        return total
    to_come = np.float64(ROUNDS - max(np.int64(1), np.int64(state.round_number)))
    guests, dollars = 0.0, 0.0  # of an income
    for line in range(N_LINES):
        if state.side[me] != NONE:
            if line < N_TYPES:
                dollars += _line_pays(state, seat, np.int64(line))
            else:
                guests += _line_pays(state, seat, np.int64(line))
    guests += _panel_pays(state, seat, INCOME_GUESTS)
    dollars += _panel_pays(state, seat, INCOME_DOLLARS)
    students = _panel_pays(state, seat, INCOME_STUDENTS)
    total += GUEST * (np.float64(state.guests[me]) + to_come * (guests + state.regular[me]))
    total += DOLLAR * (np.float64(state.dollars[me]) + to_come * dollars)
    total += STUDENT * (np.float64(state.students[me]) + to_come * students)
    total += _panel_pays(state, seat, END_PANEL)
    total += _estimate_fossils(state, seat)
    total += _estimate_storage(state, seat)
    total += _estimate_workers(state, seat, to_come)
    total += _estimate_goals(state, seat, to_come)
    if state.active == seat and state.to_play == seat:
        total += _estimate_action(state, seat)
    return total


@kernel
def _estimate_fossils(state, seat):
    """Estimate what the fossils will bring at the end (14.5, 14.6)."""
    me = index(seat)
    total = AMBER_PRESTIGE * np.float64(state.amber[me])
    total += STAND_PRESTIGE * np.float64(state.stands[me])
    for cell in range(N_CELLS):
        if state.piece[me, cell] != 1:
            continue
        t = index(state.tile[me, cell])
        size = index(SIZE_OF_TILE[t])
        fossil = _footprint(state, seat, np.int64(cell))
        worth = WORTH_OF_FOSSIL[size]
        pedestal = 0.0
        for p in range(N_PEDESTALS):
            if PEDESTAL[index(state.side[me]), p] == fossil:
                pedestal = np.float64(PEDESTAL_PRESTIGE[p])
        missing = fossil & ~np.int64(state.shown[me])
        if missing == 0:
            total += END_PRESTIGE[size] + pedestal
            continue
        have = 0.0  # tiles in the storage for what is missing
        rest = missing
        while rest != 0:
            if state.storage[me, index(state.tile[me, index(lowest(rest))])] > 0:
                have += 1.0
            rest &= rest - 1
        share = (np.float64(size) - _count(missing) + 0.5 * have) / size
        total += share * share * (worth + pedestal)
    return total


@kernel
def _estimate_storage(state, seat):
    """Estimate what the tiles in the storage are good for."""
    me = index(seat)
    wanted = _wanted(state, seat)
    total = 0.0
    for t in range(N_TILES):
        n = np.float64(state.storage[me, t])
        if n > 0:
            total += WANTED_TILE if wanted & BIT[t] else TILE
            total += (n - 1.0) * TILE
    over = np.int64(state.stored[me]) - STORAGE
    return total + (OVERFULL_TILE - TILE) * over if over > 0 else total


@kernel
def _estimate_workers(state, seat, to_come):
    """Estimate what workers will do in this round and later."""
    me = index(seat)
    n = np.float64(state.workers[me])
    total = WORKER * n
    for column in range(N_SITES):
        placed = np.float64(state.placed[me, column])
        permanent = np.float64(state.permanent[me, column])
        n += placed + permanent
        if to_come > 0:
            total += DUG_TILE * (placed + permanent)
        else:
            total += WORKER * (permanent - np.float64(state.spent[me, column]))
    return total + EXTRA_WORKER * n * to_come


@kernel
def _estimate_goals(state, seat, to_come):
    """Estimate the regular guests from the goals of this round and of the next (11.2)."""
    total = 0.0
    now = np.int64(max(np.int64(1), np.int64(state.round_number))) - 1
    share = 1.0
    for r in range(now, min(now + 2, np.int64(ROUNDS))):
        goal = np.int64(state.round_goal[index(r)])
        if goal != NONE:
            total += share * GUEST * _goal_worth(state, seat, goal) * max(0.0, to_come + now - r)
        share = LAST_GOAL
    return total


@kernel
def _estimate_action(state, seat):
    """Estimate what is still to come of the action under way."""
    me = index(seat)
    if state.n_drawn > 0:
        return TILE_TO_KEEP * np.float64(state.keep)
    if state.field == NONE:
        return 0.0
    total = 0.0
    if state.held != NONE:
        total += WANTED_TILE + 0.3
    if state.building != NONE:
        total += 2.0
    row = ROW_OF_FIELD[index(state.field)]
    left = np.float64(state.left)
    if row == Row.JOKER.value:
        row = np.int64(Row.DISPLAY.value)
        left = 5.0
    if row == Row.DISPLAY.value:
        fitting = _displayable(state, seat) & _in_storage(state, seat)
        n = 0.0
        while fitting != 0:
            n += np.float64(state.storage[me, index(lowest(fitting))])
            fitting &= fitting - 1
        total += USE * min(left, n)
    elif row == Row.BUILD.value:
        total += USE * left if state.dollars[me] > 0 else 0.0
    elif row == Row.TRADE.value:
        affordable = np.float64(state.dollars[me]) / 2.5
        total += 0.3 * min(np.float64(state.buys), affordable)
    elif row == Row.TOUR.value:
        best = 0.0
        for line in range(N_LINES):
            best = max(best, np.float64(_line_pays(state, seat, np.int64(line))))
        total += GUEST * best * left
    elif row == Row.MANAGE.value:
        total += GUEST
    elif row == Row.STRIP.value:
        total += 2.0
    return total


@kernel
def _lead_over_pal(state):
    """Estimate what the majorities against Pal will bring (solo 6.1)."""
    if state.done:
        return 0.0
    to_come = np.float64(ROUNDS - max(np.int64(1), np.int64(state.round_number)))
    total = 0.0
    for line in range(N_LINES):  # of the last income
        n = 0.0
        if state.side[0] != NONE:
            n = np.float64(_line_pays(state, np.int64(0), np.int64(line)))
        total += n
    guests = np.float64(state.regular[0]) + 0.5 * total - np.float64(state.guests[1])
    dollars = np.float64(state.dollars[0]) + 0.5 * total - np.float64(state.dollars[1])
    sure = 0.5 - 0.08 * to_come
    lead = min(1.0, max(0.0, 0.5 + 0.06 * guests)) + min(1.0, max(0.0, 0.5 + 0.06 * dollars))
    return MAJORITIES[0] * sure * lead
