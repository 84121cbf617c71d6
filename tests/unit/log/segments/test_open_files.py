"""Files that nobody can read any more are closed: otherwise their space, and their pages in memory, stay taken."""

import errno

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment_cache import SegmentCache
from ottla.log.store.log_store import LogStore
from ottla.model.topic import TopicPartition
from tests.support import log_builders
from tests.support.batches import batch_of
from tests.support.log_builders import NOW_MS, new_log, small_segments
from tests.support.memory_disk import MemoryDisk
from tests.support.store_node import ID, OPTIONS, ORDERS, StoreNode, append, flushed


def store_with_data(node: StoreNode, options: TopicOptions = OPTIONS) -> LogStore:
    store = node.start()
    append(store.create(ORDERS, ID, options), count=5)
    assert len(node.disk.descriptors) == 1
    return store


def filled(cache: SegmentCache, disk: MemoryDisk) -> PartitionLog:
    log = new_log(disk, small_segments(), cache=cache)
    for index in range(20):
        log_builders.append(log, batch_of(b"%d" % index * 50, at_ms=NOW_MS))
    log_builders.flush(log)
    log.advance_high_watermark(log.end_offset)
    for segment in log.segments:
        segment.forget_recent()
    for offset in range(log.end_offset):
        log.read_bytes(offset, 1)
    assert len(log.segments) > 3
    return log


def test_a_deleted_partition_has_no_open_file(node: StoreNode) -> None:
    store = store_with_data(node)

    store.delete(ORDERS)

    assert len(node.disk.descriptors) == 0
    store.remove_due(node.clock.now_ms() + 60_000)
    assert node.disk.removed_but_open() == []


def test_a_stray_has_no_open_file(node: StoreNode) -> None:
    store = store_with_data(node)

    store.put_aside(ORDERS)

    assert len(node.disk.descriptors) == 0


def test_the_original_of_a_moved_replica_has_no_open_file() -> None:
    node = StoreNode("/a", "/b")
    store = store_with_data(node)
    store.start_move(ORDERS, "/b")
    while not store.copy_step(ORDERS, 1000):
        pass

    store.finish_move(ORDERS)
    store.remove_due(node.clock.now_ms() + 60_000)

    assert node.disk.removed_but_open() == []
    assert len(node.disk.descriptors) == 1


def test_a_cancelled_copy_has_no_open_file() -> None:
    node = StoreNode("/a", "/b")
    store = store_with_data(node)
    store.start_move(ORDERS, "/b")
    store.copy_step(ORDERS, 1000)

    store.cancel_move(ORDERS)

    assert len(node.disk.descriptors) == 1


def test_a_failed_directory_has_no_open_file() -> None:
    node = StoreNode("/a", "/b")
    store = store_with_data(node)
    store.start_move(ORDERS, "/b")
    store.copy_step(ORDERS, 1000)

    store.mark_directory_failed(store.logs[ORDERS], OSError(errno.EIO, "gone"))

    assert len(node.disk.descriptors) == 0


def test_who_still_reads_a_deleted_log_can_finish(node: StoreNode) -> None:
    store = store_with_data(node)
    log = store.logs[ORDERS]
    found = log.read(0, 1 << 20, end_offset=5, at_least_one_batch=True)
    expected = log.read_bytes(0, 1 << 20)

    store.delete(ORDERS)
    store.remove_due(node.clock.now_ms() + 60_000)

    assert found is not None
    assert found.file.read_at(found.position, found.size) == expected
    del found
    assert len(node.disk.descriptors) == 0


def test_a_late_reader_of_a_deleted_log_leaves_nothing_open(node: StoreNode) -> None:
    store = store_with_data(node)
    log = store.logs[ORDERS]

    store.delete(ORDERS)

    assert log.read_bytes(0, 1 << 20)
    assert len(node.disk.descriptors) == 0


def test_a_deleted_log_takes_no_appends_and_no_flushes(node: StoreNode) -> None:
    store = store_with_data(node)
    log = store.logs[ORDERS]

    store.delete(ORDERS)

    assert log.is_failed
    assert log.flush_job() is None


def test_retention_closes_what_it_takes_away(disk: MemoryDisk) -> None:
    cache = SegmentCache()
    log = filled(cache, disk)
    opened = cache.open_file_count

    log.advance_log_start_offset(log.segments.active.base_offset)
    assert log.retire_segments(NOW_MS)

    assert len(log.segments) == 1
    assert cache.open_file_count == 1 < opened
    assert len(disk.descriptors) == 1


def test_retention_forgets_the_indexes_of_what_it_takes_away(disk: MemoryDisk) -> None:
    cache = SegmentCache()
    log = filled(cache, disk)
    assert cache.loaded_index_count > 1

    log.advance_log_start_offset(log.segments.active.base_offset)
    log.retire_segments(NOW_MS)

    assert cache.loaded_index_count == 0


def test_truncation_closes_what_it_takes_away(disk: MemoryDisk) -> None:
    cache = SegmentCache()
    log = filled(cache, disk)

    log.truncate_fully_at(0)

    assert cache.open_file_count == 0
    assert len(disk.descriptors) == 0


def test_a_deleted_partition_that_was_flushed_is_closed_too(node: StoreNode) -> None:
    store = store_with_data(node)
    flushed(store.logs[ORDERS])

    store.delete(ORDERS)

    assert len(node.disk.descriptors) == 0


# as many as may be open


def test_a_file_that_may_not_be_opened_is_refused_and_the_log_is_as_it_was(disk: MemoryDisk) -> None:
    cache = SegmentCache(open_files_max=1, open_files_limit=1)
    full: list[str] = []
    cache.on_full = lambda: full.append("full")
    busy = new_log(disk, cache=cache)
    log_builders.append(busy)
    other = PartitionLog.open(
        disk, "/data/other-0", TopicPartition("other", 0), TopicOptions(), now_ms=NOW_MS, clean=False, cache=cache
    )

    with pytest.raises(OSError, match="none can be closed before it is flushed") as refused:
        log_builders.append(other)

    assert refused.value.errno == errno.EMFILE
    assert full
    assert (other.end_offset, other.is_failed) == (0, False)
    assert busy.read_bytes(0, 1 << 20)
    log_builders.flush(busy)
    busy.segments.active.is_used = False
    assert log_builders.append(other).base_offset == 0
    assert len(disk.descriptors) == 1


def test_a_read_finds_its_file_even_then(disk: MemoryDisk) -> None:
    earlier = filled(SegmentCache(), disk)
    earlier.close(clean=True)
    cache = SegmentCache(open_files_max=1, open_files_limit=1)
    busy = PartitionLog.open(
        disk, "/data/busy-0", TopicPartition("busy", 0), OPTIONS, now_ms=NOW_MS, clean=False, cache=cache
    )
    log_builders.append(busy)

    log = log_builders.open_log(disk, small_segments(), clean=True, cache=cache)

    assert all(log.read_bytes(offset, 1) for offset in range(log.end_offset))
    assert len(disk.descriptors) == 1


def test_flushed_files_make_room_however_many_are_not_flushed(disk: MemoryDisk) -> None:
    cache = SegmentCache.with_limit(100)
    logs = [
        PartitionLog.open(
            disk, f"/data/t-{index}", TopicPartition("t", index), OPTIONS, now_ms=NOW_MS, clean=False, cache=cache
        )
        for index in range(300)
    ]
    for index, log in enumerate(logs):
        log_builders.append(log)
        if index % 90 == 89:
            for each in logs[: index + 1]:
                log_builders.flush(each)

    assert cache.open_file_count <= 100


def test_a_start_with_more_partitions_than_files_opens_all(node: StoreNode) -> None:
    node.directories = ("/a", "/b")
    store = node.start()
    for index in range(60):
        append(store.create(TopicPartition("t", index), ID, OPTIONS))
    node.disk = MemoryDisk(node.disk.kill())
    node.disk.faults.open_files_max = 25
    again = LogStore(
        disk=node.disk, directories=node.directories, node_id=1, rng=node.rng, clock=node.clock,
        cache=SegmentCache.with_limit(12),
    )  # fmt: skip
    again.open_directories(None)

    again.load_logs(lambda topic: OPTIONS)

    assert len(again.logs) == 60
    assert again.offline == {}
    assert all(log.read_bytes(0, 100) for log in again.logs.values())
