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
learning/value_loss          mean squared error of the value
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

import dataclasses
import sys
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..agents import network as networks
from . import checkpoint, learning, settings
from .games import LEARNER
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
    points_weight,
    prepare,
    remember,
    resumed,
    save,
    scheduled,
)
from .strength import Learner, Strength, measure, measure_seat

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
    target: Tensor  # float32 (N, P), of the values, own seat first
    there: Tensor  # bool (N, P), whether the game has so many seats

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
    value: FloatArray  # (T, B, P), of every seat, told by the one that decides
    seat: IntArray  # (T, B), which one that is
    learns: BoolArray  # (T, B), whether it is the learner's
    reward: FloatArray  # (T, B, P), of every seat
    done: BoolArray  # (T, B)
    final_score: list[IntArray]  # the games that ended, in parts (games, number of players)


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
    device, most_players = run.config.device, run.games.most_players
    return Rollout(
        observation=torch.empty((*shape, run.rules.obs_size), device=device),
        legal=torch.empty((*shape, run.rules.n_actions), dtype=torch.bool, device=device),
        action=torch.zeros(shape, dtype=torch.int64, device=device),
        log_probability=torch.empty(shape, device=device),
        value=np.zeros((*shape, most_players), np.float32),
        seat=np.empty(shape, np.int64),
        learns=np.empty(shape, np.bool_),
        reward=np.empty((*shape, most_players), np.float32),
        done=np.empty(shape, np.bool_),
        final_score=[],
    )


@dataclass
class Next:
    """What stands after a rollout, for each of B games."""

    seat: IntArray  # (B,), whose decision comes next
    value: FloatArray  # (B, P), the returns of all seats that it expects
    learns: BoolArray  # (B,), whether it is the learner's


@torch.no_grad()
def collect(run: Run, rollout: Rollout) -> Next:
    """Play a rollout.

    Parameters
    ----------
    run : Run
        Its games go on.
    rollout : Rollout, out

    Returns
    -------
    Next
    """
    config, games = run.config, run.games
    luck = generator(config, Stream.PLAY, run.updates, config.device)
    others = generator(config, Stream.OPPONENTS, run.updates, config.device)
    weight = points_weight(run)
    everything = np.arange(config.num_envs)
    rollout.final_score.clear()
    for t in range(config.num_steps):
        observation, legal = rollout.observation[t], rollout.legal[t]
        games.present(observation, legal)
        seat = games.to_play
        who = games.who[everything, seat]
        mine = np.flatnonzero(who == LEARNER)
        rows = torch.from_numpy(mine).to(config.device)
        logits, value = run.network(observation[rows], legal[rows])
        log_probabilities = learning.masked_log_probabilities(logits, legal[rows])
        action = learning.sample(log_probabilities, luck)
        chances = log_probabilities.gather(1, action[:, None]).squeeze(1)
        rollout.action[t, rows] = action
        rollout.log_probability[t, rows] = chances
        rollout.value[t, mine] = _by_seat(run, value, seat[mine], mine)
        rollout.seat[t], rollout.learns[t] = seat, who == LEARNER
        actions = rollout.action[t].cpu().numpy().copy()
        run.pool.decide(games, who, observation, legal, others, actions)
        games.step(actions)
        rollout.done[t] = games.done
        rollout.reward[t] = games.rewards(weight, run.points_scale)
        rollout.final_score += games.final_scores()
    # Fresh memory, not the rollout's: how an array lies can change the last bits of a sum.
    observation, legal = rollout.observation[0].clone(), rollout.legal[0].clone()
    games.present(observation, legal)
    seat = games.to_play
    _, value = run.network(observation, legal)
    learns = games.who[everything, seat] == LEARNER
    return Next(seat, _by_seat(run, value, seat, everything), learns)


def _by_seat(run: Run, value: Tensor, seat: IntArray, places: IntArray) -> FloatArray:
    """Turn values that begin with the own seat into values by seat, for some of the games."""
    table = value[:, : run.games.most_players].cpu().numpy()
    return learning.by_seat(table, seat, run.games.num_players[places])


def learn(run: Run, rollout: Rollout, after: Next) -> Scalars:
    """Improve the network by a rollout.

    Parameters
    ----------
    run : Run
    rollout : Rollout
    after : Next
        From `collect`.

    Returns
    -------
    dict of str to float
        What `learning/` shows of it.
    """
    config, device = run.config, run.config.device
    advantage, complete = learning.turn_based_gae(
        rollout.reward, rollout.seat, rollout.value, rollout.done, rollout.learns,
        after.seat, after.value, after.learns, config.discount, config.trace,
    )  # fmt: skip
    most_players = run.games.most_players
    seat, num_players = rollout.seat.ravel(), np.tile(run.games.num_players, config.num_steps)
    own = np.arange(len(seat)), seat
    target = (advantage + rollout.value).reshape(-1, most_players)
    known = complete.ravel()
    advantages = advantage.reshape(-1, most_players)[own]
    data = Samples(
        observation=rollout.observation.flatten(0, 1),
        legal=rollout.legal.flatten(0, 1),
        action=rollout.action.flatten(),
        log_probability=rollout.log_probability.flatten(),
        advantage=torch.from_numpy(learning.normalised(advantages, known)).to(device),
        target=torch.from_numpy(learning.from_seat(target, seat, num_players)).to(device),
        there=torch.from_numpy(np.arange(most_players) < num_players[:, None]).to(device),
    )
    chosen = torch.from_numpy(np.flatnonzero(known))
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
    value = rollout.value.reshape(-1, most_players)[own]
    explained = learning.explained_variance(value[known], target[own][known])
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
    error = (value[:, : data.target.shape[1]] - data.target) * data.there
    value_loss = error.square().sum() / data.there.sum()
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
    scalars["learning/points_weight"] = points_weight(run)
    learned = learn(run, rollout, collect(run, rollout))
    run.updates += 1
    run.decisions += int(rollout.learns.sum())
    remember(run)
    scalars |= {f"learning/{name}": value for name, value in learned.items()}
    if ended := sum(map(len, rollout.final_score)):
        scalars["games/length"] = rollout.done.size / ended
        best = [points.max(axis=1) for points in rollout.final_score]
        scalars["games/winner_points"] = float(np.concatenate(best).mean())
        every = [points.ravel() for points in rollout.final_score]
        scalars["games/mean_points"] = float(np.concatenate(every).mean())
    learned_from = int(rollout.learns.sum())
    scalars["speed/decisions_per_second"] = learned_from / (time.monotonic() - began)
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
    config, player = run.config, Learner(run.network)
    seed = draw(config, Stream.EVALUATION, 0)
    found = []
    for variant in settings.variants(config):
        about = (config.opponents, config.game, variant, config.evaluation_games, seed)
        past = run.decisions, run.seconds
        if config.seat is None:
            found += measure(player, *about, *past)
        else:
            found += measure_seat(player, config.seat, *about, *past)
    return found


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
