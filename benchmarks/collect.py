"""How fast MaskablePPO collects on a game, against the same library on games that do nothing.

The floor is a `VecEnv` of the same observation and action size whose step returns constants, the
game's first observations and masks: what is left is the library's own work, the network included.
(The masks matter: drawing from the network's distribution takes the library a sixth to a half
longer with Fossil's masks than with every action legal.) The two are measured alternately in one
process, so that both see the same machine; their ratio says what the environment costs.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from ..agents.seats import sb3_vec_env


class TrivialVecEnv(VecEnv):
    """Games that never change and never end.

    Parameters
    ----------
    like : VecEnv
        Whose spaces, first observations and masks it has.
    """

    def __init__(self, like: VecEnv) -> None:
        self.render_mode = None
        super().__init__(like.num_envs, like.observation_space, like.action_space)
        like.seed(0)
        self._obs = np.array(like.reset())
        self._masks = [np.array(mask) for mask in like.env_method("action_masks")]
        self._rewards = np.zeros(self.num_envs, np.float32)
        self._dones = np.zeros(self.num_envs, np.bool_)

    def reset(self) -> NDArray[np.float32]:
        """Return the observations."""
        return self._obs

    def step_async(self, actions: NDArray[Any]) -> None:
        """Forget the actions."""

    def step_wait(self) -> VecEnvStepReturn:
        """Return the observations again, without a reward or an end."""
        return self._obs, self._rewards, self._dones, [{} for _ in range(self.num_envs)]

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Return the masks."""
        return self._masks

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of this object for each game."""
        value = self.env_method if attr_name == "action_masks" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Forget the value."""

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """Say no."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing."""


class _Stopwatch(BaseCallback):
    """Takes the time of each rollout."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []
        self._start = 0.0

    def _on_rollout_start(self) -> None:
        self._start = time.perf_counter()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.seconds.append(time.perf_counter() - self._start)


@dataclass(frozen=True)
class Collection:
    """What was measured.

    Attributes
    ----------
    ratio : float
        Median over the rounds of game / floor, each measured back to back.
    game, floor : float
        Median decisions of the learner in a second.
    """

    ratio: float
    game: float
    floor: float


def sb3_collection_ratio(
    game: str = "fossil",
    num_envs: int = 64,
    num_steps: int = 16,
    rounds: int = 25,
    opponents: str | Sequence[str] = "random",
    hidden: Sequence[int] = (64, 64),
    **options: Any,
) -> Collection:
    """Measure how fast MaskablePPO collects on a game, relative to games that do nothing.

    Parameters
    ----------
    game : str
    num_envs : int
        Games side by side.
    num_steps : int
        Decisions of each game in a rollout; short ones are disturbed less by other processes.
    rounds : int
        Rollouts of each that are measured; one more of each comes before them.
    opponents : str or sequence of str
        Specs.
    hidden : sequence of int
        Layers of the network; the default is the library's own.
    **options : object
        As in `bonebed.agents.seats.sb3_vec_env`.

    Returns
    -------
    Collection
    """
    env = sb3_vec_env(game, num_envs, opponents, **options)
    floor = TrivialVecEnv(env)
    models = [_model(each, num_steps, hidden) for each in (env, floor)]
    watches = [_Stopwatch(), _Stopwatch()]
    for first in (True, *[False] * rounds):
        for model, watch in zip(models, watches, strict=True):
            model.learn(num_envs * num_steps, callback=watch, reset_num_timesteps=first)
    pairs = list(zip(watches[0].seconds[1:], watches[1].seconds[1:], strict=True))
    decisions = num_envs * num_steps
    return Collection(
        ratio=statistics.median(floor_s / game_s for game_s, floor_s in pairs),
        game=decisions / statistics.median(game_s for game_s, _ in pairs),
        floor=decisions / statistics.median(floor_s for _, floor_s in pairs),
    )


def _model(env: VecEnv, num_steps: int, hidden: Sequence[int]) -> MaskablePPO:
    """Make a model that learns as little as possible: one gradient step after each rollout."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=num_steps,
        batch_size=env.num_envs * num_steps,
        n_epochs=1,
        policy_kwargs={"net_arch": list(hidden)},
        seed=0,
        device="cpu",
    )


if __name__ == "__main__":
    print(sb3_collection_ratio())
