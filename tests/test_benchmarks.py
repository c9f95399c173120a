"""The C programs tell the same games as the kernels; the speed benchmark measures and reports."""

import numpy as np
import pytest

from bonebed.benchmarks import native
from bonebed.envs import table
from bonebed.kernels import batch

GAMES = sorted(path.stem for path in native.LIMIT.glob("*.c"))


def program(game):
    """Return the C program of a game, or None where there is no C compiler, which it then says."""
    try:
        native.compiler()
    except native.NoProgramError:
        with pytest.raises(native.NoProgramError, match="no C compiler here"):
            native.Program(game)
        return None
    return native.Program(game)


def settings(rules):
    """Yield every combination of a game's options."""
    names = [option.name for option in rules.options]
    for choices in np.ndindex(*(len(option.choices) for option in rules.options)):
        picked = zip(rules.options, choices, strict=True)
        yield dict(zip(names, (option.choices[i] for option, i in picked), strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_the_c_program_plays_the_same_games(game):
    """Scores, results and numbers of decisions of every game: a third telling of the rules."""
    limit, rules = program(game), table.rules(game)
    for chosen in settings(rules) if limit else ():
        options = rules.make_options(**chosen)
        told = limit.random_games(options, games=1000, seed=2)
        played = batch.random_games(rules, options, games=1000, seed=2)
        for field in ("score", "outcome", "decisions"):
            differ = np.flatnonzero(
                (getattr(told, field) != getattr(played, field)).reshape(1000, -1).any(1)
            )
            assert not differ.size, f"{chosen}, seed 2: {field} differs in games {differ[:10]}"


@pytest.mark.parametrize("game", GAMES)
def test_the_c_program_observes_the_same(game):
    """Every float of every observation and every mask."""
    limit, rules = program(game), table.rules(game)
    for chosen in settings(rules) if limit else ():
        _compare_observations(limit, rules, chosen, games=4, seed=3)


def _compare_observations(limit, rules, chosen, games, seed):
    """Step through games and compare what is written at each decision."""
    options = rules.make_options(**chosen)
    n = games * rules.max_decisions
    obs = np.full((n, rules.obs_size), np.nan, np.float32)
    mask = np.full((n, rules.n_actions), -1, np.int8)
    decisions = np.zeros(games, np.int32)
    limit.observed_games(options, obs, mask, decisions, seed=seed, keep=True)
    at = 0
    for game in range(games):
        # One place whose first game is the wanted one.
        played = batch.Batch(rules, options, num_envs=1, seed=seed)
        batch.deal(played.states, np.int64(0), options, np.uint64(seed), game)
        played.load(played.save())
        for decision in range(decisions[game]):
            place = f"{chosen}, seed {seed}, game {game}, decision {decision}"
            wrong = [
                name
                for name in rules.OBS.names
                if (obs[at].view(rules.OBS)[0][name] != played.obs_records[0][name]).any()
            ]
            assert not wrong, f"{place}: {wrong}"
            np.testing.assert_array_equal(mask[at], played.mask[0], err_msg=place)
            played.play_random(1)
            at += 1
        assert played.done[0], f"game {game} is over at the same decision"
