"""The partitions that have a replica on this node, each in its role."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Protocol

from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.partitions.partition import Partition, Role
from ottla.log.partition_log import PartitionLog
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.replication.partition_leader import PartitionLeader

_log = logging.getLogger(__name__)


class Pending(Protocol):
    """Partitions whose directories are still to be created or removed."""

    def __contains__(self, topic_partition: TopicPartition) -> bool: ...

    def settle(self, topic_partition: TopicPartition) -> None: ...


class RoleListener(Protocol):
    """Notified of partitions that this node begins or ceases to lead."""

    def partition_led(self, leader: PartitionLeader) -> None:
        """Also for a new leader epoch."""

    def partition_lost(self, topic_partition: TopicPartition) -> None: ...


class Partitions:
    """Owned by the node. `leaders` is keyed by (topic, index): plain tuples find TopicPartitions."""

    def __init__(self, metadata: MetadataCache, on_flush_wanted: Callable[[PartitionLeader], None]) -> None:
        self._metadata = metadata
        self._on_flush_wanted = on_flush_wanted
        #: Set by the reconciler.
        self.pending: Pending | None = None
        self.listeners: list[RoleListener] = []
        self._hosted: dict[tuple[str, int], Partition] = {}
        #: Of those in that role, for every request that reads or writes.
        self.leaders: dict[tuple[str, int], PartitionLeader] = {}

    def __iter__(self) -> Iterator[PartitionLeader]:
        """Those that this node leads."""
        return iter(list(self.leaders.values()))

    def __len__(self) -> int:
        return len(self.leaders)

    def hosted(self, topic_partition: tuple[str, int]) -> Partition | None:
        """In any role."""
        return self._hosted.get(topic_partition)

    def get(self, topic: str, index: int) -> PartitionLeader | None:
        """The leader. A partition whose directory is still to be created gets it now."""
        leader = self.leaders.get((topic, index))
        if leader is None and self.pending is not None and (place := TopicPartition(topic, index)) in self.pending:
            self.pending.settle(place)
            leader = self.leaders.get(place)
        return leader

    def find(self, topic: str, index: int) -> PartitionLeader:
        """The leader, or the refusal that a client gets instead."""
        leader = self.leaders.get((topic, index)) or self.get(topic, index)
        if leader is not None:
            return leader
        partition = self._hosted.get((topic, index))
        if partition is not None:
            raise partition.refusal()
        registration = self._metadata.image.partition(topic, index)
        if registration is not None and self._metadata.node_id not in registration.replicas:
            raise Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    # -- roles

    def lead(self, log: PartitionLog, leader_epoch: int) -> None:
        leader = self._partition(log.topic_partition).become_leader(log, leader_epoch, self._on_flush_wanted)
        self.leaders[log.topic_partition] = leader
        for listener in self.listeners:
            listener.partition_led(leader)

    def follow(self, log: PartitionLog, leader_epoch: int, leader_id: int) -> None:
        self._lose(log.topic_partition)
        self._partition(log.topic_partition).become_follower(log, leader_epoch, leader_id)

    def take_offline(self, topic_partition: TopicPartition, reason: str) -> None:
        _log.error("partition %s is offline: %s", topic_partition, reason)
        self._lose(topic_partition)
        self._partition(topic_partition).go_offline(reason)

    def remove(self, topic_partition: TopicPartition) -> None:
        """The partition is deleted, or its replica moves to another node: whoever waits for it finds it gone."""
        self._lose(topic_partition)
        partition = self._hosted.pop(topic_partition, None)
        if partition is not None:
            partition.remove()

    def _partition(self, topic_partition: TopicPartition) -> Partition:
        found = self._hosted.get(topic_partition)
        if found is None:
            found = self._hosted[topic_partition] = Partition(topic_partition)
        return found

    def _lose(self, topic_partition: TopicPartition) -> None:
        """Before the leader resigns: whoever is notified then must not find it any more."""
        self.leaders.pop(topic_partition, None)
        for listener in self.listeners:
            listener.partition_lost(topic_partition)

    @property
    def offline(self) -> dict[tuple[str, int], str]:
        """With the reasons."""
        return {place: each.reason for place, each in self._hosted.items() if each.role is Role.OFFLINE}
