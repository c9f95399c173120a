"""The native vector environment: equal to as many seat environments, in every autoreset mode."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import bonebed
from bonebed.agents.seats import seat_env, seat_vector_env
from bonebed.agents.simple import Random
from bonebed.envs import table
from bonebed.envs.illegal import IllegalActionError

GAMES = tuple(bonebed.games())
SETTINGS = (
    {"opponents": "random", "seat": 0, "reward": "outcome"},
    {"opponents": "greedy", "num_players": 2, "seat": 1, "reward": "points"},
    {"opponents": ["random", "greedy"], "num_players": 3, "seat": None, "reward": "margin"},
)


class OutsideRandom(Random):
    """The random agent, asked from outside the compiled driver."""


def legal_actions(masks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return a legal action for each game, 0 where there is none."""
    chosen = [generator.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
    return np.array(chosen)


def many(game: str, settings: dict[str, Any], num_envs: int, mode: AutoresetMode) -> SyncVectorEnv:
    """Return as many single environments under Gymnasium's own vector environment."""
    return SyncVectorEnv(
        [lambda: seat_env(game, **settings) for _ in range(num_envs)], autoreset_mode=mode
    )


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize("game", GAMES)
def test_it_equals_single_environments_infos_included(game, mode, settings):
    most = table.rules(game).max_players
    if settings.get("num_players", 2) > most:
        settings = settings | {"num_players": most, "opponents": settings["opponents"][: most - 1]}
    ours = seat_vector_env(game, 5, autoreset_mode=mode, **settings)
    theirs = many(game, settings, 5, mode)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    seeds = [7, 3, 2**63, 9, 7]
    first, second = ours.reset(seed=seeds), theirs.reset(seed=seeds)
    assert data_equivalence(first, second, exact=True)
    generator = np.random.default_rng(0)
    steps = ended = 0
    while steps < 200 or ended == 0:
        steps += 1
        actions = legal_actions(first[-1]["action_mask"], generator)
        first, second = ours.step(actions), theirs.step(actions)
        for a, b in zip(first[:4], second[:4], strict=True):
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype
        assert same_infos(first[4], second[4])
        ended += int(first[2].sum())


def same_infos(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Tell whether infos are equal, object arrays and nested dicts included."""
    assert ours.keys() == theirs.keys()
    for key, value in ours.items():
        if isinstance(value, dict):
            assert same_infos(value, theirs[key])
        elif value.dtype == object:
            assert all(np.array_equal(a, b) for a, b in zip(value, theirs[key], strict=True))
        else:
            np.testing.assert_array_equal(value, theirs[key], err_msg=key)
    return True


@pytest.mark.parametrize("game", GAMES)
def test_sixty_four_games_equal_sixty_four_environments(game):
    name = table.game(game).gym_id
    ours = gymnasium.make_vec(name, num_envs=64, vectorization_mode="vector_entry_point")
    theirs = [gymnasium.make(name) for _ in range(64)]
    obs, infos = ours.reset(seed=100)
    masks = np.zeros((64, ours.single_action_space.n), np.int8)
    for i, env in enumerate(theirs):
        first, info = env.reset(seed=100 + i)
        np.testing.assert_array_equal(obs[i], first)
        masks[i] = info["action_mask"]
    np.testing.assert_array_equal(infos["action_mask"], masks)
    generator = np.random.default_rng(1)
    for _ in range(40):
        actions = legal_actions(masks, generator)
        obs, rewards, ends, _, infos = ours.step(actions)
        for i, env in enumerate(theirs):
            single, reward, end, _, info = env.step(actions[i])
            assert (reward, end) == (rewards[i], ends[i])
            if end:
                np.testing.assert_array_equal(infos["final_obs"][i], single)
                np.testing.assert_array_equal(infos["final_info"]["score"][i], info["score"])
                single, info = env.reset()
            np.testing.assert_array_equal(obs[i], single)
            masks[i] = info["action_mask"]
        np.testing.assert_array_equal(infos["action_mask"], masks)


def test_gymnasium_makes_it_with_its_settings():
    envs = gymnasium.make_vec(
        "bonebed/Fossil-v0",
        num_envs=3,
        vectorization_mode="vector_entry_point",
        opponents="greedy",
        num_players=3,
        autoreset_mode="NextStep",
        reward="points",
        tactical=True,
    )
    assert envs.spec is not None
    assert envs.num_envs == 3
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.seats.options == {"num_players": 3, "tactical": True, "setup": "auto"}
    obs, infos = envs.reset(seed=0)
    assert obs in envs.observation_space
    sampled = envs.action_space.sample(mask=tuple(infos["action_mask"]))
    assert infos["action_mask"][np.arange(3), sampled].all()
    envs.step(sampled)
    envs.close()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_autoreset_mode_can_be_given_as_text(mode):
    for given in (mode, mode.name, mode.value):
        envs = seat_vector_env("fossil", 1, autoreset_mode=given)
        assert envs.metadata["autoreset_mode"] is mode


def test_games_without_autoreset_are_reset_by_a_mask():
    envs = seat_vector_env("fossil", 4, autoreset_mode="Disabled")
    _, infos = envs.reset(seed=0)
    generator = np.random.default_rng(0)
    ends = np.zeros(4, np.bool_)
    while not ends.any():
        obs, _, ends, _, infos = envs.step(legal_actions(infos["action_mask"], generator))
    assert (infos["action_mask"].any(axis=1) != ends).all()
    assert infos["score"][ends].all()
    assert not infos["score"][~ends].any()
    np.testing.assert_array_equal(infos["_score"], ends)
    with pytest.raises(RuntimeError, match=f"game {ends.argmax()} has to be reset"):
        envs.step(legal_actions(infos["action_mask"], generator))
    after, infos = envs.reset(options={"reset_mask": ends})
    np.testing.assert_array_equal(after[~ends], obs[~ends])
    assert (after[ends] != obs[ends]).any(axis=1).all()
    envs.step(legal_actions(infos["action_mask"], generator))
    for wrong in (np.ones(3, np.bool_), np.ones(4, np.int8)):
        with pytest.raises(ValueError, match="reset_mask"):
            envs.reset(options={"reset_mask": wrong})


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_what_was_handed_out_never_changes(mode):
    envs = seat_vector_env("fossil", 6, autoreset_mode=mode)
    obs, infos = envs.reset(seed=0)
    kept: list[tuple[np.ndarray, bytes]] = []
    generator = np.random.default_rng(0)
    for _ in range(30):
        kept += [(array, array.tobytes()) for array in (obs, infos["action_mask"], infos["seat"])]
        actions = legal_actions(infos["action_mask"], generator)
        obs, rewards, ends, cuts, infos = envs.step(actions)
        kept += [(array, array.tobytes()) for array in (rewards, ends, cuts)]
        if ends.any() and mode is AutoresetMode.SAME_STEP:
            final = [array for array in infos["final_obs"] if array is not None]
            kept += [(a, a.tobytes()) for a in [*final, infos["final_info"]["score"]]]
        if ends.any() and mode is AutoresetMode.DISABLED:
            obs, infos = envs.reset(options={"reset_mask": ends})
    assert all(array.tobytes() == before for array, before in kept)


def test_without_copies_the_buffers_are_handed_out():
    safe, fast = seat_vector_env("fossil", 6), seat_vector_env("fossil", 6, copy=False)
    obs, infos = fast.reset(seed=0)
    expected, _ = safe.reset(seed=0)
    generator = np.random.default_rng(0)
    for _ in range(40):
        np.testing.assert_array_equal(obs, expected)
        actions = legal_actions(infos["action_mask"], generator)
        following, *_, later = fast.step(actions)
        expected = safe.step(actions)[0]
        assert np.shares_memory(obs, following)
        assert np.shares_memory(infos["action_mask"], later["action_mask"])
        obs, infos = following, later


def test_an_illegal_action_names_its_game_and_changes_nothing():
    envs = seat_vector_env("fossil", 4)
    _, infos = envs.reset(seed=0)
    actions = infos["action_mask"].argmax(axis=1)
    before = envs.seats.save()
    for wrong in (int(infos["action_mask"][2].argmin()), -1, 999):
        chosen = actions.copy()
        chosen[2] = wrong
        with pytest.raises(IllegalActionError, match=rf"game 2: seat 0 cannot play {wrong}"):
            envs.step(chosen)
    for chosen in (actions[:3], actions.astype(float), actions[:, None]):
        with pytest.raises(IllegalActionError, match="has to give 4 whole numbers"):
            envs.step(chosen)
    assert envs.seats.save() == before
    envs.step(actions)


def test_illegal_actions_can_end_their_games():
    envs = seat_vector_env("fossil", 3, illegal="terminate", illegal_reward=-2.0)
    _, infos = envs.reset(seed=0)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = -1
    _, rewards, ends, _, infos = envs.step(actions)
    assert rewards.tolist() == [0.0, -2.0, 0.0]
    assert ends.tolist() == [False, True, False]
    assert infos["final_info"]["outcome"][1].tolist() == [-1.0, 1.0]
    assert infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("opponents", ["random", OutsideRandom()])
def test_a_copy_in_mid_game_is_exact(opponents):
    envs = seat_vector_env("fossil", 5, opponents, seat=None)
    _, infos = envs.reset(seed=0)
    generator = np.random.default_rng(0)
    for _ in range(25):
        actions = legal_actions(infos["action_mask"], generator)
        copies = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
        obs, rewards, ends, _, infos = envs.step(actions)
        for each in copies:
            obs2, rewards2, ends2, _, infos2 = each.step(actions)
            np.testing.assert_array_equal(obs, obs2)
            np.testing.assert_array_equal(rewards, rewards2)
            np.testing.assert_array_equal(ends, ends2)
            assert same_infos(infos, infos2)


def test_opponents_outside_play_as_inside():
    inside = seat_vector_env("fossil", 16, "random", 4, seat=None)
    outside = seat_vector_env(
        "fossil", 16, ["random", OutsideRandom(), OutsideRandom()], 4, seat=None
    )
    first, second = inside.reset(seed=5), outside.reset(seed=5)
    generator = np.random.default_rng(0)
    for _ in range(60):
        np.testing.assert_array_equal(first[0], second[0])
        assert same_infos(first[-1], second[-1])
        actions = legal_actions(first[-1]["action_mask"], generator)
        first, second = inside.step(actions), outside.step(actions)


def test_gymnasiums_vector_wrappers_work_on_it():
    # Under SAME_STEP this wrapper of Gymnasium 1.2 leaves out the first reward of each game.
    inner = seat_vector_env("fossil", 8, reward="points", autoreset_mode="NextStep")
    envs = RecordEpisodeStatistics(inner)
    _, infos = envs.reset(seed=0)
    generator = np.random.default_rng(0)
    returns: list[float] = []
    gains: list[float] = []
    while len(returns) < 8:
        _, _, ends, _, infos = envs.step(legal_actions(infos["action_mask"], generator))
        if ends.any():
            returns += infos["episode"]["r"][ends].tolist()
            gains += (infos["score"][ends, 0] - 30.0).tolist()
    assert returns == gains


def test_rendering_is_one_text_for_each_game():
    envs = seat_vector_env("fossil", 2, render_mode="ansi")
    envs.reset(seed=0)
    texts = envs.render()
    assert texts is not None
    assert len(set(texts)) == 2
    assert seat_vector_env("fossil", 2).render() is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs is 0; allowed: a whole number of 1 or more"),
        ({"autoreset_mode": "Never"}, "allowed: NEXT_STEP, SAME_STEP, DISABLED"),
        ({"render_mode": "rgb_array"}, "allowed: None, 'ansi'"),
        ({"seat": -1}, "allowed with 2 players: 0 to 1"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(settings, message):
    with pytest.raises(ValueError, match=message):
        seat_vector_env("fossil", **settings)


def test_a_wrong_number_of_seeds_is_refused():
    envs = seat_vector_env("fossil", 3)
    with pytest.raises(ValueError, match="2 seeds for 3 games"):
        envs.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="seed is -1"):
        envs.reset(seed=[1, 2, -1])
    for seed in (True, 1.5, "7", -1, 2**64 - 2):  # the last of the three would be 2**64
        with pytest.raises(ValueError, match=r"seed is \S+; allowed: a whole number from 0 to"):
            envs.reset(seed=seed)
