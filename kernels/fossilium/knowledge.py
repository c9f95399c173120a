"""Fossilium: what a seat cannot know, dealt anew (16; solo 10)."""

import numpy as np

from .. import rng
from ..jit import index, kernel
from .choices import _list
from .pal import PAL, _least_b
from .parts import (
    ACT_OF_CARD,
    CARDS_DRAWN,
    EXTRA_CARDS,
    IS_B,
    N_CARDS,
)
from .state import NONE, Phase

N_ACTS = len(CARDS_DRAWN)


@kernel
def resample(state, player, seed):
    """Re-seed the luck to come: everything else is open (16.1).

    Parameters
    ----------
    state : STATE record, in and out
    player : int
        Makes no difference: all seats know the same.
    seed : uint64
    """
    state.seed = seed


@kernel(allocates=True)
def resample_solo(state, player, seed):
    """Deal Pal's unplayed action cards anew, unless Pal herself asks, and re-seed the luck to come.

    Rules solo 10.1: a set of cards and its order is as likely as drawing and shuffling make it,
    given the cards that were played.

    Parameters
    ----------
    state : STATE record of the solo game, in and out
    player : int
    seed : uint64

    Notes
    -----
    Which of the cards are drawn is proposed until it is accepted. A proposal is uniform among the
    ways to draw that have the cards played. Where these are A cards only, r of a in all, the
    chance that a shuffle begins with them falls with a as 1 / (a (a - 1) ... (a - r + 1)), so
    proposals with more A cards than need be are accepted less often.
    """
    if player != PAL:
        draw = np.zeros(1, np.int64)
        ways = _ways_to_draw(state)
        hidden = np.zeros(N_CARDS, np.int8)
        while not _propose(state, seed, draw, ways, hidden):
            hidden[:] = 0
        _stack(state, seed, draw, hidden)
        if state.phase == Phase.CARD.value:
            _list(state)
    state.seed = seed


@kernel
def _below(seed, draw, n):
    """Draw a number below n for a new deal."""
    draw[0] += 1
    return rng.below(seed, rng.Driver.RESAMPLE.value, draw[0] - 1, n)


@kernel
def _is_played(state, card):
    """Say whether a card has been played."""
    for i in range(state.played):
        if state.deck[i] == card:
            return True
    return False


@kernel
def _b_has_begun(state):
    """Say whether a B card has been played: then no A card is left (10.1)."""
    return state.played > 0 and IS_B[index(state.deck[index(state.played - 1)])]


@kernel
def _may_be_left(state, card):
    """Say whether a card may be among the unplayed ones."""
    return not _is_played(state, card) and (IS_B[card] or not _b_has_begun(state))


@kernel
def _choose(n, k):
    """Return the number of ways to choose k of n."""
    if k < 0 or k > n:
        return np.int64(0)
    ways = np.int64(1)
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel(allocates=True)
def _ways_to_draw(state):
    """Count for each division of the extra cards among the acts the ways to draw (10.1).

    Returns
    -------
    int64 array (divisions, acts + 1)
        Extra cards of each act, and the number of ways.
    """
    extra = EXTRA_CARDS if state.more_turns else 0
    side = extra + 1
    table = np.zeros((side**N_ACTS, N_ACTS + 1), np.int64)
    played = np.zeros(N_ACTS, np.int64)
    free = np.zeros(N_ACTS, np.int64)
    for card in range(N_CARDS):
        if _is_played(state, card):
            played[ACT_OF_CARD[card]] += 1
        elif _may_be_left(state, card):
            free[ACT_OF_CARD[card]] += 1
    for i in range(len(table)):
        rest = i
        total = 0
        ways = np.int64(1)
        for act in range(N_ACTS):
            n_extra = rest % side
            rest //= side
            total += n_extra
            table[i, act] = n_extra
            drawn = CARDS_DRAWN[act] + n_extra
            # which cards are there besides those played, and which of all were the extra ones
            ways *= _choose(free[act], drawn - played[act]) * _choose(drawn, np.int64(n_extra))
        table[i, N_ACTS] = ways if total == extra else 0
    return table


@kernel
def _propose(state, seed, draw, ways, hidden):
    """Draw the unplayed cards in a way that is possible; say whether to take it."""
    total = np.int64(0)
    for i in range(len(ways)):
        total += ways[i, N_ACTS]
    k = _below(seed, draw, total)
    division = 0
    while k >= ways[division, N_ACTS]:
        k -= ways[division, N_ACTS]
        division += 1
    n_a, n_b = np.int64(0), np.int64(0)
    for act in range(N_ACTS):
        free = np.int64(0)
        wanted = CARDS_DRAWN[act] + ways[division, act]
        for card in range(N_CARDS):
            if ACT_OF_CARD[card] == act:
                if _is_played(state, card):
                    wanted -= 1
                elif _may_be_left(state, card):
                    free += 1
        for card in range(N_CARDS):  # each way to take `wanted` of `free` is equally likely
            if ACT_OF_CARD[card] == act and _may_be_left(state, card):
                if _below(seed, draw, free) < wanted:
                    hidden[card] = 1
                    wanted -= 1
                free -= 1
    for card in range(N_CARDS):
        if hidden[card] or _is_played(state, card):
            if IS_B[card]:
                n_b += 1
            else:
                n_a += 1
    if state.more_b and n_b < _least_b(state):
        return False
    if state.phase == Phase.CARD.value and not _has_choice(state, hidden):
        return False
    if state.num_players > 1 or _b_has_begun(state):
        return True
    r = np.int64(state.played)
    return _below(seed, draw, _falling(n_a, r)) < _falling(max(r, _fewest_a(state)), r)


@kernel
def _has_choice(state, hidden):
    """Say whether Pal, who is asked for a card, could play one of several (8.1)."""
    n_a, n_b = 0, 0
    for card in range(N_CARDS):
        if hidden[card] and IS_B[card]:
            n_b += 1
        elif hidden[card]:
            n_a += 1
    return n_a > 1 or (n_a == 0 and n_b > 1)


@kernel
def _falling(n, r):
    """Return n (n - 1) ... (n - r + 1)."""
    product = np.int64(1)
    for i in range(r):
        product *= n - i
    return product


@kernel
def _fewest_a(state):
    """Return a number of A cards below which no draw can be."""
    fewest = np.int64(0)
    for act in range(N_ACTS):
        n_b = np.int64(0)
        for card in range(N_CARDS):
            if ACT_OF_CARD[card] == act and IS_B[card]:
                n_b += 1
        fewest += max(np.int64(0), CARDS_DRAWN[act] - n_b)
    return fewest


@kernel
def _stack(state, seed, draw, hidden):
    """Lay the unplayed cards behind the others, A cards first, both shuffled (2.5)."""
    n = np.int64(state.played)
    state.deck[index(n) :] = NONE
    for b in range(2):
        start = n
        for card in range(N_CARDS):
            if hidden[card] and IS_B[card] == (b == 1):
                state.deck[index(n)] = card
                n += 1
        for i in range(start, n):
            j = index(i + _below(seed, draw, n - i))
            here = index(i)
            state.deck[here], state.deck[j] = state.deck[j], state.deck[here]
