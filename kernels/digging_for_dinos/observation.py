"""What a seat sees of a game of Digging for Dinos, and what nobody knows: the chance to come."""

import numpy as np

from .. import rules, vectors
from ..bits import highest, lowest
from ..jit import index, kernel
from .parts import (
    COLS,
    DINOSAURS_TO_END,
    FIRST_KIND,
    FIRST_KIND_OF_ERA,
    LEFT_OF_KIND,
    LEFT_OF_SPECIES,
    LENGTH_OF_SPECIES,
    MAX_COPIES,
    MAX_PLAYERS,
    N_DIRECTIONS,
    N_ERAS,
    N_KINDS,
    N_POSITIONS,
    N_SPACES,
    N_SPECIES,
    N_TOKENS,
    POSITION_OF_KIND,
    RAY,
    RIGHT_OF_SPECIES,
    ROWS_OF_BOARD,
    SIDES,
    SIZES,
    SPECIES_OF_KIND,
    STEP,
)
from .state import NO_SPACE, NO_TILE, Phase

SHARE_OF_POINT = 1 / 150  # of what `score` stays at 1 from
SHARE_TO_END = 1 / DINOSAURS_TO_END
GAIN_SCALE = float(max(1, RIGHT_OF_SPECIES.max(), LEFT_OF_KIND.max()))  # most that a tile brings
SHARE_OF_COPIES = (np.arange(MAX_COPIES + 1) / MAX_COPIES).astype(np.float32)
SHARE_OF_COPY = np.float32(1 / MAX_COPIES)
ONE = np.float32(1.0)
IS_FORWARD = STEP > 0  # the nearest tile of a ray is the one with the lowest number
SHARE_OF_STACK = (1 / (MAX_COPIES * np.diff(FIRST_KIND_OF_ERA))).astype(np.float32)
SPACES_OF_BOARD = ROWS_OF_BOARD * COLS  # from the top left corner; some are beyond its edge
IS_ON_BOARD = np.array(
    [[s // COLS < rows and s % COLS < cols for s in range(N_SPACES)] for rows, cols in SIZES]
).astype(np.float32)

# A row for each kind of tile, after one of zeros for a space without a tile.
N_SETS = 1 << N_POSITIONS
SPECIES_OF_ROW = np.append(0, SPECIES_OF_KIND).astype(np.uint8)
POSITION_OF_ROW = np.append(0, POSITION_OF_KIND).astype(np.uint8)
FIRST_KIND_OF_ROW = FIRST_KIND[SPECIES_OF_ROW].astype(np.uint8)
IS_TILE = (np.arange(N_KINDS + 1) > 0).astype(np.float32)


def _worth_of_tiles():
    """Return what a tile brings (5.2), and the share of a dinosaur that a lacking one makes.

    For each row and each set of positions of which a seat has loose tiles, as bits; those beyond
    the length of the species make no difference.
    """
    gain = np.zeros((N_KINDS + 1, N_SETS))
    progress = np.zeros((N_KINDS + 1, N_SETS))
    for kind, species in enumerate(SPECIES_OF_KIND.tolist()):
        length = int(LENGTH_OF_SPECIES[species])
        growth = RIGHT_OF_SPECIES[species] - LEFT_OF_SPECIES[species]
        for loose in range(N_SETS):
            n = (loose & (1 << length) - 1).bit_count()
            lacks = not loose >> int(POSITION_OF_KIND[kind]) & 1
            gain[kind + 1, loose] = LEFT_OF_KIND[kind] + growth * (lacks and n == length - 1)
            progress[kind + 1, loose] = lacks * (n + 1) / length
    return (gain / GAIN_SCALE).astype(np.float32), progress.astype(np.float32)


GAIN_SHARE, PROGRESS = _worth_of_tiles()

OBS = rules.record(
    [
        ("phase", "f4", (len(Phase),)),  # one-hot: place, move, ability, over
        ("turn", "f4", (MAX_PLAYERS,)),  # one-hot: whose decision
        ("seat", "f4", (MAX_PLAYERS,)),  # 1 for the seats in the game
        ("first", "f4", (MAX_PLAYERS,)),  # one-hot: which of them is seat 0, who begins a round
        ("score", "f4", (MAX_PLAYERS,)),  # points / 150, at most 1
        # completed dinosaurs / those that bring the end near (6.2), at most 1
        ("made", "f4", (MAX_PLAYERS,)),
        ("dinosaurs", "f4", (MAX_PLAYERS, N_SPECIES)),  # completed / most copies of a tile
        # tiles that are not part of a completed dinosaur / most copies of a tile
        ("loose", "f4", (MAX_PLAYERS, N_KINDS)),
        ("species", "f4", (N_SPECIES, N_SPACES)),  # 1 where a tile of the species lies
        ("position", "f4", (N_POSITIONS, N_SPACES)),  # 1 where a tile of the position lies
        # points / 32 that the tile of a space would bring each seat, could it be taken now (5.2)
        ("gain", "f4", (MAX_PLAYERS, N_SPACES)),
        # share of a dinosaur that each seat would have with the tile, 0 for a tile it has already
        ("progress", "f4", (MAX_PLAYERS, N_SPACES)),
        ("token", "f4", (MAX_PLAYERS, N_TOKENS, N_SPACES)),  # one-hot: the space of each token
        ("side", "f4", (MAX_PLAYERS, N_TOKENS)),  # 1 with the diagonal side up
        # what lies under each token: points / 32 and share of a dinosaur, for its owner
        ("under", "f4", (MAX_PLAYERS, N_TOKENS, 2)),
        # where the own tokens get with each side up: 1 if anywhere; points / 32 and share of a
        # dinosaur that the tile there would bring; the most points / 32 it would bring another
        ("reach", "f4", (N_TOKENS, len(SIDES), N_DIRECTIONS, 4)),
        ("left", "f4", (N_KINDS,)),  # tiles of each kind in the stacks / most copies of a tile
        ("stack", "f4", (N_ERAS,)),  # tiles in each stack / all of the era, with most copies
        ("near", "f4", (1,)),  # 1 in the last round (6.1, 6.2)
        ("vacated", "f4", (N_SPACES,)),  # one-hot: the space that waits for its new tile (4.5)
        ("space", "f4", (N_SPACES,)),  # 1 for the spaces of the board in use
        ("copies", "f4", (1,)),  # copies of every tile / most copies
    ]
)


@kernel
def observe(state, player, obs):
    """Write what a seat sees, which is all but the order of the stacks.

    Rules 2.1 and 3.9.

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
    vectors.add_scaled(obs.space, IS_ON_BOARD[index(state.board)], ONE, N_SPACES)
    for space in range(SPACES_OF_BOARD[index(state.board)]):
        row = index(state.tile[space] - NO_TILE)
        obs.species[SPECIES_OF_ROW[row], space] = IS_TILE[row]
        obs.position[POSITION_OF_ROW[row], space] = IS_TILE[row]
    for token in range(N_TOKENS):
        if state.token[player, token] != NO_SPACE:
            _observe_reach(state, np.int64(player), token, obs)
    vectors.add_scaled(obs.left, state.left, SHARE_OF_COPY, N_KINDS)
    obs.near[0] = 1.0
    for era in range(N_ERAS):
        obs.stack[era] = state.stack[era] * SHARE_OF_STACK[era]
        if state.stack[era] > 0:
            obs.near[0] = 0.0
    for seat in range(num_players):
        if state.made[seat] >= DINOSAURS_TO_END:
            obs.near[0] = 1.0
    if state.vacated != NO_SPACE:
        obs.vacated[state.vacated] = 1.0
    obs.copies[0] = SHARE_OF_COPIES[index(state.copies)]


@kernel
def _observe_seat(state, who, seat, obs):
    """Write points, tiles and tokens of a player at the place `seat`."""
    who = np.int64(index(who))  # never negative
    obs.seat[seat] = 1.0
    obs.turn[seat] = who == state.to_play and not state.done
    obs.first[seat] = who == 0
    obs.score[seat] = min(state.score[who] * SHARE_OF_POINT, 1.0)
    obs.made[seat] = min(state.made[who] * SHARE_TO_END, 1.0)
    vectors.add_scaled(obs.loose[seat], state.held[who], SHARE_OF_COPY, N_KINDS)
    loose_kinds = vectors.positive(obs.loose[seat], N_KINDS)
    if state.made[who] > 0:
        vectors.add_scaled(obs.dinosaurs[seat], state.dinosaurs[who], SHARE_OF_COPY, N_SPECIES)
        completed = vectors.positive(obs.dinosaurs[seat], N_SPECIES)
        while completed:
            species = index(lowest(completed))
            completed &= completed - 1
            for kind in range(FIRST_KIND[species], FIRST_KIND[species + 1]):
                loose = index(state.held[who, index(kind)] - state.dinosaurs[who, species])
                obs.loose[seat, index(kind)] = SHARE_OF_COPIES[loose]
                loose_kinds &= ~(np.int64(loose == 0) << kind)
    for space in range(SPACES_OF_BOARD[index(state.board)]):
        row = index(state.tile[space] - NO_TILE)
        positions = index(loose_kinds >> np.int64(FIRST_KIND_OF_ROW[row]) & (N_SETS - 1))
        obs.gain[seat, space] = GAIN_SHARE[row, positions]
        obs.progress[seat, space] = PROGRESS[row, positions]
    for token in range(N_TOKENS):
        obs.side[seat, token] = state.side[who, token]
        if state.token[who, token] != NO_SPACE:
            space = index(state.token[who, token])
            obs.token[seat, token, space] = 1.0
            if state.tile[space] != NO_TILE:  # taken, at the end
                obs.under[seat, token, 0] = obs.gain[seat, space]
                obs.under[seat, token, 1] = obs.progress[seat, space]


@kernel
def _observe_reach(state, player, token, obs):
    """Describe the tiles that a token of the own seat reaches with either side up (3.2, 3.3).

    Without the loop of `_target`, which is faster for the one direction of a move, not for all.
    """
    space = index(state.token[player, token])
    for row in range(len(SIDES) * N_DIRECTIONS):
        bits = RAY[row, space] & state.open
        found = np.float32(bits != 0)  # a factor: it is as often as not
        target = index(highest(max(bits & -bits if IS_FORWARD[row] else bits, 1)))
        rivals = np.float32(0.0)
        for seat in range(1, np.int64(state.num_players)):
            rivals = max(rivals, obs.gain[seat, target])
        tile = obs.reach[token, row // N_DIRECTIONS, row % N_DIRECTIONS]
        tile[0] = found
        tile[1] = found * obs.gain[0, target]
        tile[2] = found * obs.progress[0, target]
        tile[3] = found * rivals


@kernel
def resample(state, player, seed):
    """Re-seed chance: which tiles come next is drawn when they come (2.1).

    Rules 2.1 and 3.9: everybody knows what each stack holds, nobody its order.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
        Makes no difference here: all seats know the same.
    seed : uint64
    """
    state.seed = seed
