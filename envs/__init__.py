"""The Python face of the games: PettingZoo, Gymnasium and vector environments.

Importing this package loads nothing else; what it offers is loaded on first use.

- `fossil_v0`, ...: a PettingZoo environment for each game (`from bonebed.envs import fossil_v0`)
- `play`: plays one episode with a policy for each seat
- `View`, `Views`: what an agent is given to decide
- `table`: the table of games
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .episode import Episode, Transition, play
    from .view import View, Views

__all__ = ["Episode", "Transition", "View", "Views", "play"]

_MODULES = {
    "Episode": "episode",
    "Transition": "episode",
    "play": "episode",
    "View": "view",
    "Views": "view",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
