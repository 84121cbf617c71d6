"""Folds batches of the log into producer state and leader epochs: after a restart, and after a truncation."""

import contextlib
from collections.abc import Callable

from ottla.doors.disk import Buffer
from ottla.log.leader_epochs import LeaderEpochs
from ottla.log.producers.producer_entry import ProducerBatch
from ottla.log.producers.producer_state import NO_OFFSET, ProducerStates
from ottla.log.producers.snapshots import Snapshots
from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_list import SegmentList
from ottla.log.segments.transaction_index import AbortedTransaction
from ottla.model.errors import CorruptLog
from ottla.records.batch import BatchHeader
from ottla.records.control import EndTransactionMarker, read_marker
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_records


def marker_in(data: Buffer, position: int, header: BatchHeader) -> EndTransactionMarker | None:
    """The transaction marker in a control batch. None for other control records, and when cleaning emptied it."""
    for record in iterate_records(data, position, header):
        return read_marker(record)
    return None


def fold_batch(
    producers: ProducerStates,
    segment: Segment | None,
    header: BatchHeader,
    read_batch: Callable[[], Buffer],
    high_watermark: int,
) -> None:
    """Applies a batch that is in the log. `segment` gets an entry for an aborted transaction; None when it has it."""
    if header.producer_id < 0:
        return
    if not header.is_control:
        producers.add_batch(ProducerBatch.stored(header))
        return
    marker = marker_in(read_batch(), 0, header)
    if marker is None:
        return
    done = producers.add_marker(header, marker, header.base_offset, high_watermark)
    if done is not None and done.is_aborted and segment is not None:
        segment.indexes.transactions.append(
            AbortedTransaction(done.producer_id, done.first_offset, done.last_offset, done.last_stable_offset)
        )


def replay(
    segments: SegmentList,
    producers: ProducerStates,
    epochs: LeaderEpochs | None,
    *,
    from_offset: int,
    end_offset: int,
    high_watermark: int,
    aborted_from: int = NO_OFFSET,
    snapshots: Snapshots | None = None,
) -> None:
    """Reads headers from `from_offset` on. From `aborted_from` on the transaction indexes are rebuilt.

    With `snapshots` each segment gets the one at its start that a roll would have written: when retention has taken the
    segments before it, nothing else knows their producers.
    """
    for segment in segments[max(segments.index_of(from_offset), 0) :]:
        if snapshots is not None and from_offset < segment.base_offset <= end_offset:
            with contextlib.suppress(OSError):
                snapshots.write(segment.base_offset, producers)
        if segment.indexes.transactions.truncate(aborted_from):
            segment.indexes.trim_files(sync=True)
        if segment.base_offset >= end_offset:
            continue
        start = segment.indexes.position_before(from_offset)
        _replay_segment(segment, start, producers, epochs, from_offset, high_watermark, aborted_from)
        file = segment.indexes.write_transactions()
        if file is not None:
            file.sync()


def _replay_segment(
    segment: Segment,
    start: int,
    producers: ProducerStates,
    epochs: LeaderEpochs | None,
    from_offset: int,
    high_watermark: int,
    aborted_from: int,
) -> None:
    file = segment.file() if segment.size else None
    reached = start
    for position, header in scan_headers(file, start, segment.size) if file else ():
        reached = position + header.size
        if header.base_offset < from_offset:
            continue
        if epochs is not None and header.leader_epoch > epochs.latest:
            epochs.assign(header.leader_epoch, header.base_offset)

        def read_batch(position: int = position, size: int = header.size) -> Buffer:
            return segment.file().read_at(position, size)

        try:
            fold_batch(
                producers, segment if header.base_offset >= aborted_from else None, header, read_batch, high_watermark
            )
        except CorruptRecord as error:
            raise CorruptLog(segment.path(), position, str(error)) from error
    if reached < segment.size:
        raise CorruptLog(segment.path(), reached, "the bytes are not a record batch")
