"""What a run shows of itself: a progress bar at the terminal and scalars for TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard.writer import SummaryWriter

from .strength import Strength, in_short, in_words, named

TENSORBOARD = "tensorboard"  # the folder of a run that holds the logs


class Report:
    """Shows a run; to be used in a `with` statement.

    Parameters
    ----------
    folder : Path
        The run's folder.
    title : str
        What stands before the bar.
    decisions : int
        What the run has behind it. TensorBoard drops what an earlier process logged beyond that
        point, so that a run that was killed and resumed shows nothing twice.
    strength : sequence of Strength
        The evaluations so far.
    """

    def __init__(
        self, folder: Path, title: str, decisions: int, strength: Sequence[Strength]
    ) -> None:
        first = decisions + 1 if decisions else 0  # a run's first checkpoint comes before its logs
        self._writer = SummaryWriter(str(folder / TENSORBOARD), purge_step=first)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[strength]}"),
            TimeRemainingColumn(),
        )
        shown = in_short(strength[-1]) if strength else ""
        self._task = self._bar.add_task(title, total=1.0, done="starting", strength=shown)

    def __enter__(self) -> Report:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
        self._writer.close()

    def update(self, fraction: float, decisions: int, scalars: Mapping[str, float]) -> None:
        """Show an update.

        Parameters
        ----------
        fraction : float
            How much of the budget is used.
        decisions : int
            What was learned from so far.
        scalars : mapping of str to float
            By the names that TensorBoard shows.
        """
        for name, value in scalars.items():
            self._writer.add_scalar(name, value, decisions)
        done = f"{decisions / 1e6:.2f} M, {scalars['speed/decisions_per_second']:,.0f}/s"
        self._bar.update(self._task, completed=fraction, done=done)

    def strength(self, decisions: int, measured: Sequence[Strength]) -> None:
        """Show an evaluation.

        Parameters
        ----------
        decisions : int
        measured : sequence of Strength
            One for each opponent.
        """
        for row in measured:
            tag = f"strength/{named(row, measured).replace(' ', '_')}"
            self._writer.add_scalar(tag, row["win_rate"], decisions)
        self._writer.flush()
        self._bar.update(self._task, strength=in_short(measured[-1]))
        self._bar.console.print(f"{decisions / 1e6:8.2f} M decisions: {in_words(measured)}")
