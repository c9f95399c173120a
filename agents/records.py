"""Match records: a file with a match on each line, as JSON, from which it can be re-played.

A line stands for itself: files can be cut and joined line by line. Files that are kept may be
compressed (`.gz`); those are read as they are, and written by `pack` only.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..envs import table
from ..kernels import single
from ..kernels.rules import Rules

PACKED = ".gz"


class RecordError(ValueError):
    """A record that is broken or does not re-play; the message names the file and line."""


@dataclass(frozen=True)
class Match:
    """One match: all that is needed to play it again, and how it ended.

    Attributes
    ----------
    game : str
    options : dict of str to (int, bool or str)
        All options of the game, `num_players` among them.
    rules_hash : str
        Of the rules it was played under.
    version : str
        Of the package.
    seed : int
        Of the game; the luck of the agents follows from it, too.
    seats : tuple of str
        The agent in each seat, as a spec.
    actions : tuple of int
        All decisions in order.
    score : tuple of int or None
        Final points of each seat; None while the match is not over.
    outcome : tuple of float or None
        Final result of each seat in [-1, 1].
    evaluation : dict or None
        Which evaluation it belongs to: its `seed` and `agents`, and the `deal` and `seating`.
    place : str
        The file and line it was read from, for messages.
    """

    game: str
    options: dict[str, Any]
    rules_hash: str
    version: str
    seed: int
    seats: tuple[str, ...]
    actions: tuple[int, ...]
    score: tuple[int, ...] | None = None
    outcome: tuple[float, ...] | None = None
    evaluation: dict[str, Any] | None = None
    place: str = field(default="", compare=False)

    @property
    def done(self) -> bool:
        """Whether it was played to its end."""
        return self.score is not None

    def line(self) -> str:
        """Return the match as a line of a file, without the line break.

        Returns
        -------
        str
        """
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "place"}
        return json.dumps({k: v for k, v in kept.items() if v is not None}, separators=(",", ":"))


KINDS: dict[str, tuple[type, type | None]] = {  # of the value, and of what is in it
    "game": (str, None),
    "options": (dict, None),
    "rules_hash": (str, None),
    "version": (str, None),
    "seed": (int, None),
    "seats": (list, str),
    "actions": (list, int),
    "score": (list, int),
    "outcome": (list, float),
    "evaluation": (dict, None),
}
OPTIONAL = {"score", "outcome", "evaluation"}


def parse(line: str, place: str) -> Match:
    """Read one line of a file.

    Parameters
    ----------
    line : str
    place : str
        File and line, for messages.

    Returns
    -------
    Match

    Raises
    ------
    RecordError
        If the line is not a match record, or of an unknown game or options.
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{place}: not a match record: no JSON ({error})") from None
    if not isinstance(data, dict):
        raise RecordError(f"{place}: not a match record: a JSON object was expected")
    for key, (kind, inner) in KINDS.items():
        value = data.get(key)
        if value is None and key in OPTIONAL:
            continue
        if not _is_a(value, kind) or (inner and not all(_is_a(x, inner) for x in value or ())):
            what = "missing" if value is None else f"wrong: {json.dumps(value)[:60]}"
            raise RecordError(f"{place}: not a match record: {key!r} is {what}")
    known: dict[str, Any] = {key: data.get(key) for key in KINDS}
    for key, (kind, _) in KINDS.items():
        if kind is list and known[key] is not None:
            known[key] = tuple(known[key])
    match = Match(**known, place=place)
    _check_header(match)
    return match


def read(path: str | Path, unfinished: bool = False) -> Iterator[Match]:
    """Read the matches of a file one after the other.

    Parameters
    ----------
    path : str or Path
        Compressed if its name ends with `.gz`.
    unfinished : bool
        Pass over a last line that was not written to its end, see `mend`.

    Yields
    ------
    Match

    Raises
    ------
    RecordError
        For a broken or foreign line, naming file and line, and for a file without any match.
    OSError
        If the file cannot be read.
    """
    empty = True
    opener: Any = gzip.open if Path(path).suffix == PACKED else open
    with opener(path, "rt", encoding="utf-8", errors="replace", newline="\n") as file:
        for number, line in enumerate(_lines(path, file), 1):
            if line.strip():
                empty = False
                if line.endswith("\n") or not unfinished or _is_whole(line):
                    yield parse(line, f"{path}, line {number}")
    if empty:
        raise RecordError(f"{path}: there is no match in this file")


def _lines(path: str | Path, file: Iterable[str]) -> Iterator[str]:
    """Read lines; what cannot be unpacked is told with the file's name."""
    try:
        yield from file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RecordError(f"{path}: not a packed file of match records ({error})") from None


def pack(path: str | Path, matches: Iterable[Match]) -> None:
    """Write a compressed file of matches; the same matches make the same bytes.

    Parameters
    ----------
    path : str or Path
        Its name ends with `.gz`. Whatever happens, it is the old file or the new one.
    matches : iterable of Match

    Raises
    ------
    OSError
        If it cannot be written; it names `path`.
    """
    whole = Path(path)
    part = whole.with_name(whole.name + ".part")
    text = "".join(match.line() + "\n" for match in matches)
    with _named(whole):
        part.write_bytes(gzip.compress(text.encode(), mtime=0))
        os.replace(part, whole)


def append(path: str | Path, matches: Iterable[Match]) -> None:
    """Add matches to a file and wait until they are on the disk.

    Parameters
    ----------
    path : str or Path
        Made if it does not exist.
    matches : iterable of Match

    Raises
    ------
    OSError
        If it cannot be written.
    """
    text = "".join(match.line() + "\n" for match in matches)
    with _named(path), open(path, "a", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def write(path: str | Path, match: Match) -> None:
    """Write a file with one match; whatever happens, the file is the old one or the new one.

    Parameters
    ----------
    path : str or Path
    match : Match

    Raises
    ------
    OSError
        If it cannot be written; it names `path`.
    """
    whole = Path(path)
    part = whole.with_name(whole.name + ".part")
    with _named(whole):
        part.write_text(match.line() + "\n", encoding="utf-8")
        os.replace(part, whole)


def check_writable(path: str | Path) -> None:
    """Refuse a file that could not be written, before anything is played for it.

    Parameters
    ----------
    path : str or Path
        Stays as it is, or missing.

    Raises
    ------
    OSError
        If it cannot be written; it names `path`.
    ValueError
        For a compressed file: nothing can be added to that.
    """
    file = Path(path)
    if file.suffix == PACKED:
        raise ValueError(f"{path} cannot be added to; allowed: a file that is not packed")
    missing = not file.exists()
    with _named(file), open(file, "ab"):
        pass
    if missing:
        file.resolve().unlink()  # what a link points to, not the link


def mend(path: str | Path, beginning: str) -> None:
    """Cut off a last line that was not written to its end, as after a kill.

    Parameters
    ----------
    path : str or Path
        A file whose other lines have been read and belong there.
    beginning : str
        How its lines begin. Where there are no others this alone tells a match that was cut short
        from something else.

    Raises
    ------
    RecordError
        If the last line is something else; the file stays as it is.
    """
    data = Path(path).read_bytes()
    end = data.rfind(b"\n") + 1
    others, rest = data[:end].strip(), data[end:]
    if rest and _is_whole(rest):  # only its line break is missing
        with _named(path), open(path, "ab") as file:
            file.write(b"\n")
    elif rest and not others and not rest.startswith(beginning.encode()[: len(rest)]):
        raise RecordError(f"{path}: not a match record")
    elif rest:
        os.truncate(path, end)


def positions(match: Match) -> Iterator[tuple[NDArray[np.void], int | None]]:
    """Re-play a match.

    Parameters
    ----------
    match : Match

    Yields
    ------
    STATE array (1,)
        The position; the same array every time, overwritten by the next one.
    int or None
        What is done in it; None in the last position.

    Raises
    ------
    RecordError
        At an action that is not legal, and at an end that differs from the recorded one.
    """
    rules = table.rules(match.game)
    states, options = np.zeros(1, rules.STATE), np.zeros(1, rules.OPTIONS)
    options[0] = rules.make_options(**match.options)
    legal, mask = np.empty(rules.n_actions, np.int32), np.zeros(rules.n_actions, np.int8)
    n_legal = single.begin(states, options, np.uint64(match.seed), legal, mask)
    for number, action in enumerate(match.actions):
        if not 0 <= action < len(mask) or not mask[action]:
            allowed = f"legal: {legal[:n_legal].tolist()}" if n_legal else "the match is over"
            raise _differs(match, rules, f"decision {number} is {action}, {allowed}")
        yield states, action
        n_legal = single.advance(states, action, legal, n_legal, mask)
    yield states, None
    if not match.done:
        return
    if not states[0].done:
        raise _differs(match, rules, f"it is not over after its {len(match.actions)} decisions")
    score, outcome = final(rules, states[0])
    if score != match.score:
        raise _differs(match, rules, f"recorded score {match.score}, re-played {score}")
    if match.outcome is not None and not np.allclose(match.outcome, outcome, atol=1e-6):
        raise _differs(match, rules, f"recorded outcome {match.outcome}, re-played {outcome}")


def final(rules: Rules, state: np.void) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return points and result of every seat of a finished game.

    Parameters
    ----------
    rules : Rules
    state : STATE record
        Finished.

    Returns
    -------
    score : tuple of int
    outcome : tuple of float
    """
    num_players = int(state["num_players"])
    outcome = np.zeros(num_players, np.float32)
    rules.outcome(state, outcome)
    return tuple(state["score"][:num_players].tolist()), tuple(outcome.tolist())


def new(
    rules: Rules,
    options: dict[str, Any],
    seed: int,
    seats: Iterable[str],
    actions: Iterable[int],
    **rest: Any,
) -> Match:
    """Make the record of a match that was played here and now.

    Parameters
    ----------
    rules : Rules
    options : dict
        All options of the game.
    seed : int
    seats : iterable of str
    actions : iterable of int
    **rest : object
        `score`, `outcome`, `evaluation`.

    Returns
    -------
    Match
    """
    header = (rules.name, options, rules.rules_hash, __version__, seed)
    return Match(*header, tuple(seats), tuple(actions), **rest)


def _is_whole(line: str | bytes) -> bool:
    """Tell whether a line is JSON: no match that was cut short is."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


@contextlib.contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Let an error of the file system name the file that was asked for."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_a(value: Any, kind: type) -> bool:
    """Tell whether a value from JSON is of a kind; a whole number is a float, too."""
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)


def _check_header(match: Match) -> None:
    """Raise a RecordError unless game, options, seed and seats fit each other."""
    try:
        rules = table.rules(match.game)
        options = rules.options_dict(rules.make_options(**match.options))
    except ValueError as error:
        raise RecordError(f"{match.place}: {error}") from None
    if not 0 <= match.seed < 2**64:
        raise RecordError(f"{match.place}: seed {match.seed} is not in [0, 2**64)")
    for key in ("seats", "score", "outcome"):
        value = getattr(match, key)
        if value is not None and len(value) != options["num_players"]:
            raise RecordError(
                f"{match.place}: {len(value)} {key} for {options['num_players']} players"
            )


def _differs(match: Match, rules: Rules, what: str) -> RecordError:
    """Return the error of a match that does not re-play; other rules are a likely cause."""
    cause = ""
    if match.rules_hash != rules.rules_hash:
        cause = (
            f" (it was played under other rules: their hash is {match.rules_hash}, "
            f"here it is {rules.rules_hash})"
        )
    return RecordError(f"{match.place}: does not re-play: {what}{cause}")
