"""Records of one partition on their way to the broker, as one batch: collected, then encoded, sent and decided."""

from ottla.client.producer.outcome import UNKNOWN_OFFSET, Outcome, RecordMetadata
from ottla.model.topic import TopicPartition
from ottla.protocol.wire import Buffer
from ottla.records.batch import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, NO_SEQUENCE, NO_TIMESTAMP
from ottla.records.record import RecordLists

#: Bytes of a record beside its key, value and headers, as it is written: lengths, deltas, attributes.
RECORD_OVERHEAD = 12


class Batch(Outcome):
    """Owned by the queue of its partition. Open while `encoded` is None and it is the last of its queue."""

    __slots__ = (
        "_count",
        "_parts",
        "attempts",
        "base_offset",
        "base_sequence",
        "created_ms",
        "encoded",
        "has_checksum",
        "held_bytes",
        "is_transactional",
        "log_append_time_ms",
        "number",
        "partition",
        "producer_epoch",
        "producer_id",
        "records",
        "size",
        "timestamps",
    )

    def __init__(self, partition: TopicPartition, number: int, created_ms: int) -> None:
        super().__init__()
        self.partition = partition
        #: Its place among the batches of the partition.
        self.number = number
        #: Until the batch is encoded.
        self.records = RecordLists()
        self._count = 0
        #: Bytes of the batch, estimated until it is encoded.
        self.size = 0
        #: What it takes of `buffer.memory`.
        self.held_bytes = 0
        #: On the monotonic clock.
        self.created_ms = created_ms
        self.attempts = 0
        self.encoded: Buffer | None = None
        #: False while `encoded` has no CRC yet: rows of a table get it with the producer's fields.
        self.has_checksum = True
        self.producer_id = NO_PRODUCER_ID
        self.producer_epoch = NO_PRODUCER_EPOCH
        self.base_sequence = NO_SEQUENCE
        self.is_transactional = False
        self.base_offset = UNKNOWN_OFFSET
        self.log_append_time_ms = NO_TIMESTAMP
        #: Of the records, from when the batch is encoded; empty where the encoder took them from a table.
        self.timestamps: list[int] = []
        self._parts: list[tuple[int, Batch]] | None = None

    @property
    def count(self) -> int:
        """Of the records; while they are collected nobody counts them."""
        return self._count or len(self.records)

    def encoded_as(self, encoded: Buffer, count: int) -> None:
        """The bytes take the place of the records."""
        self._count = count
        self.encoded = encoded
        self.size = len(encoded)
        self.records = RecordLists()

    @property
    def has_sequence(self) -> bool:
        return self.base_sequence != NO_SEQUENCE

    def decide(self, error: Exception | None = None) -> None:
        # A delivery that is kept must not keep the records.
        self._count = self.count
        self.records = RecordLists()
        self.encoded = None
        super().decide(error)

    def acknowledged(self, base_offset: int, log_append_time_ms: int = NO_TIMESTAMP) -> None:
        self.base_offset = base_offset
        self.log_append_time_ms = log_append_time_ms
        self.decide()

    def metadata(self, index: int) -> RecordMetadata:
        offset = self.base_offset + index if self.base_offset >= 0 else UNKNOWN_OFFSET
        timestamp_ms = self.log_append_time_ms
        if timestamp_ms < 0 and index < len(self.timestamps):
            timestamp_ms = self.timestamps[index]
        return RecordMetadata(self.partition.topic, self.partition.partition, offset, timestamp_ms)

    # a batch that was too large for the broker

    def split_into(self, parts: "list[Batch]") -> None:
        """The records go on in other batches; those who wait for them follow."""
        first = 0
        placed = []
        for part in parts:
            placed.append((first, part))
            first += part.count
        self._parts = placed
        self.decide()

    def successors(self) -> "list[Batch]":
        return [part for _, part in self._parts or ()]

    def moved(self, index: int) -> "tuple[Batch, int] | None":
        if self._parts is None:
            return None
        for first, part in reversed(self._parts):
            if index >= first:
                return part, index - first
        return None
