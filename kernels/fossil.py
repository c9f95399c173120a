"""Fossil by Klaus Palesch: the rules of docs/games/fossil.md, compiled.

Spaces are numbered row by row from the top left corner; the smaller board is the top left corner of
the larger one, and the spaces beyond it are empty for ever, which costs no rule of its own because
empty spaces may be passed:

     0  1  2  3  4  5  6  7  8
     9 10 11 ...
    18 ...
"""

from enum import IntEnum
from itertools import product

import numpy as np

from . import rng, rules, sheet
from .jit import index, kernel

# --- the component sheet ----------------------------------------------------------------------

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
_BOTH = (_LARGE, _SMALL)
SETUP_ROWS = np.array([setup["rows"] for setup in _BOTH])
SETUP_COLS = np.array([setup["cols"] for setup in _BOTH])
SETUP_FOSSILS = np.array([setup["fossils_used"] for setup in _BOTH])
SETUP_COPIES = np.array(  # tiles of each value in one fossil
    [[setup["tile_values"].count(v + 1) for v in range(N_VALUES)] for setup in _BOTH]
)
SETUP_SIZE = np.array([len(setup["tile_values"]) for setup in _BOTH])
SETUP_OF_PLAYERS = np.array([int(n in _SMALL["players"]) for n in range(MAX_PLAYERS + 1)])

# --- actions ----------------------------------------------------------------------------------

ACTIONS = rules.ActionTable(
    # put the next stone on a space (2.3)
    place={"cell": N_CELLS},
    # move a stone up, right, down or left; `tiles` are passed over, 0 takes the nearest (3.1)
    move={"stone": N_STONES, "direction": 4, "tiles": N_TILES},
    # make no exchange (4.3)
    keep={},
    # give an own tile, of value `value` + 1 (4.3)
    give={"fossil": N_FOSSILS, "value": N_VALUES},
    # take a tile of the same value from another player, 0 for the next seat (4.3)
    take={"opponent": MAX_PLAYERS - 1, "fossil": N_FOSSILS},
)
PLACE = ACTIONS.offset("place")
MOVE = ACTIONS.offset("move")
KEEP = ACTIONS.offset("keep")
GIVE = ACTIONS.offset("give")
TAKE = ACTIONS.offset("take")
NO_ACTION = -1
SEVERAL = -2


class Direction(IntEnum):
    """Directions of a move."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3


N_RAYS = N_STONES * 4  # ray = stone * 4 + direction

# A line is a row or a column as a bit mask of its tiles; what a stone reaches on it is one AND.
# OPEN_TO[0 or 1, i, other]: the bits below or above i, up to a stone at `other` (SIDE: elsewhere)
OPEN_TO = np.zeros((2, SIDE, SIDE + 1), np.uint16)
# NTH_BIT[0 or 1, mask, n]: the n-th bit of a mask, counted downwards or upwards
NTH_BIT = np.zeros((2, 1 << SIDE, SIDE), np.uint8)
N_BITS = np.array([mask.bit_count() for mask in range(1 << SIDE)], np.uint8)
for _i in range(SIDE):
    for _other in range(SIDE + 1):
        OPEN_TO[0, _i, _other] = sum(1 << j for j in range(_other + 1 if _other < _i else 0, _i))
        OPEN_TO[1, _i, _other] = sum(1 << j for j in range(_i + 1, _other if _other > _i else SIDE))
for _mask in range(1 << SIDE):
    _bits = [i for i in range(SIDE) if _mask >> i & 1]
    NTH_BIT[0, _mask, : len(_bits)] = _bits[::-1]
    NTH_BIT[1, _mask, : len(_bits)] = _bits

# REACH[points, mask]: tiles of a ray that points pay for where empty spaces are free (3.4, 3.5)
MOST_POINTS = COST_LANDING + COST_PASSED * (N_TILES - 1)  # enough for any of them
REACH = np.minimum(
    [
        [sum(COST_LANDING + COST_PASSED * passed <= points for passed in range(N_TILES))]
        for points in range(MOST_POINTS + 1)
    ],
    N_BITS,
).astype(np.uint8)

# --- state ------------------------------------------------------------------------------------


class Stream(IntEnum):
    """Sources of chance."""

    FOSSILS = 0  # which fossils a small game uses (1.3)
    LAYOUT = 1  # the shuffle (2.1)


class Phase(IntEnum):
    """What the player to move decides."""

    PLACE = 0  # a stone's first space (2.3)
    MOVE = 1  # a stone's move (3.1)
    GIVE = 2  # whether to exchange, and which tile to give (4.3)
    TAKE = 3  # which tile to take (4.3)
    OVER = 4


class SetUp(IntEnum):
    """The option that chooses the board (1.4)."""

    AUTO = 0
    LARGE = 1
    SMALL = 2


NO_TILE = -1
NO_CELL = -1
NO_KIND = -1
NO_FOSSIL = -1

STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), MAX_PLAYERS),
            # follow from the fields below (`derive`), kept up to date for speed:
            ("kinds", "i8", (MAX_PLAYERS,)),  # bit k: the seat holds a tile of kind k
            ("line", "u2", (2, SIDE)),  # tiles as bits: of column i by rows, of row i by columns
            ("ray", "u2", (N_RAYS,)),  # bits of the line that the stone reaches (3.2)
            ("count", "u1", (MAX_PLAYERS, N_FOSSILS)),  # tiles of a fossil in front of a seat
            ("total", "u1", (MAX_PLAYERS, N_FOSSILS)),  # sum of their values
            # the game:
            ("tile", "i1", (N_CELLS,)),  # kind on each space, or NO_TILE
            ("stone", "i1", (N_STONES,)),  # space of each stone, or NO_CELL
            ("held", "u1", (MAX_PLAYERS, N_KINDS)),  # tiles of each kind in front of each seat
            ("left", "u1", (N_FOSSILS,)),  # tiles of each fossil on the board
            ("given", "i1"),  # kind given in the exchange under way, or NO_KIND
            ("completed", "i1"),  # fossil to be scored after the exchange, or NO_FOSSIL
            ("tactical", "i1"),
            ("setup", "i1"),
        ]
    )
)

OPTIONS = (
    rules.Option(
        "num_players", tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), MIN_PLAYERS, "number of players"
    ),
    rules.Option(
        "tactical",
        (False, True),
        _PARTS["variant"]["tactical"]["enabled"],
        "only the best of a fossil multiply (6.1)",
    ),
    rules.Option(
        "setup", ("auto", "large", "small"), "auto", "board: by number of players, or forced (1.4)"
    ),
)

MAX_DECISIONS = max(  # 8.2
    N_STONES + setup["tiles_laid"] + 2 * setup["fossils_used"] for setup in _BOTH
)

# --- observation ------------------------------------------------------------------------------

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
FOSSIL_OF_KIND = np.append(KINDS // N_VALUES, 0).astype(
    np.uint8
)  # the last entry is for a space without a tile
SHARE_OF_KIND = np.append((KINDS % N_VALUES + 1) / N_VALUES, 0).astype(np.float32)
SHARE_OF_FOSSIL = (np.arange(N_COPIES + 1) / N_COPIES).astype(np.float32)
SCORE_SCALE = 200.0  # points from which `score` stays at 1
GROWTH_SCALE = 40.0  # a tile adds at most 37 points by 5.1: 13 x 9 - 10 x 8
SHARE_OF_COPIES = (np.arange(N_COPIES + 1) / COPIES_OF_VALUE[:, None]).astype(np.float32)
SHARE_OF_PRODUCT = (np.arange(MAX_PRODUCT + 1) / MAX_PRODUCT).astype(np.float32)
SHARE_OF_GROWTH = np.minimum(np.arange(MAX_PRODUCT + 1) / GROWTH_SCALE, 1.0).astype(np.float32)

OBS = rules.record(
    [
        ("phase", "f4", (len(Phase),)),  # one-hot: place, move, give, take, over
        ("turn", "f4", (MAX_PLAYERS,)),  # one-hot: whose decision
        ("seat", "f4", (MAX_PLAYERS,)),  # 1 for the seats in the game
        ("score", "f4", (MAX_PLAYERS,)),  # points / 200, at most 1
        # points / 8 (most tiles on a ray), at most 1: what a move may cost
        ("purse", "f4", (MAX_PLAYERS,)),
        ("held", "f4", (MAX_PLAYERS, N_FOSSILS, N_VALUES)),  # share of the kind's tiles
        ("product", "f4", (MAX_PLAYERS, N_FOSSILS)),  # 5.1 for the tiles held now, / 117
        ("left", "f4", (N_FOSSILS,)),  # tiles on the board / 9
        ("tile", "f4", (N_FOSSILS, N_CELLS)),  # value / 3 where a tile of the fossil lies
        ("stone", "f4", (N_STONES, N_CELLS)),  # one-hot: the space of each stone
        # what each move would take, whoever moves: value / 3, own and most of another's tiles of
        # the fossil / 9, its tiles left on the board / 9, growth of the own product / 40
        ("reach", "f4", (N_STONES, 4, N_TILES, 5)),
        ("given", "f4", (N_KINDS,)),  # one-hot: the tile given in the exchange under way
        ("completed", "f4", (N_FOSSILS,)),  # one-hot: the fossil to be scored after the exchange
        ("tactical", "f4", (1,)),  # 1 with the tactical variant (6.1)
    ]
)

# --- rules ------------------------------------------------------------------------------------


@kernel
def reset(state, options, seed):
    """Lay out the tiles and give everybody their points.

    Rules 1.2 to 2.4.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws from FOSSILS once for each fossil where not all are used, and from LAYOUT once for each
    tile laid.
    """
    state.seed = seed
    state.draws[:] = 0
    state.num_players = options.num_players
    state.tactical = options.tactical
    state.setup = options.setup
    state.score[:] = 0
    state.score[: options.num_players] = START_SCORE
    state.gain[:] = 0
    state.ply = 0
    state.to_play = options.num_players - 1  # 2.3
    state.phase = Phase.PLACE.value
    state.done = 0
    state.stone[:] = NO_CELL
    state.left[:] = 0
    state.kinds[:] = 0
    state.count[:] = 0
    state.total[:] = 0
    state.held[:] = 0
    state.ray[:] = 0
    state.given = NO_KIND
    state.completed = NO_FOSSIL
    state.spare[:] = 0  # equality of states is equality of bytes
    if options.setup == SetUp.AUTO.value:
        _lay_out(state, SETUP_OF_PLAYERS[options.num_players])
    else:
        _lay_out(state, options.setup - 1)


@kernel
def _lay_out(state, board):
    """Choose the fossils, shuffle and lay out their tiles; `board`: row of the SETUP tables."""
    bag = _fill_bag(state, board)  # in the first entries of `tile`
    rows, cols = SETUP_ROWS[board], SETUP_COLS[board]
    laid = rows * cols
    seed = state.seed
    for i in range(laid):  # draws by number: the stream's key is then computed once
        j = i + rng.below(seed, Stream.LAYOUT.value, i, bag - i)
        state.tile[i], state.tile[j] = state.tile[j], state.tile[i]
    state.draws[Stream.LAYOUT.value] = laid
    for i in range(laid, N_CELLS):
        if i < bag:  # one of those that leave the game
            state.left[state.tile[i] // N_VALUES] -= 1
        state.tile[i] = NO_TILE
    for row in range(rows - 1, -1, -1):  # backwards: a space's number is never below its index
        for col in range(cols - 1, -1, -1):
            kind = state.tile[row * cols + col]
            state.tile[row * cols + col] = NO_TILE
            state.tile[row * COLS + col] = kind
    for i in range(SIDE):
        state.line[0, i] = (1 << rows) - 1 if i < cols else 0
        state.line[1, i] = (1 << cols) - 1 if i < rows else 0


@kernel
def derive(state):
    """Compute the fields that follow from others, for a position that was set up by hand.

    Parameters
    ----------
    state : STATE record, in and out
        `kinds`, `count`, `total` follow from `held`; `line` from `tile`; `ray` from `stone` too.
    """
    for player in range(MAX_PLAYERS):
        state.kinds[player] = 0
        for fossil in range(N_FOSSILS):
            count, total = 0, 0
            for value_index in range(N_VALUES):
                kind = fossil * N_VALUES + value_index
                n = np.int64(state.held[player, kind])
                count += n
                total += n * (value_index + 1)
                if n > 0:
                    state.kinds[player] |= np.int64(1) << kind
            state.count[player, fossil] = count
            state.total[player, fossil] = total
    for i in range(SIDE):
        state.line[0, i] = 0
        state.line[1, i] = 0
    for row in range(ROWS):
        for col in range(COLS):
            tile = np.int64(state.tile[row * COLS + col] != NO_TILE)
            state.line[0, col] |= tile << row
            state.line[1, row] |= tile << col
    state.ray[:] = 0
    if state.stone[0] != NO_CELL and state.stone[1] != NO_CELL:
        _find_rays(state)


@kernel
def _fill_bag(state, board):
    """Put the tiles in play into the first entries of `tile`; return their number."""
    bag = 0
    wanted = SETUP_FOSSILS[board]
    for fossil in range(N_FOSSILS):
        rest = N_FOSSILS - fossil
        if wanted < rest and rng.draw(state, Stream.FOSSILS.value, rest) >= wanted:
            continue
        wanted -= 1
        state.left[fossil] = SETUP_SIZE[board]
        for value_index in range(N_VALUES):
            for _ in range(SETUP_COPIES[board, value_index]):
                state.tile[bag] = fossil * N_VALUES + value_index
                bag += 1
    return bag


@kernel
def legal(state, actions):
    """List the legal actions of the player to move.

    Rules 2.3, 3.1 to 3.5, 4.2 and 4.3.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    n = np.int64(0)
    if state.phase == Phase.MOVE.value:
        purse = np.int64(state.score[index(state.to_play)])
        for ray in range(N_RAYS):
            for tiles in range(N_TILES):  # all of them: a fixed number is written at once
                actions[index(n) + tiles] = MOVE + ray * N_TILES + tiles
            n += _reach(state, ray, purse)
    elif state.phase == Phase.PLACE.value:
        for cell in range(N_CELLS):
            actions[index(n)] = PLACE + cell
            n += np.int64(state.tile[cell] != NO_TILE and cell != state.stone[0])
    elif state.phase == Phase.GIVE.value:
        if EXCHANGE_OPTIONAL:
            actions[n] = KEEP
            n += 1
        kinds = _givable(state)
        for kind in range(N_KINDS):
            actions[index(n)] = GIVE + kind
            n += kinds >> kind & 1
    elif state.phase == Phase.TAKE.value:
        for opponent in range(np.int64(state.num_players) - 1):
            kinds = _takable(state, opponent) >> np.int64(state.given) % N_VALUES
            for fossil in range(N_FOSSILS):
                actions[index(n)] = TAKE + opponent * N_FOSSILS + fossil
                n += kinds >> fossil * N_VALUES & 1
    return n


@kernel
def _reach(state, ray, purse):
    """Count the tiles that a stone can take in one direction for `purse` points (3.1 to 3.5)."""
    if COST_EMPTY == 0:
        return np.int64(REACH[index(min(purse, MOST_POINTS)), state.ray[ray]])
    n = np.int64(N_BITS[state.ray[ray]])
    while n > 0 and _cost(state, ray, n - 1) > purse:
        n -= 1
    return n


@kernel
def _cost(state, ray, passed):
    """Return what a move costs that passes a number of tiles (3.4)."""
    cost = COST_LANDING + COST_PASSED * passed
    if COST_EMPTY > 0:
        cell = np.int64(state.stone[ray // 4])
        start = cell % COLS if ray % 2 else cell // COLS
        cost += COST_EMPTY * (abs(_target(state, ray, passed) - start) - 1 - passed)
    return cost


@kernel
def _target(state, ray, passed):
    """Return where on its line a move stops that passes a number of tiles."""
    direction = ray % 4
    upwards = direction == Direction.RIGHT.value or direction == Direction.DOWN.value
    return np.int64(NTH_BIT[np.int64(upwards), state.ray[ray], passed])


@kernel
def _find_rays(state):
    """Find what each stone reaches in each direction (3.1 to 3.3)."""
    for stone in range(N_STONES):
        cell = np.int64(index(state.stone[stone]))
        other = np.int64(index(state.stone[1 - stone]))
        row, col = cell // COLS, cell % COLS
        in_row = other % COLS if other // COLS == row else SIDE
        in_col = other // COLS if other % COLS == col else SIDE
        down, across = state.line[0, col], state.line[1, row]
        state.ray[stone * 4 + Direction.UP.value] = down & OPEN_TO[0, row, in_col]
        state.ray[stone * 4 + Direction.RIGHT.value] = across & OPEN_TO[1, col, in_row]
        state.ray[stone * 4 + Direction.DOWN.value] = down & OPEN_TO[1, row, in_col]
        state.ray[stone * 4 + Direction.LEFT.value] = across & OPEN_TO[0, col, in_row]


@kernel(inline=True)
def _sole_move(state, player):
    """Return a player's only move, or NO_ACTION if there is none, or SEVERAL."""
    purse = np.int64(state.score[index(player)])
    n = np.int64(0)
    for ray in range(N_RAYS):
        n += _reach(state, ray, purse)
    if n > 1:
        return SEVERAL
    for ray in range(N_RAYS):
        if _reach(state, ray, purse) > 0:
            return MOVE + ray * N_TILES
    return NO_ACTION


@kernel
def _givable(state):
    """Return the mask of own kinds for which another player has one to take (4.2, 4.3)."""
    others = np.int64(0)
    for player in range(np.int64(state.num_players)):
        if player != state.to_play:
            others |= state.kinds[player]
    wanted = np.int64(0)
    for value_index in range(N_VALUES):
        offered = others & KINDS_OF_VALUE[value_index]
        if offered & (offered - 1):  # of two fossils or more
            wanted |= KINDS_OF_VALUE[value_index]
        elif offered:
            wanted |= KINDS_OF_VALUE[value_index] & ~offered
    return state.kinds[state.to_play] & wanted


@kernel
def _takable(state, opponent):
    """Return the mask of an opponent's kinds that can be taken for the one given (4.2)."""
    given = np.int64(state.given)
    held = state.kinds[_opponent(state, opponent)]
    return held & KINDS_OF_VALUE[given % N_VALUES] & ~(np.int64(1) << given)


@kernel
def _sole_take(state):
    """Return the only take, or SEVERAL."""
    sole = NO_ACTION
    for opponent in range(np.int64(state.num_players) - 1):
        kinds = _takable(state, opponent)
        if kinds:
            if sole != NO_ACTION or kinds & (kinds - 1):
                return SEVERAL
            sole = TAKE + opponent * N_FOSSILS + _lowest(kinds) // N_VALUES
    return sole


@kernel
def _sole_give(state):
    """Return the only give, or SEVERAL."""
    kinds = _givable(state)
    return SEVERAL if kinds & (kinds - 1) else GIVE + _lowest(kinds)


@kernel
def _lowest(kinds):
    """Return the lowest kind in a mask that is not empty."""
    kind = np.int64(0)
    while not kinds >> kind & 1:
        kind += 1
    return kind


@kernel
def _opponent(state, offset):
    """Return the seat `offset` + 1 places after the player to move."""
    return (np.int64(state.to_play) + 1 + offset) % state.num_players


@kernel
def step(state, action):
    """Apply a legal action, then everything that is forced, up to the next decision or the end.

    Rules 2.3 to 8.1.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.
    """
    state.gain[:] = 0
    state.ply += 1
    while action >= 0:  # ends: a move takes a tile off the board, a take ends an exchange
        apply_choice(state, action)
        if state.phase == Phase.MOVE.value and state.completed != NO_FOSSIL:
            _score(state, np.int64(state.completed))  # 3.8
            state.completed = NO_FOSSIL
        action = _forced(state)
    if action == NO_ACTION:  # nobody can move (7.1)
        for fossil in range(N_FOSSILS):
            if state.left[fossil] > 0:
                _score(state, fossil)  # 7.2
        state.phase = Phase.OVER.value
        state.done = 1


@kernel(inline=True)
def apply_choice(state, action):
    """Apply one action and nothing that follows: no scoring, no next player, no forced move.

    Rules 2.3, 3.1 to 3.8, 4.1 to 4.3.

    Parameters
    ----------
    state : STATE record, in and out
        In phase MOVE the turn is then over but for scoring `completed`.
    action : int in [0, n_actions)
        Must be legal; not checked here.
    """
    if action < MOVE:
        _place(state, action - PLACE)
    elif action < KEEP:
        _move(state, action - MOVE)
    elif action == KEEP:
        state.phase = Phase.MOVE.value
    elif action < TAKE:
        state.given = action - GIVE
        state.phase = Phase.TAKE.value
    else:
        _swap(state, action - TAKE)
        state.phase = Phase.MOVE.value


@kernel(inline=True)
def _forced(state):
    """Find who decides next; return their only action (8.1), SEVERAL, or NO_ACTION at the end."""
    if state.phase == Phase.MOVE.value:
        player = np.int64(state.to_play)
        for _ in range(state.num_players):
            player = player + 1 if player + 1 < state.num_players else 0
            action = _sole_move(state, player)
            if action != NO_ACTION:  # else the player sits out (3.6)
                state.to_play = player
                return action
        return NO_ACTION
    if state.phase == Phase.TAKE.value:
        return _sole_take(state)
    if state.phase == Phase.GIVE.value and not EXCHANGE_OPTIONAL:
        return _sole_give(state)
    return SEVERAL


@kernel
def _place(state, cell):
    """Place the next stone; after the second the first turn begins (2.3, 2.4)."""
    if state.stone[0] == NO_CELL:
        state.stone[0] = cell
    else:
        state.stone[1] = cell
        state.phase = Phase.MOVE.value
        _find_rays(state)


@kernel
def _move(state, move):
    """Move a stone, pay, take the tile, and begin what a complete fossil brings (3.1 to 3.8)."""
    move = np.int64(index(move))
    ray, passed = move // N_TILES, move % N_TILES
    player, stone = np.int64(index(state.to_play)), ray // 4
    start = np.int64(index(state.stone[stone]))
    row, col = start // COLS, start % COLS
    _pay(state, player, -_cost(state, ray, passed))
    if ray % 2:  # right or left
        col = _target(state, ray, passed)
    else:
        row = _target(state, ray, passed)
    cell = row * COLS + col
    kind = np.int64(index(state.tile[index(cell)]))
    fossil = kind // N_VALUES
    state.stone[stone] = cell
    state.tile[cell] = NO_TILE
    state.line[0, col] &= ~(1 << row)
    state.line[1, row] &= ~(1 << col)
    state.left[fossil] -= 1
    _hand(state, player, kind, np.int64(1))
    _find_rays(state)
    if state.left[fossil] == 0:
        state.completed = fossil
        if _givable(state):  # 4.4
            state.phase = Phase.GIVE.value


@kernel
def _hand(state, player, kind, change):
    """Give a player a tile (1) or take one away (-1)."""
    player, kind = index(player), np.int64(index(kind))
    fossil = kind // N_VALUES
    held = state.held[player, kind] + change
    state.held[player, kind] = held
    state.count[player, fossil] += change
    state.total[player, fossil] += change * (kind % N_VALUES + 1)
    if held > 0:
        state.kinds[player] |= np.int64(1) << kind
    else:
        state.kinds[player] &= ~(np.int64(1) << kind)


@kernel
def _swap(state, choice):
    """Exchange the tile given for one of the same value (4.1, 4.2)."""
    player, opponent = np.int64(state.to_play), _opponent(state, choice // N_FOSSILS)
    given = np.int64(state.given)
    taken = choice % N_FOSSILS * N_VALUES + given % N_VALUES
    _hand(state, player, given, np.int64(-1))
    _hand(state, player, taken, np.int64(1))
    _hand(state, opponent, taken, np.int64(-1))
    _hand(state, opponent, given, np.int64(1))
    state.given = NO_KIND


@kernel
def _pay(state, player, points):
    """Add points, or take them away, and note the gain."""
    state.score[index(player)] += points
    state.gain[index(player)] += points


@kernel
def _product(state, player, fossil):
    """Return what a player's tiles of a fossil are worth by 5.1."""
    count, total = (
        state.count[index(player), index(fossil)],
        state.total[index(player), index(fossil)],
    )
    return np.int64(count) * np.int64(total)


@kernel
def _score(state, fossil):
    """Score a fossil, collect the debts and take its tiles out of the game (5.1 to 5.7, 6.1)."""
    fossil = np.int64(index(fossil))  # never negative
    num_players = np.int64(state.num_players)
    best = 0
    n_best = 0
    tiles_of_best = 0
    for player in range(num_players):
        points = _product(state, player, fossil)
        if points > best:
            best = points
            n_best = 0
            tiles_of_best = np.int64(state.count[player, fossil])
        if points == best:
            n_best += 1
    if best == 0:  # 5.7
        return
    owed = 0
    for player in range(num_players):
        if state.count[player, fossil] == 0:
            paid = min(np.int64(state.score[player]), tiles_of_best)  # 5.3
            owed += tiles_of_best if FULL_ENTITLEMENT else paid
            _pay(state, player, -paid)
    for player in range(num_players):
        points = _product(state, player, fossil)
        if points == best:
            points += owed // n_best  # 5.4, 5.5
        elif state.tactical:
            points = np.int64(state.total[player, fossil])  # 6.1
        _pay(state, player, points)
        state.count[player, fossil] = 0  # 5.6
        state.total[player, fossil] = 0
        state.kinds[player] &= ~KINDS_OF_FOSSIL[fossil]
        for value_index in range(N_VALUES):
            state.held[player, fossil * N_VALUES + value_index] = 0


@kernel
def observe(state, player, obs):
    """Write what a seat sees, which is everything.

    Parameters
    ----------
    state : STATE record
    player : int
        Whose view; entries for seats begin with this one, then in turn order.
    obs : OBS record, out
        Zeroed by the caller.
    """
    num_players = np.int64(state.num_players)
    obs.phase[state.phase] = 1.0
    if not state.done:
        obs.turn[(state.to_play - player) % num_players] = 1.0
    for seat in range(num_players):
        _observe_seat(state, (player + seat) % num_players, seat, obs)
    for fossil in range(N_FOSSILS):
        obs.left[fossil] = SHARE_OF_FOSSIL[index(state.left[fossil])]
    for cell in range(N_CELLS):
        kind = state.tile[cell]
        known = index(kind if kind != NO_TILE else N_KINDS)  # 0 is written where 0 is: no branch
        obs.tile[FOSSIL_OF_KIND[known], cell] = SHARE_OF_KIND[known]
    if state.phase != Phase.PLACE.value:
        _observe_rays(state, player, obs)
    for stone in range(N_STONES):
        if state.stone[stone] != NO_CELL:
            obs.stone[stone, state.stone[stone]] = 1.0
    if state.given != NO_KIND:
        obs.given[state.given] = 1.0
    if state.completed != NO_FOSSIL:
        obs.completed[state.completed] = 1.0
    obs.tactical[0] = state.tactical


@kernel
def _observe_seat(state, who, seat, obs):
    """Write the points and tiles of a player at the place `seat`."""
    who = np.int64(index(who))  # never negative
    points = state.score[who]
    obs.seat[seat] = 1.0
    obs.score[seat] = min(points / SCORE_SCALE, 1.0)
    obs.purse[seat] = min(points / N_TILES, 1.0)
    for fossil in range(N_FOSSILS):
        obs.product[seat, fossil] = SHARE_OF_PRODUCT[index(_product(state, who, fossil))]
        for value_index in range(N_VALUES):
            n = index(state.held[who, fossil * N_VALUES + value_index])
            obs.held[seat, fossil, value_index] = SHARE_OF_COPIES[value_index, n]


@kernel
def _observe_rays(state, player, obs):
    """Describe the tiles that a stone would take in each direction at any price (3.1 to 3.3)."""
    rivals = _most_of_others(state, player)
    for ray in range(N_RAYS):
        stone, direction = ray // 4, ray % 4
        cell = np.int64(index(state.stone[stone]))
        first, stride = (cell // COLS * COLS, 1) if ray % 2 else (cell % COLS, COLS)
        for passed in range(np.int64(N_BITS[state.ray[ray]])):
            kind = index(state.tile[index(first + stride * _target(state, ray, passed))])
            fossil, tile_value = np.int64(FOSSIL_OF_KIND[kind]), np.int64(kind) % N_VALUES + 1
            own = np.int64(state.count[index(player), fossil])
            growth = np.int64(state.total[index(player), fossil]) + tile_value * (own + 1)
            tile = obs.reach[stone, direction, passed]
            tile[0] = SHARE_OF_KIND[kind]
            tile[1] = SHARE_OF_FOSSIL[index(own)]
            tile[2] = SHARE_OF_FOSSIL[index(rivals >> 4 * fossil & 15)]
            tile[3] = SHARE_OF_FOSSIL[index(state.left[fossil])]
            tile[4] = SHARE_OF_GROWTH[index(growth)]  # of the own product


@kernel
def _most_of_others(state, player):
    """Return the most tiles that another player has of each fossil, four bits for each."""
    packed = 0
    for fossil in range(N_FOSSILS):
        most = 0
        for seat in range(np.int64(state.num_players)):
            if seat != player:
                most = max(most, np.int64(state.count[seat, fossil]))
        packed |= most << 4 * fossil
    return packed


@kernel
def resample(state, player, seed):
    """Re-seed chance; nothing is hidden in this game and nothing is drawn after the set-up.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
        Makes no difference here.
    seed : uint64
    """
    state.seed = seed


@kernel
def outcome(state, out):
    """Write the final results by points (7.3, 7.4).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    rules.rank_outcome(state.score, state.num_players, out)


@kernel
def value(state, player):
    """Margin over the mean of the others, were all fossils scored as they lie (5.1, no debts).

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Points.
    """
    own = 0
    others = 0
    for seat in range(np.int64(state.num_players)):
        points = int(state.score[seat])
        for fossil in range(N_FOSSILS):
            points += _product(state, seat, fossil)
        if seat == player:
            own = points
        else:
            others += points
    return own - others / (state.num_players - 1)


# Most points of a seat: it starts with some, and each fossil is scored once (5.1, 5.4).
_MOST_SCORE = START_SCORE + N_FOSSILS * (MAX_PRODUCT + MAX_PLAYERS * N_COPIES)


def _bounds_by_phase(low, high, *phases):
    """Bound a field that holds something in some phases and its "none", -1, in the others."""

    def bound(states):
        asked = np.isin(states["phase"], phases)
        return np.where(asked, low, -1), np.where(asked, high, -1)

    return bound


def _bounds_of_stone(states):
    """Let both stones be on the board (2.3), but while they are placed the second one is not."""
    placed = states["phase"] != Phase.PLACE
    low = np.where(placed, 0, NO_CELL)
    return low[:, None], np.stack([np.full(len(states), N_CELLS - 1), placed * N_CELLS - 1], 1)


def _bounds_of_left(states):
    """Count the tiles of each fossil on the board (3.8)."""
    lying = states["tile"][:, :, None] // N_VALUES == np.arange(N_FOSSILS)
    return (lying.sum(1),) * 2


def _bounds_of_held(states):
    """Let nobody hold a tile that lies on the board or before another; the one given is held."""
    n = np.arange(len(states))
    lying = (states["tile"][:, :, None] == KINDS).sum(1)
    held = states["held"].astype(np.int64)
    free = np.tile(COPIES_OF_VALUE, N_FOSSILS) - lying - held.sum(1)
    low = np.zeros_like(held)
    low[n, states["to_play"], states["given"]] = states["given"] != NO_KIND
    return low, held + np.minimum(free, 0)[:, None]


RULES = rules.register(
    rules.Rules(
        name="fossil",
        title="Fossil",
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=ACTIONS,
        streams=Stream,
        max_decisions=MAX_DECISIONS,
        perfect_information=True,
        sheet=SHEET,
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample,
        outcome=outcome,
        value=value,
        bounds={
            "score": (0, _MOST_SCORE),
            "gain": (-_MOST_SCORE, _MOST_SCORE),
            "phase": (Phase.PLACE, Phase.OVER),
            "tile": (NO_TILE, N_KINDS - 1),
            "stone": _bounds_of_stone,
            "left": _bounds_of_left,
            "given": _bounds_by_phase(0, N_KINDS - 1, Phase.TAKE),
            "completed": _bounds_by_phase(0, N_FOSSILS - 1, Phase.GIVE, Phase.TAKE),
            "held": _bounds_of_held,
        },
        derive=derive,
    )
)
