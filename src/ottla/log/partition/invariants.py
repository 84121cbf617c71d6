"""What must be true of a log at all times; asked by tests and by the simulator after each event."""

from itertools import pairwise
from typing import NamedTuple

from ottla.log.leader_epochs import LeaderEpochs
from ottla.log.partition.log_state import LogState
from ottla.log.producers.producer_state import ProducerStates
from ottla.log.producers.replay import fold_batch
from ottla.log.segments.batch_scan import CheckedBatches, scan_headers
from ottla.log.segments.segment import Segment
from ottla.model.errors import check


class StateDigest(NamedTuple):
    """Everything that a restart must bring back."""

    log_start_offset: int
    end_offset: int
    epochs: tuple[tuple[int, int], ...]
    producers: tuple[tuple[int, ...], ...]
    open_transactions: tuple[tuple[int, int], ...]
    aborted: tuple[tuple[int, ...], ...]


def state_digest(log: LogState) -> StateDigest:
    aborted = [entry for segment in log.segments for entry in segment.indexes.aborted_transactions()]
    return StateDigest(
        log.log_start_offset,
        log.end_offset,
        _epochs_with_records(log.epochs, log.end_offset),
        tuple(log.producers.digest()),
        tuple(sorted(log.producers.open_transactions.items())),
        tuple(aborted),
    )


def scanned_digest(log: LogState) -> StateDigest:
    """The same, from nothing but the batches in the files; they are all checked on the way.

    Equal to `state_digest` unless producers expired, or their records are gone (retention, compaction).
    """
    producers, epochs = ProducerStates(), LeaderEpochs()
    aborted: list[tuple[int, ...]] = []
    end_offset = log.segments.first_base_offset
    for segment in log.segments:
        collector = Segment(segment.directory, segment.base_offset, segment.size, segment.builder.interval_bytes)
        batches = CheckedBatches(segment.file(), 0, segment.size)
        for position, header, batch in batches:
            check(header.base_offset >= end_offset, f"{segment.path()} at {position}: {header.base_offset} again")
            end_offset = header.next_offset
            if header.leader_epoch > epochs.latest:
                epochs.assign(header.leader_epoch, header.base_offset)
            fold_batch(producers, collector, header, lambda batch=batch: batch, log.high_watermark)  # type: ignore[misc]
        check(batches.problem is None, f"{segment.path()} at {batches.position}: {batches.problem}")
        aborted += collector.indexes.transactions.entries
    epochs.truncate_from_start(log.log_start_offset)
    return StateDigest(
        log.log_start_offset,
        max(end_offset, log.segments.active.base_offset),
        _epochs_with_records(epochs, log.end_offset),
        tuple(producers.digest()),
        tuple(sorted(producers.open_transactions.items())),
        tuple(aborted),
    )


def _epochs_with_records(epochs: LeaderEpochs, end_offset: int) -> tuple[tuple[int, int], ...]:
    return tuple((epoch, start) for epoch, start in epochs.items() if start < end_offset)


def check_invariants(log: LogState) -> None:
    check(
        log.log_start_offset <= log.last_stable_offset <= log.high_watermark <= log.end_offset,
        f"offsets of {log.topic_partition}: start {log.log_start_offset}, stable {log.last_stable_offset}, "
        f"high watermark {log.high_watermark}, end {log.end_offset}",
    )
    check(log.recovery_point <= log.end_offset, f"recovery point {log.recovery_point} above the end {log.end_offset}")
    segments = list(log.segments)
    check(log.segments.active is segments[-1], "the active segment is not the last")
    check(log.segments.size_bytes == sum(segment.size for segment in segments), "the size is wrong")
    for segment, following in pairwise(segments):
        check(segment.base_offset < following.base_offset, f"segments {segment.base_offset}, {following.base_offset}")
    check(segments[0].base_offset <= log.log_start_offset, "the log starts before its first segment")
    for segment in segments:
        _check_segment(segment)
    _check_transactions(log.producers)


def _check_segment(segment: Segment) -> None:
    path = segment.path()
    check(segment.directory.disk.size(path) == segment.size, f"{path} is not {segment.size} bytes long")
    headers = dict(scan_headers(segment.file(), 0, segment.size)) if segment.size else {}
    index = segment.indexes.offsets
    for offset, position in zip(index.offsets, index.positions, strict=True):
        header = headers.get(position)
        check(
            header is not None and header.last_offset == segment.base_offset + offset,
            f"{path}: index entry {offset} -> {position} points at no such batch",
        )
    largest = max((header.max_timestamp for header in headers.values()), default=-1)
    check(segment.largest_timestamp() == largest, f"{path}: largest timestamp {segment.largest_timestamp()}")
    times = segment.indexes.times
    for timestamp, offset in zip(times.timestamps, times.offsets, strict=True):
        before = [h.max_timestamp for h in headers.values() if h.last_offset <= segment.base_offset + offset]
        check(max(before, default=-1) == timestamp, f"{path}: time index entry {timestamp} -> {offset}")


def _check_transactions(producers: ProducerStates) -> None:
    open_entries = {
        entry.producer_id: entry.open_offset for entry in producers.entries.values() if entry.open_offset >= 0
    }
    check(open_entries == producers.open_transactions, "open transactions and producers do not agree")
    offsets = list(producers.open_transactions.values())
    check(offsets == sorted(offsets), "open transactions are not in order")
