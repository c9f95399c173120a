"""The Memory Game of Fossil Canyon for PettingZoo: `memory_game_v0.env()`."""

from __future__ import annotations

from typing import Any

from ..kernels import memory_game
from ..kernels.memory_game import COLS, N_CELLS, NO_CARD, ROWS
from . import text
from .aec import BoardEnv, maker

__all__ = ["describe", "draw", "env", "raw_env", "tell"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """Memory Game: turn up cards until they differ or are a whole skeleton, which you then take.

    Source
    ------
    A side game in the rulebook of Fossil Canyon (Kevin Lynch, Polymath Play, 2022). The rules in
    numbered paragraphs, with their sources: docs/games/memory_game.md. Which genera are used is
    reconstructed.

    Players
    -------
    2. No options.

    Actions
    -------
    Discrete(24): `turn_up(cell: 24)` turns up the card on a space (3.1), row by row from the top
    left corner. The same player acts again until the turn ends. A decision with one choice is never
    asked (6.1).

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/memory_game.md and in
    `rules.OBS`. Own seat first. Every card that was turned up once is shown on its space: memory is
    perfect (4.1).

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end +1 for the most points, -1 for the other, 0 if shared
    (5.4). `"points"`: the value of the skeletons taken in the step. `"margin"`: those less the
    other's.

    End
    ---
    When all cards are taken (5.1) or with the 500th turn (5.2), for both agents together, after at
    most 2,000 decisions (6.2). Never truncated, but by an illegal action under
    `illegal="terminate"`.

    Hidden
    ------
    The places of the cards that were never turned up, from both seats alike. `reset(seed=...)`
    decides the layout.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/memory_game.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env().reset(seed=1)
    """

    game = "memory_game"
    metadata = BoardEnv.metadata | {"name": "memory_game_v0"}


env = maker(raw_env)


# --- words ----------------------------------------------------------------------------------------

NAMES = memory_game.GENERA


def _shorten() -> tuple[str, ...]:
    """Cut the names to as few letters as tell them apart, three at least."""
    length = 3
    while len({name[:length] for name in NAMES}) < len(NAMES):
        length += 1
    return tuple(name[:length] for name in NAMES)


SHORT = _shorten()


def _space(cell: int) -> str:
    """Name a space (1.4)."""
    return f"{'abcdefghij'[cell % COLS]}{cell // COLS + 1}"


def describe(state: Any, action: int) -> str:
    """Say what an action does in a position, as its player knows it.

    Parameters
    ----------
    state : STATE record
    action : int
        In [0, 24). Of one that is not legal here no more is said than its number alone tells.

    Returns
    -------
    str
        One line without a full stop; with the genus where the card was turned up before.

    Raises
    ------
    ValueError
        If there is no such action.

    Examples
    --------
    >>> describe(memory_game.RULES.new(seed=1), 8)
    'turn up c2'
    """
    _, values = memory_game.RULES.actions.decode(action)
    cell = values["cell"]
    known = state["cell"][cell] != NO_CARD and state["seen"][cell] and not state["up"][cell]
    return f"turn up {_space(cell)}" + (f" ({NAMES[state['cell'][cell]]})" if known else "")


def tell(before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what a step did; both seats see the same.

    Parameters
    ----------
    before, after : STATE record
    action : int
    player : int, optional
        Makes no difference here.

    Returns
    -------
    str
        One line without a full stop.
    """
    words = f"turn up {_space(action)}: {NAMES[before['cell'][action]]}"
    seat = before["to_play"]
    left = [
        cell
        for cell in range(N_CELLS)
        if before["cell"][cell] != NO_CARD and not before["up"][cell] and cell != action
    ]
    if len(left) == 1:  # 6.1
        words += f", then {_space(left[0])} (the only one face down)"
    found = [
        name
        for name, had, has in zip(NAMES, before["museum"][seat], after["museum"][seat], strict=True)
        if has and not had
    ]
    if found:
        words += f", which completes it for {after['gain'][seat]} points"
    elif after["turns"] > before["turns"]:
        words += ", another genus: all face down again"
    if after["turns"] == memory_game.TURN_CAP:  # 5.2
        words += f"; that was turn {memory_game.TURN_CAP}, the last one"
    return words


# --- drawing --------------------------------------------------------------------------------------


def draw(state: Any, player: int | None = None) -> str:
    """Draw a game in text: the cards, the players, the genera, and what is asked.

    Parameters
    ----------
    state : STATE record
    player : int, optional
        The seat that looks; it is marked as `you`. By default the arbiter looks, who sees every
        card.

    Returns
    -------
    str
        Several lines.

    Examples
    --------
    >>> print(draw(memory_game.RULES.new(seed=1), 0).splitlines()[-1])
    Player 0 turns up a card.
    """
    parts = (_table(state, player), _players(state, player), _legend(state, player))
    return "\n\n".join(["\n".join(part) for part in parts] + [_question(state)])


def _table(state: Any, player: int | None) -> list[str]:
    """Draw the cards on their spaces."""
    width = len(SHORT[0]) + 3
    lines = ["    " + "".join(f"{'abcdefghij'[column]:^{width}}" for column in range(COLS))]
    for row in range(ROWS):
        cells = (_cell(state, cell, player) for cell in range(row * COLS, row * COLS + COLS))
        lines.append(f"{row + 1:>3} " + "".join(f"{cell:^{width}}" for cell in cells))
    return [line.rstrip() for line in lines]


def _cell(state: Any, cell: int, player: int | None) -> str:
    """Draw a space: `Tri` was seen, `[Tri]` is face up, `?` was never seen, `.` is empty."""
    if state["cell"][cell] == NO_CARD:
        return "."
    name: str = SHORT[state["cell"][cell]]
    if state["up"][cell]:
        return f"[{name}]"
    if state["seen"][cell]:
        return name
    return "?" if player is not None else f"?{name}"


def _players(state: Any, you: int | None) -> list[str]:
    """Draw points and museum of each player."""
    lines = [f"  {'':16}points  museum"]
    for player in range(state["num_players"]):
        museum = [SHORT[genus] for genus in state["museum"][player].nonzero()[0]]
        score = state["score"][player]
        lines.append(f"{text.seat(state, player, you)}{score:>6}  {' '.join(museum) or '.'}")
    return lines


def _legend(state: Any, player: int | None) -> list[str]:
    """List the genera with cards and points, and explain the signs."""
    width = max(map(len, NAMES))
    cells = []
    for genus, name in enumerate(NAMES):
        cards = memory_game.FOSSILS_OF_GENUS[genus]
        points = memory_game.VALUE_OF_GENUS[genus]
        cells.append(f"{SHORT[genus]} {name:<{width}} {cards} cards {points:>3}")
    never = "? never turned up" if player is not None else "?Tri never turned up"
    signs = f"{never}, Tri turned up before, [Tri] face up, . taken"
    turns = f"turn {min(state['turns'] + 1, memory_game.TURN_CAP)} of {memory_game.TURN_CAP}"
    return [
        *text.in_columns(cells),
        f"{signs.replace('Tri', SHORT[min(2, len(SHORT) - 1)])}; {turns}.",
    ]


def _question(state: Any) -> str:
    """Say who decides what."""
    if state["done"]:
        at_cap = state["turns"] == memory_game.TURN_CAP
        ended = f" after turn {memory_game.TURN_CAP}, the last one" if at_cap else ""  # 5.2
        return text.first_place(memory_game.RULES, state, ended=ended)
    who = f"Player {state['to_play']}"
    up = [cell for cell in range(N_CELLS) if state["up"][cell]]
    if not up:
        return f"{who} turns up a card."
    genus = state["cell"][up[0]]
    cards = memory_game.FOSSILS_OF_GENUS[genus]
    return f"{who} has {len(up)} of {cards} {NAMES[genus]} face up and turns up another card."
