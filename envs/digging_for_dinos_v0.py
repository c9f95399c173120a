"""Digging for Dinos for PettingZoo: `digging_for_dinos_v0.env(num_players=3, board="5x5")`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels import digging_for_dinos as dinos
from ..kernels.digging_for_dinos import NO_SPACE, NO_TILE, Direction, Phase, Side
from . import text
from .aec import BoardEnv, maker

__all__ = ["describe", "draw", "env", "raw_env", "tell"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """Digging for Dinos: two tokens walk over fossil tiles; tiles of a species make a dinosaur.

    Source
    ------
    Board Game Arena, help page of 13 March 2026; board, tiles, values, set-up and the number of
    players are reconstructions. The rules in numbered paragraphs, with their sources:
    docs/games/digging_for_dinos.md.

    Players
    -------
    2 to 4. Options: `num_players` (default 2), `board` (`"3x4"`, `"4x4"` or `"5x5"`, default
    `"4x4"`), `copies` (copies of every tile: 1, 2 or 3, default 2), see 1.4.

    Actions
    -------
    Discrete(86), in blocks; `rules.actions` encodes and decodes, `describe` puts an action into
    words.

    ============================= ==================================================================
    place(space: 25)              place the next token (2.4)
    move(token: 2, direction: 4)  move a token in a direction of the side that is up (3.2)
    relocate(token: 2, space: 25) move a token to any open tile, where neither has a move (3.5)
    keep()                        flip no token (4.4)
    flip(token: 2)                flip a token (4.4)
    ============================= ==================================================================

    A decision with one choice is never asked (7.1).

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/digging_for_dinos.md and in
    `rules.OBS`. Own seat first, then the others in turn order.

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end +1 for the winner, -1 for the last, evenly spaced
    between, shared places averaged (6.8). `"points"`: the change of each seat's points in the step
    (5.2). `"margin"`: those less the mean of the others'.

    End
    ---
    After the round in which the last tile is laid or somebody completes a fourth dinosaur (6), for
    all agents together, after at most 110 decisions (7.2). Never truncated, but by an illegal
    action under `illegal="terminate"`.

    Hidden
    ------
    The order of the stacks, from everybody; which tiles they hold is known (3.9).
    `reset(seed=...)` decides it.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/digging_for_dinos.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env(num_players=3, board="5x5").reset(seed=1)
    """

    game = "digging_for_dinos"
    metadata = BoardEnv.metadata | {"name": "digging_for_dinos_v0"}


env = maker(raw_env)


# --- words ----------------------------------------------------------------------------------------

NAMES = tuple(dinos.NAMES)
TOKENS = "AB"
DIRECTIONS = tuple(direction.name.lower().replace("_", "-") for direction in Direction)


def _codes() -> tuple[str, ...]:
    """Give each species two letters of its own: the first ones of its name where they are free."""
    codes: list[str] = []
    for name in NAMES:
        letters = [c for c in name if c.isalnum()] or ["x"]
        candidates = [letters[0].upper() + c.lower() for c in letters[1:]]
        candidates += [a + b for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for b in "abcdefghijklmnopqr"]
        codes.append(next(code for code in candidates if code not in codes))
    return tuple(codes)


CODES = _codes()


def describe(state: Any, action: int) -> str:
    """Say what an action does in a position.

    Parameters
    ----------
    state : STATE record
    action : int
        In [0, 86). Of one that is not legal here no more is said than its number alone tells.

    Returns
    -------
    str
        One line without a full stop. A space is named `row,column`; rows, columns and players count
        from 0, positions from 1.

    Raises
    ------
    ValueError
        If there is no such action.

    Examples
    --------
    >>> state = dinos.RULES.new(seed=1)
    >>> describe(state, 2).startswith("place 0,2 (")
    True
    """
    block, values = dinos.RULES.actions.decode(action)
    legal = action in dinos.RULES.legal_actions(state)
    words: str = _WORDS[block](state, legal, **values)
    return words


def _place_words(state: Any, legal: bool, space: int) -> str:
    """Word a placing (2.4)."""
    if not legal:
        return f"place {_space(space)} with a token"
    token = int(state["token"][state["to_play"], 0] != NO_SPACE)
    return f"place {_space(space)} ({_tile(state['tile'][space])}) with token {TOKENS[token]}"


def _move_words(state: Any, legal: bool, token: int, direction: int) -> str:
    """Word a move (3.2 to 3.7)."""
    if not legal:
        both = f"{DIRECTIONS[direction]} or {DIRECTIONS[direction + 4]}"
        return f"move token {TOKENS[token]} {both}"
    row = int(state["side"][state["to_play"], token]) * 4 + direction
    way = f"move {TOKENS[token]} {DIRECTIONS[row]}"
    start = int(state["token"][state["to_play"], token])
    return f"{way} to {_landing(state, token, _target(state, start, row))}"


def _relocate_words(state: Any, legal: bool, token: int, space: int) -> str:
    """Word a move where neither token has one (3.5)."""
    words = f"move {TOKENS[token]} freely to"
    return f"{words} {_landing(state, token, space)}" if legal else f"{words} {_space(space)}"


def _keep_words(state: Any, legal: bool) -> str:
    """Word the choice to flip nothing (4.4)."""
    return "flip no token"


def _flip_words(state: Any, legal: bool, token: int) -> str:
    """Word a flip (4.4)."""
    words = f"flip token {TOKENS[token]}"
    if not legal:
        return words
    side = Side(1 - int(state["side"][state["to_play"], token]))
    return f"{words} to {side.name.lower()}"


_WORDS: dict[str, Callable[..., str]] = {
    "place": _place_words,
    "move": _move_words,
    "relocate": _relocate_words,
    "keep": _keep_words,
    "flip": _flip_words,
}


def tell(before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what happened in a step, with what was forced after it, what came and the end.

    Parameters
    ----------
    before, after : STATE record
        The positions before and after the step.
    action : int
        What was chosen.
    player : int, optional
        The seat that is told; all seats are told the same.

    Returns
    -------
    str
        One line without a full stop; the player who acted is left out in front of it. Moves of
        others, which were their only ones, follow behind their names.
    """
    told = []
    for number, (choice, old, new) in enumerate(text.choices(dinos, before, action)):
        who = f"player {old['to_play']} (only move): " if number else ""
        told.append(who + describe(old, choice))
        told += _consequences(choice, old, new)
    return "; ".join(told)


def _consequences(choice: int, old: Any, new: Any) -> list[str]:
    """Word what followed from a choice by itself (3.8, 6.4)."""
    if old["phase"] == Phase.PLACE or new["phase"] == Phase.ABILITY:  # 4.5: laid after the flip
        return []
    table, left = old.copy(), int(old["vacated"])
    if old["phase"] == Phase.MOVE:
        left = int(old["token"][old["to_play"], dinos.RULES.actions.decode(choice)[1]["token"]])
        _take_words(table, int(old["to_play"]), [left])
    if sum(new["stack"]) < sum(old["stack"]):
        told = [f"{_tile(new['tile'][left])} is laid on {_space(left)}"]
    else:
        told = [f"no tile is left to lay on {_space(left)}"]
    if new["done"]:
        told.append("the game ends, everybody takes the tiles under the own tokens")
        for seat in range(new["num_players"]):
            words = _take_words(table, seat, new["token"][seat].tolist())
            told.append(f"player {seat} takes {words}")
    return told


def _target(state: Any, space: int, row: int) -> int:
    """Return the nearest open tile in a direction in which there is one (3.3)."""
    space += int(dinos.STEP[row])
    while not int(state["open"]) >> space & 1:
        space += int(dinos.STEP[row])
    return space


def _landing(state: Any, token: int, space: int) -> str:
    """Word where a token goes and what is taken for it."""
    player = int(state["to_play"])
    taken = _take_words(state.copy(), player, [int(state["token"][player, token])])
    return f"{_space(space)} ({_tile(state['tile'][space])}), take {taken}"


def _take_words(state: Any, player: int, spaces: list[int]) -> str:
    """Give a player the tiles of some spaces; word them, their points and what they complete."""
    tiles = [_tile(state["tile"][space]) for space in spaces]
    before = int(state["score"][player])
    species = [int(dinos.take_tile(state, np.int64(player), np.int64(space))) for space in spaces]
    points = text.count(int(state["score"][player]) - before, "point")
    made = [NAMES[k] for k in species if k != dinos.NONE_COMPLETED]
    completing = f", completing {text.listed(made)}" if made else ""
    return f"{text.listed(tiles)} for {points}{completing}"


def _space(space: int) -> str:
    """Word a space as `row,column` (1.5)."""
    row, column = divmod(space, dinos.COLS)
    return f"{row},{column}"


def _tile(kind: int) -> str:
    """Word a tile."""
    return f"{NAMES[dinos.SPECIES_OF_KIND[kind]]} {dinos.POSITION_OF_KIND[kind] + 1}"


# --- drawing --------------------------------------------------------------------------------------


def draw(state: Any, player: int | None = None) -> str:
    """Draw a game in text: the board, the dinosaurs with what everybody has, and what is asked.

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
    >>> print(draw(dinos.RULES.new(seed=1)).splitlines()[-1])
    Player 0 places token A on an open tile.
    """
    parts = (_board(state), _species(state, player), _players(state, player), _legend())
    return "\n\n".join(["\n".join(part) for part in parts] + [_question(state)])


def _board(state: Any) -> list[str]:
    """Draw the board: `Tr 2` is a tile, `.` a hole; a token stands behind its tile."""
    rows, columns = (int(t[state["board"]]) for t in (dinos.ROWS_OF_BOARD, dinos.COLS_OF_BOARD))
    lines = ["    " + "".join(f"   {column:<8}" for column in range(columns))]
    for row in range(rows):
        cells = (_cell(state, row * dinos.COLS + column) for column in range(columns))
        lines.append(f"{row:>3} " + "".join(f"{cell:<11}" for cell in cells))
    return [line.rstrip() for line in lines]


def _cell(state: Any, space: int) -> str:
    """Draw a space in eleven characters at most."""
    kind = int(state["tile"][space])
    tile = "." if kind == NO_TILE else _code(kind)
    marks = [
        f"{seat}{TOKENS[token]}{'+x'[state['side'][seat, token]]}"
        for seat in range(state["num_players"])
        for token in range(dinos.N_TOKENS)
        if state["token"][seat, token] == space
    ]
    return f"  {tile:<4}  {''.join(marks)}"


def _code(kind: int) -> str:
    """Draw a tile in four characters, so that they stand for its words in a move that is typed."""
    return f"{CODES[dinos.SPECIES_OF_KIND[kind]]} {dinos.POSITION_OF_KIND[kind] + 1}"


def _species(state: Any, you: int | None) -> list[str]:
    """List the species: values, tiles in the stacks, and what is in front of each player."""
    seats = range(state["num_players"])
    names = [f"you ({seat})" if seat == you else f"player {seat}" for seat in seats]
    title = "".join(f"{name:>11}" for name in names)
    lines = [f"    {'species':16} era  tile  all  stack{title}"]
    for species, name in enumerate(NAMES):
        kinds = range(dinos.FIRST_KIND[species], dinos.FIRST_KIND[species + 1])
        digits = [str(dinos.LEFT_OF_KIND[kind]) for kind in kinds]
        values = ("," if max(map(len, digits)) > 1 else "").join(digits)
        stack = "".join(_count(state["left"][kind]) for kind in kinds)
        held = "".join(f"{_held(state, seat, species):>11}" for seat in seats)
        word = name[:15] + "*" * int(dinos.ABILITY_OF_SPECIES[species])
        era, value = dinos.ERA_OF_SPECIES[species] + 1, dinos.RIGHT_OF_SPECIES[species]
        row = f" {CODES[species]} {word:16} {era:>2} {values:>6} {value:>4}  {stack:>5}{held}"
        lines.append(row)
    return lines


def _count(n: Any) -> str:
    """Draw a number of tiles in one character."""
    return "." if n == 0 else str(n)


def _held(state: Any, seat: int, species: int) -> str:
    """Draw a player's tiles of a species: dinosaurs, and the tiles that belong to none."""
    made = int(state["dinosaurs"][seat, species])
    kinds = range(dinos.FIRST_KIND[species], dinos.FIRST_KIND[species + 1])
    loose = "".join(_count(int(state["held"][seat, kind]) - made) for kind in kinds)
    return f"{made}!" * (made > 0) + " " * (made > 0) + loose


def _players(state: Any, you: int | None) -> list[str]:
    """Draw points, dinosaurs and tokens of each player."""
    lines = [f"  {'':16}points  dinosaurs  tokens"]
    for seat in range(state["num_players"]):
        tokens = [
            f"{TOKENS[token]} {_standing(state, seat, token)}" for token in range(dinos.N_TOKENS)
        ]
        made, points = int(state["made"][seat]), int(state["score"][seat])
        lines.append(f"{text.seat(state, seat, you)}{points:>6}{made:>11}  {', '.join(tokens)}")
    stack = [int(n) for n in state["stack"]]
    tiles = ", ".join(f"era {era + 1}: {n}" for era, n in enumerate(stack))
    last = sum(stack) == 0 or max(state["made"].tolist()) >= dinos.DINOSAURS_TO_END
    lines.append(f"  tiles in the stacks: {tiles}")
    if not state["done"]:
        end = f"a player has {dinos.DINOSAURS_TO_END} dinosaurs or the stacks are empty"
        rule = f"the game ends with the round in which {end}"
        lines.append("  this is the last round" if last else f"  {rule}")
    return lines


def _standing(state: Any, seat: int, token: int) -> str:
    """Word the side of a token and where it stands."""
    side = Side(int(state["side"][seat, token])).name.lower()
    space = int(state["token"][seat, token])
    if space == NO_SPACE:
        return f"{side}, not placed"
    kind = int(state["tile"][space])
    return f"{side} at {_space(space)}" + ("" if kind == NO_TILE else f" on {_code(kind)}")


def _legend() -> list[str]:
    """Explain the signs."""
    return [
        f"Board: 2,0 is row 2, column 0; {_code(0)} is position 1 of {NAMES[0]}, . a hole; 0A+ is",
        "token A of player 0 with the orthogonal side up, 0Ax with the diagonal one.",
        "Species: tile says what the tiles of position 1, 2, ... are worth, all what a completed",
        "dinosaur is worth instead; stack and players: how many tiles of each position are there,",
        ". for none; 1! is a completed dinosaur. * who completes this one may flip an own token.",
    ]


def _question(state: Any) -> str:
    """Say who decides what."""
    seat = int(state["to_play"])
    who, phase = f"Player {seat}", state["phase"]
    if phase == Phase.PLACE:
        token = TOKENS[int(state["token"][seat, 0] != NO_SPACE)]
        return f"{who} places token {token} on an open tile."
    if phase == Phase.MOVE:
        if dinos.RULES.legal_actions(state)[0] >= dinos.RULES.actions.offset("relocate"):
            return f"{who} has no move and moves a token to any open tile."
        return f"{who} moves a token to the nearest open tile and takes the tile that it leaves."
    if phase == Phase.ABILITY:
        return f"{who} has completed a dinosaur and may flip a token."
    return text.first_place(dinos.RULES, state)
