"""The one door to Numba: `@kernel`, and a compile cache that never runs stale code.

Numba's own disk cache notices a change in the file of a function, not in the files that it calls.
Here the cache folder's name is a fingerprint of everything that the compiled code depends on, so an
edit anywhere in `kernels/` or in a component sheet starts a new folder; folders that nobody used
for two weeks are removed.

Environment
-----------
BONEBED_CACHE
    Folder for compiled code, or `0` to compile anew in every process. Default: the user's cache
    folder.
NUMBA_DISABLE_JIT
    `1` runs every kernel as plain Python (slow, debuggable).
NUMBA_BOUNDSCHECK
    `1` checks every array index.
"""

import contextlib
import copy
import gc
import hashlib
import os
import shutil
import sys
import time
import warnings
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.misc.appdirs import user_cache_dir

KERNELS = Path(__file__).parent
COMPONENTS = KERNELS / "components"
UNUSED_AFTER = 14 * 24 * 3600.0  # seconds after which a cache folder is removed


def component_folders():
    """List the folders searched for component sheets, first match wins.

    Returns
    -------
    list of pathlib.Path
        `$BONEBED_COMPONENTS` where it is set, then the sheets of the package.
    """
    own = os.environ.get("BONEBED_COMPONENTS")
    return ([Path(own)] if own else []) + [COMPONENTS]


def fingerprint():
    """Hash everything that compiled kernels depend on.

    Returns
    -------
    str
        16 hexadecimal digits over all kernel sources, the component sheets in reach, the versions
        of Python and Numba, and the bounds-check switch.
    """
    digest = hashlib.sha256()
    sources = sorted(KERNELS.rglob("*.py"))
    sheets = [path for folder in component_folders() for path in sorted(folder.glob("*.toml"))]
    for path in sources + sheets:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    switches = (sys.version, numba.__version__, np.__version__, numba.config.BOUNDSCHECK)
    digest.update(repr(switches).encode())
    return digest.hexdigest()[:16]


def prune(root, keep, now=None):
    """Remove cache folders that were not used for two weeks.

    Parameters
    ----------
    root : pathlib.Path
        Folder that holds one folder for each fingerprint.
    keep : str
        Name of the folder in use; never removed.
    now : float, optional
        Seconds since the epoch; default the clock.
    """
    now = time.time() if now is None else now
    for folder in root.iterdir():
        with contextlib.suppress(OSError):
            if folder.name != keep and now - folder.stat().st_mtime > UNUSED_AFTER:
                shutil.rmtree(folder, ignore_errors=True)


def _open_cache():
    """Return the folder for this fingerprint as a string, or None when caching is off."""
    setting = os.environ.get("BONEBED_CACHE", "")
    if setting == "0" or numba.config.DISABLE_JIT:
        return None
    root = Path(setting) if setting else Path(user_cache_dir("bonebed")) / "kernels"
    folder = root / fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # marks it as used
        prune(root, keep=folder.name)
    except OSError as error:
        warnings.warn(
            f"bonebed compiles in every process: cache folder {folder} cannot be used ({error}); "
            "set BONEBED_CACHE to a writable folder, or to 0 to silence this",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return str(folder)


CACHE_FOLDER = _open_cache()

# Wraps an index that is never negative: spares compiled code the test for counting from the end.
index = np.uint16


class _Kernel(CPUDispatcher):
    """A compiled function, made with the settings that suit code like that of the games."""

    def compile(self, sig):
        """Compile for a signature, or load what was compiled."""
        with global_compiler_lock, _settings_for_kernels():
            return super().compile(sig)

    def get_call_template(self, args, kws):
        """Let a call with a constant use the code for any number instead of code of its own."""
        return super().get_call_template(
            [types.unliteral(arg) for arg in args],
            {name: types.unliteral(arg) for name, arg in kws.items()},
        )


@contextlib.contextmanager
def _settings_for_kernels():
    """Compile without what costs time and brings nothing.

    Loops over some dozen small numbers take a fifth longer to compile when vectorized, and are not
    faster. The garbage collector would search the compiler's many objects again and again.
    """
    enabled, vectorize = gc.isenabled(), numba.config.LOOP_VECTORIZE
    gc.disable()
    numba.config.LOOP_VECTORIZE = 0
    try:
        yield
    finally:
        numba.config.LOOP_VECTORIZE = vectorize
        if enabled:
            gc.enable()


class _Inner(_Kernel):
    """One without the code by which Python would call it."""

    def __call__(self, *args, **kwargs):
        """Refuse: the call would jump to an address that does not exist."""
        raise TypeError(
            f"{self.__name__} is compiled for other kernels only; Python cannot call it"
        )


def kernel(function=None, *, wraps=False, inline=False, allocates=False):
    """Compile a function of the rules with Numba (serial, without the GIL, cached on disk).

    Parameters
    ----------
    function : callable
        Types are inferred at the first call; a kernel is meant to be called with one signature
        only. One whose name begins with an underscore is for other kernels: Python cannot call it,
        and the code that Python would need, a sixth of all compile time, is not made.
    wraps : bool
        The function relies on 64-bit integers wrapping around; plain Python mode then stays silent
        about it.
    inline : bool
        Copy the function into its caller, for those with one caller in a hot path.
    allocates : bool
        The function makes arrays, or raises. Without it Numba counts no references, which costs
        atomic operations at every call that is given an array.

    Returns
    -------
    callable
        Numba dispatcher; the plain function under `NUMBA_DISABLE_JIT=1`.
    """
    if function is None:
        return lambda decorated: kernel(decorated, wraps=wraps, inline=inline, allocates=allocates)
    if numba.config.DISABLE_JIT:
        return np.errstate(over="ignore")(function) if wraps else function
    inner = function.__name__.startswith("_")
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = CACHE_FOLDER or previous  # around the decoration only: it is global
    try:
        dispatcher = numba.njit(
            cache=CACHE_FOLDER is not None,
            nogil=True,
            error_model="numpy",
            no_rewrites=True,  # a tenth of the compile time; kernels are written as they should run
            no_cfunc_wrapper=True,
            no_cpython_wrapper=inner,
            _nrt=allocates,
            inline="always" if inline else "never",
        )(function)
    finally:
        numba.config.CACHE_DIR = previous
    dispatcher.__class__ = _Inner if inner else _Kernel
    return dispatcher


def link_by_name(dispatcher, arguments, symbol):
    """Compile a kernel, or load it, and have the kernels compiled from now on call it by a name.

    Numba copies what a function calls into it, and optimises and emits it again at every level of
    calls. That pays for small functions; for large ones it made up most of the compile time.

    Parameters
    ----------
    dispatcher : kernel
    arguments : tuple of numba.types.Type
    symbol : str
        The same in every process, as code in the cache goes on calling it.

    Returns
    -------
    numba.core.typing.templates.Signature
    """
    dispatcher.compile(arguments)
    compiled = dispatcher.overloads[arguments]
    pointer = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    llvmlite.binding.add_symbol(symbol, pointer)
    named = copy.copy(compiled.fndesc)
    named.mangled_name = symbol
    context = dispatcher.targetctx
    del context._defns[compiled.entry_point]  # how to call it by copying it
    context.insert_user_function(compiled.entry_point, named)
    return compiled.signature
