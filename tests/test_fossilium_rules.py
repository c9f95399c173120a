"""Fossilium, paragraph by paragraph: pieces, set-up, income, decisions, knowledge and chance.

Sections 1 to 3 and 15 to 17 of docs/games/fossilium.md; the others are in the files named
test_fossilium_rules_*.py. Positions are set up in words (fossilium_position.py), and every expected
number comes from the page, from the sheet or from a calculation by hand. The first words of each
docstring cite the paragraphs.
"""

import ast
import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from chance import Chance, unlikely
from fossilium_position import (
    BAGS,
    FIELDS,
    JOBS,
    RULES,
    SIZES,
    TILES,
    TYPE,
    TYPES,
    Position,
    museum,
)

pytestmark = pytest.mark.rules

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "games" / "fossilium.md"
fresh = Position.fresh
ONE_OF = {"terrestrial": "eoraptor", "aquatic": "eryma", "botanical": "araucaria"}


def alone(cells, name):
    """A museum with one-piece fossils of a species on some fields, given as row and column."""
    rows = [["X" if (r, c) in cells else "." for c in range(1, 7)] for r in range(1, 7)]
    return museum("\n".join(" ".join(row) for row in rows), **({"X": name} if cells else {}))


# ---------------------------------------------------------------------- 1. words and pieces


def test_there_are_eleven_species_at_each_site():
    """1.1: 29 in all, of which two are found everywhere."""
    assert len(SIZES) == 29
    assert Counter(SIZES.values()) == {1: 12, 2: 6, 4: 6, 6: 5}
    found = [{tile.split("/")[0] for tile in fresh(num_players=4).bag(site)} for site in (1, 2, 3)]
    assert [len(species) for species in found] == [11, 11, 11]
    assert found[0] & found[1] & found[2] == {"plesiosaur", "cycadales"}
    assert len(found[0] | found[1] | found[2]) == 29


@pytest.mark.parametrize("name", ["mixosaurus", "placodus", "plesiosaur"])
@pytest.mark.parametrize("turn", range(4))
def test_a_fossil_is_a_rectangle_of_pieces_in_reading_order(name, turn):
    """1.2, 5.6: with piece 1 on row 3, column 3, turned clockwise; worked out by hand."""
    places = {
        2: [["12"], ["1", "2"], ["21"], ["2", "1"]],
        4: [["12", "34"], ["31", "42"], ["43", "21"], ["24", "13"]],
        6: [["123", "456"], ["41", "52", "63"], ["654", "321"], ["36", "25", "14"]],
    }[SIZES[name]][turn]
    tiles = [tile for tile in TILES if tile.startswith(name)]
    p = Position(
        storage=[" ".join(f"2*{tile}" for tile in tiles)], workers=[8], jobs="donate3 joker row"
    )
    p.play(f"field 1 display large; tile {tiles[0]}; cell 3,3; pose 0 {turn}")
    spots = {int(piece): (r, c) for r, row in enumerate(places) for c, piece in enumerate(row)}
    for piece, (r, c) in spots.items():
        cell = f"cell {3 + r - spots[1][0]},{3 + c - spots[1][1]}"
        if piece > 1:
            if p.asked[1] == "TURN":
                p.do("field 2 display large")
            p.do(f"tile {tiles[(piece - 1) // 2]}")
            if p.asked[1] == "CELL":
                p.do(cell)
            if p.asked[1] == "POSE":
                raise AssertionError("a new fossil was begun")
        r, c = map(int, cell.split()[1].split(","))
        assert p.map()[r - 1].split()[c - 1] == str(piece)
        if p.asked[0] == 1:
            p.manage()


def test_a_tile_shows_two_pieces():
    """1.3: kind k shows 2k - 1 and 2k; one-piece fossils show 1 on both sides; 45 types."""
    assert len(TILES) == RULES.actions["tile"].size == 12 + 6 + 6 * 2 + 5 * 3 == 45
    assert TILES[:8] == [
        *("plesiosaur/12", "plesiosaur/34", "plesiosaur/56"),
        *("cycadales/12", "cycadales/34", "cycadales/56", "plateosaurus/12", "plateosaurus/34"),
    ]
    for face, shown in ((0, "5"), (1, "6")):
        p = Position(storage=["plesiosaur/56"], workers=[1])
        p.play(f"field 1 display small; tile plesiosaur/56; cell 3,3; pose {face} 0")
        assert p.map()[2].split()[2] == shown
    p = Position(storage=["eryma"], workers=[1])
    p.play("field 1 display small; tile eryma; cell 3,3")
    assert p.map()[2].split()[2] == "1"


def test_a_bag_holds_seventy_three_tiles():
    """1.4: as many of each kind of a species."""
    p = fresh(num_players=4)
    assert [sum(p.bag(site).values()) for site in (1, 2, 3)] == [73] * 3
    assert p.state.in_bag.tolist() == [73] * 3
    assert [p.bag(site) for site in (1, 2, 3)] == BAGS
    assert [p.bag(1)[f"plateosaurus/{k}"] for k in ("12", "34", "56")] == [4, 4, 4]
    assert [p.bag(2)[f"plesiosaur/{k}"] for k in ("12", "34", "56")] == [2, 2, 2]
    assert [p.bag(3)[f"weichselia/{k}"] for k in ("12", "34")] == [4, 4]
    assert p.bag(3)["velociraptor/12"] == 8
    assert p.bag(1)["eoraptor"] == 3


LINES_OF = {  # 1.5: row of the shop and column of the entrance
    0: {"terrestrial": (1, 6), "aquatic": (3, 2), "botanical": (5, 4)},
    1: {"terrestrial": (4, 1), "aquatic": (6, 5), "botanical": (2, 3)},
}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("side", [0, 1])
def test_shops_and_entrances_of_both_sides(side, kind):
    """1.5, 3.1: a piece on row r and column c of the diagonals, six in turn."""
    row, column = LINES_OF[side][kind]
    for start in (1, 3, 5):
        at = [(start, start), (start + 1, start + 1), (row, start), (row, column)]
        museums = [alone({place}, ONE_OF[kind]) for place in at]
        p = Position(
            museums, bags={}, workers=[1, 0, 0, 0], options={"num_players": 4}, side=[side] * 4
        )
        p.end_round()
        assert p.of("dollars") == [int(r == row) for r, _ in at]
        assert p.of("guests") == [int(c == column) for _, c in at]


def test_what_a_player_has_is_bounded():
    """1.6: 8 storage fields, 50 guests, 5 students; money never falls below 0."""
    p = Position(guests=[50], students=[5], workers=[3, 3], bags={})
    p.manage(gain="guest").manage(gain="guest").manage(gain="student")
    assert p.of("guests") == [50, 1]
    assert p.of("students") == [5, 0]
    p = Position(dollars=[1], workers=[1], taken={1: "joker", 2: "joker"})
    assert not [word for word in p.choices if "bonus" in word]
    p = Position(storage=["8*eryma"], market={"aquatic": "eryma"}, dollars=[9], workers=[2])
    p.do("field 1 trade large")
    assert p.offers("slot") == []
    assert fresh().state.workers.tolist() == [4, 4, 0, 0]
    assert fresh().do("column 3").settle_in().state.on_goal[:2].sum(1).tolist() == [4, 4]


def test_the_fields_of_the_board():
    """1.7: 14 a column, of one or two workers; bonus fields cost 2 dollars."""
    numbered = ["display small", "display large", "display bonus", "build small", "build large"]
    assert FIELDS[:5] == numbered
    assert FIELDS[12:] == ["joker", "management", "strip"]
    four = {"num_players": 4}
    p = Position(workers=[2], dollars=[10], options=four)
    assert p.choices == [f"field {c} {f}" for c in (1, 2, 3) for f in FIELDS[:-1]]
    p = Position(workers=[1], dollars=[10], options=four)
    small = [f for f in FIELDS[:-1] if "large" not in f]
    assert p.choices == [f"field {c} {f}" for c in (1, 2, 3) for f in small]
    p = Position(workers=[8], dollars=[1], options=four)
    free = [f for f in FIELDS[:12] if "bonus" not in f] + ["management"]
    assert p.choices == [f"field {c} {f}" for c in (1, 2, 3) for f in free]
    p = Position(workers=[8], dollars=[2], options=four)
    assert len(p.choices) == 3 * 13
    for field, left in (("display large", 6), ("display small", 7), ("trade bonus", 7)):
        q = p.copy().do(f"field 2 {field}")
        assert q.of("workers")[0] == left
        assert q.of("dollars")[0] == (0 if "bonus" in field else 2)


def test_the_market_has_rows_archives_and_prices():
    """1.8: 8 slots a row, prices from 1 to 5, at first 2."""
    assert fresh().state.price.tolist() == [2, 2, 2]
    assert RULES.actions["slot"].fields == {"row": 3, "slot": 8}
    assert fresh().do("column 3").settle_in().state.price.tolist() == [2, 2, 2]
    for price in (1, 5):
        Position(price=[price] * 3)
    for price in (0, 6):
        with pytest.raises(ValueError, match="price"):
            Position(price=[price] * 3)


def test_a_tile_goes_to_the_leftmost_free_slot():
    """1.9: of the row of its type."""
    p = Position(
        storage=["eryma mixosaurus/12 eoraptor"], market={"aquatic": "berriasella"}, workers=[2]
    )
    p.play("field 1 trade large; tile mixosaurus/12; tile eryma; tile eoraptor")
    assert p.row("aquatic") == "berriasella mixosaurus/12 eryma"
    assert p.row("terrestrial") == "eoraptor"
    assert p.archive == ""


def test_a_full_row_pushes_its_first_tile_into_the_archive():
    """1.9: the others move one slot to the left."""
    row = "pentacrinites berriasella ctenothrissa eryma berriasella eryma eryma ctenothrissa"
    p = Position(storage=["2*mixosaurus/12"], market={"aquatic": row}, workers=[2])
    p.play("field 1 trade large; tile mixosaurus/12")
    assert p.row("aquatic") == row.split(" ", 1)[1] + " mixosaurus/12"
    assert p.archive == "pentacrinites"
    p.do("tile mixosaurus/12")
    assert p.row("aquatic") == row.split(" ", 2)[2] + " mixosaurus/12 mixosaurus/12"
    assert sorted(p.archive.split()) == ["berriasella", "pentacrinites"]


def test_a_row_closes_behind_a_tile_that_leaves():
    """1.9: those to its right move left."""
    p = Position(market={"aquatic": "eryma berriasella ctenothrissa"}, dollars=[9], workers=[2])
    p.play("field 1 trade large; slot aquatic 2")
    assert p.row("aquatic") == "eryma ctenothrissa"


def dug(seed, bag, students):
    """Return the tiles drawn in a dig in the first bag, and the position."""
    p = Position(bags={1: bag}, students=[students], workers=[2], seed=np.uint64(seed))
    return p.do(f"dig 1 {students}")


def test_each_tile_of_a_bag_is_as_likely(n_games):
    """1.10: three thrinaxodon and one eoraptor; the first drawn of all four."""
    counts = Counter()
    base = Position(bags={1: "eoraptor 3*thrinaxodon"}, students=[2], workers=[2])
    n = n_games(4000)
    for seed in range(n):
        p = base.copy()
        p.state.seed = np.uint64(seed)
        RULES.step(p.state, RULES.actions.encode("dig", site=0, students=1))
        if p.asked[1] == "KEEP":  # one of each: the order is seen
            counts[p.drawn[0]] += 1
        else:
            counts["same"] += 1
    share = {"eoraptor": 1 / 4, "thrinaxodon": 1 / 4, "same": 1 / 2}  # 3/4 * 2/3 are two alike
    statistic = sum((counts[key] - n * s) ** 2 / (n * s) for key, s in share.items())
    assert statistic < unlikely(2)


def test_what_is_returned_goes_back_after_the_choice():
    """1.10: a short bag gives what it has; drawn tiles are not in the bag until then."""
    p = Position(bags={1: "eoraptor pleuromeia"}, placed=[[0], [0]], neutral=[4, 0, 0], workers=[1])
    p.end_round()
    assert p.asked == (0, "KEEP")
    assert sorted(p.drawn) == ["eoraptor", "pleuromeia"]
    assert p.bag(1) == {}
    p.do("tile pleuromeia")
    assert p.bag(1) == {"eoraptor": 1}
    assert p.stored() == "pleuromeia"


def excavated(drawn, keep):
    """Return a position in which a player has drawn tiles and keeps some of them."""
    # the bag holds exactly these, so that all are drawn
    p = Position(bags={1: drawn}, workers=[1], placed=[[keep - 1]], neutral=[6 - keep, 0, 0])
    return p.end_round()


def test_tiles_to_keep_are_chosen_in_ascending_order():
    """1.11: types that leave too few are not offered; what is forced is not asked."""
    drawn = "plesiosaur/12 2*mixosaurus/12 eoraptor pleuromeia wielandiella"
    order = ["plesiosaur/12", "mixosaurus/12", "eoraptor", "pleuromeia", "wielandiella"]
    p = excavated(drawn, 3)
    assert p.offers("tile") == order[:3]  # three tiles are at or above eoraptor: itself and two
    p.do("tile mixosaurus/12")
    assert p.offers("tile") == ["mixosaurus/12", "eoraptor", "pleuromeia"]
    p.do("tile eoraptor")
    assert p.offers("tile") == ["pleuromeia", "wielandiella"]
    p = excavated(drawn, 3).do("tile eoraptor")  # the two above it follow by themselves
    assert p.stored() == "eoraptor pleuromeia wielandiella"
    p = excavated(drawn, 6)
    assert sorted(p.stored().split()) == sorted(f"{drawn} mixosaurus/12".replace("2*", "").split())


def test_each_selection_can_be_made_in_one_way():
    """1.11: all sequences of choices lead to different storages."""
    drawn = "plesiosaur/12 2*mixosaurus/12 eoraptor pleuromeia wielandiella"
    results = []

    def explore(p):
        if p.asked[1] != "KEEP":
            results.append(p.stored())
            return
        for choice in p.choices:
            explore(p.copy().do(choice))

    explore(excavated(drawn, 3))
    # of 5 types, one of them twice, 3 tiles: 5 over 3 sets, and 4 with two of mixosaurus
    assert len(results) == len(set(results)) == 10 + 4


def test_what_is_not_kept_stays_in_the_order_in_which_it_was_drawn():
    """1.11: of equal tiles those drawn first are kept."""
    for seed in range(6):
        p = fresh(seed, num_players=2)
        while p.asked[1] != "KEEP":
            p.do(p.choices[0])
        drawn, before = p.drawn, {name: p.row(name).split() for name in TYPES}
        stored = []
        while p.asked == (0, "KEEP"):
            p.do(p.choices[-1])
        stored = p.stored(0).split()
        assert len(stored) == 5
        for tile in stored:
            drawn.remove(tile)  # the first of equal ones
        for name in TYPES:
            row = before[name] + [t for t in drawn if TYPE[t.split("/")[0]] == name]
            assert p.row(name).split() == row[-8:]


# ---------------------------------------------------------------------- 3. income


def test_shops_pay_dollars_and_entrances_guests():
    """3.1: pieces of incomplete fossils count, reserved fields and other types do not."""
    here = museum(
        """
        E  E  T  t  .  E
        .  .  P  P  .  .
        M  M  p  p  .  E
        .  .  .  .  .  .
        .  .  .  .  .  .
        .  .  .  .  .  E""",
        E="eoraptor",
        T="lystrosaurus",
        P="placodus",
        M="mixosaurus",
    )
    # row 1 (terrestrial shop): E E T E; row 3 (aquatic shop): M M; no botanical
    # column 6 (terrestrial entrance): E E E; column 2 (aquatic): M
    p = Position([here], workers=[1], bags={})
    p.end_round()
    assert p.of("dollars") == [4 + 2, 0]
    assert p.of("guests") == [3 + 1, 0]


def test_a_piece_on_the_special_field_counts_for_both_lines():
    """3.1: and for nothing more; as any piece on a crossing of its type does."""
    p = Position([alone({(5, 4)}, "araucaria"), alone({(5, 4)}, "eryma")], workers=[1], bags={})
    p.end_round()
    assert p.of("dollars") == p.of("guests") == [1, 0]


@pytest.mark.parametrize("stored", range(10))
def test_students_come_for_empty_storage_fields(stored):
    """3.2: 8 - p, at most 5, at least 0."""
    full = f"{stored}*eryma" if stored else ""
    p = Position(storage=[full, full], workers=[1, 0], bags={}, students=[0, 0])
    if stored > 8:
        p.end_round()
        assert p.of("students")[1] == 0  # after one tile was given up
        return
    p.manage()
    assert p.of("students") == [min(5, 8 - stored)] * 2


def test_panels_pay_at_the_income():
    """3.3, 7.5: a souvenir stand, a cloakroom and a doctoral office."""
    panels = museum("2a . . . . .\n5b . . . . .\n" + "\n".join([". . . . . ."] * 4))
    cloak = museum("2b . . . . .\n" + "\n".join([". . . . . ."] * 5))
    p = Position([panels, cloak], storage=["6*eryma", "6*eryma"], workers=[1], bags={})
    p.manage()
    assert p.of("dollars") == [1 + 2, 0]
    assert p.of("guests") == [0, 2]
    assert p.of("students") == [2 + 1, 2]


# ---------------------------------------------------------------------- 15. decisions


def test_one_possible_choice_is_not_asked(n_games):
    """15.1: whoever is asked has two choices at least."""
    for seed in range(n_games(30)):
        luck = random.Random(seed)
        state = RULES.new(seed, num_players=luck.choice((2, 3, 4)))
        while not state.done:
            legal = RULES.legal_actions(state)
            assert len(legal) > 1
            RULES.step(state, luck.choice(legal.tolist()))
    p = Position(storage=["eryma"], workers=[1, 1])
    p.play("field 1 display small; tile eryma; cell 3,3")  # nothing is left to be displayed
    assert p.asked == (1, "TURN")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_bound_on_decisions_holds(players, n_games):
    """15.2: 876 for each player and one for the column; at most 3,504."""
    assert 3 + 5 + 20 * 40 + 4 * 16 + 4 == 876
    assert RULES.max_decisions == 4 * 876 == 3504
    most = 0
    for seed in range(n_games(30)):
        luck = random.Random(seed)
        state = RULES.new(seed, num_players=players)
        while not state.done:
            legal = RULES.legal_actions(state)
            # long turns: neither stop nor small fields where there is anything else
            RULES.step(state, luck.choice(legal[1:] if legal[0] == 0 else legal))
        most = max(most, int(state.ply))
    assert most <= players * 876 + (players == 2)


# ---------------------------------------------------------------------- 16, 17. knowledge, chance


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_on_the_table_is_open(players, n_games):
    """16.1: what all see depends on nobody's seat, and not on luck to come."""
    for seed in range(n_games(8)):
        luck = random.Random(seed)
        state = RULES.new(seed, num_players=players)
        while not state.done and state.ply < 250:
            if state.ply % 40 == 0:
                other = state.copy()
                other.seed = np.uint64(seed + 1)
                for player in range(players):
                    assert seen(state, player) == seen(other, player)
            RULES.step(state, luck.choice(RULES.legal_actions(state).tolist()))


def seen(state, player):
    """Return what a seat observes."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, player, obs[0])
    return obs.tobytes()


def drawn_from(chance, things, k):
    """Draw k of a list: 17.1."""
    things = list(things)
    for i in range(k):
        j = i + chance.draw(0, len(things) - i)
        things[i], things[j] = things[j], things[i]
    return things[:k]


@pytest.mark.parametrize("seed", range(8))
def test_goals_follow_from_the_seed(seed):
    """17.1: job goals and their sides, round goals, the end goal and its side."""
    chance = Chance(seed)
    tiles = drawn_from(chance, range(6), 3)
    sides = [chance.draw(0, 2) for _ in range(3)]
    jobs = [JOBS[2 * t + s] for t, s in zip(tiles, sides, strict=True)]
    rounds = drawn_from(chance, range(7), 5)
    end = drawn_from(chance, range(3), 1)[0], chance.draw(0, 2)
    state = RULES.new(seed, num_players=4)
    assert [JOBS[goal] for goal in state.job_goal.tolist()] == jobs
    assert [goal // 2 for goal in state.round_goal.tolist()] == rounds
    assert divmod(int(state.end_goal), 2) == end


def test_the_same_luck_comes_whatever_is_decided():
    """17.1: streams are independent: what is drawn at site 1 does not change site 2."""
    drawn = []
    for before in ("", "dig 1 3"):
        p = Position(students=[5, 5], workers=[3, 3], storage=["8*eryma"])
        if before:
            p.do(before)
            while p.asked[1] == "KEEP":
                p.do(p.choices[0])
        p.manage()
        if p.asked[1] == "AFTER":
            p.do("stop")
        p.do("dig 2 3")
        drawn.append(p.drawn)
    assert drawn[0] == drawn[1]


def test_every_paragraph_of_the_page_has_a_test():
    """The page's numbered paragraphs are those that the docstrings of these files begin with."""
    numbered = re.compile(r"\b(1?\d\.\d+)\b")
    page = re.findall(r"^(\d+\.\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cited = set()
    for file in TESTS.glob("test_fossilium_rules*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                cited |= set(numbered.findall((ast.get_docstring(node) or "").split(":")[0]))
    assert page == sorted(page, key=lambda number: tuple(map(int, number.split("."))))
    assert sorted(cited - set(page)) == []
    assert sorted(set(page) - cited) == []
