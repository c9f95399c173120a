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


def load(game, schema):
    """Read and check the sheet of a game.

    Parameters
    ----------
    game : str
        Stem of the file: `<game>.toml` in `$BONEBED_COMPONENTS`, else in the package.
    schema : dict
        For each key a description (`whole`, `one_of`, `list_of`, `name`) or a nested schema. All
        keys are required, no others are allowed.

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
        dotted = prefix + key
        if key not in values:
            wanted = "a table" if isinstance(expected, dict) else expected[1]
            raise SheetError(f"{path}: key '{dotted}' is missing; expected {wanted}")
        if isinstance(expected, dict):
            if not isinstance(values[key], dict):
                raise _error(path, dotted, "a table", values[key])
            _check(path, dotted + ".", values[key], expected)
        elif not expected[0](values[key]):
            raise _error(path, dotted, expected[1], values[key])


def _error(path, key, expected, found):
    """Build the message that every wrong value gets."""
    return SheetError(f"{path}: key '{key}': expected {expected}, found {_toml(found)}")


def _toml(value):
    """Write a value as it would stand in the sheet."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _lookup(values, dotted):
    """Follow a dotted key."""
    for key in dotted.split("."):
        values = values[key]
    return values
