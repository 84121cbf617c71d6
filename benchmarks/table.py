"""The table: plain text for the terminal, Markdown for the page."""

from collections.abc import Sequence

from benchmarks.results import Outcome, Spread

_HEADINGS = ("row", "unit", "{reference}", "{tested}", "ratio", "goal", "")


def cells(outcome: Outcome) -> tuple[str, ...]:
    row = outcome.row
    return (
        row.title,
        row.unit,
        with_spread(outcome.reference),
        with_spread(outcome.tested),
        with_spread(outcome.ratio, suffix="x"),
        str(row.goal) if row.goal else "",
        outcome.verdict,
    )


def with_spread(values: Spread | None, suffix: str = "") -> str:
    """The median, and in brackets from where to where the rounds went."""
    if values is None:
        return "-"
    median = number(values.median) + suffix
    if values.low == values.high:
        return median
    return f"{median} ({number(values.low)}–{number(values.high)})"


def number(value: float) -> str:
    """Three digits that say something."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if size >= 0.1 else f"{value:.3g}"


def text_table(outcomes: Sequence[Outcome], reference: str, tested: str) -> str:
    lines = [_headings(reference, tested), *(cells(outcome) for outcome in outcomes)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    return "\n".join(_aligned(line, widths) for line in lines)


def markdown_table(outcomes: Sequence[Outcome], reference: str, tested: str) -> str:
    headings = _headings(reference, tested)
    lines = [headings, tuple("---:" if 2 <= column <= 4 else "---" for column in range(len(headings)))]
    lines += [cells(outcome) for outcome in outcomes]
    return "\n".join("| " + " | ".join(_escaped(cell) for cell in line) + " |" for line in lines)


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many goals were met, and which were not."""
    judged = [outcome for outcome in outcomes if outcome.verdict in ("met", "missed")]
    missed = [f"{outcome.row.title} ({outcome.row.unit})" for outcome in judged if outcome.verdict == "missed"]
    line = f"{len(judged) - len(missed)} of {len(judged)} goals met"
    return line + (f"; missed: {'; '.join(missed)}" if missed else "")


def _headings(reference: str, tested: str) -> tuple[str, ...]:
    return tuple(heading.format(reference=reference, tested=tested) for heading in _HEADINGS)


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    texts = [
        cell.rjust(width) if 2 <= column <= 4 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join(texts).rstrip()


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
