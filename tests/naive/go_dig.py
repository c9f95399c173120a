"""Go Dig, told a second time: slow, in plain Python, from docs/games/go_dig.md alone.

The reference reads the component sheet itself and draws its chance from tests/chance.py: it knows
the seed, the streams and in which order cards are drawn, and says all the rest. A card is (genus,
fossil). Numbers in brackets are paragraphs of the rules page.
"""

from __future__ import annotations

import functools
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from chance import Chance

FIELDS_OF_CHOICE = {"ask": ("opponent", "genus")}
FIXED_FIELDS = ("seed", "num_players", "spare")
PHASES = ("ask", "over")
DEAL, DIG = 0, 1  # streams
Choice = tuple
Card = tuple[int, int]


def read_sheet() -> dict:
    """Read the component sheet in use, exactly as it is written."""
    path = Path(__file__).parents[2] / "kernels" / "components" / "fossil_canyon.toml"
    own = Path(os.environ.get("BONEBED_COMPONENTS", "")) / "fossil_canyon.toml"
    return _parsed(own if "BONEBED_COMPONENTS" in os.environ and own.exists() else path)


@functools.cache
def _parsed(path: Path) -> dict:
    """Read a TOML file, once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def deck_of(sheet: dict) -> list[Card]:
    """Return all cards, in the order of types (1.1)."""
    return [
        (number, fossil)
        for number, genus in enumerate(sheet["genus"])
        for fossil in range(genus["fossils"])
        for _ in range(genus["skeletons"])
    ]


class Hand:
    """A hand and what all players know of it (5.2 to 5.5)."""

    def __init__(self, n_genera: int) -> None:
        self.cards: list[Card] = []
        self.known: list[Card] = []
        self.asked: set[int] = set()
        self.room = [0] * n_genera

    @property
    def hidden(self) -> int:
        """Number of cards that are not known."""
        return len(self.cards) - len(self.known)

    def of(self, genus: int, cards: list[Card] | None = None) -> list[Card]:
        """Return the cards of a genus."""
        return [card for card in (self.cards if cards is None else cards) if card[0] == genus]

    def remove(self, card: Card) -> bool:
        """Take a card out, a known one if there is one; tell whether it was hidden."""
        self.cards.remove(card)
        if card in self.known:
            self.known.remove(card)
            return False
        return True

    def limit(self) -> None:
        """Leave no more room than there are hidden cards (5.5)."""
        self.room = [min(room, self.hidden) for room in self.room]


class Game:
    """One game of Go Dig.

    Parameters
    ----------
    num_players : int
    chance : Chance
        What the cards are drawn with.
    dealt : bool
        Whether to deal; a game that starts in the middle is set up by its maker.
    """

    def __init__(self, num_players: int, chance: Chance, dealt: bool = True) -> None:
        self.sheet = read_sheet()
        self.genera = self.sheet["genus"]
        self.num_players = num_players
        self.chance = chance
        self.pile = deck_of(self.sheet)
        self.hands = [Hand(len(self.genera)) for _ in range(num_players)]
        self.laid: list[list[int]] = [[] for _ in self.hands]  # genera of the skeletons
        self.points = [0] * num_players
        self.gains = [0] * num_players
        self.turns = 0
        self.seat = 0
        self.asked = 0
        self.over = False
        self.events: Counter[str] = Counter()
        if dealt:
            self.deal()

    def deal(self) -> None:
        """Deal, lay, fill empty hands and find who begins (2.1 to 2.4)."""
        size = self.sheet["go_dig"]["hand"]
        for hand in self.hands:
            hand.cards = [self.draw(DEAL) for _ in range(size)]
            hand.room = [size] * len(self.genera)
        for seat in range(self.num_players):
            self.lay(seat)
        for seat, hand in enumerate(self.hands):
            if not hand.cards:
                self.events["emptied by the deal"] += 1
                self.fill(seat)
        self.seat = self.num_players - 1
        self.next_turn()
        self.go_on_without_choice()
        self.gains = [0] * self.num_players

    def draw(self, stream: int) -> Card:
        """Take a random card of the pile, which is kept in the order of types."""
        return self.pile.pop(self.chance.draw(stream, len(self.pile)))

    # ------------------------------------------------------------------ decisions

    @property
    def choices(self) -> list[Choice]:
        """All questions of the player to move (3.1)."""
        genera = sorted({genus for genus, _ in self.hands[self.seat].cards})
        opponents = range(self.num_players - 1)
        return [] if self.over else [("ask", k, genus) for k in opponents for genus in genera]

    def choose(self, choice: Choice) -> None:
        """Ask, and go on to the next decision (6.1)."""
        assert choice in self.choices
        self.asked += 1
        self.gains = [0] * self.num_players
        self.ask(*choice[1:])
        self.go_on_without_choice()

    def go_on_without_choice(self) -> None:
        """Ask what is the only question (6.1)."""
        while len(self.choices) == 1:
            self.events["forced"] += 1
            self.ask(*self.choices[0][1:])

    def ask(self, opponent: int, genus: int) -> None:
        """Ask a question, with all that follows (3 and 4)."""
        player = self.seat
        other = (player + 1 + opponent) % self.num_players
        mine, theirs = self.hands[player], self.hands[other]
        if not mine.of(genus, mine.known):
            mine.asked.add(genus)  # 5.4
        self.events["asked an empty hand"] += not theirs.cards
        if given := theirs.of(genus):
            goes_on = True
            for card in given:  # 3.2
                theirs.remove(card)
                mine.cards.append(card)
                mine.known.append(card)
            theirs.asked.discard(genus)
            theirs.room[genus] = 0
            theirs.limit()
            if not theirs.cards:
                self.events["asked hand emptied"] += 1
                self.fill(other)  # 4.2
            self.lay(player)
        else:
            theirs.room[genus] = 0
            goes_on = self.dig(player, genus)
        if not mine.cards:
            self.events["own hand emptied"] += 1
            self.events["both hands emptied"] += bool(given) and len(theirs.cards) <= 1
            goes_on = False
            self.fill(player)  # 4.3
        if not goes_on and not self.over:
            self.turns += 1
            if self.turns == self.sheet["go_dig"]["turn_cap"]:  # 6.3
                self.events["cap"] += 1
                self.over = True
            else:
                self.next_turn()

    def dig(self, player: int, genus: int) -> bool:
        """Dig after a question in vain; tell whether the turn goes on (3.4 to 3.7)."""
        if not self.pile:
            self.events["empty pile"] += 1
            return False
        hand = self.hands[player]
        card = self.draw(DIG)
        hand.cards.append(card)
        if card[0] == genus:
            self.events["dug what was asked"] += 1
            hand.known.append(card)
            self.lay(player)
            return True
        if self.complete(hand, card[0]):  # 4.4, 5.5
            self.events["completed in vain"] += 1
            hand.room[card[0]] += 1
        else:
            hand.room = [room + (each != genus) for each, room in enumerate(hand.room)]
        self.lay(player)
        return False

    def fill(self, seat: int) -> None:
        """Take a card for an empty hand (4.2, 4.3)."""
        if self.pile:
            self.hands[seat].cards.append(self.draw(DIG))
            self.hands[seat].room = [room + 1 for room in self.hands[seat].room]
        else:
            self.events["stays empty"] += 1

    def complete(self, hand: Hand, genus: int) -> bool:
        """Tell whether a hand has one card of each fossil of a genus (1.2)."""
        return len(set(hand.of(genus))) == self.genera[genus]["fossils"]

    def lay(self, seat: int) -> None:
        """Lay all complete skeletons of a hand (4.1)."""
        hand = self.hands[seat]
        for genus, info in enumerate(self.genera):
            while self.complete(hand, genus):
                hidden = [hand.remove((genus, fossil)) for fossil in range(info["fossils"])]
                hand.room[genus] -= sum(hidden)
                if any(hidden):
                    hand.asked.discard(genus)
                hand.limit()
                self.laid[seat].append(genus)
                self.points[seat] += info["value"]
                self.gains[seat] += info["value"]
                self.events["laid"] += 1
        if sum(map(len, self.laid)) == sum(info["skeletons"] for info in self.genera):  # 6.2
            self.over = True
            self.events["all laid"] += 1

    def next_turn(self) -> None:
        """Find the next player who has cards (2.4, 3.8)."""
        for offset in range(1, self.num_players + 1):
            seat = (self.seat + offset) % self.num_players
            if self.hands[seat].cards:
                self.events["passed over"] += offset - 1
                self.seat = seat
                return

    def outcome(self) -> list[float]:
        """Return each seat's result: its place, or the mean of shared ones (6.4, 6.5)."""
        results = []
        for mine in self.points:
            better = sum(points > mine for points in self.points)
            places = range(better, better + self.points.count(mine))
            results.append(1 - 2 * sum(places) / len(places) / (self.num_players - 1))
        return results


# ---------------------------------------------------------------------- meeting the kernel's record


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told its seed and the options."""
    return Game(options["num_players"], Chance(state.seed))


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field."""
    types = sorted(set(deck_of(game.sheet)))
    seats = range(game.sheet["go_dig"]["players"]["max"])
    absent = Hand(len(game.genera))
    hands = [game.hands[seat] if seat < game.num_players else absent for seat in seats]
    laid = [game.laid[seat] if seat < game.num_players else [] for seat in seats]
    unused = [0] * (len(seats) - game.num_players)
    return {
        "draws": [game.chance.draws[stream] for stream in (DEAL, DIG)],
        "hand": [[hand.cards.count(card) for card in types] for hand in hands],
        "known": [[hand.known.count(card) for card in types] for hand in hands],
        "asked": [[int(g in hand.asked) for g in range(len(game.genera))] for hand in hands],
        "room": [hand.room for hand in hands],
        "pile": [game.pile.count(card) for card in types],
        "skeletons": [[museum.count(g) for g in range(len(game.genera))] for museum in laid],
        "genera": [sum(1 << genus for genus in {g for g, _ in hand.cards}) for hand in hands],
        "cards": [len(hand.cards) for hand in hands],
        "hidden": [hand.hidden for hand in hands],
        "buried": len(game.pile),
        "turns": game.turns,
        "score": game.points + unused,
        "gain": game.gains + unused,
        "ply": game.asked,
        "to_play": game.seat,
        "phase": PHASES.index("over" if game.over else "ask"),
        "done": int(game.over),
    }


def check_conservation(state, options: dict) -> None:
    """Assert that every card is in one place, and that what is remembered of a hand is true."""
    sheet = read_sheet()
    genera = sheet["genus"]
    types = sorted(set(deck_of(sheet)))
    hands, known = state.hand.astype(int), state.known.astype(int)
    for number, card in enumerate(types):
        laid = int(state.skeletons[:, card[0]].sum())
        there = hands[:, number].sum() + int(state.pile[number]) + laid
        assert there == genera[card[0]]["skeletons"]
    for seat in range(len(hands)):
        museum = zip(state.skeletons[seat].tolist(), genera, strict=True)
        assert sum(n * genus["value"] for n, genus in museum) == state.score[seat]
        assert (known[seat] <= hands[seat]).all()
        for genus, info in enumerate(genera):
            own = [number for number, card in enumerate(types) if card[0] == genus]
            assert sum(hands[seat, number] > 0 for number in own) < info["fossils"]  # 4.1
            hidden = (hands[seat, own] - known[seat, own]).sum()
            assert state.asked[seat, genus] <= hidden <= state.room[seat, genus]  # 5.4, 5.5
    assert state.cards.tolist() == hands.sum(1).tolist()
    assert state.hidden.tolist() == (hands - known).sum(1).tolist()


# ---------------------------------------------------------------------- steering random games

Policy = Callable[[Game, random.Random], Choice]


def at_random(game: Game, luck: random.Random) -> Choice:
    """Choose any choice, each as likely as the others."""
    return luck.choice(game.choices)


def _answer(game: Game, choice: Choice) -> int:
    """Return how many cards a question would bring."""
    hand = game.hands[(game.seat + 1 + choice[1]) % game.num_players]
    return len(hand.of(choice[2]))


def seer(game: Game, luck: random.Random) -> Choice:
    """Ask where most is to be had, as if all hands were open."""
    return max(game.choices, key=lambda choice: (_answer(game, choice), luck.random()))


def stubborn(game: Game, luck: random.Random) -> Choice:
    """Ask where nothing is to be had, if possible."""
    return min(game.choices, key=lambda choice: (_answer(game, choice), luck.random()))


def mixed(game: Game, luck: random.Random) -> Choice:
    """Ask in vain while there is a pile, and where it pays afterwards; sometimes at random."""
    if luck.random() < 0.2:
        return at_random(game, luck)
    return (stubborn if game.pile else seer)(game, luck)


POLICIES: dict[str, Policy] = {
    "at_random": at_random,
    "seer": seer,
    "stubborn": stubborn,
    "mixed": mixed,
}


def late_position(luck: random.Random, options: dict) -> Game:
    """Draw a position near the end: some skeletons laid, few cards in the pile, few turns left."""
    while True:
        game = Game(options["num_players"], Chance(0), dealt=False)
        genera = range(len(game.genera))
        laid = [g for g in genera for _ in range(game.genera[g]["skeletons"])]
        luck.shuffle(laid)
        for genus in laid[luck.randint(2, 6) :]:
            seat = luck.randrange(game.num_players)
            game.laid[seat].append(genus)
            game.points[seat] += game.genera[genus]["value"]
            for fossil in range(game.genera[genus]["fossils"]):
                game.pile.remove((genus, fossil))
        for _ in range(luck.randint(2, len(game.pile))):
            game.hands[luck.randrange(game.num_players)].cards.append(
                game.pile.pop(luck.randrange(len(game.pile)))
            )
        for hand in game.hands:
            hand.known = [card for card in hand.cards if luck.random() < 0.4]
            hand.room = [hand.hidden for _ in genera]
        game.turns = game.sheet["go_dig"]["turn_cap"] - luck.randint(1, 30)
        game.turns = max(0, game.turns)
        game.seat = luck.randrange(game.num_players)
        complete = any(game.complete(hand, g) for hand in game.hands for g in genera)
        empty = game.pile and not all(hand.cards for hand in game.hands)
        if not complete and not empty and len(game.choices) > 1:
            return game


RARE_EVENTS: dict[str, int] = {
    "forced": 60,
    "asked an empty hand": 60,
    "asked hand emptied": 100,
    "own hand emptied": 100,
    "both hands emptied": 20,
    "stays empty": 40,
    "empty pile": 60,
    "dug what was asked": 60,
    "completed in vain": 60,
    "passed over": 40,
    "all laid": 60,
    "cap": 40,
}
