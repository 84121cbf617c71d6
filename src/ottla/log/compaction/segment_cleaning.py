"""Compaction of closed segments: keeps the last value of each key. Runs in a helper process on files nobody changes.

Two passes. The first reads the dirty part and remembers the newest offset of each key. The second rewrites all segments
of the plan, group by group, into `.cleaned` files. In the dirty part it asks by offset: most batches stay or go as a
whole and are not unpacked again. In the clean part it asks for each key:

- a record stays if no later one has its key; a tombstone stays until its delete horizon has passed;
- the horizon is set by the first pass that meets the tombstone (attribute bit 6; it takes the base timestamp's place);
- data of aborted transactions go, markers follow when their data are gone and the horizon has passed;
- offsets never change, and a batch keeps its last offset;
- a batch that loses all records stays as an empty one if it has its producer's last sequence, or is the last of its
  group: so the new segments cover exactly the offsets of the old ones.
"""

import posixpath
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ottla.doors.disk import Buffer, Disk
from ottla.log.compaction.cleaned_segment import CleanedSegmentWriter
from ottla.log.compaction.cleaning_plan import CleanedGroup, CleaningPlan, CleanResult, SegmentToClean
from ottla.log.compaction.cleaning_transactions import CleaningTransactions
from ottla.log.compaction.offset_map import NewestOffsets, OffsetMap
from ottla.log.segments.batch_scan import CheckedBatches
from ottla.log.segments.log_directory import LOG, file_name
from ottla.log.segments.transaction_index import AbortedTransaction
from ottla.model.errors import CorruptLog
from ottla.records.batch import BatchHeader
from ottla.records.builder import rebuild_batch
from ottla.records.control import EndTransactionMarker, read_marker
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_records, read_records, records_bytes
from ottla.records.record import Record
from ottla.records.record_picking import BatchKeys, read_keys, without_others


class _Batch(NamedTuple):
    header: BatchHeader
    data: memoryview
    #: For errors: which file, which byte.
    path: str
    position: int


class _Kept(NamedTuple):
    """What becomes of a batch: its bytes, if any, and an entry for the transaction index."""

    data: Buffer | None
    aborted: AbortedTransaction | None = None


class _KeptRecords(NamedTuple):
    """Which records of a batch stay, counted from 0, and whether there are tombstones among them."""

    indexes: Sequence[int]
    has_tombstones: bool


_KEEPS_NONE = _KeptRecords((), has_tombstones=False)


def clean_segments(disk: Disk, plan: CleaningPlan) -> CleanResult:
    """Writes and syncs `.cleaned` files; nothing that readers use is touched. Raises CorruptLog, OSError."""
    return _Cleaning(disk, plan).run()


class _Cleaning:
    def __init__(self, disk: Disk, plan: CleaningPlan) -> None:
        self._disk = disk if plan.bytes_per_second is None else disk.paced(plan.bytes_per_second)
        self._plan = plan
        self._map = OffsetMap.within(plan.map_memory_bytes)
        self._map_is_partial = False
        self._newest = self._newest_tombstones = NewestOffsets(())
        self._transactions = CleaningTransactions(plan.aborted)
        self._horizon_ms = plan.now_ms + plan.delete_retention_ms
        self._records_read = 0
        self._records_kept = 0
        self._records_without_key = 0

    def run(self) -> CleanResult:
        self._fill_map()
        self._newest, self._newest_tombstones = self._map.newest(), self._map.newest_tombstones()
        cleaned_to = self._map.latest_offset + 1 if self._map_is_partial else self._plan.end_offset
        # Segments that lie wholly above what fits into the map would come out as they are.
        groups = [group for group in self._plan.groups if group[0].base_offset < cleaned_to]
        cleaned = tuple(self._clean_group(group) for group in groups)
        if cleaned:
            self._disk.sync_directory(self._plan.directory)
        return CleanResult(cleaned, cleaned_to, self._records_read, self._records_kept, self._records_without_key)

    # the first pass

    def _fill_map(self) -> None:
        plan, offsets = self._plan, self._map
        transactions = CleaningTransactions(plan.aborted)
        offsets.latest_offset = plan.first_dirty_offset - 1
        for group in plan.groups:
            for segment in group:
                if segment.end_offset <= plan.first_dirty_offset:
                    continue
                for batch in self._batches(segment):
                    if batch.header.last_offset < plan.first_dirty_offset:
                        continue
                    if not offsets.has_room_for(batch.header.record_count):
                        self._map_is_partial = True
                        return
                    self._map_batch(batch, transactions)
                    offsets.latest_offset = batch.header.last_offset

    def _map_batch(self, batch: _Batch, transactions: CleaningTransactions) -> None:
        if batch.header.is_control:
            transactions.end(batch.header, _marker(batch))
        elif not transactions.is_aborted(batch.header):
            found = _keys(batch)
            self._map.put(batch.header.base_offset, found)
            self._records_without_key += found.keys.count(None)

    # the second pass

    def _clean_group(self, group: tuple[SegmentToClean, ...]) -> CleanedGroup:
        plan = self._plan
        writer = CleanedSegmentWriter(self._disk, plan.directory, group[0].base_offset, plan.index_interval_bytes)
        try:
            dropped: _Batch | None = None
            for segment in group:
                for batch in self._batches(segment):
                    kept = self._cleaned(batch)
                    dropped = batch if kept.data is None else None
                    if kept.data is not None:
                        writer.append(kept.data)
                    if kept.aborted is not None:
                        writer.note_aborted(kept.aborted)
            if dropped is not None:
                is_control = dropped.header.is_control
                writer.append(dropped.data if is_control else rebuild_batch(dropped.header, []))
            writer.finish()
        except BaseException:
            writer.abandon()
            raise
        old = tuple(segment.base_offset for segment in group)
        return CleanedGroup(old, tuple(writer.base_offsets))

    def _cleaned(self, batch: _Batch) -> _Kept:
        header = batch.header
        if header.is_control:
            return self._cleaned_control(batch)
        is_aborted = self._transactions.is_aborted(header)
        if header.last_offset > self._map.latest_offset:
            return _Kept(batch.data)
        self._records_read += header.record_count
        if is_aborted:
            kept = _KEEPS_NONE
        elif header.last_offset >= self._plan.first_dirty_offset:
            kept = self._kept_of_dirty(batch)
        else:
            kept = self._kept_of_clean(batch)
        self._records_kept += len(kept.indexes)
        if not kept.indexes:
            return _Kept(rebuild_batch(header, []) if self._has_last_sequence(header) else None)
        if kept.has_tombstones and not header.has_delete_horizon:
            records = _records(batch)
            chosen = [records[index] for index in kept.indexes]
            return _Kept(self._with_horizon(batch, chosen))
        if len(kept.indexes) == header.record_count:
            return _Kept(batch.data)
        return _Kept(without_others(_body(batch), header, kept.indexes))

    def _kept_of_dirty(self, batch: _Batch) -> _KeptRecords:
        """Its keys are in the map: a record stays if it is the newest of its key, so offsets are enough."""
        header = batch.header
        first, last = header.base_offset, header.last_offset
        offsets = self._newest.between(first, last)
        tombstones = self._newest_tombstones.between(first, last)
        if tombstones and self._horizon_has_passed(header):
            gone = frozenset(tombstones)
            offsets, tombstones = [offset for offset in offsets if offset not in gone], ()
        if header.record_count > header.last_offset_delta:
            indexes: Sequence[int] = [offset - first for offset in offsets]
        else:
            # With gaps: compacted before, and dirty again because it is unknown how far that went.
            index_of = {delta: index for index, delta in enumerate(_keys(batch).deltas)} if offsets else {}
            indexes = [index_of[offset - first] for offset in offsets]
        return _KeptRecords(indexes, has_tombstones=len(tombstones) > 0)

    def _kept_of_clean(self, batch: _Batch) -> _KeptRecords:
        """A record stays if its key has not come again in the dirty part."""
        found = _keys(batch)
        self._records_without_key += found.keys.count(None)
        indexes = self._map.unknown(found.keys)
        if not found.tombstones:
            return _KeptRecords(indexes, has_tombstones=False)
        tombstones = frozenset(found.tombstones)
        if self._horizon_has_passed(batch.header):
            return _KeptRecords([index for index in indexes if index not in tombstones], has_tombstones=False)
        return _KeptRecords(indexes, has_tombstones=not tombstones.isdisjoint(indexes))

    def _cleaned_control(self, batch: _Batch) -> _Kept:
        header = batch.header
        if header.record_count == 0:
            # Left by an earlier cleaning of Apache Kafka, which empties markers too.
            return _Kept(batch.data if self._has_last_epoch(header) else None)
        has_no_data, entry = self._transactions.end(header, _marker(batch))
        if not has_no_data or header.last_offset > self._map.latest_offset:
            return _Kept(batch.data, entry)
        if self._horizon_has_passed(header):
            return _Kept(batch.data if self._has_last_epoch(header) else None)
        if header.has_delete_horizon:
            return _Kept(batch.data)
        return _Kept(self._with_horizon(batch, _records(batch)))

    def _with_horizon(self, batch: _Batch, records: list[Record]) -> Buffer:
        try:
            return rebuild_batch(batch.header, records, delete_horizon_ms=self._horizon_ms)
        except ValueError as error:
            # So long ago that the distance to the horizon does not fit into its 64 bits.
            raise CorruptLog(batch.path, batch.position, str(error)) from error

    def _horizon_has_passed(self, header: BatchHeader) -> bool:
        horizon_ms = header.delete_horizon_ms
        return horizon_ms is not None and horizon_ms <= self._plan.now_ms

    def _has_last_sequence(self, header: BatchHeader) -> bool:
        """Without it, a producer that continues after the state was rebuilt from this log would be refused."""
        if header.producer_id < 0:
            return False
        last = self._plan.last_of_producers.get(header.producer_id)
        return last is not None and last[0] == header.last_offset

    def _has_last_epoch(self, header: BatchHeader) -> bool:
        """Of a producer without data only the marker holds its epoch."""
        last = self._plan.last_of_producers.get(header.producer_id)
        return last is not None and last[0] < 0 and last[1] == header.producer_epoch

    def _batches(self, segment: SegmentToClean) -> Iterator[_Batch]:
        path = posixpath.join(self._plan.directory, file_name(segment.base_offset, LOG))
        file = self._disk.open(path, read_only=True)
        try:
            batches = CheckedBatches(file, 0, segment.size_bytes)
            for position, header, data in batches:
                yield _Batch(header, data, path, position)
            if batches.problem is not None or batches.position < segment.size_bytes:
                raise CorruptLog(path, batches.position, batches.problem or "the file is shorter than it was")
        finally:
            file.close()


def _records(batch: _Batch) -> list[Record]:
    try:
        return read_records(batch.data, 0, batch.header)
    except CorruptRecord as error:
        raise CorruptLog(batch.path, batch.position, str(error)) from error


def _keys(batch: _Batch) -> BatchKeys:
    try:
        return read_keys(records_bytes(batch.data, 0, batch.header), batch.header)
    except CorruptRecord as error:
        raise CorruptLog(batch.path, batch.position, str(error)) from error


def _body(batch: _Batch) -> bytes:
    try:
        return records_bytes(batch.data, 0, batch.header)
    except CorruptRecord as error:
        raise CorruptLog(batch.path, batch.position, str(error)) from error


def _marker(batch: _Batch) -> EndTransactionMarker | None:
    """None for another kind of control record."""
    try:
        first = next(iterate_records(batch.data, 0, batch.header), None)
        return None if first is None else read_marker(first)
    except CorruptRecord as error:
        raise CorruptLog(batch.path, batch.position, str(error)) from error
