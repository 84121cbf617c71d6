"""Drives compaction: choose the dirtiest log, rewrite it in a helper process, swap the result in.

The rewriting holds the GIL for as long as it takes; in this process it would stall every client. The segments it reads
are closed, so nobody changes them meanwhile.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.storage.faults import StorageFaults
from ottla.broker.storage.flushers import Flushers
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.config.rows import MAX_DOUBLE
from ottla.doors.world import World
from ottla.log.compaction.cleaner import Cleaner
from ottla.log.compaction.cleaning_plan import CleaningPlan, CleanResult
from ottla.log.compaction.segment_cleaning import clean_segments
from ottla.log.partition_log import PartitionLog
from ottla.log.store.log_store import LogStore
from ottla.model.errors import CorruptLog, RemoteProtocolError
from ottla.model.topic import TRANSACTION_STATE, TopicPartition

_log = logging.getLogger(__name__)


class Cleaning:
    """Owned by the node."""

    def __init__(
        self,
        world: World,
        store: LogStore,
        partitions: Partitions,
        *,
        config: DynamicConfig,
        retention_clock: RetentionClock,
        flushers: Flushers,
        faults: StorageFaults,
    ) -> None:
        self._clock = world.clock
        self._executor = world.executor
        self._store = store
        self._partitions = partitions
        self._config = config
        self._retention_clock = retention_clock
        self._flushers = flushers
        self._faults = faults
        self._cleaner = Cleaner(
            world.disk,
            store.cleaner_offsets,
            map_memory_bytes=config.options.log_cleaner_dedupe_buffer_size,
        )

    async def clean_dirtiest(self, min_ratio: float | None = None) -> bool:
        """Cleans one log; False when none is dirty enough, or the cleaning went wrong.

        `min_ratio` counts instead of min.cleanable.dirty.ratio of the topics.
        """
        plan = self._cleaner.choose(self._candidates(), self._retention_clock.now_ms(), min_ratio)
        if plan is None:
            return False
        bytes_per_second = self._config.options.log_cleaner_io_max_bytes_per_second
        if 0 < bytes_per_second < MAX_DOUBLE:
            plan = plan._replace(bytes_per_second=bytes_per_second)
        started_ms = self._clock.monotonic_ms()
        try:
            result = await self._executor.run_apart(clean_segments, plan)
        except (OSError, CorruptLog, RemoteProtocolError) as error:
            self._cleaner.failed(plan, error)
            return False
        await self._flush(plan.topic_partition)
        if not await self._swap(plan, result):
            return False
        took_ms = self._clock.monotonic_ms() - started_ms
        _log.info("%s compacted up to offset %d in %d ms", plan.topic_partition, result.cleaned_to, took_ms)
        return True

    def _candidates(self) -> Iterator[PartitionLog]:
        # A partition that is offline may have lost markers: then the decisions in the transaction log are needed.
        keeps_decisions = bool(self._partitions.offline)
        for leader in self._partitions:
            if not (keeps_decisions and leader.topic_partition.topic == TRANSACTION_STATE):
                yield leader.log

    async def _flush(self, topic_partition: TopicPartition) -> None:
        """What is replaced must be on the device; here, where nobody waits for it, and not when it is replaced.

        From the transaction log decisions are removed: their markers must be on the device, wherever they are.
        """
        leader = self._partitions.leaders.get(topic_partition)
        leaders = [leader] if leader is not None else []
        if topic_partition.topic == TRANSACTION_STATE:
            leaders = list(self._partitions)
        for each in leaders:
            await self._flushers.flush(each)

    async def _swap(self, plan: CleaningPlan, result: CleanResult) -> bool:
        """Names are changed here, between requests; the device is waited for in a thread."""
        cleaned = self._store.logs.get(plan.topic_partition)
        steps = self._cleaner.steps(plan, result, lambda: self._store.logs.get(plan.topic_partition))
        try:
            while True:
                await self._executor.run(next(steps))
        except StopIteration as end:
            removed: list[str] = end.value
        except OSError as error:
            steps.close()
            if cleaned is not None and self._store.logs.get(plan.topic_partition) is cleaned:
                # Otherwise it was deleted or moved, and another log may have its name.
                self._faults.io_failed(plan.topic_partition, error)
            return False
        log = self._store.logs.get(plan.topic_partition)
        if log is not None and removed:
            self._store.schedule_removal(removed, self._clock.now_ms() + log.options.file_delete_delay_ms)
        return True
