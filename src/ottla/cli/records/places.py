"""Where to start and where to stop: start, end, 1200, -100, @-1h, @2026-01-01T10:00Z, p3:1200."""

import re
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from ottla.cli.failures import usage

if TYPE_CHECKING:
    from ottla.client import Consumer, TopicPartition

START: Final = "start"
END: Final = "end"
OFFSET: Final = "offset"
BEFORE_END: Final = "before_end"
TIME: Final = "time"
_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_DURATION: Final = re.compile(r"(\d+)(ms|s|m|h|d|w)")
_HINT: Final = "start, end, 1200, -100, @-1h, @2026-01-01T10:00Z or p3:1200"


class Place(NamedTuple):
    """`number` is an offset, a count of records, or a time in milliseconds. `partition` None: all of them."""

    kind: str
    number: int = 0
    partition: int | None = None


def parse_place(text: str, now_ms: int | None = None) -> list[Place]:
    """Several places for single partitions are separated by commas. Raises Failure."""
    return [_parse(part.strip(), now_ms) for part in text.split(",")]


def _parse(text: str, now_ms: int | None) -> Place:
    found = re.fullmatch(r"p(\d+):(.+)", text)
    if found is not None:
        return _parse(found[2], now_ms)._replace(partition=int(found[1]))
    if text in ("start", "beginning", "earliest"):
        return Place(START)
    if text in ("end", "latest"):
        return Place(END)
    if text.startswith("@"):
        return Place(TIME, _time_ms(text[1:], now_ms))
    if re.fullmatch(r"-\d+", text):
        return Place(BEFORE_END, int(text[1:]))
    if text.isascii() and text.isdigit():
        return Place(OFFSET, int(text))
    raise usage(f"{text!r} is no place in a topic", _HINT)


def duration_ms(text: str) -> int:
    """90s, 1h, 2d12h. Raises Failure."""
    parts = _DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise usage(f"{text!r} is no duration", "e.g. 90s, 15m, 1h30m, 7d")
    return sum(int(number) * _UNITS[unit] for number, unit in parts)


def _time_ms(text: str, now_ms: int | None) -> int:
    if text.startswith("-"):
        return (time.time_ns() // 1_000_000 if now_ms is None else now_ms) - duration_ms(text[1:])
    if text.isdigit():
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise usage(f"{text!r} is no time", _HINT) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp() * 1000)


def chosen(places: list[Place], partitions: "Iterable[TopicPartition]") -> "dict[TopicPartition, Place]":
    """The place of each partition; those of no place are left out. Raises Failure for partitions that do not exist."""
    general = [place for place in places if place.partition is None]
    special = {place.partition: place for place in places if place.partition is not None}
    if len(general) > 1:
        raise usage("one place is enough, or one for each partition (p0:5,p1:7)")
    all_partitions = sorted(partitions)
    unknown = set(special) - {each.partition for each in all_partitions}
    if unknown:
        raise usage(f"there is no partition {min(n for n in unknown if n is not None)}")
    found = {}
    for partition in all_partitions:
        place = special.get(partition.partition) or (general[0] if general else None)
        if place is not None:
            found[partition] = place
    return found


def offsets(consumer: "Consumer", places: "Mapping[TopicPartition, Place]") -> "dict[TopicPartition, int]":
    """The offset of each place now, within what the log has."""
    partitions = list(places)
    first = consumer.beginning_offsets(partitions)
    end = consumer.end_offsets(partitions)
    times = {partition: place.number for partition, place in places.items() if place.kind == TIME}
    by_time = consumer.offsets_for_times(times) if times else {}
    found = {}
    for partition, place in places.items():
        low, high = first[partition], end[partition]
        if place.kind == START:
            offset = low
        elif place.kind == OFFSET:
            offset = place.number
        elif place.kind == BEFORE_END:
            offset = high - place.number
        elif place.kind == TIME:
            at = by_time.get(partition)
            offset = high if at is None else at.offset
        else:
            offset = high
        found[partition] = min(max(offset, low), high)
    return found
