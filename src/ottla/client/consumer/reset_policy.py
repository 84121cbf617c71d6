"""Where to start without an offset: the values of auto.offset.reset."""

import re
from enum import Enum
from typing import NamedTuple

#: Timestamps that ListOffsets takes for something else than a time.
LATEST_TIMESTAMP = -1
EARLIEST_TIMESTAMP = -2

_DURATION = re.compile(r"(?i)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?\Z")


class ResetKind(Enum):
    EARLIEST = "earliest"
    LATEST = "latest"
    BY_DURATION = "by_duration"
    NONE = "none"


class ResetPolicy(NamedTuple):
    kind: ResetKind
    duration_ms: int = 0

    def timestamp(self, now_ms: int) -> int:
        """What ListOffsets is asked for; `now_ms` is wall-clock time."""
        if self.kind is ResetKind.EARLIEST:
            return EARLIEST_TIMESTAMP
        if self.kind is ResetKind.LATEST:
            return LATEST_TIMESTAMP
        return now_ms - self.duration_ms

    def __str__(self) -> str:
        return f"by_duration:{self.duration_ms} ms" if self.kind is ResetKind.BY_DURATION else self.kind.value


EARLIEST = ResetPolicy(ResetKind.EARLIEST)
LATEST = ResetPolicy(ResetKind.LATEST)
NO_RESET = ResetPolicy(ResetKind.NONE)


def read_policy(text: str) -> ResetPolicy:
    """From a value that the option table has accepted."""
    word, _, duration = text.partition(":")
    kind = ResetKind(word)
    return ResetPolicy(kind, _milliseconds(duration) if kind is ResetKind.BY_DURATION else 0)


def _milliseconds(duration: str) -> int:
    match = _DURATION.match(duration)
    assert match is not None, duration
    days, hours, minutes = (int(match[group] or 0) for group in (1, 2, 3))
    return ((days * 24 + hours) * 60 + minutes) * 60_000 + round(float(match[4] or 0) * 1000)
