"""Incremental fetch sessions (KIP-227): the client names its partitions once, then only what changes.

Pure: no I/O, no clock of its own. A session remembers what it last sent to the client about each partition, so that an
incremental response carries only partitions with data or news.
"""

from collections.abc import Iterable

from ottla.broker.fetch.wanted import WantedPartition
from ottla.doors.rng import Rng
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.protocol.generated.fetch_request import ForgottenTopicsData, Topics

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
        self._partitions: dict[tuple[bytes | str, int], WantedPartition] = {}

    def __len__(self) -> int:
        return len(self._partitions)

    def put(self, wanted: WantedPartition, name_bytes: int) -> int:
        """Adds a partition, or changes what is wanted of it. Gives the bytes by which the session grew."""
        key = wanted.key
        earlier = self._partitions.get(key)
        self._partitions[key] = wanted
        if earlier is not None:
            # A request that still waits goes on with the earlier one.
            wanted.take_over(earlier)
            return 0
        wanted.size_bytes = PARTITION_BYTES + name_bytes
        self.size_bytes += wanted.size_bytes
        return wanted.size_bytes

    def forget(self, key: tuple[bytes | str, int]) -> int:
        """Gives the bytes by which the session shrank."""
        wanted = self._partitions.pop(key, None)
        if wanted is None:
            return 0
        self.size_bytes -= wanted.size_bytes
        return wanted.size_bytes

    def wanted(self) -> list[WantedPartition]:
        return list(self._partitions.values())

    def is_news(
        self, wanted: WantedPartition, is_refused: bool, has_data: bool, high_watermark: int, log_start_offset: int
    ) -> bool:
        """Whether the response must mention the partition; remembers what the client then knows."""
        is_known = high_watermark == wanted.high_watermark and log_start_offset == wanted.log_start_offset
        # After an error the next response must contain the partition again, even if all is well then.
        wanted.high_watermark = -1 if is_refused else high_watermark
        wanted.log_start_offset = log_start_offset
        if has_data:
            self._move_to_end(wanted)
        return has_data or is_refused or not is_known

    def _move_to_end(self, wanted: WantedPartition) -> None:
        """Partitions with data go to the end of the line: the byte limit must not starve the others."""
        partitions = self._partitions
        if len(partitions) > 1 and partitions.get(wanted.key) is wanted:
            del partitions[wanted.key]
            partitions[wanted.key] = wanted


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
        session.epoch = 1 if epoch == _MAX_EPOCH else epoch + 1
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
        topics: Iterable[Topics],
        forgotten: Iterable[ForgottenTopicsData],
        max_partitions: int,
    ) -> Steps[None]:
        """Raises Refused, and the session is gone, when it would grow beyond what is allowed."""
        for topic in forgotten:
            for index in topic.partitions:
                self._resized(session, -session.forget((topic.topic or topic.topic_id, index)))
        count = 0
        for wanted_topic in topics:
            # Partitions of one topic share its name.
            name_bytes = len(wanted_topic.topic)
            for asked in wanted_topic.partitions:
                wanted = WantedPartition(wanted_topic.topic, wanted_topic.topic_id, asked)
                grown = session.put(wanted, name_bytes)
                name_bytes = 0
                if grown:
                    self._resized(session, grown)
                    self._check_size(session, max_partitions)
                count += 1
                if count & STEP_MASK == 0:
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
