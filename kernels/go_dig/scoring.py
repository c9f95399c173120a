"""Results of Go Dig, and the judgement of a position."""

import numpy as np

from .. import rules
from ..jit import kernel
from .parts import (
    END_OF_GENUS,
    FIRST_OF_GENUS,
    FOSSILS_OF_GENUS,
    N_GENERA,
    SKELETONS_OF_GENUS,
    VALUE_OF_GENUS,
)


@kernel
def outcome(state, out):
    """Write the final results by points (6.4, 6.5).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    rules.rank_outcome(state.score, state.num_players, out)


SHARE_OF_PART = 0.2  # of its value: a begun skeleton, times its share squared
TURN_POINTS = 5.0  # what it is worth to be asking: a turn goes on as long as it succeeds


@kernel
def value(state, player):
    """Margin over the mean of the others, with begun skeletons and the turn counted in.

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
        points = np.float64(state.score[seat])
        if not state.done:
            points += _begun(state, seat)
            if state.to_play == seat:
                points += TURN_POINTS
        if seat == player:
            own = points
        else:
            others += points
    return own - others / (state.num_players - 1)


@kernel
def _begun(state, seat):
    """Return what a seat's incomplete skeletons count."""
    points = 0.0
    for genus in range(N_GENERA):
        if not state.genera[seat] >> np.uint32(genus) & np.uint32(1):
            continue
        for copy in range(SKELETONS_OF_GENUS[genus]):
            there = 0.0
            for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
                if state.hand[seat, kind] > copy:
                    there += 1.0
            if there == 0.0:
                break
            share = there / FOSSILS_OF_GENUS[genus]
            points += SHARE_OF_PART * VALUE_OF_GENUS[genus] * share * share
    return points
