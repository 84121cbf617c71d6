"""What a node does in the background: which chores there are, and how often each runs."""

from __future__ import annotations

from typing import NamedTuple

from ottla.broker.controller.metadata_store import MetadataStore
from ottla.broker.execution.tasks import Tasks
from ottla.broker.maintenance.background_flush import BackgroundFlush
from ottla.broker.maintenance.chores import Chore, Chores
from ottla.broker.maintenance.compaction import Cleaning
from ottla.broker.maintenance.retention import Retention
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.partitions.reconciler import PartitionReconciler
from ottla.broker.storage.checkpoints import Checkpoints
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.config.broker_options import BrokerOptions
from ottla.doors.clock import Clock
from ottla.doors.executor import Executor
from ottla.log.store.log_store import LogStore
from ottla.model.topic import TopicPartition

_EACH_SECOND_MS = 1_000
#: Unless it is set: a crash then costs a scan of seconds, not of the minute that Kafka's default allows.
_CHECKPOINT_MS = 5_000
_SNAPSHOT_CHECK_MS = 10_000
_RESERVE_CHECK_MS = 30_000
_OFFLINE_CHECK_MS = 5_000
#: The reserve is taken only where this much stays free besides it.
_SPARE_BYTES = 1024 * 1024 * 1024


class Maintained(NamedTuple):
    """The parts of a node that its chores work on."""

    store: LogStore
    partitions: Partitions
    reconciler: PartitionReconciler
    metadata_store: MetadataStore
    checkpoints: Checkpoints
    retention: Retention
    cleaning: Cleaning
    background_flush: BackgroundFlush
    retention_clock: RetentionClock


class Maintenance:
    """Owned by the node."""

    def __init__(
        self, parts: Maintained, config: DynamicConfig, clock: Clock, executor: Executor, tasks: Tasks
    ) -> None:
        self._parts = parts
        self._config = config
        self._clock = clock
        self._executor = executor
        self._tasks = tasks
        self._chores = Chores(tasks)
        #: The next start knows that the clock is doubted.
        self._is_doubt_recorded = False

    def start(self, others: list[Chore]) -> None:
        """`others` are chores of other parts."""
        options, parts = self._config.options, self._parts
        self._is_doubt_recorded = parts.retention_clock.is_doubted
        background = parts.background_flush.run(options.ottla_log_background_flush_interval_ms)
        self._chores.keep(self._tasks.spawn(background, name="background flush"))
        # As in Kafka: a node that was down for days makes room soon, not after a whole interval.
        retention_ms = options.log_retention_check_interval_ms
        first_ms = min(retention_ms, options.log_initial_task_delay_ms)
        chores = [
            Chore("checkpoints", _checkpoint_interval_ms(options), parts.checkpoints.write),
            Chore("retention", retention_ms, self.apply_retention, first_ms),
            Chore("removal of files", _EACH_SECOND_MS, self._remove_due_files),
            Chore("look at the clock", _EACH_SECOND_MS, self._look_at_clock),
            Chore("metadata snapshot", _SNAPSHOT_CHECK_MS, self._snapshot_metadata),
            Chore("disk reserve", _RESERVE_CHECK_MS, self._restore_reserves),
            Chore("offline partitions", _OFFLINE_CHECK_MS, self._open_offline_partitions),
            Chore("producer expiry", options.producer_id_expiration_check_interval_ms, self._expire_producers),
        ]
        if options.log_cleaner_enable:
            chores.append(Chore("compaction", options.log_cleaner_backoff_ms, self.compact))
        self._chores.start([*others, *chores])

    async def stop(self) -> None:
        if self._chores:
            await self._look_at_clock()
        await self._chores.stop()
        await self._parts.checkpoints.saved()

    # -- chores

    async def apply_retention(self) -> None:
        """One round of retention over all logs."""
        await self._parts.retention.apply()

    async def compact(self) -> None:
        """One round of compaction: every log that is dirty enough."""
        await self._parts.retention.compact(self._parts.cleaning)

    async def compact_everything(self) -> None:
        """Compacts all that may be compacted now, however little it is."""
        await self._parts.retention.compact_everything(self._parts.cleaning)

    async def _expire_producers(self) -> None:
        self._parts.retention.expire_producers(self._config.options.producer_id_expiration_ms)

    async def _remove_due_files(self) -> None:
        """In a thread: a large file takes the system a third of a second."""
        store = self._parts.store
        while (job := store.removal_job(self._clock.now_ms())) is not None:
            await self._executor.run(job.run)
            store.removal_done(job, self._clock.now_ms())

    async def _look_at_clock(self) -> None:
        """A jump must not be forgotten by a restart: what is written after it has the wrong time."""
        clock = self._parts.retention_clock
        clock.now_ms()
        if clock.is_doubted != self._is_doubt_recorded:
            self._is_doubt_recorded = await self._parts.checkpoints.record_doubt(clock)

    async def _snapshot_metadata(self) -> None:
        options, store = self._config.options, self._parts.metadata_store
        if len(self._parts.reconciler):
            # The log still contains which topics were removed: after a crash their directories are known by it.
            return
        await store.snapshot_if_due(
            options.metadata_log_max_record_bytes_between_snapshots, options.metadata_log_max_snapshot_interval_ms
        )
        removed = store.retire(options.metadata_max_retention_bytes, options.metadata_max_retention_ms)
        if removed:
            self._parts.store.schedule_removal(removed, self._clock.now_ms() + store.delete_delay_ms)

    async def _restore_reserves(self) -> None:
        await self._executor.run(self._parts.store.restore_reserves, spare_bytes=_SPARE_BYTES)

    async def _open_offline_partitions(self) -> None:
        """What found no room on a full disk is retried; what is offline for another reason stays so."""
        store, reconciler = self._parts.store, self._parts.reconciler
        for topic_partition in store.load_again(self._config.topic_options):
            reconciler.settle(topic_partition)
        missing = [each for each in self._parts.partitions.offline if each not in store.offline]
        if missing and store.has_room():
            for topic, index in missing:
                reconciler.settle(TopicPartition(topic, index))


def _checkpoint_interval_ms(options: BrokerOptions) -> int:
    name = "log.flush.offset.checkpoint.interval.ms"
    return options.log_flush_offset_checkpoint_interval_ms if options.is_set(name) else _CHECKPOINT_MS
