"""A person at the terminal: shows the position, takes a move in words or as a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from ..envs.text import folded
from .base import Agent

if TYPE_CHECKING:
    from ..envs.view import View

SHOWN = 40  # as many choices, or lines of a drawing, are shown without being asked for
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # clears a terminal and what it has scrolled away
SIGN = re.compile(r"[<>=]+|(?<!\w)-(?=\d)")  # what a move must have too, once it is typed

HELP = """\
  a number       the move with that number in the list of legal moves
  words          any words of a move that fit only that one, each as short as you like
  legal          list the legal moves; `legal WORDS` only those with these words
  board          draw the whole position; `board WORDS` only parts with these words in their heads
  rules          how the game is played, in short
  history        what has happened so far
  quit           save the game and leave; so do Ctrl-C and the end of the input
  help           this text"""


class Quit(Exception):  # noqa: N818 - not an error
    """The person at the terminal wants to stop here."""


def wait(prompt: str) -> str:
    """Read a line from the terminal.

    Parameters
    ----------
    prompt : str

    Returns
    -------
    str

    Raises
    ------
    Quit
        On Ctrl-C and at the end of the input.
    """
    try:
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        raise Quit from None


class Choices:
    """The legal moves in words.

    Parameters
    ----------
    words : sequence of str
        One line for each move.

    Attributes
    ----------
    words : list of str
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self._split = [tokens(line) for line in self.words]

    def matching(self, typed: Sequence[str]) -> list[int]:
        """Find the moves that fit what was typed.

        A move fits if it is made of exactly the typed words, else if it begins with them, else if
        it has them one behind the other, else in this order, else anywhere: the first of these that
        any move reaches counts. A typed word stands for every word that begins with it. A number
        belongs to the word before it: `row 3` is never found in `row 4, column 3`.

        Parameters
        ----------
        typed : sequence of str
            From `tokens`.

        Returns
        -------
        list of int
            Positions in `words`.
        """
        for way in (_is, _begins, _has_run, _has_in_order, _has_all):
            found = [i for i, words in enumerate(self._split) if way(words, typed)]
            if found:
                return found
        return []

    def listed(self, positions: Sequence[int] | None = None) -> str:
        """Return moves with their numbers, one a line.

        Parameters
        ----------
        positions : sequence of int, optional
            Default all.

        Returns
        -------
        str
        """
        chosen = range(len(self.words)) if positions is None else positions
        width = len(str(len(self.words)))
        return "\n".join(f"  {i + 1:>{width}}  {self.words[i]}" for i in chosen)

    def explain(self, typed: Sequence[str]) -> str:
        """Say why nothing fits what was typed, and what is allowed instead.

        Parameters
        ----------
        typed : sequence of str
            From `tokens`; no move has all of them.

        Returns
        -------
        str
        """
        kept = next(n for n in range(len(typed) - 1, -1, -1) if n == 0 or self.matching(typed[:n]))
        said = " ".join(typed)
        if kept == 0:
            fits, about = list(range(len(self.words))), "Allowed here"
        else:
            fits, about = self.matching(typed[:kept]), f"Allowed with '{' '.join(typed[:kept])}'"
        listed = self.listed(fits[:SHOWN])
        more = f"\n  and {len(fits) - SHOWN} more: type legal" if len(fits) > SHOWN else ""
        return folded([f"'{said}' is not a legal move here. {about}:"]) + f"\n{listed}{more}"


def tokens(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case, without punctuation.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
    """
    return re.findall(r"[^\W_]+", text.lower())


@dataclass
class Human(Agent):
    """A person at this terminal, asked for every decision."""

    name: ClassVar[str] = "human"
    interactive: ClassVar[bool] = True

    history: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    """What has happened so far, one line for each move; whoever runs the match keeps it."""
    seen: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    """The parts of the drawing as they were last; whoever clears the terminal clears them too."""

    def act(self, view: View) -> int:
        """Ask for a move until a legal one is given.

        Parameters
        ----------
        view : View

        Returns
        -------
        int
            One of `view.actions`.

        Raises
        ------
        Quit
            On the command `quit`, on Ctrl-C and at the end of the input.
        """
        choices = Choices([view.words(int(action)) for action in view.actions])
        print(self._news(view))
        kinds = [view.rules.actions.decode(int(action))[0] for action in view.actions]
        print(self._menu(choices, kinds))
        while True:
            typed = wait(f"player {view.player}> ")
            chosen = self._answer(typed, choices, view)
            if chosen is not None:
                return int(view.actions[chosen])

    def _answer(self, typed: str, choices: Choices, view: View) -> int | None:
        """Obey a command, or return the position of the move that was typed."""
        command, *rest = tokens(typed) or [""]
        if command == "quit" and not rest:
            raise Quit
        if command == "legal":
            found = choices.matching(rest) if rest else None
            print(choices.listed(found) if found != [] else choices.explain(rest))
        elif command == "board":
            print(self._parts_with(rest, view))
        elif command == "rules" and not rest:
            print(view.guide())
        elif command == "history" and not rest:
            print(folded(self.history) or "Nothing has happened yet.")
        elif command in ("", "help") and not rest:
            print(HELP)
        else:
            return self._move([command, *rest], choices, SIGN.findall(typed))
        return None

    def _news(self, view: View) -> str:
        """Draw the position; of a long drawing, only the parts that changed since the last time."""
        drawing = view.text()
        *parts, question = drawing.split("\n\n")
        changed = [part for part in parts if part not in self.seen]
        self.seen = parts
        if len(drawing.splitlines()) <= SHOWN or changed == parts:
            return drawing
        note = "(What is as it was is left out; board draws it all.)"
        return "\n\n".join([*changed, note, question])

    def _parts_with(self, typed: list[str], view: View) -> str:
        """Draw the position, or the parts of it with these words in their first line."""
        parts = [part.splitlines() for part in view.text().split("\n\n")]
        found = [part for part in parts if _has_all(tokens(part[0]), typed)]
        if found:
            return "\n\n".join("\n".join(part) for part in found)
        heads = "\n".join(f"  {part[0].strip()}" for part in parts)
        return f"No part has '{' '.join(typed)}' in its first line:\n{heads}"

    def _move(self, typed: list[str], choices: Choices, signs: list[str]) -> int | None:
        """Return the position of the one move that fits, or say what is wrong."""
        count = len(choices.words)
        if len(typed) == 1 and typed[0].isdecimal():
            if not signs and 1 <= int(typed[0]) <= count:
                return int(typed[0]) - 1
            number = "".join(signs) + typed[0]
            print(f"There is no move {number}: the legal moves have the numbers 1 to {count}.")
            return None
        found = choices.matching(typed)
        signed = [i for i in found if all(sign in choices.words[i] for sign in signs)]
        if found and not signed:
            print(f"No move with these words has the sign '{' '.join(signs)}':")
            print(choices.listed(found[:SHOWN]))
            return None
        found = signed
        if len(found) == 1:
            return found[0]
        if found:
            print(f"'{' '.join(typed)}' fits {len(found)} moves; say more, or give the number:")
            print(choices.listed(found))
        else:
            print(choices.explain(typed))
        return None

    def _menu(self, choices: Choices, kinds: list[str]) -> str:
        """Return the legal moves; if they are many, one of each kind and how to find the others."""
        count = len(choices.words)
        if count <= SHOWN:
            return choices.listed() + "\nA number or words of a move, rules, or help."
        firsts = [kinds.index(kind) for kind in dict.fromkeys(kinds)]
        examples = sorted({*firsts, *range(3)})
        return (
            f"{count} legal moves, for instance:\n{choices.listed(examples)}\n"
            "A number or words of a move, legal for the whole list, rules, or help."
        )


def _pieces(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Split words into pieces: a word with the numbers that follow it, or a leading number."""
    pieces: list[tuple[str, ...]] = []
    for word in words:
        if word.isdecimal() and pieces and not pieces[-1][0].isdecimal():
            pieces[-1] += (word,)
        else:
            pieces.append((word,))
    return pieces


def _fits(typed: str, word: str) -> bool:
    """Tell whether a typed word stands for a word."""
    return word == typed if typed.isdecimal() else word.startswith(typed)


def _piece_fits(typed: tuple[str, ...], piece: tuple[str, ...]) -> bool:
    """Tell whether a typed piece stands for a piece; a lone number for any with that number."""
    if typed[0].isdecimal():
        return typed[0] in piece
    return len(typed) <= len(piece) and all(map(_fits, typed, piece))


def _is(words: Sequence[str], typed: Sequence[str]) -> bool:
    """Tell whether words are the typed ones."""
    return len(words) == len(typed) and _begins(words, typed)


def _begins(words: Sequence[str], typed: Sequence[str]) -> bool:
    """Tell whether words begin with the typed ones."""
    return len(typed) <= len(words) and all(map(_fits, typed, words))


def _has_run(words: Sequence[str], typed: Sequence[str]) -> bool:
    """Tell whether the typed words follow each other somewhere among the words."""
    return any(_begins(words[start:], typed) for start in range(len(words)))


def _has_in_order(words: Sequence[str], typed: Sequence[str]) -> bool:
    """Tell whether the typed pieces come in this order, others between them or not."""
    left = iter(_pieces(words))
    return all(any(_piece_fits(wanted, piece) for piece in left) for wanted in _pieces(typed))


def _has_all(words: Sequence[str], typed: Sequence[str]) -> bool:
    """Tell whether each typed piece stands for another one of the pieces."""
    left = _pieces(words)
    for wanted in sorted(_pieces(typed), key=len, reverse=True):  # the most particular first
        found = next((piece for piece in left if _piece_fits(wanted, piece)), None)
        if found is None:
            return False
        left.remove(found)
    return True
