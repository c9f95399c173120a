"""What can be decided in Fossilium: the table of actions."""

import numpy as np

from .. import rules
from ..bits import lowest
from ..jit import index, kernel
from .parts import (
    MAX_PLAYERS,
    MAX_STUDENTS,
    N_CARDS,
    N_CELLS,
    N_FIELDS,
    N_FOSSIL_CARDS,
    N_GOALS,
    N_LINES,
    N_PANELS,
    N_PIECES,
    N_SITES,
    N_TILES,
    N_TYPES,
    SLOTS,
)

SHARED_ACTIONS = {
    # do no more of this, or dig no more (4.5, 4.7)
    "stop": {},
    # the column that is not used, of a permanent worker, or of the bag searched (2.5, 7.6, 12.3)
    "column": {"column": N_SITES},
    # the side of the museum, A or B (2.8)
    "side": {"side": 2},
    # a job goal: where two workers stand, or which loses one (2.8, solo 7.10)
    "goal": {"goal": N_GOALS},
    # the first or second species of the starting fossil, or face of a tile for Pal (2.8, solo 5.1)
    "face": {"face": 2},
    # a field of the board: to place workers, or to copy (4.2, 4.8)
    "field": {"column": N_SITES, "field": N_FIELDS},
    # pay `students` + 1 doctoral students for a dig (4.5)
    "dig": {"site": N_SITES, "students": MAX_STUDENTS},
    # a tile to keep, display, donate, sell, search or give up (1.11, 5.5, 6.1, 7.6, 9.3, 12.2)
    "tile": {"type": N_TILES},
    # buy the tile in a slot of the market (9.2, 9.4)
    "slot": {"row": N_TYPES, "slot": SLOTS},
    # buy a tile from the archive (9.2)
    "archive": {"type": N_TILES},
    # a field of a museum (5.5, 6.1, 7.2, solo 4.5)
    "cell": {"cell": N_CELLS},
    # how a new fossil lies (5.6)
    "pose": {"face": 2, "turn": 4},
    # build a panel: its tile and side (7.2)
    "panel": {"panel": N_PANELS},
    # a line of a tour: the three shops, then the three entrances (10.2)
    "line": {"line": N_LINES},
    # management: a dollar, a student, a guest (4.9)
    "gain": {"gain": 3},
}

PAL_ACTIONS = {
    # Pal: play an action card (solo 8.1)
    "card": {"card": N_CARDS},
    # Pal: extend a fossil card (solo 4.3)
    "exhibit": {"card": N_FOSSIL_CARDS},
    # Pal: the piece, from the first one, to display or to donate (solo 4.3, 4.5)
    "piece": {"piece": N_PIECES},
    # Pal: count positions in the market from the left or from the right (solo 4.6)
    "end": {"end": 2},
}

ACTIONS = rules.ActionTable(
    **SHARED_ACTIONS,
    # whom to donate to, in turn order after the own seat (6.1)
    owner={"opponent": MAX_PLAYERS - 1},
)

STOP = ACTIONS.offset("stop")
COLUMN = ACTIONS.offset("column")
SIDE = ACTIONS.offset("side")
GOAL = ACTIONS.offset("goal")
FACE = ACTIONS.offset("face")
FIELD = ACTIONS.offset("field")
DIG = ACTIONS.offset("dig")
TILE = ACTIONS.offset("tile")
SLOT = ACTIONS.offset("slot")
ARCHIVE = ACTIONS.offset("archive")
CELL = ACTIONS.offset("cell")
POSE = ACTIONS.offset("pose")
PANEL = ACTIONS.offset("panel")
LINE = ACTIONS.offset("line")
GAIN = ACTIONS.offset("gain")
OWNER = ACTIONS.offset("owner")

SOLO_ACTIONS = rules.ActionTable(**SHARED_ACTIONS, **PAL_ACTIONS)
CARD = SOLO_ACTIONS.offset("card")
EXHIBIT = SOLO_ACTIONS.offset("exhibit")
PIECE = SOLO_ACTIONS.offset("piece")
END = SOLO_ACTIONS.offset("end")

# --- sets of actions ----------------------------------------------------------------------------

_LOW = np.int64((1 << 32) - 1)


@kernel
def _allow(state, action):
    """Add an action to those that can be chosen."""
    state.choices[index(action >> 5)] |= np.uint32(1) << np.uint32(action & 31)


@kernel
def _allow_set(state, offset, members):
    """Add the actions whose numbers, counted from an offset, are in a set of up to 62 numbers."""
    shift = offset & 31
    word = offset >> 5
    _add_bits(state, word, (members & _LOW) << shift)
    _add_bits(state, word + 1, (members >> 32) << shift)


@kernel
def _add_bits(state, word, members):
    """Add up to 63 bits from a word on."""
    if members & _LOW:
        state.choices[index(word)] |= np.uint32(members & _LOW)
    if members >> 32:
        state.choices[index(word + 1)] |= np.uint32(members >> 32)


@kernel
def legal(state, actions):
    """List the legal actions, which the step before has found.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    n = 0
    for word in range(len(state.choices)):
        rest = np.int64(state.choices[word])
        while rest != 0:
            actions[n] = 32 * word + lowest(rest)
            n += 1
            rest &= rest - 1
    return n


@kernel
def _number_of_choices(state):
    """Count the actions that can be chosen, up to 2."""
    n = 0
    for word in range(len(state.choices)):
        rest = np.int64(state.choices[word])
        if rest != 0:
            n += 1 if rest & (rest - 1) == 0 else 2
            if n >= 2:
                return 2
    return n


@kernel
def _only_choice(state):
    """Return the one action that can be chosen."""
    word = 0
    while state.choices[word] == 0:
        word += 1
    return 32 * word + lowest(np.int64(state.choices[word]))
