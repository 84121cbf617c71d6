"""Makes the node do what the metadata says: open and lead partitions, drop deleted ones, follow changed settings."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ottla.metadata.delta import MetadataDelta
from ottla.metadata.image import BROKER_RESOURCE, TOPIC_RESOURCE, MetadataImage
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.model.errors import CorruptLog
from ottla.model.topic import TopicPartition
from ottla.runtime.ordered import first_done

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
        #: Partitions whose name another one had until now; they are created when the disk has forgotten that one.
        self._unopened: dict[TopicPartition, None] = {}
        self._has_deleted = False
        self._freeing: asyncio.Task[None] | None = None

    def follow(self, old: MetadataImage, new: MetadataImage) -> None:
        delta = MetadataDelta(old, new)
        if delta.is_empty:
            return
        deleted = [(topic_partition, topic_id) for topic_partition, topic_id, _ in delta.deleted_partitions()]
        for topic_partition, topic_id in deleted:
            self._delete(topic_partition, topic_id)
        if deleted:
            self._has_deleted = True
            self._free_names()
            self._broker.groups.partitions_deleted([topic_partition for topic_partition, _ in deleted])
        self._follow_configs(delta)
        for topic_partition, topic_id, registration in delta.created_partitions():
            self._open(topic_partition, topic_id, registration)
        for topic_partition, before, after in delta.changed_partitions():
            self._change(topic_partition, before, after)
        if delta.created_topics or delta.deleted_topics or delta.changed_topics:
            self._broker.topics_changed()

    def put_strays_aside(self, image: MetadataImage) -> None:
        """At the start, before anything else is done with the logs. As in Kafka they are kept, under another name."""
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
                path = store.put_aside(topic_partition)
            except OSError as error:
                self._broker.faults.directory_failed(log, error)
                continue
            _log.warning("%s is not known to the cluster: put aside as %s", topic_partition, path)
        for path in store.put_unopened_aside(is_known, self.options_for):
            _log.warning("a partition that cannot be opened is not known to the cluster: put aside as %s", path)

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
        """Of a partition that could not be opened or made before."""
        topic = self._broker.image.topic(topic_partition.topic)
        registration = None if topic is None else topic.partitions.get(topic_partition.partition)
        if topic is not None and registration is not None:
            self._open(topic_partition, topic.topic_id, registration)

    def _open(self, topic_partition: TopicPartition, topic_id: bytes, registration: PartitionRegistration) -> None:
        broker = self._broker
        if broker.node_id not in registration.replicas:
            return
        store = broker.store
        reason = store.offline.get(topic_partition)
        if reason is not None:
            broker.partitions.take_offline(topic_partition, reason)
            return
        log = store.logs.get(topic_partition)
        if log is not None and log.topic_id not in (None, topic_id):
            # A topic of this name was deleted and made again while we were away (R10): the old log is not its log.
            store.delete(topic_partition)
            log = None
        if log is None and not store.is_free(topic_partition):
            self._unopened[topic_partition] = None
            self._free_names()
            return
        try:
            if log is None:
                log = store.create(topic_partition, topic_id, self.options_for(topic_partition.topic))
            else:
                log.update_options(self.options_for(topic_partition.topic), broker.clock.now_ms())
        except (OSError, CorruptLog) as error:
            broker.partitions.take_offline(topic_partition, str(error))
            return
        if registration.leader == broker.node_id:
            self._lead(topic_partition, registration.leader_epoch)

    # -- names that are used again

    def _free_names(self) -> None:
        """Checkpoint files have entries of deleted partitions, by name; a thread writes them without."""
        if self._freeing is None:
            self._freeing = self._broker.spawn(self._free_and_open(), name="release of names of deleted partitions")

    async def _free_and_open(self) -> None:
        try:
            while self._has_deleted or self._unopened:
                self._has_deleted = False
                waiting = list(self._unopened)
                await self._broker.maintenance.forget_deleted()
                for topic_partition in waiting:
                    self._open_freed(topic_partition)
        finally:
            self._freeing = None

    def _open_freed(self, topic_partition: TopicPartition) -> None:
        """The metadata may have changed again while it waited."""
        del self._unopened[topic_partition]
        topic = self._broker.image.topic(topic_partition.topic)
        if topic is None or topic_partition.partition not in topic.partitions:
            return
        if self._broker.store.is_free(topic_partition):
            self.open_again(topic_partition)
        else:
            reason = "an earlier partition of its name is in the checkpoint files, which cannot be written"
            self._broker.partitions.take_offline(topic_partition, reason)

    async def opened(self) -> None:
        """Returns when all partitions of the metadata are open that can be."""
        while self._unopened and self._freeing is not None:
            await first_done(self._freeing)

    def _lead(self, topic_partition: TopicPartition, leader_epoch: int) -> None:
        log = self._broker.store.logs.get(topic_partition)
        if log is None:
            return
        leader = self._broker.partitions.lead(log, leader_epoch)
        self._broker.partition_led(leader)

    def _change(
        self, topic_partition: TopicPartition, before: PartitionRegistration, after: PartitionRegistration
    ) -> None:
        if after.leader == self._broker.node_id and after.leader_epoch != before.leader_epoch:
            self._lead(topic_partition, after.leader_epoch)

    def _delete(self, topic_partition: TopicPartition, topic_id: bytes) -> None:
        self._broker.partition_lost(topic_partition)
        self._broker.partitions.drop(topic_partition)
        log = self._broker.store.logs.get(topic_partition)
        if topic_partition in self._broker.store.offline:
            for path, error in self._broker.store.delete_offline(topic_partition):
                self._broker.faults.path_failed(path, error)
        if log is None or log.topic_id not in (None, topic_id):
            return
        try:
            self._broker.store.delete(topic_partition)
        except OSError as error:
            self._broker.faults.directory_failed(log, error)

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
