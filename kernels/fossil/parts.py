"""What the component sheet of Fossil says: numbers, names and the two set-ups."""

from itertools import product

import numpy as np

from .. import sheet

_SETUP = {
    "players": sheet.list_of(sheet.whole(2, 8), 1, 7),
    "rows": sheet.whole(1, 12),
    "cols": sheet.whole(1, 12),
    "fossils_used": sheet.whole(1, 12),
    "tile_values": sheet.list_of(sheet.whole(1, 9), 1, 12),
    "tiles_laid": sheet.whole(3, 144),
    "tiles_unused": sheet.whole(0, 144),
}
SHEET = sheet.load(
    "fossil",
    {
        "game": sheet.one_of("fossil_palesch"),
        "players": {"min": sheet.whole(2, 8), "max": sheet.whole(2, 8)},
        "start_score": sheet.whole(0, 1000),
        "stones": sheet.one_of(2),
        "fossils": sheet.list_of(sheet.name(), 1, 12),
        "tile_values": sheet.list_of(sheet.whole(1, 9), 1, 12),
        "cost_per_tile_passed": sheet.whole(0, 100),
        "cost_landing_tile": sheet.whole(0, 100),
        "cost_per_empty_space": sheet.whole(0, 100),
        "stone_blocks_stone": sheet.one_of(True),
        "must_end_on_tile": sheet.one_of(True),
        "pass_allowed_if_affordable": sheet.one_of(False),
        "exchange_optional": sheet.one_of(True, False),
        "exchange_equal_value": sheet.one_of(True),
        "exchange_in_final_scoring": sheet.one_of(False),
        "penalty_full_entitlement": sheet.one_of(True, False),
        "tie_split": sheet.one_of("floor(total_entitlement / tied)"),
        "end_when": sheet.one_of(["no_reachable_tile", "all_players_unable_to_pay_in_a_row"]),
        "final_scoring_order": sheet.one_of("fossil_index"),
        "winner_tie": sheet.one_of("shared"),
        "stones_placed_by": sheet.one_of("last_seat"),
        "setup": {"large": _SETUP, "small": _SETUP},
        "variant": {
            "tactical": {
                "enabled": sheet.one_of(True, False),
                "multiply": sheet.one_of("highest_scoring_only"),
            }
        },
    },
)
_PARTS = SHEET.values
_LARGE, _SMALL = _PARTS["setup"]["large"], _PARTS["setup"]["small"]

FOSSILS = tuple(_PARTS["fossils"])
N_FOSSILS = len(FOSSILS)
N_VALUES = max(_PARTS["tile_values"])
N_KINDS = N_FOSSILS * N_VALUES  # kind = fossil * N_VALUES + value - 1
N_STONES = 2  # the sheet allows no other number
MIN_PLAYERS = _PARTS["players"]["min"]
MAX_PLAYERS = _PARTS["players"]["max"]
START_SCORE = _PARTS["start_score"]
COST_PASSED = _PARTS["cost_per_tile_passed"]
COST_LANDING = _PARTS["cost_landing_tile"]
COST_EMPTY = _PARTS["cost_per_empty_space"]
EXCHANGE_OPTIONAL = _PARTS["exchange_optional"]
FULL_ENTITLEMENT = _PARTS["penalty_full_entitlement"]
ROWS = max(_LARGE["rows"], _SMALL["rows"])
COLS = max(_LARGE["cols"], _SMALL["cols"])
N_CELLS = ROWS * COLS
SIDE = max(ROWS, COLS)
N_TILES = SIDE - 1  # most tiles on a ray


def _check_sheet():
    """Check what the values of the sheet have to do with one another."""
    SHEET.expect(MIN_PLAYERS <= MAX_PLAYERS, "players.max", f"at least players.min = {MIN_PLAYERS}")
    most = 63 // N_VALUES  # the kinds in front of a seat are the bits of an int64
    SHEET.expect(most >= N_FOSSILS, "fossils", f"at most {most} with tiles of value {N_VALUES}")
    SHEET.expect(len(set(FOSSILS)) == N_FOSSILS, "fossils", "names that differ")
    players = sorted(_LARGE["players"] + _SMALL["players"])
    SHEET.expect(
        players == list(range(MIN_PLAYERS, MAX_PLAYERS + 1)),
        "setup.large.players",
        "each number of players in exactly one of setup.large and setup.small",
    )
    SHEET.expect(
        N_CELLS <= 127,  # a space's number is an int8
        "setup.large.rows",
        f"most rows times most columns of the two set-ups at most 127, not {N_CELLS}",
    )
    for key, setup in (("setup.large", _LARGE), ("setup.small", _SMALL)):
        laid, bag = setup["tiles_laid"], setup["fossils_used"] * len(setup["tile_values"])
        area = setup["rows"] * setup["cols"]
        SHEET.expect(
            setup["fossils_used"] <= N_FOSSILS, f"{key}.fossils_used", f"at most {N_FOSSILS}"
        )
        SHEET.expect(laid == area, f"{key}.tiles_laid", f"rows * cols = {area}")
        SHEET.expect(
            laid + setup["tiles_unused"] == bag,
            f"{key}.tiles_unused",
            f"fossils_used * number of tile_values - tiles_laid = {bag - laid}",
        )
        SHEET.expect(
            bag <= N_CELLS, f"{key}.fossils_used", f"at most {N_CELLS} tiles before laying out"
        )
        rest = list(_PARTS["tile_values"])
        for value_of_tile in setup["tile_values"]:
            fits = value_of_tile in rest
            SHEET.expect(fits, f"{key}.tile_values", f"values from {_PARTS['tile_values']}")
            rest.remove(value_of_tile)
        SHEET.expect(
            _ties_agree(setup["tile_values"]),
            f"{key}.tile_values",
            "values for which two players who are best together have equally many tiles (5.2)",
        )


def _ties_agree(values):
    """Tell whether two players' tiles of one fossil are worth the same only if as many (5.2)."""
    kinds = sorted(set(values))
    held = list(product(*(range(values.count(kind) + 1) for kind in kinds)))
    worth = {tiles: sum(tiles) * int(np.dot(tiles, kinds)) for tiles in held}
    copies = [values.count(kind) for kind in kinds]
    return not any(
        worth[mine] == worth[theirs] > 0
        and sum(mine) != sum(theirs)
        and all(a + b <= n for a, b, n in zip(mine, theirs, copies, strict=True))
        for mine in held
        for theirs in held
    )


_check_sheet()

# Row 0 is the large set-up, row 1 the small one.
SETUPS = (_LARGE, _SMALL)
SETUP_ROWS = np.array([setup["rows"] for setup in SETUPS])
SETUP_COLS = np.array([setup["cols"] for setup in SETUPS])
SETUP_FOSSILS = np.array([setup["fossils_used"] for setup in SETUPS])
SETUP_COPIES = np.array(  # tiles of each value in one fossil
    [[setup["tile_values"].count(v + 1) for v in range(N_VALUES)] for setup in SETUPS]
)
SETUP_SIZE = np.array([len(setup["tile_values"]) for setup in SETUPS])
SETUP_OF_PLAYERS = np.array([int(n in _SMALL["players"]) for n in range(MAX_PLAYERS + 1)])

MAX_PRODUCT = sum(_PARTS["tile_values"]) * len(_PARTS["tile_values"])  # 5.1 for a whole fossil
N_COPIES = len(_PARTS["tile_values"])  # tiles of a fossil
COPIES_OF_VALUE = np.array([max(1, _PARTS["tile_values"].count(v + 1)) for v in range(N_VALUES)])
KINDS = np.arange(N_KINDS)
KINDS_OF_VALUE = np.array(
    [sum(1 << k for k in KINDS.tolist() if k % N_VALUES == v) for v in range(N_VALUES)]
)
KINDS_OF_FOSSIL = np.array(
    [sum(1 << k for k in KINDS.tolist() if k // N_VALUES == f) for f in range(N_FOSSILS)]
)
