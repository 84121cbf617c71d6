"""What opening a directory makes of files that an earlier life, or an accident, left there."""

import pytest

from ottla.log.partition.invariants import scanned_digest
from ottla.log.partition_log import PartitionLog
from ottla.log.producers.snapshots import decode_snapshot, encode_snapshot
from ottla.log.segments.segment_swap import run_steps
from ottla.model.errors import CorruptLog
from tests.support.batches import batch_of
from tests.support.log_builders import (
    DIRECTORY,
    NOW_MS,
    append,
    content,
    end_transaction,
    flush,
    new_log,
    open_log,
    small_segments,
)
from tests.support.memory_disk import MemoryDisk

OPTIONS = small_segments()
TOPIC_ID = bytes(range(16))


@pytest.fixture
def disk() -> MemoryDisk:
    """A flushed log of 20 offsets in several segments, with an aborted transaction, and two batches above the flush."""
    disk = MemoryDisk()
    log = new_log(disk, OPTIONS, topic_id=TOPIC_ID)
    append(log, batch_of(producer=(7, 0, 0), is_transactional=True))
    end_transaction(log, 7, 0, commit=False)
    for i in range(18):
        append(log, batch_of(b"%d" % i, at_ms=NOW_MS + i, producer=(1, 0, i)), epoch=i // 6)
    flush(log)
    append(log, batch_of(b"tail", producer=(1, 0, 18)), epoch=2)
    append(log, batch_of(b"tail", producer=(1, 0, 19)), epoch=2)
    disk.kill()
    return disk


def reopened(disk: MemoryDisk, *, recovery_point: int = 20, **how: object) -> PartitionLog:
    log = open_log(MemoryDisk(disk.image), OPTIONS, recovery_point=recovery_point, **how)
    log.check_invariants()
    assert log.state_digest() == scanned_digest(log)
    return log


def names(disk: MemoryDisk, suffix: str) -> list[str]:
    return [f"{DIRECTORY}/{name}" for name in MemoryDisk(disk.image).list(DIRECTORY) if name.endswith(suffix)]


def overwrite(disk: MemoryDisk, path: str, data: bytes, *, at: int = 0) -> None:
    file = MemoryDisk(disk.image).open(path, create=True)
    if at == 0:
        file.truncate(0)
    file.write_at(at, data)


def test_only_the_tail_above_the_recovery_point_is_checked(disk: MemoryDisk) -> None:
    log = reopened(disk)
    assert log.recovery.checked_bytes == 2 * len(batch_of(b"tail"))
    assert (log.end_offset, log.recovery_point, log.topic_id) == (22, 20, TOPIC_ID)
    assert log.recovery.cut_bytes == 0


def test_without_a_recovery_point_everything_is_checked(disk: MemoryDisk) -> None:
    log = reopened(disk, recovery_point=0)
    assert log.recovery.checked_bytes == log.size_bytes
    assert log.end_offset == 22


def test_a_torn_tail_is_cut(disk: MemoryDisk) -> None:
    path = names(disk, ".log")[-1]
    whole = MemoryDisk(disk.image).size(path)
    size = len(batch_of(b"tail"))
    for lost in range(1, size):
        image = disk.image.copy()
        MemoryDisk(image).open(path).truncate(whole - lost)
        log = open_log(MemoryDisk(image), OPTIONS, recovery_point=20)
        assert log.end_offset == 21
        assert log.recovery.cut_bytes == size - lost
        assert log.state_digest() == scanned_digest(log)


@pytest.mark.parametrize("junk", [bytes(300), b"\xff" * 300, bytes(7), bytes(batch_of(b"offset 0 again"))])
def test_junk_behind_the_last_batch_is_cut(disk: MemoryDisk, junk: bytes) -> None:
    path = names(disk, ".log")[-1]
    overwrite(disk, path, junk, at=MemoryDisk(disk.image).size(path))
    log = reopened(disk)
    assert (log.end_offset, log.recovery.cut_bytes) == (22, len(junk))


def test_a_damaged_batch_below_the_recovery_point_is_reported_and_left_alone(disk: MemoryDisk) -> None:
    path = names(disk, ".log")[-1]
    before = MemoryDisk(disk.image).open(path).read_at(0, 10_000)
    for position, data in ((8, b"\xff\xff\xff\xff"), (16, b"\x07")):
        overwrite(disk, path, data, at=position)
        for name in (*names(disk, ".index"), *names(disk, ".timeindex")):
            MemoryDisk(disk.image).remove(name)
        with pytest.raises(CorruptLog, match="below the recovery point"):
            reopened(disk)
        damaged = MemoryDisk(disk.image).open(path).read_at(0, 10_000)
        assert len(damaged) == len(before)
        overwrite(disk, path, before[position : position + len(data)], at=position)
    assert reopened(disk).end_offset == 22


def test_a_log_that_ends_below_its_recovery_point_is_corrupt(disk: MemoryDisk) -> None:
    MemoryDisk(disk.image).open(names(disk, ".log")[-1]).truncate(0)
    with pytest.raises(CorruptLog, match="was on the device"):
        reopened(disk)


@pytest.mark.parametrize("suffix", [".index", ".timeindex"])
@pytest.mark.parametrize("junk", [None, b"", b"\x01", b"\xff" * 96, bytes(960), bytes(range(96)), b"\0\0\0\1" * 60])
@pytest.mark.parametrize("clean", [True, False])
def test_damaged_indexes_are_built_anew(disk: MemoryDisk, suffix: str, junk: bytes | None, clean: bool) -> None:
    path = names(disk, suffix)[-1]
    if junk is None:
        MemoryDisk(disk.image).remove(path)
    else:
        overwrite(disk, path, junk)
    log = reopened(disk, clean=clean)
    assert log.end_offset == 22
    for offset in range(22):
        assert log.read_bytes(offset, 1000)


@pytest.mark.parametrize("junk", [b"\x01", b"\xff" * 68, bytes(34)])
def test_damaged_transaction_indexes_are_built_anew(disk: MemoryDisk, junk: bytes) -> None:
    (path,) = names(disk, ".txnindex")
    overwrite(disk, path, junk)
    log = reopened(disk)
    assert log.aborted_transactions(0, 20) == [(7, 0)]
    assert log.recovery.rebuilt_indexes == [0]
    assert new_log(MemoryDisk()).recovery.rebuilt_indexes == []


def test_an_index_without_a_log_is_removed(disk: MemoryDisk) -> None:
    overwrite(disk, f"{DIRECTORY}/{5:020d}.index", b"stray")
    reopened(disk)
    assert not MemoryDisk(disk.image).exists(f"{DIRECTORY}/{5:020d}.index")


def test_unknown_files_are_left_alone(disk: MemoryDisk) -> None:
    for name in ("notes.txt", "12.log", "0000000000000000000x.log"):
        overwrite(disk, f"{DIRECTORY}/{name}", b"mine")
    log = reopened(disk)
    assert sorted(log.recovery.unknown_names) == ["0000000000000000000x.log", "12.log", "notes.txt"]
    assert MemoryDisk(disk.image).exists(f"{DIRECTORY}/notes.txt")


def test_leftovers_of_deletion_and_cleaning_are_dropped(disk: MemoryDisk) -> None:
    for suffix in (".log.deleted", ".index.deleted", ".log.cleaned", ".index.cleaned", ".timeindex.cleaned"):
        overwrite(disk, f"{DIRECTORY}/{0:020d}{suffix}", b"old")
    assert reopened(disk).recovery.unknown_names == []
    assert not names(disk, ".deleted")
    assert not names(disk, ".cleaned")


def test_a_finished_cleaning_replaces_what_it_covers(disk: MemoryDisk) -> None:
    first, second = names(disk, ".log")[:2]
    merged = b"".join(MemoryDisk(disk.image).open(path).read_at(0, 10_000) for path in (first, second))
    overwrite(disk, first + ".swap", merged)
    (transactions,) = names(disk, ".txnindex")
    overwrite(disk, transactions + ".swap", MemoryDisk(disk.image).open(transactions).read_at(0, 100))

    log = reopened(disk)

    assert log.segments[0].size == len(merged)
    assert not MemoryDisk(disk.image).exists(second)
    assert log.end_offset == 22
    assert not names(disk, ".swap")


def test_an_unfinished_replacement_is_undone(disk: MemoryDisk) -> None:
    first, second = names(disk, ".log")[:2]
    overwrite(disk, second + ".swap", b"")
    overwrite(disk, first + ".cleaned", b"")
    before = content(reopened(disk))
    assert len(before) > 1000
    assert not names(disk, ".swap")


# state beside the log


def test_a_snapshot_from_the_future_is_dropped(disk: MemoryDisk) -> None:
    stranger = decode_snapshot(encode_snapshot(open_log(MemoryDisk(disk.image), OPTIONS).producers.entries.values()))
    for entry in stranger:
        entry.epoch = 9
    overwrite(disk, f"{DIRECTORY}/{900:020d}.snapshot", encode_snapshot(stranger))
    log = reopened(disk)
    assert all(entry.epoch == 0 for entry in log.producers.entries.values())
    assert 900 not in log.snapshots.offsets


@pytest.mark.parametrize("junk", [b"", b"\0\1", b"\xff" * 50, bytes(100)])
def test_damaged_snapshots_are_not_needed(disk: MemoryDisk, junk: bytes) -> None:
    for path in names(disk, ".snapshot"):
        overwrite(disk, path, junk)
    assert reopened(disk).producers.entries[1].next_sequence == 20


@pytest.mark.parametrize("junk", [None, b"", b"junk", b"0\n2\n1 5\n0 9\n", b"0\n3\n0 0\n", b"\xff\xfe", b"0\n1\nx y\n"])
@pytest.mark.parametrize("clean", [True, False])
def test_leader_epochs_are_found_in_the_batches(disk: MemoryDisk, junk: bytes | None, clean: bool) -> None:
    path = f"{DIRECTORY}/leader-epoch-checkpoint"
    if junk is None:
        MemoryDisk(disk.image).remove(path)
    else:
        overwrite(disk, path, junk)
    assert reopened(disk, clean=clean).epochs.items() == [(0, 0), (1, 8), (2, 14)]


def test_a_lost_topic_id_is_written_again(disk: MemoryDisk) -> None:
    overwrite(disk, f"{DIRECTORY}/partition.metadata", b"")
    assert reopened(disk).topic_id is None
    assert reopened(disk, topic_id=TOPIC_ID).topic_id == TOPIC_ID
    assert reopened(disk).topic_id == TOPIC_ID


def test_a_log_start_above_the_end_starts_the_log_anew(disk: MemoryDisk) -> None:
    log = reopened(disk, log_start_offset=50)
    assert (log.log_start_offset, log.end_offset) == (50, 50)


def test_offsets_from_checkpoints_are_kept_within_the_log(disk: MemoryDisk) -> None:
    log = reopened(disk, log_start_offset=3, high_watermark=100)
    assert (log.log_start_offset, log.high_watermark, log.end_offset) == (3, 22, 22)
    assert log.epochs.items()[0] == (0, 3)


def test_a_clean_stop_leaves_what_kafka_would_leave(disk: MemoryDisk) -> None:
    log = reopened(disk)
    log.close(clean=True)
    found = MemoryDisk(disk.image).list(DIRECTORY)
    assert f"{22:020d}.snapshot" in found
    for segment in log.segments:
        for suffix in (".log", ".index", ".timeindex"):
            assert f"{segment.base_offset:020d}{suffix}" in found
    again = open_log(MemoryDisk(disk.image), OPTIONS, clean=True)
    assert again.recovery.checked_bytes == 0
    assert again.state_digest() == log.state_digest()


def test_index_files_with_room_to_grow_are_trimmed(disk: MemoryDisk) -> None:
    """Kafka makes the index files of its active segment as large as they may get."""
    index, times = names(disk, ".index")[-1], names(disk, ".timeindex")[-1]
    for path, full_size in ((index, 65_536), (times, 65_532)):
        size = MemoryDisk(disk.image).size(path)
        overwrite(disk, path, bytes(full_size - size), at=size)
    log = reopened(disk)
    assert log.recovery.rebuilt_indexes == []
    assert MemoryDisk(disk.image).size(index) < 1000


def test_replaced_segments_keep_everything_readable(disk: MemoryDisk) -> None:
    log = reopened(disk)
    before = content(log)
    first, second = log.segments[0], log.segments[1]
    merged = first.file().read_at(0, first.size) + second.file().read_at(0, second.size)
    overwrite(disk, first.path() + ".cleaned", merged)

    paths = run_steps(log.replacement_steps([first.base_offset, second.base_offset], [first.base_offset]))

    assert paths is not None
    assert content(log) == before
    log.check_invariants()
    assert run_steps(log.replacement_steps([999], [999])) is None
