"""The leaderboard: played until it is clear, kept, taken up again; any change of it is found."""

import dataclasses
import gzip
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

import house
import toy_shaft
from bonebed import cli
from bonebed.agents import plan as playing
from bonebed.agents import records
from bonebed.agents.evaluate import evaluate
from bonebed.benchmarks import pools, strength
from bonebed.benchmarks.pools import Matchup, Pool
from bonebed.benchmarks.standings import Store
from bonebed.envs import table
from toy_shaft import HOUSE

pytest.importorskip("openskill")

GAME, SEED = "memory_game", 7
PLAN = f"""
seed = {SEED}
reference = "greedy"
games = [6, 24]
[notes]
{GAME} = "Partly made up."
[[pool]]
game = "{GAME}"
players = [2]
agents = ["random", "greedy", "rollout:playouts=1"]
"""
NAME = f"{GAME}-2"


def board(folder):
    """Return the files of a leaderboard."""
    return Store(folder / "leaderboard.md")


def run(folder, *words):
    """Run the command on a folder's plan and page; returns the exit status."""
    command = ["leaderboard", "--plan", str(folder / "plan.toml"), "--folder", str(folder / "work"),
               "--page", str(folder / "leaderboard.md"), "--no-progress", *words]  # fmt: skip
    try:
        return cli.main(command)
    except SystemExit as stopped:
        return stopped.code


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a small leaderboard."""
    folder = tmp_path_factory.mktemp("leaderboard")
    (folder / "plan.toml").write_text(PLAN)
    assert run(folder) == 0
    return folder


@pytest.fixture
def copied(played, tmp_path):
    """A copy of it to spoil."""
    return shutil.copytree(played, tmp_path / "copy")


def verify(folder, capsys):
    """Verify a page; returns the exit status and what was printed."""
    capsys.readouterr()
    return run(folder, "--verify", str(folder / "leaderboard.md")), capsys.readouterr().out


# --- what is written ------------------------------------------------------------------------------


def test_the_page_shows_what_evaluate_finds(played):
    text = (played / "leaderboard.md").read_text()
    agents = ["random", "greedy", "rollout:playouts=1"]
    (line,) = [line for line in text.splitlines() if "played until" in line]
    games = int(line.split()[0])
    command = f"bonebed evaluate {GAME} --agents {','.join(agents)} --num-players 2"
    assert f"`{command} --games {games} --seed {SEED}`" in line
    assert table.rules(GAME).rules_hash in line
    assert table.rules(GAME).sheet.hash in line
    found = evaluate(GAME, agents, games, SEED, num_players=2)
    reference = evaluate(GAME, ["random", "greedy"], 12, SEED, num_players=2).agents[0]
    rows = {row.split("`")[1]: row for row in text.splitlines() if row.startswith("| `")}
    assert next(iter(rows)) == "greedy"
    for one in found.agents:
        cells = [cell.strip() for cell in rows[one.spec].strip("|").split("|")]
        won = one.win_rate
        assert cells[1] == str(one.games)
        assert cells[2] == f"{won.value:.1%} ({100 * won.low:.1f} to {100 * won.high:.1f})".replace(
            "%", " %"
        )
        assert cells[3:5] == [f"{one.mean_rank.value:.2f}", f"{one.score_margin.value:+.1f}"]
        assert cells[5] == f"{one.rating.mu:.1f} ± {one.rating.sigma:.1f}"
    assert f"| 12 | {reference.win_rate.value:.1%}".replace("%", " %") in rows["random"]
    assert rows["greedy"].endswith("| - | - |")
    assert "Partly made up. Rules: [Memory Game](games/memory_game.md)." in text


def test_what_was_written_is_verified(played, capsys):
    assert verify(played, capsys)[0] == 0
    assert run(played, "--verify", str(played / "leaderboard.md"), "--progress") == 0
    told = capsys.readouterr()
    assert "playing again" in told.err
    assert "the tables are those of the records, every game re-plays" in told.out


def test_packed_records_are_match_records(played, capsys):
    file = board(played).folder / f"{NAME}.jsonl.gz"
    assert cli.main(["replay", str(file)]) == 0
    assert "every end as recorded" in capsys.readouterr().out
    assert cli.main(["evaluate", GAME, "--record", str(file)]) == 2
    assert "cannot be added to" in capsys.readouterr().err


def test_the_command_works_in_a_checkout(played):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.strength", "--verify", str(played / "leaderboard.md")],
        cwd=house.ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "every game re-plays" in done.stdout


# --- going on -------------------------------------------------------------------------------------


def contents(folder):
    """Return all that is published."""
    return {file.name: file.read_bytes() for file in board(folder).folder.iterdir()} | {
        "page": (folder / "leaderboard.md").read_bytes()
    }


def test_an_interrupted_run_goes_on(played, tmp_path, monkeypatch):
    (tmp_path / "plan.toml").write_text(PLAN)
    left = [3]
    once = playing._play_some

    def interrupted(*args):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return once(*args)

    monkeypatch.setattr(playing, "_play_some", interrupted)
    monkeypatch.setattr(pools, "BATCH_GAMES", 4)
    assert run(tmp_path) == 130
    assert any((tmp_path / "work").iterdir())
    left[0] = 10**6
    assert run(tmp_path) == 0
    assert contents(tmp_path) == contents(played)


def test_what_is_published_is_not_played_again(copied, monkeypatch):
    before = contents(copied)
    shutil.rmtree(copied / "work")
    monkeypatch.setattr(playing, "_play_some", lambda *_: pytest.fail("a game was played"))
    assert run(copied) == 0
    assert contents(copied) == before


def test_another_agent_in_the_plan_leaves_the_other_games_alone(copied, capsys):
    before = list(records.read(board(copied).folder / f"{NAME}.jsonl.gz"))
    (copied / "plan.toml").write_text(PLAN.replace('"random", ', '"random", "greedy:samples=1", '))
    assert run(copied) == 0
    after = list(records.read(board(copied).folder / f"{NAME}.jsonl.gz"))
    versus = [match for match in before if len(match.evaluation["agents"]) == 2]
    assert versus
    assert all(match in after for match in versus)
    assert {len(match.evaluation["agents"]) for match in after} == {2, 4}
    assert verify(copied, capsys)[0] == 0
    (copied / "plan.toml").write_text(PLAN)  # and back again: all is in the folder of work
    assert run(copied) == 0
    assert list(records.read(board(copied).folder / f"{NAME}.jsonl.gz")) == before


# --- what is found --------------------------------------------------------------------------------


def spoil(folder, change):
    """Change the list of a board's records."""
    file = board(folder).folder / f"{NAME}.jsonl.gz"
    records.pack(file, change(list(records.read(file))))


def nth(change, n=5):
    """Change one of the records."""
    return lambda ms: [change(m) if i == n else m for i, m in enumerate(ms)]


def with_evaluation(**values):
    """Change what a record says of the evaluation it belongs to."""
    return lambda m: dataclasses.replace(m, evaluation={**m.evaluation, **values})


def swapped(match):
    """Let the other agent win."""
    return dataclasses.replace(match, score=match.score[::-1], outcome=match.outcome[::-1])


def without_end(match):
    """Take a match's end away."""
    return dataclasses.replace(match, score=None, outcome=None)


SPOILT = [
    (nth(swapped), "line 6: does not re-play: recorded score"),
    (nth(lambda m: dataclasses.replace(m, outcome=(0.5, -0.5))), "line 6: does not re-play: rec"),
    (nth(lambda m: dataclasses.replace(m, actions=m.actions[:-1])), "line 6: does not re-play: it"),
    (nth(lambda m: dataclasses.replace(m, actions=(999,))), "line 6: does not re-play: decision 0"),
    (nth(lambda m: dataclasses.replace(m, seed=m.seed ^ 1)), "line 6: recorded seed and seats"),
    (nth(lambda m: dataclasses.replace(m, seats=m.seats[::-1])), "line 6: recorded seed and seats"),
    (nth(lambda m: dataclasses.replace(m, rules_hash="0" * 16)), "line 6: the record is of someth"),
    (nth(without_end), "line 6: not a finished match"),
    (nth(lambda m: dataclasses.replace(m, evaluation=None)), f"line 6: no game of {NAME}"),
    (nth(with_evaluation(agents=["x"])), f"line 6: no game of {NAME}"),
    (nth(with_evaluation(seed=8)), f"line 6: no game of {NAME}"),
    (nth(with_evaluation(deal=99)), "line 6: no game of this match-up: deal 99"),
    (nth(with_evaluation(deal="0")), "line 6: no game of this match-up: deal 0"),
    (lambda ms: ms[:5] + ms[6:], "games; at least 6 expected"),
    (lambda ms: [*ms, ms[5]], "the same game is there twice"),
    (lambda ms: [], "there is no match in this file"),
]


@pytest.mark.parametrize(("change", "told"), SPOILT)
def test_a_changed_record_is_found_and_named(copied, capsys, change, told):
    spoil(copied, change)
    status, shown = verify(copied, capsys)
    assert status == 1
    assert told in shown
    assert f"{NAME}.jsonl.gz" in shown
    assert "difference" in shown.splitlines()[-1]


def test_games_beyond_those_that_were_needed_are_found(copied, capsys):
    matchup = Matchup(GAME, 2, ("random", "greedy"), (), SEED, (24, 24))
    more = copied / "more.jsonl"
    plan, _ = matchup.plan(24)
    playing.play(plan, [_agent(spec) for spec in matchup.agents], 32, more)
    spoil(copied, lambda ms: [*ms, *(m for m in records.read(more) if m.evaluation["deal"] > 5)])
    status, shown = verify(copied, capsys)
    assert status == 1
    assert "random, greedy: 24 games; the answer was clear after 12" in shown


def _agent(spec):
    """Make an agent."""
    from bonebed.agents import automatic

    return automatic(spec, GAME)


@pytest.mark.parametrize("data", [b"", b"hello", None, "half"])
def test_a_broken_or_missing_file_of_records_is_named(copied, capsys, data):
    file = board(copied).folder / f"{NAME}.jsonl.gz"
    whole = file.read_bytes()
    file.unlink()
    if data is not None:
        file.write_bytes(whole[: len(whole) // 2] if data == "half" else data)
    status, shown = verify(copied, capsys)
    assert status == 1
    assert f"{NAME}.jsonl.gz" in shown
    assert "not compared" in shown


@pytest.mark.parametrize(
    ("old", "new"),
    [("| `greedy` | ", "| `greedy` | 1"), ("## Memory", "## Memories"), ("An average", "Average")],
)
def test_a_changed_page_is_found_and_the_line_named(copied, capsys, old, new):
    page = copied / "leaderboard.md"
    text = page.read_text()
    number = text[: text.index(old)].count("\n") + 1
    page.write_text(text.replace(old, new, 1))
    status, shown = verify(copied, capsys)
    assert status == 1
    assert f"leaderboard.md, line {number}: published" in shown
    assert f"leaderboard.md, after line {number}: computed" in shown
    assert shown.splitlines()[-1].endswith("2 differences")
    assert run(copied) == 0
    assert page.read_text() == text


def test_other_rules_and_other_sheets_are_told(copied, capsys):
    card = board(copied).folder / f"{NAME}.json"
    text = card.read_text()
    for key in ("rules_hash", "sheet_hash"):
        card.write_text(json.dumps({**json.loads(text), key: "f" * 16}))
        status, shown = verify(copied, capsys)
        assert status == 1
        assert f"{NAME}.json: played under" in shown
        assert "f" * 16 in shown


def test_a_page_that_is_not_there_and_a_wrong_card_are_told(copied, capsys):
    (copied / "leaderboard.md").rename(copied / "other.md")
    assert verify(copied, capsys)[0] == 2
    card = board(copied).folder / f"{NAME}.json"
    for wrong in ("{}", "[", '{"pool": 3}', card.read_text().replace('"agents"', '"people"')):
        card.write_text(wrong)
        assert run(copied) == 2
        assert "not a card of the leaderboard" in capsys.readouterr().err
    card.unlink()
    (copied / "other.md").rename(copied / "leaderboard.md")
    status, shown = verify(copied, capsys)
    assert status == 1
    assert "published '## Memory Game'" in shown


def test_of_many_differences_the_first_are_told(copied, capsys):
    spoil(copied, lambda ms: [swapped(m) for m in ms])
    _, shown = verify(copied, capsys)
    assert shown.count("does not re-play") == strength.SHOWN
    assert "games more" in shown


# --- the rule -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "stages"),
    [((10, 10), [10]), ((10, 20), [10, 20]), ((10, 90), [10, 20, 40, 80, 90])],
)
def test_each_batch_is_as_large_as_all_before_it(games, stages):
    assert Matchup(GAME, 2, ("random", "greedy"), (), 0, games).stages() == stages


def result_of(matchup, outcomes):
    """Make up a result: the outcome of the first agent in each deal, whatever its seat."""
    plan, says = matchup.plan(len(outcomes) * matchup.plan(1)[0].seatings)
    ends = playing.Ends.none(plan)
    ends.played[:] = True
    first = plan.seats == 0
    for array in (ends.score, ends.outcome):
        array[:] = np.where(first, 1, -1) * np.asarray(outcomes)[:, None, None]
    return says(ends)


def test_a_versus_is_clear_when_its_interval_leaves_out_one_half():
    matchup = Matchup(GAME, 2, ("random", "greedy"), (), 0, (2, 2))
    assert pools.unclear(result_of(matchup, [1.0, -1.0] * 10)) == [("random", "greedy")]
    assert pools.unclear(result_of(matchup, [1.0] * 20)) == []
    assert pools.unclear(result_of(matchup, [-1.0] * 20)) == []
    assert pools.unclear(result_of(matchup, [1.0] * 2)) != [], "two deals are too few"


def test_to_be_ahead_is_even_at_one_half_with_any_number_of_players():
    # the first of three players once, the last twice: ahead of 2, 0 and 0 of the 2 others
    matchup = Matchup("fossil", 3, ("random", "greedy"), (), 0, (3, 3))
    share = pools.ahead(result_of(matchup, [1.0, -1.0, -1.0]))
    assert share.value == pytest.approx(1 / 3)
    assert share.low < 1 / 3 < share.high
    even = pools.ahead(result_of(matchup, [1.0, -1.0]))
    assert even.value == pytest.approx(0.5)
    assert even.low == pytest.approx(1 - even.high)


def test_a_table_is_clear_when_neighbours_are_apart():
    def with_rates(*rates):
        result = evaluate(GAME, ["random", "greedy", "rollout:playouts=1"], games=3, num_players=2)
        agents = [
            dataclasses.replace(one, win_rate=pools.Estimate(rate, rate - 0.1, rate + 0.1))
            for one, rate in zip(result.agents, rates, strict=True)
        ]
        return dataclasses.replace(result, agents=tuple(agents))

    assert pools.unclear(with_rates(0.1, 0.9, 0.5)) == []
    assert pools.unclear(with_rates(0.1, 0.9, 0.25)) == [("rollout:playouts=1", "random")]
    assert pools.unclear(with_rates(0.85, 0.9, 0.8)) == [
        ("greedy", "random"), ("random", "rollout:playouts=1"),
    ]  # fmt: skip
    assert pools.ranked(with_rates(0.5, 0.9, 0.5)) == [1, 0, 2]


@pytest.fixture
def with_a_house(monkeypatch):
    """Put the toy with an automated opponent into the table of games."""
    monkeypatch.setitem(table.GAMES, HOUSE.name, toy_shaft.ROWS[HOUSE.name])


def test_games_of_one_seat_and_an_automated_opponents_seat_have_tables(
    with_a_house, tmp_path, capsys
):
    (tmp_path / "plan.toml").write_text(
        f"""
seed = 1
reference = "greedy"
games = [20, 80]
[[pool]]
game = "{HOUSE.name}"
players = [1]
agents = ["random", "greedy", "ismcts:simulations=30"]
[[pool]]
game = "{HOUSE.name}"
players = [2]
agents = ["random", "greedy"]
against = ["pal", "random"]
games = [10, 20]
"""
    )
    assert run(tmp_path) == 0
    text = (tmp_path / "leaderboard.md").read_text()
    assert "### Alone" in text
    assert "better than `greedy` |" in text
    assert "### Who plays the seat house_0" in text
    assert "| agent | house_0 is played by | games | points | more than with `pal` | in" in text
    assert "| mean of all | `random` |" in text
    alone_line, seat_line = (line for line in text.splitlines() if "played until" in line)
    agents = ["random", "greedy", "ismcts:simulations=30"]
    alone = evaluate(HOUSE.name, agents, games=int(alone_line.split()[0]), seed=1)
    deals = int(seat_line.split()[3])
    seat = evaluate(HOUSE.name, ["random", "greedy"], deals, 1, against=["pal", "random"])
    greedy, first, more = alone.agents[1], seat.pairs[2], seat.differences[1]
    assert f"| `greedy` | {greedy.games} | {greedy.alone.score.value:.1f} (" in text
    assert f"| `greedy` | `pal` | {deals} | {first.score.value:.1f} (" in text
    assert f"| {more.score.value:+.1f} ({more.score.low:+.1f} to {more.score.high:+.1f}) |" in text
    assert "--against pal,random --games" in text
    assert verify(tmp_path, capsys)[0] == 0


# --- plans ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("seed", "sead", "not a plan of the leaderboard: KeyError"),
        ("[[pool]]", "[[pool", "not a plan of the leaderboard"),
        ("players = [2]", "players = 2", "not a plan of the leaderboard"),
        ("players = [2]", "players = [3]", "num_players is 3"),
        (f'game = "{GAME}"', 'game = "chess"', "no game 'chess'"),
        ('"random", ', '"nobody", ', "there is no agent 'nobody'"),
        ('"random", ', '"human", ', "human waits for a person"),
        ('"random", ', '"greedy:samples=8", ', "agents are greedy, greedy,"),
        ("games = [6, 24]", "games = [6, 5]", "games are (6, 5)"),
        ("games = [6, 24]", "games = [6]", "not a pool"),
        ('agents = ["random"', 'wins = 1\nagents = ["random"', "not a pool"),
    ],
)
def test_a_wrong_plan_is_told(tmp_path, capsys, old, new, told):
    (tmp_path / "plan.toml").write_text(PLAN.replace(old, new, 1))
    assert run(tmp_path) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "leaderboard.md").exists()


def test_some_of_the_games_may_be_asked_for(tmp_path, capsys):
    (tmp_path / "plan.toml").write_text(PLAN)
    assert run(tmp_path, "--only", "fossil,go_dig") == 0
    assert not (tmp_path / "leaderboard").exists()
    assert run(tmp_path, "--only", "chess") == 2
    assert "no game 'chess'" in capsys.readouterr().err


def test_the_shipped_plan_has_every_game_and_says_how_true_its_numbers_are():
    found = pools.read_plan(pools.PLAN)
    assert {pool.game for pool in found} == set(table.GAMES)
    assert len({pool.name for pool in found}) == len(found)
    for pool in found:
        assert Pool.of(json.loads(json.dumps(pool.to_dict()))) == pool
        page = (house.ROOT / "docs" / "games" / f"{pool.game}.md").read_text("utf-8")
        made_up = "reconstruct" in page.split("## Rules")[0].replace("none is a reconstruction", "")
        assert pool.note, f"{pool.game} needs a line of notes"
        assert ("reconstruct" in pool.note) == (made_up and pool.game != "fossil")


def test_published_records_are_small_enough_for_a_repository():
    sizes = [file.stat().st_size for file in (house.ROOT / "docs" / "leaderboard").glob("*.gz")]
    assert max(sizes, default=0) < strength.LARGE
    assert sum(sizes) < 6_000_000


def test_packing_the_same_matches_makes_the_same_bytes(played, tmp_path):
    matches = list(records.read(board(played).folder / f"{NAME}.jsonl.gz"))
    for name in ("a.gz", "b.gz"):
        records.pack(tmp_path / name, matches)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    text = gzip.decompress((tmp_path / "a.gz").read_bytes()).decode()
    assert text.splitlines() == [match.line() for match in matches]


# --- curves ---------------------------------------------------------------------------------------


def card(folder, **values):
    """Write a checkpoint's card."""
    rows = [
        {"decisions": 100 * k, "seconds": 30.0 * k, "opponent": opponent, "games": 10,
         "win_rate": k / 5, "low": k / 6, "high": k / 4, "margin": 0.0}
        for k in range(4) for opponent in ("random", "greedy")
    ]  # fmt: skip
    data = {
        "format": 1, "made_by": "a test", "game": GAME, "options": {"num_players": 2},
        "rules_hash": "", "sheet_hash": "", "layout": {}, "network": {}, "config": {}, "files": {},
        "strength": rows, **values,
    }  # fmt: skip
    folder.mkdir(parents=True)
    (folder / "card.json").write_text(json.dumps(data))
    return folder


def test_curves_are_drawn_from_the_cards_of_runs(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    network = pytest.importorskip("bonebed.agents.network")
    one = card(tmp_path / "one" / "checkpoints" / "00000001", format=network.FORMAT)
    two = card(tmp_path / "two", format=network.FORMAT)
    out = tmp_path / "pictures" / "curves.png"
    words = ["leaderboard", "--curves", str(one.parents[1]), str(two), "--out", str(out)]
    assert cli.main(words) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert "drawn: " in capsys.readouterr().out
    assert cli.main([*words, "--opponent", "pal"]) == 2
    assert "its strength against 'pal' was never measured" in capsys.readouterr().err
    assert cli.main(["leaderboard", "--curves", str(tmp_path / "none")]) == 2
    assert "no checkpoint here" in capsys.readouterr().err
