"""How fast each layer is, as ratios to what the same run measures of something else.

Random play inside the kernel is held against a C program that plays the same games; the batch
against the kernel; search against random play; the PettingZoo environment against Connect Four of
PettingZoo itself; collecting with Stable-Baselines3 against games that do nothing. Absolute times
are given beside the ratios, with the machine, its load and all versions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from ..envs import table
from ..kernels import batch, search
from . import machine, native
from .measure import Meter, Row, alternate, both, meter, one_core, ratios, spelled


@dataclass(frozen=True)
class Config:
    """What is measured."""

    game: str = "fossil"
    """Name of the game."""
    only: tuple[str, ...] = ()
    """Some of the layers only: kernel, observed, batch, search, aec, vector, sb3, start, games."""
    quick: bool = False
    """Rough figures in less than a minute: fewer numbers of players, short measurements."""
    repetitions: int = 7
    """Measurements of each thing; medians are shown."""
    seconds: float = 0.2
    """Length of one measurement, about."""
    output: Path | None = None
    """Where the figures go, as JSON; by default runs/speed/DATE.json."""

    def __post_init__(self) -> None:
        table.game(self.game)
        for layer in self.layers:
            if layer not in LAYERS:
                raise ValueError(f"no layer {layer!r}; known: {', '.join(LAYERS)}")
        if self.repetitions < 1 or self.seconds <= 0:
            raise ValueError("repetitions and seconds have to be above 0")

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers to be measured."""
        named = tuple(name for text in self.only for name in text.split(","))
        return named or tuple(LAYERS)

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players for which the kernel is measured."""
        rules = table.rules(self.game)
        if self.quick:
            return (rules.min_players,)
        return tuple(range(rules.min_players, rules.max_players + 1))

    def meter(self, work: Callable[[int], int]) -> Meter:
        """Make a meter as long as wanted."""
        return meter(work, min(self.seconds, 0.05) if self.quick else self.seconds)

    def alternate(self, *meters: Meter) -> list[list[float]]:
        """Measure in turn as often as wanted."""
        return alternate(meters, min(self.repetitions, 3) if self.quick else self.repetitions)


# --- compiled code --------------------------------------------------------------------------------


def kernel_rows(config: Config) -> Iterator[Row]:
    """Random play inside the kernel against the C program."""
    rules = table.rules(config.game)
    for players in config.players:
        options = rules.make_options(num_players=players)
        ours = config.meter(partial(_random_games, rules, options))
        row = Row("kernel", f"random games, {players} players", "speed / C", 0.75)
        try:
            program = native.Program(config.game)
        except native.NoProgramError as error:
            row.detail = f"{spelled(ours())} a game; {error}"
        else:
            theirs = config.meter(partial(_random_in_c, program, options))
            mine, limit = config.alternate(ours, theirs)
            row.values, row.detail = ratios(limit, mine), both(mine, limit, "game", "C")
        yield row


def observed_rows(config: Config) -> Iterator[Row]:
    """The same with observation and mask written at every decision."""
    rules = table.rules(config.game)
    obs, mask = _buffers(rules)
    for players in config.players:
        options = rules.make_options(num_players=players)
        ours = config.meter(partial(_observed_games, rules, options, obs, mask))
        what = f"with observation and mask, {players} players"
        row = Row("observed", what, "speed / C", 0.6)
        try:
            program = native.Program(config.game)
        except native.NoProgramError as error:
            row.detail = f"{spelled(ours())} a decision; {error}"
        else:
            theirs = config.meter(partial(_observed_in_c, program, options, obs, mask))
            mine, limit = config.alternate(ours, theirs)
            row.values, row.detail = ratios(limit, mine), both(mine, limit, "decision", "C")
        yield row


def batch_rows(config: Config) -> Iterator[Row]:
    """Stepping a batch from Python, against the same work without leaving compiled code."""
    rules = table.rules(config.game)
    options = rules.make_options()
    games = [batch.Batch(rules, options, num_envs=1024) for _ in range(2)]
    obs, mask = _buffers(rules)
    ours, inside, single = config.alternate(
        config.meter(partial(_choose_and_step, games[0])),
        config.meter(partial(_play_random, games[1])),
        config.meter(partial(_observed_games, rules, options, obs, mask)),
    )
    yield Row(
        "batch", "step of 1,024 games, random actions", "cost / play_random", 1.3, at_least=False,
        values=ratios(ours, inside), detail=both(ours, inside, "decision", "play_random"),
    )  # fmt: skip
    yield Row(
        "batch", "the same", "cost / one game, one buffer", at_least=False,
        values=ratios(ours, single), detail=both(ours, single, "decision", "one game"),
    )  # fmt: skip


def search_rows(config: Config) -> Iterator[Row]:
    """Simulations of the tree search against random games."""
    rules = table.rules(config.game)
    options = rules.make_options()
    states = np.concatenate([np.atleast_1d(rules.new(seed)) for seed in range(4)])
    seeds = np.arange(len(states), dtype=np.uint64)
    choices = np.zeros(len(states), np.int64)

    def simulate(amount: int) -> int:
        search.ismcts_actions(states, seeds, choices, simulations=100 * amount)
        return 100 * amount * len(states)

    simulations, games = config.alternate(
        config.meter(simulate), config.meter(partial(_random_games, rules, options))
    )
    yield Row(
        "search", "ismcts from the start of a game", "simulations / random games", 0.3,
        values=ratios(games, simulations),
        detail=both(simulations, games, "simulation", "random game"),
    )  # fmt: skip


# --- environments ---------------------------------------------------------------------------------


def aec_rows(config: Config) -> Iterator[Row]:
    """Loops with `last()` and masked sampling, against Connect Four and against no game at all."""
    from pettingzoo.classic.connect_four import connect_four  # as connect_four_v3, no warning

    from .floors import TrivialAEC

    rules = table.rules(config.game)
    floor = TrivialAEC(rules.obs_size, rules.n_actions, length=rules.max_decisions // 2)
    meters = [
        config.meter(partial(_take_turns, env))
        for env in (table.face(config.game).env(), connect_four.env(), floor)
    ]
    ours, other, least = config.alternate(*meters)
    yield Row(
        "aec", "env(), last() and masked sampling", "speed / connect_four_v3", 4.0,
        values=ratios(other, ours), detail=both(ours, other, "step", "connect_four_v3"),
    )  # fmt: skip
    yield Row(
        "aec", "the same", "speed / env without rules",
        values=ratios(least, ours), detail=both(ours, least, "step", "floor"),
    )  # fmt: skip


def vector_rows(config: Config) -> Iterator[Row]:
    """A loop over the Gymnasium vector environment with masked sampling, against no game at all."""
    from ..agents.seats import seat_vector_env
    from .floors import TrivialVectorEnv

    envs = seat_vector_env(config.game, num_envs=64)
    ours, least = config.alternate(
        config.meter(partial(_sample_and_step, envs)),
        config.meter(partial(_sample_and_step, TrivialVectorEnv(64, envs))),
    )
    yield Row(
        "vector", "64 games against `random`, masked sampling", "speed / env without rules",
        values=ratios(least, ours), detail=both(ours, least, "step", "floor"),
    )  # fmt: skip


def sb3_rows(config: Config) -> Iterator[Row]:
    """Collecting with MaskablePPO, against games that do nothing."""
    row = Row("sb3", "MaskablePPO collects, 64 games", "speed / env without rules", 0.8)
    try:
        from .collect import sb3_collection_ratio
    except ModuleNotFoundError as error:
        row.detail = f"not installed: {error.name}"
    else:
        found = sb3_collection_ratio(config.game, rounds=3 if config.quick else config.repetitions)
        row.values = [found.ratio]
        row.detail = f"{found.game:,.0f} decisions a second, floor {found.floor:,.0f}"
    yield row


# --- starting -------------------------------------------------------------------------------------

IMPORT = """
import time
start = time.perf_counter()
import bonebed
print(time.perf_counter() - start, time.process_time())
"""
FIRST_STEP = """
import time
from bonebed.envs import table
env = table.face({game!r}).env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(time.monotonic() - {start}, time.process_time())
"""
COMPILE = """
import os
import time
from bonebed.agents.warmup import warm
start = time.perf_counter()
warm({game!r})
print(time.perf_counter() - start, sum(os.times()[:4]))
"""


def start_rows(config: Config) -> Iterator[Row]:
    """Fresh processes: the import, the first step, and compiling everything."""
    repetitions = 1 if config.quick else max(5, config.repetitions)
    row = Row("start", "import bonebed", "seconds", 0.3, at_least=False)
    _fresh(row, [IMPORT] * repetitions, warm_up=True)
    yield row
    row = Row("start", "from process start to the first step", "seconds", 1.2, at_least=False)
    _fresh(row, [FIRST_STEP] * repetitions, warm_up=True, game=config.game)
    yield row
    yield _compile_row(config, Row("start", "compiling everything", "seconds"), config.game, 25.0)


def _compile_row(config: Config, row: Row, game: str, target: float) -> Row:
    """Compile a game and all its drivers in a fresh process with an empty cache."""
    row.target, row.at_least = target, False
    if config.quick:
        row.detail = "left out: --quick"
    else:
        with tempfile.TemporaryDirectory() as folder:
            _fresh(row, [COMPILE], cache=folder, game=game)
    return row


def games_rows(config: Config) -> Iterator[Row]:
    """Every game of the table: random play, a batch against it, and its start, cold and warm."""
    first, *_ = table.GAMES
    for game in table.GAMES:
        rules = table.rules(game)
        games = batch.Batch(rules, rules.make_options(), num_envs=256)  # as PPO trains with
        with one_core():
            yardstick, bare, observed = config.alternate(
                config.meter(partial(_random_decisions, table.rules(first))),
                config.meter(partial(_random_decisions, rules)),
                config.meter(partial(_play_random, games)),
            )
        if game != first:
            yield Row(
                "games", f"{game}: decision of random play", f"cost / one of {first}", 6.0,
                at_least=False, values=ratios(bare, yardstick),
                detail=both(bare, yardstick, "decision", first),
            )  # fmt: skip
        yield Row(
            "games", f"{game}: step of 256 games with observation and mask",
            "cost / decision of random play", 5.0, at_least=False,
            values=ratios(observed, bare), detail=both(observed, bare, "decision", "random play"),
        )  # fmt: skip
        row = Row("games", f"{game}: from process start to the first step", "seconds")
        _fresh(row, [FIRST_STEP] * (1 if config.quick else 3), warm_up=True, game=game)
        yield row
        row = Row("games", f"{game}: compiling everything", "seconds")
        yield _compile_row(config, row, game, 45.0)


def _fresh(
    row: Row, scripts: list[str], cache: str | None = None, warm_up: bool = False, **fields: str
) -> None:
    """Run scripts in processes of their own; each prints seconds, and processor seconds in all."""
    environment = {**os.environ, **({"BONEBED_CACHE": cache} if cache else {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # warm caches include Python's own
    busy = []
    for i, script in enumerate([*scripts[:warm_up], *scripts]):
        code = script.format(start=time.monotonic(), **fields)
        run = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        )
        if run.returncode != 0:
            raise RuntimeError(f"a fresh process failed:\n{run.stderr}")
        seconds, processor = map(float, run.stdout.split())
        if i >= warm_up:
            row.values.append(seconds)
            busy.append(processor)
    row.detail = f"{spelled(sorted(busy)[len(busy) // 2])} of processor time in all"


# --- the work that is measured --------------------------------------------------------------------


def _random_games(rules: Any, options: Any, games: int) -> int:
    """Play random games inside the kernel."""
    return len(batch.random_games(rules, options, games).decisions)


def _random_decisions(rules: Any, games: int) -> int:
    """Play random games inside the kernel; return the decisions."""
    return int(batch.random_games(rules, rules.make_options(), games).decisions.sum())


def _random_in_c(program: native.Program, options: Any, games: int) -> int:
    """Play random games in C."""
    return len(program.random_games(options, games).decisions)


def _buffers(rules: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return an observation and a mask."""
    return np.zeros((1, rules.obs_size), np.float32), np.zeros((1, rules.n_actions), np.int8)


def _observed_games(
    rules: Any,
    options: Any,
    obs: np.ndarray[Any, Any],
    mask: np.ndarray[Any, Any],
    games: int,
) -> int:
    """Play random games with observation and mask inside the kernel; return the decisions."""
    decisions = np.zeros(games, np.int32)
    batch.play_observed(
        np.zeros(1, rules.STATE),
        options,
        np.uint64(0),
        np.empty(rules.n_actions, np.int32),
        obs,
        obs.view(rules.OBS)[:, 0],
        mask,
        decisions,
    )
    return int(decisions.sum())


def _observed_in_c(
    program: native.Program,
    options: Any,
    obs: np.ndarray[Any, Any],
    mask: np.ndarray[Any, Any],
    games: int,
) -> int:
    """Do the same in C."""
    decisions = np.zeros(games, np.int32)
    program.observed_games(options, obs, mask, decisions)
    return int(decisions.sum())


def _choose_and_step(games: batch.Batch, steps: int) -> int:
    """Step a batch from Python with random legal actions, chosen by a kernel."""
    actions = np.zeros(games.num_envs, np.int64)
    scratch = np.empty(games.rules.n_actions, np.int32)
    for _ in range(steps):
        batch.choose_random(games.states, scratch, actions, 0, games.num_envs)
        games.step(actions)
    return steps * int(games.num_envs)


def _play_random(games: batch.Batch, steps: int) -> int:
    """Step a batch with random legal actions."""
    games.play_random(steps)
    return steps * int(games.num_envs)


def _take_turns(env: Any, steps: int) -> int:
    """Play a PettingZoo environment as its documentation does, for a number of decisions."""
    taken = 0
    while taken < steps:
        env.reset(seed=taken)
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                taken += 1
    return taken


def _sample_and_step(envs: Any, steps: int) -> int:
    """Step a vector environment with random legal actions; return the single steps."""
    luck = np.random.default_rng(0)
    _, infos = envs.reset(seed=0)
    for _ in range(steps):
        mask = infos["action_mask"]
        actions = (mask * luck.random(mask.shape, np.float32)).argmax(axis=1)
        *_, infos = envs.step(actions)
    return steps * int(envs.num_envs)


# --- the report -----------------------------------------------------------------------------------

LAYERS: dict[str, Callable[[Config], Iterator[Row]]] = {
    "kernel": kernel_rows,
    "observed": observed_rows,
    "batch": batch_rows,
    "search": search_rows,
    "aec": aec_rows,
    "vector": vector_rows,
    "sb3": sb3_rows,
    "start": start_rows,
    "games": games_rows,
}
FRESH = ("start", "games")  # start processes as a user does, on all cores


def measure(config: Config, console: Console) -> list[Row]:
    """Measure the layers, one after the other.

    Parameters
    ----------
    config : Config
    console : rich.console.Console
        Shows what is being measured.

    Returns
    -------
    list of Row
    """
    rows: list[Row] = []
    for layer in config.layers:
        with console.status(f"measuring {layer}"):
            if layer in FRESH:
                rows += LAYERS[layer](config)
            else:
                with one_core():
                    rows += LAYERS[layer](config)
    return rows


def shown(rows: list[Row]) -> Table:
    """Lay rows out as a table.

    Parameters
    ----------
    rows : list of Row

    Returns
    -------
    rich.table.Table
    """
    drawn = Table(title="speed")
    for heading in ("layer", "what", "measured as"):
        drawn.add_column(heading)
    for heading in ("target", "median", "range"):
        drawn.add_column(heading, justify="right", no_wrap=True)
    drawn.add_column("figures")
    for row in rows:
        sign = "[green]" if row.met else "[red]" if row.met is False else ""
        bound = "≥" if row.at_least else "≤"
        drawn.add_row(
            row.layer,
            row.what,
            row.unit,
            "" if row.target is None else f"{bound} {row.target:g}",
            f"{sign}{row.median:.3g}" if row.values else "-",
            f"{min(row.values):.3g} to {max(row.values):.3g}" if row.values else "",
            row.detail,
        )
    return drawn


def main(config: Config) -> None:
    """Measure the speed of every layer.

    Example: bonebed bench --quick --only kernel,aec

    Parameters
    ----------
    config : Config

    Raises
    ------
    ValueError
        For an unknown game or layer; the message lists the known ones.
    """
    terminal = Console()
    console = terminal if terminal.is_terminal else Console(width=150)
    before = machine.load()
    rows = measure(config, console)
    after = machine.load()
    report = {
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "config": {**asdict(config), "output": None},
        "rules": table.rules(config.game).rules_hash,
        "machine": machine.described(),
        "load": {"before": before, "after": after},
        "rows": [row.to_dict() for row in rows],
    }
    console.print(shown(rows))
    console.print(f"load {before} before, {after} after")
    output = config.output or Path("runs/speed") / f"{datetime.now():%Y-%m-%d-%H%M%S}.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    console.print(f"written to {output}")


if __name__ == "__main__":
    import tyro

    tyro.cli(main, config=(tyro.conf.OmitArgPrefixes,))
