"""Fossil: points, results and the judgement of a position (5, 6 and 7)."""

import numpy as np

from .. import rules
from ..jit import index, kernel
from .parts import FULL_ENTITLEMENT, KINDS_OF_FOSSIL, N_FOSSILS, N_VALUES


@kernel
def _pay(state, player, points):
    """Add points, or take them away, and note the gain."""
    state.score[index(player)] += points
    state.gain[index(player)] += points


@kernel
def _product(state, player, fossil):
    """Return what a player's tiles of a fossil are worth by 5.1."""
    count, total = (
        state.count[index(player), index(fossil)],
        state.total[index(player), index(fossil)],
    )
    return np.int64(count) * np.int64(total)


@kernel
def _score(state, fossil):
    """Score a fossil, collect the debts and take its tiles out of the game (5.1 to 5.7, 6.1)."""
    fossil = np.int64(index(fossil))  # never negative
    num_players = np.int64(state.num_players)
    best = 0
    n_best = 0
    tiles_of_best = 0
    for player in range(num_players):
        points = _product(state, player, fossil)
        if points > best:
            best = points
            n_best = 0
            tiles_of_best = np.int64(state.count[player, fossil])
        if points == best:
            n_best += 1
    if best == 0:  # 5.7
        return
    owed = 0
    for player in range(num_players):
        if state.count[player, fossil] == 0:
            paid = min(np.int64(state.score[player]), tiles_of_best)  # 5.3
            owed += tiles_of_best if FULL_ENTITLEMENT else paid
            _pay(state, player, -paid)
    for player in range(num_players):
        points = _product(state, player, fossil)
        if points == best:
            points += owed // n_best  # 5.4, 5.5
        elif state.tactical:
            points = np.int64(state.total[player, fossil])  # 6.1
        _pay(state, player, points)
        state.count[player, fossil] = 0  # 5.6
        state.total[player, fossil] = 0
        state.kinds[player] &= ~KINDS_OF_FOSSIL[fossil]
        for value_index in range(N_VALUES):
            state.held[player, fossil * N_VALUES + value_index] = 0


@kernel
def outcome(state, out):
    """Write the final results by points (7.3, 7.4).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    rules.rank_outcome(state.score, state.num_players, out)


@kernel
def value(state, player):
    """Margin over the mean of the others, were all fossils scored as they lie (5.1, no debts).

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Points.
    """
    own = 0
    others = 0
    for seat in range(np.int64(state.num_players)):
        points = int(state.score[seat])
        for fossil in range(N_FOSSILS):
            points += _product(state, seat, fossil)
        if seat == player:
            own = points
        else:
            others += points
    return own - others / (state.num_players - 1)
