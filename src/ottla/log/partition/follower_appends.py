"""Batches that a leader has accepted: they are appended as they are, with their offsets and epochs."""

from collections.abc import Callable

from ottla.doors.disk import Buffer
from ottla.log.partition.append_rules import BatchRefused
from ottla.log.partition.log_state import LogState
from ottla.log.partition.roll import SegmentRoller
from ottla.log.producers.replay import fold_batch
from ottla.log.segments.segment import Segment
from ottla.model.error_codes import ErrorCode
from ottla.records.batch import BatchHeader, is_intact
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_batches


class FollowerAppends:
    """A part of PartitionLog. `on_begun` is called when the first batch is in a segment."""

    __slots__ = ("_log", "_on_begun", "_roller")

    def __init__(self, log: LogState, roller: SegmentRoller, on_begun: Callable[[Segment, int], None]) -> None:
        self._log = log
        self._roller = roller
        self._on_begun = on_begun

    def append(self, data: Buffer, now_ms: int) -> int | None:
        """Returns the offset of the first batch; None without a whole one.

        Every batch must be intact and continue the log (gaps are compaction's); otherwise nothing is appended.
        """
        view = memoryview(data)
        found = self._continuing_batches(view)
        start = 0
        while start < len(found):
            start = self._append_run(view, found, start, now_ms)
        return found[0][1].base_offset if found else None

    def _continuing_batches(self, view: memoryview) -> list[tuple[int, BatchHeader]]:
        next_offset = self._log.end_offset
        found = []
        try:
            for position, header in iterate_batches(view, allow_partial=True):
                if header.base_offset < next_offset:
                    raise BatchRefused(
                        ErrorCode.OFFSET_OUT_OF_RANGE, f"batch at offset {header.base_offset}, expected {next_offset}"
                    )
                if not is_intact(view, position, header):
                    raise BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"wrong checksum at offset {header.base_offset}")
                next_offset = header.next_offset
                found.append((position, header))
        except CorruptRecord as error:
            raise BatchRefused(ErrorCode.CORRUPT_MESSAGE, str(error)) from error
        return found

    def _append_run(self, view: memoryview, found: list[tuple[int, BatchHeader]], start: int, now_ms: int) -> int:
        """Writes as many batches as fit into one segment at once; returns the index of the next one."""
        log = self._log
        position, first = found[start]
        rules = self._roller.rules
        active = log.segments.active
        if rules.is_due(active, first.size, first.last_offset, first.max_timestamp, now_ms):
            active = self._roller.active_with_room(first.size)
        end, stop = position + first.size, start + 1
        while stop < len(found):
            header = found[stop][1]
            if rules.is_due(active, end - position + header.size, header.last_offset, header.max_timestamp, now_ms):
                break
            end += header.size
            stop += 1
        was_empty = active.size == 0
        try:
            active.append_run(view[position:end], [header for _, header in found[start:stop]])
        except OSError as error:
            log.write_failed(error)
            raise
        if was_empty:
            self._on_begun(active, now_ms)
        for at, header in found[start:stop]:
            self._fold(active, view[at : at + header.size], header)
        return stop

    def _fold(self, active: Segment, batch: memoryview, header: BatchHeader) -> None:
        log = self._log
        log.end_offset = header.next_offset
        if header.leader_epoch > log.epochs.latest:
            log.epochs.assign(header.leader_epoch, header.base_offset)
        fold_batch(log.producers, active, header, lambda: batch, log.high_watermark)
