"""Fossilium: a decision and all that follows from it."""

import numpy as np

from ..jit import index, kernel
from ..records import clear
from .actions import (
    ARCHIVE,
    CELL,
    COLUMN,
    DIG,
    FACE,
    FIELD,
    GAIN,
    GOAL,
    LINE,
    OWNER,
    PANEL,
    POSE,
    SIDE,
    SLOT,
    STOP,
    TILE,
    _number_of_choices,
    _only_choice,
)
from .choices import _line_pays, _list
from .market import (
    _buy_from_archive,
    _buy_from_row,
    _put_into_market,
    _return_to_bag,
    _sell,
    _store,
    _store_or_give_up,
    _take_from_bag,
    _unstore,
)
from .museum import _begin_fossil, _build, _count, _footprint, _show
from .pal import _act_for_pal, _apply_for_pal, _chosen_by_cards, _skip_for_pal
from .parts import (
    BIT,
    BONUS_DOLLARS,
    BONUS_DRAWS,
    BONUS_GUESTS,
    BONUS_SITE,
    BONUS_STUDENTS,
    BOTH_OF_FIELD,
    BUILT_REGULAR,
    BUILT_SEARCH,
    BUYS_OF_FIELD,
    COST_OF_FIELD,
    DISCOUNT_OF_FIELD,
    ENTRANCE_GUESTS,
    JOKER,
    JOKER_COST,
    KIND_OF_FIELD,
    MANAGE_DOLLARS,
    MANAGE_GUESTS,
    MANAGE_STUDENTS,
    MAX_STUDENTS,
    N_CELLS,
    N_FIELDS,
    N_GOALS,
    N_TURNS,
    N_TYPES,
    PANEL_COST,
    REGULAR_LIMIT,
    ROW_OF_FIELD,
    SELLS_OF_FIELD,
    SHOP_DOLLARS,
    SIZE_OF_TILE,
    SLOTS,
    SOLO,
    SPECIAL_CELL,
    SPLIT,
    START_TILE,
    STORAGE,
    TOUR_DOLLARS,
    TOUR_GUESTS,
    TYPE_OF_TILE,
    USES_OF_FIELD,
    WORKERS_OF_FIELD,
    Job,
    Kind,
    Row,
)
from .people import (
    _fulfil,
    _in_column,
    _museums,
    _place,
    _receive_guests,
    _receive_students,
    _score,
)
from .rounds import (
    _draw_to_keep,
    _excavate,
    _look_for_assignments,
    _look_for_discards,
    _run_stage,
)
from .setup import (
    _begin,
    _clear_action,
    _clear_drawn,
    _draw_hand,
    _draw_start,
    _end_set_up_of,
    _use_columns,
)
from .state import NONE, Phase, Reason, Stage

WAITS = -1  # nothing follows by itself
BY_RULE = -2  # something did, without a choice


@kernel
def reset(state, options, seed):
    """Set up a game up to its first decision.

    Rules 2.1 to 2.7.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws as paragraph 17.1 says: from GOALS, and from the bags where all columns are used.
    """
    clear(state)
    state.seed = seed
    state.num_players = options.num_players
    state.first_game = options.first_game
    _begin(state)
    _settle(state)


@kernel
def step(state, action):
    """Apply a legal action, then everything that is forced, up to the next decision or the end.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.

    Notes
    -----
    Draws from the bags for whatever is drawn, and from STARTS for a starting fossil (17.1).
    """
    state.gain[:] = 0
    state.ply += 1
    apply_choice(state, action)
    _settle(state)


@kernel(apart=True)
def _settle(state):
    """Go on until the end, or until somebody has to decide, whose choices are in the record."""
    while go_on(state) != WAITS:
        pass


@kernel(apart=True)
def go_on(state):
    """Do the next thing that follows by itself: a stage of the rules, or a choice without another.

    Parameters
    ----------
    state : STATE record, in and out

    Returns
    -------
    int
        The action that was applied, BY_RULE where there was none, WAITS if nothing follows.
    """
    if state.done:
        state.choices[:] = 0
        return np.int64(WAITS)
    if state.phase >= Stage.ROUND.value:
        if state.phase == Stage.EFFECT.value:
            _begin_effect(state)
        elif state.phase == Stage.DONE.value:
            _end_action(state)
        elif state.phase == Stage.PAL.value:
            _act_for_pal(state)
        else:
            _run_stage(state)
        return np.int64(BY_RULE)
    _list(state)
    n = _number_of_choices(state)
    if n == 0:
        _skip(state)
        return np.int64(BY_RULE)
    action = _chosen_by_cards(state) if n > 1 else np.int64(_only_choice(state))
    if action == NONE:
        return np.int64(WAITS)
    apply_choice(state, action)
    return action


@kernel
def _skip(state):
    """Go on where nothing can be chosen: a search that finds nothing (7.6), and Pal (solo 4)."""
    if state.phase == Phase.SEARCH.value:
        state.phase = Phase.BUILD.value
    else:
        _skip_for_pal(state)


@kernel(apart=True)
def apply_choice(state, action):
    """Apply one choice and nothing that is forced after it.

    Parameters
    ----------
    state : STATE record, in and out
    action : int
    """
    phase = np.int64(state.phase)
    me = np.int64(state.to_play)
    if phase < Phase.KEEP.value:
        _apply_set_up(state, me, action)
    elif phase == Phase.KEEP.value:
        _keep(state, me, action - TILE)
    elif phase == Phase.TURN.value:
        if action >= DIG:
            _dig(state, me, action - DIG)
        else:
            _take_field(state, me, action - FIELD)
    elif phase == Phase.COPY.value:
        state.field = (action - FIELD) % N_FIELDS
        _pay_field(state, me)
    elif phase <= Phase.POSE.value:
        _apply_display(state, me, action)
    elif phase <= Phase.TARGET.value:
        _apply_build(state, me, action)
    elif phase <= Phase.TOUR.value:
        _apply_trade(state, me, action)
    elif phase == Phase.MANAGE.value:
        gain = index(action - GAIN)
        state.dollars[index(me)] += MANAGE_DOLLARS[gain]
        _receive_students(state, me, MANAGE_STUDENTS[gain])
        _receive_guests(state, me, MANAGE_GUESTS[gain])
        state.phase = Stage.DONE.value
    elif phase <= Phase.SITE.value:
        _apply_search(state, me, action)
    elif phase == Phase.AFTER.value:
        if action == STOP:
            state.phase = Stage.TURN.value
        else:
            _dig(state, me, action - DIG)
    elif phase == Phase.DISCARD.value:
        _discard(state, me, action - TILE)
    elif phase == Phase.ASSIGN.value:
        _assign(state, me, action - COLUMN)
    else:
        _apply_for_pal(state, action)


@kernel
def _order(state, seat):
    """Return a seat's place in turn order from the holder of the ammonite on."""
    n = _museums(state)
    return (seat - np.int64(state.first) + n) % n


# --- set-up and keeping tiles (1.11, 2) ---------------------------------------------------------


@kernel
def _apply_set_up(state, me, action):
    """Apply a choice of set-up (2.5, 2.8)."""
    seat = index(me)
    if state.phase == Phase.UNUSED.value:
        state.unused = action - COLUMN
        _use_columns(state)
    elif state.phase == Phase.SIDE.value:
        state.side[seat] = action - SIDE
        state.phase = Phase.SPLIT.value
    elif state.phase == Phase.SPLIT.value:
        k = 1
        for g in range(N_GOALS):
            if g == action - GOAL:
                state.on_goal[seat, g] = SPLIT[0]
            else:
                state.on_goal[seat, g] = SPLIT[k]
                k += 1
        _draw_start(state, me)
    else:
        t = START_TILE[index(state.start[seat]), index(action - FACE)]
        cell = index(SPECIAL_CELL[index(state.side[seat]), index(TYPE_OF_TILE[index(t)])])
        state.tile[seat, cell] = t
        state.piece[seat, cell] = 1
        state.displayed[seat, cell] = 1
        state.shown[seat] |= BIT[cell]
        state.empty[seat] &= ~BIT[cell]
        _draw_hand(state)


@kernel(apart=True)
def _keep(state, me, t):
    """Keep one of the tiles that were drawn, and after the last one put the others back (1.11)."""
    place = 0
    while state.drawn[place] != t:
        place += 1
    n = np.int64(state.n_drawn) - 1
    for i in range(place, n):
        state.drawn[i] = state.drawn[i + 1]
    state.drawn[index(n)] = NONE
    state.n_drawn = n
    state.keep -= 1
    state.last = t
    if state.reason == Reason.BONUS.value or state.reason == Reason.DIG.value:
        _store_or_give_up(state, me, t)
    else:
        _store(state, me, t)
    if state.keep == 0:
        _end_keeping(state, me)


@kernel
def _end_keeping(state, me):
    """Put back what was not kept, and go on with what the tiles were drawn for."""
    reason = np.int64(state.reason)
    site = np.int64(state.site)
    for i in range(np.int64(state.n_drawn)):
        if reason == Reason.HAND.value:
            _put_into_market(state, np.int64(state.drawn[i]))
        else:
            _return_to_bag(state, site, np.int64(state.drawn[i]))
    _clear_drawn(state)
    if reason == Reason.HAND.value:
        _end_set_up_of(state, me)
    elif reason == Reason.BONUS.value:
        state.phase = Stage.EFFECT.value
    elif reason == Reason.DIG.value:
        state.phase = Stage.TURN.value if state.acted else Phase.TURN.value
    else:
        _excavate(state, site, _order(state, me) + 1)


@kernel
def _dig(state, me, number):
    """Pay students and draw tiles to keep one of (4.5)."""
    n = number % MAX_STUDENTS + 1
    state.students[index(me)] -= n
    state.dug = 1
    _draw_to_keep(state, number // MAX_STUDENTS, n, np.int64(1), np.int64(Reason.DIG.value))


@kernel
def _discard(state, me, t):
    """Put a tile into the market that the storage has no field for (12.2)."""
    _unstore(state, me, t)
    _put_into_market(state, t)
    if state.stored[index(me)] <= STORAGE:
        _look_for_discards(state, _order(state, me) + 1)


@kernel
def _assign(state, me, column):
    """Make a worker permanent in a column (12.3)."""
    state.workers[index(me)] -= 1
    state.permanent[index(me), index(column)] += 1
    state.last = column
    if state.workers[index(me)] == REGULAR_LIMIT:
        state.last = NONE
        _look_for_assignments(state, _order(state, me) + 1)


# --- fields (4) ---------------------------------------------------------------------------------


@kernel
def _take_field(state, me, number):
    """Place workers on a field and pay for it (4.2, 4.3, 4.8)."""
    column, field = number // N_FIELDS, number % N_FIELDS
    state.column = column
    state.field = field
    _place(state, me, column, WORKERS_OF_FIELD[index(field)])
    state.taken[index(column)] |= BIT[index(field)]
    if field == JOKER:
        state.dollars[index(me)] -= max(np.int64(0), JOKER_COST - _in_column(state, column))
        _fulfil(state, me, np.int64(Job.JOKER.value), np.int64(1))
        state.phase = Phase.COPY.value
    else:
        _pay_field(state, me)


@kernel
def _pay_field(state, me):
    """Pay a field and receive the gain of a bonus field (4.3, 4.4)."""
    field, column = index(state.field), index(state.column)
    state.dollars[index(me)] -= COST_OF_FIELD[field]
    state.phase = Stage.EFFECT.value
    if KIND_OF_FIELD[field] != Kind.BONUS.value:
        return
    state.dollars[index(me)] += BONUS_DOLLARS[column]
    _receive_students(state, me, BONUS_STUDENTS[column])
    _receive_guests(state, me, BONUS_GUESTS[column])
    if ROW_OF_FIELD[field] == Row.TOUR.value:
        state.tour_dollars = BONUS_DOLLARS[column]  # 10.7
        state.tour_guests = BONUS_GUESTS[column]
    site = BONUS_SITE[column]
    n = min(BONUS_DRAWS[column], np.int64(state.in_bag[index(site)]))
    if n > 0:
        _draw_to_keep(state, site, n, np.int64(1), np.int64(Reason.BONUS.value))


@kernel
def _begin_effect(state):
    """Begin the action of a field (4.3)."""
    field = index(state.field)
    state.left = USES_OF_FIELD[field]
    state.buys = BUYS_OF_FIELD[field]
    state.sells = SELLS_OF_FIELD[field]
    state.phase = PHASE_OF_ROW[index(ROW_OF_FIELD[field])]


@kernel
def _end_action(state):
    """End the action under way; the player may still dig (4.5, 10.3, 10.7)."""
    me = np.int64(state.to_play)
    if ROW_OF_FIELD[index(state.field)] == Row.TOUR.value:
        _end_tour(state, me)
    _clear_action(state)
    state.acted = 1
    state.phase = Phase.AFTER.value


# --- displaying (5) -----------------------------------------------------------------------------


@kernel
def _apply_display(state, me, action):
    """Apply a choice of a tile, of a cell or of a pose (5.5); a panel's cell too (7.2)."""
    phase = np.int64(state.phase)
    if phase == Phase.DISPLAY.value:
        if action == STOP:
            state.phase = Stage.DONE.value
        else:
            state.held = action - TILE
            _unstore(state, me, action - TILE)
            state.phase = Phase.CELL.value
    elif phase == Phase.POSE.value:
        pose = action - POSE
        cell = np.int64(state.spot)
        state.spot = NONE
        t = np.int64(state.held)
        _begin_fossil(state, me, t, cell, pose // N_TURNS, pose % N_TURNS)
        _end_piece(state, me)
    elif state.building != NONE:
        _lay_panel(state, me, action - CELL)
    else:
        _lay_tile(state, me, action - CELL)


@kernel
def _lay_tile(state, me, cell):
    """Lay the tile chosen on a cell, or ask how a new fossil lies (5.5)."""
    t = np.int64(state.held)
    if state.tile[index(me), index(cell)] == t:
        _show(state, me, cell)
        _end_piece(state, me)
    elif SIZE_OF_TILE[index(t)] == 1:
        _begin_fossil(state, me, t, cell, np.int64(0), np.int64(0))
        _end_piece(state, me)
    else:
        state.spot = cell
        state.phase = Phase.POSE.value


@kernel
def _end_piece(state, me):
    """Go on after a piece was displayed (5.1, 13.3)."""
    state.held = NONE
    state.pieces += 1
    _fulfil(state, me, np.int64(Job.DISPLAYED.value), np.int64(state.pieces))
    if ROW_OF_FIELD[index(state.field)] == Row.STRIP.value:
        state.phase = Stage.DONE.value
    else:
        state.left -= 1
        state.phase = Phase.DISPLAY.value


# --- building and donating (6 to 8) -------------------------------------------------------------


@kernel
def _apply_build(state, me, action):
    """Apply a choice of a panel, of a tile to donate, of its owner or of its cell (6.1, 8.1)."""
    if state.phase == Phase.OWNER.value:
        n = _museums(state)
        state.owner = (me + action - OWNER + 1) % n
        state.phase = Phase.TARGET.value
    elif state.phase == Phase.TARGET.value:
        _donate(state, me, action - CELL)
    elif action == STOP:
        state.phase = Stage.DONE.value
    elif action >= PANEL:
        state.building = action - PANEL
        state.phase = Phase.CELL.value
    else:
        state.held = action - TILE
        _unstore(state, me, action - TILE)
        solo = _museums(state) == SOLO
        state.phase = Phase.FACE.value if solo else Phase.OWNER.value


@kernel
def _donate(state, me, cell):
    """Display the tile chosen in another museum (6.2)."""
    owner = np.int64(state.owner)
    _show(state, owner, cell)
    fossil = _footprint(state, owner, cell)
    prestige = _count(np.int64(state.shown[index(owner)]) & fossil)
    _score(state, me, prestige)
    _fulfil(state, me, np.int64(Job.DONATION.value), prestige)
    state.held = NONE
    state.owner = NONE
    state.left -= 1
    state.phase = Phase.BUILD.value


@kernel
def _lay_panel(state, me, cell):
    """Pay a panel, lay it, and do what it does at once (7.1, 7.5 to 7.7)."""
    panel = index(state.building)
    cost = max(np.int64(0), PANEL_COST[panel] - DISCOUNT_OF_FIELD[index(state.field)])
    state.dollars[index(me)] -= cost
    state.building = NONE
    state.left -= 1
    _build(state, me, np.int64(panel), cell)
    if BUILT_REGULAR[panel]:
        state.regular[index(me)] += BUILT_REGULAR[panel]
        _receive_guests(state, me, BUILT_REGULAR[panel])
    state.phase = Phase.SEARCH.value if BUILT_SEARCH[panel] else Phase.BUILD.value


# --- trading and touring (9, 10) ----------------------------------------------------------------


@kernel
def _apply_trade(state, me, action):
    """Apply a choice of what to buy or to sell, or of a line (9, 10)."""
    if action == STOP:
        state.phase = Stage.DONE.value
    elif state.phase == Phase.TOUR.value:
        _tour(state, me, action - LINE)
    elif action < SLOT:
        _sell(state, me, action - TILE)
        state.sells -= 1
        if not BOTH_OF_FIELD[index(state.field)]:
            state.buys = 0
    else:
        if action < ARCHIVE:
            _buy_from_row(state, me, (action - SLOT) // SLOTS, (action - SLOT) % SLOTS)
        else:
            _buy_from_archive(state, me, action - ARCHIVE)
        state.buys -= 1
        if not BOTH_OF_FIELD[index(state.field)]:
            state.sells = 0


@kernel
def _tour(state, me, line):
    """Take the income of a line again (10.1)."""
    n = _line_pays(state, me, line)
    if line < N_TYPES:
        state.dollars[index(me)] += n * SHOP_DOLLARS
        state.tour_dollars += n * SHOP_DOLLARS
    else:
        _receive_guests(state, me, n * ENTRANCE_GUESTS)
        state.tour_guests += n * ENTRANCE_GUESTS
    state.line = line
    state.left -= 1


@kernel
def _end_tour(state, me):
    """Pay panels for a tour, then look at the job goals for it (10.3, 10.7)."""
    dollars, guests = np.int64(0), np.int64(0)
    for cell in range(N_CELLS):
        panel = state.panel[index(me), cell]
        if panel != NONE:
            dollars += TOUR_DOLLARS[index(panel)]
            guests += TOUR_GUESTS[index(panel)]
    state.dollars[index(me)] += dollars
    _receive_guests(state, me, guests)
    dollars += state.tour_dollars
    guests += state.tour_guests
    _fulfil(state, me, np.int64(Job.TOUR_DOLLARS.value), dollars)
    _fulfil(state, me, np.int64(Job.TOUR_GUESTS.value), guests)


# --- searching (7.6, 13.3) ----------------------------------------------------------------------


@kernel
def _apply_search(state, me, action):
    """Apply the choice of a tile to find, or of the bag to take it from (7.6)."""
    if state.phase == Phase.SEARCH.value:
        state.held = action - TILE
        state.phase = Phase.SITE.value
        return
    t = np.int64(state.held)
    _take_from_bag(state, action - COLUMN, t)
    if ROW_OF_FIELD[index(state.field)] == Row.STRIP.value:
        state.phase = Phase.CELL.value  # 13.3
    else:
        state.held = NONE
        _store_or_give_up(state, me, t)
        state.phase = Phase.BUILD.value


# [Row]: the first decision of its action
PHASE_OF_ROW = np.array(
    [
        Phase.DISPLAY,
        Phase.BUILD,
        Phase.TRADE,
        Phase.TOUR,
        Phase.COPY,
        Phase.MANAGE,
        Phase.SEARCH,
    ]
)
