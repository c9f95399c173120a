"""Positions of Fossilium and of its solo game, set up in words and played in words.

A tile is the id of its species, with its pieces behind a stroke where it has several:
`eoraptor`, `mixosaurus/12`, `plesiosaur/56`. A museum is drawn as its six rows; a letter stands
for a fossil named beside the drawing, upper case where the piece is displayed and lower case where
the field is reserved, `1a` to `6b` for a panel:

    museum('''
        .  .  .  .  .  E
        .  S  s  s  .  .
        .  s  s  S  2b .
        .  .  .  .  .  .
        .  .  .  .  .  .
        .  .  .  .  .  .''', E="eoraptor", S="stegosaurus")

A rectangle lies in the first quarter turn that fits it, or in the one given: `"stegosaurus 2"`.
Columns and sites, rows and columns of a museum count from 1 here, as on the sheet.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import numpy as np

from bonebed.kernels import rules
from bonebed.kernels.fossilium.state import Phase

SHEET = Path(__file__).parents[1] / "kernels" / "components" / "fossilium.toml"
BOX = tomllib.loads(SHEET.read_text(encoding="utf-8"))
RULES = rules.load("fossilium")
SOLO = rules.load("fossilium_solo")

TYPES = ("terrestrial", "aquatic", "botanical")
SIZES = {species["id"]: species["size"] for species in BOX["species"]}
TYPE = {species["id"]: species["type"] for species in BOX["species"]}
TILES = [  # by type, in words (1.3)
    f"{name}/{2 * kind + 1}{2 * kind + 2}" if size > 1 else name
    for name, size in SIZES.items()
    for kind in range(max(1, size // 2))
]
BAGS = [  # by site: tiles of each type in a full bag (1.4)
    Counter(
        {
            tile: species["tiles"][site] // max(1, species["size"] // 2)
            for species in BOX["species"]
            if site in species["tiles"]
            for tile in TILES
            if tile.split("/")[0] == species["id"]
        }
    )
    for site in "123"
]
ROWS = ("display", "build", "trade", "tour")  # 1.7
FIELDS = [f"{row} {kind}" for row in ROWS for kind in ("small", "large", "bonus")]
FIELDS += ["joker", "management", "strip"]
PANELS = [f"{tile}{side}" for tile in range(1, 7) for side in "ab"]
JOBS = [goal[side]["id"] for goal in BOX["job_goal"] for side in "ab"]
CARDS = [card["id"] for card in BOX["pal_action"]]
IS_B = {card["id"]: card["deck"] == "B" for card in BOX["pal_action"]}
ACT = {card["id"]: card["action"] for card in BOX["pal_action"]}
DRAWN = BOX["solo"]["draw_actions"]
FOSSIL_CARDS = [name for name, size in SIZES.items() if size > 1]
LINES = [f"{word} {kind}" for word in ("shop", "entrance") for kind in TYPES]
GAINS = ("dollar", "student", "guest")
NONE = -1
LAYOUT = {1: [[1]], 2: [[1, 2]], 4: [[1, 2], [3, 4]], 6: [[1, 2, 3], [4, 5, 6]]}  # 1.2


def turned(size: int, turn: int) -> list[list[int]]:
    """Return the pieces of a fossil, row by row, after quarter turns clockwise."""
    rows = LAYOUT[size]
    for _ in range(turn):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
    return rows


def tile_of(name: str, piece: int) -> int:
    """Return the type of the tile that shows a piece of a species."""
    kind = (piece - 1) // 2
    return TILES.index(f"{name}/{2 * kind + 1}{2 * kind + 2}" if SIZES[name] > 1 else name)


def museum(drawing: str, **fossils: str) -> dict[str, np.ndarray]:
    """Read a drawing as the fields of a museum."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    assert [len(row) for row in rows] == [6] * 6, drawing
    fields = {name: np.zeros(36, np.int64) for name in ("tile", "piece", "pose", "displayed")}
    fields |= {"panel": np.full(36, NONE)}
    fields["tile"][:] = NONE
    places: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            if word in PANELS:
                fields["panel"][6 * r + c] = PANELS.index(word)
            elif word != ".":
                places.setdefault(word.upper(), []).append((r, c))
                fields["displayed"][6 * r + c] = word.isupper()
    assert set(places) == set(fossils), (set(places), fossils)
    for letter, cells in places.items():
        name, _, wanted = fossils[letter].partition(" ")
        size = SIZES[name]
        for group in [[cell] for cell in cells] if size == 1 else [cells]:
            _lay(fields, name, group, wanted)
    return fields


def _lay(fields: dict, name: str, cells: list, wanted: str) -> None:
    """Write a fossil into the fields of a museum."""
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    for turn in [int(wanted)] if wanted else range(4):
        pieces = turned(SIZES[name], turn)
        there = {(top + r, left + c): p for r, row in enumerate(pieces) for c, p in enumerate(row)}
        if sorted(there) == sorted(cells):
            break
    else:
        raise AssertionError(f"{name} does not lie on {cells}")
    for (r, c), piece in there.items():
        cell = 6 * r + c
        fields["tile"][cell] = tile_of(name, piece)
        fields["piece"][cell] = piece
        fields["pose"][cell] = turn


ROW = ". . . . . ."
BARE = museum("\n".join([ROW] * 6))


def rows(*lines: str, **fossils: str) -> dict[str, np.ndarray]:
    """Read a museum whose first rows are given; the others are bare."""
    return museum("\n".join([*lines, *[ROW] * (6 - len(lines))]), **fossils)


def counts_of(text: str) -> list[int]:
    """Read tiles as the number of each type; `3*eoraptor` is three of them."""
    counts = [0] * len(TILES)
    for word in text.split():
        n, _, tile = word.rpartition("*")
        counts[TILES.index(tile)] += int(n or 1)
    return counts


def words_of(counts) -> str:
    """Write the number of tiles of each type as tiles."""
    return " ".join(TILES[t] for t, n in enumerate(counts.tolist()) for _ in range(n))


def bits(text: str) -> int:
    """Return the bits of fields of the board, separated by commas."""
    return sum(1 << FIELDS.index(word.strip()) for word in text.split(",") if word.strip())


class Position:
    """A position of Fossilium; by default its first player begins the first round.

    All museums are bare, all storages empty, the bags full and the board without workers.

    Parameters
    ----------
    museums : list of museum, by seat
    storage : list of str, by seat
    bags : dict of int to str, optional
        Contents by site; those not named are empty. Default: full bags.
    market : dict of str to str
        Rows by type.
    archive, jobs : str
        Tiles; ids of the three job goals.
    taken : dict of int to str
        Fields by column, separated by commas.
    round_goal, end_goal : str
        Tile and side of the goal of this round: `3 dark`; `1 b`. Default: none.
    unused : int
        The column that is not used: the third with two museums, else none.
    round_number, turn : int
    options : dict
    **at : object
        Other fields of the record.
    """

    rules = RULES
    seats = 2

    def __init__(
        self,
        museums=(),
        storage=(),
        bags=None,
        market=None,
        archive="",
        jobs="donate3 column display4",
        taken=None,
        round_goal="",
        end_goal="",
        unused=None,
        round_number=1,
        turn=0,
        options=None,
        **at,
    ):
        self.state = state = self._new(options or {})
        n = min(int(state.num_players), len(state.side))
        if unused is None:
            unused = 3 if n < 3 else 0
        state.unused = unused - 1 if unused else NONE
        for seat in range(n):
            for name, values in (museums[seat] if seat < len(museums) else BARE).items():
                state[name][seat] = values
            state.storage[seat] = counts_of(storage[seat] if seat < len(storage) else "")
            state.side[seat] = 0
            state.start[seat] = seat
            state.dollars[seat] = 0
        self._fill(bags, market or {}, archive, taken or {})
        state.job_goal[:] = [JOBS.index(word) for word in jobs.split()]
        state.round_goal[:] = NONE
        if round_goal:
            tile, side = round_goal.split()
            state.round_goal[round_number - 1] = 2 * int(tile) - 2 + (side == "dark")
        state.end_goal = 2 * int(end_goal[0]) - 2 + (end_goal[-1] == "b") if end_goal else NONE
        state.round_number = round_number
        state.phase = Phase.TURN
        state.to_play = state.active = turn
        self._set(at)
        self.derive()

    @classmethod
    def fresh(cls, seed=1, **options):
        """Return a game at its first decision, to be played in words."""
        self = object.__new__(cls)
        self.state = cls.rules.new(seed, **options)
        return self

    def settle_in(self):
        """Make all choices of set-up that are left, always the first of what is offered."""
        while self.state.round_number == 0:
            self.do(self.choices[0])
        return self

    def _new(self, options):
        """Start a game."""
        return self.rules.new(7, **({"num_players": self.seats} | options))

    def _fill(self, bags, market, archive, taken):
        """Write what is in the bags, in the market and on the board."""
        state = self.state
        stock = 0
        for site, full in enumerate(BAGS):
            held = counts_of(bags.get(site + 1, "")) if bags is not None else None
            for tile, n in full.items():
                there = n if held is None else held[TILES.index(tile)]
                state.bag[stock] = 0 if site == state.unused else there
                stock += 1
            if held is not None:
                assert sum(held) == sum(held[TILES.index(tile)] for tile in full)
        state.market[:] = NONE
        for name, row in market.items():
            state.market[TYPES.index(name), : len(row.split())] = [*map(TILES.index, row.split())]
        state.archive[:] = counts_of(archive)
        state.taken[:] = 0
        state.neutral[:] = 0
        for column, fields in taken.items():
            state.taken[column - 1] = bits(fields)

    def _set(self, at):
        """Write other fields, shorter lists into the first places; no worker but those named."""
        if "workers" in at:
            self.state.workers[: len(self.state.side)] = 0
        for name, value in at.items():
            if np.ndim(self.state[name]) == 0:
                self.state[name] = value
                continue
            for place, part in enumerate(value):
                if isinstance(part, list):
                    self.state[name][place, : len(part)] = part
                else:
                    self.state[name][place] = part

    def derive(self):
        """Compute what follows from the rest, and check all."""
        for name in self.rules.derived:
            self.state[name] = 0
        self.rules.derive(self.state)
        return self.check()

    def check(self):
        """Assert that no field is out of bounds."""
        states = np.zeros(1, self.rules.STATE)
        states[0] = self.state
        chosen = np.zeros(1, self.rules.OPTIONS)[0]
        for option in self.rules.options:
            chosen[option.name] = self.state[option.name]
        rules.check_states(states, chosen)
        return self

    # ------------------------------------------------------------------ playing

    def words(self, action):
        """Say an action in words."""
        name, values = self.rules.actions.decode(int(action))
        mover = int(self.state.to_play)
        v = [*values.values()]
        says = {
            "stop": lambda: "stop",
            "column": lambda c: f"column {c + 1}",
            "side": lambda s: f"side {'AB'[s]}",
            "goal": lambda g: f"goal {g + 1}",
            "face": lambda f: f"face {f}",
            "field": lambda c, f: f"field {c + 1} {FIELDS[f]}",
            "dig": lambda s, n: f"dig {s + 1} {n + 1}",
            "tile": lambda t: f"tile {TILES[t]}",
            "slot": lambda r, s: f"slot {TYPES[r]} {s + 1}",
            "archive": lambda t: f"archive {TILES[t]}",
            "cell": lambda c: f"cell {c // 6 + 1},{c % 6 + 1}",
            "pose": lambda f, t: f"pose {f} {t}",
            "panel": lambda p: f"panel {PANELS[p]}",
            "line": lambda i: f"line {LINES[i]}",
            "gain": lambda g: f"gain {GAINS[g]}",
            "owner": lambda k: f"owner {(mover + k + 1) % int(self.state.num_players)}",
            "card": lambda c: f"card {CARDS[c]}",
            "exhibit": lambda c: f"exhibit {FOSSIL_CARDS[c]}",
            "piece": lambda p: f"piece {p + 1}",
            "end": lambda e: f"end {('left', 'right')[e]}",
        }
        return says[name](*v)

    @property
    def choices(self):
        """All choices of the player to move, in words, in the order of their numbers."""
        return [self.words(action) for action in self.rules.legal_actions(self.state)]

    def offers(self, block):
        """Return the choices of one kind, without the word for the kind."""
        return [word[len(block) + 1 :] for word in self.choices if word.split()[0] == block]

    def do(self, *choices):
        """Play choices said in words, by whoever is to move."""
        for choice in choices:
            legal = {self.words(a): a for a in self.rules.legal_actions(self.state)}
            assert choice in legal, f"{choice} is not among {sorted(legal)}"
            self.rules.step(self.state, legal[choice])
        return self

    def play(self, text):
        """Play choices separated by semicolons."""
        return self.do(*(word.strip() for word in text.split(";")))

    def manage(self, column=1, gain="dollar"):
        """Place a worker on management."""
        return self.do(f"field {column} management", f"gain {gain}")

    def end_round(self, column=1):
        """Place the last worker of all, for a student; the round ends."""
        self.manage(column, "student")
        return self.do("stop") if self.asked[1] == "AFTER" else self

    def copy(self):
        """Return the same position once more."""
        other = object.__new__(type(self))
        other.state = self.state.copy()
        return other

    # ------------------------------------------------------------------ looking

    @property
    def asked(self):
        """Who is asked for what."""
        return int(self.state.to_play), Phase(self.state.phase).name

    @property
    def gains(self):
        """Prestige that the last choice brought every seat."""
        return self.state.gain[: int(self.state.num_players)].tolist()

    @property
    def points(self):
        """Prestige of every seat."""
        return self.state.score[: int(self.state.num_players)].tolist()

    @property
    def over(self):
        """Whether the game is over."""
        return bool(self.state.done)

    def of(self, name, seats=None):
        """Return a field, one number for each player."""
        return self.state[name][: seats or int(self.state.num_players)].tolist()

    def stored(self, seat=0):
        """Return the tiles in a storage."""
        return words_of(self.state.storage[seat])

    def row(self, name):
        """Return the tiles of a market row, from the left."""
        row = self.state.market[TYPES.index(name)].tolist()
        return " ".join(TILES[t] for t in row if t != NONE)

    @property
    def archive(self):
        """Return the tiles of the archives."""
        return words_of(self.state.archive)

    def bag(self, site):
        """Return the tiles in a bag, as the number of each type."""
        first = sum(map(len, BAGS[: site - 1]))
        there = self.state.bag[first : first + len(BAGS[site - 1])].tolist()
        return +Counter(dict(zip(BAGS[site - 1], there, strict=True)))

    @property
    def taken(self):
        """Return the fields on which somebody stands, by column, where there are such."""
        fields = {
            column + 1: {field for i, field in enumerate(FIELDS) if int(word) >> i & 1}
            for column, word in enumerate(self.state.taken.tolist())
        }
        return {column: names for column, names in fields.items() if names}

    @property
    def drawn(self):
        """Return the tiles that some are kept of, in the order drawn."""
        return [TILES[t] for t in self.state.drawn[: int(self.state.n_drawn)].tolist()]

    def map(self, seat=0):
        """Draw a museum: pieces displayed as their numbers, `-` reserved, panels, `.` empty."""
        state = self.state
        words = []
        for cell in range(36):
            if state.panel[seat, cell] != NONE:
                words.append(PANELS[state.panel[seat, cell]])
            elif state.tile[seat, cell] == NONE:
                words.append(".")
            else:
                words.append(str(state.piece[seat, cell]) if state.displayed[seat, cell] else "-")
        return [" ".join(words[6 * r : 6 * r + 6]) for r in range(6)]

    def outcome(self):
        """Return the results of a finished game."""
        out = np.zeros(int(self.state.num_players), np.float32)
        self.rules.outcome(self.state, out)
        return out.tolist()


class SoloPosition(Position):
    """A position of the solo game, the player's turn; Pal has no turn left unless said otherwise.

    Parameters
    ----------
    exhibits : str
        Open fossil cards; `mixosaurus+2` is one with piece 2 displayed by a cube of Pal's besides
        those depicted.
    deck : str
        The action cards that come next, A cards before B cards. The others are filled up in the
        order of the sheet.
    turns : int
        Turns that Pal has left in this round.
    **at : object
        As for Position, with `dollars`, `guests` and `workers` of the player alone, too.
    """

    rules = SOLO
    seats = 1

    def __init__(self, *args, exhibits="", deck="D1", turns=0, **at):
        self._solo = exhibits, deck, turns
        super().__init__(*args, **at)

    def _new(self, options):
        """Start a game."""
        return self.rules.new(7, **options)

    def _set(self, at):
        """Write Pal's fields, then the others."""
        exhibits, deck, turns = self._solo
        state, options = self.state, self.rules.options_dict(self.state)
        state.dollars[:] = 0
        state.exhibit[:] = NONE
        state.extent[:] = 0
        state.cubes_on[:] = 0
        for place, word in enumerate(exhibits.split()):
            name, *more = word.split("+")
            pieces = BOX["pal_fossil"][name]["depicted"] + [int(p) for p in more]
            state.exhibit[place] = FOSSIL_CARDS.index(name)
            state.extent[place] = sum(1 << (p - 1) for p in pieces)
            state.cubes_on[place] = len(more)
            state.cubes -= len(more)
        state.pal_turns = pal_turns(options, int(state.round_number)) - turns
        cards, state.played = stacked(deck.split(), options)
        state.deck[:] = NONE
        state.deck[: len(cards)] = [CARDS.index(card) for card in cards]
        super()._set(at)

    @property
    def pal(self):
        """Pal's guests, dollars, workers and cubes."""
        state = self.state
        return (
            *(int(state[name][1]) for name in ("guests", "dollars", "workers")),
            int(state.cubes),
        )

    def exhibit(self, name):
        """Return the pieces displayed on an open fossil card, and the cubes on it."""
        place = self.state.exhibit.tolist().index(FOSSIL_CARDS.index(name))
        extent = int(self.state.extent[place])
        pieces = [p for p in range(1, 7) if extent >> (p - 1) & 1]
        return pieces, int(self.state.cubes_on[place])


def pal_turns(options, round_number):
    """Return how many turns Pal has in a round (solo 3.3, 7.5)."""
    return ((2, 3, 3, 4, 4) if options["more_turns"] else (2, 2, 3, 3, 4))[round_number - 1]


def stacked(following, options):
    """Return a deck in which some cards come next, and how many were played before."""
    wanted = Counter(DRAWN)
    if options["more_turns"]:
        wanted["display"] += 1
        wanted["give_tour"] += 1
    order = sorted(CARDS, key=lambda card: not IS_B[card]) if options["more_b"] else CARDS
    others = []
    wanted.subtract(ACT[card] for card in following)
    for card in order:
        if card not in following and wanted[ACT[card]] > 0:
            wanted[ACT[card]] -= 1
            others.append(card)
    a = [card for card in others if not IS_B[card]]
    b = [card for card in others if IS_B[card]]
    first, last = ([*a], []) if any(IS_B[card] for card in following) else ([], a)
    assert sorted(following, key=lambda card: IS_B[card]) == following
    return [*first, *following, *last, *b], len(first)
