"""Arithmetic on many small numbers at once, with the processor's vectors.

Loops of kernels are compiled without vectorizing (see `jit`): it takes long and seldom pays. It
pays where an observation is written, which is most of a step's work.
"""

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

WIDTH = 8  # numbers done at once


def multiply(target, source, factors, n):
    """Write the first n products of two arrays, taken as lists, into a third.

    Parameters
    ----------
    target : float32 array, out
    source : int8, uint8 or float32 array
    factors : float32 array
    n : int
        A constant.
    """
    target.reshape(-1)[:n] = source.reshape(-1)[:n] * factors.reshape(-1)[:n]


def shares(target, source, factors, n):
    """Do the same, but write 1 where a product is above 1.

    Parameters
    ----------
    target : float32 array, out
    source : int8, uint8 or float32 array
    factors : float32 array
    n : int
        A constant.
    """
    products = source.reshape(-1)[:n] * factors.reshape(-1)[:n]
    target.reshape(-1)[:n] = np.minimum(products, np.float32(1))


def add_scaled(target, source, factor, n):
    """Add the first n numbers of an array, times a factor, to those of another.

    Parameters
    ----------
    target : float32 array, in and out
    source : int8, uint8 or float32 array
    factor : float32
    n : int
        A constant.
    """
    target.reshape(-1)[:n] += source.reshape(-1)[:n] * factor


def positive(source, n):
    """Tell which of the first n numbers of an array are above 0.

    Parameters
    ----------
    source : float32 array
    n : int
        A constant, at most 63.

    Returns
    -------
    int64
        Bit k for number k.
    """
    return np.int64(sum(1 << k for k in range(n) if source.reshape(-1)[k] > 0))


def _pieces(context, builder, signature, args):
    """Yield pointers to as many numbers of each array as are done at once, and how many."""
    arrays = [
        (kind, context.make_array(kind)(context, builder, arg).data)
        for kind, arg in zip(signature.args, args, strict=True)
        if isinstance(kind, types.Array)
    ]
    n = signature.args[-1].literal_value
    for first in range(0, n, WIDTH):
        width = min(WIDTH, n - first)
        yield [
            _Piece(builder, kind.dtype, cgutils.gep_inbounds(builder, data, first), width)
            for kind, data in arrays
        ]


class _Piece:
    """Some numbers that follow one another in memory."""

    def __init__(self, builder, dtype, pointer, width):
        self.builder, self.dtype = builder, dtype
        self.floats = ir.VectorType(ir.FloatType(), width)
        kind = ir.VectorType(pointer.type.pointee, width)
        self.pointer = builder.bitcast(pointer, kind.as_pointer())

    def load(self):
        """Return the numbers as floats."""
        numbers = self.builder.load(self.pointer, align=1)
        if self.dtype == types.float32:
            return numbers
        convert = self.builder.sitofp if self.dtype.signed else self.builder.uitofp
        return convert(numbers, self.floats)

    def store(self, numbers):
        """Write floats."""
        self.builder.store(numbers, self.pointer, align=4)


@intrinsic(prefer_literal=True)
def _multiply(typing, target, source, factors, n):
    """Emit the products."""

    def emit(context, builder, signature, args):
        for out, numbers, others in _pieces(context, builder, signature, args):
            out.store(builder.fmul(numbers.load(), others.load()))
        return context.get_dummy_value()

    return types.void(target, source, factors, n), emit


@intrinsic(prefer_literal=True)
def _shares(typing, target, source, factors, n):
    """Emit the products, and what is the smaller of each and 1."""

    def emit(context, builder, signature, args):
        for out, numbers, others in _pieces(context, builder, signature, args):
            product = builder.fmul(numbers.load(), others.load())
            one = ir.Constant(out.floats, [1.0] * out.floats.count)
            above = builder.fcmp_ordered(">", product, one)
            out.store(builder.select(above, one, product))
        return context.get_dummy_value()

    return types.void(target, source, factors, n), emit


@intrinsic(prefer_literal=True)
def _add_scaled(typing, target, source, factor, n):
    """Emit the sums."""

    def emit(context, builder, signature, args):
        for out, numbers in _pieces(context, builder, signature, args):
            factors = ir.Constant(out.floats, ir.Undefined)
            for lane in range(out.floats.count):
                place = ir.Constant(ir.IntType(32), lane)
                factors = builder.insert_element(factors, args[2], place)
            out.store(builder.fadd(out.load(), builder.fmul(numbers.load(), factors)))
        return context.get_dummy_value()

    return types.void(target, source, types.float32, n), emit


@intrinsic(prefer_literal=True)
def _positive(typing, source, n):
    """Emit the comparisons."""

    def emit(context, builder, signature, args):
        word = ir.IntType(64)
        bits = ir.Constant(word, 0)
        for i, (numbers,) in enumerate(_pieces(context, builder, signature, args)):
            above = builder.fcmp_ordered(">", numbers.load(), ir.Constant(numbers.floats, None))
            found = builder.bitcast(above, ir.IntType(numbers.floats.count))
            place = ir.Constant(word, i * WIDTH)
            bits = builder.or_(bits, builder.shl(builder.zext(found, word), place))
        return bits

    return types.int64(source, n), emit


if not numba.config.DISABLE_JIT:  # kernels are compiled, and nothing else calls these
    multiply, shares, add_scaled, positive = _multiply, _shares, _add_scaled, _positive
