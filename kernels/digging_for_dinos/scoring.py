"""Who wins a game of Digging for Dinos, and the judgement of the greedy agent."""

import numpy as np

from .. import rules
from ..jit import index, kernel
from .actions import _target
from .parts import (
    FIRST_KIND,
    LEFT_OF_KIND,
    LEFT_OF_SPECIES,
    N_DIRECTIONS,
    N_ERAS,
    N_SPACES,
    N_SPECIES,
    N_TOKENS,
    N_VALUES,
    RAY,
    RIGHT_OF_SPECIES,
    VALUE_OF_SPECIES,
)
from .state import NO_SPACE
from .turn import _end_is_near


@kernel
def outcome(state, out):
    """Write the final results: by points, then by the values of the dinosaurs (6.5 to 6.8).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    num_players = np.int64(state.num_players)
    for player in range(num_players):
        better = 0
        equal = 0
        for other in range(num_players):
            ahead = _lead(state, other, player)
            better += np.int64(ahead > 0)
            equal += np.int64(ahead == 0)
        out[player] = rules.place_result(better, equal, num_players)


@kernel
def _lead(state, one, two):
    """Compare two players: above 0 if the first is ahead, below 0 if the second is (6.5, 6.6)."""
    lead = np.int64(state.score[one]) - np.int64(state.score[two])
    if lead != 0:
        return lead
    for place in range(N_VALUES):
        for species in range(N_SPECIES):
            if VALUE_OF_SPECIES[species] == place:
                lead += np.int64(state.dinosaurs[one, species])
                lead -= np.int64(state.dinosaurs[two, species])
        if lead != 0:  # the longer run of this value: the other's next dinosaur is worth less
            return lead
    return lead


# Chances that a seat gets a tile that its dinosaur lacks: one that a token reaches next, one that
# lies open elsewhere, and each copy in a stack. Tried out, with a dozen other sets of numbers, in
# games against the random agent.
REACHED, LYING, STACKED = 0.6, 0.4, 0.2
SEVERAL = 0.4  # factor where more than one tile is missing


@kernel
def value(state, player):
    """Margin over the mean of the others, with what seats are going to have.

    Points of the tiles in front of a seat and under its tokens, which nobody else can take, and for
    each dinosaur that is begun a part of what it would bring.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Points.
    """
    own = 0.0
    others = 0.0
    lying = _open_kinds(state)
    for seat in range(np.int64(state.num_players)):
        promise = np.float64(state.score[seat])
        if not state.done:
            promise += _promise(state, seat, lying)
        if seat == player:
            own = promise
        else:
            others += promise
    return own - others / (state.num_players - 1)


@kernel
def _open_kinds(state):
    """Return the kinds of the open tiles as bits."""
    kinds = np.int64(0)
    for space in range(N_SPACES):
        if state.open >> space & 1:
            kinds |= np.int64(1) << np.int64(state.tile[space])
    return kinds


@kernel
def _reached_kinds(state, player):
    """Return the kinds of the tiles that a player's tokens reach with the sides that are up."""
    kinds = np.int64(0)
    for token in range(N_TOKENS):
        space = np.int64(state.token[player, token])
        if space != NO_SPACE:
            first = np.int64(state.side[player, token]) * N_DIRECTIONS
            for row in range(first, first + N_DIRECTIONS):
                if RAY[index(row), index(space)] & state.open:
                    target = _target(state.open, space, row)
                    kinds |= np.int64(1) << np.int64(state.tile[index(target)])
    return kinds


@kernel
def _share_of_time(state):
    """Return how much of the usual chances is left: near 1 with many rounds to come, 0 without."""
    turns = 0.0
    for era in range(N_ERAS):
        turns += state.stack[era]
    turns /= state.num_players
    return 0.0 if _end_is_near(state) else turns / (turns + 1.0)


@kernel
def _promise(state, player, lying):
    """Return the points that a seat may expect beyond its score."""
    promise = 0.0
    lent = np.int64(0)  # kinds under the own tokens as bits; two of one kind are counted as one
    for token in range(N_TOKENS):
        space = state.token[player, token]
        if space != NO_SPACE:
            kind = np.int64(state.tile[index(space)])
            lent |= np.int64(1) << kind
            promise += LEFT_OF_KIND[index(kind)]
    reached = _reached_kinds(state, player)
    time = _share_of_time(state)
    for species in range(N_SPECIES):
        growth = RIGHT_OF_SPECIES[species] - LEFT_OF_SPECIES[species]
        promise += growth * _chance(state, player, species, lent, lying, reached, time)
    return promise


@kernel
def _chance(state, player, species, lent, lying, reached, time):
    """Return the chance of one more dinosaur of a species, 0 where none is begun."""
    made = np.int64(state.dinosaurs[player, species])
    chance = 1.0
    begun = 0
    missing = 0
    for kind in range(FIRST_KIND[species], FIRST_KIND[species + 1]):
        if np.int64(state.held[player, index(kind)]) - made + (lent >> kind & 1) > 0:
            begun += 1
            continue
        missing += 1
        if reached >> kind & 1:
            chance *= REACHED
        elif lying >> kind & 1:
            chance *= LYING * time
        else:
            chance *= STACKED * time * state.left[index(kind)]
    if missing > 0 and (begun == 0 or time == 0.0):
        return 0.0
    return chance * SEVERAL if missing > 1 else chance
