"""What a seat sees of a game of Fossil, and what it cannot know: nothing."""

import numpy as np

from .. import rules, vectors
from ..jit import index, kernel
from .actions import N_BITS, NTH_BIT, Direction
from .parts import (
    COLS,
    COPIES_OF_VALUE,
    KINDS,
    MAX_PLAYERS,
    MAX_PRODUCT,
    N_CELLS,
    N_COPIES,
    N_FOSSILS,
    N_KINDS,
    N_STONES,
    N_TILES,
    N_VALUES,
    ROWS,
)
from .scoring import _product
from .state import N_RAYS, NO_CELL, NO_FOSSIL, NO_KIND, Phase

# By the byte on a space: the kind of its tile, or 255 without one, for which there are zeros.
KIND_OF_BYTE = np.append(KINDS, np.zeros(256 - N_KINDS, int))
IS_KIND = np.arange(256) < N_KINDS
FOSSIL_OF_BYTE = (KIND_OF_BYTE // N_VALUES).astype(np.uint8)
VALUE_OF_BYTE = (IS_KIND * (KIND_OF_BYTE % N_VALUES + 1)).astype(np.uint8)
SHARE_OF_BYTE = (VALUE_OF_BYTE / N_VALUES).astype(np.float32)
SHARE_OF_FOSSIL = (np.arange(N_COPIES + 1) / N_COPIES).astype(np.float32)
# By direction: the nearest tile is the lowest bit of its line, not the highest.
UPWARDS = np.array([int(d in (Direction.RIGHT, Direction.DOWN)) for d in Direction], np.uint8)
SCORE_SCALE = 200.0  # points from which `score` stays at 1
GROWTH_SCALE = 40.0  # a tile adds at most 37 points by 5.1: 13 x 9 - 10 x 8
SHARE_OF_TILE = (1 / np.tile(COPIES_OF_VALUE, N_FOSSILS)).astype(np.float32)
SHARE_OF_COPY = np.float32(1 / N_COPIES)
SHARE_OF_PRODUCT = (np.arange(MAX_PRODUCT + 1) / MAX_PRODUCT).astype(np.float32)
SHARE_OF_GROWTH = np.minimum(np.arange(MAX_PRODUCT + 1) / GROWTH_SCALE, 1.0).astype(np.float32)

OBS = rules.record(
    [
        ("phase", "f4", (len(Phase),)),  # one-hot: place, move, give, take, over
        ("turn", "f4", (MAX_PLAYERS,)),  # one-hot: whose decision
        ("seat", "f4", (MAX_PLAYERS,)),  # 1 for the seats in the game
        ("score", "f4", (MAX_PLAYERS,)),  # points / 200, at most 1
        # points / 8 (most tiles on a ray), at most 1: what a move may cost
        ("purse", "f4", (MAX_PLAYERS,)),
        ("held", "f4", (MAX_PLAYERS, N_FOSSILS, N_VALUES)),  # share of the kind's tiles
        ("product", "f4", (MAX_PLAYERS, N_FOSSILS)),  # 5.1 for the tiles held now, / 117
        ("left", "f4", (N_FOSSILS,)),  # tiles on the board / 9
        ("tile", "f4", (N_FOSSILS, N_CELLS)),  # value / 3 where a tile of the fossil lies
        ("stone", "f4", (N_STONES, N_CELLS)),  # one-hot: the space of each stone
        # what each move would take, whoever moves: value / 3, own and most of another's tiles of
        # the fossil / 9, its tiles left on the board / 9, growth of the own product / 40
        ("reach", "f4", (N_STONES, 4, N_TILES, 5)),
        ("given", "f4", (N_KINDS,)),  # one-hot: the tile given in the exchange under way
        ("completed", "f4", (N_FOSSILS,)),  # one-hot: the fossil to be scored after the exchange
        ("tactical", "f4", (1,)),  # 1 with the tactical variant (6.1)
    ]
)


@kernel
def observe(state, player, obs):
    """Write what a seat sees, which is everything.

    Parameters
    ----------
    state : STATE record
    player : int
        Whose view; entries for seats begin with this one, then in turn order.
    obs : OBS record, out
        Zeroed by the caller.
    """
    num_players = np.int64(state.num_players)
    obs.phase[state.phase] = 1.0
    who = np.int64(player)
    for seat in range(num_players):
        _observe_seat(state, who, seat, obs)
        who = who + 1 if who + 1 < num_players else np.int64(0)
    vectors.add_scaled(obs.left, state.left, SHARE_OF_COPY, N_FOSSILS)
    for row in range(ROWS):
        if state.line[1, row]:  # has tiles
            for cell in range(row * COLS, row * COLS + COLS):
                byte = np.uint8(state.tile[cell])
                obs.tile[FOSSIL_OF_BYTE[byte], cell] = SHARE_OF_BYTE[byte]  # 0 where 0 is
    if state.phase != Phase.PLACE.value:
        _observe_rays(state, player, obs)
    for stone in range(N_STONES):
        if state.stone[stone] != NO_CELL:
            obs.stone[stone, state.stone[stone]] = 1.0
    if state.given != NO_KIND:
        obs.given[state.given] = 1.0
    if state.completed != NO_FOSSIL:
        obs.completed[state.completed] = 1.0
    obs.tactical[0] = state.tactical


@kernel
def _observe_seat(state, who, seat, obs):
    """Write the points and tiles of a player at the place `seat`."""
    who = np.int64(index(who))  # never negative
    points = state.score[who]
    obs.seat[seat] = 1.0
    obs.turn[seat] = who == state.to_play and not state.done
    obs.score[seat] = min(points / SCORE_SCALE, 1.0)
    obs.purse[seat] = min(points / N_TILES, 1.0)
    vectors.multiply(obs.held[seat], state.held[who], SHARE_OF_TILE, N_KINDS)
    for fossil in range(N_FOSSILS):
        obs.product[seat, fossil] = SHARE_OF_PRODUCT[index(_product(state, who, fossil))]


@kernel
def _observe_rays(state, player, obs):
    """Describe the tiles that a stone would take in each direction at any price (3.1 to 3.3)."""
    rivals = _most_of_others(state, player)
    player = index(player)
    for ray in range(N_RAYS):
        stone, direction = ray // 4, ray % 4
        cell = np.int64(index(state.stone[stone]))
        first, stride = (cell // COLS * COLS, 1) if ray % 2 else (cell % COLS, COLS)
        bits = index(state.ray[ray])
        for passed in range(np.int64(N_BITS[bits])):
            space = first + stride * np.int64(NTH_BIT[UPWARDS[direction], bits, passed])
            byte = np.uint8(state.tile[index(space)])
            fossil = np.int64(FOSSIL_OF_BYTE[byte])
            own = np.int64(state.count[player, fossil])
            growth = np.int64(state.total[player, fossil]) + VALUE_OF_BYTE[byte] * (own + 1)
            tile = obs.reach[stone, direction, passed]
            tile[0] = SHARE_OF_BYTE[byte]
            tile[1] = SHARE_OF_FOSSIL[index(own)]
            tile[2] = SHARE_OF_FOSSIL[index(rivals >> 4 * fossil & 15)]
            tile[3] = obs.left[fossil]
            tile[4] = SHARE_OF_GROWTH[index(growth)]  # of the own product


@kernel
def _most_of_others(state, player):
    """Return the most tiles that another player has of each fossil, four bits for each."""
    packed = np.int64(0)
    for seat in range(np.int64(state.num_players)):
        if seat != player:
            for fossil in range(N_FOSSILS):
                more = np.int64(state.count[index(seat), fossil]) - (packed >> 4 * fossil & 15)
                packed += max(more, 0) << 4 * fossil
    return packed


@kernel
def resample(state, player, seed):
    """Re-seed chance; nothing is hidden in this game and nothing is drawn after the set-up.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
        Makes no difference here.
    seed : uint64
    """
    state.seed = seed
