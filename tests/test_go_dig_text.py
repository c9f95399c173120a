"""Go Dig in words and drawn: a person can play from it, and reads what the seat may know."""

import numpy as np
import pytest

from bonebed.envs import View, go_dig_v0
from bonebed.kernels import go_dig

RULES = go_dig.RULES
TRICERATOPS, ALLOSAURUS, QUETZALCOATLUS, PARASAUROLOPHUS = 2, 3, 5, 6
DEINONYCHUS, STEGOSAURUS, MOSASAURUS = 7, 8, 12


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
    state.skeletons[1, MOSASAURUS] = 3
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


def test_one_hidden_card_is_one():
    state = position()
    state.hand[1, kind(DEINONYCHUS, 0)] = 0
    go_dig.derive(state)
    assert "hand of player 1: 1 hidden card" in go_dig_v0.draw(state, 0).splitlines()


def limits(state, player):
    """Return what a seat reads of the genera that the hidden cards of seat 1 are not of."""
    lines = go_dig_v0.draw(state, player).splitlines()
    return [line.split(": ")[1] for line in lines if line.startswith("  among the hidden: ")]


def test_a_limit_is_shown_where_more_cards_could_be_there():
    """Seat 1 has ten hidden cards. Of 2 x 3 Quetzalcoatlus at most four make no skeleton."""
    state = position()
    state.skeletons[:] = state.score[:] = 0
    state.hand[1, kind(MOSASAURUS, 0)] = 4
    state.hand[1, [kind(QUETZALCOATLUS, 0), kind(PARASAUROLOPHUS, 0)]] = 2
    state.room[1] = 10
    go_dig.derive(state)
    assert state.hidden[1] == 10
    assert limits(state, 0) == []
    for room, shown in ((7, []), (4, []), (3, ["at most 3 Quetzalcoatlus"])):
        state.room[1, QUETZALCOATLUS] = room
        assert limits(state, 0) == shown
    state.room[1, MOSASAURUS] = 0
    assert limits(state, 0) == ["at most 3 Quetzalcoatlus, no Mosasaurus"]


@pytest.mark.parametrize(
    ("genus", "room", "shown"),
    [
        (ALLOSAURUS, 1, ["at most 1 Allosaurus"]),  # 2 skulls, 2 ribs: not with both hips/legs
        (DEINONYCHUS, 1, []),  # the second one would complete it
        (TRICERATOPS, 1, []),  # skull and ribs/arms are seat 0's
        (TRICERATOPS, 0, ["no Triceratops"]),
        (MOSASAURUS, 1, []),  # three of four are laid, the skull and the body of the last are left
        (MOSASAURUS, 0, ["no Mosasaurus"]),
        (STEGOSAURUS, 0, ["no Stegosaurus"]),
    ],
)
def test_a_limit_depends_on_what_lies_elsewhere(genus, room, shown):
    state = position()
    state.room[1] = 2
    state.room[1, genus] = room
    assert limits(state, 0) == shown


def test_a_limit_that_the_museums_show_is_left_out():
    state = position()
    state.room[1, MOSASAURUS] = state.room[1, ALLOSAURUS] = 0
    state.skeletons[0, MOSASAURUS] = 1  # the last one
    assert limits(state, 0) == ["no Allosaurus"]


def test_a_limit_depends_on_known_cards():
    """Seat 1 is known to have a Mosasaurus skull, so a body would complete it."""
    state = position()
    state.skeletons[:] = state.score[:] = 0
    state.hand[1, kind(MOSASAURUS, 0)] = state.known[1, kind(MOSASAURUS, 0)] = 1
    state.hand[1, kind(STEGOSAURUS, 0)] = state.hand[1, kind(PARASAUROLOPHUS, 0)] = 1
    state.room[1] = 4
    go_dig.derive(state)
    assert state.hidden[1] == 4
    state.room[1, MOSASAURUS] = 3
    assert limits(state, 0) == []  # three more skulls exist
    state.room[1, MOSASAURUS] = 2
    assert limits(state, 0) == ["at most 2 Mosasaurus"]


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
    last = go_dig_v0.draw(state, 0).splitlines()[-1]
    assert last.startswith("The game is over")
    assert ". First place: player" in last


def test_the_end_names_who_won():
    state = position()
    state.done = 1
    last = "The game is over. First place: player 1, with 21 points."
    assert go_dig_v0.draw(state, 0).splitlines()[-1] == last
    state.score[0] = 21
    last = "The game is over. First place: players 0 and 1, with 21 points."
    assert go_dig_v0.draw(state, 0).splitlines()[-1] == last


def test_the_last_turn_is_named_as_the_end():
    state = position()
    state.turns = 499
    state.pile[:] = 0
    go_dig.derive(state)
    after = state.copy()
    RULES.step(after, ALLOSAURUS)
    assert go_dig_v0.tell(state, ALLOSAURUS, after, 0) == (
        'ask player 1 for Allosaurus: "Go dig!", but the pile is empty; that was turn 500, the last'
        " one"
    )
    assert go_dig_v0.draw(after, 0).splitlines()[-1] == (
        "The game is over after turn 500, the last one. First place: player 1, with 21 points."
    )


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
    told = "ask player 1 for Triceratops: gets hips/legs; player 0 lays Triceratops for 19"
    for player in (None, 0, 1):
        assert go_dig_v0.tell(state, TRICERATOPS, after, player).startswith(told)


def test_questions_that_the_rules_ask_are_told_too():
    state = position()
    state.pile[kind(DEINONYCHUS, 1)] = 0  # so that Stegosaurus skull is all that can be dug
    go_dig.derive(state)
    after = state.copy()
    RULES.step(after, TRICERATOPS)  # leaves seat 0 with Allosaurus only, then 1 with Deinonychus
    start = "ask player 1 for Triceratops: gets hips/legs; player 0 lays Triceratops for 19"
    start += '; ask player 1 for Allosaurus (the only question): "Go dig!", dig '
    end = "; player 1: ask player 0 for Deinonychus (the only question): "
    end += '"Go dig!", but the pile is empty'
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


def emptied(*hand):
    """Return a position of three: seat 1 has these cards, a Stegosaurus skull is the pile."""
    state = position()
    state.num_players = 3
    state.hand[1] = 0
    for genus, fossil in hand:
        state.hand[1, kind(genus, fossil)] = 1
    state.pile[:] = 0
    state.pile[kind(STEGOSAURUS, 0)] = 1
    go_dig.derive(state)
    return state


def told_of(state, action):
    """Return what the arbiter and the seats are told of a step."""
    after = state.copy()
    RULES.step(after, action)
    return [go_dig_v0.tell(state, action, after, player) for player in (None, 0, 1, 2)]


def test_a_card_for_an_emptied_hand_is_told_to_its_owner_only():
    state = emptied((TRICERATOPS, 2))
    words = "ask player 1 for Triceratops: gets hips/legs; player 1 takes {} for the empty hand"
    words += "; player 0 lays Triceratops for 19"
    known, hidden = words.format("Stegosaurus skull"), words.format("a fossil")
    assert told_of(state, TRICERATOPS) == [known, hidden, known, hidden]
    state.pile[:] = 0
    go_dig.derive(state)
    words = words.replace("; player 1 takes {} for the empty hand", "")
    assert told_of(state, TRICERATOPS) == [words] * 4


def test_a_card_for_the_own_hand_that_laying_emptied_is_told_to_its_owner_only():
    state = emptied((TRICERATOPS, 2), (DEINONYCHUS, 0))
    state.hand[0, kind(ALLOSAURUS, 2)] = 0
    go_dig.derive(state)
    words = "ask player 1 for Triceratops: gets hips/legs; player 0 lays Triceratops for 19"
    words += "; player 0 takes {} for the empty hand"
    known, hidden = words.format("Stegosaurus skull"), words.format("a fossil")
    assert told_of(state, TRICERATOPS) == [known, known, hidden, hidden]


def test_two_cards_for_two_empty_hands_are_told_in_their_order():
    """The asked player's hand is filled first, 4.2: both seats read the truth of their own card."""
    state = emptied((TRICERATOPS, 2))
    state.hand[0, kind(ALLOSAURUS, 2)] = 0
    state.pile[[kind(STEGOSAURUS, 0), kind(PARASAUROLOPHUS, 1)]] = 1
    go_dig.derive(state)
    names = {kind(STEGOSAURUS, 0): "Stegosaurus skull"}
    names[kind(PARASAUROLOPHUS, 1)] = "Parasaurolophus ribs/arms"
    firsts = set()
    for seed in range(10):
        state.seed = seed
        after = state.copy()
        RULES.step(after, TRICERATOPS)
        own = [names[int(after.hand[seat].argmax())] for seat in (0, 1)]
        firsts.add(own[1])
        words = "ask player 1 for Triceratops: gets hips/legs; player 1 takes {1} for the empty"
        words += " hand; player 0 lays Triceratops for 19; player 0 takes {0} for the empty hand"
        seen = [own, (own[0], "a fossil"), ("a fossil", own[1]), ("a fossil", "a fossil")]
        assert told_of(state, TRICERATOPS) == [words.format(*cards) for cards in seen]
    assert len(firsts) == 2


def test_a_dug_card_is_not_taken_for_one_of_an_empty_hand():
    """Seat 0 has a Stegosaurus skull only, and digs the body, another card, or both in a row."""
    state = emptied((DEINONYCHUS, 0))
    state.hand[0] = state.known[0] = 0
    state.hand[0, kind(STEGOSAURUS, 0)] = 1
    state.pile[:] = 0
    state.pile[kind(STEGOSAURUS, 1)] = 1
    go_dig.derive(state)
    words = 'ask player 1 for Stegosaurus: "Go dig!", dig Stegosaurus body, which is shown'
    words += "; player 0 lays Stegosaurus for 11"
    assert told_of(state, STEGOSAURUS) == [words] * 4
    both = words + "; player 0 takes {} for the empty hand"
    other = 'ask player 1 for Stegosaurus: "Go dig!", dig {}'
    state.pile[kind(DEINONYCHUS, 1)] = 1
    go_dig.derive(state)
    first = set()
    for seed in range(10):
        state.seed = seed
        told = told_of(state, STEGOSAURUS)
        words = other if "shown" not in told[0] else both
        known, hidden = words.format("Deinonychus body"), words.format("a fossil")
        assert told == [known, known, hidden, hidden]
        first.add(words)
    assert first == {both, other}


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
