"""Fossilium solo: Pal (docs/games/fossilium_solo.md, to which the numbers here refer).

What other modules call does nothing in a game without her: `if_has` looks at the record.
"""

import numpy as np

from .. import rng
from ..bits import highest, lowest
from ..jit import index, kernel
from ..records import if_has
from .actions import (
    CARD,
    CELL,
    END,
    EXHIBIT,
    FACE,
    FIELD,
    GOAL,
    PIECE,
    _allow,
    _allow_set,
)
from .market import (
    _bag_holds,
    _close_gap,
    _fill_market,
    _take_from_bag,
)
from .museum import _count, _footprint, _piece_of, _reserved, _show
from .parts import (
    ACT_OF_CARD,
    ALL_PIECES,
    BIT,
    CARD_DOLLARS,
    CARD_DRAWS,
    CARD_GUESTS,
    CARD_REMOVES,
    CARDS_DRAWN,
    CELLS_OF_FOSSIL,
    DEPICTED,
    EXTRA_CARDS,
    FIRST_TILE_OF_SPECIES,
    FOSSIL_CARD_OF_SPECIES,
    GOES_LEFT,
    IS_B,
    JOB_WORKERS_LOST,
    JOKER,
    MAJORITIES,
    MAX_GUESTS,
    MIN_B,
    N_CARDS,
    N_CELLS,
    N_EXHIBITS,
    N_FIELDS,
    N_FOSSIL_CARDS,
    N_GOALS,
    N_SITES,
    N_TYPES,
    OPEN_AT_START,
    OPEN_PER_ROUND,
    PAL_CUBES,
    PAL_TURNS,
    PAL_WORKERS,
    ROW_OF_ACT,
    SITE_OF_FOSSIL_CARD,
    SIZE_OF_TILE,
    SLOTS,
    SPECIES_OF_FOSSIL_CARD,
    SPECIES_OF_TILE,
    WORKERS_OF_FIELD,
    Act,
    Job,
)
from .people import _can_act, _fulfil, _score
from .state import NONE, Phase, SoloStream, Stage

ME = np.int64(0)  # the player
PAL = np.int64(1)
NO_SOLO = -2  # whose turn it is where Pal does not play
NORMAL, BONUS, JOKERS = range(3)  # classes of fields, in her order (4.2)


# --- set-up and rounds (2, 3) -------------------------------------------------------------------


@if_has("deck")
@kernel(allocates=True)
def _deal_pal(state):
    """Lay out what is Pal's and shuffle her action cards (2.5, 2.6)."""
    state.exhibit[:] = NONE
    state.deck[:] = NONE
    state.card = NONE
    state.chosen = NONE
    state.gift = NONE
    state.cubes = PAL_CUBES
    state.workers[PAL] = PAL_WORKERS
    drawn = np.zeros(N_CARDS, np.int8)
    n_b = np.int64(-1)
    while n_b < 0 or (state.more_b and n_b < _least_b(state)):
        n_b = _draw_cards(state, drawn)
    n = 0
    for b in range(2):
        start = n
        for card in range(N_CARDS):
            if drawn[card] and IS_B[card] == (b == 1):
                state.deck[n] = card
                n += 1
        for i in range(start, n):
            j = i + rng.draw(state, SoloStream.DECK.value, np.int64(n - i))
            state.deck[i], state.deck[j] = state.deck[j], state.deck[i]


@kernel
def _least_b(state):
    """Return how many B cards there are at least (7.2)."""
    n = CARDS_DRAWN.sum() + (EXTRA_CARDS if state.more_turns else 0)
    return max(MIN_B, n // 2 + 1)


@kernel(allocates=True)
def _draw_cards(state, drawn):
    """Draw action cards by kind, and those for more turns; return how many are B (2.5, 7.5)."""
    pile = np.empty(N_CARDS, np.int64)
    drawn[:] = 0
    for act in range(len(CARDS_DRAWN)):
        n = 0
        for card in range(N_CARDS):
            if ACT_OF_CARD[card] == act:
                pile[n] = card
                n += 1
        _draw_from(state, pile, n, CARDS_DRAWN[act], drawn)
    if state.more_turns:
        n = 0
        for card in range(N_CARDS):
            if not drawn[card]:
                pile[n] = card
                n += 1
        _draw_from(state, pile, n, EXTRA_CARDS, drawn)
    n_b = np.int64(0)
    for card in range(N_CARDS):
        n_b += 1 if drawn[card] and IS_B[card] else 0
    return n_b


@kernel
def _draw_from(state, pile, n, k, drawn):
    """Draw k of the first n cards of a pile (F17.1)."""
    for i in range(k):
        j = i + rng.draw(state, SoloStream.DECK.value, np.int64(n - i))
        pile[i], pile[j] = pile[j], pile[i]
        drawn[pile[i]] = 1


@if_has("deck")
@kernel
def _open_first_exhibits(state):
    """Open the first fossil cards, when set-up is done (2.3)."""
    for _ in range(OPEN_AT_START):
        _open_exhibit(state)


@if_has("deck")
@kernel
def _begin_round_of_pal(state):
    """Open a fossil card from round 2 on; Pal's turns begin again (3.2, 3.3)."""
    state.pal_turns = 0
    if state.round_number > 1:
        for _ in range(OPEN_PER_ROUND):
            _open_exhibit(state)


@kernel
def _open_exhibit(state):
    """Draw a fossil card of those that are left and lay it open (2.3, 2.4)."""
    place = 0
    open_cards = np.int64(0)
    while place < N_EXHIBITS and state.exhibit[place] != NONE:
        open_cards |= BIT[index(state.exhibit[place])]
        place += 1
    if place == N_EXHIBITS:
        return
    n = np.int64(0)
    for card in range(N_FOSSIL_CARDS):
        if _is_left(state, card, open_cards):
            n += 1
    k = rng.draw(state, SoloStream.EXHIBITS.value, n)
    card = 0
    while k > 0 or not _is_left(state, card, open_cards):
        k -= 1 if _is_left(state, card, open_cards) else 0
        card += 1
    state.exhibit[place] = card
    state.extent[place] = DEPICTED[card]


@kernel
def _is_left(state, card, open_cards):
    """Say whether a fossil card can still be opened (2.3)."""
    site = SITE_OF_FOSSIL_CARD[card]
    return (site < 0 or site != state.unused) and open_cards & BIT[card] == 0


@if_has("deck", NO_SOLO)
@kernel
def _next_in_solo(state):
    """Return whose turn is next: the player, Pal, or NONE when the action phase is over (3.3)."""
    pal = state.pal_turns < PAL_TURNS[index(state.more_turns), index(state.round_number)]
    last = np.int64(state.active)
    if last == PAL or (last == NONE and not state.pal_first):
        first, second = ME, PAL
    else:
        first, second = PAL, ME
    for seat in (first, second):
        if pal if seat == PAL else _can_act(state, ME):
            return np.int64(seat)
    return np.int64(NONE)


@if_has("deck")
@kernel
def _begin_turn_of_pal(state):
    """Begin a turn of Pal: she reveals or chooses a card (4.1, 8.1)."""
    state.to_play = PAL
    state.phase = Phase.CARD.value


@if_has("deck")
@kernel
def _send_pal_home(state):
    """Take Pal's workers back (3.4)."""
    for column in range(N_SITES):
        state.workers[PAL] += state.placed[PAL, column]
        state.placed[PAL, column] = 0


@if_has("deck")
@kernel
def _look_for_job_worker(state):
    """Ask for the job goal that loses a worker, if the game is played so (7.10)."""
    if state.lose_job_workers:
        state.to_play = ME
        state.phase = Phase.LOSE.value


# --- what can be chosen -------------------------------------------------------------------------


@if_has("deck", 0)
@kernel
def _wanted_by_pal(state):
    """Return the tile types that can be donated to Pal (5.1)."""
    types = np.int64(0)
    for place in range(N_EXHIBITS):
        card = np.int64(state.exhibit[place])
        if card != NONE:
            first = FIRST_TILE_OF_SPECIES[SPECIES_OF_FOSSIL_CARD[index(card)]]
            free = _free_pieces(state, np.int64(place))
            while free != 0:
                types |= BIT[index(first + lowest(free) // 2)]
                free &= free - 1
    return types


@kernel
def _free_pieces(state, place):
    """Return the free fields of an open fossil card: piece p is bit p - 1."""
    card = index(state.exhibit[index(place)])
    return ALL_PIECES[card] & ~np.int64(state.extent[index(place)])


@if_has("deck")
@kernel
def _list_for_pal(state):
    """Write the choices of the phases that only the solo game has."""
    phase = np.int64(state.phase)
    if phase == Phase.FACE.value:
        free = _free_pieces(state, _place_of_tile(state, np.int64(state.held)))
        for face in range(2):
            if free & BIT[index(_piece_of(np.int64(state.held), np.int64(face)) - 1)]:
                _allow(state, np.int64(FACE + face))
    elif phase == Phase.TIE.value:
        _allow_set(state, np.int64(CELL), _fossils_to_give_to(state))
    elif phase == Phase.LOSE.value:
        for g in range(N_GOALS):
            if state.on_goal[ME, g] > 0:
                _allow(state, np.int64(GOAL + g))
    elif phase == Phase.CARD.value:
        _list_cards(state)
    elif phase == Phase.FIELD.value:
        _allow_set(state, np.int64(FIELD), _fields_for_pal(state))
    elif phase == Phase.EXHIBIT.value:
        for place in range(N_EXHIBITS):
            if state.exhibit[place] != NONE and _free_pieces(state, np.int64(place)) != 0:
                _allow(state, np.int64(EXHIBIT) + state.exhibit[place])
    elif phase == Phase.PIECE.value:
        _allow_set(state, np.int64(PIECE), _pieces_for_pal(state))
    elif phase == Phase.END.value:
        _allow_set(state, np.int64(END), np.int64(3))


@kernel
def _list_cards(state):
    """List the cards that Pal may play: of those left the A cards, else the B cards (8.1)."""
    cards = np.int64(0)
    first = index(state.played)
    deck = IS_B[index(state.deck[first])]
    for i in range(first, len(state.deck)):
        if state.deck[i] != NONE and IS_B[index(state.deck[i])] == deck:
            cards |= BIT[index(state.deck[i])]
    _allow_set(state, np.int64(CARD), cards)


@kernel
def _fields_for_pal(state):
    """Return the free fields of the first class that has one: c * N_FIELDS + field (4.2)."""
    row = ROW_OF_ACT[ACT_OF_CARD[index(state.card)]]
    for kind in range(JOKERS + 1):
        fields = np.int64(0)
        if kind == NORMAL:
            wanted = BIT[index(3 * row)] | BIT[index(3 * row + 1)]
        elif kind == BONUS:
            wanted = BIT[index(3 * row + 2)]
        else:
            wanted = BIT[JOKER]
        for column in range(N_SITES):
            if column != state.unused:
                fields |= (wanted & ~np.int64(state.taken[column])) << (column * N_FIELDS)
        if fields != 0:
            return fields
    return np.int64(0)


@kernel
def _pieces_for_pal(state):
    """Return the pieces that Pal may display or donate, piece p as bit p - 1 (4.3, 4.5)."""
    if ACT_OF_CARD[index(state.card)] == Act.DISPLAY.value:
        return _free_pieces(state, np.int64(state.chosen))
    gift = index(state.gift)
    size = index(SIZE_OF_TILE[index(state.tile[ME, gift])])
    turn, piece = index(state.pose[ME, gift]), index(state.piece[ME, gift])
    pieces = np.int64(0)
    for p in range(np.int64(size)):
        cell = index(CELLS_OF_FOSSIL[size, turn, piece, gift, p])
        t = np.int64(state.tile[ME, cell])
        if not state.displayed[ME, cell] and _fullest_bag(state, t) != NONE:
            pieces |= BIT[p]
    return pieces


@kernel
def _fullest_bag(state, t):
    """Return the site whose bag holds a tile type and most tiles in all, or NONE (4.5)."""
    best = np.int64(NONE)
    most = np.int64(0)
    for site in range(N_SITES):
        if _bag_holds(state, np.int64(site), t) and state.in_bag[site] > most:
            best = np.int64(site)
            most = np.int64(state.in_bag[site])
    return best


@kernel
def _fossils_to_give_to(state):
    """Return the first cells of the incomplete fossils with most displayed pieces (4.5)."""
    most = np.int64(0)
    firsts = np.int64(0)
    rest = _reserved(state, ME)
    while rest != 0:
        cell = lowest(rest)
        rest &= rest - 1
        if state.tile[ME, index(cell)] == NONE:
            continue
        fossil = _footprint(state, ME, cell)
        rest &= ~fossil  # each fossil once
        n = _count(np.int64(state.shown[ME]) & fossil)
        if n > most:
            most = n
            firsts = np.int64(0)
        if n == most:
            firsts |= fossil & -fossil
    return firsts


@kernel
def _place_of_tile(state, t):
    """Return the place of the open fossil card of a tile's species."""
    card = FOSSIL_CARD_OF_SPECIES[SPECIES_OF_TILE[index(t)]]
    place = np.int64(0)
    while state.exhibit[index(place)] != card:
        place += 1
    return place


@if_has("deck", 0)
@kernel
def _gift_to_pal(state, t):
    """Return the prestige that donating a tile to Pal brings now, 0 if she wants none (5.1)."""
    card = FOSSIL_CARD_OF_SPECIES[SPECIES_OF_TILE[index(t)]]
    pieces = np.int64(3) << (_piece_of(t, np.int64(0)) - 1)
    for place in range(N_EXHIBITS):
        is_it = card != NONE and state.exhibit[place] == card
        if is_it and _free_pieces(state, np.int64(place)) & pieces != 0:
            return _count(np.int64(state.extent[place])) + 1
    return np.int64(0)


# --- how the cards play (4) ---------------------------------------------------------------------


@kernel
def rulebook_choice(state):
    """Return what Pal's cards say at a decision of hers (4.1 to 4.6).

    Parameters
    ----------
    state : STATE record of the solo game
        Pal is to decide.

    Returns
    -------
    int
        A legal action.
    """
    phase = np.int64(state.phase)
    if phase == Phase.CARD.value:
        return CARD + np.int64(state.deck[index(state.played)])
    left = GOES_LEFT[index(state.card)]
    if phase == Phase.FIELD.value:
        fields = _fields_for_pal(state)
        return FIELD + (highest(fields) if left else lowest(fields))
    if phase == Phase.EXHIBIT.value:
        return EXHIBIT + _exhibit_by_card(state, left)
    if phase == Phase.PIECE.value:
        pieces = _pieces_for_pal(state)
        return PIECE + (lowest(pieces) if left else highest(pieces))
    return np.int64(END + 1) if left else np.int64(END)


@if_has("deck", NONE)
@kernel(apart=True)
def _chosen_by_cards(state):
    """Return the rulebook's choice where Pal is to decide and is played by her cards, else NONE."""
    if state.num_players > 1 or state.to_play != PAL:
        return np.int64(NONE)
    return rulebook_choice(state)


@kernel
def _exhibit_by_card(state, left):
    """Return the fossil card that an arrow chooses (4.3)."""
    best = np.int64(NONE)
    best_key = np.int64(0)
    for place in range(N_EXHIBITS):
        if state.exhibit[place] == NONE:
            continue
        free = _free_pieces(state, np.int64(place))
        if free == 0:
            continue
        number = -lowest(free) if left else highest(free)
        key = 100 * number - _count(free)  # then fewest free fields; the earlier one among equals
        if best == NONE or key > best_key:
            best, best_key = np.int64(state.exhibit[place]), key
    return best


# --- what is chosen happens ---------------------------------------------------------------------


@if_has("deck")
@kernel(apart=True)
def _apply_for_pal(state, action):
    """Apply a choice of the phases that only the solo game has."""
    phase = np.int64(state.phase)
    if phase == Phase.FACE.value:
        _give_to_pal(state, action - FACE)
    elif phase == Phase.TIE.value:
        state.gift = action - CELL
        state.to_play = PAL
        state.phase = Phase.PIECE.value
    elif phase == Phase.LOSE.value:
        g = index(action - GOAL)
        state.on_goal[ME, g] -= min(np.int64(JOB_WORKERS_LOST), np.int64(state.on_goal[ME, g]))
        state.phase = Stage.ROUND.value
    elif phase == Phase.CARD.value:
        _play_card(state, action - CARD)
    elif phase == Phase.FIELD.value:
        _place_for_pal(state, action - FIELD)
        state.phase = Stage.PAL.value
    elif phase == Phase.EXHIBIT.value:
        place = 0
        while state.exhibit[place] != action - EXHIBIT:
            place += 1
        state.chosen = place
        state.phase = Phase.PIECE.value
    elif phase == Phase.PIECE.value:
        if ACT_OF_CARD[index(state.card)] == Act.DISPLAY.value:
            _extend(state, np.int64(state.chosen), action - PIECE)
            state.cubes_on[index(state.chosen)] += 1
            state.cubes -= 1
            _finish_exhibit(state, np.int64(state.chosen))
        else:
            _donate_to_player(state, action - PIECE)
        _end_turn_of_pal(state)
    else:
        _remove_from_market(state, action == END + 1)
        _end_trade(state)


@if_has("deck")
@kernel
def _skip_for_pal(state):
    """Go on where a phase of the solo game has no choice (4.2, 4.5, 7.10)."""
    if state.phase == Phase.LOSE.value:
        state.phase = Stage.ROUND.value
    elif state.phase == Phase.FIELD.value:
        state.phase = Stage.PAL.value
    else:
        _end_turn_of_pal(state)


@kernel
def _play_card(state, card):
    """Move a card behind those that were played before (4.1, 8.1)."""
    place = index(state.played)
    while state.deck[place] != card:
        place = index(place + 1)
    while place > state.played:
        state.deck[place] = state.deck[index(place - 1)]
        place = index(place - 1)
    state.deck[place] = card
    state.card = card
    state.played += 1
    state.pal_turns += 1
    state.phase = Phase.FIELD.value


@kernel
def _place_for_pal(state, number):
    """Place Pal's workers on a field, if she has enough (4.2)."""
    column, field = index(number // N_FIELDS), index(number % N_FIELDS)
    n = WORKERS_OF_FIELD[field]
    if state.workers[PAL] >= n:
        state.workers[PAL] -= n
        state.placed[PAL, column] += n
        state.taken[column] |= BIT[field]


@if_has("deck")
@kernel(apart=True)
def _act_for_pal(state):
    """Carry out Pal's card, up to what has to be chosen for it (4.3 to 4.6)."""
    card = index(state.card)
    act = ACT_OF_CARD[card]
    if act == Act.DISPLAY.value:
        state.phase = Phase.EXHIBIT.value if state.cubes > 0 else Stage.TURN.value
    elif act == Act.TOUR.value:
        state.guests[PAL] = min(np.int64(MAX_GUESTS), state.guests[PAL] + CARD_GUESTS[card])
        state.dollars[PAL] += CARD_DOLLARS[card]
        state.phase = Stage.TURN.value
    elif act == Act.DONATE.value:
        state.to_play = ME
        state.phase = Phase.TIE.value
    else:
        filled = False
        for row in range(N_TYPES):
            filled = filled or state.market[row, 0] != NONE
        if filled:
            state.phase = Phase.END.value
        else:
            _end_trade(state)
    if state.phase == Stage.TURN.value:
        _end_turn_of_pal(state)


@if_has("deck")
@kernel
def _end_turn_of_pal(state):
    """Lay the card away."""
    state.card = NONE
    state.chosen = NONE
    state.gift = NONE
    state.phase = Stage.TURN.value


@kernel
def _extend(state, place, piece):
    """Display a piece, counted from 0, on a fossil card."""
    state.extent[index(place)] |= np.uint8(BIT[index(piece)])


@kernel
def _finish_exhibit(state, place):
    """Give the cubes back if a fossil card has no free field any more (4.7)."""
    if _free_pieces(state, place) == 0:
        state.cubes += state.cubes_on[index(place)]
        state.cubes_on[index(place)] = 0


@kernel
def _give_to_pal(state, face):
    """Donate the tile chosen to Pal's fossil card (5.1)."""
    t = np.int64(state.held)
    place = _place_of_tile(state, t)
    _extend(state, place, _piece_of(t, face) - 1)
    prestige = _count(np.int64(state.extent[index(place)]))
    _finish_exhibit(state, place)
    _score(state, ME, prestige)
    _fulfil(state, ME, np.int64(Job.DONATION.value), prestige)
    state.held = NONE
    state.left -= 1
    state.phase = Phase.BUILD.value


@kernel
def _donate_to_player(state, p):
    """Display a tile from a bag on the player's fossil, who loses prestige (4.5)."""
    gift = index(state.gift)
    size = index(SIZE_OF_TILE[index(state.tile[ME, gift])])
    turn, piece = index(state.pose[ME, gift]), index(state.piece[ME, gift])
    cell = CELLS_OF_FOSSIL[size, turn, piece, gift, index(p)]
    t = np.int64(state.tile[ME, index(cell)])
    _take_from_bag(state, _fullest_bag(state, t), t)
    _show(state, ME, cell)
    loss = _count(np.int64(state.shown[ME]) & _footprint(state, ME, cell))
    if not state.negative_prestige:
        loss = min(loss, np.int64(state.score[ME]))
    _score(state, ME, -loss)


@kernel
def _remove_from_market(state, left):
    """Take the tiles at the card's positions out of the game (4.6)."""
    card = index(state.card)
    for row in range(N_TYPES):
        n = 0
        while n < SLOTS and state.market[row, n] != NONE:
            n += 1
        for i in range(n):
            slot = n - 1 - i  # from the right, so that what is to come stays in its place
            if CARD_REMOVES[card, index(n - slot if left else slot + 1)]:
                _close_gap(state, np.int64(row), np.int64(slot))


@kernel
def _end_trade(state):
    """Draw the card's tiles into the market (4.6)."""
    _fill_market(state, CARD_DRAWS[index(state.card)])
    _end_turn_of_pal(state)


# --- the end (6, 7) -----------------------------------------------------------------------------


@if_has("deck", 0)
@kernel
def _prefers_high_goals(state):
    """Say whether the round goals are those with higher numbers (7.1)."""
    return np.int64(state.high_goals)


@if_has("deck", 0)
@kernel
def _prefers_dark_goals(state):
    """Say whether fewer round goals lie with the light side up (7.3)."""
    return np.int64(state.dark_goals)


@if_has("deck")
@kernel
def _score_majorities_in_solo(state):
    """Score the majorities against Pal (6.1, 7.6)."""
    guests = state.guests[ME] > state.guests[PAL]
    dollars = state.dollars[ME] > state.dollars[PAL]
    _score(state, ME, MAJORITIES[0] * (np.int64(guests) + np.int64(dollars)))
    state.lost = 1 if state.must_win_majorities and not (guests and dollars) else 0


@if_has("deck")
@kernel
def _score_penalties(state):
    """Take what the difficulties take at the end (7.8, 7.9, 7.11)."""
    if state.empty_fields:
        empty = np.int64(0)
        for cell in range(N_CELLS):
            if not state.displayed[ME, cell] and state.panel[ME, cell] == NONE:
                empty += 1
        _score(state, ME, -empty)
    if state.storage_penalty:
        _score(state, ME, -np.int64(state.stored[ME]))
