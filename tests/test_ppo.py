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
from bonebed.train import checkpoint, loop, ppo, report
from bonebed.train import run as runs
from bonebed.train.games import LEARNER, margins

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
    past=2,
    past_updates=3,
    pool_share=0.0,
)
POOL = {"num_players": (2, 3), "pool_share": 0.5, "rivals": ("random",)}


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


@pytest.mark.parametrize("num_players", [(3,), (2, 4)])
def test_it_trains_with_more_players_and_repeats_bit_for_bit(tmp_path, num_players):
    for name in ("a", "b"):
        config = small(tmp_path / name, num_players=num_players, total_decisions=8 * 16 * 3)
        ppo.train(config)
    assert_same_end(tmp_path / "a", tmp_path / "b")
    assert card(tmp_path / "a")["options"]["num_players"] == [*num_players]
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


def test_a_run_with_opponents_resumed_ends_the_same(tmp_path):
    calm, cut = tmp_path / "calm", tmp_path / "cut"
    ppo.train(small(calm, **POOL))
    shutil.copytree(calm, cut)
    for folder in (cut / networks.CHECKPOINTS).iterdir():
        if int(folder.name) > 5:
            shutil.rmtree(folder)
    ppo.train(ppo.Config(folder=cut, resume=True))
    assert_same_end(cut, calm)


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
    "--past", "2", "--past-updates", "3", "--pool-share", "0.25",
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
    ppo.train(small(tmp_path / "calm", total_decisions=8 * 16 * 40, evaluations=4, pool_share=0.25))
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
    assert card(tmp_path)["options"] == {"num_players": [2], "tactical": True, "setup": "large"}


def test_margins_are_over_the_mean_of_the_others():
    points = np.array([[10, 4], [0, 0]])
    assert margins(points).tolist() == [[6, -6], [0, 0]]
    assert margins(np.array([[9, 3, 0]])).tolist() == [[7.5, -1.5, -6.0]]


def test_the_rewards_of_a_game_sum_to_outcome_and_margin(tmp_path):
    run = runs.prepare(small(tmp_path, num_envs=8, num_players=(2, 3)))
    games, legal = run.games, torch.zeros(8, run.rules.n_actions, dtype=torch.bool)
    seen = torch.zeros(8, run.rules.obs_size)
    weight = run.config.points_weight
    total = np.zeros((8, 3))
    ended = np.zeros(8, bool)
    while not ended.all():
        games.present(seen, legal)
        games.step(legal.int().argmax(1).numpy())
        total[~ended] += games.rewards(weight, run.points_scale)[~ended]
        for game in np.flatnonzero(games.done & ~ended):
            part, place = divmod(int(game), 4)
            batch = games.batches[part]
            margin = margins(batch.final_score[place : place + 1])[0]
            shaped = weight * margin / run.points_scale[part]
            expected = np.zeros(3)
            expected[: part + 2] = shaped + batch.final_outcome[place]
            np.testing.assert_allclose(total[game], expected, rtol=1e-4, atol=1e-5)
        ended |= games.done


def test_opponents_from_the_pool_play_their_seats_in_their_share_of_the_games(tmp_path):
    run = runs.prepare(small(tmp_path, num_envs=8, **{**POOL, "num_players": (2, 4)}))
    learn, steps = ppo.begin(run)
    seen = []
    for _ in range(8):
        loop.update(run, learn, steps)
        seen.append(run.games.who.copy())
    who = np.array(seen)
    pool_games = [0, 1, 4, 5]  # half of the four games of each number of players
    assert (who[:, [2, 3, 6, 7]] == LEARNER).all()
    assert ((who[:, pool_games[:2], :2] == LEARNER).sum(-1) == 1).all()
    assert ((who[:, pool_games[2:]] == LEARNER).sum(-1) == 1).all()
    numbers = np.unique(who[who != LEARNER])
    assert numbers.min() >= 0
    assert numbers.max() <= run.config.past, "past selves come first, then the one rival"
    assert len(numbers) > 2
    assert (steps.learns == (seen[-1] == LEARNER)[np.arange(8), steps.seat]).mean() > 0.8
    assert 0.5 < steps.learns.mean() < 1.0


def test_past_selves_are_replaced_in_turn(tmp_path):
    run = runs.prepare(small(tmp_path, past=2, past_updates=3, pool_share=0.5))
    learn, steps = ppo.begin(run)
    weights = []
    for _ in range(9):
        loop.update(run, learn, steps)
        weights.append(run.network.value.weight.clone())
    kept = [past.value.weight for past in run.pool.past]
    assert torch.equal(kept[0], weights[5])
    assert torch.equal(kept[1], weights[8])


def test_one_seat_can_learn_alone(tmp_path):
    config = small(
        tmp_path,
        game="fossilium_solo",
        options=("pal=agent",),
        seat=1,
        rivals=("random",),
        opponents=("random",),
        num_steps=64,
        total_decisions=200,
    )
    ppo.train(config)
    found = card(tmp_path)
    assert found["options"]["pal"] == "agent"
    run = runs.prepare(config)
    learn, steps = ppo.begin(run)
    loop.update(run, learn, steps)
    assert (steps.seat[steps.learns] == 1).all()
    assert (steps.seat[~steps.learns] == 0).all()
    assert run.decisions == steps.learns.sum() > 0
    first, last = found["strength"][0], found["strength"][-1]
    assert first["players"] == last["players"] == 2


def test_the_reward_for_points_fades(tmp_path):
    run = runs.prepare(small(tmp_path, total_decisions=1000, points_weight=0.5, points_until=0.5))
    told = []
    for decisions in (0, 250, 500, 900):
        run.decisions = decisions
        told.append(ppo.points_weight(run))
    assert told == [0.5, 0.25, 0.0, 0.0]


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
    run = runs.prepare(config)
    before = loop.measured(run)
    learn, steps = ppo.begin(run)
    while runs.fraction(run) < 1.0:
        loop.update(run, learn, steps)
    after = loop.measured(run)
    assert after[0]["win_rate"] > 0.9, "against random"
    assert after[0]["margin"] > before[0]["margin"] + 30, "against random, in points"
