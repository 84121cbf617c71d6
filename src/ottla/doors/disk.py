"""Files and directories.

Every call is synchronous. Calls that may block for long (`sync`, cold reads) are made through the `Executor` by whoever
has an event loop; the code below `runtime` never knows. All calls raise `OSError` and nothing else.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

Buffer: TypeAlias = bytes | bytearray | memoryview


class DiskUsage(NamedTuple):
    total_bytes: int
    usable_bytes: int


class File(Protocol):
    """An open file. Reads and writes name their position: no cursor, and no buffer inside the process.

    When `write_at` returns, the bytes are with the operating system (they survive kill -9); when `sync` returns, they
    are on the device (they survive power loss).
    """

    @property
    def path(self) -> str: ...

    def size(self) -> int: ...

    def write_at(self, position: int, data: Buffer) -> None:
        """Writes all of `data`, or raises OSError; then a part of it may have been written."""

    def read_at(self, position: int, size: int) -> bytes:
        """Up to `size` bytes; fewer only at the end of the file."""

    def allocate(self, position: int, size: int) -> bool:
        """Takes space on the device for bytes that will be written there; size and content stay as they are.

        False where that cannot be done: nothing depends on it. `truncate`, also to the same size, gives space back.
        """

    def truncate(self, size: int) -> None: ...

    def sync(self) -> None:
        """Forces data and size to the device. After an OSError the file must not be trusted or synced again."""

    def descriptor(self) -> int | None:
        """The kernel's file descriptor for sendfile; None where there is none (simulation)."""

    def close(self) -> None: ...


class FileSlice:
    """Bytes of a file that are to be sent as they are. The file stays open while this refers to it."""

    __slots__ = ("file", "position", "size")

    def __init__(self, file: File, position: int, size: int) -> None:
        self.file = file
        self.position = position
        self.size = size


class DirectoryLock(Protocol):
    def release(self) -> None: ...


class Disk(Protocol):
    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> File:
        """Opens a file for positioned I/O. With `create` a missing one is made (an existing one is kept as it is)."""

    def paced(self, bytes_per_second: float) -> "Disk":
        """The same disk for work that must leave room for others: its files wait so as not to be read and written
        faster. Only for work of the `Executor`."""

    def exists(self, path: str) -> bool: ...

    def is_directory(self, path: str) -> bool: ...

    def list(self, path: str) -> list[str]:
        """Names in a directory, sorted."""

    def size(self, path: str) -> int: ...

    def modified_ms(self, path: str) -> int:
        """Wall-clock time of the last change."""

    def make_directories(self, path: str) -> None: ...

    def rename(self, source: str, target: str) -> None:
        """Replaces `target` atomically if it exists."""

    def remove(self, path: str) -> None: ...

    def remove_tree(self, path: str) -> None: ...

    def sync_all(self, files: Sequence[File]) -> Sequence[OSError | None]:
        """As `sync` of each of them; what became of each. Many are synced at the same time where that is faster."""

    def sync_directory(self, path: str) -> None:
        """Makes creations, renames and removals in the directory durable."""

    def usage(self, path: str) -> DiskUsage: ...

    def lock(self, path: str) -> DirectoryLock:
        """Takes the lock file `path`, or raises BlockingIOError when another process holds it."""

    def boot_identity(self, path: str) -> str:
        """Changes whenever un-synced pages of `path` may have been lost: machine boot, another mount."""
