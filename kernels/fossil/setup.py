"""Laying out a game of Fossil, and the fields that follow from others (1 and 2)."""

import numpy as np

from .. import rng
from ..jit import kernel
from ..records import clear
from .actions import _find_rays
from .parts import (
    COLS,
    MAX_PLAYERS,
    N_CELLS,
    N_FOSSILS,
    N_VALUES,
    ROWS,
    SETUP_COLS,
    SETUP_COPIES,
    SETUP_FOSSILS,
    SETUP_OF_PLAYERS,
    SETUP_ROWS,
    SETUP_SIZE,
    SIDE,
    START_SCORE,
)
from .state import NO_CELL, NO_FOSSIL, NO_KIND, NO_TILE, Phase, SetUp, Stream


@kernel
def reset(state, options, seed):
    """Lay out the tiles and give everybody their points.

    Rules 1.2 to 2.4.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws from FOSSILS once for each fossil where not all are used, and from LAYOUT once for each
    tile laid.
    """
    clear(state)
    state.seed = seed
    state.num_players = options.num_players
    state.tactical = options.tactical
    state.setup = options.setup
    state.score[: options.num_players] = START_SCORE
    state.to_play = options.num_players - 1  # 2.3
    state.phase = Phase.PLACE.value
    state.stone[:] = NO_CELL
    state.given = NO_KIND
    state.completed = NO_FOSSIL
    if options.setup == SetUp.AUTO.value:
        _lay_out(state, SETUP_OF_PLAYERS[options.num_players])
    else:
        _lay_out(state, options.setup - 1)


@kernel
def _lay_out(state, board):
    """Choose the fossils, shuffle and lay out their tiles; `board`: row of the SETUP tables."""
    bag = _fill_bag(state, board)  # in the first entries of `tile`
    rows, cols = SETUP_ROWS[board], SETUP_COLS[board]
    laid = rows * cols
    seed = state.seed
    for i in range(laid):  # draws by number: the stream's key is then computed once
        j = i + rng.below(seed, Stream.LAYOUT.value, i, bag - i)
        state.tile[i], state.tile[j] = state.tile[j], state.tile[i]
    state.draws[Stream.LAYOUT.value] = laid
    for i in range(laid, N_CELLS):
        if i < bag:  # one of those that leave the game
            state.left[state.tile[i] // N_VALUES] -= 1
        state.tile[i] = NO_TILE
    for row in range(rows - 1, -1, -1):  # backwards: a space's number is never below its index
        for col in range(cols - 1, -1, -1):
            kind = state.tile[row * cols + col]
            state.tile[row * cols + col] = NO_TILE
            state.tile[row * COLS + col] = kind
    for i in range(SIDE):
        state.line[0, i] = (1 << rows) - 1 if i < cols else 0
        state.line[1, i] = (1 << cols) - 1 if i < rows else 0


@kernel
def derive(state):
    """Compute the fields that follow from others, for a position that was set up by hand.

    Parameters
    ----------
    state : STATE record, in and out
        `kinds`, `count`, `total` follow from `held`; `line` from `tile`; `ray` from `stone` too.
    """
    for player in range(MAX_PLAYERS):
        state.kinds[player] = 0
        for fossil in range(N_FOSSILS):
            count, total = 0, 0
            for value_index in range(N_VALUES):
                kind = fossil * N_VALUES + value_index
                n = np.int64(state.held[player, kind])
                count += n
                total += n * (value_index + 1)
                if n > 0:
                    state.kinds[player] |= np.int64(1) << kind
            state.count[player, fossil] = count
            state.total[player, fossil] = total
    for i in range(SIDE):
        state.line[0, i] = 0
        state.line[1, i] = 0
    for row in range(ROWS):
        for col in range(COLS):
            tile = np.int64(state.tile[row * COLS + col] != NO_TILE)
            state.line[0, col] |= tile << row
            state.line[1, row] |= tile << col
    state.ray[:] = 0
    if state.stone[0] != NO_CELL and state.stone[1] != NO_CELL:
        _find_rays(state)


@kernel
def _fill_bag(state, board):
    """Put the tiles in play into the first entries of `tile`; return their number."""
    bag = 0
    wanted = SETUP_FOSSILS[board]
    for fossil in range(N_FOSSILS):
        rest = N_FOSSILS - fossil
        if wanted < rest and rng.draw(state, Stream.FOSSILS.value, rest) >= wanted:
            continue
        wanted -= 1
        state.left[fossil] = SETUP_SIZE[board]
        for value_index in range(N_VALUES):
            for _ in range(SETUP_COPIES[board, value_index]):
                state.tile[bag] = fossil * N_VALUES + value_index
                bag += 1
    return bag
