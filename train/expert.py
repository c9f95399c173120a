"""Expert iteration: the search that the network guides is its teacher, for any game.

    bonebed train expert --game fossil --folder runs/expert --minutes 60
    bonebed evaluate fossil --agents network:path=runs/expert,greedy

AlphaZero (Silver et al., Science 2018) in the manner of Danihelka et al., "Policy improvement by
planning with Gumbel" (ICLR 2022), which teaches even with a handful of simulations; here also for
games with chance, more than two players and hidden information. At every decision of its games the
network guides a search (`kernels/guided.py`) that sees what the seat to move may know and deals the
rest anew. The action is the search's, and the policy learns the search's improved policy. The value
of every seat learns lambda-returns of the outcome over the values that the search found, one seat's
own decisions at a time (`learning.turn_based_gae`). A short run of `train ppo` is a good beginning:
`--initial runs/ppo`. Settings, budget and checkpoints are in `run.py`, and what is said there and
in `ppo.py` about repeating and resuming holds here, too.

What TensorBoard shows, over the number of decisions learned from, besides the names that `train
ppo` shows under `strength/`, `games/` and `speed/`:

===========================  =======================================================================
learning/policy_loss         cross-entropy of the policy with the search's, in nats
learning/improvement         its part that is left to learn: divergence of the policy from the
                             search's, in nats
learning/value_loss          mean squared error of the values, over the variance of the returns
learning/entropy             mean entropy of the policy, in nats
learning/search_entropy      mean entropy of the search's policy, in nats
learning/explained_variance  part of the returns' variance that the search's values told before
learning/gradient_norm       before clipping
learning/learning_rate       as scheduled
===========================  =======================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..agents import network as networks
from ..agents import trained
from ..envs.view import Views
from ..kernels import rng
from ..kernels.guided import GuidedSearch
from . import learning, loop
from . import run as runs
from .loop import Scalars
from .run import Run, Stream, generator
from .steps import Decisions, Steps, lessons


@dataclass(frozen=True)
class Config(runs.Config):
    """Settings of a run."""

    trainer: ClassVar[str] = "expert"
    num_envs: int = 128
    """Games side by side."""
    num_steps: int = 32
    """Decisions of each game between two updates."""
    simulations: int = 32
    """Of the search at each decision."""
    candidates: int = 8
    """Most actions that it compares."""
    scale: float = 0.5
    """Weight of what it finds, against the network's policy."""
    heuristic: float = 0.0
    """Share of the game's own heuristic, beside the network's values, in what a position is worth
    to the search."""
    learning_rate: float = 5e-4
    """Of Adam at the start; it falls to a tenth over the budget."""
    value_weight: float = 1.0
    """Weight of the value's loss."""


def _settings(run: Run) -> Config:
    """Return a run's settings as those of this trainer."""
    assert isinstance(run.config, Config)
    return run.config


# --- an update ------------------------------------------------------------------------------------


@dataclass
class Samples(Decisions):
    """What an update learns from."""

    policy: Tensor  # float32 (N, actions), the search's


@dataclass
class Rollout:
    """What the games did between two updates: T steps of B games."""

    observation: Tensor  # float32 (T, B, inputs)
    legal: Tensor  # bool (T, B, actions)
    policy: NDArray[np.float32]  # (T, B, actions), the search's
    steps: Steps


def empty_rollout(run: Run) -> Rollout:
    """Allocate a rollout, to be filled again and again.

    Parameters
    ----------
    run : Run

    Returns
    -------
    Rollout
        Its tensors lie on the run's device.
    """
    shape, device = (run.config.num_steps, run.config.num_envs), run.config.device
    return Rollout(
        observation=torch.empty((*shape, run.rules.obs_size), device=device),
        legal=torch.empty((*shape, run.rules.n_actions), dtype=torch.bool, device=device),
        policy=np.zeros((*shape, run.rules.n_actions), np.float32),
        steps=Steps.empty(run.games, run.config.num_steps),
    )


@torch.no_grad()
def collect(run: Run, rollout: Rollout, searcher: GuidedSearch) -> None:
    """Play a rollout, each of the learner's decisions by search.

    Parameters
    ----------
    run : Run
        Its games go on.
    rollout : Rollout, out
    searcher : GuidedSearch
    """
    config, games, steps = run.config, run.games, rollout.steps
    others = generator(config, Stream.OPPONENTS, run.updates, config.device)
    rate = partial(networks.rate, run.network)
    for t in range(config.num_steps):
        observation, legal = rollout.observation[t], rollout.legal[t]
        games.present(observation, legal)
        who, mine = steps.note_turn(t, games)
        actions = np.zeros(config.num_envs, np.int64)
        if len(mine):
            seed = np.uint64(runs.draw(config, Stream.PLAY, run.updates * config.num_steps + t))
            luck = [rng.bits(seed, 0, place) for place in mine.tolist()]
            views = Views.of(run.rules, games.states[mine], np.array(luck, np.uint64))
            found = trained.search(searcher, rate, views)
            actions[mine] = found.actions
            rollout.policy[t, mine] = found.policy
            steps.note_values(t, games, mine, found.values)
        run.pool.decide(games, who, observation, legal, others, actions)
        games.step(actions)
        steps.note_results(t, games, 0.0, run.points_scale)


def learn(run: Run, rollout: Rollout) -> Scalars:
    """Improve the network by a rollout.

    Parameters
    ----------
    run : Run
    rollout : Rollout
        From `collect`.

    Returns
    -------
    dict of str to float
        What `learning/` shows of it.
    """
    config, device = run.config, run.config.device
    told = lessons(rollout.steps, run.games, runs.values_now(run), 1.0, config.trace)
    data = Samples(
        observation=rollout.observation.flatten(0, 1),
        legal=rollout.legal.flatten(0, 1),
        policy=torch.from_numpy(rollout.policy).to(device).flatten(0, 1),
        target=torch.from_numpy(told.target).to(device),
        there=torch.from_numpy(told.there).to(device),
    )
    measured = [
        _gradient_step(run, data.take(part), told.variance)
        for part in runs.minibatches(run, torch.from_numpy(told.known))
    ]
    return {
        **loop.means(measured),
        "explained_variance": told.explained_variance,
    }


def _gradient_step(run: Run, data: Samples, variance: float) -> Scalars:
    """Take one step of the optimizer on a minibatch."""
    logits, value = run.network(data.observation, data.legal)
    logs = learning.masked_log_probabilities(logits, data.legal)
    policy = learning.cross_entropy(logs, data.policy).mean()
    value_loss = learning.value_loss(value, data.target, data.there) / variance
    norm = runs.optimize(run, policy + run.config.value_weight * value_loss)
    with torch.no_grad():
        search_entropy = torch.special.entr(data.policy).sum(dim=-1).mean().item()
        return {
            "policy_loss": policy.item(),
            "improvement": policy.item() - search_entropy,
            "value_loss": value_loss.item(),
            "entropy": learning.entropy(logs).mean().item(),
            "search_entropy": search_entropy,
            "gradient_norm": norm,
        }


def play_and_learn(rollout: Rollout, searcher: GuidedSearch, run: Run) -> Scalars:
    """Play a rollout and learn from it.

    Parameters
    ----------
    rollout : Rollout
        Overwritten.
    searcher : GuidedSearch
    run : Run

    Returns
    -------
    dict of str to float
        What `learning/` shows of it.
    """
    collect(run, rollout, searcher)
    return learn(run, rollout)


def begin(run: Run) -> tuple[loop.Learn, Steps]:
    """Allocate what an update needs.

    Parameters
    ----------
    run : Run

    Returns
    -------
    learn : callable
        Does one update of a run.
    steps : Steps
        What it fills.
    """
    config, rollout = _settings(run), empty_rollout(run)
    searcher = GuidedSearch(
        run.rules,
        config.simulations,
        config.candidates,
        config.scale,
        heuristic=config.heuristic,
    )
    return partial(play_and_learn, rollout, searcher), rollout.steps


# --- the run --------------------------------------------------------------------------------------


def train(config: Config) -> None:
    """Train a network that its own search teaches.

    Example: bonebed train expert --game fossil --folder runs/expert --minutes 60

    Parameters
    ----------
    config : Config

    Raises
    ------
    CheckpointError
        The run to be resumed cannot be, naming the file and the reason.
    ValueError
        A setting is not allowed, or the folder already holds a run.
    """
    loop.train(config, "expert iteration", begin)


if __name__ == "__main__":
    import tyro

    try:
        train(tyro.cli(Config))
    except ValueError as error:
        raise SystemExit(f"expert: {error}") from None
