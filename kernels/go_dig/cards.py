"""Cards that move and skeletons that are laid in Go Dig, and what all learn from it (4 and 5)."""

import numpy as np

from .. import rng
from ..jit import kernel
from .parts import (
    END_OF_GENUS,
    FIRST_OF_GENUS,
    GENUS_OF_TYPE,
    MAX_PLAYERS,
    MOST_COPIES,
    MOST_POINTS,
    N_GENERA,
    VALUE_OF_GENUS,
)
from .state import Phase, Stream


@kernel(apart=True)
def _take_from_pile(state, stream):
    """Take a random card from the pile and return its type."""
    left = rng.draw(state, stream, np.int64(state.buried))
    state.buried -= 1
    kind = np.int64(0)
    while left >= state.pile[kind]:
        left -= np.int64(state.pile[kind])
        kind += 1
    state.pile[kind] -= 1
    return kind


@kernel
def _add(state, player, kind):
    """Put a card into a hand."""
    state.hand[player, kind] += 1
    state.cards[player] += 1
    state.genera[player] |= np.uint32(1) << np.uint32(GENUS_OF_TYPE[kind])


@kernel(apart=True)
def _refill(state, player):
    """Take a card for an empty hand, if there is one (4.2, 4.3)."""
    if state.buried > 0:
        _add(state, player, _take_from_pile(state, np.int64(Stream.DIG.value)))
        state.hidden[player] = 1
        for genus in range(N_GENERA):
            state.room[player, genus] = 1  # nothing was in this hand


@kernel
def _hand_over(state, giver, taker, genus):
    """Move all cards of a genus, openly (3.2, 5.3 to 5.5)."""
    for kind in range(FIRST_OF_GENUS[genus], END_OF_GENUS[genus]):
        n, known = np.int64(state.hand[giver, kind]), np.int64(state.known[giver, kind])
        state.hand[taker, kind] += n
        state.known[taker, kind] += n
        state.cards[taker] += n
        state.hand[giver, kind] = 0
        state.known[giver, kind] = 0
        state.cards[giver] -= n
        state.hidden[giver] -= n - known
    state.genera[giver] &= ~(np.uint32(1) << np.uint32(genus))
    state.asked[giver, genus] = 0
    state.room[giver, genus] = 0
    _limit_room(state, giver)


@kernel(apart=True)
def _lay(state, player, genus):
    """Lay the complete skeletons of a genus (4.1); the game ends with the last of all (6.2)."""
    first, end = FIRST_OF_GENUS[genus], END_OF_GENUS[genus]
    laid = np.int64(MOST_COPIES)
    for kind in range(first, end):
        laid = min(laid, np.int64(state.hand[player, kind]))
    if laid == 0:
        return
    hidden = np.int64(0)  # cards laid that were not known
    left = np.int64(0)
    for kind in range(first, end):
        known = min(laid, np.int64(state.known[player, kind]))
        hidden += laid - known
        state.known[player, kind] -= known
        state.hand[player, kind] -= laid
        left += np.int64(state.hand[player, kind])
    if left == 0:
        state.genera[player] &= ~(np.uint32(1) << np.uint32(genus))
    state.cards[player] -= laid * (end - first)
    state.hidden[player] -= hidden
    state.room[player, genus] -= hidden
    if hidden > 0:
        state.asked[player, genus] = 0
    _limit_room(state, player)
    state.skeletons[player, genus] += laid
    state.score[player] += laid * VALUE_OF_GENUS[genus]
    state.gain[player] += laid * VALUE_OF_GENUS[genus]
    total = np.int64(0)
    for seat in range(MAX_PLAYERS):
        total += np.int64(state.score[seat])
    if total == MOST_POINTS:  # 6.2: all values are positive
        _end_game(state)


@kernel
def _limit_room(state, player):
    """Leave no more room than there are hidden cards (5.5)."""
    for genus in range(N_GENERA):
        state.room[player, genus] = min(state.room[player, genus], state.hidden[player])


@kernel
def _end_game(state):
    """Mark the game as over."""
    state.phase = Phase.OVER.value
    state.done = 1
