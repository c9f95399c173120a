"""The network, and the agent that plays a checkpoint of it."""

import functools
import json
import shutil

import numpy as np
import pytest
import torch

import bonebed
from bonebed.agents import network as networks
from bonebed.agents import trained
from bonebed.agents.evaluate import evaluate
from bonebed.agents.network import CheckpointError, Layout, Network
from bonebed.envs import table
from bonebed.envs.view import Views
from bonebed.kernels import batch as batches
from bonebed.train import checkpoint

RULES = table.rules("fossil")


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """A run's folder with a checkpoint of an untrained network."""
    folder = tmp_path_factory.mktemp("run")
    with torch.random.fork_rng():
        torch.manual_seed(1)
        network = Network(Layout.of(RULES), (16,), scorer=8)
        for weights in network.parameters():  # untrained logits are all about 0
            torch.nn.init.normal_(weights, std=0.5)
    card = {
        "format": networks.FORMAT,
        "game": RULES.name,
        "options": {"num_players": 2},
        "rules_hash": RULES.rules_hash,
        "layout": network.layout.to_json(),
        "network": network.shape(),
    }
    checkpoint.write(folder, 1, card, network.state_dict(), {}, keep=1)
    return folder


def positions(num_players, n=64, steps=30):
    """Views of games that random play has brought to different places."""
    options = RULES.make_options(num_players=num_players)
    games = batches.Batch(RULES, options, n, seed=3)
    seen = []
    for _ in range(steps):
        games.play_random(1)
        seen.append(games.states.copy())
    states = np.concatenate(seen)[:: steps // 5]
    return Views.of(RULES, states, np.arange(len(states), dtype=np.uint64))


@pytest.mark.parametrize("num_players", [2, 3, 6])
@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0, 100.0])
def test_it_plays_legally_and_the_same_again(run_folder, num_players, temperature):
    spec = f"network:path={run_folder},temperature={temperature}"
    views = positions(num_players)
    choices = bonebed.agent(spec).act_many(views)
    assert choices.dtype == np.int64
    assert (views.mask[np.arange(len(views)), choices] == 1).all()
    assert (choices == bonebed.agent(spec).act_many(views)).all()


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_it_decides_alone_as_in_a_batch(run_folder, temperature):
    views = positions(2)
    agent = bonebed.agent(f"network:path={run_folder},temperature={temperature}")
    together = agent.act_many(views)
    assert [agent.act(views[i]) for i in range(40)] == together[:40].tolist()


@pytest.mark.parametrize("num_players", [2, 3, 6])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_with_a_search_it_plays_legally_and_the_same_again(run_folder, num_players, temperature):
    spec = f"network:path={run_folder},temperature={temperature},simulations=16"
    agent, views = bonebed.agent(spec), positions(num_players, n=16)
    assert str(agent) == spec.replace(",temperature=0.0", "")
    choices = agent.act_many(views)
    assert choices.dtype == np.int64
    assert (views.mask[np.arange(len(views)), choices] == 1).all()
    assert (choices == bonebed.agent(spec).act_many(views)).all()


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_with_a_search_it_decides_alone_as_in_a_batch_and_in_slices(
    run_folder, temperature, monkeypatch
):
    views = positions(2, n=8)
    spec = f"network:path={run_folder},temperature={temperature},simulations=16,candidates=4"
    agent = bonebed.agent(spec)
    together = agent.act_many(views)
    assert [agent.act(views[i]) for i in range(20)] == together[:20].tolist()
    monkeypatch.setattr(trained, "AT_ONCE", 7)
    assert (agent.act_many(views) == together).all()


def test_a_search_changes_decisions_and_its_scale_how_much(run_folder):
    views = positions(2, n=16)
    alone, weak, strong = (
        bonebed.agent(f"network:path={run_folder}{more}").act_many(views)
        for more in ("", ",simulations=16,scale=0", ",simulations=16,scale=10")
    )
    assert (weak == alone).all()  # results count for nothing
    assert (strong != alone).any()


def test_a_search_draws_from_its_improved_policy(run_folder):
    n = 1000
    states = np.repeat(positions(2, n=4).states[7:8], n)
    many = Views.of(RULES, states, np.arange(n, dtype=np.uint64))
    agent = bonebed.agent(f"network:path={run_folder},temperature=2.0,simulations=8,scale=0.02")
    found = np.bincount(agent.act_many(many), minlength=RULES.n_actions)
    rate = functools.partial(networks.rate, agent._network)
    policy = trained.search(agent._searcher, rate, many).policy.astype(float)
    shares = np.sqrt(policy)  # temperature 2
    expected = (shares / shares.sum(1, keepdims=True)).sum(0)
    assert (np.abs(found - expected) <= 5 * np.sqrt(expected) + 1e-9).all()


def test_no_views_need_no_search(run_folder):
    views = Views.of(RULES, np.zeros(0, RULES.STATE), np.zeros(0, np.uint64))
    assert bonebed.agent(f"network:path={run_folder},simulations=4").act_many(views).size == 0


def test_it_is_no_function_of_chance_at_temperature_zero(run_folder):
    views = positions(2)
    others = Views(
        views.rules, views.states, views.player, views.seeds + 99, views.observation, views.mask
    )
    cold, warm = (bonebed.agent(f"network:path={run_folder},temperature={t}") for t in (0.0, 1.0))
    assert (cold.act_many(views) == cold.act_many(others)).all()
    assert (warm.act_many(views) != warm.act_many(others)).any()


def test_it_draws_actions_as_often_as_its_temperature_says(run_folder):
    views = positions(2, n=4)
    view = views[7]
    n = 4000
    many = Views(
        RULES,
        np.repeat(views.states[7:8], n),
        np.repeat(views.player[7:8], n),
        np.arange(n, dtype=np.uint64),
        np.repeat(views.observation[7:8], n, axis=0),
        np.repeat(views.mask[7:8], n, axis=0),
    )
    agent = bonebed.agent(f"network:path={run_folder},temperature=2.0")
    folder = networks.latest(run_folder)
    network = networks.network_of(folder, networks.read_card(folder))
    legal = torch.tensor(view.mask[None] == 1)
    logits = network(torch.tensor(view.observation[None]), legal)[0][0].double().numpy()
    weights = np.where(view.mask == 1, np.exp(logits / 2.0), 0.0)
    expected = weights / weights.sum()
    found = np.bincount(agent.act_many(many), minlength=RULES.n_actions) / n
    assert (np.abs(found - expected) <= 4 * np.sqrt(expected * (1 - expected) / n) + 1e-9).all()


def test_it_takes_part_in_an_evaluation_and_is_named_by_its_spec(run_folder):
    spec = f"network:path={run_folder}"
    results = [evaluate("fossil", [spec, "random"], games=20, seed=1) for _ in range(2)]
    assert results[0].agents[0].spec == spec
    assert results[0].to_dict() == results[1].to_dict()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("", "network needs path"),
        ("path=x,temperature=-1", "temperature is -1.0; allowed: a number of at least 0"),
        ("path=x,depth=3", "no parameter 'depth'"),
        ("path=x,simulations=-1", "simulations is -1; allowed: a whole number from 0 to"),
        ("path=x,candidates=0", "candidates is 0; allowed: a whole number of at least 1"),
    ],
)
def test_a_wrong_spec_is_explained(parameters, message):
    with pytest.raises(ValueError, match=message):
        bonebed.agent(f"network:{parameters}")


def test_a_path_without_a_checkpoint_is_explained(tmp_path):
    with pytest.raises(CheckpointError, match="no checkpoint here"):
        bonebed.agent(f"network:path={tmp_path}")


def test_other_rules_are_refused_unless_they_are_asked_for(run_folder, tmp_path):
    shutil.copytree(run_folder, tmp_path / "run")
    path = networks.latest(tmp_path / "run") / networks.CARD
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "rules_hash": "other"}))
    spec = f"network:path={tmp_path / 'run'}"
    with pytest.raises(CheckpointError, match="made for other rules"):
        bonebed.agent(spec)
    views = positions(2)
    agents = (bonebed.agent(f"network:path={run_folder}"), bonebed.agent(f"{spec},any_rules=true"))
    assert (agents[0].act_many(views) == agents[1].act_many(views)).all()


def test_a_layout_finds_the_actions_that_an_observation_describes():
    layout = Layout(
        fields=(("phase", (5,)), ("reach", (2, 4, 3)), ("left", (9,))),
        blocks=(("keep", (1,)), ("move", (2, 4)), ("give", (9, 3))),
        seats=4,
    )
    assert layout.described() == [(slice(5, 29), slice(1, 9), 3)]
    assert (layout.n_inputs, layout.n_actions) == (38, 36)
    assert Layout.of_json(layout.to_json()) == layout


def test_a_scorer_treats_described_actions_alike():
    layout = Layout(fields=(("side", (2,)), ("reach", (8, 3))), blocks=(("move", (8,)),), seats=2)
    network = Network(layout, (8,), scorer=6)
    torch.nn.init.zeros_(network.policy.weight)  # what tells the actions apart by their place
    features = torch.randn(1, 8, 3)
    order = torch.tensor([2, 0, 3, 1, 7, 5, 4, 6])

    def logits(described):
        seen = torch.cat((torch.ones(1, 2), described.flatten(1)), 1)
        return network(seen, torch.ones(1, 8, dtype=torch.bool))[0]

    with torch.no_grad():
        network.trunk[0].weight[:, 2:] = 0.0
        torch.testing.assert_close(logits(features)[:, order], logits(features[:, order]))


@pytest.mark.parametrize("game", list(table.GAMES))
def test_a_network_fits_every_game(game):
    rules = table.rules(game)
    network = Network(Layout.of(rules), (8, 8), scorer=4)
    legal = torch.ones(3, rules.n_actions, dtype=torch.bool)
    logits, value = network(torch.zeros(3, rules.obs_size), legal)
    assert logits.shape == (3, rules.n_actions)
    assert value.shape == (3, rules.max_players)
