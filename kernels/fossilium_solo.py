"""Fossilium solo: the same rules with one museum and Pal (docs/games/fossilium_solo.md), compiled.

The kernels are those of `fossilium`, made once more for a smaller record that has Pal's cards;
`fossilium.pal` holds what only this game does.
"""

from enum import IntEnum

from . import rules
from .fossilium.actions import SHARED
from .fossilium.parts import MAX_DECK, N_CARDS, N_EXHIBITS, N_FOSSIL_CARDS, N_PIECES
from .fossilium.state import fields


class Stream(IntEnum):
    """Sources of chance (11), the first ones those of Fossilium."""

    GOALS = 0
    STARTS = 1
    BAG_1 = 2
    BAG_2 = 3
    BAG_3 = 4
    EXHIBITS = 5
    DECK = 6


ACTIONS = rules.ActionTable(
    **SHARED,
    # Pal: play an action card (8.1)
    card={"card": N_CARDS},
    # Pal: extend a fossil card (4.3)
    exhibit={"card": N_FOSSIL_CARDS},
    # Pal: the piece, from the first one, to display or to donate (4.3, 4.5)
    piece={"piece": N_PIECES},
    # Pal: count positions in the market from the left or from the right (4.6)
    end={"end": 2},
)
STATE = rules.record(
    rules.spare(
        [
            *fields(len(Stream), 1, 2, ACTIONS.size),
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
    rules.Option(
        "must_win_majorities", (False, True), False, "lost without both majorities (7.6)"
    ),
    rules.Option("negative_prestige", (False, True), False, "donations take below 0 (7.7)"),
    rules.Option("empty_fields", (False, True), False, "empty fields cost prestige (7.8)"),
    rules.Option("storage_penalty", (False, True), False, "tiles in the storage do (7.9)"),
    rules.Option("lose_job_workers", (False, True), False, "a job worker leaves each round (7.10)"),
)
