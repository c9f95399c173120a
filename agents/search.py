"""The players that search: faces of the compiled searches in `kernels/search.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..kernels import search
from .base import BatchedAgent, parameter

if TYPE_CHECKING:
    from ..envs.view import Views


@dataclass(frozen=True)
class Rollout(BatchedAgent):
    """Flat Monte Carlo: plays each action out at random and takes the one with the best results.

    Parameters
    ----------
    playouts : int
        Random games for each legal action, each from a fresh guess at what is hidden.
    """

    name: ClassVar[str] = "rollout"
    playouts: int = parameter(20, low=1, high=10**6, doc="random games for each legal action")

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)
        """
        out = np.empty(len(views), np.int64)
        search.rollout_actions(views.states, views.seeds, out, self.playouts)
        return out


@dataclass(frozen=True)
class ISMCTS(BatchedAgent):
    """Information-set Monte Carlo tree search for any number of players.

    Parameters
    ----------
    simulations : int
        Simulations for each decision.
    exploration : float
        Weight of the exploration term; 0 only exploits.
    """

    name: ClassVar[str] = "ismcts"
    simulations: int = parameter(1000, low=1, high=10**7, doc="simulations for each decision")
    exploration: float = parameter(0.2, low=0.0, doc="weight of trying what was tried little")

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)
        """
        out = np.empty(len(views), np.int64)
        search.ismcts_actions(views.states, views.seeds, out, self.simulations, self.exploration)
        return out
