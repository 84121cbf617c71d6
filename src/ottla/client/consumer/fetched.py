"""What was fetched from one partition, on its way to records or columns. No I/O.

A `FetchedPartition` holds a view of the response; a batch is unpacked when its first record is wanted. Which batches
and records a consumer is to see is decided in `ottla.records.fetched_batches`. A batch that was taken in part as
records cannot be continued as columns, nor the reverse: `in_records` and `in_columns` report it; it is fetched again.
"""

from collections.abc import Iterable

from ottla.client.consumer.positions import PartitionState, Position
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import CorruptRecords
from ottla.protocol.wire import Buffer
from ottla.records.batch import BatchHeader
from ottla.records.errors import CorruptRecord, RecordsTooLarge
from ottla.records.fetched_batches import FetchedBatches
from ottla.records.fetched_rows import FetchedRows, Rows
from ottla.records.reader import iterate_batches, read_rows


class Frame:
    """A response whose memory is taken until all that was fetched with it has been consumed or dropped."""

    __slots__ = ("part_count", "size")

    def __init__(self) -> None:
        self.size = 0
        self.part_count = 0


class FetchedPartition:
    """What one response has of one partition. Owned by the FetchBuffer until it is empty or stale."""

    __slots__ = (
        "_batch_end",
        "_batches",
        "_data",
        "_is_drained",
        "_records",
        "_rest_at",
        "_rows",
        "_seen",
        "end",
        "frame",
        "is_damaged",
        "left_bytes",
        "position",
        "state",
        "version",
    )

    def __init__(
        self,
        state: PartitionState,
        data: Buffer,
        start_offset: int,
        *,
        aborted: Iterable[tuple[int, int]] = (),
        checks_crc: bool = True,
        frame: Frame | None = None,
    ) -> None:
        """`aborted` has producer id and first offset of each transaction. Reads headers, and nothing else."""
        self.state = state
        self.version = state.version
        self.frame = frame
        #: Behind what was taken out so far; None before that.
        self.position: Position | None = None
        self._data = data
        self._seen = FetchedBatches(data, start_offset, aborted=aborted, check_crcs=checks_crc)
        self._batches = iter(self._seen)
        self._rows: FetchedRows | None = None
        self._records: list[ConsumerRecord] = []
        self._rest_at = 0
        self._batch_end = Position(start_offset)
        self._is_drained = False
        #: Bytes of batches that were not unpacked yet.
        self.left_bytes = len(data)
        #: Where the next fetch goes on; nowhere when what follows cannot be a batch.
        self.end = Position(start_offset)
        self.is_damaged = True
        self._find_end()

    def _find_end(self) -> None:
        try:
            for _, header in iterate_batches(self._data, allow_partial=True):
                self.end = Position(header.next_offset, header.leader_epoch)
                self.is_damaged = False
        except CorruptRecord:
            self.is_damaged = True

    @property
    def is_stale(self) -> bool:
        return self.version != self.state.version

    @property
    def is_done(self) -> bool:
        return self._is_drained and not self._records

    def take(self, max_count: int) -> list[ConsumerRecord]:
        """Up to so many records of one batch; none only when all are done. `position` is behind them then.

        Raises CorruptRecords when the next batch is damaged; `position` stays before it.
        """
        while not self._records:
            if self._is_drained:
                return []
            self._unpack_next()
        begin, end = self._rest_at, self._rest_at + max_count
        if begin or end < len(self._records):
            taken = self._records[begin:end]
        else:
            taken = self._records
        if end < len(self._records):
            self._rest_at = end
            self.position = Position(taken[-1].offset + 1, taken[-1].leader_epoch)
        else:
            self._records, self._rest_at = [], 0
            # Behind the last record of a batch there may be offsets without records.
            self.position = self._batch_end
        return taken

    @property
    def in_records(self) -> bool:
        """Whether a batch is unpacked, and some of its records were taken."""
        return bool(self._records)

    @property
    def in_columns(self) -> bool:
        """Whether some rows of a batch were taken, and not all."""
        return self._rows is not None and self._rows.is_within_batch

    def take_rows(self, max_rows: int, max_bytes: int) -> list[Rows]:
        """As `take`, for columns; over several batches, about `max_bytes` of them."""
        if self._is_drained:
            return []
        if self._rows is None:
            self._rows = FetchedRows(self._seen, self._batches)
        try:
            taken = self._rows.take(max_rows, max_bytes)
            if not taken:
                self._drain()
                return []
        except CorruptRecord as error:
            raise self._corrupt(error) from error
        self.left_bytes = len(self._data) - self._rows.read_bytes
        last = taken[-1]
        self.position = Position(last.next_offset, last.header.leader_epoch)
        return taken

    def _unpack_next(self) -> None:
        try:
            found = next(self._batches, None)
            if found is None:
                self._drain()
                return
            at, header = found
            self._batch_end = Position(header.next_offset, header.leader_epoch)
            self._records = self._records_of(at, header)
        except CorruptRecord as error:
            raise self._corrupt(error) from error
        self.left_bytes = len(self._data) - at - header.size
        if not self._records:
            self.position = self._batch_end

    def _drain(self) -> None:
        if self.is_damaged:
            raise RecordsTooLarge(f"the batch does not fit into {len(self._data)} bytes")
        self._is_drained = True
        self.left_bytes = 0
        self.position = self.end

    def _records_of(self, at: int, header: BatchHeader) -> list[ConsumerRecord]:
        records = read_rows(self._data, at, header, ConsumerRecord, *self.state.partition)
        start_offset = self._seen.start_offset
        if header.base_offset < start_offset:
            records = [record for record in records if record.offset >= start_offset]
        return records

    def _corrupt(self, error: CorruptRecord) -> CorruptRecords:
        offset = max(self._seen.next_offset, self.position.offset if self.position is not None else 0)
        next_offset = self._end_of_batch(offset)
        advice = f"seek to {next_offset} to go on behind it" if next_offset is not None else "seek to go on elsewhere"
        message = f"{self.state.partition}: the batch at offset {offset} cannot be read: {error}; {advice}"
        return CorruptRecords(message, self.state.partition, offset, next_offset)

    def _end_of_batch(self, offset: int) -> int | None:
        """Where the damaged batch ends, if its header can be believed."""
        try:
            for _, header in iterate_batches(self._data, allow_partial=True):
                if header.base_offset <= offset < header.next_offset:
                    return header.next_offset
        except CorruptRecord:
            return None
        return None


class PutBack:
    """Records that were taken out and not used: they come first the next time. They are as the caller sees them."""

    __slots__ = ("_records", "end", "frame", "left_bytes", "position", "state", "version")

    def __init__(self, state: PartitionState, records: list[ConsumerRecord], end: Position) -> None:
        self.state = state
        self.version = state.version
        self._records = records
        self.end = end
        self.frame: Frame | None = None
        self.left_bytes = 0
        self.position: Position | None = None

    @property
    def is_stale(self) -> bool:
        return self.version != self.state.version

    @property
    def is_done(self) -> bool:
        return not self._records

    def take(self, max_count: int) -> list[ConsumerRecord]:
        taken, self._records = self._records[:max_count], self._records[max_count:]
        if self._records:
            self.position = Position(taken[-1].offset + 1, taken[-1].leader_epoch)
        else:
            self.position = self.end
        return taken
