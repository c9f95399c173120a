"""Fossilium: museums and storages drawn."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from ..kernels.fossilium import parts
from ..kernels.fossilium.shown import line_pays
from ..kernels.fossilium.state import NONE, Phase
from .fossilium_names import (
    CODES,
    COLUMN_LETTERS,
    LETTERS,
    SIDES,
    TILES,
    cell_name,
    is_solo,
    legal_cells,
    museums,
    owner,
    pal_wants,
    wants,
)
from .text import count

CELL = 6  # columns of a field: `>`, code and piece, at once the mark of the field
WIDTH = 2 + CELL * parts.COLUMNS + 8  # of a museum
PEDESTAL_MARKS = ("L", "s", "s")


def museum(state: Any, seat: int, player: int | None) -> list[str]:
    """Draw a museum with its shops, entrances, special fields and pedestals.

    Parameters
    ----------
    state : STATE record
    seat : int
        Whose museum.
    player : int or None
        The seat that looks.

    Returns
    -------
    list of str
        Lines of at most WIDTH columns.
    """
    side = int(state["side"][seat])
    own = seat == player
    name = "Your museum" if own else f"Museum of {owner(state, seat)}"
    if side == NONE:
        return [f"{name}: not laid out yet"]
    pays = [int(line_pays(state, np.int64(seat), np.int64(k))) for k in range(parts.N_LINES)]
    chosen = _to_mark(state, seat)
    lines = [f"{name}, side {SIDES[side]}", _entrances(side, pays)]
    lines.append("  " + "".join(f"  {letter}".ljust(CELL) for letter in COLUMN_LETTERS).rstrip())
    for row in range(parts.ROWS):
        cells = range(row * parts.COLUMNS, (row + 1) * parts.COLUMNS)
        line = f"{row + 1:<2}" + "".join(_cell(state, seat, side, c, chosen) for c in cells)
        for kind in range(parts.N_TYPES):
            if parts.SHOP_ROW[side, kind] == row:
                line += f" {LETTERS[kind]} ${pays[kind] * parts.SHOP_DOLLARS}"
        lines.append(line.rstrip())
    return lines


def _entrances(side: int, pays: list[int]) -> str:
    """Draw the line of the entrances above their columns."""
    line = [" " * CELL] * parts.COLUMNS
    for kind in range(parts.N_TYPES):
        guests = pays[parts.N_TYPES + kind] * parts.ENTRANCE_GUESTS
        words = f" {LETTERS[kind]} +{guests}"
        line[parts.ENTRANCE_COLUMN[side, kind]] = words.ljust(CELL)
    return ("  " + "".join(line)).rstrip()


def _to_mark(state: Any, seat: int) -> set[int]:
    """Return the fields of a museum that concern the pending decision."""
    phase = state["phase"]
    whose = state["owner"] if phase == Phase.TARGET else state["to_play"]
    if seat != whose:
        return set()
    if phase in (Phase.CELL, Phase.TARGET, Phase.TIE):
        return legal_cells(state)
    return {int(state["spot"])} if phase == Phase.POSE else set()


def _cell(state: Any, seat: int, side: int, cell: int, chosen: set[int]) -> str:
    """Draw a field of a museum."""
    tile, panel = int(state["tile"][seat, cell]), int(state["panel"][seat, cell])
    if panel != NONE:
        content = f"[{panel // 2 + 1}{'ab'[panel % 2]}]"
    elif tile != NONE:
        content = f"{CODES[parts.SPECIES_OF_TILE[tile]]}{state['piece'][seat, cell]}"
        content = content if state["displayed"][seat, cell] else content.lower()
    else:
        content = "."
    return (">" if cell in chosen else " ") + f"{content + _mark(side, cell):<5}"


def _mark(side: int, cell: int) -> str:
    """Return the sign of what is printed on a field, or nothing."""
    if cell in parts.SPECIAL_CELL[side]:
        return "*"
    for pedestal, mark in zip(parts.PEDESTAL[side].tolist(), PEDESTAL_MARKS, strict=True):
        if pedestal >> cell & 1:
            return mark
    return ""


def storage(state: Any, seat: int, player: int | None) -> list[str]:
    """Draw the tiles in a storage.

    Parameters
    ----------
    state : STATE record
    seat : int
    player : int or None

    Returns
    -------
    list of str
    """
    stored = int(state["stored"][seat])
    name = "Your storage" if seat == player else f"Storage of {owner(state, seat)}"
    students = count(int(parts.STUDENTS_OF_STORED[stored]), "student")
    head = f"{name}: {stored} of {parts.STORAGE} (income {students})"
    lines = [head]
    for tile in np.flatnonzero(state["storage"][seat]).tolist():
        kind, size = LETTERS[parts.TYPE_OF_TILE[tile]], parts.SIZE_OF_TILE[tile]
        n = int(state["storage"][seat, tile])
        fits = _fits(state, seat, tile, seat == player)
        line = f"  {n} {TILES[tile]:<20} {kind}{size}" + (f" fits {' '.join(fits)}" if fits else "")
        lines += textwrap.wrap(line, WIDTH, subsequent_indent=" " * 9)
    return lines


def _fits(state: Any, seat: int, tile: int, own: bool) -> list[str]:
    """List the reserved fields that take a tile; those of others too where it is the own one."""
    fields = [cell_name(cell) for cell in wants(state, seat, tile)]
    if not own:
        return fields
    for other in range(museums(state)):
        if other != seat:
            fields += [f"p{other}:{cell_name(cell)}" for cell in wants(state, other, tile)]
    return fields + ["Pal"] * (is_solo(state) and pal_wants(state, tile))


def beside(left: list[str], right: list[str], gap: int = 3) -> list[str]:
    """Set two blocks side by side.

    Parameters
    ----------
    left, right : list of str
    gap : int

    Returns
    -------
    list of str
    """
    width = WIDTH + gap
    n = max(len(left), len(right))
    rows = zip(left + [""] * (n - len(left)), right + [""] * (n - len(right)), strict=True)
    return [f"{a:<{width}}{b}".rstrip() for a, b in rows]
