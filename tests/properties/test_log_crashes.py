"""A log is opened again after a crash at any operation.

It holds a prefix of what was written, with all that was synced, and everything derived (indexes, producers, epochs,
aborted transactions) agrees with a scan of the files.
"""

import errno
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.config.topic_options import TopicOptions
from ottla.log.partition.invariants import scanned_digest
from ottla.log.partition_log import AppendOrigin, PartitionLog
from ottla.model.errors import Refused
from ottla.records.control import build_marker_batch
from tests.support.batches import batch_of
from tests.support.log_builders import NOW_MS, append, content, flush, new_log, open_log
from tests.support.memory_disk import MemoryDisk, SimRng, SimulatedCrash

OPTIONS = TopicOptions({"internal.segment.bytes": "700", "index.interval.bytes": "150"})


class Driver:
    """Does random things to a log and remembers what a crash must not take away."""

    def __init__(self, disk: MemoryDisk, rng: SimRng) -> None:
        self.disk = disk
        self.rng = rng
        self.log = new_log(disk, OPTIONS)
        #: All bytes as they should be in the log, and how many of them were synced.
        self.written = b""
        self.synced_size = 0
        #: What the checkpoints of the log directory say; saved now and then.
        self.saved_recovery_point = 0
        self.epoch = 0
        self.sequences: dict[int, int] = {}
        self.open_producers: dict[int, bool] = {}

    def run_until_crash(self) -> None:
        try:
            while True:
                self.step()
        except SimulatedCrash:
            return

    def step(self) -> None:
        actions: list[tuple[int, Callable[[], None]]] = [
            (12, self.append_plain),
            (8, self.append_idempotent),
            (6, self.append_transactional),
            (4, self.end_transaction),
            (4, self.flush),
            (2, self.save_checkpoint),
            (2, self.new_leader),
            (1, self.truncate),
            (1, self.roll),
        ]
        choice = self.rng.below(sum(weight for weight, _ in actions))
        for weight, action in actions:
            choice -= weight
            if choice < 0:
                action()
                return

    def _append(self, batch: bytearray, origin: AppendOrigin = AppendOrigin.CLIENT) -> None:
        before = len(self.written)
        size = len(batch)
        # The bytes may reach the disk although the crash comes before we hear of it.
        self.written += bytes(size)
        self.log.append_as_leader(batch, leader_epoch=self.epoch, now_ms=NOW_MS, origin=origin)
        self.written = self.written[:before] + bytes(batch)

    def append_plain(self) -> None:
        self._append(batch_of(*[self.rng.random_bytes(self.rng.below(60))] * (1 + self.rng.below(3))))

    def append_idempotent(self) -> None:
        producer_id = 1 + self.rng.below(2)
        sequence = self.sequences.get(producer_id, 0)
        count = 1 + self.rng.below(3)
        self._append(batch_of(*[b"i"] * count, producer=(producer_id, 0, sequence)))
        self.sequences[producer_id] = sequence + count

    def append_transactional(self) -> None:
        producer_id = 10 + self.rng.below(3)
        sequence = self.sequences.get(producer_id, 0)
        self._append(batch_of(b"t", producer=(producer_id, 0, sequence), is_transactional=True))
        self.sequences[producer_id] = sequence + 1
        self.open_producers[producer_id] = True

    def end_transaction(self) -> None:
        if self.open_producers:
            producer_id = self.rng.one_of(sorted(self.open_producers))
            marker = build_marker_batch(
                is_commit=self.rng.chance(40),
                producer_id=producer_id,
                producer_epoch=0,
                coordinator_epoch=0,
                timestamp_ms=NOW_MS,
            )
            self._append(marker, AppendOrigin.COORDINATOR)
            del self.open_producers[producer_id]

    def flush(self) -> None:
        flush(self.log)
        self.synced_size = len(self.written)

    def save_checkpoint(self) -> None:
        self.saved_recovery_point = self.log.recovery_point
        self.log.recovery_point_saved()

    def new_leader(self) -> None:
        self.epoch += 1
        self.log.assign_leader_epoch(self.epoch)

    def roll(self) -> None:
        self.log.roll()

    def truncate(self) -> None:
        end = self.log.end_offset
        target = end - self.rng.below(min(end, 8) + 1)
        kept = content_below(self.log, target)
        # While it happens, neither the old end nor the new one is certain.
        self.synced_size = min(self.synced_size, len(kept))
        self.log.truncate_to(target)
        self.written = kept
        self._learn_producers()

    def _learn_producers(self) -> None:
        self.sequences = {entry.producer_id: entry.next_sequence for entry in self.log.producers.entries.values()}
        self.open_producers = dict.fromkeys(self.log.producers.open_transactions, True)


def content_below(log: PartitionLog, offset: int) -> bytes:
    if offset <= log.log_start_offset:
        return b""
    found = log.segments[log.segments.index_of(offset)]
    before = sum(segment.size for segment in log.segments if segment.base_offset < found.base_offset)
    batch = found.find(offset) if found.size else None
    return content(log)[: before + (batch.position if batch is not None else found.size)]


def check_reopened(log: PartitionLog, driver: Driver) -> None:
    data = content(log)
    assert len(data) >= driver.synced_size
    # The batch that was being written may or may not be there; only its length is known.
    known = min(len(data), len(driver.written.rstrip(b"\0")))
    assert data[:known] == driver.written[:known]
    assert len(data) <= len(driver.written)
    log.advance_high_watermark(log.end_offset)
    log.check_invariants()
    assert log.state_digest() == scanned_digest(log)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), nasty=st.booleans(), kill=st.booleans())
def test_after_a_crash_the_log_is_a_prefix_with_everything_that_was_synced(seed: int, nasty: bool, kill: bool) -> None:
    rng = SimRng(seed)
    disk = MemoryDisk()
    driver = Driver(disk, rng)
    crash_at = disk.operation_count + rng.below(150)
    disk.faults.crash_at(crash_at, written_bytes=rng.below(200))
    driver.run_until_crash()

    for _ in range(3):
        image = disk.image.copy()
        if not kill:
            image = image.after_power_loss(rng, nasty=nasty)
        again = open_log(MemoryDisk(image), OPTIONS, recovery_point=driver.saved_recovery_point)
        check_reopened(again, driver)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_log_goes_on_after_several_crashes(seed: int) -> None:
    rng = SimRng(seed)
    disk = MemoryDisk()
    driver = Driver(disk, rng)
    for _ in range(4):
        disk.faults.crash_at(disk.operation_count + 5 + rng.below(80), written_bytes=rng.below(200))
        driver.run_until_crash()
        disk = MemoryDisk(disk.image if rng.chance(30) else disk.image.after_power_loss(rng, nasty=rng.chance(50)))
        driver.disk = disk
        driver.log = open_log(disk, OPTIONS, recovery_point=driver.saved_recovery_point)
        check_reopened(driver.log, driver)
        driver.written = content(driver.log)
        driver.synced_size = min(driver.synced_size, len(driver.written))
        driver.epoch = max(driver.epoch, driver.log.epochs.latest)
        driver._learn_producers()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_after_a_clean_stop_nothing_is_missing(seed: int) -> None:
    rng = SimRng(seed)
    disk = MemoryDisk()
    driver = Driver(disk, rng)
    for _ in range(60):
        driver.step()
    before = driver.log.state_digest()
    driver.log.close(clean=True)

    again = open_log(MemoryDisk(disk.kill()), OPTIONS, clean=True)

    assert again.state_digest() == before
    assert content(again) == driver.written
    check_reopened(again, driver)


def test_a_full_disk_at_every_byte_of_a_batch_leaves_the_log_as_it_was() -> None:
    size = len(batch_of(b"new"))
    for written_bytes in range(size):
        disk = MemoryDisk()
        log = new_log(disk)
        append(log, batch_of(b"old", producer=(1, 0, 0)))
        before, digest = content(log), log.state_digest()
        disk.faults.fail_next("write", errno.ENOSPC, ".log", written_bytes=written_bytes)

        with pytest.raises(OSError, match="No space"):
            append(log, batch_of(b"new", producer=(1, 0, 1)))

        assert log.failure is None
        assert content(log) == before
        assert log.state_digest() == digest
        append(log, batch_of(b"new", producer=(1, 0, 1)))
        log.check_invariants()
        assert open_log(MemoryDisk(disk.kill())).end_offset == 2


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), free_bytes=st.integers(0, 1500))
def test_a_full_disk_at_any_point_leaves_a_log_that_goes_on(seed: int, free_bytes: int) -> None:
    rng = SimRng(seed)
    disk = MemoryDisk()
    driver = Driver(disk, rng)
    for _ in range(rng.below(20)):
        driver.append_plain()
    disk.faults.space_bytes = disk.image.used_bytes() + free_bytes
    expected = driver.written
    for _ in range(20):
        try:
            driver.append_plain()
            expected = driver.written
        except OSError:
            driver.written = expected
    assert content(driver.log) == expected

    disk.faults.heal()
    driver.append_plain()

    driver.log.check_invariants()
    again = open_log(MemoryDisk(disk.kill()), OPTIONS)
    assert content(again) == driver.written


def test_a_log_that_cannot_be_cut_back_takes_no_more() -> None:
    disk = MemoryDisk()
    log = new_log(disk)
    append(log)
    disk.faults.fail_next("write", errno.EIO, ".log", written_bytes=10)
    disk.faults.fail_next("truncate", errno.EIO, ".log")

    with pytest.raises(OSError, match="Input/output"):
        append(log)

    assert log.failure is not None
    with pytest.raises(Refused, match="KAFKA_STORAGE_ERROR"):
        append(log)
    assert open_log(MemoryDisk(disk.kill())).end_offset == 1
