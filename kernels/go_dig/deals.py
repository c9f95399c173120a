"""All deals of Go Dig that agree with what a seat knows, as a table to draw from (5.4 to 5.7)."""

import numpy as np

from .. import rng
from ..jit import kernel
from .parts import (
    END_OF_GENUS,
    FIRST_OF_GENUS,
    FOSSILS_OF_GENUS,
    MAX_PLAYERS,
    MOST_COPIES,
    MOST_FOSSILS,
    N_CARDS,
    N_GENERA,
)

TRIES = 2000  # deals by rejection before the exact one
NO_SPLIT = np.int64(-1)
FIFTY_THREE = np.float64(2.0**-53)
# Ways to choose j of n cards of one type.
CHOOSE = np.zeros((MOST_COPIES + 1, MOST_COPIES + 1))
CHOOSE[:, 0] = 1
for _n in range(1, MOST_COPIES + 1):
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]


@kernel(allocates=True)
def deal_exactly(state, player, luck, pool, dealt):
    """Draw a deal from the table of all of them.

    Rules 5.4 to 5.7.

    Parameters
    ----------
    state : STATE record
    player : int
    luck : uint64
        Key of the stream to draw from, whose first draws the tries have had.
    pool : int64 array (N_TYPES,)
        The cards to deal.
    dealt : int64 array (MAX_PLAYERS, N_TYPES), out
        Hidden cards of the other hands.

    Notes
    -----
    A place of the table is the numbers of cards that the hands still lack, as one number: the last
    hand counts ones, the one before it in steps of the last one's size + 1, and so on.
    """
    n_hands = np.int64(0)
    hands = np.zeros(np.int64(state.num_players) - 1, np.int64)
    for seat in range(np.int64(state.num_players)):
        if seat != player:
            hands[n_hands] = seat
            n_hands += 1
    steps = np.ones(MAX_PLAYERS, np.int64)
    for i in range(n_hands - 2, -1, -1):
        steps[i] = steps[i + 1] * (np.int64(state.hidden[hands[i + 1]]) + 1)
    full = np.int64(0)
    for i in range(n_hands):
        full += steps[i] * np.int64(state.hidden[hands[i]])
    ways = np.zeros((N_GENERA + 1, full + 1))
    split = np.zeros((MOST_FOSSILS, MAX_PLAYERS), np.int64)
    _count_ways(state, hands, steps, pool, split, ways)
    draws = np.int64(N_CARDS * TRIES)
    while True:
        place = full
        for genus in range(N_GENERA):
            chance = np.float64(rng.output(luck, np.uint64(draws)) >> np.uint64(11)) * FIFTY_THREE
            draws += 1
            wanted = chance * ways[genus, place]
            used = _draw_split(state, hands, steps, pool, split, ways, genus, place, wanted)
            for i in range(n_hands):
                for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
                    dealt[hands[i], kind] = split[kind - FIRST_OF_GENUS[genus], i]
            place -= used
        fits = True
        for i in range(n_hands):
            fits &= _fits(state, hands[i], dealt)
        if fits:
            return


@kernel
def _fits(state, seat, dealt):
    """Tell whether hidden cards of a hand agree with what is known of it (5.4 to 5.6)."""
    n_genera = 0
    for genus in range(N_GENERA):
        n = np.int64(0)
        complete = True
        held = False
        for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
            n += dealt[seat, kind]
            there = state.known[seat, kind] > 0 or dealt[seat, kind] > 0
            complete &= there
            held |= there
        if complete or n > state.room[seat, genus] or n < state.asked[seat, genus]:
            return False
        n_genera += held
    return n_genera > 1 or not _has_choice(state, seat)


@kernel
def _has_choice(state, seat):
    """Tell whether a seat is known to hold two genera because it is asked to decide (5.6)."""
    return state.num_players == 2 and state.to_play == seat and not state.done


@kernel(allocates=True)
def _count_ways(state, hands, steps, pool, split, ways):
    """Fill the table: ways[g, p] to give the hands what they lack at p from genera g and later."""
    n_places = ways.shape[1]
    of_genus = np.zeros(n_places)
    ways[N_GENERA, 0] = 1.0
    for genus in range(N_GENERA - 1, -1, -1):
        for used in range(n_places):
            of_genus[used] = 0.0
        _clear_split(split)
        while True:
            weight = _weigh(state, hands, pool, split, genus)
            if weight > 0.0:
                of_genus[_place_of(hands, steps, split)] += weight
            if not _next_split(state, hands, pool, split, genus):
                break
        for used in range(n_places):
            if of_genus[used] > 0.0:
                _combine(state, hands, steps, used, of_genus[used], split[0], ways, genus)


@kernel
def _combine(state, hands, steps, used, weight, lacks, ways, genus):
    """Add the ways in which a genus uses a place of the table, whatever the later genera do."""
    rest = np.int64(0)
    for i in range(len(hands)):
        lacks[i] = 0  # digits of `rest`
    while True:
        if ways[genus + 1, rest] > 0.0:
            ways[genus, used + rest] += weight * ways[genus + 1, rest]
        i = len(hands) - 1
        while i >= 0:
            size = np.int64(state.hidden[hands[i]])
            if lacks[i] < size - used // steps[i] % (size + 1):
                lacks[i] += 1
                rest += steps[i]
                break
            rest -= steps[i] * lacks[i]
            lacks[i] = 0
            i -= 1
        if i < 0:
            return


@kernel
def _adds_up(state, hands, steps, used, rest):
    """Tell whether no hand gets more from two places of the table than it lacks in all."""
    for i in range(len(hands)):
        base = np.int64(state.hidden[hands[i]]) + 1
        if used // steps[i] % base + rest // steps[i] % base >= base:
            return False
    return True


@kernel
def _draw_split(state, hands, steps, pool, split, ways, genus, place, wanted):
    """Find the split of a genus at which the sum of ways exceeds `wanted`; return what it uses."""
    total = 0.0
    _clear_split(split)
    while True:
        weight = _weigh(state, hands, pool, split, genus)
        if weight > 0.0:
            used = _place_of(hands, steps, split)
            rest = place - used
            if rest >= 0 and _adds_up(state, hands, steps, used, rest):
                more = weight * ways[genus + 1, rest]
                total += more
                if more > 0.0 and total > wanted:
                    return used
        if not _next_split(state, hands, pool, split, genus):
            return NO_SPLIT


@kernel
def _weigh(state, hands, pool, split, genus):
    """Count the ways to choose the cards of a split; 0 where it is against what is known."""
    first = FIRST_OF_GENUS[genus]
    n_fossils = FOSSILS_OF_GENUS[genus]
    for i in range(len(hands)):
        seat = hands[i]
        n = np.int64(0)
        complete = True
        for fossil in range(n_fossils):
            n += split[fossil, i]
            complete &= split[fossil, i] > 0 or state.known[seat, first + fossil] > 0
        if complete or n > state.room[seat, genus] or n < state.asked[seat, genus]:
            return 0.0
    weight = 1.0
    for fossil in range(n_fossils):
        left = pool[first + fossil]
        for i in range(len(hands)):
            weight *= CHOOSE[left, split[fossil, i]]
            left -= split[fossil, i]
    return weight


@kernel
def _place_of(hands, steps, split):
    """Return the place of the table that stands for the numbers of cards in a split."""
    place = np.int64(0)
    for i in range(len(hands)):
        for fossil in range(MOST_FOSSILS):
            place += steps[i] * split[fossil, i]
    return place


@kernel
def _clear_split(split):
    """Begin with the split that gives no hand anything."""
    for fossil in range(split.shape[0]):
        for i in range(split.shape[1]):
            split[fossil, i] = 0


@kernel
def _next_split(state, hands, pool, split, genus):
    """Go on to the next split of a genus, in counting order; return whether there is one."""
    for fossil in range(FOSSILS_OF_GENUS[genus]):
        left = pool[FIRST_OF_GENUS[genus] + fossil]
        for i in range(len(hands)):
            left -= split[fossil, i]
        for i in range(len(hands)):
            if left > 0 and split[fossil, i] < state.room[hands[i], genus]:
                split[fossil, i] += 1
                return True
            left += split[fossil, i]
            split[fossil, i] = 0
    return False
