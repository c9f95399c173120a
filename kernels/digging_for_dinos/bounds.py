"""What the fields of a state of Digging for Dinos may hold, for states that come from outside."""

import numpy as np

from .parts import (
    COLS,
    COLS_OF_BOARD,
    MAX_COPIES,
    MAX_PLAYERS,
    N_KINDS,
    N_SPACES,
    N_TOKENS,
    RIGHT_OF_SPECIES,
    ROWS_OF_BOARD,
)
from .state import NO_SPACE, NO_TILE, Phase

# Most points of a seat: every tile is in a dinosaur (5.1), which is never worth less than alone.
_MOST_SCORE = MAX_COPIES * int(RIGHT_OF_SPECIES.sum())
_SPACES = np.arange(N_SPACES)


def _bounds_of_phase(states):
    """Let a game be over if it is done, and else wait for something."""
    done = states["done"] == 1
    return np.where(done, Phase.OVER, Phase.PLACE), np.where(done, Phase.OVER, Phase.ABILITY)


def _on_board(states):
    """Return for each game which spaces its board has."""
    rows, cols = ROWS_OF_BOARD[states["board"]], COLS_OF_BOARD[states["board"]]
    return (rows[:, None] > _SPACES // COLS) & (cols[:, None] > _SPACES % COLS)


def _bounds_of_tile(states):
    """Let tiles lie on the board only (1.1)."""
    return NO_TILE, np.where(_on_board(states), N_KINDS - 1, NO_TILE)


def _placed(states):
    """Return which tokens have been placed: while it is done, to and fro (2.4)."""
    seats, to_play = np.arange(MAX_PLAYERS), states["to_play"][:, None]
    back = states["token"][np.arange(len(states)), states["to_play"], 0] != NO_SPACE
    placing = states["phase"][:, None] == Phase.PLACE
    first = ~placing | back[:, None] | (seats < to_play)
    second = ~placing | (back[:, None] & (seats > to_play))
    playing = seats < states["num_players"][:, None]
    return np.stack([first & playing, second & playing], 2)


def _bounds_of_token(states):
    """Let each token stand on a tile of its own, once it is placed (2.3, 2.4, 3.3).

    After the end it stands where it took the last tile (6.4).
    """
    shape = (len(states), MAX_PLAYERS * N_TOKENS)
    token = states["token"].reshape(shape).astype(np.int64)
    space = token.clip(0, N_SPACES - 1)
    done = states["done"][:, None] == 1
    lies = np.where(done, _on_board(states), states["tile"] != NO_TILE)
    standing = np.take_along_axis(lies, space, 1) & (token == space)
    same = token[:, :, None] == token[:, None, :]
    standing &= (same & (token != NO_SPACE)[:, :, None]).sum(2) == 1
    taken = (token[:, :, None] == _SPACES).any(1)
    free = np.argmax(lies & ~taken, 1)[:, None]  # what a wrong token is told to be
    allowed = np.where(standing, token, free)
    allowed = np.where(_placed(states).reshape(shape), allowed, NO_SPACE)
    return (allowed.reshape(states["token"].shape),) * 2


def _bounds_of_held(states):
    """Let nobody hold more tiles of a kind than there are beside the board (1.3)."""
    held = states["held"].astype(np.int64)
    free = states["copies"][:, None] - _lying(states) - held.sum(1)
    playing = np.arange(MAX_PLAYERS) < states["num_players"][:, None]
    return 0, np.where(playing[:, :, None], held + np.minimum(free, 0)[:, None], 0)


def _bounds_of_left(states):
    """Let all other tiles be in the stacks (1.3, 2.1)."""
    held = states["held"].astype(np.int64).sum(1)
    return (states["copies"][:, None] - _lying(states) - held,) * 2


def _lying(states):
    """Count the tiles of each kind on the board."""
    return (states["tile"][:, :, None] == np.arange(N_KINDS)).sum(1)


def _bounds_of_vacated(states):
    """Let a space of the board without a tile wait for its tile during an ability (4.5)."""
    empty = _on_board(states) & (states["tile"] == NO_TILE)
    held = states["vacated"].astype(np.int64)
    right = np.take_along_axis(empty, held.clip(0, N_SPACES - 1)[:, None], 1)[:, 0] & (held >= 0)
    allowed = np.where(right, held, np.argmax(empty, 1))
    return (np.where(states["phase"] == Phase.ABILITY, allowed, NO_SPACE),) * 2


BOUNDS = {
    "score": (0, _MOST_SCORE),
    "gain": (0, _MOST_SCORE),
    "phase": _bounds_of_phase,
    "tile": _bounds_of_tile,
    "token": _bounds_of_token,
    "side": (0, 1),
    "held": _bounds_of_held,
    "left": _bounds_of_left,
    "vacated": _bounds_of_vacated,
}
