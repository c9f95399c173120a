"""Memory Game in words and drawn: a person can play from it, and it shows what was turned up."""

import pytest

from bonebed.envs import View, memory_game_v0
from bonebed.kernels import memory_game

RULES = memory_game.RULES


def position():
    """Return a game in which player 0 has Tyrannosaurus and one of three Triceratops is face up."""
    state = RULES.new(1)
    state.cell[:] = memory_game.NO_CARD
    state.cell[[0, 5, 8, 12, 23]] = 2, 6, 2, 6, 2
    state.seen[[0, 5, 8]] = 1
    state.up[8] = 1
    state.museum[0, 0] = 1
    state.museum[1, [1, 3, 4, 5, 7, 8]] = 1
    state.score[:] = 25, 86
    state.to_play = 1
    state.turns = 40
    return state


def test_the_drawing_shows_table_players_and_question():
    lines = memory_game_v0.draw(position(), 1).splitlines()
    assert lines[:5] == [
        "      a     b     c     d     e     f",
        "  1  Tri    .     .     .     .    Ste",
        "  2   .     .   [Tri]   .     .     .",
        "  3   ?     .     .     .     .     .",
        "  4   .     .     .     .     .     ?",
    ]
    assert lines[6:9] == [
        "                  points  museum",
        "  player 0            25  Tyr",
        "> player 1 (you)      86  Bra All Ank Dei Pac Coe",
    ]
    assert lines[-1] == "Player 1 has 1 of 3 Triceratops face up and turns up another card."
    assert "turn 41 of 500" in lines[-3]
    assert max(map(len, lines)) <= 80


def test_the_arbiter_sees_every_card():
    lines = memory_game_v0.draw(position()).splitlines()
    assert lines[3].split() == ["3", "?Ste", ".", ".", ".", ".", "."]
    assert "(you)" not in "\n".join(lines)


@pytest.mark.parametrize(
    ("changes", "question"),
    [
        ({"up": 0}, "Player 1 turns up a card."),
        ({"done": 1}, "The game is over. First place: player 1, with 86 points."),
        ({"done": 1, "score": 9}, "The game is over. First place: players 0 and 1, with 9 points."),
    ],
)
def test_the_last_line_says_what_is_asked(changes, question):
    state = position()
    for name, value in changes.items():
        state[name] = value
    assert memory_game_v0.draw(state, 0).splitlines()[-1] == question


def test_actions_have_words_with_the_genus_where_it_is_known():
    state = position()
    words = [memory_game_v0.describe(state, action) for action in (0, 5, 12, 23)]
    assert words == [
        "turn up a1 (Triceratops)",
        "turn up f1 (Stegosaurus)",
        "turn up a3",
        "turn up f4",
    ]
    with pytest.raises(ValueError, match="no action 24"):
        memory_game_v0.describe(state, 24)


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ([0], "turn up a1: Triceratops"),
        ([5], "turn up f1: Stegosaurus, another genus: all face down again"),
        ([0, 23], "turn up f4: Triceratops, which completes it for 19 points"),
    ],
)
def test_what_a_step_did_is_told_to_both(actions, told):
    state = position()
    for action in actions:
        before = state.copy()
        RULES.step(state, action)
    for player in (None, 0, 1):
        assert memory_game_v0.tell(before, actions[-1], state, player) == told


def test_the_last_card_is_told_that_the_rules_turn_up():
    """6.1: two Stegosaurus lie alone, then the two Triceratops beside one that is face up."""
    state = position()
    state.cell[[0, 8, 23]] = memory_game.NO_CARD
    state.seen[[0, 8]] = state.up[8] = 0
    state.museum[0, 2] = 1
    before = state.copy()
    RULES.step(state, 12)
    assert state.done
    told = "turn up a3: Stegosaurus, then f1 (the only one face down), which completes it for 11"
    assert memory_game_v0.tell(before, 12, state, 0) == f"{told} points"
    state = position()
    state.cell[[5, 12]] = memory_game.NO_CARD
    state.seen[5] = 0
    state.museum[0, 6] = 1
    before = state.copy()
    RULES.step(state, 23)
    told = "turn up f4: Triceratops, then a1 (the only one face down), which completes it for 19"
    assert memory_game_v0.tell(before, 23, state, 1) == f"{told} points"
    last = "The game is over. First place: player 1, with 105 points."
    assert memory_game_v0.draw(state, 0).splitlines()[-1] == last


def test_the_last_turn_is_named_as_the_end():
    state = position()
    state.turns = 499
    before = state.copy()
    RULES.step(state, 5)
    assert memory_game_v0.tell(before, 5, state) == (
        "turn up f1: Stegosaurus, another genus: all face down again; that was turn 500, the last"
        " one"
    )
    assert memory_game_v0.draw(state, 0).splitlines()[-1] == (
        "The game is over after turn 500, the last one. First place: player 1, with 86 points."
    )


def test_short_names_differ():
    assert " ".join(memory_game_v0.SHORT) == "Tyr Bra Tri All Ank Dei Ste Pac Coe"


def test_a_view_has_the_same_words_and_drawing():
    state = position()
    view = View.of(RULES, state, seed=1)
    assert view.text() == memory_game_v0.draw(state, 1)
    for action in view.actions.tolist():
        assert view.words(action) == memory_game_v0.describe(state, action)
