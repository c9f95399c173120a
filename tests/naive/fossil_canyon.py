"""Fossil Canyon, told a second time: slow, in plain Python, from docs/games/fossil_canyon.md alone.

Nothing here is shared with the kernel. The reference reads the component sheet itself, knows the
game's seed, from which it works out all luck by tests/chance.py, and says all the rest: whose
decision it is, which choices there are, what they bring, when the game ends and who wins. Numbers
in brackets are paragraphs of the rules page. The game is one generator that runs from question to
question. A card is the number of its type (1.4); a place that holds cards is a sorted list of them.
"""

from __future__ import annotations

import functools
import itertools
import os
import random
import tomllib
from bisect import insort
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from pathlib import Path

from chance import Chance

NAME = "fossil_canyon"
PHASES = ("hide", "dig", "keep", "exchange", "give", "take", "send", "reveal", "over")
STAGES = ("setup", "event", "digs", "exchanges", "bonus", "adjust", "end")
STREAMS = ("discard", "events", "hands", "buried", "expose", "blind")
AWARDS = ("major", "minor")
CLAIMS = ("claim_major", "claim_minor")
FIELDS_OF_CHOICE = {
    "hide": ("type",),
    "done": (),
    "dig": ("type",),
    "dig_buried": (),
    "keep": (),
    "put_back": (),
    "stop": (),
    "exchange": ("opponent",),
    "give": ("type",),
    "take": ("type",),
    "take_blind": (),
    "send": ("type",),
    "reveal": ("type",),
    "claim_major": ("cards",),
    "claim_minor": ("cards",),
}
NONE = -1

Choice = tuple  # the name of the choice, then its fields as in FIELDS_OF_CHOICE
Script = Generator[None, Choice, Choice | None]


class GameOverError(Exception):
    """Nothing can be completed or claimed any more, in the middle of a turn (10.3)."""


class Box:
    """What is in the box: the types of cards and what they are worth (1).

    Parameters
    ----------
    sheet : dict
    """

    def __init__(self, sheet: dict) -> None:
        self.sheet = sheet
        self.genera = sheet["genus"]
        self.seats = sheet["players"]["max"]
        self.types_of: list[range] = []  # of each genus
        self.cards: list[int] = []  # all cards of skeletons
        first = 0
        for genus in self.genera:
            types = range(first, first + genus["fossils"])
            self.types_of.append(types)
            self.cards += sorted([*types] * genus["skeletons"])
            first = types.stop
        self.first_trace = first
        self.research = {first + i: trace["research"] for i, trace in enumerate(sheet["trace"])}
        self.n_types = first + len(self.research)
        self.sets = [self.minimal_sets(sheet["awards"][award]["needs"]) for award in AWARDS]
        self.events = sheet["event"]
        self.erosion = {"id": "plain_erosion", "op": "expose", "n": 1}  # 1.5
        self.deck = [i for i, event in enumerate(self.events) for _ in range(event["count"])]

    def minimal_sets(self, needs: int) -> list[tuple[int, ...]]:
        """Return the sets of trace fossils that pay without a card too many (3.5).

        Written as binary numbers, the sheet's first trace fossil being the last digit, they ascend.
        """
        traces = sorted(self.research)
        found = []
        for wanted in itertools.product((0, 1), repeat=len(traces)):
            cards = [trace for trace, bit in zip(traces, reversed(wanted), strict=True) if bit]
            total = sum(self.research[card] for card in cards)
            if total >= needs and all(total - self.research[card] < needs for card in cards):
                found.append(tuple(cards))
        return found

    def event(self, kind: int) -> dict:
        """Return an event by its number in the deck."""
        return self.events[kind] if kind < len(self.events) else self.erosion

    def full_sets(self, cards: Iterable[int]) -> list[int]:
        """Return the genera of which a heap of cards holds a full set (3.3)."""
        there = set(cards)
        return [g for g, types in enumerate(self.types_of) if there.issuperset(types)]


def read_box() -> Box:
    """Read the component sheet in use."""
    path = Path(__file__).parents[2] / "kernels" / "components" / "fossil_canyon.toml"
    if "BONEBED_COMPONENTS" in os.environ:
        edited = Path(os.environ["BONEBED_COMPONENTS"]) / "fossil_canyon.toml"
        path = edited if edited.exists() else path
    return _box(path)


@functools.cache
def _box(path: Path) -> Box:
    """Read a TOML file, once."""
    return Box(tomllib.loads(path.read_text(encoding="utf-8")))


class Game:
    """One game of Fossil Canyon.

    Parameters
    ----------
    options : dict
        As the kernel names them.
    seed : int
        All luck follows from it.
    at : dict, optional
        For a game that starts in the middle: `begin`, one of "turn", "digs", "exchanges", "bonus",
        "adjust" (where in the turn of the player `active`) or "end" (a turn of the end phase), and
        any attributes of the game, `known` as counters. What is left out is empty or 0.
    """

    def __init__(self, options: dict, seed: int = 0, at: dict | None = None) -> None:
        self.box = read_box()
        self.sheet = self.box.sheet
        self.options = options
        self.num_players = n = options["num_players"]
        self.chance = Chance(seed)
        self.buried: list[int] = []
        self.discard: list[int] = []
        self.exposed: list[int] = []
        self.up: list[list[int]] = [[] for _ in range(n)]
        self.hidden: list[list[int]] = [[] for _ in range(n)]
        self.skeletons: list[Counter[int]] = [Counter() for _ in range(n)]
        self.awards: list[list[int]] = [[0, 0] for _ in range(n)]
        self.known = self._nothing_known()  # how many of each type, by observer and owner (12.2)
        self.deck = [0] * len(self.box.deck)
        self.drawn = 0
        self.event = NONE
        self.active = 0
        self.stage = "setup"
        self.picked: list[list[int]] = [[] for _ in range(n)]
        self.chosen: list[int] = [NONE] * n
        self.target = NONE
        self.given: list[int] = []
        self.exchanges = self.digs = self.barren = self.idle = 0
        self.dug = NONE
        self.returned = self.earned = self.scored = self.acted = False
        self.points = [0] * n
        self.seat, self.phase = 0, "over"
        self.choices: list[Choice] = []
        self.asked = 0
        self.over = False
        self.events: Counter[str] = Counter()  # what happened that is worth counting in a test
        begin = "setup"
        if at is not None:
            begin = at["begin"]
            for name, value in at.items():
                setattr(self, name, value)
            if "known" in at:
                self.known = [
                    [_tally(self.box.n_types, cards) for cards in row] for row in at["known"]
                ]
            mid = begin not in ("turn", "end")
            self.event = self.deck[(self.drawn - 1) % len(self.deck)] if mid else NONE
            self.points = [self._worth(seat) for seat in range(n)]
        self._script = self._play(begin)
        self.gains = [0] * n
        self._go_on(None)
        self.gains = [0] * n

    # ------------------------------------------------------------------ asking

    def _ask(
        self, seat: int, phase: str, choices: Callable[[], list[Choice]], claims: bool = False
    ) -> Script:
        """Ask a seat to choose, again after each claim (3.6); one choice is not asked (11.1)."""
        while own := choices():
            offered = self._claims(seat) if claims and seat == self.active else []
            if len(own) + len(offered) == 1:
                self.events[f"forced {own[0][0]}"] += 1
                return own[0]
            self.seat, self.phase, self.choices = seat, phase, own + offered
            choice = yield
            if choice[0] not in CLAIMS:
                return choice
            self._claim(seat, choice)
        return None

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
            self.over, self.phase, self.choices, self.seat = True, "over", [], self.active

    # ------------------------------------------------------------------ points and places

    def _worth(self, seat: int) -> int:
        """Return the points of a player's skeletons and awards, for a start in the middle."""
        values = [self.box.genera[g]["value"] for g in self.skeletons[seat].elements()]
        pieces = zip(AWARDS, self.awards[seat], strict=True)
        return sum(values) + sum(n * self.sheet["awards"][award]["points"] for award, n in pieces)

    def own(self, seat: int) -> list[int]:
        """All cards of a player."""
        return self.up[seat] + self.hidden[seat]

    @property
    def limit(self) -> int:
        """How many cards may be hidden (2.5, 2.7)."""
        limit = self.sheet["hidden_limit"]
        return (
            min(2, limit) if self.options["hidden_limit_two"] and self.num_players >= 5 else limit
        )

    def _from_active(self) -> list[int]:
        """All seats in turn order from the active one."""
        return [(self.active + i) % self.num_players for i in range(self.num_players)]

    def _others(self, seat: int) -> list[int]:
        return [other for other in range(self.num_players) if other != seat]

    def _site_empty(self) -> bool:
        return not self.buried and not self.exposed  # 8.1

    def _drawn_from(self, heap: list[int], stream: str) -> int:
        """Take a card from a heap blindly: the k-th in the order of types."""
        return heap.pop(self.chance.draw(STREAMS.index(stream), len(heap)))

    # ------------------------------------------------------------------ cards that move (3, 12.2)

    def _nothing_known(self) -> list[list[list[int]]]:
        n = self.num_players
        return [[[0] * self.box.n_types for _ in range(n)] for _ in range(n)]

    def _all_learn(self, owner: int, card: int, change: int) -> None:
        """All others count one more, or one less, of a type in a hidden hand (12.2)."""
        for observer in self._others(owner):
            counts = self.known[observer][owner]
            counts[card] = max(0, counts[card] + change)

    def _lose(self, seat: int, card: int) -> None:
        """Let a card leave a player, a face-up one first (3.2), seen by all."""
        if card in self.up[seat]:
            self.up[seat].remove(card)
            self.events["used the face-up copy of two"] += card in self.hidden[seat]
        else:
            self.hidden[seat].remove(card)
            known = sum(self.known[o][seat][card] for o in self._others(seat))
            self.events["a known hidden card left"] += known > 0
            self._all_learn(seat, card, -1)

    def _complete(self, seat: int) -> None:
        """Lay out full sets of a player (3.3)."""
        before = sum(self.skeletons[seat].values())
        while full := self.box.full_sets(self.own(seat)):
            for card in self.box.types_of[full[0]]:
                self._lose(seat, card)
            self.skeletons[seat][full[0]] += 1
            self.points[seat] += self.box.genera[full[0]]["value"]
        if sum(self.skeletons[seat].values()) == before:
            return
        self.events[f"completed in {self.stage}"] += 1
        self.events["completed by another"] += seat != self.active and self.stage != "setup"
        if seat == self.active and self.stage in ("event", "digs", "exchanges"):
            self.earned = True  # 7.1
        if self.stage == "end":
            self.scored = True
            self._check_end()

    def _claims(self, seat: int) -> list[Choice]:
        """Return the claims that a player can make (3.4, 3.5)."""
        if self.stage == "setup":
            return []
        there = {card for card in self.own(seat) if card in self.box.research}
        if not there:
            return []
        return [
            (CLAIMS[award], i)
            for award in range(2)
            if self._pieces_left(award) > 0
            for i, cards in enumerate(self.box.sets[award])
            if there.issuperset(cards)
        ]

    def _pieces_left(self, award: int) -> int:
        taken = sum(awards[award] for awards in self.awards)
        return self.sheet["awards"][AWARDS[award]]["pieces"] - taken

    def _claim(self, seat: int, choice: Choice) -> None:
        """Spend trace fossils for an award (3.4)."""
        award = CLAIMS.index(choice[0])
        for card in self.box.sets[award][choice[1]]:
            self._lose(seat, card)
        self.awards[seat][award] += 1
        self.points[seat] += self.sheet["awards"][AWARDS[award]]["points"]
        self.events[choice[0]] += 1
        self.events[f"claimed at {self.phase} in {self.stage}"] += 1
        if self.stage == "end":
            self.scored = self.acted = True
            self._check_end()

    # ------------------------------------------------------------------ the course of a game

    def _play(self, begin: str) -> Script:
        if begin == "setup":
            yield from self._set_up()
            begin = "turn"
        if begin != "end":
            while begin != "turn" or not self._site_empty():
                yield from self._turn(begin)
                begin = "turn"
                self.active = (self.active + 1) % self.num_players  # 9.3
        try:
            if begin != "end":
                self._lay_open()
            yield from self._end_phase()
        except GameOverError:
            self.events["end: nothing left to complete or claim"] += 1
        self.target, self.given, self.exchanges = NONE, [], 0
        self.scored = self.acted = False
        self._award_bonuses()
        self._note_end()
        return None

    def _set_up(self) -> Script:
        """Deal, and let everybody hide cards (2)."""
        self.buried = list(self.box.cards)
        if self.options["research"]:
            self.buried += sorted(self.box.research)
        for _ in range(self.sheet["discard_unseen"]):
            insort(self.discard, self._drawn_from(self.buried, "discard"))
        self.deck = list(self.box.deck)
        if self.options["events"] == "erosion_only":
            self.deck = [len(self.box.events)] * len(self.deck)
        for i in range(len(self.deck)):  # 2.2
            j = i + self.chance.draw(STREAMS.index("events"), len(self.deck) - i)
            self.deck[i], self.deck[j] = self.deck[j], self.deck[i]
        for seat in range(self.num_players):
            for _ in range(self.sheet["starting_hand"][str(self.num_players)]):
                insort(self.hidden[seat], self._drawn_from(self.buried, "hands"))
        for seat in range(self.num_players):
            self._complete(seat)  # 2.4
        for seat in range(self.num_players):
            yield from self._pick(seat)
        for seat in range(self.num_players):
            self._hide_picked(seat)
        return None

    def _pick(self, seat: int) -> Script:
        """Let a player pick cards to hide, one at a time (2.6)."""

        def choices() -> list[Choice]:
            left = Counter(self.own(seat)) - Counter(self.picked[seat])
            return [*(("hide", card) for card in sorted(left)), ("done",)]

        while len(self.picked[seat]) < min(self.limit, len(self.own(seat))):
            choice = yield from self._ask(seat, "hide", choices, claims=not self.picked[seat])
            if choice == ("done",):
                self.events["hid fewer than allowed"] += bool(self.own(seat))
                break
            insort(self.picked[seat], choice[1])
        return None

    def _hide_picked(self, seat: int) -> None:
        """Hide the picked cards and lay out the others (2.5, 9.1); learn from it (12.2)."""
        before = Counter(self.up[seat])
        rest = Counter(self.own(seat)) - Counter(self.picked[seat])
        self.hidden[seat] = self.picked[seat]
        self.up[seat] = sorted(rest.elements())
        self.picked[seat] = []
        if self.stage == "setup":
            return
        for card, number in (before - rest).items():
            self._all_learn(seat, card, number)
            self.events["hid a face-up card"] += 1
        for card, number in (rest - before).items():
            self._all_learn(seat, card, -number)
            self.events["laid out a hidden card"] += 1

    # ------------------------------------------------------------------ a turn before the end phase

    def _turn(self, begin: str) -> Script:
        """Play the five steps, or those from `begin` on."""
        steps = {
            "turn": ("event", self._event_step),
            "digs": ("digs", self._dig_step),
            "exchanges": ("exchanges", self._exchange_step),
            "bonus": ("bonus", self._bonus_step),
            "adjust": ("adjust", self._adjust_step),
        }
        if begin == "turn":
            self.earned = False
        for stage, play in list(steps.values())[list(steps).index(begin) :]:
            self.stage = stage
            yield from play()
        return None

    def _event_step(self) -> Script:
        """Draw an event card and do what it says (4)."""
        self.event = self.deck[self.drawn % len(self.deck)]
        self.events["second pass of the event deck"] += self.drawn >= len(self.deck)
        self.drawn += 1
        event = self.box.event(self.event)
        op = event["op"]
        if op == "expose":
            for _ in range(min(event["n"], len(self.buried))):  # 4.2
                insort(self.exposed, self._drawn_from(self.buried, "expose"))
        elif op == "bury_all_exposed":
            self.events["buried exposed cards"] += bool(self.exposed)
            self.buried = sorted(self.buried + self.exposed)  # 4.3
            self.exposed = []
        elif op == "dig":
            digger = self.active if event["who"] == "active" else self._poorest()
            self.events["donation to another"] += digger != self.active
            yield from self._dig(digger, event["n"])
        elif op == "pass_left":
            yield from self._choose_in_secret("send", self.own)
            self._pass_on()
        elif op == "reveal_hidden":
            yield from self._choose_in_secret("reveal", lambda seat: self.hidden[seat])
            self._reveal()
        elif op == "optional_exchange":
            yield from self._make_exchanges([event["cost"]])  # 4.8
        return None

    def _poorest(self) -> int:
        """Return the player with the fewest points, the first from the active one on (4.5)."""
        points = self.points
        fewest = min(points)
        self.events["donation after a tie"] += points.count(fewest) > 1
        return next(seat for seat in self._from_active() if points[seat] == fewest)

    def _choose_in_secret(self, name: str, cards_of: Callable[[int], list[int]]) -> Script:
        """Let everybody with cards choose one of them (4.6, 4.7)."""
        for seat in self._from_active():

            def choices(seat: int = seat) -> list[Choice]:
                return [(name, card) for card in sorted(set(cards_of(seat)))]

            choice = yield from self._ask(seat, name, choices, claims=True)
            self.events[f"skipped at {name}"] += choice is None
            self.chosen[seat] = NONE if choice is None else choice[1]
        return None

    def _pass_on(self) -> None:
        """Let all chosen cards leave, then arrive at the next seats (4.6)."""
        senders = [seat for seat in self._from_active() if self.chosen[seat] != NONE]
        for seat in senders:
            self._lose(seat, self.chosen[seat])
        for seat in senders:
            insort(self.up[(seat + 1) % self.num_players], self.chosen[seat])
        self.chosen = [NONE] * self.num_players
        for seat in self._from_active():
            self._complete(seat)

    def _reveal(self) -> None:
        """Turn all chosen hidden cards face up (4.7)."""
        for seat, card in enumerate(self.chosen):
            if card != NONE:
                self.hidden[seat].remove(card)
                insort(self.up[seat], card)
                self._all_learn(seat, card, -1)
        self.chosen = [NONE] * self.num_players

    def _dig_step(self) -> Script:
        """Dig twice (5)."""
        yield from self._dig(
            self.active, self.sheet["digs_per_turn"], bool(self.options["put_back"])
        )
        self.events["dug fewer, site empty"] += self.digs_missing > 0
        return None

    def _bonus_step(self) -> Script:
        """Dig once more for a skeleton (7)."""
        if self.earned and self.sheet["bonus_digs_max"] > 0:
            yield from self._dig(self.active, 1)
            self.events["no bonus dig, site empty"] += self.digs_missing > 0
        return None

    def _dig(self, seat: int, number: int, may_put_back: bool = False) -> Script:
        """Let a player dig cards one after the other (5.2, 5.3)."""

        def choices() -> list[Choice]:
            found: list[Choice] = [("dig", card) for card in sorted(set(self.exposed))]
            return found + [("dig_buried",)] * bool(self.buried)

        self.digs = 0
        while self.digs < number:
            choice = yield from self._ask(seat, "dig", choices, claims=True)
            if choice is None:  # the site is empty
                break
            if choice == ("dig_buried",):
                card = self._drawn_from(self.buried, "buried")
                if may_put_back and not self.returned:
                    self.dug = card
                    kept = yield from self._ask(seat, "keep", lambda: [("keep",), ("put_back",)])
                    self.dug = NONE
                    if kept == ("put_back",):
                        self.returned = True
                        self.events["put back"] += 1
                        insort(self.exposed, card)
                        continue
            else:
                card = choice[1]
                self.exposed.remove(card)
                self._all_learn(seat, card, 1)
            insort(self.hidden[seat], card)
            self.digs += 1
            self._complete(seat)
        self.digs_missing = number - self.digs
        self.digs, self.returned = 0, False
        return None

    def _adjust_step(self) -> Script:
        """Adjust the hand (9)."""
        self.events["above the limit"] += len(self.hidden[self.active]) > self.limit + 2
        yield from self._pick(self.active)
        self._hide_picked(self.active)
        return None

    # ------------------------------------------------------------------ exchanges (6)

    def _exchange_step(self) -> Script:
        yield from self._make_exchanges(self.sheet["exchange_costs"])
        return None

    def _make_exchanges(self, costs: list[int]) -> Script:
        """Let the active player make up to so many exchanges (6.1, 6.2)."""
        self.exchanges = 0

        def choices() -> list[Choice]:
            return [("stop",), *self._partners(costs)]

        while self.exchanges < len(costs) or self.stage == "end":  # 10.2: a last claim
            choice = yield from self._ask(self.active, "exchange", choices, claims=True)
            if choice == ("stop",):
                break
            self.events["exchange in event"] += self.stage == "event"
            yield from self._exchange(choice[1], costs[self.exchanges])
            self.exchanges += 1
        self.events["all exchanges made"] += self.exchanges == 3
        self.exchanges = 0
        return None

    def _partners(self, costs: list[int]) -> list[Choice]:
        """Return with whom the next exchange can be made (6.2, 6.6, 10.2)."""
        if self.exchanges == len(costs):
            return []
        needs = costs[self.exchanges]
        if self.stage == "end":
            needs = max(needs, self.sheet["end_phase_min_fossils_to_exchange"])
        if len(self.own(self.active)) < needs:
            return []
        cards = self.up.__getitem__ if self.options["no_blind_exchange"] else self.own
        others = self._from_active()[1:]
        return [("exchange", i) for i, other in enumerate(others) if cards(other)]

    def _exchange(self, opponent: int, cost: int) -> Script:
        """Give cards one at a time, then take one (6.3 to 6.5)."""
        me = self.active
        partner = self.target = self._from_active()[1 + opponent]
        self.acted = self.stage == "end"

        def gifts() -> list[Choice]:
            return [("give", card) for card in sorted(set(self.own(me)))]

        def prizes() -> list[Choice]:
            found = [("take", c) for c in sorted(set(self.up[partner])) if c not in self.given]
            blind = self.hidden[partner] and not self.options["no_blind_exchange"]
            return found + [("take_blind",)] * bool(blind)

        for _ in range(cost):
            choice = yield from self._ask(me, "give", gifts)
            assert choice is not None
            insort(self.given, choice[1])
            self._lose(me, choice[1])
            insort(self.up[partner], choice[1])
            self._complete(partner)
        choice = yield from self._ask(me, "take", prizes)
        self._take(partner, choice)
        self._complete(me)
        self.target, self.given = NONE, []
        return None

    def _take(self, partner: int, choice: Choice | None) -> None:
        me = self.active
        if choice is None:
            self.events["nothing to take"] += 1
        elif choice == ("take_blind",):
            card = self._drawn_from(self.hidden[partner], "blind")
            self.events["blind take"] += 1
            for observer in self._others(partner):
                counts = self.known[observer][partner]
                if observer == me:
                    self.events["blind take of a known card"] += counts[card] > 0
                    counts[card] = max(0, counts[card] - 1)
                else:
                    if counts[card] == len(self.hidden[partner]) + 1:  # it could be no other
                        self.events["blind take of the one card there could be"] += 1
                        self.known[observer][me][card] += 1
                    # it may have been any card
                    self.events["blind take made knowledge uncertain"] += any(counts)
                    self.known[observer][partner] = [max(0, number - 1) for number in counts]
            self.known[partner][me][card] += 1
            insort(self.hidden[me], card)
        else:
            self.up[partner].remove(choice[1])
            if self.stage == "end":
                insort(self.up[me], choice[1])
            else:
                insort(self.hidden[me], choice[1])
                self._all_learn(me, choice[1], 1)

    # ------------------------------------------------------------------ the end phase (10)

    def _lay_open(self) -> None:
        """Lay all cards face up (10.1)."""
        n = self.num_players
        self.stage, self.event, self.earned = "end", NONE, False
        for seat in range(n):
            self.up[seat] = sorted(self.own(seat))
            self.hidden[seat] = []
        self.known = self._nothing_known()
        self._check_end()

    def _check_end(self) -> None:
        """End the game when nothing can be completed or claimed from all cards together (10.3)."""
        cards = [card for seat in range(self.num_players) for card in self.own(seat)]
        research = sum(self.box.research.get(card, 0) for card in cards)
        payable = any(
            self._pieces_left(award) > 0
            and research >= self.sheet["awards"][AWARDS[award]]["needs"]
            for award in range(2)
        )
        if not self.box.full_sets(cards) and not payable:
            raise GameOverError

    def _end_phase(self) -> Script:
        """Play turns of exchanges until a stalemate (10.2, 10.4)."""
        self.stage = "end"
        most_barren = self.sheet["stalemate_rounds"] * self.num_players
        most_idle = self.sheet["idle_rounds"] * self.num_players
        while True:
            self.scored = self.acted = False
            if len(self.own(self.active)) >= self.sheet["end_phase_min_fossils_to_exchange"]:
                yield from self._exchange_step()
            else:
                self.events["skipped in the end phase"] += 1
            self.barren = 0 if self.scored else self.barren + 1
            self.idle = 0 if self.acted else self.idle + 1
            self.scored = self.acted = False
            if self.barren >= most_barren or self.idle >= most_idle:
                self.events["end: barren"] += self.barren >= most_barren
                self.events["end: idle"] += self.idle >= most_idle
                return None
            self.active = (self.active + 1) % self.num_players

    def _award_bonuses(self) -> None:
        """Award the bonuses (10.5 to 10.7)."""
        if not self.options["bonuses"]:
            return
        paid_with = [genus["pays"] for genus in self.box.genera if genus.get("custom")]  # 1.7
        for bonus in self.sheet["bonus"]:
            if bonus["name"] in paid_with:
                self.events["bonus paid with"] += 1
                continue
            if bonus["rule"] == "all_genera":
                winners = [seat for seat in range(self.num_players) if self._has_all(seat, bonus)]
            else:
                ranks = [self._category(seat, bonus) for seat in range(self.num_players)]
                best = max(ranks)
                winners = [s for s, rank in enumerate(ranks) if rank == best and best[0] > 0]
                tied = [rank for rank in ranks if rank[0] == best[0] > 0]
                self.events["bonus by tie-break"] += len(tied) > 1 and len(winners) == 1
            self.events["bonus tied, not awarded"] += len(winners) > 1
            if len(winners) == 1:
                self.events[f"bonus {bonus['name']}"] += 1
                self.points[winners[0]] += bonus["points"]

    def _has_all(self, seat: int, bonus: dict) -> bool:
        """Tell whether a player has a skeleton of each genus of a list (10.7)."""
        names = {self.box.genera[g]["name"] for g, n in self.skeletons[seat].items() if n > 0}
        return names.issuperset(bonus["genera"])

    def _category(self, seat: int, bonus: dict) -> tuple[int, int]:
        """Return number and sum of values of a player's skeletons in a category (10.6, 10.7)."""
        number = total = 0
        for g, n in self.skeletons[seat].items():
            genus = self.box.genera[g]
            fits = all(genus[key] == bonus[key] for key in ("period", "diet") if key in bonus)
            if fits and genus["name"] in bonus.get("genera", [genus["name"]]):
                number += n
                total += n * genus["value"]
        return number, total

    def _rank(self, seat: int) -> tuple[int, list[int]]:
        """Return points and values of skeletons, the most valuable first (10.8)."""
        values = [self.box.genera[g]["value"] for g in self.skeletons[seat].elements()]
        return self.points[seat], sorted(values, reverse=True)

    def _note_end(self) -> None:
        ranks = sorted(map(self._rank, range(self.num_players)))
        self.events["win by a skeleton"] += ranks[-1][0] == ranks[-2][0] and ranks[-1] != ranks[-2]
        self.events["shared place"] += len({str(rank) for rank in ranks}) < len(ranks)

    def outcome(self) -> list[float]:
        """Return each seat's result: its place, or the mean of shared ones, from 1 to -1 (10.9)."""
        ranks = [self._rank(seat) for seat in range(self.num_players)]
        results = []
        for mine in ranks:
            better = sum(rank > mine for rank in ranks)
            places = range(better, better + ranks.count(mine))
            results.append(1 - 2 * sum(places) / len(places) / (self.num_players - 1))
        return results


# ---------------------------------------------------------------------- meeting the kernel's record

OPTIONS = ("research", "bonuses", "hidden_limit_two", "put_back", "no_blind_exchange", "events")
# Fields of the record that a game never changes.
FIXED_FIELDS = ("seed", "num_players", "spare", *OPTIONS)


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told its seed and its options."""
    return Game(options, int(state.seed))


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field, as plain Python values."""
    box = game.box
    unused = box.seats - game.num_players

    def counts(cards: Iterable[int]) -> list[int]:
        return _counts(box.n_types, tuple(cards))

    def per_seat(heaps: list[list[int]]) -> list[list[int]]:
        return [counts(heap) for heap in heaps] + [counts(())] * unused

    def skeletons(own: Counter[int]) -> list[int]:
        return _tally(len(box.genera), own)

    return {
        "buried": counts(game.buried),
        "discard": counts(game.discard),
        "exposed": counts(game.exposed),
        "up": per_seat(game.up),
        "hidden": per_seat(game.hidden),
        "skeletons": [*map(skeletons, game.skeletons)] + [skeletons(Counter())] * unused,
        "awards": game.awards + [[0, 0]] * unused,
        "known": [row + [counts(())] * unused for row in game.known]
        + [[counts(())] * box.seats] * unused,
        "deck": game.deck,
        "drawn": game.drawn,
        "event": game.event,
        "active": game.active,
        "stage": STAGES.index(game.stage),
        "picked": per_seat(game.picked),
        "chosen": game.chosen + [NONE] * unused,
        "target": game.target,
        "given": counts(game.given),
        "exchanges": game.exchanges,
        "digs": game.digs,
        "dug": game.dug,
        "returned": int(game.returned),
        "earned": int(game.earned),
        "scored": int(game.scored),
        "acted": int(game.acted),
        "barren": game.barren,
        "idle": game.idle,
        "draws": [game.chance.draws[stream] for stream in range(len(STREAMS))],
        "score": game.points + [0] * unused,
        "gain": game.gains + [0] * unused,
        "to_play": game.seat,
        "phase": PHASES.index(game.phase),
        "done": int(game.over),
        "ply": game.asked,
    }


@functools.lru_cache(maxsize=10_000)
def _counts(size: int, cards: tuple[int, ...]) -> list[int]:
    """Return how many of each type there are; the list is shared, nobody may write into it."""
    return _tally(size, Counter(cards))


def _tally(size: int, counter: Counter[int]) -> list[int]:
    """Return what a counter holds under 0, 1, ... size - 1."""
    found = [0] * size
    for key, number in counter.items():
        found[key] = number
    return found


def check_conservation(state, options: dict) -> None:
    """Assert that every card is somewhere, that nobody holds a full set, and that points add up.

    A card is buried, discarded, exposed, with a player, in a skeleton, or just being looked at
    (5.3); a trace fossil may have been spent for an award, and then its research has been.
    """
    box, n = read_box(), options["num_players"]
    sheet = box.sheet
    there = Counter(dict(enumerate(state.buried.tolist())))
    for heap in (state.discard, state.exposed, *state.up, *state.hidden):
        assert min(heap.tolist()) >= 0
        there.update(dict(enumerate(heap.tolist())))
    if state.dug != NONE:
        there[int(state.dug)] += 1
    for g, types in enumerate(box.types_of):
        for card in types:
            there[card] += sum(state.skeletons[:, g].tolist())
            assert there[card] == box.genera[g]["skeletons"], f"cards of type {card}"
    spent = [card for card in box.research if not there[card]]
    needs = [sheet["awards"][award]["needs"] for award in AWARDS]
    claimed = [sum(state.awards[:, award].tolist()) for award in range(2)]
    assert max(there[card] for card in box.research) <= 1
    if options["research"]:
        paid = sum(box.research[card] for card in spent)
        assert paid >= sum(a * b for a, b in zip(needs, claimed, strict=True))
        assert bool(spent) == bool(sum(claimed))
    else:
        assert len(spent) == len(box.research)
        assert not any(claimed)
    for award in range(2):
        assert claimed[award] <= sheet["awards"][AWARDS[award]]["pieces"]
    assert sum(state.discard.tolist()) == sheet["discard_unseen"]
    for seat in range(n):
        both = (state.up[seat].astype(int) + state.hidden[seat]).tolist()
        assert not box.full_sets(card for card, number in enumerate(both) if number)
        assert all(a <= b for a, b in zip(state.picked[seat].tolist(), both, strict=True))
        for observer in range(n):
            known = state.known[observer, seat].tolist()
            assert all(a <= b for a, b in zip(known, state.hidden[seat].tolist(), strict=True))
            assert observer != seat or not any(known)
        values = sum(
            int(k) * genus["value"]
            for k, genus in zip(state.skeletons[seat], box.genera, strict=True)
        )
        points = [sheet["awards"][award]["points"] for award in AWARDS]
        values += sum(int(k) * p for k, p in zip(state.awards[seat], points, strict=True))
        bonuses = sum(bonus["points"] for bonus in sheet["bonus"]) if state.done else 0
        assert values <= int(state.score[seat]) <= values + bonuses


# ---------------------------------------------------------------------- steering random games

Policy = Callable[[Game, random.Random], Choice]


def at_random(game: Game, luck: random.Random) -> Choice:
    """Choose any choice, each as likely as the others."""
    return luck.choice(game.choices)


def _preferring(*groups: Iterable[str]) -> Policy:
    """Build a player who chooses from the first of some groups of choices that is offered."""

    def policy(game: Game, luck: random.Random) -> Choice:
        for group in groups:
            if fitting := [choice for choice in game.choices if choice[0] in group]:
                return luck.choice(fitting)
        return luck.choice(game.choices)

    return policy


trader = _preferring(("exchange",), ("take",), ("hide",), ("put_back",))
claimer = _preferring(CLAIMS, ("take_blind",), ("keep",), ("hide",))
thief = _preferring(("exchange",), ("take_blind",), ("dig",), ("hide",))
hermit = _preferring(("stop",), ("dig_buried",), ("done",), ("keep",))


def _wish(game: Game, seat: int, card: int, lost: bool = False) -> tuple[int, int, int]:
    """Return how much a card brings a player: near completion first, then its value."""
    have = set(game.own(seat))
    for g, types in enumerate(game.box.types_of):
        if card in types:
            missing = len(set(types) - have - ({card} if not lost else set()))
            spare = game.own(seat).count(card) > (1 if lost else 0)
            return -int(spare), -missing, game.box.genera[g]["value"]
    return 0, -1, 0


def collector(game: Game, luck: random.Random) -> Choice:
    """Take and dig what completes skeletons, and give what is needed least."""
    by_name = {name: [c for c in game.choices if c[0] == name] for name in FIELDS_OF_CHOICE}
    for name in ("take", "dig"):
        if found := by_name[name]:
            best = max(found, key=lambda c: (_wish(game, game.seat, c[1]), luck.random()))
            if name == "take" or _wish(game, game.seat, best[1]) >= (0, -1, 0):
                return best
    for name in ("give", "send"):
        if found := by_name[name]:
            return min(found, key=lambda c: (_wish(game, game.seat, c[1], True), luck.random()))
    if by_name["exchange"]:
        wanted = [c for c in by_name["exchange"] if _offers(game, c[1])]
        return luck.choice(wanted) if wanted else luck.choice(game.choices)
    return claimer(game, luck)


def _offers(game: Game, opponent: int) -> bool:
    """Tell whether another player has a face-up card that completes a skeleton."""
    other = (game.seat + 1 + opponent) % game.num_players
    return any(_wish(game, game.seat, card)[:2] >= (0, 0) for card in game.up[other])


def patron(game: Game, luck: random.Random) -> Choice:
    """Give others what completes their skeletons."""
    gives = [c for c in game.choices if c[0] == "give"]
    if gives:
        wish = functools.partial(_wish, game, game.target)
        return max(gives, key=lambda c: (wish(c[1]), luck.random()))
    return trader(game, luck)


def stubborn(game: Game, luck: random.Random) -> Choice:
    """Exchange for ever in the end phase, and complete nothing where it can be helped."""
    if game.stage != "end":
        return at_random(game, luck)
    takes = [c for c in game.choices if c[0] == "take"]
    if takes:
        return min(takes, key=lambda c: (_wish(game, game.seat, c[1])[:2], luck.random()))
    gives = [c for c in game.choices if c[0] == "give"]
    if gives:
        wish = functools.partial(_wish, game, game.target)
        return min(gives, key=lambda c: (wish(c[1])[:2], luck.random()))
    return trader(game, luck)


def mixed(game: Game, luck: random.Random) -> Choice:
    """Let every seat be another kind of player, and all of them sometimes play at random."""
    kinds = (collector, thief, claimer, hermit, patron, trader)
    policy = at_random if luck.random() < 0.2 else kinds[game.seat % len(kinds)]
    return policy(game, luck)


POLICIES: dict[str, Policy] = {
    "at_random": at_random,
    "trader": trader,
    "claimer": claimer,
    "thief": thief,
    "hermit": hermit,
    "collector": collector,
    "patron": patron,
    "stubborn": stubborn,
    "mixed": mixed,
}


def late_position(luck: random.Random, options: dict) -> Game:
    """Draw a position shortly before or in the end phase, with a player to move.

    Some skeletons and awards are done, the other cards are dealt freely, few are left in the site.
    """
    box, n = read_box(), options["num_players"]
    sheet = box.sheet
    while True:
        cards = Counter(box.cards)
        skeletons: list[Counter[int]] = [Counter() for _ in range(n)]
        for g, genus in enumerate(box.genera):
            for _ in range(luck.randint(0, genus["skeletons"])):
                skeletons[luck.randrange(n)][g] += 1
                cards -= Counter(box.types_of[g])
        awards = [[0, 0] for _ in range(n)]
        if options["research"]:
            cards += Counter(sorted(box.research))
            award = luck.randrange(4)
            if award < 2 and box.sets[award] and sheet["awards"][AWARDS[award]]["pieces"]:
                cards -= Counter(luck.choice(box.sets[award]))
                awards[luck.randrange(n)][award] += 1
        heap = luck.sample(sorted(cards.elements()), cards.total())
        if len(heap) < sheet["discard_unseen"]:
            continue
        begin = luck.choice(("turn", "adjust", "exchanges", "end", "end"))
        at: dict = {"begin": begin, "skeletons": skeletons, "awards": awards}
        at["discard"] = sorted(heap[: sheet["discard_unseen"]])
        heap = heap[sheet["discard_unseen"] :]
        site = min(len(heap), 0 if begin == "end" else luck.randint(begin == "turn", 6))
        exposed = luck.randint(0, site)
        at["exposed"], at["buried"] = sorted(heap[:exposed]), sorted(heap[exposed:site])
        up: list[list[int]] = [[] for _ in range(n)]
        hidden: list[list[int]] = [[] for _ in range(n)]
        owners = luck.sample(range(n), luck.randint(2, n))
        for card in heap[site:]:
            seat = luck.choice(owners)
            while box.full_sets([*up[seat], *hidden[seat], card]):
                seat = luck.randrange(n)
                if luck.random() < 0.01:
                    break
            place = up if begin == "end" or luck.random() < 0.5 else hidden
            insort(place[seat], card)
        if any(box.full_sets(up[seat] + hidden[seat]) for seat in range(n)):
            continue
        at["up"], at["hidden"] = up, hidden
        at["deck"] = luck.sample(box.deck, len(box.deck))
        if options["events"] == "erosion_only":
            at["deck"] = [len(box.events)] * len(box.deck)
        at["drawn"] = luck.randint(1, 2 * len(box.deck))
        at["active"] = luck.randrange(n)
        at["known"] = [[_guess(luck, hidden[p], o != p) for p in range(n)] for o in range(n)]
        if begin == "end":
            at["barren"] = luck.randrange(sheet["stalemate_rounds"] * n)
            at["idle"] = min(luck.randrange(sheet["idle_rounds"] * n), at["barren"])
        game = Game(options, 0, at)
        if not game.over:
            game.asked = 0
            return game


def _guess(luck: random.Random, hidden: list[int], other: bool) -> Counter[int]:
    """Draw what a player knows of a hidden hand."""
    return Counter(card for card in hidden if other and luck.random() < 0.5)


# Events that all games of the twin test together must have covered, each at least this often in
# the compiled run.
RARE_EVENTS: dict[str, int] = {
    "a known hidden card left": 28000,
    "above the limit": 1200,
    "all exchanges made": 25000,
    "blind take": 8000,
    "blind take made knowledge uncertain": 9200,
    "blind take of a known card": 4000,
    "blind take of the one card there could be": 1400,
    "bonus by tie-break": 1800,
    "bonus large": 320,
    "bonus medium": 3200,
    "bonus small": 3300,
    "bonus tied, not awarded": 80,
    "buried exposed cards": 480,
    "claim_major": 420,
    "claim_minor": 3000,
    "claimed at dig in bonus": 60,
    "claimed at dig in digs": 1000,
    "claimed at dig in event": 120,
    "claimed at exchange in end": 1600,
    "claimed at exchange in event": 7,
    "claimed at exchange in exchanges": 340,
    "claimed at hide in adjust": 160,
    "claimed at reveal in event": 4,
    "claimed at send in event": 4,
    "completed by another": 17000,
    "completed in bonus": 540,
    "completed in digs": 3700,
    "completed in end": 16000,
    "completed in event": 670,
    "completed in exchanges": 9200,
    "completed in setup": 90,
    "donation after a tie": 95,
    "donation to another": 320,
    "dug fewer, site empty": 1200,
    "end: barren": 1900,
    "end: idle": 910,
    "end: nothing left to complete or claim": 1100,
    "exchange in event": 530,
    "forced dig": 1300,
    "forced dig_buried": 17000,
    "forced give": 11000,
    "forced reveal": 230,
    "forced send": 160,
    "forced stop": 30000,
    "forced take": 18000,
    "forced take_blind": 1700,
    "hid a face-up card": 11000,
    "hid fewer than allowed": 4400,
    "laid out a hidden card": 27000,
    "no bonus dig, site empty": 1000,
    "nothing to take": 750,
    "put back": 780,
    "second pass of the event deck": 1200,
    "shared place": 90,
    "skipped at reveal": 550,
    "skipped at send": 70,
    "skipped in the end phase": 8100,
    "used the face-up copy of two": 2600,
    "win by a skeleton": 60,
}
