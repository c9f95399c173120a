"""Go Dig in words and drawn: a person can play from it, and reads what the seat may know."""

import numpy as np
import pytest

from bonebed.envs import View, go_dig_v0
from bonebed.kernels import go_dig

RULES = go_dig.RULES
TRICERATOPS, ALLOSAURUS, DEINONYCHUS, STEGOSAURUS = 2, 3, 7, 8


def kind(genus, fossil):
    """Return a type."""
    return int(go_dig.FIRST_OF_GENUS[genus]) + fossil


def position():
    """Return a game of two in which seat 0 has two Triceratops, one known, and two Allosaurus.

    Seat 1 has the third Triceratops and a Deinonychus, which was asked for, and no Allosaurus.
    """
    state = RULES.new(1)
    state.hand[:] = 0
    state.known[:] = 0
    state.hand[0, [kind(TRICERATOPS, 0), kind(TRICERATOPS, 1)]] = 1
    state.known[0, kind(TRICERATOPS, 1)] = 1
    state.hand[0, kind(ALLOSAURUS, 2)] = 2
    state.hand[1, [kind(TRICERATOPS, 2), kind(DEINONYCHUS, 0)]] = 1
    state.pile[:] = 0
    state.pile[[kind(DEINONYCHUS, 1), kind(STEGOSAURUS, 0)]] = 1
    state.asked[:] = 0
    state.asked[1, DEINONYCHUS] = 1
    state.room[0], state.room[1] = 3, 2
    state.room[1, ALLOSAURUS] = 0
    state.skeletons[:] = 0
    state.skeletons[1, 12] = 3
    state.score[:2] = 0, 21
    state.to_play = 0
    state.turns = 9
    go_dig.derive(state)
    return state


def test_the_drawing_shows_players_genera_hands_and_question():
    lines = go_dig_v0.draw(position(), 0).splitlines()
    assert lines[:4] == [
        "                  points  cards  museum",
        "> player 0 (you)       0      4  .",
        "  player 1            21      2  3 Mosasaurus",
        "  dig pile                    2  (turn 10 of 500)",
    ]
    assert lines[5] == "genus              pts set now   genus              pts set now"
    assert "Mosasaurus           7   2   1" in lines[11]  # one of four not laid yet
    hands = lines.index("hand of player 0 (you): * is known to all")
    assert lines[hands:] == [
        "hand of player 0 (you): * is known to all",
        "  Triceratops         skull, ribs/arms*",
        "  Allosaurus          hips/legs, hips/legs",
        "",
        "hand of player 1: 2 hidden cards",
        "  Deinonychus         at least one hidden",
        "  among the hidden: no Allosaurus",
        "",
        "Player 0 asks another player for fossils of a genus of the own hand.",
    ]
    assert max(map(len, lines)) <= 100


def test_the_arbiter_sees_all_hands():
    text = go_dig_v0.draw(position())
    assert "hand of player 1: * is known to all\n  Triceratops         hips/legs\n" in text
    assert "(you)" not in text


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_drawing_is_narrow_enough(players):
    state = RULES.new(players, num_players=players)
    while not state.done:
        for player in (None, *range(players)):
            assert max(map(len, go_dig_v0.draw(state, player).splitlines())) <= 100
        RULES.step(state, int(RULES.legal_actions(state)[state.ply % 2]))
    assert go_dig_v0.draw(state, 0).splitlines()[-1].startswith("The game is over. First place: ")


def test_the_end_names_who_won():
    state = position()
    state.done = 1
    last = "The game is over. First place: player 1, with 21 points."
    assert go_dig_v0.draw(state, 0).splitlines()[-1] == last
    state.score[0] = 21
    last = "The game is over. First place: players 0 and 1, with 21 points."
    assert go_dig_v0.draw(state, 0).splitlines()[-1] == last


def test_actions_have_words():
    state = position()
    words = [go_dig_v0.describe(state, action) for action in RULES.legal_actions(state)]
    assert words == ["ask player 1 for Triceratops", "ask player 1 for Allosaurus"]
    assert go_dig_v0.describe(state, 15) == "ask a player who is not in the game for Triceratops"
    with pytest.raises(ValueError, match="no action 39"):
        go_dig_v0.describe(state, 39)


def test_what_is_handed_over_is_told_to_all():
    state = position()
    after = state.copy()
    state.pile[kind(DEINONYCHUS, 1)] = 0  # which seat 1 would go on to lay
    go_dig.derive(state)
    after = state.copy()
    RULES.step(after, TRICERATOPS)
    told = "ask player 1 for Triceratops: hips/legs; player 0 lays Triceratops for 19"
    for player in (None, 0, 1):
        assert go_dig_v0.tell(state, TRICERATOPS, after, player).startswith(told)


def test_questions_that_the_rules_ask_are_told_too():
    state = position()
    state.pile[kind(DEINONYCHUS, 1)] = 0  # so that Stegosaurus skull is all that can be dug
    go_dig.derive(state)
    after = state.copy()
    RULES.step(after, TRICERATOPS)  # leaves seat 0 with Allosaurus only, then 1 with Deinonychus
    start = "ask player 1 for Triceratops: hips/legs; player 0 lays Triceratops for 19"
    start += '; ask player 1 for Allosaurus: "Go dig!", dig '
    end = '; player 1: ask player 0 for Deinonychus: "Go dig!", but the pile is empty'
    for player, dug in ((None, "Stegosaurus skull"), (0, "Stegosaurus skull"), (1, "a fossil")):
        assert go_dig_v0.tell(state, TRICERATOPS, after, player) == start + dug + end


def dug(first):
    """Return a position whose pile gives a genus first, and what it is after Allosaurus in vain."""
    for seed in range(100):
        state = position()
        state.seed = seed
        after = state.copy()
        RULES.step(after, ALLOSAURUS)
        if (after.hand[0] - state.hand[0])[kind(first, 1 if first == DEINONYCHUS else 0)] == 1:
            return state, after
    raise AssertionError("no such seed")


def test_what_is_dug_in_vain_is_told_to_the_digger_only():
    state, after = dug(STEGOSAURUS)
    start = 'ask player 1 for Allosaurus: "Go dig!", dig '
    assert go_dig_v0.tell(state, ALLOSAURUS, after, 0) == start + "Stegosaurus skull"
    assert go_dig_v0.tell(state, ALLOSAURUS, after, 1) == start + "a fossil"
    assert go_dig_v0.tell(state, ALLOSAURUS, after) == start + "Stegosaurus skull"


def test_a_card_that_is_shown_and_an_empty_pile_are_told_to_all():
    state = position()
    state.pile[:] = 0
    state.pile[kind(ALLOSAURUS, 0)] = 2
    go_dig.derive(state)
    after = state.copy()
    RULES.step(after, ALLOSAURUS)
    told = 'ask player 1 for Allosaurus: "Go dig!", dig Allosaurus skull, which is shown'
    assert go_dig_v0.tell(state, ALLOSAURUS, after, 1) == told
    state.pile[:] = 0
    go_dig.derive(state)
    after = state.copy()
    RULES.step(after, np.int64(ALLOSAURUS))
    told = 'ask player 1 for Allosaurus: "Go dig!", but the pile is empty'
    assert go_dig_v0.tell(state, ALLOSAURUS, after, 1) == told


def test_a_view_has_the_same_words_and_drawing():
    state = position()
    view = View.of(RULES, state, seed=1)
    assert view.text() == go_dig_v0.draw(state, 0)
    for action in view.actions.tolist():
        assert view.words(action) == go_dig_v0.describe(state, action)
