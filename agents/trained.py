"""The neural player: decides by a network alone, or by the search that it guides.

That search is compiled, in `kernels/guided.py`; here is its face.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..envs import table
from ..kernels.guided import Guided, GuidedSearch
from . import base, sampling
from .network import check_card, choose, latest, network_of, rate, read_card

if TYPE_CHECKING:
    from ..envs.view import Views

Evaluate: TypeAlias = Callable[
    [NDArray[np.float32], NDArray[np.int8]], tuple[NDArray[np.float32], NDArray[np.float32]]
]
AT_ONCE = 256  # games searched in lockstep
ANSWERS_KEPT = 2**17  # of the network, in all their trees: some 130 MB for 250 actions


def search(searcher: GuidedSearch, evaluate: Evaluate, views: Views, forced: bool = True) -> Guided:
    """Search views, as many at once as memory should hold.

    Parameters
    ----------
    searcher : GuidedSearch
    evaluate : callable
        As `GuidedSearch.run` takes it.
    views : Views
        n views.
    forced : bool
        Search also where there is one legal action only.

    Returns
    -------
    Guided
        Of n positions.
    """
    size = max(1, min(AT_ONCE, ANSWERS_KEPT // (searcher.simulations + 1)))
    parts = [
        searcher.run(views.states[a : a + size], views.seeds[a : a + size], evaluate, forced)
        for a in range(0, max(1, len(views)), size)
    ]
    arrays = ([getattr(part, field.name) for part in parts] for field in fields(Guided))
    return Guided(*map(np.concatenate, arrays))


def search_actions(
    searcher: GuidedSearch, evaluate: Evaluate, views: Views, temperature: float
) -> NDArray[np.int64]:
    """Choose an action for each of several views.

    Parameters
    ----------
    searcher : GuidedSearch
    evaluate : callable
        As `GuidedSearch.run` takes it.
    views : Views
        n views.
    temperature : float
        0 for the search's choice; otherwise an action is drawn from its improved policy, as
        `sampling.choose` does by the logits of that.

    Returns
    -------
    int64 (n,)
    """
    found = search(searcher, evaluate, views, forced=False)
    if temperature == 0.0:
        return np.asarray(found.actions, np.int64)
    with np.errstate(divide="ignore"):  # a share can be too small for a float32
        logits = np.log(found.policy)
    return sampling.choose(logits, views.mask, views.seeds, temperature)


@dataclass
class NetworkAgent(base.BatchedAgent):
    """A trained network: a checkpoint of `train ppo`.

    The decision for a view does not depend on the others that are asked with it, up to the rounding
    of sums in another order: it can change where two actions are equally good to about six digits.

    Attributes
    ----------
    path : str
        A checkpoint's folder, or a run's folder, which means its last checkpoint.
    temperature : float
        0 always plays the likeliest action, 1 draws as it did while it learned. With a search 0
        plays its choice, which follows from the deals that it looks at alone, and 1 draws from its
        improved policy.
    simulations : int
        Of the tree search that the network guides at each decision (`kernels/guided.py`); 0 plays
        by the network's policy alone.
    candidates : int
        Most actions that the search compares.
    scale : float
        Weight of what the search finds, against the network's policy.
    heuristic : float
        The share of the game's own heuristic, beside the network's values, in what the search takes
        a position to be worth.
    any_rules : bool
        Play also where rules or component sheet have changed since it learned.
    """

    name: ClassVar[str] = "network"
    path: str = base.parameter(doc="folder of a checkpoint, or of a run: its last one")
    temperature: float = base.parameter(
        0.0, low=0.0, doc="0 for the likeliest action, 1 as learned"
    )
    simulations: int = base.parameter(
        0, low=0, high=10**5, doc="simulations of a tree search for each decision; 0 for no search"
    )
    candidates: int = base.parameter(16, low=1, doc="most actions that the search compares")
    scale: float = base.parameter(0.5, low=0.0, doc="weight of what the search finds")
    heuristic: float = base.parameter(
        0.0, low=0.0, high=1.0, doc="share of the game's own heuristic in what the search finds"
    )
    any_rules: bool = base.parameter(False, doc="play also under changed rules")

    def prepare(self, game: str) -> None:
        """Load the checkpoint.

        Parameters
        ----------
        game : str

        Raises
        ------
        CheckpointError
            Naming the file and what is wrong: missing, truncated, made for another game, layout or
            rules.
        """
        checkpoint = latest(Path(self.path))
        card = read_card(checkpoint)
        rules = table.rules(game)
        check_card(checkpoint, card, rules, self.any_rules)
        self._network = network_of(checkpoint, card)
        self._searcher = None
        if self.simulations:
            self._searcher = GuidedSearch(
                rules,
                self.simulations,
                self.candidates,
                self.scale,
                noise=False,
                heuristic=self.heuristic,
            )

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several independent games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)
        """
        if self._searcher is None:
            return choose(self._network, views, self.temperature)
        evaluate = partial(rate, self._network)
        return search_actions(self._searcher, evaluate, views, self.temperature)
