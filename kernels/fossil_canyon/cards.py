"""Cards of Fossil Canyon that move, and what they complete (3 and 12.2)."""

import numpy as np

from .. import rng
from ..canyon_cards import FIRST_TYPE_OF_GENUS, FOSSILS_OF_GENUS, N_TRACES, N_TYPES, VALUE_OF_GENUS
from ..jit import index, kernel
from .parts import AWARD_POINTS, FIRST_TRACE, SETS
from .scoring import _pay
from .state import Stage


@kernel(apart=True)
def _draw(state, cards, stream):
    """Draw one card of some at random and take it away; return its type."""
    n = np.int64(0)
    for t in range(N_TYPES):
        n += np.int64(cards[t])
    k = rng.draw(state, stream, n)
    t = np.int64(0)
    while k >= np.int64(cards[index(t)]):
        k -= np.int64(cards[index(t)])
        t += 1
    cards[index(t)] -= 1
    return t


@kernel
def _remove(state, seat, t):
    """Take a card of a type away from a seat, a face-up one if there is one (3.2)."""
    seat, t = index(seat), index(t)
    if state.up[seat, t] > 0:
        state.up[seat, t] -= 1
    else:
        _uncover(state, np.int64(seat), np.int64(t))


@kernel(apart=True)
def _uncover(state, seat, t):
    """Take a hidden card away, seen by all (12.2)."""
    seat, t = index(seat), index(t)
    state.hidden[seat, t] -= 1
    for observer in range(np.int64(state.num_players)):
        if state.known[observer, seat, t] > 0:
            state.known[observer, seat, t] -= 1


@kernel(apart=True)
def _receive(state, seat, t):
    """Add a card to a hidden hand that all see enter it (12.2)."""
    seat, t = index(seat), index(t)
    state.hidden[seat, t] += 1
    for observer in range(np.int64(state.num_players)):
        if observer != seat:
            state.known[observer, seat, t] += 1


@kernel(apart=True)
def _complete(state, seat, genus):
    """Lay out the skeletons of a genus that a seat has all cards of (3.3)."""
    n = FOSSILS_OF_GENUS[index(genus)]
    first = FIRST_TYPE_OF_GENUS[index(genus)]
    scored = False
    while n > 0:  # 0: a trace fossil
        for t in range(first, first + n):
            if state.up[index(seat), index(t)] + state.hidden[index(seat), index(t)] == 0:
                n = 0
        if n == 0:
            break
        for t in range(first, first + n):
            _remove(state, seat, t)
        state.skeletons[index(seat), index(genus)] += 1
        _pay(state, seat, VALUE_OF_GENUS[index(genus)])
        scored = True
    if scored:
        if state.stage == Stage.END.value:
            state.scored = 1
        elif seat == state.active and (
            Stage.EVENT.value <= state.stage and state.stage <= Stage.EXCHANGES.value
        ):
            state.earned = 1  # 7.1


@kernel(apart=True)
def _claim(state, award, cards):
    """Spend trace fossils for an award (3.4)."""
    me = np.int64(state.to_play)
    for i in range(N_TRACES):
        if SETS[award, cards] >> i & 1:
            _remove(state, me, np.int64(FIRST_TRACE + i))
    state.awards[index(me), award] += 1
    _pay(state, me, AWARD_POINTS[award])
    if state.stage == Stage.END.value:
        state.scored = 1
        state.acted = 1
