"""The demo: a bot learns Fossil from nothing in a few minutes and is pitted against the others.

bonebed demo

It can be stopped at any time; the same command goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ..agents import network as networks
from ..agents.warmup import warm
from ..envs import table
from . import plots, ppo, settings
from .strength import Strength, measure


@dataclass(frozen=True)
class Config:
    """Settings of the demo."""

    game: str = "fossil"
    """Name of the game."""
    num_players: int = 2
    """Seats of a game."""
    minutes: float = 2.5
    """How long the bot learns."""
    games: int = 400
    """Games against each opponent at the end."""
    opponents: tuple[str, ...] = ("random", "greedy")
    """Whom to meet at the end in so many games."""
    searcher: str = "ismcts:simulations=100"
    """A slow opponent, met in a tenth of the games."""
    folder: Path = Path("runs/demo")
    """Where checkpoints, logs and the learning curve go."""
    seed: int = 0
    """All chance of the run follows from it."""
    threads: int = 0
    """Threads of the network; 0 for one or, going on, as many as before."""


def main(config: Config) -> None:
    """Train a bot on Fossil for a few minutes and pit it against the others.

    Example: bonebed demo

    Parameters
    ----------
    config : Config

    Raises
    ------
    ValueError
        A setting is not allowed, or the folder holds a run that cannot be resumed.
    """
    settings.check(config)
    console = Console()
    title = table.game(config.game).title
    with Progress() as bar:
        task = bar.add_task("compiling the rules")
        warm(config.game, lambda done, total, _: bar.update(task, total=total, completed=done))
    console.print(f"A bot learns {title} from nothing, by playing against itself.")
    ppo.train(_training(config, console))
    card = networks.read_card(networks.latest(config.folder))
    found = _final_strength(config, card["decisions"], card["seconds"])
    console.print(_as_table(found, f"{title}, the fresh bot against the others"))
    curve = config.folder / "learning_curve.png"
    seconds = card["seconds"]
    caption = f"{title}: PPO by self-play, {seconds / 60:.1f} minutes on the {_device(card)}"
    plots.learning_curve(card["strength"], curve, caption, config.num_players)
    console.print(_next_steps(config, curve), highlight=False)


def _training(config: Config, console: Console) -> ppo.Config:
    """Return the settings of the training: a new run, or that of the demo that was stopped."""
    resume = (config.folder / networks.CHECKPOINTS).exists()
    if resume:
        console.print(f"{config.folder} holds a demo already: it goes on. Delete it to start anew.")
    return ppo.Config(
        game=config.game,
        num_players=(config.num_players,),
        folder=config.folder,
        minutes=config.minutes,
        resume=resume,
        seed=config.seed,
        threads=config.threads,
        evaluations=10,
        evaluation_games=100,
        checkpoint_seconds=15.0,
        keep=2,
    )


def _device(card: dict[str, object]) -> str:
    """Say where a network learned."""
    config = card["config"]
    assert isinstance(config, dict)
    return "CPU" if config["device"] == "cpu" else str(config["device"])


def _final_strength(config: Config, decisions: int, seconds: float) -> list[Strength]:
    """Let the bot meet its opponents."""
    options = {"num_players": config.num_players}
    player = f"network:path={config.folder}"
    found = []
    groups = ((config.opponents, config.games), ((config.searcher,), max(1, config.games // 10)))
    for opponents, games in groups:
        found += measure(
            player, opponents, config.game, options, games, config.seed, decisions, seconds, True
        )
    return found


def _as_table(found: Sequence[Strength], title: str) -> Table:
    """Lay measurements out as a table to print with Rich."""
    shown = Table(title=title)
    shown.add_column("opponent")
    for heading in ("games", "won", "95 % interval", "points ahead"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for row in found:
        shown.add_row(
            row["opponent"],
            str(row["games"]),
            f"{row['win_rate']:.1%}",
            f"{row['low']:.1%} to {row['high']:.1%}",
            f"{row['margin']:+.1f}",
        )
    return shown


def _next_steps(config: Config, curve: Path) -> str:
    """Say where everything is and what to try next."""
    game, folder = config.game, config.folder
    return f"""
The learning curve     {curve}
The bot                {networks.latest(folder)}
All that was logged    tensorboard --logdir {folder}

What to try next:
  play against it      bonebed play {game} --seats human,network:path={folder}
  go on training       bonebed train ppo --folder {folder} --resume --minutes 30
  another evaluation   bonebed evaluate {game} --agents network:path={folder},greedy --games 1000
  more players         bonebed train ppo --num-players 4 --folder runs/four --minutes 30
"""


if __name__ == "__main__":
    import tyro

    try:
        main(tyro.cli(Config))
    except ValueError as error:
        raise SystemExit(f"demo: {error}") from None
