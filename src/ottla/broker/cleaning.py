"""Drives compaction: choose the dirtiest log, rewrite it in a helper process, swap the result in.

The rewriting holds the GIL for as long as it takes; in this process it would stall every client. The segments it reads
are closed, so nobody changes them meanwhile.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ottla.config.rows import MAX_DOUBLE
from ottla.log.cleaner import Cleaner
from ottla.log.cleaning_plan import CleaningPlan, CleanResult
from ottla.log.partition_log import PartitionLog
from ottla.log.segment_cleaning import clean_segments
from ottla.model.errors import CorruptLog, RemoteProtocolError
from ottla.model.topic import TRANSACTION_STATE, TopicPartition

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

_log = logging.getLogger(__name__)


class Cleaning:
    """Owned by the node."""

    def __init__(self, broker: BrokerNode) -> None:
        self._broker = broker
        self._cleaner = Cleaner(
            broker.world.disk,
            broker.store.cleaner_offsets,
            map_memory_bytes=broker.options.log_cleaner_dedupe_buffer_size,
        )

    async def clean_dirtiest(self, min_ratio: float | None = None) -> bool:
        """Cleans one log; False when none is dirty enough, or the cleaning went wrong.

        `min_ratio` counts instead of min.cleanable.dirty.ratio of the topics.
        """
        broker = self._broker
        plan = self._cleaner.choose(self._candidates(), broker.retention_clock.now_ms(), min_ratio)
        if plan is None:
            return False
        bytes_per_second = broker.options.log_cleaner_io_max_bytes_per_second
        if 0 < bytes_per_second < MAX_DOUBLE:
            plan = plan._replace(bytes_per_second=bytes_per_second)
        started_ms = broker.clock.monotonic_ms()
        try:
            result = await broker.world.executor.run_apart(clean_segments, plan)
        except (OSError, CorruptLog, RemoteProtocolError) as error:
            self._cleaner.failed(plan, error)
            return False
        await self._flush(plan.topic_partition)
        if not await self._swap(plan, result):
            return False
        took_ms = broker.clock.monotonic_ms() - started_ms
        _log.info("%s compacted up to offset %d in %d ms", plan.topic_partition, result.cleaned_to, took_ms)
        return True

    def _candidates(self) -> Iterator[PartitionLog]:
        # A partition that is offline may have lost markers: then the decisions in the transaction log are needed.
        keeps_decisions = bool(self._broker.partitions.offline)
        for leader in self._broker.partitions:
            if not (keeps_decisions and leader.topic_partition.topic == TRANSACTION_STATE):
                yield leader.log

    async def _flush(self, topic_partition: TopicPartition) -> None:
        """What is replaced must be on the device; here, where nobody waits for it, and not when it is replaced.

        From the transaction log decisions are removed: their markers must be on the device, wherever they are.
        """
        broker = self._broker
        leader = broker.partitions.leaders.get(topic_partition)
        leaders = [leader] if leader is not None else []
        if topic_partition.topic == TRANSACTION_STATE:
            leaders = list(broker.partitions)
        for each in leaders:
            await broker.flusher_for(each.log).flush(each.log, each.flushed)

    async def _swap(self, plan: CleaningPlan, result: CleanResult) -> bool:
        """Names are changed here, between requests; the device is waited for in a thread."""
        broker = self._broker
        cleaned = broker.store.logs.get(plan.topic_partition)
        steps = self._cleaner.steps(plan, result, lambda: broker.store.logs.get(plan.topic_partition))
        try:
            while True:
                await broker.world.executor.run(next(steps))
        except StopIteration as end:
            removed: list[str] = end.value
        except OSError as error:
            steps.close()
            if cleaned is not None and broker.store.logs.get(plan.topic_partition) is cleaned:
                # Otherwise it was deleted or moved, and another log may have its name.
                broker.storage_failed(plan.topic_partition, error)
            return False
        log = broker.store.logs.get(plan.topic_partition)
        if log is not None and removed:
            broker.store.schedule_removal(removed, broker.clock.now_ms() + log.options.file_delete_delay_ms)
        return True
