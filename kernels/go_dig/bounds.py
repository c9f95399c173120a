"""What the fields of a state of Go Dig may hold, for states that come from outside."""

import numpy as np

from .parts import (
    COPIES_OF_TYPE,
    FIRST_OF_GENUS,
    FOSSILS_OF_GENUS,
    GENUS_OF_TYPE,
    MAX_PLAYERS,
    MOST_POINTS,
    SKELETONS_OF_GENUS,
    TURN_CAP,
)
from .state import Phase


def _by_genus(counts):
    """Add up counts by type to counts by genus."""
    return np.add.reduceat(counts.astype(np.int64), FIRST_OF_GENUS, axis=-1)


def _bounds_of_hand(states):
    """Refuse complete skeletons (4.1), cards of absent seats, and who has nothing to decide."""
    hand, n = states["hand"], states["num_players"]
    held = _by_genus(hand > 0)
    wrong = (held == FOSSILS_OF_GENUS).any((1, 2))
    genera = (held > 0)[np.arange(len(states)), states["to_play"]].sum(-1)
    wrong |= (states["done"] == 0) & (genera < np.where(n == 2, 2, 1))
    seats = np.arange(MAX_PLAYERS) < n[:, None]
    return 0, np.where(wrong[:, None], 0, seats)[:, :, None] * COPIES_OF_TYPE


def _bounds_of_pile(states):
    """Let every card be in one place."""
    laid = states["skeletons"].astype(np.int64).sum(1)[:, GENUS_OF_TYPE]
    return (COPIES_OF_TYPE - laid - states["hand"].astype(np.int64).sum(1),) * 2


def _hidden_of_genus(states):
    """Count the hidden cards of each genus in each hand."""
    return _by_genus(states["hand"].astype(np.int64) - states["known"])


def _bounds_of_room(states):
    """Let the room be as large as it has to be, and no larger than there are hidden cards."""
    of_genus = _hidden_of_genus(states)
    return of_genus, of_genus.sum(-1, keepdims=True)


BOUNDS = {
    "score": (0, MOST_POINTS),
    "gain": (0, MOST_POINTS),
    "phase": (Phase.ASK, Phase.OVER),
    "turns": (0, TURN_CAP),
    "skeletons": (0, SKELETONS_OF_GENUS),
    "hand": _bounds_of_hand,
    "pile": _bounds_of_pile,
    "known": lambda states: (0, states["hand"]),
    "asked": lambda states: (0, np.minimum(_hidden_of_genus(states), 1)),
    "room": _bounds_of_room,
}
