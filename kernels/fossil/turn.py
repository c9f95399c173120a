"""Fossil: a decision and all that follows from it (3, 4, 7 and 8)."""

import numpy as np

from ..jit import index, kernel
from .actions import (
    GIVE,
    KEEP,
    MOVE,
    NO_ACTION,
    PLACE,
    SEVERAL,
    TAKE,
    _cost,
    _find_rays,
    _givable,
    _opponent,
    _sole_give,
    _sole_move,
    _sole_take,
    _target,
)
from .parts import COLS, EXCHANGE_OPTIONAL, N_FOSSILS, N_TILES, N_VALUES
from .scoring import _pay, _score
from .state import NO_CELL, NO_FOSSIL, NO_KIND, NO_TILE, Phase


@kernel
def step(state, action):
    """Apply a legal action, then everything that is forced, up to the next decision or the end.

    Rules 2.3 to 8.1.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.
    """
    state.gain[:] = 0
    state.ply += 1
    while action >= 0:  # ends: a move takes a tile off the board, a take ends an exchange
        apply_choice(state, action)
        if state.phase == Phase.MOVE.value and state.completed != NO_FOSSIL:
            _score(state, np.int64(state.completed))  # 3.8
            state.completed = NO_FOSSIL
        action = _forced(state)
    if action == NO_ACTION:  # nobody can move (7.1)
        for fossil in range(N_FOSSILS):
            if state.left[fossil] > 0:
                _score(state, fossil)  # 7.2
        state.phase = Phase.OVER.value
        state.done = 1


@kernel(inline=True)
def apply_choice(state, action):
    """Apply one action and nothing that follows: no scoring, no next player, no forced move.

    Rules 2.3, 3.1 to 3.8, 4.1 to 4.3.

    Parameters
    ----------
    state : STATE record, in and out
        In phase MOVE the turn is then over but for scoring `completed`.
    action : int in [0, n_actions)
        Must be legal; not checked here.
    """
    if action < MOVE:
        _place(state, action - PLACE)
    elif action < KEEP:
        _move(state, action - MOVE)
    elif action == KEEP:
        state.phase = Phase.MOVE.value
    elif action < TAKE:
        state.given = action - GIVE
        state.phase = Phase.TAKE.value
    else:
        _swap(state, action - TAKE)
        state.phase = Phase.MOVE.value


@kernel(inline=True)
def _forced(state):
    """Find who decides next; return their only action (8.1), SEVERAL, or NO_ACTION at the end."""
    if state.phase == Phase.MOVE.value:
        player = np.int64(state.to_play)
        for _ in range(state.num_players):
            player = player + 1 if player + 1 < state.num_players else 0
            action = _sole_move(state, player)
            if action != NO_ACTION:  # else the player sits out (3.6)
                state.to_play = player
                return action
        return NO_ACTION
    if state.phase == Phase.TAKE.value:
        return _sole_take(state)
    if state.phase == Phase.GIVE.value and not EXCHANGE_OPTIONAL:
        return _sole_give(state)
    return SEVERAL


@kernel
def _place(state, cell):
    """Place the next stone; after the second the first turn begins (2.3, 2.4)."""
    if state.stone[0] == NO_CELL:
        state.stone[0] = cell
    else:
        state.stone[1] = cell
        state.phase = Phase.MOVE.value
        _find_rays(state)


@kernel
def _move(state, move):
    """Move a stone, pay, take the tile, and begin what a complete fossil brings (3.1 to 3.8)."""
    move = np.int64(index(move))
    ray, passed = move // N_TILES, move % N_TILES
    player, stone = np.int64(index(state.to_play)), ray // 4
    start = np.int64(index(state.stone[stone]))
    row, col = start // COLS, start % COLS
    _pay(state, player, -_cost(state, ray, passed))
    if ray % 2:  # right or left
        col = _target(state, ray, passed)
    else:
        row = _target(state, ray, passed)
    cell = row * COLS + col
    kind = np.int64(index(state.tile[index(cell)]))
    fossil = kind // N_VALUES
    state.stone[stone] = cell
    state.tile[cell] = NO_TILE
    state.line[0, col] &= ~(1 << row)
    state.line[1, row] &= ~(1 << col)
    state.left[fossil] -= 1
    _hand(state, player, kind, np.int64(1))
    _find_rays(state)
    if state.left[fossil] == 0:
        state.completed = fossil
        if _givable(state):  # 4.4
            state.phase = Phase.GIVE.value


@kernel
def _hand(state, player, kind, change):
    """Give a player a tile (1) or take one away (-1)."""
    player, kind = index(player), np.int64(index(kind))
    fossil = kind // N_VALUES
    held = state.held[player, kind] + change
    state.held[player, kind] = held
    state.count[player, fossil] += change
    state.total[player, fossil] += change * (kind % N_VALUES + 1)
    if held > 0:
        state.kinds[player] |= np.int64(1) << kind
    else:
        state.kinds[player] &= ~(np.int64(1) << kind)


@kernel
def _swap(state, choice):
    """Exchange the tile given for one of the same value (4.1, 4.2)."""
    player, opponent = np.int64(state.to_play), _opponent(state, choice // N_FOSSILS)
    given = np.int64(state.given)
    taken = choice % N_FOSSILS * N_VALUES + given % N_VALUES
    _hand(state, player, given, np.int64(-1))
    _hand(state, player, taken, np.int64(1))
    _hand(state, opponent, taken, np.int64(-1))
    _hand(state, opponent, given, np.int64(1))
    state.given = NO_KIND
