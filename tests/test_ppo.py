"""PPO: it learns, it can be repeated bit for bit, and it survives being killed at any moment."""

import dataclasses
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from bonebed.agents import network as networks
from bonebed.agents.network import CheckpointError
from bonebed.train import checkpoint, ppo, report

SMALL = ppo.Config(
    total_decisions=8 * 16 * 10,
    num_envs=8,
    num_steps=16,
    minibatch_size=64,
    hidden=(16,),
    scorer=4,
    threads=1,
    evaluations=2,
    evaluation_games=4,
    checkpoint_seconds=0.0,
    keep=1000,
)


def small(folder, **changes):
    return dataclasses.replace(SMALL, folder=folder, **changes)


def arrays(folder):
    """Everything that the last checkpoint of a run holds in arrays."""
    last = networks.latest(folder)
    files = (networks.WEIGHTS, checkpoint.TRAINING)
    return {f"{file}/{k}": a for file in files for k, a in load_file(last / file).items()}


def card(folder):
    return networks.read_card(networks.latest(folder))


def assert_same_end(folder, other):
    """Compare two runs bit for bit."""
    first, second = arrays(folder), arrays(other)
    assert first.keys() == second.keys()
    assert all(torch.equal(array, second[name]) for name, array in first.items())
    ours, theirs = card(folder), card(other)
    for measured in (*ours["strength"], *theirs["strength"]):
        del measured["seconds"]
    for key in ("updates", "decisions", "strength"):
        assert ours[key] == theirs[key]


def logged(folder):
    """Read back what TensorBoard would show: (step, value) of each scalar."""
    events = EventAccumulator(str(folder / report.TENSORBOARD), {"scalars": 0}).Reload()
    return {
        tag: [(event.step, event.value) for event in events.Scalars(tag)]
        for tag in events.Tags()["scalars"]
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small run from beginning to end."""
    folder = tmp_path_factory.mktemp("finished")
    ppo.train(small(folder))
    return folder


@pytest.mark.parametrize("num_players", [3, 4])
def test_it_trains_with_more_players_and_repeats_bit_for_bit(tmp_path, num_players):
    for name in ("a", "b"):
        config = small(tmp_path / name, num_players=num_players, total_decisions=8 * 16 * 3)
        ppo.train(config)
    assert_same_end(tmp_path / "a", tmp_path / "b")
    assert card(tmp_path / "a")["options"]["num_players"] == num_players
    assert all(a.isfinite().all() for a in arrays(tmp_path / "a").values() if a.is_floating_point())


def test_another_seed_gives_other_weights(tmp_path, finished):
    ppo.train(small(tmp_path, seed=1))
    name = f"{networks.WEIGHTS}/value.weight"
    assert not torch.equal(arrays(tmp_path)[name], arrays(finished)[name])


@pytest.mark.parametrize("updates", [0, 4, 5, 9])
def test_a_run_resumed_at_any_checkpoint_ends_the_same(tmp_path, finished, updates):
    shutil.copytree(finished, tmp_path / "run")
    for folder in (tmp_path / "run" / networks.CHECKPOINTS).iterdir():
        if int(folder.name) > updates:
            shutil.rmtree(folder)
    torch.manual_seed(123)  # chance of the process that must not matter
    np.random.seed(123)
    ppo.train(ppo.Config(folder=tmp_path / "run", resume=True))
    ppo.train(ppo.Config(folder=tmp_path / "run", resume=True))  # it has ended: nothing happens
    assert_same_end(tmp_path / "run", finished)
    assert card(tmp_path / "run")["updates"] == 10


def test_measuring_the_strength_changes_nothing_of_the_training(tmp_path, finished):
    ppo.train(small(tmp_path, evaluations=0))
    first, second = arrays(tmp_path), arrays(finished)
    assert all(torch.equal(array, second[name]) for name, array in first.items())
    assert card(tmp_path)["strength"] == []


def test_a_finished_run_can_go_on_with_a_larger_budget(tmp_path, finished):
    shutil.copytree(finished, tmp_path / "run")
    more = ppo.Config(folder=tmp_path / "run", resume=True, total_decisions=8 * 16 * 12)
    ppo.train(more)
    assert card(tmp_path / "run")["updates"] == 12


COMMAND = [
    sys.executable, "-m", "bonebed.train.ppo",
    "--total-decisions", str(8 * 16 * 40), "--num-envs", "8", "--num-steps", "16",
    "--minibatch-size", "64", "--hidden", "16", "--scorer", "4", "--threads", "1",
    "--evaluations", "4", "--evaluation-games", "4", "--checkpoint-seconds", "0",
]  # fmt: skip


def until_killed(folder: Path, chance: random.Random, resume: bool) -> bool:
    """Run in another process and kill it at a random moment after its first checkpoint.

    Returns whether it was still running then.
    """
    command = [*COMMAND, "--folder", str(folder), *(["--resume"] if resume else [])]
    before = newest(folder)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while process.poll() is None and newest(folder) == before:
        time.sleep(0.005)
    time.sleep(chance.random() * 0.4)
    process.kill()
    _, errors = process.communicate()
    assert not errors, errors.decode()
    return process.returncode != 0


def newest(folder: Path) -> str:
    """Return the name of a run's newest checkpoint, or nothing."""
    return max((p.name for p in (folder / networks.CHECKPOINTS).glob("[0-9]*")), default="")


def test_a_run_killed_at_random_moments_ends_the_same(tmp_path):
    chance = random.Random(os.urandom(8))
    folder = tmp_path / "killed"
    killed = [until_killed(folder, chance, resume=k > 0) for k in range(3)]
    assert any(killed), "all runs came to their end first"
    last = [*COMMAND, "--folder", str(folder), "--resume"]
    subprocess.run(last, check=True, stdout=subprocess.DEVNULL)
    ppo.train(small(tmp_path / "calm", total_decisions=8 * 16 * 40, evaluations=4))
    assert_same_end(folder, tmp_path / "calm")
    for tag, scalars in logged(folder).items():
        steps = [step for step, _ in scalars]
        assert steps == sorted(set(steps)), f"{tag} shows a step twice"


def test_tensorboard_shows_the_documented_names(finished):
    shown = logged(finished)
    documented = {
        line.split()[0].replace("<opponent>", opponent)
        for line in (ppo.__doc__ or "").splitlines()
        for opponent in SMALL.opponents
        if line.partition("/")[0] in ("strength", "learning", "games", "speed")
    }
    assert set(shown) == documented
    assert [step for step, _ in shown["learning/entropy"]] == [128 * k for k in range(1, 11)]
    assert [step for step, _ in shown["strength/greedy"]] == [0, 128 * 5, 128 * 10]


def test_the_card_tells_what_the_run_was(finished):
    found = card(finished)
    assert found["game"] == "fossil"
    assert found["decisions"] == SMALL.total_decisions
    assert found["config"]["seed"] == 0
    assert found["config"]["threads"] == 1
    assert [row["opponent"] for row in found["strength"]] == ["random", "greedy"] * 3
    assert all(0 <= row["low"] <= row["win_rate"] <= row["high"] <= 1 for row in found["strength"])


def test_a_folder_with_a_run_is_not_overwritten(finished):
    with pytest.raises(ValueError, match="holds a run already: add --resume"):
        ppo.train(small(finished))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seed": 3}, "seed is 3; the run in .* goes on with 0"),
        ({"hidden": (32,)}, r"hidden is \(32,\); the run in .* goes on with \(16,\)"),
        ({"options": ("tactical=true",)}, "options is .*; the run in"),
    ],
)
def test_a_run_does_not_go_on_with_other_settings(finished, changes, told):
    given = ppo.Config(folder=finished, resume=True, **changes)
    with pytest.raises(ValueError, match=told):
        ppo.train(given)


def test_an_empty_folder_cannot_be_resumed(tmp_path):
    with pytest.raises(CheckpointError, match="no checkpoint here"):
        ppo.train(small(tmp_path, resume=True))


def test_options_of_the_game_are_used(tmp_path):
    config = small(tmp_path, options=("tactical=true,setup=large",), total_decisions=128)
    ppo.train(config)
    assert card(tmp_path)["options"] == {"num_players": 2, "tactical": True, "setup": "large"}


def test_margins_are_over_the_mean_of_the_others():
    points = np.array([[10, 4], [0, 0]])
    assert ppo.margins(points).tolist() == [[6, -6], [0, 0]]
    assert ppo.margins(np.array([[9, 3, 0]])).tolist() == [[7.5, -1.5, -6.0]]


def test_the_rewards_of_a_game_sum_to_outcome_and_margin(tmp_path):
    run = ppo.prepare(small(tmp_path, num_envs=4))
    total = np.zeros((4, 2))
    ended = np.zeros(4, bool)
    while not ended.all():
        run.batch.step(run.batch.mask.argmax(1))
        total[~ended] += ppo.rewards(run)[~ended]
        for game in np.flatnonzero(run.batch.done & ~ended):
            margin = ppo.margins(run.batch.final_score[game : game + 1])[0]
            shaped = run.config.points_weight * margin / run.points_scale
            np.testing.assert_allclose(
                total[game], shaped + run.batch.final_outcome[game], rtol=1e-4, atol=1e-5
            )
        ended |= run.batch.done


def test_it_learns(tmp_path):
    config = ppo.Config(
        folder=tmp_path,
        total_decisions=64 * 64 * 8,
        num_envs=64,
        hidden=(64,),
        minibatch_size=512,
        learning_rate=1e-3,
        threads=1,
        evaluations=0,
    )
    run = ppo.prepare(config)
    before = ppo.measured(run)
    rollout = ppo.empty_rollout(run)
    while ppo.fraction(run) < 1.0:
        ppo.update(run, rollout)
    after = ppo.measured(run)
    assert after[0]["win_rate"] > 0.9, "against random"
    assert after[0]["margin"] > before[0]["margin"] + 30, "against random, in points"
