"""Fossilium, told a second time: slow, in plain Python, from docs/games/fossilium.md alone.

Nothing here is shared with the kernel. The reference reads the component sheet itself, knows the
game's seed, from which it works out all luck by tests/chance.py, and says all the rest: whose
decision it is, which choices there are, what they bring, when the game ends and who wins. Numbers
in brackets are paragraphs of the rules page. The game is one generator that runs from question to
question. Sites, columns, types, fields and cells are counted from 0, pieces of a fossil from 1.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable, Generator

from chance import Chance
from naive import fossilium_steering as steering
from naive.fossilium_box import (
    BAGS,
    DARK,
    GOALS,
    JOKER,
    KINDS,
    LIGHT,
    MANAGEMENT,
    NONE,
    PHASES,
    REASONS,
    ROWS,
    SEATS,
    SITES,
    STARTS,
    STOP,
    STRIP,
    TYPES,
    Box,
    Choice,
    Fossil,
    Museum,
    bits,
    choice_numbers,
    padded,
    read_box,
    tally,
)
from naive.fossilium_check import check_board, check_museum, check_workers, missing_tiles

NAME = "fossilium"
FIELDS_OF_CHOICE = {
    "stop": (),
    "column": ("column",),
    "side": ("side",),
    "goal": ("goal",),
    "face": ("face",),
    "field": ("column", "field"),
    "dig": ("site", "students"),
    "tile": ("type",),
    "slot": ("row", "slot"),
    "archive": ("type",),
    "cell": ("cell",),
    "pose": ("face", "turn"),
    "panel": ("panel",),
    "line": ("line",),
    "gain": ("gain",),
    "owner": ("opponent",),
}

Script = Generator[None, Choice, Choice]


class Game:
    """One game of Fossilium.

    Parameters
    ----------
    options : dict
        As the kernel names them.
    seed : int
        All luck follows from it.
    late : callable, optional
        For a game that starts late: puts things where they are at the beginning of a round, before
        anything is done in it, and returns the number of that round.
    """

    names = tuple(FIELDS_OF_CHOICE)

    def __init__(
        self, options: dict, seed: int = 0, late: Callable[[Game], int] | None = None
    ) -> None:
        self.box = box = read_box()
        self.sheet = sheet = box.sheet
        self.options = options
        self.num_players = options["num_players"]
        self.museum_count = n = self._count_museums()
        self.seats = self._count_seats()  # those with workers, money and guests
        self.key = str(n)  # of the numbers that depend on the number of players
        self.numbers = choice_numbers(self.names, box)
        self.chance = Chance(seed)
        player = sheet["player"]
        # museums
        self.museums = [Museum(box) for _ in range(n)]
        self.storage: list[Counter[int]] = [Counter() for _ in range(n)]
        self.start = [NONE] * n
        self.dollars = self._first_dollars()
        self.guests = [0] * self.seats
        self.regular = [0] * n
        self.students = [0] * n
        self.amber = [0] * n
        self.stands = [0] * n
        # workers
        self.workers = [player["start_workers_on_museum"]] * n
        self.placed = [[0] * SITES for _ in range(self.seats)]
        self.permanent = [[0] * SITES for _ in range(n)]
        self.spent = [[0] * SITES for _ in range(n)]
        self.on_goal = [[0] * 3 for _ in range(n)]
        self.paid: list[set[int]] = [set() for _ in range(n)]
        self.paid_elsewhere: list[set[int]] = [set() for _ in range(n)]
        # board
        self.columns = list(range(SITES))  # in use
        self.groups: list[tuple[int, int]] = []  # neutral ones: place of the column in use, field
        self.taken: list[set[int]] = [set() for _ in range(SITES)]
        self.bags = [list(bag) for bag in box.bags]
        self.market: list[list[int]] = [[] for _ in TYPES]
        self.archive: Counter[int] = Counter()
        self.price = [sheet["market"]["price_start"]] * len(TYPES)
        self.starts = list(range(len(box.starts)))
        self.job_goals: list[int] = []
        self.round_goals = [NONE] * sheet["meta"]["rounds"]
        self.end_goal = NONE
        self.unused = NONE
        # where the game is
        self.round = 0
        self.first = 0
        self.active = NONE
        self.dug = self.acted = False
        self._clear_action()
        self._clear_drawn()
        self.points = [0] * n
        self.seat, self.phase = 0, "over"
        self.choices: list[Choice] = []
        self.asked = 0
        self.over = False
        self.events: Counter[str] = Counter()  # what happened that is worth counting in a test
        self._prepare()
        self._script = self._play(late(self) if late else 0)
        self.gains = [0] * n
        self._go_on(None)
        self.gains = [0] * n

    def _prepare(self) -> None:
        """Get ready what only the solo game has."""

    def _count_museums(self) -> int:
        return self.num_players

    def _count_seats(self) -> int:
        return self.num_players

    def _first_dollars(self) -> list[int]:
        return list(self.sheet["player"]["start_dollars_by_turn_order"][: self.num_players])

    def _clear_action(self) -> None:
        """Forget what belongs to an action that is done."""
        self.column = self.field = self.line = NONE
        self.left = self.buys = self.sells = 0
        self.tour_dollars = self.tour_guests = self.pieces = 0
        self.held = self.building = self.spot = self.owner = NONE

    def _clear_drawn(self) -> None:
        """Forget about tiles that were drawn."""
        self.drawn: list[int] = []
        self.keep = 0
        self.reason = self.site = self.last = NONE

    # ------------------------------------------------------------------ asking

    def _ask(self, seat: int, phase: str, choices: list[Choice]) -> Script:
        """Ask a seat to choose; one possible choice is not asked (15.1)."""
        if len(choices) == 1:
            return choices[0]
        self.seat, self.phase, self.choices = seat, phase, choices
        choice = yield
        return choice

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
            self.over, self.phase, self.choices, self.seat = True, "over", [], 0

    # ------------------------------------------------------------------ tiles

    def draw_to_front(self, list_: list[int], k: int, stream: int, already: int = 0) -> None:
        """Draw k of a list to its places from `already` on (17.1)."""
        for i in range(already, already + k):
            j = i + self.chance.draw(stream, len(list_) - i)
            list_[i], list_[j] = list_[j], list_[i]

    def _tile_at(self, bag: list[int], place: int) -> int:
        """Return the tile at a place of a bag, in the order of tile types (17.1)."""
        for tile, number in enumerate(bag):
            if place < number:
                return tile
            place -= number
        raise IndexError(place)

    def _draw(self, site: int, n: int) -> list[int]:
        """Draw up to n tiles from a bag (1.10, 17.1)."""
        bag, drawn = self.bags[site], []
        self.events["a bag was short"] += sum(bag) < n
        for _ in range(min(n, sum(bag))):
            place = self.chance.draw(BAGS + site, sum(bag))
            tile = self._tile_at(bag, place)
            bag[tile] -= 1
            drawn.append(tile)
        return drawn

    def _stored(self, seat: int) -> int:
        return self.storage[seat].total()

    def _has_room(self, seat: int) -> bool:
        return self._stored(seat) < self.sheet["player"]["storage_fields"]

    def _lose(self, seat: int, tile: int) -> None:
        """Take a tile out of a storage."""
        self.storage[seat] -= Counter([tile])

    def _types_in(self, seat: int) -> list[int]:
        return sorted(self.storage[seat])

    def to_market(self, tile: int) -> None:
        """Put a tile into the market (1.9)."""
        row = self.market[self.box.type_of[tile]]
        if len(row) == self.sheet["market"]["slots_per_row"]:
            self.archive[row.pop(0)] += 1
            self.events["pushed into the archive"] += 1
        row.append(tile)

    def _store(self, seat: int, tile: int) -> None:
        """Put a tile that was dug or found into the storage, if it has room (4.6)."""
        if self._has_room(seat):
            self.storage[seat][tile] += 1
        else:
            self.events["found a tile with a full storage"] += 1
            self.to_market(tile)

    def _fill_market(self, n: int) -> None:
        for site in self.columns:
            for tile in self._draw(site, n):
                self.to_market(tile)

    def _keep_some(
        self, seat: int, tiles: list[int], keep: int, reason: str, site: int = NONE
    ) -> Generator[None, Choice, list[int]]:
        """Let a seat keep some of the tiles drawn, and return the others (1.11)."""
        self.drawn, self.keep = tiles, min(keep, len(tiles))
        self.reason, self.site = REASONS.index(reason), site
        while self.keep:
            offered = [
                ("tile", tile)
                for tile in sorted(set(self.drawn))
                if tile >= self.last and sum(t >= tile for t in self.drawn) >= self.keep
            ]
            _, tile = yield from self._ask(seat, "keep", offered)
            self.drawn.remove(tile)
            self.keep -= 1
            self.last = tile
            if reason in ("bonus", "dig"):
                self._store(seat, tile)
            else:
                self.storage[seat][tile] += 1
        rest = self.drawn
        self._clear_drawn()
        return rest

    def _draw_and_keep(self, seat: int, site: int, n: int, keep: int, reason: str) -> Script:
        """Draw from a bag, keep some tiles and return the others (1.10)."""
        rest = yield from self._keep_some(seat, self._draw(site, n), keep, reason, site)
        for tile in rest:
            self.bags[site][tile] += 1
        return STOP

    # ------------------------------------------------------------------ gains

    def _win(self, seat: int, prestige: int) -> None:
        self.points[seat] += prestige

    def _receive(self, seat: int, what: str, amount: int) -> None:
        """Give dollars, students or guests (1.6)."""
        if what == "dollars":
            self.dollars[seat] += amount
        elif what == "students":
            most = self.sheet["player"]["student_track_max"]
            self.events["students were lost"] += self.students[seat] + amount > most
            self.students[seat] = min(most, self.students[seat] + amount)
        else:
            before, most = self.guests[seat], self.sheet["guest_track"]["max_guests"]
            self.events["guests were lost"] += before + amount > most
            self.guests[seat] = min(most, before + amount)
            self._look_at_goals(seat, "guests", self.guests[seat], before)

    def _look_at_goals(self, seat: int, metric: str, value: int, before: int = 0) -> None:
        """Pay a worker from each job goal that a value has just reached (10.4 to 10.6)."""
        for place, number in enumerate(self.job_goals):
            goal = self.box.job_goals[number]
            if goal["metric"] != metric or not before < goal["at"] <= value:
                continue
            own_turn = self.active == seat
            paid = (self.paid if own_turn else self.paid_elsewhere)[seat]
            if place in paid:
                self.events["job goal had paid already"] += 1
            elif self.on_goal[seat][place]:
                self.on_goal[seat][place] -= 1
                self.workers[seat] += 1
                paid.add(place)
                self.events[f"job goal: {goal['id']}"] += 1
                self.events["job goal on another's turn"] += not own_turn and self.active != NONE
                self.events["job goal in the income"] += self.active == NONE

    def _panel_effects(self, seat: int, when: str) -> list[tuple[str, int]]:
        """Return what a seat's panels bring on an occasion (7.5)."""
        museum = self.museums[seat]
        return [
            (effect["gain"], effect["amount"] * museum.times(cell, effect["per"]))
            for cell, panel in museum.panels.items()
            for effect in self.box.panels[panel]["effects"]
            if effect["when"] == when
        ]

    def _after_filling(self, seat: int, cell: int) -> None:
        """Look at the two lines of a cell that was just filled (10.6)."""
        row, column = divmod(cell, self.box.columns)
        if self.museums[seat].full_column(column):
            self.events["column complete"] += 1
            self._look_at_goals(seat, "new_column", 1)
        if self.museums[seat].full_row(row):
            self.events["row complete"] += 1
            self._look_at_goals(seat, "new_row", 1)

    def _show(self, seat: int, cell: int) -> Fossil:
        """Display a piece on its reserved field, and reward a complete fossil (5.7)."""
        fossil = self.museums[seat].show(cell)
        if fossil.complete:
            rules = self.sheet["fossil_rules"]
            kind = TYPES[self.box.type[fossil.species]]
            self.events[f"complete fossil of size {fossil.size}"] += 1
            self._receive(seat, "guests", rules["completion_guests"][str(fossil.size)])
            for what, amount in rules["completion_type_bonus"][kind].items():
                self._receive(seat, what, amount)
            supply = self.sheet["supply"]
            for size, own, number in (
                (rules["amber_on_completing_size"], self.amber, supply["amber"]),
                (rules["stand_on_completing_size"], self.stands, supply["fossil_stands"]),
            ):
                if fossil.size == size:
                    self.events["no amber or stand was left"] += sum(own) >= number
                    own[seat] += sum(own) < number
        self._after_filling(seat, cell)
        return fossil

    # ------------------------------------------------------------------ set-up (2)

    def _play(self, begin: int) -> Script:
        if not begin:
            yield from self._set_up()
        for number in range(begin or 1, self.sheet["meta"]["rounds"] + 1):
            self.round = number
            self._begin_round()
            yield from self._round()
        self._income()  # 13.6
        self._final_scoring()
        return STOP

    @property
    def last_round(self) -> bool:
        """Whether this is the last round (13)."""
        return self.round == self.sheet["meta"]["rounds"]

    def _set_up(self) -> Script:
        """Set up the table, then let the players choose (2)."""
        self.draw_goals()
        yield from self._choose_columns()
        self.place_neutral()
        self._fill_market(self.sheet["setup"]["market_seed_per_site"][self.key])  # 2.6
        for seat in range(self.museum_count):
            yield from self._set_up_player(seat)
        return STOP

    def _goal_pool(self) -> list[int]:
        """Return the round goal tiles that are drawn from (2.2)."""
        return list(range(len(self.sheet["round_goal"])))

    def _light_goals(self) -> int:
        return self.sheet["setup"]["round_goals_light"]

    def draw_goals(self) -> None:
        """Draw job goals, round goals and the end goal (2.1 to 2.4)."""
        setup = self.sheet["setup"]
        number = setup["job_goals_drawn"]
        tiles = list(range(len(self.sheet["job_goal"])))
        self.draw_to_front(tiles, number, GOALS)
        self.job_goals = [2 * tile + self.chance.draw(GOALS, 2) for tile in tiles[:number]]
        if self.options["first_game"]:
            return
        tiles = self._goal_pool()
        self.draw_to_front(tiles, setup["round_goals_drawn"], GOALS)
        for i in range(setup["round_goals_drawn"]):
            self.round_goals[i] = 2 * tiles[i] + (LIGHT if i < self._light_goals() else DARK)
        if setup["end_goals_drawn"][self.key]:
            tile = self.chance.draw(GOALS, len(self.sheet["end_goal"]))
            self.end_goal = 2 * tile + self.chance.draw(GOALS, 2)

    def _choose_columns(self) -> Script:
        """Let seat 0 choose a column that is not used (2.5)."""
        every = set(range(1, SITES + 1))
        unused = [every - set(sites) for sites in self.sheet["setup"]["use_sites"][self.key]]
        choices = [
            ("column", column - 1) for left in sorted(map(sorted, unused)) for column in left
        ]
        if choices:
            _, self.unused = yield from self._ask(0, "unused", choices)
            self.columns.remove(self.unused)
            self.bags[self.unused] = [0] * len(self.box.tiles)
        return STOP

    def _neutral_start(self) -> list[dict]:
        return self.sheet["neutral_workers"].get(self.key, [])

    def place_neutral(self) -> None:
        """Place the neutral workers (2.7)."""
        for group in self._neutral_start():
            place = {"first_used": 0, "second_used": 1}.get(group["column"])
            if place is None:
                place = self.columns.index(group["column"] - 1)
            field = 3 * ROWS.index(group["row"]) + KINDS.index(group["kind"])
            self.groups.append((place, field))
        self._clear_board()

    def _clear_board(self) -> None:
        """Leave nobody on the board but neutral workers."""
        self.taken = [set() for _ in range(SITES)]
        for place, field in self.groups:
            self.taken[self.columns[place]].add(field)

    def neutral_in(self, column: int) -> int:
        """Count the neutral workers in a column."""
        groups = [field for place, field in self.groups if self.columns[place] == column]
        return sum(self.box.need[field] for field in groups)

    def _set_up_player(self, seat: int) -> Script:
        """Let a player make the choices of the set-up (2.8)."""
        museum, setup = self.museums[seat], self.sheet["setup"]
        _, museum.side = yield from self._ask(seat, "side", [("side", 0), ("side", 1)])
        _, two = yield from self._ask(seat, "split", [("goal", i) for i in range(3)])
        chosen, *others = self.sheet["job_market"]["split_counts"]
        self.on_goal[seat] = [chosen if i == two else others.pop(0) for i in range(3)]
        self.draw_to_front(self.starts, 1, STARTS, already=seat)
        self.start[seat] = self.starts[seat]
        _, face = yield from self._ask(seat, "start", [("face", 0), ("face", 1)])
        species = self.box.starts[self.start[seat]][face]
        cell = self.box.sides[museum.side]["special"][self.box.type[species]]
        museum.begin(self.box.showing[species, 1], cell, (0, 0))
        museum.show(cell)
        number = setup["hand_draw_per_site"][self.key]
        tiles = [tile for site in self.columns for tile in self._draw(site, number)]
        keep = self.sheet["player"]["start_pieces_kept"]
        rest = yield from self._keep_some(seat, tiles, keep, "hand")
        for tile in rest:
            self.to_market(tile)
        return STOP

    # ------------------------------------------------------------------ a round

    def _in_order(self) -> list[int]:
        """All players from the holder of the ammonite clockwise."""
        return [(self.first + i) % self.museum_count for i in range(self.museum_count)]

    def _begin_round(self) -> None:
        """Do what comes before the income, which is nothing here."""

    def _round(self) -> Script:
        self._income()
        self.paid_elsewhere = [set() for _ in range(self.museum_count)]
        yield from self._action_phase()
        self.active = NONE
        self._opening()
        if not self.last_round:
            yield from self._excavation()
        return STOP

    def _income(self) -> None:
        """Pay everybody (3)."""
        self.paid_elsewhere = [set() for _ in range(self.museum_count)]
        symbols = self.sheet["player"]["storage_student_symbols_on_fields"]
        for seat in range(self.museum_count):
            for line in range(6):
                self._pay_line(seat, line)
            visible = sum(field > self._stored(seat) for field in symbols)  # 3.2
            self._receive(seat, "students", visible)
            for what, amount in self._panel_effects(seat, "income"):
                self._receive(seat, what, amount)
                self.events["income of a panel"] += amount > 0

    def _pay_line(self, seat: int, line: int) -> tuple[int, int]:
        """Pay a shop or an entrance, and return what it pays in dollars and in guests (3.1)."""
        pieces, rules = self.museums[seat].line(line), self.sheet["museum"]
        if line < 3:
            dollars = pieces * rules["shop_dollars_per_matching_piece"]
            self._receive(seat, "dollars", dollars)
            return dollars, 0
        guests = pieces * rules["entrance_guests_per_matching_piece"]
        self._receive(seat, "guests", guests)
        return 0, guests

    def _opening(self) -> None:
        """Open the museums (11)."""
        values = self.sheet["guest_track"]["prestige_by_guests"]
        worth = self.sheet["supply"]["regular_guest_value"]
        for seat, museum in enumerate(self.museums):
            self._win(seat, values[self.guests[seat]])
            number = self.round_goals[self.round - 1]
            if number != NONE:
                goal = self.box.round_goals[number]
                met = sum(museum.measure(goal["metric"]) >= at for at in goal["at"])
                self.regular[seat] += (0, worth["small"], worth["medium"], worth["large"])[met]
                self.events[f"round goal threshold {met}"] += 1
            most = self.sheet["guest_track"]["max_guests"]
            self.guests[seat] = min(most, self.regular[seat])

    def _excavation(self) -> Script:
        """Dig at all sites, store, go home, assign, pass the ammonite, fill the market (12)."""
        order = self._in_order()
        for site in self.columns:
            for seat in order:
                own = self.placed[seat][site] + self.permanent[seat][site]
                if own:
                    n = min(self.sheet["excavation"]["draw_cap"], self._workers_in(site))
                    self.events["more workers than are drawn"] += self._workers_in(site) > n
                    yield from self._draw_and_keep(seat, site, n, own, "excavation")
        for seat in order:
            while self._stored(seat) > self.sheet["player"]["storage_fields"]:
                offered = [("tile", tile) for tile in self._types_in(seat)]
                _, tile = yield from self._ask(seat, "discard", offered)
                self._lose(seat, tile)
                self.to_market(tile)
                self.events["discarded"] += 1
        for seat in range(self.seats):
            self.workers[seat] += sum(self.placed[seat])
            self.placed[seat] = [0] * SITES
        self._clear_board()
        for seat in order:
            while self.workers[seat] > self.sheet["permanent_workers"]["regular_limit"]:
                offered = [("column", c) for c in self.columns if c >= self.last]
                _, self.last = yield from self._ask(seat, "assign", offered)
                self.workers[seat] -= 1
                self.permanent[seat][self.last] += 1
                self.events["permanent worker assigned"] += 1
            self.last = NONE
        self.first = (self.first + 1) % self.museum_count
        if self.round in self.sheet["meta"]["market_fill_in_rounds"]:
            self._fill_market(self.sheet["market"]["fill_per_site"][self.key])
        return STOP

    # ------------------------------------------------------------------ the action phase (4)

    def _workers_in(self, column: int) -> int:
        """Count all workers in a column (4.8, 12.1)."""
        rows = self.placed + self.permanent
        return sum(row[column] for row in rows) + self.neutral_in(column)

    def _waiting(self, seat: int, column: int) -> int:
        """Count the permanent workers that can still act (13.2)."""
        if not self.last_round:
            return 0
        return self.permanent[seat][column] - self.spent[seat][column]

    def _can_act(self, seat: int) -> bool:
        """Tell whether a player can place a worker: management always has room (4.1)."""
        return self.workers[seat] > 0 or any(self._waiting(seat, c) for c in self.columns)

    def _action_phase(self) -> Script:
        """Let players take turns until nobody can place a worker (4.1)."""
        seat, skipped = self.first, 0
        while skipped < self.museum_count:
            if self._can_act(seat):
                self.events["skipped while others act"] += skipped
                skipped = 0
                yield from self._turn(seat)
            else:
                skipped += 1
            seat = (seat + 1) % self.museum_count
        return STOP

    def _turn(self, seat: int) -> Script:
        """Play a turn: an action, and a dig before or after it (4.2, 4.5)."""
        self.active = seat
        self.paid[seat] = set()
        self.dug = self.acted = False
        choice = STOP
        while choice[0] != "field":
            offered = self._fields(seat) + self._digs(seat)
            choice = yield from self._ask(seat, "turn", offered)
            if choice[0] == "dig":
                yield from self._dig(seat, choice)
        yield from self._act(seat, choice[1], choice[2])
        self._clear_action()
        self.acted = True
        choice = yield from self._ask(seat, "after", [STOP, *self._digs(seat)])
        if choice != STOP:
            yield from self._dig(seat, choice)
        self.dug = self.acted = False
        self.active = NONE
        return STOP

    def _digs(self, seat: int) -> list[Choice]:
        """Return how a player may dig with students (4.5)."""
        if self.dug:
            return []
        return [
            ("dig", site, n - 1)
            for site in self.columns
            for n in self.sheet["doctoral_students"]["spend"]
            if n <= min(self.students[seat], sum(self.bags[site]))
        ]

    def _dig(self, seat: int, choice: Choice) -> Script:
        """Dig with students (4.5)."""
        _, site, less = choice
        self.dug = True
        self.events["more students than tiles"] += self.students[seat] > sum(self.bags[site])
        self.students[seat] -= less + 1
        self.events["dig after the action" if self.acted else "dig before the action"] += 1
        yield from self._draw_and_keep(seat, site, less + 1, 1, "dig")
        return STOP

    def _joker_price(self, column: int, more: int) -> int:
        """Return what a joker costs when so many workers join the column (4.8, 13.2)."""
        return max(0, self.sheet["joker"]["cost_base"] - self._workers_in(column) - more)

    def _cost(self, seat: int, column: int, field: int) -> int:
        """Return what it costs a player to place workers on a field (4.2)."""
        if field == JOKER:
            return self._joker_price(column, 0 if self._waiting(seat, column) else 1)
        return self.box.fields[field][1] if field < JOKER else 0

    def _fields(self, seat: int) -> list[Choice]:
        """Return the fields that a player can choose (4.2)."""
        found: list[Choice] = []
        strip = self.last_round and bool(self._showable(seat))  # 13.3
        for column in self.columns:
            workers = self.workers[seat] + self._waiting(seat, column)
            for field in range(STRIP + strip):
                if field in self.taken[column] and field != MANAGEMENT:
                    continue
                if self.box.need[field] > workers:
                    continue
                if self._cost(seat, column, field) <= self.dollars[seat]:
                    found.append(("field", column, field))
        return found

    def _showable(self, seat: int) -> list[int]:
        """Return the tile types in bags that a player can display (13.3)."""
        return [tile for tile in self._in_bags() if self.museums[seat].can_take(tile)]

    def _in_bags(self) -> list[int]:
        """Return the tile types that are in some bag in use."""
        bags = [self.bags[site] for site in self.columns]
        return [tile for tile, numbers in enumerate(zip(*bags, strict=True)) if any(numbers)]

    def _act(self, seat: int, column: int, field: int) -> Script:
        """Pay, place workers, receive a bonus, act (4.3)."""
        cost = self._cost(seat, column, field)
        self.dollars[seat] -= cost
        self.events["a joker for nothing"] += field == JOKER and cost == 0
        need = self.box.need[field]
        permanent = min(need, self._waiting(seat, column))  # 13.2
        self.spent[seat][column] += permanent
        self.workers[seat] -= need - permanent
        self.placed[seat][column] += need - permanent
        self.taken[column].add(field)
        self.column, self.field = column, field
        self.events["permanent worker acted"] += permanent
        self.events["permanent and other worker together"] += 0 < permanent < need
        self.events["permanent worker on a joker"] += permanent > 0 and field == JOKER
        if field == JOKER:
            self._look_at_goals(seat, "joker", 1)
            field = yield from self._copy(seat, column)
        if field == MANAGEMENT:
            yield from self._manage(seat)
        elif field == STRIP:
            yield from self._strip(seat)
        else:
            gain: dict[str, int] = {}
            if field % 3 == KINDS.index("bonus"):
                gain = yield from self._bonus(seat, column)
            effect = self.box.fields[field][2]
            act = (self._display, self._build, self._trade, self._tour)[field // 3]
            yield from act(seat, effect, gain)
        return STOP

    def _copy(self, seat: int, column: int) -> Generator[None, Choice, int]:
        """Let a joker copy a field (4.8)."""
        offered = [
            ("field", column, field)
            for field in range(MANAGEMENT + 1)
            if field != JOKER and self._cost(seat, column, field) <= self.dollars[seat]
        ]
        _, _, field = yield from self._ask(seat, "copy", offered)
        self.dollars[seat] -= self._cost(seat, column, field)
        self.field = field
        self.events["joker copied a used field"] += field in self.taken[column]
        self.events["joker copied a bonus field"] += field < JOKER and field % 3 == 2
        return field

    def _bonus(self, seat: int, column: int) -> Generator[None, Choice, dict]:
        """Give the gain of a bonus field, and return it (4.4)."""
        gain = self.sheet["action_board"]["bonus_by_column"][str(column + 1)]
        for what in ("dollars", "students", "guests"):
            if what in gain:
                self._receive(seat, what, gain[what])
        if "excavate" in gain:
            dig = gain["excavate"]
            yield from self._draw_and_keep(seat, dig["site"] - 1, dig["draw"], dig["keep"], "bonus")
        return gain

    def _manage(self, seat: int) -> Script:
        """Take a dollar, a student or a guest (4.9)."""
        _, gain = yield from self._ask(seat, "manage", [("gain", i) for i in range(3)])
        self._receive(seat, ("dollars", "students", "guests")[gain], 1)
        return STOP

    # ------------------------------------------------------------------ display (5)

    def _display(self, seat: int, effect: dict, _gain: dict) -> Script:
        """Display pieces from the storage (5.1)."""
        self.left = effect["display"]
        while self.left:
            offered = [
                ("tile", tile) for tile in self._types_in(seat) if self.museums[seat].can_take(tile)
            ]
            self.events["a tile in the storage fits nowhere"] += len(offered) < len(
                self.storage[seat]
            )
            choice = yield from self._ask(seat, "display", [STOP, *offered])
            if choice == STOP:
                break
            self.held = choice[1]
            self._lose(seat, self.held)
            yield from self._lay(seat)
            self.left -= 1
            self.pieces += 1
            self._look_at_goals(seat, "displayed", self.pieces, self.pieces - 1)
        return STOP

    def _lay(self, seat: int) -> Script:
        """Display the tile that is held (5.5)."""
        museum, tile = self.museums[seat], self.held
        cells = [("cell", cell) for cell in museum.cells_for(tile)]
        _, cell = yield from self._ask(seat, "cell", cells)
        if museum.empty >> cell & 1:
            self.spot = cell
            pose = (0, 0)
            if self.box.shows[tile] != (1,):
                offered = [("pose", *pose) for pose in museum.poses(tile, cell)]
                _, *pose = yield from self._ask(seat, "pose", offered)
            museum.begin(tile, cell, tuple(pose))
        else:
            self.events["continued a fossil"] += 1
        self._show(seat, cell)
        self.held = self.spot = NONE
        return STOP

    def _strip(self, seat: int) -> Script:
        """Search a tile and display it (13.3)."""
        self.events["strip"] += 1
        yield from self._search(seat, self._showable(seat))
        yield from self._lay(seat)
        return STOP

    def _search(self, seat: int, tiles: list[int]) -> Script:
        """Let a player find a tile in a bag, which is held then (7.6)."""
        _, tile = yield from self._ask(seat, "search", [("tile", tile) for tile in tiles])
        self.held = tile
        sites = [("column", site) for site in self.columns if self.bags[site][tile]]
        self.events["found in several bags"] += len(sites) > 1
        _, site = yield from self._ask(seat, "site", sites)
        self.bags[site][tile] -= 1
        return STOP

    # ------------------------------------------------------------------ build and donate (6 to 8)

    def _build(self, seat: int, effect: dict, _gain: dict) -> Script:
        """Build panels and donate (8.1)."""
        self.left = effect["choose"]
        discount = effect.get("build_discount_each", 0)
        while self.left:
            offered = [("tile", tile) for tile in self._types_in(seat) if self.wanted(seat, tile)]
            offered += self._panels(seat, discount)
            choice = yield from self._ask(seat, "build", [STOP, *offered])
            if choice == STOP:
                break
            if choice[0] == "tile":
                self.held = choice[1]
                self._lose(seat, self.held)
                yield from self._donate(seat)
                self.held = self.owner = NONE
                self.left -= 1
            else:
                yield from self._build_panel(seat, choice[1], discount)
        return STOP

    def _panel_cost(self, panel: int, discount: int) -> int:
        return max(0, self.box.panels[panel]["cost"] - discount)

    def _panels(self, seat: int, discount: int) -> list[Choice]:
        """Return the panels that a player can pay and build (7.1)."""
        built = {panel // 2 for panel in self.museums[seat].panels.values()}
        return [
            ("panel", panel)
            for panel in range(len(self.box.panels))
            if panel // 2 not in built
            and self._panel_cost(panel, discount) <= self.dollars[seat]
            and self.museums[seat].empty
        ]

    def _build_panel(self, seat: int, panel: int, discount: int) -> Script:
        """Build a panel (7)."""
        museum = self.museums[seat]
        self.building = panel
        cells = [("cell", cell) for cell in museum.empty_cells()]
        _, cell = yield from self._ask(seat, "cell", cells)
        self.building = NONE
        self.left -= 1
        self.dollars[seat] -= self._panel_cost(panel, discount)
        self.events["a panel for nothing"] += self._panel_cost(panel, discount) == 0
        museum.panels[cell] = panel
        museum.refresh()
        self._after_filling(seat, cell)
        for effect in self.box.panels[panel]["effects"]:
            if effect["when"] != "build":
                continue
            if effect["gain"] == "search_to_storage":
                self.events["search by a panel"] += 1
                tiles = self._in_bags()
                if tiles:
                    yield from self._search(seat, tiles)
                    tile, self.held = self.held, NONE
                    self._store(seat, tile)
            else:
                size = effect["gain"].removeprefix("regular_")
                worth = self.sheet["supply"]["regular_guest_value"][size] * effect["amount"]
                self.regular[seat] += worth
                self._receive(seat, "guests", worth)  # 7.7
        return STOP

    def others(self, seat: int) -> list[int]:
        """Return the other players in turn order."""
        return [(seat + i) % self.num_players for i in range(1, self.num_players)]

    def wanted(self, seat: int, tile: int) -> bool:
        """Tell whether a tile can be donated (6.1)."""
        return any(tile in self.museums[other].reserved for other in self.others(seat))

    def _donate(self, seat: int) -> Script:
        """Donate the tile that is held (6)."""
        others = self.others(seat)
        owners = [
            ("owner", i)
            for i, other in enumerate(others)
            if self.held in self.museums[other].reserved
        ]
        _, i = yield from self._ask(seat, "owner", owners)
        self.owner = others[i]
        cells = [("cell", cell) for cell in self.museums[self.owner].reserved[self.held]]
        _, cell = yield from self._ask(seat, "target", cells)
        fossil = self._show(self.owner, cell)
        self.events["donation completed a fossil"] += fossil.complete
        self._reward_donation(seat, len(fossil.shown))
        return STOP

    def _reward_donation(self, seat: int, pieces: int) -> None:
        """Give the donor prestige (6.2)."""
        self.events["donation"] += 1
        self._win(seat, pieces)
        self._look_at_goals(seat, "donate_prestige", pieces)

    # ------------------------------------------------------------------ trade (9)

    def _trade(self, seat: int, effect: dict, _gain: dict) -> Script:
        """Buy and sell (9)."""
        self.buys, self.sells = effect["buy"], effect["sell"]
        surcharge, track = (self.sheet["market"][k] for k in ("archive_surcharge", "price_track"))
        while True:
            offered = [("tile", tile) for tile in self._types_in(seat)] if self.sells else []
            choice = yield from self._ask(seat, "trade", [STOP, *offered, *self._goods(seat)])
            if choice == STOP:
                break
            if choice[0] == "tile":
                tile, self.sells = choice[1], self.sells - 1
                self.buys = self.buys if effect["both"] else 0
                kind = self.box.type_of[tile]
                self.price[kind] = max(track[0], self.price[kind] - 1)
                self.dollars[seat] += self.price[kind]
                self._lose(seat, tile)
                self.to_market(tile)
                self.events["sold"] += 1
                continue
            self.buys -= 1
            self.sells = self.sells if effect["both"] else 0
            if choice[0] == "slot":
                kind = choice[1]
                tile = self.market[kind].pop(choice[2])
            else:
                tile = choice[1]
                kind = self.box.type_of[tile]
                self.archive[tile] -= 1
                self.dollars[seat] -= surcharge
                self.events["bought from the archive"] += 1
            self.dollars[seat] -= self.price[kind]
            self.price[kind] = min(track[-1], self.price[kind] + 1)
            self.storage[seat][tile] += 1
            self.events["bought"] += 1
        return STOP

    def _goods(self, seat: int) -> list[Choice]:
        """Return what a player can buy (9.2, 9.4)."""
        if not self.buys or not self._has_room(seat):
            return []
        surcharge = self.sheet["market"]["archive_surcharge"]
        found: list[Choice] = [
            ("slot", kind, slot)
            for kind, row in enumerate(self.market)
            for slot, tile in enumerate(row)
            if self.price[kind] <= self.dollars[seat] and (not slot or row[slot - 1] != tile)
        ]
        return found + [
            ("archive", tile)
            for tile in sorted(self.archive)
            if self.archive[tile]
            and self.price[self.box.type_of[tile]] + surcharge <= self.dollars[seat]
        ]

    # ------------------------------------------------------------------ tours (10)

    def _tour(self, seat: int, effect: dict, gain: dict) -> Script:
        """Give a tour (10.1 to 10.3, 10.7)."""
        self.left = effect["tour_lines"]
        self.tour_dollars, self.tour_guests = gain.get("dollars", 0), gain.get("guests", 0)
        while self.left:
            lines = [
                ("line", line) for line in range(self.line + 1, 6) if self.museums[seat].line(line)
            ]
            choice = yield from self._ask(seat, "tour", [STOP, *lines])
            if choice == STOP:
                break
            self.line = choice[1]
            self.left -= 1
            dollars, guests = self._pay_line(seat, self.line)
            self.tour_dollars += dollars
            self.tour_guests += guests
        for what, amount in self._panel_effects(seat, "tour"):
            self._receive(seat, what, amount)
            self.tour_dollars += amount * (what == "dollars")
            self.tour_guests += amount * (what == "guests")
            self.events["tour with an audio guide"] += 1
        self._look_at_goals(seat, "tour_dollars", self.tour_dollars)
        self._look_at_goals(seat, "tour_guests", self.tour_guests)
        return STOP

    # ------------------------------------------------------------------ the end (14)

    def _unfilled(self, seat: int) -> int:
        """Count the fields without piece and panel (14.7)."""
        return self.box.cells - len(self.museums[seat].filled)

    def _final_scoring(self) -> None:
        """Score majorities, panels and fossils (14)."""
        self._majorities()
        rules = self.sheet["fossil_rules"]
        for seat, museum in enumerate(self.museums):
            for what, amount in self._panel_effects(seat, "end"):
                assert what == "prestige"
                self._win(seat, amount)
            self._win(seat, rules["amber_prestige"] * self.amber[seat])
            self._win(seat, rules["stand_prestige"] * self.stands[seat])
            for fossil in museum.fossils:
                if fossil.complete:
                    self._win(seat, rules["end_prestige"][str(fossil.size)])
                    for name in ("large", "small"):
                        if bits(fossil.cells.values()) in self.box.sides[museum.side][name]:
                            self._win(seat, rules["pedestal_prestige"][name])
                            self.events[f"{name} pedestal"] += 1
        ranks = [self._rank(seat) for seat in range(self.museum_count)]
        for length, event in ((3, "shared place"), (2, "tie not broken by fields"), (1, "tie")):
            self.events[event] += len({rank[:length] for rank in ranks}) < len(ranks)

    def _majorities(self) -> None:
        """Score the majorities (14.1)."""
        counts = [self.guests, self.dollars]
        if self.end_goal != NONE:
            metric = self.box.end_goals[self.end_goal]["metric"]
            counts.append([museum.measure(metric) for museum in self.museums])
        places = [*self.sheet["majorities"]["prestige"], 0, 0, 0]
        for count in counts:
            for seat, own in enumerate(count):
                better, equal = sum(other > own for other in count), count.count(own)
                self._win(seat, sum(places[better : better + equal]) // equal)
                self.events["majority tied"] += equal > 1

    def _rank(self, seat: int) -> tuple[int, int, int]:
        return self.points[seat], -self._unfilled(seat), self.stands[seat]

    def outcome(self) -> list[float]:
        """Return each seat's result: its place, or the mean of shared ones, from 1 to -1 (14.8)."""
        ranks = [self._rank(seat) for seat in range(self.num_players)]
        results = []
        for mine in ranks:
            better = sum(rank > mine for rank in ranks)
            places = range(better, better + ranks.count(mine))
            results.append(1 - 2 * sum(places) / len(places) / (self.num_players - 1))
        return results


# ---------------------------------------------------------------------- meeting the kernel's record

# Fields of the record that a game never changes.
FIXED_FIELDS = ("num_players", "spare", "first_game")


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told its seed and its options."""
    return Game(options, int(state.seed))


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field, as plain Python values."""
    return common_fields(game, SEATS, SEATS, 5)


def picture(museum: Museum) -> dict[str, list[int]]:
    """Return what the record shows of a museum; the lists are shared, nobody may write in them."""
    if not museum.picture:
        box, at = museum.box, museum.at
        cells = range(box.cells)
        museum.picture = {
            "tile": [box.showing[at[c][0].species, at[c][1]] if c in at else NONE for c in cells],
            "piece": [at[c][1] if c in at else 0 for c in cells],
            "pose": [at[c][0].turn if c in at else 0 for c in cells],
            "displayed": [int(c in at and at[c][1] in at[c][0].shown) for c in cells],
            "panel": [museum.panels.get(c, NONE) for c in cells],
            "empty": museum.empty,
            "shown": bits(museum.shown),
        }
    return museum.picture


def common_fields(game: Game, museums: int, seats: int, streams: int) -> dict:
    """Return the fields that the solo game has as well."""
    box, n_tiles = game.box, len(game.box.tiles)
    words = [0] * -(-len(game.numbers) // 32)
    for choice in game.choices:
        number = game.numbers[choice]
        words[number // 32] |= 1 << number % 32
    pictures = [picture(museum) for museum in game.museums]
    absent = picture(_no_museum(box))

    def per_museum(values: list, filling: object = 0) -> list:
        return padded(values, museums, filling)

    def of_pictures(name: str) -> list:
        return per_museum([shown[name] for shown in pictures], absent[name])

    sets = per_museum([], [0] * SITES)
    return {
        "seed": game.chance.seed,
        "draws": [game.chance.draws[stream] for stream in range(streams)],
        "score": padded(game.points, seats, 0),
        "gain": padded(game.gains, seats, 0),
        "ply": game.asked,
        "to_play": game.seat,
        "phase": PHASES.index(game.phase),
        "done": int(game.over),
        "choices": words,
        **{name: of_pictures(name) for name in absent},
        "storage": per_museum([tally(n_tiles, own) for own in game.storage], [0] * n_tiles),
        "stored": per_museum([own.total() for own in game.storage]),
        "side": per_museum([museum.side for museum in game.museums], NONE),
        "start": per_museum(game.start, NONE),
        "dollars": padded(game.dollars, seats, 0),
        "guests": padded(game.guests, seats, 0),
        "regular": per_museum(game.regular),
        "students": per_museum(game.students),
        "amber": per_museum(game.amber),
        "stands": per_museum(game.stands),
        "workers": padded(game.workers, seats, 0),
        "placed": padded(game.placed, seats, [0] * SITES),
        "permanent": per_museum(game.permanent, [0] * SITES),
        "spent": per_museum(game.spent, [0] * SITES),
        "on_goal": (game.on_goal + sets)[:museums],
        "paid": per_museum([bits(paid) for paid in game.paid]),
        "paid_elsewhere": per_museum([bits(paid) for paid in game.paid_elsewhere]),
        "taken": [bits(taken) for taken in game.taken],
        "neutral": [game.neutral_in(column) for column in range(SITES)],
        "bag": [
            game.bags[site][tile]
            for site in range(SITES)
            for tile in range(n_tiles)
            if box.bags[site][tile]
        ],
        "in_bag": [sum(bag) for bag in game.bags],
        "market": [padded(row, game.sheet["market"]["slots_per_row"], NONE) for row in game.market],
        "archive": tally(n_tiles, game.archive),
        "price": game.price,
        "starts": game.starts,
        "job_goal": game.job_goals,
        "round_goal": game.round_goals,
        "end_goal": game.end_goal,
        "unused": game.unused,
        "round_number": game.round,
        "first": game.first,
        "active": game.active,
        "dug": int(game.dug),
        "acted": int(game.acted),
        "column": game.column,
        "field": game.field,
        "left": game.left,
        "buys": game.buys,
        "sells": game.sells,
        "line": game.line,
        "tour_dollars": game.tour_dollars,
        "tour_guests": game.tour_guests,
        "pieces": game.pieces,
        "held": game.held,
        "building": game.building,
        "spot": game.spot,
        "owner": game.owner,
        "drawn": padded(game.drawn, box.most_drawn, NONE),
        "n_drawn": len(game.drawn),
        "keep": game.keep,
        "reason": game.reason,
        "site": game.site,
        "last": game.last,
    }


@functools.cache
def _no_museum(box: Box) -> Museum:
    """Return what the record shows for a seat without a museum."""
    return Museum(box)


def check_conservation(state, options: dict) -> None:
    """Assert that all pieces of the game are somewhere, and that what the record says fits."""
    box = read_box()
    for seat in range(options["num_players"]):
        check_museum(box, state, seat)
        lost = 0
        check_workers(box, state, seat, lost)
    missing = missing_tiles(box, state, options["num_players"])
    assert not any(missing), f"missing, by type: {missing}"
    check_board(box, state)


# ---------------------------------------------------------------------- steering random games


def late_position(luck: random.Random, options: dict) -> Game:
    """Draw a position in one of the last two rounds: full museums, few tiles in some bags."""
    luck = random.Random(f"{luck.random()} {options}")  # others with other options
    game = Game(options, luck.randrange(2**32), lambda game: steering.scatter(game, luck))
    game.asked = 0
    return game


POLICIES = steering.POLICIES
# Events that all games of the twin test together must have covered, each at least this often in
# the compiled run.
RARE_EVENTS: dict[str, int] = {
    "a bag was short": 980,
    "a joker for nothing": 21,
    "a panel for nothing": 100,
    "a tile in the storage fits nowhere": 4400,
    "bought": 3200,
    "bought from the archive": 1800,
    "column complete": 670,
    "complete fossil of size 1": 2100,
    "complete fossil of size 2": 530,
    "complete fossil of size 4": 98,
    "complete fossil of size 6": 46,
    "continued a fossil": 930,
    "dig after the action": 6800,
    "dig before the action": 220,
    "discarded": 5300,
    "donation": 850,
    "donation completed a fossil": 300,
    "found a tile with a full storage": 2600,
    "found in several bags": 18,
    "guests were lost": 730,
    "income of a panel": 3900,
    "job goal had paid already": 20,
    "job goal in the income": 64,
    "job goal on another's turn": 8,
    "job goal: column": 73,
    "job goal: display4": 140,
    "job goal: donate3": 63,
    "job goal: guests18": 79,
    "job goal: guests22": 37,
    "job goal: guests28": 18,
    "job goal: joker": 85,
    "job goal: row": 59,
    "job goal: tour_dollars5": 6,
    "job goal: tour_dollars6": 3,
    "job goal: tour_guests5": 10,
    "job goal: tour_guests6": 7,
    "joker copied a bonus field": 39,
    "joker copied a used field": 120,
    "large pedestal": 40,
    "majority tied": 760,
    "more students than tiles": 470,
    "more workers than are drawn": 2400,
    "no amber or stand was left": 12,
    "permanent and other worker together": 580,
    "permanent worker acted": 3000,
    "permanent worker assigned": 290,
    "permanent worker on a joker": 43,
    "pushed into the archive": 22000,
    "round goal threshold 0": 930,
    "round goal threshold 1": 330,
    "round goal threshold 2": 300,
    "round goal threshold 3": 330,
    "row complete": 650,
    "search by a panel": 140,
    "shared place": 4,
    "skipped while others act": 1800,
    "small pedestal": 100,
    "sold": 3700,
    "strip": 390,
    "students were lost": 2300,
    "tie": 28,
    "tie not broken by fields": 4,
    "tour with an audio guide": 750,
}
