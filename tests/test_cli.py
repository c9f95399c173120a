"""The command line, driven as a user does: real processes, with piped input or in a terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

import bonebed
from bonebed import cli
from bonebed.agents import AGENTS, records
from bonebed.agents.human import Choices, tokens
from bonebed.agents.session import Session
from bonebed.envs import table
from bonebed.envs.text import WIDTH

COMMANDS = (
    "games",
    "play",
    "evaluate",
    "train",
    "bench",
    "warmup",
    "replay",
    "demo",
    "leaderboard",
)
BONEBED = [sys.executable, "-m", "bonebed.cli"]


@pytest.fixture
def bonebed_in(tmp_path):
    """Run the command in an empty folder, with something typed."""

    def run(*args, typed="", **environment):
        return subprocess.run(
            [*BONEBED, *map(str, args)],
            input=typed,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100", **environment},
        )

    return run


def typed(*lines):
    """Return lines as they are typed."""
    return "".join(f"{line}\n" for line in lines)


# --- the table of subcommands --------------------------------------------------------------------


def test_the_help_names_every_command_and_loads_nothing_heavy():
    code = (
        "import sys\nfrom bonebed import cli\n"
        "try:\n    cli.main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(*(n for n in ('numpy', 'numba', 'torch', 'gymnasium') if n in sys.modules), 'end')"
    )
    for args in ([], ["play"], ["evaluate"], ["train"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *args, "--help"], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("\nend\n"), done.stdout[-200:]
        if not args:
            assert all(f"• {command} " in done.stdout for command in COMMANDS)
    assert done.stdout.count("Example: bonebed train ") >= 2


def test_the_help_of_every_command_has_an_example(capsys):
    for command in ("games", "play", "evaluate", "warmup", "replay"):
        with pytest.raises(SystemExit) as stopped:
            cli.main([command, "--help"])
        assert stopped.value.code == 0
        assert f"Example: bonebed {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", [list(path) for path in cli.ELSEWHERE])
def test_a_command_from_elsewhere_brings_its_own_options(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main([*command, "--help"])
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    assert f"Example: bonebed {' '.join(command)}" in shown
    assert "config options" in shown
    assert "--config" not in shown


def test_the_help_shows_the_table_of_agents(capsys):
    for command in ("play", "evaluate"):
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        shown = capsys.readouterr().out
        for row in AGENTS.values():
            assert f"- {row.name}: {row.doc}" in shown
        assert "AGENTS" not in shown


def test_the_version_is_told(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"bonebed {bonebed.__version__}\n"


def test_the_games_are_listed(capsys):
    assert cli.main(["games"]) == 0
    shown = capsys.readouterr().out
    for name, row in table.GAMES.items():
        assert name in shown
        assert row.title in shown
    assert "tactical=" in shown


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["play"], "name a game: fossil"),
        (["play", "chess"], "no game 'chess'; known: fossil"),
        (["play", "fossil", "--seats", "human,bot"], "no agent 'bot'; allowed: random"),
        (["play", "fossil", "--seats", "human"], "num_players is 1; allowed: 2"),
        (["play", "fossil", "--options", "tactical=7"], "tactical is '7'; allowed: false, true"),
        (["play", "fossil", "--options", "colour=7"], "no option 'colour'; allowed: num_players"),
        (
            ["play", "fossil", "--seats", "human,greedy", "--options", "num_players=3"],
            "num_players is 3; seats: 2",
        ),
        (["play", "fossil", "--seed", "-1"], "seed is -1; allowed: a whole number from 0"),
        (["play", "--resume", "nowhere.json"], "nowhere.json: No such file"),
        (["play", "fossil", "--resume", "nowhere.json"], "--resume knows its game"),
        (["play", "--resume", "nowhere.json", "--pal", "pal"], "--resume knows who plays"),
        (["play", "fossilium_solo", "--pal", "bot"], "no agent 'bot'"),
        (["play", "fossil", "--save", "nowhere/x.json"], "nowhere/x.json: No such file"),
        (["play", "fossil", "--save", "."], ".: Is a directory"),
        (["evaluate", "fossil", "--output", "nowhere/x.json"], "nowhere/x.json: No such file"),
        (["evaluate", "fossil", "--record", "nowhere/x.jsonl"], "nowhere/x.jsonl: No such file"),
        (["evaluate", "fossil", "--record", "x", "--output", "x"], "are both x; allowed: two"),
        (
            ["evaluate", "fossil", "--num-players", "3", "--options", "num_players=4"],
            "option num_players is 3 and 4; allowed: one",
        ),
        (["evaluate", "fossil", "--agents", "human,greedy"], "human waits for a person"),
        (["evaluate", "fossil", "--games", "0"], "games is 0; allowed"),
        (["train", "sb3", "--minutes", "-1"], "minutes is -1.0; allowed: a number above 0"),
        (["train", "ppo", "--seed", "-1"], "seed is -1; allowed: a whole number from 0"),
        (["train", "ppo", "--options", "setup=large,tactical=7"], "tactical is '7'; allowed"),
        (["demo", "--opponents", "human"], "human waits for a person"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["warmup", "chess"], "no game 'chess'"),
    ],
)
def test_an_error_of_the_user_is_one_clear_line(args, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(args) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("bonebed: ")
    assert told in shown
    assert shown.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_mistyped_option_or_command_is_told(bonebed_in):
    for args in (["play", "fossil", "--sead", "3"], ["plya"], []):
        done = bonebed_in(*args)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert "--help" in done.stdout + done.stderr


def test_the_trace_of_an_error_is_shown_when_asked_for(bonebed_in):
    done = bonebed_in("play", "chess", BONEBED_DEBUG="1")
    assert "Traceback" in done.stderr
    assert "no game 'chess'" in done.stderr


def test_a_sheet_that_is_wrong_is_told_in_one_line(bonebed_in, tmp_path):
    (tmp_path / "fossil.toml").write_text("[board]\nrows = 'many'\n")
    done = bonebed_in("games", BONEBED_COMPONENTS=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("bonebed: ")
    assert "fossil.toml" in done.stderr
    assert done.stderr.count("\n") == 1


# --- playing -------------------------------------------------------------------------------------


def test_a_match_is_played_to_its_end_by_numbers(bonebed_in, tmp_path):
    done = bonebed_in(
        "play", "fossil", "--seats", "human,random", "--seed", 3, "--save", "match.json",
        typed=typed(*["1"] * 200),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Fossil, seed 3" in done.stdout
    assert "player 1 (random): " in done.stdout
    assert "final score" in done.stdout
    match = next(records.read(tmp_path / "match.json"))
    assert match.done
    assert match.seats == ("human", "random")
    replayed = bonebed_in("replay", "match.json")
    assert replayed.returncode == 0
    assert "Fossil, seed 3, seats: human, random\n" in replayed.stdout
    points = f"player 0 {match.score[0]}, player 1 {match.score[1]}"
    assert f"The end, as recorded: {points}\n" in replayed.stdout
    again = bonebed_in("play", "--resume", "match.json")
    assert again.returncode == 0, "a finished match is only shown"
    assert "final score" in again.stdout


def test_moves_are_taken_in_words_and_illegal_ones_explained(bonebed_in, tmp_path):
    first = bonebed_in("play", "fossil", "--seats", "human,random", "--seed", 1, typed="quit\n")
    assert first.returncode == 0, first.stderr
    listed = re.findall(r"^ +(\d+)  (move stone .*)$", first.stdout, re.MULTILINE)
    assert len(listed) > 10
    words = listed[4][1]
    done = bonebed_in(
        "play", "fossil", "--seats", "human,random", "--seed", 1, "--save", "match.json",
        typed=typed("help", "999", "0", "move stone 1 sideways", "stone 1", "dance", "", words),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "quit           save the game and leave" in done.stdout
    assert "There is no move 999: the legal moves have the numbers 1 to" in done.stdout
    assert "There is no move 0" in done.stdout
    assert "'move stone 1 sideways' is not a legal move here. Allowed with 'move stone 1'" in (
        done.stdout
    )
    assert re.search(r"'stone 1' fits \d+ moves; say more", done.stdout)
    assert "'dance' is not a legal move here. Allowed here:" in done.stdout
    assert f"player 0 (human): {words}" in done.stdout
    assert "Saved. To go on: bonebed play --resume match.json" in done.stdout


def test_a_match_that_was_left_goes_on_as_if_it_had_not_been(bonebed_in, tmp_path):
    args = ("play", "fossil", "--seats", "random,human,greedy", "--seed", 5)
    moves = ["2", "1", "3", "2"] + ["1"] * 200
    bonebed_in(*args, "--save", "whole.json", typed=typed(*moves))
    left = bonebed_in(*args, "--options", "tactical=false", typed=typed(*moves[:3], "quit"))
    command = re.search(r"To go on: (bonebed play --resume \S+)", left.stdout).group(1)
    assert command == "bonebed play --resume fossil-5.json"
    again = bonebed_in(*command.split()[1:], typed=typed(moves[3]))  # then the input ends
    assert again.returncode == 0, again.stderr
    shown = again.stdout.partition("player 1>")[0].splitlines()
    assert shown[0] == "Fossil, seed 5"
    assert shown[1].startswith("player 1 (human): "), "one's own last move"
    assert any(line.startswith("player 2 (greedy): ") for line in shown), "the others' moves"
    assert command in again.stdout
    last = bonebed_in(*command.split()[1:], typed=typed("history", *moves[4:]))
    assert "final score" in last.stdout
    whole, parts = (next(records.read(tmp_path / f)) for f in ("whole.json", "fossil-5.json"))
    assert whole == parts


def test_commands_of_the_person_at_the_terminal(bonebed_in):
    done = bonebed_in(
        "play", "fossil", "--seats", "human,random", "--seed", 1,
        typed=typed("history", "board", "legal", "legal stone 2", "legal nothing", "rules", "quit"),
    )  # fmt: skip
    assert "The rules of Fossil are in docs/games/fossil.md." in done.stdout
    assert done.stdout.count("player 1 (random): place stone 1") == 2, "told, and in the history"
    assert done.stdout.count("points    A") == 2, "drawn, and drawn again"
    assert done.stdout.count("   1  move stone") >= 2
    assert "'nothing' is not a legal move here" in done.stdout


def test_of_a_long_drawing_only_what_changed_is_drawn_again(bonebed_in):
    done = bonebed_in(
        "play", "fossilium_solo", "--seats", "human", "--seed", 1,
        typed=typed("1", "board market", "board nothing", "board", "rules", "quit"),
    )  # fmt: skip
    assert "AIM: as much prestige as possible after 5 rounds" in done.stdout
    assert done.stdout.count("1a Restaurant") == 2, "at first, and with board"
    assert done.stdout.count("terrestrial  buy") == 4, "filled, and with board market"
    assert done.stdout.count("The player chooses") >= 3, "the question changes"
    assert "No part has 'nothing' in its first line:\n" in done.stdout


def test_two_people_do_not_read_the_cards_of_one_another(bonebed_in):
    """Where hands are hidden the second one is told to come, and sees nothing before."""
    hands = ("--seats", "human,human", "--seed", 4)
    moves = typed(*["1"] * 12, "quit")  # a right question may be followed by others
    done = bonebed_in("play", "twenty_questions", *hands, typed=typed("", "pass", "quit"))
    assert done.stdout.count("press Enter") == 1, "the same person asks again"
    done = bonebed_in("play", "go_dig", *hands, typed=moves)
    before, found, _ = done.stdout.partition("Player 1, press Enter when only you look: ")
    assert found
    assert "player 0>" in before
    assert "player 1>" not in before
    assert done.stdout.index("hand of player 1 (you)") > len(before)
    assert "press Enter" not in bonebed_in("play", "fossil", *hands, typed=moves).stdout


def test_a_sign_that_no_move_has_is_not_overlooked(bonebed_in):
    done = bonebed_in(
        "play", "twenty_questions", "--seats", "human,random", "--seed", 1,
        typed=typed("-1", "mass > 100", "mass < 100", "quit"),
    )  # fmt: skip
    assert "There is no move -1" in done.stdout
    assert "No move with these words has the sign '>':" in done.stdout
    assert done.stdout.count("player 0 (human): is its mass < 100 kg?") == 1


def test_long_lists_are_shown_on_demand(bonebed_in):
    done = bonebed_in("play", "fossil", "--seats", "random,human", typed=typed("legal", "quit"))
    before, _, after = done.stdout.partition("player 1>")
    assert "49 legal moves, for instance:" in before
    assert "  49  place stone 1 on row 6, column 6" in after
    assert "  49  place stone 1 on row 6, column 6" not in before


def test_of_many_moves_one_of_each_kind_is_shown(bonebed_in):
    done = bonebed_in("play", "twenty_questions", "--seats", "human,random", typed=typed("quit"))
    menu = done.stdout.partition("legal moves, for instance:")[2].partition("player 0>")[0]
    for move in ("is it Tyrannosaurus?", "is it a herbivore?", "is its mass < 100 kg?", "pass"):
        assert f"  {move}\n" in menu


def test_somebody_may_play_the_automated_opponent(tmp_path, capsys):
    file = tmp_path / "match.jsonl"
    given = ["--pal", "pal", "--seats", "greedy", "--seed", "3", "--save", str(file)]
    assert cli.main(["play", "fossilium_solo", *given]) == 0
    capsys.readouterr()
    (match,) = records.read(file)
    assert match.seats == ("greedy", "pal")
    assert match.options["pal"] == "agent"
    assert match.done
    assert cli.main(["play", "fossilium_solo", "--pal", "pal", "--options", "pal=cards"]) == 2
    assert "which the rules play with pal=cards" in capsys.readouterr().err
    assert cli.main(["play", "fossil", "--pal", "learned"]) == 2
    assert "fossil has none" in capsys.readouterr().err


def test_a_match_without_people_is_shown(bonebed_in, tmp_path):
    done = bonebed_in("play", "fossil", "--seats", "greedy,random,greedy", "--seed", 4)
    assert done.returncode == 0, done.stderr
    assert "final score" in done.stdout
    assert done.stdout.count("player 1 (random): ") > 10
    assert not list(tmp_path.iterdir()), "nothing is written unless asked for"


@pytest.mark.parametrize("game", table.GAMES)
def test_no_line_of_a_match_is_wider_than_a_drawing_may_be(game, capsys):
    session = Session(game, ["random"] * table.rules(game).max_players, 6)
    assert session.play()
    assert max(map(len, capsys.readouterr().out.splitlines())) <= WIDTH


def test_a_long_line_of_the_history_goes_on_below(capsys):
    session = Session("digging_for_dinos", ["random"] * 4, 6)
    session.play()
    printed = capsys.readouterr().out
    longest = max(session.told[-1], key=len)
    assert len(longest) > WIDTH
    assert longest not in printed
    assert longest in " ".join(printed.split())


def test_a_seed_that_nobody_gave_has_64_bits(bonebed_in, monkeypatch, capsys):
    monkeypatch.setattr(cli.os, "urandom", lambda n: b"\xff" * n)
    assert cli.main(["play", "fossil", "--seats", "random,random"]) == 0
    assert f"Fossil, seed {2**64 - 1}" in capsys.readouterr().out


def left_match(file, **changes):
    """Save a match that has just begun, and return its line with some values replaced."""
    Session("fossil", ["human", "random"], seed=1).save(file)
    line = json.dumps({**json.loads(file.read_text()), **changes})
    file.write_text(line + "\n")
    return line + "\n"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--seed", "9"], "seed is 9; the match that goes on has 1"),
        (["--seats", "human,greedy"], "seats is human,greedy; the match that goes on has human,r"),
        (["--seats", "human"], "seats is human; the match"),
        (["--options", "tactical=true"], "tactical is True; the match that goes on has False"),
        (["--options", "colour=7"], "no option 'colour'"),
        (["--seats", "human,bot"], "no agent 'bot'"),
    ],
)
def test_what_contradicts_the_match_that_goes_on_is_refused(args, told, tmp_path, capsys):
    line = left_match(tmp_path / "m.json")
    assert cli.main(["play", "--resume", str(tmp_path / "m.json"), *args]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert shown.out == ""
    assert (tmp_path / "m.json").read_text() == line


def test_what_agrees_with_the_match_that_goes_on_may_be_said(bonebed_in, tmp_path):
    left_match(tmp_path / "m.json")
    same = ("--seats", "human, random", "--seed", 1, "--options", "tactical=false")
    done = bonebed_in("play", "--resume", "m.json", *same, typed="quit\n")
    assert done.returncode == 0, done.stderr


def test_a_file_of_several_matches_is_not_gone_on_with(tmp_path, capsys):
    line = left_match(tmp_path / "m.json")
    (tmp_path / "m.json").write_text(line * 3)
    assert cli.main(["play", "--resume", str(tmp_path / "m.json")]) == 2
    assert "holds 3 matches; to go on with one, copy its line" in capsys.readouterr().err
    assert (tmp_path / "m.json").read_text() == line * 3


def test_a_match_that_is_over_is_shown_and_its_file_left_as_it_is(tmp_path, capsys):
    file = tmp_path / "m.jsonl"
    bonebed.evaluate("fossil", ["random"], games=1, num_players=2, record=file)
    line = file.read_text().splitlines()[0] + "\n"
    file.write_text(line)
    assert cli.main(["play", "--resume", str(file)]) == 0
    assert "final score" in capsys.readouterr().out
    assert file.read_text() == line


def test_a_match_that_cannot_be_saved_where_it_should_is_saved_elsewhere(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()

    def leave(_):
        (tmp_path / "folder").rmdir()
        raise EOFError

    monkeypatch.setattr("builtins.input", leave)
    save = ["--seats", "human,random", "--seed", "2", "--save", "folder/m.json"]
    assert cli.main(["play", "fossil", *save]) == 0
    shown = capsys.readouterr()
    assert "folder/m.json: No such file or directory; saved under the default name" in shown.err
    assert "To go on: bonebed play --resume fossil-2.json" in shown.out
    assert not next(records.read(tmp_path / "fossil-2.json")).done


@pytest.mark.parametrize(
    "broken", ["", "no json at all", '{"game": "fossil"}', "torn", "illegal", "stranger"]
)
def test_a_broken_save_file_is_told(broken, tmp_path, capsys):
    file = tmp_path / "match.json"
    Session("fossil", ["human", "random"], seed=1).save(file)
    data = json.loads(file.read_text())
    changed = {
        "torn": file.read_text()[:80],
        "illegal": json.dumps({**data, "actions": [217]}),
        "stranger": json.dumps({**data, "seats": ["human", "stranger"]}),
    }
    file.write_text(changed.get(broken, broken))
    assert cli.main(["play", "--resume", str(file)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("bonebed: ")
    assert shown.err.count("\n") == 1
    assert ("stranger" if broken == "stranger" else "match.json") in shown.err
    assert file.read_text() == changed.get(broken, broken), "left as it was"


class Terminal:
    """A process in a pseudo-terminal."""

    def __init__(self, args, folder):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*BONEBED, *args], stdin=slave, stdout=slave, stderr=slave, cwd=folder,
            env={**os.environ, "TERM": "dumb"}, start_new_session=True,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # ignored by `&`
        )  # fmt: skip
        os.close(slave)
        self.shown = ""

    def type(self, text):
        """Type something."""
        os.write(self.master, text.encode())

    def interrupt(self):
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def until(self, wanted, seconds=300, silence=lambda: None):
        """Read until something is shown since the last time; give up after a long while.

        `silence` is called whenever nothing was shown for two seconds.
        """
        seen, deadline = "", time.monotonic() + seconds
        while wanted not in seen and time.monotonic() < deadline:
            if not select.select([self.master], [], [], 2.0)[0]:
                silence()
                continue
            try:
                seen += os.read(self.master, 65536).decode()
            except OSError:  # the other end is closed
                break
        self.shown += seen
        assert wanted in seen, self.shown[-3000:]

    def close(self):
        """Wait for the end; returns the exit status."""
        status = self.process.wait()
        os.close(self.master)
        return status


def test_in_a_terminal_control_c_saves_the_match(tmp_path):
    args = ["play", "fossil", "--seats", "human,random", "--seed", "2", "--save", "m.json"]
    terminal = Terminal(args, tmp_path)
    terminal.until("player 0> ")
    terminal.type("1\n")
    terminal.until("player 0> ")
    terminal.interrupt()
    # Between its prompt and its read a process notes the signal and waits on: then press again.
    terminal.until("bonebed play --resume m.json", silence=terminal.interrupt)
    assert terminal.close() == 0
    left = next(records.read(tmp_path / "m.json"))
    assert not left.done
    terminal = Terminal(["play", "--resume", "m.json"], tmp_path)
    terminal.until("player 0> ")
    terminal.type("2\n")
    terminal.until("player 0> ")
    terminal.type("\x04")  # Ctrl-D
    terminal.until("bonebed play --resume m.json")
    assert terminal.close() == 0
    on = next(records.read(tmp_path / "m.json"))
    assert on.actions[: len(left.actions)] == left.actions
    assert len(on.actions) > len(left.actions)


# --- words ---------------------------------------------------------------------------------------

MOVES = Choices(
    [
        "move stone 1 up to row 3, column 4: ammonite worth 1, costs 2",
        "move stone 1 up to row 2, column 4: sea lily worth 2, costs 3",
        "move stone 2 up to row 4, column 3: ammonite worth 1, costs 1",
        "make no exchange",
        "make no exchange at all",
    ]
)


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        ("move stone 1 up to row 3, column 4: ammonite worth 1, costs 2", [0]),
        ("make no exchange", [3]),  # the very words go before longer ones
        ("make no", [3, 4]),
        ("move stone 1", [0, 1]),  # beginnings go before what is further on
        ("ROW 3 COLUMN 4", [0]),
        ("row 3 column 9", []),
        ("row 3", [0]),  # and not `row 4, column 3`
        ("s 2 u", [2]),  # as short as you like
        ("1 up sea", [1]),
        ("ammonite stone 2", [2]),  # in any order
        ("ammonite", [0, 2]),
        ("3 4", [0]),
        ("costs 1", [2]),  # a number stands for itself only
        ("cost", [0, 1, 2]),
        ("stone stone", []),
        ("", [0, 1, 2, 3, 4]),
    ],
)
def test_words_find_the_moves_that_they_fit(words, fits):
    assert MOVES.matching(tokens(words)) == fits


# --- evaluating and replaying --------------------------------------------------------------------


def test_an_evaluation_is_shown_recorded_and_re_played(bonebed_in, tmp_path):
    args = ("evaluate", "fossil", "--agents", "greedy,random", "--games", 10, "--seed", 3)
    files = ("--record", "matches.jsonl", "--output", "result.json")
    done = bonebed_in(*args, *files)
    assert done.returncode == 0, done.stderr
    assert "10 games on 5 deals" in done.stdout
    assert "10 of 10 games" in done.stderr
    result = json.loads((tmp_path / "result.json").read_text())
    assert result == bonebed.evaluate("fossil", ["greedy", "random"], 10, seed=3).to_dict()
    again = bonebed_in(*args, *files, "--no-progress")
    assert again.stdout == done.stdout
    assert again.stderr == ""

    checked = bonebed_in("replay", "matches.jsonl")
    assert "10 matches re-played, every end as recorded" in checked.stdout
    shown = bonebed_in("replay", "matches.jsonl", "--game", 2, "--step", typed="\n\n")
    assert shown.returncode == 0, shown.stderr
    match = list(records.read(tmp_path / "matches.jsonl"))[1]
    assert len(re.findall(r"points +A ", shown.stdout)) == len(match.actions) + 1
    assert shown.stdout.count("Enter for the next move") == 3, "until the input ends"
    points = f"player 0 {match.score[0]}, player 1 {match.score[1]}"
    assert f"The end, as recorded: {points}\n" in shown.stdout
    missing = bonebed_in("replay", "matches.jsonl", "--game", 11)
    assert missing.returncode == 2
    assert "holds 10 matches, counted from 1" in missing.stderr

    lines = (tmp_path / "matches.jsonl").read_text().splitlines()
    lines[6] = lines[6].replace('"score":[', '"score":[1')
    (tmp_path / "matches.jsonl").write_text("\n".join(lines))
    wrong = bonebed_in("replay", "matches.jsonl")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("bonebed: matches.jsonl, line 7: does not re-play: recorded")


def test_the_output_may_be_cut_off_by_its_reader(tmp_path):
    with subprocess.Popen(
        [*BONEBED, "play", "fossil", "--seats", "random,random"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    ) as process:  # fmt: skip
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()
    assert told == b""
    assert process.returncode == 0


def test_the_number_of_players_may_be_given_as_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args = ["evaluate", "fossil", "--games", "1", "--options", "num_players=4,setup=large"]
    assert cli.main([*args, "--output", "r.json", "--no-progress"]) == 0
    options = json.loads((tmp_path / "r.json").read_text())["options"]
    assert options == {"num_players": 4, "tactical": False, "setup": "large"}
