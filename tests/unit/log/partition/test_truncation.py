"""A log is cut at an offset, and goes on as if the rest had never been."""

import pytest

from ottla.log.partition.invariants import scanned_digest
from tests.support.batches import batch_of
from tests.support.log_builders import (
    DIRECTORY,
    NOW_MS,
    append,
    content,
    end_transaction,
    filled_log,
    flush,
    new_log,
    open_log,
    small_segments,
    values_in,
)
from tests.support.memory_disk import MemoryDisk


@pytest.mark.parametrize("offset", range(21))
def test_a_truncated_log_is_as_if_the_rest_had_never_been(offset: int) -> None:
    disk = MemoryDisk()
    log = filled_log(disk)
    flush(log)
    expected = [b"%02d" % i for i in range(offset)]

    log.truncate_to(offset)

    assert log.end_offset == offset
    assert values_in(content(log)) == expected
    log.check_invariants()
    assert log.state_digest() == scanned_digest(log)
    assert log.recovery_point == log.high_watermark == offset
    append(log, batch_of(b"new", producer=(1, 0, offset)), epoch=8)
    again = open_log(MemoryDisk(disk.kill()), small_segments(), recovery_point=20)
    assert values_in(content(again)) == [*expected, b"new"]
    assert again.epochs.latest == 8


def test_a_batch_that_holds_the_offset_goes_as_a_whole() -> None:
    log = new_log(MemoryDisk())
    append(log, batch_of(b"a"))
    append(log, batch_of(b"b", b"c", b"d"))
    log.truncate_to(2)
    assert log.end_offset == 1


@pytest.mark.parametrize("offset", [5, 10, 11])
@pytest.mark.parametrize("is_rolled", [False, True])
def test_a_log_that_is_cut_in_a_gap_of_compaction_ends_where_its_last_batch_does(offset: int, is_rolled: bool) -> None:
    disk = MemoryDisk()
    compacted = small_segments(cleanup_policy="compact")
    log = new_log(disk, compacted)
    log.append_as_follower(bytes(batch_of(b"a", b"b", at_ms=NOW_MS + 5)), now_ms=NOW_MS)
    if is_rolled:
        log.roll()
    log.append_as_follower(bytes(batch_of(b"c", b"d", base_offset=10)), now_ms=NOW_MS)
    flush(log)

    log.truncate_to(offset)

    assert log.end_offset == log.recovery_point == 2
    again = open_log(MemoryDisk(disk.kill()), compacted, recovery_point=log.recovery_point)
    assert again.end_offset == 2
    append(again, batch_of(b"new"))
    again.check_invariants()


def test_a_closed_segment_that_truncation_makes_the_last_one_keeps_its_largest_timestamp() -> None:
    disk = MemoryDisk()
    compacted = small_segments(cleanup_policy="compact")
    log = new_log(disk, compacted)
    append(log, batch_of(b"a", b"b", at_ms=NOW_MS + 5))
    log.roll()
    log.append_as_follower(bytes(batch_of(b"c", base_offset=10)), now_ms=NOW_MS)
    log.close(clean=True)
    # Apache Kafka's compaction leaves the gap behind the first segment.
    for suffix in ("log", "index", "timeindex"):
        disk.rename(f"{DIRECTORY}/{2:020d}.{suffix}", f"{DIRECTORY}/{10:020d}.{suffix}")
    log = open_log(disk, compacted, clean=True)

    log.truncate_to(5)
    append(log, batch_of(b"new"))

    assert [segment.base_offset for segment in log.segments] == [0]
    log.check_invariants()


def test_a_truncated_log_goes_on_in_the_segment_that_it_has() -> None:
    log = new_log(MemoryDisk())
    append(log, batch_of(b"a"))
    append(log, batch_of(b"b"))
    log.truncate_to(1)
    append(log, batch_of(b"c"))
    assert len(log.segments) == 1


def test_truncation_forgets_aborted_transactions_and_reopens_them() -> None:
    log = new_log(MemoryDisk())
    append(log, batch_of(producer=(4, 0, 0), is_transactional=True))
    end_transaction(log, 4, 0, commit=False)
    flush(log)
    log.truncate_to(1)
    assert log.aborted_transactions(0, 5) == []
    assert log.producers.open_transactions == {4: 0}


def test_a_log_can_start_anew_anywhere() -> None:
    disk = MemoryDisk()
    log = filled_log(disk)
    flush(log)
    for offset in (100, 3):
        log.truncate_fully_at(offset)
        assert (log.log_start_offset, log.high_watermark, log.end_offset) == (offset,) * 3
        assert log.epochs.items() == []
        assert len(log.producers) == 0
    append(log, batch_of(b"x"))
    log.check_invariants()
    again = open_log(MemoryDisk(disk.kill()), small_segments(), recovery_point=20)
    assert (again.log_start_offset, again.end_offset) == (3, 4)


def test_a_flush_that_was_under_way_does_not_count_after_a_truncation() -> None:
    log = filled_log()
    job = log.flush_job()
    assert job is not None
    job.run()
    log.truncate_to(5)
    append(log, epoch=9)

    log.flush_done(job)

    assert log.recovery_point <= 5
    assert log.epochs.is_dirty
