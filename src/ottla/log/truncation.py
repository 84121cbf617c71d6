"""Taking records off the end of a log, and starting it anew."""

from ottla.log import truncation_note
from ottla.log.file_names import LEADER_EPOCHS
from ottla.log.flush import write_synced
from ottla.log.leader_epochs import LeaderEpochs
from ottla.log.producer_state import ProducerStates
from ottla.log.replay import replay
from ottla.log.segment import LogDirectory, Segment
from ottla.log.segment_list import SegmentList
from ottla.log.snapshots import Snapshots


def cut_segments(segments: SegmentList, offset: int) -> tuple[int, list[str]]:
    """Removes everything from `offset` on. Returns the new end offset and the paths of files to remove later.

    A batch that holds the offset goes as a whole, so the log may end a little below it.
    """
    index = segments.index_of(offset)
    paths = segments.remove_from(index + 1)
    active = segments.active
    found = active.find(offset) if active.size else None
    end_offset = min(offset, found.base_offset) if found is not None else offset
    if found is not None:
        _cut_segment(active, found.position, end_offset)
    return end_offset, paths


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
        segment.trim_index_files()
    # A power loss must not bring the bytes back behind new ones of the same offsets.
    file.sync()


def note_if_below(directory: LogDirectory, offset: int, recovery_point: int) -> None:
    if offset < recovery_point:
        truncation_note.write(directory.disk, directory.path, max(offset, 0))


def save_epochs(directory: LogDirectory, epochs: LeaderEpochs) -> None:
    write_synced(directory.disk, f"{directory.path}/{LEADER_EPOCHS}", epochs.encoded())
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
            rebuild_aborted=False,
        )
