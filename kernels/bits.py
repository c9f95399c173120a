"""Whole numbers as sets: the places of their bits."""

import numpy as np

from .jit import kernel

_PLACE = 52  # of the exponent in a float64, whose bias is
_BIAS = 1023


@kernel(inline=True)
def lowest(bits):
    """Return the place of the lowest bit: the exponent of the power of 2 that it stands for.

    Parameters
    ----------
    bits : int64
        Not 0, not below 0.

    Returns
    -------
    int64
    """
    return (np.float64(bits & -bits).view(np.int64) >> _PLACE) - _BIAS


@kernel(inline=True)
def highest(bits):
    """Return the place of the highest bit.

    Parameters
    ----------
    bits : int64
        From 1 to 2**53 - 1: larger ones may be rounded up to the next power of 2.

    Returns
    -------
    int64
    """
    return (np.float64(bits).view(np.int64) >> _PLACE) - _BIAS
