"""Three tiny games that share their kernels, one of them for one seat, one for one or two.

In each a seat has four turns. It digs carefully for 2 points, or deep for a die's points less one;
in its first turn it may blast for 3.

`SHAFTS` is for two or three seats, most points win. In `HOUSE` one player plays against the house,
which digs after each of the player's turns: by the rules (deep while it is behind, carefully while
it is not), or as a seat of its own, the automated opponent's. `LONE` is that game without the
choice: for one seat only. The result of who plays alone is the lead over the house, 1 for a lead of
12 points or more.
"""

import dataclasses
import sys
from enum import IntEnum
from types import ModuleType

import numpy as np

from bonebed.envs import table
from bonebed.envs.aec import BoardEnv, maker
from bonebed.kernels import records, rng, rules
from bonebed.kernels.jit import kernel
from toy import NO_SHEET

TURNS = 4
SIDES = 6
CAREFUL, DEEP, BLAST = 0, 1, 2
SURE = np.array([2, 0, 3])  # points
FULL_LEAD = 12.0


class Stream(IntEnum):
    """Sources of chance."""

    DIE = 0
    HOUSE = 1


def state_dtype(max_players, *fields):
    """Return the record of a game: what all have, and more."""
    header = rules.header(len(Stream), max_players)
    return rules.record(rules.spare([*header, ("left", "i1", (max_players,)), *fields]))


# never all 0, which PettingZoo's api_test warns of
OBS = rules.record([("seats", "f4"), ("turn", "f4"), ("lead", "f4"), ("left", "f4")])


@kernel
def reset(state, options, seed):
    """Give every seat its turns."""
    records.clear(state)
    state.seed = seed
    state.num_players = options.num_players
    for player in range(state.num_players):
        state.left[player] = TURNS
    choose_house(state, options)


@records.if_has("house")
def choose_house(state, options):
    """Note who plays the house."""
    state.house = options.house


@kernel
def legal(state, actions):
    """List the ways to dig."""
    actions[0] = CAREFUL
    actions[1] = DEEP
    actions[2] = BLAST
    if state.done:
        return np.int64(0)
    return np.int64(3 if state.left[state.to_play] == TURNS else 2)


@kernel(apart=True)
def _dig(state, action, stream):
    """Return the points of a dig."""
    if action == DEEP:
        return np.int64(rng.draw(state, stream, SIDES))
    return np.int64(SURE[action])


@kernel
def step(state, action):
    """Dig, let the house dig where nobody plays it, and pass the turn."""
    for player in range(len(state.gain)):
        state.gain[player] = 0
    player = state.to_play
    state.ply += 1
    points = _dig(state, action, np.int64(Stream.DIE.value))
    state.gain[player] = points
    state.score[player] += points
    state.left[player] -= 1
    if state.num_players == 1:
        _house_digs(state)
    state.to_play = (player + 1) % state.num_players
    if state.left[state.to_play] == 0:
        state.done = 1


@records.if_has("takings")
@kernel(apart=True)
def _house_digs(state):
    """Dig as the rules say."""
    behind = state.takings < state.score[0]
    state.takings += _dig(state, np.int64(behind), np.int64(Stream.HOUSE.value))


@kernel
def house_choice(state):
    """Return how the rules dig where the house is a seat."""
    return np.int64(DEEP if state.score[1] < state.score[0] else CAREFUL)


@records.if_has("takings", otherwise=0)
def takings(state):
    """Return the points of the house where the rules play it."""
    return np.int64(state.takings)


@kernel
def lead(state, player):
    """Return by how much a seat is ahead of the mean of the others, or of the house."""
    n = np.int64(state.num_players)
    if n == 1:
        return np.float64(state.score[0] - takings(state))
    total = np.int64(0)
    for seat in range(n):
        total += state.score[seat]
    return (np.float64(state.score[player]) * n - total) / (n - 1)


@kernel
def observe(state, player, obs):
    """Write the lead, the turns that are left, and whether it is the seat's turn."""
    obs.seats = state.num_players / np.float32(3)
    obs.turn = np.float32(state.to_play == player and not state.done)
    obs.lead = lead(state, player) / (TURNS * SIDES)
    obs.left = state.left[player] / TURNS


@kernel
def resample(state, player, seed):
    """Re-seed; nothing is hidden."""
    state.seed = seed


@kernel
def outcome(state, out):
    """Write the result by points; alone by the lead over the house."""
    if state.num_players == 1:
        out[0] = max(-1.0, min(1.0, lead(state, np.int64(0)) / FULL_LEAD))
    else:
        rules.rank_outcome(state.score, state.num_players, out)


MOST = TURNS * SIDES
SHAFTS = rules.register(
    rules.Rules(
        name="toy_shafts",
        title="Shafts",
        STATE=state_dtype(3),
        OBS=OBS,
        options=(rules.Option("num_players", (2, 3), 2, "number of players"),),
        actions=rules.ActionTable(dig={"way": 3}),
        streams=Stream,
        max_decisions=3 * TURNS,
        perfect_information=True,
        sheet=NO_SHEET,
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample,
        outcome=outcome,
        value=lead,
        bounds={"score": (0, MOST), "gain": (0, SIDES), "phase": (0, 0), "left": (0, TURNS)},
    )
)
HOUSE = rules.register(
    dataclasses.replace(
        SHAFTS,
        name="toy_house",
        title="House",
        STATE=state_dtype(2, ("takings", "i4"), ("house", "i1")),
        options=(
            rules.Option("num_players", (1, 2), 1, "seats", follows="house"),
            rules.Option("house", ("rules", "seat"), "rules", "who plays the house"),
        ),
        max_decisions=2 * TURNS,
        bounds=SHAFTS.bounds | {"takings": (0, MOST)},
        agent_names=("player_0", "house_0"),
        automatic=rules.Automatic(1, house_choice),
    )
)
LONE = rules.register(
    dataclasses.replace(
        HOUSE,
        name="toy_lone",
        title="Lone",
        STATE=state_dtype(1, ("takings", "i4")),
        options=(rules.Option("num_players", (1,), 1, "one"),),
        max_decisions=TURNS,
        agent_names=(),
        automatic=None,
    )
)


# --- faces ----------------------------------------------------------------------------------------


def describe(state, action):
    """Say what an action does."""
    return ("dig carefully", "dig deep", "blast")[action]


def draw(state, player=None):
    """Draw the points."""
    return f"points {state.score[: state.num_players].tolist()}, the house {int(takings(state))}"


def _face(game):
    """Put a game's rules and face where the table looks for them; returns its row."""
    face = ModuleType(f"bonebed.envs.{game.name}_v0")
    face.describe, face.draw = describe, draw
    metadata = BoardEnv.metadata | {"name": f"{game.name}_v0"}
    face.raw_env = type("raw_env", (BoardEnv,), {"game": game.name, "metadata": metadata})
    face.raw_env.__module__ = face.__name__
    face.env = maker(face.raw_env)
    kernels = ModuleType(f"bonebed.kernels.{game.name}")
    kernels.RULES = game
    sys.modules |= {face.__name__: face, kernels.__name__: kernels}
    ids = f"bonebed/{game.name}-v0", f"bonebed/{game.name}-v0"
    modules = f"kernels.{game.name}", f"envs.{game.name}_v0"
    return table.Game(game.name, game.title, *modules, *ids)


ROWS = {game.name: _face(game) for game in (SHAFTS, HOUSE, LONE)}
"""Rows for the table of games, by name; a test that needs them puts them there."""
