"""Saved states of an environment as bytes that say what they are and notice when they are damaged.

Layout: MAGIC, CRC-32 of the rest (4 bytes), length of the header (4 bytes), header (JSON), the
game's record.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from typing import Any

import numpy as np

from ..kernels.batch import checked_seed

MAGIC = b"BONEBED\x01"  # the last byte is the version of the layout
_LENGTHS = struct.Struct("<II")
BOOK = (  # the bookkeeping of PettingZoo's interface
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "_skip_agent_selection",
)


def pack(header: dict[str, Any], state: bytes) -> bytes:
    """Put a header and a game's record into bytes.

    Parameters
    ----------
    header : dict
        Of what JSON can hold; floats and large ints stay exact.
    state : bytes

    Returns
    -------
    bytes
    """
    text = json.dumps(header).encode()
    rest = text + state
    return MAGIC + _LENGTHS.pack(zlib.crc32(rest), len(text)) + rest


def unpack(data: bytes, identity: dict[str, Any], size: int) -> tuple[dict[str, Any], bytes]:
    """Take bytes apart again and check that they fit.

    Parameters
    ----------
    data : bytes
    identity : dict
        Entries of the header that have to be the same.
    size : int
        Bytes of the game's record.

    Returns
    -------
    tuple of (dict, bytes)
        Header and record.

    Raises
    ------
    ValueError
        If the data is something else, damaged, or does not fit; the message says which.
    """
    if not isinstance(data, bytes) or not data.startswith(MAGIC):
        raise ValueError("not a saved state: get_state() returns bytes that begin with BONEBED")
    start = len(MAGIC) + _LENGTHS.size
    rest = data[start:]
    checksum, length = _LENGTHS.unpack(data[len(MAGIC) : start]) if rest else (0, 0)
    if not rest or zlib.crc32(rest) != checksum or length > len(rest):
        raise ValueError("the saved state is cut off or damaged")
    try:
        header: dict[str, Any] = json.loads(rest[:length])
    except (ValueError, RecursionError):
        header = {}
    for name, here in identity.items():
        check(name, header.get(name) if isinstance(header, dict) else None, here)
    if len(rest) - length != size:
        raise ValueError(f"the saved state holds {len(rest) - length} bytes of a game of {size}")
    return header, rest[length:]


def book(header: dict[str, Any], possible_agents: list[str]) -> dict[str, Any]:
    """Take the bookkeeping of PettingZoo's interface out of a header.

    Parameters
    ----------
    header : dict
    possible_agents : list of str

    Returns
    -------
    dict
        The entries of BOOK.

    Raises
    ------
    ValueError
        If something is missing or cannot be.
    """
    found = {name: header.get(name) for name in BOOK}
    agents = found["agents"] if isinstance(found["agents"], list) else [None]
    kinds: dict[str, tuple[type, ...]] = {
        "rewards": (int, float),
        "_cumulative_rewards": (int, float),
        "terminations": (bool,),
        "truncations": (bool,),
    }
    fits = {
        "agents": agents == [agent for agent in possible_agents if agent in agents],
        "agent_selection": found["agent_selection"] in (agents or possible_agents),
        "_skip_agent_selection": found["_skip_agent_selection"] in (None, *possible_agents),
    }
    for name, kind in kinds.items():
        given = found[name]
        fits[name] = (
            isinstance(given, dict)
            and list(given) == agents
            and all(type(v) in kind and -math.inf < v < math.inf for v in given.values())
        )
    for name, right in fits.items():
        if not right:
            raise ValueError(f"the saved state has {name} {found[name]!r}, which cannot be")
    return found


def chance(header: dict[str, Any]) -> tuple[np.uint64, np.random.Generator]:
    """Take the luck given to agents, and the generator that seeds later games, out of a header.

    Parameters
    ----------
    header : dict

    Returns
    -------
    tuple of (numpy.uint64, numpy.random.Generator)

    Raises
    ------
    ValueError
        If something is missing or cannot be.
    """
    source = np.random.PCG64(0)
    try:
        source.state = header["generator"]
        return checked_seed(header["luck"]), np.random.Generator(source)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"the saved state has no sound generator or luck: {error!r}") from None


def check(name: str, found: Any, here: Any) -> None:
    """Refuse a saved environment that was made in another way.

    Parameters
    ----------
    name : str
    found, here : object
        What is saved, and what this environment has.

    Raises
    ------
    ValueError
        If they differ.
    """
    if found != here:
        raise ValueError(f"the saved state has {name} {found!r}, this environment has {here!r}")
