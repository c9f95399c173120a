"""What a seat sees of a game of Fossil Canyon (12)."""

import numpy as np

from .. import rules
from ..canyon_cards import (
    COPIES_OF_TYPE,
    N_CARDS,
    N_SKELETAL,
    N_TYPES,
    SKELETONS_OF_GENUS,
    VALUE_OF_GENUS,
)
from ..jit import index, kernel
from .actions import _pieces_left, _total
from .parts import (
    AWARD_PIECES,
    AWARD_POINTS,
    BONUS_DIGS,
    BONUS_POINTS,
    COUNT_OF_EVENT,
    DECK_SIZE,
    DIGS_PER_TURN,
    EXCHANGE_COSTS,
    IDLE_ROUNDS,
    MAX_PLAYERS,
    N_EVENTS,
    N_EXCHANGES,
    N_OF_EVENT,
    OP_OF_EVENT,
    PLAIN_EROSION,
    STALEMATE_ROUNDS,
    Op,
)
from .state import MIX, NONE, Phase, Stage

# more points than can be won: all skeletons, awards and bonuses
SCORE_SCALE = int(
    (VALUE_OF_GENUS * SKELETONS_OF_GENUS)[:N_SKELETAL].sum()
    + (AWARD_POINTS * AWARD_PIECES).sum()
    + BONUS_POINTS.sum()
)
HIDDEN_SCALE = 10.0  # hidden cards of a seat from which `n_hidden` stays at 1
MOST_DIGS = max(
    DIGS_PER_TURN, BONUS_DIGS, *(int(n) for n in N_OF_EVENT[Op.DIG.value == OP_OF_EVENT])
)
MOST_GIVEN = max(
    int(EXCHANGE_COSTS.max()), *(int(n) for n in N_OF_EVENT[Op.EXCHANGE.value == OP_OF_EVENT]), 1
)
SHARE_OF_CARD = 1.0 / COPIES_OF_TYPE
# SHARE_OF_SKELETONS[genus, n]: n skeletons as a share of the genus's
_SKELETONS = SKELETONS_OF_GENUS[:N_SKELETAL]
SHARE_OF_SKELETONS = (np.arange(_SKELETONS.max() + 1) / _SKELETONS[:, None]).astype(np.float32)

OBS = rules.record(
    [
        # one-hot: hide, dig, keep, exchange, give, take, send, reveal, over
        ("phase", "f4", (len(Phase),)),
        # one-hot: set-up, event, digs, exchanges, bonus dig, adjusting, end phase
        ("stage", "f4", (len(Stage),)),
        ("turn", "f4", (MAX_PLAYERS,)),  # one-hot: whose decision
        ("active", "f4", (MAX_PLAYERS,)),  # one-hot: whose turn
        ("seat", "f4", (MAX_PLAYERS,)),  # 1 for the seats in the game
        ("score", "f4", (MAX_PLAYERS,)),  # points, share of all that there are
        ("skeletons", "f4", (MAX_PLAYERS, N_SKELETAL)),  # share of the genus's skeletons
        ("awards", "f4", (MAX_PLAYERS, 2)),  # major and minor awards claimed, share of all
        ("awards_left", "f4", (2,)),  # share of the major and minor awards not claimed
        ("up", "f4", (MAX_PLAYERS, N_TYPES)),  # face-up cards, share of the type's cards
        # own hidden cards, then those of others that are known for certain (12.2), likewise
        ("known", "f4", (MAX_PLAYERS, N_TYPES)),
        # own hidden cards of which another seat knows, the most that one knows of, likewise
        ("known_to_others", "f4", (N_TYPES,)),
        ("n_hidden", "f4", (MAX_PLAYERS,)),  # number of hidden cards / 10, at most 1
        ("exposed", "f4", (N_TYPES,)),  # share of the type's cards
        ("n_buried", "f4", (1,)),  # number of buried cards, share of all cards
        # cards of the type in play that this seat cannot place: buried, out of the game from the
        # start or hidden by others, share of the type's
        ("unseen", "f4", (N_TYPES,)),
        ("event", "f4", (N_EVENTS,)),  # one-hot: the event of this turn; the last is plain erosion
        # one-hot for each card of the deck that was drawn once: its event
        ("deck", "f4", (DECK_SIZE, N_EVENTS)),
        ("next_event", "f4", (N_EVENTS,)),  # one-hot from the second pass on: the next event
        ("undrawn", "f4", (N_EVENTS,)),  # share of the event's cards not drawn yet
        ("target", "f4", (MAX_PLAYERS,)),  # one-hot: the partner of the exchange under way
        ("given", "f4", (N_TYPES,)),  # cards given in it, share of the most for an exchange
        ("exchanges", "f4", (1,)),  # exchanges made in this step or turn, share of all
        ("digs", "f4", (1,)),  # cards dug in this step, share of the most
        ("returned", "f4", (1,)),  # 1 when a card was put back in this step
        ("earned", "f4", (1,)),  # 1 when the active player has earned a bonus dig
        ("picked", "f4", (N_TYPES,)),  # own cards picked for hiding, share of the type's cards
        ("chosen", "f4", (N_TYPES,)),  # one-hot: own card chosen to send or reveal
        ("dug", "f4", (N_TYPES,)),  # one-hot: the buried card that this seat looks at
        # end phase: a skeleton or award, an exchange or award in this turn
        ("busy", "f4", (2,)),
        # end phase: turns in a row without either, share of those that end the game
        ("clocks", "f4", (2,)),
        # options: research, bonuses, limit of two, put back, no blind exchange, only erosion
        ("options", "f4", (6,)),
    ]
)


@kernel
def observe(state, player, obs):
    """Write what a seat sees and remembers (12.1, 12.2).

    Parameters
    ----------
    state : STATE record
    player : int
        Whose view; entries for seats begin with this one, then in turn order.
    obs : OBS record, out
        Zeroed by the caller.
    """
    num_players = np.int64(state.num_players)
    obs.phase[index(state.phase)] = 1.0
    obs.stage[index(state.stage)] = 1.0
    if not state.done:
        obs.turn[index(_place(state, np.int64(state.to_play), player))] = 1.0
    obs.active[index(_place(state, np.int64(state.active), player))] = 1.0
    if state.target != NONE:
        obs.target[index(_place(state, np.int64(state.target), player))] = 1.0
    for t in range(N_TYPES):
        share = SHARE_OF_CARD[t]
        obs.exposed[t] = np.int64(state.exposed[t]) * share
        obs.unseen[t] = (np.int64(state.buried[t]) + np.int64(state.discard[t])) * share
        if state.given[t] > 0:
            obs.given[t] = np.int64(state.given[t]) / MOST_GIVEN
        obs.picked[t] = np.int64(state.picked[index(player), t]) * share
    for place in range(num_players):
        _observe_seat(state, player, place, obs)
    _observe_deck(state, obs)
    _observe_turn(state, player, obs)


@kernel
def _place(state, seat, player):
    """Return the place of a seat in the view of a player."""
    num_players = np.int64(state.num_players)
    return (seat - player + num_players) % num_players


@kernel(apart=True)
def _observe_seat(state, player, place, obs):
    """Write the cards and points of the seat at a place."""
    seat = index((player + place) % np.int64(state.num_players))
    obs.seat[place] = 1.0
    obs.score[place] = min(np.int64(state.score[seat]) / SCORE_SCALE, 1.0)
    for genus in range(N_SKELETAL):
        n = index(state.skeletons[seat, genus])
        obs.skeletons[place, genus] = SHARE_OF_SKELETONS[genus, n]
    for award in range(2):
        obs.awards[place, award] = np.int64(state.awards[seat, award]) / max(1, AWARD_PIECES[award])
    obs.n_hidden[place] = min(_total(state.hidden[seat]) / HIDDEN_SCALE, 1.0)
    for t in range(N_TYPES):
        share = SHARE_OF_CARD[t]
        hidden = np.int64(state.hidden[seat, t])
        known = hidden if place == 0 else np.int64(state.known[index(player), seat, t])
        obs.up[place, t] = np.int64(state.up[seat, t]) * share
        obs.known[place, t] = known * share
        obs.unseen[t] += (hidden - known) * share
        shown = np.int64(state.known[seat, index(player), t]) * share
        obs.known_to_others[t] = max(obs.known_to_others[t], shown)


@kernel(apart=True)
def _observe_deck(state, obs):
    """Write the events drawn so far, and what is known of those to come (4.1)."""
    drawn = np.int64(state.drawn)
    if state.event != NONE:
        obs.event[index(state.event)] = 1.0
    if state.events == MIX:
        for event in range(N_EVENTS - 1):
            obs.undrawn[event] = 1.0
    else:
        obs.undrawn[PLAIN_EROSION] = 1.0
    for i in range(min(drawn, np.int64(DECK_SIZE))):
        event = index(state.deck[i])
        obs.deck[i, event] = 1.0
        obs.undrawn[event] -= 1.0 / COUNT_OF_EVENT[event]
    if drawn >= DECK_SIZE and state.event != NONE:
        obs.next_event[index(state.deck[index(drawn % DECK_SIZE)])] = 1.0


@kernel(apart=True)
def _observe_turn(state, player, obs):
    """Write how far the turn is, and the options."""
    num_players = np.int64(state.num_players)
    me = index(player)
    obs.n_buried[0] = _total(state.buried[:]) / N_CARDS
    obs.exchanges[0] = np.int64(state.exchanges) / N_EXCHANGES
    obs.digs[0] = np.int64(state.digs) / MOST_DIGS
    obs.returned[0] = state.returned
    obs.earned[0] = state.earned
    if state.chosen[me] != NONE:
        obs.chosen[index(state.chosen[me])] = 1.0
    if state.dug != NONE:
        if state.to_play == player:
            obs.dug[index(state.dug)] = 1.0
        else:
            obs.unseen[index(state.dug)] += SHARE_OF_CARD[index(state.dug)]
    obs.busy[0] = state.scored
    obs.busy[1] = state.acted
    obs.clocks[0] = np.int64(state.barren) / (STALEMATE_ROUNDS * num_players)
    obs.clocks[1] = np.int64(state.idle) / (IDLE_ROUNDS * num_players)
    obs.options[0] = state.research
    obs.options[1] = state.bonuses
    obs.options[2] = state.hidden_limit_two
    obs.options[3] = state.put_back
    obs.options[4] = state.no_blind_exchange
    obs.options[5] = state.events != MIX
    for award in range(2):
        obs.awards_left[award] = _pieces_left(state, award) / max(1, AWARD_PIECES[award])
