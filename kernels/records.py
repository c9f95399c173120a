"""Copying and emptying records inside compiled code, and functions that ask for a field of them."""

import functools

import numba
import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, overload

from .jit import kernel


def copy(target, source):
    """Copy a record into another of the same type.

    Plain assignment between array elements does the same, but Numba hands it to LLVM as one value
    of some hundred bytes: four such assignments in a row took 12.6 s to compile where four of these
    took 0.3 s.

    Parameters
    ----------
    target : record, out
    source : record
        Of the same dtype, and not overlapping.
    """
    target.setfield(source, source.dtype)


@intrinsic
def _copy_memory(typing, target, source):
    """Emit a memcpy between two records of one type."""
    if not isinstance(target, types.Record) or target != source:
        return None

    def emit(context, builder, signature, args):
        """Emit the call."""
        size = context.get_constant(types.intp, target.size)
        cgutils.raw_memcpy(builder, *args, size, 1)
        return context.get_dummy_value()

    return types.void(target, source), emit


@overload(copy)
def _copy(target, source):
    """Compile `copy` for records."""
    return lambda target, source: _copy_memory(target, source)


def clear(target):
    """Fill a record with zeros, `spare` included: equality of records is equality of bytes.

    Parameters
    ----------
    target : record, out
    """
    target.setfield(np.zeros((), target.dtype)[()], target.dtype)


@intrinsic
def _clear_memory(typing, target):
    """Emit a memset over a record."""
    if not isinstance(target, types.Record):
        return None

    def emit(context, builder, signature, args):
        """Emit the call."""
        size = context.get_constant(types.intp, target.size)
        cgutils.memset(builder, args[0], size, 0)
        return context.get_dummy_value()

    return types.void(target), emit


@overload(clear)
def _clear(target):
    """Compile `clear` for records."""
    return lambda target: _clear_memory(target)


def if_has(field, otherwise=None):
    """Make a function do nothing for records that lack a field: code of several games in one place.

    For a record without the field the function is not even compiled, so it may use whatever comes
    with that field. In compiled code this is decided while compiling and costs nothing.

    Parameters
    ----------
    field : str
        A field of the function's first argument, a record.
    otherwise : number, optional
        What a call returns where the field is missing; of the type that the function returns.
        Default None, for functions that return nothing.

    Returns
    -------
    callable
        Decorator for a function, which becomes a kernel, or for a kernel, whose name may then be
        one for other kernels. What it makes is called with arguments by position, from compiled
        code or from Python.
    """

    def decorate(function):
        """Let the record's type decide."""
        ready = isinstance(function, CPUDispatcher)
        compiled = function if ready or numba.config.DISABLE_JIT else kernel(function)

        @functools.wraps(function)
        def chosen(state, *arguments):
            if field not in state.dtype.names:
                return otherwise
            return compiled(state, *arguments)

        chosen.__wrapped__ = compiled
        if not numba.config.DISABLE_JIT:
            chosen.compile = compiled.compile  # for code in the cache that calls it by name
            _choose(chosen, compiled, field, otherwise)
        return chosen

    return decorate


def _choose(chosen, compiled, field, otherwise):
    """Let compiled code call a kernel where a record has a field, and nothing where it has not."""
    constant = types.none if otherwise is None else types.unliteral(numba.typeof(otherwise))

    class Template(AbstractTemplate):
        """Types the call as one of the kernel, or as the constant."""

        key = chosen

        def generic(self, args, kws):
            """Look at the record's fields."""
            if kws or not args or not isinstance(args[0], types.Record):
                raise TypingError(f"{chosen.__name__}: wanted a record and more by position")
            if field not in args[0].fields:
                return constant(*args)
            template, _, args, kws = compiled.get_call_template(args, kws)
            return template(self.context).apply(args, kws)

    infer_global(chosen, types.Function(Template))

    @lower_builtin(chosen, types.VarArg(types.Any))
    def lower(context, builder, signature, args):
        """Emit the call, or the constant."""
        if field in signature.args[0].fields:
            call = context.get_function(types.Dispatcher(compiled), signature)
            return call(builder, args)
        if otherwise is None:
            return context.get_dummy_value()
        return context.get_constant(constant, otherwise)
