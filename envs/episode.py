"""One episode of a PettingZoo environment, without the details that trip people up.

In the plain loop over `agent_iter` every agent comes once more when the game is over, must be given
the action None, and only then learns its last reward; rewards of other agents' steps are to be
added up. `play` does all this: it asks policies only for real decisions, and what it returns holds
no None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from pettingzoo.utils.env import AECEnv

    from .view import View


@runtime_checkable
class Player(Protocol):
    """Whatever decides from a view: the agents of `bonebed.agents`."""

    def act(self, view: View) -> int:
        """Choose an action."""


Policy: TypeAlias = Player | Callable[[dict[str, Any]], int]
Policies: TypeAlias = Policy | Sequence[Policy] | Mapping[str, Policy]


class Transition(NamedTuple):
    """A decision of one agent, and what came of it up to its next one.

    Attributes
    ----------
    observation : dict
        `observation` and `action_mask` at the decision.
    action : int
        Never None.
    reward : float
        Everything that the agent was paid from this action up to its next decision, or to the end.
    next_observation : dict
        At its next decision, or at the end.
    done : bool
        The game ended before it decided again.
    """

    observation: dict[str, Any]
    action: int
    reward: float
    next_observation: dict[str, Any]
    done: bool


class Episode(NamedTuple):
    """A finished episode.

    Attributes
    ----------
    rewards : dict of str to float
        Sum of each agent's rewards.
    decisions : int
        Decisions taken by all agents together.
    transitions : dict of str to list of Transition
        For each agent its decisions in order; empty for one that never decided.
    """

    rewards: dict[str, float]
    decisions: int
    transitions: dict[str, list[Transition]]


def play(env: AECEnv[str, Any, Any], policies: Policies, seed: int | None = None) -> Episode:
    """Play one episode from its reset to its end.

    Parameters
    ----------
    env : AECEnv
        With `{"observation": ..., "action_mask": ...}` observations; wrapped or not.
    policies : policy, sequence of policies by seat, or dict of policies by agent
        A policy is an object with `act(view)`, such as an agent of `bonebed.agents`, or a callable
        that is given the observation dict and returns an action.
    seed : int, optional
        For `env.reset`.

    Returns
    -------
    Episode

    Raises
    ------
    ValueError
        If there is not one policy for each agent.

    Examples
    --------
    >>> from bonebed.envs import fossil_v0, play
    >>> def first(observation):
    ...     return int(observation["action_mask"].argmax())
    >>> episode = play(fossil_v0.env(num_players=2), first, seed=1)
    >>> sum(episode.rewards.values())
    0.0
    """
    by_agent = _by_agent(env.possible_agents, policies)
    env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    transitions: dict[str, list[Transition]] = {agent: [] for agent in env.possible_agents}
    open_decisions: dict[str, tuple[dict[str, Any], int]] = {}
    decisions = 0
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        done = termination or truncation
        rewards[agent] += float(reward)
        if agent in open_decisions:
            before, action = open_decisions.pop(agent)
            transitions[agent].append(Transition(before, action, float(reward), observation, done))
        if done:
            env.step(None)
            continue
        policy = by_agent[agent]
        action = policy.act(env.view(agent)) if isinstance(policy, Player) else policy(observation)
        action = int(action)
        open_decisions[agent] = observation, action
        decisions += 1
        env.step(action)
    return Episode(rewards, decisions, transitions)


def _by_agent(agents: Sequence[str], policies: Policies) -> dict[str, Policy]:
    """Give each agent its policy."""
    if isinstance(policies, Mapping):
        given = dict(policies)
    elif isinstance(policies, Sequence):
        given = dict(zip(agents, policies, strict=False)) if len(policies) == len(agents) else {}
    else:
        given = dict.fromkeys(agents, policies)
    if set(given) != set(agents):
        raise ValueError(f"policies have to be one for all, or one for each of {', '.join(agents)}")
    return given
