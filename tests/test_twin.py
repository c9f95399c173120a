"""Every kernel plays in lockstep with its slow reference: same fields, choices, gains and result.

A failing test prints the game, the seed, the options and the actions. Games whose reference covers
rare events by steering (tests/naive/<game>.py: POLICIES, RARE_EVENTS) must really have had them.
"""

import random
from collections import Counter

import pytest

from bonebed.envs import table
from conftest import NO_JIT
from lockstep import free_options, naive_of, play_positions, play_seeds

pytestmark = pytest.mark.rules

COUNTS = [
    (name, players)
    for name in table.GAMES
    for players in range(table.rules(name).min_players, table.rules(name).max_players + 1)
]


def variants(rules, players):
    """Return the options as they are by default, and with each other choice of each in turn."""
    return [{"num_players": players}] + [
        {"num_players": players, option.name: choice}
        for option in free_options(rules)
        for choice in option.choices
        if choice != option.default
    ]


def mixtures(rules, players, n):
    """Return n sets of options with every choice drawn at random."""
    luck, free = random.Random(players), {option.name for option in free_options(rules)}
    drawn = (
        {option.name: luck.choice(option.choices) for option in rules.options} for _ in range(n)
    )
    return [
        {name: choice for name, choice in options.items() if name in free}
        | {"num_players": players}
        for options in drawn
    ]


def named(name, options):
    """Return the id of a test."""
    return "-".join([name, *(f"{option}={choice}" for option, choice in options.items())])


# One test for each variant: the longest take minutes, and are shared out among processes.
VARIANTS = [
    pytest.param(name, options, id=named(name, options))
    for name, players in COUNTS
    for options in variants(table.rules(name), players)
]


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_kernel_and_reference_agree_in_random_games(name, options, n_games):
    rules, naive = table.rules(name), naive_of(name)
    plain = len(options) == 1  # but for the number of players
    games, every = (300, 1) if plain else (100, 4)
    play_seeds(rules, naive, range(n_games(games)), "at_random", every, **options)


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_kernel_and_reference_agree_in_mixtures_of_options(name, players, n_games):
    rules, naive = table.rules(name), naive_of(name)
    for seed, options in enumerate(mixtures(rules, players, n_games(100))):
        play_seeds(rules, naive, [seed], "at_random", every=4, **options)


@pytest.mark.parametrize("name", table.GAMES)
def test_kernel_and_reference_agree_in_rare_events(name, n_games):
    """Whole games and late positions with every policy; compiled, enough to have every event."""
    rules, naive = table.rules(name), naive_of(name)
    share = n_games(1000) / 1000
    games, positions = (range(max(1, int(n * share))) for n in (5, 20))
    events: Counter[str] = Counter()
    cases = [
        (options, policy)
        for players in range(rules.min_players, rules.max_players + 1)
        for options in variants(rules, players)
        for policy in naive.POLICIES
    ]
    step = 5 if NO_JIT and len(cases) > 200 else 1  # one game of each case still takes minutes
    for options, policy in cases[::step]:
        events += play_seeds(rules, naive, games, policy, every=4, **options)
        if hasattr(naive, "late_position"):
            events += play_positions(rules, naive, positions, policy, every=4, **options)
    missing = {
        event: (events[event], times)
        for event, times in naive.RARE_EVENTS.items()
        if events[event] < times and share == 1
    }
    assert not missing, f"{name}: events seen less often than asked for (seen, asked): {missing}"


@pytest.mark.parametrize("name", table.GAMES)
@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1])
def test_kernel_and_reference_agree_for_seeds_of_any_size(name, seed):
    rules = table.rules(name)
    play_seeds(rules, naive_of(name), [seed], "at_random", num_players=rules.max_players)
