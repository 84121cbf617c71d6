"""Topics for group tests, and what classic members say of them in bytes."""

from collections.abc import Iterable, Mapping

from ottla.groups.topics import TopicInfo
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription, OwnedPartitions


def topic_id(name: str) -> bytes:
    return name.encode().rjust(16, b"-")[:16]


def a_topic(name: str, partition_count: int, racks: Iterable[Iterable[str]] = ()) -> TopicInfo:
    return TopicInfo(name, topic_id(name), partition_count, [frozenset(names) for names in racks])


def subscription(*topics: str, owned: Mapping[str, list[int]] | None = None, version: int = 1) -> bytes:
    message = ConsumerProtocolSubscription(
        topics=list(topics),
        owned_partitions=[OwnedPartitions(topic=name, partitions=found) for name, found in (owned or {}).items()],
    )
    data = bytearray(version.to_bytes(2, "big"))
    message.encode(data, version)
    return bytes(data)


def assigned_in(data: bytes) -> dict[str, list[int]]:
    assignment, _ = ConsumerProtocolAssignment.decode(data, 2, int.from_bytes(data[:2], "big"))
    return {entry.topic: entry.partitions for entry in assignment.assigned_partitions}
