"""Fossil, paragraph by paragraph: each numbered rule of docs/games/fossil.md from a set position.

Boards are drawn as text, from the top left corner; what is not drawn is empty. `a2` is a tile of
value 2 of the sheet's first fossil, `..` an empty space, `[ ]` stands around the space of the first
stone and `( )` around that of the second. Moves are said in words: `1 right 2` moves the first
stone to the second tile on its right. Kernel and reference play side by side, and every expected
number is worked out by hand from the page. The first words of each docstring cite the paragraphs.
"""

import itertools
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bonebed.kernels import rules as contract
from bonebed.kernels.fossil import derive
from lockstep import compare, record_of
from naive import fossil as naive

pytestmark = pytest.mark.rules

RULES = contract.load("fossil")
LETTERS = "abcdefghi"
DIRECTIONS = ("up", "right", "down", "left")
PAGE = Path(__file__).parents[1] / "docs" / "games" / "fossil.md"


def tiles_of(text):
    """Read tiles such as `a2 b1`."""
    return [naive.Tile(LETTERS.index(word[0]), int(word[1])) for word in text.split()]


class Position:
    """A drawn position, played by kernel and reference together.

    Parameters
    ----------
    drawing : str
    points : list of int
        One for each player; their number is the number of players.
    in_front : list of str, optional
        Each player's tiles.
    seat : int
        Who is to move.
    tactical : bool
    setup : str
    """

    def __init__(self, drawing, points, in_front=None, seat=0, tactical=False, setup="auto"):
        self.options = {"num_players": len(points), "tactical": tactical, "setup": setup}
        sheet = naive.read_sheet()
        rows, columns = naive.size_of(naive.setup_for(sheet, len(points), setup))
        tiles, stones = self._read(drawing)
        assert max(tiles)[0] < rows
        assert max(column for _, column in tiles) < columns
        in_front = [tiles_of(text) for text in in_front or [""] * len(points)]
        self.game = naive.Game(
            tiles, len(points), rows, columns, tactical, sheet, stones, points, in_front, seat
        )
        assert self.game.asked == 0
        assert self.game.points == points, "draw a position in which the first move is not forced"
        self.state = record_of(RULES, naive, self.game, self.options)
        self.fixed = {field: self.state[field].tolist() for field in FIXED}
        compare(RULES, naive, self.state, self.game, self.fixed)

    @staticmethod
    def _read(drawing):
        tiles, stones = {}, {}
        for row, line in enumerate(drawing.strip().splitlines()):
            for column, word in enumerate(line.split()):
                if word[0] in "[(":
                    stones["[(".index(word[0])] = (row, column)
                word = word.strip("[]()")
                if word != "..":
                    (tiles[row, column],) = tiles_of(word)
        return tiles, [stones[0], stones[1]]

    def words(self, action):
        """Say an action in words."""
        name, fields = RULES.actions.decode(action)
        if name == "move":
            direction = DIRECTIONS[fields["direction"]]
            return f"{fields['stone'] + 1} {direction} {fields['tiles'] + 1}"
        if name == "give":
            return f"give {LETTERS[fields['fossil']]}{fields['value'] + 1}"
        if name == "take":
            seat = (self.state.to_play + 1 + fields["opponent"]) % len(self.game.points)
            return f"take {LETTERS[fields['fossil']]} from {seat}"
        return name

    @property
    def choices(self):
        """All choices of the player to move, in words."""
        return {self.words(action) for action in RULES.legal_actions(self.state)}

    def do(self, *choices):
        """Play choices said in words, by whoever is to move."""
        for choice in choices:
            legal = {self.words(action): action for action in RULES.legal_actions(self.state)}
            assert choice in legal, f"{choice} is not among {sorted(legal)}"
            index = list(legal).index(choice)
            self.game.choose(self.game.choices[index])
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
        kinds = self.state.held[seat].tolist()
        words = (f"{LETTERS[k // 3]}{k % 3 + 1} " * n for k, n in enumerate(kinds))
        return "".join(words).strip()

    def at(self, row, column):
        """The tile on a space, as text."""
        kind = self.state.tile[row * 9 + column]
        return ".." if kind == naive.NONE else f"{LETTERS[kind // 3]}{kind % 3 + 1}"


FIXED = [field for field in naive.FIXED_FIELDS if field in RULES.STATE.names]


def laid_out(state):
    """Return the laid-out tiles of a record as (space, fossil, value)."""
    return [
        (divmod(cell, 9), kind // 3, kind % 3 + 1)
        for cell, kind in enumerate(state.tile.tolist())
        if kind != naive.NONE
    ]


def outcome_of(points):
    """Return the kernel's result for a finished game with these points."""
    state = RULES.new(num_players=len(points))
    state.score[: len(points)] = points
    state.phase, state.done = naive.PHASES.index("over"), 1
    out = np.zeros(len(points), np.float32)
    RULES.outcome(state, out)
    return out.tolist()


# ---------------------------------------------------------------------- 1. components


def test_there_are_nine_fossils_of_nine_tiles():
    """1.1: one tile of value 3, two of value 2, six of value 1 of each fossil."""
    for seed in range(5):
        values = {fossil: [] for fossil in range(9)}
        for _, fossil, value in laid_out(RULES.new(seed, num_players=4)):
            values[fossil].append(value)
        assert all(sorted(v) == [1, 1, 1, 1, 1, 1, 2, 2, 3] for v in values.values())


@pytest.mark.parametrize("players", [4, 5, 6])
def test_four_to_six_players_use_the_large_board(players):
    """1.2: all 81 tiles, one on each space of 9 x 9."""
    spaces = [space for space, _, _ in laid_out(RULES.new(3, num_players=players))]
    assert sorted(spaces) == [(row, column) for row in range(9) for column in range(9)]


@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_players_use_the_small_board(players):
    """1.3: two fossils, the 3s and seven more tiles are out; 49 tiles lie on 7 x 7."""
    for seed in range(20):
        state = RULES.new(seed, num_players=players)
        tiles = laid_out(state)
        spaces = [space for space, _, _ in tiles]
        assert sorted(spaces) == [(row, column) for row in range(7) for column in range(7)]
        kinds = Counter((fossil, value) for _, fossil, value in tiles)
        fossils = {fossil for fossil, _ in kinds}
        assert len(fossils) == 7  # seven tiles leave, eight of each fossil came
        assert all((n <= 6 if value == 1 else n <= 2) for (_, value), n in kinds.items())
        assert {value for _, value in kinds} == {1, 2}
        assert state.left.tolist() == [kinds[fossil, 1] + kinds[fossil, 2] for fossil in range(9)]


def test_two_fossils_leave_the_small_board_at_random(n_games):
    """1.3: each of the 36 pairs is as likely as the others (chi-square, 35 degrees of freedom)."""
    games = n_games(3600)
    pairs = Counter()
    for seed in range(games):
        left = RULES.new(seed, num_players=2).left
        pairs[tuple(np.flatnonzero(left == 0))] += 1
    expected = games / 36
    chi2 = sum((pairs[p] - expected) ** 2 / expected for p in itertools.combinations(range(9), 2))
    assert sum(pairs.values()) == games
    assert 10 < chi2 < 35 + 6 * (2 * 35) ** 0.5


def test_seven_tiles_leave_the_small_board_at_random(n_games):
    """1.3: how many 2s leave follows the draw of 7 from 14 twos and 42 ones."""
    games = n_games(3000)
    seen = np.zeros(8)
    for seed in range(games):
        twos = sum(value == 2 for _, _, value in laid_out(RULES.new(seed, num_players=3)))
        seen[14 - twos] += 1
    chances = np.array([_ways(14, k) * _ways(42, 7 - k) / _ways(56, 7) for k in range(8)])
    expected = games * np.append(chances[:4], chances[4:].sum())  # 4 and more together: 4 %
    found = np.append(seen[:4], seen[4:].sum())
    assert ((found - expected) ** 2 / expected).sum() < 4 + 6 * (2 * 4) ** 0.5


def _ways(n, k):
    return np.prod([(n - i) / (i + 1) for i in range(k)])


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize(("setup", "side"), [("large", 9), ("small", 7)])
def test_an_option_forces_either_board_for_any_number_of_players(players, setup, side):
    """1.4."""
    tiles = laid_out(RULES.new(1, num_players=players, setup=setup))
    assert len(tiles) == side * side
    assert max(space for space, _, _ in tiles) == (side - 1, side - 1)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_two_stones_belong_to_nobody(seat):
    """1.5: either player may move either stone."""
    position = Position(
        """
        [..] i1
         ..  ..
        (..) i1
        """,
        [30, 30],
        seat=seat,
    )
    assert position.choices == {"1 right 1", "2 right 1"}


def test_spaces_have_the_same_numbers_on_both_boards():
    """1.6: row * 9 + column, also on the board of 7 x 7."""
    for options, side in (({"num_players": 2}, 7), ({"num_players": 4}, 9)):
        state = RULES.new(5, **options)
        spaces = [RULES.actions.decode(action) for action in RULES.legal_actions(state)]
        assert spaces == [
            ("place", {"cell": row * 9 + column}) for row in range(side) for column in range(side)
        ]
        RULES.step(state, RULES.actions.encode("place", cell=2 * 9 + 6))
        assert state.stone[0] == 24


# ---------------------------------------------------------------------- 2. set-up


def test_tiles_are_shuffled_evenly_over_the_spaces(n_games):
    """2.1: every kind of tile is as likely on each space (chi-square over 81 x 27 counts)."""
    games = n_games(3000)
    seen = np.zeros((81, 27))
    for seed in range(games):
        seen[np.arange(81), RULES.new(seed, num_players=4).tile] += 1
    of_kind = np.tile([6, 2, 1], 9)
    chances = of_kind / 81
    chi2 = ((seen - games * chances) ** 2 / (games * chances)).sum()
    mean = 81 * (1 - chances).sum()  # 2106; 80 x 26 degrees of freedom, stretched by 81 / 80
    assert abs(chi2 - mean) < 6 * (2 * 80 * 26) ** 0.5


def test_tiles_of_a_fossil_are_shuffled_apart(n_games):
    """2.1: any two spaces hold the same fossil in 8 of 80 games (chi-square over all pairs)."""
    games = n_games(2000)
    same = np.zeros((81, 81))
    for seed in range(games):
        fossil = RULES.new(seed + 10**6, num_players=6).tile // 3
        same += fossil[:, None] == fossil[None, :]
    pairs = same[np.triu_indices(81, 1)]
    chi2 = ((pairs - games * 0.1) ** 2 / (games * 0.1 * 0.9)).sum()
    assert abs(chi2 - len(pairs)) < 6 * (2 * len(pairs)) ** 0.5


def test_tiles_are_shuffled_evenly_over_the_small_board(n_games):
    """2.1: a 2 lies on each space in one of four games (chi-square over 49 spaces)."""
    games = n_games(3000)
    twos = np.zeros((9, 9))
    for seed in range(games):
        twos += (RULES.new(seed, num_players=2).tile % 3 == 1).reshape(9, 9)
    found = twos[:7, :7]
    chi2 = ((found - games / 4) ** 2 / (games * 3 / 16)).sum()
    assert abs(chi2 - 49) < 6 * (2 * 49) ** 0.5


@pytest.mark.parametrize("players", range(2, 7))
def test_every_player_starts_with_thirty_points(players):
    """2.2."""
    state = RULES.new(0, num_players=players)
    assert state.score.tolist() == [30] * players + [0] * (6 - players)
    assert not state.held.any()


@pytest.mark.parametrize("players", range(2, 7))
def test_the_last_seat_places_both_stones_on_different_tiles(players):
    """2.3: and the tiles stay where they are."""
    state = RULES.new(7, num_players=players)
    laid = state.tile.copy()
    everywhere = RULES.legal_actions(state).tolist()
    assert state.to_play == players - 1
    assert len(everywhere) == (49 if players < 4 else 81)
    RULES.step(state, everywhere[10])
    assert state.to_play == players - 1
    assert RULES.legal_actions(state).tolist() == everywhere[:10] + everywhere[11:]
    RULES.step(state, everywhere[3])
    assert [RULES.actions.encode("place", cell=c) for c in state.stone.tolist()] == [
        everywhere[10],
        everywhere[3],
    ]
    assert state.tile.tolist() == laid.tolist()
    assert state.score[:players].tolist() == [30] * players  # placing is free


def test_seat_0_moves_first_and_turns_go_round_in_seat_order():
    """2.4."""
    state = RULES.new(2, num_players=5)
    order = []
    for _ in range(12):
        order.append(int(state.to_play))
        RULES.step(state, RULES.legal_actions(state)[0])
    assert order == [4, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4]


# ---------------------------------------------------------------------- 3. the turn


def test_a_stone_moves_straight_any_distance_to_a_tile():
    """3.1: along its row or column, never on the diagonal."""
    position = Position(
        """
         i1  ..  ..  i1  ..  ..  i1
         ..  ..  ..  ..  ..  ..  ..
         ..  ..  ..  i1  ..  ..  ..
         i1  i1  i1 [..] i1  ..  i1
         ..  ..  i1  ..  i1  ..  ..
         ..  ..  ..  ..  ..  ..  ..
         ..  ..  ..  i1  .. (..) ..
        """,
        [30, 30],
    )
    ups, rights, downs = ["1 up 1", "1 up 2"], ["1 right 1", "1 right 2"], ["1 down 1"]
    lefts = ["1 left 1", "1 left 2", "1 left 3"]
    assert position.choices == {*ups, *rights, *downs, *lefts, "2 left 1"}
    position.do("1 left 3")
    assert position.state.stone.tolist() == [3 * 9 + 0, 6 * 9 + 5]


def test_a_stone_may_not_pass_the_other_stone():
    """3.2: neither the tile under the other stone nor any behind it can be taken."""
    position = Position("i1 [..] i1 (i1) i1 i1", [30, 30])
    assert position.choices == {
        "1 left 1",
        "1 right 1",
        "2 left 1",
        "2 right 1",
        "2 right 2",
    }


def test_a_stone_may_not_stop_on_the_other_stone():
    """3.2: with the other stone on the next space there is no move that way."""
    position = Position(
        """
        [i1] (i1) ..
         i1   i1  ..
         i1   i1  ..
        """,
        [30, 30],
    )
    assert position.choices == {"1 down 1", "1 down 2", "2 down 1", "2 down 2"}


def test_a_stone_may_not_leave_the_board():
    """3.2: the small board ends after its seventh row and column, and rows do not wrap."""
    position = Position(
        """
         i1  ..  ..  ..  ..  .. [i1]
         i1  ..  ..  ..  ..  ..  ..
         ..  ..  ..  ..  ..  ..  ..
         ..  ..  ..  ..  ..  ..  ..
         ..  ..  ..  ..  ..  ..  ..
         ..  ..  ..  ..  ..  ..  i1
        (i1) ..  ..  ..  ..  ..  ..
        """,
        [30, 30],
    )
    assert position.choices == {"1 left 1", "1 down 1", "2 up 1", "2 up 2"}


def test_a_move_may_pass_empty_spaces_but_ends_on_a_tile():
    """3.3: of the six spaces to the right only the two with tiles are choices."""
    position = Position("[..] .. i1 .. .. i1 ..\n (..) .. .. i1", [30, 30])
    assert position.choices == {"1 right 1", "1 right 2", "2 right 1"}
    position.do("1 right 2")
    assert position.state.stone[0] == 5


@pytest.mark.parametrize(("move", "cost"), [("1 right 1", 1), ("1 right 2", 2), ("1 right 3", 3)])
def test_tiles_passed_and_the_landing_tile_cost_a_point_each(move, cost):
    """3.4: empty spaces and the space that the stone leaves are free."""
    position = Position("[i1] i1 .. i1 .. .. i1\n .. .. .. .. .. .. (..)", [30, 20])
    position.do(move)
    assert position.points == [30 - cost, 20]
    assert position.gains == [-cost, 0]


def test_a_move_across_the_large_board_passes_up_to_seven_tiles():
    """3.4: the eighth tile of a full row costs 8."""
    position = Position("[i1] i1 i1 i1 i1 i1 i1 i1 i1\n (..)", [30] * 4)
    assert "1 right 8" in position.choices
    assert position.do("1 right 8").points == [22, 30, 30, 30]


def test_a_move_that_costs_more_than_the_player_has_is_not_allowed():
    """3.5: with 2 points the third tile of the row is out of reach, the second just within."""
    position = Position("[..] i1 i1 i1\n (..) i1 .. ..", [2, 30])
    assert position.choices == {"1 right 1", "1 right 2", "2 right 1"}
    assert position.do("1 right 2").points[0] == 0


def test_a_player_who_can_move_must():
    """3.6: all choices are moves."""
    position = Position("[..] i1 i1 i1\n (..) i1 .. ..", [1, 30])
    assert position.choices == {"1 right 1", "2 right 1"}


def test_a_player_without_points_sits_out_without_being_asked():
    """3.6 and 3.9: seat 1 has nothing, so seat 0 is asked again."""
    position = Position("[..] i1 i1 i1\n (..) i1 .. ..", [9, 0])
    position.do("1 right 1")
    assert position.asked == (0, "move")
    assert position.state.ply == 1


def test_turns_pass_over_those_who_sit_out():
    """3.9: from seat 3 past seats 0 and 1 to seat 2."""
    position = Position("[..] i1 i1 i1\n (..) i1 i1 ..", [0, 0, 5, 5], seat=3)
    assert position.do("1 right 1").asked == (2, "move")
    assert position.do("2 right 1").asked == (3, "move")


def test_the_tile_is_taken_from_the_board_and_laid_in_front_of_the_player():
    """3.7: the stone then stands on an empty space."""
    position = Position("[..] i1 i2 i1\n (..) i1 .. ..", [30, 30], ["b1", ""])
    position.do("1 right 2")
    assert position.in_front(0) == "b1 i2"
    assert position.in_front(1) == ""
    assert [position.at(0, column) for column in range(4)] == ["..", "i1", "..", "i1"]
    assert position.state.left[8] == 3
    assert position.choices == {"1 left 1", "1 right 1", "2 right 1"}


def test_a_tile_under_a_stone_can_be_taken_once_the_stone_has_left():
    """3.7: the start tile stays on the board, also when its stone leaves."""
    position = Position("[i2] i1 i1 i1\n (..) i1 .. ..", [30, 30])
    position.do("1 right 1")
    assert position.at(0, 0) == "i2"
    position.do("1 left 1")
    assert position.at(0, 0) == ".."
    assert position.in_front(1) == "i2"


def test_the_last_tile_of_a_fossil_completes_it():
    """3.8: the exchange is asked first and nothing is scored before the answer."""
    position = Position("[..] a1 i1 i1\n (..) i1 .. ..", [30, 30], ["b1", "c1"])
    position.do("1 right 1")
    assert position.asked == (0, "give")
    assert position.state.completed == 0
    assert position.points == [29, 30]
    position.do("keep")
    assert position.asked == (1, "move")
    assert position.gains == [1 + 1, -1]  # 1 x 1 for the tile, and seat 1 owes 1


def test_a_tile_that_is_not_the_last_completes_nothing():
    """3.8: the other tile of the fossil lies under a stone and still counts."""
    position = Position("[..] a1 i1 i1\n (a1) i1 .. ..", [30, 30], ["b1", "c1"])
    position.do("1 right 1")
    assert position.asked == (1, "move")
    assert position.points == [29, 30]


def test_on_the_small_board_the_last_tile_laid_out_completes_the_fossil():
    """3.8: from the set-up on, taking as many tiles as lie there scores the fossil."""
    for seed in range(3):
        state = RULES.new(seed, num_players=2)
        fossil = int(state.tile[0]) // 3
        cells = np.flatnonzero((state.tile >= 0) & (state.tile // 3 == fossil))
        assert len(cells) == state.left[fossil]
        RULES.step(state, RULES.actions.encode("place", cell=1))
        RULES.step(state, RULES.actions.encode("place", cell=2))
        state.tile[cells[1:]] = naive.NONE  # all but the one in the corner
        state.left[fossil] = 1
        state.held[1, 3 * fossil] = 1  # a tile of value 1
        derive(state)
        RULES.step(state, RULES.actions.encode("move", stone=0, direction=3, tiles=0))
        assert state.left[fossil] == 0
        assert not state.held[:, 3 * fossil : 3 * fossil + 3].any()
        assert state.score[1] == 31


# ---------------------------------------------------------------------- 4. the exchange

EXCHANGE = "[..] a1 i1 i1\n (..) i1 .. .."


def test_the_player_who_completes_a_fossil_may_exchange_before_it_is_scored():
    """4.1: nobody else is asked, and scoring counts the tiles as exchanged."""
    position = Position(EXCHANGE, [30, 30], ["a2 b1", "a1 c1"])
    position.do("1 right 1", "give b1")
    assert position.asked == (0, "take")
    position.do("take a from 1")
    # Seat 0 now holds a2, a1, a1: 4 x 3 = 12, and seat 1, without a tile, owes 3.
    assert position.points == [29 + 12 + 3, 30 - 3]
    assert position.in_front(0) == ""
    assert position.in_front(1) == "b1 c1"


def test_an_exchange_may_be_refused():
    """4.1: keeping scores the tiles as they lie."""
    position = Position(EXCHANGE, [30, 30], ["a2 b1", "a1 c1"])
    position.do("1 right 1", "keep")
    assert position.points == [29 + 3 * 2, 30 + 1]
    assert position.in_front(0) == "b1"
    assert position.in_front(1) == "c1"


def test_exchanged_tiles_have_the_same_value():
    """4.2: a 2 goes for a 2 only, also when both players have 1s."""
    position = Position(EXCHANGE, [30, 30, 30], ["b2 d1", "c2 c1", "e2"])
    position.do("1 right 1", "give b2")
    assert position.choices == {"take c from 1", "take e from 2"}
    position.do("take e from 2")
    assert position.in_front(0) == "d1 e2"
    assert position.in_front(2) == "b2"


def test_two_tiles_of_the_same_fossil_are_not_exchanged():
    """4.2: an a1 goes for another fossil's tile, not for an a1."""
    position = Position(EXCHANGE, [30, 30], ["", "a1 b1 c1"])
    position.do("1 right 1")
    assert position.choices == {"keep", "give a1"}
    position.do("give a1")
    assert position.choices == {"take b from 1", "take c from 1"}


def test_an_exchange_may_give_away_the_only_tile_of_the_scored_fossil():
    """4.2: the giver then owes for the fossil that they completed."""
    position = Position(EXCHANGE, [30, 30], ["", "a1 b1 c1"])
    position.do("1 right 1", "give a1", "take b from 1")
    assert position.points == [29 - 2, 30 + 2 * 2 + 2]
    assert position.in_front(0) == "b1"


def test_a_tile_is_offered_only_if_there_is_a_tile_to_take_for_it():
    """4.3: own a1, b1, b2, d3 against c1 and d3 of others leave a1 and b1."""
    position = Position(EXCHANGE, [30] * 4, ["b1 b2 d3", "c1", "d3", ""], setup="large")
    position.do("1 right 1")
    assert position.choices == {"keep", "give a1", "give b1"}


def test_the_tile_to_take_is_chosen_second_by_player_and_fossil():
    """4.3: equal tiles of one player are one choice."""
    position = Position(EXCHANGE, [30] * 3, ["b1 b1", "c1 c1 d1", "c1"])
    position.do("1 right 1", "give b1")
    assert position.state.given == 3 * 1 + 0
    assert position.choices == {"take c from 1", "take d from 1", "take c from 2"}
    position.do("take c from 2")
    assert position.in_front(0) == "b1 c1"
    assert position.in_front(1) == "c1 c1 d1"
    assert position.in_front(2) == "b1"
    assert position.state.given == naive.NONE
    assert position.state.completed == naive.NONE


def test_no_exchange_is_asked_when_none_is_possible():
    """4.4: the other player has only tiles of other values, or of the same fossil."""
    position = Position(EXCHANGE, [30, 30], ["", "a1 c2"])
    position.do("1 right 1")
    assert position.asked == (1, "move")
    assert position.points == [29 + 1, 30 + 1]


# ---------------------------------------------------------------------- 5. scoring


def test_three_tiles_of_two_two_and_one_score_fifteen():
    """5.1: the rulebook's example; seat 1 holds a single 1."""
    position = Position(EXCHANGE, [30, 30], ["a2 a2", "a1"])
    position.do("1 right 1")
    assert position.gains == [-1 + (2 + 2 + 1) * 3, 1 * 1]


def test_players_who_are_best_together_have_equally_many_tiles():
    """5.2: in all ways to divide a fossil's tiles, equal products mean equal numbers."""
    for setup in naive.read_sheet()["setup"].values():
        values = setup["tile_values"]
        stock = [values.count(value) for value in (1, 2, 3)]
        hands = list(itertools.product(*(range(n + 1) for n in stock)))
        for one, two in itertools.combinations_with_replacement(hands, 2):
            if all(a + b <= n for a, b, n in zip(one, two, stock, strict=True)):
                products = [sum(h) * (h[0] + 2 * h[1] + 3 * h[2]) for h in (one, two)]
                if products[0] == products[1]:
                    assert sum(one) == sum(two)


def test_best_is_who_receives_most_and_not_who_has_most_tiles():
    """5.2 and 5.3: 3 and 2 are worth 5 x 2 = 10, three 1s 9; the debt is 2 tiles."""
    position = Position(EXCHANGE, [30] * 4, ["a1 a1", "a3 a2", "", ""])
    position.do("1 right 1")
    assert position.gains == [-1 + 9, 10 + 2 + 2, -2, -2]


def test_players_without_a_tile_owe_the_number_of_the_best_players_tiles():
    """5.3: best is seat 1 with four tiles; seats 2 and 3 owe 4 each, seat 0 has a tile."""
    position = Position(EXCHANGE, [30] * 4, ["", "a1 a1 a1 a1", "", ""])
    position.do("1 right 1")
    assert position.gains == [-1 + 1, 16 + 8, -4, -4]


def test_a_debtor_pays_down_to_zero_and_the_best_player_receives_all():
    """5.3 and 5.4: the rulebook's example, 2 points against a debt of 3."""
    position = Position(EXCHANGE, [10, 2], ["a1 a1", ""])
    position.do("1 right 1")
    assert position.points == [10 - 1 + 9 + 3, 0]
    assert position.gains == [11, -2]


def test_a_debtor_who_has_exactly_what_is_owed_falls_to_zero():
    """5.3."""
    position = Position(EXCHANGE, [10, 3], ["a1 a1", ""])
    assert position.do("1 right 1").points == [10 - 1 + 9 + 3, 0]


def test_a_debtor_without_points_still_brings_the_best_player_the_debt():
    """5.4."""
    position = Position(EXCHANGE, [10, 0, 10], ["a1 a1", "", "a1"])
    assert position.do("1 right 1").points == [10 - 1 + 9 + 3, 0, 11]


def test_tied_best_players_lose_a_debt_of_one():
    """5.5: 1 divided by 2 is 0; the debtor pays all the same."""
    position = Position(EXCHANGE, [10, 10, 10], ["", "a1", ""])
    assert position.do("1 right 1").points == [10 - 1 + 1, 10 + 1, 10 - 1]


def test_tied_best_players_share_a_debt_of_three():
    """5.5: 3 divided by 2 is 1 for each, and 1 is lost."""
    position = Position(EXCHANGE, [10, 10, 10], ["a1 a1", "a1 a1 a1", ""])
    assert position.do("1 right 1").points == [10 - 1 + 9 + 1, 10 + 9 + 1, 10 - 3]


def test_debts_of_several_players_are_added_before_they_are_divided():
    """5.5: three debts of 1 make 3, so each of two gets 1 and not 0."""
    position = Position(EXCHANGE, [10] * 5, ["", "a1", "", "", ""])
    assert position.do("1 right 1").points == [10 - 1 + 1 + 1, 10 + 1 + 1, 9, 9, 9]


def test_tied_best_players_share_also_what_was_not_paid():
    """5.5: a debtor with 1 point owes 3; 3 are shared."""
    position = Position(EXCHANGE, [10, 10, 1], ["a1 a1", "a1 a1 a1", ""])
    assert position.do("1 right 1").points == [10 - 1 + 9 + 1, 10 + 9 + 1, 0]


def test_three_tied_best_players_divide_by_three():
    """5.5: three debtors owe 2 each, 6 divided by 3 is 2."""
    position = Position(EXCHANGE, [10] * 6, ["a1", "a1 a1", "a1 a1", "", "", ""])
    assert position.do("1 right 1").gains == [-1 + 4 + 2, 4 + 2, 4 + 2, -2, -2, -2]


def test_the_tiles_of_a_scored_fossil_leave_the_game():
    """5.6: the tiles of other fossils stay in front of the players."""
    position = Position(EXCHANGE, [10, 10], ["a2 b3", "a1 a1 c1"])
    position.do("1 right 1", "keep")
    assert [position.in_front(seat) for seat in (0, 1)] == ["b3", "c1"]


# Whatever stone 1 takes first, no stone reaches another tile: row 0 and column 3, or row 3 and
# column 0, row 5 and column 5 are empty then.
LAST_MOVE = """
    [..] ..  ..  i1  ..  ..
     ..  b1  i1  ..  ..  ..
     ..  ..  ..  ..  ..  ..
     a1  ..  ..  ..  ..  ..
     ..  ..  ..  ..  ..  ..
     ..  ..  ..  ..  .. (..)
"""


def test_a_fossil_that_nobody_has_is_not_scored():
    """5.7: only the fossil i, of which seat 0 takes a tile, is scored at the end."""
    position = Position(LAST_MOVE, [10, 10])
    position.do("1 right 1")
    assert position.state.done
    assert position.points == [10 - 1 + 1 + 1, 10 - 1]


# ---------------------------------------------------------------------- 6. the tactical variant


def test_with_the_tactical_variant_only_the_best_player_multiplies():
    """6.1: seat 1 receives 1 + 1 instead of 2 x 2; debts are as ever."""
    in_front = ["a2 a2", "a1 a1", ""]
    usual = Position(EXCHANGE, [10, 10, 10], in_front).do("1 right 1")
    tactical = Position(EXCHANGE, [10, 10, 10], in_front, tactical=True).do("1 right 1")
    assert usual.gains == [-1 + 15 + 3, 4, -3]
    assert tactical.gains == [-1 + 15 + 3, 2, -3]


def test_with_the_tactical_variant_all_tied_best_players_multiply():
    """6.1: two with 2 x 2, a third with a single 2 and the plain sum of 2."""
    in_front = ["a1", "a1 a1", "a2", ""]
    position = Position(EXCHANGE, [10] * 4, in_front, tactical=True)
    assert position.do("1 right 1").gains == [-1 + 4 + 1, 4 + 1, 2, -2]


def test_with_the_tactical_variant_best_is_still_measured_by_multiplication():
    """6.1: three 1s make 9 and a single 3 makes 3, though the plain sums are equal."""
    position = Position(EXCHANGE, [10] * 4, ["a1 a1", "a3", "", ""], tactical=True)
    assert position.do("1 right 1").gains == [-1 + 9 + 6, 3, -3, -3]


# ---------------------------------------------------------------------- 7. the end


def test_the_game_ends_when_no_stone_can_reach_a_tile():
    """7.1: three tiles lie on the board, both players have points."""
    position = Position(LAST_MOVE, [10, 10])
    position.do("1 down 1")
    assert position.asked[1] == "over"
    assert position.choices == set()
    assert [position.at(*space) for space in ((0, 3), (1, 1), (1, 2))] == ["i1", "b1", "i1"]


def test_the_tiles_under_both_stones_can_be_left_over():
    """7.1 and 3.2: neither stone can stop where the other stands."""
    position = Position("[..] i1 i1 (i1)", [10, 10])
    position.do("1 right 1", "1 right 1")
    assert position.state.done
    assert position.at(0, 3) == "i1"


def test_the_game_ends_when_nobody_can_pay():
    """7.1: tiles are in reach, but all points are spent."""
    position = Position("[..] i1 i1 i1\n (..) i1 .. ..", [1, 0])
    position.do("1 right 1")
    assert position.state.done
    assert position.points == [0 + 1 + 1, 0]  # 7.2: seat 0 has the only i1, seat 1 owes 1


def test_a_player_who_sat_out_moves_again_once_there_are_points():
    """3.6 and 7.1: nobody leaves the game; seat 1 receives 4 and is asked next."""
    position = Position(EXCHANGE, [10, 0], ["", "a1 a1"])
    position.do("1 right 1")
    assert position.points == [10 - 1 + 1, 4]
    assert position.asked == (1, "move")


def test_left_over_fossils_are_scored_in_the_order_of_the_sheet():
    """7.2: seat 1 pays for a before b brings points; the other way round it would keep 0, not 1.

    a: seat 0 has 9 and receives 2 x 2 and the debt of 2, seat 1 falls from 1 to 0. b: seat 1
    receives 1 and the debt of 1. i: seat 0 receives 1 and the debt of 1.
    """
    position = Position(LAST_MOVE, [10, 1], ["a1 a1", "b1"])
    position.do("1 right 1")
    assert position.points == [9 + 6 - 1 + 2, 0 + 2 - 1]


def test_there_is_no_exchange_in_the_final_scoring():
    """7.2: though a1 and b1 could be exchanged, nobody is asked."""
    position = Position(LAST_MOVE, [10, 10], ["a1", "b1"])
    position.do("1 right 1")
    assert position.state.done
    assert position.state.ply == 1


def test_the_tactical_variant_holds_in_the_final_scoring():
    """7.2 and 6.1: for the second 1 of a, seat 1 gets the sum 2 and not 4."""
    position = Position(LAST_MOVE, [10, 10], ["a1 a1 a1", "a1 a1 b1 i1"], tactical=True)
    position.do("1 right 1")
    # a: 9 for seat 0 (best), 2 for seat 1. b: 1 for seat 1 and 1 from seat 0. i: 1 for each.
    assert position.points == [9 + 9 - 1 + 1, 10 + 2 + 2 + 1]


@pytest.mark.parametrize(
    ("points", "results"),
    [
        ([3, 9], [-1, 1]),
        ([4, 4], [0, 0]),
        ([1, 8, 5], [-1, 1, 0]),
        ([5, 1, 5], [0.5, -1, 0.5]),
        ([7, 3, 3, 1], [1, 0, 0, -1]),
        ([0, 0, 0, 2, 1], [-0.5, -0.5, -0.5, 1, 0.5]),
        ([6, 5, 4, 3, 2, 1], [1, 0.6, 0.2, -0.2, -0.6, -1]),
    ],
)
def test_the_result_of_a_game_is_evenly_spaced_and_shared_places_are_averaged(points, results):
    """7.3 and 7.4: most points win; of 5 players three last ones share places 3, 4 and 5."""
    assert outcome_of(points) == pytest.approx(results, abs=1e-6)


# ---------------------------------------------------------------------- 8. decisions


def test_a_single_allowed_move_is_made_by_the_rules():
    """8.1: seat 1 can only go left; then seat 0 is asked, and the step reports both payments."""
    position = Position(
        """
        [..] i1  i1  ..  ..
         ..  ..  ..  ..  ..
         ..  i1  ..  ..  ..
         ..  i1  ..  ..  ..
         ..  ..  ..  .. (..)
        """,
        [10, 10],
    )
    position.do("1 right 2")
    assert position.gains == [-2, -1]
    assert position.in_front(1) == "i1"
    assert position.asked == (0, "move")
    assert position.state.ply == 1
    assert position.choices == {"1 down 1", "1 down 2"}


def test_a_single_tile_to_take_is_taken_by_the_rules():
    """8.1: the only other 1 is seat 1's c1, so giving settles the exchange."""
    position = Position(EXCHANGE, [30, 30], ["", "c1"])
    position.do("1 right 1", "give a1")
    assert position.asked == (1, "move")
    assert position.in_front(0) == "c1"
    assert position.points == [29 - 1, 30 + 1 + 1]


def test_a_game_never_asks_more_decisions_than_the_page_proves():
    """8.2: 101 on the large board; on the small one 65, counted in games with every exchange."""
    assert RULES.max_decisions == 101
    for seed in range(10):
        state = RULES.new(seed, num_players=3)
        while not state.done:  # cheapest moves, so that the board is nearly emptied
            legal = RULES.legal_actions(state)
            RULES.step(state, legal[-1] if naive.PHASES[state.phase] != "move" else legal[0])
        assert state.ply <= 65


# ---------------------------------------------------------------------- the page itself


def test_every_paragraph_of_the_page_has_a_test():
    """The page's numbered paragraphs are those that the docstrings of this file begin with."""
    numbered = re.compile(r"\b([1-8]\.\d+)\b")
    page = re.findall(r"^(\d+\.\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cited = set()
    for name, test in globals().items():
        if name.startswith("test_"):
            cited |= set(numbered.findall((test.__doc__ or "").split(":")[0]))
    assert page == sorted(page, key=lambda number: tuple(map(int, number.split("."))))
    assert cited == set(page)
