"""How an agent that rates the actions chooses one: the best, or by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels import rng

LUCK = int(rng.Driver.AGENT)  # the stream of a view's luck that a drawn action uses


def choose(
    logits: NDArray[np.float32],
    mask: NDArray[np.int8],
    seeds: NDArray[np.uint64],
    temperature: float,
) -> NDArray[np.int64]:
    """Choose a legal action for each of several views.

    Parameters
    ----------
    logits : float array (n, n_actions)
        Of any floating type.
    mask : int8 array (n, n_actions)
        1 for each legal action; each row has at least one.
    seeds : uint64 array (n,)
        The views' luck.
    temperature : float
        0 for the likeliest action; otherwise the logits are divided by it and an action is drawn.

    Returns
    -------
    int64 (n,)
    """
    scores = np.where(mask != 0, logits.astype(np.float64), -np.inf)
    if temperature == 0.0:
        return np.asarray(scores.argmax(axis=1), np.int64)
    with np.errstate(over="ignore"):  # to minus infinity, which is a chance of 0
        shares = np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)
    ladder = shares.cumsum(axis=1)  # stays level at illegal actions, so that none of them is hit
    top = ladder[:, -1]
    luck = np.array([int(rng.bits(seed, LUCK, 0)) >> 11 for seed in seeds]) / 2.0**53
    heights = np.minimum(luck * top, np.nextafter(top, 0.0))
    return np.asarray((ladder <= heights[:, None]).sum(axis=1), np.int64)
