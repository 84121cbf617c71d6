"""A failed fsync leaves bytes in the page cache that the device never got, over a restart of the process as well."""

import errno

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.store.clean_shutdown import LastEnd
from ottla.log.store.log_store import LogStore
from ottla.model.topic import TopicPartition
from tests.support.batches import batch_of
from tests.support.clocks import HandClock
from tests.support.log_builders import append, content, flush, new_log, open_log, small_segments, values_in
from tests.support.memory_disk import MemoryDisk, SimRng, SimulatedCrash

ORDERS = TopicPartition("orders", 0)
ID = bytes(range(16))
EIO = errno.EIO


def fail_flush(log: PartitionLog) -> None:
    job = log.flush_job()
    assert job is not None
    with pytest.raises(OSError, match="Input/output error") as raised:
        job.run()
    log.flush_failed(job, raised.value)


def started(disk: MemoryDisk) -> LogStore:
    store = LogStore(disk=disk, directories=["/a"], node_id=1, rng=SimRng(7), clock=HandClock())
    store.open_directories(None)
    store.load_logs(lambda topic: TopicOptions())
    store.finish_loading()
    return store


def store_with_failed_flush() -> tuple[MemoryDisk, LogStore]:
    """Of two records one is on the device, the other only in the cache."""
    disk = MemoryDisk()
    store = started(disk)
    log = store.create(ORDERS, ID, TopicOptions())
    append(log, batch_of(b"first"))
    flush(log)
    store.write_checkpoints()
    append(log, batch_of(b"second"))
    disk.faults.fail_next("sync", EIO, ".log")
    fail_flush(log)
    return disk, store


def test_a_failed_flush_is_remembered_by_the_next_start() -> None:
    disk, _ = store_with_failed_flush()

    store = started(MemoryDisk(disk.kill()))

    assert store.last_end is LastEnd.POWER_LOSS


def test_what_the_next_start_finds_in_the_cache_survives_power_loss_before_anybody_is_told() -> None:
    for seed in range(20):
        disk, _ = store_with_failed_flush()
        disk = MemoryDisk(disk.kill())
        found = values_in(content(started(disk).logs[ORDERS]))

        after = started(MemoryDisk(disk.power_loss(SimRng(seed), nasty=True)))

        assert values_in(content(after.logs[ORDERS])) == found == [b"first", b"second"]


def test_the_error_is_remembered_until_everything_was_written_again() -> None:
    """Another crash, at each change of the disk that the second start makes."""
    for number in range(60):
        disk, _ = store_with_failed_flush()
        disk = MemoryDisk(disk.kill())
        disk.faults.crash_at(number)
        try:
            started(disk)
        except SimulatedCrash:
            disk = MemoryDisk(disk.kill())
            log = started(disk).logs[ORDERS]
            append(log, batch_of(b"third"))
            flush(log)
            after = started(MemoryDisk(disk.power_loss(SimRng(number))))
            assert values_in(content(after.logs[ORDERS])) == [b"first", b"second", b"third"]
        else:
            break
    assert number > 10


def test_the_third_start_trusts_the_cache_again() -> None:
    disk, _ = store_with_failed_flush()
    disk = MemoryDisk(disk.kill())
    started(disk)

    store = started(MemoryDisk(disk.kill()))

    assert store.last_end is LastEnd.PROCESS_CRASH


def test_another_error_while_writing_again_keeps_the_partition_offline_and_the_memory() -> None:
    disk, _ = store_with_failed_flush()
    disk = MemoryDisk(disk.kill())
    disk.faults.fail_next("sync", EIO, ".log")
    store = started(disk)
    assert ORDERS in store.offline

    store.close()
    store = started(MemoryDisk(disk.kill()))

    assert store.last_end is LastEnd.POWER_LOSS
    assert values_in(content(store.logs[ORDERS])) == [b"first", b"second"]


def test_a_start_that_could_not_open_all_logs_ends_without_the_mark_of_a_clean_stop() -> None:
    disk = MemoryDisk()
    store = started(disk)
    append(store.create(ORDERS, ID, TopicOptions()))
    disk = MemoryDisk(disk.kill())
    disk.faults.fail_next("read", EIO, ".log")
    store = started(disk)
    assert ORDERS in store.offline

    store.close()

    assert started(MemoryDisk(disk.kill())).last_end is not LastEnd.CLEAN


def test_only_what_is_above_the_recovery_point_is_written_again() -> None:
    disk = MemoryDisk()
    log = new_log(disk, small_segments())
    for _ in range(30):
        append(log)
    flush(log)
    recovery_point = log.recovery_point
    append(log)
    disk = MemoryDisk(disk.kill())
    written: list[str] = []

    def note(operation: object) -> None:
        kind, path = operation.kind, operation.path  # type: ignore[attr-defined]
        if kind == "write" and path.endswith(".log"):
            written.append(path)

    disk.faults.on_operation = note
    again = open_log(disk, small_segments(), recovery_point=recovery_point, has_lost_pages=True)

    assert len(again.segments) > 3
    assert 1 <= len(set(written)) <= 2
    assert again.end_offset == recovery_point + 1


def test_pages_that_were_evicted_meanwhile_end_the_log_where_they_are_missing() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    append(log, batch_of(b"kept"))
    flush(log)
    for _ in range(40):
        append(log, batch_of(b"x" * 1000))
    disk.faults.fail_next("sync", EIO, ".log")
    fail_flush(log)
    image = disk.kill()
    image.evict_lost_pages(SimRng(5))
    disk = MemoryDisk(image)

    again = open_log(disk, recovery_point=1, has_lost_pages=True)
    found = content(again)
    after = open_log(MemoryDisk(disk.power_loss(SimRng(1))), recovery_point=1)

    assert 1 <= again.end_offset < 41
    assert content(after) == found
