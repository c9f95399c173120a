"""Games between agents: many in lockstep, each agent asked for all its games together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..envs.illegal import refusal
from ..envs.view import View, Views
from ..kernels.rules import Rules
from ..kernels.seats import luck
from .base import Agent


@dataclass(frozen=True)
class Played:
    """What became of a number of games.

    Attributes
    ----------
    score : int32 array (games, num_players)
        Final points.
    outcome : float32 array (games, num_players)
        Final results in [-1, 1].
    actions : list of list of int
        All decisions of each game, in order.
    """

    score: NDArray[np.int32]
    outcome: NDArray[np.float32]
    actions: list[list[int]]


def choose(agent: Agent, rules: Rules, states: NDArray[np.void]) -> NDArray[np.int64]:
    """Ask an agent for the next decision of each of several games.

    Parameters
    ----------
    agent : Agent
    rules : Rules
    states : STATE array (n,)
        Not finished.

    Returns
    -------
    int64 (n,)

    Raises
    ------
    ValueError
        If the agent does not give a whole number for every game.
    IllegalActionError
        If one of them is not a legal action; names the agent, the action and what is legal.
    """
    seeds = np.array([luck(state) for state in states], np.uint64)
    views = Views.of(rules, states, seeds)
    mask = views.mask.copy()  # the rules' word: what the agent does to its own views counts nothing
    choices = np.asarray(agent.act_many(views))
    if choices.shape != (len(states),) or choices.dtype.kind not in "iu":
        raise ValueError(
            f"{agent} has to give {len(states)} whole numbers, "
            f"got shape {choices.shape} of {choices.dtype}"
        )
    actions = choices.clip(0, rules.n_actions - 1).astype(np.int64)
    wrong = np.flatnonzero((actions != choices) | (mask[np.arange(len(mask)), actions] == 0))
    if len(wrong):
        first = int(wrong[0])
        legal = np.flatnonzero(mask[first]).tolist()
        words = View.of(rules, states[first], 0).words
        raise refusal(str(agent), int(choices[first]), rules.n_actions, legal, words)
    return actions


def play(
    rules: Rules,
    options: np.void,
    agents: Sequence[Agent],
    seats: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    progress: Callable[[float], None] | None = None,
) -> Played:
    """Play games to their end, all of them in lockstep.

    Parameters
    ----------
    rules : Rules
    options : OPTIONS record
    agents : sequence of Agent
        Ready to play this game.
    seats : int64 array (games, num_players)
        Which of the agents sits where.
    seeds : uint64 array (games,)
        Of the games.
    progress : callable, optional
        Told after every round how many games' worth of decisions has been taken, as far as known.

    Returns
    -------
    Played

    Raises
    ------
    ValueError
        At an illegal action of an agent, see `choose`.
    RuntimeError
        If a game is not over after the most decisions that its rules allow.
    """
    states = np.zeros(len(seeds), rules.STATE)
    actions: list[list[int]] = [[] for _ in seeds]
    for i, seed in enumerate(seeds):
        rules.reset(states[i], options, seed)
    for _ in range(rules.max_decisions):
        active = np.flatnonzero(states["done"] == 0)
        if len(active) == 0:
            break
        movers = seats[active, states["to_play"][active]]
        for index in np.unique(movers):
            games = active[movers == index]
            choices = choose(agents[index], rules, states[games])
            for i, choice in zip(games.tolist(), choices, strict=True):
                rules.step(states[i], choice)
                actions[i].append(int(choice))
        if progress is not None:
            shares = states["ply"] / rules.max_decisions
            progress(float(np.where(states["done"], 1.0, shares).sum()))
    if not states["done"].all():
        raise RuntimeError(f"{rules.name} is not over after {rules.max_decisions} decisions")
    outcome = np.zeros(seats.shape, np.float32)
    for i in range(len(states)):
        rules.outcome(states[i], outcome[i])
    return Played(states["score"][:, : seats.shape[1]].copy(), outcome, actions)
