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

**Against an automated opponent.** Where one seat is that of a rulebook's automated opponent, seats
are not alike and nobody takes turns in them: see `against`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..envs import table
from ..kernels.batch import checked_count, checked_seed
from ..kernels.rng import Driver, below
from ..kernels.rules import Rules
from . import automatic, ratings
from .against import Pairing, Pairs
from .base import Agent, AgentLike
from .plan import Ends, Plan, play
from .ratings import Rating
from .results import AgentResult, Alone, Result


@overload
def evaluate(
    game: str,
    agents: Sequence[AgentLike],
    games: int = 1000,
    seed: int = 0,
    num_players: int | None = None,
    progress: bool = False,
    record: str | Path | None = None,
    batch_games: int = 128,
    *,
    against: None = None,
    **options: Any,
) -> Result: ...


@overload
def evaluate(
    game: str,
    agents: Sequence[AgentLike],
    games: int = 1000,
    seed: int = 0,
    num_players: int | None = None,
    progress: bool = False,
    record: str | Path | None = None,
    batch_games: int = 128,
    *,
    against: Sequence[AgentLike],
    **options: Any,
) -> Pairing: ...


def evaluate(
    game: str,
    agents: Sequence[AgentLike],
    games: int = 1000,
    seed: int = 0,
    num_players: int | None = None,
    progress: bool = False,
    record: str | Path | None = None,
    batch_games: int = 128,
    *,
    against: Sequence[AgentLike] | None = None,
    **options: Any,
) -> Result | Pairing:
    """Let agents play each other and measure them.

    Parameters
    ----------
    game : str
        A name from the table of games.
    agents : sequence of (str or Agent)
        Specs, or objects of classes derived from `Agent`.
    games : int
        Rounded up to whole deals; a deal is played max(number of agents, num_players) times. With
        `against` it is the number of deals, each of which every pair plays once.
    seed : int
        In [0, 2**64). The result depends on it and on nothing else that is not named here.
    num_players : int, optional
        Default: what follows from the options; else the number of agents if the game can be played
        by so many and no other option says by how many; else the game's default. With `against`
        what lets the automated opponent's seat be played.
    progress : bool
        Show a progress bar.
    record : str or Path, optional
        A file of match records to write. If it exists already, it has to be of this evaluation
        (`games` may differ): what it holds is not played again, so that an evaluation goes on where
        it was interrupted.
    batch_games : int
        How many games are played at a time. Changes speed and memory, not the result; records are
        written when a batch is over.
    against : sequence of (str or Agent), optional
        Who plays the automated opponent's seat, in a game that has one: each of `agents` plays the
        other seat against each of these, nobody takes turns in seats.
    **options : object
        Options of the game.

    Returns
    -------
    Result
        Or, with `against`, a `Pairing`.

    Raises
    ------
    ValueError
        For an unknown game, agent or option, a value that is not allowed, an agent that plays
        illegally, or a record of something else; for seats that are not alike without `against`.
    TypeError
        If `agents` or `against` is no list of specs and agents.
    OSError
        If the record cannot be read or written; no game is played then.

    Examples
    --------
    >>> result = evaluate("fossil", ["greedy", "random"], games=20)
    >>> result.agents[0].win_rate.value > 0.5
    True
    """
    rules = table.rules(game)
    players = _made("agents", agents, game)
    if num_players is not None:
        options["num_players"] = num_players
    seed, games = int(checked_seed(seed)), checked_count("games", games)
    size = checked_count("batch_games", batch_games)
    file = None if record is None else Path(record)
    if against is None:
        seats = rules.option("num_players")
        if num_players is None and seats.follows is None and len(players) in seats.choices:
            options["num_players"] = len(players)
        plan = rotation(rules, rules.make_options(**options), list(map(str, players)), seed, games)
        ends = play(plan, players, size, file, " - ".join(plan.specs) if progress else None)
        return summary(plan, ends)
    opponents = _made("against", against, game)
    paired = Pairs(rules, options, list(map(str, players)), list(map(str, opponents)), seed, games)
    title = f"{paired.plan.seatings} pairs" if progress else None
    return paired.summary(play(paired.plan, players + opponents, size, file, title))


def _made(name: str, agents: Sequence[AgentLike], game: str) -> list[Agent]:
    """Make the agents of a list, ready to play."""
    if isinstance(agents, str | Agent) or not isinstance(agents, Iterable):
        raise TypeError(f"{name} is {agents!r}; allowed: a list of agents, such as ['greedy']")
    made = [automatic(spec, game) for spec in agents]
    if not made:
        raise ValueError(f"no agents were given{'' if name == 'agents' else f' as {name}'}")
    return made


def rotation(rules: Rules, options: np.void, specs: Sequence[str], seed: int, games: int) -> Plan:
    """Plan an evaluation of agents that take turns in all seats.

    Parameters
    ----------
    rules : Rules
    options : OPTIONS record
    specs : sequence of str
        Of the agents.
    seed : int
    games : int
        Rounded up to whole deals.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        If one of the seats is an automated opponent's.
    """
    num_players = int(options["num_players"])
    if rules.automatic is not None and rules.automatic.seat < num_players:
        seat = rules.agent_names[rules.automatic.seat]
        raise ValueError(
            f"{rules.name} with {num_players} players: the seat {seat} is not like the others, so "
            "agents cannot take turns in it; say who plays it with `against`, on the command line "
            "--against pal,random"
        )
    size = max(len(specs), num_players)
    drawn = [seatings(len(specs), num_players, seed, deal) for deal in range(-(-games // size))]
    return Plan(rules, options, specs, np.array(drawn), seed, {"agents": list(specs)})


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


def _together(plan: Plan, games: Ends) -> tuple[NDArray[np.int64], NDArray[np.float64], Ends]:
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
    return seats, ranks, Ends(games.played, score, outcome)


def _alone_by_agent(
    seats: NDArray[np.int64], ranks: NDArray[np.float64], games: Ends
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


def summary(plan: Plan, games: Ends) -> Result:
    """Work out what the games of a rotation say.

    Parameters
    ----------
    plan : Plan
        From `rotation`.
    games : Ends
        All of them played.

    Returns
    -------
    Result
    """
    alone = plan.seats.shape[-1] == 1
    there_sat, ranks, ends = _together(plan, games)
    num_players = there_sat.shape[-1]
    best = ranks == ranks.min(-1, keepdims=True)
    wins = best / best.sum(-1, keepdims=True)
    others = ends.score.sum(-1, keepdims=True) - ends.score
    margins = ends.score - others / max(1, num_players - 1)
    solo = _alone_by_agent(there_sat, ranks, ends) if alone else [None] * len(plan.specs)

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
    rated: Sequence[Rating | None] = ratings.openskill(len(plan.specs), pairs)
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
