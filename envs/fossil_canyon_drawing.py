"""Fossil Canyon drawn: the table in text, as a seat sees it or with everything open."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels import canyon_cards as cards
from ..kernels import fossil_canyon as canyon
from ..kernels.fossil_canyon import NONE, Op, Phase, Stage
from . import text
from .canyon_words import TYPES
from .fossil_canyon_words import (
    AWARDS,
    EVENTS,
    FIRST_TRACE,
    N_COSTS,
    RULES,
    cost,
    kinds,
    museum,
)
from .text import listing

N_SHEET = len(cards.PARTS["event"])
LETTERS = tuple(
    "X" if kind >= FIRST_TRACE else fossil[0].upper()
    for kind, fossil in enumerate(cards.FOSSIL_OF_TYPE)
)


def draw(state: Any, player: int | None = None) -> str:
    """Draw a game in text: turn and event, the cards by genus, the museums, and what is asked.

    Parameters
    ----------
    state : STATE record
    player : int, optional
        The seat that looks: only what it may know is shown, its own column comes first. Default an
        arbiter, who sees everything.

    Returns
    -------
    str
        Several lines of at most 100 columns.

    Examples
    --------
    >>> print(draw(RULES.new(seed=1), 0).splitlines()[-1])
    Player 0 chooses up to 3 fossils to hide.
    """
    parts = [_course(state, player), _table(state, player), _museums(state, player), _prizes(state)]
    parts += [_legend(player), [*_under_way(state, player), _question(state, player)]]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _seats(state: Any, player: int | None) -> list[int]:
    """List the seats in the order of the columns: the own one first, then in turn order."""
    n = int(state["num_players"])
    return [((player or 0) + k) % n for k in range(n)]


# --- turn, event and site -------------------------------------------------------------------------


def _course(state: Any, player: int | None) -> list[str]:
    """Draw whose turn it is, the events known or still to come, and the dig site."""
    if state["stage"] == Stage.SETUP:
        lines = ["Set-up"]
    elif state["stage"] == Stage.END:
        lines = _end_words(state)
    else:
        words = _event_words(int(state["event"]))
        lines = [f"Turn {state['drawn']}, of player {state['active']}: {words}"]
    if state["stage"] != Stage.END:
        lines += _coming(state)
        exposed = kinds(state["exposed"]) or ["nothing"]
        lines += listing(f"Dig site: {state['buried'].sum()} buried; exposed:", exposed)
    if player is None:
        lines += listing("Discarded unseen:", kinds(state["discard"]) or ["nothing"])
    return lines


def _event_words(event: int) -> str:
    """Name an event and say what it does (4.2 to 4.9)."""
    n = int(canyon.N_OF_EVENT[event])
    fossils = f"{n} fossil" + "s" * (n != 1)
    active = cards.PARTS["event"][event].get("who") == "active" if event < N_SHEET else False
    effect = {
        Op.EXPOSE: f"exposes {fossils}",
        Op.BURY: "buries all that was exposed",
        Op.DIG: f"{'digs' if active else 'who has the fewest points digs'} {fossils} more",
        Op.PASS: "each player passes a fossil to the next seat",
        Op.REVEAL: "each player turns a hidden fossil face up",
        Op.EXCHANGE: f"one more exchange, giving {n}",
        Op.NONE: "nothing happens",
    }[canyon.OP_OF_EVENT[event]]
    return f"{EVENTS[event]} ({effect})"


def _coming(state: Any) -> list[str]:
    """Word the next event where its order is known, else all that are left (4.1)."""
    drawn, deck = int(state["drawn"]), state["deck"].tolist()
    if drawn >= len(deck):
        return [f"Next event: {_event_words(deck[drawn % len(deck)])}"]
    left = deck[drawn:]
    counts = [f"{left.count(event)} {name}" for event, name in enumerate(EVENTS) if event in left]
    return listing("Events left in the deck:", counts)


def _end_words(state: Any) -> list[str]:
    """Word how far the end phase has come (10.4)."""
    if state["done"]:
        return ["The end"]
    n = int(state["num_players"])
    return [
        f"End phase, turn of player {state['active']}",
        f"Turns in a row without skeleton or award: {state['barren']}, without exchange or award: "
        f"{state['idle']}; the end at {canyon.STALEMATE_ROUNDS * n} or {canyon.IDLE_ROUNDS * n}",
    ]


# --- the cards ------------------------------------------------------------------------------------


def _table(state: Any, player: int | None) -> list[str]:
    """Draw who has what, a row for each genus of which there are cards left."""
    seats = _seats(state, player)
    sees = np.array([_seen(state, player, seat) for seat in range(state["num_players"])])
    unseen = _unseen(state, player, sees)
    names = [f"you ({seat})" if seat == player else f"player {seat}" for seat in seats]
    rows = [["", "", "pts", "site", "unseen" if player is not None else "buried", *names]]
    left = unseen + state["exposed"] + state["up"].sum(0).astype(int) + sees.sum(0)
    if player is None:
        left = left + state["discard"]
    for genus in range(cards.N_GENERA):
        if genus == cards.N_SKELETAL and left[FIRST_TRACE:].any():
            rows.append(["trace fossils", "research"])
        first = cards.FIRST_TYPE_OF_GENUS[genus]
        types = range(first, first + cards.N_TYPES_OF_GENUS[genus])
        if not left[types.start : types.stop].any():
            continue
        trace = genus >= cards.N_SKELETAL
        cells = [cards.GENERA[genus]]
        cells.append("" if trace else _category(genus))
        cells.append(str((cards.RESEARCH_OF_GENUS if trace else cards.VALUE_OF_GENUS)[genus]))
        cells += [_heap(types, state["exposed"]), _heap(types, unseen)]
        cells += [_hand(types, state["up"][seat], sees[seat]) for seat in seats]
        rows.append(cells)
    hidden = state["hidden"].sum(1).astype(int)
    held = [str(int(state["up"][seat].sum()) + hidden[seat]) for seat in seats]
    rows.append(["fossils held", "", "", "", "", *held])
    if state["stage"] != Stage.END:
        rows.append(["hidden", "", "", "", "", *[str(hidden[seat]) for seat in seats]])
    if state["stage"] != Stage.END and player is not None:
        unknown = [str(hidden[seat] - sees[seat].sum() or ".") for seat in seats]
        rows.append(["hidden, unknown to you", "", "", "", "", *unknown])
    lines = _aligned(rows)
    if player is not None and (told := kinds(state["known"][:, player].max(axis=0))):
        lines += listing("Others know that you hide:", told)
    return lines


def _seen(state: Any, player: int | None, seat: int) -> Any:
    """Return the hidden cards of a seat that are known to whoever looks (12.2)."""
    if player is None or seat == player:
        return state["hidden"][seat].astype(int)
    return state["known"][player, seat].astype(int)


def _unseen(state: Any, player: int | None, sees: Any) -> Any:
    """Count the cards of each type that are anywhere but in sight; for an arbiter the buried."""
    unseen = state["buried"].astype(int)
    if player is None:
        return unseen
    unseen += state["discard"] + state["hidden"].sum(0).astype(int) - sees.sum(0)
    if state["dug"] != NONE and state["to_play"] != player:
        unseen[state["dug"]] += 1
    return unseen


def _category(genus: int) -> str:
    """Shorten period and diet."""
    period = cards.PERIODS[cards.PERIOD_OF_GENUS[genus]]
    return f"{period[:3]} {cards.DIETS[cards.DIET_OF_GENUS[genus]][:3]}"


def _heap(types: range, counts: Any) -> str:
    """Draw the cards of a genus in a heap: `S`, `2SB`."""
    return "".join(_some(LETTERS[kind], int(counts[kind])) for kind in types) or "."


def _hand(types: range, up: Any, hidden: Any) -> str:
    """Draw the cards of a genus in a hand: `Ss_`, a small letter is hidden, `_` a missing one."""
    if not (up[types.start : types.stop].any() or hidden[types.start : types.stop].any()):
        return "."
    return "".join(
        _some(LETTERS[kind], int(up[kind])) + _some(LETTERS[kind].lower(), int(hidden[kind])) or "_"
        for kind in types
    )


def _some(letter: str, n: int) -> str:
    """Draw n cards: nothing, `S`, `2S`."""
    return "" if n == 0 else letter if n == 1 else f"{n}{letter}"


def _aligned(rows: list[list[str]]) -> list[str]:
    """Put rows into columns: the first two to the left, the points to the right."""
    widths = [max(len(row[k]) for row in rows if len(row) > k + 1) for k in range(len(rows[0]) - 1)]
    widths[0] = max(map(len, cards.GENERA[: cards.N_SKELETAL]))
    lines = []
    for row in rows:
        if len(row) == 2:  # a title
            lines.append(f"{row[0]:<{widths[0]}} {row[1]:>{widths[1] + widths[2] + 1}}")
            continue
        cells = [f"{cell:<{width}}" for cell, width in zip(row, [*widths, 0], strict=False)]
        cells[2] = cells[2].strip().rjust(widths[2]) + " "
        if not row[2]:  # a label that may reach into the columns of genera
            cells[:5] = [f"{row[0]:<{sum(widths[:5]) + 5}}"]
        lines.append(" ".join(cells).rstrip())
    return lines


# --- museums and prizes ---------------------------------------------------------------------------


def _museums(state: Any, player: int | None) -> list[str]:
    """Draw points, skeletons and awards of each player."""
    lines = []
    for seat in _seats(state, player):
        start = f"{text.seat(state, seat, player, 14)}{state['score'][seat]:>4} points  "
        lines += listing(start, _exhibits(state, seat), len(start) + 1)
    return lines


def _exhibits(state: Any, seat: int) -> list[str]:
    """Word skeletons, awards and bonuses of a seat with their points."""
    found = []
    for genus, n in enumerate(state["skeletons"][seat].tolist()):
        times = f"{n} x " if n > 1 else ""
        found += [f"{cards.GENERA[genus]} {times}{cards.VALUE_OF_GENUS[genus]}"] * (n > 0)
    for name, n, points in zip(AWARDS, state["awards"][seat], canyon.AWARD_POINTS, strict=True):
        found += [f"{name} award {f'{n} x ' if n > 1 else ''}{points}"] * int(n > 0)
    bonus = int(state["score"][seat]) - museum(state, seat)
    return found + [f"bonuses {bonus}"] * (bonus > 0)


def _prizes(state: Any) -> list[str]:
    """Word the awards that are left and the bonuses to be had (3.4, 10.5)."""
    lines: list[str] = []
    if state["done"]:
        return lines
    if state["research"]:
        left = canyon.AWARD_PIECES - state["awards"].sum(0).astype(int)
        awards = [
            f"{n} {name} ({points} points for research {needs})"
            for name, n, points, needs in zip(
                AWARDS, left.tolist(), canyon.AWARD_POINTS, canyon.AWARD_NEEDS, strict=True
            )
        ]
        lines += listing("Awards left:", awards)
    if state["bonuses"] and len(canyon.BONUS_NAMES):
        lines += listing("Bonuses at the end:", list(map(_bonus, canyon.BONUS_NAMES)))
    return lines


def _bonus(name: str) -> str:
    """Word a bonus (10.5, 10.7)."""
    bonus = next(bonus for bonus in cards.PARTS["bonus"] if bonus["name"] == name)
    genera = " + ".join(bonus.get("genera", ()))
    if bonus["rule"] == "all_genera":
        return f"{bonus['points']} for {genera}"
    what = " ".join([bonus[key] for key in ("period", "diet") if key in bonus] + ["skeletons"])
    return f"{bonus['points']} for the most {what}" + (f" ({genera})" if genera else "")


def _legend(player: int | None) -> list[str]:
    """Explain the signs."""
    letters: dict[str, str] = {}
    for kind in range(FIRST_TRACE):
        letters.setdefault(LETTERS[kind], TYPES[kind].split(" ", 1)[1])
    words = [f"{letter} {fossil}" for letter, fossil in letters.items()]
    signs = "X trace; 2S two, small letters hidden, _ missing"
    periods = ", ".join(f"{period[:3]} {period}" for period in cards.PERIODS)
    diets = ", ".join(f"{diet[:3]} {diet}" for diet in cards.DIETS)
    lines = [*listing("", [*words, signs], 0), f"{periods}; {diets}; . none"]
    return lines if player is None else [*lines, "unseen: cards of which you do not know the place"]


# --- what is decided ------------------------------------------------------------------------------


def _under_way(state: Any, player: int | None) -> list[str]:
    """Draw what has been chosen so far: cards to hide, to pass on or to reveal, an exchange."""
    lines = []
    for seat in range(state["num_players"]):
        if player not in (None, seat):
            continue
        who = "You" if seat == player else f"Player {seat}"
        if picked := kinds(state["picked"][seat]):
            lines += listing(f"{who} will hide:", picked)
        if state["chosen"][seat] != NONE:
            lines.append(f"{who} will {_secret(state)}: {TYPES[state['chosen'][seat]]}")
    if state["target"] != NONE:
        head = f"Exchange with player {state['target']}: {state['given'].sum()} of {cost(state)}"
        given = kinds(state["given"])
        lines += listing(f"{head} given" + ":" * bool(given), given)
    return lines


def _secret(state: Any) -> str:
    """Word what is chosen in secret (4.6, 4.7)."""
    return "pass on" if state["phase"] == Phase.SEND else "reveal"


def _question(state: Any, player: int | None) -> str:
    """Say who decides what."""
    phase = Phase(state["phase"])
    if phase == Phase.OVER:
        return text.first_place(RULES, state)
    question: str = {
        Phase.HIDE: _hide_question,
        Phase.DIG: _dig_question,
        Phase.KEEP: _keep_question,
        Phase.EXCHANGE: _exchange_question,
        Phase.GIVE: _give_question,
        Phase.TAKE: _take_question,
        Phase.SEND: _secret_question,
        Phase.REVEAL: _secret_question,
    }[phase](state, player)
    return f"Player {state['to_play']} {question}"


def _hide_question(state: Any, player: int | None) -> str:
    """Ask what to hide (2.6, 9.1)."""
    seat, limit = int(state["to_play"]), _limit(state)
    picked = int(state["picked"][seat].sum()) if player in (None, seat) else 0
    if picked:
        return f"chooses up to {text.count(limit - picked, 'more fossil')} to hide."
    return f"chooses up to {text.count(limit, 'fossil')} to hide."


def _limit(state: Any) -> int:
    """Return how many cards may be hidden (2.5, 2.7)."""
    large = state["hidden_limit_two"] and state["num_players"] >= 5
    return min(2, int(canyon.HIDDEN_LIMIT)) if large else int(canyon.HIDDEN_LIMIT)


def _dig_question(state: Any, player: int | None) -> str:
    """Ask what to dig (4.4, 4.5, 5.2, 7.1)."""
    if state["stage"] == Stage.BONUS:
        return "has completed a skeleton and digs one more fossil."
    n, why = canyon.DIGS_PER_TURN, ""
    if state["stage"] == Stage.EVENT:
        n, why = int(canyon.N_OF_EVENT[state["event"]]), f" ({EVENTS[state['event']]})"
    return f"digs fossil {state['digs'] + 1} of {n}{why}." if n > 1 else f"digs a fossil{why}."


def _keep_question(state: Any, player: int | None) -> str:
    """Ask whether a buried card is kept (5.3)."""
    knows = player is None or player == state["to_play"]
    what = TYPES[state["dug"]] if knows else "a buried fossil"
    return f"looks at {what}: keep it, or put it back exposed?"


def _exchange_question(state: Any, player: int | None) -> str:
    """Ask for a partner (4.8, 6.2, 10.2)."""
    if state["stage"] == Stage.EVENT:
        return f"may make an exchange ({EVENTS[state['event']]}): with whom?"
    if state["exchanges"] == N_COSTS:
        return "may claim an award."
    number = f"exchange {state['exchanges'] + 1} of {N_COSTS}"
    return f"may make {number}, giving {cost(state)}: with whom?"


def _give_question(state: Any, player: int | None) -> str:
    """Ask what to give (6.3)."""
    return f"gives a fossil to player {state['target']}: which?"


def _take_question(state: Any, player: int | None) -> str:
    """Ask what to take (6.4)."""
    return f"takes a fossil from player {state['target']}: which?"


def _secret_question(state: Any, player: int | None) -> str:
    """Ask for a secret choice (4.6, 4.7)."""
    return f"chooses a fossil to {_secret(state)} ({EVENTS[state['event']]})."
