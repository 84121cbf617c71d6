"""What is different between two images, so that a broker can react: open logs, delete logs, change roles and options.

Images share what did not change, so the comparison is by identity: its cost is the number of topics, not of partitions,
and it works as well for two neighbouring images as for two that lie a thousand records (or a snapshot) apart.
"""

from collections.abc import Iterator

from ottla.metadata.image import TOPIC_RESOURCE, ConfigResource, MetadataImage
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.metadata.topics_image import TopicImage
from ottla.model.topic import TopicPartition


class MetadataDelta:
    """From `old` to `new`. All lists are in the order of the images, so that everybody reacts in the same order.

    A topic that was deleted and created again between the images (other id, same name) is in `deleted_topics` (the old
    one) and in `created_topics` (the new one).
    """

    __slots__ = (
        "changed_configs",
        "changed_topics",
        "created_topics",
        "deleted_topics",
        "has_changed_brokers",
        "has_changed_features",
        "new",
        "old",
    )

    def __init__(self, old: MetadataImage, new: MetadataImage) -> None:
        self.old = old
        self.new = new
        self.created_topics: list[TopicImage] = []
        self.deleted_topics: list[TopicImage] = []
        #: Pairs of the topic before and after; partitions were added or changed.
        self.changed_topics: list[tuple[TopicImage, TopicImage]] = []
        self._compare_topics()
        self.changed_configs: list[ConfigResource] = self._compare_configs()
        self.has_changed_brokers = old.brokers is not new.brokers and old.brokers != new.brokers
        self.has_changed_features = old.features is not new.features and old.features != new.features

    @property
    def is_empty(self) -> bool:
        return not (
            self.created_topics
            or self.deleted_topics
            or self.changed_topics
            or self.changed_configs
            or self.has_changed_brokers
            or self.has_changed_features
        )

    @property
    def topics_with_changed_configs(self) -> list[str]:
        return [name for kind, name in self.changed_configs if kind == TOPIC_RESOURCE]

    def created_partitions(self) -> Iterator[tuple[TopicPartition, bytes, PartitionRegistration]]:
        """With the topic id. Partitions of new topics, then partitions added to topics that were there."""
        for topic in self.created_topics:
            for index, partition in topic.partitions.items():
                yield TopicPartition(topic.name, index), topic.topic_id, partition
        for before, after in self.changed_topics:
            for index, partition in after.partitions.items():
                if index not in before.partitions:
                    yield TopicPartition(after.name, index), after.topic_id, partition

    def changed_partitions(self) -> Iterator[tuple[TopicPartition, PartitionRegistration, PartitionRegistration]]:
        """Partitions that were there and are different now: before and after."""
        for before, after in self.changed_topics:
            for index, new in after.partitions.items():
                old = before.partitions.get(index)
                if old is not None and old is not new and old != new:
                    yield TopicPartition(after.name, index), old, new

    def deleted_partitions(self) -> Iterator[tuple[TopicPartition, bytes, PartitionRegistration]]:
        for topic in self.deleted_topics:
            for index, partition in topic.partitions.items():
                yield TopicPartition(topic.name, index), topic.topic_id, partition

    def _compare_topics(self) -> None:
        if self.old.topics is self.new.topics:
            return
        before, after = self.old.topics.by_name, self.new.topics.by_name
        for name, topic in before.items():
            found = after.get(name)
            if found is topic:
                continue
            if found is None or found.topic_id != topic.topic_id:
                self.deleted_topics.append(topic)
        for name, topic in after.items():
            found = before.get(name)
            if found is topic:
                continue
            if found is None or found.topic_id != topic.topic_id:
                self.created_topics.append(topic)
            elif found.partitions != topic.partitions:
                self.changed_topics.append((found, topic))

    def _compare_configs(self) -> list[ConfigResource]:
        before, after = self.old.configs, self.new.configs
        if before is after:
            return []
        changed = [resource for resource in before if resource not in after]
        changed += [key for key, value in after.items() if before.get(key) is not value and before.get(key) != value]
        return changed
