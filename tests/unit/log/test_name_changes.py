"""A segment is begun only when the names of the earlier ones are on the device."""

import errno

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.log_upkeep import LogUpkeep
from ottla.log.partition_log import PartitionLog
from tests.support.memory_disk import MemoryDisk, SimRng
from tests.unit.log.log_builders import DIRECTORY, NOW_MS, append, batch_of, flush, new_log, open_log, small_segments

SEGMENT_BYTES = 600
MIB = 1 << 20


def log_with_helper(disk: MemoryDisk) -> tuple[PartitionLog, list[LogUpkeep]]:
    """Of a node that syncs names in a thread, and what it was asked for."""
    wanted: list[LogUpkeep] = []
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


def test_a_roll_does_not_wait_where_somebody_else_syncs(disk: MemoryDisk) -> None:
    log, wanted = log_with_helper(disk)
    fill(log)
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert syncs == []
    assert wanted == [log]
    assert len(log.segments) == 1
    assert log.segments.active.size > SEGMENT_BYTES


def test_the_roll_comes_with_the_next_batch_when_names_are_durable(disk: MemoryDisk) -> None:
    log, wanted = log_with_helper(disk)
    fill(log)
    append(log, batch_of(b"x" * 50))
    sync_names(log)
    wanted.clear()
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert syncs == []
    assert len(log.segments) == 2
    assert wanted == [log], "so that the next roll need not be put off"


def test_without_help_a_roll_waits(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert syncs == [DIRECTORY]
    assert len(log.segments) == 2


def test_a_segment_does_not_grow_without_limit(disk: MemoryDisk) -> None:
    log = new_log(disk, TopicOptions({"segment.bytes": str(MIB)}))
    log.on_names_wanted = lambda asked: None
    for _ in range(8):
        append(log, batch_of(bytes(900_000)))

    assert len(log.segments) == 2
    assert log.segments[0].size <= 5 * MIB


def test_a_flush_that_is_under_way_has_made_no_name_durable_yet(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    job = log.flush_job()
    assert job is not None
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert len(log.segments) == 2
    assert syncs == [DIRECTORY]


def test_a_flush_makes_names_durable(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    flush(log)
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert len(log.segments) == 2
    assert syncs == []


def test_names_of_a_later_segment_are_not_durable_by_an_earlier_sync(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    job = log.names_job()
    append(log, batch_of(b"x" * 50))
    fill(log)
    job.run()
    log.names_synced(job)
    syncs = directory_syncs(disk)

    append(log, batch_of(b"x" * 50))

    assert len(log.segments) == 3
    assert syncs == [DIRECTORY]


def test_a_failed_sync_of_names_ends_the_log(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments())
    fill(log)
    disk.faults.fail_next("sync_directory", errno.EIO)

    with pytest.raises(OSError, match="Input/output"):
        append(log, batch_of(b"x" * 50))

    assert log.is_failed


@pytest.mark.parametrize("seed", range(20))
def test_a_power_loss_keeps_no_segment_without_the_one_before_it(seed: int) -> None:
    disk = MemoryDisk()
    log, _ = log_with_helper(disk)
    while len(log.segments) < 5:
        append(log, batch_of(b"x" * 50))
        if log.end_offset % 7 == 0:
            sync_names(log)

    found = open_log(MemoryDisk(disk.power_loss(SimRng(seed), nasty=True)), small_segments())

    assert found.log_start_offset == 0
    found.check_invariants()


def test_retention_and_age_say_beforehand_that_they_will_roll(disk: MemoryDisk) -> None:
    log = new_log(disk, small_segments(**{"retention.ms": "1000"}))
    append(log, batch_of(b"x", at_ms=NOW_MS))
    log.advance_high_watermark(1)

    assert not log.will_roll(NOW_MS + 1000)
    assert log.will_roll(NOW_MS + 1001)
    assert not log.may_roll_at_once
    sync_names(log)
    assert log.may_roll_at_once
