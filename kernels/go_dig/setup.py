"""The set-up of a game of Go Dig (2), and the fields that follow from others."""

import numpy as np

from ..jit import kernel
from ..records import clear
from .cards import _add, _lay, _refill, _take_from_pile
from .parts import COPIES_OF_TYPE, GENUS_OF_TYPE, HAND, MAX_PLAYERS, N_CARDS, N_GENERA, N_TYPES
from .state import Phase, Stream
from .turn import _pass_turn, _play_forced


@kernel
def reset(state, options, seed):
    """Deal, lay complete skeletons, fill empty hands, and find who begins.

    Rules 2.1 to 2.4, and 6.1.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws from DEAL once for each card dealt, seat by seat, and from DIG once for each empty hand.
    A draw k of n takes the type at which the count of the pile's cards, in the order of types,
    comes to exceed k.
    """
    clear(state)
    state.seed = seed
    state.num_players = options.num_players
    state.phase = Phase.ASK.value
    state.buried = N_CARDS
    for kind in range(N_TYPES):
        state.pile[kind] = COPIES_OF_TYPE[kind]
    num_players = np.int64(state.num_players)
    for seat in range(num_players):
        for _ in range(HAND):
            _add(state, seat, _take_from_pile(state, np.int64(Stream.DEAL.value)))
        for genus in range(N_GENERA):
            state.room[seat, genus] = HAND
        state.hidden[seat] = HAND
    for seat in range(num_players):
        for genus in range(N_GENERA):
            _lay(state, seat, genus)
    for seat in range(num_players):
        if state.cards[seat] == 0:
            _refill(state, seat)
    state.to_play = num_players - 1
    _pass_turn(state)
    _play_forced(state)
    state.gain[:] = 0


@kernel
def derive(state):
    """Compute the fields that follow from others, for a position that was set up by hand.

    Parameters
    ----------
    state : STATE record, in and out
        `genera` and `cards` follow from `hand`, `hidden` from `hand` and `known`, `buried` from
        `pile`.
    """
    state.buried = 0
    for kind in range(N_TYPES):
        state.buried += state.pile[kind]
    for seat in range(MAX_PLAYERS):
        state.genera[seat] = 0
        state.cards[seat] = 0
        state.hidden[seat] = 0
        for kind in range(N_TYPES):
            n = np.int64(state.hand[seat, kind])
            state.cards[seat] += n
            state.hidden[seat] += n - np.int64(state.known[seat, kind])
            if n > 0:
                state.genera[seat] |= np.uint32(1) << np.uint32(GENUS_OF_TYPE[kind])
