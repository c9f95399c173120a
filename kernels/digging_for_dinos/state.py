"""The record of a game of Digging for Dinos, its options and its sources of chance."""

from enum import IntEnum

from .. import rules
from .parts import (
    ABILITY_OF_SPECIES,
    BOARDS,
    COPIES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    N_ERAS,
    N_KINDS,
    N_SPACES,
    N_SPECIES,
    N_TOKENS,
    OWN_BOARD,
    OWN_COPIES,
    SIZES,
)


class Stream(IntEnum):
    """Sources of chance: the stacks (2.1)."""

    ERA_1 = 0
    ERA_2 = 1
    ERA_3 = 2


class Phase(IntEnum):
    """What the player to move decides."""

    PLACE = 0  # where a token starts (2.4)
    MOVE = 1  # which token goes where (3.2, 3.5)
    ABILITY = 2  # whether to flip a token (4.4)
    OVER = 3


class Side(IntEnum):
    """The side of a token that is up (1.6)."""

    ORTHOGONAL = 0
    DIAGONAL = 1


NO_TILE = -1
NO_SPACE = -1

STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), MAX_PLAYERS),
            # follow from the fields below (`derive`), kept up to date for speed:
            ("open", "i8"),  # bit s: an open tile lies on space s (2.3)
            ("stack", "u2", (N_ERAS,)),  # tiles in each stack
            ("dinosaurs", "u1", (MAX_PLAYERS, N_SPECIES)),  # completed by each seat (4.1 to 4.3)
            ("made", "u1", (MAX_PLAYERS,)),  # their sum
            # the game:
            ("tile", "i1", (N_SPACES,)),  # kind on each space, or NO_TILE
            ("token", "i1", (MAX_PLAYERS, N_TOKENS)),  # space of each token, or NO_SPACE
            ("side", "i1", (MAX_PLAYERS, N_TOKENS)),  # side that is up
            ("held", "u1", (MAX_PLAYERS, N_KINDS)),  # tiles of each kind in front of each seat
            ("left", "u1", (N_KINDS,)),  # tiles of each kind in the stacks
            ("vacated", "i1"),  # space that waits for its new tile (4.5), or NO_SPACE
            ("board", "i1"),
            ("copies", "i1"),
        ]
    )
)

OPTIONS = (
    rules.Option(
        "num_players", tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), MIN_PLAYERS, "number of players"
    ),
    rules.Option("board", BOARDS, OWN_BOARD, "rows x columns of the board (1.4)"),
    rules.Option("copies", COPIES, OWN_COPIES, "copies of every tile (1.4)"),
)

MAX_DECISIONS = max(  # 7.2
    N_TOKENS * players
    + -(-(N_KINDS * copies - rows * cols) // players) * players
    + copies * int(ABILITY_OF_SPECIES.sum())
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)
    for rows, cols in SIZES
    for copies in COPIES
)
