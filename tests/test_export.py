"""Networks taken out of their runs, and runs that begin with a network."""

import dataclasses
import json
import shutil

import numpy as np
import pytest
import torch

import bonebed
from bonebed import cli
from bonebed.agents import network as networks
from bonebed.agents.network import CheckpointError
from bonebed.envs import table
from bonebed.train import checkpoint, export, ppo, restamp

SMALL = ppo.Config(
    game="memory_game",
    total_decisions=8 * 16 * 3,
    num_envs=8,
    num_steps=16,
    minibatch_size=64,
    hidden=(16,),
    evaluations=0,
    seed=5,
    pool_share=0.0,
)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    ppo.train(dataclasses.replace(SMALL, folder=folder))
    return folder


def weights(folder):
    folder = networks.latest(folder)
    return networks.network_of(folder, networks.read_card(folder)).state_dict()


def same(first, second):
    return all(torch.equal(array, second[name]) for name, array in first.items())


def test_an_exported_network_is_weights_and_a_card_and_plays_the_same(run_folder, tmp_path):
    into = tmp_path / "deep" / "bot"
    given = ["--folder", str(run_folder), "--into", str(into), "--games", "8"]
    assert cli.main(["train", "export", *given, "--opponents", "random"]) == 0
    assert sorted(path.name for path in into.iterdir()) == [networks.CARD, networks.WEIGHTS]
    card = json.loads((into / networks.CARD).read_text())
    assert [row["opponent"] for row in card["measured"]] == ["random"]
    assert card["measured"][0]["games"] == 8
    assert card["decisions"] == 8 * 16 * 3
    assert card["config"]["seed"] == 5
    assert same(weights(into), weights(run_folder))
    players = [f"network:path={into}", f"network:path={run_folder}"]
    scores = [
        bonebed.evaluate("memory_game", [player, "random"], games=8, seed=1).agents[0]
        for player in players
    ]
    assert scores[0].win_rate == scores[1].win_rate


def test_the_command_on_the_card_trains_the_same_network(run_folder, tmp_path):
    card = networks.read_card(networks.latest(run_folder))
    words = card["command"].split()
    assert words[:3] == ["bonebed", "train", "ppo"]
    assert cli.main([*words[1:], "--folder", str(tmp_path / "again")]) == 0
    assert same(weights(tmp_path / "again"), weights(run_folder))


def test_what_a_killed_export_left_is_in_nobodys_way(run_folder, tmp_path):
    (tmp_path / f"{checkpoint.UNFINISHED}bot").mkdir()
    export.main(export.Config(folder=run_folder, into=tmp_path / "bot", opponents=()))
    assert [path.name for path in tmp_path.iterdir()] == ["bot"]


def test_nothing_is_overwritten(run_folder, tmp_path):
    with pytest.raises(ValueError, match="exists already"):
        export.main(export.Config(folder=run_folder, into=tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("games", [0, -3])
def test_a_wrong_number_of_games_is_refused(run_folder, tmp_path, games):
    with pytest.raises(ValueError, match=f"games is {games}; allowed: a whole number of 1"):
        export.main(export.Config(folder=run_folder, into=tmp_path / "bot", games=games))


def test_a_run_can_begin_with_a_network_and_tells_how_that_was_made(run_folder, tmp_path):
    first = tmp_path / "first"
    shutil.copytree(run_folder, first)
    config = dataclasses.replace(
        SMALL, folder=tmp_path / "second", initial=first, hidden=(128, 128), total_decisions=1
    )
    ppo.train(config)
    begun = config.folder / networks.CHECKPOINTS / checkpoint.name_of(0)
    assert same(weights(begun), weights(first))
    assert not same(weights(config.folder), weights(first))
    card = networks.read_card(networks.latest(config.folder))
    assert card["before"] == [networks.read_card(networks.latest(first))["command"]]
    assert card["network"]["hidden"] == [16]
    shutil.rmtree(first)  # a run that goes on has all it needs
    ppo.train(ppo.Config(folder=config.folder, resume=True, total_decisions=8 * 16 * 2))
    resumed = networks.read_card(networks.latest(config.folder))
    assert resumed["updates"] == 2
    assert resumed["before"] == card["before"]
    assert f"--initial {first}" in resumed["command"]


def test_a_network_of_another_game_begins_no_run(run_folder, tmp_path):
    config = dataclasses.replace(SMALL, game="fossil", folder=tmp_path, initial=run_folder)
    with pytest.raises(CheckpointError, match="made for the game 'memory_game', not for 'fossil'"):
        ppo.train(config)
    assert np.all([not any(tmp_path.iterdir())])


def test_a_network_is_kept_for_rules_that_play_the_same_and_for_no_others(
    run_folder, tmp_path, capsys
):
    bot = tmp_path / "bot"
    export.main(export.Config(folder=run_folder, into=bot, opponents=()))
    card = json.loads((bot / networks.CARD).read_text())
    (bot / networks.CARD).write_text(json.dumps({**card, "rules_hash": "0123"}))
    with pytest.raises(CheckpointError, match="made for other rules"):
        bonebed.agent(f"network:path={bot}", game="memory_game")
    assert cli.main(["train", "restamp", "--folders", str(bot)]) == 0
    assert json.loads((bot / networks.CARD).read_text()) == card
    other = json.dumps({**card, "rules_hash": "0123", "signature": "4567"})
    (bot / networks.CARD).write_text(other)
    assert cli.main(["train", "restamp", "--folders", str(bot)]) == 2
    assert "plays otherwise than when it learned" in capsys.readouterr().err
    assert (bot / networks.CARD).read_text() == other


def test_a_signature_tells_options_and_games_apart():
    rules = table.rules("memory_game")
    found = {
        restamp.signature(table.rules(name), {"num_players": [2]})
        for name in ("memory_game", "twenty_questions")
    }
    found.add(restamp.signature(table.rules("twenty_questions"), {"num_players": [2, 3]}))
    assert len(found) == 3
    assert restamp.signature(rules, {"num_players": [2]}) in found, "the same again"
