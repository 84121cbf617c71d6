"""Limits of this process."""

import contextlib
import os
import resource
from collections.abc import Iterator
from pathlib import Path

from ottla.doors.machine import Machine


def raise_open_file_limit(wanted: int = 1_048_576) -> int:
    """Asks for as many open files as the system allows: each partition needs some. Gives the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
        return target
    return wanted if soft == resource.RLIM_INFINITY else soft


def this_machine() -> Machine:
    return Machine(memory_bytes=memory_bytes(), open_files=raise_open_file_limit())


def memory_bytes(groups: Path = Path("/sys/fs/cgroup"), own_group: Path = Path("/proc/self/cgroup")) -> int:
    """What the machine has, or what the container or service around this process may use of it."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for path in _limit_files(groups, own_group):
        with contextlib.suppress(OSError, ValueError):
            # "max" is no number and no limit.
            found.append(int(path.read_text(encoding="ascii")))
    return min(found)


def _limit_files(groups: Path, own_group: Path) -> Iterator[Path]:
    """Of every group around this process, in both forms that Linux has had for it."""
    try:
        lines = own_group.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        root, name = (groups, "memory.max") if not controllers else (groups / "memory", "memory.limit_in_bytes")
        if controllers and "memory" not in controllers.split(","):
            continue
        group = root / path.lstrip("/")
        yield from (folder / name for folder in (group, *group.parents) if folder.is_relative_to(root))
