"""Go Dig, a side game of the Fossil Canyon box: the rules of docs/games/go_dig.md, compiled.

Types of cards and genera are numbered as in `canyon_cards`; hands are counts by type. The hidden
cards of a hand are those beyond the known ones (5.3).
"""

from enum import IntEnum

import numpy as np

from . import canyon_cards, rng, rules
from .jit import index, kernel

PARTS = canyon_cards.PARTS["go_dig"]
MIN_PLAYERS = PARTS["players"]["min"]
MAX_PLAYERS = PARTS["players"]["max"]
HAND = PARTS["hand"]  # 2.1
TURN_CAP = PARTS["turn_cap"]  # 6.3

N_GENERA = canyon_cards.N_SKELETAL
N_TYPES = canyon_cards.N_SKELETAL_TYPES
N_CARDS = canyon_cards.N_SKELETAL_CARDS
GENERA = canyon_cards.GENERA[:N_GENERA]
FOSSILS_OF_GENUS = canyon_cards.FOSSILS_OF_GENUS[:N_GENERA]
SKELETONS_OF_GENUS = canyon_cards.SKELETONS_OF_GENUS[:N_GENERA]
VALUE_OF_GENUS = canyon_cards.VALUE_OF_GENUS[:N_GENERA]
CARDS_OF_GENUS = FOSSILS_OF_GENUS * SKELETONS_OF_GENUS
FIRST_OF_GENUS = canyon_cards.FIRST_TYPE_OF_GENUS[:N_GENERA]
END_OF_GENUS = FIRST_OF_GENUS + FOSSILS_OF_GENUS
GENUS_OF_TYPE = canyon_cards.GENUS_OF_TYPE[:N_TYPES]
COPIES_OF_TYPE = canyon_cards.COPIES_OF_TYPE[:N_TYPES]
N_SKELETONS = int(SKELETONS_OF_GENUS.sum())
MOST_POINTS = int((SKELETONS_OF_GENUS * VALUE_OF_GENUS).sum())
MOST_FOSSILS = int(FOSSILS_OF_GENUS.max())
MOST_COPIES = int(SKELETONS_OF_GENUS.max())

ACTIONS = rules.ActionTable(
    # ask a player, 0 for the next seat, for a genus of the own hand (3.1)
    ask={"opponent": MAX_PLAYERS - 1, "genus": N_GENERA},
)


class Stream(IntEnum):
    """Sources of chance."""

    DEAL = 0  # the hands (2.1)
    DIG = 1  # cards taken from the pile (2.3, 3.4, 4.2, 4.3)


class Phase(IntEnum):
    """What the player to move decides."""

    ASK = 0  # whom to ask for what (3.1)
    OVER = 1


STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), MAX_PLAYERS),
            # follow from the fields below (`derive`), kept up to date for speed:
            ("genera", "u4", (MAX_PLAYERS,)),  # bit g: the seat holds a card of genus g
            ("cards", "u1", (MAX_PLAYERS,)),  # cards in each hand
            ("hidden", "u1", (MAX_PLAYERS,)),  # those that are not known (5.3)
            ("buried", "u1"),  # cards in the pile
            # the game:
            ("turns", "i4"),  # turns that have ended
            ("skeletons", "u1", (MAX_PLAYERS, N_GENERA)),  # laid by each seat
            ("hand", "u1", (MAX_PLAYERS, N_TYPES)),  # cards of each type
            ("pile", "u1", (N_TYPES,)),
            ("known", "u1", (MAX_PLAYERS, N_TYPES)),  # 5.3
            ("asked", "u1", (MAX_PLAYERS, N_GENERA)),  # 5.4
            ("room", "u1", (MAX_PLAYERS, N_GENERA)),  # 5.5
        ]
    )
)
OPTIONS = (
    rules.Option(
        "num_players", tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), MIN_PLAYERS, "number of players"
    ),
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
MAX_DECISIONS = TURN_CAP * N_CARDS  # 6.6
NO_SPLIT = np.int64(-1)


# --- set-up and play --------------------------------------------------------------------------


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
    _clear(state, options, seed)
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
def _clear(state, options, seed):
    """Put all cards into the pile."""
    state.seed = seed
    state.draws[:] = 0
    state.score[:] = 0
    state.gain[:] = 0
    state.ply = 0
    state.num_players = options.num_players
    state.phase = Phase.ASK.value
    state.done = 0
    state.turns = 0
    state.genera[:] = 0
    state.cards[:] = 0
    state.hidden[:] = 0
    state.spare[:] = 0
    for seat in range(MAX_PLAYERS):
        for genus in range(N_GENERA):
            state.skeletons[seat, genus] = 0
            state.asked[seat, genus] = 0
            state.room[seat, genus] = 0
        for kind in range(N_TYPES):
            state.hand[seat, kind] = 0
            state.known[seat, kind] = 0
    for kind in range(N_TYPES):
        state.pile[kind] = COPIES_OF_TYPE[kind]
    state.buried = N_CARDS


@kernel
def legal(state, actions):
    """List the questions that can be asked.

    Rules 3.1.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    n = 0
    if not state.done:
        genera = np.int64(state.genera[state.to_play])
        for opponent in range(np.int64(state.num_players) - 1):
            for genus in range(N_GENERA):
                if genera >> genus & 1:
                    actions[n] = opponent * N_GENERA + genus
                    n += 1
    return n


@kernel
def step(state, action):
    """Ask a question, with all that follows from it, and then those that leave no choice.

    Rules 3.1 to 4.4, 6.1 to 6.3.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.

    Notes
    -----
    Draws from DIG once for each card taken from the pile.
    """
    state.gain[:] = 0
    state.ply += 1
    _ask(state, action)
    _play_forced(state)


@kernel
def _play_forced(state):
    """Ask while there is one question only (6.1); ends, since each question moves the game on."""
    while not state.done and state.num_players == 2:
        genera = np.int64(state.genera[state.to_play])
        if genera & (genera - 1) != 0:
            return
        genus = np.int64(0)
        while genera >> genus != 1:
            genus += 1
        _ask(state, genus)


@kernel
def _ask(state, action):
    """Ask a player for a genus, and end the turn where that is due (3.1 to 4.4)."""
    num_players = np.int64(state.num_players)
    player, genus = np.int64(state.to_play), np.int64(index(action)) % N_GENERA
    asked = (player + 1 + np.int64(index(action)) // N_GENERA) % num_players
    _note_question(state, player, genus)
    goes_on = True
    if state.genera[asked] >> np.uint32(genus) & np.uint32(1):
        _hand_over(state, asked, player, genus)
        if state.cards[asked] == 0:
            _refill(state, asked)  # 4.2
        _lay(state, player, genus)
    else:
        state.room[asked, genus] = 0  # 5.5
        goes_on = state.buried > 0 and _dig(state, player, genus)
    if state.cards[player] == 0:  # 4.3
        goes_on = False
        _refill(state, player)
    if not state.done and not goes_on:
        state.turns += 1
        if state.turns == TURN_CAP:
            _end_game(state)
        else:
            _pass_turn(state)


@kernel
def _pass_turn(state):
    """Find the next player with cards (2.4, 3.8); without any the game is over."""
    player = np.int64(state.to_play)
    for _ in range(state.num_players):
        player = player + 1 if player + 1 < state.num_players else 0
        if state.cards[player] > 0:
            state.to_play = player
            return
    _end_game(state)


@kernel
def _end_game(state):
    """Mark the game as over."""
    state.phase = Phase.OVER.value
    state.done = 1


@kernel
def _dig(state, player, genus):
    """Take the top card for a question in vain; return whether the turn goes on (3.4 to 3.6)."""
    kind = _take_from_pile(state, np.int64(Stream.DIG.value))
    found = np.int64(GENUS_OF_TYPE[kind])
    _add(state, player, kind)
    if found == genus:
        state.known[player, kind] += 1
        _lay(state, player, genus)
        return True
    state.hidden[player] += 1
    completes = True
    for other in range(FIRST_OF_GENUS[found], END_OF_GENUS[found]):
        completes &= state.hand[player, other] > 0
    for other in range(N_GENERA):  # 5.5
        if other == found if completes else other != genus:
            state.room[player, other] += 1
    _lay(state, player, found)
    return False


@kernel
def _refill(state, player):
    """Take a card for an empty hand, if there is one (4.2, 4.3)."""
    if state.buried > 0:
        _add(state, player, _take_from_pile(state, np.int64(Stream.DIG.value)))
        state.hidden[player] = 1
        for genus in range(N_GENERA):
            state.room[player, genus] = 1  # nothing was in this hand


@kernel
def _take_from_pile(state, stream):
    """Take a random card from the pile and return its type."""
    left = rng.draw(state, stream, np.int64(state.buried))
    state.buried -= 1
    kind = np.int64(0)
    while left >= state.pile[kind]:
        left -= np.int64(state.pile[kind])
        kind += 1
    state.pile[kind] -= 1
    return kind


@kernel
def _add(state, player, kind):
    """Put a card into a hand."""
    state.hand[player, kind] += 1
    state.cards[player] += 1
    state.genera[player] |= np.uint32(1) << np.uint32(GENUS_OF_TYPE[kind])


@kernel
def _note_question(state, player, genus):
    """Remember that the asking player holds a card of the genus (5.4)."""
    for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
        if state.known[player, kind] > 0:
            return
    state.asked[player, genus] = 1


@kernel
def _hand_over(state, giver, taker, genus):
    """Move all cards of a genus, openly (3.2, 5.3 to 5.5)."""
    for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
        n, known = np.int64(state.hand[giver, kind]), np.int64(state.known[giver, kind])
        state.hand[taker, kind] += n
        state.known[taker, kind] += n
        state.cards[taker] += n
        state.hand[giver, kind] = 0
        state.known[giver, kind] = 0
        state.cards[giver] -= n
        state.hidden[giver] -= n - known
    state.genera[giver] &= ~(np.uint32(1) << np.uint32(genus))
    state.asked[giver, genus] = 0
    state.room[giver, genus] = 0
    _limit_room(state, giver)


@kernel
def _limit_room(state, player):
    """Leave no more room than there are hidden cards (5.5)."""
    for genus in range(N_GENERA):
        state.room[player, genus] = min(state.room[player, genus], state.hidden[player])


@kernel
def _lay(state, player, genus):
    """Lay the complete skeletons of a genus (4.1); the game ends with the last of all (6.2)."""
    first, end = FIRST_OF_GENUS[genus], END_OF_GENUS[genus]
    laid = np.int64(MOST_COPIES)
    for kind in range(first, end):
        laid = min(laid, np.int64(state.hand[player, kind]))
    if laid == 0:
        return
    hidden = np.int64(0)  # cards laid that were not known
    left = np.int64(0)
    for kind in range(first, end):
        known = min(laid, np.int64(state.known[player, kind]))
        hidden += laid - known
        state.known[player, kind] -= known
        state.hand[player, kind] -= laid
        left += np.int64(state.hand[player, kind])
    if left == 0:
        state.genera[player] &= ~(np.uint32(1) << np.uint32(genus))
    state.cards[player] -= laid * (end - first)
    state.hidden[player] -= hidden
    state.room[player, genus] -= hidden
    if hidden > 0:
        state.asked[player, genus] = 0
    _limit_room(state, player)
    state.skeletons[player, genus] += laid
    state.score[player] += laid * VALUE_OF_GENUS[genus]
    state.gain[player] += laid * VALUE_OF_GENUS[genus]
    total = np.int64(0)
    for seat in range(MAX_PLAYERS):
        total += np.int64(state.score[seat])
    if total == MOST_POINTS:  # 6.2: all values are positive
        _end_game(state)


# --- what a seat knows ------------------------------------------------------------------------


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


TRIES = 2000  # deals by rejection before the exact one
FIFTY_THREE = np.float64(2.0**-53)
# Ways to choose j of n cards of one type.
CHOOSE = np.zeros((MOST_COPIES + 1, MOST_COPIES + 1))
CHOOSE[:, 0] = 1
for _n in range(1, MOST_COPIES + 1):
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]


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


# --- results and judgement --------------------------------------------------------------------


@kernel
def outcome(state, out):
    """Write the final results by points (6.4, 6.5).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    rules.rank_outcome(state.score, state.num_players, out)


SHARE_OF_PART = 0.2  # of its value: a begun skeleton, times its share squared
TURN_POINTS = 5.0  # what it is worth to be asking: a turn goes on as long as it succeeds


@kernel
def value(state, player):
    """Margin over the mean of the others, with begun skeletons and the turn counted in.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Points.
    """
    own = 0.0
    others = 0.0
    for seat in range(np.int64(state.num_players)):
        points = np.float64(state.score[seat])
        if not state.done:
            points += _begun(state, seat)
            if state.to_play == seat:
                points += TURN_POINTS
        if seat == player:
            own = points
        else:
            others += points
    return own - others / (state.num_players - 1)


@kernel
def _begun(state, seat):
    """Return what a seat's incomplete skeletons count."""
    points = 0.0
    for genus in range(N_GENERA):
        if not state.genera[seat] >> np.uint32(genus) & np.uint32(1):
            continue
        for copy in range(SKELETONS_OF_GENUS[genus]):
            there = 0.0
            for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
                if state.hand[seat, kind] > copy:
                    there += 1.0
            if there == 0.0:
                break
            share = there / FOSSILS_OF_GENUS[genus]
            points += SHARE_OF_PART * VALUE_OF_GENUS[genus] * share * share
    return points


# --- states from outside ----------------------------------------------------------------------


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


def _by_genus(counts):
    """Add up counts by type to counts by genus."""
    return np.add.reduceat(counts.astype(np.int64), FIRST_OF_GENUS, axis=-1)


def _bounds_of_hand(states):
    """Refuse complete skeletons (4.1), cards of absent seats, and who has nothing to decide."""
    hand, n = states["hand"], states["num_players"]
    held = _by_genus(hand > 0)
    wrong = (held == FOSSILS_OF_GENUS).any((1, 2))
    genera = (held > 0)[np.arange(len(states)), states["to_play"]].sum(-1)
    wrong |= (states["done"] == 0) & (genera < np.where(n == 2, 2, 1))
    seats = np.arange(MAX_PLAYERS) < n[:, None]
    return 0, np.where(wrong[:, None], 0, seats)[:, :, None] * COPIES_OF_TYPE


def _bounds_of_pile(states):
    """Let every card be in one place."""
    laid = states["skeletons"].astype(np.int64).sum(1)[:, GENUS_OF_TYPE]
    return (COPIES_OF_TYPE - laid - states["hand"].astype(np.int64).sum(1),) * 2


def _hidden_of_genus(states):
    """Count the hidden cards of each genus in each hand."""
    return _by_genus(states["hand"].astype(np.int64) - states["known"])


def _bounds_of_room(states):
    """Let the room be as large as it has to be, and no larger than there are hidden cards."""
    of_genus = _hidden_of_genus(states)
    return of_genus, of_genus.sum(-1, keepdims=True)


BOUNDS = {
    "score": (0, MOST_POINTS),
    "gain": (0, MOST_POINTS),
    "phase": (Phase.ASK, Phase.OVER),
    "turns": (0, TURN_CAP),
    "skeletons": (0, SKELETONS_OF_GENUS),
    "hand": _bounds_of_hand,
    "pile": _bounds_of_pile,
    "known": lambda states: (0, states["hand"]),
    "asked": lambda states: (0, np.minimum(_hidden_of_genus(states), 1)),
    "room": _bounds_of_room,
}

RULES = rules.register(
    rules.Rules(
        name="go_dig",
        title="Go Dig",
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=ACTIONS,
        streams=Stream,
        max_decisions=MAX_DECISIONS,
        perfect_information=False,
        sheet=canyon_cards.SHEET,
        shares=(canyon_cards,),
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample,
        outcome=outcome,
        value=value,
        bounds=BOUNDS,
        derive=derive,
    )
)
