"""What a power loss may do to the names of segments, and when the device is waited for."""

import errno

import pytest

from ottla.log.partition_log import PartitionLog
from tests.support.batches import batch_of
from tests.support.log_builders import (
    DIRECTORY,
    NOW_MS,
    append,
    content,
    flush,
    new_log,
    open_log,
    small_segments,
    values_in,
)
from tests.support.memory_disk import MemoryDisk, SimRng

SEGMENT_BYTES = 600


def log_with_helper(disk: MemoryDisk) -> tuple[PartitionLog, list[PartitionLog]]:
    """Of a node that syncs names in a thread, and what it was asked for."""
    wanted: list[PartitionLog] = []
    log = new_log(disk, small_segments())
    log.on_names_wanted = wanted.append
    return log, wanted


def fill(log: PartitionLog) -> None:
    """Until a roll is due before the next batch."""
    while log.segments.active.size + len(batch_of(b"x" * 50)) <= SEGMENT_BYTES:
        append(log, batch_of(b"x" * 50))


def sync_names(log: PartitionLog) -> None:
    job = log.names_job()
    job.run()
    log.names_synced(job)


def directory_syncs(disk: MemoryDisk) -> list[str]:
    found: list[str] = []
    disk.faults.on_operation = lambda operation: (
        found.append(operation.path) if operation.kind == "sync_directory" else None
    )
    return found


def test_a_new_log_asks_for_its_names_with_its_first_batch(disk: MemoryDisk) -> None:
    log, wanted = log_with_helper(disk)
    assert wanted == []

    append(log, batch_of(b"x" * 50))
    append(log, batch_of(b"x" * 50))

    assert wanted == [log]


def test_a_roll_does_not_wait_when_the_first_name_is_durable(disk: MemoryDisk) -> None:
    log, wanted = log_with_helper(disk)
    fill(log)
    sync_names(log)
    wanted.clear()
    syncs = directory_syncs(disk)

    for _ in range(20):
        append(log, batch_of(b"x" * 50))

    assert len(log.segments) > 3
    assert all(segment.size <= SEGMENT_BYTES for segment in log.segments)
    assert syncs == []
    assert wanted == []


def test_the_first_roll_waits_for_a_name_that_is_not_durable(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert syncs == [DIRECTORY]
    assert len(log.segments) == 2


def test_a_flush_that_is_under_way_has_made_no_name_durable_yet(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    job = log.flush_job()
    assert job is not None
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert len(log.segments) == 2
    assert syncs == [DIRECTORY]


def test_a_flush_makes_names_durable_for_the_next_life_too(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    append(log, batch_of(b"x" * 50))
    flush(log)
    again = open_log(MemoryDisk(disk.kill()), small_segments(), recovery_point=1)
    fill(again)
    syncs = directory_syncs(disk)

    append(again, batch_of(b"x" * 50))

    assert len(again.segments) == 2
    assert syncs == []


def test_names_are_durable_before_retention_takes_segments_away(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    for _ in range(20):
        append(log, batch_of(b"x" * 50))
    log.advance_high_watermark(log.end_offset)
    log.advance_log_start_offset(log.segments[1].base_offset)
    done: list[str] = []
    disk.faults.on_operation = lambda operation: done.append(operation.kind)

    log.retire_segments(NOW_MS + 1000)

    assert done[0] == "sync_directory"
    assert "rename" in done


def test_a_failed_sync_of_names_ends_the_log(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    disk.faults.fail_next("sync_directory", errno.EIO)

    with pytest.raises(OSError, match="Input/output"):
        append(log, batch_of(b"x" * 50))

    assert log.is_failed


@pytest.mark.parametrize("seed", range(40))
def test_a_power_loss_leaves_a_whole_beginning(seed: int) -> None:
    """Of names and data in any state: what is left has no hole."""
    disk = MemoryDisk()
    log = new_log(disk, small_segments())
    for number in range(40):
        append(log, batch_of(b"%d" % number, b"x" * 50))
        if seed % 2 and number == seed:
            sync_names(log)
        if seed % 8 == 4 and number == 40 - seed:
            flush(log)

    image = disk.power_loss(SimRng(seed), nasty=True)
    found = open_log(MemoryDisk(image), small_segments(), recovery_point=log.recovery_point)

    assert found.log_start_offset == 0
    values = [value for value in values_in(content(found)) if value != b"x" * 50]
    assert values == [b"%d" % number for number in range(len(values))]
    assert found.end_offset >= log.recovery_point
    found.check_invariants()


@pytest.mark.parametrize("seed", range(40))
def test_a_power_loss_after_retention_leaves_no_hole_at_the_start(seed: int) -> None:
    disk = MemoryDisk()
    log = new_log(disk, small_segments())
    for number in range(40):
        append(log, batch_of(b"%d" % number, b"x" * 50))
    log.advance_high_watermark(log.end_offset)
    log.advance_log_start_offset(log.segments[1].base_offset)
    log.retire_segments(NOW_MS + 1000)
    start_offset = log.segments.first_base_offset

    found = open_log(MemoryDisk(disk.power_loss(SimRng(seed), nasty=True)), small_segments())

    assert found.segments.first_base_offset <= start_offset
    values = [value for value in values_in(content(found)) if value != b"x" * 50]
    first = found.segments.first_base_offset // 2
    assert values == [b"%d" % number for number in range(first, first + len(values))]


def test_retention_and_age_say_beforehand_that_they_will_roll(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments(**{"retention.ms": "1000"}))
    append(log, batch_of(b"x", at_ms=NOW_MS))
    log.advance_high_watermark(1)

    assert not log.will_roll(NOW_MS + 1000)
    assert log.will_roll(NOW_MS + 1001)
    assert not log.may_roll_at_once
    sync_names(log)
    assert log.may_roll_at_once
