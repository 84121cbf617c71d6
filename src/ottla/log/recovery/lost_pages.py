"""After a failed fsync the page cache may show bytes that the device never got, and call them clean.

They stay readable, over a restart of the process too, until they are evicted or the power is lost; a second fsync
succeeds and writes nothing. So when a run has seen an error, and the machine has not been started since, whatever may
be such a page is read and written again before anything is made of it: what is in the cache then is on the device.
Each byte is written as it was read, so a crash in between harms nothing.
"""

import posixpath
from typing import Final

from ottla.doors.disk import Disk
from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.log_directory import LOG, SEGMENT_SUFFIXES, offset_of

_STEP_BYTES: Final = 1 << 20


class LostPages:
    """What may have been lost in one partition's directory; `names` are its files."""

    def __init__(self, disk: Disk, path: str, names: list[str]) -> None:
        self._disk = disk
        self._path = path
        self._names = names

    def write_again(self, recovery_point: int) -> None:
        """All but what is below the recovery point: that has been on the device. Raises OSError."""
        bases = sorted(base for name in self._names if (base := offset_of(name, LOG)) is not None)
        # The indexes of the segment that ends at the recovery point may have been closed since.
        first_base = max((base for base in bases if base < recovery_point), default=0)
        for name in self._names:
            suffix = name[20:]
            base = offset_of(name, suffix) if suffix in SEGMENT_SUFFIXES else None
            if base is not None and base < first_base:
                continue
            below = recovery_point if suffix == LOG and base == first_base else 0
            self._write_file_again(f"{self._path}/{name}", below)
        if self._names:
            self._disk.sync_directory(self._path)
            self._disk.sync_directory(posixpath.dirname(self._path))

    def _write_file_again(self, path: str, recovery_point: int) -> None:
        if self._disk.is_directory(path):
            return
        file = self._disk.open(path)
        try:
            size = file.size()
            position = 0
            for at, header in scan_headers(file, 0, size) if recovery_point else ():
                position = at
                if header.last_offset >= recovery_point:
                    break
            while position < size:
                data = file.read_at(position, min(_STEP_BYTES, size - position))
                file.write_at(position, data)
                position += len(data)
            file.sync()
        finally:
            file.close()
