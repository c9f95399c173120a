"""Fossilium for one player: `fossilium_solo_v0.env(pal_first=True)`."""

from __future__ import annotations

from .aec import BoardEnv, maker
from .fossilium_drawing import draw
from .fossilium_guide import guide
from .fossilium_telling import tell
from .fossilium_words import describe

__all__ = ["describe", "draw", "env", "guide", "raw_env", "tell"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """Fossilium solo: one museum against Pal, the automated palaeontologist.

    Almost every number of this game is a reconstruction, as in `fossilium_v0`; of Pal, too: what is
    on her cards was not known.

    Source
    ------
    Giant Roc 2025. The rules in numbered paragraphs, with their sources, and what is reconstructed:
    docs/games/fossilium_solo.md, and docs/games/fossilium.md (paragraphs with F in front).

    Players
    -------
    1 to 2: `player_0`, and with `pal="agent"` a second agent, `pal`. Options: `pal` (`"cards"`: she
    is played by her cards, 4; `"agent"`: she is a player, 8; default `"cards"`; `num_players`
    follows from it), `first_game` (no round goals, F2.4; default off), and ten difficulties (7),
    all off by default: `high_goals`, `more_b`, `dark_goals`, `pal_first`, `more_turns`,
    `must_win_majorities`, `negative_prestige`, `empty_fields`, `storage_penalty`,
    `lose_job_workers`.

    Actions
    -------
    Discrete(294), in blocks; `rules.actions` encodes and decodes, `describe` puts an action into
    words. The blocks up to `gain` are those of `fossilium_v0`; `goal` also names the job goal that
    loses a worker (7.10), `face` the face of a tile that is donated to Pal (5.1), `cell` the fossil
    that Pal donates to (4.5), `field` where Pal places workers (4.2).

    =========================== ====================================================================
    stop()                      do no more of an action, or do not dig after it (F4.5, F4.7)
    column(column: 3)           the column that is not used, of a permanent worker, or of the bag
                                searched (2.1, F12.3, F7.6)
    side(side: 2)               the side of the museum (F2.8)
    goal(goal: 3)               the job goal with two workers, or that loses one (F2.8, 7.10)
    face(face: 2)               which species of the starting fossil; a face (F2.8, 5.1)
    field(column: 3, field: 15) place workers on a field, or copy it (F4.2, F4.8, 4.2)
    dig(site: 3, students: 5)   pay students (1 more than the number) and dig (F4.5)
    tile(type: 45)              a tile to keep, display, donate, sell, find or give up
    slot(row: 3, slot: 8)       buy a tile of the market (F9.2)
    archive(type: 45)           buy a tile of the archive (F9.2)
    cell(cell: 36)              a field of the museum (F5.5, F7.2, 4.5)
    pose(face: 2, turn: 4)      how a new fossil lies (F5.6)
    panel(panel: 12)            build a panel (F7.2)
    line(line: 6)               a line of a tour (F10.2)
    gain(gain: 3)               what management brings (F4.9)
    card(card: 19)              Pal plays an action card (8.1)
    exhibit(card: 17)           Pal extends a fossil card (8.2)
    piece(piece: 6)             Pal displays or donates a piece (8.2)
    end(end: 2)                 Pal counts positions from the left or from the right (8.2)
    =========================== ====================================================================

    What takes several choices is several decisions of one seat. A decision with one choice is never
    asked (F15.1).

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/fossilium_solo.md and in
    `rules.OBS`.

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end prestige / 100 - 1, from -1 to 1, for the player; a
    game that is lost is -1 (6.3). `"points"`: the change of the prestige in the step. `"margin"`:
    those less the mean of the others'. Pal's are the player's with the opposite sign (8.4).

    End
    ---
    After five rounds (6.1), for all agents together, after at most 945 decisions (9.1). Never
    truncated, but by an illegal action under `illegal="terminate"`.

    Hidden
    ------
    Pal's action cards that were not played, from the player (10.1); from both what will be drawn
    from the bags and which fossil cards come up. `reset(seed=...)` decides it.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/fossilium_solo.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env(pal="agent", more_turns=True).reset(seed=1)
    """

    game = "fossilium_solo"
    metadata = BoardEnv.metadata | {"name": "fossilium_solo_v0"}


env = maker(raw_env)
