"""What can be done in Fossil: the numbers of the actions, and which are legal (2.3, 3 and 4)."""

from enum import IntEnum

import numpy as np

from .. import rules
from ..jit import index, kernel
from .parts import (
    COLS,
    COST_EMPTY,
    COST_LANDING,
    COST_PASSED,
    EXCHANGE_OPTIONAL,
    KINDS_OF_VALUE,
    MAX_PLAYERS,
    N_CELLS,
    N_FOSSILS,
    N_KINDS,
    N_STONES,
    N_TILES,
    N_VALUES,
    SIDE,
)
from .state import N_RAYS, NO_TILE, Phase

ACTIONS = rules.ActionTable(
    # put the next stone on a space (2.3)
    place={"cell": N_CELLS},
    # move a stone up, right, down or left; `tiles` are passed over, 0 takes the nearest (3.1)
    move={"stone": N_STONES, "direction": 4, "tiles": N_TILES},
    # make no exchange (4.3)
    keep={},
    # give an own tile, of value `value` + 1 (4.3)
    give={"fossil": N_FOSSILS, "value": N_VALUES},
    # take a tile of the same value from another player, 0 for the next seat (4.3)
    take={"opponent": MAX_PLAYERS - 1, "fossil": N_FOSSILS},
)
PLACE = ACTIONS.offset("place")
MOVE = ACTIONS.offset("move")
KEEP = ACTIONS.offset("keep")
GIVE = ACTIONS.offset("give")
TAKE = ACTIONS.offset("take")
NO_ACTION = -1
SEVERAL = -2


class Direction(IntEnum):
    """Directions of a move."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3


# A line is a row or a column as a bit mask of its tiles; what a stone reaches on it is one AND.
# OPEN_TO[0 or 1, i, other]: the bits below or above i, up to a stone at `other` (SIDE: elsewhere)
OPEN_TO = np.zeros((2, SIDE, SIDE + 1), np.uint16)
# NTH_BIT[0 or 1, mask, n]: the n-th bit of a mask, counted downwards or upwards
NTH_BIT = np.zeros((2, 1 << SIDE, SIDE), np.uint8)
N_BITS = np.array([mask.bit_count() for mask in range(1 << SIDE)], np.uint8)
for _i in range(SIDE):
    for _other in range(SIDE + 1):
        OPEN_TO[0, _i, _other] = sum(1 << j for j in range(_other + 1 if _other < _i else 0, _i))
        OPEN_TO[1, _i, _other] = sum(1 << j for j in range(_i + 1, _other if _other > _i else SIDE))
for _mask in range(1 << SIDE):
    _bits = [i for i in range(SIDE) if _mask >> i & 1]
    NTH_BIT[0, _mask, : len(_bits)] = _bits[::-1]
    NTH_BIT[1, _mask, : len(_bits)] = _bits

# REACH[points, mask]: tiles of a ray that points pay for where empty spaces are free (3.4, 3.5)
MOST_POINTS = COST_LANDING + COST_PASSED * (N_TILES - 1)  # enough for any of them
REACH = np.minimum(
    [
        [sum(COST_LANDING + COST_PASSED * passed <= points for passed in range(N_TILES))]
        for points in range(MOST_POINTS + 1)
    ],
    N_BITS,
).astype(np.uint8)


@kernel
def legal(state, actions):
    """List the legal actions of the player to move.

    Rules 2.3, 3.1 to 3.5, 4.2 and 4.3.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    n = np.int64(0)
    if state.phase == Phase.MOVE.value:
        purse = np.int64(state.score[index(state.to_play)])
        for ray in range(N_RAYS):
            for tiles in range(N_TILES):  # all of them: a fixed number is written at once
                actions[index(n) + tiles] = MOVE + ray * N_TILES + tiles
            n += _reach(state, ray, purse)
    elif state.phase == Phase.PLACE.value:
        for cell in range(N_CELLS):
            actions[index(n)] = PLACE + cell
            n += np.int64(state.tile[cell] != NO_TILE and cell != state.stone[0])
    elif state.phase == Phase.GIVE.value:
        if EXCHANGE_OPTIONAL:
            actions[n] = KEEP
            n += 1
        kinds = _givable(state)
        for kind in range(N_KINDS):
            actions[index(n)] = GIVE + kind
            n += kinds >> kind & 1
    elif state.phase == Phase.TAKE.value:
        for opponent in range(np.int64(state.num_players) - 1):
            kinds = _takable(state, opponent) >> np.int64(state.given) % N_VALUES
            for fossil in range(N_FOSSILS):
                actions[index(n)] = TAKE + opponent * N_FOSSILS + fossil
                n += kinds >> fossil * N_VALUES & 1
    return n


@kernel
def _reach(state, ray, purse):
    """Count the tiles that a stone can take in one direction for `purse` points (3.1 to 3.5)."""
    if COST_EMPTY == 0:
        return np.int64(REACH[index(min(purse, MOST_POINTS)), state.ray[ray]])
    n = np.int64(N_BITS[state.ray[ray]])
    while n > 0 and _cost(state, ray, n - 1) > purse:
        n -= 1
    return n


@kernel
def _cost(state, ray, passed):
    """Return what a move costs that passes a number of tiles (3.4)."""
    cost = COST_LANDING + COST_PASSED * passed
    if COST_EMPTY > 0:
        cell = np.int64(state.stone[ray // 4])
        start = cell % COLS if ray % 2 else cell // COLS
        cost += COST_EMPTY * (abs(_target(state, ray, passed) - start) - 1 - passed)
    return cost


@kernel
def _target(state, ray, passed):
    """Return where on its line a move stops that passes a number of tiles."""
    direction = ray % 4
    upwards = direction == Direction.RIGHT.value or direction == Direction.DOWN.value
    return np.int64(NTH_BIT[np.int64(upwards), state.ray[ray], passed])


@kernel
def _find_rays(state):
    """Find what each stone reaches in each direction (3.1 to 3.3)."""
    for stone in range(N_STONES):
        cell = np.int64(index(state.stone[stone]))
        other = np.int64(index(state.stone[1 - stone]))
        row, col = cell // COLS, cell % COLS
        in_row = other % COLS if other // COLS == row else SIDE
        in_col = other // COLS if other % COLS == col else SIDE
        down, across = state.line[0, col], state.line[1, row]
        state.ray[stone * 4 + Direction.UP.value] = down & OPEN_TO[0, row, in_col]
        state.ray[stone * 4 + Direction.RIGHT.value] = across & OPEN_TO[1, col, in_row]
        state.ray[stone * 4 + Direction.DOWN.value] = down & OPEN_TO[1, row, in_col]
        state.ray[stone * 4 + Direction.LEFT.value] = across & OPEN_TO[0, col, in_row]


@kernel(inline=True)
def _sole_move(state, player):
    """Return a player's only move, or NO_ACTION if there is none, or SEVERAL."""
    purse = np.int64(state.score[index(player)])
    n = np.int64(0)
    for ray in range(N_RAYS):
        n += _reach(state, ray, purse)
    if n > 1:
        return SEVERAL
    for ray in range(N_RAYS):
        if _reach(state, ray, purse) > 0:
            return MOVE + ray * N_TILES
    return NO_ACTION


@kernel
def _givable(state):
    """Return the mask of own kinds for which another player has one to take (4.2, 4.3)."""
    others = np.int64(0)
    for player in range(np.int64(state.num_players)):
        if player != state.to_play:
            others |= state.kinds[player]
    wanted = np.int64(0)
    for value_index in range(N_VALUES):
        offered = others & KINDS_OF_VALUE[value_index]
        if offered & (offered - 1):  # of two fossils or more
            wanted |= KINDS_OF_VALUE[value_index]
        elif offered:
            wanted |= KINDS_OF_VALUE[value_index] & ~offered
    return state.kinds[state.to_play] & wanted


@kernel
def _takable(state, opponent):
    """Return the mask of an opponent's kinds that can be taken for the one given (4.2)."""
    given = np.int64(state.given)
    held = state.kinds[_opponent(state, opponent)]
    return held & KINDS_OF_VALUE[given % N_VALUES] & ~(np.int64(1) << given)


@kernel
def _sole_take(state):
    """Return the only take, or SEVERAL."""
    sole = NO_ACTION
    for opponent in range(np.int64(state.num_players) - 1):
        kinds = _takable(state, opponent)
        if kinds:
            if sole != NO_ACTION or kinds & (kinds - 1):
                return SEVERAL
            sole = TAKE + opponent * N_FOSSILS + _lowest(kinds) // N_VALUES
    return sole


@kernel
def _sole_give(state):
    """Return the only give, or SEVERAL."""
    kinds = _givable(state)
    return SEVERAL if kinds & (kinds - 1) else GIVE + _lowest(kinds)


@kernel
def _lowest(kinds):
    """Return the lowest kind in a mask that is not empty."""
    kind = np.int64(0)
    while not kinds >> kind & 1:
        kind += 1
    return kind


@kernel
def _opponent(state, offset):
    """Return the seat `offset` + 1 places after the player to move."""
    return (np.int64(state.to_play) + 1 + offset) % state.num_players
