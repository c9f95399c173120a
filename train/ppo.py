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
strength/<opponent>          win rate of the likeliest actions; k winners of a game have 1 / k each
learning/policy_loss         PPO's clipped surrogate
learning/value_loss          mean squared error of the value
learning/entropy             mean entropy of the policy, in nats
learning/approximate_kl      mean of (ratio - 1) - log ratio: how far an update moved the policy
learning/clip_fraction       part of the samples whose ratio left the clip range
learning/explained_variance  part of the returns' variance that the value told before the update
learning/gradient_norm       before clipping
learning/learning_rate       as scheduled
learning/entropy_bonus       as scheduled
games/length                 decisions for each game that ended
games/winner_points          mean of the highest final score of a game
games/mean_points            mean of the final scores of all seats
speed/decisions_per_second   learning included, evaluation left out
===========================  =======================================================================
"""

from __future__ import annotations

import dataclasses
import sys
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..agents import network as networks
from . import checkpoint, learning, settings
from .learning import BoolArray, FloatArray, IntArray
from .report import Report
from .run import (
    Config,
    Run,
    Stream,
    draw,
    fraction,
    fraction_at,
    generator,
    margins,
    prepare,
    resumed,
    save,
    scheduled,
)
from .strength import Learner, Strength, measure

Scalars = dict[str, float]

# --- an update ------------------------------------------------------------------------------------


@dataclass
class Samples:
    """What an update learns from, laid flat: N decisions of any seats."""

    observation: Tensor  # float32 (N, inputs)
    legal: Tensor  # bool (N, actions)
    action: Tensor  # int64 (N,)
    log_probability: Tensor  # float32 (N,), when it was taken
    advantage: Tensor  # float32 (N,), normalised
    target: Tensor  # float32 (N,), of the value

    def take(self, chosen: Tensor) -> Samples:
        """Pick some of the samples.

        Parameters
        ----------
        chosen : int64 Tensor (M,)
            Their numbers.

        Returns
        -------
        Samples
            M of them, copied.
        """
        return Samples(*(getattr(self, f.name)[chosen] for f in dataclasses.fields(self)))


@dataclass
class Rollout:
    """What the games did between two updates: T steps of B games."""

    observation: Tensor  # float32 (T, B, inputs)
    legal: Tensor  # bool (T, B, actions)
    action: Tensor  # int64 (T, B)
    log_probability: Tensor  # float32 (T, B), of the action
    value: FloatArray  # (T, B), of the seat that decides
    seat: IntArray  # (T, B), which one that is
    reward: FloatArray  # (T, B, P), of every seat
    done: BoolArray  # (T, B)
    final_score: list[IntArray]  # for each step (games that ended, P)


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
    shape = (run.config.num_steps, run.config.num_envs)
    device = run.config.device
    return Rollout(
        observation=torch.empty((*shape, run.rules.obs_size), device=device),
        legal=torch.empty((*shape, run.rules.n_actions), dtype=torch.bool, device=device),
        action=torch.empty(shape, dtype=torch.int64, device=device),
        log_probability=torch.empty(shape, device=device),
        value=np.empty(shape, np.float32),
        seat=np.empty(shape, np.int64),
        reward=np.empty((*shape, run.batch.num_players), np.float32),
        done=np.empty(shape, np.bool_),
        final_score=[],
    )


@torch.no_grad()
def collect(run: Run, rollout: Rollout) -> tuple[IntArray, FloatArray]:
    """Play a rollout.

    Parameters
    ----------
    run : Run
        Its games go on.
    rollout : Rollout, out

    Returns
    -------
    next_seat : int64 (B,)
        Whose decision comes next in each game.
    next_value : float32 (B,)
        The estimated return of that seat.
    """
    config, batch = run.config, run.batch
    luck = generator(config, Stream.PLAY, run.updates, config.device)
    rollout.final_score.clear()
    for t in range(config.num_steps):
        rollout.observation[t].copy_(torch.from_numpy(batch.obs))
        rollout.legal[t].copy_(torch.from_numpy(batch.mask))
        logits, value = run.network(rollout.observation[t], rollout.legal[t])
        log_probabilities = learning.masked_log_probabilities(logits, rollout.legal[t])
        action = learning.sample(log_probabilities, luck)
        rollout.action[t] = action
        rollout.log_probability[t] = log_probabilities.gather(1, action[:, None]).squeeze(1)
        rollout.value[t] = value.cpu().numpy()
        rollout.seat[t] = batch.to_play
        batch.step(action.cpu().numpy())
        rollout.done[t] = batch.done
        rollout.reward[t] = rewards(run)
        rollout.final_score.append(batch.final_score[batch.done])
    # Copied, not shared: how an array lies in memory can change the last bits of a sum.
    last = (torch.tensor(array, device=config.device) for array in (batch.obs, batch.mask != 0))
    _, value = run.network(*last)
    return batch.to_play.copy(), value.cpu().numpy()


def rewards(run: Run) -> FloatArray:
    """Tell what the last step of the batch was worth to every seat.

    Parameters
    ----------
    run : Run

    Returns
    -------
    float32 (B, P)
        The gain in margin, in units of `points_weight`, and the outcome where a game ended.
    """
    batch = run.batch
    earned = margins(batch.gain) * np.float32(run.config.points_weight / run.points_scale)
    earned[batch.done] += batch.final_outcome[batch.done]
    return earned


def learn(run: Run, rollout: Rollout, next_seat: IntArray, next_value: FloatArray) -> Scalars:
    """Improve the network by a rollout.

    Parameters
    ----------
    run : Run
    rollout : Rollout
    next_seat, next_value : int64 (B,), float32 (B,)
        From `collect`.

    Returns
    -------
    dict of str to float
        What `learning/` shows of it.
    """
    config, device = run.config, run.config.device
    advantage, complete = learning.turn_based_gae(
        rollout.reward, rollout.seat, rollout.value, rollout.done,
        next_seat, next_value, config.discount, config.trace,
    )  # fmt: skip
    value = rollout.value
    data = Samples(
        observation=rollout.observation.flatten(0, 1),
        legal=rollout.legal.flatten(0, 1),
        action=rollout.action.flatten(),
        log_probability=rollout.log_probability.flatten(),
        advantage=torch.from_numpy(learning.normalised(advantage, complete).ravel()).to(device),
        target=torch.from_numpy((advantage + value).ravel()).to(device),
    )
    chosen = torch.from_numpy(np.flatnonzero(complete))
    bonus = scheduled(config.entropy_bonus, run)
    rate = scheduled(config.learning_rate, run)
    for group in run.optimizer.param_groups:
        group["lr"] = rate
    shuffle = generator(config, Stream.SHUFFLE, run.updates, "cpu")
    measured = []
    for _ in range(config.epochs):
        order = chosen[torch.randperm(len(chosen), generator=shuffle)].to(device)
        for part in order.chunk(max(1, round(len(order) / config.minibatch_size))):
            measured.append(_gradient_step(run, data.take(part), bonus))
    means = np.mean([list(step.values()) for step in measured], axis=0)
    explained = learning.explained_variance(value[complete], (advantage + value)[complete])
    return {
        **dict(zip(measured[0], means.tolist(), strict=True)),
        "explained_variance": explained,
    }


def _gradient_step(run: Run, data: Samples, bonus: float) -> Scalars:
    """Take one step of the optimizer on a minibatch."""
    config = run.config
    logits, value = run.network(data.observation, data.legal)
    log_probabilities = learning.masked_log_probabilities(logits, data.legal)
    log_probability = log_probabilities.gather(1, data.action[:, None]).squeeze(1)
    policy = learning.policy_loss(
        log_probability, data.log_probability, data.advantage, config.clip
    )
    value_loss = (value - data.target).square().mean()
    entropy = learning.entropy(log_probabilities).mean()
    loss = policy + config.value_weight * value_loss - bonus * entropy
    run.optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(run.network.parameters(), config.max_gradient_norm)
    run.optimizer.step()
    with torch.no_grad():
        log_ratio = log_probability - data.log_probability
        ratio = log_ratio.exp()
        return {
            "policy_loss": policy.item(),
            "value_loss": value_loss.item(),
            "entropy": entropy.item(),
            "approximate_kl": (ratio - 1.0 - log_ratio).mean().item(),
            "clip_fraction": ((ratio - 1.0).abs() > config.clip).float().mean().item(),
            "gradient_norm": norm.item(),
        }


def update(run: Run, rollout: Rollout) -> Scalars:
    """Play a rollout, learn from it and count both.

    Parameters
    ----------
    run : Run
    rollout : Rollout
        Overwritten.

    Returns
    -------
    dict of str to float
        What TensorBoard shows of it.
    """
    began = time.monotonic()
    before = {"learning_rate": run.config.learning_rate, "entropy_bonus": run.config.entropy_bonus}
    scalars = {f"learning/{name}": scheduled(start, run) for name, start in before.items()}
    next_seat, next_value = collect(run, rollout)
    learned = learn(run, rollout, next_seat, next_value)
    run.updates += 1
    run.decisions += rollout.done.size
    scalars |= {f"learning/{name}": value for name, value in learned.items()}
    final = np.concatenate(rollout.final_score)
    if len(final):
        scalars["games/length"] = rollout.done.size / len(final)
        scalars["games/winner_points"] = float(final.max(axis=1).mean())
        scalars["games/mean_points"] = float(final.mean())
    scalars["speed/decisions_per_second"] = rollout.done.size / (time.monotonic() - began)
    return scalars


def measured(run: Run) -> list[Strength]:
    """Measure the strength now, always on the same deals; nothing of the run is used up.

    Parameters
    ----------
    run : Run

    Returns
    -------
    list of Strength
        One for each opponent.
    """
    return measure(
        Learner(run.network),
        run.config.opponents,
        run.config.game,
        settings.game_options(run.config),
        run.config.evaluation_games,
        draw(run.config, Stream.EVALUATION, 0),
        run.decisions,
        run.seconds,
    )


def _measure_if_due(run: Run, report: Report) -> None:
    """Measure the strength at the start, at even parts of the budget, and at its end."""
    config = run.config
    if not config.evaluations or not config.opponents:
        return
    if run.strength:
        last = run.strength[-1]
        before = fraction_at(config, last["decisions"], last["seconds"])
        if int(fraction(run) * config.evaluations) <= int(before * config.evaluations):
            return
    strength = measured(run)
    run.strength += strength
    report.strength(run.decisions, strength)


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
    run = _begin(config)
    try:
        _improve(run)
    except KeyboardInterrupt:
        again = f"bonebed train ppo --folder {config.folder} --resume"
        print(f"Stopped. This goes on from the last checkpoint: {again}", file=sys.stderr)
        raise


def _improve(run: Run) -> None:
    """Update, measure and save until the budget is used up."""
    rollout = empty_rollout(run)
    title = f"{run.rules.title}, PPO"
    start = time.monotonic() - run.seconds
    saved = time.monotonic()
    with Report(run.config.folder, title, run.decisions, run.strength) as report:
        _measure_if_due(run, report)
        while fraction(run) < 1.0:
            scalars = update(run, rollout)
            run.seconds = time.monotonic() - start
            report.update(fraction(run), run.decisions, scalars)
            _measure_if_due(run, report)  # before saving, so that no resumed run measures it again
            if fraction(run) < 1.0 and time.monotonic() - saved >= run.config.checkpoint_seconds:
                save(run)
                saved = time.monotonic()
    if networks.latest(run.config.folder).name != checkpoint.name_of(run.updates):
        save(run)


def _begin(config: Config) -> Run:
    """Set a run up and save it, or read it back."""
    if config.resume:
        return resumed(config)
    if (config.folder / networks.CHECKPOINTS).exists():
        raise ValueError(
            f"{config.folder} holds a run already: add --resume to go on with it, "
            "or name another --folder"
        )
    run = prepare(config)
    save(run)
    return run


if __name__ == "__main__":
    import tyro

    try:
        train(tyro.cli(Config))
    except ValueError as error:
        raise SystemExit(f"ppo: {error}") from None
