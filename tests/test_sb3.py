"""Stable-Baselines3: the native VecEnv, training with the real library, models as agents."""

import pickle
import random
import zipfile

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

import bonebed
from bonebed.agents import agent
from bonebed.agents.sb3 import MODEL
from bonebed.agents.seats import sb3_vec_env, seat_env
from bonebed.benchmarks.collect import TrivialVecEnv, sb3_collection_ratio
from bonebed.envs import Views, table
from bonebed.envs.illegal import IllegalActionError
from bonebed.train import sb3

GAMES = tuple(bonebed.games())
QUICK = {
    "num_envs": 8,
    "num_steps": 16,
    "minibatch_size": 64,
    "epochs": 1,
    "hidden": (16,),
    "threads": 1,
    "evaluations": 1,
    "evaluation_games": 4,
}


@pytest.fixture(autouse=True)
def one_thread():
    """Networks this small are fastest on one thread, above all where the machine is busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def legal_actions(masks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return a legal action for each game."""
    return np.array([generator.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.mark.parametrize(
    "settings",
    [
        {"opponents": "random", "seat": 0},
        {"opponents": ["greedy", "random"], "num_players": 3, "seat": None, "reward": "points"},
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_it_behaves_as_single_environments_under_the_librarys_own(game, settings):
    most = table.rules(game).max_players
    if settings.get("num_players", 2) > most:
        settings = settings | {"num_players": most, "opponents": settings["opponents"][: most - 1]}
    ours = sb3_vec_env(game, 6, **settings)
    theirs = VecMonitor(DummyVecEnv([lambda: seat_env(game, **settings) for _ in range(6)]))
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.seed(5) == theirs.seed(5) == list(range(5, 11))
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    generator = np.random.default_rng(0)
    steps = ended = 0
    while steps < 120 or ended <= 6:
        masks = get_action_masks(ours)
        np.testing.assert_array_equal(masks, get_action_masks(theirs))
        actions = legal_actions(masks, generator)
        obs, rewards, ends, infos = ours.step(actions)
        obs2, rewards2, ends2, infos2 = theirs.step(actions)
        np.testing.assert_array_equal(obs, obs2)
        np.testing.assert_allclose(rewards, rewards2, rtol=1e-6)
        np.testing.assert_array_equal(ends, ends2)
        for info, info2 in zip(infos, infos2, strict=True):
            same_info(info, info2)
        ended += int(ends.sum())
        steps += 1


def same_info(ours: dict, theirs: dict) -> None:
    """Check an info; only the end of a game says more than nothing."""
    if "episode" not in theirs:
        assert ours == {}
        return
    for key in ("terminal_observation", "score", "outcome"):
        np.testing.assert_array_equal(ours[key], theirs[key])
    assert ours["TimeLimit.truncated"] is theirs["TimeLimit.truncated"] is False
    assert ours["episode"]["l"] == theirs["episode"]["l"]
    assert ours["episode"]["r"] == pytest.approx(theirs["episode"]["r"])
    assert ours["is_success"] == (theirs["outcome"][theirs["seat"]] == 1.0)


def test_sb3_contrib_finds_the_masks():
    env = sb3_vec_env("fossil", 4)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (4, table.rules("fossil").n_actions)
    assert masks.dtype == np.bool_
    for i in range(4):
        np.testing.assert_array_equal(env.env_method("action_masks", indices=i)[0], masks[i])
    chosen = env.env_method("action_masks", indices=[3, 1])
    np.testing.assert_array_equal(chosen, masks[[3, 1]])


def test_what_a_step_returned_is_intact_during_the_next_one():
    env = sb3_vec_env("fossil", 8)
    obs = env.reset()
    generator = np.random.default_rng(0)
    for _ in range(60):
        masks = env.env_method("action_masks")
        kept = [obs.copy(), np.stack(masks)]
        following = env.step(legal_actions(kept[1], generator))[0]
        np.testing.assert_array_equal(obs, kept[0])
        np.testing.assert_array_equal(masks, kept[1])
        assert not np.shares_memory(obs, following)
        obs = following


def test_an_illegal_action_names_its_game_and_changes_nothing():
    env = sb3_vec_env("fossil", 4)
    obs = env.reset()
    actions = get_action_masks(env).argmax(axis=1)
    before = env.seats.save()
    with pytest.raises(IllegalActionError, match=r"game 3: seat 0 cannot play -1:"):
        env.step(np.where(np.arange(4) == 3, -1, actions))
    assert env.seats.save() == before
    np.testing.assert_array_equal(env.seats.obs, obs)
    env.step(actions)


def test_attributes_and_methods_are_those_of_single_environments():
    env = sb3_vec_env("fossil", 3, "random", 4, render_mode="ansi")
    env.reset()
    assert env.get_attr("num_players") == [4, 4, 4]
    assert env.get_attr("render_mode", indices=[0, 2]) == ["ansi", "ansi"]
    assert not env.has_attr("no_such_thing")
    with pytest.raises(AttributeError, match="no_such_thing"):
        env.get_attr("no_such_thing")
    with pytest.raises(AttributeError, match="no_such_thing"):
        env.env_method("no_such_thing")
    env.set_attr("label", "a")
    env.set_attr("label", "b", indices=1)
    assert env.get_attr("label") == ["a", "b", "a"]
    assert env.env_is_wrapped(Monitor, indices=[0]) == [True]
    assert env.env_is_wrapped(VecMonitor) == [False, False, False]
    texts = env.env_method("render")
    assert len(set(texts)) == 3
    assert env.env_method("view", indices=2)[0].text() == texts[2]
    assert env.unwrapped is env
    env.close()


def test_seeds_are_used_once_and_then_the_next_games_follow():
    env, other = sb3_vec_env("fossil", 3), sb3_vec_env("fossil", 3)
    env.seed(1)
    first, second = env.reset().copy(), env.reset().copy()
    assert (first != second).any(axis=1).all()
    other.seed(1)
    np.testing.assert_array_equal(other.reset(), first)
    np.testing.assert_array_equal(other.reset(), second)
    other.seed(7)
    for wrong in (-1, 2**64 - 2, True, 1.5):  # the last of three games would have 2**64
        with pytest.raises(ValueError, match=r"seed is \S+; allowed: a whole number from 0 to"):
            other.seed(wrong)
    env.seed(7)
    np.testing.assert_array_equal(other.reset(), env.reset())
    before = (random.getstate(), pickle.dumps(np.random.get_state()))
    assert len(set(env.seed(None))) == 3
    env.reset()
    assert (random.getstate(), pickle.dumps(np.random.get_state())) == before


def small_model(env) -> MaskablePPO:
    """Return an untrained model that is quick to train."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=16,
        batch_size=64,
        n_epochs=1,
        gamma=1.0,
        policy_kwargs={"net_arch": [16]},
        seed=0,
        device="cpu",
    )


@pytest.mark.parametrize("opponents", ["random", "greedy", "rollout:playouts=1"])
@pytest.mark.parametrize("game", GAMES)
def test_the_library_trains_on_it_and_the_saved_model_plays(game, opponents, tmp_path):
    env = sb3_vec_env(game, 8, opponents, seat=None)  # an illegal move would be an error
    model = small_model(env)
    model.learn(3 * 8 * 16)
    assert model.num_timesteps == 3 * 8 * 16
    model.save(tmp_path / "some model")
    result = bonebed.evaluate(game, [f"sb3:path={tmp_path}/some model", "random"], games=20, seed=0)
    assert result.games == 20
    # The library's own evaluation: no warning, and rewards of whole games.
    rewards, lengths = evaluate_policy(model, env, 8, return_episode_rewards=True, warn=True)
    if env.seats.num_players == 2:
        assert set(rewards) <= {-1.0, 0.0, 1.0}
    assert -1 <= min(rewards) <= max(rewards) <= 1
    assert min(lengths) > 1


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Train shortly and return the run's folder."""
    folder = tmp_path_factory.mktemp("run") / "new" / "folder"
    sb3.train(sb3.Config(folder=folder, total_decisions=3 * 8 * 16, seed=3, **QUICK))
    return folder


def test_training_leaves_a_model_and_curves(run):
    assert (run / MODEL).is_file()
    assert list((run / "tensorboard").glob("events*"))
    assert not [path for path in run.iterdir() if path.name.startswith(".")], "nothing half-written"
    player = agent(f"sb3:path={run}", "fossil")
    assert str(player) == f"sb3:path={run}"
    with pytest.raises(ValueError, match="holds a run already"):
        sb3.train(sb3.Config(folder=run, total_decisions=1, **QUICK))


def test_training_with_the_same_seed_ends_with_the_same_weights(run, tmp_path):
    sb3.train(sb3.Config(folder=tmp_path, total_decisions=3 * 8 * 16, seed=3, **QUICK))
    first, second = (zipfile.ZipFile(each / MODEL).read("policy.pth") for each in (run, tmp_path))
    assert first == second


@pytest.mark.parametrize(
    "settings",
    [
        {"opponents": ("greedy", "random"), "num_players": 3, "seat": 2, "reward": "margin"},
        {"minutes": 0.001, "options": ("tactical=true",)},
    ],
)
def test_training_takes_its_settings(settings, tmp_path):
    sb3.train(sb3.Config(folder=tmp_path, total_decisions=2 * 8 * 16, **QUICK, **settings))
    assert (tmp_path / MODEL).is_file()


def test_a_model_plays_legally_and_by_the_views_luck(run):
    rules = table.rules("fossil")
    batch = bonebed.batch("fossil", 64, seed=1)
    likeliest, drawn = (agent(f"sb3:path={run}{extra}") for extra in ("", ",temperature=1"))
    seen = set()
    for k in range(60):
        seeds = np.arange(k, k + 64, dtype=np.uint64)
        views = Views.of(rules, batch.states, seeds)
        for player in (likeliest, drawn):
            actions = player.act_many(views)
            assert views.mask[np.arange(64), actions].all()
            np.testing.assert_array_equal(actions, player.act_many(views))
            assert player.act(views[5]) in views[5].actions
        again = Views.of(rules, batch.states, seeds + 1000)
        np.testing.assert_array_equal(likeliest.act_many(views), likeliest.act_many(again))
        seen.add(bool((drawn.act_many(views) != drawn.act_many(again)).any()))
        batch.step(drawn.act_many(views))
    assert True in seen


def test_a_model_can_be_an_opponent(run):
    env = sb3_vec_env("fossil", 4, f"sb3:path={run}", seat=None)
    env.reset()
    generator = np.random.default_rng(0)
    ended = 0
    while not ended:
        ended += int(env.step(legal_actions(get_action_masks(env), generator))[2].sum())


def test_a_model_that_cannot_be_used_is_refused_by_name(run, tmp_path):
    with pytest.raises(ValueError, match=r"there is no model .*nowhere"):
        agent(f"sb3:path={tmp_path}/nowhere")
    whole = (run / MODEL).read_bytes()
    for name, data in (("cut.zip", whole[:-200]), ("text.zip", b"not a model"), ("no.zip", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match=rf"{name} is no model of MaskablePPO"):
            agent(f"sb3:path={tmp_path / name}")
    other = TrivialVecEnv(sb3_vec_env("fossil", 2))
    other.observation_space = type(other.observation_space)(-1, 1, (7,), np.float32)
    small_model(other).save(tmp_path / "other")
    with pytest.raises(ValueError, match=r"other\.zip was not made for fossil"):
        agent(f"sb3:path={tmp_path}/other")


def test_collection_is_measured_against_the_same_library_on_nothing():
    found = sb3_collection_ratio("fossil", num_envs=4, num_steps=4, rounds=2)
    assert found.ratio > 0
    assert found.game > 0
    assert found.floor > 0
