"""What can be decided in Fossilium: the table of actions."""

from .. import rules
from .parts import (
    MAX_PLAYERS,
    MAX_STUDENTS,
    N_CELLS,
    N_FIELDS,
    N_GOALS,
    N_LINES,
    N_PANELS,
    N_SITES,
    N_TILES,
    N_TYPES,
    SLOTS,
)

SHARED = {
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

ACTIONS = rules.ActionTable(
    **SHARED,
    # whom to donate to, in turn order after the own seat (6.1)
    owner={"opponent": MAX_PLAYERS - 1},
)
