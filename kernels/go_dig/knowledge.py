"""What a seat of Go Dig cannot know, dealt anew (5.6, 5.7)."""

import numpy as np

from .. import rng
from ..jit import kernel
from .deals import TRIES, _fits, deal_exactly
from .parts import GENUS_OF_TYPE, MAX_PLAYERS, N_CARDS, N_TYPES


@kernel(allocates=True)
def resample(state, player, seed):
    """Deal the hidden cards of the others and the pile anew, uniformly among all that is possible.

    Rules 5.6 and 5.7, and "How the unknown is dealt" of the page.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
    seed : uint64

    Notes
    -----
    All hidden cards are collected first, so that the result does not depend on the true places.
    """
    pool = np.zeros(N_TYPES, np.int64)
    for kind in range(N_TYPES):
        pool[kind] = state.pile[kind]
        for seat in range(np.int64(state.num_players)):
            if seat != player:
                pool[kind] += np.int64(state.hand[seat, kind]) - np.int64(state.known[seat, kind])
    dealt = np.zeros((MAX_PLAYERS, N_TYPES), np.int64)
    luck = rng.key(seed, rng.Driver.RESAMPLE.value)
    if not _deal_by_rejection(state, player, luck, pool, dealt):
        deal_exactly(state, player, luck, pool, dealt)
    for kind in range(N_TYPES):
        state.pile[kind] = pool[kind]
    for seat in range(np.int64(state.num_players)):
        if seat == player:
            continue
        state.genera[seat] = 0
        for kind in range(N_TYPES):
            n = np.int64(state.known[seat, kind]) + dealt[seat, kind]
            state.hand[seat, kind] = n
            state.pile[kind] -= dealt[seat, kind]
            if n > 0:
                state.genera[seat] |= np.uint32(1) << np.uint32(GENUS_OF_TYPE[kind])
    state.seed = seed


@kernel(allocates=True)
def _deal_by_rejection(state, player, luck, pool, dealt):
    """Shuffle the pool to the hands until all facts hold; return whether a try did."""
    cards = np.empty(N_CARDS, np.int64)
    n = np.int64(0)
    for kind in range(N_TYPES):
        for _ in range(pool[kind]):
            cards[n] = kind
            n += 1
    draws = np.int64(0)
    for _ in range(TRIES):
        at = np.int64(0)
        fits = True
        for seat in range(np.int64(state.num_players)):
            for kind in range(N_TYPES):
                dealt[seat, kind] = 0
            if seat == player or not fits:
                continue
            for _card in range(np.int64(state.hidden[seat])):
                other = at + rng.below_in(luck, draws, n - at)
                draws += 1
                card = cards[other]
                cards[other] = cards[at]
                cards[at] = card
                dealt[seat, card] += 1
                at += 1
            fits = _fits(state, np.int64(seat), dealt)
        if fits:
            return True
    return False
