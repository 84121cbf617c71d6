"""Ids of records that were processed before a partition was assigned: read again from the log."""

import logging
from collections.abc import Callable, Mapping

from ottla.client.consumer.consumer import AsyncConsumer
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import ClientError
from ottla.client.processing.deduplicator import Deduplicator
from ottla.client.retrying import Deadline
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)
_TIMEOUT_MS = 30_000
_POLL_MS = 100


async def warm_up(
    reader: AsyncConsumer,
    deduplicator: Deduplicator,
    ends: Mapping[TopicPartition, int],
    prepared: Callable[[ConsumerRecord], ConsumerRecord],
) -> None:
    """Shows the last records before `ends` to the deduplicator. What cannot be read in time is logged, and left out."""
    deadline = Deadline(reader.clock, _TIMEOUT_MS)
    try:
        starts = await reader.beginning_offsets(ends, timeout_ms=_TIMEOUT_MS)
        reader.assign(ends)
        left = set()
        for partition, end in ends.items():
            reader.seek(partition, max(starts[partition], end - deduplicator.warm_up_records))
            left.add(partition)
        while left and not deadline.has_passed:
            for record in await reader.poll(_POLL_MS):
                if record.offset < ends[record.topic_partition]:
                    deduplicator.is_new(prepared(record))
            for partition in sorted(left):
                if await reader.position(partition, timeout_ms=_TIMEOUT_MS) >= ends[partition]:
                    left.remove(partition)
                    reader.pause([partition])
    except ClientError as error:
        _log.warning("de-duplication: records before the committed offsets cannot be read: %s", error)
        return
    if left:
        _log.warning("de-duplication: %s not read within %d ms", ", ".join(map(str, sorted(left))), _TIMEOUT_MS)
