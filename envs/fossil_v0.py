"""Fossil by Klaus Palesch for PettingZoo: `fossil_v0.env(num_players=4, tactical=True)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kernels import fossil
from ..kernels.fossil import NO_CELL, NO_TILE, Direction, Phase
from . import text
from .aec import BoardEnv, maker

__all__ = ["describe", "draw", "env", "raw_env"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """Fossil: pay to dig up tiles of nine fossils, and score a fossil when its last tile is taken.

    Source
    ------
    Klaus Palesch, Goldsieber 1998. The rules in numbered paragraphs, with their sources:
    docs/games/fossil.md.

    Players
    -------
    2 to 6. Options: `num_players` (default 2), `tactical` (the variant of 6.1; default off),
    `setup` (`"auto"`, `"large"` or `"small"`: the board, by default chosen by the number of players
    as in 1.2 and 1.3).

    Actions
    -------
    Discrete(218), in blocks; `rules.actions` encodes and decodes, `describe` puts an action into
    words.

    ====================================== =========================================================
    place(cell: 81)                        place the next stone (2.3)
    move(stone: 2, direction: 4, tiles: 8) move a stone up, right, down or left past `tiles` tiles
    keep()                                 make no exchange (4.3)
    give(fossil: 9, value: 3)              give an own tile of value + 1 for another one (4.3)
    take(opponent: 5, fossil: 9)           take a tile for it; opponent 0 is the next seat (4.3)
    ====================================== =========================================================

    The same seat acts twice running when it places the stones and when it exchanges. A decision
    with one choice is never asked (8.1).

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/fossil.md and in `rules.OBS`. Own
    seat first, then the others in turn order.

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end +1 for the most points, -1 for the least, evenly spaced
    between, shared places averaged (7.4). `"points"`: the change of each seat's points in the step,
    payments included. `"margin"`: those less the mean of the others'.

    End
    ---
    When no player can move (7.1), for all agents together, after at most 101 decisions (8.2). Never
    truncated, but by an illegal action under `illegal="terminate"`.

    Hidden
    ------
    Nothing: perfect information, and no chance after the set-up. `reset(seed=...)` decides the
    layout.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/fossil.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env(num_players=3, tactical=True).reset(seed=1)
    """

    game = "fossil"
    metadata = BoardEnv.metadata | {"name": "fossil_v0"}


env = maker(raw_env)


# --- words ----------------------------------------------------------------------------------------

NAMES = tuple(name.replace("_", " ") for name in fossil.FOSSILS)
DIRECTIONS = tuple(direction.name.lower() for direction in Direction)


def _letters() -> tuple[str, ...]:
    """Give each fossil a letter of its own: a free initial, else a free letter."""
    letters: list[str] = []
    for name in NAMES:
        initials = "".join(word[0] for word in name.split())
        candidates = initials + name.replace(" ", "") + "abcdefghijklmnopqrstuvwxyz"
        letters.append(next(c for c in candidates.upper() if c not in letters))
    return tuple(letters)


LETTERS = _letters()


def describe(state: Any, action: int) -> str:
    """Say what an action does in a position.

    Parameters
    ----------
    state : STATE record
    action : int
        In [0, 218). Of one that is not legal here no more is said than its number alone tells.

    Returns
    -------
    str
        One line without a full stop. Rows, columns and players count from 0, stones from 1.

    Raises
    ------
    ValueError
        If there is no such action.

    Examples
    --------
    >>> state = fossil.RULES.new(seed=1)
    >>> describe(state, 3)
    'place stone 1 on row 0, column 3 (sea lily worth 1)'
    """
    block, values = fossil.RULES.actions.decode(action)
    legal = action in fossil.RULES.legal_actions(state)
    words: str = _WORDS[block](state, legal, **values)
    return words


def _place_words(state: Any, legal: bool, cell: int) -> str:
    """Word a placing (2.3)."""
    stone = 1 if state["stone"][0] == NO_CELL or state["stone"][1] != NO_CELL else 2
    words = (
        f"place stone {stone} on {_space(cell)}" if legal else f"place a stone on {_space(cell)}"
    )
    return f"{words} ({_tile(state['tile'][cell])})" if legal else words


def _move_words(state: Any, legal: bool, stone: int, direction: int, tiles: int) -> str:
    """Word a move (3.1 to 3.4)."""
    words = f"move stone {stone + 1} {DIRECTIONS[direction]}"
    if not legal:
        passed = "the next tile" if tiles == 0 else f"the next tile but {tiles}"
        return f"{words} to {passed}"
    cell, cost = _move(state, stone, direction, tiles)
    return f"{words} to {_space(cell)}: {_tile(state['tile'][cell])}, costs {cost}"


def _keep_words(state: Any, legal: bool) -> str:
    """Word the choice to make no exchange (4.3)."""
    return "make no exchange"


def _give_words(state: Any, legal: bool, fossil: int, value: int) -> str:
    """Word the first step of an exchange (4.3)."""
    return f"give {NAMES[fossil]} worth {value + 1}"


def _take_words(state: Any, legal: bool, opponent: int, fossil: int) -> str:
    """Word the second step of an exchange (4.3)."""
    worth = f" worth {_value(state['given'])}" if legal else ""
    return f"take {NAMES[fossil]}{worth} from {text.opponent(state, opponent)}"


_WORDS: dict[str, Callable[..., str]] = {
    "place": _place_words,
    "move": _move_words,
    "keep": _keep_words,
    "give": _give_words,
    "take": _take_words,
}


def _move(state: Any, stone: int, direction: int, tiles: int) -> tuple[int, int]:
    """Return the space on which a legal move ends and its cost, as the kernel plays it."""
    after = state.copy()
    after["gain"][:] = 0
    action = fossil.RULES.actions.encode("move", stone=stone, direction=direction, tiles=tiles)
    fossil.apply_choice(after, action)  # nothing else yet: no exchange, no scoring, no next move
    return int(after["stone"][stone]), -int(after["gain"][state["to_play"]])


def _space(cell: int) -> str:
    """Word a space (1.6)."""
    row, column = divmod(cell, fossil.COLS)
    return f"row {row}, column {column}"


def _value(kind: int) -> int:
    """Return the value of a kind of tile."""
    return int(kind % fossil.N_VALUES) + 1


def _tile(kind: int) -> str:
    """Word a tile."""
    return f"{NAMES[kind // fossil.N_VALUES]} worth {_value(kind)}"


# --- drawing --------------------------------------------------------------------------------------


def draw(state: Any, player: int | None = None) -> str:
    """Draw a game in text: the board, the players with their points and tiles, and what is asked.

    Parameters
    ----------
    state : STATE record
    player : int, optional
        The seat that looks; it is marked as `you`.

    Returns
    -------
    str
        Several lines.

    Examples
    --------
    >>> print(draw(fossil.RULES.new(seed=1)).splitlines()[-1])
    Player 1 places stone 1 on a tile.
    """
    return "\n\n".join(
        ["\n".join(part) for part in (_board(state), _players(state, player), _legend())]
        + [_question(state)]
    )


def _board(state: Any) -> list[str]:
    """Draw the board: `A3` is a tile, `.` an empty space, `#1` marks stone 1."""
    board = state["setup"] - 1 if state["setup"] else fossil.SETUP_OF_PLAYERS[state["num_players"]]
    columns = range(fossil.SETUP_COLS[board])
    lines = ["     " + "".join(f"{column:>3}  " for column in columns)]
    for row in range(fossil.SETUP_ROWS[board]):
        cells = "".join(_cell(state, row * fossil.COLS + column) for column in columns)
        lines.append(f"{row:>3}  {cells}")
    return [line.rstrip() for line in lines]


def _cell(state: Any, cell: int) -> str:
    """Draw a space in five characters."""
    kind = int(state["tile"][cell])
    tile = "." if kind == NO_TILE else f"{LETTERS[kind // fossil.N_VALUES]}{_value(kind)}"
    marks = [f"#{stone + 1}" for stone in range(fossil.N_STONES) if state["stone"][stone] == cell]
    return f"{tile:>3}{''.join(marks):<2}"


def _players(state: Any, you: int | None) -> list[str]:
    """Draw points and tiles of each player, the values of the tiles as digits, and what is left."""
    held = [
        ["".join(str(v + 1) * tiles[v] for v in reversed(range(len(tiles)))) for tiles in rows]
        for rows in state["held"].reshape(-1, fossil.N_FOSSILS, fossil.N_VALUES).tolist()
    ]
    width = max(4, *(len(digits) for rows in held for digits in rows)) + 1
    title = "".join(f"{letter:>{width}}" for letter in LETTERS)
    lines = [f"  {'':16}points{title}"]
    for player in range(state["num_players"]):
        tiles = "".join(f"{digits or '.':>{width}}" for digits in held[player])
        lines.append(f"{text.seat(state, player, you)}{state['score'][player]:>6}{tiles}")
    left = "".join(f"{n or '.':>{width}}" for n in state["left"].tolist())
    lines.append(f"  {'on the board':16}{'':6}{left}")
    return lines


def _legend() -> list[str]:
    """Explain the signs."""
    names = [f"{letter} {name}" for letter, name in zip(LETTERS, NAMES, strict=True)]
    half = (len(names) + 1) // 2
    return [
        ", ".join(names[:half]) + ",",
        ", ".join(names[half:]) + "; with its value: A2.",
        "#1, #2: the stones; . an empty space. Tiles of a player: their values, as in 211.",
    ]


def _question(state: Any) -> str:
    """Say who decides what."""
    who = f"Player {state['to_play']}"
    phase = state["phase"]
    if phase == Phase.PLACE:
        stone = 1 if state["stone"][0] == NO_CELL else 2
        return f"{who} places stone {stone} on a tile."
    if phase == Phase.MOVE:
        return f"{who} moves a stone to a tile, pays for the way, and takes the tile."
    if phase == Phase.GIVE:
        name = NAMES[state["completed"]]
        return (
            f"{who} has completed {name} and may exchange a tile before it is scored: give which?"
        )
    if phase == Phase.TAKE:
        return f"{who} gives {_tile(state['given'])}: take which tile of the same value?"
    return text.first_place(fossil.RULES, state)
