"""What the component sheet of Digging for Dinos says, the boards to choose from, and tables."""

import numpy as np

from .. import sheet

N_TOKENS = 2  # the sheet allows no other number
N_ERAS = 3  # the sheet allows no other number
SIDES = ("orthogonal", "diagonal")
SHEET = sheet.load(
    "digging_for_dinos",
    {
        "game": sheet.one_of("digging_for_dinos"),
        "rules_version": sheet.name(),
        "players": {"min": sheet.whole(2, 8), "max": sheet.whole(2, 8)},
        "tokens_per_player": sheet.one_of(N_TOKENS),
        "token_sides": sheet.one_of(list(SIDES)),
        "eras": sheet.one_of(N_ERAS),
        "dinosaurs_to_trigger_end": sheet.whole(1, 100),
        "board": {"rows": sheet.whole(2, 7), "cols": sheet.whole(2, 7)},
        "copies_per_tile": sheet.whole(1, 9),
        "era_tiles": sheet.list_of(sheet.whole(1, 1000), N_ERAS, N_ERAS),
        "start_sides": sheet.list_of(sheet.one_of(*SIDES), N_TOKENS, N_TOKENS),
        "placement": sheet.one_of("snake_any_open_tile"),
        "move_steps": sheet.one_of("next_open_tile_in_direction"),
        "forced_move": sheet.one_of("any_open_tile_if_neither_token_can_move"),
        "holes_block": sheet.one_of(False),
        "flip_after_forced_move": sheet.one_of(True),
        "ability_timing": sheet.one_of("after_collect_before_replace"),
        "collect_under_tokens_at_end": sheet.one_of(True),
        "tie_break": sheet.one_of("completed_values_desc_lexicographic"),
        "species": sheet.tables(
            {
                "name": sheet.name(),
                "era": sheet.whole(1, N_ERAS),
                "left": sheet.list_of(sheet.whole(0, 20), 1, 8),
                "right": sheet.whole(0, 200),
                "ability": sheet.optional(sheet.one_of("flip_own_token")),
            },
            N_ERAS,
            24,
        ),
    },
)
_PARTS = SHEET.values
_SPECIES = _PARTS["species"]
_OWN_SIZE = _PARTS["board"]["rows"], _PARTS["board"]["cols"]
_OWN_COPIES = _PARTS["copies_per_tile"]

MIN_PLAYERS = _PARTS["players"]["min"]
MAX_PLAYERS = _PARTS["players"]["max"]
DINOSAURS_TO_END = _PARTS["dinosaurs_to_trigger_end"]
NAMES = tuple(species["name"] for species in _SPECIES)
N_SPECIES = len(_SPECIES)
N_KINDS = sum(len(species["left"]) for species in _SPECIES)  # a kind: a species and a position


def _fits(spaces, copies):
    """Tell whether there are tiles to draw, and always an open tile (1.4)."""
    return N_KINDS * copies > spaces > N_TOKENS * MAX_PLAYERS + MAX_PLAYERS - 1


def _check_sheet():
    """Check what the values of the sheet have to do with one another."""
    expect = SHEET.expect
    expect(MIN_PLAYERS <= MAX_PLAYERS, "players.max", f"at least players.min = {MIN_PLAYERS}")
    expect(len(set(NAMES)) == N_SPECIES, "species", "names that differ")
    expect(N_KINDS <= 63, "species", f"at most 63 positions of all species, not {N_KINDS}")
    eras = [species["era"] for species in _SPECIES]
    expect(
        eras == sorted(eras) and set(eras) == set(range(1, N_ERAS + 1)),
        "species",
        "species in the order of their eras, with one of each era at least",
    )
    for i, species in enumerate(_SPECIES):
        total = sum(species["left"])
        expect(
            species["right"] >= total, f"species.{i}.right", f"at least the sum of left = {total}"
        )
    wanted = [
        _OWN_COPIES * sum(len(s["left"]) for s in _SPECIES if s["era"] == era + 1)
        for era in range(N_ERAS)
    ]
    expect(
        _PARTS["era_tiles"] == wanted,
        "era_tiles",
        f"copies_per_tile for each position of an era's species = {wanted}",
    )
    spaces = _OWN_SIZE[0] * _OWN_SIZE[1]
    expect(
        _fits(spaces, 10**6),
        "board.rows",
        f"a board of more spaces than {MAX_PLAYERS} players have tokens and can leave holes, "
        f"{N_TOKENS * MAX_PLAYERS + MAX_PLAYERS - 1}",
    )
    expect(
        _fits(spaces, _OWN_COPIES),
        "copies_per_tile",
        f"more tiles than the {spaces} spaces of the board, not {N_KINDS * _OWN_COPIES}",
    )


_check_sheet()

# What the options offer besides the sheet's own: whatever fits together (1.4).
COPIES = tuple(
    sorted({_OWN_COPIES} | {n for n in (1, 2, 3) if _fits(_OWN_SIZE[0] * _OWN_SIZE[1], n)})
)
_SIZES = {_OWN_SIZE} | {
    size for size in ((3, 4), (4, 4), (5, 5)) if all(_fits(size[0] * size[1], n) for n in COPIES)
}
SIZES = tuple(sorted(_SIZES, key=lambda size: (size[0] * size[1], size)))
BOARDS = tuple(f"{rows}x{cols}" for rows, cols in SIZES)
OWN_BOARD = f"{_OWN_SIZE[0]}x{_OWN_SIZE[1]}"
OWN_COPIES = _OWN_COPIES
MAX_COPIES = max(COPIES)
ROWS = max(rows for rows, _ in SIZES)
COLS = max(cols for _, cols in SIZES)
N_SPACES = ROWS * COLS
ROWS_OF_BOARD = np.array([rows for rows, _ in SIZES])
COLS_OF_BOARD = np.array([cols for _, cols in SIZES])

_KINDS = [(s, p) for s, species in enumerate(_SPECIES) for p in range(len(species["left"]))]
SPECIES_OF_KIND = np.array([s for s, _ in _KINDS])
POSITION_OF_KIND = np.array([p for _, p in _KINDS])
LEFT_OF_KIND = np.array([_SPECIES[s]["left"][p] for s, p in _KINDS])
LENGTH_OF_SPECIES = np.array([len(species["left"]) for species in _SPECIES])
N_POSITIONS = int(LENGTH_OF_SPECIES.max())
# The kinds of a species, and those of an era, lie between two entries that follow one another.
FIRST_KIND = np.append(0, np.cumsum(LENGTH_OF_SPECIES))
RIGHT_OF_SPECIES = np.array([species["right"] for species in _SPECIES])
LEFT_OF_SPECIES = np.array([sum(species["left"]) for species in _SPECIES])
ERA_OF_SPECIES = np.array([species["era"] - 1 for species in _SPECIES])
ABILITY_OF_SPECIES = np.array([int("ability" in species) for species in _SPECIES])
FIRST_KIND_OF_ERA = np.array(
    [sum(int(ERA_OF_SPECIES[s] < era) for s, _ in _KINDS) for era in range(N_ERAS + 1)]
)
START_SIDES = np.array([SIDES.index(side) for side in _PARTS["start_sides"]])

# Values of dinosaurs from the highest down, and the place of each species' value (6.6).
_VALUES = sorted(set(RIGHT_OF_SPECIES.tolist()), reverse=True)
N_VALUES = len(_VALUES)
VALUE_OF_SPECIES = np.array([_VALUES.index(right) for right in RIGHT_OF_SPECIES.tolist()])

# Directions of the two sides in the order of the actions (3.2): row = side * 4 + direction.
N_DIRECTIONS = 4
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))
STEP = np.array([down * COLS + right for down, right in _STEPS])
# RAY[row, space]: the spaces in a direction as bits. What is not open is passed over (3.3), and
# beyond a smaller board nothing is, so that its edge costs no rule of its own.
RAY = np.zeros((len(_STEPS), N_SPACES), np.int64)
for _i, (_down, _right) in enumerate(_STEPS):
    for _space in range(N_SPACES):
        _row, _col = _space // COLS + _down, _space % COLS + _right
        while 0 <= _row < ROWS and 0 <= _col < COLS:
            RAY[_i, _space] |= 1 << _row * COLS + _col
            _row, _col = _row + _down, _col + _right
