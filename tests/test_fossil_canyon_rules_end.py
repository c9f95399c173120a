"""Fossil Canyon, paragraph by paragraph: the end phase, the bonuses and the result.

Section 10 of docs/games/fossil_canyon.md, from positions in words (canyon_position.py); every
expected number is worked out by hand from the page.
"""

import numpy as np
import pytest

from canyon_position import GENERA, RULES, SHEET, Position, final, with_sheet
from naive import fossil_canyon as naive

pytestmark = pytest.mark.rules


def test_when_the_site_is_empty_all_cards_are_laid_face_up():
    """10.1: the end phase begins with the player whose turn it would be."""
    hands = ["Mos1 | Bra1", "Tri1 Par1 | Mos2", "Que1 |"]
    p = Position(hands, "adjust", 1).do("hide Mos2", "done")
    assert p.state.active == 0  # seat 2 has one card and was skipped
    assert p.asked == (0, "exchange", "end")
    assert [p.up(seat) for seat in range(3)] == ["Bra1 Mos1", "Tri1 Par1 Mos2", "Que1"]
    assert p.state.event == naive.NONE
    p = Position(hands, "adjust", 1, exposed="Ste1 Ste2").do("hide Mos2", "done")
    assert p.asked[2] != "end"  # exposed cards are cards of the site


def test_a_turn_of_the_end_phase():
    """10.2: exchanges with two own cards at least; what is taken stays face up."""
    hands = ["Mos1 Bra1 |", "Tri1 Par1 Mos2 |", "Que1 |"]
    p = Position(hands, "end").do("exchange 1", "give Bra1", "take Par1")
    assert (p.up(0), p.hidden(0)) == ("Par1 Mos1", "")
    assert p.choices == {"stop", "exchange 1", "exchange 2"}  # the second costs two
    p.do("exchange 2", "give Par1")
    assert p.up(0) == "Que1"  # with the gift and the take that were forced
    assert p.asked[0] == 1  # one card is not enough for more
    p.do("stop")
    assert p.asked[0] == 2


def test_a_player_with_one_card_is_skipped_in_the_end_phase():
    """10.2: also when an award could be claimed or cards be taken."""
    hands = ["Mos1 Bra1 |", "Par1 |", "Que1 Mos2 |"]
    p = Position(hands, "end").do("stop")
    assert p.asked == (2, "exchange", "end")
    assert p.state.idle == 2


def test_a_last_claim_after_the_third_exchange():
    """10.2, 3.6: claim or stop."""
    hands = ["Cam Tri1 Par1 Par2 Que1 Que2 Bra1 Tyr1 |", "Uta Mos1 Dil1 |", "Ste1 Mos2 |"]
    p = Position(hands, "end")
    p.do("exchange 1", "give Tri1", "take Mos1")
    p.do("exchange 1", "give Par1", "give Par2", "take Dil1")
    p.do("exchange 1", "give Que1", "give Que2", "give Bra1", "take Uta")
    assert p.asked == (0, "exchange", "end")
    assert p.choices == {"stop", "claim_major Cam Uta", "claim_minor Cam Uta"}
    p.do("claim_major Cam Uta")
    assert p.gains == [20, 0, 0]
    assert p.asked[0] == 1


def test_the_game_ends_when_nothing_can_be_completed_or_claimed():
    """10.3: at the start of the end phase, or after a skeleton or an award; all hands count."""
    p = Position(["Mos1 Bra1 |", "Tri1 Mos1 |"], "adjust", 1).do("done")
    assert p.over
    assert (p.state.to_play, p.state.active) == (0, 0)
    p = Position(["Mos1 Bra1 |", "Tri1 Mos2 |"], "adjust", 1).do("done")
    assert not p.over
    p.do("exchange 1", "give Mos1")
    assert p.over  # in the middle of the exchange
    assert p.points == [0, 7 + 8]
    p = Position(["Cam Bra1 |", "Tri1 Orn |"], "adjust", 1).do("done")
    assert not p.over  # 3 + 1 for a minor award
    p = Position(["Cam Bra1 |", "Tri1 Orn |"], "adjust", 1, awards=[[0, 3], [0, 0]]).do("done")
    assert p.over  # no minor award is left, and 4 is not enough for the major one
    p = Position(["Cam Orn Bra1 |", "Tri1 Tri2 |"], "end").do("claim_minor Cam Orn")
    assert p.over
    assert p.points == [10, 0]


def test_the_end_phase_ends_when_nobody_does_anything():
    """10.4: one round without an exchange or a claim, skipped turns included."""
    hands = ["Mos1 Bra1 |", "Par1 |", "Que1 Mos2 |"]
    p = Position(hands, "end").do("stop")
    assert not p.over
    p.do("stop")
    assert p.over
    assert p.state.idle == 3
    assert p.state.to_play == 2
    p = Position(hands, "end").do("exchange 2", "give Bra1", "take Que1", "stop", "stop")
    assert not p.over  # the window began after the exchange
    p.do("stop")
    assert p.over


def test_the_end_phase_ends_after_two_rounds_without_a_skeleton_or_an_award():
    """10.4: however much is exchanged."""
    p = Position(["Mos1 Ste1 |", "Mos2 Pac1 |"], "end")
    mine, theirs = "Ste1", "Pac1"
    for turn in range(4):
        assert not p.over
        assert p.asked[0] == turn % 2
        p.do(f"exchange {1 - turn % 2}", f"give {mine}", f"take {theirs}")
        p.do(*["stop"] * (not p.over))
        # the other player now has the card that was given
    assert p.over
    assert p.state.barren == 4
    assert p.points == [0, 0]


def test_a_skeleton_begins_the_two_rounds_anew():
    """10.4: so does an award; both count for the shorter clock too."""
    hands = ["Mos1 Ste1 Dei1 Bra1 Bra2 |", "Mos2 Pac1 Dei2 |"]
    p = Position(hands, "end", barren=3, idle=0)
    p.do("exchange 1", "give Ste1", "take Dei2", "stop")
    assert not p.over
    assert p.state.barren == p.state.idle == 0
    p = Position(["Mos1 Cam Uta |", "Mos2 Pac1 Dei2 |"], "end", barren=3, idle=1)
    p.do("claim_minor Cam Uta")
    assert not p.over
    assert p.state.barren == p.state.idle == 0
    p = Position(hands, "end", barren=3, idle=0).do("stop")
    assert p.over


def test_the_bonuses():
    """10.5: 8 for carnivores, 11 for the Jurassic, 14 for four Cretaceous herbivores."""
    assert final(["Mos Coe", "Ste"]) == [7 + 9 + 8, 11 + 11]
    assert final(["Ank Pac Par Tri", "Mos"]) == [17 + 10 + 15 + 19 + 14, 7 + 8]
    assert final(["Ank Pac Par", "Tri"]) == [42, 19]
    assert final(["All", "Par"]) == [18 + 8 + 11, 15]
    assert final(["Mos Coe", "Ste"], bonuses=False) == [16, 11]
    assert final(["", "Par"]) == [0, 15]


def test_ties_of_the_bonuses():
    """10.6: at least one skeleton; the sum of values decides, then nobody gets it."""
    assert final(["Mos Tyr", "Coe Que"]) == [32 + 8, 25]  # two each, 32 against 25
    assert final(["Dil", "Dil"]) == [8, 8]
    assert final(["Ste", "Dil Mos"]) == [11 + 11, 15 + 8]  # Jurassic: 11 against 8
    assert final(["Que Mos", "Que Mos", "Coe"]) == [23, 23, 9]
    assert final(["", ""]) == [0, 0]


CRITERIA = """
[[bonus]]
name = "herbivores"
points = 5
rule = "most_skeletons"
diet = "herbivore"
period = "Cretaceous"
genera = ["Ankylosaurus", "Pachycephalosaurus", "Stegosaurus"]
tie = "sum_of_values_in_category"
[[bonus]]
name = "two of the small ones"
points = 3
rule = "all_genera"
genera = ["Mosasaurus", "Coelophysis"]

# all event effects"""


def test_other_criteria_for_the_bonuses(tmp_path):
    """10.6, 10.7: filters that all have to fit, lists of genera, and nothing for a tie."""
    text = SHEET.read_text(encoding="utf-8").replace("\n# all event effects", CRITERIA, 1)
    told = with_sheet(
        tmp_path,
        text,
        "print(final(['Ank Par Par', 'Pac Pac Tri']))",  # 1 and 2 of the genera in the list
        "print(final(['Ank Pac', 'Pac Pac']))",  # 2 each, 27 against 20
        "print(final(['Ste', 'Tyr']))",  # Stegosaurus is in the list, but Jurassic
        "print(final(['Mos Coe', 'Tyr', 'Mos']))",
        "print(final(['Mos Coe', 'Mos Coe']))",
    )
    assert told == [
        "[47, 44]",
        "[32, 20]",
        "[22, 33]",
        "[27, 25, 7]",
        "[16, 16]",
    ]


def outcome_of(points, skeletons):
    """Return the kernel's result of a finished game."""
    state = RULES.new(num_players=len(points))
    state.score[: len(points)] = points
    state.skeletons[:] = 0
    for seat, names in enumerate(skeletons):
        for name in names.split():
            state.skeletons[seat, GENERA.index(name)] += 1
    state.phase, state.done = naive.PHASES.index("over"), 1
    out = np.zeros(len(points), np.float32)
    RULES.outcome(state, out)
    return out.tolist()


def test_the_most_valuable_skeleton_decides_among_equals():
    """10.8: then the next one and so on; who has fewer loses; then the place is shared."""
    assert outcome_of([30, 20], ["Mos", "Tyr"]) == [1, -1]
    assert outcome_of([30, 30], ["Mos Mos Coe Mos", "Tyr"]) == [-1, 1]
    assert outcome_of([30, 30], ["Que Mos Mos", "Que Coe"]) == [-1, 1]
    assert outcome_of([30, 30], ["Que Mos", "Que"]) == [1, -1]
    assert outcome_of([30, 30], ["Que Que Mos", "Que Que Mos"]) == [0, 0]
    assert outcome_of([0, 0, 0], ["", "", ""]) == [0, 0, 0]


def test_results_are_evenly_spaced_and_sum_to_zero():
    """10.9: places that are shared get their mean."""
    assert outcome_of([5, 9, 1], [""] * 3) == [0, 1, -1]
    assert outcome_of([9, 9, 1, 1], [""] * 4) == pytest.approx([2 / 3, 2 / 3, -2 / 3, -2 / 3])
    assert outcome_of([1, 2, 3, 4, 5], [""] * 5) == [-1, -0.5, 0, 0.5, 1]
