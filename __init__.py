"""Palaeontology board games for reinforcement learning.

Importing this package loads neither NumPy, Numba, Gymnasium nor PettingZoo: the names below load
what they need when they are used, and the environments' ids are registered when Gymnasium or
PettingZoo is imported, before or after this package.

========================  ===========================================================
`games()`                 the names of the games
`batch(name, ...)`        many games side by side, stepped by compiled code
`random_games(name, ...)` whole random games, played inside compiled code
`agent(spec, game)`       a player, named by a spec such as `"ismcts:simulations=500"`
`evaluate(name, agents)`  players against each other, on paired seeds and rotated seats
========================  ===========================================================

The environments are in `bonebed.envs`, for instance `bonebed.envs.fossil_v0`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agents import Agent, agent
    from .agents.evaluate import evaluate
    from .agents.results import Result
    from .envs.view import View, Views
    from .kernels.batch import Batch, Games

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Batch",
    "Games",
    "Result",
    "View",
    "Views",
    "__version__",
    "agent",
    "batch",
    "evaluate",
    "games",
    "random_games",
]

# Public names that are loaded at their first use, and the modules that they come from.
_MODULE_OF = {
    "Agent": ".agents",
    "Batch": ".kernels.batch",
    "Games": ".kernels.batch",
    "Result": ".agents.results",
    "View": ".envs.view",
    "Views": ".envs.view",
    "agent": ".agents",
    "evaluate": ".agents.evaluate",
}


def __getattr__(name: str) -> Any:
    """Load a public name at its first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_MODULE_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the lazy names too."""
    return sorted({*globals(), *_MODULE_OF})


def games() -> tuple[str, ...]:
    """Return the names of the games, as every other function takes them.

    Returns
    -------
    tuple of str
    """
    from .envs.table import GAMES

    return tuple(GAMES)


def batch(
    name: str,
    num_envs: int = 1,
    num_players: int | None = None,
    seed: int = 0,
    threads: int = 1,
    **options: Any,
) -> "Batch":
    """Make a batch of games that are stepped together, with same-step autoreset.

    Parameters
    ----------
    name : str
        A game of `games()`.
    num_envs : int
        How many games run side by side.
    num_players : int, optional
        Players in each game; without it the game's default.
    seed : int
        All luck of all games follows from it.
    threads : int
        Threads that share a step; more than one pays on large batches and idle cores only.
    **options
        The game's own options, such as `tactical=True`.

    Returns
    -------
    Batch
        At its first decisions: `obs` (num_envs, D) float32, `mask` (num_envs, A) int8, `to_play`
        (num_envs,) int64; then `step(actions)`.

    Raises
    ------
    ValueError
        For an unknown game, and for an option or value that the game does not have.
    """
    from .agents.options import given
    from .envs.table import rules
    from .kernels.batch import Batch

    game = rules(name)
    made = game.make_options(**given(num_players), **options)
    return Batch(game, made, num_envs, seed=seed, threads=threads)


def random_games(
    name: str, games: int, num_players: int | None = None, seed: int = 0, **options: Any
) -> "Games":
    """Play whole games with uniformly random actions inside compiled code.

    Parameters
    ----------
    name : str
        A game of `games()`.
    games : int
        How many games.
    num_players : int, optional
        Players in each game; without it the game's default.
    seed : int
        All luck and all actions follow from it.
    **options
        The game's own options, such as `tactical=True`.

    Returns
    -------
    Games
        `score` (games, num_players) int32, `outcome` (games, num_players) float32 in [-1, 1], and
        `decisions` (games,) int32.

    Raises
    ------
    ValueError
        For an unknown game, and for an option or value that the game does not have.
    """
    from .agents.options import given
    from .envs.table import rules
    from .kernels import batch as driver

    game = rules(name)
    made = game.make_options(**given(num_players), **options)
    played: Games = driver.random_games(game, made, games, seed)
    return played


if __name__ == "bonebed":  # a test runner may import this file once more under the checkout's name
    from .envs.registration import install

    install()
