"""How a game of Fossil Canyon is set up (2)."""

import numpy as np

from .. import rng, rules
from ..canyon_cards import N_SKELETAL, N_TYPES
from ..jit import index, kernel
from ..records import clear
from .actions import next_choice
from .cards import _complete, _draw
from .parts import (
    ALL_CARDS,
    DECK_SIZE,
    HAND_OF_PLAYERS,
    MIXED_DECK,
    N_DISCARDED,
    NO_TRACES,
    PLAIN_EROSION,
)
from .state import MIX, NONE, Phase, Stage, Stream


@kernel
def reset(state, options, seed):
    """Bury and deal the cards and shuffle the events.

    Rules 1.5 and 2.1 to 2.4.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws from DISCARD for every card left out, from EVENTS once for each event card, and from HANDS
    for every card dealt.
    """
    clear(state)
    state.seed = seed
    state.phase = Phase.HIDE.value
    state.stage = Stage.SETUP.value
    state.event = NONE
    state.chosen[:] = NONE
    state.target = NONE
    state.dug = NONE
    state.num_players = options.num_players
    state.research = options.research
    state.bonuses = options.bonuses
    state.hidden_limit_two = options.hidden_limit_two
    state.put_back = options.put_back
    state.no_blind_exchange = options.no_blind_exchange
    state.events = options.events
    for t in range(N_TYPES):
        state.buried[t] = ALL_CARDS[t] if options.research else NO_TRACES[t]
    for _ in range(N_DISCARDED):
        state.discard[index(_draw(state, state.buried[:], Stream.DISCARD.value))] += 1
    for i in range(DECK_SIZE):
        state.deck[i] = MIXED_DECK[i] if options.events == MIX else PLAIN_EROSION
    for i in range(DECK_SIZE):
        j = index(i + rng.draw(state, Stream.EVENTS.value, np.int64(DECK_SIZE - i)))
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    num_players = np.int64(options.num_players)
    for seat in range(num_players):
        for _ in range(HAND_OF_PLAYERS[num_players]):
            state.hidden[seat, index(_draw(state, state.buried[:], Stream.HANDS.value))] += 1
    for seat in range(num_players):
        for genus in range(N_SKELETAL):
            _complete(state, np.int64(seat), np.int64(genus))  # 2.4
    action = next_choice(state)
    if action >= 0:  # seat 0 has no cards (2.6, 11.1)
        rules.step(state, action)  # by its symbol: linked in, it would be compiled a second time
        state.ply = 0
    state.gain[:] = 0
