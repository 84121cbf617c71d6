"""Where a consumer is in one partition, and whether it can be read from there. No I/O; time is an argument.

    assigned ──> NEEDS_COMMITTED ──nothing committed──> NEEDS_RESET ──┐
       │               │ found                             ^  │ found │
       └─no group──────┼───────────────────────────────────┘  v       │ policy "none"
                       └─────────────────────────────────> READY      v
                            leader changed │  ^ log is the same     FAILED ──seek──> READY
                                           v  │
                                    NEEDS_VALIDATION ──truncated──> READY at the end of the same log, or FAILED

Validation is KIP-320: after a change of the leader its log may be another one than that which was read. Every jump of
the position counts `version` up: what was asked for or fetched under an older one is stale.
"""

from enum import Enum
from typing import NamedTuple

from ottla.client.consumer.reset_policy import ResetKind, ResetPolicy
from ottla.client.errors import ClientError, LogTruncated, NoOffset, OffsetOutOfRange
from ottla.model.topic import NO_TOPIC_ID, TopicPartition

NO_EPOCH = -1
NO_NODE = -1
_UNKNOWN = -1


class Readiness(Enum):
    NEEDS_COMMITTED = "looks up the committed offset"
    NEEDS_RESET = "looks up the offset to start from"
    NEEDS_VALIDATION = "compares its position with a new leader"
    READY = "can be read"
    FAILED = "needs a seek"


class Position(NamedTuple):
    """The next offset to consume; `epoch` is the leader epoch of the record before it, or NO_EPOCH."""

    offset: int
    epoch: int = NO_EPOCH


class PartitionState:
    """Of one assigned partition, as long as it is assigned. Owned by the Assignment."""

    __slots__ = (
        "_policy",
        "buffered_bytes",
        "failure",
        "failures",
        "fetch_offset",
        "high_watermark",
        "is_asking",
        "is_damaged",
        "is_paused",
        "is_revoking",
        "last_stable_offset",
        "leader_epoch",
        "leader_id",
        "log_start_offset",
        "not_before_ms",
        "partition",
        "position",
        "preferred_id",
        "preferred_until_ms",
        "readiness",
        "reset_to",
        "topic_id",
        "version",
    )

    def __init__(self, partition: TopicPartition, policy: ResetPolicy, *, uses_committed: bool) -> None:
        self.partition = partition
        self._policy = policy
        self.version = 0
        self.position: Position | None = None
        #: The next offset to fetch: behind what is buffered.
        self.fetch_offset = _UNKNOWN
        self.reset_to: ResetPolicy = policy
        self.readiness = Readiness.NEEDS_COMMITTED
        self.is_paused = False
        #: It is about to be given up: nothing more is returned of it.
        self.is_revoking = False
        #: What was fetched last ends with something that is no batch: nothing can be fetched behind it.
        self.is_damaged = False
        #: A look-up is in flight.
        self.is_asking = False
        self.not_before_ms = 0
        #: What the last attempt met; an error for the caller when `readiness` is FAILED.
        self.failure: ClientError | None = None
        #: In a row.
        self.failures = 0
        self.topic_id = NO_TOPIC_ID
        self.leader_id = NO_NODE
        self.leader_epoch = NO_EPOCH
        self.preferred_id = NO_NODE
        self.preferred_until_ms = 0
        self.high_watermark = _UNKNOWN
        self.last_stable_offset = _UNKNOWN
        self.log_start_offset = _UNKNOWN
        #: Bytes of fetched batches that wait to be consumed.
        self.buffered_bytes = 0
        if not uses_committed:
            self.needs_reset(policy)

    # where it starts

    def needs_reset(self, policy: ResetPolicy | None = None) -> None:
        """Another offset has to be looked up; without a policy, by the consumer's own."""
        policy = policy or self._policy
        if policy.kind is ResetKind.NONE:
            self._fail(NoOffset(f"{self.partition}: nothing is committed, auto.offset.reset=none; seek", self._offsets))
            return
        self._jump(None, Readiness.NEEDS_RESET)
        self.reset_to = policy

    def reset_found(self, position: Position) -> None:
        """The leader has named the offset to start from."""
        self._jump(position, Readiness.READY)

    def seek(self, position: Position) -> None:
        """A caller's choice, or a committed offset. One with an epoch is validated: its record may be gone."""
        self._jump(position, Readiness.READY)
        if position.epoch != NO_EPOCH and self.leader_epoch != NO_EPOCH:
            self.readiness = Readiness.NEEDS_VALIDATION

    def out_of_range(self, offset: int) -> None:
        """The leader does not have the offset that was fetched from."""
        if self._policy.kind is not ResetKind.NONE:
            self.needs_reset()
            return
        message = f"{self.partition}: the log does not have offset {offset}, auto.offset.reset=none; seek"
        self._fail(OffsetOutOfRange(message, {self.partition: offset}))

    def start_over(self, *, uses_committed: bool) -> None:
        """The topic was deleted and created again: nothing that is known of the old one holds."""
        self.high_watermark = self.last_stable_offset = self.log_start_offset = _UNKNOWN
        self.leader_epoch = NO_EPOCH
        if uses_committed:
            self._jump(None, Readiness.NEEDS_COMMITTED)
        else:
            self.needs_reset()

    # the leader

    def leader_is(self, leader_id: int, leader_epoch: int) -> bool:
        """From the metadata. Whether the position has to be validated now."""
        is_newer = leader_epoch > self.leader_epoch
        has_moved = leader_id != self.leader_id
        if not is_newer and not has_moved:
            return False
        self.leader_id = leader_id
        self.leader_epoch = max(leader_epoch, self.leader_epoch)
        self.forget_preferred()
        position = self.position
        if self.readiness is Readiness.NEEDS_VALIDATION:
            # What is in flight compares with a leader that is none any more.
            self._jump(position, Readiness.NEEDS_VALIDATION)
            return True
        if not is_newer or self.readiness is not Readiness.READY or position is None or position.epoch == NO_EPOCH:
            return False
        self._jump(position, Readiness.NEEDS_VALIDATION)
        return True

    def validated(self, end_offset: int, epoch: int) -> None:
        """The leader's log of our epoch ends at `end_offset`, in `epoch`; negative when it has no such epoch."""
        position = self.position
        if self.readiness is not Readiness.NEEDS_VALIDATION or position is None:
            return
        if end_offset >= position.offset and epoch >= 0:
            self.readiness = Readiness.READY
            self.succeeded()
        elif self._policy.kind is ResetKind.NONE:
            known = end_offset if end_offset >= 0 and epoch >= 0 else None
            message = f"{self.partition}: the log was truncated below offset {position.offset}; seek"
            self._fail(LogTruncated(message, self._offsets, known))
        elif end_offset < 0 or epoch < 0:
            self.needs_reset()
        else:
            self._jump(Position(end_offset, epoch), Readiness.READY)

    def cannot_be_validated(self) -> None:
        """The broker is too old to be asked."""
        if self.readiness is Readiness.NEEDS_VALIDATION:
            self.readiness = Readiness.READY
            self.succeeded()

    # follower fetching (KIP-392)

    def prefer(self, node_id: int, until_ms: int) -> None:
        self.preferred_id = node_id
        self.preferred_until_ms = until_ms

    def forget_preferred(self) -> None:
        self.preferred_id = NO_NODE

    def read_node(self, now_ms: int) -> int:
        """Whom to fetch from: NO_NODE while nobody leads."""
        if self.preferred_id != NO_NODE and now_ms >= self.preferred_until_ms:
            self.forget_preferred()
        return self.preferred_id if self.preferred_id != NO_NODE else self.leader_id

    # reading

    @property
    def needs_look_up(self) -> bool:
        return self.readiness is not Readiness.READY and self.readiness is not Readiness.FAILED

    @property
    def is_fetchable(self) -> bool:
        return self.readiness is Readiness.READY and not self.is_paused and not self.is_revoking

    @property
    def lag(self) -> int | None:
        """Records to the end, as far as known: that of committed ones with isolation.level=read_committed."""
        if self.position is None or self.high_watermark < 0:
            return None
        return max(0, self.high_watermark - self.position.offset)

    def advance(self, position: Position) -> None:
        """Records up to here were returned."""
        self.position = position

    def drop_fetched(self) -> None:
        """What is buffered is not used: it is fetched again from the position."""
        self.version += 1
        self.is_damaged = False
        self.fetch_offset = self.position.offset if self.position is not None else _UNKNOWN

    # failures

    def failed(self, error: ClientError, not_before_ms: int) -> None:
        """A look-up or a fetch has failed and is repeated, not before this time."""
        self.is_asking = False
        self.failure = error
        self.failures += 1
        self.not_before_ms = not_before_ms

    def succeeded(self) -> None:
        self.is_asking = False
        self.failure = None
        self.failures = 0
        self.not_before_ms = 0

    def _fail(self, error: ClientError) -> None:
        self._jump(self.position, Readiness.FAILED)
        self.failure = error

    def _jump(self, position: Position | None, readiness: Readiness) -> None:
        self.version += 1
        self.is_damaged = False
        self.position = position
        self.fetch_offset = position.offset if position is not None else _UNKNOWN
        self.readiness = readiness
        self.succeeded()

    @property
    def _offsets(self) -> dict[TopicPartition, int | None]:
        return {self.partition: self.position.offset if self.position is not None else None}
