"""Digging for Dinos, told a second time: slow, in plain Python, from its rules page alone.

Nothing here is shared with the kernel. The reference reads the component sheet itself and draws its
tiles with tests/chance.py, as the page says under "Chance"; numbers in brackets are paragraphs of
docs/games/digging_for_dinos.md. The game is one generator that runs from question to question, so
that it reads like the page.
"""

from __future__ import annotations

import functools
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from chance import Chance

NAME = "digging_for_dinos"
DIRECTIONS = {  # 3.2, as (rows down, columns right)
    "orthogonal": ((-1, 0), (0, 1), (1, 0), (0, -1)),
    "diagonal": ((-1, 1), (1, 1), (1, -1), (-1, -1)),
}
SIDES = ("orthogonal", "diagonal")
FIELDS_OF_CHOICE = {
    "place": ("space",),
    "move": ("token", "direction"),
    "relocate": ("token", "space"),
    "keep": (),
    "flip": ("token",),
}

Space = tuple[int, int]  # row, column
Choice = tuple  # the name of the decision, then its fields as in FIELDS_OF_CHOICE
Script = Generator[None, Choice, None]


class Tile(NamedTuple):
    """A tile: its species (its place in the sheet's list) and its position in the skeleton."""

    species: int
    position: int


@dataclass
class Token:
    """A token: where it stands, and the side that is up."""

    space: Space | None
    side: str


def read_sheet() -> dict:
    """Read the component sheet in use, exactly as it is written."""
    path = Path(__file__).parents[2] / "kernels" / "components" / f"{NAME}.toml"
    if "BONEBED_COMPONENTS" in os.environ:
        path = Path(os.environ["BONEBED_COMPONENTS"]) / f"{NAME}.toml"
    return _parsed(path)


@functools.cache
def _parsed(path: Path) -> dict:
    """Read a TOML file, once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def all_tiles(sheet: dict, copies: int, era: int | None = None) -> Counter[Tile]:
    """Return all tiles of an era or of all of them, in the order of the sheet (1.2, 1.3)."""
    return Counter(
        {
            Tile(number, position): copies
            for number, species in enumerate(sheet["species"])
            for position in range(len(species["left"]))
            if era in (None, species["era"])
        }
    )


@dataclass
class Position:
    """Where a game that starts in the middle starts: what the fields of a game hold there."""

    board: dict[Space, Tile]
    tokens: list[list[Token]]
    in_front: list[Counter[Tile]]
    stacks: list[Counter[Tile]]
    seat: int = 0


class Game:
    """One game of Digging for Dinos, from the set-up to its result.

    Parameters
    ----------
    rows, columns : int
    copies : int
    num_players : int
    chance : Chance
        Luck of the game.
    sheet : dict, optional
        The component sheet; by default the one in use.
    position : Position, optional
        For a game that starts in the middle, at the beginning of a turn.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        copies: int,
        num_players: int,
        chance: Chance,
        sheet: dict | None = None,
        position: Position | None = None,
    ) -> None:
        self.sheet = read_sheet() if sheet is None else sheet
        self.rows, self.columns, self.copies = rows, columns, copies
        self.kinds = list(all_tiles(self.sheet, 1))
        self.width, self.height = widest(self.sheet), tallest(self.sheet)
        self.num_players = num_players
        self.chance = chance
        self.board: dict[Space, Tile] = {}
        self.stacks = [all_tiles(self.sheet, copies, era + 1) for era in range(self.sheet["eras"])]
        self.tokens = [[Token(None, s) for s in self.sheet["start_sides"]] for _ in self.seats]
        self.in_front: list[Counter[Tile]] = [Counter() for _ in self.seats]
        self._known: dict[int, tuple[dict[Tile, int], Counter[int]]] = {}
        self.seat = 0
        self.phase = "over"
        self.choices: list[Choice] = []
        self.vacated: Space | None = None
        self.asked = 0
        self.over = False
        self.gains = [0] * num_players
        self.events: Counter[str] = Counter()  # what happened that is worth counting in a test
        if position is not None:
            self.board = dict(position.board)
            self.tokens = [[Token(t.space, t.side) for t in pair] for pair in position.tokens]
            self.in_front = [Counter(tiles) for tiles in position.in_front]
            self.stacks = [Counter(stack) for stack in position.stacks]
            self.seat = position.seat
        self._script = self._play(fresh=position is None)
        self._go_on(None)
        self.points = self._count_points()

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.num_players)

    # ------------------------------------------------------------------ asking

    def _ask(self, seat: int, phase: str, choices: list[Choice]) -> Generator:
        """Ask a seat to choose; a decision with one choice is made by the rules (7.1)."""
        self.seat = seat  # after the end: whose the last turn was
        if len(choices) == 1:
            self.events[f"sole {phase}"] += 1
            return choices[0]
        self.phase, self.choices = phase, choices
        return (yield)

    def choose(self, choice: Choice) -> None:
        """Answer the question that the game is at, and run to the next one or to the end."""
        if choice not in self.choices:
            raise ValueError(f"{choice} is not among {self.choices}")
        self.asked += 1
        before = list(self.points)
        self._go_on(choice)
        self.points = self._count_points()
        self.gains = [now - then for now, then in zip(self.points, before, strict=True)]

    def _go_on(self, choice: Choice | None) -> None:
        try:
            self._script.send(choice)
        except StopIteration:
            self.over, self.phase, self.choices = True, "over", []

    # ------------------------------------------------------------------ the course of a game

    def _play(self, fresh: bool) -> Script:
        if fresh:
            for space in self.spaces:  # 2.2
                self.board[space] = self._draw()
            yield from self._place()
        first = 0 if fresh else self.seat
        near = not fresh and self._end_is_near()
        while True:
            for seat in range(first, self.num_players):  # 2.6
                yield from self._turn(seat)
                self._note_end(seat, near)
                near = self._end_is_near()
            first = 0
            if near:  # 6.3
                break
        self._collect()

    @property
    def spaces(self) -> list[Space]:
        """All spaces of the board, row by row."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def number_of(self, space: Space) -> int:
        """Return the number of a space (1.5)."""
        return space[0] * self.width + space[1]

    def open_tiles(self) -> list[Space]:
        """Return the spaces with open tiles, row by row (2.3)."""
        taken = [token.space for pair in self.tokens for token in pair]
        return [space for space in self.spaces if space in self.board and space not in taken]

    def _draw(self) -> Tile:
        """Draw from the current stack, as the page says under "Chance"."""
        era = next(era for era, stack in enumerate(self.stacks) if stack.total())
        number = self.chance.draw(era, self.stacks[era].total())
        tile = sorted(self.stacks[era].elements())[number]
        self.stacks[era][tile] -= 1
        empty = not self.stacks[era].total()
        self.events["era came to its end"] += empty and era + 1 < len(self.stacks)
        return tile

    def _place(self) -> Script:
        """To and fro (2.4)."""
        for token, seats in enumerate((self.seats, reversed(self.seats))):
            for seat in seats:
                spaces = self.open_tiles()
                choices = [("place", self.number_of(space)) for space in spaces]
                choice = yield from self._ask(seat, "place", choices)
                self.tokens[seat][token].space = spaces[choices.index(choice)]

    def _end_is_near(self) -> bool:
        """Tell whether this round is the last one (6.1, 6.2)."""
        wanted = self.sheet["dinosaurs_to_trigger_end"]
        most = max(sum(self.dinosaurs(seat).values()) for seat in self.seats)
        return most >= wanted or not any(stack.total() for stack in self.stacks)

    def _note_end(self, seat: int, near: bool) -> None:
        """Count how the end came near."""
        if near or not self._end_is_near():
            return
        last = " in the last seat's turn" * (seat == self.num_players - 1)
        stacks = any(stack.total() for stack in self.stacks)
        self.events[("end by dinosaurs" if stacks else "end by the stacks") + last] += 1

    # ------------------------------------------------------------------ a turn

    def target(self, token: Token, direction: Space, free: list[Space]) -> Space | None:
        """Return where a token gets in a direction over what is not free, or None (3.3, 3.4)."""
        row, column = token.space
        while True:
            row, column = row + direction[0], column + direction[1]
            if not (0 <= row < self.rows and 0 <= column < self.columns):
                return None
            if (row, column) in free:
                return row, column

    def moves(self, seat: int) -> dict[Choice, Space]:
        """Return a player's moves and where they end, in the order of the table of actions."""
        moves = {}
        free = self.open_tiles()
        for number, token in enumerate(self.tokens[seat]):
            for direction, step in enumerate(DIRECTIONS[token.side]):
                if (space := self.target(token, step, free)) is not None:
                    moves["move", number, direction] = space
        if not moves:  # 3.5
            for number in range(len(self.tokens[seat])):
                for space in free:
                    moves["relocate", number, self.number_of(space)] = space
        return moves

    def _turn(self, seat: int) -> Script:
        moves = self.moves(seat)
        choice = yield from self._ask(seat, "move", list(moves))
        token = self.tokens[seat][choice[1]]
        left = token.space
        self._note_move(choice, left, moves[choice])
        token.space = moves[choice]
        self._flip(token)  # 3.6
        completed = self._take(seat, left)  # 3.7
        if completed is not None and "ability" in self.sheet["species"][completed]:
            self.vacated = left  # 4.5: the new tile is not there yet
            yield from self._ability(seat)
            self.vacated = None
        if any(stack.total() for stack in self.stacks):
            self.board[left] = self._draw()  # 3.8
        else:
            self.events["hole"] += 1

    def _note_move(self, choice: Choice, start: Space, end: Space) -> None:
        if choice[0] == "relocate":
            self.events["relocated"] += 1
            return
        steps = max(abs(start[0] - end[0]), abs(start[1] - end[1]))
        taken = [token.space for pair in self.tokens for token in pair]
        for k in range(1, steps):
            row = start[0] + (end[0] - start[0]) // steps * k
            column = start[1] + (end[1] - start[1]) // steps * k
            self.events["jumped a token" if (row, column) in taken else "jumped a hole"] += 1

    @staticmethod
    def _flip(token: Token) -> None:
        token.side = SIDES[1 - SIDES.index(token.side)]

    def _take(self, seat: int, space: Space) -> int | None:
        """Lay the tile of a space in front of a player; return the species that it completes."""
        tile = self.board.pop(space)
        before = self.dinosaurs(seat)[tile.species]
        self.in_front[seat][tile] += 1
        completed = self.dinosaurs(seat)[tile.species] > before
        self.events["second dinosaur of a species"] += completed and before > 0
        return tile.species if completed else None

    def _ability(self, seat: int) -> Script:
        """Ask whether to flip a token (4.4 to 4.6)."""
        choices = [("keep",)] + [("flip", token) for token in range(len(self.tokens[seat]))]
        choice = yield from self._ask(seat, "ability", choices)
        if choice[0] == "flip":
            self._flip(self.tokens[seat][choice[1]])
        self.events[f"ability: {choice[0]}"] += 1
        self.events["ability near the end"] += self._end_is_near()

    # ------------------------------------------------------------------ points and the end

    def dinosaurs(self, seat: int) -> Counter[int]:
        """Return how many dinosaurs of each species a player has completed (4.1 to 4.3)."""
        tiles = self.in_front[seat]
        known = self._known.get(seat)
        if known is None or known[0] != dict(
            tiles
        ):  # it is asked for often, and tiles change rarely
            dinosaurs = Counter(
                {
                    number: min([tiles[number, p] for p in range(len(species["left"]))])
                    for number, species in enumerate(self.sheet["species"])
                }
            )
            known = self._known[seat] = dict(tiles), dinosaurs
        return known[1]

    def _count_points(self) -> list[int]:
        """Count the points of every player (5.1, 5.2)."""
        points = []
        for seat in self.seats:
            total = 0
            dinosaurs = self.dinosaurs(seat)
            for number, species in enumerate(self.sheet["species"]):
                made = dinosaurs[number]
                total += made * species["right"]
                for position, left in enumerate(species["left"]):
                    total += (self.in_front[seat][number, position] - made) * left
            points.append(total)
        return points

    def _collect(self) -> None:
        """Every player takes the tiles under the own tokens (6.4)."""
        for seat in self.seats:
            for token in self.tokens[seat]:
                completed = self._take(seat, token.space) is not None
                self.events["completed by the last collection"] += completed
        self.points = self._count_points()
        orders = [self.order(seat) for seat in self.seats]
        for one in self.seats:
            for two in range(one):
                if self.points[one] == self.points[two]:
                    same = orders[one] == orders[two]
                    self.events["shared place" if same else "tie broken"] += 1
                    lists = sorted((orders[one][1], orders[two][1]), key=len)
                    if not same and lists[1][: len(lists[0])] == lists[0]:
                        self.events["tie broken by one dinosaur more"] += 1

    def order(self, seat: int) -> tuple[int, list[int]]:
        """Return what players are ranked by: points, then values of their dinosaurs (6.5, 6.6)."""
        values = [
            self.sheet["species"][number]["right"] for number in self.dinosaurs(seat).elements()
        ]
        return self.points[seat], sorted(values, reverse=True)

    def outcome(self) -> list[float]:
        """Return each seat's result: its place, or the mean of shared ones, from 1 to -1 (6.8)."""
        orders = [self.order(seat) for seat in self.seats]
        results = []
        for mine in orders:
            better = sum(order > mine for order in orders)
            places = range(better, better + orders.count(mine))
            results.append(1 - 2 * sum(places) / len(places) / (self.num_players - 1))
        return results


# ---------------------------------------------------------------------- meeting the kernel's record

# The kernel's record is read here, never its functions. Names of phases and marks for "none" are
# those that the record's description gives. A kind is a number: tiles counted through by the sheet.
NONE = -1
PHASES = ("place", "move", "ability", "over")
FIXED_FIELDS = ("seed", "num_players", "board", "copies", "spare")
BOARDS = ("3x4", "4x4", "5x5")  # 1.4; the sheet's own board is another one where it is not here
COPIES = (1, 2, 3)


def size_of(board: str) -> tuple[int, int]:
    """Return the rows and columns of a board by its word."""
    rows, columns = board.split("x")
    return int(rows), int(columns)


def can_be_played(sheet: dict, spaces: int, copies: int) -> bool:
    """Tell whether a board can be played with a number of copies (1.4)."""
    players, tokens = sheet["players"]["max"], len(sheet["start_sides"])
    enough = all_tiles(sheet, copies).total() > spaces
    return enough and players * tokens + players - 1 < spaces


def boards(sheet: dict) -> list[str]:
    """Return the words of all boards to choose from, the smallest first (1.4)."""
    own = sheet["board"]["rows"], sheet["board"]["cols"]
    sizes = {own} | {
        size
        for size in map(size_of, BOARDS)
        if all(can_be_played(sheet, size[0] * size[1], copies) for copies in copies_of(sheet))
    }
    return [f"{rows}x{columns}" for rows, columns in sorted(sizes, key=lambda s: (s[0] * s[1], s))]


def copies_of(sheet: dict) -> list[int]:
    """Return all numbers of copies to choose from (1.4)."""
    spaces, own = sheet["board"]["rows"] * sheet["board"]["cols"], sheet["copies_per_tile"]
    return sorted({own} | {c for c in COPIES if can_be_played(sheet, spaces, c)})


def widest(sheet: dict) -> int:
    """Return the width of the widest board (1.5)."""
    return max(size_of(board)[1] for board in boards(sheet))


def tallest(sheet: dict) -> int:
    """Return the height of the tallest board."""
    return max(size_of(board)[0] for board in boards(sheet))


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told only its seed and the options."""
    rows, columns = size_of(options["board"])
    return Game(rows, columns, options["copies"], options["num_players"], Chance(state.seed))


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field, as plain Python values."""
    sheet = game.sheet
    players, tokens = sheet["players"]["max"], len(sheet["start_sides"])
    kinds = game.kinds
    tile = [NONE] * (game.width * game.height)
    for space, lying in game.board.items():
        tile[game.number_of(space)] = kinds.index(lying)
    space, side = ([[none] * tokens for _ in range(players)] for none in (NONE, 0))
    held, made = [[0] * len(kinds) for _ in range(players)], [0] * players
    dinosaurs = [[0] * len(sheet["species"]) for _ in range(players)]
    for seat in game.seats:
        for number, token in enumerate(game.tokens[seat]):
            space[seat][number] = NONE if token.space is None else game.number_of(token.space)
            side[seat][number] = SIDES.index(token.side)
        held[seat] = [game.in_front[seat][kind] for kind in kinds]
        dinosaurs[seat] = list(game.dinosaurs(seat).values())
        made[seat] = sum(dinosaurs[seat])
    unused = [0] * (players - game.num_players)
    return {
        "draws": [game.chance.draws[era] for era in range(sheet["eras"])],
        "tile": tile,
        "token": space,
        "side": side,
        "held": held,
        "left": [game.stacks[sheet["species"][kind.species]["era"] - 1][kind] for kind in kinds],
        "vacated": NONE if game.vacated is None else game.number_of(game.vacated),
        "score": game.points + unused,
        "gain": game.gains + unused,
        "to_play": game.seat,
        "phase": PHASES.index(game.phase),
        "done": int(game.over),
        "ply": game.asked,
        # bookkeeping, which follows from the position
        "open": sum(1 << game.number_of(free) for free in game.open_tiles()),
        "stack": [stack.total() for stack in game.stacks],
        "dinosaurs": dinosaurs,
        "made": made,
    }


def check_conservation(state, options: dict) -> None:
    """Assert that every tile is on the board, in a stack or in front of a player (1.3)."""
    sheet = read_sheet()
    kinds = list(all_tiles(sheet, 1))
    lying = Counter(kind for kind in state.tile.tolist() if kind != NONE)
    for kind in range(len(kinds)):
        held = sum(row[kind] for row in state.held.tolist())
        assert lying[kind] + held + int(state.left[kind]) == options["copies"]
    rows, columns = size_of(options["board"])
    if not state.done and sum(state.stack.tolist()) > 0:
        vacated = int(state.vacated != NONE)
        assert lying.total() == rows * columns - vacated  # 3.8: no hole before the stacks are empty


# ---------------------------------------------------------------------- steering random games

Policy = Callable[[Game, random.Random], Choice]


def at_random(game: Game, luck: random.Random) -> Choice:
    """Choose any choice, each as likely as the others."""
    return luck.choice(game.choices)


def collector(game: Game, luck: random.Random) -> Choice:
    """Take tiles of species that are begun, and land on such tiles; flip now and then."""
    if game.phase != "move":
        return luck.choice(game.choices)
    moves = game.moves(game.seat)
    begun = Counter(tile.species for tile in +game.in_front[game.seat])

    def weight(choice: Choice) -> tuple[int, float]:
        left = game.board[game.tokens[game.seat][choice[1]].space]
        there = game.board[moves[choice]]
        new = sum(game.in_front[game.seat][tile] == 0 for tile in (left, there))
        return new + begun[left.species] + begun[there.species], luck.random()

    return max(game.choices, key=weight)


def mixed(game: Game, luck: random.Random) -> Choice:
    """Let every other seat collect, and all of them sometimes play at random."""
    policy = at_random if luck.random() < 0.2 or game.seat % 2 else collector
    return policy(game, luck)


POLICIES: dict[str, Policy] = {"at_random": at_random, "collector": collector, "mixed": mixed}


def late_position(luck: random.Random, options: dict) -> Game:
    """Draw a position shortly before the end: few tiles in the last stack, or four dinosaurs.

    Not all tiles are there: those that are neither on the board nor in front of a player nor in the
    stack are out of the game.
    """
    sheet = read_sheet()
    rows, columns = size_of(options["board"])
    players, copies = options["num_players"], options["copies"]
    while True:
        seat = luck.randrange(players)
        last = list(all_tiles(sheet, copies, sheet["eras"]).elements())
        luck.shuffle(last)
        stack = Counter(last[: luck.choice((0, 1, 2, 3, 5)) if seat else luck.randint(1, 5)])
        rest = all_tiles(sheet, copies) - stack
        tiles = list(rest.elements())
        luck.shuffle(tiles)
        spaces = [(row, column) for row in range(rows) for column in range(columns)]
        luck.shuffle(spaces)
        holes = 0 if stack.total() else luck.randint(0, seat)
        board = {space: tiles.pop() for space in spaces[holes:]}
        standing = luck.sample(sorted(board), 2 * players)
        tokens = [
            [Token(standing.pop(), luck.choice(SIDES)) for _ in range(2)] for _ in range(players)
        ]
        in_front: list[Counter[Tile]] = [Counter() for _ in range(players)]
        same = luck.sample(range(len(sheet["species"])), min(4, len(sheet["species"])))
        for tile in tiles:
            wanted = luck.random() < (0.9 if tile.species in same else 0.15)
            if wanted:
                in_front[luck.choice((0, seat, luck.randrange(players)))][tile] += 1
        position = Position(
            board=board,
            tokens=tokens,
            in_front=in_front,
            stacks=[Counter() for _ in range(sheet["eras"] - 1)] + [stack],
            seat=seat,
        )
        # The record of a position that is set up has the seed 0.
        chance = Chance(0, tuple(luck.getrandbits(16) for _ in range(sheet["eras"])))
        game = Game(rows, columns, copies, players, chance, sheet, position)
        if not game.over:
            return game


# Events that all games of the twin test together must have covered, each at least this often in
# the compiled run.
RARE_EVENTS: dict[str, int] = {
    "sole move": 190,
    "relocated": 24,
    "jumped a token": 1500,
    "jumped a hole": 10,
    "hole": 450,
    "era came to its end": 200,
    "ability: keep": 60,
    "ability: flip": 140,
    "ability near the end": 14,
    "second dinosaur of a species": 70,
    "end by dinosaurs": 25,
    "end by dinosaurs in the last seat's turn": 15,
    "end by the stacks": 200,
    "end by the stacks in the last seat's turn": 150,
    "completed by the last collection": 250,
    "tie broken": 6,
    "tie broken by one dinosaur more": 2,
    "shared place": 45,
}
