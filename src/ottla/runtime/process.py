"""Limits of this process."""

import os
import resource

from ottla.doors.machine import Machine

#: The memory limit of a container, in both forms that Linux has had for it.
_MEMORY_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def raise_open_file_limit(wanted: int = 1_048_576) -> int:
    """Asks for as many open files as the system allows: each partition needs some. Gives the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
        return target
    return wanted if soft == resource.RLIM_INFINITY else soft


def this_machine() -> Machine:
    return Machine(memory_bytes=_memory_bytes(), open_files=raise_open_file_limit())


def _memory_bytes() -> int:
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for path in _MEMORY_LIMITS:
        try:
            with open(path, encoding="ascii") as file:
                text = file.read().strip()
        except OSError:
            continue
        if text.isdigit():
            found.append(int(text))
    return min(found)
