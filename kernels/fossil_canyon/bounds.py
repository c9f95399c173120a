"""What the fields of a state of Fossil Canyon may hold, for states that come from outside."""

import numpy as np

from ..canyon_cards import (
    COPIES_OF_TYPE,
    GENUS_OF_TYPE,
    N_CARDS,
    N_SKELETAL,
    N_SKELETAL_TYPES,
    N_TYPES,
    SKELETONS_OF_GENUS,
    VALUE_OF_GENUS,
)
from .parts import (
    AWARD_PIECES,
    AWARD_POINTS,
    BONUS_POINTS,
    COUNT_OF_EVENT,
    DECK_SIZE,
    DIGS_PER_TURN,
    EXCHANGE_COSTS,
    HIDDEN_LIMIT,
    IDLE_ROUNDS,
    LARGE_GAME,
    LIMIT_TWO,
    MAX_PLAYERS,
    N_EVENTS,
    N_EXCHANGES,
    N_OF_EVENT,
    OP_OF_EVENT,
    PLAIN_EROSION,
    STALEMATE_ROUNDS,
    Op,
)
from .state import MIX, NONE, Phase, Stage

_MOST_SCORE = int(
    (SKELETONS_OF_GENUS * VALUE_OF_GENUS).sum()
    + (AWARD_PIECES * AWARD_POINTS).sum()
    + BONUS_POINTS.sum()
)
_IN_EXCHANGE = (Phase.GIVE, Phase.TAKE)
_SECRET = (Phase.SEND, Phase.REVEAL)

_PHASES_OF_STAGE = np.zeros((len(Stage), len(Phase)), bool)  # [stage, phase], but for events
for _stage, _phases in {
    Stage.SETUP: (Phase.HIDE,),
    Stage.DIGS: (Phase.DIG, Phase.KEEP),
    Stage.EXCHANGES: (Phase.EXCHANGE, *_IN_EXCHANGE),
    Stage.BONUS: (Phase.DIG,),
    Stage.ADJUST: (Phase.HIDE,),
    Stage.END: (Phase.EXCHANGE, *_IN_EXCHANGE, Phase.OVER),
}.items():
    _PHASES_OF_STAGE[_stage, list(_phases)] = True
_PHASES_OF_OP = np.zeros((len(Op), len(Phase)), bool)  # [effect, phase]
for _op, _phases in {
    Op.DIG: (Phase.DIG,),
    Op.PASS: (Phase.SEND,),
    Op.REVEAL: (Phase.REVEAL,),
    Op.EXCHANGE: (Phase.EXCHANGE, *_IN_EXCHANGE),
}.items():
    _PHASES_OF_OP[_op, list(_phases)] = True


def _only(values, allowed, instead):
    """Bound values to themselves where they are allowed, else to another."""
    return (np.where(allowed, values, instead),) * 2


def _is_in(states, field, *members):
    """Say which states have one of some values in a field."""
    return np.isin(states[field], members)


def _seats(states):
    """Say which seats are in the game."""
    return np.arange(MAX_PLAYERS) < states["num_players"][:, None]


def _up_to(high, *where):
    """Bound a field of seats by a number, 0 for seats that are not in the game."""

    def bound(states):
        seats = _seats(states).reshape(len(states), MAX_PLAYERS, *(1 for _ in where))
        return 0, seats * np.asarray(high)

    return bound


def _flag(*stages):
    """Bound a field that may be 1 in some stages only, and never when the game is over."""

    def bound(states):
        return 0, _is_in(states, "stage", *stages) & ~_is_in(states, "phase", Phase.OVER)

    return bound


# --- events and the course of the turn ----------------------------------------------------------


def _bounds_of_deck(states):
    """Let the deck hold the events of the option, each as often as there are cards (1.5)."""
    deck = states["deck"].astype(np.int64)
    mix = (states["events"] == MIX)[:, None]
    wanted = np.where(mix, COUNT_OF_EVENT * (np.arange(N_EVENTS) != PLAIN_EROSION), 0)
    wanted[:, PLAIN_EROSION] = np.where(mix[:, 0], 0, DECK_SIZE)
    counts = (deck[:, :, None] == np.arange(N_EVENTS)).sum(1)
    known = (deck >= 0) & (deck < N_EVENTS)
    at = np.clip(deck, 0, N_EVENTS - 1)
    fits = known & np.take_along_axis(counts <= wanted, at, 1)
    return _only(deck, fits, (counts < wanted).argmax(1)[:, None])


def _bounds_of_drawn(states):
    """Let at least one event be drawn when the first turn has begun."""
    low = ~_is_in(states, "stage", Stage.SETUP, Stage.END)
    return low, np.where(_is_in(states, "stage", Stage.SETUP), 0, N_CARDS)


def _bounds_of_event(states):
    """Let the event of the turn be the last one drawn (4.1)."""
    last = (states["drawn"].astype(np.int64) - 1) % DECK_SIZE
    event = states["deck"][np.arange(len(states)), last]
    return (np.where(_is_in(states, "stage", Stage.SETUP, Stage.END), NONE, event),) * 2


def _bounds_of_phase(states):
    """Let the phase be one of the stage, or of the event's effect; the last one if it is done."""
    phase = np.clip(states["phase"].astype(np.int64), 0, len(Phase) - 1)
    allowed = np.where(
        _is_in(states, "stage", Stage.EVENT)[:, None],
        _PHASES_OF_OP[OP_OF_EVENT[states["event"]]],
        _PHASES_OF_STAGE[states["stage"]],
    )
    over = np.arange(len(Phase)) == Phase.OVER
    allowed = allowed & (over == (states["done"] != 0)[:, None])
    fits = allowed[np.arange(len(states)), phase] & (phase == states["phase"])
    # where no phase would fit (done, but not in the end phase) none is allowed
    return _only(states["phase"], fits, np.where(allowed.any(1), allowed.argmax(1), len(Phase)))


def _bounds_of_active(states):
    """Let the active seat be to move but at set-up, in secret choices and in events' digs."""
    event_dig = _is_in(states, "stage", Stage.EVENT) & _is_in(states, "phase", Phase.DIG)
    free = event_dig | _is_in(states, "phase", *_SECRET)
    set_up = _is_in(states, "stage", Stage.SETUP)
    high = np.where(free, states["num_players"] - 1, states["to_play"])
    return np.where(free | set_up, 0, states["to_play"]), np.where(set_up, 0, high)


def _bounds_of_exchanges(states):
    """Count the exchanges of step 3 or of a turn of the end phase (6.1, 10.2)."""
    high = np.where(_is_in(states, "stage", Stage.EXCHANGES, Stage.END), N_EXCHANGES - 1, 0)
    # in the end phase there is a decision after the last one
    high += _is_in(states, "stage", Stage.END) & _is_in(states, "phase", Phase.EXCHANGE)
    return 0, np.where(_is_in(states, "phase", Phase.OVER), 0, high)


def _bounds_of_digs(states):
    """Count the cards dug: fewer than the step allows (4.4, 5.1)."""
    high = np.where(_is_in(states, "stage", Stage.DIGS), DIGS_PER_TURN - 1, 0)
    event_dig = _is_in(states, "stage", Stage.EVENT) & _is_in(states, "phase", Phase.DIG)
    return 0, np.where(event_dig, N_OF_EVENT[states["event"]] - 1, high)


def _bounds_of_returned(states):
    """Let a card have been put back in step 2 with the option only (5.3)."""
    high = _is_in(states, "stage", Stage.DIGS) & (states["put_back"] != 0)
    return 0, high & ~_is_in(states, "phase", Phase.KEEP)


def _bounds_of_clock(rounds):
    """Count turns of the end phase in vain (10.4)."""

    def bound(states):
        over = _is_in(states, "phase", Phase.OVER)
        most = rounds * states["num_players"].astype(np.int64) - ~over
        return 0, np.where(_is_in(states, "stage", Stage.END), most, 0)

    return bound


# --- cards --------------------------------------------------------------------------------------


def _full_sets(cards):
    """Say for each seat and type whether the seat has the whole set that the type belongs to."""
    full = np.zeros(cards.shape, bool)
    for genus in range(N_SKELETAL):
        of_genus = genus == GENUS_OF_TYPE
        full[:, :, of_genus] = (cards[:, :, of_genus] > 0).all(2)[:, :, None]
    return full


def _bounds_of_hidden(states):
    """Let hidden cards be those of the seats in the game, without a full set (3.3, 10.1)."""
    hidden = states["hidden"].astype(np.int64)
    high = np.where(_full_sets(hidden), hidden - 1, COPIES_OF_TYPE)
    playing = _seats(states) & ~_is_in(states, "stage", Stage.END)[:, None]
    return 0, high * playing[:, :, None]


def _bounds_of_up(states):
    """Let face-up cards be those of the seats in the game, without a full set (2.5, 3.3)."""
    up = states["up"].astype(np.int64)
    high = np.where(_full_sets(up + states["hidden"]) & (up > 0), up - 1, COPIES_OF_TYPE)
    playing = _seats(states) & ~_is_in(states, "stage", Stage.SETUP)[:, None]
    return 0, high * playing[:, :, None]


def _bounds_of_awards(states):
    """Let no more awards be claimed than there are (1.6)."""
    awards = states["awards"].astype(np.int64)
    free = AWARD_PIECES - awards.sum(1)
    return 0, (awards + np.minimum(free, 0)[:, None]) * _seats(states)[:, :, None]


def _bounds_of_discard(states):
    """Let every card of the box be somewhere; trace fossils may have been spent (1.1, 3.4)."""
    rest = np.tile(COPIES_OF_TYPE, (len(states), 1))
    rest[states["research"] == 0, N_SKELETAL_TYPES:] = 0
    rest -= states["buried"].astype(np.int64) + states["exposed"]
    rest -= states["up"].astype(np.int64).sum(1) + states["hidden"].astype(np.int64).sum(1)
    rest -= states["dug"][:, None] == np.arange(N_TYPES)
    skeletal = np.arange(N_TYPES) < N_SKELETAL_TYPES
    laid_out = states["skeletons"].astype(np.int64).sum(1)
    rest -= np.where(skeletal, laid_out[:, np.minimum(GENUS_OF_TYPE, N_SKELETAL - 1)], 0)
    return np.where(skeletal, rest, np.minimum(rest, 0)), rest


def _bounds_of_known(states):
    """Let nobody know more of another's hidden cards than there are (12.2)."""
    high = np.repeat(states["hidden"][:, None].astype(np.int64), MAX_PLAYERS, 1)
    seats = np.arange(MAX_PLAYERS)
    high[:, seats, seats] = 0
    secret = _is_in(states, "stage", Stage.SETUP)
    return 0, high * (_seats(states) & ~secret[:, None])[:, :, None, None]


def _bounds_of_picked(states):
    """Let picks be own cards, within the limit, of the seats that were asked (2.6, 2.7)."""
    picked = states["picked"].astype(np.int64)
    two = (states["hidden_limit_two"] != 0) & (states["num_players"] >= LARGE_GAME)
    limit = np.where(two, LIMIT_TWO, HIDDEN_LIMIT)[:, None]
    seat, asked = np.arange(MAX_PLAYERS), states["to_play"][:, None]
    set_up = _is_in(states, "stage", Stage.SETUP)[:, None]
    hiding = _is_in(states, "phase", Phase.HIDE)[:, None]
    may = hiding & ((seat == asked) | ((seat < asked) & set_up))
    fits = picked.sum(2) <= np.where(seat == asked, limit - 1, limit)
    held = states["up"].astype(np.int64) + states["hidden"]
    return 0, held * (may & fits)[:, :, None]


def _bounds_of_chosen(states):
    """Let the seats from the active one to the one before that to move have chosen (4.6, 4.7)."""
    n = states["num_players"].astype(np.int64)[:, None]
    chosen = states["chosen"].astype(np.int64)
    active, asked = states["active"][:, None], states["to_play"][:, None]
    before = (np.arange(MAX_PLAYERS) - active) % n < (asked - active) % n
    may = before & _is_in(states, "phase", *_SECRET)[:, None] & _seats(states)
    showing = _is_in(states, "phase", Phase.REVEAL)[:, None, None]
    cards = states["hidden"].astype(np.int64) + np.where(showing, 0, states["up"])
    at = np.clip(chosen, 0, N_TYPES - 1)[:, :, None]
    has = np.take_along_axis(cards, at, 2)[:, :, 0] > 0
    real = (chosen >= 0) & (chosen < N_TYPES) & has
    wanted = np.where(may & (cards > 0).any(2), (cards > 0).argmax(2), NONE)
    return _only(chosen, np.where(wanted == NONE, chosen == NONE, real), wanted)


# --- exchanges ----------------------------------------------------------------------------------


def _bounds_of_target(states):
    """Let the partner be another seat, in an exchange only (6.2)."""
    target, n = states["target"].astype(np.int64), states["num_players"].astype(np.int64)
    fits = (target >= 0) & (target < n) & (target != states["to_play"])
    instead = (states["to_play"].astype(np.int64) + 1) % n
    busy = _is_in(states, "phase", *_IN_EXCHANGE)
    return _only(target, np.where(busy, fits, target == NONE), np.where(busy, instead, NONE))


def _bounds_of_given(states):
    """Let the cards given be as many as the exchange costs, fewer while more are given (6.3)."""
    given = states["given"].astype(np.int64)
    event = _is_in(states, "stage", Stage.EVENT)
    at = np.minimum(states["exchanges"], N_EXCHANGES - 1)
    cost = np.where(event, N_OF_EVENT[states["event"]], EXCHANGE_COSTS[at])
    missing = cost - given.sum(1)
    n = np.arange(len(states))
    own = states["up"][n, states["to_play"]].astype(np.int64).sum(1)
    own += states["hidden"][n, states["to_play"]].astype(np.int64).sum(1)
    giving, taking = (_is_in(states, "phase", phase) for phase in _IN_EXCHANGE)
    fits = np.where(giving, (missing > 0) & (missing <= own), missing == 0)
    fits = np.where(giving | taking, fits, given.sum(1) == 0)
    low, high = _only(given, fits[:, None], given + 1)
    return low, np.where((giving | taking)[:, None], high, 0)


def _bounds_of_dug(states):
    """Let a card be looked at with the option only (5.3)."""
    keeping = _is_in(states, "phase", Phase.KEEP)
    high = np.where(states["put_back"] != 0, N_TYPES - 1, NONE)
    return np.where(keeping, 0, NONE), np.where(keeping, high, NONE)


BOUNDS = {
    "stage": (Stage.SETUP, Stage.END),
    "deck": _bounds_of_deck,
    "drawn": _bounds_of_drawn,
    "event": _bounds_of_event,
    "phase": _bounds_of_phase,
    "active": _bounds_of_active,
    "score": _up_to(_MOST_SCORE),
    "gain": _up_to(_MOST_SCORE),
    "exchanges": _bounds_of_exchanges,
    "digs": _bounds_of_digs,
    "returned": _bounds_of_returned,
    "earned": _flag(*range(Stage.EVENT, Stage.END)),
    "scored": _flag(Stage.END),
    "acted": _flag(Stage.END),
    "barren": _bounds_of_clock(STALEMATE_ROUNDS),
    "idle": _bounds_of_clock(IDLE_ROUNDS),
    "dug": _bounds_of_dug,
    "buried": (0, COPIES_OF_TYPE),
    "exposed": (0, COPIES_OF_TYPE),
    "hidden": _bounds_of_hidden,
    "up": _bounds_of_up,
    "skeletons": _up_to(SKELETONS_OF_GENUS[:N_SKELETAL], N_SKELETAL),
    "awards": _bounds_of_awards,
    "discard": _bounds_of_discard,
    "known": _bounds_of_known,
    "picked": _bounds_of_picked,
    "chosen": _bounds_of_chosen,
    "target": _bounds_of_target,
    "given": _bounds_of_given,
}
