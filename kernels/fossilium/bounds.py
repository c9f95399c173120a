"""What the fields of a state of Fossilium may hold, for states that come from outside."""

import numpy as np

from ..jit import index, kernel
from .choices import _list
from .parts import (
    ACT_OF_CARD,
    ALL_PIECES,
    CARDS_DRAWN,
    CELLS_OF_FOSSIL,
    COUNT_OF_STOCK,
    EXTRA_CARDS,
    FIRST_TILE_OF_SPECIES,
    FOOTPRINT,
    IS_B,
    JOKER,
    KIND_OF_TILE,
    MAX_DECK,
    MAX_GUESTS,
    MAX_PRICE,
    MAX_STUDENTS,
    MAY_BE_UNUSED,
    MIN_B,
    MIN_PRICE,
    N_AMBER,
    N_CARDS,
    N_CELLS,
    N_END_TILES,
    N_EXHIBITS,
    N_FIELDS,
    N_FOSSIL_CARDS,
    N_GOALS,
    N_JOB_TILES,
    N_LINES,
    N_PANELS,
    N_PIECES,
    N_ROUND_TILES,
    N_SITES,
    N_STANDS,
    N_STARTS,
    N_STOCKS,
    N_TILES,
    N_TYPES,
    N_WORKERS,
    PAL_CUBES,
    PAL_TURNS,
    ROUNDS,
    SITE_OF_STOCK,
    SIZE_OF_TILE,
    SPECIES_OF_TILE,
    SPLIT,
    STOCK_OF,
    STORAGE,
    TYPE_OF_TILE,
    Act,
)
from .state import NONE, Phase, Reason

MOST_PRESTIGE = 1000
MOST_DOLLARS = 5000
_SET_UP = (Phase.UNUSED, Phase.SIDE, Phase.SPLIT, Phase.START)
_ACTION = (*range(Phase.COPY, Phase.SITE + 1), Phase.FACE)  # a field has been taken
_PAL = (Phase.FIELD, Phase.EXHIBIT, Phase.PIECE, Phase.END, Phase.TIE)  # her card is known


@kernel
def derive(state):
    """Compute the fields that follow from the others.

    Parameters
    ----------
    state : STATE record, in and out
    """
    for museum in range(state.tile.shape[0]):
        for cell in range(N_CELLS):
            if state.displayed[museum, cell]:
                state.shown[museum] |= np.int64(1) << cell
            if state.tile[museum, cell] == NONE and state.panel[museum, cell] == NONE:
                state.empty[museum] |= np.int64(1) << cell
        for t in range(N_TILES):
            state.stored[museum] += state.storage[museum, t]
    for stock in range(N_STOCKS):
        state.in_bag[index(SITE_OF_STOCK[stock])] += state.bag[stock]
    if not state.done:
        _list(state)


def _phase_in(states, *phases):
    """Say which states are in one of some phases."""
    return np.isin(states["phase"], phases)


def _keeping(states, *reasons):
    """Say which states choose tiles to keep that were drawn for one of some reasons."""
    return _phase_in(states, Phase.KEEP) & np.isin(states["reason"], reasons)


def _in_set_up(states):
    """Say which states have not begun the first round."""
    return _phase_in(states, *_SET_UP) | _keeping(states, Reason.HAND)


def _museums(states):
    """Return the number of museums of each state."""
    return np.minimum(states["num_players"], states["tile"].shape[1])


def _present(states):
    """Say which museums are in the game."""
    return np.arange(states["tile"].shape[1]) < _museums(states)[:, None]


def _only(values, allowed, instead):
    """Bound values to themselves where they are allowed, else to another."""
    return (np.where(allowed, values, instead),) * 2


def _where(condition, low, high):
    """Bound a field by numbers where a condition on states holds, and to NONE elsewhere."""

    def bound(states):
        holds = condition(states)
        return np.where(holds, low, NONE), np.where(holds, high, NONE)

    return bound


def _number(condition, high):
    """Bound a field by 0 and a number where a condition on states holds, and to 0 elsewhere."""
    return lambda states: (0, np.where(condition(states), high, 0))


def _of_museum(high):
    """Bound a field of museums by 0 and a number, 0 for those that are not in the game."""

    def bound(states):
        present = _present(states)
        return 0, present.reshape(*present.shape, *(1 for _ in np.shape(high))) * np.asarray(high)

    return bound


# --- museums ------------------------------------------------------------------------------------


def _bounds_of_piece(states):
    """Let a piece be one that the tile of its cell shows (1.3)."""
    tile = states["tile"]
    at = np.maximum(tile, 0)
    low = 2 * KIND_OF_TILE[at] + 1
    return np.where(tile == NONE, 0, low), np.where(tile == NONE, 0, low + (SIZE_OF_TILE[at] > 1))


def _bounds_of_pose(states):
    """Let fossils lie so that all cells of their rectangles belong to them (5.3)."""
    tile, piece, pose = (states[name].astype(np.int64) for name in ("tile", "piece", "pose"))
    at = np.maximum(tile, 0)
    size, first = SIZE_OF_TILE[at], FIRST_TILE_OF_SPECIES[SPECIES_OF_TILE[at]]
    turn = np.clip(pose, 0, 3)
    cell = np.broadcast_to(np.arange(N_CELLS), tile.shape)
    fits = (turn == pose) & (FOOTPRINT[size, turn, piece, cell] != 0)
    for p in range(N_PIECES):
        other = CELLS_OF_FOSSIL[size, turn, piece, cell, p]
        there = np.maximum(other, 0)
        same = np.take_along_axis(tile, there, 2) == first + p // 2
        same &= np.take_along_axis(piece, there, 2) == p + 1
        same &= np.take_along_axis(pose, there, 2) == pose
        fits &= same | (p >= size)
    fits |= (tile == NONE) & (pose == 0)
    return _only(pose, fits, np.where(tile == NONE, 0, (turn + 1) % 4))


def _bounds_of_panel(states):
    """Let panels lie where no tile is, in museums of the game."""
    free = (states["tile"] == NONE) & _present(states)[:, :, None]
    return NONE, np.where(free, N_PANELS - 1, NONE)


def _bounds_of_tile(states):
    """Let museums that are not in the game be bare."""
    return NONE, np.where(_present(states)[:, :, None], N_TILES - 1, NONE)


def _bounds_of_storage(states):
    """Let a storage hold no more than it can before tiles are given up (12.2)."""
    storage = states["storage"].astype(np.int64)
    fits = storage.sum(2, keepdims=True) <= STORAGE + N_WORKERS
    low, high = _only(storage, fits, 0)
    present = _present(states)[:, :, None]
    return np.where(present, low, 0), np.where(present, high, 0)


def _bounds_of_side(states):
    """Let those have a side who have chosen it (2.8)."""
    return _chosen_from(states, Phase.SPLIT, 1)


def _bounds_of_start(states):
    """Let those have a starting tile who have drawn it (2.8)."""
    return _chosen_from(states, Phase.START, N_STARTS - 1)


def _chosen_from(states, phase, high):
    """Bound a field of museums that is known in set-up from a phase of its player on."""
    seat = np.arange(states["tile"].shape[1])
    mover = states["to_play"][:, None]
    chosen = (seat < mover) | ((seat == mover) & (states["phase"][:, None] >= phase))
    chosen |= ~_in_set_up(states)[:, None]
    chosen &= _present(states)
    return np.where(chosen, 0, NONE), np.where(chosen, high, NONE)


# --- the board ----------------------------------------------------------------------------------


def _bounds_of_unused(states):
    """Let the unused column be one that may be, when it has been chosen (2.5)."""
    allowed = MAY_BE_UNUSED[_museums(states)]
    chosen = ~_phase_in(states, Phase.UNUSED) & allowed.any(1)
    unused = states["unused"]
    fits = np.take_along_axis(allowed, np.clip(unused, 0, N_SITES - 1)[:, None], 1)[:, 0]
    fits &= (unused >= 0) & (unused < N_SITES)
    return _only(unused, np.where(chosen, fits, unused == NONE), np.where(chosen, 0, NONE))


def _bounds_of_market(states):
    """Let rows hold tiles of their type, from the left (1.8)."""
    market = states["market"].astype(np.int64)
    known = (market >= 0) & (market < N_TILES)
    fits = known & (TYPE_OF_TILE[np.clip(market, 0, N_TILES - 1)] == np.arange(N_TYPES)[:, None])
    before = np.concatenate([np.ones((*market.shape[:2], 1), bool), known[:, :, :-1]], 2)
    return _only(market, (fits & before) | (market == NONE), NONE)


def _bounds_of_active(states):
    """Let it be somebody's turn where an action or a dig is decided (4.1)."""
    own = _phase_in(states, Phase.TURN, Phase.AFTER, *_ACTION)
    own |= _keeping(states, Reason.BONUS, Reason.DIG)
    pal = _phase_in(states, Phase.CARD, *_PAL)
    active = np.where(own, states["to_play"], np.where(pal, 1, NONE))
    return active, active


def _with_field(states):
    """Say in which states an action is under way (4.2)."""
    return _phase_in(states, *_ACTION) | _keeping(states, Reason.BONUS)


def _bounds_of_column(states):
    """Let the column of an action be one that is used."""
    column = states["column"]
    fits = (column >= 0) & (column < N_SITES) & (column != states["unused"])
    wanted = np.where(states["unused"] == 0, 1, 0)
    holds = _with_field(states)
    return _only(column, np.where(holds, fits, column == NONE), np.where(holds, wanted, NONE))


def _bounds_of_field(states):
    """Let the field of an action be known, the joker's while its copy is chosen (4.8)."""
    holds = _with_field(states)
    copy = _phase_in(states, Phase.COPY)
    low = np.where(copy, JOKER, np.where(holds, 0, NONE))
    return low, np.where(copy, JOKER, np.where(holds, N_FIELDS - 1, NONE))


def _bounds_of_held(states):
    """Let a tile be chosen where the next choice is about it."""
    needed = _phase_in(states, Phase.POSE, Phase.OWNER, Phase.TARGET, Phase.SITE, Phase.FACE)
    possible = needed | _phase_in(states, Phase.CELL)
    return np.where(needed, 0, NONE), np.where(possible, N_TILES - 1, NONE)


def _bounds_of_building(states):
    """Let a panel be chosen where a cell is chosen for no tile."""
    needed = _phase_in(states, Phase.CELL) & (states["held"] == NONE)
    return np.where(needed, 0, NONE), np.where(needed, N_PANELS - 1, NONE)


def _bounds_of_owner(states):
    """Let a donation be for somebody else (6.1)."""
    owner = states["owner"]
    target = _phase_in(states, Phase.TARGET)
    fits = (owner >= 0) & (owner < _museums(states)) & (owner != states["to_play"])
    wanted = np.where(states["to_play"] == 0, 1, 0)
    return _only(owner, np.where(target, fits, owner == NONE), np.where(target, wanted, NONE))


# --- tiles drawn --------------------------------------------------------------------------------


def _bounds_of_reason(states):
    """Let tiles be drawn where some are kept."""
    keep = _phase_in(states, Phase.KEEP)
    return np.where(keep, 0, NONE), np.where(keep, len(Reason) - 1, NONE)


def _bounds_of_site(states):
    """Let tiles come from a bag in use (1.10)."""
    site = states["site"]
    bag = _keeping(states, Reason.BONUS, Reason.DIG, Reason.EXCAVATION)
    fits = (site >= 0) & (site < N_SITES) & (site != states["unused"])
    wanted = np.where(states["unused"] == 0, 1, 0)
    return _only(site, np.where(bag, fits, site == NONE), np.where(bag, wanted, NONE))


def _bounds_of_n_drawn(states):
    """Let something have been drawn."""
    keep = _phase_in(states, Phase.KEEP)
    return np.where(keep, 1, 0), np.where(keep, states["drawn"].shape[1], 0)


def _bounds_of_drawn(states):
    """Let the tiles drawn be of types that the bag may hold."""
    drawn = states["drawn"].astype(np.int64)
    given = np.arange(drawn.shape[1]) < states["n_drawn"][:, None]
    known = (drawn >= 0) & (drawn < N_TILES)
    site = states["site"].astype(np.int64)[:, None]
    stock = STOCK_OF[np.maximum(site, 0), np.clip(drawn, 0, N_TILES - 1)]
    fits = known & ((site == NONE) | (stock != NONE))
    wanted = STOCK_OF[np.maximum(site, 0)].argmax(2)
    return _only(drawn, np.where(given, fits, drawn == NONE), np.where(given, wanted, NONE))


def _bounds_of_keep(states):
    """Let no more be kept than was drawn."""
    keep = _phase_in(states, Phase.KEEP)
    return np.where(keep, 1, 0), np.where(keep, states["n_drawn"], 0)


def _bounds_of_last(states):
    """Let the last choice be a type, or a column (1.11, 12.3)."""
    high = np.where(_phase_in(states, Phase.KEEP), N_TILES - 1, NONE)
    return NONE, np.where(_phase_in(states, Phase.ASSIGN), N_SITES - 1, high)


# --- both games ---------------------------------------------------------------------------------


def _bounds_of_round(states):
    """Let the round be 0 in set-up, and the last one when the game is over."""
    set_up = _in_set_up(states)
    low = np.where(states["done"] == 1, ROUNDS, 1)
    return np.where(set_up, 0, low), np.where(set_up, 0, ROUNDS)


def _bounds_of_phase(last):
    """Bound the phase by the last one of the game."""

    def bound(states):
        over = states["done"] == 1
        return np.where(over, Phase.OVER, 0), np.where(over, Phase.OVER, last)

    return bound


def _bounds(last_phase, end_goals):
    """Return the bounds of the fields that both games have, in an order for those that depend."""
    return {
        "score": (-MOST_PRESTIGE, MOST_PRESTIGE),
        "gain": (-MOST_PRESTIGE, MOST_PRESTIGE),
        "phase": _bounds_of_phase(last_phase),
        "reason": _bounds_of_reason,
        "round_number": _bounds_of_round,
        "tile": _bounds_of_tile,
        "piece": _bounds_of_piece,
        "pose": _bounds_of_pose,
        "displayed": lambda states: (0, states["tile"] != NONE),
        "panel": _bounds_of_panel,
        "storage": _bounds_of_storage,
        "side": _bounds_of_side,
        "start": _bounds_of_start,
        "dollars": (0, MOST_DOLLARS),
        "guests": (0, MAX_GUESTS),
        "regular": _of_museum(MAX_GUESTS),
        "students": _of_museum(MAX_STUDENTS),
        "amber": _of_museum(N_AMBER),
        "stands": _of_museum(N_STANDS),
        "workers": (0, N_WORKERS),
        "placed": (0, N_WORKERS),
        "permanent": _of_museum([N_WORKERS] * N_SITES),
        "spent": lambda states: (0, states["permanent"]),
        "on_goal": _of_museum([int(SPLIT.max())] * N_GOALS),
        "paid": _of_museum((1 << N_GOALS) - 1),
        "paid_elsewhere": _of_museum((1 << N_GOALS) - 1),
        "taken": (0, (1 << N_FIELDS) - 1),
        "neutral": (0, N_WORKERS),
        "bag": (0, COUNT_OF_STOCK),
        "market": _bounds_of_market,
        "archive": (0, int(COUNT_OF_STOCK.sum().clip(max=255))),
        "price": (MIN_PRICE, MAX_PRICE),
        "starts": (0, N_STARTS - 1),
        "job_goal": (0, 2 * N_JOB_TILES - 1),
        "round_goal": (NONE, 2 * N_ROUND_TILES - 1),
        "end_goal": (NONE, 2 * N_END_TILES - 1 if end_goals else NONE),
        "unused": _bounds_of_unused,
        "first": lambda states: (0, _museums(states) - 1),
        "active": _bounds_of_active,
        "dug": _number(lambda states: states["active"] != NONE, 1),
        "acted": _number(lambda states: states["active"] != NONE, 1),
        "column": _bounds_of_column,
        "field": _bounds_of_field,
        "left": _number(_with_field, 9),
        "buys": _number(_with_field, 9),
        "sells": _number(_with_field, 9),
        "line": _where(_with_field, NONE, N_LINES - 1),
        "tour_dollars": _number(_with_field, 100),
        "tour_guests": _number(_with_field, 100),
        "pieces": _number(_with_field, 9),
        "held": _bounds_of_held,
        "building": _bounds_of_building,
        "spot": _where(lambda states: _phase_in(states, Phase.POSE), 0, N_CELLS - 1),
        "owner": _bounds_of_owner,
        "site": _bounds_of_site,
        "n_drawn": _bounds_of_n_drawn,
        "drawn": _bounds_of_drawn,
        "keep": _bounds_of_keep,
        "last": _bounds_of_last,
    }


BOUNDS = _bounds(Phase.ASSIGN, True)


# --- the solo game ------------------------------------------------------------------------------


def _cards_in_play(states):
    """Return how many action cards a game has (solo 2.5, 7.5)."""
    return CARDS_DRAWN.sum() + EXTRA_CARDS * states["more_turns"].astype(np.int64)


def _bounds_of_deck(states):
    """Let the deck be one that can be drawn, with A cards before B cards (solo 2.5, 7, 8.1)."""
    deck = states["deck"].astype(np.int64)
    n = _cards_in_play(states)[:, None]
    place = np.arange(MAX_DECK)
    card = np.clip(deck, 0, N_CARDS - 1)
    there = place < n
    fits = np.where(there, deck == card, deck == NONE).all(1)
    counts = ((card[:, :, None] == np.arange(N_CARDS)) & there[:, :, None]).sum(1)
    fits &= (counts <= 1).all(1)
    for act in Act:
        fits &= counts[:, act == ACT_OF_CARD].sum(1) >= CARDS_DRAWN[act]
    least = np.maximum(MIN_B, n[:, 0] // 2 + 1) * (states["more_b"] == 1)
    fits &= counts[:, IS_B].sum(1) >= least
    b = IS_B[card] & there
    fits &= (b[:, :-1] <= b[:, 1:] | ~there[:, 1:]).all(1)
    return _only(deck, fits[:, None], (deck + 1) % N_CARDS)


def _bounds_of_exhibit(states):
    """Let open fossil cards be different ones (solo 2.3)."""
    exhibit = states["exhibit"].astype(np.int64)
    known = (exhibit >= 0) & (exhibit < N_FOSSIL_CARDS)
    before = np.concatenate([np.ones((len(exhibit), 1), bool), known[:, :-1]], 1)
    earlier = np.tril(np.ones((N_EXHIBITS, N_EXHIBITS), bool), -1)
    new = ~((exhibit[:, :, None] == exhibit[:, None, :]) & earlier).any(2)
    return _only(exhibit, (known & before & new) | (exhibit == NONE), NONE)


def _bounds_of_extent(states):
    """Let only pieces be displayed that a fossil card has."""
    exhibit = states["exhibit"]
    pieces = np.where(exhibit == NONE, 0, ALL_PIECES[np.maximum(exhibit, 0)])
    extent = states["extent"]
    return _only(extent, extent & ~pieces == 0, pieces)


def _bounds_of_card(states):
    """Let Pal's card be known where it is carried out, and fit what is chosen for it."""
    act = np.select(
        [
            _phase_in(states, Phase.EXHIBIT),
            _phase_in(states, Phase.TIE),
            _phase_in(states, Phase.END),
        ],
        [Act.DISPLAY, Act.DONATE, Act.TRADE],
        NONE,
    )
    card = states["card"].astype(np.int64)
    known = (card >= 0) & (card < N_CARDS)
    its_act = ACT_OF_CARD[np.clip(card, 0, N_CARDS - 1)]
    of_piece = _phase_in(states, Phase.PIECE)
    fits = known & ((act == NONE) | (its_act == act))
    fits &= ~of_piece | np.isin(its_act, (Act.DISPLAY, Act.DONATE))
    wanted = np.where(
        act == NONE, 0, [np.flatnonzero(a == ACT_OF_CARD)[0] for a in np.maximum(act, 0)]
    )
    needed = _phase_in(states, *_PAL)
    return _only(card, np.where(needed, fits, card == NONE), np.where(needed, wanted, NONE))


def _choosing_piece(states, act):
    """Say which states choose a piece for a card of a kind."""
    card = np.clip(states["card"], 0, N_CARDS - 1)
    return _phase_in(states, Phase.PIECE) & (ACT_OF_CARD[card] == act)


def _bounds_of_chosen(states):
    """Let the fossil card to extend be an open one (solo 4.3)."""
    needed = _choosing_piece(states, Act.DISPLAY)
    n = (states["exhibit"] != NONE).sum(1)
    return np.where(needed, 0, NONE), np.where(needed, n - 1, NONE)


def _bounds_of_gift(states):
    """Let the fossil that Pal donates to be there (solo 4.5)."""
    gift = states["gift"].astype(np.int64)
    needed = _choosing_piece(states, Act.DONATE)
    there = states["tile"][:, 0] != NONE
    fits = np.take_along_axis(there, np.clip(gift, 0, N_CELLS - 1)[:, None], 1)[:, 0]
    fits &= (gift >= 0) & (gift < N_CELLS)
    return _only(
        gift, np.where(needed, fits, gift == NONE), np.where(needed, there.argmax(1), NONE)
    )


def _bounds_of_played(states):
    """Let a card be left where one is to be played."""
    n = _cards_in_play(states)
    return 0, np.where(_phase_in(states, Phase.CARD), n - 1, n)


SOLO_BOUNDS = _bounds(Phase.END, False) | {
    "exhibit": _bounds_of_exhibit,
    "extent": _bounds_of_extent,
    "cubes_on": (0, PAL_CUBES),
    "cubes": (0, PAL_CUBES),
    "deck": _bounds_of_deck,
    "played": _bounds_of_played,
    "pal_turns": (0, int(PAL_TURNS.max())),
    "card": _bounds_of_card,
    "chosen": _bounds_of_chosen,
    "gift": _bounds_of_gift,
    "lost": lambda states: (0, states["must_win_majorities"] & states["done"]),
}
