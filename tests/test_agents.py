"""Agents: spec strings, legal play, luck from the view alone, and nothing seen that is hidden."""

import re
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import bonebed
from bonebed.agents import (
    AGENTS,
    Agent,
    BatchedAgent,
    parameter,
    playing,
    sampling,
    split_specs,
)
from bonebed.agents.base import build
from bonebed.agents.options import read_options
from bonebed.agents.seats import opponents_of
from bonebed.envs import Views, table
from bonebed.envs.illegal import IllegalActionError
from bonebed.kernels.rng import below, bits

RULES = table.rules("fossil")
STREAM = 3000  # of the luck of these tests
# Every agent that needs neither a file nor a person, small enough to play many games.
PLAYERS = ("random", "greedy", "rollout:playouts=2", "ismcts:simulations=20")


def positions(num_players: int, every: int, seed: int = 0) -> np.ndarray:
    """Return every few positions of a random game, as a STATE array."""
    state = RULES.new(seed=seed, num_players=num_players)
    found = []
    while not state.done:
        if state.ply % every == 0:
            found.append(state.copy())
        legal = RULES.legal_actions(state)
        RULES.step(state, np.int64(legal[below(np.uint64(seed), STREAM, state.ply, len(legal))]))
    return np.array(found, RULES.STATE)


def seeds(n: int, start: int = 0) -> np.ndarray:
    """Return n seeds."""
    return np.array([bits(np.uint64(start), STREAM + 1, k) for k in range(n)], np.uint64)


# --- specs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "greedy",
        "greedy:samples=3",
        "rollout:playouts=7",
        "ismcts",
        "ismcts:simulations=500",
        "ismcts:simulations=500,exploration=0.5",
        "human",
    ],
)
def test_the_name_of_an_agent_is_its_spec(spec):
    agent = bonebed.agent(spec, game="fossil")
    assert str(agent) == spec
    assert str(bonebed.agent(str(agent))) == spec


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("greedy:samples=8", "greedy"),
        (" ismcts : exploration=1.50 , simulations=0500", "ismcts:simulations=500,exploration=1.5"),
        ("ismcts:exploration=2", "ismcts:exploration=2.0"),
        ("random:", "random"),
    ],
)
def test_a_spec_becomes_canonical(spec, canonical):
    assert str(bonebed.agent(spec)) == canonical


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("gredy", ["no agent 'gredy'", *AGENTS]),
        ("", ["no agent ''", "random"]),
        (
            "greedy:sample=3",
            ["no parameter 'sample'", "samples (a whole number from 1 to 1000000)"],
        ),
        ("random:samples=3", ["random has no parameter 'samples'", "it takes none"]),
        ("greedy:samples", ["no parameter 'samples'", "samples (a whole"]),
        ("greedy:samples=x", ["samples is 'x'", "a whole number from 1 to 1000000"]),
        ("greedy:samples=1.5", ["samples is '1.5'", "a whole number from 1 to 1000000"]),
        ("greedy:samples=0", ["greedy: samples is 0", "a whole number from 1 to 1000000"]),
        ("greedy:samples=1,samples=2", ["samples is given twice"]),
        ("ismcts:exploration=nan", ["exploration is nan", "a number of at least 0"]),
        ("ismcts:exploration=-1", ["exploration is -1.0", "a number of at least 0"]),
        ("ismcts:exploration=inf", ["exploration is inf", "a number of at least 0"]),
        ("greedy:samples=99999999999999999999", ["samples is 99999999999999999999", "to 1000000"]),
        ("network", ["network needs path=", "path (text)"]),
    ],
)
def test_a_wrong_spec_is_told_what_is_allowed(spec, told):
    with pytest.raises(ValueError, match=r".") as error:
        bonebed.agent(spec)
    for part in told:
        assert part in str(error.value)


@dataclass(frozen=True)
class Chooser(Agent):
    """Plays the action at a place of the list; a third party's agent."""

    name: ClassVar[str] = "chooser"
    place: int = parameter(0, low=-1, high=5)
    backwards: bool = parameter(False)
    label: str = parameter("x")

    def act(self, view):
        """Choose by place."""
        actions = view.actions[::-1] if self.backwards else view.actions
        return int(actions[min(self.place, len(actions) - 1)])


class Plain(Agent):
    """A third party's agent that is no dataclass."""

    def act(self, view):
        """Choose the first."""
        return int(view.actions[0])


def test_an_agent_object_is_accepted_where_a_spec_is():
    mine = Chooser(place=2, backwards=True)
    assert bonebed.agent(mine) is mine
    assert str(mine) == "chooser:place=2,backwards=true"
    assert str(Chooser()) == "chooser"
    assert str(Plain()) == "Plain"
    result = bonebed.evaluate("fossil", [mine, Plain()], games=2)
    assert [agent.spec for agent in result.agents] == ["chooser:place=2,backwards=true", "Plain"]


def test_values_given_in_code_are_checked_like_those_of_a_spec():
    for wrong in ({"place": 6}, {"place": "1"}, {"place": True}, {"backwards": 1}, {"label": 1}):
        (key,) = wrong
        with pytest.raises(ValueError, match=f"chooser: {key} is"):
            Chooser(**wrong)


def test_what_is_no_agent_is_refused():
    with pytest.raises(TypeError, match=r"derived from bonebed\.agents\.Agent"):
        bonebed.agent(lambda view: 0)
    with pytest.raises(NotImplementedError, match=r"has to define act\(view\)"):
        Agent().act(None)
    with pytest.raises(NotImplementedError, match=r"has to define act_many\(views\)"):
        BatchedAgent().act_many(None)


@pytest.mark.parametrize(
    ("typed", "specs"),
    [
        ("greedy", ["greedy"]),
        ("human,greedy", ["human", "greedy"]),
        (
            "human,ismcts:simulations=300,exploration=1,greedy",
            ["human", "ismcts:simulations=300,exploration=1", "greedy"],
        ),
        (
            ["human", "network:path=a/b=c,temperature=1"],
            ["human", "network:path=a/b=c,temperature=1"],
        ),
    ],
)
def test_a_list_of_specs_is_split_at_the_right_commas(typed, specs):
    assert split_specs(typed) == specs


@pytest.mark.parametrize("typed", ["", "greedy,", "samples=3", "greedy,,random"])
def test_a_list_with_a_missing_name_is_refused(typed):
    with pytest.raises(ValueError, match="an agent's name"):
        split_specs(typed)


def test_a_comma_may_stand_in_a_value():
    assert build(Chooser, "label=one, two,place=1") == Chooser(1, label="one, two")


@pytest.mark.parametrize("name", AGENTS)
def test_a_row_of_the_table_has_the_name_of_its_class(name):
    assert AGENTS[name].load().name == name


def test_importing_the_agents_loads_no_training_package():
    code = (
        "import sys, bonebed.agents, bonebed.agents.evaluate\n"
        "print([n for n in ('torch', 'stable_baselines3', 'rich') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_agent_whose_package_is_missing_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in ("network", "trained"):
        monkeypatch.delitem(sys.modules, f"bonebed.agents.{module}", raising=False)
    with pytest.raises(
        ValueError, match=r"needs the package torch: pip install 'bonebed\[train\]'"
    ):
        bonebed.agent("network:path=nowhere")


# --- play ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", range(RULES.min_players, RULES.max_players + 1))
def test_no_agent_ever_plays_illegally(num_players, n_games):
    agents = [bonebed.agent(spec) for spec in PLAYERS]
    games = n_games(8)
    options = RULES.make_options(num_players=num_players, tactical=num_players % 2 == 0)
    seats = (np.arange(games)[:, None] + np.arange(num_players)) % len(agents)
    # `play` checks each action against the mask before it is taken.
    played = playing.play(RULES, options, agents, seats, seeds(games))
    assert np.abs(played.outcome.sum(1)).max() < 1e-6
    assert all(len(actions) > 20 for actions in played.actions)


@pytest.mark.parametrize("spec", PLAYERS)
def test_a_batch_gets_the_same_actions_as_single_views(spec):
    agent = bonebed.agent(spec)
    states = positions(3, every=5)
    views = Views.of(RULES, states, seeds(len(states)))
    together = agent.act_many(views)
    alone = [agent.act(views[i]) for i in range(len(views))]
    assert together.dtype == np.int64
    assert together.tolist() == alone
    assert agent.act_many(views).tolist() == alone, "an agent keeps no memory"


@pytest.mark.parametrize("spec", PLAYERS)
def test_no_decision_depends_on_what_is_hidden(spec):
    agent = bonebed.agent(spec)
    states = positions(4, every=6, seed=5)
    luck = seeds(len(states))
    before = agent.act_many(Views.of(RULES, states, luck))
    other = states.copy()
    other["seed"] ^= np.uint64(0xDEADBEEF)  # Fossil hides nothing but the future
    other["draws"] += 7
    assert agent.act_many(Views.of(RULES, other, luck)).tolist() == before.tolist()


def test_greedy_beats_random_where_it_has_to_remember():
    result = bonebed.evaluate("memory_game", ["greedy", "random"], games=100)
    assert result.agents[0].win_rate.low > 0.9


def test_random_plays_all_legal_actions_equally_often():
    state = positions(2, every=1)[10:11]
    legal = RULES.legal_actions(state[0])
    n = 400 * len(legal)
    chosen = bonebed.agent("random").act_many(Views.of(RULES, np.repeat(state, n), seeds(n)))
    found, counts = np.unique(chosen, return_counts=True)
    assert found.tolist() == legal.tolist()
    # each count is binomial with a mean of 400: five standard deviations are 100
    assert np.abs(counts - 400).max() < 100


def test_greedy_takes_the_action_after_which_the_rules_value_the_seat_most():
    states = positions(3, every=4, seed=2)
    views = Views.of(RULES, states, seeds(len(states)))
    for view, chosen in zip(views, bonebed.agent("greedy").act_many(views), strict=True):
        value = {}
        for action in view.actions:
            after = view.imagine(1)[0]
            RULES.step(after, np.int64(action))
            value[int(action)] = RULES.value(after, view.player)
        assert value[int(chosen)] == max(value.values())


def test_ties_are_broken_by_luck():
    start = np.repeat(positions(2, every=1)[:1], 50)  # placing: many spaces look equally good
    for spec in ("random", "greedy"):
        chosen = bonebed.agent(spec).act_many(Views.of(RULES, start, seeds(50)))
        assert len(set(chosen.tolist())) > 1, spec


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [("greedy", "random"), ("rollout:playouts=4", "random"), ("ismcts:simulations=100", "random")],
)
def test_a_stronger_agent_beats_a_weaker_one(stronger, weaker):
    won = bonebed.evaluate("fossil", [stronger, weaker], games=60).agents[0].win_rate
    assert won.low > 0.5


def test_an_illegal_action_of_an_agent_is_named():
    class Cheat(Agent):
        def act(self, view):
            return 217

    class Confused(Agent):
        def act_many(self, views):
            return np.zeros((len(views), 2))

    told = r"Cheat cannot play 217 \(.*Legal actions:\n +0  place stone 1"
    with pytest.raises(IllegalActionError, match=told):
        bonebed.evaluate("fossil", [Cheat(), "random"], games=2)
    with pytest.raises(ValueError, match=r"Confused has to give \d+ whole numbers, got shape"):
        bonebed.evaluate("fossil", [Confused(), "random"], games=2)


class Forger(Agent):
    """Wants to pass its turn (action 145), which is never legal on the board, and says it may."""

    def act(self, view):
        """Write into everything that an agent is given."""
        for array in (view.mask, view.observation, view.state):
            try:
                array.flags.writeable = True
                array[...] = 1
            except (AttributeError, ValueError):  # it cannot even be tried
                pass
        return 145


def test_what_an_agent_does_to_its_view_changes_nothing():
    with pytest.raises(IllegalActionError, match="Forger cannot play 145"):
        bonebed.evaluate("fossil", [Forger(), "random"], games=2)


@pytest.mark.parametrize("action", [3.7, 3.0, None, "3", True, -1, 218, 10**30, [3], np.bool_(1)])
def test_what_is_not_the_number_of_an_action_is_refused(action):
    class Odd(Agent):
        def act(self, view):
            return action

    told = rf"Odd cannot play {re.escape(repr(action))}.*Legal actions:\n +0  place stone 1"
    with pytest.raises(IllegalActionError, match=re.compile(told, re.DOTALL)):
        bonebed.evaluate("fossil", [Odd(), "random"], games=2)


def test_one_view_of_a_batched_agent_is_checked_alike():
    class Halves(BatchedAgent):
        def act_many(self, views):
            return np.full(len(views), 3.5)

    view = Views.of(RULES, positions(2, every=1)[:1], seeds(1))[0]
    with pytest.raises(IllegalActionError, match=r"Halves cannot play .*3\.5.*: actions are whole"):
        Halves().act(view)


def test_any_whole_number_is_taken():
    class Small(Agent):
        def act(self, view):
            return np.int16(view.actions[0])

    assert bonebed.evaluate("fossil", [Small(), "random"], games=2).games == 2


def test_a_game_that_would_never_end_is_an_error_and_no_hang(monkeypatch):
    monkeypatch.setitem(vars(RULES), "max_decisions", 3)
    agents = [bonebed.agent("random")]
    seats = np.zeros((1, 2), np.int64)
    with pytest.raises(RuntimeError, match="fossil is not over after 3 decisions"):
        playing.play(RULES, RULES.make_options(), agents, seats, seeds(1))


# --- as opponents of a learner -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opponents", "error", "told"),
    [
        (None, TypeError, "opponents is None; allowed: one agent for all other seats, or a list"),
        (3, TypeError, "opponents is 3; allowed: one agent"),
        (Agent, TypeError, "opponents is <class .*; allowed: one agent"),
        ([Agent], TypeError, "got the class Agent"),
        ("greedy,random", ValueError, r"allowed: .*here \['greedy', 'random'\]"),
        ("gredy", ValueError, "no agent 'gredy'; allowed: random"),
        ("", ValueError, "no agent ''"),
    ],
)
def test_opponents_that_are_none_are_told_what_is_allowed(opponents, error, told):
    with pytest.raises(error, match=told):
        opponents_of("fossil", opponents, num_players=3)


def test_a_spec_with_commas_is_one_opponent():
    (found,) = opponents_of("fossil", "ismcts:simulations=3,exploration=2")
    assert str(found) == "ismcts:simulations=3,exploration=2.0"


# --- options as typed ----------------------------------------------------------------------------


def test_options_of_a_game_are_read_from_words():
    read = read_options(RULES, ["tactical=TRUE,setup=large", "num_players=4"])
    assert read == {"tactical": True, "setup": "large", "num_players": 4}
    assert read_options(RULES, ["tactical=false"], 3) == {"tactical": False, "num_players": 3}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("tactical=7", "tactical is '7'; allowed: false, true"),
        ("colour=7", "no option 'colour'; allowed: num_players"),
        ("tactical", "option tactical needs a value: tactical=false|true"),
        ("", "no option ''"),
        ("tactical=true,tactical=false", "option tactical is true and false; allowed: one"),
        ("num_players=4", "option num_players is 2 and 4; allowed: one"),
    ],
)
def test_options_that_are_none_are_told_what_is_allowed(typed, told):
    with pytest.raises(ValueError, match=told):
        read_options(RULES, [typed], num_players=2)


# --- from ratings to actions ---------------------------------------------------------------------


def test_actions_are_drawn_as_often_as_their_logits_say():
    n = 4000
    logits = np.tile(np.log(np.array([1.0, 5.0, 3.0, 100.0, 4.0], np.float32)), (n, 1))
    mask = np.tile(np.array([1, 0, 1, 0, 1], np.int8), (n, 1))
    drawn = sampling.choose(logits, mask, seeds(n), 1.0)
    counts = np.bincount(drawn, minlength=5) / n
    # shares 1, 3 and 4 of 8; a deviation of such a mean is at most 0.5 / sqrt(4000) = 0.008
    np.testing.assert_allclose(counts, [1 / 8, 0, 3 / 8, 0, 4 / 8], atol=0.04)
    assert set(sampling.choose(logits, mask, seeds(n), 0.0)) == {4}
    for almost_none in (1e-3, 1e-300, 5e-324):
        assert set(sampling.choose(logits, mask, seeds(n), almost_none)) == {4}
    hot = np.bincount(sampling.choose(logits, mask, seeds(n), 1e300), minlength=5) / n
    np.testing.assert_allclose(hot, [1 / 3, 0, 1 / 3, 0, 1 / 3], atol=0.04)


# --- the automated opponent ----------------------------------------------------------------------


class Last(Agent):
    """Plays the legal action with the highest number."""

    def act(self, view):
        """Choose it."""
        return int(view.actions[-1])


def test_pal_at_the_table_plays_what_her_cards_say():
    rules = table.rules("fossilium_solo")
    pal = bonebed.agent("pal", game="fossilium_solo")
    options = {seats: rules.make_options(num_players=seats) for seats in (1, 2)}
    games = seeds(5)
    alone = playing.play(rules, options[1], [Last()], np.zeros((5, 1), np.int64), games)
    seated = np.tile([0, 1], (5, 1))
    both = playing.play(rules, options[2], [Last(), pal], seated, games)
    assert both.score[:, 0].tolist() == alone.score[:, 0].tolist()
    assert both.score[:, 1].tolist() == (-alone.score[:, 0]).tolist()
    assert both.outcome[:, 0].tolist() == alone.outcome[:, 0].tolist()


def test_pal_plays_no_other_seat_and_no_other_game():
    with pytest.raises(ValueError, match="pal plays the automated opponent of a rulebook; fossil"):
        bonebed.agent("pal", game="fossil")
    rules = table.rules("fossilium_solo")
    views = Views.of(rules, np.array([rules.new(seed=1)], rules.STATE), seeds(1))
    with pytest.raises(ValueError, match="pal plays the seat pal; asked for player_0"):
        bonebed.agent("pal", game="fossilium_solo").act_many(views)
