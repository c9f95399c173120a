"""Pictures of what training measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
    figure = Figure(figsize=(8, 4.8), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for opponent in dict.fromkeys(row["opponent"] for row in strength):
        rows = [row for row in strength if row["opponent"] == opponent]
        x = [row["decisions"] / 1e6 for row in rows]
        (line,) = axes.plot(x, [row["win_rate"] for row in rows], marker="o", markersize=3.5)
        line.set_label(f"against {opponent}: {rows[-1]['win_rate']:.0%} at the end")
        low, high = ([row[end] for row in rows] for end in ("low", "high"))
        axes.fill_between(x, low, high, color=line.get_color(), alpha=0.18, linewidth=0)
    axes.axhline(
        1 / players, color="0.5", linestyle=":", label=f"equal strength: {1 / players:.0%}"
    )
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("decisions learned from, millions")
    axes.set_ylabel("games won (band: 95 % interval)")
    axes.set_title(title)
    axes.grid(alpha=0.25)
    axes.legend(loc="lower right")
    figure.savefig(path)
