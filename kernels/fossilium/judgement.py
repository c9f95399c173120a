"""Fossilium: what a position is worth, for players that look ahead a little.

The estimate of a player's prestige at the end adds up what is sure, what the rounds to come will
pay, and hopes: a fossil counts with the chance that each tile it lacks is found and displayed in
time, a panel with what it will pay, a worker with what an action usually brings. While an action is
under way, what it still allows counts as nearly done, so that a field is worth what can be done
there now.
"""

import numpy as np

from ..jit import index, kernel
from .choices import _line_pays
from .museum import _count, _filled
from .parts import (
    BIT,
    BUILT_REGULAR,
    BUILT_SEARCH,
    COLUMN_CELLS,
    COLUMNS,
    DRAW_CAP,
    END_PANEL,
    ENTRANCE_COLUMN,
    INCOME_DOLLARS,
    INCOME_GUESTS,
    INCOME_STUDENTS,
    JOB_OF_GOAL,
    MAJORITIES,
    METRIC_OF_END_GOAL,
    N_CELLS,
    N_GOALS,
    N_LINES,
    N_SITES,
    N_TYPES,
    NEIGHBOURS,
    ROW_CELLS,
    SHOP_ROW,
    STUDENTS_OF_STORED,
    TOUR_DOLLARS,
    TOUR_GUESTS,
    TYPE_OF_TILE,
    Per,
)
from .people import _in_column, _museums
from .prospects import _estimate_action, _estimate_tiles, _left, _still
from .rounds import _goal_worth
from .scoring import _complete_beside, _metric, _panel_pays
from .state import NONE
from .worths import (
    BESIDE,
    DOLLAR,
    DUG,
    GUEST,
    INCOME_DOLLAR,
    INCOME_GUEST,
    JOB,
    LINE,
    MAJORITY,
    NEAR,
    NEXT_STUDENTS,
    PAL_GROWS,
    PICK,
    RESERVED,
    SAVED,
    SEARCH_USE,
    STUDENT,
    TOURS,
    WORKER,
)


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
        other = (player + k) % n
        others += _estimate(state, other)
        if not state.done:
            others -= _lead(state, player, other)
    return mine - others / (n - 1)


@kernel(apart=True)
def _estimate(state, seat):
    """Estimate a player's prestige at the end, without majorities."""
    me = index(seat)
    total = np.float64(state.score[me])
    if state.done:
        return total
    left = _left(state)
    to_come = np.float64(left)
    total += GUEST * np.float64(state.guests[me])
    total += INCOME_GUEST * to_come * np.float64(state.regular[me])
    total += DOLLAR[left] * np.float64(state.dollars[me])
    students = np.float64(state.students[me])
    if left > 0:
        students += NEXT_STUDENTS * STUDENTS_OF_STORED[index(state.stored[me])]
    total += STUDENT * students * _still(state, seat)
    total += _estimate_workers(state, seat, left)
    total += _estimate_goals(state, seat, to_come)
    if state.side[me] != NONE:
        total += _estimate_lines(state, seat, to_come)
        total += _estimate_panels(state, seat, to_come)
    total += _estimate_tiles(state, seat)
    if state.active == seat and state.to_play == seat:
        total += _estimate_action(state, seat)
    return total


# --- museum ---------------------------------------------------------------------------------------


@kernel
def _estimate_lines(state, seat, to_come):
    """Estimate what shops and entrances will pay, in income and in tours (3.1, 10.1)."""
    me = index(seat)
    side = index(state.side[me])
    total = 0.0
    for cell in range(N_CELLS):
        if state.tile[me, cell] == NONE:
            continue
        kind = index(TYPE_OF_TILE[index(state.tile[me, cell])])
        sure = 1.0 if state.displayed[me, cell] else RESERVED
        if cell // COLUMNS == SHOP_ROW[side, kind]:
            total += INCOME_DOLLAR * sure
        if cell % COLUMNS == ENTRANCE_COLUMN[side, kind]:
            total += INCOME_GUEST * sure
    best = 0.0
    for line in range(N_LINES):
        best = max(best, np.float64(_line_pays(state, seat, np.int64(line))))
    total += INCOME_GUEST * TOURS * best
    return total * to_come


@kernel
def _full(filled, lines):
    """Return the hope for full lines."""
    hope = 0.0
    for line in range(COLUMNS):
        share = np.float64(_count(filled & lines[line])) / COLUMNS
        hope += share * share * share
    return hope


@kernel(apart=True)
def _estimate_panels(state, seat, to_come):
    """Estimate what panels will pay, one that is being built included, and full lines."""
    me = index(seat)
    filled = _filled(state, seat)
    rows, columns = _full(filled, ROW_CELLS), _full(filled, COLUMN_CELLS)
    total = LINE * (rows + columns)
    best = 0.0
    building = state.building if state.to_play == seat else NONE
    for cell in range(N_CELLS):
        panel = np.int64(state.panel[me, cell])
        empty = np.int64(state.empty[me]) & BIT[cell] != 0
        if panel == NONE and (building == NONE or not empty):
            continue
        around = NEIGHBOURS[cell]
        beside = np.float64(_complete_beside(state, seat, np.int64(cell)))
        rest = around & ~filled
        beside += NEAR * _count(rest)
        if panel != NONE:
            total += _panel_worth(panel, beside, rows, columns, to_come)
        else:
            worth = _panel_worth(np.int64(building), beside, rows, columns, to_come)
            best = max(
                best, worth + BUILT_REGULAR[index(building)] * (GUEST + INCOME_GUEST * to_come)
            )
    if building != NONE and BUILT_SEARCH[index(building)]:
        best += SEARCH_USE
    return total + best


@kernel
def _panel_worth(panel, beside, rows, columns, to_come):
    """Return what a panel will pay (7.2) with so many complete fossils beside it."""
    p = index(panel)
    once, adjacent = index(Per.ONCE.value), index(Per.ADJACENT.value)
    guests = INCOME_GUESTS[p, once] + beside * INCOME_GUESTS[p, adjacent]
    dollars = INCOME_DOLLARS[p, once] + beside * INCOME_DOLLARS[p, adjacent]
    guests += TOURS * TOUR_GUESTS[p]
    dollars += TOURS * TOUR_DOLLARS[p]
    worth = INCOME_GUEST * guests + INCOME_DOLLAR * dollars + STUDENT * INCOME_STUDENTS[p, once]
    worth = worth * to_come + END_PANEL[p, once] + beside * END_PANEL[p, adjacent]
    worth += columns * END_PANEL[p, index(Per.COLUMN.value)]
    return worth + rows * END_PANEL[p, index(Per.ROW.value)]


# --- workers and goals ----------------------------------------------------------------------------


@kernel
def _estimate_workers(state, seat, left):
    """Estimate what workers will do in this round, and dig at its end (12.1)."""
    me = index(seat)
    total = WORKER * np.float64(state.workers[me])
    for column in range(N_SITES):
        permanent = np.int64(state.permanent[me, column])
        own = permanent + np.int64(state.placed[me, column])
        if left == 0:
            total += WORKER * np.float64(permanent - np.int64(state.spent[me, column]))
        elif own > 0:
            drawn = min(np.int64(DRAW_CAP), _in_column(state, np.int64(column)))
            total += DUG * own + PICK * max(np.int64(0), drawn - own)
    return total


@kernel
def _estimate_goals(state, seat, to_come):
    """Estimate what the round's goal and the job goals bring (10.4, 11.2)."""
    total = 0.0
    goal = np.int64(state.round_goal[index(max(np.int64(1), np.int64(state.round_number)) - 1)])
    if goal != NONE:
        total += INCOME_GUEST * to_come * _goal_worth(state, seat, goal)
    for g in range(N_GOALS):
        waiting = np.float64(state.on_goal[index(seat), g])
        total += waiting * (1.0 + to_come) * JOB[JOB_OF_GOAL[index(state.job_goal[g])]]
    return total


# --- majorities -----------------------------------------------------------------------------------


@kernel
def _last_income(state, seat, amounts, first_line):
    """Estimate the last income (13.6) of dollars or guests, by now and what is being built."""
    n = _panel_pays(state, seat, amounts)
    if state.building != NONE and state.to_play == seat:
        building = index(state.building)
        n += BESIDE * amounts[building, index(Per.ADJACENT.value)]
        n += amounts[building, index(Per.ONCE.value)]
    if state.side[index(seat)] != NONE:
        for line in range(first_line, first_line + N_TYPES):
            n += _line_pays(state, seat, np.int64(line))
    return np.float64(n)


@kernel
def _guests_at_end(state, seat):
    """Estimate the guests at the end (11.3, 13.6)."""
    regular = np.float64(state.regular[index(seat)])
    return regular + _last_income(state, seat, INCOME_GUESTS, np.int64(N_TYPES))


@kernel
def _dollars_at_end(state, seat):
    """Estimate the dollars at the end."""
    incomes = 1.0 + SAVED * np.float64(_left(state))
    income = _last_income(state, seat, INCOME_DOLLARS, np.int64(0))
    return np.float64(state.dollars[index(seat)]) + incomes * income


@kernel
def _ahead(by, left):
    """Return the share of a majority, from -1 to 1, for being ahead by so much."""
    ahead = MAJORITY[left] * by
    return ahead / (1.0 + abs(ahead))


@kernel(apart=True)
def _lead(state, player, other):
    """Estimate what the majorities bring against another player (14.1)."""
    left = _left(state)
    gap = MAJORITIES[0] - MAJORITIES[1]
    total = _ahead(_guests_at_end(state, player) - _guests_at_end(state, other), left)
    total += _ahead(_dollars_at_end(state, player) - _dollars_at_end(state, other), left)
    if state.end_goal != NONE:
        goal = METRIC_OF_END_GOAL[index(state.end_goal)]
        total += _ahead(2.0 * (_metric(state, player, goal) - _metric(state, other, goal)), left)
    return gap * total


@kernel
def _lead_over_pal(state):
    """Estimate what the majorities against Pal will bring (solo 6.1)."""
    if state.done:
        return 0.0
    zero = np.int64(0)
    left = _left(state)
    grows = 1.0 - PAL_GROWS * left  # what Pal has by now of what she will have
    guests = _guests_at_end(state, zero) - np.float64(state.guests[1]) / grows
    dollars = _dollars_at_end(state, zero) - np.float64(state.dollars[1]) / grows
    return 0.5 * MAJORITIES[0] * (_ahead(guests, left) + _ahead(dollars, left))
