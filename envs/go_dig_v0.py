"""Go Dig, a side game of Fossil Canyon, for PettingZoo: `go_dig_v0.env(num_players=3)`."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from pettingzoo.utils.env import AECEnv

from ..kernels import canyon_cards, go_dig, rng
from .aec import BoardEnv, Observation, wrap

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
    """

    game = "go_dig"
    metadata: ClassVar[dict[str, Any]] = {
        "name": "go_dig_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }


def env(*, wrappers: bool = False, **kwargs: Any) -> AECEnv[str, Observation, Any]:
    """Make the environment.

    Parameters
    ----------
    wrappers : bool
        Put PettingZoo's own wrappers around it. The environment makes their checks itself, so this
        only makes it slower; it is there for tools that look for them.
    **kwargs
        `num_players`, `render_mode`, `reward`, `illegal`, `illegal_reward`: see `raw_env` and
        `bonebed.envs.aec.BoardEnv`.

    Returns
    -------
    AECEnv

    Raises
    ------
    ValueError
        For an option or a value that there is not.

    Examples
    --------
    >>> from bonebed.envs import go_dig_v0
    >>> env = go_dig_v0.env(num_players=3)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     if termination or truncation:
    ...         action = None
    ...     else:
    ...         action = env.action_space(agent).sample(observation["action_mask"])
    ...     env.step(action)
    """
    made = raw_env(**kwargs)
    return wrap(made) if wrappers else made


# --- words ----------------------------------------------------------------------------------------

NAMES = go_dig.GENERA
FOSSILS = tuple(
    fossil.replace("_", " ") for fossil in canyon_cards.FOSSIL_OF_TYPE[: go_dig.N_TYPES]
)
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
    name = NAMES[values["genus"]]
    if values["opponent"] >= state["num_players"] - 1:
        return f"ask a player who is not in the game for {name}"
    return f"ask player {_asked(state, values['opponent'])} for {name}"


def _asked(state: Any, opponent: int) -> int:
    """Return the seat that is asked."""
    return int((state["to_play"] + 1 + opponent) % state["num_players"])


def tell(before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what a question brought, as a seat may know it.

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
        One line without a full stop. What a card in vain was, only the seat that dug it is told.
    """
    _, values = go_dig.RULES.actions.decode(action)
    genus, asked = values["genus"], _asked(before, values["opponent"])
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
        words += ': "Go dig!", dig ' + (_card(kind) if shown or open_to_player else "a fossil")
        words += ", which is shown" if shown else ""
    return words + _laid(before, after)


def _next_dug(state: Any) -> int:
    """Return the type of the card on top of the pile, as the kernel draws it."""
    stream = go_dig.Stream.DIG
    draw = rng.below(state["seed"], int(stream), int(state["draws"][stream]), int(state["buried"]))
    return int(np.searchsorted(state["pile"].cumsum(), draw, side="right"))


def _card(kind: int) -> str:
    """Word a card."""
    return f"{NAMES[go_dig.GENUS_OF_TYPE[kind]]} {FOSSILS[kind]}"


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
        turn = ">" if seat == state["to_play"] and not state["done"] else " "
        name = f"player {seat}" + (" (you)" if seat == you else "")
        museum = [
            (f"{n} " if n > 1 else "") + name
            for name, n in zip(NAMES, state["skeletons"][seat].tolist(), strict=True)
            if n
        ]
        start = f"{turn} {name:16}{state['score'][seat]:>6}{state['cards'][seat]:>7}  "
        lines += _wrapped(start, museum or ["."])
    turn_number = min(state["turns"] + 1, go_dig.TURN_CAP)
    pile = f"  {'dig pile':22}{state['buried']:>7}"
    return [*lines, f"{pile}  (turn {turn_number} of {go_dig.TURN_CAP})"]


def _wrapped(start: str, words: list[str], width: int = 98) -> list[str]:
    """Set words behind a beginning, in as many lines as they need."""
    lines, line = [], start
    for i, word in enumerate(words):
        text = word + ("," if i < len(words) - 1 else "")
        if len(line) + len(text) > width:
            lines.append(line.rstrip())
            line = " " * len(start)
        line += text + " "
    return [*lines, line.rstrip()]


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
    half = (len(cells) + 1) // 2
    rows = ["   ".join(cells[i] for i in (r, r + half) if i < len(cells)) for r in range(half)]
    return [
        f"{title}   {title}",
        *rows,
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
            lines += _wrapped(f"  {name:20}", shown)
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
    return _wrapped("  hidden among them: ", limits) if limits else []


def _question(state: Any) -> str:
    """Say who decides what."""
    if not state["done"]:
        return (
            f"Player {state['to_play']} asks another player for fossils of a genus of the own hand."
        )
    points = state["score"][: state["num_players"]].tolist()
    best = [str(player) for player, score in enumerate(points) if score == max(points)]
    winners = "player " + best[0] if len(best) == 1 else "players " + " and ".join(best)
    return f"The game is over. First place: {winners}, with {max(points)} points."
