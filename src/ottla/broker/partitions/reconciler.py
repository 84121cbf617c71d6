"""Brings the partitions on this node's disks in line with the metadata: directories are created, renamed to be deleted.

A client gets its response when the metadata is committed, and thousands of directories take seconds. So they are worked
on in slices between which others are served. A partition that somebody asks for while it is queued is created at once.

What to do with a partition is decided when it leaves the queue, from the metadata and the logs as they are then: a
topic that was deleted, created and deleted again meanwhile needs no history. After a crash or a stop in the middle, the
next start compares all of it again; what is left of a topic is deleted then if the metadata log contains its removal.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container, Iterable

from ottla.broker.execution.tasks import Tasks
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.metadata.dynamic_config import DynamicConfig, topics_with_other_options
from ottla.broker.partitions.partition import Role
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.storage.checkpoints import Checkpoints
from ottla.broker.storage.faults import StorageFaults
from ottla.doors.clock import Clock
from ottla.log.files.disk_errors import is_out_of_files
from ottla.log.partition_log import PartitionLog
from ottla.log.store.log_store import LogStore
from ottla.metadata.delta import MetadataDelta
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.model.errors import CorruptLog
from ottla.model.topic import TopicPartition
from ottla.runtime.ordered import first_done

_log = logging.getLogger(__name__)

#: Up to so many are worked on at once: most topics are complete when their response is sent.
_AT_ONCE_MAX = 64
#: A directory takes 0.2 to 1 ms.
_SLICE = 8


class PartitionReconciler:
    """Owned by the node."""

    def __init__(
        self,
        partitions: Partitions,
        store: LogStore,
        *,
        metadata: MetadataCache,
        config: DynamicConfig,
        faults: StorageFaults,
        checkpoints: Checkpoints,
        clock: Clock,
        tasks: Tasks,
    ) -> None:
        self._partitions = partitions
        self._store = store
        self._metadata = metadata
        self._config = config
        self._faults = faults
        self._checkpoints = checkpoints
        self._clock = clock
        self._tasks = tasks
        partitions.pending = self
        #: In the order in which the metadata named them.
        self._pending: dict[TopicPartition, None] = {}
        self._task: asyncio.Task[None] | None = None
        #: Partitions whose name another one had until now; they are created when the disk has forgotten that one.
        self._unnamed: dict[TopicPartition, None] = {}
        self._has_deleted = False
        self._freeing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._pending)

    def __contains__(self, topic_partition: TopicPartition) -> bool:
        return topic_partition in self._pending

    # -- from the metadata

    def follow(self, delta: MetadataDelta, *, at_once: bool = False) -> None:
        """A committed change. `at_once`: all directories are created before this returns, for a start."""
        deleted = [topic_partition for topic_partition, _, _ in delta.deleted_partitions()]
        for topic_partition in deleted:
            self._stop_serving(topic_partition)
        self._update_options(delta)
        created = [topic_partition for topic_partition, _, _ in delta.created_partitions()]
        self.add([*deleted, *created], at_once=at_once)
        for topic_partition, _, _ in delta.changed_partitions():
            if topic_partition not in self._pending and topic_partition not in self._unnamed:
                self._reconcile(topic_partition)

    def _update_options(self, delta: MetadataDelta) -> None:
        for name in topics_with_other_options(delta):
            topic = delta.new.topic(name)
            if topic is None:
                continue
            options = self._config.topic_options(name)
            for index in topic.partitions:
                log = self._store.logs.get(TopicPartition(name, index))
                if log is not None:
                    log.update_options(options, self._clock.now_ms())

    def put_strays_aside(self, removed_topic_ids: Container[bytes | None]) -> None:
        """At the start, before anything else is done with the logs. As in Kafka they are kept, under another name.

        Those of topics that are known to be removed were about to be deleted when the last run ended.
        """

        def is_known(topic_partition: TopicPartition, topic_id: bytes | None) -> bool:
            found = self._registration_of(topic_partition)
            return found is not None and topic_id in (None, found[0])

        for topic_partition in self._store.strays(is_known):
            log = self._store.logs.get(topic_partition)
            if log is None:
                # Its directory has just failed.
                continue
            try:
                if log.topic_id in removed_topic_ids:
                    self._store.delete(topic_partition)
                    continue
                path = self._store.put_aside(topic_partition)
            except OSError as error:
                self._faults.directory_failed(log, error)
                continue
            _log.warning("%s is not in the metadata: renamed to %s", topic_partition, path)
        for path in self._store.put_unopened_aside(is_known, self._config.topic_options):
            _log.warning("a partition that cannot be opened is not in the metadata: renamed to %s", path)

    # -- directories, in slices

    def add(self, partitions: Iterable[TopicPartition], *, at_once: bool = False) -> None:
        """`at_once` is for a start, when nobody is served yet."""
        self._pending.update(dict.fromkeys(partitions))
        count = len(self._pending)
        self._work(count if at_once or count <= _AT_ONCE_MAX else _SLICE)
        if self._pending and self._task is None:
            self._task = self._tasks.spawn(self._work_in_slices(), name="partition directories")
        elif self._has_deleted:
            self._free_names()

    def settle(self, topic_partition: TopicPartition) -> None:
        """Somebody needs the partition now, or it could not be opened before."""
        self._pending.pop(topic_partition, None)
        self._reconcile(topic_partition)

    async def _work_in_slices(self) -> None:
        try:
            while self._pending:
                await asyncio.sleep(0)
                self._work(_SLICE)
        finally:
            self._task = None
        if self._has_deleted:
            self._free_names()

    def _work(self, count: int) -> None:
        while self._pending and count > 0:
            self.settle(next(iter(self._pending)))
            count -= 1

    # -- names that are used again

    async def names_are_free(self) -> None:
        """Returns when no partition waits for its name any more: what is left to be created, is on its first use."""
        reused = [topic_partition for topic_partition in self._pending if self._has_former(topic_partition)]
        for index, topic_partition in enumerate(reused):
            if topic_partition in self._pending:
                self.settle(topic_partition)
            if index % _SLICE == 0:
                await asyncio.sleep(0)
        while self._unnamed and self._freeing is not None:
            await first_done(self._freeing)

    def _has_former(self, topic_partition: TopicPartition) -> bool:
        """To be created, and its name is that of an earlier partition."""
        store = self._store
        is_taken = topic_partition in store.logs or not store.is_free(topic_partition)
        return is_taken and self._registration_of(topic_partition) is not None

    def _free_names(self) -> None:
        """Checkpoint files have entries of deleted partitions, by name; a thread writes them without."""
        if self._freeing is None:
            self._freeing = self._tasks.spawn(self._free_and_open(), name="release of names of deleted partitions")

    async def _free_and_open(self) -> None:
        try:
            while self._has_deleted or self._unnamed:
                self._has_deleted = False
                waiting = list(self._unnamed)
                await self._checkpoints.forget_deleted()
                for topic_partition in waiting:
                    del self._unnamed[topic_partition]
                self.add([each for each in waiting if self._is_freed(each)])
        finally:
            self._freeing = None

    def _is_freed(self, topic_partition: TopicPartition) -> bool:
        """The metadata may have changed again while it waited: that is seen when it leaves the queue."""
        is_free = self._store.is_free(topic_partition)
        if not is_free and self._registration_of(topic_partition) is not None:
            reason = "an earlier partition of its name is in the checkpoint files, which cannot be written"
            self._partitions.take_offline(topic_partition, reason)
        return is_free

    # -- one partition

    def _reconcile(self, topic_partition: TopicPartition) -> None:
        self._delete_if_stale(topic_partition)
        found = self._registration_of(topic_partition)
        if found is None:
            if self._partitions.hosted(topic_partition) is not None:
                self._stop_serving(topic_partition)
            return
        if topic_partition not in self._store.logs and not self._store.is_free(topic_partition):
            self._unnamed[topic_partition] = None
            self._free_names()
            return
        topic_id, registration = found
        log = self._open(topic_partition, topic_id)
        if log is not None:
            self._assign_role(log, registration)

    def _registration_of(self, topic_partition: TopicPartition) -> tuple[bytes, PartitionRegistration] | None:
        """The topic's id and the partition as the metadata has it, if it belongs on this node."""
        topic = self._metadata.image.topic(topic_partition.topic)
        registration = None if topic is None else topic.partitions.get(topic_partition.partition)
        if topic is None or registration is None or self._metadata.node_id not in registration.replicas:
            return None
        return topic.topic_id, registration

    def _delete_if_stale(self, topic_partition: TopicPartition) -> None:
        """A log of a topic that is gone. One of its name may have been created since: the log is not its log."""
        log = self._store.logs.get(topic_partition)
        if log is None:
            return
        found = self._registration_of(topic_partition)
        if found is not None and log.topic_id in (None, found[0]):
            return
        self._stop_serving(topic_partition)
        self._has_deleted = True
        try:
            self._store.delete(topic_partition)
        except OSError as error:
            self._faults.directory_failed(log, error)

    def _open(self, topic_partition: TopicPartition, topic_id: bytes) -> PartitionLog | None:
        """The log; None where it cannot be used, and the partition is offline."""
        reason = self._store.offline.get(topic_partition)
        if reason is not None:
            self._partitions.take_offline(topic_partition, reason)
            return None
        options = self._config.topic_options(topic_partition.topic)
        try:
            log = self._store.logs.get(topic_partition)
            if log is None:
                log = self._store.create(topic_partition, topic_id, options)
            else:
                log.update_options(options, self._clock.now_ms())
        except (OSError, CorruptLog) as error:
            if isinstance(error, OSError) and is_out_of_files(error):
                self._faults.out_of_files(error)
            self._partitions.take_offline(topic_partition, str(error))
            return None
        return log

    def _assign_role(self, log: PartitionLog, registration: PartitionRegistration) -> None:
        """The role that the metadata gives to this node; one that it has already, in this epoch, is left alone."""
        role = Role.LEADER if registration.leader == self._metadata.node_id else Role.FOLLOWER
        epoch = registration.leader_epoch
        partition = self._partitions.hosted(log.topic_partition)
        if partition is not None and (partition.role, partition.leader_epoch) == (role, epoch):
            return
        if role is Role.LEADER:
            self._partitions.lead(log, epoch)
        else:
            self._partitions.follow(log, epoch, registration.leader)

    def _stop_serving(self, topic_partition: TopicPartition) -> None:
        """At once: the directory may follow later."""
        self._partitions.remove(topic_partition)
        if topic_partition in self._store.offline:
            for path, error in self._store.delete_offline(topic_partition):
                self._faults.path_failed(path, error)
