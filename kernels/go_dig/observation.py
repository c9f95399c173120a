"""What a seat sees in Go Dig."""

import numpy as np

from .. import rules
from ..jit import kernel
from .parts import (
    CARDS_OF_GENUS,
    COPIES_OF_TYPE,
    MAX_PLAYERS,
    MOST_POINTS,
    N_CARDS,
    N_GENERA,
    N_TYPES,
    SKELETONS_OF_GENUS,
    TURN_CAP,
)

OBS = rules.record(
    [
        ("turn", "f4", (MAX_PLAYERS,)),  # one-hot: whose decision
        ("seat", "f4", (MAX_PLAYERS,)),  # 1 for the seats in the game
        ("score", "f4", (MAX_PLAYERS,)),  # points / all points of the deck
        ("cards", "f4", (MAX_PLAYERS,)),  # cards in the hand / cards of the deck
        ("pile", "f4", (1,)),  # cards in the pile / cards of the deck
        ("museum", "f4", (MAX_PLAYERS, N_GENERA)),  # share of the genus's skeletons
        ("own", "f4", (N_TYPES,)),  # own hand: share of the type's cards
        ("known", "f4", (MAX_PLAYERS, N_TYPES)),  # known cards (5.3): share of the type's cards
        ("asked", "f4", (MAX_PLAYERS, N_GENERA)),  # 1: a hidden card is of the genus (5.4)
        # hidden cards that may be of the genus (5.5) / its cards, at most 1
        ("room", "f4", (MAX_PLAYERS, N_GENERA)),
        ("turns", "f4", (1,)),  # turns that have ended / the cap
    ]
)


@kernel
def observe(state, player, obs):
    """Write what a seat knows: its hand, and what everybody was shown.

    Rules 5.1 to 5.5.

    Parameters
    ----------
    state : STATE record
    player : int
        Whose view; entries for seats begin with this one, then in turn order.
    obs : OBS record, out
        Zeroed by the caller.
    """
    num_players = np.int64(state.num_players)
    if not state.done:
        obs.turn[(state.to_play - player) % num_players] = 1.0
    for seat in range(num_players):
        who = (player + seat) % num_players
        obs.seat[seat] = 1.0
        obs.score[seat] = state.score[who] / MOST_POINTS
        obs.cards[seat] = state.cards[who] / N_CARDS
        for genus in range(N_GENERA):
            obs.museum[seat, genus] = state.skeletons[who, genus] / SKELETONS_OF_GENUS[genus]
            obs.asked[seat, genus] = state.asked[who, genus]
            room = min(np.int64(state.room[who, genus]), CARDS_OF_GENUS[genus])
            obs.room[seat, genus] = room / CARDS_OF_GENUS[genus]
        for kind in range(N_TYPES):
            obs.known[seat, kind] = state.known[who, kind] / COPIES_OF_TYPE[kind]
    for kind in range(N_TYPES):
        obs.own[kind] = state.hand[player, kind] / COPIES_OF_TYPE[kind]
    obs.pile[0] = state.buried / N_CARDS
    obs.turns[0] = state.turns / TURN_CAP
