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
import functools
import gc
import hashlib
import importlib
import os
import shutil
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np
from numba.core import types
from numba.core.caching import IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
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


class _CacheFile(IndexDataCacheFile):
    """The files of one kernel, one for each signature, which any processes may write at any time.

    Numba counts a kernel's files in an index of them. Two processes that compile it for two games
    at the same moment would both write the first file, and the code of one game would be run on the
    records of the other.
    """

    def save(self, key, data):
        """Write what was compiled for a signature."""
        self._save_data(self._name(key), (self._source_stamp, data))

    def load(self, key):
        """Return what was compiled for a signature from the same source, or None."""
        try:
            stamp, data = self._load_data(self._name(key))
        except FileNotFoundError:
            return None
        return data if stamp == self._source_stamp else None

    def _name(self, key):
        """Return the name of a signature's file; `key` also holds the machine and the bytecode."""
        return self._data_name(_stable_hash((self._version, key)))


def _stable_hash(key):
    """Hash types and the like; the same number in every process."""
    return int(hashlib.sha256(repr(key).encode()).hexdigest()[:15], 16)


def _mangling_of_record(record):
    """Return what stands for a record in the names of compiled functions."""
    return "Record", (_stable_hash(record),)


# Numba puts a number there that counts the types of the process. Code for two games that comes from
# the cache, compiled in two processes, could have the same names, and call one another's functions.
types.Record.mangling_args = property(_mangling_of_record)

# Wraps an index that is never negative: spares compiled code the test for counting from the end.
index = np.uint16


# For each kernel that is being compiled or loaded: what its code calls by name.
_CALLEES: list[set] = []


@dataclass(frozen=True)
class _Callee:
    """A kernel with a signature, called by name in compiled code."""

    module: str
    name: str
    arguments: tuple

    def __call__(self):
        """Load or compile it; Numba calls this before it loads a caller from the cache."""
        getattr(importlib.import_module(self.module), self.name).compile(self.arguments)

    @property
    def symbol(self):
        """Its name; the same in every process, as code in the cache goes on calling it."""
        return f"{self.module}.{self.name}.{_stable_hash(self.arguments):x}"


class _Kernel(CPUDispatcher):
    """A compiled function, made with the settings that suit code like that of the games.

    Attributes
    ----------
    apart : bool
        Other kernels call it by name; see `kernel`.
    """

    apart = False

    def compile(self, sig):
        """Compile for a signature, or load what was compiled."""
        arguments = tuple(normalize_signature(sig)[0])
        with global_compiler_lock, _settings_for_kernels():
            _CALLEES.append(set())
            try:
                entry = super().compile(sig)
            finally:
                _CALLEES.pop()
            if _CALLEES:
                compiled = self.overloads[arguments]
                _CALLEES[-1].update(
                    [self._callee(compiled)] if self.apart else compiled.reload_init
                )
        return entry

    def add_overload(self, cres):
        """Keep what was compiled or loaded, and note what has to be loaded before it."""
        super().add_overload(cres)
        cres.reload_init[:] = _CALLEES[-1]
        if self.apart:
            _call_by_name(self.targetctx, cres, self._callee(cres).symbol)

    def get_call_template(self, args, kws):
        """Let a call with a constant use the code for any number instead of code of its own."""
        return super().get_call_template(
            [types.unliteral(arg) for arg in args],
            {name: types.unliteral(arg) for name, arg in kws.items()},
        )

    def _callee(self, compiled):
        """Return what has to be loaded before the callers of a compiled version."""
        return _Callee(self.__module__, self.__name__, compiled.signature.args)


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


def kernel(function=None, *, wraps=False, inline=False, apart=False, allocates=False):
    """Compile a function of the rules with Numba (serial, without the GIL, cached on disk).

    Parameters
    ----------
    function : callable
        Types are inferred at the first call; a kernel is meant to be called with one signature
        only, or with one for each game that uses it. One whose name begins with an underscore is
        for other kernels: Python cannot call it, and the code that Python would need, a sixth of
        all compile time, is not made.
    wraps : bool
        The function relies on 64-bit integers wrapping around; plain Python mode then stays silent
        about it.
    inline : bool
        Copy the function into its caller, for those with one caller in a hot path.
    apart : bool
        Compile the function once and have other kernels call it by name, for large ones off the
        hottest paths; it is found again as what its module calls by its own name. Numba copies what
        a function calls into it, and optimises and emits it again at every level of calls, which
        pays for small functions only.
    allocates : bool
        The function makes arrays, or raises. Without it Numba counts no references, which costs
        atomic operations at every call that is given an array.

    Returns
    -------
    callable
        Numba dispatcher; the plain function under `NUMBA_DISABLE_JIT=1`.
    """
    if function is None:
        return functools.partial(
            kernel, wraps=wraps, inline=inline, apart=apart, allocates=allocates
        )
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
    if CACHE_FOLDER is not None:
        dispatcher._cache._cache_file.__class__ = _CacheFile
    dispatcher.__class__ = _Inner if inner else _Kernel
    dispatcher.apart = apart
    return dispatcher


def publish(compiled, symbol):
    """Let code that is compiled or loaded from now on call a compiled kernel by a name.

    Parameters
    ----------
    compiled : numba.core.compiler.CompileResult
    symbol : str
        The same in every process, as code in the cache goes on calling it.
    """
    pointer = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    llvmlite.binding.add_symbol(symbol, pointer)


def _call_by_name(context, compiled, symbol):
    """Have the kernels compiled from now on call a compiled one by a name."""
    publish(compiled, symbol)
    named = copy.copy(compiled.fndesc)
    named.mangled_name = symbol
    del context._defns[compiled.entry_point]  # how to call it by copying it
    context.insert_user_function(compiled.entry_point, named)
