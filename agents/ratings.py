"""What a set of games says about strength: means with intervals over deals, and ratings.

Games on the same deal are not independent (that is why they are paired), so every interval is taken
over deals: what an agent did on one deal is one observation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import isfinite, nan, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Z = NormalDist().inv_cdf(0.975)  # half-width of a 95 % interval, in standard errors


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes
    ----------
    value, low, high : float
        `low` and `high` are NaN where one deal alone says nothing of the spread.
    """

    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float | None]:
        """Return the three numbers by name, None in place of NaN.

        Returns
        -------
        dict of str to float or None
        """
        return {key: x if isfinite(x) else None for key, x in asdict(self).items()}


@dataclass(frozen=True)
class Rating:
    """A rating of OpenSkill's Plackett-Luce model; a new player starts at 25 with a sigma of 8.3.

    Attributes
    ----------
    mu : float
        Strength.
    sigma : float
        Its uncertainty. Games on one deal count as independent here, so it is a little too small.
    """

    mu: float
    sigma: float


def bounded_mean(totals: ArrayLike, counts: ArrayLike, low: float, high: float) -> Estimate:
    """Estimate the mean of something that lies between two bounds.

    The interval is that of Agresti and Coull ("Approximate is better than exact", 1998), carried
    over from single trials to deals: Z**2 / 2 imagined deals at either bound are added, then the
    usual interval of a ratio is taken. Its middle is that of Wilson's interval. It lies within the
    bounds, keeps its width when all deals went the same way, and profits from the pairing when the
    seatings of a deal balance each other.

    Parameters
    ----------
    totals : array (n_deals,)
        Sum of the observations of each deal.
    counts : array (n_deals,)
        Number of observations of each deal.
    low, high : float
        The bounds of one observation.

    Returns
    -------
    Estimate
    """
    totals, counts = np.asarray(totals, float), np.asarray(counts, float)
    typical = counts.mean()
    imagined = Z**2 / 2
    size = counts.sum() + 2 * imagined * typical
    centre = (totals.sum() + imagined * typical * (low + high)) / size
    spread = ((totals - centre * counts) ** 2).sum()
    spread += imagined * typical**2 * ((low - centre) ** 2 + (high - centre) ** 2)
    half = Z * sqrt(spread) / size
    value = totals.sum() / counts.sum()
    return Estimate(float(value), float(max(low, centre - half)), float(min(high, centre + half)))


def mean(totals: ArrayLike, counts: ArrayLike) -> Estimate:
    """Estimate the mean of something without bounds, with the usual interval of a ratio.

    Parameters
    ----------
    totals : array (n_deals,)
        Sum of the observations of each deal.
    counts : array (n_deals,)
        Number of observations of each deal.

    Returns
    -------
    Estimate
        Without an interval when there is but one deal. With less than some 30 deals it is a little
        too narrow: it takes the normal distribution for Student's.
    """
    totals, counts = np.asarray(totals, float), np.asarray(counts, float)
    value = float(totals.sum() / counts.sum())
    n = len(totals)
    if n < 2:
        return Estimate(value, nan, nan)
    spread = ((totals - value * counts) ** 2).sum() * n / (n - 1)
    half = float(Z * sqrt(spread) / counts.sum())
    return Estimate(value, value - half, value + half)


def openskill(
    num_agents: int, games: Iterable[tuple[NDArray[np.int64], NDArray[np.float64]]]
) -> list[Rating] | list[None]:
    """Rate agents by the games that they played, one after the other.

    Parameters
    ----------
    num_agents : int
    games : iterable of (int (n,), float (n,))
        For each game the agent in each seat and its rank, 1 the best. An agent with several seats
        enters with the mean of its ranks.

    Returns
    -------
    list of Rating or None
        One for each agent; None if OpenSkill is not installed or there is but one agent.
    """
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError:
        return [None] * num_agents
    if num_agents < 2:
        return [None] * num_agents
    model = PlackettLuce(tau=0.0)  # agents do not change from game to game
    ratings = [model.rating() for _ in range(num_agents)]
    for seats, ranks in games:
        there = np.unique(seats)
        mean_ranks = [float(ranks[seats == agent].mean()) for agent in there]
        rated = model.rate([[ratings[agent]] for agent in there], ranks=mean_ranks)
        for agent, (rating,) in zip(there, rated, strict=True):
            ratings[agent] = rating
    return [Rating(float(rating.mu), float(rating.sigma)) for rating in ratings]
