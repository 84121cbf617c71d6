"""What a cleaning is asked to do and what it has done: plain data, because the work is done in another process."""

from typing import Final, NamedTuple

from ottla.log.segments.transaction_index import AbortedTransaction
from ottla.model.topic import TopicPartition

#: Positions and relative offsets in an index are int32.
INT32_MAX: Final = 2**31 - 1


class SegmentToClean(NamedTuple):
    base_offset: int
    #: Base offset of the next segment.
    end_offset: int
    size_bytes: int


class CleaningPlan(NamedTuple):
    """Everything that `clean_segments` needs."""

    topic_partition: TopicPartition
    topic_id: bytes | None
    directory: str
    #: Segments that become one, oldest first.
    groups: tuple[tuple[SegmentToClean, ...], ...]
    first_dirty_offset: int
    #: Exclusive; a segment boundary.
    end_offset: int
    now_ms: int
    delete_retention_ms: int
    index_interval_bytes: int
    map_memory_bytes: int
    aborted: tuple[AbortedTransaction, ...]
    #: Last data offset (or -1) and epoch of each producer: its last sequence and its epoch must survive.
    last_of_producers: dict[int, tuple[int, int]]
    #: Most bytes read and written per second; None is no limit.
    bytes_per_second: float | None = None


class CleanedGroup(NamedTuple):
    old: tuple[int, ...]
    new: tuple[int, ...]


class CleanResult(NamedTuple):
    groups: tuple[CleanedGroup, ...]
    #: Up to here (exclusive) no key has two values any more.
    cleaned_to: int
    records_read: int
    records_kept: int
    #: Records without a key have no place in a compacted topic; they are dropped.
    records_without_key: int
