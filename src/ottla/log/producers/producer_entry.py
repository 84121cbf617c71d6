"""What is known of one producer: its epoch, its last batches, its open transaction."""

from typing import Final

from ottla.records.batch import SEQUENCE_MASK, BatchHeader

#: As many requests as an idempotent producer may have in flight.
REMEMBERED_BATCHES: Final = 5


class ProducerBatch:
    """A batch as its producer has numbered it. Once it is in the log it is remembered: it may be sent again."""

    __slots__ = (
        "base_offset",
        "epoch",
        "first_sequence",
        "is_transactional",
        "last_offset",
        "last_sequence",
        "producer_id",
        "timestamp",
    )

    def __init__(
        self, producer_id: int, epoch: int, first_sequence: int, last_offset_delta: int, is_transactional: bool
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        #: -1 in batches that a coordinator has written.
        self.first_sequence = first_sequence
        self.last_sequence = (first_sequence + last_offset_delta) & SEQUENCE_MASK if first_sequence >= 0 else -1
        self.is_transactional = is_transactional
        self.base_offset = self.last_offset = self.timestamp = -1

    @classmethod
    def stored(cls, header: BatchHeader) -> "ProducerBatch":
        """As it is in the log."""
        batch = cls(
            header.producer_id,
            header.producer_epoch,
            header.base_sequence,
            header.last_offset_delta,
            header.is_transactional,
        )
        batch.place(header.base_offset, header.last_offset, header.max_timestamp)
        return batch

    def place(self, base_offset: int, last_offset: int, timestamp: int) -> None:
        """Where it is in the log."""
        self.base_offset = base_offset
        self.last_offset = last_offset
        self.timestamp = timestamp

    def __repr__(self) -> str:
        return (
            f"<batch of producer {self.producer_id} epoch {self.epoch}: sequence {self.first_sequence} to "
            f"{self.last_sequence}, offset {self.base_offset} to {self.last_offset}>"
        )


class ProducerEntry:
    __slots__ = (
        "batches",
        "coordinator_epoch",
        "epoch",
        "has_older_batches",
        "idle_since_ms",
        "last_timestamp",
        "next_sequence",
        "open_offset",
        "producer_id",
    )

    def __init__(self, producer_id: int, epoch: int) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.batches: list[ProducerBatch] = []
        #: Came from a snapshot, which names the last batch only: there may be more in the log.
        self.has_older_batches = False
        self.next_sequence = 0
        self.last_timestamp = -1
        self.coordinator_epoch = -1
        #: First offset of the open transaction, or -1.
        self.open_offset = -1
        #: Monotonic time at which `expire` first found that nothing had come; None since something came.
        self.idle_since_ms: int | None = None

    @property
    def last_sequence(self) -> int:
        return self.batches[-1].last_sequence if self.batches else -1

    def find_duplicate(self, batch: ProducerBatch) -> ProducerBatch | None:
        """The batch in the log that this one repeats."""
        if batch.epoch != self.epoch:
            return None
        for known in self.batches:
            if known.first_sequence == batch.first_sequence and known.last_sequence == batch.last_sequence:
                return known
        return None
