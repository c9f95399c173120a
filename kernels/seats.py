"""One learning seat in each of many games, the other seats played inside the call.

Written once for all games. A single-agent trainer sees a game from one seat: it decides, then the
others move, then it decides again. This driver plays on from the learner's decision to its next one
(or to the end) in one compiled call. Opponents with a compiled policy are played here; for any
other the driver stops with the game marked `WAITING`, the caller asks the agent, hands its action
to `reply`, and the driver goes on.

Chance: game k of a slot has the seed `bits(slot.seed, EPISODE, k)`, a seat that is drawn is
`below(game's seed, SEAT, 0, num_players)`, and the luck that an opponent gets for its decision is
`luck(state)`.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from . import batch, rules
from .jit import kernel
from .rng import Driver, below, bits

ANY_SEAT = -1  # the learner's seat is drawn for every game
NO_ILLEGAL = -1
SCRATCH = 3  # states that a compiled opponent needs to think
EPISODE = int(Driver.EPISODE)
AGENT = int(Driver.AGENT)
SEAT = int(Driver.SEAT)
RESAMPLE = int(Driver.RESAMPLE)


class Policy(IntEnum):
    """Who plays an opponent's seat."""

    OUTSIDE = 0  # the caller, through `reply`
    RANDOM = 1
    GREEDY = 2


class Status(IntEnum):
    """What a game waits for."""

    READY = 0  # the learner's decision
    WAITING = 1  # the decision of an opponent outside
    OVER = 2  # a reset, or the next step under NEXT_STEP
    NEW = 3  # its first reset


class Autoreset(IntEnum):
    """When the next game of a slot is dealt."""

    SAME_STEP = 0  # in the step that ends a game
    NEXT_STEP = 1  # in the step after it
    DISABLED = 2  # when the caller asks for it


class Reward(IntEnum):
    """What the learner is paid."""

    OUTCOME = 0  # the final result in [-1, 1], at the end
    POINTS = 1  # its own points as they are scored
    MARGIN = 2  # its own points less the mean of the others'


OUTSIDE, RANDOM = int(Policy.OUTSIDE), int(Policy.RANDOM)
READY, WAITING, OVER = int(Status.READY), int(Status.WAITING), int(Status.OVER)
SAME_STEP = int(Autoreset.SAME_STEP)
OUTCOME, POINTS = int(Reward.OUTCOME), int(Reward.POINTS)

SLOT = np.dtype(
    (
        np.record,
        [
            ("seed", "u8"),  # of the slot's sequence of games
            ("game", "i8"),  # number of the current game in that sequence
            ("own", "i8"),  # points of the learner that it was not yet paid for
            ("others", "i8"),  # the same of all other seats together
            ("length", "i4"),  # decisions of the learner in this game
            ("seat", "i1"),  # the learner's
            ("status", "i1"),  # Status
            ("opponent", "i1"),  # who is asked while WAITING: seats after the learner, less one
            ("forfeit", "i1"),  # 1: the learner's illegal action ended the game
        ],
    )
)


class Table(NamedTuple):
    """The games and how they are played.

    Attributes
    ----------
    states : (B,) STATE
    slots : (B,) SLOT
    options : (1,) OPTIONS
    policies : (num_players - 1,) int64
        Policy of the seats after the learner's, in turn order.
    samples : (num_players - 1,) int64
        Determinizations of a greedy opponent; not read for others.
    scratch : (SCRATCH,) STATE
    seat : int
        The learner's seat, or ANY_SEAT.
    reward : int
        A Reward.
    autoreset : int
        An Autoreset.
    illegal_reward : float
        Reward for an illegal action, which then ends the game; NaN: it is refused.
    """

    states: Any
    slots: Any
    options: Any
    policies: Any
    samples: Any
    scratch: Any
    seat: int
    reward: int
    autoreset: int
    illegal_reward: float


class Out(NamedTuple):
    """What a step writes, in place.

    Attributes
    ----------
    obs : (B,) OBS
        From the learner's seat; of the next game where one was dealt.
    flat : (B, obs_size) float32
        The same memory.
    mask : (B, n_actions) int8
        1 = legal; all 0 where a game is over.
    reward : (B,) float64
    done : (B,) bool
        A game ended in this step.
    final_obs : (B,) OBS
        Of the games that ended, written under SAME_STEP only.
    final_flat : (B, obs_size) float32
        The same memory.
    final_seat : (B,) int64
        The learner's seat in the games that ended.
    score : (B, num_players) int32
        Of the games that ended.
    outcome : (B, num_players) float32
        Of the games that ended.
    """

    obs: Any
    flat: Any
    mask: Any
    reward: Any
    done: Any
    final_obs: Any
    final_flat: Any
    final_seat: Any
    score: Any
    outcome: Any


@kernel
def luck(state):
    """Return the luck given to whoever takes the current decision.

    A pure function of the game's seed and the number of decisions before this one. Each draw alone
    could be turned back into the seed, and with it into the game's future; the exclusive or of two
    cannot.

    Parameters
    ----------
    state : STATE record

    Returns
    -------
    uint64
    """
    k = np.int64(state.ply) * 2
    return bits(state.seed, AGENT, k) ^ bits(state.seed, AGENT, k + 1)


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


@kernel
def deal(table, i):
    """Deal the current game of slot i and seat the learner.

    Parameters
    ----------
    table : Table
        states[i] and slots[i] are written.
    i : int
    """
    state = table.states[i]
    slot = table.slots[i]
    seed = bits(slot.seed, EPISODE, slot.game)
    rules.reset(state, table.options[0], seed)
    seat = np.int64(table.seat)
    if seat == ANY_SEAT:
        seat = below(seed, SEAT, 0, state.num_players)
    slot.seat = seat
    slot.own = 0
    slot.others = 0
    slot.length = 0
    slot.forfeit = 0


@kernel
def play(table, i, action):
    """Play one action in game i and book its points.

    Parameters
    ----------
    table : Table
        states[i], slots[i].own and slots[i].others are written.
    i : int
    action : int
        Must be legal; not checked here.
    """
    state = table.states[i]
    slot = table.slots[i]
    rules.step(state, action)
    total = np.int64(0)
    for player in range(state.num_players):
        total += np.int64(state.gain[player])
    own = np.int64(state.gain[slot.seat])
    slot.own += own
    slot.others += total - own


@kernel
def pay(table, i):
    """Hand out what the learner has earned since it was last paid.

    Parameters
    ----------
    table : Table
        slots[i].own and slots[i].others are set to 0.
    i : int

    Returns
    -------
    float64
        Points or margin; 0 where only the outcome counts.
    """
    slot = table.slots[i]
    reward = 0.0
    if table.reward != OUTCOME:
        reward = np.float64(slot.own)
        if table.reward != POINTS:
            reward -= np.float64(slot.others) / (np.float64(table.states[i].num_players) - 1.0)
    slot.own = 0
    slot.others = 0
    return reward


@kernel
def show(table, i, obs, flat):
    """Write what the learner of game i sees.

    Parameters
    ----------
    table : Table
    i : int
    obs : (B,) OBS, out
        Row i is written.
    flat : (B, obs_size) float32, out
        The same memory.
    """
    flat[i, :] = 0.0
    rules.observe(table.states[i], table.slots[i].seat, obs[i])


@kernel
def finish(table, out, i):
    """Write the learner's last reward in game i and the game's result.

    Parameters
    ----------
    table : Table
    out : Out
        reward, done, final_seat, score and outcome of game i are written; its final_obs too under
        SAME_STEP.
    i : int
    """
    state = table.states[i]
    slot = table.slots[i]
    n = np.int64(state.num_players)
    rules.outcome(state, out.outcome[i])
    reward = pay(table, i)
    if slot.forfeit:
        reward = table.illegal_reward
        for player in range(n):
            out.outcome[i, player] = 1.0 / (n - 1.0)
        out.outcome[i, slot.seat] = -1.0
    elif table.reward == OUTCOME:
        reward = np.float64(out.outcome[i, slot.seat])
    out.reward[i] = reward
    out.done[i] = True
    out.final_seat[i] = slot.seat
    for player in range(n):
        out.score[i, player] = state.score[player]
    if table.autoreset == SAME_STEP:
        show(table, i, out.final_obs, out.final_flat)


@kernel
def respond(table, i, offset, actions):
    """Choose the action of a compiled opponent in game i, as the agent of the same name would.

    Parameters
    ----------
    table : Table
        scratch is overwritten.
    i : int
    offset : int
        Which opponent: seats after the learner, less one.
    actions : (n_actions,) int32, scratch

    Returns
    -------
    int64
    """
    state = table.states[i]
    seed = luck(state)
    if table.policies[offset] == RANDOM:
        n = rules.legal(state, actions)
        return np.int64(actions[below(seed, AGENT, 0, n)])
    table.scratch[0] = state
    known = table.scratch[0]
    rules.resample(known, state.to_play, bits(seed, RESAMPLE, 0))
    return batch.greedy_action(known, seed, table.samples[offset], actions, table.scratch[1:])


@kernel
def settle(table, out, i, actions):
    """Play game i on until it waits for somebody outside.

    A game that ends before the learner decided in it is skipped; the next one is dealt.

    Parameters
    ----------
    table : Table
        states[i] and slots[i] are written.
    out : Out
        Row i is written, but for a game that waits for an opponent.
    i : int
    actions : (n_actions,) int32, scratch
    """
    state = table.states[i]
    slot = table.slots[i]
    while True:
        if state.done:
            if slot.length > 0:
                finish(table, out, i)
                if table.autoreset != SAME_STEP:
                    slot.status = OVER
                    show(table, i, out.obs, out.flat)
                    out.mask[i, :] = 0
                    return
            slot.game += 1
            deal(table, i)
        elif state.to_play == slot.seat:
            slot.status = READY
            if slot.length > 0:  # before its first decision there is no transition to pay for
                out.reward[i] = pay(table, i)
            batch.present(state, actions, out.flat[i], out.obs[i], out.mask[i])
            return
        else:
            n = np.int64(state.num_players)
            offset = (np.int64(state.to_play) - np.int64(slot.seat) - 1 + n) % n
            if table.policies[offset] == OUTSIDE:
                slot.status = WAITING
                slot.opponent = offset
                return
            play(table, i, respond(table, i, offset, actions))


@kernel
def show_all(table, out):
    """Write what the learners see now.

    Parameters
    ----------
    table : Table
    out : Out
        obs and mask of all games that were dealt.
    """
    actions = np.empty(out.mask.shape[1], np.int32)
    for i in range(len(table.slots)):
        if table.slots[i].status == READY:
            batch.present(table.states[i], actions, out.flat[i], out.obs[i], out.mask[i])
        elif table.slots[i].status == OVER:
            show(table, i, out.obs, out.flat)
            out.mask[i, :] = 0


@kernel
def is_legal(state, action, actions):
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
def count_waiting(table):
    """Count the games that wait for an opponent outside.

    Parameters
    ----------
    table : Table

    Returns
    -------
    int64
    """
    waiting = np.int64(0)
    for i in range(len(table.slots)):
        if table.slots[i].status == WAITING:
            waiting += 1
    return waiting


@kernel
def start(table, out, chosen, seeds, seeded):
    """Deal new games in the chosen slots and play to the learner's first decision.

    Parameters
    ----------
    table : Table
    out : Out
        Rewards and ends of the chosen slots are cleared.
    chosen : (B,) bool
    seeds : (B,) uint64
        Seeds of the sequences of games.
    seeded : (B,) bool
        True: the slot begins the sequence of its seed; False: it goes on with the next game of its
        own.

    Returns
    -------
    int64
        Number of games that wait for an opponent outside.
    """
    actions = np.empty(out.mask.shape[1], np.int32)
    for i in range(len(table.slots)):
        if chosen[i]:
            slot = table.slots[i]
            slot.game += 1
            if seeded[i]:
                slot.seed = seeds[i]
                slot.game = 0
            out.reward[i] = 0.0
            out.done[i] = False
            deal(table, i)
            settle(table, out, i, actions)
    return count_waiting(table)


@kernel
def first_illegal(table, chosen, actions):
    """Find an illegal action of the learners.

    Parameters
    ----------
    table : Table
    chosen : (B,) int64
        The learners' actions; not read where a game is over.
    actions : (n_actions,) int32, scratch

    Returns
    -------
    int64
        The first game with one, or NO_ILLEGAL.
    """
    for i in range(len(table.slots)):
        if table.slots[i].status == READY and not is_legal(table.states[i], chosen[i], actions):
            return i
    return NO_ILLEGAL


@kernel
def turn(table, out, chosen):
    """Play the learners' actions and go on to their next decisions.

    Parameters
    ----------
    table : Table
        No slot may be WAITING. A slot that is OVER is dealt its next game, its action is not read.
    out : Out
    chosen : (B,) int64
        One action for each game.

    Returns
    -------
    int64
        Number of games that wait for an opponent outside; -1 - i if the action in game i is illegal
        and refused: then nothing was changed.
    """
    actions = np.empty(out.mask.shape[1], np.int32)
    refuse = np.isnan(table.illegal_reward)
    if refuse:
        illegal = first_illegal(table, chosen, actions)
        if illegal != NO_ILLEGAL:
            return -1 - illegal
    for i in range(len(table.slots)):
        slot = table.slots[i]
        out.reward[i] = 0.0
        out.done[i] = False
        if slot.status == OVER:
            slot.game += 1
            deal(table, i)
        else:
            slot.length += 1
            if refuse or is_legal(table.states[i], chosen[i], actions):
                play(table, i, chosen[i])
            else:
                table.states[i].done = 1
                slot.forfeit = 1
        settle(table, out, i, actions)
    return count_waiting(table)


@kernel
def reply(table, out, games, chosen):
    """Play the actions of opponents outside and go on.

    Parameters
    ----------
    table : Table
        The slots `games` must be WAITING.
    out : Out
    games : (n,) int64
    chosen : (n,) int64
        One action for each of these games.

    Returns
    -------
    int64
        Number of games that wait for an opponent outside; -1 - k if action k is illegal: then
        nothing was changed.
    """
    actions = np.empty(out.mask.shape[1], np.int32)
    for k in range(len(games)):
        if not is_legal(table.states[games[k]], chosen[k], actions):
            return -1 - k
    for k in range(len(games)):
        play(table, games[k], chosen[k])
        settle(table, out, games[k], actions)
    return count_waiting(table)
