"""What arithmetic and exhaustive search say of positions of the toy games."""

import functools
import itertools

import numpy as np

from conftest import NO_JIT
from toy import CAMP, GUESS, N_HEAPS, NIM, ROLL, SHOW


def seeds(n, first=0):
    """Return n seeds for decisions."""
    return np.arange(first, first + n, dtype=np.uint64)


def stack(game, states):
    """Return states as one array."""
    array = np.zeros(len(states), game.STATE)
    for i, state in enumerate(states):
        array[i] = state
    return array


def positions(game, n, every=5, **options):
    """Return positions from random games, every few decisions, from the first to the last."""
    found = []
    for seed in range(n):
        luck = np.random.default_rng(seed)
        state = game.new(seed, **options)
        while not state.done:
            if state.ply % every == 0:
                found.append(state.copy())
            game.step(state, int(luck.choice(game.legal_actions(state))))
    return found


# --- nim ------------------------------------------------------------------------------------------


def heaps(*sizes, num_players=2):
    """Return a game of Nim with these heaps, seat 0 to move."""
    state = NIM.new(num_players=num_players)
    state.heap[:] = sizes
    return state


def take(heap, stones):
    """Return the number of a take."""
    return NIM.actions.encode("take", heap=heap, stones=stones - 1)


@functools.cache
def perfect_play(sizes, latest, mover):
    """Return all results that perfect play may end with: each seat maximises its own (max-n).

    Parameters
    ----------
    sizes : tuple of int
        Stones in each heap.
    latest : tuple of int
        Number of each seat's latest move, 0 before its first; whose is larger is before the other.
    mover : int

    Returns
    -------
    set of tuple of float
        Several where a seat has equally good moves that differ for the others.
    """
    n = len(latest)
    if sum(sizes) == 0:
        above = [sum(other > own for other in latest) for own in latest]
        level = [sum(other == own for other in latest) - 1 for own in latest]
        return {tuple(1 - (2 * a + e) / (n - 1) for a, e in zip(above, level, strict=True))}
    found = results_of_moves(sizes, latest, mover)
    worst = {move: min(result[mover] for result in results) for move, results in found.items()}
    return {
        result
        for move, results in found.items()
        for result in results
        if all(result[mover] >= least for other, least in worst.items() if other != move)
    }


def results_of_moves(sizes, latest, mover):
    """Return what perfect play may end with after each take (heap, stones)."""
    found = {}
    for heap, size in enumerate(sizes):
        for stones in range(1, size + 1):
            left, moved = after(sizes, latest, mover, heap, stones)
            found[heap, stones] = perfect_play(left, moved, (mover + 1) % len(latest))
    return found


def after(sizes, latest, mover, heap, stones):
    """Return heaps and numbers of the latest moves after a take."""
    left = tuple(size - stones * (h == heap) for h, size in enumerate(sizes))
    moved = tuple(max(latest) + 1 if p == mover else m for p, m in enumerate(latest))
    return left, moved


def clear_moves(num_players, most):
    """Yield (heaps, best move, result) where one move is best whatever follows."""
    for sizes in itertools.combinations_with_replacement(range(most + 1), N_HEAPS):
        found = results_of_moves(sizes, (0,) * num_players, 0)
        for move, results in found.items():
            others = [r[0] for other in found if other != move for r in found[other]]
            if others and len(results) == 1 and min(results)[0] > max(others):
                yield sizes, move, min(results)


# --- camp -----------------------------------------------------------------------------------------


def camp(finds, prize, points=(), to_play=None, seed=0):
    """Return a game of Camp with these finds and points, by default of seats that have moved."""
    state = CAMP.new(seed, num_players=len(finds), prize=prize)
    state.find[: len(finds)] = finds
    state.score[: len(points)] = points
    state.to_play = state.ply = len(points) if to_play is None else to_play
    return state


def by_action(find, show, roll, *guesses):
    """Return the values of all legal actions by their numbers."""
    guessed = {GUESS + kind: value for kind, value in enumerate(guesses)}
    return {SHOW + find: show, ROLL: roll, **guessed}


# The last of two seats, by arithmetic. Rolls 1 to 6 are equally likely. The other seat has one of
# the four finds that are left: of kind 0 two or three, of kinds 1 and 2 one each less the own one.
# A win counts 1, a draw 0, a loss -1. Without the JIT only those in which one action stands out.
LAST_SEAT = [
    # other's points, prize, own find; value of: show, roll, guess 0, 1, 2
    (4, 5, 2, -1, (2 - 3) / 6, (3 - 1) / 4, (1 - 3) / 4, -1),
    (2, 9, 0, -1, (4 - 1) / 6, (2 - 2) / 4, (1 - 3) / 4, (1 - 3) / 4),
    (2, 9, 2, 1, (4 - 1) / 6, (3 - 1) / 4, (1 - 3) / 4, -1),
    (5, 3, 1, -1, (1 - 4) / 6, -1, -1, 0 - 3 / 4),
    (3, 3, 2, 0, (3 - 2) / 6, 0 - 1 / 4, (1 - 3) / 4, -1),
    (4, 5, 0, -1, (2 - 3) / 6, (2 - 2) / 4, (1 - 3) / 4, (1 - 3) / 4),
    # Neither show nor roll can win. Kind 2 pays 9 and wins, kind 1 draws, kind 0 pays too little.
    (8, 7, 0, -1, -1, -1, 0 - 3 / 4, (1 - 3) / 4),
    (8, 7, 2, -1, -1, -1, 0 - 3 / 4, -1),
]
LAST_SEAT = LAST_SEAT[:3] if NO_JIT else LAST_SEAT

# Seat 0 leads 4 to 0 before its only action, and a right guess pays its kind only: whatever it
# does, seat 1 does best to roll. Seat 0's chance to win less that to lose, by its points then:
AGAINST_A_ROLL = {4: (3 - 2) / 6, 5: (4 - 1) / 6, 6: 5 / 6, 7: 1, 8: 1, 9: 1, 10: 1}
