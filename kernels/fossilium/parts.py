"""Tables of Fossilium, built from its sheet: species, tiles, museum, board, goals and Pal's cards.

Tile types are numbered species by species, cells of the museum row by row from the top left:

     0  1  2  3  4  5
     6  7  8  9 10 11
    12 ...

Sets of cells are whole numbers, cell c being bit c. Stocks are tile types in bags: those of site 1
in the order of types, then those of sites 2 and 3.
"""

from enum import IntEnum

import numpy as np

from .box import SHEET, VALUES

__all__ = ["SHEET"]

NOT_IN_BAG = -1
TYPE_NAMES = ("terrestrial", "aquatic", "botanical")
N_TYPES = len(TYPE_NAMES)
TERRESTRIAL, AQUATIC, BOTANICAL = range(N_TYPES)
N_SITES = len(VALUES["sites"])
ROUNDS = VALUES["meta"]["rounds"]
PLAYERS = tuple(n for n in VALUES["meta"]["players"] if n > 1)
MAX_PLAYERS = max(PLAYERS)
SOLO = 1  # key of the solo game in tables by number of players


def _by_players(table):
    """Turn a table of the sheet by number of players into an array that begins with 0 players."""
    return np.array([table.get(str(n), 0) for n in range(MAX_PLAYERS + 1)])


# --- species and tiles (1.1 to 1.4) ---------------------------------------------------------------

_SPECIES = VALUES["species"]
N_SPECIES = len(_SPECIES)
SPECIES_IDS = [species["id"] for species in _SPECIES]
TYPE_OF_SPECIES = np.array([TYPE_NAMES.index(species["type"]) for species in _SPECIES])
SIZE_OF_SPECIES = np.array([species["size"] for species in _SPECIES])
KINDS_OF_SPECIES = np.maximum(1, SIZE_OF_SPECIES // 2)
FIRST_TILE_OF_SPECIES = np.concatenate([[0], KINDS_OF_SPECIES.cumsum()[:-1]])
SPECIES_OF_TILE = np.repeat(np.arange(N_SPECIES), KINDS_OF_SPECIES)
N_TILES = len(SPECIES_OF_TILE)
KIND_OF_TILE = np.arange(N_TILES) - FIRST_TILE_OF_SPECIES[SPECIES_OF_TILE]
TYPE_OF_TILE = TYPE_OF_SPECIES[SPECIES_OF_TILE]
SIZE_OF_TILE = SIZE_OF_SPECIES[SPECIES_OF_TILE]
N_PIECES = int(SIZE_OF_SPECIES.max())

_STOCKS = [
    (site, tile, species["tiles"][str(site + 1)] // int(KINDS_OF_SPECIES[s]))
    for site in range(N_SITES)
    for s, species in enumerate(_SPECIES)
    if str(site + 1) in species["tiles"]
    for tile in np.flatnonzero(s == SPECIES_OF_TILE)
]
N_STOCKS = len(_STOCKS)
SITE_OF_STOCK = np.array([site for site, _, _ in _STOCKS])
TILE_OF_STOCK = np.array([tile for _, tile, _ in _STOCKS])
COUNT_OF_STOCK = np.array([count for _, _, count in _STOCKS])
FIRST_STOCK = np.array([*(np.searchsorted(SITE_OF_STOCK, site) for site in range(N_SITES + 1))])
STOCK_OF = np.full((N_SITES, N_TILES), NOT_IN_BAG)
STOCK_OF[SITE_OF_STOCK, TILE_OF_STOCK] = np.arange(N_STOCKS)

_STARTS = VALUES["starting_fossils"]["tiles"]
N_STARTS = len(_STARTS)
# [starting tile, side]: the tile type of the species
START_TILE = np.array(
    [[FIRST_TILE_OF_SPECIES[SPECIES_IDS.index(side)] for side in tile] for tile in _STARTS]
)

_RULES = VALUES["fossil_rules"]
_COMPLETION = _RULES["completion_guests"]
COMPLETION_GUESTS = np.array([_COMPLETION.get(str(size), 0) for size in range(N_PIECES + 1)])
_BONUS = [_RULES["completion_type_bonus"][name] for name in TYPE_NAMES]
COMPLETION_STUDENTS = np.array([bonus.get("students", 0) for bonus in _BONUS])
COMPLETION_MORE_GUESTS = np.array([bonus.get("guests", 0) for bonus in _BONUS])
COMPLETION_DOLLARS = np.array([bonus.get("dollars", 0) for bonus in _BONUS])
AMBER_SIZE = _RULES["amber_on_completing_size"]
STAND_SIZE = _RULES["stand_on_completing_size"]
N_AMBER = VALUES["supply"]["amber"]
N_STANDS = VALUES["supply"]["fossil_stands"]
END_PRESTIGE = np.array([_RULES["end_prestige"].get(str(size), 0) for size in range(N_PIECES + 1)])
AMBER_PRESTIGE = _RULES["amber_prestige"]
STAND_PRESTIGE = _RULES["stand_prestige"]

# --- museum (1.5, 5.6) ----------------------------------------------------------------------------

_MUSEUM = VALUES["museum"]
ROWS = _MUSEUM["rows"]
COLUMNS = _MUSEUM["columns"]
N_CELLS = ROWS * COLUMNS
BOARD = (1 << N_CELLS) - 1
_SIDES = (_MUSEUM["A"], _MUSEUM["B"])
SHOP_ROW = np.array([[side["shops"].index(name) for name in TYPE_NAMES] for side in _SIDES])
ENTRANCE_COLUMN = np.array(
    [[side["entrances"].index(name) for name in TYPE_NAMES] for side in _SIDES]
)
SPECIAL_CELL = SHOP_ROW * COLUMNS + ENTRANCE_COLUMN
SHOP_DOLLARS = _MUSEUM["shop_dollars_per_matching_piece"]
ENTRANCE_GUESTS = _MUSEUM["entrance_guests_per_matching_piece"]


def _bits(cells):
    """Return the set of some cells as a number."""
    return sum(1 << int(cell) for cell in cells)


def _cells_of(places):
    """Return the set of places given as rows and columns counted from 1."""
    return _bits((row - 1) * COLUMNS + column - 1 for row, column in places)


BIT = np.array([1 << cell for cell in range(64 - 1)])  # [cell, or tile type]: it as a set
ROW_CELLS = np.array([_bits(range(r * COLUMNS, (r + 1) * COLUMNS)) for r in range(ROWS)])
COLUMN_CELLS = np.array([_bits(range(c, N_CELLS, COLUMNS)) for c in range(COLUMNS)])
NEIGHBOURS = np.array(
    [
        _bits(
            other
            for other in range(N_CELLS)
            if abs(other // COLUMNS - cell // COLUMNS) + abs(other % COLUMNS - cell % COLUMNS) == 1
        )
        for cell in range(N_CELLS)
    ]
)
_PEDESTALS = VALUES["fossil_rules"]["pedestal_prestige"]
# [side, pedestal]: its cells; and what it brings
PEDESTAL = np.array(
    [
        [_cells_of(side["pedestal_large"]), *map(_cells_of, side["pedestal_small"])]
        for side in _SIDES
    ]
)
N_PEDESTALS = PEDESTAL.shape[1]
PEDESTAL_PRESTIGE = np.array([_PEDESTALS["large"], *[_PEDESTALS["small"]] * (N_PEDESTALS - 1)])


def _offsets(size, turn):
    """Return where the pieces of a fossil lie after some quarter turns: row and column by piece."""
    places = {}
    for row, pieces in enumerate(_RULES["layout"][str(size)]):
        for column, piece in enumerate(pieces):
            place = row, column
            for _ in range(turn):
                place = place[1], -place[0]  # clockwise, rows going down
            places[piece] = place
    return places


N_TURNS = 4


def _footprints():
    """Return the cells of each piece, and all as a set, for each piece on a cell in each turn."""
    cells = np.full((N_PIECES + 1, N_TURNS, N_PIECES + 1, N_CELLS, N_PIECES), -1)
    sets = np.zeros((N_PIECES + 1, N_TURNS, N_PIECES + 1, N_CELLS), np.int64)
    for size in _RULES["sizes"]:
        for turn in range(N_TURNS):
            at = _offsets(size, turn)
            for piece in range(1, size + 1):
                for cell in range(N_CELLS):
                    places = [
                        (
                            cell // COLUMNS + at[p][0] - at[piece][0],
                            cell % COLUMNS + at[p][1] - at[piece][1],
                        )
                        for p in range(1, size + 1)
                    ]
                    if all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in places):
                        numbers = [r * COLUMNS + c for r, c in places]
                        cells[size, turn, piece, cell, :size] = numbers
                        sets[size, turn, piece, cell] = _bits(numbers)
    return cells, sets


# [size, turn, piece, cell]: the cells of pieces 1, 2, ... where the piece lies on the cell, as a
# list and as a set; -1 and 0 where that is not on the museum
CELLS_OF_FOSSIL, FOOTPRINT = _footprints()
N_FACES = np.array([min(2, size) if size != 2 else 1 for size in range(N_PIECES + 1)])  # 5.5


def _shapes():
    """Describe for each size and turn how a set of free cells yields the places of a piece."""
    height = np.zeros((N_PIECES + 1, N_TURNS), np.int64)
    width = np.zeros((N_PIECES + 1, N_TURNS), np.int64)
    shift = np.zeros((N_PIECES + 1, N_TURNS, N_PIECES + 1), np.int64)
    for size in _RULES["sizes"]:
        for turn in range(N_TURNS):
            at = _offsets(size, turn)
            top = min(row for row, _ in at.values())
            left = min(column for _, column in at.values())
            height[size, turn] = max(row for row, _ in at.values()) - top + 1
            width[size, turn] = max(column for _, column in at.values()) - left + 1
            for piece, (row, column) in at.items():
                shift[size, turn, piece] = (row - top) * COLUMNS + column - left
    return height, width, shift


# [size, turn]: rows and columns of the rectangle; [size, turn, piece]: the piece's cell counted
# from the rectangle's top left cell
HEIGHT, WIDTH, SHIFT = _shapes()
# [width]: cells from which so many columns are to the right, themselves included
ROOM = np.array(
    [
        _bits(cell for cell in range(N_CELLS) if cell % COLUMNS + width <= COLUMNS)
        for width in range(COLUMNS + 1)
    ]
)

# --- player (1.6) ---------------------------------------------------------------------------------

_PLAYER = VALUES["player"]
N_WORKERS = _PLAYER["workers"]
START_WORKERS = _PLAYER["start_workers_on_museum"]
KEPT_AT_START = _PLAYER["start_pieces_kept"]
START_DOLLARS = np.array(_PLAYER["start_dollars_by_turn_order"])
SOLO_DOLLARS = _PLAYER["start_dollars_solo"]
STORAGE = _PLAYER["storage_fields"]
# [tiles in the storage]: students at the income (3.2)
_SYMBOLS = _PLAYER["storage_student_symbols_on_fields"]
MAX_STUDENTS = _PLAYER["student_track_max"]
STUDENTS_OF_STORED = np.array(
    [min(MAX_STUDENTS, sum(f > stored for f in _SYMBOLS)) for stored in range(256)]
)
REGULAR_LIMIT = VALUES["permanent_workers"]["regular_limit"]
MAX_GUESTS = VALUES["guest_track"]["max_guests"]
PRESTIGE_OF_GUESTS = np.array(VALUES["guest_track"]["prestige_by_guests"])
REGULAR_WORTH = np.array(
    [VALUES["supply"]["regular_guest_value"][word] for word in ("small", "medium", "large")]
)

# --- set-up (2) -----------------------------------------------------------------------------------

_SETUP = VALUES["setup"]
SEEDED = _by_players(_SETUP["market_seed_per_site"])
HAND_DRAW = _by_players(_SETUP["hand_draw_per_site"])
N_ROUND_GOALS = _SETUP["round_goals_drawn"]
LIGHT_GOALS = _SETUP["round_goals_light"]
N_GOALS = _SETUP["job_goals_drawn"]
END_GOALS = _by_players(_SETUP["end_goals_drawn"])
SPLIT = np.array(VALUES["job_market"]["split_counts"])
# [number of players, column]: the column may be the one that is not used; all 0: all are used
MAY_BE_UNUSED = np.array(
    [
        [
            [s for s in range(1, N_SITES + 1) if s != site] in _SETUP["use_sites"].get(str(n), [])
            for site in range(1, N_SITES + 1)
        ]
        for n in range(MAX_PLAYERS + 1)
    ]
)

# --- board (1.7, 4) -------------------------------------------------------------------------------


class Row(IntEnum):
    """Rows of the board; the last one is the strip of the last round."""

    DISPLAY = 0
    BUILD = 1
    TRADE = 2
    TOUR = 3
    JOKER = 4
    MANAGE = 5
    STRIP = 6


class Kind(IntEnum):
    """Kinds of fields."""

    SMALL = 0
    LARGE = 1
    BONUS = 2
    OTHER = 3


_ROWS = tuple(VALUES["action_board"]["rows"])
_FIELDS = VALUES["action_board"]["field"]
JOKER = next(f for f, entry in enumerate(_FIELDS) if entry["row"] == "joker")
MANAGEMENT = next(f for f, entry in enumerate(_FIELDS) if entry["row"] == "management")
STRIP = len(_FIELDS)
N_FIELDS = STRIP + 1
ROW_OF_FIELD = np.array([*(_ROWS.index(entry["row"]) for entry in _FIELDS), Row.STRIP])
KIND_OF_FIELD = np.array(
    [
        *(
            {"small": Kind.SMALL, "large": Kind.LARGE, "bonus": Kind.BONUS}.get(
                entry["kind"], Kind.OTHER
            )
            for entry in _FIELDS
        ),
        Kind.OTHER,
    ]
)
_STRIP = VALUES["action_board"]["last_round_strip"]
WORKERS_OF_FIELD = np.array([*(entry["workers"] for entry in _FIELDS), _STRIP["workers"]])
# but the joker's, which depends on the column
COST_OF_FIELD = np.array(
    [*(0 if entry["row"] == "joker" else entry["cost"] for entry in _FIELDS), _STRIP["cost"]]
)


def _effect(key):
    """Return an entry of the effects of all fields, 0 where they have none."""
    return np.array([*(int(entry["effect"].get(key, 0)) for entry in _FIELDS), 0])


USES_OF_FIELD = _effect("display") + _effect("choose") + _effect("tour_lines")  # each has one
DISCOUNT_OF_FIELD = _effect("build_discount_each")
BUYS_OF_FIELD = _effect("buy")
SELLS_OF_FIELD = _effect("sell")
BOTH_OF_FIELD = _effect("both")
JOKER_COST = VALUES["joker"]["cost_base"]
_GAINS = [VALUES["action_board"]["bonus_by_column"][str(site + 1)] for site in range(N_SITES)]
BONUS_STUDENTS = np.array([gain.get("students", 0) for gain in _GAINS])
BONUS_GUESTS = np.array([gain.get("guests", 0) for gain in _GAINS])
BONUS_DOLLARS = np.array([gain.get("dollars", 0) for gain in _GAINS])
BONUS_DRAWS = np.array([gain.get("excavate", {}).get("draw", 0) for gain in _GAINS])
BONUS_SITE = np.array([gain.get("excavate", {}).get("site", 1) - 1 for gain in _GAINS])
_MANAGE = _FIELDS[MANAGEMENT]["effect"]["choose_one"]
MANAGE_DOLLARS = np.array([gain.get("dollars", 0) for gain in _MANAGE])
MANAGE_STUDENTS = np.array([gain.get("students", 0) for gain in _MANAGE])
MANAGE_GUESTS = np.array([gain.get("guests", 0) for gain in _MANAGE])
N_LINES = 2 * N_TYPES  # of a tour: shops, then entrances
_MOST = max(int(WORKERS_OF_FIELD.max()), int(COST_OF_FIELD.max()))
# [workers], [dollars]: sets of the fields that so many suffice for; the last entry is for more
FIELDS_OF_WORKERS = np.array(
    [_bits(np.flatnonzero(n >= WORKERS_OF_FIELD)) for n in range(_MOST + 1)]
)
FIELDS_OF_DOLLARS = np.array([_bits(np.flatnonzero(n >= COST_OF_FIELD)) for n in range(_MOST + 1)])
ENOUGH = _MOST

_KIND_WORDS = ("small", "large", "bonus")


def _neutral(key):
    """Return the fields of neutral groups by place among the columns in use, or by column."""
    groups = []
    for group in VALUES["neutral_workers"].get(key, []):
        column = {"first_used": 0, "second_used": 1}.get(group["column"], group["column"])
        column = column - 1 if isinstance(group["column"], int) else column
        field = 3 * _ROWS.index(group["row"]) + _KIND_WORDS.index(group["kind"])
        groups.append((column, field))
    return groups


_NEUTRAL = [_neutral("solo" if n == SOLO else str(n)) for n in range(MAX_PLAYERS + 1)]
MAX_NEUTRAL = max(1, *map(len, _NEUTRAL))
N_NEUTRAL = np.array([len(groups) for groups in _NEUTRAL])
# [number of players, group]: place of its column among those in use, and its field
NEUTRAL_PLACE = np.zeros((MAX_PLAYERS + 1, MAX_NEUTRAL), np.int64)
NEUTRAL_FIELD = np.zeros((MAX_PLAYERS + 1, MAX_NEUTRAL), np.int64)
for _n, _groups in enumerate(_NEUTRAL):
    for _i, (_column, _field) in enumerate(_groups):
        NEUTRAL_PLACE[_n, _i], NEUTRAL_FIELD[_n, _i] = _column, _field

# --- market (1.8, 9) ------------------------------------------------------------------------------

_MARKET = VALUES["market"]
SLOTS = _MARKET["slots_per_row"]
MIN_PRICE, MAX_PRICE = min(_MARKET["price_track"]), max(_MARKET["price_track"])
START_PRICE = _MARKET["price_start"]
STEP_BOUGHT = 1  # 9.2, 9.3
STEP_SOLD = -1
SURCHARGE = _MARKET["archive_surcharge"]
FILLED = _by_players(_MARKET["fill_per_site"])
FILL_ROUNDS = np.array([r in VALUES["meta"]["market_fill_in_rounds"] for r in range(ROUNDS + 1)])
DRAW_CAP = VALUES["excavation"]["draw_cap"]
MAX_DRAWN = int(
    max(
        DRAW_CAP,
        MAX_STUDENTS,
        *BONUS_DRAWS,
        *(HAND_DRAW[n] * (N_SITES - MAY_BE_UNUSED[n].any()) for n in range(1, MAX_PLAYERS + 1)),
    )
)

# --- panels (7) -----------------------------------------------------------------------------------

_PANELS = [panel[side] for panel in VALUES["info_panel"] for side in "ab"]
N_PANELS = len(_PANELS)
N_PANEL_TILES = N_PANELS // 2
PANEL_NAMES = [panel["name"] for panel in _PANELS]
PANEL_COST = np.array([panel["cost"] for panel in _PANELS])


class Per(IntEnum):
    """For what a panel pays."""

    ONCE = 0
    ADJACENT = 1
    COLUMN = 2
    ROW = 3


_PER = {
    "once": Per.ONCE,
    "adjacent_complete_fossil": Per.ADJACENT,
    "complete_column": Per.COLUMN,
    "complete_row": Per.ROW,
}


def _pays(when, gain):
    """Return for each panel what it pays of a kind at a time, by what it pays for."""
    amounts = np.zeros((N_PANELS, len(Per)), np.int64)
    for p, panel in enumerate(_PANELS):
        for effect in panel["effects"]:
            if (effect["when"], effect["gain"]) == (when, gain):
                amounts[p, _PER[effect["per"]]] += effect["amount"]
    return amounts


# [panel, Per]
INCOME_DOLLARS = _pays("income", "dollars")
INCOME_GUESTS = _pays("income", "guests")
INCOME_STUDENTS = _pays("income", "students")
END_PANEL = _pays("end", "prestige")
# [panel]
TOUR_DOLLARS = _pays("tour", "dollars")[:, Per.ONCE].copy()
TOUR_GUESTS = _pays("tour", "guests")[:, Per.ONCE].copy()
BUILT_REGULAR = sum(
    _pays("build", f"regular_{word}")[:, Per.ONCE].copy() * REGULAR_WORTH[i]
    for i, word in enumerate(("small", "medium", "large"))
)
BUILT_SEARCH = _pays("build", "search_to_storage")[:, Per.ONCE].copy() > 0

# --- goals (10.5, 11.3, 14.2) ---------------------------------------------------------------------


class Job(IntEnum):
    """What job goals look at."""

    DONATION = 0
    JOKER = 1
    COLUMN = 2
    ROW = 3
    GUESTS = 4
    DISPLAYED = 5
    TOUR_DOLLARS = 6
    TOUR_GUESTS = 7


_JOBS = {
    "donate_prestige": Job.DONATION,
    "joker": Job.JOKER,
    "new_column": Job.COLUMN,
    "new_row": Job.ROW,
    "guests": Job.GUESTS,
    "displayed": Job.DISPLAYED,
    "tour_dollars": Job.TOUR_DOLLARS,
    "tour_guests": Job.TOUR_GUESTS,
}
_JOB_GOALS = [goal[side] for goal in VALUES["job_goal"] for side in "ab"]
N_JOB_TILES = len(VALUES["job_goal"])
JOB_OF_GOAL = np.array([_JOBS[goal["metric"]] for goal in _JOB_GOALS])
AT_OF_GOAL = np.array([goal["at"] for goal in _JOB_GOALS])


class Metric(IntEnum):
    """What round goals and end goals count (11.4, 14.2)."""

    COMPLETE_FOSSILS = 0
    FOSSILS_BEST_TYPE = 1
    PIECES_IN_LARGEST_FOSSIL = 2
    SIZE_OF_LARGEST_COMPLETE_FOSSIL = 3
    PANELS = 4
    SIZE1_FOSSILS = 5
    SIZE2_FOSSILS = 6
    COMPLETE_SIZE2_FOSSILS = 7
    TYPE_SETS = 8
    COMPLETE_TYPE_SETS = 9
    PIECES_PLUS_PANELS = 10
    PIECES_OF_3_LARGEST_COMPLETE_FOSSILS = 11
    LARGEST_CONNECTED_AREA_BEST_TYPE = 12


_ROUND_GOALS = [goal[side] for goal in VALUES["round_goal"] for side in ("light", "dark")]
N_ROUND_TILES = len(VALUES["round_goal"])
METRIC_OF_ROUND_GOAL = np.array([Metric[goal["metric"].upper()] for goal in _ROUND_GOALS])
AT_OF_ROUND_GOAL = np.array([goal["at"] for goal in _ROUND_GOALS])  # [tile * 2 + dark, condition]
N_END_TILES = len(VALUES["end_goal"])
METRIC_OF_END_GOAL = np.array(
    [Metric[goal[side]["metric"].upper()] for goal in VALUES["end_goal"] for side in "ab"]
)
MAJORITIES = np.array(VALUES["majorities"]["prestige"])

# --- Pal (docs/games/fossilium_solo.md) -----------------------------------------------------------

_SOLO = VALUES["solo"]
_DIFFICULTY = {entry["id"]: entry for entry in VALUES["difficulty"]}
# [0, or 1 with more_turns; round]
PAL_TURNS = np.array([[0, *_SOLO["pal_turns"]], [0, *_DIFFICULTY["more_turns"]["pal_turns"]]])
PAL_CUBES = _SOLO["pal_cubes"]
PAL_WORKERS = _SOLO["pal_workers"]
N_EXHIBITS = _SOLO["fossil_deck"]
OPEN_AT_START = _SOLO["fossil_open_at_start"]
OPEN_PER_ROUND = _SOLO["fossil_open_per_round_from_2"]
BANDS = [(band["min"], band["rank"]) for band in _SOLO["score_bands"]]


class Act(IntEnum):
    """Actions of Pal's cards."""

    DISPLAY = 0
    TOUR = 1
    DONATE = 2
    TRADE = 3


_ACTS = {
    "display": Act.DISPLAY,
    "give_tour": Act.TOUR,
    "donate": Act.DONATE,
    "buy_sell": Act.TRADE,
}
_CARDS = VALUES["pal_action"]
N_CARDS = len(_CARDS)
CARD_IDS = [card["id"] for card in _CARDS]
ACT_OF_CARD = np.array([_ACTS[card["action"]] for card in _CARDS])
IS_B = np.array([card["deck"] == "B" for card in _CARDS])
GOES_LEFT = np.array([card["arrow"] == "left" for card in _CARDS])
CARD_GUESTS = np.array([card.get("guests", 0) for card in _CARDS])
CARD_DOLLARS = np.array([card.get("dollars", 0) for card in _CARDS])
# [card, position from 1]: the tile there leaves the game
CARD_REMOVES = np.array(
    [[p in card.get("remove_positions_each_row", []) for p in range(SLOTS + 1)] for card in _CARDS]
)
CARD_DRAWS = np.array([card.get("draw_per_site", 0) for card in _CARDS])
ROW_OF_ACT = np.array([Row.DISPLAY, Row.TOUR, Row.BUILD, Row.TRADE])
CARDS_DRAWN = np.array([_SOLO["draw_actions"][name] for name in _ACTS])  # by Act
EXTRA_CARDS = _DIFFICULTY["more_turns"]["extra_action_cards"]
MIN_B = _DIFFICULTY["more_b"]["min_b_cards"]
MAX_DECK = int(CARDS_DRAWN.sum()) + EXTRA_CARDS
HIGH_GOALS = np.array([tile - 1 for tile in _DIFFICULTY["high_goals"]["round_goal_pool"]])
DARK_LIGHT_GOALS = _DIFFICULTY["dark_goals"]["light_round_goals"]
JOB_WORKERS_LOST = _DIFFICULTY["lose_job_workers"]["remove_own_job_market_workers_per_round_end"]

# fossil cards: species of more than one piece
SPECIES_OF_FOSSIL_CARD = np.flatnonzero(SIZE_OF_SPECIES > 1)
N_FOSSIL_CARDS = len(SPECIES_OF_FOSSIL_CARD)
FOSSIL_CARD_OF_SPECIES = np.full(N_SPECIES, -1)
FOSSIL_CARD_OF_SPECIES[SPECIES_OF_FOSSIL_CARD] = np.arange(N_FOSSIL_CARDS)
_FOSSIL_CARDS = [VALUES["pal_fossil"][SPECIES_IDS[s]] for s in SPECIES_OF_FOSSIL_CARD]
SITE_OF_FOSSIL_CARD = np.array([card["site"] - 1 for card in _FOSSIL_CARDS])  # -1: several sites
DEPICTED = np.array([sum(1 << p - 1 for p in card["depicted"]) for card in _FOSSIL_CARDS])
SIZE_OF_FOSSIL_CARD = SIZE_OF_SPECIES[SPECIES_OF_FOSSIL_CARD]
ALL_PIECES = (1 << SIZE_OF_FOSSIL_CARD) - 1


# --- decisions (15.2) -----------------------------------------------------------------------------


def _most_decisions():
    """Bound the decisions of one player, without the choice of a column."""
    pieces = int(max(USES_OF_FIELD[ROW_OF_FIELD == Row.DISPLAY]))
    builds = int(max(USES_OF_FIELD[ROW_OF_FIELD == Row.BUILD]))
    trades = int(max(BUYS_OF_FIELD + SELLS_OF_FIELD))
    lines = int(max(USES_OF_FIELD[ROW_OF_FIELD == Row.TOUR]))
    longest = max(3 * pieces, 4 * builds, trades, lines, 4)
    turns = N_WORKERS * ROUNDS
    excavations = (ROUNDS - 1) * 2 * N_WORKERS
    return 3 + KEPT_AT_START + (5 + longest) * turns + excavations + N_WORKERS - START_WORKERS


PLAYER_DECISIONS = _most_decisions()
MAX_DECISIONS = max(MAX_PLAYERS * PLAYER_DECISIONS, 2 * PLAYER_DECISIONS + 1)
SOLO_MAX_DECISIONS = PLAYER_DECISIONS + 1 + (ROUNDS - 1) * JOB_WORKERS_LOST + 4 * MAX_DECK
