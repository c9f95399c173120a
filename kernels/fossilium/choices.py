"""Fossilium: what the player to move can choose, phase by phase."""

import numpy as np

from ..bits import lowest
from ..jit import index, kernel
from .actions import (
    ARCHIVE,
    CELL,
    COLUMN,
    DIG,
    FACE,
    FIELD,
    GAIN,
    GOAL,
    LINE,
    OWNER,
    PANEL,
    POSE,
    SIDE,
    SLOT,
    STOP,
    TILE,
    _allow,
    _allow_set,
)
from .market import _bag_holds
from .museum import (
    _cells_to_begin,
    _cells_wanting,
    _displayable,
    _piece_of,
    _pieces_in,
    _reserved,
    _wanted,
)
from .pal import _list_for_pal, _wanted_by_pal
from .parts import (
    BIT,
    COLUMN_CELLS,
    DISCOUNT_OF_FIELD,
    ENOUGH,
    ENTRANCE_COLUMN,
    FIELDS_OF_DOLLARS,
    FIELDS_OF_WORKERS,
    FOOTPRINT,
    JOKER,
    JOKER_COST,
    MANAGEMENT,
    MAX_STUDENTS,
    MAY_BE_UNUSED,
    N_FACES,
    N_FIELDS,
    N_GOALS,
    N_PANELS,
    N_SITES,
    N_STOCKS,
    N_TILES,
    N_TURNS,
    N_TYPES,
    PANEL_COST,
    ROUNDS,
    ROW_CELLS,
    ROW_OF_FIELD,
    SHOP_ROW,
    SIZE_OF_TILE,
    SLOTS,
    STORAGE,
    STRIP,
    SURCHARGE,
    TILE_OF_STOCK,
    TYPE_OF_TILE,
    Row,
)
from .people import _free_permanent, _in_column, _museums, _used
from .state import NONE, Phase

COPIED = np.int64(sum(BIT[f] for f in range(JOKER)) | BIT[MANAGEMENT])  # fields a joker can copy


@kernel(apart=True)
def _list(state):
    """Write the set of choices of the player to move."""
    state.choices[:] = 0
    phase = np.int64(state.phase)
    me = np.int64(state.to_play)
    if phase <= Phase.KEEP.value:
        _list_for_set_up(state)
    elif phase == Phase.TURN.value:
        _list_turn(state, me)
    elif phase == Phase.COPY.value:
        fields = FIELDS_OF_DOLLARS[index(min(np.int64(state.dollars[index(me)]), ENOUGH))]
        _allow_set(state, FIELD + state.column * N_FIELDS, fields & COPIED)
    elif phase == Phase.DISPLAY.value:
        _allow(state, np.int64(STOP))
        if state.left > 0:
            _allow_set(state, np.int64(TILE), _displayable(state, me) & _in_storage(state, me))
    elif phase <= Phase.POSE.value:
        _list_places(state, me)
    elif phase <= Phase.TARGET.value:
        _list_build(state, me)
    elif phase == Phase.TRADE.value:
        _list_trade(state, me)
    elif phase == Phase.TOUR.value:
        _allow(state, np.int64(STOP))
        if state.left > 0:
            _list_lines(state, me)
    elif phase == Phase.MANAGE.value:
        _allow_set(state, np.int64(GAIN), np.int64(7))
    elif phase <= Phase.SITE.value:
        _list_search(state, me)
    elif phase == Phase.AFTER.value:
        _allow(state, np.int64(STOP))
        _list_digs(state, me)
    elif phase == Phase.DISCARD.value:
        _allow_set(state, np.int64(TILE), _in_storage(state, me))
    elif phase == Phase.ASSIGN.value:
        for column in range(N_SITES):
            if _used(state, column) and column >= state.last:
                _allow(state, np.int64(COLUMN + column))
    else:
        _list_for_pal(state)


@kernel
def _list_for_set_up(state):
    """List a choice of set-up, or the tiles to keep."""
    if state.phase == Phase.UNUSED.value:
        for column in range(N_SITES):
            if MAY_BE_UNUSED[index(_museums(state)), column]:
                _allow(state, np.int64(COLUMN + column))
    elif state.phase == Phase.SIDE.value:
        _allow_set(state, np.int64(SIDE), np.int64(3))
    elif state.phase == Phase.SPLIT.value:
        _allow_set(state, np.int64(GOAL), np.int64((1 << N_GOALS) - 1))
    elif state.phase == Phase.START.value:
        _allow_set(state, np.int64(FACE), np.int64(3))
    else:
        for i in range(state.n_drawn):
            t = np.int64(state.drawn[i])
            if t >= state.last:
                enough = np.int64(0)  # tiles that could still be kept after choosing this one
                for j in range(state.n_drawn):
                    enough += 1 if state.drawn[j] >= t else 0
                if enough >= state.keep:
                    _allow(state, TILE + t)


@kernel
def _in_storage(state, seat):
    """Return the set of tile types in a storage."""
    types = np.int64(0)
    seat = index(seat)
    for t in range(N_TILES):
        if state.storage[seat, t] > 0:
            types |= BIT[t]
    return types


# --- the turn (4) -------------------------------------------------------------------------------


@kernel
def _list_turn(state, me):
    """List the fields that can be taken, and the digs (4.2, 4.5, 4.8, 13.2, 13.3)."""
    dollars = np.int64(state.dollars[index(me)])
    strip = state.round_number == ROUNDS and _can_search(state, _displayable(state, me))
    for column in range(N_SITES):
        c = np.int64(column)
        if not _used(state, c):
            continue
        permanent = _free_permanent(state, me, c)
        workers = min(np.int64(state.workers[index(me)]) + permanent, np.int64(ENOUGH))
        fields = FIELDS_OF_WORKERS[index(workers)]
        fields &= FIELDS_OF_DOLLARS[index(min(dollars, np.int64(ENOUGH)))]
        fields &= ~np.int64(state.taken[column]) | BIT[MANAGEMENT]
        if not strip:
            fields &= ~BIT[STRIP]
        if dollars < _joker_cost(state, me, c):
            fields &= ~BIT[JOKER]
        _allow_set(state, FIELD + c * N_FIELDS, fields)
    _list_digs(state, me)


@kernel
def _joker_cost(state, seat, column):
    """Return what the joker of a column costs, the worker to be placed counted (4.8)."""
    placed = 0 if _free_permanent(state, seat, column) > 0 else 1
    return max(np.int64(0), JOKER_COST - _in_column(state, column) - placed)


@kernel
def _list_digs(state, me):
    """List the digs with doctoral students (4.5)."""
    students = np.int64(state.students[index(me)])
    if state.dug or students == 0:
        return
    for site in range(N_SITES):
        n = min(students, np.int64(state.in_bag[site]))
        _allow_set(state, np.int64(DIG + site * MAX_STUDENTS), (np.int64(1) << n) - 1)


# --- displaying (5) -----------------------------------------------------------------------------


@kernel
def _list_places(state, me):
    """List the cells for a tile or a panel, or the poses of a new fossil (5.5, 7.2)."""
    empty = np.int64(state.empty[index(me)])
    t = np.int64(state.held)
    if state.building != NONE:
        _allow_set(state, np.int64(CELL), empty)
    elif state.phase == Phase.CELL.value:
        _allow_set(state, np.int64(CELL), _cells_wanting(state, me, t) | _cells_to_begin(empty, t))
    else:
        size = index(SIZE_OF_TILE[index(t)])
        for face in range(N_FACES[size]):
            piece = index(_piece_of(t, np.int64(face)))
            for turn in range(N_TURNS):
                cells = FOOTPRINT[size, turn, piece, index(state.spot)]
                if cells != 0 and cells & ~empty == 0:
                    _allow(state, np.int64(POSE + face * N_TURNS + turn))


# --- building and donating (6 to 8) -------------------------------------------------------------


@kernel
def _wanted_by_others(state, me):
    """Return the tile types that can be donated to somebody (6.1, solo 5.1)."""
    types = _wanted_by_pal(state)
    for seat in range(_museums(state)):
        if seat != me:
            types |= _wanted(state, np.int64(seat))
    return types


@kernel
def _list_build(state, me):
    """List panels and tiles to donate, to whom, or onto which cell (6.1, 8.1)."""
    if state.phase == Phase.BUILD.value:
        _allow(state, np.int64(STOP))
        if state.left > 0:
            _list_panels(state, me)
            types = _in_storage(state, me) & _wanted_by_others(state, me)
            _allow_set(state, np.int64(TILE), types)
    elif state.phase == Phase.OWNER.value:
        n = _museums(state)
        for k in range(1, n):
            if _wanted(state, (me + k) % n) & BIT[index(state.held)]:
                _allow(state, np.int64(OWNER + k - 1))
    else:
        cells = _cells_wanting(state, np.int64(state.owner), np.int64(state.held))
        _allow_set(state, np.int64(CELL), cells)


@kernel
def _list_panels(state, me):
    """List the panels that are left and can be paid, if there is an empty cell (7.1, 8.1)."""
    seat = index(me)
    if state.empty[seat] == 0:
        return
    money = np.int64(state.dollars[seat]) + DISCOUNT_OF_FIELD[index(state.field)]
    used = _panel_tiles(state, me)
    for panel in range(N_PANELS):
        if PANEL_COST[panel] <= money and used & BIT[panel // 2] == 0:
            _allow(state, np.int64(PANEL + panel))


@kernel
def _panel_tiles(state, seat):
    """Return the set of panel tiles that a player has built."""
    used = np.int64(0)
    rest = _reserved(state, seat)
    seat = index(seat)
    while rest != 0:
        panel = state.panel[seat, index(lowest(rest))]
        if panel != NONE:
            used |= BIT[index(panel) // 2]
        rest &= rest - 1
    return used


# --- trading and touring (9, 10) ----------------------------------------------------------------


@kernel
def _list_trade(state, me):
    """List what can be bought and sold (9)."""
    seat = index(me)
    _allow(state, np.int64(STOP))
    if state.sells > 0:
        _allow_set(state, np.int64(TILE), _in_storage(state, me))
    if state.buys == 0 or state.stored[seat] >= STORAGE:
        return
    dollars = np.int64(state.dollars[seat])
    for row in range(N_TYPES):
        if state.price[row] <= dollars:
            for slot in range(SLOTS):
                t = state.market[row, slot]
                if t == NONE:
                    break
                if slot == 0 or state.market[row, slot - 1] != t:
                    _allow(state, np.int64(SLOT + row * SLOTS + slot))
    for t in range(N_TILES):
        if state.archive[t] > 0 and state.price[TYPE_OF_TILE[t]] + SURCHARGE <= dollars:
            _allow(state, np.int64(ARCHIVE + t))


@kernel
def _line_pays(state, seat, line):
    """Count the pieces that a line of a tour pays for (10.1)."""
    kind = line % N_TYPES
    side = index(state.side[index(seat)])
    if line < N_TYPES:
        cells = ROW_CELLS[index(SHOP_ROW[side, index(kind)])]
    else:
        cells = COLUMN_CELLS[index(ENTRANCE_COLUMN[side, index(kind)])]
    return _pieces_in(state, seat, kind, cells)


@kernel
def _list_lines(state, me):
    """List the lines of a tour that pay, above the one chosen before (10.2)."""
    for line in range(max(np.int64(0), np.int64(state.line) + 1), 2 * N_TYPES):
        if _line_pays(state, me, np.int64(line)) > 0:
            _allow(state, np.int64(LINE + line))


# --- searching (7.6, 13.3) ----------------------------------------------------------------------


@kernel
def _can_search(state, wanted):
    """Say whether a bag in use holds a tile of one of some types."""
    for stock in range(N_STOCKS):
        if state.bag[stock] > 0 and wanted & BIT[TILE_OF_STOCK[stock]]:
            return True
    return False


@kernel
def _list_search(state, me):
    """List the tile types that can be found, or the bags that hold one."""
    if state.phase == Phase.SITE.value:
        for site in range(N_SITES):
            if _bag_holds(state, np.int64(site), np.int64(state.held)):
                _allow(state, np.int64(COLUMN + site))
        return
    types = np.int64(0)
    for stock in range(N_STOCKS):
        if state.bag[stock] > 0:
            types |= BIT[TILE_OF_STOCK[stock]]
    if ROW_OF_FIELD[index(state.field)] == Row.STRIP.value:
        types &= _displayable(state, me)
    _allow_set(state, np.int64(TILE), types)
