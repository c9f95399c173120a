"""Games of one seat through every layer: a player against a house, and one who is quite alone."""

import copy
import json
import pickle
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import bonebed
import toy_shaft
from bonebed import cli
from bonebed.agents import agent, records
from bonebed.agents.evaluate import evaluate
from bonebed.agents.seats import opponents_of, sb3_vec_env, seat_env, seat_vector_env
from bonebed.agents.session import Session
from bonebed.agents.warmup import _parts
from bonebed.envs import table
from bonebed.envs.text import first_place
from toy_shaft import BLAST, CAREFUL, DEEP, HOUSE, LONE, TURNS

with warnings.catch_warnings():
    # PettingZoo's tests import its own games, which warn about themselves.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

ALONE = [HOUSE.name, LONE.name]
each_game = pytest.mark.parametrize("name", ALONE)
REWARDS = ("outcome", "points", "margin")
# PettingZoo raises these two about every dict observation that is not its own, see test_aec.py.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.fixture(autouse=True)
def in_the_table(monkeypatch):
    """Put the toys into the table of games."""
    for name, row in toy_shaft.ROWS.items():
        monkeypatch.setitem(table.GAMES, name, row)


def end_of(game, seed, actions, **options):
    """Return how a game ends."""
    state = game.new(seed, **options)
    for action in actions:
        game.step(state, np.int64(action))
    assert state.done
    return state


def lead_of(state):
    """Return the result of who plays alone, by hand."""
    return max(-1.0, min(1.0, (int(state.score[0]) - int(state.takings)) / 12))


# --- PettingZoo -----------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("wrappers", [False, True])
def test_pettingzoos_tests_pass_with_one_agent(name, wrappers):
    api_test(table.face(name).env(wrappers=wrappers), num_cycles=100)
    seed_test(lambda: table.face(name).env(wrappers=wrappers))


@each_game
@pytest.mark.parametrize("reward", REWARDS)
def test_one_agent_acts_all_the_time_and_is_paid_for_what_it_does(name, reward):
    env = table.face(name).env(reward=reward)
    env.reset(seed=4)
    paid = []
    for _ in range(TURNS):
        assert env.agent_selection == "player_0"
        env.step(DEEP)
        paid.append(env.rewards["player_0"])
    end = end_of(table.rules(name), 4, [DEEP] * TURNS)
    assert env.terminations == {"player_0": True}
    if reward == "outcome":
        assert paid == [0.0] * (TURNS - 1) + [pytest.approx(lead_of(end))]
    else:
        assert sum(paid) == end.score[0]


@each_game
def test_an_illegal_action_of_one_agent_ends_its_game(name):
    env = table.face(name).raw_env(illegal="terminate", illegal_reward=-3.0)
    env.reset(seed=1)
    env.step(CAREFUL)
    env.step(BLAST)  # too late
    assert env.rewards == {"player_0": -3.0}
    assert env.truncations == {"player_0": True}
    again = table.face(name).env()
    again.reset(seed=1)
    again.step(CAREFUL)
    with pytest.raises(ValueError, match="player_0"):
        again.step(BLAST)


@pytest.mark.parametrize("options", [{"num_players": 2}, {"house": "seat"}])
def test_the_agents_have_the_names_that_the_game_gives_them(options):
    env = table.face(HOUSE.name).env(**options)
    assert env.possible_agents == ["player_0", "house_0"]
    api_test(env, num_cycles=100)
    env.reset(seed=1)
    env.step(CAREFUL)
    assert env.agent_selection == "house_0"
    assert env.scores == {"player_0": 2, "house_0": 0}
    with pytest.raises(ValueError, match="house_0"):
        env.step(9)
    again = table.face(HOUSE.name).env(**options)
    again.reset(seed=2)
    again.set_state(env.get_state())
    assert again.agent_selection == "house_0"
    assert table.face(HOUSE.name).env().possible_agents == ["player_0"]


# --- one learner ----------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("reward", REWARDS)
def test_gymnasium_plays_it_without_opponents(name, reward):
    env = seat_env(name, reward=reward)
    assert opponents_of(name, "greedy") == opponents_of(name, []) == []
    obs, info = env.reset(seed=3)
    paid = 0.0
    for _ in range(TURNS):
        obs, gain, done, _, info = env.step(DEEP)
        assert env.observation_space.contains(obs)
        paid += gain
    assert done
    assert info["seat"] == 0
    if reward == "outcome":
        assert paid == pytest.approx(info["outcome"][0])
    else:
        assert paid == info["score"][0]
    check_env(seat_env(name, illegal="terminate"), skip_render_check=True)


def test_as_many_opponents_are_made_as_follow_from_the_options():
    assert seat_env(HOUSE.name, "random", house="seat").num_players == 2
    assert seat_env(HOUSE.name, ["random"], 2).num_players == 2
    with pytest.raises(ValueError, match="there are 1 opponents; 1 players need 0"):
        seat_env(HOUSE.name, ["random"])


@each_game
def test_an_illegal_action_of_the_learner_is_the_worst_result(name):
    env = seat_env(name, illegal="terminate", illegal_reward=-7.0)
    env.reset(seed=3)
    env.step(CAREFUL)
    _, reward, done, _, info = env.step(BLAST)
    assert (reward, done, info["outcome"].tolist()) == (-7.0, True, [-1.0])
    strict = seat_env(name)
    strict.reset(seed=3)
    strict.step(CAREFUL)
    with pytest.raises(ValueError, match="cannot play 2"):
        strict.step(BLAST)


@each_game
@pytest.mark.parametrize("reward", REWARDS)
def test_many_games_at_a_time_are_the_same_games(name, reward):
    envs = seat_vector_env(name, num_envs=3, reward=reward)
    vec = sb3_vec_env(name, num_envs=3, reward=reward)
    singles = [seat_env(name, reward=reward) for _ in range(3)]
    envs.reset(seed=5)
    vec.seed(5)
    vec.reset()
    for i, env in enumerate(singles):
        env.reset(seed=5 + i)
    for _ in range(TURNS):
        ours = [env.step(DEEP)[1] for env in singles]
        assert envs.step(np.full(3, DEEP))[1].tolist() == ours
        assert vec.step(np.full(3, DEEP))[1].tolist() == pytest.approx(ours)
    assert np.isfinite(ours).all()


@each_game
def test_a_learner_is_copied_and_saved_in_the_middle(name):
    env = seat_env(name)
    env.reset(seed=8)
    env.step(DEEP)
    kept = env.get_state()
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), seat_env(name)]
    others[2].set_state(kept)
    ends = [[one.step(DEEP)[1] for _ in range(TURNS - 1)] for one in (env, *others)]
    assert ends[0] == ends[1] == ends[2] == ends[3]


@each_game
def test_a_batch_plays_it(name):
    games = bonebed.batch(name, num_envs=4, seed=2)
    for _ in range(3 * TURNS):
        games.step(np.full(4, DEEP))
        assert (games.to_play == 0).all()
    assert games.final_outcome.shape == (4, 1)
    games.load(games.save())
    assert games.observe_all().shape == (4, 1, 4)


# --- agents ---------------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize(
    "spec",
    ["random", "greedy", "rollout:playouts=20", "ismcts:simulations=50", "ismcts:exploration=1"],
)
def test_agents_play_alone(name, spec):
    result = evaluate(name, [spec], games=20, seed=1)
    (found,) = result.agents
    assert found.games == result.deals == 20
    assert found.alone.score.low < found.alone.score.value < found.alone.score.high
    assert -1 <= found.alone.outcome.value <= 1
    assert "alone: 20 games on 20 deals" in str(result)


@each_game
def test_a_search_finds_what_is_best_on_average(name):
    # A blast brings 3 points, a deep dig 2.5 on average. Who begins with the blast has as many
    # turns left as who does not, and the house digs deep in either case: it is behind.
    rules = table.rules(name)
    env = table.face(name).env()
    for seed in range(5):
        env.reset(seed=seed)
        assert agent("ismcts:simulations=3000", game=name).act(env.view()) == BLAST
    assert end_of(rules, 1, [BLAST] + [CAREFUL] * (TURNS - 1)).score[0] == 9


@each_game
def test_agents_alone_are_compared_on_the_same_deals(name, tmp_path):
    file = tmp_path / "matches.jsonl"
    specs = ["ismcts:simulations=60", "random", "greedy"]
    result = evaluate(name, specs, games=60, seed=3, record=file)
    assert (result.deals, result.games, result.seats) == (20, 60, ())
    outcome = np.full((20, 3), np.nan)
    score = np.full((20, 3), np.nan)
    for match in records.read(file):
        assert len(match.seats) == 1
        for _ in records.positions(match):  # replays
            pass
        deal, one = match.evaluation["deal"], specs.index(match.seats[0])
        outcome[deal, one], score[deal, one] = match.outcome[0], match.score[0]
    for i, found in enumerate(result.agents):
        assert found.games == 20
        assert found.alone.score.value == pytest.approx(score[:, i].mean())
        assert found.alone.outcome.value == pytest.approx(outcome[:, i].mean())
        spread = 1.96 * score[:, i].std(ddof=1) / np.sqrt(20)
        assert found.alone.score.high - found.alone.score.value == pytest.approx(spread, rel=1e-3)
        others = np.delete(score, i, 1).mean(1)
        assert found.score_margin.value == pytest.approx((score[:, i] - others).mean())
        for j, share in enumerate(found.alone.better_than):
            ahead, level = outcome[:, i] > outcome[:, j], outcome[:, i] == outcome[:, j]
            assert share.value == pytest.approx((ahead + 0.5 * level).mean())
        best = outcome == outcome.max(1, keepdims=True)
        assert found.win_rate.value == pytest.approx(
            (best / best.sum(1, keepdims=True))[:, i].mean()
        )
    told = json.loads(json.dumps(result.to_dict()))
    assert told["agents"][1]["better_than"][1]["value"] == 0.5
    assert "outcome" in told["agents"][0]
    assert f"{specs[0]} better than random" in " ".join(str(result).split())
    again = evaluate(name, specs, games=60, seed=3, record=file)
    assert again.to_dict() == result.to_dict()


def test_several_agents_play_a_game_alone_and_take_no_turns_as_the_house():
    assert evaluate(HOUSE.name, ["random", "greedy"], games=4).options["num_players"] == 1
    for options in ({"num_players": 2}, {"house": "seat"}):  # the house is not like the player
        with pytest.raises(ValueError, match=r"the seat house_0 is not like .* --against pal,"):
            evaluate(HOUSE.name, ["random", "greedy"], games=4, **options)


@each_game
def test_everything_that_is_compiled_ahead_can_be(name):
    for work in _parts(name).values():
        work()


# --- training -------------------------------------------------------------------------------------


@each_game
def test_networks_learn_it(name, tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    assert cli.main(
        ["train", "ppo", "--game", name, "--folder", str(tmp_path / "ppo"), "--total-decisions",
         "256", "--num-envs", "8", "--num-steps", "8", "--minibatch-size", "16", "--evaluations",
         "1", "--evaluation-games", "4"]
    ) == 0  # fmt: skip
    assert cli.main(
        ["train", "sb3", "--game", name, "--folder", str(tmp_path / "sb3"), "--total-decisions",
         "64", "--num-envs", "4", "--num-steps", "8", "--minibatch-size", "16", "--evaluations",
         "1", "--evaluation-games", "4"]
    ) == 0  # fmt: skip
    result = evaluate(
        name, [f"network:path={tmp_path / 'ppo'}", f"sb3:path={tmp_path / 'sb3'}"], games=4
    )
    assert [found.games for found in result.agents] == [2, 2]


# --- the command line -----------------------------------------------------------------------------


def test_the_list_of_games_says_that_it_is_for_one(capsys, monkeypatch):
    monkeypatch.setattr(table, "GAMES", dict(toy_shaft.ROWS))  # loading the others takes long
    assert cli.main(["games"]) == 0
    printed = capsys.readouterr().out
    (row,) = [line for line in printed.splitlines() if LONE.name in line]
    assert row.split("│")[3].strip() == "1"
    assert "house=rules|seat" in printed


@each_game
def test_a_person_plays_alone(name, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    typed = iter(["dig deep"] * TURNS)
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    assert cli.main(["play", name, "--seed", "5", "--save", "end.json"]) == 0
    printed = capsys.readouterr().out
    assert "player 0 (human): dig deep" in printed
    assert "final score" in printed
    assert cli.main(["replay", "end.json"]) == 0
    assert "The end, as recorded: player 0" in capsys.readouterr().out


def test_the_house_is_played_by_greedy_unless_somebody_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda *_: "dig deep")
    assert cli.main(["play", HOUSE.name, "--options", "house=seat", "--seed", "5"]) == 0
    assert "player 1 (greedy): dig" in capsys.readouterr().out
    assert cli.main(["play", HOUSE.name, "--seats", "greedy", "--seed", "5"]) == 0
    assert cli.main(["play", HOUSE.name, "--seats", "greedy,random", "--seed", "5"]) == 0
    assert "player 1 (random): dig" in capsys.readouterr().out
    assert cli.main(["play", LONE.name, "--seats", "greedy,random"]) == 2
    assert "num_players is 2; allowed: 1" in capsys.readouterr().err


def test_the_command_evaluates_agents_alone(capsys, tmp_path):
    output = tmp_path / "result.json"
    file = tmp_path / "matches.jsonl"
    assert cli.main(
        ["evaluate", LONE.name, "--agents", "greedy,random", "--games", "20", "--record",
         str(file), "--output", str(output), "--no-progress"]
    ) == 0  # fmt: skip
    assert "greedy better than random on a deal" in " ".join(capsys.readouterr().out.split())
    assert json.loads(output.read_text())["agents"][0]["score"]["value"] > 0
    assert cli.main(["replay", str(file)]) == 0
    assert "20 matches re-played, every end as recorded" in capsys.readouterr().out


def test_the_end_of_a_game_alone_has_no_winner():
    end = end_of(LONE, 1, [CAREFUL] * TURNS)
    assert first_place(LONE, end) == "The game is over, with 8 points."


@each_game
def test_a_match_alone_is_left_and_taken_up_again(name, tmp_path):
    session = Session(name, ["greedy"], 7)
    session._take(DEEP)
    session.save(tmp_path / "left.json")
    again = Session.resume(tmp_path / "left.json")
    assert again.play()
    assert again.match().score == tuple(end_of(table.rules(name), 7, again.actions).score[:1])


def test_an_agent_object_decides_for_a_view_alone():
    env = table.face(LONE.name).env()
    env.reset(seed=1)
    assert agent("greedy", game=LONE.name).act(env.view()) in (CAREFUL, DEEP, BLAST)
