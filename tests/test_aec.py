"""The PettingZoo environments keep PettingZoo's contract, and what its own tests leave out."""

import copy
import doctest
import importlib
import itertools
import pickle
import random
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.utils import wrappers as pettingzoo_wrappers
from pettingzoo.utils.env_logger import EnvLogger

from bonebed.envs import aec, saved, table
from bonebed.envs.illegal import IllegalActionError, OutOfBoundsError, ranges
from bonebed.envs.spaces import ActionSpace

with warnings.catch_warnings():
    # Where pygame is installed, this loads PettingZoo's Connect Four in a way that it deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

GAMES = tuple(table.GAMES)
CASES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in GAMES
    for players in range(table.rules(name).min_players, table.rules(name).max_players + 1)
]


@pytest.fixture(autouse=True)
def quiet():
    """Keep PettingZoo's logger from printing, and its messages from one test to the next."""
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.flush()
    EnvLogger.unsuppress_output()


def face(name: str) -> ModuleType:
    """Return the module of a game's environment."""
    return table.face(name)


def make(name: str, players: int, **kwargs: Any) -> Any:
    """Make a game's environment."""
    return face(name).env(num_players=players, **kwargs)


def illegal_of(env):
    """Return the first action that is not legal; in some games there is none to test."""
    illegal = sorted(set(range(env.rules.n_actions)) - set(legal_of(env)))
    if not illegal:
        pytest.skip("every action is legal")  # as in 20 Questions: nothing to refuse
    return illegal[0]


def legal_of(env: Any) -> list[int]:
    """Return the legal actions of the agent that is to act."""
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()


def choose(env: Any, luck: random.Random) -> int | None:
    """Return a random legal action, or None for an agent whose game is over."""
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return None
    return luck.choice(legal_of(env))


def walk(env: Any, luck: random.Random, steps: int = 10**6) -> int:
    """Play random legal actions, dead steps included; return the number of steps."""
    for taken in range(steps):
        if not env.agents:
            return taken
        env.step(choose(env, luck))
    return steps


def seen(env: Any) -> dict[str, Any]:
    """Return all that an environment shows, in a form that can be compared."""
    return {
        "agents": list(env.agents),
        "selection": env.agent_selection,
        "rewards": dict(env.rewards),
        "cumulative": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()},
        "observations": [
            {key: array.tobytes() for key, array in env.observe(agent).items()}
            for agent in env.possible_agents
        ],
        "scores": env.scores,
    }


def history(env: Any, seed: int | None, luck: int) -> list[dict[str, Any]]:
    """Play a whole random game and return what was seen after the reset and each step."""
    chooser = random.Random(luck)
    env.reset(seed=seed)
    found = [seen(env)]
    while env.agents:
        env.step(choose(env, chooser))
        found.append(seen(env))
    return found


# --- PettingZoo's own tests ----------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.parametrize("wrappers", [False, True])
@pytest.mark.parametrize("illegal", aec.ILLEGAL)
@pytest.mark.parametrize(("name", "players"), CASES)
def test_pettingzoos_api_test_passes_with_its_two_false_alarms(
    name, players, illegal, wrappers, capsys
):
    # PettingZoo 1.27 raises these two about every dict observation that is not its own. That names
    # of agents should end in a number is a recommendation; an automated opponent has its own name.
    warnings.filterwarnings("ignore", "We recommend agents to be named in the format")
    api_test(make(name, players, illegal=illegal, wrappers=wrappers), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out
    assert not EnvLogger.mqueue


@pytest.mark.parametrize("wrappers", [False, True])
@pytest.mark.parametrize(("name", "players"), CASES)
def test_pettingzoos_seed_test_passes(name, players, wrappers):
    seed_test(lambda: make(name, players, wrappers=wrappers))


@pytest.mark.parametrize("name", GAMES)
def test_rendering_gives_text(name):
    def ansi(render_mode: str) -> Any:
        return face(name).env(render_mode="ansi")  # there is no other mode to ask for

    render_test(ansi, custom_tests={"ansi": lambda text: isinstance(text, str) and "\n" in text})
    assert face(name).env().metadata["render_modes"] == ["ansi"]


@pytest.mark.parametrize("name", GAMES)
def test_the_state_for_central_critics_is_in_its_space(name):
    tests = importlib.import_module("pettingzoo.test.state_test")
    env = face(name).env(illegal="terminate")
    tests.test_state_space(env)
    tests.test_state(env, 10)
    env.reset(seed=1)
    parts = np.split(env.state(), env.num_players)
    for agent, part in zip(env.possible_agents, parts, strict=True):
        assert np.array_equal(part, env.observe(agent)["observation"])


# --- episodes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), CASES)
def test_two_environments_with_one_seed_agree_to_the_last_step(name, players):
    first, second = (make(name, players, reward="points") for _ in range(2))
    assert history(first, seed=5, luck=1) == history(second, seed=5, luck=1)
    assert history(first, seed=5, luck=1) != history(second, seed=6, luck=1)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_reset_in_the_middle_of_a_game_equals_a_fresh_start(name, players):
    fresh = history(make(name, players), seed=7, luck=2)
    env = make(name, players)
    luck = random.Random(3)
    for steps in (1, 4, 17, 10**6):
        env.reset(seed=steps)
        walk(env, luck, steps)
        assert history(env, seed=7, luck=2) == fresh


@pytest.mark.rules
@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_environment_plays_the_game_of_its_kernel(name, players):
    rules = table.rules(name)
    env = make(name, players, reward="points")
    env.reset(seed=11)
    state = rules.new(seed=11, num_players=players)
    luck = random.Random(4)
    while not state.done:
        assert env.agent_selection == rules.agent_names[state.to_play]
        legal = rules.legal_actions(state).tolist()
        assert legal_of(env) == legal
        action = luck.choice(legal)
        rules.step(state, np.int64(action))
        env.step(action)
        gains = state.gain[:players].tolist()
        assert list(env.rewards.values()) == gains
        assert list(env.scores.values()) == state.score[:players].tolist()
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    results = np.zeros(players, np.float32)
    rules.outcome(state, results)
    assert players == 1 or results.sum() == pytest.approx(0, abs=1e-6)


def test_a_reset_without_a_seed_goes_on_from_the_last_seed():
    def deals(seed: int) -> list[bytes]:
        env = make("fossil", 2)
        env.reset(seed=seed)
        found = []
        for _ in range(3):
            env.reset()
            found.append(env.observe("player_0")["observation"].tobytes())
        return found

    assert deals(1) == deals(1)
    assert deals(1) != deals(2)
    assert len(set(deals(1))) == 3
    first, second = make("fossil", 2), make("fossil", 2)
    first.reset(), second.reset()
    assert first.state().tobytes() != second.state().tobytes(), "unseeded games differ"


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.5, "7", np.int32(-1)], ids=repr)
def test_a_seed_out_of_range_is_refused_and_changes_nothing(seed):
    env = make("fossil", 2)
    env.reset(seed=5)
    before = env.get_state()
    with pytest.raises(ValueError, match=r"seed is .*; allowed: a whole number from 0 to 2\*\*64"):
        env.reset(seed=seed)
    assert env.get_state() == before


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int64(3), np.uint64(2**64 - 1)], ids=repr)
def test_the_seed_is_that_of_the_deal(seed):
    env = make("fossil", 2)
    env.reset(seed=seed)
    assert env._states.tobytes() == table.rules("fossil").new(seed=int(seed)).tobytes()


def test_no_global_generator_is_touched():
    before = random.getstate(), np.random.get_state()[1].tobytes()
    env = make("fossil", 4)
    env.reset()
    walk(env, random.Random(1))
    env.view("player_0")
    assert (random.getstate(), np.random.get_state()[1].tobytes()) == before


@pytest.mark.parametrize(("name", "players"), CASES)
def test_only_the_agent_to_act_has_a_mask(name, players):
    env = make(name, players)
    env.reset(seed=2)
    luck = random.Random(5)
    while env.agents:
        for agent in env.agents:
            masks = env.observe(agent)["action_mask"], env.infos[agent]["action_mask"]
            acts = agent == env.agent_selection and not env.terminations[agent]
            assert [mask.any() for mask in masks] == [acts, acts]
            assert masks[0].tobytes() == masks[1].tobytes()
            assert masks[0].dtype == np.int8
        env.step(choose(env, luck))


def test_what_was_handed_out_never_changes():
    env = make("fossil", 3, reward="points")
    env.reset(seed=4)
    luck = random.Random(6)
    kept = []
    while env.agents:
        observation, reward, _, _, info = env.last()
        arrays = [*observation.values(), info["action_mask"]]
        kept.append((arrays, [array.tobytes() for array in arrays]))
        assert isinstance(reward, float)
        env.step(choose(env, luck))
    assert all([a.tobytes() for a in arrays] == values for arrays, values in kept)


def test_arrays_that_were_handed_out_can_be_written_without_harm():
    spoiled, left = make("fossil", 2), make("fossil", 2)
    luck = random.Random(7)
    for env in (spoiled, left):
        env.reset(seed=4)
    while left.agents:
        action = choose(left, luck)
        observation, *_, info = spoiled.last()
        for array in (*observation.values(), info["action_mask"]):
            array[:] = 1
        spoiled.step(action)
        left.step(action)
        assert spoiled.agent_selection == left.agent_selection
        agent = left.agent_selection
        assert spoiled.observe(agent)["action_mask"].tolist() == (
            left.observe(agent)["action_mask"].tolist()
        )


# --- rewards -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", aec.REWARDS)
@pytest.mark.parametrize(("name", "players"), CASES)
def test_rewards_add_up_to_what_they_stand_for(name, players, reward):
    env = make(name, players, reward=reward)
    env.reset(seed=8)
    start = np.array(list(env.scores.values()))
    luck = random.Random(8)
    paid = dict.fromkeys(env.agents, 0.0)
    received = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, cumulative, termination, truncation, _ = env.last()
        received[agent] += cumulative
        env.step(None if termination or truncation else choose(env, luck))
        for one, amount in env.rewards.items():
            paid[one] += amount
        if reward != "points" and players > 1:
            assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-6)
        if reward == "outcome" and not any(env.terminations.values()):
            assert set(env.rewards.values()) <= {0.0}
    assert received == pytest.approx(paid)
    gained = np.array(list(env.scores.values())) - start
    results = np.array(list(received.values()))
    if reward == "points":
        assert results.tolist() == gained.tolist()
    elif reward == "margin":
        others = (gained.sum() - gained) / max(1, players - 1)
        assert results == pytest.approx(gained - others)
    else:
        assert results.max() <= 1
        assert results.min() >= -1
        if env.rules.automatic is not None:
            return  # one seat against the rulebook's opponent: the result has a scale of its own
        points = np.array(list(env.scores.values()))
        more = points[:, None] > points  # equal points may be told apart by a tie-break
        assert (results[:, None] > results)[more].all(), "more points, a better result"


def test_a_reward_that_came_in_anothers_step_is_in_the_next_last():
    env = make("fossil", 4, reward="points")
    luck = random.Random(9)
    found = 0
    for seed in range(3):
        env.reset(seed=seed)
        pending = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            _, reward, termination, _, _ = env.last()
            assert reward == pending[agent]
            pending[agent] = 0.0
            env.step(None if termination else choose(env, luck))
            for one, amount in env.rewards.items():
                pending[one] += amount
                found += one != agent and amount != 0
    assert found > 0


# --- actions that cannot be played ---------------------------------------------------------------

NO_ACTIONS = [-1, 10**9, 2**70, None, "0", 1.0, np.float32(3), np.uint64(3), [3], np.array([3])]


@pytest.mark.parametrize(("name", "players"), CASES)
def test_an_illegal_action_is_explained_and_changes_nothing(name, players):
    env = make(name, players, reward="points")
    env.reset(seed=3)
    luck = random.Random(10)
    while not any(env.terminations.values()):
        legal = legal_of(env)
        illegal = sorted(set(range(env.rules.n_actions)) - set(legal))
        for action in luck.sample(illegal, min(1, len(illegal))):
            before, state = seen(env), env.get_state()
            with pytest.raises(IllegalActionError) as caught:
                env.step(np.int64(action))
            assert (seen(env), env.get_state()) == (before, state)
            message = str(caught.value)
            assert f"{env.agent_selection} cannot play {action} (" in message
            assert env.describe(action) in message
            assert all(f"  {number}  {env.describe(number)}" in message for number in legal[:12])
        env.step(luck.choice(legal))


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
@pytest.mark.parametrize("illegal", aec.ILLEGAL)
@pytest.mark.parametrize("wrappers", [False, True])
def test_an_action_out_of_bounds_is_refused_and_changes_nothing(action, illegal, wrappers):
    env = make("fossil", 2, illegal=illegal, wrappers=wrappers)
    env.reset(seed=3)
    env.step(0)
    before = seen(env)
    # PettingZoo's wrapper lets the overflow of a number beyond 64 bits through.
    with pytest.raises((AssertionError, OverflowError)) as caught:
        env.step(action)
    assert seen(env) == before
    if not wrappers:
        assert isinstance(caught.value, OutOfBoundsError)
        assert f"player_1 cannot play {action!r}: actions are whole numbers, 0 to 217" in str(
            caught.value
        )


@pytest.mark.parametrize(
    "kind", [int, np.int64, np.int32, np.int8, np.uint8, np.array], ids=lambda kind: kind.__name__
)
def test_any_kind_of_whole_number_is_an_action(kind):
    env = make("fossil", 2)
    env.reset(seed=3)
    env.step(kind(5))
    assert env._states[0].stone[0] == 5


@pytest.mark.parametrize("wrappers", [False, True])
@pytest.mark.parametrize("action", [0, 10**9])
def test_an_agent_whose_game_is_over_can_only_do_nothing(action, wrappers):
    env = make("fossil", 2, wrappers=wrappers)
    env.reset(seed=3)
    luck = random.Random(1)
    while not any(env.terminations.values()):
        env.step(choose(env, luck))
    before = seen(env)
    with pytest.raises(AssertionError if action else ValueError):
        env.step(action)
    assert seen(env) == before
    env.step(None)
    assert len(env.agents) == 1


@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_game_after_one_that_an_illegal_action_ended_equals_a_fresh_one(name, players):
    fresh = history(make(name, players, illegal="terminate"), seed=7, luck=2)
    for wrappers in (False, True):
        env = make(name, players, illegal="terminate", wrappers=wrappers)
        for steps in (0, 1, 5, 20):
            env.reset(seed=1)
            walk(env, random.Random(steps), steps)
            env.step(illegal_of(env))
            assert all(env.terminations.values())
            walk(env, random.Random(0), steps % 2)  # sometimes a dead step, sometimes none
            assert history(env, seed=7, luck=2) == fresh


class Outcome:
    """What a step did: an error's kind, or what the environment shows after it."""

    def __init__(self, env: Any, action: Any) -> None:
        EnvLogger.flush()
        try:
            env.step(action)
        except (AssertionError, ValueError, OverflowError) as error:
            # The wrappers' AssertionError is also an IllegalActionError here.
            self.error = AssertionError if isinstance(error, AssertionError) else ValueError
        else:
            self.error = None
        self.messages = [str(message) for message in EnvLogger.mqueue]
        self.seen = seen(env)


@pytest.mark.parametrize("reward", ["outcome", "points"])
@pytest.mark.parametrize("illegal", aec.ILLEGAL)
@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_built_in_checks_do_what_pettingzoos_wrappers_do(name, players, illegal, reward):
    def both() -> list[Any]:
        kwargs = {"illegal": illegal, "reward": reward, "illegal_reward": -3}
        wrapped = face(name).raw_env(num_players=players, **kwargs | {"illegal": "error"})
        if illegal == "terminate":
            wrapped = pettingzoo_wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-3)
        wrapped = pettingzoo_wrappers.AssertOutOfBoundsWrapper(wrapped)
        return [make(name, players, **kwargs), pettingzoo_wrappers.OrderEnforcingWrapper(wrapped)]

    luck = random.Random(12)
    pair = both()
    for episode, bad in enumerate([0.0, 0.05, 0.05, 0.3, 1.0]):
        for env in pair:
            env.reset(seed=episode)
        for _ in range(120):
            env = pair[0]
            action: Any = choose(env, luck) if env.agents else None
            if luck.random() < bad or not env.agents:
                action = luck.choice([-1, 10**9, None, "0", luck.randrange(env.rules.n_actions)])
            ours, theirs = (vars(Outcome(env, action)) for env in pair)
            assert ours == theirs
            if not env.agents and luck.random() < 0.5:
                break


# --- order of calls ------------------------------------------------------------------------------


@pytest.mark.parametrize("wrappers", [False, True])
def test_nothing_can_be_asked_before_the_first_reset(wrappers):
    env = make("fossil", 2, wrappers=wrappers, render_mode="ansi")
    assert env.possible_agents == ["player_0", "player_1"]
    for name in (
        "agents",
        "agent_selection",
        "rewards",
        "terminations",
        "truncations",
        "infos",
        "num_agents",
    ):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    calls = {
        "step": lambda: env.step(0),
        "observe": lambda: env.observe("player_0"),
        "state": env.state,
        "render": env.render,
        "agent_iter": env.agent_iter,
        "get_state": env.get_state,
        "scores": lambda: env.scores,
        "draw": env.draw,
        "describe": lambda: env.describe(3),
        "view": env.view,
    }
    for name, call in calls.items():
        with pytest.raises(AssertionError, match=rf"reset\(\) needs to be called before {name}"):
            call()
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        env.unwrapped.nonsense  # noqa: B018


@pytest.mark.parametrize("wrappers", [False, True])
def test_a_loop_that_forgets_to_step_is_stopped(wrappers):
    env = make("fossil", 2, wrappers=wrappers)
    env.reset(seed=1)
    turns = iter(env.agent_iter())
    next(turns)
    with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\) in a loop"):
        next(turns)


@pytest.mark.parametrize("wrappers", [False, True])
def test_a_step_after_the_end_only_warns(wrappers):
    env = make("fossil", 2, wrappers=wrappers)
    env.reset(seed=1)
    walk(env, random.Random(1))
    before = seen(env)
    env.step(None)
    assert seen(env) == before
    assert len(EnvLogger.mqueue) == 1
    assert "Should reset() first" in EnvLogger.mqueue[0]


def test_the_loop_ends_after_as_many_steps_as_asked_for():
    env = make("fossil", 2)
    env.reset(seed=1)
    luck = random.Random(1)
    assert sum(1 for _ in env.agent_iter(5) if env.step(choose(env, luck)) is None) == 5
    assert sum(1 for _ in env.agent_iter(0)) == 0


def test_rendering_without_a_mode_warns():
    env = make("fossil", 2)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"num_players": 7}, "num_players is 7; allowed: 2, 3, 4, 5, 6"),
        ({"reward": "score"}, "reward is 'score'; allowed: 'outcome', 'points', 'margin'"),
        ({"illegal": "ignore"}, "illegal is 'ignore'; allowed: 'error', 'terminate'"),
        ({"render_mode": "human"}, "render_mode is 'human'; allowed: None, 'ansi'"),
        ({"reward": []}, r"reward is \[\]; allowed: 'outcome', 'points', 'margin'"),
        ({"reward": np.array(["points"] * 2)}, "reward is array.*; allowed: 'outcome'"),
        ({"setup": np.array([1, 2])}, "option setup is array.*; allowed: auto, large, small"),
        ({"illegal_reward": float("nan")}, "illegal_reward is nan; allowed: a finite number"),
        ({"illegal_reward": None}, "illegal_reward is None; allowed: a finite number"),
        ({"board": "large"}, "fossil has no option 'board'; known: num_players, tactical, setup"),
        ({"tactical": "yes"}, "option tactical is 'yes'; allowed: False, True"),
    ],
)
def test_a_wrong_option_is_refused_with_what_is_allowed(kwargs, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        face("fossil").env(**kwargs)


def test_the_options_are_those_asked_for_and_stay_so():
    env = face("fossil").env(num_players=3, tactical=True, setup="large", reward="margin")
    for seed in (None, 1, None):
        env.reset(seed=seed)
        assert env.options == {"num_players": 3, "tactical": True, "setup": "large"}
        assert (env.reward_mode, env.num_agents) == ("margin", 3)
        assert len(legal_of(env)) == 81


@pytest.mark.parametrize("name", ["num_players", "tactical", "reward", "render_mode"])
def test_a_reset_refuses_what_is_fixed_when_the_environment_is_made(name):
    env = make("fossil", 2)
    with pytest.raises(ValueError, match=rf"{name} is set when the environment is made: env\("):
        env.reset(seed=1, options={name: 3})
    env.reset(seed=1, options={"of another environment": 1})


# --- copies --------------------------------------------------------------------------------------


def by_bytes(env: Any) -> Any:
    """Copy an environment through `get_state` into one that was in another game."""
    other = type(env)(reward=env.reward_mode, illegal=env.illegal, **env.options)
    other.reset(seed=99)
    walk(other, random.Random(0), 9)
    other.set_state(env.get_state())
    return other


def looked_at(ply):
    """Say whether a ply is looked at closely: all of the first 50, then one in eleven."""
    return ply < 50 or ply % 11 == 0


COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "get_state": by_bytes,
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_copy_at_any_ply_goes_on_exactly(name, players, how):
    env = make(name, players, reward="points")
    env.reset(seed=5)
    luck = random.Random(13)
    ply = 0
    while env.agents:
        if looked_at(ply):
            twin = COPIES[how](env)
            state = env.get_state()
            assert seen(twin) == seen(env)
            assert twin.get_state() == state
            walk(twin, random.Random(ply), 10**6 if ply % 16 == 0 else 3)
            assert env.get_state() == state, "the copy shares nothing"
        env.step(choose(env, luck))
        ply += 1
    twin = COPIES[how](env)
    assert seen(twin) == seen(env)
    twin.reset(), env.reset()
    assert seen(twin) == seen(env), "the same seeds come next"


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("illegal", aec.ILLEGAL)
def test_original_and_copy_play_on_alike(how, illegal):
    env = make("fossil", 4, reward="margin", illegal=illegal)
    env.reset(seed=6)
    walk(env, random.Random(14), 20)
    if illegal == "terminate":
        env.step(illegal_of(env))
        env.step(None)
    twin = COPIES[how](env)
    luck = random.Random(15)
    for _ in range(2):
        while env.agents:
            action = choose(env, luck)
            env.step(action)
            twin.step(action)
            assert seen(twin) == seen(env)
        env.reset(), twin.reset()
        assert seen(twin) == seen(env)


def test_a_copy_samples_the_same_actions():
    env = make("fossil", 2)
    env.reset(seed=1)
    env.action_space("player_0").seed(3)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.action_space("player_0") is not env.action_space("player_0")
        samples = [one.action_space("player_0").sample() for one in (copy.deepcopy(env), twin)]
        assert samples[0] == samples[1]


def test_a_copy_can_be_looped_over_in_the_middle_of_a_loop():
    env = make("fossil", 2)
    env.reset(seed=1)
    luck = random.Random(1)
    for _ in env.agent_iter(3):
        twin = copy.deepcopy(env)
        assert sum(1 for _ in twin.agent_iter() if twin.step(choose(twin, luck)) is None) > 20
        env.step(choose(env, luck))


def test_a_wrapped_environment_copies_too():
    env = make("fossil", 3, wrappers=True, illegal="terminate")
    env.reset(seed=1)
    walk(env, random.Random(1), 8)
    twin = copy.deepcopy(env)
    state = env.get_state()
    walk(twin, random.Random(2))
    assert env.get_state() == state


def test_a_copy_of_an_environment_before_its_first_reset_is_one_too():
    for twin in (copy.deepcopy(make("fossil", 2)), pickle.loads(pickle.dumps(make("fossil", 2)))):
        with pytest.raises(AttributeError, match="agents cannot be accessed before reset"):
            twin.agents  # noqa: B018
        with pytest.raises(AssertionError):
            twin.agent_iter()
        assert history(twin, seed=1, luck=1) == history(make("fossil", 2), seed=1, luck=1)


def saved_state(**kwargs: Any) -> bytes:
    """Return a saved state from the middle of a game."""
    env = face("fossil").env(**kwargs)
    env.reset(seed=1)
    walk(env, random.Random(1), 5)
    return env.get_state()


def test_a_foreign_or_damaged_state_is_refused_and_changes_nothing():
    whole = saved_state()
    middle = len(whole) // 2
    wrong = {
        b"": "not a saved state",
        b"PK\x03\x04" + whole: "not a saved state",
        whole[:5]: "not a saved state",
        whole[:8]: "cut off or damaged",
        whole[:12]: "cut off or damaged",
        whole[:middle]: "cut off or damaged",
        whole[:-1]: "cut off or damaged",
        whole + b"\0": "cut off or damaged",
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]: "cut off or damaged",
        saved_state(num_players=3): "has options .*3.*, this environment has .*2",
        saved_state(tactical=True): "has options",
        saved_state(reward="points"): "has reward 'points', this environment has 'outcome'",
    }
    env = face("fossil").env()
    env.reset(seed=2)
    before = env.get_state()
    for data, message in wrong.items():
        with pytest.raises(ValueError, match=message):
            env.set_state(data)
        assert env.get_state() == before
    with pytest.raises(ValueError, match="not a saved state"):
        env.set_state("text")


def taken_apart(data: bytes, env: Any) -> tuple[dict[str, Any], np.ndarray]:
    """Return the header and the record of a saved state."""
    header, record = saved.unpack(data, {}, env.rules.STATE.itemsize)
    return header, np.frombuffer(record, env.rules.STATE).copy()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("env", None),
        ("agents", None),
        ("agents", ["player_9"]),
        ("agents", ["player_1", "player_0"]),
        ("agents", []),  # while the rewards are those of two
        ("agent_selection", "player_0"),  # the other one is to play
        ("agent_selection", 1),
        ("_skip_agent_selection", "nobody"),
        ("rewards", {}),
        ("rewards", {"player_0": 0.0, "player_1": float("nan")}),
        ("_cumulative_rewards", [0.0, 0.0]),
        ("terminations", {"player_0": 0, "player_1": 0}),
        ("truncations", {"player_0": False}),
        ("luck", None),
        ("luck", -1),
        ("luck", 2**64),
        ("generator", None),
        ("generator", {"a": 1}),
        ("generator", {"bit_generator": "PCG64", "state": {"state": -1, "inc": 1}}),
    ],
    ids=repr,
)
def test_a_header_that_cannot_be_is_refused_and_changes_nothing(name, value):
    env = face("fossil").env()
    header, record = taken_apart(saved_state(), env)
    assert header["agent_selection"] == "player_1"
    env.reset(seed=2)
    before = env.get_state()
    changed = [header | {name: value}, {k: v for k, v in header.items() if k != name}]
    for one in changed if value is None else changed[:1]:
        with pytest.raises(ValueError, match="the saved state has"):
            env.set_state(saved.pack(one, record.tobytes()))
        assert env.get_state() == before
    for one in ([1], "text", 5):
        with pytest.raises(ValueError, match="the saved state has env None"):
            env.set_state(saved.pack(one, record.tobytes()))
    assert env.get_state() == before


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("num_players", 127, "2"),
        ("num_players", 3, "2"),
        ("to_play", 100, "0 to 1"),
        ("tile", 100, "-1 to 26"),
        ("stone", 120, "0 to 80"),
        ("ray", 2**16 - 1, r"\d+"),
        ("ply", 102, "0 to 101"),
    ],
)
def test_a_record_that_cannot_be_is_refused_and_changes_nothing(name, value, allowed):
    env = face("fossil").env()
    header, record = taken_apart(saved_state(), env)
    env.reset(seed=2)
    before = env.get_state()
    record[name] = value
    with pytest.raises(ValueError, match=rf"{name}\S* is {value}; allowed: {allowed}$"):
        env.set_state(saved.pack(header, record.tobytes()))
    assert env.get_state() == before


def test_a_state_of_other_rules_is_refused(monkeypatch):
    data, pickled = saved_state(), pickle.dumps(face("fossil").env())
    monkeypatch.setitem(vars(table.rules("fossil")), "rules_hash", "0123456789abcdef")
    with pytest.raises(
        ValueError, match=r"has rules '\w{16}', this environment has '0123456789abc"
    ):
        face("fossil").env().set_state(data)
    with pytest.raises(ValueError, match=r"has rules '\w{16}'"):
        pickle.loads(pickled)


# --- views ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_view_of_an_agent_is_its_observation_and_mask(name, players):
    env = make(name, players)
    env.reset(seed=1)
    luck = random.Random(16)
    for ply in itertools.count():
        if not env.agents:
            break
        for agent in env.agents if looked_at(ply) else ():
            view, observation = env.view(agent), env.observe(agent)
            assert view.observation.tobytes() == observation["observation"].tobytes()
            assert view.mask.tobytes() == observation["action_mask"].tobytes()
        env.step(choose(env, luck))


def test_the_luck_of_a_view_is_its_own():
    env, other = make("fossil", 2), make("fossil", 2)
    for one in (env, other):
        one.reset(seed=1)
    luck = random.Random(17)
    seeds = []
    while not any(env.terminations.values()):
        view = env.view()
        assert view.player == int(env.agent_selection[-1])
        assert env.view().seed == view.seed, "asking twice changes nothing"
        seeds += [int(env.view(agent).seed) for agent in env.agents]
        action = choose(env, luck)
        env.step(action)
        other.step(action)
    assert len(set(seeds)) == len(seeds)
    assert env.view("player_0", seed=5).seed == 5
    env.reset(), other.reset()
    assert seen(env) == seen(other), "views do not touch the luck of later games"


def test_the_luck_of_a_view_does_not_follow_from_the_games_seed():
    env = make("fossil", 2)
    env.reset(seed=1)
    seed = env.view().seed
    env._states["seed"] += 1
    assert env.view().seed == seed


# --- spaces --------------------------------------------------------------------------------------


def test_sampling_under_a_mask_gives_the_same_actions_as_gymnasium():
    ours, theirs = ActionSpace(218), spaces.Discrete(218)
    assert ours == theirs
    assert repr(ours) == "Discrete(218)"
    ours.seed(5), theirs.seed(5)
    generator = np.random.default_rng(0)
    for density in generator.random(400) * 0.1:
        mask = (generator.random(218) < density).astype(np.int8)
        pair = ours.sample(mask), theirs.sample(mask)
        assert pair[0] == pair[1]
        assert isinstance(pair[0], np.int64)
    assert ours.sample() == theirs.sample()
    assert pickle.loads(pickle.dumps(ours)).sample() == ours.sample()
    weights = np.full(218, 1 / 218)
    theirs.sample()
    assert ours.sample(probability=weights) == theirs.sample(probability=weights)


@pytest.mark.parametrize(
    "mask",
    [
        np.full(218, 2, np.int8),
        np.full(218, -1, np.int8),
        np.ones(218, bool),
        np.ones(217, np.int8),
        [1] * 218,
    ],
    ids=["two", "negative", "bool", "short", "list"],
)
def test_a_mask_that_is_none_is_refused_as_gymnasium_does(mask):
    for space in (ActionSpace(218), spaces.Discrete(218)):
        with pytest.raises(AssertionError, match="sample mask"):
            space.sample(mask)


def test_every_agent_has_spaces_of_its_own():
    env = make("fossil", 2)
    for find in (env.action_space, env.observation_space):
        assert find("player_0") is find("player_0")
        assert find("player_0") is not find("player_1")
        assert find("player_0") == find("player_1")


def test_numbers_are_written_in_short():
    assert ranges([]) == ""
    assert ranges([4]) == "4"
    assert ranges([1, 2, 5, 7, 8, 9]) == "1, 2, 5, 7 to 9"


@pytest.mark.parametrize(
    "module",
    [
        "aec",
        "episode",
        "illegal",
        "text",
        "view",
        *(row.env.split(".")[1] for row in table.GAMES.values()),
    ],
)
def test_the_examples_in_docstrings_are_true(module):
    found = doctest.testmod(importlib.import_module(f"bonebed.envs.{module}"))
    assert found.attempted > 0
    assert found.failed == 0
