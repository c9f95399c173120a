"""What the faces of all games say in the same way: seats, lists, columns, and who has won."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..kernels.rules import Rules

WIDTH = 100  # columns of a drawing, at most


def count(number: int, thing: str) -> str:
    """Count things.

    Parameters
    ----------
    number : int
    thing : str
        One of them.

    Returns
    -------
    str

    Examples
    --------
    >>> count(1, "card"), count(2, "card"), count(0, "match")
    ('1 card', '2 cards', '0 matches')
    """
    ending = "es" if thing.endswith("ch") else "s"
    return f"{number} {thing}" if number == 1 else f"{number} {thing}{ending}"


def listed(words: Iterable[str]) -> str:
    """Join words; `nothing` where there are none.

    Parameters
    ----------
    words : iterable of str

    Returns
    -------
    str

    Examples
    --------
    >>> listed("abc"), listed("ab"), listed("")
    ('a, b and c', 'a and b', 'nothing')
    """
    *first, last = list(words) or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


def listing(head: str, items: Iterable[str], indent: int = 2) -> list[str]:
    """Write a list behind a head, on more lines where it is long; no item is broken.

    Parameters
    ----------
    head : str
        The items follow after a space.
    items : iterable of str
    indent : int
        Spaces before each line but the first.

    Returns
    -------
    list of str
        Lines of at most WIDTH columns, unless an item is longer.
    """
    text = f"{head} " * bool(head) + ", ".join(item.replace(" ", chr(0)) for item in items)
    lines = textwrap.wrap(
        text,
        WIDTH,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [line.replace(chr(0), " ") for line in lines]


def folded(lines: Iterable[str], indent: int = 4) -> str:
    """Break what is longer than a drawing is wide, to be printed.

    Parameters
    ----------
    lines : iterable of str
    indent : int
        Spaces before what a line goes on with.

    Returns
    -------
    str

    Examples
    --------
    >>> print(folded(["dig up", "bone " * 20 + "put away"]).replace("bone bone", "&"))
    dig up
    & & & & & & & & & &
        put away
    """
    text = "\n".join(
        textwrap.fill(
            re.sub(r" (?=[+-]?\d)", chr(0), line),  # a number stays with its word
            WIDTH,
            subsequent_indent=" " * indent,
            break_on_hyphens=False,
        )
        for line in lines
    )
    return text.replace(chr(0), " ")


def choices(game: Any, before: Any, action: int) -> Iterator[tuple[int, Any, Any]]:
    """Play a step again, choice by choice: the one that was made and those forced after it.

    Parameters
    ----------
    game : module
        The game's kernel, with `apply_choice` and `next_choice`.
    before : STATE record
    action : int

    Yields
    ------
    choice : int
        Negative where a decision that does not exist was left out.
    old, new : STATE record
        The game before and after it.
    """
    skipped = getattr(game, "SKIPPED", 0)
    old = before
    while action >= 0 or action == skipped:
        new = old.copy()
        game.apply_choice(new, np.int64(action))
        yield action, old, new
        old, action = new, int(game.next_choice(new))


def in_columns(cells: list[str], columns: int = 2) -> list[str]:
    """Set cells of equal width in columns, read from the top down.

    Parameters
    ----------
    cells : list of str
    columns : int

    Returns
    -------
    list of str

    Examples
    --------
    >>> in_columns(["a", "b", "c"])
    ['a   c', 'b']
    """
    rows = -(-len(cells) // columns)
    return ["   ".join(cells[row::rows]) for row in range(rows)]


def seat(state: Any, player: int, you: int | None, width: int = 16) -> str:
    """Begin a player's line: `>` where it has to decide, its number, and whether it is you.

    Parameters
    ----------
    state : STATE record
    player : int
    you : int or None
        The seat that looks.
    width : int
        Columns of the name.

    Returns
    -------
    str
    """
    mark = ">" if player == state["to_play"] and not state["done"] else " "
    name = f"player {player}" + (" (you)" if player == you else "")
    return f"{mark} {name:{width}}"


def opponent(state: Any, number: int) -> str:
    """Name an opponent of the player to move.

    Parameters
    ----------
    state : STATE record
    number : int
        0 for the next seat, and so on.

    Returns
    -------
    str
    """
    players = int(state["num_players"])
    if number >= players - 1:
        return "a player who is not in the game"
    return f"player {(state['to_play'] + 1 + number) % players}"


def first_place(
    rules: Rules, state: Any, thing: str = "point", why: str = "", ended: str = ""
) -> str:
    """Say who has won a finished game, or with how many points who plays alone has ended it.

    Parameters
    ----------
    rules : Rules
    state : STATE record
    thing : str
        What the score counts.
    why : str
        Put behind the score.
    ended : str
        Put behind `The game is over`: how it came to that, where the table does not show it.

    Returns
    -------
    str
    """
    best = winners(rules, state)
    players = "player" + "s" * (len(best) > 1)
    score = count(int(state["score"][best[0]]), thing)
    if state["num_players"] == 1:
        return f"The game is over{ended}, with {score}{why}."
    first = f"First place: {players} {listed(map(str, best))}, with {score}{why}."
    return f"The game is over{ended}. {first}"


def winners(rules: Rules, state: Any) -> list[int]:
    """Return the seats with the best result of a finished game.

    Parameters
    ----------
    rules : Rules
    state : STATE record

    Returns
    -------
    list of int
    """
    outcome = np.zeros(rules.max_players, np.float32)
    rules.outcome(state, outcome)
    results = outcome[: state["num_players"]].tolist()
    return [player for player, result in enumerate(results) if result == max(results)]
