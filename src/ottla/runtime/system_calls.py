"""System calls on the hot path: compiled where a compiler was there, Python's own otherwise.

Python's own calls build an exception for each "would block" and an object for each result; the compiled ones return
numbers. Neither decides anything.
"""

import errno
import os
import time
from collections.abc import Sequence
from typing import Final

from ottla.doors.disk import Buffer
from ottla.runtime.file_sync import sync_descriptor

#: What `receive` and `send` return when nothing can be done now.
WOULD_BLOCK: Final = frozenset({-errno.EAGAIN, -errno.EWOULDBLOCK, -errno.EINTR})

try:
    from ottla.runtime._system_calls import allocate as allocate
    from ottla.runtime._system_calls import monotonic_ms as monotonic_ms
    from ottla.runtime._system_calls import now_ms as now_ms
    from ottla.runtime._system_calls import receive as receive
    from ottla.runtime._system_calls import send as send
    from ottla.runtime._system_calls import sync_descriptors as sync_descriptors
    from ottla.runtime._system_calls import write_at as write_at
except ModuleNotFoundError:

    def now_ms() -> int:
        """Wall-clock milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def monotonic_ms() -> int:
        """Milliseconds since some moment: for differences."""
        return time.monotonic_ns() // 1_000_000

    def receive(descriptor: int, room: Buffer) -> int:
        """The number of bytes that came, 0 at the end of the stream, or a negative errno."""
        try:
            return os.readv(descriptor, [room])
        except OSError as error:
            return -(error.errno or errno.EIO)

    def send(descriptor: int, data: Buffer) -> int:
        """The number of bytes that were taken, or a negative errno."""
        try:
            return os.write(descriptor, data)
        except OSError as error:
            return -(error.errno or errno.EIO)

    def write_at(descriptor: int, data: Buffer, position: int) -> int:
        """The number of bytes that were written, or a negative errno."""
        try:
            return os.pwrite(descriptor, data, position)
        except OSError as error:
            return -(error.errno or errno.EIO)

    def allocate(descriptor: int, position: int, size: int) -> bool:
        """Python's own call, posix_fallocate, writes zeros and makes the file larger: not what is wanted."""
        return False

    def sync_descriptors(descriptors: Sequence[int]) -> list[int]:
        """For each its errno, or 0. They stay open and unused by others until this returns."""
        return [_sync_outcome(descriptor) for descriptor in descriptors]

    def _sync_outcome(descriptor: int) -> int:
        try:
            sync_descriptor(descriptor)
        except OSError as error:
            return error.errno or errno.EIO
        return 0
