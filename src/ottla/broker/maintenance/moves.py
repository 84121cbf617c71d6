"""Drives moves of replicas between the log directories of this node, a step at a time."""

from __future__ import annotations

import asyncio
import logging

from ottla.broker.execution.tasks import Tasks
from ottla.broker.partitions.partitions import Partitions
from ottla.doors.executor import Executor
from ottla.log.store.log_store import LogStore
from ottla.model.errors import CorruptLog, Refused, RemoteProtocolError
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)
_STEP_BYTES = 1024 * 1024
_PAUSE_S = 0.005
#: With a fast producer there is always a little left.
_MAX_FLUSHES = 3


class Moving:
    """Owned by the node. One task per move; clients are served between the steps."""

    def __init__(self, store: LogStore, partitions: Partitions, executor: Executor, tasks: Tasks) -> None:
        self._store = store
        self._partitions = partitions
        self._executor = executor
        self._tasks = tasks
        self._running: dict[TopicPartition, None] = {}

    def resume(self) -> None:
        """The store has begun moves again that the last run did not finish."""
        for topic_partition in self._store.moves.partitions():
            self.drive(topic_partition)

    def drive(self, topic_partition: TopicPartition) -> None:
        """The store has begun a move: bring it to its end."""
        if topic_partition not in self._running:
            self._running[topic_partition] = None
            self._tasks.spawn(self._move(topic_partition), name=f"move {topic_partition}")

    async def _move(self, topic_partition: TopicPartition) -> None:
        store = self._store
        try:
            flushes_left = _MAX_FLUSHES
            while topic_partition in store.moves:
                if not store.copy_step(topic_partition, _STEP_BYTES):
                    await asyncio.sleep(_PAUSE_S)
                elif flushes_left and await self._flush_copy(topic_partition):
                    flushes_left -= 1
                else:
                    self._take_over(topic_partition)
                    break
        except (OSError, CorruptLog, RemoteProtocolError, Refused) as error:
            _log.error("moving %s to another directory failed: %s", topic_partition, error)
            store.cancel_move(topic_partition)
            reason = store.offline.get(topic_partition)
            if reason is not None and topic_partition in self._partitions.leaders:
                self._partitions.take_offline(topic_partition, reason)
        finally:
            del self._running[topic_partition]

    async def _flush_copy(self, topic_partition: TopicPartition) -> bool:
        """In a thread: to take over means to flush what is left, and everybody waits for that. False: nothing is."""
        found = self._store.moves.flush_job(topic_partition)
        if found is None:
            return False
        copy, job = found
        try:
            await self._executor.run(job.run)
        except OSError as error:
            copy.flush_failed(job, error)
            raise
        copy.flush_done(job)
        return True

    def _take_over(self, topic_partition: TopicPartition) -> None:
        log = self._store.finish_move(topic_partition)
        partition = self._partitions.hosted(topic_partition)
        if partition is not None:
            partition.replace_log(log)
        _log.info("%s moved to %s", topic_partition, log.directory)
