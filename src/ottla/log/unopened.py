"""Directories of partitions that are here but could not be opened: damaged, without room, or two of one name.

Nothing of them is deleted while the metadata has their topic. But like every other partition they belong to a topic id,
not to a name: when the topic is deleted they go, and at a start those of another topic are put aside.
"""

from collections.abc import Callable

from ottla.doors.disk import Disk
from ottla.log import partition_metadata
from ottla.log.store_directory import FoundDirectory
from ottla.model.topic import TopicPartition


class Unopened:
    """Owned by the LogStore."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._places: dict[TopicPartition, list[FoundDirectory]] = {}

    def add(self, *places: FoundDirectory) -> None:
        for place in places:
            known = self._places.setdefault(place.partition.topic_partition, [])
            if place not in known:
                known.append(place)

    def of(self, topic_partition: TopicPartition) -> list[FoundDirectory]:
        """Those in directories that work."""
        return [place for place in self._places.get(topic_partition, ()) if place.directory.is_online]

    def forget(self, topic_partition: TopicPartition) -> None:
        self._places.pop(topic_partition, None)

    def partitions(self) -> list[TopicPartition]:
        return list(self._places)

    def strays_of(
        self, topic_partition: TopicPartition, known: Callable[[TopicPartition, bytes | None], bool]
    ) -> list[FoundDirectory]:
        """Those that surely belong to a topic that the cluster does not know."""
        return [
            place
            for place in self.of(topic_partition)
            if not known(topic_partition, partition_metadata.read(self._disk, place.path))
        ]
