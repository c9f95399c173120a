"""Fossil Canyon: the judgement of a position, in points.

A skeleton that is not complete is worth its value times a chance for each of its fossils: how safe
a card that the seat has, how near one that it lacks. Trace fossils are worth their share of an
award, bonuses go to who would get them now. In an exchange under way the best card to be had is
counted as taken, since a gift alone would look like a loss.
"""

import numpy as np

from ..canyon_cards import (
    FIRST_TYPE_OF_GENUS,
    FOSSILS_OF_GENUS,
    GENUS_OF_TYPE,
    N_SKELETAL,
    N_TYPES,
    VALUE_OF_GENUS,
)
from ..jit import index, kernel
from .actions import _cost, _n_cards, _pieces_left, _total, _traces
from .parts import (
    AWARD_NEEDS,
    AWARD_POINTS,
    BONUS_POINTS,
    FIRST_TRACE,
    N_BONUSES,
    RESEARCH_OF_MASK,
)
from .scoring import NOBODY, _winner_of
from .state import NONE, Phase, Stage

# Tuned by play against the agents `random` and `ismcts`.
SAFE = 1.0  # an own hidden card
OPEN = 0.92  # an own face-up card, which others may take
EXPOSED = 0.5  # a card to be dug
SHOWN = 0.35  # a face-up card of another
BURIED = 0.25
HIDDEN = 0.15  # a hidden card of another
CARD = 2.5  # points for any card: there are some 5 in the box for each
BLIND = 1.0  # points expected of a card that is taken blindly, besides CARD
TRACE = 2.0  # points for a trace fossil, besides CARD
NEXT = 1.0  # a second or third card given is worth more than the cheapest
CLAIM = 0.95  # an award that can be claimed
LEAD = 0.5  # a bonus in the lead


@kernel
def value(state, player):
    """Margin over the mean of the others in points and prospects.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Points; of a finished game the margin alone.
    """
    num_players = np.int64(state.num_players)
    own, total = 0.0, 0.0
    for seat in range(num_players):
        points = np.float64(state.score[seat])
        if not state.done:
            points += _prospects(state, np.int64(seat))
        total += points
        if seat == player:
            own = points
    if state.bonuses and not state.done:
        for bonus in range(N_BONUSES):
            winner = _winner_of(state, np.int64(bonus))
            if winner != NOBODY:
                points = LEAD * BONUS_POINTS[bonus]
                total += points
                if winner == player:
                    own += points
    if state.target != NONE:
        points = _exchange_to_come(state)
        cards = CARD * (_cost(state) - _total(state.given[:]) - 1)  # for the partner
        total += points + cards
        if state.to_play == player:
            own += points
        elif state.target == player:
            own += cards
    return own - (total - own) / (num_players - 1)


@kernel(apart=True)
def _prospects(state, seat):
    """Return the points that a seat may expect of its cards."""
    points = CARD * _n_cards(state, seat)
    for genus in range(N_SKELETAL):
        points += _prospect(state, seat, np.int64(genus), np.int64(NONE), np.int64(NONE))
    research = RESEARCH_OF_MASK[index(_traces(state, seat))]
    award_points = 0.0
    for award in range(2):
        if _pieces_left(state, np.int64(award)) > 0:
            share = min(1.0, research / AWARD_NEEDS[award])
            award_points = max(award_points, CLAIM * AWARD_POINTS[award] * share * share * share)
    return points + award_points


@kernel(apart=True)
def _prospect(state, seat, genus, more, less):
    """Return what a seat may expect of a genus with a card more of one type and less of another."""
    points = np.float64(VALUE_OF_GENUS[index(genus)])
    picking = state.stage == Stage.SETUP.value or (
        state.phase == Phase.HIDE.value and seat == state.active
    )
    for i in range(FOSSILS_OF_GENUS[index(genus)]):
        t = index(FIRST_TYPE_OF_GENUS[index(genus)] + i)
        hidden = np.int64(state.hidden[index(seat), t])
        held = np.int64(state.up[index(seat), t]) + hidden
        if picking:
            hidden = np.int64(state.picked[index(seat), t])
        if t == more or hidden > np.int64(t == less):
            points *= SAFE
        elif held > np.int64(t == less):
            points *= OPEN
        else:
            points *= _nearness(state, np.int64(t))
    return points


@kernel(apart=True)
def _nearness(state, t):
    """Return the chance of getting a card that one does not have."""
    if state.exposed[index(t)] > 0:
        return EXPOSED
    hidden = False
    for seat in range(np.int64(state.num_players)):
        if state.up[seat, index(t)] > 0:
            return SHOWN
        hidden |= state.hidden[seat, index(t)] > 0
    if state.buried[index(t)] > 0:
        return BURIED
    return HIDDEN if hidden else 0.0


@kernel(apart=True)
def _exchange_to_come(state):
    """Return what the player to move may expect of the exchange under way."""
    me, partner = np.int64(state.to_play), np.int64(state.target)
    share = 1.0 / (np.int64(state.num_players) - 1)  # of the partner's change in the margin
    best = 0.0
    cheapest = 100.0
    for t in range(N_TYPES):
        more, less = 0.0, 0.0
        mine = state.up[index(me), t] + state.hidden[index(me), t] > 0
        if mine:
            less = -_change(state, me, np.int64(t), False)
            more = _change(state, partner, np.int64(t), True)
            cheapest = min(cheapest, CARD + less + share * more)
        if state.up[index(partner), t] > 0 and state.given[t] == 0:
            more = _change(state, me, np.int64(t), True)
            less = -_change(state, partner, np.int64(t), False)
            best = max(best, CARD + more + share * less)
    if state.no_blind_exchange == 0 and _total(state.hidden[index(partner)]) > 0:
        best = max(best, CARD + BLIND)
    left = _cost(state) - _total(state.given[:])
    return best - left * (cheapest + NEXT * (left - 1))


@kernel(apart=True)
def _change(state, seat, t, taken):
    """Return what a card of a type taken, or given away, changes in the prospects of a seat."""
    if t >= FIRST_TRACE:
        return TRACE if taken else -TRACE
    genus = np.int64(GENUS_OF_TYPE[index(t)])
    now = _prospect(state, seat, genus, np.int64(NONE), np.int64(NONE))
    if taken:
        return _prospect(state, seat, genus, t, np.int64(NONE)) - now
    return _prospect(state, seat, genus, np.int64(NONE), t) - now
