"""The segments of one log, in order of their base offsets; the last one is active."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import overload

from ottla.log.segments.log_directory import DELETED, SEGMENT_SUFFIXES, LogDirectory
from ottla.log.segments.offset_index import OffsetIndex
from ottla.log.segments.segment import Segment
from ottla.log.segments.time_index import TimeIndex


class SegmentList:
    """Never empty once a log is open. Changes the directory first and itself only when that succeeded."""

    __slots__ = ("_bases", "_items", "active", "closed_bytes", "directory", "index_interval_bytes")

    def __init__(self, directory: LogDirectory, index_interval_bytes: int) -> None:
        self.directory = directory
        self.index_interval_bytes = index_interval_bytes
        self._items: list[Segment] = []
        self._bases: list[int] = []
        self.closed_bytes = 0
        self.active: Segment

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self._items)

    @overload
    def __getitem__(self, index: int) -> Segment: ...

    @overload
    def __getitem__(self, index: slice) -> list[Segment]: ...

    def __getitem__(self, index: int | slice) -> Segment | list[Segment]:
        return self._items[index]

    @property
    def size_bytes(self) -> int:
        return self.closed_bytes + self.active.size

    @property
    def first_base_offset(self) -> int:
        return self._bases[0]

    def closed(self) -> list[Segment]:
        return self._items[:-1]

    def index_of(self, offset: int) -> int:
        """Where the segment stands that would hold `offset`; -1 when it lies before all of them."""
        return bisect_right(self._bases, offset) - 1

    def end_offset_of(self, index: int, log_end_offset: int) -> int:
        return self._bases[index + 1] if index + 1 < len(self._bases) else log_end_offset

    def between(self, from_offset: int, to_offset: int) -> list[Segment]:
        """Segments that may hold offsets of the range."""
        return self._items[max(self.index_of(from_offset), 0) : self.index_of(to_offset - 1) + 1]

    # changes

    def adopt(self, segments: list[Segment]) -> None:
        """Takes over what was found on disk; the last one becomes active."""
        self._items = segments
        self._bases = [segment.base_offset for segment in segments]
        self._activate_last()

    def _activate_last(self) -> None:
        self.active = self._items[-1]
        self.active.is_active = True
        self.closed_bytes = sum(segment.size for segment in self._items[:-1])

    def start(self, base_offset: int) -> Segment:
        """Creates the file of a new active segment, after those that exist; it is opened when it is needed."""
        segment = new_segment(self.directory, base_offset, self.index_interval_bytes)
        segment.is_active = True
        self.directory.disk.open(segment.path(), create=True).close()
        if self._items:
            self.active.is_active = False
            self.closed_bytes += self.active.size
            self.active.indexes.leave_to_files()
        self._items.append(segment)
        self._bases.append(base_offset)
        self.active = segment
        return segment

    def remove_first(self, count: int) -> list[str]:
        """Takes closed segments away; their files get the suffix `.deleted` and their paths are returned."""
        paths: list[str] = []
        for segment in self._items[:count]:
            paths += mark_deleted(segment)
            self.closed_bytes -= segment.size
            del self._items[0], self._bases[0]
        return paths

    def remove_from(self, index: int) -> list[str]:
        """Takes away all segments from `index` on. Before the next use there must be an active one again."""
        paths: list[str] = []
        while len(self._items) > index:
            paths += mark_deleted(self._items[-1])
            del self._items[-1], self._bases[-1]
        if self._items:
            self._activate_last()
        else:
            self.closed_bytes = 0
        return paths

    def replace(self, base_offsets: list[int], segments: list[Segment]) -> None:
        """Compacted segments take the place of closed ones; the files are in place already."""
        old = dict.fromkeys(base_offsets)
        kept = [segment for segment in self._items if segment.base_offset not in old]
        self.adopt(sorted([*kept, *segments], key=lambda segment: segment.base_offset))


def new_segment(directory: LogDirectory, base_offset: int, index_interval_bytes: int) -> Segment:
    segment = Segment(directory, base_offset, 0, index_interval_bytes)
    segment.builder.restart()
    segment.indexes.start(OffsetIndex(), TimeIndex())
    return segment


def mark_deleted(segment: Segment) -> list[str]:
    """Renames the segment's files, so that readers may finish before they are removed."""
    disk = segment.directory.disk
    paths = []
    for suffix in SEGMENT_SUFFIXES:
        path = segment.path(suffix)
        if disk.exists(path):
            disk.rename(path, path + DELETED)
            paths.append(path + DELETED)
    segment.release()
    return paths
