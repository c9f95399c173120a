"""Arithmetic with vectors, and the places of bits: compiled as in plain Python."""

import numpy as np
import pytest

from bonebed.kernels import bits, vectors
from bonebed.kernels.jit import kernel

N = 13  # one whole vector, and a part of one
FACTORS = (np.arange(N) / 4).astype(np.float32)
HALF = np.float32(0.5)


@kernel
def multiplied(target, source):
    """Multiply by constants."""
    vectors.multiply(target, source, FACTORS, N)


@kernel
def shared(target, source):
    """Multiply by constants, up to 1."""
    vectors.shares(target, source, FACTORS, N)


@kernel
def added(target, source):
    """Add the half."""
    vectors.add_scaled(target, source, HALF, N)


@kernel
def above_zero(source):
    """Tell which are above zero."""
    return vectors.positive(source, N)


@kernel
def ends(number):
    """Return the places of the lowest and the highest bit."""
    return bits.lowest(number), bits.highest(number)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float32])
def test_numbers_are_multiplied_and_added_up_to_the_last_one_and_no_further(dtype):
    """The number after the last one stays."""
    source = (np.arange(N + 1) - (4 if dtype is np.int8 else 0)).astype(dtype)
    target = np.full(N + 1, 7, np.float32)
    multiplied(target, source)
    assert target.tolist() == [*(source[:N].astype(float) * np.arange(N) / 4), 7]
    target[:] = 7
    shared(target, source)
    products = source[:N].astype(float) * np.arange(N) / 4
    assert target.tolist() == [*np.minimum(products, 1), 7]
    target[:] = 7
    added(target, source)
    assert target.tolist() == [*(7 + source[:N].astype(float) / 2), 7]


def test_numbers_above_zero_become_bits():
    """Number k is bit k."""
    source = np.zeros(N + 1, np.float32)
    source[[0, 7, 8, 12, 13]] = 1, 0.01, 3, 2, 1
    source[5] = -1
    assert above_zero(source) == 1 | 1 << 7 | 1 << 8 | 1 << 12


def test_lowest_and_highest_bits_are_found():
    """Every pair of places below 53."""
    for low in range(53):
        for high in range(low, 53):
            assert ends(np.int64(1 << low | 1 << high)) == (low, high)
    assert ends(np.int64(2**53 - 1)) == (0, 52)
