"""Fossil by Klaus Palesch: the rules of docs/games/fossil.md, compiled.

Spaces are numbered row by row from the top left corner; the smaller board is the top left corner of
the larger one, and the spaces beyond it are empty for ever, which costs no rule of its own because
empty spaces may be passed:

     0  1  2  3  4  5  6  7  8
     9 10 11 ...
    18 ...
"""

from enum import IntEnum

import numpy as np

from . import rng, rules, sheet
from .jit import kernel

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
N_TILES = max(ROWS, COLS) - 1  # most tiles on a ray


def _check_sheet():
    """Check what the values of the sheet have to do with one another."""
    SHEET.expect(MIN_PLAYERS <= MAX_PLAYERS, "players.max", f"at least players.min = {MIN_PLAYERS}")
    SHEET.expect(len(set(FOSSILS)) == N_FOSSILS, "fossils", "names that differ")
    players = sorted(_LARGE["players"] + _SMALL["players"])
    SHEET.expect(
        players == list(range(MIN_PLAYERS, MAX_PLAYERS + 1)),
        "setup.large.players",
        "each number of players in exactly one of setup.large and setup.small",
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


_check_sheet()

# Row 0 is the large set-up, row 1 the small one.
_BOTH = (_LARGE, _SMALL)
SETUP_ROWS = np.array([setup["rows"] for setup in _BOTH])
SETUP_COLS = np.array([setup["cols"] for setup in _BOTH])
SETUP_FOSSILS = np.array([setup["fossils_used"] for setup in _BOTH])
SETUP_COPIES = np.array(  # tiles of each value in one fossil
    [[setup["tile_values"].count(v + 1) for v in range(N_VALUES)] for setup in _BOTH]
)
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


STEP_OF_DIRECTION = np.array([-COLS, 1, COLS, -1])
N_RAYS = N_STONES * 4  # ray = stone * 4 + direction
# RAY_LENGTH[cell, direction]: spaces between a space and the edge of the larger board
RAY_LENGTH = np.array(
    [
        [cell // COLS, COLS - 1 - cell % COLS, ROWS - 1 - cell // COLS, cell % COLS]
        for cell in range(N_CELLS)
    ]
)

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
            ("tile", "i1", (N_CELLS,)),  # kind on each space, or NO_TILE
            ("stone", "i1", (N_STONES,)),  # space of each stone, or NO_CELL
            ("held", "i1", (MAX_PLAYERS, N_KINDS)),  # tiles of each kind in front of each seat
            ("left", "i1", (N_FOSSILS,)),  # tiles of each fossil on the board
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
SCORE_SCALE = 200.0  # points from which `score` stays at 1
GROWTH_SCALE = 40.0  # a tile adds at most 37 points by 5.1: 13 x 9 - 10 x 8

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
    state.held[:] = 0
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
    cols = SETUP_COLS[board]
    laid = SETUP_ROWS[board] * cols
    for i in range(laid):
        j = i + rng.draw(state, Stream.LAYOUT.value, bag - i)
        state.tile[i], state.tile[j] = state.tile[j], state.tile[i]
    state.tile[laid:] = NO_TILE
    state.left[:] = 0
    for i in range(laid - 1, -1, -1):  # backwards: a space's number is never below its index
        kind = np.int64(state.tile[i])
        state.tile[i] = NO_TILE
        state.tile[(i // cols) * COLS + i % cols] = kind
        state.left[kind // N_VALUES] += 1


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
    n = 0
    if state.phase == Phase.MOVE.value:
        purse = np.int64(state.score[state.to_play])
        for ray in range(N_RAYS):
            first = MOVE + ray * N_TILES
            for action in range(first, first + _reach(state, ray, purse)):
                actions[n] = action
                n += 1
    elif state.phase == Phase.PLACE.value:
        for cell in range(N_CELLS):
            if state.tile[cell] != NO_TILE and cell != state.stone[0]:
                actions[n] = PLACE + cell
                n += 1
    elif state.phase == Phase.GIVE.value:
        if EXCHANGE_OPTIONAL:
            actions[0] = KEEP
            n = 1
        action = _next_give(state, np.int64(GIVE))
        while action != NO_ACTION:
            actions[n] = action
            n += 1
            action = _next_give(state, action + 1)
    elif state.phase == Phase.TAKE.value:
        action = _next_take(state, np.int64(TAKE))
        while action != NO_ACTION:
            actions[n] = action
            n += 1
            action = _next_take(state, action + 1)
    return n


@kernel
def _reach(state, ray, purse):
    """Count the tiles that a stone can take in one direction for `purse` points (3.1 to 3.5)."""
    stone, direction = ray // 4, ray % 4
    other = np.int64(state.stone[1 - stone])
    cell = np.int64(state.stone[stone])
    cost = COST_LANDING
    n = 0
    for _ in range(RAY_LENGTH[cell, direction]):
        cell += STEP_OF_DIRECTION[direction]
        if cell == other or cost > purse:
            break
        if state.tile[cell] == NO_TILE:
            cost += COST_EMPTY
        else:
            cost += COST_PASSED
            n += 1
    return n


@kernel
def _sole_move(state, player):
    """Return a player's only move, or NO_ACTION if there is none, or SEVERAL."""
    purse = np.int64(state.score[player])
    sole = NO_ACTION
    for ray in range(N_RAYS):
        n = _reach(state, ray, purse)
        if n > 1 or (n == 1 and sole != NO_ACTION):
            return SEVERAL
        if n == 1:
            sole = MOVE + ray * N_TILES
    return sole


@kernel
def _next_give(state, start):
    """Return the first give from `start` on with something to take, or NO_ACTION (4.3)."""
    for kind in range(start - GIVE, N_KINDS):
        if state.held[state.to_play, kind] > 0:
            for other in range(kind % N_VALUES, N_KINDS, N_VALUES):
                if other != kind and _others_hold(state, other):
                    return GIVE + kind
    return NO_ACTION


@kernel
def _others_hold(state, kind):
    """Tell whether anybody but the player to move holds a tile of this kind."""
    for player in range(np.int64(state.num_players)):
        if player != state.to_play and state.held[player, kind] > 0:
            return True
    return False


@kernel
def _next_take(state, start):
    """Return the first legal take from `start` on, or NO_ACTION (4.2)."""
    value_index = state.given % N_VALUES
    for choice in range(start - TAKE, (state.num_players - 1) * N_FOSSILS):
        player = _opponent(state, choice // N_FOSSILS)
        kind = choice % N_FOSSILS * N_VALUES + value_index
        if kind != state.given and state.held[player, kind] > 0:
            return TAKE + choice
    return NO_ACTION


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
        _apply(state, action)
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


@kernel
def _apply(state, action):
    """Apply one action; in phase MOVE the turn is then over but for scoring `completed`."""
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


@kernel
def _forced(state):
    """Find who decides next; return their only action (8.1), SEVERAL, or NO_ACTION at the end."""
    if state.phase == Phase.MOVE.value:
        mover = np.int64(state.to_play)
        for turn in range(1, state.num_players + 1):
            player = (mover + turn) % state.num_players
            action = _sole_move(state, player)
            if action != NO_ACTION:  # else the player sits out (3.6)
                state.to_play = player
                return action
        return NO_ACTION
    if state.phase == Phase.TAKE.value:
        action = _next_take(state, np.int64(TAKE))
        if _next_take(state, action + 1) == NO_ACTION:
            return action
    if state.phase == Phase.GIVE.value and not EXCHANGE_OPTIONAL:
        action = _next_give(state, np.int64(GIVE))
        if _next_give(state, action + 1) == NO_ACTION:
            return action
    return SEVERAL


@kernel
def _place(state, cell):
    """Place the next stone; after the second the first turn begins (2.3, 2.4)."""
    if state.stone[0] == NO_CELL:
        state.stone[0] = cell
    else:
        state.stone[1] = cell
        state.phase = Phase.MOVE.value


@kernel
def _move(state, move):
    """Move a stone, pay, take the tile, and begin what a complete fossil brings (3.1 to 3.8)."""
    ray, passed = move // N_TILES, move % N_TILES
    stride = STEP_OF_DIRECTION[ray % 4]
    cell = np.int64(state.stone[ray // 4])
    cost = COST_LANDING
    while True:
        cell += stride
        if state.tile[cell] == NO_TILE:
            cost += COST_EMPTY
        elif passed > 0:
            cost += COST_PASSED
            passed -= 1
        else:
            break
    kind = np.int64(state.tile[cell])
    fossil = kind // N_VALUES
    state.stone[ray // 4] = cell
    state.tile[cell] = NO_TILE
    state.held[state.to_play, kind] += 1
    state.left[fossil] -= 1
    _pay(state, np.int64(state.to_play), -cost)
    if state.left[fossil] == 0:
        state.completed = fossil
        if _next_give(state, np.int64(GIVE)) != NO_ACTION:  # 4.4
            state.phase = Phase.GIVE.value


@kernel
def _swap(state, choice):
    """Exchange the tile given for one of the same value (4.1, 4.2)."""
    opponent = _opponent(state, choice // N_FOSSILS)
    taken = choice % N_FOSSILS * N_VALUES + state.given % N_VALUES
    state.held[state.to_play, state.given] -= 1
    state.held[state.to_play, taken] += 1
    state.held[opponent, taken] -= 1
    state.held[opponent, state.given] += 1
    state.given = NO_KIND


@kernel
def _pay(state, player, points):
    """Add points, or take them away, and note the gain."""
    state.score[player] += points
    state.gain[player] += points


@kernel
def _n_held(state, player, fossil):
    """Count a player's tiles of a fossil."""
    n = 0
    for kind in range(fossil * N_VALUES, (fossil + 1) * N_VALUES):
        n += int(state.held[player, kind])
    return n


@kernel
def _sum_held(state, player, fossil):
    """Add up the values of a player's tiles of a fossil."""
    total = 0
    for value_index in range(N_VALUES):
        total += int(state.held[player, fossil * N_VALUES + value_index]) * (value_index + 1)
    return total


@kernel
def _score(state, fossil):
    """Score a fossil, collect the debts and take its tiles out of the game (5.1 to 5.7, 6.1)."""
    best = 0
    n_best = 0
    tiles_of_best = 0
    for player in range(np.int64(state.num_players)):
        tiles = _n_held(state, player, fossil)
        points = tiles * _sum_held(state, player, fossil)
        if points > best:
            best = points
            n_best = 0
            tiles_of_best = tiles
        if points == best:
            n_best += 1
    if best == 0:  # 5.7
        return
    owed = 0
    for player in range(np.int64(state.num_players)):
        if _n_held(state, player, fossil) == 0:
            paid = min(int(state.score[player]), tiles_of_best)  # 5.3
            owed += tiles_of_best if FULL_ENTITLEMENT else paid
            _pay(state, player, -paid)
    for player in range(np.int64(state.num_players)):
        tiles = _n_held(state, player, fossil)
        total = _sum_held(state, player, fossil)
        if tiles * total == best:
            _pay(state, player, best + owed // n_best)  # 5.4, 5.5
        elif state.tactical:
            _pay(state, player, total)  # 6.1
        else:
            _pay(state, player, tiles * total)
    for player in range(np.int64(state.num_players)):  # 5.6
        for kind in range(fossil * N_VALUES, (fossil + 1) * N_VALUES):
            state.held[player, kind] = 0


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
        who = (player + seat) % num_players
        points = state.score[who]
        obs.seat[seat] = 1.0
        obs.score[seat] = min(points / SCORE_SCALE, 1.0)
        obs.purse[seat] = min(points / N_TILES, 1.0)
        for fossil in range(N_FOSSILS):
            product = _n_held(state, who, fossil) * _sum_held(state, who, fossil)
            if product > 0:
                obs.product[seat, fossil] = product / MAX_PRODUCT
                for value_index in range(N_VALUES):
                    n = state.held[who, fossil * N_VALUES + value_index]
                    obs.held[seat, fossil, value_index] = n / COPIES_OF_VALUE[value_index]
    for fossil in range(N_FOSSILS):
        obs.left[fossil] = state.left[fossil] / N_COPIES
    for cell in range(N_CELLS):
        kind = state.tile[cell]
        if kind != NO_TILE:
            obs.tile[kind // N_VALUES, cell] = (kind % N_VALUES + 1) / N_VALUES
    if state.phase != Phase.PLACE.value:
        for ray in range(N_RAYS):
            _observe_ray(state, player, ray, obs)
    for stone in range(N_STONES):
        if state.stone[stone] != NO_CELL:
            obs.stone[stone, state.stone[stone]] = 1.0
    if state.given != NO_KIND:
        obs.given[state.given] = 1.0
    if state.completed != NO_FOSSIL:
        obs.completed[state.completed] = 1.0
    obs.tactical[0] = state.tactical


@kernel
def _observe_ray(state, player, ray, obs):
    """Describe the tiles that a stone would take in one direction at any price (3.1 to 3.3)."""
    stone, direction = ray // 4, ray % 4
    other = np.int64(state.stone[1 - stone])
    cell = np.int64(state.stone[stone])
    passed = 0
    for _ in range(RAY_LENGTH[cell, direction]):
        cell += STEP_OF_DIRECTION[direction]
        if cell == other:
            break
        kind = np.int64(state.tile[cell])
        if kind != NO_TILE:
            fossil, tile_value = kind // N_VALUES, kind % N_VALUES + 1
            own = _n_held(state, player, fossil)
            total = _sum_held(state, player, fossil)
            rival = 0
            for seat in range(np.int64(state.num_players)):
                if seat != player:
                    rival = max(rival, _n_held(state, seat, fossil))
            growth = (own + 1) * (total + tile_value) - own * total
            obs.reach[stone, direction, passed, 0] = tile_value / N_VALUES
            obs.reach[stone, direction, passed, 1] = own / N_COPIES
            obs.reach[stone, direction, passed, 2] = rival / N_COPIES
            obs.reach[stone, direction, passed, 3] = state.left[fossil] / N_COPIES
            obs.reach[stone, direction, passed, 4] = min(growth / GROWTH_SCALE, 1.0)
            passed += 1


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
            points += _n_held(state, seat, fossil) * _sum_held(state, seat, fossil)
        if seat == player:
            own = points
        else:
            others += points
    return own - others / (state.num_players - 1)


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
    )
)
