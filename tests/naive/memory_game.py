"""Memory Game, told a second time: slow, in plain Python, from docs/games/memory_game.md alone.

The reference reads the component sheet itself, is told how the cards lie (the game's only luck) and
says all the rest. Numbers in brackets are paragraphs of the rules page.
"""

from __future__ import annotations

import functools
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

FIELDS_OF_CHOICE = {"turn_up": ("cell",)}
FIXED_FIELDS = ("seed", "draws", "num_players", "spare")
PHASES = ("turn", "over")
NONE = -1
Choice = tuple


def read_sheet() -> dict:
    """Read the component sheet in use, exactly as it is written."""
    path = Path(__file__).parents[2] / "kernels" / "components" / "fossil_canyon.toml"
    own = Path(os.environ.get("BONEBED_COMPONENTS", "")) / "fossil_canyon.toml"
    return _parsed(own if "BONEBED_COMPONENTS" in os.environ and own.exists() else path)


@functools.cache
def _parsed(path: Path) -> dict:
    """Read a TOML file, once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def genera_of(sheet: dict) -> list[str]:
    """Return the names of the genera in play (1.1)."""
    memory = sheet["memory"]
    return [*memory["four"], *memory["three"], *memory["two"]]


class Game:
    """One game, from the cards as they lie to its result.

    Parameters
    ----------
    cards : dict of int to str
        Genus of the card on each space that has one.
    seen : set of int, optional
        Spaces whose cards were turned up before, for a game that starts in the middle.
    museums : list of list of str, optional
        Skeletons of each player.
    turns : int
        Turns that have ended.
    seat : int
        Whose turn it is.
    """

    def __init__(self, cards, seen=(), museums=None, turns=0, seat=0):
        self.sheet = read_sheet()
        self.info = {genus["name"]: genus for genus in self.sheet["genus"]}
        self.cards = dict(cards)
        self.seen = set(seen)
        self.up: list[int] = []
        self.museums = [list(names) for names in museums or ([], [])]
        self.points = [sum(self.info[name]["value"] for name in m) for m in self.museums]
        self.gains = [0, 0]
        self.turns = turns
        self.seat = seat
        self.num_players = 2
        self.asked = 0
        self.over = False
        self.events: Counter[str] = Counter()

    @property
    def face_down(self) -> list[int]:
        """Spaces with a card that can be turned up (3.1)."""
        return [space for space in sorted(self.cards) if space not in self.up]

    @property
    def choices(self) -> list[Choice]:
        """All that the player to move can do."""
        return [] if self.over else [("turn_up", space) for space in self.face_down]

    def choose(self, choice: Choice) -> None:
        """Turn up a card, and the last one where no choice is left (6.1)."""
        assert choice in self.choices
        self.asked += 1
        self.gains = [0, 0]
        self.turn_up(choice[1])
        if not self.over and len(self.face_down) == 1:
            self.events["forced"] += 1
            self.turn_up(self.face_down[0])

    def turn_up(self, space: int) -> None:
        """Turn up a card and see whether the turn ends (3.1 to 3.3)."""
        self.up.append(space)
        self.seen.add(space)
        genera = {self.cards[each] for each in self.up}
        if len(genera) > 1:
            self.events["mismatch after a pair" if len(self.up) > 2 else "mismatch"] += 1
            self.end_turn()
            return
        (genus,) = genera
        if len(self.up) == self.info[genus]["fossils"]:
            self.events[f"skeleton of {len(self.up)}"] += 1
            for each in self.up:
                del self.cards[each]
            self.seen -= set(self.up)
            self.museums[self.seat].append(genus)
            self.points[self.seat] += self.info[genus]["value"]
            self.gains[self.seat] += self.info[genus]["value"]
            if self.cards:
                self.end_turn()
            else:  # 5.1
                self.up, self.over = [], True
                self.events["all taken"] += 1

    def end_turn(self) -> None:
        """Turn the cards down again; the other player goes on, or the cap ends the game (5.2)."""
        self.up = []
        self.turns += 1
        if self.turns == self.sheet["memory"]["turn_cap"]:
            self.over = True
            self.events["cap"] += 1
        else:
            self.seat = 1 - self.seat

    def outcome(self) -> list[float]:
        """Return each seat's result (5.3, 5.4)."""
        mine, other = self.points
        self.events["shared win"] += mine == other
        return [(mine > other) - (mine < other), (other > mine) - (other < mine)]


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told only how the cards lie."""
    genera = genera_of(read_sheet())
    return Game({space: genera[card] for space, card in enumerate(state.cell.tolist())})


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field."""
    genera = genera_of(game.sheet)
    spaces = range(game.sheet["memory"]["rows"] * game.sheet["memory"]["cols"])
    return {
        "cell": [genera.index(game.cards[s]) if s in game.cards else NONE for s in spaces],
        "seen": [int(s in game.seen) for s in spaces],
        "up": [int(s in game.up) for s in spaces],
        "museum": [[int(name in museum) for name in genera] for museum in game.museums],
        "turns": game.turns,
        "score": game.points,
        "gain": game.gains,
        "ply": game.asked,
        "to_play": game.seat,
        "phase": PHASES.index("over" if game.over else "turn"),
        "done": int(game.over),
    }


def check_conservation(state, options: dict) -> None:
    """Assert that each genus is on the table as a whole or in one museum (1.1, 3.3)."""
    sheet = read_sheet()
    info = {genus["name"]: genus for genus in sheet["genus"]}
    lying = Counter(state.cell.tolist())
    points = [0, 0]
    for number, name in enumerate(genera_of(sheet)):
        owners = state.museum[:, number].tolist()
        assert lying[number] == info[name]["fossils"] * (1 - sum(owners))
        for seat in (0, 1):
            points[seat] += owners[seat] * info[name]["value"]
    assert points == state.score.tolist()
    assert not (state.seen.astype(bool) & (state.cell == NONE)).any()
    assert not (state.up.astype(bool) & (state.seen == 0)).any()


# ---------------------------------------------------------------------- steering random games

Policy = Callable[[Game, random.Random], Choice]


def at_random(game: Game, luck: random.Random) -> Choice:
    """Choose any choice, each as likely as the others."""
    return luck.choice(game.choices)


def mindful(game: Game, luck: random.Random) -> Choice:
    """Take what is known as a whole, go on with a genus where a card of it is known, else try."""
    known = [space for space in game.face_down if space in game.seen]
    if game.up:
        fitting = [s for s in known if game.cards[s] == game.cards[game.up[0]]]
    else:
        seen = Counter(game.cards[space] for space in game.seen)
        fitting = [s for s in known if seen[game.cards[s]] == game.info[game.cards[s]]["fossils"]]
    unseen = [space for space in game.face_down if space not in game.seen]
    return ("turn_up", luck.choice(fitting or unseen or game.face_down))


def stubborn(game: Game, luck: random.Random) -> Choice:
    """Turn up what is known to differ, so that the game goes on to its cap."""
    known = [space for space in game.face_down if space in game.seen]
    if game.up:
        known = [s for s in known if game.cards[s] != game.cards[game.up[0]]]
    return ("turn_up", luck.choice(known or game.face_down))


def finisher(game: Game, luck: random.Random) -> Choice:
    """Know where everything lies: a skeleton each turn."""
    fitting = [s for s in game.face_down if game.up and game.cards[s] == game.cards[game.up[0]]]
    return ("turn_up", luck.choice(fitting or game.face_down))


POLICIES: dict[str, Policy] = {
    "at_random": at_random,
    "mindful": mindful,
    "stubborn": stubborn,
    "finisher": finisher,
}


def late_position(luck: random.Random, options: dict) -> Game:
    """Draw a position near the end: few genera on the table, or few turns left."""
    sheet = read_sheet()
    genera = genera_of(sheet)
    info = {genus["name"]: genus for genus in sheet["genus"]}
    left = luck.sample(genera, luck.randint(1, min(4, len(genera))))
    museums: list[list[str]] = [[], []]
    for name in genera:
        if name not in left:
            museums[luck.randrange(2)].append(name)
    cards = [name for name in left for _ in range(info[name]["fossils"])]
    spaces = luck.sample(range(sheet["memory"]["rows"] * sheet["memory"]["cols"]), len(cards))
    seen = luck.sample(spaces, luck.randrange(len(spaces)))
    turns = max(0, sheet["memory"]["turn_cap"] - luck.randint(1, 12))
    seat = luck.randrange(2)
    return Game(dict(zip(spaces, cards, strict=True)), seen, museums, turns, seat)


RARE_EVENTS: dict[str, int] = {
    "forced": 30,
    "mismatch after a pair": 100,
    "skeleton of 2": 50,
    "skeleton of 3": 50,
    "skeleton of 4": 10,
    "all taken": 30,
    "cap": 18,
}
