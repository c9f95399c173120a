"""The games of an evaluation: who sits where on which deal, played once, recorded, taken up again.

What the games say is worked out elsewhere (`evaluate`, `against`): here they are played.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.rng import Driver, bits
from ..kernels.rules import Rules
from . import playing, records
from .base import Agent
from .records import Match


class Plan:
    """All that is settled before the first game.

    Parameters
    ----------
    rules : Rules
    options : OPTIONS record
    specs : sequence of str
        Of all agents, by their numbers.
    seats : int64 array (deals, seatings, num_players)
        The number of the agent in each seat, for every game of every deal.
    seed : int
        Of the evaluation; all luck follows from it.
    told : mapping
        What its records say of it beside the seed: they are told from others by that.
    """

    def __init__(
        self,
        rules: Rules,
        options: np.void,
        specs: Sequence[str],
        seats: NDArray[np.int64],
        seed: int,
        told: Mapping[str, Any],
    ) -> None:
        self.rules = rules
        self.options = options
        self.chosen: dict[str, Any] = rules.options_dict(options)
        self.specs = tuple(specs)
        self.seats = seats
        self.deals, self.seatings = seats.shape[:2]
        self.seed = seed
        self.header = {"seed": seed, **told}
        self.template = records.new(rules, self.chosen, 0, (), ())

    def deal_seed(self, deal: int) -> np.uint64:
        """Return the seed of all games of a deal.

        Parameters
        ----------
        deal : int
            Counted from 0.

        Returns
        -------
        uint64
        """
        return np.uint64(bits(np.uint64(self.seed), int(Driver.EPISODE), deal))

    def match(
        self,
        deal: int,
        seating: int,
        actions: Sequence[int],
        score: Sequence[int],
        outcome: Sequence[float],
    ) -> Match:
        """Return the record of one game.

        Parameters
        ----------
        deal, seating : int
            Which game it is.
        actions : sequence of int
        score : sequence of int
        outcome : sequence of float

        Returns
        -------
        Match
        """
        return replace(
            self.template,
            seed=int(self.deal_seed(deal)),
            seats=tuple(self.specs[agent] for agent in self.seats[deal, seating]),
            actions=tuple(actions),
            score=tuple(score),
            outcome=tuple(outcome),
            evaluation={**self.header, "deal": deal, "seating": seating},
        )


@dataclass(frozen=True)
class Ends:
    """The ends of all games of an evaluation.

    Attributes
    ----------
    played : bool array (deals, seatings)
    score, outcome : float64 array (deals, seatings, num_players)
    """

    played: NDArray[np.bool_]
    score: NDArray[np.float64]
    outcome: NDArray[np.float64]

    @classmethod
    def none(cls, plan: Plan) -> Ends:
        """Return them before the first game.

        Parameters
        ----------
        plan : Plan

        Returns
        -------
        Ends
        """
        shape = plan.seats.shape
        return cls(np.zeros(shape[:2], bool), np.zeros(shape), np.zeros(shape))

    def first(self, deals: int) -> Ends:
        """Return those of the first deals.

        Parameters
        ----------
        deals : int

        Returns
        -------
        Ends
        """
        return Ends(self.played[:deals], self.score[:deals], self.outcome[:deals])


def play(
    plan: Plan,
    agents: Sequence[Agent],
    batch_games: int,
    record: Path | None = None,
    progress: str | None = None,
) -> Ends:
    """Play all games of a plan that a file of records does not hold yet.

    Parameters
    ----------
    plan : Plan
    agents : sequence of Agent
        Those that the plan numbers, ready to play.
    batch_games : int
        How many games are played at a time; records are written when a batch is over.
    record : Path, optional
        File of match records, read first where it exists, then written to.
    progress : str, optional
        Show a progress bar with this before it.

    Returns
    -------
    Ends

    Raises
    ------
    ValueError
        For an agent that plays illegally, or a record of something else.
    OSError
        If the record cannot be read or written; no game is played then.
    """
    ends = Ends.none(plan)
    if record is not None:
        take_over(plan, ends, record)
    todo = np.argwhere(~ends.played)
    with _bar(progress, len(todo)) as advance:
        for start in range(0, len(todo), batch_games):
            part = todo[start : start + batch_games]
            matches = _play_some(plan, agents, ends, part, advance)
            if record is not None:
                records.append(record, matches)
    return ends


def _play_some(
    plan: Plan,
    agents: Sequence[Agent],
    ends: Ends,
    part: NDArray[np.int64],
    advance: Callable[[float], None],
) -> list[Match]:
    """Play some of the games, given as (deal, seating) each, and note how they ended."""
    seeds = np.array([plan.deal_seed(deal) for deal in part[:, 0].tolist()], np.uint64)
    seats = plan.seats[part[:, 0], part[:, 1]]
    played = playing.play(plan.rules, plan.options, agents, seats, seeds, advance)
    matches = []
    for i, (deal, seating) in enumerate(part.tolist()):
        ends.played[deal, seating] = True
        ends.score[deal, seating] = played.score[i]
        ends.outcome[deal, seating] = played.outcome[i]
        told = played.score[i].tolist(), played.outcome[i].tolist()
        matches.append(plan.match(deal, seating, played.actions[i], *told))
    return matches


def take_over(plan: Plan, ends: Ends, record: Path) -> None:
    """Note the games that a file of records already holds.

    Parameters
    ----------
    plan : Plan
    ends : Ends
        Written to.
    record : Path
        May be missing or empty. A last line that was cut short is cut off.

    Raises
    ------
    RecordError
        If it is of something else.
    OSError
        If it cannot be read or written.
    """
    records.check_writable(record)
    if not record.exists() or record.stat().st_size == 0:
        return
    for match in records.read(record, unfinished=True):
        note(plan, ends, match)
    records.mend(record, plan.template.line().partition('"version"')[0])


def note(plan: Plan, ends: Ends, match: Match) -> None:
    """Note how a recorded game ended; a deal beyond those of the plan is passed over.

    Parameters
    ----------
    plan : Plan
    ends : Ends
        Written to.
    match : Match

    Raises
    ------
    RecordError
        If it is of something else.
    """
    told = dict(match.evaluation or {})
    deal, seating = told.pop("deal", None), told.pop("seating", None)
    theirs = (match.game, match.options, match.rules_hash, told)
    ours = (plan.rules.name, plan.chosen, plan.template.rules_hash, plan.header)
    names = ("game", "options", "rules", "evaluation")
    for what, found, wanted in zip(names, theirs, ours, strict=True):
        if found != wanted:
            raise records.RecordError(
                f"{match.place}: the record is of something else: {what} {found}, "
                f"here {wanted}; choose another file or remove it"
            )
    ended = match.score is not None and match.outcome is not None
    if not (isinstance(deal, int) and isinstance(seating, int) and ended):
        raise records.RecordError(f"{match.place}: not a finished match of an evaluation")
    if 0 <= deal < plan.deals and 0 <= seating < plan.seatings:
        ends.played[deal, seating] = True
        ends.score[deal, seating] = match.score
        ends.outcome[deal, seating] = match.outcome


@contextlib.contextmanager
def _bar(shown: str | None, games: int) -> Iterator[Callable[[float], None]]:
    """Show the progress of a number of games; yields what `playing.play` reports to."""
    if shown is None:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[done]} games"),
        TimeRemainingColumn(), console=Console(stderr=True),
    ) as bar:  # fmt: skip
        task = bar.add_task(shown, total=games, done=f"0 of {games}")
        before, within = 0.0, 0.0

        def advance(done: float) -> None:
            nonlocal before, within
            if done < within:  # the next batch has begun
                before += round(within)
            within = done
            now = before + within
            bar.update(task, completed=now, done=f"{int(now)} of {games}")

        yield advance
