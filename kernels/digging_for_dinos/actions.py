"""What can be done in Digging for Dinos: the numbers of the actions, and which are legal."""

from enum import IntEnum

import numpy as np

from .. import rules
from ..jit import index, kernel
from .parts import N_DIRECTIONS, N_SPACES, N_TOKENS, RAY, STEP
from .state import Phase

ACTIONS = rules.ActionTable(
    # place the next token on an open tile (2.4)
    place={"space": N_SPACES},
    # move token A or B up, right, down or left, or with the diagonal side up-right, down-right,
    # down-left or up-left (3.2)
    move={"token": N_TOKENS, "direction": N_DIRECTIONS},
    # move a token to any open tile, where neither has a move (3.5)
    relocate={"token": N_TOKENS, "space": N_SPACES},
    # flip no token (4.4)
    keep={},
    # flip token A or B (4.4)
    flip={"token": N_TOKENS},
)
PLACE = ACTIONS.offset("place")
MOVE = ACTIONS.offset("move")
RELOCATE = ACTIONS.offset("relocate")
KEEP = ACTIONS.offset("keep")
FLIP = ACTIONS.offset("flip")
NO_ACTION = -1


class Direction(IntEnum):
    """Directions by the numbers of an orthogonal move's, then of a diagonal move's."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3
    UP_RIGHT = 4
    DOWN_RIGHT = 5
    DOWN_LEFT = 6
    UP_LEFT = 7


@kernel
def legal(state, actions):
    """List the legal actions of the player to move.

    Rules 2.4, 3.2 to 3.5 and 4.4.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    if state.phase == Phase.MOVE.value:
        n = np.int64(0)
        for move in range(N_TOKENS * N_DIRECTIONS):
            actions[index(n)] = MOVE + move
            n += np.int64(_ray(state, move) & state.open != 0)
        if n == 0:
            for token in range(N_TOKENS):
                n = _list_open(state, RELOCATE + token * N_SPACES, actions, n)
        return n
    if state.phase == Phase.PLACE.value:
        return _list_open(state, PLACE, actions, np.int64(0))
    if state.phase == Phase.ABILITY.value:
        for i in range(1 + N_TOKENS):
            actions[i] = KEEP + i
        return np.int64(1 + N_TOKENS)
    return np.int64(0)


@kernel
def _list_open(state, first, actions, n):
    """Append the action of each open tile, numbered by space from `first`; return the number."""
    for space in range(N_SPACES):
        actions[index(n)] = first + space
        n += state.open >> space & 1
    return n


@kernel
def _ray(state, move):
    """Return the spaces in the direction of a move as bits (3.2)."""
    player, token = index(state.to_play), index(move // N_DIRECTIONS)
    side = np.int64(state.side[player, token])
    row = side * N_DIRECTIONS + move % N_DIRECTIONS
    return RAY[index(row), index(state.token[player, token])]


@kernel
def _target(open_tiles, space, row):
    """Return the nearest open tile in a direction in which there is one (3.3)."""
    step = STEP[index(row)]
    space += step
    while not open_tiles >> space & 1:
        space += step
    return space


@kernel
def next_choice(state):
    """Return the move that has to be made because there is no other.

    Rules 7.1.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    int
        NO_ACTION where there is something to decide, or nothing any more.
    """
    sole = np.int64(NO_ACTION)
    if state.phase != Phase.MOVE.value:
        return sole
    for move in range(N_TOKENS * N_DIRECTIONS):
        if _ray(state, move) & state.open:
            if sole != NO_ACTION:
                return np.int64(NO_ACTION)
            sole = np.int64(MOVE + move)
    return sole  # without any there are the choices of 3.5
