"""Search finds what arithmetic says, knows only what its seat knows, and counts right."""

import numpy as np
import pytest

from bonebed.envs import table
from bonebed.kernels import search
from conftest import NO_JIT
from toy import CAMP, GUESS, NIM, ROLL, SHOW
from toy_answers import (
    AGAINST_A_ROLL,
    LAST_SEAT,
    after,
    by_action,
    camp,
    clear_moves,
    heaps,
    perfect_play,
    positions,
    results_of_moves,
    seeds,
    stack,
    take,
)

pytestmark = pytest.mark.rules

FOSSIL = table.rules("fossil")
SIMULATIONS = 150 if NO_JIT else 1000  # a simulation takes milliseconds in plain Python
# A search of Fossil takes seconds in plain Python; the search itself is the same for every game.
GAMES = [NIM, CAMP] if NO_JIT else [NIM, CAMP, FOSSIL]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


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


def tree_of(game, state, simulations=SIMULATIONS, exploration=0.5, depth=10):
    """Search one position and return the nodes in use."""
    nodes = np.zeros(simulations + 1, search.node_dtype(game.max_players))
    search.ismcts_states(
        stack(game, [state]), seeds(1), simulations, exploration, depth, game.max_decisions,
        not game.perfect_information, nodes, np.zeros(3, game.STATE),
        np.zeros(game.n_actions, np.int32), np.zeros(game.max_players, np.float32),
        search.Eye.of(game), np.zeros(1, np.int64),
        np.zeros((1, game.n_actions), np.int32),
        np.zeros((1, game.n_actions, game.max_players)),
    )  # fmt: skip
    return nodes[: 1 + np.flatnonzero(nodes["visits"]).max()]


def child_for(nodes, move):
    """Return the number of the root's child for a move."""
    return next(i for i, node in enumerate(nodes) if node["parent"] == 0 and node["move"] == move)


def outcomes_of(nodes, child):
    """Return the numbers of the nodes below an action, one for each of its outcomes."""
    return [i for i, node in enumerate(nodes) if node["parent"] == child and node["move"] < 0]


def replies_to(nodes, child):
    """Return what is counted of each move after an action, whatever its outcome was."""
    found = {}
    for node in nodes:
        if node["parent"] in (child, *outcomes_of(nodes, child)) and node["move"] >= 0:
            reply = found.setdefault(int(node["move"]), dict.fromkeys(nodes.dtype.names, 0))
            for name in ("visits", "available", "total"):
                reply[name] = reply[name] + node[name]
    return found


def rolled_out(game, state, playouts, seed=0):
    """Return the choice of flat Monte Carlo in one position."""
    out = np.full(1, -1)
    search.rollout_actions(stack(game, [state]), seeds(1, seed), out, playouts)
    return int(out[0])


# --- nim: perfect information ---------------------------------------------------------------------


def result_against_all(sizes, latest, mover):
    """Return what seat 0 can be sure of, whatever the others do."""
    if sum(sizes) == 0:
        ((result, *_),) = perfect_play(sizes, latest, mover)
        return result
    n = len(latest)
    found = [
        result_against_all(*after(sizes, latest, mover, heap, stones), (mover + 1) % n)
        for heap, size in enumerate(sizes)
        for stones in range(1, size + 1)
    ]
    return min(found) if mover else max(found)


def test_the_solver_of_these_tests_knows_plain_nim():
    cases = list(clear_moves(num_players=2, most=3))
    assert len(cases) >= 5
    for sizes, move, result in cases:
        assert result == (1, -1)
        left = [s - move[1] * (h == move[0]) for h, s in enumerate(sizes)]
        assert left[0] ^ left[1] ^ left[2] == 0


def test_the_solver_of_these_tests_knows_three_single_stones():
    # Seats 0, 1 and 2 take one each: the last is first, the first is last.
    assert perfect_play((1, 1, 1), (0, 0, 0), 0) == {(-1, 0, 1)}
    # Who takes all three at once leaves the others to share the last two places.
    assert results_of_moves((3, 0, 0), (0, 0, 0), 0)[0, 3] == {(1, -0.5, -0.5)}


@pytest.mark.parametrize("depth", [0, 10])
@pytest.mark.parametrize("num_players", [2, 3])
def test_every_seat_maximises_its_own_result(num_players, depth):
    simulations, most, tolerance = (200, 2, 0.6) if NO_JIT else (16_000, 3, 0.05)
    cases = list(clear_moves(num_players, most))
    assert len(cases) >= 2
    for sizes, move, result in cases:
        state = heaps(*sizes, num_players=num_players)
        # What is tried only to explore counts in a mean too: the less of it, the closer the value.
        parameters = {"simulations": simulations, "exploration": 0.5, "depth": depth}
        choice, _, values = searched(NIM, state, **parameters)
        assert choice == take(*move), (sizes, move)
        np.testing.assert_allclose(values[choice, :num_players], result, atol=tolerance)


def test_the_others_are_not_taken_for_allies():
    # Together they could make seat 0 the last, whatever it does; each for itself, they let it win.
    assert result_against_all((2, 2, 3), (0, 0, 0), 0) == -1
    assert results_of_moves((2, 2, 3), (0, 0, 0), 0)[2, 1] == {(1, -1, 0)}
    parameters = {"simulations": 450 if NO_JIT else 4000, "exploration": 0.5, "depth": 1}
    choice, _, values = searched(NIM, heaps(2, 2, 3, num_players=3), **parameters)
    assert choice == take(2, 1)
    np.testing.assert_allclose(values[choice], [1, -1, 0], atol=0.8 if NO_JIT else 0.2)


# --- camp: chance and hidden finds ----------------------------------------------------------------


@pytest.mark.parametrize("case", LAST_SEAT)
def test_values_are_expectations_over_chance_and_the_unknown(case):
    points, prize, find, *values = case
    state = camp([0, find], prize, [points])
    expected = by_action(find, *values)
    choice, visits, values = searched(CAMP, state, exploration=2.0)
    assert choice == max(expected, key=expected.get)
    for action, value in expected.items():
        spread = 5 * np.sqrt((1 - value**2) / visits[action])  # results lie within [-1, 1]
        assert values[action, 1] == pytest.approx(value, abs=spread), (action, visits[action])
    np.testing.assert_array_equal(values[:, 0], -values[:, 1])
    assert rolled_out(CAMP, state, SIMULATIONS) == choice


@pytest.mark.parametrize(
    ("find", "best"),
    [
        (0, GUESS + 2),  # kind 0, which two of the four finds left are of, pays too little
        (2, GUESS + 1),  # who holds kind 2 knows that guess to be wrong; kind 1 draws at least
    ],
)
def test_a_sure_loser_guesses_the_find_that_may_still_save_it(find, best):
    state = camp([0, find], 7, [8])
    assert chosen(CAMP, state, exploration=2.0) == best
    assert rolled_out(CAMP, state, SIMULATIONS) == best


@pytest.mark.parametrize(
    ("find", "best"),
    [
        (0, ROLL),  # worth (3 - 2) / 6; guess 0 is worth 0, as two of four finds are of kind 0
        (1, GUESS),  # worth 1/2, as three of four finds are of kind 0
        (2, GUESS),
    ],
)
def test_the_own_find_decides_between_positions_that_look_the_same_to_others(find, best):
    state = camp([0, find], 9, [3])
    assert rolled_out(CAMP, state, 400 if NO_JIT else 2000) == best
    simulations = 400 if NO_JIT else 10_000
    assert chosen(CAMP, state, exploration=2.0, simulations=simulations) == best


def test_the_reply_is_the_best_one_for_who_replies():
    worth = AGAINST_A_ROLL
    guesses = ((worth[4 + kind] + 3 * worth[4]) / 4 for kind in (1, 2))
    roll = sum(worth[4 + side] for side in range(1, 7)) / 6
    expected = by_action(0, worth[5], roll, worth[4], *guesses)
    state = camp([0, 1], 0, [4, 0], to_play=0)
    simulations, tolerance = (200, 0.2) if NO_JIT else (50_000, 0.04)
    nodes = tree_of(CAMP, state, simulations, exploration=2.0)
    actions = {i: int(node["move"]) for i, node in enumerate(nodes) if node["parent"] == 0}
    assert sorted(actions.values()) == sorted(expected)
    for i, action in actions.items():
        visits = nodes[i]["visits"]
        value = nodes[i]["total"][0] / visits
        # Seat 1 tries worse replies too, which can only flatter the action.
        assert value > expected[action] - 5 / np.sqrt(visits)
        replies = replies_to(nodes, i)
        if not NO_JIT:
            most = max(replies, key=lambda move: replies[move]["visits"])
            assert most == CAMP.n_actions + ROLL  # the mover is seat 1
    choice, _, values = searched(CAMP, state, simulations=simulations)
    assert choice == ROLL
    assert values[ROLL, 0] == pytest.approx(roll, abs=tolerance)


def test_in_the_tree_the_others_know_what_the_searching_seat_knows():
    # Its own find is the same in all of its deals, so the tree's seat 1 learns to guess it, for 11
    # points; the real one cannot. That is the price of a single tree: seat 0 knows nothing that it
    # should not, but takes the others for too clever.
    state = camp([2, 0], 9, to_play=0)
    nodes = tree_of(CAMP, state, exploration=2.0)
    replies = replies_to(nodes, child_for(nodes, SHOW + 2))
    guess = replies[CAMP.n_actions + GUESS + 2]
    assert guess["total"][1] == guess["visits"]
    assert guess["visits"] == max(node["visits"] for node in replies.values())


# --- honesty --------------------------------------------------------------------------------------


def test_the_truth_makes_no_difference():
    found = []
    for finds in [(0, 0), (0, 2), (2, 0)]:
        for seed in range(3):
            state = camp([1, *finds], 5, to_play=0, seed=seed)
            _, visits, values = searched(CAMP, state, simulations=60)
            found.append((visits.tobytes(), values.tobytes(), rolled_out(CAMP, state, 5)))
    assert len(set(found)) == 1


@each_game
def test_luck_to_come_makes_no_difference(game):
    state = game.new(3)
    game.step(state, int(game.legal_actions(state)[1]))
    _, visits, _ = searched(game, state, simulations=60)
    state.seed = np.uint64(99)
    np.testing.assert_array_equal(searched(game, state, simulations=60)[1], visits)


# --- the tree -------------------------------------------------------------------------------------


@each_game
def test_every_simulation_is_counted_once_along_its_way(game):
    nodes = tree_of(game, game.new(1, num_players=3), 150)
    assert nodes[0]["visits"] == 150
    of_children = np.zeros(len(nodes), int)
    np.add.at(of_children, nodes["parent"][1:], nodes["visits"][1:])
    ends = nodes["visits"] - of_children  # simulations that left the tree at the node
    assert ends[0] == 0
    assert ends.min() >= 0
    inner = (of_children > 0) & (nodes["parent"] >= 0)
    np.testing.assert_array_equal(ends[inner], 1)  # the one that made it


@each_game
def test_children_are_linked_in_order(game):
    nodes = tree_of(game, game.new(1, num_players=3), 150)
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
    nodes = tree_of(CAMP, camp([2, 0], 0, to_play=0), SIMULATIONS if NO_JIT else 10_000)
    actions = nodes[nodes["move"] >= 0][1:]
    assert (actions["available"] >= actions["visits"]).all()
    roll = child_for(nodes, ROLL)
    replies = replies_to(nodes, roll)
    mover = CAMP.n_actions  # seat 1
    assert mover + SHOW + 2 not in replies  # there is one find of kind 2
    n = int(nodes[roll]["visits"])
    # While 5 actions are tried one after the other, visits are not counted to all.
    unborn = 25 * len(outcomes_of(nodes, roll))
    for kind, chance in ((0, 3 / 4), (1, 1 / 4)):
        available = int(replies[mover + SHOW + kind]["available"])
        assert abs(available - chance * n) < 5 * np.sqrt(chance * (1 - chance) * n) + unborn


def test_what_follows_depends_on_what_is_seen_of_an_action():
    """A roll shows six numbers, so that there are six positions in which the other seat replies."""
    nodes = tree_of(CAMP, camp([2, 0], 0, to_play=0), 1000)
    seen = outcomes_of(nodes, child_for(nodes, ROLL))
    assert len(seen) == 6
    assert len(set(nodes["move"][seen].tolist())) == 6


@pytest.mark.parametrize("game", [NIM, FOSSIL], ids=lambda game: game.name)
def test_with_perfect_information_the_tree_does_not_branch_on_outcomes(game):
    assert (tree_of(game, game.new(1), 150)["move"] >= 0).all()


# --- for every game -------------------------------------------------------------------------------


@each_game
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


@each_game
def test_another_seed_gives_another_search(game):
    state = game.new(1)
    one, other = (searched(game, state, seed, simulations=50)[1] for seed in (0, 1))
    assert (one != other).any()


@pytest.mark.parametrize("players", [2] if NO_JIT else range(2, FOSSIL.max_players + 1))
def test_only_legal_actions_are_tried_from_the_first_decision_to_the_last(players, n_games):
    games = 1 if NO_JIT else n_games(4)
    states = []
    for tactical in (False, True):
        # The last positions of a game take the least time.
        states += positions(FOSSIL, games, 1, num_players=players, tactical=tactical)[
            -1 if NO_JIT else None :
        ]
    states = stack(FOSSIL, states)
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


@each_game
def test_of_equally_many_visits_the_better_result_is_chosen(game):
    # Two simulations try two actions once each.
    for state in positions(game, 3, every=4):
        found = search.ismcts_search(stack(game, [state]), seeds(1), 2)
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


@each_game
def test_the_true_game_is_left_alone(game):
    states = stack(game, positions(game, 1))
    before = states.copy()
    search.ismcts_search(states, seeds(len(states)), 20)
    search.rollout_actions(states, seeds(len(states)), np.zeros(len(states), np.int64), 1)
    assert states.tobytes() == before.tobytes()


def test_a_position_is_judged_by_value_only_where_the_game_goes_on():
    state = heaps(7, 7, 7)
    _, visits, deep = searched(NIM, state, simulations=20, depth=NIM.max_decisions)
    sums = deep * visits[:, None]
    np.testing.assert_allclose(sums, np.round(sums), atol=1e-6)  # wins and losses
    _, _, shallow = searched(NIM, state, simulations=20, depth=0)
    assert (np.abs(shallow - np.round(shallow)) > 1e-3).any()


def test_what_cannot_be_searched_is_refused():
    done = heaps(0, 0, 2)
    NIM.step(done, take(2, 2))
    states = stack(NIM, [NIM.new(1), done])
    out = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match=r"states\[1\] is finished: nothing to choose"):
        search.ismcts_actions(states, seeds(2), out)
    with pytest.raises(ValueError, match=r"states\[1\] is finished"):
        search.rollout_actions(states, seeds(2), out)
    with pytest.raises(ValueError, match=r"seeds: expected shape \(2,\), got \(3,\)"):
        search.ismcts_search(states, seeds(3))
    with pytest.raises(ValueError, match="simulations is 0; allowed: a whole number of 1 or more"):
        search.ismcts_actions(states[:1], seeds(1), out, simulations=0)
    with pytest.raises(ValueError, match="depth is -1; allowed: a whole number of 0 or more"):
        search.ismcts_actions(states[:1], seeds(1), out, depth=-1)
    with pytest.raises(ValueError, match="playouts is 0"):
        search.rollout_actions(states[:1], seeds(1), out, playouts=0)
    with pytest.raises(TypeError, match="not a state of a game"):
        search.ismcts_actions(np.zeros(1, [("done", "i1")]), seeds(1), out)
