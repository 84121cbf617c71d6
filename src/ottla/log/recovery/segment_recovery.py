"""Brings segments found on disk into shape: where each ends, and indexes that fit it."""

from ottla.log.files.small_files import read_if_exists
from ottla.log.recovery.recovered_log import RecoveryReport
from ottla.log.segments.batch_scan import CheckedBatches, scan_headers
from ottla.log.segments.log_directory import OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX
from ottla.log.segments.offset_index import OffsetIndex, decode_offset_index
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_list import SegmentList
from ottla.log.segments.time_index import TimeIndex, decode_time_index
from ottla.log.segments.transaction_index import TransactionIndex, decode_transaction_index
from ottla.model.errors import CorruptLog
from ottla.records.batch import BatchHeader


class SegmentRecovery:
    """Used once, while a log is opened."""

    def __init__(self, segments: SegmentList, report: RecoveryReport, may_have_gaps: bool) -> None:
        self._segments = segments
        self._report = report
        #: The topic is compacted, so the last records of a closed segment may be gone.
        self._may_have_gaps = may_have_gaps
        self._was_cut = False

    def run(self, recovery_point: int, *, clean: bool) -> int:
        """Returns the end offset of the log. Raises CorruptLog when something below the recovery point is broken."""
        if clean:
            active = self._segments.active
            walk = self._trusted(active, active.size)
            return walk.next_offset
        # The segment that ends at the recovery point may have been closed since: its indexes are not synced then.
        first = max(self._segments.index_of(recovery_point - 1), 0)
        next_offset = self._segments[first].base_offset
        for index in range(first, len(self._segments)):
            segment = self._segments[index]
            limit = self._segments[index + 1].base_offset if index + 1 < len(self._segments) else None
            walk = self._recovered(segment, recovery_point, limit)
            next_offset = max(walk.next_offset, segment.base_offset)
            if walk.problem is None and limit is not None and self._lost_its_tail(walk, limit):
                walk.problem = f"offsets from {next_offset} to {limit} are missing"
            if walk.problem is not None:
                self._cut_here(index, walk.position, walk.problem)
                break
        self._check_reaches(next_offset, recovery_point)
        self._settle_files(first)
        return next_offset

    def _lost_its_tail(self, walk: "_Walk", limit: int) -> bool:
        """A power loss may keep a later segment but not the end of this one; compaction leaves gaps, too."""
        if walk.next_offset >= limit:
            return False
        return not self._may_have_gaps or (walk.position > 0 and walk.is_dense)

    def _check_reaches(self, end_offset: int, recovery_point: int) -> None:
        if end_offset < recovery_point:
            active = self._segments.active
            raise CorruptLog(
                active.path(),
                active.size,
                f"the log ends at offset {end_offset}, but everything below {recovery_point} was on the device",
            )

    def _trusted(self, segment: Segment, end_position: int) -> "_Walk":
        """Takes the indexes as they are and reads only the headers behind their last entries."""
        walk = _Walk(segment)
        if not walk.load_indexes():
            self._report.rebuilt_indexes.append(segment.base_offset)
        walk.read_headers(end_position)
        if walk.position != end_position:
            raise CorruptLog(segment.path(), walk.position, "the bytes are not a record batch")
        return walk

    def _recovered(self, segment: Segment, recovery_point: int, limit: int | None) -> "_Walk":
        """Trusts the segment up to the recovery point and checks every batch above it."""
        walk = _Walk(segment)
        segment.synced_size = 0
        segment.indexes.transactions_synced = False
        if recovery_point > segment.base_offset and segment.size:
            if not walk.load_indexes(below_offset=recovery_point):
                self._report.rebuilt_indexes.append(segment.base_offset)
            walk.read_headers(segment.size, stop_offset=recovery_point)
            is_broken = walk.next_offset < recovery_point and not walk.has_reached_stop
            if is_broken and walk.position < segment.size:
                raise CorruptLog(
                    segment.path(), walk.position, "the bytes below the recovery point are no record batch"
                )
        else:
            walk.start_anew()
        start = walk.position
        walk.check_batches(limit)
        self._report.checked_bytes += walk.position - start
        return walk

    def _cut_here(self, index: int, position: int, reason: str) -> None:
        """The log ends at this byte; what comes after it was never acknowledged as durable."""
        segment = self._segments[index]
        self._report.cut_reason = f"{segment.path()} at byte {position}: {reason}"
        self._report.cut_bytes += segment.size - position
        self._report.cut_bytes += sum(self._segments[i].size for i in range(index + 1, len(self._segments)))
        self._report.removed_paths += self._segments.remove_from(index + 1)
        segment.size = position
        file = segment.file()
        file.truncate(position)
        # Lost bytes must not come back behind new ones, nor lost segments behind this one.
        file.sync()
        segment.directory.disk.sync_directory(segment.directory.path)
        self._was_cut = True

    def _settle_files(self, first: int) -> None:
        """Index files that fit, so that the next reader finds what is true."""
        for index in range(first, len(self._segments)):
            segment = self._segments[index]
            if segment.size == 0 and segment.is_active and not self._was_cut:
                continue
            if segment.is_active:
                segment.indexes.write()
                segment.indexes.trim_files(sync=self._was_cut)
            else:
                segment.finish()
                segment.indexes.leave_to_files()


class _Walk:
    """Goes through one segment and builds what has to be known about it."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self.position = 0
        self.next_offset = segment.base_offset
        self.problem: str | None = None
        #: Relative offsets are int32; a header with more is corrupt.
        self._last_possible_offset = segment.base_offset + 2**31 - 1
        self.has_reached_stop = False
        #: No sign of compaction among the batches that were checked.
        self.is_dense = True

    def start_anew(self) -> None:
        segment = self._segment
        segment.builder.restart()
        segment.indexes.start(OffsetIndex(), TimeIndex(), self._transactions())

    def load_indexes(self, below_offset: int | None = None) -> bool:
        """False when they are damaged: then the walk starts at the first byte and builds new ones."""
        segment = self._segment
        self.start_anew()
        if segment.size == 0:
            return True
        disk = segment.directory.disk
        offsets, offsets_sound = decode_offset_index(
            read_if_exists(disk, segment.path(OFFSET_INDEX)), log_size=segment.size
        )
        times, times_sound = decode_time_index(read_if_exists(disk, segment.path(TIME_INDEX)))
        if not (offsets_sound and times_sound):
            return False
        if below_offset is not None:
            offsets.truncate(below_offset - segment.base_offset)
            times.truncate(below_offset - segment.base_offset)
        if not (self._fits(offsets) and self._times_fit(times, offsets)):
            return False
        segment.indexes.start(offsets, times, segment.indexes.transactions)
        self.position = segment.builder.resume()
        return True

    def _fits(self, offsets: OffsetIndex) -> bool:
        """Whether the last entry points at the batch that it names."""
        if not len(offsets):
            return True
        position = offsets.positions[-1]
        first = next(scan_headers(self._segment.file(), position, self._segment.size), None)
        return first is not None and first[1].last_offset == self._segment.base_offset + offsets.offsets[-1]

    def _times_fit(self, times: TimeIndex, offsets: OffsetIndex) -> bool:
        """Whether the batch that the last entry names has its timestamp: half an entry may look like a whole one."""
        if not len(times):
            return True
        timestamp, relative = times.last()
        segment = self._segment
        for _, header in scan_headers(segment.file(), offsets.lookup(relative), segment.size):
            if header.last_offset >= segment.base_offset + relative:
                return header.last_offset == segment.base_offset + relative and header.max_timestamp == timestamp
        return False

    def _transactions(self) -> TransactionIndex:
        segment = self._segment
        if not segment.indexes.has_transaction_index:
            return TransactionIndex()
        data = read_if_exists(segment.directory.disk, segment.path(TRANSACTION_INDEX))
        return decode_transaction_index(data, segment.base_offset)[0]

    def read_headers(self, end_position: int, stop_offset: int | None = None) -> None:
        """Up to the end, or to the batch that reaches `stop_offset`; the CRCs are trusted."""
        if self._segment.size == 0:
            return
        for position, header in scan_headers(self._segment.file(), self.position, end_position):
            if header.base_offset < self.next_offset or header.last_offset > self._last_possible_offset:
                return
            if stop_offset is not None and header.last_offset >= stop_offset:
                self.has_reached_stop = True
                return
            self._note(position, header)

    def check_batches(self, limit: int | None) -> None:
        """From here on every batch must be intact, and offsets must rise and stay below the next segment."""
        segment = self._segment
        if segment.size == 0:
            return
        batches = CheckedBatches(segment.file(), self.position, segment.size)
        for position, header, _ in batches:
            last_possible = self._last_possible_offset if limit is None else limit - 1
            if header.base_offset < self.next_offset or header.last_offset > last_possible:
                self.problem = f"offset {header.base_offset} after {self.next_offset - 1}"
                return
            if header.record_count <= header.last_offset_delta or header.base_offset > self.next_offset:
                self.is_dense = False
            self._note(position, header)
        self.problem = batches.problem

    def _note(self, position: int, header: BatchHeader) -> None:
        self._segment.builder.note_again(position, header.size, header.last_offset, header.max_timestamp)
        self.position = position + header.size
        self.next_offset = header.last_offset + 1
