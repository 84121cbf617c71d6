"""The memory that requests of all connections hold together: a pool that large ones take from.

Small requests never ask: every connection has a small buffer of its own. A connection whose request needs a larger one
takes it from the pool, as the bytes arrive and never for bytes that are only announced. When the pool is empty, it is
not read any more and waits in a queue: that of the address that holds the least comes first. The last quarter of the
pool is for addresses that hold less than a quarter, so one address alone cannot make others wait. The first quarter
also makes requests quicker that are pipelined: several of them fit into a buffer (ADR 0050).

Nobody waits for ever: the next in the queue goes ahead without room, one at a time, until its response is sent, so
the pool is exceeded by one request at most. And while somebody waits, whoever holds memory without getting on with
its request loses its connection.
"""

from __future__ import annotations

from collections import Counter
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from typing import NamedTuple, Protocol

#: A buffer up to this size is a connection's own.
FREE_BYTES = 64 * 1024
#: With plenty of room: holds several large requests, so that half of one at the end is rarely moved to the front.
_COMFORTABLE_BYTES = 1024 * 1024
#: While others wait: how fast the rest of a request must come, how long it may fall behind, how long work may take.
_SLOWEST_BYTES_PER_MS = 64
_SENDING_PATIENCE_MS = 5_000
_WORK_PATIENCE_MS = 30_000


class State(NamedTuple):
    """Where a holder is with its request: a different `work` or `start` is progress, and so is enough size."""

    #: None while the request is being received.
    work: object
    start: int
    size: int


class Holder(Protocol):
    peer_host: str

    def memory_granted(self, size: int) -> None:
        """There is room now for the buffer that `take` refused."""

    def release_spare_memory(self) -> None:
        """Gives memory back that no request is in."""

    def request_state(self) -> State: ...

    def abort(self) -> None: ...


class _Mark(NamedTuple):
    at_ms: int
    state: State


class RequestMemory:
    """Owned by the node. A holder is a connection; it reports every change of its buffer, and of its end."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self.used_bytes = 0
        #: Times that somebody had to wait.
        self.wait_count = 0
        self._held: dict[Holder, int] = {}
        self._held_by_host: Counter[str] = Counter()
        #: What each one needs, in the order in which they came.
        self._waiting: dict[Holder, int] = {}
        self._ahead: Holder | None = None
        self._marks: dict[Holder, _Mark] = {}

    @property
    def waiting_count(self) -> int:
        return len(self._waiting)

    def is_waiting(self, holder: Holder) -> bool:
        return holder in self._waiting

    def larger_size(self, size: int, needed: int) -> int:
        """The size for a buffer that is full: never more than double what has arrived, unless there is plenty."""
        if self._has_plenty:
            comfortable = _COMFORTABLE_BYTES if size >= FREE_BYTES else 0
            return min(max(size * 2, comfortable), max(needed, _COMFORTABLE_BYTES))
        return min(size * 2, max(needed, FREE_BYTES))

    def roomier_size(self, size: int) -> int:
        """The size for a buffer that holds few of the requests that come one behind the other; nobody waits for it."""
        if size < FREE_BYTES:
            return size * 2
        return max(size, _COMFORTABLE_BYTES) if self._has_plenty else size

    @property
    def _has_plenty(self) -> bool:
        return not self._waiting and (self.used_bytes + _COMFORTABLE_BYTES) * 4 <= self.limit_bytes

    def take(self, holder: Holder, size: int) -> bool:
        """The holder will have a buffer of `size` bytes. False: it must not, and is notified when it may."""
        if size <= self._held.get(holder, FREE_BYTES) or holder is self._ahead:
            self._hold(holder, size)
            return True
        if not self._waiting and not self._has_room(holder, size):
            self._reclaim(holder)
        self._waiting[holder] = size
        if self._next() is holder and self._lets_in(holder, size):
            return True
        self.wait_count += 1
        return False

    def give_back(self, holder: Holder) -> None:
        """The holder has its small buffer again, or is gone."""
        self._waiting.pop(holder, None)
        self._marks.pop(holder, None)
        self._hold(holder, 0)
        if holder is self._ahead:
            self._ahead = None
        if self._waiting:
            self._grant()

    def response_sent(self, holder: Holder) -> None:
        """Nothing is in the holder's buffer: it may keep it for the next request, unless others need the memory."""
        if self._waiting or holder is self._ahead:
            holder.release_spare_memory()

    def stalled_holders(self, now_ms: int) -> list[Holder]:
        """Those that make no progress while others wait."""
        if not self._waiting:
            self._marks.clear()
            return []
        found: list[Holder] = []
        for holder in self._held:
            if holder in self._waiting:
                self._marks.pop(holder, None)
                continue
            state = holder.request_state()
            mark = self._marks.get(holder)
            if mark is None or _has_progressed(mark, state, now_ms):
                self._marks[holder] = _Mark(now_ms, state)
            elif now_ms - mark.at_ms > (_SENDING_PATIENCE_MS if state.work is None else _WORK_PATIENCE_MS):
                found.append(holder)
        return found

    def _hold(self, holder: Holder, size: int) -> None:
        more = size - self._held.pop(holder, 0)
        self.used_bytes += more
        host = holder.peer_host
        self._held_by_host[host] += more
        if size:
            self._held[holder] = size
        if not self._held_by_host[host]:
            del self._held_by_host[host]

    def _has_room(self, holder: Holder, size: int) -> bool:
        """The last quarter is for addresses that hold less than one: nobody can lock all others out."""
        more = size - self._held.get(holder, 0)
        is_light = (self._held_by_host[holder.peer_host] + more) * 4 <= self.limit_bytes
        # Whoever goes ahead does so on top of the pool.
        used = self.used_bytes - (self._held.get(self._ahead, 0) if self._ahead is not None else 0)
        return used + more <= (self.limit_bytes if is_light else self.limit_bytes * 3 // 4)

    def _reclaim(self, asking: Holder) -> None:
        """Buffers that are kept for a next request serve the one that is here better."""
        for holder in list(self._held):
            if holder is not asking:
                holder.release_spare_memory()

    def _next(self) -> Holder:
        """Of equals, the one that came first."""
        return min(self._waiting, key=lambda holder: self._held_by_host[holder.peer_host])

    def _lets_in(self, holder: Holder, size: int) -> bool:
        if not self._has_room(holder, size):
            if self._ahead is not None:
                return False
            # One may always continue: without this, holders of half a request could wait for each other.
            self._ahead = holder
        del self._waiting[holder]
        self._hold(holder, size)
        return True

    def _grant(self) -> None:
        while self._waiting:
            holder = self._next()
            size = self._waiting[holder]
            if not self._lets_in(holder, size):
                return
            holder.memory_granted(size)


def _has_progressed(mark: _Mark, state: State, now_ms: int) -> bool:
    before = mark.state
    if state.work is not before.work or state.start != before.start or state.size < before.size:
        return True
    return state.size - before.size >= _SLOWEST_BYTES_PER_MS * (now_ms - mark.at_ms) > 0


def new_buffer(size: int) -> bytearray | mmap:
    """Large ones straight from the system, so that they go back to it at once: the heap would keep them in pieces."""
    return bytearray(size) if size <= FREE_BYTES else mmap(-1, size, flags=MAP_PRIVATE | MAP_ANONYMOUS)
