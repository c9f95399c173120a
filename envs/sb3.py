"""The Stable-Baselines3 `VecEnv` of a game: many games, one learner in each.

The only file of this package that imports Stable-Baselines3 (`pip install 'bonebed[train]'`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from ..kernels.batch import checked_seed
from . import table
from .seats import Compiled, Decider, Seats, observation_space
from .settings import check


class SeatVecEnv(VecEnv):
    """Many games of one kind, each from the learner's seat, for Stable-Baselines3 and sb3-contrib.

    Made by `bonebed.agents.seats.sb3_vec_env("fossil", num_envs=64, opponents="greedy")`. It
    behaves like as many `SeatEnv` under `DummyVecEnv` and `VecMonitor`, at the cost of one native
    call a step: games that end are followed at once by the next one, with the last observation in
    `infos[i]["terminal_observation"]`.

    Parameters
    ----------
    game : str
    num_envs : int
        Number of games B.
    opponents : sequence of (Compiled or Decider)
        One for each other seat, in turn order after the learner; the same in all games.
    render_mode : str, optional
        `ansi`: `env_method("render")` returns a drawing in text of every game.
    **settings : object
        As in `SeatEnv`: `seat`, `reward`, `illegal`, `illegal_reward`, and options of the game.

    Raises
    ------
    ValueError
        For an unknown game or option, or a value that is not allowed; the message lists what is.

    Notes
    -----
    Observations and masks are written in place, into two alternating buffers: what a step returns
    stays intact during the next one (trainers store it only then) and is overwritten by the one
    after.

    At the end of a game `infos[i]` holds `episode` (`r`, `l` and `t`, as from `Monitor`),
    `is_success` (the learner won alone), `score` and `outcome` (of every seat),
    `terminal_observation` and `TimeLimit.truncated` (False).
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        opponents: Sequence[Compiled | Decider],
        *,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        check("render_mode", render_mode, (None, "ansi"))
        self.game = game
        self.seats = Seats(table.rules(game), num_envs, opponents, buffers=2, **settings)
        self.render_mode = render_mode
        rules = self.seats.rules
        self._own: list[dict[str, Any]] = [{} for _ in range(num_envs)]  # from set_attr
        super().__init__(num_envs, observation_space(rules), spaces.Discrete(rules.n_actions))
        self._started = time.time()
        self._chosen: NDArray[Any] | None = None

    @property
    def num_players(self) -> int:
        """Number of players in each game."""
        return self.seats.num_players

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds that the next reset uses.

        Parameters
        ----------
        seed : int, optional
            Game i gets `seed + i`. Without one, a number by chance; no global generator is used.

        Returns
        -------
        list of int

        Raises
        ------
        ValueError
            If one of them is not a whole number in [0, 2**64); the seeds are then as before.
        """
        first = int(checked_seed(secrets.randbits(63) if seed is None else seed))
        checked_seed(first + self.num_envs - 1)
        self._seeds = [first + i for i in range(self.num_envs)]
        return self._seeds

    def reset(self) -> NDArray[np.float32]:
        """Deal games and play to the learners' first decisions.

        Returns
        -------
        float32 array (B, obs_size)
            Of games from the seeds given to `seed`, else the next games of their sequences.
        """
        self.seats.reset(self._seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.seats.obs

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions for `step_wait`.

        Parameters
        ----------
        actions : int array (B,)
        """
        self._chosen = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions and go on to the learners' next decisions.

        Returns
        -------
        tuple
            Observations float32 (B, obs_size), rewards float32 (B,), ends bool (B,) and a list of
            infos.

        Raises
        ------
        IllegalActionError
            For an illegal action, naming the game, the action and the legal ones; nothing has
            changed.
        """
        assert self._chosen is not None, "step_async comes first"
        seats = self.seats
        seats.step(self._chosen)
        self._chosen = None
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = seats.done.copy()
        if done.any():
            self._tell_ends(infos, np.flatnonzero(done))
        return seats.obs, seats.reward.astype(np.float32), done, infos

    def _tell_ends(self, infos: list[dict[str, Any]], games: NDArray[np.intp]) -> None:
        """Fill the infos of the games that have ended."""
        seats = self.seats
        last, score, outcome = seats.final_obs[games], seats.score[games], seats.outcome[games]
        alone = (outcome[np.arange(len(games)), seats.final_seat[games]] == 1.0).tolist()
        totals, lengths = seats.final_total[games].tolist(), seats.final_length[games].tolist()
        seconds = round(time.time() - self._started, 6)
        for k, i in enumerate(games.tolist()):
            infos[i] = {
                "terminal_observation": last[k],
                "TimeLimit.truncated": False,
                "episode": {"r": totals[k], "l": lengths[k], "t": seconds},
                "is_success": alone[k],
                "score": score[k],
                "outcome": outcome[k],
            }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of all games.

        Returns
        -------
        bool array (B, n_actions)
            True = legal; the buffer itself, intact until the step after the next.
        """
        return self.seats.mask.view(np.bool_)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method for each of some games.

        Parameters
        ----------
        method_name : str
            `action_masks`, `render` or `view`, or the name of something callable given to
            `set_attr`.
        *method_args, **method_kwargs : object
            Handed on.
        indices : int or iterable of int, optional
            Default all games.

        Returns
        -------
        list

        Raises
        ------
        AttributeError
            If there is no such method.
        """
        if method_name == "action_masks" and indices is None:
            return list(self.action_masks())
        methods = self.get_attr(method_name, indices)
        return [method(*method_args, **method_kwargs) for method in methods]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of each of some games.

        Parameters
        ----------
        attr_name : str
            What was given to `set_attr`, a method of one game (see `env_method`), or an attribute
            of this object.
        indices : int or iterable of int, optional
            Default all games.

        Returns
        -------
        list

        Raises
        ------
        AttributeError
            If there is no such attribute.
        """
        chosen = list(self._get_indices(indices))
        found = []
        for i in chosen:
            if attr_name in self._own[i]:
                found.append(self._own[i][attr_name])
            elif attr_name in _METHODS:
                found.append(partial(_METHODS[attr_name], self, i))
            else:
                found.append(getattr(self, attr_name))
        return found

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Attach a value to some games, for `get_attr`; it has no influence on play.

        Parameters
        ----------
        attr_name : str
        value : object
        indices : int or iterable of int, optional
            Default all games.
        """
        for i in self._get_indices(indices):
            self._own[i][attr_name] = value

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """Tell whether games do what a wrapper does.

        Parameters
        ----------
        wrapper_class : class
        indices : int or iterable of int, optional
            Default all games.

        Returns
        -------
        list of bool
            True for `Monitor`, whose `episode` entries these games make themselves.
        """
        wrapped = issubclass(Monitor, wrapper_class)
        return [wrapped for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _mask_of(env: SeatVecEnv, i: int) -> NDArray[np.bool_]:
    """Return the mask of one game."""
    mask: NDArray[np.bool_] = env.action_masks()[i]
    return mask


_METHODS: dict[str, Callable[..., Any]] = {
    "action_masks": _mask_of,
    "render": lambda env, i: env.seats.view(i).text() if env.render_mode else None,
    "view": lambda env, i: env.seats.view(i),
}
