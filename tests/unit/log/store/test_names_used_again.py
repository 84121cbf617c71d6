"""Checkpoint files know partitions by name. What they say of one must never be applied to the next of its name."""

import contextlib
import errno

import pytest

from ottla.log.compaction.cleaner import Cleaner
from ottla.log.compaction.cleaning_plan import CleaningPlan, CleanResult
from ottla.log.store.checkpoints import (
    CLEANER_OFFSETS,
    HIGH_WATERMARKS,
    LOG_START_OFFSETS,
    RECOVERY_POINTS,
    read_checkpoint,
    write_checkpoint,
)
from ottla.log.store.log_store import LogStore
from ottla.model.errors import Bug
from ottla.model.topic import TopicPartition
from tests.support.memory_disk import MemoryDisk, SimRng, SimulatedCrash
from tests.support.store_node import ID, OPTIONS, ORDERS, StoreNode, append, flushed

OTHER_ID = bytes(reversed(ID))


def delete_checkpointed(store: LogStore) -> None:
    """Leaves entries of the partition in every checkpoint file."""
    log = store.logs[ORDERS]
    append(log, count=20)
    flushed(log)
    log.advance_log_start_offset(10)
    store.cleaner_offsets[ORDERS] = 15
    store.write_checkpoints()
    store.delete(ORDERS)


def span(store: LogStore) -> tuple[int, int]:
    log = store.logs[ORDERS]
    return log.log_start_offset, log.end_offset


def move(store: LogStore, target: str) -> None:
    store.start_move(ORDERS, target)
    while not store.copy_step(ORDERS, 1000):
        pass
    store.finish_move(ORDERS)


def test_a_name_is_free_when_the_checkpoints_were_written_after_the_deletion(node: StoreNode) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    job = store.checkpoint_job()
    delete_checkpointed(store)

    assert not store.is_free(ORDERS)
    with pytest.raises(Bug):
        store.create(ORDERS, OTHER_ID, OPTIONS)
    # Put together before the deletion, written after it.
    job.run()
    job.done()
    assert not store.is_free(ORDERS)
    log_starts = store.checkpoint_job()
    log_starts.keep_only(LOG_START_OFFSETS)
    log_starts.run()
    log_starts.done()
    assert not store.is_free(ORDERS)
    store.write_checkpoints()
    assert store.is_free(ORDERS)


def test_a_name_is_not_free_while_the_checkpoints_cannot_be_written(node: StoreNode) -> None:
    store = node.start()
    store.create(ORDERS, ID, OPTIONS)
    delete_checkpointed(store)
    node.disk.faults.fail_next("write", errno.ENOSPC, "checkpoint")

    assert len(store.write_checkpoints()) == 1
    assert not store.is_free(ORDERS)
    assert store.write_checkpoints() == []
    assert store.is_free(ORDERS)


def test_a_name_is_not_kept_by_a_directory_that_has_failed() -> None:
    node = StoreNode("/a", "/b")
    store = node.start()
    store.create(ORDERS, ID, OPTIONS, directory_id=store.directory_ids()[1])
    delete_checkpointed(store)
    store.mark_directory_failed("/b", OSError(errno.EIO, "broken"))

    log = store.create(ORDERS, OTHER_ID, OPTIONS)
    append(log, count=3)
    again = node.restart_after_kill()

    assert again.offline == {}
    assert span(again) == (0, 3)
    assert ORDERS not in again.cleaner_offsets


def test_entries_without_a_partition_are_removed_at_the_start(node: StoreNode) -> None:
    """Whoever wrote them: an earlier life of this node, or Apache Kafka."""
    node.start().close()
    for name in (RECOVERY_POINTS, HIGH_WATERMARKS, LOG_START_OFFSETS, CLEANER_OFFSETS):
        write_checkpoint(node.disk, f"/a/{name}", {ORDERS: 1000})

    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=5)
    again = node.restart_after_kill()

    assert again.offline == {}
    assert span(again) == (0, 5)
    assert ORDERS not in again.cleaner_offsets


@pytest.mark.parametrize("has_power", [True, False])
@pytest.mark.parametrize("directory", [0, 1])
def test_a_crash_at_any_step_leaves_nothing_of_the_first_to_the_second(has_power: bool, directory: int) -> None:
    step = 0
    while True:
        node = StoreNode("/a", "/b")
        store = node.start()
        store.create(ORDERS, ID, OPTIONS)
        node.disk.faults.crash_at(node.disk.operation_count + step)
        acked = 0
        with contextlib.suppress(SimulatedCrash):
            delete_checkpointed(store)
            store.write_checkpoints()
            log = store.create(ORDERS, OTHER_ID, OPTIONS, store.directory_ids()[directory])
            for _ in range(3):
                append(log)
                flushed(log)
                acked += 1
        has_crashed = not node.disk.is_alive
        node.disk = MemoryDisk(node.disk.kill() if has_power else node.disk.power_loss(SimRng(step), nasty=True))

        store = node.start()
        assert store.offline == {}
        found = store.logs.get(ORDERS)
        if found is not None and found.topic_id == OTHER_ID:
            assert (found.log_start_offset, ORDERS in store.cleaner_offsets) == (0, False)
            assert found.end_offset >= acked
        else:
            assert acked == 0
        if not has_crashed:
            break
        step += 1
    assert step > 40


@pytest.mark.parametrize("has_power", [True, False])
def test_a_replica_that_comes_back_to_a_directory_finds_nothing_of_its_first_stay(has_power: bool) -> None:
    """Its log may have been cut and have grown again meanwhile."""
    node = StoreNode("/a", "/b")
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=20)
    flushed(log)
    store.write_checkpoints()
    move(store, "/b")
    store.logs[ORDERS].truncate_to(5)
    with pytest.raises(Bug):
        store.start_move(ORDERS, "/a")
    store.write_checkpoints()

    move(store, "/a")
    append(store.logs[ORDERS], b"new", count=2)
    if not has_power:
        flushed(store.logs[ORDERS])
    again = node.restart_after_kill() if has_power else node.restart_after_power_loss()

    assert again.offline == {}
    assert (again.logs[ORDERS].directory, span(again)) == ("/a/orders-0", (0, 7))


def test_a_copy_begins_with_nothing_that_the_target_says_of_its_name() -> None:
    """Apache Kafka keeps entries of unfinished copies in the files of their directory."""
    node = StoreNode("/a", "/b")
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=9)
    store.start_move(ORDERS, "/b")
    store.copy_step(ORDERS, 100)
    store.write_checkpoints()
    write_checkpoint(node.disk, f"/b/{RECOVERY_POINTS}", {ORDERS: 1000})
    write_checkpoint(node.disk, f"/b/{LOG_START_OFFSETS}", {ORDERS: 1000})

    store = node.restart_after_kill()
    assert ORDERS in store.moves
    while not store.copy_step(ORDERS, 1000):
        pass
    store.finish_move(ORDERS)
    again = node.restart_after_kill()

    assert again.offline == {}
    assert (again.logs[ORDERS].directory, span(again)) == ("/b/orders-0", (0, 9))


def test_the_note_of_a_move_stays_until_the_checkpoints_were_written() -> None:
    node = StoreNode("/a", "/b")
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=20)
    log.advance_log_start_offset(10)
    move(store, "/b")
    failing = store.checkpoint_job()
    node.disk.faults.fail_next("write", errno.ENOSPC, "/b/recovery-point")
    failing.run()
    failing.done()

    store = node.restart_after_kill()
    assert store.logs[ORDERS].log_start_offset == 10
    assert node.disk.exists("/b/orders-0/.ottla_complete")
    store.write_checkpoints()
    assert not node.disk.exists("/b/orders-0/.ottla_complete")
    assert node.restart_after_kill().logs[ORDERS].log_start_offset == 10


def test_a_note_of_a_move_that_makes_no_sense_is_no_note() -> None:
    node = StoreNode("/a", "/b")
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=4)
    move(store, "/b")
    node.disk.open("/b/orders-0/.ottla_complete").write_at(0, b"x y z")

    assert node.restart_after_kill().logs[ORDERS].end_offset == 4


def test_what_compaction_says_of_a_deleted_partition_is_not_about_the_next(node: StoreNode) -> None:
    store = node.start()
    log = store.create(ORDERS, ID, OPTIONS)
    append(log, count=20)
    cleaner = Cleaner(node.disk, store.cleaner_offsets)
    plan = CleaningPlan(ORDERS, ID, log.directory, (), 0, 20, 0, 0, 4096, 1 << 20, (), {})
    store.delete(ORDERS)
    store.write_checkpoints()
    store.create(ORDERS, OTHER_ID, OPTIONS)

    cleaner.finish(plan, CleanResult((), 20, 20, 20, 0), store.logs[ORDERS])

    assert store.cleaner_offsets == {}


def test_entries_of_both_stay_where_two_directories_hold_a_partition() -> None:
    """Nobody knows which one is right: the operator removes one, and the other must be as it was."""
    node = StoreNode("/a", "/b")
    store = node.start()
    append(store.create(ORDERS, ID, OPTIONS), count=4)
    store.create(TopicPartition("other", 0), ID, OPTIONS)
    store.close()
    node.disk.make_directories("/b/orders-0")
    write_checkpoint(node.disk, f"/b/{LOG_START_OFFSETS}", {ORDERS: 3})

    store = node.start()
    store.write_checkpoints()

    assert ORDERS in store.offline
    assert read_checkpoint(node.disk, f"/a/{HIGH_WATERMARKS}").offsets[ORDERS] == 4
    assert read_checkpoint(node.disk, f"/b/{LOG_START_OFFSETS}").offsets[ORDERS] == 3
