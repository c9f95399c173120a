"""20 Questions keeps its secrets: what is hidden is dealt anew uniformly, and shows nowhere.

What a seat knows is told here by the slow reference, which shares nothing with the kernel.
"""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from bonebed.agents import agent
from bonebed.envs import View, twenty_questions_v0
from bonebed.kernels import rules as contract
from bonebed.kernels import twenty_questions as kernel
from chance import unlikely
from lockstep import encode
from naive import twenty_questions as naive

pytestmark = pytest.mark.rules

RULES = contract.load("twenty_questions")


def resampled(state, player, seed):
    """Return a copy in which all that a seat cannot know is dealt anew."""
    copy = state.copy()
    RULES.resample(copy, player, np.uint64(seed))
    return copy


def late_position(players=3):
    """Return kernel and reference with five cards of four genera left, one question asked.

    The card in question is a Tyrannosaurus and no trace fossil; there are two Triceratops, a
    Mosasaurus and a Camptosaurus below it.
    """
    last = [0, 2, 12, 2, 13]
    left = Counter({genus: card["copies"] for genus, card in enumerate(CARDS)})
    left.subtract(last)
    stack = [*left.elements(), *last]
    state = RULES.new(5, num_players=players)
    state.stack[:] = stack
    kernel.derive(state)
    game = naive.Game(stack, players)
    for choice in [("pass_card",)] * 59 + [("is_trace",)]:
        game.choose(choice)
        RULES.step(state, encode(RULES, naive, choice))
    return state, game


CARDS = naive.cards_of_sheet(naive.read_sheet())


def deals(game, player):
    """Enumerate all orders of the cards left that fit what a seat knows, with their chances.

    Every order of the single cards is as likely as the others, so an order of genera counts as
    often as its cards can be told apart.
    """
    orders = Counter(itertools.permutations(game.stack))
    possible = [game.card] if player == game.answerer else game.candidates
    fitting = {order: n for order, n in orders.items() if order[0] in possible}
    return {order: n / sum(fitting.values()) for order, n in fitting.items()}


@pytest.mark.parametrize("player", [0, 1, 2])
def test_resampling_is_uniform_over_all_deals_that_fit(player, n_games):
    """Chi-square against full enumeration, 20,000 samples when compiled, 0.1 % point."""
    state, game = late_position()
    expected = deals(game, player)
    # A Tyrannosaurus or a Mosasaurus in question leaves 4! / 2! = 12 orders, a Triceratops 4! = 24.
    assert len(expected) == (12 if player == game.answerer else 12 + 12 + 24)
    samples = n_games(20000)
    found = Counter()
    for seed in range(samples):
        deal = resampled(state, player, seed)
        found[tuple(deal.stack[deal.top :].tolist())] += 1
        assert deal.stack[: deal.top].tolist() == state.stack[: state.top].tolist()
    assert set(found) <= set(expected), "a deal that the seat knows to be wrong"
    chi2 = sum((found[d] - samples * p) ** 2 / (samples * p) for d, p in expected.items())
    assert chi2 < unlikely(len(expected) - 1)
    if samples >= 20 * len(expected):
        assert set(found) == set(expected), "a deal that never comes up"


def test_resampled_cards_fit_all_answers(n_games):
    """In random games, for every seat that does not see the card; and many cards come up."""
    different = 0
    for seed in range(n_games(40)):
        for state, game in played(seed, 3):
            for player in range(3):
                cards = {
                    int(resampled(state, player, 100 * seed + k).stack[state.top]) for k in range(6)
                }
                if player == game.answerer:
                    assert cards == {game.card}
                else:
                    assert cards <= set(game.candidates)
                    different += len(cards) > 1
    assert different > 0


def played(seed, players):
    """Play a game by mixed policies and yield kernel and reference at every decision."""
    luck = random.Random(seed)
    state = RULES.new(seed, num_players=players, free_pass=bool(seed % 3))
    game = naive.start(state, RULES.options_dict(state))
    while not game.over:
        yield state, game
        policy = luck.choice((naive.at_random, naive.clever, naive.clever, naive.lucky))
        choice = policy(game, luck)
        game.choose(choice)
        RULES.step(state, encode(RULES, naive, choice))


def with_other_secrets(state, game, player, luck):
    """Return a copy in which all that is hidden from a seat was changed by hand, still fitting."""
    other = state.copy()
    below = game.stack[1:]
    card = game.card
    if player != game.answerer:
        below = list(game.stack)
        others = [genus for genus in game.candidates if genus != card]
        card = luck.choice(others or [card])
        below.remove(card)
    luck.shuffle(below)
    other.stack[other.top :] = [card, *below]
    other.seed = luck.getrandbits(64)
    return other


def face(state, player):
    """Return all that a seat is shown: numbers, choices and words."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, player, obs[0])
    legal = RULES.legal_actions(state)
    words = twenty_questions_v0.describe(state, int(legal[state.ply % len(legal)]))
    return obs.tobytes(), legal.tobytes(), twenty_questions_v0.draw(state, player), words


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_hidden_shows_to_a_seat(players, n_games):
    """Observation, mask, drawing, words, and greedy's decision, at every decision of all games."""
    greedy = agent("greedy:samples=2")
    changed = 0
    for seed in range(n_games(50)):
        luck = random.Random(seed)
        for state, game in played(seed, players):
            for player in range(players):
                other = with_other_secrets(state, game, player, luck)
                changed += other.stack[other.top] != state.stack[state.top]
                assert face(state, player) == face(other, player)
            asker = game.questioner
            views = [
                View.of(RULES, s, seed=seed, player=asker)
                for s in (state, with_other_secrets(state, game, asker, luck))
            ]
            assert views[0].state.tobytes() == views[1].state.tobytes()
            assert greedy.act(views[0]) == greedy.act(views[1])
    assert changed > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_told_of_a_step_depends_on_what_all_may_know(players, n_games):
    """`tell` is the same with other secrets, where the answer is the same and no card is shown.

    Nor does a seat read which card is drawn next, but for the one that answers then.
    """
    compared = 0
    for seed in range(n_games(50)):
        luck = random.Random(seed)
        for state, game in played(seed, players):
            action = luck.choice(RULES.legal_actions(state).tolist())
            after = state.copy()
            RULES.step(after, action)
            drawn = after.top > state.top and not after.done
            told = {
                twenty_questions_v0.tell(state, action, after, p)
                for p in range(players)
                if not (drawn and p == after.answerer)
            }
            assert len(told) == 1
            if not drawn:
                assert told == {twenty_questions_v0.tell(state, action, after)}
            for player in range(players):
                other = with_other_secrets(state, game, player, luck)
                then = other.copy()
                RULES.step(then, action)
                same = then.top == after.top == state.top
                if same and then.answer[action] == after.answer[action]:
                    assert {twenty_questions_v0.tell(other, action, then, player)} == told
                    compared += 1
                elif player == game.answerer and not (drawn and player == after.answerer):
                    assert {twenty_questions_v0.tell(other, action, then, player)} == told
    assert compared > 0
