"""The trained networks that come with the package, and a rival of a chosen strength.

They lie in `networks/`, one folder each: a card and the weights. Which of them plays follows from
the game, the number of players and the seat.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..envs import table
from . import base
from .network import CARD
from .trained import NetworkAgent

if TYPE_CHECKING:
    from ..envs.view import Views

SHIPPED = Path(__file__).parent / "networks"


@dataclass(frozen=True)
class Shipped:
    """A network that comes with the package.

    Attributes
    ----------
    folder : Path
    game : str
    num_players : tuple of int
        The numbers of players that it learned with.
    seat : int or None
        The only seat that it learned to play, where seats are not alike.
    """

    folder: Path
    game: str
    num_players: tuple[int, ...]
    seat: int | None


def shipped(folder: Path | None = None) -> list[Shipped]:
    """List the networks that come with the package.

    Parameters
    ----------
    folder : Path, optional
        Another place to look for them.

    Returns
    -------
    list of Shipped
        By name.
    """
    found = []
    for path in sorted((folder or SHIPPED).glob(f"*/{CARD}")):
        card = json.loads(path.read_text(encoding="utf-8"))
        players = tuple(card["options"]["num_players"])
        found.append(Shipped(path.parent, card["game"], players, card["config"]["seat"]))
    return found


@dataclass
class Trained(base.BatchedAgent):
    """The trained network that comes with the package for a game, alone or with search.

    Attributes
    ----------
    simulations : int
        0 plays the network's policy alone; else a search that the network guides.
    temperature : float
        As `NetworkAgent.temperature`.
    """

    name: ClassVar[str] = "trained"
    simulations: int = base.parameter(
        0, low=0, high=10**6, doc="of the search that the network guides; 0 for none"
    )
    temperature: float = base.parameter(
        0.0, low=0.0, doc="0 for the likeliest action, 1 as learned"
    )

    def prepare(self, game: str) -> None:
        """Load the networks of a game.

        Parameters
        ----------
        game : str

        Raises
        ------
        ValueError
            If none comes with the package; names the games that have one.
        CheckpointError
            If they were made for other rules, or another component sheet.
        """
        everything = shipped()
        self._networks = [network for network in everything if network.game == game]
        if not self._networks:
            games = dict.fromkeys(network.game for network in everything)
            raise ValueError(
                f"{self}: no trained network for {game} comes with the package; there are some "
                f"for: {', '.join(games) or 'no game'}. This makes one: "
                f"bonebed train ppo --game {game}"
            )
        self._agents = {}
        for network in self._networks:
            path = str(network.folder)
            agent = NetworkAgent(path, simulations=self.simulations, temperature=self.temperature)
            agent.prepare(game)
            self._agents[network.folder] = agent
        self._automatic = table.rules(game).automatic

    def _network_for(self, num_players: int, player: int) -> Path:
        """Find the network for a seat: with so many players, or with as near a number as can be."""
        special = [network for network in self._networks if network.seat == player]
        automatic = self._automatic is not None and player == self._automatic.seat
        candidates = special or [network for network in self._networks if network.seat is None]
        if not candidates or (automatic and not special):
            raise ValueError(f"{self}: no network that comes with the package plays this seat")

        def distance(network: Shipped) -> tuple[int, int]:
            apart = min(abs(number - num_players) for number in network.num_players)
            return apart, len(network.num_players)  # of equally near ones the specialist

        return min(candidates, key=distance).folder

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)

        Raises
        ------
        ValueError
            If none of the networks plays a seat.
        """
        players = views.states["num_players"].astype(np.int64)
        kinds = np.stack((players, views.player), axis=1)
        choices = np.empty(len(views), np.int64)
        groups: dict[Path, NDArray[np.bool_]] = {}
        for num_players, player in np.unique(kinds, axis=0).tolist():
            folder = self._network_for(num_players, player)
            mine = (kinds == (num_players, player)).all(axis=1)
            groups[folder] = groups.get(folder, np.zeros(len(views), np.bool_)) | mine
        for folder, mine in groups.items():
            choices[mine] = self._agents[folder].act_many(views.take(np.flatnonzero(mine)))
        return choices


LEVELS = (  # temperature and simulations of a rival, from the weakest on
    (3.0, 0),
    (1.0, 0),
    (0.0, 0),
    (0.0, 32),
    (0.0, 200),
)


@dataclass
class Rival(base.BatchedAgent):
    """A trained opponent of a chosen strength, to play against.

    Attributes
    ----------
    level : int
        1 plays loosely, 2 as it learned, 3 what it likes best; 4 and 5 search, 5 for longer.
    """

    name: ClassVar[str] = "rival"
    level: int = base.parameter(3, low=1, high=len(LEVELS), doc="strength; from 4 on it searches")

    def prepare(self, game: str) -> None:
        """Load the networks of a game.

        Parameters
        ----------
        game : str

        Raises
        ------
        ValueError
            As `Trained.prepare`.
        """
        temperature, simulations = LEVELS[self.level - 1]
        self._player = Trained(simulations=simulations, temperature=temperature)
        self._player.prepare(game)

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)
        """
        return self._player.act_many(views)
