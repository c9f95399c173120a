"""Environments that do nothing, with a game's spaces: what a loop costs without a game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from pettingzoo import AECEnv

Array = NDArray[Any]


class TrivialAEC(AECEnv):  # type: ignore[misc]
    """A PettingZoo environment without rules: agents take turns and nothing changes.

    Parameters
    ----------
    obs_size, n_actions : int
    length : int
        Decisions of an episode.
    """

    metadata = {"name": "trivial_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, obs_size: int, n_actions: int, length: int) -> None:
        super().__init__()
        self.possible_agents = ["player_0", "player_1"]
        self.render_mode = None
        self._length = length
        self._observation: dict[str, Array] = {
            "observation": np.zeros(obs_size, np.float32),
            "action_mask": np.ones(n_actions, np.int8),
        }
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (obs_size,), np.float32),
                "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
            }
        )
        action: spaces.Discrete[Any] = spaces.Discrete(n_actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent can do."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Array]:
        """Return the one observation that there is."""
        return self._observation

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._taken = 0

    def step(self, action: int | None) -> None:
        """Hand the turn on, or end the episode."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._taken += 1
        self.agent_selection = self.agents[self._taken % 2]
        if self._taken == self._length:
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Do nothing."""


class TrivialVectorEnv(VectorEnv[Array, Array, Array]):
    """A Gymnasium vector environment without rules.

    Parameters
    ----------
    num_envs : int
    like : VectorEnv
        Whose spaces it has.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, num_envs: int, like: VectorEnv[Any, Any, Any]) -> None:
        self.num_envs = num_envs
        self.single_observation_space = like.single_observation_space
        self.single_action_space = like.single_action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        assert isinstance(self.single_observation_space, gymnasium.spaces.Box)
        assert isinstance(self.single_action_space, gymnasium.spaces.Discrete)
        self._observation = np.zeros((num_envs, *self.single_observation_space.shape), np.float32)
        self._rewards = np.zeros(num_envs)
        self._ends = np.zeros(num_envs, np.bool_)
        n_actions = int(self.single_action_space.n)
        self._infos = {"action_mask": np.ones((num_envs, n_actions), np.int8)}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Return zeros."""
        return self._observation, self._infos

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Return zeros."""
        return self._observation, self._rewards, self._ends, self._ends, self._infos
