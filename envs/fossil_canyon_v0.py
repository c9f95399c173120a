"""Fossil Canyon by Kevin Lynch for PettingZoo: `fossil_canyon_v0.env(num_players=4)`."""

from __future__ import annotations

from .aec import BoardEnv, maker
from .fossil_canyon_drawing import draw
from .fossil_canyon_words import describe, tell

__all__ = ["describe", "draw", "env", "raw_env", "tell"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """Fossil Canyon: dig fossils, hide some, trade the others, and put skeletons into a museum.

    Source
    ------
    Kevin Lynch, Polymath Play 2022. The rules in numbered paragraphs, with their sources, and what
    had to be reconstructed (the events, one genus and two trace fossils, and what a stalemate is):
    docs/games/fossil_canyon.md.

    Players
    -------
    2 to 6. Options: `num_players` (default 2), `research` (trace fossils and awards of 2.1 and 3.4;
    default on), `bonuses` (those of 10.5; default on), `hidden_limit_two` (5 and 6 players hide two
    cards at most, 2.7; default off), `put_back` (a buried card may be put back, 5.3; default off),
    `no_blind_exchange` (hidden cards are not taken, 6.6; default off), `events` (`"mix"`, or
    `"erosion_only"`: each exposes one card, 1.5).

    Actions
    -------
    Discrete(275), in blocks; `rules.actions` encodes and decodes, `describe` puts an action into
    words. Types of cards are numbered as in 1.4.

    ====================== =========================================================================
    hide(type: 40)         pick a card to be hidden (2.6, 9.1)
    done()                 pick no more (2.6)
    dig(type: 40)          dig an exposed card (5.2)
    dig_buried()           dig any buried card (5.2)
    keep()                 keep a buried card that was looked at (5.3)
    put_back()             put it back exposed (5.3)
    stop()                 make no exchange, or no more (6.2); claim nothing (10.2)
    exchange(opponent: 5)  exchange with a player; opponent 0 is the next seat (6.2)
    give(type: 40)         give an own card (6.3)
    take(type: 40)         take a face-up card for it (6.4)
    take_blind()           take any hidden card for it (6.4)
    send(type: 40)         choose a card for the next seat (4.6)
    reveal(type: 40)       choose a hidden card to turn face up (4.7)
    claim_major(cards: 12) spend a set of trace fossils for the major award (3.4, 3.5)
    claim_minor(cards: 12) spend a set of trace fossils for a minor award (3.4, 3.5)
    ====================== =========================================================================

    What takes several choices is several decisions of one seat, and seats also decide out of turn
    (4.5 to 4.7). A decision with one choice is never asked (11.1).

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/fossil_canyon.md and in
    `rules.OBS`. Own seat first, then the others in turn order. It holds what the seat sees and what
    it remembers by 12.2.

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end +1 for the most points, -1 for the least, evenly spaced
    between; ties are broken by the most valuable skeletons, places that are still shared averaged
    (10.8, 10.9). `"points"`: the change of each seat's points in the step. `"margin"`: those less
    the mean of the others'.

    End
    ---
    When nothing can be completed or claimed any more (10.3) or players stop exchanging (10.4), for
    all agents together, after at most 4,876 decisions (11.2). Never truncated, but by an illegal
    action under `illegal="terminate"`.

    Hidden
    ------
    Buried and discarded cards, hidden cards of others, the events to come, and choices of others
    that are made in secret, until they are complete (12.3). Luck decides what is found, exposed and
    taken blindly.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/fossil_canyon.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env(num_players=4, put_back=True).reset(seed=1)
    """

    game = "fossil_canyon"
    metadata = BoardEnv.metadata | {"name": "fossil_canyon_v0"}


env = maker(raw_env)
