"""The contract of the Disk door, kept by the real disk, the simulated one and the one in memory alike."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ottla.doors.disk import Disk
from ottla.runtime.disk import OsDisk
from ottla.sim.disk import SimDisk
from ottla.testing.memory_disk import MemoryDisk


class Place(NamedTuple):
    disk: Disk
    home: str

    def at(self, name: str) -> str:
        return f"{self.home}/{name}"

    def write(self, name: str, data: bytes) -> None:
        file = self.disk.open(self.at(name), create=True)
        file.write_at(0, data)
        file.close()

    def read(self, name: str) -> bytes:
        file = self.disk.open(self.at(name), read_only=True)
        data = file.read_at(0, file.size())
        file.close()
        return data


def os_place(tmp_path: Path) -> Place:
    return Place(OsDisk(), str(tmp_path))


def sim_place(_: Path) -> Place:
    disk = SimDisk()
    disk.make_directories("/data")
    return Place(disk, "/data")


def memory_place(_: Path) -> Place:
    disk = MemoryDisk()
    disk.make_directories("/data")
    return Place(disk, "/data")


@pytest.fixture(params=[os_place, sim_place, memory_place], ids=["OsDisk", "SimDisk", "MemoryDisk"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    make: Callable[[Path], Place] = request.param
    return make(tmp_path)


def test_what_was_written_is_read_back(place: Place) -> None:
    place.write("log", b"abcdef")

    file = place.disk.open(place.at("log"))

    assert file.size() == 6
    assert file.read_at(2, 3) == b"cde"
    assert file.read_at(4, 100) == b"ef"
    assert file.read_at(6, 1) == b""
    assert file.path == place.at("log")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_all_kinds_of_buffers_can_be_written(place: Place, kind: Callable[[bytes], bytes]) -> None:
    place.write("log", kind(b"xyz"))

    assert place.read("log") == b"xyz"


def test_a_buffer_may_be_reused_after_the_write(place: Place) -> None:
    buffer = bytearray(b"first")
    file = place.disk.open(place.at("log"), create=True)
    file.write_at(0, memoryview(buffer))

    buffer[:] = b"other"

    assert file.read_at(0, 5) == b"first"


def test_a_write_behind_the_end_leaves_zeros_between(place: Place) -> None:
    file = place.disk.open(place.at("log"), create=True)

    file.write_at(4, b"z")

    assert file.read_at(0, 10) == b"\0\0\0\0z"


def test_truncate_cuts_and_extends_with_zeros(place: Place) -> None:
    file = place.disk.open(place.at("log"), create=True)
    file.write_at(0, b"abcdef")

    file.truncate(2)
    file.truncate(4)

    assert file.read_at(0, 10) == b"ab\0\0"


def test_space_that_is_taken_ahead_changes_neither_size_nor_content(place: Place) -> None:
    file = place.disk.open(place.at("log"), create=True)
    file.write_at(0, b"before")

    file.allocate(6, 100_000)

    assert (file.size(), file.read_at(0, 100)) == (6, b"before")
    file.write_at(6, b" and after")
    assert (file.size(), file.read_at(0, 100)) == (16, b"before and after")
    file.truncate(16)
    assert (file.size(), file.read_at(0, 100)) == (16, b"before and after")


def test_create_keeps_an_existing_file(place: Place) -> None:
    place.write("log", b"old")

    file = place.disk.open(place.at("log"), create=True)

    assert file.size() == 3


def test_a_missing_file_is_not_found(place: Place) -> None:
    with pytest.raises(FileNotFoundError):
        place.disk.open(place.at("none"))
    with pytest.raises(FileNotFoundError):
        place.disk.size(place.at("none"))
    with pytest.raises(FileNotFoundError):
        place.disk.remove(place.at("none"))
    with pytest.raises(FileNotFoundError):
        place.disk.rename(place.at("none"), place.at("other"))
    with pytest.raises(FileNotFoundError):
        place.disk.remove_tree(place.at("none"))
    with pytest.raises(FileNotFoundError):
        place.disk.list(place.at("none"))


def test_a_file_in_a_missing_directory_cannot_be_made(place: Place) -> None:
    with pytest.raises(FileNotFoundError):
        place.disk.open(place.at("none/log"), create=True)


def test_a_read_only_file_cannot_be_written(place: Place) -> None:
    place.write("log", b"x")
    file = place.disk.open(place.at("log"), read_only=True)

    with pytest.raises(OSError, match=r".") as raised:
        file.write_at(0, b"y")

    assert raised.value.errno == errno.EBADF


def test_a_closed_file_raises_and_may_be_closed_again(place: Place) -> None:
    file = place.disk.open(place.at("log"), create=True)
    file.close()
    file.close()

    with pytest.raises(OSError, match=r".") as raised:
        file.read_at(0, 1)

    assert raised.value.errno == errno.EBADF


def test_names_are_listed_sorted(place: Place) -> None:
    for name in ("b", "a", "c"):
        place.write(name, b"")
    place.disk.make_directories(place.at("ab"))

    assert place.disk.list(place.home) == ["a", "ab", "b", "c"]


def test_exists_and_is_directory_tell_files_from_directories(place: Place) -> None:
    place.write("file", b"")
    place.disk.make_directories(place.at("one/two"))

    assert place.disk.exists(place.at("file"))
    assert not place.disk.is_directory(place.at("file"))
    assert place.disk.is_directory(place.at("one/two"))
    assert not place.disk.exists(place.at("none"))
    assert not place.disk.is_directory(place.at("none"))


def test_making_directories_again_is_harmless(place: Place) -> None:
    place.disk.make_directories(place.at("one/two"))
    place.disk.make_directories(place.at("one/two"))

    assert place.disk.list(place.at("one")) == ["two"]


def test_rename_replaces_the_target(place: Place) -> None:
    place.write("new", b"new")
    place.write("old", b"old")

    place.disk.rename(place.at("new"), place.at("old"))

    assert place.disk.list(place.home) == ["old"]
    assert place.read("old") == b"new"


def test_a_directory_is_renamed_with_its_content(place: Place) -> None:
    place.disk.make_directories(place.at("topic-0"))
    place.write("topic-0/log", b"x")

    place.disk.rename(place.at("topic-0"), place.at("topic-0.gone-delete"))

    assert place.disk.list(place.home) == ["topic-0.gone-delete"]
    assert place.read("topic-0.gone-delete/log") == b"x"


def test_a_directory_with_content_is_not_replaced(place: Place) -> None:
    place.disk.make_directories(place.at("a"))
    place.disk.make_directories(place.at("b"))
    place.write("b/file", b"")

    with pytest.raises(OSError, match=r".") as raised:
        place.disk.rename(place.at("a"), place.at("b"))

    assert raised.value.errno == errno.ENOTEMPTY


def test_an_open_file_survives_rename_and_removal(place: Place) -> None:
    file = place.disk.open(place.at("log"), create=True)
    file.write_at(0, b"abc")

    place.disk.rename(place.at("log"), place.at("log.deleted"))
    place.disk.remove(place.at("log.deleted"))

    assert file.read_at(0, 3) == b"abc"
    assert place.disk.list(place.home) == []


def test_a_directory_is_not_removed_as_a_file(place: Place) -> None:
    place.disk.make_directories(place.at("dir"))

    with pytest.raises(OSError, match=r"."):
        place.disk.remove(place.at("dir"))

    assert place.disk.is_directory(place.at("dir"))


def test_remove_tree_removes_everything_below(place: Place) -> None:
    place.disk.make_directories(place.at("dir/sub"))
    place.write("dir/a", b"")
    place.write("dir/sub/b", b"")

    place.disk.remove_tree(place.at("dir"))

    assert place.disk.list(place.home) == []


def test_sync_of_files_and_directories_succeeds(place: Place) -> None:
    file = place.disk.open(place.at("log"), create=True)
    file.write_at(0, b"abc")

    file.sync()
    place.disk.sync_directory(place.home)

    assert file.read_at(0, 3) == b"abc"


def test_sync_of_a_missing_directory_raises(place: Place) -> None:
    with pytest.raises(FileNotFoundError):
        place.disk.sync_directory(place.at("none"))


def test_usage_has_room(place: Place) -> None:
    usage = place.disk.usage(place.home)

    assert 0 < usage.usable_bytes <= usage.total_bytes


def test_the_lock_file_exists_while_it_is_held(place: Place) -> None:
    lock = place.disk.lock(place.at(".lock"))

    assert place.disk.exists(place.at(".lock"))
    lock.release()
    lock.release()
    place.disk.lock(place.at(".lock")).release()


def test_boot_identity_stays_while_the_machine_runs(place: Place) -> None:
    assert place.disk.boot_identity(place.home) == place.disk.boot_identity(place.home)


def test_modified_ms_is_known_for_files(place: Place) -> None:
    place.write("log", b"x")

    assert place.disk.modified_ms(place.at("log")) >= 0


def test_many_files_are_synced_together(place: Place) -> None:
    files = [place.disk.open(place.at(str(number)), create=True) for number in range(20)]

    assert list(place.disk.sync_all(files)) == [None] * 20
    assert list(place.disk.sync_all(files[:1])) == [None]
    assert list(place.disk.sync_all([])) == []


def test_of_files_that_are_synced_together_each_has_its_own_outcome(place: Place) -> None:
    files = [place.disk.open(place.at(str(number)), create=True) for number in range(6)]
    files[2].close()

    outcomes = place.disk.sync_all(files)

    assert [outcome is None for outcome in outcomes] == [True, True, False, True, True, True]
