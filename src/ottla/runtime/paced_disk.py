"""A disk for background work in a process of its own: waits so as not to read and write faster than it may."""

import time
from collections.abc import Callable

from ottla.doors.disk import Buffer
from ottla.runtime.disk import OsDisk, OsFile

#: Waits shorter than this are saved up: sleeping is not that exact.
_MIN_WAIT_S = 0.01


class Pace:
    """Bytes of one piece of work. Time in which nothing was done is not made up for later."""

    def __init__(
        self,
        bytes_per_second: float,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._bytes_per_second = bytes_per_second
        self._now = now
        self._sleep = sleep
        self._due = now()

    def spend(self, size: int) -> None:
        now = self._now()
        self._due = max(self._due, now) + size / self._bytes_per_second
        if self._due - now >= _MIN_WAIT_S:
            self._sleep(self._due - now)


class PacedFile(OsFile):
    __slots__ = ("_pace",)

    def __init__(self, file: OsFile, pace: Pace) -> None:
        super().__init__(file.path, file.detach())
        self._pace = pace

    def write_at(self, position: int, data: Buffer) -> None:
        self._pace.spend(len(data))
        super().write_at(position, data)

    def read_at(self, position: int, size: int) -> bytes:
        data = super().read_at(position, size)
        self._pace.spend(len(data))
        return data


class PacedDisk(OsDisk):
    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> OsFile:
        return PacedFile(super().open(path, create=create, read_only=read_only), self._pace)
