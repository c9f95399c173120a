"""Fossilium for PettingZoo: `fossilium_v0.env(num_players=3)`."""

from __future__ import annotations

from .aec import BoardEnv, maker
from .fossilium_drawing import draw
from .fossilium_guide import guide
from .fossilium_telling import tell
from .fossilium_words import describe

__all__ = ["describe", "draw", "env", "guide", "raw_env", "tell"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """Fossilium: dig fossils, lay them piece by piece into a museum, and please its guests.

    Almost every number of this game is a reconstruction: the museum, what the fields of the board
    do, prices, panels, sizes and thresholds were not known. Who plays well here plays well at a
    game with the rules of Fossilium and the numbers of `kernels/components/fossilium.toml`.

    Source
    ------
    Giant Roc 2025. The rules in numbered paragraphs, with their sources, and what is reconstructed:
    docs/games/fossilium.md.

    Players
    -------
    2 to 4; the solo game is `fossilium_solo_v0`. Options: `num_players` (default 2), `first_game`
    (no round goals and no end goal, 2.4; default off).

    Actions
    -------
    Discrete(253), in blocks; `rules.actions` encodes and decodes, `describe` puts an action into
    words. Tile types are numbered as in 1.3, fields of the board as in 1.7, those of a museum as in
    1.5.

    =========================== ====================================================================
    stop()                      do no more of an action, or do not dig after it (4.5, 4.7)
    column(column: 3)           the column that is not used, of a permanent worker, or of the bag
                                searched (2.5, 12.3, 7.6)
    side(side: 2)               the side of the museum (2.8)
    goal(goal: 3)               the job goal with two workers (2.8)
    face(face: 2)               which species of the starting fossil (2.8)
    field(column: 3, field: 15) place workers on a field, or copy it with the joker (4.2, 4.8)
    dig(site: 3, students: 5)   pay students (1 more than the number) and dig (4.5)
    tile(type: 45)              a tile to keep, display, donate, sell, find or give up
    slot(row: 3, slot: 8)       buy a tile of the market (9.2)
    archive(type: 45)           buy a tile of the archive (9.2)
    cell(cell: 36)              a field of a museum (5.5, 6.1, 7.2)
    pose(face: 2, turn: 4)      how a new fossil lies (5.6)
    panel(panel: 12)            build a panel (7.2)
    line(line: 6)               a line of a tour (10.2)
    gain(gain: 3)               what management brings (4.9)
    owner(opponent: 3)          whom to donate to; opponent 0 is the next seat (6.1)
    =========================== ====================================================================

    What takes several choices is several decisions of one seat. A decision with one choice is never
    asked (15.1).

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/fossilium.md and in `rules.OBS`.
    Own seat first, then the others in turn order.

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end +1 for the most prestige, -1 for the least, evenly
    spaced between, shared places averaged; ties as in 14.7 (14.8). `"points"`: the change of each
    seat's prestige in the step. `"margin"`: those less the mean of the others'.

    End
    ---
    After five rounds (2.10, 13.6), for all agents together, after at most 3,504 decisions (15.2).
    Never truncated, but by an illegal action under `illegal="terminate"`.

    Hidden
    ------
    Nothing but luck to come: what will be drawn from the bags (16.1). `reset(seed=...)` decides it.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/fossilium.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env(num_players=4, first_game=True).reset(seed=1)
    """

    game = "fossilium"
    metadata = BoardEnv.metadata | {"name": "fossilium_v0"}


env = maker(raw_env)
