"""Digging for Dinos: a decision and all that follows from it (2.4, 3, 4 and 6)."""

import numpy as np

from ..jit import index, kernel
from .actions import (
    FLIP,
    KEEP,
    MOVE,
    PLACE,
    RELOCATE,
    _target,
    next_choice,
)
from .parts import (
    ABILITY_OF_SPECIES,
    DINOSAURS_TO_END,
    LEFT_OF_KIND,
    LEFT_OF_SPECIES,
    N_DIRECTIONS,
    N_ERAS,
    N_SPACES,
    N_TOKENS,
    RIGHT_OF_SPECIES,
    SPECIES_OF_KIND,
)
from .setup import _completed, _lay_tile, _stack_in_use
from .state import NO_SPACE, NO_TILE, Phase

NONE_COMPLETED = -1


@kernel
def step(state, action):
    """Apply a legal action, then everything that is forced, up to the next decision or the end.

    Rules 2.4 to 7.1.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.

    Notes
    -----
    Draws once for each move, from the stream of the current stack.
    """
    state.gain[:] = 0
    state.ply += 1
    while action >= 0:  # ends: a move takes a tile from a stack, and the last round is short
        apply_choice(state, action)
        action = next_choice(state)


@kernel
def apply_choice(state, action):
    """Apply one choice and nothing that is forced after it.

    Rules 2.4 to 6.4.

    Parameters
    ----------
    state : STATE record, in and out
    action : int64
        Must be legal; not checked here.

    Notes
    -----
    Draws once where a turn ends, from the stream of the current stack.
    """
    if action < MOVE:
        _place(state, action - PLACE)
    elif action < KEEP:
        _move(state, action)
    else:
        if action >= FLIP:
            _flip(state, action - FLIP)
        _end_turn(state, np.int64(state.vacated))


@kernel
def _place(state, space):
    """Place a token and go on, to and fro; after the last one the first turn begins (2.4, 2.6)."""
    player, last = np.int64(state.to_play), np.int64(state.num_players) - 1
    token = np.int64(state.token[index(player), 0] != NO_SPACE)
    state.token[index(player), token] = space
    state.open &= ~(np.int64(1) << space)
    if token == 0:
        state.to_play = min(player + 1, last)
    elif player > 0:
        state.to_play = player - 1
    else:
        state.phase = Phase.MOVE.value


@kernel
def _move(state, action):
    """Move a token, flip it, take the tile that it left, and complete a dinosaur (3.2 to 4.5)."""
    player = np.int64(index(state.to_play))
    if action < RELOCATE:
        move = action - MOVE
        token = move // N_DIRECTIONS
        left = np.int64(state.token[player, index(token)])
        row = np.int64(state.side[player, index(token)]) * N_DIRECTIONS + move % N_DIRECTIONS
        space = _target(state.open, left, row)
    else:
        token, space = (action - RELOCATE) // N_SPACES, (action - RELOCATE) % N_SPACES
        left = np.int64(state.token[player, index(token)])
    state.token[player, index(token)] = space
    state.open &= ~(np.int64(1) << space)
    _flip(state, token)
    species = take_tile(state, player, left)
    if species != NONE_COMPLETED and ABILITY_OF_SPECIES[index(species)]:
        state.vacated = left
        state.phase = Phase.ABILITY.value
    else:
        _end_turn(state, left)


@kernel
def _flip(state, token):
    """Turn a token of the player to move to its other side (3.6, 4.4)."""
    state.side[index(state.to_play), index(token)] ^= 1


@kernel
def take_tile(state, player, space):
    """Give a player the tile on a space.

    Rules 3.7, 4.1 to 4.3, 5.2.

    Parameters
    ----------
    state : STATE record, in and out
    player : int64
    space : int64
        A space with a tile; nothing is laid there.

    Returns
    -------
    int
        The species that the tile completes, or NONE_COMPLETED.
    """
    kind = np.int64(state.tile[index(space)])
    species = SPECIES_OF_KIND[index(kind)]
    state.tile[index(space)] = NO_TILE
    state.held[index(player), index(kind)] += 1
    gain = LEFT_OF_KIND[index(kind)]
    done = np.int64(state.dinosaurs[index(player), index(species)])
    completed = NONE_COMPLETED
    if _completed(state, player, species) > done:
        state.dinosaurs[index(player), index(species)] = done + 1
        state.made[index(player)] += 1
        gain += RIGHT_OF_SPECIES[index(species)] - LEFT_OF_SPECIES[index(species)]
        completed = species
    state.score[index(player)] += gain
    state.gain[index(player)] += gain
    return completed


@kernel
def _end_turn(state, space):
    """Lay the new tile, and go on to the next player or to the end (3.8, 6.1 to 6.3)."""
    state.vacated = NO_SPACE
    state.phase = Phase.MOVE.value
    _lay_tile(state, space)
    if state.to_play + 1 < state.num_players:
        state.to_play += 1
    elif not _end_is_near(state):
        state.to_play = 0
    else:
        for player in range(np.int64(state.num_players)):
            for token in range(N_TOKENS):
                take_tile(state, player, np.int64(state.token[player, token]))  # 6.4
        state.phase = Phase.OVER.value
        state.done = 1


@kernel
def _end_is_near(state):
    """Tell whether this round is the last one (6.1, 6.2)."""
    for player in range(np.int64(state.num_players)):
        if state.made[player] >= DINOSAURS_TO_END:
            return True
    return _stack_in_use(state) == N_ERAS
