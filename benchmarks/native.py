"""The C programs of `benchmarks/limit`: compiled where they are used, called like the drivers.

A program plays the same random games as the kernels, from the same draws, so what it needs for them
is how fast this machine can play the game. It is written by hand for the component sheet of the
package and says so where another sheet is in use.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..envs import table
from ..kernels import jit
from ..kernels.batch import Games, checked_seed

LIMIT = Path(__file__).parent / "limit"
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O3", "-march=native", "-std=c11", "-shared", "-fPIC")


class NoProgramError(RuntimeError):
    """There is nothing to compare with; the message says why."""


def compiler() -> str:
    """Find a C compiler.

    Returns
    -------
    str
        Its path: `$CC`, or else the first of cc, gcc and clang.

    Raises
    ------
    NoProgramError
        If there is none.
    """
    own = os.environ.get("CC")
    for name in (own,) if own else COMPILERS:
        found = shutil.which(name)
        if found:
            return found
    sought = f"$CC = {own}" if own else ", ".join(COMPILERS)
    raise NoProgramError(f"no C compiler here (looked for {sought})")


def compiler_version() -> str:
    """Return the first line of what the compiler says about itself."""
    run = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=True)
    return run.stdout.partition("\n")[0]


class Program:
    """The C program of a game, loaded into this process.

    Parameters
    ----------
    game : str
        A game of the table.

    Raises
    ------
    NoProgramError
        If the game has no program, another component sheet is in use, or it cannot be compiled.
    """

    def __init__(self, game: str) -> None:
        self.rules = table.rules(game)
        source = LIMIT / f"{game}.c"
        if not source.is_file():
            raise NoProgramError(f"{game} has no C program")
        if self.rules.sheet.path.parent != jit.COMPONENTS:
            raise NoProgramError(f"{source.name} does not read {self.rules.sheet.path}")
        self._library = _load(source)
        sizes = np.zeros(3, np.int32)
        self._library.sizes(_pointer(sizes))
        expected = [self.rules.OPTIONS.itemsize, self.rules.obs_size, self.rules.n_actions]
        if sizes.tolist() != expected:
            raise NoProgramError(
                f"{source.name} is out of date: it has {sizes.tolist()} for the sizes of options, "
                f"observation and actions, the kernel {expected}"
            )

    def random_games(self, options: Any, games: int, seed: int = 0) -> Games:
        """Play whole random games: the same as `bonebed.kernels.batch.random_games`.

        Parameters
        ----------
        options : OPTIONS record
        games : int
        seed : int

        Returns
        -------
        Games
        """
        shape = (games, int(options.num_players))
        result = Games(
            np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(games, np.int32)
        )
        self._library.random_games(
            ctypes.c_int64(games),
            ctypes.c_uint64(int(checked_seed(seed))),
            ctypes.c_char_p(options.tobytes()),
            _pointer(result.score),
            _pointer(result.outcome),
            _pointer(result.decisions),
        )
        return result

    def observed_games(
        self,
        options: Any,
        obs: np.ndarray[Any, Any],
        mask: np.ndarray[Any, Any],
        decisions: np.ndarray[Any, Any],
        seed: int = 0,
        keep: bool = False,
    ) -> None:
        """Play whole random games, writing observation and mask at every decision.

        Parameters
        ----------
        options : OPTIONS record
        obs : float32 array (n, obs_size), out
        mask : int8 array (n, n_actions), out
        decisions : int32 array (games,), out
        seed : int
        keep : bool
            Write the decisions one after the other (n has to be large enough), and not each over
            the one before.
        """
        assert not keep or len(obs) == len(mask) >= len(decisions) * self.rules.max_decisions
        self._library.observed_games(
            ctypes.c_int64(len(decisions)),
            ctypes.c_uint64(int(checked_seed(seed))),
            ctypes.c_char_p(options.tobytes()),
            ctypes.c_int(keep),
            _pointer(obs),
            _pointer(mask),
            _pointer(decisions),
        )


@cache
def _load(source: Path) -> ctypes.CDLL:
    """Compile a program and load it."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / f"{source.stem}.so"
        command = [compiler(), *FLAGS, "-o", str(library), str(source)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            raise NoProgramError(f"{' '.join(command)} failed:\n{run.stderr}")
        return ctypes.CDLL(str(library))


def _pointer(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    """Return the address of an array's data."""
    assert array.flags.c_contiguous
    return ctypes.c_void_p(array.ctypes.data)
