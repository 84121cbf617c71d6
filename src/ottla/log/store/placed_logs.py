"""Which logs are open on this node and in which log directory each of them is; which partitions are offline."""

import logging

from ottla.log.partition_log import PartitionLog
from ottla.log.store.store_directory import StoreDirectory
from ottla.log.store.store_reports import LogReport
from ottla.model.topic import CLUSTER_METADATA, TopicPartition

_log = logging.getLogger(__name__)

METADATA_PARTITION = TopicPartition(CLUSTER_METADATA, 0)


class PlacedLogs:
    """Owned by the LogStore, shared with its parts."""

    def __init__(self) -> None:
        self.logs: dict[TopicPartition, PartitionLog] = {}
        #: Partitions that are here but cannot be used, and why.
        self.offline: dict[TopicPartition, str] = {}
        #: Of both.
        self.homes: dict[TopicPartition, StoreDirectory] = {}
        #: Up to where each compacted log is clean; kept by the cleaner.
        self.cleaner_offsets: dict[TopicPartition, int] = {}
        #: Not one of `logs`.
        self.metadata_log: PartitionLog | None = None

    def place(self, topic_partition: TopicPartition, log: PartitionLog, directory: StoreDirectory) -> None:
        self.logs[topic_partition] = log
        self.homes[topic_partition] = directory

    def remove(self, topic_partition: TopicPartition) -> None:
        del self.logs[topic_partition], self.homes[topic_partition]
        self.cleaner_offsets.pop(topic_partition, None)

    def take_offline(self, topic_partition: TopicPartition, reason: str) -> None:
        log = self.logs.pop(topic_partition, None)
        if log is not None:
            log.release(reason)
        self.offline[topic_partition] = reason
        _log.error("partition %s is offline: %s", topic_partition, reason)

    def forget_offline(self, topic_partition: TopicPartition) -> None:
        self.offline.pop(topic_partition, None)
        self.homes.pop(topic_partition, None)

    def in_directory(self, directory: StoreDirectory) -> list[TopicPartition]:
        """Those whose log is open."""
        return [tp for tp, home in self.homes.items() if home is directory and tp in self.logs]

    def has_all_of(self, directory: StoreDirectory) -> bool:
        """No log of the directory has failed to open."""
        return not any(self.homes.get(topic_partition) is directory for topic_partition in self.offline)

    def reports(self, directory: StoreDirectory) -> list[LogReport]:
        return [
            LogReport(topic_partition, self.logs[topic_partition].size_bytes, is_future=False, offset_lag=0)
            for topic_partition in self.in_directory(directory)
        ]
