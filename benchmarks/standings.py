"""The leaderboard as it is kept and shown: a card and packed records for each pool, and the page.

Beside the page `leaderboard.md` lies a folder `leaderboard/` with `<pool>.json`, which says what
was played, when and under which rules, and `<pool>.jsonl.gz`, the match records. The page is a
function of these files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import __version__
from ..agents import records
from ..agents.against import Pairing
from ..agents.ratings import Estimate
from ..agents.records import Match, RecordError
from ..agents.results import AgentResult, Result
from ..envs import table
from .pools import Finding, Matchup, Pool, ahead, group, ranked, unclear

INTRODUCTION = """\
# Leaderboard

<!-- Written by `bonebed leaderboard`: what is changed here by hand is found by --verify. -->

Every table is computed from the match records in the folder `leaderboard` beside this page. Anyone
can do that again: `bonebed leaderboard --verify docs/leaderboard.md` computes the page anew,
compares it letter by letter, and plays every recorded game once more through the rules. The command
under a table plays its games again, agents and all: they take their luck from the deal.

- **won**: of all games of the table, in which every agent meets every other equally often and in
  every seat; who shares the first place has a share. An average agent wins one game in as many as
  there are players.
- **place**, **margin**: the mean place, and the points less the mean of the others'.
- **rating**: OpenSkill (Plackett-Luce) over the games of the table, with its standard deviation.
- **against `greedy`**: games of their own, in which the agent has one seat and `greedy` all others,
  and how many of them it won. **ahead**: how often it ended before one of these seats, a tie
  counting half. Even is 50 % there, with any number of players.

In brackets are 95 % intervals, taken over deals. Games go on in growing batches until the answer is
clear or the most games that the plan allows are played; looking several times makes the intervals a
little too narrow.
"""


@dataclass(frozen=True)
class Standing:
    """A pool that was played.

    Attributes
    ----------
    pool : Pool
    date : str
        When its last game was played.
    version : str
        Of the package.
    rules_hash, sheet_hash : str
    """

    pool: Pool
    date: str
    version: str
    rules_hash: str
    sheet_hash: str

    @classmethod
    def now(cls, pool: Pool, date: str) -> Standing:
        """Return that of a pool that was played under the rules of this moment.

        Parameters
        ----------
        pool : Pool
        date : str

        Returns
        -------
        Standing
        """
        rules = table.rules(pool.game)
        return cls(pool, date, __version__, rules.rules_hash, rules.sheet.hash)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data.

        Returns
        -------
        dict
        """
        return {**vars(self), "pool": self.pool.to_dict()}


@dataclass(frozen=True)
class Store:
    """The files of a leaderboard.

    Attributes
    ----------
    page : Path
        The other files are in the folder of the same name without its suffix.
    """

    page: Path

    @property
    def folder(self) -> Path:
        """Where cards and records are."""
        return self.page.with_suffix("")

    def records(self, pool: Pool) -> Path:
        """Return the file of a pool's records."""
        return self.folder / f"{pool.name}.jsonl{records.PACKED}"

    def card(self, pool: Pool) -> Path:
        """Return the file that says what was played."""
        return self.folder / f"{pool.name}.json"

    def standings(self) -> list[Standing]:
        """Read which pools were played.

        Returns
        -------
        list of Standing
            In the order of the table of games, then by players.

        Raises
        ------
        ValueError
            For a card that is wrong.
        """
        found = []
        for file in self.folder.glob("*.json"):
            try:
                data = json.loads(file.read_text(encoding="utf-8"))
                standing = Standing(**{**data, "pool": Pool.of(data["pool"])})
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{file}: not a card of the leaderboard: {error}") from None
            if self.card(standing.pool) != file:
                raise ValueError(f"{file}: not the card of {standing.pool.name}")
            found.append(standing)
        games = list(table.GAMES)
        return sorted(found, key=lambda each: (games.index(each.pool.game), each.pool.players))

    def keep(self, standing: Standing, played: Sequence[Match]) -> None:
        """Write a pool's records and card; each is the old one or the new one, whatever happens.

        Parameters
        ----------
        standing : Standing
        played : sequence of Match
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        records.pack(self.records(standing.pool), played)
        text = json.dumps(standing.to_dict(), indent=1) + "\n"
        self.replace(self.card(standing.pool), text)

    def replace(self, file: Path, text: str) -> None:
        """Write a file at one blow.

        Parameters
        ----------
        file : Path
        text : str
        """
        part = file.with_name(file.name + ".part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, file)

    def findings(self, standing: Standing, matches: Sequence[Match]) -> dict[Matchup, Finding]:
        """Work out what a pool's records say.

        Parameters
        ----------
        standing : Standing
        matches : sequence of Match
            From the file of its records.

        Returns
        -------
        dict of Matchup to (Result or Pairing)

        Raises
        ------
        RecordError
            If they are not exactly the games that had to be played.
        """
        grouped, others = group(standing.pool, matches)
        if others:
            raise RecordError(f"{others[0].place}: no game of {standing.pool.name}")
        where = str(self.records(standing.pool))
        return {matchup: matchup.judge(held, where) for matchup, held in grouped.items()}

    def text(self, found: Sequence[tuple[Standing, Mapping[Matchup, Finding]]]) -> str:
        """Return the page.

        Parameters
        ----------
        found : sequence of (Standing, mapping of Matchup to (Result or Pairing))
            In the order of `standings`.

        Returns
        -------
        str
        """
        lines = [INTRODUCTION]
        game = ""
        for standing, findings in found:
            pool = standing.pool
            if pool.game != game:
                game = pool.game
                title = table.game(game).title
                lines += [
                    f"## {title}",
                    "",
                    f"{pool.note} Rules: [{title}](games/{game}.md).".strip(),
                    "",
                ]
            lines += [f"### {_headed(pool)}", "", *self._pool(standing, findings), ""]
        return "\n".join(lines).rstrip() + "\n"

    def _pool(self, standing: Standing, findings: Mapping[Matchup, Finding]) -> Iterator[str]:
        """Yield the lines of a pool."""
        pool, whole = standing.pool, findings[standing.pool.table()]
        if isinstance(whole, Pairing):
            yield from _pairing(whole)
        elif pool.players == 1:
            yield from _alone(whole, pool.reference)
        else:
            found = {agent: findings[matchup] for agent, matchup in pool.versus().items()}
            yield from _several(whole, pool.reference, found)
        yield ""
        yield from _open(whole)
        file = self.records(pool)
        yield (
            f"{whole.games:,} games on {whole.deals:,} deals, played until {standing.date}, "
            f"version {standing.version}: `{_command(pool, whole)}`. "
            f"Rules `{standing.rules_hash}`, sheet `{standing.sheet_hash}`; "
            f"records: [{file.name}]({self.folder.name}/{file.name})."
        )


# --- tables ---------------------------------------------------------------------------------------


def _headed(pool: Pool) -> str:
    """Return the heading of a pool."""
    if pool.against:
        rules = table.rules(pool.game)
        assert rules.automatic is not None, "the pool was made for a game with such a seat"
        return f"Who plays the seat {rules.agent_names[rules.automatic.seat]}"
    return "Alone" if pool.players == 1 else f"{pool.players} players"


def _command(pool: Pool, whole: Finding) -> str:
    """Return the command that plays the games of the table."""
    words = ["bonebed evaluate", pool.game, "--agents", ",".join(pool.agents)]
    if pool.against:
        words += ["--against", ",".join(pool.against), "--games", str(whole.deals)]
    else:
        words += ["--num-players", str(pool.players), "--games", str(whole.games)]
    return " ".join([*words, "--seed", str(pool.seed)])


def _rows(headings: Sequence[str], words: int, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table, the columns after some of words to the right."""
    yield f"| {' | '.join(headings)} |"
    yield "|" + "---|" * words + "---:|" * (len(headings) - words)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _several(whole: Result, reference: str, versus: Mapping[str, Finding]) -> Iterator[str]:
    """Yield the table of a game of several seats."""
    many = int(whole.options["num_players"]) > 2
    headings = ["agent", "games", "won", "place", "margin", "rating"]
    if versus:
        headings += [f"against `{reference}`: games", "won", *(["ahead"] if many else [])]
    rows = []
    for place in ranked(whole):
        one = whole.agents[place]
        row = [
            f"`{one.spec}`",
            f"{one.games:,}",
            _share(one.win_rate),
            f"{one.mean_rank.value:.2f}",
            f"{one.score_margin.value:+.1f}",
            _rating(one),
        ]
        other = versus.get(one.spec)
        if isinstance(other, Result):
            row += [f"{other.games:,}", _share(other.agents[0].win_rate)]
            row += [_share(ahead(other))] if many else []
        rows.append(row + ["-"] * (len(headings) - len(row)))
    yield from _rows(headings, 1, rows)


def _alone(whole: Result, reference: str) -> Iterator[str]:
    """Yield the table of a game of one seat."""
    specs = [one.spec for one in whole.agents]
    headings = ["agent", "games", "points", "result", "rating"]
    compared = reference in specs
    rows = []
    for place in ranked(whole):
        one = whole.agents[place]
        assert one.alone is not None, "a game of one seat"
        row = [
            f"`{one.spec}`",
            f"{one.games:,}",
            _number(one.alone.score),
            _number(one.alone.outcome, "+.2f"),
            _rating(one),
        ]
        if compared:
            share = one.alone.better_than[specs.index(reference)]
            row.append("-" if one.spec == reference else _share(share))
        rows.append(row)
    yield from _rows([*headings, *([f"better than `{reference}`"] * compared)], 1, rows)


def _pairing(whole: Pairing) -> Iterator[str]:
    """Yield the table of a comparison of an automated opponent's players."""
    first = whole.against[0]
    headings = [
        "agent",
        f"{whole.seat} is played by",
        "games",
        "points",
        f"more than with `{first}`",
    ]
    apart = {(each.agent, each.against): each for each in (*whole.differences, *whole.panel)}
    rows = []
    for pair in whole.pairs:
        each = apart.get((pair.agent, pair.against))
        row = [f"`{pair.agent}`", f"`{pair.against}`", f"{pair.games:,}", _number(pair.score)]
        percent = each and _number(each.percent, "+.1f", " %")
        rows.append(
            [*row, *(["-", "-"] if each is None else [_number(each.score, "+.1f"), percent])]
        )
    for each in whole.panel if len(whole.agents) > 1 else ():
        numbers = [_number(each.score, "+.1f"), _number(each.percent, "+.1f", " %")]
        rows.append(["mean of all", f"`{each.against}`", f"{whole.games:,}", "", *numbers])
    yield from _rows([*headings, "in percent"], 2, rows)


def _open(whole: Finding) -> Iterator[str]:
    """Say what the games leave open."""
    pairs = [f"`{one}` and `{other}`" for one, other in unclear(whole)]
    if pairs and isinstance(whole, Pairing):
        yield f"May make no difference, agent and player of the seat: {', '.join(pairs)}."
        yield ""
    elif pairs:
        yield f"Not told apart surely: {', '.join(pairs)}."
        yield ""


def _share(estimate: Estimate) -> str:
    """Return a share: `62.3 % (58.1 to 66.0)`."""
    return _number(Estimate(*(100 * x for x in vars(estimate).values())), ".1f", " %")


def _number(estimate: Estimate, form: str = ".1f", unit: str = "") -> str:
    """Return a number with its interval."""
    value, low, high = (format(x, form) for x in vars(estimate).values())
    return f"{value}{unit} ({low} to {high})"


def _rating(one: AgentResult) -> str:
    """Return a rating with its standard deviation."""
    return "-" if one.rating is None else f"{one.rating.mu:.1f} ± {one.rating.sigma:.1f}"
