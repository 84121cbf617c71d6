"""What the simulated disk keeps and loses, and how it fails on demand."""

import errno

import pytest

from ottla.sim.disk import SimDisk, SimFile
from ottla.sim.disk_faults import SimulatedCrash
from ottla.sim.disk_image import DiskImage
from ottla.sim.rng import SimRng

SEEDS = range(40)


def read(image: DiskImage, path: str) -> bytes | None:
    disk = SimDisk(image)
    if not disk.exists(path):
        return None
    file = disk.open(path)
    return file.read_at(0, file.size())


def disk_with_synced(data: bytes) -> SimDisk:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    file.write_at(0, data)
    file.sync()
    disk.sync_directory("/")
    return disk


def disk_with_a_failed_sync() -> tuple[SimDisk, SimFile]:
    """`abc` is synced; the sync of `def` has failed."""
    disk = disk_with_synced(b"abc")
    file = disk.open("/log")
    file.write_at(3, b"def")
    disk.faults.fail_next("sync", errno.EIO)
    with pytest.raises(OSError, match="Input/output error"):
        file.sync()
    return disk, file


def after_power_losses(disk: SimDisk, *, nasty: bool) -> list[bytes | None]:
    return [read(disk.image.after_power_loss(SimRng(seed), nasty=nasty), "/log") for seed in SEEDS]


def test_kill_keeps_everything_written() -> None:
    disk = SimDisk()
    disk.open("/log", create=True).write_at(0, b"abc")

    assert read(disk.kill(), "/log") == b"abc"


def test_a_killed_process_can_do_nothing_more() -> None:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    disk.kill()

    with pytest.raises(SimulatedCrash):
        file.write_at(0, b"late")
    with pytest.raises(SimulatedCrash):
        disk.exists("/log")


@pytest.mark.parametrize("nasty", [False, True])
def test_power_loss_keeps_what_was_synced(nasty: bool) -> None:
    disk = disk_with_synced(b"abc")
    disk.open("/log").write_at(3, b"d" * 2000)

    found = after_power_losses(disk, nasty=nasty)

    assert all(data is not None and data.startswith(b"abc") for data in found)


def test_power_loss_keeps_a_prefix_and_perhaps_zeros() -> None:
    disk = disk_with_synced(b"abc")
    file = disk.open("/log")
    file.write_at(3, b"d" * 1000)
    file.write_at(1003, b"e" * 1000)
    whole = b"abc" + b"d" * 1000 + b"e" * 1000

    found = [data for data in after_power_losses(disk, nasty=False) if data is not None]

    assert all(whole.startswith(data.rstrip(b"\0")) for data in found)
    assert any(data.endswith(b"\0") for data in found)
    assert b"abc" in found
    assert whole in found


def test_nasty_power_loss_may_lose_sectors_in_the_middle() -> None:
    disk = disk_with_synced(b"")
    disk.open("/log").write_at(0, b"x" * 4096)

    found = [data for data in after_power_losses(disk, nasty=True) if data]

    assert any(b"\0" in data.rstrip(b"\0") for data in found)


@pytest.mark.parametrize("nasty", [False, True])
def test_a_name_may_be_lost_until_its_directory_is_synced(nasty: bool) -> None:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    file.write_at(0, b"abc")
    file.sync()

    found = after_power_losses(disk, nasty=nasty)

    assert None in found
    assert b"abc" in found

    disk.sync_directory("/")

    assert set(after_power_losses(disk, nasty=nasty)) == {b"abc"}


def test_a_rename_is_kept_or_lost_as_a_whole() -> None:
    disk = disk_with_synced(b"old")
    file = disk.open("/log.tmp", create=True)
    file.write_at(0, b"new")
    file.sync()
    disk.rename("/log.tmp", "/log")

    assert set(after_power_losses(disk, nasty=True)) == {b"old", b"new"}


def test_a_removal_may_be_lost() -> None:
    disk = disk_with_synced(b"abc")
    disk.remove("/log")

    assert set(after_power_losses(disk, nasty=False)) == {b"abc", None}


def test_writes_after_a_lost_truncation_are_lost_with_it() -> None:
    disk = disk_with_synced(b"abcdef")
    file = disk.open("/log")
    file.truncate(2)
    file.write_at(2, b"XY")

    assert set(after_power_losses(disk, nasty=True)) <= {b"abcdef", b"ab", b"abXY", b"ab\0\0", b"abX"}


def test_power_loss_changes_the_boot_identity_and_kill_does_not() -> None:
    disk = SimDisk()
    before = disk.boot_identity("/")
    image = disk.kill()

    assert SimDisk(image).boot_identity("/") == before
    assert SimDisk(image.after_power_loss(SimRng(1))).boot_identity("/") != before


def test_a_failed_sync_drops_the_pages_and_the_next_one_lies() -> None:
    disk, file = disk_with_a_failed_sync()

    file.sync()

    assert file.read_at(0, 6) == b"abcdef"
    for data in after_power_losses(disk, nasty=False):
        assert data in (b"abc", b"abc\0\0\0")


def test_a_new_process_does_not_find_lost_pages_in_the_cache() -> None:
    disk, _ = disk_with_a_failed_sync()

    image = disk.kill()
    image.evict_lost_pages()

    assert read(image, "/log") == b"abc\0\0\0"


def test_lost_pages_may_stay_in_the_cache_and_be_saved_by_writing_them_again() -> None:
    disk, _ = disk_with_a_failed_sync()

    again = SimDisk(disk.kill()).open("/log")
    assert again.read_at(0, 6) == b"abcdef"
    again.sync()
    assert all(data != b"abcdef" for data in after_power_losses(disk, nasty=False))
    again.write_at(3, again.read_at(3, 3))
    again.sync()

    assert all(data == b"abcdef" for data in after_power_losses(disk, nasty=False))


def test_some_lost_pages_may_be_evicted_and_others_not() -> None:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    file.write_at(0, b"x" * 64 * 1024)
    disk.faults.fail_next("sync", errno.EIO)
    with pytest.raises(OSError, match="Input/output error"):
        file.sync()

    image = disk.kill()
    image.evict_lost_pages(SimRng(3))

    content = read(image, "/log") or b""
    pages = {content[start : start + 4096] for start in range(0, 64 * 1024, 4096)}
    assert pages == {b"x" * 4096, bytes(4096)}


def test_a_full_disk_takes_what_fits_and_refuses_the_rest() -> None:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    disk.faults.space_bytes = 10

    with pytest.raises(OSError, match="No space left") as raised:
        file.write_at(0, b"x" * 25)

    assert raised.value.errno == errno.ENOSPC
    assert file.size() == 10
    assert disk.usage("/").usable_bytes == 0
    file.write_at(0, b"y" * 10)
    file.truncate(4)
    file.write_at(4, b"room!!")
    assert file.read_at(0, 99) == b"yyyyroom!!"


def test_a_crash_happens_at_the_chosen_operation_and_for_good() -> None:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    deaths: list[str] = []
    disk.faults.on_crash = lambda: deaths.append("dead")
    disk.faults.crash_at(disk.operation_count + 1, written_bytes=2)
    file.write_at(0, b"abc")

    with pytest.raises(SimulatedCrash):
        file.write_at(3, b"def")
    with pytest.raises(SimulatedCrash):
        file.read_at(0, 1)

    assert deaths == ["dead"]
    assert read(disk.kill(), "/log") == b"abcde"


def test_failures_hit_the_matching_path_after_the_given_count() -> None:
    disk = SimDisk()
    index = disk.open("/a.index", create=True)
    log = disk.open("/a.log", create=True)
    disk.faults.fail_next("write", errno.EIO, ".log", after=1, written_bytes=1)

    index.write_at(0, b"1")
    log.write_at(0, b"1")
    with pytest.raises(OSError, match="Input/output"):
        log.write_at(1, b"23")
    log.write_at(2, b"3")

    assert log.read_at(0, 9) == b"123"


def test_reads_can_fail() -> None:
    disk = disk_with_synced(b"abc")
    disk.faults.fail_next("read", errno.EIO)

    with pytest.raises(OSError, match="Input/output"):
        disk.open("/log").read_at(0, 1)


def test_locks_end_with_the_process() -> None:
    disk = SimDisk()
    disk.lock("/.lock")
    with pytest.raises(BlockingIOError):
        SimDisk(disk.image).lock("/.lock")

    SimDisk(disk.kill()).lock("/.lock")


def test_copies_are_independent() -> None:
    disk = disk_with_synced(b"abc")
    twin = disk.image.copy()

    disk.open("/log").write_at(0, b"X")

    assert read(twin, "/log") == b"abc"


def test_bits_can_rot() -> None:
    disk = disk_with_synced(b"abc")

    disk.image.flip_bit("/log", 1, bit=0)

    assert read(disk.image, "/log") == b"acc"
