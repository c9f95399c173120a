"""The record of a game of Fossilium, its options and its sources of chance."""

from enum import IntEnum

from .. import rules
from .actions import ACTIONS
from .parts import (
    MAX_DRAWN,
    MAX_PLAYERS,
    N_CELLS,
    N_GOALS,
    N_SITES,
    N_STARTS,
    N_STOCKS,
    N_TILES,
    N_TYPES,
    PLAYERS,
    ROUNDS,
    SLOTS,
)


class Stream(IntEnum):
    """Sources of chance (17.1)."""

    GOALS = 0
    STARTS = 1
    BAG_1 = 2
    BAG_2 = 3
    BAG_3 = 4


class SoloStream(IntEnum):
    """Sources of chance of the solo game, the first ones those of Stream (solo 11)."""

    GOALS = 0
    STARTS = 1
    BAG_1 = 2
    BAG_2 = 3
    BAG_3 = 4
    EXHIBITS = 5
    DECK = 6


class Phase(IntEnum):
    """What the player to move decides."""

    UNUSED = 0  # which column is not used (2.5)
    SIDE = 1  # of the museum (2.8)
    SPLIT = 2  # on which job goal two workers stand (2.8)
    START = 3  # which species of the starting fossil (2.8)
    KEEP = 4  # the next tile to keep (1.11)
    TURN = 5  # a field, or a dig before the action (4.2, 4.5)
    COPY = 6  # what the joker copies (4.8)
    DISPLAY = 7  # the tile to display (5.5)
    CELL = 8  # the museum's field for a tile that is displayed, or for a panel (5.5, 7.2)
    POSE = 9  # of a new fossil (5.6)
    BUILD = 10  # a panel, or a tile to donate (8.1)
    OWNER = 11  # to whom (6.1)
    TARGET = 12  # on which reserved field (6.1)
    TRADE = 13  # what to buy or sell (9)
    TOUR = 14  # the next line (10.1)
    MANAGE = 15  # what management brings (4.9)
    SEARCH = 16  # the tile type to be found (7.6)
    SITE = 17  # in which bag (7.6)
    AFTER = 18  # whether to dig after the action (4.5)
    DISCARD = 19  # a tile that the storage has no field for (12.2)
    ASSIGN = 20  # the column of a permanent worker (12.3)
    # of the solo game
    FACE = 21  # of a tile donated to Pal (5.1)
    TIE = 22  # the fossil that Pal donates to (4.5)
    LOSE = 23  # the job goal that loses a worker (7.10)
    CARD = 24  # Pal: the action card (8.1)
    FIELD = 25  # Pal: where she places workers (4.2)
    EXHIBIT = 26  # Pal: the fossil card to extend (4.3)
    PIECE = 27  # Pal: the piece to display or to donate (4.3, 4.5)
    END = 28  # Pal: the end of the market rows (4.6)
    OVER = 29


class Stage(IntEnum):
    """What the rules do next where nobody decides; in `phase` within a step only."""

    ROUND = 41  # a round begins with its income (3)
    TURN = 42  # the next turn of the action phase, or its end (4.1)
    OPENING = 43  # 11, and in the last round the end (13.5, 13.6)
    EXCAVATION = 44  # 12.1
    DISCARDS = 45  # 12.2
    HOME = 46  # 12.3
    ASSIGNMENTS = 47  # 12.3
    CLEAN_UP = 48  # 12.5, 12.6
    EFFECT = 49  # the action itself, after its cost and its bonus (4.3)
    DONE = 50  # the action is done (4.3)
    PAL = 51  # Pal's turn goes on (solo 4)


class Reason(IntEnum):
    """Why tiles were drawn, of which some are kept."""

    HAND = 0  # set-up (2.8)
    BONUS = 1  # a bonus field (4.4)
    DIG = 2  # doctoral students (4.5)
    EXCAVATION = 3  # 12.1


NONE = -1
WORD_BITS = 32  # of a word of `choices`


def fields(streams, museums, seats, n_actions):
    """Return the fields of a record.

    Parameters
    ----------
    streams : int
        Number of chance streams.
    museums, seats : int
        Most museums, and most seats; the solo game has one museum and a seat for Pal.
    n_actions : int

    Returns
    -------
    list of tuple
        For `rules.spare`. What belongs to a choice that takes several decisions is NONE, or 0 for
        numbers, when it is not under way.
    """
    return [
        *rules.header(streams, seats),
        # the legal actions, as bits: action a is bit a % 32 of word a // 32; follows from the rest
        ("choices", "u4", (-(-n_actions // WORD_BITS),)),
        # --- museums: cells are numbered row by row from the top left
        ("tile", "i1", (museums, N_CELLS)),  # type displayed here or reserved for, or NONE
        ("piece", "i1", (museums, N_CELLS)),  # piece displayed here or reserved for, or 0
        ("pose", "i1", (museums, N_CELLS)),  # quarter turns of the fossil here, or 0
        ("displayed", "u1", (museums, N_CELLS)),  # 1: the piece is there, 0: reserved or none
        ("panel", "i1", (museums, N_CELLS)),  # panel (tile * 2 + side) here, or NONE
        ("empty", "i8", (museums,)),  # bits of the empty cells (5.4); follows
        ("shown", "i8", (museums,)),  # bits of the cells with displayed pieces; follows
        ("storage", "u1", (museums, N_TILES)),  # tiles of each type
        ("stored", "u1", (museums,)),  # all of them; follows
        ("side", "i1", (museums,)),  # of the museum: 0 A, 1 B, NONE before the choice
        ("start", "i1", (museums,)),  # starting tile drawn (place in the sheet), or NONE
        ("dollars", "i2", (seats,)),
        ("guests", "i1", (seats,)),  # on the track
        ("regular", "i1", (museums,)),  # worth of the regular guest tiles
        ("students", "i1", (museums,)),
        ("amber", "i1", (museums,)),
        ("stands", "i1", (museums,)),
        # --- workers
        ("workers", "i1", (seats,)),  # on the museum (Pal: hers to place)
        ("placed", "i1", (seats, N_SITES)),  # on the board this round, by column
        ("permanent", "i1", (museums, N_SITES)),  # by column
        ("spent", "i1", (museums, N_SITES)),  # permanent ones that have acted (13.2)
        ("on_goal", "i1", (museums, N_GOALS)),  # on the job goals
        ("paid", "i1", (museums,)),  # bits of the goals that paid on this own turn (10.5)
        ("paid_elsewhere", "i1", (museums,)),  # bits of those that paid outside in this phase
        # --- the board
        ("taken", "i2", (N_SITES,)),  # bits of the fields 0 to 14 where somebody stands
        ("neutral", "i1", (N_SITES,)),  # neutral workers in the column
        ("bag", "u1", (N_STOCKS,)),  # site by site, tiles of each type that the site has
        ("in_bag", "u1", (N_SITES,)),  # all tiles in the bag; follows
        ("market", "i1", (N_TYPES, SLOTS)),  # tile types from the left, NONE to their right
        ("archive", "u1", (N_TILES,)),  # tiles of each type
        ("price", "i1", (N_TYPES,)),
        ("starts", "i1", (N_STARTS,)),  # the starting tiles as the draws left them (17.1)
        ("job_goal", "i1", (N_GOALS,)),  # tile * 2 + side
        ("round_goal", "i1", (ROUNDS,)),  # tile * 2 + (1 if dark), or NONE
        ("end_goal", "i1"),  # tile * 2 + side, or NONE
        ("unused", "i1"),  # column that is not used, or NONE
        ("first_game", "i1"),
        # --- where the game is
        ("round_number", "i1"),  # 0 in set-up, then from 1
        ("first", "i1"),  # who holds the ammonite
        ("active", "i1"),  # whose turn of the action phase (Pal: 1), or NONE
        ("dug", "i1"),  # 1: a dig was made this turn
        ("acted", "i1"),  # 1: the action of this turn is done
        # --- the action under way
        ("column", "i1"),  # of the field
        ("field", "i1"),  # field whose action it is, what a joker copies included
        ("left", "i1"),  # pieces to display, panels and donations, or lines that are left
        ("buys", "i1"),  # tiles that may still be bought, and sold
        ("sells", "i1"),
        ("line", "i1"),  # last line of the tour
        ("tour_dollars", "i1"),  # what the tour brought so far (10.7)
        ("tour_guests", "i1"),
        ("pieces", "i1"),  # displayed in this action
        ("held", "i1"),  # tile type chosen to be displayed, donated or found
        ("building", "i1"),  # panel chosen
        ("spot", "i1"),  # cell chosen for a new fossil
        ("owner", "i1"),  # seat of the museum donated to
        # --- tiles drawn and to be chosen from
        ("drawn", "i1", (MAX_DRAWN,)),  # types in the order drawn, without the kept; then NONE
        ("n_drawn", "i1"),  # how many there are
        ("keep", "i1"),  # how many are still to be kept
        ("reason", "i1"),  # why they were drawn
        ("site", "i1"),  # from which bag; NONE for the hand (2.8)
        ("last", "i1"),  # type kept last, or column assigned last
    ]


OPTIONS = (
    rules.Option("num_players", PLAYERS, PLAYERS[0], "number of museums"),
    rules.Option("first_game", (False, True), False, "no round goals and no end goal (2.4)"),
)

STATE = rules.record(rules.spare(fields(len(Stream), MAX_PLAYERS, MAX_PLAYERS, ACTIONS.size)))
