"""The table: plain text for the terminal, Markdown for the page."""

from collections.abc import Sequence

from benchmarks.results import NOISE_LIMIT, ROUNDS_MIN, Outcome, Spread, Verdict

_HEADINGS = ("row", "unit", "{reference}", "{tested}", "ratio", "spread", "goal", "")
_NUMBER_COLUMNS = range(2, 6)


def cells(outcome: Outcome) -> tuple[str, ...]:
    row = outcome.row
    return (
        row.title,
        row.unit,
        with_range(outcome.reference),
        with_range(outcome.tested),
        with_range(outcome.ratio, suffix="x"),
        spread_cell(outcome),
        str(row.goal) if row.goal else "",
        outcome.verdict.value,
    )


def with_range(values: Spread | None, suffix: str = "") -> str:
    """The median, and in brackets the lowest and the highest round."""
    if values is None:
        return "-"
    median = number(values.median) + suffix
    if values.low == values.high:
        return median
    return f"{median} ({number(values.low)}–{number(values.high)})"


def spread_cell(outcome: Outcome) -> str:
    """How far the rounds of the figure that counts differ; one round says nothing about that."""
    figure = outcome.compared
    if figure is None or figure.rounds < 2:
        return ""
    return f"{'noisy: ' if outcome.is_noisy else ''}{figure.share:.0%}"


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
    lines = [headings, tuple("---:" if column in _NUMBER_COLUMNS else "---" for column in range(len(headings)))]
    lines += [cells(outcome) for outcome in outcomes]
    return "\n".join("| " + " | ".join(_escaped(cell) for cell in line) + " |" for line in lines)


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many goals were met, which were missed, how many rows are noisy."""
    met = sum(outcome.verdict is Verdict.MET for outcome in outcomes)
    missed = [_name(outcome) for outcome in outcomes if outcome.verdict is Verdict.MISSED]
    noisy = sum(outcome.is_noisy for outcome in outcomes)
    if met or missed:
        parts = [f"{met} of {met + len(missed)} goals met" + (f"; missed: {'; '.join(missed)}" if missed else "")]
    else:
        parts = [f"no goal is judged: that takes a peer, the full size and {ROUNDS_MIN} rounds"]
    if noisy:
        parts.append(f"{noisy} of {len(outcomes)} rows are noisy (their rounds differ by more than {NOISE_LIMIT:.0%})")
    return ". ".join(parts)


def _name(outcome: Outcome) -> str:
    return f"{outcome.row.title} ({outcome.row.unit})" + (", noisy" if outcome.is_noisy else "")


def _headings(reference: str, tested: str) -> tuple[str, ...]:
    return tuple(heading.format(reference=reference, tested=tested) for heading in _HEADINGS)


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    texts = [
        cell.rjust(width) if column in _NUMBER_COLUMNS else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join(texts).rstrip()


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
