"""The Gymnasium environment of a seat: its contract, and that it plays as told by a plain loop."""

import copy
import itertools
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import bonebed
from bonebed.agents import Agent, agent
from bonebed.agents.seats import seat_env
from bonebed.agents.simple import Greedy, Random
from bonebed.envs import Views, saved, table
from bonebed.envs.illegal import IllegalActionError, OutOfBoundsError
from bonebed.envs.seats import Compiled, Seats
from bonebed.kernels import rng
from bonebed.kernels.seats import Autoreset, Policy, luck
from conftest import NO_JIT

GAMES = tuple(bonebed.games())
# In plain Python a greedy player takes seconds for a decision in the larger games.
SAMPLES = 1 if NO_JIT else 8
STEPS = 20 if NO_JIT else None
GREEDY = f"greedy:samples={SAMPLES}"
REWARDS = ("outcome", "points", "margin")


def players_of(game: str) -> range:
    """Return the numbers of players that a game has."""
    rules = table.rules(game)
    return range(rules.min_players, rules.max_players + 1)


class OutsideRandom(Random):
    """The random agent, but asked from outside: only its exact class is played in compiled code."""


class OutsideGreedy(Greedy):
    """The greedy agent, asked from outside."""


def first_legal(mask: np.ndarray) -> int:
    """Return the first legal action."""
    return int(np.flatnonzero(mask)[0])


def chooser(seed: int) -> Callable[[np.ndarray], int]:
    """Return a learner that plays any legal action."""
    generator = np.random.default_rng(seed)
    return lambda mask: int(generator.choice(np.flatnonzero(mask)))


@dataclass
class Told:
    """One step as the plain loop tells it; `reward` and `done` belong to the action before."""

    obs: np.ndarray
    mask: np.ndarray
    reward: float
    done: bool
    score: tuple[int, ...] = ()
    outcome: tuple[float, ...] = ()


def told(
    game: str,
    seed: int,
    seat: int | None,
    opponents: list[Agent],
    reward: str,
    act: Callable[[np.ndarray], int],
    games: int,
) -> Iterator[Told]:
    """Play games as a plain loop over the seven questions: what the environment has to show."""
    rules = table.rules(game)
    n = len(opponents) + 1
    options = rules.make_options(num_players=n)
    state = np.zeros(1, rules.STATE)[0]
    for k in range(games):
        deal = np.uint64(rng.bits(np.uint64(seed), int(rng.Driver.EPISODE), k))
        rules.reset(state, options, deal)
        me = seat if seat is not None else rng.below(deal, int(rng.Driver.SEAT), 0, n)
        gains = np.zeros(n)
        first = True
        while not state.done:
            if state.to_play == me:
                yield observed(rules, state, me, 0.0 if first else paid(gains, me, reward), False)
                gains = gains * first
                first = False
                action = act(observed(rules, state, me, 0.0, False).mask)
            else:
                player = opponents[(state.to_play - me - 1) % n]
                views = Views.of(rules, np.array([state]), np.array([luck(state)], np.uint64))
                action = int(player.act_many(views)[0])
            rules.step(state, np.int64(action))
            gains += state.gain[:n]
        results = np.zeros(n, np.float32)
        rules.outcome(state, results)
        last = results[me] if reward == "outcome" else paid(gains, me, reward)
        end = observed(rules, state, me, float(last), True)
        end.score, end.outcome = tuple(state.score[:n].tolist()), tuple(results.tolist())
        yield end


def paid(gains: np.ndarray, me: int, reward: str) -> float:
    """Return what the learner is paid for these gains of all seats."""
    if reward == "outcome":
        return 0.0
    others = np.delete(gains, me).mean() if reward == "margin" else 0.0
    return float(gains[me] - others)


def observed(rules: Any, state: Any, me: int, reward: float, done: bool) -> Told:
    """Tell what the learner sees."""
    obs = np.zeros(1, rules.OBS)
    rules.observe(state, np.int8(me), obs[0])
    mask = np.zeros(rules.n_actions, np.int8)
    if not done:
        mask[rules.legal_actions(state)] = 1
    return Told(obs.view(np.float32), mask, reward, done)


@pytest.mark.parametrize(
    "reward", ["outcome", "points", pytest.param("margin", marks=pytest.mark.rules)]
)
@pytest.mark.parametrize(
    ("game", "players", "seat", "opponents"),
    [
        (game, players, seat, opponents)
        for game in GAMES
        for players, seat, opponents in (
            (2, 0, ["random"]),
            (2, 1, [GREEDY]),
            (2, None, [OutsideRandom()]),
            (3, 1, [GREEDY, OutsideGreedy(SAMPLES)]),
            (4, None, ["random", OutsideRandom(), GREEDY]),
            (6, 5, "random"),
        )
        if players in players_of(game)
    ],
)
def test_the_environment_plays_as_a_plain_loop_does(
    game, players, seat, opponents, reward, n_games
):
    env = seat_env(game, opponents, players, seat=seat, reward=reward)
    specs = [opponents] * (players - 1) if isinstance(opponents, str) else opponents
    agents = [agent(spec, game) for spec in specs]
    ours, theirs = chooser(5), chooser(5)
    obs, info = env.reset(seed=11)
    reward_now, done = 0.0, False
    course = told(game, 11, seat, agents, reward, theirs, n_games(10))
    for expected in itertools.islice(course, STEPS):
        np.testing.assert_array_equal(obs, expected.obs)
        np.testing.assert_array_equal(info["action_mask"], expected.mask)
        assert (reward_now, done) == (pytest.approx(expected.reward), expected.done)
        if done:
            assert tuple(info["score"]) == expected.score
            assert tuple(info["outcome"]) == expected.outcome
            obs, info = env.reset()
            reward_now, done = 0.0, False
        else:
            obs, reward_now, done, truncated, info = env.step(ours(info["action_mask"]))
            assert truncated is False


@pytest.mark.parametrize("game", GAMES)
def test_check_env_passes(game):
    # It samples an action before the reset after which it is played: not legal in every game.
    settings = {"render_mode": "ansi", "illegal": "terminate"}
    check_env(gymnasium.make(table.game(game).gym_id, **settings).unwrapped)


@pytest.mark.parametrize("opponents", ["random", "greedy", "rollout:playouts=2"])
@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("game", GAMES)
def test_check_env_passes_with_any_seat_and_opponent(game, seat, opponents):
    made = gymnasium.make(  # its actions are not masked, so some are illegal
        table.game(game).gym_id,
        opponents=opponents,
        num_players=2,
        seat=seat,
        illegal="terminate",
        render_mode="ansi",
    )
    check_env(made.unwrapped)


@pytest.mark.parametrize("game", GAMES)
def test_the_id_makes_the_environment_with_its_settings(game):
    env = gymnasium.make(
        table.game(game).gym_id, opponents="greedy", seat=1, num_players=2, reward="points"
    )
    inner = env.unwrapped
    assert (inner.seat, inner.num_players) == (0, 2), "before the first reset no seat is taken"
    _, info = env.reset(seed=1)
    assert info["seat"] == inner.seat == 1
    samples = 1 if table.rules(game).perfect_information else 8
    assert inner.seats.opponents == (Compiled(Policy.GREEDY, samples),)
    assert env.observation_space.shape == (table.rules(game).obs_size,)
    assert env.action_space.n == table.rules(game).n_actions


@pytest.mark.parametrize(
    ("game", "players"), [(game, n) for game in GAMES for n in (2, 3, 5) if n in players_of(game)]
)
def test_the_rewards_of_every_seat_add_up_to_what_the_game_gave_it(game, players):
    rules = table.rules(game)
    for seat in range(players):
        sums = {}
        for reward in REWARDS:
            env = seat_env(game, "random", players, seat=seat, reward=reward)
            _, info = env.reset(seed=3)
            deal = np.frombuffer(env.seats.save()[: rules.STATE.itemsize], rules.STATE)["seed"][0]
            start = rules.new(deal, num_players=players).score[:players]
            act, total, done = chooser(seat), 0.0, False
            while not done:
                _, gained, done, _, info = env.step(act(info["action_mask"]))
                total += gained
            sums[reward] = total
        gained = info["score"].astype(float) - start
        assert sums["outcome"] == info["outcome"][seat]
        assert sums["points"] == gained[seat]
        assert sums["margin"] == pytest.approx(gained[seat] - np.delete(gained, seat).mean())


@pytest.mark.parametrize("game", GAMES)
def test_the_learner_gets_its_last_reward_whoever_ends_the_game(game):
    rules, learner_ends = table.rules(game), set()
    for seat in (0, 1):  # in some games the last seat always ends the game
        env, act = seat_env(game, "random", 2, seat=seat), chooser(seat)
        for seed in range(20):
            _, info = env.reset(seed=seed)
            done = False
            while not done:
                _, reward, done, _, info = env.step(act(info["action_mask"]))
            state = np.frombuffer(env.seats.save()[: rules.STATE.itemsize], rules.STATE)[0]
            learner_ends.add(int(state["to_play"]) == seat)
            assert reward == info["outcome"][seat]
            margin = info["score"][seat] - info["score"][1 - seat]
            by_rank = rules.automatic is None  # else the result has a scale of its own
            assert margin == 0 or not by_rank or reward == np.sign(margin)
    assert learner_ends == {True, False}


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_action_is_explained_and_changes_nothing(game):
    env = seat_env(game, "random")
    obs, info = env.reset(seed=2)
    legal = np.flatnonzero(info["action_mask"])
    illegal = np.flatnonzero(info["action_mask"] == 0)[:1].tolist()  # in some games all are legal
    before = env.get_state()
    nowhere = (-1, len(info["action_mask"]), 10**6, np.uint64(2**63 + 5))
    for action in (*illegal, *nowhere):
        kind = IllegalActionError if action in illegal else OutOfBoundsError
        with pytest.raises(kind, match=f"seat 0 cannot play {action}\\b") as raised:
            env.step(action)
        assert str(legal[0]) in str(raised.value)
        assert env.seats.view(0).words(int(legal[0])) in str(raised.value)
    for action in (1.0, None, "up", [3, 4]):
        with pytest.raises(OutOfBoundsError, match="whole number"):
            env.step(action)
    assert env.get_state() == before
    np.testing.assert_array_equal(env.step(legal[0])[0].shape, obs.shape)


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_action_can_end_the_game(game):
    players = min(3, table.rules(game).max_players)
    env = seat_env(game, "random", players, seat=1, illegal="terminate", illegal_reward=-7.0)
    fresh = seat_env(game, "random", players, seat=1)
    env.reset(seed=2)
    _, reward, terminated, truncated, info = env.step(-5)
    assert (reward, terminated, truncated) == (-7.0, True, False)
    share = 1 / (players - 1)  # the others share what the learner lost
    assert info["outcome"].tolist() == [share, -1.0, share][:players]
    assert not info["action_mask"].any()
    fresh.reset(seed=2)
    played = [episode(each, chooser(1)) for each in (env, fresh)]
    assert played[0] == played[1], "the next game is a fresh one"


def episode(env: Any, act: Callable[[np.ndarray], int]) -> list[Any]:
    """Play the next game and return all that was seen."""
    obs, info = env.reset()
    seen: list[Any] = [obs.tobytes(), info["action_mask"].tobytes()]
    done = False
    while not done:
        obs, reward, done, _, info = env.step(act(info["action_mask"]))
        seen += [obs.tobytes(), info["action_mask"].tobytes(), reward, done]
    return seen


def test_a_game_that_is_over_or_was_never_dealt_cannot_be_played():
    env = seat_env("fossil", illegal="terminate", render_mode="ansi")
    for call in (lambda: env.step(0), env.render, env.view):
        with pytest.raises(RuntimeError, match="has to be reset"):
            call()
    env.reset(seed=0)
    env.step(-1)
    with pytest.raises(RuntimeError, match="has to be reset"):
        env.step(0)
    assert env.render()


@pytest.mark.parametrize("opponents", ["random", "greedy", OutsideRandom()])
@pytest.mark.parametrize("game", GAMES)
def test_a_copy_in_mid_game_is_exact_at_every_decision(game, opponents):
    env = seat_env(game, opponents, seat=None)
    other = seat_env(game, opponents, seat=None)
    _, info = env.reset(seed=4)
    act, done = chooser(4), False
    while not done:
        action = act(info["action_mask"])
        other.set_state(env.get_state())
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), other]
        steps = [each.step(action) for each in (env, *copies)]
        obs, reward, done, _, info = steps[0]
        for (obs2, reward2, done2, _, info2), each in zip(steps[1:], copies, strict=True):
            np.testing.assert_array_equal(obs, obs2)
            np.testing.assert_array_equal(info["action_mask"], info2["action_mask"])
            assert (reward, done, info["seat"]) == (reward2, done2, info2["seat"])
            assert env.get_state() == each.get_state()
            if not done:
                assert each.action_masks()[each.action_space.sample()], "it samples its own actions"
    assert episode(env, chooser(5)) == episode(copies[0], chooser(5)), "and so is the next game"


def test_a_state_of_something_else_is_refused():
    env = seat_env("fossil")
    env.reset(seed=0)
    before = env.get_state()
    for data in (b"", before[:-1], before[:-1] + bytes([before[-1] ^ 1]), b"x" + before):
        with pytest.raises(ValueError, match="saved state"):
            env.set_state(data)
    with pytest.raises(ValueError, match="options"):
        env.set_state(_started(seat_env("fossil", "random", 3)).get_state())
    assert env.get_state() == before


def _started(env: Any) -> Any:
    """Reset an environment."""
    env.reset(seed=0)
    return env


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"reward": "points"}, "reward 'points'.* has 'outcome'"),
        ({"seat": 1}, "seat 1.* has 0"),
        ({"seat": None}, "seat None.* has 0"),
        ({"illegal": "terminate"}, "illegal 'terminate'.* has 'error'"),
        ({"illegal_reward": -2}, "illegal_reward -2.0.* has -1.0"),
        ({"opponents": "greedy"}, "opponents .*GREEDY.*RANDOM"),
        ({"opponents": OutsideRandom()}, r"opponents \['random'\].*RANDOM"),
    ],
)
def test_a_state_of_an_environment_made_in_another_way_is_refused(settings, field):
    env, other = _started(seat_env("fossil")), _started(seat_env("fossil", **settings))
    before = env.get_state()
    with pytest.raises(ValueError, match=f"the saved state has {field}"):
        env.set_state(other.get_state())
    assert env.get_state() == before
    twin = seat_env("fossil", **settings)
    twin.set_state(other.get_state())
    assert twin.get_state() == other.get_state()


@pytest.mark.parametrize(
    ("where", "field", "value", "allowed"),
    [
        ("states", "num_players", 127, "2"),
        ("states", "to_play", 100, "0 to 1"),
        ("states", "to_play", 1, "0"),  # the learner, seat 0, is asked
        ("states", "done", 1, "0"),
        ("states", "tile", 100, "-1 to 26"),
        ("slots", "seat", 100, "0 to 1"),
        ("slots", "seat", 1, "0"),  # made with seat 0
        ("slots", "final_seat", -1, "0 to 1"),
        ("slots", "status", 9, "0 to 3"),
        ("slots", "status", 2, None),  # an opponent is asked, though it is the learner's turn
        ("slots", "opponent", 1, "0"),
        ("slots", "length", 102, "0 to 101"),  # 8.2
        ("slots", "done", 2, "0 to 1"),
        ("slots", "forfeit", -1, "0 to 1"),
    ],
)
def test_a_state_that_cannot_be_is_refused_and_changes_nothing(where, field, value, allowed):
    env = _started(seat_env("fossil", seat=0))
    before = env.get_state()
    whole = env.seats.save()
    size = env.seats.rules.STATE.itemsize
    parts = {
        "states": np.frombuffer(whole[:size], env.seats.rules.STATE).copy(),
        "slots": np.frombuffer(whole[size:], env.seats._table.slots.dtype).copy(),
    }
    parts[where][field] = value
    games = parts["states"].tobytes() + parts["slots"].tobytes()
    named = f"{field}.* is {value}; allowed: {allowed}$" if allowed else "to_play is 0; allowed: 1$"
    with pytest.raises(ValueError, match=f"game 0: {named}"):
        env.set_state(saved.pack(env._identity(), games))
    assert env.get_state() == before


def test_a_reward_for_illegal_actions_that_is_no_number_is_refused():
    for wrong in (float("nan"), float("inf"), None, "x", True):
        for illegal in ("terminate", "error"):
            with pytest.raises(ValueError, match=r"illegal_reward is .*; allowed: a finite number"):
                seat_env("fossil", illegal=illegal, illegal_reward=wrong)


@pytest.mark.parametrize("game", GAMES)
def test_a_reset_in_mid_game_equals_a_fresh_environment(game):
    env, fresh = seat_env(game, "greedy"), seat_env(game, "greedy")
    _, info = env.reset(seed=1)
    for _ in range(3):
        _, _, _, _, info = env.step(first_legal(info["action_mask"]))
    obs, info = env.reset(seed=9)
    obs2, info2 = fresh.reset(seed=9)
    np.testing.assert_array_equal(obs, obs2)
    np.testing.assert_array_equal(info["action_mask"], info2["action_mask"])
    assert env.get_state() == fresh.get_state()
    assert episode(env, chooser(0)) == episode(fresh, chooser(0))


def test_games_differ_from_seed_to_seed_and_within_a_sequence():
    env = seat_env("fossil")
    first = {env.reset(seed=seed)[0].tobytes() for seed in range(20)}
    assert len(first) == 20
    following = {env.reset()[0].tobytes() for _ in range(20)}
    assert len(following | first) == 40


def test_a_seed_out_of_range_is_refused():
    env = seat_env("fossil")
    for seed in (-1, 2**64, True, 1.5):
        with pytest.raises(ValueError, match=rf"seed is {seed}; allowed: a whole number from 0 to"):
            env.reset(seed=seed)
    env.reset(seed=np.int64(3))
    env.reset(seed=2**64 - 1)
    env.reset(seed=0)


def test_no_global_generator_is_used():
    before = (random.getstate(), pickle.dumps(np.random.get_state()))
    for seed in (None, 1):
        env = seat_env("fossil", "random", seat=None)
        env.reset(seed=seed)
        episode(env, chooser(0))
    assert (random.getstate(), pickle.dumps(np.random.get_state())) == before


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_seat_that_is_drawn_is_each_seat_equally_often(players):
    env = seat_env("fossil", "random", players, seat=None)
    env.reset(seed=0)
    counts = np.bincount([env.reset()[1]["seat"] for _ in range(400)], minlength=players)
    # Within five standard deviations of a binomial distribution.
    slack = 5 * np.sqrt(400 / players * (1 - 1 / players))
    assert (abs(counts - 400 / players) < slack).all()


class Witness(Random):
    """A random agent that notes which seats it was asked for."""

    def act_many(self, views: Views) -> np.ndarray:
        """Note the seats and choose."""
        self.__dict__.setdefault("seats", set()).update(views.player.tolist())
        return super().act_many(views)


def test_opponents_sit_in_turn_order_after_the_learner():
    for seat in range(4):
        witnesses = [Witness(), Witness(), Witness()]
        env = seat_env("fossil", witnesses, 4, seat=seat)
        env.reset(seed=1)
        episode(env, chooser(0))
        assert [each.__dict__["seats"] for each in witnesses] == [
            {(seat + 1 + k) % 4} for k in range(3)
        ]


class Cheat(Agent):
    """An agent that plays what is not allowed."""

    def act(self, view: Any) -> int:
        """Return an illegal action."""
        return int(np.flatnonzero(view.mask == 0)[0])


def test_an_opponent_that_plays_an_illegal_action_is_named():
    env = seat_env("fossil", Cheat(), seat=0)
    with pytest.raises(IllegalActionError, match=r"^Cheat cannot play \d+ \(.*\) now"):
        env.reset(seed=0)


class Ender(Random):
    """An opponent that ends the first games at its first decision, as no game of ours does."""

    def act_many(self, views: Views) -> np.ndarray:
        """Mark the true games as done where they are among the first two of their sequence."""
        table = self.__dict__["seats"]._table
        table.states["done"][table.slots["game"] < 2] = 1
        return super().act_many(views)


def test_a_game_that_ends_before_the_learner_decides_is_skipped():
    ender = Ender()
    seats = Seats(table.rules("fossil"), 3, [ender], seat=0, autoreset=Autoreset.DISABLED)
    ender.__dict__["seats"] = seats
    seats.reset([1, 2, 3])  # the last seat, the opponent, places the stones before seat 0 decides
    assert seats._table.slots["game"].tolist() == [2, 2, 2]
    assert not seats.done.any()
    assert seats.mask.any(axis=1).all()


@pytest.mark.parametrize("game", GAMES)
def test_observations_masks_and_infos_are_fresh_and_in_their_spaces(game):
    env = seat_env(game, "random")
    obs, info = env.reset(seed=0)
    kept: list[tuple[np.ndarray, bytes]] = []
    done = False
    while not done:
        mask = info["action_mask"]
        assert obs in env.observation_space
        assert mask.dtype == np.int8
        assert env.action_masks().dtype == np.bool_
        np.testing.assert_array_equal(env.action_masks(), mask == 1)
        kept += [(obs, obs.tobytes()), (mask, mask.tobytes())]
        obs, reward, done, truncated, info = env.step(env.action_space.sample())
        assert type(reward) is float
        assert type(done) is bool
        assert truncated is False
    assert obs in env.observation_space
    assert not env.action_masks().any()
    assert all(array.tobytes() == before for array, before in kept)


def test_the_action_space_samples_legal_actions_and_is_plain_when_saved_alone():
    env = seat_env("fossil")
    assert env.action_space.sample() in env.action_space, "before the first reset any action"
    env.reset(seed=0)
    assert all(env.action_masks()[env.action_space.sample()] for _ in range(200))
    mask = np.zeros(env.action_space.n, np.int8)
    mask[7] = 1
    assert env.action_space.sample(mask) == 7
    alone = pickle.loads(pickle.dumps(env.action_space))
    assert alone == env.action_space
    assert len(pickle.dumps(env.action_space)) < 2000
    assert len({int(alone.sample()) for _ in range(400)}) > 100


@pytest.mark.parametrize("game", GAMES)
def test_rendering_is_text_as_the_learner_sees_it(game):
    env = seat_env(game, render_mode="ansi")
    env.reset(seed=0)
    text = env.render()
    assert isinstance(text, str)
    assert text.count("\n") > 3
    assert text == env.view().text()
    silent = seat_env(game)
    silent.reset(seed=0)
    assert silent.render() is None


def test_an_agent_can_play_the_learners_seat_through_the_view():
    env = seat_env("fossil", "random")
    greedy, won = agent("greedy"), 0
    for seed in range(30):
        env.reset(seed=seed)
        done = False
        while not done:
            _, reward, done, _, _ = env.step(greedy.act(env.view()))
        won += reward > 0
    assert won > 20, "greedy beats random"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seat": 2}, "allowed with 2 players: 0 to 1"),
        ({"seat": True}, "allowed with 2 players: 0 to 1"),
        ({"seat": np.array([0, 1])}, "allowed with 2 players: 0 to 1"),
        ({"reward": "score"}, "allowed: 'outcome', 'points', 'margin'"),
        ({"reward": []}, r"reward is \[\]; allowed: 'outcome'"),
        ({"illegal": "ignore"}, "allowed: 'error', 'terminate'"),
        ({"setup": np.array([1, 2])}, r"option setup is array\(\[1, 2\]\); allowed: auto, large"),
        ({"render_mode": "human"}, "allowed: None, 'ansi'"),
        ({"opponents": ["random", "random"]}, "2 players need 1"),
        ({"opponents": "rando"}, "allowed: random, greedy"),
        ({"opponents": "greedy:sample=3"}, "greedy has no parameter 'sample'"),
        ({"num_players": 9}, "num_players is 9; allowed: 2, 3"),
        ({"tactical": 3}, "option tactical is 3"),
        ({"game": "chess"}, "known: fossil"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(settings, message):
    with pytest.raises(ValueError, match=message):
        seat_env(**({"game": "fossil"} | settings))


def test_the_games_own_options_reach_the_game():
    env = seat_env("fossil", "random", 3, tactical=True, setup="large")
    assert env.seats.options == {"num_players": 3, "tactical": True, "setup": "large"}
    env.reset(seed=0)
    assert env.view().state["tactical"] == 1


@pytest.mark.parametrize("game", GAMES)
def test_compiled_opponents_play_as_the_agents_of_the_same_name(game):
    players = min(4, table.rules(game).max_players)
    named, others = (
        ["greedy", "random", "greedy"],
        [OutsideGreedy(), OutsideRandom(), OutsideGreedy()],
    )
    inside = seat_env(game, named[: players - 1], players, seat=None)
    outside = seat_env(game, others[: players - 1], players, seat=None)
    assert all(isinstance(each, Compiled) for each in inside.seats.opponents)
    assert not any(isinstance(each, Compiled) for each in outside.seats.opponents)
    inside.reset(seed=6)
    outside.reset(seed=6)
    for k in range(5):
        assert episode(inside, chooser(k)) == episode(outside, chooser(k))
