"""Chance: the published generator's numbers, fairness, and streams that have nothing in common."""

import numpy as np
import pytest

from bonebed.kernels import rng
from chance import Chance, chi_square, fair_below, splitmix, unlikely

pytestmark = pytest.mark.rules

# The first outputs of SplitMix64 started at 1234567, as other implementations print them
# (Rosetta Code, "Pseudo-random numbers/Splitmix64").
PUBLISHED = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def test_the_outputs_are_the_published_ones():
    assert tuple(splitmix(1234567, k) for k in range(5)) == PUBLISHED
    found = tuple(int(rng.output(np.uint64(1234567), np.uint64(k))) for k in range(5))
    assert found == PUBLISHED


def test_zero_is_where_the_scrambling_stands_still():
    assert int(rng.mix(np.uint64(0))) == 0  # every step of it maps 0 to 0


@pytest.mark.parametrize("seed", [0, 1, 1234567, 2**64 - 1])
@pytest.mark.parametrize("stream", [0, 1, int(rng.Driver.PLAY)])
def test_a_draw_is_an_output_of_the_generator_started_at_the_streams_key(seed, stream):
    key = splitmix(seed, stream)
    draws = [int(rng.bits(np.uint64(seed), stream, k)) for k in range(20)]
    assert draws == [splitmix(key, k) for k in range(20)]


@pytest.mark.parametrize("n", [1, 2, 3, 56, 81, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_a_number_below_n_is_the_first_fair_one_of_its_draw(n):
    """The large n are rejected often: 2**31 + 1 nearly every second time."""
    chance = Chance(7)
    for k in range(200):
        wanted = fair_below(int(rng.bits(np.uint64(7), 3, k)), n)
        assert int(rng.below(np.uint64(7), 3, k, n)) == wanted == chance.draw(3, n)
    assert chance.draws == {3: 200}


def test_numbers_of_one_stream_and_of_neighbouring_streams_are_uniform_and_unrelated():
    assert unlikely(9) == pytest.approx(27.88, rel=0.01)  # the tables say 27.877 and 148.23
    assert unlikely(99) == pytest.approx(148.23, rel=0.01)
    count = 4000
    draws = np.array(
        [
            [rng.below(np.uint64(s), t, k, 10) for k in range(count)]
            for s, t in ((5, 0), (5, 1), (6, 0))
        ]
    )
    for row in draws:
        assert chi_square(np.bincount(row, minlength=10)) < unlikely(9)
    pairs = ((draws[0], draws[1]), (draws[0], draws[2]), (draws[0][:-1], draws[0][1:]))
    for one, other in pairs:
        assert chi_square(np.bincount(one * 10 + other, minlength=100)) < unlikely(99)


def test_a_draw_of_a_game_moves_only_its_own_streams_counter():
    from bonebed.kernels import rules

    state = rules.load("fossil").new(seed=9)
    before = state.draws.copy()
    seen = [int(rng.draw(state, 1, 1000)) for _ in range(3)]
    assert seen == [int(rng.below(state.seed, 1, int(before[1]) + k, 1000)) for k in range(3)]
    assert state.draws.tolist() == [before[0], before[1] + 3]
