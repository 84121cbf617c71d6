"""Keeps open files and loaded indexes of segments bounded over all partitions of a node.

A segment opens its file and loads its indexes when they are first needed and says so here. When there are too many,
those that were not used since the last look are let go (a clock, so that the hot path only sets a flag). A file that
is let go closes when its last reader is done with it; files with bytes that are not yet synced stay open, because a
new descriptor might not be told of an earlier write error.
"""

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ottla.log.segment import Segment

OPEN_FILES_MAX: Final = 4096
LOADED_INDEXES_MAX: Final = 256
_LOOKS_MAX: Final = 64


class SegmentCache:
    """One per node, shared by all its logs."""

    __slots__ = ("_loaded", "_opened", "loaded_indexes_max", "open_files_max")

    def __init__(self, open_files_max: int = OPEN_FILES_MAX, loaded_indexes_max: int = LOADED_INDEXES_MAX) -> None:
        self.open_files_max = open_files_max
        self.loaded_indexes_max = loaded_indexes_max
        self._opened: deque[Segment] = deque()
        self._loaded: deque[Segment] = deque()

    def opened(self, segment: "Segment") -> None:
        self._opened.append(segment)
        self.trim()

    def loaded(self, segment: "Segment") -> None:
        self._loaded.append(segment)
        _trim(self._loaded, self.loaded_indexes_max, lambda oldest: oldest.let_indexes_go())

    def trim(self) -> None:
        """After a flush, too: files that had to stay open may go now."""
        _trim(self._opened, self.open_files_max, lambda oldest: oldest.let_file_go())

    @property
    def open_file_count(self) -> int:
        return len(self._opened)

    @property
    def loaded_index_count(self) -> int:
        return len(self._loaded)


def _trim(kept: "deque[Segment]", limit: int, let_go: "Callable[[Segment], bool]") -> None:
    # A bounded number of looks: if all of them are in use or unsynced, better some too many than a slow append.
    for _ in range(min(2 * len(kept), _LOOKS_MAX)):
        if len(kept) <= limit:
            return
        oldest = kept.popleft()
        if oldest.is_used:
            oldest.is_used = False
        elif let_go(oldest):
            continue
        kept.append(oldest)
