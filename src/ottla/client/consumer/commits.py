"""Commits of offsets: one request in flight at a time, so that they take effect in the order of the calls.

What is asked for while a commit is in flight goes out together in the next one.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, TypeAlias

from ottla.client.cluster import Cluster
from ottla.client.consumer.offset_requests import commit, fetch_committed
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import ClientError, CommitFailed, ConnectionFailed, TimedOut
from ottla.client.offsets import ConsumerGroupMetadata, OffsetAndMetadata
from ottla.client.retrying import Deadline, timed_out
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

Offsets: TypeAlias = Mapping[TopicPartition, OffsetAndMetadata]

_LOST_COORDINATOR = frozenset({ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE})
#: The member has a new epoch, or will have one with its next heartbeat (KIP-848).
_STALE = frozenset({ErrorCode.STALE_MEMBER_EPOCH})


class _Request(NamedTuple):
    offsets: dict[TopicPartition, OffsetAndMetadata]
    deadline: Deadline
    done: "asyncio.Future[None]"


class Committer:
    """Owned by the consumer. `member` says who commits partitions now, and raises CommitFailed while nobody may."""

    def __init__(
        self,
        cluster: Cluster,
        group_id: str,
        member: Callable[[Collection[TopicPartition]], ConsumerGroupMetadata],
        *,
        on_commit: Callable[[Offsets], None],
        on_refused: Callable[[], None],
    ) -> None:
        self._cluster = cluster
        self._group_id = group_id
        self._member = member
        self._on_commit = on_commit
        self._on_refused = on_refused
        self._waiting: list[_Request] = []
        self._task: asyncio.Task[None] | None = None
        #: What is known to be committed.
        self.committed: dict[TopicPartition, int] = {}

    def send(self, offsets: Offsets, timeout_ms: int) -> "asyncio.Future[None]":
        """In the order of calls. The future has None, or what went wrong."""
        loop = asyncio.get_running_loop()
        request = _Request(dict(offsets), Deadline(self._cluster.clock, timeout_ms), loop.create_future())
        if not offsets:
            request.done.set_result(None)
            return request.done
        self._waiting.append(request)
        if self._task is None:
            self._task = loop.create_task(self._run(), name=f"commit offsets of group {self._group_id}")
        return request.done

    async def commit(self, offsets: Offsets, timeout_ms: int) -> None:
        """Raises what `send` gives."""
        await asyncio.shield(self.send(offsets, timeout_ms))

    async def fetch(
        self, partitions: list[TopicPartition]
    ) -> dict[TopicPartition, OffsetAndMetadata | None | ClientError]:
        """What the group has committed; one attempt."""
        try:
            node_id = await self._cluster.coordinators.find(CoordinatorKind.GROUP, self._group_id)
            found = await fetch_committed(self._cluster, node_id, self._reader(), partitions)
        except ClientError as error:
            self._note(error)
            raise
        for partition, row in found.items():
            if isinstance(row, OffsetAndMetadata):
                self.committed[partition] = row.offset
        return found

    def _reader(self) -> ConsumerGroupMetadata:
        """Anybody may read: while this is no member, it asks as nobody."""
        try:
            return self._member(())
        except CommitFailed:
            return ConsumerGroupMetadata(self._group_id)

    def forget(self, partitions: "set[TopicPartition] | frozenset[TopicPartition]") -> None:
        """They are not this consumer's any more: somebody else commits them."""
        for partition in partitions:
            self.committed.pop(partition, None)

    async def close(self) -> None:
        """Whoever waits gets an error."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    # the task

    async def _run(self) -> None:
        requests: list[_Request] = []
        try:
            while self._waiting:
                requests, self._waiting = self._waiting, []
                await self._serve(requests)
        except asyncio.CancelledError:
            for request in [*requests, *self._waiting]:
                _fail(request, ConnectionFailed("the consumer was closed before the commit was confirmed"))
            raise
        finally:
            self._task = None

    async def _serve(self, requests: list[_Request]) -> None:
        """Tries until every request has succeeded, failed for good, or is out of time."""
        backoff = self._cluster.new_backoff()
        while requests:
            merged: dict[TopicPartition, OffsetAndMetadata] = {}
            for request in requests:
                merged |= request.offsets
            left_ms = max(request.deadline.left_ms for request in requests)
            try:
                async with asyncio.timeout(left_ms / 1000):
                    outcomes = await self._attempt(merged)
            except TimeoutError:
                outcomes = dict.fromkeys(merged, TimedOut(f"group {self._group_id}: no response to a commit"))
            pause_ms = backoff.failed_ms()
            requests = [request for request in requests if not self._settle(request, outcomes, pause_ms)]
            if requests:
                await asyncio.sleep(pause_ms / 1000)

    async def _attempt(self, offsets: Offsets) -> dict[TopicPartition, ClientError | None]:
        try:
            node_id = await self._cluster.coordinators.find(CoordinatorKind.GROUP, self._group_id)
            outcomes = await commit(self._cluster, node_id, self._member(offsets.keys()), offsets)
        except ClientError as error:
            self._note(error)
            return dict.fromkeys(offsets, error)
        for error_or_none in outcomes.values():
            if error_or_none is not None:
                self._note(error_or_none)
        accepted = {partition: offsets[partition] for partition in offsets if outcomes.get(partition, True) is None}
        if accepted:
            self.committed |= {partition: entry.offset for partition, entry in accepted.items()}
            self._on_commit(accepted)
        missing = ConnectionFailed("the response does not have the partition")
        return {partition: outcomes.get(partition, missing) for partition in offsets}

    def _note(self, error: ClientError) -> None:
        if isinstance(error, ConnectionFailed | TimedOut) or error.code in _LOST_COORDINATOR:
            self._cluster.coordinators.forget(CoordinatorKind.GROUP, self._group_id)
        if isinstance(error, CommitFailed) or error.code in _STALE:
            self._on_refused()

    def _settle(self, request: _Request, outcomes: Mapping[TopicPartition, ClientError | None], pause_ms: int) -> bool:
        """Whether nothing is left to do for the request."""
        errors = {partition: outcomes[partition] for partition in request.offsets}
        failed = {partition: error for partition, error in errors.items() if error is not None}
        if request.done.done():
            return True
        if not failed:
            request.done.set_result(None)
            return True
        final = [error for error in failed.values() if not error.retriable and error.code not in _STALE]
        if final:
            _fail(request, final[0])
            return True
        if request.deadline.left_ms <= pause_ms:
            cause = next(iter(failed.values()))
            _fail(request, timed_out(f"group {self._group_id}: commit", request.deadline, cause))
            return True
        for partition in errors.keys() - failed.keys():
            del request.offsets[partition]
        return False


def _fail(request: _Request, error: ClientError) -> None:
    if not request.done.done():
        request.done.set_exception(error)
        # It may be that nobody waits any more.
        request.done.exception()
