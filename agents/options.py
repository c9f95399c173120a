"""Options of a game as they are typed, and the number of players beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..kernels.rules import Rules


def read_options(
    rules: Rules, typed: Iterable[str], num_players: int | None = None
) -> dict[str, Any]:
    """Read options of a game that were typed.

    Parameters
    ----------
    rules : Rules
    typed : iterable of str
        `name=value` each, or several of them separated by commas.
    num_players : int, optional
        Given apart from them.

    Returns
    -------
    dict of str to (int, bool or str)
        Those that were given.

    Raises
    ------
    ValueError
        Naming the option and what is allowed, also for one that is given twice.
    """
    choices = {option.name: option.choices for option in rules.options}
    chosen = given(num_players)
    for item in (piece for text in typed for piece in text.split(",")):
        name, equals, value = (part.strip() for part in item.partition("="))
        if name not in choices:
            raise ValueError(f"{rules.name} has no option {name!r}; allowed: {', '.join(choices)}")
        spelled = {spell(choice): choice for choice in choices[name]}
        if not equals:
            raise ValueError(f"option {name} needs a value: {name}={'|'.join(spelled)}")
        if value.lower() not in spelled:
            raise ValueError(f"option {name} is {value!r}; allowed: {', '.join(spelled)}")
        if name in chosen and chosen[name] != spelled[value.lower()]:
            raise ValueError(f"option {name} is {spell(chosen[name])} and {value}; allowed: one")
        chosen[name] = spelled[value.lower()]
    return chosen


def spell(choice: Any) -> str:
    """Return an option's value as it is typed.

    Parameters
    ----------
    choice : int, bool or str

    Returns
    -------
    str
    """
    return str(choice).lower()


def given(num_players: int | None) -> dict[str, Any]:
    """Leave out a number of players that was not given: the game's default then holds.

    Parameters
    ----------
    num_players : int or None

    Returns
    -------
    dict
        The option `num_players`, or nothing.
    """
    return {} if num_players is None else {"num_players": num_players}
