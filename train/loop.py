"""The course of a run, whatever it learns by: update, show, measure, save, again and again."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from ..agents import network as networks
from . import checkpoint, settings
from .report import Report
from .run import (
    Config,
    Run,
    Stream,
    draw,
    fraction,
    fraction_at,
    prepare,
    remember,
    resumed,
    save,
    set_learning_rate,
)
from .steps import Steps
from .strength import Learner, Strength, measure

Scalars = dict[str, float]
Learn = Callable[[Run], Scalars]  # plays, learns from it, and tells what it was like


def train(config: Config, method: str, begin: Callable[[Run], tuple[Learn, Steps]]) -> None:
    """Train a network, or go on with it.

    Parameters
    ----------
    config : Config
    method : str
        Of the trainer, for the title.
    begin : callable
        Allocates what an update needs; returns what does one, and the steps that it fills.

    Raises
    ------
    CheckpointError
        The run to be resumed cannot be, naming the file and the reason.
    ValueError
        A setting is not allowed, or the folder already holds a run.
    """
    run = _begin(config)
    learn, steps = begin(run)
    try:
        _improve(run, f"{run.rules.title}, {method}", learn, steps)
    except KeyboardInterrupt:
        again = f"bonebed train {config.trainer} --folder {config.folder} --resume"
        print(f"Stopped. This goes on from the last checkpoint: {again}", file=sys.stderr)
        raise


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


def _improve(run: Run, title: str, learn: Learn, steps: Steps) -> None:
    """Update, measure and save until the budget is used up."""
    start = time.monotonic() - run.seconds
    saved = time.monotonic()
    with Report(run.config.folder, title, run.decisions, run.strength) as report:
        _measure_if_due(run, report)
        while fraction(run) < 1.0:
            scalars = update(run, learn, steps)
            run.seconds = time.monotonic() - start
            report.update(fraction(run), run.decisions, scalars)
            _measure_if_due(run, report)  # before saving, so that no resumed run measures it again
            if fraction(run) < 1.0 and time.monotonic() - saved >= run.config.checkpoint_seconds:
                save(run)
                saved = time.monotonic()
    if networks.latest(run.config.folder).name != checkpoint.name_of(run.updates):
        save(run)


def update(run: Run, learn: Learn, steps: Steps) -> Scalars:
    """Play, learn from it, and count both.

    Parameters
    ----------
    run : Run
    learn : callable
    steps : Steps
        That it fills.

    Returns
    -------
    dict of str to float
        What TensorBoard shows of it.
    """
    began = time.monotonic()
    rate = set_learning_rate(run)
    learned = {"learning_rate": rate, **learn(run)}
    scalars = {f"learning/{name}": value for name, value in learned.items()}
    learned_from = int(steps.learns.sum())
    run.updates += 1
    run.decisions += learned_from
    remember(run)
    if ended := sum(map(len, steps.final_score)):
        scalars["games/length"] = steps.done.size / ended
        best = [points.max(axis=1) for points in steps.final_score]
        scalars["games/winner_points"] = float(np.concatenate(best).mean())
        every = [points.ravel() for points in steps.final_score]
        scalars["games/mean_points"] = float(np.concatenate(every).mean())
    scalars["speed/decisions_per_second"] = learned_from / (time.monotonic() - began)
    return scalars


def means(measured: Sequence[Scalars]) -> Scalars:
    """Average what the gradient steps of an update measured.

    Parameters
    ----------
    measured : sequence of dict of str to float
        At least one; all have the same names.

    Returns
    -------
    dict of str to float
    """
    return {name: float(np.mean([step[name] for step in measured])) for name in measured[0]}


def measured(run: Run) -> list[Strength]:
    """Measure the strength now, always on the same deals; nothing of the run is used up.

    Parameters
    ----------
    run : Run

    Returns
    -------
    list of Strength
        One for each opponent and number of players.
    """
    config, player = run.config, Learner(run.network)
    seed = draw(config, Stream.EVALUATION, 0)
    found = []
    for variant in settings.variants(config):
        about = (config.opponents, config.game, variant, config.evaluation_games, seed)
        found += measure(player, *about, run.decisions, run.seconds, seat=config.seat)
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
