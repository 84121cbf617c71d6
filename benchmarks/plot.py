"""The picture beside the table: each row's ratio to the peer on a logarithmic axis, with its goal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import Bound, Outcome, Row, Verdict

_MET, _MISSED, _NO_GOAL = "#2a7f62", "#c0392b", "#7f8c8d"


def draw(outcomes: Sequence[Outcome], path: Path, title: str) -> bool:
    """False when there is nothing to draw, or nothing to draw with."""
    compared = [outcome for outcome in outcomes if outcome.ratio is not None and outcome.ratio.median > 0]
    if not compared:
        return False
    try:
        import matplotlib  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return False
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot  # type: ignore[import-not-found,unused-ignore]

    figure, axes = pyplot.subplots(figsize=(13, 1.2 + 0.32 * len(compared)))
    for height, outcome in enumerate(reversed(compared)):
        _draw_row(axes, height, outcome)
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(compared)), [label(outcome.row) for outcome in reversed(compared)], fontsize=7)
    axes.set_xlabel("ratio to Apache Kafka (dot: median, bar: all rounds, tick: goal)")
    axes.set_title(title, fontsize=10)
    axes.grid(axis="x", which="both", linewidth=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=110, bbox_inches="tight")
    pyplot.close(figure)
    return True


def label(row: Row) -> str:
    """Says which way is better, for the rows that have a goal."""
    arrow = "" if row.goal is None else " ▲" if row.goal.bound is Bound.AT_LEAST else " ▼"
    return f"{row.title}, {row.unit}{arrow}"


def _draw_row(axes: Any, height: int, outcome: Outcome) -> None:
    ratio, goal = outcome.ratio, outcome.row.goal
    if ratio is None:
        return
    color = {Verdict.MET: _MET, Verdict.MISSED: _MISSED}.get(outcome.verdict, _NO_GOAL)
    axes.plot([ratio.low, ratio.high], [height, height], color=color, linewidth=3, alpha=0.4)
    axes.plot([ratio.median], [height], "o", color=color, markersize=5)
    if goal is not None and not goal.is_absolute:
        axes.plot([goal.value], [height], "|", color="black", markersize=11)
