"""Fossil Canyon by Kevin Lynch: the rules of docs/games/fossil_canyon.md, compiled.

Cards are counted by type: a hand is an array of the numbers of its cards of each of the types that
`canyon_cards` numbers, and nothing says which of two like cards is which.

`parts` says what the component sheet holds, `state` what a game is; `setup` deals it, `actions`
lists what can be done, `turn` does it, with `cards` for what moves and is completed and `stages`
for the course of a turn and the end phase; `scoring` ends the game, `judgement` values a position;
`observation` is what a seat sees, `knowledge` deals anew what it cannot know, and `bounds` what a
state from outside may hold. Names with an underscore stay within this folder.
"""

from .. import canyon_cards, rules
from .actions import ACTIONS, SKIPPED, legal, next_choice
from .bounds import BOUNDS
from .judgement import value
from .knowledge import resample
from .observation import OBS, observe
from .parts import (
    AWARD_NEEDS,
    AWARD_PIECES,
    AWARD_POINTS,
    BONUS_NAMES,
    BONUS_POINTS,
    DECK_SIZE,
    DIGS_PER_TURN,
    END_MIN_CARDS,
    EVENT_IDS,
    EXCHANGE_COSTS,
    HAND_OF_PLAYERS,
    HIDDEN_LIMIT,
    IDLE_ROUNDS,
    MAX_DECISIONS,
    MAX_PLAYERS,
    N_OF_EVENT,
    OP_OF_EVENT,
    SETS,
    STALEMATE_ROUNDS,
    Op,
)
from .scoring import outcome
from .setup import reset
from .state import NONE, OPTIONS, STATE, Phase, Stage, Stream
from .turn import apply_choice, step

__all__ = [
    "AWARD_NEEDS",
    "AWARD_PIECES",
    "AWARD_POINTS",
    "BONUS_NAMES",
    "BONUS_POINTS",
    "DECK_SIZE",
    "DIGS_PER_TURN",
    "END_MIN_CARDS",
    "EVENT_IDS",
    "EXCHANGE_COSTS",
    "HAND_OF_PLAYERS",
    "HIDDEN_LIMIT",
    "IDLE_ROUNDS",
    "MAX_PLAYERS",
    "NONE",
    "N_OF_EVENT",
    "OP_OF_EVENT",
    "RULES",
    "SETS",
    "SKIPPED",
    "STALEMATE_ROUNDS",
    "Op",
    "Phase",
    "Stage",
    "apply_choice",
    "next_choice",
]

RULES = rules.register(
    rules.Rules(
        name="fossil_canyon",
        title="Fossil Canyon",
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=ACTIONS,
        streams=Stream,
        max_decisions=MAX_DECISIONS,
        perfect_information=False,
        sheet=canyon_cards.SHEET,
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample,
        outcome=outcome,
        value=value,
        bounds=BOUNDS,
        shares=(canyon_cards,),
    )
)
