"""Settings of the trainers and the demo: a wrong one is told in a line, and nothing is created."""

import dataclasses
import math

import pytest

from bonebed.train import demo, ppo, sb3, settings

MAINS = {ppo.Config: ppo.train, sb3.Config: sb3.train, demo.Config: demo.main}
OF_ALL = [
    ({"minutes": -1.0}, "minutes is -1.0; allowed: a number above 0"),
    ({"minutes": 0.0}, "minutes is 0.0; allowed: a number above 0"),
    ({"minutes": math.nan}, "minutes is nan; allowed"),
    ({"minutes": math.inf}, "minutes is inf; allowed"),
    ({"seed": -1}, "seed is -1; allowed: a whole number from 0"),
    ({"seed": 2**64}, r"seed is \d+; allowed: a whole number from 0"),
    ({"threads": -1}, "threads is -1; allowed: a whole number from 0 to 1024"),
    ({"threads": 10**9}, "threads is 1000000000; allowed"),
    ({"opponents": ("human",)}, "human waits for a person"),
    ({"opponents": ("nobody",)}, "no agent 'nobody'; allowed: random"),
    ({"game": "chess"}, "no game 'chess'"),
    ({"num_players": 7}, "num_players is 7; allowed: 2, 3, 4, 5, 6"),
]
OF_TRAINERS = [
    ({"evaluations": -1}, "evaluations is -1; allowed: a whole number of 0 or more"),
    ({"evaluation_games": 0}, "evaluation_games is 0; allowed: a whole number of 1 or more"),
    ({"total_decisions": 0}, "total_decisions is 0"),
    ({"num_envs": True}, "num_envs is True"),
    ({"num_steps": 1.5}, "num_steps is 1.5"),
    ({"epochs": 0}, "epochs is 0"),
    ({"learning_rate": 0.0}, "learning_rate is 0.0"),
    ({"clip": "x"}, "clip is 'x'"),
    ({"discount": 1.5}, "discount is 1.5; allowed: a number from 0 to 1"),
    ({"trace": -0.1}, "trace is -0.1"),
    ({"hidden": ()}, r"hidden is \(\); allowed: one or more sizes"),
    ({"hidden": (8, 0)}, r"hidden is \(8, 0\)"),
    ({"device": "moon"}, "device is 'moon'"),
    ({"options": ("tactical=maybe",)}, "tactical is 'maybe'; allowed: false, true"),
    (
        {"num_players": 2, "options": ("num_players=3",)},
        "option num_players is 2 and 3; allowed: one",
    ),
]
OF_ONE = [
    (ppo.Config, {"keep": 0}, "keep is 0"),
    (ppo.Config, {"scorer": -1}, "scorer is -1"),
    (ppo.Config, {"num_steps": 2, "num_players": 3}, "num_steps is 2; allowed: 3 or more, the num"),
    (sb3.Config, {"seed": 2**32}, r"seed is \d+; allowed: a whole number from 0 to 2\*\*32 - 1"),
    (sb3.Config, {"save_seconds": -1.0}, "save_seconds is -1.0"),
    (sb3.Config, {"seat": 2}, "seat is 2"),
    (sb3.Config, {"reward": "fame"}, "reward is 'fame'"),
    (sb3.Config, {"opponents": ()}, r"opponents|opponent"),
    (sb3.Config, {"minibatch_size": 1}, "minibatch_size is 1; allowed: 2 or more"),
    (sb3.Config, {"num_envs": 3, "num_steps": 3, "minibatch_size": 8}, "and no 1 of 9 left"),
    (demo.Config, {"games": 0}, "games is 0"),
    (demo.Config, {"searcher": "human"}, "human waits for a person"),
]
WRONG = [
    *((kind, *case) for kind in MAINS for case in OF_ALL),
    *((kind, *case) for kind in (ppo.Config, sb3.Config) for case in OF_TRAINERS),
    *OF_ONE,
]


@pytest.mark.parametrize(("kind", "changes", "told"), WRONG)
def test_a_wrong_setting_is_told_before_anything_is_created(kind, changes, told, tmp_path):
    config = kind(folder=tmp_path / "run", **changes)
    with pytest.raises(ValueError, match=told) as error:
        MAINS[kind](config)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


def test_the_defaults_are_allowed():
    for kind in MAINS:
        settings.check(kind())


@pytest.mark.parametrize("kind", MAINS)
def test_every_number_among_the_settings_has_bounds(kind):
    # What the game, the environment or `check` itself looks after.
    elsewhere = {"num_players", "seed", "seat"}
    numbers = {f.name for f in dataclasses.fields(kind) if "int" in f.type or "float" in f.type}
    assert numbers - elsewhere - {"hidden"} <= set(settings.BOUNDS)


def test_options_are_read_like_everywhere_else():
    for texts in (("tactical=true,setup=large",), ("tactical=TRUE", "setup=large")):
        for kind in (ppo.Config, sb3.Config):
            found = settings.game_options(kind(num_players=3, options=texts))
            assert found == {"num_players": 3, "tactical": True, "setup": "large"}
    assert settings.game_options(demo.Config())["num_players"] == 2
