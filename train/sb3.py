"""MaskablePPO of sb3-contrib on any game: one seat learns, given agents play the others.

    bonebed train sb3 --game fossil --opponents greedy --folder runs/sb3 --minutes 5
    tensorboard --logdir runs/sb3/tensorboard
    bonebed evaluate fossil --agents sb3:path=runs/sb3,greedy

The trainer is the library's own; what is native is the environment under it, which plays all games
and all opponents with a compiled policy in one call a step (`bonebed.envs.sb3`). What TensorBoard
shows are the library's names and `strength/<opponent>`, over the number of decisions learned from.

Stable-Baselines3 draws from the global generators of NumPy and torch, which `seed` seeds. Runs with
a budget of decisions can be repeated on the same machine with the same number of threads; a run
that was killed leaves its last model, but cannot be gone on with exactly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger

from ..agents import sb3 as models
from ..agents.base import BatchedAgent
from ..agents.seats import sb3_vec_env
from ..envs import table
from ..envs.sb3 import SeatVecEnv
from ..kernels.rng import bits
from . import settings
from .report import Report
from .run import Stream
from .strength import Strength, measure

FOREVER = 2**62  # decisions, where the clock is the budget
NOT_SAVED = ("learning_rate", "lr_schedule", "_last_obs", "_last_episode_starts")


@dataclass(frozen=True)
class Config:
    """Settings of a run."""

    game: str = "fossil"
    """Name of the game."""
    num_players: int | None = None
    """Seats of a game, by default as many as the game has by default."""
    options: tuple[str, ...] = ()
    """Further options of the game, as name=value, or several separated by commas."""
    opponents: tuple[str, ...] = ("random",)
    """Agents on the other seats: one for all of them, or one for each in turn order."""
    seat: int | None = None
    """The learner's seat; without it a new one for every game."""
    reward: str = "outcome"
    """What is learned: outcome, points or margin."""
    folder: Path = Path("runs/sb3")
    """Where the model and the logs go."""
    minutes: float | None = None
    """Budget on the clock; 5 where no budget is given."""
    total_decisions: int | None = None
    """Budget of the learner's decisions."""
    seed: int = 0
    """All chance of the run follows from it; below 2**32, as NumPy's generator wants it."""
    device: str = "cpu"
    """Where the network lives: cpu, cuda, cuda:1."""
    threads: int = 1
    """Threads of the network on the CPU; 0 for one. What more do is told at `train ppo`."""
    num_envs: int = 64
    """Games side by side."""
    num_steps: int = 64
    """Decisions of each game between two updates."""
    epochs: int = 4
    """Passes over the samples of an update."""
    minibatch_size: int = 1024
    """Samples of one gradient step."""
    learning_rate: float = 5e-4
    """Of Adam at the start; it falls to a tenth over the budget."""
    entropy_bonus: float = 0.01
    """Weight of the entropy."""
    clip: float = 0.2
    """How far the ratio of new to old probability may leave 1."""
    value_weight: float = 0.5
    """Weight of the value's loss."""
    discount: float = 1.0
    """Gamma, for each decision of the learner."""
    trace: float = 0.95
    """Lambda of the advantage estimate, for each decision of the learner."""
    hidden: tuple[int, ...] = (256, 256)
    """Sizes of the layers, of the policy and again of the value."""
    evaluations: int = 5
    """How many measurements of the strength, evenly over the budget; 0 for none."""
    evaluation_games: int = 200
    """Games of each."""
    save_seconds: float = 60.0
    """Least time between two saves of the model; it is always saved at the end."""


class Learner(BatchedAgent):
    """A model in memory as a player, always choosing the likeliest action."""

    name = "sb3"

    def __init__(self, model: MaskablePPO) -> None:
        self._model = model

    def act_many(self, views: Any) -> Any:
        """Choose an action for each of several games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)
        """
        return models.choose(self._model, views, temperature=0.0)


class Run(BaseCallback):
    """What a run does beside learning: it minds the budget, measures the strength and saves.

    Parameters
    ----------
    config : Config
    options : dict
        Of the game, `num_players` among them.
    report : Report
    """

    def __init__(self, config: Config, options: dict[str, Any], report: Report) -> None:
        super().__init__()
        self.config = config
        self.options = options
        self.report = report
        self.strength: list[Strength] = []
        self.measurements = 0
        self.started = self.saved = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the start, evaluations included."""
        return time.monotonic() - self.started

    def fraction(self) -> float:
        """Tell how much of the budget is used.

        Returns
        -------
        float
            0 to 1.
        """
        config = self.config
        decisions = self.num_timesteps if config.total_decisions is not None else 0
        parts = [decisions / (config.total_decisions or 1)]
        if config.minutes is not None or config.total_decisions is None:
            minutes = 5.0 if config.minutes is None else config.minutes
            parts.append(self.seconds / (60.0 * minutes))
        return min(1.0, max(parts))

    def learning_rate(self, _: float) -> float:
        """Let the learning rate fall evenly to a tenth over the budget.

        Parameters
        ----------
        _ : float
            What the library thinks is left of its own budget.

        Returns
        -------
        float
            What it is now.
        """
        return self.config.learning_rate * (1.0 - 0.9 * self.fraction())

    def _on_training_start(self) -> None:
        """Start the clock: what was compiled and set up before it does not count."""
        self.started = self.saved = time.monotonic()

    def _on_step(self) -> bool:
        """Stop, if need be in the middle of a rollout, when the clock has run out."""
        return self.fraction() < 1.0

    def _on_rollout_end(self) -> None:
        """Measure and save where it is due."""
        part = self.fraction()
        if part < 1.0 and part * self.config.evaluations >= self.measurements + 1:
            self.measure()
        if time.monotonic() - self.saved >= self.config.save_seconds:
            self.save()

    def _on_training_end(self) -> None:
        """Measure and save at the end."""
        if self.config.evaluations > self.measurements:
            self.measure()
        self.save()

    def measure(self) -> None:
        """Play against the opponents of the training, always on the same deals."""
        self.measurements = int(self.fraction() * self.config.evaluations)
        assert isinstance(self.model, MaskablePPO)
        measured = measure(
            Learner(self.model),
            tuple(dict.fromkeys(self.config.opponents)),
            self.config.game,
            self.options,
            self.config.evaluation_games,
            int(bits(np.uint64(self.config.seed), Stream.EVALUATION.value, 0)) >> 1,
            self.num_timesteps,
            self.seconds,
        )
        self.strength += measured
        self.report.strength(self.num_timesteps, measured)

    def save(self) -> None:
        """Write the model; a reader sees the old one or the new one, never a part."""
        self.saved = time.monotonic()
        folder = self.config.folder
        unfinished = folder / f".{models.MODEL}"
        self.model.save(unfinished, exclude=NOT_SAVED)
        unfinished.replace(folder / models.MODEL)


class Curves(KVWriter):
    """Hands what the library logs to the report.

    Parameters
    ----------
    run : Run
    """

    def __init__(self, run: Run) -> None:
        self.run = run

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Show the values of an update.

        Parameters
        ----------
        key_values : dict of str to object
            Only numbers are shown.
        key_excluded : dict of str to tuple of str
            Where a value is not to be shown.
        step : int
            Decisions learned from so far.
        """
        scalars = {
            key: float(value)
            for key, value in key_values.items()
            if isinstance(value, int | float) and "tensorboard" not in key_excluded[key]
        }
        scalars["speed/decisions_per_second"] = step / max(self.run.seconds, 1e-9)
        self.run.report.update(self.run.fraction(), step, scalars)

    def close(self) -> None:
        """Do nothing: the report closes itself."""


def make_model(config: Config, env: SeatVecEnv, run: Run) -> MaskablePPO:
    """Set the library's algorithm up, untrained.

    Parameters
    ----------
    config : Config
    env : SeatVecEnv
    run : Run

    Returns
    -------
    MaskablePPO
    """
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=run.learning_rate,
        n_steps=config.num_steps,
        batch_size=config.minibatch_size,
        n_epochs=config.epochs,
        gamma=config.discount,
        gae_lambda=config.trace,
        clip_range=config.clip,
        ent_coef=config.entropy_bonus,
        vf_coef=config.value_weight,
        policy_kwargs={"net_arch": list(config.hidden), "activation_fn": torch.nn.ReLU},
        seed=config.seed,
        device=config.device,
    )
    model.set_logger(Logger(None, [Curves(run)]))
    return model


def train(config: Config) -> None:
    """Train with MaskablePPO of Stable-Baselines3 against given agents.

    Example: bonebed train sb3 --opponents greedy --minutes 5 --folder runs/sb3

    Parameters
    ----------
    config : Config

    Raises
    ------
    ValueError
        A setting is not allowed, or the folder already holds a run.
    """
    if (config.folder / models.MODEL).exists():
        raise ValueError(f"{config.folder} holds a run already: name another --folder")
    settings.check(config)
    if config.seed >= 2**32:
        raise ValueError(f"seed is {config.seed}; allowed: a whole number from 0 to 2**32 - 1")
    samples, size = config.num_envs * config.num_steps, config.minibatch_size
    if size == 1 or samples % size == 1:  # the library scales by a deviation, which one has not
        raise ValueError(
            f"minibatch_size is {size}; allowed: 2 or more, and no 1 of {samples} left"
        )
    torch.set_num_threads(config.threads or 1)
    options = settings.game_options(config)
    one = len(config.opponents) == 1
    env = sb3_vec_env(
        config.game,
        config.num_envs,
        config.opponents[0] if one else config.opponents,
        seat=config.seat,
        reward=config.reward,
        **options,
    )
    config.folder.mkdir(parents=True, exist_ok=True)
    title = f"{table.rules(config.game).title}, MaskablePPO"
    with Report(config.folder, title, 0, []) as report:
        run = Run(config, options, report)
        make_model(config, env, run).learn(
            config.total_decisions or FOREVER, callback=run, log_interval=1
        )
    print(f"The model is in {config.folder}: play it as sb3:path={config.folder}")


if __name__ == "__main__":
    try:
        tyro.cli(train, config=(tyro.conf.OmitArgPrefixes,))
    except ValueError as error:
        raise SystemExit(f"sb3: {error}") from None
