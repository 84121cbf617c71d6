"""Writes to real files: whole, in part, and refused."""

import errno
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ottla.compiled import is_compiled
from ottla.runtime.disk import OsDisk, OsFile


@pytest.fixture
def file(tmp_path: Path) -> Iterator[OsFile]:
    opened = OsDisk().open(str(tmp_path / "log"), create=True)
    yield opened
    opened.close()


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("data", [b"bytes", bytearray(b"array"), memoryview(b"a view")[2:], b"", bytes(200_000)])
def test_what_is_written_is_read_back(file: OsFile, data: bytes) -> None:
    file.write_at(3, data)

    assert file.read_at(3, len(data)) == data


def test_a_write_that_fits_in_part_names_the_reason_and_the_file(file: OsFile) -> None:
    with file_size_limit(60), pytest.raises(OSError, match=r".*/log") as failed:
        file.write_at(0, bytes(range(100)))

    assert failed.value.errno == errno.EFBIG
    assert file.size() == 60, "the first write was a short one"


def test_space_is_taken_ahead_and_given_back_where_the_system_can(file: OsFile) -> None:
    file.write_at(0, b"bytes")
    file.sync()
    taken = space_of(file)
    can_take = sys.platform == "linux" and is_compiled("ottla.runtime._system_calls")

    assert file.allocate(5, 1_000_000) == can_take

    if can_take:
        assert space_of(file) >= taken + 900_000
    file.truncate(5)
    assert space_of(file) == taken


def space_of(file: OsFile) -> int:
    return os.stat(file.path).st_blocks * 512


def test_a_file_that_is_closed_takes_nothing(file: OsFile) -> None:
    os.close(file.detach())

    with pytest.raises(OSError, match="Bad file descriptor"):
        file.write_at(0, b"x")
