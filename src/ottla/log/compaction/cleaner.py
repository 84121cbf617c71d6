"""Chooses which log to compact and puts the result in place. Has no loop of its own; the broker drives it:

    plan = cleaner.choose(store.logs.values(), now_ms)
    result = await executor.run_apart(clean_segments, plan)
    for step in cleaner.steps(plan, result, find_log): await executor.run(step)     or cleaner.failed(plan, error)

Groups are swapped oldest first, each durable before the next; if one cannot be, the later ones are dropped. Otherwise a
tombstone might go while the value that it deletes is still there.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Final

from ottla.doors.disk import Disk
from ottla.log.compaction.cleaned_segment import remove_cleaned
from ottla.log.compaction.cleaning_plan import CleanedGroup, CleaningPlan, CleanResult
from ottla.log.compaction.planning import Dirtiness, make_plan, measure, segments_of
from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment_swap import Steps, run_steps
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

#: log.cleaner.dedupe.buffer.size
MAP_MEMORY_BYTES: Final = 128 * 1024 * 1024


class Cleaner:
    """One per node. `cleaned_to` is shared with the LogStore, which keeps it in cleaner-offset-checkpoint."""

    def __init__(
        self, disk: Disk, cleaned_to: dict[TopicPartition, int], *, map_memory_bytes: int = MAP_MEMORY_BYTES
    ) -> None:
        self._disk = disk
        self._cleaned_to = cleaned_to
        self._running: dict[TopicPartition, CleaningPlan] = {}
        self.map_memory_bytes = map_memory_bytes
        #: Logs with corrupt bytes, which are not cleaned, and why.
        self.uncleanable: dict[TopicPartition, str] = {}
        self._uncleanable_ids: dict[TopicPartition, bytes | None] = {}

    def choose(self, logs: Iterable[PartitionLog], now_ms: int, min_ratio: float | None = None) -> CleaningPlan | None:
        """The log with the largest dirty part, overdue ones first; None when there is nothing to do.

        `min_ratio` counts instead of min.cleanable.dirty.ratio of the topics.
        """
        best: tuple[tuple[bool, float], PartitionLog, Dirtiness] | None = None
        for log in logs:
            if not self._is_candidate(log):
                continue
            dirtiness = measure(log, self._cleaned_to.get(log.topic_partition), now_ms)
            if not dirtiness.deserves_cleaning(
                log.options.min_cleanable_dirty_ratio if min_ratio is None else min_ratio
            ):
                continue
            rank = (dirtiness.is_overdue, dirtiness.ratio)
            if best is None or rank > best[0]:
                best = (rank, log, dirtiness)
        if best is None:
            return None
        plan = make_plan(best[1], best[2], now_ms, self.map_memory_bytes)
        self._running[plan.topic_partition] = plan
        return plan

    def _is_candidate(self, log: PartitionLog) -> bool:
        topic_partition = log.topic_partition
        if self._uncleanable_ids.get(topic_partition, log.topic_id) != log.topic_id:
            # Another topic of the same name.
            self.forget(topic_partition)
        return (
            "compact" in log.options.cleanup_policy
            and not log.is_failed
            and topic_partition not in self._running
            and topic_partition not in self.uncleanable
        )

    def finish(self, plan: CleaningPlan, result: CleanResult, log: PartitionLog | None) -> list[str]:
        """Puts the new segments in place; returns paths to remove after file.delete.delay.ms. Raises OSError.

        `log` is the partition's log as it is now: it may have been deleted, moved or truncated meanwhile.
        """
        return run_steps(self.steps(plan, result, lambda: log))

    def steps(
        self, plan: CleaningPlan, result: CleanResult, find_log: Callable[[], PartitionLog | None]
    ) -> Steps[list[str]]:
        """The same for whoever must not wait for the device. `find_log` gives the log as it is then."""
        removed: list[str] = []
        try:
            for index, group in enumerate(result.groups):
                replaced = None
                log = find_log()
                if log is not None and _is_unchanged(log, plan, group):
                    replaced = yield from log.replacement_steps(group.old, group.new)
                if replaced is None:
                    self._discard(plan, result.groups[index:])
                    return removed
                removed += replaced
        finally:
            self._running.pop(plan.topic_partition, None)
        log = find_log()
        if log is not None and _is_same_log(log, plan):
            self._cleaned_to[plan.topic_partition] = result.cleaned_to
        return removed

    def failed(self, plan: CleaningPlan, error: Exception) -> None:
        """Corrupt bytes do not repair themselves: the log is not cleaned any more. An OSError is retried."""
        self._running.pop(plan.topic_partition, None)
        if isinstance(error, OSError):
            _log.warning("compaction of %s failed and will be retried: %s", plan.topic_partition, error)
        else:
            self.uncleanable[plan.topic_partition] = str(error)
            self._uncleanable_ids[plan.topic_partition] = plan.topic_id
            _log.error("%s cannot be compacted: %s", plan.topic_partition, error)

    def forget(self, topic_partition: TopicPartition) -> None:
        """What is known about the log is not true any more: it was deleted, moved or repaired."""
        self.uncleanable.pop(topic_partition, None)
        self._uncleanable_ids.pop(topic_partition, None)

    def _discard(self, plan: CleaningPlan, groups: Iterable[CleanedGroup]) -> None:
        for group in groups:
            for base_offset in group.new:
                remove_cleaned(self._disk, plan.directory, base_offset)


def _is_same_log(log: PartitionLog, plan: CleaningPlan) -> bool:
    """Meanwhile the partition may have been moved, or deleted and created again under its name."""
    return log.directory == plan.directory and log.topic_id == plan.topic_id


def _is_unchanged(log: PartitionLog, plan: CleaningPlan, group: CleanedGroup) -> bool:
    if not _is_same_log(log, plan):
        return False
    planned = next(planned for planned in plan.groups if planned[0].base_offset == group.old[0])
    current = [segment for segment in segments_of(log) if planned[0].base_offset <= segment.base_offset]
    return tuple(current[: len(planned)]) == planned
