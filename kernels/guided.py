"""Tree search guided by a network that rates actions and tells the result of every seat.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (ICLR 2022):
at the root a few candidates are drawn without replacement by the network's policy (Gumbel-Top-k)
and halved again and again; further down the search follows the improved policy: the network's
logits plus what the simulations found, where actions not yet tried count as the mean of the others.
That policy is better than the network's in expectation even after a handful of simulations.

Here for any number of players (max-n: each node keeps a mean result for every seat, and whoever
moves there maximises their own), for chance and for hidden information: every simulation deals the
unknown and the luck to come anew (`rules.resample`), as in `search.py`. With perfect information a
node stands for the actions since the root, whatever chance made of them, so the legal actions at a
node can differ from visit to visit; with hidden information it stands also for what the searching
seat saw.

The searches of many games go on in lockstep, so that one call of the network answers all of them.
The network is the caller's: nothing here knows more of it than arrays.
"""

from dataclasses import dataclass

import numpy as np

from . import rules
from .batch import checked_count
from .guided_tree import (
    Desk,
    Forest,
    Queries,
    _ask,
    _choose_at_root,
    _hear,
    _mixed_value,
    _normalise,
    _simulate,
    _visits_of,
)
from .jit import kernel
from .judging import _measure_scale
from .rng import Driver, bits
from .search import checked_positions
from .tree import NO_NODE, ROOT, _back_up, _plant

UNIT = 2.0**-53


@kernel
def guided_begin(states, seeds, heuristic, decisions, noisy, forced, forest, queries, desk):
    """Plant a tree for each state and ask for its root.

    Parameters
    ----------
    states : STATE array (n,)
        Unfinished, as the players to move may know them.
    seeds : uint64 array (n,)
    heuristic : float
        The share of the game's own heuristic in values.
    decisions : int
        Bound on the length of a game.
    noisy : bool
        Draw Gumbel variables for the root's actions.
    forced : bool
        Search also where there is one legal action only.
    forest : Forest, out
        Of at least n games.
    queries : Queries, out
    desk : Desk, scratch

    Returns
    -------
    int64
        Rows of the queries.
    """
    rows = np.int64(0)
    for i in range(len(states)):
        progress = forest.progress[i]
        progress.nodes = 1
        progress.priors = 0
        progress.simulations = 0
        _plant(forest.nodes[i])
        if not forced and rules.legal(states[i], desk.actions) == 1:
            continue
        for action in range(forest.noise.shape[1]):
            draw = np.float64(bits(seeds[i], Driver.SEARCH.value, action) >> np.uint64(11))
            forest.noise[i, action] = -np.log(-np.log((draw + 0.5) * UNIT)) if noisy else 0.0
        if heuristic > 0.0:
            progress.lead = _measure_scale(
                states[i], seeds[i], decisions, desk.states, desk.actions
            )
        _ask(forest, i, np.int64(ROOT), states[i], heuristic, rows, queries, desk.actions)
        rows += 1
    return rows


@kernel
def guided_advance(
    states, seeds, heuristic, schedule, candidates, scale, hidden, rows, logits, values, forest,
    queries, desk,
):  # fmt: skip
    """Take in the network's answers, and go on with each game up to its next question.

    Parameters
    ----------
    states : STATE array (n,)
    seeds : uint64 array (n,)
    heuristic : float
    schedule : int32 array (candidates + 1, simulations)
        From `visit_schedule`, for each number of candidates.
    candidates : int
    scale : float
    hidden : bool
    rows : int
        Rows of the queries that were answered.
    logits : float32 array (rows, n_actions)
    values : float32 array (rows, max_players)
    forest : Forest, in and out
    queries : Queries, in and out
        The next questions replace those answered; a game whose search is complete asks no more.
    desk : Desk, scratch

    Returns
    -------
    int64
        Rows of the queries; 0 when all searches are complete.
    """
    state = desk.states[0]
    asked = np.int64(0)
    for row in range(rows):
        i = queries.games[row]
        num_players = np.int64(states[i].num_players)
        mask = queries.mask[row]
        _hear(forest, i, num_players, heuristic, logits[row], values[row], mask, desk.result)
        n = min(np.int64(rules.legal(states[i], desk.actions)), candidates)
        progress = forest.progress[i]
        while progress.simulations < schedule.shape[1]:
            wanted = np.int64(schedule[n, progress.simulations])
            progress.simulations += 1
            leaf = _simulate(forest, i, states[i], seeds[i], wanted, scale, hidden, desk)
            if not state.done:
                _ask(forest, i, leaf, state, heuristic, asked, queries, desk.actions)
                asked += 1
                break
            rules.outcome(state, desk.result)
            _back_up(forest.nodes[i], leaf, desk.result, num_players)
    return asked


@kernel(apart=True)
def _worth(forest, i, seat, n, desk):
    """Return what the root of game i is worth to a seat under the improved policy."""
    nodes = forest.nodes[i]
    raw = forest.values[i, nodes[ROOT].prior]
    mixed = _mixed_value(nodes, desk, n, np.int64(nodes[ROOT].visits), raw, seat)
    worth = 0.0
    for k in range(n):
        child = desk.children[k]
        mean = mixed if child == NO_NODE else nodes[child].total[seat] / nodes[child].visits
        worth += desk.scores[k] * mean
    return worth


@kernel
def guided_results(states, scale, forest, desk, choices, policy, values, visits):
    """Read off the results of searches that are complete.

    Parameters
    ----------
    states : STATE array (n,)
    scale : float
    forest : Forest
    desk : Desk, scratch
    choices : int64 array (n,), out
    policy : float32 array (n, n_actions), out
        The improved policy; zeroed by the caller, as are the others.
    values : float32 array (n, max_players), out
        What the positions are worth under it, from the seat to move on in turn order.
    visits : int32 array (n, n_actions), out
    """
    for i in range(len(states)):
        n = np.int64(rules.legal(states[i], desk.actions))
        nodes = forest.nodes[i]
        if nodes[ROOT].visits == 0:  # the only action, not searched
            choices[i] = desk.actions[0]
            policy[i, desk.actions[0]] = 1.0
            continue
        mover = np.int64(states[i].to_play)
        most = np.int64(0)
        child = np.int64(nodes[ROOT].child)
        while child != NO_NODE:
            most = max(most, np.int64(nodes[child].visits))
            child = np.int64(nodes[child].sibling)
        choices[i] = desk.actions[_choose_at_root(forest, i, mover, n, scale, most, desk)]
        _normalise(desk.scores, n)
        num_players = np.int64(states[i].num_players)
        for k in range(num_players):
            values[i, k] = _worth(forest, i, (mover + k) % num_players, n, desk)
        for k in range(n):
            policy[i, desk.actions[k]] = desk.scores[k]
            visits[i, desk.actions[k]] = _visits_of(nodes, desk.children[k])


# --- Python face ----------------------------------------------------------------------------------


def visit_schedule(candidates, simulations):
    """Say for each simulation how often the action that it tries has been tried before.

    Sequential halving: each of log2(candidates) rounds has the same share
    of the simulations, spread evenly over the candidates left, of which it halves the number; what
    is left over goes to the last two.

    Parameters
    ----------
    candidates, simulations : int
        1 or more.

    Returns
    -------
    int32 array (simulations,)
    """
    if candidates == 1:
        return np.arange(simulations, dtype=np.int32)
    rounds = int(np.ceil(np.log2(candidates)))
    visits = np.zeros(candidates, np.int32)
    left, parts, length = candidates, [], 0
    while length < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            parts.append(visits[:left].copy())
            visits[:left] += 1
            length += left
        left = max(2, left // 2)
    return np.concatenate(parts)[:simulations]


@dataclass(frozen=True)
class Guided:
    """What a guided search found in n positions.

    Attributes
    ----------
    actions : int64 array (n,)
        The choices.
    policy : float32 array (n, n_actions)
        The improved policies, what a network is to learn; 0 for illegal actions.
    values : float32 array (n, max_players)
        The results to be expected under them, from the seat to move on in turn order, as a network
        tells them; 0 beyond the number of players.
    visits : int32 array (n, n_actions)
        Simulations that began with each action.
    """

    actions: np.ndarray
    policy: np.ndarray
    values: np.ndarray
    visits: np.ndarray


class GuidedSearch:
    """Search positions of a game, many in lockstep, with a network's help.

    What is found in a position depends on it, its seed and the network alone. Scratch is kept from
    one run to the next, so an object serves one thread at a time.

    Parameters
    ----------
    game : Rules
    simulations : int
        For each decision. The network is asked once more, for the root.
    candidates : int
        Most actions of the root that are tried.
    scale : float
        Weight of results, which lie in [-1, 1], against the network's logits: c_scale of the paper,
        whose factor VISITS + most visits it gets.
    noise : bool
        Draw the candidates by the network's policy (Gumbel), as training needs it; without it they
        are its likeliest ones.
    heuristic : float
        The share, from 0 to 1, of the game's own heuristic (`rules.value`, squashed as in
        `judging.py`) in what an open position is worth; the rest is the network's.

    Raises
    ------
    ValueError
        If a number is out of its range.
    """

    def __init__(self, game, simulations, candidates=16, scale=0.5, noise=True, heuristic=0.0):
        self.game = game
        self.simulations = checked_count("simulations", simulations)
        self.candidates = checked_count("candidates", candidates)
        self.scale = float(scale)
        self.noise = bool(noise)
        self.heuristic = float(heuristic)
        if not 0.0 <= self.heuristic <= 1.0:
            raise ValueError(f"heuristic is {heuristic}; allowed: a number from 0 to 1")
        most = min(self.candidates, self.simulations, game.n_actions)
        self._schedule = np.zeros((most + 1, self.simulations), np.int32)
        for n in range(1, most + 1):
            self._schedule[n] = visit_schedule(n, self.simulations)
        self._desk = Desk.of(game)
        self._make_room(0)

    def _make_room(self, n):
        """Allocate the trees of n games."""
        self._room = n
        self._forest = Forest.of(self.game, n, self.simulations)
        self._queries = Queries.of(self.game, n)

    def run(self, states, seeds, evaluate, forced=True):
        """Search from each of n positions.

        Parameters
        ----------
        states : STATE array (n,)
            Unfinished, as the players to move may know them.
        seeds : uint64 array (n,)
            Luck of each decision; the same seed gives the same search.
        evaluate : callable
            `evaluate(obs, mask) -> logits, values`, called with m rows, m varying from 0 to n, of
            observations (float32) and legal actions (int8), which it may not keep. `logits` (m,
            n_actions) are finite where legal; `values` (m, max_players) are the expected results of
            the seat that the observation is of and of those behind it in turn order.
        forced : bool
            Search also where there is one legal action only; otherwise it is the choice there, with
            no values and no visits.

        Returns
        -------
        Guided

        Raises
        ------
        ValueError
            If there is not one seed for each state, a game is finished or another one than this
            object's, or `evaluate` returns arrays of other shapes.
        """
        states, seeds = checked_positions(states, seeds)
        if rules.of(states) is not self.game:
            wrong = rules.of(states).name
            raise ValueError(f"a search for {self.game.name} was given states of {wrong}")
        n = len(states)
        if n > self._room:
            self._make_room(n)
        forest, queries, desk = self._forest, self._queries, self._desk
        rows = guided_begin(
            states, seeds, self.heuristic, self.game.max_decisions, self.noise, bool(forced),
            forest, queries, desk,
        )  # fmt: skip
        candidates, hidden = len(self._schedule) - 1, not self.game.perfect_information
        while rows > 0:
            answers = evaluate(queries.obs[:rows], queries.mask[:rows])
            logits, values = self._checked(rows, *answers)
            rows = guided_advance(
                states, seeds, self.heuristic, self._schedule, candidates, self.scale, hidden, rows,
                logits, values, forest, queries, desk,
            )  # fmt: skip
        found = Guided(
            np.zeros(n, np.int64),
            np.zeros((n, self.game.n_actions), np.float32),
            np.zeros((n, self.game.max_players), np.float32),
            np.zeros((n, self.game.n_actions), np.int32),
        )
        guided_results(
            states, self.scale, forest, desk, found.actions, found.policy, found.values,
            found.visits,
        )  # fmt: skip
        return found

    def _checked(self, rows, logits, values):
        """Refuse answers of the wrong shape; return them as the kernels take them."""
        checked = []
        for name, array, width in (
            ("logits", logits, self.game.n_actions),
            ("values", values, self.game.max_players),
        ):
            array = np.ascontiguousarray(array, np.float32)
            if array.shape != (rows, width):
                raise ValueError(f"{name}: expected shape {(int(rows), width)}, got {array.shape}")
            checked.append(array)
        return checked
