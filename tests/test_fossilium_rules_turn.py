"""Fossilium, paragraph by paragraph: the turn, trading and tours.

Sections 4, 9 and paragraphs 10.1 to 10.3 of docs/games/fossilium.md; see test_fossilium_rules.py.
"""

import pytest

from fossilium_position import FIELDS, ROW, Position, rows

pytestmark = pytest.mark.rules

FOUR = {"num_players": 4}


# ---------------------------------------------------------------------- 4. the turn


def test_turns_go_round_from_the_holder_of_the_ammonite():
    """4.1: who can place no worker is skipped; the phase ends when nobody can."""
    p = Position(workers=[2, 0, 1, 1], first=2, turn=2, bags={}, options=FOUR)
    seats = []
    while p.state.round_number == 1:
        seats.append(p.asked[0])
        p.do("field 3 management", "gain guest")
    assert seats == [2, 3, 0, 0]
    assert p.asked[0] == 3  # the ammonite has gone on


def test_a_player_who_can_place_a_worker_has_to():
    """4.1: there is no way to pass."""
    p = Position(workers=[1, 1], students=[3])
    assert "stop" not in p.choices
    assert {word.split()[0] for word in p.choices} == {"field", "dig"}


def test_a_field_is_used_once_a_round():
    """4.2: but there is room for all on management."""
    p = Position(workers=[2, 2], bags={})
    p.do("field 1 tour small")
    assert p.asked == (1, "TURN")
    assert "field 1 tour small" not in p.choices
    assert "field 2 tour small" in p.choices
    p.manage().manage().manage()
    assert p.state.round_number == 2
    assert "field 1 tour small" in p.choices


def test_a_field_needs_the_workers_and_the_money():
    """4.2: two on a large field, two dollars for a bonus field."""
    p = Position(workers=[1], dollars=[1])
    assert not {"field 1 display large", "field 1 display bonus"} & set(p.choices)
    p = Position(workers=[2, 1], dollars=[2])
    assert {"field 1 display large", "field 1 display bonus"} <= set(p.choices)
    p.do("field 1 tour large")
    assert (p.of("workers")[0], p.state.placed[0].tolist()) == (0, [2, 0, 0])


def test_a_field_need_not_have_any_effect():
    """4.2: nothing to display, to build, to trade or to show."""
    for row in ("display", "build", "trade", "tour"):
        p = Position(workers=[2, 1])
        p.do(f"field 1 {row} small")
        assert p.asked == (1, "TURN")


def test_the_cost_comes_first_then_the_gain_then_the_action():
    """4.3: a tile from a bonus field can be displayed by its action; a dollar earned cannot pay."""
    p = Position(workers=[1, 1], dollars=[2], bags={3: "berriasella"}, options=FOUR)
    p.do("field 3 display bonus")
    assert p.of("dollars")[0] == 0
    assert p.asked == (0, "DISPLAY")
    assert p.offers("tile") == ["berriasella"]
    p = Position(workers=[1, 1], dollars=[1], storage=["eoraptor"])
    assert "field 1 trade bonus" not in p.choices


@pytest.mark.parametrize("row", ["display", "build", "trade", "tour"])
def test_bonus_fields_bring_the_gain_of_their_column(row):
    """4.4: two students, two guests, or one of two tiles of site 3."""
    p = Position(workers=[1, 1], dollars=[2], options=FOUR)
    assert p.copy().do(f"field 1 {row} bonus").of("students")[0] == 2
    assert p.copy().do(f"field 2 {row} bonus").of("guests")[0] == 2
    p = Position(workers=[1, 1], dollars=[2], bags={3: "berriasella archaefructus"}, options=FOUR)
    p.do(f"field 3 {row} bonus")
    assert p.asked == (0, "KEEP")
    p.do("tile archaefructus")
    assert p.stored() == "archaefructus"
    assert p.bag(3) == {"berriasella": 1}


def test_a_bonus_field_finds_an_empty_bag():
    """4.4: with one tile there is nothing to choose, with none nothing to keep."""
    p = Position(workers=[1, 1], dollars=[2], bags={}, options=FOUR)
    assert p.do("field 3 trade bonus").stored() == ""
    p = Position(workers=[1, 1], dollars=[2], bags={3: "berriasella"}, options=FOUR)
    assert p.do("field 3 tour bonus").stored() == "berriasella"


def test_students_dig_once_a_turn_before_or_after_the_action():
    """4.5: n students draw n tiles from one bag, and one is kept."""
    bag = "eoraptor thrinaxodon pleuromeia"
    p = Position(workers=[2, 1], students=[5], bags={1: bag, 2: "6*araucaria"})
    assert p.offers("dig") == ["1 1", "1 2", "1 3", "2 1", "2 2", "2 3", "2 4", "2 5"]
    p.play("dig 1 3; tile thrinaxodon")
    assert p.of("students")[0] == 2
    assert p.stored() == "thrinaxodon"
    assert p.bag(1) == {"eoraptor": 1, "pleuromeia": 1}
    assert p.asked == (0, "TURN")
    assert p.offers("dig") == []
    p.manage()
    assert p.asked == (1, "TURN")  # not after the action again
    p.manage()
    assert p.offers("dig") == ["1 1", "1 2", "2 1", "2 2"]  # a new turn
    p.manage(2)
    assert p.asked == (0, "AFTER")


def test_a_dig_after_the_action():
    """4.5: the player is asked only if it is possible."""
    p = Position(workers=[2, 1], students=[1], bags={2: "6*araucaria"})
    p.manage()
    assert p.asked == (0, "AFTER")
    assert p.choices == ["stop", "dig 2 1"]
    p.do("dig 2 1")
    assert p.stored() == "araucaria"
    assert p.asked == (1, "TURN")
    p = Position(workers=[2, 1], students=[1], bags={})
    assert p.offers("dig") == []
    assert p.manage().asked == (1, "TURN")
    p = Position(workers=[2, 1], bags={2: "araucaria"})
    p.manage(gain="student")
    assert p.asked == (0, "AFTER")
    p.do("stop")
    assert (p.asked, p.of("students")[0]) == ((1, "TURN"), 1)


def test_a_tile_that_finds_the_storage_full_goes_into_the_market():
    """4.6: kept by a dig or by a bonus field; there is no pay."""
    p = Position(workers=[2, 1], students=[1], storage=["8*eryma"], bags={2: "araucaria"})
    p.do("dig 2 1")
    assert p.stored() == " ".join(["eryma"] * 8)
    assert p.row("botanical") == "araucaria"
    assert p.of("dollars") == [0, 0]
    p = Position(
        workers=[1, 1], dollars=[2], storage=["8*eryma"], bags={3: "archaefructus"}, options=FOUR
    )
    p.do("field 3 build bonus")
    assert p.row("botanical") == "archaefructus"
    assert p.of("dollars")[0] == 0


def test_exactly_one_tile_of_a_dig_is_kept():
    """4.6: there is no way to keep none or two."""
    p = Position(workers=[2, 1], students=[3], bags={2: "eryma araucaria pentacrinites"})
    p.do("dig 2 3")
    assert p.choices == ["tile eryma", "tile pentacrinites", "tile araucaria"]
    p.do("tile eryma")
    assert p.asked == (0, "TURN")


def test_a_player_may_stop_before_the_maximum():
    """4.7: but is asked nothing where stopping is all that is left."""
    p = Position(workers=[2, 1], storage=["3*eryma"])
    p.play("field 1 display large; tile eryma; cell 1,1")
    assert p.choices == ["stop", "tile eryma"]
    p.do("stop")
    assert p.asked == (1, "TURN")
    p = Position(workers=[1, 1], storage=["3*eryma"])
    p.play("field 1 display small; tile eryma; cell 1,1; tile eryma; cell 1,2")
    assert p.asked == (1, "TURN")


def joker_price(**at):
    """Return what the joker of the first column costs."""
    p = Position(workers=[1, 1], dollars=[20], **at)
    p.do("field 1 joker")
    return 20 - p.of("dollars")[0]


def test_the_price_of_the_joker():
    """4.8: 10 less all workers in the column, the one just placed among them, at least 0."""
    assert joker_price() == 10 - 1
    assert joker_price(placed=[[2], [1]]) == 10 - 3 - 1
    assert joker_price(placed=[[0, 2], [0, 1]]) == 10 - 1  # another column
    assert joker_price(permanent=[[1], [2]]) == 10 - 3 - 1
    assert joker_price(neutral=[2, 2, 0]) == 10 - 2 - 1
    assert joker_price(placed=[[2], [3]], permanent=[[1], [1]], neutral=[2]) == 0
    assert joker_price(placed=[[3], [3]], permanent=[[2], [1]], neutral=[2]) == 0
    p = Position(workers=[1, 1], dollars=[8])
    assert "field 1 joker" not in p.choices
    p = Position(workers=[1, 1], dollars=[8], placed=[[0], [1]])
    assert "field 1 joker" in p.choices


def test_a_joker_copies_any_field_of_its_column():
    """4.8: of the first four rows, and management, used or not, but not the joker."""
    p = Position(workers=[1, 1], dollars=[20], taken={1: "display small, trade large, build bonus"})
    p.do("field 1 joker")
    assert p.choices == [f"field 1 {field}" for field in [*FIELDS[:12], "management"]]
    q = p.copy().do("field 1 management", "gain guest")
    assert q.of("guests") == [1, 0]
    assert q.asked[0] == 1
    # one worker does what takes two, and the copied field stays free
    q = p.copy()
    q.state.storage[0, 0] = 4
    q.derive().do("field 1 display large")
    assert q.state.left == 5
    assert q.of("workers")[0] == 0
    q.do("stop")
    assert "field 1 display large" not in q.choices  # one worker is too few
    assert "field 1 tour small" in q.choices
    assert "field 1 display small" not in q.choices  # taken as before


def test_a_field_that_was_copied_stays_free():
    """4.8: and one that was taken stays taken."""
    p = Position(workers=[1, 2], dollars=[20])
    p.do("field 1 joker", "field 1 tour large")
    assert p.asked == (1, "TURN")
    assert "field 1 tour large" in p.choices
    assert "field 1 joker" not in p.choices


def test_a_joker_pays_for_a_bonus_field():
    """4.8: two dollars besides its own price, for which it brings the gain of the column."""
    full = {"placed": [[3], [3]], "permanent": [[2], [1]], "neutral": [2]}  # the joker is free
    p = Position(workers=[1, 1], dollars=[2], **full)
    p.do("field 1 joker")
    assert "field 1 tour bonus" in p.choices
    p.do("field 1 tour bonus")
    assert (p.of("dollars")[0], p.of("students")[0]) == (0, 2)
    p = Position(workers=[1, 1], dollars=[1], **full)
    p.do("field 1 joker")
    assert [word for word in p.choices if "bonus" in word] == []
    assert len(p.choices) == 9
    p = Position(workers=[1, 1], dollars=[9 + 1])  # the price of 9 is paid before
    p.do("field 1 joker")
    assert [word for word in p.choices if "bonus" in word] == []
    p = Position(workers=[1, 1], dollars=[9 + 2])
    p.do("field 1 joker")
    assert len([word for word in p.choices if "bonus" in word]) == 4


def test_management_brings_one_thing():
    """4.9: a dollar, a student or a guest."""
    p = Position(workers=[1, 1], bags={})
    for gain, held in (("dollar", [1, 0, 0]), ("student", [0, 1, 0]), ("guest", [0, 0, 1])):
        q = p.copy().manage(gain=gain)
        assert [q.of(name)[0] for name in ("dollars", "students", "guests")] == held


# ---------------------------------------------------------------------- 9. buying and selling

MARKET = {
    "terrestrial": "eoraptor eoraptor eoraptor lystrosaurus/12 eoraptor",
    "aquatic": "eryma berriasella",
    "botanical": "araucaria",
}


@pytest.mark.parametrize("field", ["small", "bonus"])
def test_a_small_field_is_for_buying_or_selling(field):
    """9.1: up to two tiles, not both."""
    p = Position(workers=[1, 1], dollars=[30], storage=["3*eryma"], market=MARKET)
    p.do(f"field 1 trade {field}")
    assert p.offers("tile")
    assert p.offers("slot")
    q = p.copy().do("slot aquatic 1")
    assert q.offers("tile") == []
    q.do("slot aquatic 1")
    assert q.asked[1] != "TRADE"
    q = p.copy().do("tile eryma")
    assert q.offers("slot") == []
    q.do("tile eryma")
    assert q.asked[1] != "TRADE"


def test_a_large_field_is_for_both_in_any_order():
    """9.1: up to four bought and up to four sold."""
    p = Position(workers=[2, 1], dollars=[50], storage=["5*eryma"], market=MARKET)
    p.do("field 1 trade large")
    p.play("slot terrestrial 1; tile eryma; slot terrestrial 1; tile eryma; tile eryma; tile eryma")
    assert p.offers("tile") == []
    assert p.offers("slot")
    p.play("slot terrestrial 1; slot terrestrial 1")
    assert p.asked == (1, "TURN")
    assert p.stored() == "lystrosaurus/12 eoraptor eoraptor eoraptor eryma"


def test_buying_raises_the_price():
    """9.2: the price of the type, then one more, at most 5."""
    p = Position(workers=[2, 1], dollars=[20], market=MARKET, price=[3, 2, 1])
    p.play("field 1 trade large; slot terrestrial 1")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (17, [4, 2, 1])
    p.do("slot terrestrial 3")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (13, [5, 2, 1])
    p.do("slot terrestrial 1")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (8, [5, 2, 1])
    p.do("slot botanical 1")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (7, [5, 2, 2])
    assert p.row("terrestrial") == "eoraptor eoraptor"
    assert p.stored() == "lystrosaurus/12 eoraptor eoraptor araucaria"


def test_tiles_of_the_archive_cost_one_more():
    """9.2: and raise the price as well."""
    p = Position(workers=[2, 1], dollars=[3], archive="eryma 2*eoraptor", price=[2, 3, 2])
    p.do("field 1 trade large")
    assert p.offers("archive") == ["eoraptor"]  # 2 + 1, but not 3 + 1
    p.do("archive eoraptor")
    assert p.of("dollars")[0] == 0
    assert p.state.price.tolist() == [3, 3, 2]
    assert sorted(p.archive.split()) == ["eoraptor", "eryma"]
    assert p.stored() == "eoraptor"


def test_a_buyer_needs_money_and_a_free_storage_field():
    """9.2: with eight tiles nothing can be bought before one is sold."""
    p = Position(
        workers=[2, 1], dollars=[9], storage=["8*eryma"], market=MARKET, archive="araucaria"
    )
    p.do("field 1 trade large")
    assert p.choices == ["stop", "tile eryma"]
    p.do("tile eryma")
    assert p.offers("slot")
    assert p.offers("archive")
    p = Position(workers=[2, 1], dollars=[2], market=MARKET, price=[3, 2, 1])
    p.do("field 1 trade large")
    assert p.offers("slot") == ["aquatic 1", "aquatic 2", "botanical 1"]


def test_selling_lowers_the_price_first():
    """9.3: then the seller receives it, at least 1; the tile goes into the market."""
    p = Position(workers=[2, 1], storage=["2*eryma eoraptor"], price=[1, 3, 2])
    p.play("field 1 trade large; tile eryma")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (2, [1, 2, 2])
    p.do("tile eryma")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (3, [1, 1, 2])
    p.do("tile eoraptor")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (4, [1, 1, 2])
    assert p.row("aquatic") == "eryma eryma"
    assert p.row("terrestrial") == "eoraptor"


def test_buying_and_selling_in_turn_gains_nothing():
    """9.3, 9.2: bought for 2, sold for 2."""
    p = Position(workers=[2, 1], dollars=[2], market={"aquatic": "eryma"})
    p.play("field 1 trade large; slot aquatic 1; tile eryma")
    assert (p.of("dollars")[0], p.state.price.tolist()) == (2, [2, 2, 2])


def test_of_equal_tiles_side_by_side_the_leftmost_is_offered():
    """9.4: in the archive and in the storage tiles are chosen by type."""
    p = Position(
        workers=[2, 1],
        dollars=[9],
        market=MARKET,
        archive="2*eryma",
        storage=["2*eryma 2*eoraptor"],
    )
    p.do("field 1 trade large")
    assert p.offers("slot") == [
        *("terrestrial 1", "terrestrial 4", "terrestrial 5"),
        *("aquatic 1", "aquatic 2", "botanical 1"),
    ]
    assert p.offers("tile") == ["eoraptor", "eryma"]
    assert p.offers("archive") == ["eryma"]


# ---------------------------------------------------------------------- 10. tours

# side A has the terrestrial shop in row 1 and entrance in column 6, the aquatic ones in row 3 and
# column 2
HALLS = rows("E E E . . E", ROW, ". Y . . Y .", ". Y . . . .", E="eoraptor", Y="eryma")


def test_a_tour_pays_lines_again():
    """10.1: one on a small or bonus field, two different ones on a large field."""
    p = Position([HALLS], workers=[2, 1])
    p.do("field 1 tour large")
    assert p.offers("line") == [
        *("shop terrestrial", "shop aquatic", "entrance terrestrial", "entrance aquatic"),
    ]
    p.play("line shop terrestrial; line entrance aquatic")
    assert (p.of("dollars")[0], p.of("guests")[0]) == (4, 2)
    assert p.asked == (1, "TURN")
    for field in ("small", "bonus"):
        p = Position([HALLS], workers=[1, 1], dollars=[2])
        p.play(f"field 2 tour {field}; line shop aquatic")
        assert p.asked == (1, "TURN")
        assert p.of("dollars")[0] == 2 + (2 if field == "small" else 0)


def test_lines_are_chosen_in_ascending_order():
    """10.2: shops first; lines that pay nothing are not offered."""
    p = Position([HALLS], workers=[2, 1])
    p.play("field 1 tour large; line shop aquatic")
    assert p.choices == ["stop", "line entrance terrestrial", "line entrance aquatic"]
    p.do("stop")
    assert (p.of("dollars")[0], p.of("guests")[0]) == (2, 0)
    p = Position([HALLS], workers=[2, 1])
    p.play("field 1 tour large; line entrance aquatic")
    assert p.asked == (1, "TURN")


def test_an_audio_guide_pays_once_a_tour():
    """10.3: 1 dollar and 1 guest when the action ends, with or without a line."""
    guided = rows("E E E . . E", "4b . . . . .", E="eoraptor")
    p = Position([guided], workers=[2, 1])
    p.play("field 1 tour large; line shop terrestrial")
    assert (p.of("dollars")[0], p.of("guests")[0]) == (4, 0)
    p.do("line entrance terrestrial")
    assert (p.of("dollars")[0], p.of("guests")[0]) == (5, 1 + 1)
    p = Position([guided], workers=[1, 1]).play("field 1 tour small; stop")
    assert (p.of("dollars")[0], p.of("guests")[0]) == (1, 1)
    p = Position([rows("4b . . . . .")], workers=[1, 1]).do("field 1 tour small")
    assert (p.of("dollars")[0], p.of("guests")[0]) == (1, 1)
