"""Fossilium: what the table is worth to a player, for those who draw it or put it into words."""

from enum import IntEnum

import numpy as np

from ..jit import kernel
from .choices import _joker_cost, _line_pays
from .parts import END_PANEL
from .scoring import _fossil_prestige, _majority, _metric, _panel_pays


class Part(IntEnum):
    """What brings prestige at the end (14.1 to 14.6)."""

    GUESTS = 0
    DOLLARS = 1
    END_GOAL = 2
    PANELS = 3
    FOSSILS = 4  # with amber, stands and pedestals


@kernel
def goal_count(state, seat, metric):
    """Return how much a player has of what a goal counts (11.4, 14.2).

    Parameters
    ----------
    state : STATE record
    seat, metric : int

    Returns
    -------
    int
    """
    return _metric(state, seat, metric)


@kernel
def line_pays(state, seat, line):
    """Count the pieces that a shop or an entrance pays for (3.1, 10.2).

    Parameters
    ----------
    state : STATE record
    seat, line : int

    Returns
    -------
    int
    """
    return _line_pays(state, seat, line)


@kernel
def joker_cost(state, seat, column):
    """Return what the joker of a column costs (4.8).

    Parameters
    ----------
    state : STATE record
    seat, column : int

    Returns
    -------
    int
    """
    return _joker_cost(state, seat, column)


@kernel
def end_prestige(state, seat, part):
    """Return what a player would score at the end for a part; majorities among players only.

    Parameters
    ----------
    state : STATE record
    seat, part : int

    Returns
    -------
    int
    """
    if part == Part.PANELS.value:
        return np.int64(_panel_pays(state, seat, END_PANEL))
    if part == Part.FOSSILS.value:
        return np.int64(_fossil_prestige(state, seat))
    return np.int64(_majority(state, seat, part))
