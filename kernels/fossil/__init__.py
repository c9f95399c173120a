"""Fossil by Klaus Palesch: the rules of docs/games/fossil.md, compiled.

Spaces are numbered row by row from the top left corner; the smaller board is the top left corner of
the larger one, and the spaces beyond it are empty for ever, which costs no rule of its own because
empty spaces may be passed:

     0  1  2  3  4  5  6  7  8
     9 10 11 ...
    18 ...

`parts` says what the component sheet holds, `state` what a game is; `setup` deals it, `actions`
lists what can be done, `turn` does it, `scoring` counts; `observation` is what a seat sees, and
`bounds` what a state from outside may hold. Names with an underscore stay within this folder.
"""

from .. import rules
from .actions import ACTIONS, Direction, legal
from .bounds import BOUNDS
from .observation import OBS, observe, resample
from .parts import (
    COLS,
    FOSSILS,
    N_FOSSILS,
    N_STONES,
    N_VALUES,
    ROWS,
    SETUP_COLS,
    SETUP_OF_PLAYERS,
    SETUP_ROWS,
    SHEET,
)
from .scoring import outcome, value
from .setup import derive, reset
from .state import MAX_DECISIONS, NO_CELL, NO_TILE, OPTIONS, STATE, Phase, Stream
from .turn import apply_choice, step

__all__ = [
    "COLS",
    "FOSSILS",
    "NO_CELL",
    "NO_TILE",
    "N_FOSSILS",
    "N_STONES",
    "N_VALUES",
    "ROWS",
    "RULES",
    "SETUP_COLS",
    "SETUP_OF_PLAYERS",
    "SETUP_ROWS",
    "Direction",
    "Phase",
    "apply_choice",
    "derive",
]

RULES = rules.register(
    rules.Rules(
        name="fossil",
        title="Fossil",
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=ACTIONS,
        streams=Stream,
        max_decisions=MAX_DECISIONS,
        perfect_information=True,
        sheet=SHEET,
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample,
        outcome=outcome,
        value=value,
        bounds=BOUNDS,
        derive=derive,
    )
)
