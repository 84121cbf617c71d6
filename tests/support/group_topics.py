"""Topics for group tests, and what classic members say of them in bytes."""

from collections.abc import Iterable, Mapping

from ottla.groups.topics import TopicInfo
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription, OwnedPartitions


class TopicTable:
    """Topics from a plain list."""

    def __init__(self, topics: Iterable[TopicInfo] = ()) -> None:
        self._by_name = {topic.name: topic for topic in topics}
        self._by_id = {topic.topic_id: topic for topic in self._by_name.values()}

    def by_name(self, name: str) -> TopicInfo | None:
        return self._by_name.get(name)

    def by_id(self, topic_id: bytes) -> TopicInfo | None:
        return self._by_id.get(topic_id)

    def id_of(self, name: str) -> bytes | None:
        topic = self._by_name.get(name)
        return None if topic is None else topic.topic_id

    def names(self) -> Iterable[str]:
        return self._by_name


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
