"""Fossilium, paragraph by paragraph: opening, excavation and the last round.

Sections 11 to 13 of docs/games/fossilium.md; see test_fossilium_rules.py.
"""

from collections import Counter

import numpy as np
import pytest

from chance import Chance
from fossilium_position import BAGS, NONE, RULES, TILES, TYPE, TYPES, Position, museum, rows

pytestmark = pytest.mark.rules

THREE = {"num_players": 3}
FOUR = {"num_players": 4}


# ---------------------------------------------------------------------- 11. opening


@pytest.mark.parametrize("guests", [0, 1, 2, 3, 4, 5, 29, 30, 47, 48, 49, 50])
def test_guests_bring_prestige(guests):
    """11.1: one for every three, rounded down."""
    p = Position(workers=[1], guests=[guests, 50 - guests], bags={})
    p.end_round()
    assert p.points == [guests // 3, (50 - guests) // 3]
    assert p.gains == p.points


# Three terrestrial, two aquatic and one botanical fossil; of them five complete. Sizes: the best
# complete one is of size 4, the one with most pieces shown is stegosaurus with five.
HALL = museum(
    """
    .  .  P  P  1a .
    .  .  P  P  .  .
    S  S  S  M  m  .
    S  S  s  W  W  .
    E  A  .  .  .  .
    Y  .  2b .  .  .""",
    P="oviraptor_nest", S="stegosaurus", M="mixosaurus", W="wollemia", E="eoraptor", A="araucaria",
    Y="eryma",
)  # fmt: skip


def worth(goal, here):
    """Return the regular guests that a round goal brings."""
    p = Position([here], workers=[1], round_goal=goal, bags={})
    p.end_round()
    return int(p.state.regular[0])


@pytest.mark.parametrize(
    ("goal", "number", "thresholds"),
    [
        ("1 light", 5, (2, 3, 5)),  # oviraptor nest, wollemia, eoraptor, araucaria, eryma
        ("1 dark", 5, (4, 6, 8)),
        ("2 light", 3, (2, 3, 4)),  # terrestrial: oviraptor nest, stegosaurus, eoraptor
        ("2 dark", 3, (3, 4, 6)),
        ("3 light", 5, (2, 3, 4)),  # stegosaurus
        ("3 dark", 4, (2, 4, 6)),  # oviraptor nest
        ("4 light", 2, (1, 2, 3)),
        ("4 dark", 2, (2, 3, 4)),
        ("5 light", 3, (2, 3, 4)),  # eoraptor, araucaria, eryma
        ("5 dark", 3, (3, 4, 5)),
        ("6 light", 2, (1, 2, 3)),  # mixosaurus, wollemia
        ("6 dark", 1, (1, 2, 3)),  # wollemia
        ("7 light", 2, (1, 2, 3)),  # 3, 2 (mixosaurus, eryma) and 2 (wollemia, araucaria)
        ("7 dark", 1, (1, 2, 3)),  # 2, 1 and 2 complete ones
    ],
)
def test_what_round_goals_count(goal, number, thresholds):
    """11.2, 11.3, 11.4: the highest threshold that is met brings one tile worth 1, 2 or 3."""
    assert worth(goal, HALL) == sum(number >= at for at in thresholds)


@pytest.mark.parametrize(
    ("panels", "light", "dark"), [(0, 0, 0), (1, 1, 0), (2, 2, 1), (3, 3, 2), (4, 3, 3), (5, 3, 3)]
)
def test_the_highest_threshold_counts_alone(panels, light, dark):
    """11.2: a small, a medium or a large tile, not several."""
    here = rows(" ".join(["1a", "2a", "3a", "4a", "5a"][:panels] + ["."] * (6 - panels)))
    assert worth("4 light", here) == light
    assert worth("4 dark", here) == dark


def test_an_incomplete_fossil_counts_as_a_fossil():
    """11.4: and the starting fossil; of a type the best one; of sets the smallest."""
    here = rows(
        "M m . N n .", "O o . . . E", M="mixosaurus", N="mixosaurus", O="mixosaurus", E="eoraptor"
    )
    assert worth("2 light", here) == 2  # three aquatic fossils
    assert worth("1 light", here) == 0  # one complete fossil
    assert worth("7 light", here) == 0  # no botanical one
    assert worth("3 light", rows("P p . . . .", "p P . . . .", P="placodus")) == 1
    assert worth("3 dark", rows("P p . . . .", "p P . . . .", P="placodus")) == 0
    assert worth("6 light", here) == 3


def test_the_track_is_reset_to_the_regular_guests():
    """11.2, 11.3: after the goal; it does not move before, and no job goal is looked at."""
    p = Position(
        [HALL], jobs="guests18 guests28 row", workers=[1], on_goal=[[2, 1, 1]], guests=[17, 30],
        regular=[15, 2], round_goal="1 light", bags={},
    )  # fmt: skip
    p.end_round()
    assert p.points == [17 // 3, 30 // 3]  # 17 guests, not 17 + 3
    assert p.state.regular[:2].tolist() == [18, 2]
    # income of round 2: no terrestrial piece in column 6, none aquatic in column 2, and of the
    # botanical ones wollemia in column 4; a cloakroom brings 2 guests
    assert p.of("guests") == [18 + 1 + 2, 2]
    assert p.state.on_goal[0].tolist() == [2, 1, 1]


def test_no_goal_brings_no_regular_guests():
    """11.2: if there is one."""
    p = Position([HALL], workers=[1], bags={})
    p.end_round()
    assert p.state.regular[0] == 0


# ---------------------------------------------------------------------- 12. excavation


def test_each_player_draws_for_all_workers_and_keeps_for_the_own():
    """12.1: own, others', neutral and permanent ones; joker and management are in the column."""
    # seat 0: one placed before and one on management; seat 1: one; neutral 1; permanent 1 of seat 1
    p = Position(workers=[1], placed=[[1], [1]], permanent=[[0], [1]], neutral=[1, 0, 0])
    p.end_round()
    assert p.asked == (0, "KEEP")
    assert (len(p.drawn), int(p.state.keep)) == (2 + 1 + 1 + 1, 2)
    p = Position(workers=[1], placed=[[0], [1]], permanent=[[0], [1]])
    p.end_round()
    assert (len(p.drawn), int(p.state.keep)) == (1 + 1 + 1, 1)
    p.do(p.choices[0])
    assert p.asked == (1, "KEEP")
    assert (len(p.drawn), int(p.state.keep)) == (3, 2)


def test_at_most_six_tiles_are_drawn():
    """12.1: with twelve workers in the column."""
    p = Position(workers=[1], placed=[[3], [3]], permanent=[[1], [2]], neutral=[2, 0, 0])
    p.end_round()
    assert (len(p.drawn), int(p.state.keep)) == (6, 5)


def test_sites_come_in_ascending_order_and_players_from_the_ammonite():
    """12.1: each player with workers there; the others put back before the next one draws."""
    placed = [[1, 0, 1], [0, 1, 0], [1, 1, 1]]
    p = Position(workers=[1], placed=placed, first=2, options=THREE)
    p.end_round(2)
    asked = []
    while p.asked[1] == "KEEP":
        assert sum(p.bag(p.state.site + 1).values()) + len(p.drawn) == 73 - len(
            [1 for seat, site in asked if site == p.state.site + 1]
        )
        asked.append((p.asked[0], int(p.state.site) + 1))
        p.do(p.choices[0])
    # workers: column 1: seats 0, 2; column 2: 1, 2 and the one on management of 0; column 3: 0, 2
    assert asked == [(2, 1), (0, 1), (2, 2), (0, 2), (1, 2), (2, 3), (0, 3)]


def test_what_a_player_returns_can_be_drawn_by_the_next():
    """12.1: with three tiles and two players who draw two: both have a choice of the same bag."""
    bag = "eoraptor thrinaxodon pleuromeia"
    kept = Counter()
    for seed in range(12):
        p = Position(workers=[1], placed=[[0], [1]], bags={1: bag}, seed=np.uint64(seed))
        p.end_round()
        first = p.drawn
        p.do(p.choices[0])
        second = p.drawn
        assert len(first) == len(second) == 2
        assert set(first) | set(second) == set(bag.split())  # the returned one is there again
        kept[p.stored()] += 1
        p.do(p.choices[1])
        assert sum(p.bag(1).values()) == 1
    assert len(kept) > 1


def test_a_short_bag_gives_all_it_has():
    """12.1: four own workers and three tiles: nothing to choose; the next one finds none."""
    p = Position(workers=[1], placed=[[3], [1]], bags={1: "eoraptor thrinaxodon pleuromeia"})
    p.end_round()
    assert p.stored() == "eoraptor thrinaxodon pleuromeia"
    assert p.stored(1) == ""
    assert p.state.round_number == 2


def test_overfull_storages_are_emptied_when_all_sites_are_done():
    """12.2: one tile at a time, in the same order of players, into the market without pay."""
    p = Position(
        workers=[1], placed=[[1, 1], [0, 2]], storage=["8*eryma", "7*araucaria"], first=1,
        bags={1: "2*eoraptor", 2: "3*compsognathus"}, market={"aquatic": "berriasella"},
    )  # fmt: skip
    p.end_round()
    # column 1: seat 0 keeps both; column 2: seat 1 keeps two of three, seat 0 the one put back
    assert p.stored(0) == " ".join(["eoraptor"] * 2 + ["compsognathus"] + ["eryma"] * 8)
    assert p.stored(1) == " ".join(["compsognathus"] * 2 + ["araucaria"] * 7)
    assert p.row("aquatic") == "berriasella"
    assert p.asked == (1, "DISCARD")
    p.do("tile araucaria")
    assert p.row("botanical") == "araucaria"
    assert p.asked == (0, "DISCARD")
    assert p.choices == ["tile eoraptor", "tile compsognathus", "tile eryma"]
    p.do("tile eryma", "tile eoraptor", "tile eryma")
    assert p.row("aquatic") == "berriasella eryma eryma"
    assert p.row("terrestrial") == "eoraptor"
    assert [len(p.stored(seat).split()) for seat in (0, 1)] == [8, 8]
    assert p.of("dollars") == [0, 0]
    assert p.state.round_number == 2


def test_all_workers_go_home():
    """12.3: from the board to the museums; the fields are free again."""
    p = Position(
        workers=[1], placed=[[1, 1], [0, 3]], bags={}, taken={1: "display small, tour large"}
    )
    p.end_round()
    assert p.of("workers") == [3, 3]
    assert not p.state.placed.any()
    assert p.state.taken[0] == 1 + 64  # 2.7: neutral ones on display small and trade small


def test_workers_above_four_are_assigned():
    """12.3: one at a time, in ascending order of columns, in the order of players."""
    p = Position(workers=[1], placed=[[2, 3, 0], [2, 3, 0]], first=1, bags={})
    p.end_round()
    assert p.asked == (1, "ASSIGN")
    assert p.choices == ["column 1", "column 2"]
    p.do("column 2")
    assert p.state.permanent[1].tolist() == [0, 1, 0]
    assert p.asked == (0, "ASSIGN")
    p.do("column 1")
    assert p.choices == ["column 1", "column 2"]
    p.do("column 2")
    assert p.state.permanent[0].tolist() == [1, 1, 0]
    assert p.of("workers") == [4, 4]
    assert p.state.round_number == 2
    p = Position(workers=[1], placed=[[2, 3, 1]], bags={}, options=FOUR)
    p.end_round().do("column 2")
    assert p.choices == ["column 2", "column 3"]
    p = Position(workers=[1], placed=[[2, 4]], bags={})
    p.end_round().do("column 2")  # after the second column only it is left, for all others too
    assert p.state.permanent[0].tolist() == [0, 3, 0]


def test_four_workers_stay_what_they_are():
    """12.3: none above four, nothing to assign."""
    p = Position(workers=[1], placed=[[3], [4]], bags={})
    p.end_round()
    assert p.of("workers") == [4, 4]
    assert not p.state.permanent.any()


def test_a_permanent_worker_stays_and_does_not_act():
    """12.4: it counts for drawing, keeping and the joker, but is placed by nobody."""
    p = Position(
        workers=[1], permanent=[[2], [0]], round_number=3, bags={1: "3*eoraptor pleuromeia"}
    )
    p.end_round()  # three workers: three of four tiles are drawn, and all are kept
    assert len(p.stored().split()) == 3
    assert p.state.permanent[0].tolist() == [2, 0, 0]
    assert p.of("workers")[0] == 1
    p.end_round(2)  # none of them stands in column 2; the two in column 1 draw the last tile
    assert len(p.stored().split()) == 4
    assert p.state.permanent[0].tolist() == [2, 0, 0]
    assert p.state.round_number == 5
    p = Position(workers=[0, 1], permanent=[[2], [0]], round_number=4, turn=1, bags={})
    p.manage()
    assert p.state.round_number == 5  # seat 0 was not asked


def test_the_ammonite_goes_on():
    """12.5: to the next player, who begins."""
    p = Position(workers=[1], bags={}, first=2, placed=[[0], [1], [1], [1]], options=FOUR)
    p.end_round()
    assert p.state.first == 3
    assert p.asked == (3, "TURN")
    p = Position(workers=[1], bags={}, first=3, placed=[[0], [1], [1], [1]], options=FOUR)
    p.end_round()
    assert p.state.first == 0
    assert p.asked == (0, "TURN")


@pytest.mark.parametrize("round_number", [1, 2, 3, 4])
def test_the_market_is_filled_in_rounds_two_and_four(round_number):
    """12.6, 17.1: two tiles from each site in use, in ascending order, at last."""
    p = Position(
        workers=[0, 1], turn=1, round_number=round_number, options=THREE, seed=np.uint64(5)
    )
    p.state.draws[:] = 0
    p.state.placed[:] = 0
    p.manage(2, "guest")  # one worker in column 2: one tile is drawn and kept
    chance = Chance(5)
    rows = {name: [] for name in TYPES}
    for site in (1, 2, 3):
        bag = [tile for tile in TILES for _ in range(BAGS[site - 1][tile])]
        if site == 2:
            assert p.stored(1) == bag.pop(chance.draw(3, len(bag)))
        for _ in range(2):
            tile = bag.pop(chance.draw(1 + site, len(bag)))
            rows[TYPE[tile.split("/")[0]]].append(tile)
    filled = [" ".join(row) for row in rows.values()]
    empty = ["", "", ""]
    assert [p.row(name) for name in TYPES] == (filled if round_number in (2, 4) else empty)


def test_the_order_of_the_end_of_an_excavation():
    """12.2, 12.3, 12.6: tiles are given up before the market is filled."""
    p = Position(
        workers=[1], storage=["8*eryma"], bags={1: "pleuromeia"},
        round_number=2, market={},
    )  # fmt: skip
    p.end_round()
    assert p.asked == (0, "DISCARD")
    assert p.row("aquatic") == ""
    p.do("tile eryma")
    assert p.row("aquatic").split()[0] == "eryma"


# ---------------------------------------------------------------------- 13. the last round


def test_there_is_no_excavation_in_round_five():
    """13.1, 13.4: nobody draws and nobody assigns workers."""
    p = Position(workers=[1], placed=[[5], [5]], round_number=5)
    p.manage(gain="guest")
    assert p.over
    assert p.stored() == ""
    assert sum(p.bag(1).values()) == 73
    assert not p.state.permanent.any()


def test_permanent_workers_act_in_their_column():
    """13.2: before others, each once; a player who has only such can place them."""
    p = Position(workers=[0, 1], permanent=[[0, 2], [0]], round_number=5)
    assert {word.split()[0] for word in p.offers("field")} == {"2"}
    assert "field 2 display large" in p.choices
    p.manage(2)
    assert p.state.spent[0].tolist() == [0, 1, 0]
    p.manage(1)
    assert p.asked == (0, "TURN")
    assert "field 2 display large" not in p.choices
    p.manage(2, "guest")
    assert p.over


def test_permanent_workers_are_placed_first():
    """13.2: a large field can take one of each; they are not counted twice."""
    p = Position(workers=[1, 1], permanent=[[0, 1], [0]], round_number=5)
    assert "field 1 tour large" not in p.choices
    p.do("field 2 tour large")
    assert p.state.spent[0].tolist() == [0, 1, 0]
    assert p.state.placed[0].tolist() == [0, 1, 0]
    assert p.of("workers")[0] == 0
    p = Position(workers=[2, 1], permanent=[[0, 1], [0]], round_number=5)
    p.do("field 2 tour small")
    assert p.of("workers")[0] == 2
    assert p.state.placed[0].tolist() == [0, 0, 0]


def test_the_joker_counts_a_permanent_worker_once():
    """13.2, 4.8: it is in the column all the time."""
    p = Position(workers=[1, 1], permanent=[[0, 1], [0]], round_number=5, dollars=[9])
    assert {"field 1 joker", "field 2 joker"} <= set(p.choices)
    p.do("field 2 joker")
    assert p.of("dollars")[0] == 9 - (10 - 1)
    p = Position(
        workers=[1, 1], permanent=[[0, 1], [0]], round_number=5, dollars=[9], spent=[[0, 1]]
    )
    p.do("field 2 joker")
    assert p.of("dollars")[0] == 9 - (10 - 2)
    p = Position(workers=[1, 1], permanent=[[0, 1], [0]], round_number=4, dollars=[9])
    p.do("field 2 joker")  # before the last round it does not act
    assert p.of("dollars")[0] == 9 - (10 - 2)
    p = Position(workers=[1, 1], permanent=[[0, 1], [0]], round_number=5, dollars=[8])
    assert "field 2 joker" not in p.choices  # it costs 9, with or without the permanent one acting
    p = Position(workers=[1, 1], permanent=[[0, 1], [0]], round_number=4, dollars=[8])
    assert "field 2 joker" in p.choices


def test_permanent_workers_must_act():
    """13.2, 4.1: the phase does not end before."""
    p = Position(workers=[1, 0], permanent=[[0], [1]], round_number=5)
    p.manage(gain="guest")
    assert p.asked == (1, "TURN")
    p.manage(gain="guest")
    assert p.over


def test_the_strip_finds_a_tile_and_displays_it():
    """13.3: any tile of a bag in use that can be displayed at once; no cost, one worker."""
    p = Position(workers=[1, 1], round_number=5, bags={1: "eoraptor placodus/34", 2: "eryma"})
    assert [word for word in p.choices if "strip" in word] == ["field 1 strip", "field 2 strip"]
    p.do("field 1 strip")
    assert p.asked == (0, "SEARCH")
    assert p.choices == ["tile placodus/34", "tile eoraptor", "tile eryma"]
    q = p.copy().do("tile eryma", "cell 1,1")
    assert q.map()[0] == "1 . . . . ."
    assert q.bag(2) == {}
    assert q.of("guests")[0] == 2  # it is complete
    assert q.asked == (1, "TURN")
    assert "field 1 strip" not in q.choices
    assert "field 2 strip" in q.choices
    p.do("tile placodus/34", "cell 1,1", "pose 0 1")
    # piece 3 is top left after one turn: 3 1 / 4 2
    assert p.map()[:2] == ["3 - . . . .", "- - . . . ."]
    assert p.stored() == ""


def test_the_strip_asks_for_the_bag():
    """13.3, 7.6: where several hold the tile."""
    here = rows("P p p . . .", "p p p . . .", P="plesiosaur")
    p = Position(
        [here], workers=[1, 1], round_number=5, bags={1: "plesiosaur/56", 2: "plesiosaur/56"}
    )
    p.do("field 2 strip")
    assert p.choices == ["column 1", "column 2"]
    p.do("column 1", "cell 2,2")
    assert p.map()[1] == "- 5 - . . ."
    assert (p.bag(1), p.bag(2)) == ({}, {"plesiosaur/56": 1})


def test_the_strip_needs_something_that_can_be_displayed():
    """13.3: here only a half of mixosaurus fits, or nothing."""
    here = museum("\n".join(["E E E E E E"] * 5 + ["E E E E M m"]), E="eoraptor", M="mixosaurus")
    for bag, offered in (
        ("mixosaurus/12 eoraptor placodus/12", True),
        ("eoraptor placodus/12", False),
        ("", False),
    ):
        p = Position([here], workers=[1, 1], round_number=5, bags={1: bag})
        assert ("field 2 strip" in p.choices) == offered
        if offered:
            p.do("field 2 strip")
            assert p.asked == (1, "TURN")  # there is one tile and one field
            assert p.map()[5] == "1 1 1 1 1 2"
    p = Position(workers=[1, 1], round_number=5, bags={})
    assert "field 1 strip" not in p.choices


def test_there_is_no_strip_before_the_last_round_and_no_copy_of_it():
    """13.3: in round 5 it has one field in each column in use."""
    p = Position(workers=[1, 1], round_number=4)
    assert "field 1 strip" not in p.choices
    p = Position(workers=[1, 1], round_number=5, dollars=[20], options=FOUR)
    assert [word for word in p.choices if "strip" in word] == [
        f"field {c} strip" for c in (1, 2, 3)
    ]
    p.do("field 1 joker")
    assert "field 1 strip" not in p.choices
    p = Position(workers=[1, 1], round_number=5, unused=1)
    assert [word for word in p.choices if "strip" in word] == ["field 2 strip", "field 3 strip"]


def test_the_last_opening_and_one_more_income():
    """13.5, 13.6: guests, the goal of round 5, the reset, an income; then the end."""
    here = rows(". . . . 2b E", E="eoraptor")  # 1 dollar, 1 and 2 guests
    p = Position(
        [here], workers=[1], round_number=5, round_goal="4 light", guests=[8, 3], regular=[4, 1]
    )
    p.manage(gain="guest")
    assert p.over
    assert p.state.regular[:2].tolist() == [4 + 1, 1]
    assert p.of("guests") == [5 + 1 + 2, 1]
    assert p.of("dollars") == [1, 0]
    assert p.of("students") == [5, 5]
    # guests 9 and 3: 3 and 1 prestige; then both majorities 7 and 4
    assert p.points == [3 + 7 + 7, 1 + 4 + 4]
    assert p.state.end_goal == NONE
    assert RULES.legal_actions(p.state).tolist() == []
