"""Compiling a game ahead of time: every driver is used once, so that the cache holds its code."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import numpy as np

from ..envs import table
from ..kernels import batch
from ..kernels.guided import GuidedSearch
from ..kernels.jit import CACHE_FOLDER
from ..kernels.rules import backwards
from . import agent
from .evaluate import evaluate
from .seats import seat_env, seat_vector_env

Progress = Callable[[int, int, str], None]


def warm(name: str, progress: Progress | None = None) -> None:
    """Compile everything that plays a game, or load it from the cache.

    Where there is a cache and a second core, another process does the same from the other end.

    Parameters
    ----------
    name : str
        A game of the table.
    progress : callable, optional
        Called with (parts done, number of parts, name of the part that comes next).
    """
    parts = _parts(name)
    with _helped(name):
        for done, (part, work) in enumerate(parts.items()):
            if progress is not None:
                progress(done, len(parts), part)
            work()
    if progress is not None:
        progress(len(parts), len(parts), "compiled")


def help_backwards(name: str) -> None:
    """Compile what `warm` compiles, the last first, for a process that began with the first.

    Parameters
    ----------
    name : str
        A game of the table.
    """
    with backwards():
        table.rules(name)
    for work in reversed(_parts(name).values()):
        work()


@contextlib.contextmanager
def _helped(name: str) -> Iterator[None]:
    """Let another process help while this one compiles; if it cannot, this one does it all."""
    if CACHE_FOLDER is None or os.cpu_count() == 1:
        yield
        return
    helping = f"from {__name__} import help_backwards as help; help({name!r})"
    quiet = subprocess.DEVNULL
    helper = subprocess.Popen(
        [sys.executable, "-c", helping], stdin=quiet, stdout=quiet, stderr=quiet
    )
    try:
        yield
    finally:
        helper.kill()
        helper.wait()


def _parts(name: str) -> dict[str, Callable[[], object]]:
    """Return what has to be done, by the name of each part."""
    return {
        "random games": lambda: _random_games(name),
        "batches": lambda: _batches(name),
        "PettingZoo": lambda: _episode(name),
        "greedy": lambda: _decide(name, "greedy"),
        "rollout": lambda: _decide(name, "rollout:playouts=1"),
        "ismcts": lambda: _decide(name, "ismcts:simulations=2"),
        "guided search": lambda: _guided_search(name),
        "evaluation": lambda: evaluate(name, ["random", "random"], games=2),
        "Gymnasium": lambda: seat_env(name).reset(seed=0),
        "vector environments": lambda: seat_vector_env(name, num_envs=2).reset(seed=0),
    }


def _random_games(name: str) -> None:
    """Play whole games, with and without observations."""
    rules = table.rules(name)
    options = rules.make_options()
    batch.random_games(rules, options, games=1)
    obs = np.zeros((1, rules.obs_size), np.float32)
    batch.play_observed(
        np.zeros(1, rules.STATE),
        options,
        np.uint64(0),
        np.empty(rules.n_actions, np.int32),
        obs,
        obs.view(rules.OBS)[:, 0],
        np.zeros((1, rules.n_actions), np.int8),
        np.zeros(1, np.int32),
    )


def _batches(name: str) -> None:
    """Step a batch, checked and at random, and look at it from every seat."""
    rules = table.rules(name)
    games = batch.Batch(rules, rules.make_options(), num_envs=2)
    games.step(games.mask.argmax(axis=1))
    games.play_random(1)
    games.observe_all()


def _episode(name: str) -> None:
    """Take one step in the PettingZoo environment."""
    env = table.face(name).env()
    env.reset(seed=0)
    observation, *_ = env.last()
    env.step(int(observation["action_mask"].argmax()))


def _decide(name: str, spec: str) -> None:
    """Let an agent decide at the start of a game."""
    env = table.face(name).env()
    env.reset(seed=0)
    agent(spec, game=name).act(env.view())


def _guided_search(name: str) -> None:
    """Search at the start of a game, guided by zeros instead of a network."""
    rules = table.rules(name)
    GuidedSearch(rules, simulations=2).run(
        np.array([rules.new()], rules.STATE),
        np.zeros(1, np.uint64),
        lambda obs, mask: (
            np.zeros(mask.shape, np.float32),
            np.zeros((len(mask), rules.max_players), np.float32),
        ),
    )
