"""Pictures of what training measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from .strength import Strength


def learning_curve(strength: Sequence[Strength], path: Path, title: str, players: int) -> None:
    """Draw the win rates over the decisions, a line with its 95 % band for each opponent.

    Parameters
    ----------
    strength : sequence of Strength
    path : Path
        The PNG to write.
    title : str
    players : int
        Seats of the game: an average player wins one game in so many.
    """
    figure, axes = _axes(title)
    for opponent in dict.fromkeys(row["opponent"] for row in strength):
        rows = [row for row in strength if row["opponent"] == opponent]
        name = f"against {opponent}: {rows[-1]['win_rate']:.0%} at the end"
        _band(axes, [row["decisions"] / 1e6 for row in rows], rows, name)
    axes.axhline(
        1 / players, color="0.5", linestyle=":", label=f"equal strength: {1 / players:.0%}"
    )
    axes.set_xlim(left=0)
    axes.set_xlabel("decisions learned from, millions")
    axes.legend(loc="lower right")
    figure.savefig(path)


def time_to_strength(
    curves: Mapping[str, tuple[Sequence[Strength], int]], path: Path, title: str
) -> None:
    """Draw the win rates of several runs over the time they took, as seen on the clock.

    Parameters
    ----------
    curves : mapping of str to (sequence of Strength, int)
        For each run, by its name, what it measured against one opponent, and how many players of
        equal strength would share the games.
    path : Path
        The PNG to write.
    title : str
    """
    figure, axes = _axes(title)
    for name, (strength, _) in curves.items():
        rows = [row for row in strength if row["seconds"] > 0]  # there is no 0 on the axis
        shown = f"{name}: {rows[-1]['win_rate']:.0%}" if rows else name
        _band(axes, [row["seconds"] / 60 for row in rows], rows, shown)
    for players in sorted({players for _, players in curves.values()}):
        axes.axhline(
            1 / players, color="0.5", linestyle=":", label=f"equal strength: {1 / players:.0%}"
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("minutes of training")
    axes.legend(loc="best", fontsize="small")
    figure.savefig(path)


def _axes(title: str) -> tuple[Figure, Axes]:
    """Return an empty picture of win rates."""
    figure = Figure(figsize=(8, 4.8), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_ylabel("games won (band: 95 % interval)")
    axes.set_title(title)
    axes.grid(alpha=0.25)
    return figure, axes


def _band(axes: Axes, x: Sequence[float], rows: Sequence[Strength], name: str) -> None:
    """Draw win rates as a line with the band of their intervals."""
    (line,) = axes.plot(x, [row["win_rate"] for row in rows], marker="o", markersize=3.5)
    line.set_label(name)
    low, high = [row["low"] for row in rows], [row["high"] for row in rows]
    axes.fill_between(x, low, high, color=line.get_color(), alpha=0.18, linewidth=0)
