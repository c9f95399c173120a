"""Fossilium solo: Pal drawn."""

from __future__ import annotations

from typing import Any

from ..kernels.fossilium import parts
from ..kernels.fossilium.state import NONE
from .fossilium_names import ACTS, CODES, PAL, SPECIES, card_words, is_solo
from .text import count, listed, listing

DIFFICULTIES = (
    "high_goals",
    "more_b",
    "dark_goals",
    "pal_first",
    "more_turns",
    "must_win_majorities",
    "negative_prestige",
    "empty_fields",
    "storage_penalty",
    "lose_job_workers",
)


def difficulties(state: Any) -> list[str]:
    """Name the difficulties that are played with.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    list of str
    """
    chosen = [name.replace("_", " ") for name in DIFFICULTIES if is_solo(state) and state[name]]
    return listing("Difficulties:", chosen) if chosen else []


def turns_left(state: Any) -> int:
    """Return the turns that Pal still has in this round.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    int
    """
    turns = parts.PAL_TURNS[state["more_turns"], state["round_number"]]
    return int(turns - state["pal_turns"])


def pal_words(state: Any, player: int | None) -> list[str]:
    """Draw what Pal has, and her action cards as a seat may know them.

    Parameters
    ----------
    state : STATE record
    player : int or None

    Returns
    -------
    list of str
    """
    mark = ">" if state["to_play"] == PAL and not state["done"] else " "
    left = count(turns_left(state), "turn")
    turns = f", {left} left this round" if state["round_number"] and not state["done"] else ""
    guests, workers = int(state["guests"][PAL]), int(state["workers"][PAL])
    lines = [
        f"{mark} Pal{' (you)' if player == PAL else ''}: {count(guests, 'guest')}, "
        f"${state['dollars'][PAL]}, {count(workers, 'worker')} to place, "
        f"{count(int(state['cubes']), 'cube')}{turns}"
    ]
    n = int(state["played"])
    played = state["deck"][:n].tolist()
    if played:
        lines += listing("Action cards played:", map(card_words, played))
    if player == 0:
        return lines + _unknown_cards(state, played)
    cards = [card_words(card) for card in state["deck"][n:].tolist() if card != NONE]
    return lines + listing("Action cards in order:", cards or ["none"])


def _unknown_cards(state: Any, played: list[int]) -> list[str]:
    """List the cards that Pal may still have (solo 2.5, 10.1)."""
    size = int((state["deck"] != NONE).sum())
    only_b = any(parts.IS_B[card] for card in played)
    lines = [f"Action cards to come: {size - len(played)} of {size}, A cards before B cards"]
    for act, name in enumerate(ACTS):
        drawn = int(parts.CARDS_DRAWN[act]) - sum(parts.ACT_OF_CARD[c] == act for c in played)
        unseen = [
            card_words(card).replace(f" {name}", " B" if parts.IS_B[card] else " A", 1)
            for card in range(parts.N_CARDS)
            if parts.ACT_OF_CARD[card] == act
            and card not in played
            and not (only_b and not parts.IS_B[card])
        ]
        few = f"{max(0, drawn)}{' or more' if state['more_turns'] else ''} of {len(unseen)}"
        lines += listing(f"  {name}, {few}:", unseen or ["none"], 4)
    return lines


def fossil_cards(state: Any) -> list[str]:
    """Draw the fossil cards that are open.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    list of str
    """
    places = [place for place, card in enumerate(state["exhibit"].tolist()) if card != NONE]
    if not places:
        return []
    to_come = len(state["exhibit"]) - len(places)
    head = "Pal's fossil cards (a free piece can be donated)"
    lines = [head + (f"; {to_come} to come" if to_come else "")]
    for place in places:
        lines.append(f"  {fossil_card(state, place)}")
    return lines


def fossil_card(state: Any, place: int) -> str:
    """Word a fossil card: what is depicted on it, displayed and free.

    Parameters
    ----------
    state : STATE record
    place : int
        In the order in which they were opened.

    Returns
    -------
    str
    """
    card = int(state["exhibit"][place])
    species = int(parts.SPECIES_OF_FOSSIL_CARD[card])
    size, extent = int(parts.SIZE_OF_FOSSIL_CARD[card]), int(state["extent"][place])
    sets = (
        ("depicted", int(parts.DEPICTED[card])),
        ("displayed", extent & ~int(parts.DEPICTED[card])),
        ("free", int(parts.ALL_PIECES[card]) & ~extent),
    )
    words = []
    for name, members in sets:
        pieces = [str(p + 1) for p in range(size) if members >> p & 1]
        if pieces:
            words.append(f"{name} {listed(pieces)}")
    cubes = int(state["cubes_on"][place])
    words += [count(cubes, "cube")] if cubes else []
    finished = "" if sets[2][1] else ", finished"
    return f"{CODES[species]} {SPECIES[species]}, size {size}: {'; '.join(words)}{finished}"
