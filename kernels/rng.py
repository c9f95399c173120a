"""Named, counter-based chance: draw k of stream s of a game is a pure function of (seed, s, k).

The numbers are those of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014, with the finaliser known as variant 13). SplitMix64 started at x gives
`mix(x + (k + 1) * GOLDEN)` as its k-th output, counted from 0, so any output is reached without the
ones before. A stream's key is the s-th output of the generator started at the game's seed; its
draws are the outputs of the generator started at the key.
"""

from enum import IntEnum

import numpy as np

from .jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # SplitMix64's increment
FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
FACTOR_2 = np.uint64(0x94D049BB133111EB)
ONE = np.uint64(1)
LOW_32 = np.uint64(0xFFFFFFFF)
FIRST = np.int64(0)  # number of a stream's first draw


class Driver(IntEnum):
    """Streams of the drivers; a game's own streams are numbered from 0."""

    EPISODE = 1000  # seeds of successive games
    PLAY = 1001  # choices of random play
    SEARCH = 1002  # playouts
    RESAMPLE = 1003  # determinizations
    AGENT = 1004  # luck given to agents
    SEAT = 1005  # the learner's seat
    ROTATION = 1006  # order of seatings


@kernel(wraps=True)
def mix(x):
    """Scramble 64 bits: the finaliser of SplitMix64, a bijection.

    Parameters
    ----------
    x : uint64

    Returns
    -------
    uint64
    """
    x = (x ^ (x >> np.uint64(30))) * FACTOR_1
    x = (x ^ (x >> np.uint64(27))) * FACTOR_2
    return x ^ (x >> np.uint64(31))


@kernel(wraps=True)
def output(start, k):
    """Return one output of SplitMix64 without computing those before it.

    Parameters
    ----------
    start : uint64
        The generator's initial state.
    k : uint64
        Which output, counted from 0.

    Returns
    -------
    uint64
    """
    return mix(start + (k + ONE) * GOLDEN)


@kernel
def key(seed, stream):
    """Return the key of a stream, with which a draw costs half.

    Parameters
    ----------
    seed : uint64
        The game's seed.
    stream : int
        The stream's number, 0 or more.

    Returns
    -------
    uint64
    """
    return output(seed, np.uint64(stream))


@kernel
def bits(seed, stream, k):
    """Return draw k of a stream.

    Parameters
    ----------
    seed : uint64
        The game's seed.
    stream : int
        The stream's number, 0 or more.
    k : int
        Which draw, counted from 0.

    Returns
    -------
    uint64
        64 uniform bits.
    """
    return output(key(seed, stream), np.uint64(k))


@kernel
def below(seed, stream, k, n):
    """Return draw k of a stream as a uniform number below n, without bias.

    Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019, on the upper 32 bits.
    A rejected draw (chance under n / 2**32) is replaced by the next output of a generator started
    at it, so that every call uses one counter value whatever happens.

    Parameters
    ----------
    seed : uint64
    stream : int
    k : int
    n : int
        In [1, 2**32).

    Returns
    -------
    int64
        In [0, n).
    """
    return below_in(key(seed, stream), k, n)


@kernel
def below_in(key, k, n):
    """As `below`, for a stream whose key is known.

    Parameters
    ----------
    key : uint64
        From `key`.
    k : int
    n : int
        In [1, 2**32).

    Returns
    -------
    int64
        In [0, n).
    """
    x = output(key, np.uint64(k))
    bound = np.uint64(n)
    product = (x >> np.uint64(32)) * bound
    if (product & LOW_32) < bound:
        unfair = (np.uint64(0x100000000) - bound) % bound
        while (product & LOW_32) < unfair:
            x = output(x, np.uint64(0))
            product = (x >> np.uint64(32)) * bound
    return np.int64(product >> np.uint64(32))


@kernel
def draw(state, stream, n):
    """Take the next draw of one of the game's own streams as a uniform number below n.

    Parameters
    ----------
    state : STATE record, in and out
        Its counter `draws[stream]` moves on by one.
    stream : int
    n : int
        In [1, 2**32).

    Returns
    -------
    int64
        In [0, n).
    """
    k = np.int64(state.draws[stream])
    state.draws[stream] = k + 1
    return below(state.seed, stream, k, n)
