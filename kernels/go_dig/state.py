"""The record of a game of Go Dig, its options and its sources of chance."""

from enum import IntEnum

import numpy as np

from .. import rules
from .parts import MAX_PLAYERS, MIN_PLAYERS, N_CARDS, N_GENERA, N_TYPES, TURN_CAP


class Stream(IntEnum):
    """Sources of chance."""

    DEAL = 0  # the hands (2.1)
    DIG = 1  # cards taken from the pile (2.3, 3.4, 4.2, 4.3)


class Phase(IntEnum):
    """What the player to move decides."""

    ASK = 0  # whom to ask for what (3.1)
    OVER = 1


NO_ACTION = np.int64(-1)

STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), MAX_PLAYERS),
            # follow from the fields below (`derive`), kept up to date for speed:
            ("genera", "u4", (MAX_PLAYERS,)),  # bit g: the seat holds a card of genus g
            ("cards", "u1", (MAX_PLAYERS,)),  # cards in each hand
            ("hidden", "u1", (MAX_PLAYERS,)),  # those that are not known (5.3)
            ("buried", "u1"),  # cards in the pile
            # the game:
            ("turns", "i4"),  # turns that have ended
            ("skeletons", "u1", (MAX_PLAYERS, N_GENERA)),  # laid by each seat
            ("hand", "u1", (MAX_PLAYERS, N_TYPES)),  # cards of each type
            ("pile", "u1", (N_TYPES,)),
            ("known", "u1", (MAX_PLAYERS, N_TYPES)),  # 5.3
            ("asked", "u1", (MAX_PLAYERS, N_GENERA)),  # 5.4
            ("room", "u1", (MAX_PLAYERS, N_GENERA)),  # 5.5
        ]
    )
)

OPTIONS = (
    rules.Option(
        "num_players", tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), MIN_PLAYERS, "number of players"
    ),
)

MAX_DECISIONS = TURN_CAP * N_CARDS  # 6.6
