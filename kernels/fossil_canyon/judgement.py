"""Fossil Canyon: the judgement of a position."""

import numpy as np

from ..jit import index, kernel


@kernel
def value(state, player):
    """Margin.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
    """
    total = 0
    for seat in range(np.int64(state.num_players)):
        total += np.int64(state.score[seat])
    own = np.int64(state.score[index(player)])
    return own - (total - own) / (np.int64(state.num_players) - 1)
