"""The two simplest players: any legal action, and the one after which the seat stands best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..kernels import batch
from .base import BatchedAgent, parameter

if TYPE_CHECKING:
    from ..envs.view import Views
    from ..kernels.rules import Rules


@dataclass(frozen=True)
class Random(BatchedAgent):
    """Plays any legal action, all equally likely."""

    name: ClassVar[str] = "random"

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
        choices = np.empty(len(views), np.int64)
        scratch = np.empty(views.rules.n_actions, np.int32)
        batch.random_actions(views.states, views.seeds, scratch, choices)
        return choices


@dataclass(frozen=True)
class Greedy(BatchedAgent):
    """Plays the action after which the game's own heuristic thinks most of the seat; ties by luck.

    Parameters
    ----------
    samples : int
        Positions consistent with what the seat knows over which the heuristic is averaged; where
        nothing is hidden one is enough.
    """

    name: ClassVar[str] = "greedy"
    samples: int = parameter(
        8, low=1, high=10**6, doc="positions averaged, where something is hidden"
    )

    def samples_in(self, rules: Rules) -> int:
        """Return over how many positions the heuristic is averaged in a game.

        Parameters
        ----------
        rules : Rules

        Returns
        -------
        int
            1 with perfect information.
        """
        return 1 if rules.perfect_information else self.samples

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
        choices = np.empty(len(views), np.int64)
        actions = np.empty(views.rules.n_actions, np.int32)
        positions = np.empty(2, views.rules.STATE)
        samples = self.samples_in(views.rules)
        batch.greedy_actions(views.states, views.seeds, samples, actions, positions, choices)
        return choices
