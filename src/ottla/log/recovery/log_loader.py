"""Opens a partition's directory and finds out what is in it.

After a clean stop the files are trusted. Otherwise every batch above the recovery point is checked; the first one
that is not whole ends the log (a torn tail), and what was derived from the lost bytes goes with them: index entries,
leader epochs, producer snapshots. Below the recovery point everything was on the device once: damage there is not
repaired but reported as CorruptLog, and nothing is deleted.
"""

from collections.abc import Callable

from ottla.config.topic_options import TopicOptions
from ottla.doors.disk import Disk
from ottla.log.files import partition_metadata
from ottla.log.files.small_files import read_if_exists
from ottla.log.leader_epochs import LeaderEpochs, decode_leader_epochs
from ottla.log.producers.producer_state import NO_OFFSET, ProducerStates
from ottla.log.producers.replay import replay
from ottla.log.producers.snapshots import Snapshots
from ottla.log.recovery.leftovers import TruncationNote, settle_leftovers
from ottla.log.recovery.lost_pages import LostPages
from ottla.log.recovery.recovered_log import NOTHING_FOUND, RecoveredLog, RecoveryReport
from ottla.log.recovery.segment_recovery import SegmentRecovery
from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.log_directory import (
    LEADER_EPOCHS,
    LOG,
    OFFSET_INDEX,
    SEGMENT_SUFFIXES,
    SNAPSHOT,
    TRANSACTION_INDEX,
    TRUNCATION_NOTE,
    LogDirectory,
    offset_of,
)
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_cache import SegmentCache
from ottla.log.segments.segment_list import SegmentList
from ottla.log.segments.transaction_index import decode_transaction_index
from ottla.model.topic import TopicPartition

_KNOWN_NAMES = dict.fromkeys((LEADER_EPOCHS, partition_metadata.FILE_NAME, TRUNCATION_NOTE))


def load_log(
    disk: Disk,
    path: str,
    topic_partition: TopicPartition,
    options: TopicOptions,
    *,
    recovery_point: int,
    log_start_offset: int,
    high_watermark: int | None,
    clean: bool,
    topic_id: bytes | None,
    cache: SegmentCache | None,
    jitter_below: Callable[[int], int] | None,
    has_lost_pages: bool = False,
) -> RecoveredLog:
    report = RecoveryReport()
    directory = LogDirectory(disk, path, cache if cache is not None else SegmentCache())
    names = _names(disk, path)
    recovery_point = TruncationNote.lowered(disk, path, names, recovery_point)
    if has_lost_pages:
        LostPages(disk, path, names).write_again(recovery_point)
    segments = _found_segments(directory, names, options.index_interval_bytes, report)
    snapshots = Snapshots(directory, names)
    epochs = _load_epochs(disk, path, names)
    producers = ProducerStates()
    if len(segments) == 0:
        segments.start(log_start_offset)
        end_offset = log_start_offset
    else:
        may_have_gaps = "compact" in options.cleanup_policy
        # What retention has taken since the recovery point was saved is gone on purpose; the snapshot at the first
        # segment is all that knows its producers.
        recovery_point = max(recovery_point, segments.first_base_offset)
        end_offset = SegmentRecovery(segments, report, may_have_gaps).run(max(recovery_point, 0), clean=clean)
    first_base = segments.first_base_offset
    if log_start_offset > end_offset:
        # Records up to there were deleted on purpose; the crash took more than that.
        report.removed_paths += segments.remove_from(0)
        segments.start(log_start_offset)
        first_base = end_offset = log_start_offset
    found_id = partition_metadata.load(disk, path, names)
    if found_id is None and topic_id is not None:
        partition_metadata.write(disk, path, topic_id)
    found = RecoveredLog(
        topic_partition=topic_partition,
        topic_id=found_id or topic_id,
        options=options,
        directory=directory,
        segments=segments,
        snapshots=snapshots,
        epochs=epochs if epochs is not None else LeaderEpochs(),
        producers=producers,
        log_start_offset=max(log_start_offset, first_base),
        end_offset=end_offset,
        high_watermark=0,
        recovery_point=end_offset if clean else min(recovery_point, end_offset),
        report=report,
        # An earlier run may have written the file without reaching its first flush.
        has_new_metadata=(found_id or topic_id) is not None and not (clean and found_id is not None),
        jitter_below=jitter_below,
    )
    found.high_watermark = max(min(high_watermark or 0, end_offset), found.log_start_offset)
    _restore_state(found, clean=clean, epochs_are_known=epochs is not None)
    if report == NOTHING_FOUND:
        found.report = NOTHING_FOUND
    return found


def _names(disk: Disk, path: str) -> list[str]:
    try:
        return settle_leftovers(disk, path, disk.list(path))
    except FileNotFoundError:
        disk.make_directories(path)
        return []


def _found_segments(
    directory: LogDirectory, names: list[str], index_interval_bytes: int, report: RecoveryReport
) -> SegmentList:
    bases = {base: name for name in names if (base := offset_of(name, LOG)) is not None}
    found = []
    for base in bases:
        size = directory.disk.size(directory.file_path(base, LOG))
        segment = Segment(directory, base, size, index_interval_bytes)
        found.append(segment)
    by_base = {segment.base_offset: segment for segment in found}
    for name in names:
        suffix = name[20:]
        base = offset_of(name, suffix) if suffix in SEGMENT_SUFFIXES else None
        if base is None:
            if name not in _KNOWN_NAMES and offset_of(name, SNAPSHOT) is None:
                report.unknown_names.append(name)
        elif base not in by_base:
            # An index without a log: what is left of a segment whose removal was cut short.
            directory.disk.remove(f"{directory.path}/{name}")
        elif suffix == TRANSACTION_INDEX:
            by_base[base].indexes.has_transaction_index = True
        elif suffix == OFFSET_INDEX:
            by_base[base].indexes.has_index_file = True
    segments = SegmentList(directory, index_interval_bytes)
    if found:
        segments.adopt(sorted(found, key=lambda segment: segment.base_offset))
    return segments


def _load_epochs(disk: Disk, path: str, names: list[str]) -> LeaderEpochs | None:
    """None when there is no such file or it is invalid: then the batches are read."""
    if LEADER_EPOCHS not in names:
        return None
    try:
        return decode_leader_epochs(read_if_exists(disk, f"{path}/{LEADER_EPOCHS}"))
    except ValueError:
        return None


def _restore_state(found: RecoveredLog, *, clean: bool, epochs_are_known: bool) -> None:
    """Producers and leader epochs as a fold over the whole log would give them."""
    first_base, end_offset = found.segments.first_base_offset, found.end_offset
    epochs = found.epochs
    snapshot_count = len(found.snapshots.offsets)
    # Below the recovery point the transaction indexes are on the device; above it they may contain lost markers.
    aborted_from = min(NO_OFFSET if clean else found.recovery_point, _first_damaged_transaction_index(found))
    from_offset = found.snapshots.load_newest(found.producers, min(found.recovery_point, aborted_from))
    if len(found.snapshots.offsets) < snapshot_count:
        # They must not come back after the log has grown past them with other records.
        found.directory.disk.sync_directory(found.directory.path)
    if from_offset < first_base:
        found.producers.load([])
        from_offset = first_base
    if not epochs_are_known:
        epochs.clear()
        if first_base < from_offset:
            _replay_epochs(found, first_base, from_offset)
    # After a crash the file may contain batches that are lost, or lack the latest: these are read again.
    epochs.truncate_from_end(end_offset if clean and epochs_are_known else from_offset)
    if from_offset < end_offset or aborted_from < NO_OFFSET:
        replay(
            found.segments,
            found.producers,
            epochs,
            from_offset=from_offset,
            end_offset=end_offset,
            high_watermark=found.high_watermark,
            aborted_from=aborted_from,
            snapshots=found.snapshots,
        )
    epochs.truncate_from_start(found.log_start_offset)
    found.snapshots.keep_for(found.segments)


def _first_damaged_transaction_index(found: RecoveredLog) -> int:
    """The base offset of the first segment whose transaction index is invalid."""
    for segment in found.segments:
        if segment.indexes.has_transaction_index and not _has_sound_transaction_index(segment, found.recovery_point):
            found.report.rebuilt_indexes.append(segment.base_offset)
            return segment.base_offset
    return NO_OFFSET


def _has_sound_transaction_index(segment: Segment, recovery_point: int) -> bool:
    data = read_if_exists(segment.directory.disk, segment.path(TRANSACTION_INDEX))
    index, is_sound = decode_transaction_index(data, segment.base_offset)
    index.truncate(recovery_point)
    if not is_sound or not len(index):
        return is_sound
    # Half an entry may look like a whole one: the last must name a marker that is there.
    last = index.last
    found = segment.find(last.last_offset)
    if found is None or found.base_offset != last.last_offset:
        return False
    first = next(scan_headers(segment.file(), found.position, segment.size), None)
    return first is not None and first[1].is_control and first[1].producer_id == last.producer_id


def _replay_epochs(found: RecoveredLog, from_offset: int, end_offset: int) -> None:
    replay(
        found.segments,
        ProducerStates(),
        found.epochs,
        from_offset=from_offset,
        end_offset=end_offset,
        high_watermark=0,
    )
