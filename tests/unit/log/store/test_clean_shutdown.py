"""What the end of the last run means for the data."""

import errno

import pytest

from ottla.log.files.disk_errors import DiskErrorNote
from ottla.log.files.small_files import read_whole, write_atomically
from ottla.log.store.clean_shutdown import (
    LastAlive,
    LastEnd,
    LastRun,
    begin_run,
    end_run,
    read_last_alive,
    read_last_run,
)
from tests.support.memory_disk import MemoryDisk, SimRng

ID = bytes(range(16))


def test_a_clean_stop_is_seen_with_its_broker_epoch(disk: MemoryDisk) -> None:
    begin_run(disk, "/data", ID)
    end_run(disk, "/data", 326)

    assert read_whole(disk, "/data/.kafka_cleanshutdown") == b'{"version":0,"brokerEpoch":326}'
    assert read_last_run(disk, "/data", ID) == LastRun(LastEnd.CLEAN, 326)


def test_the_mark_is_gone_once_a_run_has_begun(disk: MemoryDisk) -> None:
    end_run(disk, "/data", 1)
    begin_run(disk, "/data", ID, 8)

    assert read_last_run(disk, "/data", ID) == LastRun(LastEnd.PROCESS_CRASH, 8)


def test_power_loss_is_told_from_a_killed_process(disk: MemoryDisk) -> None:
    begin_run(disk, "/data", ID, 8)

    after_kill = MemoryDisk(disk.kill())
    assert read_last_run(after_kill, "/data", ID) == LastRun(LastEnd.PROCESS_CRASH, 8)

    after_power_loss = MemoryDisk(after_kill.power_loss(SimRng(1)))
    assert read_last_run(after_power_loss, "/data", ID) == LastRun(LastEnd.POWER_LOSS, -1)


def test_a_new_or_exchanged_directory_proves_nothing(disk: MemoryDisk) -> None:
    assert read_last_run(disk, "/data", ID).end is LastEnd.POWER_LOSS
    begin_run(disk, "/data", ID)

    assert read_last_run(disk, "/data", bytes(16)).end is LastEnd.POWER_LOSS


def test_a_platform_without_boot_identity_never_trusts_the_page_cache(
    disk: MemoryDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "boot_identity", lambda path: "")
    begin_run(disk, "/data", ID)

    assert read_last_run(disk, "/data", ID).end is LastEnd.POWER_LOSS


def test_after_a_disk_error_the_worst_is_assumed(disk: MemoryDisk) -> None:
    begin_run(disk, "/data", ID)

    DiskErrorNote.leave(disk, "/data")

    assert read_last_run(disk, "/data", ID) == LastRun(LastEnd.POWER_LOSS, -1, has_seen_error=True)


def test_a_disk_error_counts_more_than_a_clean_stop_and_a_new_run(disk: MemoryDisk) -> None:
    begin_run(disk, "/data", ID)
    DiskErrorNote.leave(disk, "/data")
    begin_run(disk, "/data", ID, 4)
    end_run(disk, "/data", 4)

    assert read_last_run(disk, "/data", ID).has_seen_error


def test_a_disk_error_of_another_boot_is_about_pages_that_are_gone(disk: MemoryDisk) -> None:
    begin_run(disk, "/data", ID)
    DiskErrorNote.leave(disk, "/data")
    disk.sync_directory("/data")

    after = MemoryDisk(disk.power_loss(SimRng(1)))

    assert after.exists("/data/.ottla_disk_error")
    assert read_last_run(after, "/data", ID) == LastRun(LastEnd.POWER_LOSS, -1)


def test_noting_a_disk_error_never_fails(disk: MemoryDisk) -> None:
    DiskErrorNote.leave(disk, "/data")
    begin_run(disk, "/data", ID)
    disk.faults.fail_next("rename", errno.EIO)

    DiskErrorNote.leave(disk, "/data")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"[]", b'{"brokerEpoch":"x"}', b'{"brokerEpoch":true}'])
def test_a_mark_without_content_is_a_mark(disk: MemoryDisk, content: bytes) -> None:
    write_atomically(disk, "/data/.kafka_cleanshutdown", content)

    assert read_last_run(disk, "/data", ID) == LastRun(LastEnd.CLEAN, -1)


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff\xfe", b"null"])
def test_a_broken_boot_file_proves_nothing(disk: MemoryDisk, content: bytes) -> None:
    write_atomically(disk, "/data/.ottla_boot", content)

    assert read_last_run(disk, "/data", ID).end is LastEnd.POWER_LOSS


def test_the_files_tell_when_the_last_run_was_alive() -> None:
    now_ms = [1_000]
    disk = MemoryDisk(now_ms=lambda: now_ms[0])
    disk.make_directories("/data")
    assert read_last_alive(disk, "/data") is None
    begin_run(disk, "/data", ID)
    assert read_last_alive(disk, "/data") == LastAlive(1_000, is_held=False)
    now_ms[0] = 5_000
    end_run(disk, "/data", 3)
    assert read_last_alive(disk, "/data") == LastAlive(5_000, is_held=False)


def test_a_run_that_did_not_trust_the_clock_says_what_it_went_by() -> None:
    disk = MemoryDisk(now_ms=lambda: 9_000_000)
    disk.make_directories("/data")
    begin_run(disk, "/data", ID, held_clock_ms=70)
    end_run(disk, "/data", 3)
    assert read_last_alive(disk, "/data") == LastAlive(70, is_held=True)
    DiskErrorNote.leave(disk, "/data")
    assert read_last_alive(disk, "/data") == LastAlive(70, is_held=True)
    begin_run(disk, "/data", ID)
    assert read_last_alive(disk, "/data") == LastAlive(9_000_000, is_held=False)
