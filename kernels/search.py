"""Search by simulation, written once for all games: flat Monte Carlo and a tree search.

Both see a game only as the player to move knows it. A simulation deals the unknown anew
(`rules.resample`), so no decision can follow from a hidden card or from luck still to come.

The tree is that of the searching seat ("single-observer information set Monte Carlo tree search",
Cowling, Powley and Whitehouse, IEEE TCIAIG 2012): a node stands for the actions since the root and,
with hidden information, for what the seat saw of their outcomes, and an action that is legal in
some deals only is measured by how often it could be chosen. Each node keeps one mean result for
every seat, and whoever moves there maximises their own (max-n), so any number of players is one
case.
"""

from dataclasses import dataclass

import numpy as np

from . import rules
from .batch import checked_count
from .jit import kernel
from .judging import _judge, _measure_scale, _play_on
from .records import copy
from .rng import Driver, below, bits
from .tree import (
    NO_NODE,
    ROOT,
    Eye,
    _add_child,
    _back_up,
    _deal,
    _find_outcome,
    _plant,
    _sight,
    node_dtype,
)

# A simulation's draw: what the player who tries a new action takes the unknown to be.
OWN_DEAL = np.int64(0)


# --- kernels --------------------------------------------------------------------------------------


@kernel(apart=True)
def _find_children(nodes, node, actions, n, mover, exploration):
    """Look up the nodes of the legal actions and choose the best of them for the mover.

    That is the one with the largest mean result plus exploration * sqrt(log(available) / visits).

    Parameters
    ----------
    nodes : NODE array, in and out
        `available` of the nodes found is counted up, nodes[node].choice is set.
    node : int
    actions : int32 array (n_actions,), in and out
        actions[:n] are legal; those without a node are moved to the front.
    n : int
    mover : int
    exploration : float

    Returns
    -------
    int64
        Number of actions without a node.
    """
    choice = np.int64(NO_NODE)
    best = -np.inf
    n_untried = np.int64(0)
    child = np.int64(nodes[node].child)
    for i in range(n):
        move = mover * len(actions) + actions[i]
        while child != NO_NODE and nodes[child].move < move:
            child = np.int64(nodes[child].sibling)
        if child == NO_NODE or nodes[child].move != move:
            actions[n_untried] = actions[i]
            n_untried += 1
            continue
        found = nodes[child]
        found.available += 1
        bound = found.total[mover] / found.visits
        bound += exploration * np.sqrt(np.log(found.available) / found.visits)
        if bound > best:
            best = bound
            choice = child
    nodes[node].choice = choice
    return n_untried


@kernel(apart=True)
def _most_promising(states, seed, actions, n):
    """Return the action after which `value` is largest for the player to move, ties at random.

    The player judges by their own knowledge, in a deal of their own: by the simulated game itself,
    they would know the luck that the new node is about to meet.

    Parameters
    ----------
    states : STATE array (3,)
        states[0] is the simulated game; the others are scratch.
    seed : uint64
    actions : int32 array (at least n,)
    n : int

    Returns
    -------
    int64
    """
    player = np.int64(states[0].to_play)
    copy(states[1], states[0])
    rules.resample(states[1], player, bits(seed, Driver.RESAMPLE.value, OWN_DEAL))
    best = -np.inf
    choice = np.int64(actions[0])
    ties = np.int64(0)
    for i in range(n):
        action = np.int64(actions[i])
        copy(states[2], states[1])
        rules.step(states[2], action)
        promise = rules.value(states[2], player)
        ties = ties + 1 if promise == best else 1
        if promise > best or (promise == best and below(seed, Driver.AGENT.value, i, ties) == 0):
            best = promise
            choice = action
    return choice


@kernel(apart=True)
def _choose_child(nodes, node, n_nodes, states, seed, exploration, actions):
    """Choose the next action at a node: one tried before, or a new one if it is time for that.

    Parameters
    ----------
    nodes : NODE array, in and out
        A new action becomes node `n_nodes`.
    node, n_nodes : int
        Nodes in use: `n_nodes`.
    states : STATE array (3,)
        states[0] is the simulated game; the others are scratch.
    seed : uint64
    exploration : float
    actions : int32 array (n_actions,), scratch

    Returns
    -------
    int64
        The child's node.
    """
    mover = np.int64(states[0].to_play)
    n = np.int64(rules.legal(states[0], actions))
    n_untried = _find_children(nodes, node, actions, n, mover, exploration)
    n_tried = n - n_untried
    if n_untried > 0 and n_tried * n_tried <= nodes[node].visits:
        action = _most_promising(states, seed, actions, n_untried)
        _add_child(nodes, node, n_nodes, mover * len(actions) + action)
    return np.int64(nodes[node].choice)


@kernel(apart=True)
def _simulate(
    nodes, n_nodes, root, seed, simulation, exploration, depth, hidden, states, actions, eye
):
    """Play from the root through the tree, beyond it by one new node, and on at random.

    The k-th simulation of each action at the root meets the k-th deal and its luck, so that actions
    are compared in the same games ("common random numbers"): what a deal is worth whatever one does
    would hide the difference that the action makes.

    Parameters
    ----------
    nodes : NODE array, in and out
    n_nodes : int
        Nodes in use.
    root : STATE record
    seed : uint64
    simulation : int
    exploration : float
    depth : int
        Random decisions after the last node.
    hidden : bool
        The game is one of hidden information, so that what is seen of an action matters to what
        follows. With perfect information only chance makes outcomes differ, and they are too many
        to learn about each: to branch on them made the search of Digging for Dinos weaker.
    states : STATE array (3,), out
        states[0] is the game as it was played; the others are scratch.
    actions : int32 array (n_actions,), scratch
    eye : Eye, scratch

    Returns
    -------
    int64
        The node reached: `n_nodes` if it is new, else one where the game is over.
    """
    state = states[0]
    player = np.int64(root.to_play)
    copy(state, root)
    luck = bits(seed, Driver.SEARCH.value, simulation)
    node = _choose_child(nodes, np.int64(ROOT), n_nodes, states, luck, exploration, actions)
    deal = np.int64(nodes[node].visits)
    luck = bits(seed, Driver.SEARCH.value, deal)
    _deal(states, root, seed, deal)
    rules.step(state, np.int64(nodes[node].move) % len(actions))
    while node < n_nodes and not state.done:
        if hidden:
            node = _find_outcome(nodes, node, n_nodes, _sight(state, player, eye))
            if node == n_nodes:
                break
        node = _choose_child(nodes, node, n_nodes, states, luck, exploration, actions)
        rules.step(state, np.int64(nodes[node].move) % len(actions))
    _play_on(state, luck, depth, actions)
    return node


@kernel(apart=True)
def _grow_tree(
    root,
    seed,
    simulations,
    exploration,
    depth,
    decisions,
    hidden,
    nodes,
    states,
    actions,
    result,
    eye,
):
    """Search from one position.

    Parameters
    ----------
    root : STATE record
        As its player to move may know it.
    seed : uint64
    simulations : int
    exploration : float
    depth : int
        Random decisions after a new node before the position is judged.
    decisions : int
        Bound on the length of a game.
    hidden : bool
        The game is one of hidden information.
    nodes : NODE array (simulations + 1,), out
        The root comes first; its children tell the result.
    states : STATE array (3,), scratch
    actions : int32 array (n_actions,), scratch
    result : float32 array (max_players,), scratch
    eye : Eye, scratch
    """
    scale = _measure_scale(root, seed, decisions, states, actions)
    _plant(nodes)
    n_nodes = np.int64(1)
    for simulation in range(simulations):
        node = _simulate(
            nodes,
            n_nodes,
            root,
            seed,
            simulation,
            exploration,
            depth,
            hidden,
            states,
            actions,
            eye,
        )
        n_nodes = max(n_nodes, node + 1)
        _judge(states[0], scale, result)
        _back_up(nodes, np.int64(node), result, np.int64(root.num_players))


@kernel
def ismcts_states(
    states, seeds, simulations, exploration, depth, decisions, hidden,
    nodes, scratch, actions, result, eye, choices, visits, values,
):  # fmt: skip
    """Choose an action in each state by tree search: the one with the most visits.

    Parameters
    ----------
    states : STATE array (n,)
        Unfinished, as the players to move may know them.
    seeds : uint64 array (n,)
    simulations : int
    exploration : float
    depth : int
    decisions : int
        Bound on the length of a game.
    hidden : bool
        The game is one of hidden information.
    nodes : NODE array (simulations + 1,), scratch
    scratch : STATE array (3,), scratch
    actions : int32 array (n_actions,), scratch
    result : float32 array (max_players,), scratch
    eye : Eye, scratch
    choices : int64 array (n,), out
        Of equally many visits the higher mean result comes first, then the lower number.
    visits : int32 array (n, n_actions) or (0, n_actions), out
        Simulations of each action; not wanted where it has no rows.
    values : float64 array (n, n_actions, max_players) or (0, n_actions, max_players), out
        Their mean results for each seat.
    """
    for i in range(len(states)):
        player = np.int64(states[i].to_play)
        if len(visits) == 0 and rules.legal(states[i], actions) == 1:
            choices[i] = actions[0]
            continue
        _grow_tree(
            states[i], seeds[i], simulations, exploration, depth, decisions, hidden,
            nodes, scratch, actions, result, eye,
        )  # fmt: skip
        most = np.int64(0)
        best = -np.inf
        child = np.int64(nodes[ROOT].child)
        while child != NO_NODE:
            node = nodes[child]
            action = np.int64(node.move) - player * len(actions)
            mean = node.total[player] / node.visits
            if node.visits > most or (node.visits == most and mean > best):
                most = np.int64(node.visits)
                best = mean
                choices[i] = action
            if len(visits) > 0:
                visits[i, action] = node.visits
                for seat in range(values.shape[2]):
                    values[i, action, seat] = node.total[seat] / node.visits
            child = np.int64(node.sibling)


@kernel
def rollout_states(states, seeds, playouts, decisions, actions, scratch, result, total, choices):
    """Choose an action in each state by playing every one out at random, all with the same luck.

    Parameters
    ----------
    states : STATE array (n,)
        Unfinished, as the players to move may know them.
    seeds : uint64 array (n,)
    playouts : int
        Random games for each legal action.
    decisions : int
        Bound on the length of a game.
    actions : int32 array (2, n_actions), scratch
    scratch : STATE array (3,), scratch
    result : float32 array (max_players,), scratch
    total : float64 array (n_actions,), scratch
    choices : int64 array (n,), out
        The best mean result, the lower number first.
    """
    for i in range(len(states)):
        player = np.int64(states[i].to_play)
        n = rules.legal(states[i], actions[0])
        for k in range(n):
            total[k] = 0.0
        for playout in range(playouts):
            luck = bits(seeds[i], Driver.SEARCH.value, playout)
            _deal(scratch, states[i], seeds[i], playout)
            copy(scratch[1], scratch[0])
            for k in range(n):
                copy(scratch[0], scratch[1])
                rules.step(scratch[0], np.int64(actions[0, k]))
                _play_on(scratch[0], luck, decisions, actions[1])
                rules.outcome(scratch[0], result)
                total[k] += result[player]
        best = np.int64(0)
        for k in range(n):
            if total[k] > total[best]:
                best = k
        choices[i] = actions[0, best]


# --- Python face ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Searched:
    """What a tree search found in n positions.

    Attributes
    ----------
    actions : int64 array (n,)
        The choices.
    visits : int32 array (n, n_actions)
        Simulations that began with each action; a row adds up to the number of simulations.
    values : float64 array (n, n_actions, max_players)
        Their mean results for each seat, in [-1, 1]; 0 without a simulation.
    """

    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray


def checked_positions(states, seeds):
    """Check what is to be searched.

    Parameters
    ----------
    states : STATE array (n,)
    seeds : uint64 array (n,)

    Returns
    -------
    states : STATE array (n,)
        Contiguous.
    seeds : uint64 array (n,)
        Contiguous.

    Raises
    ------
    ValueError
        If there is not one seed for each state, or a game is finished.
    """
    states = np.ascontiguousarray(states)
    seeds = np.ascontiguousarray(seeds, np.uint64)
    if seeds.shape != states.shape:
        raise ValueError(f"seeds: expected shape {states.shape}, got {seeds.shape}")
    if states["done"].any():
        raise ValueError(f"states[{np.argmax(states['done'])}] is finished: nothing to choose")
    return states, seeds


def _run_ismcts(states, seeds, simulations, exploration, depth, choices, visits, values):
    """Allocate scratch and search."""
    game = rules.of(states)
    simulations = checked_count("simulations", simulations)
    ismcts_states(
        states, seeds, simulations, float(exploration), checked_count("depth", depth, least=0),
        game.max_decisions, not game.perfect_information,
        np.zeros(simulations + 1, node_dtype(game.max_players)),
        np.zeros(3, game.STATE), np.zeros(game.n_actions, np.int32),
        np.zeros(game.max_players, np.float32), Eye.of(game), choices, visits, values,
    )  # fmt: skip


def ismcts_actions(states, seeds, out, simulations=1000, exploration=0.2, depth=0):
    """Choose an action in each state by tree search.

    Parameters
    ----------
    states : STATE array (n,)
        Unfinished, as the players to move may know them.
    seeds : uint64 array (n,)
        Luck of each decision; the same seed gives the same choice.
    out : int64 array (n,), out
    simulations : int
    exploration : float
        Weight of what was tried little against what went well; results lie in [-1, 1].
    depth : int
        Random decisions in a simulation before its position is judged by `value`; from the length
        of a game on, only outcomes count.

    Raises
    ------
    ValueError
        If there is not one seed for each state, or a game is finished.
    """
    states, seeds = checked_positions(states, seeds)
    game = rules.of(states)
    visits = np.zeros((0, game.n_actions), np.int32)
    values = np.zeros((0, game.n_actions, game.max_players))
    _run_ismcts(states, seeds, simulations, exploration, depth, out, visits, values)


def ismcts_search(states, seeds, simulations=1000, exploration=0.2, depth=0):
    """Search like `ismcts_actions`, and tell how often each action was tried and how it went.

    Parameters
    ----------
    states : STATE array (n,)
    seeds : uint64 array (n,)
    simulations : int
    exploration : float
    depth : int

    Returns
    -------
    Searched

    Raises
    ------
    ValueError
        As `ismcts_actions`.
    """
    states, seeds = checked_positions(states, seeds)
    game = rules.of(states)
    found = Searched(
        np.zeros(len(states), np.int64),
        np.zeros((len(states), game.n_actions), np.int32),
        np.zeros((len(states), game.n_actions, game.max_players)),
    )
    _run_ismcts(
        states, seeds, simulations, exploration, depth, found.actions, found.visits, found.values
    )
    return found


def rollout_actions(states, seeds, out, playouts=20):
    """Choose in each state the action with the best mean outcome of random games.

    Parameters
    ----------
    states : STATE array (n,)
        Unfinished, as the players to move may know them.
    seeds : uint64 array (n,)
        Luck of each decision; the same seed gives the same choice.
    out : int64 array (n,), out
    playouts : int
        Random games for each legal action.

    Raises
    ------
    ValueError
        As `ismcts_actions`.
    """
    states, seeds = checked_positions(states, seeds)
    game = rules.of(states)
    rollout_states(
        states, seeds, checked_count("playouts", playouts), game.max_decisions,
        np.zeros((2, game.n_actions), np.int32), np.zeros(3, game.STATE),
        np.zeros(game.max_players, np.float32), np.zeros(game.n_actions), out,
    )  # fmt: skip
