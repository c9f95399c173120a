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
        One line without a full stop, what the seat may know: what a card in vain was, only who dug
        it is told.
    """
    told, speaker, old = [], int(before["to_play"]), before
    while action != go_dig.NO_ACTION:
        new = old.copy()
        go_dig.apply_choice(new, np.int64(action))
        asker = int(old["to_play"])
        head = "" if asker == speaker else f"player {asker}: "
        told.append(head + _answered(old, action, new, player))
        speaker, old, action = asker, new, int(go_dig.next_choice(new))
    return "; ".join(told)


def _answered(before: Any, action: int, after: Any, player: int | None) -> str:
    """Word a question with its answer."""
    _, values = go_dig.RULES.actions.decode(action)
    genus = values["genus"]
    asked = (before["to_play"] + 1 + values["opponent"]) % before["num_players"]
    words = describe(before, action)
    first, end = go_dig.FIRST_OF_GENUS[genus], go_dig.END_OF_GENUS[genus]
    given = {kind: before["hand"][asked][kind] for kind in range(first, end)}
    if any(given.values()):
        cards = [FOSSILS[kind] for kind, n in given.items() for _ in range(n)]
        words += f": {', '.join(cards)}"
    elif before["buried"] == 0:
        words += ': "Go dig!", but the pile is empty'
    else:
        kind = _next_dug(before)
        shown = go_dig.GENUS_OF_TYPE[kind] == genus
        open_to_player = player is None or player == before["to_play"]
        words += ': "Go dig!", dig ' + (
            canyon_words.TYPES[kind] if shown or open_to_player else "a fossil"
        )
        words += ", which is shown" if shown else ""
    return words + _laid(before, after)


def _next_dug(state: Any) -> int:
    """Return the type of the card on top of the pile, as the kernel draws it."""
    stream = go_dig.Stream.DIG
    draw = rng.below(state["seed"], int(stream), int(state["draws"][stream]), int(state["buried"]))
    return int(np.searchsorted(state["pile"].cumsum(), draw, side="right"))


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
    parts += [_hand(state, seat, player in (None, seat), player == seat) for seat in seats]
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


def _hand(state: Any, seat: int, is_open: bool, own: bool) -> list[str]:
    """Draw a hand genus by genus, with `*` at known cards; of a closed one only what is known."""
    lines = []
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
    title = f"hand of player {seat}" + (" (you)" if own else "")
    if is_open:
        return [f"{title}: * is known to all", *(lines or ["  no cards"])]
    return [f"{title}: {state['hidden'][seat]} hidden cards", *lines, *_without(state, seat)]


def _without(state: Any, seat: int) -> list[str]:
    """List the genera of which some or all hidden cards of a hand cannot be."""
    left = (go_dig.SKELETONS_OF_GENUS - state["skeletons"].sum(0, dtype=int)).tolist()
    room, hidden = state["room"][seat].tolist(), int(state["hidden"][seat])
    limits = [
        (f"at most {room[g]} " if room[g] else "no ") + name
        for g, name in enumerate(NAMES)
        if room[g] < hidden and left[g]
    ]
    return text.listing("  among the hidden:", limits, 20) if limits else []


def _question(state: Any) -> str:
    """Say who decides what."""
    if state["done"]:
        return text.first_place(go_dig.RULES, state)
    return f"Player {state['to_play']} asks another player for fossils of a genus of the own hand."
