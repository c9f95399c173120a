"""Fossilium: what goals count, what panels pay, and the end of the game (7.5, 11.4, 14)."""

import numpy as np

from .. import rules
from ..bits import lowest
from ..jit import index, kernel
from .museum import _count, _filled, _footprint, _reserved
from .pal import _score_majorities_in_solo, _score_penalties
from .parts import (
    AMBER_PRESTIGE,
    COLUMN_CELLS,
    COLUMNS,
    END_PANEL,
    END_PRESTIGE,
    MAJORITIES,
    METRIC_OF_END_GOAL,
    N_CELLS,
    N_PEDESTALS,
    NEIGHBOURS,
    PEDESTAL,
    PEDESTAL_PRESTIGE,
    ROW_CELLS,
    ROWS,
    SIZE_OF_TILE,
    STAND_PRESTIGE,
    TYPE_OF_TILE,
    Metric,
    Per,
)
from .people import _museums, _score
from .state import NONE

LEFT = np.int64(COLUMN_CELLS[0])
RIGHT = np.int64(COLUMN_CELLS[-1])
GUESTS, DOLLARS, END_GOAL, N_MAJORITIES = range(4)

# --- what goals count (11.4, 14.2) --------------------------------------------------------------


@kernel(apart=True)
def _metric(state, seat, metric):
    """Return how much a player has of what a goal counts."""
    if metric == Metric.PANELS.value:
        return _panels(state, seat)
    if metric == Metric.PIECES_PLUS_PANELS.value:
        return _panels(state, seat) + _count(np.int64(state.shown[index(seat)]))
    if metric == Metric.LARGEST_CONNECTED_AREA_BEST_TYPE.value:
        return _largest_area(state, seat)
    if metric == Metric.FOSSILS_BEST_TYPE.value:
        most, _ = _fossils_by_type(state, seat, False)
        return most
    if metric == Metric.TYPE_SETS.value:
        _, least = _fossils_by_type(state, seat, False)
        return least
    if metric == Metric.COMPLETE_TYPE_SETS.value:
        _, least = _fossils_by_type(state, seat, True)
        return least
    return _fossils_by_size(state, seat, metric)


@kernel
def _panels(state, seat):
    """Count a player's panels."""
    n = np.int64(0)
    for cell in range(N_CELLS):
        n += 1 if state.panel[index(seat), cell] != NONE else 0
    return n


@kernel
def _fossils_by_type(state, seat, complete):
    """Return the largest and the smallest number of fossils of a type."""
    terrestrial, aquatic, botanical = np.int64(0), np.int64(0), np.int64(0)
    me = index(seat)
    for cell in range(N_CELLS):
        if state.piece[me, cell] == 1 and (not complete or _is_complete(state, seat, cell)):
            kind = TYPE_OF_TILE[index(state.tile[me, cell])]
            terrestrial += 1 if kind == 0 else 0
            aquatic += 1 if kind == 1 else 0
            botanical += 1 if kind == 2 else 0
    most = max(terrestrial, aquatic, botanical)
    return most, min(terrestrial, aquatic, botanical)


@kernel
def _is_complete(state, seat, cell):
    """Say whether the fossil that a cell belongs to is complete (5.7)."""
    fossil = _footprint(state, seat, np.int64(cell))
    return np.int64(state.shown[index(seat)]) & fossil == fossil


@kernel
def _fossils_by_size(state, seat, metric):
    """Return what a goal counts by the sizes of fossils."""
    me = index(seat)
    n = np.int64(0)
    first, second, third = np.int64(0), np.int64(0), np.int64(0)  # largest complete ones
    for cell in range(N_CELLS):
        if state.piece[me, cell] != 1:
            continue
        size = SIZE_OF_TILE[index(state.tile[me, cell])]
        pieces = _count(np.int64(state.shown[me]) & _footprint(state, seat, np.int64(cell)))
        complete = pieces == size
        if complete:
            third = max(third, min(second, size))
            second = max(second, min(first, size))
            first = max(first, size)
        if metric == Metric.COMPLETE_FOSSILS.value:
            n += 1 if complete else 0
        elif metric == Metric.PIECES_IN_LARGEST_FOSSIL.value:
            n = max(n, pieces)
        elif metric == Metric.SIZE1_FOSSILS.value:
            n += 1 if size == 1 else 0
        elif metric == Metric.SIZE2_FOSSILS.value:
            n += 1 if size == 2 else 0
        elif metric == Metric.COMPLETE_SIZE2_FOSSILS.value:
            n += 1 if size == 2 and complete else 0
    if metric == Metric.SIZE_OF_LARGEST_COMPLETE_FOSSIL.value:
        return first
    if metric == Metric.PIECES_OF_3_LARGEST_COMPLETE_FOSSILS.value:
        return first + second + third
    return n


@kernel
def _largest_area(state, seat):
    """Return the size of the largest area of displayed pieces of one type (14.3)."""
    me = index(seat)
    rest = np.int64(state.shown[me])
    most = np.int64(0)
    while rest != 0:
        kind = TYPE_OF_TILE[index(state.tile[me, index(lowest(rest))])]
        area = rest & -rest
        grown = np.int64(0)
        while grown != area:
            grown = area
            around = area << COLUMNS | area >> COLUMNS
            around |= (area & ~RIGHT) << 1 | (area & ~LEFT) >> 1
            around &= rest & ~area
            while around != 0:
                cell = index(lowest(around))
                if TYPE_OF_TILE[index(state.tile[me, cell])] == kind:
                    area |= around & -around
                around &= around - 1
        most = max(most, _count(area))
        rest &= ~area
    return most


# --- panels (7.5) -------------------------------------------------------------------------------


@kernel(apart=True)
def _panel_pays(state, seat, amounts):
    """Sum what a player's panels pay by a table of amounts."""
    total = np.int64(0)
    rest = _reserved(state, seat)
    me = index(seat)
    while rest != 0:
        cell = lowest(rest)
        rest &= rest - 1
        panel = np.int64(state.panel[me, index(cell)])
        if panel == NONE:
            continue
        pays = index(panel)
        total += amounts[pays, Per.ONCE.value]
        if amounts[pays, Per.ADJACENT.value]:
            total += amounts[pays, Per.ADJACENT.value] * _complete_beside(state, seat, cell)
        if amounts[pays, Per.COLUMN.value]:
            total += amounts[pays, Per.COLUMN.value] * _full_lines(state, seat, COLUMN_CELLS)
        if amounts[pays, Per.ROW.value]:
            total += amounts[pays, Per.ROW.value] * _full_lines(state, seat, ROW_CELLS)
    return total


@kernel
def _complete_beside(state, seat, cell):
    """Count the complete fossils beside a cell (7.3)."""
    n = np.int64(0)
    rest = NEIGHBOURS[index(cell)] & np.int64(state.shown[index(seat)])
    while rest != 0:
        beside = lowest(rest)
        if _is_complete(state, seat, beside):
            n += 1
        rest &= ~_footprint(state, seat, beside)
    return n


@kernel
def _full_lines(state, seat, lines):
    """Count the rows or columns that are complete (7.4)."""
    filled = _filled(state, seat)
    n = np.int64(0)
    for line in range(ROWS):
        n += 1 if filled & lines[line] == lines[line] else 0
    return n


# --- the end (14) -------------------------------------------------------------------------------


@kernel(apart=True)
def _score_end(state):
    """Score majorities, panels, fossils and pedestals (14.1 to 14.6; solo 6, 7)."""
    n = _museums(state)
    if n > 1:
        for category in range(N_MAJORITIES if state.end_goal != NONE else END_GOAL):
            for seat in range(n):
                _score(state, np.int64(seat), _majority(state, np.int64(seat), category))
    _score_majorities_in_solo(state)
    for seat in range(n):
        me = np.int64(seat)
        _score(state, me, _panel_pays(state, me, END_PANEL) + _fossil_prestige(state, me))
    _score_penalties(state)


@kernel
def _held_for(state, seat, category):
    """Return what a player has in a majority (14.1)."""
    if category == GUESTS:
        return np.int64(state.guests[index(seat)])
    if category == DOLLARS:
        return np.int64(state.dollars[index(seat)])
    return _metric(state, seat, METRIC_OF_END_GOAL[index(state.end_goal)])


@kernel
def _majority(state, seat, category):
    """Return what a player receives for a majority, shared among equals (14.1)."""
    mine = _held_for(state, seat, category)
    better = np.int64(0)
    equal = np.int64(0)
    for other in range(_museums(state)):
        theirs = _held_for(state, np.int64(other), category)
        better += 1 if theirs > mine else 0
        equal += 1 if theirs == mine else 0
    prestige = np.int64(0)
    for place in range(better, min(better + equal, np.int64(len(MAJORITIES)))):
        prestige += MAJORITIES[index(place)]
    return prestige // equal


@kernel
def _fossil_prestige(state, seat):
    """Return the prestige for complete fossils, amber, stands and pedestals (14.5, 14.6)."""
    me = index(seat)
    prestige = state.amber[me] * np.int64(AMBER_PRESTIGE)
    prestige += state.stands[me] * np.int64(STAND_PRESTIGE)
    for cell in range(N_CELLS):
        if state.piece[me, cell] == 1 and _is_complete(state, seat, cell):
            prestige += END_PRESTIGE[index(SIZE_OF_TILE[index(state.tile[me, cell])])]
            fossil = _footprint(state, seat, np.int64(cell))
            for pedestal in range(N_PEDESTALS):
                if PEDESTAL[index(state.side[me]), pedestal] == fossil:
                    prestige += PEDESTAL_PRESTIGE[pedestal]
    return prestige


@kernel
def outcome(state, out):
    """Write the final results: prestige, then fewest bare cells, then most stands (14.7, 14.8).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    n = _museums(state)
    for seat in range(n):
        mine = _rank_key(state, np.int64(seat))
        better = np.int64(0)
        equal = np.int64(0)
        for other in range(n):
            theirs = _rank_key(state, np.int64(other))
            better += 1 if theirs > mine else 0
            equal += 1 if theirs == mine else 0
        out[seat] = rules.place_result(better, equal, n)


@kernel
def _rank_key(state, seat):
    """Return a number by which players are ranked (14.7)."""
    key = np.int64(state.score[index(seat)]) * (N_CELLS + 1)
    key += _count(_filled(state, seat))
    return key * 100 + np.int64(state.stands[index(seat)])
