"""The Gymnasium environment of a game: one seat learns, agents play the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..kernels.batch import checked_seed
from ..kernels.seats import Autoreset
from . import saved, table
from .seats import Compiled, Decider, Seats, observation_space
from .settings import check
from .spaces import ActionSpace

if TYPE_CHECKING:
    from .view import View


class LegalActionSpace(ActionSpace):
    """`Discrete(n)` that samples legal actions of an environment where no mask is given.

    Copies and pickles of it alone are plain action spaces.

    Parameters
    ----------
    seats : Seats
        One game.
    """

    def __init__(self, seats: Seats) -> None:
        super().__init__(seats.rules.n_actions)
        self._seats = seats

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random action.

        Parameters
        ----------
        mask : int8 array (n,), optional
            1 for each action to choose from; default the legal ones, and all where none is.
        probability : float64 array (n,), optional
            Instead of a mask: the probability of each action.

        Returns
        -------
        numpy.int64
        """
        if mask is None and probability is None and self._seats.mask.any():
            mask = self._seats.mask[0]
        return super().sample(mask, probability)

    def __reduce__(self) -> Any:
        """Leave the environment behind."""
        return ActionSpace, (int(self.n),), {"_np_random": self._np_random}


class SeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game from one seat: the learner decides, the others play, the learner decides again.

    Made by `gymnasium.make("bonebed/Fossil-v0", opponents="greedy", seat=0, num_players=2)`.

    Parameters
    ----------
    game : str
    opponents : sequence of (Compiled or Decider)
        One for each other seat, in turn order after the learner.
    seat : int or None
        The learner's seat; None draws a new one for every game from its seed.
    reward : str
        `outcome` (default): the final result in [-1, 1] at the end of the game, before that 0.
        `points`: the points that the learner gained since its last decision. `margin`: those less
        the mean of what the others gained.
    illegal : str
        What an illegal action does. `error` (default): IllegalActionError, and nothing has changed.
        `terminate`: it ends the game; for algorithms without masks, and for `check_env`, whose
        actions are unmasked.
    illegal_reward : float
        Reward for ending the game in that way.
    render_mode : str, optional
        `ansi`: `render()` returns a drawing in text.
    **options : object
        Options of the game, `num_players` among them.

    Attributes
    ----------
    observation_space : Box(-1, 1, (obs_size,), float32)
    action_space : Discrete(n_actions)
        `sample()` gives a legal action.

    Raises
    ------
    ValueError
        For an unknown game or option, or a value that is not allowed; the message lists what is.

    Notes
    -----
    `info` holds `action_mask` (int8, 1 = legal; all 0 when the game is over) and `seat` (the
    learner's); at the end of a game also `score` and `outcome` (of every seat). The learner gets
    its last reward whoever ends the game. `terminated` is the only end; nothing is truncated.

    `reset(seed=s)` begins a sequence of games that follows from s: the first has the seed `bits(s,
    EPISODE, 0)`, and every `reset()` without a seed deals the next. No global generator is used or
    touched. `copy.deepcopy`, `pickle` and `get_state` / `set_state` are exact in mid-game.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        opponents: Sequence[Compiled | Decider],
        *,
        seat: int | None = 0,
        reward: str = "outcome",
        illegal: str = "error",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.game = game
        self.render_mode = render_mode
        self.seats = Seats(
            table.rules(game),
            1,
            opponents,
            seat=seat,
            reward=reward,
            autoreset=Autoreset.DISABLED,
            illegal=illegal,
            illegal_reward=illegal_reward,
            **options,
        )
        self.observation_space = observation_space(self.seats.rules)
        self.action_space = LegalActionSpace(self.seats)

    @property
    def num_players(self) -> int:
        """Number of players."""
        return self.seats.num_players

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self.seats.seat[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal a game and play to the learner's first decision.

        Parameters
        ----------
        seed : int, optional
            In [0, 2**64): begins the sequence of games that follows from it. Without one: the next
            game of the sequence, at first of one begun by chance.
        options : dict, optional
            Not used: the game's options are given when the environment is made.

        Returns
        -------
        tuple of (float32 array (obs_size,), dict)
            Observation and info, both fresh.

        Raises
        ------
        ValueError
            For a seed out of range.
        """
        super().reset(seed=None if seed is None else int(checked_seed(seed)))
        self.seats.reset([seed])
        return self.seats.obs[0].copy(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's action and go on to its next decision or the end.

        Parameters
        ----------
        action : int
            A legal one.

        Returns
        -------
        tuple of (float32 array (obs_size,), float, bool, bool, dict)
            Observation, reward, terminated, truncated (always False) and info; arrays are fresh.

        Raises
        ------
        IllegalActionError
            For an illegal action, naming it and the legal ones; nothing has changed. Not with
            `illegal="terminate"`.
        RuntimeError
            Before the first reset and after the end of a game.
        """
        self.seats.step(np.atleast_1d(action))
        done = bool(self.seats.done[0])
        info = self._info()
        if done:
            info["score"] = self.seats.score[0].copy()
            info["outcome"] = self.seats.outcome[0].copy()
        return self.seats.obs[0].copy(), float(self.seats.reward[0]), done, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask under the name that sb3-contrib looks for.

        Returns
        -------
        bool array (n_actions,)
            True = legal; all False when the game is over.
        """
        mask: NDArray[np.bool_] = self.seats.mask[0].astype(np.bool_)
        return mask

    def render(self) -> str | None:  # type: ignore[override]
        """Draw the game as the learner sees it.

        Returns
        -------
        str or None
            Several lines of text; None without a `render_mode`.

        Raises
        ------
        RuntimeError
            Before the first reset.
        """
        return None if self.render_mode is None else self.view().text()

    def view(self) -> View:
        """Return what the learner may know, for instance to ask an agent for its action.

        Returns
        -------
        View

        Raises
        ------
        RuntimeError
            Before the first reset.
        """
        return self.seats.view(0)

    def get_state(self) -> bytes:
        """Return the game and its place in the sequence of games.

        Returns
        -------
        bytes
        """
        return saved.pack(self._identity(), self.seats.save())

    def set_state(self, data: bytes) -> None:
        """Go on from what `get_state` returned, here or in an environment made in the same way.

        Parameters
        ----------
        data : bytes

        Raises
        ------
        ValueError
            If the data is damaged, holds what cannot be, or comes from an environment made in
            another way: other rules, options, seat, reward, opponents (by their text) or answer to
            illegal actions. Nothing has changed then.
        """
        _, games = saved.unpack(data, self._identity(), len(self.seats.save()))
        self.seats.load(games)

    def _identity(self) -> dict[str, Any]:
        """Return what has to be the same for a saved state to fit."""
        return {
            "env": "seat",
            "rules": table.rules(self.game).rules_hash,
            "options": self.seats.options,
            **self.seats.made,
        }

    def _info(self) -> dict[str, Any]:
        """Make the info of the current decision."""
        return {"action_mask": self.seats.mask[0].copy(), "seat": self.seat}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copied or pickled environment, and bind its action space to its own game."""
        vars(self).update(state)
        space = LegalActionSpace(self.seats)
        vars(space).update(
            (key, value) for key, value in vars(self.action_space).items() if key != "_seats"
        )
        self.action_space = space
