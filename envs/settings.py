"""Settings that the environments have in common, and how they are checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..kernels.seats import Reward

REWARDS = {reward.name.lower(): reward for reward in Reward}
ILLEGAL = ("error", "terminate")


def check(name: str, given: Any, allowed: Iterable[str | None]) -> None:
    """Refuse a setting that there is not.

    Parameters
    ----------
    name : str
    given : object
    allowed : iterable of (str or None)

    Raises
    ------
    ValueError
        Naming the setting and what is allowed.
    """
    allowed = tuple(allowed)
    if not (given is None or isinstance(given, str)) or given not in allowed:
        raise ValueError(f"{name} is {given!r}; allowed: {', '.join(map(repr, allowed))}")


def finite(name: str, given: Any) -> float:
    """Return a number as float.

    Parameters
    ----------
    name : str
    given : int or float

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If it is no number, infinite or not a number (NaN).
    """
    number = isinstance(given, int | float | np.integer | np.floating)
    if not number or isinstance(given, bool) or not math.isfinite(given):
        raise ValueError(f"{name} is {given!r}; allowed: a finite number")
    return float(given)
