"""What a simulated device holds: files and directories, each with the page cache's view and the durable one.

A file is its cached bytes, its durable bytes and the list of changes in between. A directory is the same with names
instead of bytes. `after_power_loss` turns an image into one that a machine may find when the power comes back:

- synced data and synced directories are there;
- of later changes of a file a prefix is there, the last write possibly in part; or, in *nasty* mode, any set of
  512-byte sectors. The size may have grown without the data: zeros;
- un-synced creations, renames and removals are kept or lost: a prefix of them, or each by itself in nasty mode.
  A rename is atomic in both.

A truncation orders what comes after it: blocks that it freed are not used again before it is durable.
"""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from ottla.doors.rng import Rng

SECTOR_BYTES = 512
PAGE_BYTES = 4096


class Written(NamedTuple):
    position: int
    data: bytes


class Resized(NamedTuple):
    """A truncation; where `size` is larger than the file, zeros are added."""

    size: int


class Grown(NamedTuple):
    """The file is at least `size` bytes long, but what was written there is lost."""

    size: int


Change: TypeAlias = Written | Resized | Grown


class FileNode:
    """One file, whatever its name is by now."""

    __slots__ = ("allocated_size", "cached", "durable", "has_lost_pages", "modified_ms", "pending")

    def __init__(self) -> None:
        self.cached = bytearray()
        self.durable = bytearray()
        self.pending: list[Change] = []
        self.modified_ms = 0
        #: Up to here the device has space for it; what is behind the end of the file is no part of it.
        self.allocated_size = 0
        #: The cache shows bytes that the device will never get: a sync has failed.
        self.has_lost_pages = False

    def write(self, position: int, data: bytes) -> None:
        self.pending.append(Written(position, data))
        apply_change(self.cached, self.pending[-1])

    @property
    def taken_bytes(self) -> int:
        return max(len(self.cached), self.allocated_size)

    def resize(self, size: int) -> None:
        self.allocated_size = 0
        self.pending.append(Resized(size))
        apply_change(self.cached, self.pending[-1])

    def sync(self) -> None:
        for change in self.pending:
            apply_change(self.durable, change)
        self.pending.clear()

    def drop_unsynced(self) -> None:
        """What a failed fsync does: the changes are marked clean, and the next fsync will not write them.

        The file may still have grown, and readers see the bytes for as long as they are in the cache.
        """
        self.pending = [
            Grown(change.position + len(change.data)) if isinstance(change, Written) else change
            for change in self.pending
        ]
        self.has_lost_pages = True

    def evict_lost_pages(self, rng: Rng | None = None) -> None:
        """The cache forgets what the device never got; with `rng` each page by itself, or not."""
        read_anew = bytearray(self.durable)
        for change in self.pending:
            apply_change(read_anew, change)
        if rng is None:
            self.cached = read_anew
            self.has_lost_pages = False
            return
        for start in range(0, len(self.cached), PAGE_BYTES):
            if rng.below(2):
                self.cached[start : start + PAGE_BYTES] = read_anew[start : start + PAGE_BYTES]

    def copy(self) -> "FileNode":
        twin = FileNode()
        twin.cached = bytearray(self.cached)
        twin.durable = bytearray(self.durable)
        twin.pending = list(self.pending)
        twin.modified_ms = self.modified_ms
        twin.allocated_size = self.allocated_size
        twin.has_lost_pages = self.has_lost_pages
        return twin


class DirectoryNode:
    __slots__ = ("cached", "durable", "modified_ms")

    def __init__(self) -> None:
        self.cached: dict[str, Node] = {}
        self.durable: dict[str, Node] = {}
        self.modified_ms = 0


Node: TypeAlias = FileNode | DirectoryNode


class EntryChange(NamedTuple):
    directory: DirectoryNode
    name: str
    #: None: the name is gone.
    node: Node | None


def apply_change(content: bytearray, change: Change) -> None:
    if isinstance(change, Written):
        _extend(content, change.position)
        content[change.position : change.position + len(change.data)] = change.data
        return
    if isinstance(change, Resized):
        del content[change.size :]
    _extend(content, change.size)


def _extend(content: bytearray, size: int) -> None:
    if size > len(content):
        content.extend(bytes(size - len(content)))


class DiskImage:
    """The device and the page cache of one machine. Views on it (`SimDisk`) come and go with processes."""

    def __init__(self) -> None:
        self.root = DirectoryNode()
        #: Creations, renames, removals whose directory was not synced yet. Each list of entries is atomic.
        self.pending: list[list[EntryChange]] = []
        self.locks: dict[str, object] = {}
        self.boot_count = 1

    # names

    def find(self, path: str) -> Node | None:
        node: Node = self.root
        for name in split_path(path):
            if not isinstance(node, DirectoryNode):
                return None
            entry = node.cached.get(name)
            if entry is None:
                return None
            node = entry
        return node

    def change_entries(self, changes: list[EntryChange]) -> None:
        for directory, name, node in changes:
            put_entry(directory.cached, name, node)
        self.pending.append(changes)

    def sync_directory(self, directory: DirectoryNode) -> None:
        waiting: list[list[EntryChange]] = []
        for changes in self.pending:
            if all(change.directory is not directory for change in changes):
                waiting.append(changes)
                continue
            for changed, name, node in changes:
                put_entry(changed.durable, name, node)
        self.pending = waiting

    def files(self) -> Iterator[tuple[str, FileNode]]:
        """Every file with its path, sorted by path."""
        yield from _files_below("/", self.root)

    def used_bytes(self) -> int:
        return sum(node.taken_bytes for _, node in self.files())

    # faults

    def flip_bit(self, path: str, position: int, bit: int = 0) -> None:
        """Bit rot: on the device and in what is read from it."""
        node = self.find(path)
        if not isinstance(node, FileNode):
            raise FileNotFoundError(path)
        node.cached[position] ^= 1 << bit
        if position < len(node.durable):
            node.durable[position] ^= 1 << bit

    def evict_lost_pages(self, rng: Rng | None = None) -> None:
        """Memory was needed: what failed syncs have left behind in the cache is gone; with `rng` some of it."""
        for _, node in self.files():
            if node.has_lost_pages:
                node.evict_lost_pages(rng)

    def copy(self) -> "DiskImage":
        """A twin with its own files, un-synced changes included."""
        return _Copier().image(self)

    def after_power_loss(self, rng: Rng, *, nasty: bool = False) -> "DiskImage":
        """An image that may be found after the power was lost now. This one stays as it is."""
        twin = self.copy()
        kept = _kept_independently(twin.pending, rng) if nasty else _kept_prefix(twin.pending, rng)
        for changes in kept:
            for directory, name, node in changes:
                put_entry(directory.durable, name, node)
        twin.pending.clear()
        twin.boot_count += 1
        _settle(twin.root, rng, nasty=nasty)
        return twin


def split_path(path: str) -> list[str]:
    return [name for name in posixpath.normpath(path).split("/") if name and name != "."]


def put_entry(entries: dict[str, Node], name: str, node: Node | None) -> None:
    if node is None:
        entries.pop(name, None)
    else:
        entries[name] = node


def _files_below(path: str, directory: DirectoryNode) -> Iterator[tuple[str, FileNode]]:
    for name in sorted(directory.cached):
        node = directory.cached[name]
        if isinstance(node, DirectoryNode):
            yield from _files_below(posixpath.join(path, name), node)
        else:
            yield posixpath.join(path, name), node


def _kept_prefix(pending: list[list[EntryChange]], rng: Rng) -> list[list[EntryChange]]:
    return pending[: rng.below(len(pending) + 1)]


def _kept_independently(pending: list[list[EntryChange]], rng: Rng) -> list[list[EntryChange]]:
    return [changes for changes in pending if rng.below(2)]


def _settle(directory: DirectoryNode, rng: Rng, *, nasty: bool) -> None:
    """Creates the durable view, after the loss, the only one."""
    directory.cached = dict(directory.durable)
    for name in sorted(directory.cached):
        node = directory.cached[name]
        if isinstance(node, DirectoryNode):
            _settle(node, rng, nasty=nasty)
            continue
        lose = _lose_sectors if nasty and rng.below(2) else _lose_suffix
        lose(node, rng)
        node.cached = bytearray(node.durable)
        node.pending.clear()
        node.has_lost_pages = False


def _lose_suffix(node: FileNode, rng: Rng) -> None:
    pending = node.pending
    kept_count = rng.below(len(pending) + 1)
    for change in pending[:kept_count]:
        apply_change(node.durable, change)
    if kept_count == len(pending):
        return
    first_lost = pending[kept_count]
    if isinstance(first_lost, Written) and rng.below(2):
        kept_bytes = rng.below(len(first_lost.data) + 1)
        apply_change(node.durable, Written(first_lost.position, first_lost.data[:kept_bytes]))
        _maybe_grow(node, pending[kept_count:], rng)


def _lose_sectors(node: FileNode, rng: Rng) -> None:
    truncations = [i for i, change in enumerate(node.pending) if isinstance(change, Resized)]
    kept_truncations = rng.below(len(truncations) + 1)
    stop = truncations[kept_truncations] if kept_truncations < len(truncations) else len(node.pending)
    for change in node.pending[:stop]:
        if not isinstance(change, Written):
            apply_change(node.durable, change)
            continue
        for sector in _sectors(change):
            if rng.below(2):
                apply_change(node.durable, sector)
    _maybe_grow(node, node.pending[:stop], rng)


def _sectors(change: Written) -> Iterator[Written]:
    position, data = change
    start = 0
    while start < len(data):
        size = SECTOR_BYTES - (position + start) % SECTOR_BYTES
        yield Written(position + start, data[start : start + size])
        start += size


def _maybe_grow(node: FileNode, lost: list[Change], rng: Rng) -> None:
    """The size is metadata: it may be on the device before the data is."""
    end = len(node.durable)
    for change in lost:
        if isinstance(change, Resized):
            break
        end = max(end, change.size if isinstance(change, Grown) else change.position + len(change.data))
    if end > len(node.durable) and rng.below(2):
        apply_change(node.durable, Resized(end))


class _Copier:
    """Copies a tree whose nodes may be reachable by several names and from pending changes."""

    def __init__(self) -> None:
        self._twins: dict[int, Node] = {}

    def image(self, image: DiskImage) -> DiskImage:
        twin = DiskImage()
        root = self._node(image.root)
        assert isinstance(root, DirectoryNode)
        twin.root = root
        twin.pending = [[self._entry_change(change) for change in changes] for changes in image.pending]
        twin.boot_count = image.boot_count
        return twin

    def _entry_change(self, change: EntryChange) -> EntryChange:
        directory = self._node(change.directory)
        assert isinstance(directory, DirectoryNode)
        return EntryChange(directory, change.name, None if change.node is None else self._node(change.node))

    def _node(self, node: Node) -> Node:
        twin = self._twins.get(id(node))
        if twin is not None:
            return twin
        if isinstance(node, FileNode):
            twin = self._twins[id(node)] = node.copy()
            return twin
        directory = self._twins[id(node)] = DirectoryNode()
        directory.modified_ms = node.modified_ms
        directory.cached = {name: self._node(entry) for name, entry in node.cached.items()}
        directory.durable = {name: self._node(entry) for name, entry in node.durable.items()}
        return directory
