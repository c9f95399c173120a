"""Every kernel plays in lockstep with its slow reference: same fields, choices, gains and result.

A failing test prints the game, the seed, the options and the actions. Games whose reference covers
rare events by steering (tests/naive/<game>.py: POLICIES, RARE_EVENTS) must really have had them.
"""

import itertools
from collections import Counter

import pytest

from bonebed.envs import table
from lockstep import naive_of, play_positions, play_seeds

pytestmark = pytest.mark.rules

COUNTS = [
    (name, players)
    for name in table.GAMES
    for players in range(table.rules(name).min_players, table.rules(name).max_players + 1)
]


def variants(rules, players):
    """Return all combinations of a game's yes-or-no options for a number of players."""
    flags = [option.name for option in rules.options if set(option.choices) == {False, True}]
    settings = itertools.product((False, True), repeat=len(flags))
    return [{"num_players": players} | dict(zip(flags, values, strict=True)) for values in settings]


def forced_setups(rules, players):
    """Return the options that force something which is otherwise left to the number of players."""
    named = [option for option in rules.options if "auto" in option.choices]
    return [
        {"num_players": players, option.name: choice}
        for option in named
        for choice in option.choices
        if choice != "auto"
    ]


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_kernel_and_reference_agree_in_random_games(name, players, n_games):
    rules, naive = table.rules(name), naive_of(name)
    for options in variants(rules, players):
        play_seeds(rules, naive, range(n_games(500)), "at_random", **options)


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_kernel_and_reference_agree_in_forced_setups(name, players, n_games):
    rules, naive = table.rules(name), naive_of(name)
    for options in forced_setups(rules, players):
        play_seeds(rules, naive, range(n_games(50)), "at_random", **options)


@pytest.mark.parametrize("name", table.GAMES)
def test_kernel_and_reference_agree_in_rare_events(name, n_games):
    rules, naive = table.rules(name), naive_of(name)
    events: Counter[str] = Counter()
    for players in range(rules.min_players, rules.max_players + 1):
        for options in variants(rules, players):
            for policy in naive.POLICIES:
                seeds = range(n_games(10))
                events += play_seeds(rules, naive, seeds, policy, **options)
                if hasattr(naive, "late_position"):
                    events += play_positions(rules, naive, range(n_games(40)), policy, **options)
    share = n_games(1000) / 1000
    missing = {
        event: (events[event], times)
        for event, times in naive.RARE_EVENTS.items()
        if events[event] < max(1, times * share)
    }
    assert not missing, f"{name}: events seen less often than asked for (seen, asked): {missing}"


@pytest.mark.parametrize("name", table.GAMES)
@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1])
def test_kernel_and_reference_agree_for_seeds_of_any_size(name, seed):
    rules = table.rules(name)
    play_seeds(rules, naive_of(name), [seed], "at_random", num_players=rules.max_players)
