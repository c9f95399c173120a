"""Fossilium solo in words and drawn: Pal is told and drawn as the player may know her."""

import random
import re

import numpy as np
import pytest

from bonebed.envs import fossilium_names as names
from bonebed.envs import fossilium_solo_v0 as face
from bonebed.envs import table
from bonebed.kernels.fossilium import parts
from bonebed.kernels.fossilium.state import NONE, Phase

RULES = table.rules("fossilium_solo")
ACTIONS = RULES.actions
PAL = 1
DRAWN = {"D": 6, "T": 3, "N": 3, "M": 2}  # 2.5, by the first letter of a card


def card(name: str) -> int:
    """Return an action card by its id."""
    return parts.CARD_IDS.index(name)


def fossil_card(species: str) -> int:
    """Return the fossil card of a species."""
    return parts.SPECIES_OF_FOSSIL_CARD.tolist().index(names.SPECIES.index(species))


def tile(words: str) -> int:
    """Return a tile type by its words."""
    return names.TILES.index(words)


def completed(state):
    """Return a state with the fields that follow from the others."""
    for name in RULES.derived:
        state[name] = 0
    RULES.derive(state)
    return state


def position(**options: object):
    """Return a game in round 3 in which the player has the turn.

    The museum (side A) has Compsognathus on f1, and Osmunda on c1 to d2 with pieces 1 and 2; the
    storage Osmunda 3/4, Stegosaurus 5/6. Pal has played D1, T2 and N1 of her 14 cards. Open are
    Stegosaurus (depicted 3, 4, and a cube on 6), Osmunda (2, 3; finished) and Lystrosaurus (2).
    """
    state = RULES.new(seed=1, **options)
    state.round_number, state.phase, state.to_play, state.active = 3, Phase.TURN, 0, 0
    state.unused, state.side, state.start = 2, 0, 2
    for cell, name, piece in (
        (5, "Compsognathus", 1),
        (2, "Osmunda 1/2", 1),
        (3, "Osmunda 1/2", 2),
        (8, "Osmunda 3/4", 3),
        (9, "Osmunda 3/4", 4),
    ):
        state.tile[0, cell], state.piece[0, cell] = tile(name), piece
        state.displayed[0, cell] = piece < 3
    state.storage[0, tile("Osmunda 3/4")] = 1
    state.storage[0, tile("Stegosaurus 5/6")] = 1
    state.dollars[:] = 6, 5
    state.guests[:] = 4, 9
    state.workers[:] = 3, 5
    state.score[0] = 8
    state.on_goal[0] = 0, 1, 1
    state.job_goal[:] = 0, 2, 9
    state.round_goal[:] = 0, 2, 9, 7, 11
    state.placed[:] = 0
    state.placed[PAL, 0] = 2
    state.taken[0] = 1 << 1 | 1 << 9
    state.taken[1] = 1 << 0 | 1 << 6
    state.neutral[:] = 2, 2, 0
    state.exhibit[:] = NONE
    for place, (species, extent, cubes) in enumerate(
        [("Stegosaurus", 0b101100, 1), ("Osmunda", 0b1111, 0), ("Lystrosaurus", 0b10, 0)]
    ):
        state.exhibit[place] = fossil_card(species)
        state.extent[place], state.cubes_on[place] = extent, cubes
    state.cubes = 5
    order = ["D1", "T2", "N1", "D2", "D3", "M1", "N2", "D5", "D6", "D7", "T3", "T4", "N3", "M2"]
    state.deck[:] = NONE
    state.deck[: len(order)] = [card(name) for name in order]
    state.played, state.pal_turns = 3, 1
    return completed(state)


def with_pal(phase: str, **fields: object):
    """Return a position of a game in which Pal is a player and has to decide."""
    state = position(pal="agent")
    state.phase, state.to_play, state.active = Phase[phase], PAL, PAL
    for name, value in fields.items():
        state[name] = value
    return completed(state)


def told(state, block: str, **values: int) -> str:
    """Return what everybody is told about an action."""
    action = ACTIONS.encode(block, **values)
    assert action in RULES.legal_actions(state)
    before = state.copy()
    RULES.step(state, np.int64(action))
    (line,) = {face.tell(before, action, state, player) for player in (None, 0, 1)}
    return line


def part(state, head: str, player=0) -> list[str]:
    """Return the lines from the one that begins with a head up to an empty one."""
    lines = face.draw(state, player).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(head))
    return lines[start : lines.index("", start)]


# --- the drawing ----------------------------------------------------------------------------------


@pytest.mark.rules
def test_the_player_sees_pal_and_which_cards_she_may_have():
    assert part(position(), "  Pal:") == [
        # 3.3: three turns in round 3
        "  Pal: 9 guests, $5, 5 workers to place, 5 cubes, 2 turns left this round",
        "Action cards played: D1 display, arrow right, "
        "T2 give tour for 4 guests and $3, arrow left,",
        "  N1 donate, arrow right",
        "Action cards to come: 11 of 14, A cards before B cards",
        "  display, 5 of 7: D2 A, arrow left, D3 A, arrow right, D4 A, arrow left, "
        "D5 B, arrow right,",
        "    D6 B, arrow left, D7 B, arrow right, D8 B, arrow left",
        "  give tour, 2 of 3: T1 A for 5 guests and $2, arrow right, "
        "T3 B for 8 guests and $3, arrow right,",
        "    T4 B for 7 guests and $4, arrow left",
        "  donate, 2 of 3: N2 A, arrow left, N3 B, arrow right, N4 B, arrow left",
        "  buy/sell, 2 of 3: M1 A without tile 1 of each row, arrow right,",
        "    M2 B without tiles 1 and 2 of each row, arrow left,",
        "    M3 B without tiles 1 and 3 of each row, arrow right",
    ]


@pytest.mark.rules
def test_when_a_b_card_was_played_no_a_card_is_to_come():
    state = position()
    state.deck[:8] = [card(name) for name in ["D1", "T2", "N1", "D2", "D3", "M1", "N2", "D5"]]
    state.played = 8
    lines = part(state, "  Pal:")
    assert "  buy/sell, 1 of 2: M2 B without tiles 1 and 2 of each row, arrow left," in lines
    assert not any(" A" in line for line in lines[4:] if "to come" not in line)


@pytest.mark.rules
def test_pal_and_an_arbiter_see_the_order_of_the_cards():
    for player in (None, PAL):
        lines = part(position(), "  Pal", player)
        assert any(
            line.startswith("Action cards in order: D2 display, arrow left, D3 display, arrow")
            for line in lines
        )


@pytest.mark.rules
def test_fossil_cards_show_depicted_displayed_and_free_pieces():
    assert part(position(), "Pal's fossil cards") == [
        "Pal's fossil cards (a free piece can be donated); 4 to come",
        "  Ste Stegosaurus, size 6: depicted 3 and 4; displayed 6; free 1, 2 and 5; 1 cube",
        "  Osm Osmunda, size 4: depicted 2 and 3; displayed 1 and 4, finished",
        "  Lys Lystrosaurus, size 2: depicted 2; free 1",
    ]


@pytest.mark.rules
def test_the_storage_says_what_can_be_donated_to_pal():
    museum = part(position(), "Your museum")
    assert museum[1].endswith("1 Stegosaurus 5/6      T6 fits Pal")  # piece 5 is free
    assert museum[2].endswith("1 Osmunda 3/4          B4 fits c2 d2")  # her Osmunda is finished


@pytest.mark.rules
def test_the_neutral_workers_are_where_the_round_has_moved_them():
    state = position()
    # 3.1, 2.2: two columns are used, two moves lead back: display small 1, build/donate large 2,
    # buy/sell small 1
    state.taken[:2] = 1 << 0 | 1 << 6, 1 << 4
    rows = part(completed(state), "Board")
    assert rows[1].startswith("display       n2- ")
    assert "1n- up to 2 times" in rows[2]
    assert rows[3].startswith("buy/sell      n2- ")


@pytest.mark.rules
def test_difficulties_and_what_decides_the_end_are_drawn():
    state = position(pal_first=True, empty_fields=True)
    lines = face.draw(state, 0).splitlines()
    assert lines[:2] == [
        "Round 3 of 5: action phase (then opening and excavation)",
        "Difficulties: pal first, empty fields",
    ]
    assert "At the end: 7 prestige for more guests than Pal, 7 for more dollars" in lines


@pytest.mark.rules
@pytest.mark.parametrize(
    ("score", "lost", "line"),
    [
        (120, 0, "The game is over. The player has 120 prestige, rank 5."),
        (99, 0, "The game is over. The player has 99 prestige, rank 3."),
        (-2, 0, "The game is over. The player has -2 prestige, rank 1."),
        (
            100,
            1,
            "The game is over. The player has 100 prestige, rank 4: lost, "
            "as a majority was not won.",
        ),
    ],
)
def test_the_end_names_the_rank(score, lost, line):
    state = position()
    state.phase, state.done, state.score[0], state.lost = Phase.OVER, 1, score, lost
    assert face.draw(state, 0).splitlines()[-1] == line


@pytest.mark.parametrize(
    ("state", "question"),
    [
        (position(), "The player places workers on a field."),  # there is no student to dig with
        (with_pal("CARD"), "Pal chooses an action card."),
        (with_pal("FIELD", card=card("D1")), "Pal chooses a field for the workers."),
        (with_pal("EXHIBIT", card=card("D1")), "Pal chooses the fossil card to extend."),
        (with_pal("PIECE", card=card("D1"), chosen=0), "Pal chooses the piece."),
        (
            with_pal("END", card=card("M1")),
            "Pal chooses from which end of the market tiles are removed.",
        ),
    ],
)
def test_the_last_line_says_who_decides_what(state, question):
    lines = face.draw(state, 0).splitlines()
    assert lines[-1] == question
    assert ("Pal's card: " in lines[-2]) == (state.card != NONE)


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.rules
@pytest.mark.parametrize(
    ("state", "block", "values", "line"),
    [
        (with_pal("CARD"), "card", {"card": card("D2")}, "play D2 display, arrow left"),
        (
            with_pal("FIELD", card=card("D1")),
            "field",
            {"column": 1, "field": 1},
            "display large 2",
        ),
        (
            with_pal("EXHIBIT", card=card("D1")),
            "exhibit",
            {"card": fossil_card("Stegosaurus")},
            "extend Stegosaurus",
        ),
        (with_pal("PIECE", card=card("D1"), chosen=0), "piece", {"piece": 4}, "display piece 5"),
        (with_pal("PIECE", card=card("N1"), gift=2), "piece", {"piece": 2}, "donate piece 3"),
        (with_pal("END", card=card("M1")), "end", {"end": 1}, "count from the right"),
        (
            with_pal("FACE", to_play=0, active=0, field=3, held=tile("Stegosaurus 1/2"), left=1),
            "face",
            {"face": 1},
            "piece 2",
        ),
        (
            with_pal("LOSE", to_play=0, active=NONE),
            "goal",
            {"goal": 1},
            "lose a worker of job goal 2 (fill a column of the museum)",
        ),
        (
            position(),
            "card",
            {"card": card("T1")},
            "play T1 give tour for 5 guests and $2, arrow right",
        ),
    ],
)
def test_actions_have_words(state, block, values, line):
    assert face.describe(state, ACTIONS.encode(block, **values)) == line


# --- what happened --------------------------------------------------------------------------------


@pytest.mark.rules
def test_a_turn_of_pal_is_told_with_card_field_and_effect():
    state = position()
    state.phase, state.field, state.column = Phase.MANAGE, 13, 0
    state.deck[3], state.deck[4] = state.deck[4], state.deck[3]  # D3: arrow right
    state.students[0] = 0
    line = told(completed(state), "gain", gain=0)
    # 4.2: display small 1 is free; 4.3: the highest free piece is 5 of Stegosaurus
    assert line == (
        "take $1 (+$1); Pal: turn 2: D3 display, arrow right; "
        "1 worker on display small 1; display piece 5 of Stegosaurus"
    )


@pytest.mark.rules
def test_a_donation_of_pal_is_told_with_what_the_player_loses_and_receives():
    state = position()
    state.phase, state.field, state.column = Phase.MANAGE, 13, 0
    state.deck[3] = card("N2")  # arrow left: piece 3 of the only incomplete fossil
    state.bag[:] = 0
    state.bag[parts.STOCK_OF[1, tile("Osmunda 3/4")]] = 1
    line = told(completed(state), "gain", gain=0)
    # 4.2: the arrow goes left, from build/donate large 2 on
    assert line == (
        "take $1 (+$1); Pal: turn 2: N2 donate, arrow left; "
        "2 workers on build/donate large 2; "
        "donate piece 3 of Osmunda from site 2 to the player, on c2, who loses 3 prestige"
    )


@pytest.mark.rules
def test_a_donation_to_pal_is_told():
    state = position()
    state.phase, state.field, state.column, state.left = Phase.BUILD, 3, 0, 2
    state.extent[0] = 0b101111  # only piece 5 is free
    state.on_goal[0] = 1, 1, 1  # 5.1: it counts for the goal of 3 prestige
    line = told(completed(state), "tile", type=tile("Stegosaurus 5/6"))
    assert line == (
        "donate piece 5 of Stegosaurus to Pal (+6 prestige, a worker from job goal 1); "
        "Pal's Stegosaurus is finished"
    )


@pytest.mark.rules
def test_what_pal_cannot_do_is_told():
    state = position()
    state.phase, state.field, state.column, state.cubes = Phase.MANAGE, 13, 0, 0
    assert told(completed(state), "gain", gain=0).endswith(
        "2 workers on display large 2; no cube is left, nothing is displayed"
    )


@pytest.mark.rules
def test_tours_and_trades_of_pal_are_told():
    state = with_pal("FIELD", card=card("T3"), deck=position().deck)
    assert told(state, "field", column=1, field=10).startswith(
        "2 workers on give tour large 2; give tour (+$3, +8 guests)"
    )
    state = with_pal("END", card=card("M1"))
    state.market[:] = NONE
    state.market[0, :2] = tile("Eoraptor"), tile("Lystrosaurus 1/2")
    state.bag[:] = 0
    line = told(completed(state), "end", end=1)  # the first from the right
    assert line.startswith("count from the right; out of the market: Lystrosaurus 1/2")


# --- random games ---------------------------------------------------------------------------------


def random_games(pal: str, games: int):
    """Play random games with random options; yield (state, action, state after it, luck)."""
    for number in range(games):
        luck = random.Random(1000 * len(pal) + number)
        options = {option.name: luck.choice(option.choices) for option in RULES.options}
        del options["num_players"]
        state = RULES.new(number, **options | {"pal": pal})
        while not state.done:
            action = luck.choice(RULES.legal_actions(state).tolist())
            before = state.copy()
            RULES.step(state, np.int64(action))
            yield before, action, state, luck


@pytest.mark.rules
@pytest.mark.parametrize("pal", ["cards", "agent"])
def test_every_drawing_fits_a_terminal_and_legal_moves_have_words_that_differ(pal, n_games):
    for before, action, after, luck in random_games(pal, n_games(10)):
        if luck.random() < 0.1 or after.done:
            for player in (None, 0, 1):
                lines = face.draw(after, player).splitlines()
                assert max(map(len, lines)) <= 100, "\n".join(lines)
                assert all(line == line.rstrip() for line in lines)
        words = [face.describe(before, action) for action in RULES.legal_actions(before).tolist()]
        assert len(set(words)) == len(words)
        assert not [line for line in words if line.endswith(".") or "\n" in line]
        line = face.tell(before, action, after, 0)
        assert line
        assert "\n" not in line


@pytest.mark.parametrize("pal", ["cards", "agent"])
def test_a_donation_is_worded_with_what_it_brings(pal):
    """5.1: a card has one place for each species, so the prestige is known before."""
    promised, kept = "", 0
    for before, action, after, _ in random_games(pal, 30):
        words = face.describe(before, action)
        if before.phase == Phase.BUILD and words.startswith("donate "):
            promised = words.partition(" for ")[2]
        if brought := re.search(r" to Pal \(\+(\d+ prestige)", face.tell(before, action, after)):
            assert brought[1] == promised
            kept += 1
    assert kept > 20


@pytest.mark.rules
def test_the_guide_tells_the_game_with_its_numbers_and_options():
    plain = face.guide(RULES.new(seed=1))
    assert max(map(len, plain.splitlines())) <= 100
    told = " ".join(plain.split())
    assert "60 is rank 2, 80 is rank 3, 100 is rank 4, 120 is rank 5" in told  # 6.2
    assert "1 from 3, 2 from 6, 3 from 9" in told  # F11.1
    assert "PAL takes 2, 2, 3, 3, 4 turns in rounds 1 to 5" in told  # 3.3
    assert "at most 6, and keep one for each of your own" in told  # F12.1
    assert "those above 4 become permanent" in told  # F12.3
    assert "it costs $10 less $1 for each worker there" in told  # F4.8
    assert "at the end of rounds 2 and 4" in told  # F12.6
    assert ", but not below 0" in told  # 4.5
    hard = RULES.new(seed=1, more_turns=True, negative_prestige=True, must_win_majorities=True)
    told = " ".join(face.guide(hard).split())
    assert "PAL takes 2, 3, 3, 4, 4 turns" in told  # 7.5
    assert "not below 0" not in told  # 7.7
    assert "the game is lost" in told  # 7.6


def redealt(state, luck: random.Random):
    """Return a state in which Pal's cards that were not played are others (10.1)."""
    new = state.copy()
    played = state.deck[: state.played].tolist()
    size = int((state.deck != NONE).sum())
    only_b = any(parts.IS_B[c] for c in played)
    unseen = [c for c in range(parts.N_CARDS) if c not in played]
    while True:
        left = luck.sample(unseen, size - len(played))
        counts = {k: sum(parts.CARD_IDS[c][0] == k for c in played + left) for k in DRAWN}
        enough = all(counts[k] >= n for k, n in DRAWN.items())
        n_b = sum(bool(parts.IS_B[c]) for c in played + left)
        many_b = not state.more_b or n_b >= (9 if state.more_turns else 8)  # 7.2
        if enough and many_b and not (only_b and any(not parts.IS_B[c] for c in left)):
            break
    left.sort(key=lambda c: bool(parts.IS_B[c]))  # after the shuffle of `sample`
    new.deck[state.played : size] = left
    return completed(new)


@pytest.mark.parametrize("pal", ["cards", "agent"])
def test_a_drawing_and_the_words_of_moves_do_not_depend_on_what_the_player_cannot_know(pal):
    compared = 0
    for state, _, _, luck in random_games(pal, 8):
        if luck.random() > 0.1:
            continue
        other = redealt(state, luck)
        assert face.draw(other, 0) == face.draw(state, 0)
        if state.to_play == 0:
            for action in {*luck.sample(range(RULES.n_actions), 30), *RULES.legal_actions(state)}:
                assert face.describe(other, int(action)) == face.describe(state, int(action))
        compared += other.tobytes() != state.tobytes()
    assert compared > 50


def observed(state) -> bytes:
    """Return what the player observes."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, np.int64(0), obs[0])
    return obs.tobytes()


@pytest.mark.parametrize("pal", ["cards", "agent"])
def test_what_the_player_is_told_does_not_depend_on_what_it_cannot_know(pal):
    """Where the player sees the same before and after a step, it has been told the same."""
    compared = 0
    for before, action, after, luck in random_games(pal, 8):
        if luck.random() > 0.2:
            continue
        other = redealt(before, luck)
        if action not in RULES.legal_actions(other):
            continue
        changed = other.copy()
        RULES.step(changed, np.int64(action))
        if observed(changed) == observed(after):
            assert face.tell(other, action, changed, 0) == face.tell(before, action, after, 0)
            compared += other.tobytes() != before.tobytes()
    assert compared > 50
