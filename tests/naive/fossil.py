"""Fossil, told a second time: slow, in plain Python, from docs/games/fossil.md alone.

Nothing here is shared with the kernel. The reference reads the component sheet itself, is told how
the tiles were laid out (the game's only luck) and says all the rest: whose decision it is, which
choices there are, what each costs and brings, when the game ends and who wins. Numbers in brackets
are paragraphs of the rules page. The game is one generator that runs from question to question, so
that it reads like the page.
"""

from __future__ import annotations

import functools
import itertools
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

NAME = "fossil"
DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left
FIELDS_OF_CHOICE = {
    "place": ("cell",),
    "move": ("stone", "direction", "tiles"),
    "keep": (),
    "give": ("fossil", "value"),
    "take": ("opponent", "fossil"),
}

Space = tuple[int, int]  # row, column
Choice = tuple  # the name of the decision, then its fields as in FIELDS_OF_CHOICE
Script = Generator[None, Choice, None]


class Tile(NamedTuple):
    """A tile: which fossil (its place in the sheet's list) and its value in points."""

    fossil: int
    value: int


def read_sheet() -> dict:
    """Read the component sheet in use, exactly as it is written."""
    path = Path(__file__).parents[2] / "kernels" / "components" / "fossil.toml"
    if "BONEBED_COMPONENTS" in os.environ:
        path = Path(os.environ["BONEBED_COMPONENTS"]) / "fossil.toml"
    return _parsed(path)


@functools.cache
def _parsed(path: Path) -> dict:
    """Read a TOML file, once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def size_of(setup: dict) -> tuple[int, int]:
    """Return the rows and columns of one of the sheet's set-ups."""
    return setup["rows"], setup["cols"]


def setup_for(sheet: dict, num_players: int, setup: str = "auto") -> dict:
    """Return the sheet's set-up for a number of players (1.2, 1.3), or the forced one (1.4)."""
    if setup != "auto":
        return sheet["setup"][setup]
    (fitting,) = (s for s in sheet["setup"].values() if num_players in s["players"])
    return fitting


@dataclass
class Move:
    """One allowed move: its choice, its whole cost and where the stone stops."""

    choice: Choice
    cost: int
    space: Space


class Game:
    """One game of Fossil, from a laid-out board to its result.

    Parameters
    ----------
    tiles : dict of Space to Tile
        The laid-out board; spaces without a tile are left out.
    num_players : int
    rows, columns : int
        Size of the board in use.
    tactical : bool
        Whether the tactical variant (6) is played.
    sheet : dict, optional
        The component sheet; by default the one in use.
    stones : list of Space, optional
        Where the stones stand, for a game that starts in the middle. By default none is placed.
    points, in_front : list, optional
        Points and tiles of every seat, for a game that starts in the middle.
    seat : int
        Whose turn it is, for a game that starts in the middle.
    """

    def __init__(
        self,
        tiles: dict[Space, Tile],
        num_players: int,
        rows: int,
        columns: int,
        tactical: bool = False,
        sheet: dict | None = None,
        stones: list[Space] | None = None,
        points: list[int] | None = None,
        in_front: list[list[Tile]] | None = None,
        seat: int = 0,
    ) -> None:
        self.sheet = read_sheet() if sheet is None else sheet
        self.board = dict(tiles)
        self.rows, self.columns = rows, columns
        self.width = max(s["cols"] for s in self.sheet["setup"].values())  # 1.6
        self.tactical = tactical
        self.num_players = num_players
        self.stones = list(stones or [])
        start = self.sheet["start_score"]  # 2.2
        self.points = list(points) if points is not None else [start] * num_players
        self.in_front = [list(f) for f in in_front] if in_front else [[] for _ in self.points]
        self.first = seat
        self.seat = seat
        self.phase = "over"
        self.choices: list[Choice] = []
        self.given: Tile | None = None
        self.completed: int | None = None
        self.asked = 0
        self.over = False
        self.gains = [0] * num_players
        self.events: Counter[str] = Counter()  # what happened that is worth counting in a test
        self._script = self._play()
        self._go_on(None)

    # ------------------------------------------------------------------ asking

    def _ask(self, seat: int, phase: str, choices: list[Choice]) -> Generator:
        """Ask a seat to choose; a decision with one choice is made by the rules (8.1)."""
        self.seat = seat  # after the end: whose the last decision was, asked or not
        if len(choices) == 1:
            self.events[f"forced {choices[0][0]}"] += 1
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
        self.gains = [now - then for now, then in zip(self.points, before, strict=True)]

    def _go_on(self, choice: Choice | None) -> None:
        try:
            self._script.send(choice)
        except StopIteration:
            self.over, self.phase, self.choices = True, "over", []

    # ------------------------------------------------------------------ the course of a game

    def _play(self) -> Script:
        if not self.stones:
            yield from self._place_stones()
        seat = self.first
        while (found := self._next_to_move(seat)) is not None:
            yield from self._turn(*found)
            seat = (found[0] + 1) % self.num_players
        self._end()

    def _place_stones(self) -> Script:
        """The last seat places both stones on two different tiles (2.3)."""
        for _ in range(self.sheet["stones"]):
            free = [space for space in sorted(self.board) if space not in self.stones]
            choices = [("place", self.number_of(space)) for space in free]
            choice = yield from self._ask(self.num_players - 1, "place", choices)
            self.stones.append(free[choices.index(choice)])

    def _next_to_move(self, seat: int) -> tuple[int, list[Move]] | None:
        """Return the first seat from `seat` on with allowed moves (3.6, 3.9), or None (7.1)."""
        for offset in range(self.num_players):
            candidate = (seat + offset) % self.num_players
            if moves := self.moves(candidate):
                self.events["sat out"] += offset
                return candidate, moves
        return None

    def number_of(self, space: Space) -> int:
        """Return the number of a space (1.6)."""
        return space[0] * self.width + space[1]

    # ------------------------------------------------------------------ a turn

    def moves(self, seat: int) -> list[Move]:
        """Return the allowed moves of a seat, in the order of the table of actions (3.1 to 3.5)."""
        found = []
        for stone, start in enumerate(self.stones):
            others = self.stones[:stone] + self.stones[stone + 1 :]
            for direction, (down, right) in enumerate(DIRECTIONS):
                cost = passed = 0
                row, column = start[0] + down, start[1] + right
                while 0 <= row < self.rows and 0 <= column < self.columns:
                    space = row, column
                    if space in others:  # 3.2: neither over it nor onto it
                        break
                    if space in self.board:
                        whole = cost + self.sheet["cost_landing_tile"]
                        if whole <= self.points[seat]:  # 3.5
                            found.append(Move(("move", stone, direction, passed), whole, space))
                        passed += 1
                        cost += self.sheet["cost_per_tile_passed"]
                    else:
                        cost += self.sheet["cost_per_empty_space"]
                    row, column = row + down, column + right
        return found

    def _turn(self, seat: int, moves: list[Move]) -> Script:
        """Move a stone, take the tile, and complete its fossil if it was the last (3)."""
        choice = yield from self._ask(seat, "move", [move.choice for move in moves])
        (move,) = (move for move in moves if move.choice == choice)
        self._note_move(choice[1], move.space)
        self.points[seat] -= move.cost
        self.stones[choice[1]] = move.space
        tile = self.board.pop(move.space)  # 3.7
        self.in_front[seat].append(tile)
        if all(other.fossil != tile.fossil for other in self.board.values()):  # 3.8
            yield from self._exchange(seat, tile.fossil)
            self._score(tile.fossil)

    def _note_move(self, stone: int, target: Space) -> None:
        start = self.stones[stone]
        self.events["left a tile under a stone"] += start in self.board
        between = set(self._between(start, target))
        self.events["passed empty spaces"] += bool(between - set(self.board))
        self.events["passed tiles"] += bool(between & set(self.board))

    @staticmethod
    def _between(start: Space, target: Space) -> list[Space]:
        rows = range(min(start[0], target[0]), max(start[0], target[0]) + 1)
        columns = range(min(start[1], target[1]), max(start[1], target[1]) + 1)
        return [(r, c) for r in rows for c in columns if (r, c) not in (start, target)]

    # ------------------------------------------------------------------ the exchange

    def _partners(self, seat: int, tile: Tile) -> list[Choice]:
        """Return all ways to get another fossil's tile of equal value for a tile (4.1, 4.2)."""
        ways = []
        for offset in range(1, self.num_players):
            theirs = self.in_front[(seat + offset) % self.num_players]
            fossils = {t.fossil for t in theirs if t.value == tile.value} - {tile.fossil}
            ways += [("take", offset - 1, fossil) for fossil in sorted(fossils)]
        return ways

    def _exchange(self, seat: int, fossil: int) -> Script:
        """Ask for an exchange, first what to give, then what to take (4)."""
        own = sorted(set(self.in_front[seat]))
        gives: list[Choice] = [("give", *self._index(t)) for t in own if self._partners(seat, t)]
        if not gives:  # 4.4
            self.events["no exchange possible"] += 1
            return
        if self.sheet["exchange_optional"]:
            gives.insert(0, ("keep",))
        self.completed = fossil
        choice = yield from self._ask(seat, "give", gives)
        if choice != ("keep",):
            yield from self._swap(seat, Tile(choice[1], choice[2] + 1), fossil)
        self.events["exchange refused"] += choice == ("keep",)
        self.given = self.completed = None

    @staticmethod
    def _index(tile: Tile) -> tuple[int, int]:
        """Return a tile as the fields of a give, which count values from 0."""
        return tile.fossil, tile.value - 1

    def _swap(self, seat: int, mine: Tile, completed: int) -> Script:
        self.given = mine
        choice = yield from self._ask(seat, "take", self._partners(seat, mine))
        other = (seat + 1 + choice[1]) % self.num_players
        theirs = Tile(choice[2], mine.value)
        self.in_front[seat].remove(mine)
        self.in_front[other].remove(theirs)
        self.in_front[seat].append(theirs)
        self.in_front[other].append(mine)
        self.events["exchange made"] += 1
        self.events["gave a tile of the scored fossil"] += mine.fossil == completed
        self.events["took a tile of the scored fossil"] += theirs.fossil == completed

    # ------------------------------------------------------------------ scoring

    def _score(self, fossil: int) -> None:
        """Score a fossil: receipts (5.1, 6.1), debts (5.3 to 5.5), tiles leave the game (5.6)."""
        values = [[t.value for t in tiles if t.fossil == fossil] for tiles in self.in_front]
        products = [sum(v) * len(v) for v in values]
        if not any(values):  # 5.7
            self.events["nobody holds the fossil"] += 1
            return
        best = [seat for seat, product in enumerate(products) if product == max(products)]
        for seat, product in enumerate(products):
            self.points[seat] += (
                sum(values[seat]) if self.tactical and seat not in best else product
            )
        counts = {len(values[seat]) for seat in best}
        (debt,) = counts  # 5.2: they have equally many
        owed = paid = 0
        for seat in range(self.num_players):
            if not values[seat]:
                owed += debt
                payment = min(debt, self.points[seat])  # 5.3
                paid += payment
                self.points[seat] -= payment
                self.events["debt not fully paid"] += payment < debt
                self.events["debt of a player with 1 or 2 points"] += 0 < payment < debt
        pool = owed if self.sheet["penalty_full_entitlement"] else paid
        for seat in best:
            self.points[seat] += pool // len(best)  # 5.4, 5.5
        self.events["single best"] += len(best) == 1
        self.events["tied best"] += len(best) > 1
        self.events["tied best with debts"] += len(best) > 1 and pool > 0
        self.events["remainder lost"] += pool % len(best) > 0
        self.events["holder who is not best"] += sum(map(bool, products)) > len(best)
        self.in_front = [[t for t in tiles if t.fossil != fossil] for tiles in self.in_front]

    def _end(self) -> None:
        """Score what is left on the board, without exchange (7.2)."""
        broke = [points for points in self.points if points == 0]
        unpaid = any(self._reaches_a_tile(stone) for stone in range(len(self.stones)))
        self.events["end: nobody can pay"] += unpaid
        self.events["end: no stone reaches a tile"] += bool(self.board) and not unpaid
        self.events["end: board empty"] += not self.board
        self.events["end: everyone at 0"] += len(broke) == self.num_players
        for fossil in range(len(self.sheet["fossils"])):
            if any(tile.fossil == fossil for tile in self.board.values()):
                self.events["scored at the end"] += 1
                self._score(fossil)
        self.events["shared win"] += self.points.count(max(self.points)) > 1

    def _reaches_a_tile(self, stone: int) -> bool:
        """Return whether a tile lies anywhere in a stone's four lines before the other stone."""
        for down, right in DIRECTIONS:
            row, column = self.stones[stone]
            while True:
                row, column = row + down, column + right
                inside = 0 <= row < self.rows and 0 <= column < self.columns
                if not inside or (row, column) in self.stones:
                    break
                if (row, column) in self.board:
                    return True
        return False

    def outcome(self) -> list[float]:
        """Return each seat's result: its place, or the mean of shared ones, from 1 to -1 (7.4)."""
        results = []
        for mine in self.points:
            better = sum(points > mine for points in self.points)
            places = range(better, better + self.points.count(mine))
            results.append(1 - 2 * sum(places) / len(places) / (self.num_players - 1))
        return results


# ---------------------------------------------------------------------- meeting the kernel's record

# The kernel's record is read here, never its functions. Names of phases and marks for "none" are
# those that the record's description gives. A kind is a number: fossil * most valuable + value - 1.
NONE = -1
PHASES = ("place", "move", "give", "take", "over")
# Fields of the record that a game never changes: its luck is all in the set-up, and options stay.
FIXED_FIELDS = ("seed", "draws", "num_players", "tactical", "setup", "spare")


@dataclass(frozen=True)
class Sizes:
    """How long the record's fields are under a sheet."""

    players: int
    fossils: int
    values: int
    rows: int
    columns: int

    def kind(self, tile: Tile) -> int:
        """Return the number of a kind of tile."""
        return tile.fossil * self.values + tile.value - 1

    def tile(self, kind: int) -> Tile:
        """Return a tile of a kind."""
        return Tile(kind // self.values, kind % self.values + 1)


def sizes_of(sheet: dict) -> Sizes:
    """Return the sizes that follow from a sheet."""
    return Sizes(
        sheet["players"]["max"],
        len(sheet["fossils"]),
        max(sheet["tile_values"]),
        max(setup["rows"] for setup in sheet["setup"].values()),
        max(setup["cols"] for setup in sheet["setup"].values()),
    )


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told only the laid-out tiles and the options."""
    sheet = read_sheet()
    sizes = sizes_of(sheet)
    rows, columns = size_of(setup_for(sheet, options["num_players"], options["setup"]))
    tiles = {
        divmod(cell, sizes.columns): sizes.tile(kind)
        for cell, kind in enumerate(state.tile.tolist())
        if kind != NONE
    }
    return Game(tiles, options["num_players"], rows, columns, bool(options["tactical"]), sheet)


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field, as plain Python values."""
    sizes = sizes_of(game.sheet)
    tile, left = [NONE] * (sizes.rows * sizes.columns), [0] * sizes.fossils
    for (row, column), (fossil, value) in game.board.items():
        tile[row * sizes.columns + column] = fossil * sizes.values + value - 1
        left[fossil] += 1
    held = [[0] * (sizes.fossils * sizes.values) for _ in range(sizes.players)]
    for seat, tiles in enumerate(game.in_front):
        for fossil, value in tiles:
            held[seat][fossil * sizes.values + value - 1] += 1
    stones = [game.number_of(space) for space in game.stones]
    unused = [0] * (sizes.players - game.num_players)
    return {
        "tile": tile,
        "stone": stones + [NONE] * (2 - len(stones)),
        "held": held,
        "left": left,
        "given": NONE if game.given is None else sizes.kind(game.given),
        "completed": NONE if game.completed is None else game.completed,
        "score": game.points + unused,
        "gain": game.gains + unused,
        "to_play": game.seat,
        "phase": PHASES.index(game.phase),
        "done": int(game.over),
        "ply": game.asked,
        **derived_fields(game, sizes),
    }


def derived_fields(game: Game, sizes: Sizes) -> dict:
    """Return what the record's bookkeeping must hold: all of it follows from the position.

    `kinds`: the kinds in front of each seat as bits. `count`, `total`: number and sum of values of
    the tiles of each fossil in front of each seat. `line`: the tiles of each column as bits by row,
    and of each row by column. `ray`: those of them that each stone reaches in each direction.
    """
    kinds = [0] * sizes.players
    count, total = ([[0] * sizes.fossils for _ in kinds] for _ in range(2))
    for seat, tiles in enumerate(game.in_front):
        for fossil, value in tiles:
            kinds[seat] |= 1 << fossil * sizes.values + value - 1
            count[seat][fossil] += 1
            total[seat][fossil] += value
    side = max(sizes.rows, sizes.columns)
    line = [[0] * side, [0] * side]
    for row, column in game.board:
        line[0][column] += 1 << row
        line[1][row] += 1 << column
    ray = [0] * 8
    if len(game.stones) == 2:
        for number, (stone, (down, right)) in enumerate(itertools.product((0, 1), DIRECTIONS)):
            (row, column), other = game.stones[stone], game.stones[1 - stone]
            for far in range(1, side):
                space = row + far * down, column + far * right
                if space == other:
                    break
                if space in game.board:
                    ray[number] += 1 << space[0 if down else 1]
    return {"kinds": kinds, "line": line, "ray": ray, "count": count, "total": total}


def check_conservation(state, options: dict) -> None:
    """Assert that every tile laid out is on the board, in front of a player, or scored as a whole.

    A scored fossil has left entirely (5.6); `left` counts the tiles on the board (3.8).
    """
    sheet = read_sheet()
    sizes = sizes_of(sheet)
    setup = setup_for(sheet, options["num_players"], options["setup"])
    lying = Counter(sizes.tile(kind) for kind in state.tile.tolist() if kind != NONE)
    held: Counter[Tile] = Counter()
    for row in state.held.tolist():
        assert min(row) >= 0
        held.update({sizes.tile(kind): number for kind, number in enumerate(row)})
    for fossil, left in enumerate(state.left.tolist()):
        assert left == sum(number for tile, number in lying.items() if tile.fossil == fossil)
    for tile, number in (lying + held).items():
        assert number <= setup["tile_values"].count(tile.value)
    if state.ply == 0:
        assert (lying + held).total() == setup["tiles_laid"]
    for fossil in range(sizes.fossils):  # 5.6: once all tiles are off the board, none is held
        over = state.left[fossil] == 0 and state.completed != fossil
        assert not (over and any(held[tile] for tile in held if tile.fossil == fossil))
    assert min(state.score.tolist()) >= 0


# ---------------------------------------------------------------------- steering random games

Policy = Callable[[Game, random.Random], Choice]


def at_random(game: Game, luck: random.Random) -> Choice:
    """Choose any choice, each as likely as the others."""
    return luck.choice(game.choices)


def _steered(weigh: Callable[[Game, Move], float]) -> Policy:
    """Build a player who moves where `weigh` is greatest and prefers to exchange."""

    def policy(game: Game, luck: random.Random) -> Choice:
        if game.phase == "move":
            moves = game.moves(game.seat)
            return max(moves, key=lambda move: (weigh(game, move), luck.random())).choice
        gives = [choice for choice in game.choices if choice != ("keep",)]
        return luck.choice(gives)

    return policy


spendthrift = _steered(lambda game, move: move.cost)
miser = _steered(lambda game, move: -move.cost)
finisher = _steered(
    lambda game, move: -sum(t.fossil == game.board[move.space].fossil for t in game.board.values())
)


def mixed(game: Game, luck: random.Random) -> Choice:
    """Let every seat be another kind of player, and all of them sometimes play at random."""
    kinds = (spendthrift, miser, finisher, at_random)
    policy = at_random if luck.random() < 0.2 else kinds[game.seat % len(kinds)]
    return policy(game, luck)


POLICIES: dict[str, Policy] = {
    "at_random": at_random,
    "spendthrift": spendthrift,
    "miser": miser,
    "finisher": finisher,
    "mixed": mixed,
}


def late_position(luck: random.Random, options: dict) -> Game:
    """Draw a position shortly before the end: few tiles on the board, few points, a player to move.

    Every fossil is either out of play or has a tile on the board; whose the other tiles are, where
    the stones stand and who is to move is drawn freely.
    """
    sheet = read_sheet()
    setup = setup_for(sheet, options["num_players"], options["setup"])
    rows, columns = size_of(setup)
    spaces = [(row, column) for row in range(rows) for column in range(columns)]
    while True:
        tiles: dict[Space, Tile] = {}
        in_front: list[list[Tile]] = [[] for _ in range(options["num_players"])]
        free = luck.sample(spaces, len(spaces))
        for fossil in luck.sample(range(len(sheet["fossils"])), luck.randint(1, 5)):
            values = luck.sample(setup["tile_values"], len(setup["tile_values"]))
            on_board = luck.choice((1, 1, 2, 3))
            for value in values[:on_board]:
                tiles[free.pop()] = Tile(fossil, value)
            for value in values[on_board:]:
                luck.choice(in_front[: luck.choice((2, len(in_front)))]).append(Tile(fossil, value))
        game = Game(
            tiles,
            options["num_players"],
            rows,
            columns,
            bool(options["tactical"]),
            sheet,
            stones=luck.sample(spaces, 2),
            points=[luck.choice((0, 0, 1, 2, 3, 5, 9)) for _ in in_front],
            in_front=in_front,
            seat=luck.randrange(options["num_players"]),
        )
        if not game.over:
            return game


# Events that all games of the twin test together must have covered, each at least this often in
# the compiled run.
RARE_EVENTS: dict[str, int] = {
    "sat out": 1600,
    "forced move": 1200,
    "forced take": 320,
    "left a tile under a stone": 400,
    "exchange made": 2000,
    "exchange refused": 80,
    "gave a tile of the scored fossil": 600,
    "took a tile of the scored fossil": 400,
    "no exchange possible": 100,
    "tied best": 240,
    "tied best with debts": 120,
    "remainder lost": 48,
    "holder who is not best": 3600,
    "debt not fully paid": 1600,
    "debt of a player with 1 or 2 points": 600,
    "nobody holds the fossil": 10,
    "scored at the end": 2000,
    "end: everyone at 0": 100,
    "end: nobody can pay": 100,
    "end: no stone reaches a tile": 800,
    "end: board empty": 80,
    "shared win": 10,
}
