"""A batch of games is saved, loaded, copied and pickled exactly, and loads nothing that cannot be.

That it plays as single games do is in test_invariants.py, for every game of the table.
"""

import copy
import dataclasses
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import house
from bonebed.envs import table
from bonebed.kernels import rules
from bonebed.kernels.batch import Batch
from toy import CAMP, NIM

FOSSIL = table.rules("fossil")
GAMES = [NIM, CAMP, FOSSIL]
ARRAYS = ("obs", "mask", "to_play", "gain", "done", "episode", "states", "final_score")
ARRAYS += ("final_outcome",)


def batch(game=FOSSIL, num_envs=3, seed=1, threads=1, steps=4, **options):
    """Return a batch in the middle of its games."""
    made = Batch(game, game.make_options(**options), num_envs, seed, threads)
    made.play_random(steps)
    return made


def shown(one):
    """Return all that a batch shows, as bytes."""
    return [getattr(one, name).tobytes() for name in ARRAYS] + [int(one.seed)]


def with_states(saved, **fields):
    """Return a saved batch of Fossil with other numbers in some fields of all its games."""
    states = saved["states"].view(FOSSIL.STATE).copy()
    for name, value in fields.items():
        states[name] = value
    return saved | {"states": states.view(np.uint8)}


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_copy_is_independent_and_goes_on_exactly(game, threads, how):
    one = batch(game, threads=threads)
    twin = how(one)
    assert twin.rules is game
    assert shown(twin) == shown(one)
    assert np.shares_memory(twin.obs, twin.obs_records)
    before = shown(one)
    twin.play_random(30)
    assert shown(one) == before
    one.play_random(30)
    assert shown(one) == shown(twin)
    one.reset(), twin.reset()
    assert shown(one) == shown(twin)


GO_ON = """
import pickle
import sys

batch = pickle.load(open(sys.argv[1], "rb"))
batch.play_random(30)
print(batch.states.tobytes().hex())
"""


@pytest.mark.parametrize("game", [CAMP, FOSSIL], ids=lambda game: game.name)
def test_a_pickle_goes_on_in_another_process_which_loads_the_game_for_it(game, tmp_path):
    one = batch(game, threads=2)
    (tmp_path / "batch").write_bytes(pickle.dumps(one))
    done = subprocess.run(
        [sys.executable, "-c", GO_ON, tmp_path / "batch"],
        env=os.environ | {"PYTHONPATH": str(house.ROOT / "tests")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    one.play_random(30)
    assert done.stdout.strip() == one.states.tobytes().hex()


# --- load -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_saved_batch_is_loaded_exactly(game):
    one, other = batch(game, seed=5), batch(game, seed=9)
    other.load(one.save())
    one.play_random(30), other.play_random(30)
    assert shown(one) == shown(other)


def refused(saved, message, **options):
    """Check that a batch does not load something, and is as before."""
    one = batch(seed=9, **options)
    before = shown(one)
    with pytest.raises(ValueError, match=message):
        one.load(saved)
    assert shown(one) == before


@pytest.mark.parametrize("name", ["seed", "states", "episode", "final_score", "final_outcome"])
def test_an_array_that_is_missing_or_of_another_kind_is_refused(name):
    saved = batch().save()
    array = saved[name]
    refused({k: v for k, v in saved.items() if k != name}, f"{name} is missing")
    for wrong in (array[:-1], array.astype(np.float16), array.tolist(), None):
        refused(saved | {name: wrong}, f"saved batch: {name} (has shape|is missing)")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"num_players": 4}, r"final_score has shape \(3, 4\)"),
        ({"num_envs": 4}, r"states has shape \(4, "),
        ({"game": NIM}, r"states has shape"),
        ({"tactical": True}, "game 0: tactical is 1; allowed: 0"),
        ({"setup": "large"}, "game 0: setup is 1; allowed: 0"),
    ],
)
def test_games_of_another_kind_are_refused(made, message):
    refused(batch(**made).save(), message)


def test_another_number_of_players_is_refused_where_every_shape_fits():
    here, there = batch(num_players=4).save(), batch().save()
    refused(there | {"states": here["states"]}, "game 0: num_players is 4; allowed: 2")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"num_players": 127}, "num_players is 127; allowed: 2"),
        ({"to_play": 100}, "to_play is 100; allowed: 0 to 1"),
        ({"to_play": -1}, "to_play is -1; allowed: 0 to 1"),
        ({"done": 2}, "done is 2; allowed: 0 to 1"),
        ({"done": 1}, "done is 1; allowed: 0"),  # a batch goes on with the next game at once
        ({"ply": -1}, "ply is -1; allowed: 0 to 101"),
        ({"ply": 102}, "ply is 102; allowed: 0 to 101"),  # 8.2
        ({"score": -1}, r"score\[0\] is -1; allowed: 0 to"),
        ({"phase": 5}, "phase is 5; allowed: 0 to 4"),
        ({"phase": 4}, "done is 0; allowed: 1, since nobody can act"),
        ({"tactical": 2}, "tactical is 2; allowed: 0"),
        ({"tile": 100}, r"tile\[0\] is 100; allowed: -1 to 26"),  # 9 fossils with 3 values
        ({"tile": 5}, "allowed:"),  # 81 tiles of one kind
        ({"stone": [100, 120]}, r"stone\[0\] is 100; allowed: 0 to 80"),
        ({"stone": -1}, r"stone\[0\] is -1; allowed: 0 to 80"),  # both are placed by now
        ({"held": 9}, r"held\[0,?.* is 9; allowed"),
        ({"given": 3}, "given is 3; allowed: -1"),  # no exchange is under way
        ({"completed": 3}, "completed is 3; allowed: -1"),
        ({"phase": 3}, "given is -1; allowed: 0 to 26"),
        ({"phase": 2}, "completed is -1; allowed: 0 to 8"),
        ({"kinds": -1}, r"kinds\[0\] is -1; allowed: \d+"),
        ({"line": 2**16 - 1}, r"line\[0\]\[0\] is 65535; allowed: \d+"),
        ({"ray": 2**16 - 1}, r"ray\[0\] is 65535; allowed: \d+"),
        ({"count": 255}, r"count\[0\]\[0\] is 255; allowed: \d"),
        ({"total": 255}, r"total\[0\]\[0\] is 255; allowed: \d"),
    ],
    ids=lambda given: str(given)[:20],
)
def test_a_state_that_cannot_be_is_refused(fields, message):
    refused(with_states(batch().save(), **fields), f"game 0: .*{message}")


def test_chance_may_hold_anything():
    saved = batch().save()
    one = batch()
    one.load(with_states(saved, seed=2**64 - 1, draws=2**32 - 1, spare=-1))
    assert (one.states["seed"] == 2**64 - 1).all()


# --- what a game says of its fields ---------------------------------------------------------------


def test_the_game_that_is_wrong_is_named():
    states = np.array([CAMP.new(seed, num_players=2) for seed in range(4)], CAMP.STATE)
    options = CAMP.make_options(num_players=2)
    rules.check_states(states, options)
    states["find"][2, 2] = 0  # of a third seat, which is not in the game
    with pytest.raises(ValueError, match=r"game 2: find\[2\] is 0; allowed: -1$"):
        rules.check_states(states, options)
    rules.check_states(states[:0], options)


def test_a_field_without_bounds_is_refused_when_the_game_is_registered():
    for field in NIM.bounds:
        bounds = {name: bound for name, bound in NIM.bounds.items() if name != field}
        with pytest.raises(ValueError, match=f"toy_nim needs bounds for the field '{field}'"):
            rules.register(dataclasses.replace(NIM, bounds=bounds))
    with pytest.raises(ValueError, match="STATE of toy_nim has no field 'depth'"):
        rules.register(dataclasses.replace(NIM, bounds=NIM.bounds | {"depth": (0, 1)}))
    assert rules.of(NIM.STATE) is NIM


def test_a_derived_field_that_derive_does_not_write_has_to_be_zero(monkeypatch):
    def derive(state):
        """Write nothing."""

    bounds = {name: bound for name, bound in NIM.bounds.items() if name != "taken"}
    game = dataclasses.replace(NIM, bounds=bounds, derive=derive)
    assert game.derived == ("taken",)
    monkeypatch.setitem(rules._BY_DTYPE, NIM.STATE, game)
    state, options = NIM.new(1), NIM.make_options()
    rules.check_states(np.array([state]), options)
    NIM.step(state, NIM.legal_actions(state)[0])
    with pytest.raises(ValueError, match="game 0: taken is 1; allowed: 0"):
        rules.check_states(np.array([state]), options)


def test_the_fields_of_fossil_that_follow_from_others_are_known():
    assert FOSSIL.derived == ("kinds", "line", "ray", "count", "total")
