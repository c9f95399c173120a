"""Fossil Canyon in words: what a move is, and what a step did, as each seat may know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels import canyon_cards as cards
from ..kernels import fossil_canyon as canyon
from ..kernels.fossil_canyon import NONE, Op, Phase, Stage
from . import text
from .canyon_words import TYPES
from .text import listed

RULES = canyon.RULES
FIRST_TRACE = cards.N_SKELETAL_TYPES
N_COSTS = len(canyon.EXCHANGE_COSTS)
AWARDS = ("major", "minor")


_SHEET_EVENTS = tuple(event["id"].replace("_", " ") for event in cards.PARTS["event"])
EVENTS = (*_SHEET_EVENTS, "plain erosion")  # the last one is that of 1.5


def kinds(counts: Any) -> list[str]:
    """Word a heap of cards, each card once.

    Parameters
    ----------
    counts : int array (N_TYPES,)
        Numbers of each type; negative ones count as none.

    Returns
    -------
    list of str
    """
    return [TYPES[kind] for kind, n in enumerate(counts.tolist()) for _ in range(n)]


def cost(state: Any) -> int:
    """Return what the next exchange, or the one under way, costs (4.8, 6.1).

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    int
    """
    if state["stage"] == Stage.EVENT:
        return int(canyon.N_OF_EVENT[state["event"]])
    return int(canyon.EXCHANGE_COSTS[state["exchanges"]])


def museum(state: Any, seat: int) -> int:
    """Return the points of a seat's skeletons and awards, that is without bonuses (10.5).

    Parameters
    ----------
    state : STATE record
    seat : int

    Returns
    -------
    int
    """
    values = cards.VALUE_OF_GENUS[: cards.N_SKELETAL]
    return int(state["skeletons"][seat] @ values + state["awards"][seat] @ canyon.AWARD_POINTS)


# --- moves ----------------------------------------------------------------------------------------


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
        One line without a full stop. Players count from 0.

    Raises
    ------
    ValueError
        If there is no such action.

    Examples
    --------
    >>> describe(RULES.new(seed=1), RULES.actions.encode("dig_buried"))
    'dig a buried fossil'
    """
    block, values = RULES.actions.decode(action)
    legal = action in RULES.legal_actions(state)
    words: str = _WORDS[block](state, legal, **values)
    return words


def _of_a_type(verb: str) -> Callable[..., str]:
    """Make the words of the actions that name a type."""
    return lambda state, legal, type: f"{verb} {TYPES[type]}"


def _won(verb: str) -> Callable[..., str]:
    """Make the words of getting a card that the mover sees before."""

    def words(state: Any, legal: bool, type: int) -> str:
        seat, genus = state["to_play"], cards.GENUS_OF_TYPE[type]
        first = cards.FIRST_TYPE_OF_GENUS[genus]
        held = state["up"][seat] + state["hidden"][seat] > 0
        held[type] = True
        whole = held[first : first + cards.FOSSILS_OF_GENUS[genus]]
        done = legal and type < FIRST_TRACE and whole.all()
        return f"{verb} {TYPES[type]}" + (", completing it" if done else "")

    return words


def _stop_words(state: Any, legal: bool) -> str:
    """Word the choice to make no exchange, or no claim after the last one (6.2, 10.2)."""
    if legal and state["stage"] == Stage.EVENT:
        return "make no exchange"
    claims_only = legal and state["exchanges"] == N_COSTS
    return "claim nothing" if claims_only else "stop exchanging"


def _exchange_words(state: Any, legal: bool, opponent: int) -> str:
    """Word the choice of a partner (6.2)."""
    gives = f" (gives {cost(state)})" if legal else ""
    return f"exchange with {text.opponent(state, opponent)}{gives}"


def _buried_words(verb: str) -> Callable[..., str]:
    """Make the words of what happens to a buried card that the mover looks at (5.3)."""

    def words(state: Any, legal: bool) -> str:
        return f"{verb} {TYPES[state['dug']] if legal else 'the buried fossil'}"

    return words


def _claim_words(award: int) -> Callable[..., str]:
    """Make the words of claiming an award (3.4)."""
    article = "the" if canyon.AWARD_PIECES[award] == 1 else "a"

    def words(state: Any, legal: bool, cards: int) -> str:
        return f"claim {article} {AWARDS[award]} award with {listed(_set_words(award, cards))}"

    return words


def _set_words(award: int, number: int) -> list[str]:
    """Name the trace fossils of a set (3.5)."""
    mask = int(canyon.SETS[award, number])
    return [cards.GENERA[cards.N_SKELETAL + i] for i in range(cards.N_TRACES) if mask >> i & 1]


_WORDS: dict[str, Callable[..., str]] = {
    "hide": _of_a_type("hide"),
    "done": lambda state, legal: "hide no more",
    "dig": _won("dig"),
    "dig_buried": lambda state, legal: "dig a buried fossil",
    "keep": _buried_words("keep"),
    "put_back": _buried_words("put back"),
    "stop": _stop_words,
    "exchange": _exchange_words,
    "give": _of_a_type("give"),
    "take": _won("take"),
    "take_blind": lambda state, legal: "take a hidden fossil",
    "send": _of_a_type("pass on"),
    "reveal": _of_a_type("reveal"),
    "claim_major": _claim_words(0),
    "claim_minor": _claim_words(1),
}


# --- what happened --------------------------------------------------------------------------------

_STOP = RULES.actions.offset("stop")
_TO_END = (RULES.actions.offset("done"), RULES.actions.offset("stop"))


def tell(before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what a step did, with all that was forced after it, as a seat may know it.

    Parameters
    ----------
    before, after : STATE record
        The true game before and after the step.
    action : int
    player : int, optional
        The seat that is told; default everything is told.

    Returns
    -------
    str
        One line without a full stop; the player who acted is left out in front of it. Choices of
        others, which were forced, follow behind their names. Empty where a seat learns of nothing:
        that another one, which has not finished, has picked a card to hide.
    """
    speaker, told = int(before["to_play"]), ""
    for number, (choice, old, new) in enumerate(text.choices(canyon, before, action)):
        mover = int(old["to_play"])
        silent = choice < 0 or (number > 0 and choice in _TO_END)  # nobody misses them
        clauses = [] if silent else _choice_clauses(choice, old, new, player)
        if clauses and mover != speaker:
            clauses[0] = f"player {mover}: {clauses[0]}"
            speaker = mover
        consequences = _consequences(choice, old, new)
        for clause in clauses + consequences:
            told += f"; {clause}" if told else clause
        if consequences:
            speaker = int(new["active"]) if "turn of" in consequences[-1] else NONE
    return told


def _choice_clauses(choice: int, old: Any, new: Any, player: int | None) -> list[str]:
    """Word a choice as a seat may know it after it was made."""
    block, values = RULES.actions.decode(choice)
    mover = int(old["to_play"])
    own = player is None or player == mover
    words = describe(old, choice).removesuffix(", completing it")
    if block in ("hide", "done"):
        hiding = _hiding(words, values, old, new, own)
        return [hiding] if hiding else []
    if block == "dig_buried":
        verb = "look at" if new["dug"] != NONE else "dig"
        seen = f": {_lost(old['buried'], new['buried'])}" if own else ""
        return [f"{verb} a buried fossil{seen}"]
    if block == "keep":
        return [words if own else "keep the buried fossil"]
    if block == "give":
        return [f"{words} to player {old['target']}"]
    if block == "take":
        return [f"{words} from player {old['target']}"]
    if block == "take_blind":
        target = int(old["target"])
        seen = ""
        if own or player == target:
            seen = f": {_lost(old['hidden'][target], new['hidden'][target])}"
        return [f"take a hidden fossil from player {target}{seen}"]
    if block in ("send", "reveal") and not own:
        return ["choose a fossil to " + ("pass on" if block == "send" else "reveal")]
    return [words]


def _lost(old: Any, new: Any) -> str:
    """Name the one card that left a heap."""
    return TYPES[int(np.flatnonzero(old > new)[0])]


def _hiding(words: str, values: dict[str, int], old: Any, new: Any, own: bool) -> str:
    """Word a pick of a card to hide, and what all see when the last one is made (2.5, 9.1)."""
    mover, stage = int(old["to_play"]), old["stage"]
    picked = old["picked"][mover].astype(int)
    for kind in values.values():
        picked[kind] += 1
    ended = (stage, old["drawn"], mover) != (new["stage"], new["drawn"], new["to_play"])
    if not ended:
        return words if own else ""  # how many it will be is shown later
    hidden = f" (hidden: {', '.join(kinds(picked)) or 'nothing'})" if own else ""
    if stage == Stage.SETUP:
        return f"{words}{hidden}" if own else "choose what to hide"
    shown = old["hidden"][mover].astype(int) - picked  # by how much the face-up cards grow
    if new["stage"] == Stage.END:
        shown[:] = 0  # all are laid out now
    changes = [
        f"{verb} {', '.join(changed)}"
        for verb, counts in (("lay out", shown), ("take up", -shown))
        if (changed := kinds(counts))
    ]
    first = f"{words}{hidden}" if own else f"have {picked.sum()} hidden"
    return ", ".join([first, *changes])


def _consequences(choice: int, old: Any, new: Any) -> list[str]:
    """Word what followed from a choice by itself, all of it seen by all."""
    told = []
    if old["phase"] in (Phase.SEND, Phase.REVEAL) and new["stage"] != old["stage"]:
        told.append(_chosen(choice, old))
    for seat in range(old["num_players"]):
        for genus in range(cards.N_SKELETAL):
            number = int(new["skeletons"][seat, genus]) - int(old["skeletons"][seat, genus])
            told += [f"player {seat} completes {cards.GENERA[genus]}"] * number
    if old["stage"] == Stage.SETUP and new["stage"] != Stage.SETUP:
        told.append("all lay out their other fossils")
    if new["drawn"] > old["drawn"]:
        told.append(f"turn of player {new['active']}: {_event(old, new)}")
    if new["stage"] == Stage.END and old["stage"] != Stage.END:
        told.append("the dig site is empty, all fossils are laid out, the end phase begins")
    if choice == _STOP and old["stage"] == Stage.END and not new["done"]:
        n, seat = int(old["num_players"]), int(old["active"])
        while (seat := (seat + 1) % n) != new["active"]:
            few = f"fewer than {canyon.END_MIN_CARDS} fossils"
            told.append(f"player {seat} has {few} and is passed over")
    if new["done"]:
        told.append(f"the game ends, {_end(new)}")
        for seat in range(new["num_players"]):
            if bonus := int(new["score"][seat]) - museum(new, seat):
                told.append(f"player {seat} gets {bonus} points of bonuses")
    return told


def _end(state: Any) -> str:
    """Say why a game is over (10.3, 10.4)."""
    rounds = int(state["num_players"])
    for turns, limit, what in (
        (state["barren"], canyon.STALEMATE_ROUNDS, "skeleton or award"),
        (state["idle"], canyon.IDLE_ROUNDS, "exchange or award"),
    ):
        if turns >= limit * rounds:
            return f"as {turns} turns in a row brought no {what}"
    return "as no skeleton and no award is possible any more"


def _chosen(choice: int, old: Any) -> str:
    """Word what all have chosen in secret to pass on or to reveal (4.6, 4.7)."""
    chosen = old["chosen"].tolist()
    if choice >= 0:  # else the last seat was skipped
        chosen[old["to_play"]] = RULES.actions.decode(choice)[1]["type"]
    each = [f"player {seat} {TYPES[kind]}" for seat, kind in enumerate(chosen) if kind != NONE]
    what = "pass on" if old["phase"] == Phase.SEND else "reveal"
    return f"all {what}: {', '.join(each) or 'nothing'}"


def _event(old: Any, new: Any) -> str:
    """Word the event of a turn that has begun, and what it did by itself (4.2 to 4.9)."""
    event = int(new["event"])
    op = canyon.OP_OF_EVENT[event]
    name: str = EVENTS[event]
    if op == Op.EXPOSE:
        return f"{name} exposes {listed(kinds(new['exposed'].astype(int) - old['exposed']))}"
    if op == Op.BURY:
        return f"{name} buries what was exposed" if old["exposed"].any() else name
    if op == Op.DIG and new["to_play"] != new["active"]:
        return f"{name} to player {new['to_play']}"
    return name
