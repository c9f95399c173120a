"""The C programs tell the same games as the kernels; the speed benchmark measures and reports."""

import json

import numpy as np
import pytest

from bonebed.benchmarks import measure, native, speed
from bonebed.benchmarks.measure import Row
from bonebed.envs import table
from bonebed.kernels import batch

GAMES = sorted(path.stem for path in native.LIMIT.glob("*.c"))


def program(game):
    """Return the C program of a game, or None where there is no C compiler, which it then says."""
    try:
        native.compiler()
    except native.NoProgramError:
        with pytest.raises(native.NoProgramError, match="no C compiler here"):
            native.Program(game)
        return None
    return native.Program(game)


def settings(rules):
    """Yield every combination of a game's options."""
    names = [option.name for option in rules.options]
    for choices in np.ndindex(*(len(option.choices) for option in rules.options)):
        picked = zip(rules.options, choices, strict=True)
        yield dict(zip(names, (option.choices[i] for option, i in picked), strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_the_c_program_plays_the_same_games(game):
    """Scores, results and numbers of decisions of every game: a third telling of the rules."""
    limit, rules = program(game), table.rules(game)
    for chosen in settings(rules) if limit else ():
        options = rules.make_options(**chosen)
        told = limit.random_games(options, games=1000, seed=2)
        played = batch.random_games(rules, options, games=1000, seed=2)
        for field in ("score", "outcome", "decisions"):
            differ = np.flatnonzero(
                (getattr(told, field) != getattr(played, field)).reshape(1000, -1).any(1)
            )
            assert not differ.size, f"{chosen}, seed 2: {field} differs in games {differ[:10]}"


@pytest.mark.parametrize("game", GAMES)
def test_the_c_program_observes_the_same(game):
    """Every float of every observation and every mask."""
    limit, rules = program(game), table.rules(game)
    for chosen in settings(rules) if limit else ():
        _compare_observations(limit, rules, chosen, games=4, seed=3)


def _compare_observations(limit, rules, chosen, games, seed):
    """Step through games and compare what is written at each decision."""
    options = rules.make_options(**chosen)
    n = games * rules.max_decisions
    obs = np.full((n, rules.obs_size), np.nan, np.float32)
    mask = np.full((n, rules.n_actions), -1, np.int8)
    decisions = np.zeros(games, np.int32)
    limit.observed_games(options, obs, mask, decisions, seed=seed, keep=True)
    at = 0
    for game in range(games):
        # One place whose first game is the wanted one.
        played = batch.Batch(rules, options, num_envs=1, seed=seed)
        batch.deal(played.states, np.int64(0), options, np.uint64(seed), game)
        played.load(played.save())
        for decision in range(decisions[game]):
            place = f"{chosen}, seed {seed}, game {game}, decision {decision}"
            wrong = [
                name
                for name in rules.OBS.names
                if (obs[at].view(rules.OBS)[0][name] != played.obs_records[0][name]).any()
            ]
            assert not wrong, f"{place}: {wrong}"
            np.testing.assert_array_equal(mask[at], played.mask[0], err_msg=place)
            played.play_random(1)
            at += 1
        assert played.done[0], f"game {game} is over at the same decision"


def test_an_edited_component_sheet_has_no_c_program(monkeypatch, tmp_path):
    monkeypatch.setattr(native.jit, "COMPONENTS", tmp_path)
    with pytest.raises(native.NoProgramError, match="does not read"):
        native.Program("fossil")


def test_a_missing_compiler_is_told(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(native.NoProgramError, match=r"looked for \$CC = no-such-compiler"):
        native.compiler()


def test_a_program_that_does_not_compile_shows_the_message_of_the_compiler(tmp_path):
    if program("fossil") is not None:
        wrong = tmp_path / "wrong.c"
        wrong.write_text("int main(void) { return missing; }\n", encoding="utf-8")
        with pytest.raises(native.NoProgramError, match="missing"):
            native._load(wrong)


def row(values, target, at_least=True):
    """Return a row of a report."""
    return Row("kernel", "random games", "speed / C", target, at_least, values)


def test_a_target_is_held_against_the_median():
    assert row([0.1, 0.8, 0.9], 0.75).met is True
    assert row([0.1, 0.7, 0.9], 0.75).met is False
    assert row([0.1, 0.7, 0.9], 0.75, at_least=False).met is True
    assert row([0.1, 0.7, 0.9], None).met is None
    assert row([], 0.75).met is None


def test_meters_take_turns():
    order = []
    meters = [lambda name=name: float(order.append(name) is None) for name in "ab"]
    assert measure.alternate(meters, 3) == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert "".join(order) == "baabba"


def test_a_meter_counts_the_units_that_were_done():
    amounts = []

    def work(amount):
        amounts.append(amount)
        for _ in range(amount):
            sum(range(2000))
        return 10 * amount

    per_unit = measure.meter(work, seconds=0.002)
    assert per_unit() > 0
    assert amounts[-1] >= amounts[0] == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.5, "2.5 s"), (0.0031, "3.1 ms"), (1e-6, "1 us"), (0.9999e-6, "1 us"), (9.4e-8, "94 ns")],
)
def test_durations_are_spelled_with_a_fitting_unit(seconds, text):
    assert measure.spelled(seconds) == text


def test_the_benchmark_shows_and_writes_what_it_measured(tmp_path, capsys):
    layers = ("kernel,observed", "batch", "search", "aec", "vector")
    config = speed.Config(
        only=layers, quick=True, seconds=0.001, output=tmp_path / "new" / "s.json"
    )
    speed.main(config)
    shown = capsys.readouterr().out
    report = json.loads(config.output.read_text(encoding="utf-8"))
    measured = {told["layer"] for told in report["rows"] if told["values"]}
    expected = {"kernel", "observed", "batch", "search", "aec", "vector"}
    if program("fossil") is None:
        expected -= {"kernel", "observed"}
        assert "no C compiler here" in shown
    assert measured == expected
    assert report["machine"]["packages"]["numba"]
    assert report["rules"] == table.rules("fossil").rules_hash
    for told in report["rows"]:
        assert told["layer"] in shown
        assert all(value > 0 for value in told["values"])


def test_the_benchmark_starts_fresh_processes():
    rows = list(speed.start_rows(speed.Config(quick=True)))
    assert [len(told.values) for told in rows] == [1, 1, 0]
    assert rows[1].values > rows[0].values


def test_a_wrong_layer_or_game_is_told():
    with pytest.raises(ValueError, match="no layer 'kernels'; known: kernel, observed, batch"):
        speed.Config(only=("aec,kernels",))
    with pytest.raises(ValueError, match="no game 'chess'; known: fossil"):
        speed.Config(game="chess")
    with pytest.raises(ValueError, match="above 0"):
        speed.Config(repetitions=0)
