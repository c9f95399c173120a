"""Fossil Canyon, paragraph by paragraph: the five steps of a turn.

Sections 4 to 9 of docs/games/fossil_canyon.md, from positions in words (canyon_position.py). Most
begin at the end of the turn before, so that the event is drawn while kernel and reference are
watched. Every expected number is worked out by hand from the page.
"""

from collections import Counter

import pytest

from canyon_position import CARDS, RULES, Position

pytestmark = pytest.mark.rules


def before_turn(event, hands, **rest):
    """Set up a position in which the last seat ends its turn and seat 0 draws an event."""
    events = [event] if isinstance(event, str) else event
    return Position(hands, "adjust", len(hands) - 1, events=events, **rest)


# ---------------------------------------------------------------------- 4. the event


def test_the_event_deck_is_never_reshuffled():
    """4.1: a card drawn goes under the deck, and comes again 18 turns later."""
    p = before_turn("erosion", ["Bra1 |", "Tyr1 |"], buried="Tri1 Tri2 Tri3 Que1", drawn=18 + 1)
    deck = p.state.deck.tolist()
    p.do("done")
    assert p.state.drawn == 20
    assert p.state.event == deck[1]
    assert p.state.deck.tolist() == deck
    assert len(p.exposed.split()) == 1
    p = before_turn([], ["Bra1 |", "Tyr1 |"], exposed="Tri1 Tri2 Tri3 Que1", drawn=18)
    p.do("done")
    assert p.state.event == deck[0]


@pytest.mark.parametrize(("event", "number"), [("erosion", 1), ("heavy_erosion", 2)])
def test_erosion_exposes_buried_cards(event, number):
    """4.2: one or two, drawn blindly, and no more than are buried."""
    buried = "Tri1 Tri2 Tri3 Que1 Que2"
    p = before_turn(event, ["Bra1 |", "Tyr1 |"], buried=buried).do("done")
    assert len(p.exposed.split()) == number
    assert sorted([*p.exposed.split(), *p.buried.split()]) == sorted(buried.split())
    p = before_turn(event, ["Bra1 |", "Tyr1 |"], exposed="Tri1 Que1", buried="Tri2").do("done")
    assert (p.exposed, p.buried) == ("Tri1 Tri2 Que1", "")


def test_sandstorm_buries_what_was_exposed():
    """4.3: both exposed cards; the two digs that follow are blind."""
    p = before_turn("sandstorm", ["Bra1 |", "Tyr1 |"], exposed="Tri1 Que1", buried="Tri2 Par1")
    p.do("done")
    assert p.asked == (0, "exchange", "exchanges")
    assert p.exposed == ""
    assert len(p.buried.split()) == len(p.hidden(0).split()) == 2


def test_the_field_assistant_digs_a_card():
    """4.4: one dig more for the active player, before the two of step 2."""
    p = before_turn("field_assistant", ["Bra1 |", "Tyr1 |"], exposed="Tri1 Que1 Par1 All1")
    p.do("done")
    assert p.asked == (0, "dig", "event")
    p.do("dig Tri1")
    assert p.asked == (0, "dig", "digs")
    p.do("dig Que1", "dig Par1")
    assert p.hidden(0) == "Tri1 Que1 Par1"
    assert p.asked == (0, "exchange", "exchanges")


def test_the_donation_goes_to_the_fewest_points():
    """4.5: skeletons and awards count; the active player first, then turn order; out of turn."""
    rest = {"exposed": "Tri1 Que1 Par1 All1"}
    hands = ["Bra1 |", "Tyr1 Cam Uta |", "Ank1 |", "Dei1 |"]
    p = before_turn("donation", hands, skeletons=["Tyr", "Mos", "Mos", "Tyr"], **rest).do("done")
    assert p.asked == (1, "dig", "event")
    assert p.claims == set()  # 3.6: not their turn
    p.do("dig Que1")
    assert p.hidden(1) == "Que1"
    assert p.asked == (0, "dig", "digs")
    awards = [[0, 0], [0, 1], [0, 0], [0, 0]]
    p = before_turn("donation", hands, skeletons=["Tyr", "", "Mos", "Tyr"], awards=awards, **rest)
    assert p.do("done").asked == (2, "dig", "event")  # 7 points, seat 1 has 10
    p = before_turn("donation", hands, **rest).do("done")
    assert p.asked == (0, "dig", "event")
    p = before_turn("donation", hands, skeletons=["Mos", "Tyr", "Tyr", ""], **rest).do("done")
    assert p.asked == (3, "dig", "event")


def test_a_skeleton_of_another_by_the_donation_earns_nothing():
    """4.5, 7.1: neither for the digger nor for the active player."""
    p = before_turn(
        "donation",
        ["Bra1 |", "Dei1 |", "Tyr1 |"],
        skeletons=["Mos", "", "Mos"],
        exposed="Dei2 Que1 Par1 All1 Ank1",
    )
    p.do("done", "dig Dei2")
    assert p.gains == [0, 12, 0]
    p.do("dig Que1", "dig Par1", "stop")
    assert p.asked == (0, "hide", "adjust")


def test_all_pass_a_card_to_the_next_seat_at_the_same_time():
    """4.6: chosen in secret from the active player on; all leave before any arrives."""
    hands = ["Dei1 | Mos1", "Ste1 Tri1 |", "|", "Pac1 |"]
    p = before_turn("courier_mixup", hands, exposed="Que1 Par1 Ank1 All1").do("done")
    assert p.asked == (0, "send", "event")
    assert p.choices == {"send Dei1", "send Mos1"}
    p.do("send Mos1")
    assert p.hidden(0) == "Mos1"  # nothing moves yet
    assert p.asked == (1, "send", "event")
    p.do("send Ste1")  # seat 2 has no cards, seat 3 only one
    assert [p.up(seat) for seat in range(4)] == ["Dei1 Pac1", "Tri1 Mos1", "Ste1", ""]
    assert [p.hidden(seat) for seat in range(4)] == [""] * 4


def test_skeletons_are_completed_when_all_passed_cards_have_arrived():
    """4.6, 7.1: here the active player and the next one; the first earns a bonus dig."""
    hands = ["Dei1 Mos1 |", "Mos2 Tri1 |", "Bra1 | Dei2"]
    p = before_turn("courier_mixup", hands, exposed="Que1 Par1 Ank1 All1").do("hide Dei2", "done")
    p.do("send Mos1", "send Tri1", "send Dei2")
    assert p.gains == [12, 7, 0]
    p.do("dig Que1", "dig Par1", "stop")
    assert p.asked == (0, "dig", "bonus")


def test_all_reveal_a_hidden_card():
    """4.7: at the same time; players without hidden cards skip."""
    hands = ["Dei1 | Mos1 Bra1", "Tri1 | Que1 Que2", "Pac1 |"]
    p = before_turn("press_leak", hands, exposed="Que1 Par1 Ank1 All1").do("done")
    assert p.asked == (0, "reveal", "event")
    assert p.choices == {"reveal Mos1", "reveal Bra1"}
    p.do("reveal Bra1")
    assert p.hidden(0) == "Bra1 Mos1"
    p.do("reveal Que2")
    assert p.asked == (0, "dig", "digs")
    assert [p.up(seat) for seat in range(3)] == ["Bra1 Dei1", "Tri1 Que2", "Pac1"]
    assert [p.hidden(seat) for seat in range(3)] == ["Mos1", "Que1", ""]


def test_the_conference_is_an_exchange_of_its_own():
    """4.8: at the cost of one card, and step 3 begins at one card again; it can be refused."""
    hands = ["Dei1 Mos1 Bra1 |", "Tri1 Que1 Que2 |"]
    p = before_turn("conference", hands, exposed="Par1 Par2 Ank1 All1").do("done")
    assert p.asked == (0, "exchange", "event")
    p.do("exchange 1", "give Dei1", "take Tri1")
    assert p.asked == (0, "dig", "digs")
    p.do("dig Par1", "dig Par2", "exchange 1", "give Mos1")
    assert p.asked == (0, "take", "exchanges")
    p = before_turn("conference", hands, exposed="Par1 Par2 Ank1 All1").do("done", "stop")
    assert p.asked == (0, "dig", "digs")


def test_on_a_calm_day_nothing_happens():
    """4.9: the turn goes on with step 2."""
    p = before_turn("calm_day", ["Dei1 |", "Tri1 |"], exposed="Par1 Par2 Ank1 All1", buried="Mos1")
    p.do("done")
    assert p.asked == (0, "dig", "digs")
    assert (p.exposed, p.buried) == ("All1 Ank1 Par1 Par2", "Mos1")


def test_who_has_nothing_to_choose_stays_skipped():
    """4.10: here after a claim with the last cards; a card then arrives all the same."""
    hands = ["Cam Uta |", "Tri1 Que1 |", "Bra1 |"]
    p = before_turn("courier_mixup", hands, exposed="Par1 Par2 Ank1 All1").do("done")
    assert p.asked == (0, "send", "event")
    p.do("claim_major Cam Uta")
    assert p.asked == (1, "send", "event")
    p.do("send Tri1")
    assert [p.up(seat) for seat in range(3)] == ["Bra1", "Que1", "Tri1"]


# ---------------------------------------------------------------------- 5. digging


def test_two_cards_are_dug():
    """5.1: or fewer, if the site is empty before."""
    p = Position(["Dei1 |", "Tri1 |"], "digs", exposed="Par1 Par2 Ank1")
    p.do("dig Par1")
    assert p.asked == (0, "dig", "digs")
    p.do("dig Ank1")
    assert p.asked == (0, "exchange", "exchanges")
    p = before_turn("calm_day", ["Dei1 |", "Tri1 |"], exposed="Par1").do("done")
    assert p.asked == (0, "exchange", "exchanges")
    assert p.hidden(0) == "Par1"


def test_an_exposed_card_or_a_buried_one():
    """5.2: types to choose from, or blindly any buried card; into the hidden hand."""
    rest = {"exposed": "Par1 Par1 Ank1", "buried": "Mos1 Mos2"}
    p = Position(["Dei1 |", "Tri1 |"], "digs", **rest)
    assert p.choices == {"dig Par1", "dig Ank1", "dig buried"}
    p.do("dig Par1")
    assert (p.exposed, p.hidden(0), p.knows(1, 0)) == ("Ank1 Par1", "Par1", "Par1")
    p.do("dig buried")
    assert p.buried in ("Mos1", "Mos2")
    assert p.knows(1, 0) == "Par1"
    p = Position(["Dei1 |", "Tri1 |"], "digs", exposed="Dei2 Ank1", buried="Mos1 Mos2")
    p.do("dig Dei2")
    assert p.gains == [12, 0]


def test_every_buried_card_is_found_by_someone():
    """5.2: a blind dig finds any of them, more often what is there more often."""
    found = Counter()
    for k in range(60):
        p = Position(["Dei1 |", "Tri1 |"], "digs", exposed="Ank1", buried="Mos1 Mos1 Mos1 Bra1")
        state = p.state.copy()
        state.seed = k
        RULES.step(state, RULES.actions.offset("dig_buried"))
        found.update(card for card, n in enumerate(state.hidden[0].tolist()) for _ in range(n))
    assert found[CARDS.index("Mos1")] > found[CARDS.index("Bra1")] > 0


def test_a_buried_card_may_be_put_back_once():
    """5.3: shown, exposed, not counted, and to be dug again; only in step 2, only once."""
    options = {"put_back": True}
    hands = ["Dei1 |", "Tri1 |"]
    rest = {"exposed": "Ank1", "buried": "Mos1 Mos1 Mos1 Mos1", "options": options}
    p = Position(hands, "digs", **rest).do("dig buried")
    assert p.choices == {"keep", "put back"}
    assert p.state.dug == CARDS.index("Mos1")
    assert (p.hidden(0), p.buried) == ("", "Mos1 Mos1 Mos1")
    p.do("put back")
    assert p.exposed == "Ank1 Mos1"
    assert p.asked == (0, "dig", "digs")
    p.do("dig buried")  # kept without being asked
    assert p.hidden(0) == "Mos1"
    p.do("dig Mos1")
    assert p.asked == (0, "exchange", "exchanges")
    assert p.hidden(0) == "Mos1 Mos1"
    assert p.knows(1, 0) == "Mos1"
    p = Position(hands, "digs", **rest).do("dig buried", "keep", "dig buried")
    assert p.choices == {"keep", "put back"}
    p.do("keep")
    assert (p.hidden(0), p.knows(1, 0)) == ("Mos1 Mos1", "")
    p = Position(hands, "digs", **rest).do("dig Ank1")  # exposed: not asked; the next is blind
    assert p.choices == {"keep", "put back"}
    p = Position(hands, "bonus", earned=True, **rest).do("dig buried")
    assert p.asked == (0, "hide", "adjust")
    p = before_turn("field_assistant", hands, **rest).do("done", "dig buried")
    assert p.asked == (0, "dig", "digs")
    p = Position(hands, "digs", exposed="Ank1", buried="Mos1 Mos1").do("dig buried")
    assert p.asked == (0, "dig", "digs")  # without the variation


# ---------------------------------------------------------------------- 6. exchanges


def test_three_exchanges_for_one_two_and_three_cards():
    """6.1: with any player each time."""
    hands = ["Mos1 Mos1 Bra1 Tri1 Que1 Par1 Ank1 All1 |", "Tyr1 Tyr2 Tyr3 |", "Dil1 Coe1 |"]
    p = Position(hands, buried="Ste1 Ste2")
    p.do("exchange 1", "give Mos1", "take Tyr1")
    p.do("exchange 2", "give Mos1", "give Bra1", "take Dil1")
    p.do("exchange 1", "give Tri1", "give Que1", "give Par1", "take Tyr2")
    assert p.asked == (0, "hide", "adjust")
    assert (p.up(0), p.hidden(0)) == ("All1 Ank1", "Tyr1 Tyr2 Dil1")
    assert p.up(1) == "Tyr3 Tri1 Que1 Par1 Mos1"
    assert p.up(2) == "Bra1 Coe1 Mos1"


def test_partners():
    """6.2: with a card, hidden or not; enough own cards; stopping is always possible."""
    p = Position(["Bra1 |", "| Tyr1", "|", "Dil1 Mos1 |"])
    assert p.choices == {"stop", "exchange 1", "exchange 3"}
    p.do("exchange 3", "take Dil1")
    assert p.asked == (0, "hide", "adjust")  # one card is not enough for a second one
    p = Position(["Bra1 Bra2 |", "| Tyr1", "|", "Dil1 |"]).do("stop")
    assert p.asked == (0, "hide", "adjust")
    p = Position(["|", "Tyr1 |", "Dil1 |"], buried="Ste1 Ste2 Que1 Que2 Par1")
    assert p.asked == (1, "exchange", "exchanges")  # seat 0 had nothing to give or hide


def test_cards_are_given_one_at_a_time():
    """6.3: any own cards; each arrives at once and may complete a skeleton before the next."""
    hands = ["Mos1 Mos1 Bra1 Tri1 | Dei1", "Tyr1 Que1 | Dei2"]
    p = Position(hands).do("exchange 1", "give Bra1", "take Tyr1", "exchange 1")
    assert p.choices == {"give Tyr1", "give Tri1", "give Mos1", "give Dei1"}
    p.do("give Dei1")
    assert p.gains == [0, 12]
    assert p.asked == (0, "give", "exchanges")
    p.do("give Tri1")
    assert p.asked == (0, "take", "exchanges")
    assert p.up(1) == "Bra1 Tri1 Que1"


def test_what_can_be_taken():
    """6.4: face-up types not just given, or a hidden card; one must be taken if possible."""
    hands = ["Mos1 Bra1 |", "Tyr1 Mos1 Que1 | Dei2"]
    p = Position(hands).do("exchange 1", "give Mos1")
    assert p.choices == {"take Tyr1", "take Que1", "take blind"}
    p = Position(["Mos1 Bra1 |", "Mos1 | Dei2"]).do("exchange 1", "give Mos1")
    assert p.hidden(0) == "Dei2"  # all that can be taken
    p = Position(["Mos1 Bra1 |", "Mos1 |"]).do("exchange 1", "give Mos1")
    assert (p.up(0), p.hidden(0), p.up(1)) == ("Bra1", "", "Mos1 Mos1")  # nothing can
    p = Position(["Mos1 Bra1 |", "Mos2 |"]).do("exchange 1", "give Mos1")
    assert (p.up(0), p.hidden(0), p.up(1)) == ("Bra1", "", "")  # the partner completed
    assert p.points == [0, 7]


def test_a_card_taken_goes_to_the_hidden_hand():
    """6.5: and may complete a skeleton, which earns a bonus dig."""
    p = Position(["Mos1 Bra1 |", "Mos2 Que1 |"], buried="Tri1 Tri2", exposed="Ank1")
    p.do("exchange 1", "give Bra1", "take Que1")
    assert (p.up(0), p.hidden(0)) == ("Mos1", "Que1")
    p = Position(["Mos1 Bra1 |", "Mos2 Que1 |"], buried="Tri1 Tri2", exposed="Ank1")
    p.do("exchange 1", "give Bra1", "take Mos2")
    assert p.gains == [7, 0]
    assert p.asked == (0, "dig", "bonus")


def test_without_blind_exchanges():
    """6.6: no hidden card is taken, and a partner has a face-up card; the conference too."""
    options = {"no_blind_exchange": True}
    hands = ["Mos1 Bra1 |", "Tyr1 Que1 | Dei2", "| Tri1"]
    p = Position(hands, options=options)
    assert p.choices == {"stop", "exchange 1"}
    p.do("exchange 1", "give Mos1")
    assert p.choices == {"take Tyr1", "take Que1"}
    hands = ["Mos1 Bra1 |", "Tyr1 Que1 | Dei2", "| Tri1", "Par1 |"]
    rest = {"exposed": "Ank1 Ank2 Ank3", "options": options}
    p = before_turn("conference", hands, **rest).do("hide Par1")
    assert p.asked == (0, "exchange", "event")
    assert p.choices == {"stop", "exchange 1"}


# ---------------------------------------------------------------------- 7 to 9. end of the turn


def test_the_bonus_dig():
    """7.1: for a skeleton of steps 1 to 3, once, and not for one by the bonus dig itself."""
    hands = ["Mos1 Mos1 Dei1 Ste1 |", "Bra1 |"]
    rest = {"exposed": "Mos2 Mos2 Dei2 Ste2 Par1", "buried": "Tri1"}
    p = Position(hands, "digs", **rest).do("dig Mos2", "dig Mos2")  # two skeletons
    assert p.points == [14, 0]
    p.do("stop")
    assert p.asked == (0, "dig", "bonus")
    p.do("dig Dei2")
    assert p.points == [26, 0]
    assert p.asked == (0, "hide", "adjust")
    p = Position(["Mos1 Tyr1 |", "Bra1 |"], "digs", exposed="Mos2 Par1").do("dig Mos2")
    p.do("stop")  # the site is empty
    assert p.asked == (0, "hide", "adjust")
    p = Position(["Mos1 Tyr1 |", "Mos2 |"], exposed="Par1 Par2").do("exchange 1", "give Mos1")
    assert p.points == [0, 7]
    assert p.asked == (0, "hide", "adjust")  # another's skeleton earns nothing; one card is left


def test_the_turn_goes_on_when_the_site_is_empty():
    """8.1: exposed cards count as cards of the site; exchange and adjusting follow."""
    p = Position(["Mos1 Tyr1 |", "Bra1 |"], "digs", exposed="Par1 Par2")
    p.do("dig Par1")
    assert p.asked == (0, "exchange", "exchanges")
    assert p.hidden(0) == "Par1 Par2"
    assert (p.exposed, p.buried) == ("", "")
    p.do("exchange 1", "give Mos1")
    assert p.asked == (0, "exchange", "exchanges")
    p.do("stop")
    assert p.asked == (0, "hide", "adjust")


def test_three_cards_of_all_own_ones_are_hidden():
    """9.1: hidden ones may be laid out and face-up ones hidden; shown when complete."""
    p = Position(["Mos1 Tyr1 | Par1 Par2 Ste1", "Bra1 |"], "adjust", buried="Tri1 Tri2 Tri3")
    p.do("hide Par2", "hide Tyr1")
    assert (p.up(0), p.hidden(0)) == ("Tyr1 Mos1", "Par1 Par2 Ste1")
    p.do("hide Ste1")
    assert (p.up(0), p.hidden(0)) == ("Par1 Mos1", "Tyr1 Par2 Ste1")
    p = Position(["Mos1 | Par1 Par2", "Bra1 |"], "adjust", buried="Tri1 Tri2 Tri3").do("done")
    assert (p.up(0), p.hidden(0)) == ("Par1 Par2 Mos1", "")
    p = Position(["|", "Bra1 Bra2 |"], "adjust", buried="Tri1 Tri2 Tri3")
    assert p.asked[0] == 1  # seat 0 has no cards


def test_too_many_hidden_cards_out_of_turn_stay_until_the_own_step_5():
    """9.2: a donated card makes four hidden ones."""
    hands = ["Dei1 |", "| Mos1 Tyr1 Par1", "Bra1 |"]
    p = before_turn("donation", hands, skeletons=["Mos", "", "Mos"], exposed="Que1 Que2 All1 Ank1")
    p.do("done", "dig Que1", "dig Que2", "dig All1", "stop")
    assert p.hidden(1) == "Tyr1 Que1 Par1 Mos1"
    p.do("done")  # seat 1 digs the last card, a fifth hidden one
    assert p.asked == (1, "exchange", "exchanges")
    assert p.hidden(1) == "Tyr1 Ank1 Que1 Par1 Mos1"
    p.do("stop", "hide Mos1", "hide Tyr1")
    assert p.asked == (1, "hide", "adjust")
    assert len(p.hidden(1).split()) == 5


def test_then_it_is_the_next_seats_turn():
    """9.3: the last seat is followed by seat 0."""
    for seat in range(3):
        hands = ["Dei1 |", "Mos1 |", "Bra1 |"]
        p = Position(hands, "adjust", seat, exposed="Que1 Par1 All1").do("done")
        assert p.asked == ((seat + 1) % 3, "dig", "digs")
