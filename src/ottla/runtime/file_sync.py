"""Forcing a file to the device, by the strongest call the platform has."""

import errno
import fcntl
import os

_FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)


def sync_descriptor(descriptor: int) -> None:
    """Forces a file's data and size to the device. Raises OSError and nothing else."""
    if descriptor < 0:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    if _FULL_SYNC is not None:
        # macOS: fsync reaches only the drive's own cache.
        fcntl.fcntl(descriptor, _FULL_SYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
    else:
        os.fsync(descriptor)
