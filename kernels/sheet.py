"""Component sheets: every number of a game, read from TOML and checked before it is used."""

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from .jit import component_folders


class SheetError(ValueError):
    """A component sheet is missing or wrong; the message names file, key and what was expected."""


@dataclass(frozen=True)
class Sheet:
    """A sheet that passed its checks.

    Attributes
    ----------
    path : pathlib.Path
    hash : str
        16 hexadecimal digits over the file's bytes.
    values : dict
        The parsed TOML.
    """

    path: Path
    hash: str
    values: dict = field(repr=False)

    def expect(self, holds, key, expected):
        """Raise a SheetError about a relation between values unless it holds.

        Parameters
        ----------
        holds : bool
        key : str
            Dotted key to name in the message.
        expected : str
            What would have been right.
        """
        if not holds:
            raise _error(self.path, key, expected, _lookup(self.values, key))


def whole(low, high):
    """Describe a whole number in [low, high] for a schema.

    Parameters
    ----------
    low, high : int

    Returns
    -------
    tuple of (callable, str)
    """

    def holds(value):
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return holds, f"a whole number from {low} to {high}"


def number(low, high):
    """Describe a number in [low, high], whole or not, for a schema.

    Parameters
    ----------
    low, high : float

    Returns
    -------
    tuple of (callable, str)
    """

    def holds(value):
        return type(value) in (int, float) and low <= value <= high

    return holds, f"a number from {low} to {high}"


def one_of(*words):
    """Describe a value that has to be one of a few, for a schema.

    Parameters
    ----------
    *words : object

    Returns
    -------
    tuple of (callable, str)
    """

    def holds(value):
        return any(type(value) is type(word) and value == word for word in words)

    return holds, "one of " + ", ".join(map(_toml, words)) if len(words) > 1 else _toml(words[0])


def list_of(item, at_least, at_most):
    """Describe a list for a schema.

    Parameters
    ----------
    item : tuple of (callable, str)
        Description of each element.
    at_least, at_most : int
        Allowed lengths.

    Returns
    -------
    tuple of (callable, str)
    """

    def holds(value):
        fits = isinstance(value, list) and at_least <= len(value) <= at_most
        return fits and all(item[0](element) for element in value)

    return holds, f"a list of {at_least} to {at_most} elements, each {item[1]}"


def name():
    """Describe a non-empty name for a schema.

    Returns
    -------
    tuple of (callable, str)
    """
    return lambda value: isinstance(value, str) and value.strip() != "", "a non-empty text"


@dataclass(frozen=True)
class _Tables:
    """Description of a list of tables."""

    schema: dict
    at_least: int
    at_most: int

    @property
    def text(self):
        return f"a list of {self.at_least} to {self.at_most} tables"


@dataclass(frozen=True)
class _Optional:
    """Description of a value that may be missing."""

    expected: object


def tables(schema, at_least, at_most):
    """Describe a list of tables (`[[name]]` in TOML) for a schema.

    Parameters
    ----------
    schema : dict
        Of each table, as for `load`.
    at_least, at_most : int
        Allowed lengths.

    Returns
    -------
    object
    """
    return _Tables(schema, at_least, at_most)


def optional(expected):
    """Describe a value that may be missing, for a schema.

    Parameters
    ----------
    expected : object
        Any other description.

    Returns
    -------
    object
    """
    return _Optional(expected)


def load(game, schema):
    """Read and check the sheet of a game.

    Parameters
    ----------
    game : str
        Stem of the file: `<game>.toml` in `$BONEBED_COMPONENTS`, else in the package.
    schema : dict
        For each key a description (`whole`, `number`, `one_of`, `list_of`, `name`, `tables`) or a
        nested schema. All keys but the `optional` ones are required, no others are allowed.

    Returns
    -------
    Sheet

    Raises
    ------
    SheetError
        Naming file, key, what was expected and what was found.
    """
    path = _find(game)
    try:
        data = path.read_bytes()
        values = tomllib.loads(data.decode())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SheetError(f"{path}: not a readable TOML file: {error}") from error
    _check(path, "", values, schema)
    return Sheet(path, hashlib.sha256(data).hexdigest()[:16], values)


def _find(game):
    """Return the first existing sheet of a game; the environment's folder itself must exist."""
    folders = component_folders()
    if not folders[0].is_dir():
        raise SheetError(f"{folders[0]}: BONEBED_COMPONENTS is not a folder")
    for folder in folders:
        if (folder / f"{game}.toml").is_file():
            return folder / f"{game}.toml"
    raise SheetError(f"{folders[-1] / game}.toml: no such component sheet")


def _check(path, prefix, values, schema):
    """Compare a table with its schema, key by key."""
    for key in values:
        if key not in schema:
            known = ", ".join(schema)
            raise _error(path, prefix + key, f"no such key; known here: {known}", values[key])
    for key, expected in schema.items():
        if isinstance(expected, _Optional):
            if key not in values:
                continue
            expected = expected.expected
        if key not in values:
            raise SheetError(
                f"{path}: key '{prefix + key}' is missing; expected {_wanted(expected)}"
            )
        _check_value(path, prefix + key, values[key], expected)


def _check_value(path, dotted, value, expected):
    """Compare what stands behind a key with its description."""
    if isinstance(expected, dict):
        if not isinstance(value, dict):
            raise _error(path, dotted, _wanted(expected), value)
        _check(path, dotted + ".", value, expected)
    elif isinstance(expected, _Tables):
        fits = isinstance(value, list) and expected.at_least <= len(value) <= expected.at_most
        if not fits or not all(isinstance(entry, dict) for entry in value):
            raise _error(path, dotted, _wanted(expected), value)
        for i, entry in enumerate(value):
            _check(path, f"{dotted}.{i}.", entry, expected.schema)
    elif not expected[0](value):
        raise _error(path, dotted, _wanted(expected), value)


def _wanted(expected):
    """Say what a description asks for."""
    if isinstance(expected, dict):
        return "a table"
    return expected.text if isinstance(expected, _Tables) else expected[1]


def _error(path, key, expected, found):
    """Build the message that every wrong value gets."""
    return SheetError(f"{path}: key '{key}': expected {expected}, found {_toml(found)}")


def _toml(value):
    """Write a value as it would stand in the sheet."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _lookup(values, dotted):
    """Follow a dotted key; a number counts the tables of a list. None where it ends nowhere."""
    for key in dotted.split("."):
        values = values[int(key)] if isinstance(values, list) else values.get(key)
    return values
