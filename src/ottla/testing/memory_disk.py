"""A disk in memory: files are bytearrays, directories are dicts. Nothing outlives it, and a sync has nothing to do."""

import errno
import os
import posixpath
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ottla.doors.disk import Buffer, DiskUsage, File

#: Room enough to be written to, and too little to hold a reserve back: a broker would fill 64 MiB of memory with it.
_USAGE = DiskUsage(64 * 1024 * 1024 * 1024, 1024 * 1024 * 1024)


class FileNode:
    """The bytes of one file, whatever its name is by now."""

    __slots__ = ("data", "modified_ms")

    def __init__(self, now_ms: int) -> None:
        self.data = bytearray()
        self.modified_ms = now_ms


class DirectoryNode:
    __slots__ = ("entries", "modified_ms")

    def __init__(self, now_ms: int) -> None:
        self.entries: dict[str, Node] = {}
        self.modified_ms = now_ms


Node: TypeAlias = FileNode | DirectoryNode


class MemoryFile:
    """Implements `ottla.doors.disk.File`."""

    __slots__ = ("_is_open", "_node", "_now_ms", "_read_only", "path")

    def __init__(self, path: str, node: FileNode, now_ms: Callable[[], int], *, read_only: bool) -> None:
        self.path = path
        self._node = node
        self._now_ms = now_ms
        self._read_only = read_only
        self._is_open = True

    def size(self) -> int:
        return len(self._readable())

    def write_at(self, position: int, data: Buffer) -> None:
        stored = self._writable()
        if position > len(stored):
            stored.extend(bytes(position - len(stored)))
        stored[position : position + len(data)] = data

    def read_at(self, position: int, size: int) -> bytes:
        return bytes(self._readable()[position : position + size])

    def allocate(self, position: int, size: int) -> bool:
        return False

    def truncate(self, size: int) -> None:
        stored = self._writable()
        if size > len(stored):
            stored.extend(bytes(size - len(stored)))
        else:
            del stored[size:]

    def sync(self) -> None:
        self._readable()

    def descriptor(self) -> int | None:
        return None

    def close(self) -> None:
        self._is_open = False

    def _readable(self) -> bytearray:
        if not self._is_open:
            raise _error(errno.EBADF, self.path)
        return self._node.data

    def _writable(self) -> bytearray:
        if self._read_only:
            raise _error(errno.EBADF, self.path)
        data = self._readable()
        self._node.modified_ms = self._now_ms()
        return data


class MemoryLock:
    def __init__(self, locks: set[str], path: str) -> None:
        self._locks = locks
        self._path: str | None = path

    def release(self) -> None:
        if self._path is not None:
            self._locks.discard(self._path)
            self._path = None


class MemoryDisk:
    """Implements `ottla.doors.disk.Disk`. Used from one thread at a time."""

    def __init__(self, now_ms: Callable[[], int] = lambda: 0) -> None:
        self._now_ms = now_ms
        self._root = DirectoryNode(now_ms())
        self._locks: set[str] = set()

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> MemoryFile:
        node = self._find(path)
        if isinstance(node, DirectoryNode):
            raise _error(errno.EISDIR, path)
        if node is None:
            if not create:
                raise _error(errno.ENOENT, path)
            directory, name = self._parent(path)
            node = directory.entries[name] = FileNode(self._now_ms())
        return MemoryFile(path, node, self._now_ms, read_only=read_only)

    def paced(self, bytes_per_second: float) -> "MemoryDisk":
        """Reading and writing take no time here."""
        return self

    def exists(self, path: str) -> bool:
        return self._find(path) is not None

    def is_directory(self, path: str) -> bool:
        return isinstance(self._find(path), DirectoryNode)

    def list(self, path: str) -> list[str]:
        return sorted(self._directory(path).entries)

    def size(self, path: str) -> int:
        node = self._existing(path)
        return len(node.data) if isinstance(node, FileNode) else 0

    def modified_ms(self, path: str) -> int:
        return self._existing(path).modified_ms

    def make_directories(self, path: str) -> None:
        directory = self._root
        for name in _names(path):
            entry = directory.entries.get(name)
            if isinstance(entry, FileNode):
                raise _error(errno.EEXIST, path)
            if entry is None:
                entry = directory.entries[name] = DirectoryNode(self._now_ms())
            directory = entry

    def rename(self, source: str, target: str) -> None:
        node = self._existing(source)
        old_directory, old_name = self._parent(source)
        new_directory, new_name = self._parent(target)
        replaced = new_directory.entries.get(new_name)
        if replaced is node:
            return
        if replaced is not None and isinstance(node, FileNode) != isinstance(replaced, FileNode):
            raise _error(errno.EISDIR if isinstance(node, FileNode) else errno.ENOTDIR, target)
        if isinstance(replaced, DirectoryNode) and replaced.entries:
            raise _error(errno.ENOTEMPTY, target)
        del old_directory.entries[old_name]
        new_directory.entries[new_name] = node

    def remove(self, path: str) -> None:
        if isinstance(self._existing(path), DirectoryNode):
            raise _error(errno.EISDIR, path)
        self.remove_tree(path)

    def remove_tree(self, path: str) -> None:
        self._existing(path)
        directory, name = self._parent(path)
        del directory.entries[name]

    def sync_all(self, files: Sequence[File]) -> Sequence[OSError | None]:
        outcomes: list[OSError | None] = []
        for file in files:
            try:
                file.sync()
            except OSError as error:
                outcomes.append(error)
            else:
                outcomes.append(None)
        return outcomes

    def sync_directory(self, path: str) -> None:
        self._directory(path)

    def usage(self, path: str) -> DiskUsage:
        self._existing(path)
        return _USAGE

    def lock(self, path: str) -> MemoryLock:
        key = posixpath.normpath(path)
        if key in self._locks:
            raise _error(errno.EAGAIN, path)
        self.open(path, create=True).close()
        self._locks.add(key)
        return MemoryLock(self._locks, key)

    def boot_identity(self, path: str) -> str:
        return "memory"

    def _find(self, path: str) -> Node | None:
        node: Node | None = self._root
        for name in _names(path):
            if not isinstance(node, DirectoryNode):
                return None
            node = node.entries.get(name)
        return node

    def _existing(self, path: str) -> Node:
        node = self._find(path)
        if node is None:
            raise _error(errno.ENOENT, path)
        return node

    def _directory(self, path: str) -> DirectoryNode:
        node = self._existing(path)
        if isinstance(node, FileNode):
            raise _error(errno.ENOTDIR, path)
        return node

    def _parent(self, path: str) -> tuple[DirectoryNode, str]:
        parent, _, name = path.rstrip("/").rpartition("/")
        return self._directory(parent), name


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]


def _error(code: int, path: str) -> OSError:
    return OSError(code, os.strerror(code), path)
