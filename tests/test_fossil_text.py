"""Fossil in words and drawn: a person can play from it, and it says what the kernel will do."""

import re

import numpy as np
import pytest

from bonebed.envs import View, fossil_v0
from bonebed.kernels import fossil, rng

RULES = fossil.RULES
ACTIONS = RULES.actions


def position():
    """Return a game of two, seat 0 to move, in which the fossils' first letters tell the tiles.

         0    1    2    3
    0    A1#1 .    P2   S1
    1    .    R1   .    .
    2    B2   .    .#2  U1
    """
    state = RULES.new(seed=1)
    tiles = {0: "A1", 2: "P2", 3: "S1", 10: "R1", 18: "B2", 21: "U1"}
    state.tile[:] = fossil.NO_TILE
    for cell, (letter, value) in tiles.items():
        state.tile[cell] = kind(letter, value)
    state.stone[:] = 0, 20
    state.left[:] = [1, 1, 1, 1, 1, 1, 0, 0, 0]
    state.held[0, [kind("A", 2), kind("A", 1), kind("T", 1)]] = 1, 2, 1
    state.held[1, kind("H", 1)] = 2
    state.score[:2] = 7, 31
    state.phase = fossil.Phase.MOVE
    state.to_play = 0
    fossil.derive(state)
    return state


def kind(letter: str, value: str | int) -> int:
    """Return the kind of a tile from the letter and value of the drawing."""
    return fossil_v0.LETTERS.index(letter) * fossil.N_VALUES + int(value) - 1


def test_the_drawing_shows_board_players_and_question():
    drawing = fossil_v0.draw(position(), 0).splitlines()
    assert drawing == [
        "       0    1    2    3    4    5    6",
        "  0   A1#1  .   P2   S1    .    .    .",
        "  1    .   R1    .    .    .    .    .",
        "  2   B2    .    .#2 U1    .    .    .",
        "  3    .    .    .    .    .    .    .",
        "  4    .    .    .    .    .    .    .",
        "  5    .    .    .    .    .    .    .",
        "  6    .    .    .    .    .    .    .",
        "",
        "                  points    A    B    P    S    R    U    L    T    H",
        "> player 0 (you)       7  211    .    .    .    .    .    .    1    .",
        "  player 1            31    .    .    .    .    .    .    .    .   11",
        "  on the board              1    1    1    1    1    1    .    .    .",
        "",
        "A ammonite, B bony fish, P poplar leaf, S scallop, R brittle star,",
        "U sea urchin, L sea lily, T trilobite, H horseshoe crab; with its value: A2.",
        "#1, #2: the stones; . an empty space. Tiles of a player: their values, as in 211.",
        "",
        "Player 0 moves a stone to a tile, pays for the way, and takes the tile.",
    ]


def test_the_large_board_is_drawn_whole():
    lines = fossil_v0.draw(RULES.new(seed=1, num_players=6)).splitlines()
    assert lines[0].split() == [str(column) for column in range(9)]
    for row, line in enumerate(lines[1:10]):
        assert re.fullmatch(rf"  {row}(   [A-Z][123]){{9}}", line)
    assert "(you)" not in "\n".join(lines)


def test_every_fossil_has_a_letter_of_its_own():
    assert "".join(fossil_v0.LETTERS) == "ABPSRULTH"


@pytest.mark.parametrize(
    ("changes", "question"),
    [
        ({"phase": "PLACE", "stone": (-1, -1)}, "Player 0 places stone 1 on a tile."),
        ({"phase": "PLACE", "stone": (3, -1)}, "Player 0 places stone 2 on a tile."),
        (
            {"phase": "GIVE", "completed": 3},
            "Player 0 has completed scallop and may exchange a tile before it is scored: "
            "give which?",
        ),
        (
            {"phase": "TAKE", "given": kind("A", 2)},
            "Player 0 gives ammonite worth 2: take which tile of the same value?",
        ),
        (
            {"phase": "OVER", "done": 1},
            "The game is over. First place: player 1, with 31 points.",
        ),
        (
            {"phase": "OVER", "done": 1, "score": 9},
            "The game is over. First place: players 0 and 1, with 9 points.",
        ),
    ],
)
def test_the_last_line_says_what_is_asked(changes, question):
    state = position()
    for name, value in changes.items():
        state[name] = fossil.Phase[value] if name == "phase" else value
    lines = fossil_v0.draw(state, 0).splitlines()
    assert lines[-1] == question
    assert any(line.startswith(">") for line in lines) == (not state.done)


@pytest.mark.parametrize(
    ("block", "values", "words"),
    [
        # From A1#1 to the right: an empty space is free (3.4), P2 costs 1, S1 behind it 2.
        (
            "move",
            {"stone": 0, "direction": 1, "tiles": 0},
            "move stone 1 right to row 0, column 2: poplar leaf worth 2, costs 1",
        ),
        (
            "move",
            {"stone": 0, "direction": 1, "tiles": 1},
            "move stone 1 right to row 0, column 3: scallop worth 1, costs 2",
        ),
        (
            "move",
            {"stone": 1, "direction": 3, "tiles": 0},
            "move stone 2 left to row 2, column 0: bony fish worth 2, costs 1",
        ),
        # There is no tile to the left of stone 1, and only one to the left of stone 2.
        ("move", {"stone": 0, "direction": 3, "tiles": 0}, "move stone 1 left to the next tile"),
        (
            "move",
            {"stone": 1, "direction": 3, "tiles": 1},
            "move stone 2 left to the next tile but 1",
        ),
        ("place", {"cell": 20}, "place a stone on row 2, column 2"),
        ("keep", {}, "make no exchange"),
        ("give", {"fossil": 5, "value": 0}, "give sea urchin worth 1"),
        ("take", {"opponent": 0, "fossil": 3}, "take scallop from player 1"),
        ("take", {"opponent": 4, "fossil": 3}, "take scallop from a player who is not in the game"),
    ],
)
def test_actions_have_words(block, values, words):
    state = position()
    before = state.tobytes()
    assert fossil_v0.describe(state, ACTIONS.encode(block, **values)) == words
    assert state.tobytes() == before


def test_what_is_taken_has_the_value_of_what_is_given():
    state = position()
    state.phase = fossil.Phase.TAKE
    state.given = kind("A", 1)
    state.held[1, kind("S", 1)] = 1
    fossil.derive(state)
    words = [fossil_v0.describe(state, action) for action in RULES.legal_actions(state)]
    assert words == [
        "take scallop worth 1 from player 1",
        "take horseshoe crab worth 1 from player 1",
    ]


def test_an_action_that_there_is_not_has_no_words():
    with pytest.raises(ValueError, match="no action 218"):
        fossil_v0.describe(position(), 218)


def walked(state, stone: int, direction: int, tiles: int) -> tuple[int, int]:
    """Walk by 3.1 to 3.4 on the board as a grid: return the space of the last tile and the cost."""
    grid = state.tile.reshape(fossil.ROWS, fossil.COLS)
    row, column = divmod(int(state.stone[stone]), fossil.COLS)
    rows, columns = [(-1, 0), (0, 1), (1, 0), (0, -1)][direction]
    met = 0
    while met <= tiles:
        row, column = row + rows, column + columns
        met += grid[row, column] != fossil.NO_TILE
    return row * fossil.COLS + column, met


@pytest.mark.parametrize("players", range(2, 7))
def test_the_words_of_a_move_are_what_the_rules_say(players):
    state = RULES.new(seed=players, num_players=players)
    moves = 0
    while not state.done:
        legal = RULES.legal_actions(state)
        for action in legal:
            block, values = ACTIONS.decode(int(action))
            if block == "move":
                moves += 1
                cell, cost = walked(state, **values)
                fossil_name = fossil_v0.NAMES[state.tile[cell] // fossil.N_VALUES]
                value = state.tile[cell] % fossil.N_VALUES + 1
                assert fossil_v0.describe(state, int(action)).endswith(
                    f"to row {cell // 9}, column {cell % 9}: "
                    f"{fossil_name} worth {value}, costs {cost}"
                )
        choice = rng.below(np.uint64(players), 0, int(state.ply), len(legal))
        RULES.step(state, np.int64(legal[choice]))
    assert moves > 100


def test_a_view_has_the_same_words_and_drawing():
    state = position()
    view = View.of(RULES, state, seed=1)
    assert view.text() == fossil_v0.draw(state, 0)
    for action in view.actions.tolist():
        assert view.words(action) == fossil_v0.describe(state, action)
