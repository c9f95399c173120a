"""Settings of the trainers and the demo: what each may be, checked before anything is created."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import torch

from ..agents import automatic
from ..agents.options import read_options
from ..envs import table
from ..kernels.batch import checked_seed


@dataclass(frozen=True)
class Bounds:
    """What a number may be.

    Attributes
    ----------
    kind : type
        int, or float for any number.
    low, high : float
        Smallest and largest value.
    words : str
        The same, to be told.
    """

    kind: type
    low: float
    high: float
    words: str

    def hold(self, value: Any) -> bool:
        """Tell whether a value is allowed.

        Parameters
        ----------
        value : object

        Returns
        -------
        bool
            False for NaN, too.
        """
        right = isinstance(value, int | float) if self.kind is float else isinstance(value, int)
        return right and not isinstance(value, bool) and bool(self.low <= value <= self.high)


LARGEST = sys.float_info.max  # infinity is no setting: it makes weights NaN and runs endless
COUNT = Bounds(int, 1, math.inf, "a whole number of 1 or more")
COUNT_OR_NONE = Bounds(int, 0, math.inf, "a whole number of 0 or more")
THREADS = Bounds(int, 0, 1024, "a whole number from 0 to 1024")
POSITIVE = Bounds(float, math.ulp(0.0), LARGEST, "a number above 0")
NOT_NEGATIVE = Bounds(float, 0, LARGEST, "a number of 0 or more")
SHARE = Bounds(float, 0, 1, "a number from 0 to 1")

BOUNDS = {
    "minutes": POSITIVE,
    "total_decisions": COUNT,
    "threads": THREADS,
    "num_envs": COUNT,
    "num_steps": COUNT,
    "epochs": COUNT,
    "minibatch_size": COUNT,
    "learning_rate": POSITIVE,
    "entropy_bonus": NOT_NEGATIVE,
    "clip": POSITIVE,
    "value_weight": NOT_NEGATIVE,
    "max_gradient_norm": POSITIVE,
    "discount": SHARE,
    "trace": SHARE,
    "scale": NOT_NEGATIVE,
    "heuristic": SHARE,
    "points_weight": NOT_NEGATIVE,
    "points_until": SHARE,
    "past": COUNT_OR_NONE,
    "past_updates": COUNT,
    "pool_share": SHARE,
    "scorer": COUNT_OR_NONE,
    "evaluations": COUNT_OR_NONE,
    "evaluation_games": COUNT,
    "checkpoint_seconds": NOT_NEGATIVE,
    "save_seconds": NOT_NEGATIVE,
    "keep": COUNT,
    "games": COUNT,
}


def check(config: Any) -> None:
    """Refuse settings that are not allowed.

    Parameters
    ----------
    config : object
        Settings of a trainer or of the demo. It has `game`, `num_players`, `seed` and `opponents`;
        what else it has is checked by its name. None stands for what was not given.

    Raises
    ------
    ValueError
        In one line: the setting, its value, and what is allowed.
    """
    check_numbers(config)
    checked_seed(config.seed)
    hidden = getattr(config, "hidden", (1,))
    if not hidden or not all(map(COUNT.hold, hidden)):
        raise ValueError(f"hidden is {hidden}; allowed: one or more sizes of 1 or more")
    device = getattr(config, "device", "cpu")
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"device is {device!r}, which PyTorch refuses: {reason}") from error
    variants(config)
    more = (*getattr(config, "rivals", ()), *filter(None, [getattr(config, "searcher", None)]))
    for opponent in (*config.opponents, *more):
        automatic(opponent, config.game)


def check_numbers(config: Any) -> None:
    """Refuse numbers that are not allowed.

    Parameters
    ----------
    config : object
        What it has is checked by its name. None stands for what was not given.

    Raises
    ------
    ValueError
        In one line: the setting, its value, and what is allowed.
    """
    for name, bounds in BOUNDS.items():
        value = getattr(config, name, None)
        if value is not None and not bounds.hold(value):
            raise ValueError(f"{name} is {value!r}; allowed: {bounds.words}")


def game_options(config: Any) -> dict[str, Any]:
    """Return the options of the game that a run is about, where there is one number of players.

    Parameters
    ----------
    config : object
        As for `variants`.

    Returns
    -------
    dict of str to (int, bool or str)
        All options of the game.

    Raises
    ------
    ValueError
        As `variants`.
    """
    return variants(config)[0]


def variants(config: Any) -> list[dict[str, Any]]:
    """Return the options of the game that a run is about, for each number of players.

    Parameters
    ----------
    config : object
        With `game` and `num_players`, one number, several or none, and perhaps `options`, texts as
        typed.

    Returns
    -------
    list of dict of str to (int, bool or str)
        All options of the game for each number of players, at least one.

    Raises
    ------
    ValueError
        For an unknown game or option, or a value that is not allowed.
    """
    rules = table.rules(config.game)
    asked = config.num_players
    numbers = asked if isinstance(asked, tuple) else (asked,)
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"num_players is {numbers}; allowed: each number once")
    typed = getattr(config, "options", ())
    return [
        rules.options_dict(rules.make_options(**read_options(rules, typed, number)))
        for number in numbers or (None,)
    ]
