"""20 Questions in words and drawn: a person can play from it."""

import numpy as np
import pytest

from bonebed.agents.human import Choices, tokens
from bonebed.envs import View, twenty_questions_v0
from bonebed.kernels import twenty_questions as kernel

RULES = kernel.RULES
ACTIONS = RULES.actions


def position(*done, players=2, top=("Triceratops", "Mosasaurus", "Camptosaurus")):
    """Return a game with these cards on top of the stack in which some actions were taken."""
    state = RULES.new(1, num_players=players)
    stack = state.stack.tolist()
    first = [kernel.GENERA.index(genus) for genus in top]
    for genus in first:
        stack.remove(genus)
    state.stack[:] = first + stack
    kernel.derive(state)
    for action in done:
        RULES.step(state, action)
    return state


def ask(block, **values):
    """Return the number of an action."""
    return ACTIONS.encode(block, **values)


HERBIVORE = ask("diet_is", diet=0)
MESOZOIC = ask("period_is", period=2)
SHORT = ask("length_below_m", length=2)
TRICERATOPS = ask("genus_is", genus=2)


def test_the_drawing_shows_genera_players_answers_and_question():
    state = position(TRICERATOPS, kernel.PASS, kernel.PASS, HERBIVORE, MESOZOIC, players=3)
    lines = twenty_questions_v0.draw(state, 1).splitlines()
    # Seat 0 won the Triceratops and answers; seat 1 passed Mosasaurus and Camptosaurus.
    assert lines[0] == (
        "                     cards  period     diet      fossils skeletons value research length"
        "      mass"
    )
    assert lines[3] == (
        "  Triceratops          2/3  Cretaceous herbivore       3         1    19        .  8.5 m"
        "   7000 kg"
    )
    assert lines[14] == (
        "  Camptosaurus         0/1  Jurassic   herbivore       .         .     .        3    6 m"
        "    700 kg"
    )
    assert len({len(line) for line in lines[:20]}) == 1
    assert lines[20] == (
        "* can be the card in question, . does not stand on the card;"
        " cards: not seen yet / in the box."
    )
    assert lines[22:27] == [
        "  player 0        1 card, 19 questions left: Triceratops",
        "> player 1 (you)  0 cards, 18 questions left",
        "  player 2        0 cards, 20 questions left",
        "  stack           60 cards",  # of 64 without three that were seen and the one in question
        "  discarded       2 cards: Mosasaurus, Camptosaurus",
    ]
    assert lines[-1] == (
        "Player 1 asks player 0 a question about the card, guesses its genus, or passes."
    )
    assert max(map(len, lines)) <= 100


def test_the_answers_are_listed_under_the_players():
    state = position(HERBIVORE, MESOZOIC, SHORT, ask("is_trace"))
    lines = twenty_questions_v0.draw(state, 0).splitlines()
    assert lines[-4:-1] == [
        "Yes: is it Cretaceous, is it a herbivore",
        "No: is it a trace fossil, is its length < 8 m",
        "",
    ]
    marked = [line.split()[1] for line in lines if line.startswith("* ")][:-1]
    assert marked == ["Triceratops", "Parasaurolophus"]  # the long Cretaceous plant eaters


def test_a_long_list_of_answers_goes_on_at_a_small_indent():
    lines = twenty_questions_v0.draw(position(*range(3, 9)), 0).splitlines()
    assert lines[-4:-1] == [
        "No: is it Allosaurus, is it Ankylosaurus, is it Quetzalcoatlus, is it Parasaurolophus,",
        "    is it Deinonychus, is it Stegosaurus",
        "",
    ]


def test_the_stack_is_counted_to_its_end():
    state = RULES.new(2)
    for left in range(63, 0, -1):
        assert f"  stack           {left} card{'s' * (left > 1)}\n" in twenty_questions_v0.draw(
            state
        )
        RULES.step(state, kernel.PASS)
    assert "  stack           0 cards\n" in twenty_questions_v0.draw(state)
    RULES.step(state, kernel.PASS)
    assert state.done
    assert "  stack           0 cards\n" in twenty_questions_v0.draw(state)


@pytest.mark.parametrize(("player", "shown"), [(0, False), (1, False), (2, True), (None, True)])
def test_the_card_is_drawn_for_the_answerer_only(player, shown):
    drawing = twenty_questions_v0.draw(position(players=3), player)
    assert ("The card in question is Triceratops." in drawing) == shown
    assert ("(you)" in drawing) == (player is not None)


def test_long_lists_of_cards_are_wrapped():
    state = RULES.new(2)
    for _ in range(60):
        RULES.step(state, kernel.PASS)
    assert max(map(len, twenty_questions_v0.draw(state, 0).splitlines())) <= 100


def test_where_a_card_may_not_be_passed_the_last_line_says_so():
    state = RULES.new(1, free_pass=False)
    last = twenty_questions_v0.draw(state, 0).splitlines()[-1]
    assert last == "Player 0 asks player 1 a question about the card, or guesses its genus."


@pytest.mark.parametrize(
    ("hands", "last"),
    [
        (["Mosasaurus", ""], "First place: player 0, with 1 card"),
        (["Camptosaurus", "Triceratops"], "First place: player 0, with 1 card, by the best fossil"),
        (["Triceratops", "Triceratops"], "First place: players 0 and 1, with 1 card"),
    ],
)
def test_the_end_names_the_winner(hands, last):
    state = RULES.new(1)
    for seat, genus in enumerate(hands):
        if genus:
            state.held[seat, kernel.GENERA.index(genus)] = state.score[seat] = 1
    state.done, state.phase, state.candidates, state.top = 1, kernel.Phase.OVER, 0, kernel.N_CARDS
    drawing = twenty_questions_v0.draw(state, 0).splitlines()
    assert drawing[-1] == f"The game is over: no card is left. {last}."
    assert not any(line.startswith(">") for line in drawing)


@pytest.mark.parametrize(
    ("block", "values", "words"),
    [
        ("genus_is", {"genus": 2}, "is it Triceratops?"),
        ("period_is", {"period": 0}, "is it Triassic?"),
        ("diet_is", {"diet": 1}, "is it a carnivore?"),
        ("is_trace", {}, "is it a trace fossil?"),
        ("fossils_is", {"number": 2}, "are there 4 fossils in its skeleton?"),
        ("skeletons_is", {"number": 0}, "is there 1 skeleton of it?"),
        ("skeletons_is", {"number": 2}, "are there 4 skeletons of it?"),
        ("value_at_least", {"value": 11}, "is its value >= 25?"),
        ("research_at_least", {"research": 0}, "is its research >= 2?"),
        ("length_below_m", {"length": 2}, "is its length < 8 m?"),
        ("mass_below_kg", {"mass": 3}, "is its mass < 10000 kg?"),
        ("pass_card", {}, "pass"),
    ],
)
def test_actions_have_words(block, values, words):
    state = position()
    before = state.tobytes()
    assert twenty_questions_v0.describe(state, ask(block, **values)) == words
    assert state.tobytes() == before


def test_words_say_what_is_known_already():
    state = position(HERBIVORE)
    assert twenty_questions_v0.describe(state, HERBIVORE) == "is it a herbivore? (known: yes)"
    assert twenty_questions_v0.describe(state, 0) == "is it Tyrannosaurus? (known: no)"
    assert twenty_questions_v0.describe(state, TRICERATOPS) == "is it Triceratops?"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("tricer", "is it Triceratops?"),
        ("carni", "is it a carnivore?"),
        ("trace", "is it a trace fossil?"),
        ("value 15", "is its value >= 15?"),
        ("length 8", "is its length < 8 m?"),
        ("mass 100", "is its mass < 100 kg?"),
        ("2 fossils", "are there 2 fossils in its skeleton?"),
        ("4 skeletons", "are there 4 skeletons of it?"),
        ("pass", "pass"),
    ],
)
def test_moves_are_short_to_type(typed, words):
    state = position()
    lines = [twenty_questions_v0.describe(state, a) for a in RULES.legal_actions(state)]
    (found,) = Choices(lines).matching(tokens(typed))
    assert lines[found] == words


def told(state, action):
    """Return what a step tells everybody, and what it tells more to the arbiter and the seats."""
    after = state.copy()
    RULES.step(after, action)
    lines = [
        twenty_questions_v0.tell(state, action, after, player)
        for player in (None, *range(state.num_players))
    ]
    common = min(lines, key=len)
    assert all(line.startswith(common) for line in lines)
    return common, *(line.removeprefix(common) for line in lines)


SAME = ("", "", "")  # to the arbiter and two seats


def test_a_step_tells_everybody_the_answer():
    state = position()
    assert told(state, HERBIVORE) == ("is it a herbivore? yes", *SAME)
    assert told(state, SHORT) == ("is its length < 8 m? no", *SAME)
    assert told(state, 0) == ("is it Tyrannosaurus? no", *SAME)


def test_who_answers_next_is_told_the_new_card():
    """The seat that passes is told less than the answerer; who guesses right answers next."""
    state = position()
    by_1 = ("; player 1 draws Mosasaurus", "", "; you draw Mosasaurus")
    by_0 = ("; player 0 draws Mosasaurus", "; you draw Mosasaurus", "")
    won = "is it Triceratops? yes, and takes the card"
    assert told(state, TRICERATOPS) == (won, *by_0)
    assert told(state, kernel.PASS) == ("pass; the card was Triceratops", *by_1)
    state = position(*[SHORT] * 19)
    last = "is it a herbivore? yes; that was the last question, and the card was Triceratops"
    assert told(state, HERBIVORE) == (last, *by_0)  # 4.2: seat 1 is the only one that can ask
    assert told(state, TRICERATOPS) == (won, *by_0)


def test_of_three_only_the_answerer_is_told_the_new_card():
    state = position(players=3)
    by_2 = ("; player 2 draws Mosasaurus", "", "", "; you draw Mosasaurus")
    assert told(state, kernel.PASS) == ("pass; the card was Triceratops", *by_2)
    state = position(*[SHORT] * 19, players=3)
    last = "is it a herbivore? yes; that was the last question, and the card was Triceratops"
    assert told(state, HERBIVORE) == (last, *by_2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_new_card_changes_what_the_answerer_is_told_and_nothing_else(players):
    """Whatever lies below the card in question, the other seats read the same; three games each."""
    changed = 0
    for seed in range(3):
        state = RULES.new(seed, num_players=players)
        luck = np.random.default_rng(seed)
        while not state.done:
            card = int(state.stack[state.top])
            action = int(luck.choice([card, kernel.PASS, luck.choice(kernel.ASKABLE)]))
            other = state.copy()
            luck.shuffle(other.stack[state.top + 1 :])
            lines = []
            for game in (state, other):
                after = game.copy()
                RULES.step(after, action)
                drawn = after.top > game.top and not after.done
                lines.append(
                    [twenty_questions_v0.tell(game, action, after, p) for p in range(players)]
                )
                if drawn:
                    name = kernel.GENERA[after.stack[after.top]]
                    common, you = lines[-1].pop(int(after.answerer)).split("; you draw ")
                    assert you == name
                    assert twenty_questions_v0.tell(game, action, after) == (
                        f"{common}; player {after.answerer} draws {name}"
                    )
                    lines[-1].append(common)
            assert len(set(lines[0] + lines[1])) == 1
            changed += int(drawn and other.stack[other.top + 1] != state.stack[state.top + 1])
            RULES.step(state, action)
    assert changed > 20


def test_the_end_says_why():
    state = position()
    state.stack[-1] = kernel.GENERA.index("Utahraptor")
    state.top = kernel.N_CARDS - 1
    kernel.derive(state)
    no_card = "; no card is left: the game ends"
    assert told(state, kernel.PASS) == (f"pass; the card was Utahraptor{no_card}", *SAME)
    state = position()
    state.asked[:2] = 19, 20
    end = "; all questions are asked: the game ends"
    assert told(state, TRICERATOPS) == (
        f"is it Triceratops? yes, and takes the card{end}",
        *SAME,
    )
    assert told(state, 0) == (
        f"is it Tyrannosaurus? no; that was the last question, and the card was Triceratops{end}",
        *SAME,
    )
    RULES.step(state, TRICERATOPS)
    drawing = twenty_questions_v0.draw(state, 0)
    last = "The game is over: all questions are asked. First place: player 0, with 1 card."
    assert drawing.splitlines()[-1] == last
    assert "  stack           63 cards\n" in drawing  # none was drawn any more


def test_an_action_that_there_is_not_has_no_words():
    with pytest.raises(ValueError, match="no action 55"):
        twenty_questions_v0.describe(position(), 55)


def test_a_view_has_the_same_words_and_a_drawing_without_the_card():
    view = View.of(RULES, position(HERBIVORE), seed=1)
    assert view.text() == twenty_questions_v0.draw(position(HERBIVORE), 0)
    assert view.words(np.int64(TRICERATOPS)) == "is it Triceratops?"
