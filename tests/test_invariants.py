"""What must hold in every game of the table, at every ply of random games.

Nothing here knows a game. What a game's components are and how they are conserved is told by its
slow reference, `check_conservation(state, options)` in tests/naive/<game>.py.
"""

import itertools
import random

import numpy as np
import pytest

from bonebed.envs import table
from bonebed.kernels import batch as batches
from bonebed.kernels import rng
from bonebed.kernels.rules import check_states
from conftest import LOOK_EVERY
from lockstep import free_options, naive_of

pytestmark = pytest.mark.rules

COUNTS = [
    (name, players)
    for name in table.GAMES
    for players in range(table.rules(name).min_players, table.rules(name).max_players + 1)
]
each_count = pytest.mark.parametrize(("name", "players"), COUNTS)
each_game = pytest.mark.parametrize("name", table.GAMES)


def options_for(rules, players, seed):
    """Draw the other options of a game, so that a few games cover all choices."""
    luck = random.Random(seed)
    drawn = {option.name: luck.choice(option.choices) for option in rules.options}
    free = {option.name: drawn[option.name] for option in free_options(rules)}
    return free | {"num_players": players}


def walk(rules, players, seed):
    """Play one random game and yield its record at every decision and after the end.

    The record is the game itself: who changes it changes what follows.
    """
    luck = random.Random(seed)
    state = rules.new(seed, **options_for(rules, players, seed))
    yield state
    while not state.done:
        assert state.ply < rules.max_decisions, "the game does not end"
        rules.step(state, luck.choice(rules.legal_actions(state).tolist()))
        yield state


def walks(name, players, games):
    """Yield (rules, state) at every ply of some random games."""
    rules = table.rules(name)
    for seed in range(games):
        for state in walk(rules, players, seed):
            yield rules, state


def looks(name, players, games):
    """Yield (rules, state) at the plies of some random games that this mode looks at closely."""
    for rules, state in walks(name, players, games):
        if state.done or state.ply % LOOK_EVERY == 0:
            yield rules, state


def few(n_games):
    """Return the number of games that are looked at closely, where nothing asks for more."""
    return max(1, n_games(10))


def observe(rules, state, player):
    """Return a seat's observation as a flat float array."""
    obs = np.zeros(1, rules.OBS)
    rules.observe(state, player, obs[0])
    return obs.view(np.float32)


def outcome(rules, state):
    """Return the result of every seat."""
    out = np.zeros(int(state.num_players), np.float32)
    rules.outcome(state, out)
    return out


def resampled(rules, state, player, seed):
    """Return a copy of a game in which all that a seat cannot know is dealt anew."""
    copy = state.copy()
    rules.resample(copy, player, np.uint64(seed))
    return copy


# ---------------------------------------------------------------------- the course of a game


@each_count
def test_components_are_conserved(name, players, n_games):
    """At one ply in five and at the end: what was lost or doubled once stays so."""
    naive = naive_of(name)
    for rules, state in walks(name, players, n_games(40)):
        if state.done or state.ply % 5 == 0:
            naive.check_conservation(state, rules.options_dict(state))


@each_count
def test_points_are_the_start_and_the_sum_of_all_gains(name, players, n_games):
    rules = table.rules(name)
    for seed in range(n_games(40)):
        points = None
        for state in walk(rules, players, seed):
            points = state.score.copy() if points is None else points + state.gain
            assert points.tolist() == state.score.tolist()
            assert not state.score[players:].any()


@each_count
def test_a_game_ends_within_the_proved_number_of_decisions(name, players, n_games):
    rules = table.rules(name)
    for seed in range(n_games(40)):
        plies = [int(state.ply) for state in walk(rules, players, seed)]
        assert plies == list(range(len(plies)))
        assert plies[-1] <= rules.max_decisions


@each_count
def test_there_is_a_real_choice_until_the_end_and_none_after_it(name, players, n_games):
    for rules, state in walks(name, players, n_games(40)):
        buffer = np.full(rules.n_actions + 16, -7, np.int32)
        actions = buffer[: rules.n_actions]
        n = rules.legal(state, actions)
        assert (n == 0) == bool(state.done)
        assert n != 1, "a forced decision was asked"
        assert (np.diff(actions[:n]) > 0).all()
        assert (buffer[rules.n_actions :] == -7).all()
        assert n == 0 or 0 <= actions[0] <= actions[n - 1] < rules.n_actions
        assert 0 <= state.to_play < players
        mask = np.full(rules.n_actions, 9, np.int8)
        batches.write_mask(actions, n, mask)
        assert np.flatnonzero(mask).tolist() == actions[:n].tolist()
        assert set(mask.tolist()) <= {0, 1}


@each_count
def test_results_are_between_minus_one_and_one_and_sum_to_zero_unless_alone(name, players, n_games):
    for rules, state in walks(name, players, n_games(100)):
        if state.done:
            results = outcome(rules, state)
            assert (abs(results) <= 1).all()
            assert players == 1 or results.sum() == pytest.approx(0, abs=1e-5)


@each_game
def test_every_action_has_a_name_and_fields_that_lead_back_to_it(name):
    actions = table.rules(name).actions
    for action in range(actions.size):
        block, fields = actions.decode(action)
        assert actions.encode(block, **fields) == action
    assert [block.offset for block in actions.blocks] == np.cumsum(
        [0] + [block.size for block in actions.blocks[:-1]]
    ).tolist()


# ---------------------------------------------------------------------- state is data


@each_count
def test_a_fresh_game_follows_from_seed_and_options_alone(name, players):
    rules = table.rules(name)
    options = rules.make_options(num_players=players)
    clean, dirty = np.zeros(1, rules.STATE), np.zeros(1, rules.STATE)
    dirty.view(np.uint8)[:] = 0x5A
    for seed in (0, 1, 2**64 - 1):
        rules.reset(clean[0], options, np.uint64(seed))
        rules.reset(dirty[0], options, np.uint64(seed))
        assert clean.tobytes() == dirty.tobytes()
        for choice in rules.legal_actions(dirty[0])[:1]:
            rules.step(dirty[0], choice)


@each_count
def test_every_state_of_a_game_passes_the_check_of_states(name, players, n_games):
    rules = table.rules(name)
    for seed in range(n_games(60)):
        options = options_for(rules, players, seed)
        states = np.array([state.copy() for state in walk(rules, players, seed)], rules.STATE)
        before = states.tobytes()
        check_states(states, rules.make_options(**options))
        assert states.tobytes() == before


@each_count
def test_every_field_of_a_state_is_checked_but_those_that_may_hold_anything(name, players, n_games):
    """No field can hold both its smallest and its largest number in the middle of a game."""
    rules = table.rules(name)
    options = rules.make_options(num_players=players)
    state = rules.new(3, num_players=players)
    for _ in range(2):
        rules.step(state, rules.legal_actions(state)[0])
    for field in set(rules.STATE.names) - {"seed", "draws", "spare"}:
        refused = []
        limits = np.iinfo(rules.STATE[field].base)
        for value in (limits.min, limits.max):
            states = np.array([state, state], rules.STATE)
            states[field][1] = value
            try:
                check_states(states, options)
            except ValueError as error:
                refused.append(str(error))
        assert refused, field
        assert all("game 1: " in message for message in refused)


@each_count
def test_games_of_different_seeds_differ(name, players):
    rules = table.rules(name)
    states = [rules.new(seed, num_players=players) for seed in range(20)]
    for state in states:
        state.seed = 0
    assert len({state.tobytes() for state in states}) == 20


@each_count
def test_looking_at_a_game_changes_nothing(name, players, n_games):
    for rules, state in looks(name, players, few(n_games)):
        before = state.tobytes()
        rules.legal_actions(state)
        for player in range(players):
            observe(rules, state, player)
            assert np.isfinite(rules.value(state, player))
        if state.done:
            outcome(rules, state)
        assert state.tobytes() == before


@each_count
def test_a_copy_is_independent(name, players, n_games):
    for rules, state in looks(name, players, few(n_games)):
        if state.done:
            continue
        states = np.zeros(2, rules.STATE)
        states[0] = state
        states[1] = states[0]
        for action in rules.legal_actions(state)[::7]:
            rules.step(states[1], action)
            assert states[0].tobytes() == state.tobytes()
            states[1] = states[0]


@each_count
def test_a_game_saved_as_bytes_goes_on_in_the_same_way_from_every_ply(name, players, n_games):
    rules = table.rules(name)
    for seed in range(few(n_games)):
        played = list(_saved_walk(rules, players, seed))
        for (saved, action), (following, _) in itertools.pairwise(played):
            state = np.frombuffer(saved, rules.STATE).copy()[0]
            rules.step(state, action)
            assert state.tobytes() == following


def _saved_walk(rules, players, seed):
    """Yield the bytes of every ply of a random game and the action that was played there."""
    luck = random.Random(seed)
    for state in walk(rules, players, seed):
        action = None if state.done else luck.choice(rules.legal_actions(state).tolist())
        yield state.tobytes(), action


# ---------------------------------------------------------------------- who knows what


@each_count
def test_observations_are_within_bounds(name, players, n_games):
    for rules, state in looks(name, players, few(n_games)):
        for player in range(players):
            seen = observe(rules, state, player)
            assert np.isfinite(seen).all()
            assert (abs(seen) <= 1).all()


@each_count
def test_what_a_seat_is_given_follows_from_what_it_knows(name, players, n_games):
    """In a game that is dealt anew it sees the same, may do the same and imagines the same."""
    for rules, state in looks(name, players, n_games(50)):
        for player in range(players):
            other = resampled(rules, state, player, 1234)
            assert other.seed != state.seed, "future chance is still the true one"
            assert (observe(rules, state, player) == observe(rules, other, player)).all()
            for field in ("to_play", "phase", "done"):
                assert other[field] == state[field]
            actions = rules.legal_actions(other)
            assert other.done or len(actions) > 1, "no forced decision is asked"
            if player == state.to_play:
                assert (actions == rules.legal_actions(state)).all()
            assert resampled(rules, other, player, 1234).tobytes() == other.tobytes()


@each_count
def test_a_resampled_game_is_a_proper_game(name, players, n_games):
    naive = naive_of(name)
    for rules, state in looks(name, players, few(n_games)):
        if state.ply % 10:
            continue
        other = resampled(rules, state, int(state.to_play), 77)
        naive.check_conservation(other, rules.options_dict(other))
        while not other.done:
            assert other.ply < rules.max_decisions, "the game does not end"
            rules.step(other, rules.legal_actions(other)[-1])
        naive.check_conservation(other, rules.options_dict(other))
        if players > 1:
            assert outcome(rules, other).sum() == pytest.approx(0, abs=1e-5)


# ---------------------------------------------------------------------- many games at once


def singles(rules, options, batch_seed, num_envs):
    """Return the games that a batch of this seed starts with."""
    states = np.zeros(num_envs, rules.STATE)
    for i in range(num_envs):
        deal(rules, options, batch_seed, i, states[i])
    return states


def deal(rules, options, batch_seed, episode, state):
    """Start the game that has this number in a batch or in random games."""
    game_seed = rng.bits(np.uint64(batch_seed), rng.Driver.EPISODE.value, episode)
    rules.reset(state, options, np.uint64(game_seed))


def check_faces(batch, states):
    """Assert that a batch shows exactly these games."""
    rules = batch.rules
    for i, state in enumerate(states):
        assert batch.states[i].tobytes() == state.tobytes()
        assert np.flatnonzero(batch.mask[i]).tolist() == rules.legal_actions(state).tolist()
        assert batch.to_play[i] == state.to_play
        assert (batch.obs[i] == observe(rules, state, int(state.to_play))).all()


@each_count
def test_a_batch_plays_like_single_games(name, players, n_games):
    rules, num_envs, seed = table.rules(name), 3, 11
    options = rules.make_options(**options_for(rules, players, players))
    batch = batches.Batch(rules, options, num_envs, seed)
    states = singles(rules, options, seed, num_envs)
    episode, luck = list(range(num_envs)), random.Random(seed)
    ended = 0
    check_faces(batch, states)
    while ended < n_games(30):
        actions = [luck.choice(rules.legal_actions(state).tolist()) for state in states]
        batch.step(np.array(actions))
        for i, action in enumerate(actions):
            rules.step(states[i], action)
            assert (batch.gain[i] == states[i].gain[:players]).all()
            assert bool(batch.done[i]) == bool(states[i].done)
            if states[i].done:
                assert (batch.final_score[i] == states[i].score[:players]).all()
                assert (batch.final_outcome[i] == outcome(rules, states[i])).all()
                episode[i] += num_envs
                deal(rules, options, seed, episode[i], states[i])
                ended += 1
        check_faces(batch, states)
        assert batch.episode.tolist() == episode
    seats = batch.observe_all()
    for i, state in enumerate(states):
        for player in range(players):
            assert (seats[i, player] == observe(rules, state, player)).all()


@each_count
def test_random_play_takes_the_same_course_in_every_driver(name, players, n_games):
    """`random_games`, `Batch.play_random` and a loop over single games, with the same seeds."""
    rules, games, seed = table.rules(name), n_games(40), 3
    options = rules.make_options(num_players=players)
    played = batches.random_games(rules, options, games, seed)
    batch = batches.Batch(rules, options, games, seed)
    open_games = np.ones(games, bool)
    while open_games.any():
        batch.play_random(1)
        ended = open_games & batch.done
        assert (batch.final_score[ended] == played.score[ended]).all()
        assert (batch.final_outcome[ended] == played.outcome[ended]).all()
        open_games &= ~batch.done
    state = rules.new(num_players=players)
    for game in range(min(games, 5)):
        deal(rules, options, seed, game, state)
        while not state.done:
            legal = rules.legal_actions(state)
            choice = rng.below(state.seed, rng.Driver.PLAY.value, state.ply, len(legal))
            rules.step(state, legal[choice])
        assert state.score[:players].tolist() == played.score[game].tolist()
        assert outcome(rules, state).tolist() == played.outcome[game].tolist()
        assert state.ply == played.decisions[game]


def same(one, two):
    """Return whether two batches show the same in every array."""
    names = ("obs", "mask", "to_play", "gain", "done", "episode", "states")
    names += ("final_score", "final_outcome")
    return all(getattr(one, name).tobytes() == getattr(two, name).tobytes() for name in names)


@each_game
def test_a_batch_gives_the_same_games_on_several_threads(name, n_games):
    rules = table.rules(name)
    options = rules.make_options()
    one = batches.Batch(rules, options, 7, 5)
    three = batches.Batch(rules, options, 7, 5, threads=3)
    for _ in range(n_games(100)):
        one.play_random(1)
        three.play_random(1)
        assert same(one, three)


@each_count
def test_a_saved_batch_goes_on_in_the_same_way(name, players, n_games):
    rules = table.rules(name)
    options = rules.make_options(num_players=players)
    batch = batches.Batch(rules, options, 4, 8)
    batch.play_random(n_games(150))
    saved = batch.save()
    other = batches.Batch(rules, options, 4, 99)
    other.load(saved)
    assert (batch.obs == other.obs).all()
    assert (batch.mask == other.mask).all()
    assert (batch.to_play == other.to_play).all()
    batch.play_random(n_games(150))
    other.play_random(n_games(150))
    assert same(batch, other)


@each_game
def test_an_illegal_action_in_a_batch_is_named_and_changes_nothing(name):
    rules = table.rules(name)
    batch = batches.Batch(rules, rules.make_options(), 3, 1)
    batch.play_random(1)  # a first decision may leave nothing illegal
    good = batch.mask.argmax(axis=1)
    illegal = np.flatnonzero(batch.mask[1] == 0)[:1].tolist()  # in some games all are legal
    for wrong in (*illegal, -1, rules.n_actions, 2**40):
        before = [batch.states.tobytes(), batch.obs.tobytes(), batch.mask.tobytes()]
        actions = good.copy()
        actions[1] = wrong
        with pytest.raises(ValueError, match=rf"\[1\] is {wrong}; legal there: .*{good[1]}"):
            batch.step(actions)
        assert before == [batch.states.tobytes(), batch.obs.tobytes(), batch.mask.tobytes()]
    with pytest.raises(ValueError, match="3 whole numbers"):
        batch.step(good[:2])
    batch.step(good)
