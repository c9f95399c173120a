"""One simulation of a search that a network guides (see `guided.py`), and the policy of a node."""

from typing import Any, NamedTuple

import numpy as np

from . import rules
from .batch import present
from .jit import kernel
from .judging import _judge
from .tree import (
    NO_NODE,
    ROOT,
    Eye,
    _add_child,
    _back_up,
    _deal,
    _find_outcome,
    _sight,
    node_dtype,
)

# c_visit of the paper: results count as if every action had been tried this many times more.
VISITS = 50.0

PROGRESS = rules.record(
    [
        ("nodes", "i4"),  # in use
        ("priors", "i4"),  # answers of the network
        ("leaf", "i4"),  # the node that waits for one
        ("simulations", "i4"),  # finished or waiting
        ("lead", "f8"),  # points that the heuristic takes for a lead of tanh(1)
    ]
)


class Forest(NamedTuple):
    """The trees of n games, and what the network said of their nodes.

    Attributes
    ----------
    nodes : NODE array (n, n_nodes)
    logits : float32 array (n, simulations + 1, n_actions)
        Of every action; those illegal when the network was asked have the lowest of the legal ones.
    values : float32 array (n, simulations + 1, max_players)
        By seat; until the network answers, those of the heuristic.
    movers : int64 array (n, simulations + 1)
        The seat that was to move.
    noise : float64 array (n, n_actions)
        The Gumbel variables of the root's actions, or 0.
    progress : PROGRESS array (n,)
    """

    nodes: Any
    logits: Any
    values: Any
    movers: Any
    noise: Any
    progress: Any

    @classmethod
    def of(cls, game, n, simulations):
        """Make the arrays for n games.

        Parameters
        ----------
        game : Rules
        n, simulations : int

        Returns
        -------
        Forest
        """
        # A simulation adds an action and, with hidden information, an outcome of it.
        n_nodes = 1 + simulations * (1 if game.perfect_information else 2)
        return cls(
            np.zeros((n, n_nodes), node_dtype(game.max_players)),
            np.zeros((n, simulations + 1, game.n_actions), np.float32),
            np.zeros((n, simulations + 1, game.max_players), np.float32),
            np.zeros((n, simulations + 1), np.int64),
            np.zeros((n, game.n_actions)),
            np.zeros(n, PROGRESS),
        )


class Desk(NamedTuple):
    """Scratch of one simulation.

    Attributes
    ----------
    states : STATE array (2,)
    actions : int32 array (n_actions,)
        The legal actions of a node come first; for the k-th of them
    children : int64 array (n_actions,)
        its node, or NO_NODE,
    priors : float64 array (n_actions,)
        its share of the network's policy,
    scores : float64 array (n_actions,)
        its improved logit, or its share of the improved policy.
    result : float32 array (max_players,)
    eye : Eye
    """

    states: Any
    actions: Any
    children: Any
    priors: Any
    scores: Any
    result: Any
    eye: Any

    @classmethod
    def of(cls, game):
        """Make the arrays for a game.

        Parameters
        ----------
        game : Rules

        Returns
        -------
        Desk
        """
        return cls(
            np.zeros(2, game.STATE),
            np.zeros(game.n_actions, np.int32),
            np.zeros(game.n_actions, np.int64),
            np.zeros(game.n_actions),
            np.zeros(game.n_actions),
            np.zeros(game.max_players, np.float32),
            Eye.of(game),
        )


class Queries(NamedTuple):
    """What the network is asked next: one row for each game that waits for an answer.

    Attributes
    ----------
    games : int64 array (n,)
        Which game a row belongs to, ascending.
    obs : float32 array (n, obs_size)
    records : OBS array (n,)
        The same memory.
    mask : int8 array (n, n_actions)
    """

    games: Any
    obs: Any
    records: Any
    mask: Any

    @classmethod
    def of(cls, game, n):
        """Make the arrays for n games.

        Parameters
        ----------
        game : Rules
        n : int

        Returns
        -------
        Queries
        """
        obs = np.zeros((n, game.obs_size), np.float32)
        return cls(
            np.zeros(n, np.int64),
            obs,
            obs.view(game.OBS)[:, 0],
            np.zeros((n, game.n_actions), np.int8),
        )


# --- the policy of a node -------------------------------------------------------------------------


@kernel(apart=True)
def _normalise(scores, n):
    """Turn logits into shares that add up to 1.

    Parameters
    ----------
    scores : float64 array (at least n,), in and out
    n : int
    """
    top = scores[0]
    for i in range(1, n):
        top = max(top, scores[i])
    total = 0.0
    for i in range(n):
        scores[i] = np.exp(scores[i] - top)
        total += scores[i]
    for i in range(n):
        scores[i] /= total


@kernel(apart=True)
def _mixed_value(nodes, desk, n, visits, raw, seat):
    """Estimate what a node is worth to a seat (the paper's mixed value).

    The network's value, and with the weight of all visits the mean of the actions tried, each
    counted by its share of the network's policy.

    Parameters
    ----------
    nodes : NODE array
    desk : Desk
        `children` and `priors` of the node.
    n : int
        Legal actions.
    visits : int
        Of all of them.
    raw : float32 array (max_players,)
        The network's values.
    seat : int

    Returns
    -------
    float64
    """
    weight = 0.0
    total = 0.0
    for i in range(n):
        child = desk.children[i]
        if child != NO_NODE:
            weight += desk.priors[i]
            total += desk.priors[i] * nodes[child].total[seat] / nodes[child].visits
    if weight <= 0.0:
        return np.float64(raw[seat])
    return (raw[seat] + visits * total / weight) / (1.0 + visits)


@kernel
def _visits_of(nodes, child):
    """Return the visits of a child, 0 of none."""
    return np.int64(0) if child == NO_NODE else np.int64(nodes[child].visits)


@kernel(apart=True)
def _improve(forest, i, node, mover, n, scale, desk):
    """Work out the improved policy of a node, as logits: sigma(completed Q) added to the network's.

    Parameters
    ----------
    forest : Forest
    i : int
        Which game.
    node : int
        One that the network has rated.
    mover : int
        The seat whose results count.
    n : int
        Legal actions.
    scale : float
        c_scale of the paper.
    desk : Desk, in and out
        `actions` is read; `children`, `priors` and `scores` are written.

    Returns
    -------
    int64
        Visits of all legal actions.
    """
    nodes = forest.nodes[i]
    prior = np.int64(nodes[node].prior)
    logits = forest.logits[i, prior]
    visits = np.int64(0)
    most = np.int64(0)
    child = np.int64(nodes[node].child)
    for k in range(n):
        action = desk.actions[k]
        desk.priors[k] = logits[action]
        while child != NO_NODE and nodes[child].move < action:
            child = np.int64(nodes[child].sibling)
        desk.children[k] = NO_NODE
        if child != NO_NODE and nodes[child].move == action:
            desk.children[k] = child
            visits += nodes[child].visits
            most = max(most, np.int64(nodes[child].visits))
    _normalise(desk.priors, n)
    mixed = _mixed_value(nodes, desk, n, visits, forest.values[i, prior], mover)
    for k in range(n):
        child = desk.children[k]
        mean = mixed if child == NO_NODE else nodes[child].total[mover] / nodes[child].visits
        desk.scores[k] = logits[desk.actions[k]] + (VISITS + most) * scale * mean
    return visits


@kernel
def _choose_inside(forest, i, node, mover, n, scale, desk):
    """Choose the action that was tried least for its share of the improved policy.

    Parameters
    ----------
    forest : Forest
    i : int
        Which game.
    node, mover : int
    n : int
        Legal actions.
    scale : float
    desk : Desk, in and out
        `actions` is read.

    Returns
    -------
    int64
        Its place among the legal actions.
    """
    visits = _improve(forest, i, node, mover, n, scale, desk)
    _normalise(desk.scores, n)
    choice = np.int64(0)
    best = -np.inf
    for k in range(n):
        lack = desk.scores[k] - _visits_of(forest.nodes[i], desk.children[k]) / (1.0 + visits)
        if lack > best:
            best = lack
            choice = np.int64(k)
    return choice


@kernel(apart=True)
def _choose_at_root(forest, i, mover, n, scale, wanted, desk):
    """Choose the best of the actions that were tried so many times.

    Parameters
    ----------
    forest : Forest
    i : int
        Which game.
    mover : int
    n : int
        Legal actions.
    scale : float
    wanted : int
        Visits.
    desk : Desk, in and out
        `actions` is read.

    Returns
    -------
    int64
        Its place among the legal actions.
    """
    _improve(forest, i, np.int64(ROOT), mover, n, scale, desk)
    choice = np.int64(0)
    best = -np.inf
    for k in range(n):
        if _visits_of(forest.nodes[i], desk.children[k]) == wanted:
            score = forest.noise[i, desk.actions[k]] + desk.scores[k]
            if score > best:
                best = score
                choice = np.int64(k)
    return choice


# --- simulations ----------------------------------------------------------------------------------


@kernel
def _follow(forest, i, node, k, desk):
    """Take the k-th legal action of a node: return its node, a new one if there was none."""
    child = desk.children[k]
    if child != NO_NODE:
        return child
    progress = forest.progress[i]
    child = np.int64(progress.nodes)
    _add_child(forest.nodes[i], node, child, np.int64(desk.actions[k]))
    progress.nodes += 1
    return child


@kernel
def _arrive(forest, i, node, player, hidden, desk):
    """Return the node for what came of an action, a new one for what was not met before.

    With hidden information it is that of what the searching seat sees. Otherwise it is the action's
    own, unless chance made another seat move than before.

    Parameters
    ----------
    forest : Forest, in and out
    i : int
        Which game.
    node : int
        The action's.
    player : int
        The searching seat.
    hidden : bool
    desk : Desk
        states[0] is the simulated game.

    Returns
    -------
    int64
    """
    nodes = forest.nodes[i]
    progress = forest.progress[i]
    mover = np.int64(desk.states[0].to_play)
    prior = np.int64(nodes[node].prior)
    seen = np.int64(-1) - mover
    if hidden:
        seen = _sight(desk.states[0], player, desk.eye)
    elif prior == NO_NODE or forest.movers[i, prior] == mover:
        return np.int64(node)
    found = _find_outcome(nodes, node, np.int64(progress.nodes), seen)
    progress.nodes = max(np.int64(progress.nodes), found + 1)
    return found


@kernel(apart=True)
def _simulate(forest, i, root, seed, wanted, scale, hidden, desk):
    """Play from the root to a position that the network has not rated, or to the end of the game.

    The k-th simulation of each action at the root meets the k-th deal, as in `search.py`.

    Parameters
    ----------
    forest : Forest, in and out
    i : int
        Which game.
    root : STATE record
    seed : uint64
    wanted : int
        Visits of the root's action that is to be tried.
    scale : float
    hidden : bool
    desk : Desk, in and out
        states[0] becomes the game as it was played.

    Returns
    -------
    int64
        The node reached.
    """
    nodes = forest.nodes[i]
    state = desk.states[0]
    player = np.int64(root.to_play)
    n = np.int64(rules.legal(root, desk.actions))
    k = _choose_at_root(forest, i, player, n, scale, wanted, desk)
    node = _follow(forest, i, np.int64(ROOT), k, desk)
    _deal(desk.states, root, seed, np.int64(nodes[node].visits))
    rules.step(state, np.int64(nodes[node].move))
    while not state.done:
        node = _arrive(forest, i, node, player, hidden, desk)
        if nodes[node].prior == NO_NODE:
            break
        n = np.int64(rules.legal(state, desk.actions))
        k = _choose_inside(forest, i, node, np.int64(state.to_play), n, scale, desk)
        node = _follow(forest, i, node, k, desk)
        rules.step(state, np.int64(nodes[node].move))
    return node


@kernel(apart=True)
def _ask(forest, i, leaf, state, heuristic, row, queries, actions):
    """Write what the player to move sees at a leaf of game i as row `row` of the queries.

    If the heuristic has a share in values, note what it says.
    """
    progress = forest.progress[i]
    progress.leaf = leaf
    forest.movers[i, progress.priors] = state.to_play
    if heuristic > 0.0:
        _judge(state, progress.lead, forest.values[i, progress.priors])
    queries.games[row] = i
    present(state, actions, queries.obs[row], queries.records[row], queries.mask[row])


@kernel(apart=True)
def _hear(forest, i, num_players, heuristic, logits, values, mask, result):
    """Give a game's leaf what the network said of it, and count its simulation.

    Parameters
    ----------
    forest : Forest, in and out
    i : int
        Which game.
    num_players : int
    heuristic : float
        Its share in values.
    logits : float32 array (n_actions,)
        Without meaning where illegal.
    values : float32 array (max_players,)
        From the seat to move on in turn order.
    mask : int8 array (n_actions,)
    result : float32 array (max_players,), scratch
    """
    progress = forest.progress[i]
    prior = np.int64(progress.priors)
    progress.priors += 1
    lowest = np.float32(np.inf)
    for action in range(len(mask)):
        if mask[action] != 0:
            lowest = min(lowest, logits[action])
    for action in range(len(mask)):
        forest.logits[i, prior, action] = logits[action] if mask[action] != 0 else lowest
    for k in range(num_players):
        seat = (forest.movers[i, prior] + k) % num_players
        result[seat] = (1.0 - heuristic) * values[k]
        if heuristic > 0.0:
            result[seat] += heuristic * forest.values[i, prior, seat]
        forest.values[i, prior, seat] = result[seat]
    leaf = np.int64(progress.leaf)
    forest.nodes[i, leaf].prior = prior
    if leaf != ROOT:
        _back_up(forest.nodes[i], leaf, result, num_players)
