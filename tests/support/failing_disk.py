"""Makes fsync or writes of a real process fail on demand: a shim between it and the C library.

Which operation fails, and on which paths, stands in a file that the shim reads each time; no file, no failure.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* The order is one line: the kind of operation, a space, a part of the path. */
static int fails(const char *kind, int descriptor)
{
    char order[512], link[64], path[4096];
    const char *place = getenv("TEST_DISK_ORDER");
    int file = place ? open(place, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return 0;
    ssize_t size = read(file, order, sizeof order - 1);
    close(file);
    if (size <= 0)
        return 0;
    order[size] = 0;
    order[strcspn(order, "\n")] = 0;
    size_t length = strlen(kind);
    if (strncmp(order, kind, length) || order[length] != ' ')
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    size = readlink(link, path, sizeof path - 1);
    if (size <= 0)
        return 0;
    path[size] = 0;
    return strstr(path, order + length + 1) != 0;
}

#define REAL(name, type) ((type) dlsym(RTLD_NEXT, name))

int fsync(int descriptor)
{
    if (fails("sync", descriptor)) { errno = EIO; return -1; }
    return REAL("fsync", int (*)(int))(descriptor);
}

int fdatasync(int descriptor)
{
    if (fails("sync", descriptor)) { errno = EIO; return -1; }
    return REAL("fdatasync", int (*)(int))(descriptor);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t position)
{
    if (fails("write", descriptor)) { errno = EIO; return -1; }
    return REAL("pwrite", ssize_t (*)(int, const void *, size_t, off_t))(descriptor, data, size, position);
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t position)
{
    if (fails("write", descriptor)) { errno = EIO; return -1; }
    return REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t))(descriptor, data, size, position);
}
"""


class FailingDisk:
    """Made once for a test; `python` is an interpreter whose operations can be made to fail."""

    def __init__(self, directory: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None or sys.platform != "linux":
            pytest.skip("operations of a process cannot be made to fail here: needs Linux and a C compiler")
        source, shim = directory / "failing_disk.c", directory / "failing_disk.so"
        source.write_text(_SOURCE)
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(shim), str(source), "-ldl"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"operations of a process cannot be made to fail here: {done.stderr.strip()[:200]}")
        self._order = directory / "order"
        self.python = str(directory / "python-with-failing-disk")
        script = Path(self.python)
        script.write_text(f'#!/bin/sh\nLD_PRELOAD={shim} TEST_DISK_ORDER={self._order} exec {sys.executable} "$@"\n')
        script.chmod(0o755)

    def fails(self, kind: str, path_part: str) -> None:
        """From now on; `kind` is "sync" or "write"."""
        fresh = self._order.with_suffix(".new")
        fresh.write_text(f"{kind} {path_part}\n")
        os.replace(fresh, self._order)

    def works(self) -> None:
        self._order.unlink()
