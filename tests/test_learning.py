"""The learning maths against loops that retell them one decision at a time."""

import numpy as np
import pytest
import torch

from bonebed.train import learning


def random_rollout(rng, n_steps, n_games, n_seats):
    """Make up a rollout: any seat may decide several times running and any step may end a game."""
    return {
        "rewards": rng.normal(size=(n_steps, n_games, n_seats)).astype(np.float32),
        "seats": rng.integers(n_seats, size=(n_steps, n_games)),
        "values": rng.normal(size=(n_steps, n_games, n_seats)).astype(np.float32),
        "dones": rng.random((n_steps, n_games)) < rng.choice([0.0, 0.1, 0.5]),
        "learns": rng.random((n_steps, n_games)) < rng.choice([1.0, 0.7]),
        "next_seats": rng.integers(n_seats, size=n_games),
        "next_values": rng.normal(size=(n_games, n_seats)).astype(np.float32),
        "next_learns": rng.random(n_games) < 0.8,
    }


def trajectories(rollout, game, about):
    """Split one game's rollout into the trajectories of its seats, as regards one seat's rewards.

    Yields a list of (step, reward, value) for each seat and each game, with the value after its
    last decision: 0 at an end, a number at the rollout's edge if the seat is to move, else None.
    """
    n_steps, _, n_seats = rollout["rewards"].shape
    for seat in range(n_seats):
        decisions = []
        for t in range(n_steps):
            if rollout["seats"][t, game] == seat and rollout["learns"][t, game]:
                decisions.append([t, 0.0, float(rollout["values"][t, game, about])])
            if decisions:
                decisions[-1][1] += float(rollout["rewards"][t, game, about])
            if rollout["dones"][t, game]:
                yield decisions, 0.0
                decisions = []
        next_is_known = rollout["next_seats"][game] == seat and rollout["next_learns"][game]
        yield decisions, float(rollout["next_values"][game, about]) if next_is_known else None


def advantages_by_the_sum(decisions, last_value, discount, trace):
    """Lambda-weighted sums of the one-step surprises, each written out in full."""
    known = [*decisions]
    if last_value is None and known:
        last_value = known.pop()[2]  # of unknown worth itself, it still values the one before
    values = [value for _, _, value in known] + [last_value]
    surprises = [
        reward + discount * values[k + 1] - values[k] for k, (_, reward, _) in enumerate(known)
    ]
    for k, (t, _, _) in enumerate(known):
        rest = enumerate(surprises[k:])
        yield t, sum((discount * trace) ** distance * surprise for distance, surprise in rest)


@pytest.mark.parametrize("n_seats", [1, 2, 3, 6])
def test_advantages_are_those_of_each_seat_by_itself(n_seats):
    rng = np.random.default_rng(n_seats)
    for _ in range(20):
        rollout = random_rollout(rng, int(rng.integers(1, 30)), 5, n_seats)
        discount, trace = rng.choice([1.0, 0.9]), rng.choice([1.0, 0.95, 0.0])
        advantages, complete = learning.turn_based_gae(**rollout, discount=discount, trace=trace)
        expected = np.zeros(advantages.shape)
        known = np.zeros(complete.shape, bool)
        for game, about in np.ndindex(5, n_seats):
            for decisions, last_value in trajectories(rollout, game, about):
                for t, advantage in advantages_by_the_sum(decisions, last_value, discount, trace):
                    expected[t, game, about] = advantage
                    known[t, game] = True
        assert (complete == known).all()
        np.testing.assert_allclose(advantages, expected, rtol=1e-4, atol=1e-4)


def test_a_seat_is_paid_when_another_one_ends_the_game():
    # Seat 0 decides, seat 1 ends the game: +1 for seat 1, -1 for seat 0. Then a new game begins.
    rewards = np.array([[[0, 0]], [[-1, 1]], [[0, 0]]], np.float32)
    advantages, complete = learning.turn_based_gae(
        rewards,
        seats=np.array([[0], [1], [0]]),
        values=np.array([[[0.25, 0.5]], [[0.125, 0.5]], [[0, 0]]], np.float32),
        dones=np.array([[False], [True], [False]]),
        learns=np.ones((3, 1), bool),
        next_seats=np.array([1]),
        next_values=np.full((1, 2), 9.0, np.float32),
        next_learns=np.array([True]),
        discount=1.0,
        trace=0.95,
    )
    assert advantages[:, 0].tolist() == [[-1.25, 0.5], [-1.125, 0.5], [0.0, 0.0]]
    assert complete[:, 0].tolist() == [True, True, False], "seat 0 has not moved again"


def test_a_seat_that_moves_twice_running_earns_what_came_between():
    advantages, complete = learning.turn_based_gae(
        rewards=np.array([[[3.0, 7.0]], [[5.0, 11.0]]], np.float32),
        seats=np.array([[0], [0]]),
        values=np.zeros((2, 1, 2), np.float32),
        dones=np.array([[False], [True]]),
        learns=np.ones((2, 1), bool),
        next_seats=np.array([0]),
        next_values=np.full((1, 2), 100.0, np.float32),
        next_learns=np.array([True]),
        discount=1.0,
        trace=0.0,
    )
    assert advantages[:, 0].tolist() == [[3.0, 7.0], [5.0, 11.0]]
    assert complete.all()


def test_what_others_decide_only_happens_to_the_learner():
    # Seat 0 learns and decides first; seat 1 is somebody else's, gets 7 for what it does and loses.
    advantages, complete = learning.turn_based_gae(
        rewards=np.array([[[0, 0]], [[0, 7]], [[1, -1]]], np.float32),
        seats=np.array([[0], [1], [1]]),
        values=np.zeros((3, 1, 2), np.float32),
        dones=np.array([[False], [False], [True]]),
        learns=np.array([[True], [False], [False]]),
        next_seats=np.array([0]),
        next_values=np.zeros((1, 2), np.float32),
        next_learns=np.array([True]),
        discount=1.0,
        trace=1.0,
    )
    assert advantages[:, 0].tolist() == [[1.0, 6.0], [0.0, 0.0], [0.0, 0.0]]
    assert complete[:, 0].tolist() == [True, False, False]


def test_seats_are_counted_from_the_own_one_in_turn_order():
    points = np.array([[10, 20, 30, 0], [10, 20, 30, 40], [1, 2, 0, 0]], np.float32)
    seats, players = np.array([2, 3, 1]), np.array([3, 4, 2])
    own_first = learning.from_seat(points, seats, players)
    assert own_first.tolist() == [[30, 10, 20, 0], [40, 10, 20, 30], [2, 1, 0, 0]]
    assert (learning.by_seat(own_first, seats, players) == points).all()


def test_probabilities_are_those_of_the_legal_actions_alone():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(50, 7)).astype(np.float32) * 30
    mask = rng.random((50, 7)) < 0.4
    mask[np.arange(50), rng.integers(7, size=50)] = True
    logs = learning.masked_log_probabilities(torch.tensor(logits), torch.tensor(mask)).numpy()
    for row in range(50):
        legal = np.flatnonzero(mask[row])
        exact = logits[row, legal].astype(np.float64)
        weights = np.exp(exact - exact.max())
        np.testing.assert_allclose(np.exp(logs[row, legal]), weights / weights.sum(), atol=1e-6)
        assert (np.exp(logs[row, ~mask[row]]) == 0).all()
    entropies = learning.entropy(torch.tensor(logs)).numpy()
    assert np.isfinite(entropies).all()
    assert (entropies >= -1e-6).all()


def test_one_legal_action_is_certain_and_gives_no_gradient():
    logits = torch.tensor([[5.0, -3.0, 2.0]], requires_grad=True)
    logs = learning.masked_log_probabilities(logits, torch.tensor([[False, True, False]]))
    assert logs[0, 1].item() == 0.0
    (learning.entropy(logs).sum() + logs[0, 1]).backward()
    assert logits.grad is not None
    assert (logits.grad == 0).all()


def test_samples_are_legal_and_as_likely_as_they_should_be():
    logits = torch.tensor([[0.0, 1.0, -2.0, 3.0, 0.5]])
    mask = torch.tensor([[True, True, True, False, True]])
    logs = learning.masked_log_probabilities(logits, mask)
    generator = torch.Generator().manual_seed(1)
    n = 20_000
    drawn = learning.sample(logs.expand(n, -1), generator)
    share = torch.bincount(drawn, minlength=5) / n
    deviation = (logs.exp()[0] * (1 - logs.exp()[0]) / n).sqrt()
    assert share[3] == 0
    assert ((share - logs.exp()[0]).abs() <= 4 * deviation).all()
    again = learning.sample(logs.expand(n, -1), torch.Generator().manual_seed(1))
    assert (drawn == again).all()


@pytest.mark.parametrize(
    ("ratio", "advantage", "expected"),
    [
        (1.1, 2.0, -2.2),  # within the clip range
        (1.5, 2.0, -2.4),  # a gain counts up to 1.2
        (0.5, 2.0, -1.0),  # a loss of probability of a good action counts in full
        (0.5, -2.0, 1.6),  # a bad action's loss counts down to 0.8
        (1.5, -2.0, 3.0),
    ],
)
def test_the_policy_loss_is_clipped_on_the_side_that_would_pay(ratio, advantage, expected):
    old = torch.tensor([-1.0])
    loss = learning.policy_loss(
        old + float(np.log(ratio)), old, torch.tensor([advantage]), clip=0.2
    )
    assert loss.item() == pytest.approx(expected, rel=1e-5)


def test_advantages_are_normalised_over_the_complete_ones():
    advantage = np.array([[1.0, 2.0], [3.0, 1000.0]], np.float32)
    complete = np.array([[True, True], [True, False]])
    found = learning.normalised(advantage.ravel(), np.flatnonzero(complete))[complete.ravel()]
    np.testing.assert_allclose(found, np.array([-1, 0, 1]) / np.sqrt(2 / 3), rtol=1e-5)


def test_explained_variance_of_hand_made_predictions():
    target = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
    assert learning.explained_variance(target, target) == 1.0
    assert learning.explained_variance(target + 5, target) == 1.0
    assert learning.explained_variance(np.zeros(4, np.float32), target) == 0.0
    assert learning.explained_variance(-target, target) == pytest.approx(-3.0)
    assert learning.explained_variance(target, np.ones(4, np.float32)) == 0.0
