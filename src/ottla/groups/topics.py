"""What groups need to know about topics. The host gives a new view with `GroupShard.topics_changed`."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class TopicInfo(NamedTuple):
    name: str
    topic_id: bytes
    partition_count: int
    #: For each partition the racks of its replicas; empty when the brokers have no racks.
    racks: Sequence[frozenset[str]] = ()

    def racks_of(self, partition: int) -> frozenset[str]:
        return self.racks[partition] if partition < len(self.racks) else frozenset()


class Topics(Protocol):
    """A view of the cluster's topics that does not change; a newer one replaces it."""

    def by_name(self, name: str) -> TopicInfo | None: ...

    def by_id(self, topic_id: bytes) -> TopicInfo | None: ...

    def id_of(self, name: str) -> bytes | None: ...

    def names(self) -> Iterable[str]:
        """All topics; regular expressions are matched against them."""


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
