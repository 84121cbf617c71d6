"""No reader is held forever: the last stable offset moves on within a transaction's timeout and ten seconds.

Looked at all through a run, in every partition, the internal ones too. Only time in which the broker can do something
about it counts: its process runs (it is not down, starting or paused), all its transaction shards are loaded, and its
disk has room. What was counted before such a break is kept, so a broker that restarts all the time gains nothing.
The count restarts when the offset moves, or when it is held by another producer, or by another epoch of it.
"""

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ottla.model.topic import TopicPartition
from ottla.sim.history import History
from ottla.sim.node import SimNode

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

#: Kafka looks for transactions that are over every ten seconds.
GRACE_MS: Final = 10_000
_LOOK_EVERY_S = 0.1


class Held(NamedTuple):
    """What holds the last stable offset back: the first open transaction, or a marker that is not committed (None)."""

    offset: int
    producer: tuple[int, int] | None


class StableOffsetWatch:
    """Owned by a workload; `timeout_ms` is the longest timeout of its transactions."""

    def __init__(self, node: SimNode, history: History, *, timeout_ms: int) -> None:
        self.limit_ms = timeout_ms + GRACE_MS
        #: The longest that any last stable offset was held.
        self.longest_ms = 0
        self._node = node
        self._history = history
        self._counted: dict[TopicPartition, tuple[Held, int]] = {}
        self._reported: dict[tuple[TopicPartition, Held], None] = {}
        #: When the node was last seen at work, and in which of its lives.
        self._seen: tuple[int, int] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.ensure_future(self._watch())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(_LOOK_EVERY_S)

    def look(self) -> None:
        if not _is_at_work(self._node):
            self._seen = None
            return
        now_ms = self._node.clock.monotonic_ms()
        elapsed_ms = 0
        if self._seen is not None and self._seen[1] == self._node.start_count:
            elapsed_ms = now_ms - self._seen[0]
        self._seen = (now_ms, self._node.start_count)
        for leader in self._node.service.partitions:
            self._count(leader.log, elapsed_ms)

    def _count(self, log: Any, elapsed_ms: int) -> None:
        partition = log.topic_partition
        held = _held(log)
        if held is None:
            self._counted.pop(partition, None)
            return
        before = self._counted.get(partition)
        held_ms = before[1] + elapsed_ms if before is not None and before[0] == held else 0
        self._counted[partition] = (held, held_ms)
        self.longest_ms = max(self.longest_ms, held_ms)
        if held_ms > self.limit_ms and (partition, held) not in self._reported:
            self._reported[partition, held] = None
            text = f"{partition}: {held.offset} of {log.end_offset} for {held_ms} ms, held by {held.producer}"
            self._history.found("stuck-lso", text)


def _is_at_work(node: SimNode) -> bool:
    if not node.has_started or node.is_paused or node.faults.space_bytes is not None:
        return False
    service: BrokerNode = node.service
    return all(host.state == "active" for host in service.transactions.hosts())


def _held(log: Any) -> Held | None:
    """None: the last stable offset is the end of the log."""
    offset = log.last_stable_offset
    if offset >= log.end_offset:
        return None
    for producer_id, first_offset in log.producers.open_transactions.items():
        if first_offset == offset:
            return Held(offset, (producer_id, log.producers.entries[producer_id].epoch))
    return Held(offset, None)
