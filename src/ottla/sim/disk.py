"""A simulated disk: the view that one process has of a `DiskImage`, with faults on demand.

    disk = SimDisk()                       a new, empty machine
    image = disk.kill()                    kill -9: every later call on `disk` and its files raises SimulatedCrash
    image = disk.power_loss(rng)           the same, and un-synced changes are lost in a way that the rng picks
    disk = SimDisk(image)                  the process starts again

Faults are set on `disk.faults`; each change of the disk has a number (`operation_count`), so that a test can crash at
every one of them.
"""

import errno
import os
import posixpath
from collections.abc import Callable, Sequence

from ottla.doors.disk import Buffer, DiskUsage, File
from ottla.doors.rng import Rng
from ottla.sim.disk_faults import DiskFaults, LostPages, Operation, SimulatedCrash
from ottla.sim.disk_image import DirectoryNode, DiskImage, EntryChange, FileNode, Node, split_path


class SimFile:
    """Implements `ottla.doors.disk.File`."""

    __slots__ = ("_disk", "_is_open", "_node", "_path", "_read_only")

    def __init__(self, disk: "SimDisk", path: str, node: FileNode, *, read_only: bool) -> None:
        self._disk = disk
        self._path = path
        self._node = node
        self._read_only = read_only
        self._is_open = True
        disk.descriptors.opened(self, node)

    @property
    def path(self) -> str:
        return self._path

    def size(self) -> int:
        self._check_open()
        return len(self._node.cached)

    def write_at(self, position: int, data: Buffer) -> None:
        self._check_writable()
        self._disk.write(self._path, self._node, position, bytes(data))

    def read_at(self, position: int, size: int) -> bytes:
        self._check_open()
        self._disk.faults.before_read(self._path)
        return bytes(self._node.cached[position : position + size])

    def allocate(self, position: int, size: int) -> bool:
        self._check_writable()
        return self._disk.allocate(self._path, self._node, position + size)

    def truncate(self, size: int) -> None:
        self._check_writable()
        self._disk.resize(self._path, self._node, size)

    def sync(self) -> None:
        self._check_open()
        self._disk.sync(self._path, self._node)

    def descriptor(self) -> int | None:
        return None

    def close(self) -> None:
        self._is_open = False
        self._disk.descriptors.closed(self)

    def __del__(self) -> None:
        # As a real file closes with its last reference.
        self._disk.descriptors.closed(self)

    def _check_open(self) -> None:
        self._disk.check_alive()
        if not self._is_open:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), self._path)

    def _check_writable(self) -> None:
        self._check_open()
        if self._read_only:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), self._path)


class Descriptors:
    """The open files of one process."""

    def __init__(self) -> None:
        self._open: dict[int, FileNode] = {}

    def __len__(self) -> int:
        return len(self._open)

    def opened(self, file: SimFile, node: FileNode) -> None:
        self._open[id(file)] = node

    def closed(self, file: SimFile) -> None:
        self._open.pop(id(file), None)

    def nodes(self) -> list[FileNode]:
        return list(self._open.values())


class SimLock:
    def __init__(self, image: DiskImage, path: str, owner: object) -> None:
        self._image = image
        self._path = path
        self._owner = owner

    def release(self) -> None:
        if self._image.locks.get(self._path) is self._owner:
            del self._image.locks[self._path]


class SimDisk:
    """Implements `ottla.doors.disk.Disk`. Lives as long as the process that it belongs to."""

    def __init__(
        self,
        image: DiskImage | None = None,
        *,
        faults: DiskFaults | None = None,
        now_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        self.image = DiskImage() if image is None else image
        self.faults = DiskFaults() if faults is None else faults
        self._now_ms = now_ms
        self._is_alive = True
        self.descriptors = Descriptors()

    # the end of the process

    @property
    def operation_count(self) -> int:
        """How many changes of the disk were begun."""
        return self.faults.operation_count

    @property
    def is_alive(self) -> bool:
        return self._is_alive and not self.faults.has_crashed

    def check_alive(self) -> None:
        if not self.is_alive:
            raise SimulatedCrash("the process that owned this disk is dead")

    def kill(self) -> DiskImage:
        """kill -9: the page cache survives."""
        self._is_alive = False
        for path in [path for path, owner in self.image.locks.items() if owner is self]:
            del self.image.locks[path]
        return self.image

    def power_loss(self, rng: Rng, *, nasty: bool = False) -> DiskImage:
        return self.kill().after_power_loss(rng, nasty=nasty)

    def removed_but_open(self) -> list[FileNode]:
        """Open files without a name: their space stays taken until they are closed."""
        named = dict.fromkeys(id(node) for _, node in self.image.files())
        open_nodes = {id(node): node for node in self.descriptors.nodes()}
        return [node for key, node in open_nodes.items() if key not in named]

    def used_bytes(self) -> int:
        return self.image.used_bytes() + sum(node.taken_bytes for node in self.removed_but_open())

    def paced(self, bytes_per_second: float) -> "SimDisk":
        """Reading and writing take no time here."""
        return self

    # content

    def write(self, path: str, node: FileNode, position: int, data: bytes) -> None:
        written_bytes = self.faults.begin_write(self._operation("write", path, position, len(data)))
        room = self._room_for(node, position + len(data))
        if min(written_bytes, room - position) > 0:
            node.write(position, data[: min(written_bytes, room - position)])
            node.modified_ms = self._now_ms()
        self.faults.end_write()
        if room < position + len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    def allocate(self, path: str, node: FileNode, end: int) -> bool:
        operation = self._begin("allocate", path, end)
        if self._room_for(node, end) < end:
            return False
        node.allocated_size = max(end, node.allocated_size)
        self.faults.end(operation)
        return True

    def resize(self, path: str, node: FileNode, size: int) -> None:
        operation = self._begin("truncate", path, size)
        if self._room_for(node, size) < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        node.resize(size)
        node.modified_ms = self._now_ms()
        self.faults.end(operation)

    def sync(self, path: str, node: FileNode) -> None:
        try:
            operation = self._begin("sync", path, len(node.cached))
        except OSError:
            node.drop_unsynced()
            if self.faults.lost_pages is LostPages.AT_ONCE:
                node.evict_lost_pages()
            raise
        node.sync()
        self.faults.end(operation)

    def _room_for(self, node: FileNode, end: int) -> int:
        """How long the file may be, at most `end`."""
        space_bytes = self.faults.space_bytes
        if space_bytes is None or end <= node.taken_bytes:
            return end
        free_bytes = max(0, space_bytes - self.used_bytes())
        return min(end, node.taken_bytes + free_bytes)

    # names

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> SimFile:
        self.check_alive()
        node = self.image.find(path)
        if isinstance(node, DirectoryNode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if node is None and not create:
            raise _missing(path)
        self._check_descriptors(path)
        if node is None:
            node = self._create(path)
        return SimFile(self, path, node, read_only=read_only)

    def _create(self, path: str) -> FileNode:
        directory, name = self._parent(path)
        operation = self._begin("create", path)
        node = FileNode()
        node.modified_ms = self._now_ms()
        self._change(EntryChange(directory, name, node))
        self.faults.end(operation)
        return node

    def exists(self, path: str) -> bool:
        self.check_alive()
        return self.image.find(path) is not None

    def is_directory(self, path: str) -> bool:
        self.check_alive()
        return isinstance(self.image.find(path), DirectoryNode)

    def list(self, path: str) -> list[str]:
        self._check_descriptors(path)
        self.faults.before_read(path)
        return sorted(self._directory(path).cached)

    def size(self, path: str) -> int:
        node = self._existing(path)
        return len(node.cached) if isinstance(node, FileNode) else 0

    def modified_ms(self, path: str) -> int:
        return self._existing(path).modified_ms

    def make_directories(self, path: str) -> None:
        self.check_alive()
        directory = self.image.root
        for name in split_path(path):
            entry = directory.cached.get(name)
            if isinstance(entry, FileNode):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
            if entry is None:
                operation = self._begin("mkdir", path)
                entry = DirectoryNode()
                entry.modified_ms = self._now_ms()
                self._change(EntryChange(directory, name, entry))
                self.faults.end(operation)
            directory = entry

    def rename(self, source: str, target: str) -> None:
        node = self._existing(source)
        from_directory, old_name = self._parent(source)
        to_directory, new_name = self._parent(target)
        if (from_directory, old_name) == (to_directory, new_name):
            return
        self._check_replaceable(node, to_directory.cached.get(new_name), target)
        operation = self._begin("rename", source)
        self._change(EntryChange(from_directory, old_name, None), EntryChange(to_directory, new_name, node))
        self.faults.end(operation)

    def _check_replaceable(self, node: Node, replaced: Node | None, target: str) -> None:
        if replaced is None:
            return
        if isinstance(node, FileNode) and isinstance(replaced, DirectoryNode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
        if isinstance(node, DirectoryNode) and isinstance(replaced, FileNode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), target)
        if isinstance(replaced, DirectoryNode) and replaced.cached:
            raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), target)

    def remove(self, path: str) -> None:
        node = self._existing(path)
        if isinstance(node, DirectoryNode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        directory, name = self._parent(path)
        operation = self._begin("remove", path)
        self._change(EntryChange(directory, name, None))
        self.faults.end(operation)

    def remove_tree(self, path: str) -> None:
        """Name by name, as a real disk does it: a crash in the middle leaves a part of the tree."""
        node = self._existing(path)
        if isinstance(node, DirectoryNode):
            for name in sorted(node.cached):
                self.remove_tree(posixpath.join(path, name))
        directory, name = self._parent(path)
        operation = self._begin("remove", path)
        self._change(EntryChange(directory, name, None))
        self.faults.end(operation)

    def sync_all(self, files: Sequence[File]) -> Sequence[OSError | None]:
        outcomes: list[OSError | None] = []
        for file in files:
            try:
                file.sync()
                outcomes.append(None)
            except OSError as error:
                outcomes.append(error)
        return outcomes

    def sync_directory(self, path: str) -> None:
        directory = self._directory(path)
        self._check_descriptors(path)
        operation = self._begin("sync_directory", path)
        self.image.sync_directory(directory)
        self.faults.end(operation)

    def usage(self, path: str) -> DiskUsage:
        self._existing(path)
        limit = self.faults.space_bytes
        total_bytes = self.faults.claimed_bytes if limit is None else limit
        return DiskUsage(total_bytes, max(0, total_bytes - self.used_bytes()))

    def lock(self, path: str) -> SimLock:
        self.check_alive()
        key = posixpath.normpath(path)
        if key in self.image.locks:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), path)
        self.open(path, create=True).close()
        self.image.locks[key] = self
        return SimLock(self.image, key, self)

    def boot_identity(self, path: str) -> str:
        self.check_alive()
        return f"boot-{self.image.boot_count}"

    # parts

    def _operation(self, kind: str, path: str, position: int = 0, size: int = 0) -> Operation:
        self.check_alive()
        return self.faults.count(kind, path, position, size)

    def _check_descriptors(self, path: str) -> None:
        """A directory that is listed or synced takes a descriptor as well, for a moment."""
        limit = self.faults.open_files_max
        if limit is not None and len(self.descriptors) >= limit:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), path)

    def _begin(self, kind: str, path: str, position: int = 0) -> Operation:
        operation = self._operation(kind, path, position)
        self.faults.begin(operation)
        return operation

    def _change(self, *changes: EntryChange) -> None:
        self.image.change_entries([*changes])
        for change in changes:
            change.directory.modified_ms = self._now_ms()

    def _existing(self, path: str) -> Node:
        self.check_alive()
        node = self.image.find(path)
        if node is None:
            raise _missing(path)
        return node

    def _directory(self, path: str) -> DirectoryNode:
        node = self._existing(path)
        if not isinstance(node, DirectoryNode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        return node

    def _parent(self, path: str) -> tuple[DirectoryNode, str]:
        names = split_path(path)
        return self._directory("/" + "/".join(names[:-1])), names[-1]


def _missing(path: str) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
