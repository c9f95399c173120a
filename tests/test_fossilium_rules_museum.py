"""Fossilium, paragraph by paragraph: displaying, donating, panels and building.

Sections 5 to 8 of docs/games/fossilium.md; see test_fossilium_rules.py.
"""

from collections import Counter

import pytest

from fossilium_position import BAGS, PANELS, ROW, SIZES, TYPE, Position, museum, rows, turned

pytestmark = pytest.mark.rules

FOUR = {"num_players": 4}


# ---------------------------------------------------------------------- 5. displaying


@pytest.mark.parametrize(("field", "pieces"), [("small", 2), ("large", 5), ("bonus", 2)])
def test_a_field_allows_so_many_pieces(field, pieces):
    """5.1: 2, 5 or 2, one after the other from the own storage."""
    p = Position(workers=[2, 1], dollars=[2], storage=["6*eoraptor"])
    p.do(f"field 1 display {field}")
    for column in range(1, pieces + 1):
        assert p.asked == (0, "DISPLAY")
        p.do("tile eoraptor", f"cell 1,{column}")
    assert p.asked[1] != "DISPLAY"
    assert p.stored() == " ".join(["eoraptor"] * (6 - pieces))
    assert p.map()[0].count("1") == pieces


def test_a_tile_can_continue_a_fossil_of_its_species():
    """5.2: on the fields reserved for its two pieces, with the fitting face."""
    here = rows("P p p . . .", "p p p . . .", P="plesiosaur")
    p = Position([here], workers=[2, 1], storage=["2*plesiosaur/34 plesiosaur/12"])
    p.do("field 1 display large", "tile plesiosaur/34")
    reserved = {"1,3", "2,1"}  # pieces 3 and 4
    # all others begin a new fossil where there is room, none of them reserved
    assert reserved <= set(p.offers("cell"))
    assert not {"1,1", "1,2", "2,2", "2,3"} & set(p.offers("cell"))
    p.do("cell 2,1")
    assert p.map()[:2] == ["1 - - . . .", "4 - - . . ."]
    p.do("tile plesiosaur/34", "cell 1,3", "tile plesiosaur/12", "cell 1,2")
    assert p.map()[:2] == ["1 2 3 . . .", "4 - - . . ."]


def test_a_tile_of_any_site_continues_a_fossil():
    """5.2: the plesiosaur is found in all bags, and its tiles are alike."""
    assert all(bag["plesiosaur/12"] for bag in BAGS)
    here = rows("P p p . . .", "p p p . . .", P="plesiosaur")
    for site in (1, 2):
        p = Position([here], workers=[1, 1], students=[1], bags={site: "plesiosaur/56"})
        p.do(f"dig {site} 1", "field 1 display small", "tile plesiosaur/56", "cell 2,2")
        assert p.map()[1] == "- 5 - . . ."


def test_a_tile_can_begin_a_fossil_where_its_rectangle_fits():
    """5.3: all fields empty and on the museum; the others are reserved, and nothing moves."""
    wall = "3b . . . . ."
    p = Position([rows(wall)], workers=[1, 1], storage=["2*stegosaurus/12"])
    p.do("field 1 display small", "tile stegosaurus/12", "cell 1,2")  # one pose fits
    assert p.map() == ["3b 1 - - . .", ". - - - . .", *[ROW] * 4]
    p.do("tile stegosaurus/12")
    # another one of the species may be begun: both are incomplete
    assert {"1,3", "5,5"} <= set(p.offers("cell"))
    p.do("cell 5,5")
    p.do("pose 1 1")  # 4 1 / 5 2 / 6 3 with piece 2 on row 5
    assert p.map() == [
        "3b 1 - - . .",
        ". - - - . .",
        ROW,
        ". . . - - .",
        ". . . - 2 .",
        ". . . - - .",
    ]


def test_poses_that_leave_the_museum_or_meet_something_are_not_offered():
    """5.3, 5.5: each pose is looked at by hand."""
    p = Position(workers=[1, 1], storage=["placodus/12"])
    p.do("field 1 display small", "tile placodus/12", "cell 1,1")
    # piece 1 top left: unturned; piece 2 top left: after three turns
    assert p.offers("pose") == ["0 0", "1 3"]
    p.do("pose 1 3")
    assert p.map()[:2] == ["2 - . . . .", "- - . . . ."]
    blocked = rows(ROW, ". . E . . .", E="eoraptor")
    p = Position([blocked], workers=[1, 1], storage=["mixosaurus/12"])
    p.do("field 1 display small", "tile mixosaurus/12", "cell 2,2")
    assert p.offers("pose") == ["0 1", "0 2", "0 3"]  # down, left, up, but not right
    p.do("pose 0 2")
    assert p.map()[1] == "- 1 1 . . ."


def test_a_field_is_empty_without_piece_panel_and_reservation():
    """5.4: special and pedestal fields are fields like any other."""
    here = rows("E M m 1a . .", E="eoraptor", M="mixosaurus")
    p = Position([here], workers=[1, 1], storage=["eryma"])
    p.do("field 1 display small", "tile eryma")
    cells = [f"{r},{c}" for r in range(1, 7) for c in range(1, 7)]
    assert p.offers("cell") == cells[4:]


def test_a_piece_is_displayed_in_steps():
    """5.5: tile, field, and for a new fossil of more than one piece the pose."""
    p = Position(workers=[2, 1], storage=["eoraptor 2*mixosaurus/12"])
    p.do("field 1 display large")
    assert p.offers("tile") == ["mixosaurus/12", "eoraptor"]
    p.do("tile eoraptor")
    assert p.asked == (0, "CELL")
    p.do("cell 1,1")
    assert p.asked == (0, "DISPLAY")
    p.do("tile mixosaurus/12", "cell 3,3")
    assert p.asked == (0, "POSE")
    assert p.offers("pose") == ["0 0", "0 1", "0 2", "0 3"]  # the first face only
    p.do("pose 0 0", "tile mixosaurus/12", "cell 3,4")
    assert p.map()[2] == ". . 1 2 . ."


def test_a_reserved_field_continues_and_an_empty_one_begins():
    """5.5: the field decides."""
    here = rows("M m . . . .", M="mixosaurus")
    for cell, line in (("1,2", "1 2 . . . ."), ("1,4", "1 - . 1 - .")):
        p = Position([here], workers=[1, 1], storage=["mixosaurus/12"])
        p.do("field 1 display small", "tile mixosaurus/12", f"cell {cell}")
        if p.asked[1] == "POSE":
            p.do("pose 0 0")
        assert p.map()[0] == line


def test_types_that_cannot_be_displayed_are_not_offered():
    """5.5: here only one field is empty, and one is reserved for a half of mixosaurus."""
    grid = ["E E E E E E"] * 5 + ["M m . E E E"]
    here = museum("\n".join(grid), E="eoraptor", M="mixosaurus")
    p = Position(
        [here], workers=[1, 1], storage=["eryma mixosaurus/12 lystrosaurus/12 placodus/12"]
    )
    p.do("field 1 display small")
    assert p.offers("tile") == ["mixosaurus/12", "eryma"]
    p.do("tile mixosaurus/12")  # its only field
    assert p.map()[5] == "1 2 . 1 1 1"


@pytest.mark.parametrize("face", [0, 1])
@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("tile", ["placodus/34", "plesiosaur/34", "plesiosaur/56"])
def test_a_pose_puts_the_piece_of_the_face_on_the_field(tile, turn, face):
    """5.6, 1.3: the rectangle is turned clockwise and laid so that the piece is on the field."""
    corner = {  # row and column of the piece in the turned rectangle, by hand from 1.2
        "placodus/34": [[(1, 0), (1, 1)], [(0, 0), (1, 0)], [(0, 1), (0, 0)], [(1, 1), (0, 1)]],
        "plesiosaur/34": [[(0, 2), (1, 0)], [(2, 1), (0, 0)], [(1, 0), (0, 2)], [(0, 0), (2, 1)]],
        "plesiosaur/56": [[(1, 1), (1, 2)], [(1, 0), (2, 0)], [(0, 1), (0, 0)], [(1, 1), (0, 1)]],
    }[tile][turn][face]
    size = 4 if tile.startswith("placodus") else 6
    height, width = (2, 2) if size == 4 else (2, 3) if turn % 2 == 0 else (3, 2)
    p = Position(workers=[1, 1], storage=[tile])
    p.do("field 1 display small", f"tile {tile}", "cell 3,3", f"pose {face} {turn}")
    there = [line.split() for line in p.map()]
    shown = {(r, c): w for r, line in enumerate(there) for c, w in enumerate(line) if w != "."}
    top, left = 2 - corner[0], 2 - corner[1]
    assert set(shown) == {(top + r, left + c) for r in range(height) for c in range(width)}
    assert shown[2, 2] == str(int(tile[-2]) + face)
    assert Counter(shown.values())["-"] == size - 1
    assert turned(size, turn)[corner[0]][corner[1]] == int(tile[-2]) + face


COMPLETED = [  # species, drawing before the last piece, the last tile and its field
    ("eoraptor", "", "eoraptor", "cell 1,1"),
    ("eryma", "", "eryma", "cell 1,1"),
    ("araucaria", "", "araucaria", "cell 1,1"),
    ("lystrosaurus", "X x", "lystrosaurus/12", "cell 1,2"),
    ("mixosaurus", "x X", "mixosaurus/12", "cell 1,1"),
    ("wollemia", "X x", "wollemia/12", "cell 1,2"),
    ("oviraptor_nest", "X X/X x", "oviraptor_nest/34", "cell 2,2"),
    ("placodus", "x X/X X", "placodus/12", "cell 1,1"),
    ("osmunda", "X x/X X", "osmunda/12", "cell 1,2"),
    ("stegosaurus", "X X X/X x X", "stegosaurus/56", "cell 2,2"),
    ("plesiosaur", "X X/X X/x X", "plesiosaur/56", "cell 3,1"),
    ("cycadales", "X X X/x X X", "cycadales/34", "cell 2,1"),
]


def unfinished(name, drawing):
    """A museum with a fossil in its top left corner."""
    if not drawing:
        return rows()
    lines = [f"{line} {ROW}"[:11] for line in drawing.split("/")]
    return rows(*lines, X=name)


@pytest.mark.parametrize(("name", "drawing", "tile", "cell"), COMPLETED, ids=lambda v: str(v)[:14])
def test_completing_a_fossil(name, drawing, tile, cell):
    """5.7: guests by size and more by type; an amber for size 4, a stand for size 6."""
    size, kind = SIZES[name], TYPE[name]
    p = Position([unfinished(name, drawing)], workers=[1, 1], storage=[f"{tile} eryma"])
    p.do("field 1 display small", f"tile {tile}")
    if p.asked[1] == "CELL":
        p.do(cell)
    assert p.asked == (0, "DISPLAY")  # at once: the action goes on
    assert p.of("guests")[0] == size + (kind == "aquatic")
    assert p.of("students")[0] == (kind == "botanical")
    assert p.of("dollars")[0] == (kind == "terrestrial")
    assert p.of("amber")[0] == (size == 4)
    assert p.of("stands")[0] == (size == 6)
    assert p.gains == [0, 0]


def test_amber_and_stands_run_out():
    """5.7: there are 6 and 5 of them for all players together."""
    for taken, got in (([3, 2], 1), ([3, 3], 0), ([6, 0], 0), ([0, 6], 0)):
        here = unfinished("placodus", "x X/X X")
        p = Position([here], workers=[1, 1], storage=["placodus/12"], amber=taken)
        p.do("field 1 display small", "tile placodus/12", "cell 1,1")
        assert p.of("amber")[0] == taken[0] + got
        assert p.of("guests")[0] == 5
    for taken, got in (([2, 2], 1), ([3, 2], 0), ([0, 5], 0)):
        here = unfinished("cycadales", "X X X/x X X")
        p = Position([here], workers=[1, 1], storage=["cycadales/34"], stands=taken)
        p.do("field 1 display small", "tile cycadales/34", "cell 2,1")
        assert p.of("stands")[0] == taken[0] + got


# ---------------------------------------------------------------------- 6. donating


def test_a_donor_chooses_tile_owner_and_field():
    """6.1: among the museums that want the tile; not the own one."""
    mine = rows("M m . . . .", M="mixosaurus")
    one = rows("P p . . . .", "p p . . . .", P="placodus")
    two = rows("Q q . . R r", "q q . . r r", Q="placodus", R="placodus")
    p = Position(
        [mine, one, rows(), two],
        workers=[1, 1],
        options=FOUR,
        dollars=[0],
        storage=["placodus/12 placodus/34 mixosaurus/12 eryma"],
    )
    p.do("field 3 build small")
    assert p.choices == ["stop", "tile placodus/12", "tile placodus/34"]
    p.do("tile placodus/34")
    assert p.choices == ["owner 1", "owner 3"]
    p.do("owner 3")
    assert p.asked == (0, "TARGET")
    assert p.offers("cell") == ["2,1", "2,2", "2,5", "2,6"]
    p.do("cell 2,6")
    assert p.map(3)[:2] == ["1 - . . 1 -", "- - . . - 4"]
    assert p.gains == [2, 0, 0, 0]
    assert p.asked == (1, "TURN")


def test_nobody_can_refuse_a_donation():
    """6.1: with one owner and one field nothing more is asked."""
    one = rows("M m . . . .", M="mixosaurus")
    p = Position([rows(), one], workers=[1, 1], storage=["mixosaurus/12"])
    p.do("field 1 build small", "tile mixosaurus/12")
    assert p.asked == (1, "TURN")
    assert p.map(1)[0] == "1 2 . . . ."
    assert p.stored() == ""


def test_the_donor_receives_prestige_and_the_owner_the_rest():
    """6.2: for the pieces of that fossil, the new one included; completing is the owner's."""
    one = unfinished("plesiosaur", "X X X/x X X")
    p = Position([rows(), one], workers=[1, 1], storage=["plesiosaur/34"], guests=[0, 3])
    p.do("field 1 build small", "tile plesiosaur/34")
    assert p.gains == [6, 0]
    assert p.points == [6, 0]
    assert p.of("guests") == [0, 3 + 6 + 1]
    assert p.of("stands") == [0, 1]
    one = unfinished("oviraptor_nest", "X X/X x")
    p = Position([rows(), one], workers=[1, 1], storage=["oviraptor_nest/34"])
    p.do("field 1 build small", "tile oviraptor_nest/34")
    assert p.gains == [4, 0]
    assert (p.of("guests"), p.of("dollars"), p.of("amber")) == ([0, 4], [0, 1], [0, 1])
    one = unfinished("oviraptor_nest", "X x/x x")
    p = Position([rows(), one], workers=[1, 1], storage=["oviraptor_nest/12"])
    p.do("field 1 build small", "tile oviraptor_nest/12")
    assert p.gains == [2, 0]
    assert p.of("guests") == [0, 0]


# ---------------------------------------------------------------------- 7. panels

COSTS = dict(zip(PANELS, (2, 2, 3, 3, 2, 2, 2, 2, 2, 1, 2, 2), strict=True))


def test_panels_are_built_on_empty_fields_for_their_cost():
    """7.1, 7.2: the panel, then the field; each of six tiles once, with one side up."""
    p = Position(workers=[1, 1], dollars=[9])
    p.do("field 1 build small")
    assert p.offers("panel") == PANELS
    for panel in PANELS:
        q = p.copy().do(f"panel {panel}")
        assert q.asked == (0, "CELL")
        assert len(q.choices) == 36
        q.do("cell 4,4")
        assert q.map()[3] == f". . . {panel} . ."
        assert q.of("dollars")[0] == 9 - COSTS[panel]
    here = rows("E M m 1b 4a .", E="eoraptor", M="mixosaurus")
    p = Position([here], workers=[1, 1], dollars=[9]).do("field 1 build small")
    assert p.offers("panel") == [panel for panel in PANELS if panel[0] not in "14"]
    p.do("panel 2a")
    assert len(p.choices) == 36 - 5


@pytest.mark.parametrize("dollars", range(4))
def test_panels_that_cannot_be_paid_are_not_offered(dollars):
    """7.1: costs of 1, 2 and 3."""
    p = Position(workers=[1, 1], dollars=[dollars], storage=["mixosaurus/12"])
    p.do("field 1 build small")
    if dollars:
        assert p.offers("panel") == [panel for panel in PANELS if COSTS[panel] <= dollars]
    else:
        assert p.asked == (1, "TURN")


def test_panels_need_an_empty_field():
    """7.1: a full museum takes none, reserved fields neither."""
    here = museum("\n".join(["E E E E E E"] * 5 + ["E E E E M m"]), E="eoraptor", M="mixosaurus")
    p = Position([here], workers=[1, 1], dollars=[9])
    p.do("field 1 build small")
    assert p.asked == (1, "TURN")


def income(here, **at):
    """Return dollars, guests and students that an income brings one museum."""
    p = Position([here], workers=[1], bags={}, storage=["8*eryma"], **at)
    p.end_round()
    return p.of("dollars")[0], p.of("guests")[0], p.of("students")[0] - 1


@pytest.mark.parametrize(("panel", "gain"), [("1a", 0), ("1b", 1)])
def test_restaurant_and_auditorium_pay_for_complete_fossils_beside_them(panel, gain):
    """7.2, 7.3: sharing an edge; each fossil once; incomplete ones do not count."""
    # beside row 4, column 4: placodus above, compsognathus below, an incomplete mixosaurus
    here = museum(
        f"""
        . . . . . .
        . . P P . .
        . . P P . .
        . . M {panel} x .
        . . m E X .
        . . . . . .""",
        P="placodus",
        E="compsognathus",
        M="mixosaurus 1",
        X="lystrosaurus",
    )
    # of the lines of side A only row 3 pays: 2 pieces of placodus
    lines = [2, 0]
    lines[gain] += 2  # the placodus above and the compsognathus below
    assert income(here) == (*lines, 0)


def test_a_fossil_counts_once_for_each_panel_beside_it():
    """7.3: two panels beside one fossil; no rectangle can have two sides of a field."""
    here = museum(
        """
        . . . . . .
        . . P P . .
        . 1a P P . .
        . . 2a . . .
        . . . . . .
        . . . . . .""",
        P="placodus",
    )
    assert income(here) == (2 + 1 + 2, 0, 0)  # shop, restaurant, souvenirs


def test_the_starting_fossil_is_complete():
    """7.3: on its special field, beside a restaurant."""
    here = rows(". . . . 1a E", E="eoraptor")
    assert income(here) == (1 + 1, 1, 0)


def test_corners_do_not_touch():
    """7.3: sharing an edge is adjacent."""
    here = rows(ROW, "E . E . . .", ". 1a . . . .", "E . E . . .", E="eoraptor")
    assert income(here) == (0, 0, 0)


@pytest.mark.parametrize(
    ("panel", "pays"), [("2a", (2, 0, 0)), ("2b", (0, 2, 0)), ("5b", (0, 0, 1))]
)
def test_panels_that_pay_at_every_income(panel, pays):
    """7.2, 7.5: 2 dollars, 2 guests or 1 student, whatever is beside them."""
    assert income(rows(ROW, f". {panel} . . . .")) == pays
    p = Position([rows(f"{panel} . . . . .")], workers=[1], round_number=5, storage=["8*eryma"])
    p.manage(gain="guest")
    assert p.over
    held = p.of("dollars")[0], p.of("guests")[0], p.of("students")[0]
    assert held == pays  # the last income comes after the guests were reset (13.6)


def test_full_lines_have_pieces_and_panels_only():
    """7.4: reserved fields do not count; a gallery pays for each full row at the end."""
    here = rows(
        "E E E E E E",
        "E E 2a E E E",
        "E E E E M m",
        "E E E E E 6b",
        E="berriasella",
        M="mixosaurus",
    )
    p = Position([here], workers=[1], round_number=5, dollars=[0, 9])
    p.manage(gain="guest")
    # rows 1, 2 and 4 are full; guests of the last income: column 2 has four aquatic pieces;
    # majorities: guests 7 against 4, dollars (5 of row 3 and 2) 4 against 7
    assert p.points[0] == 3 * 3 + 7 + 4


def test_a_season_ticket_desk_brings_a_medium_guest_tile():
    """7.2, 7.7: two guests at once, and regular ones from then on."""
    p = Position(workers=[1], dollars=[2], guests=[5], bags={})
    p.do("field 1 build small", "panel 4a", "cell 1,1")
    assert p.points == [(5 + 2) // 3, 0]
    assert p.state.regular[0] == 2
    assert p.of("guests") == [2, 0]  # after the opening


def test_a_search_finds_any_tile_of_a_bag():
    """7.6: the type, then the site if there are several; one has to be taken."""
    p = Position(
        workers=[2, 1], dollars=[2], bags={1: "eoraptor plesiosaur/12", 2: "plesiosaur/12"}
    )
    p.do("field 1 build small", "panel 5a", "cell 1,1")
    assert p.asked == (0, "SEARCH")
    assert p.choices == ["tile plesiosaur/12", "tile eoraptor"]
    q = p.copy().do("tile eoraptor")
    assert q.stored() == "eoraptor"
    assert q.bag(1) == {"plesiosaur/12": 1}
    p.do("tile plesiosaur/12")
    assert p.choices == ["column 1", "column 2"]
    p.do("column 2")
    assert (p.stored(), p.bag(2)) == ("plesiosaur/12", {})
    assert p.bag(1) == {"eoraptor": 1, "plesiosaur/12": 1}
    assert p.asked == (1, "TURN")


def test_a_search_with_empty_bags_or_a_full_storage():
    """7.6, 4.6: nothing is found; or what is found goes into the market."""
    p = Position(workers=[1, 1], dollars=[2], bags={})
    p.do("field 1 build small", "panel 5a", "cell 1,1")
    assert (p.asked, p.stored()) == ((1, "TURN"), "")
    p = Position(workers=[1, 1], dollars=[2], bags={1: "eoraptor pleuromeia"}, storage=["8*eryma"])
    p.do("field 1 build small", "panel 5a", "cell 1,1", "tile pleuromeia")
    assert p.row("botanical") == "pleuromeia"
    assert p.of("dollars")[0] == 0
    assert len(p.stored().split()) == 8


def test_a_search_looks_into_bags_in_use_only():
    """7.6: the bag of a column that is not used is not there."""
    p = Position(workers=[1, 1], dollars=[2], unused=1)
    p.do("field 2 build small", "panel 5a", "cell 1,1")
    found = {word.split("/")[0] for word in p.offers("tile")}
    assert found == {tile.split("/")[0] for bag in BAGS[1:] for tile in bag}


def test_guests_of_a_panel_tile_move_the_track_at_once():
    """7.7: small, medium and large ones of the opening do not (11.2)."""
    p = Position(workers=[1, 1], dollars=[2], guests=[49])
    p.do("field 1 build small", "panel 4a", "cell 1,1")
    assert p.of("guests")[0] == 50
    assert p.state.regular[0] == 2


# ---------------------------------------------------------------------- 8. building and donating


def test_a_small_field_allows_one_and_a_large_one_two():
    """8.1: panels and donations in any mix; before each there is the choice, or to stop."""
    wanting = rows("M m . . . .", M="mixosaurus")
    at = {"dollars": [9], "storage": ["2*mixosaurus/12"]}
    for field in ("small", "bonus"):
        p = Position([rows(), wanting], workers=[1, 1], **at)
        p.do(f"field 1 build {field}")
        assert {word.split()[0] for word in p.choices} == {"stop", "panel", "tile"}
        q = p.copy().do("tile mixosaurus/12")
        assert q.asked[1] != "BUILD"
        p.do("panel 3b", "cell 1,1")
        assert p.asked[1] != "BUILD"
    p = Position([rows(), wanting], workers=[2, 1], **at)
    p.do("field 1 build large", "tile mixosaurus/12")
    assert p.asked == (0, "BUILD")
    assert p.offers("tile") == []  # nobody wants the other one
    q = p.copy().do("stop")
    assert q.asked == (1, "TURN")
    p.do("panel 3b", "cell 1,1")
    assert p.asked == (1, "TURN")
    p = Position(workers=[2, 1], dollars=[9])
    p.do("field 1 build large", "panel 3b", "cell 1,1", "panel 2a", "cell 1,2")
    assert p.asked == (1, "TURN")
    assert p.of("dollars")[0] == 9 - 1 - 2


def test_panels_cost_one_less_on_a_large_field():
    """8.1: not below 0."""
    p = Position(workers=[2, 1], dollars=[0])
    p.do("field 1 build large")
    assert p.offers("panel") == ["5b"]
    p.do("panel 5b", "cell 1,1")
    assert p.of("dollars")[0] == 0
    p = Position(workers=[2, 1], dollars=[2])
    p.do("field 1 build large")
    assert p.offers("panel") == PANELS
    p.do("panel 2b", "cell 1,1")
    assert p.of("dollars")[0] == 0
    assert p.offers("panel") == ["5b"]
    p = Position(workers=[1, 1], dollars=[9 + 2])  # a joker that copies the large field
    p.do("field 1 joker", "field 1 build large", "panel 2a", "cell 1,1")
    assert p.of("dollars")[0] == 0


def test_a_search_within_a_large_field_goes_on_after_it():
    """8.1, 7.6: the tile found can be donated next."""
    wanting = rows("M m . . . .", M="mixosaurus")
    p = Position([rows(), wanting], workers=[2, 1], dollars=[1], bags={1: "mixosaurus/12 eoraptor"})
    p.do("field 1 build large", "panel 5a", "cell 1,1", "tile mixosaurus/12")
    assert p.choices == ["stop", "tile mixosaurus/12"]
    p.do("tile mixosaurus/12")
    assert p.gains == [2, 0]
