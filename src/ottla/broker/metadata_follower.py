"""Creates the node do what the metadata says: open and lead partitions, drop deleted ones, follow changed settings."""

from __future__ import annotations

import logging
from collections.abc import Container
from typing import TYPE_CHECKING

from ottla.metadata.delta import MetadataDelta
from ottla.metadata.image import BROKER_RESOURCE, TOPIC_RESOURCE, MetadataImage
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.model.topic import TopicPartition

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode
    from ottla.config.topic_options import TopicOptions

_log = logging.getLogger(__name__)


class MetadataFollower:
    """Owned by the node. Called with every committed change, in order."""

    def __init__(self, broker: BrokerNode) -> None:
        self._broker = broker
        #: Topics without settings of their own share one option set: 10,000 partitions must not each make one.
        self._options: dict[str, TopicOptions] = {}

    def follow(self, old: MetadataImage, new: MetadataImage, *, at_once: bool = False) -> None:
        """`at_once`: all directories are created before this returns, for a start."""
        delta = MetadataDelta(old, new)
        if delta.is_empty:
            return
        deleted = [topic_partition for topic_partition, _, _ in delta.deleted_partitions()]
        for topic_partition in deleted:
            self._stop_serving(topic_partition)
        if deleted:
            self._broker.groups.partitions_deleted(deleted)
        self._follow_configs(delta)
        created = [topic_partition for topic_partition, _, _ in delta.created_partitions()]
        self._broker.reconciler.add([*deleted, *created], at_once=at_once)
        for topic_partition, before, after in delta.changed_partitions():
            self._change(topic_partition, before, after)
        if delta.created_topics or delta.deleted_topics or delta.changed_topics:
            self._broker.topics_changed()

    def put_strays_aside(self, image: MetadataImage, removed_topic_ids: Container[bytes | None]) -> None:
        """At the start, before anything else is done with the logs. As in Kafka they are kept, under another name.

        Those of topics that are known to be removed were about to be deleted when the last run ended.
        """
        store = self._broker.store

        def is_known(topic_partition: TopicPartition, topic_id: bytes | None) -> bool:
            topic = image.topic(topic_partition.topic)
            if topic is None or topic_id not in (None, topic.topic_id):
                return False
            registration = topic.partitions.get(topic_partition.partition)
            return registration is not None and self._broker.node_id in registration.replicas

        for topic_partition in store.strays(is_known):
            log = store.logs.get(topic_partition)
            if log is None:
                # Its directory has just failed.
                continue
            try:
                if log.topic_id in removed_topic_ids:
                    store.delete(topic_partition)
                    continue
                path = store.put_aside(topic_partition)
            except OSError as error:
                self._broker.faults.directory_failed(log, error)
                continue
            _log.warning("%s is not in the metadata: renamed to %s", topic_partition, path)
        for path in store.put_unopened_aside(is_known, self.options_for):
            _log.warning("a partition that cannot be opened is not in the metadata: renamed to %s", path)

    def options_for(self, topic: str) -> TopicOptions:
        overrides = self._broker.image.config_overrides(TOPIC_RESOURCE, topic)
        if not overrides:
            topic = ""
        found = self._options.get(topic)
        if found is None:
            found = self._broker.layers.topic_options(overrides)
            self._options[topic] = found
        return found

    # -- partitions

    def open_again(self, topic_partition: TopicPartition) -> None:
        """Of a partition that could not be opened or created before."""
        self._broker.reconciler.settle(topic_partition)

    def _change(
        self, topic_partition: TopicPartition, before: PartitionRegistration, after: PartitionRegistration
    ) -> None:
        if after.leader == self._broker.node_id and after.leader_epoch != before.leader_epoch:
            self._broker.reconciler.lead(topic_partition, after.leader_epoch)

    def _stop_serving(self, topic_partition: TopicPartition) -> None:
        """At once: the directory may follow later."""
        self._broker.partition_lost(topic_partition)
        self._broker.partitions.drop(topic_partition)
        if topic_partition in self._broker.store.offline:
            for path, error in self._broker.store.delete_offline(topic_partition):
                self._broker.faults.path_failed(path, error)

    # -- settings

    def _follow_configs(self, delta: MetadataDelta) -> None:
        if not delta.changed_configs:
            return
        broker_changed = any(kind == BROKER_RESOURCE for kind, _ in delta.changed_configs)
        if broker_changed:
            self._broker.reload_dynamic_options(delta.new)
            self._options.clear()
            changed = list(delta.new.topics.by_name)
        else:
            changed = delta.topics_with_changed_configs
            for topic in changed:
                self._options.pop(topic, None)
        self._broker.group_configs_changed()
        for name in changed:
            found = delta.new.topic(name)
            if found is None:
                continue
            options = self.options_for(name)
            for index in found.partitions:
                log = self._broker.store.logs.get(TopicPartition(name, index))
                if log is not None:
                    log.update_options(options, self._broker.clock.now_ms())
