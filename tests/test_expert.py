"""Expert iteration: it learns, it can be repeated bit for bit, and it goes on where it stopped."""

import dataclasses
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from bonebed.agents import network as networks
from bonebed.train import checkpoint, expert, learning, loop, ppo, report
from bonebed.train import run as runs

SMALL = expert.Config(
    game="memory_game",
    total_decisions=8 * 8 * 6,
    num_envs=8,
    num_steps=8,
    simulations=4,
    candidates=4,
    minibatch_size=32,
    hidden=(16,),
    pool_share=0.0,
    opponents=("random",),
    evaluations=2,
    evaluation_games=4,
    checkpoint_seconds=0.0,
    keep=1000,
)


def small(folder, **changes):
    return dataclasses.replace(SMALL, folder=folder, **changes)


def arrays(folder):
    last = networks.latest(folder)
    files = (networks.WEIGHTS, checkpoint.TRAINING)
    return {f"{file}/{k}": a for file in files for k, a in load_file(last / file).items()}


def assert_same(folder, other):
    first, second = arrays(folder), arrays(other)
    assert first.keys() == second.keys()
    assert all(torch.equal(array, second[name]) for name, array in first.items())


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expert") / "run"
    expert.train(small(folder))
    return folder


def test_a_run_repeats_and_resumes_bit_for_bit(tmp_path, finished):
    shutil.copytree(finished, tmp_path / "run")
    for folder in (tmp_path / "run" / networks.CHECKPOINTS).iterdir():
        if int(folder.name) > 3:
            shutil.rmtree(folder)
    expert.train(expert.Config(folder=tmp_path / "run", resume=True))
    assert_same(tmp_path / "run", finished)


def test_tensorboard_shows_the_documented_names(finished):
    events = EventAccumulator(str(finished / report.TENSORBOARD), {"scalars": 0}).Reload()
    shown = {tag for tag in events.Tags()["scalars"] if tag.startswith("learning/")}
    lines = (expert.__doc__ or "").splitlines()
    assert shown == {line.split()[0] for line in lines if line.startswith("learning/")}


def test_the_card_says_what_made_it(finished):
    card = networks.read_card(networks.latest(finished))
    assert card["command"].startswith("bonebed train expert --game memory_game")
    assert "--simulations 4" in card["command"]
    assert "train expert" in card["made_by"]


@pytest.mark.parametrize(
    ("game", "num_players", "options"),
    [
        ("fossil", (2, 3), ()),
        ("twenty_questions", (2, 4), ()),
        ("fossilium_solo", (1,), ()),
    ],
)
def test_it_learns_from_every_kind_of_game(tmp_path, game, num_players, options):
    run = runs.prepare(
        small(tmp_path, game=game, num_players=num_players, options=options, pool_share=0.5)
    )
    learn, steps = expert.begin(run)
    scalars = loop.update(run, learn, steps)
    assert all(np.isfinite(value) for value in scalars.values())
    assert scalars["learning/improvement"] >= -1e-5, "a divergence"


def test_cross_entropy_is_that_of_a_loop():
    rng = np.random.default_rng(2)
    policy = rng.dirichlet(np.ones(5), size=6).astype(np.float32)
    policy[:, 3] = 0.0
    policy /= policy.sum(1, keepdims=True)
    legal = torch.ones(6, 5, dtype=torch.bool)
    legal[:, 3] = False
    logs = learning.masked_log_probabilities(torch.tensor(rng.normal(size=(6, 5))), legal)
    found = learning.cross_entropy(logs, torch.tensor(policy))
    for row in range(6):
        summed = -sum(policy[row, a] * logs[row, a].item() for a in (0, 1, 2, 4))
        assert found[row].item() == pytest.approx(summed, rel=1e-5)


def test_values_of_seats_that_a_game_lacks_count_nothing():
    value = torch.tensor([[1.0, 2.0, 50.0], [0.0, 0.0, 0.0]])
    target = torch.tensor([[0.0, 0.0], [3.0, 9.0]])
    there = torch.tensor([[True, True], [True, False]])
    assert learning.value_loss(value, target, there).item() == pytest.approx((1 + 4 + 9) / 3)


def test_it_begins_with_a_network_of_ppo(tmp_path):
    first = ppo.Config(
        game="memory_game", folder=tmp_path / "ppo", total_decisions=1, num_envs=4, hidden=(8,)
    )
    ppo.train(dataclasses.replace(first, evaluations=0))
    expert.train(small(tmp_path / "expert", initial=tmp_path / "ppo", total_decisions=1))
    card = networks.read_card(networks.latest(tmp_path / "expert"))
    assert card["network"]["hidden"] == [8]
    assert card["before"][0].startswith("bonebed train ppo --game memory_game")


def test_it_learns(tmp_path):
    # Nothing but search teaches it: no reward but the outcome, and the first network knows nothing.
    config = expert.Config(
        game="fossil", folder=tmp_path, total_decisions=64 * 16 * 12, num_envs=64, num_steps=16,
        simulations=16, hidden=(64,), learning_rate=2e-3, pool_share=0.0,
        opponents=("random",), evaluation_games=200,
    )  # fmt: skip
    run = runs.prepare(config)
    learn, steps = expert.begin(run)
    before = loop.measured(run)[0]
    while runs.fraction(run) < 1.0:
        loop.update(run, learn, steps)
    after = loop.measured(run)[0]
    assert after["low"] > before["high"], "more games won against random"
