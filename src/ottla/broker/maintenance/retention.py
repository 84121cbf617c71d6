"""One round of retention or compaction over all logs: segments that are due are rolled, old ones are retired."""

from __future__ import annotations

import asyncio

from ottla.broker.maintenance.compaction import Cleaning
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.storage.faults import StorageFaults
from ottla.broker.storage.name_syncs import NameSyncs
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.doors.clock import Clock
from ottla.doors.executor import Executor
from ottla.log.files.disk_errors import is_transient
from ottla.log.partition_log import PartitionLog
from ottla.log.store.log_store import LogStore
from ottla.model.errors import CorruptLog


class Retention:
    """Owned by the node."""

    def __init__(
        self,
        partitions: Partitions,
        store: LogStore,
        *,
        clock: Clock,
        retention_clock: RetentionClock,
        executor: Executor,
        name_syncs: NameSyncs,
        faults: StorageFaults,
    ) -> None:
        self._partitions = partitions
        self._store = store
        self._clock = clock
        self._retention_clock = retention_clock
        self._executor = executor
        self._name_syncs = name_syncs
        self._faults = faults

    async def apply(self) -> None:
        """One round of retention over all logs."""
        now_ms = self._retention_clock.now_ms()
        for log in self._logs():
            if self._is_current(log) and await self._has_rolled(log, now_ms):
                await self._retire(log, now_ms)
            await asyncio.sleep(0)

    async def compact(self, cleaning: Cleaning) -> None:
        """One round of compaction: every log that is dirty enough."""
        now_ms = self._clock.now_ms()
        for log in self._logs():
            if "compact" in log.options.cleanup_policy:
                # max.compaction.lag.ms holds for a quiet topic as well: its last segment must be closed to be cleaned.
                await self._has_rolled(log, now_ms)
        while await cleaning.clean_dirtiest():
            pass

    async def compact_everything(self, cleaning: Cleaning) -> None:
        """Compacts all that may be compacted now, however little it is: active segments are closed for it."""
        for log in self._logs():
            if "compact" in log.options.cleanup_policy:
                await self._name_syncs.before_roll(log)
                log.roll()
        while await cleaning.clean_dirtiest(min_ratio=0.0):
            pass

    def expire_producers(self, expiration_ms: int) -> None:
        now_ms = self._clock.monotonic_ms()
        for log in self._logs():
            log.producers.expire(now_ms, expiration_ms)

    def _logs(self) -> list[PartitionLog]:
        return [leader.log for leader in self._partitions if not leader.log.is_failed]

    def _is_current(self, log: PartitionLog) -> bool:
        """Meanwhile it may have been deleted or moved, and another log of its name have come."""
        return self._store.logs.get(log.topic_partition) is log

    async def _has_rolled(self, log: PartitionLog, now_ms: int) -> bool:
        """Where a roll was due. False: the log is in trouble, which keeps no other one from being tidied up."""
        try:
            if log.will_roll(now_ms):
                await self._name_syncs.before_roll(log)
            if log.is_failed:
                return False
            log.roll_if_due(now_ms)
        except (OSError, CorruptLog) as error:
            self._faults.log_failed(log.topic_partition, error)
            # On a full disk a roll finds no room: what is old must go all the same, it makes some.
            return is_transient(error)
        return True

    async def _retire(self, log: PartitionLog, now_ms: int) -> None:
        """Names are changed here, between requests; the device is waited for in a thread."""
        steps = log.retirement_steps(now_ms)
        try:
            while True:
                await self._executor.run(next(steps))
        except StopIteration as end:
            removed: list[str] = end.value
        except (OSError, CorruptLog) as error:
            steps.close()
            if self._is_current(log):
                self._faults.log_failed(log.topic_partition, error)
            return
        if removed and self._is_current(log):
            self._store.schedule_removal(removed, self._clock.now_ms() + log.options.file_delete_delay_ms)
