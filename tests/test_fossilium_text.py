"""Fossilium in words and drawn: a person can play from it."""

import random
import re

import numpy as np
import pytest

from bonebed.envs import fossilium_names as names
from bonebed.envs import fossilium_v0 as face
from bonebed.envs import table
from bonebed.kernels.fossilium.state import NONE, Phase

RULES = table.rules("fossilium")
ACTIONS = RULES.actions
WORKERS = {"small": 1, "large": 2, "bonus": 1}  # 1.7


def tile(words: str) -> int:
    """Return a tile type by its words."""
    return names.TILES.index(words)


def cell(name: str) -> int:
    """Return a field of a museum by its letter and number, `a1` at the top left (1.5)."""
    return 6 * (int(name[1]) - 1) + "abcdef".index(name[0])


def field(row: str, kind: str = "small") -> int:
    """Return a field of a column (1.7): small, large, bonus of four rows, joker, management."""
    rows = ["display", "build", "trade", "tour"]
    last = {"joker": 12, "management": 13, "strip": 14}
    return last[row] if row in last else 3 * rows.index(row) + [*WORKERS].index(kind)


def completed(state):
    """Return a state with the fields that follow from the others."""
    for name in RULES.derived:
        state[name] = 0
    RULES.derive(state)
    return state


def put(state, seat: int, species: str, cells: str, turn: int = 0, shown: str = ""):
    """Lay a fossil into a museum: its pieces in order on some fields, some of them displayed."""
    kinds = [i for i, words in enumerate(names.TILES) if words.split()[0] == species]
    for p, name in enumerate(cells.split()):
        c = cell(name)
        state.tile[seat, c] = kinds[p // 2]
        state.piece[seat, c] = p + 1
        state.pose[seat, c] = turn
        state.displayed[seat, c] = name in (shown or cells).split()


def position(players: int = 3):
    """Return a game in round 2 in which player 0 has the turn.

    player 0  side A: Compsognathus on f1; Tyrannosaurus on c3 to e4, pieces 1 and 5 displayed;
              Doctoral Office on a6; stores Tyrannosaurus 1/2, 2 Osmunda 3/4, Eryma
    player 1  side B: Ctenothrissa on e6; Osmunda on a1 to b2 turned right, pieces 1 and 2 displayed
    player 2  side A: Ambolestes on f1
    """
    state = RULES.new(seed=1, num_players=players)
    state.round_number, state.first, state.active, state.to_play = 2, 1, 0, 0
    state.phase = Phase.TURN
    state.side[:3] = 0, 1, 0
    state.start[:3] = 2, 5, 3
    for seat, (species, name) in enumerate(
        [("Compsognathus", "f1"), ("Ctenothrissa", "e6"), ("Ambolestes", "f1")][:players]
    ):
        put(state, seat, species, name)
    put(state, 0, "Tyrannosaurus", "c3 d3 e3 c4 d4 e4", shown="c3 d4")
    # turned right: pieces 3 1 over 4 2
    put(state, 1, "Osmunda", "b1 b2 a1 a2", turn=1, shown="b1 b2")
    state.panel[0, cell("a6")] = 9  # 5b
    state.storage[0, tile("Tyrannosaurus 1/2")] = 1
    state.storage[0, tile("Osmunda 3/4")] = 2
    state.storage[0, tile("Eryma")] = 1
    state.dollars[:3] = 5, 3, 0
    state.guests[:3] = 7, 2, 0
    state.regular[:3] = 3, 0, 0
    state.students[:3] = 2, 0, 1
    state.workers[:3] = 3, 4, 4
    state.score[:3] = 12, 4, 0
    state.on_goal[:3] = [2, 1, 1], [1, 1, 1], [1, 2, 1]
    state.placed[0] = 1, 0, 0
    state.taken[0] |= 1 << field("tour") | 1 << field("management")
    state.job_goal[:] = 1, 2, 9  # joker; column; tour dollars 6
    state.round_goal[:] = 0, 2, 9, 7, 11
    state.end_goal = 4  # complete fossils of size 2
    state.bag[:] = RULES.new(seed=1, num_players=4).bag  # none was drawn
    state.market[:] = NONE
    state.market[0, :3] = tile("Eoraptor"), tile("Eoraptor"), tile("Velociraptor 1/2")
    state.market[1, 0] = tile("Placodus 3/4")
    state.archive[tile("Eoraptor")] = 2
    state.price[:] = 3, 1, 2
    return completed(state)


def at(phase: str, **fields: object):
    """Return the position at another decision of an action."""
    state = position()
    state.phase = Phase[phase]
    for name, value in fields.items():
        state[name] = value
    return completed(state)


def act(state, block: str, **values: int):
    """Return the state before an action, the action and the state after it."""
    action = ACTIONS.encode(block, **values)
    assert action in RULES.legal_actions(state)
    before = state.copy()
    RULES.step(state, np.int64(action))
    return before, action, state


def told(state, block: str, **values: int) -> str:
    """Return what everybody is told about an action."""
    move = act(state, block, **values)
    lines = {face.tell(*move, player) for player in (None, 0, 1, 2)}
    (line,) = lines
    return line


def lines_of(state, player=0) -> list[str]:
    """Return the lines of a drawing."""
    return face.draw(state, player).splitlines()


def part(state, head: str, player=0) -> list[str]:
    """Return the lines from the one that begins with a head up to an empty one."""
    lines = lines_of(state, player)
    start = next(i for i, line in enumerate(lines) if line.startswith(head))
    end = lines.index("", start) if "" in lines[start:] else len(lines)
    return lines[start:end]


# --- the drawing ----------------------------------------------------------------------------------


@pytest.mark.rules
def test_the_museum_shows_pieces_reserved_fields_panels_and_what_its_lines_pay():
    assert [line[:48].rstrip() for line in part(position(), "Your museum")] == [
        "Your museum, side A",
        # 3.1: no aquatic piece in column b, no botanical one in d, Compsognathus in f
        "         A +0        B +0        T +1",
        "    a     b     c     d     e     f",
        "1  .s    .     .     .     .     Com1* T $1",
        "2  .s    .     .     .     .     .",
        "3  .     .*    Tyr1L tyr2L tyr3L .     A $0",
        "4  .     .     tyr4L Tyr5L tyr6L .",
        "5  .     .     .     .*    .     .     B $0",
        "6  [5b]s .s    .     .     .     .",
    ]


@pytest.mark.rules
def test_the_storage_says_what_a_tile_is_and_where_it_fits():
    assert [line[48:].strip() for line in part(position(), "Your museum")[:4]] == [
        # 3.2: fields 4 to 8 show a student, four tiles lie on 1 to 4
        "Your storage: 4 of 8 (income 4 students)",
        "2 Osmunda 3/4          B4 fits p1:a1 p1:a2",
        "1 Eryma                A1",
        "1 Tyrannosaurus 1/2    T6 fits d3",
    ]


@pytest.mark.rules
def test_other_museums_are_drawn_as_their_owners_see_them():
    state = position()
    museum = part(state, "Museum of player 1")
    assert museum[0].startswith("Museum of player 1, side B")
    assert museum[3].startswith("1  osm3  Osm1")
    assert museum[4].startswith("2  osm4  Osm2")
    assert part(state, "Your museum", 1)[1:] == museum[1:]


@pytest.mark.rules
def test_the_board_shows_free_taken_neutral_and_unused_fields():
    rows = part(position(), "Board")
    # 2.7 with three players: display small 1, build/donate large 2, buy/sell small 3
    assert rows[1].startswith("display       n23 up to 2 pieces   123 up to 5 pieces")
    assert rows[2].startswith("build/donate  123 once             1n3 up to 2 times, panels")
    assert rows[3].startswith("buy/sell      12n buy 2 or sell 2  123 buy 4 and sell 4")
    assert rows[4].startswith("give tour     x23 up to 1 line     123 up to 2 lines")
    assert rows[5].startswith("joker         123 1 worker")
    assert rows[6].startswith("management    123 1 worker"), "room for all"
    assert rows[7] == "strip         round 5 only, 1 worker: take a tile of any bag and display it"
    assert rows[8:] == [
        "column        bonus fields bring      joker  bag       workers",
        # 4.8: 10 less the workers in the column, and the one to be placed
        "1 Triassic    2 students              $7     73 tiles  2: 1 p0, 1 neutral",
        "2 Jurassic    2 guests                $7     73 tiles  2: 2 neutral",
        "3 Cretaceous  1 of 2 tiles of site 3  $8     73 tiles  1: 1 neutral",
    ]


@pytest.mark.rules
def test_a_column_that_is_not_used_and_the_strip_of_the_last_round_are_drawn():
    state = position(2)
    state.unused, state.round_number = 0, 5
    rows = part(completed(state), "Board")
    assert rows[3].startswith("buy/sell      -")
    assert rows[7].startswith("strip         -23")
    assert not any("Triassic" in row for row in rows)


@pytest.mark.rules
def test_goals_are_drawn_with_workers_thresholds_and_what_each_player_has():
    assert part(position(), "Job goals")[1:] == [
        "  1 place a worker on a joker field: 2 p0, 1 p1, 1 p2",
        "  2 fill a column of the museum: 1 p0, 1 p1, 2 p2",
        "  3 $6 or more from one tour: 1 p0, 1 p1, 1 p2",
        "Round goals by round (at the opening the best threshold met brings 1/2/3 regular guests)",
        # 11.4: of one type: terrestrial 2; aquatic or botanical 1; terrestrial 1
        "> 2 2/3/4 fossils of one type: now p0 2, p1 1, p2 1",
        "  3 3/4/5 fossils of size 1: now p0 1, p1 1, p2 1",
        "  4 2/3/4 panels: now p0 1, p1 0, p2 0",
        "  5 1/2/3 complete fossils of size 2: now p0 0, p1 0, p2 0",
        "End goal: most complete fossils of size 2: now p0 0, p1 0, p2 0",
        "  it, most guests and most dollars bring 7/4/2 prestige each",
    ]


@pytest.mark.rules
def test_players_are_drawn_with_all_their_numbers():
    rows = [re.split(" +", line.strip("> ")) for line in part(position(), " " * 18 + "prestige")]
    assert rows[0][:4] == ["prestige", "dollars", "guests", "pay"]
    # 11.1: 7 guests pay 2; 14.4: the Doctoral Office 1
    assert rows[1] == ["player", "0", "(you)", "12", "5", "7", "2", "3", "2", "3", "0", "0", "1"]
    assert rows[2] == ["player", "1", "4", "3", "2", "0", "0", "0", "4", "0", "0", "0"]


@pytest.mark.rules
def test_market_archive_and_bags_are_drawn():
    state = position()
    assert part(state, "Market")[1:] == [
        # 9.3: the price falls before it is paid, but not below 1
        "terrestrial  buy $3, sell $2: 1: Eor, 2: Eor, 3: Vel 1/2",
        "  in the archive, $4: 2 x Eor",
        "aquatic      buy $1, sell $1: 1: Plc 3/4",
        "botanical    buy $2, sell $1: nothing",
    ]
    state.bag[:] = 0
    state.bag[:4] = 1, 2, 0, 2
    bags = part(completed(state), "Bags")
    assert bags[1].startswith("site 1, 5 tiles: Ple 1+2+0, Cyc 2+0+0, Pla 0+0+0, Plc 0+0")


def test_every_code_stands_in_the_legend():
    drawing = "\n".join(lines_of(position()))
    legend = drawing[drawing.index("Codes:") :]
    for code, name in zip(names.CODES, names.SPECIES, strict=True):
        assert f"{code} {name} " in legend.replace("\n    ", " ")
    assert len(set(names.CODES)) == len(names.SPECIES)
    assert not [code for code in names.CODES if code == "Pal"], "somebody else's name"


@pytest.mark.rules
def test_panels_are_listed_as_long_as_their_tile_is_there():
    panels = part(position(), "Panels")
    assert "  1a Restaurant            $2  income: $1 for each complete fossil beside it" in panels
    assert "  4a Season Ticket Desk    $2  at once: regular guests +2, guests +2" in panels
    assert "  4b Audio Guide           $2  each tour: $1 and 1 guest; end: 1 prestige" in panels
    assert "  5b Doctoral Office (built) $1  income: 1 student; end: 1 prestige" in panels
    assert not any("Preparation Lab" in line for line in panels)


def test_fields_to_choose_are_marked():
    state = at("CELL", field=field("display"), column=1, left=2, held=tile("Tyrannosaurus 1/2"))
    museum = part(state, "Your museum")
    assert museum[5].startswith("3 >.    >.*    Tyr1L>tyr2L tyr3L")
    assert lines_of(state)[-3:] == [
        "Action: display small 2 (up to 2 pieces): 2 left",
        "In hand: Tyrannosaurus 1/2",
        "Player 0 chooses a field of the museum for Tyrannosaurus 1/2.",
    ]
    state = at("TARGET", field=field("build"), column=0, left=1, held=tile("Osmunda 3/4"), owner=1)
    assert part(state, "Museum of player 1")[3].startswith("1 >osm3  Osm1")
    assert ">" not in "".join(part(state, "Your museum"))


@pytest.mark.parametrize(
    ("state", "question"),
    [
        (position(), "Player 0 places workers on a field, or digs first."),
        (at("COPY", column=0, field=12), "Player 0 chooses what the joker does."),
        (
            at("DISPLAY", column=0, field=0, left=1),
            "Player 0 chooses the next tile to display.",
        ),
        (
            at("POSE", column=0, field=0, left=1, held=tile("Osmunda 3/4"), spot=cell("b5")),
            "Player 0 chooses the piece and how the new fossil of Osmunda 3/4 lies.",
        ),
        (
            at("CELL", column=0, field=3, left=1, building=0),
            "Player 0 chooses a field of the museum for the panel.",
        ),
        (at("BUILD", column=0, field=3, left=1), "Player 0 builds a panel or donates a tile."),
        (at("TRADE", column=0, field=6, buys=2, sells=2), "Player 0 buys or sells."),
        (at("MANAGE", column=0, field=13), "Player 0 chooses what management brings."),
        (at("AFTER", acted=1), "Player 0 may dig after the action."),
        (
            at("ASSIGN", active=NONE, workers=5, to_play=2),
            "Player 2 has more than 4 workers: one stays in a column for good.",
        ),
        (
            at("OVER", done=1),
            "The game is over. First place: player 0, with 12 points of prestige.",
        ),
    ],
)
def test_the_last_line_says_who_decides_what(state, question):
    assert lines_of(state)[-1] == question


@pytest.mark.rules
def test_tiles_that_were_drawn_are_shown_in_the_order_of_choice():
    state = position()
    state.phase, state.reason, state.site, state.keep, state.n_drawn = Phase.KEEP, 3, 2, 2, 4
    drawn = ["Wollemia 1/2", "Plesiosaur 1/2", "Velociraptor 1/2", "Wollemia 1/2"]
    state.drawn[:4] = [tile(words) for words in drawn]
    state.active, state.last = NONE, tile("Velociraptor 1/2")
    lines = lines_of(completed(state))
    assert lines[0] == (
        "Round 2 of 5: excavation (after income, actions and opening); player 1 holds the ammonite"
    )
    assert lines[-3:] == [
        "Drawn at site 3 (Cretaceous), in the order of choice: Velociraptor 1/2, Wollemia 1/2, "
        "Wollemia 1/2",
        "Passed over: Plesiosaur 1/2",
        "Player 0 chooses a tile to keep of the excavation and then 1 tile not before it in this "
        "order.",
    ]


# --- the words of a move --------------------------------------------------------------------------


@pytest.mark.rules
@pytest.mark.parametrize(
    ("state", "block", "values", "line"),
    [
        (position(), "field", {"column": 1, "field": 1}, "display large 2"),
        (position(), "field", {"column": 2, "field": 5}, "build/donate bonus 3 for $2"),
        (position(), "field", {"column": 2, "field": 13}, "management 3"),
        # 4.8: 10 - 2 workers - the one placed
        (
            at("TURN", dollars=9),
            "field",
            {"column": 0, "field": 12},
            "joker 1 for $7",
        ),
        (position(), "field", {"column": 0, "field": 12}, "joker 1"),
        (
            at("COPY", column=0, field=12),
            "field",
            {"column": 0, "field": 2},
            "copy display bonus 1 for $2",
        ),
        (position(), "dig", {"site": 0, "students": 1}, "dig site 1 with 2 students"),
        (
            at("DISPLAY", field=0, column=0, left=1),
            "tile",
            {"type": tile("Eryma")},
            "display Eryma",
        ),
        (at("DISPLAY", field=0, column=0, left=1), "stop", {}, "display no more"),
        (
            at("TRADE", field=6, column=0, buys=2, sells=2),
            "tile",
            {"type": tile("Tyrannosaurus 1/2")},
            "sell Tyrannosaurus 1/2 for $2",
        ),
        (
            at("TRADE", field=6, column=0, buys=2, sells=2),
            "slot",
            {"row": 0, "slot": 2},
            "buy Velociraptor 1/2 for $3 (terrestrial slot 3)",
        ),
        (
            at("TRADE", field=6, column=0, buys=2, sells=2),
            "archive",
            {"type": tile("Eoraptor")},
            "buy Eoraptor from the archive for $4",
        ),
        (
            at("BUILD", field=4, column=0, left=2),
            "panel",
            {"panel": 2},
            "build 2a Souvenir Stand for $2",  # 8.1: 3 less 1 on a large field
        ),
        (
            at("BUILD", field=4, column=0, left=2),
            "tile",
            {"type": tile("Osmunda 3/4")},
            "donate Osmunda 3/4 for 3 prestige",  # 6.2: beside pieces 1 and 2
        ),
        (
            at("OWNER", field=4, column=0, left=2, held=tile("Osmunda 3/4")),
            "owner",
            {"opponent": 0},
            "donate to player 1",
        ),
        (
            at("TARGET", field=4, column=0, left=2, held=tile("Osmunda 3/4"), owner=1),
            "cell",
            {"cell": cell("a2")},
            "a2 for 3 prestige",  # 6.2: two pieces are displayed
        ),
        (
            at("CELL", field=0, column=0, left=1, held=tile("Tyrannosaurus 1/2")),
            "cell",
            {"cell": cell("d3")},
            "d3, as piece 2",
        ),
        (
            at("CELL", field=0, column=0, left=1, held=tile("Eryma")),
            "cell",
            {"cell": cell("b3")},
            "b3, a new fossil",
        ),
        # 5.6: size 4 turned clockwise has the rows 3 1 and 4 2; piece 4 lies below piece 3
        (
            at("POSE", field=0, column=0, left=1, held=tile("Osmunda 3/4"), spot=cell("a5")),
            "pose",
            {"face": 1, "turn": 1},
            "piece 4, turned right: a4 to b5 as 31/42",
        ),
        (at("TOUR", field=9, column=0, left=1), "line", {"line": 0}, "terrestrial shop for $1"),
        (
            at("TOUR", field=9, column=0, left=1),
            "line",
            {"line": 3},
            "terrestrial entrance for 1 guest",
        ),
        (at("MANAGE", field=13, column=0), "gain", {"gain": 0}, "take $1"),
        (at("MANAGE", field=13, column=0), "gain", {"gain": 2}, "take 1 guest"),
        (
            at("SITE", field=3, column=0, held=tile("Plesiosaur 1/2")),
            "column",
            {"column": 1},
            "from the bag of site 2 (Jurassic)",
        ),
        (
            at("ASSIGN", active=NONE, workers=5),
            "column",
            {"column": 1},
            "permanent worker to column 2",
        ),
        (position(), "slot", {"row": 1, "slot": 7}, "buy from the aquatic row, slot 8"),
    ],
)
def test_actions_have_words(state, block, values, line):
    before = state.tobytes()
    assert face.describe(state, ACTIONS.encode(block, **values)) == line
    assert state.tobytes() == before


def test_the_choices_of_set_up_have_words():
    state = RULES.new(seed=1, num_players=2)
    words = [face.describe(state, action) for action in RULES.legal_actions(state).tolist()]
    assert words == ["leave out site 1 (Triassic)", "leave out site 3 (Cretaceous)"]
    RULES.step(state, RULES.legal_actions(state)[0])
    assert face.describe(state, ACTIONS.encode("side", side=0)) == (
        "side A: shops T1 A3 B5, entrances Tf Ab Bd, pedestals large c3-e4 small a6-b6 a1-a2"
    )


def test_an_action_that_there_is_not_has_no_words():
    with pytest.raises(ValueError, match=f"no action {ACTIONS.size}"):
        face.describe(position(), ACTIONS.size)


# --- what happened --------------------------------------------------------------------------------


@pytest.mark.rules
def test_a_field_is_told_with_its_cost_and_gain():
    assert told(position(), "field", column=1, field=2) == (
        "1 worker on display bonus 2 (-$2, +2 guests)"
    )


@pytest.mark.rules
def test_a_joker_brings_a_worker_from_its_goal():
    state = at("TURN", dollars=9)
    assert told(state, "field", column=0, field=12) == (
        "1 worker on joker 1 (-$7, a worker from job goal 1)"
    )


@pytest.mark.rules
def test_completing_is_told_with_what_it_brings_and_what_follows():
    # the last piece that this action can display, and players 1 and 2 cannot act: the round ends
    state = at("CELL", field=0, column=0, left=1, held=tile("Eryma"), students=0)
    state.workers[:3] = 0
    state.students[:] = 0
    line = told(completed(state), "cell", cell=cell("b3"))
    # 5.7: size 1 brings a guest, and an aquatic fossil another one; 11.1: 9 guests pay 3, 2 nothing
    assert line.startswith(
        "display Eryma on b3 (+2 guests); Eryma of player 0 is complete; opening of round 2; "
        "player 0: 3 prestige for 9 guests, the round goal brings 1 regular guest, "
        "then back to 4 guests; "
        "player 1: 0 prestige for 2 guests, then back to 0 guests; "
        "player 2: 0 prestige for 0 guests, then back to 0 guests; player 0: draw at site 1: "
    )


@pytest.mark.rules
def test_a_donation_is_told_with_prestige_and_what_the_owner_receives():
    state = at("TARGET", field=4, column=0, left=2, held=tile("Osmunda 3/4"), owner=1)
    state.displayed[1, cell("a1")] = 1
    line = told(completed(state), "cell", cell=cell("a2"))
    # 5.7: 4 guests, an amber, and a student for a botanical fossil
    assert line == (
        "donate piece 4 of Osmunda to player 1, on a2 (+4 prestige); "
        "player 1: +4 guests, +1 student, +1 amber; Osmunda of player 1 is complete"
    )


@pytest.mark.rules
def test_trading_is_told_with_money_and_a_tile_that_is_pushed_out():
    state = at("TRADE", field=7, column=0, buys=4, sells=4)
    assert told(state.copy(), "tile", type=tile("Eryma")) == "sell Eryma (+$1)"
    assert told(state.copy(), "slot", row=1, slot=0) == "buy Placodus 3/4 (-$1)"
    state.market[1] = [tile("Placodus 3/4")] * 8
    assert told(completed(state), "tile", type=tile("Eryma")) == (
        "sell Eryma (+$1); pushed into the archive: Placodus 3/4"
    )


@pytest.mark.rules
def test_a_dig_is_told_with_what_was_drawn():
    state = position()
    state.bag[:] = 0
    state.bag[0] = 2  # Plesiosaur 1/2 at site 1
    line = told(completed(state), "dig", site=0, students=1)
    assert line == (
        "dig site 1 with 2 students (-2 students); draw at site 1: Plesiosaur 1/2, Plesiosaur 1/2; "
        "keep Plesiosaur 1/2"
    )


@pytest.mark.rules
def test_the_end_is_told_with_all_that_brings_prestige():
    state = at("MANAGE", field=13, column=0, round_number=5, workers=0, students=0)
    line = told(completed(state), "gain", gain=0)
    # dollars 5 + 1 + 1 (shop), 3 + 2 (shops in rows 2 and 6), 0 + 1; guests 3 + 1 (entrance),
    # 0 + 1, 0 + 1; two share 4 + 2, three share 7 + 4 + 2 (14.1)
    assert line.endswith(
        "the last income and the end; "
        "player 0: $7 and 4 guests; prestige 7 for guests, 7 for dollars, 4 for end goal, "
        "1 for panels, 0 for fossils, amber, stands and pedestals; "
        "player 1: $5 and 1 guest; prestige 3 for guests, 4 for dollars, 4 for end goal, "
        "0 for panels, 0 for fossils, amber, stands and pedestals; "
        "player 2: $1 and 1 guest; prestige 3 for guests, 2 for dollars, 4 for end goal, "
        "0 for panels, 0 for fossils, amber, stands and pedestals"
    )


# --- random games ---------------------------------------------------------------------------------


def random_games(players: int, games: int):
    """Play random games with random options; yield (state, action, state after it, luck)."""
    for number in range(games):
        luck = random.Random(1000 * players + number)
        options = {option.name: luck.choice(option.choices) for option in RULES.options}
        state = RULES.new(number, **options | {"num_players": players})
        while not state.done:
            action = luck.choice(RULES.legal_actions(state).tolist())
            before = state.copy()
            RULES.step(state, np.int64(action))
            yield before, action, state, luck


@pytest.mark.rules
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_drawing_fits_a_terminal(players, n_games):
    for before, action, after, luck in random_games(players, n_games(5)):
        if luck.random() < 0.1 or after.done:
            for player in (None, *range(players)):
                lines = lines_of(after, player)
                assert max(map(len, lines)) <= 100, "\n".join(lines)
                assert all(line == line.rstrip() for line in lines)
        line = face.tell(before, action, after, luck.randrange(players))
        assert line
        assert "\n" not in line
        assert not line.endswith(".")


@pytest.mark.rules
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_legal_moves_have_words_that_differ(players, n_games):
    for before, _, _, _ in random_games(players, n_games(10)):
        lines = [face.describe(before, action) for action in RULES.legal_actions(before).tolist()]
        assert len(set(lines)) == len(lines)
        assert not [line for line in lines if line.endswith(".") or "\n" in line]


@pytest.mark.rules
def test_the_guide_tells_the_game_of_several_without_pal():
    told = face.guide(position())
    assert max(map(len, told.splitlines())) <= 100
    assert told.startswith("AIM: the most prestige after 5 rounds.")
    assert "PAL" not in told


@pytest.mark.rules
def test_a_step_that_is_told_leaves_the_game_as_it_was(n_games):
    for before, action, after, _ in random_games(3, n_games(1)):
        same = before.tobytes(), after.tobytes()
        face.tell(before, action, after)
        face.draw(after)
        assert same == (before.tobytes(), after.tobytes())
