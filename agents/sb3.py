"""A model of Stable-Baselines3's MaskablePPO as a player."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from ..envs import table
from . import base, sampling

if TYPE_CHECKING:
    from ..envs.view import Views

MODEL = "model.zip"  # in the folder of a run


class ModelError(ValueError):
    """A saved model that cannot be used; the message names the file and what is wrong with it."""


@dataclass
class SB3(base.BatchedAgent):
    """A model that `MaskablePPO.save` wrote, for instance in `train sb3`.

    Loading it runs code of its maker, as every model of Stable-Baselines3: load only files that
    you trust.

    Attributes
    ----------
    path : str
        The model's file, with or without `.zip`, or a run's folder, which means its `model.zip`.
    temperature : float
        0 always plays the likeliest action, 1 draws as it did while it learned.
    """

    name: ClassVar[str] = "sb3"
    path: str = base.parameter(doc="file of a model, or the folder of a run")
    temperature: float = base.parameter(
        0.0, low=0.0, doc="0 for the likeliest action, 1 as learned"
    )

    def prepare(self, game: str) -> None:
        """Load the model.

        Parameters
        ----------
        game : str

        Raises
        ------
        ModelError
            If the file is missing, damaged or no model, or was made for another game.
        """
        self._model = read(Path(self.path), game)

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
        return choose(self._model, views, self.temperature)


def read(path: Path, game: str) -> MaskablePPO:
    """Load a model and check that it fits a game.

    Parameters
    ----------
    path : Path
        The model's file, with or without `.zip`, or a folder with a `model.zip`.
    game : str

    Returns
    -------
    MaskablePPO
        On the CPU.

    Raises
    ------
    ModelError
        Naming the file and what is wrong.
    """
    file = path / MODEL if path.is_dir() else path
    if not file.exists():
        file = file.with_name(file.name + ".zip")
    if not file.exists():
        raise ModelError(f"there is no model {path}")
    try:
        model = MaskablePPO.load(file, device="cpu")
    except Exception as error:  # whatever unpickling a foreign file may raise
        raise ModelError(f"{file} is no model of MaskablePPO: {error}") from error
    rules = table.rules(game)
    shapes = (model.observation_space.shape, int(getattr(model.action_space, "n", 0)))
    if shapes != ((rules.obs_size,), rules.n_actions):
        raise ModelError(
            f"{file} was not made for {game}: it takes observations of shape {shapes[0]} and has "
            f"{shapes[1]} actions, {game} has {(rules.obs_size,)} and {rules.n_actions}"
        )
    return model


def choose(model: MaskablePPO, views: Views, temperature: float) -> NDArray[np.int64]:
    """Choose actions by a model's policy.

    Parameters
    ----------
    model : MaskablePPO
    views : Views
        n views.
    temperature : float
        As in `sampling.choose`.

    Returns
    -------
    int64 (n,)
        Legal actions.
    """
    policy = model.policy
    policy.set_training_mode(False)
    with torch.no_grad():
        observations, _ = policy.obs_to_tensor(views.observation.copy())
        distribution: Any = policy.get_distribution(observations).distribution
        logits = distribution.logits.cpu().numpy()
    return sampling.choose(logits, views.mask, views.seeds, temperature)
