"""Fossilium solo, paragraph by paragraph: set-up, rounds, the end, difficulties and chance.

Sections 1 to 3, 5 to 7, 9 and 11 of docs/games/fossilium_solo.md; Pal's turns are in
test_fossilium_solo_rules_pal.py, what is hidden in test_fossilium_hidden.py. Positions are set up
in words (fossilium_position.py), and every expected number comes from the page, from the sheet or
from a calculation by hand. The first words of each docstring cite the paragraphs.
"""

import ast
import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bonebed.kernels.fossilium.parts import BANDS
from chance import Chance, chi_square, unlikely
from fossilium_position import (
    ACT,
    BAGS,
    BOX,
    CARDS,
    FOSSIL_CARDS,
    IS_B,
    NONE,
    SOLO,
    TILES,
    TYPE,
    TYPES,
    SoloPosition,
    rows,
)

pytestmark = pytest.mark.rules

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "games" / "fossilium_solo.md"
AGENT = {"pal": "agent"}
fresh = SoloPosition.fresh


def deck_of(state):
    """Return the action cards of a game in their order."""
    return [CARDS[card] for card in state.deck.tolist() if card != NONE]


def open_cards(state):
    """Return the open fossil cards in the order opened."""
    return [FOSSIL_CARDS[card] for card in state.exhibit.tolist() if card != NONE]


# ---------------------------------------------------------------------- 1. what is the same


def test_one_player_plays_by_the_rules_of_fossilium():
    """1.1: one museum; Pal has neither museum nor storage, and pays nothing."""
    state = SOLO.new(1)
    assert state.tile.shape[0] == state.storage.shape[0] == 1
    assert state.num_players == 1
    p = SoloPosition(
        [rows("S S S . . .", "S s S . . .", S="stegosaurus")], workers=[1], turns=1, deck="T1",
        storage=["stegosaurus/56"],
    )  # fmt: skip
    p.do("field 1 display small", "tile stegosaurus/56", "cell 2,2")
    assert p.map()[1] == "4 5 6 . . ."
    assert (p.state.stands[0], p.state.dollars[0]) == (1, 1)


def test_pal_is_played_by_her_cards_or_is_a_player():
    """1.2: then there are two seats that are asked."""
    assert SOLO.new(1).num_players == SOLO.new(1, pal="cards").num_players == 1
    assert SOLO.new(1, pal="agent").num_players == SOLO.new(1, num_players=2).num_players == 2
    p = SoloPosition(workers=[2], turns=1, options=AGENT).manage()
    assert p.asked == (1, "CARD")


def test_numbers_of_the_solo_game():
    """1.3: 4 tiles from each site, 3 seeded and 3 when the market is filled, 3 dollars."""
    p = fresh().do("column 1")
    assert [sum(p.bag(site).values()) for site in (1, 2, 3)] == [0, 70, 70]
    assert sum(len(p.row(name).split()) for name in TYPES) == 6
    assert p.state.dollars[0] == 3
    assert p.state.end_goal == NONE
    while p.asked[1] != "KEEP":
        p.do(p.choices[0])
    assert len(p.drawn) == 8
    assert all(tile in BAGS[1] for tile in p.drawn[:4])
    assert all(tile in BAGS[2] for tile in p.drawn[4:])
    while p.state.round_number == 0:
        p.do(p.choices[0])
    assert len(p.stored().split()) == 5
    assert sum(len(p.row(name).split()) for name in TYPES) + len(p.archive.split()) == 6 + 3
    for round_number, filled in ((1, 0), (2, 6), (3, 0), (4, 6)):
        p = SoloPosition(workers=[1], round_number=round_number, storage=["7*eryma"])
        p.end_round()
        assert sum(len(p.row(name).split()) for name in TYPES) == filled


# ---------------------------------------------------------------------- 2. set-up


def test_the_player_chooses_the_column_that_is_not_used():
    """2.1: the first or the third, after the goals."""
    p = fresh()
    assert p.asked == (0, "UNUSED")
    assert p.choices == ["column 1", "column 3"]
    assert NONE not in p.state.round_goal.tolist()
    assert len(set(p.state.job_goal.tolist())) == 3


@pytest.mark.parametrize(("unused", "first", "second"), [(3, 1, 2), (1, 2, 3)])
def test_neutral_workers(unused, first, second):
    """2.2: four of them."""
    p = fresh().do(f"column {unused}")
    assert p.taken == {first: {"display small", "trade small"}, second: {"build large"}}
    assert [int(p.state.neutral[c - 1]) for c in (first, second)] == [2, 2]


SITE = {name: card["site"] for name, card in BOX["pal_fossil"].items()}


@pytest.mark.parametrize("unused", [1, 3])
def test_fossil_cards_of_the_unused_site_are_removed(unused, n_games):
    """2.3: of 17 cards 12 are left; three are open when set-up is done, all as likely."""
    left = [name for name in FOSSIL_CARDS if SITE[name] != unused]
    assert (len(FOSSIL_CARDS), len(left)) == (17, 12)
    counts = Counter()
    base = fresh(3).do(f"column {unused}")
    assert open_cards(base.state) == []
    base.do("side A", "goal 1", "face 0")
    while len(base.choices) > 1 and base.state.round_number == 0:
        last = base.copy()
        base.do(base.choices[0])
    assert last.asked[1] == "KEEP"
    for seed in range(n_games(1000)):
        state = last.state.copy()
        state.seed = np.uint64(seed)
        SOLO.step(state, SOLO.legal_actions(state)[0])
        cards = open_cards(state)
        assert len(set(cards)) == 3
        counts.update(cards)
    assert set(counts) <= set(left)
    assert chi_square([counts[name] for name in left]) < unlikely(11)


def test_a_card_depicts_some_pieces():
    """2.4: which count as displayed."""
    p = SoloPosition(exhibits="plesiosaur placodus mixosaurus", workers=[2])
    assert [p.exhibit(name)[0] for name in ("plesiosaur", "placodus", "mixosaurus")] == [
        [3, 4], [1, 2], [1],
    ]  # fmt: skip
    played = fresh(4).do("column 3").settle_in()
    for name in open_cards(played.state):
        assert played.exhibit(name) == (BOX["pal_fossil"][name]["depicted"], 0)


def test_action_cards_are_drawn_by_kind_and_a_lies_on_b(n_games):
    """2.5: 6, 3, 3 and 2; all of a kind as likely, and all orders."""
    counts, first = Counter(), Counter()
    for seed in range(n_games(1000)):
        deck = deck_of(SOLO.new(seed))
        assert len(set(deck)) == 14
        assert Counter(ACT[card] for card in deck) == {
            "display": 6, "give_tour": 3, "donate": 3, "buy_sell": 2,
        }  # fmt: skip
        assert deck == sorted(deck, key=IS_B.get)
        counts.update(deck)
        first[deck[0]] += 1
    for letter, n in (("D", 8), ("T", 4), ("N", 4), ("M", 3)):
        kind = [counts[card] for card in CARDS if card[0] == letter]
        assert len(kind) == n
        assert chi_square(kind) < unlikely(n - 1)
    assert set(first) <= {card for card in CARDS if not IS_B[card]}
    assert chi_square([first[card] for card in ("D1", "D2", "D3", "D4")]) < unlikely(3)


def test_what_pal_has():
    """2.6: 8 workers, 6 cubes, no guests and no dollars."""
    assert fresh(more_turns=True).do("column 3").settle_in().pal == (0, 0, 8, 6)


# ---------------------------------------------------------------------- 3. rounds


@pytest.mark.parametrize("unused", [3, 1])
def test_neutral_groups_step_to_the_right(unused):
    """3.1: one column in use, from the last one back to the first, on the same kind of field."""
    first, second = (1, 2) if unused == 3 else (2, 3)
    p = SoloPosition(workers=[1], unused=unused, bags={})
    here = {first: {"display small", "trade small"}, second: {"build large"}}
    there = {second: {"display small", "trade small"}, first: {"build large"}}
    for expected in (there, here, there, here):
        p.end_round(2)
        assert p.taken == expected
        assert p.state.neutral.tolist().count(2) == 2
    assert p.state.round_number == 5


def test_one_more_fossil_card_is_opened():
    """3.2: in rounds 2 to 5; 17.1 with the stream of the exhibits: among those that are left."""
    p = SoloPosition(workers=[1], bags={}, exhibits="plesiosaur placodus mixosaurus")
    p.state.seed, p.state.draws[:] = 5, 0
    chance = Chance(5)
    there = ["plesiosaur", "placodus", "mixosaurus"]
    for _ in range(4):
        left = [c for c in FOSSIL_CARDS if SITE[c] != 3 and c not in there]
        there.append(left[chance.draw(5, len(left))])
        p.end_round()
        assert open_cards(p.state) == there
    assert p.state.round_number == 5
    assert len(there) == 7


@pytest.mark.parametrize("round_number", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("more", [False, True])
def test_player_and_pal_alternate(round_number, more):
    """3.3, 7.5: the player first; 2, 2, 3, 3, 4 turns, or 2, 3, 3, 4, 4."""
    turns = ([2, 3, 3, 4, 4] if more else [2, 2, 3, 3, 4])[round_number - 1]
    p = SoloPosition(
        workers=[6], round_number=round_number, deck="T1", turns=turns,
        options={"pal": "agent", "more_turns": more},
    )  # fmt: skip
    seats = []
    while p.asked[1] in ("TURN", "CARD") and p.state.round_number == round_number and not p.over:
        seats.append(p.asked[0])
        if p.asked[0] == 1:
            pal_plays(p)
        else:
            p.manage(gain="guest")
    assert seats == [0, 1] * turns + [0] * (6 - turns)


def pal_plays(p):
    """Play Pal's first card with the first choices, up to the end of her turn."""
    p.do(p.choices[0])
    while p.asked[0] == 1 and p.asked[1] not in ("CARD",):
        p.do(p.choices[0])


def test_pal_takes_the_turns_that_are_left():
    """3.3: when the player can place no more workers."""
    p = SoloPosition(workers=[1], deck="T1 T2", turns=2, bags={})
    p.manage()
    assert p.state.round_number == 2
    assert p.state.played == 2
    assert p.pal[:2] == (5 + 4, 2 + 3)


def test_pal_counts_in_columns_and_goes_home():
    """3.4: for the joker and for drawing; she does not dig, and job goals pay her nothing."""
    p = SoloPosition(workers=[2], dollars=[9], placed=[[0], [3]])
    p.do("field 1 joker")
    assert p.state.dollars[0] == 9 - (10 - 4)
    p = SoloPosition(workers=[1], placed=[[0], [3]])
    p.state.workers[1] = 5
    p.end_round()
    assert (p.asked, len(p.drawn), int(p.state.keep)) == ((0, "KEEP"), 4, 1)
    before = sum(p.bag(1).values())
    p.do(p.choices[0])
    assert sum(p.bag(1).values()) == before + 3
    assert p.pal[2] == 8
    assert not p.state.placed.any()
    p = SoloPosition(
        workers=[2], turns=1, deck="T1", jobs="joker guests18 row", on_goal=[[2, 1, 1]],
        guests=[0, 17],
        taken=dict.fromkeys((1, 2), "tour small, tour large, tour bonus"),
    )  # fmt: skip
    p.manage()
    assert "joker" in p.taken[1]
    assert p.state.on_goal[0].tolist() == [2, 1, 1]


# ---------------------------------------------------------------------- 5. the player and Pal


def test_the_player_can_donate_to_pal():
    """5.1: prestige for all displayed pieces: depicted ones, cubes and tiles."""
    p = SoloPosition(
        exhibits="stegosaurus+1 mixosaurus placodus", workers=[2, 0],
        storage=["stegosaurus/12 stegosaurus/56 placodus/12 placodus/34 eryma"],
    )  # fmt: skip
    p.do("field 1 build large")
    # pieces 3 and 4 of stegosaurus and 1 and 2 of placodus are depicted
    assert p.offers("tile") == ["placodus/34", "stegosaurus/12", "stegosaurus/56"]
    q = p.copy().do("tile stegosaurus/12")  # only piece 2 is free
    assert q.exhibit("stegosaurus") == ([1, 2, 3, 4], 1)
    assert q.gains == [4]
    p.do("tile stegosaurus/56")
    assert p.asked == (0, "FACE")
    assert p.choices == ["face 0", "face 1"]
    p.do("face 1")
    assert p.exhibit("stegosaurus") == ([1, 3, 4, 6], 1)
    assert p.gains == [4]
    assert p.stored() == "placodus/12 placodus/34 stegosaurus/12 eryma"
    p.do("tile stegosaurus/12")
    assert p.gains == [5]
    assert p.points == [9]


@pytest.mark.parametrize(("card", "prestige"), [("velociraptor", 2), ("placodus", 3)])
def test_a_donation_to_pal_counts_for_the_job_goal(card, prestige):
    """5.1: three prestige are asked for."""
    tile = {"velociraptor": "velociraptor/12", "placodus": "placodus/34"}[card]
    p = SoloPosition(
        exhibits=card, workers=[2], storage=[tile], unused=1 if card == "velociraptor" else 3,
        jobs="donate3 row joker", on_goal=[[2, 1, 1]],
    )  # fmt: skip
    p.do("field 2 build small", f"tile {tile}")
    if p.asked[1] == "FACE":
        p.do("face 0")
    assert p.gains == [prestige]
    assert p.state.on_goal[0, 0] == (2 if prestige < 3 else 1)


def test_finished_cards_take_no_tiles():
    """5.1, 4.7: nor do pieces that are displayed."""
    p = SoloPosition(
        exhibits="mixosaurus placodus", workers=[2], storage=["2*mixosaurus/12 placodus/12"]
    )
    p.do("field 1 build large", "tile mixosaurus/12")
    assert p.gains == [2]
    assert p.choices == ["stop", "panel 5b"]  # neither of the tiles that are left
    assert p.stored() == "placodus/12 mixosaurus/12"


# ---------------------------------------------------------------------- 6. the end


def final(guests=(0, 0), dollars=(0, 0), here=None, **at):
    """Return a game after its last worker was placed; the last opening sets guests to `regular`."""
    at = {"workers": [1], "round_number": 5, "bags": {}, "storage": ["8*eryma"]} | at
    p = SoloPosition(
        [here or rows()], regular=[guests[0]], guests=[0, guests[1]], dollars=[*dollars], **at
    )
    p.manage(gain="student")
    assert p.over
    return p


def test_the_game_ends_with_an_opening_and_an_income():
    """6.1: as in F13 and F14: no excavation, the track reset, panels and fossils score."""
    here = rows(". . 2b 3b . .", "W W . . . .", W="wollemia")
    p = final(here=here, guests=(0, 9), dollars=(0, 9), round_goal="4 light")
    assert p.state.guests[0] == 2 + 2  # a medium tile for two panels, and the cloakroom
    assert p.points == [3 + 2]
    assert sum(p.bag(1).values()) == 0


@pytest.mark.parametrize(
    ("guests", "dollars", "prestige"),
    [
        ((5, 4), (3, 2), 14), ((5, 5), (3, 2), 7), ((5, 4), (2, 2), 7), ((0, 0), (0, 0), 0),
        ((4, 5), (2, 3), 0), ((1, 0), (0, 0), 7), ((0, 0), (1, 0), 7),
    ],
)  # fmt: skip
def test_majorities_against_pal(guests, dollars, prestige):
    """6.1: 7 for more than she has, nothing for a tie or for less."""
    assert final(guests, dollars).points == [prestige]


def test_ranks():
    """6.2: from 120, 100, 80 and 60 prestige on, else 1."""
    assert BANDS == [(120, 5), (100, 4), (80, 3), (60, 2), (0, 1)]


@pytest.mark.parametrize(
    ("points", "result"),
    [(0, -1), (100, 0), (150, 0.5), (200, 1), (250, 1), (-40, -1), (37, -0.63)],
)
def test_the_result_of_a_game(points, result):
    """6.3: prestige / 100 - 1 within -1 and 1; the opposite for Pal; -1 for a lost game."""
    for options, expected in (({}, [result]), (AGENT, [result, -result])):
        p = SoloPosition(workers=[1], options=options)
        p.state.score[0] = points
        p.state.done, p.state.phase, p.state.round_number, p.state.active = 1, 29, 5, NONE
        assert p.outcome() == pytest.approx(expected)
    p = final((9, 0), (9, 9), score=[150, 0], options={"must_win_majorities": True})
    assert p.outcome() == [-1]


# ---------------------------------------------------------------------- 7. difficulties


def test_high_goals():
    """7.1: the round goals are tiles 3 to 7, in any order."""
    orders = set()
    for seed in range(30):
        goals = [goal // 2 + 1 for goal in SOLO.new(seed, high_goals=True).round_goal.tolist()]
        assert sorted(goals) == [3, 4, 5, 6, 7]
        orders.add(tuple(goals))
    assert len(orders) > 20


@pytest.mark.parametrize(("more_turns", "least", "cards"), [(False, 8, 14), (True, 9, 16)])
def test_more_b_cards(more_turns, least, cards, n_games):
    """7.2, 7.5: 8 at least, or 9 of 16; without the option there can be fewer."""
    counts = {wish: Counter() for wish in (False, True)}
    for seed in range(n_games(500)):
        for wish in (False, True):
            deck = deck_of(SOLO.new(seed, more_b=wish, more_turns=more_turns))
            assert len(deck) == cards
            counts[wish][sum(IS_B[card] for card in deck)] += 1
    assert min(counts[True]) == least
    assert min(counts[False]) < least


def test_dark_goals():
    """7.3: all five with the dark side up; without the option the first two light."""
    for seed in range(10):
        goals = SOLO.new(seed).round_goal.tolist()
        dark = SOLO.new(seed, dark_goals=True).round_goal.tolist()
        assert [goal % 2 for goal in goals] == [0, 0, 1, 1, 1]
        assert dark == [goal | 1 for goal in goals]
        first = SOLO.new(seed, first_game=True).round_goal.tolist()
        assert first == [NONE] * 5  # F2.4


def test_pal_first():
    """7.4: she has the first turn of each action phase."""
    p = fresh(pal="agent", pal_first=True).do("column 3").settle_in()
    assert p.asked == (1, "CARD")
    p = fresh(pal="agent").do("column 3").settle_in()
    assert p.asked == (0, "TURN")
    p = SoloPosition(workers=[1], turns=0, bags={}, options={"pal": "agent", "pal_first": True})
    p.end_round()
    assert (p.asked, int(p.state.round_number)) == ((1, "CARD"), 2)


def test_more_turns_need_more_cards(n_games):
    """7.5: two more, drawn from all five that were left over."""
    counts = Counter()
    for seed in range(n_games(1000)):
        deck = deck_of(SOLO.new(seed, more_turns=True))
        kinds = Counter(ACT[card] for card in deck)
        assert len(set(deck)) == 16
        extra = {
            kind: kinds[kind] - n
            for kind, n in (("display", 6), ("give_tour", 3), ("donate", 3), ("buy_sell", 2))
        }
        assert min(extra.values()) >= 0
        counts.update(extra)
    # two of the five: two displays, and one of each other kind
    n = sum(counts.values())
    expected = {"display": n * 2 / 5, "give_tour": n / 5, "donate": n / 5, "buy_sell": n / 5}
    assert sum((counts[kind] - e) ** 2 / e for kind, e in expected.items()) < unlikely(3)
    assert sum((2, 3, 3, 4, 4)) == 16


@pytest.mark.parametrize(
    ("guests", "dollars", "lost"),
    [((5, 4), (3, 2), 0), ((5, 5), (3, 2), 1), ((5, 4), (2, 2), 1), ((0, 3), (0, 3), 1)],
)
def test_both_majorities_must_be_won(guests, dollars, lost):
    """7.6: prestige stays."""
    without = final(guests, dollars)
    p = final(guests, dollars, options={"must_win_majorities": True})
    assert p.state.lost == lost
    assert without.state.lost == 0
    assert p.points == without.points


def test_negative_prestige():
    """7.7: what Pal donates can take it below 0; else not."""
    here = rows("P P . . . .", "P p . . . .", P="placodus")
    for options, left in (({}, 0), ({"negative_prestige": True}, 2 - 4)):
        p = SoloPosition([here], workers=[2], turns=1, deck="N1", score=[2, 0], options=options)
        p.manage()
        assert p.points == [left]
        assert p.map()[1] == "3 4 . . . ."


def test_empty_fields():
    """7.8: one for each field without piece and panel; reserved ones are without."""
    here = rows("E E 3b M m .", E="berriasella", M="mixosaurus")
    plain = final(here=here, guests=(0, 50), dollars=(0, 50)).points[0]
    p = final(here=here, guests=(0, 50), dollars=(0, 50), options={"empty_fields": True})
    assert p.points[0] - plain == -(36 - 4)


def test_the_storage_penalty():
    """7.9: one for each tile in the storage."""
    for tiles in (0, 3, 8):
        storage = [f"{tiles}*eryma" if tiles else ""]
        p = final(storage=storage, options={"storage_penalty": True})
        assert p.points == [-tiles]


def test_job_workers_leave():
    """7.10: at the end of rounds 1 to 4, from a goal with own workers, after everything else."""
    options = {"lose_job_workers": True}
    p = SoloPosition(workers=[1], on_goal=[[2, 0, 1]], bags={}, options=options, first=0)
    p.end_round()
    assert p.asked == (0, "LOSE")
    assert p.state.round_number == 1
    assert p.choices == ["goal 1", "goal 3"]
    p.do("goal 1")
    assert p.state.on_goal[0].tolist() == [1, 0, 1]
    assert p.of("workers") == [1]  # it is out of the game
    assert p.state.round_number == 2
    p.end_round().do("goal 3").end_round()
    assert p.state.on_goal[0].tolist() == [0, 0, 0]  # the only one left is not asked for
    assert p.state.round_number == 4
    p.end_round()  # nobody is left to lose
    assert p.state.round_number == 5
    p = SoloPosition(workers=[1], on_goal=[[2, 0, 1]], bags={}, round_number=5, options=options)
    p.manage(gain="student")
    assert p.over
    assert p.state.on_goal[0].tolist() == [2, 0, 1]
    p = SoloPosition(workers=[1], on_goal=[[2, 0, 1]], round_number=2, options=options)
    p.manage(2, "guest")
    while p.asked[1] != "LOSE":
        p.do(p.choices[0])
    assert sum(len(p.row(name).split()) for name in TYPES) == 6  # the market is filled already


def test_penalties_have_no_floor():
    """7.11: together far below 0."""
    p = final(options={"empty_fields": True, "storage_penalty": True})
    assert p.points == [-36 - 8]
    assert p.outcome() == [-1]


# ---------------------------------------------------------------------- 9, 11. decisions, chance


@pytest.mark.parametrize("pal", ["cards", "agent"])
def test_the_bound_on_decisions_holds(pal, n_games):
    """9.1, F15.1: 945 in all; who is asked has a choice."""
    assert 876 + 1 + 4 + 4 * 16 == 945 == SOLO.max_decisions
    for seed in range(n_games(60)):
        luck = random.Random(seed)
        options = {option.name: luck.choice(option.choices) for option in SOLO.options[3:]}
        state = SOLO.new(seed, pal=pal, **options)
        while not state.done:
            legal = SOLO.legal_actions(state)
            assert len(legal) > 1
            assert state.to_play == 0 or pal == "agent"
            SOLO.step(state, luck.choice(legal[1:] if legal[0] == 0 else legal))
        assert state.ply <= 945


def drawn_from(chance, stream, things, k):
    """Draw k of a list: F17.1."""
    things = list(things)
    for i in range(k):
        j = i + chance.draw(stream, len(things) - i)
        things[i], things[j] = things[j], things[i]
    return things[:k]


def deck_told(seed, more_b, more_turns):
    """Draw and shuffle Pal's cards as section 11 of the page says."""
    chance = Chance(seed)
    least = 9 if more_turns else 8
    while True:
        cards = []
        for kind, n in (("display", 6), ("give_tour", 3), ("donate", 3), ("buy_sell", 2)):
            cards += drawn_from(chance, 6, [card for card in CARDS if ACT[card] == kind], n)
        if more_turns:
            cards += drawn_from(chance, 6, [card for card in CARDS if card not in cards], 2)
        if not more_b or sum(IS_B[card] for card in cards) >= least:
            break
    deck = []
    for b in (False, True):
        pile = [card for card in CARDS if card in cards and IS_B[card] == b]
        deck += drawn_from(chance, 6, pile, len(pile))
    return deck


@pytest.mark.parametrize("more_b", [False, True])
@pytest.mark.parametrize("more_turns", [False, True])
def test_the_deck_follows_from_the_seed(more_b, more_turns):
    """2.5, 7.2, 7.5, F17.1: by the stream of the deck (11)."""
    for seed in range(12):
        deck = deck_of(SOLO.new(seed, more_b=more_b, more_turns=more_turns))
        assert deck == deck_told(seed, more_b, more_turns)


def test_set_up_follows_from_the_seed():
    """2.3, 1.3, F17.1: starts, hands, the market and fossil cards by their streams (11)."""
    p = fresh(9).do("column 3")
    chance = Chance(9)
    bags = [[tile for tile in TILES for _ in range(bag[tile])] for bag in BAGS]
    seeded = {name: [] for name in TYPES}
    for site in (0, 1):
        for _ in range(3):
            tile = bags[site].pop(chance.draw(2 + site, len(bags[site])))
            seeded[TYPE[tile.split("/")[0]]].append(tile)
    assert [p.row(name).split() for name in TYPES] == [*seeded.values()]
    p.do("side A", "goal 1")
    assert p.state.start[0] == chance.draw(1, 6)
    p.do("face 0")
    hand = [bags[s].pop(chance.draw(2 + s, len(bags[s]))) for s in (0, 1) for _ in range(4)]
    assert p.drawn == hand
    while p.state.round_number == 0:
        p.do(p.choices[0])
    left = [name for name in FOSSIL_CARDS if SITE[name] != 3]
    assert open_cards(p.state) == [left.pop(chance.draw(5, len(left))) for _ in range(3)]


def test_every_paragraph_of_the_page_has_a_test():
    """The page's numbered paragraphs are those that the docstrings of these files begin with."""
    numbered = re.compile(r"(?<![F\d.])(\d+\.\d+)\b")
    page = re.findall(r"^(\d+\.\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cited = set()
    for file in [*TESTS.glob("test_fossilium_solo_rules*.py"), TESTS / "test_fossilium_hidden.py"]:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                cited |= set(numbered.findall((ast.get_docstring(node) or "").split(":")[0]))
    assert page == sorted(page, key=lambda number: tuple(map(int, number.split("."))))
    assert sorted(cited - set(page)) == []
    assert sorted(set(page) - cited) == []
