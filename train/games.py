"""The games that a run of PPO plays: several numbers of players side by side, and who decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..agents import playing
from ..agents.base import Agent
from ..agents.network import Network
from ..kernels import rng
from ..kernels.batch import Batch
from ..kernels.rules import Rules
from . import learning
from .learning import BoolArray, FloatArray, IntArray

LEARNER = -1


def margins(points: IntArray) -> FloatArray:
    """Compare each seat's points with the mean of the others'.

    Parameters
    ----------
    points : int array (N, P)

    Returns
    -------
    float32 (N, P)
        Points ahead; a row adds up to 0. With one seat its points.
    """
    n = points.shape[1]
    if n == 1:
        return np.asarray(points, np.float32)
    others = (points.sum(axis=1, keepdims=True) - points) / (n - 1)
    return np.asarray(points - others, np.float32)


@dataclass(frozen=True)
class Seating:
    """Who decides on which seat of a game.

    Attributes
    ----------
    seed : int
        All its luck follows from it.
    share : float
        The part of the games in which one seat is the learner's and an opponent from the pool has
        each other one; in the rest all seats are the learner's.
    opponents : int
        In the pool.
    seat : int or None
        The learner's in those games; None draws one for each game.
    """

    seed: int
    share: float
    opponents: int
    seat: int | None

    def of(self, part: int, place: int, places: int, episode: int, num_players: int) -> list[int]:
        """Seat the players of one game.

        Parameters
        ----------
        part : int
            The number of the game's batch.
        place, places : int
            Where in it the game is played, and how many such places there are.
        episode : int
            How many games were played there before.
        num_players : int

        Returns
        -------
        list of int
            For each seat LEARNER or a number of the pool: the same on all seats that are not the
            learner's.
        """
        if place >= round(self.share * places) or not self.opponents:
            return [LEARNER] * num_players
        first = 2 * (place + episode * places)

        def below(draw: int, n: int) -> int:
            return int(rng.below(np.uint64(self.seed), part, first + draw, n))

        seat = below(0, num_players) if self.seat is None else self.seat
        opponent = below(1, self.opponents)
        return [LEARNER if s == seat else opponent for s in range(num_players)]


class Games:
    """A batch of games for each number of players, treated as one batch of B games.

    Parameters
    ----------
    rules : Rules
    options : sequence of OPTIONS record
        One for each number of players; they share the games evenly.
    num_envs : int
        Games in all.
    seeds : sequence of int
        One for each batch.
    seating : Seating

    Attributes
    ----------
    num_players : int64 array (B,)
    most_players : int
        Called P: the most among them.
    who : int64 array (B, P)
        Who decides on each seat: LEARNER or a number of the pool.
    """

    def __init__(
        self,
        rules: Rules,
        options: Sequence[np.void],
        num_envs: int,
        seeds: Sequence[int],
        seating: Seating,
    ) -> None:
        self.rules = rules
        self.seating = seating
        edges = np.linspace(0, num_envs, len(options) + 1).astype(int).tolist()
        sizes = [high - low for low, high in pairwise(edges)]
        parts = zip(options, sizes, seeds, strict=True)
        self.batches = [Batch(rules, choice, size, seed=seed) for choice, size, seed in parts]
        self.spans = [slice(a, b) for a, b in pairwise(edges)]
        self.num_players = np.repeat([batch.num_players for batch in self.batches], sizes)
        self.most_players = int(self.num_players.max())
        self.who = np.full((num_envs, self.most_players), LEARNER)
        self._seat(np.ones(num_envs, np.bool_))

    def _seat(self, fresh: BoolArray) -> None:
        """Seat the players of the games that have just begun."""
        for part, (batch, span) in enumerate(zip(self.batches, self.spans, strict=True)):
            for place in np.flatnonzero(fresh[span]).tolist():
                episode, n = int(batch.episode[place]), batch.num_players
                who = self.seating.of(part, place, batch.num_envs, episode, n)
                self.who[span.start + place, :n] = who

    def _each(self, name: str) -> Any:
        """Lay an attribute of the batches end to end."""
        return np.concatenate([getattr(batch, name) for batch in self.batches])

    @property
    def to_play(self) -> IntArray:
        """The seat to move in each game, int64 (B,)."""
        return np.asarray(self._each("to_play"), np.int64)

    @property
    def states(self) -> Any:
        """The games themselves, STATE array (B,)."""
        return self._each("states")

    @property
    def done(self) -> BoolArray:
        """Whether the last step ended the game, bool (B,)."""
        return np.asarray(self._each("done"))

    def present(self, observation: Tensor, legal: Tensor) -> None:
        """Write what the seats to move see and may do.

        Parameters
        ----------
        observation : float32 Tensor (B, obs_size), out
        legal : bool Tensor (B, n_actions), out
        """
        for batch, span in zip(self.batches, self.spans, strict=True):
            observation[span].copy_(torch.from_numpy(batch.obs))
            legal[span].copy_(torch.from_numpy(batch.mask))

    def step(self, actions: IntArray) -> None:
        """Take one decision in every game, and seat the players of those that begin.

        Parameters
        ----------
        actions : int64 (B,)
            Legal ones.
        """
        for batch, span in zip(self.batches, self.spans, strict=True):
            batch.step(actions[span])
        self._seat(self.done)

    def rewards(self, points_weight: float, points_scale: FloatArray) -> FloatArray:
        """Tell what the last step was worth to every seat.

        Parameters
        ----------
        points_weight : float
            Reward for one `points_scale` of margin in points.
        points_scale : float array (number of batches,)

        Returns
        -------
        float32 (B, P)
            The gain in margin, and the outcome where a game ended; 0 for seats that a game lacks.
        """
        earned = np.zeros(self.who.shape, np.float32)
        for batch, span, scale in zip(self.batches, self.spans, points_scale, strict=True):
            part = earned[span, : batch.num_players]
            part += margins(batch.gain) * np.float32(points_weight / scale)
            part[batch.done] += batch.final_outcome[batch.done]
        return earned

    def final_scores(self) -> list[IntArray]:
        """Return the points of the games that the last step ended.

        Returns
        -------
        list of int32 array (games, number of players)
            One for each batch.
        """
        return [batch.final_score[batch.done] for batch in self.batches]

    def save(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return all that is needed to go on later.

        Returns
        -------
        dict of str to array
        """
        saved = {f"{i}.{k}": a for i, b in enumerate(self.batches) for k, a in b.save().items()}
        return {**saved, "who": self.who.copy()}

    def load(self, saved: dict[str, np.ndarray[Any, Any]]) -> None:
        """Go on from what `save` returned.

        Parameters
        ----------
        saved : dict of str to array

        Raises
        ------
        ValueError
            If it is of other games.
        """
        for i, batch in enumerate(self.batches):
            parts = (key.partition(".") for key in saved)
            batch.load({k: saved[f"{n}.{k}"] for n, _, k in parts if n == str(i)})
        self.who[:] = saved["who"]


class Pool:
    """The opponents of the games in which only one seat learns.

    Parameters
    ----------
    past : sequence of Network
        Past selves of the learner; they draw actions as it does.
    rivals : sequence of Agent
        Agents that stay as they are.
    """

    def __init__(self, past: Sequence[Network], rivals: Sequence[Agent]) -> None:
        self.past = list(past)
        self.rivals = list(rivals)

    def __len__(self) -> int:
        return len(self.past) + len(self.rivals)

    def decide(
        self,
        games: Games,
        who: IntArray,
        observation: Tensor,
        legal: Tensor,
        luck: torch.Generator,
        actions: IntArray,
    ) -> None:
        """Let the opponents choose where it is their turn.

        Parameters
        ----------
        games : Games
        who : int64 (B,)
            Who is to decide: LEARNER, whose games are left alone, or a number of the pool.
        observation : float32 Tensor (B, obs_size)
        legal : bool Tensor (B, n_actions)
        luck : torch.Generator
            Of the past selves.
        actions : int64 (B,), out
            Written where an opponent decides.
        """
        for number in np.unique(who[who != LEARNER]).tolist():
            mine = np.flatnonzero(who == number)
            if number < len(self.past):
                rows = torch.from_numpy(mine)
                logits, _ = self.past[number](observation[rows], legal[rows])
                logs = learning.masked_log_probabilities(logits, legal[rows])
                actions[mine] = learning.sample(logs, luck).cpu().numpy()
            else:
                rival = self.rivals[number - len(self.past)]
                actions[mine] = playing.choose(rival, games.rules, games.states[mine])
