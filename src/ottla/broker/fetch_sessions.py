"""Incremental fetch sessions (KIP-227): the client names its partitions once, then only what changes.

Pure: no I/O, no clock of its own. A session remembers what it last told the client about each partition, so that an
incremental answer carries only partitions with data or news.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ottla.doors.rng import Rng
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import NO_TOPIC_ID

NO_SESSION = 0
FIRST_EPOCH = 0
FINAL_EPOCH = -1
_LARGEST_EPOCH = 2**31 - 1
EVICT_AFTER_MS = 120_000
#: Half of what fits: tools that add to an id, to ask for a session that is not there, stay within its 32 bits.
_MOST_IDS = 2**30


class WantedPartition(NamedTuple):
    """One partition that a client wants to read. `topic` is "" when an id came that names no topic (any more)."""

    topic: str
    topic_id: bytes
    partition: int
    fetch_offset: int
    max_bytes: int
    current_leader_epoch: int
    last_fetched_epoch: int

    @property
    def key(self) -> tuple[bytes | str, int]:
        return (self.topic if self.topic_id == NO_TOPIC_ID else self.topic_id, self.partition)


class _Cached:
    """A partition of a session, and what the client was last told about it."""

    __slots__ = ("high_watermark", "log_start_offset", "wanted")

    def __init__(self, wanted: WantedPartition) -> None:
        self.wanted = wanted
        self.high_watermark = -1
        self.log_start_offset = -1


class FetchSession:
    __slots__ = ("_partitions", "epoch", "last_used_ms", "session_id", "uses_topic_ids")

    def __init__(self, session_id: int, uses_topic_ids: bool, now_ms: int) -> None:
        self.session_id = session_id
        self.uses_topic_ids = uses_topic_ids
        self.epoch = 1
        self.last_used_ms = now_ms
        self._partitions: dict[tuple[bytes | str, int], _Cached] = {}

    def __len__(self) -> int:
        return len(self._partitions)

    def update(self, wanted: Iterable[WantedPartition], forgotten: Iterable[tuple[bytes | str, int]]) -> None:
        for partition in wanted:
            cached = self._partitions.get(partition.key)
            if cached is None:
                self._partitions[partition.key] = _Cached(partition)
            else:
                cached.wanted = partition
        for key in forgotten:
            self._partitions.pop(key, None)

    def wanted(self) -> list[WantedPartition]:
        return [cached.wanted for cached in self._partitions.values()]

    def is_news(
        self, wanted: WantedPartition, error: int, size: int, high_watermark: int, log_start_offset: int
    ) -> bool:
        """Whether the answer must mention the partition; remembers what the client then knows."""
        cached = self._partitions.get(wanted.key)
        if cached is None:
            return True
        changed = high_watermark != cached.high_watermark or log_start_offset != cached.log_start_offset
        cached.high_watermark = high_watermark
        cached.log_start_offset = log_start_offset
        if error:
            # The next answer must speak of the partition again, even if all is well then.
            cached.high_watermark = -1
        if size:
            # Partitions with data go to the end of the line: the byte limit must not starve the others.
            self._partitions[wanted.key] = self._partitions.pop(wanted.key)
        return bool(changed or error or size)

    def advance(self) -> None:
        self.epoch = 1 if self.epoch == _LARGEST_EPOCH else self.epoch + 1


class FetchSessions:
    """Owned by the node. At most `slot_count` sessions; an unused or a smaller one makes room for a new one."""

    def __init__(self, slot_count: int, rng: Rng) -> None:
        self._slot_count = slot_count
        self._rng = rng
        self._sessions: dict[int, FetchSession] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, wanted: list[WantedPartition], *, uses_topic_ids: bool, now_ms: int) -> FetchSession | None:
        """A new session, or None when there is no room: the client then goes on without."""
        if not self._make_room(len(wanted), now_ms):
            return None
        session_id = self._new_id()
        session = FetchSession(session_id, uses_topic_ids, now_ms)
        session.update(wanted, ())
        self._sessions[session_id] = session
        return session

    def _new_id(self) -> int:
        while (session_id := self._rng.below(_MOST_IDS) + 1) in self._sessions:
            pass
        return session_id

    def resume(self, session_id: int, epoch: int, *, uses_topic_ids: bool, now_ms: int) -> FetchSession:
        session = self._sessions.get(session_id)
        if session is None:
            raise Refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
        if session.epoch != epoch:
            raise Refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        if session.uses_topic_ids != uses_topic_ids:
            raise Refused(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)
        session.advance()
        session.last_used_ms = now_ms
        # Kept in order of use, so that the first one is the one unused for longest.
        self._sessions[session_id] = self._sessions.pop(session_id)
        return session

    def close(self, session_id: int) -> None:
        self._sessions.pop(session_id, None)

    def _make_room(self, partition_count: int, now_ms: int) -> bool:
        if len(self._sessions) < self._slot_count:
            return True
        oldest = next(iter(self._sessions.values()), None)
        if oldest is None:
            return False
        is_stale = now_ms - oldest.last_used_ms > EVICT_AFTER_MS
        if is_stale or len(oldest) < partition_count:
            del self._sessions[oldest.session_id]
            return True
        return False
