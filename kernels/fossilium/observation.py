"""What a seat sees of a game of Fossilium (16); the solo game's own part is in `fossilium_solo`."""

import numpy as np

from .. import rules, vectors
from ..bits import lowest
from ..jit import index, kernel
from .choices import _line_pays
from .museum import _count, _footprint
from .parts import (
    COUNT_OF_STOCK,
    KIND_OF_TILE,
    MAX_DRAWN,
    MAX_GUESTS,
    MAX_PLAYERS,
    MAX_PRICE,
    MAX_STUDENTS,
    N_AMBER,
    N_CELLS,
    N_END_TILES,
    N_FIELDS,
    N_GOALS,
    N_JOB_TILES,
    N_LINES,
    N_PANELS,
    N_PIECES,
    N_ROUND_TILES,
    N_SITES,
    N_STANDS,
    N_STOCKS,
    N_TILES,
    N_TYPES,
    N_WORKERS,
    ROUNDS,
    SIZE_OF_TILE,
    SLOTS,
    TYPE_OF_TILE,
)
from .people import _museums
from .state import NONE, Phase, Reason

ONE = np.float32(1.0)
HALF = np.float32(0.5)
SHARE_OF_PRESTIGE = np.float32(1 / 150)  # of what it stays at 1 from
SHARE_OF_DOLLAR = np.float32(1 / 30)
SHARE_OF_GUEST = np.float32(1 / MAX_GUESTS)
SHARE_OF_STUDENT = np.float32(1 / MAX_STUDENTS)
SHARE_OF_WORKER = np.float32(1 / N_WORKERS)
SHARE_OF_CELL = np.float32(1 / N_CELLS)
SHARE_OF_PIECE = np.float32(1 / N_PIECES)
SHARE_OF_TILE = np.float32(1 / 4)  # of equal tiles, up to 1
SHARES_OF_TILES = np.full(N_TILES, SHARE_OF_TILE)
SHARE_OF_FOSSIL = np.float32(1 / 8)  # of fossils of a kind, up to 1
SHARE_OF_LINE = np.float32(1 / 6)
SHARE_OF_PRICE = np.float32(1 / MAX_PRICE)
SHARE_OF_LEFT = np.float32(1 / 5)
SHARE_OF_DRAWN = np.float32(1 / MAX_DRAWN)
SHARE_OF_STOCK = (1 / COUNT_OF_STOCK).astype(np.float32)
SIZE_SHARE = (SIZE_OF_TILE / N_PIECES).astype(np.float32)
KIND_SHARE = ((KIND_OF_TILE + 1) / 3).astype(np.float32)
SIZES = np.unique(SIZE_OF_TILE)
PLACE_OF_SIZE = np.searchsorted(SIZES, np.arange(N_PIECES + 1))
SIZE_PLANE, MISSING_PLANE, PANEL_PLANE, N_PLANES = range(N_TYPES, N_TYPES + 4)
SLOT_SIZE, SLOT_KIND, SLOT_WANTED, SLOT_HELD, N_SLOT = range(5)

OBS = rules.record(
    [
        # one-hot: what is decided
        ("phase", "f4", (len(Phase),)),
        # one-hot over seats, from the own one on: whose decision it is
        ("turn", "f4", (MAX_PLAYERS,)),
        # one-hot over seats: whose turn of the action phase it is
        ("active", "f4", (MAX_PLAYERS,)),
        # one-hot over seats: who holds the ammonite
        ("first", "f4", (MAX_PLAYERS,)),
        # 1 for the seats in the game
        ("seat", "f4", (MAX_PLAYERS,)),
        # one-hot: set-up, rounds 1 to 5
        ("round_number", "f4", (ROUNDS + 1,)),
        # 1: a dig was made this turn; 1: the action of this turn is done
        ("turn_so_far", "f4", (2,)),
        # 1: played without round and end goals (2.4)
        ("first_game", "f4"),
        # one-hot over columns: the one that is not used
        ("unused", "f4", (N_SITES,)),
        # 1 where somebody stands, by column and field (1.7)
        ("taken", "f4", (N_SITES, N_FIELDS)),
        # neutral workers by column / 8
        ("neutral", "f4", (N_SITES,)),
        # share of the tiles of each type that are in each bag, bag by bag (1.4)
        ("bag", "f4", (N_STOCKS,)),
        # tiles of each type in the market / 4
        ("market", "f4", (N_TILES,)),
        # each slot of the market: size / 6, kind / 3, own museum wants it, own storage has its type
        ("slots", "f4", (N_TYPES, SLOTS, N_SLOT)),
        # tiles of each type in the archive / 4
        ("archive", "f4", (N_TILES,)),
        # price of each type / 5
        ("price", "f4", (N_TYPES,)),
        # the three job goals, one-hot over tile and side
        ("job_goal", "f4", (N_GOALS, 2 * N_JOB_TILES)),
        # round goals from the present round on, one-hot over tile and light or dark
        ("round_goal", "f4", (ROUNDS, 2 * N_ROUND_TILES)),
        # one-hot over tile and side
        ("end_goal", "f4", (2 * N_END_TILES,)),
        # --- the action under way
        # one-hot: column of the action
        ("column", "f4", (N_SITES,)),
        # one-hot: its field, or what a joker copies
        ("field", "f4", (N_FIELDS,)),
        # left of the action: pieces, panels or lines; tiles to buy; tiles to sell; all / 5
        ("left", "f4", (3,)),
        # what the tour brought so far: dollars, guests; pieces displayed in this action; / 10
        ("so_far", "f4", (3,)),
        # one-hot: tile type chosen
        ("held", "f4", (N_TILES,)),
        # one-hot: panel chosen
        ("building", "f4", (N_PANELS,)),
        # one-hot: cell chosen for a new fossil
        ("spot", "f4", (N_CELLS,)),
        # one-hot over seats: whom the donation is for
        ("owner", "f4", (MAX_PLAYERS,)),
        # tiles drawn of each type / 4
        ("drawn", "f4", (N_TILES,)),
        # how many of them are still to be kept / 9
        ("keep", "f4"),
        # one-hot: why they were drawn: hand, bonus field, dig, excavation
        ("reason", "f4", (len(Reason),)),
        # one-hot: from which bag
        ("site", "f4", (N_SITES,)),
        # --- museums, from the own one on
        # a plane of cells for each type: 1 displayed, 0.5 reserved; size / 6 of the fossil there;
        # its missing pieces / 6; 1 for a panel
        ("museum", "f4", (MAX_PLAYERS, N_PLANES, N_CELLS)),
        # tiles of each type in the storage / 4
        ("storage", "f4", (MAX_PLAYERS, N_TILES)),
        # tiles of each type that reserved cells wait for / 4
        ("wanted", "f4", (MAX_PLAYERS, N_TILES)),
        # 1 for panels that are built
        ("panels", "f4", (MAX_PLAYERS, N_PANELS)),
        # fossils by size / 8: complete, then incomplete
        ("fossils_of_size", "f4", (MAX_PLAYERS, 2, len(SIZES))),
        # fossils by type / 8: complete, then incomplete
        ("fossils_of_type", "f4", (MAX_PLAYERS, 2, N_TYPES)),
        # what shops and entrances pay by type / 6
        ("lines", "f4", (MAX_PLAYERS, N_LINES)),
        # one-hot: side A or B
        ("side", "f4", (MAX_PLAYERS, 2)),
        # prestige / 150, dollars / 30, guests / 50, worth of regular guests / 50, students / 5,
        # amber and stands as shares, tiles in the storage / 8, empty cells / 36
        ("player", "f4", (MAX_PLAYERS, 9)),
        # workers / 8: on the museum; on the board by column; permanent by column; those of them
        # that have acted; on the job goals
        ("workers", "f4", (MAX_PLAYERS, 1 + 3 * N_SITES + N_GOALS)),
        # 1 for job goals that have paid: on this own turn, then outside in this phase (10.5)
        ("paid", "f4", (MAX_PLAYERS, 2, N_GOALS)),
    ]
)


@kernel
def observe(state, player, obs):
    """Write what a seat knows, which is all but luck to come.

    Rules 16.1.

    Parameters
    ----------
    state : STATE record
    player : int
        Whose view; entries for seats begin with this one, then in turn order.
    obs : OBS record, out
        Zeroed by the caller.
    """
    seats = np.int64(state.num_players)
    for seat in range(seats):
        obs.seat[seat] = ONE
    if not state.done:
        obs.turn[index((state.to_play - player + seats) % seats)] = ONE
    if state.active != NONE:
        obs.active[index((state.active - player + seats) % seats)] = ONE
    obs.first[index((state.first - player + seats) % seats)] = ONE
    if state.owner != NONE:
        obs.owner[index((state.owner - player + seats) % seats)] = ONE
    if state.end_goal != NONE:
        obs.end_goal[index(state.end_goal)] = ONE
    _observe_table(state, player, obs)


@kernel(apart=True)
def _observe_table(state, player, obs):
    """Write all that the two games have in common."""
    obs.phase[index(state.phase)] = ONE
    obs.round_number[index(state.round_number)] = ONE
    obs.turn_so_far[0] = state.dug
    obs.turn_so_far[1] = state.acted
    obs.first_game = state.first_game
    if state.unused != NONE:
        obs.unused[index(state.unused)] = ONE
    n = _museums(state)
    for k in range(n):
        _observe_museum(state, (player + k) % n, obs, k)
    _observe_goals(state, obs)
    _observe_board(state, obs)
    _observe_action(state, obs)


@kernel
def _observe_goals(state, obs):
    """Write the goals."""
    for g in range(N_GOALS):
        obs.job_goal[g, index(state.job_goal[g])] = ONE
    now = max(np.int64(1), np.int64(state.round_number)) - 1
    for r in range(now, ROUNDS):
        if state.round_goal[index(r)] != NONE:
            obs.round_goal[index(r - now), index(state.round_goal[index(r)])] = ONE


@kernel
def _observe_board(state, obs):
    """Write fields, bags and market; the own museum has been written."""
    for column in range(N_SITES):
        rest = np.int64(state.taken[column])
        while rest != 0:
            obs.taken[column, index(lowest(rest))] = ONE
            rest &= rest - 1
        obs.neutral[column] = state.neutral[column] * SHARE_OF_WORKER
    vectors.multiply(obs.bag, state.bag, SHARE_OF_STOCK, N_STOCKS)
    vectors.shares(obs.archive, state.archive, SHARES_OF_TILES, N_TILES)
    for row in range(N_TYPES):
        obs.price[row] = state.price[row] * SHARE_OF_PRICE
        for slot in range(SLOTS):
            if state.market[row, slot] == NONE:
                break
            t = index(state.market[row, slot])
            obs.market[t] = min(ONE, obs.market[t] + SHARE_OF_TILE)
            obs.slots[row, slot, SLOT_SIZE] = SIZE_SHARE[t]
            obs.slots[row, slot, SLOT_KIND] = KIND_SHARE[t]
            obs.slots[row, slot, SLOT_WANTED] = ONE if obs.wanted[0, t] > 0 else 0
            obs.slots[row, slot, SLOT_HELD] = ONE if obs.storage[0, t] > 0 else 0


@kernel
def _observe_action(state, obs):
    """Write the action and the choice of tiles that are under way."""
    if state.field != NONE:
        obs.column[index(state.column)] = ONE
        obs.field[index(state.field)] = ONE
        obs.left[0] = state.left * SHARE_OF_LEFT
        obs.left[1] = state.buys * SHARE_OF_LEFT
        obs.left[2] = state.sells * SHARE_OF_LEFT
        tenth = np.float32(0.1)
        obs.so_far[0] = min(ONE, state.tour_dollars * tenth)
        obs.so_far[1] = min(ONE, state.tour_guests * tenth)
        obs.so_far[2] = min(ONE, state.pieces * tenth)
        if state.held != NONE:
            obs.held[index(state.held)] = ONE
        if state.building != NONE:
            obs.building[index(state.building)] = ONE
        if state.spot != NONE:
            obs.spot[index(state.spot)] = ONE
    if state.n_drawn > 0:
        for i in range(np.int64(state.n_drawn)):
            t = index(state.drawn[i])
            obs.drawn[t] = min(ONE, obs.drawn[t] + SHARE_OF_TILE)
        obs.keep = state.keep * SHARE_OF_DRAWN
        obs.reason[index(state.reason)] = ONE
        if state.site != NONE:
            obs.site[index(state.site)] = ONE


# --- museums ------------------------------------------------------------------------------------


@kernel(apart=True)
def _observe_museum(state, seat, obs, k):
    """Write a museum and its player as the k-th one."""
    me = index(seat)
    k = index(k)
    _observe_cells(state, seat, obs, np.int64(k))
    vectors.shares(obs.storage[k], state.storage[me], SHARES_OF_TILES, N_TILES)
    if state.side[me] != NONE:
        obs.side[k, index(state.side[me])] = ONE
        for line in range(N_LINES):
            obs.lines[k, line] = _line_pays(state, seat, np.int64(line)) * SHARE_OF_LINE
    obs.player[k, 0] = max(-ONE, min(ONE, state.score[me] * SHARE_OF_PRESTIGE))
    obs.player[k, 1] = min(ONE, state.dollars[me] * SHARE_OF_DOLLAR)
    obs.player[k, 2] = state.guests[me] * SHARE_OF_GUEST
    obs.player[k, 3] = min(ONE, state.regular[me] * SHARE_OF_GUEST)
    obs.player[k, 4] = state.students[me] * SHARE_OF_STUDENT
    obs.player[k, 5] = state.amber[me] * np.float32(1 / N_AMBER)
    obs.player[k, 6] = state.stands[me] * np.float32(1 / N_STANDS)
    obs.player[k, 7] = min(ONE, state.stored[me] * np.float32(1 / 8))
    obs.player[k, 8] = _count(np.int64(state.empty[me])) * SHARE_OF_CELL
    obs.workers[k, 0] = state.workers[me] * SHARE_OF_WORKER
    for column in range(N_SITES):
        obs.workers[k, 1 + column] = state.placed[me, column] * SHARE_OF_WORKER
        at = 1 + N_SITES + column
        obs.workers[k, at] = state.permanent[me, column] * SHARE_OF_WORKER
        obs.workers[k, at + N_SITES] = state.spent[me, column] * SHARE_OF_WORKER
    for g in range(N_GOALS):
        obs.workers[k, 1 + 3 * N_SITES + g] = state.on_goal[me, g] * SHARE_OF_WORKER
        obs.paid[k, 0, g] = (state.paid[me] >> g) & 1
        obs.paid[k, 1, g] = (state.paid_elsewhere[me] >> g) & 1


@kernel
def _observe_cells(state, seat, obs, k):
    """Write the planes of a museum, what its reserved cells wait for, and its fossils."""
    me = index(seat)
    k = index(k)
    rest = ~np.int64(state.empty[me]) & ((np.int64(1) << N_CELLS) - 1)
    while rest != 0:
        cell = index(lowest(rest))
        rest &= rest - 1
        if state.tile[me, cell] == NONE:
            obs.museum[k, PANEL_PLANE, cell] = ONE
            if state.panel[me, cell] != NONE:
                obs.panels[k, index(state.panel[me, cell])] = ONE
            continue
        t = index(state.tile[me, cell])
        kind = index(TYPE_OF_TILE[t])
        if state.displayed[me, cell]:
            obs.museum[k, kind, cell] = ONE
        else:
            obs.museum[k, kind, cell] = HALF
            obs.wanted[k, t] = min(ONE, obs.wanted[k, t] + SHARE_OF_TILE)
        if state.piece[me, cell] == 1:
            _observe_fossil(state, seat, obs, np.int64(k), np.int64(cell))


@kernel
def _observe_fossil(state, seat, obs, k, cell):
    """Write a fossil: into the planes of its cells, and as one of its size and of its type."""
    me, k = index(seat), index(k)
    t = index(state.tile[me, index(cell)])
    cells = _footprint(state, seat, cell)
    missing = _count(cells & ~np.int64(state.shown[me]))
    while cells != 0:
        at = index(lowest(cells))
        obs.museum[k, SIZE_PLANE, at] = SIZE_SHARE[t]
        obs.museum[k, MISSING_PLANE, at] = missing * SHARE_OF_PIECE
        cells &= cells - 1
    row = 0 if missing == 0 else 1
    size = index(PLACE_OF_SIZE[index(SIZE_OF_TILE[t])])
    obs.fossils_of_size[k, row, size] = min(
        ONE, obs.fossils_of_size[k, row, size] + SHARE_OF_FOSSIL
    )
    kind = index(TYPE_OF_TILE[t])
    obs.fossils_of_type[k, row, kind] = min(
        ONE, obs.fossils_of_type[k, row, kind] + SHARE_OF_FOSSIL
    )
