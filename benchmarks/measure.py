"""Taking times so that they can be compared: alternately, on one core, in processor time.

Everything here is about ratios within one run. Two pieces of work are measured in turn, so that
both see the same machine in the same mood, and the ratio is taken of each pair.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Meter = Callable[[], float]
"""Does some work and returns seconds for one unit of it."""


@dataclass
class Row:
    """One line of the report.

    Attributes
    ----------
    layer : str
    what : str
        What was measured.
    unit : str
        What the values are: `speed / C`, `seconds`.
    target : float or None
        What the median should be, at least or at most.
    at_least : bool
    values : list of float
        One for each repetition; empty if nothing could be measured.
    detail : str
        The figures behind the ratio, or why there is none.
    """

    layer: str
    what: str
    unit: str
    target: float | None = None
    at_least: bool = True
    values: list[float] = field(default_factory=list)
    detail: str = ""

    @property
    def median(self) -> float:
        """Median of the values; not a number where there are none."""
        return statistics.median(self.values) if self.values else float("nan")

    @property
    def met(self) -> bool | None:
        """Whether the median meets the target; None if either is missing."""
        if self.target is None or not self.values:
            return None
        return self.median >= self.target if self.at_least else self.median <= self.target

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {**asdict(self), "median": self.median if self.values else None, "met": self.met}


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, where the system allows that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def meter(work: Callable[[int], int], seconds: float) -> Meter:
    """Make a meter of a piece of work, large enough to be measured.

    Parameters
    ----------
    work : callable
        Does an amount of work, about proportional to its argument, and returns how many units that
        were.
    seconds : float
        How long one measurement should take, about.

    Returns
    -------
    Meter
        Measures processor time of this thread, which other processes disturb less than they do
        the clock on the wall.
    """

    def measured(amount: int) -> tuple[float, int]:
        start = time.thread_time()
        units = work(amount)
        return time.thread_time() - start, units

    amount = 1
    measured(amount)  # compiles
    while (took := measured(amount)[0]) < seconds / 4:
        amount *= 2
    amount = max(1, round(amount * seconds / max(took, 1e-9)))

    def per_unit() -> float:
        took, units = measured(amount)
        return took / units

    return per_unit


def alternate(meters: Sequence[Meter], repetitions: int) -> list[list[float]]:
    """Use meters in turn.

    Parameters
    ----------
    meters : sequence of Meter
    repetitions : int

    Returns
    -------
    list of list of float
        For each meter its values.
    """
    values: list[list[float]] = [[] for _ in meters]
    for repetition in range(repetitions):
        order = list(zip(meters, values, strict=True))
        for each, found in order if repetition % 2 else reversed(order):
            found.append(each())
    return values


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """Divide what was measured in pairs."""
    return [a / b for a, b in zip(above, below, strict=True)]


def spelled(seconds: float) -> str:
    """Write a duration with a fitting unit: `3.1 us`."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= 0.9995 * unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"


def both(ours: Sequence[float], theirs: Sequence[float], unit: str, name: str) -> str:
    """Write the medians behind a ratio: `3.1 us a game, C 2.4 us`."""
    mine, other = (spelled(statistics.median(each)) for each in (ours, theirs))
    return f"{mine} a {unit}, {name} {other}"
