"""Memory that is touched before a row."""

import mmap

import pytest
from benchmarks.host_memory import available_bytes, touched_bytes

GB = 1 << 30


def test_several_times_the_bytes_of_a_row_are_touched() -> None:
    assert touched_bytes(GB, 100 * GB) == 6 * GB


def test_half_of_the_available_memory_is_left() -> None:
    assert touched_bytes(10 * GB, 8 * GB) == 4 * GB


@pytest.mark.parametrize("row_bytes", [0, 1, 1_000_000])
def test_whole_pages_are_touched_and_one_at_least(row_bytes: int) -> None:
    size = touched_bytes(row_bytes, GB)

    assert size >= mmap.PAGESIZE
    assert size % mmap.PAGESIZE == 0


def test_available_memory_is_read_from_meminfo() -> None:
    assert available_bytes("MemTotal:  100 kB\nMemFree:  10 kB\nMemAvailable:   42 kB\n") == 42 * 1024


def test_a_system_without_meminfo_is_refused_with_the_reason() -> None:
    with pytest.raises(RuntimeError, match="MemAvailable"):
        available_bytes("MemTotal: 100 kB\n")
