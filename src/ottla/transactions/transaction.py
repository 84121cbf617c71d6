"""What the coordinator knows about one transactional id, and the moves that make the next version of it.

Every move goes through `_moved_to`, which looks into the table of `state.py`: an illegal one is a bug, never a record.
Values are immutable; an operation makes a new one, the log keeps it, `apply` puts it in the place of the old one.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ottla.model.errors import check
from ottla.model.topic import TopicPartition
from ottla.transactions.state import (
    COMPLETE_ABORT,
    COMPLETE_COMMIT,
    DEAD,
    EMPTY,
    NEXT_STATES,
    ONGOING,
    PREPARE_ABORT,
    PREPARE_COMMIT,
    PREPARE_EPOCH_FENCE,
    TransactionState,
)

NO_PRODUCER_ID = -1
NO_EPOCH = -1
NO_TIME_MS = -1
LAST_EPOCH = 32767
#: The last epoch a client may see. The one above it is kept for the coordinator, so that fencing is always possible.
LAST_CLIENT_EPOCH = LAST_EPOCH - 1


class TransactionVersion(IntEnum):
    """Generations of the protocol (the feature `transaction.version`)."""

    TV0 = 0
    #: Flexible records in `__transaction_state`; the wire is that of TV0.
    TV1 = 1
    #: KIP-890: every transaction has a producer epoch of its own.
    TV2 = 2

    @property
    def bumps_epoch(self) -> bool:
        return self >= TransactionVersion.TV2


#: The finalised level of the feature `transaction.version`, as it is now: an administrator may change it at any time.
FinalisedVersion: TypeAlias = Callable[[], TransactionVersion]


class Transaction(NamedTuple):
    """The latest transaction of a transactional id, and which producer may continue it."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    state: TransactionState
    timeout_ms: int
    #: Sorted, without doubles.
    partitions: tuple[TopicPartition, ...] = ()
    start_ms: int = NO_TIME_MS
    last_update_ms: int = NO_TIME_MS
    #: The producer id before the latest move: a client that missed the change of its id is known by it.
    previous_producer_id: int = NO_PRODUCER_ID
    #: Takes over when the markers are written, because the epochs of `producer_id` are used up.
    next_producer_id: int = NO_PRODUCER_ID
    client_version: TransactionVersion = TransactionVersion.TV0
    #: The epoch that a client may still name when the response with the newer one was lost (KIP-360). Not in the log.
    previous_epoch: int = NO_EPOCH

    @property
    def is_epoch_used_up(self) -> bool:
        return self.producer_epoch >= LAST_CLIENT_EPOCH

    def includes(self, partition: TopicPartition) -> bool:
        index = bisect_left(self.partitions, partition)
        return index < len(self.partitions) and self.partitions[index] == partition

    def includes_all(self, partitions: Iterable[TopicPartition]) -> bool:
        return all(map(self.includes, partitions))

    # -- moves

    def initialised(self, *, epoch: int, previous_epoch: int, timeout_ms: int, now_ms: int) -> "Transaction":
        """A producer starts, or starts again, with the same producer id."""
        return self._moved_to(EMPTY, now_ms)._replace(
            producer_epoch=epoch,
            previous_epoch=previous_epoch,
            timeout_ms=timeout_ms,
            partitions=(),
            start_ms=NO_TIME_MS,
        )

    def rotated(self, new_producer_id: int, *, previous_epoch: int, timeout_ms: int, now_ms: int) -> "Transaction":
        """A producer starts when the epochs of its producer id are used up."""
        return self.initialised(epoch=0, previous_epoch=previous_epoch, timeout_ms=timeout_ms, now_ms=now_ms)._replace(
            producer_id=new_producer_id
        )

    def with_partitions(
        self, added: Iterable[TopicPartition], client_version: TransactionVersion, now_ms: int
    ) -> "Transaction":
        start_ms = self.start_ms if self.state is ONGOING else now_ms
        return self._moved_to(ONGOING, now_ms)._replace(
            partitions=tuple(sorted({*self.partitions, *added})), start_ms=start_ms, client_version=client_version
        )

    def fenced(self, now_ms: int) -> "Transaction":
        """Takes the open transaction from its producer: the epoch of the abort is one that no client has.

        The producer that was fenced may come back with its old epoch, as long as no other has started (KIP-588).
        """
        check(self.producer_epoch < LAST_EPOCH, f"{self.transactional_id}: no epoch left to fence with")
        return self._moved_to(PREPARE_EPOCH_FENCE, now_ms)._replace(
            producer_epoch=self.producer_epoch + 1, previous_epoch=self.producer_epoch
        )

    def prepared(
        self, *, committed: bool, client_version: TransactionVersion, next_producer_id: int, now_ms: int
    ) -> "Transaction":
        """Decides the outcome. From here on it is final."""
        moved = self._moved_to(PREPARE_COMMIT if committed else PREPARE_ABORT, now_ms)
        moved = moved._replace(client_version=client_version, next_producer_id=next_producer_id)
        if client_version.bumps_epoch and self.state is not PREPARE_EPOCH_FENCE:
            moved = moved._replace(producer_epoch=self.producer_epoch + 1, previous_epoch=self.producer_epoch)
        if self.state not in (ONGOING, PREPARE_EPOCH_FENCE):
            moved = moved._replace(partitions=(), start_ms=now_ms)  # an abort of nothing
        return moved

    def completed(self, now_ms: int) -> "Transaction":
        """All markers are written. A producer id without epochs makes room for the next one."""
        moved = self._moved_to(COMPLETE_COMMIT if self.state is PREPARE_COMMIT else COMPLETE_ABORT, now_ms)
        moved = moved._replace(partitions=(), next_producer_id=NO_PRODUCER_ID)
        if self.next_producer_id != NO_PRODUCER_ID:
            moved = moved._replace(producer_id=self.next_producer_id, producer_epoch=0)
        return moved

    def check_may_die(self) -> None:
        self._check_move(DEAD)

    def _moved_to(self, state: TransactionState, now_ms: int) -> "Transaction":
        self._check_move(state)
        return self._replace(state=state, last_update_ms=now_ms, previous_producer_id=self.producer_id)

    def _check_move(self, state: TransactionState) -> None:
        allowed = state in NEXT_STATES[self.state]
        check(allowed, f"transaction {self.transactional_id}: {self.state.label} -> {state.label}")


def new_transaction(transactional_id: str, producer_id: int, timeout_ms: int, now_ms: int) -> Transaction:
    """What the first InitProducerId of a transactional id makes."""
    return Transaction(
        transactional_id,
        producer_id,
        producer_epoch=0,
        state=EMPTY,
        timeout_ms=timeout_ms,
        last_update_ms=now_ms,
        previous_producer_id=producer_id,
    )
