"""The record of a game of Fossil Canyon, its options and its sources of chance."""

from enum import IntEnum

from .. import rules
from ..canyon_cards import N_SKELETAL, N_TYPES, PARTS
from .parts import DECK_SIZE, MAX_PLAYERS, MIN_PLAYERS


class Stream(IntEnum):
    """Sources of chance."""

    DISCARD = 0  # the cards out of the game (2.1)
    EVENTS = 1  # the shuffle of the events (2.2)
    HANDS = 2  # the first cards (2.3)
    BURIED = 3  # a buried card that is dug (5.2)
    EXPOSE = 4  # what erosion exposes (4.2)
    BLIND = 5  # a hidden card that is taken (6.4)


class Phase(IntEnum):
    """What the player to move decides."""

    HIDE = 0  # which cards are hidden (2.5, 9.1)
    DIG = 1  # which card to dig (5.2)
    KEEP = 2  # whether a buried card is kept (5.3)
    EXCHANGE = 3  # whether to exchange, and with whom (6.2)
    GIVE = 4  # the next card to give (6.3)
    TAKE = 5  # the card to take (6.4)
    SEND = 6  # a card for the next seat (4.6)
    REVEAL = 7  # a hidden card to show (4.7)
    OVER = 8


class Stage(IntEnum):
    """The part of the game or of the turn."""

    SETUP = 0
    EVENT = 1
    DIGS = 2
    EXCHANGES = 3
    BONUS = 4
    ADJUST = 5
    END = 6  # the end phase, and afterwards


NONE = -1

STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), MAX_PLAYERS),
            ("drawn", "i2"),  # events drawn so far; the next one is deck[drawn % DECK_SIZE]
            ("buried", "u1", (N_TYPES,)),
            ("discard", "u1", (N_TYPES,)),  # out of the game unseen (2.1)
            ("exposed", "u1", (N_TYPES,)),
            ("up", "u1", (MAX_PLAYERS, N_TYPES)),  # face-up cards of each seat
            ("hidden", "u1", (MAX_PLAYERS, N_TYPES)),  # hidden ones; at set-up all of them
            ("skeletons", "u1", (MAX_PLAYERS, N_SKELETAL)),
            ("awards", "u1", (MAX_PLAYERS, 2)),  # claimed: major, minor
            # [observer, owner, type]: hidden cards that the observer knows to be there (12.2)
            ("known", "u1", (MAX_PLAYERS, MAX_PLAYERS, N_TYPES)),
            ("deck", "i1", (DECK_SIZE,)),  # events in their order, fixed
            ("event", "i1"),  # of this turn, or NONE
            ("active", "i1"),  # whose turn
            ("stage", "i1"),
            ("picked", "u1", (MAX_PLAYERS, N_TYPES)),  # to be hidden, so far
            ("chosen", "i1", (MAX_PLAYERS,)),  # type to send or reveal, until all have chosen
            ("target", "i1"),  # the partner of the exchange under way, or NONE
            ("given", "u1", (N_TYPES,)),  # in this exchange
            ("exchanges", "i1"),  # in this stage or turn of the end phase
            ("digs", "i1"),  # in this stage
            ("dug", "i1"),  # type looked at (5.3), or NONE
            ("returned", "i1"),  # 1: a card was put back in this step
            ("earned", "i1"),  # 1: the active player completed a skeleton in steps 1 to 3
            ("scored", "i1"),  # 1: a skeleton or an award in this turn of the end phase
            ("acted", "i1"),  # 1: an exchange or an award in this turn of the end phase
            ("barren", "i1"),  # turns in a row without skeleton and award (10.4)
            ("idle", "i1"),  # turns in a row without exchange and award
            ("research", "i1"),
            ("bonuses", "i1"),
            ("hidden_limit_two", "i1"),
            ("put_back", "i1"),
            ("no_blind_exchange", "i1"),
            ("events", "i1"),
        ]
    )
)

_VARIANTS = PARTS["variants"]
OPTIONS = (
    rules.Option(
        "num_players", tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), MIN_PLAYERS, "number of players"
    ),
    rules.Option(
        "research", (False, True), _VARIANTS["use_research"], "trace fossils and awards (2.1, 3.4)"
    ),
    rules.Option("bonuses", (False, True), _VARIANTS["use_bonuses"], "bonuses at the end (10.5)"),
    rules.Option(
        "hidden_limit_two",
        (False, True),
        _VARIANTS["hidden_limit_two_for_5_6"],
        "5 and 6 players hide two cards at most (2.7)",
    ),
    rules.Option(
        "put_back",
        (False, True),
        _VARIANTS["put_back_once_when_digging"],
        "a buried card may be put back once a turn (5.3)",
    ),
    rules.Option(
        "no_blind_exchange",
        (False, True),
        _VARIANTS["no_blind_exchange"],
        "hidden cards are not taken (6.6)",
    ),
    rules.Option(
        "events", ("mix", "erosion_only"), PARTS["event_profile"], "what the events do (1.5)"
    ),
)
MIX = OPTIONS[-1].choices.index("mix")
