"""Environments for one learner: here the opponents' specs are resolved, the rest is in `envs`.

These functions are the entry points of the ids in Gymnasium's registry: `bonebed/Fossil-v0` and the
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..envs import table
from ..envs.seats import Compiled, Decider
from ..kernels.seats import Policy
from . import agent
from .base import Agent, AgentLike, split_specs
from .options import given
from .simple import Greedy, Random

if TYPE_CHECKING:
    from ..envs.gym import SeatEnv
    from ..envs.sb3 import SeatVecEnv
    from ..envs.vector import SeatVectorEnv

Opponents = AgentLike | Sequence[AgentLike]


def opponents_of(
    game: str, opponents: Opponents, num_players: int | None = None, **settings: Any
) -> list[Compiled | Decider]:
    """Make the opponents of a learner.

    Parameters
    ----------
    game : str
    opponents : str, Agent or sequence of them
        One for all other seats, or one for each in turn order after the learner.
    num_players : int, optional
        Default the game's own.
    **settings : object
        Of an environment. Only options of the game are looked at: the number of players may follow
        from them.

    Returns
    -------
    list of (Compiled or Agent)
        One for each other seat. `random` and `greedy` are played in compiled code.

    Raises
    ------
    ValueError
        For an unknown game, agent or parameter, or several specs in one str; the message lists what
        is allowed.
    TypeError
        If it is neither a spec, an agent nor a sequence of them.
    """
    rules = table.rules(game)
    names = {option.name for option in rules.options}
    chosen = {name: value for name, value in settings.items() if name in names}
    others = int(rules.make_options(**given(num_players), **chosen).num_players) - 1
    specs = [opponents] * others if isinstance(opponents, str | Agent) else opponents
    allowed = "allowed: one agent for all other seats, or a list of one for each of them"
    if not isinstance(specs, Sequence):
        raise TypeError(f"opponents is {opponents!r}; {allowed}")
    if isinstance(opponents, str) and opponents and len(apart := split_specs(opponents)) > 1:
        raise ValueError(f"opponents is {opponents!r}; {allowed}, here {apart}")
    return [_compiled(agent(spec, game), game) for spec in specs]


def _compiled(opponent: Agent, game: str) -> Compiled | Decider:
    """Let compiled code play an agent that it knows."""
    if type(opponent) is Random:
        return Compiled(Policy.RANDOM)
    if type(opponent) is Greedy:
        return Compiled(Policy.GREEDY, opponent.samples_in(table.rules(game)))
    return opponent


def seat_env(
    game: str, opponents: Opponents = "random", num_players: int | None = None, **settings: Any
) -> SeatEnv:
    """Make a Gymnasium environment of a game: one seat learns, agents play the others.

    Parameters
    ----------
    game : str
    opponents : str, Agent or sequence of them
        One spec for all other seats (`greedy`), or one for each in turn order after the learner.
    num_players : int, optional
        Default the game's own.
    **settings : object
        Of `bonebed.envs.gym.SeatEnv`: `seat`, `reward`, `illegal`, `illegal_reward`, `render_mode`,
        and the game's own options.

    Returns
    -------
    SeatEnv

    Raises
    ------
    ValueError
        For an unknown game, agent or option, or a value that is not allowed; the message lists what
        is.
    """
    from ..envs.gym import SeatEnv

    players = opponents_of(game, opponents, num_players, **settings)
    return SeatEnv(game, players, **given(num_players), **settings)


def seat_vector_env(
    game: str,
    num_envs: int = 1,
    opponents: Opponents = "random",
    num_players: int | None = None,
    **settings: Any,
) -> SeatVectorEnv:
    """Make a native Gymnasium vector environment of a game: many games, one learner in each.

    Parameters
    ----------
    game : str
    num_envs : int
        Number of games.
    opponents : str, Agent or sequence of them
        One spec for all other seats (`greedy`), or one for each in turn order after the learner.
    num_players : int, optional
        Default the game's own.
    **settings : object
        Of `bonebed.envs.vector.SeatVectorEnv`: `seat`, `reward`, `illegal`, `illegal_reward`,
        `autoreset_mode`, `copy`, `render_mode`, and the game's own options.

    Returns
    -------
    SeatVectorEnv

    Raises
    ------
    ValueError
        For an unknown game, agent or option, or a value that is not allowed; the message lists what
        is.
    """
    from ..envs.vector import SeatVectorEnv

    players = opponents_of(game, opponents, num_players, **settings)
    return SeatVectorEnv(game, num_envs, players, **given(num_players), **settings)


def sb3_vec_env(
    game: str,
    num_envs: int = 1,
    opponents: Opponents = "random",
    num_players: int | None = None,
    **settings: Any,
) -> SeatVecEnv:
    """Make a native Stable-Baselines3 `VecEnv` of a game: many games, one learner in each.

    Parameters
    ----------
    game : str
    num_envs : int
        Number of games.
    opponents : str, Agent or sequence of them
        One spec for all other seats (`greedy`), or one for each in turn order after the learner.
    num_players : int, optional
        Default the game's own.
    **settings : object
        Of `bonebed.envs.sb3.SeatVecEnv`: `seat`, `reward`, `illegal`, `illegal_reward`,
        `render_mode`, and the game's own options.

    Returns
    -------
    SeatVecEnv

    Raises
    ------
    ValueError
        For an unknown game, agent or option, or a value that is not allowed; the message lists what
        is.
    ModuleNotFoundError
        If Stable-Baselines3 is not installed (`pip install 'bonebed[train]'`).
    """
    from ..envs.sb3 import SeatVecEnv

    players = opponents_of(game, opponents, num_players, **settings)
    return SeatVecEnv(game, num_envs, players, **given(num_players), **settings)
