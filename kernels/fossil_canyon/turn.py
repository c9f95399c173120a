"""Fossil Canyon: a decision and all that follows from it (2.5 to 10)."""

import numpy as np

from ..canyon_cards import GENUS_OF_TYPE, N_TYPES
from ..jit import index, kernel
from .actions import (
    CLAIM_MAJOR,
    CLAIM_MINOR,
    DIG,
    DIG_BURIED,
    DONE,
    EXCHANGE,
    GIVE,
    HIDE,
    KEEP,
    REVEAL,
    SEND,
    SKIPPED,
    STOP,
    TAKE,
    TAKE_BLIND,
    _cost,
    _hidden_limit,
    _opponent,
    _total,
    next_choice,
)
from .cards import _claim, _complete, _draw, _receive, _remove
from .parts import DIGS_PER_TURN, MAJOR, MINOR, N_EXCHANGES, N_OF_EVENT
from .scoring import _finish, _may_go_on
from .stages import (
    _begin_turn,
    _count_turn,
    _next_chooser,
    _next_seat,
    _next_stage,
    _play_end,
)
from .state import NONE, Phase, Stage, Stream


@kernel
def step(state, action):
    """Apply a legal action, then everything that is forced, up to the next decision or the end.

    Rules 2.5 to 10.5 and 11.1.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.

    Notes
    -----
    Draws from BURIED for every buried card dug, from EXPOSE for every card that erosion exposes and
    from BLIND for every hidden card taken.
    """
    state.gain[:] = 0
    state.ply += 1
    while action >= 0 or action == SKIPPED:  # ends: the game is finite and each is a part of it
        apply_choice(state, action)
        action = next_choice(state)


@kernel(apart=True)
def apply_choice(state, action):
    """Apply one choice and nothing that is forced after it.

    Parameters
    ----------
    state : STATE record, in and out
    action : int
        Legal, or SKIPPED to leave out a decision that does not exist.
    """
    if action == SKIPPED:
        _skip(state)
    elif action < STOP:
        _apply_card(state, action)
    elif action < TAKE:
        _apply_exchange(state, action)
    elif action < SEND:
        _take(state, action)
    elif action < CLAIM_MAJOR:
        state.chosen[index(state.to_play)] = action - (SEND if action < REVEAL else REVEAL)
        _next_chooser(state)
    elif action < CLAIM_MINOR:
        _claim(state, MAJOR, action - CLAIM_MAJOR)
    else:
        _claim(state, MINOR, action - CLAIM_MINOR)
    if state.stage == Stage.END.value:
        if state.scored and not _may_go_on(state):
            state.phase = Phase.OVER.value  # 10.3
        if state.phase == Phase.OVER.value:
            _finish(state)


@kernel(apart=True)
def _skip(state):
    """Leave out a decision that does not exist (4.6, 4.7, 6.4, 8.1)."""
    if state.phase == Phase.DIG.value:
        _next_stage(state)
    elif state.phase == Phase.TAKE.value:
        _end_exchange(state)
    else:
        _next_chooser(state)


@kernel(apart=True)
def _apply_card(state, action):
    """Apply a choice of what to hide, to dig or to keep."""
    me = np.int64(state.to_play)
    if action < DONE:
        state.picked[index(me), index(action - HIDE)] += 1
        if _total(state.picked[index(me)]) == _hidden_limit(state):
            _end_hiding(state)
    elif action == DONE:
        _end_hiding(state)
    elif action < DIG_BURIED:
        t = action - DIG
        state.exposed[index(t)] -= 1
        _receive(state, me, t)
        _end_dig(state, t)
    elif action == DIG_BURIED:
        t = _draw(state, state.buried[:], Stream.BURIED.value)
        if state.put_back and state.stage == Stage.DIGS.value and state.returned == 0:
            state.dug = t
            state.phase = Phase.KEEP.value
        else:
            state.hidden[index(me), index(t)] += 1
            _end_dig(state, t)
    else:
        t = np.int64(state.dug)
        state.dug = NONE
        state.phase = Phase.DIG.value
        if action == KEEP:
            state.hidden[index(me), index(t)] += 1
            _end_dig(state, t)
        else:
            state.exposed[index(t)] += 1
            state.returned = 1


@kernel(apart=True)
def _end_dig(state, t):
    """Complete what the card dug completes; end the step after the last dig (4.4, 5.1, 7.1)."""
    _complete(state, np.int64(state.to_play), np.int64(GENUS_OF_TYPE[index(t)]))
    state.digs += 1
    wanted = np.int64(1)
    if state.stage == Stage.EVENT.value:
        wanted = np.int64(N_OF_EVENT[index(state.event)])
    elif state.stage == Stage.DIGS.value:
        wanted = np.int64(DIGS_PER_TURN)
    if state.digs == wanted:
        _next_stage(state)


@kernel(apart=True)
def _end_hiding(state):
    """Go on to the next seat at set-up, or to the next turn (2.5, 9.1 to 9.3)."""
    seat = _next_seat(state, np.int64(state.to_play))
    if state.stage == Stage.SETUP.value:
        state.to_play = seat
        if seat == 0:
            for player in range(np.int64(state.num_players)):
                for t in range(N_TYPES):
                    state.up[player, t] = state.hidden[player, t] - state.picked[player, t]
                    state.hidden[player, t] = state.picked[player, t]
            state.picked[:] = 0
            _begin_turn(state, seat)
    else:
        _adjust(state, np.int64(state.active))
        _begin_turn(state, seat)


@kernel(apart=True)
def _adjust(state, seat):
    """Hide the cards picked, show the others; all compare what is face up (9.1, 12.2)."""
    seat = index(seat)
    for t in range(N_TYPES):
        held = np.int64(state.up[seat, t]) + np.int64(state.hidden[seat, t])
        if held == 0:
            continue
        up = held - np.int64(state.picked[seat, t])
        shown = up - np.int64(state.up[seat, t])
        state.hidden[seat, t] = state.picked[seat, t]
        state.up[seat, t] = up
        state.picked[seat, t] = 0
        if shown != 0:
            for observer in range(np.int64(state.num_players)):
                if observer != seat:
                    known = np.int64(state.known[observer, seat, t])
                    state.known[observer, seat, t] = max(np.int64(0), known - shown)


# --- exchanges (6) ------------------------------------------------------------------------------


@kernel(apart=True)
def _apply_exchange(state, action):
    """Apply a choice to stop, of a partner, or of a card to give."""
    if action == STOP:
        if state.stage == Stage.END.value:
            _count_turn(state)
            if state.phase != Phase.OVER.value:
                _play_end(state, np.int64(state.active))
        else:
            _next_stage(state)
    elif action < GIVE:
        state.target = _opponent(state, action - EXCHANGE)
        state.phase = Phase.GIVE.value
        if state.stage == Stage.END.value:
            state.acted = 1
    else:
        _give(state, action - GIVE)


@kernel(apart=True)
def _give(state, t):
    """Give a card to the partner (6.3)."""
    partner = np.int64(state.target)
    _remove(state, np.int64(state.to_play), t)
    state.up[index(partner), index(t)] += 1
    state.given[index(t)] += 1
    _complete(state, partner, np.int64(GENUS_OF_TYPE[index(t)]))
    if _total(state.given[:]) == _cost(state):
        state.phase = Phase.TAKE.value


@kernel(apart=True)
def _take(state, action):
    """Take a card from the partner (6.4, 6.5, 12.2)."""
    me, partner = np.int64(state.to_play), np.int64(state.target)
    if action == TAKE_BLIND:
        t = _take_blindly(state, me, partner)
    else:
        t = action - TAKE
        state.up[index(partner), index(t)] -= 1
        if state.stage == Stage.END.value:
            state.up[index(me), index(t)] += 1  # 10.2
        else:
            _receive(state, me, t)
    _complete(state, me, np.int64(GENUS_OF_TYPE[index(t)]))
    _end_exchange(state)


@kernel(apart=True)
def _take_blindly(state, me, partner):
    """Take a hidden card at random, seen by the two; return its type (6.4, 12.2)."""
    me, partner = index(me), index(partner)
    n = _total(state.hidden[partner])
    t = index(_draw(state, state.hidden[partner], Stream.BLIND.value))
    state.hidden[me, t] += 1
    if state.known[me, partner, t] > 0:
        state.known[me, partner, t] -= 1
    state.known[partner, me, t] += 1
    for observer in range(np.int64(state.num_players)):
        if observer != me and observer != partner:
            if state.known[observer, partner, t] == n:  # it could be no other
                state.known[observer, me, t] += 1
            for u in range(N_TYPES):
                if state.known[observer, partner, u] > 0:
                    state.known[observer, partner, u] -= 1
    return np.int64(t)


@kernel(apart=True)
def _end_exchange(state):
    """End an exchange; there may be another (4.8, 6.2, 10.2)."""
    state.exchanges += 1
    state.target = NONE
    state.given[:] = 0
    state.phase = Phase.EXCHANGE.value
    if state.stage == Stage.EVENT.value or (
        state.stage == Stage.EXCHANGES.value and state.exchanges == N_EXCHANGES
    ):
        _next_stage(state)
