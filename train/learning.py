"""The learning maths that the training scripts share, each piece checked against a loop.

Shapes: T steps of a rollout, B games side by side, P seats, N samples, A actions.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

# Stands for minus infinity in logits: its exponential is exactly 0 and 0 times it is 0, so that an
# entropy never becomes NaN, as it would with a true infinity.
ILLEGAL = -1e9
# Below it a probability is as good as 0, and exp leaves the fast path of the CPU.
FAINT = -80.0


def turn_based_gae(
    rewards: FloatArray,
    seats: IntArray,
    values: FloatArray,
    dones: BoolArray,
    learns: BoolArray,
    next_seats: IntArray,
    next_values: FloatArray,
    next_learns: BoolArray,
    discount: float,
    trace: float,
) -> tuple[FloatArray, BoolArray]:
    """Generalised advantage estimation (Schulman et al. 2016) where several seats take turns.

    A seat's trajectory is made of its own decisions only. The reward of a decision is all that
    comes from then until the seat's next decision or the end of the game, also by what the others
    do in between, and the position after it is the seat's next own decision. `discount` and `trace`
    count own decisions. The seat that decides tells a value for every seat, and gets an advantage
    for every seat: its own is what its action was worth, all of them correct its values. None is
    ever compared with what another seat told, who may know other things.

    A seat that decides and has neither decided again nor seen the end when the rollout stops has a
    last decision of unknown worth (except the seat that is to move then: `next_values`). It is
    marked as incomplete and left out of learning, while its value still serves the seat's decision
    before it. So values are only ever asked for when the seat is to move, the one case that the
    network learns.

    Parameters
    ----------
    rewards : float32 (T, B, P)
        What step t gave each seat.
    seats : int64 (T, B)
        The seat that decided at step t.
    values : float32 (T, B, P)
        The returns of all seats that this seat expected before step t.
    dones : bool (T, B)
        Whether step t ended the game; step t + 1 then belongs to the next game.
    learns : bool (T, B)
        Whether the learner decided; others' decisions only happen to it.
    next_seats : int64 (B,)
        The seat to move after the rollout.
    next_values : float32 (B, P)
        The returns of all seats that it expects.
    next_learns : bool (B,)
        Whether that seat is the learner's.
    discount, trace : float in [0, 1]
        Gamma and lambda.

    Returns
    -------
    advantages : float32 (T, B, P)
        0 where incomplete.
    complete : bool (T, B)
        Whether they are known.
    """
    n_steps, n_games, n_seats = rewards.shape
    games = np.arange(n_games)
    # For each game and seat: the rewards since, the values of, and the advantages at the seat's
    # next decision, each for all seats.
    reward = np.zeros((n_games, n_seats, n_seats), np.float32)
    value = np.zeros((n_games, n_seats, n_seats), np.float32)
    advantage = np.zeros((n_games, n_seats, n_seats), np.float32)
    known = np.zeros((n_games, n_seats), np.bool_)
    value[games, next_seats] = next_values
    known[games, next_seats] = next_learns
    advantages = np.zeros((n_steps, n_games, n_seats), np.float32)
    complete = np.zeros((n_steps, n_games), np.bool_)
    for t in range(n_steps - 1, -1, -1):
        ended = dones[t]
        reward[ended] = 0.0
        value[ended] = 0.0
        advantage[ended] = 0.0
        known[ended] = True
        reward += rewards[t][:, None]
        mine = np.flatnonzero(learns[t])
        mover = (mine, seats[t, mine])
        complete[t, mine] = known[mover]
        surprise = reward[mover] + discount * value[mover] - values[t, mine]
        now = surprise + discount * trace * advantage[mover]
        now[~known[mover]] = 0.0
        advantages[t, mine] = now
        advantage[mover] = now
        value[mover] = values[t, mine]
        reward[mover] = 0.0
        known[mover] = True
    return advantages, complete


def from_seat(table: FloatArray, seats: IntArray, num_players: IntArray) -> FloatArray:
    """Turn rows in the order of the seats into rows that begin with a given seat.

    Parameters
    ----------
    table : float32 (N, P)
        One number for each seat.
    seats : int64 (N,)
        The seat that comes first; the others follow in turn order.
    num_players : int64 (N,)
        Up to P. Columns beyond stay where they are.

    Returns
    -------
    float32 (N, P)
    """
    column = np.arange(table.shape[1])[None]
    n = num_players[:, None]
    source = np.where(column < n, (column + seats[:, None]) % n, column)
    return np.take_along_axis(table, source, 1)


def by_seat(table: FloatArray, seats: IntArray, num_players: IntArray) -> FloatArray:
    """Turn rows that begin with a given seat into rows in the order of the seats.

    Parameters
    ----------
    table, seats, num_players
        As `from_seat` takes and returns them.

    Returns
    -------
    float32 (N, P)
    """
    return from_seat(table, (num_players - seats) % num_players, num_players)


def masked_log_probabilities(logits: Tensor, mask: Tensor) -> Tensor:
    """Log probabilities over the legal actions.

    Parameters
    ----------
    logits : float (N, A)
    mask : bool (N, A)
        True where legal; at least one in each row.

    Returns
    -------
    float (N, A)
        About `ILLEGAL` where illegal: probability exactly 0, and finite, so that no NaN can arise.
    """
    return torch.log_softmax(logits.masked_fill(~mask, ILLEGAL), dim=-1)


def sample(log_probabilities: Tensor, generator: torch.Generator) -> Tensor:
    """Draw one action a row by inverting the cumulated chances; one of chance 0 is never drawn.

    Parameters
    ----------
    log_probabilities : float (N, A)
    generator : torch.Generator
        On the same device; draws N numbers.

    Returns
    -------
    int64 (N,)
    """
    chances = log_probabilities.clamp_min(FAINT).exp() * (log_probabilities > FAINT)
    ladder = chances.cumsum(dim=-1)  # stays level at illegal actions, so that none of them is hit
    height = torch.rand(len(ladder), 1, generator=generator, device=ladder.device) * ladder[:, -1:]
    below_top = torch.nextafter(ladder[:, -1:], torch.zeros_like(height))
    return (ladder <= torch.minimum(height, below_top)).sum(dim=-1)


def entropy(log_probabilities: Tensor) -> Tensor:
    """Shannon entropy of each row.

    Parameters
    ----------
    log_probabilities : float (N, A)
        Finite, from `masked_log_probabilities`.

    Returns
    -------
    float (N,)
        In nats.
    """
    likely = log_probabilities.clamp_min(FAINT)
    return -(likely.exp() * likely).sum(dim=-1)


def policy_loss(
    log_probability: Tensor, old_log_probability: Tensor, advantage: Tensor, clip: float
) -> Tensor:
    """PPO's clipped surrogate (Schulman et al. 2017), averaged, to be minimised.

    Parameters
    ----------
    log_probability, old_log_probability : float (N,)
        Of the action taken, under the network now and when it was taken.
    advantage : float (N,)
    clip : float
        How far the ratio of the two may leave 1 before it stops paying.

    Returns
    -------
    float scalar
    """
    ratio = (log_probability - old_log_probability).exp()
    bounded = ratio.clamp(1.0 - clip, 1.0 + clip)
    return -torch.minimum(ratio * advantage, bounded * advantage).mean()


def value_loss(value: Tensor, target: Tensor, there: Tensor) -> Tensor:
    """Mean squared error over the seats that are in the game.

    Parameters
    ----------
    value : float (N, at least P)
    target : float (N, P)
    there : bool (N, P)

    Returns
    -------
    float scalar
    """
    error = (value[:, : target.shape[1]] - target) * there
    return error.square().sum() / there.sum()


def cross_entropy(log_probabilities: Tensor, policy: Tensor) -> Tensor:
    """Cross-entropy of each row with a policy that is to be learned.

    Parameters
    ----------
    log_probabilities : float (N, A)
        Finite, from `masked_log_probabilities`.
    policy : float (N, A)
        Chances; 0 where illegal.

    Returns
    -------
    float (N,)
        In nats.
    """
    return -(policy * log_probabilities).sum(dim=-1)


def normalised(advantage: FloatArray, known: IntArray) -> FloatArray:
    """Move advantages to mean 0 and scale them to deviation 1.

    Parameters
    ----------
    advantage : float32 (N,)
    known : int64 (n,)
        Which of them count.

    Returns
    -------
    float32 (N,)
    """
    counted = advantage[known]
    return np.asarray((advantage - counted.mean()) / (counted.std() + 1e-8), np.float32)


def explained_variance(prediction: FloatArray, target: FloatArray) -> float:
    """Return the part of the target's variance that the prediction explains.

    Parameters
    ----------
    prediction, target : float32 (N,)

    Returns
    -------
    float
        1 is perfect, 0 no better than a constant; 0 where the target does not vary.
    """
    variance = float(target.var())
    return 1.0 - float((target - prediction).var()) / variance if variance > 0.0 else 0.0
