"""Setting up a game of Digging for Dinos, drawing tiles, and what follows from other fields."""

import numpy as np

from .. import rng
from ..jit import index, kernel
from ..records import clear
from .parts import (
    COLS,
    COLS_OF_BOARD,
    FIRST_KIND,
    FIRST_KIND_OF_ERA,
    MAX_PLAYERS,
    N_ERAS,
    N_KINDS,
    N_SPACES,
    N_SPECIES,
    N_TOKENS,
    ROWS_OF_BOARD,
    START_SIDES,
)
from .state import NO_SPACE, NO_TILE, Phase


@kernel
def reset(state, options, seed):
    """Make the stacks and fill the board from them.

    Rules 1.3 to 2.5.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws once for each space from the stream of the stack whose tile it is.
    """
    clear(state)
    state.seed = seed
    state.num_players = options.num_players
    state.board = options.board
    state.copies = options.copies
    state.to_play = 0  # 2.4
    state.phase = Phase.PLACE.value
    state.tile[:] = NO_TILE
    state.token[:] = NO_SPACE
    state.vacated = NO_SPACE
    for player in range(np.int64(options.num_players)):
        for token in range(N_TOKENS):
            state.side[player, token] = START_SIDES[token]
    copies = np.int64(options.copies)
    state.left[:] = copies
    for era in range(N_ERAS):
        state.stack[era] = copies * (FIRST_KIND_OF_ERA[era + 1] - FIRST_KIND_OF_ERA[era])
    for row in range(ROWS_OF_BOARD[options.board]):
        for col in range(COLS_OF_BOARD[options.board]):
            _lay_tile(state, np.int64(row * COLS + col))


@kernel
def _stack_in_use(state):
    """Return the era of the current stack (2.1), or N_ERAS where all are empty."""
    era = np.int64(0)
    while era < N_ERAS and state.stack[era] == 0:
        era += 1
    return era


@kernel
def _lay_tile(state, space):
    """Draw a tile from the current stack and lay it on a space, unless all are empty (3.8)."""
    era = _stack_in_use(state)
    if era == N_ERAS:
        return
    n = np.int64(state.stack[era])
    number = rng.draw(state, era, n)
    kind = FIRST_KIND_OF_ERA[era]
    while number >= state.left[index(kind)]:
        number -= state.left[index(kind)]
        kind += 1
    state.stack[era] = n - 1
    state.left[index(kind)] -= 1
    state.tile[index(space)] = kind
    state.open |= np.int64(1) << space


@kernel
def derive(state):
    """Compute the fields that follow from others, for a position that was set up by hand.

    Parameters
    ----------
    state : STATE record, in and out
        `open` follows from `tile` and `token`, `stack` from `left`, the others from `held`.
    """
    state.open = 0
    for space in range(N_SPACES):
        if state.tile[space] != NO_TILE:
            state.open |= np.int64(1) << space
    for player in range(MAX_PLAYERS):
        for token in range(N_TOKENS):
            if state.token[player, token] != NO_SPACE:
                state.open &= ~(np.int64(1) << np.int64(state.token[player, token]))
        state.made[player] = 0
        for species in range(N_SPECIES):
            n = _completed(state, player, species)
            state.dinosaurs[player, species] = n
            state.made[player] += n
    era = 0
    state.stack[:] = 0
    for kind in range(N_KINDS):
        while kind >= FIRST_KIND_OF_ERA[era + 1]:
            era += 1
        state.stack[era] += state.left[kind]


@kernel
def _completed(state, player, species):
    """Return how many dinosaurs of a species a player's tiles make (4.1 to 4.3)."""
    fewest = np.int64(255)
    for kind in range(FIRST_KIND[species], FIRST_KIND[species + 1]):
        fewest = min(fewest, np.int64(state.held[player, index(kind)]))
    return fewest
