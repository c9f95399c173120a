"""The native Gymnasium vector environment of a game: many games, one learner in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..kernels.batch import checked_seed
from ..kernels.seats import Autoreset
from . import table
from .seats import Compiled, Decider, Seats, observation_space
from .settings import check

MODES = {
    AutoresetMode.SAME_STEP: Autoreset.SAME_STEP,
    AutoresetMode.NEXT_STEP: Autoreset.NEXT_STEP,
    AutoresetMode.DISABLED: Autoreset.DISABLED,
}

Array = NDArray[Any]


class SeatVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], Array]):
    """Many games of one kind, each from the learner's seat, in one native call a step.

    It equals as many `SeatEnv` under Gymnasium's `SyncVectorEnv`, and is much faster.

    Made by `gymnasium.make_vec("bonebed/Fossil-v0", num_envs=64,
    vectorization_mode="vector_entry_point")`.

    Parameters
    ----------
    game : str
    num_envs : int
        Number of games B.
    opponents : sequence of (Compiled or Decider)
        One for each other seat, in turn order after the learner; the same in all games.
    seat, reward, illegal, illegal_reward
        As in `SeatEnv`.
    autoreset_mode : AutoresetMode or str
        `SAME_STEP` (default): the step that ends a game returns the first observation of the next
        one, and the last of the old one as `infos["final_obs"][i]`, with its info in
        `infos["final_info"]`. `NEXT_STEP`: it returns the last one, and the next step, whose action
        is not read, deals the next game. `DISABLED`: ended games are reset by
        `reset(options={"reset_mask": mask})`. Also as text: `"SameStep"`, `"NextStep"`,
        `"Disabled"`. Gymnasium's `RecordEpisodeStatistics` counts right under `NEXT_STEP`
        only.
    copy : bool
        True (default): every array that is handed out is fresh. False: observations and masks are
        the buffers that the next step writes into, which saves copying them; read or copy them
        before the next step.
    render_mode : str, optional
        `ansi`: `render()` returns a drawing in text of every game.
    **options : object
        Options of the game, `num_players` among them.

    Attributes
    ----------
    single_observation_space : Box(-1, 1, (obs_size,), float32)
    single_action_space : Discrete(n_actions)
    metadata : dict
        `autoreset_mode` is the mode in use.

    Raises
    ------
    ValueError
        For an unknown game or option, or a value that is not allowed; the message lists what is.

    Notes
    -----
    `infos` holds `action_mask` (B, n_actions) int8 and `seat` (B,), and for games that ended
    `score` and `outcome`, each with the usual `_key` array that marks the games it is given for.

    `reset(seed=s)` seeds game i with s + i, as Gymnasium's own vector environments do; a list seeds
    each game.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        opponents: Sequence[Compiled | Decider],
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        check("render_mode", render_mode, (None, "ansi"))
        mode = _mode(autoreset_mode)
        self.game = game
        self.render_mode = render_mode
        self.copy = copy
        self.seats = Seats(
            table.rules(game), num_envs, opponents, autoreset=MODES[mode], **settings
        )
        self.num_envs = self.seats.num_envs
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1, "autoreset_mode": mode}
        self.single_observation_space = observation_space(self.seats.rules)
        self.single_action_space = spaces.Discrete(self.seats.rules.n_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def num_players(self) -> int:
        """Number of players in each game."""
        return self.seats.num_players

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal games and play to the learners' first decisions.

        Parameters
        ----------
        seed : int or sequence of (int or None), optional
            Game i gets `seed + i`, or `seed[i]`: it begins the sequence of games that follows from
            that number. Without one: the next game of its sequence, at first of one begun by
            chance.
        options : dict, optional
            `reset_mask`, a bool array (B,): only these games are reset.

        Returns
        -------
        tuple of (float32 array (B, obs_size), dict)
            Observations and infos.

        Raises
        ------
        ValueError
            For a wrong number of seeds, a seed out of range or an unsuitable `reset_mask`.
        """
        chosen = (options or {}).get("reset_mask")
        if chosen is not None:
            chosen = np.asarray(chosen)
            if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
                raise ValueError(f"reset_mask has to be a bool array ({self.num_envs},)")
        if isinstance(seed, int | float | str | np.number):
            first = int(checked_seed(seed))
            seed = [first + i for i in range(self.num_envs)]
            checked_seed(seed[-1])
            super().reset(seed=first)
        self.seats.reset(seed, chosen)
        return self._kept(self.seats.obs), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], Array, Array, Array, dict[str, Any]]:
        """Play one action in each game and go on to the learners' next decisions.

        Parameters
        ----------
        actions : int array (B,)
            Legal ones; not read for games that this step deals anew under `NEXT_STEP`.

        Returns
        -------
        tuple
            Observations float32 (B, obs_size), rewards float64 (B,), terminations bool (B,),
            truncations bool (B,) (all False) and infos.

        Raises
        ------
        IllegalActionError
            For an illegal action, naming the game, the action and the legal ones; nothing has
            changed.
        RuntimeError
            If a game has to be reset first.
        """
        seats = self.seats
        seats.step(actions)
        infos = self._infos()
        if seats.done.any():
            ended = seats.done.copy()
            final: dict[str, Array] = {"score": seats.score, "outcome": seats.outcome}
            if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
                final |= {
                    "action_mask": np.zeros_like(seats.mask),
                    "seat": seats.final_seat.astype(np.int64),
                }
                infos["final_obs"] = _rows(seats.final_obs, ended)
                infos["final_info"] = _where(ended, final)
                infos["_final_obs"] = infos["_final_info"] = ended
            else:
                infos |= _where(ended, final)
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._kept(seats.obs), seats.reward.copy(), seats.done.copy(), truncations, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of all games.

        Returns
        -------
        bool array (B, n_actions)
            True = legal; all False where a game is over.
        """
        return self.seats.mask.astype(np.bool_)

    def render(self) -> tuple[str, ...] | None:  # type: ignore[override]
        """Draw every game as its learner sees it.

        Returns
        -------
        tuple of str, or None
            None without a `render_mode`.
        """
        if self.render_mode is None:
            return None
        return tuple(self.seats.view(i).text() for i in range(self.num_envs))

    def _kept(self, buffer: Array) -> Array:
        """Return what may be handed out of a buffer: a copy, unless `copy=False` was asked for."""
        return buffer.copy() if self.copy else buffer

    def _infos(self) -> dict[str, Any]:
        """Make the infos of the current decisions."""
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._kept(self.seats.mask),
            "_action_mask": everywhere,
            "seat": self.seats.seat.astype(np.int64),
            "_seat": everywhere,
        }


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode from its name or value; ValueError lists the known ones."""
    for mode in AutoresetMode:
        if given in (mode, mode.value, mode.name):
            return mode
    allowed = ", ".join(mode.name for mode in AutoresetMode)
    raise ValueError(f"autoreset_mode is {given!r}; allowed: {allowed}")


def _rows(array: Array, chosen: NDArray[np.bool_]) -> NDArray[np.object_]:
    """Return copies of the chosen rows as an object array, None elsewhere."""
    rows = np.full(len(array), None, np.object_)
    for i in np.flatnonzero(chosen):
        rows[i] = array[i].copy()
    return rows


def _where(chosen: NDArray[np.bool_], arrays: dict[str, Array]) -> dict[str, Any]:
    """Return copies of arrays, 0 but in the chosen rows, each with its `_key` array."""
    infos: dict[str, Any] = {}
    for key, array in arrays.items():
        infos[key] = np.zeros_like(array)
        infos[key][chosen] = array[chosen]
        infos[f"_{key}"] = chosen
    return infos
