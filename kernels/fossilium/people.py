"""Fossilium: guests, students, prestige, workers, and what job goals pay (1.6, 10.4 to 10.7)."""

import numpy as np

from ..jit import index, kernel
from ..records import if_has
from .parts import (
    AT_OF_GOAL,
    JOB_OF_GOAL,
    MAX_GUESTS,
    MAX_STUDENTS,
    N_GOALS,
    N_SITES,
    ROUNDS,
    Job,
)


@kernel
def _museums(state):
    """Return the number of museums: that of the players, and 1 in the solo game."""
    return min(np.int64(state.num_players), np.int64(state.tile.shape[0]))


@if_has("deck")
@kernel
def _mirror(state, prestige):
    """Take from Pal, if she is a player, what the player receives (solo 8.4)."""
    if state.num_players > 1:
        state.score[1] -= prestige
        state.gain[1] -= prestige


@kernel
def _score(state, seat, prestige):
    """Add to a player's prestige; may be negative."""
    state.score[index(seat)] += prestige
    state.gain[index(seat)] += prestige
    _mirror(state, prestige)


@kernel
def _receive_students(state, seat, n):
    """Add doctoral students; those that find no room are lost (1.6)."""
    seat = index(seat)
    state.students[seat] = min(np.int64(MAX_STUDENTS), np.int64(state.students[seat]) + n)


@kernel
def _receive_guests(state, seat, n):
    """Move a guest track, and pay the job goals that it passes (10.6)."""
    seat = index(seat)
    before = np.int64(state.guests[seat])
    after = min(np.int64(MAX_GUESTS), before + n)
    state.guests[seat] = after
    for g in range(N_GOALS):
        goal = index(state.job_goal[g])
        if JOB_OF_GOAL[goal] == Job.GUESTS.value and before < AT_OF_GOAL[goal] <= after:
            _pay_goal(state, np.int64(seat), np.int64(g))


@kernel
def _fulfil(state, seat, job, amount):
    """Pay the job goals that look at something of which so much was reached (10.4)."""
    for g in range(N_GOALS):
        goal = index(state.job_goal[g])
        if JOB_OF_GOAL[goal] == job and amount >= AT_OF_GOAL[goal]:
            _pay_goal(state, seat, np.int64(g))


@kernel(apart=True)
def _pay_goal(state, seat, g):
    """Send a worker from a job goal to its museum, once a turn or phase (10.4, 10.5)."""
    own = state.active == seat
    seat, g = index(seat), index(g)
    paid = np.int64(state.paid[seat]) if own else np.int64(state.paid_elsewhere[seat])
    if state.on_goal[seat, g] == 0 or (paid >> np.int64(g)) & 1:
        return
    paid |= np.int64(1) << np.int64(g)
    if own:
        state.paid[seat] = paid
    else:
        state.paid_elsewhere[seat] = paid
    state.on_goal[seat, g] -= 1
    state.workers[seat] += 1


# --- workers ------------------------------------------------------------------------------------


@kernel
def _in_column(state, column):
    """Count all workers in a column (4.8, 12.1)."""
    column = index(column)
    n = np.int64(state.neutral[column])
    for seat in range(state.placed.shape[0]):
        n += np.int64(state.placed[seat, column])
    for seat in range(state.permanent.shape[0]):
        n += np.int64(state.permanent[seat, column])
    return n


@kernel
def _own_in_column(state, seat, column):
    """Count a player's workers in a column (12.1)."""
    seat, column = index(seat), index(column)
    return np.int64(state.placed[seat, column]) + np.int64(state.permanent[seat, column])


@kernel
def _free_permanent(state, seat, column):
    """Count a player's permanent workers in a column that can act now (13.2)."""
    if state.round_number < ROUNDS:
        return np.int64(0)
    seat, column = index(seat), index(column)
    return np.int64(state.permanent[seat, column]) - np.int64(state.spent[seat, column])


@kernel
def _can_act(state, seat):
    """Say whether a player can place a worker (4.1, 13.2)."""
    if state.workers[index(seat)] > 0:
        return True
    for column in range(N_SITES):
        if _free_permanent(state, seat, np.int64(column)) > 0:
            return True
    return False


@kernel
def _place(state, seat, column, n):
    """Place workers of a player on a field of a column, permanent ones first (13.2)."""
    first = min(n, _free_permanent(state, seat, column))
    seat, column = index(seat), index(column)
    state.spent[seat, column] += first
    state.placed[seat, column] += n - first
    state.workers[seat] -= n - first


@kernel
def _used(state, column):
    """Say whether a column is used in this game (2.5)."""
    return state.unused != column
