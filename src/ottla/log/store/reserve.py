"""A file that holds space back, so that a full disk still has room for metadata, checkpoints and retention.

When a write fails for lack of space the owner releases the reserve; once retention has made room, it restores it.
"""

import contextlib
import posixpath
from typing import Final

from ottla.doors.disk import Disk, DiskUsage

FILE_NAME: Final = ".ottla_reserve"
RESERVE_BYTES: Final = 64 * 1024 * 1024
#: At most this part of a small disk is held back, and taken only where this part stays free besides.
_PART_HELD: Final = 16
_PART_SPARE: Final = 8
_STEP_BYTES: Final = 1024 * 1024


class Reserve:
    """One per log directory. Not made until `restore` is called: a test or a small broker may go without."""

    def __init__(self, disk: Disk, directory: str, size_bytes: int = RESERVE_BYTES) -> None:
        self._disk = disk
        self._path = posixpath.join(directory, FILE_NAME)
        self._directory = directory
        #: Of a large disk.
        self.size_bytes = size_bytes

    @property
    def is_held(self) -> bool:
        return self._holds(self._wanted_bytes(self._disk.usage(self._directory)))

    def _holds(self, size_bytes: int) -> bool:
        return self._disk.exists(self._path) and self._disk.size(self._path) >= size_bytes

    def _wanted_bytes(self, usage: DiskUsage) -> int:
        return min(self.size_bytes, usage.total_bytes // _PART_HELD)

    def restore(self, *, spare_bytes: int = 0) -> bool:
        """Takes the space, if `spare_bytes`, or a part of a small disk, stay free. False without room. May block."""
        usage = self._disk.usage(self._directory)
        size_bytes = self._wanted_bytes(usage)
        if not size_bytes:
            self.release()
            return True
        if self._holds(size_bytes):
            return True
        if usage.usable_bytes < size_bytes + min(spare_bytes, usage.total_bytes // _PART_SPARE):
            return False
        try:
            self._fill(size_bytes)
        except OSError:
            self.release()
            return False
        return True

    def release(self) -> bool:
        """True when space was given back."""
        with contextlib.suppress(OSError):
            self._disk.remove(self._path)
            return True
        return False

    def _fill(self, size_bytes: int) -> None:
        # Real bytes: a hole in the file would hold nothing back.
        zeros = bytes(_STEP_BYTES)
        file = self._disk.open(self._path, create=True)
        try:
            for position in range(0, size_bytes, _STEP_BYTES):
                file.write_at(position, zeros[: size_bytes - position])
        finally:
            file.close()
