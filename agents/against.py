"""Evaluation where one seat is an automated opponent's: each agent against each who plays it.

All pairs play the same deals, one game each, and all luck of a game follows from its deal: a pair
differs from another by what is decided alone. So the score of an agent against one opponent is
compared with its score against another deal by deal, which needs far fewer games than two
evaluations apart would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..kernels.rules import Rules
from . import ratings
from .plan import Ends, Plan
from .ratings import Estimate
from .results import Shown

if TYPE_CHECKING:
    from rich.console import Group


@dataclass(frozen=True)
class Pair:
    """How an agent did against one who played the automated opponent's seat.

    Attributes
    ----------
    agent, against : str
        Specs.
    games : int
    score, outcome : Estimate
        Means of the agent's points and of its results in [-1, 1].
    """

    agent: str
    against: str
    games: int
    score: Estimate
    outcome: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers and words.

        Returns
        -------
        dict
        """
        estimates = {"score": self.score.to_dict(), "outcome": self.outcome.to_dict()}
        return {**vars(self), **estimates}


@dataclass(frozen=True)
class Difference:
    """By how much the score against one opponent differs from that against the first, paired.

    Attributes
    ----------
    agent : str or None
        A spec; None for the mean over all agents.
    against, first : str
        Specs of the two opponents.
    score : Estimate
        Mean over deals of the score against `against` less that against `first`: below 0 where
        `against` is the harder opponent.
    percent : Estimate
        The same in percent of the mean score against `first`; NaN unless that is above 0.
    """

    agent: str | None
    against: str
    first: str
    score: Estimate
    percent: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers and words.

        Returns
        -------
        dict
        """
        estimates = {"score": self.score.to_dict(), "percent": self.percent.to_dict()}
        return {**vars(self), **estimates}


@dataclass(frozen=True)
class Pairing(Shown):
    """What an evaluation against an automated opponent's seat found; intervals are 95 %.

    Attributes
    ----------
    game : str
    options : dict
        All options of the game, `num_players` among them.
    seed : int
    games, deals : int
        Each pair played every deal once.
    agents, against : tuple of str
        Specs in the order they were given.
    seat : str
        What the automated opponent's seat is called.
    pairs : tuple of Pair
        For each agent all of `against`.
    differences : tuple of Difference
        For each agent all of `against` but the first.
    panel : tuple of Difference
        The means over all agents, for all of `against` but the first. An observation is the mean of
        a deal; the percentage is of the agents' mean score.
    rules_hash, sheet_hash, version : str
        Of the rules, the component sheet and the package in use.
    """

    game: str
    options: dict[str, Any]
    seed: int
    games: int
    deals: int
    agents: tuple[str, ...]
    against: tuple[str, ...]
    seat: str
    pairs: tuple[Pair, ...]
    differences: tuple[Difference, ...]
    panel: tuple[Difference, ...]
    rules_hash: str
    sheet_hash: str
    version: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers and words, ready for JSON.

        Returns
        -------
        dict
        """
        return {
            **vars(self),
            "options": dict(self.options),
            "agents": list(self.agents),
            "against": list(self.against),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "differences": [each.to_dict() for each in self.differences],
            "panel": [each.to_dict() for each in self.panel],
        }

    def table(self) -> Group:
        """Return the result as tables to print with Rich: the pairs, then the differences.

        Returns
        -------
        rich.console.Group
        """
        from rich.console import Group
        from rich.table import Table

        pairs = Table(
            title=f"{self.game}, who plays {self.seat}: {self.games} games on {self.deals} deals"
        )
        differences = Table(title=f"the score compared with that against {self.against[0]}")
        for drawn, numbers in (
            (pairs, ("games", "score", "95 %", "outcome", "95 %")),
            (differences, ("difference", "95 %", "percent", "95 %")),
        ):
            for heading in ("agent", "against"):
                drawn.add_column(heading, overflow="fold")
            for heading in numbers:
                drawn.add_column(heading, justify="right", no_wrap=True)
        for pair in self.pairs:
            score, outcome = pair.score, pair.outcome
            pairs.add_row(
                pair.agent,
                pair.against,
                str(pair.games),
                f"{score.value:.1f}",
                f"{score.low:.1f} - {score.high:.1f}",
                f"{outcome.value:+.2f}",
                f"{outcome.low:+.2f} - {outcome.high:+.2f}",
            )
        means = self.panel if len(self.agents) > 1 else ()
        for each in (*self.differences, *means):
            score, percent = each.score, each.percent
            differences.add_row(
                each.agent or "mean of all",
                each.against,
                f"{score.value:+.1f}",
                f"{score.low:+.1f} - {score.high:+.1f}",
                f"{percent.value:+.1f} %",
                f"{percent.low:+.1f} - {percent.high:+.1f}",
            )
        return Group(pairs, *([differences] if self.differences else []))


class Pairs:
    """Who plays whom where one seat is an automated opponent's.

    Parameters
    ----------
    rules : Rules
    options : mapping of str to object
        Those that were given; what lets the seat be a player's follows.
    agents, against : sequence of str
        Specs.
    seed : int
    deals : int

    Attributes
    ----------
    plan : Plan
        A game of a deal for each pair, the agents numbered before those of `against`.

    Raises
    ------
    ValueError
        If the game has no automated opponent, or the options leave its seat to the rules.
    """

    def __init__(
        self,
        rules: Rules,
        options: Mapping[str, Any],
        agents: Sequence[str],
        against: Sequence[str],
        seed: int,
        deals: int,
    ) -> None:
        seat, chosen = with_seat(rules, options)
        num_players = int(chosen["num_players"])
        one_deal = np.repeat(np.arange(len(agents)), len(against))[:, None].repeat(num_players, 1)
        one_deal[:, seat] = len(agents) + np.tile(np.arange(len(against)), len(agents))
        seats = np.broadcast_to(one_deal, (deals, *one_deal.shape))
        told = {"agents": list(agents), "against": list(against)}
        self.plan = Plan(rules, chosen, [*agents, *against], seats, seed, told)
        self._agents, self._against, self._seat = tuple(agents), tuple(against), seat

    def summary(self, ends: Ends) -> Pairing:
        """Work out what the games say.

        Parameters
        ----------
        ends : Ends
            Of the plan, all of them played.

        Returns
        -------
        Pairing
        """
        plan, first = self.plan, self._against[0]
        shape = plan.deals, len(self._agents), len(self._against)
        score, outcome = (  # of the agent; were there several seats for it, the mean of those
            np.delete(ended, self._seat, -1).mean(-1).reshape(shape)
            for ended in (ends.score, ends.outcome)
        )
        once = np.ones(plan.deals)
        pairs = tuple(
            Pair(
                agent,
                other,
                plan.deals,
                ratings.mean(score[:, i, j], once),
                ratings.bounded_mean(outcome[:, i, j], once, -1.0, 1.0),
            )
            for i, agent in enumerate(self._agents)
            for j, other in enumerate(self._against)
        )
        differences = tuple(
            _difference(agent, other, first, score[:, i, j], score[:, i, 0])
            for i, agent in enumerate(self._agents)
            for j, other in enumerate(self._against[1:], 1)
        )
        panel = tuple(
            _difference(None, other, first, score[:, :, j].mean(1), score[:, :, 0].mean(1))
            for j, other in enumerate(self._against[1:], 1)
        )
        return Pairing(
            plan.rules.name,
            plan.chosen,
            plan.seed,
            plan.deals * plan.seatings,
            plan.deals,
            self._agents,
            self._against,
            plan.rules.agent_names[self._seat],
            pairs,
            differences,
            panel,
            plan.rules.rules_hash,
            plan.rules.sheet.hash,
            __version__,
        )


def _difference(
    agent: str | None,
    against: str,
    first: str,
    score: NDArray[np.float64],
    base: NDArray[np.float64],
) -> Difference:
    """Compare scores on the same deals; the interval of the percentage is that of a ratio."""
    apart = score - base
    percent = Estimate(nan, nan, nan)
    if base.sum() > 0:
        percent = ratings.mean(100 * apart, base)
    return Difference(agent, against, first, ratings.mean(apart, np.ones(len(apart))), percent)


def with_seat(rules: Rules, options: Mapping[str, Any]) -> tuple[int, np.void]:
    """Give the automated opponent's seat to a player.

    Parameters
    ----------
    rules : Rules
    options : mapping
        Those that were given; the others follow.

    Returns
    -------
    seat : int
    options : OPTIONS record

    Raises
    ------
    ValueError
        If the game has no such seat, or the options leave it to the rules.
    """
    if rules.automatic is None:
        raise ValueError(
            f"against names who plays an automated opponent's seat; {rules.name} has none"
        )
    seat = rules.automatic.seat
    enough = [n for n in rules.option("num_players").choices if n > seat]
    settled = rules.settled(**options)
    made = rules.make_options(**{"num_players": min(enough), **settled})
    if made["num_players"] <= seat:
        typed = ", ".join(f"{name}={options[name]}" for name in settled if name in options)
        raise ValueError(
            f"against names who plays the seat {rules.agent_names[seat]}, which the rules play "
            f"with {typed}; allowed: {' or '.join(f'num_players={n}' for n in enough)}"
        )
    return seat, made
