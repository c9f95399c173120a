"""20 Questions for PettingZoo: `twenty_questions_v0.env(num_players=4)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kernels import canyon_cards
from ..kernels import twenty_questions as kernel
from . import text
from .aec import BoardEnv, maker

__all__ = ["describe", "draw", "env", "raw_env", "tell"]


class raw_env(BoardEnv):  # noqa: N801  # PettingZoo's name
    """20 Questions: find the genus of a fossil card with yes-or-no questions.

    Source
    ------
    A side game in the rulebook of Fossil Canyon (Kevin Lynch, Polymath Play 2022). The rules in
    numbered paragraphs, with their sources: docs/games/twenty_questions.md. Lengths and masses on
    the cards are reconstructed.

    Players
    -------
    2 to 4. Options: `num_players` (default 2), `free_pass` (default on: a card may be passed before
    any question about it).

    Actions
    -------
    Discrete(55), in blocks; `rules.actions` encodes and decodes, `describe` puts an action into
    words.

    ============================== =================================================================
    genus_is(genus: 19)            guess the genus (3.7)
    period_is(period: 3)           did it live in the Triassic, Jurassic, Cretaceous
    diet_is(diet: 2)               was it a herbivore, a carnivore
    is_trace()                     is it a trace fossil
    fossils_is(number: 3)          has its skeleton 2, 3, 4 fossils
    skeletons_is(number: 3)        are 1, 2, 4 skeletons of it in the deck
    value_at_least(value: 12)      is its value at least 8, 9, 10, 11, 12, 15 to 20, 25
    research_at_least(research: 2) is its research value at least 2, 3
    length_below_m(length: 5)      was it shorter than 3, 5, 8, 10, 15 m
    mass_below_kg(mass: 4)         was it lighter than 100, 1000, 5000, 10000 kg
    pass_card()                    pass (3.8)
    ============================== =================================================================

    The same seat acts until its guess is right or its questions are used up. The answerer decides
    nothing: answers are true.

    Observation
    -----------
    Box(float32) under `observation`; its fields are in docs/games/twenty_questions.md and in
    `rules.OBS`. Own seat first, then the others in turn order.

    Mask
    ----
    int8 under `action_mask`, and in `infos[agent]`: 1 for each legal action of the agent that is to
    act, all 0 for the others.

    Rewards
    -------
    `reward="outcome"` (default): at the end +1 for the best place, -1 for the last, evenly spaced
    between, shared places averaged (6.5). `"points"`: 1 for each card won. `"margin"`: those less
    the mean of the others'.

    End
    ---
    When all questions are used up or no card is left (6.1, 6.2), for all agents together, after at
    most 140 decisions (7.2). Never truncated, but by an illegal action under `illegal="terminate"`.

    Hidden
    ------
    The order of the stack from all, the card in question from all but the answerer.
    `reset(seed=...)` decides the order.

    Departures
    ----------
    Those listed under "Departures and decisions" in docs/games/twenty_questions.md.

    Versions
    --------
    v0: first version.

    Examples
    --------
    >>> env(num_players=4, free_pass=False).reset(seed=1)
    """

    game = "twenty_questions"
    metadata = BoardEnv.metadata | {"name": "twenty_questions_v0"}


env = maker(raw_env)


# --- words ----------------------------------------------------------------------------------------

NAMES = kernel.GENERA
_WORDS: dict[str, Callable[..., str]] = {
    "genus_is": lambda genus: f"is it {NAMES[genus]}?",
    "period_is": lambda period: f"is it {kernel.PERIODS[period]}?",
    "diet_is": lambda diet: f"is it a {kernel.DIETS[diet]}?",
    "is_trace": lambda: "is it a trace fossil?",
    "fossils_is": lambda number: f"are there {kernel.FOSSILS[number]} fossils in its skeleton?",
    "skeletons_is": lambda number: _of_it(kernel.SKELETONS[number]),
    "value_at_least": lambda value: f"is its value >= {kernel.VALUES[value]}?",
    "research_at_least": lambda research: f"is its research >= {kernel.RESEARCH[research]}?",
    "length_below_m": lambda length: f"is its length < {_number(kernel.LENGTHS[length])} m?",
    "mass_below_kg": lambda mass: f"is its mass < {_number(kernel.MASSES[mass])} kg?",
    "pass_card": lambda: "pass",
}


def _number(number: float) -> str:
    """Write a whole number as one."""
    return str(int(number)) if number == int(number) else str(number)


def _of_it(skeletons: int) -> str:
    """Ask for the number of skeletons."""
    return f"{'is' if skeletons == 1 else 'are'} there {text.count(skeletons, 'skeleton')} of it?"


def describe(state: Any, action: int) -> str:
    """Say what an action asks in a position, and the answer where all know it already.

    Parameters
    ----------
    state : STATE record
    action : int
        In [0, 55).

    Returns
    -------
    str
        One line without a full stop.

    Raises
    ------
    ValueError
        If there is no such action.

    Examples
    --------
    >>> describe(kernel.RULES.new(seed=1), 4)
    'is it Ankylosaurus?'
    """
    block, values = kernel.RULES.actions.decode(action)
    known = ""
    if block != "pass_card":
        candidates, yes = int(state["candidates"]), int(kernel.YES_OF_QUESTION[action])
        if candidates and not candidates & yes:
            known = " (known: no)"
        elif candidates and not candidates & ~yes:
            known = " (known: yes)"
    return _WORDS[block](**values) + known


def tell(before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what a step did; all players hear the same (5.2), but for the card that is drawn.

    Parameters
    ----------
    before, after : STATE record
        The game before and after the step.
    action : int
    player : int, optional
        The seat that is told.

    Returns
    -------
    str
        One line without a full stop. Which card is drawn next, only the answerer is told (5.1).

    Examples
    --------
    >>> before = kernel.RULES.new(seed=1)
    >>> after = before.copy()
    >>> kernel.RULES.step(after, kernel.PASS)
    >>> tell(before, kernel.PASS, after, 0)
    'pass; the card was Quetzalcoatlus'
    """
    block, values = kernel.RULES.actions.decode(action)
    words = _WORDS[block](**values)
    if after["top"] == before["top"]:
        return f"{words} {'yes' if after['answer'][action] == kernel.YES else 'no'}"
    card = int(after["stack"][before["top"]])  # it is open now
    if action != kernel.PASS:
        words += " yes" if kernel.IS_YES[card, action] else " no"
    if after["gain"].any():
        words += ", and takes the card"
    elif action == kernel.PASS:
        words += f"; the card was {NAMES[card]}"
    else:
        words += f"; that was the last question, and the card was {NAMES[card]}"
    return words + _drawn(after, player)


def _drawn(state: Any, player: int | None) -> str:
    """Word the card that was drawn, for who may know it (5.1), or why none was."""
    if state["done"]:
        return f"; {_ended(state)}: the game ends"
    card, answerer = NAMES[state["stack"][state["top"]]], int(state["answerer"])
    if player is None:
        return f"; player {answerer} draws {card}"
    return f"; you draw {card}" if player == answerer else ""


def _ended(state: Any) -> str:
    """Say why a finished game is over (6.1, 6.2)."""
    used_up = (state["asked"][: state["num_players"]] == kernel.QUESTIONS_EACH).all()
    return "all questions are asked" if used_up else "no card is left"


# --- drawing --------------------------------------------------------------------------------------


def draw(state: Any, player: int | None = None) -> str:
    """Draw a game in text: all genera, the players with their cards, what was asked, and who asks.

    Parameters
    ----------
    state : STATE record
    player : int, optional
        The seat that looks; it is marked as `you`. The card in question is shown to the answerer,
        and to no seat in particular.

    Returns
    -------
    str
        Several lines.

    Examples
    --------
    >>> print(draw(kernel.RULES.new(seed=1), 0).splitlines()[-1])
    Player 0 asks player 1 a question about the card, guesses its genus, or passes.
    """
    parts = [_genera(state), _players(state, player), _card(state, player), [_question(state)]]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _or_dot(number: int) -> str:
    """Write a number, or a dot for what does not stand on the card."""
    return str(number) if number else "."


WIDE = max(map(len, NAMES))


def _printed(genus: int) -> str:
    """Write what stands on a card besides its name."""
    period = kernel.PERIODS[canyon_cards.PERIOD_OF_GENUS[genus]]
    diet = kernel.DIETS[canyon_cards.DIET_OF_GENUS[genus]]
    length = f"{_number(canyon_cards.LENGTH_OF_GENUS[genus])} m"
    mass = f"{_number(canyon_cards.MASS_OF_GENUS[genus])} kg"
    return (
        f"{period:10} {diet:9}"
        f" {_or_dot(canyon_cards.FOSSILS_OF_GENUS[genus]):>7}"
        f" {_or_dot(canyon_cards.SKELETONS_OF_GENUS[genus]):>9}"
        f" {_or_dot(kernel.VALUE_OF_GENUS[genus]):>5}"
        f" {_or_dot(kernel.RESEARCH_OF_GENUS[genus]):>8}"
        f" {length:>6} {mass:>9}"
    )


PRINTED = tuple(map(_printed, range(len(NAMES))))
COPIES = tuple(kernel.CARDS_OF_GENUS.tolist())


def _genera(state: Any) -> list[str]:
    """List what stands on the cards, how many were not seen yet, and which it can be."""
    candidates, unseen = int(state["candidates"]), state["unseen"].tolist()
    lines = [
        f"  {'':{WIDE}} cards  period     diet      fossils skeletons value"
        " research length      mass"
    ]
    for genus, name in enumerate(NAMES):
        mark = "*" if candidates >> genus & 1 else " "
        cards = f"{unseen[genus]}/{COPIES[genus]}"
        lines.append(f"{mark} {name:{WIDE}} {cards:>5}  {PRINTED[genus]}")
    return [
        *lines,
        "* can be the card in question, . does not stand on the card;"
        " cards: not seen yet / in the box.",
    ]


def _players(state: Any, you: int | None) -> list[str]:
    """Draw the players with their questions and cards, the stack and the discarded cards."""
    lines = []
    for player in range(state["num_players"]):
        left = kernel.QUESTIONS_EACH - int(state["asked"][player])
        cards = f"{text.count(state['score'][player], 'card')}, {text.count(left, 'question')} left"
        start = text.seat(state, player, you) + cards
        lines += _listing(start, _cards(state["held"][player].tolist()), 18)
    stack = kernel.N_CARDS - int(state["top"]) - (not state["done"])  # without the one in question
    lines.append(f"  {'stack':16}{text.count(stack, 'card')}")
    gone = kernel.CARDS_OF_GENUS - state["unseen"] - state["held"].astype(int).sum(0)
    start = f"  {'discarded':16}{text.count(gone.sum(), 'card')}"
    return lines + _listing(start, _cards(gone.tolist()), 18)


def _cards(counts: list[int]) -> list[str]:
    """Word some cards."""
    return [
        f"{n if n > 1 else ''} {NAMES[genus]}".strip() for genus, n in enumerate(counts) if n > 0
    ]


def _listing(head: str, items: list[str], indent: int) -> list[str]:
    """Put a list behind a head, if there is anything to list."""
    return text.listing(f"{head}:", items, indent) if items else [head]


def _card(state: Any, you: int | None) -> list[str]:
    """Say which card is in question, if the looker may know, and what was asked about it."""
    if state["done"]:
        return []
    lines = []
    if you is None or you == state["answerer"]:
        lines.append(f"The card in question is {NAMES[state['stack'][state['top']]]}.")
    for said, answer in (("Yes", kernel.YES), ("No", kernel.NO)):
        asked = []
        for question, given in enumerate(state["answer"].tolist()):
            if given == answer:
                block, values = kernel.RULES.actions.decode(question)
                asked.append(_WORDS[block](**values))
        if asked:
            lines += _listing(said, [words.rstrip("?") for words in asked], 4)
    return lines


def _question(state: Any) -> str:
    """Say who decides what."""
    if not state["done"]:
        passes = ", or passes" if _may_pass(state) else ""
        joint = ", guesses its genus" if passes else ", or guesses its genus"
        return (
            f"Player {state['to_play']} asks player {state['answerer']} a question about the card"
            f"{joint}{passes}."
        )
    score = state["score"][: state["num_players"]]
    tied = len(text.winners(kernel.RULES, state)) < (score == score.max()).sum()
    why = ", by the best fossil" if tied else ""  # 6.4
    return text.first_place(kernel.RULES, state, "card", why, f": {_ended(state)}")


def _may_pass(state: Any) -> bool:
    """Tell whether the questioner may pass (3.10)."""
    return bool(state["free_pass"] or state["answer"].any())
