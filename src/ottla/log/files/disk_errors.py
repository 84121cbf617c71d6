"""What an error of the disk means: one that passes, or a device that cannot be trusted any more.

A disk that is full and a process without file descriptors work again later: what such an error refused is retried. Any
other error takes a log directory offline, and is remembered for the next start (`DiskErrorNote`).
"""

import contextlib
import errno
import logging
import posixpath
from typing import Final

from ottla.doors.disk import Disk

_log = logging.getLogger(__name__)

BOOT_NAME: Final = ".ottla_boot"
ERROR_NAME: Final = ".ottla_disk_error"

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
#: Only calls that open something get these: nothing was read or written.
_OUT_OF_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})


class NoRoom(OSError):
    """There is no room for a small file, on the disk or among the open ones; what was there is untouched."""


def is_no_room(error: Exception | None) -> bool:
    return isinstance(error, OSError) and error.errno in _NO_ROOM


def is_out_of_files(error: Exception | None) -> bool:
    return isinstance(error, OSError) and error.errno in _OUT_OF_FILES


def is_transient(error: Exception | None) -> bool:
    """Of an operation that has changed nothing. A failed fsync is never one, whatever its number."""
    return is_no_room(error) or is_out_of_files(error)


class DiskErrorNote:
    """The memory of a disk error, for the next start. It takes no room: a full or failing disk may leave none."""

    @staticmethod
    def leave(disk: Disk, directory: str) -> None:
        """Never raises. May be called from any thread, and again."""
        boot = posixpath.join(directory, BOOT_NAME)
        try:
            disk.rename(boot, posixpath.join(directory, ERROR_NAME))
        except FileNotFoundError:
            # It was left before, or this run has not begun: then the note of the last one still stands.
            return
        except OSError as error:
            _log.critical("%s cannot be marked as failed (%s): restart the machine before it is used", directory, error)

    @staticmethod
    def remove(disk: Disk, directory: str) -> None:
        """What may have been lost has been written again."""
        with contextlib.suppress(FileNotFoundError):
            disk.remove(posixpath.join(directory, ERROR_NAME))
