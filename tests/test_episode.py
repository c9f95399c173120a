"""`play` runs an episode without dead steps and None, and sorts out who was paid for what."""

import random
from itertools import pairwise

import numpy as np
import pytest

from bonebed.envs import fossil_v0, play, table

CASES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in table.GAMES
    for players in range(table.rules(name).min_players, table.rules(name).max_players + 1)
]


def at_random(seed: int):
    """Return a policy that chooses a random legal action, given the observation."""
    luck = random.Random(seed)
    return lambda observation: luck.choice(np.flatnonzero(observation["action_mask"]).tolist())


class First:
    """A player that always takes the first legal action, given the view."""

    def act(self, view) -> int:
        """Choose an action."""
        return int(view.actions[0])


@pytest.mark.parametrize("wrappers", [False, True])
@pytest.mark.parametrize(("name", "players"), CASES)
def test_an_episode_adds_up(name, players, wrappers):
    env = table.face(name).env(num_players=players, reward="points", wrappers=wrappers)
    env.reset(seed=1)
    start = env.scores
    episode = play(env, at_random(1), seed=1)
    assert not env.agents
    gained = {agent: points - start[agent] for agent, points in env.scores.items()}
    assert episode.rewards == gained
    assert episode.decisions == sum(map(len, episode.transitions.values()))
    for agent, transitions in episode.transitions.items():
        early = episode.rewards[agent] - sum(t.reward for t in transitions)
        assert early <= 0, "before its first decision a player can only have paid"
        assert [t.done for t in transitions] == [False] * (len(transitions) - 1) + [True]
        for one, following in pairwise(transitions):
            assert one.next_observation is following.observation
        for transition in transitions:
            assert type(transition.action) is int
            assert transition.observation["action_mask"][transition.action] == 1
            assert transition.next_observation["action_mask"].any() != transition.done


def test_the_result_of_a_game_reaches_everybody():
    episode = play(fossil_v0.env(num_players=4), at_random(2), seed=2)
    for agent, transitions in episode.transitions.items():
        assert [t.reward for t in transitions[:-1]] == [0.0] * (len(transitions) - 1)
        assert transitions[-1].reward == episode.rewards[agent]
    assert sum(episode.rewards.values()) == pytest.approx(0)


def test_policies_by_seat_by_name_or_one_for_all_come_to_the_same():
    env = fossil_v0.env(num_players=2)
    one = play(env, First(), seed=3)
    assert play(env, [First(), First()], seed=3).rewards == one.rewards
    by_name = {"player_1": First(), "player_0": First()}
    assert play(env, by_name, seed=3).rewards == one.rewards
    callables = [lambda observation: int(observation["action_mask"].argmax())] * 2
    again = play(env, callables, seed=3)
    assert again.rewards == one.rewards
    for agent in env.possible_agents:
        actions = [[t.action for t in e.transitions[agent]] for e in (one, again)]
        assert actions[0] == actions[1]


def test_an_episode_repeats_by_its_seed():
    env = fossil_v0.env(num_players=3, reward="margin")
    first, second = (play(env, at_random(4), seed=4) for _ in range(2))
    assert first.rewards == second.rewards
    assert first.decisions == second.decisions


def test_an_illegal_action_may_end_the_episode():
    env = fossil_v0.env(num_players=2, illegal="terminate", illegal_reward=-5)
    episode = play(env, lambda observation: 100, seed=1)
    assert episode.decisions == 1
    assert episode.rewards == {"player_0": 0.0, "player_1": -5.0}


@pytest.mark.parametrize("policies", [[First()], [First()] * 3, {"player_0": First()}, {}])
def test_a_wrong_number_of_policies_is_refused(policies):
    with pytest.raises(ValueError, match="one for each of player_0, player_1"):
        play(fossil_v0.env(num_players=2), policies)
