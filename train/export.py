"""Take a trained network out of its run, measured, to be shared: weights and a card, nothing else.

    bonebed train export --folder runs/fossil --into my_bot
    bonebed play fossil --seats human,network:path=my_bot

The card tells what the network is: game, options, rules and sheet by their hashes, layout, the
commands that train it again, seeds, decisions, time on the clock, the strength while it learned,
the strength measured now, on deals that it did not learn with, and a signature of how the game
plays (`restamp.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..agents import network as networks
from ..envs import table
from . import checkpoint, settings
from .restamp import signature
from .strength import Strength, in_words, measure

SEED = 1_000_003  # of the deals of the measurement


@dataclass(frozen=True)
class Config:
    """What to take out, where to, and how to measure it."""

    folder: Path
    """A run of `train ppo` or `train expert`, or one of its checkpoints."""
    into: Path
    """A folder to be made."""
    opponents: tuple[str, ...] = ("greedy",)
    """Whom to measure the strength against."""
    games: int = 1000
    """Games against each of them, with each number of players."""


def main(config: Config) -> None:
    """Take a trained network out of its run, with a card that tells its strength.

    Example: bonebed train export --folder runs/fossil --into my_bot

    Parameters
    ----------
    config : Config

    Raises
    ------
    ValueError
        A setting is not allowed, the run cannot be read, or `into` exists.
    """
    if config.into.exists():
        raise ValueError(f"{config.into} exists already: name another folder, or remove it")
    source = networks.latest(config.folder)
    card = networks.read_card(source)
    networks.check_card(source, card, table.rules(card["game"]))
    settings.check_numbers(config)
    measured = _measured(config, source, card)
    weights = networks.network_of(source, card).state_dict()
    told = signature(table.rules(card["game"]), card["options"])
    card = {**card, "measured": measured, "signature": told}  # the files it names are written anew
    checkpoint.write_whole(config.into, card, {networks.WEIGHTS: weights})
    print(f"{config.into}: {in_words(measured)}")


def _measured(config: Config, source: Path, card: Mapping[str, Any]) -> list[Strength]:
    """Let the network meet its opponents, with every number of players that it learned."""
    player = f"network:path={source}"
    seat = card["config"].get("seat")
    found: list[Strength] = []
    for players in card["options"]["num_players"]:
        options = {**card["options"], "num_players": players}
        about = (config.opponents, card["game"], options, config.games, SEED)
        found += measure(player, *about, card["decisions"], card["seconds"], True, seat)
    return found
