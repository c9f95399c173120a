"""Fossilium: what a position is worth, for players that look ahead a little.

The estimate of a player's prestige at the end adds up what is sure, what the rounds to come will
pay, and hopes: a fossil counts with the chance that each tile it lacks is found and displayed in
time, a panel with what it will pay, a worker with what an action usually brings. While an action is
under way, what it still allows counts as nearly done, so that a field is worth what can be done
there now.
"""

import numpy as np

from ..bits import lowest
from ..jit import index, kernel
from .choices import _line_pays, _panel_tiles
from .museum import _cells_wanting, _count, _filled, _footprint, _has_room, _wanted
from .pal import gift_to_pal
from .parts import (
    AMBER_PRESTIGE,
    AMBER_SIZE,
    AT_OF_GOAL,
    BIT,
    BUILT_REGULAR,
    BUILT_SEARCH,
    COLUMN_CELLS,
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
    NEIGHBOURS,
    PEDESTAL,
    PEDESTAL_PRESTIGE,
    ROUNDS,
    ROW_CELLS,
    ROW_OF_FIELD,
    SHOP_ROW,
    SIZE_OF_SPECIES,
    SIZE_OF_TILE,
    SLOTS,
    STAND_PRESTIGE,
    STAND_SIZE,
    STOCK_OF,
    STORAGE,
    STUDENTS_OF_STORED,
    TOUR_DOLLARS,
    TOUR_GUESTS,
    TYPE_OF_TILE,
    Job,
    Per,
    Row,
)
from .people import _in_column, _museums
from .rounds import _goal_worth
from .scoring import _complete_beside, _metric, _panel_pays
from .state import NONE, Phase

# What things are worth in prestige at the end, found by playing the greedy agent. Where there are
# five numbers, they are by rounds to come, from the last round on.
GUEST = 0.52  # at an opening (11.1)
INCOME_DOLLAR = 0.33  # in each income to come
DOLLAR = np.array([0.1, 0.09, 0.26, 0.21, 0.37])  # at hand
STUDENT = 0.5
TOURS = 0.58  # times in a round that the best line of the museum pays again
RARE = np.array([6.74, 4.83, 4.29, 3.31, 4.33])  # tiles of a type in reach that make an even chance
SHOW = np.array([0.91, 0.83, 0.84, 0.82, 0.39])  # chance that a tile of the storage is displayed
BUYING = 0.62  # chance that a tile in the market is bought and displayed, while buying
BEGIN = 0.66  # share of the hope for a fossil that is not begun
CROWD = 0.4  # share of all such hopes but the best
TILE = 0.38  # in the storage
OVERFULL = -0.36  # each tile that the storage has no field for
ROOM = 0.64  # for each round to come: there is room for one of the largest fossils
LINE = 0.25  # of a full row or column, for what goals may bring
GIFT = 0.35  # share of the prestige for donating a stored tile
NEAR = 0.24  # complete fossils beside a panel to come, for each field without one
WORKER = 1.71  # that can still act in this round
EXTRA_WORKER = 0.56  # for each round to come
DUG = 0.51  # that a worker keeps at the next excavation
PICK = 0.13  # for each further tile that is drawn to choose from
NEXT_GOAL = 0.58  # share of what the next round's goal would bring now
# by Job: what each worker on the job goal may bring, for each round to come and this one
JOB = np.array([0.56, 0.66, 0.24, 0.34, 0.26, 0.57, 0.26, 0.23])
PROMISED = 0.39  # share of a job goal's worker that the action under way can reach
# of what an action still allows, the parts that the rest of the estimate does not see
DISPLAY_USE = 0.8  # a piece
PANEL_USE = 2.37  # a panel
SELL_USE = 0.17
COPY_USE = 0.4  # an action that a joker copies, beside its use
TOUR_USE = 0.26  # a guest or dollar
SEARCH_USE = 1.51  # a tile of one's choice
MAJORITY = 0.14  # share of a majority for each guest or dollar that one is ahead
SURE = 0.16  # less sure for each round to come


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


@kernel
def _still(state, seat):
    """Return the share of the usual chances that is left: less when the last workers act."""
    if state.round_number < ROUNDS:
        return 1.0
    me = index(seat)
    n = np.float64(state.workers[me])
    for column in range(N_SITES):
        n += np.float64(state.permanent[me, column] - state.spent[me, column])
    return min(1.0, 0.4 * n)


@kernel(apart=True)
def _estimate(state, seat):
    """Estimate a player's prestige at the end, without majorities."""
    me = index(seat)
    total = np.float64(state.score[me])
    if state.done:
        return total
    left = _left(state)
    to_come = np.float64(left)
    total += GUEST * (np.float64(state.guests[me]) + to_come * np.float64(state.regular[me]))
    total += DOLLAR[left] * np.float64(state.dollars[me])
    students = np.float64(state.students[me])
    if left > 0:
        students += 0.5 * STUDENTS_OF_STORED[index(state.stored[me])]
    total += STUDENT * students * _still(state, seat)
    total += _estimate_workers(state, seat, to_come)
    total += _estimate_goals(state, seat, to_come)
    if state.side[me] != NONE:
        total += _estimate_lines(state, seat, to_come)
        total += _estimate_panels(state, seat, to_come)
    total += _estimate_tiles(state, seat)
    if state.active == seat and state.to_play == seat:
        total += _estimate_action(state, seat)
    return total


# --- museum ---------------------------------------------------------------------------------------


@kernel
def _estimate_lines(state, seat, to_come):
    """Estimate what shops and entrances will pay, in income and in tours (3.1, 10.1)."""
    me = index(seat)
    side = index(state.side[me])
    total = 0.0
    for cell in range(N_CELLS):
        if state.tile[me, cell] == NONE:
            continue
        kind = index(TYPE_OF_TILE[index(state.tile[me, cell])])
        sure = 1.0 if state.displayed[me, cell] else 0.5
        if cell // COLUMNS == SHOP_ROW[side, kind]:
            total += INCOME_DOLLAR * sure
        if cell % COLUMNS == ENTRANCE_COLUMN[side, kind]:
            total += GUEST * sure
    best = 0.0
    for line in range(N_LINES):
        best = max(best, np.float64(_line_pays(state, seat, np.int64(line))))
    total += GUEST * TOURS * best
    if _has_room(np.int64(state.empty[me]), np.int64(STAND_SIZE)):
        total += ROOM
    return total * to_come


@kernel
def _full(filled, lines):
    """Return the hope for full lines."""
    hope = 0.0
    for line in range(COLUMNS):
        share = np.float64(_count(filled & lines[line])) / COLUMNS
        hope += share * share * share
    return hope


@kernel(apart=True)
def _estimate_panels(state, seat, to_come):
    """Estimate what panels will pay, one that is being built included, and full lines."""
    me = index(seat)
    filled = _filled(state, seat)
    rows, columns = _full(filled, ROW_CELLS), _full(filled, COLUMN_CELLS)
    total = LINE * (rows + columns)
    best = 0.0
    building = state.building if state.to_play == seat else NONE
    for cell in range(N_CELLS):
        panel = np.int64(state.panel[me, cell])
        empty = np.int64(state.empty[me]) & BIT[cell] != 0
        if panel == NONE and (building == NONE or not empty):
            continue
        around = NEIGHBOURS[cell]
        beside = np.float64(_complete_beside(state, seat, np.int64(cell)))
        rest = around & ~filled
        beside += NEAR * _count(rest)
        if panel != NONE:
            total += _panel_worth(panel, beside, rows, columns, to_come)
        else:
            worth = _panel_worth(np.int64(building), beside, rows, columns, to_come)
            best = max(best, worth + GUEST * BUILT_REGULAR[index(building)] * (1.0 + to_come))
    if building != NONE and BUILT_SEARCH[index(building)]:
        best += SEARCH_USE
    return total + best


@kernel
def _panel_worth(panel, beside, rows, columns, to_come):
    """Return what a panel will pay (7.2) with so many complete fossils beside it."""
    p = index(panel)
    once, adjacent = index(Per.ONCE.value), index(Per.ADJACENT.value)
    guests = INCOME_GUESTS[p, once] + beside * INCOME_GUESTS[p, adjacent]
    dollars = INCOME_DOLLARS[p, once] + beside * INCOME_DOLLARS[p, adjacent]
    guests += TOURS * TOUR_GUESTS[p]
    dollars += TOURS * TOUR_DOLLARS[p]
    worth = GUEST * guests + INCOME_DOLLAR * dollars + STUDENT * INCOME_STUDENTS[p, once]
    worth = worth * to_come + END_PANEL[p, once] + beside * END_PANEL[p, adjacent]
    worth += columns * END_PANEL[p, index(Per.COLUMN.value)]
    return worth + rows * END_PANEL[p, index(Per.ROW.value)]


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
            uses = 5.0
        elif state.phase >= Phase.DISPLAY.value and state.phase <= Phase.POSE.value:
            uses = np.float64(state.left)
            if state.held != NONE:
                uses -= 1.0
        show += (1.0 - show) * min(1.0, uses / stored)
    return show


@kernel
def _find(state, seat, t):
    """Return the chance that a tile of a type is found and displayed in time."""
    n = np.int64(0)
    for site in range(N_SITES):
        stock = STOCK_OF[site, index(t)]
        if stock >= 0:
            n += np.int64(state.bag[index(stock)])
    kind = index(TYPE_OF_TILE[index(t)])
    sold = np.int64(state.archive[index(t)])
    for slot in range(SLOTS):
        if state.market[kind, slot] == t:
            sold += 1
    n += 2 * sold
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
    total += TILE * np.float64(state.stored[me]) * _still(state, seat)
    over = np.int64(state.stored[me]) - STORAGE
    if over > 0:
        total += (OVERFULL - TILE) * over
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
    most = gift_to_pal(state, t)
    for other in range(_museums(state)):
        if other != seat:
            cells = _cells_wanting(state, np.int64(other), t)
            while cells != 0:
                fossil = _footprint(state, np.int64(other), np.int64(lowest(cells)))
                most = max(most, _count(fossil & np.int64(state.shown[other])) + 1)
                cells &= cells - 1
    return most


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
    total = 0.0
    if state.n_drawn > 0:
        keep = np.float64(state.keep)
        total += DUG * keep + PICK * (np.float64(state.n_drawn) - keep)
    if state.field == NONE:
        return total
    left = np.int64(state.left)
    row = ROW_OF_FIELD[index(state.field)]
    if row == Row.JOKER.value:
        uses = max(_display_use(state, seat, np.int64(5)), _build_use(state, seat, np.int64(2)))
        total += COPY_USE + max(uses, _tour_use(state, seat, np.int64(2)))
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
    if state.held != NONE:
        n = max(n, np.int64(1))
    amount = np.int64(state.pieces) + n
    return DISPLAY_USE * n + _promise(state, seat, Job.DISPLAYED.value, amount)


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
    use = _promise(state, seat, Job.DONATION.value, np.int64(best / (1.0 - GIFT) + 0.5))
    price = 2 - DISCOUNT_OF_FIELD[index(state.field)]
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
    guests, dollars = np.int64(state.tour_guests), np.int64(state.tour_dollars)
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
    return max(-1.0, min(1.0, MAJORITY * by)) * max(0.2, 1.0 - SURE * to_come)


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
