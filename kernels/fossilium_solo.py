"""Fossilium solo: the same rules with one museum and Pal (docs/games/fossilium_solo.md), compiled.

The kernels are those of `fossilium`, made once more for a smaller record that has Pal's cards;
`fossilium.pal` holds what only this game does.
"""

import numpy as np

from . import rules
from .fossilium.actions import SOLO_ACTIONS, legal
from .fossilium.parts import MAX_DECK, N_EXHIBITS
from .fossilium.setup import _begin
from .fossilium.state import SoloStream, fields
from .fossilium.turn import _settle, step
from .jit import kernel
from .records import clear


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
        "num_players", (1, 2), 1, "seats that are asked: 2 where Pal is one"
    ),
    rules.Option("pal", ("cards", "agent"), "cards", "played by her cards, or a player (1.2)"),
    rules.Option("first_game", (False, True), False, "no round goals (F2.4)"),
    rules.Option("high_goals", (False, True), False, "round goals with higher numbers (7.1)"),
    rules.Option("more_b", (False, True), False, "more B than A action cards (7.2)"),
    rules.Option("dark_goals", (False, True), False, "all round goals with the dark side (7.3)"),
    rules.Option("pal_first", (False, True), False, "Pal has the first turn (7.4)"),
    rules.Option("more_turns", (False, True), False, "Pal's turns increase sooner (7.5)"),
    rules.Option(
        "must_win_majorities", (False, True), False, "lost without both majorities (7.6)"
    ),
    rules.Option("negative_prestige", (False, True), False, "donations take below 0 (7.7)"),
    rules.Option("empty_fields", (False, True), False, "empty fields cost prestige (7.8)"),
    rules.Option("storage_penalty", (False, True), False, "tiles in the storage do (7.9)"),
    rules.Option("lose_job_workers", (False, True), False, "a job worker leaves each round (7.10)"),
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
