"""Positions of Fossil Canyon in words, played by kernel and reference side by side.

A skeletal card is the first three letters of its genus and the number of its fossil in the sheet,
from 1: `Tyr1` to `Tyr4`. A trace fossil is the three letters alone: `Cam`. What a player has is
written with the face-up cards before a bar and the hidden ones behind it: `Tyr1 Cam | Mos2`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from bonebed.envs import table
from lockstep import compare, record_of
from naive import fossil_canyon as naive

TESTS = Path(__file__).parent
SHEET = TESTS.parent / "kernels" / "components" / "fossil_canyon.toml"
RULES = table.rules("fossil_canyon")
BOX = naive.read_box()
SIZES = {genus["name"][:3]: genus["fossils"] for genus in BOX.genera}  # fossils of a skeleton
TRACES = tuple(trace["name"][:3] for trace in BOX.sheet["trace"])
GENERA = tuple(SIZES)
CARDS = tuple(f"{name}{i + 1}" for name, n in SIZES.items() for i in range(n)) + TRACES
EVENTS = (
    "erosion",
    "heavy_erosion",
    "sandstorm",
    "field_assistant",
    "donation",
    "courier_mixup",
    "press_leak",
    "conference",
    "calm_day",
)
# spending sets of research 6 and 4, by the numbers of their cards in binary (3.5)
MAJOR = [
    *("Cam Uta", "Cam Ala Edm", "Uta Ala Edm", "Cam Ala Orn", "Uta Ala Orn", "Cam Edm Orn"),
    *("Uta Edm Orn", "Cam Ala Acr", "Uta Ala Acr", "Cam Edm Acr", "Uta Edm Acr"),
    "Ala Edm Orn Acr",
]
MINOR = [
    *("Cam Uta", "Cam Ala", "Uta Ala", "Cam Edm", "Uta Edm", "Ala Edm", "Cam Orn", "Uta Orn"),
    *("Cam Acr", "Uta Acr", "Ala Orn Acr", "Edm Orn Acr"),
]


def cards_of(text):
    """Read cards such as `Tyr1 Cam` as sorted types."""
    return sorted(CARDS.index(word) for word in text.split())


def text_of(counts):
    """Write an array of counts by type as cards."""
    return " ".join(CARDS[card] for card, n in enumerate(counts.tolist()) for _ in range(n))


def with_sheet(tmp_path, text, *lines):
    """Run lines under another sheet, in plain Python, and return what they print.

    They know `Position` and `final`. A sheet is read once, so this is a process of its own.
    """
    (tmp_path / SHEET.name).write_text(text, encoding="utf-8")
    path = [str(TESTS), os.environ.get("PYTHONPATH", "")]
    variables = os.environ | {
        "BONEBED_COMPONENTS": str(tmp_path),
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
    }
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(("from canyon_position import Position, final", *lines))],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split("\n")[:-1]


def final(skeletons, awards=None, **options):
    """Return the points after a game in which nothing is left to complete."""
    hands = ["Tyr1 Bra1 |"] + ["Bra2 |"] * (len(skeletons) - 1)
    rest = {} if awards is None else {"awards": awards}
    p = Position(hands, "adjust", 0, skeletons=skeletons, options=options, **rest).do("done")
    assert p.over
    return p.points


class Position:
    """A position, played by kernel and reference together.

    Parameters
    ----------
    hands : list of str
        What each player has; their number is the number of players.
    begin : str
        Where in the turn the game begins, as in the reference.
    active : int
        Whose turn it is.
    exposed, buried, discard : str
        Cards.
    events : list of str
        The events to be drawn next; calm days follow.
    skeletons : list of str, optional
        Genera of each player, as three letters.
    options : dict, optional
    **at : object
        Other attributes of the reference's game.
    """

    def __init__(
        self,
        hands,
        begin="exchanges",
        active=0,
        exposed="",
        buried="",
        discard="",
        events=(),
        skeletons=None,
        options=None,
        **at,
    ):
        n = len(hands)
        self.options = RULES.options_dict(RULES.make_options(num_players=n, **(options or {})))
        at |= {"begin": begin, "active": active}
        at |= {"exposed": cards_of(exposed), "buried": cards_of(buried)}
        at["discard"] = cards_of(discard)
        both = [hand.split("|") for hand in hands]
        at["up"] = [cards_of(up) for up, _ in both]
        at["hidden"] = [cards_of(hidden) for _, hidden in both]
        if skeletons is not None:
            at["skeletons"] = [Counter(map(GENERA.index, own.split())) for own in skeletons]
        deck = ["calm_day", *events] + ["calm_day"] * (17 - len(events))
        at = {"deck": [EVENTS.index(event) for event in deck], "drawn": 1} | at
        self._begin(naive.Game(self.options, 0, at=at), None)

    @classmethod
    def fresh(cls, seed, **options):
        """Start a game from its set-up."""
        self = cls.__new__(cls)
        state = RULES.new(seed, **options)
        self.options = RULES.options_dict(state)
        self._begin(naive.start(state, self.options), state)
        return self

    def _begin(self, game, state):
        self.game = game
        assert game.asked == 0
        self.state = record_of(RULES, naive, game, self.options) if state is None else state
        fixed = [field for field in naive.FIXED_FIELDS if field in RULES.STATE.names]
        self.fixed = {field: self.state[field].tolist() for field in fixed}
        compare(RULES, naive, self.state, game, self.fixed)

    def words(self, action):
        """Say an action in words."""
        name, values = RULES.actions.decode(int(action))
        if "type" in values:
            return f"{name} {CARDS[values['type']]}"
        if "opponent" in values:
            return f"{name} {(self.state.to_play + 1 + values['opponent']) % len(self.points)}"
        if "cards" in values:
            return f"{name} {(MAJOR if name == 'claim_major' else MINOR)[values['cards']]}"
        return name.replace("_", " ")

    @property
    def choices(self):
        """All choices of the player to move, in words."""
        return {self.words(action) for action in RULES.legal_actions(self.state)}

    @property
    def claims(self):
        """Those of them that claim an award."""
        return {choice for choice in self.choices if choice.startswith("claim")}

    def do(self, *choices):
        """Play choices said in words, by whoever is to move."""
        for choice in choices:
            legal = {self.words(action): action for action in RULES.legal_actions(self.state)}
            assert choice in legal, f"{choice} is not among {sorted(legal)}"
            self.game.choose(self.game.choices[list(legal).index(choice)])
            RULES.step(self.state, legal[choice])
            compare(RULES, naive, self.state, self.game, self.fixed)
        return self

    @property
    def points(self):
        """Points of every player."""
        return self.state.score[: int(self.state.num_players)].tolist()

    @property
    def gains(self):
        """Points that the last choice brought every player."""
        return self.state.gain[: int(self.state.num_players)].tolist()

    @property
    def asked(self):
        """Who is asked, for what, and in which step."""
        state = self.state
        return int(state.to_play), naive.PHASES[state.phase], naive.STAGES[state.stage]

    @property
    def over(self):
        """Whether the game is over."""
        return bool(self.state.done)

    def up(self, seat):
        """A player's face-up cards."""
        return text_of(self.state.up[seat])

    def hidden(self, seat):
        """A player's hidden cards."""
        return text_of(self.state.hidden[seat])

    def knows(self, observer, owner):
        """Cards that a player knows in another's hidden hand."""
        return text_of(self.state.known[observer, owner])

    def skeletons(self, seat):
        """A player's skeletons."""
        counts = self.state.skeletons[seat].tolist()
        return " ".join(name for name, n in zip(GENERA, counts, strict=True) for _ in range(n))

    @property
    def exposed(self):
        """The exposed cards."""
        return text_of(self.state.exposed)

    @property
    def buried(self):
        """The buried cards."""
        return text_of(self.state.buried)
