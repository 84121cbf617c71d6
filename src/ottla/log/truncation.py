"""Taking records off the end of a log, and starting it anew."""

from ottla.log import truncation_note
from ottla.log.file_names import LEADER_EPOCHS
from ottla.log.flush import replace_file
from ottla.log.leader_epochs import LeaderEpochs
from ottla.log.producer_state import ProducerStates
from ottla.log.replay import replay
from ottla.log.segment import LogDirectory, Segment
from ottla.log.segment_list import SegmentList
from ottla.log.snapshots import Snapshots


def batch_boundary(segments: SegmentList, offset: int) -> int:
    """Where a log that must not hold `offset` ends: a batch that holds it goes as a whole."""
    segment = segments[segments.index_of(offset)]
    found = segment.find(offset) if segment.size else None
    return offset if found is None else min(offset, found.base_offset)


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
    return paths


def _cut_segment(segment: Segment, position: int, end_offset: int) -> None:
    file = segment.file()
    file.truncate(position)
    segment.size = position
    segment.synced_size = min(segment.synced_size, position)
    segment.forget_recent()
    relative = end_offset - segment.base_offset
    in_files = [
        segment.offset_index.truncate(relative),
        segment.time_index.truncate(relative),
        segment.transaction_index.truncate(end_offset),
    ]
    segment.transactions_synced = False
    segment.recount_tail()
    if any(in_files):
        segment.trim_index_files(sync=True)
    # A power loss must not bring the bytes back behind new ones of the same offsets.
    file.sync()


def note_if_below(directory: LogDirectory, offset: int, recovery_point: int) -> None:
    if offset < recovery_point:
        truncation_note.write(directory.disk, directory.path, max(offset, 0))


def save_epochs(directory: LogDirectory, epochs: LeaderEpochs, *, sync: bool = True) -> None:
    replace_file(directory.disk, f"{directory.path}/{LEADER_EPOCHS}", epochs.encoded(), sync=sync)
    if sync:
        directory.disk.sync_directory(directory.path)
    epochs.is_dirty = False


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
