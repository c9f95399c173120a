"""Fossilium: what things are called in words and drawings; and what a record says about them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ..kernels.fossilium import parts
from ..kernels.fossilium.actions import ACTIONS, SOLO_ACTIONS
from ..kernels.fossilium.box import VALUES
from ..kernels.fossilium.parts import Act, Job, Metric, Per, Row
from ..kernels.fossilium.state import NONE
from .text import count, listed

TYPES = parts.TYPE_NAMES
LETTERS = tuple(name[0].upper() for name in TYPES)
SITES = tuple(VALUES["sites"][str(site + 1)].capitalize() for site in range(parts.N_SITES))
SPECIES = tuple(name.replace("_", " ").capitalize() for name in parts.SPECIES_IDS)
ROWS = ("display", "build/donate", "buy/sell", "give tour", "joker", "management", "strip")
KINDS = ("small", "large", "bonus", "")
SIDES = "AB"
COLUMN_LETTERS = "abcdef"
PAL = 1  # her seat
TURNS = ("upright", "turned right", "upside down", "turned left")
ARROWS = ("right", "left")


def _codes() -> tuple[str, ...]:
    """Give each species three letters of its own: the first ones where they are free."""
    codes = ["Pal"]  # who is somebody else
    for name in SPECIES:
        letters = [letter for letter in name.lower() if letter.isalpha()]
        codes.append(
            next(
                code
                for first, second in combinations(letters[1:], 2)
                if (code := name[0] + first + second) not in codes and first != second
            )
        )
    return tuple(codes[1:])


CODES = _codes()


def pieces_of_tile(tile: int) -> str:
    """Name the pieces that a tile can show: `3/4`, or `1`."""
    if parts.SIZE_OF_TILE[tile] == 1:
        return "1"
    first = 2 * int(parts.KIND_OF_TILE[tile]) + 1
    return f"{first}/{first + 1}"


def tile_words(tile: int) -> str:
    """Name a tile type: `Plateosaurus 3/4`, or `Eoraptor`."""
    name = SPECIES[parts.SPECIES_OF_TILE[tile]]
    return name if parts.SIZE_OF_TILE[tile] == 1 else f"{name} {pieces_of_tile(tile)}"


TILES = tuple(map(tile_words, range(parts.N_TILES)))


def short_tile(tile: int) -> str:
    """Name a tile type by its code: `Pla 3/4`, or `Eor`."""
    code = CODES[parts.SPECIES_OF_TILE[tile]]
    return code if parts.SIZE_OF_TILE[tile] == 1 else f"{code} {pieces_of_tile(tile)}"


def cell_name(cell: int) -> str:
    """Name a field of a museum: `a1` is the one at the top left."""
    return f"{COLUMN_LETTERS[cell % parts.COLUMNS]}{cell // parts.COLUMNS + 1}"


def site_name(site: int) -> str:
    """Name a site: `site 1 (Triassic)`."""
    return f"site {site + 1} ({SITES[site]})"


def field_name(column: int, field: int) -> str:
    """Name a field of the board: `display small 1`."""
    kind = KINDS[parts.KIND_OF_FIELD[field]]
    return " ".join(filter(None, [ROWS[parts.ROW_OF_FIELD[field]], kind, str(column + 1)]))


def panel_name(panel: int) -> str:
    """Name a panel with its tile and side: `1a Restaurant`."""
    return f"{panel // 2 + 1}{'ab'[panel % 2]} {parts.PANEL_NAMES[panel]}"


# --- what things do -------------------------------------------------------------------------------

_PER = {
    Per.ONCE: "",
    Per.ADJACENT: " for each complete fossil beside it",
    Per.COLUMN: " for each full column",
    Per.ROW: " for each full row",
}


def amount(what: str, n: int) -> str:
    """Word an amount: `$2`, `1 guest`, `3 prestige`."""
    if what == "dollars":
        return f"${n}"
    return f"{n} prestige" if what == "prestige" else count(n, what.removesuffix("s"))


def panel_effect(panel: int) -> str:
    """Say what a panel does."""
    told = []
    if parts.BUILT_REGULAR[panel]:
        worth = int(parts.BUILT_REGULAR[panel])
        told.append(f"at once: regular guests +{worth}, guests +{worth}")
    if parts.BUILT_SEARCH[panel]:
        told.append("at once: take any tile of a bag")
    income = ("dollars", parts.INCOME_DOLLARS), ("guests", parts.INCOME_GUESTS)
    for what, table in (*income, ("students", parts.INCOME_STUDENTS)):
        told += [f"income: {gain}" for gain in _gains(what, table[panel])]
    tour = (("dollars", parts.TOUR_DOLLARS), ("guests", parts.TOUR_GUESTS))
    gains = [amount(what, int(table[panel])) for what, table in tour if table[panel]]
    if gains:
        told.append(f"each tour: {listed(gains)}")
    told += [f"end: {gain}" for gain in _gains("prestige", parts.END_PANEL[panel])]
    return "; ".join(told)


def _gains(what: str, amounts: Any) -> list[str]:
    """Word amounts by what they are paid for."""
    return [amount(what, int(n)) + _PER[Per(per)] for per, n in enumerate(amounts) if n]


def field_effect(field: int) -> str:
    """Say what a field of the first four rows allows."""
    row, uses = parts.ROW_OF_FIELD[field], int(parts.USES_OF_FIELD[field])
    if row == Row.DISPLAY:
        return f"up to {count(uses, 'piece')}"
    if row == Row.BUILD:
        discount = int(parts.DISCOUNT_OF_FIELD[field])
        cheaper = f", panels ${discount} less" if discount else ""
        return ("once" if uses == 1 else f"up to {uses} times") + cheaper
    if row == Row.TOUR:
        return f"up to {count(uses, 'line')}"
    buys, sells = int(parts.BUYS_OF_FIELD[field]), int(parts.SELLS_OF_FIELD[field])
    joined = "and" if parts.BOTH_OF_FIELD[field] else "or"
    return f"buy {buys} {joined} sell {sells}"


def bonus_gain(column: int) -> str:
    """Say what the bonus fields of a column bring."""
    tables = (parts.BONUS_DOLLARS, parts.BONUS_STUDENTS, parts.BONUS_GUESTS)
    names = ("dollars", "students", "guests")
    gains = [
        amount(what, int(table[column]))
        for what, table in zip(names, tables, strict=True)
        if table[column]
    ]
    if parts.BONUS_DRAWS[column]:
        site = int(parts.BONUS_SITE[column]) + 1
        gains.append(f"1 of {parts.BONUS_DRAWS[column]} tiles of site {site}")
    return listed(gains)


_METRICS = {
    Metric.COMPLETE_FOSSILS: "complete fossils",
    Metric.FOSSILS_BEST_TYPE: "fossils of one type",
    Metric.PIECES_IN_LARGEST_FOSSIL: "displayed pieces of one fossil",
    Metric.SIZE_OF_LARGEST_COMPLETE_FOSSIL: "size of the largest complete fossil",
    Metric.PANELS: "panels",
    Metric.SIZE1_FOSSILS: "fossils of size 1",
    Metric.SIZE2_FOSSILS: "fossils of size 2",
    Metric.COMPLETE_SIZE2_FOSSILS: "complete fossils of size 2",
    Metric.TYPE_SETS: "sets of fossils of all three types",
    Metric.COMPLETE_TYPE_SETS: "sets of complete fossils of all three types",
    Metric.PIECES_PLUS_PANELS: "displayed pieces and panels",
    Metric.PIECES_OF_3_LARGEST_COMPLETE_FOSSILS: "pieces of the 3 largest complete fossils",
    Metric.LARGEST_CONNECTED_AREA_BEST_TYPE: "displayed pieces of one type that touch",
}


def round_goal(goal: int) -> str:
    """Say what a round goal counts, and its thresholds."""
    at = "/".join(map(str, parts.AT_OF_ROUND_GOAL[goal].tolist()))
    return f"{at} {_METRICS[Metric(parts.METRIC_OF_ROUND_GOAL[goal])]}"


def end_goal(goal: int) -> str:
    """Say what an end goal counts."""
    return _METRICS[Metric(parts.METRIC_OF_END_GOAL[goal])]


def job_goal(goal: int) -> str:
    """Say what a job goal asks for."""
    n = int(parts.AT_OF_GOAL[goal])
    return {
        Job.DONATION: f"a donation brings {n} prestige or more",
        Job.JOKER: "place a worker on a joker field",
        Job.COLUMN: "fill a column of the museum",
        Job.ROW: "fill a row of the museum",
        Job.GUESTS: f"guests rise to {n} or past it",
        Job.DISPLAYED: f"display {n} pieces in one action",
        Job.TOUR_DOLLARS: f"${n} or more from one tour",
        Job.TOUR_GUESTS: f"{count(n, 'guest')} or more from one tour",
    }[Job(parts.JOB_OF_GOAL[goal])]


_ACTS = {
    Act.DISPLAY: "display",
    Act.TOUR: "give tour",
    Act.DONATE: "donate",
    Act.TRADE: "buy/sell",
}
ACTS = tuple(_ACTS[act] for act in Act)


def card_words(card: int) -> str:
    """Say what an action card of Pal is: `D1 display, arrow right`."""
    act = Act(parts.ACT_OF_CARD[card])
    words = f"{parts.CARD_IDS[card]} {_ACTS[act]}"
    if act == Act.TOUR:
        words += f" for {parts.CARD_GUESTS[card]} guests and ${parts.CARD_DOLLARS[card]}"
    elif act == Act.TRADE:
        places = list(map(str, np.flatnonzero(parts.CARD_REMOVES[card]).tolist()))
        words += f" without tile{'s' * (len(places) > 1)} {listed(places)} of each row"
    return f"{words}, arrow {ARROWS[int(parts.GOES_LEFT[card])]}"


# --- what a record says ---------------------------------------------------------------------------


def is_solo(state: Any) -> bool:
    """Say whether a record is one of the solo game."""
    return "deck" in state.dtype.names


def museums(state: Any) -> int:
    """Return the number of museums."""
    return min(int(state["num_players"]), len(state["tile"]))


def owner(state: Any, seat: int) -> str:
    """Name a seat."""
    if is_solo(state):
        return "Pal" if seat == PAL else "the player"
    return f"player {seat}"


def table_of_actions(state: Any) -> Any:
    """Return the actions of the game that a record is of."""
    return SOLO_ACTIONS if is_solo(state) else ACTIONS


def is_legal(state: Any, action: int) -> bool:
    """Say whether an action can be chosen."""
    return bool(int(state["choices"][action // 32]) >> action % 32 & 1)


def legal_cells(state: Any) -> set[int]:
    """Return the fields of a museum that can be chosen now."""
    first = table_of_actions(state).offset("cell")
    return {cell for cell in range(parts.N_CELLS) if is_legal(state, first + cell)}


def in_use(state: Any) -> list[int]:
    """List the columns that are used, by their sites."""
    return [site for site in range(parts.N_SITES) if site != state["unused"]]


def heap(counts: Any) -> list[str]:
    """Word tiles by their counts: `2 Plateosaurus 3/4`, `Eoraptor`."""
    return [
        f"{n} {TILES[tile]}" if n > 1 else TILES[tile]
        for tile, n in enumerate(np.asarray(counts).tolist())
        if n > 0
    ]


def tiles(numbers: Any) -> list[str]:
    """Word a row of tiles, in its order."""
    return [TILES[tile] for tile in np.asarray(numbers).tolist() if tile != NONE]


def footprint(state: Any, seat: int, cell: int) -> list[int]:
    """List the fields of the fossil that a field of a museum belongs to, piece 1 first."""
    tile = int(state["tile"][seat, cell])
    size = int(parts.SIZE_OF_TILE[tile])
    turn, piece = int(state["pose"][seat, cell]), int(state["piece"][seat, cell])
    cells: list[int] = parts.CELLS_OF_FOSSIL[size, turn, piece, cell, :size].tolist()
    return cells


def displayed(state: Any, seat: int, cell: int) -> int:
    """Count the displayed pieces of the fossil that a field belongs to."""
    return int(state["displayed"][seat, footprint(state, seat, cell)].sum())


def wants(state: Any, seat: int, tile: int) -> list[int]:
    """List the reserved fields of a museum that a tile can be laid on."""
    reserved = (state["tile"][seat] == tile) & (state["displayed"][seat] == 0)
    cells: list[int] = np.flatnonzero(reserved).tolist()
    return cells


def pal_wants(state: Any, tile: int) -> bool:
    """Say whether a tile can be donated to an open fossil card of Pal (solo 5.1)."""
    return bool(is_solo(state) and _gifts_to_pal(state, tile))


def donations(state: Any, seat: int, tile: int) -> set[int]:
    """List the prestige that donating a tile can bring a seat (6.2, solo 5.1)."""
    gains = {
        displayed(state, other, cell) + 1
        for other in range(museums(state))
        if other != seat
        for cell in wants(state, other, tile)
    }
    return gains | _gifts_to_pal(state, tile) if is_solo(state) else gains


def _gifts_to_pal(state: Any, tile: int) -> set[int]:
    """List the prestige that donating a tile to an open fossil card brings (solo 5.1)."""
    card = int(parts.FOSSIL_CARD_OF_SPECIES[parts.SPECIES_OF_TILE[tile]])
    extents = [int(state["extent"][p]) for p in np.flatnonzero(state["exhibit"] == card)]
    pair = 2 * int(parts.KIND_OF_TILE[tile])
    return {extent.bit_count() + 1 for extent in extents if card != NONE and ~extent >> pair & 3}
