"""Fossilium: what a position is worth, for players that look ahead a little.

The estimate of a player's prestige at the end adds up what is sure (score, complete fossils), what
the rounds to come will pay (income, regular guests), and hopes: a fossil counts with the chance
that the rest of it will be found and displayed in time, a worker with what an action usually
brings. While an action is under way, what it still allows is counted as nearly done, so that a
field is worth what can be done there now.
"""

import numpy as np

from ..bits import lowest
from ..jit import index, kernel
from .choices import _in_storage, _line_pays, _panel_tiles
from .museum import _count, _filled, _footprint, _has_room, _reserved, _wanted
from .pal import _gift_to_pal, _wanted_by_pal
from .parts import (
    AMBER_PRESTIGE,
    AMBER_SIZE,
    AT_OF_GOAL,
    BIT,
    COLUMNS,
    COMPLETION_GUESTS,
    DISCOUNT_OF_FIELD,
    DRAW_CAP,
    END_PANEL,
    END_PRESTIGE,
    ENTRANCE_COLUMN,
    FIRST_TILE_OF_SPECIES,
    INCOME_DOLLARS,
    INCOME_GUESTS,
    INCOME_STUDENTS,
    JOB_OF_GOAL,
    KINDS_OF_SPECIES,
    LINE_CELLS,
    MAJORITIES,
    METRIC_OF_END_GOAL,
    N_CELLS,
    N_GOALS,
    N_LINES,
    N_PANEL_TILES,
    N_PEDESTALS,
    N_SITES,
    N_SPECIES,
    N_TILES,
    N_TYPES,
    PEDESTAL,
    PEDESTAL_PRESTIGE,
    ROUNDS,
    ROW_OF_FIELD,
    SHOP_ROW,
    SIZE_OF_SPECIES,
    SIZE_OF_TILE,
    SLOTS,
    STAND_PRESTIGE,
    STAND_SIZE,
    STORAGE,
    STUDENTS_OF_STORED,
    TOUR_DOLLARS,
    TOUR_GUESTS,
    TYPE_OF_TILE,
    Job,
    Row,
)
from .people import _in_column, _museums
from .rounds import _goal_worth
from .scoring import _metric, _panel_pays
from .state import NONE, Phase

# What things are worth in prestige at the end, found by playing the greedy agent.
GUEST = 0.39  # at an opening (11.1)
INCOME_DOLLAR = 0.3  # in each income to come
DOLLAR = np.array([0.09, 0.12, 0.25, 0.31, 0.33])  # at hand, by rounds to come
STUDENT = 0.31
TOURS = 0.63  # times in a round that the best line of the museum pays again
# by rounds to come: chance that a missing tile comes in time, and that a stored one is displayed
FIND = np.array([0.38, 0.49, 0.52, 0.53, 0.46])
SHOW = np.array([0.56, 0.81, 0.85, 0.75, 0.77])
BEGIN = 0.66  # share of the hope for a fossil that is not begun
CROWD = 0.4  # share of all such hopes but the best
TILE = 0.47  # in the storage
OVERFULL = -0.29  # each tile that the storage has no field for
ROOM = 0.5  # for each round to come: there is room for one of the largest fossils
LINE = 0.63  # of a full row or column, for what goals and panels may bring
GIFT = 0.39  # share of the prestige for donating a stored tile
WORKER = 2.2  # that can still act in this round
EXTRA_WORKER = 0.71  # for each round to come
DUG = 0.48  # that a worker keeps at the next excavation
PICK = 0.13  # for each further tile that is drawn to choose from
NEXT_GOAL = 0.53  # share of what the next round's goal would bring now
# by Job: what each worker on the job goal may bring, for each round to come and this one
JOB = np.array([0.49, 0.68, 0.26, 0.35, 0.21, 0.47, 0.34, 0.33])
PROMISED = 0.61  # share of a job goal's worker that the action under way can reach
# of what an action still allows, the parts that the rest of the estimate does not see
DISPLAY_USE = 0.87  # a piece
PANEL_USE = 2.99  # a panel
BUY_USE = 0.62  # a wanted tile in the market
SELL_USE = 0.19
COPY_USE = 3.77  # an action that a joker copies
TOUR_USE = 0.26  # a guest or dollar
SEARCH_USE = 1.97  # a tile of one's choice
MAJORITY = 0.07  # chance more to have more of something, for each that one is ahead
SURE = 0.15  # less sure for each round to come


@kernel
def value(state, player):
    """Estimate the margin of prestige at the end over the mean of the others.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
    """
    n = _museums(state)
    mine = _estimate(state, player)
    others = 0.0
    for k in range(1, n):
        other = (player + k) % n
        others += _estimate(state, other)
        if not state.done:
            others -= _lead(state, player, other)
    return mine - others / (n - 1)


@kernel
def _left(state):
    """Return the rounds to come after this one."""
    return np.int64(ROUNDS) - max(np.int64(1), np.int64(state.round_number))


@kernel(apart=True)
def _estimate(state, seat):
    """Estimate a player's prestige at the end, without majorities."""
    me = index(seat)
    total = np.float64(state.score[me])
    if state.done:
        return total
    to_come = np.float64(_left(state))
    guests = np.float64(_panel_pays(state, seat, INCOME_GUESTS) + state.regular[me])
    dollars = np.float64(_panel_pays(state, seat, INCOME_DOLLARS))
    students = np.float64(_panel_pays(state, seat, INCOME_STUDENTS))
    students += STUDENTS_OF_STORED[index(min(np.int64(STORAGE), np.int64(state.stored[me])))]
    total += GUEST * (np.float64(state.guests[me]) + to_come * guests)
    total += (
        DOLLAR[_left(state)] * np.float64(state.dollars[me]) + INCOME_DOLLAR * to_come * dollars
    )
    total += STUDENT * (np.float64(state.students[me]) + 0.5 * min(to_come, 1.0) * students)
    total += _panel_pays(state, seat, END_PANEL)
    total += _estimate_workers(state, seat, to_come)
    total += _estimate_goals(state, seat, to_come)
    if state.active == seat and state.to_play == seat:
        total += _estimate_action(state, seat)
    if state.side[me] != NONE:
        total += _estimate_museum(state, seat, to_come)
    return total + _estimate_storage(state, seat)


# --- museum and storage ---------------------------------------------------------------------------


@kernel
def _show(state, seat):
    """Return the chance that a tile of the storage is displayed in time."""
    show = SHOW[_left(state)]
    stored = np.float64(state.stored[index(seat)])
    if state.active == seat and state.to_play == seat and stored > 0.0:
        if state.phase >= Phase.DISPLAY.value and state.phase <= Phase.POSE.value:
            show += (1.0 - show) * min(1.0, state.left / stored)
    return show


@kernel
def _hope(worth, stored, show, missing, find):
    """Return what a fossil is worth that lacks tiles, some of which are stored."""
    for _ in range(stored):
        worth *= show
    for _ in range(missing):
        worth *= find
    return worth


@kernel(apart=True)
def _estimate_museum(state, seat, to_come):
    """Estimate what pieces will bring: lines, fossils (14.5, 14.6), and room for more."""
    me = index(seat)
    side = index(state.side[me])
    show, find = _show(state, seat), FIND[_left(state)]
    total = np.float64(AMBER_PRESTIGE * np.int64(state.amber[me]))
    total += np.float64(STAND_PRESTIGE * np.int64(state.stands[me]))
    per_guest, per_dollar = GUEST * to_come, INCOME_DOLLAR * to_come
    for cell in range(N_CELLS):
        if state.tile[me, cell] == NONE:
            continue
        kind = index(TYPE_OF_TILE[index(state.tile[me, cell])])
        sure = 1.0 if state.displayed[me, cell] else find
        if cell // COLUMNS == SHOP_ROW[side, kind]:
            total += per_dollar * sure
        if cell % COLUMNS == ENTRANCE_COLUMN[side, kind]:
            total += per_guest * sure
        if state.piece[me, cell] == 1:
            total += _estimate_fossil(state, seat, np.int64(cell), show, find)
    best = 0.0
    for line in range(N_LINES):
        best = max(best, np.float64(_line_pays(state, seat, np.int64(line))))
    total += GUEST * TOURS * best * to_come
    if _has_room(np.int64(state.empty[me]), np.int64(STAND_SIZE)):
        total += ROOM * to_come
    filled = _filled(state, seat)
    for line in range(len(LINE_CELLS)):
        share = np.float64(_count(filled & LINE_CELLS[line])) / COLUMNS
        total += LINE * share * share
    return total


@kernel
def _worth(size):
    """Return what completing a fossil of a size brings."""
    worth = END_PRESTIGE[size] + GUEST * (COMPLETION_GUESTS[size] + 1)
    if size == AMBER_SIZE:
        worth += AMBER_PRESTIGE
    return worth + STAND_PRESTIGE if size == STAND_SIZE else worth


@kernel
def _estimate_fossil(state, seat, cell, show, find):
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
    stored, missing = np.int64(0), np.int64(0)
    seen = np.int64(0)
    while rest != 0:
        t = index(state.tile[me, index(lowest(rest))])
        need = 2 if seen & BIT[t] else 1
        if state.storage[me, t] >= need:
            stored += 1
        else:
            missing += 1
        seen |= BIT[t]
        rest &= rest - 1
    return _hope(_worth(size) + pedestal, stored, show, missing, find)


@kernel(apart=True)
def _estimate_storage(state, seat):
    """Estimate what the tiles in the storage are good for."""
    me = index(seat)
    show, find = _show(state, seat), FIND[_left(state)]
    wanted = _wanted(state, seat)
    empty = np.int64(state.empty[me])
    total = TILE * np.float64(state.stored[me])
    over = np.int64(state.stored[me]) - STORAGE
    if over > 0:
        total += (OVERFULL - TILE) * over
    best, hopes = 0.0, 0.0
    for s in range(N_SPECIES):
        size = SIZE_OF_SPECIES[s]
        if size == 1:
            continue
        first = FIRST_TILE_OF_SPECIES[s]
        have = np.int64(0)
        for t in range(first, first + KINDS_OF_SPECIES[s]):
            have += min(np.int64(2), np.int64(state.storage[me, index(t)]))
            if wanted & BIT[t]:
                have = np.int64(-8)
        if have > 0 and _has_room(empty, size):
            hope = _hope(_worth(index(size)), have, show, size - have, find)
            best = max(best, hope)
            hopes += hope
    total += BEGIN * (best + CROWD * (hopes - best))
    gifts = _wanted_by_pal(state) & _in_storage(state, seat)
    while gifts != 0:
        total += GIFT * _gift_to_pal(state, np.int64(lowest(gifts)))
        gifts &= gifts - 1
    return total


# --- workers and goals ----------------------------------------------------------------------------


@kernel
def _estimate_workers(state, seat, to_come):
    """Estimate what workers will do in this round, dig at its end, and do later."""
    me = index(seat)
    n = np.float64(state.workers[me])
    total = WORKER * n
    for column in range(N_SITES):
        placed = np.int64(state.placed[me, column])
        permanent = np.int64(state.permanent[me, column])
        own = placed + permanent
        n += np.float64(own)
        if to_come > 0:
            if own > 0:
                drawn = min(np.int64(DRAW_CAP), _in_column(state, np.int64(column)))
                total += DUG * own + PICK * max(np.int64(0), drawn - own)
        else:
            total += WORKER * np.float64(permanent - np.int64(state.spent[me, column]))
    return total + EXTRA_WORKER * n * to_come


@kernel
def _estimate_goals(state, seat, to_come):
    """Estimate the regular guests from the goals of this round and of the next (11.2)."""
    total = 0.0
    now = np.int64(max(np.int64(1), np.int64(state.round_number))) - 1
    share = 1.0
    for r in range(now, min(now + 2, np.int64(ROUNDS))):
        goal = np.int64(state.round_goal[index(r)])
        if goal != NONE:
            total += share * GUEST * _goal_worth(state, seat, goal) * max(0.0, to_come + now - r)
        share = NEXT_GOAL
    for g in range(N_GOALS):
        waiting = np.float64(state.on_goal[index(seat), g])
        total += waiting * (1.0 + to_come) * JOB[JOB_OF_GOAL[index(state.job_goal[g])]]
    return total


@kernel
def _promise(state, seat, job, amount):
    """Return what a job goal will pay if the action under way brings so much."""
    me = index(seat)
    for g in range(N_GOALS):
        goal = index(state.job_goal[g])
        if JOB_OF_GOAL[goal] == job and amount >= AT_OF_GOAL[goal] and state.on_goal[me, g] > 0:
            if (np.int64(state.paid[me]) >> g) & 1 == 0:
                return PROMISED * (WORKER + EXTRA_WORKER * np.float64(_left(state)))
    return 0.0


# --- the action under way -------------------------------------------------------------------------


@kernel(apart=True)
def _estimate_action(state, seat):
    """Estimate what is still to come of the action under way, fossils apart."""
    me = index(seat)
    if state.n_drawn > 0:
        keep = np.float64(state.keep)
        total = DUG * keep + PICK * (np.float64(state.n_drawn) - keep)
        if state.field == NONE:
            return total
    else:
        total = 0.0
    if state.field == NONE:
        return total
    if state.held != NONE:
        total += TILE + DISPLAY_USE
    if state.building != NONE:
        total += PANEL_USE
    row = ROW_OF_FIELD[index(state.field)]
    if row == Row.JOKER.value:
        total += COPY_USE
    elif row == Row.DISPLAY.value:
        total += _display_use(state, seat)
    elif row == Row.BUILD.value:
        total += _build_use(state, seat)
    elif row == Row.TRADE.value:
        total += _trade_use(state, seat)
    elif row == Row.TOUR.value:
        total += _tour_use(state, seat)
    elif row == Row.MANAGE.value:
        total += GUEST
    elif row == Row.STRIP.value:
        total += SEARCH_USE
    return total


@kernel
def _display_use(state, seat):
    """Estimate what pieces bring beside their share in fossils."""
    n = min(np.int64(state.left), np.int64(state.stored[index(seat)]))
    amount = np.int64(state.pieces) + n
    return DISPLAY_USE * n + _promise(state, seat, Job.DISPLAYED.value, amount)


@kernel
def _build_use(state, seat):
    """Estimate what the panels and donations bring that are left."""
    me = index(seat)
    if state.phase == Phase.SEARCH.value or state.phase == Phase.SITE.value:
        return SEARCH_USE
    left = np.int64(state.left)
    price = 2 - DISCOUNT_OF_FIELD[index(state.field)]
    panels = min(
        np.int64(state.dollars[me]) // price, N_PANEL_TILES - _count(_panel_tiles(state, seat))
    )
    use = PANEL_USE * min(left, panels)
    gifts = _wanted_by_pal(state) & _in_storage(state, seat)
    best = 0.0
    while gifts != 0 and left > 0:
        best = max(best, np.float64(_gift_to_pal(state, np.int64(lowest(gifts)))))
        gifts &= gifts - 1
    use = max(use, (1.0 - GIFT) * best + use * 0.5 if left > 1 else (1.0 - GIFT) * best)
    return use + _promise(state, seat, Job.DONATION.value, np.int64(best))


@kernel
def _trade_use(state, seat):
    """Estimate what can be bought that the museum waits for, and sold."""
    me = index(seat)
    wanted = _wanted(state, seat) | _wanted_by_pal(state)
    seen = np.int64(0)
    room = STORAGE - np.int64(state.stored[me])
    if state.buys > 0 and room > 0:
        for kind in range(N_TYPES):
            if state.price[kind] <= state.dollars[me]:
                for slot in range(SLOTS):
                    t = np.int64(state.market[kind, slot])
                    if t == NONE:
                        break
                    if wanted & BIT[index(t)] and state.storage[me, index(t)] == 0:
                        seen |= BIT[index(t)]
    n = min(min(np.int64(state.buys), room), _count(seen))
    n = min(n, np.int64(state.dollars[me]) // 2)
    sold = min(np.int64(state.sells), np.int64(state.stored[me]))
    return max(BUY_USE * n, SELL_USE * sold)


@kernel
def _tour_use(state, seat):
    """Estimate what the lines bring that are left, and the panels."""
    me = index(seat)
    first, second = np.int64(0), np.int64(0)
    guests, dollars = np.int64(state.tour_guests), np.int64(state.tour_dollars)
    for line in range(np.int64(state.line) + 1, N_LINES):
        n = _line_pays(state, seat, np.int64(line))
        if n > first:
            first, second = n, first
        else:
            second = max(second, n)
    n = first if state.left == 1 else first + second
    n = np.int64(0) if state.left == 0 else n
    use = TOUR_USE * n
    for cell in range(N_CELLS):
        panel = state.panel[me, cell]
        if panel != NONE:
            use += (
                GUEST * TOUR_GUESTS[index(panel)]
                + DOLLAR[_left(state)] * TOUR_DOLLARS[index(panel)]
            )
    use += _promise(state, seat, Job.TOUR_GUESTS.value, guests + n)
    return use + _promise(state, seat, Job.TOUR_DOLLARS.value, dollars + n)


# --- majorities -----------------------------------------------------------------------------------


@kernel
def _guests_at_end(state, seat):
    """Estimate the guests at the last income (13.6)."""
    n = np.int64(state.regular[index(seat)]) + _panel_pays(state, seat, INCOME_GUESTS)
    if state.side[index(seat)] != NONE:
        for line in range(N_TYPES, N_LINES):
            n += _line_pays(state, seat, np.int64(line))
    return np.float64(n)


@kernel
def _dollars_at_end(state, seat):
    """Estimate the dollars after the last income (13.6)."""
    n = _panel_pays(state, seat, INCOME_DOLLARS)
    if state.side[index(seat)] != NONE:
        for line in range(N_TYPES):
            n += _line_pays(state, seat, np.int64(line))
    return np.float64(n) + np.float64(state.dollars[index(seat)])


@kernel
def _ahead(by, to_come):
    """Return the share of a majority, from -1 to 1, for being ahead by so much."""
    return max(-1.0, min(1.0, MAJORITY * 2.0 * by)) * max(0.2, 1.0 - SURE * to_come)


@kernel(apart=True)
def _lead(state, player, other):
    """Estimate what the majorities bring against another player (14.1)."""
    to_come = np.float64(_left(state))
    gap = 0.5 * (MAJORITIES[0] - MAJORITIES[1])
    total = _ahead(_guests_at_end(state, player) - _guests_at_end(state, other), to_come)
    total += _ahead(_dollars_at_end(state, player) - _dollars_at_end(state, other), to_come)
    if state.end_goal != NONE:
        goal = METRIC_OF_END_GOAL[index(state.end_goal)]
        total += _ahead(2.0 * (_metric(state, player, goal) - _metric(state, other, goal)), to_come)
    return gap * total


@kernel
def _lead_over_pal(state):
    """Estimate what the majorities against Pal will bring (solo 6.1)."""
    if state.done:
        return 0.0
    zero = np.int64(0)
    to_come = np.float64(_left(state))
    grows = 1.0 - 0.15 * to_come  # what Pal has by now of what she will have
    guests = _guests_at_end(state, zero) - np.float64(state.guests[1]) / grows
    dollars = _dollars_at_end(state, zero) - np.float64(state.dollars[1]) / grows
    return 0.5 * MAJORITIES[0] * (_ahead(guests, to_come) + _ahead(dollars, to_come))
