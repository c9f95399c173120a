"""The table of games: one row for each, strings only, so that reading it loads nothing."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from types import ModuleType

    from ..kernels.rules import Rules

_PACKAGE = __name__.rsplit(".", 2)[0]


class Game(NamedTuple):
    """A row: where the parts of a game are found and what it is called elsewhere.

    Attributes
    ----------
    name : str
        What the game is called in code, on the command line and in results.
    title : str
        What it is called in print.
    kernel : str
        Module of the rules, below the package.
    env : str
        Module of the PettingZoo environment, below the package.
    aec_id : str
        Id for `pettingzoo.make`.
    gym_id : str
        Id for `gymnasium.make` and `gymnasium.make_vec`.
    """

    name: str
    title: str
    kernel: str
    env: str
    aec_id: str
    gym_id: str


_ROWS = (
    Game(
        "fossil",
        "Fossil",
        "kernels.fossil",
        "envs.fossil_v0",
        "bonebed/fossil-v0",
        "bonebed/Fossil-v0",
    ),
    Game(
        "digging_for_dinos",
        "Digging for Dinos",
        "kernels.digging_for_dinos",
        "envs.digging_for_dinos_v0",
        "bonebed/digging_for_dinos-v0",
        "bonebed/DiggingForDinos-v0",
    ),
    Game(
        "fossil_canyon",
        "Fossil Canyon",
        "kernels.fossil_canyon",
        "envs.fossil_canyon_v0",
        "bonebed/fossil_canyon-v0",
        "bonebed/FossilCanyon-v0",
    ),
    Game(
        "go_dig",
        "Go Dig",
        "kernels.go_dig",
        "envs.go_dig_v0",
        "bonebed/go_dig-v0",
        "bonebed/GoDig-v0",
    ),
    Game(
        "memory_game",
        "Memory Game",
        "kernels.memory_game",
        "envs.memory_game_v0",
        "bonebed/memory_game-v0",
        "bonebed/MemoryGame-v0",
    ),
    Game(
        "twenty_questions",
        "20 Questions",
        "kernels.twenty_questions",
        "envs.twenty_questions_v0",
        "bonebed/twenty_questions-v0",
        "bonebed/TwentyQuestions-v0",
    ),
    Game(
        "fossilium",
        "Fossilium",
        "kernels.fossilium",
        "envs.fossilium_v0",
        "bonebed/fossilium-v0",
        "bonebed/Fossilium-v0",
    ),
    Game(
        "fossilium_solo",
        "Fossilium solo",
        "kernels.fossilium_solo",
        "envs.fossilium_solo_v0",
        "bonebed/fossilium_solo-v0",
        "bonebed/FossiliumSolo-v0",
    ),
)

GAMES = {row.name: row for row in _ROWS}
"""All games by name, in the order of the table."""


def game(name: str) -> Game:
    """Return a game's row.

    Parameters
    ----------
    name : str

    Returns
    -------
    Game

    Raises
    ------
    ValueError
        If there is no such game; lists the known ones.
    """
    row = GAMES.get(name)
    if row is None:
        raise ValueError(f"no game {name!r}; known: {', '.join(GAMES)}")
    return row


def rules(name: str) -> Rules:
    """Load a game's rules.

    Parameters
    ----------
    name : str

    Returns
    -------
    Rules

    Raises
    ------
    ValueError
        If there is no such game.
    """
    from ..kernels.rules import load

    loaded: Rules = load(f"{_PACKAGE}.{game(name).kernel}")
    return loaded


def face(name: str) -> ModuleType:
    """Load the module of a game's PettingZoo environment, with its `draw`, `describe` and `tell`.

    Parameters
    ----------
    name : str

    Returns
    -------
    module

    Raises
    ------
    ValueError
        If there is no such game.
    """
    return importlib.import_module(f"{_PACKAGE}.{game(name).env}")
