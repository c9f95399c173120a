"""Checkpoints are written whole, read back exactly, and refused with the file and the reason."""

import json
import re
import shutil

import numpy as np
import pytest
import torch

from bonebed.agents import network as networks
from bonebed.agents.network import CheckpointError, Layout, Network
from bonebed.envs import table
from bonebed.train import checkpoint

RULES = table.rules("fossil")
CARD = {
    "format": networks.FORMAT,
    "game": RULES.name,
    "options": {"num_players": 2},
    "rules_hash": RULES.rules_hash,
    "layout": Layout.of(RULES).to_json(),
    "network": {"hidden": [8], "scorer": 4},
}


def small_network():
    return Network(Layout.of(RULES), (8,), scorer=4)


@pytest.fixture
def written(tmp_path):
    """A checkpoint to spoil."""
    arrays = {"games.seed": torch.arange(8, dtype=torch.uint8)}
    return checkpoint.write(tmp_path / "run", 7, CARD, small_network().state_dict(), arrays, keep=3)


def refused(file, reason, game="fossil"):
    """Expect an error that names the file and says what is wrong with it."""
    return pytest.raises(CheckpointError, match=f"{re.escape(str(file))}: .*{reason}")


def load(folder):
    card = networks.read_card(folder)
    networks.check_card(folder, card, RULES)
    return networks.network_of(folder, card)


def edit_card(folder, **changes):
    path = folder / networks.CARD
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, **changes}))


def test_what_is_written_is_read_back_bit_for_bit(tmp_path):
    network = small_network()
    arrays = {"a": torch.randn(3, 4), "b": torch.arange(5)}
    folder = checkpoint.write(tmp_path, 1, CARD, network.state_dict(), arrays, keep=1)
    card = networks.read_card(folder)
    assert {**CARD, "files": card["files"]} == card
    back = networks.read_arrays(folder, checkpoint.TRAINING, card)
    assert all((back[name] == array).all() for name, array in arrays.items())
    for name, weights in load(folder).state_dict().items():
        assert (weights == network.state_dict()[name]).all()


def test_loading_a_network_touches_no_chance_of_the_process(written):
    before = torch.get_rng_state()
    load(written)
    assert (torch.get_rng_state() == before).all()


def test_only_the_last_checkpoints_are_kept_and_the_last_one_is_found(tmp_path):
    for number in (1, 2, 30, 4):
        checkpoint.write(tmp_path, number, CARD, small_network().state_dict(), {}, keep=3)
    names = [path.name for path in sorted((tmp_path / networks.CHECKPOINTS).iterdir())]
    assert names == ["00000002", "00000004", "00000030"]
    assert networks.latest(tmp_path).name == "00000030"
    assert networks.latest(tmp_path / networks.CHECKPOINTS / "00000004").name == "00000004"


def test_a_draft_that_a_kill_left_behind_is_passed_over_and_cleared_away(written):
    folder = written.parent
    draft = folder / f"{checkpoint.UNFINISHED}00000008"
    shutil.copytree(written, draft)
    assert networks.latest(folder.parent) == written
    checkpoint.write(folder.parent, 9, CARD, small_network().state_dict(), {}, keep=3)
    assert not draft.exists()


@pytest.mark.parametrize("name", [networks.WEIGHTS, checkpoint.TRAINING])
def test_every_truncated_file_of_arrays_is_refused(written, name):
    path = written / name
    data = path.read_bytes()
    card = networks.read_card(written)
    for length in (0, 5, 200, len(data) - 1):
        path.write_bytes(data[: min(length, len(data) - 1)])
        with refused(path, "truncated"):
            networks.read_arrays(written, name, card)


def test_a_truncated_card_is_refused(written):
    path = written / networks.CARD
    text = path.read_text()
    for length in (0, 1, len(text) // 2, len(text) - 1):
        path.write_text(text[:length])
        with refused(path, "truncated"):
            load(written)


def test_changed_weights_are_refused(written):
    path = written / networks.WEIGHTS
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with refused(path, "not those that the card was made for"):
        load(written)


def test_a_missing_file_is_named(written):
    (written / networks.WEIGHTS).unlink()
    with refused(written / networks.WEIGHTS, "cannot be read"):
        load(written)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 99}, "format 2 was expected, got 99"),
        ({"game": "chess"}, "made for the game 'chess', not for 'fossil'"),
        ({"rules_hash": "0123"}, "other rules of 'fossil': its rules hash is 0123"),
        ({"layout": 3}, "'layout' is missing or not an object"),
        ({"layout": {"observation": {"phase": "5xx"}}}, "its layout cannot be read"),
        ({"files": None}, "'files' is missing or not an object"),
    ],
)
def test_a_foreign_card_is_refused(written, changes, reason):
    edit_card(written, **changes)
    with refused(written / networks.CARD, reason):
        load(written)


def test_another_layout_is_refused_and_the_fields_named(written):
    layout = Layout.of(RULES).to_json()
    layout["observation"]["stone"] = "3x81"
    layout["observation"]["moon"] = "4"
    edit_card(written, layout=layout)
    with refused(written / networks.CARD, "another layout of the observation: stone, moon"):
        load(written)
    edit_card(written, layout={**Layout.of(RULES).to_json(), "seats": 4})
    with refused(written / networks.CARD, "made for up to 4 players, the game here has up to 6"):
        load(written)
    layout = Layout.of(RULES).to_json()
    layout["actions"] = dict(reversed(layout["actions"].items()))
    edit_card(written, layout=layout)
    with refused(written / networks.CARD, "another layout of the actions: order"):
        load(written)


def test_weights_of_another_network_are_refused(written):
    edit_card(written, network={"hidden": [9], "scorer": 4})
    with refused(written / networks.WEIGHTS, "do not fit the card"):
        load(written)


def test_a_card_without_a_key_is_refused(written):
    card = json.loads((written / networks.CARD).read_text())
    for key in ("game", "options", "rules_hash", "layout", "network", "files"):
        rest = {name: value for name, value in card.items() if name != key}
        (written / networks.CARD).write_text(json.dumps(rest))
        with refused(written / networks.CARD, f"'{key}' is missing"):
            load(written)


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.mkdir()])
def test_no_checkpoint_at_all_is_said(tmp_path, make):
    make(tmp_path / "nothing")
    with refused(tmp_path / "nothing", "no checkpoint here"):
        networks.latest(tmp_path / "nothing")


def test_an_optimizer_goes_on_exactly(tmp_path):
    def steps(network, optimizer, n):
        for k in range(n):
            optimizer.zero_grad()
            legal = torch.ones(3, RULES.n_actions, dtype=torch.bool)
            logits, value = network(torch.full((3, RULES.obs_size), 0.1 * (k + 1)), legal)
            (logits.square().mean() + value.square().mean()).backward()
            optimizer.step()

    network = small_network()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    steps(network, optimizer, 3)
    arrays = {k: a.clone() for k, a in checkpoint.arrays_of_optimizer(optimizer).items()}
    twin = small_network()
    twin.load_state_dict(network.state_dict())
    again = torch.optim.Adam(twin.parameters(), lr=0.01)
    checkpoint.fill_optimizer(again, arrays, tmp_path)
    steps(network, optimizer, 3)
    steps(twin, again, 3)
    pairs = zip(network.parameters(), twin.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


def test_an_optimizer_of_another_network_is_refused(tmp_path):
    network = small_network()
    optimizer = torch.optim.Adam(network.parameters())
    with refused(tmp_path, "3.exp_avg belongs to another network"):
        checkpoint.fill_optimizer(optimizer, {"3.exp_avg": torch.zeros(99)}, tmp_path)


def test_records_survive_as_bytes_and_other_sizes_are_refused():
    states = np.repeat(np.array([RULES.new(seed=5)], RULES.STATE), 3)
    data = checkpoint.bytes_of_record(states)
    assert checkpoint.record_of_bytes(data, states, "file").tobytes() == states.tobytes()
    with pytest.raises(CheckpointError, match=r"file: \d+ bytes where \d+ were expected"):
        checkpoint.record_of_bytes(data[:-1], states, "file")
