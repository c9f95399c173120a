"""Fossilium for 2 to 4 players."""

from .. import rules
from .actions import ACTIONS, legal
from .bounds import BOUNDS, derive
from .judgement import value
from .knowledge import resample
from .observation import OBS, observe
from .parts import MAX_DECISIONS, SHEET
from .scoring import outcome
from .state import OPTIONS, STATE, Stream
from .turn import reset, step

RULES = rules.register(
    rules.Rules(
        name="fossilium",
        title="Fossilium",
        module=__name__,
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
        derive=derive,
        bounds=BOUNDS,
    )
)
