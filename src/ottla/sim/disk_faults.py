"""What goes wrong with one process's disk, and when.

Every change of the disk is counted. A fault is either tied to such a number (`crash_at`) or to the next operation of a
kind on a matching path (`fail_next`). `on_operation` sees each operation first: it traces, or raises what it likes.
"""

import os
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple


class SimulatedCrash(BaseException):
    """The process is dead at this point. Not an Exception: no handler of the product may survive it."""


class LostPages(Enum):
    """When readers stop seeing what a failed sync did not write. The device gets it only if it is written again."""

    AT_RESTART = "with the process"
    AT_ONCE = "at once"
    #: The kernel has marked them clean and has room for them: only a power loss shows that they were lost.
    STAY = "at power loss"
    #: Memory was short while the process was down: some pages are read from the device, others from the cache.
    SOME_AT_RESTART = "some with the process"


class Operation(NamedTuple):
    """One change of the disk. Kinds: write, allocate, truncate, sync, create, mkdir, rename, remove, sync_directory."""

    number: int
    kind: str
    path: str
    position: int
    size: int


class Failure(NamedTuple):
    """The next operation of `kind` whose path contains `path_part` fails with the error number `error`."""

    kind: str
    error: int
    path_part: str = ""
    #: Operations that match and still succeed before this takes effect.
    after: int = 0
    #: How many fail; -1 for all.
    times: int = 1
    #: Of a failing write, the bytes that reach the file.
    written_bytes: int = 0


class DiskFaults:
    def __init__(self) -> None:
        self.operation_count = 0
        #: Capacity of the disk; None: without limit.
        self.space_bytes: int | None = None
        #: Capacity that an unlimited disk claims to have.
        self.claimed_bytes = 1 << 40
        #: How many files may be open at a time; None: without limit.
        self.open_files_max: int | None = None
        self.lost_pages = LostPages.AT_RESTART
        self.on_operation: Callable[[Operation], None] | None = None
        self.on_crash: Callable[[], None] | None = None
        self.has_crashed = False
        self._crash_number: int | None = None
        self._crash_written_bytes = 0
        self._crash_comes_after = False
        self._failures: list[Failure] = []
        self._end_of_write: BaseException | None = None

    def crash_at(self, number: int, *, written_bytes: int = 0) -> None:
        """The operation with this number (the first is 0) is not done any more, or, if a write, only in part."""
        self._crash_number = number
        self._crash_written_bytes = written_bytes
        self._crash_comes_after = False

    def crash_after(self, number: int) -> None:
        """The operation with this number is the last thing that the process does."""
        self._crash_number = number
        self._crash_comes_after = True

    def fail_next(
        self, kind: str, error: int, path_part: str = "", *, after: int = 0, times: int = 1, written_bytes: int = 0
    ) -> None:
        """`kind` is one of Operation's, or "read"."""
        self._failures.append(Failure(kind, error, path_part, after, times, written_bytes))

    def heal(self) -> None:
        """Ends all failures and the space limit; a crash that is due stays due."""
        self._failures.clear()
        self.space_bytes = None

    # asked by the disk

    def count(self, kind: str, path: str, position: int, size: int) -> Operation:
        operation = Operation(self.operation_count, kind, path, position, size)
        self.operation_count += 1
        if self.on_operation is not None:
            self.on_operation(operation)
        return operation

    def begin(self, operation: Operation) -> None:
        if operation.number == self._crash_number and not self._crash_comes_after:
            raise self._crashed(operation)
        failure = self._take_failure(operation.kind, operation.path)
        if failure is not None:
            raise OSError(failure.error, os.strerror(failure.error), operation.path)

    def end(self, operation: Operation) -> None:
        """The operation is done."""
        if operation.number == self._crash_number and self._crash_comes_after:
            raise self._crashed(operation)

    def begin_write(self, operation: Operation) -> int:
        """How many bytes reach the file. `end_write` raises afterwards when that was not all."""
        self._end_of_write = None
        if operation.number == self._crash_number:
            self._end_of_write = self._crashed(operation)
            return operation.size if self._crash_comes_after else min(self._crash_written_bytes, operation.size)
        failure = self._take_failure("write", operation.path)
        if failure is None:
            return operation.size
        self._end_of_write = OSError(failure.error, os.strerror(failure.error), operation.path)
        return min(failure.written_bytes, operation.size)

    def end_write(self) -> None:
        error, self._end_of_write = self._end_of_write, None
        if error is not None:
            raise error

    def before_read(self, path: str) -> None:
        failure = self._take_failure("read", path) if self._failures else None
        if failure is not None:
            raise OSError(failure.error, os.strerror(failure.error), path)

    def _crashed(self, operation: Operation) -> SimulatedCrash:
        self.has_crashed = True
        if self.on_crash is not None:
            self.on_crash()
        return SimulatedCrash(f"crash at operation {operation.number}: {operation.kind} {operation.path}")

    def _take_failure(self, kind: str, path: str) -> Failure | None:
        for i, failure in enumerate(self._failures):
            if failure.kind != kind or failure.path_part not in path:
                continue
            if failure.after > 0:
                self._failures[i] = failure._replace(after=failure.after - 1)
                continue
            if failure.times > 1:
                self._failures[i] = failure._replace(times=failure.times - 1)
            elif failure.times == 1:
                del self._failures[i]
            return failure
        return None
