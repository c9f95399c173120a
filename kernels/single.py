"""Drivers of one game, for environments that step one at a time. Written once for all games.

A call from Python costs 0.4 us with an array of records and 1.8 us with a record, so a game is an
array of length 1 here; what a step needs is done in one call.
"""

import numpy as np

from . import rules
from .batch import write_mask
from .jit import kernel

ILLEGAL = -1


@kernel
def begin(state, options, seed, actions, mask):
    """Start a game and list what can be done first.

    Parameters
    ----------
    state : (1,) STATE, out
    options : (1,) OPTIONS
    seed : uint64
    actions : (n_actions,) int32, out
        The legal actions come first, ascending.
    mask : (n_actions,) int8, out

    Returns
    -------
    int64
        Number of legal actions.
    """
    rules.reset(state[0], options[0], seed)
    return look(state, actions, mask)


@kernel
def advance(state, action, actions, n, mask):
    """Check an action, apply it and list what can be done next.

    Parameters
    ----------
    state : (1,) STATE, in and out
        Untouched by an illegal action.
    action : int64
        Any number.
    actions : (n_actions,) int32, in and out
        The legal actions, ascending, before and after.
    n : int64
        Number of legal actions before.
    mask : (n_actions,) int8, out
        Of the new decision; all 0 when the game is done.

    Returns
    -------
    int64
        Number of legal actions of the new decision, 0 when the game is done, ILLEGAL if the action
        is not one of the first `n` of `actions`.
    """
    found = False
    for k in range(n):
        found |= actions[k] == action
    if not found:
        return np.int64(ILLEGAL)
    rules.step(state[0], action)
    return look(state, actions, mask)


@kernel
def look(state, actions, mask):
    """List what can be done in a game.

    Parameters
    ----------
    state : (1,) STATE
    actions : (n_actions,) int32, out
        The legal actions come first, ascending.
    mask : (n_actions,) int8, out

    Returns
    -------
    int64
        Number of legal actions.
    """
    n = np.int64(rules.legal(state[0], actions))
    write_mask(actions, n, mask)
    return n


@kernel
def see(state, player, obs, flat):
    """Write what one seat sees.

    Parameters
    ----------
    state : (1,) STATE
    player : int64
        Any seat.
    obs : (1,) OBS, out
    flat : (obs_size,) float32, out
        The same memory as `obs`.
    """
    flat[:] = 0.0
    rules.observe(state[0], player, obs[0])
