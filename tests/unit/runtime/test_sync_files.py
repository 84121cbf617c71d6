"""Many files synced at the same time."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.runtime.system_calls import sync_descriptors


@pytest.fixture
def files(tmp_path: Path) -> Iterator[list[int]]:
    opened = [os.open(tmp_path / str(number), os.O_RDWR | os.O_CREAT) for number in range(60)]
    for descriptor in opened:
        os.write(descriptor, b"x" * 100)
    yield opened
    for descriptor in opened:
        os.close(descriptor)


@pytest.mark.parametrize("count", [0, 1, 2, 13, 60])
def test_all_files_are_synced_and_stay_open(files: list[int], count: int) -> None:
    assert sync_descriptors(files[:count]) == [0] * count
    for descriptor in files:
        os.fstat(descriptor)


def test_what_cannot_be_synced_is_named_and_the_others_are_synced(files: list[int]) -> None:
    read_end, write_end = os.pipe()
    try:
        codes = sync_descriptors([*files[:7], write_end, -1, *files[7:20]])
    finally:
        os.close(read_end)
        os.close(write_end)

    assert codes == [0] * 7 + [errno.EINVAL, errno.EBADF] + [0] * 13
