"""The command `bonebed`: a thin table of subcommands that imports nothing heavy before its time."""

from __future__ import annotations

import inspect
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tyro.conf import OmitArgPrefixes, Positional, arg
from tyro.extras import SubcommandApp

from . import __version__
from .agents import AGENTS

if TYPE_CHECKING:
    from .agents.records import Match
    from .agents.session import Session
    from .kernels.rules import Rules

ABOUT = f"""Palaeontology board games for reinforcement learning, version {__version__}.

Start with `bonebed games`, then `bonebed play fossil`; every subcommand has its own --help.
Set BONEBED_DEBUG=1 to see the whole trace of an error."""

Game = Annotated[Positional[str], arg(metavar="GAME")]
AnyGame = Annotated[Positional[str | None], arg(metavar="GAME", help_behavior_hint="")]
Agents = Annotated[tuple[str, ...], arg(metavar="AGENT,...")]
Seats = Annotated[
    tuple[str, ...],
    arg(metavar="AGENT,...", help_behavior_hint="(default: human, greedy on all other seats)"),
]
Opponent = Annotated[str | None, arg(metavar="AGENT", help_behavior_hint="")]
Opponents = Annotated[tuple[str, ...], arg(metavar="AGENT,...", help_behavior_hint="")]
Options = Annotated[tuple[str, ...], arg(metavar="NAME=VALUE", help_behavior_hint="")]
Number = Annotated[int | None, arg(metavar="INT", help_behavior_hint="")]
File = Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="")]


def _with_agents(function: Callable[..., None]) -> Callable[..., None]:
    """Put the table of agents where the docstring, which is the help, says AGENTS."""
    listed = "\n".join(f"- {row.name}: {row.doc}" for row in AGENTS.values())
    function.__doc__ = (function.__doc__ or "").replace(
        "AGENTS", textwrap.indent(listed, "    ")[4:]
    )
    return function


def games() -> None:
    """List the games: names, numbers of players, options.

    Example: bonebed games
    """
    from rich.table import Table

    from .agents.options import spell
    from .envs import table

    if "numba" not in sys.modules:  # what is listed needs nothing compiled
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    shown = Table()
    for heading in ("game", "title", "players", "information", "options, the default first"):
        shown.add_column(heading)
    for name, row in table.GAMES.items():
        rules = table.rules(name)
        perfect = "perfect" if rules.perfect_information else "hidden"
        options = [
            f"{o.name}={'|'.join(map(spell, sorted(o.choices, key=lambda c: c != o.default)))}"
            for o in rules.options
        ]
        players = "-".join(map(str, sorted({rules.min_players, rules.max_players})))
        shown.add_row(name, row.title, players, perfect, "\n".join(options))
    _print(shown)


@_with_agents
def play(
    game: AnyGame = None,
    /,
    *,
    seats: Seats = (),
    pal: Opponent = None,
    seed: Number = None,
    options: Options = (),
    save: File = None,
    resume: File = None,
) -> None:
    """Play a match at the terminal, or watch one.

    Example: bonebed play fossil --seats human,ismcts:simulations=300

    Agents, whose parameters follow a colon as in ismcts:simulations=300,exploration=1:

    AGENTS

    Args:
        game: Name of the game, see `bonebed games`.
        seats: Who sits where; without a human the match is shown.
        pal: Who plays an automated opponent instead of the rules: learned, or any agent.
        seed: All luck follows from it; drawn if it is not given.
        options: Options of the game, such as tactical=true.
        save: Where the match is written, on quitting and at the end.
        resume: Go on with a match that was saved; give no game then.
    """
    from .agents import records, split_specs
    from .agents.options import read_options
    from .agents.session import Session

    if resume is not None:
        if game is not None:
            raise ValueError("--resume knows its game: leave out the name")
        if pal is not None:
            raise ValueError("--resume knows who plays: leave out --pal")
        session = Session.resume(resume)
        session.check_same(split_specs(seats), seed, **read_options(session.rules, options))
        print(f"{session.rules.title}, seed {session.seed}")
    elif game is None:
        from .envs.table import GAMES

        raise ValueError(f"name a game: {', '.join(GAMES)}; for instance `bonebed play fossil`")
    else:
        chosen = read_options(_rules(game), options)
        if pal is not None:
            seats, chosen = _with_pal(game, split_specs(seats), pal, chosen)
        drawn = int.from_bytes(os.urandom(8), "big") if seed is None else seed
        if not seats:
            others = int(_rules(game).make_options(**chosen).num_players) - 1
            seats = ("human", *["greedy"] * others)
        session = Session(game, list(split_specs(seats)), drawn, **chosen)
        print(f"{session.rules.title}, seed {drawn}")
    asked = save or (None if session.done else resume)
    file = asked or _default_file(session)
    if asked or (session.with_people and not session.done):
        records.check_writable(file)
    over = session.play()
    if asked or not over:
        file = _saved(session, file)
    if over:
        _print(session.table())
    else:
        print(f"Saved. To go on: {session.resume_command(file)}")


@_with_agents
def evaluate(
    game: Game,
    /,
    *,
    agents: Agents = ("greedy,random",),
    against: Opponents = (),
    games: int = 1000,
    seed: int = 0,
    num_players: Number = None,
    options: Options = (),
    record: File = None,
    output: File = None,
    progress: bool = True,
) -> None:
    """Let agents play each other on the same deals in rotated seats, and show who is stronger.

    Example: bonebed evaluate fossil --agents ismcts:simulations=500,greedy --games 1000

    With more agents than players all meet all; with fewer the first plays against a field of the
    others. In a game for one, each plays the same deals alone. Agents:

    AGENTS

    Args:
        game: Name of the game, see `bonebed games`.
        agents: Who plays.
        against: Who plays an automated opponent's seat, each against each of the agents.
        games: How many games, rounded up to whole deals; with --against how many for each pair.
        seed: The result depends on it and on nothing else.
        num_players: Players in a game; by default the number of agents, where the game lets it.
        options: Options of the game, such as tactical=true.
        record: Write all matches here; the same command goes on where it was stopped.
        output: Write the result here, as JSON.
        progress: Show a progress bar.
    """
    import json

    from .agents import records, split_specs
    from .agents.evaluate import evaluate as run
    from .agents.options import read_options

    chosen = read_options(_rules(game), options, num_players)
    specs, opponents = split_specs(agents), split_specs(against) or None
    if output is not None:
        if record is not None and output.resolve() == record.resolve():
            raise ValueError(f"--output and --record are both {output}; allowed: two files")
        records.check_writable(output)
    try:
        result = run(
            game, specs, games, seed, progress=progress, record=record, against=opponents, **chosen
        )
    except KeyboardInterrupt:
        if record is not None:
            print(f"Stopped. The same command goes on with {record}.", file=sys.stderr)
        raise
    _print(result.table())
    if output is not None:
        output.write_text(json.dumps(result.to_dict(), indent=1) + "\n", encoding="utf-8")


def warmup(game: AnyGame = None, /) -> None:
    """Compile the games ahead of time, so that nothing has to wait for it later.

    Example: bonebed warmup

    Args:
        game: Only this game; by default all.
    """
    from rich.progress import Progress

    from .agents.warmup import warm
    from .envs import table

    for name in [table.game(game).name] if game else table.GAMES:
        with Progress() as bar:
            task = bar.add_task(name)

            def advance(done: int, total: int, what: str, task: Any = task, bar: Any = bar) -> None:
                bar.update(task, completed=done, total=total, description=what)

            warm(name, advance)


def replay(
    file: Annotated[Positional[Path], arg(metavar="FILE")],
    /,
    *,
    game: Number = None,
    step: bool = False,
) -> None:
    """Re-play recorded matches, check how they ended, and show them.

    Example: bonebed replay matches.jsonl --game 3 --step

    Args:
        file: Match records, from `bonebed evaluate --record` or `bonebed play --save`.
        game: Show this match, counted from 1; by default all are checked.
        step: Wait for Enter after each move.
    """
    from .agents import records
    from .envs.text import count

    matches = list(records.read(file))
    if game is not None and not 1 <= game <= len(matches):
        held = count(len(matches), "match")
        raise ValueError(f"--game is {game}; {file} holds {held}, counted from 1")
    if game is not None or len(matches) == 1:
        _show(matches[(game or 1) - 1], step)
        return
    for match in matches:
        for _ in records.positions(match):
            pass
    print(f"{file}: {count(len(matches), 'match')} re-played, every end as recorded")


def bench() -> None:
    """Measure the speed of every layer.

    Example: bonebed bench
    """


def leaderboard() -> None:
    """Let all agents play each other and write the leaderboard, or verify it.

    Example: bonebed leaderboard --verify docs/leaderboard.md
    """


def demo() -> None:
    """Train a small bot on Fossil for a few minutes and pit it against the others.

    Example: bonebed demo
    """


def train_ppo() -> None:
    """Train a network by self-play with masked PPO.

    Example: bonebed train ppo --minutes 10 --folder runs/first
    """


def train_sb3() -> None:
    """Train with MaskablePPO of Stable-Baselines3 against given agents.

    Example: bonebed train sb3
    """


def train_expert() -> None:
    """Train a network that its own search teaches (expert iteration, AlphaZero).

    Example: bonebed train expert --game fossil --minutes 60 --folder runs/expert
    """


def train_export() -> None:
    """Take a trained network out of its run, with a card that tells its strength.

    Example: bonebed train export --folder runs/first --into my_bot
    """


def train_restamp() -> None:
    """Give networks the hash of rules that were rewritten but play the same.

    Example: bonebed train restamp --folders my_bot
    """


# Subcommands that live elsewhere and bring their own parameters: imported only when they are
# called. Until then the functions above stand for them in the help.
ELSEWHERE: dict[tuple[str, ...], tuple[Callable[[], None], str, str]] = {
    ("train", "ppo"): (train_ppo, "train.ppo", "train"),
    ("train", "sb3"): (train_sb3, "train.sb3", "train"),
    ("train", "expert"): (train_expert, "train.expert", "train"),
    ("train", "export"): (train_export, "train.export", "main"),
    ("train", "restamp"): (train_restamp, "train.restamp", "main"),
    ("bench",): (bench, "benchmarks.speed", "main"),
    ("leaderboard",): (leaderboard, "benchmarks.strength", "main"),
    ("demo",): (demo, "train.demo", "main"),
}
HERE: tuple[Callable[..., None], ...] = (games, play, evaluate, warmup, replay)


def application(args: Sequence[str]) -> SubcommandApp:
    """Return the table of subcommands, with that one loaded which the arguments name.

    Parameters
    ----------
    args : sequence of str

    Returns
    -------
    tyro.extras.SubcommandApp
    """
    app, train = SubcommandApp(), SubcommandApp()
    for function in HERE:
        name = function.__name__
        told = None if args[:1] == [name] else _short(function)
        app.command(name=name, help=told)(function)
    app.command(train, name="train", help="Train a bot.\n\nExample: bonebed train ppo --minutes 10")
    for path, (stub, module, name) in ELSEWHERE.items():
        called = tuple(args[: len(path)]) == path
        target = getattr(import_module(f".{module}", __package__), name) if called else stub
        group = train if len(path) > 1 else app
        group.command(name=path[-1], help=_short(stub))(target)
    return app


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    args : sequence of str, optional
        Default: those of the process.

    Returns
    -------
    int
        The exit status: 0, or 2 after an error of the user, told in one line.
    """
    args = sys.argv[1:] if args is None else list(args)
    if args == ["--version"]:
        print(f"bonebed {__version__}")
        return 0
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for networks this small more only wait in turn
    try:
        application(args).cli(
            prog="bonebed", description=ABOUT, args=args, config=(OmitArgPrefixes,)
        )
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, ModuleNotFoundError) as error:
        ours = isinstance(error, ModuleNotFoundError) and str(error.name).startswith(__package__)
        if ours or os.environ.get("BONEBED_DEBUG"):
            raise
        print(f"bonebed: {_told(error)}", file=sys.stderr)
        return 2
    return 0


def _short(function: Callable[..., None]) -> str:
    """Return the first two paragraphs of a docstring: what it does, and an example."""
    return "\n\n".join((inspect.getdoc(function) or "").split("\n\n")[:2])


def _with_pal(
    game: str, seats: list[str], pal: str, chosen: dict[str, Any]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Seat somebody in the automated opponent's place; return all seats and options."""
    from .agents.against import with_seat

    rules = _rules(game)
    seat, options = with_seat(rules, chosen)
    others = seats or ["human", *["greedy"] * (int(options["num_players"]) - 2)]
    spec = "trained" if pal == "learned" else pal
    return (*others[:seat], spec, *others[seat:]), rules.options_dict(options)


def _rules(game: str) -> Rules:
    """Load a game's rules."""
    from .envs import table

    return table.rules(game)


def _default_file(session: Session) -> Path:
    """Return where a match is saved for which no file was named: a file that does not exist."""
    name = f"{session.rules.name}-{session.seed}"
    file, n = Path(f"{name}.json"), 1
    while file.exists():
        n += 1
        file = Path(f"{name}-{n}.json")
    return file


def _saved(session: Session, file: Path) -> Path:
    """Save a match, if need be under its default name; returns where."""
    try:
        session.save(file)
    except OSError as error:
        if file == _default_file(session):
            raise
        print(f"bonebed: {_told(error)}; saved under the default name", file=sys.stderr)
        file = _default_file(session)
        session.save(file)
    return file


def _print(shown: Any) -> None:
    """Print something of Rich, in full width where the output is no terminal."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 120).print(shown)


def _show(match: Match, step: bool) -> None:
    """Re-play a match before the reader's eyes."""
    from .agents import records
    from .agents.session import told
    from .envs import table
    from .envs.text import folded

    rules, face = table.rules(match.game), table.face(match.game)
    if match.rules_hash != rules.rules_hash:
        print(f"{match.place}: played under other rules; it may differ here", file=sys.stderr)
    print(f"{rules.title}, seed {match.seed}, seats: {', '.join(match.seats)}")
    left: tuple[Any, int] | None = None  # the position before, and what was done in it
    for states, action in records.positions(match):
        if left is not None:
            before, done = left
            print(folded([told(rules, match.seats, before, done, states[0])]))
            if step:
                step = _wait()
        print(face.draw(states[0]))
        left = None if action is None else (states[0].copy(), action)
    if match.score is not None:
        points = ", ".join(f"player {seat} {score}" for seat, score in enumerate(match.score))
        print(f"The end, as recorded: {points}")
    else:
        print("The match was left here.")


def _wait() -> bool:
    """Wait for Enter; False when there is no more input."""
    try:
        input("Enter for the next move ")
    except EOFError:
        print()
        return False
    return True


def _told(error: Exception) -> str:
    """Return an error in one line."""
    if isinstance(error, ModuleNotFoundError):
        return f"this needs the package {error.name}: pip install 'bonebed[train]'"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
