"""How ranges of offsets become tasks: large ones are split, small ones share a task. Pure, and always the same.

A replayed micro-batch must give each task the same rows, so nothing here may depend on anything but its arguments.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Final

from ottla.client.arrow.range_fetch import Range

#: Up to so many rows for each core are read by one task for each core, however many partitions they are in. A second
#: wave of tasks costs more than it balances: Spark starts, feeds and cleans up Python workers for each task.
_WAVE_ROWS: Final = 500_000
#: A small task has at least so many rows if there is another one beside it.
_TASK_ROWS: Final = 1_000
#: Ranges below this are not worth another task.
_MIN_SPLIT_ROWS: Final = 100_000


def plan_tasks(
    ranges: Sequence[Range],
    *,
    cores: int,
    min_partitions: int | None = None,
    max_rows: int | None = None,
    split_large: bool = False,
) -> list[list[Range]]:
    """The ranges of each task, in order. `min_partitions` and `max_rows` are as in Spark's Kafka source."""
    wanted = [each for each in ranges if each.end > each.start]
    total = sum(each.end - each.start for each in wanted)
    if not wanted:
        return []
    if max_rows is not None:
        wanted = [part for each in wanted for part in _split(each, ceil((each.end - each.start) / max_rows))]
    if min_partitions is not None and len(wanted) < min_partitions:
        wanted = _split_to(wanted, min_partitions)
    if min_partitions is not None or max_rows is not None:
        return [[each] for each in wanted]
    if split_large:
        limit = max(_MIN_SPLIT_ROWS, ceil(total / (2 * cores)))
        wanted = [part for each in wanted for part in _split(each, ceil((each.end - each.start) / limit))]
    if total <= _WAVE_ROWS * cores:
        return _share(wanted, min(cores, ceil(total / _TASK_ROWS), len(wanted)))
    return _share_small(wanted, cores)


def _split(wanted: Range, count: int) -> list[Range]:
    """Into parts of nearly equal size."""
    partition, start, end = wanted
    rows = end - start
    edges = [start + rows * part // count for part in range(count + 1)]
    return [Range(partition, first, last) for first, last in pairwise(edges) if last > first]


def _split_to(ranges: Sequence[Range], count: int) -> list[Range]:
    """At least `count` parts, if there are so many rows: each range gets its share."""
    total = sum(each.end - each.start for each in ranges)
    return [part for each in ranges for part in _split(each, max(1, ceil((each.end - each.start) * count / total)))]


def _share(ranges: Sequence[Range], task_count: int) -> list[list[Range]]:
    """The largest first, each to the task that has the least."""
    tasks: list[list[Range]] = [[] for _ in range(max(1, task_count))]
    rows = [0] * len(tasks)
    for each in sorted(ranges, key=lambda wanted: (wanted.start - wanted.end, wanted.partition)):
        least = rows.index(min(rows))
        tasks[least].append(each)
        rows[least] += each.end - each.start
    return [sorted(task) for task in tasks if task]


def _share_small(ranges: Sequence[Range], cores: int) -> list[list[Range]]:
    """Ranges that are small compared with the others share tasks; every other one has its own."""
    small = [each for each in ranges if each.end - each.start < _TASK_ROWS]
    tasks = [[each] for each in ranges if each.end - each.start >= _TASK_ROWS]
    return tasks + (_share(small, min(cores, len(small))) if small else [])
