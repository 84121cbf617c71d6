"""One partition on this node and its role.

              become_leader                    The role decides who owns the high watermark:
     ┌──────────────────────────────┐
     │                              ▼          leader     PartitionLeader
  FOLLOWER ◄── become_follower ── LEADER       follower   PartitionFollower
     │  ▲                           │  ▲       offline    nobody: its log cannot be used
     ▼  │ become_follower           ▼  │ become_leader
  OFFLINE ◄───── go_offline ───── OFFLINE

A leader that gets another role resigns: requests that wait for it are refused. A new epoch of the same leader changes
nothing for them.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from ottla.log.partition_log import PartitionLog
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.replication.partition_follower import PartitionFollower
from ottla.replication.partition_leader import PartitionLeader


class Role(Enum):
    LEADER = "leader"
    FOLLOWER = "follower"
    OFFLINE = "offline"


class Partition:
    """Owned by `Partitions`, from when its log is opened, or cannot be, until the replica is removed from the node."""

    __slots__ = ("follower", "leader", "reason", "topic_partition")

    def __init__(self, topic_partition: TopicPartition) -> None:
        self.topic_partition = topic_partition
        #: One of the two, or neither of them while the partition is offline.
        self.leader: PartitionLeader | None = None
        self.follower: PartitionFollower | None = None
        #: Why it is offline.
        self.reason = "its log is not open"

    @property
    def role(self) -> Role:
        if self.leader is not None:
            return Role.LEADER
        return Role.FOLLOWER if self.follower is not None else Role.OFFLINE

    @property
    def leader_epoch(self) -> int:
        """-1 while it is offline."""
        owner = self.leader or self.follower
        return -1 if owner is None else owner.leader_epoch

    def become_leader(
        self, log: PartitionLog, leader_epoch: int, on_flush_wanted: Callable[[PartitionLeader], None]
    ) -> PartitionLeader:
        log.assign_leader_epoch(leader_epoch)
        leader = self.leader
        if leader is not None and leader.log is log:
            leader.leader_epoch = leader_epoch
            return leader
        self._leave_role()
        self.leader = leader = PartitionLeader(log, leader_epoch, on_flush_wanted=on_flush_wanted)
        return leader

    def become_follower(self, log: PartitionLog, leader_epoch: int, leader_id: int) -> PartitionFollower:
        self._leave_role()
        self.follower = PartitionFollower(log, leader_epoch, leader_id)
        return self.follower

    def go_offline(self, reason: str) -> None:
        self._leave_role()
        self.reason = reason

    def remove(self) -> None:
        """It is deleted, or its replica is no longer on this node."""
        self.go_offline("it was removed from this node")

    def _leave_role(self) -> None:
        leader, self.leader, self.follower = self.leader, None, None
        if leader is not None:
            leader.resign()

    def replace_log(self, log: PartitionLog) -> None:
        """It has moved to another log directory of this node."""
        owner = self.leader or self.follower
        if owner is not None:
            owner.replace_log(log)

    def refusal(self) -> Refused:
        """What a client gets that needs the leader."""
        if self.role is Role.OFFLINE:
            return Refused(ErrorCode.KAFKA_STORAGE_ERROR, self.reason)
        return Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER)
