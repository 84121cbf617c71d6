"""New offsets for a group: which partitions, from which rule, within the offsets that exist."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ottla.cli.failures import Failure, not_found, usage
from ottla.cli.kafka.group_rows import known_offsets
from ottla.client import OffsetSpec, TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

Offsets = dict[TopicPartition, int]
Warn = Callable[[str], None]


class Rule(NamedTuple):
    """One of the ways to choose an offset; the others are None or False."""

    to_earliest: bool = False
    to_latest: bool = False
    to_current: bool = False
    to_offset: int | None = None
    to_datetime: str | None = None
    by_duration: str | None = None
    shift_by: int | None = None

    @property
    def given(self) -> int:
        """How many rules are given."""
        return sum(value is not None and value is not False for value in self)


class ResetRow(NamedTuple):
    group: str
    topic: str
    partition: int
    new_offset: int


def parse_topics(admin: "Admin", texts: Sequence[str]) -> list[TopicPartition]:
    """`orders` or `orders:0,1`. Raises Failure for what does not exist."""
    found: dict[TopicPartition, None] = {}
    known = {listing.name for listing in admin.list_topics(include_internal=True)}
    for text in texts:
        name, colon, numbers = text.partition(":")
        if name not in known:
            raise not_found("topic", name, known)
        count = len(admin.describe_topics([name])[name].partitions)
        try:
            wanted = [int(number) for number in numbers.split(",")] if colon else range(count)
        except ValueError:
            raise usage(f"--topic {text}: give TOPIC or TOPIC:0,1") from None
        outside = [number for number in wanted if not 0 <= number < count]
        if outside:
            raise Failure(f"topic {name} has no partition {outside[0]}", code=3, name="NOT_FOUND")
        found.update(dict.fromkeys(TopicPartition(name, number) for number in wanted))
    return sorted(found)


def new_offsets(
    admin: "Admin", partitions: Sequence[TopicPartition], current: Mapping[TopicPartition, int], rule: Rule, warn: Warn
) -> Offsets:
    if rule.to_earliest:
        return known_offsets(admin, partitions, OffsetSpec.EARLIEST)
    if rule.to_latest:
        return known_offsets(admin, partitions, OffsetSpec.LATEST)
    if rule.to_datetime is not None:
        return _at_time(admin, partitions, datetime_ms(rule.to_datetime), warn)
    if rule.by_duration is not None:
        now_ms = datetime.now(UTC).timestamp() * 1000
        return _at_time(admin, partitions, int(now_ms - duration_ms(rule.by_duration)), warn)
    if rule.to_current:
        fallback = known_offsets(admin, [each for each in partitions if each not in current], OffsetSpec.LATEST)
        return {each: current[each] if each in current else fallback[each] for each in partitions}
    if rule.shift_by is not None:
        missing = [str(each) for each in partitions if each not in current]
        if missing:
            raise Failure(f"Cannot shift offset for partition {missing[0]} since there is no current committed offset")
        wanted = {each: current[each] + rule.shift_by for each in partitions}
    else:
        assert rule.to_offset is not None
        wanted = dict.fromkeys(partitions, rule.to_offset)
    return within_log(admin, wanted, warn)


def within_log(admin: "Admin", wanted: Offsets, warn: Warn) -> Offsets:
    """An offset that the log does not have becomes the nearest that it has."""
    first = known_offsets(admin, wanted, OffsetSpec.EARLIEST)
    end = known_offsets(admin, wanted, OffsetSpec.LATEST)
    found: Offsets = {}
    for partition, offset in wanted.items():
        if partition not in end:
            raise Failure(f"partition {partition} does not exist", code=3, name="NOT_FOUND")
        found[partition] = min(max(offset, first[partition]), end[partition])
        if found[partition] != offset:
            side = "higher than latest" if offset > end[partition] else "lower than earliest"
            warn(
                f"New offset ({offset}) is {side} offset for topic partition {partition}. "
                f"Value will be set to {found[partition]}"
            )
    return found


def _at_time(admin: "Admin", partitions: Sequence[TopicPartition], moment_ms: int, warn: Warn) -> Offsets:
    found = known_offsets(admin, partitions, max(0, moment_ms))
    missing = [partition for partition in partitions if partition not in found]
    for partition in missing:
        warn(f"Partition {partition.partition} from topic {partition.topic} has no record that young; using its end")
    return {**known_offsets(admin, missing, OffsetSpec.LATEST), **found}


def datetime_ms(text: str) -> int:
    """2026-01-31T10:00:00.000, with an offset such as +02:00 or Z; UTC without one."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise usage(f"{text!r} is not a time; give YYYY-MM-DDTHH:mm:SS.sss, with an offset such as +02:00") from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def duration_ms(text: str) -> int:
    """PnDTnHnMnS, as ISO 8601 has it."""
    found = re.fullmatch(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", text)
    if found is None or not any(found.groups()):
        raise usage(f"{text!r} is not a duration; give PnDTnHnMnS, e.g. P1DT12H")
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return int(timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds).total_seconds() * 1000)


def read_plan(path: str, groups: Sequence[str]) -> dict[str, Offsets]:
    """A CSV file as `--export` writes it: topic,partition,offset, or with the group before it."""
    plan: dict[str, Offsets] = {}
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise Failure(f"{path}: {error}") from error
    for row in rows:
        try:
            *before, topic, partition, offset = row
            group = before[0] if before else groups[0]
            plan.setdefault(group, {})[TopicPartition(topic, int(partition))] = int(offset)
        except ValueError:
            raise Failure(f"{path}: {','.join(row)!r}: must be [group,]topic,partition,offset") from None
    unknown = [group for group in plan if group not in groups]
    if unknown:
        raise Failure(f"{path}: group {unknown[0]} is not one of --group")
    return plan


def export_text(rows: Iterable[ResetRow], *, with_group: bool) -> str:
    return "\n".join(
        ",".join(map(str, row if with_group else (row.topic, row.partition, row.new_offset))) for row in rows
    )
