"""Which records of a partition are done, and up to where that can be committed. No I/O."""

from collections import deque

from ottla.client.consumer.record import ConsumerRecord
from ottla.client.offsets import OffsetAndMetadata


class PartitionProgress:
    """Of one assigned partition. Everything below `committable` is done; what is above it may be."""

    def __init__(self) -> None:
        #: Offset and leader epoch of accepted records, in order; the first one is not done.
        self._accepted: deque[tuple[int, int]] = deque()
        self._done: set[int] = set()
        self._next: OffsetAndMetadata | None = None
        self._committed: int | None = None

    @property
    def left(self) -> int:
        """Records that are not done."""
        return len(self._accepted) - len(self._done)

    def accept(self, record: ConsumerRecord) -> None:
        """Records come in the order of their offsets."""
        self._accepted.append((record.offset, record.leader_epoch))

    def done(self, record: ConsumerRecord) -> None:
        self._done.add(record.offset)
        while self._accepted and self._accepted[0][0] in self._done:
            offset, epoch = self._accepted.popleft()
            self._done.remove(offset)
            self._next = OffsetAndMetadata(offset + 1, leader_epoch=epoch)

    def uncommitted(self) -> OffsetAndMetadata | None:
        """What can be committed, and was not yet."""
        return self._next if self._next is not None and self._next.offset != self._committed else None

    def committed(self, offset: int) -> None:
        self._committed = offset
