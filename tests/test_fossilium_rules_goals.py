"""Fossilium, paragraph by paragraph: job goals.

Paragraphs 10.4 to 10.7 of docs/games/fossilium.md; see test_fossilium_rules.py.
"""

import pytest

from fossilium_position import ROW, Position, museum, rows

pytestmark = pytest.mark.rules


# ---------------------------------------------------------------------- 10. job goals


def got(p, goal=0):
    """Say whether the first player has received a worker from a goal on which two stood."""
    return [2, 1, 0].index(p.state.on_goal[0, goal])


def with_goal(job, museums=(), **at):
    """A position with one goal that matters, first of three, and two workers of seat 0 on it."""
    rest = [name for name in ("donate3", "guests28", "tour_guests6") if name[:6] != job[:6]][:2]
    at = {"workers": [3, 1], "on_goal": [[2, 1, 1]]} | at
    return Position(museums, jobs=f"{job} {' '.join(rest)}", **at)


def test_a_worker_comes_back_as_soon_as_a_goal_is_fulfilled():
    """10.4: if one is there; it can act in the same round."""
    p = with_goal("joker", dollars=[20], workers=[1, 1], bags={})
    p.do("field 1 joker")
    assert (got(p), p.of("workers")[0]) == (1, 1)
    p.play("field 1 management; gain guest")
    p.manage()
    assert p.asked == (0, "TURN")
    p = with_goal("joker", dollars=[20], workers=[1, 1], on_goal=[[0, 1, 1], [2, 1, 1]])
    p.do("field 1 joker")
    assert p.of("workers") == [0, 1]
    assert p.state.on_goal[1].tolist() == [2, 1, 1]


NEARLY = rows(
    "E E E E E E", "E . . . . .", "E . . . . .", "E . . . . .", "E . . . . .", E="eoraptor"
)


def test_a_goal_pays_once_on_an_own_turn():
    """10.5: and again in a later turn."""
    two = museum("\n".join(["E E . . . ."] * 5 + [ROW]), E="eoraptor")
    p = with_goal("column", [two], storage=["2*eoraptor"], bags={})
    p.play("field 1 display large; tile eoraptor; cell 6,1; tile eoraptor; cell 6,2")
    assert got(p) == 1
    two = museum("\n".join(["E E . . . ."] * 5 + [ROW]), E="eoraptor")
    p = with_goal("column", [two], storage=["2*eoraptor"], bags={})
    p.play("field 1 display small; tile eoraptor; cell 6,1; stop")
    p.manage()
    p.play("field 2 display small; tile eoraptor; cell 6,2")
    assert got(p) == 2


def test_two_goals_can_pay_in_one_turn():
    """10.5: one worker from each; a piece can complete a row and a column."""
    p = Position(
        [NEARLY],
        jobs="column row donate3",
        workers=[3, 1],
        on_goal=[[2, 1, 1]],
        storage=["eoraptor"],
    )
    p.play("field 1 display small; tile eoraptor; cell 6,1")
    assert p.state.on_goal[0].tolist() == [1, 1, 1]
    corner = museum("\n".join(["X . . . . ."] * 5 + [". X X X X X"]), X="eoraptor")
    p = Position(
        [corner],
        jobs="column row donate3",
        workers=[3, 1],
        on_goal=[[2, 1, 1]],
        storage=["eoraptor"],
    )
    p.play("field 1 display small; tile eoraptor; cell 6,1")
    assert p.state.on_goal[0].tolist() == [1, 0, 1]
    assert p.of("workers")[0] == 2 + 2


def test_a_goal_pays_once_a_phase_outside_own_turns():
    """10.5, 10.6: two columns that others complete bring one worker, a third one later another."""
    here = museum("E E . . . .\n" * 5 + "m M . . . .", E="eoraptor", M="mixosaurus 2")
    # seat 1 donates to seat 0: the left column is completed on a turn of another
    p = with_goal("column", [here], storage=["", "mixosaurus/12"], workers=[2, 2], turn=1)
    p.play("field 1 build small; tile mixosaurus/12")
    assert got(p) == 1
    twice = museum(
        "E E E E . .\n" * 5 + "m M N n . .", E="eoraptor", M="mixosaurus 2", N="mixosaurus"
    )
    p = with_goal(
        "column", [twice], storage=["", "2*mixosaurus/12"], workers=[2, 2], turn=1, bags={}
    )
    p.play("field 1 build large; tile mixosaurus/12; cell 6,1; tile mixosaurus/12")
    assert p.map()[5] == "2 1 1 2 . ."
    assert got(p) == 1  # both columns on turns of another
    assert p.of("workers")[0] == 3
    # on the own turn of the same phase it pays all the same
    own = museum("E E E . . .\n" * 5 + "m M . . . .", E="eoraptor", M="mixosaurus 2")
    p = with_goal(
        "column", [own], storage=["eoraptor", "mixosaurus/12"], workers=[2, 2], turn=1, bags={}
    )
    p.play("field 1 build small; tile mixosaurus/12")
    p.play("field 1 display small; tile eoraptor; cell 6,3")
    assert got(p) == 2


def test_the_income_is_a_phase_of_its_own():
    """10.5: a worker in the income and one on turns of others of the round that follows."""
    # 18 guests: 12 of regular guests, 6 from the entrance; then reset to below by hand
    here = museum("\n".join([". . . . . E"] * 6), E="eoraptor")
    p = with_goal("guests18", [here], workers=[1, 0], regular=[12], bags={})
    p.end_round()
    assert p.of("guests")[0] == 18
    assert got(p) == 1
    assert p.state.paid_elsewhere.tolist()[:2] == [0, 0]


@pytest.mark.parametrize(("shown", "paid"), [(1, 0), (2, 1), (3, 1)])
def test_a_donation_that_brings_three_prestige(shown, paid):
    """10.4, 10.6: tile 1a: the new piece included."""
    grids = {1: "P p\np p", 2: "P P\np p", 3: "P P\nP p"}
    grid = "\n".join(f"{line} . . . ." for line in grids[shown].split("\n"))
    other = museum(grid + "\n" + "\n".join([ROW] * 4), P="placodus")
    p = with_goal("donate3", [rows(), other], storage=["placodus/34"])
    p.do("field 1 build small", "tile placodus/34")
    if p.asked[1] == "TARGET":
        p.do(p.choices[-1])
    assert p.gains == [shown + 1, 0]
    assert got(p) == paid


def test_columns_and_rows():
    """10.4, 10.6: tile 2, with pieces and panels; reserved fields do not count."""
    five = museum("E . . . . .\n" * 5 + ROW, E="eoraptor")
    p = with_goal("column", [five], dollars=[9])
    p.play("field 1 build small; panel 3b; cell 6,1")
    assert got(p) == 1
    p = with_goal("column", [five], storage=["mixosaurus/12"])
    p.play("field 1 display small; tile mixosaurus/12; cell 6,2; pose 0 2")
    assert p.map()[5] == "- 1 . . . ."
    assert got(p) == 0
    row = rows(ROW, "E E 2a . E E", E="eoraptor")
    p = with_goal("row", [row], storage=["eoraptor"])
    p.play("field 1 display small; tile eoraptor; cell 2,4")
    assert got(p) == 1
    p = with_goal("row", [row], storage=["eoraptor"])
    p.play("field 1 display small; tile eoraptor; cell 3,4")
    assert got(p) == 0


@pytest.mark.parametrize("at", [18, 22, 28])
def test_guests_rise_from_below(at):
    """10.4, 10.6: tiles 3 and 4: from below the value to it or above."""
    for before, gained, paid in ((at - 1, 1, 1), (at - 2, 1, 0), (at, 1, 0), (at - 1, 2, 1)):
        p = with_goal(f"guests{at}", guests=[before], dollars=[2])
        p.manage(gain="guest") if gained == 1 else p.do("field 2 tour bonus")
        assert p.of("guests")[0] == before + gained
        assert got(p) == paid


def test_guests_of_all_kinds_are_looked_at():
    """10.6: tours, panels, completing, management and bonus fields; income is another test."""
    halls = rows(". Y . . . .", Y="eryma")
    p = with_goal("guests18", [halls], guests=[17])
    assert got(p.play("field 1 tour small; line entrance aquatic")) == 1
    p = with_goal("guests18", [rows("4b . . . . .")], guests=[17])
    assert got(p.do("field 1 tour small")) == 1
    p = with_goal("guests18", guests=[17], storage=["eoraptor"])
    assert got(p.play("field 1 display small; tile eoraptor; cell 1,1")) == 1
    p = with_goal("guests18", guests=[16], dollars=[2])
    assert got(p.play("field 1 build small; panel 4a; cell 1,1")) == 1
    p = with_goal("guests18", guests=[16], dollars=[2])
    assert got(p.do("field 2 trade bonus")) == 1


def test_four_pieces_in_one_action():
    """10.4, 10.6: tile 4b: with the fourth piece, whatever they are."""
    p = with_goal("display4", storage=["5*eoraptor"])
    p.do("field 1 display large")
    for column, paid in ((1, 0), (2, 0), (3, 0), (4, 1), (5, 1)):
        p.do("tile eoraptor", f"cell 2,{column}")
        assert got(p) == paid


@pytest.mark.parametrize("at", [5, 6])
def test_dollars_of_a_tour(at):
    """10.4, 10.7: tile 5: lines and panels together, costs not subtracted."""
    for pieces, guide, field, paid in (
        (at, "", "small", 1),
        (at - 1, "", "small", 0),
        (at - 1, "4b", "small", 1),
        (at - 1, "", "bonus", 0),
        (at, "", "bonus", 1),
    ):
        first = "E " * pieces + ". " * (6 - pieces)
        fossils = {"E": "eoraptor"}
        here = rows(first, f"{guide or '.'} . . . . .", **fossils)
        p = with_goal(f"tour_dollars{at}", [here], dollars=[2])
        p.play(f"field 1 tour {field}; line shop terrestrial")
        assert got(p) == paid, (pieces, guide, field)


def test_dollars_of_two_lines_of_a_tour():
    """10.7: both count, and what a joker copies does."""
    here = rows("E E E . . .", ROW, "Y Y . . . .", E="eoraptor", Y="eryma")
    p = with_goal("tour_dollars5", [here])
    p.play("field 1 tour large; line shop terrestrial")
    assert got(p) == 0
    p.do("line shop aquatic")
    assert got(p) == 1
    p = with_goal("tour_dollars5", [here], dollars=[9])
    p.play("field 1 joker; field 1 tour large; line shop terrestrial; line shop aquatic")
    assert got(p) == 1


@pytest.mark.parametrize("at", [5, 6])
def test_guests_of_a_tour(at):
    """10.4, 10.7: tile 6: with the gain of a bonus field, and those lost above 50."""

    def column(pieces):
        lines = [". Y . . . ." if r < pieces else ROW for r in range(6)]
        return museum("\n".join(lines), Y="eryma")

    for pieces, field, guests, paid in (
        (at, "small", 0, 1),
        (at - 1, "small", 0, 0),
        (at - 2, "bonus", 0, 1),
        (at - 3, "bonus", 0, 0),
        (at, "small", 49, 1),
        (at, "small", 50, 1),
        (at - 1, "small", 50, 0),
    ):
        p = with_goal(f"tour_guests{at}", [column(pieces)], dollars=[2], guests=[guests])
        p.play(f"field 2 tour {field}; line entrance aquatic")
        assert got(p) == paid, (pieces, field, guests)
    p = with_goal(f"tour_guests{at}", [column(at - 2)], dollars=[9 + 2])
    p.play("field 2 joker; field 2 tour bonus; line entrance aquatic")
    assert got(p) == 1


def test_other_guests_of_the_turn_are_not_of_the_tour():
    """10.7: nor is a bonus field of another row."""
    here = museum("\n".join([". Y . . . ."] * 4 + [ROW] * 2), Y="eryma")
    p = with_goal("tour_guests5", [here], dollars=[9])
    p.do("field 2 display bonus").manage()
    p.play("field 2 tour small; line entrance aquatic")
    assert got(p) == 0
