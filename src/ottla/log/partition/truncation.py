"""Taking records off the end of a log, and starting it again at another offset."""

from ottla.log.partition.log_state import LogState
from ottla.log.partition.name_changes import NameChanges
from ottla.log.partition.replacement import SegmentReplacement
from ottla.log.partition.roll import SegmentRoller
from ottla.log.producers.producer_state import ProducerStates
from ottla.log.producers.replay import replay
from ottla.log.producers.snapshots import Snapshots
from ottla.log.recovery.leftovers import TruncationNote
from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_list import SegmentList
from ottla.model.errors import CorruptLog


class LogTruncation:
    """A part of PartitionLog. After an OSError the log has failed and must be opened again."""

    __slots__ = ("_log", "_names", "_replacement", "_roller")

    def __init__(
        self, log: LogState, names: NameChanges, roller: SegmentRoller, replacement: SegmentReplacement
    ) -> None:
        self._log = log
        self._names = names
        self._roller = roller
        self._replacement = replacement

    def truncate_to(self, offset: int) -> list[str]:
        """Ends the log at `offset`, or at the start of the batch that holds it; returns paths to remove later."""
        log = self._log
        if offset >= log.end_offset:
            return []
        if offset < log.segments.first_base_offset:
            return self.truncate_fully_at(offset)
        try:
            return self._truncate(offset)
        except OSError as error:
            log.failure = error
            raise

    def _truncate(self, offset: int) -> list[str]:
        log = self._log
        log.generation += 1
        self._replacement.abandon()
        end_offset = batch_boundary(log.segments, offset)
        self._note_if_below(end_offset)
        paths = cut_segments(log.segments, end_offset)
        log.end_offset = end_offset
        log.high_watermark = min(log.high_watermark, end_offset)
        log.recovery_point = min(log.recovery_point, end_offset)
        log.log_start_offset = min(log.log_start_offset, end_offset)
        log.epochs.truncate_from_end(end_offset)
        log.save_epochs()
        rebuild_producers(log.segments, log.snapshots, log.producers, end_offset, log.high_watermark)
        self._names.sync()
        self._restart()
        return paths

    def truncate_fully_at(self, offset: int) -> list[str]:
        """Drops everything and starts again at `offset`; returns paths to remove later."""
        log = self._log
        try:
            log.generation += 1
            self._replacement.abandon()
            self._note_if_below(min(offset, log.segments.first_base_offset))
            # First, and durably: one at `offset` would contain producers that this log does not know.
            log.snapshots.remove_all()
            log.sync_directory()
            paths = log.segments.remove_from(0)
            log.segments.start(offset)
            log.producers.load([])
            log.epochs.clear()
            log.save_epochs()
            self._names.sync()
        except OSError as error:
            log.failure = error
            raise
        log.end_offset = log.log_start_offset = log.high_watermark = log.recovery_point = offset
        self._restart()
        return paths

    def _note_if_below(self, offset: int) -> None:
        log = self._log
        if offset < log.recovery_point:
            TruncationNote.write(log.log_directory.disk, log.directory, max(offset, 0))

    def _restart(self) -> None:
        self._log.snapshots.written_at_bytes = 0
        self._roller.restart()


def batch_boundary(segments: SegmentList, offset: int) -> int:
    """Where a log that must not hold `offset` ends: a batch that holds it goes as a whole.

    Behind the last batch that stays, also in a gap of compaction: a restart finds no other end.
    """
    segment = segments[segments.index_of(offset)]
    found = segment.find(offset) if segment.size else None
    return _end_below(segment, segment.size if found is None else found.position)


def _end_below(segment: Segment, position: int) -> int:
    """Where the batch before the one at this position ends; without any the segment begins there."""
    end_offset = segment.base_offset
    reached = segment.indexes.position_below(position) if position else 0
    for at, header in scan_headers(segment.file(), reached, position) if position else ():
        reached, end_offset = at + header.size, header.next_offset
    if reached != position:
        raise CorruptLog(segment.path(), reached, "the bytes are not a record batch")
    return end_offset


def cut_segments(segments: SegmentList, end_offset: int) -> list[str]:
    """Removes everything from a batch boundary on. Returns the paths of files to remove later."""
    paths = segments.remove_from(segments.index_of(end_offset) + 1)
    if paths:
        # Otherwise a power loss could bring a later segment back behind the cut.
        segments.directory.disk.sync_directory(segments.directory.path)
    active = segments.active
    found = active.find(end_offset) if active.size else None
    if found is not None:
        _cut_segment(active, found.position, end_offset)
    elif paths and active.size:
        # It was closed, and its indexes were left to their files.
        active.recount_tail()
    return paths


def _cut_segment(segment: Segment, position: int, end_offset: int) -> None:
    file = segment.file()
    file.truncate(position)
    segment.size = position
    segment.synced_size = min(segment.synced_size, position)
    segment.forget_recent()
    relative = end_offset - segment.base_offset
    in_files = [
        segment.indexes.offsets.truncate(relative),
        segment.indexes.times.truncate(relative),
        segment.indexes.transactions.truncate(end_offset),
    ]
    segment.indexes.transactions_synced = False
    segment.recount_tail()
    if any(in_files):
        segment.indexes.trim_files(sync=True)
    # A power loss must not bring the bytes back behind new ones of the same offsets.
    file.sync()


def rebuild_producers(
    segments: SegmentList, snapshots: Snapshots, producers: ProducerStates, end_offset: int, high_watermark: int
) -> None:
    """Producer state as of `end_offset`, after the log was cut there."""
    from_offset = snapshots.load_newest(producers, end_offset)
    if from_offset < segments.first_base_offset:
        producers.load([])
        from_offset = segments.first_base_offset
    if from_offset < end_offset:
        replay(
            segments,
            producers,
            None,
            from_offset=from_offset,
            end_offset=end_offset,
            high_watermark=high_watermark,
        )
