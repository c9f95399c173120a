"""A run of a trainer in memory and on disk: its settings, chance, budget and checkpoints."""

from __future__ import annotations

import copy
import dataclasses
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from .. import __version__
from ..agents import automatic
from ..agents import network as networks
from ..agents.network import CheckpointError, Layout, Network
from ..envs import table
from ..kernels import batch as batches
from ..kernels import rng
from ..kernels.rules import Rules
from . import checkpoint, settings
from .games import Games, Pool, Seating, margins
from .learning import FloatArray
from .strength import Strength

APART = ("folder", "resume", "device", "threads")  # what a run learns does not follow from these
ANEW = ("folder", "resume", "minutes", "total_decisions", "device", "threads")  # when resuming


class Stream(IntEnum):
    """Streams of a run's chance, numbered apart from those of games and drivers."""

    WEIGHTS = 2000  # the first weights
    PLAY = 2001  # actions of the rollouts
    SHUFFLE = 2002  # order of the samples
    GAMES = 2003  # seeds of the games played
    EVALUATION = 2004  # seeds of the games of evaluations
    SCALE = 2005  # random games that set the scale of points
    SEATING = 2006  # who plays against opponents from the pool, and where
    OPPONENTS = 2007  # actions of past selves


@dataclass(frozen=True)
class Config:
    """Settings of a run that every trainer has."""

    trainer: ClassVar[str]
    game: str = "fossil"
    """Name of the game."""
    num_players: tuple[int, ...] = ()
    """Seats of a game, by default as many as the game has by default. Several numbers share the
    games evenly: one network learns them all."""
    options: tuple[str, ...] = ()
    """Further options of the game, as name=value, or several separated by commas."""
    folder: Path = Path("runs/ppo")
    """Where checkpoints and logs go."""
    minutes: float | None = None
    """Budget on the clock; 10 where no budget is given."""
    total_decisions: int | None = None
    """Budget of decisions; with it alone a run can be repeated exactly."""
    resume: bool = False
    """Go on with the run in `folder`; of the rest budget, device and threads may be given anew."""
    initial: Path | None = None
    """A checkpoint, or a run, whose network the run begins with; `hidden` and `scorer` are its."""
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
    value_weight: float = 0.5
    """Weight of the value's loss."""
    max_gradient_norm: float = 0.5
    """Longer gradients are shortened to it."""
    trace: float = 0.95
    """Lambda of returns and advantages, for each own decision."""
    past: int = 1
    """Past selves in the pool of opponents."""
    past_updates: int = 50
    """Updates after which the oldest of them is replaced."""
    rivals: tuple[str, ...] = ()
    """Agents in the pool of opponents."""
    pool_share: float = 0.2
    """Part of the games in which one seat learns and one of the pool has the others; in the rest
    all seats learn."""
    seat: int | None = None
    """The one seat that learns, where seats are not alike; the rivals then play the others in all
    games."""
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
    games: Games
    pool: Pool
    network: Network
    optimizer: torch.optim.Optimizer
    points_scale: FloatArray  # for each number of players: points that are worth `points_weight`
    before: list[str]  # the commands that made the network that the run began with
    updates: int = 0
    decisions: int = 0
    seconds: float = 0.0  # on the clock, evaluations included
    strength: list[Strength] = field(default_factory=list)  # the evaluations so far


# --- in memory ------------------------------------------------------------------------------------


def prepare(config: Config) -> Run:
    """Set a run up, untrained.

    Parameters
    ----------
    config : Config

    Returns
    -------
    Run
        It has written nothing yet.

    Raises
    ------
    ValueError
        A setting is not allowed.
    """
    settings.check(config)
    variants = settings.variants(config)
    numbers = tuple(int(variant["num_players"]) for variant in variants)
    config = dataclasses.replace(config, num_players=numbers, threads=config.threads or 1)
    _check_games(config)
    torch.set_num_threads(config.threads)
    rules = table.rules(config.game)
    options = [rules.make_options(**variant) for variant in variants]
    network, before = _first_network(config, rules)
    config = dataclasses.replace(config, **_shape_of(network))
    optimizer = torch.optim.Adam(
        network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True
    )
    n_past = config.past if config.seat is None and config.pool_share > 0 else 0
    pool = Pool(
        [copy.deepcopy(network).requires_grad_(False) for _ in range(n_past)],
        [automatic(rival, config.game) for rival in config.rivals],
    )
    share = config.pool_share if config.seat is None else 1.0
    seating = Seating(draw(config, Stream.SEATING, 0), share, len(pool), config.seat)
    seeds = [draw(config, Stream.GAMES, i) for i in range(len(options))]
    games = Games(rules, options, config.num_envs, seeds, seating)
    scale = [_scale(config, rules, option) for option in options]
    return Run(config, rules, games, pool, network, optimizer, np.array(scale, np.float32), before)


def _check_games(config: Config) -> None:
    """Refuse settings of the games that do not fit each other."""
    numbers, seat = config.num_players, config.seat
    if config.num_steps < max(numbers):  # no seat might decide twice: nothing to learn from
        allowed = f"{max(numbers)} or more, the number of players"
        raise ValueError(f"num_steps is {config.num_steps}; allowed: {allowed}")
    if config.num_envs < len(numbers):
        allowed = f"{len(numbers)} or more, one for each number of players"
        raise ValueError(f"num_envs is {config.num_envs}; allowed: {allowed}")
    if seat is not None and not 0 <= seat < min(numbers):
        raise ValueError(f"seat is {seat}; allowed: 0 to {min(numbers) - 1}")
    if seat is not None and not config.rivals:
        raise ValueError("seat needs rivals, who play the other seats: add --rivals AGENT ...")


def _first_network(config: Config, rules: Rules) -> tuple[Network, list[str]]:
    """Return the network that a run begins with, and the commands that made it."""
    if config.initial is None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(draw(config, Stream.WEIGHTS, 0))
            network = Network(Layout.of(rules), config.hidden, config.scorer)
        return network.to(config.device), []
    source = networks.latest(config.initial)
    card = networks.read_card(source)
    networks.check_card(source, card, rules)
    network = networks.network_of(source, card).requires_grad_(True).train()
    return network.to(config.device), [*card.get("before", []), card["command"]]


def _shape_of(network: Network) -> dict[str, Any]:
    """Return the settings that shape a network."""
    return {"hidden": network.hidden, "scorer": network.scorer}


def _scale(config: Config, rules: Rules, options: np.void) -> float:
    """Return the deviation of the margin of random play, in points."""
    sample = batches.random_games(rules, options, 1000, seed=draw(config, Stream.SCALE, 0))
    return max(1.0, float(margins(sample.score).std()))


def draw(config: Config, stream: Stream, number: int) -> int:
    """Draw 63 bits of a run's chance.

    Parameters
    ----------
    config : Config
        Its `seed` counts.
    stream : Stream
    number : int
        The same number of a stream always gives the same bits.

    Returns
    -------
    int
        In [0, 2**63).
    """
    return int(rng.bits(np.uint64(config.seed), int(stream), number)) >> 1


def generator(config: Config, stream: Stream, number: int, device: str) -> torch.Generator:
    """Make a fresh generator for one update.

    Parameters
    ----------
    config : Config
    stream : Stream
    number : int
        Of the update.
    device : str

    Returns
    -------
    torch.Generator
    """
    return torch.Generator(device).manual_seed(draw(config, stream, number))


def fraction(run: Run) -> float:
    """Tell how much of the budget is used.

    Parameters
    ----------
    run : Run

    Returns
    -------
    float
        0 to 1.
    """
    return fraction_at(run.config, run.decisions, run.seconds)


def fraction_at(config: Config, decisions: int, seconds: float) -> float:
    """Tell how much of the budget was used at another moment.

    Parameters
    ----------
    config : Config
    decisions, seconds : int, float
        What the run had behind it then.

    Returns
    -------
    float
        0 to 1.
    """
    parts = [0.0]
    if config.total_decisions is not None:
        parts.append(decisions / config.total_decisions)
    if (budget := _minutes(config)) is not None:
        parts.append(seconds / (60.0 * budget))
    return min(1.0, max(parts))


def _minutes(config: Config) -> float | None:
    """Return the budget on the clock, if there is one."""
    if config.minutes is None and config.total_decisions is None:
        return 10.0
    return config.minutes


def scheduled(start: float, run: Run) -> float:
    """Let a setting fall evenly to a tenth over the budget.

    Parameters
    ----------
    start : float
        What it is at the beginning.
    run : Run

    Returns
    -------
    float
        What it is now.
    """
    return start * (1.0 - 0.9 * fraction(run))


def set_learning_rate(run: Run) -> float:
    """Give the optimizer the learning rate of now.

    Parameters
    ----------
    run : Run

    Returns
    -------
    float
    """
    rate = scheduled(run.config.learning_rate, run)
    for group in run.optimizer.param_groups:
        group["lr"] = rate
    return rate


def minibatches(run: Run, known: Tensor) -> Iterator[Tensor]:
    """Shuffle the samples of an update for each epoch and split them.

    Parameters
    ----------
    run : Run
    known : int64 Tensor (n,)
        Their numbers.

    Yields
    ------
    int64 Tensor
        The numbers of about `minibatch_size` of them, on the run's device.
    """
    config = run.config
    shuffle = generator(config, Stream.SHUFFLE, run.updates, "cpu")
    for _ in range(config.epochs):
        order = known[torch.randperm(len(known), generator=shuffle)].to(config.device)
        yield from order.chunk(max(1, round(len(order) / config.minibatch_size)))


def optimize(run: Run, loss: Tensor) -> float:
    """Take one step of the optimizer.

    Parameters
    ----------
    run : Run
    loss : float scalar

    Returns
    -------
    float
        The norm of the gradient, before it was shortened to `max_gradient_norm`.
    """
    run.optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    longest = run.config.max_gradient_norm
    norm = torch.nn.utils.clip_grad_norm_(run.network.parameters(), longest)
    run.optimizer.step()
    return float(norm)


@torch.no_grad()
def values_now(run: Run) -> FloatArray:
    """Ask the network what it expects of the games as they stand.

    Parameters
    ----------
    run : Run

    Returns
    -------
    float32 (B, seats)
        Own seat first.
    """
    config, rules = run.config, run.rules
    observation = torch.empty((config.num_envs, rules.obs_size), device=config.device)
    legal = torch.empty((config.num_envs, rules.n_actions), dtype=torch.bool, device=config.device)
    run.games.present(observation, legal)
    _, value = run.network(observation, legal)
    return np.asarray(value.cpu().numpy())


def remember(run: Run) -> None:
    """Put the network of now in the place of the oldest past self, if it is time for that.

    Parameters
    ----------
    run : Run
    """
    turn, rest = divmod(run.updates, run.config.past_updates)
    if run.pool.past and rest == 0:
        oldest = run.pool.past[turn % len(run.pool.past)]
        oldest.load_state_dict(run.network.state_dict())


# --- on disk --------------------------------------------------------------------------------------


def save(run: Run) -> Path:
    """Write a checkpoint.

    Parameters
    ----------
    run : Run

    Returns
    -------
    Path
        The checkpoint's folder.
    """
    memory = checkpoint.arrays_of_optimizer(run.optimizer)
    games = {name: checkpoint.bytes_of_record(a) for name, a in run.games.save().items()}
    training = {f"optimizer.{k}": a for k, a in memory.items()}
    training |= {f"games.{k}": a for k, a in games.items()}
    for number, past in enumerate(run.pool.past):
        training |= {f"past.{number}.{k}": a for k, a in past.state_dict().items()}
    weights = run.network.state_dict()
    folder = run.config.folder
    return checkpoint.write(folder, run.updates, _card(run), weights, training, run.config.keep)


def resumed(given: Config) -> Run:
    """Read back the last checkpoint of a run, exactly as it was.

    Parameters
    ----------
    given : Config
        `folder` says which run; of the others only those in `ANEW` may differ from the run's own.

    Returns
    -------
    Run

    Raises
    ------
    CheckpointError
        There is none, or it cannot be read or does not fit the game here; names the file.
    ValueError
        A setting differs that may not.
    """
    source = networks.latest(given.folder)
    stored = networks.read_card(source)
    config = _settings_of(stored, given, source)
    rules = table.rules(config.game)
    networks.check_card(source, stored, rules)
    run = prepare(dataclasses.replace(config, initial=None))
    run.config, run.before = config, stored["before"]
    run.network.load_state_dict(networks.network_of(source, stored).state_dict())
    arrays = networks.read_arrays(source, checkpoint.TRAINING, stored)
    file = source / checkpoint.TRAINING
    parts: dict[str, dict[str, Tensor]] = {"optimizer": {}, "games": {}, "past": {}}
    for key, array in arrays.items():
        part, _, name = key.partition(".")
        parts[part][name] = array
    checkpoint.fill_optimizer(run.optimizer, parts["optimizer"], file)
    run.games.load(
        {
            name: checkpoint.record_of_bytes(parts["games"][name], like, f"{file}: {name}")
            for name, like in run.games.save().items()
        }
    )
    for number, past in enumerate(run.pool.past):
        weights = {k: parts["past"][f"{number}.{k}"] for k in past.state_dict()}
        past.load_state_dict(weights)
    run.updates, run.decisions = stored["updates"], stored["decisions"]
    run.seconds, run.strength = stored["seconds"], stored["strength"]
    return run


def _card(run: Run) -> dict[str, Any]:
    """Say what a checkpoint of the run is: all that is no array."""
    config = dataclasses.asdict(run.config)
    del config["folder"], config["resume"]
    config["initial"] = run.config.initial and str(run.config.initial)
    return {
        "format": networks.FORMAT,
        "made_by": f"bonebed {__version__}, train {run.config.trainer}, torch {torch.__version__}",
        "game": run.rules.name,
        "options": {**settings.variants(run.config)[0], "num_players": [*run.config.num_players]},
        "rules_hash": run.rules.rules_hash,
        "sheet_hash": run.rules.sheet.hash,
        "layout": run.network.layout.to_json(),
        "network": run.network.shape(),
        "command": command_of(run.config),
        "before": run.before,
        "config": config,
        "updates": run.updates,
        "decisions": run.decisions,
        "seconds": run.seconds,
        "strength": run.strength,
    }


def command_of(config: Config) -> str:
    """Return the command that a run was started with, as far as it matters to what is learned.

    Parameters
    ----------
    config : Config

    Returns
    -------
    str
        Settings at their defaults are left out.
    """
    words = [f"bonebed train {config.trainer}"]
    for setting in dataclasses.fields(config):
        value = getattr(config, setting.name)
        if setting.name in APART or value in (setting.default, None):
            continue
        values = value if isinstance(value, tuple) else (value,)
        words += ["--" + setting.name.replace("_", "-"), *(shlex.quote(str(v)) for v in values)]
    return " ".join(words)


def _settings_of(stored: dict[str, Any], given: Config, source: Path) -> Config:
    """Return the settings of a stored run, with those that a resumed run may change."""
    try:
        known = {name: _without_lists(value) for name, value in stored["config"].items()}
        known |= {"folder": given.folder, "resume": True}
        known["initial"] = known["initial"] and Path(known["initial"])
        config = type(given)(**known)
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(
            f"{source / networks.CARD}: no settings of train {given.trainer}: {error}"
        ) from error
    for setting in dataclasses.fields(config):
        name, here = setting.name, getattr(config, setting.name)
        if name not in ANEW and getattr(given, name) not in (setting.default, here):
            asked = getattr(given, name)
            raise ValueError(f"{name} is {asked}; the run in {given.folder} goes on with {here}")
    changed: dict[str, Any] = {"device": given.device}
    if given.minutes is not None or given.total_decisions is not None:
        changed |= {"minutes": given.minutes, "total_decisions": given.total_decisions}
    if given.threads:
        changed["threads"] = given.threads
    return dataclasses.replace(config, **changed)


def _without_lists(value: Any) -> Any:
    """Turn a list, which JSON made of a tuple, back into one."""
    return tuple(value) if isinstance(value, list) else value
