"""Where a read of a topic begins and ends: offsets from names, times and numbers."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TypeAlias

from ottla.client.admin.call import Call
from ottla.client.admin.offsets import OffsetSpec, list_offsets
from ottla.client.arrow.range_fetch import Range
from ottla.model.topic import TopicPartition

#: `earliest`, `latest`, a time, or offsets by partition (a partition that is not named is not limited).
Bound: TypeAlias = str | datetime | Mapping[int, int]
_NAMED = {"earliest": OffsetSpec.EARLIEST, "latest": OffsetSpec.LATEST}


async def ranges_of(
    call: Call, topic: str, partitions: Iterable[int], start: Bound, end: Bound, *, read_committed: bool
) -> list[Range]:
    """Those with something in them. Raises ValueError for a bound that makes no sense."""
    wanted = [TopicPartition(topic, number) for number in partitions]
    first = await _offsets(call, wanted, start, OffsetSpec.EARLIEST, read_committed)
    last = await _offsets(call, wanted, end, OffsetSpec.LATEST, read_committed)
    return [Range(each, first[each], last[each]) for each in wanted if first[each] < last[each]]


async def _offsets(
    call: Call, partitions: list[TopicPartition], bound: Bound, unnamed: OffsetSpec, read_committed: bool
) -> dict[TopicPartition, int]:
    given: dict[TopicPartition, int] = {}
    spec: int = unnamed
    if isinstance(bound, Mapping):
        given = {each: bound[each.partition] for each in partitions if each.partition in bound}
    elif isinstance(bound, datetime):
        spec = round(bound.astimezone(UTC).timestamp() * 1000)
    elif bound in _NAMED:
        spec = _NAMED[bound]
    else:
        raise ValueError(f"{bound!r} is no bound: use 'earliest', 'latest', a datetime, or offsets by partition")
    asked = [each for each in partitions if each not in given]
    listed = await list_offsets(call, dict.fromkeys(asked, spec), read_committed=read_committed) if asked else {}
    found = {each: row.offset for each, row in listed.items()}
    # No record is that young: the bound is the end of the log.
    younger = [each for each, offset in found.items() if offset < 0]
    if younger:
        ends = await list_offsets(call, dict.fromkeys(younger, OffsetSpec.LATEST), read_committed=read_committed)
        found.update({each: row.offset for each, row in ends.items()})
    return {**found, **given}
