"""One learning seat in each of many games, the other seats played inside the call.

Written once for all games. A single-agent trainer sees a game from one seat: it decides, then the
others move, then it decides again. This driver plays on from the learner's decision to its next one
(or to the end) in one compiled call. Opponents with a compiled policy are played here; for any
other the driver stops with the game marked `WAITING`, the caller asks the agent and hands its
action in.

Chance: game k of a slot has the seed `bits(slot.seed, EPISODE, k)`, a seat that is drawn is
`below(game's seed, SEAT, 0, num_players)`, and the luck that an opponent gets for its decision is
`luck(state)`.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from . import batch, rules
from .jit import kernel
from .records import copy
from .rng import FIRST, Driver, below, bits

ANY_SEAT = -1  # the learner's seat is drawn for every game
N_SCRATCH = 3  # states that a compiled opponent needs to think
NOW, FINAL = np.int64(0), np.int64(1)  # planes of `Table.obs`


class Policy(IntEnum):
    """Who plays an opponent's seat."""

    OUTSIDE = 0  # the caller
    RANDOM = 1
    GREEDY = 2


class Status(IntEnum):
    """What a game waits for."""

    NEW = 0  # its next game to be dealt
    READY = 1  # the learner's decision
    WAITING = 2  # the decision of an opponent outside
    OVER = 3  # its next game to be dealt; what is shown is the end of the old one


class Autoreset(IntEnum):
    """When the next game of a slot is dealt."""

    SAME_STEP = 0  # in the step that ends a game
    NEXT_STEP = 1  # in the step after it
    DISABLED = 2  # when the caller asks for it


class Reward(IntEnum):
    """What the learner is paid."""

    OUTCOME = 0  # the final result in [-1, 1], at the end
    POINTS = 1  # its own points as they are scored
    MARGIN = 2  # its own points less the mean of the others'; alone, its own points


def slot_dtype(max_players):
    """Return the record that goes with each game.

    Parameters
    ----------
    max_players : int
        Of the rules.

    Returns
    -------
    numpy.dtype
    """
    fields = [
        ("seed", "u8"),  # of the slot's sequence of games
        ("game", "i8"),  # number of the current game in that sequence
        ("own", "i8"),  # points of the learner that it was not yet paid for
        ("others", "i8"),  # the same of all other seats together
        ("reward", "f8"),  # of the last step
        ("total", "f8"),  # rewards in this game
        ("final_total", "f8"),  # rewards in the last game that ended
        ("score", "i4", (max_players,)),  # of the last game that ended
        ("outcome", "f4", (max_players,)),  # of the last game that ended
        ("length", "i4"),  # decisions of the learner in this game
        ("final_length", "i4"),  # decisions of the learner in the last game that ended
        ("seat", "i1"),  # the learner's
        ("final_seat", "i1"),  # the learner's in the last game that ended
        ("status", "i1"),  # Status
        ("opponent", "i1"),  # who is asked while WAITING: seats after the learner, less one
        ("done", "i1"),  # 1: the last step ended a game
        ("forfeit", "i1"),  # 1: the learner's illegal action ended this game
    ]
    return rules.record(rules.spare(fields))


def setup_dtype(max_players):
    """Return the record of what all games of a table have in common.

    Parameters
    ----------
    max_players : int
        Of the rules.

    Returns
    -------
    numpy.dtype
    """
    fields = [
        ("illegal_reward", "f8"),  # of an illegal action that ends the game
        ("samples", "i8", (max_players,)),  # positions that a greedy opponent averages over
        ("policy", "i1", (max_players,)),  # Policy of the seats after the learner's
        ("seat", "i1"),  # the learner's, or ANY_SEAT
        ("reward", "i1"),  # Reward
        ("autoreset", "i1"),  # Autoreset
        ("refuse", "i1"),  # 1: an illegal action is refused; 0: it ends the game
    ]
    return rules.record(rules.spare(fields))


class Table(NamedTuple):
    """The games, how they are played, and what a step writes.

    Attributes
    ----------
    states : (B,) STATE
    slots : (B,) slot_dtype
    setup : (1,) setup_dtype
    options : (1,) OPTIONS
    scratch : (N_SCRATCH,) STATE
    obs : (2, B) OBS
        From the learner's seat: NOW, and FINAL of the games that ended (under SAME_STEP only).
    flat : (2, B, obs_size) float32
        The same memory.
    mask : (B, n_actions) int8
        1 = legal; all 0 where a game is over.
    actions : (n_actions,) int32
        Scratch.
    """

    states: Any
    slots: Any
    setup: Any
    options: Any
    scratch: Any
    obs: Any
    flat: Any
    mask: Any
    actions: Any


@kernel
def luck(state):
    """Return the luck given to whoever takes the current decision.

    A pure function of the game's seed and the number of decisions before this one. Each draw alone
    could be turned back into the seed, and with it into the game's future; the exclusive or of two
    can only be searched for, among seeds that can be guessed. Seeds drawn by chance have 64 bits.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    uint64
    """
    k = np.int64(state.ply) * 2
    agent = Driver.AGENT.value
    return bits(state.seed, agent, k) ^ bits(state.seed, agent, k + 1)


@kernel
def lucks(states, out):
    """Write the luck of each game's current decision.

    Parameters
    ----------
    states : (n,) STATE
    out : (n,) uint64, out
    """
    for i in range(len(states)):
        out[i] = luck(states[i])


@kernel(apart=True)
def _deal(state, slot, setup, options):
    """Deal the current game of a slot and seat the learner.

    Parameters
    ----------
    state : STATE record, out
    slot : slot_dtype record, in and out
    setup : setup_dtype record
    options : OPTIONS record
    """
    seed = bits(slot.seed, Driver.EPISODE.value, slot.game)
    rules.reset(state, options, seed)
    slot.seat = setup.seat
    if setup.seat == ANY_SEAT:
        slot.seat = below(seed, Driver.SEAT.value, FIRST, np.int64(state.num_players))
    slot.own = 0
    slot.others = 0
    slot.total = 0.0
    slot.length = 0
    slot.forfeit = 0


@kernel(apart=True)
def _play(state, slot, action):
    """Play one action and book its points.

    Parameters
    ----------
    state : STATE record, in and out
    slot : slot_dtype record, in and out
    action : int
        Must be legal; not checked here.
    """
    rules.step(state, action)
    total = np.int64(0)
    for player in range(state.num_players):
        total += np.int64(state.gain[player])
    own = np.int64(state.gain[slot.seat])
    slot.own += own
    slot.others += total - own


@kernel
def _pay(state, slot, setup):
    """Set the learner's reward to what it has earned since it was last paid.

    Parameters
    ----------
    state : STATE record
    slot : slot_dtype record, in and out
        reward becomes points or margin, or 0 where only the outcome counts.
    setup : setup_dtype record
    """
    slot.reward = 0.0
    if setup.reward != Reward.OUTCOME.value:
        slot.reward = slot.own
    if setup.reward == Reward.MARGIN.value and state.num_players > 1:
        slot.reward -= np.float64(slot.others) / np.float64(state.num_players - 1)
    slot.own = 0
    slot.others = 0


@kernel(apart=True)
def _finish(state, slot, setup):
    """Set the learner's last reward and the game's result.

    Parameters
    ----------
    state : STATE record
        Finished, or forfeited by the learner.
    slot : slot_dtype record, in and out
    setup : setup_dtype record
    """
    _pay(state, slot, setup)
    n = np.int64(state.num_players)
    rules.outcome(state, slot.outcome)
    if slot.forfeit:
        for player in range(n):
            slot.outcome[player] = -1.0 if player == slot.seat else 1.0 / (n - 1)
        slot.reward = setup.illegal_reward
    elif setup.reward == Reward.OUTCOME.value:
        slot.reward = slot.outcome[slot.seat]
    for player in range(n):
        slot.score[player] = state.score[player]
    slot.final_total = slot.total + slot.reward
    slot.final_length = slot.length
    slot.final_seat = slot.seat
    slot.done = 1


@kernel(apart=True)
def _respond(state, setup, offset, actions, scratch):
    """Choose the action of a compiled opponent, as the agent of the same name would.

    Parameters
    ----------
    state : STATE record
    setup : setup_dtype record
    offset : int
        Which opponent: seats after the learner, less one.
    actions : (n_actions,) int32, scratch
    scratch : (N_SCRATCH,) STATE, scratch

    Returns
    -------
    int64
    """
    seed = luck(state)
    if setup.policy[offset] == Policy.RANDOM.value:
        n = rules.legal(state, actions)
        return np.int64(actions[below(seed, Driver.AGENT.value, FIRST, n)])
    copy(scratch[0], state)
    known = scratch[0]
    rules.resample(known, state.to_play, bits(seed, Driver.RESAMPLE.value, FIRST))
    return batch.greedy_action(known, seed, setup.samples[offset], actions, scratch[1:])


@kernel(apart=True)
def _show(table, i, plane):
    """Write what the learner of game i sees of a game that is over.

    Parameters
    ----------
    table : Table
        obs[plane, i] is written.
    i : int
    plane : int
        NOW or FINAL; with NOW the mask is cleared too.
    """
    if plane == NOW:
        table.mask[i, :] = 0
    table.flat[plane, i, :] = 0.0
    rules.observe(table.states[i], table.slots[i].seat, table.obs[plane, i])


@kernel(apart=True)
def _settle(table, i):
    """Play game i on until it waits for somebody outside, and show it to the learner.

    A game that ends before the learner decided in it is skipped; the next one is dealt.

    Parameters
    ----------
    table : Table
        Row i is written; obs and mask are left alone while the game waits for an opponent.
    i : int
    """
    state, slot, setup = table.states[i], table.slots[i], table.setup[0]
    actions = table.actions
    while True:
        n = np.int64(state.num_players)
        offset = (np.int64(state.to_play) - slot.seat - 1 + n) % n
        if state.done:
            if slot.length > 0:
                _finish(state, slot, setup)
                if setup.autoreset != Autoreset.SAME_STEP.value:
                    slot.status = Status.OVER.value
                    _show(table, i, NOW)
                    return
                _show(table, i, FINAL)
            slot.game += 1
            _deal(state, slot, setup, table.options[0])
        elif state.to_play == slot.seat:
            if slot.length > 0:  # before its first decision there is nothing to be paid for
                _pay(state, slot, setup)
                slot.total += slot.reward
            slot.status = Status.READY.value
            batch.present(state, actions, table.flat[NOW, i], table.obs[NOW, i], table.mask[i])
            return
        elif setup.policy[offset] == Policy.OUTSIDE.value:
            slot.status = Status.WAITING.value
            slot.opponent = offset
            return
        else:
            _play(state, slot, _respond(state, setup, offset, actions, table.scratch))


@kernel(apart=True)
def _is_legal(state, action, actions):
    """Tell whether an action may be played.

    Parameters
    ----------
    state : STATE record
    action : int
        Any number.
    actions : (n_actions,) int32, scratch

    Returns
    -------
    bool
    """
    found = False
    for k in range(rules.legal(state, actions)):
        found |= actions[k] == action
    return found


@kernel
def run(table, games, choices):
    """Play one decision in each of some games and go on until they wait for somebody outside.

    Parameters
    ----------
    table : Table
    games : (n,) int64
        Each only once. READY ones play the learner's choice, WAITING ones the opponent's; the
        others are dealt their next game.
    choices : (n,) int64
        Actions; not read for games that are dealt.

    Returns
    -------
    int64
        Number of games of the table that wait for an opponent outside; -1 - k if choice k is
        illegal and refused: then nothing was changed.
    """
    actions = table.actions
    refuse = table.setup[0].refuse != 0
    for k in range(len(games)):
        status = table.slots[games[k]].status
        checked = status == Status.WAITING.value or (refuse and status == Status.READY.value)
        if checked and not _is_legal(table.states[games[k]], choices[k], actions):
            return -1 - k
    for k in range(len(games)):
        state, slot = table.states[games[k]], table.slots[games[k]]
        if slot.status == Status.WAITING.value:
            _play(state, slot, choices[k])
        else:
            slot.reward = 0.0
            slot.done = 0
            if slot.status != Status.READY.value:
                slot.game += 1
                _deal(state, slot, table.setup[0], table.options[0])
            else:
                slot.length += 1
                if refuse or _is_legal(state, choices[k], actions):
                    _play(state, slot, choices[k])
                else:
                    state.done = 1
                    slot.forfeit = 1
        _settle(table, games[k])
    waiting = 0
    for i in range(len(table.slots)):
        waiting += table.slots[i].status == Status.WAITING.value
    return waiting


@kernel
def show_all(table):
    """Write what the learners see now.

    Parameters
    ----------
    table : Table
        obs and mask of all games that were dealt are written.
    """
    for i in range(len(table.slots)):
        if table.slots[i].status == Status.READY.value:
            obs = table.obs[NOW, i]
            batch.present(table.states[i], table.actions, table.flat[NOW, i], obs, table.mask[i])
        elif table.slots[i].status == Status.OVER.value:
            _show(table, i, NOW)
