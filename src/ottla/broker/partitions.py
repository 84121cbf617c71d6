"""The partitions this node leads, made to follow the metadata."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Protocol

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


class Partitions:
    """Owned by the node. `leaders` is keyed by (topic, index): plain tuples find TopicPartitions."""

    def __init__(self, on_flush_wanted: Callable[[PartitionLeader], None], pending: Pending) -> None:
        self._pending = pending
        self.leaders: dict[tuple[str, int], PartitionLeader] = {}
        self._offline: dict[tuple[str, int], str] = {}
        self._on_flush_wanted = on_flush_wanted

    def __iter__(self) -> Iterator[PartitionLeader]:
        return iter(list(self.leaders.values()))

    def __len__(self) -> int:
        return len(self.leaders)

    def get(self, topic: str, index: int) -> PartitionLeader | None:
        """The leader. A partition whose directory is still to be created gets it now."""
        leader = self.leaders.get((topic, index))
        if leader is None and (place := TopicPartition(topic, index)) in self._pending:
            self._pending.settle(place)
            leader = self.leaders.get(place)
        return leader

    def find(self, topic: str, index: int) -> PartitionLeader:
        """The leader, or the refusal that a client gets instead."""
        leader = self.leaders.get((topic, index)) or self.get(topic, index)
        if leader is not None:
            return leader
        if (topic, index) in self._offline:
            raise Refused(ErrorCode.KAFKA_STORAGE_ERROR, self._offline[topic, index])
        raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    def lead(self, log: PartitionLog, leader_epoch: int) -> PartitionLeader:
        log.assign_leader_epoch(leader_epoch)
        leader = PartitionLeader(log, leader_epoch, on_flush_wanted=self._on_flush_wanted)
        self.leaders[log.topic_partition] = leader
        self._offline.pop(log.topic_partition, None)
        return leader

    def drop(self, topic_partition: TopicPartition) -> PartitionLeader | None:
        """The partition is deleted: whoever waits on it is told and finds it gone."""
        self._offline.pop(topic_partition, None)
        leader = self.leaders.pop(topic_partition, None)
        if leader is not None:
            leader.tell_watchers()
        return leader

    def take_offline(self, topic_partition: TopicPartition, reason: str) -> None:
        _log.error("partition %s is offline: %s", topic_partition, reason)
        self._offline[topic_partition] = reason
        leader = self.leaders.pop(topic_partition, None)
        if leader is not None:
            leader.tell_watchers()

    @property
    def offline(self) -> dict[tuple[str, int], str]:
        return self._offline
