"""Fetches one range of one partition, in order, with the next response on its way while one is decoded."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

from ottla.client.cluster import Cluster
from ottla.client.errors import RequestRefused, TimedOut, refusal
from ottla.client.retrying import Deadline
from ottla.config.consumer_options import ConsumerOptions
from ottla.config.rows import MIB
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import fetch_request
from ottla.records.fetched_batches import FetchedBatches
from ottla.records.reader import iterate_batches

#: Of one response, unless `max.partition.fetch.bytes` is set: large enough that requests cost nothing.
FETCH_BYTES: Final = 8 * MIB
_NO_SESSION: Final = -1
#: Sent with a request that waits on purpose: the broker's wait comes on top.
_GRACE_MS: Final = 5_000


class Range(NamedTuple):
    """Offsets from `start` up to and without `end`."""

    partition: TopicPartition
    start: int
    end: int


class _Fetched(NamedTuple):
    batches: FetchedBatches
    next_offset: int


class RangeFetch:
    """One range. Memory: one response that is decoded, one that is on its way."""

    def __init__(self, cluster: Cluster, options: ConsumerOptions, wanted: Range, *, read_committed: bool) -> None:
        self._cluster = cluster
        self._options = options
        self._wanted = wanted
        self._read_committed = read_committed
        is_set = options.is_set("max.partition.fetch.bytes")
        self._partition_bytes = options.max_partition_fetch_bytes if is_set else FETCH_BYTES

    async def responses(self) -> AsyncIterator[FetchedBatches]:
        """Every response with records of the range. Raises ClientError; TimedOut when the range cannot be read yet."""
        _, offset, end = self._wanted
        if offset >= end:
            return
        coming = asyncio.ensure_future(self._fetch(offset))
        try:
            while True:
                fetched = await coming
                if fetched.next_offset < end:
                    coming = asyncio.ensure_future(self._fetch(fetched.next_offset))
                yield fetched.batches
                if fetched.next_offset >= end:
                    return
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)

    async def _fetch(self, offset: int) -> _Fetched:
        """Waits until there is something at this offset."""
        timeout_ms = self._options.default_api_timeout_ms
        deadline = Deadline(self._cluster.clock, timeout_ms)
        while True:
            row = await self._cluster.retry(
                lambda: self._ask(offset), timeout_ms=timeout_ms, what=f"fetch of {self._wanted.partition}"
            )
            data = row.records or b""
            next_offset = _end_of(data, offset)
            if next_offset > offset:
                aborted = [(each.producer_id, each.first_offset) for each in row.aborted_transactions or ()]
                batches = FetchedBatches(
                    data,
                    offset,
                    end_offset=self._wanted.end,
                    aborted=aborted if self._read_committed else (),
                    check_crcs=self._options.check_crcs,
                )
                return _Fetched(batches, next_offset)
            if deadline.has_passed:
                raise TimedOut(self._not_readable(offset, row))

    async def _ask(self, offset: int) -> Any:
        partition = self._wanted.partition
        view = await self._cluster.topic(partition.topic, Deadline(self._cluster.clock, self._timeout_ms))
        leader = self._cluster.leader_of(partition)
        if leader is None:
            raise refusal(ErrorCode.LEADER_NOT_AVAILABLE, f"{partition} has no leader")
        request = fetch_request.FetchRequest(
            max_wait_ms=self._options.fetch_max_wait_ms,
            min_bytes=1,
            max_bytes=max(self._options.fetch_max_bytes, 1),
            isolation_level=1 if self._read_committed else 0,
            session_epoch=_NO_SESSION,
            topics=[
                fetch_request.Topics(
                    topic=partition.topic,
                    topic_id=view.id,
                    partitions=[
                        fetch_request.Partitions(
                            partition=partition.partition,
                            fetch_offset=offset,
                            partition_max_bytes=self._partition_bytes,
                        )
                    ],
                )
            ],
        )
        response = await self._cluster.ask(leader.id, request, timeout_ms=self._timeout_ms)
        if response.error_code:
            raise refusal(response.error_code, f"fetch of {partition}")
        row = response.responses[0].partitions[0]
        if row.error_code:
            raise self._refused(row.error_code, offset, row)
        return row

    @property
    def _timeout_ms(self) -> int:
        return self._options.request_timeout_ms + self._options.fetch_max_wait_ms + _GRACE_MS

    def _refused(self, code: int, offset: int, row: Any) -> RequestRefused:
        partition, start, end = self._wanted
        if code == ErrorCode.OFFSET_OUT_OF_RANGE:
            return refusal(
                code,
                f"{partition}: offset {offset} of the range {start} to {end} is not in the log any more, or not yet; "
                f"read from the earliest offset, or keep records longer (retention.ms, retention.bytes)",
            )
        return refusal(code, f"fetch of {partition} at offset {offset}")

    def _not_readable(self, offset: int, row: Any) -> str:
        partition, _, end = self._wanted
        is_held = self._read_committed and row.last_stable_offset <= offset < row.high_watermark
        reason = "an open transaction holds it back" if is_held else f"the log ends at {row.high_watermark}"
        return f"{partition}: no record at offset {offset} of a range that ends at {end}: {reason}"


def _end_of(data: Any, offset: int) -> int:
    """The offset after the last whole batch; `offset` when there is none."""
    for _, header in iterate_batches(data, allow_partial=True):
        offset = max(offset, header.next_offset)
    return offset
