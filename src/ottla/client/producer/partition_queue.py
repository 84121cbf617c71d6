"""The batches of one partition: one that collects, those that wait, those in flight; and their sequence numbers.

    open ──closed──> waiting ──taken──> in flight ──acknowledged, given up──> done
                        ^                   │
                        └──────returned─────┘

Order is kept like this: after a batch has returned, nothing is taken until all that are in flight have been decided or
have returned too; then they go out again in their order. A broker refuses what comes out of order, so those behind a
failed batch are not written.

A broker that does not know the producer has no sequence to compare with: it accepts a batch with any sequence, also one
behind a batch that it has refused. So the first batch with a new identity is in flight alone until it is acknowledged.

A batch gets its sequence when it is first taken and keeps it over retries: whatever happened to an earlier attempt, the
broker recognizes it. New sequences begin, with a new epoch, only after a broker has refused a batch for its sequence
while nothing before it is undecided: then it and all behind it are known not to be written.
"""

from collections import deque

from ottla.client.producer.batch import Batch
from ottla.client.producer.identity import NOBODY, Identity
from ottla.model.errors import check
from ottla.model.topic import TopicPartition
from ottla.records.batch import NO_SEQUENCE, advance_sequence

#: A batch that is split needs numbers for its parts: one for each record, at most.
_NUMBERS_PER_BATCH = 1 << 32


class PartitionQueue:
    """Owned by the Accumulator."""

    __slots__ = (
        "_next_number",
        "_next_sequence",
        "_wants_new_sequences",
        "awaits_first_ack",
        "closed_bytes",
        "identity",
        "in_flight",
        "is_recovering",
        "not_before_ms",
        "open",
        "partition",
        "waiting",
    )

    def __init__(self, partition: TopicPartition) -> None:
        self.partition = partition
        self.open: Batch | None = None
        self.waiting: deque[Batch] = deque()
        #: Of all batches that were closed so far.
        self.closed_bytes = 0
        self.in_flight: list[Batch] = []
        #: A batch has returned; others are still in flight.
        self.is_recovering = False
        #: Back-off after a failure.
        self.not_before_ms = 0
        self.identity: Identity = NOBODY
        #: No batch with the identity has been acknowledged yet: the broker may not know the producer.
        self.awaits_first_ack = False
        self._next_number = 0
        self._next_sequence = 0
        self._wants_new_sequences = False

    @property
    def has_batches(self) -> bool:
        return self.open is not None or bool(self.waiting) or bool(self.in_flight)

    @property
    def waiting_count(self) -> int:
        return len(self.waiting) + (self.open is not None)

    def new_batch(self, now_ms: int) -> Batch:
        """A batch at the end of the queue; the one that was open is closed."""
        self.close_open()
        batch = Batch(self.partition, self._next_number, now_ms)
        self._next_number += _NUMBERS_PER_BATCH
        return batch

    def close_open(self) -> None:
        if self.open is not None:
            self.closed_bytes += self.open.size
            self.waiting.append(self.open)
            self.open = None

    def all_batches(self) -> list[Batch]:
        return [*self.in_flight, *self.waiting, *([self.open] if self.open is not None else [])]

    # sending

    def may_take(self, now_ms: int, max_in_flight: int) -> bool:
        return now_ms >= self.not_before_ms and self.has_turn(max_in_flight)

    def has_turn(self, max_in_flight: int) -> bool:
        """Whether another batch may be in flight, back-off aside."""
        return not self.is_recovering and len(self.in_flight) < (1 if self.awaits_first_ack else max_in_flight)

    def take(self) -> Batch:
        """The next batch, now in flight. The caller has checked `may_take`."""
        if not self.waiting:
            self.close_open()
        batch = self.waiting.popleft()
        check(not self.in_flight or self.in_flight[-1].number < batch.number, f"{self.partition}: batches out of order")
        self.in_flight.append(batch)
        batch.attempts += 1
        return batch

    def give_sequence(self, batch: Batch, current: Identity) -> None:
        """For the batch that was just taken. Keeps what it has; a new identity is taken when nothing has an old one."""
        if batch.has_sequence:
            return
        has_old_ones = len(self.in_flight) > 1 or any(other.has_sequence for other in self.waiting)
        if self.identity != current and not has_old_ones:
            self.identity = current
            self.awaits_first_ack = True
            self._next_sequence = 0
        batch.producer_id, batch.producer_epoch = self.identity
        batch.base_sequence = self._next_sequence
        self._next_sequence = advance_sequence(self._next_sequence, batch.count)

    # what became of it

    def acknowledged(self, batch: Batch) -> None:
        if (batch.producer_id, batch.producer_epoch) == self.identity:
            self.awaits_first_ack = False
        self.finished(batch)

    def finished(self, batch: Batch) -> None:
        """Acknowledged, or given up for good."""
        self.in_flight.remove(batch)
        self._recovered()

    def refused_for_good(self, batch: Batch) -> None:
        """Given up, and known not to be written: its sequence is free, if nobody has the ones behind it."""
        others = [*self.in_flight, *self.waiting]
        if not any(other.has_sequence and other.number > batch.number for other in others):
            self._next_sequence = batch.base_sequence if batch.has_sequence else self._next_sequence
        self.finished(batch)

    def returned(self, batch: Batch, not_before_ms: int) -> None:
        """It is sent again, before all that came after it."""
        self.in_flight.remove(batch)
        self._put_back([batch])
        self.not_before_ms = max(self.not_before_ms, not_before_ms)
        self.is_recovering = True
        self._recovered()

    def replaced(self, batch: Batch, parts: list[Batch]) -> None:
        """It was split, and is sent again in parts."""
        self.in_flight.remove(batch)
        self._put_back(parts)
        self.is_recovering = True
        self._recovered()

    def _put_back(self, batches: list[Batch]) -> None:
        self.waiting = deque(sorted([*self.waiting, *batches], key=lambda batch: batch.number))

    def is_first_undecided(self, batch: Batch) -> bool:
        return not any(other.number < batch.number for other in [*self.in_flight, *self.waiting])

    def start_new_sequences(self) -> None:
        """As soon as nothing is in flight, what waits gets sequences of the producer's current identity."""
        self._wants_new_sequences = True
        self._recovered()

    def forget_sequences(self) -> None:
        """For a new transaction: everything is decided, and the next batch starts with the current identity."""
        self.identity = NOBODY
        self._next_sequence = 0

    def _recovered(self) -> None:
        if self.in_flight:
            return
        self.is_recovering = False
        if self._wants_new_sequences:
            self._wants_new_sequences = False
            for batch in self.waiting:
                batch.base_sequence = NO_SEQUENCE
            self.forget_sequences()
