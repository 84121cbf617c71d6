"""Offsets of partitions: the first, the last, the first at or after a time."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, by_topic
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import list_offsets_request


class OffsetSpec(IntEnum):
    """Which offset to list; any other number is a time in milliseconds.

    >>> first = TopicPartition("samples", 0)
    >>> with Producer(bootstrap_servers=servers) as producer, Admin(bootstrap_servers=servers) as admin:
    ...     metadata = producer.send("samples", b"x").result()
    ...     admin.list_offsets({first: OffsetSpec.LATEST})[first].offset
    1
    """

    LATEST = -1
    EARLIEST = -2
    MAX_TIMESTAMP = -3


class ListedOffset(NamedTuple):
    """From `admin.list_offsets()`. The offset is -1 when no record is that young.

    >>> first = TopicPartition("no-samples", 0)
    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("no-samples")])
    ...     admin.list_offsets({first: OffsetSpec.MAX_TIMESTAMP})[first].offset
    -1
    """

    offset: int
    timestamp_ms: int
    leader_epoch: int


async def list_offsets(
    call: Call, wanted: Mapping[TopicPartition, int], *, read_committed: bool
) -> dict[TopicPartition, ListedOffset]:
    def build(partitions: list[TopicPartition]) -> list_offsets_request.ListOffsetsRequest:
        return list_offsets_request.ListOffsetsRequest(
            replica_id=-1,
            isolation_level=1 if read_committed else 0,
            topics=[
                list_offsets_request.Topics(
                    topic,
                    [
                        list_offsets_request.Partitions(number, timestamp=int(wanted[TopicPartition(topic, number)]))
                        for number in numbers
                    ],
                )
                for topic, numbers in by_topic(partitions).items()
            ],
            timeout_ms=call.left_ms,
        )

    def read(response: Any) -> dict[TopicPartition, tuple[int, ListedOffset]]:
        return {
            TopicPartition(topic.name, row.partition_index): (
                row.error_code,
                ListedOffset(row.offset, row.timestamp, row.leader_epoch),
            )
            for topic in response.topics
            for row in topic.partitions
        }

    return await call.leaders(wanted, build, read)
