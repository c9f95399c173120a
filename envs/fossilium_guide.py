"""Fossilium and its solo game told in short, for who plays from the screen alone."""

from __future__ import annotations

import textwrap
from typing import Any

from ..kernels.fossilium import parts
from .fossilium_names import is_solo
from .text import WIDTH, count


def guide(state: Any) -> str:
    """Tell how the game is played, in short; the page of the game has all of it.

    Parameters
    ----------
    state : STATE record
        Of which the number of players and the options are used.

    Returns
    -------
    str
        Paragraphs of at most 100 columns.
    """
    paragraphs = [_aim(state), _round(state), _turn(), _fossils(), _tours(), _trade()]
    paragraphs += [_excavation(), *([_pal(state)] if is_solo(state) else [])]
    return "\n\n".join(
        textwrap.fill(" ".join(paragraph.split()), WIDTH, subsequent_indent="  ")
        for paragraph in paragraphs
    )


def _aim(state: Any) -> str:
    """Say what the game is about."""
    if not is_solo(state):
        return f"AIM: the most prestige after {parts.ROUNDS} rounds."
    ranks = ", ".join(f"{least} is rank {rank}" for least, rank in reversed(parts.BANDS))
    lost = " Without more guests and more dollars than Pal at the end the game is lost."
    return f"AIM: as much prestige as possible after {parts.ROUNDS} rounds: {ranks}." + (
        lost if state["must_win_majorities"] else ""
    )


def _round(state: Any) -> str:
    """Tell the course of a round."""
    filled = [str(r) for r in range(1, parts.ROUNDS + 1) if parts.FILL_ROUNDS[r]]
    return f"""A ROUND: income, action phase, opening, excavation. Income: each shop pays
        ${parts.SHOP_DOLLARS} for each displayed piece of its type in its row, each entrance
        {count(parts.ENTRANCE_GUESTS, "guest")} for each of its type in its column, panels pay what
        they say, and free places of the storage give students. Opening: the guests on the track pay
        prestige (column `pay`: {_pay()}), the round goal may bring regular guests, then all guests
        leave but the regular ones. The market is filled at the end of rounds
        {" and ".join(filled)}. Round {parts.ROUNDS} ends with the opening and one more income."""


def _pay() -> str:
    """Word the first guests that pay."""
    steps = [n for n in (1, 2, 3) if n in parts.PRESTIGE_OF_GUESTS]
    firsts = [int((n <= parts.PRESTIGE_OF_GUESTS).argmax()) for n in steps]
    return ", ".join(f"{n} from {first}" for n, first in zip(steps, firsts, strict=True)) + " ..."


def _turn() -> str:
    """Tell a turn."""
    return f"""A TURN: place workers on a free field and do what it allows, as much of it as you
        like; a bonus field first brings the gain of its column. The joker acts as any other field
        of its column, free or not; it costs ${parts.JOKER_COST} less $1 for each worker there.
        Once a turn, before or after that, you may dig: pay students, draw as many tiles from a bag,
        keep one. A tile that finds the storage full, and all that are given up, go to the
        market."""


def _fossils() -> str:
    """Tell how tiles become fossils, and what that brings."""
    large, small = parts.PEDESTAL_PRESTIGE[:2].tolist()
    return f"""FOSSILS: a tile 3/4 is displayed as piece 3 or as piece 4 of its species. The first
        tile of a fossil settles where all of it lies, and reserves the other cells. What has no
        choice is done without asking: where only one piece or one way to lie is possible, it is
        laid so at once. A complete fossil brings guests and more at once and prestige at the end,
        {large} or {small} more if it just fills a large or small pedestal. Donating a tile to
        a fossil of another brings you as much prestige as that fossil then shows pieces."""


def _tours() -> str:
    """Tell what lines and lines of a tour are."""
    return """TOUR: a line is one shop or one entrance, which pays once more. A row or column is
        full when each cell has a displayed piece or a panel."""


def _trade() -> str:
    """Tell how prices move."""
    return f"""TRADE: each tile bought makes its type $1 dearer (at most ${parts.MAX_PRICE}), each
        tile sold $1 cheaper first (at least ${parts.MIN_PRICE}). Tiles pushed out of the market go
        to the archive, where they cost ${parts.SURCHARGE} more."""


def _excavation() -> str:
    """Tell the excavation and permanent workers."""
    return f"""EXCAVATION (not in round {parts.ROUNDS}): in each column where you have workers you
        draw one tile for each worker in it, yours or not, at most {parts.DRAW_CAP}, and keep one
        for each of your own. Then workers come home; those above {parts.REGULAR_LIMIT} become
        permanent in a column of your choice: they count there for excavations and the joker, and
        act again in round {parts.ROUNDS}, in their column. Then a strip in each column lets a
        worker take a tile of any bag that can be displayed at once, and display it."""


def _pal(state: Any) -> str:
    """Tell what Pal does."""
    turns = parts.PAL_TURNS[state["more_turns"], 1:].tolist()
    return f"""PAL takes {", ".join(map(str, turns))} turns in rounds 1 to {len(turns)}, alternating
        with you. Each plays a card: workers on the first free field of its row (small and large
        before bonus, then joker), from the left with arrow right, from the right with arrow left,
        where they block you; then the card. Display: she lays one of her {parts.PAL_CUBES} cubes on
        the highest (arrow right) or lowest (left) free piece of her fossil cards; a card without
        free pieces gives its cubes back. Tour: she gains guests, which never leave, and dollars.
        Donate: she adds the highest (right) or lowest (left) missing piece to your incomplete
        fossil with the most pieces shown, and YOU LOSE prestige equal to the pieces it then
        shows{"" if state["negative_prestige"] else ", but not below 0"}. Buy/sell: tiles leave the
        market, counted from the left (arrow right) or from the right, and new ones come. You may
        donate to her open fossil cards: that brings the pieces then shown on the card as
        prestige."""
