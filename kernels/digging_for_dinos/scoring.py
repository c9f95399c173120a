"""Who wins a game of Digging for Dinos, and the judgement of the greedy agent."""

import numpy as np

from .. import rules
from ..jit import index, kernel
from .parts import (
    FIRST_KIND,
    LEFT_OF_KIND,
    LEFT_OF_SPECIES,
    N_SPECIES,
    N_TOKENS,
    N_VALUES,
    RIGHT_OF_SPECIES,
    VALUE_OF_SPECIES,
)
from .state import NO_SPACE


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
    for seat in range(np.int64(state.num_players)):
        promise = np.float64(state.score[seat])
        if not state.done:
            promise += _promise(state, seat)
        if seat == player:
            own = promise
        else:
            others += promise
    return own - others / (state.num_players - 1)


# What a dinosaur of which 0, 1, 2, ... tiles are missing is worth, as a part of its growth.
PART = np.array([0.0, 0.45, 0.15, 0.04, 0.0, 0.0, 0.0, 0.0, 0.0])


@kernel
def _promise(state, player):
    """Return the points that a seat may expect beyond its score."""
    promise = 0.0
    lent = np.int64(0)  # kinds under the own tokens as bits; two of one kind are counted as one
    for token in range(N_TOKENS):
        space = state.token[player, token]
        if space != NO_SPACE:
            kind = np.int64(state.tile[index(space)])
            lent |= np.int64(1) << kind
            promise += LEFT_OF_KIND[index(kind)]
    for species in range(N_SPECIES):
        made = np.int64(state.dinosaurs[player, species])
        missing = np.int64(0)
        begun = np.int64(0)
        for kind in range(FIRST_KIND[species], FIRST_KIND[species + 1]):
            has = np.int64(state.held[player, index(kind)]) - made + (lent >> kind & 1)
            missing += np.int64(has == 0)
            begun += np.int64(has > 0)
        growth = RIGHT_OF_SPECIES[species] - LEFT_OF_SPECIES[species]
        if missing == 0:
            promise += growth
        elif begun > 0:
            promise += growth * PART[missing]
    return promise
