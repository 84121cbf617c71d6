"""One fetch session with one broker (KIP-227): partitions are named once, then only what changes. No I/O."""

from collections.abc import Mapping
from typing import NamedTuple

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition

NO_SESSION = 0
FIRST_EPOCH = 0
FINAL_EPOCH = -1
_MAX_EPOCH = 2**31 - 1


class Wanted(NamedTuple):
    """What is asked for of one partition."""

    topic_id: bytes
    fetch_offset: int
    max_bytes: int
    leader_epoch: int


class SessionRequest(NamedTuple):
    session_id: int
    epoch: int
    wanted: Mapping[TopicPartition, Wanted]
    #: With the topic ids under which the broker knows them.
    forgotten: list[tuple[TopicPartition, bytes]]


class FetchSession:
    """Owned by the fetcher, one per node; survives reconnections, because the broker keeps it too."""

    def __init__(self) -> None:
        self._id = NO_SESSION
        self._epoch = FIRST_EPOCH
        self._known: dict[TopicPartition, Wanted] = {}
        self._uses_topic_ids = True

    @property
    def is_open(self) -> bool:
        return self._id != NO_SESSION

    def request(self, wanted: Mapping[TopicPartition, Wanted], *, uses_topic_ids: bool) -> SessionRequest:
        """The next request, for exactly these partitions."""
        if uses_topic_ids != self._uses_topic_ids:
            # A session names topics in one way only.
            self.reset()
            self._uses_topic_ids = uses_topic_ids
        known, self._known = self._known, dict(wanted)
        if self._epoch == FIRST_EPOCH:
            return SessionRequest(self._id, self._epoch, wanted, [])
        changed = {partition: row for partition, row in wanted.items() if known.get(partition) != row}
        forgotten = [
            (partition, row.topic_id)
            for partition, row in known.items()
            if partition not in wanted or wanted[partition].topic_id != row.topic_id
        ]
        return SessionRequest(self._id, self._epoch, changed, forgotten)

    def responded(self, session_id: int, error_code: int) -> None:
        if error_code not in (ErrorCode.NONE, ErrorCode.FETCH_SESSION_ID_NOT_FOUND):
            self.failed()
        elif error_code != ErrorCode.NONE or session_id == NO_SESSION:
            # The broker has dropped the session, or has no room for one.
            self.reset()
        else:
            self._id = session_id
            self._epoch = 1 if self._epoch == _MAX_EPOCH else self._epoch + 1

    def failed(self) -> None:
        """No response, or an error: whether the broker has counted the request is not known.

        So the next request is a full one. It names the old session, which the broker then closes.
        """
        self._epoch = FIRST_EPOCH

    def reset(self) -> None:
        self._id = NO_SESSION
        self._epoch = FIRST_EPOCH

    def final_request(self) -> SessionRequest:
        """Closes the session."""
        return SessionRequest(self._id, FINAL_EPOCH, {}, [])
