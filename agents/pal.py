"""The automated opponent of a rulebook, in a game where its seat is a player's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..envs import table
from .base import BatchedAgent

if TYPE_CHECKING:
    from ..envs.view import Views


@dataclass(frozen=True)
class Pal(BatchedAgent):
    """Plays the automated opponent's seat as the rulebook says: `pal` of Fossilium's solo game."""

    name: ClassVar[str] = "pal"

    def prepare(self, game: str) -> None:
        """Refuse games whose rulebook plays no seat.

        Parameters
        ----------
        game : str

        Raises
        ------
        ValueError
            If there is no automated opponent; names the games that have one.
        """
        if table.rules(game).automatic is None:
            raise ValueError(f"pal plays the automated opponent of a rulebook; {game} has none")

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several games.

        Parameters
        ----------
        views : Views
            n views of the automated opponent's seat, which hides nothing from itself.

        Returns
        -------
        int64 (n,)

        Raises
        ------
        ValueError
            If another seat is to move.
        """
        rules = views.rules
        automatic = rules.automatic
        assert automatic is not None, "prepare has refused other games"
        choices = np.empty(len(views), np.int64)
        for i, state in enumerate(views.states):
            if state["to_play"] != automatic.seat:
                raise ValueError(
                    f"pal plays the seat {rules.agent_names[automatic.seat]}; "
                    f"asked for {rules.agent_names[state['to_play']]}"
                )
            choices[i] = automatic.choice(state)
        return choices
