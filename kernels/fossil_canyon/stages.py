"""Fossil Canyon: the course of a turn, its event, and the end phase (4 to 10)."""

import numpy as np

from ..canyon_cards import GENUS_OF_TYPE, N_TYPES
from ..jit import index, kernel
from .actions import _any, _n_cards
from .cards import _complete, _draw, _remove, _uncover
from .parts import (
    BONUS_DIGS,
    DECK_SIZE,
    END_MIN_CARDS,
    FOR_LOWEST,
    IDLE_ROUNDS,
    N_OF_EVENT,
    OP_OF_EVENT,
    STALEMATE_ROUNDS,
    Op,
)
from .scoring import _may_go_on
from .state import NONE, Phase, Stage, Stream

PHASE_OF_STAGE = np.array(
    [
        Phase.HIDE,
        Phase.OVER,  # that of an event depends on it
        Phase.DIG,
        Phase.EXCHANGE,
        Phase.DIG,
        Phase.HIDE,
        Phase.EXCHANGE,
    ]
)


@kernel
def _next_seat(state, seat):
    """Return the next seat in turn order."""
    return (np.int64(seat) + 1) % np.int64(state.num_players)


@kernel(apart=True)
def _next_stage(state):
    """Go on to the next step of a turn (5, 6, 7, 9)."""
    stage = np.int64(state.stage) + 1
    if stage == Stage.BONUS.value and (BONUS_DIGS == 0 or state.earned == 0):
        stage = np.int64(Stage.ADJUST.value)  # 7.1
    state.stage = stage
    state.phase = PHASE_OF_STAGE[index(stage)]
    state.to_play = state.active
    state.digs = 0
    state.exchanges = 0
    state.returned = 0


@kernel(apart=True)
def _begin_turn(state, seat):
    """Begin a turn with its event, or the end phase (4.1, 10.1)."""
    state.active = seat
    state.to_play = seat
    state.earned = 0
    state.digs = 0
    state.exchanges = 0
    if _any(state.buried[:]) or _any(state.exposed[:]):
        state.stage = Stage.EVENT.value
        state.event = state.deck[index(np.int64(state.drawn) % DECK_SIZE)]
        state.drawn += 1
        _happen(state, np.int64(index(state.event)))
    else:
        _begin_end(state)


@kernel(apart=True)
def _happen(state, event):
    """Carry out an event, up to its first decision (4.2 to 4.9)."""
    op = OP_OF_EVENT[event]
    if op == Op.DIG.value:
        state.phase = Phase.DIG.value
        if FOR_LOWEST[event]:
            state.to_play = _lowest(state)
    elif op == Op.PASS.value:
        state.phase = Phase.SEND.value
    elif op == Op.REVEAL.value:
        state.phase = Phase.REVEAL.value
    elif op == Op.EXCHANGE.value:
        state.phase = Phase.EXCHANGE.value
    else:
        if op == Op.EXPOSE.value:
            for _ in range(N_OF_EVENT[event]):
                if _any(state.buried[:]):
                    state.exposed[index(_draw(state, state.buried[:], Stream.EXPOSE.value))] += 1
        elif op == Op.BURY.value:
            for t in range(N_TYPES):
                state.buried[t] += state.exposed[t]
                state.exposed[t] = 0
        _next_stage(state)


@kernel(apart=True)
def _lowest(state):
    """Return the seat with the fewest points, the first from the active one on (4.5)."""
    lowest = np.int64(state.active)
    seat = lowest
    for _ in range(np.int64(state.num_players) - 1):
        seat = _next_seat(state, seat)
        if state.score[index(seat)] < state.score[index(lowest)]:
            lowest = seat
    return lowest


@kernel(apart=True)
def _next_chooser(state):
    """Go on to the next seat of a secret choice, or carry it out after the last (4.6, 4.7)."""
    seat = _next_seat(state, np.int64(state.to_play))
    state.to_play = seat
    if seat == state.active:
        if state.phase == Phase.SEND.value:
            _pass_on(state)
        else:
            _reveal(state)
        state.chosen[:] = NONE
        _next_stage(state)


@kernel(apart=True)
def _pass_on(state):
    """Move the chosen cards to the next seats (4.6)."""
    num_players = np.int64(state.num_players)
    for seat in range(num_players):
        if state.chosen[seat] != NONE:
            _remove(state, np.int64(seat), np.int64(state.chosen[seat]))
    for seat in range(num_players):
        if state.chosen[seat] != NONE:
            state.up[index(_next_seat(state, seat)), index(state.chosen[seat])] += 1
    for seat in range(num_players):
        if state.chosen[seat] != NONE:
            genus = np.int64(GENUS_OF_TYPE[index(state.chosen[seat])])
            _complete(state, _next_seat(state, seat), genus)


@kernel(apart=True)
def _reveal(state):
    """Turn the chosen cards face up (4.7)."""
    for seat in range(np.int64(state.num_players)):
        if state.chosen[seat] != NONE:
            t = np.int64(state.chosen[seat])
            _uncover(state, np.int64(seat), t)
            state.up[seat, index(t)] += 1


@kernel(apart=True)
def _begin_end(state):
    """Begin the end phase: all cards are face up (10.1, 10.3)."""
    state.stage = Stage.END.value
    state.event = NONE
    for seat in range(np.int64(state.num_players)):
        for t in range(N_TYPES):
            state.up[seat, t] += state.hidden[seat, t]
            state.hidden[seat, t] = 0
    state.known[:] = 0
    state.barren = 0
    state.idle = 0
    if _may_go_on(state):
        _play_end(state, np.int64(state.active))
    else:
        state.phase = Phase.OVER.value


@kernel(apart=True)
def _play_end(state, seat):
    """Begin the turn of a seat in the end phase; who has too few cards is skipped (10.2, 10.4)."""
    state.active = seat
    while _n_cards(state, np.int64(state.active)) < END_MIN_CARDS:
        _count_turn(state)
        if state.phase == Phase.OVER.value:
            return
    state.to_play = state.active
    state.phase = Phase.EXCHANGE.value


@kernel(apart=True)
def _count_turn(state):
    """End a turn of the end phase: count the turns in vain, go on to the next seat (10.4)."""
    num_players = np.int64(state.num_players)
    state.barren = 0 if state.scored else state.barren + 1
    state.idle = 0 if state.acted else state.idle + 1
    state.earned = 0
    state.scored = 0
    state.acted = 0
    state.exchanges = 0
    if state.barren >= STALEMATE_ROUNDS * num_players or state.idle >= IDLE_ROUNDS * num_players:
        state.phase = Phase.OVER.value
    else:
        state.active = _next_seat(state, np.int64(state.active))
