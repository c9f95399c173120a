"""Actions that cannot be played: the errors, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = 12  # legal actions that a message spells out; of the others it gives the numbers


class IllegalActionError(ValueError):
    """An action that the rules do not allow now."""


class OutOfBoundsError(IllegalActionError, AssertionError):
    """An action that is not in the action space, whatever the position."""


def refusal(
    who: str, action: Any, n_actions: int, legal: list[int], describe: Callable[[int], str]
) -> IllegalActionError:
    """Make the error that says what is wrong with an action, and what is legal.

    Parameters
    ----------
    who : str
        Who wanted to play it.
    action : object
        A number in the action space is put into words; anything else is shown as it is.
    n_actions : int
    legal : list of int
        Ascending; empty for an agent whose game is over.
    describe : callable
        Puts an action into words.

    Returns
    -------
    IllegalActionError
        An OutOfBoundsError if there is no such action.
    """
    known = type(action) is int and 0 <= action < n_actions
    kind = IllegalActionError if known else OutOfBoundsError
    if not legal:
        over = "its game is over, the only valid action is None"
        return kind(f"{who} cannot play {action!r}: {over}")
    if known:
        wrong = f"{who} cannot play {action} ({describe(action)}) now"
    else:
        wrong = f"{who} cannot play {action!r}: actions are whole numbers, 0 to {n_actions - 1}"
    lines = [f"  {number:4d}  {describe(number)}" for number in legal[:WORDS]]
    if len(legal) > WORDS:
        lines.append(f"  and {ranges(legal[WORDS:])}")
    return kind("\n".join([f"{wrong}. Legal actions:", *lines]))


def ranges(numbers: list[int]) -> str:
    """Write ascending numbers in short.

    Parameters
    ----------
    numbers : list of int

    Returns
    -------
    str

    Examples
    --------
    >>> ranges([3, 5, 6, 7, 8])
    '3, 5 to 8'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    short = [[f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run) for run in runs]
    return ", ".join(part for parts in short for part in parts)
