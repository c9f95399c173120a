"""Fossilium (Giant Roc 2025): the rules of docs/games/fossilium.md, and of its solo game, compiled.

`box` reads the component sheet and `parts` makes tables of it; `state` says what a game is and
`actions` what can be decided. `setup` deals a game, `choices` finds what the player to move can do,
`turn` does it, and `rounds` does what the rules do by themselves; `museum`, `market` and `people`
hold what moves, `scoring` ends the game, `pal` is the solo game's opponent. `judgement` values a
position, with the hopes of `prospects` at the prices of `worths`; `observation` is what a seat
sees, `knowledge` deals anew what it cannot know, and `bounds` what a state from outside may hold;
`shown` counts for those who draw the table. Names with an underscore stay within this folder and
`fossilium_solo`, which makes the same kernels once more for a record of its own.

`game` registers the game for 2 to 4 players. It is loaded when RULES is asked for: the solo game
needs the rest of this folder only.
"""


def __getattr__(name):
    """Load the game for 2 to 4 players where its rules are asked for."""
    if name == "RULES":
        from .game import RULES

        return RULES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
