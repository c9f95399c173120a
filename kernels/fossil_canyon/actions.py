"""What can be done in Fossil Canyon: the numbers of the actions, and which are legal."""

import numpy as np

from .. import rules
from ..canyon_cards import N_TRACES, N_TYPES
from ..jit import index, kernel
from .parts import (
    AWARD_NEEDS,
    AWARD_PIECES,
    END_MIN_CARDS,
    EXCHANGE_COSTS,
    FIRST_TRACE,
    HIDDEN_LIMIT,
    LARGE_GAME,
    LIMIT_TWO,
    MAX_PLAYERS,
    N_EXCHANGES,
    N_OF_EVENT,
    N_SETS,
    RESEARCH_OF_MASK,
    SETS,
)
from .state import Phase, Stage

ACTIONS = rules.ActionTable(
    # pick a card that is to be hidden (2.6, 9.1)
    hide={"type": N_TYPES},
    # pick no more (2.6)
    done={},
    # dig an exposed card (5.2)
    dig={"type": N_TYPES},
    # dig any buried card (5.2)
    dig_buried={},
    # keep the buried card (5.3)
    keep={},
    # put it back exposed (5.3)
    put_back={},
    # make no exchange, or no more (6.2)
    stop={},
    # exchange with another player, 0 for the next seat (6.2)
    exchange={"opponent": MAX_PLAYERS - 1},
    # give a card (6.3)
    give={"type": N_TYPES},
    # take a face-up card (6.4)
    take={"type": N_TYPES},
    # take any hidden card (6.4)
    take_blind={},
    # pass a card on to the next seat (4.6)
    send={"type": N_TYPES},
    # turn a hidden card face up (4.7)
    reveal={"type": N_TYPES},
    # spend trace fossils for the major award: `cards` counts the sets of 3.5 in ascending order of
    # their bit masks, in which bit i is the i-th trace fossil (3.4)
    claim_major={"cards": max(1, int(N_SETS[0]))},
    # spend trace fossils for a minor award (3.4)
    claim_minor={"cards": max(1, int(N_SETS[1]))},
)
HIDE = ACTIONS.offset("hide")
DONE = ACTIONS.offset("done")
DIG = ACTIONS.offset("dig")
DIG_BURIED = ACTIONS.offset("dig_buried")
KEEP = ACTIONS.offset("keep")
PUT_BACK = ACTIONS.offset("put_back")
STOP = ACTIONS.offset("stop")
EXCHANGE = ACTIONS.offset("exchange")
GIVE = ACTIONS.offset("give")
TAKE = ACTIONS.offset("take")
TAKE_BLIND = ACTIONS.offset("take_blind")
SEND = ACTIONS.offset("send")
REVEAL = ACTIONS.offset("reveal")
CLAIM_MAJOR = ACTIONS.offset("claim_major")
CLAIM_MINOR = ACTIONS.offset("claim_minor")
CLAIMS = np.array([CLAIM_MAJOR, CLAIM_MINOR])
# of a phase in which a type is named, the action for the first of them
FIRST_OF_PHASE = np.zeros(len(Phase), np.int64)
for _phase in ("HIDE", "DIG", "GIVE", "TAKE", "SEND", "REVEAL"):
    FIRST_OF_PHASE[Phase[_phase]] = ACTIONS.offset(_phase.lower())
NO_ACTION = -1  # the game is over
SEVERAL = -2
SKIPPED = -3  # there is no such decision


@kernel
def legal(state, actions):
    """List the legal actions of the player to move.

    Rules 2.6, 3.4 to 3.6, 4.6, 4.7, 5.2, 5.3, 6.2 to 6.6, 9.1 and 10.2.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    n = np.int64(0)
    phase = np.int64(state.phase)
    if phase == Phase.EXCHANGE.value:
        n = _list_partners(state, actions)
    elif phase == Phase.KEEP.value:
        actions[0] = KEEP
        actions[1] = PUT_BACK
        return np.int64(2)
    elif phase == Phase.OVER.value:
        return n
    else:
        choices = _choices(state)
        for i in range(N_TYPES + 1):
            actions[index(n)] = FIRST_OF_PHASE[index(phase)] + i
            n += choices >> i & 1
    return _list_claims(state, actions, n)


@kernel(apart=True)
def _choices(state):
    """Return which types the player to move can name, as bits.

    Bit N_TYPES is the action whose number comes after those of the types: to pick no more, to dig a
    buried card, to take a hidden one.
    """
    phase, me = np.int64(state.phase), index(state.to_play)
    types = np.int64(0)
    if phase == Phase.HIDE.value:
        for t in range(N_TYPES):
            types |= np.int64(state.picked[me, t] < state.up[me, t] + state.hidden[me, t]) << t
        return types | 1 << N_TYPES
    if phase == Phase.DIG.value:
        for t in range(N_TYPES):
            types |= np.int64(state.exposed[t] > 0) << t
        return types | np.int64(_any(state.buried[:])) << N_TYPES
    if phase == Phase.TAKE.value:
        target = index(state.target)
        for t in range(N_TYPES):
            types |= np.int64(state.up[target, t] > 0 and state.given[t] == 0) << t
        return types | np.int64(_may_take_blindly(state)) << N_TYPES
    all_cards = phase != Phase.REVEAL.value
    for t in range(N_TYPES):
        types |= np.int64(state.hidden[me, t] > 0 or (all_cards and state.up[me, t] > 0)) << t
    return types


@kernel(apart=True)
def _list_partners(state, actions):
    """List `stop` and with whom an exchange may be made; return the number of both (6.2, 6.6)."""
    actions[0] = STOP
    n = np.int64(1)
    if _may_exchange(state):
        for opponent in range(np.int64(state.num_players) - 1):
            actions[index(n)] = EXCHANGE + opponent
            n += np.int64(_is_partner(state, _opponent(state, opponent)))
    return n


@kernel(apart=True)
def _list_claims(state, actions, n):
    """Add the awards that can be claimed to n other actions; return the new number (3.4, 3.6)."""
    held = _claiming(state)
    if held:
        for award in range(2):
            if _pieces_left(state, award) > 0:
                for cards in range(N_SETS[award]):
                    needed = SETS[award, cards]
                    actions[index(n)] = CLAIMS[award] + cards
                    n += np.int64(held & needed == needed)
    return n


@kernel
def _claiming(state):
    """Return the trace fossils of the player to move as bits, 0 where no claim is offered (3.6)."""
    phase = np.int64(state.phase)
    if (
        state.to_play != state.active
        or state.stage == Stage.SETUP.value
        or phase == Phase.KEEP.value
        or phase == Phase.GIVE.value
        or phase == Phase.TAKE.value
        or (phase == Phase.HIDE.value and _any(state.picked[index(state.to_play)]))
    ):
        return np.int64(0)
    return _traces(state, np.int64(state.to_play))


@kernel
def _traces(state, seat):
    """Return the trace fossils of a seat as bits."""
    held = np.int64(0)
    for i in range(N_TRACES):
        t = FIRST_TRACE + i
        held |= np.int64(state.up[index(seat), t] + state.hidden[index(seat), t] > 0) << i
    return held


@kernel
def _pieces_left(state, award):
    """Return how many awards of a kind nobody has claimed."""
    left = AWARD_PIECES[award]
    for seat in range(np.int64(state.num_players)):
        left -= np.int64(state.awards[seat, award])
    return left


@kernel(apart=True)
def next_choice(state):
    """Find out whether the player to move has a choice (11.1).

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    int
        The only legal action; SEVERAL if there are more, SKIPPED if there is no such decision,
        NO_ACTION if the game is over.
    """
    phase = np.int64(state.phase)
    if phase == Phase.KEEP.value:
        return np.int64(SEVERAL)
    if phase == Phase.OVER.value:
        return np.int64(NO_ACTION)
    if phase == Phase.EXCHANGE.value:
        sole = np.int64(STOP)
        if _may_exchange(state):
            for opponent in range(np.int64(state.num_players) - 1):
                if _is_partner(state, _opponent(state, opponent)):
                    return np.int64(SEVERAL)
    else:
        choices = _choices(state)
        if choices == 0:
            return np.int64(SKIPPED)
        if choices & (choices - 1):
            return np.int64(SEVERAL)
        sole = np.int64(FIRST_OF_PHASE[index(phase)])
        while choices > 1:
            choices >>= 1
            sole += 1
    return np.int64(SEVERAL) if _may_claim(state) else sole


@kernel(apart=True)
def _may_claim(state):
    """Say whether an award can be claimed (3.4)."""
    research = RESEARCH_OF_MASK[index(_claiming(state))]
    for award in range(2):
        if research >= AWARD_NEEDS[award] and _pieces_left(state, award) > 0:
            return True
    return False


@kernel
def _may_take_blindly(state):
    """Say whether the partner has a hidden card that may be taken (6.4, 6.6)."""
    return state.no_blind_exchange == 0 and _any(state.hidden[index(state.target)])


@kernel
def _may_exchange(state):
    """Say whether the player to move has the cards for another exchange (6.2, 10.2)."""
    if state.exchanges == N_EXCHANGES:
        return False
    needed = _cost(state)
    if state.stage == Stage.END.value:
        needed = max(needed, np.int64(END_MIN_CARDS))
    return _n_cards(state, np.int64(state.to_play)) >= needed


@kernel
def _cost(state):
    """Return what the next exchange, or the one under way, costs (4.8, 6.1)."""
    if state.stage == Stage.EVENT.value:
        return np.int64(N_OF_EVENT[index(state.event)])
    return np.int64(EXCHANGE_COSTS[index(state.exchanges)])


@kernel
def _is_partner(state, seat):
    """Say whether an exchange may be made with a seat (6.2, 6.6)."""
    return _any(state.up[index(seat)]) or (
        state.no_blind_exchange == 0 and _any(state.hidden[index(seat)])
    )


@kernel
def _any(cards):
    """Say whether there are any cards; `cards`: number of each type."""
    found = np.uint8(0)
    for t in range(N_TYPES):
        found |= cards[t]
    return found != 0


@kernel
def _total(cards):
    """Return the number of cards; `cards`: number of each type."""
    n = np.int64(0)
    for t in range(N_TYPES):
        n += np.int64(cards[t])
    return n


@kernel
def _n_cards(state, seat):
    """Return the number of cards of a seat, hidden and face up."""
    return _total(state.up[index(seat)]) + _total(state.hidden[index(seat)])


@kernel
def _opponent(state, offset):
    """Return the seat `offset` + 1 places after the player to move."""
    return (np.int64(state.to_play) + 1 + offset) % np.int64(state.num_players)


@kernel
def _hidden_limit(state):
    """Return how many cards may be hidden (2.5, 2.7)."""
    if state.hidden_limit_two and state.num_players >= LARGE_GAME:
        return np.int64(LIMIT_TWO)
    return np.int64(HIDDEN_LIMIT)
