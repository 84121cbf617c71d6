"""Keeps open files and loaded indexes of segments bounded over all partitions of a node.

A segment opens its file and loads its indexes when they are first needed and registers here. When there are too many,
those that were not used since the last look are evicted (a clock, so that the hot path only sets a flag). A file that
is evicted closes when its last reader is done with it; files with bytes that are not yet synced stay open, because a
new descriptor might not be told of an earlier write error. A segment that leaves its log is released: it leaves the
cache at once, and its file closes.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from ottla.log.segment import Segment

    _Segments: TypeAlias = OrderedDict[Segment, None]

OPEN_FILES_MAX: Final = 4096
LOADED_INDEXES_MAX: Final = 256
_LOOKS_MAX: Final = 64


class SegmentCache:
    """One per node, shared by all its logs."""

    __slots__ = ("_loaded", "_opened", "loaded_indexes_max", "open_files_max")

    def __init__(self, open_files_max: int = OPEN_FILES_MAX, loaded_indexes_max: int = LOADED_INDEXES_MAX) -> None:
        self.open_files_max = open_files_max
        self.loaded_indexes_max = loaded_indexes_max
        self._opened: _Segments = OrderedDict()
        self._loaded: _Segments = OrderedDict()

    def opened(self, segment: "Segment") -> None:
        self._opened[segment] = None
        self.trim()

    def loaded(self, segment: "Segment") -> None:
        self._loaded[segment] = None
        _trim(self._loaded, self.loaded_indexes_max, lambda oldest: oldest.evict_indexes())

    def trim(self) -> None:
        """After a flush, too: files that had to stay open may be evicted now."""
        _trim(self._opened, self.open_files_max, lambda oldest: oldest.evict_file())

    def released(self, segment: "Segment") -> None:
        self._opened.pop(segment, None)
        self._loaded.pop(segment, None)

    @property
    def open_file_count(self) -> int:
        return len(self._opened)

    @property
    def loaded_index_count(self) -> int:
        return len(self._loaded)


def _trim(kept: "_Segments", limit: int, evict: "Callable[[Segment], bool]") -> None:
    # A bounded number of looks: if all of them are in use or unsynced, better some too many than a slow append.
    for _ in range(min(2 * len(kept), _LOOKS_MAX)):
        if len(kept) <= limit:
            return
        oldest, _none = kept.popitem(last=False)
        if oldest.is_used:
            oldest.is_used = False
        elif evict(oldest):
            continue
        kept[oldest] = None
