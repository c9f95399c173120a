"""One match at a terminal: people and agents move in turn, it can be left and taken up again."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..envs import table
from ..envs.text import folded
from ..envs.view import tell
from ..kernels.batch import checked_seed
from . import agent as make_agent
from . import playing, records
from .base import Agent, AgentLike
from .human import CLEAR, Human, Quit, wait
from .records import Match

if TYPE_CHECKING:
    from rich.table import Table

    from ..kernels.rules import Rules


def told(
    rules: Rules,
    names: Sequence[str],
    before: Any,
    action: int,
    after: Any,
    player: int | None = None,
) -> str:
    """Say who did what in a step, and what everybody gained by it.

    Parameters
    ----------
    rules : Rules
    names : sequence of str
        Of the agents, by seat.
    before, after : STATE record
    action : int
    player : int, optional
        The seat that is told; default everything is told.

    Returns
    -------
    str
        One line; empty where the seat learns of nothing.
    """
    words = tell(rules, before, action, after, player)
    if not words:
        return ""
    mover = int(before["to_play"])
    gains = after["gain"][: len(names)].tolist()
    points = ", ".join(f"player {seat} {gain:+d}" for seat, gain in enumerate(gains) if gain)
    return f"player {mover} ({names[mover]}): {words}" + (f" [{points}]" if points else "")


class Session:
    """A match under way.

    Parameters
    ----------
    game : str
        A name from the table of games.
    seats : list of (str or Agent)
        The agent in each seat.
    seed : int
        In [0, 2**64); all luck of the game and of the agents follows from it.
    **options : object
        Options of the game; the number of players is that of the seats.

    Raises
    ------
    ValueError
        For an unknown game, agent or option, or a value that is not allowed.

    Attributes
    ----------
    told : list of list of str
        What has happened, one line for each decision, as each seat may know it; the last list is
        that of an arbiter who sees everything.
    """

    def __init__(self, game: str, seats: list[AgentLike], seed: int, **options: Any) -> None:
        self.rules = table.rules(game)
        if options.setdefault("num_players", len(seats)) != len(seats):
            raise ValueError(f"num_players is {options['num_players']}; seats: {len(seats)}")
        chosen = self.rules.make_options(**options)
        self.options = self.rules.options_dict(chosen)
        self.seed = checked_seed(seed)
        self.agents: list[Agent] = [make_agent(spec, game) for spec in seats]
        self.told: list[list[str]] = [[] for _ in range(len(self.agents) + 1)]
        for agent, history in zip(self.agents, self.told, strict=False):
            if isinstance(agent, Human):
                agent.history = history
        self.actions: list[int] = []
        self._at_terminal: int | None = None  # the person who looked last
        self._states = np.zeros(1, self.rules.STATE)
        self.rules.reset(self._states[0], chosen, self.seed)

    @classmethod
    def resume(cls, path: str | Path) -> Session:
        """Take up a match that was left.

        Parameters
        ----------
        path : str or Path
            Written by `save`.

        Returns
        -------
        Session

        Raises
        ------
        RecordError
            If the file is broken, foreign, does not re-play, or holds several matches.
        ValueError
            If an agent of the match cannot be made.
        OSError
            If the file cannot be read.
        """
        match, *others = records.read(path)
        if others:  # which one is meant cannot be told, and saving it would cost the others
            raise records.RecordError(
                f"{path}: holds {1 + len(others)} matches; to go on with one, copy its line to a "
                "file of its own"
            )
        session = cls(match.game, list(match.seats), match.seed, **match.options)
        for _, action in records.positions(match):
            if action is not None:
                session._take(action)
        return session

    def check_same(self, seats: Iterable[AgentLike], seed: int | None, **options: Any) -> None:
        """Refuse what contradicts the match.

        Parameters
        ----------
        seats : iterable of (str or Agent)
            Empty for any.
        seed : int, optional
        **options : object
            Options of the game; only those that are given count.

        Raises
        ------
        ValueError
            Naming what differs.
        """
        wanted = {**options, **({} if seed is None else {"seed": seed})}
        here = {**self.options, "seed": int(self.seed)}
        if specs := [str(make_agent(spec, self.rules.name)) for spec in seats]:
            wanted["seats"], here["seats"] = ",".join(specs), ",".join(map(str, self.agents))
        for name, value in wanted.items():
            if here[name] != value:
                raise ValueError(f"{name} is {value}; the match that goes on has {here[name]}")

    @property
    def done(self) -> bool:
        """Whether the match is over."""
        return bool(self._states["done"][0])

    @property
    def with_people(self) -> bool:
        """Whether a seat is a person's."""
        return any(agent.interactive for agent in self.agents)

    def save(self, path: str | Path) -> None:
        """Write the match to a file, from which it can be resumed or re-played.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        OSError
            If it cannot be written.
        """
        records.write(path, self.match())

    def match(self) -> Match:
        """Return the record of the match so far.

        Returns
        -------
        Match
        """
        ends: dict[str, Any] = {}
        if self.done:
            score, outcome = records.final(self.rules, self._states[0])
            ends = {"score": score, "outcome": outcome}
        seats = map(str, self.agents)
        seed = int(self.seed)
        return records.new(self.rules, self.options, seed, seats, self.actions, **ends)

    def play(self) -> bool:
        """Play on until the match is over or somebody quits, telling the terminal what happens.

        Returns
        -------
        bool
            Whether it is over.
        """
        people = [seat for seat, agent in enumerate(self.agents) if agent.interactive]
        secret = not self.rules.perfect_information
        private = secret and len(people) > 1  # what one reads is not for the others
        history = self.told[people[0] if people else -1]
        try:
            if self.actions and not private:
                print(folded(self.since_last_move()))
            elif secret and len(people) == 1 and people[0] != self._states["to_play"][0]:
                print(table.face(self.rules.name).draw(self._states[0], people[0]))
            while not self.done:
                if not people:
                    print(self._open_table())
                player = int(self._states["to_play"][0])
                if private and player in people:
                    self._hand_over(player)
                choice = playing.choose(self.agents[player], self.rules, self._states)
                read = len(history)
                self._take(int(choice[0]))
                if history[read:] and not private:
                    print(folded(history[read:]))
        except (Quit, KeyboardInterrupt):
            return False
        print(self._open_table())
        return True

    def since_last_move(self) -> list[str]:
        """Return the last move of the player to move, with what followed, and all that came then.

        Returns
        -------
        list of str
        """
        player = int(self._states["to_play"][0])
        history = self.told[player]
        last = [i for i, line in enumerate(history) if line.startswith(f"player {player} ")]
        return history[last[-1] if last else 0 :]

    def _hand_over(self, player: int) -> None:
        """Hide what the last person has read, and tell the next one what happened meanwhile."""
        if player != self._at_terminal:
            print(CLEAR if sys.stdout.isatty() else "")
            wait(f"Player {player}, press Enter when only you look: ")
            if isinstance(person := self.agents[player], Human):
                person.seen.clear()
        self._at_terminal = player
        if news := self.since_last_move():
            print(folded(news))

    def _open_table(self) -> str:
        """Draw the game with everything open."""
        drawing: str = table.face(self.rules.name).draw(self._states[0])
        return drawing

    def table(self) -> Table:
        """Return the scores as a table to print with Rich, the best first once it is over.

        Returns
        -------
        rich.table.Table
        """
        from rich.table import Table

        shown = Table(title="final score" if self.done else "score so far")
        shown.add_column("place", justify="right")
        shown.add_column("player")
        shown.add_column("points", justify="right")
        scores = self._states["score"][0][: len(self.agents)].tolist()
        for place, seat in self._places(scores):
            shown.add_row(place, f"{seat} ({self.agents[seat]})", str(scores[seat]))
        return shown

    def resume_command(self, path: str | Path) -> str:
        """Return the command that takes the match up again.

        Parameters
        ----------
        path : str or Path
            Where it was saved.

        Returns
        -------
        str
        """
        return f"bonebed play --resume {shlex.quote(str(path))}"

    def _take(self, action: int) -> None:
        """Apply an action and note it in words."""
        state = self._states[0]
        before = state.copy()
        self.actions.append(action)  # first, so that an interrupt between the two loses nothing
        self.rules.step(state, np.int64(action))
        names = [str(agent) for agent in self.agents]
        for seat, history in enumerate(self.told):
            knows = seat if seat < len(self.agents) else None
            if line := told(self.rules, names, before, action, state, knows):
                history.append(line)

    def _places(self, scores: list[int]) -> Iterator[tuple[str, int]]:
        """Yield (place, seat), the best first; before the end, and alone, without places."""
        if not self.done or len(scores) == 1:
            yield from (("", seat) for seat in range(len(scores)))
            return
        _, outcome = records.final(self.rules, self._states[0])
        for seat in sorted(range(len(scores)), key=lambda seat: -outcome[seat]):
            yield str(1 + sum(other > outcome[seat] for other in outcome)), seat
