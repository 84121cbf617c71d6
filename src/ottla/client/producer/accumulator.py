"""Collects records into batches per partition and says which may be sent. No I/O; time is an argument.

A batch is ready when it is full, when `linger.ms` has passed since its first record, when somebody flushes or closes,
or when the buffer is full. A batch takes `batch.size` of the memory when it is opened, what it really needs when it is
encoded, and gives it back when it is decided; so a record that fits into an open batch costs no look at the memory.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ottla.client.producer.batch import RECORD_OVERHEAD, Batch
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.model.topic import TopicPartition
from ottla.protocol.wire import Buffer
from ottla.records.batch import HEADER_SIZE
from ottla.records.record import Headers


class AccumulatorLimits(NamedTuple):
    batch_size: int = 16_384
    linger_ms: int = 5
    buffer_memory: int = 33_554_432
    max_in_flight: int = 5
    delivery_timeout_ms: int = 120_000


class Ready(NamedTuple):
    """Queues with something to send now, and when to ask again: None means when something changes."""

    queues: list[PartitionQueue]
    again_ms: int | None


class Accumulator:
    """Owned by the producer."""

    def __init__(self, limits: AccumulatorLimits) -> None:
        self.limits = limits
        self.queues: dict[TopicPartition, PartitionQueue] = {}
        #: Those with batches, in the order in which they got some.
        self.active: dict[TopicPartition, PartitionQueue] = {}
        self.used_bytes = 0
        #: Somebody waits for everything to be sent: nothing lingers.
        self.flush_count = 0

    def queue(self, partition: TopicPartition) -> PartitionQueue:
        found = self.queues.get(partition)
        if found is None:
            found = self.queues[partition] = PartitionQueue(partition)
        return found

    def has_room(self, size: int) -> bool:
        """For a new batch with a record of this size. An empty buffer takes any."""
        return self.used_bytes + self._batch_bytes(size) <= self.limits.buffer_memory or not self.used_bytes

    def fits(self, queue: PartitionQueue, size: int) -> bool:
        """Whether a record can be appended, to the open batch or to a new one."""
        batch = queue.open
        return (batch is not None and batch.size + size <= self.limits.batch_size) or self.has_room(size)

    def batch_for(self, queue: PartitionQueue, size: int, now_ms: int) -> Batch:
        """The open batch, or a new one, with room for a record of `size`, which the caller appends."""
        batch = queue.open
        if batch is None or batch.size + size > self.limits.batch_size:
            batch = self._open(queue, size, now_ms)
        batch.size += size
        return batch

    def _batch_bytes(self, size: int) -> int:
        return max(self.limits.batch_size, size + HEADER_SIZE)

    def append_encoded(self, queue: PartitionQueue, encoded: Buffer, count: int, now_ms: int) -> Batch:
        """A batch that was encoded elsewhere, without producer, sequence and CRC. It takes no more records."""
        batch = queue.new_batch(now_ms)
        batch.has_checksum = False
        batch.encoded_as(encoded, count)
        self.takes(batch, len(encoded))
        queue.closed_bytes += len(encoded)
        queue.waiting.append(batch)
        self.active[queue.partition] = queue
        return batch

    def takes(self, batch: Batch, byte_count: int) -> None:
        """What the batch takes of the memory now."""
        self.used_bytes += byte_count - batch.held_bytes
        batch.held_bytes = byte_count

    def _open(self, queue: PartitionQueue, size: int, now_ms: int) -> Batch:
        batch = queue.new_batch(now_ms)
        batch.size = HEADER_SIZE
        self.takes(batch, self._batch_bytes(size))
        queue.open = batch
        self.active[queue.partition] = queue
        return batch

    # sending

    def ready(self, now_ms: int) -> Ready:
        queues = []
        again_ms: int | None = None
        is_urgent = bool(self.flush_count) or self.used_bytes >= self.limits.buffer_memory
        for queue in self.active.values():
            due_ms = self._due_ms(queue, is_urgent=is_urgent)
            if due_ms is None:
                continue
            if due_ms <= now_ms:
                queues.append(queue)
            else:
                again_ms = due_ms if again_ms is None else min(again_ms, due_ms)
        return Ready(queues, again_ms)

    def had_a_turn(self, queue: PartitionQueue) -> None:
        """The others come first next time."""
        self.active[queue.partition] = self.active.pop(queue.partition, queue)

    def _due_ms(self, queue: PartitionQueue, *, is_urgent: bool) -> int | None:
        """When the queue has something to send; None while it must not, or has nothing."""
        if not queue.has_turn(self.limits.max_in_flight):
            return None
        if queue.waiting:
            return queue.not_before_ms
        batch = queue.open
        if batch is None:
            return None
        is_due = is_urgent or batch.size >= self.limits.batch_size
        return max(queue.not_before_ms, 0 if is_due else batch.created_ms + self.limits.linger_ms)

    # ends

    def decided(self, batch: Batch) -> None:
        """Gives its memory back; the batch has left its queue."""
        self.takes(batch, 0)
        queue = self.queues[batch.partition]
        if not queue.has_batches:
            self.active.pop(batch.partition, None)

    def expired(self, now_ms: int) -> list[Batch]:
        """Undecided batches that are older than `delivery.timeout.ms`, oldest first per partition."""
        oldest_ms = now_ms - self.limits.delivery_timeout_ms
        return [
            batch
            for queue in self.active.values()
            for batch in queue.all_batches()
            if batch.created_ms <= oldest_ms and not batch.is_done
        ]

    def drop_waiting(self, batch: Batch) -> None:
        """Out of its queue, where it was not in flight."""
        queue = self.queues[batch.partition]
        if queue.open is batch:
            queue.open = None
        else:
            queue.waiting.remove(batch)

    def undecided(self) -> list[Batch]:
        return [batch for queue in self.active.values() for batch in queue.all_batches() if not batch.is_done]

    def close_open_batches(self) -> None:
        for queue in self.active.values():
            queue.close_open()


def size_of(key: bytes | None, value: bytes | None, headers: Headers) -> int:
    """Bytes of a record as it is written, roughly."""
    size = RECORD_OVERHEAD
    if key is not None:
        size += len(key)
    if value is not None:
        size += len(value)
    return size + header_size(headers) if headers else size


def header_size(headers: Iterable[tuple[str, bytes | None]]) -> int:
    return sum(len(name) + len(content or b"") + 4 for name, content in headers)
