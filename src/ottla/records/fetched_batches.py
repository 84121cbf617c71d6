"""Which batches of a fetch response a consumer is to see.

A fetch starts with the batch that has the wanted offset, so records before it come along; it may end with a cut batch.
Control batches are never shown. With isolation level read_committed the response lists aborted transactions: a producer
is skipped from the first offset of such a transaction until its abort marker.
"""

from collections.abc import Iterable, Iterator

from ottla.doors.disk import Buffer
from ottla.records.batch import BatchHeader, is_intact
from ottla.records.control import read_marker
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_batches, iterate_records


class FetchedBatches:
    """Iterates once over the records of one partition in one response; `next_offset` follows the iteration."""

    def __init__(
        self,
        data: Buffer,
        start_offset: int,
        *,
        end_offset: int | None = None,
        aborted: Iterable[tuple[int, int]] = (),
        check_crcs: bool = True,
    ) -> None:
        """`aborted` has producer id and first offset of each transaction. `end_offset` is exclusive."""
        self.data = data
        self.start_offset = start_offset
        self.end_offset = end_offset
        self._check_crcs = check_crcs
        self._coming = sorted(((first_offset, producer_id) for producer_id, first_offset in aborted), reverse=True)
        self._skipped: set[int] = set()
        #: Where the next fetch starts: after everything that was seen so far, shown or not.
        self.next_offset = start_offset

    def __iter__(self) -> Iterator[tuple[int, BatchHeader]]:
        """Position and header of each batch with records to show. Raises CorruptRecord."""
        for position, header in iterate_batches(self.data, allow_partial=True):
            if header.last_offset < self.start_offset:
                continue
            if self.end_offset is not None and header.base_offset >= self.end_offset:
                self.next_offset = max(self.next_offset, self.end_offset)
                return
            if self._check_crcs and not is_intact(self.data, position, header):
                raise CorruptRecord(f"the CRC of the batch at offset {header.base_offset} is wrong")
            if self._is_shown(position, header) and header.record_count:
                yield position, header
            self.next_offset = header.next_offset
        if self.end_offset is not None and self.next_offset > self.end_offset:
            self.next_offset = self.end_offset

    def _is_shown(self, position: int, header: BatchHeader) -> bool:
        while self._coming and self._coming[-1][0] <= header.last_offset:
            self._skipped.add(self._coming.pop()[1])
        if header.is_control:
            if header.producer_id in self._skipped and self._is_abort(position, header):
                self._skipped.discard(header.producer_id)
            return False
        return not (header.is_transactional and header.producer_id in self._skipped)

    def _is_abort(self, position: int, header: BatchHeader) -> bool:
        for record in iterate_records(self.data, position, header):
            marker = read_marker(record)
            return marker is not None and not marker.is_commit
        return False
