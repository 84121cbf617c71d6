"""Reads a topic and counts records and bytes, as columns where Arrow is installed."""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ottla.cli.perf.latencies import MIB
from ottla.cli.perf.producing import has_columns

if TYPE_CHECKING:
    from ottla.client import AsyncConsumer, TopicPartition

_POLL_MS = 100


@dataclass(frozen=True, slots=True)
class Consumed:
    count: int = 0
    size: int = 0

    def __add__(self, other: "Consumed") -> "Consumed":
        return Consumed(self.count + other.count, self.size + other.size)

    @property
    def mib(self) -> float:
        return self.size / MIB


class Joining:
    """A rebalance listener that measures how long partitions were awaited."""

    def __init__(self) -> None:
        self._since_ns = time.monotonic_ns()
        self.total_ms = 0
        self._window_ms = 0

    def on_partitions_revoked(self, partitions: "list[TopicPartition]") -> None:
        self._since_ns = time.monotonic_ns()

    def on_partitions_assigned(self, partitions: "list[TopicPartition]") -> None:
        elapsed_ms = (time.monotonic_ns() - self._since_ns) // 1_000_000
        self.total_ms += elapsed_ms
        self._window_ms += elapsed_ms

    def take_window_ms(self) -> int:
        found, self._window_ms = self._window_ms, 0
        return found


async def consume(consumer: "AsyncConsumer", max_count: int, timeout_ms: int) -> AsyncIterator[Consumed]:
    """Poll by poll, until `max_count` records came or none for `timeout_ms`."""
    poll = _poll_columns if has_columns() else _poll_records
    left = max_count
    last = time.monotonic()
    while left > 0 and (time.monotonic() - last) * 1000 <= timeout_ms:
        part = await poll(consumer, left)
        if part.count:
            last = time.monotonic()
            left -= part.count
            yield part


async def _poll_records(consumer: "AsyncConsumer", left: int) -> Consumed:
    records = await consumer.poll(_POLL_MS, max_records=left)
    size = sum(len(record.key or b"") + len(record.value or b"") for record in records)
    return Consumed(len(records), size)


async def _poll_columns(consumer: "AsyncConsumer", left: int) -> Consumed:
    table = await consumer.poll_arrow(_POLL_MS, max_rows=min(left, 1 << 20), columns=["key", "value"])
    return Consumed(table.num_rows, _bytes_of(table.column("key")) + _bytes_of(table.column("value")))


def _bytes_of(column: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.sum(pc.binary_length(column)).as_py() or 0)
