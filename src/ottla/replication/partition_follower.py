"""The follower's side of one partition: whom it follows, and the high watermark, which only it moves.

What it does not do yet: fetch from its leader, and truncate where the two logs differ.
"""

from ottla.log.partition_log import PartitionLog
from ottla.model.topic import TopicPartition


class PartitionFollower:
    """Owned by a Partition of the broker, while another node leads it; lives for one leader epoch."""

    __slots__ = ("leader_epoch", "leader_id", "log", "topic_partition")

    def __init__(self, log: PartitionLog, leader_epoch: int, leader_id: int) -> None:
        """`leader_id` is -1 while the partition has no leader."""
        self.log = log
        self.topic_partition: TopicPartition = log.topic_partition
        self.leader_epoch = leader_epoch
        self.leader_id = leader_id

    @property
    def high_watermark(self) -> int:
        return self.log.high_watermark

    def learn_high_watermark(self, offset: int) -> None:
        """The leader has committed what is below `offset`; some of it may not be here yet."""
        self.log.advance_high_watermark(min(offset, self.log.end_offset))

    def replace_log(self, log: PartitionLog) -> None:
        """The partition has moved to another log directory."""
        self.log = log
