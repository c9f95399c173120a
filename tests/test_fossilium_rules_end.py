"""Fossilium, paragraph by paragraph: the end of the game.

Section 14 of docs/games/fossilium.md; see test_fossilium_rules.py.
"""

import numpy as np
import pytest

from fossilium_position import NONE, ROW, RULES, Position, museum, rows

pytestmark = pytest.mark.rules


def final(museums=(), seats=2, **at):
    """Return a game after its last worker was placed; the last opening sets guests to `regular`."""
    at = {"workers": [1], "round_number": 5, "bags": {}, "storage": ["8*eryma"] * 4} | at
    p = Position(museums, options={"num_players": seats}, **at)
    p.manage(2, gain="student")
    assert p.over
    return p


def majorities(guests, dollars):
    """Return the prestige of a game in which only these two majorities count."""
    return final(seats=len(guests), regular=guests, dollars=dollars).points


@pytest.mark.parametrize(
    ("held", "prestige"),
    [
        ([3, 2], [7, 4]),
        ([2, 2], [5, 5]),  # 7 + 4 = 11, halved and rounded down
        ([0, 0], [5, 5]),
        ([3, 0], [7, 4]),
        ([1, 2, 3], [2, 4, 7]),
        ([3, 3, 1], [5, 5, 2]),
        ([3, 1, 1], [7, 3, 3]),  # 4 + 2
        ([1, 1, 1], [4, 4, 4]),  # 13 by three
        ([0, 0, 0], [4, 4, 4]),
        ([4, 3, 2, 1], [7, 4, 2, 0]),
        ([4, 3, 2, 2], [7, 4, 1, 1]),  # 2 + 0
        ([4, 3, 3, 3], [7, 2, 2, 2]),  # 4 + 2 + 0
        ([4, 4, 3, 3], [5, 5, 1, 1]),
        ([1, 1, 1, 0], [4, 4, 4, 0]),
        ([2, 2, 2, 2], [3, 3, 3, 3]),  # 13 by four
        ([5, 0, 0, 0], [7, 2, 2, 2]),
    ],
)
def test_majorities_and_ties(held, prestige):
    """14.1: 7, 4 and 2; who has nothing takes a place too."""
    flat = {2: [5, 5], 3: [4, 4, 4], 4: [3, 3, 3, 3]}[len(held)]  # all have no dollars
    total = [a + b for a, b in zip(prestige, flat, strict=True)]
    assert majorities(held, [0] * len(held)) == total
    assert majorities([0] * len(held), held) == total


def test_guests_and_dollars_are_those_after_the_last_income():
    """14.1: the track was reset before."""
    here = rows(". . . . . .", ". . . . . E", E="eoraptor")  # one guest at an income
    p = final([rows(), here], regular=[1, 1], guests=[50, 1])
    assert p.of("guests") == [1, 2]
    assert p.points == [50 // 3 + 4 + 5, 0 + 7 + 5]
    assert final().points == [5 + 5, 5 + 5]  # without an end goal there are two majorities


def end_goal(goal, *museums):
    """Return what an end goal brings each player besides the other majorities."""
    seats = len(museums)
    p = final(museums, seats, end_goal=goal)
    q = final(museums, seats)
    return [a - b for a, b in zip(p.points, q.points, strict=True)]


# No type has a line of side A with a piece of its own here but where both have the same.
BIG = rows(
    ROW,
    "A A S S S .",
    ". 3b S S s .",
    A="wollemia", S="tyrannosaurus",
)  # fmt: skip  # 7 pieces, 1 panel
SMALL = rows(
    ROW,
    "W W 3b V . V",
    ". . 2a V . .",
    "P P . V . .",
    "P P . . . .",
    W="wollemia", V="compsognathus", P="oviraptor_nest",
)  # fmt: skip  # 10 pieces, 2 panels


def test_pieces_and_panels():
    """14.2: 1a: displayed ones."""
    assert end_goal("1 a", BIG, rows()) == [7, 4]
    assert end_goal("1 a", rows("V V V V V V", "V V . . . .", V="eryma"), BIG) == [5, 5]  # 8 and 8
    assert end_goal("1 a", rows("V V V V V V", "V . . . . .", V="eryma"), BIG) == [4, 7]


def test_the_three_largest_complete_fossils():
    """14.2: 1b: pieces together; the fourth does not count, nor an incomplete one."""
    assert end_goal("1 b", BIG, SMALL) == [4, 7]  # 2 against 4 + 2 + 1
    three = rows(
        ROW, "A A B B C C", "D . . . . .", A="mixosaurus", B="mixosaurus", C="wollemia", D="eryma"
    )
    two = rows(ROW, "P P A A . .", "P P . . . .", P="placodus", A="mixosaurus")
    assert end_goal("1 b", three, two) == [5, 5]  # 6 and 6


def test_the_largest_area():
    """14.2, 14.3: 2a: displayed pieces of one type edge to edge, of any type."""
    # tyrannosaurus with 5 pieces; three compsognathus in a column beside nothing of their type
    assert end_goal("2 a", BIG, SMALL) == [7, 4]
    corner = rows(ROW, "V . . . . .", ". V . . . .", V="compsognathus")  # corners do not join
    pair = rows(ROW, "V V . . . .", V="compsognathus")
    single = rows(ROW, "V . . . . .", V="compsognathus")
    assert end_goal("2 a", corner, single) == [5, 5]
    assert end_goal("2 a", corner, pair) == [4, 7]
    wrap = rows(". . . . . V", "V . . . . .", V="compsognathus")  # rows do not join at the ends
    assert end_goal("2 a", wrap, pair) == [4, 7]
    mixed = rows(ROW, "V W w . . .", V="compsognathus", W="wollemia")
    assert end_goal("2 a", mixed, pair) == [4, 7]
    species = rows(ROW, "V E . . . .", V="compsognathus", E="eoraptor")  # two species of a type
    assert end_goal("2 a", species, pair) == [5, 5]
    gap = rows(ROW, "L l V . . .", L="lystrosaurus", V="compsognathus")  # a reserved field between
    assert end_goal("2 a", gap, pair) == [4, 7]


def test_fossils_of_size_one_and_two_and_panels():
    """14.2: 2b, 3a and 3b."""
    assert end_goal("2 b", BIG, SMALL) == [4, 7]  # 0 and 4
    assert end_goal("3 a", BIG, SMALL) == [5, 5]  # wollemia in both
    half = rows(ROW, "W w . . . .", W="wollemia")
    assert end_goal("3 a", half, BIG) == [4, 7]
    assert end_goal("3 b", BIG, SMALL) == [4, 7]  # 1 and 2


@pytest.mark.parametrize(
    ("panel", "prestige"),
    [
        ("1a", 0), ("1b", 0), ("2a", 0), ("2b", 0), ("3a", 6), ("3b", 3),
        ("4a", 0), ("4b", 1), ("5a", 1), ("5b", 1), ("6a", 3), ("6b", 6),
    ],
)  # fmt: skip
def test_panels_bring_prestige(panel, prestige):
    """14.4, 7.2: three complete fossils beside the panel, one full column and two full rows."""
    # in all columns and rows of side A that pay stands a piece that does not count there
    here = museum(
        f"""
        .  .  A  .  .  .
        A  A  A  A  A  A
        .  .  A  .  .  .
        A  A  {panel} M  m  .
        B  B  B  B  B  B
        .  .  A  .  .  .""",
        A="araucaria", B="eryma", M="mixosaurus",
    )  # fmt: skip
    # column 3 is full with the panel, rows 2 and 5 are; beside it the two araucarias and the eryma
    # are complete, the mixosaurus is not
    bare = {**here, "panel": np.full(36, NONE)}
    rivals = {"dollars": [0, 90], "regular": [0, 50]}  # so that income changes no majority
    got = final([here], **rivals).points[0] - final([bare], **rivals).points[0]
    assert got == prestige


def test_complete_fossils_amber_and_stands():
    """14.5: 0, 2, 6 and 12 prestige by size, 1 for an amber and 2 for a stand."""
    rivals = {"dollars": [0, 90], "regular": [0, 50]}
    nothing = final(**rivals).points[0]
    assert nothing == 4 + 4
    for name, drawing, prestige in (
        ("compsognathus", "X", 0),
        ("wollemia", "X X", 2),
        ("oviraptor_nest", "X X/X X", 6),
        ("tyrannosaurus", "X X X/X X X", 12),
        ("wollemia", "X x", 0),
        ("oviraptor_nest", "X X/X x", 0),
        ("tyrannosaurus", "X X x/X X X", 0),
    ):
        lines = [f". {line} {ROW}"[:11] for line in drawing.split("/")]
        here = rows(ROW, *lines, X=name)
        assert final([here], **rivals).points[0] - nothing == prestige
    assert final(amber=[3, 0], **rivals).points[0] - nothing == 3
    assert final(stands=[2, 0], **rivals).points[0] - nothing == 4


def pedestal(here, side=0):
    """Return what a museum brings but for majorities."""
    p = final([here], side=[side, side], dollars=[0, 90], regular=[0, 50])
    return p.points[0] - 4 - 4


def test_pedestals_ask_for_exactly_their_fields():
    """14.6, 1.5: 6 for the large one, 3 for a small one; complete fossils of any species."""
    large = rows(ROW, ROW, ". . S S S .", ". . S S S .", S="tyrannosaurus")
    assert pedestal(large) == 12 + 6
    turned = rows(ROW, ROW, ". . S S S .", ". . S S S .", S="stegosaurus 2")
    assert pedestal(turned) == 12 + 6
    beside = rows(ROW, ROW, ". S S S . .", ". S S S . .", S="tyrannosaurus")
    assert pedestal(beside) == 12
    upright = rows(ROW, ROW, ". . S S . .", ". . S S . .", ". . S S . .", S="tyrannosaurus")
    assert pedestal(upright) == 12
    incomplete = rows(ROW, ROW, ". . S S S .", ". . S S s .", S="tyrannosaurus")
    assert pedestal(incomplete) == 0
    inside = rows(ROW, ROW, ". . P P . .", ". . P P . .", P="oviraptor_nest")
    assert pedestal(inside) == 6
    pair = museum("\n".join([ROW] * 5 + ["W W . . . ."]), W="wollemia")
    assert pedestal(pair) == 2 + 3
    singles = museum("\n".join([ROW] * 5 + ["C C . . . ."]), C="compsognathus")
    assert pedestal(singles) == 0
    standing = rows("W . . . . .", "W . . . . .", W="velociraptor")
    assert pedestal(standing) == 2 + 3
    assert pedestal(rows("W W . . . .", W="wollemia")) == 2


def test_pedestals_of_the_other_side():
    """14.6, 1.5: rows 1 to 3 of columns 4 and 5; row 5; column 6."""
    large = rows(". . . S S .", ". . . S S .", ". . . S S .", S="tyrannosaurus")
    assert pedestal(large, 1) == 12 + 6
    assert pedestal(large, 0) == 12
    row = museum("\n".join([ROW] * 4 + [". W W . . .", ROW]), W="wollemia")
    assert pedestal(row, 1) == 2 + 3
    column = museum("\n".join([ROW] * 3 + [". . . . . W"] * 2 + [ROW]), W="wollemia")
    assert pedestal(column, 1) == 2 + 3


def results(points, museums=(), stands=()):
    """Return the results of a game that ends with some prestige; nothing else is scored by hand."""
    n = len(points)
    p = Position(museums, workers=[1], options={"num_players": n})
    p.state.score[:n] = points
    p.state.stands[: len(stands)] = stands
    p.state.round_number, p.state.done = 5, 1
    p.state.phase = 29  # over
    p.state.active = NONE
    p.state.to_play = 0
    p.derive()
    return p.outcome()


def test_the_most_prestige_wins():
    """14.7, 14.8: then fewer fields without piece and panel, then more stands."""
    assert results([3, 5]) == [-1, 1]
    some, more = (
        rows("A B . . . .", A="eryma", B="eryma"),
        rows("A B 1a . . .", A="eryma", B="eryma"),
    )
    assert results([5, 5], [some, more]) == [-1, 1]
    assert results([6, 5], [some, more]) == [1, -1]
    half = rows("M m N . . .", M="mixosaurus", N="eryma")  # reserved fields are without
    assert results([5, 5], [half, some]) == [0, 0]
    assert results([5, 5], [half, more]) == [-1, 1]
    assert results([5, 5], [some, half], [0, 1]) == [-1, 1]
    assert results([5, 5], [more, some], [0, 5]) == [1, -1]
    assert results([5, 5], [some, some], [2, 2]) == [0, 0]


def test_results_are_evenly_spaced():
    """14.8: shared places get the mean; the sum is 0."""
    assert results([1, 2, 3, 4]) == pytest.approx([-1, -1 / 3, 1 / 3, 1])
    assert results([4, 2, 3]) == [1, -1, 0]
    assert results([4, 4, 3]) == [0.5, 0.5, -1]
    assert results([4, 3, 3, 3]) == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert results([2, 2, 2]) == [0, 0, 0]
    assert results([-3, -5]) == [1, -1]


def test_the_score_is_the_sum_of_all_that_was_gained(n_games):
    """14.7: nothing else counts."""
    for seed in range(n_games(50)):
        state = RULES.new(seed, num_players=2 + seed % 3)
        total = np.zeros(4, np.int64)
        while not state.done:
            legal = RULES.legal_actions(state)
            RULES.step(state, legal[(seed + 7 * state.ply) % len(legal)])
            total += state.gain
        assert total.tolist() == state.score.tolist()
