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
