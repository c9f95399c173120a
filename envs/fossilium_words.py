"""Fossilium and its solo game in words: what a move is, as the one who makes it knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.fossilium import parts
from ..kernels.fossilium.parts import Act, Row
from ..kernels.fossilium.shown import joker_cost, line_pays
from ..kernels.fossilium.state import NONE, Phase
from . import text
from .fossilium_names import (
    COLUMN_LETTERS,
    LETTERS,
    SIDES,
    SPECIES,
    TILES,
    TURNS,
    TYPES,
    card_words,
    cell_name,
    displayed,
    donations,
    field_name,
    is_legal,
    job_goal,
    panel_name,
    site_name,
    table_of_actions,
)
from .text import count


def describe(state: Any, action: int) -> str:
    """Say what an action does in a position, as its mover knows it.

    Parameters
    ----------
    state : STATE record
    action : int
        Of one that is not legal here no more is said than its number alone tells.

    Returns
    -------
    str
        One line without a full stop. Sites, columns of the board, job goals, rows of a museum and
        slots of the market count from 1 as on the table, players from 0; `a1` is the field of a
        museum at the top left.

    Raises
    ------
    ValueError
        If there is no such action.
    """
    block, values = table_of_actions(state).decode(action)
    phase = Phase(state["phase"]) if is_legal(state, action) else None
    words: str = _WORDS[block](state, phase, **values)
    return words


def _known(phase: Phase | None) -> Phase:
    """Return the phase of a legal action, else one in which nothing is chosen."""
    return Phase.OVER if phase is None else phase


def _stop(state: Any, phase: Phase | None) -> str:
    """Word the end of an action (4.5, 4.7)."""
    return {
        Phase.DISPLAY: "display no more",
        Phase.BUILD: "build and donate no more",
        Phase.TRADE: "trade no more",
        Phase.TOUR: "tour no more",
        Phase.AFTER: "do not dig",
    }.get(_known(phase), "do no more")


def _column(state: Any, phase: Phase | None, column: int) -> str:
    """Word the choice of a column or of a bag (2.5, 7.6, 12.3)."""
    return {
        Phase.UNUSED: f"leave out {site_name(column)}",
        Phase.ASSIGN: f"permanent worker to column {column + 1}",
        Phase.SITE: f"from the bag of {site_name(column)}",
    }.get(_known(phase), f"column {column + 1}")


def _side(state: Any, phase: Phase | None, side: int) -> str:
    """Word the side of a museum, with the places of shops, entrances and pedestals (1.5)."""
    shops = " ".join(
        f"{LETTERS[kind]}{row + 1}" for kind, row in enumerate(parts.SHOP_ROW[side].tolist())
    )
    entrances = " ".join(
        f"{LETTERS[kind]}{COLUMN_LETTERS[column]}"
        for kind, column in enumerate(parts.ENTRANCE_COLUMN[side].tolist())
    )
    pedestals = [
        "-".join(cell_name(cell) for cell in (members[0], members[-1]))
        for pedestal in parts.PEDESTAL[side]
        if (members := [c for c in range(parts.N_CELLS) if int(pedestal) >> c & 1])
    ]
    return (
        f"side {SIDES[side]}: shops {shops}, entrances {entrances}, "
        f"pedestals large {pedestals[0]} small {' '.join(pedestals[1:])}"
    )


def _goal(state: Any, phase: Phase | None, goal: int) -> str:
    """Word the choice of a job goal (2.8, solo 7.10)."""
    words = f"job goal {goal + 1}"
    if phase is None:
        return words
    words += f" ({job_goal(int(state['job_goal'][goal]))})"
    lost = "lose a worker of " if phase == Phase.LOSE else ""
    return lost + words if lost else f"{parts.SPLIT[0]} workers on {words}"


def _face(state: Any, phase: Phase | None, face: int) -> str:
    """Word a species of the starting fossil, or the face of a tile (2.8, solo 5.1)."""
    if phase == Phase.START:
        tile = int(parts.START_TILE[state["start"][state["to_play"]], face])
        kind = int(parts.TYPE_OF_TILE[tile])
        cell = int(parts.SPECIAL_CELL[state["side"][state["to_play"]], kind])
        return f"begin with {TILES[tile]} ({TYPES[kind]}, on {cell_name(cell)})"
    if phase == Phase.FACE:
        return f"piece {2 * int(parts.KIND_OF_TILE[state['held']]) + face + 1}"
    return ("first", "second")[face] + " face"


def _field(state: Any, phase: Phase | None, column: int, field: int) -> str:
    """Word a field of the board with its price (4.2, 4.8)."""
    words = field_name(column, field)
    cost = int(parts.COST_OF_FIELD[field])
    if phase == Phase.FIELD:  # of Pal, who does not pay
        return words
    if phase is not None and parts.ROW_OF_FIELD[field] == Row.JOKER:
        seat = np.int64(state["to_play"])
        cost = int(joker_cost(state, seat, np.int64(column)))
    copied = "copy " if phase == Phase.COPY else ""
    return f"{copied}{words}" + (f" for ${cost}" if cost else "")


def _dig(state: Any, phase: Phase | None, site: int, students: int) -> str:
    """Word a dig (4.5)."""
    return f"dig site {site + 1} with {count(students + 1, 'student')}"


def _tile(state: Any, phase: Phase | None, type: int) -> str:
    """Word the choice of a tile."""
    verb = {
        Phase.KEEP: "keep",
        Phase.DISPLAY: "display",
        Phase.BUILD: "donate",
        Phase.TRADE: "sell",
        Phase.SEARCH: "find",
        Phase.DISCARD: "give up",
    }.get(_known(phase), "tile")
    words = f"{verb} {TILES[type]}"
    if phase == Phase.TRADE:
        price = int(state["price"][parts.TYPE_OF_TILE[type]]) + parts.STEP_SOLD
        words += f" for ${max(parts.MIN_PRICE, price)}"
    if phase == Phase.BUILD:
        gifts = sorted(donations(state, int(state["to_play"]), type))
        least = "" if gifts[0] == gifts[-1] else f"{gifts[0]} to "
        words += f" for {least}{gifts[-1]} prestige"
    return words


def _slot(state: Any, phase: Phase | None, row: int, slot: int) -> str:
    """Word a tile to be bought from the market (9.2)."""
    if phase is None:
        return f"buy from the {TYPES[row]} row, slot {slot + 1}"
    tile = TILES[state["market"][row, slot]]
    return f"buy {tile} for ${state['price'][row]} ({TYPES[row]} slot {slot + 1})"


def _archive(state: Any, phase: Phase | None, type: int) -> str:
    """Word a tile to be bought from the archive (9.2)."""
    price = int(state["price"][parts.TYPE_OF_TILE[type]]) + parts.SURCHARGE
    return f"buy {TILES[type]} from the archive" + ("" if phase is None else f" for ${price}")


def _cell(state: Any, phase: Phase | None, cell: int) -> str:
    """Word a field of a museum (5.5, 6.1, 7.2, solo 4.5)."""
    name, me = cell_name(cell), int(state["to_play"])
    if phase == Phase.TIE:
        species = SPECIES[parts.SPECIES_OF_TILE[state["tile"][me, cell]]]
        return f"let Pal donate to the {species} at {name}"
    if phase == Phase.TARGET:
        n = displayed(state, int(state["owner"]), cell) + 1
        return f"{name} for {n} prestige"
    if phase != Phase.CELL or state["held"] == NONE:
        return name
    if state["tile"][me, cell] == NONE:
        return f"{name}, a new fossil"
    piece, size = state["piece"][me, cell], parts.SIZE_OF_TILE[state["held"]]
    done = displayed(state, me, cell) + 1 == size
    return f"{name}, as piece {piece}" + (", completing the fossil" if done else "")


def _pose(state: Any, phase: Phase | None, face: int, turn: int) -> str:
    """Word how a new fossil lies, its rows of pieces in brackets (5.6)."""
    if phase is None:
        return f"{('first', 'second')[face]} face, {TURNS[turn]}"
    tile = int(state["held"])
    size = int(parts.SIZE_OF_TILE[tile])
    piece = 2 * int(parts.KIND_OF_TILE[tile]) + face + 1
    cells = parts.CELLS_OF_FOSSIL[size, turn, piece, state["spot"], :size].tolist()
    at = {cell: p + 1 for p, cell in enumerate(cells)}
    rows: dict[int, str] = {}
    for cell in sorted(at):
        row = cell // parts.COLUMNS
        rows[row] = rows.get(row, "") + str(at[cell])
    lies = f"{cell_name(min(at))} to {cell_name(max(at))} as {'/'.join(rows.values())}"
    return f"piece {piece}, {TURNS[turn]}: {lies}"


def _panel(state: Any, phase: Phase | None, panel: int) -> str:
    """Word a panel with its price (7.1, 8.1)."""
    words = f"build {panel_name(panel)}"
    if phase is None:
        return words
    cost = int(parts.PANEL_COST[panel]) - int(parts.DISCOUNT_OF_FIELD[state["field"]])
    return f"{words} for ${max(0, cost)}"


def _line(state: Any, phase: Phase | None, line: int) -> str:
    """Word a line of a tour with what it pays (10.1, 10.2)."""
    kind = line % parts.N_TYPES
    words = f"{TYPES[kind]} {'shop' if line < parts.N_TYPES else 'entrance'}"
    if phase is None:
        return words
    n = int(line_pays(state, np.int64(state["to_play"]), np.int64(line)))
    if line < parts.N_TYPES:
        return f"{words} for ${n * parts.SHOP_DOLLARS}"
    return f"{words} for {count(n * parts.ENTRANCE_GUESTS, 'guest')}"


def _gain(state: Any, phase: Phase | None, gain: int) -> str:
    """Word what management brings (4.9)."""
    dollars = int(parts.MANAGE_DOLLARS[gain])
    gains = [f"${dollars}"] if dollars else []
    for what, table in (("student", parts.MANAGE_STUDENTS), ("guest", parts.MANAGE_GUESTS)):
        gains += [count(int(table[gain]), what)] if table[gain] else []
    return f"take {text.listed(gains)}"


def _owner(state: Any, phase: Phase | None, opponent: int) -> str:
    """Word whom to donate to (6.1)."""
    return f"donate to {text.opponent(state, opponent)}"


def _exhibit(state: Any, phase: Phase | None, card: int) -> str:
    """Word a fossil card (solo 4.3)."""
    return f"extend {SPECIES[parts.SPECIES_OF_FOSSIL_CARD[card]]}"


def _piece(state: Any, phase: Phase | None, piece: int) -> str:
    """Word a piece of a fossil (solo 4.3, 4.5)."""
    if phase is None:
        return f"piece {piece + 1}"
    donates = parts.ACT_OF_CARD[state["card"]] == Act.DONATE
    return f"{'donate' if donates else 'display'} piece {piece + 1}"


_WORDS: dict[str, Callable[..., str]] = {
    "stop": _stop,
    "column": _column,
    "side": _side,
    "goal": _goal,
    "face": _face,
    "field": _field,
    "dig": _dig,
    "tile": _tile,
    "slot": _slot,
    "archive": _archive,
    "cell": _cell,
    "pose": _pose,
    "panel": _panel,
    "line": _line,
    "gain": _gain,
    "owner": _owner,
    "card": lambda state, phase, card: f"play {card_words(card)}",
    "exhibit": _exhibit,
    "piece": _piece,
    "end": lambda state, phase, end: f"count from the {('left', 'right')[end]}",
}
