"""What a process and its children have used: CPU seconds and memory (Linux)."""

import os
import time
from collections import defaultdict
from pathlib import Path

_PROC = Path("/proc")


def process_tree(pid: int) -> list[int]:
    """The process and everything below it: helper processes count as the broker's."""
    children: dict[int, list[int]] = defaultdict(list)
    for entry in os.listdir(_PROC):
        if entry.isdigit():
            parent = _parent(int(entry))
            if parent is not None:
                children[parent].append(int(entry))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        process = waiting.pop()
        found.append(process)
        waiting += children[process]
    return found


def cpu_seconds(pid: int) -> float:
    """User and system time. From the process' own CPU clock: /proc counts in steps of 10 ms."""
    return sum(_cpu_clock(process) for process in process_tree(pid))


def pss_bytes(pid: int) -> int:
    """Proportional set size: shared pages are counted by their share."""
    return sum(_pss(process) for process in process_tree(pid))


def _parent(pid: int) -> int | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    return int(text.rsplit(")", 1)[1].split()[1])


def _cpu_clock(pid: int) -> float:
    # The number of another process' CPU clock, as clock_getcpuclockid(3) makes it.
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def _pss(pid: int) -> int:
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
