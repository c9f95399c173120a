"""Masked self-play PPO on the native batch: any game, any number of players.

    bonebed train ppo --game fossil --folder runs/fossil --minutes 30
    tensorboard --logdir runs/fossil/tensorboard
    bonebed evaluate fossil --agents network:path=runs/fossil,greedy

All seats learn. An observation shows its own seat first, so the same network plays each of them;
what happens to a seat between two of its own decisions, also by others' moves and up to the end of
the game, is the reward of the first (`learning.turn_based_gae`). The rewards are the outcome in
[-1, 1] at the end and, to make learning faster, the seat's margin in points as it changes, measured
in deviations of the margin of random play (`Config.points_weight`).

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
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .. import __version__
from ..agents import agent
from ..agents import network as networks
from ..agents.network import CheckpointError, Layout, Network
from ..envs import table
from ..kernels import batch as batches
from ..kernels import rng
from ..kernels.rules import Rules
from . import checkpoint, learning
from .learning import BoolArray, FloatArray, IntArray
from .report import Report
from .strength import Learner, Strength, measure

Scalars = dict[str, float]


class Stream(IntEnum):
    """Streams of a run's chance, numbered apart from those of games and drivers."""

    WEIGHTS = 2000  # the first weights
    PLAY = 2001  # actions of the rollouts
    SHUFFLE = 2002  # order of the samples
    GAMES = 2003  # seeds of the games played
    EVALUATION = 2004  # seeds of the games of evaluations
    SCALE = 2005  # random games that set the scale of points


@dataclass(frozen=True)
class Config:
    """Settings of a run."""

    game: str = "fossil"
    """Name of the game."""
    num_players: int = 2
    """Seats of a game; all of them learn."""
    options: tuple[str, ...] = ()
    """Further options of the game, as name=value."""
    folder: Path = Path("runs/ppo")
    """Where checkpoints and logs go."""
    minutes: float | None = None
    """Budget on the clock; 10 where no budget is given."""
    total_decisions: int | None = None
    """Budget of decisions; with it alone a run can be repeated exactly."""
    resume: bool = False
    """Go on with the run in `folder`; budget, device and threads may be given anew."""
    seed: int = 0
    """All chance of the run follows from it."""
    device: str = "cpu"
    """Where the network lives: cpu, cuda, cuda:1."""
    threads: int = 0
    """Threads of the network on the CPU; 0 for one or, resuming, as many as before. A second one
    made Fossil's run 1.25 times as fast, and 10 times slower when the cores had other work."""
    num_envs: int = 256
    """Games side by side."""
    num_steps: int = 64
    """Decisions of each game between two updates."""
    epochs: int = 3
    """Passes over the samples of an update."""
    minibatch_size: int = 512
    """Samples of one gradient step, about."""
    learning_rate: float = 1e-3
    """Of Adam at the start; it falls to a tenth over the budget."""
    entropy_bonus: float = 0.01
    """Weight of the entropy at the start; it falls to a tenth over the budget."""
    clip: float = 0.2
    """How far the ratio of new to old probability may leave 1."""
    value_weight: float = 0.5
    """Weight of the value's loss."""
    max_gradient_norm: float = 0.5
    """Longer gradients are shortened to it."""
    discount: float = 1.0
    """Gamma, for each own decision."""
    trace: float = 0.95
    """Lambda of the advantage estimate, for each own decision."""
    points_weight: float = 0.5
    """Reward for one deviation of random play's margin in points; 0 for the outcome alone."""
    hidden: tuple[int, ...] = (128, 128)
    """Sizes of the trunk's layers."""
    scorer: int = 32
    """Size of the scorers of single actions; 0 for none."""
    opponents: tuple[str, ...] = ("random", "greedy")
    """Whom to measure the strength against; the progress bar shows the last one."""
    evaluations: int = 20
    """How many measurements over the budget, besides the one at its start; 0 for none."""
    evaluation_games: int = 200
    """Games of each."""
    checkpoint_seconds: float = 60.0
    """Least time between checkpoints; one is always written at the end."""
    keep: int = 3
    """How many checkpoints to keep."""


@dataclass
class Run:
    """A run in memory: what a checkpoint holds."""

    config: Config
    rules: Rules
    batch: batches.Batch
    network: Network
    optimizer: torch.optim.Optimizer
    points_scale: float  # points of margin that are worth `points_weight`
    updates: int = 0
    decisions: int = 0
    seconds: float = 0.0  # on the clock, evaluations included
    strength: list[Strength] = field(default_factory=list)  # the evaluations so far


# --- start ----------------------------------------------------------------------------------------


def game_options(rules: Rules, config: Config) -> dict[str, Any]:
    """Read the game's options from `num_players` and the texts of `options`."""
    options: dict[str, Any] = {"num_players": config.num_players}
    for text in config.options:
        name, _, value = text.partition("=")
        choices = {str(c).lower(): c for o in rules.options if o.name == name for c in o.choices}
        options[name] = choices.get(value.lower(), value)  # `make_options` refuses what is none
    checked: dict[str, Any] = rules.options_dict(rules.make_options(**options))
    return checked


def check(config: Config) -> None:
    """Refuse settings that are not allowed; ValueError names the setting and the reason."""
    for name in ("num_envs", "num_steps", "epochs", "minibatch_size", "evaluation_games", "keep"):
        batches.checked_count(name, getattr(config, name))
    for name in ("minutes", "total_decisions"):
        if (budget := getattr(config, name)) is not None and not budget > 0:
            raise ValueError(f"{name} is {budget}; allowed: more than 0")
    if not config.hidden or min(config.hidden) < 1:
        raise ValueError(f"hidden is {config.hidden}; allowed: one or more sizes of 1 or more")
    try:
        torch.empty(0, device=config.device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"device is {config.device!r}, which PyTorch refuses: {reason}") from error
    for opponent in config.opponents:
        agent(opponent, config.game)


def prepare(config: Config) -> Run:
    """Set a run up, untrained."""
    check(config)
    config = dataclasses.replace(config, threads=config.threads or 1)
    torch.set_num_threads(config.threads)
    rules = table.rules(config.game)
    options = rules.make_options(**game_options(rules, config))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(draw(config, Stream.WEIGHTS, 0))
        network = Network(Layout.of(rules), config.hidden, config.scorer)
    network = network.to(config.device)
    optimizer = torch.optim.Adam(
        network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True
    )
    batch = batches.Batch(rules, options, config.num_envs, seed=draw(config, Stream.GAMES, 0))
    sample = batches.random_games(rules, options, 1000, seed=draw(config, Stream.SCALE, 0))
    scale = max(1.0, float(margins(sample.score).std()))
    return Run(config, rules, batch, network, optimizer, scale)


def draw(config: Config, stream: Stream, number: int) -> int:
    """Return 63 bits of chance of the run: a number of a stream."""
    return int(rng.bits(np.uint64(config.seed), int(stream), number)) >> 1


def generator(config: Config, stream: Stream, number: int, device: str) -> torch.Generator:
    """Return a fresh generator for one update."""
    return torch.Generator(device).manual_seed(draw(config, stream, number))


def margins(points: IntArray) -> FloatArray:
    """Return each seat's points less the mean of the others': (N, P) to float32 (N, P)."""
    n = points.shape[1]
    others = (points.sum(axis=1, keepdims=True) - points) / (n - 1)
    return np.asarray(points - others, np.float32)


def fraction(run: Run) -> float:
    """Return how much of the budget is used: 0 to 1."""
    return fraction_at(run.config, run.decisions, run.seconds)


def fraction_at(config: Config, decisions: int, seconds: float) -> float:
    """Return how much of the budget was used after so much training."""
    parts = [0.0]
    if config.total_decisions is not None:
        parts.append(decisions / config.total_decisions)
    if (budget := minutes(config)) is not None:
        parts.append(seconds / (60.0 * budget))
    return min(1.0, max(parts))


def minutes(config: Config) -> float | None:
    """Return the budget on the clock, if there is one."""
    if config.minutes is None and config.total_decisions is None:
        return 10.0
    return config.minutes


def scheduled(start: float, run: Run) -> float:
    """Return a setting that falls evenly to a tenth over the budget."""
    return start * (1.0 - 0.9 * fraction(run))


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
        """Return some of the samples."""
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
    """Allocate a rollout, to be filled again and again."""
    shape = (run.config.num_steps, run.config.num_envs)
    device = run.config.device
    return Rollout(
        observation=torch.empty((*shape, run.rules.obs_size), device=device),
        legal=torch.empty((*shape, run.rules.n_actions), dtype=torch.bool, device=device),
        action=torch.empty(shape, dtype=torch.int64, device=device),
        log_probability=torch.empty(shape, device=device),
        value=np.empty(shape, np.float32),
        seat=np.empty(shape, np.int64),
        reward=np.empty((*shape, run.config.num_players), np.float32),
        done=np.empty(shape, np.bool_),
        final_score=[],
    )


@torch.no_grad()
def collect(run: Run, rollout: Rollout) -> tuple[IntArray, FloatArray]:
    """Play a rollout; return whose decision comes next in each game and what it is worth."""
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
    """Return what the last step of the batch was worth to every seat: float32 (B, P)."""
    batch = run.batch
    earned = margins(batch.gain) * np.float32(run.config.points_weight / run.points_scale)
    earned[batch.done] += batch.final_outcome[batch.done]
    return earned


def learn(run: Run, rollout: Rollout, next_seat: IntArray, next_value: FloatArray) -> Scalars:
    """Improve the network by a rollout; return what `learning/` shows of it."""
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
            measured.append(gradient_step(run, data.take(part), bonus))
    means = np.mean([list(step.values()) for step in measured], axis=0)
    explained = learning.explained_variance(value[complete], (advantage + value)[complete])
    return {
        **dict(zip(measured[0], means.tolist(), strict=True)),
        "explained_variance": explained,
    }


def gradient_step(run: Run, data: Samples, bonus: float) -> Scalars:
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
    """Play a rollout, learn from it and count both; return what TensorBoard shows of it."""
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
    """Measure the strength now, always on the same deals; nothing of the run is used up."""
    return measure(
        Learner(run.network),
        run.config.opponents,
        run.config.game,
        game_options(run.rules, run.config),
        run.config.evaluation_games,
        draw(run.config, Stream.EVALUATION, 0),
        run.decisions,
        run.seconds,
    )


def measure_if_due(run: Run, report: Report) -> None:
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


# --- checkpoints ----------------------------------------------------------------------------------


def card(run: Run) -> dict[str, Any]:
    """Say what a checkpoint of the run is: all that is no array."""
    settings = dataclasses.asdict(run.config)
    del settings["folder"], settings["resume"]
    return {
        "format": networks.FORMAT,
        "made_by": f"bonebed {__version__}, train ppo, torch {torch.__version__}",
        "game": run.rules.name,
        "options": game_options(run.rules, run.config),
        "rules_hash": run.rules.rules_hash,
        "sheet_hash": run.rules.sheet.hash,
        "layout": run.network.layout.to_json(),
        "network": run.network.shape(),
        "config": settings,
        "updates": run.updates,
        "decisions": run.decisions,
        "seconds": run.seconds,
        "strength": run.strength,
    }


def save(run: Run) -> Path:
    """Write a checkpoint."""
    memory = checkpoint.arrays_of_optimizer(run.optimizer)
    games = {name: checkpoint.bytes_of_record(a) for name, a in run.batch.save().items()}
    training = {f"optimizer.{k}": a for k, a in memory.items()}
    training |= {f"games.{k}": a for k, a in games.items()}
    weights = run.network.state_dict()
    folder = run.config.folder
    return checkpoint.write(folder, run.updates, card(run), weights, training, run.config.keep)


def resumed(given: Config) -> Run:
    """Read back the last checkpoint of a run, exactly as it was."""
    source = networks.latest(given.folder)
    stored = networks.read_card(source)
    config = settings_of(stored, given, source)
    rules = table.rules(config.game)
    networks.check_card(source, stored, rules)
    run = prepare(config)
    run.network.load_state_dict(networks.network_of(source, stored).state_dict())
    arrays = networks.read_arrays(source, checkpoint.TRAINING, stored)
    file = source / checkpoint.TRAINING
    parts: dict[str, dict[str, Tensor]] = {"optimizer": {}, "games": {}}
    for key, array in arrays.items():
        part, _, name = key.partition(".")
        parts[part][name] = array
    checkpoint.fill_optimizer(run.optimizer, parts["optimizer"], file)
    run.batch.load(
        {
            name: checkpoint.record_of_bytes(parts["games"][name], like, f"{file}: {name}")
            for name, like in run.batch.save().items()
        }
    )
    run.updates, run.decisions = stored["updates"], stored["decisions"]
    run.seconds, run.strength = stored["seconds"], stored["strength"]
    return run


def settings_of(stored: dict[str, Any], given: Config, source: Path) -> Config:
    """Return the settings of a stored run, with those that a resumed run may change."""
    try:
        known = {name: _without_lists(value) for name, value in stored["config"].items()}
        known |= {"folder": given.folder, "resume": True}
        config = Config(**known)
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(
            f"{source / networks.CARD}: no settings of train ppo: {error}"
        ) from error
    changed: dict[str, Any] = {"device": given.device}
    if given.minutes is not None or given.total_decisions is not None:
        changed |= {"minutes": given.minutes, "total_decisions": given.total_decisions}
    if given.threads:
        changed["threads"] = given.threads
    return dataclasses.replace(config, **changed)


def _without_lists(value: Any) -> Any:
    """Turn a list, which JSON made of a tuple, back into one."""
    return tuple(value) if isinstance(value, list) else value


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
    run = begin(config)
    try:
        improve(run)
    except KeyboardInterrupt:
        again = f"bonebed train ppo --folder {config.folder} --resume"
        print(f"Stopped. This goes on from the last checkpoint: {again}", file=sys.stderr)
        raise


def improve(run: Run) -> None:
    """Update, measure and save until the budget is used up."""
    rollout = empty_rollout(run)
    title = f"{run.rules.title}, PPO"
    start = time.monotonic() - run.seconds
    saved = time.monotonic()
    with Report(run.config.folder, title, run.decisions, run.strength) as report:
        measure_if_due(run, report)
        while fraction(run) < 1.0:
            scalars = update(run, rollout)
            run.seconds = time.monotonic() - start
            report.update(fraction(run), run.decisions, scalars)
            measure_if_due(run, report)  # before saving, so that no resumed run measures it again
            if fraction(run) < 1.0 and time.monotonic() - saved >= run.config.checkpoint_seconds:
                save(run)
                saved = time.monotonic()
    if networks.latest(run.config.folder).name != checkpoint.name_of(run.updates):
        save(run)


def begin(config: Config) -> Run:
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
