"""Fossilium's box and museums for the slow references, from docs/games/fossilium.md alone.

Numbers in brackets are paragraphs of the rules page. Sites, columns, types, fields and cells are
counted from 0, pieces of a fossil from 1.
"""

from __future__ import annotations

import functools
import itertools
import os
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

PHASES = (
    *("unused", "side", "split", "start", "keep", "turn", "copy", "display", "cell", "pose"),
    *("build", "owner", "target", "trade", "tour", "manage", "search", "site", "after"),
    *("discard", "assign", "face", "tie", "lose", "card", "field", "exhibit", "piece", "end"),
    "over",
)
REASONS = ("hand", "bonus", "dig", "excavation")
GOALS, STARTS, BAGS = 0, 1, 2  # streams of chance; the bag of site s is stream BAGS + s (17.1)
TYPES = ("terrestrial", "aquatic", "botanical")
ROWS = ("display", "build_donate", "buy_sell", "give_tour")
KINDS = ("small", "large", "bonus")
LIGHT, DARK = 0, 1
JOKER, MANAGEMENT, STRIP = 12, 13, 14  # fields of a column (1.7)
SEATS, SITES = 4, 3
NONE = -1
STOP = ("stop",)

Choice = tuple  # the name of the choice, then its numbers


def sheet_path() -> Path:
    """Return where the component sheet in use is."""
    path = Path(__file__).parents[2] / "kernels" / "components" / "fossilium.toml"
    if "BONEBED_COMPONENTS" in os.environ:
        edited = Path(os.environ["BONEBED_COMPONENTS"]) / "fossilium.toml"
        path = edited if edited.exists() else path
    return path


def read_box() -> Box:
    """Read the component sheet in use."""
    return _box(sheet_path())


@functools.cache
def _box(path: Path) -> Box:
    """Read a TOML file, once."""
    return Box(tomllib.loads(path.read_text(encoding="utf-8")))


def tally(size: int, counter: Counter[int]) -> list[int]:
    """Return what a counter holds under 0, 1, ... size - 1."""
    found = [0] * size
    for key, number in counter.items():
        found[key] = number
    return found


def padded(list_: list, size: int, filling: object) -> list:
    """Return a list made longer."""
    return [*list_, *[filling] * (size - len(list_))]


def bits(numbers: Iterable[int]) -> int:
    """Return numbers as bits."""
    return sum(1 << number for number in set(numbers))


class Box:
    """What is in the box, put in order (1).

    Parameters
    ----------
    sheet : dict
    """

    def __init__(self, sheet: dict) -> None:
        self.sheet = sheet
        self.species = sheet["species"]
        self.size = [species["size"] for species in self.species]
        self.type = [TYPES.index(species["type"]) for species in self.species]
        self.number = {species["id"]: i for i, species in enumerate(self.species)}
        # Tile types (1.3): species and kind; the pieces they show; those that show a piece.
        kinds = [range(1, max(1, size // 2) + 1) for size in self.size]
        self.tiles = [(s, kind) for s, all_kinds in enumerate(kinds) for kind in all_kinds]
        self.shows = [
            (1,) if self.size[s] == 1 else (2 * kind - 1, 2 * kind) for s, kind in self.tiles
        ]
        self.showing = {
            (s, piece): t for t, (s, _) in enumerate(self.tiles) for piece in self.shows[t]
        }
        self.type_of = [self.type[s] for s, _ in self.tiles]
        self.bags = [
            [self.species[s]["tiles"].get(str(site + 1), 0) // len(kinds[s]) for s, _ in self.tiles]
            for site in range(SITES)
        ]  # 1.4
        self.rows, self.columns = sheet["museum"]["rows"], sheet["museum"]["columns"]
        self.cells = self.rows * self.columns
        self.sides = [self._side(sheet["museum"][name]) for name in "AB"]
        self.fields = [
            (field["workers"], field["cost"], field["effect"])
            for field in sheet["action_board"]["field"][:JOKER]
        ]
        self.need = [field["workers"] for field in sheet["action_board"]["field"]]
        self.need.append(sheet["action_board"]["last_round_strip"]["workers"])
        self.panels = [tile[side] for tile in sheet["info_panel"] for side in "ab"]
        self.job_goals = [tile[side] for tile in sheet["job_goal"] for side in "ab"]
        self.round_goals = [
            tile[side] for tile in sheet["round_goal"] for side in ("light", "dark")
        ]
        self.end_goals = [tile[side] for tile in sheet["end_goal"] for side in "ab"]
        self.starts = [
            [self.number[name] for name in tile] for tile in sheet["starting_fossils"]["tiles"]
        ]
        self.cards = sheet["pal_action"]  # Pal's
        self.exhibits = [s for s, size in enumerate(self.size) if size > 1]
        setup = sheet["setup"]
        self.most_drawn = max(
            sheet["excavation"]["draw_cap"],
            sheet["player"]["student_track_max"],
            *(n * len(setup["use_sites"][p][0]) for p, n in setup["hand_draw_per_site"].items()),
        )
        self.rectangles = {
            size: sorted({mask for cell in range(self.cells) for mask in self._masks(size, cell)})
            for size in set(self.size)
        }

    def _side(self, side: dict) -> dict:
        """Return where shops, entrances, special fields and pedestals of a museum are (1.5)."""

        def cells(places: list) -> int:
            return bits((row - 1) * self.columns + column - 1 for row, column in places)

        return {
            "shops": [side["shops"].index(name) for name in TYPES],
            "entrances": [side["entrances"].index(name) for name in TYPES],
            "special": [
                (side["special_fields"][name][0] - 1) * self.columns
                + side["special_fields"][name][1]
                - 1
                for name in TYPES
            ],
            "large": [cells(side["pedestal_large"])],
            "small": [cells(pedestal) for pedestal in side["pedestal_small"]],
        }

    @functools.cache  # noqa: B019 - a box is kept for ever
    def rectangle(self, size: int, turn: int) -> list[list[int]]:
        """Return the rows of a fossil's rectangle after quarter turns clockwise (1.2, 5.6)."""
        rows = self.sheet["fossil_rules"]["layout"][str(size)]
        for _ in range(turn):
            rows = [list(row) for row in zip(*reversed(rows), strict=True)]
        return rows

    @functools.cache  # noqa: B019
    def lie(self, size: int, piece: int, cell: int, turn: int) -> dict[int, int] | None:
        """Return where all pieces lie if one lies on a cell, or None if some are outside (5.6)."""
        rows = self.rectangle(size, turn)
        places = {p: (r, c) for r, row in enumerate(rows) for c, p in enumerate(row)}
        top = cell // self.columns - places[piece][0]
        left = cell % self.columns - places[piece][1]
        inside = 0 <= top <= self.rows - len(rows) and 0 <= left <= self.columns - len(rows[0])
        if not inside:
            return None
        return {p: (top + r) * self.columns + left + c for p, (r, c) in places.items()}

    def _masks(self, size: int, cell: int) -> list[int]:
        """Return the rectangles of a size that have piece 1 on a cell, as bits."""
        lies = [self.lie(size, 1, cell, turn) for turn in range(4)]
        return [bits(lie.values()) for lie in lies if lie]

    @functools.cache  # noqa: B019
    def poses(self, tile: int, cell: int) -> list[tuple[tuple[int, int], int]]:
        """Return the poses (face, turn) of a tile that begins on a cell, and what they cover."""
        species, _ = self.tiles[tile]
        size = self.size[species]
        faces = self.shows[tile] if size > 2 else (1,)  # 5.5: size 2 by its first face only
        found = []
        for face, piece in enumerate(faces):
            for turn in range(4 if size > 1 else 1):
                lie = self.lie(size, piece, cell, turn)
                if lie:
                    found.append(((face, turn), bits(lie.values())))
        return found


class Fossil:
    """A fossil in a museum.

    Parameters
    ----------
    species : int
    cells : dict of int to int
        Where its pieces are or will be.
    turn : int
        Quarter turns.
    """

    def __init__(self, species: int, cells: dict[int, int], turn: int) -> None:
        self.species, self.cells, self.turn = species, cells, turn
        self.shown: set[int] = set()

    @property
    def size(self) -> int:
        """All its pieces."""
        return len(self.cells)

    @property
    def complete(self) -> bool:
        """Whether all pieces are displayed (5.7)."""
        return len(self.shown) == len(self.cells)

    @property
    def first_cell(self) -> int:
        """The lowest-numbered field of its rectangle."""
        return min(self.cells.values())


class Museum:
    """What stands in a museum.

    Parameters
    ----------
    box : Box
    """

    def __init__(self, box: Box) -> None:
        self.box = box
        self.side = NONE
        self.fossils: list[Fossil] = []
        self.panels: dict[int, int] = {}  # by cell
        self.refresh()

    def refresh(self) -> None:
        """Work out anew what follows from fossils and panels."""
        box = self.box
        self.at: dict[int, tuple[Fossil, int]] = {
            cell: (fossil, piece) for fossil in self.fossils for piece, cell in fossil.cells.items()
        }
        self.empty = bits(range(box.cells)) & ~bits(self.at) & ~bits(self.panels)  # 5.4
        self.shown = [
            cell for cell, (fossil, piece) in sorted(self.at.items()) if piece in fossil.shown
        ]
        self.filled = {*self.shown, *self.panels}  # 7.4
        self.reserved: dict[int, list[int]] = {}  # cells that wait for a tile type (5.2)
        for cell, (fossil, piece) in sorted(self.at.items()):
            if piece not in fossil.shown:
                tile = box.showing[fossil.species, piece]
                self.reserved.setdefault(tile, []).append(cell)
        self.room = {
            size: any(not mask & ~self.empty for mask in masks)
            for size, masks in box.rectangles.items()
        }
        self.picture: dict[str, list[int] | int] = {}

    def empty_cells(self) -> list[int]:
        """Return the empty cells (5.4)."""
        return [cell for cell in range(self.box.cells) if self.empty >> cell & 1]

    def poses(self, tile: int, cell: int) -> list[tuple[int, int]]:
        """Return how a new fossil may lie that a tile begins on a cell (5.3)."""
        return [pose for pose, mask in self.box.poses(tile, cell) if not mask & ~self.empty]

    def can_take(self, tile: int) -> bool:
        """Tell whether a tile can be displayed (5.2, 5.3)."""
        return tile in self.reserved or self.room[self.box.size[self.box.tiles[tile][0]]]

    def cells_for(self, tile: int) -> list[int]:
        """Return where a tile can be displayed (5.5)."""
        begins = [cell for cell in self.empty_cells() if self.poses(tile, cell)]
        return sorted(self.reserved.get(tile, []) + begins)

    def begin(self, tile: int, cell: int, pose: tuple[int, int]) -> None:
        """Reserve the fields of a new fossil (5.3)."""
        species, _ = self.box.tiles[tile]
        piece = self.box.shows[tile][pose[0]]
        cells = self.box.lie(self.box.size[species], piece, cell, pose[1])
        assert cells
        self.fossils.append(Fossil(species, cells, pose[1]))
        self.refresh()

    def show(self, cell: int) -> Fossil:
        """Display the piece that a cell is reserved for."""
        fossil, piece = self.at[cell]
        fossil.shown.add(piece)
        self.refresh()
        return fossil

    def line(self, line: int) -> int:
        """Count the pieces that a shop (0 to 2) or an entrance (3 to 5) pays for (3.1, 10.2)."""
        side, columns = self.box.sides[self.side], self.box.columns
        kind = line % 3
        place = side["shops" if line < 3 else "entrances"][kind]
        return sum(
            (cell // columns if line < 3 else cell % columns) == place
            and self.box.type[self.at[cell][0].species] == kind
            for cell in self.shown
        )

    def full_row(self, row: int) -> bool:
        """Tell whether a row is complete (7.4)."""
        columns = self.box.columns
        return self.filled.issuperset(range(row * columns, (row + 1) * columns))

    def full_column(self, column: int) -> bool:
        """Tell whether a column is complete (7.4)."""
        return self.filled.issuperset(range(column, self.box.cells, self.box.columns))

    def beside(self, cell: int) -> list[int]:
        """Return the cells that share an edge with a cell (7.3)."""
        row, column = divmod(cell, self.box.columns)
        places = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [
            r * self.box.columns + c
            for r, c in places
            if 0 <= r < self.box.rows and 0 <= c < self.box.columns
        ]

    def times(self, cell: int, per: str) -> int:
        """Count how often a panel's effect pays (7.2 to 7.4)."""
        if per == "adjacent_complete_fossil":
            near = {id(self.at[c][0]): self.at[c][0] for c in self.beside(cell) if c in self.at}
            return sum(fossil.complete for fossil in near.values())
        if per == "complete_column":
            return sum(map(self.full_column, range(self.box.columns)))
        if per == "complete_row":
            return sum(map(self.full_row, range(self.box.rows)))
        return 1

    def by_type(self, fossils: list[Fossil]) -> list[int]:
        """Count fossils of each type."""
        types = [self.box.type[fossil.species] for fossil in fossils]
        return [types.count(kind) for kind in range(3)]

    def measure(self, metric: str) -> int:
        """Return what a round goal or an end goal counts (11.3, 11.4, 14.2, 14.3)."""
        complete = [fossil for fossil in self.fossils if fossil.complete]
        sizes = [fossil.size for fossil in self.fossils]
        complete_sizes = sorted((fossil.size for fossil in complete), reverse=True)
        return {
            "complete_fossils": lambda: len(complete),
            "fossils_best_type": lambda: max(self.by_type(self.fossils)),
            "pieces_in_largest_fossil": lambda: max(len(f.shown) for f in self.fossils),
            "size_of_largest_complete_fossil": lambda: max(complete_sizes, default=0),
            "panels": lambda: len(self.panels),
            "size1_fossils": lambda: sizes.count(1),
            "size2_fossils": lambda: sizes.count(2),
            "complete_size2_fossils": lambda: complete_sizes.count(2),
            "type_sets": lambda: min(self.by_type(self.fossils)),
            "complete_type_sets": lambda: min(self.by_type(complete)),
            "pieces_plus_panels": lambda: len(self.filled),
            "pieces_of_3_largest_complete_fossils": lambda: sum(complete_sizes[:3]),
            "largest_connected_area_best_type": self.largest_area,
        }[metric]()

    def largest_area(self) -> int:
        """Return the size of the largest connected area of one type (14.3)."""
        kind_of = {cell: self.box.type[self.at[cell][0].species] for cell in self.shown}
        largest = 0
        while kind_of:
            cell, kind = kind_of.popitem()
            area, to_do = 1, [cell]
            while to_do:
                for near in self.beside(to_do.pop()):
                    if kind_of.get(near) == kind:
                        del kind_of[near]
                        area += 1
                        to_do.append(near)
            largest = max(largest, area)
        return largest


# ---------------------------------------------------------------------- the table of actions


def number_choices(names: Iterable[str], sizes: dict[str, tuple[int, ...]]) -> dict[Choice, int]:
    """Return the number of every choice, given the names in the order of the table of actions.

    Choices are counted through, with the last of their own numbers fastest.
    """
    found = [
        (name, *numbers)
        for name in names
        for numbers in itertools.product(*map(range, sizes[name]))
    ]
    return {choice: k for k, choice in enumerate(found)}


@functools.cache
def choice_numbers(names: tuple[str, ...], box: Box) -> dict[Choice, int]:
    """Return the numbers of all choices of a game."""
    tiles, fields, types = len(box.tiles), len(box.need), len(TYPES)
    goals = box.sheet["setup"]["job_goals_drawn"]
    sizes = {
        "stop": (),
        "column": (SITES,),
        "side": (2,),
        "goal": (goals,),
        "face": (2,),
        "field": (SITES, fields),
        "dig": (SITES, box.sheet["player"]["student_track_max"]),
        "tile": (tiles,),
        "slot": (types, box.sheet["market"]["slots_per_row"]),
        "archive": (tiles,),
        "cell": (box.cells,),
        "pose": (2, 4),
        "panel": (len(box.panels),),
        "line": (2 * types,),
        "gain": (3,),
        "owner": (SEATS - 1,),
        "card": (len(box.cards),),
        "exhibit": (len(box.exhibits),),
        "piece": (max(box.size),),
        "end": (2,),
    }
    return number_choices(names, sizes)
