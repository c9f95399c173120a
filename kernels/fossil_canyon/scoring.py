"""Fossil Canyon: points, the end of the game and its result (10)."""

import numpy as np

from .. import rules
from ..canyon_cards import (
    FIRST_TYPE_OF_GENUS,
    FOSSILS_OF_GENUS,
    GENUS_OF_TYPE,
    N_SKELETAL,
    N_SKELETAL_TYPES,
    N_TRACES,
    VALUE_OF_GENUS,
)
from ..jit import index, kernel
from .actions import _pieces_left
from .parts import (
    AWARD_NEEDS,
    BONUS_GENERA,
    BONUS_NEEDS_ALL,
    BONUS_POINTS,
    FIRST_TRACE,
    N_BONUSES,
    RESEARCH_OF_TRACE,
)
from .state import NONE, Phase

BY_VALUE = np.argsort(-VALUE_OF_GENUS[:N_SKELETAL], kind="stable")  # genera, most valuable first
LAST_TYPE_OF_GENUS = FIRST_TYPE_OF_GENUS + np.maximum(FOSSILS_OF_GENUS, 1) - 1
NOBODY = -1


@kernel
def _pay(state, seat, points):
    """Add points and note the gain."""
    state.score[index(seat)] += points
    state.gain[index(seat)] += points


@kernel(apart=True)
def _may_go_on(state):
    """Say whether something can be completed or claimed with the cards of all together (10.3)."""
    full = True
    for t in range(N_SKELETAL_TYPES):
        genus = GENUS_OF_TYPE[t]
        full = _is_shown(state, np.int64(t)) and (full or t == FIRST_TYPE_OF_GENUS[genus])
        if full and t == LAST_TYPE_OF_GENUS[genus]:
            return True
    research = np.int64(0)
    for i in range(N_TRACES):
        if _is_shown(state, np.int64(FIRST_TRACE + i)):  # there is one card of each
            research += RESEARCH_OF_TRACE[i]
    for award in range(2):
        if research >= AWARD_NEEDS[award] and _pieces_left(state, award) > 0:
            return True
    return False


@kernel
def _is_shown(state, t):
    """Say whether a card of a type lies face up before anybody."""
    seat = np.int64(0)
    while state.up[index(seat), index(t)] == 0:
        seat += 1
        if seat == state.num_players:
            return False
    return True


@kernel(apart=True)
def _finish(state):
    """End the game and award the bonuses (10.3 to 10.5)."""
    state.phase = Phase.OVER.value
    state.done = 1
    state.to_play = state.active
    state.target = NONE
    state.given[:] = 0
    state.exchanges = 0
    state.digs = 0
    state.scored = 0
    state.acted = 0
    if state.bonuses:
        for bonus in range(N_BONUSES):
            winner = _winner_of(state, bonus)
            if winner != NOBODY:
                _pay(state, winner, BONUS_POINTS[bonus])


@kernel(apart=True)
def _winner_of(state, bonus):
    """Return the seat that gets a bonus as things stand, or NOBODY (10.5 to 10.7)."""
    best = np.int64(0)  # skeletons, then their values; or 1 for a full list
    winner = np.int64(NOBODY)
    for seat in range(np.int64(state.num_players)):
        rank = _rank_for(state, seat, bonus)
        if rank > best:
            best = rank
            winner = np.int64(seat)
        elif rank == best:
            winner = np.int64(NOBODY)
    return winner


@kernel(apart=True)
def _rank_for(state, seat, bonus):
    """Return how a seat stands for a bonus: 0 for not at all, more is better."""
    n, points, full = np.int64(0), np.int64(0), np.int64(1)
    for genus in range(N_SKELETAL):
        if BONUS_GENERA[bonus, genus]:
            held = np.int64(state.skeletons[index(seat), genus])
            n += held
            points += held * VALUE_OF_GENUS[genus]
            full &= np.int64(held > 0)
    return full if BONUS_NEEDS_ALL[bonus] else n * 65536 + points


@kernel
def outcome(state, out):
    """Write the final results: by points, then by the most valuable skeletons (10.8, 10.9).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    num_players = np.int64(state.num_players)
    for seat in range(num_players):
        better, equal = np.int64(0), np.int64(0)
        for other in range(num_players):
            order = _compare(state, other, seat)
            better += np.int64(order > 0)
            equal += np.int64(order == 0)
        out[seat] = rules.place_result(better, equal, num_players)


@kernel(apart=True)
def _compare(state, one, other):
    """Return a number above 0 if seat `one` stands better than `other`, 0 if equally (10.8)."""
    margin = np.int64(state.score[index(one)]) - np.int64(state.score[index(other)])
    i = np.int64(0)
    while margin == 0 and i < N_SKELETAL:
        points = VALUE_OF_GENUS[BY_VALUE[i]]
        while i < N_SKELETAL and VALUE_OF_GENUS[BY_VALUE[i]] == points:  # genera of equal value
            genus = index(BY_VALUE[i])
            margin += np.int64(state.skeletons[index(one), genus])
            margin -= np.int64(state.skeletons[index(other), genus])
            i += 1
    return margin
