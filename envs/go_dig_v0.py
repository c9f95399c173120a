"""Go Dig, a side game of Fossil Canyon, for PettingZoo: `go_dig_v0.env(num_players=3)`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels import go_dig, rng
from . import canyon_words, text
from .aec import BoardEnv, maker

__all__ = ["describe", "draw", "env", "raw_env", "tell"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """Go Dig: ask the others for fossils of a genus that you hold, and lay complete skeletons.

    Source
    ------
    A side game in the rulebook of Fossil Canyon (Kevin Lynch, Polymath Play, 2022). The rules in
    numbered paragraphs, with their sources: docs/games/go_dig.md. Part of the deck is
    reconstructed.

    Players
    -------
    2 to 4. Options: `num_players` (default 2).

    Actions
    -------
    Discrete(39): `ask(opponent: 3, genus: 13)` asks a player, 0 for the next seat, for a genus of
    the own hand (3.1). The same player asks again until the turn ends. A decision with one choice
    is never asked (6.1).

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/go_dig.md and in `rules.OBS`. Own
    seat first, then the others in turn order. What was open and is still certain about every hand
    is part of it (5.2 to 5.5).

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end +1 for the most points, -1 for the least, evenly spaced
    between, shared places averaged (6.5). `"points"`: the values of the skeletons laid in the step.
    `"margin"`: those less the mean of the others'.

    End
    ---
    When all skeletons are laid (6.2) or with the 500th turn (6.3), for all agents together, after
    at most 29,000 decisions (6.6), usually some hundred. Never truncated, but by an illegal action
    under `illegal="terminate"`.

    Hidden
    ------
    The dig pile, and of the other hands all but their known cards (5.3). `reset(seed=...)` decides
    the deal and what is dug.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/go_dig.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env(num_players=3).reset(seed=1)
    """

    game = "go_dig"
    metadata = BoardEnv.metadata | {"name": "go_dig_v0"}


env = maker(raw_env)


# --- words ----------------------------------------------------------------------------------------

NAMES = go_dig.GENERA
FOSSILS = canyon_words.FOSSILS[: go_dig.N_TYPES]
KINDS = tuple(
    range(first, end)
    for first, end in zip(go_dig.FIRST_OF_GENUS.tolist(), go_dig.END_OF_GENUS.tolist(), strict=True)
)


def describe(state: Any, action: int) -> str:
    """Say what an action does in a position.

    Parameters
    ----------
    state : STATE record
    action : int
        In [0, 39).

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
    >>> describe(go_dig.RULES.new(seed=1), 2)
    'ask player 1 for Triceratops'
    """
    _, values = go_dig.RULES.actions.decode(action)
    return f"ask {text.opponent(state, values['opponent'])} for {NAMES[values['genus']]}"


def tell(before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what a question brought, and those that the rules asked after it (6.1).

    Parameters
    ----------
    before, after : STATE record
        The true game before and after the step.
    action : int
    player : int, optional
        The seat that is told; by default everything is told.

    Returns
    -------
    str
        One line without a full stop, what the seat may know: what a card dug in vain or taken for
        an empty hand was, only who has it is told.
    """
    told: list[str] = []
    speaker = int(before["to_play"])
    for choice, old, new in text.choices(go_dig, before, action):
        asker = int(old["to_play"])
        head = "" if asker == speaker else f"player {asker}: "
        why = " (the only question)" if told else ""
        told.append(f"{head}{describe(old, choice)}{why}: {_answer(old, choice, new, player)}")
        speaker = asker
    if after["turns"] == go_dig.TURN_CAP:  # 6.3
        told.append(f"that was turn {go_dig.TURN_CAP}, the last one")
    return "; ".join(told)


def _answer(before: Any, action: int, after: Any, player: int | None) -> str:
    """Word the answer to a question, and what followed from it."""
    _, values = go_dig.RULES.actions.decode(action)
    asker, kinds = int(before["to_play"]), KINDS[values["genus"]]
    asked = (asker + 1 + values["opponent"]) % int(before["num_players"])
    given = [kind for kind in kinds for _ in range(before["hand"][asked][kind])]
    taken = _from_pile(before, int(before["buried"]) - int(after["buried"]))
    if given:
        words = f"gets {', '.join(FOSSILS[kind] for kind in given)}"
        if taken and len(given) == before["cards"][asked]:  # 4.2
            words += _refilled(asked, taken.pop(0), player)
    elif taken:
        kind = taken.pop(0)
        shown = kind in kinds
        words = f'"Go dig!", dig {_card(kind, shown or player in (None, asker))}'
        words += ", which is shown" if shown else ""
    else:
        words = '"Go dig!", but the pile is empty'
    words += _laid(before, after)
    return words + "".join(_refilled(asker, kind, player) for kind in taken)  # 4.3


def _from_pile(state: Any, number: int) -> list[int]:
    """Return the types of the next cards of the pile, as the kernel takes them."""
    stream, pile, kinds = go_dig.Stream.DIG, state["pile"].astype(int), []
    for k in range(number):
        draw_number = int(state["draws"][stream]) + k
        draw = rng.below(state["seed"], int(stream), draw_number, int(pile.sum()))
        kinds.append(int(np.searchsorted(pile.cumsum(), draw, side="right")))
        pile[kinds[-1]] -= 1
    return kinds


def _card(kind: int, is_open: bool) -> str:
    """Word a card, as far as it may be known."""
    return canyon_words.TYPES[kind] if is_open else "a fossil"


def _refilled(seat: int, kind: int, player: int | None) -> str:
    """Word that a card is taken for an empty hand."""
    return f"; player {seat} takes {_card(kind, player in (None, seat))} for the empty hand"


def _laid(before: Any, after: Any) -> str:
    """Word the skeletons that were laid in a step."""
    words = ""
    for seat in range(before["num_players"]):
        new = after["skeletons"][seat].astype(int) - before["skeletons"][seat]
        for genus in new.nonzero()[0]:
            number = "" if new[genus] == 1 else f"{new[genus]} x "
            points = new[genus] * go_dig.VALUE_OF_GENUS[genus]
            words += f"; player {seat} lays {number}{NAMES[genus]} for {points}"
    return words


# --- drawing --------------------------------------------------------------------------------------


def draw(state: Any, player: int | None = None) -> str:
    """Draw a game in text: players, what is known of each hand, the genera, and what is asked.

    Parameters
    ----------
    state : STATE record
    player : int, optional
        The seat that looks; it is marked as `you` and its hand is open. By default the arbiter
        looks, to whom all hands are open.

    Returns
    -------
    str
        Several lines.

    Examples
    --------
    >>> print(draw(go_dig.RULES.new(seed=1), 0).splitlines()[-1])
    Player 0 asks another player for fossils of a genus of the own hand.
    """
    seats = range(state["num_players"])
    parts = [_players(state, player), _genera(state)]
    parts += [_hand(state, seat, player) for seat in seats]
    return "\n\n".join(["\n".join(part) for part in parts] + [_question(state)])


def _players(state: Any, you: int | None) -> list[str]:
    """Draw points, number of cards and museum of each player."""
    lines = [f"  {'':16}points  cards  museum"]
    for seat in range(state["num_players"]):
        museum = [
            (f"{n} " if n > 1 else "") + name
            for name, n in zip(NAMES, state["skeletons"][seat].tolist(), strict=True)
            if n
        ]
        counts = f"{state['score'][seat]:>6}{state['cards'][seat]:>7} "
        lines += text.listing(text.seat(state, seat, you) + counts, museum or ["."], 33)
    turn_number = min(state["turns"] + 1, go_dig.TURN_CAP)
    pile = f"  {'dig pile':22}{state['buried']:>7}"
    return [*lines, f"{pile}  (turn {turn_number} of {go_dig.TURN_CAP})"]


def _genera(state: Any) -> list[str]:
    """List the genera: cards of a skeleton, value, skeletons still to be laid."""
    left = (go_dig.SKELETONS_OF_GENUS - state["skeletons"].sum(0, dtype=int)).tolist()
    width = max(map(len, NAMES))
    cells = [
        f"{name:<{width}} {go_dig.VALUE_OF_GENUS[g]:>3} {go_dig.FOSSILS_OF_GENUS[g]:>3}"
        f" {left[g] or '.':>3}"
        for g, name in enumerate(NAMES)
    ]
    title = f"{'genus':<{width}} pts set now"
    return [
        f"{title}   {title}",
        *text.in_columns(cells),
        "set: cards of a skeleton, now: skeletons not laid yet.",
    ]


def _hand(state: Any, seat: int, you: int | None) -> list[str]:
    """Draw a hand genus by genus, with `*` at known cards; of a closed one only what is known."""
    lines, is_open = [], you in (None, seat)
    known_cards, cards = state["known"][seat].tolist(), state["hand"][seat].tolist()
    asked = state["asked"][seat].tolist()
    for genus, name in enumerate(NAMES):
        shown = []
        for kind in KINDS[genus]:
            known, n = known_cards[kind], cards[kind]
            shown += [f"{FOSSILS[kind]}*"] * known
            shown += [FOSSILS[kind]] * (n - known if is_open else 0)
        if not is_open and asked[genus]:
            shown.append("at least one hidden")
        if shown:
            lines += text.listing(f"  {name:19}", shown, 22)
    title = f"hand of player {seat}" + (" (you)" if you == seat else "")
    if you is None or you == seat:
        return [f"{title}: * is known to all", *(lines or ["  no cards"])]
    hidden = text.count(int(state["hidden"][seat]), "hidden card")
    return [f"{title}: {hidden}", *lines, *_without(state, seat, you)]


def _without(state: Any, seat: int, you: int) -> list[str]:
    """List the genera of which fewer hidden cards of a hand can be than there are to be there."""
    room, hidden = state["room"][seat].tolist(), int(state["hidden"][seat])
    limits = [
        (f"at most {room[g]} " if room[g] else "no ") + name
        for g, (name, most) in enumerate(zip(NAMES, _most_hidden(state, seat, you), strict=True))
        if room[g] < min(hidden, most)
    ]
    return text.listing("  among the hidden:", limits, 20) if limits else []


def _most_hidden(state: Any, seat: int, you: int) -> list[int]:
    """Count the cards of each genus that can be hidden in a hand, for all that you see elsewhere.

    Not in a museum, known nowhere, not in your own hand; and no hand holds a skeleton (4.1), so a
    type that it is not known to hold is left out.
    """
    laid = state["skeletons"].sum(0, dtype=int)[go_dig.GENUS_OF_TYPE]
    known = state["known"].astype(int)
    unseen = go_dig.COPIES_OF_TYPE - laid - known.sum(0) - (state["hand"][you] - known[you])
    return [
        int(unseen[list(kinds)].sum())
        - min((int(unseen[kind]) for kind in kinds if not known[seat][kind]), default=0)
        for kinds in KINDS
    ]


def _question(state: Any) -> str:
    """Say who decides what."""
    if state["done"]:
        at_cap = state["turns"] == go_dig.TURN_CAP
        ended = f" after turn {go_dig.TURN_CAP}, the last one" if at_cap else ""  # 6.3
        return text.first_place(go_dig.RULES, state, ended=ended)
    return f"Player {state['to_play']} asks another player for fossils of a genus of the own hand."
