"""The leader's side of one partition: `append`, `read`, and the high watermark, which only it moves.

With one replica the high watermark follows the log's end at once, except where the topic asks for a flush before each
ack (`flush.messages=1`): there it follows what has reached the device, so that nobody reads what power loss could take
back.
"""

from collections.abc import Callable
from typing import Final

from ottla.log.partition.append_rules import AppendOrigin
from ottla.log.partition.reading import LogRead
from ottla.log.partition_log import Appended, PartitionLog
from ottla.log.producers.verification import Verification
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition

#: What a producer asks for who wants all in-sync replicas to have its batch.
ACKS_ALL: Final = -1
#: Called for a partition whose high watermark or last stable offset has moved.
Watcher = Callable[[], None]


class PartitionLeader:
    """Owned by a Partition of the broker; lives while this node leads it, through one or more leader epochs."""

    __slots__ = (
        "_flush_to",
        "has_resigned",
        "in_sync_count",
        "leader_epoch",
        "log",
        "on_flush_wanted",
        "replica_count",
        "topic_partition",
        "watchers",
    )

    def __init__(
        self, log: PartitionLog, leader_epoch: int, *, on_flush_wanted: Callable[["PartitionLeader"], None]
    ) -> None:
        self.log = log
        self.topic_partition: TopicPartition = log.topic_partition
        self.leader_epoch = leader_epoch
        self.in_sync_count = 1
        self.replica_count = 1
        self.on_flush_wanted = on_flush_wanted
        #: The partition has another role by now, or is gone.
        self.has_resigned = False
        self.watchers: dict[Watcher, None] = {}
        #: What is below this offset is committed when it is flushed: flush.messages was reached, or a marker written.
        self._flush_to = 0
        self._advance()
        if log.flushes_before_ack and log.recovery_point < log.end_offset:
            # What a crash left unflushed counts only after a flush, as if it had been appended now.
            on_flush_wanted(self)

    # -- data

    def append(
        self,
        batch: bytearray | memoryview,
        now_ms: int,
        origin: AppendOrigin = AppendOrigin.CLIENT,
        verification: Verification | None = None,
        transaction_version: int = 0,
    ) -> Appended:
        """Appends one batch. It is committed when `high_watermark` has passed its last offset."""
        log = self.log
        appended = log.append_as_leader(batch, self.leader_epoch, now_ms, origin, verification, transaction_version)
        _, last_offset, _, is_duplicate = appended
        if log.flushes_before_ack:
            if last_offset >= log.recovery_point:
                self.on_flush_wanted(self)
        elif not is_duplicate:
            self._advance()
            if log.counts_to_flush and log.needs_flush_before_ack():
                self._flush_to = log.end_offset
                self.on_flush_wanted(self)
            if self.watchers:
                self.notify_watchers()
        return appended

    def read(self, offset: int, max_bytes: int, *, committed_only: bool, at_least_one_batch: bool) -> LogRead | None:
        """None when there is nothing to read, or nothing that fits."""
        log = self.log
        end_offset = log.last_stable_offset if committed_only else log.high_watermark
        if end_offset <= offset <= log.end_offset:
            # A reader at the tail, the most frequent case: nothing to look up.
            return None
        return log.read(offset, max_bytes, end_offset=end_offset, at_least_one_batch=at_least_one_batch)

    # -- watermarks

    @property
    def high_watermark(self) -> int:
        return self.log.high_watermark

    def _advance(self) -> bool:
        """Moves the high watermark to where the replicas, of which there is one, allow it; False when it is there."""
        log = self.log
        return log.advance_high_watermark(log.recovery_point if log.flushes_before_ack else log.end_offset)

    def flushed(self) -> None:
        """The log's recovery point has moved."""
        log = self.log
        acks_wait = log.flushes_before_ack or self._flush_to > 0
        if log.recovery_point >= self._flush_to:
            self._flush_to = 0
        # It may move when flush.messages was changed meanwhile: what was appended before still waits for this.
        if self._advance() or acks_wait:
            self.notify_watchers()

    def commit_by_flush(self) -> None:
        """What the log holds now counts as committed when it is on the device, whatever the topic's settings say.

        Acks that were sent stay valid, and readers continue: the high watermark does not wait.
        """
        log = self.log
        if log.recovery_point < log.end_offset and not log.flushes_before_ack:
            self._flush_to = log.end_offset
            self.on_flush_wanted(self)

    def replace_log(self, log: PartitionLog) -> None:
        """The partition has moved to another log directory. What is not committed there yet, waits for a flush."""
        log.producers.verifications = self.log.producers.verifications
        self.log = log
        self._advance()
        if log.recovery_point < log.end_offset:
            self.on_flush_wanted(self)
        # The copy was flushed on its way: acks that wait for a flush of the original need not any more.
        self.flushed()
        self.notify_watchers()

    def resign(self) -> None:
        """Whoever waits for an append or for news is notified."""
        self.has_resigned = True
        self.notify_watchers()

    def is_flushed(self, last_offset: int) -> bool:
        """The batch that ends with this offset is on the device, as far as its topic asks for that before an ack."""
        log = self.log
        return last_offset < log.recovery_point or not (log.flushes_before_ack or last_offset < self._flush_to)

    def is_committed(self, last_offset: int) -> bool:
        """Every in-sync replica has the batch that ends with this offset, and it is flushed."""
        return last_offset < self.log.high_watermark and self.is_flushed(last_offset)

    def may_acknowledge(self, last_offset: int, acks: int) -> bool:
        """acks=1 promises nothing about the other replicas."""
        return self.is_committed(last_offset) if acks == ACKS_ALL else self.is_flushed(last_offset)

    def check_in_sync(self) -> None:
        """For acks=all. Of a partition with fewer replicas than min.insync.replicas all have to be in sync."""
        wanted = min(self.log.options.min_insync_replicas, self.replica_count)
        if self.in_sync_count < wanted:
            raise Refused(
                ErrorCode.NOT_ENOUGH_REPLICAS,
                f"{self.in_sync_count} in-sync replicas, min.insync.replicas asks for {wanted}",
            )

    def check_epoch(self, current_leader_epoch: int) -> None:
        """KIP-320: a client with an older or a newer view of the leadership must refresh it first."""
        if current_leader_epoch < 0 or current_leader_epoch == self.leader_epoch:
            return
        if current_leader_epoch < self.leader_epoch:
            raise Refused(ErrorCode.FENCED_LEADER_EPOCH)
        raise Refused(ErrorCode.UNKNOWN_LEADER_EPOCH)

    # -- watchers

    def watch(self, watcher: Watcher) -> None:
        self.watchers[watcher] = None

    def unwatch(self, watcher: Watcher) -> None:
        self.watchers.pop(watcher, None)

    def notify_watchers(self) -> None:
        """Others call it for what the leader does not see, as the end of a transaction."""
        for watcher in list(self.watchers):
            watcher()
