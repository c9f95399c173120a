"""What all tests share: the mode of this run and the number of games that it can afford."""

import os
from collections.abc import Callable

import pytest

from bonebed.envs import table

NO_JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
BOUNDS_CHECKS = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")

# Where every seat looks at every decision of some games, plain Python looks at one in so many: a
# look at Fossil Canyon takes it some 30 milliseconds, and at Go Dig half a second.
LOOK_EVERY = 25 if NO_JIT else 1


def games_in_this_mode(full: int) -> int:
    """Scale a number of games to the mode: plain Python is some hundred times slower."""
    if NO_JIT:
        return max(1, full // 50)
    if BOUNDS_CHECKS:
        return max(1, full // 10)
    return full


@pytest.fixture(scope="session")
def n_games() -> Callable[[int], int]:
    """`n_games(full)`: all games compiled, fewer without the JIT and with bounds checks."""
    return games_in_this_mode


def pytest_configure():
    """Load all games, each of several processes beginning with another: they share the compiling.

    Collecting the tests loads them anyway; in one order, all would compile the same game at a time.
    """
    if "PYTEST_XDIST_WORKER" in os.environ:
        names = [*table.GAMES]
        worker = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
        first = worker * len(names) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        for name in names[first:] + names[:first]:
            table.rules(name)


def pytest_collection_modifyitems(items):
    """Put the longest tests first, so that several processes are done at the same time."""
    items.sort(key=lambda item: item.path.stem != "test_twin")
