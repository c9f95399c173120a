"""What a run's games did between two updates, as far as it does not depend on how it learns."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Self

import numpy as np
from torch import Tensor

from . import learning
from .games import LEARNER, Games
from .learning import BoolArray, FloatArray, IntArray


@dataclass
class Steps:
    """T steps of B games with up to P seats."""

    value: FloatArray  # (T, B, P), of every seat, told by the one that decides
    seat: IntArray  # (T, B), which one that is
    learns: BoolArray  # (T, B), whether it is the learner's
    reward: FloatArray  # (T, B, P), of every seat
    done: BoolArray  # (T, B)
    final_score: list[IntArray]  # the games that ended, in parts (games, number of players)

    @classmethod
    def empty(cls, games: Games, num_steps: int) -> Steps:
        """Allocate them, to be filled again and again.

        Parameters
        ----------
        games : Games
        num_steps : int

        Returns
        -------
        Steps
        """
        shape, seats = (num_steps, len(games.num_players)), games.most_players
        return cls(
            value=np.zeros((*shape, seats), np.float32),
            seat=np.empty(shape, np.int64),
            learns=np.empty(shape, np.bool_),
            reward=np.empty((*shape, seats), np.float32),
            done=np.empty(shape, np.bool_),
            final_score=[],
        )

    def note_turn(self, t: int, games: Games) -> tuple[IntArray, IntArray]:
        """Note who is to move.

        Parameters
        ----------
        t : int
            The step.
        games : Games

        Returns
        -------
        who : int64 (B,)
            LEARNER or a number of the pool.
        mine : int64 (n,)
            The games in which it is the learner.
        """
        if t == 0:
            self.final_score.clear()
        self.seat[t] = games.to_play
        who = games.who[np.arange(len(games.who)), self.seat[t]]
        self.learns[t] = who == LEARNER
        return who, np.flatnonzero(who == LEARNER)

    def note_values(self, t: int, games: Games, mine: IntArray, value: FloatArray) -> None:
        """Note what the learner expects.

        Parameters
        ----------
        t : int
        games : Games
        mine : int64 (n,)
            The games.
        value : float32 (n, seats)
            The network's: own seat first.
        """
        self.value[t, mine] = by_seat(games, mine, self.seat[t, mine], value)

    def note_results(
        self, t: int, games: Games, points_weight: float, points_scale: FloatArray
    ) -> None:
        """Note what the step has brought.

        Parameters
        ----------
        t : int
        games : Games
            After it.
        points_weight, points_scale
            As for `Games.rewards`.
        """
        self.done[t] = games.done
        self.reward[t] = games.rewards(points_weight, points_scale)
        self.final_score += games.final_scores()


def by_seat(games: Games, mine: IntArray, seat: IntArray, value: FloatArray) -> FloatArray:
    """Turn a network's values, own seat first, into values in the order of the seats.

    Parameters
    ----------
    games : Games
    mine : int64 (n,)
        The games that they are of.
    seat : int64 (n,)
        Whose they are.
    value : float32 (n, seats)

    Returns
    -------
    float32 (n, P)
    """
    return learning.by_seat(value[:, : games.most_players], seat, games.num_players[mine])


@dataclass
class Decisions:
    """N decisions of any seats, laid flat, as far as both trainers learn from them."""

    observation: Tensor  # float32 (N, inputs)
    legal: Tensor  # bool (N, actions)
    target: Tensor  # float32 (N, P), of the values, own seat first
    there: Tensor  # bool (N, P), whether the game has so many seats

    def take(self, chosen: Tensor) -> Self:
        """Pick some of the samples.

        Parameters
        ----------
        chosen : int64 Tensor (M,)
            Their numbers.

        Returns
        -------
        Decisions
            M of them, copied; of the same class.
        """
        return type(self)(*(getattr(self, f.name)[chosen] for f in dataclasses.fields(self)))


@dataclass
class Lessons:
    """What the steps teach about each decision; N = T times B, laid flat."""

    known: IntArray  # (n,), those of the N decisions that can be learned from
    advantage: FloatArray  # (N,), of the seat that decided
    target: FloatArray  # (N, P), of the values, own seat first
    there: BoolArray  # (N, P), whether the game has so many seats
    variance: float  # of the own returns
    explained_variance: float  # of the own returns, by the values told


def lessons(
    steps: Steps,
    games: Games,
    next_values: FloatArray,
    discount: float,
    trace: float,
) -> Lessons:
    """Work out what the steps teach.

    Parameters
    ----------
    steps : Steps
    games : Games
        After them.
    next_values : float32 (B, seats)
        What the network tells of the positions now, own seat first.
    discount, trace : float
        Gamma and lambda.

    Returns
    -------
    Lessons
    """
    everything = np.arange(len(games.num_players))
    seat = games.to_play
    after = by_seat(games, everything, seat, next_values)
    learns = games.who[everything, seat] == LEARNER
    advantage, complete = learning.turn_based_gae(
        steps.reward, steps.seat, steps.value, steps.done, steps.learns,
        seat, after, learns, discount, trace,
    )  # fmt: skip
    flat = (-1, games.most_players)
    seats, num_players = steps.seat.ravel(), np.tile(games.num_players, len(steps.seat))
    own = np.arange(len(seats)), seats
    target, value = (advantage + steps.value).reshape(flat), steps.value.reshape(flat)
    known = np.flatnonzero(complete)
    return Lessons(
        known=known,
        advantage=advantage.reshape(flat)[own],
        target=learning.from_seat(target, seats, num_players),
        there=np.arange(games.most_players) < num_players[:, None],
        variance=max(1e-6, float(target[own][known].var())),
        explained_variance=learning.explained_variance(value[own][known], target[own][known]),
    )
