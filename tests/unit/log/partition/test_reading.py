"""Reads by offset, and what can be looked up."""

import pytest

from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment_cache import SegmentCache
from ottla.log.segments.stored_index import BLOCK_BYTES
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import read_header
from ottla.records.builder import Record, build_batch
from ottla.records.reader import iterate_batches
from tests.support.batches import batch_of
from tests.support.log_builders import NOW_MS, append, content, new_log, small_segments
from tests.support.memory_disk import MemoryDisk


@pytest.fixture
def log() -> PartitionLog:
    """Ten batches of three records in several segments."""
    log = new_log(MemoryDisk(), small_segments())
    for i in range(10):
        append(log, batch_of(*[b"%d" % i] * 3, at_ms=NOW_MS + 10 * i), epoch=i // 4)
    log.advance_high_watermark(30)
    return log


def offsets(data: bytes) -> list[int]:
    return [header.base_offset for _, header in iterate_batches(data, allow_partial=True)]


@pytest.mark.parametrize("offset", range(30))
def test_a_read_begins_with_the_batch_that_holds_the_offset(log: PartitionLog, offset: int) -> None:
    assert offsets(log.read_bytes(offset, 1 << 20))[0] == offset // 3 * 3


@pytest.mark.parametrize("offset", [-1, 31, 1000])
def test_offsets_outside_the_log_are_refused(log: PartitionLog, offset: int) -> None:
    with pytest.raises(Refused) as caught:
        log.read(offset, 1000, end_offset=30, at_least_one_batch=True)
    assert caught.value.code == ErrorCode.OFFSET_OUT_OF_RANGE


def test_the_end_is_empty_and_no_error(log: PartitionLog) -> None:
    assert log.read(30, 1000, end_offset=30, at_least_one_batch=True) is None
    assert log.read(20, 1000, end_offset=15, at_least_one_batch=True) is None


def test_a_read_comes_from_one_segment(log: PartitionLog) -> None:
    first = log.read(0, 1 << 20, end_offset=30, at_least_one_batch=True)
    assert first is not None
    assert first.segment is log.segments[0]
    assert first.size == log.segments[0].size


@pytest.mark.parametrize("end_offset", range(1, 31))
def test_reads_stop_at_the_end_offset(log: PartitionLog, end_offset: int) -> None:
    found: list[int] = []
    offset = 0
    while offset < end_offset:
        batches = offsets(log.read_bytes(offset, 1 << 20, end_offset=end_offset))
        if not batches:
            break
        found += batches
        offset = batches[-1] + 3
    assert found == list(range(0, end_offset // 3 * 3, 3))


def test_max_bytes_cuts_the_last_batch_but_not_the_first(log: PartitionLog) -> None:
    size = read_header(log.read_bytes(0, 1 << 20)).size

    assert len(log.read_bytes(0, size + 20)) == size + 20
    assert len(log.read_bytes(0, size - 1)) == size
    assert log.read(0, size - 1, end_offset=30, at_least_one_batch=False) is None
    assert len(log.read_bytes(29, 1)) == size
    assert log.read(29, 1, end_offset=30, at_least_one_batch=False) is None


def test_recent_batches_and_searched_ones_are_the_same(log: PartitionLog) -> None:
    active = log.segments.active
    found = {offset: log.read_bytes(offset, 1 << 20) for offset in range(active.base_offset, 30)}
    active.forget_recent()
    assert {offset: log.read_bytes(offset, 1 << 20) for offset in found} == found


def test_records_below_the_log_start_cannot_be_read(log: PartitionLog) -> None:
    log.advance_log_start_offset(4)
    with pytest.raises(Refused, match="OFFSET_OUT_OF_RANGE"):
        log.read(3, 1000, end_offset=30, at_least_one_batch=True)
    assert offsets(log.read_bytes(4, 1000))[0] == 3


def test_the_first_record_not_earlier_than_a_time_is_found(log: PartitionLog) -> None:
    for i in range(10):
        for k in range(3):
            at = NOW_MS + 10 * i + k
            assert log.offset_for_time(at, 30) == (at, 3 * i + k, i // 4)
    assert log.offset_for_time(NOW_MS + 3, 30) == (NOW_MS + 10, 3, 0)
    assert log.offset_for_time(0, 30) == (NOW_MS, 0, 0)
    assert log.offset_for_time(NOW_MS + 93, 30) is None


def test_times_are_looked_up_below_the_end_offset_and_above_the_start(log: PartitionLog) -> None:
    assert log.offset_for_time(NOW_MS + 50, 15) is None
    assert log.offset_for_time(NOW_MS + 50, 16) == (NOW_MS + 50, 15, 1)
    log.advance_log_start_offset(16)
    assert log.offset_for_time(0, 30) == (NOW_MS + 51, 16, 1)


def test_times_need_not_rise() -> None:
    log = new_log(MemoryDisk(), small_segments())
    for at in (50, 10, 90, 20, 90, 30):
        append(log, batch_of(b"x" * 80, at_ms=NOW_MS + at))

    assert log.offset_for_time(NOW_MS + 60, 6) == (NOW_MS + 90, 2, 0)
    assert log.offset_for_time(NOW_MS + 20, 6) == (NOW_MS + 50, 0, 0)
    assert log.max_timestamp_offset() == (NOW_MS + 90, 2, 0)


def test_the_largest_timestamp_within_a_batch_is_found() -> None:
    log = new_log(MemoryDisk())
    append(log, build_batch([Record(0, NOW_MS + at, b"k", b"v") for at in (5, 9, 9, 1)]))
    assert log.max_timestamp_offset() == (NOW_MS + 9, 1, 0)


def test_an_empty_log_knows_no_times() -> None:
    log = new_log(MemoryDisk(), log_start_offset=7)
    assert (log.log_start_offset, log.high_watermark, log.end_offset) == (7, 7, 7)
    assert log.offset_for_time(0, 7) is None
    assert log.max_timestamp_offset() is None
    assert log.read(7, 10, end_offset=7, at_least_one_batch=True) is None
    assert log.end_offset_for_epoch(3) == (-1, -1)


def test_epochs_end_where_the_next_begins(log: PartitionLog) -> None:
    assert log.epochs.items() == [(0, 0), (1, 12), (2, 24)]
    assert [log.end_offset_for_epoch(epoch) for epoch in (-1, 0, 1, 2, 3)] == [
        (-1, -1), (0, 12), (1, 24), (2, 30), (-1, -1),
    ]  # fmt: skip


def test_few_files_stay_open_and_few_indexes_in_memory() -> None:
    cache = SegmentCache(open_files_max=3, loaded_bytes_max=2 * BLOCK_BYTES)
    log = new_log(MemoryDisk(), small_segments(), cache=cache)
    for i in range(60):
        append(log, batch_of(*[b"%d" % i] * 3))
    job = log.flush_job()
    assert job is not None
    job.run()
    log.flush_done(job)
    assert len(log.segments) > 8
    data = content(log)

    for offset in (*range(180), *range(179, -1, -1)):
        assert offsets(log.read_bytes(offset, 1))[0] == offset // 3 * 3

    assert content(log) == data
    assert cache.open_file_count <= 4
    assert cache.loaded_index_count <= 3
