"""How a game of Fossilium is set up (2)."""

import numpy as np

from .. import rng
from ..jit import index, kernel
from .market import _draw_tile, _fill_market
from .pal import _deal_pal, _open_first_exhibits, _prefers_dark_goals, _prefers_high_goals
from .parts import (
    BOARD,
    COUNT_OF_STOCK,
    DARK_LIGHT_GOALS,
    END_GOALS,
    FIRST_STOCK,
    HAND_DRAW,
    HIGH_GOALS,
    KEPT_AT_START,
    LIGHT_GOALS,
    MAY_BE_UNUSED,
    N_END_TILES,
    N_GOALS,
    N_JOB_TILES,
    N_ROUND_GOALS,
    N_ROUND_TILES,
    N_SITES,
    N_STARTS,
    N_STOCKS,
    SEEDED,
    SITE_OF_STOCK,
    SOLO,
    SOLO_DOLLARS,
    START_DOLLARS,
    START_PRICE,
    START_WORKERS,
)
from .people import _museums
from .rounds import _place_neutral_workers
from .state import NONE, Phase, Reason, Stage, Stream


@kernel(apart=True)
def _lay_out(state):
    """Empty the table: bags full, everything else bare (2.9)."""
    for museum in range(state.tile.shape[0]):
        state.tile[museum, :] = NONE
        state.panel[museum, :] = NONE
        state.side[museum] = NONE
        state.start[museum] = NONE
        state.empty[museum] = BOARD
    n = _museums(state)
    for seat in range(n):
        state.dollars[seat] = SOLO_DOLLARS if n == SOLO else START_DOLLARS[seat]
        state.workers[seat] = START_WORKERS
    for stock in range(N_STOCKS):
        state.bag[stock] = COUNT_OF_STOCK[stock]
        state.in_bag[SITE_OF_STOCK[stock]] += COUNT_OF_STOCK[stock]
    for row in range(state.market.shape[0]):
        state.market[row, :] = NONE
    state.price[:] = START_PRICE
    for i in range(N_STARTS):
        state.starts[i] = i
    state.unused = NONE
    state.active = NONE
    _clear_action(state)
    _clear_drawn(state)


@kernel
def _clear_action(state):
    """Forget the action under way."""
    state.column = NONE
    state.field = NONE
    state.left = 0
    state.buys = 0
    state.sells = 0
    state.line = NONE
    state.tour_dollars = 0
    state.tour_guests = 0
    state.pieces = 0
    state.held = NONE
    state.building = NONE
    state.spot = NONE
    state.owner = NONE


@kernel
def _clear_drawn(state):
    """Forget the tiles that were drawn."""
    state.drawn[:] = NONE
    state.n_drawn = 0
    state.keep = 0
    state.reason = NONE
    state.site = NONE
    state.last = NONE


@kernel(allocates=True)
def _deal_goals(state):
    """Draw job goals, round goals and the end goal (2.1 to 2.4; solo 7.1, 7.3)."""
    pile = np.empty(max(N_JOB_TILES, N_ROUND_TILES, N_END_TILES), np.int64)
    for i in range(N_JOB_TILES):
        pile[i] = i
    for i in range(N_GOALS):
        state.job_goal[i] = 2 * _drawn(state, pile, i, N_JOB_TILES)
    for i in range(N_GOALS):
        state.job_goal[i] += rng.draw(state, Stream.GOALS.value, np.int64(2))
    state.round_goal[:] = NONE
    state.end_goal = NONE
    if state.first_game:
        return
    n = N_ROUND_TILES
    for i in range(n):
        pile[i] = i
    if _prefers_high_goals(state):
        n = len(HIGH_GOALS)
        for i in range(n):
            pile[i] = HIGH_GOALS[i]
    light = DARK_LIGHT_GOALS if _prefers_dark_goals(state) else LIGHT_GOALS
    for i in range(N_ROUND_GOALS):
        state.round_goal[i] = 2 * _drawn(state, pile, i, n) + (1 if i >= light else 0)
    if END_GOALS[index(_museums(state))]:
        for i in range(N_END_TILES):
            pile[i] = i
        state.end_goal = 2 * _drawn(state, pile, 0, N_END_TILES)
        state.end_goal += rng.draw(state, Stream.GOALS.value, np.int64(2))


@kernel
def _drawn(state, pile, i, n):
    """Draw the i-th tile of a pile of n (17.1)."""
    j = i + rng.draw(state, Stream.GOALS.value, np.int64(n - i))
    pile[i], pile[j] = pile[j], pile[i]
    return pile[i]


@kernel(apart=True)
def _begin(state):
    """Set up all that needs no decision, and ask for the first one (2.1 to 2.5)."""
    _lay_out(state)
    _deal_goals(state)
    _deal_pal(state)
    state.to_play = 0
    state.phase = Phase.UNUSED.value
    columns = np.int64(0)
    for column in range(N_SITES):
        columns += MAY_BE_UNUSED[index(_museums(state)), column]
    if columns == 0:
        _use_columns(state)


@kernel(apart=True)
def _use_columns(state):
    """Go on when the columns in use are known (2.5 to 2.7)."""
    if state.unused != NONE:
        unused = index(state.unused)
        for stock in range(FIRST_STOCK[unused], FIRST_STOCK[index(unused + 1)]):
            state.bag[index(stock)] = 0
        state.in_bag[unused] = 0
    _fill_market(state, SEEDED[index(_museums(state))])
    _place_neutral_workers(state)
    state.phase = Phase.SIDE.value


@kernel
def _draw_start(state, seat):
    """Draw a starting fossil (2.8, 17.1)."""
    i = index(seat)
    j = index(seat + rng.draw(state, Stream.STARTS.value, N_STARTS - seat))
    state.starts[i], state.starts[j] = state.starts[j], state.starts[i]
    state.start[i] = state.starts[i]
    state.phase = Phase.START.value


@kernel
def _draw_hand(state):
    """Draw the tiles of which the first are kept (2.8)."""
    n = np.int64(0)
    for site in range(N_SITES):
        if site != state.unused:
            for _ in range(HAND_DRAW[index(_museums(state))]):
                state.drawn[index(n)] = _draw_tile(state, np.int64(site))
                n += 1
    state.n_drawn = n
    state.keep = KEPT_AT_START
    state.reason = Reason.HAND.value
    state.phase = Phase.KEEP.value


@kernel
def _end_set_up_of(state, seat):
    """Go on to the next player, or begin the first round (2.8)."""
    if seat + 1 < _museums(state):
        state.to_play = seat + 1
        state.phase = Phase.SIDE.value
    else:
        _open_first_exhibits(state)
        state.phase = Stage.ROUND.value
