"""What an agent is given to decide: a view of the game from one seat, or a batch of such views.

A view is made from a copy of the game in which everything that the seat cannot know was dealt anew,
and all future chance drawn anew, so neither the truth nor the future can be read from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import batch
from . import table

if TYPE_CHECKING:
    from ..kernels.rules import Rules


def tell(rules: Rules, before: Any, action: int, after: Any, player: int | None = None) -> str:
    """Say what a step did, as a seat may know it.

    Parameters
    ----------
    rules : Rules
    before, after : STATE record
        The true game before and after the step.
    action : int
    player : int, optional
        The seat that is told; default everything is told.

    Returns
    -------
    str
        One line, without who acted; empty where the seat learns of nothing.
    """
    face = table.face(rules.name)
    words: str
    if hasattr(face, "tell"):
        words = face.tell(before, action, after, player)
    else:  # a game without secrets: what happens is what was meant
        words = face.describe(before, action)
    return words


@dataclass(frozen=True, eq=False)
class View:
    """All that one seat of a game may know.

    Attributes
    ----------
    rules : Rules
        The game.
    player : int
        The seat that looks.
    num_players : int
    seed : numpy.uint64
        Luck for this decision; an agent draws all its chance from it.
    observation : float32 array (obs_size,)
        Read-only.
    fields : OBS record
        The observation by the names of its fields.
    mask : int8 array (n_actions,)
        1 for each action that the seat may choose now; all 0 when it is not its turn. Read-only.
    actions : int64 array (n,)
        The same as a list, ascending.
    state : STATE record
        A game that is consistent with what the seat knows.

    Examples
    --------
    >>> from bonebed.envs import View, table
    >>> game = table.rules("fossil")
    >>> view = View.of(game, game.new(seed=1), seed=7)
    >>> view.player, len(view.actions)
    (1, 49)
    >>> view.decode(12)
    ('place', {'cell': 12})
    """

    rules: Rules
    player: int
    seed: np.uint64
    observation: NDArray[np.float32]
    mask: NDArray[np.int8]
    _states: NDArray[np.void] = field(repr=False)

    @classmethod
    def of(cls, rules: Rules, state: Any, seed: int, player: int | None = None) -> View:
        """Make the view that a seat has of a true state.

        Parameters
        ----------
        rules : Rules
        state : STATE record
            Not kept and not changed.
        seed : int
            Luck for the decision, in [0, 2**64); it must not come from the state's own seed.
        player : int, optional
            Default the player to move.

        Returns
        -------
        View

        Raises
        ------
        ValueError
            If there is no such seat.
        """
        states = np.array([state], rules.STATE)
        seeds = np.array([seed], np.uint64)
        to_play = int(states["to_play"][0])
        if player is None or player == to_play:
            return Views.of(rules, states, seeds)[0]
        if not 0 <= player < states["num_players"][0]:
            raise ValueError(f"player is {player}; seats are 0 to {states['num_players'][0] - 1}")
        batch.imagine(states, np.int64(player), seeds[0])
        obs = np.zeros(1, rules.OBS)
        rules.observe(states[0], np.int64(player), obs[0])
        observation, mask = obs.view(np.float32), np.zeros(rules.n_actions, np.int8)
        observation.flags.writeable = mask.flags.writeable = False
        return cls(rules, player, seeds[0], observation, mask, states)

    @property
    def num_players(self) -> int:
        """Number of players in the game."""
        return int(self._states["num_players"][0])

    @property
    def fields(self) -> Any:
        """The observation by the names of its fields."""
        return self.observation.view(self.rules.OBS)[0]

    @property
    def state(self) -> Any:
        """A game that is consistent with what the seat knows."""
        return self._states[0]

    @cached_property
    def actions(self) -> NDArray[np.int64]:
        """The actions that the seat may choose now, ascending."""
        return np.flatnonzero(self.mask)

    def decode(self, action: int) -> tuple[str, dict[str, int]]:
        """Return an action's block and the values of its fields.

        Parameters
        ----------
        action : int

        Returns
        -------
        tuple of (str, dict of str to int)

        Raises
        ------
        ValueError
            If there is no such action.
        """
        block: str
        block, values = self.rules.actions.decode(action)
        return block, values

    def words(self, action: int) -> str:
        """Say what an action would do here.

        Parameters
        ----------
        action : int

        Returns
        -------
        str
            One line.
        """
        words: str = table.face(self.rules.name).describe(self.state, action)
        return words

    def text(self) -> str:
        """Draw the game as this seat sees it.

        Returns
        -------
        str
            Several lines.
        """
        drawing: str = table.face(self.rules.name).draw(self.state, self.player)
        return drawing

    def guide(self) -> str:
        """Tell how the game is played.

        Returns
        -------
        str
            In short where the game's environment has a `guide`, else where its rules stand.
        """
        face = table.face(self.rules.name)
        if not hasattr(face, "guide"):
            return f"The rules of {self.rules.title} are in docs/games/{self.rules.name}.md."
        told: str = face.guide(self.state)
        return told

    def imagine(self, n: int, seed: int | None = None) -> NDArray[np.void]:
        """Deal games that are consistent with what the seat knows, uniformly and independently.

        Parameters
        ----------
        n : int
            How many.
        seed : int, optional
            In [0, 2**64); default the view's own.

        Returns
        -------
        STATE array (n,)
            The caller's own; to be played with the generic functions of `bonebed.kernels.rules`.
        """
        states = np.repeat(self._states, n)
        batch.imagine(states, np.int64(self.player), np.uint64(self.seed if seed is None else seed))
        return states

    def as_views(self) -> Views:
        """Return this view as a batch of one.

        Returns
        -------
        Views
            It shares this view's memory.
        """
        return Views(
            self.rules,
            self._states,
            np.array([self.player]),
            np.array([self.seed]),
            self.observation[None],
            self.mask[None],
        )


@dataclass(frozen=True, eq=False)
class Views:
    """Views of n games, each from the seat that is to move; `views[i]` is one of them.

    Attributes
    ----------
    rules : Rules
        The game.
    states : STATE array (n,)
        For each view a game that is consistent with what its seat knows.
    player : int64 array (n,)
    seeds : uint64 array (n,)
        Luck for each decision.
    observation : float32 array (n, obs_size)
        Read-only, as is the mask: whoever decides cannot change what others are told.
    mask : int8 array (n, n_actions)
    """

    rules: Rules
    states: NDArray[np.void]
    player: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    observation: NDArray[np.float32]
    mask: NDArray[np.int8]

    @classmethod
    def of(cls, rules: Rules, states: NDArray[np.void], seeds: NDArray[np.uint64]) -> Views:
        """Make views from true states, in one compiled call.

        Parameters
        ----------
        rules : Rules
        states : STATE array (n,)
            Not kept and not changed.
        seeds : uint64 array (n,)
            Luck for each decision; it must not come from the states' own seeds.

        Returns
        -------
        Views
        """
        n = len(states)
        known = np.empty(n, rules.STATE)
        obs = np.empty(n, rules.OBS)
        observation = obs.view(np.float32).reshape(n, rules.obs_size)
        mask = np.empty((n, rules.n_actions), np.int8)
        scratch = np.empty(rules.n_actions, np.int32)
        batch.prepare_views(states, seeds, scratch, known, observation, obs, mask)
        observation.flags.writeable = mask.flags.writeable = False
        return cls(rules, known, states["to_play"].astype(np.int64), seeds, observation, mask)

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, i: int) -> View:
        """Return one view; it shares the memory of the batch."""
        if not 0 <= i < len(self):
            raise IndexError(f"view {i} of {len(self)}")
        return View(
            self.rules,
            int(self.player[i]),
            self.seeds[i],
            self.observation[i],
            self.mask[i],
            self.states[i : i + 1],
        )

    def take(self, chosen: NDArray[np.int64]) -> Views:
        """Pick some of the views.

        Parameters
        ----------
        chosen : int64 array (m,)
            Their places.

        Returns
        -------
        Views
            m of them, copied.
        """
        return Views(
            self.rules,
            self.states[chosen],
            self.player[chosen],
            self.seeds[chosen],
            self.observation[chosen],
            self.mask[chosen],
        )
