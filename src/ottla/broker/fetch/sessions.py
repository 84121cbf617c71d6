"""Incremental fetch sessions (KIP-227): the client names its partitions once, then only what changes.

Pure: no I/O, no clock of its own. A session remembers what it last sent to the client about each partition, so that an
incremental response carries only partitions with data or news.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ottla.doors.rng import Rng
from ottla.metadata.image import MetadataImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.model.topic import NO_TOPIC_ID

NO_SESSION = 0
FIRST_EPOCH = 0
FINAL_EPOCH = -1
_MAX_EPOCH = 2**31 - 1
EVICT_AFTER_MS = 120_000
#: Half of what fits: tools that add to an id, to ask for a session that is not there, stay within its 32 bits.
_MAX_IDS = 2**30
#: What a partition of a session takes, without the name of its topic (measured).
PARTITION_BYTES = 400
#: Long loops over partitions end a step after each 8 of them.
STEP_MASK = 7


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
    """A partition of a session, and what was last sent to the client about it."""

    __slots__ = ("high_watermark", "log_start_offset", "size_bytes", "wanted")

    def __init__(self, wanted: WantedPartition, size_bytes: int) -> None:
        self.wanted = wanted
        self.size_bytes = size_bytes
        self.high_watermark = -1
        self.log_start_offset = -1


class FetchSession:
    """Owned by the FetchSessions. `owner` is the connection that has used it last."""

    __slots__ = ("_partitions", "epoch", "last_used_ms", "owner", "session_id", "size_bytes", "uses_topic_ids")

    def __init__(self, session_id: int, uses_topic_ids: bool, owner: object, now_ms: int) -> None:
        self.session_id = session_id
        self.uses_topic_ids = uses_topic_ids
        self.owner = owner
        self.epoch = 1
        self.last_used_ms = now_ms
        #: An estimate of the memory it takes.
        self.size_bytes = 0
        self._partitions: dict[tuple[bytes | str, int], _Cached] = {}

    def __len__(self) -> int:
        return len(self._partitions)

    def put(self, partition: WantedPartition, name_bytes: int) -> int:
        """Adds a partition, or changes what is wanted of it. Gives the bytes by which the session grew."""
        cached = self._partitions.get(partition.key)
        if cached is not None:
            cached.wanted = partition
            return 0
        size_bytes = PARTITION_BYTES + name_bytes
        self._partitions[partition.key] = _Cached(partition, size_bytes)
        self.size_bytes += size_bytes
        return size_bytes

    def forget(self, key: tuple[bytes | str, int]) -> int:
        """Gives the bytes by which the session shrank."""
        cached = self._partitions.pop(key, None)
        if cached is None:
            return 0
        self.size_bytes -= cached.size_bytes
        return cached.size_bytes

    def wanted(self) -> list[WantedPartition]:
        return [cached.wanted for cached in self._partitions.values()]

    def name_topics(self, image: MetadataImage) -> Steps[None]:
        """Finds the names of topics again: some may have been created or deleted since the last request."""
        for index, cached in enumerate(list(self._partitions.values())):
            if index & STEP_MASK == STEP_MASK:
                yield
            topic = image.topic_by_id(cached.wanted.topic_id)
            name = topic.name if topic is not None else ""
            if name != cached.wanted.topic:
                cached.wanted = cached.wanted._replace(topic=name)

    def is_news(
        self, wanted: WantedPartition, error: int, size: int, high_watermark: int, log_start_offset: int
    ) -> bool:
        """Whether the response must mention the partition; remembers what the client then knows."""
        cached = self._partitions.get(wanted.key)
        if cached is None:
            return True
        changed = high_watermark != cached.high_watermark or log_start_offset != cached.log_start_offset
        cached.high_watermark = high_watermark
        cached.log_start_offset = log_start_offset
        if error:
            # The next response must contain the partition again, even if all is well then.
            cached.high_watermark = -1
        if size:
            # Partitions with data go to the end of the line: the byte limit must not starve the others.
            self._partitions[wanted.key] = self._partitions.pop(wanted.key)
        return bool(changed or error or size)

    def advance(self) -> None:
        self.epoch = 1 if self.epoch == _MAX_EPOCH else self.epoch + 1


class FetchSessions:
    """Owned by the node. Limited in number and in memory; a session ends with the connection that used it last.

    A client whose session is gone gets an error and opens a new one; without room for one, it continues without.
    """

    def __init__(self, slot_count: int, max_bytes: int, rng: Rng) -> None:
        self._slot_count = slot_count
        self._max_bytes = max_bytes
        self._rng = rng
        #: In order of use: the first one is the one unused for longest.
        self._sessions: dict[int, FetchSession] = {}
        self._by_owner: dict[object, set[int]] = {}
        self.size_bytes = 0

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, partition_count: int, owner: object, *, uses_topic_ids: bool, now_ms: int) -> FetchSession | None:
        """A new session, to be filled by `update`; None when there is no room for one of this size."""
        if not self._make_slot(partition_count, now_ms) or not self._make_room(
            partition_count * PARTITION_BYTES, now_ms
        ):
            return None
        session = FetchSession(self._new_id(), uses_topic_ids, owner, now_ms)
        self._sessions[session.session_id] = session
        self._by_owner.setdefault(owner, set()).add(session.session_id)
        return session

    def _new_id(self) -> int:
        while (session_id := self._rng.below(_MAX_IDS) + 1) in self._sessions:
            pass
        return session_id

    def resume(self, session_id: int, epoch: int, owner: object, *, uses_topic_ids: bool, now_ms: int) -> FetchSession:
        session = self._sessions.get(session_id)
        if session is None:
            raise Refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
        if session.epoch != epoch:
            raise Refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        if session.uses_topic_ids != uses_topic_ids:
            raise Refused(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)
        session.advance()
        session.last_used_ms = now_ms
        self._sessions[session_id] = self._sessions.pop(session_id)
        if session.owner is not owner:
            # The client has lost its connection and is back before we noticed.
            self._disown(session)
            session.owner = owner
            self._by_owner.setdefault(owner, set()).add(session_id)
        return session

    def update(
        self,
        session: FetchSession,
        wanted: Iterable[WantedPartition],
        forgotten: Iterable[tuple[bytes | str, int]],
        max_partitions: int,
    ) -> Steps[None]:
        """Raises Refused, and the session is gone, when it would grow beyond what is allowed."""
        for key in forgotten:
            self._resized(session, -session.forget(key))
        topic = None
        for index, partition in enumerate(wanted):
            # Partitions of one topic share its name.
            grown = session.put(partition, len(partition.topic) if partition.topic is not topic else 0)
            topic = partition.topic
            self._resized(session, grown)
            if len(session) > max_partitions or self.size_bytes > self._max_bytes:
                self._check_size(session, max_partitions)
            if index & STEP_MASK == STEP_MASK:
                yield

    def _resized(self, session: FetchSession, bytes_more: int) -> None:
        # It may have been closed between two steps.
        if self._sessions.get(session.session_id) is session:
            self.size_bytes += bytes_more

    def _check_size(self, session: FetchSession, max_partitions: int) -> None:
        if len(session) <= max_partitions and self._make_room(0, session.last_used_ms):
            return
        self.close(session.session_id)
        raise Refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND, "the session takes too much memory")

    def close(self, session_id: int) -> None:
        session = self._sessions.pop(session_id, None)
        if session is not None:
            self.size_bytes -= session.size_bytes
            self._disown(session)

    def close_of(self, owner: object) -> None:
        """The connection is gone."""
        for session_id in sorted(self._by_owner.pop(owner, ())):
            self.close(session_id)

    def _disown(self, session: FetchSession) -> None:
        ids = self._by_owner.get(session.owner)
        if ids is not None:
            ids.discard(session.session_id)
            if not ids:
                del self._by_owner[session.owner]

    def _make_slot(self, partition_count: int, now_ms: int) -> bool:
        if len(self._sessions) < self._slot_count:
            return True
        oldest = next(iter(self._sessions.values()), None)
        if oldest is None:
            return False
        if _is_stale(oldest, now_ms) or len(oldest) < partition_count:
            self.close(oldest.session_id)
            return True
        return False

    def _make_room(self, size_bytes: int, now_ms: int) -> bool:
        """Sessions that are in use stay: to evict them one after another would leave all clients without."""
        while self.size_bytes + size_bytes > self._max_bytes:
            oldest = next(iter(self._sessions.values()), None)
            if oldest is None or not _is_stale(oldest, now_ms):
                return False
            self.close(oldest.session_id)
        return True


def _is_stale(session: FetchSession, now_ms: int) -> bool:
    return now_ms - session.last_used_ms > EVICT_AFTER_MS
