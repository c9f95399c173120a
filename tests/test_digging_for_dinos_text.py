"""What Digging for Dinos looks like in text: the drawing, the words of actions and of steps."""

import re

import numpy as np
import pytest

from bonebed.envs import View, digging_for_dinos_v0
from bonebed.kernels import digging_for_dinos as dinos
from bonebed.kernels import rng

RULES = dinos.RULES
ACTIONS = RULES.actions
CODES = ("Ve", "De", "Tr", "Ty", "Ar", "Di", "St", "Br", "Eo", "Co", "He", "Pl")


def kind(code: str) -> int:
    """Return the kind of tile that a code such as `Tr2` stands for."""
    return int(dinos.FIRST_KIND[CODES.index(code[:2])]) + int(code[2]) - 1


def position(*, ending: bool = False):
    """Set up a game for two; seat 0 has a Velociraptor and a tile more, seat 1 two tiles."""
    state = RULES.new(seed=0)
    rows = ("Tr1 Ty1 Ty2 Ty3", "De1 De2 De3 Ve1", "Ar1 Ar2 Di1 Di2", "St1 St2 .   Br1")
    for row, line in enumerate(rows):
        for column, code in enumerate(line.split()):
            state.tile[row * 5 + column] = dinos.NO_TILE if code == "." else kind(code)
    state.token[:2] = [[0, 15], [16, 18]]
    state.side[:2] = [[0, 1], [0, 1]]
    state.held[:] = 0
    for seat, tiles in enumerate(("Ve1 Ve2 Tr3", "Pl1 Pl1")):
        for code in tiles.split():
            state.held[seat, kind(code)] += 1
    state.left[:] = 0
    if not ending:
        state.left[kind("Pl4")] = 2
    state.score[:2] = [11, 6]
    state.phase = dinos.Phase.MOVE
    state.to_play = 0
    dinos.derive(state)
    return state


def test_the_table_is_drawn():
    assert digging_for_dinos_v0.draw(position(), 0).splitlines() == [
        "        0         1         2         3",
        "  0   Tr1 0A+   Ty1       Ty2       Ty3",
        "  1   De1       De2       De3       Ve1",
        "  2   Ar1       Ar2       Di1       Di2",
        "  3   St1 0Bx   St2 1A+   .         Br1 1Bx",
        "",
        "    species          era  left  all  stack  player 0*   player 1",
        " Ve Velociraptor*     1     21   10     ..      1! ..         ..",
        " De Deinosuchus*      1    321   17    ...        ...        ...",
        " Tr Triceratops       1    321   19    ...        ..1        ...",
        " Ty Tyrannosaurus     1   3221   30   ....       ....       ....",
        " Ar Archaeopteryx     2     22   12     ..         ..         ..",
        " Di Dilophosaurus     2    321   19    ...        ...        ...",
        " St Stegosaurus       2    322   20    ...        ...        ...",
        " Br Brachiosaurus     2   3222   31   ....       ....       ....",
        " Eo Eoraptor          3     32   13     ..         ..         ..",
        " Co Coelophysis       3    322   21    ...        ...        ...",
        " He Herrerasaurus     3    322   21    ...        ...        ...",
        " Pl Plateosaurus      3   3322   32   ...2       ....       2...",
        "",
        "                  points  dinosaurs  tokens",
        "> player 0 (you)      11          1  A orthogonal at 0,0 on Tr1, B diagonal at 3,0 on St1",
        "  player 1             6          0  A orthogonal at 3,1 on St2, B diagonal at 3,3 on Br1",
        "  tiles in the stacks: era 1: 0, era 2: 0, era 3: 2",
        "  the last round: 4 dinosaurs of one player, or empty stacks, bring it",
        "",
        "Board: Ve1 is position 1 of Velociraptor, . a hole; 0A+ is token A of player 0 with",
        "the orthogonal side up, 0Ax with the diagonal one. left: value of each tile; all: of the",
        "dinosaur; stack, players: tiles of position 1, 2, ... each; 1! is a completed dinosaur.",
        "* who completes this one may flip an own token.",
        "",
        "Player 0 moves a token to the nearest open tile and takes the tile that it leaves.",
    ]


def test_the_last_round_is_announced():
    text = digging_for_dinos_v0.draw(position(ending=True))
    assert "  this is the last round" in text.splitlines()
    assert "(you)" not in text


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["3x4", "4x4", "5x5"])
def test_every_drawing_fits_the_terminal(players, board):
    state = RULES.new(seed=players, num_players=players, board=board)
    while not state.done:
        lines = digging_for_dinos_v0.draw(state, 0).splitlines()
        assert max(map(len, lines)) <= 100
        assert len(lines) <= 45
        RULES.step(state, RULES.legal_actions(state)[-1])
    assert digging_for_dinos_v0.draw(state, 0).splitlines()[-1].startswith("The game is over.")


def test_every_species_has_letters_of_its_own():
    assert digging_for_dinos_v0.CODES == CODES


@pytest.mark.parametrize(
    ("changes", "question"),
    [
        ({"phase": "PLACE", "token": -1}, "Player 0 places token A on an open tile."),
        ({"phase": "ABILITY"}, "Player 0 has completed a dinosaur and may flip a token."),
        (
            {"phase": "OVER", "done": 1},
            "The game is over. First place: player 0, with 11 points.",
        ),
        (
            {"phase": "OVER", "done": 1, "score": 9, "dinosaurs": 0},
            "The game is over. First place: players 0 and 1, with 9 points.",
        ),
        (
            {"phase": "OVER", "done": 1, "score": 9},
            "The game is over. First place: player 0, with 9 points.",
        ),
        ({"open": 0}, "Player 0 has no move and moves a token to any open tile."),
    ],
)
def test_the_last_line_says_what_is_asked(changes, question):
    state = position()
    for name, value in changes.items():
        state[name] = dinos.Phase[value] if name == "phase" else value
    if "open" in changes:
        state.open = 1 << 12  # the tile in the middle, which no token reaches
    lines = digging_for_dinos_v0.draw(state, 0).splitlines()
    assert lines[-1] == question
    assert any(line.startswith(">") for line in lines) == (not state.done)


@pytest.mark.parametrize(
    ("block", "values", "words"),
    [
        (
            "move",
            {"token": 0, "direction": 1},
            "move A right to row 0, column 1 (Tyrannosaurus 1), take Triceratops 1",
        ),
        (
            "move",
            {"token": 1, "direction": 0},
            "move B up-right to row 2, column 1 (Archaeopteryx 2), take Stegosaurus 1",
        ),
        ("move", {"token": 0, "direction": 3}, "move token A left or up-left"),
        ("relocate", {"token": 1, "space": 7}, "move B freely to row 1, column 2"),
        ("place", {"space": 12}, "place a token on row 2, column 2"),
        ("keep", {}, "flip no token"),
        ("flip", {"token": 1}, "flip token B"),
    ],
)
def test_actions_have_words(block, values, words):
    state = position()
    before = state.tobytes()
    assert digging_for_dinos_v0.describe(state, ACTIONS.encode(block, **values)) == words
    assert state.tobytes() == before


def test_a_flip_names_the_side_that_comes_up():
    state = position()
    state.phase = dinos.Phase.ABILITY
    words = [digging_for_dinos_v0.describe(state, a) for a in RULES.legal_actions(state)]
    assert words == [
        "flip no token",
        "flip token A to diagonal",
        "flip token B to orthogonal",
    ]


def test_a_token_that_is_placed_has_its_name():
    state = RULES.new(seed=1)
    assert digging_for_dinos_v0.describe(state, 7).startswith("place token A on row 1, column 2 (")
    for action in (0, 1):
        RULES.step(state, action)
    assert digging_for_dinos_v0.describe(state, 7).startswith("place token B on row 1, column 2 (")


def test_where_nothing_is_in_reach_the_words_say_so():
    state = position()
    state.open = 1 << 12
    words = [digging_for_dinos_v0.describe(state, a) for a in RULES.legal_actions(state)]
    assert words == [
        "move A freely to row 2, column 2 (Dilophosaurus 1), take Triceratops 1",
        "move B freely to row 2, column 2 (Dilophosaurus 1), take Stegosaurus 1",
    ]


def test_an_action_that_there_is_not_has_no_words():
    with pytest.raises(ValueError, match="no action 86"):
        digging_for_dinos_v0.describe(position(), 86)


def told(state, block, **values):
    """Play an action and return what is told of it."""
    before, action = state.copy(), ACTIONS.encode(block, **values)
    RULES.step(state, action)
    lines = {digging_for_dinos_v0.tell(before, action, state, seat) for seat in (None, 0, 1)}
    assert len(lines) == 1, "all know the same"
    return lines.pop()


def test_a_step_is_told_with_the_tile_that_came_and_what_it_completed():
    state = position()
    state.held[0, kind("Tr2")] = 1
    dinos.derive(state)
    assert told(state, "move", token=0, direction=1) == (
        "move A right to row 0, column 1 (Tyrannosaurus 1), take Triceratops 1; "
        "Plateosaurus 4 is laid there; player 0 completes Triceratops"
    )


def test_the_new_tile_is_told_after_the_ability():
    state = position()
    state.tile[0] = kind("Ve2")
    state.held[0, kind("Ve1")] = 2
    dinos.derive(state)
    assert told(state, "move", token=0, direction=1).endswith(
        "take Velociraptor 2; player 0 completes Velociraptor"
    )
    assert told(state, "flip", token=0) == (
        "flip token A to orthogonal; Plateosaurus 4 is laid there"
    )


def test_the_end_is_told():
    state = position(ending=True)
    state.to_play = 1
    assert told(state, "move", token=0, direction=0) == (
        "move A up to row 2, column 1 (Archaeopteryx 2), take Stegosaurus 2; "
        "the game ends, everybody takes the tiles under the own tokens"
    )


@pytest.mark.parametrize("players", range(2, 5))
def test_the_words_of_a_move_are_what_the_rules_do(players):
    state = RULES.new(seed=players, num_players=players, board="3x4")
    moves = sole = 0
    while not state.done:
        legal = RULES.legal_actions(state)
        words = [digging_for_dinos_v0.describe(state, int(action)) for action in legal]
        assert len(set(words)) == len(words)
        before, choice = state.copy(), rng.below(np.uint64(players), 0, int(state.ply), len(legal))
        RULES.step(state, np.int64(legal[choice]))
        line = digging_for_dinos_v0.tell(before, int(legal[choice]), state, 0)
        assert line.startswith(words[choice])
        n = line.count("one move only")
        sole += n
        if words[choice].startswith("move") and not n and not state.done:
            moves += 1
            row, column = map(int, re.findall(r"to row (\d), column (\d)", line)[0])
            assert row * 5 + column in state.token[before.to_play].tolist()
            name, place = re.findall(r"take (\w+) (\d)", line)[0]
            taken = state.held[before.to_play].astype(int) - before.held[before.to_play]
            assert taken[kind(name[:2] + place)] == 1
        grown = int(state.held.sum()) - int(before.held.sum()) - 2 * players * int(state.done)
        assert grown == n + words[choice].startswith("move")
    assert moves > 20
    assert sole > 0 or players < 4


def test_a_view_has_the_same_words_and_drawing():
    state = position()
    view = View.of(RULES, state, seed=1)
    assert view.text() == digging_for_dinos_v0.draw(state, 0)
    for action in view.actions.tolist():
        assert view.words(action) == digging_for_dinos_v0.describe(state, action)
