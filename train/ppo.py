"""Masked self-play PPO on the native batch: any game, any number of players.

    bonebed train ppo --game fossil --folder runs/fossil --minutes 30
    tensorboard --logdir runs/fossil/tensorboard
    bonebed evaluate fossil --agents network:path=runs/fossil,greedy

All seats learn. An observation shows its own seat first, so the same network plays each of them;
what happens to a seat between two of its own decisions, also by others' moves and up to the end of
the game, is the reward of the first (`learning.turn_based_gae`). The rewards are the outcome in
[-1, 1] at the end and, to make learning faster, the seat's margin in points as it changes, measured
in deviations of the margin of random play (`Config.points_weight`). Settings, budget and
checkpoints are in `run.py`.

All chance comes from `seed` and the number of the update, none from a global generator, and nothing
but the updates before it decides what an update does. So a run with a budget of decisions that is
killed at any moment and resumed ends with the weights of an undisturbed run, bit for bit, on the
same machine with the same number of threads. With a budget of minutes the schedules follow the
clock, so no two runs are equal.

What TensorBoard shows, over the number of decisions learned from:

===========================  =======================================================================
strength/<opponent>          win rate of the likeliest actions; k winners of a game have 1 / k each;
                             several numbers of players have one each, as greedy_in_4
learning/policy_loss         PPO's clipped surrogate
learning/value_loss          mean squared error of the values, over the variance of the returns
learning/entropy             mean entropy of the policy, in nats
learning/approximate_kl      mean of (ratio - 1) - log ratio: how far an update moved the policy
learning/clip_fraction       part of the samples whose ratio left the clip range
learning/explained_variance  part of the returns' variance that the value told before the update
learning/gradient_norm       before clipping
learning/learning_rate       as scheduled
learning/entropy_bonus       as scheduled
learning/points_weight       as scheduled
games/length                 decisions for each game that ended
games/winner_points          mean of the highest final score of a game
games/mean_points            mean of the final scores of all seats
speed/decisions_per_second   learning included, evaluation left out
===========================  =======================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import torch
from torch import Tensor

from . import learning, loop
from . import run as runs
from .loop import Scalars
from .run import Run, Stream, generator, scheduled
from .steps import Decisions, Steps, lessons


@dataclass(frozen=True)
class Config(runs.Config):
    """Settings of a run."""

    trainer: ClassVar[str] = "ppo"
    entropy_bonus: float = 0.01
    """Weight of the entropy at the start; it falls to a tenth over the budget."""
    clip: float = 0.2
    """How far the ratio of new to old probability may leave 1."""
    discount: float = 1.0
    """Gamma, for each own decision."""
    points_weight: float = 0.5
    """Reward at the start for one deviation of random play's margin in points; 0 for the outcome
    alone."""
    points_until: float = 0.8
    """Part of the budget over which `points_weight` falls evenly to 0."""


def _settings(run: Run) -> Config:
    """Return a run's settings as those of this trainer."""
    assert isinstance(run.config, Config)
    return run.config


def points_weight(run: Run) -> float:
    """Let the reward for points fall evenly to 0.

    Parameters
    ----------
    run : Run

    Returns
    -------
    float
        What it is now.
    """
    config = _settings(run)
    left = 1.0 - runs.fraction(run) / config.points_until if config.points_until else 0.0
    return config.points_weight * max(0.0, left)


# --- an update ------------------------------------------------------------------------------------


@dataclass
class Samples(Decisions):
    """What an update learns from."""

    action: Tensor  # int64 (N,)
    log_probability: Tensor  # float32 (N,), when it was taken
    advantage: Tensor  # float32 (N,), normalised


@dataclass
class Rollout:
    """What the games did between two updates: T steps of B games."""

    observation: Tensor  # float32 (T, B, inputs)
    legal: Tensor  # bool (T, B, actions)
    action: Tensor  # int64 (T, B)
    log_probability: Tensor  # float32 (T, B), of the action
    steps: Steps


def empty_rollout(run: Run) -> Rollout:
    """Allocate a rollout, to be filled again and again.

    Parameters
    ----------
    run : Run

    Returns
    -------
    Rollout
        Its tensors lie on the run's device.
    """
    shape, device = (run.config.num_steps, run.config.num_envs), run.config.device
    return Rollout(
        observation=torch.empty((*shape, run.rules.obs_size), device=device),
        legal=torch.empty((*shape, run.rules.n_actions), dtype=torch.bool, device=device),
        action=torch.zeros(shape, dtype=torch.int64, device=device),
        log_probability=torch.empty(shape, device=device),
        steps=Steps.empty(run.games, run.config.num_steps),
    )


@torch.no_grad()
def collect(run: Run, rollout: Rollout) -> None:
    """Play a rollout.

    Parameters
    ----------
    run : Run
        Its games go on.
    rollout : Rollout, out
    """
    config, games, steps = run.config, run.games, rollout.steps
    luck = generator(config, Stream.PLAY, run.updates, config.device)
    others = generator(config, Stream.OPPONENTS, run.updates, config.device)
    weight = points_weight(run)
    for t in range(config.num_steps):
        observation, legal = rollout.observation[t], rollout.legal[t]
        games.present(observation, legal)
        who, mine = steps.note_turn(t, games)
        rows = torch.from_numpy(mine).to(config.device)
        logits, value = run.network(observation[rows], legal[rows])
        log_probabilities = learning.masked_log_probabilities(logits, legal[rows])
        action = learning.sample(log_probabilities, luck)
        rollout.action[t, rows] = action
        chance = log_probabilities.gather(1, action[:, None]).squeeze(1)
        rollout.log_probability[t, rows] = chance
        steps.note_values(t, games, mine, value.cpu().numpy())
        actions = rollout.action[t].cpu().numpy().copy()
        run.pool.decide(games, who, observation, legal, others, actions)
        games.step(actions)
        steps.note_results(t, games, weight, run.points_scale)


def learn(run: Run, rollout: Rollout) -> Scalars:
    """Improve the network by a rollout.

    Parameters
    ----------
    run : Run
    rollout : Rollout
        From `collect`.

    Returns
    -------
    dict of str to float
        What `learning/` shows of it.
    """
    config, device = _settings(run), run.config.device
    told = lessons(rollout.steps, run.games, runs.values_now(run), config.discount, config.trace)
    advantage = learning.normalised(told.advantage, told.known)
    data = Samples(
        observation=rollout.observation.flatten(0, 1),
        legal=rollout.legal.flatten(0, 1),
        action=rollout.action.flatten(),
        log_probability=rollout.log_probability.flatten(),
        advantage=torch.from_numpy(advantage).to(device),
        target=torch.from_numpy(told.target).to(device),
        there=torch.from_numpy(told.there).to(device),
    )
    bonus = scheduled(config.entropy_bonus, run)
    measured = [
        _gradient_step(run, data.take(part), bonus, told.variance)
        for part in runs.minibatches(run, torch.from_numpy(told.known))
    ]
    return {
        **loop.means(measured),
        "explained_variance": told.explained_variance,
        "entropy_bonus": bonus,
        "points_weight": points_weight(run),
    }


def _gradient_step(run: Run, data: Samples, bonus: float, variance: float) -> Scalars:
    """Take one step of the optimizer on a minibatch."""
    config = _settings(run)
    logits, value = run.network(data.observation, data.legal)
    log_probabilities = learning.masked_log_probabilities(logits, data.legal)
    log_probability = log_probabilities.gather(1, data.action[:, None]).squeeze(1)
    policy = learning.policy_loss(
        log_probability, data.log_probability, data.advantage, config.clip
    )
    value_loss = learning.value_loss(value, data.target, data.there) / variance
    entropy = learning.entropy(log_probabilities).mean()
    loss = policy + config.value_weight * value_loss - bonus * entropy
    norm = runs.optimize(run, loss)
    with torch.no_grad():
        log_ratio = log_probability - data.log_probability
        ratio = log_ratio.exp()
        return {
            "policy_loss": policy.item(),
            "value_loss": value_loss.item(),
            "entropy": entropy.item(),
            "approximate_kl": (ratio - 1.0 - log_ratio).mean().item(),
            "clip_fraction": ((ratio - 1.0).abs() > config.clip).float().mean().item(),
            "gradient_norm": norm,
        }


def play_and_learn(rollout: Rollout, run: Run) -> Scalars:
    """Play a rollout and learn from it.

    Parameters
    ----------
    rollout : Rollout
        Overwritten.
    run : Run

    Returns
    -------
    dict of str to float
        What `learning/` shows of it.
    """
    collect(run, rollout)
    return learn(run, rollout)


def begin(run: Run) -> tuple[loop.Learn, Steps]:
    """Allocate what an update needs.

    Parameters
    ----------
    run : Run

    Returns
    -------
    learn : callable
        Does one update of a run.
    steps : Steps
        What it fills.
    """
    rollout = empty_rollout(run)
    return partial(play_and_learn, rollout), rollout.steps


# --- the run --------------------------------------------------------------------------------------


def train(config: Config) -> None:
    """Train a network by self-play with masked PPO.

    Example: bonebed train ppo --game fossil --folder runs/fossil --minutes 30

    Parameters
    ----------
    config : Config

    Raises
    ------
    CheckpointError
        The run to be resumed cannot be, naming the file and the reason.
    ValueError
        A setting is not allowed, or the folder already holds a run.
    """
    loop.train(config, "PPO", begin)


if __name__ == "__main__":
    import tyro

    try:
        train(tyro.cli(Config))
    except ValueError as error:
        raise SystemExit(f"ppo: {error}") from None
