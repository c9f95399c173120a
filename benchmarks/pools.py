"""What the leaderboard is made of: pools of agents, who meets whom in them, and for how long.

A pool is a game, a number of players and some agents. Its **table** is played by all of them: every
agent meets every other equally often. In a **versus** one agent plays against the reference, which
has all other seats. A pool with `against` compares players of an automated opponent's seat instead.

Each of these is played in batches, the first of `games[0]` games, each as large as all before it
together, until the answer is clear or `games[1]` games are played. Clear is: a table when the 95 %
intervals of neighbours do not touch, a versus when the interval of how often the agent is ahead
leaves out one half, a comparison when the interval of every difference leaves out 0. The rule knows
nothing but the games, so that it can be checked against the records.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..agents import automatic
from ..agents.against import Pairing, Pairs
from ..agents.evaluate import rotation, summary
from ..agents.plan import Ends, Plan, note, play
from ..agents.ratings import Estimate
from ..agents.records import Match, RecordError
from ..agents.results import AgentResult, Result
from ..envs import table

PLAN = Path(__file__).with_name("leaderboard.toml")
BATCH_GAMES = 32  # what an interruption may lose

Finding = Result | Pairing


@dataclass(frozen=True)
class Matchup:
    """Games between the same agents, of which one thing is to be learned.

    Attributes
    ----------
    game : str
    players : int
        Seats that are asked.
    agents : tuple of str
        Specs, as agents spell themselves.
    against : tuple of str
        Players of the automated opponent's seat, or none.
    seed : int
    games : tuple of int
        Of the first batch, and at most; with `against` for each pair.
    """

    game: str
    players: int
    agents: tuple[str, ...]
    against: tuple[str, ...]
    seed: int
    games: tuple[int, int]

    @property
    def key(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What tells it from the others of a pool."""
        return self.agents, self.against

    @property
    def words(self) -> str:
        """Who plays what."""
        against = f" against {', '.join(self.against)}" if self.against else ""
        return f"{self.game}-{self.players}: {', '.join(self.agents)}{against}"

    def stages(self) -> list[int]:
        """Return the numbers of games after which it is looked whether the answer is clear.

        Returns
        -------
        list of int
            Ascending; the last one is the most.
        """
        first, most = self.games
        stages = [first]
        while stages[-1] < most:
            stages.append(min(2 * stages[-1], most))
        return stages

    def plan(self, games: int) -> tuple[Plan, Callable[[Ends], Finding]]:
        """Plan a number of games.

        Parameters
        ----------
        games : int

        Returns
        -------
        plan : Plan
        summary : callable
            What its games say, once they are played.
        """
        rules = table.rules(self.game)
        if self.against:
            chosen = {"num_players": self.players}
            pairs = Pairs(rules, chosen, self.agents, self.against, self.seed, games)
            return pairs.plan, pairs.summary
        options = rules.make_options(num_players=self.players)
        plan = rotation(rules, options, self.agents, self.seed, games)
        return plan, partial(summary, plan)

    def file(self, folder: Path) -> Path:
        """Return where its games are written while it is being played.

        Parameters
        ----------
        folder : Path

        Returns
        -------
        Path
            Another one for other rules, agents or another seed.
        """
        told = [self.game, self.players, *self.key, self.seed, table.rules(self.game).rules_hash]
        digest = hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]
        return folder / f"{self.game}-{self.players}-{digest}.jsonl"

    def play(self, folder: Path, progress: bool) -> Finding:
        """Play it until the answer is clear, going on with what was played before.

        Parameters
        ----------
        folder : Path
            Of the files that games are written to.
        progress : bool
            Show a progress bar.

        Returns
        -------
        Result or Pairing
        """
        players = [automatic(spec, self.game) for spec in (*self.agents, *self.against)]
        for games in self.stages():
            plan, says = self.plan(games)
            shown = self.words if progress else None
            found = says(play(plan, players, BATCH_GAMES, self.file(folder), shown))
            if not unclear(found):
                break
        return found

    def judge(self, matches: Iterable[Match], where: str) -> Finding:
        """Work out what its recorded games say; they have to be all that it takes and no others.

        Parameters
        ----------
        matches : iterable of Match
        where : str
            The file, for messages.

        Returns
        -------
        Result or Pairing

        Raises
        ------
        RecordError
            If the rule would have stopped sooner or gone on, or a game is not of this match-up.
        """
        whole, _ = self.plan(self.stages()[-1])
        ends, held = Ends.none(whole), 0
        for held, match in enumerate(matches, 1):  # noqa: B007 - the last one counts
            _check(whole, match)
            note(whole, ends, match)
        if held != ends.played.sum():
            raise RecordError(f"{where}: {self.words}: the same game is there twice")
        for games in self.stages():
            plan, says = self.plan(games)
            part = ends.first(plan.deals)
            if not part.played.all():
                raise RecordError(f"{where}: {self.words}: {held} games; at least {games} expected")
            found = says(part)
            if not unclear(found):
                break
        if held != plan.deals * plan.seatings:
            raise RecordError(
                f"{where}: {self.words}: {held} games; the answer was clear after "
                f"{plan.deals * plan.seatings}"
            )
        return found


def _check(plan: Plan, match: Match) -> None:
    """Refuse a game with another seed or other seats than it had to have."""
    told = match.evaluation or {}
    deal, seating = told.get("deal", -1), told.get("seating", -1)
    known = isinstance(deal, int) and isinstance(seating, int)
    if not (known and 0 <= deal < plan.deals and 0 <= seating < plan.seatings):
        raise RecordError(f"{match.place}: no game of this match-up: deal {deal}, {seating}")
    wanted = plan.match(deal, seating, (), (), ())
    if (match.seed, match.seats) != (wanted.seed, wanted.seats):
        raise RecordError(
            f"{match.place}: recorded seed and seats {match.seed} {match.seats}, "
            f"expected {wanted.seed} {wanted.seats}"
        )


# --- when the answer is clear ---------------------------------------------------------------------


def ahead(found: Result) -> Estimate:
    """Return how often the first agent is ahead of a seat of the others; ties count half.

    Parameters
    ----------
    found : Result
        Of a game of several seats.

    Returns
    -------
    Estimate
        0.5 is even, whatever the number of players.
    """
    players, rank = int(found.options["num_players"]), found.agents[0].mean_rank
    shares = [(players - r) / (players - 1) for r in (rank.value, rank.high, rank.low)]
    return Estimate(*shares)


def ranked(found: Result) -> list[int]:
    """Return the places of the agents in a result, the best first.

    Parameters
    ----------
    found : Result

    Returns
    -------
    list of int
        By the mean score of a game of one seat, else by the games won.
    """

    def worth(one: AgentResult) -> float:
        return one.win_rate.value if one.alone is None else one.alone.score.value

    return sorted(range(len(found.agents)), key=lambda i: (-worth(found.agents[i]), i))


def unclear(found: Finding) -> list[tuple[str, str]]:
    """Return who cannot be told apart yet.

    Parameters
    ----------
    found : Result or Pairing

    Returns
    -------
    list of (str, str)
        Neighbours in the table; the agent and the reference; or agents and opponents for which the
        difference may be 0.
    """
    if isinstance(found, Pairing):
        open_ = [each for each in found.differences if each.score.low <= 0 <= each.score.high]
        return [(str(each.agent), each.against) for each in open_]
    order = ranked(found)
    pairs = [(found.agents[i], found.agents[j], j) for i, j in pairwise(order)]
    return [(a.spec, b.spec) for a, b, place in pairs if not _apart(found, a, b, place)]


def _apart(found: Result, better: AgentResult, worse: AgentResult, place: int) -> bool:
    """Tell whether one agent is surely better than another, whose place in the result is given."""
    if better.alone is not None:
        return better.alone.better_than[place].low > 0.5
    if len(found.agents) == 2:
        share = ahead(found)
        return not share.low <= 0.5 <= share.high
    return better.win_rate.low > worse.win_rate.high


# --- pools ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pool:
    """Agents that are compared in a game.

    Attributes
    ----------
    game : str
    players : int
    agents : tuple of str
        Specs, as agents spell themselves.
    against : tuple of str
        Players of the automated opponent's seat, or none.
    reference : str
        The agent that all others are held against.
    seed : int
    games : tuple of int
        Of a match-up: in its first batch, and at most.
    note : str
        What there is to say of the game's numbers.
    """

    game: str
    players: int
    agents: tuple[str, ...]
    against: tuple[str, ...]
    reference: str
    seed: int
    games: tuple[int, int]
    note: str

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.game}-{self.players}"

    def table(self) -> Matchup:
        """Return the match-up of all agents.

        Returns
        -------
        Matchup
        """
        agents, against = self.agents, self.against
        return Matchup(self.game, self.players, agents, against, self.seed, self.games)

    def versus(self) -> dict[str, Matchup]:
        """Return the match-ups with the reference, by agent; none in a game of one seat.

        Returns
        -------
        dict of str to Matchup
        """
        if self.against or self.players == 1 or self.reference not in self.agents:
            return {}
        return {
            agent: replace(self.table(), agents=(agent, self.reference))
            for agent in self.agents
            if agent != self.reference
        }

    def matchups(self) -> list[Matchup]:
        """Return all match-ups, each once.

        Returns
        -------
        list of Matchup
        """
        return list({m.key: m for m in (self.table(), *self.versus().values())}.values())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for `of`.

        Returns
        -------
        dict
        """
        return asdict(self)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Pool:
        """Make a pool of plain data.

        Parameters
        ----------
        data : mapping
            From `to_dict`.

        Returns
        -------
        Pool

        Raises
        ------
        ValueError
            If something is missing, unknown or too little.
        """
        try:
            pool = cls(
                **{**data, **{key: tuple(data[key]) for key in ("agents", "against", "games")}}
            )
            first, most = pool.games
            seats = 1 if pool.against else pool.players
            table.rules(pool.game).make_options(num_players=pool.players)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not a pool of the leaderboard: {dict(data)} ({error})") from None
        if len({*pool.agents}) != len(pool.agents) or len(pool.agents) < max(seats, 1):
            raise ValueError(
                f"{pool.name}: agents are {', '.join(pool.agents)}; allowed: different ones, at "
                "least as many as players"
            )
        if not 1 <= first <= most:
            raise ValueError(f"{pool.name}: games are {pool.games}; allowed: first batch, at most")
        return pool


def read_plan(file: Path, only: Sequence[str] = ()) -> list[Pool]:
    """Read which pools are to be played.

    Parameters
    ----------
    file : Path
        TOML, as `leaderboard.toml` beside this file.
    only : sequence of str
        Games; all if it is empty.

    Returns
    -------
    list of Pool
        Each with agents that can be made, spelled as they spell themselves.

    Raises
    ------
    ValueError
        For a file that is wrong, and for an agent that there is not.
    OSError
        If it cannot be read.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        common = {"reference": data["reference"], "seed": data["seed"], "games": data["games"]}
        rows = [
            (row["game"], players, {**common, "against": (), **row})
            for row in data["pool"]
            for players in row["players"]
        ]
    except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{file}: not a plan of the leaderboard: {error!r}") from None
    for game in only:
        table.game(game)
    pools = []
    for game, players, row in rows:
        if not only or game in only:
            spelled = {
                key: [str(automatic(spec, game)) for spec in row[key]]
                for key in ("agents", "against")
            }
            told = data.get("notes", {}).get(game, "")
            pools.append(Pool.of({**row, **spelled, "players": players, "note": told}))
    return pools


# --- recorded games -------------------------------------------------------------------------------


def group(pool: Pool, matches: Iterable[Match]) -> tuple[dict[Matchup, list[Match]], list[Match]]:
    """Sort recorded games into the match-ups of a pool.

    Parameters
    ----------
    pool : Pool
    matches : iterable of Match

    Returns
    -------
    grouped : dict of Matchup to list of Match
        All of its match-ups.
    others : list of Match
        Those that belong to none.
    """
    grouped: dict[Matchup, list[Match]] = {matchup: [] for matchup in pool.matchups()}
    others = []
    for match in matches:
        told = match.evaluation or {}
        theirs = told.get("seed"), told.get("agents", []), told.get("against", [])
        for matchup, held in grouped.items():
            if theirs == (matchup.seed, list(matchup.agents), list(matchup.against)):
                held.append(match)
                break
        else:
            others.append(match)
    return grouped, others
