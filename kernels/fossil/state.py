"""The record of a game of Fossil, its options and its sources of chance."""

from enum import IntEnum

from .. import rules
from .parts import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    N_CELLS,
    N_FOSSILS,
    N_KINDS,
    N_STONES,
    SETUPS,
    SHEET,
    SIDE,
)

N_RAYS = N_STONES * 4  # ray = stone * 4 + direction


class Stream(IntEnum):
    """Sources of chance."""

    FOSSILS = 0  # which fossils a small game uses (1.3)
    LAYOUT = 1  # the shuffle (2.1)


class Phase(IntEnum):
    """What the player to move decides."""

    PLACE = 0  # a stone's first space (2.3)
    MOVE = 1  # a stone's move (3.1)
    GIVE = 2  # whether to exchange, and which tile to give (4.3)
    TAKE = 3  # which tile to take (4.3)
    OVER = 4


class SetUp(IntEnum):
    """The option that chooses the board (1.4)."""

    AUTO = 0
    LARGE = 1
    SMALL = 2


NO_TILE = -1
NO_CELL = -1
NO_KIND = -1
NO_FOSSIL = -1

STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), MAX_PLAYERS),
            # follow from the fields below (`derive`), kept up to date for speed:
            ("kinds", "i8", (MAX_PLAYERS,)),  # bit k: the seat holds a tile of kind k
            ("line", "u2", (2, SIDE)),  # tiles as bits: of column i by rows, of row i by columns
            ("ray", "u2", (N_RAYS,)),  # bits of the line that the stone reaches (3.2)
            ("count", "u1", (MAX_PLAYERS, N_FOSSILS)),  # tiles of a fossil in front of a seat
            ("total", "u1", (MAX_PLAYERS, N_FOSSILS)),  # sum of their values
            # the game:
            ("tile", "i1", (N_CELLS,)),  # kind on each space, or NO_TILE
            ("stone", "i1", (N_STONES,)),  # space of each stone, or NO_CELL
            ("held", "u1", (MAX_PLAYERS, N_KINDS)),  # tiles of each kind in front of each seat
            ("left", "u1", (N_FOSSILS,)),  # tiles of each fossil on the board
            ("given", "i1"),  # kind given in the exchange under way, or NO_KIND
            ("completed", "i1"),  # fossil to be scored after the exchange, or NO_FOSSIL
            ("tactical", "i1"),
            ("setup", "i1"),
        ]
    )
)

OPTIONS = (
    rules.Option(
        "num_players", tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), MIN_PLAYERS, "number of players"
    ),
    rules.Option(
        "tactical",
        (False, True),
        SHEET.values["variant"]["tactical"]["enabled"],
        "only the best of a fossil multiply (6.1)",
    ),
    rules.Option(
        "setup", ("auto", "large", "small"), "auto", "board: by number of players, or forced (1.4)"
    ),
)

MAX_DECISIONS = max(  # 8.2
    N_STONES + setup["tiles_laid"] + 2 * setup["fossils_used"] for setup in SETUPS
)
