"""Two tiny games with values known by arithmetic, to test what is written once for all games.

`NIM` has no chance and nothing hidden. Three heaps; who is to move takes any number of stones from
one of them. Who takes the last stone is first, who took before them second, and so on; those who
never took share the last places. With two players that is plain Nim; with three, others may decide
who wins.

`CAMP` has both. Five finds, three of kind 0 and one each of kinds 1 and 2, of which every seat
holds one that only it knows. In seat order each takes one action: show the own find for kind + 1
points, roll a die for its points, or guess the next seat's find, for prize + kind points if that is
right. Most points win. What a seat may show depends on what it holds, so others cannot know its
legal actions, and who holds one of the rare finds knows that no other seat does.
"""

from enum import IntEnum
from pathlib import Path

import numpy as np

from bonebed.kernels import rng, rules, sheet
from bonebed.kernels.jit import kernel

NO_SHEET = sheet.Sheet(Path(__file__), "0" * 16, {})
MAX_PLAYERS = 3
PLAYERS = rules.Option("num_players", (2, 3), 2, "number of players")


@kernel
def margin(state, player):
    """Return a seat's points less the mean of the others."""
    total = 0.0
    for seat in range(state.num_players):
        total += state.score[seat]
    n = state.num_players
    return state.score[player] * n / (n - 1) - total / (n - 1)


@kernel
def by_points(state, out):
    """Write the result: most points first."""
    rules.rank_outcome(state.score, state.num_players, out)


@kernel
def begin(state, options, seed):
    """Fill the header of a fresh game in which seat 0 moves first."""
    state.seed = seed
    state.num_players = options.num_players
    for i in range(len(state.draws)):
        state.draws[i] = 0
    for player in range(MAX_PLAYERS):
        state.score[player] = 0
        state.gain[player] = 0
    state.ply = 0
    state.to_play = 0
    state.phase = 0
    state.done = 0


# --- nim ------------------------------------------------------------------------------------------

N_HEAPS = 3
MOST = 7  # stones in a heap


class NimStream(IntEnum):
    """Sources of chance."""

    HEAPS = 0


NIM_STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(NimStream), MAX_PLAYERS),
            ("heap", "i1", (N_HEAPS,)),
            ("taken", "i1"),  # moves made
        ]
    )
)
NIM_OBS = rules.record([("turn", "f4", (MAX_PLAYERS,)), ("heap", "f4", (N_HEAPS,))])


@kernel
def nim_reset(state, options, seed):
    """Draw the heaps: 2 to 7 stones each."""
    begin(state, options, seed)
    state.taken = 0
    for heap in range(N_HEAPS):
        state.heap[heap] = 2 + rng.draw(state, NimStream.HEAPS.value, MOST - 1)


@kernel
def nim_legal(state, actions):
    """List the takes: heap * 7 + stones - 1."""
    n = 0
    for heap in range(N_HEAPS):
        for stones in range(state.heap[heap]):
            actions[n] = heap * MOST + stones
            n += 1
    return n


@kernel
def nim_step(state, action):
    """Take stones; the very last one, when it stands alone, is taken by itself."""
    for player in range(MAX_PLAYERS):
        state.gain[player] = 0
    state.ply += 1
    nim_take(state, action)
    while state.heap[0] + state.heap[1] + state.heap[2] == 1:
        for heap in range(N_HEAPS):
            if state.heap[heap] == 1:
                nim_take(state, heap * MOST)
    if state.heap[0] + state.heap[1] + state.heap[2] == 0:
        state.done = 1


@kernel
def nim_take(state, action):
    """Take stones and pass the turn; a seat's points are the number of its latest move."""
    player = state.to_play
    state.heap[action // MOST] -= action % MOST + 1
    state.taken += 1
    state.gain[player] += state.taken - state.score[player]
    state.score[player] = state.taken
    state.to_play = (player + 1) % state.num_players


@kernel
def nim_observe(state, player, obs):
    """Write whose turn it is and the heaps."""
    if not state.done:
        obs.turn[(state.to_play - player) % state.num_players] = 1.0
    for heap in range(N_HEAPS):
        obs.heap[heap] = state.heap[heap] / MOST


@kernel
def nim_resample(state, player, seed):
    """Re-seed; nothing is hidden."""
    state.seed = seed


NIM = rules.register(
    rules.Rules(
        name="toy_nim",
        title="Nim",
        STATE=NIM_STATE,
        OBS=NIM_OBS,
        options=(PLAYERS,),
        actions=rules.ActionTable(take={"heap": N_HEAPS, "stones": MOST}),
        streams=NimStream,
        max_decisions=N_HEAPS * MOST,
        perfect_information=True,
        sheet=NO_SHEET,
        reset=nim_reset,
        legal=nim_legal,
        step=nim_step,
        observe=nim_observe,
        resample=nim_resample,
        outcome=by_points,
        value=margin,
        bounds={
            "score": (0, N_HEAPS * MOST),
            "gain": (0, N_HEAPS * MOST),
            "phase": (0, 0),
            "heap": (0, MOST),
            "taken": (0, N_HEAPS * MOST),
        },
    )
)

# --- camp -----------------------------------------------------------------------------------------

N_KINDS = 3
N_OF_KIND = np.array([3, 1, 1])
N_FINDS = 5
SIDES = 6
SHOW, ROLL, GUESS = 0, N_KINDS, N_KINDS + 1
UNKNOWN = -1


class CampStream(IntEnum):
    """Sources of chance."""

    FIND = 0
    DIE = 1


CAMP_STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(CampStream), MAX_PLAYERS),
            ("find", "i1", (MAX_PLAYERS,)),
            ("prize", "i1"),
        ]
    )
)
CAMP_OBS = rules.record(
    [
        ("turn", "f4", (MAX_PLAYERS,)),
        ("score", "f4", (MAX_PLAYERS,)),  # points / 32, in the order of seats
        ("find", "f4", (N_KINDS,)),
    ]
)


@kernel
def camp_reset(state, options, seed):
    """Deal the finds."""
    begin(state, options, seed)
    state.prize = options.prize
    for player in range(MAX_PLAYERS):
        state.find[player] = UNKNOWN
    for player in range(state.num_players):
        state.find[player] = camp_left(
            state, rng.draw(state, CampStream.FIND.value, N_FINDS - player)
        )


@kernel
def camp_left(state, k):
    """Return the kind of the k-th find that no seat is known to hold."""
    for kind in range(N_KINDS):
        k -= N_OF_KIND[kind]
        for player in range(state.num_players):
            if state.find[player] == kind:
                k += 1
        if k < 0:
            return kind
    return UNKNOWN


@kernel
def camp_legal(state, actions):
    """List the actions: showing the own find, rolling, guessing each kind."""
    actions[0] = SHOW + state.find[state.to_play]
    actions[1] = ROLL
    for kind in range(N_KINDS):
        actions[2 + kind] = GUESS + kind
    return 2 + N_KINDS


@kernel
def camp_step(state, action):
    """Score the action and pass the turn; the game ends after the last seat's."""
    for player in range(MAX_PLAYERS):
        state.gain[player] = 0
    player = state.to_play
    state.ply += 1
    if action < ROLL:
        points = action - SHOW + 1
    elif action == ROLL:
        points = 1 + rng.draw(state, CampStream.DIE.value, SIDES)
    elif action - GUESS == state.find[(player + 1) % state.num_players]:
        points = np.int64(state.prize) + action - GUESS
    else:
        points = np.int64(0)
    state.gain[player] = points
    state.score[player] += points
    if player == state.num_players - 1:
        state.done = 1
    else:
        state.to_play = player + 1


@kernel
def camp_observe(state, player, obs):
    """Write whose turn it is, the points and the own find."""
    for seat in range(state.num_players):
        obs.score[seat] = state.score[seat] / 32.0
    if not state.done:
        obs.turn[(state.to_play - player) % state.num_players] = 1.0
    obs.find[state.find[player]] = 1.0


@kernel
def camp_resample(state, player, seed):
    """Deal the finds of the others anew from those that the seat does not hold; re-seed the die."""
    for seat in range(state.num_players):
        if seat != player:
            state.find[seat] = UNKNOWN
    left = N_FINDS - 1
    for seat in range(state.num_players):
        if seat != player:
            state.find[seat] = camp_left(
                state, rng.below(seed, rng.Driver.RESAMPLE.value, seat, left)
            )
            left -= 1
    state.seed = seed


def camp_bounds_of_find(states):
    """Let exactly the seats in the game hold a find."""
    plays = np.arange(MAX_PLAYERS) < states["num_players"][:, None]
    return np.where(plays, 0, UNKNOWN), np.where(plays, N_KINDS - 1, UNKNOWN)


CAMP = rules.register(
    rules.Rules(
        name="toy_camp",
        title="Camp",
        STATE=CAMP_STATE,
        OBS=CAMP_OBS,
        options=(
            PLAYERS,
            rules.Option("prize", tuple(range(10)), 5, "points of a right guess, less the kind"),
        ),
        actions=rules.ActionTable(show={"kind": N_KINDS}, roll={}, guess={"kind": N_KINDS}),
        streams=CampStream,
        max_decisions=MAX_PLAYERS,
        perfect_information=False,
        sheet=NO_SHEET,
        reset=camp_reset,
        legal=camp_legal,
        step=camp_step,
        observe=camp_observe,
        resample=camp_resample,
        outcome=by_points,
        value=margin,
        bounds={
            "score": (0, 9 + N_KINDS - 1),  # one action each: a right guess for the largest prize
            "gain": (0, 9 + N_KINDS - 1),
            "phase": (0, 0),
            "find": camp_bounds_of_find,
        },
    )
)
