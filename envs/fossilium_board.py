"""Fossilium: board, market, bags and goals drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.fossilium import parts
from ..kernels.fossilium.parts import Kind, Row
from ..kernels.fossilium.shown import goal_count, joker_cost
from ..kernels.fossilium.state import NONE
from . import text
from .fossilium_names import (
    CODES,
    LETTERS,
    PAL,
    ROWS,
    SITES,
    SPECIES,
    TYPES,
    bonus_gain,
    end_goal,
    field_effect,
    in_use,
    is_solo,
    job_goal,
    museums,
    round_goal,
    short_tile,
)
from .text import listing


def board(state: Any, player: int | None) -> list[str]:
    """Draw the board: what each field allows, where it is free, and the workers in the columns.

    Parameters
    ----------
    state : STATE record
    player : int or None
        The seat that looks.

    Returns
    -------
    list of str
    """
    heads = (_head(Kind.SMALL), _head(Kind.LARGE), _head(Kind.BONUS))
    rows: list[tuple[str, ...]] = [("Board", *heads)]
    for row in range(Row.JOKER):
        cells = [f"{_free(state, f)} {field_effect(f)}" for f in range(3 * row, 3 * row + 3)]
        rows.append((ROWS[row], *cells))
    lines = _aligned(rows)
    lines.append(f"joker         {_free(state, parts.JOKER)} 1 worker: {_JOKER}")
    gains = "$1, 1 student or 1 guest; room for all"
    lines.append(f"management    {_free(state, parts.MANAGEMENT)} 1 worker: {gains}")
    strip = "1 worker: take a tile of any bag and display it"
    last = state["round_number"] == parts.ROUNDS
    when = _free(state, parts.STRIP) if last else f"round {parts.ROUNDS} only,"
    lines.append(f"strip         {when} {strip}")
    return [*lines, *_columns(state, player)]


_JOKER = "act as on any field above, or management, of its column, used or not"


def _head(kind: Kind) -> str:
    """Word what fields of a kind need."""
    field = int(kind)
    cost = int(parts.COST_OF_FIELD[field])
    words = ("small", "large", "bonus")[kind]
    return f"{words} ({text.count(int(parts.WORKERS_OF_FIELD[field]), 'worker')}" + (
        f", ${cost})" if cost else ")"
    )


def _free(state: Any, field: int) -> str:
    """Draw a field in each column: its number where it is free, x, n, or - where it is not used."""
    neutral = _neutral(state)
    signs = ""
    for column in range(parts.N_SITES):
        if column == state["unused"]:
            signs += "-"
        elif (column, field) in neutral:
            signs += "n"
        else:
            room = field == parts.MANAGEMENT  # for all
            taken = not room and int(state["taken"][column]) >> field & 1
            signs += "x" if taken else str(column + 1)
    return signs


def _neutral(state: Any) -> set[tuple[int, int]]:
    """Return the fields on which neutral workers stand (2.7, solo 3.1)."""
    n, columns = museums(state), in_use(state)
    moves = max(0, int(state["round_number"]) - 1) if n == 1 else 0
    groups = range(parts.N_NEUTRAL[n])
    return {
        (
            columns[(parts.NEUTRAL_PLACE[n, group] + moves) % len(columns)],
            int(parts.NEUTRAL_FIELD[n, group]),
        )
        for group in groups
    } & {
        (column, field)
        for column in columns
        for field in range(parts.N_FIELDS)
        if int(state["taken"][column]) >> field & 1
    }


def _columns(state: Any, player: int | None) -> list[str]:
    """Draw what differs from column to column."""
    rows: list[tuple[str, ...]] = [("column", "bonus fields bring", "joker", "bag", "workers")]
    for c in in_use(state):
        joker, bag = f"${_joker(state, player, c)}", f"{state['in_bag'][c]} tiles"
        rows.append((f"{c + 1} {SITES[c]}", bonus_gain(c), joker, bag, _workers(state, c)))
    lines = _aligned(rows)
    if state["permanent"].any():
        permanent = [f"column {c + 1} {_permanent(state, c)}" for c in in_use(state)]
        lines += listing("of them permanent:", permanent)
    return lines


def _joker(state: Any, player: int | None, column: int) -> int:
    """Return what the joker of a column costs who looks, else who is to move."""
    seat = int(state["to_play"]) if player is None else player
    seat = min(seat, museums(state) - 1)
    return int(joker_cost(state, np.int64(seat), np.int64(column)))


def _short(state: Any, seat: int) -> str:
    """Name a seat in a table."""
    if is_solo(state):
        return "Pal" if seat == PAL else "player"
    return f"p{seat}"


def _workers(state: Any, column: int) -> str:
    """Word who has workers in a column, and how many there are."""
    own = state["placed"][:, column].astype(int)
    n = len(state["permanent"])
    own[:n] += state["permanent"][:, column]
    words = [f"{k} {_short(state, s)}" for s, k in enumerate(own.tolist()) if k]
    neutral = int(state["neutral"][column])
    words += [f"{neutral} neutral"] if neutral else []
    return f"{own.sum() + neutral}: {', '.join(words)}" if words else "0"


def _permanent(state: Any, column: int) -> str:
    """Word the permanent workers in a column, and which of them have acted (13.2)."""
    words = []
    for seat, n in enumerate(state["permanent"][:, column].tolist()):
        if n:
            spent = int(state["spent"][seat, column])
            words.append(f"{n} {_short(state, seat)}" + (f" ({spent} acted)" if spent else ""))
    return " and ".join(words) or "none"


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Put rows into columns."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


# --- market and bags ------------------------------------------------------------------------------


def market(state: Any) -> list[str]:
    """Draw the market with its prices, and the archive.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    list of str
    """
    lines = []
    for kind, name in enumerate(TYPES):
        price = int(state["price"][kind])
        sells = max(parts.MIN_PRICE, price + parts.STEP_SOLD)
        row = [
            f"{slot + 1}: {short_tile(tile)}"
            for slot, tile in enumerate(state["market"][kind].tolist())
            if tile != NONE
        ]
        head = f"{name:<12} buy ${price}, sell ${sells}:"
        lines += listing(head, row or ["nothing"], 14)
        old = [
            (f"{n} x " if (n := int(state["archive"][tile])) > 1 else "") + short_tile(tile)
            for tile in np.flatnonzero(state["archive"]).tolist()
            if parts.TYPE_OF_TILE[tile] == kind
        ]
        if old:
            lines += listing(f"  in the archive, ${price + parts.SURCHARGE}:", old, 14)
    return ["Market (slots from the left, prices for one tile)", *lines]


def bags(state: Any) -> list[str]:
    """Draw what is in the bags.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    list of str
    """
    lines = ["Bags: tiles left of each species, by pieces 1/2 + 3/4 + 5/6"]
    for site in in_use(state):
        stocks = range(parts.FIRST_STOCK[site], parts.FIRST_STOCK[site + 1])
        counts: dict[int, list[str]] = {}
        for stock in stocks:
            species = int(parts.SPECIES_OF_TILE[parts.TILE_OF_STOCK[stock]])
            counts.setdefault(species, []).append(str(state["bag"][stock]))
        words = [f"{CODES[species]} {'+'.join(n)}" for species, n in counts.items()]
        lines += listing(f"site {site + 1}, {state['in_bag'][site]} tiles:", words, 8)
    return lines


def species_legend(state: Any) -> list[str]:
    """Name the species of the game by type.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    list of str
    """
    lines = []
    for kind, name in enumerate(TYPES):
        words = [
            f"{CODES[s]} {SPECIES[s]} {parts.SIZE_OF_SPECIES[s]}"
            for s in range(parts.N_SPECIES)
            if parts.TYPE_OF_SPECIES[s] == kind and _matters(state, s)
        ]
        lines += listing(f"{LETTERS[kind]} {name}:", words, 4)
    return lines


def _matters(state: Any, species: int) -> bool:
    """Say whether a species is found at a site in use, or lies on the table."""
    tiles = np.flatnonzero(species == parts.SPECIES_OF_TILE)
    if (parts.STOCK_OF[in_use(state)][:, tiles] >= 0).any():
        return True
    started = [parts.START_TILE[start] for start in state["start"] if start != NONE]
    return bool(np.isin(tiles, state["tile"]).any() or np.isin(tiles, started).any())


# --- goals ----------------------------------------------------------------------------------------


def goals(state: Any) -> list[str]:
    """Draw job goals with the workers on them, round goals and the end goal with what counts.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    list of str
    """
    lines = ["Job goals (who fulfils one gets an own worker back from it, at most one a turn)"]
    for g, goal in enumerate(state["job_goal"].tolist()):
        on = state["on_goal"][:, g].tolist()
        if is_solo(state):
            words = [text.count(on[0], "worker")]
        else:
            words = [f"{n} {_short(state, seat)}" for seat, n in enumerate(on) if n]
        lines.append(f"  {g + 1} {job_goal(goal)}: {', '.join(words) or 'no workers'}")
    rounds = _round_goals(state)
    if rounds:
        worth = "/".join(map(str, parts.REGULAR_WORTH.tolist()))
        lines.append(
            f"Round goals by round (at the opening the best threshold met brings {worth} regular "
            "guests)"
        )
        lines += rounds
    if state["end_goal"] != NONE:
        goal = int(state["end_goal"])
        counts = _counts(state, int(parts.METRIC_OF_END_GOAL[goal]))
        prestige = "/".join(map(str, parts.MAJORITIES.tolist()))
        lines.append(f"End goal: most {end_goal(goal)}: {counts}")
        lines.append(f"  it, most guests and most dollars bring {prestige} prestige each")
    elif is_solo(state):
        lines.append(
            f"At the end: {parts.MAJORITIES[0]} prestige for more guests than Pal, "
            f"{parts.MAJORITIES[0]} for more dollars"
        )
    return lines


def _round_goals(state: Any) -> list[str]:
    """Word the goals of this round and of those to come."""
    lines = []
    number = int(state["round_number"])
    next_one = number if state["active"] != NONE else number + 1  # after it in the excavation
    for r, goal in enumerate(state["round_goal"].tolist()):
        if goal != NONE and r + 1 >= next_one and not state["done"]:
            now = ">" if r + 1 == next_one else " "
            counts = _counts(state, int(parts.METRIC_OF_ROUND_GOAL[goal]))
            lines.append(f"{now} {r + 1} {round_goal(goal)}: {counts}")
    return lines


def _counts(state: Any, metric: int) -> str:
    """Word how much each player has of something now."""
    seats = range(museums(state))
    counts = [int(goal_count(state, np.int64(seat), np.int64(metric))) for seat in seats]
    if is_solo(state):
        return f"now {counts[0]}"
    return "now " + ", ".join(f"p{seat} {n}" for seat, n in enumerate(counts))
