"""Dates in the patterns of Java's SimpleDateFormat, as far as they are of use in a report."""

import re
from datetime import datetime

from ottla.cli.failures import usage

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
