"""Checkpoints of training: written whole or not at all, read back exactly.

A run's folder holds `checkpoints/<number>/`, each with `card.json`, `network.safetensors` and
`training.safetensors` (optimizer, games in play). A checkpoint is written under another name and
then renamed, which the file system does at one blow; the card holds the size and the hash of the
other two files. What only plays a network needs no `training.safetensors`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save as bytes_of_arrays
from torch import Tensor

from ..agents.network import CARD, CHECKPOINTS, WEIGHTS, CheckpointError

TRAINING = "training.safetensors"
UNFINISHED = ".unfinished-"


def write(
    run_folder: Path,
    number: int,
    card: Mapping[str, Any],
    weights: Mapping[str, Tensor],
    training: Mapping[str, Tensor],
    keep: int,
) -> Path:
    """Write a checkpoint, then delete all but the last ones.

    Parameters
    ----------
    run_folder : Path
    number : int
        Its place in the order of the run's checkpoints.
    card : mapping
        What can be written as JSON; `files` is added.
    weights, training : mapping of str to Tensor
        Contents of the two files of arrays.
    keep : int
        How many checkpoints to leave, this one included.

    Returns
    -------
    Path
        The checkpoint's folder.
    """
    folder = run_folder / CHECKPOINTS
    for left_over in folder.glob(f"{UNFINISHED}*"):  # of a run that was killed while it wrote
        shutil.rmtree(left_over)
    target = folder / name_of(number)
    write_whole(target, card, {WEIGHTS: weights, TRAINING: training})
    for old in sorted(folder.glob("[0-9]*"))[:-keep]:
        shutil.rmtree(old)
    return target


def write_whole(
    target: Path, card: Mapping[str, Any], files: Mapping[str, Mapping[str, Tensor]]
) -> None:
    """Write a checkpoint's folder, whole or not at all, in the place of what is there.

    Parameters
    ----------
    target : Path
    card : mapping
        What can be written as JSON; `files` is added: bytes and hash of each file of arrays.
    files : mapping of str to mapping of str to Tensor
        The arrays of each file by its name.
    """
    draft = target.with_name(f"{UNFINISHED}{target.name}")
    if draft.exists():  # left by a process that was killed while it wrote
        shutil.rmtree(draft)
    draft.mkdir(parents=True)
    contents = {}
    for name, arrays in files.items():
        data = bytes_of_arrays({key: array.detach().cpu() for key, array in arrays.items()})
        contents[name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        _write_through(draft / name, data)
    text = json.dumps({**card, "files": contents}, indent=2)
    _write_through(draft / CARD, text.encode())
    if target.exists():
        shutil.rmtree(target)
    draft.rename(target)


def name_of(number: int) -> str:
    """Name a checkpoint's folder: names sort as numbers do.

    Parameters
    ----------
    number : int

    Returns
    -------
    str
    """
    return f"{number:08d}"


def _write_through(path: Path, data: bytes) -> None:
    """Write a file and wait until it is on the disk, so that a rename cannot overtake it."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def arrays_of_optimizer(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Flatten an optimizer's memory.

    Parameters
    ----------
    optimizer : torch.optim.Optimizer

    Returns
    -------
    dict of str to Tensor
        By `<number of the parameter>.<what>`.
    """
    state = optimizer.state_dict()["state"]
    return {
        f"{number}.{what}": torch.as_tensor(array)
        for number, memory in state.items()
        for what, array in memory.items()
    }


def fill_optimizer(
    optimizer: torch.optim.Optimizer, arrays: Mapping[str, Tensor], source: Path
) -> None:
    """Give a fresh optimizer the memory of a stored one.

    Parameters
    ----------
    optimizer : torch.optim.Optimizer
        Over the parameters of the same network; its settings stay.
    arrays : mapping of str to Tensor
        From `arrays_of_optimizer`.
    source : Path
        The file, for the error.

    Raises
    ------
    CheckpointError
        The arrays are those of another network.
    """
    memory: dict[int, dict[str, Tensor]] = {}
    for key, array in arrays.items():
        place, _, what = key.partition(".")
        memory.setdefault(int(place), {})[what] = array
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    for number, held in memory.items():
        for what, array in held.items():
            fits = number < len(parameters) and array.shape in ((), parameters[number].shape)
            if not fits:
                raise CheckpointError(f"{source}: {number}.{what} belongs to another network")
    optimizer.load_state_dict({**optimizer.state_dict(), "state": memory})


def bytes_of_record(array: NDArray[Any]) -> Tensor:
    """Turn an array of any dtype into its bytes.

    Parameters
    ----------
    array : array

    Returns
    -------
    uint8 Tensor (n,)
        A copy.
    """
    return torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())


def record_of_bytes(data: Tensor, like: NDArray[Any], source: str) -> NDArray[Any]:
    """Turn bytes back into an array with the dtype and shape of another one.

    Parameters
    ----------
    data : uint8 Tensor
        From `bytes_of_record`.
    like : array
    source : str
        The file and array, for the error.

    Returns
    -------
    array
        A copy.

    Raises
    ------
    CheckpointError
        The number of bytes is not that of such an array.
    """
    if data.numel() != like.nbytes:
        raise CheckpointError(f"{source}: {data.numel()} bytes where {like.nbytes} were expected")
    return np.frombuffer(data.numpy().tobytes(), like.dtype).reshape(like.shape).copy()
