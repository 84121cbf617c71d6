"""Gives assigned partitions a position: committed offsets, resets, validation against a new leader.

Runs in the background, whether or not the caller polls. At most one request of a kind per node is in flight; a
partition that has jumped meanwhile (a seek, another assignment) is left alone by what arrives late.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from ottla.client.cluster import Cluster
from ottla.client.consumer.assignment import Assignment
from ottla.client.consumer.offset_requests import EpochEnd, Outcomes, epoch_ends, list_offsets
from ottla.client.consumer.positions import PartitionState, Position
from ottla.client.consumer.record import OffsetAndTimestamp
from ottla.client.consumer.reset_policy import LATEST
from ottla.client.errors import ClientError, UnsupportedByBroker
from ottla.client.offsets import OffsetAndMetadata
from ottla.client.retrying import Backoff
from ottla.model.error_codes import STALE_METADATA, ErrorCode
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

#: Looks up committed offsets: given by the consumer, which knows its group.
CommittedLookup = Callable[[list[TopicPartition]], Awaitable[Outcomes[OffsetAndMetadata | None]]]


class PositionLookups:
    """Owned by the consumer."""

    def __init__(
        self,
        cluster: Cluster,
        assignment: Assignment,
        committed: CommittedLookup,
        *,
        is_committed_only: bool,
        on_position: Callable[[], None],
        on_error: Callable[[ClientError], None],
    ) -> None:
        self._cluster = cluster
        self._assignment = assignment
        self._committed = committed
        self._is_committed_only = is_committed_only
        self._on_position = on_position
        self._on_error = on_error
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._backoff: Backoff = cluster.new_backoff()
        self._is_closed = False

    def wake(self) -> None:
        """Starts what is due."""
        if self._is_closed:
            return
        now_ms = self._cluster.clock.monotonic_ms()
        due = self._assignment.due_lookups(now_ms)
        if due.committed:
            self._start(due.committed, self._look_up_committed(due.committed, _versions(due.committed)))
        for states in _by_leader(due.resets):
            self._start(states, self._reset(states, _versions(states)))
        for states in _by_leader(due.validations):
            self._start(states, self._validate(states, _versions(states)))
        self._wake_later(now_ms)

    async def close(self) -> None:
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        for task in tasks:
            try:
                await task
            except asyncio.CancelledError:
                continue

    def _start(self, states: list[PartitionState], work: Coroutine[Any, Any, None]) -> None:
        for state in states:
            state.is_asking = True
        task = asyncio.get_running_loop().create_task(work, name="look up positions")
        self._tasks[task] = None
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.pop(task, None)
        if not self._is_closed:
            self.wake()

    def _wake_later(self, now_ms: int) -> None:
        due_ms = self._assignment.next_lookup_ms(now_ms)
        if due_ms is None:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later((due_ms - now_ms) / 1000, self.wake)

    # the three kinds

    async def _look_up_committed(self, states: list[PartitionState], versions: list[int]) -> None:
        def found(state: PartitionState, committed: OffsetAndMetadata | None) -> None:
            if committed is None:
                state.needs_reset()
            else:
                state.seek(Position(committed.offset, committed.leader_epoch))

        await self._settle(states, versions, self._committed([state.partition for state in states]), found)

    async def _reset(self, states: list[PartitionState], versions: list[int]) -> None:
        now_ms = self._cluster.clock.now_ms()
        timestamps = {state.partition: state.reset_to.timestamp(now_ms) for state in states}

        def found(state: PartitionState, offset: OffsetAndTimestamp | None) -> None:
            if offset is None:
                # Nothing is as young as that: the next record is.
                state.needs_reset(LATEST)
            else:
                _log.info("%s: reset to %s, offset %d", state.partition, state.reset_to, offset.offset)
                state.reset_found(Position(offset.offset, offset.leader_epoch))

        asking = list_offsets(self._cluster, states[0].leader_id, timestamps, is_committed_only=self._is_committed_only)
        await self._settle(states, versions, asking, found)

    async def _validate(self, states: list[PartitionState], versions: list[int]) -> None:
        epochs = {state.partition: state.position.epoch for state in states if state.position is not None}

        def found(state: PartitionState, end: EpochEnd) -> None:
            position = state.position
            state.validated(end.end_offset, end.epoch)
            if state.position != position:
                _log.warning("%s: the log was truncated; %s -> %s", state.partition, position, state.position)

        try:
            await self._settle(states, versions, epoch_ends(self._cluster, states[0].leader_id, epochs), found)
        except UnsupportedByBroker:
            for state in states:
                state.cannot_be_validated()
            self._on_position()

    async def _settle(
        self,
        states: list[PartitionState],
        versions: list[int],
        asking: Awaitable[Outcomes[Any]],
        found: Callable[[PartitionState, Any], None],
    ) -> None:
        """`versions` are those from when the look-up was due: the task starts later, and a seek may come first."""
        try:
            outcomes = await asking
        except UnsupportedByBroker:
            raise
        except ClientError as error:
            outcomes = dict.fromkeys((state.partition for state in states), error)
        missing = ClientError("the response does not have the partition")
        has_failed = False
        for state, version in zip(states, versions, strict=True):
            if state.version != version:
                continue
            outcome = outcomes.get(state.partition, missing)
            if isinstance(outcome, ClientError):
                has_failed = True
                self._failed(state, outcome)
            else:
                found(state, outcome)
        if not has_failed:
            self._backoff.succeeded()
        self._on_position()

    def _failed(self, state: PartitionState, error: ClientError) -> None:
        _log.debug("%s %s: %s", state.partition, state.readiness.value, error)
        state.failed(error, self._cluster.clock.monotonic_ms() + self._backoff.failed_ms())
        if error.code in STALE_METADATA or error.code == ErrorCode.NETWORK_EXCEPTION:
            self._cluster.request_refresh()
        if not error.retriable and error.code not in _PASSING:
            self._on_error(error)


#: The group changes; what it is asked for then will be there after it.
_PASSING = frozenset(
    {
        None,
        ErrorCode.UNKNOWN_SERVER_ERROR,
        ErrorCode.STALE_MEMBER_EPOCH,
        ErrorCode.UNKNOWN_MEMBER_ID,
        ErrorCode.ILLEGAL_GENERATION,
        ErrorCode.REBALANCE_IN_PROGRESS,
        ErrorCode.FENCED_MEMBER_EPOCH,
    }
)


def _versions(states: list[PartitionState]) -> list[int]:
    return [state.version for state in states]


def _by_leader(states: list[PartitionState]) -> list[list[PartitionState]]:
    found: dict[int, list[PartitionState]] = {}
    for state in states:
        found.setdefault(state.leader_id, []).append(state)
    return list(found.values())
