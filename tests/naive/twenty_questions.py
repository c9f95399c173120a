"""20 Questions, told a second time, from docs/games/twenty_questions.md alone.

The reference reads the component sheet itself, is told the order of the stack (the game's only
luck) and says all the rest. Numbers in brackets are paragraphs of the rules page.
"""

from __future__ import annotations

import functools
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

FIELDS_OF_CHOICE = {
    "genus_is": ("genus",),
    "period_is": ("period",),
    "diet_is": ("diet",),
    "is_trace": (),
    "fossils_is": ("number",),
    "skeletons_is": ("number",),
    "value_at_least": ("value",),
    "research_at_least": ("research",),
    "length_below_m": ("length",),
    "mass_below_kg": ("mass",),
    "pass_card": (),
}
FIXED_FIELDS = ("seed", "draws", "num_players", "stack", "free_pass", "spare")
PHASES = ("ask", "over")
DIETS = ("herbivore", "carnivore")

Choice = tuple  # the kind of question and what it names, counted from 0


def read_sheet() -> dict:
    """Read the component sheet in use, exactly as it is written."""
    path = Path(__file__).parents[2] / "kernels" / "components" / "fossil_canyon.toml"
    if "BONEBED_COMPONENTS" in os.environ:
        own = Path(os.environ["BONEBED_COMPONENTS"]) / "fossil_canyon.toml"
        path = own if own.exists() else path
    return _parsed(path)


@functools.cache
def _parsed(path: Path) -> dict:
    """Read a TOML file, once."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def cards_of_sheet(sheet: dict) -> list[dict]:
    """Return what a card of each genus shows (1.2), with `copies`, the number of cards (1.1)."""
    skeletal = [g | {"copies": g["fossils"] * g["skeletons"]} for g in sheet["genus"]]
    return skeletal + [g | {"copies": 1} for g in sheet["trace"]]


def questions_of_sheet(sheet: dict) -> dict[Choice, Callable[[dict], bool]]:
    """Return all questions of 3.3 in the order of the table, each with its truth about a card."""
    cards, numbers = cards_of_sheet(sheet), sheet["twenty_questions"]
    periods = [p for p in ("Triassic", "Jurassic", "Cretaceous") if p in _all(cards, "period")]
    kinds: dict[str, list[Callable[[dict], bool]]] = {
        "genus_is": [lambda card, x=x["name"]: card["name"] == x for x in cards],
        "period_is": [lambda card, x=x: card["period"] == x for x in periods],
        "diet_is": [lambda card, x=x: card["diet"] == x for x in DIETS],
        "is_trace": [lambda card: "research" in card],
        "fossils_is": [
            lambda card, x=x: card.get("fossils") == x for x in sorted(_all(cards, "fossils"))
        ],
        "skeletons_is": [
            lambda card, x=x: card.get("skeletons") == x for x in sorted(_all(cards, "skeletons"))
        ],
        "value_at_least": [
            lambda card, x=x: "value" in card and card["value"] >= x
            for x in numbers["value_thresholds"]
        ],
        "research_at_least": [
            lambda card, x=x: "research" in card and card["research"] >= x
            for x in numbers["research_thresholds"]
        ],
        "length_below_m": [
            lambda card, x=x: card["length_m"] < x for x in numbers["length_thresholds_m"]
        ],
        "mass_below_kg": [
            lambda card, x=x: card["mass_kg"] < x for x in numbers["mass_thresholds_kg"]
        ],
    }
    return {
        (kind, k) if FIELDS_OF_CHOICE[kind] else (kind,): truth
        for kind, truths in kinds.items()
        for k, truth in enumerate(truths)
    }


def _all(cards: list[dict], key: str) -> set:
    """Return what stands on any card under a heading."""
    return {card[key] for card in cards if key in card}


class Game:
    """One game, from a shuffled stack to its result.

    Parameters
    ----------
    stack : list of int
        Genera of the cards from the top down, by their place in the sheet.
    num_players : int
    free_pass : bool
        Whether a card may be passed at once (3.10).
    sheet : dict, optional
        The component sheet; by default the one in use.
    """

    def __init__(
        self, stack: list[int], num_players: int, free_pass: bool = True, sheet: dict | None = None
    ) -> None:
        self.sheet = read_sheet() if sheet is None else sheet
        self.cards = cards_of_sheet(self.sheet)
        self.questions = questions_of_sheet(self.sheet)
        self.limit = self.sheet["twenty_questions"]["questions_each"]
        self.stack = list(stack)
        self.num_players = num_players
        self.free_pass = free_pass
        self.won: list[list[int]] = [[] for _ in range(num_players)]
        self.discarded: list[int] = []
        self.questions_asked = [0] * num_players
        self.answers: dict[Choice, bool] = {}
        self.answerer, self.questioner = num_players - 1, 0  # 2.2
        self.gains = [0] * num_players
        self.asked = 0
        self.over = False
        self.events: Counter[str] = Counter()

    @property
    def card(self) -> int:
        """The genus of the card in question."""
        return self.stack[0]

    @property
    def choices(self) -> list[Choice]:
        """All that the questioner can do, in the order of the table of actions (3.2 to 3.10)."""
        if self.over:
            return []
        kinds = self.sheet["twenty_questions"]["predicates"]
        questions = [question for question in self.questions if question[0] in kinds]
        may_pass = self.free_pass or self.answers
        return questions + ([("pass_card",)] if may_pass else [])

    @property
    def candidates(self) -> list[int]:
        """The genera that fit all answers and are not all gone (5.2)."""
        if self.over:
            return []
        return [
            genus
            for genus in sorted(set(self.stack))
            if all(
                self.questions[question](self.cards[genus]) == said
                for question, said in self.answers.items()
            )
        ]

    def choose(self, choice: Choice) -> None:
        """Ask or pass, and go on to the next decision."""
        self.asked += 1
        self.gains = [0] * self.num_players
        seat = self.questioner
        if choice == ("pass_card",):  # 3.8
            self.discarded.append(self.stack.pop(0))
            self.events["pass"] += 1
            self.next_card()
            return
        self.questions_asked[seat] += 1
        self.events["asked again"] += choice in self.answers
        truth = self.questions[choice](self.cards[self.card])
        if choice[0] == "genus_is" and truth:  # 3.7
            self.won[seat].append(self.stack.pop(0))
            self.gains[seat] = 1
            self.events["right guess"] += 1
            self.events["right guess with the last question"] += self.out_of_questions(seat)
            self.next_questioner(answerer=seat)
        elif self.out_of_questions(seat):  # 3.9
            self.discarded.append(self.stack.pop(0))
            self.events["unfinished card"] += 1
            self.next_questioner(answerer=self.answerer)
        else:
            self.answers[choice] = truth

    def out_of_questions(self, seat: int) -> bool:
        """Whether a seat has asked all its questions (3.6)."""
        return self.questions_asked[seat] == self.limit

    def next_questioner(self, answerer: int) -> None:
        """Find who asks and who answers next, and draw a card (4.1, 4.2)."""
        to_the_left = [(self.questioner + k) % self.num_players for k in range(self.num_players)]
        able = [seat for seat in to_the_left if not self.out_of_questions(seat)]
        others = [seat for seat in able if seat != answerer]
        if not able:  # 6.1
            self.events["end: no questions"] += 1
            self.end()
        elif others:
            self.events["passed over"] += others[0] != (self.questioner + 1) % self.num_players
            self.next_card(others[0], answerer)
        else:
            self.events["the answerer asks"] += 1
            self.next_card(answerer, (answerer - 1) % self.num_players)

    def next_card(self, questioner: int | None = None, answerer: int | None = None) -> None:
        """Draw a card, for the same two if no others are named (4.3)."""
        if not self.stack:  # 6.2
            self.events["end: no cards"] += 1
            self.end()
            return
        self.answers = {}
        if questioner is not None and answerer is not None:
            self.questioner, self.answerer = questioner, answerer

    def end(self) -> None:
        """End the game."""
        self.over = True
        self.answers = {}
        ranks = self.ranks()
        self.events["tie broken"] += len({r[0] for r in ranks}) < len(set(ranks))
        self.events["shared place"] += len(set(ranks)) < len(ranks)

    def ranks(self) -> list[tuple[int, int, int]]:
        """Return what places are given by, larger is better (6.3, 6.4)."""

        def best(cards: list[int], key: str) -> int:
            return max((self.cards[genus].get(key, 0) for genus in cards), default=0)

        return [(len(won), best(won, "research"), best(won, "value")) for won in self.won]

    def outcome(self) -> list[float]:
        """Return each seat's result: its place, or the mean of shared ones, from 1 to -1 (6.5)."""
        ranks, results = self.ranks(), []
        for mine in ranks:
            better = sum(rank > mine for rank in ranks)
            places = range(better, better + ranks.count(mine))
            results.append(1 - 2 * sum(places) / len(places) / (self.num_players - 1))
        return results


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told only the stack and the options."""
    return Game(state.stack.tolist(), options["num_players"], options["free_pass"])


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field."""
    genera = range(len(game.cards))
    unused = [0] * (game.sheet["twenty_questions"]["players"]["max"] - game.num_players)
    signs = {True: 1, False: -1, None: 0}
    return {
        "score": [len(won) for won in game.won] + unused,
        "gain": game.gains + unused,
        "ply": game.asked,
        "to_play": game.questioner,
        "phase": PHASES.index("over" if game.over else "ask"),
        "done": int(game.over),
        "candidates": sum(1 << genus for genus in game.candidates),
        "unseen": [game.stack.count(genus) for genus in genera],
        "top": sum(card["copies"] for card in game.cards) - len(game.stack),
        "held": [
            [won.count(genus) for genus in genera] for won in [*game.won, *([] for _ in unused)]
        ],
        "asked": game.questions_asked + unused,
        "answer": [signs[game.answers.get(question)] for question in game.questions],
        "answerer": game.answerer,
    }


def check_conservation(state, options: dict) -> None:
    """Assert that the stack holds the cards of the sheet, and that those won are gone from it."""
    cards = cards_of_sheet(read_sheet())
    stack = state.stack.tolist()
    assert sorted(stack) == [g for g, card in enumerate(cards) for _ in range(card["copies"])]
    gone, left = Counter(stack[: state.top]), Counter(stack[state.top :])
    held = state.held.sum(0).tolist()
    for genus in range(len(cards)):
        assert held[genus] <= gone[genus]
        assert state.unseen[genus] == left[genus]
    assert state.score.tolist() == state.held.sum(1).tolist()
    assert state.score.sum() <= state.asked.sum()
    if not state.done:
        assert state.candidates >> stack[state.top] & 1


# ---------------------------------------------------------------------- steering random games

Policy = Callable[[Game, random.Random], Choice]


def at_random(game: Game, luck: random.Random) -> Choice:
    """Choose any choice, each as likely as the others."""
    return luck.choice(game.choices)


def clever(game: Game, luck: random.Random) -> Choice:
    """Guess a genus that is certain, else ask the question with the evenest answers."""
    candidates = game.candidates
    cards = [(game.cards[genus], game.stack.count(genus)) for genus in candidates]
    half = sum(number for _, number in cards) / 2

    def unevenness(choice: Choice) -> tuple[float, float]:
        truth = game.questions[choice]
        return abs(sum(number for card, number in cards if truth(card)) - half), luck.random()

    if len(candidates) == 1:
        return ("genus_is", candidates[0])
    return min((choice for choice in game.choices if choice[0] != "pass_card"), key=unevenness)


def lucky(game: Game, luck: random.Random) -> Choice:
    """Guess right half of the time: many cards and ties, and few useless questions."""
    return ("genus_is", game.card) if luck.random() < 0.5 else at_random(game, luck)


def passing(game: Game, luck: random.Random) -> Choice:
    """Pass whenever it is possible, but win a card now and then."""
    if luck.random() < 0.1:
        return ("genus_is", game.card)
    return game.choices[-1] if luck.random() < 0.8 else at_random(game, luck)


def uneven(game: Game, luck: random.Random) -> Choice:
    """Let every other seat waste its questions, so that it is through long before the others."""
    return at_random(game, luck) if game.questioner % 2 else clever(game, luck)


POLICIES: dict[str, Policy] = {
    "at_random": at_random,
    "clever": clever,
    "lucky": lucky,
    "passing": passing,
    "uneven": uneven,
}

# Events that all games of the twin test together must have covered, each at least this often in
# the compiled run.
RARE_EVENTS = {
    "asked again": 100,
    "pass": 700,
    "right guess": 800,
    "right guess with the last question": 20,
    "unfinished card": 100,
    "passed over": 20,
    "the answerer asks": 100,
    "end: no questions": 65,
    "end: no cards": 8,
    "tie broken": 20,
    "shared place": 10,
}
