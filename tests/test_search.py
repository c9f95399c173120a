"""Search finds what arithmetic says, knows only what its seat knows, and counts right."""

import functools
import itertools

import numpy as np
import pytest

from bonebed.envs import table
from bonebed.kernels import search
from conftest import NO_JIT
from toy import CAMP, GUESS, N_HEAPS, N_KINDS, NIM, ROLL, SHOW

pytestmark = pytest.mark.rules

FOSSIL = table.rules("fossil")
SIMULATIONS = 100 if NO_JIT else 1000


def seeds(n, first=0):
    """Return n seeds for decisions."""
    return np.arange(first, first + n, dtype=np.uint64)


def stack(game, states):
    """Return states as one array."""
    array = np.zeros(len(states), game.STATE)
    for i, state in enumerate(states):
        array[i] = state
    return array


def searched(game, state, seed=0, **parameters):
    """Search one position; return the choice, the visits and the values of each action."""
    parameters = {"simulations": SIMULATIONS, **parameters}
    found = search.ismcts_search(stack(game, [state]), seeds(1, seed), **parameters)
    return int(found.actions[0]), found.visits[0], found.values[0]


def chosen(game, state, seed=0, **parameters):
    """Return the choice of a tree search in one position."""
    out = np.full(1, -1)
    parameters = {"simulations": SIMULATIONS, **parameters}
    search.ismcts_actions(stack(game, [state]), seeds(1, seed), out, **parameters)
    return int(out[0])


def rolled_out(game, state, playouts, seed=0):
    """Return the choice of flat Monte Carlo in one position."""
    out = np.full(1, -1)
    search.rollout_actions(stack(game, [state]), seeds(1, seed), out, playouts)
    return int(out[0])


def positions(game, n, every=5, **options):
    """Return positions from random games, every few decisions, from the first to the last."""
    found = []
    for seed in range(n):
        luck = np.random.default_rng(seed)
        state = game.new(seed, **options)
        while not state.done:
            if state.ply % every == 0:
                found.append(state.copy())
            game.step(state, int(luck.choice(game.legal_actions(state))))
    return found


# --- nim: perfect information ---------------------------------------------------------------------


def heaps(*sizes, num_players=2):
    """Return a game of Nim with these heaps, seat 0 to move."""
    state = NIM.new(num_players=num_players)
    state.heap[:] = sizes
    return state


def take(heap, stones):
    """Return the number of a take."""
    return NIM.actions.encode("take", heap=heap, stones=stones - 1)


@functools.cache
def perfect_play(sizes, latest, mover):
    """Return all results that perfect play may end with: each seat maximises its own (max-n).

    Parameters
    ----------
    sizes : tuple of int
        Stones in each heap.
    latest : tuple of int
        Number of each seat's latest move, 0 before its first; whose is larger is before the other.
    mover : int

    Returns
    -------
    set of tuple of float
        Several where a seat has equally good moves that differ for the others.
    """
    n = len(latest)
    if sum(sizes) == 0:
        above = [sum(other > own for other in latest) for own in latest]
        level = [sum(other == own for other in latest) - 1 for own in latest]
        return {tuple(1 - (2 * a + e) / (n - 1) for a, e in zip(above, level, strict=True))}
    found = results_of_moves(sizes, latest, mover)
    worst = {move: min(result[mover] for result in results) for move, results in found.items()}
    return {
        result
        for move, results in found.items()
        for result in results
        if all(result[mover] >= least for other, least in worst.items() if other != move)
    }


def results_of_moves(sizes, latest, mover):
    """Return what perfect play may end with after each take (heap, stones)."""
    found = {}
    for heap, size in enumerate(sizes):
        for stones in range(1, size + 1):
            left = tuple(s - stones * (h == heap) for h, s in enumerate(sizes))
            moved = tuple(max(latest) + 1 if p == mover else m for p, m in enumerate(latest))
            found[heap, stones] = perfect_play(left, moved, (mover + 1) % len(latest))
    return found


def clear_moves(num_players, most):
    """Yield (heaps, best move, result) where one move is best whatever follows."""
    for sizes in itertools.combinations_with_replacement(range(most + 1), N_HEAPS):
        found = results_of_moves(sizes, (0,) * num_players, 0)
        for move, results in found.items():
            others = [r[0] for other in found if other != move for r in found[other]]
            if others and len(results) == 1 and min(results)[0] > max(others):
                yield sizes, move, min(results)


def test_the_solver_of_these_tests_knows_plain_nim():
    for sizes, move, result in clear_moves(num_players=2, most=3):
        assert result == (1, -1)
        left = [s - move[1] * (h == move[0]) for h, s in enumerate(sizes)]
        assert left[0] ^ left[1] ^ left[2] == 0


@pytest.mark.parametrize("depth", [1, 10])
@pytest.mark.parametrize("num_players", [2])
def test_every_seat_maximises_its_own_result(num_players, depth):
    cases = list(clear_moves(num_players, most=3))
    assert len(cases) >= 5
    for sizes, move, result in cases:
        state = heaps(*sizes, num_players=num_players)
        choice, _, values = searched(NIM, state, simulations=300, depth=depth)
        assert choice == take(*move), (sizes, move)
        np.testing.assert_allclose(values[choice, :num_players], result, atol=0.4)


# --- camp: chance and hidden finds ----------------------------------------------------------------


def camp(finds, prize, points=(), seed=0):
    """Return a game of Camp in which the seats before the one to move have these points."""
    state = CAMP.new(seed, num_players=len(finds), prize=prize)
    state.find[: len(finds)] = finds
    state.score[: len(points)] = points
    state.to_play = state.ply = len(points)
    return state


# The last of two seats, by arithmetic. Rolls 1 to 6 are equally likely, the other seat's find is of
# kind 0 with chance 3/5, of 1 or 2 with 1/5 each. A win counts 1, a draw 0, a loss -1.
LAST_SEAT = [
    # other's points, prize, own find; value of: show, roll, guess 0, guess 1 or 2
    (4, 5, 0, -1.0, (2 - 3) / 6, (3 - 2) / 5, (1 - 4) / 5),
    (5, 4, 1, -1.0, (1 - 4) / 6, -1.0, -1.0),
    (2, 9, 2, 1.0, (4 - 1) / 6, (3 - 2) / 5, (1 - 4) / 5),
    (3, 3, 2, 0.0, (3 - 2) / 6, -2 / 5, -4 / 5),
]


@pytest.mark.parametrize("case", LAST_SEAT)
def test_values_are_expectations_over_chance_and_the_unknown(case):
    points, prize, find, show, roll, common, rare = case
    state = camp([0, find], prize, [points])
    expected = {SHOW + find: show, ROLL: roll, GUESS: common, GUESS + 1: rare, GUESS + 2: rare}
    choice, visits, values = searched(CAMP, state, exploration=2.0)
    assert choice == max(expected, key=expected.get)
    for action, value in expected.items():
        spread = 5 * np.sqrt((1 - value**2) / visits[action])  # results lie within [-1, 1]
        assert values[action, 1] == pytest.approx(value, abs=spread), (action, visits[action])
    np.testing.assert_array_equal(values[:, 0], -values[:, 1])
    assert rolled_out(CAMP, state, SIMULATIONS) == choice


# --- honesty --------------------------------------------------------------------------------------


def test_the_truth_makes_no_difference():
    found = []
    for finds in itertools.product(range(N_KINDS), repeat=2):
        for seed in range(3):
            state = camp([1, *finds], 5, seed=seed)
            _, visits, values = searched(CAMP, state)
            found.append((visits.tobytes(), values.tobytes(), rolled_out(CAMP, state, 20)))
    assert len(set(found)) == 1


def test_luck_to_come_makes_no_difference():
    state = FOSSIL.new(3)
    FOSSIL.step(state, 40)
    _, visits, _ = searched(FOSSIL, state, simulations=60)
    state.seed = np.uint64(99)
    np.testing.assert_array_equal(searched(FOSSIL, state, simulations=60)[1], visits)


# --- the tree -------------------------------------------------------------------------------------


def tree_of(game, state, simulations=SIMULATIONS, exploration=0.5, depth=10):
    """Search one position and return the nodes in use."""
    nodes = np.zeros(simulations + 1, search.node_dtype(game.max_players))
    search.ismcts_states(
        stack(game, [state]), seeds(1), simulations, exploration, depth, game.max_decisions,
        nodes, np.zeros(3, game.STATE), np.zeros(game.n_actions, np.int32),
        np.zeros(game.max_players, np.float32), np.zeros(1, np.int64),
        np.zeros((1, game.n_actions), np.int32),
        np.zeros((1, game.n_actions, game.max_players)),
    )  # fmt: skip
    return nodes[: 1 + np.flatnonzero(nodes["visits"]).max()]


TREES = [
    (NIM, NIM.new(1, num_players=3)),
    (CAMP, camp([0, 1, 2], 5)),
    (FOSSIL, FOSSIL.new(2, num_players=4)),
]


@pytest.mark.parametrize(("game", "state"), TREES)
def test_every_simulation_is_counted_once_along_its_way(game, state):
    nodes = tree_of(game, state, 200)
    assert nodes[0]["visits"] == 200
    of_children = np.zeros(len(nodes), int)
    np.add.at(of_children, nodes["parent"][1:], nodes["visits"][1:])
    ends = nodes["visits"] - of_children  # simulations that left the tree at the node
    assert ends[0] == 0
    assert ends.min() >= 0
    inner = (of_children > 0) & (nodes["parent"] >= 0)
    np.testing.assert_array_equal(ends[inner], 1)  # the one that made it


@pytest.mark.parametrize(("game", "state"), TREES)
def test_children_are_linked_in_order(game, state):
    nodes = tree_of(game, state, 200)
    linked = set()
    for parent, node in enumerate(nodes):
        moves = []
        child = int(node["child"])
        while child != search.NO_NODE:
            assert nodes[child]["parent"] == parent
            assert child not in linked
            linked.add(child)
            moves.append(int(nodes[child]["move"]))
            child = int(nodes[child]["sibling"])
        assert moves == sorted(set(moves))
    assert linked == set(range(1, len(nodes)))


def test_an_action_that_is_rarely_legal_is_measured_by_how_often_it_could_be_chosen():
    nodes = tree_of(CAMP, camp([2, 0], 0))
    assert (nodes["available"][1:] >= nodes["visits"][1:]).all()
    after_roll = next(
        i for i, node in enumerate(nodes) if node["parent"] == 0 and node["move"] == ROLL
    )
    replies = {
        int(node["move"]) - CAMP.n_actions: node  # the mover is seat 1
        for node in nodes
        if node["parent"] == after_roll
    }
    shown = [replies[SHOW + kind] for kind in range(N_KINDS)]
    assert sum(int(node["available"]) for node in shown) <= nodes[after_roll]["visits"]
    share = [node["available"] / nodes[after_roll]["visits"] for node in shown]
    np.testing.assert_allclose(share, [0.6, 0.2, 0.2], atol=0.12)


# --- for every game -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [NIM, CAMP, FOSSIL], ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_search_one_by_one_or_together(game):
    states = stack(game, positions(game, 2, every=9))
    together = search.ismcts_search(states, seeds(len(states)), 50)
    again = search.ismcts_search(states, seeds(len(states)), 50)
    np.testing.assert_array_equal(together.visits, again.visits)
    np.testing.assert_array_equal(together.values, again.values)
    for i, state in enumerate(states):
        choice, visits, _ = searched(game, state, seed=i, simulations=50)
        assert choice == together.actions[i] == chosen(game, state, seed=i, simulations=50)
        np.testing.assert_array_equal(visits, together.visits[i])


def test_another_seed_gives_another_search():
    state = FOSSIL.new(1)
    assert (searched(FOSSIL, state, 0)[1] != searched(FOSSIL, state, 1)[1]).any()


@pytest.mark.parametrize("players", range(FOSSIL.min_players, FOSSIL.max_players + 1))
def test_only_legal_actions_are_tried_from_the_first_decision_to_the_last(players, n_games):
    states = []
    for tactical in (False, True):
        states += positions(FOSSIL, n_games(4), 1, num_players=players, tactical=tactical)
    states = stack(FOSSIL, states[:: 20 if NO_JIT else 1])
    found = search.ismcts_search(states, seeds(len(states)), 20, depth=3)
    rolled = np.zeros(len(states), np.int64)
    search.rollout_actions(states, seeds(len(states)), rolled, 1)
    for i, state in enumerate(states):
        legal = FOSSIL.legal_actions(state)
        assert set(np.flatnonzero(found.visits[i])) <= set(legal.tolist())
        assert found.actions[i] in legal
        assert rolled[i] in legal
    np.testing.assert_array_equal(found.visits.sum(1), 20)
    assert np.abs(found.values).max() <= 1
    assert (found.visits[np.arange(len(states)), found.actions] == found.visits.max(1)).all()


def test_of_equally_many_visits_the_better_result_is_chosen():
    # Two simulations try two actions once each.
    for state in positions(FOSSIL, 3, every=4):
        found = search.ismcts_search(stack(FOSSIL, [state]), seeds(1), 2)
        tried = np.flatnonzero(found.visits[0])
        assert found.visits[0, tried].tolist() == [1, 1]
        assert found.actions[0] == tried[np.argmax(found.values[0, tried, state.to_play])]


def test_a_sole_action_is_taken():
    state = heaps(0, 1, 0)
    assert chosen(NIM, state) == rolled_out(NIM, state, 3) == take(1, 1)
    _, visits, _ = searched(NIM, state, simulations=7)
    assert visits[take(1, 1)] == visits.sum() == 7


def test_a_position_one_move_from_the_end_is_searched():
    choice, visits, values = searched(NIM, heaps(0, 0, 2))
    assert choice == take(2, 2)
    assert values[choice, :2].tolist() == [1, -1]
    assert values[take(2, 1), :2].tolist() == [-1, 1]  # the last stone is taken by itself
    assert visits.sum() == SIMULATIONS


def test_the_true_game_is_left_alone():
    states = stack(FOSSIL, positions(FOSSIL, 1))
    before = states.copy()
    search.ismcts_search(states, seeds(len(states)), 20)
    search.rollout_actions(states, seeds(len(states)), np.zeros(len(states), np.int64), 1)
    assert states.tobytes() == before.tobytes()


def test_a_position_is_judged_by_value_only_where_the_game_goes_on():
    deep = searched(FOSSIL, FOSSIL.new(1), simulations=20, depth=FOSSIL.max_decisions)[2]
    sums = (
        deep
        * searched(FOSSIL, FOSSIL.new(1), simulations=20, depth=FOSSIL.max_decisions)[1][:, None]
    )
    np.testing.assert_allclose(sums, np.round(sums), atol=1e-6)  # wins, draws and losses
    shallow = searched(FOSSIL, FOSSIL.new(1), simulations=20, depth=1)[2]
    assert (np.abs(shallow - np.round(shallow)) > 1e-3).any()


def test_what_cannot_be_searched_is_refused():
    done = FOSSIL.new(1)
    while not done.done:
        FOSSIL.step(done, int(FOSSIL.legal_actions(done)[0]))
    states = stack(FOSSIL, [FOSSIL.new(1), done])
    out = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match=r"states\[1\] is finished: nothing to choose"):
        search.ismcts_actions(states, seeds(2), out)
    with pytest.raises(ValueError, match=r"states\[1\] is finished"):
        search.rollout_actions(states, seeds(2), out)
    with pytest.raises(ValueError, match=r"seeds: expected shape \(2,\), got \(3,\)"):
        search.ismcts_search(states, seeds(3))
    with pytest.raises(ValueError, match="simulations is 0; allowed: a whole number of 1 or more"):
        search.ismcts_actions(states[:1], seeds(1), out, simulations=0)
    with pytest.raises(ValueError, match="depth is 0"):
        search.ismcts_actions(states[:1], seeds(1), out, depth=0)
    with pytest.raises(ValueError, match="playouts is 0"):
        search.rollout_actions(states[:1], seeds(1), out, playouts=0)
    with pytest.raises(TypeError, match="not a state of a game"):
        search.ismcts_actions(np.zeros(1, [("done", "i1")]), seeds(1), out)
