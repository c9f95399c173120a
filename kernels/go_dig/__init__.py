"""Go Dig, a side game of the Fossil Canyon box: the rules of docs/games/go_dig.md, compiled.

Types of cards and genera are numbered as in `canyon_cards`; hands are counts by type. The hidden
cards of a hand are those beyond the known ones (5.3).

`parts` says what the component sheet holds, `state` what a game is; `setup` deals it, `actions`
lists what can be asked, `turn` asks it, with `cards` for what moves and is laid; `scoring` ends the
game and values a position; `observation` is what a seat sees, `knowledge` deals anew what it cannot
know, from the table of `deals` where shuffling does not do, and `bounds` what a state from outside
may hold. Names with an underscore stay within this folder.
"""

from .. import canyon_cards, rules
from .actions import ACTIONS, legal
from .bounds import BOUNDS
from .deals import deal_exactly
from .knowledge import resample
from .observation import OBS, observe
from .parts import (
    COPIES_OF_TYPE,
    END_OF_GENUS,
    FIRST_OF_GENUS,
    FOSSILS_OF_GENUS,
    GENERA,
    GENUS_OF_TYPE,
    MAX_PLAYERS,
    N_GENERA,
    N_TYPES,
    SKELETONS_OF_GENUS,
    TURN_CAP,
    VALUE_OF_GENUS,
)
from .scoring import outcome, value
from .setup import derive, reset
from .state import MAX_DECISIONS, OPTIONS, STATE, Phase, Stream
from .turn import apply_choice, next_choice, step

__all__ = [
    "COPIES_OF_TYPE",
    "END_OF_GENUS",
    "FIRST_OF_GENUS",
    "FOSSILS_OF_GENUS",
    "GENERA",
    "GENUS_OF_TYPE",
    "MAX_PLAYERS",
    "N_GENERA",
    "N_TYPES",
    "RULES",
    "SKELETONS_OF_GENUS",
    "TURN_CAP",
    "VALUE_OF_GENUS",
    "Phase",
    "Stream",
    "apply_choice",
    "deal_exactly",
    "derive",
    "next_choice",
]

RULES = rules.register(
    rules.Rules(
        name="go_dig",
        title="Go Dig",
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=ACTIONS,
        streams=Stream,
        max_decisions=MAX_DECISIONS,
        perfect_information=False,
        sheet=canyon_cards.SHEET,
        shares=(canyon_cards,),
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
