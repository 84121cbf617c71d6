"""What the reports of Kafka's perf tools have in common: dates in a pattern, and the metrics of a client."""

import re
from collections.abc import Iterator
from datetime import datetime
from math import isnan

from ottla.cli.failures import usage
from ottla.client.metrics import Metrics

#: Of Java's SimpleDateFormat, as far as they are of use in a report.
_LETTERS = re.compile(r"'([^']*)'|([A-Za-z])\2*")


def java_date(moment: datetime, pattern: str) -> str:
    """Raises Failure for letters of the pattern that are not known."""

    def field(found: re.Match[str]) -> str:
        if found[1] is not None:
            return found[1] or "'"
        letters = found[0]
        number = _number(moment, letters[0])
        if number is None:
            raise usage(f"--date-format {pattern}: {letters} is not known", "yyyy MM dd HH hh mm ss SSS are")
        if letters[0] == "y" and len(letters) == 2:
            number %= 100
        return f"{number:0{len(letters)}d}"

    return _LETTERS.sub(field, pattern)


def _number(moment: datetime, letter: str) -> int | None:
    numbers = {
        "y": moment.year,
        "M": moment.month,
        "d": moment.day,
        "H": moment.hour,
        "h": moment.hour % 12 or 12,
        "m": moment.minute,
        "s": moment.second,
        "S": moment.microsecond // 1000,
    }
    return numbers.get(letter)


def metric_lines(metrics: Metrics) -> Iterator[str]:
    """As with --print-metrics: an empty line, the heading, then a line for each metric, sorted by name."""
    named = sorted((str(name), value) for name, value in metrics.items())
    width = max((len(name) for name, _ in named), default=0)
    yield ""
    yield f"{'Metric Name':<{width}}   Value"
    for name, value in named:
        shown = "NaN" if isnan(value) else f"{value:.3f}"
        yield f"{name:<{width}} : {shown}"
