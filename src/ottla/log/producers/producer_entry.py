"""What is known of one producer: its epoch, its last batches, its open transaction."""

from typing import Final, NamedTuple

#: As many requests as an idempotent producer may have in flight.
REMEMBERED_BATCHES: Final = 5


class BatchMark(NamedTuple):
    first_sequence: int
    last_sequence: int
    base_offset: int
    last_offset: int
    timestamp: int


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
        self.batches: list[BatchMark] = []
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

    def find_duplicate(self, epoch: int, first_sequence: int, last_sequence: int) -> BatchMark | None:
        if epoch != self.epoch:
            return None
        for mark in self.batches:
            if mark[0] == first_sequence and mark[1] == last_sequence:
                return mark
        return None
