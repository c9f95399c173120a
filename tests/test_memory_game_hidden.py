"""Memory Game: nothing that was never turned up reaches a seat, and it is imagined uniformly."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from bonebed.agents import agent
from bonebed.envs import View, memory_game_v0
from bonebed.kernels import memory_game
from chance import chi_square, unlikely

pytestmark = pytest.mark.rules

RULES = memory_game.RULES
GREEDY = agent("greedy:samples=2", game="memory_game")


def walk(seed):
    """Play a random game and yield every position with a decision, never to be changed."""
    luck = random.Random(seed)
    state = RULES.new(seed)
    while not state.done:
        yield state
        legal = RULES.legal_actions(state).tolist()
        fitting = [a for a in legal if state.up.any() and state.cell[a] in state.cell[state.up > 0]]
        RULES.step(state, luck.choice(fitting if fitting and luck.random() < 0.5 else legal))


def unseen_of(state):
    """Return the spaces of cards that were never turned up."""
    return np.flatnonzero((state.seen == 0) & (state.cell != memory_game.NO_CARD))


def others(state, player, seed):
    """Yield games that differ in what the seat cannot know: dealt anew, and permuted right here."""
    dealt = state.copy()
    RULES.resample(dealt, player, np.uint64(seed))
    permuted = state.copy()
    spaces = unseen_of(state)
    order = random.Random(seed).sample(range(len(spaces)), len(spaces))
    permuted.cell[spaces] = state.cell[spaces[order]]
    permuted.seed = seed
    yield dealt
    yield permuted


def seen_by(state, player):
    """Return all that a seat is shown of a position, and what its greedy agent does."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, player, obs[0])
    view = View.of(RULES, state, seed=5, player=player)
    decision = GREEDY.act(view) if player == state.to_play else None
    text = memory_game_v0.draw(state, player)
    words = [memory_game_v0.describe(state, action) for action in range(RULES.n_actions)]
    return obs.tobytes(), RULES.legal_actions(state).tolist(), text, words, decision


def test_no_hidden_card_reaches_a_seat(n_games):
    for seed in range(n_games(50)):
        for state in walk(seed):
            if state.ply % 8 != seed % 8:  # at the others see test_invariants
                continue
            for player in (0, 1):
                shown = seen_by(state, player)
                for other in others(state, player, 1000 * seed + int(state.ply)):
                    assert seen_by(other, player) == shown


def test_what_is_told_of_a_step_follows_from_what_it_showed(n_games):
    for seed in range(n_games(50)):
        for state in walk(seed):
            for other in others(state, 0, seed + 1):
                for action in RULES.legal_actions(state):
                    if other.cell[action] == state.cell[action]:
                        told = []
                        for game in (state, other):
                            after = game.copy()
                            RULES.step(after, action)
                            told.append(memory_game_v0.tell(game, action, after, 0))
                        assert told[0] == told[1]
                        break


def late_position():
    """Return a game in which five cards of three genera were never turned up."""
    state = RULES.new(1)
    state.cell[:] = memory_game.NO_CARD
    cards = [1, 5, 2, 5, 1, 2, 6, 1, 2, 6]
    spaces = [0, 3, 4, 7, 9, 11, 12, 16, 20, 23]
    state.cell[spaces] = cards
    state.seen[spaces[5:]] = 1
    state.museum[0, [0, 3, 4, 7, 8]] = 1
    return state, spaces[:5]


def test_every_arrangement_of_the_unseen_cards_is_equally_likely(n_games):
    """Two of genus 1, two of 5, one of 2 on five spaces: 5! / (2! 2! 1!) = 30 arrangements."""
    state, spaces = late_position()
    possible = set(itertools.permutations(state.cell[spaces].tolist()))
    assert len(possible) == 30
    counts = Counter()
    samples = n_games(20_000)
    for seed in range(samples):
        world = state.copy()
        RULES.resample(world, 0, np.uint64(seed))
        counts[tuple(world.cell[spaces].tolist())] += 1
        if seed % 1000 == 0:
            assert world.seen.tolist() == state.seen.tolist()
            assert world.cell[state.seen > 0].tolist() == state.cell[state.seen > 0].tolist()
    assert set(counts) == possible
    assert chi_square(counts[each] for each in possible) < unlikely(29)


def test_greedy_takes_a_skeleton_that_it_remembers():
    """Two of genus 5 were turned up, which is all there are: it turns up both, and nothing else."""
    state = RULES.new(1)
    pair = np.flatnonzero(state.cell == 5)
    assert len(pair) == memory_game.FOSSILS_OF_GENUS[5] == 2
    state.seen[pair] = 1
    for player in (0, 1):
        state.to_play = player
        taken = state.copy()
        for _ in pair:
            action = GREEDY.act(View.of(RULES, taken, seed=player))
            assert action in pair
            RULES.step(taken, action)
        assert taken.museum[player, 5] == 1
        assert taken.score[player] == memory_game.VALUE_OF_GENUS[5]


def test_what_is_imagined_of_a_fresh_game_differs():
    """Of two dozen cards no two deals in 200 are the same."""
    state = RULES.new(3)
    worlds = View.of(RULES, state, seed=1).imagine(200)
    assert len({world.cell.tobytes() for world in worlds}) == 200
