"""Digging for Dinos: the rules of docs/games/digging_for_dinos.md, compiled.

Spaces are numbered row by row from the top left corner; a smaller board is the top left corner of
the largest one, and the spaces beyond it never hold a tile, which costs no rule of its own because
spaces without a tile are passed over:

     0  1  2  3  4
     5  6  7 ...
    10 ...

A kind of tile is a species and a position, counted through in the order of the sheet. `parts` says
what the component sheet holds, `state` what a game is; `setup` deals it and draws tiles, `actions`
lists what can be done, `turn` does it, `scoring` ranks and judges; `observation` is what a seat
sees, and `bounds` what a state from outside may hold. Names with an underscore stay within this
folder.
"""

from .. import rules
from .actions import ACTIONS, Direction, legal, next_choice
from .bounds import BOUNDS
from .observation import OBS, observe, resample
from .parts import (
    ABILITY_OF_SPECIES,
    COLS,
    COLS_OF_BOARD,
    DINOSAURS_TO_END,
    ERA_OF_SPECIES,
    FIRST_KIND,
    LEFT_OF_KIND,
    LENGTH_OF_SPECIES,
    N_KINDS,
    N_SPECIES,
    N_TOKENS,
    NAMES,
    POSITION_OF_KIND,
    RAY,
    RIGHT_OF_SPECIES,
    ROWS,
    ROWS_OF_BOARD,
    SHEET,
    SPECIES_OF_KIND,
    STEP,
)
from .scoring import outcome, value
from .setup import derive, reset
from .state import MAX_DECISIONS, NO_SPACE, NO_TILE, OPTIONS, STATE, Phase, Side, Stream
from .turn import NONE_COMPLETED, apply_choice, step, take_tile

__all__ = [
    "ABILITY_OF_SPECIES",
    "COLS",
    "COLS_OF_BOARD",
    "DINOSAURS_TO_END",
    "ERA_OF_SPECIES",
    "FIRST_KIND",
    "LEFT_OF_KIND",
    "LENGTH_OF_SPECIES",
    "NAMES",
    "NONE_COMPLETED",
    "NO_SPACE",
    "NO_TILE",
    "N_KINDS",
    "N_SPECIES",
    "N_TOKENS",
    "POSITION_OF_KIND",
    "RAY",
    "RIGHT_OF_SPECIES",
    "ROWS",
    "ROWS_OF_BOARD",
    "RULES",
    "SPECIES_OF_KIND",
    "STEP",
    "Direction",
    "Phase",
    "Side",
    "apply_choice",
    "derive",
    "next_choice",
    "take_tile",
]

RULES = rules.register(
    rules.Rules(
        name="digging_for_dinos",
        title="Digging for Dinos",
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
