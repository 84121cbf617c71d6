"""What a fetch response means for each partition: batches, another replica, a new leader, an error. No I/O."""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from ottla.client.consumer.fetch_buffer import FetchBuffer
from ottla.client.consumer.fetch_plan import PlannedFetch
from ottla.client.consumer.fetched import FetchedPartition, Frame
from ottla.client.consumer.positions import PartitionState
from ottla.client.errors import ClientError, refusal
from ottla.client.metadata import Node
from ottla.model.error_codes import STALE_METADATA, ErrorCode
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)


class NewLeader(NamedTuple):
    """A response has named it (KIP-951)."""

    partition: TopicPartition
    leader_id: int
    leader_epoch: int


class FetchEffects(NamedTuple):
    """What is left to do after a response."""

    #: Bytes of records.
    size: int
    #: Some partition needs another position.
    has_jumped: bool
    wants_metadata: bool
    #: For the caller: waiting does not help.
    errors: list[ClientError]
    new_leaders: list[NewLeader]
    nodes: list[Node]

    @property
    def has_records(self) -> bool:
        return self.size > 0


class ReadingRules(NamedTuple):
    """How responses are read. `pause_ms` is the back-off after so many errors of a partition in a row."""

    is_committed_only: bool
    checks_crc: bool
    preferred_for_ms: int
    pause_ms: Callable[[int], int]


class FetchResponseReader:
    """Owned by the fetcher."""

    def __init__(self, buffer: FetchBuffer, rules: ReadingRules) -> None:
        self._buffer = buffer
        self._rules = rules

    def read(
        self, fetch: PlannedFetch, versions: dict[TopicPartition, int], response: Any, now_ms: int
    ) -> FetchEffects:
        """`versions` are those of the states when the fetch was sent: a state that has jumped since is left alone."""
        names = {row.topic_id: partition.topic for partition, row in fetch.wanted.items()}
        frame = Frame()
        has_jumped = wants_metadata = False
        errors: list[ClientError] = []
        leaders: list[NewLeader] = []
        for topic in response.responses:
            name = topic.topic or names.get(topic.topic_id)
            if name is None:
                continue
            for row in topic.partitions:
                partition = TopicPartition(name, row.partition_index)
                state = fetch.states.get(partition)
                if state is None or state.version != versions[partition]:
                    continue
                if row.error_code == ErrorCode.NONE:
                    self._take(state, row, fetch, frame, now_ms)
                    continue
                if row.current_leader.leader_epoch >= 0:
                    leaders.append(NewLeader(partition, row.current_leader.leader_id, row.current_leader.leader_epoch))
                wants_metadata |= self._refuse(state, row, fetch.node_id, now_ms)
                has_jumped |= not state.is_fetchable
                if state.failure is not None and not _may_pass(state.failure):
                    errors.append(state.failure)
        self._buffer.hold(frame)
        nodes = [Node(node.node_id, node.host, node.port, node.rack) for node in response.node_endpoints]
        return FetchEffects(frame.size, has_jumped, wants_metadata, errors, leaders, nodes)

    def _take(self, state: PartitionState, row: Any, fetch: PlannedFetch, frame: Frame, now_ms: int) -> None:
        state.succeeded()
        state.high_watermark = row.high_watermark
        state.last_stable_offset = row.last_stable_offset
        if row.log_start_offset >= 0:
            state.log_start_offset = row.log_start_offset
        if row.preferred_read_replica >= 0:
            state.prefer(row.preferred_read_replica, now_ms + self._rules.preferred_for_ms)
        if not row.records:
            return
        part = FetchedPartition(
            state,
            row.records,
            fetch.wanted[state.partition].fetch_offset,
            aborted=self._aborted(row),
            checks_crc=self._rules.checks_crc,
            frame=frame,
        )
        frame.size += len(row.records)
        self._buffer.add(part)

    def _aborted(self, row: Any) -> list[tuple[int, int]]:
        if not self._rules.is_committed_only or row.aborted_transactions is None:
            return []
        return [(entry.producer_id, entry.first_offset) for entry in row.aborted_transactions]

    def _refuse(self, state: PartitionState, row: Any, node_id: int, now_ms: int) -> bool:
        """Whether metadata should be refreshed."""
        error = refusal(row.error_code, str(state.partition))
        is_from_follower = node_id == state.preferred_id
        state.forget_preferred()
        if error.code == ErrorCode.OFFSET_OUT_OF_RANGE:
            if not is_from_follower:
                self._out_of_range(state)
            # A follower may lag behind, so the leader is asked next.
            return False
        _log.debug("fetch from node %d: %s", node_id, error)
        state.failed(error, now_ms + self._rules.pause_ms(state.failures + 1))
        return error.code in STALE_METADATA or error.code == ErrorCode.OFFSET_NOT_AVAILABLE

    def _out_of_range(self, state: PartitionState) -> None:
        offset = state.fetch_offset
        if state.position is not None and offset > state.position.offset:
            # Buffered records come first; the position may be in range when they have been consumed.
            self._buffer.drop(state)
            return
        _log.info("%s: offset %d is out of range", state.partition, offset)
        state.out_of_range(offset)


def _may_pass(error: ClientError) -> bool:
    return error.retriable or error.code == ErrorCode.UNKNOWN_SERVER_ERROR


def failed_fetch(
    fetch: PlannedFetch, versions: dict[TopicPartition, int], error: ClientError, not_before_ms: int
) -> None:
    """The whole fetch has failed; its partitions are fetched again, from their leaders."""
    for partition, state in fetch.states.items():
        if state.version == versions[partition]:
            state.failed(error, not_before_ms)
            state.forget_preferred()
