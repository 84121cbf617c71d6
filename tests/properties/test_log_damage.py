"""Any file of a partition's directory may be damaged in any way: opening it ends in CorruptLog or in a sound log."""

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.model.errors import CorruptLog, Refused
from ottla.records.reader import iterate_batches
from ottla.sim.disk_image import DiskImage
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
from tests.support.memory_disk import MemoryDisk, SimRng

OPTIONS = small_segments()


def a_directory(*, clean: bool) -> tuple[DiskImage, bytes]:
    disk = MemoryDisk()
    log = new_log(disk, OPTIONS, topic_id=bytes(range(16)))
    append(log, batch_of(producer=(7, 0, 0), is_transactional=True))
    end_transaction(log, 7, 0, commit=False)
    for i in range(12):
        append(log, batch_of(b"%d" % i, b"x", at_ms=NOW_MS + i, producer=(1, 0, 2 * i)), epoch=i // 4)
    flush(log)
    for i in range(12, 16):
        append(log, batch_of(b"%d" % i, b"x", at_ms=NOW_MS + i, producer=(1, 0, 2 * i)), epoch=i // 4)
    expected = content(log)
    if clean:
        log.close(clean=True)
    return disk.kill(), expected


CLEAN, CLEAN_CONTENT = a_directory(clean=True)
CRASHED, CRASHED_CONTENT = a_directory(clean=False)


def damage(disk: MemoryDisk, rng: SimRng) -> str:
    name = rng.one_of(disk.list(DIRECTORY))
    file = disk.open(f"{DIRECTORY}/{name}")
    size = file.size()
    kind = rng.below(5)
    if kind == 0:
        file.truncate(rng.below(size + 1))
    elif kind == 1:
        file.write_at(size, rng.random_bytes(1 + rng.below(200)))
    elif kind == 2:
        start = rng.below(size + 1)
        file.write_at(start, bytes(1 + rng.below(size - start + 1)))
    elif kind == 3:
        start = rng.below(size + 1)
        file.write_at(start, rng.random_bytes(1 + rng.below(40)))
    else:
        disk.remove(f"{DIRECTORY}/{name}")
    return name


def use_everything(disk: MemoryDisk, *, clean: bool, expected: bytes, damaged: list[str]) -> None:
    log = open_log(disk, OPTIONS, clean=clean, recovery_point=26)
    # Batches below the recovery point are not read at start: damage there is seen by whoever reads them.
    if not any(name.endswith(".log") for name in damaged):
        assert content(log) == expected
        for segment in log.segments:
            segment.forget_recent()
        for offset in range(log.end_offset):
            _, header = next(iterate_batches(log.read_bytes(offset, 1)))
            assert header.base_offset <= offset <= header.last_offset
    for offset in range(log.log_start_offset, min(log.end_offset, 100) + 1):
        log.read(offset, 100, end_offset=log.end_offset, at_least_one_batch=True)
    log.offset_for_time(NOW_MS + 5, log.end_offset)
    log.max_timestamp_offset()
    log.aborted_transactions(0, log.end_offset)
    log.retire_segments(NOW_MS)
    append(log, batch_of(b"new"), epoch=9)
    log.truncate_to(max(log.end_offset - 3, log.log_start_offset))
    append(log, batch_of(b"new"), epoch=10)
    log.close(clean=True)
    again = open_log(disk, OPTIONS, clean=True)
    assert again.end_offset == log.end_offset


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), clean=st.booleans(), times=st.integers(1, 3))
def test_damaged_files_end_in_corrupt_log_or_a_sound_log(seed: int, clean: bool, times: int) -> None:
    rng = SimRng(seed)
    image, expected = (CLEAN, CLEAN_CONTENT) if clean else (CRASHED, CRASHED_CONTENT)
    disk = MemoryDisk(image.copy())
    damaged = [damage(disk, rng) for _ in range(times) if disk.list(DIRECTORY)]

    with contextlib.suppress(CorruptLog, Refused):
        use_everything(disk, clean=clean, expected=expected, damaged=damaged)
