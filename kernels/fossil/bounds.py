"""What the fields of a state of Fossil may hold, for states that come from outside."""

import numpy as np

from .parts import (
    COPIES_OF_VALUE,
    KINDS,
    MAX_PLAYERS,
    MAX_PRODUCT,
    N_CELLS,
    N_COPIES,
    N_FOSSILS,
    N_KINDS,
    N_VALUES,
    START_SCORE,
)
from .state import NO_CELL, NO_KIND, NO_TILE, Phase

# Most points of a seat: it starts with some, and each fossil is scored once (5.1, 5.4).
_MOST_SCORE = START_SCORE + N_FOSSILS * (MAX_PRODUCT + MAX_PLAYERS * N_COPIES)


def _bounds_by_phase(low, high, *phases):
    """Bound a field that holds something in some phases and its "none", -1, in the others."""

    def bound(states):
        asked = np.isin(states["phase"], phases)
        return np.where(asked, low, -1), np.where(asked, high, -1)

    return bound


def _bounds_of_stone(states):
    """Let both stones be on the board (2.3), but while they are placed the second one is not."""
    placed = states["phase"] != Phase.PLACE
    low = np.where(placed, 0, NO_CELL)
    return low[:, None], np.stack([np.full(len(states), N_CELLS - 1), placed * N_CELLS - 1], 1)


def _bounds_of_left(states):
    """Count the tiles of each fossil on the board (3.8)."""
    lying = states["tile"][:, :, None] // N_VALUES == np.arange(N_FOSSILS)
    return (lying.sum(1),) * 2


def _bounds_of_held(states):
    """Let nobody hold a tile that lies on the board or before another; the one given is held."""
    n = np.arange(len(states))
    lying = (states["tile"][:, :, None] == KINDS).sum(1)
    held = states["held"].astype(np.int64)
    free = np.tile(COPIES_OF_VALUE, N_FOSSILS) - lying - held.sum(1)
    low = np.zeros_like(held)
    low[n, states["to_play"], states["given"]] = states["given"] != NO_KIND
    return low, held + np.minimum(free, 0)[:, None]


BOUNDS = {
    "score": (0, _MOST_SCORE),
    "gain": (-_MOST_SCORE, _MOST_SCORE),
    "phase": (Phase.PLACE, Phase.OVER),
    "tile": (NO_TILE, N_KINDS - 1),
    "stone": _bounds_of_stone,
    "left": _bounds_of_left,
    "given": _bounds_by_phase(0, N_KINDS - 1, Phase.TAKE),
    "completed": _bounds_by_phase(0, N_FOSSILS - 1, Phase.GIVE, Phase.TAKE),
    "held": _bounds_of_held,
}
