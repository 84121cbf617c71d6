"""What a caller passes to `commit`, as offsets. No I/O."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

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
