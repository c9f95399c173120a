"""The ids of the games in Gymnasium and PettingZoo, without importing either.

Importing Bonebed has to be cheap, importing Gymnasium is not. So the ids are registered at once in
a library that is loaded already, and otherwise right after its import, by a finder that stands
first on `sys.meta_path` until both libraries were seen.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .table import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

# The public name, whatever name this file was imported by: the ids outlive the import.
_PACKAGE = "bonebed"


def _register_gymnasium(gymnasium: ModuleType) -> None:
    """Register the seat environment and the native vector environment of every game."""
    for row in GAMES.values():
        if row.gym_id not in gymnasium.registry:
            gymnasium.register(
                row.gym_id,
                entry_point=f"{_PACKAGE}.agents.seats:seat_env",
                vector_entry_point=f"{_PACKAGE}.agents.seats:seat_vector_env",
                kwargs={"game": row.name},
            )


def _register_pettingzoo(pettingzoo: ModuleType) -> None:
    """Register the AEC environment of every game; PettingZoo has a registry from 1.27 on."""
    if not hasattr(pettingzoo, "register"):
        return
    for row in GAMES.values():
        if row.aec_id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", row.aec_id, f"{_PACKAGE}.{row.env}:env")


_LIBRARIES: dict[str, Callable[[ModuleType], None]] = {
    "gymnasium": _register_gymnasium,
    "pettingzoo": _register_pettingzoo,
}


class _AfterImport:
    """Finder that only registers the ids after a library's own loader has run."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Let the other finders find a library and hang the registration on its loader."""
        if name not in _LIBRARIES:
            return None
        # Only those behind: another copy of this finder would ask this one in turn.
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find else None
            if spec is not None:
                _register_after(spec)
                return spec
        return None


def _register_after(spec: ModuleSpec) -> None:
    """Make a library's loader register the ids when it has executed the library, this once."""
    loader = spec.loader
    if loader is None:
        return
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        vars(loader).pop("exec_module", None)
        execute(module)
        _LIBRARIES[spec.name](module)
        _remove_finder()

    loader.exec_module = exec_module  # type: ignore[method-assign]


def _remove_finder() -> None:
    """Take the finder away when there is nothing left to wait for."""
    if all(library in sys.modules for library in _LIBRARIES):
        sys.meta_path[:] = [
            finder for finder in sys.meta_path if not isinstance(finder, _AfterImport)
        ]


def install() -> None:
    """Register the ids of all games: now where a library is loaded, else right after its import.

    Safe to call any number of times; an id that exists is left alone, without a warning.
    """
    for library, register in _LIBRARIES.items():
        module = sys.modules.get(library)
        if module is not None:
            register(module)
    waiting = any(library not in sys.modules for library in _LIBRARIES)
    if waiting and not any(isinstance(finder, _AfterImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterImport())
