"""What a node does by itself, again and again: flush, checkpoint, retention, compaction, sweeping of connections."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ottla.config.broker_options import BrokerOptions
from ottla.log.checkpoints import LOG_START_OFFSETS
from ottla.log.disk_errors import passes
from ottla.log.partition_log import PartitionLog
from ottla.model.errors import CorruptLog
from ottla.model.topic import TopicPartition

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

_log = logging.getLogger(__name__)

_EACH_SECOND_MS = 1_000
#: How often logs are asked for flush.ms when nothing shorter is set, and how often at most.
_FLUSH_CHECK_MS = 1_000
_MIN_FLUSH_MS = 10
#: How often at most all logs are looked at because descriptors are short.
_FLUSH_PAUSE_MS = 50
#: After a background flush the disk has this many times its duration for itself.
_REST_AFTER_FLUSH = 10
#: Unless it is set: a crash then costs a scan of seconds, not of the minute that Kafka's default allows.
_CHECKPOINT_MS = 5_000
_SNAPSHOT_CHECK_MS = 10_000
_RESERVE_CHECK_MS = 30_000
_OFFLINE_CHECK_MS = 5_000
#: The reserve is taken only where this much stays free besides it.
_SPARE_BYTES = 1024 * 1024 * 1024


class Maintenance:
    """Owned by the node. Each chore has a loop of its own; a chore that fails is logged and retried later."""

    def __init__(self, broker: BrokerNode) -> None:
        self._broker = broker
        self._tasks: list[asyncio.Task[None]] = []
        self._flushed_everything_ms = -(10**9)
        #: Small files of the log directories are written by one at a time: two would fill the same temporary file.
        self._saving: asyncio.Future[Any] | None = None
        #: The next start knows that the clock is doubted.
        self._is_doubt_recorded = False

    def start(self) -> None:
        options = self._broker.options
        self._is_doubt_recorded = self._broker.retention_clock.is_doubted
        chores: list[tuple[str, int, Callable[[], Awaitable[None]]]] = [
            ("connection sweep", self._broker.limits.sweep_ms, self._sweep_connections),
            ("checkpoints", _checkpoint_interval_ms(options), self._write_checkpoints),
            ("retention", options.log_retention_check_interval_ms, self.apply_retention),
            ("unsent answers", _EACH_SECOND_MS, self._bound_unsent_responses),
            ("removal of files", _EACH_SECOND_MS, self._remove_due_files),
            ("look at the clock", _EACH_SECOND_MS, self._look_at_clock),
            ("metadata snapshot", _SNAPSHOT_CHECK_MS, self._snapshot_metadata),
            ("disk reserve", _RESERVE_CHECK_MS, self._restore_reserves),
            ("offline partitions", _OFFLINE_CHECK_MS, self._open_offline_partitions),
            ("producer expiry", options.producer_id_expiration_check_interval_ms, self._expire_producers),
        ]
        if options.log_cleaner_enable:
            chores.append(("compaction", options.log_cleaner_backoff_ms, self.compact))
        self._tasks.append(self._broker.spawn(self._flush_again_and_again(), name="background flush"))
        for name, interval_ms, chore in chores:
            if interval_ms > 0:
                # As in Kafka: a node that was away for days makes room soon, not after a whole interval.
                first_ms = min(interval_ms, options.log_initial_task_delay_ms) if name == "retention" else interval_ms
                self._tasks.append(self._broker.spawn(self._repeat(name, first_ms, interval_ms, chore), name=name))

    async def stop(self) -> None:
        if self._tasks:
            await self._look_at_clock()
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with_result = await asyncio.gather(task, return_exceptions=True)
            del with_result
        self._tasks.clear()
        await self.saved()

    async def _repeat(self, name: str, first_ms: int, interval_ms: int, chore: Callable[[], Awaitable[None]]) -> None:
        delay_ms = first_ms
        while True:
            await asyncio.sleep(delay_ms / 1000)
            delay_ms = interval_ms
            try:
                await chore()
            except OSError as error:
                _log.error("%s failed and will be retried: %s", name, error)
            except Exception as error:  # noqa: BLE001  a bug in one round must not be the end of all retention
                _report(f"{name} failed and will be retried", error)

    async def _sweep_connections(self) -> None:
        self._broker.connections.sweep()

    async def _flush_again_and_again(self) -> None:
        """Bounds what power loss can take from topics that do not flush before each ack, and serves flush.ms."""
        clock = self._broker.clock
        background_ms = self._broker.options.ottla_log_background_flush_interval_ms
        interval_ms = background_ms or _FLUSH_CHECK_MS
        background_due_ms = 0
        while True:
            await asyncio.sleep(interval_ms / 1000)
            began_ms = clock.monotonic_ms()
            is_background_due = background_ms > 0 and began_ms >= background_due_ms
            shortest_ms = _FLUSH_CHECK_MS
            try:
                shortest_ms = self._flush_due_logs(began_ms, everything=is_background_due)
                await self._broker.background_flusher.settle()
            except Exception as error:  # noqa: BLE001  nor of all flushing
                _report("background flush failed and will be retried", error)
            if is_background_due:
                # A disk that cannot keep up is not helped by asking again at once: producers would wait behind it.
                ended_ms = clock.monotonic_ms()
                background_due_ms = ended_ms + max(background_ms, _REST_AFTER_FLUSH * (ended_ms - began_ms))
            interval_ms = max(_MIN_FLUSH_MS, min(background_ms or _FLUSH_CHECK_MS, shortest_ms))

    def flush_everything(self) -> None:
        """Soon, in the background; for many calls it comes once."""
        now_ms = self._broker.clock.monotonic_ms()
        if now_ms - self._flushed_everything_ms >= _FLUSH_PAUSE_MS:
            self._flushed_everything_ms = now_ms
            self._flush_due_logs(now_ms, everything=True)

    def _flush_due_logs(self, now_ms: int, *, everything: bool) -> int:
        """Gives the shortest flush.ms of all logs: how soon to look again."""
        shortest_ms = _FLUSH_CHECK_MS
        for leader in self._broker.partitions:
            log = leader.log
            shortest_ms = min(shortest_ms, log.options.flush_ms)
            if log.recovery_point < log.end_offset and not log.is_failed and (everything or log.flush_due(now_ms)):
                self._broker.flusher_for(log).want(log, leader.flushed)
        return shortest_ms

    async def _write_checkpoints(self) -> None:
        """What was flushed need not be scanned after a crash; and where clients may read to, should be known then."""
        await self._save(None)

    async def save_log_starts(self) -> list[str]:
        """Before DeleteRecords is answered: what it took away must not come back. Gives directories that failed."""
        return await self._save(LOG_START_OFFSETS)

    async def forget_deleted(self) -> None:
        """Removes the entries of deleted partitions from the checkpoint files: their names may be used again then."""
        await self._save(None)

    async def _save(self, only: str | None) -> list[str]:
        await self.saved()
        job = self._broker.store.checkpoint_job()
        if only is not None:
            job.keep_only(only)
        self._saving = asyncio.ensure_future(self._broker.world.executor.run(job.run))
        # Who waits may be cancelled; the thread goes on, and `stop` waits for it.
        await asyncio.shield(self._saving)
        job.done()
        for path, error in job.failures:
            self._broker.faults.path_failed(path, error)
        return [path for path, _ in job.failures]

    async def saved(self) -> None:
        """Returns when nobody writes checkpoint files."""
        while self._saving is not None and not self._saving.done():
            await asyncio.gather(asyncio.shield(self._saving), return_exceptions=True)

    async def apply_retention(self) -> None:
        """One round of retention over all logs."""
        now_ms = self._broker.retention_clock.now_ms()
        for log in self._logs():
            if self._is_current(log) and await self._has_rolled(log, now_ms):
                await self._retire(log, now_ms)
            await asyncio.sleep(0)

    def _is_current(self, log: PartitionLog) -> bool:
        """Meanwhile it may have been deleted or moved, and another log of its name have come."""
        return self._broker.store.logs.get(log.topic_partition) is log

    async def _has_rolled(self, log: PartitionLog, now_ms: int) -> bool:
        """Where a roll was due. False: the log is in trouble, which keeps no other one from being tidied up."""
        try:
            if log.will_roll(now_ms):
                await self._broker.name_syncs.before_roll(log)
            if log.is_failed:
                return False
            log.roll_if_due(now_ms)
        except (OSError, CorruptLog) as error:
            self._broker.faults.log_failed(log.topic_partition, error)
            # On a full disk a roll finds no room: what is old must go all the same, it makes some.
            return passes(error)
        return True

    async def _retire(self, log: PartitionLog, now_ms: int) -> None:
        """Names are changed here, between requests; the device is waited for in a thread."""
        steps = log.retirement_steps(now_ms)
        try:
            while True:
                await self._broker.world.executor.run(next(steps))
        except StopIteration as end:
            removed: list[str] = end.value
        except (OSError, CorruptLog) as error:
            steps.close()
            if self._is_current(log):
                self._broker.faults.log_failed(log.topic_partition, error)
            return
        if removed and self._is_current(log):
            due_ms = self._broker.clock.now_ms() + log.options.file_delete_delay_ms
            self._broker.store.schedule_removal(removed, due_ms)

    async def _bound_unsent_responses(self) -> None:
        """They fill the memory faster than the time limits of the sweep pass."""
        self._broker.connections.bound_unsent_responses()

    async def _remove_due_files(self) -> None:
        """In a thread: a large file takes the system a third of a second."""
        broker = self._broker
        while (job := broker.store.removal_job(broker.clock.now_ms())) is not None:
            await broker.world.executor.run(job.run)
            broker.store.removal_done(job, broker.clock.now_ms())

    async def _look_at_clock(self) -> None:
        """A jump must not be forgotten by a restart: what is written after it has the wrong time."""
        clock = self._broker.retention_clock
        clock.now_ms()
        if clock.is_doubted == self._is_doubt_recorded:
            return
        await self.saved()
        self._is_doubt_recorded = clock.is_doubted
        recording = self._broker.world.executor.run(self._broker.store.record_held_clock, clock.held_ms)
        self._saving = asyncio.ensure_future(recording)
        for path, error in await asyncio.shield(self._saving):
            self._broker.faults.path_failed(path, error)

    async def _expire_producers(self) -> None:
        now_ms = self._broker.clock.monotonic_ms()
        for log in self._logs():
            log.producers.expire(now_ms, self._broker.options.producer_id_expiration_ms)

    async def _snapshot_metadata(self) -> None:
        broker, options = self._broker, self._broker.options
        if len(broker.reconciler):
            # The log still tells which topics were removed: after a crash their directories are known by it.
            return
        await broker.metadata.snapshot_if_due(
            options.metadata_log_max_record_bytes_between_snapshots, options.metadata_log_max_snapshot_interval_ms
        )
        removed = broker.metadata.retire(options.metadata_max_retention_bytes, options.metadata_max_retention_ms)
        if removed:
            due_ms = broker.clock.now_ms() + broker.metadata.log.options.file_delete_delay_ms
            broker.store.schedule_removal(removed, due_ms)

    async def _restore_reserves(self) -> None:
        await self._broker.world.executor.run(self._broker.store.restore_reserves, spare_bytes=_SPARE_BYTES)

    async def _open_offline_partitions(self) -> None:
        """What found no room on a full disk is retried; what is offline for another reason stays so."""
        broker = self._broker
        for topic_partition in broker.store.load_again(broker.follower.options_for):
            broker.follower.open_again(topic_partition)
        missing = [each for each in broker.partitions.offline if each not in broker.store.offline]
        if missing and broker.store.has_room():
            for topic, index in missing:
                broker.follower.open_again(TopicPartition(topic, index))

    async def compact(self) -> None:
        """One round of compaction: every log that is dirty enough."""
        now_ms = self._broker.clock.now_ms()
        for log in self._logs():
            if "compact" in log.options.cleanup_policy:
                # max.compaction.lag.ms holds for a quiet topic as well: its last segment must be closed to be cleaned.
                await self._has_rolled(log, now_ms)
        while await self._broker.cleaning.clean_dirtiest():
            pass

    async def compact_everything(self) -> None:
        """Compacts all that may be compacted now, however little it is: active segments are closed for it."""
        for log in self._logs():
            if "compact" in log.options.cleanup_policy:
                await self._broker.name_syncs.before_roll(log)
                log.roll()
        while await self._broker.cleaning.clean_dirtiest(min_ratio=0.0):
            pass

    def _logs(self) -> list[PartitionLog]:
        return [leader.log for leader in self._broker.partitions if not leader.log.is_failed]


def _report(message: str, error: Exception) -> None:
    """To whoever looks at errors that nobody caught: the log, or the simulation that finds them."""
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})


def _checkpoint_interval_ms(options: BrokerOptions) -> int:
    name = "log.flush.offset.checkpoint.interval.ms"
    return options.log_flush_offset_checkpoint_interval_ms if options.is_set(name) else _CHECKPOINT_MS
