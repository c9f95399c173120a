"""Fossilium: what lies in a museum, where a tile fits, and what completing brings (5 to 7)."""

import numpy as np

from ..bits import lowest
from ..jit import index, kernel
from .parts import (
    AMBER_SIZE,
    BIT,
    BOARD,
    CELLS_OF_FOSSIL,
    COLUMN_CELLS,
    COLUMNS,
    COMPLETION_DOLLARS,
    COMPLETION_GUESTS,
    COMPLETION_MORE_GUESTS,
    COMPLETION_STUDENTS,
    FIRST_TILE_OF_SPECIES,
    FOOTPRINT,
    HEIGHT,
    KIND_OF_TILE,
    N_AMBER,
    N_FACES,
    N_STANDS,
    N_TURNS,
    ROOM,
    ROW_CELLS,
    SHIFT,
    SIZE_OF_TILE,
    SPECIES_OF_TILE,
    STAND_SIZE,
    TYPE_OF_TILE,
    WIDTH,
    Job,
)
from .people import _fulfil, _receive_guests, _receive_students
from .state import NONE

ALL_CELLS = np.int64(BOARD)


@kernel
def _count(cells):
    """Count the members of a set."""
    n = np.int64(0)
    while cells != 0:
        cells &= cells - 1
        n += 1
    return n


# --- where a tile fits (5.2 to 5.6) -------------------------------------------------------------


@kernel
def _reserved(state, seat):
    """Return the cells that are neither empty nor hold a piece: reserved ones and panels."""
    seat = index(seat)
    return ALL_CELLS & ~(np.int64(state.empty[seat]) | np.int64(state.shown[seat]))


@kernel
def _wanted(state, seat):
    """Return the set of tile types for which a field is reserved."""
    types = np.int64(0)
    rest = _reserved(state, seat)
    seat = index(seat)
    while rest != 0:
        t = np.int64(state.tile[seat, index(lowest(rest))])
        if t != NONE:
            types |= BIT[index(t)]
        rest &= rest - 1
    return types


@kernel
def _cells_wanting(state, seat, t):
    """Return the reserved cells that a tile type can be laid on."""
    cells = np.int64(0)
    rest = _reserved(state, seat)
    seat = index(seat)
    while rest != 0:
        cell = index(lowest(rest))
        if state.tile[seat, cell] == t:
            cells |= BIT[cell]
        rest &= rest - 1
    return cells


@kernel
def _corners(empty, height, width):
    """Return the cells that are the top left of an empty rectangle."""
    cells = empty & ROOM[index(width)]
    for _ in range(1, width):
        empty >>= 1
        cells &= empty
    rest = cells
    for _ in range(1, height):
        rest >>= COLUMNS
        cells &= rest
    return cells


@kernel
def _has_room(empty, size):
    """Say whether a fossil of a size can begin on empty cells."""
    size = index(size)
    return (
        _corners(empty, HEIGHT[size, 0], WIDTH[size, 0])
        | _corners(empty, HEIGHT[size, 1], WIDTH[size, 1])
    ) != 0


@kernel
def _piece_of(t, face):
    """Return the piece that a face of a tile type shows (1.3)."""
    return 2 * KIND_OF_TILE[index(t)] + face + 1


@kernel
def _cells_to_begin(empty, t):
    """Return the cells on which a tile can begin a fossil."""
    size = index(SIZE_OF_TILE[index(t)])
    cells = np.int64(0)
    for turn in range(N_TURNS):
        corners = _corners(empty, HEIGHT[size, turn], WIDTH[size, turn])
        for face in range(N_FACES[size]):
            cells |= corners << SHIFT[size, turn, index(_piece_of(t, np.int64(face)))]
    return cells


@kernel
def _displayable(state, seat):
    """Return the tile types that fit somewhere: those wanted, and those of sizes with room."""
    types = _wanted(state, seat)
    empty = np.int64(state.empty[index(seat)])
    for i in range(len(SIZES)):
        if _has_room(empty, SIZES[i]):
            types |= TILES_OF_SIZE[i]
    return types


SIZES = np.unique(SIZE_OF_TILE)
# [place in SIZES]: the set of tile types of the size
TILES_OF_SIZE = np.array([sum(BIT[t] for t in np.flatnonzero(s == SIZE_OF_TILE)) for s in SIZES])


# --- laying (5.2, 5.3, 6.1, 7.1) ----------------------------------------------------------------


@kernel
def _begin_fossil(state, seat, t, cell, face, turn):
    """Reserve the cells of a new fossil and display its first piece (5.3)."""
    size = index(SIZE_OF_TILE[index(t)])
    first = FIRST_TILE_OF_SPECIES[index(SPECIES_OF_TILE[index(t)])]
    piece = index(_piece_of(t, face))
    at = index(cell)
    me = index(seat)
    for p in range(np.int64(size)):
        c = index(CELLS_OF_FOSSIL[size, index(turn), piece, at, p])
        state.tile[me, c] = first + p // 2
        state.piece[me, c] = p + 1
        state.pose[me, c] = turn
        state.displayed[me, c] = 0
    state.empty[me] &= ~FOOTPRINT[size, index(turn), piece, at]
    _show(state, seat, cell)


@kernel
def _footprint(state, seat, cell):
    """Return the cells of the fossil that a cell belongs to."""
    seat, cell = index(seat), index(cell)
    size = index(SIZE_OF_TILE[index(state.tile[seat, cell])])
    return FOOTPRINT[size, index(state.pose[seat, cell]), index(state.piece[seat, cell]), cell]


@kernel(apart=True)
def _show(state, seat, cell):
    """Display the piece that a cell is reserved for, and see what that completes (5.7, 7.4)."""
    me = index(seat)
    state.displayed[me, index(cell)] = 1
    state.shown[me] |= BIT[index(cell)]
    fossil = _footprint(state, seat, cell)
    if np.int64(state.shown[me]) & fossil == fossil:
        _complete(state, seat, np.int64(state.tile[me, index(cell)]))
    _look_at_lines(state, seat, cell)


@kernel
def _complete(state, seat, t):
    """Give the owner what completing a fossil brings (5.7)."""
    size, kind = index(SIZE_OF_TILE[index(t)]), index(TYPE_OF_TILE[index(t)])
    me = index(seat)
    _receive_students(state, seat, COMPLETION_STUDENTS[kind])
    state.dollars[me] += COMPLETION_DOLLARS[kind]
    if size == AMBER_SIZE and _taken_so_far(state.amber[:]) < N_AMBER:
        state.amber[me] += 1
    if size == STAND_SIZE and _taken_so_far(state.stands[:]) < N_STANDS:
        state.stands[me] += 1
    _receive_guests(state, seat, COMPLETION_GUESTS[size] + COMPLETION_MORE_GUESTS[kind])


@kernel
def _taken_so_far(supply):
    """Sum what all players have of a supply."""
    n = np.int64(0)
    for seat in range(len(supply)):
        n += np.int64(supply[seat])
    return n


@kernel
def _filled(state, seat):
    """Return the cells that hold a piece or a panel (7.4)."""
    cells = np.int64(state.shown[index(seat)])
    rest = _reserved(state, seat)
    while rest != 0:
        cell = lowest(rest)
        if state.panel[index(seat), index(cell)] != NONE:
            cells |= BIT[index(cell)]
        rest &= rest - 1
    return cells


@kernel
def _look_at_lines(state, seat, cell):
    """Pay the job goals for lines that the last cell filled (10.6)."""
    filled = _filled(state, seat)
    row = ROW_CELLS[index(cell // COLUMNS)]
    column = COLUMN_CELLS[index(cell % COLUMNS)]
    if filled & column == column:
        _fulfil(state, seat, np.int64(Job.COLUMN.value), np.int64(1))
    if filled & row == row:
        _fulfil(state, seat, np.int64(Job.ROW.value), np.int64(1))


@kernel
def _build(state, seat, panel, cell):
    """Lay a panel on an empty cell (7.1)."""
    me = index(seat)
    state.panel[me, index(cell)] = panel
    state.empty[me] &= ~BIT[index(cell)]
    _look_at_lines(state, seat, cell)


@kernel
def _pieces_in(state, seat, kind, cells):
    """Count the displayed pieces of a type in a set of cells (3.1)."""
    n = np.int64(0)
    seat = index(seat)
    rest = np.int64(state.shown[seat]) & cells
    while rest != 0:
        if TYPE_OF_TILE[index(state.tile[seat, index(lowest(rest))])] == kind:
            n += 1
        rest &= rest - 1
    return n
