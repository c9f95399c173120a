"""Memory Game, paragraph by paragraph: each numbered rule of docs/games/memory_game.md.

A table is written as text, one word a space from the top left corner: the first three letters of a
genus, small where the card was never turned up, `..` where none lies. Kernel and reference play
side by side, and every expected number is worked out by hand from the page. The first words of
each docstring cite the paragraphs.
"""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bonebed.kernels import rules as contract
from lockstep import compare, record_of
from naive import memory_game as naive

pytestmark = pytest.mark.rules

RULES = contract.load("memory_game")
PAGE = Path(__file__).parents[1] / "docs" / "games" / "memory_game.md"
GENERA = naive.genera_of(naive.read_sheet())
END = "Dei dei Ste ste Coe coe"


class Position:
    """A table, played by kernel and reference together; `museums` are those of both players."""

    def __init__(self, table, museums=None, turns=0, seat=0):
        names = {name[:3].lower(): name for name in GENERA}
        words = table.split()
        cards = {i: names[word.lower()] for i, word in enumerate(words) if word != ".."}
        if museums is None:
            museums = [[name for name in GENERA if name not in cards.values()], []]
        seen = [i for i, word in enumerate(words) if word[0].isupper()]
        self.game = naive.Game(cards, seen, museums, turns, seat)
        self.state = record_of(RULES, naive, self.game, {})
        self.fixed = {field: self.state[field].tolist() for field in naive.FIXED_FIELDS}
        compare(RULES, naive, self.state, self.game, self.fixed)

    def do(self, *spaces):
        """Turn up cards."""
        for space in spaces:
            self.game.choose(("turn_up", space))
            RULES.step(self.state, space)
            compare(RULES, naive, self.state, self.game, self.fixed)
        return self

    def __getattr__(self, field):
        """Read a field of the record."""
        return self.state[field].tolist()

    @property
    def legal(self):
        """Spaces that can be turned up."""
        return RULES.legal_actions(self.state).tolist()


def observed(state, player):
    """Return a seat's observation."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, player, obs[0])
    return obs[0]


def outcome_of(points):
    """Return the kernel's result for a finished game with these points."""
    state = RULES.new()
    state.score[:] = points
    state.phase, state.done = 1, 1
    out = np.zeros(2, np.float32)
    RULES.outcome(state, out)
    return out.tolist()


def test_the_deck_is_one_card_of_each_fossil_of_nine_genera():
    """1.1 and 1.2: one genus of 4, four of 3, four of 2, as genera alone."""
    counts = Counter(RULES.new(4).cell.tolist())
    assert [counts[genus] for genus in range(9)] == [4, 3, 3, 3, 3, 2, 2, 2, 2]


def test_skeletons_have_the_values_of_the_page():
    """1.3: taking each skeleton scores its value."""
    values = [25, 20, 19, 18, 17, 12, 11, 10, 9]
    for genus, value in zip(GENERA, values, strict=True):
        state = RULES.new(5)
        for space in np.flatnonzero(state.cell == GENERA.index(genus)):
            RULES.step(state, int(space))
        assert state.score.tolist() == [value, 0]
        assert state.gain.tolist() == [value, 0]


def test_a_space_has_the_number_of_row_and_column():
    """1.4: c2 is row 2, column 2 from 0: 1 x 6 + 2 = 8."""
    assert RULES.actions.encode("turn_up", cell=8) == 8
    assert (RULES.n_actions, PAGE.read_text("utf-8").count("`c2`") > 0) == (24, True)


def test_the_cards_are_shuffled_and_face_down():
    """2.1: 24 cards lie, none was seen; every genus comes to the first space in 200 games."""
    states = [RULES.new(seed) for seed in range(200)]
    assert {int(state.cell[0]) for state in states} == set(range(9))
    assert not any(state.seen.any() or state.up.any() for state in states)
    assert all((state.cell >= 0).all() for state in states)


def test_seat_0_begins_without_points():
    """2.2: two players."""
    state = RULES.new(1)
    assert (state.to_play, state.score.tolist(), state.num_players) == (0, [0, 0], 2)


def test_any_face_down_card_can_be_turned_up():
    """3.1: seen or not, but not one that is face up or taken."""
    position = Position("Dei dei .. Ste ste Coe coe")
    assert position.legal == [0, 1, 3, 4, 5, 6]
    assert position.do(3).legal == [0, 1, 4, 5, 6]
    assert position.to_play == 0


def test_cards_of_different_genera_end_the_turn():
    """3.2: they lie face down again, known, and nobody scores."""
    position = Position(END).do(0, 3)
    assert position.to_play == 1
    assert not any(position.up)
    assert position.gain == [0, 0]
    assert position.legal == [0, 1, 2, 3, 4, 5]
    assert position.seen[3] == 1


def test_a_third_card_may_differ_too():
    """3.2: two of three Triceratops, then a Stegosaurus."""
    position = Position("tri tri tri ste ste").do(0, 1)
    assert (position.to_play, sum(position.up)) == (0, 2)
    position.do(4)
    assert (position.to_play, sum(position.up), position.turns) == (1, 0, 1)


def test_a_complete_skeleton_is_taken_and_ends_the_turn():
    """3.3: Deinonychus is worth 12; the spaces stay empty and the other player goes on."""
    position = Position(END, [[], [n for n in GENERA if n[:3] not in "Dei Ste Coe"]])
    position.do(0, 1)
    assert position.gain == [12, 0]
    assert position.legal == [2, 3, 4, 5]
    assert position.to_play == 1
    assert position.museum[0][GENERA.index("Deinonychus")] == 1


def test_turns_alternate():
    """3.4: whatever the turn brought."""
    position = Position(END, seat=1).do(0, 2)
    assert position.to_play == 0
    assert position.do(0, 1).to_play == 1


def test_there_is_no_stopping():
    """3.5: all actions turn up a card."""
    assert [block.name for block in RULES.actions.blocks] == ["turn_up"]
    assert Position("tri tri tri ste ste").do(0).legal == [1, 2, 3, 4]


def test_what_was_turned_up_is_shown_for_ever():
    """4.1: to both seats, on its space, by genus."""
    position = Position(END).do(1, 3, 0, 4)
    for player in (0, 1):
        obs = observed(position.state, player)
        seen = {0: "Deinonychus", 1: "Deinonychus", 2: "Stegosaurus", 3: "Stegosaurus"}
        seen[4] = "Coelophysis"
        for space in range(6):
            shown = [GENERA[g] for g in np.flatnonzero(obs.card[:, space])]
            assert shown == ([seen[space]] if space in seen else [])
        assert np.flatnonzero(obs.unseen).tolist() == [5]


def test_both_know_the_same():
    """4.2: but for the order of seats the observations are equal; hidden cards show nowhere."""
    one, other = Position(END).state, Position("Dei coe Ste dei Coe ste").state
    for player in (0, 1):
        assert observed(one, player) == observed(other, player)
    assert (observed(one, 0).card == observed(one, 1).card).all()


def test_the_game_ends_when_all_cards_are_taken():
    """5.1, 6.1 and 6.3: of the last two cards the second is turned up by the rules; 9 points."""
    position = Position("Coe coe", turns=30, seat=1)
    before = position.score
    position.do(1)
    assert position.done == 1
    assert (position.gain, position.ply) == ([0, 9], 1)
    assert position.score == [before[0], before[1] + 9]
    assert (position.to_play, position.turns, position.legal) == (1, 30, [])


def test_the_game_ends_with_the_500th_turn():
    """5.2: cards may lie there still; they count for nobody."""
    position = Position(END, turns=498)
    score = position.do(0, 2).score
    assert position.done == 0
    position.do(1, 3)
    assert (position.done, position.turns, position.score) == (1, 500, score)
    assert position.to_play == 1


@pytest.mark.parametrize(
    ("points", "results"), [([71, 70], [1, -1]), ([0, 9], [-1, 1]), ([40, 40], [0, 0])]
)
def test_most_points_win(points, results):
    """5.3 and 5.4: +1 and -1, or 0 for both."""
    assert outcome_of(points) == results


def test_a_game_asks_no_more_decisions_than_the_page_proves():
    """6.2: 500 turns of at most 4 cards."""
    assert RULES.max_decisions == 2000


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
