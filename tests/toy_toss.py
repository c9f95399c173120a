"""A tiny game with perfect information in which chance decides who moves.

`TOSS`: seat 0 can only throw a coin, which says what seat goes on. That seat claims the prize, a
point for itself, or waives it, a point for each of the others. Most points win: all should claim.
"""

from enum import IntEnum

from bonebed.kernels import rng, rules
from bonebed.kernels.jit import kernel
from toy import MAX_PLAYERS, NO_SHEET, PLAYERS, begin, by_points, margin

THROW, CLAIM, WAIVE = range(3)


class TossStream(IntEnum):
    """Sources of chance."""

    COIN = 0


TOSS_STATE = rules.record(rules.spare(rules.header(len(TossStream), MAX_PLAYERS)))
TOSS_OBS = rules.record([("turn", "f4", (MAX_PLAYERS,)), ("thrown", "f4")])


@kernel
def toss_reset(state, options, seed):
    """Let seat 0 begin."""
    begin(state, options, seed)


@kernel
def toss_legal(state, actions):
    """List the throw, or claim and waive."""
    if state.done:
        return 0
    if state.ply == 0:
        actions[0] = THROW
        return 1
    actions[0] = CLAIM
    actions[1] = WAIVE
    return 2


@kernel
def toss_step(state, action):
    """Throw the coin, or score and end the game."""
    for player in range(MAX_PLAYERS):
        state.gain[player] = 0
    state.ply += 1
    if action == THROW:
        state.to_play = rng.draw(state, TossStream.COIN.value, state.num_players)
        return
    for player in range(state.num_players):
        state.gain[player] = (player == state.to_play) == (action == CLAIM)
        state.score[player] += state.gain[player]
    state.done = 1


@kernel
def toss_observe(state, player, obs):
    """Write whose turn it is, and whether the coin is thrown."""
    if not state.done:
        obs.turn[(state.to_play - player) % state.num_players] = 1.0
    obs.thrown = state.ply > 0


@kernel
def toss_resample(state, player, seed):
    """Re-seed; nothing is hidden."""
    state.seed = seed


TOSS = rules.register(
    rules.Rules(
        name="toy_toss",
        title="Toss",
        STATE=TOSS_STATE,
        OBS=TOSS_OBS,
        options=(PLAYERS,),
        actions=rules.ActionTable(throw={}, claim={}, waive={}),
        streams=TossStream,
        max_decisions=2,
        perfect_information=True,
        sheet=NO_SHEET,
        reset=toss_reset,
        legal=toss_legal,
        step=toss_step,
        observe=toss_observe,
        resample=toss_resample,
        outcome=by_points,
        value=margin,
        bounds={"score": (0, 1), "gain": (0, 1), "phase": (0, 0)},
    )
)
