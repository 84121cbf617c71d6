"""A file that holds space back, so that a full disk still has room for metadata, checkpoints and retention.

When a write fails for lack of space the owner releases the reserve; once retention has made room, it restores it.
"""

import contextlib
import posixpath
from typing import Final

from ottla.doors.disk import Disk

FILE_NAME: Final = ".ottla_reserve"
RESERVE_BYTES: Final = 64 * 1024 * 1024
_STEP_BYTES: Final = 1024 * 1024


class Reserve:
    """One per log directory. Not made until `restore` is called: a test or a small broker may go without."""

    def __init__(self, disk: Disk, directory: str, size_bytes: int = RESERVE_BYTES) -> None:
        self._disk = disk
        self._path = posixpath.join(directory, FILE_NAME)
        self._directory = directory
        self.size_bytes = size_bytes

    @property
    def is_held(self) -> bool:
        return self._disk.exists(self._path) and self._disk.size(self._path) >= self.size_bytes

    def restore(self, *, spare_bytes: int = 0) -> bool:
        """Takes the space, if `spare_bytes` stay free besides it. False when there is no room. May block."""
        if self.is_held:
            return True
        if self._disk.usage(self._directory).usable_bytes < self.size_bytes + spare_bytes:
            return False
        try:
            self._fill()
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

    def _fill(self) -> None:
        # Real bytes: a hole in the file would hold nothing back.
        zeros = bytes(_STEP_BYTES)
        file = self._disk.open(self._path, create=True)
        try:
            for position in range(0, self.size_bytes, _STEP_BYTES):
                file.write_at(position, zeros[: self.size_bytes - position])
        finally:
            file.close()
