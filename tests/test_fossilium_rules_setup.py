"""Fossilium, paragraph by paragraph: set-up and the course of the game.

Section 2 of docs/games/fossilium.md; see test_fossilium_rules.py.
"""

from collections import Counter

import pytest

from chance import Chance, chi_square, unlikely
from fossilium_position import BAGS, NONE, RULES, TILES, TYPE, TYPES, Position, rows

pytestmark = pytest.mark.rules

fresh = Position.fresh
# side B (1.5): row and column of the special field
SPECIAL = {"terrestrial": (4, 1), "aquatic": (6, 5), "botanical": (2, 3)}

# ---------------------------------------------------------------------- 2. set-up


def test_three_job_goals_and_their_sides_are_drawn(n_games):
    """2.1: three different tiles, all twelve sides as likely."""
    counts = Counter()
    for seed in range(n_games(1000)):
        goals = RULES.new(seed).job_goal.tolist()
        assert len({goal // 2 for goal in goals}) == 3
        counts.update(goals)
    assert set(counts) == set(range(12))
    assert chi_square(counts.values()) < unlikely(11)


def test_five_round_goals_lie_light_or_dark(n_games):
    """2.2: the first two with the light side up."""
    counts = Counter()
    for seed in range(n_games(1000)):
        goals = RULES.new(seed).round_goal.tolist()
        assert [goal % 2 for goal in goals] == [0, 0, 1, 1, 1]
        assert len({goal // 2 for goal in goals}) == 5
        counts[goals[0] // 2] += 1
    assert chi_square([counts[tile] for tile in range(7)]) < unlikely(6)


def test_an_end_goal_and_its_side_are_drawn(n_games):
    """2.3: each of six sides as likely."""
    counts = Counter(int(RULES.new(seed).end_goal) for seed in range(n_games(1000)))
    assert chi_square([counts[goal] for goal in range(6)]) < unlikely(5)


def test_the_first_game_has_neither_round_goals_nor_an_end_goal():
    """2.4: job goals are drawn all the same."""
    state = RULES.new(3, num_players=3, first_game=True)
    assert state.round_goal.tolist() == [NONE] * 5
    assert state.end_goal == NONE
    assert state.job_goal.tolist() == RULES.new(3, num_players=3).job_goal.tolist()


@pytest.mark.parametrize("column", [1, 3])
def test_two_players_leave_out_the_first_or_the_third_column(column):
    """2.5: its bag, its fields and its digs are not in the game."""
    p = fresh()
    assert p.asked == (0, "UNUSED")
    assert p.choices == ["column 1", "column 3"]
    assert p.state.job_goal.any()
    assert (p.state.round_goal != NONE).all()
    p.do(f"column {column}")
    assert p.bag(column) == {}
    p.settle_in()
    p.state.students[0] = 5
    p.state.dollars[0] = 20
    p.derive()
    assert {word.split()[1] for word in p.choices} == {"1", "2", "3"} - {str(column)}


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_use_all_columns(players):
    """2.5: nobody is asked."""
    p = fresh(num_players=players)
    assert p.asked == (0, "SIDE")
    assert p.state.unused == NONE


@pytest.mark.parametrize(
    ("players", "column", "seeded"), [(2, 1, 5), (2, 3, 5), (3, 0, 2), (4, 0, 0)]
)
def test_the_market_is_seeded_from_each_site_in_use(players, column, seeded):
    """2.6, 17.1: in ascending order of sites, drawn by the streams of the bags."""
    p = fresh(11, num_players=players)
    if column:
        p.do(f"column {column}")
    chance = Chance(11)
    rows = {name: [] for name in TYPES}
    for site in (1, 2, 3):
        if site == column:
            continue
        bag = [tile for tile in TILES for _ in range(BAGS[site - 1][tile])]
        for _ in range(seeded):
            tile = bag.pop(chance.draw(1 + site, len(bag)))
            rows[TYPE[tile.split("/")[0]]].append(tile)
        assert sum(p.bag(site).values()) == 73 - seeded
    assert [p.row(name).split() for name in TYPES] == [*rows.values()]


def test_neutral_workers_stand_on_fields():
    """2.7: four with two players and with three, and none with four; they stay."""
    first, second = {"display small", "trade small"}, {"build large"}
    p = fresh().do("column 3")
    assert p.taken == {1: first, 2: second}
    assert p.state.neutral.tolist() == [2, 2, 0]
    p = fresh().do("column 1")
    assert p.taken == {2: first, 3: second}
    assert p.state.neutral.tolist() == [0, 2, 2]
    p = fresh(num_players=3)
    assert p.taken == {1: {"display small"}, 2: {"build large"}, 3: {"trade small"}}
    assert p.state.neutral.tolist() == [1, 2, 1]
    p = fresh(num_players=4)
    assert p.taken == {}
    p = Position(
        workers=[1],
        bags={},
        neutral=[2, 2, 0],
        taken={1: "display small, trade small", 2: "build large"},
    )
    assert not {"field 1 display small", "field 2 build large"} & set(p.choices)
    p.end_round()
    assert p.taken == {1: first, 2: second}


@pytest.mark.parametrize(("players", "drawn"), [(2, 4), (3, 3), (4, 3)])
def test_the_choices_of_set_up(players, drawn):
    """2.8: side, job goals, starting fossil, five tiles; player by player, all seen."""
    p = fresh(5, num_players=players)
    if players == 2:
        p.do("column 3")
    sites = [1, 2] if players == 2 else [1, 2, 3]
    chance = Chance(5)
    starts = list(range(6))
    for seat in range(players):
        assert p.asked == (seat, "SIDE")
        assert p.choices == ["side A", "side B"]
        p.do("side B")
        assert p.asked == (seat, "SPLIT")
        assert p.choices == ["goal 1", "goal 2", "goal 3"]
        p.do("goal 2")
        assert p.state.on_goal[seat].tolist() == [1, 2, 1]
        assert p.state.workers[seat] == 4
        k = seat + chance.draw(1, 6 - seat)
        starts[seat], starts[k] = starts[k], starts[seat]
        assert p.state.start[seat] == starts[seat]
        assert p.asked == (seat, "START")
        name = STARTS[starts[seat]][1]
        p.do("face 1")
        row, column = SPECIAL[TYPE[name]]
        there = [list(line.split()) for line in p.map(seat)]
        assert there[row - 1][column - 1] == "1"
        assert sum(line.count(".") for line in there) == 35
        assert TILES[p.state.tile[seat].max()] == name
        assert (p.state.students[seat], p.state.guests[seat]) == (0, 0)
        assert p.asked == (seat, "KEEP")
        assert len(p.drawn) == drawn * len(sites)
        at = [
            next(s for s in sites if tile in BAGS[s - 1] and i // drawn == sites.index(s))
            for i, tile in enumerate(p.drawn)
        ]
        assert at == sorted(at)
        before = sum(len(p.row(name).split()) for name in TYPES) + len(p.archive.split())
        while p.asked == (seat, "KEEP"):
            p.do(p.choices[0])
        assert len(p.stored(seat).split()) == 5
        after = sum(len(p.row(name).split()) for name in TYPES) + len(p.archive.split())
        assert after - before == drawn * len(sites) - 5


STARTS = [
    ("eoraptor", "eryma"),
    ("thrinaxodon", "pleuromeia"),
    ("compsognathus", "berriasella"),
    ("ambolestes", "araucaria"),
    ("pentacrinites", "wielandiella"),
    ("ctenothrissa", "archaefructus"),
]


def test_the_starting_fossil_is_complete_but_brings_nothing():
    """2.8, 2.9: its site need not be in use; money by turn order, nothing else; seat 0 begins."""
    p = fresh(2, num_players=4)
    while p.state.round_number == 0:
        assert p.of("dollars") == [2, 3, 3, 4]
        assert p.of("guests") == p.of("students") == [0] * 4
        assert p.points == [0] * 4
        assert p.state.first == 0
        p.do(p.choices[0])
    assert p.asked[0] == 0
    # the income of round 1: the starting fossil on its special field, and three students
    assert p.of("dollars") == [3, 4, 4, 5]
    assert p.of("guests") == [1] * 4
    assert p.of("students") == [8 - 5] * 4
    assert p.of("workers") == [4] * 4
    p = fresh(2, num_players=2)
    p.settle_in()
    assert p.of("dollars") == [3, 4]


def test_a_starting_fossil_of_a_site_that_is_not_used():
    """2.8: with each starting tile of the third site some game has it while that column is out."""
    seen = set()
    for seed in range(12):
        p = fresh(seed).play("column 3; side A; goal 1; face 1")
        seen.add(STARTS[p.state.start[0]][1])
    assert seen & {"berriasella", "archaefructus"}


def test_a_round_has_four_phases_and_a_game_five_rounds():
    """2.10: income, actions, opening and excavation; the last one differs."""
    p = Position(
        [rows(". . . . . E", E="eoraptor")],
        workers=[1],
        guests=[9],
        bags={1: "3*eoraptor"},
        placed=[[0], [0]],
    )
    p.end_round()
    assert p.points == [3, 0]  # opening: 9 guests
    assert p.stored() == "eoraptor"  # excavation: one worker in column 1
    assert p.of("dollars") == [1, 0]  # income of round 2
    assert p.of("guests") == [1, 0]
    assert p.state.round_number == 2
    rounds = [2]
    while not p.over:
        rounds.append(int(p.state.round_number))
        p.end_round() if p.state.round_number < 5 else p.do("field 1 management", "gain student")
    assert rounds == [2, 2, 3, 4, 5]
