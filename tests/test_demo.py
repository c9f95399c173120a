"""The demo, in its shortest form: it trains, compares, draws, and can be taken up again."""

from pathlib import Path

import pytest

from bonebed.agents import network as networks
from bonebed.train import demo, plots


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What a short demo printed, and its settings."""
    folder = tmp_path_factory.mktemp("demo") / "run"
    config = demo.Config(
        minutes=0.01, games=10, searcher="ismcts:simulations=5", folder=folder, threads=1
    )
    return config, run(config)


def run(config):
    """Run a demo and return what it printed."""
    lines = []

    class Listener:
        def print(self, text, **_):
            lines.append(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "Console", Listener)
        demo.main(config)
    return lines


def test_it_compares_the_bot_with_the_others_in_a_table(shown):
    _, lines = shown
    (table,) = (line for line in lines if isinstance(line, demo.Table))
    opponents, games, *_ = (list(column.cells) for column in table.columns)
    assert opponents == ["random", "greedy", "ismcts:simulations=5"]
    assert games == ["10", "10", "2"]


def test_it_draws_the_learning_curve_and_says_where(shown):
    config, lines = shown
    picture = config.folder / "learning_curve.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert str(picture) in lines[-1]


def test_it_proposes_commands_that_fit(shown):
    config, lines = shown
    commands = [line.partition("bonebed ")[2] for line in lines[-1].splitlines()]
    told = [command for command in commands if command]
    assert {command.split()[0] for command in told} == {"play", "train", "evaluate"}
    assert networks.latest(Path(config.folder)).is_dir()


def test_the_same_command_goes_on_where_it_was(shown):
    config, _ = shown
    before = networks.read_card(networks.latest(config.folder))
    lines = run(config)
    assert "it goes on" in lines[1]
    assert networks.read_card(networks.latest(config.folder)) == before, "it had ended"


def test_a_learning_curve_can_be_drawn_from_a_single_measurement(tmp_path):
    row = {
        "decisions": 1000, "seconds": 1.0, "opponent": "greedy", "games": 4,
        "win_rate": 0.5, "low": 0.2, "high": 0.8, "margin": 0.0,
    }  # fmt: skip
    plots.learning_curve([row], tmp_path / "curve.png", "one point", 2)
    assert (tmp_path / "curve.png").stat().st_size > 1000
