"""A question of Go Dig and all that follows from it (3, 4, 6.1 to 6.3)."""

import numpy as np

from ..jit import index, kernel
from .cards import _add, _end_game, _hand_over, _lay, _refill, _take_from_pile
from .parts import END_OF_GENUS, FIRST_OF_GENUS, GENUS_OF_TYPE, N_GENERA, TURN_CAP
from .state import NO_ACTION, Stream


@kernel
def step(state, action):
    """Ask a question, with all that follows from it, and then those that leave no choice.

    Rules 3.1 to 4.4, 6.1 to 6.3.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.

    Notes
    -----
    Draws from DIG once for each card taken from the pile.
    """
    state.gain[:] = 0
    state.ply += 1
    apply_choice(state, action)
    _play_forced(state)


@kernel(apart=True)
def _play_forced(state):
    """Ask while there is one question only (6.1); ends, since each question moves the game on."""
    action = next_choice(state)
    while action != NO_ACTION:
        apply_choice(state, action)
        action = next_choice(state)


@kernel(apart=True)
def next_choice(state):
    """Return the question that has to be asked because there is no other.

    Rules 6.1.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    int
        NO_ACTION where there is something to decide, or nothing any more.
    """
    genera = np.int64(state.genera[state.to_play])
    if state.done or state.num_players > 2 or genera & (genera - 1) != 0:
        return NO_ACTION
    genus = np.int64(0)
    while genera >> genus != 1:
        genus += 1
    return genus


@kernel(apart=True)
def apply_choice(state, action):
    """Ask a player for a genus, and end the turn where that is due.

    Rules 3.1 to 4.4, and 6.3.

    Parameters
    ----------
    state : STATE record, in and out
    action : int64
        Must be legal; not checked here.
    """
    num_players = np.int64(state.num_players)
    player, genus = np.int64(state.to_play), np.int64(index(action)) % N_GENERA
    asked = (player + 1 + np.int64(index(action)) // N_GENERA) % num_players
    _note_question(state, player, genus)
    goes_on = True
    if state.genera[asked] >> np.uint32(genus) & np.uint32(1):
        _hand_over(state, asked, player, genus)
        if state.cards[asked] == 0:
            _refill(state, asked)  # 4.2
        _lay(state, player, genus)
    else:
        state.room[asked, genus] = 0  # 5.5
        goes_on = state.buried > 0 and _dig(state, player, genus)
    if state.cards[player] == 0:  # 4.3
        goes_on = False
        _refill(state, player)
    if not state.done and not goes_on:
        state.turns += 1
        if state.turns == TURN_CAP:
            _end_game(state)
        else:
            _pass_turn(state)


@kernel
def _note_question(state, player, genus):
    """Remember that the asking player holds a card of the genus (5.4)."""
    for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
        if state.known[player, kind] > 0:
            return
    state.asked[player, genus] = 1


@kernel(apart=True)
def _dig(state, player, genus):
    """Take the top card for a question in vain; return whether the turn goes on (3.4 to 3.6)."""
    kind = _take_from_pile(state, np.int64(Stream.DIG.value))
    found = np.int64(GENUS_OF_TYPE[kind])
    _add(state, player, kind)
    if found == genus:
        state.known[player, kind] += 1
        _lay(state, player, genus)
        return True
    state.hidden[player] += 1
    completes = True
    for other in range(FIRST_OF_GENUS[found], END_OF_GENUS[found]):
        completes &= state.hand[player, other] > 0
    for other in range(N_GENERA):  # 5.5
        if other == found if completes else other != genus:
            state.room[player, other] += 1
    _lay(state, player, found)
    return False


@kernel(apart=True)
def _pass_turn(state):
    """Find the next player with cards (2.4, 3.8); without any the game is over."""
    player = np.int64(state.to_play)
    for _ in range(state.num_players):
        player = player + 1 if player + 1 < state.num_players else 0
        if state.cards[player] > 0:
            state.to_play = player
            return
    _end_game(state)
