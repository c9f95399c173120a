"""A view holds what a seat may know and nothing else, in numbers, words and a drawing."""

import copy
import pickle

import numpy as np
import pytest

from bonebed.envs import View, Views, table
from bonebed.kernels import rng, rules
from conftest import NO_JIT

pytestmark = pytest.mark.rules

GAMES = tuple(table.GAMES)
CASES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in GAMES
    for players in range(table.rules(name).min_players, table.rules(name).max_players + 1)
]


def positions(name: str, players: int, seed: int, every: int = 1):
    """Play a random game and yield a copy of every so many positions, the finished one included."""
    every *= 4 if NO_JIT else 1  # to imagine games takes seconds in plain Python
    game = table.rules(name)
    state = game.new(seed=seed, num_players=players)
    for ply in range(game.max_decisions + 1):
        if ply % every == 0 or state.done:
            yield state.copy()
        if state.done:
            return
        actions = game.legal_actions(state)
        rules.step(state, np.int64(actions[rng.below(np.uint64(seed), 0, ply, len(actions))]))
    raise AssertionError(f"{name} with {players} players, seed {seed}: too many decisions")


def with_other_chance(state, salt: int):
    """Return a copy whose hidden seed differs."""
    other = state.copy()
    other["seed"] ^= np.uint64(0x9E3779B97F4A7C15 * salt % 2**64)
    return other


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_view_shows_the_observation_and_the_legal_actions_of_the_seat_to_move(name, players):
    game = table.rules(name)
    for state in positions(name, players, seed=1, every=5):
        view = View.of(game, state, seed=3)
        obs = np.zeros(1, game.OBS)
        rules.observe(state, np.int64(state.to_play), obs[0])
        assert view.player == state.to_play
        assert view.num_players == players
        assert view.rules is game
        assert np.array_equal(view.observation, obs.view(np.float32))
        assert view.fields == obs[0]
        assert view.actions.tolist() == game.legal_actions(state).tolist()
        assert np.flatnonzero(view.mask).tolist() == view.actions.tolist()
        assert view.mask.dtype == np.int8
        assert view.observation.dtype == np.float32


@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_true_chance_is_out_of_reach(name, players):
    game = table.rules(name)
    for state in positions(name, players, seed=2, every=9):
        for player in range(players):
            view = View.of(game, state, seed=3, player=player)
            same = View.of(game, with_other_chance(state, 5), seed=3, player=player)
            assert view.state["seed"] != state["seed"]
            assert view.state.tobytes() == same.state.tobytes()
            assert view.imagine(3).tobytes() == same.imagine(3).tobytes()
            assert view.observation.tobytes() == same.observation.tobytes()
            assert view.mask.tobytes() == same.mask.tobytes()
            assert view.seed == same.seed == 3
            assert view.text() == same.text()
            assert [view.words(a) for a in view.actions] == [same.words(a) for a in same.actions]


@pytest.mark.parametrize(("name", "players"), CASES)
def test_what_a_seat_imagines_looks_the_same_to_it(name, players):
    game = table.rules(name)
    for state in positions(name, players, seed=3, every=9):
        view = View.of(game, state, seed=4)
        worlds = view.imagine(4)
        assert worlds.dtype == game.STATE
        for world in worlds:
            again = View.of(game, world, seed=5)
            assert again.observation.tobytes() == view.observation.tobytes()
            assert again.actions.tolist() == view.actions.tolist()
        assert len(set(worlds["seed"].tolist())) == 4, "each has a future of its own"
        assert view.imagine(4).tobytes() == worlds.tobytes()
        assert view.imagine(4, seed=9).tobytes() != worlds.tobytes()


def test_playing_on_imagined_games_leaves_the_view_and_the_game_alone():
    game = table.rules("fossil")
    state = game.new(seed=1)
    before = state.tobytes()
    view = View.of(game, state, seed=2)
    known = view.state.tobytes()
    worlds = view.imagine(2)
    rules.step(worlds[0], np.int64(view.actions[0]))
    assert state.tobytes() == before
    assert view.state.tobytes() == known
    rules.step(view.state, np.int64(view.actions[0]))
    assert state.tobytes() == before


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_seat_that_is_not_to_move_has_a_view_without_actions(name, players):
    game = table.rules(name)
    for state in positions(name, players, seed=5, every=9):
        for player in range(players):
            view = View.of(game, state, seed=0, player=player)
            obs = np.zeros(1, game.OBS)
            rules.observe(state, np.int64(player), obs[0])
            assert view.player == player
            assert np.array_equal(view.observation, obs.view(np.float32))
            if player != state.to_play:
                assert len(view.actions) == 0
                assert not view.mask.any()


def test_what_a_view_tells_cannot_be_overwritten():
    game = table.rules("fossil")
    states = np.array([game.new(seed=seed) for seed in range(3)], game.STATE)
    views = Views.of(game, states, np.arange(3, dtype=np.uint64))
    other_seat = View.of(game, states[0], seed=1, player=0)
    assert other_seat.player != states[0].to_play
    for view in (views, views[1], views[1].as_views(), View.of(game, states[0], 1), other_seat):
        for array in (view.mask, view.observation):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 1


@pytest.mark.parametrize("how", [copy.deepcopy, lambda view: pickle.loads(pickle.dumps(view))])
@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_copy_of_a_view_says_the_same(name, players, how):
    game = table.rules(name)
    for state in positions(name, players, seed=4, every=20):
        view = View.of(game, state, seed=6)
        twin = how(view)
        assert twin.rules is game
        assert (twin.player, twin.seed) == (view.player, view.seed)
        assert twin.actions.tolist() == view.actions.tolist()
        assert twin.observation.tobytes() == view.observation.tobytes()
        assert twin.state.tobytes() == view.state.tobytes()
        assert twin.text() == view.text()
        assert twin.imagine(2).tobytes() == view.imagine(2).tobytes()


@pytest.mark.parametrize("player", [-1, 2])
def test_a_seat_that_is_not_in_the_game_is_refused(player):
    game = table.rules("fossil")
    with pytest.raises(ValueError, match=f"player is {player}; seats are 0 to 1"):
        View.of(game, game.new(), seed=0, player=player)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_batch_of_views_is_the_views_one_by_one(name, players):
    game = table.rules(name)
    states = np.array(list(positions(name, players, seed=6, every=7)), game.STATE)
    seeds = np.arange(10, 10 + len(states), dtype=np.uint64)
    truth = states.tobytes()
    views = Views.of(game, states, seeds)
    assert states.tobytes() == truth
    assert len(views) == len(states)
    for view, state, seed in zip(views, states, seeds, strict=True):
        alone = View.of(game, state, seed=int(seed))
        assert view.player == alone.player
        assert view.seed == alone.seed
        assert view.state.tobytes() == alone.state.tobytes()
        assert view.observation.tobytes() == alone.observation.tobytes()
        assert view.mask.tobytes() == alone.mask.tobytes()
        back = view.as_views()
        assert len(back) == 1
        assert back[0].state.tobytes() == view.state.tobytes()
        assert back.player.tolist() == [view.player]
        assert back.seeds.tolist() == [int(seed)]
    with pytest.raises(IndexError, match="view 99 of"):
        views[99]


def test_an_action_is_decoded_by_the_games_own_table():
    game = table.rules("fossil")
    view = View.of(game, game.new(seed=1), seed=7)
    assert view.decode(12) == ("place", {"cell": 12})
    with pytest.raises(ValueError, match="no action 218"):
        view.decode(218)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_legal_actions_of_a_position_have_words_that_differ(name, players):
    game = table.rules(name)
    for state in positions(name, players, seed=7, every=4):
        view = View.of(game, state, seed=0)
        words = [view.words(action) for action in view.actions]
        assert len(set(words)) == len(words)
        assert all(line and "\n" not in line for line in words)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_every_action_has_words_in_every_position(name, players):
    game = table.rules(name)
    for state in positions(name, players, seed=8, every=20):
        before = state.tobytes()
        view = View.of(game, state, seed=0)
        for action in range(game.n_actions):
            assert view.words(action)
        assert state.tobytes() == before
