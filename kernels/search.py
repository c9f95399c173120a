"""Search by simulation, written once for all games: flat Monte Carlo and information-set tree search.

Both see a game only as the player to move knows it. Every simulation deals the unknown anew (`rules.resample` with
a seed of its own), so no decision can follow from a hidden card or from luck still to come.

The tree is that of the searching seat ("single-observer information set Monte Carlo tree search", Cowling, Powley
and Whitehouse, IEEE TCIAIG 2012): a node stands for the actions taken since the root, whatever chance did between
them, and an action that is legal in some deals only is compared by how often it could be chosen. Each node keeps
one mean result for every seat and whoever moves there maximises their own (max-n), so any number of players, with
alliances of nobody, is one case.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from . import rules
from .batch import checked_count
from .jit import kernel
from .rng import Driver, below, bits

NO_NODE = -1
ROOT = 0

# A node's `move` is mover * n_actions + action: chance may decide who moves, and then one action is two nodes.
NODE = rules.record(
    [
        ("move", "i4"),  # what led here from the parent
        ("sibling", "i4"),  # the parent's next child, or NO_NODE
        ("child", "i4"),  # the child found last, or NO_NODE
        ("visits", "i4"),  # simulations through the node
        ("available", "i4"),  # simulations in which the node could have been chosen
    ]
)


class Arena(NamedTuple):
    """Everything that a search writes to, allocated once for a call.

    Attributes
    ----------
    nodes : NODE array (simulations + 1,)
    total : float64 array (simulations + 1, max_players)
        Sum of the results of a node's simulations, for each seat.
    path : int64 array (simulations + 1,)
        Nodes of the simulation under way.
    node_of_move : int32 array (max_players * n_actions,)
        NO_NODE throughout, but while a node is looked at.
    actions : int32 array (n_actions,)
        Legal actions.
    untried, tried : int32 array (n_actions,)
        Legal actions without a node of their own; nodes of the others.
    state : STATE array (1,)
        The simulated game.
    result : float32 array (max_players,)
        Of the simulation.
    log : float64 array (simulations + 1,)
        Natural logarithms, 0 for 0.
    """

    nodes: np.ndarray
    total: np.ndarray
    path: np.ndarray
    node_of_move: np.ndarray
    actions: np.ndarray
    untried: np.ndarray
    tried: np.ndarray
    state: np.ndarray
    result: np.ndarray
    log: np.ndarray


# --- kernels -------------------------------------------------------------------------------------------------------


@kernel
def play_out(state, seed, actions):
    """Play a game to its end with uniformly random legal actions.

    Parameters
    ----------
    state : STATE record, in and out
    seed : uint64
    actions : int32 array (n_actions,), scratch
    """
    k = np.int64(1)  # draw 0 chooses the new node of the tree
    while not state.done:
        n = rules.legal(state, actions)
        rules.step(state, np.int64(actions[below(seed, Driver.SEARCH.value, k, n)]))
        k += 1


@kernel
def find_children(arena, node, n, mover):
    """Sort the legal actions of a node into those that have a node of their own and those that have none.

    Parameters
    ----------
    arena : Arena
        actions[:n] are legal. The nodes found are written to `tried` and their `available` is counted up; the other
        actions are written to `untried`.
    node : int
    n : int
    mover : int

    Returns
    -------
    int
        Number of untried actions; n less this number of nodes were found.
    """
    first = mover * len(arena.actions)
    child = arena.nodes[node].child
    while child != NO_NODE:
        arena.node_of_move[arena.nodes[child].move] = child
        child = arena.nodes[child].sibling
    n_untried = np.int64(0)
    for i in range(n):
        child = arena.node_of_move[first + arena.actions[i]]
        if child == NO_NODE:
            arena.untried[n_untried] = arena.actions[i]
            n_untried += 1
        else:
            arena.tried[i - n_untried] = child
            arena.nodes[child].available += 1
    child = arena.nodes[node].child
    while child != NO_NODE:
        arena.node_of_move[arena.nodes[child].move] = NO_NODE
        child = arena.nodes[child].sibling
    return n_untried


@kernel
def choose_child(arena, n_tried, mover, exploration):
    """Choose the node with the largest mean result for the mover plus exploration * sqrt(log(available) / visits).

    Parameters
    ----------
    arena : Arena
        The choice is among tried[:n_tried].
    n_tried : int
        At least 1.
    mover : int
    exploration : float

    Returns
    -------
    int64
    """
    choice = np.int64(NO_NODE)
    best = -np.inf
    for i in range(n_tried):
        child = np.int64(arena.tried[i])
        visits = arena.nodes[child].visits
        bound = arena.total[child, mover] / visits
        bound += exploration * np.sqrt(arena.log[arena.nodes[child].available] / visits)
        if bound > best:
            best = bound
            choice = child
    return choice


@kernel
def add_node(arena, new, parent, move):
    """Hang a node without visits below its parent.

    Parameters
    ----------
    arena : Arena
    new, parent : int
    move : int
    """
    node = arena.nodes[new]
    node.move = move
    node.child = NO_NODE
    node.visits = 0
    node.available = 1
    node.sibling = arena.nodes[parent].child
    arena.nodes[parent].child = new
    arena.total[new] = 0.0


@kernel
def simulate(arena, seed, n_nodes, exploration):
    """Run one simulation: down the tree, one new node, random play to the end, results back up.

    Parameters
    ----------
    arena : Arena
        `state` holds the root's game, dealt anew for this simulation.
    seed : uint64
        Of the random choices.
    n_nodes : int
        Nodes in use.
    exploration : float

    Returns
    -------
    int
        Nodes in use afterwards.
    """
    state = arena.state[0]
    n_actions = len(arena.actions)
    node = np.int64(ROOT)
    depth = 0
    arena.path[0] = ROOT
    grown = False
    while not grown and not state.done:
        n = rules.legal(state, arena.actions)
        mover = np.int64(state.to_play)
        n_untried = find_children(arena, node, n, mover)
        if n_untried > 0:
            action = np.int64(arena.untried[below(seed, Driver.SEARCH.value, 0, n_untried)])
            child = n_nodes
            add_node(arena, child, node, mover * n_actions + action)
            grown = True
        else:
            child = choose_child(arena, n, mover, exploration)
            action = np.int64(arena.nodes[child].move) - mover * n_actions
        rules.step(state, action)
        node = child
        depth += 1
        arena.path[depth] = node
    play_out(state, seed, arena.actions)
    rules.outcome(state, arena.result)
    for i in range(depth + 1):
        visited = arena.path[i]
        arena.nodes[visited].visits += 1
        for player in range(state.num_players):
            arena.total[visited, player] += arena.result[player]
    return n_nodes + 1 if grown else n_nodes


@kernel
def grow_tree(root, seed, simulations, exploration, arena):
    """Search from one position.

    Parameters
    ----------
    root : STATE record
        As its player to move may know it.
    seed : uint64
    simulations : int
    exploration : float
    arena : Arena, out
        Its first node is the root, whose children tell the result.
    """
    player = np.int64(root.to_play)
    n_nodes = np.int64(1)
    arena.nodes[ROOT].child = NO_NODE
    arena.nodes[ROOT].visits = 0
    arena.total[ROOT] = 0.0
    for simulation in range(simulations):
        arena.state[0] = root
        rules.resample(arena.state[0], player, bits(seed, Driver.RESAMPLE.value, simulation))
        choices = bits(seed, Driver.SEARCH.value, simulation)
        n_nodes = simulate(arena, choices, n_nodes, exploration)


@kernel
def best_action(arena, player):
    """Return the root's action with the most visits, the higher mean result first, then the lower number.

    Parameters
    ----------
    arena : Arena
    player : int
        Who moves at the root.

    Returns
    -------
    int64
    """
    best = np.int64(NO_NODE)
    child = arena.nodes[ROOT].child
    while child != NO_NODE:
        if best == NO_NODE or precedes(arena, child, best, player):
            best = np.int64(child)
        child = arena.nodes[child].sibling
    return np.int64(arena.nodes[best].move) - player * len(arena.actions)


@kernel
def precedes(arena, child, other, player):
    """Tell whether a child of the root is to be preferred to another.

    Parameters
    ----------
    arena : Arena
    child, other : int
    player : int

    Returns
    -------
    bool
    """
    visits = arena.nodes[child].visits
    if visits != arena.nodes[other].visits:
        return visits > arena.nodes[other].visits
    if arena.total[child, player] != arena.total[other, player]:  # of equally many visits
        return arena.total[child, player] > arena.total[other, player]
    return arena.nodes[child].move < arena.nodes[other].move


@kernel
def search_states(states, seeds, simulations, exploration, arena, choices, visits, values):
    """Choose an action in each state by tree search.

    Parameters
    ----------
    states : STATE array (n,)
        Unfinished, as the players to move may know them.
    seeds : uint64 array (n,)
    simulations : int
    exploration : float
    arena : Arena, scratch
    choices : int64 array (n,), out
    visits : int32 array (n, n_actions) or (0, n_actions), out
        Simulations of each action; not wanted where it has no rows.
    values : float64 array (n, n_actions, max_players) or (0, n_actions, max_players), out
        Mean results.
    """
    for i in range(len(states)):
        player = np.int64(states[i].to_play)
        if len(visits) == 0 and rules.legal(states[i], arena.actions) == 1:
            choices[i] = arena.actions[0]
            continue
        grow_tree(states[i], seeds[i], simulations, exploration, arena)
        choices[i] = best_action(arena, player)
        if len(visits) > 0:
            child = arena.nodes[ROOT].child
            while child != NO_NODE:
                action = arena.nodes[child].move - player * len(arena.actions)
                visits[i, action] = arena.nodes[child].visits
                values[i, action] = arena.total[child] / arena.nodes[child].visits
                child = arena.nodes[child].sibling


@kernel
def rollout_states(
    states, seeds, playouts, actions, scratch_actions, scratch, result, total, choices
):
    """Choose an action in each state by playing every one out at random; all of them meet the same luck.

    Parameters
    ----------
    states : STATE array (n,)
        Unfinished, as the players to move may know them.
    seeds : uint64 array (n,)
    playouts : int
        Random games for each legal action.
    actions, scratch_actions : int32 array (n_actions,), scratch
    scratch : STATE array (1,), scratch
    result : float32 array (max_players,), scratch
    total : float64 array (n_actions,), scratch
    choices : int64 array (n,), out
        The best mean result, the lower number first.
    """
    for i in range(len(states)):
        n = rules.legal(states[i], actions)
        player = np.int64(states[i].to_play)
        best = -np.inf
        for j in range(n):
            total[j] = 0.0
            for playout in range(playouts):
                scratch[0] = states[i]
                deal = bits(seeds[i], Driver.RESAMPLE.value, playout)
                rules.resample(scratch[0], player, deal)
                rules.step(scratch[0], np.int64(actions[j]))
                play_out(scratch[0], bits(seeds[i], Driver.SEARCH.value, playout), scratch_actions)
                rules.outcome(scratch[0], result)
                total[j] += result[player]
            if total[j] > best:
                best = total[j]
                choices[i] = actions[j]


# --- Python face ---------------------------------------------------------------------------------------------------


def make_arena(game, simulations):
    """Allocate what a search writes to.

    Parameters
    ----------
    game : Rules
    simulations : int

    Returns
    -------
    Arena
    """
    n_nodes = simulations + 1
    log = np.zeros(n_nodes)
    log[1:] = np.log(np.arange(1, n_nodes))
    return Arena(
        nodes=np.zeros(n_nodes, NODE),
        total=np.zeros((n_nodes, game.max_players)),
        path=np.zeros(n_nodes, np.int64),
        node_of_move=np.full(game.max_players * game.n_actions, NO_NODE, np.int32),
        actions=np.zeros(game.n_actions, np.int32),
        untried=np.zeros(game.n_actions, np.int32),
        tried=np.zeros(game.n_actions, np.int32),
        state=np.zeros(1, game.STATE),
        result=np.zeros(game.max_players, np.float32),
        log=log,
    )


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
        Their mean result for each seat, in [-1, 1]; 0 without a simulation.
    """

    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray


def checked_positions(states, seeds):
    """Return what can be searched as contiguous arrays.

    Parameters
    ----------
    states : STATE array (n,)
    seeds : uint64 array (n,)

    Returns
    -------
    states : STATE array (n,)
    seeds : uint64 array (n,)

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


def ismcts_actions(states, seeds, out, simulations=1000, exploration=1.0):
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

    Raises
    ------
    ValueError
        If there is not one seed for each state, or a game is finished.
    """
    states, seeds = checked_positions(states, seeds)
    game = rules.of(states)
    simulations = checked_count("simulations", simulations)
    nothing = np.zeros((0, game.n_actions), np.int32)
    search_states(
        states, seeds, simulations, float(exploration), make_arena(game, simulations), out,
        nothing, np.zeros((0, game.n_actions, game.max_players)),
    )  # fmt: skip


def ismcts_search(states, seeds, simulations=1000, exploration=1.0):
    """Search like `ismcts_actions` and tell how often each action was tried and how it went.

    Parameters
    ----------
    states : STATE array (n,)
    seeds : uint64 array (n,)
    simulations : int
    exploration : float

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
    simulations = checked_count("simulations", simulations)
    n = len(states)
    found = Searched(
        np.zeros(n, np.int64),
        np.zeros((n, game.n_actions), np.int32),
        np.zeros((n, game.n_actions, game.max_players)),
    )
    search_states(
        states, seeds, simulations, float(exploration), make_arena(game, simulations),
        found.actions, found.visits, found.values,
    )  # fmt: skip
    return found


def rollout_actions(states, seeds, out, playouts=20):
    """Choose in each state the action with the best mean result of random games.

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
        states, seeds, checked_count("playouts", playouts), np.zeros(game.n_actions, np.int32),
        np.zeros(game.n_actions, np.int32), np.zeros(1, game.STATE),
        np.zeros(game.max_players, np.float32), np.zeros(game.n_actions), out,
    )  # fmt: skip
