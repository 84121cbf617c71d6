"""What is committed: what a caller passes to `commit`, or positions, when that is due by itself. No I/O."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ottla.client.consumer.positions import Position
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.offsets import OffsetAndMetadata, Offsets
from ottla.model.topic import TopicPartition

#: What `commit` takes: nothing for all positions, a record or several, or offsets.
Committable: TypeAlias = "ConsumerRecord | Iterable[ConsumerRecord] | Offsets | None"


def offsets_of(given: "ConsumerRecord | Iterable[ConsumerRecord] | Offsets") -> dict[TopicPartition, OffsetAndMetadata]:
    """Given offsets as they are; of records, the offset behind the last one of each partition."""
    if isinstance(given, Mapping):
        return {
            TopicPartition(*partition): offset if isinstance(offset, OffsetAndMetadata) else OffsetAndMetadata(offset)
            for partition, offset in given.items()
        }
    records: Iterable[ConsumerRecord] = [given] if isinstance(given, ConsumerRecord) else given
    found: dict[TopicPartition, OffsetAndMetadata] = {}
    for record in records:
        before = found.get(record.topic_partition)
        if before is None or before.offset <= record.offset:
            found[record.topic_partition] = OffsetAndMetadata(record.offset + 1, leader_epoch=record.leader_epoch)
    return found


class AutoCommit:
    """Owned by the consumer. Due every `interval_ms`, but only for what is not committed yet."""

    def __init__(self, interval_ms: int, now_ms: int) -> None:
        self._interval_ms = interval_ms
        self.due_ms = now_ms + interval_ms

    def is_due(self, now_ms: int) -> bool:
        return now_ms >= self.due_ms

    def restart(self, now_ms: int) -> None:
        self.due_ms = now_ms + self._interval_ms


def uncommitted(
    positions: Mapping[TopicPartition, Position], committed: Mapping[TopicPartition, int]
) -> dict[TopicPartition, OffsetAndMetadata]:
    """A position that a reset has found counts too: otherwise a restart would reset once more, to somewhere else."""
    return {
        partition: OffsetAndMetadata(position.offset, leader_epoch=position.epoch)
        for partition, position in positions.items()
        if committed.get(partition) != position.offset
    }
