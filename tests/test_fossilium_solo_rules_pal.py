"""Fossilium solo, paragraph by paragraph: Pal's turn, and Pal as a player.

Sections 4 and 8 of docs/games/fossilium_solo.md; see test_fossilium_solo_rules.py.
"""

import random

import numpy as np
import pytest

from bonebed.kernels.fossilium.pal import rulebook_choice
from fossilium_position import (
    CARDS,
    FIELDS,
    IS_B,
    NONE,
    ROW,
    SIZES,
    SOLO,
    SoloPosition,
    museum,
    rows,
)

pytestmark = pytest.mark.rules

AGENT = {"pal": "agent"}


def after(deck, museums=(), workers=2, **at):
    """Return the position after the player's turn, in column 2, and Pal's, who plays a card."""
    p = SoloPosition(museums, deck=deck, turns=1, workers=[workers], **at)
    return p.do("field 2 management", "gain dollar")


def placed(p, before):
    """Return the field on which Pal stands, as column and field, and her workers there."""
    new = [
        (column + 1, FIELDS[f])
        for column in range(3)
        for f in range(len(FIELDS))
        if FIELDS[f] != "management"  # where the player stands
        and (int(p.state.taken[column]) & ~int(before[column])) >> f & 1
    ]
    columns = p.state.placed[1].tolist()
    return (*new[0], columns[new[0][0] - 1]) if new else ("nowhere", sum(columns))


# ---------------------------------------------------------------------- 4. Pal's turn


def test_the_top_card_is_revealed_and_carried_out():
    """4.1: workers first, then the action; costs and gains of fields do not concern her."""
    taken = dict.fromkeys((1, 2), "tour small, tour large")
    p = after("T1", taken=taken)  # the bonus field of column 1 would cost 2 and bring students
    assert p.state.played == 1
    assert p.pal == (5, 2, 7, 6)
    assert p.state.students[0] == 0
    assert p.asked == (0, "TURN")
    p = SoloPosition(deck="T1 T2", turns=2, workers=[3]).manage().manage()
    assert p.state.played == 2
    assert p.pal[:2] == (5 + 4, 2 + 3)


ROWS = {"D": "display", "N": "build", "M": "trade", "T": "tour"}


@pytest.mark.parametrize(("card", "arrow"), [
    ("D1", "right"), ("D2", "left"), ("N1", "right"), ("N2", "left"),
    ("M1", "right"), ("M2", "left"), ("T1", "right"), ("T2", "left"),
])  # fmt: skip
@pytest.mark.parametrize("unused", [1, 3])
def test_pal_takes_the_first_free_field_of_her_class(card, arrow, unused):
    """4.2: normal ones, then bonus fields, then jokers, in the order of the arrow, then none."""
    row = ROWS[card[0]]
    columns = [1, 2] if unused == 3 else [2, 3]
    step = 1 if arrow == "right" else -1
    order = [(c, f"{row} {kind}") for c in columns for kind in ("small", "large")][::step]
    order += [(c, f"{row} bonus") for c in columns][::step]
    order += [(c, "joker") for c in columns][::step]
    taken = {column: [] for column in columns}
    for column, field in order:
        p = after(card, unused=unused, taken={c: ", ".join(f) for c, f in taken.items()})
        before = [sum(1 << FIELDS.index(f) for f in taken.get(c, [])) for c in (1, 2, 3)]
        workers = 2 if "large" in field else 1
        assert placed(p, before) == (column, field, workers)
        assert p.pal[2] == 8 - workers
        taken[column].append(field)
    p = after(card, unused=unused, taken={c: ", ".join(f) for c, f in taken.items()})
    assert p.pal[2] == 8  # she acts without workers
    assert p.state.played == 1 + sum(not IS_B[c] for c in p_deck(p)[: p.state.played - 1])


def p_deck(p):
    """Return the action cards of a game in their order."""
    return [CARDS[card] for card in p.state.deck.tolist() if card != NONE]


def test_pal_acts_with_too_few_workers():
    """4.2: if she has fewer than the field needs, she places none and acts all the same."""
    p = SoloPosition(deck="T2", turns=1, workers=[2])
    p.state.workers[1] = 1
    p.manage()  # the first field from the right is the large one of column 2
    assert p.pal[:3] == (4, 3, 1)
    assert not p.state.placed[1].any()
    assert placed(p, [0, 0, 0]) == ("nowhere", 0)
    p = SoloPosition(deck="T1", turns=1, workers=[2])
    p.state.workers[1] = 1
    p.manage()
    assert p.pal[:3] == (5, 2, 0)
    p = SoloPosition(deck="T1", turns=1, workers=[2])
    p.state.workers[1] = 0
    p.manage()
    assert p.pal[:3] == (5, 2, 0)
    assert placed(p, [0, 0, 0]) == ("nowhere", 0)


DISPLAYS = [
    # highest: 6 of stegosaurus before 4 of the others
    ("stegosaurus placodus mixosaurus", "D1", "stegosaurus", 6),
    # lowest: 1 of stegosaurus; mixosaurus lacks 2, placodus 3 and 4
    ("mixosaurus stegosaurus placodus", "D2", "stegosaurus", 1),
    ("williamsonia+2 pentasteria", "D2", "williamsonia", 1),  # pentasteria lacks 2 and 3
    # equal numbers: fewest free fields; osmunda lacks 1 and 4, lystrosaurus 1
    ("osmunda lystrosaurus placodus", "D2", "lystrosaurus", 1),
    ("williamsonia lystrosaurus", "D2", "lystrosaurus", 1),
    ("stegosaurus+1 plateosaurus", "D1", "stegosaurus", 6),
    ("plateosaurus stegosaurus+1", "D1", "stegosaurus", 6),
    # then the card that was opened first
    ("stegosaurus plateosaurus", "D1", "stegosaurus", 6),
    ("plateosaurus stegosaurus", "D1", "plateosaurus", 6),
    ("homoeosaurus lystrosaurus", "D2", "homoeosaurus", 1),
]


@pytest.mark.parametrize(("exhibits", "card", "name", "piece"), DISPLAYS)
def test_pal_displays_a_piece(exhibits, card, name, piece):
    """4.3: the highest or the lowest number, fewest free fields, the card opened first; a cube."""
    p = SoloPosition(exhibits=exhibits, deck=card, turns=1, workers=[2])
    others = [word.split("+")[0] for word in exhibits.split() if word.split("+")[0] != name]
    before = {other: p.exhibit(other) for other in others}
    pieces, cubes = p.exhibit(name)
    left = p.pal[3]
    p.manage()
    if len(pieces) + 1 == SIZES[name]:  # it is finished: the cubes come back (4.7)
        assert p.exhibit(name) == (sorted([*pieces, piece]), 0)
        assert p.pal[3] == left + cubes
    else:
        assert p.exhibit(name) == (sorted([*pieces, piece]), cubes + 1)
        assert p.pal[3] == left - 1
    assert {other: p.exhibit(other) for other in others} == before


def test_pal_displays_nothing_without_a_field_or_a_cube():
    """4.3: workers are placed all the same."""
    p = SoloPosition(exhibits="mixosaurus+2 lystrosaurus+1", deck="D1", turns=1, workers=[2])
    p.state.cubes_on[:2] = 0
    p.state.cubes = 6
    p.manage()
    assert p.pal == (0, 0, 7, 6)
    p = SoloPosition(exhibits="stegosaurus placodus", deck="D1", turns=1, workers=[2], cubes=0)
    p.manage()
    assert p.pal[2:] == (7, 0)
    assert p.exhibit("stegosaurus") == ([3, 4], 0)


@pytest.mark.parametrize(
    ("card", "guests", "dollars"), [("T1", 5, 2), ("T2", 4, 3), ("T3", 8, 3), ("T4", 7, 4)]
)
def test_pal_gives_a_tour(card, guests, dollars):
    """4.4: what the card says; guests above 50 are lost."""
    assert after(card).pal[:2] == (guests, dollars)
    p = after(card, guests=[0, 45], dollars=[0, 6])
    assert p.pal[:2] == (min(50, 45 + guests), 6 + dollars)


def test_the_guests_of_pal_are_never_reset():
    """4.4: by no opening."""
    p = SoloPosition(workers=[1], guests=[9, 30], bags={})
    p.end_round()
    assert p.pal[0] == 30
    assert p.points == [3]


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        ("N1", ["1 2 - . 1 -", "4 5 6 . - 4"]),  # 3 and 4 are missing: the highest is 4
        ("N2", ["1 2 3 . 1 -", "- 5 6 . - 4"]),
        ("N3", ["1 2 - . 1 -", "4 5 6 . - 4"]),
        ("N4", ["1 2 3 . 1 -", "- 5 6 . - 4"]),
    ],
)
def test_pal_donates_the_missing_piece_of_her_arrow(card, lines):
    """4.5: to the fossil with most; the tile leaves the bag; its pieces then are what is lost."""
    here = rows("S S s . P p", "s S S . p P", S="stegosaurus", P="placodus")
    p = after(card, [here], score=[20, 0])
    assert p.map()[:2] == lines
    assert p.points == [20 - 5]
    assert p.gains == [-5]
    assert p.bag(2)["stegosaurus/34"] == 4 - 1
    assert p.stored() == ""


def test_prestige_does_not_fall_below_0():
    """4.5: by what Pal donates."""
    here = rows("S S s . . .", "s S S . . .", S="stegosaurus")
    assert after("N1", [here], score=[3, 0]).points == [0]
    assert after("N1", [here], score=[5, 0]).points == [0]
    assert after("N1", [here], score=[6, 0]).points == [1]
    p = asked_for("N1", [here], score=[3, -3])
    p.do("field 1 build small", "piece 4")
    assert (p.points, p.gains) == ([0, 0], [-3, 3])


def test_the_player_chooses_among_equal_fossils():
    """4.5: by the lowest-numbered field of the rectangle."""
    here = rows(
        "P p . Q q .",
        "p P . q Q .",
        ROW,
        "M m . . . .",
        P="placodus",
        Q="pentasteria 1",
        M="mixosaurus",
    )
    p = after("N1", [here], score=[9, 0])
    assert p.asked == (0, "TIE")
    assert p.choices == ["cell 1,1", "cell 1,4"]
    p.do("cell 1,4")
    # pentasteria turned once: 3 1 / 4 2; displayed are 3 and 2, missing 1 and 4
    assert p.map()[:2] == ["1 - . 3 - .", "- 4 . 4 2 ."]
    assert p.points == [9 - 3]


def test_a_piece_without_tile_is_not_donated():
    """4.5: the next one of which a bag in use holds a tile; none, and nothing happens."""
    here = rows("S s s . . .", "s s s . . .", S="stegosaurus")
    for card, bag, line in (
        ("N1", "stegosaurus/12 stegosaurus/34", ["1 - - . . .", "4 - - . . ."]),
        ("N2", "stegosaurus/34 stegosaurus/56", ["1 - 3 . . .", "- - - . . ."]),
        ("N1", "stegosaurus/12", ["1 2 - . . .", "- - - . . ."]),
        ("N1", "eryma", ["1 - - . . .", "- - - . . ."]),
        ("N2", "", ["1 - - . . .", "- - - . . ."]),
    ):
        p = after(card, [here], bags={2: bag}, score=[9, 0])
        assert p.map()[:2] == line
        assert p.points == [9 - (2 if "stegosaurus" in bag else 0)]
        assert p.pal[2] < 8  # her workers are placed
    # tyrannosaurus is found in the bag that is not used only
    here = rows("T t t . . .", "t t t . . .", T="tyrannosaurus")
    assert after("N1", [here], score=[9, 0]).points == [9]


def test_nothing_is_donated_instead_to_another_fossil():
    """4.5: no tile for the chosen one, and nothing happens."""
    here = rows("T T t . M m", "t t t . . .", T="tyrannosaurus", M="mixosaurus")
    p = after("N1", [here], score=[9, 0])
    assert p.points == [9]
    assert p.map()[0] == "1 2 - . 1 -"


def test_pal_takes_the_tile_from_the_fuller_bag():
    """4.5: counting all tiles in it; of equal ones the lower site."""
    here = rows("P P P . . .", "p P P . . .", P="plesiosaur")
    for bags, site in (
        ({1: "plesiosaur/34", 2: "plesiosaur/34 eryma"}, 2),
        ({1: "plesiosaur/34 eoraptor", 2: "plesiosaur/34"}, 1),
        ({1: "plesiosaur/34 eoraptor", 2: "plesiosaur/34 eryma"}, 1),
        ({1: "plesiosaur/34 eoraptor", 2: "2*plesiosaur/34"}, 1),
        ({1: "3*eoraptor", 2: "plesiosaur/34"}, 2),
    ):
        p = after("N2", [here], bags=bags)
        before = {1: 0, 2: 0} | {s: bag.count("plesiosaur") for s, bag in bags.items()}
        if "2*" in bags[2]:
            before[2] = 2
        now = {s: p.bag(s).get("plesiosaur/34", 0) for s in (1, 2)}
        assert {s: before[s] - now[s] for s in (1, 2)} == {site: 1, 3 - site: 0}
        assert p.map()[1] == "4 5 6 . . ."


def test_a_completed_fossil_brings_the_player_its_bonus():
    """4.5: F5.7: guests, type bonus and a stand."""
    here = rows("P P P . . .", "p P P . . .", P="plesiosaur")
    p = after("N1", [here], score=[9, 0])
    assert (p.state.guests[0], p.state.stands[0]) == (6 + 1, 1)
    assert p.points == [9 - 6]
    here = rows("S S S . . .", "s S S . . .", S="stegosaurus")
    p = after("N1", [here], score=[9, 0])
    assert p.state.dollars[0] == 1 + 1  # one of the management
    assert p.state.guests[1] == 0


def test_without_an_incomplete_fossil_nothing_is_donated():
    """4.5: workers are placed."""
    p = after("N1", [rows("E . . . . .", E="eryma")], score=[9, 0])
    assert p.points == [9]
    assert p.pal[2] == 7


def test_what_pal_donates_completes_lines_for_the_player():
    """4.5, F10.6: outside the own turn: one worker from the goal."""
    here = museum("E E E E E .\n" * 5 + "M m . . . .", E="eoraptor", M="mixosaurus")
    p = after("N1", [here], score=[9, 0], jobs="column donate3 guests18", on_goal=[[1, 1, 2]])
    assert p.map()[5] == "1 2 . . . ."
    assert p.state.on_goal[0].tolist() == [0, 1, 2]  # the second column is full now
    assert p.state.workers[0] == 1 + 1
    assert p.state.paid_elsewhere[0] == 1


MARKET = {
    "terrestrial": "eoraptor thrinaxodon eoraptor thrinaxodon",
    "aquatic": "eryma mixosaurus/12",
    "botanical": "araucaria",
}


@pytest.mark.parametrize(
    ("card", "left"),
    [
        ("M1", ["thrinaxodon eoraptor thrinaxodon", "mixosaurus/12", ""]),  # 1 from the left
        ("M2", ["eoraptor thrinaxodon", "", ""]),  # 1 and 2 from the right
        ("M3", ["thrinaxodon thrinaxodon", "mixosaurus/12", ""]),  # 1 and 3 from the left
    ],
)
def test_pal_removes_tiles_from_the_market(card, left):
    """4.6: counted among the tiles that are there; positions beyond the row remove nothing."""
    p = after(card, market=MARKET, archive="eryma", bags={})
    assert [p.row(name) for name in MARKET] == left
    assert p.archive == "eryma"
    assert p.state.dollars.tolist() == [1, 0]


def test_pal_draws_tiles_into_the_market():
    """4.6: then two from each site in use, in ascending order, as they are put there."""
    p = after("M1", bags={1: "2*pleuromeia", 2: "2*araucaria"})
    assert p.row("botanical") == "pleuromeia pleuromeia araucaria araucaria"
    p = after("M1", market=MARKET, bags={1: "pleuromeia", 2: "2*araucaria"})
    assert p.row("botanical") == "pleuromeia araucaria araucaria"
    full = {"botanical": "wielandiella " * 8}
    p = after("M1", market=full, bags={1: "2*pleuromeia", 2: "araucaria"})
    assert p.row("botanical").split() == ["wielandiella"] * 5 + ["pleuromeia"] * 2 + ["araucaria"]
    assert p.archive.split() == ["wielandiella"] * 2  # one of eight left the game before


def test_a_finished_card_gives_its_cubes_back():
    """4.7: tiles on it leave the game, it stays finished, and she receives no bonus."""
    p = SoloPosition(
        exhibits="stegosaurus+1+2+5 placodus", deck="D1", turns=1, workers=[2], dollars=[0, 3]
    )
    assert p.pal[3] == 3
    p.manage()
    assert p.exhibit("stegosaurus") == ([1, 2, 3, 4, 5, 6], 0)
    assert p.pal == (0, 3, 7, 6)
    # by a donation of the player
    p = SoloPosition(
        exhibits="stegosaurus+1+2+5 placodus", workers=[2], storage=["stegosaurus/56"], deck="D1 D3"
    )
    p.do("field 2 build small", "tile stegosaurus/56")
    assert p.gains == [6]
    assert p.exhibit("stegosaurus") == ([1, 2, 3, 4, 5, 6], 0)
    assert p.pal[3] == 6
    # it is not displayed on again
    p = SoloPosition(exhibits="mixosaurus+2 placodus", deck="D1", turns=1, workers=[2])
    p.state.cubes_on[0], p.state.cubes = 0, 6
    p.manage()
    assert p.exhibit("placodus") == ([1, 2, 4], 1)


# ---------------------------------------------------------------------- 8. Pal as a player


def asked_for(card, museums=(), **at):
    """Return the position in which Pal, a player, has just played a card."""
    p = SoloPosition(museums, deck=card, turns=1, workers=[2], options=AGENT, **at)
    p.do("field 2 management", "gain dollar")
    assert p.asked == (1, "CARD")
    return p.do(f"card {card.split()[0]}")


def test_pal_plays_any_card_of_her_hand_a_before_b():
    """8.1: as long as she has A cards."""
    p = SoloPosition(deck="T1", turns=1, workers=[2], options=AGENT).manage()
    a = sorted((card for card in p_deck(p) if not IS_B[card]), key=CARDS.index)
    assert p.offers("card") == a
    p.do("card D3")
    assert p_deck(p)[0] == "D3"
    assert sorted(p_deck(p)[1 : len(a)]) == sorted(card for card in a if card != "D3")
    p = SoloPosition(deck="T3", turns=1, workers=[2], options=AGENT).manage()
    assert p.offers("card") == [card for card in CARDS if card in p_deck(p) and IS_B[card]]


def test_pal_chooses_among_all_free_fields_of_a_class():
    """8.2: of the class that 4.2 gives."""
    p = asked_for("T1")
    assert p.asked == (1, "FIELD")
    normal = [f"field {c} tour {kind}" for c in (1, 2) for kind in ("small", "large")]
    assert p.choices == normal
    p.do("field 2 tour large")
    assert p.pal == (5, 2, 6, 6)
    assert p.state.placed[1].tolist() == [0, 2, 0]
    taken = dict.fromkeys((1, 2), "tour small, tour large")
    assert asked_for("T1", taken=taken).choices == ["field 1 tour bonus", "field 2 tour bonus"]
    taken = dict.fromkeys((1, 2), "tour small, tour large, tour bonus")
    assert asked_for("T1", taken=taken).choices == ["field 1 joker", "field 2 joker"]


def test_pal_chooses_fossil_card_and_piece():
    """8.2: among all free fields of the open cards."""
    p = asked_for("D1", exhibits="stegosaurus mixosaurus placodus+3 lystrosaurus+1")
    p.do(p.choices[0])
    assert p.asked == (1, "EXHIBIT")
    assert p.choices == ["exhibit placodus", "exhibit mixosaurus", "exhibit stegosaurus"]
    q = p.copy().do("exhibit mixosaurus")  # one free field
    assert q.asked == (0, "TURN")
    assert q.exhibit("mixosaurus") == ([1, 2], 0)
    p.do("exhibit stegosaurus")
    assert p.choices == ["piece 1", "piece 2", "piece 5", "piece 6"]
    p.do("piece 5")
    assert p.exhibit("stegosaurus") == ([3, 4, 5], 1)


def test_pal_chooses_the_piece_that_she_donates():
    """8.2: of the fossil chosen as in 4.5, if a bag in use holds a tile."""
    here = rows("S s s . . M", "s s s . . m", S="stegosaurus", M="mixosaurus")
    one = rows("S S s . . M", "s s s . . m", S="stegosaurus", M="mixosaurus")
    p = asked_for("N1", [one], score=[9, 0])
    p.do(p.choices[0])
    assert p.asked == (1, "PIECE")
    assert p.choices == ["piece 3", "piece 4", "piece 5", "piece 6"]
    q = p.copy().do("piece 4")
    assert q.map()[:2] == ["1 2 - . . 1", "4 - - . . -"]
    assert (q.gains, q.points) == ([-3, 3], [6, 3])
    p = asked_for("N1", [one], score=[9, 0], bags={2: "stegosaurus/56"})
    p.do(p.choices[0])
    assert p.choices == ["piece 5", "piece 6"]
    p = asked_for("N2", [here], score=[9, 0])
    p.do(p.choices[0])
    assert p.asked == (0, "TIE")  # the player, among equals
    p.do("cell 1,1")
    assert p.asked == (1, "PIECE")
    assert p.choices == [f"piece {n}" for n in (2, 3, 4, 5, 6)]


def test_pal_chooses_the_end_of_the_rows():
    """8.2: if there is a tile in the market."""
    p = asked_for("M1", market=MARKET, bags={})
    p.do(p.choices[0])
    assert p.choices == ["end left", "end right"]
    q = p.copy().do("end right")
    assert q.row("terrestrial") == "eoraptor thrinaxodon eoraptor"
    p.do("end left")
    assert p.row("terrestrial") == "thrinaxodon eoraptor thrinaxodon"
    p = asked_for("M1", bags={}, archive="eryma")
    p.do(p.choices[0])
    assert p.asked == (0, "TURN")


DIFFICULTIES = [option.name for option in SOLO.options[2:]]
NOT_COMPARED = {"num_players", "pal", "choices", "ply", "gain", "score", "spare"}


@pytest.mark.parametrize("game", range(12))
def test_playing_as_the_cards_say_is_the_game_of_the_cards(game, n_games):
    """8.3: first unplayed card, and 4 at each choice; compared field by field."""
    if game >= n_games(12):
        pytest.skip("fewer games in this mode")
    luck = random.Random(game)
    options = {name: luck.random() < 0.4 for name in DIFFICULTIES}
    cards, agent = (SOLO.new(game, pal=pal, **options) for pal in ("cards", "agent"))
    decided = 0
    while not cards.done:
        while not agent.done and agent.to_play == 1:
            choice = rulebook_choice(agent)
            assert choice in SOLO.legal_actions(agent)
            SOLO.step(agent, choice)
            decided += 1
        same(cards, agent)
        legal = SOLO.legal_actions(cards)
        assert legal.tolist() == SOLO.legal_actions(agent).tolist()
        action = luck.choice(legal.tolist())
        SOLO.step(cards, action)
        SOLO.step(agent, action)
    while not agent.done:
        SOLO.step(agent, rulebook_choice(agent))
    same(cards, agent)
    assert decided > 20


def same(cards, agent):
    """Assert that two games are the same but for who plays Pal."""
    for name in SOLO.STATE.names:
        if name not in NOT_COMPARED:
            assert np.array_equal(cards[name], agent[name]), name
    assert cards.score[0] == agent.score[0]
    assert agent.score[1] == -agent.score[0]


def test_the_points_of_pal_are_the_opposite(n_games):
    """8.4: at every step."""
    for seed in range(n_games(30)):
        luck = random.Random(seed)
        state = SOLO.new(seed, pal="agent", negative_prestige=True)
        while not state.done:
            SOLO.step(state, luck.choice(SOLO.legal_actions(state).tolist()))
            assert state.score[1] == -state.score[0]
            assert state.gain[1] == -state.gain[0]
