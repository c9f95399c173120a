"""Fossil Canyon: what a seat cannot know, dealt anew (12.3).

All cards that a seat does not see or know anywhere, told apart, go to the places where it does not
know the card: hidden hands of others, the card that another looks at, the discard, the buried. All
deals are equally likely but those that give another seat a full set, which 3.3 rules out. They are
drawn by rejection: a seat draws from the cards of which none alone completes a set with what it is
known to have, and the chance of acceptance makes up for that choice. And whoever is asked for a
decision has a choice (11.1); what earlier decisions showed in this way is not remembered.
"""

from math import comb

import numpy as np

from .. import rng
from ..canyon_cards import (
    FIRST_TYPE_OF_GENUS,
    FOSSILS_OF_GENUS,
    GENUS_OF_TYPE,
    N_CARDS,
    N_SKELETAL,
    N_TYPES,
)
from ..jit import index, kernel
from .actions import SEVERAL, _hidden_limit, _n_cards, _total, next_choice
from .parts import DECK_SIZE, HIDDEN_LIMIT
from .state import NONE, Phase, Stage

HALF = 1 << 31
TRIES = 1000  # deals, until whoever decides has a choice
# [cards, size]: sets of a size; at most 64 cards and 10 hidden
CHOOSE = np.array([[comb(n, k) for k in range(HIDDEN_LIMIT + 1)] for n in range(N_CARDS + 1)])


@kernel
def resample(state, player, seed):
    """Deal anew what a seat cannot know (12.3), uniformly; re-seed chance.

    What others remember of one another is taken to be what this seat remembers: it cannot know more
    of it. `ply` becomes what it is with the secret choices drawn here.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
        The seat whose knowledge is kept.
    seed : uint64

    Notes
    -----
    Draws from the driver's stream RESAMPLE of `seed`.
    """
    key = rng.key(seed, rng.Driver.RESAMPLE.value)
    k = np.int64(0)
    for _ in range(TRIES):
        k = _deal(state, player, key, k)
        if _may_be_asked(state, player):
            break
    k = _shuffle_events(state, key, k)
    if state.phase == Phase.HIDE.value:
        _pick_again(state, player, key, k)
    elif state.phase == Phase.SEND.value or state.phase == Phase.REVEAL.value:
        _choose_again(state, player, key, k)
    state.seed = seed


@kernel
def _deal(state, player, key, k):
    """Deal all cards that a seat cannot know; return the number of the next draw."""
    k = _deal_hands(state, player, _gather(state, player), key, k)
    if state.dug != NONE and state.to_play != player:
        state.dug = _draw_from(state.buried[:], key, k)
        state.buried[index(state.dug)] -= 1
        k += 1
    n = _total(state.discard[:])
    state.discard[:] = 0
    for _ in range(n):
        t = index(_draw_from(state.buried[:], key, k))
        state.buried[t] -= 1
        state.discard[t] += 1
        k += 1
    return k


@kernel
def _may_be_asked(state, player):
    """Say whether another seat whose decision it is has a choice, as it must have (11.1)."""
    if state.to_play == player or state.done or state.phase == Phase.HIDE.value:
        return True
    return next_choice(state) == SEVERAL


@kernel(apart=True)
def _gather(state, player):
    """Put all cards that a seat cannot know among the buried; return what the hands lack.

    The number of cards that seat s lacks is in bits 8 s to 8 s + 7. The discard stays, for its
    number, while its cards are counted with the buried.
    """
    sizes = np.int64(0)
    if state.dug != NONE and state.to_play != player:
        state.buried[index(state.dug)] += 1
    for t in range(N_TYPES):
        state.buried[t] += state.discard[t]
    for seat in range(np.int64(state.num_players)):
        if seat != player:
            n = np.int64(0)
            for t in range(N_TYPES):
                unknown = np.int64(state.hidden[seat, t]) - np.int64(
                    state.known[index(player), seat, t]
                )
                n += unknown
                state.buried[t] += unknown
                state.hidden[seat, t] -= unknown
            sizes |= n << 8 * seat
            _share_memory(state, player, np.int64(seat))
    return sizes


@kernel(apart=True)
def _share_memory(state, player, seat):
    """Let the other seats remember of a seat what `player` remembers of it."""
    for observer in range(np.int64(state.num_players)):
        if observer != player and observer != seat:
            for t in range(N_TYPES):
                state.known[observer, index(seat), t] = state.known[index(player), index(seat), t]


@kernel(apart=True)
def _deal_hands(state, player, sizes, key, k):
    """Deal the cards that hands lack, again until nobody has a full set; return the next draw."""
    num_players = np.int64(state.num_players)
    seat = np.int64(0)
    while seat < num_players:  # ends: the true deal is one of those drawn
        n = sizes >> 8 * seat & 255
        if n > 0:
            accepted = _deal_hand(state, player, seat, n, key, k)
            k += n
            if not accepted:
                _take_back(state, player)
                seat = np.int64(-1)
        seat += 1
    return k


@kernel(apart=True)
def _take_back(state, player):
    """Take back all cards that were dealt."""
    for seat in range(np.int64(state.num_players)):
        if seat != player:
            for t in range(N_TYPES):
                known = state.known[index(player), seat, t]
                state.buried[t] += state.hidden[seat, t] - known
                state.hidden[seat, t] = known


@kernel(apart=True)
def _deal_hand(state, player, seat, n, key, k):
    """Deal n cards to a seat; say whether the deal is accepted so far.

    The cards come from those of which none alone completes a set. With A of them left among R cards
    and A' of them at first, min(A', R) is the most that A can be, so that every deal has the same
    chance if one is accepted with that of A out of min(A', R) for every card.
    """
    barred = _barred(state, player, seat)
    left, most, rest = np.int64(0), np.int64(0), np.int64(0)
    for t in range(N_TYPES):
        cards = np.int64(state.buried[t])
        rest += cards
        if not _is_barred(state, player, seat, t, barred):
            left += cards
            most += cards
            if barred:
                for other in range(seat):
                    if other != player:
                        most += np.int64(state.hidden[other, t])
                        most -= np.int64(state.known[index(player), other, t])
    most = min(most, rest)
    for i in range(n):
        drawn = rng.below_in(key, k + i, most - i)
        if drawn >= left - i:
            return False
        t = np.int64(-1)
        while drawn >= 0:
            t += 1
            if not _is_barred(state, player, seat, t, barred):
                drawn -= np.int64(state.buried[index(t)])
        state.buried[index(t)] -= 1
        state.hidden[index(seat), index(t)] += 1
    return not _has_set(state, seat)


@kernel(apart=True)
def _barred(state, player, seat):
    """Return the genera, as bits, of which a seat is known to have all types but one."""
    barred = np.int64(0)
    for genus in range(N_SKELETAL):
        missing = np.int64(0)
        for i in range(FOSSILS_OF_GENUS[genus]):
            t = index(FIRST_TYPE_OF_GENUS[genus] + i)
            missing += np.int64(
                state.up[index(seat), t] == 0 and state.known[index(player), index(seat), t] == 0
            )
        barred |= np.int64(missing == 1) << genus
    return barred


@kernel(inline=True, apart=True)
def _is_barred(state, player, seat, t, barred):
    """Say whether a card alone would complete a set with what a seat is known to have."""
    return (
        barred >> np.int64(GENUS_OF_TYPE[index(t)]) & 1 == 1
        and state.up[index(seat), index(t)] == 0
        and state.known[index(player), index(seat), index(t)] == 0
    )


@kernel(apart=True)
def _has_set(state, seat):
    """Say whether a seat has all cards of a skeleton."""
    for genus in range(N_SKELETAL):
        missing = False
        for i in range(FOSSILS_OF_GENUS[genus]):
            t = index(FIRST_TYPE_OF_GENUS[genus] + i)
            missing |= state.up[index(seat), t] == 0 and state.hidden[index(seat), t] == 0
        if not missing:
            return True
    return False


@kernel(apart=True)
def _draw_from(cards, key, k):
    """Return the type of a card drawn from some, which stays there."""
    drawn = rng.below_in(key, k, _total(cards))
    t = np.int64(0)
    while drawn >= np.int64(cards[index(t)]):
        drawn -= np.int64(cards[index(t)])
        t += 1
    return t


@kernel(apart=True)
def _shuffle_events(state, key, k):
    """Shuffle the events that nobody has seen (4.1); return the number of the next draw."""
    for first in range(np.int64(state.drawn), DECK_SIZE):
        for i in range(first + 1, DECK_SIZE):  # the order that they had decides nothing
            if state.deck[index(i)] < state.deck[index(first)]:
                a, b = state.deck[index(i)], state.deck[index(first)]
                state.deck[index(i)], state.deck[index(first)] = b, a
    for i in range(np.int64(state.drawn), DECK_SIZE):
        j = i + rng.below_in(key, k, DECK_SIZE - i)
        a, b = state.deck[index(i)], state.deck[index(j)]
        state.deck[index(i)], state.deck[index(j)] = b, a
        k += 1
    return k


@kernel(apart=True)
def _pick_again(state, player, key, k):
    """Draw what other seats have picked to hide and not shown yet, and count the decisions."""
    limit = _hidden_limit(state)
    last = np.int64(state.to_play)
    first = np.int64(0) if state.stage == Stage.SETUP.value else last
    for seat in range(first, last + 1):
        state.ply -= _decisions(state, seat, limit)
        if seat != player:
            k = _pick_some(state, seat, limit, key, k)
        state.ply += _decisions(state, seat, limit)


@kernel(apart=True)
def _decisions(state, seat, limit):
    """Return how many decisions a seat has taken over what to hide."""
    picked = _total(state.picked[index(seat)])
    finished = seat == state.to_play or picked == limit or picked == _n_cards(state, seat)
    return picked + np.int64(not finished)


@kernel(apart=True)
def _pick_some(state, seat, limit, key, k):
    """Let a seat pick a set of cards, not as many as would end its choice if it is under way."""
    n = _n_cards(state, seat)
    under_way = np.int64(seat == state.to_play)
    most = min(limit - under_way, n - under_way)
    sets = np.int64(1)
    for size in range(1, most + 1):
        sets += CHOOSE[index(n), index(size)]
    rest = (rng.below_in(key, k, HALF) << 31 | rng.below_in(key, k + 1, HALF)) % sets
    k += 2
    size = np.int64(0)
    while rest >= CHOOSE[index(n), index(size)]:
        rest -= CHOOSE[index(n), index(size)]
        size += 1
    for t in range(N_TYPES):
        state.picked[index(seat), t] = 0
    for i in range(size):
        drawn = rng.below_in(key, k, n - i)
        t = np.int64(-1)
        while drawn >= 0:
            t += 1
            drawn -= np.int64(state.up[index(seat), index(t)])
            drawn -= np.int64(state.hidden[index(seat), index(t)])
            drawn += np.int64(state.picked[index(seat), index(t)])
        state.picked[index(seat), index(t)] += 1
        k += 1
    return k


@kernel(apart=True)
def _choose_again(state, player, key, k):
    """Draw what other seats have chosen to send or reveal and not shown yet."""
    for seat in range(np.int64(state.num_players)):
        if seat != player and state.chosen[seat] != NONE:
            n = _total(state.hidden[seat])
            up = state.phase == Phase.SEND.value
            if up:
                n += _total(state.up[seat])
            drawn = rng.below_in(key, k, n)
            t = np.int64(-1)
            while drawn >= 0:
                t += 1
                drawn -= np.int64(state.hidden[seat, index(t)])
                if up:
                    drawn -= np.int64(state.up[seat, index(t)])
            state.chosen[seat] = t
            k += 1
