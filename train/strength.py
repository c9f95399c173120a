"""How strong a network is that is still learning: games against fixed opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..agents import agent, playing, ratings
from ..agents import network as networks
from ..agents.base import AgentLike, BatchedAgent
from ..agents.evaluate import evaluate
from ..envs import table
from ..envs.view import Views
from ..kernels import rng


class Strength(TypedDict):
    """One measurement. It is written into cards, so it holds plain numbers and words."""

    decisions: int  # learned from so far
    seconds: float  # of training so far
    opponent: str
    players: int  # seats of the games
    games: int
    win_rate: float  # of the learner; k winners of a game (alone: of a deal) have 1 / k each
    low: float  # its 95 % interval
    high: float
    margin: float  # its points less the mean of the others'


class Learner(BatchedAgent):
    """A network in memory as a player, always choosing the likeliest action."""

    name = "ppo"

    def __init__(self, network: networks.Network) -> None:
        self._network = network

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)
        """
        return networks.choose(self._network, views, temperature=0.0)


def measure(
    player: AgentLike,
    opponents: Sequence[str],
    game: str,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    decisions: int,
    seconds: float,
    progress: bool = False,
    seat: int | None = None,
) -> list[Strength]:
    """Play a number of games against each of some opponents, on the same deals against each.

    Parameters
    ----------
    player : str or Agent
    opponents : sequence of str
        Specs. With more than two seats an opponent has all the others; with one seat it plays the
        same deals alone, and who does better there wins.
    game : str
    options : mapping
        Of the game, `num_players` among them.
    games : int
        Against each opponent.
    seed : int
        All luck of the games follows from it; no other chance is touched.
    decisions, seconds : int, float
        What the player has behind it, for the record.
    progress : bool
        Show a progress bar for each opponent.
    seat : int, optional
        The player's, in all games. Without one it has each seat in turn, or, where an automated
        opponent's seat is a player's, the first.

    Returns
    -------
    list of Strength
        In the order of the opponents.
    """
    automatic = table.rules(game).automatic
    unlike = automatic is not None and automatic.seat < options["num_players"]
    if seat is not None or unlike:
        about = (opponents, game, options, games, seed, decisions, seconds)
        return _measure_seat(player, seat or 0, *about)
    measured = []
    for opponent in opponents:
        result = evaluate(game, [player, opponent], games, seed, progress=progress, **options)
        found = result.agents[0]
        measured.append(
            Strength(
                decisions=decisions,
                seconds=seconds,
                opponent=opponent,
                players=result.options["num_players"],
                games=result.games,
                win_rate=found.win_rate.value,
                low=found.win_rate.low,
                high=found.win_rate.high,
                margin=found.score_margin.value,
            )
        )
    return measured


def _measure_seat(
    player: AgentLike,
    seat: int,
    opponents: Sequence[str],
    game: str,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    decisions: int,
    seconds: float,
) -> list[Strength]:
    """Play games on one seat; an outcome above 0 counts as a win, 0 as half of one."""
    rules = table.rules(game)
    record = rules.make_options(**options)
    seats = np.ones((games, int(record.num_players)), np.int64)
    seats[:, seat] = 0
    seeds = np.array([rng.bits(np.uint64(seed), 0, deal) for deal in range(games)], np.uint64)
    measured = []
    for opponent in opponents:
        both = [agent(player, game), agent(opponent, game)]
        played = playing.play(rules, record, both, seats, seeds)
        wins = (np.sign(played.outcome[:, seat]) + 1) / 2
        won = ratings.bounded_mean(wins, np.ones(games), 0.0, 1.0)
        others = np.delete(played.score, seat, axis=1).mean(axis=1)
        measured.append(
            Strength(
                decisions=decisions,
                seconds=seconds,
                opponent=opponent,
                players=seats.shape[1],
                games=games,
                win_rate=won.value,
                low=won.low,
                high=won.high,
                margin=float((played.score[:, seat] - others).mean()),
            )
        )
    return measured


def named(row: Strength, measured: Sequence[Strength]) -> str:
    """Name whom a measurement was against.

    Parameters
    ----------
    row : Strength
    measured : sequence of Strength
        All of the run. Where they are about several numbers of players, the number is told too.

    Returns
    -------
    str
        `greedy`, or `greedy in 4`.
    """
    several = len({other["players"] for other in measured}) > 1
    return f"{row['opponent']} in {row['players']}" if several else row["opponent"]


def in_words(measured: Sequence[Strength]) -> str:
    """Say how the player did: `greedy 57.5% (50.1% to 64.6%), +9.5`, one after the other.

    Parameters
    ----------
    measured : sequence of Strength

    Returns
    -------
    str
        One line: how often it won, the 95 % interval, the points it was ahead.
    """
    return "; ".join(
        f"{named(row, measured)} {row['win_rate']:.1%} "
        f"({row['low']:.1%} to {row['high']:.1%}), {row['margin']:+.1f}"
        for row in measured
    )


def in_short(row: Strength) -> str:
    """Say how often the player won in few words: `beats greedy 58%`.

    Parameters
    ----------
    row : Strength

    Returns
    -------
    str
    """
    return f"beats {row['opponent']} {row['win_rate']:.0%}"
