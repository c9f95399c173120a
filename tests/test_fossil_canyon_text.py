"""Fossil Canyon in words and drawn: a person can play from it, and nobody is told too much."""

import random

import numpy as np
import pytest

from bonebed.envs import fossil_canyon_v0 as face
from bonebed.envs import fossil_canyon_words as words
from bonebed.kernels import canyon_cards as cards
from bonebed.kernels import fossil_canyon as canyon
from bonebed.kernels.fossil_canyon import NONE, Phase, Stage

RULES = canyon.RULES
ACTIONS = RULES.actions
HEAPS = ("buried", "discard", "exposed", "up", "hidden", "known", "picked", "given")


def card(name: str) -> int:
    """Return the type of a card from the beginning of its words."""
    (kind,) = [kind for kind, words_of in enumerate(words.TYPES) if words_of.startswith(name)]
    return kind


def put(heap, *names: str) -> None:
    """Add cards to a heap."""
    for name in names:
        heap[card(name)] += 1


def position():
    """Return a game of three in which seat 0 is to dig its second fossil.

    buried    Tyrannosaurus ribs, Mosasaurus skull, Camptosaurus   discarded  Deinonychus skull
    exposed   Triceratops skull, two Mosasaurus bodies
    player 0  up Allosaurus skull, two Mosasaurus skulls; hidden Triceratops ribs, Utahraptor
    player 1  up Allosaurus hips; hidden Tyrannosaurus tail (seen by 0), Brachiosaurus skull
    player 2  hidden Triceratops hips
    """
    state = RULES.new(seed=1, num_players=3)
    for heap in (*HEAPS, "skeletons", "awards", "score", "gain"):
        state[heap] = 0
    put(state.buried, "Tyrannosaurus ribs", "Mosasaurus skull", "Camptosaurus")
    put(state.discard, "Deinonychus skull")
    put(state.exposed, "Triceratops skull", "Mosasaurus body", "Mosasaurus body")
    put(state.up[0], "Allosaurus skull", "Mosasaurus skull", "Mosasaurus skull")
    put(state.hidden[0], "Triceratops ribs", "Utahraptor")
    put(state.up[1], "Allosaurus hips")
    put(state.hidden[1], "Tyrannosaurus tail", "Brachiosaurus skull")
    put(state.known[0, 1], "Tyrannosaurus tail")
    put(state.hidden[2], "Triceratops hips")
    state.skeletons[0, cards.GENERA.index("Ankylosaurus")] = 2
    state.skeletons[2, cards.GENERA.index("Coelophysis")] = 1
    state.awards[2, 0] = 1
    state.score[:3] = 34, 0, 29
    state.deck[:] = [0] * 6 + [1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 7, 8]
    state.drawn, state.event, state.active, state.to_play = 5, 0, 0, 0
    state.stage, state.phase, state.digs = Stage.DIGS, Phase.DIG, 1
    return state


def at(phase: str, stage: str = "EXCHANGES", **fields: object):
    """Return the position with some fields changed."""
    state = position()
    state.phase, state.stage, state.digs = Phase[phase], Stage[stage], 0
    for name, value in fields.items():
        state[name] = value
    return state


def act(state, block: str, name: str = "", **values: int):
    """Return the action, the state before it and the state after it."""
    if name:
        values["type"] = card(name)
    action = ACTIONS.encode(block, **values)
    assert action in RULES.legal_actions(state)
    before = state.copy()
    RULES.step(state, np.int64(action))
    return before, action, state


def told(move, player=None) -> str:
    """Return what a seat is told about the return value of `act`."""
    return face.tell(*move, player)


# --- the drawing ----------------------------------------------------------------------------------


@pytest.mark.rules
def test_a_seat_sees_its_cards_what_lies_open_and_what_it_remembers():
    assert face.draw(position(), 0).splitlines() == [
        "Turn 5, of player 0: erosion (exposes 1 fossil)",
        "Events left in the deck: 1 erosion, 2 heavy erosion, 2 sandstorm, 2 field assistant, "
        "1 donation,",
        "  2 courier mixup, 1 press leak, 1 conference, 1 calm day",
        "Dig site: 3 buried; exposed: Triceratops skull, Mosasaurus body, Mosasaurus body",
        "",
        "                           pts  site unseen you (0) player 1 player 2",
        "Tyrannosaurus      Cre car  25  .    R      .       ___t     .",
        "Brachiosaurus      Jur her  20  .    S      .       .        .",
        "Triceratops        Cre her  19  S    H      _r_     .        .",
        "Allosaurus         Jur car  18  .    .      S__     __H      .",
        "Deinonychus        Cre car  12  .    S      .       .        .",
        "Mosasaurus         Cre car   7  2B   S      2S_     .        .",
        "trace fossils         research",
        "Camptosaurus                 3  .    X      .       .        .",
        "Utahraptor                   3  .    .      x       .        .",
        "fossils held                                5       3        1",
        "hidden                                      2       2        1",
        "hidden, unknown to you                      .       1        1",
        "",
        "> player 0 (you)  34 points   Ankylosaurus 2 x 17",
        "  player 1         0 points",
        "  player 2        29 points   Coelophysis 9, major award 20",
        "",
        "Awards left: 0 major (20 points for research 6), 3 minor (10 points for research 4)",
        "Bonuses at the end: 8 for the most carnivore skeletons, "
        "11 for the most Jurassic skeletons,",
        "  14 for Ankylosaurus + Pachycephalosaurus + Parasaurolophus + Triceratops",
        "",
        "S skull, R ribs/arms, H hips/legs, T tail, B body, X trace; "
        "2S two, small letters hidden, _ missing",
        "Tri Triassic, Jur Jurassic, Cre Cretaceous; her herbivore, car carnivore; . none",
        "unseen: cards of which you do not know the place",
        "",
        "Player 0 digs fossil 2 of 2.",
    ]


def rows(drawing: str) -> dict[str, list[str]]:
    """Return the cells of the table by genus, site first."""
    lines = [line.split() for line in drawing.splitlines()]
    return {cells[0]: cells[-5:] for cells in lines if len(cells) > 5 and cells[0] in cards.GENERA}


@pytest.mark.rules
def test_another_seat_sees_the_same_table_from_its_own_place():
    table = rows(face.draw(position(), 2))
    # site, unseen, then player 2, player 0, player 1; the tail is not known to player 2
    assert table["Tyrannosaurus"] == [".", "RT", ".", ".", "."]
    assert table["Triceratops"] == ["S", "R", "__h", ".", "."]
    assert table["Allosaurus"] == [".", ".", ".", "S__", "__H"]
    assert table["Utahraptor"] == [".", "X", ".", ".", "."]


@pytest.mark.rules
def test_an_arbiter_sees_everything():
    drawing = face.draw(position())
    table = rows(drawing)
    # site, buried, then the seats in order
    assert table["Tyrannosaurus"] == [".", "R", ".", "___t", "."]
    assert table["Brachiosaurus"] == [".", ".", ".", "s__", "."]
    assert table["Triceratops"] == ["S", ".", "_r_", ".", "__h"]
    assert table["Utahraptor"] == [".", ".", "x", ".", "."]
    assert "Discarded unseen: Deinonychus skull" in drawing.splitlines()
    assert "you" not in drawing


@pytest.mark.rules
def test_from_the_second_pass_on_the_next_event_is_known():
    state = position()
    state.drawn = 18 + 7  # 4.1: deck[7] is the second heavy erosion
    assert face.draw(state, 1).splitlines()[1] == "Next event: heavy erosion (exposes 2 fossils)"


@pytest.mark.rules
def test_only_the_seat_itself_and_an_arbiter_see_a_secret_choice():
    state = at("HIDE", "ADJUST")
    put(state.picked[0], "Allosaurus skull", "Utahraptor")
    line = "will hide: Allosaurus skull, Utahraptor feather impression"
    assert f"You {line}" in face.draw(state, 0)
    assert f"Player 0 {line}" in face.draw(state)
    assert "will hide" not in face.draw(state, 1)
    state = at("SEND", "EVENT", to_play=1, event=5)
    state.chosen[0] = card("Utahraptor")
    assert "You will pass on: Utahraptor feather impression" in face.draw(state, 0)
    assert "Utahraptor feather" not in face.draw(state, 1)
    state = at("KEEP", "DIGS", put_back=1, dug=card("Tyrannosaurus ribs"))
    state.buried[card("Tyrannosaurus ribs")] = 0
    assert "Player 0 looks at Tyrannosaurus ribs/arms" in face.draw(state, 0)
    assert "Player 0 looks at a buried fossil" in face.draw(state, 1)
    assert rows(face.draw(state, 1))["Tyrannosaurus"][1] == "R", "unseen wherever it is"


@pytest.mark.parametrize(
    ("state", "question"),
    [
        (at("HIDE", "SETUP"), "Player 0 chooses up to 3 fossils to hide."),
        (at("DIG", "EVENT", event=3), "Player 0 digs a fossil (field assistant)."),
        (at("DIG", "EVENT", event=4, to_play=1), "Player 1 digs a fossil (donation)."),
        (at("DIG", "BONUS"), "Player 0 has completed a skeleton and digs one more fossil."),
        (
            at("KEEP", "DIGS", dug=card("Mosasaurus skull")),
            "Player 0 looks at Mosasaurus skull: keep it, or put it back exposed?",
        ),
        (
            at("EXCHANGE", exchanges=1),
            "Player 0 may make exchange 2 of 3, giving 2: with whom?",
        ),
        (
            at("EXCHANGE", "EVENT", event=7),
            "Player 0 may make an exchange (conference): with whom?",
        ),
        (at("EXCHANGE", "END", exchanges=3), "Player 0 may claim an award."),
        (at("GIVE", target=2), "Player 0 gives a fossil to player 2: which?"),
        (at("TAKE", target=2), "Player 0 takes a fossil from player 2: which?"),
        (
            at("SEND", "EVENT", event=5),
            "Player 0 chooses a fossil to pass on (courier mixup).",
        ),
        (
            at("REVEAL", "EVENT", event=6),
            "Player 0 chooses a fossil to reveal (press leak).",
        ),
        (
            at("OVER", "END", done=1),
            "The game is over. First place: player 0, with 34 points.",
        ),
    ],
)
def test_the_last_line_says_what_is_asked(state, question):
    lines = face.draw(state).splitlines()
    assert lines[-1] == question
    assert any(line.startswith(">") for line in lines) == (not state.done)


@pytest.mark.rules
def test_players_who_are_equal_in_all_share_the_first_place():
    state = at("OVER", "END", done=1)
    state.skeletons[:] = 0
    state.awards[:] = 0
    state.score[:3] = 0, 5, 5  # two equal bonuses
    assert face.draw(state).splitlines()[-1] == (
        "The game is over. First place: players 1 and 2, with 5 points."
    )
    assert "bonuses 5" in face.draw(state)


@pytest.mark.rules
def test_an_exchange_under_way_and_the_end_phase_are_drawn():
    state = at("GIVE", "END", target=1, exchanges=2, event=NONE, barren=3, idle=1)
    put(state.given, "Mosasaurus skull")
    lines = face.draw(state, 0).splitlines()
    assert lines[-2] == "Exchange with player 1: 1 of 3 given: Mosasaurus skull"
    assert lines[:2] == [
        "End phase, turn of player 0",
        # 10.4: two rounds or one round of three players
        "Turns in a row without skeleton or award: 3, without exchange or award: 1; "
        "the end at 6 or 3",
    ]


# --- the words of a move --------------------------------------------------------------------------


@pytest.mark.rules
@pytest.mark.parametrize(
    ("state", "block", "values", "line"),
    [
        (at("HIDE", "ADJUST"), "hide", {"type": card("Allosaurus skull")}, "hide Allosaurus skull"),
        (at("HIDE", "ADJUST"), "done", {}, "hide no more"),
        (position(), "dig", {"type": card("Triceratops skull")}, "dig Triceratops skull"),
        # player 0 has Mosasaurus skulls, and a skeleton has a skull and a body
        (
            position(),
            "dig",
            {"type": card("Mosasaurus body")},
            "dig Mosasaurus body, completing it",
        ),
        (position(), "dig", {"type": card("Deinonychus body")}, "dig Deinonychus body"),
        (position(), "dig_buried", {}, "dig a buried fossil"),
        (position(), "keep", {}, "keep the buried fossil"),
        (
            at("KEEP", "DIGS", dug=card("Camptosaurus")),
            "put_back",
            {},
            "put back Camptosaurus nest",
        ),
        (at("EXCHANGE"), "stop", {}, "stop exchanging"),
        (at("EXCHANGE", "EVENT", event=7), "stop", {}, "make no exchange"),
        (at("EXCHANGE", "END", exchanges=3), "stop", {}, "claim nothing"),
        (
            at("EXCHANGE", exchanges=2),
            "exchange",
            {"opponent": 1},
            "exchange with player 2 (gives 3)",
        ),
        (position(), "exchange", {"opponent": 1}, "exchange with player 2"),
        (
            position(),
            "exchange",
            {"opponent": 2},
            "exchange with a player who is not in the game",
        ),
        (
            at("GIVE", target=1),
            "give",
            {"type": card("Utahr")},
            "give Utahraptor feather impression",
        ),
        (
            at("TAKE", target=1),
            "take",
            {"type": card("Allosaurus hips")},
            "take Allosaurus hips/legs",
        ),
        (at("TAKE", target=1), "take_blind", {}, "take a hidden fossil"),
        (position(), "send", {"type": card("Mosasaurus skull")}, "pass on Mosasaurus skull"),
        (position(), "reveal", {"type": card("Mosasaurus skull")}, "reveal Mosasaurus skull"),
        # 3.5: sets as bits of Camptosaurus 3, Utahraptor 3, Alamosaurus 2, Edmontosaurus 2,
        # Ornitholestes 1, Acrocanthosaurus 1: the first is 000011, the third minor one 000110
        (
            position(),
            "claim_major",
            {"cards": 0},
            "claim the major award with Camptosaurus and Utahraptor",
        ),
        (
            position(),
            "claim_minor",
            {"cards": 2},
            "claim a minor award with Utahraptor and Alamosaurus",
        ),
    ],
)
def test_actions_have_words(state, block, values, line):
    before = state.tobytes()
    assert face.describe(state, ACTIONS.encode(block, **values)) == line
    assert state.tobytes() == before


def test_an_action_that_there_is_not_has_no_words():
    with pytest.raises(ValueError, match=f"no action {ACTIONS.size}"):
        face.describe(position(), ACTIONS.size)


# --- what happened --------------------------------------------------------------------------------


@pytest.mark.rules
def test_who_digs_a_buried_card_sees_it_and_nobody_else():
    state = position()
    state.buried[:] = 0
    put(state.buried, "Camptosaurus")
    move = act(state, "dig_buried")
    assert told(move, 0) == told(move) == "dig a buried fossil: Camptosaurus nest"
    assert told(move, 1) == told(move, 2) == "dig a buried fossil"


@pytest.mark.rules
def test_all_see_what_is_dug_from_the_exposed_cards_and_what_it_completes():
    move = act(position(), "dig", "Mosasaurus body")
    for player in (None, 0, 1, 2):
        assert told(move, player) == "dig Mosasaurus body; player 0 completes Mosasaurus"


@pytest.mark.rules
def test_what_is_forced_after_a_choice_is_told_as_each_may_know_it():
    state = at("DIG", "DIGS")  # two digs: after the only exposed card all else is buried
    state.buried[:] = 0
    state.exposed[:] = 0
    put(state.buried, "Camptosaurus", "Camptosaurus")
    put(state.exposed, "Triceratops skull")
    move = act(state, "dig", "Triceratops skull")
    assert told(move, 0) == "dig Triceratops skull; dig a buried fossil: Camptosaurus nest"
    assert told(move, 2) == "dig Triceratops skull; dig a buried fossil"


@pytest.mark.rules
def test_a_blind_take_is_seen_by_the_two_who_exchange():
    state = at("TAKE", target=2, given=0)
    put(state.given, "Mosasaurus skull")
    put(state.up[2], "Mosasaurus skull", "Deinonychus body")
    move = act(state, "take_blind")
    seen = "take a hidden fossil from player 2: Triceratops hips/legs"
    assert [told(move, player) for player in (None, 0, 2)] == [seen] * 3
    assert told(move, 1) == "take a hidden fossil from player 2"


@pytest.mark.rules
def test_gifts_are_seen_by_all_and_may_complete_the_skeleton_of_another():
    state = at("GIVE", target=1)
    put(state.up[1], "Mosasaurus body")
    move = act(state, "give", "Mosasaurus skull")
    assert told(move, 2) == "give Mosasaurus skull to player 1; player 1 completes Mosasaurus"


@pytest.mark.rules
def test_a_buried_card_that_is_looked_at_stays_secret_unless_it_is_put_back():
    state = position()
    state.put_back = 1
    state.buried[:] = 0
    put(state.buried, "Camptosaurus")
    move = act(state, "dig_buried")
    assert told(move, 0) == "look at a buried fossil: Camptosaurus nest"
    assert told(move, 1) == "look at a buried fossil"
    kept = act(move[2].copy(), "keep")
    assert told(kept, 0) == "keep Camptosaurus nest"
    assert told(kept, 1) == "keep the buried fossil"
    back = act(move[2], "put_back")
    assert told(back, 0) == told(back, 1) == "put back Camptosaurus nest"


@pytest.mark.rules
def test_what_is_hidden_in_step_5_is_secret_and_what_lies_open_then_is_not():
    state = at("HIDE", "ADJUST")
    move = act(state, "hide", "Allosaurus skull")
    assert told(move, 0) == told(move) == "hide Allosaurus skull"
    assert told(move, 1) == ""
    state.deck[5] = 1  # the next event is heavy erosion: of 3 buried cards 2 are exposed
    state.buried[:] = 0
    put(state.buried, "Camptosaurus", "Brachiosaurus hips")
    move = act(state, "done")
    changes = (
        "lay out Triceratops ribs/arms, Utahraptor feather impression, take up Allosaurus skull; "
        "turn of player 1: heavy erosion exposes Brachiosaurus hips/legs and Camptosaurus nest"
    )
    assert told(move, 0) == f"hide no more (hidden: Allosaurus skull), {changes}"
    assert told(move, 2) == f"have 1 hidden, {changes}"


@pytest.mark.rules
def test_what_is_passed_on_is_seen_when_all_have_chosen():
    state = at("SEND", "EVENT", event=5, to_play=1)
    state.chosen[0] = card("Utahraptor")
    # player 2 has one card only: it is passed on without being asked, and completes a Triceratops
    put(state.up[0], "Triceratops skull")
    move = act(state, "send", "Tyrannosaurus tail")
    passed = (
        "all pass on: player 0 Utahraptor feather impression, player 1 Tyrannosaurus tail, "
        "player 2 Triceratops hips/legs; player 0 completes Triceratops"
    )
    own = "pass on Tyrannosaurus tail; player 2: choose a fossil to pass on"
    assert told(move, 1) == f"{own}; {passed}"
    assert told(move, 0) == (
        f"choose a fossil to pass on; player 2: choose a fossil to pass on; {passed}"
    )


@pytest.mark.rules
def test_what_is_revealed_is_seen_when_all_have_chosen():
    state = at("REVEAL", "EVENT", event=6)
    move = act(state, "reveal", "Utahraptor")
    assert told(move, 0) == "reveal Utahraptor feather impression"
    assert told(move, 1) == "choose a fossil to reveal"
    state.hidden[2] = 0  # skipped
    move = act(state, "reveal", "Brachiosaurus skull")
    assert told(move, 0) == (
        "choose a fossil to reveal; all reveal: player 0 Utahraptor feather impression, "
        "player 1 Brachiosaurus skull"
    )


@pytest.mark.rules
def test_the_end_phase_and_the_end_are_told():
    state = at("HIDE", "ADJUST")
    state.buried[:] = 0
    state.exposed[:] = 0
    put(state.up[1], "Mosasaurus body")
    move = act(state, "done")
    assert told(move, 1) == (
        "have 0 hidden; the dig site is empty, all fossils are laid out, the end phase begins"
    )
    state.to_play = state.active = 1
    state.phase, state.target = Phase.GIVE, 0
    state.up[2] = 0
    # player 0 has two carnivores less than it needs, none of the Jurassic: Mosasaurus is carnivore,
    # as is the one of player 2 (Coelophysis, 9 > 7); nothing can be completed afterwards
    move = act(state, "give", "Mosasaurus body")
    assert told(move, 0) == (
        "give Mosasaurus body to player 0; player 0 completes Mosasaurus; "
        "the game ends, as no skeleton and no award is possible any more; "
        "player 2 gets 8 points of bonuses"
    )


@pytest.mark.rules
def test_who_has_too_few_cards_is_told_to_be_passed_over():
    state = at("EXCHANGE", "END")
    for heap in (state.up, state.hidden, state.buried[None], state.exposed[None]):
        heap[:] = 0
    put(state.up[0], "Mosasaurus skull", "Mosasaurus skull")
    put(state.up[1], "Triceratops skull")
    put(state.up[2], "Mosasaurus body", "Deinonychus body")
    move = act(state, "stop")
    assert told(move) == "stop exchanging; player 1 has fewer than 2 fossils and is passed over"
    state.idle = state.barren = 0
    state.idle = canyon.IDLE_ROUNDS * 3 - 1
    move = act(state, "stop")
    turns = canyon.IDLE_ROUNDS * 3
    assert f"the game ends, as {turns} turns in a row brought no exchange or award" in told(move)


# --- random games ---------------------------------------------------------------------------------


def random_games(players: int, games: int):
    """Play random games with random options; yield (state, action, state after it, luck)."""
    for number in range(games):
        luck = random.Random(1000 * players + number)
        options = {option.name: luck.choice(option.choices) for option in RULES.options}
        state = RULES.new(number, **options | {"num_players": players})
        while not state.done:
            legal = RULES.legal_actions(state).tolist()
            action = luck.choice(legal)
            before = state.copy()
            RULES.step(state, np.int64(action))
            yield before, action, state, luck


@pytest.mark.rules
@pytest.mark.parametrize("players", range(2, 7))
def test_every_drawing_fits_a_terminal(players, n_games):
    for before, action, after, luck in random_games(players, n_games(5)):
        if luck.random() < 0.1 or after.done:
            for player in (None, *range(players)):
                lines = face.draw(after, player).splitlines()
                assert max(map(len, lines)) <= 100, "\n".join(lines)
                assert all(line == line.rstrip() for line in lines)
        seat = luck.randrange(players)
        line = face.tell(before, action, after, seat)
        block, _ = RULES.actions.decode(action)
        same = [(s.to_play, s.stage, s.drawn) for s in (before, after)]
        secret = block == "hide" and before.to_play != seat and same[0] == same[1]
        assert bool(line) != secret
        assert "\n" not in line


@pytest.mark.rules
@pytest.mark.parametrize("players", range(2, 7))
def test_the_legal_moves_have_words_that_differ(players, n_games):
    for before, _, _, _ in random_games(players, n_games(10)):
        lines = [face.describe(before, action) for action in RULES.legal_actions(before).tolist()]
        assert len(set(lines)) == len(lines)
        assert not [line for line in lines if line.endswith(".") or "\n" in line]


def whole(hand) -> bool:
    """Say whether a hand holds a full set."""
    return any(
        hand[first : first + n].all()
        for first, n in zip(cards.FIRST_TYPE_OF_GENUS, cards.FOSSILS_OF_GENUS, strict=True)
        if n
    )


def redealt(state, seat: int, luck: random.Random):
    """Return a state in which what a seat cannot know is otherwise (12.3), told from the page."""
    while True:
        new = state.copy()
        others = [other for other in range(state.num_players) if other != seat]
        places = [new.buried, new.discard, *(new.hidden[other] for other in others)]
        floors = [0 * new.buried, 0 * new.buried, *(state.known[seat, other] for other in others)]
        sizes = [int(a.sum()) - int(b.sum()) for a, b in zip(places, floors, strict=True)]
        rest = sum(a.astype(int) - b for a, b in zip(places, floors, strict=True))
        looked_at = state.dug != NONE and state.to_play != seat
        if looked_at:
            rest[state.dug] += 1
        pool = [kind for kind, n in enumerate(rest.tolist()) for _ in range(n)]
        luck.shuffle(pool)
        if looked_at:
            new.dug = pool.pop()
        for place, floor, size in zip(places, floors, sizes, strict=True):
            place[:] = floor
            for _ in range(size):
                place[pool.pop()] += 1
        if not any(whole(new.up[other] + new.hidden[other]) for other in others):
            break
    for other in others:
        hand = new.up[other] + new.hidden[other]
        held = [kind for kind, n in enumerate(hand.tolist()) for _ in range(n)]
        n = int(state.picked[other].sum())
        new.picked[other] = 0
        for kind in luck.sample(held, n):
            new.picked[other, kind] += 1
        if state.chosen[other] != NONE:
            hand = new.hidden[other] if state.phase == Phase.REVEAL else hand
            new.chosen[other] = luck.choice(np.flatnonzero(hand).tolist())
    if state.drawn < len(state.deck):
        left = new.deck[state.drawn :].tolist()
        luck.shuffle(left)
        new.deck[state.drawn :] = left
    return new


@pytest.mark.parametrize("players", range(2, 7))
def test_a_drawing_and_the_words_of_moves_do_not_depend_on_what_a_seat_cannot_know(players):
    compared = 0
    for state, _, _, luck in random_games(players, 50):
        if luck.random() > 0.02:
            continue
        seat = luck.choice([luck.randrange(players), int(state.to_play)])
        other = redealt(state, seat, luck)
        if seat == state.to_play or luck.random() < 0.5:
            assert face.draw(other, seat) == face.draw(state, seat)
        if seat == state.to_play:
            for action in luck.sample(range(RULES.n_actions), 30):
                assert face.describe(other, action) == face.describe(state, action)
            for action in RULES.legal_actions(state).tolist():
                assert face.describe(other, action) == face.describe(state, action)
        compared += other.tobytes() != state.tobytes()
    assert compared > 50


def observed(state, seat: int) -> bytes:
    """Return what a seat observes."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, np.int64(seat), obs[0])
    return obs.tobytes()


@pytest.mark.parametrize("players", range(2, 7))
def test_what_a_seat_is_told_does_not_depend_on_what_it_cannot_know(players):
    """Where a seat sees the same before and after a step, it has been told the same."""
    compared = 0
    for before, action, after, luck in random_games(players, 50):
        if luck.random() > 0.2:
            continue
        seat = luck.randrange(players)
        other = redealt(before, seat, luck)
        if action not in RULES.legal_actions(other):
            continue
        changed = other.copy()
        RULES.step(changed, np.int64(action))
        if observed(changed, seat) == observed(after, seat):
            assert face.tell(other, action, changed, seat) == face.tell(before, action, after, seat)
            compared += other.tobytes() != before.tobytes()
    assert compared > 200
