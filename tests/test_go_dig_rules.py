"""Go Dig, paragraph by paragraph: each numbered rule of docs/games/go_dig.md from a set position.

A hand is written as text: `B0` is the first fossil of Brachiosaurus, `*` stands behind a known
card. B Brachiosaurus (3 cards, 20 points), D Deinonychus (2, 12), S Stegosaurus (2, 11), P
Pachycephalosaurus (two skeletons of 2, 10), M Mosasaurus (four of 2, 7). Kernel and reference play
side by side; what the pile gives is chosen by its seed. Every expected number is worked out by hand
from the page. The first words of each docstring cite the paragraphs.
"""

import itertools
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bonebed.kernels import rules as contract
from chance import Chance
from lockstep import compare, record_of
from naive import go_dig as naive

pytestmark = pytest.mark.rules

RULES = contract.load("go_dig")
PAGE = Path(__file__).parents[1] / "docs" / "games" / "go_dig.md"
LETTERS = {"B": 1, "D": 7, "S": 8, "P": 9, "M": 12}
N_GENERA = 13


def cards_of(text):
    """Read cards such as `B0 M1*`."""
    return [(LETTERS[word[0]], int(word[1])) for word in text.split()]


class Position:
    """A position, played by kernel and reference together.

    Parameters
    ----------
    hands : list of str
    pile : str
    digs : str
        What the pile gives first, one after the other.
    seat, turns : int
    """

    def __init__(self, hands, pile="", digs="", seat=0, turns=0):
        for seed in itertools.count():
            self.game = naive.Game(len(hands), Chance(seed), dealt=False)
            everything = Counter(self.game.pile)
            self.game.pile = sorted(cards_of(pile))
            stack, chance = list(self.game.pile), Chance(seed)
            given = [stack.pop(chance.draw(naive.DIG, len(stack))) for _ in digs.split()]
            if given == cards_of(digs):
                break
        for hand, text in zip(self.game.hands, hands, strict=True):
            hand.cards = cards_of(text)
            hand.known = cards_of(" ".join(word for word in text.split() if "*" in word))
            hand.room = [hand.hidden] * N_GENERA
        there = Counter(self.game.pile)
        for hand in self.game.hands:
            there += Counter(hand.cards)
        missing = everything - there  # laid by the last seat, as whole skeletons
        for genus, fossil in missing.elements():
            if fossil == 0:
                self.game.laid[-1].append(genus)
                self.game.points[-1] += self.game.genera[genus]["value"]
        self.game.seat, self.game.turns = seat, turns
        self.state = record_of(RULES, naive, self.game, {"num_players": len(hands)})
        self.state.seed = seed
        self.fixed = {field: self.state[field].tolist() for field in naive.FIXED_FIELDS}
        compare(RULES, naive, self.state, self.game, self.fixed)

    def ask(self, *questions):
        """Ask questions such as `1 B`: player 1 for Brachiosaurus."""
        for question in questions:
            seat, letter = question.split()
            opponent = (int(seat) - self.state.to_play - 1) % self.state.num_players
            choice = ("ask", int(opponent), LETTERS[letter])
            self.game.choose(choice)
            RULES.step(self.state, RULES.actions.encode("ask", opponent=choice[1], genus=choice[2]))
            compare(RULES, naive, self.state, self.game, self.fixed)
        return self

    def hand(self, seat):
        """Return a hand as text, known cards marked."""
        words = []
        for name, genus in LETTERS.items():
            first = sum(g["fossils"] for g in self.game.genera[:genus])
            for fossil in range(self.game.genera[genus]["fossils"]):
                n, known = (int(self.state[f][seat][first + fossil]) for f in ("hand", "known"))
                words += [f"{name}{fossil}*"] * known + [f"{name}{fossil}"] * (n - known)
        return " ".join(words)

    def fact(self, field, seat):
        """Return what is remembered of a hand, genera by letter where it is not 0."""
        row = self.state[field][seat].tolist()
        return {name: row[genus] for name, genus in LETTERS.items() if row[genus]}

    @property
    def asks(self):
        """Who is asked to decide."""
        return int(self.state.to_play)

    @property
    def gains(self):
        """Points of the last step."""
        return self.state.gain[: self.state.num_players].tolist()

    @property
    def choices(self):
        """All questions, in words."""
        letters = {genus: letter for letter, genus in LETTERS.items()}
        return {
            f"{(self.asks + 1 + a // N_GENERA) % self.state.num_players} {letters[a % N_GENERA]}"
            for a in RULES.legal_actions(self.state).tolist()
        }


def outcome_of(points):
    """Return the kernel's result for a finished game with these points."""
    state = RULES.new(num_players=len(points))
    state.score[: len(points)] = points
    state.phase, state.done = 1, 1
    out = np.zeros(len(points), np.float32)
    RULES.outcome(state, out)
    return out.tolist()


# ---------------------------------------------------------------------- 1 and 2


def test_the_deck_is_58_cards_of_13_genera():
    """1.1 and 1.2: Tyrannosaurus 4 x 1, then 3 x 1, 3 x 1, 3 x 2 ...; 301 points in all."""
    assert sum(naive.Game(2, Chance(0), dealt=False).pile.count(c) for c in {(0, 3), (0, 0)}) == 2
    state = RULES.new(0, num_players=4)
    types = state.pile.astype(int) + state.hand.sum(0)
    for genus, museum in enumerate(state.skeletons.sum(0).tolist()):
        info = naive.read_sheet()["genus"][genus]
        first = sum(g["fossils"] for g in naive.read_sheet()["genus"][:genus])
        here = types[first : first + info["fossils"]]
        assert (here + museum == info["skeletons"]).all()
    info = naive.read_sheet()["genus"]
    assert sum(genus["fossils"] * genus["skeletons"] for genus in info) == 58
    assert sum(genus["value"] * genus["skeletons"] for genus in info) == 301


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_gets_seven_cards(players):
    """2.1: what is not dealt is the pile; laid cards are counted back."""
    for seed in range(50):
        state = RULES.new(seed, num_players=players)
        sizes = [genus["fossils"] for genus in naive.read_sheet()["genus"]]
        if state.ply == 0 and state.turns == 0 and state.draws[1] == 0:
            for seat in range(players):
                assert state.cards[seat] + state.skeletons[seat] @ sizes == 7
            assert state.buried == 58 - 7 * players


def test_skeletons_that_are_dealt_are_laid_for_the_score_alone():
    """2.2: some of 100 deals of four hands hold one; no gain, and no hand holds a whole one."""
    laid = 0
    for seed in range(100):
        state = RULES.new(seed, num_players=4)
        laid += int(state.skeletons.sum())
        assert not state.gain.any()
        naive.check_conservation(state, {})
    assert laid > 0


def test_a_hand_emptied_by_the_deal_is_filled_and_the_first_with_cards_begins(monkeypatch):
    """2.3 and 2.4: hands of two cards; who got a whole skeleton takes one card, not shown."""
    sheet = naive.read_sheet()
    small = {**sheet, "go_dig": {**sheet["go_dig"], "hand": 2}}
    monkeypatch.setattr(naive, "read_sheet", lambda: small)
    found = 0
    for seed in range(400):
        game = naive.Game(2, Chance(seed))
        found += game.events["emptied by the deal"]
        assert all(hand.cards for hand in game.hands)
    assert found > 0
    assert all(RULES.new(seed, num_players=3).to_play == 0 for seed in range(50))


# ---------------------------------------------------------------------- 3


def test_any_player_can_be_asked_for_any_genus_of_the_own_hand():
    """3.1: also one without cards; not for a genus that is not held."""
    position = Position(["B0 M0", "M1 B1", "", "B2"], "")
    assert position.choices == {"1 B", "2 B", "3 B", "1 M", "2 M", "3 M"}
    position.ask("2 B")
    assert position.asks == 1


def test_all_cards_of_the_genus_are_handed_over_and_the_turn_goes_on():
    """3.2 and 3.3: seat 1 gives both Mosasaurus cards, seat 0 asks again; stopping is no choice."""
    position = Position(["M0 B0 S0", "M0 M0 D0 B1", "S1 B2 M1 M1 M1 D1"], "").ask("1 M")
    assert position.hand(0) == "B0 S0 M0* M0* M0"
    assert position.hand(1) == "B1 D0"
    assert position.asks == 0
    assert position.choices == {f"{seat} {name}" for seat in (1, 2) for name in "BSM"}
    assert {block.name for block in RULES.actions.blocks} == {"ask"}


def test_a_question_in_vain_digs_and_ends_the_turn():
    """3.4 and 3.6: the card is not shown."""
    position = Position(["B0 S0", "M0 D0"], "B1 B2 S1 M1 D1 P0 P1", "P0").ask("1 B")
    assert position.hand(0) == "B0 S0 P0"
    assert (position.asks, position.state.turns, position.state.buried) == (1, 1, 6)


def test_a_card_of_the_genus_asked_for_is_shown_and_the_turn_goes_on():
    """3.5: Brachiosaurus was asked for and is dug."""
    position = Position(["B0 S0", "M0 D0"], "B1 B2 S1 M1 D1", "B2").ask("1 B")
    assert position.hand(0) == "B0 B2* S0"
    assert (position.asks, position.state.turns) == (0, 0)


def test_an_empty_pile_ends_the_turn():
    """3.7: nothing is dug."""
    position = Position(["B0 S0", "B1 S1 D0", "B2 D1"], "").ask("2 S")
    assert position.hand(0) == "B0 S0"
    assert position.asks == 1


def test_players_without_cards_are_passed_over():
    """3.8: seat 1 has none, so seat 2 is next."""
    assert Position(["B0 S0", "", "B1 B2 S1 D0", "D1"], "").ask("1 S").asks == 2


# ---------------------------------------------------------------------- 4


def test_a_complete_skeleton_is_laid_at_once():
    """4.1: Brachiosaurus for 20; two Pachycephalosaurus at once for 2 x 10."""
    position = Position(["B0 B1 S0", "B2 S1 D0", "D1"], "").ask("1 B")
    assert (position.gains, position.hand(0)) == ([20, 0, 0], "S0")
    position = Position(["P0 P0 S0", "P1 P1 S1 D0", "D1"], "").ask("1 P")
    assert (position.gains, position.hand(0)) == ([20, 0, 0], "S0")
    assert position.asks == 0


def test_who_hands_over_the_last_card_takes_one():
    """4.2: seat 1 takes D0 from the pile; seat 0 goes on."""
    position = Position(["B0 S0", "B1", "B2 M0"], "D0 D1 S1 M1", "D0").ask("1 B")
    assert position.hand(1) == "D0"
    assert position.asks == 0


def test_the_asked_player_is_first_where_both_hands_are_emptied():
    """4.2 and 4.3: seat 1 gets D0, the last but one, then seat 0 gets D1, and the turn ends."""
    position = Position(["S0", "S1", "M0 B0"], "D0 D1 M1 B1 B2", "D0 D1").ask("1 S")
    assert position.gains == [11, 0, 0]
    assert (position.hand(0), position.hand(1)) == ("D1", "D0")
    assert position.asks == 1


def test_an_own_hand_emptied_by_laying_takes_a_card_and_ends_the_turn():
    """4.3: after the skeleton of the only cards; with an empty pile the hand stays empty."""
    position = Position(["S0", "S1 M0", "B0 B1"], "D0 D1 M1 B2", "D1").ask("1 S")
    assert (position.hand(0), position.asks, position.state.turns) == ("D1", 1, 1)
    position = Position(["S0", "S1 M0 B0", "M1 B1 B2"], "").ask("1 S")
    assert (position.hand(0), position.asks) == ("", 1)


def test_a_skeleton_completed_in_vain_is_laid_and_the_turn_ends():
    """4.4: asked for Brachiosaurus, dug the second Stegosaurus: 11 points."""
    position = Position(["B0 S0", "M0 D0"], "B1 B2 S1 M1 D1", "S1").ask("1 B")
    assert (position.gains, position.hand(0), position.asks) == ([11, 0], "B0", 1)


# ---------------------------------------------------------------------- 5


def test_all_seats_see_the_same_of_the_third():
    """5.1 and 5.2: sizes, museums and facts of seat 2 are the same for seats 0 and 1."""
    position = Position(["B0 S0 M0", "M1 D0", "B1 S1 D1 M0"], "B2 M1 P0 P1", "P0")
    position.ask("2 B", "1 S")
    views = []
    for player in (0, 1):
        obs = np.zeros(1, RULES.OBS)
        RULES.observe(position.state, player, obs[0])
        row = 2 - player
        views.append(
            [obs[0][f][row].tolist() for f in ("known", "asked", "room", "cards", "museum")]
        )
    assert views[0] == views[1]


def test_cards_are_known_until_they_leave():
    """5.3: B1 is handed over, then handed on; laying spends the known card of a type first."""
    position = Position(["B0 S0", "B1 D0", "B2 D1"], "S1 M0 M1", "M0").ask("1 B")
    assert position.hand(0) == "B0 B1* S0"
    position.ask("2 S")
    assert position.hand(0) == "B0 B1* S0 M0"
    position = Position(["P0* P0 S0", "P1 S1", "D0 D1 P1"], "").ask("1 P")
    assert position.hand(0) == "S0 P0"


def test_a_question_shows_a_hidden_card_of_the_genus():
    """5.4: unless one is known; kept while others come; gone when it may have been laid."""
    position = Position(["B0 S0", "B1 D0", "B2 D1"], "S1 M0 M1", "M1").ask("1 B")
    assert position.fact("asked", 0) == {"B": 1}
    position = Position(["B0* S0", "B1 D0", "B2 D1"], "S1 M0 M1").ask("1 B")
    assert position.fact("asked", 0) == {}
    position = Position(["B0 S0 D0", "B1 M0", "B2 D1 S1"], "M1").ask("1 B", "2 B")
    assert position.fact("asked", 0) == {}
    position = Position(["P0 S0 D0", "P0 M0 D1", "P1 P1 S1"], "M1").ask("1 P", "2 P")
    assert position.fact("asked", 0) == {}  # one of P0 P0* and one of P1* P1*, twice


def test_handing_over_ends_what_a_question_showed():
    """5.4: seat 0 asked for Brachiosaurus in vain and hands it over in the next turn."""
    position = Position(["B0 S0", "D0 M0", "B2 D1"], "S1 M1 B1", "M1").ask("1 B")
    assert position.fact("asked", 0) == {"B": 1}
    position = Position(["B0 S0 M0", "B1 D0", "B2 D1"], "S1 M1", "M1").ask("1 S", "0 B")
    assert position.fact("asked", 0) == {"S": 1}
    assert position.fact("room", 0).get("B", 0) == 0


def test_room_follows_the_cards_that_came_since():
    """5.5: "Go dig!" sets 0; a card in vain adds 1 but for the genus asked; never above hidden."""
    position = Position(["B0 S0", "M0 D0"], "B1 B2 S1 M1 D1 P0 P1", "P0").ask("1 B")
    assert position.fact("room", 1) == {"D": 2, "S": 2, "P": 2, "M": 2}  # B is 0
    assert position.fact("room", 0) == {"B": 2, "D": 3, "S": 3, "P": 3, "M": 3}


def test_room_after_a_skeleton_in_vain():
    """5.5: the dug S1 is of that genus only; 2 hidden S leave, and 1 hidden card stays."""
    position = Position(["B0 S0", "M0 D0"], "B1 B2 S1 M1 D1", "S1").ask("1 B")
    assert position.state.hidden[0] == 1
    assert position.fact("room", 0) == {"B": 1, "D": 1, "S": 1, "P": 1, "M": 1}


def test_room_of_who_hands_over_and_of_a_hand_filled_again():
    """5.5: no hidden card of the genus is left; a single new card may be of any."""
    position = Position(["B0 S0", "B1 D0 M0", "B2 M1 D1"], "S1").ask("1 B")
    assert position.fact("room", 1) == {"D": 2, "S": 2, "P": 2, "M": 2}
    position = Position(["B0 S0", "B1", "B2 M0"], "D0 D1 S1 M1", "D0").ask("1 B")
    assert position.fact("room", 1) == {"B": 1, "D": 1, "S": 1, "P": 1, "M": 1}


def test_no_hand_holds_a_complete_skeleton_and_who_decides_holds_two_genera():
    """5.6: in every position of 40 games."""
    for seed in range(40):
        state = RULES.new(seed, num_players=2)
        while not state.done:
            naive.check_conservation(state, {})
            assert len(RULES.legal_actions(state)) > 1
            RULES.step(state, int(RULES.legal_actions(state)[seed % 2]))


def test_what_a_seat_cannot_know_is_dealt_by_the_facts():
    """5.7: S1 must be in hand 1 or the pile, B in hand 1 since it was asked for, M nowhere."""
    position = Position(["S0 D0", "B0 S1 P0", "D1 P1"], "B1 B2 M0 M1")
    state = position.state
    state.asked[1, LETTERS["B"]] = 1
    state.room[1, LETTERS["M"]] = 0
    for seed in range(300):
        world = state.copy()
        RULES.resample(world, 0, np.uint64(seed))
        naive.check_conservation(world, {})
        assert world.hand[0].tolist() == state.hand[0].tolist()


# ---------------------------------------------------------------------- 6


def test_with_two_players_a_single_genus_is_asked_for_by_the_rules():
    """6.1: seat 0 digs in vain, seat 1 with Deinonychus only asks at once, in vain; 1 decision."""
    position = Position(["B0 S0", "D0"], "B1 B2 S1 D1 M0 M1", "M0 M1").ask("1 B")
    assert (position.asks, position.state.ply, position.state.turns) == (0, 1, 2)
    assert position.hand(1) == "D0 M1"


def test_the_game_ends_when_all_skeletons_are_laid():
    """6.2 and 6.7: the last turn is not counted, and the seat stays."""
    position = Position(["S0 D0", "S1 D1"], "").ask("1 S")
    assert (position.state.done, position.gains) == (1, [11 + 12, 0])
    assert (position.asks, position.state.turns) == (0, 0)


def test_the_game_ends_with_the_500th_turn():
    """6.3 and 6.7: points stand, cards count for nobody, and the seat stays."""
    position = Position(["B0 S0", "B1 S1 D0", "B2 D1"], "", turns=499)
    before = position.state.score.tolist()
    position.ask("2 S")
    assert (position.state.done, position.state.turns) == (1, 500)
    assert (position.asks, position.state.score.tolist()) == (0, before)


@pytest.mark.parametrize(
    ("points", "results"),
    [([20, 11], [1, -1]), ([5, 9, 5], [-0.5, 1, -0.5]), ([9, 8, 7, 8], [1, 0, -1, 0])],
)
def test_most_points_win_and_equal_points_share_the_place(points, results):
    """6.4 and 6.5: of 4 players two second ones share places 2 and 3."""
    assert outcome_of(points) == pytest.approx(results, abs=1e-6)


def test_a_game_asks_no_more_decisions_than_the_page_proves():
    """6.6: 500 turns of at most 58 questions."""
    assert RULES.max_decisions == 29_000


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
