"""The tree that searches grow: nodes, deals of the unknown, and what a seat sees of an outcome."""

from typing import Any, NamedTuple

import numpy as np

from . import rules
from .jit import kernel
from .records import copy
from .rng import Driver, bits, mix

ROOT = 0
NO_NODE = -1


def node_dtype(max_players):
    """Return the record of one node of the tree.

    Parameters
    ----------
    max_players : int

    Returns
    -------
    numpy.dtype
        `move` is mover * n_actions + action (chance may decide who moves, and then one action leads
        to two nodes), or, for an outcome of the parent's action, a number below 0 that stands for
        what is seen of it; the children of a node are linked by `sibling` in ascending order of
        `move`, from `child` on; `choice` is the child chosen last; `available` counts the
        simulations in which the action could be chosen (unused for outcomes), `visits` those in
        which the node was reached, `total` adds up their results for each seat. `prior` is the
        number of what a network said of the node, NO_NODE before that and without one.
    """
    links = ["parent", "child", "sibling", "choice", "move", "visits", "available", "prior"]
    return rules.record([("total", "f8", (max_players,)), *((name, "i4") for name in links)])


class Eye(NamedTuple):
    """Where a search looks at a game as its seat sees it.

    Attributes
    ----------
    obs : float32 array (1, obs_size)
    records : OBS array (1,)
        The same memory.
    bits : uint32 array (1, obs_size)
        The same memory.
    """

    obs: Any
    records: Any
    bits: Any

    @classmethod
    def of(cls, game):
        """Make the arrays for a game.

        Parameters
        ----------
        game : Rules

        Returns
        -------
        Eye
        """
        obs = np.zeros((1, game.obs_size), np.float32)
        return cls(obs, obs.view(game.OBS)[:, 0], obs.view(np.uint32))


# --- kernels --------------------------------------------------------------------------------------


@kernel
def _deal(states, root, seed, simulation):
    """Copy the root into states[0], with the unknown dealt anew.

    Parameters
    ----------
    states : STATE array, out
    root : STATE record
    seed : uint64
    simulation : int
    """
    copy(states[0], root)
    rules.resample(states[0], np.int64(root.to_play), bits(seed, Driver.RESAMPLE.value, simulation))


@kernel
def _plant(nodes):
    """Begin a tree: a root without visits and children.

    Parameters
    ----------
    nodes : NODE array, out
    """
    root = nodes[ROOT]
    for player in range(len(root.total)):
        root.total[player] = 0.0
    root.parent = NO_NODE
    root.child = NO_NODE
    root.prior = NO_NODE
    root.visits = 0


@kernel(apart=True)
def _add_child(nodes, parent, new, move):
    """Hang a node without visits below its parent and make it the parent's choice.

    Parameters
    ----------
    nodes : NODE array, in and out
    parent, new : int
    move : int
        Not that of another child.
    """
    node = nodes[new]
    for player in range(len(node.total)):
        node.total[player] = 0.0
    node.parent = parent
    node.child = NO_NODE
    node.prior = NO_NODE
    node.move = move
    node.visits = 0
    node.available = 1
    nodes[parent].choice = new
    before = np.int64(NO_NODE)
    after = np.int64(nodes[parent].child)
    while after != NO_NODE and nodes[after].move < move:
        before = after
        after = np.int64(nodes[after].sibling)
    node.sibling = after
    if before == NO_NODE:
        nodes[parent].child = new
    else:
        nodes[before].sibling = new


@kernel(wraps=True, apart=True)
def _sight(state, player, eye):
    """Return a number in [-2^31, -1] that stands for all that a seat sees.

    Parameters
    ----------
    state : STATE record
    player : int
    eye : Eye, scratch
    """
    eye.obs[0, :] = 0.0
    rules.observe(state, player, eye.records[0])
    seen = np.uint64(0)
    for i in range(eye.bits.shape[1]):
        entry = np.uint64(eye.bits[0, i])
        if entry != 0:
            seen = mix(seen ^ (np.uint64(i) << np.uint64(32) | entry))
    return -1 - np.int64(seen >> np.uint64(33))


@kernel(apart=True)
def _find_outcome(nodes, node, n_nodes, seen):
    """Return the node for an outcome of an action, a new one for what was not seen before.

    Parameters
    ----------
    nodes : NODE array, in and out
    node, n_nodes : int
        The action's node; nodes in use.
    seen : int
        From `_sight`.

    Returns
    -------
    int64
        `n_nodes` if it is new.
    """
    child = np.int64(nodes[node].child)
    while child != NO_NODE and nodes[child].move < seen:
        child = np.int64(nodes[child].sibling)
    if child == NO_NODE or nodes[child].move != seen:
        _add_child(nodes, node, n_nodes, seen)
        return np.int64(n_nodes)
    return child


@kernel
def _back_up(nodes, node, result, num_players):
    """Count a simulation and its result in a node and in all above it.

    Parameters
    ----------
    nodes : NODE array, in and out
    node : int
        Where the simulation left the tree.
    result : float32 array (at least num_players,)
        Of each seat.
    num_players : int
    """
    while node != NO_NODE:
        nodes[node].visits += 1
        for player in range(num_players):
            nodes[node].total[player] += result[player]
        node = np.int64(nodes[node].parent)
