"""The players: what chooses an action from what one seat may see.

Agents are named by spec strings, the same everywhere: `random`, `ismcts:simulations=500`. A new
kind of agent is a file with a class derived from `Agent` and a row of `AGENTS`.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from .base import Agent, AgentLike, BatchedAgent, build, parameter, split_specs

__all__ = [
    "AGENTS",
    "Agent",
    "AgentLike",
    "BatchedAgent",
    "agent",
    "automatic",
    "parameter",
    "split_specs",
]


@dataclass(frozen=True)
class Row:
    """A row of the table of agents: strings only, so that listing them imports none of them.

    Attributes
    ----------
    name : str
        As in spec strings.
    module, class_name : str
        Where its class is, below `bonebed.agents`.
    doc : str
        What it does, in a line.
    """

    name: str
    module: str
    class_name: str
    doc: str

    def load(self) -> type[Agent]:
        """Import the agent's class.

        Returns
        -------
        class derived from Agent

        Raises
        ------
        ValueError
            If a package that it needs is not installed.
        """
        try:
            module = importlib.import_module(f".{self.module}", __name__)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith(__name__.partition(".")[0]):
                raise
            raise ValueError(
                f"the agent {self.name} needs the package {error.name}: "
                "pip install 'bonebed[train]'"
            ) from error
        found: type[Agent] = getattr(module, self.class_name)
        return found


AGENTS = {
    row.name: row
    for row in (
        Row("random", "simple", "Random", "any legal action"),
        Row("greedy", "simple", "Greedy", "the action after which it stands best at once"),
        Row("rollout", "search", "Rollout", "the action that does best in random playouts"),
        Row("ismcts", "search", "ISMCTS", "information-set tree search, n players"),
        Row("pal", "pal", "Pal", "the automated opponent's seat, played as the rulebook says"),
        Row(
            "trained",
            "shipped",
            "Trained",
            "the network that comes with the package, or its search",
        ),
        Row("rival", "shipped", "Rival", "the same at a strength to be chosen, as rival:level=2"),
        Row("network", "trained", "NetworkAgent", "a trained network, as network:path=CHECKPOINT"),
        Row("sb3", "sb3", "SB3", "a model of Stable-Baselines3, as sb3:path=FILE"),
        Row("human", "human", "Human", "a person at this terminal, in `play` only"),
    )
}


def agent(spec: AgentLike, game: str = "fossil") -> Agent:
    """Make an agent that is ready to play.

    Parameters
    ----------
    spec : str or Agent
        `name` or `name:key=value,key=value`; an Agent is prepared for the game and handed back.
    game : str
        Name of the game it is to play.

    Returns
    -------
    Agent
        Its `str` is the spec again.

    Raises
    ------
    ValueError
        For an unknown agent, parameter or value (the message lists what is allowed), or an agent
        that cannot play that game.
    TypeError
        If it is neither a str nor an Agent.

    Examples
    --------
    >>> str(agent("ismcts:simulations=500"))
    'ismcts:simulations=500'
    """
    if isinstance(spec, str):
        name, _, rest = spec.partition(":")
        row = AGENTS.get(name.strip())
        if row is None:
            raise ValueError(f"there is no agent {name.strip()!r}; allowed: {', '.join(AGENTS)}")
        found = build(row.load(), rest)
    elif isinstance(spec, Agent):
        found = spec
    else:
        got = f"the class {spec.__name__}" if isinstance(spec, type) else type(spec).__name__
        raise TypeError(
            f"an agent is a spec string or an object of a class derived from bonebed.agents.Agent, "
            f"got {got}"
        )
    found.prepare(game)
    return found


def automatic(spec: AgentLike, game: str) -> Agent:
    """Make an agent that plays by itself, for evaluations and training.

    Parameters
    ----------
    spec, game
        As for `agent`.

    Returns
    -------
    Agent

    Raises
    ------
    ValueError
        As for `agent`, and for one that waits for a person.
    TypeError
        As for `agent`.
    """
    found = agent(spec, game)
    if found.interactive:
        raise ValueError(f"{found} waits for a person: it can be used in `bonebed play` only")
    return found
