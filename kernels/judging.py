"""What a position is worth where a simulation stops: the outcome, or the game's own heuristic."""

import numpy as np

from . import rules
from .jit import kernel
from .records import copy
from .rng import Driver, below, bits
from .tree import _deal

N_TRIALS = 16  # random games that measure how far a position is from decided

# Counters of the RESAMPLE and SEARCH streams from which those of the trials begin.
TRIALS = 1 << 32

FIRST_PLAY = 1  # draw of a simulation's seed from which random play begins; 0 is search's own


@kernel(apart=True)
def _play_on(state, seed, limit, actions):
    """Take uniformly random legal actions.

    Parameters
    ----------
    state : STATE record, in and out
    seed : uint64
    limit : int
        Most decisions taken.
    actions : int32 array (n_actions,), scratch
    """
    for k in range(limit):
        if state.done:
            return
        n = rules.legal(state, actions)
        choice = below(seed, Driver.SEARCH.value, FIRST_PLAY + k, n)
        rules.step(state, np.int64(actions[choice]))


@kernel(apart=True)
def _measure_scale(root, seed, decisions, states, actions):
    """Measure how far random games lead away from what `value` says now.

    Parameters
    ----------
    root : STATE record
    seed : uint64
    decisions : int
        Bound on the length of a game.
    states : STATE array, scratch
    actions : int32 array (n_actions,), scratch

    Returns
    -------
    float64
        Root mean square of the change, over all seats; at least 1 point.
    """
    num_players = np.int64(root.num_players)
    total = 0.0
    for trial in range(TRIALS, TRIALS + N_TRIALS):
        _deal(states, root, seed, trial)
        copy(states[1], states[0])
        _play_on(states[0], bits(seed, Driver.SEARCH.value, trial), decisions, actions)
        for player in range(num_players):
            change = rules.value(states[0], player) - rules.value(states[1], player)
            total += change * change
    return max(1.0, np.sqrt(total / (N_TRIALS * num_players)))


@kernel
def _judge(state, scale, result):
    """Write what a simulation is worth to each seat.

    Parameters
    ----------
    state : STATE record
    scale : float
        Points of `value` that make a lead of tanh(1).
    result : float32 array (max_players,), out
        The outcome of a finished game; else the values, squashed to (-1, 1).
    """
    if state.done:
        rules.outcome(state, result)
        return
    for player in range(np.int64(state.num_players)):
        result[player] = np.tanh(rules.value(state, player) / scale)
