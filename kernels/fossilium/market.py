"""Fossilium: bags, storage, market and archive (1.8 to 1.10, 4.6, 9)."""

import numpy as np

from .. import rng
from ..jit import index, kernel
from .parts import (
    FIRST_STOCK,
    MAX_PRICE,
    MIN_PRICE,
    N_SITES,
    SLOTS,
    STEP_BOUGHT,
    STEP_SOLD,
    STOCK_OF,
    STORAGE,
    SURCHARGE,
    TILE_OF_STOCK,
    TYPE_OF_TILE,
)
from .state import NONE, Stream


@kernel(apart=True)
def _draw_tile(state, site):
    """Draw a tile from a bag that is not empty; return its type (1.10)."""
    k = rng.draw(state, Stream.BAG_1.value + site, np.int64(state.in_bag[index(site)]))
    stock = index(FIRST_STOCK[index(site)])
    while k >= np.int64(state.bag[stock]):
        k -= np.int64(state.bag[stock])
        stock = index(stock + 1)
    state.bag[stock] -= 1
    state.in_bag[index(site)] -= 1
    return TILE_OF_STOCK[stock]


@kernel
def _take_from_bag(state, site, t):
    """Take a tile of a type out of a bag that has one."""
    state.bag[index(STOCK_OF[index(site), index(t)])] -= 1
    state.in_bag[index(site)] -= 1


@kernel
def _return_to_bag(state, site, t):
    """Put a tile back into its bag."""
    state.bag[index(STOCK_OF[index(site), index(t)])] += 1
    state.in_bag[index(site)] += 1


@kernel
def _bag_holds(state, site, t):
    """Say whether a bag holds a tile of a type; that of a column not in use is empty."""
    stock = STOCK_OF[index(site), index(t)]
    return stock >= 0 and state.bag[index(stock)] > 0


@kernel(apart=True)
def _put_into_market(state, t):
    """Put a tile into the market (1.9)."""
    row = index(TYPE_OF_TILE[index(t)])
    if state.market[row, SLOTS - 1] != NONE:
        state.archive[index(state.market[row, 0])] += 1
        _close_gap(state, np.int64(row), np.int64(0))
    slot = 0
    while state.market[row, slot] != NONE:
        slot += 1
    state.market[row, slot] = t


@kernel
def _close_gap(state, row, slot):
    """Move the tiles right of a slot one to the left (1.9)."""
    row = index(row)
    for i in range(slot, SLOTS - 1):
        state.market[row, index(i)] = state.market[row, index(i + 1)]
    state.market[row, SLOTS - 1] = NONE


@kernel
def _fill_market(state, per_site):
    """Draw tiles from each bag in use and put them into the market (2.6, 12.6)."""
    for site in range(N_SITES):
        for _ in range(min(per_site, np.int64(state.in_bag[site]))):
            _put_into_market(state, _draw_tile(state, np.int64(site)))


@kernel
def _store(state, seat, t):
    """Put a tile into a storage."""
    state.storage[index(seat), index(t)] += 1
    state.stored[index(seat)] += 1


@kernel
def _unstore(state, seat, t):
    """Take a tile from a storage."""
    state.storage[index(seat), index(t)] -= 1
    state.stored[index(seat)] -= 1


@kernel
def _store_or_give_up(state, seat, t):
    """Put a tile into the storage, or into the market if that is full (4.6)."""
    if state.stored[index(seat)] < STORAGE:
        _store(state, seat, t)
    else:
        _put_into_market(state, t)


@kernel
def _pay_price(state, seat, kind, more):
    """Pay for a tile of a type, after which its price rises (9.2)."""
    price = np.int64(state.price[index(kind)])
    state.dollars[index(seat)] -= price + more
    state.price[index(kind)] = min(np.int64(MAX_PRICE), price + STEP_BOUGHT)


@kernel
def _buy_from_row(state, seat, row, slot):
    """Buy the tile in a slot (9.2)."""
    _pay_price(state, seat, row, np.int64(0))
    _store(state, seat, np.int64(state.market[index(row), index(slot)]))
    _close_gap(state, row, slot)


@kernel
def _buy_from_archive(state, seat, t):
    """Buy a tile from the archive (9.2)."""
    _pay_price(state, seat, TYPE_OF_TILE[index(t)], np.int64(SURCHARGE))
    state.archive[index(t)] -= 1
    _store(state, seat, t)


@kernel
def _sell(state, seat, t):
    """Sell a tile from the storage (9.3)."""
    kind = index(TYPE_OF_TILE[index(t)])
    price = max(np.int64(MIN_PRICE), np.int64(state.price[kind]) + STEP_SOLD)
    state.price[kind] = price
    state.dollars[index(seat)] += price
    _unstore(state, seat, t)
    _put_into_market(state, t)
