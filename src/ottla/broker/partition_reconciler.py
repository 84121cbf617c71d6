"""Brings the partitions on this node's disks in line with the metadata: directories are created, renamed to be deleted.

A client gets its response when the metadata is committed, and thousands of directories take seconds. So they are worked
on in slices between which others are served. A partition that somebody asks for before its turn is created at once.

What is to be done with a partition is decided when its turn comes, from the metadata and the logs as they are then: a
topic that was deleted, created and deleted again meanwhile needs no history. After a crash or a stop in the middle, the
next start compares all of it anew; what is left of a topic is deleted then if the metadata log tells of its removal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ottla.log.disk_errors import is_out_of_files
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.model.errors import CorruptLog
from ottla.model.topic import TopicPartition
from ottla.runtime.ordered import first_done

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

#: Up to so many are worked on at once: most topics are complete when their response is sent.
_AT_ONCE_MAX = 64
#: A directory takes 0.2 to 1 ms.
_SLICE = 8


class PartitionReconciler:
    """Owned by the node."""

    def __init__(self, broker: BrokerNode) -> None:
        self._broker = broker
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

    def add(self, partitions: Iterable[TopicPartition], *, at_once: bool = False) -> None:
        """`at_once` is for a start, when nobody is served yet."""
        self._pending.update(dict.fromkeys(partitions))
        count = len(self._pending)
        self._work(count if at_once or count <= _AT_ONCE_MAX else _SLICE)
        if self._pending and self._task is None:
            self._task = self._broker.spawn(self._work_in_slices(), name="partition directories")
        elif self._has_deleted:
            self._free_names()

    def settle(self, topic_partition: TopicPartition) -> None:
        """Somebody needs the partition now."""
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
        store = self._broker.store
        is_taken = topic_partition in store.logs or not store.is_free(topic_partition)
        return is_taken and self._registration_of(topic_partition) is not None

    def _free_names(self) -> None:
        """Checkpoint files have entries of deleted partitions, by name; a thread writes them without."""
        if self._freeing is None:
            self._freeing = self._broker.spawn(self._free_and_open(), name="release of names of deleted partitions")

    async def _free_and_open(self) -> None:
        try:
            while self._has_deleted or self._unnamed:
                self._has_deleted = False
                waiting = list(self._unnamed)
                await self._broker.maintenance.forget_deleted()
                for topic_partition in waiting:
                    del self._unnamed[topic_partition]
                self.add([each for each in waiting if self._is_freed(each)])
        finally:
            self._freeing = None

    def _is_freed(self, topic_partition: TopicPartition) -> bool:
        """The metadata may have changed again while it waited: that is seen when its turn comes."""
        is_free = self._broker.store.is_free(topic_partition)
        if not is_free and self._registration_of(topic_partition) is not None:
            reason = "an earlier partition of its name is in the checkpoint files, which cannot be written"
            self._broker.partitions.take_offline(topic_partition, reason)
        return is_free

    # -- one partition

    def _reconcile(self, topic_partition: TopicPartition) -> None:
        self._delete_if_stale(topic_partition)
        found = self._registration_of(topic_partition)
        if found is None:
            return
        if topic_partition not in self._broker.store.logs and not self._broker.store.is_free(topic_partition):
            self._unnamed[topic_partition] = None
            self._free_names()
            return
        self._open(topic_partition, *found)

    def _registration_of(self, topic_partition: TopicPartition) -> tuple[bytes, PartitionRegistration] | None:
        """The topic's id and the partition as the metadata has it, if it belongs on this node."""
        topic = self._broker.image.topic(topic_partition.topic)
        registration = None if topic is None else topic.partitions.get(topic_partition.partition)
        if topic is None or registration is None or self._broker.node_id not in registration.replicas:
            return None
        return topic.topic_id, registration

    def _delete_if_stale(self, topic_partition: TopicPartition) -> None:
        """A log of a topic that is gone. One of its name may have been created since: the log is not its log."""
        log = self._broker.store.logs.get(topic_partition)
        if log is None:
            return
        found = self._registration_of(topic_partition)
        if found is not None and log.topic_id in (None, found[0]):
            return
        self._has_deleted = True
        try:
            self._broker.store.delete(topic_partition)
        except OSError as error:
            self._broker.faults.directory_failed(log, error)

    def _open(self, topic_partition: TopicPartition, topic_id: bytes, registration: PartitionRegistration) -> None:
        broker, store = self._broker, self._broker.store
        reason = store.offline.get(topic_partition)
        if reason is not None:
            broker.partitions.take_offline(topic_partition, reason)
            return
        options = broker.follower.options_for(topic_partition.topic)
        try:
            log = store.logs.get(topic_partition)
            if log is None:
                log = store.create(topic_partition, topic_id, options)
            else:
                log.update_options(options, broker.clock.now_ms())
        except (OSError, CorruptLog) as error:
            if isinstance(error, OSError) and is_out_of_files(error):
                broker.faults.out_of_files(error)
            broker.partitions.take_offline(topic_partition, str(error))
            return
        if registration.leader == broker.node_id:
            self.lead(topic_partition, registration.leader_epoch)

    def lead(self, topic_partition: TopicPartition, leader_epoch: int) -> None:
        """Where there is a log; otherwise this comes with it."""
        log = self._broker.store.logs.get(topic_partition)
        if log is not None:
            self._broker.partition_led(self._broker.partitions.lead(log, leader_epoch))
