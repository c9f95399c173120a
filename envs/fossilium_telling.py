"""Fossilium and its solo game in words: what a step did, with all that followed from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..kernels.fossilium import parts
from ..kernels.fossilium.actions import ACTIONS
from ..kernels.fossilium.parts import Act, Row
from ..kernels.fossilium.shown import Part, end_prestige
from ..kernels.fossilium.state import NONE, Phase, Reason, Stage
from ..kernels.fossilium.turn import BY_RULE, WAITS, apply_choice, go_on
from .fossilium_names import (
    PAL,
    SPECIES,
    TILES,
    amount,
    card_words,
    cell_name,
    displayed,
    field_name,
    heap,
    is_solo,
    legal_cells,
    museums,
    owner,
    panel_name,
    table_of_actions,
    tiles,
)
from .fossilium_words import describe
from .text import count

_STOP = ACTIONS.offset("stop")  # in the solo game, too
Event = tuple[int, Any, Any]  # a choice, or BY_RULE; the game before and after it


def tell(before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what a step did, with all that followed from it; everybody sees all of it.

    Parameters
    ----------
    before, after : STATE record
        The true game before and after the step.
    action : int
    player : int, optional
        The seat that is told; all are told the same.

    Returns
    -------
    str
        One line without a full stop; the player who acted is left out in front of it. What others
        did, or had to do, follows behind their names.
    """
    speaker, told = int(before["to_play"]), []
    for number, (choice, old, new) in enumerate(_events(before, action)):
        if number > 0 and choice == _STOP:  # nobody misses what was forced
            continue
        for seat, clause in _clauses(choice, old, new):
            name = "" if seat in (NONE, speaker) else f"{owner(old, seat)}: "
            told.append(name + clause)
            speaker = seat
    return "; ".join(told) or describe(before, action)


def _events(before: Any, action: int) -> Iterator[Event]:
    """Play a step again, thing by thing."""
    old, new = before, before.copy()
    apply_choice(new, np.int64(action))
    choice = action
    while choice != WAITS:
        if choice >= 0:
            old = old.copy()
            old["choices"] = new["choices"]  # those among which this choice was made
        yield choice, old, new
        old, new = new, new.copy()
        choice = int(go_on(new))


def _clauses(choice: int, old: Any, new: Any) -> list[tuple[int, str]]:
    """Word an event: pairs of a seat, or NONE where nobody acts, and what happened."""
    if choice == BY_RULE:
        told = _by_rule(old, new)
    else:
        mover = int(old["to_play"])
        block, values = table_of_actions(old).decode(choice)
        words = _CHOICES.get(block, _as_meant)(choice, values, old, new)
        told = [(mover, words + _gains(old, new, mover))] if words else []
        told += _by_others(old, new, mover)
    if old["phase"] != Stage.ROUND:
        told += _fossils(old, new)
    told += [(NONE, words) for words in _market(old, new, choice)]
    return told + _drawn(old, new)


# --- choices --------------------------------------------------------------------------------------


def _as_meant(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word a choice that does what it says; without the gains, which follow."""
    return describe(old, choice).partition(" for ")[0].partition(",")[0]


def _tile(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word the choice of a tile; where it is laid or given to follows with the field."""
    phase, tile = old["phase"], TILES[values["type"]]
    if phase in (Phase.DISPLAY, Phase.BUILD):
        return ""
    if phase == Phase.SEARCH and parts.ROW_OF_FIELD[old["field"]] == Row.STRIP:
        return ""
    words = _as_meant(choice, values, old, new)
    if phase != Phase.KEEP:
        return words
    if old["reason"] in (Reason.BONUS, Reason.DIG):
        full = old["stored"][old["to_play"]] >= parts.STORAGE
        return f"keep {tile}" + (", but the storage is full" * bool(full))
    return f"keep {tile}"


def _field(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word workers on a field."""
    name = field_name(values["column"], values["field"])
    if old["phase"] == Phase.COPY:
        return f"copy {name}"
    seat = int(old["to_play"])
    if is_solo(old) and seat == PAL:
        n = int(old["workers"][PAL]) - int(new["workers"][PAL])
        return f"{count(n, 'worker')} on {name}" if n else "too few workers for a field"
    return f"{count(int(parts.WORKERS_OF_FIELD[values['field']]), 'worker')} on {name}"


def _cell(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word what comes onto a field of a museum."""
    cell, seat = values["cell"], int(old["to_play"])
    name = cell_name(cell)
    if old["phase"] == Phase.TIE:
        forced = len(legal_cells(old)) == 1
        return "" if forced else f"choose the fossil at {name} for Pal's donation"
    if old["phase"] == Phase.TARGET:
        whose = int(old["owner"])
        return f"donate {_piece_at(new, whose, cell)} to {owner(old, whose)}, on {name}"
    if old["building"] != NONE:
        return f"build {panel_name(int(old['building']))} on {name}"
    if new["spot"] != NONE:
        return ""
    return f"display {_piece_at(new, seat, cell)} on {name}"


def _piece_at(state: Any, seat: int, cell: int) -> str:
    """Name the piece on a field of a museum: `piece 3 of Plateosaurus`."""
    tile = int(state["tile"][seat, cell])
    species: str = SPECIES[parts.SPECIES_OF_TILE[tile]]
    if parts.SIZE_OF_TILE[tile] == 1:
        return species
    return f"piece {state['piece'][seat, cell]} of {species}"


def _pose(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word a new fossil."""
    cell, seat = int(old["spot"]), int(old["to_play"])
    words = describe(old, choice).partition(": ")[2]
    return f"display {_piece_at(new, seat, cell)} on {cell_name(cell)} (new, {words})"


def _face(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word the starting fossil, or a donation to Pal."""
    if old["phase"] == Phase.START:
        return _as_meant(choice, values, old, new).partition(" (")[0]
    piece = 2 * int(parts.KIND_OF_TILE[old["held"]]) + values["face"] + 1
    return f"donate piece {piece} of {SPECIES[parts.SPECIES_OF_TILE[old['held']]]} to Pal"


def _card(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word the card that Pal plays, and which of her turns of the round it is."""
    return f"turn {new['pal_turns']}: {card_words(values['card'])}"


def _silent(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Leave out a choice that is told with the next one."""
    return ""


def _piece(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word the piece that Pal displays or donates."""
    piece = values["piece"] + 1
    if parts.ACT_OF_CARD[old["card"]] == Act.DISPLAY:
        card = int(old["exhibit"][old["chosen"]])
        return f"display piece {piece} of {SPECIES[parts.SPECIES_OF_FOSSIL_CARD[card]]}"
    (cell,) = np.flatnonzero(new["displayed"][0] != old["displayed"][0]).tolist()
    lost = int(old["score"][0]) - int(new["score"][0])
    site = int(np.flatnonzero(old["in_bag"] != new["in_bag"])[0]) + 1
    return (
        f"donate {_piece_at(new, 0, cell)} from site {site} to the player, on {cell_name(cell)}, "
        f"who loses {lost} prestige"
    )


def _column(choice: int, values: dict[str, int], old: Any, new: Any) -> str:
    """Word the choice of a column or of a bag."""
    if old["phase"] != Phase.SITE:
        return _as_meant(choice, values, old, new)
    return f"take {TILES[old['held']]} from the bag of site {values['column'] + 1}"


_CHOICES: dict[str, Callable[[int, dict[str, int], Any, Any], str]] = {
    "column": _column,
    "side": lambda choice, values, old, new: f"take side {'AB'[values['side']]} of the museum",
    "goal": lambda choice, values, old, new: describe(old, choice),
    "face": _face,
    "field": _field,
    "tile": _tile,
    "cell": _cell,
    "pose": _pose,
    "panel": _silent,
    "owner": _silent,
    "exhibit": _silent,
    "piece": _piece,
    "card": _card,
}


# --- what changes ---------------------------------------------------------------------------------


def _gains(old: Any, new: Any, seat: int) -> str:
    """Word in brackets what a seat received or paid; empty where nothing changed."""
    words = _changes(old, new, seat)
    return f" ({', '.join(words)})" if words else ""


def _changes(old: Any, new: Any, seat: int) -> list[str]:
    """Word what a seat received or paid."""
    words = []
    names = (
        ("score", "prestige"),
        ("dollars", "dollars"),
        ("guests", "guests"),
        ("regular", "regular guests"),
        ("students", "students"),
        ("amber", "amber"),
        ("stands", "stands"),
    )
    for field, what in names:
        if seat >= len(old[field]):
            continue
        change = int(new[field][seat]) - int(old[field][seat])
        if change and not (field == "score" and is_solo(old) and seat == PAL):
            sign = "+" if change > 0 else "-"
            word = f"{abs(change)} amber" if what == "amber" else amount(what, abs(change))
            words.append(sign + word)
    if seat < len(old["on_goal"]) and old["phase"] != Phase.LOSE:
        left = np.flatnonzero(new["on_goal"][seat] < old["on_goal"][seat]).tolist()
        words += [f"a worker from job goal {g + 1}" for g in left]
    return words


def _by_others(old: Any, new: Any, mover: int) -> list[tuple[int, str]]:
    """Word what others received by a choice."""
    seats = [seat for seat in range(len(old["dollars"])) if seat != mover]
    gives = is_solo(old) and mover == PAL and old["phase"] == Phase.PIECE
    told = []
    for seat in seats:
        words = _changes(old, new, seat)
        if gives and words and "prestige" in words[0]:
            words = words[1:]  # told with the donation
        told += [(seat, ", ".join(words))] if words else []
    return told


def _fossils(old: Any, new: Any) -> list[tuple[int, str]]:
    """Word the fossils that were completed, and Pal's that were finished or opened."""
    told = []
    for seat in range(museums(old)):
        for cell in np.flatnonzero(new["displayed"][seat] > old["displayed"][seat]).tolist():
            tile = int(new["tile"][seat, cell])
            if displayed(new, seat, cell) == parts.SIZE_OF_TILE[tile] and old["round_number"] > 0:
                species = SPECIES[parts.SPECIES_OF_TILE[tile]]
                told.append((NONE, f"{species} of {owner(new, seat)} is complete"))
    if is_solo(old):
        for place, card in enumerate(new["exhibit"].tolist()):
            if card == NONE:
                continue
            species = SPECIES[parts.SPECIES_OF_FOSSIL_CARD[card]]
            whole = parts.ALL_PIECES[card]
            if old["exhibit"][place] == NONE:
                told.append((NONE, f"Pal opens the fossil card {species}"))
            elif new["extent"][place] == whole != old["extent"][place]:
                told.append((NONE, f"Pal's {species} is finished"))
    return told


def _market(old: Any, new: Any, choice: int) -> list[str]:
    """Word what came into the market, into the archive and out of the game."""
    archived = new["archive"].astype(int) - old["archive"]
    rows = _rows(new) - _rows(old) + np.maximum(archived, 0)  # what is pushed out was in a row
    if choice >= 0 and old["phase"] in (Phase.TRADE, Phase.DISCARD):
        rows[:] = 0  # told with the choice
    words = []
    if (rows > 0).any():
        words.append(f"into the market: {', '.join(heap(rows))}")
    if (archived > 0).any():
        words.append(f"pushed into the archive: {', '.join(heap(archived))}")
    if (rows < 0).any():
        words.append(f"out of the market: {', '.join(heap(-rows))}")
    return words


def _rows(state: Any) -> Any:
    """Count the tiles of each type in the market."""
    tiles_in = state["market"][state["market"] != NONE]
    return np.bincount(tiles_in, minlength=parts.N_TILES)


def _drawn(old: Any, new: Any) -> list[tuple[int, str]]:
    """Word the tiles that were drawn, and those that were put back."""
    seat = int(new["to_play"])
    if new["n_drawn"] > 0 and (old["n_drawn"] == 0 or new["keep"] > old["keep"]):
        where = "" if new["site"] == NONE else f" at site {new['site'] + 1}"
        return [(seat, f"draw{where}: {', '.join(tiles(new['drawn']))}")]
    return []


# --- what the rules do ----------------------------------------------------------------------------


def _by_rule(old: Any, new: Any) -> list[tuple[int, str]]:
    """Word what happened without a choice."""
    phase = int(old["phase"])
    if phase == Stage.ROUND:
        return _income(old, new)
    if phase == Stage.OPENING:
        return _opening(old, new)
    if phase == Stage.HOME:
        return [(NONE, "all workers go home")]
    if phase == Stage.DONE:
        seat = int(old["to_play"])
        words = _changes(old, new, seat)
        return [(seat, f"the tour ends ({', '.join(words)})")] if words else []
    if phase == Stage.PAL:
        return _effect_of_card(old, new)
    skipped = _SKIPPED.get(phase)
    return [(PAL if phase != Phase.SEARCH else NONE, skipped)] if skipped else []


_SKIPPED: dict[int, str] = {
    Phase.FIELD: "no free field for the workers",
    Phase.EXHIBIT: "no free piece on the fossil cards",
    Phase.TIE: "no incomplete fossil to donate to",
    Phase.PIECE: "no bag holds a piece for it",
    Phase.SEARCH: "the bags are empty",
}


def _effect_of_card(old: Any, new: Any) -> list[tuple[int, str]]:
    """Word what a card of Pal does without a choice."""
    act = parts.ACT_OF_CARD[old["card"]]
    if act == Act.TOUR:
        return [(PAL, f"give tour{_gains(old, new, PAL)}")]
    if act == Act.DISPLAY and new["phase"] == Stage.TURN:
        return [(PAL, "no cube is left, nothing is displayed")]
    return []


def _income(old: Any, new: Any) -> list[tuple[int, str]]:
    """Word the beginning of a round."""
    told = [(NONE, f"round {new['round_number']} begins")]
    if is_solo(old) and new["round_number"] > 1:
        told.append((NONE, "the neutral workers move on"))
    told += _fossils(old, new)
    for seat in range(museums(old)):
        words = _changes(old, new, seat)
        told.append((seat, f"income {', '.join(words) or 'nothing'}"))
    return told


def _opening(old: Any, new: Any) -> list[tuple[int, str]]:
    """Word an opening, and what the end brings."""
    told = [(NONE, f"opening of round {old['round_number']}")]
    for seat in range(museums(old)):
        guests = int(old["guests"][seat])
        words = f"{parts.PRESTIGE_OF_GUESTS[guests]} prestige for {count(guests, 'guest')}"
        worth = int(new["regular"][seat]) - int(old["regular"][seat])
        if worth:
            words += f", the round goal brings {count(worth, 'regular guest')}"
        told.append((seat, f"{words}, then back to {count(int(new['regular'][seat]), 'guest')}"))
    if not new["done"]:
        return told
    told.append((NONE, "the last income and the end"))
    for seat in range(museums(old)):
        guests = int(new["guests"][seat])
        held = f"${new['dollars'][seat]} and {count(guests, 'guest')}"
        told.append((seat, f"{held}; prestige {_final(new, seat)}"))
    return told


def _final(state: Any, seat: int) -> str:
    """List what a museum scored at the end."""
    me = np.int64(seat)
    values = {}
    if is_solo(state):
        for field in ("guests", "dollars"):
            more = state[field][0] > state[field][PAL]
            values[f"more {field} than Pal"] = int(parts.MAJORITIES[0]) * int(more)
    else:
        values = {"guests": _end_part(state, me, Part.GUESTS)}
        values["dollars"] = _end_part(state, me, Part.DOLLARS)
        if state["end_goal"] != NONE:
            values["end goal"] = _end_part(state, me, Part.END_GOAL)
    values["panels"] = _end_part(state, me, Part.PANELS)
    values["fossils, amber, stands and pedestals"] = _end_part(state, me, Part.FOSSILS)
    if is_solo(state):
        if state["empty_fields"]:
            bare = (state["displayed"][0] == 0) & (state["panel"][0] == NONE)
            values["empty fields"] = -int(bare.sum())
        if state["storage_penalty"]:
            values["tiles in the storage"] = -int(state["stored"][0])
    return ", ".join(f"{n} for {what}" for what, n in values.items())


def _end_part(state: Any, seat: Any, part: Part) -> int:
    """Return what a part of the end brought a museum."""
    return int(end_prestige(state, seat, np.int64(part)))
