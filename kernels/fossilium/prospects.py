"""Fossilium: hopes: what tiles and the action under way may still bring (see `judgement`)."""

import numpy as np

from ..bits import lowest
from ..jit import index, kernel
from .choices import _line_pays, _panel_tiles
from .museum import _cells_wanting, _count, _footprint, _has_room, _wanted
from .pal import _gift_to_pal
from .parts import (
    AMBER_PRESTIGE,
    AMBER_SIZE,
    BIT,
    COMPLETION_GUESTS,
    DISCOUNT_OF_FIELD,
    END_PRESTIGE,
    FIRST_TILE_OF_SPECIES,
    KINDS_OF_SPECIES,
    N_CELLS,
    N_LINES,
    N_PANEL_TILES,
    N_PEDESTALS,
    N_SITES,
    N_SPECIES,
    N_TILES,
    PANEL_COST,
    PEDESTAL,
    PEDESTAL_PRESTIGE,
    ROUNDS,
    ROW_OF_FIELD,
    SIZE_OF_SPECIES,
    SIZE_OF_TILE,
    SLOTS,
    STAND_PRESTIGE,
    STAND_SIZE,
    STOCK_OF,
    STORAGE,
    TOUR_DOLLARS,
    TOUR_GUESTS,
    TYPE_OF_TILE,
    USES_OF_FIELD,
    Row,
)
from .people import _museums
from .state import NONE, Phase
from .worths import (
    BEGIN,
    BUYING,
    CROWD,
    DISPLAY_USE,
    DUG,
    GIFT,
    GUEST,
    INCOME_DOLLAR,
    ON_SALE,
    PANEL_USE,
    PICK,
    RARE,
    SEARCH_USE,
    SELL_USE,
    SHARE_OF_WORKER,
    SHOW,
    TILE,
    TOUR_USE,
)

# what a joker may copy at best, and what most panels cost
MOST_PIECES = np.int64(max(USES_OF_FIELD[ROW_OF_FIELD == Row.DISPLAY]))
MOST_BUILDS = np.int64(max(USES_OF_FIELD[ROW_OF_FIELD == Row.BUILD]))
MOST_LINES = np.int64(max(USES_OF_FIELD[ROW_OF_FIELD == Row.TOUR]))
USUAL_COST = np.int64(np.median(PANEL_COST))


@kernel
def _left(state):
    """Return the rounds to come after this one, as far as there are numbers by rounds."""
    left = np.int64(ROUNDS) - max(np.int64(1), np.int64(state.round_number))
    return min(left, np.int64(len(SHOW) - 1))


@kernel
def _still(state, seat):
    """Return the share of the usual chances that is left: less when the last workers act."""
    if state.round_number < ROUNDS:
        return 1.0
    me = index(seat)
    n = np.float64(state.workers[me])
    for column in range(N_SITES):
        n += np.float64(state.permanent[me, column] - state.spent[me, column])
    return min(1.0, SHARE_OF_WORKER * n)


# --- tiles and fossils ----------------------------------------------------------------------------


@kernel
def _held(state, seat):
    """Return the tile type that a player is about to display, or NONE."""
    if state.to_play == seat and (
        state.phase == Phase.CELL.value or state.phase == Phase.POSE.value
    ):
        return np.int64(state.held)
    return np.int64(NONE)


@kernel
def _show(state, seat):
    """Return the chance that a tile of the storage is displayed in time."""
    show = SHOW[_left(state)] * _still(state, seat)
    stored = np.float64(state.stored[index(seat)])
    if state.active == seat and state.to_play == seat and stored > 0.0:
        uses = 0.0
        if state.phase == Phase.COPY.value:
            uses = np.float64(MOST_PIECES)
        elif state.phase >= Phase.DISPLAY.value and state.phase <= Phase.POSE.value:
            uses = np.float64(state.left)
            if state.held != NONE:
                uses -= 1.0
        show += (1.0 - show) * min(1.0, uses / stored)
    return show


@kernel
def _find(state, seat, t):
    """Return the chance that a tile of a type is found and displayed in time."""
    n = 0.0
    for site in range(N_SITES):
        stock = STOCK_OF[site, index(t)]
        if stock >= 0:
            n += np.float64(state.bag[index(stock)])
    kind = index(TYPE_OF_TILE[index(t)])
    sold = np.int64(state.archive[index(t)])
    for slot in range(SLOTS):
        if state.market[kind, slot] == t:
            sold += 1
    n += ON_SALE * sold
    chance = n / (n + RARE[_left(state)]) * _still(state, seat)
    if sold > 0 and state.to_play == seat and state.phase == Phase.TRADE.value:
        me = index(seat)
        if state.buys > 0 and state.price[kind] <= state.dollars[me] and state.stored[me] < STORAGE:
            chance = max(chance, BUYING)
    return chance


@kernel
def _worth(size):
    """Return what completing a fossil of a size brings."""
    worth = END_PRESTIGE[size] + GUEST * (COMPLETION_GUESTS[size] + 1)
    if size == AMBER_SIZE:
        worth += AMBER_PRESTIGE
    return worth + STAND_PRESTIGE if size == STAND_SIZE else worth


@kernel(apart=True)
def _estimate_tiles(state, seat):
    """Estimate what fossils will bring (14.5, 14.6), and the tiles in the storage."""
    me = index(seat)
    show, held = _show(state, seat), _held(state, seat)
    total = np.float64(AMBER_PRESTIGE * np.int64(state.amber[me]))
    total += np.float64(STAND_PRESTIGE * np.int64(state.stands[me]))
    for cell in range(N_CELLS):
        if state.piece[me, cell] == 1:
            total += _estimate_fossil(state, seat, np.int64(cell), show, held)
    stored = min(np.int64(state.stored[me]), np.int64(STORAGE))
    total += TILE * np.float64(stored) * _still(state, seat)
    wanted = _wanted(state, seat)
    empty = np.int64(state.empty[me])
    best, hopes = 0.0, 0.0
    for s in range(N_SPECIES):
        size = SIZE_OF_SPECIES[s]
        if size > 1:
            hope = _hope_to_begin(state, seat, np.int64(s), wanted, show, held)
            if hope > 0.0 and _has_room(empty, size):
                best = max(best, hope)
                hopes += hope
    total += BEGIN * (best + CROWD * (hopes - best))
    for t in range(N_TILES):
        if state.storage[me, t] > 0 and SIZE_OF_TILE[t] > 1:
            total += GIFT * _gift(state, seat, np.int64(t)) * _still(state, seat)
    return total


@kernel(apart=True)
def _estimate_fossil(state, seat, cell, show, held):
    """Estimate what one fossil will bring at the end."""
    me = index(seat)
    size = index(SIZE_OF_TILE[index(state.tile[me, index(cell)])])
    fossil = _footprint(state, seat, cell)
    pedestal = 0.0
    for p in range(N_PEDESTALS):
        if PEDESTAL[index(state.side[me]), p] == fossil:
            pedestal = np.float64(PEDESTAL_PRESTIGE[p])
    rest = fossil & ~np.int64(state.shown[me])
    if rest == 0:
        return END_PRESTIGE[size] + pedestal
    worth = _worth(size) + pedestal
    seen = np.int64(0)
    while rest != 0:
        t = np.int64(state.tile[me, index(lowest(rest))])
        need = 2 if seen & BIT[index(t)] else 1
        if t == held:
            need -= 1
        if need > 0:
            worth *= show if state.storage[me, index(t)] >= need else _find(state, seat, t)
        seen |= BIT[index(t)]
        rest &= rest - 1
    return worth


@kernel(apart=True)
def _hope_to_begin(state, seat, species, wanted, show, held):
    """Return the hope for a fossil of a species of which tiles are stored, but none is wanted."""
    first = FIRST_TILE_OF_SPECIES[index(species)]
    kinds = KINDS_OF_SPECIES[index(species)]
    have = False
    for t in range(first, first + kinds):
        if wanted & BIT[index(t)]:
            return 0.0
        have = have or state.storage[index(seat), index(t)] > 0 or t == held
    if not have:
        return 0.0
    hope = _worth(index(SIZE_OF_SPECIES[index(species)]))
    for t in range(first, first + kinds):
        n = np.int64(state.storage[index(seat), index(t)])
        for k in range(2):
            if t == held and k == 0:
                continue
            hope *= show if n > k - (1 if t == held else 0) else _find(state, seat, np.int64(t))
    return hope


@kernel
def _gift(state, seat, t):
    """Return the prestige that donating a tile of a type brings now (6.2, solo 5.1)."""
    most = _gift_to_pal(state, t)
    for other in range(_museums(state)):
        if other != seat:
            cells = _cells_wanting(state, np.int64(other), t)
            while cells != 0:
                fossil = _footprint(state, np.int64(other), np.int64(lowest(cells)))
                most = max(most, _count(fossil & np.int64(state.shown[other])) + 1)
                cells &= cells - 1
    return most


# --- the action under way -------------------------------------------------------------------------


@kernel(apart=True)
def _estimate_action(state, seat):
    """Estimate what is still to come of the action under way, fossils apart."""
    total = 0.0
    if state.n_drawn > 0:
        keep = np.float64(state.keep)
        total += DUG * keep + PICK * (np.float64(state.n_drawn) - keep)
    if state.field == NONE:
        return total
    left = np.int64(state.left)
    row = ROW_OF_FIELD[index(state.field)]
    if row == Row.JOKER.value:
        uses = max(_display_use(state, seat, MOST_PIECES), _build_use(state, seat, MOST_BUILDS))
        total += max(uses, _tour_use(state, seat, MOST_LINES))
    elif row == Row.DISPLAY.value:
        total += _display_use(state, seat, left)
    elif row == Row.BUILD.value:
        if state.phase == Phase.SEARCH.value or state.phase == Phase.SITE.value:
            total += SEARCH_USE
        total += _build_use(state, seat, left)
    elif row == Row.TRADE.value:
        total += SELL_USE * min(np.int64(state.sells), np.int64(state.stored[index(seat)]))
    elif row == Row.TOUR.value:
        total += _tour_use(state, seat, left)
    elif row == Row.MANAGE.value:
        total += GUEST
    elif row == Row.STRIP.value:
        total += SEARCH_USE
    return total


@kernel
def _display_use(state, seat, left):
    """Estimate what pieces bring beside their share in fossils."""
    n = min(left, np.int64(state.stored[index(seat)]))
    return DISPLAY_USE * max(n, np.int64(state.held != NONE))


@kernel
def _build_use(state, seat, left):
    """Estimate what the panels and donations bring that are left."""
    me = index(seat)
    if state.building != NONE:
        left -= 1
    if state.held != NONE and state.phase != Phase.SITE.value:
        gift = np.float64(_gift(state, seat, np.int64(state.held)))
        return gift + (PANEL_USE if left > 1 else 0.0)
    best, second = 0.0, 0.0
    for t in range(N_TILES):
        if state.storage[me, t] > 0 and SIZE_OF_TILE[t] > 1:
            gift = (1.0 - GIFT) * _gift(state, seat, np.int64(t))
            if gift > best:
                best, second = gift, best
            else:
                second = max(second, gift)
    use = 0.0
    price = max(np.int64(1), USUAL_COST - DISCOUNT_OF_FIELD[index(state.field)])
    panels = min(
        np.int64(state.dollars[me]) // price, N_PANEL_TILES - _count(_panel_tiles(state, seat))
    )
    for _ in range(left):
        if panels > 0 and best < PANEL_USE:
            use += PANEL_USE
            panels -= 1
        else:
            use += best
            best, second = second, 0.0
    return use


@kernel
def _tour_use(state, seat, left):
    """Estimate what the lines bring that are left, and the panels."""
    me = index(seat)
    first, second = np.int64(0), np.int64(0)
    for line in range(np.int64(state.line) + 1, N_LINES):
        n = _line_pays(state, seat, np.int64(line))
        if n > first:
            first, second = n, first
        else:
            second = max(second, n)
    n = np.int64(0)
    if left > 0:
        n = first + second if left > 1 else first
    use = TOUR_USE * n
    for cell in range(N_CELLS):
        panel = state.panel[me, cell]
        if panel != NONE:
            use += GUEST * TOUR_GUESTS[index(panel)] + INCOME_DOLLAR * TOUR_DOLLARS[index(panel)]
    return use
