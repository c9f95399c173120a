"""A network over an observation, its checkpoints, and what it says of positions.

A checkpoint is a folder: `card.json` says what it is, `network.safetensors` holds the weights (and,
where training can go on from it, `training.safetensors` the rest). Reading one runs no code of its
maker: it is JSON and plain arrays.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load as arrays_of_bytes
from torch import Tensor, nn

from ..kernels.rules import Rules
from . import sampling

if TYPE_CHECKING:
    from ..envs.view import Views

CARD = "card.json"
WEIGHTS = "network.safetensors"
CHECKPOINTS = "checkpoints"  # the folder of a run that holds them, named by number
Shapes = tuple[tuple[str, tuple[int, ...]], ...]
CARD_KEYS = {  # that every reader needs
    "game": str,
    "options": dict,
    "rules_hash": str,
    "layout": dict,
    "network": dict,
    "files": dict,
}
DESCRIBED_FROM = 8  # actions in a block that a scorer serves
FORMAT = 2  # of the card; raised when older ones can no longer be read


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message names the file and what is wrong with it."""


@dataclass(frozen=True)
class Layout:
    """What shapes a network: the fields of the observation, the blocks of actions, the seats.

    Attributes
    ----------
    fields : tuple of (name, shape)
        The observation's fields; laid flat one behind the other they are the network's input.
    blocks : tuple of (name, shape)
        The blocks of the action table; laid flat they are its policy's output.
    seats : int
        The most players; each has a value.
    """

    fields: Shapes
    blocks: Shapes
    seats: int

    @classmethod
    def of(cls, rules: Rules) -> Layout:
        """Read a game's layout from its rules.

        Parameters
        ----------
        rules : Rules

        Returns
        -------
        Layout
        """
        fields = tuple((name, tuple(rules.OBS[name].shape)) for name in rules.OBS.names or ())
        blocks = tuple(
            (block.name, tuple(block.fields.values()) or (1,)) for block in rules.actions.blocks
        )
        return cls(fields, blocks, rules.max_players)

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Layout:
        """Rebuild a layout from what `to_json` returned.

        Parameters
        ----------
        data : dict

        Returns
        -------
        Layout

        Raises
        ------
        KeyError, ValueError, TypeError, AttributeError
            If it is something else.
        """
        fields, blocks = (
            tuple(
                (name, tuple(int(n) for n in shape.split("x") if n)) for name, shape in part.items()
            )
            for part in (data["observation"], data["actions"])
        )
        return cls(fields, blocks, int(data["seats"]))

    def to_json(self) -> dict[str, Any]:
        """Say it in plain words, as a card holds it.

        Returns
        -------
        dict
            Under `observation` and `actions` the shape, like 2x4x8, of each field and block; under
            `seats` their number.
        """
        observation, actions = (
            {name: "x".join(map(str, shape)) for name, shape in part}
            for part in (self.fields, self.blocks)
        )
        return {"observation": observation, "actions": actions, "seats": self.seats}

    @property
    def n_inputs(self) -> int:
        """The length of the flat observation."""
        return sum(math.prod(shape) for _, shape in self.fields)

    @property
    def n_actions(self) -> int:
        """The number of actions."""
        return sum(math.prod(shape) for _, shape in self.blocks)

    def described(self) -> list[tuple[slice, slice, int]]:
        """Find the blocks whose actions the observation describes one by one.

        Such a block has a field of its own shape and one axis more: the features of each action.
        Blocks of few actions are left out: the policy's head knows each of them by itself.

        Returns
        -------
        list of (slice, slice, int)
            Where the field lies in the observation, where the block lies among the actions, and
            the number of features of an action.
        """
        field_spans, block_spans = _spans(self.fields), _spans(self.blocks)
        return [
            (field, block, field_shape[-1])
            for block, block_shape in block_spans
            for field, field_shape in field_spans
            if field_shape[:-1] == block_shape and math.prod(block_shape) >= DESCRIBED_FROM
        ]


def _spans(parts: Shapes) -> list[tuple[slice, tuple[int, ...]]]:
    """Lay named shapes flat one behind the other and return where each one lies."""
    ends = list(accumulate(math.prod(shape) for _, shape in parts))
    starts = [0, *ends[:-1]]
    return [(slice(a, b), shape) for a, b, (_, shape) in zip(starts, ends, parts, strict=True)]


def _initialised(layer: nn.Linear, gain: float) -> nn.Linear:
    """Give a layer orthogonal weights and no bias."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Network(nn.Module):
    """Policy and value of one seat's observation.

    A trunk of fully connected layers reads the whole observation. One linear head gives a logit for
    every action, another a value for every seat. Where the observation describes actions one by one
    (`Layout.described`), a small scorer with the same weights for all of them, told what the trunk
    made of the position and which action it is, adds to their logits: what it learns about one
    action it knows about all.

    Parameters
    ----------
    layout : Layout
    hidden : tuple of int
        The sizes of the trunk's layers.
    scorer : int
        The size of the scorers' one hidden layer; 0 for none.
    """

    def __init__(
        self, layout: Layout, hidden: tuple[int, ...] = (256, 256), scorer: int = 32
    ) -> None:
        super().__init__()
        self.layout = layout
        self.hidden = tuple(hidden)
        self.scorer = scorer
        self.described = layout.described() if scorer else []
        sizes = (layout.n_inputs, *hidden)
        self.trunk = nn.ModuleList(
            _initialised(nn.Linear(a, b), math.sqrt(2.0)) for a, b in pairwise(sizes)
        )
        self.policy = _initialised(nn.Linear(sizes[-1], layout.n_actions), 0.01)
        self.value = _initialised(nn.Linear(sizes[-1], layout.seats), 1.0)
        self.reader = nn.ModuleList(
            _initialised(nn.Linear(features, scorer), math.sqrt(2.0))
            for _, _, features in self.described
        )
        self.context = nn.ModuleList(
            _initialised(nn.Linear(sizes[-1], scorer), math.sqrt(2.0)) for _ in self.described
        )
        self.place = nn.ParameterList(
            torch.zeros(block.stop - block.start, scorer) for _, block, _ in self.described
        )
        self.score = nn.ModuleList(_initialised(nn.Linear(scorer, 1), 0.1) for _ in self.described)

    def forward(self, observation: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the actions and the value.

        Parameters
        ----------
        observation : float (N, n_inputs)
        legal : bool (N, n_actions)
            The scorers, half of the work if they read every action, are spared the others.

        Returns
        -------
        logits : float (N, n_actions)
            Without meaning where illegal: to be masked.
        value : float (N, seats)
            The expected returns of the seat that the observation is of and of those behind it in
            turn order. Without meaning beyond the number of players.
        """
        hidden = observation
        for layer in self.trunk:
            hidden = torch.relu(layer(hidden))
        logits = self.policy(hidden)
        parts = zip(self.described, self.reader, self.context, self.place, self.score, strict=True)
        for (field, block, features), reader, context, place, score in parts:
            row, action = legal[:, block].nonzero(as_tuple=True)
            shape = (len(observation), block.stop - block.start, features)
            described = observation[:, field].reshape(shape)[row, action]
            about = context(hidden).index_select(0, row) + place.index_select(0, action)
            extra = score(torch.relu(reader(described) + about)).squeeze(-1)
            logits = logits.index_put((row, action + block.start), extra, accumulate=True)
        return logits, self.value(hidden)

    def shape(self) -> dict[str, Any]:
        """Say what, besides the layout, builds the same network again.

        Returns
        -------
        dict
            `hidden`, a list of int, and `scorer`, an int.
        """
        return {"hidden": list(self.hidden), "scorer": self.scorer}


def latest(path: Path) -> Path:
    """Find the checkpoint that a path means: itself, or the last one of a run's folder.

    Parameters
    ----------
    path : Path
        A checkpoint, or a run's folder with `checkpoints/` in it.

    Returns
    -------
    Path
        The checkpoint's folder.

    Raises
    ------
    CheckpointError
        There is none.
    """
    if (path / CARD).is_file():
        return path
    found = sorted(p for p in (path / CHECKPOINTS).glob("[0-9]*") if (p / CARD).is_file())
    if not found:
        where = "does not exist" if not path.exists() else f"holds no {CARD} and no {CHECKPOINTS}/"
        raise CheckpointError(f"{path}: no checkpoint here: the path {where}")
    return found[-1]


def read_card(checkpoint: Path) -> dict[str, Any]:
    """Read and check a checkpoint's card.

    Parameters
    ----------
    checkpoint : Path
        Its folder.

    Returns
    -------
    dict
        With the keys of `CARD_KEYS` at least.

    Raises
    ------
    CheckpointError
        It is missing, no JSON, not of this format, or lacks a key.
    """
    path = checkpoint / CARD
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise CheckpointError(f"{path}: not a whole JSON text ({error}): truncated?") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        got = card.get("format") if isinstance(card, dict) else type(card).__name__
        raise CheckpointError(f"{path}: a card of format {FORMAT} was expected, got {got}")
    for key, kind in CARD_KEYS.items():
        if not isinstance(card.get(key), kind):
            wanted = "an object" if kind is dict else "a text"
            raise CheckpointError(f"{path}: the key {key!r} is missing or not {wanted}")
    return card


def read_arrays(checkpoint: Path, name: str, card: dict[str, Any]) -> dict[str, Tensor]:
    """Read one file of arrays of a checkpoint and check it against the card.

    Parameters
    ----------
    checkpoint : Path
        Its folder.
    name : str
        Of the file, such as `WEIGHTS`.
    card : dict
        From `read_card`.

    Returns
    -------
    dict of str to Tensor
        On the CPU.

    Raises
    ------
    CheckpointError
        It is missing, or not the bytes that were written.
    """
    path = checkpoint / name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from error
    expected = card["files"].get(name, {})
    if len(data) != expected.get("bytes"):
        raise CheckpointError(
            f"{path}: {len(data)} bytes where the card says {expected.get('bytes')}: truncated?"
        )
    if hashlib.sha256(data).hexdigest() != expected.get("sha256"):
        raise CheckpointError(f"{path}: its contents are not those that the card was made for")
    try:
        return arrays_of_bytes(data)
    except SafetensorError as error:
        raise CheckpointError(f"{path}: not a safetensors file: {error}") from error


def check_card(
    checkpoint: Path, card: dict[str, Any], rules: Rules, any_rules: bool = False
) -> None:
    """Refuse a checkpoint that was made for something else.

    Parameters
    ----------
    checkpoint : Path
    card : dict
        From `read_card`.
    rules : Rules
        The game here.
    any_rules : bool
        Put up with other rules, or another component sheet, of the same game.

    Raises
    ------
    CheckpointError
        Another game, another layout of observation or actions, or other rules.
    """
    path = checkpoint / CARD
    if card["game"] != rules.name:
        raise CheckpointError(f"{path}: made for the game {card['game']!r}, not for {rules.name!r}")
    try:
        made, now = Layout.of_json(card["layout"]), Layout.of(rules)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path}: its layout cannot be read: {error!r}") from error
    if made.seats != now.seats:
        raise CheckpointError(
            f"{path}: made for up to {made.seats} players, the game here has up to {now.seats}"
        )
    for kind in ("fields", "blocks"):
        theirs, ours = dict(getattr(made, kind)), dict(getattr(now, kind))
        if tuple(theirs.items()) != tuple(ours.items()):
            changed = [k for k in {**theirs, **ours} if theirs.get(k) != ours.get(k)] or ["order"]
            what = "observation" if kind == "fields" else "actions"
            raise CheckpointError(
                f"{path}: made for another layout of the {what}: {', '.join(changed)} differ"
            )
    if card["rules_hash"] != rules.rules_hash and not any_rules:
        raise CheckpointError(
            f"{path}: made for other rules of {rules.name!r}: its rules hash is "
            f"{card['rules_hash']}, here it is {rules.rules_hash} "
            "(a network agent plays it all the same with any_rules=true)"
        )


def network_of(checkpoint: Path, card: dict[str, Any]) -> Network:
    """Build the network that a checkpoint holds.

    Parameters
    ----------
    checkpoint : Path
        Its folder.
    card : dict
        From `read_card`.

    Returns
    -------
    Network
        On the CPU, not to be trained.

    Raises
    ------
    CheckpointError
        The weights cannot be read or do not fit the card.
    """
    weights = read_arrays(checkpoint, WEIGHTS, card)
    shape = card["network"]
    try:
        with torch.device("meta"):
            network = Network(
                Layout.of_json(card["layout"]), tuple(shape["hidden"]), int(shape["scorer"])
            )
        network = network.to_empty(device="cpu")
        network.load_state_dict(weights)
    except (RuntimeError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{checkpoint / WEIGHTS}: the weights do not fit the card: {error}"
        ) from error
    return network.eval().requires_grad_(False)


def rate(
    network: Network, observation: NDArray[np.float32], mask: NDArray[np.int8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Ask a network about arrays.

    Parameters
    ----------
    network : Network
    observation : float32 array (n, n_inputs)
    mask : int8 array (n, n_actions)
        1 for each legal action.

    Returns
    -------
    logits : float32 array (n, n_actions)
    value : float32 array (n, seats)
        As the network's `forward` tells them.
    """
    device = network.policy.weight.device
    with torch.inference_mode():
        seen = (torch.tensor(a, device=device) for a in (observation, mask.astype(np.bool_)))
        logits, value = network(*seen)
    return logits.cpu().numpy(), value.cpu().numpy()


def choose(network: Network, views: Views, temperature: float) -> NDArray[np.int64]:
    """Let a network decide.

    Parameters
    ----------
    network : Network
    views : Views
        n views.
    temperature : float
        As in `sampling.choose`.

    Returns
    -------
    int64 (n,)
        Legal actions.
    """
    logits, _ = rate(network, views.observation, views.mask)
    return sampling.choose(logits, views.mask, views.seeds, temperature)
