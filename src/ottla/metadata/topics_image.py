"""The topics of the cluster as an immutable view. Unchanged topics are shared between images."""

from collections.abc import Iterator, Mapping

from ottla.metadata.partition_registration import PartitionRegistration


class TopicImage:
    """One topic. Never changed after it was created; a change of one partition makes a new TopicImage."""

    __slots__ = ("name", "partitions", "topic_id")

    def __init__(self, name: str, topic_id: bytes, partitions: Mapping[int, PartitionRegistration]) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = partitions

    @property
    def partition_count(self) -> int:
        return len(self.partitions)

    def partition(self, index: int) -> PartitionRegistration | None:
        return self.partitions.get(index)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TopicImage)
            and (self.name, self.topic_id) == (other.name, other.topic_id)
            and self.partitions == other.partitions
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TopicImage({self.name!r}, {self.partition_count} partitions)"


class TopicsImage:
    """All topics, by name and by id, in order of creation."""

    __slots__ = ("by_name", "names_by_id", "partition_count")

    def __init__(
        self, by_name: Mapping[str, TopicImage], names_by_id: Mapping[bytes, str], partition_count: int
    ) -> None:
        self.by_name = by_name
        self.names_by_id = names_by_id
        #: Of all topics. Counted by whoever builds the image: a sum over all topics for each change would be slow.
        self.partition_count = partition_count

    def get(self, name: str) -> TopicImage | None:
        return self.by_name.get(name)

    def get_by_id(self, topic_id: bytes) -> TopicImage | None:
        name = self.names_by_id.get(topic_id)
        return None if name is None else self.by_name[name]

    def __iter__(self) -> Iterator[TopicImage]:
        return iter(self.by_name.values())

    def __len__(self) -> int:
        return len(self.by_name)

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TopicsImage) and self.by_name == other.by_name

    __hash__ = None  # type: ignore[assignment]


NO_TOPICS = TopicsImage({}, {}, 0)
