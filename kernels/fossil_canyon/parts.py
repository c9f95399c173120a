"""What the sheet of the box says for Fossil Canyon: events, awards, bonuses and limits."""

from enum import IntEnum

import numpy as np

from ..canyon_cards import (
    COPIES_OF_TYPE,
    DIET_OF_GENUS,
    DIETS,
    GENERA,
    N_SKELETAL,
    N_SKELETAL_CARDS,
    N_SKELETAL_TYPES,
    N_TRACES,
    N_TYPES,
    PARTS,
    PERIOD_OF_GENUS,
    PERIODS,
    RESEARCH_OF_GENUS,
    SKELETONS_OF_GENUS,
)

MIN_PLAYERS = PARTS["players"]["min"]
MAX_PLAYERS = PARTS["players"]["max"]
N_DISCARDED = PARTS["discard_unseen"]
HIDDEN_LIMIT = PARTS["hidden_limit"]
LIMIT_TWO = min(2, HIDDEN_LIMIT)  # 2.7
LARGE_GAME = 5  # players from which the limit of two counts (2.7)
DIGS_PER_TURN = PARTS["digs_per_turn"]
BONUS_DIGS = PARTS["bonus_digs_max"]
EXCHANGE_COSTS = np.array(PARTS["exchange_costs"])
N_EXCHANGES = len(EXCHANGE_COSTS)
END_MIN_CARDS = PARTS["end_phase_min_fossils_to_exchange"]
STALEMATE_ROUNDS = PARTS["stalemate_rounds"]
IDLE_ROUNDS = PARTS["idle_rounds"]
HAND_OF_PLAYERS = np.array([PARTS["starting_hand"].get(str(n), 0) for n in range(MAX_PLAYERS + 1)])
FIRST_TRACE = N_SKELETAL_TYPES  # type of the first trace fossil


class Op(IntEnum):
    """Effects of events (4)."""

    EXPOSE = 0
    BURY = 1
    DIG = 2
    PASS = 3
    REVEAL = 4
    EXCHANGE = 5
    NONE = 6


_OPS = {
    "expose": Op.EXPOSE,
    "bury_all_exposed": Op.BURY,
    "dig": Op.DIG,
    "pass_left": Op.PASS,
    "reveal_hidden": Op.REVEAL,
    "optional_exchange": Op.EXCHANGE,
    "none": Op.NONE,
}
_EVENTS = PARTS["event"]
EVENT_IDS = (*(event["id"] for event in _EVENTS), "erosion_only")
N_SHEET_EVENTS = len(_EVENTS)
PLAIN_EROSION = N_SHEET_EVENTS  # the event of the option for erosion only (1.5)
N_EVENTS = N_SHEET_EVENTS + 1
OP_OF_EVENT = np.array([_OPS[event["op"]] for event in _EVENTS] + [Op.EXPOSE], np.int64)
# cards exposed, dug or chosen, or what an exchange costs
N_OF_EVENT = np.array([event.get("n", event.get("cost", 0)) for event in _EVENTS] + [1])
FOR_LOWEST = np.array([event.get("who", "active") != "active" for event in _EVENTS] + [False])
MIXED_DECK = np.repeat(np.arange(N_SHEET_EVENTS), [event["count"] for event in _EVENTS])
DECK_SIZE = len(MIXED_DECK)
COUNT_OF_EVENT = np.array([event["count"] for event in _EVENTS] + [DECK_SIZE])

# --- awards (3.4, 3.5) --------------------------------------------------------------------------

MAJOR, MINOR = 0, 1
_AWARDS = (PARTS["awards"]["major"], PARTS["awards"]["minor"])
AWARD_PIECES = np.array([award["pieces"] for award in _AWARDS])
AWARD_NEEDS = np.array([award["needs"] for award in _AWARDS])
AWARD_POINTS = np.array([award["points"] for award in _AWARDS])
RESEARCH_OF_TRACE = RESEARCH_OF_GENUS[N_SKELETAL:]


def _minimal_sets(needs):
    """List the sets of trace fossils, as bit masks, that pay an award and none to spare (3.5)."""
    sets = []
    for mask in range(1 << N_TRACES):
        members = [int(RESEARCH_OF_TRACE[i]) for i in range(N_TRACES) if mask >> i & 1]
        if needs <= sum(members) < needs + min(members, default=0):
            sets.append(mask)
    return sets


_SETS = [_minimal_sets(int(needs)) for needs in AWARD_NEEDS]
N_SETS = np.array([len(sets) for sets in _SETS])
SETS = np.zeros((2, max(1, *N_SETS)), np.int64)  # [major or minor, cards]: bit i is trace fossil i
for _award, _masks in enumerate(_SETS):
    SETS[_award, : len(_masks)] = _masks
RESEARCH_OF_MASK = np.array(
    [
        sum(int(RESEARCH_OF_TRACE[i]) for i in range(N_TRACES) if mask >> i & 1)
        for mask in range(1 << N_TRACES)
    ]
)

# --- bonuses (10.5 to 10.7) ---------------------------------------------------------------------

_PAYS = {genus.get("pays") for genus in PARTS["genus"]}  # 1.7
_BONUSES = [bonus for bonus in PARTS["bonus"] if bonus["name"] not in _PAYS]
N_BONUSES = len(_BONUSES)
BONUS_NAMES = tuple(bonus["name"] for bonus in _BONUSES)
BONUS_POINTS = np.array([bonus["points"] for bonus in _BONUSES] + [0])
BONUS_NEEDS_ALL = np.array([bonus["rule"] == "all_genera" for bonus in _BONUSES] + [False])


def _counts_for(bonus, genus):
    """Say whether skeletons of a genus count for a bonus."""
    return (
        bonus.get("period") in (None, PERIODS[PERIOD_OF_GENUS[genus]])
        and bonus.get("diet") in (None, DIETS[DIET_OF_GENUS[genus]])
        and GENERA[genus] in bonus.get("genera", GENERA)
    )


# [bonus, genus]: skeletons of the genus count; the last row keeps the table from being empty
BONUS_GENERA = np.array(
    [[_counts_for(bonus, genus) for genus in range(N_SKELETAL)] for bonus in _BONUSES]
    + [[False] * N_SKELETAL]
)

N_TRACE_CARDS = int(COPIES_OF_TYPE[N_SKELETAL_TYPES:].sum())
ALL_CARDS = COPIES_OF_TYPE.astype(np.uint8)
NO_TRACES = np.where(np.arange(N_TYPES) < FIRST_TRACE, COPIES_OF_TYPE, 0).astype(np.uint8)


def _most_decisions(players):
    """Bound the decisions of a game of a number of players (11.2)."""
    site = N_SKELETAL_CARDS + N_TRACE_CARDS - N_DISCARDED - players * HAND_OF_PLAYERS[players]
    turns = -(-site // DIGS_PER_TURN)
    exchanges = 2 * N_EXCHANGES + EXCHANGE_COSTS.sum()  # a partner, the cards, one taken
    costs = N_OF_EVENT[OP_OF_EVENT == Op.EXCHANGE]
    digs = N_OF_EVENT[OP_OF_EVENT == Op.DIG]
    first = max(players, *(costs + 2), *digs)
    turn = first + 2 * DIGS_PER_TURN + 1 + exchanges + BONUS_DIGS + HIDDEN_LIMIT
    claims = AWARD_PIECES.sum()
    rows = SKELETONS_OF_GENUS.sum() + claims + 1
    end = rows * STALEMATE_ROUNDS * players * (exchanges + 1)
    return int(players * HIDDEN_LIMIT + turns * turn + end + claims)


MAX_DECISIONS = max(_most_decisions(n) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1))
