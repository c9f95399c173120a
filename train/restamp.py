"""Give a network's card the hash of rules that were rewritten but play the same.

    bonebed train restamp --folders agents/networks/fossil agents/networks/go_dig

A network is for the rules that it learned with, and its card names them by a hash of their code.
Code that was made faster or clearer has another hash though nothing plays otherwise. The card also
has a signature: a hash of what happens in random games, of every observation, legal action, gain
and result. Where that is still the same, the network is as good as before.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..agents import network as networks
from ..agents.network import CheckpointError
from ..envs import table
from ..kernels import rng
from ..kernels.batch import Batch
from ..kernels.rules import Rules

GAMES = 32  # side by side, for each number of players
STEPS = 400  # of each
SEED = 7


def signature(rules: Rules, options: dict[str, Any]) -> str:
    """Return a hash of how a game plays with some options, in all that a network has to do with.

    Parameters
    ----------
    rules : Rules
    options : dict
        Of a card: `num_players` is a list, all numbers are hashed.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for players in options["num_players"]:
        record = rules.make_options(**{**options, "num_players": players})
        games = Batch(rules, record, GAMES, seed=SEED)
        for step in range(STEPS):
            legal = games.mask.sum(axis=1)
            drawn = [rng.below(np.uint64(SEED), step, i, n) for i, n in enumerate(legal.tolist())]
            order = np.cumsum(games.mask, axis=1) * games.mask  # 1 for the first legal action, ...
            actions = (order == np.array(drawn)[:, None] + 1).argmax(axis=1)
            for array in (games.obs, games.mask, games.to_play):
                digest.update(np.ascontiguousarray(array).tobytes())
            games.step(actions)
            for array in (games.gain, games.done, games.final_score, games.final_outcome):
                digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Config:
    """Which networks."""

    folders: tuple[Path, ...]
    """Networks that `train export` has made."""


def main(config: Config) -> None:
    """Give networks the hash of rules that were rewritten but play the same.

    Example: bonebed train restamp --folders my_bot

    Parameters
    ----------
    config : Config

    Raises
    ------
    CheckpointError
        If a card cannot be read or has no signature, or if the game plays otherwise now; nothing is
        changed then.
    """
    fresh = {}
    for folder in config.folders:
        card = networks.read_card(folder)
        rules = table.rules(card["game"])
        same_rules = {**card, "rules_hash": rules.rules_hash}
        networks.check_card(folder, same_rules, rules)
        if "signature" not in card:
            raise CheckpointError(f"{folder / networks.CARD}: has no signature: export it first")
        if card["signature"] != signature(rules, card["options"]):
            raise CheckpointError(
                f"{folder / networks.CARD}: {rules.title} plays otherwise than when it learned: "
                f"to be trained again: {card['command']}"
            )
        fresh[folder / networks.CARD] = {**same_rules, "sheet_hash": rules.sheet.hash}
    for path, card in fresh.items():
        path.write_text(json.dumps(card, indent=2), encoding="utf-8")
        print(f"{path.parent}: made for the rules of now, {card['rules_hash']}")
