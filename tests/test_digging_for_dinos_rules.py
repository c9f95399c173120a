"""Digging for Dinos, paragraph by paragraph: each rule of its page from a set position.

Boards are drawn as text, from the top left corner: `Tr2` is position 2 of Triceratops (the first
two letters of the sheet's species), `..` a hole, and `Tr2/0A+` has token A of seat 0 on it with the
orthogonal side up, `Tr2/1Bx` token B of seat 1 with the diagonal one. Moves are said in words.
Kernel and reference play side by side, and every expected number is worked out by hand from the
page. The first words of each docstring cite the paragraphs.
"""

import re
from collections import Counter
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from bonebed.kernels import rules as contract
from chance import Chance, chi_square, unlikely
from lockstep import compare, record_of
from naive import digging_for_dinos as naive

pytestmark = pytest.mark.rules

RULES = contract.load("digging_for_dinos")
SPECIES = ("Ve", "De", "Tr", "Ty", "Ar", "Di", "St", "Br", "Eo", "Co", "He", "Pl")
SIZES = (2, 3, 3, 4) * 3  # positions of each
DIRECTIONS = (
    ("up", "right", "down", "left"),
    ("up-right", "down-right", "down-left", "up-left"),
)
PAGE = Path(__file__).parents[1] / "docs" / "games" / "digging_for_dinos.md"
FIXED = [field for field in naive.FIXED_FIELDS if field in RULES.STATE.names]
SCORES = [40, 40]


def tiles_of(text):
    """Read tiles such as `Tr2 Ve1`."""
    return [naive.Tile(SPECIES.index(word[:2]), int(word[2]) - 1) for word in text.split()]


def words_of(tiles):
    """Write tiles as text, sorted by the sheet."""
    return " ".join(f"{SPECIES[s]}{p + 1}" for s, p in sorted(tiles))


def kind(text):
    """Return the number of a tile's kind."""
    ((species, position),) = tiles_of(text)
    return sum(SIZES[:species]) + position


class Position:
    """A drawn position, played by kernel and reference together.

    Parameters
    ----------
    drawing : str
    in_front : list of str
        Each player's tiles; their number is the number of players.
    stack : str
        Tiles in the stacks.
    seat : int
        Who is to move.
    board : str
    """

    def __init__(self, drawing, in_front=("", ""), stack="Co1 Co1 He2 He2 Pl4", seat=0):
        lines = [line.split() for line in drawing.strip().splitlines()]
        board = f"{len(lines)}x{len(lines[0])}"
        self.options = {"num_players": len(in_front), "board": board}
        tiles, tokens = {}, [[None, None] for _ in in_front]
        for (row, line), column in product(enumerate(lines), range(len(lines[0]))):
            tile, _, token = line[column].partition("/")
            if tile != "..":
                (tiles[row, column],) = tiles_of(tile)
            if token:
                standing = naive.Token((row, column), naive.SIDES["+x".index(token[2])])
                tokens[int(token[0])]["AB".index(token[1])] = standing
        stacks = [Counter() for _ in range(3)]
        for tile in tiles_of(stack):
            stacks[tile.species // 4][tile] += 1
        start = naive.Position(
            tiles, tokens, [Counter(tiles_of(text)) for text in in_front], stacks, seat
        )
        self.game = naive.Game(
            len(lines), len(lines[0]), 2, len(in_front), Chance(0), position=start
        )
        assert self.game.seat == seat, "draw a position in which the first move is not forced"
        self.state = record_of(RULES, naive, self.game, self.options)
        self.fixed = {field: self.state[field].tolist() for field in FIXED}
        compare(RULES, naive, self.state, self.game, self.fixed)

    def words(self, action):
        """Say an action in words."""
        name, values = RULES.actions.decode(action)
        if name == "move":
            side = self.state.side[self.state.to_play, values["token"]]
            return f"{'AB'[values['token']]} {DIRECTIONS[side][values['direction']]}"
        if name == "relocate":
            row, column = divmod(values["space"], 5)
            return f"{'AB'[values['token']]} to {row},{column}"
        return f"flip {'AB'[values['token']]}" if name == "flip" else name

    @property
    def choices(self):
        """All choices of the player to move, in words."""
        return {self.words(action) for action in RULES.legal_actions(self.state)}

    def do(self, *choices):
        """Play choices said in words, by whoever is to move."""
        for choice in choices:
            legal = {self.words(action): action for action in RULES.legal_actions(self.state)}
            assert choice in legal, f"{choice} is not among {sorted(legal)}"
            self.game.choose(self.game.choices[list(legal).index(choice)])
            RULES.step(self.state, legal[choice])
            compare(RULES, naive, self.state, self.game, self.fixed)
        return self

    @property
    def points(self):
        """Points of every player."""
        return self.state.score[: len(self.game.points)].tolist()

    @property
    def gains(self):
        """Points that the last choice brought every player."""
        return self.state.gain[: len(self.game.points)].tolist()

    @property
    def asked(self):
        """Who is asked, and for what."""
        return int(self.state.to_play), naive.PHASES[self.state.phase]

    def in_front(self, seat):
        """Tiles in front of a player, as text."""
        held = self.state.held[seat].tolist()
        kinds = list(naive.all_tiles(naive.read_sheet(), 1))
        return words_of(tile for tile, n in zip(kinds, held, strict=True) for _ in range(n))

    def at(self, row, column):
        """The tile on a space, as text."""
        number = self.state.tile[row * 5 + column]
        kinds = list(naive.all_tiles(naive.read_sheet(), 1))
        return ".." if number == naive.NONE else words_of([kinds[number]])

    def token(self, seat, token):
        """Where a token stands and its side, as text."""
        row, column = divmod(int(self.state.token[seat, "AB".index(token)]), 5)
        return f"{row},{column}{'+x'[self.state.side[seat, 'AB'.index(token)]]}"


def on_board(state):
    """Return the tiles on the board as {(row, column): kind}."""
    tiles = enumerate(state.tile.tolist())
    return {divmod(space, 5): number for space, number in tiles if number != naive.NONE}


def outcome_of(scores, dinosaurs):
    """Return the kernel's result for a finished game with these points and completed species."""
    state = RULES.new(num_players=len(scores))
    state.score[: len(scores)] = scores
    for seat, made in enumerate(dinosaurs):
        for name in made.split():
            state.dinosaurs[seat, SPECIES.index(name)] += 1
    state.phase, state.done = naive.PHASES.index("over"), 1
    out = np.zeros(len(scores), np.float32)
    RULES.outcome(state, out)
    return out.tolist()


CORNERS = """
    Tr1/0A+  Ty1      Ty2  Ty3
    De1      De2      De3  Ve1
    Ar1      Ar2      Di1  Di2
    St1/0Bx  St2/1A+  St3  Br1/1Bx
    """


# ---------------------------------------------------------------------- 1. components


def test_the_board_has_four_rows_and_four_columns():
    """1.1."""
    assert sorted(on_board(RULES.new(3))) == [(r, c) for r in range(4) for c in range(4)]


def test_the_species_and_values_are_those_of_the_page():
    """1.2: the table on the page, the sheet and what the kernel pays for each tile agree."""
    row = re.compile(r"^\| \*(\d)\* \| \*(\w+)\*[^|]*\| \*([\d, ]+)\* \| \*(\d+)\* \|$", re.M)
    told = [
        (name, int(era), [int(v) for v in left.split(",")], int(right))
        for era, name, left, right in row.findall(PAGE.read_text("utf-8"))
    ]
    sheet = [(s["name"], s["era"], s["left"], s["right"]) for s in naive.read_sheet()["species"]]
    assert told == sheet
    assert [name[:2] for name, *_ in told] == list(SPECIES)
    assert [len(left) for _, _, left, _ in told] == list(SIZES)


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_there_are_two_copies_of_every_tile_or_as_many_as_the_option_says(copies):
    """1.3 and 1.4: 12 different tiles in each era."""
    options = {} if copies == 2 else {"copies": copies}
    state = RULES.new(1, **options)
    seen = Counter(on_board(state).values())
    assert [seen[k] + int(state.left[k]) for k in range(36)] == [copies] * 36
    assert state.stack.tolist()[1:] == ([12 * copies] * 2 if copies > 1 else [8, 12])


@pytest.mark.parametrize(
    ("board", "rows", "columns"), [("3x4", 3, 4), ("4x4", 4, 4), ("5x5", 5, 5)]
)
@pytest.mark.parametrize("copies", [1, 2, 3])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_board_goes_with_every_number_of_copies_and_players(
    board, rows, columns, copies, players
):
    """1.4: there are tiles to draw, and with all tokens and most holes a tile is open."""
    state = RULES.new(5, board=board, copies=copies, num_players=players)
    assert sorted(on_board(state)) == [(r, c) for r in range(rows) for c in range(columns)]
    assert state.stack.sum() == 36 * copies - rows * columns > 0
    assert 2 * players + players - 1 < rows * columns


def test_spaces_are_numbered_alike_on_every_board():
    """1.5: row * 5 + column."""
    for board, rows, columns in (("3x4", 3, 4), ("4x4", 4, 4), ("5x5", 5, 5)):
        legal = RULES.legal_actions(RULES.new(0, board=board)).tolist()
        wanted = [r * 5 + c for r in range(rows) for c in range(columns)]
        assert legal == [RULES.actions.encode("place", space=space) for space in wanted]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_two_tokens(players):
    """1.6: eight tokens at 4 players, none of them placed at first."""
    state = RULES.new(0, num_players=players)
    for _ in range(2 * players):
        RULES.step(state, RULES.legal_actions(state)[0])
    assert (state.token[:players] >= 0).all()
    assert (state.token[players:] == naive.NONE).all()
    assert len(set(state.token[:players].ravel().tolist())) == 2 * players


# ---------------------------------------------------------------------- 2. set-up


def test_stacks_are_used_in_the_order_of_the_eras():
    """2.1 and 2.2: 25 spaces take all 12 tiles of era 1, all of era 2, and one of era 3."""
    state = RULES.new(4, board="5x5", copies=1)
    eras = [number // 12 for _, number in sorted(on_board(state).items())]
    assert eras == [0] * 12 + [1] * 12 + [2]
    assert state.stack.tolist() == [0, 0, 11]
    assert RULES.new(4).stack.tolist() == [8, 24, 24]


def test_each_tile_of_an_era_is_as_likely_on_each_space(n_games):
    """2.1 and 2.2: chi-square over 16 spaces and the 12 kinds of era 1."""
    games = n_games(3000)
    seen = np.zeros((16, 12))
    for seed in range(games):
        for i, (_, number) in enumerate(sorted(on_board(RULES.new(seed)).items())):
            seen[i, number] += 1
    assert seen.sum() == 16 * games
    for row in seen:
        assert chi_square(row) < unlikely(11) * 1.5


def test_the_copies_of_a_tile_are_drawn_apart(n_games):
    """2.1: the second tile is of the kind of the first in 1 of 23 games."""
    games = n_games(4000)
    same = sum(len(set(RULES.new(seed).tile[:2].tolist())) == 1 for seed in range(games))
    assert abs(same - games / 23) < 4 * (games / 23) ** 0.5 + 1


def test_a_tile_with_a_token_is_not_open():
    """2.3: neither an own token nor another one may be landed on."""
    state = RULES.new(0)
    taken = []
    for _ in range(4):
        spaces = [RULES.actions.decode(a)[1]["space"] for a in RULES.legal_actions(state)]
        assert not set(taken) & set(spaces)
        assert len(spaces) == 16 - len(taken)
        taken.append(spaces[5])
        RULES.step(state, RULES.actions.encode("place", space=spaces[5]))


@pytest.mark.parametrize(
    ("players", "order"),
    [(2, [0, 1, 1, 0]), (3, [0, 1, 2, 2, 1, 0]), (4, [0, 1, 2, 3, 3, 2, 1, 0])],
)
def test_tokens_are_placed_to_and_fro_then_seat_0_moves(players, order):
    """2.4 to 2.6: and A shows its orthogonal side, B the diagonal one."""
    state = RULES.new(8, num_players=players)
    laid = state.tile.copy()
    asked = []
    for _ in order:
        asked.append(int(state.to_play))
        assert naive.PHASES[state.phase] == "place"
        number = len(asked) - 1
        RULES.step(state, RULES.legal_actions(state)[0])
        assert state.token[asked[-1], int(number >= players)] != naive.NONE
    assert asked == order
    assert (state.to_play, naive.PHASES[state.phase]) == (0, "move")
    assert state.side[:players].tolist() == [[0, 1]] * players
    assert state.tile.tolist() == laid.tolist()


def test_turns_go_round_in_seat_order():
    """2.6: seat 0 begins every round."""
    state, order = RULES.new(2, num_players=3), []
    while len(order) < 6 + 9:
        order.append(int(state.to_play))
        RULES.step(state, RULES.legal_actions(state)[0])
    assert order == [0, 1, 2, 2, 1, 0] + [0, 1, 2] * 3


# ---------------------------------------------------------------------- 3. the turn


def test_a_turn_moves_flips_takes_and_replaces():
    """3.1, 3.6 to 3.8."""
    position = Position(CORNERS, stack="Pl4 Pl4")
    position.do("A right")
    assert position.token(0, "A") == "0,1x"
    assert position.in_front(0) == "Tr1"
    assert position.at(0, 0) == "Pl4"
    assert position.at(0, 1) == "Ty1"
    assert position.state.stack.tolist() == [0, 0, 1]
    assert position.asked == (1, "move")


def test_the_side_that_is_up_gives_the_directions():
    """3.2: A orthogonal, B diagonal; up and left of B is token A, which is jumped (3.3)."""
    position = Position(
        """
        Ty1      Ty2      Ty3      Ty4
        De1      Tr1/0A+  De2      De3
        Ar1      Ar2      Tr2/0Bx  Di1
        St1/1A+  St2      St3      Br1/1Bx
        """
    )
    ups = {"A up", "A right", "A down", "A left"}
    assert position.choices == {*ups, "B up-right", "B down-left", "B up-left"}
    assert position.do("B up-left").token(0, "B") == "0,0+"


@pytest.mark.parametrize(
    ("choice", "where"),
    [
        ("A up", "1,2x"),
        ("A right", "2,3x"),
        ("A down", "3,2x"),
        ("A left", "2,1x"),
        ("B up-right", "0,2+"),
        ("B down-right", "2,2+"),
        ("B down-left", "2,0+"),
        ("B up-left", "0,0+"),
    ],
)
def test_each_direction_leads_where_its_name_says(choice, where):
    """3.2 and 3.3: one step to the nearest open tile; down and right of B, A is asked elsewhere."""
    drawing = """
        Ty1 Ty2     Ty3     Ty4
        De1 Tr1/0Bx De2     De3
        Ar1 Ar2     Tr2     Di1
        St1 St2     St3     Br1
        """
    if choice[0] == "A":
        drawing = drawing.replace("Tr2 ", "Tr2/0A+ ").replace("De1 ", "De1/1A+ ")
    else:
        drawing = drawing.replace("Ty4", "Ty4/0A+").replace("De1 ", "De1/1A+ ")
    drawing = drawing.replace("Br1", "Br1/1Bx")
    position = Position(drawing)
    position.do(choice)
    assert position.token(0, choice[0]) == where


def test_any_number_of_tokens_is_jumped():
    """3.3: over two tokens to the fourth tile of the row."""
    position = Position(
        """
        Tr1/0A+  Ty1/1A+  Ty2/1Bx  Ty3
        De1      De2      De3      Ve1
        Ar1      Ar2      Di1      Di2
        St1/0Bx  St2      St3      Br1
        """
    )
    assert position.do("A right").token(0, "A") == "0,3x"


def test_holes_are_jumped_and_open_tiles_are_not():
    """3.3: over two holes to the last row, but no further than the nearest open tile."""
    position = Position(
        """
        Tr1/0A+  Ty1      Ty2      Ty3
        ..       De2      De3      Ve1
        ..       Ar2      Di1      Di2
        St1      St2/0Bx  St3/1A+  Br1/1Bx
        """
    )
    assert position.choices == {"A right", "A down", "B up-right"}
    assert position.do("A down").token(0, "A") == "3,0x"


def test_a_token_stays_on_the_board():
    """3.4: rows do not wrap; up of A nothing is open, so there is no move that way."""
    position = Position(CORNERS)
    assert position.choices == {"A right", "A down", "B up-right"}
    small = Position(
        """
        Ty1      Ty2      Ty3      Tr1/0A+
        De2      De3      Ve1      De1
        St1/0Bx  St2/1A+  St3      Br1/1Bx
        """
    )
    assert small.choices == {"A left", "A down", "B up-right"}


STUCK = """
    Tr1/0A+  ..       ..       ..
    ..       De1      De2/1A+  ..
    ..       De3/1B+  Ty2      ..
    ..       ..       ..       Ty1/0B+
    """


def test_a_player_without_a_move_puts_either_token_on_any_open_tile():
    """3.5 and 3.6: the token is flipped and its tile taken, as after any move."""
    position = Position(STUCK, stack="Pl1 Pl1 Pl1")
    assert position.choices == {"A to 1,1", "A to 2,2", "B to 1,1", "B to 2,2"}
    position.do("B to 1,1")
    assert position.token(0, "B") == "1,1x"
    assert position.token(0, "A") == "0,0+"
    assert position.in_front(0) == "Ty1"
    assert position.at(3, 3) == "Pl1"


def test_one_token_with_a_move_is_enough_to_be_bound_to_the_directions():
    """3.5: A is stuck, B has two moves, and only those."""
    position = Position(STUCK.replace("Ty1/0B+", "Ty1").replace("Ty2", "Ty2/0Bx"))
    assert position.choices == {"B down-right", "B up-left"}


def test_the_taken_tile_is_the_one_left_behind():
    """3.7: the tile that is landed on stays, and is taken when the token leaves it."""
    position = Position(CORNERS, ["Ty1", "Br1"])
    position.do("A right")
    assert position.in_front(0) == "Tr1 Ty1"
    position.do("A up", "A down-right")
    assert position.in_front(0) == "Tr1 Ty1 Ty1"
    assert position.in_front(1) == "St2 Br1"


def test_the_new_tile_comes_from_the_first_stack_that_is_not_empty():
    """3.8 and 2.1."""
    position = Position(CORNERS, stack="Ve2 Ar1 Pl1")
    position.do("A right")
    assert position.at(0, 0) == "Ve2"
    position.do("A up")
    assert position.at(3, 1) == "Ar1"


def test_without_a_stack_the_space_becomes_a_hole():
    """3.8: seat 1 has taken the last tile; seats 2 and 3 leave holes, and then it is over."""
    position = Position(
        """
        Tr1/2A+  Ty1      Ty2      Ty3/0A+
        De1      De2      De3      Ve1
        Ar1/3Bx  Ar2      Di1      Di2/0Bx
        St1/2Bx  St2/1A+  St3/3A+  Br1/1Bx
        """,
        ["", "", "", ""],
        stack="",
        seat=2,
    )
    position.do("A right")
    assert position.at(0, 0) == ".."
    assert position.asked == (3, "move")
    position.do("A up")
    assert position.state.done
    assert position.at(3, 2) == ".."


def order_of_stacks(state):
    """Return the kinds that come from the stacks, in order, while somebody plays on."""
    order = []
    while state.stack.any():
        left = state.left.copy()
        RULES.step(state, RULES.legal_actions(state)[0])
        drawn = np.flatnonzero(left - state.left).tolist()
        assert len(drawn) < 2
        order += drawn
    return tuple(order)


def test_everybody_knows_what_the_stacks_hold_and_nobody_the_order(n_games):
    """3.9: of four tiles, two alike, the 4! / 2! = 12 orders are equally likely."""
    position = Position(CORNERS, stack="Ve1 Ve2 Ve2 De1")
    possible = set(permutations(kind(tile) for tile in ("Ve1", "Ve2", "Ve2", "De1")))
    assert len(possible) == 12
    before = position.state.tobytes()
    seen = Counter()
    for seed in range(n_games(20_000)):
        state = position.state.copy()
        RULES.resample(state, seed % 2, np.uint64(seed))
        state_seed, state.seed = state.seed, position.state.seed
        assert state.tobytes() == before
        state.seed = state_seed
        seen[order_of_stacks(state)] += 1
    assert set(seen) == possible
    assert chi_square(seen.values()) < unlikely(11)


# ---------------------------------------------------------------------- 4. dinosaurs


def test_all_positions_of_a_species_complete_a_dinosaur():
    """4.1: Triceratops is 19 for three tiles worth 3 + 2 + 1."""
    position = Position(CORNERS, ["Tr2 Tr3 Br1", ""])
    assert position.points[0] == 2 + 1 + 3
    position.do("A right")
    assert position.points[0] == 19 + 3
    assert position.state.made.tolist() == [1, 0, 0, 0]
    assert position.asked == (1, "move")  # no ability


def test_a_tile_that_a_player_has_twice_counts_once():
    """4.2: two Tr1 and a Tr2 are three tiles and no dinosaur; the surplus scores left."""
    position = Position(CORNERS, ["Tr1 Tr2", ""])
    position.do("A right")
    assert position.points[0] == 3 + 3 + 2
    assert position.state.made[0] == 0
    other = Position(CORNERS, ["Tr1 Tr2 Tr3", ""])
    assert other.do("A right").points[0] == 19 + 3


def test_a_second_set_is_a_second_dinosaur():
    """4.3."""
    position = Position(CORNERS, ["Tr1 Tr2 Tr2 Tr3 Tr3", ""])
    assert position.points[0] == 19 + 2 + 1
    position.do("A right")
    assert position.points[0] == 38
    assert position.state.dinosaurs[0].tolist() == [0, 0, 2] + [0] * 9


VELOCIRAPTOR = CORNERS.replace("Tr1", "Ve2")


@pytest.mark.parametrize(
    ("drawing", "tiles", "asked"),
    [
        (VELOCIRAPTOR, "Ve1", (0, "ability")),
        (CORNERS.replace("Tr1", "De1"), "De2 De3", (0, "ability")),
        (VELOCIRAPTOR, "Ve2", (1, "move")),
        (CORNERS.replace("Tr1", "Eo1"), "Eo2", (1, "move")),
    ],
)
def test_velociraptor_and_deinosuchus_may_flip_a_token(drawing, tiles, asked):
    """4.4."""
    position = Position(drawing, [tiles, ""])
    position.do("A right")
    assert position.asked == asked
    if asked[0] == 0:
        assert position.choices == {"keep", "flip A", "flip B"}


@pytest.mark.parametrize(("choice", "sides"), [("keep", "xx"), ("flip A", "+x"), ("flip B", "x+")])
def test_one_own_token_is_flipped_or_none(choice, sides):
    """4.4: A was flipped to its diagonal side by the move."""
    position = Position(VELOCIRAPTOR, ["Ve1", ""])
    position.do("A right", choice)
    assert [position.token(0, token)[-1] for token in "AB"] == list(sides)
    assert [position.token(1, token)[-1] for token in "AB"] == ["+", "x"]
    assert position.asked == (1, "move")


def test_the_ability_is_there_for_every_completed_set():
    """4.4: a second Velociraptor asks again."""
    position = Position(VELOCIRAPTOR, ["Ve1 Ve1 Ve2", ""])
    assert position.do("A right").asked == (0, "ability")


def test_the_ability_is_decided_before_the_new_tile_is_laid():
    """4.5: the space is empty until then."""
    position = Position(VELOCIRAPTOR, ["Ve1", ""], stack="Pl4 Pl4")
    position.do("A right")
    assert position.at(0, 0) == ".."
    assert position.in_front(0) == "Ve1 Ve2"
    assert position.gains == [10 - 2, 0]
    assert position.state.stack.tolist() == [0, 0, 2]
    position.do("keep")
    assert position.at(0, 0) == "Pl4"
    assert position.gains == [0, 0]


def test_the_ability_is_asked_in_the_last_turn_too():
    """4.6: seat 1 does not move any more, and is asked."""
    drawing = CORNERS.replace("St2/1A+", "Ve2/1A+")
    position = Position(drawing, ["", "Ve1"], stack="", seat=1)
    position.do("A right")
    assert position.asked == (1, "ability")
    assert not position.state.done
    position.do("flip A")
    assert position.state.done


# ---------------------------------------------------------------------- 5. points


def test_incomplete_tiles_score_left_and_dinosaurs_right():
    """5.1: 30 for Tyrannosaurus, 2 for Ar1, 3 + 3 for two Pl2, 10 for Velociraptor."""
    position = Position(CORNERS, ["Ty1 Ty2 Ty3 Ty4 Ar1 Pl2 Pl2 Ve1 Ve2", "He2"])
    assert position.points == [30 + 2 + 6 + 10, 2]


@pytest.mark.parametrize(
    ("tiles", "gain"),
    [
        ("", 3),
        ("De2", 3),
        ("De2 De3", 17 - 2 - 1),
        ("De1 De2 De3", 3),
        ("De1 De2 De2 De3 De3", 17 - 2 - 1),
    ],
)
def test_a_tile_brings_left_or_what_the_dinosaur_is_worth_more(tiles, gain):
    """5.2: De1 is worth 3, Deinosuchus 17."""
    position = Position(CORNERS.replace("Tr1", "De1"), [tiles, ""])
    position.do("A right")
    assert position.gains == [gain, 0]


# ---------------------------------------------------------------------- 6. the end


def test_the_last_tile_of_the_last_stack_brings_the_end_near():
    """6.1, 6.3 and 6.4: seat 0 draws it, seat 1 moves once more, then all take their tiles."""
    position = Position(CORNERS, ["", ""], stack="Pl1")
    position.do("A right")
    assert not position.state.done
    assert position.at(0, 0) == "Pl1"
    position.do("A up")
    assert position.state.done
    assert position.in_front(0) == "Tr1 Ty1 St1"  # 3 + 3 + 3
    assert position.in_front(1) == "Ar2 St2 Br1"  # 2 + 2 + 3
    assert position.points == [9, 7]
    assert position.gains == [3 + 3, 2 + 2 + 3]


def test_the_end_is_not_near_while_a_tile_is_left():
    """6.1: seat 1 draws the last one, so the game ends with this turn (6.3)."""
    position = Position(CORNERS, ["", ""], stack="Pl1 Pl1")
    position.do("A right")
    assert position.state.stack.tolist() == [0, 0, 1]
    position.do("A up")
    assert position.state.done
    assert position.at(3, 1) == "Pl1"


THREE = "Ve1 Ve2 Ve1 Ve2 Eo1 Eo2"  # three dinosaurs, two of one species


def test_a_fourth_dinosaur_brings_the_end_near():
    """6.2 and 6.3: the others of the round have their turn."""
    position = Position(CORNERS, [THREE + " Tr2 Tr3", ""])
    position.do("A right")
    assert position.state.made[0] == 4
    assert position.asked == (1, "move")
    position.do("A up")
    assert position.state.done


def test_three_dinosaurs_and_one_of_another_player_do_not():
    """6.2: four in all are not four of one player."""
    position = Position(CORNERS, [THREE, "Ar1 Ar2 Eo1"])
    position.do("A right", "A up")
    assert not position.state.done
    assert position.asked == (0, "move")


def test_the_game_ends_at_once_if_the_last_seat_brings_the_end():
    """6.3: seat 1 of two completes its fourth."""
    drawing = CORNERS.replace("St2/1A+", "Tr1/1A+")
    position = Position(drawing, ["", THREE + " Tr2 Tr3"], seat=1)
    position.do("A right")
    assert position.state.done


def test_dinosaurs_of_the_last_collection_count_and_flip_nothing():
    """6.4: B of seat 0 stands on St1, which completes Stegosaurus for 20 instead of 2 + 2."""
    position = Position(CORNERS, ["St2 St3", ""], stack="", seat=1)
    position.do("A up")
    assert position.state.done
    assert position.points == [20 + 3, 2 + 2 + 3]
    assert position.state.dinosaurs[0, SPECIES.index("St")] == 1
    flips = Position(CORNERS.replace("St1", "Ve2"), ["Ve1", ""], stack="", seat=1)
    flips.do("A up")
    assert flips.state.done
    assert flips.points[0] == 10 + 3
    assert flips.token(0, "B") == "3,0x"


def test_both_tiles_of_the_last_collection_can_make_one_dinosaur():
    """6.4: A on Tr1 and B on Tr2 with a Tr3."""
    position = Position(CORNERS.replace("St1", "Tr2"), ["Tr3", ""], stack="", seat=1)
    assert position.do("A up").points[0] == 19


@pytest.mark.parametrize(
    ("scores", "results"),
    [
        ([50, 40], [1, -1]),
        ([40, 50, 45], [-1, 1, 0]),
        ([40, 50, 45, 60], [-1, 1 / 3, -1 / 3, 1]),
        ([45, 45], [0, 0]),
        ([50, 40, 40], [1, -0.5, -0.5]),
        ([50, 50, 40, 50], [1 / 3, 1 / 3, -1, 1 / 3]),
    ],
)
def test_most_points_win(scores, results):
    """6.5, 6.7 and 6.8: without dinosaurs equal points share their place."""
    assert outcome_of(scores, [""] * len(scores)) == pytest.approx(results)


@pytest.mark.parametrize(
    ("mine", "theirs", "result"),
    [
        ("Pl", "Br", 1),  # 32 against 31
        ("Br", "Ty Ty Ty", 1),  # 31 against 30: the largest decides, not how many
        ("Pl Ve", "Pl Ar", -1),  # 10 against 12 in the second place
        ("Pl Tr", "Pl Tr Ve", -1),  # one dinosaur more
        ("Tr", "", 1),
        ("Tr", "Di", 0),  # two species worth 19
        ("Co Ty", "Ty He", 0),  # 30 and 21 each
        ("Ty Ty Ve", "Ty St St", 1),  # 30, 30, 10 against 30, 20, 20
        ("", "", 0),
    ],
)
def test_equal_points_are_told_apart_by_the_values_of_the_dinosaurs(mine, theirs, result):
    """6.6 and 6.7: lists from the most valuable down; who runs out of them is behind."""
    assert outcome_of(SCORES, [mine, theirs]) == [result, -result]
    assert outcome_of(SCORES, [theirs, mine]) == [-result, result]
    assert outcome_of([41, 40], [theirs, mine]) == [1, -1]  # points come first


def test_three_players_share_places_by_both_measures():
    """6.7 and 6.8: second and third place are shared."""
    assert outcome_of([40, 40, 40], ["Tr", "Pl", "Di"]) == [-0.5, 1, -0.5]


# ---------------------------------------------------------------------- 7. decisions


def test_a_sole_move_is_made_by_the_rules():
    """7.1: seat 1 can only move A down; seat 0 is asked again, after one decision."""
    position = Position(
        """
        ..       Tr1/0A+  Tr2  Ty3
        ..       ..       ..   ..
        De1/1A+  ..       ..   De2/1Bx
        De3      Di2      ..   St1/0B+
        """
    )
    assert position.choices == {"A right", "A down", "B up", "B left"}
    position.do("B up")
    assert position.asked == (0, "move")
    assert position.state.ply == 1
    assert position.token(1, "A") == "3,0x"
    assert position.gains == [3, 3]  # St1 and De1
    assert position.choices == {"A right", "A down"}


def test_where_nothing_is_in_reach_there_are_two_choices_at_least():
    """7.1: a single open tile is a choice between the two tokens (3.5)."""
    position = Position(STUCK.replace("Ty2", ".."), stack="Pl1 Pl1")
    assert position.choices == {"A to 1,1", "B to 1,1"}


@pytest.mark.parametrize(
    ("players", "decisions"), [(2, 4 + 56 + 4), (3, 6 + 57 + 4), (4, 8 + 56 + 4)]
)
def test_the_bound_on_decisions_holds(players, decisions, n_games):
    """7.2: with 2 copies on 4 x 4; over all options 8 + 96 + 6."""
    assert RULES.max_decisions == 110
    for seed in range(n_games(200)):
        state = RULES.new(seed, num_players=players)
        while not state.done:
            legal = RULES.legal_actions(state)
            RULES.step(state, legal[(seed + state.ply) % len(legal)])
        assert state.ply <= decisions


def test_every_paragraph_of_the_page_is_cited_by_a_test():
    """Numbers at the beginnings of lines of the page stand in the docstrings here."""
    page = set(re.findall(r"^(\d\.\d+) ", PAGE.read_text("utf-8"), re.MULTILINE))
    cited = set()
    for name, test in globals().items():
        if name.startswith("test_"):
            for first, last in re.findall(
                r"(\d\.\d+)(?: to (\d\.\d+))?", test.__doc__.split(":")[0]
            ):
                chapter, low = first.split(".")
                high = last.split(".")[1] if last else low
                cited |= {f"{chapter}.{n}" for n in range(int(low), int(high) + 1)}
    assert len(page) == 39
    assert page <= cited, sorted(page - cited)
