"""How strong the agents are: a leaderboard that anyone can recompute from its match records.

The plan (`leaderboard.toml`) says who plays what; `pools` how long, `standings` how it is kept and
shown. Here are the things to do with it: play what is missing, verify what is published, and draw
strength against time from training runs.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

if __package__ == "benchmarks":  # `python -m benchmarks.strength` in a checkout
    from runpy import run_module

    run_module("bonebed.benchmarks.strength", run_name="__main__", alter_sys=True)
    sys.exit()

from rich.console import Console
from rich.progress import Progress

from ..agents import records
from ..agents.records import Match, RecordError
from ..envs import table
from ..envs.text import count
from .pools import PLAN, Pool, group, read_plan
from .standings import Standing, Store

PAGE = Path("docs/leaderboard.md")
LARGE = 2_000_000  # bytes of a file that is too large for a repository
SHOWN = 10  # differences of a kind that are told one by one


@dataclass(frozen=True)
class Config:
    """What is to be done: play what is missing and write the page, unless told otherwise."""

    verify: Path | None = None
    """Check this page against its match records, and those against the rules."""
    only: tuple[str, ...] = ()
    """Play some of the games only."""
    plan: Path = PLAN
    """Who plays what, as TOML."""
    page: Path = PAGE
    """The page to write; cards and records lie beside it in a folder of its name."""
    folder: Path = Path("runs/leaderboard")
    """Where games are written while they are played; the same command goes on with them."""
    curves: tuple[Path, ...] = ()
    """Folders of training runs: draw their strength against time instead."""
    opponent: str = "greedy"
    """Whom the strength of the curves is against."""
    out: Path = Path("docs/pictures/time_to_strength.png")
    """The picture of the curves."""
    progress: bool = True
    """Show progress bars."""


def main(config: Config) -> None:
    """Let all agents play each other, write the leaderboard, or verify it.

    Example: bonebed leaderboard --verify docs/leaderboard.md

    Parameters
    ----------
    config : Config

    Raises
    ------
    SystemExit
        With 1 if something differs.
    ValueError
        For a plan or a card that is wrong.
    ModuleNotFoundError
        If OpenSkill is not installed.
    """
    console = Console(width=None if sys.stdout.isatty() else 120)
    if config.curves:
        draw(config.curves, config.opponent, config.out)
        console.print(f"drawn: {config.out}", soft_wrap=True)
        return
    import openskill.models  # noqa: F401 - without it ratings are left out, here they may not be

    if config.verify is not None:
        found = list(differences(Store(config.verify), config.progress))
        for line in found:
            console.print(line, style="red", markup=False, highlight=False, soft_wrap=True)
        if found:
            console.print(f"{config.verify}: {count(len(found), 'difference')}", soft_wrap=True)
            sys.exit(1)
        told = f"{config.verify}: the tables are those of the records, every game re-plays"
        console.print(told, soft_wrap=True)
        return
    store = Store(config.page)
    for pool in read_plan(config.plan, [name for text in config.only for name in text.split(",")]):
        told = play(pool, store, config.folder, config.progress)
        console.print(told, highlight=False, soft_wrap=True)
    write(store)
    console.print(f"written: {store.page}", soft_wrap=True)


# --- playing --------------------------------------------------------------------------------------


def play(pool: Pool, store: Store, folder: Path, progress: bool = True) -> str:
    """Play what is missing of a pool and keep it.

    Parameters
    ----------
    pool : Pool
    store : Store
        What it holds is not played again.
    folder : Path
        For the files of games while they are played; what lies there is not played again either.
    progress : bool
        Show progress bars.

    Returns
    -------
    str
        What there is now, in a line.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file, rules_hash = store.records(pool), table.rules(pool.game).rules_hash
    before = list(records.read(file)) if file.exists() else []
    for matchup, matches in group(pool, before)[0].items():
        usable = [match for match in matches if match.rules_hash == rules_hash]
        if usable and not matchup.file(folder).exists():
            records.append(matchup.file(folder), usable)
    after = []
    for matchup in pool.matchups():
        deals = matchup.play(folder, progress).deals
        for match in sorted(records.read(matchup.file(folder)), key=_place):
            if _place(match)[0] < deals:  # an earlier plan may have wanted more
                after.append(match)
    card = next((each for each in store.standings() if each.pool.name == pool.name), None)
    if card is None or after != before:
        card = Standing.now(pool, date.today().isoformat())
    store.keep(replace(card, pool=pool), after)
    size = file.stat().st_size
    large = ", too large for a repository: let them play fewer games" if size > LARGE else ""
    return f"{pool.name}: {len(after):,} games, {size / 1e3:,.0f} kB{large}"


def _place(match: Match) -> tuple[int, int]:
    """Return which deal of its match-up a game is of, and which of its games."""
    told = match.evaluation or {}
    return told["deal"], told["seating"]


def write(store: Store) -> None:
    """Write the page from cards and records.

    Parameters
    ----------
    store : Store

    Raises
    ------
    RecordError
        If the records are not those that the cards tell of.
    """
    found = []
    for standing in store.standings():
        matches = list(records.read(store.records(standing.pool)))
        found.append((standing, store.findings(standing, matches)))
    store.replace(store.page, store.text(found))


# --- verifying ------------------------------------------------------------------------------------


def differences(store: Store, progress: bool = False) -> Iterator[str]:
    """Compute a published leaderboard anew and play its games again.

    Parameters
    ----------
    store : Store
    progress : bool
        Show a progress bar.

    Yields
    ------
    str
        What differs, in a line each.

    Raises
    ------
    ValueError
        For a card that is wrong.
    OSError
        If the page cannot be read.
    """
    published = store.page.read_text(encoding="utf-8")
    standings = store.standings()
    held: list[Match] = []
    found = []
    for standing in standings:
        rules, pool = table.rules(standing.pool.game), standing.pool
        here, kept = (
            (rules.rules_hash, rules.sheet.hash),
            (standing.rules_hash, standing.sheet_hash),
        )
        if here != kept:
            told = "played under rules {}, sheet {}; here they are {}, {}"
            yield f"{store.card(pool)}: {told.format(*kept, *here)}"
        try:
            matches = list(records.read(store.records(pool)))
            held += matches
            if here == kept:
                found.append((standing, store.findings(standing, matches)))
        except (RecordError, OSError) as error:
            yield str(error)
    if len(found) == len(standings):
        yield from _some(_changed(published, store.text(found), str(store.page)), "line")
    else:
        yield f"{store.page}: not compared, as not every table could be computed"
    yield from _some(_misplayed(held, progress), "game")


def _changed(published: str, computed: str, name: str) -> Iterator[str]:
    """Yield the lines that differ between the page and what it should be."""
    lines = published.splitlines(), computed.splitlines()
    matcher = difflib.SequenceMatcher(None, *lines, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            for number, line in enumerate(lines[0][a:b], a + 1):
                yield f"{name}, line {number}: published {line!r}"
            for line in lines[1][c:d]:
                yield f"{name}, after line {b}: computed {line!r}"
    if lines[0] == lines[1] and published != computed:
        yield f"{name}: the ends of lines differ"


def _misplayed(matches: list[Match], progress: bool) -> Iterator[str]:
    """Play games again; yields those that end otherwise, or nowhere."""
    with Progress(disable=not progress, console=Console(stderr=True)) as bar:
        for match in bar.track(matches, description="playing again"):
            try:
                for _ in records.positions(match):
                    pass
            except RecordError as error:
                yield str(error)


def _some(lines: Iterator[str], what: str) -> Iterator[str]:
    """Yield the first lines, and how many more there are."""
    more = 0
    for number, line in enumerate(lines):
        if number < SHOWN:
            yield line
        else:
            more += 1
    if more:
        yield f"and {count(more, what)} more"


# --- curves ---------------------------------------------------------------------------------------


def draw(folders: Sequence[Path], opponent: str, out: Path) -> None:
    """Draw the strength of training runs against the time they took.

    Parameters
    ----------
    folders : sequence of Path
        Of runs, or of checkpoints.
    opponent : str
        The agent that strength was measured against.
    out : Path
        The PNG to write.

    Raises
    ------
    ValueError
        For a folder without a checkpoint, and for a run that was never measured against the
        opponent.
    """
    from ..agents import network
    from ..train.plots import time_to_strength

    curves = {}
    for folder in folders:
        card = network.read_card(network.latest(folder))
        rows = [row for row in card.get("strength", ()) if row["opponent"] == opponent]
        if not rows:
            raise ValueError(f"{folder}: its strength against {opponent!r} was never measured")
        players = table.rules(card["game"]).make_options(**card["options"])["num_players"]
        title = table.game(card["game"]).title
        curves[f"{title}, {players} players ({folder.name})"] = rows, max(2, int(players))
    out.parent.mkdir(parents=True, exist_ok=True)
    time_to_strength(curves, out, f"Strength against {opponent}")


if __name__ == "__main__":
    import tyro

    tyro.cli(main, config=(tyro.conf.OmitArgPrefixes,))
