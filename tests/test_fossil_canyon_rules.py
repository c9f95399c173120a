"""Fossil Canyon, paragraph by paragraph: components, set-up, cards, and what a player knows.

Sections 1 to 3, 11 and 12 of docs/games/fossil_canyon.md; the turn and the end phase are in
test_fossil_canyon_rules_turn.py and test_fossil_canyon_rules_end.py. Kernel and reference play side
by side from positions in words (canyon_position.py), and every expected number is worked out by
hand from the page. The first words of each docstring cite the paragraphs.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from canyon_position import (
    CARDS,
    EVENTS,
    MAJOR,
    MINOR,
    RULES,
    SHEET,
    SIZES,
    TRACES,
    Position,
    text_of,
    with_sheet,
)

pytestmark = pytest.mark.rules

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "games" / "fossil_canyon.md"
COPIES = dict.fromkeys(SIZES, 1) | dict.fromkeys(
    ("All", "Ank", "Que", "Par", "Pac", "Coe", "Dil"), 2
)
COPIES["Mos"] = 4
VALUES = dict(
    zip(SIZES, (25, 20, 19, 18, 17, 16, 15, 12, 11, 10, 9, 8, 7), strict=True)
)  # 1.2, in the order of the page
CLAIMS = {f"claim_major {cards}" for cards in MAJOR} | {f"claim_minor {cards}" for cards in MINOR}


def everything(state):
    """Return the number of cards of each type in the game, those of skeletons included."""
    total = state.buried.astype(int) + state.discard + state.exposed
    total = total + state.up.sum(0) + state.hidden.sum(0)
    for card, name in enumerate(CARDS):
        if name not in TRACES:
            total[card] += state.skeletons[:, list(SIZES).index(name[:3])].sum()
    return total


# ---------------------------------------------------------------------- 1. components


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_there_are_as_many_cards_of_each_fossil_as_skeletons(players):
    """1.1: 58 cards, 23 skeletons of 13 genera."""
    total = everything(RULES.new(4, num_players=players))
    assert total[:34].sum() == 58
    assert sum(COPIES.values()) == 23
    assert [total[i] for i, name in enumerate(CARDS[:34])] == [COPIES[n[:3]] for n in CARDS[:34]]


@pytest.mark.parametrize("genus", SIZES)
def test_a_skeleton_scores_its_value(genus):
    """1.2: all its fossils but the last in the hand, the last is dug."""
    fossils = [f"{genus}{i + 1}" for i in range(SIZES[genus])]
    hand = " ".join(fossils[:-1])
    p = Position([f"{hand} |", "Orn |"], "digs", exposed=f"{fossils[-1]} Acr")
    p.do(f"dig {fossils[-1]}")
    assert p.gains == p.points == [VALUES[genus], 0]
    assert p.skeletons(0) == genus


def test_research_values_of_the_trace_fossils():
    """1.3: 3, 3, 2, 2, 1 and 1, as the sets that are worth 4 and 6 show; one card each."""
    value = dict(zip(TRACES, (3, 3, 2, 2, 1, 1), strict=True))
    p = Position(["Cam Uta Ala Edm Orn Acr |", "Bra1 |"])
    assert p.claims == CLAIMS
    for claim in CLAIMS:
        name, *cards = claim.split()
        needs = 6 if name == "claim_major" else 4
        total = sum(value[card] for card in cards)
        assert total >= needs
        assert all(total - value[card] < needs for card in cards)
    assert everything(RULES.new(9))[34:].tolist() == [1] * 6


def test_types_are_numbered_genus_by_genus():
    """1.4: 34 fossils of skeletons in the order of the sheet, then six trace fossils."""
    first = ["Tyr", "Bra", "Tri", "All", "Ank", "Que", "Par"]
    assert list(SIZES) == [*first, "Dei", "Ste", "Pac", "Coe", "Dil", "Mos"]
    assert list(SIZES.values()) == [4] + [3] * 6 + [2] * 6
    assert TRACES == ("Cam", "Uta", "Ala", "Edm", "Orn", "Acr")
    assert len(CARDS) == RULES.actions["hide"].size == 40
    total = everything(RULES.new(1)).tolist()
    assert total == [1] * 10 + [2] * 12 + [1] * 4 + [2] * 6 + [4] * 2 + [1] * 6


def test_the_event_deck():
    """1.5: 18 cards, or as many that expose one card."""
    counts = Counter(EVENTS[i] for i in RULES.new(7).deck.tolist())
    assert counts == dict(zip(EVENTS, (6, 2, 2, 2, 1, 2, 1, 1, 1), strict=True))
    for seed in range(3):
        p = Position.fresh(seed, num_players=3, events="erosion_only")
        assert len(p.state.deck) == 18
        seen = Counter()
        while p.state.drawn < 10:
            before, drawn = p.state.exposed.sum(), int(p.state.drawn)
            p.do("stop" if "stop" in p.choices else min(p.choices, key=harmless))
            if p.state.drawn > drawn:
                seen[int(p.state.exposed.sum()) - int(before)] += 1
        assert set(seen) == {1}


def harmless(choice):
    """Sort choices: end what can be ended, dig blindly, and else whatever comes first."""
    order = ["stop", "done", "keep", "dig buried"]
    return order.index(choice) if choice in order else len(order), choice


def test_there_are_one_major_and_three_minor_awards():
    """1.6: 20 and 10 points; what is gone is not offered."""
    p = Position(["Cam Uta Ala Edm |", "Orn Mos1 |"])
    p.do("claim_major Cam Uta")
    assert p.gains == [20, 0]
    assert p.claims == {"claim_minor Ala Edm"}
    p.do("claim_minor Ala Edm")
    assert p.gains == [10, 0]
    assert p.state.awards[:2].tolist() == [[1, 1], [0, 0]]
    for taken, claims in ((2, 12 + 12), (3, 12)):
        p = Position(["Cam Uta Ala Edm Orn Acr |", "Bra1 |"], awards=[[0, 0], [0, taken]])
        assert len(p.claims) == claims
    p = Position(["Cam Uta Ala Edm Orn Acr |", "Bra1 |"], awards=[[0, 0], [1, 0]])
    assert p.claims == {f"claim_minor {cards}" for cards in MINOR}


CUSTOM = """
[[genus]]
name = "Homo"
fossils = 3
skeletons = 1
period = "Cretaceous"
diet = "carnivore"
value = 8
source = "drawn by hand"
length_m = 2
mass_kg = 80
custom = true
pays = "small"

[[trace]]"""


def test_blank_cards_make_a_genus_that_a_bonus_pays_for(tmp_path):
    """1.7: it scores like any other, and the bonus goes to nobody."""
    text = SHEET.read_text(encoding="utf-8").replace("\n[[trace]]", CUSTOM, 1)
    text = text.replace("cards = 58", "cards = 61").replace("cards = 64", "cards = 67")
    told = with_sheet(
        tmp_path,
        text,
        "p = Position(['Hom1 Hom3 |', 'Bra1 |'], 'digs', exposed='Hom2 Cam Uta').do('dig Hom2')",
        "print(p.points, p.skeletons(0), p.up(0))",
        "print(final(['Mos', 'Ste']))",  # 8 for the most carnivores in any other game
        "print(len(Position.fresh(0).state.buried), Position.fresh(0).state.buried.sum())",
    )
    assert told == ["[8, 0] Hom ", "[7, 22]", "43 43"]


# ---------------------------------------------------------------------- 2. set-up


def test_four_cards_are_discarded_unseen():
    """2.1: 60 of 64 cards, or 54 of 58 without research, are dealt or buried; none is exposed."""
    discarded = set()
    for seed in range(30):
        state = RULES.new(seed, num_players=6)
        assert state.discard.sum() == 4
        assert state.exposed.sum() == 0
        assert everything(state).sum() == 64
        discarded.add(text_of(state.discard))
        state = RULES.new(seed, num_players=6, research=False)
        assert state.discard.sum() == 4
        assert everything(state).sum() == 58
        assert everything(state)[34:].sum() == 0
    assert len(discarded) > 25


def test_the_event_deck_is_shuffled():
    """2.2: any card can be the first, and the order differs from game to game."""
    decks = [RULES.new(seed).deck.tolist() for seed in range(200)]
    assert {deck[0] for deck in decks} == set(range(9))
    assert len({str(deck) for deck in decks}) == 200


@pytest.mark.parametrize(("players", "hand"), [(2, 10), (3, 8), (4, 6), (5, 5), (6, 4)])
def test_starting_hands(players, hand):
    """2.3: 10, 8, 6, 5 or 4 cards, those in skeletons included; the rest is buried."""
    sizes = np.array(list(SIZES.values()))
    for seed in range(20):
        state = RULES.new(seed, num_players=players)
        held = state.hidden.sum(1) + state.skeletons.astype(int) @ sizes
        assert held.tolist() == [hand] * players + [0] * (6 - players)
        assert state.buried.sum() == 60 - players * hand


def test_complete_skeletons_are_laid_out_at_once_and_bring_no_bonus_dig():
    """2.4: they count as points from the start."""
    seen = 0
    for seed in range(60):
        p = Position.fresh(seed, num_players=2)
        values = [sum(VALUES[name] for name in p.skeletons(seat).split()) for seat in (0, 1)]
        assert p.points == values
        assert p.gains == [0, 0]
        seen += bool(p.skeletons(0))
        if p.skeletons(0) and not p.skeletons(1):
            before = p.skeletons(0)
            while p.state.stage < 4:  # up to step 4 of seat 0
                p.do(min(p.choices, key=harmless))
            if p.skeletons(0) == before:
                assert p.asked == (0, "hide", "adjust")
    assert seen > 5


def test_all_hide_before_anything_is_shown():
    """2.5: seats are asked in order; the cards stay where they are until the last has chosen."""
    p = Position.fresh(5, num_players=3)
    hands = [p.hidden(seat).split() for seat in range(3)]
    for seat in range(3):
        assert p.asked == (seat, "hide", "setup")
        assert [p.hidden(s).split() for s in range(3)] == hands
        assert not p.state.up.any()
        p.do(f"hide {hands[seat][-1]}", "done")
    for seat in range(3):
        up = Counter(p.up(seat).split())
        if seat > 0 or p.state.digs == 0:
            assert up == Counter(hands[seat][:-1])
        assert hands[seat][-1] in p.hidden(seat).split()
    assert not p.state.picked.any()


def test_cards_to_hide_are_picked_one_at_a_time():
    """2.6: in any order; each card once; the limit or the last card ends the choice."""
    p = Position(["Mos1 Mos1 Bra1 | Tyr1", "Par1 |"], "adjust", buried="Ste1 Ste2")
    assert p.choices == {"hide Mos1", "hide Bra1", "hide Tyr1", "done"}
    p.do("hide Mos1")
    assert p.choices == {"hide Mos1", "hide Bra1", "hide Tyr1", "done"}
    p.do("hide Mos1")
    assert p.choices == {"hide Bra1", "hide Tyr1", "done"}
    p.do("hide Bra1")
    assert (p.up(0), p.hidden(0)) == ("Tyr1", "Bra1 Mos1 Mos1")
    p = Position(["Mos1 | Tyr1", "Par1 |"], "adjust", buried="Bra1 Bra2 Tri1 Tri2").do("hide Tyr1")
    assert p.asked == (0, "hide", "adjust")
    p.do("hide Mos1")
    assert p.asked[0] == 1
    assert (p.up(0), p.hidden(0)) == ("", "Tyr1 Mos1")


@pytest.mark.parametrize(
    ("players", "option", "limit"), [(4, True, 3), (5, True, 2), (6, True, 2), (6, False, 3)]
)
def test_five_and_six_players_may_hide_only_two_with_the_variant(players, option, limit):
    """2.7: at set-up and at step 5."""
    p = Position.fresh(3, num_players=players, hidden_limit_two=option)
    for _ in range(limit):
        assert p.asked == (0, "hide", "setup")
        p.do(next(choice for choice in sorted(p.choices) if choice != "done"))
    assert p.asked == (1, "hide", "setup")
    hands = ["Mos1 Bra1 Tyr1 Par1 |"] + ["Par2 |"] * (players - 1)
    p = Position(hands, "adjust", buried="All1 All2", options={"hidden_limit_two": option})
    for card in ("Mos1", "Bra1", "Tyr1")[:limit]:
        assert p.asked == (0, "hide", "adjust")
        p.do(f"hide {card}")
    assert p.hidden(0).count(" ") == limit - 1


def test_seat_0_has_the_first_turn():
    """2.8: after everybody has hidden cards."""
    for players in (2, 6):
        p = Position.fresh(11, num_players=players)
        while p.state.stage == 0:
            p.do("done")
        assert p.state.active == 0
        assert p.state.drawn == 1


# ---------------------------------------------------------------------- 3. hands and awards


def test_a_face_up_card_is_used_before_a_hidden_one():
    """3.2: in giving, passing on and completing; actions name the type only."""
    p = Position(["Mos1 Bra1 | Mos1", "Tyr1 |"]).do("exchange 1", "give Mos1")
    assert (p.up(0), p.hidden(0)) == ("Bra1", "Tyr1 Mos1")  # with the forced take
    p = Position(["Bra1 Bra2 | Bra1 Bra2", "Tyr1 |"], "digs", exposed="Bra3 Cam").do("dig Bra3")
    assert (p.up(0), p.hidden(0), p.skeletons(0)) == ("", "Bra1 Bra2 Cam", "Bra")
    p = Position(
        ["Mos1 | Mos1 Tyr1", "Par1 |"],
        "adjust",
        1,
        exposed="Cam Uta Ala",
        events=["courier_mixup"],
    )
    p.do("done", "send Mos1")
    assert (p.up(0), p.hidden(0), p.up(1)) == ("Par1", "Tyr1 Mos1", "Mos1")


def test_a_full_set_leaves_at_once_for_anybody_and_surplus_stays():
    """3.3: on another player's turn too; further cards of the genus stay; two sets, two skeletons.

    The last position holds a full set already, which no game does, so that one dig shows two.
    """
    p = Position(["Bra3 Tyr1 |", "Bra1 Bra1 | Bra2 Mos1"]).do("exchange 1", "give Bra3")
    assert p.points == [0, 20]
    assert p.gains == [0, 20]
    assert p.up(1).split()[0] == "Bra1"
    assert p.skeletons(1) == "Bra"
    p = Position(["Mos1 Mos1 Mos2 |", "Tyr1 |"], "digs", exposed="Mos2 Cam").do("dig Mos2")
    assert p.gains == [14, 0]
    assert p.skeletons(0) == "Mos Mos"


def test_an_award_is_claimed_on_the_own_turn():
    """3.4: cards leave, hidden ones too; what is paid too much is lost; no bonus dig."""
    p = Position(["Uta | Cam Mos1", "Ala Edm |"], buried="Bra1 Bra2")
    assert p.claims == {"claim_major Cam Uta", "claim_minor Cam Uta"}
    p.do("claim_minor Cam Uta")  # 6 for an award of 4
    assert p.gains == [10, 0]
    assert (p.up(0), p.hidden(0)) == ("", "Mos1")
    p.do("stop")
    assert p.asked == (0, "hide", "adjust")  # no step 4


def test_no_award_with_a_card_too_many():
    """3.5: 3 + 3 pays both awards; 3 + 3 + 2 none, 3 + 2 + 2 the major one."""
    p = Position(["Cam Uta Ala |", "Bra1 |"])
    minor = {f"claim_minor {cards}" for cards in ("Cam Uta", "Cam Ala", "Uta Ala")}
    assert p.claims == minor | {"claim_major Cam Uta"}
    p = Position(["Cam Ala Edm |", "Bra1 |"])
    minor = {f"claim_minor {cards}" for cards in ("Cam Ala", "Cam Edm", "Ala Edm")}
    assert p.claims == minor | {"claim_major Cam Ala Edm"}


def test_when_a_claim_is_offered():
    """3.6: at digs, secret choices, exchanges and before the first pick, on the own turn only."""
    both = {"claim_major Cam Uta", "claim_minor Cam Uta"}
    hands = ["Cam Uta Bra1 | Mos1", "Ala Edm |"]
    p = Position(hands, "digs", exposed="Tyr1 Tri1", buried="Bra2 Tri2")
    assert p.claims == both
    p.do("dig Tyr1", "dig Tri1")
    assert p.asked == (0, "exchange", "exchanges")
    assert p.claims == both
    p.do("exchange 1")
    assert p.claims == set()
    p.do("give Bra1")
    assert p.asked[1] == "take"
    assert p.claims == set()
    p.do("take Ala", "stop")
    assert p.asked == (0, "hide", "adjust")
    assert both < p.claims
    p.do("hide Cam")
    assert p.claims == set()
    p = Position(hands, "bonus", exposed="Tyr1 Tri1", earned=True)
    assert p.claims == both
    p = Position(hands, "digs", buried="Bra2 Tri2 Tri3", options={"put_back": True})
    assert p.claims == both
    p.do("dig buried")
    assert p.choices == {"keep", "put back"}
    for event in ("courier_mixup", "press_leak", "field_assistant"):
        hands = ["Bra1 | Cam Uta Ste1", "Tyr1 Cam Uta | Ala Edm"]
        p = Position(hands, "adjust", 1, exposed="Tri1 Tri2", events=[event]).do("hide Ala")
        p.do("hide Edm", "done")
        assert p.asked[0] == 0
        assert p.claims == both
        if event != "field_assistant":
            p.do(f"{'send' if event == 'courier_mixup' else 'reveal'} Ste1")
            assert p.asked[0] == 1
            assert p.claims == set()
    for seed in range(20):  # nobody's turn yet
        p = Position.fresh(seed)
        assert p.asked == (0, "hide", "setup")
        assert p.claims == set()


def test_after_a_claim_the_same_decision_is_asked_again():
    """3.6, 11.1: with the cards that are left, and not at all if it has one choice."""
    p = Position(["Cam Uta Mos1 |", "Bra1 |"], "digs", exposed="Tyr1 Tri1", buried="Bra2 Tri2")
    p.do("claim_major Cam Uta")
    assert p.asked == (0, "dig", "digs")
    assert p.choices == {"dig Tyr1", "dig Tri1", "dig buried"}
    p = Position(["Cam Uta |", "Bra1 |"], "digs", buried="Bra2 Tri2 Tri3")
    assert p.choices == {"dig buried", "claim_major Cam Uta", "claim_minor Cam Uta"}
    p.do("claim_major Cam Uta")  # then both digs are forced
    assert p.asked == (0, "exchange", "exchanges")


# ---------------------------------------------------------------------- 11. decisions


def test_a_decision_with_one_choice_is_not_asked():
    """11.1: blind digs, a partner's only card, a secret choice; a claim counts as a choice."""
    p = Position(["Bra1 |", "Tyr1 |", "Tri1 Tri2 |"], "adjust", 2, "", "Mos1 Par1 Que1 All1")
    p.do("done")  # a calm day, and two cards that can only be taken blindly
    assert p.asked == (0, "exchange", "exchanges")
    p = Position(["Bra1 |", "Tyr1 |"]).do("exchange 1")
    assert (p.up(1), p.hidden(0)) == ("Bra1", "Tyr1")
    p = Position(["Bra1 |", "Tyr1 |"], "adjust", 1, exposed="Cam Uta", events=["courier_mixup"])
    p.do("done")
    assert (p.up(0), p.up(1)) == ("Tyr1", "Bra1")


def test_the_bound_on_decisions():
    """11.2: 18 + 18 x 27 + 336 x 13 + 4."""
    assert RULES.max_decisions == 18 + 18 * 27 + 336 * 13 + 4 == 4876


# ---------------------------------------------------------------------- 12. what a player knows


def changed(state, seat, samples=40):
    """Return the fields that change when all that a seat cannot know is dealt anew.

    The number of decisions is left out: it tells how many cards others have picked in secret.
    """
    found = set()
    for seed in range(samples):
        copy = state.copy()
        RULES.resample(copy, seat, np.uint64(seed))
        found |= {
            name
            for name in RULES.STATE.names
            if name not in ("seed", "ply") and (copy[name] != state[name]).any()
        }
        assert (copy.hidden.sum(1) == state.hidden.sum(1)).all()
        assert copy.buried.sum() == state.buried.sum()
        assert (copy.hidden[seat] == state.hidden[seat]).all()
        assert (everything(copy) == everything(state)).all()
        assert (copy.known[seat] == state.known[seat]).all()
        played = int(state.drawn)
        assert (copy.deck[:played] == state.deck[:played]).all()
        for owner in range(int(state.num_players)):
            assert (copy.hidden[owner] >= state.known[seat, owner]).all()
    return found


def midgame(seed, plies, **options):
    """Return a random game after some decisions."""
    luck = np.random.default_rng(seed)
    state = RULES.new(seed, **options)
    for _ in range(plies):
        RULES.step(state, luck.choice(RULES.legal_actions(state)))
    return state


def test_what_is_on_the_table_is_seen_by_all():
    """3.1, 12.1, 12.3: dealing the unknown anew keeps it, own cards and numbers of cards."""
    for seed in range(6):
        state = midgame(seed, 60, num_players=4)
        if state.stage in (0, 6):
            continue
        for seat in range(4):
            unseen = {"hidden", "buried", "discard", "deck", "chosen", "picked", "dug", "known"}
            assert changed(state, seat) <= unseen


def test_what_nobody_knows():
    """12.3: discards, buried and hidden cards, order of the events to come, secret choices."""
    state = RULES.new(2, num_players=3)
    while state.to_play < 2:
        RULES.step(
            state,
            RULES.actions.offset("hide")
            + int(np.flatnonzero(state.hidden[state.to_play] > state.picked[state.to_play])[0]),
        )
    assert changed(state, 2, 80) == {"hidden", "buried", "discard", "deck", "picked"}
    p = Position(
        ["Bra1 Bra2 | Tyr1 Tyr2", "Tri1 Tri2 | Que1 Que2", "Par1 |"],
        "adjust",
        2,
        exposed="Mos1 Mos1",
        buried="Ank1 Ank2 Dei1",
        discard="Ste1",
        events=["press_leak"],
    ).do("hide Par1")
    p.do("reveal Tyr1")
    assert p.asked[0] == 1
    chosen = set()
    for seed in range(40):
        copy = p.state.copy()
        RULES.resample(copy, 1, np.uint64(seed))
        card = int(copy.chosen[0])
        assert copy.hidden[0, card] > 0
        chosen.add(card)
    assert len(chosen) > 3
    assert changed(p.state, 0) == {"hidden", "buried", "discard"}  # all other events are calm days
    for seed in range(40):  # a hand is never complete
        copy = p.state.copy()
        RULES.resample(copy, 1, np.uint64(seed))
        both = copy.hidden[0].astype(int) + copy.up[0]
        first = 0
        for size in SIZES.values():
            assert (both[first : first + size] == 0).any()
            first += size


def test_cards_that_are_seen_to_enter_a_hidden_hand_are_remembered():
    """12.2: an exposed card that is dug, a face-up card that is taken."""
    hands = ["Bra1 Par1 | Tyr1", "Tri1 Que1 |", "All1 |"]
    p = Position(hands, "digs", exposed="Mos1 Cam Ste1", buried="Ank1 Ank2")
    p.do("dig Mos1", "dig buried")
    assert p.knows(1, 0) == p.knows(2, 0) == "Mos1"
    assert p.knows(0, 0) == ""
    p.do("exchange 1", "give Bra1", "take Que1")
    assert p.knows(1, 0) == p.knows(2, 0) == "Que1 Mos1"


def test_known_cards_that_leave_the_hand_are_forgotten():
    """12.2: given, spent, passed on, revealed, or laid out in a skeleton."""

    def memory(*cards):
        return [Counter(), Counter(CARDS.index(card) for card in cards)]

    known = [[Counter(), Counter()], memory()]
    known[1][0] = Counter(CARDS.index(card) for card in ("Tyr1", "Cam", "Bra1"))
    hands = ["Ste1 | Tyr1 Cam Bra1 Uta Bra2", "Tri1 Que1 |"]
    p = Position(hands, known=known, exposed="Mos1")
    assert p.knows(1, 0) == "Tyr1 Bra1 Cam"
    p.do("claim_major Cam Uta")
    assert p.knows(1, 0) == "Tyr1 Bra1"
    p.do("exchange 1", "give Tyr1", "take Tri1")
    assert p.knows(1, 0) == "Bra1 Tri1"
    known = [[Counter(), Counter()], [Counter({CARDS.index("Bra1"): 1}), Counter()]]
    p = Position(["Ste1 | Bra1 Bra2", "Tri1 |"], "digs", exposed="Bra3 Mos1", known=known)
    p.do("dig Bra3")
    assert p.knows(1, 0) == "Mos1"  # taken by the second dig, which is forced
    for event, choice in (("press_leak", "reveal"), ("courier_mixup", "send")):
        known = [[Counter(), Counter()], [Counter({CARDS.index("Bra1"): 1}), Counter()]]
        hands = ["| Bra1 Tyr1", "Tri1 |"]
        p = Position(hands, "adjust", 1, exposed="Cam Uta Orn", events=[event], known=known)
        p.do("hide Tri1", f"{choice} Bra1")
        assert p.knows(1, 0) == ""


def test_only_the_change_of_face_up_cards_is_seen_at_step_5():
    """12.2: hidden from face up is known, and laid out is no longer."""
    known = [[Counter(), Counter()], [Counter({CARDS.index("Mos1"): 2}), Counter()]]
    p = Position(
        ["Mos1 Bra1 | Mos1 Mos1 Tyr1", "Tri1 |"], "adjust", known=known, buried="Ste1 Ste2"
    )
    p.do("hide Mos1", "hide Bra1", "hide Tyr1")
    # two of three Mos1 are face up now: one came from the hidden hand, where two were known
    assert (p.up(0), p.hidden(0)) == ("Mos1 Mos1", "Tyr1 Bra1 Mos1")
    assert p.knows(1, 0) == "Bra1 Mos1"
    p = Position(["Mos1 | Mos1", "Tri1 |"], "adjust", buried="Ste1 Ste2")
    p.do("hide Mos1", "done")
    assert p.knows(1, 0) == ""  # nobody else could tell which one


def test_a_blind_take_is_seen_by_two_players_only():
    """12.2: third players lose what may have been taken."""
    card = {name: CARDS.index(name) for name in ("Tri1", "Que1")}

    def seen():
        return Counter({card["Tri1"]: 2, card["Que1"]: 1})

    known = [[Counter() for _ in range(3)] for _ in range(3)]
    known[0][1], known[2][1] = seen(), seen()
    p = Position(["Bra1 Par1 |", "| Tri1 Tri1 Que1", "All1 |"], known=known)
    p.do("exchange 1", "give Bra1")  # nothing else can be taken
    taken = p.hidden(0)
    assert taken in ("Tri1", "Que1")
    assert p.knows(1, 0) == taken
    assert p.knows(2, 0) == ""
    assert p.knows(2, 1) == "Tri1"
    assert p.knows(0, 1) == ("Tri1 Tri1" if taken == "Que1" else "Tri1 Que1")


def test_a_blind_take_of_the_one_card_that_it_can_be_is_no_secret():
    """12.2: who knows all hidden cards of a hand, all alike, knows what is taken from it."""
    card = CARDS.index("Tri1")
    for held, owned in ((1, ""), (2, "Tri1")):
        known = [[Counter() for _ in range(3)] for _ in range(3)]
        known[2][1] = Counter({card: held})
        p = Position(["Bra1 Par1 |", "| " + "Tri1 " * held, "All1 |"], known=known)
        p.do("exchange 1", "give Bra1")
        assert p.hidden(0) == "Tri1"
        assert p.knows(1, 0) == p.knows(2, 0) == "Tri1"
        assert p.knows(2, 1) == owned


def test_what_is_hidden_at_set_up_is_unknown_and_the_end_phase_is_open():
    """12.2, 10.1: no memory in either."""
    p = Position.fresh(8, num_players=3)
    while p.state.stage == 0:
        p.do(min(p.choices, key=lambda choice: (choice == "done", choice)))
    assert not p.state.known[:, 1:].any()
    known = [[Counter(), Counter()], [Counter({CARDS.index("Mos1"): 1}), Counter()]]
    p = Position(["Bra1 | Mos1", "Mos2 Tri1 |"], "adjust", 1, known=known).do("done")
    assert p.asked == (0, "exchange", "end")
    assert not p.state.known.any()
    assert not p.state.hidden.any()


def test_every_paragraph_of_the_page_has_a_test():
    """The page's numbered paragraphs are those that the docstrings of these files begin with."""
    numbered = re.compile(r"\b(1?\d\.\d+)\b")
    page = re.findall(r"^(\d+\.\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cited = set()
    for file in TESTS.glob("test_fossil_canyon_rules*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                cited |= set(numbered.findall((ast.get_docstring(node) or "").split(":")[0]))
    assert page == sorted(page, key=lambda number: tuple(map(int, number.split("."))))
    assert cited == set(page)
