"""Evaluation: agents play each other in rotated seats on paired deals, and what that says of them.

**Seating.** Every deal is played with the same cycle of agents, turned by one seat from game to
game until each agent of the cycle has had every seat once. Which agents sit behind each other is
drawn anew for every deal. Luck is paired, too: in all games of a deal it follows from the deal.

- as many agents as players: the cycle holds each of them once;
- more agents than players: the same, and each game of a deal is between neighbours on the cycle, so
  that over the deals all meet all equally often;
- fewer agents than players: the first agent against a field of the others, who fill the remaining
  seats in equal shares over the deals.

**Alone.** In a game of one seat every agent plays each deal once. Those games count as one between
the agents: who has the best outcome of a deal wins it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..envs import table
from ..kernels.batch import checked_count, checked_seed
from ..kernels.rng import Driver, below, bits
from ..kernels.rules import Rules
from . import automatic, playing, ratings, records
from .base import Agent, AgentLike
from .ratings import Estimate, Rating
from .records import Match

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Alone:
    """How one agent did in a game of one seat.

    Attributes
    ----------
    score, outcome : Estimate
        Means of its points and of its results in [-1, 1].
    better_than : tuple of Estimate
        For each agent, itself included, how often this one had the better outcome of a deal; a tie
        counts half.
    """

    score: Estimate
    outcome: Estimate
    better_than: tuple[Estimate, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers.

        Returns
        -------
        dict
        """
        return {
            "score": self.score.to_dict(),
            "outcome": self.outcome.to_dict(),
            "better_than": [share.to_dict() for share in self.better_than],
        }


@dataclass(frozen=True)
class AgentResult:
    """How one agent did.

    Attributes
    ----------
    spec : str
    games : int
        Games that it took part in.
    win_rate : Estimate
        For each seat it had; k winners of a game have 1 / k each. An average agent has
        1 / num_players.
    mean_rank : Estimate
        1 is the best; players who share places have the mean of those places.
    score_margin : Estimate
        Its points less the mean of the others', for each seat it had.
    rating : Rating or None
        None without OpenSkill, and when there is but one agent.
    alone : Alone or None
        What it did in a game of one seat. There the figures above are about deals, not games, and
        an average agent wins one deal in as many as there are agents.
    """

    spec: str
    games: int
    win_rate: Estimate
    mean_rank: Estimate
    score_margin: Estimate
    rating: Rating | None
    alone: Alone | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers and words.

        Returns
        -------
        dict
        """
        return {
            "spec": self.spec,
            "games": self.games,
            "win_rate": self.win_rate.to_dict(),
            "mean_rank": self.mean_rank.to_dict(),
            "score_margin": self.score_margin.to_dict(),
            "rating": None if self.rating is None else vars(self.rating).copy(),
            **({} if self.alone is None else self.alone.to_dict()),
        }


@dataclass(frozen=True)
class Result:
    """What an evaluation found. Intervals are 95 %, taken over deals.

    Attributes
    ----------
    game : str
    options : dict
        All options of the game, `num_players` among them.
    seed : int
    games, deals : int
    agents : tuple of AgentResult
        In the order they were given.
    seats : tuple of Estimate
        The win rate of each seat, whoever sat there; empty in a game of one seat.
    rules_hash, sheet_hash, version : str
        Of the rules, the component sheet and the package in use.
    """

    game: str
    options: dict[str, Any]
    seed: int
    games: int
    deals: int
    agents: tuple[AgentResult, ...]
    seats: tuple[Estimate, ...]
    rules_hash: str
    sheet_hash: str
    version: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers and words, ready for JSON.

        Returns
        -------
        dict
        """
        plain = {k: v for k, v in vars(self).items() if k not in ("agents", "seats")}
        return {
            **plain,
            "options": dict(self.options),
            "agents": [agent.to_dict() for agent in self.agents],
            "seats": [seat.to_dict() for seat in self.seats],
        }

    def __rich__(self) -> Table:
        """Let Rich print the table."""
        return self.table()

    def __str__(self) -> str:
        """Return the table as text."""
        from rich.console import Console

        console = Console(width=100)
        with console.capture() as text:
            console.print(self)
        return text.get()

    def table(self) -> Table:
        """Return the result as a table to print with Rich.

        Returns
        -------
        rich.table.Table
        """
        from rich.table import Table

        players = self.options["num_players"]
        if players == 1:
            return self._table_alone()
        shown = Table(
            title=f"{self.game}, {players} players: {self.games} games on {self.deals} deals",
            caption="wins by seat: "
            + ", ".join(f"{i}: {seat.value:.1%}" for i, seat in enumerate(self.seats)),
        )
        shown.add_column("agent", overflow="fold")
        for heading in ("games", "won", "95 %", "place", "margin", "rating"):
            shown.add_column(heading, justify="right", no_wrap=True)
        for agent in self.agents:
            won, margin, rating = agent.win_rate, agent.score_margin, agent.rating
            shown.add_row(
                agent.spec,
                str(agent.games),
                f"{won.value:.1%}",
                f"{won.low:.1%} - {won.high:.1%}",
                f"{agent.mean_rank.value:.2f}",
                f"{margin.value:+.1f}",
                "-" if rating is None else f"{rating.mu:.1f} ± {rating.sigma:.1f}",
            )
        return shown

    def _table_alone(self) -> Table:
        """Return the result of a game of one seat as a table."""
        from rich.table import Table

        lines = [
            f"{one.spec} better than {other.spec} on a deal: {share.value:.1%} "
            f"({share.low:.1%} - {share.high:.1%})"
            for i, one in enumerate(self.agents)
            for other, share in list(zip(self.agents, _alone(one).better_than, strict=True))[
                i + 1 :
            ]
        ]
        shown = Table(
            title=f"{self.game}, alone: {self.games} games on {self.deals} deals",
            caption="\n".join(lines) or None,
        )
        shown.add_column("agent", overflow="fold")
        for heading in ("games", "score", "95 %", "outcome", "95 %", "rating"):
            shown.add_column(heading, justify="right", no_wrap=True)
        for agent in self.agents:
            score, outcome, rating = _alone(agent).score, _alone(agent).outcome, agent.rating
            shown.add_row(
                agent.spec,
                str(agent.games),
                f"{score.value:.1f}",
                f"{score.low:.1f} - {score.high:.1f}",
                f"{outcome.value:+.2f}",
                f"{outcome.low:+.2f} - {outcome.high:+.2f}",
                "-" if rating is None else f"{rating.mu:.1f} ± {rating.sigma:.1f}",
            )
        return shown


def _alone(agent: AgentResult) -> Alone:
    """Return what an agent did in a game of one seat."""
    assert agent.alone is not None
    return agent.alone


def evaluate(
    game: str,
    agents: Sequence[AgentLike],
    games: int = 1000,
    seed: int = 0,
    num_players: int | None = None,
    progress: bool = False,
    record: str | Path | None = None,
    batch_games: int = 128,
    **options: Any,
) -> Result:
    """Let agents play each other and measure them.

    Parameters
    ----------
    game : str
        A name from the table of games.
    agents : sequence of (str or Agent)
        Specs, or objects of classes derived from `Agent`.
    games : int
        Rounded up to whole deals; a deal is played max(number of agents, num_players) times.
    seed : int
        In [0, 2**64). The result depends on it and on nothing else that is not named here.
    num_players : int, optional
        Default: what follows from the options; else the number of agents if the game can be played
        by so many and no other option says by how many; else the game's default.
    progress : bool
        Show a progress bar.
    record : str or Path, optional
        A file of match records to write. If it exists already, it has to be of this evaluation
        (`games` may differ): what it holds is not played again, so that an evaluation goes on where
        it was interrupted.
    batch_games : int
        How many games are played at a time. Changes speed and memory, not the result; records are
        written when a batch is over.
    **options : object
        Options of the game.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        For an unknown game, agent or option, a value that is not allowed, an agent that plays
        illegally, or a record of something else.
    TypeError
        If `agents` is no list of specs and agents.
    OSError
        If the record cannot be read or written; no game is played then.

    Examples
    --------
    >>> result = evaluate("fossil", ["greedy", "random"], games=20)
    >>> result.agents[0].win_rate.value > 0.5
    True
    """
    rules = table.rules(game)
    if isinstance(agents, str | Agent) or not isinstance(agents, Iterable):
        raise TypeError(f"agents is {agents!r}; allowed: a list of agents, such as ['greedy']")
    players = [automatic(spec, game) for spec in agents]
    if not players:
        raise ValueError("no agents were given")
    seats = rules.option("num_players")
    if num_players is None and seats.follows is None and len(players) in seats.choices:
        num_players = len(players)
    if num_players is not None:
        options["num_players"] = num_players
    chosen = rules.make_options(**options)
    plan = _Plan(rules, chosen, players, int(checked_seed(seed)), checked_count("games", games))
    games_of = _Games.empty(plan)
    if record is not None:
        _take_over(plan, games_of, Path(record))
    todo = np.argwhere(~games_of.played)
    size = checked_count("batch_games", batch_games)
    with _bar(progress, plan, len(todo)) as advance:
        for start in range(0, len(todo), size):
            part = todo[start : start + size]
            matches = _play(plan, games_of, part, advance)
            if record is not None:
                records.append(record, matches)
    return _result(plan, games_of)


def seatings(num_agents: int, num_players: int, seed: int, deal: int) -> NDArray[np.int64]:
    """Say who sits where in the games of a deal.

    Parameters
    ----------
    num_agents, num_players : int
    seed : int
        Of the evaluation.
    deal : int
        Counted from 0.

    Returns
    -------
    int64 array (max(num_agents, num_players), num_players)
        For each game of the deal the agent in each seat.
    """
    cycle = np.arange(max(num_agents, num_players))
    if num_agents < num_players:
        field = max(num_agents - 1, 1)
        cycle = deal * (num_players - 1) + cycle - 1
        cycle = cycle % field + min(num_agents - 1, 1)
        cycle[0] = 0
    size = len(cycle)
    for k in range(size - 1, 0, -1):  # Fisher and Yates
        other = below(np.uint64(seed), int(Driver.ROTATION), deal * size + k, k + 1)
        cycle[[k, other]] = cycle[[other, k]]
    turned = np.arange(size)[:, None] + np.arange(num_players)[None, :]
    return np.asarray(cycle[turned % size], np.int64)


class _Plan:
    """All that is settled before the first game."""

    def __init__(
        self, rules: Rules, options: np.void, agents: list[Agent], seed: int, games: int
    ) -> None:
        self.rules = rules
        self.options = options
        self.chosen = rules.options_dict(options)
        self.agents = agents
        self.specs = tuple(str(agent) for agent in agents)
        self.seed = seed
        num_players = int(options["num_players"])
        self.seatings = max(len(agents), num_players)
        self.deals = -(-games // self.seatings)
        drawn = [seatings(len(agents), num_players, seed, deal) for deal in range(self.deals)]
        self.seats = np.array(drawn)  # (deals, seatings, num_players)
        self.template = records.new(rules, self.chosen, 0, (), ())

    def deal_seed(self, deal: int) -> np.uint64:
        """Return the seed of all games of a deal."""
        return np.uint64(bits(np.uint64(self.seed), int(Driver.EPISODE), deal))

    def header(self) -> dict[str, Any]:
        """Return what tells the records of this evaluation from others."""
        return {"seed": self.seed, "agents": list(self.specs)}

    def match(
        self,
        deal: int,
        seating: int,
        actions: Sequence[int],
        score: Sequence[int],
        outcome: Sequence[float],
    ) -> Match:
        """Return the record of one game."""
        return replace(
            self.template,
            seed=int(self.deal_seed(deal)),
            seats=tuple(self.specs[agent] for agent in self.seats[deal, seating]),
            actions=tuple(actions),
            score=tuple(score),
            outcome=tuple(outcome),
            evaluation={**self.header(), "deal": deal, "seating": seating},
        )


@dataclass(frozen=True)
class _Games:
    """The ends of all games of an evaluation, each array (deals, seatings, ...)."""

    played: NDArray[np.bool_]
    score: NDArray[np.float64]
    outcome: NDArray[np.float64]

    @classmethod
    def empty(cls, plan: _Plan) -> _Games:
        """Return them before the first game."""
        shape = plan.seats.shape
        return cls(np.zeros(shape[:2], bool), np.zeros(shape), np.zeros(shape))


def _play(
    plan: _Plan, games: _Games, part: NDArray[np.int64], advance: Callable[[float], None]
) -> list[Match]:
    """Play some of the games, given as (deal, seating) each, and note how they ended."""
    seeds = np.array([plan.deal_seed(deal) for deal in part[:, 0].tolist()], np.uint64)
    seats = plan.seats[part[:, 0], part[:, 1]]
    played = playing.play(plan.rules, plan.options, plan.agents, seats, seeds, advance)
    matches = []
    for i, (deal, seating) in enumerate(part.tolist()):
        games.played[deal, seating] = True
        games.score[deal, seating] = played.score[i]
        games.outcome[deal, seating] = played.outcome[i]
        ends = played.score[i].tolist(), played.outcome[i].tolist()
        matches.append(plan.match(deal, seating, played.actions[i], *ends))
    return matches


def _take_over(plan: _Plan, games: _Games, record: Path) -> None:
    """Note the games that a file of records already holds; refuse a file of something else."""
    records.check_writable(record)
    if not record.exists() or record.stat().st_size == 0:
        return
    for match in records.read(record, unfinished=True):
        told = dict(match.evaluation or {})
        deal, seating = told.pop("deal", None), told.pop("seating", None)
        theirs = (match.game, match.options, match.rules_hash, told)
        ours = (plan.rules.name, plan.chosen, plan.template.rules_hash, plan.header())
        names = ("game", "options", "rules", "evaluation")
        for what, found, wanted in zip(names, theirs, ours, strict=True):
            if found != wanted:
                raise ValueError(
                    f"{match.place}: the record is of something else: {what} {found}, "
                    f"here {wanted}; choose another file or remove it"
                )
        if not (isinstance(deal, int) and isinstance(seating, int) and match.done):
            raise records.RecordError(f"{match.place}: not a finished match of an evaluation")
        if 0 <= deal < plan.deals and 0 <= seating < plan.seatings:
            games.played[deal, seating] = True
            games.score[deal, seating] = match.score
            games.outcome[deal, seating] = match.outcome
    records.mend(record, plan.template.line().partition('"version"')[0])


@contextlib.contextmanager
def _bar(shown: bool, plan: _Plan, games: int) -> Iterator[Callable[[float], None]]:
    """Show the progress of a number of games; yields what `playing.play` reports to."""
    if not shown:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[done]} games"),
        TimeRemainingColumn(), console=Console(stderr=True),
    ) as bar:  # fmt: skip
        task = bar.add_task(" - ".join(plan.specs), total=games, done=f"0 of {games}")
        before, within = 0.0, 0.0

        def advance(done: float) -> None:
            nonlocal before, within
            if done < within:  # the next batch has begun
                before += round(within)
            within = done
            now = before + within
            bar.update(task, completed=now, done=f"{int(now)} of {games}")

        yield advance


def _together(plan: _Plan, games: _Games) -> tuple[NDArray[np.int64], NDArray[np.float64], _Games]:
    """Return who sat where, the ranks and the ends, each (deals, games, seats).

    In a game of one seat, the games of a deal become one, with a seat for each agent.
    """
    num_players = plan.seats.shape[-1]
    if num_players > 1:
        ranks = np.round((1.0 - games.outcome) * (num_players - 1)) / 2 + 1.0  # places are halves
        return plan.seats, ranks, games
    seats = plan.seats.swapaxes(1, 2)
    score, outcome = (a.reshape(seats.shape) for a in (games.score, games.outcome))
    other, own = outcome[..., None, :], outcome[..., None]
    ranks = (other > own).sum(-1) + ((other == own).sum(-1) + 1) / 2
    return seats, ranks, _Games(games.played, score, outcome)


def _alone_by_agent(
    seats: NDArray[np.int64], ranks: NDArray[np.float64], games: _Games
) -> list[Alone]:
    """Work out what each agent did in a game of one seat; the arrays are those of `_together`."""
    order = seats[:, 0].argsort(-1)  # the place of each agent in its row
    score, outcome, rank = (
        np.take_along_axis(a[:, 0], order, -1) for a in (games.score, games.outcome, ranks)
    )
    once = np.ones(len(order))
    return [
        Alone(
            ratings.mean(score[:, one], once),
            ratings.bounded_mean(outcome[:, one], once, -1.0, 1.0),
            tuple(
                ratings.bounded_mean((np.sign(theirs - rank[:, one]) + 1) / 2, once, 0.0, 1.0)
                for theirs in rank.T
            ),
        )
        for one in range(order.shape[1])
    ]


def _result(plan: _Plan, games: _Games) -> Result:
    """Work out what the games say."""
    alone = plan.seats.shape[-1] == 1
    there_sat, ranks, ends = _together(plan, games)
    num_players = there_sat.shape[-1]
    best = ranks == ranks.min(-1, keepdims=True)
    wins = best / best.sum(-1, keepdims=True)
    others = ends.score.sum(-1, keepdims=True) - ends.score
    margins = ends.score - others / max(1, num_players - 1)
    solo = _alone_by_agent(there_sat, ranks, ends) if alone else [None] * len(plan.agents)

    def of_agent(index: int, rating: Rating | None) -> AgentResult:
        there = there_sat == index
        counts = there.sum((1, 2))
        totals = [np.where(there, x, 0.0).sum((1, 2)) for x in (wins, ranks, margins)]
        return AgentResult(
            plan.specs[index],
            int(there.any(-1).sum()),
            ratings.bounded_mean(totals[0], counts, 0.0, 1.0),
            ratings.bounded_mean(totals[1], counts, 1.0, num_players),
            ratings.mean(totals[2], counts),
            rating,
            solo[index],
        )

    pairs = zip(there_sat.reshape(-1, num_players), ranks.reshape(-1, num_players), strict=True)
    rated: Sequence[Rating | None] = ratings.openskill(len(plan.agents), pairs)
    per_deal = np.full(plan.deals, plan.seatings)
    return Result(
        plan.rules.name,
        plan.chosen,
        plan.seed,
        plan.deals * plan.seatings,
        plan.deals,
        tuple(of_agent(index, rating) for index, rating in enumerate(rated)),
        tuple(
            ratings.bounded_mean(wins[:, :, seat].sum(1), per_deal, 0.0, 1.0)
            for seat in range(0 if alone else num_players)
        ),
        plan.template.rules_hash,
        plan.rules.sheet.hash,
        __version__,
    )
