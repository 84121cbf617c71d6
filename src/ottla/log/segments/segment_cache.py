"""Keeps open files and loaded indexes of segments bounded over all partitions of a node.

A segment opens its file and loads its indexes when they are first needed and registers here. When there are too many,
those that were not used since the last look are evicted (a clock, so that the hot path only sets a flag). A file that
is evicted closes when its last reader is done with it; files with bytes that are not yet synced stay open, because a
new descriptor might not report an earlier write error. When these alone reach the limit, files are opened only to
be read, and not kept, until some of them are flushed. A segment that leaves its log is released: it leaves the cache at
once, and its file closes.
"""

import errno
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

OPEN_FILES_MAX: Final = 4096
LOADED_BYTES_MAX: Final = 64 * 1024 * 1024
_LOOKS_MAX: Final = 64


class CachedSegment(Protocol):
    """What the cache asks of a segment."""

    is_used: bool

    @property
    def index_bytes(self) -> int: ...

    def evict_file(self) -> bool: ...

    def evict_indexes(self) -> bool: ...


class SegmentCache:
    """One per node, shared by all its logs."""

    __slots__ = ("_limit", "_loaded", "_opened", "on_full")

    def __init__(
        self,
        open_files_max: int = OPEN_FILES_MAX,
        loaded_bytes_max: int = LOADED_BYTES_MAX,
        open_files_limit: int | None = None,
    ) -> None:
        """Above `open_files_max` what can be closed is closed; `open_files_limit` is never passed."""
        self._opened = _Clock(open_files_max, lambda oldest: oldest.evict_file())
        self._loaded = _Clock(loaded_bytes_max, lambda oldest: oldest.evict_indexes())
        self._limit = open_files_limit
        #: Called when too many files are open because too much is not flushed.
        self.on_full: Callable[[], None] | None = None

    @classmethod
    def with_limit(cls, open_files_limit: int) -> "SegmentCache":
        """What is above three quarters of the limit is for files that wait to be flushed."""
        return cls(min(OPEN_FILES_MAX, open_files_limit * 3 // 4), open_files_limit=open_files_limit)

    def make_room(self) -> bool:
        """Before a file is opened that is to stay open. False: as many as may be are open, and none can be closed."""
        if self._limit is None or self._opened.weight < self._limit:
            return True
        self._opened.trim_to(self._limit - 1, looks_max=None)
        if self._opened.weight < self._limit:
            return True
        self._report_full()
        return False

    def refusal(self) -> OSError:
        reason = f"{self._opened.weight} segment files are open, and none can be closed before it is flushed"
        return OSError(errno.EMFILE, reason)

    def opened(self, segment: CachedSegment) -> None:
        self._opened.put(segment, 1)
        if self.is_full:
            self._report_full()

    @property
    def is_full(self) -> bool:
        """Most of the files that may be open are."""
        return self._limit is not None and self._opened.weight > self._limit * 3 // 4

    def _report_full(self) -> None:
        if self.on_full is not None:
            self.on_full()

    def loaded(self, segment: CachedSegment) -> None:
        """Has indexes in memory, or more than before."""
        self._loaded.put(segment, segment.index_bytes)

    def trim(self) -> None:
        """After a flush: files that had to stay open may be evicted now."""
        self._opened.trim()

    def close_unused(self) -> None:
        """All that can be closed, so that it is some time until there are too many again."""
        self._opened.trim_to(0, looks_max=None)

    def released(self, segment: CachedSegment) -> None:
        self._opened.drop(segment)
        self._loaded.drop(segment)

    @property
    def open_file_count(self) -> int:
        return self._opened.weight

    @property
    def loaded_index_count(self) -> int:
        return len(self._loaded.kept)


class _Clock:
    """Segments with a common limit of their weight. One that was used since the last look gets a second chance."""

    __slots__ = ("_evict", "_limit", "kept", "weight")

    def __init__(self, limit: int, evict: Callable[[CachedSegment], bool]) -> None:
        self._limit = limit
        self._evict = evict
        #: With the weight of each.
        self.kept: OrderedDict[CachedSegment, int] = OrderedDict()
        self.weight = 0

    def put(self, segment: CachedSegment, weight: int) -> None:
        self.drop(segment)
        self.kept[segment] = weight
        self.weight += weight
        self.trim()

    def drop(self, segment: CachedSegment) -> None:
        self.weight -= self.kept.pop(segment, 0)

    def trim(self) -> None:
        # A bounded number of looks: if all of them are in use or unsynced, better some too many than a slow append.
        self.trim_to(self._limit, looks_max=_LOOKS_MAX)

    def trim_to(self, weight: int, *, looks_max: int | None) -> None:
        looks = 2 * len(self.kept)
        for _ in range(looks if looks_max is None else min(looks, looks_max)):
            if self.weight <= weight:
                return
            oldest = next(iter(self.kept))
            if oldest.is_used:
                oldest.is_used = False
            elif self._evict(oldest):
                self.drop(oldest)
                continue
            self.kept.move_to_end(oldest)
