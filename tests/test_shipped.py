"""The networks that come with the package, and the agents that play them."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

import bonebed
from bonebed.agents import network as networks
from bonebed.agents import shipped
from bonebed.agents.network import CheckpointError
from bonebed.envs import table
from bonebed.envs.view import Views
from bonebed.kernels import batch as batches
from bonebed.train import export, ppo

TINY = ppo.Config(total_decisions=1, num_envs=8, num_steps=16, hidden=(8,), evaluations=0)


def make(folder, place, **changes):
    """Make a network that has learned next to nothing, as one that comes with the package."""
    run = folder / f"run_{place.name}"
    ppo.train(dataclasses.replace(TINY, folder=run, **changes))
    export.main(export.Config(folder=run, into=place, opponents=()))
    shutil.rmtree(run)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shipped")
    nets = folder / "networks"
    make(folder, nets / "fossil", game="fossil", num_players=(2, 3), seed=1)
    make(folder, nets / "fossil_2", game="fossil", num_players=(2,), seed=2)
    make(folder, nets / "solo", game="fossilium_solo", seed=3)
    agent = {"options": ("pal=agent",), "seat": 1, "rivals": ("random",), "num_steps": 64}
    make(folder, nets / "solo_pal", game="fossilium_solo", seed=4, **agent)
    return nets


@pytest.fixture(autouse=True)
def instead(monkeypatch, folder):
    monkeypatch.setattr(shipped, "SHIPPED", folder)


def views(game, n=16, steps=9, **options):
    rules = table.rules(game)
    games = batches.Batch(rules, rules.make_options(**options), n, seed=3)
    games.play_random(steps)
    return Views.of(rules, games.states, np.arange(n, dtype=np.uint64))


@pytest.mark.parametrize(
    ("players", "name"), [(2, "fossil_2"), (3, "fossil"), (4, "fossil"), (6, "fossil")]
)
def test_the_number_of_players_decides_which_network_plays(folder, players, name):
    seen = views("fossil", num_players=players)
    plain = bonebed.agent(f"network:path={folder / name},temperature=1.0", game="fossil")
    chosen = bonebed.agent("trained:temperature=1.0", game="fossil").act_many(seen)
    assert (chosen == plain.act_many(seen)).all()


def test_a_seat_of_its_own_kind_has_its_own_network(folder):
    seen = views("fossilium_solo", n=64, steps=60, pal="agent")
    assert set(seen.player.tolist()) == {0, 1}, "both seats are to move somewhere"
    chosen = bonebed.agent("trained:temperature=1.0", game="fossilium_solo").act_many(seen)
    for seat, name in ((0, "solo"), (1, "solo_pal")):
        spec = f"network:path={folder / name},temperature=1.0"
        mine = np.flatnonzero(seen.player == seat)
        plain = bonebed.agent(spec, game="fossilium_solo").act_many(seen.take(mine))
        assert (chosen[mine] == plain).all()


def test_it_searches_if_asked(folder):
    seen = views("fossil", n=4)
    spec = "trained:simulations=4"
    chosen = bonebed.agent(spec, game="fossil")
    plain = bonebed.agent(f"network:path={folder / 'fossil_2'},simulations=4", game="fossil")
    assert str(chosen) == spec
    assert (chosen.act_many(seen) == plain.act_many(seen)).all()


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_rival_of_every_level_plays_legally(level):
    seen = views("fossil", n=2)
    chosen = bonebed.agent(f"rival:level={level}", game="fossil").act_many(seen)
    assert (seen.mask[np.arange(2), chosen] == 1).all()


def test_a_rival_of_no_level_is_refused():
    with pytest.raises(ValueError, match="level is 6; allowed: a whole number from 1 to 5"):
        bonebed.agent("rival:level=6", game="fossil")


def test_a_game_without_a_network_is_told_with_what_there_is():
    told = "no trained network for go_dig comes with the package; there are some for: fossil, f"
    with pytest.raises(ValueError, match=told):
        bonebed.agent("trained", game="go_dig")


def test_networks_for_other_rules_are_refused(folder, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path / "networks")
    path = tmp_path / "networks" / "fossil" / networks.CARD
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "rules_hash": "0123"}))
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "networks")
    with pytest.raises(CheckpointError, match="made for other rules of 'fossil'"):
        bonebed.agent("trained", game="fossil")
