"""Fossilium and its solo game drawn: the table in text, as a seat may see it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.fossilium import parts
from ..kernels.fossilium.parts import Row
from ..kernels.fossilium.shown import Part, end_prestige
from ..kernels.fossilium.state import NONE, Phase, Reason
from . import table, text
from .fossilium_board import bags, board, goals, market, species_legend
from .fossilium_museum import beside, museum, storage
from .fossilium_names import (
    LETTERS,
    TILES,
    amount,
    card_words,
    field_effect,
    field_name,
    is_solo,
    museums,
    owner,
    panel_effect,
    panel_name,
    site_name,
)
from .fossilium_pal import difficulties, fossil_cards, pal_words
from .text import count, listing


def draw(state: Any, player: int | None = None) -> str:
    """Draw a game in text: board, museums, players, goals, market, bags, and what is asked.

    Parameters
    ----------
    state : STATE record
    player : int, optional
        The seat that looks: only what it may know is shown, its own museum comes first. Default an
        arbiter, who sees everything.

    Returns
    -------
    str
        Several lines of at most 100 columns.
    """
    blocks = [_course(state), _legend(state), _panels(state, player), bags(state), market(state)]
    if is_solo(state):
        blocks += [pal_words(state, player), fossil_cards(state)]
    blocks += [goals(state), board(state, player), _players(state, player)]
    blocks += [_museums(state, player), [*_under_way(state), _question(state)]]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _seats(state: Any, player: int | None) -> list[int]:
    """List the museums, the own one first, then in turn order."""
    n = museums(state)
    first = player if player is not None and player < n else 0
    return [(first + k) % n for k in range(n)]


# --- course and players ---------------------------------------------------------------------------


def _course(state: Any) -> list[str]:
    """Say which round and phase it is, and who begins it."""
    number = int(state["round_number"])
    if state["done"]:
        return [f"The end, after {parts.ROUNDS} rounds", *difficulties(state)]
    if number == 0:
        what = "Set-up"
    elif state["active"] != NONE:
        last = number == parts.ROUNDS
        then = "opening, income and end" if last else "opening and excavation"
        what = f"Round {number} of {parts.ROUNDS}: action phase (then {then})"
    else:
        what = f"Round {number} of {parts.ROUNDS}: excavation (after income, actions and opening)"
    if not is_solo(state):
        what += f"; player {state['first']} holds the ammonite"
    return [what, *difficulties(state)]


_HEADS = (
    "prestige",
    "dollars",
    "guests",
    "pay",
    "regular",
    "students",
    "workers",
    "amber",
    "stands",
    "end",
)


def _players(state: Any, player: int | None) -> list[str]:
    """Draw a row of numbers for each player."""
    lines = [" " * 18 + " ".join(_HEADS)]
    for seat in _seats(state, player):
        guests = int(state["guests"][seat])
        ends = (Part.PANELS, Part.FOSSILS)
        numbers = (
            state["score"][seat],
            state["dollars"][seat],
            guests,
            parts.PRESTIGE_OF_GUESTS[guests],
            state["regular"][seat],
            state["students"][seat],
            state["workers"][seat],
            state["amber"][seat],
            state["stands"][seat],
            sum(int(end_prestige(state, np.int64(seat), np.int64(part))) for part in ends),
        )
        cells = " ".join(f"{n:>{len(h)}}" for n, h in zip(numbers, _HEADS, strict=True))
        lines.append(f"{text.seat(state, seat, player)}{cells}")
    return [
        *lines,
        f"  guests (at most {parts.MAX_GUESTS}) pay prestige at the opening, "
        "then only the regular ones stay;",
        f"  students at most {parts.MAX_STUDENTS}; workers still to place; "
        "end: prestige for panels, fossils, amber, stands",
    ]


def _museums(state: Any, player: int | None) -> list[str]:
    """Draw all museums and storages, two blocks beside each other."""
    blocks = []
    for seat in _seats(state, player):
        blocks.append(museum(state, seat, player))
        blocks.append(storage(state, seat, player))
    lines: list[str] = []
    for left, right in zip(blocks[::2], blocks[1::2], strict=True):
        lines += ["", *beside(left, right)] if lines else beside(left, right)
    return lines


def _legend(state: Any) -> list[str]:
    """Explain the signs."""
    large, small = (int(prestige) for prestige in parts.PEDESTAL_PRESTIGE[:2])
    return [
        "Codes: species by type, with their size",
        *species_legend(state),
        "museum: Pla3 displayed, pla3 reserved for that piece, [1a] panel, . empty, > to choose,",
        f"  L large pedestal ({large} prestige for a complete fossil that just fills it), s small "
        f"({small}),",
        "  * special field; T $2 a shop and the dollars it pays, A +3 an entrance and its guests",
        "storage: 3/4 can be piece 3 or 4, A6 aquatic of size 6, fits: fields reserved for it"
        + (", Pal: hers" if is_solo(state) else ""),
        "board: 1 2 3 free in that column, x taken, n neutral workers, - not used",
        *_shapes(),
        *_completing(),
    ]


def _shapes() -> list[str]:
    """Explain how the pieces of fossils lie when they are not turned (1.2)."""
    shapes = []
    for size in np.unique(parts.SIZE_OF_SPECIES).tolist():
        if size > 1:
            cells = parts.CELLS_OF_FOSSIL[size, 0, 1, 0, :size].tolist()
            rows: dict[int, str] = {}
            for piece, cell in enumerate(cells):
                rows[cell // parts.COLUMNS] = rows.get(cell // parts.COLUMNS, "") + str(piece + 1)
            shapes.append(f"size {size} {'/'.join(rows.values())}")
    return [f"pieces of a fossil, row by row: {', '.join(shapes)}; it may be turned"]


def _completing() -> list[str]:
    """Say what completing a fossil brings, at once and at the end (5.7, 14.5)."""
    sizes = np.unique(parts.SIZE_OF_SPECIES).tolist()
    listed_sizes, guests, prestige = (
        "/".join(map(str, numbers))
        for numbers in (
            sizes,
            parts.COMPLETION_GUESTS[sizes].tolist(),
            parts.END_PRESTIGE[sizes].tolist(),
        )
    )
    by_type = []
    for kind, letter in enumerate(LETTERS):
        gains = (
            ("dollars", parts.COMPLETION_DOLLARS),
            ("guests", parts.COMPLETION_MORE_GUESTS),
            ("students", parts.COMPLETION_STUDENTS),
        )
        words = [amount(what, int(table[kind])) for what, table in gains if table[kind]]
        by_type.append(f"{letter} {' and '.join(words) or 'nothing'}")
    amber = f"size {parts.AMBER_SIZE} an amber ({parts.AMBER_PRESTIGE} more)"
    stand = f"size {parts.STAND_SIZE} a stand ({parts.STAND_PRESTIGE})"
    return [
        f"complete fossils of size {listed_sizes}: {guests} guests at once "
        f"(and {', '.join(by_type)}),",
        f"  {prestige} prestige at the end; {amber}, {stand}, while there are any",
    ]


def _panels(state: Any, player: int | None) -> list[str]:
    """List the panels that who looks, or who is to move, can still build."""
    seat = int(state["to_play"]) if player is None else player
    if seat >= museums(state) or state["done"]:
        return []
    own = set(state["panel"][seat].tolist()) - {NONE}
    used = {panel // 2 for panel in own}
    built = set(state["panel"][: museums(state)].ravel().tolist())
    lines = []
    for panel in range(parts.N_PANELS):
        if panel // 2 not in used or panel in built:
            left = "" if panel // 2 not in used else " (built)" if panel in own else " (gone)"
            cost = int(parts.PANEL_COST[panel])
            lines.append(f"  {panel_name(panel) + left:<24} ${cost}  {panel_effect(panel)}")
    return ["Panels (each tile 1 to 6 is built once, as a or as b)", *lines]


# --- what is decided ------------------------------------------------------------------------------


def _under_way(state: Any) -> list[str]:
    """Say what only concerns the pending decision: the action, tiles drawn, the tile in hand."""
    lines = []
    if is_solo(state) and state["card"] != NONE:
        lines.append(f"Pal's card: {card_words(int(state['card']))}")
    if state["field"] != NONE:
        field, column = int(state["field"]), int(state["column"])
        lines.append(f"Action: {field_name(column, field)}{_progress(state)}")
    if state["n_drawn"]:
        lines += _drawn(state)
    if state["held"] != NONE:
        lines.append(f"In hand: {TILES[state['held']]}")
    if state["building"] != NONE:
        panel = int(state["building"])
        lines.append(f"In hand: panel {panel_name(panel)} ({panel_effect(panel)})")
    return lines


def _drawn(state: Any) -> list[str]:
    """List tiles that were drawn, in the order in which they are chosen (1.11)."""
    drawn = sorted(state["drawn"][: state["n_drawn"]].tolist())
    where = "" if state["site"] == NONE else f" at {site_name(int(state['site']))}"
    left = [TILES[tile] for tile in drawn if tile >= state["last"]]
    lines = listing(f"Drawn{where}, in the order of choice:", left)
    passed = [TILES[tile] for tile in drawn if tile < state["last"]]
    return lines + (listing("Passed over:", passed) if passed else [])


def _progress(state: Any) -> str:
    """Say how much of the action is left."""
    field = int(state["field"])
    row = parts.ROW_OF_FIELD[field]
    if row >= Row.JOKER or state["phase"] == Phase.KEEP:
        return ""
    if row == Row.TRADE:
        uses = [f"{state[what]} to {what[:-1]}" for what in ("buys", "sells") if state[what]]
        return f": {(' and ' if parts.BOTH_OF_FIELD[field] else ' or ').join(uses)} left"
    return f" ({field_effect(field)}): {state['left']} left"


def _question(state: Any) -> str:
    """Say who decides what."""
    phase = Phase(state["phase"])
    if phase == Phase.OVER:
        return _end(state)
    who = owner(state, int(state["to_play"]))
    return f"{who[0].upper()}{who[1:]} {_asked(state, phase)}"


def _asked(state: Any, phase: Phase) -> str:
    """Word what is asked."""
    if phase == Phase.KEEP:
        n = int(state["keep"])
        why = {
            Reason.HAND: "for the storage",
            Reason.BONUS: "of the bonus field",
            Reason.DIG: "of the dig",
            Reason.EXCAVATION: "of the excavation",
        }[Reason(state["reason"])]
        more = f" and then {count(n - 1, 'tile')} not before it in this order" if n > 1 else ""
        return f"chooses a tile to keep {why}{more}."
    if phase == Phase.CELL:
        what = "the panel" if state["building"] != NONE else TILES[state["held"]]
        return f"chooses a field of the museum for {what}."
    if phase == Phase.POSE:
        return f"chooses the piece and how the new fossil of {TILES[state['held']]} lies."
    if phase == Phase.TURN and not state["students"][state["to_play"]]:
        return "places workers on a field."
    return _QUESTIONS[phase]


_QUESTIONS = {
    Phase.UNUSED: "chooses the site and column that this game does without.",
    Phase.SIDE: "chooses the side of the museum.",
    Phase.SPLIT: f"chooses the job goal with {parts.SPLIT[0]} workers; the others get one each.",
    Phase.START: "chooses the starting fossil.",
    Phase.TURN: "places workers on a field, or digs first.",
    Phase.COPY: "chooses what the joker does.",
    Phase.DISPLAY: "chooses the next tile to display.",
    Phase.BUILD: "builds a panel or donates a tile.",
    Phase.OWNER: "chooses whom to donate to.",
    Phase.TARGET: "chooses the field that takes the donation.",
    Phase.TRADE: "buys or sells.",
    Phase.TOUR: "chooses the next line of the tour.",
    Phase.MANAGE: "chooses what management brings.",
    Phase.SEARCH: "chooses a tile out of the bags.",
    Phase.SITE: "chooses the bag.",
    Phase.AFTER: "may dig after the action.",
    Phase.DISCARD: "has too many tiles and puts one into the market.",
    Phase.ASSIGN: f"has more than {parts.REGULAR_LIMIT} workers: one stays in a column for good.",
    Phase.FACE: "chooses the piece that the donated tile shows.",
    Phase.TIE: "chooses the fossil that Pal donates to.",
    Phase.LOSE: "loses a worker of a job goal.",
    Phase.CARD: "chooses an action card.",
    Phase.FIELD: "chooses a field for the workers.",
    Phase.EXHIBIT: "chooses the fossil card to extend.",
    Phase.PIECE: "chooses the piece.",
    Phase.END: "chooses from which end of the market tiles are removed.",
}


def _end(state: Any) -> str:
    """Say how the game ended."""
    if not is_solo(state):
        return text.first_place(table.rules("fossilium"), state, why=" of prestige")
    score = int(state["score"][0])
    rank = next((rank for least, rank in parts.BANDS if score >= least), parts.BANDS[-1][1])
    lost = ": lost, as a majority was not won" if state["lost"] else ""
    return f"The game is over. The player has {score} prestige, rank {rank}{lost}."
