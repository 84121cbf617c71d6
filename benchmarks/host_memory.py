"""Makes the next writes find memory that the host has already handed out.

A virtual machine returns its free memory to the host within seconds, and each page that the host hands out anew costs
kernel time at its first touch: 2-3 CPU seconds per GB, charged to whoever comes first. It halves the throughput of any
broker and hides every difference, so memory is touched and released right before bytes are measured. The kernel hands
out released pages in an order of its own: 1.25 times the bytes of the row were not enough, six times are.
"""

import mmap
from pathlib import Path

_TOUCHED_PER_ROW_BYTE = 6
_MEMINFO = Path("/proc/meminfo")


def touch(row_bytes: int) -> None:
    """Takes and releases several times what the row is going to write; never more than half of what is available."""
    size = touched_bytes(row_bytes, available_bytes(_MEMINFO.read_text()))
    with mmap.mmap(-1, size) as memory:
        memory[:: mmap.PAGESIZE] = bytes(size // mmap.PAGESIZE)


def touched_bytes(row_bytes: int, available: int) -> int:
    """Whole pages."""
    pages = min(_TOUCHED_PER_ROW_BYTE * row_bytes, available // 2) // mmap.PAGESIZE
    return max(1, pages) * mmap.PAGESIZE


def available_bytes(meminfo: str) -> int:
    """What programs can take without swapping, from the text of /proc/meminfo."""
    for line in meminfo.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/meminfo has no line MemAvailable: the benchmarks need Linux 3.14 or newer")
