"""20 Questions, paragraph by paragraph: each numbered rule of docs/games/twenty_questions.md.

A position is a stack named from the top down, and what was done before. Kernel and reference play
side by side, and every expected number is taken from the rulebook or the sheet, or worked out by
hand from the page. The first words of each docstring cite the paragraphs.
"""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bonebed.kernels import rules as contract
from bonebed.kernels import twenty_questions as kernel
from chance import chi_square, unlikely
from lockstep import compare, encode
from naive import twenty_questions as naive

pytestmark = pytest.mark.rules

RULES = contract.load("twenty_questions")
PAGE = Path(__file__).parents[1] / "docs" / "games" / "twenty_questions.md"
GENERA = [
    "Tyrannosaurus",
    "Brachiosaurus",
    "Triceratops",
    "Allosaurus",
    "Ankylosaurus",
    "Quetzalcoatlus",
    "Parasaurolophus",
    "Deinonychus",
    "Stegosaurus",
    "Pachycephalosaurus",
    "Coelophysis",
    "Dilophosaurus",
    "Mosasaurus",
    "Camptosaurus",
    "Utahraptor",
    "Alamosaurus",
    "Edmontosaurus",
    "Ornitholestes",
    "Acrocanthosaurus",
]
COPIES = [4, 3, 3, 6, 6, 6, 6, 2, 2, 4, 4, 4, 8, 1, 1, 1, 1, 1, 1]  # by hand from 1.1
PASS = ("pass_card",)
TRACE = ("is_trace",)


def guess(genus):
    """The guess of a genus."""
    return ("genus_is", GENERA.index(genus))


class Position:
    """A game of kernel and reference together, with the first cards of the stack given by name."""

    def __init__(self, *top, players=2, free_pass=True):
        left = Counter(dict(enumerate(COPIES)))
        first = [GENERA.index(genus) for genus in top]
        left.subtract(first)
        stack = first + list(left.elements())
        self.state = RULES.new(num_players=players, free_pass=free_pass)
        self.state.stack[:] = stack
        kernel.derive(self.state)
        self.game = naive.Game(stack, players, free_pass)
        self.fixed = {field: self.state[field].tolist() for field in naive.FIXED_FIELDS}
        self.check()

    def check(self):
        """Compare the two."""
        compare(RULES, naive, self.state, self.game, self.fixed)

    def do(self, *choices):
        """Play choices, by whoever is to move."""
        for choice in choices:
            assert choice in self.game.choices
            self.game.choose(choice)
            RULES.step(self.state, encode(RULES, naive, choice))
            self.check()
        return self

    def waste(self, questions=20):
        """Let the questioner ask the same question again and again."""
        return self.do(*[TRACE] * questions)

    @property
    def asked(self):
        """Who asks whom."""
        return int(self.state.to_play), int(self.state.answerer)

    @property
    def candidates(self):
        """The genera that the card in question can be."""
        return [g for k, g in enumerate(GENERA) if int(self.state.candidates) >> k & 1]

    def seen(self, player):
        """What a seat sees."""
        obs = np.zeros(1, RULES.OBS)
        RULES.observe(self.state, player, obs[0])
        return obs[0]

    def won(self, player):
        """The cards that a seat won."""
        return [g for g, n in zip(GENERA, self.state.held[player].tolist(), strict=True) if n]

    @property
    def results(self):
        """The result of every seat."""
        out = np.zeros(int(self.state.num_players), np.float32)
        RULES.outcome(self.state, out)
        return out.tolist()


# ---------------------------------------------------------------------- 1. the cards


def test_there_are_64_cards_of_19_genera():
    """1.1: 58 of 13 genera with skeletons, and one of each of 6 trace fossils."""
    assert sum(COPIES[:13]) == 58
    assert len(COPIES[13:]) == 6
    for seed in range(5):
        assert sorted(RULES.new(seed).stack.tolist()) == [
            g for g in range(19) for _ in range(COPIES[g])
        ]


# Rows of the rulebook, and lengths and masses of the sheet: what is true of each card.
ANSWERS = {
    "Tyrannosaurus": "Cretaceous carnivore 4 1 >=25 12 8000",
    "Brachiosaurus": "Jurassic herbivore 3 1 >=20 22 40000",
    "Triceratops": "Cretaceous herbivore 3 1 >=19 8.5 7000",
    "Allosaurus": "Jurassic carnivore 3 2 >=18 9 2000",
}


@pytest.mark.parametrize("genus", ANSWERS)
def test_a_skeletal_card_answers_about_all_that_it_shows(genus):
    """1.2: period, diet, fossils, skeletons, value, length and mass."""
    period, diet, fossils, skeletons, value, length, mass = ANSWERS[genus].split()
    row, number = kernel.IS_YES[GENERA.index(genus)], float

    def said(block, names):
        start = RULES.actions.offset(block)
        return [
            name for name, yes in zip(names, row[start : start + len(names)], strict=True) if yes
        ]

    assert said("genus_is", GENERA) == [genus]
    assert said("period_is", ["Triassic", "Jurassic", "Cretaceous"]) == [period]
    assert said("diet_is", ["herbivore", "carnivore"]) == [diet]
    assert said("is_trace", ["trace"]) == []
    assert said("fossils_is", "234") == [fossils]
    assert said("skeletons_is", "124") == [skeletons]
    values = [8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 25]
    assert said("value_at_least", values) == [v for v in values if v <= int(value[2:])]
    assert said("research_at_least", [2, 3]) == []
    assert said("length_below_m", [3, 5, 8, 10, 15]) == [
        limit for limit in (3, 5, 8, 10, 15) if number(length) < limit
    ]
    assert said("mass_below_kg", [100, 1000, 5000, 10000]) == [
        limit for limit in (100, 1000, 5000, 10000) if number(mass) < limit
    ]


# ---------------------------------------------------------------------- 2. set-up


def test_the_stack_is_shuffled_evenly(n_games):
    """2.1: each card is as likely in each place (chi-square for Mosasaurus over 64 places)."""
    games = n_games(4000)
    places = np.zeros(64)
    for seed in range(games):
        places += RULES.new(seed).stack == GENERA.index("Mosasaurus")
    assert places.sum() == 8 * games
    assert chi_square(places) < unlikely(63)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_last_seat_answers_first_and_seat_0_asks(players):
    """2.2."""
    assert Position(players=players).asked == (0, players - 1)


# ---------------------------------------------------------------------- 3. asking


def test_the_card_in_question_is_the_top_one_and_the_answerers_secret():
    """3.1: after a pass the next one of the stack."""
    position = Position("Triceratops", "Allosaurus", players=3)
    for genus in ("Triceratops", "Allosaurus"):
        assert [GENERA[k] for k in np.flatnonzero(position.seen(2).card)] == [genus]
        assert not position.seen(0).card.any()
        assert not position.seen(1).card.any()
        position.do(PASS)


def test_the_questioner_may_ask_or_pass():
    """3.2: the same seat goes on asking after a wrong guess."""
    position = Position("Triceratops")
    assert position.game.choices[0] == guess("Tyrannosaurus")
    assert position.game.choices[-1] == PASS
    position.do(TRACE, guess("Allosaurus"))
    assert position.asked == (0, 1)


def test_there_are_54_questions():
    """3.3: 19 genera, 3 periods, 2 diets, trace, 3 + 3 numbers, 12 values, 2 research, 5, 4."""
    assert 19 + 3 + 2 + 1 + 3 + 3 + 12 + 2 + 5 + 4 == 54
    assert RULES.legal_actions(RULES.new()).tolist() == list(range(55))
    assert RULES.actions.decode(54) == ("pass_card", {})


def test_answers_are_true_and_heard_by_all():
    """3.4: Coelophysis is the only genus of the Triassic."""
    position = Position("Coelophysis", players=3)
    position.do(("period_is", 0), TRACE)
    for seat in range(3):
        assert position.seen(seat).answer[19] == 1
        assert position.seen(seat).answer[24] == -1
    assert position.candidates == ["Coelophysis"]


def test_what_a_card_does_not_show_is_answered_no():
    """3.4: a trace fossil has no value and no fossils, a skeletal one no research value."""
    position = Position("Camptosaurus", "Tyrannosaurus")
    position.do(("value_at_least", 0), ("fossils_is", 0), ("skeletons_is", 0))
    assert position.state.answer[[31, 25, 28]].tolist() == [-1, -1, -1]
    position.do(("research_at_least", 1), PASS, ("research_at_least", 0))
    assert position.state.answer[43] == -1


def test_any_question_may_be_asked_again():
    """3.5: it counts, and changes nothing."""
    position = Position("Coelophysis").do(("period_is", 0))
    before = position.state.candidates
    assert len(position.game.choices) == 55
    position.do(("period_is", 0), guess("Mosasaurus"))
    assert position.state.candidates == before
    assert position.state.asked.tolist() == [3, 0, 0, 0]


def test_each_player_may_ask_20_questions_the_guesses_included():
    """3.6: over all cards."""
    position = Position("Coelophysis", "Stegosaurus")
    position.do(guess("Coelophysis")).waste(5)
    assert position.state.asked[:2].tolist() == [1, 5]
    assert position.seen(0).left.tolist() == pytest.approx([0.95, 0.75, 0, 0])
    position.waste(14)
    assert position.asked == (1, 0)
    position.waste(1)
    assert position.asked == (0, 1)


def test_a_right_guess_wins_the_card_and_makes_the_answerer():
    """3.7."""
    position = Position("Coelophysis", players=3).do(guess("Coelophysis"))
    assert position.won(0) == ["Coelophysis"]
    assert position.state.score.tolist() == position.state.gain.tolist() == [1, 0, 0, 0]
    assert position.asked == (1, 0)
    assert not position.state.answer.any()
    position.do(guess("Coelophysis"))
    assert position.state.gain.tolist() == [0, 0, 0, 0]


def test_a_pass_discards_the_card_and_costs_no_question():
    """3.8: all see it, and the same player is asked by the same one."""
    position = Position("Camptosaurus", "Stegosaurus", players=3).do(TRACE, PASS)
    assert position.state.asked.tolist() == [1, 0, 0, 0]
    assert position.asked == (0, 2)
    assert "Camptosaurus" not in position.candidates
    assert len(position.candidates) == 18
    for seat in range(3):
        assert np.flatnonzero(position.seen(seat).discarded).tolist() == [13]
    assert position.game.discarded == [13]


def test_an_unfinished_card_is_discarded():
    """3.9: the next player gets another one, not the answers."""
    position = Position("Camptosaurus", "Stegosaurus", players=3).waste(20)
    assert position.asked == (1, 2)
    assert position.state.score.tolist() == [0, 0, 0, 0]
    assert position.state.top == 1
    assert not position.state.answer.any()
    assert len(position.candidates) == 18


def test_a_card_may_be_passed_at_once_unless_the_option_forbids_it():
    """3.10: then a question about the same card comes first."""
    assert PASS in Position().game.choices
    position = Position(free_pass=False)
    for _ in range(2):
        assert PASS not in position.game.choices
        assert len(position.game.choices) == 54
        position.do(TRACE, PASS)


# ---------------------------------------------------------------------- 4. who asks next


def test_the_next_to_the_left_asks_who_has_questions_and_does_not_answer():
    """4.1: seats 0 and 1 are through; then seat 3 skips them and seat 2 is asked by it."""
    stack = ["Coelophysis"] * 4
    position = Position(*stack, players=4).waste(20)
    assert position.asked == (1, 3)
    position.waste(20)
    assert position.asked == (2, 3)
    position.do(guess("Coelophysis"))
    assert position.asked == (3, 2)
    position.do(guess("Coelophysis"))
    assert position.asked == (2, 3)  # 0 and 1 have no questions


def test_the_answerer_is_passed_over_after_an_unfinished_card():
    """4.1: seat 3 answers, so seat 0 is next to the left of seat 2."""
    position = Position(*["Stegosaurus"] * 2, "Coelophysis", "Coelophysis", players=4)
    position.do(PASS, PASS, guess("Coelophysis"))
    assert position.asked == (1, 0)
    position.waste(20)
    assert position.asked == (2, 0)
    position.waste(20)
    assert position.asked == (3, 0)


def test_the_last_with_questions_is_answered_from_the_right():
    """4.2: seat 2 answers all others until they are through; then seat 1 answers it."""
    position = Position(players=3).waste(20)
    assert position.asked == (1, 2)
    position.waste(20)
    assert position.asked == (2, 1)


def test_after_the_own_right_guess_the_last_with_questions_asks_on():
    """4.2: seat 0 wins, seat 1 wastes all; seat 0 asks seat 1 from then on."""
    position = Position("Coelophysis", "Mosasaurus", "Coelophysis", "Stegosaurus")
    position.do(guess("Coelophysis")).waste(20)
    assert position.asked == (0, 1)
    position.do(guess("Coelophysis"))
    assert position.asked == (0, 1)
    assert position.state.score[0] == 2


def test_the_answerer_draws_the_next_card():
    """4.3: seat 1, the left neighbour of seat 0, asks about the second card."""
    position = Position("Coelophysis", "Deinonychus", players=4).do(guess("Coelophysis"))
    assert position.asked == (1, 0)
    assert GENERA[int(position.seen(0).card.argmax())] == "Deinonychus"


# ---------------------------------------------------------------------- 5. who knows what


def test_only_the_answerer_sees_the_card():
    """5.1: with another card in its place the others see the same."""
    one = Position("Coelophysis", "Mosasaurus", players=3)
    two = Position("Mosasaurus", "Coelophysis", players=3)
    for seat in (0, 1):
        assert one.seen(seat).tobytes() == two.seen(seat).tobytes()
    assert one.seen(2).tobytes() != two.seen(2).tobytes()


def test_all_know_which_genera_fit_the_answers():
    """5.2: of the Jurassic carnivores 6 Allosaurus, 4 Dilophosaurus and a trace fossil are left."""
    position = Position("Dilophosaurus").do(("period_is", 1), ("diet_is", 1))
    assert position.candidates == ["Allosaurus", "Dilophosaurus", "Ornitholestes"]
    for seat in (0, 1):
        seen = position.seen(seat)
        chances = dict(zip(GENERA, seen.candidate.tolist(), strict=True))
        assert chances["Allosaurus"] == pytest.approx(6 / 11)
        assert chances["Dilophosaurus"] == pytest.approx(4 / 11)
        assert chances["Ornitholestes"] == pytest.approx(1 / 11)
        assert seen.candidate.sum() == pytest.approx(1)


def test_a_genus_of_which_all_cards_are_gone_is_no_candidate():
    """5.2: after both Deinonychus."""
    position = Position("Deinonychus", "Deinonychus", "Coelophysis").do(PASS)
    assert "Deinonychus" in position.candidates
    position.do(PASS)
    assert "Deinonychus" not in position.candidates


def test_all_know_which_cards_are_left_but_not_their_order():
    """5.3: the rest of the stack in another order looks the same to all."""
    position = Position("Coelophysis", players=3).do(guess("Coelophysis"), PASS)
    before = [position.seen(seat).tobytes() for seat in range(3)]
    first = position.state.top + 1
    position.state.stack[first:] = position.state.stack[first:][::-1]
    assert [position.seen(seat).tobytes() for seat in range(3)] == before
    assert position.seen(1).unseen[10] == 3 / 4
    assert position.seen(1).held[2, 10] == 1 / 4


# ---------------------------------------------------------------------- 6. the end


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_game_ends_when_all_questions_are_used(players):
    """6.1."""
    position = Position(players=players)
    for _ in range(players):
        assert not position.state.done
        position.waste(20)
    assert position.state.done
    assert position.state.top == players
    assert len(RULES.legal_actions(position.state)) == 0


def test_the_game_ends_when_a_card_is_needed_and_none_is_left():
    """6.2: after 64 passes."""
    position = Position().do(*[PASS] * 63)
    assert not position.state.done
    position.do(PASS)
    assert position.state.done
    assert position.state.asked.tolist() == [0, 0, 0, 0]


def test_a_right_guess_of_the_last_card_ends_the_game():
    """6.2: the sheet's last card is the trackway of Acrocanthosaurus."""
    position = Position().do(*[PASS] * 63).do(guess("Acrocanthosaurus"))
    assert position.state.done
    assert position.state.score[0] == 1


def ended(*hands):
    """Return the results of a finished game in which the seats won these cards."""
    position = Position(players=len(hands))
    position.state.done, position.state.phase = 1, 1
    for seat, cards in enumerate(hands):
        for genus in cards.split():
            position.state.held[seat, GENERA.index(genus)] += 1
        position.state.score[seat] = len(cards.split())
    return position.results


def test_most_cards_win():
    """6.3: two of the least against the most valuable one."""
    assert ended("Mosasaurus Mosasaurus", "Tyrannosaurus") == [1, -1]
    assert ended("", "Mosasaurus", "Mosasaurus Mosasaurus") == [-1, 0, 1]


@pytest.mark.parametrize(
    ("hands", "results"),
    [
        # The best research fossil comes before the best skeletal one.
        (["Tyrannosaurus Tyrannosaurus", "Ornitholestes Mosasaurus"], [-1, 1]),
        (["Camptosaurus Mosasaurus", "Alamosaurus Tyrannosaurus"], [1, -1]),
        # Only the best one counts: 3 beats 2 and 2.
        (["Alamosaurus Edmontosaurus", "Utahraptor Mosasaurus"], [-1, 1]),
        # 3 and 3: then 25 beats 20; a second trace fossil does not count.
        (["Camptosaurus Tyrannosaurus", "Utahraptor Brachiosaurus"], [1, -1]),
        (["Camptosaurus Alamosaurus", "Utahraptor Mosasaurus"], [-1, 1]),
        (["Triceratops Mosasaurus", "Triceratops Allosaurus"], [0, 0]),
        (["", ""], [0, 0]),
        (["Triceratops", "Allosaurus", "Triceratops"], [0.5, -1, 0.5]),
    ],
)
def test_equal_numbers_of_cards_go_by_the_best_research_then_the_best_skeletal_fossil(
    hands, results
):
    """6.4: 0 without such a card, and a shared place where all is equal."""
    assert ended(*hands) == pytest.approx(results)


def test_results_are_evenly_spaced():
    """6.5."""
    assert ended("", "Mosasaurus", "Mosasaurus Mosasaurus", "Allosaurus") == pytest.approx(
        [-1, -1 / 3, 1, 1 / 3]
    )


# ---------------------------------------------------------------------- 7. decisions


def test_every_decision_has_more_than_one_choice():
    """7.1: also about the last card, with the last question, and without a free pass."""
    position = Position(free_pass=False)
    assert len(position.waste(19).game.choices) == 55
    assert len(Position().do(*[PASS] * 63).game.choices) == 55


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_longest_game_has_as_many_decisions_as_the_page_proves(players):
    """7.2: all first 19 questions are useless, and all cards but one for each seat are passed."""
    assert RULES.max_decisions == 140
    position = Position(players=players).waste(19).do(*[PASS] * (64 - players)).waste(1)
    for _ in range(players - 1):
        position.waste(20)
    assert position.state.done
    assert position.state.ply == 64 + 19 * players


# ---------------------------------------------------------------------- the page itself


def test_every_paragraph_of_the_page_has_a_test():
    """The page's numbered paragraphs are those that the docstrings of this file begin with."""
    numbered = re.compile(r"\b([1-7]\.\d+)\b")
    page = re.findall(r"^(\d+\.\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cited = set()
    for name, test in globals().items():
        if name.startswith("test_"):
            cited |= set(numbered.findall((test.__doc__ or "").split(":")[0]))
    assert page == sorted(page, key=lambda number: tuple(map(int, number.split("."))))
    assert cited == set(page)
