"""A segment that grows takes space before it needs it, and gives back what it did not need."""

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment import SPACE_AHEAD_FROM_BYTES
from tests.support.batches import batch_of
from tests.support.log_builders import append, new_log, open_log
from tests.support.memory_disk import MemoryDisk

#: A batch with it is a little smaller than the largest that a topic takes by default.
_VALUE = bytes(1_000_000)


def fill(log: PartitionLog, size: int = SPACE_AHEAD_FROM_BYTES + 1) -> None:
    while log.segments.active.size < size:
        append(log, batch_of(_VALUE))


def space_ahead(disk: MemoryDisk) -> int:
    return disk.used_bytes() - sum(len(node.cached) for _, node in disk.image.files())


def test_a_small_segment_takes_no_more_than_it_holds() -> None:
    disk = MemoryDisk()

    fill(new_log(disk), SPACE_AHEAD_FROM_BYTES - len(_VALUE) - 1000)

    assert space_ahead(disk) == 0


def test_a_growing_segment_takes_at_most_an_eighth_of_its_size_ahead() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    fill(log)
    assert space_ahead(disk) == log.segments.active.size // 8
    allocations: list[int] = []
    disk.faults.on_operation = lambda operation: (
        allocations.append(operation.position) if operation.kind == "allocate" else None
    )

    for _ in range(16):
        append(log, batch_of(_VALUE))
        assert 0 <= space_ahead(disk) <= log.segments.active.size // 8

    assert 2 < len(allocations) < 16, "when it is used up, and only then"


def test_a_segment_grows_without_space_ahead_where_the_disk_has_no_room_for_it() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    fill(log, SPACE_AHEAD_FROM_BYTES - len(_VALUE))
    disk.faults.space_bytes = disk.used_bytes() + 2 * len(batch_of(_VALUE))

    append(log, batch_of(_VALUE))
    append(log, batch_of(_VALUE))

    assert log.segments.active.size > SPACE_AHEAD_FROM_BYTES
    assert space_ahead(disk) == 0


def test_a_segment_that_is_rolled_gives_its_space_back() -> None:
    disk = MemoryDisk()
    log = new_log(disk, TopicOptions({"segment.bytes": str(SPACE_AHEAD_FROM_BYTES + 2 * len(_VALUE))}))
    fill(log)
    assert space_ahead(disk) > 0

    while len(log.segments) == 1:
        append(log, batch_of(_VALUE))

    assert space_ahead(disk) == 0


def test_a_log_that_is_closed_cleanly_gives_its_space_back_and_loses_nothing() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    fill(log)

    log.close(clean=True)

    assert space_ahead(disk) == 0
    assert open_log(MemoryDisk(disk.kill()), clean=True).end_offset == log.end_offset


def test_space_that_a_killed_process_had_taken_is_given_back_by_the_next_one() -> None:
    disk = MemoryDisk()
    fill(new_log(disk))
    disk = MemoryDisk(disk.kill())
    log = open_log(disk)
    assert space_ahead(disk) > 0

    append(log, batch_of(_VALUE))
    log.close(clean=True)

    assert space_ahead(disk) == 0
