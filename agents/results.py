"""What an evaluation of agents that take turns in all seats found, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .ratings import Estimate, Rating

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


class Shown:
    """A result that is printed as tables, by Rich and as text."""

    def table(self) -> RenderableType:
        """Return the tables to print with Rich."""
        raise NotImplementedError(f"{type(self).__name__} has to define table()")

    def __rich__(self) -> RenderableType:
        """Let Rich print the tables."""
        return self.table()

    def __str__(self) -> str:
        """Return the tables as text."""
        from rich.console import Console

        console = Console(width=100)
        with console.capture() as text:
            console.print(self)
        return text.get()


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
class Result(Shown):
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
