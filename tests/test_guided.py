"""The search that a network guides follows the paper's formulas and finds what arithmetic says."""

import functools

import numpy as np
import pytest

from bonebed.envs import table
from bonebed.kernels.guided import GuidedSearch, visit_schedule
from conftest import NO_JIT
from toy import CAMP, GUESS, NIM, ROLL, SHOW
from toy_answers import (
    AGAINST_A_ROLL,
    LAST_SEAT,
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
from toy_toss import CLAIM, THROW, TOSS, WAIVE

pytestmark = pytest.mark.rules

FOSSIL = table.rules("fossil")
SIMULATIONS = 300 if NO_JIT else 1000  # a simulation takes milliseconds in plain Python
# A search of Fossil takes seconds in plain Python; the search itself is the same for every game.
GAMES = [NIM, CAMP] if NO_JIT else [NIM, CAMP, FOSSIL]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def unsure(obs, mask):
    """Answer that all actions and all seats are alike."""
    return np.zeros(mask.shape, np.float32), np.zeros((len(obs), 6), np.float32)


def answering(game, evaluate):
    """Cut the values of an answer to the seats of a game."""

    def answer(obs, mask):
        logits, values = evaluate(obs, mask)
        return logits, values[:, : game.max_players]

    return answer


def opinionated(game):
    """Answer each observation with numbers that are its own, the same alone and among others."""
    luck = np.random.default_rng(8)
    weights = luck.normal(size=(game.obs_size, game.n_actions + game.max_players))

    def answer(obs, mask):
        said = np.tanh([(row[:, None] * weights).sum(0) for row in obs.astype(np.float64)])
        said = said.reshape(len(obs), -1).astype(np.float32)
        return 2 * said[:, : game.n_actions], said[:, game.n_actions :]

    return answer


def searched(game, states, evaluate=unsure, simulations=SIMULATIONS, first=0, **parameters):
    """Search positions without noise, or as the parameters say."""
    search = GuidedSearch(game, simulations, **{"noise": False, **parameters})
    return search.run(stack(game, states), seeds(len(states), first), answering(game, evaluate))


def equal(a, b):
    """Tell whether two searches found the same to the last bit."""
    return all(
        getattr(a, name).tobytes() == getattr(b, name).tobytes()
        for name in ("actions", "policy", "values", "visits")
    )


# --- sequential halving ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("candidates", "simulations", "expected"),
    [
        # 4 rounds of 50: 3 for each of 16, 6 of 8, 12 of 4, 25 of 2; the 6 left over go to 2.
        (16, 200, [3] * 8 + [9] * 4 + [21] * 2 + [49] * 2),
        (16, 32, [1] * 8 + [2] * 4 + [4] * 4),  # 4 rounds of 8, but each tries every one once
        (4, 16, [2, 2, 6, 6]),
        (3, 12, [2, 5, 5]),
        (8, 8, [1] * 8),
        (16, 5, [1] * 5),  # no more candidates than simulations
        (2, 7, [3, 4]),
        (1, 7, [7]),
    ],
)
def test_visits_are_those_of_sequential_halving(candidates, simulations, expected):
    assert sum(expected) == simulations
    for evaluate in (unsure, opinionated(NIM)):
        found = searched(
            NIM, [heaps(7, 7, 7)], evaluate, simulations=simulations, candidates=candidates
        )
        visits = found.visits[0]
        assert sorted(visits[visits > 0].tolist()) == expected
        assert visits[found.actions[0]] == max(expected)
    if candidates <= simulations:
        counts = np.zeros(candidates, int)
        for wanted in visit_schedule(candidates, simulations):
            counts[np.argmax(counts == wanted)] += 1  # fails where none was tried so often
        assert sorted(counts.tolist()) == expected


def test_the_candidates_are_the_likeliest_actions():
    logits = np.random.default_rng(3).normal(size=NIM.n_actions).astype(np.float32)

    def evaluate(obs, mask):
        return np.tile(logits, (len(obs), 1)), np.zeros((len(obs), 3), np.float32)

    found = searched(NIM, [heaps(7, 7, 7)], evaluate, simulations=5, candidates=5)
    assert set(np.flatnonzero(found.visits[0])) == set(np.argsort(logits)[-5:])


def test_with_noise_the_candidates_are_drawn_by_the_policy_without_replacement():
    chances = np.array([0.5, 0.3, 0.2])

    def evaluate(obs, mask):
        logits = np.full(mask.shape, -50, np.float32)
        logits[:, [take(0, 1), take(1, 1), take(2, 1)]] = np.log(chances)
        return logits, np.zeros((len(obs), 3), np.float32)

    n = 200 if NO_JIT else 4000
    tried = searched(
        NIM, [heaps(2, 2, 3)] * n, evaluate, simulations=2, candidates=2, noise=True
    ).visits[:, [take(0, 1), take(1, 1), take(2, 1)]]
    assert (tried.sum(1) == 2).all()
    for left_out in range(3):
        # The two others come in one order or the other.
        a, b = np.delete(chances, left_out)
        expected = a * b / (1 - a) + b * a / (1 - b)
        share = (tried[:, left_out] == 0).mean()
        assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


# --- the formulas ---------------------------------------------------------------------------------


def test_one_ply_of_a_finished_game_by_hand():
    # Who takes both stones wins; who takes one leaves the last, which is taken by itself.
    found = searched(NIM, [heaps(0, 0, 2)], simulations=2, scale=0.01)
    p = 1 / (1 + np.exp(-2 * 51 * 0.01))  # sigma(q) = (50 + 1) * scale * q, q is 1 or -1
    assert found.policy[0, take(2, 2)] == pytest.approx(p)
    assert found.policy[0, take(2, 1)] == pytest.approx(1 - p)
    assert found.values[0] == pytest.approx([p - (1 - p), (1 - p) - p, 0])
    assert found.actions[0] == take(2, 2)


def test_what_was_not_tried_counts_as_the_mixed_value():
    # One simulation takes the likelier action, both stones, and wins.
    def evaluate(obs, mask):
        logits = np.zeros(mask.shape, np.float32)
        logits[:, take(2, 2)] = 1
        return logits, np.tile(np.array([0.2, -0.2, 9], np.float32), (len(obs), 1))

    found = searched(NIM, [heaps(0, 0, 2)], evaluate, simulations=1, scale=0.01)
    mixed = (0.2 + 1) / 2  # the network's value, and the mean of the only action tried
    odds = np.exp(1 + 51 * 0.01 * (1 - mixed))
    p = odds / (1 + odds)
    assert found.policy[0, take(2, 2)] == pytest.approx(p)
    assert found.values[0] == pytest.approx([p + (1 - p) * mixed, -p - (1 - p) * mixed, 0])


class Plain:
    """The search told once more, for games without chance and secrets: objects and recursion."""

    def __init__(self, game, evaluate, scale, heuristic=0.0, lead=1.0):
        self.game, self.evaluate, self.scale = game, evaluate, scale
        self.heuristic, self.lead = heuristic, lead

    def node(self, state):
        """Make a node without visits."""
        return {"state": state, "n": 0, "sum": np.zeros(self.game.max_players), "below": {}}

    def rate(self, node):
        """Ask the network about a node; return its values by seat."""
        state, game = node["state"], self.game
        obs = np.zeros(1, game.OBS)
        game.observe(state, int(state.to_play), obs[0])
        node["legal"] = game.legal_actions(state).tolist()
        mask = np.zeros((1, game.n_actions), np.int8)
        mask[0, node["legal"]] = 1
        logits, values = self.evaluate(obs.view(np.float32).reshape(1, -1), mask)
        node["logits"] = logits[0].astype(float)
        node["values"] = np.zeros(game.max_players)
        for k in range(int(state.num_players)):
            seat = (int(state.to_play) + k) % int(state.num_players)
            guess = np.tanh(game.value(state, seat) / self.lead)
            node["values"][seat] = (1 - self.heuristic) * values[0, k] + self.heuristic * guess
        return node["values"]

    def completed(self, node, seat):
        """Return what each legal action is worth to a seat."""
        prior = np.exp([node["logits"][a] for a in node["legal"]])
        prior = dict(zip(node["legal"], prior / prior.sum(), strict=True))
        means = {a: child["sum"][seat] / child["n"] for a, child in node["below"].items()}
        value = node["values"][seat]
        if means:
            visits = sum(child["n"] for child in node["below"].values())
            mean = sum(prior[a] * q for a, q in means.items()) / sum(prior[a] for a in means)
            value = (value + visits * mean) / (1 + visits)
        return {a: means.get(a, value) for a in node["legal"]}

    def scores(self, node):
        """Return the improved logits."""
        seat = int(node["state"].to_play)
        most = max((child["n"] for child in node["below"].values()), default=0)
        worth = self.completed(node, seat)
        return {a: node["logits"][a] + (50 + most) * self.scale * worth[a] for a in worth}

    def policy(self, node):
        """Return the improved policy."""
        scores = self.scores(node)
        shares = np.exp(np.array([*scores.values()]) - max(scores.values()))
        return dict(zip(scores, shares / shares.sum(), strict=True))

    def visits(self, node, action):
        """Return how often an action was tried."""
        return node["below"][action]["n"] if action in node["below"] else 0

    def simulate(self, node, action):
        """Try an action at a node and return the result."""
        if action not in node["below"]:
            state = node["state"].copy()
            self.game.step(state, action)
            node["below"][action] = self.node(state)
        child = node["below"][action]
        result = np.zeros(self.game.max_players, np.float32)
        if child["state"].done:
            self.game.outcome(child["state"], result)
        elif child["n"] == 0:
            result = self.rate(child)
        else:
            policy, total = self.policy(child), child["n"] - 1
            lack = {a: p - self.visits(child, a) / (1 + total) for a, p in policy.items()}
            result = self.simulate(child, max(lack, key=lack.get))
        child["n"] += 1
        child["sum"] = child["sum"] + result
        return result

    def run(self, state, simulations, candidates):
        """Search by rounds of sequential halving; return the root and the choice."""
        root = self.node(state.copy())
        self.rate(root)
        left = candidates = min(candidates, len(root["legal"]), simulations)
        rounds = max(1, int(np.ceil(np.log2(candidates))))
        turns, depth = [], 0
        while len(turns) < simulations:
            for _ in range(max(1, simulations // (rounds * left))):
                turns += [depth] * left
                depth += 1
            left = max(min(2, candidates), left // 2)
        for wanted in turns[:simulations]:
            self.simulate(root, self.best(root, wanted))
        most = max(child["n"] for child in root["below"].values())
        return root, self.best(root, most)

    def best(self, root, wanted):
        """Return the action with the best score of those tried so often."""
        scores = self.scores(root)
        tried = {a: score for a, score in scores.items() if self.visits(root, a) == wanted}
        return max(tried, key=tried.get)


def check_against_plain(game, state, simulations, candidates, heuristic):
    """Search a position twice and compare all that is found."""
    evaluate, scale = opinionated(game), 0.05
    num_players = int(state.num_players)
    search = GuidedSearch(game, simulations, candidates, scale, noise=False, heuristic=heuristic)
    found = search.run(stack(game, [state]), seeds(1), answering(game, evaluate))
    lead = float(search._forest.progress["lead"][0])  # measured by random games
    assert lead >= (heuristic > 0)
    plain = Plain(game, evaluate, scale, heuristic, max(lead, 1))
    root, choice = plain.run(state, simulations, candidates)
    visits = [plain.visits(root, a) for a in range(game.n_actions)]
    assert found.visits[0].tolist() == visits
    assert found.actions[0] == choice
    policy = plain.policy(root)
    expected = [policy.get(a, 0) for a in range(game.n_actions)]
    np.testing.assert_allclose(found.policy[0], expected, atol=1e-5)
    for k in range(num_players):
        worth = plain.completed(root, (int(state.to_play) + k) % num_players)
        value = sum(share * worth[a] for a, share in policy.items())
        assert found.values[0, k] == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize("heuristic", [0.0, 0.3])
@pytest.mark.parametrize(
    ("sizes", "simulations", "candidates"),
    [((7, 7, 7), 40, 16), ((2, 3, 3), 60, 4), ((1, 2, 2), 90, 9)],
)
def test_the_search_is_the_one_told_once_more_without_arrays(
    num_players, heuristic, sizes, simulations, candidates
):
    state = heaps(*sizes, num_players=num_players)
    check_against_plain(NIM, state, simulations, candidates, heuristic)


@pytest.mark.parametrize(("num_players", "heuristic"), [(2, 0.5), (4, 1.0)])
def test_the_heuristic_has_its_share(num_players, heuristic):
    state = FOSSIL.new(seed=3, num_players=num_players)
    for _ in range(6 * num_players):
        FOSSIL.step(state, int(FOSSIL.legal_actions(state)[0]))
    check_against_plain(FOSSIL, state, 40, 8, heuristic)


def test_what_a_network_says_of_illegal_actions_does_not_matter():
    def careless(obs, mask):
        logits, values = opinionated(NIM)(obs, mask)
        return np.where(mask, logits, np.nan), values

    state = heaps(2, 0, 3)
    assert equal(searched(NIM, [state], careless, 50), searched(NIM, [state], opinionated(NIM), 50))


# --- known games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3])
def test_it_finds_the_only_winning_move(num_players):
    most, simulations = (2, 400) if NO_JIT else (3, 8000)
    cases = list(clear_moves(num_players, most))
    assert len(cases) >= 2
    for sizes, move, result in cases:
        state = heaps(*sizes, num_players=num_players)
        found = searched(NIM, [state], simulations=simulations)
        assert found.actions[0] == take(*move), sizes
        np.testing.assert_allclose(found.values[0, :num_players], result, atol=0.25)


def test_it_overcomes_a_wrong_prior():
    cases = list(clear_moves(num_players=2, most=2 if NO_JIT else 3))
    for sizes, move, _ in cases:
        legal = NIM.legal_actions(heaps(*sizes)).tolist()
        wrong = next(a for a in legal if a != take(*move))

        def evaluate(obs, mask, wrong=wrong):
            logits = np.zeros(mask.shape, np.float32)
            logits[:, wrong] = 3
            return logits, np.zeros((len(obs), 3), np.float32)

        assert searched(NIM, [heaps(*sizes)], evaluate, simulations=1, candidates=1).actions == [
            wrong
        ]
        assert searched(NIM, [heaps(*sizes)], evaluate).actions == [take(*move)], sizes


def knows_nim(obs, mask):
    """Answer with the values of plain Nim: who leaves heaps whose sizes cancel out wins."""
    sizes = np.rint(obs.view(NIM.OBS)["heap"].reshape(len(obs), 3) * 7).astype(int)
    wins = np.where(np.bitwise_xor.reduce(sizes, axis=1) != 0, 1, -1)
    values = np.stack([wins, -wins, 0 * wins], axis=1).astype(np.float32)
    return np.zeros(mask.shape, np.float32), values


@pytest.mark.parametrize("sizes", [(1, 2, 4), (5, 6, 7), (0, 3, 5), (7, 7, 2)])
def test_with_true_values_one_look_at_each_action_is_enough(sizes):
    state = heaps(*sizes)
    n = len(NIM.legal_actions(state))
    found = searched(NIM, [state], knows_nim, simulations=n, candidates=n)
    assert sorted(found.visits[0])[-n:] == [1] * n
    left = np.array(sizes)
    heap, stones = divmod(int(found.actions[0]), 7)
    left[heap] -= stones + 1
    assert np.bitwise_xor.reduce(left) == 0
    np.testing.assert_allclose(found.values[0], [1, -1, 0], atol=1e-4)


def test_the_others_are_not_taken_for_allies():
    # Together they could make seat 0 the last, whatever it does; each for itself, they let it win.
    assert results_of_moves((2, 2, 3), (0, 0, 0), 0)[2, 1] == {(1, -1, 0)}
    simulations = 2000 if NO_JIT else 4000
    found = searched(NIM, [heaps(2, 2, 3, num_players=3)], simulations=simulations)
    assert found.actions[0] == take(2, 1)
    # A new node counts as 0 in the means above it, as the network says, and so do worse replies.
    np.testing.assert_allclose(found.values[0], [1, -1, 0], atol=0.6 if NO_JIT else 0.5)


def test_values_are_told_from_the_seat_to_move_on():
    state = heaps(1, 1, 1, num_players=3)
    assert perfect_play((1, 1, 1), (0, 0, 0), 0) == {(-1, 0, 1)}
    state.to_play = 2
    found = searched(NIM, [state], simulations=60)
    np.testing.assert_allclose(found.values[0], [-1, 0, 1], atol=0.15)


@pytest.mark.parametrize("case", LAST_SEAT)
def test_it_weighs_chance_and_the_unknown(case):
    points, prize, find, *values = case
    expected = by_action(find, *values)
    best = max(expected, key=expected.get)
    simulations = 400 if NO_JIT else 4000
    found = searched(CAMP, [camp([0, find], prize, [points])], simulations=simulations)
    assert found.actions[0] == best
    spread = 5 * np.sqrt((1 - expected[best] ** 2) / found.visits[0, best])
    assert found.values[0, 0] == pytest.approx(expected[best], abs=spread + 0.02)
    assert found.values[0, 1] == pytest.approx(-found.values[0, 0], abs=1e-6)


def test_the_reply_is_the_best_one_for_who_replies():
    roll = sum(AGAINST_A_ROLL[4 + side] for side in range(1, 7)) / 6
    state = camp([0, 1], 0, [4, 0], to_play=0)
    found = searched(CAMP, [state], simulations=300 if NO_JIT else 10_000)
    assert found.actions[0] == ROLL
    assert found.values[0, 0] == pytest.approx(roll, abs=0.15 if NO_JIT else 0.05)


# --- the tree -------------------------------------------------------------------------------------


def tree_of(game, state, simulations, evaluate=unsure):
    """Search one position; return the nodes in use and the number of questions about it."""
    asked = []

    def counting(obs, mask):
        asked.append(len(obs))
        return answering(game, evaluate)(obs, mask)

    search = GuidedSearch(game, simulations, noise=False)
    search.run(stack(game, [state]), seeds(1), counting)
    forest = search._forest
    return forest.nodes[0][: forest.progress["nodes"][0]], forest.movers[0], sum(asked)


@each_game
def test_every_simulation_is_counted_once_along_its_way(game):
    nodes, _, asked = tree_of(game, game.new(1, num_players=3), 150)
    assert nodes[0]["visits"] == 150
    of_children = np.zeros(len(nodes), int)
    np.add.at(of_children, nodes["parent"][1:], nodes["visits"][1:])
    ends = nodes["visits"] - of_children  # simulations that left the tree at the node
    assert ends[0] == 0
    assert (ends >= 0).all()
    rated = nodes["prior"][1:] >= 0
    assert rated.sum() == asked - 1
    assert sorted(nodes["prior"][nodes["prior"] >= 0]) == list(range(asked))
    assert (ends[1:][rated] >= 1).all()  # the one that met it first


def test_what_follows_depends_on_what_is_seen_of_an_action():
    """A roll shows six numbers, so that there are six positions in which the other seat replies."""
    nodes, _, _ = tree_of(CAMP, camp([2, 0], 0, to_play=0), 1000)
    roll = next(i for i, n in enumerate(nodes) if n["parent"] == 0 and n["move"] == ROLL)
    assert (nodes["move"][nodes["parent"] == roll] < 0).all()
    assert (nodes["parent"] == roll).sum() == 6


@pytest.mark.parametrize("game", [NIM, FOSSIL], ids=lambda game: game.name)
def test_with_perfect_information_the_tree_does_not_branch_on_outcomes(game):
    assert (tree_of(game, game.new(1), 150)[0]["move"] >= 0).all()


@pytest.mark.parametrize("num_players", [2, 3])
def test_each_seat_that_chance_lets_move_has_a_node_of_its_own(num_players):
    n = 200
    nodes, movers, asked = tree_of(TOSS, TOSS.new(num_players=num_players), n)
    assert asked == 1 + num_players  # the root, and who goes on
    throw = int(nodes[0]["child"])
    assert (nodes[throw]["move"], nodes[throw]["visits"]) == (THROW, n)
    assert sorted(movers[1:asked]) == list(range(num_players))
    for node in np.flatnonzero(nodes["prior"] > 0):
        below = {int(c["move"]): c for c in nodes if c["parent"] == node and c["move"] >= 0}
        claimed, waived = (int(below[a]["visits"]) for a in (CLAIM, WAIVE))
        assert claimed > 5 * waived
        seat = movers[nodes[node]["prior"]]
        assert below[CLAIM]["total"][seat] == claimed
    found = searched(TOSS, [TOSS.new(num_players=2)], simulations=n)
    assert abs(found.values[0, 0]) < 5 / np.sqrt(n)


# --- honesty --------------------------------------------------------------------------------------


def test_the_truth_makes_no_difference():
    states = [
        camp([1, *finds], 5, to_play=0, seed=seed)
        for finds in [(0, 0), (0, 2), (2, 0)]
        for seed in range(3)
    ]
    found = [searched(CAMP, [state], opinionated(CAMP), 60) for state in states]
    assert all(equal(other, found[0]) for other in found)


@each_game
def test_luck_to_come_makes_no_difference(game):
    state = game.new(3)
    game.step(state, int(game.legal_actions(state)[1]))
    found = searched(game, [state], opinionated(game), 60)
    state.seed = np.uint64(99)
    assert equal(searched(game, [state], opinionated(game), 60), found)


@each_game
def test_the_true_game_is_left_alone(game):
    states = stack(game, positions(game, 1))
    before = states.copy()
    GuidedSearch(game, 20).run(states, seeds(len(states)), answering(game, unsure))
    assert states.tobytes() == before.tobytes()


# --- many games -----------------------------------------------------------------------------------


@each_game
def test_the_same_seed_gives_the_same_search_one_by_one_or_together(game):
    states = stack(game, positions(game, 2, every=9))
    search = GuidedSearch(game, 20)
    together = search.run(states, seeds(len(states)), opinionated(game))
    assert equal(search.run(states, seeds(len(states)), opinionated(game)), together)
    for i in range(len(states)):
        alone = search.run(states[i : i + 1], seeds(1, i), opinionated(game))
        for name in ("actions", "policy", "values", "visits"):
            np.testing.assert_array_equal(getattr(alone, name)[0], getattr(together, name)[i])


@each_game
def test_another_seed_gives_another_search(game):
    one, other = (
        searched(game, [game.new(1)], opinionated(game), 20, first, noise=True, candidates=3)
        for first in (0, 1)
    )
    assert not equal(one, other)


@pytest.mark.parametrize("players", [2] if NO_JIT else range(2, FOSSIL.max_players + 1))
def test_only_legal_actions_are_tried_from_the_first_decision_to_the_last(players, n_games):
    games = 1 if NO_JIT else n_games(4)
    states = positions(FOSSIL, games, 1, num_players=players)
    states = stack(FOSSIL, states[-2:] if NO_JIT else states)
    found = GuidedSearch(FOSSIL, 20).run(states, seeds(len(states)), opinionated(FOSSIL))
    for i, state in enumerate(states):
        legal = FOSSIL.legal_actions(state)
        assert set(np.flatnonzero(found.visits[i])) <= set(legal.tolist())
        assert set(np.flatnonzero(found.policy[i])) <= set(legal.tolist())
        assert found.actions[i] in legal
    np.testing.assert_array_equal(found.visits.sum(1), 20)
    np.testing.assert_allclose(found.policy.sum(1), 1, atol=1e-5)
    assert np.abs(found.values).max() <= 1
    assert (found.values[:, players:] == 0).all()
    assert (found.visits[np.arange(len(states)), found.actions] == found.visits.max(1)).all()


def test_the_network_is_asked_about_open_positions_only():
    rows = []

    def counting(obs, mask):
        rows.append(len(obs))
        assert (mask.sum(1) > 0).all()
        return answering(NIM, unsure)(obs, mask)

    # The first game ends with its first action; in the second one action is legal.
    states = stack(NIM, [heaps(0, 0, 2), heaps(0, 1, 0), heaps(7, 7, 7)])
    search = GuidedSearch(NIM, 10)
    search.run(states, seeds(3), counting)
    assert rows == [3] + [1] * 10
    rows.clear()
    found = search.run(states, seeds(3), counting, forced=False)
    assert rows == [2] + [1] * 10
    assert found.actions[1] == take(1, 1)
    assert found.policy[1].tolist() == np.eye(NIM.n_actions)[take(1, 1)].tolist()
    assert found.visits.sum(1).tolist() == [10, 0, 10]
    assert (found.values[1] == 0).all()


def test_no_positions_need_no_answers():
    search = GuidedSearch(NIM, 10)
    assert search.run(stack(NIM, []), seeds(0), functools.partial(pytest.fail)).actions.size == 0


def test_what_cannot_be_searched_is_refused():
    done = heaps(0, 0, 2)
    NIM.step(done, take(2, 2))
    states = stack(NIM, [NIM.new(1), done])
    search = GuidedSearch(NIM, 4)
    answer = answering(NIM, unsure)
    with pytest.raises(ValueError, match=r"states\[1\] is finished: nothing to choose"):
        search.run(states, seeds(2), answer)
    with pytest.raises(ValueError, match=r"seeds: expected shape \(2,\), got \(3,\)"):
        search.run(states, seeds(3), answer)
    with pytest.raises(ValueError, match=r"values: expected shape \(1, 3\), got \(1, 6\)"):
        search.run(states[:1], seeds(1), unsure)
    with pytest.raises(ValueError, match=r"a search for toy_nim was given states of toy_camp"):
        search.run(stack(CAMP, [CAMP.new()]), seeds(1), answer)
    with pytest.raises(ValueError, match="simulations is 0; allowed: a whole number of 1 or more"):
        GuidedSearch(NIM, 0)
    with pytest.raises(ValueError, match="candidates is 0"):
        GuidedSearch(NIM, 4, candidates=0)
    for share in (-0.1, 1.5, np.nan):
        with pytest.raises(ValueError, match=f"heuristic is {share}; allowed: a number from 0 to"):
            GuidedSearch(NIM, 4, heuristic=share)


def test_every_question_is_of_the_player_to_move():
    # What the last seat is asked in Camp shows its own find, as the searching seat deals it.
    seen = []

    def look(obs, mask):
        seen.extend(obs.copy().view(CAMP.OBS).reshape(-1))
        finds = obs.view(CAMP.OBS)["find"].reshape(len(obs), -1)
        shows = mask[:, SHOW : SHOW + 3]
        np.testing.assert_array_equal(shows, finds)
        assert (mask[:, GUESS:] == 1).all()
        return answering(CAMP, unsure)(obs, mask)

    search = GuidedSearch(CAMP, 100)
    search.run(stack(CAMP, [camp([1, 0], 3, to_play=0)]), seeds(1), look)
    assert all(record["turn"][0] == 1 for record in seen)
    assert {int(np.argmax(record["find"])) for record in seen[1:]} == {0, 2}  # not its own
