"""Fossilium solo: the same rules with one museum and Pal (docs/games/fossilium_solo.md), compiled.

The kernels are those of `fossilium`, made once more for a smaller record that has Pal's cards;
`fossilium.pal` holds what only this game does.
"""

import numpy as np

from . import fossilium, rules
from .fossilium.actions import SOLO_ACTIONS, legal
from .fossilium.bounds import SOLO_BOUNDS, derive
from .fossilium.judgement import _estimate, _lead_over_pal
from .fossilium.knowledge import resample_solo
from .fossilium.observation import (
    HALF,
    ONE,
    SHARE_OF_DOLLAR,
    SHARE_OF_GUEST,
    SHARE_OF_WORKER,
    _observe_table,
)
from .fossilium.observation import OBS as FOSSILIUM_OBS
from .fossilium.pal import PAL, rulebook_choice
from .fossilium.parts import (
    MAX_DECK,
    N_CARDS,
    N_CELLS,
    N_EXHIBITS,
    N_FOSSIL_CARDS,
    N_PIECES,
    N_SITES,
    PAL_CUBES,
    PAL_TURNS,
    SHEET,
    SIZE_OF_FOSSIL_CARD,
    SOLO_MAX_DECISIONS,
)
from .fossilium.setup import _begin
from .fossilium.state import NONE, SoloStream, fields
from .fossilium.turn import _settle, step
from .jit import index, kernel
from .records import clear

EVEN = 100.0  # prestige with which the result is 0 (6.3)
SHARE_OF_PLACE = np.float32(1 / (2 * MAX_DECK))
SHARE_OF_CUBE = np.float32(1 / PAL_CUBES)
SHARE_OF_TURN = np.float32(1 / PAL_TURNS.max())
STATE = rules.record(
    rules.spare(
        [
            *fields(len(SoloStream), 1, 2, SOLO_ACTIONS.size),
            # --- Pal
            # fossil cards in the order opened: place among the sheet's species of more than one
            # piece; NONE for those to come
            ("exhibit", "i1", (N_EXHIBITS,)),
            ("extent", "u1", (N_EXHIBITS,)),  # bits of the pieces on them: piece p is bit p - 1
            ("cubes_on", "i1", (N_EXHIBITS,)),  # cubes on them
            ("cubes", "i1"),  # cubes that Pal has left
            # action cards: those played in that order, then the others as shuffled; then NONE
            ("deck", "i1", (MAX_DECK,)),
            ("played", "i1"),  # how many were played
            ("pal_turns", "i1"),  # that Pal has had this round
            ("card", "i1"),  # the action card that is carried out, or NONE
            ("chosen", "i1"),  # place in `exhibit` of the card to extend, or NONE
            ("gift", "i1"),  # first cell of the fossil that Pal donates to, or NONE
            ("lost", "i1"),  # 1: the majorities were not won (7.6)
            ("pal", "i1"),
            ("high_goals", "i1"),
            ("more_b", "i1"),
            ("dark_goals", "i1"),
            ("pal_first", "i1"),
            ("more_turns", "i1"),
            ("must_win_majorities", "i1"),
            ("negative_prestige", "i1"),
            ("empty_fields", "i1"),
            ("storage_penalty", "i1"),
            ("lose_job_workers", "i1"),
        ]
    )
)
OPTIONS = (
    rules.Option(
        "num_players", (1, 2), 1, "seats that are asked: 2 where Pal is one", follows="pal"
    ),
    rules.Option("pal", ("cards", "agent"), "cards", "played by her cards, or a player (1.2)"),
    rules.Option("first_game", (False, True), False, "no round goals (F2.4)"),
    rules.Option("high_goals", (False, True), False, "round goals with higher numbers (7.1)"),
    rules.Option("more_b", (False, True), False, "more B than A action cards (7.2)"),
    rules.Option("dark_goals", (False, True), False, "all round goals with the dark side (7.3)"),
    rules.Option("pal_first", (False, True), False, "Pal has the first turn (7.4)"),
    rules.Option("more_turns", (False, True), False, "Pal's turns increase sooner (7.5)"),
    rules.Option("must_win_majorities", (False, True), False, "lost without both majorities (7.6)"),
    rules.Option("negative_prestige", (False, True), False, "donations take below 0 (7.7)"),
    rules.Option("empty_fields", (False, True), False, "empty fields cost prestige (7.8)"),
    rules.Option("storage_penalty", (False, True), False, "tiles in the storage do (7.9)"),
    rules.Option("lose_job_workers", (False, True), False, "a job worker leaves each round (7.10)"),
)


_MUSEUM_FIELDS = (
    "museum",
    "storage",
    "wanted",
    "panels",
    "fossils_of_size",
    "fossils_of_type",
    "lines",
    "side",
    "player",
    "workers",
    "paid",
)
_SEAT_FIELDS = ("turn", "active", "seat")
_MULTI_FIELDS = ("first", "owner", "end_goal")


def _shared_entries():
    """Return the entries of Fossilium's observation with the shapes of this game."""
    for name in FOSSILIUM_OBS.names:
        shape = FOSSILIUM_OBS[name].shape
        if name in _MUSEUM_FIELDS:
            shape = (1, *shape[1:])
        if name in _SEAT_FIELDS:
            shape = (2,)
        if name not in _MULTI_FIELDS:
            yield name, "f4", shape


OBS = rules.record(
    [
        *_shared_entries(),
        # 1: seen by Pal
        ("is_pal", "f4"),
        # 1 for the difficulties in play, in the order of the options
        ("difficulty", "f4", (10,)),
        # pieces on the fossil cards that are open: 1 displayed, 0.5 free field
        ("extent", "f4", (N_FOSSIL_CARDS, N_PIECES)),
        # 1 for fossil cards that are open
        ("exhibit", "f4", (N_FOSSIL_CARDS,)),
        # Pal's guests / 50, dollars / 30, workers to place / 8, cubes left / 6, turns left in the
        # round / 4
        ("pal", "f4", (5,)),
        # Pal's workers by column / 8
        ("pal_placed", "f4", (N_SITES,)),
        # 1 for action cards that were played
        ("played", "f4", (N_CARDS,)),
        # Pal only: her unplayed action cards, 1 for the next as shuffled, 1/32 less for each
        # behind it
        ("hand", "f4", (N_CARDS,)),
        # one-hot: action card carried out
        ("card", "f4", (N_CARDS,)),
        # one-hot: fossil card to extend
        ("chosen", "f4", (N_FOSSIL_CARDS,)),
        # one-hot: first cell of the fossil that Pal donates to
        ("gift", "f4", (N_CELLS,)),
    ]
)


@kernel
def reset(state, options, seed):
    """Set up a game up to its first decision.

    Rules 2.1 to 2.6.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws from GOALS and DECK.
    """
    clear(state)
    state.seed = seed
    state.num_players = options.num_players
    state.first_game = options.first_game
    state.pal = options.pal
    state.high_goals = options.high_goals
    state.more_b = options.more_b
    state.dark_goals = options.dark_goals
    state.pal_first = options.pal_first
    state.more_turns = options.more_turns
    state.must_win_majorities = options.must_win_majorities
    state.negative_prestige = options.negative_prestige
    state.empty_fields = options.empty_fields
    state.storage_penalty = options.storage_penalty
    state.lose_job_workers = options.lose_job_workers
    _begin(state)
    _settle(state)


@kernel
def observe(state, player, obs):
    """Write what a seat knows: all but luck to come, and Pal's cards if it is not Pal.

    Rules 10.

    Parameters
    ----------
    state : STATE record
    player : int
    obs : OBS record, out
        Zeroed by the caller.
    """
    seats = np.int64(state.num_players)
    for seat in range(seats):
        obs.seat[seat] = ONE
    if not state.done:
        obs.turn[index((state.to_play - player + seats) % seats)] = ONE
    if state.active != NONE:
        obs.active[index((state.active - player + 2) % 2)] = ONE
    _observe_table(state, np.int64(0), obs)
    _observe_difficulty(state, obs)
    _observe_pal(state, player, obs)


@kernel
def _observe_difficulty(state, obs):
    """Write the options."""
    obs.difficulty[0] = state.high_goals
    obs.difficulty[1] = state.more_b
    obs.difficulty[2] = state.dark_goals
    obs.difficulty[3] = state.pal_first
    obs.difficulty[4] = state.more_turns
    obs.difficulty[5] = state.must_win_majorities
    obs.difficulty[6] = state.negative_prestige
    obs.difficulty[7] = state.empty_fields
    obs.difficulty[8] = state.storage_penalty
    obs.difficulty[9] = state.lose_job_workers


@kernel
def _observe_pal(state, player, obs):
    """Write Pal's fossil cards, workers and action cards."""
    for place in range(N_EXHIBITS):
        if state.exhibit[place] != NONE:
            card = index(state.exhibit[place])
            obs.exhibit[card] = ONE
            for piece in range(SIZE_OF_FOSSIL_CARD[card]):
                shown = (state.extent[place] >> piece) & 1
                obs.extent[card, piece] = ONE if shown else HALF
    turns = PAL_TURNS[index(state.more_turns), index(state.round_number)]
    obs.pal[0] = state.guests[PAL] * SHARE_OF_GUEST
    obs.pal[1] = min(ONE, state.dollars[PAL] * SHARE_OF_DOLLAR)
    obs.pal[2] = state.workers[PAL] * SHARE_OF_WORKER
    obs.pal[3] = min(ONE, state.cubes * SHARE_OF_CUBE)
    obs.pal[4] = max(np.int64(0), turns - state.pal_turns) * SHARE_OF_TURN
    for column in range(N_SITES):
        obs.pal_placed[column] = state.placed[PAL, column] * SHARE_OF_WORKER
    for i in range(state.played):
        obs.played[index(state.deck[i])] = ONE
    if player == PAL:
        obs.is_pal = ONE
        for i in range(state.played, MAX_DECK):
            if state.deck[index(i)] != NONE:
                share = ONE - (i - np.int64(state.played)) * SHARE_OF_PLACE
                obs.hand[index(state.deck[index(i)])] = share
    if state.card != NONE:
        obs.card[index(state.card)] = ONE
    if state.chosen != NONE:
        obs.chosen[index(state.exhibit[index(state.chosen)])] = ONE
    if state.gift != NONE:
        obs.gift[index(state.gift)] = ONE


@kernel
def outcome(state, out):
    """Write the result: prestige / 100 - 1 in [-1, 1], and the opposite for Pal as a player (6.3).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    result = max(-1.0, min(1.0, state.score[0] / EVEN - 1.0))
    if state.lost:
        result = -1.0
    out[0] = result
    if state.num_players > 1:
        out[1] = -result


@kernel
def value(state, player):
    """Estimate the prestige at the end above what is worth 0, for Pal with the opposite sign.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
    """
    margin = _estimate(state, np.int64(0)) + _lead_over_pal(state) - EVEN
    return -margin if player == PAL else margin


RULES = rules.register(
    rules.Rules(
        name="fossilium_solo",
        title="Fossilium solo",
        module=__name__,
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=SOLO_ACTIONS,
        streams=SoloStream,
        max_decisions=SOLO_MAX_DECISIONS,
        perfect_information=False,
        agent_names=("player_0", "pal"),
        automatic=rules.Automatic(PAL, rulebook_choice),
        sheet=SHEET,
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample_solo,
        outcome=outcome,
        value=value,
        derive=derive,
        bounds=SOLO_BOUNDS,
        shares=(fossilium,),
    )
)
