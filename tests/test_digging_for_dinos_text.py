"""What Digging for Dinos looks like in text: the drawing, the words of actions and of steps."""

import re

import numpy as np
import pytest

from bonebed.agents import human
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
        "       0          1          2          3",
        "  0   Tr 1  0A+  Ty 1       Ty 2       Ty 3",
        "  1   De 1       De 2       De 3       Ve 1",
        "  2   Ar 1       Ar 2       Di 1       Di 2",
        "  3   St 1  0Bx  St 2  1A+  .          Br 1  1Bx",
        "",
        "    species          era  tile  all  stack    you (0)   player 1",
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
        "> player 0 (you)      11          1  A orthogonal at 0,0 on Tr 1, "
        "B diagonal at 3,0 on St 1",
        "  player 1             6          0  A orthogonal at 3,1 on St 2, "
        "B diagonal at 3,3 on Br 1",
        "  tiles in the stacks: era 1: 0, era 2: 0, era 3: 2",
        "  the game ends with the round in which a player has 4 dinosaurs or the stacks are empty",
        "",
        "Board: 2,0 is row 2, column 0; Ve 1 is position 1 of Velociraptor, . a hole; 0A+ is",
        "token A of player 0 with the orthogonal side up, 0Ax with the diagonal one.",
        "Species: tile says what the tiles of position 1, 2, ... are worth, all what a completed",
        "dinosaur is worth instead; stack and players: how many tiles of each position are there,",
        ". for none; 1! is a completed dinosaur. * who completes this one may flip an own token.",
        "",
        "Player 0 moves a token to the nearest open tile and takes the tile that it leaves.",
    ]


def test_who_looks_at_nobodys_side_is_no_player():
    lines = digging_for_dinos_v0.draw(position()).splitlines()
    assert lines[6] == "    species          era  tile  all  stack   player 0   player 1"
    assert "you" not in "".join(lines)


def test_the_last_round_is_announced():
    text = digging_for_dinos_v0.draw(position(ending=True))
    assert "  this is the last round" in text.splitlines()
    assert "the game ends with" not in text


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
            "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 3 points",
        ),
        (
            "move",
            {"token": 1, "direction": 0},
            "move B up-right to 2,1 (Archaeopteryx 2), take Stegosaurus 1 for 3 points",
        ),
        ("move", {"token": 0, "direction": 3}, "move token A left or up-left"),
        ("relocate", {"token": 1, "space": 7}, "move B freely to 1,2"),
        ("place", {"space": 12}, "place 2,2 with a token"),
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
    state = position()
    state.phase, state.to_play, state.token[0] = dinos.Phase.PLACE, 0, dinos.NO_SPACE
    dinos.derive(state)
    assert digging_for_dinos_v0.describe(state, 7) == "place 1,2 (Deinosuchus 3) with token A"
    state.token[0, 0] = 0
    dinos.derive(state)
    assert digging_for_dinos_v0.describe(state, 7) == "place 1,2 (Deinosuchus 3) with token B"


def test_where_nothing_is_in_reach_the_words_say_so():
    state = position()
    state.open = 1 << 12
    words = [digging_for_dinos_v0.describe(state, a) for a in RULES.legal_actions(state)]
    assert words == [
        "move A freely to 2,2 (Dilophosaurus 1), take Triceratops 1 for 3 points",
        "move B freely to 2,2 (Dilophosaurus 1), take Stegosaurus 1 for 3 points",
    ]


def test_the_words_of_a_move_have_its_points_and_what_it_completes():
    state = position()
    state.held[0, kind("Tr2")] = 1
    dinos.derive(state)
    before = state.tobytes()
    assert digging_for_dinos_v0.describe(state, ACTIONS.encode("move", token=0, direction=1)) == (
        "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 16 points, "
        "completing Triceratops"  # 19 for all, and 2 + 1 are no longer counted
    )
    state.tile[0] = kind("Tr3")
    assert digging_for_dinos_v0.describe(state, ACTIONS.encode("move", token=0, direction=1)) == (
        "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 3 for 1 point"
    )
    state.tile[0] = kind("Tr1")
    assert state.tobytes() == before


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("0,1", "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 3 points"),
        ("to 1 0", "move A down to 1,0 (Deinosuchus 1), take Triceratops 1 for 3 points"),
        ("a r", "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 3 points"),
        ("Ar 2", "move B up-right to 2,1 (Archaeopteryx 2), take Stegosaurus 1 for 3 points"),
        ("de 1", "move A down to 1,0 (Deinosuchus 1), take Triceratops 1 for 3 points"),
        ("b", "move B up-right to 2,1 (Archaeopteryx 2), take Stegosaurus 1 for 3 points"),
    ],
)
def test_spaces_and_tiles_are_typed_as_they_are_shown(typed, words):
    assert found(position(), typed) == [words]


def test_a_token_is_placed_by_its_space_or_tile():
    state = position()
    state.phase, state.token[0] = dinos.Phase.PLACE, dinos.NO_SPACE
    dinos.derive(state)
    for typed in ("0,2", "0 2", "place 0 2", "place 0,2", "Ty 2", "place ty 2"):
        assert found(state, typed) == ["place 0,2 (Tyrannosaurus 2) with token A"], typed


@pytest.mark.parametrize("players", range(2, 5))
def test_each_space_that_is_shown_is_typed_alone_when_tokens_are_placed(players):
    state = RULES.new(seed=players, num_players=players, board="5x5")
    while state.phase == dinos.Phase.PLACE:
        for action in RULES.legal_actions(state):
            typed = f"{action // 5},{action % 5}"
            (words,) = found(state, typed)
            assert words == digging_for_dinos_v0.describe(state, action)
            assert found(state, f"place {typed}") == [words]
        RULES.step(state, RULES.legal_actions(state)[-1])


def found(state, typed):
    """Return the words of the legal moves that fit what a person typed."""
    legal = RULES.legal_actions(state)
    choices = human.Choices([digging_for_dinos_v0.describe(state, action) for action in legal])
    return [choices.words[i] for i in choices.matching(human.tokens(typed))]


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


def test_a_step_is_told_with_what_it_completed_and_then_the_tile_that_came():
    state = position()
    state.held[0, kind("Tr2")] = 1
    dinos.derive(state)
    assert told(state, "move", token=0, direction=1) == (
        "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 16 points, "
        "completing Triceratops; Plateosaurus 4 is laid on 0,0"
    )


def test_the_new_tile_is_told_after_the_ability():
    state = position()
    state.tile[0] = kind("Ve2")
    state.held[0, kind("Ve1")] = 2
    dinos.derive(state)
    assert told(state, "move", token=0, direction=1) == (
        "move A right to 0,1 (Tyrannosaurus 1), take Velociraptor 2 for 8 points, "
        "completing Velociraptor"  # 10 for both, and the 2 of the other one is no longer counted
    )
    assert told(state, "flip", token=0) == (
        "flip token A to orthogonal; Plateosaurus 4 is laid on 0,0"
    )


def test_the_new_tile_is_told_where_no_token_is_flipped():
    state = position()
    state.phase, state.vacated, state.tile[5] = dinos.Phase.ABILITY, 5, dinos.NO_TILE
    dinos.derive(state)
    assert told(state, "keep") == "flip no token; Plateosaurus 4 is laid on 1,0"


def test_without_a_stack_the_hole_is_told():
    state = position(ending=True)
    assert told(state, "move", token=0, direction=1) == (
        "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 3 points; "
        "no tile is left to lay on 0,0"
    )


def test_the_end_is_told_with_the_tiles_that_all_collect():
    state = position(ending=True)
    state.to_play = 1
    state.held[0, kind("Tr2")] = 1
    dinos.derive(state)
    assert told(state, "move", token=0, direction=0) == (
        "move A up to 2,1 (Archaeopteryx 2), take Stegosaurus 2 for 2 points; "
        "no tile is left to lay on 3,1; "
        "the game ends, everybody takes the tiles under the own tokens; "
        "player 0 takes Triceratops 1 and Stegosaurus 1 for 19 points, completing Triceratops; "
        "player 1 takes Archaeopteryx 2 and Brachiosaurus 1 for 5 points"
    )


def crowded():
    """Set up a game for two in which the next moves are forced; token B of seat 0 is on 3,1.

    ::

              0          1          2          3
        0   Tr 1  0A+  Ty 1       .          .
        1   .          .          .          .
        2   .          .          .          .
        3   De 1  1A+  St 1  0B+  De 2  1Bx  .
    """
    state = position()
    state.tile[:] = dinos.NO_TILE
    for space, code in {0: "Tr1", 1: "Ty1", 15: "De1", 16: "St1", 17: "De2"}.items():
        state.tile[space] = kind(code)
    state.token[:2] = [[0, 16], [15, 17]]
    state.side[:2] = [[0, 0], [0, 1]]
    state.left[kind("Pl4")] = 9
    dinos.derive(state)
    return state


def test_forced_moves_are_told_in_full_behind_their_players():
    """Seat 1 reaches only the new tile on 0,0, then seat 0 only the one on 3,0."""
    assert told(crowded(), "move", token=0, direction=1).split("; ") == [
        "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 3 points",
        "Plateosaurus 4 is laid on 0,0",
        "player 1 (only move): move A up to 0,0 (Plateosaurus 4), take Deinosuchus 1 for 3 points",
        "Plateosaurus 4 is laid on 3,0",
        "player 0 (only move): move B left to 3,0 (Plateosaurus 4), "
        "take Stegosaurus 1 for 3 points",
        "Plateosaurus 4 is laid on 3,1",
    ]


def test_a_forced_move_tells_what_it_completes_and_the_new_tile_after_the_ability():
    """Deinosuchus is worth 17, and 2 + 1 for its other tiles are no longer counted."""
    state = crowded()
    state.held[1, [kind("De2"), kind("De3")]] = 1
    dinos.derive(state)
    assert told(state, "move", token=0, direction=1).split("; ") == [
        "move A right to 0,1 (Tyrannosaurus 1), take Triceratops 1 for 3 points",
        "Plateosaurus 4 is laid on 0,0",
        "player 1 (only move): move A up to 0,0 (Plateosaurus 4), "
        "take Deinosuchus 1 for 14 points, completing Deinosuchus",
    ]
    question = digging_for_dinos_v0.draw(state).splitlines()[-1]
    assert question == "Player 1 has completed a dinosaur and may flip a token."
    assert told(state, "keep").split("; ") == [
        "flip no token",
        "Plateosaurus 4 is laid on 3,0",
        "player 0 (only move): move B left to 3,0 (Plateosaurus 4), "
        "take Stegosaurus 1 for 3 points",
        "Plateosaurus 4 is laid on 3,1",
    ]


def test_moves_forced_after_the_last_placing_are_told():
    state = crowded()
    state.phase, state.token[0, 1], state.side[0, 1] = dinos.Phase.PLACE, dinos.NO_SPACE, 1
    state.tile[[3, 16]] = kind("St1"), dinos.NO_TILE
    dinos.derive(state)
    assert told(state, "place", space=3).split("; ") == [
        "place 0,3 (Stegosaurus 1) with token B",
        "player 0 (only move): move A right to 0,1 (Tyrannosaurus 1), "
        "take Triceratops 1 for 3 points",
        "Plateosaurus 4 is laid on 0,0",
        "player 1 (only move): move A up to 0,0 (Plateosaurus 4), take Deinosuchus 1 for 3 points",
        "Plateosaurus 4 is laid on 3,0",
        "player 0 (only move): move B down-left to 3,0 (Plateosaurus 4), "
        "take Stegosaurus 1 for 3 points",
        "Plateosaurus 4 is laid on 0,3",
    ]


@pytest.mark.parametrize("players", range(2, 5))
def test_what_is_told_is_what_the_rules_do(players):
    state = RULES.new(seed=players, num_players=players, board="3x4")
    forced = 0
    while not state.done:
        legal = RULES.legal_actions(state)
        words = [digging_for_dinos_v0.describe(state, int(action)) for action in legal]
        assert len(set(words)) == len(words)
        before, choice = state.copy(), rng.below(np.uint64(players), 0, int(state.ply), len(legal))
        RULES.step(state, np.int64(legal[choice]))
        line = digging_for_dinos_v0.tell(before, int(legal[choice]), state, 0)
        assert line.startswith(words[choice])
        forced += line.count("only move")
        replay(line, before)
        for field in ("tile", "token", "held", "score"):
            assert before[field].tolist() == state[field].tolist(), (field, line)
    assert forced > 0 or players < 4


def replay(line, state):
    """Change a position as the words of a step say."""
    tile, player = r"(\w+ \d)", int(state.to_play)
    for words in line.split("; "):
        if forced := re.match(r"player (\d) \(only move\): ", words):
            player = int(forced[1])
        if moved := re.search(rf"move (.) .+ to (.,.) \({tile}\), take {tile} for (\d+)", words):
            token, to, lying, taken, points = moved.groups()
            left, space = state.token[player, "AB".index(token)], space_of(to)
            assert (state.tile[space], state.tile[left]) == (kind_of(lying), kind_of(taken))
            state.token[player, "AB".index(token)] = space
            collect(state, player, left, points)
        elif placed := re.fullmatch(rf"place (.,.) \({tile}\) with token (.)", words):
            assert state.tile[space_of(placed[1])] == kind_of(placed[2])
            state.token[player, "AB".index(placed[3])] = space_of(placed[1])
        elif laid := re.fullmatch(rf"{tile} is laid on (.,.)", words):
            assert state.tile[space_of(laid[2])] == dinos.NO_TILE
            state.tile[space_of(laid[2])] = kind_of(laid[1])
        elif end := re.match(rf"player (\d) takes {tile} and {tile} for (\d+)", words):
            seat, points = int(end[1]), int(end[4])
            for space, told_tile in zip(state.token[seat], end.group(2, 3), strict=True):
                assert state.tile[space] == kind_of(told_tile)
                collect(state, seat, space, points)
                points = 0
        elif hole := re.fullmatch(r"no tile is left to lay on (.,.)", words):
            assert state.tile[space_of(hole[1])] == dinos.NO_TILE
        else:
            assert re.match("flip|the game ends, everybody takes the tiles under", words), words


def collect(state, player, space, points):
    """Give a player the tile on a space, for some points."""
    state.held[player, state.tile[space]] += 1
    state.tile[space] = dinos.NO_TILE
    state.score[player] += int(points)


def space_of(words):
    """Return the number of a space such as `2,0`."""
    return int(words[0]) * 5 + int(words[2])


def kind_of(words):
    """Return the kind of a tile such as `Triceratops 2`."""
    return kind(words[:2] + words[-1])


def test_a_view_has_the_same_words_and_drawing():
    state = position()
    view = View.of(RULES, state, seed=1)
    assert view.text() == digging_for_dinos_v0.draw(state, 0)
    for action in view.actions.tolist():
        assert view.words(action) == digging_for_dinos_v0.describe(state, action)
