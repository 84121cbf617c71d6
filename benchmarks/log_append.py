"""Microseconds per append and per read of one partition's log, without a broker around it.

    python -m benchmarks.log_append [DIRECTORY]

Appends re-use one buffer, as a connection does. The write itself (page cache) is measured apart: what is left is
Ottla's own work. Numbers of a busy machine vary: compare medians of several runs on the same machine only.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment_cache import SegmentCache
from ottla.model.topic import TopicPartition
from ottla.records.batch import ATTRIBUTES_POSITION, patch_producer
from ottla.records.builder import Record, build_batch
from ottla.runtime.disk import OsDisk

ROUNDS = 7
NOW_MS = 1_700_000_000_000


def open_log(directory: Path, name: str, cache: SegmentCache | None = None, *, clean: bool = False) -> PartitionLog:
    return PartitionLog.open(
        OsDisk(), str(directory / name), TopicPartition(name, 0), TopicOptions(), now_ms=NOW_MS, clean=clean,
        topic_id=b"0123456789abcdef", cache=cache,
    )  # fmt: skip


def measured(name: str, count: int, work: Callable[[int], None]) -> float:
    """Median over the rounds of the mean of one call, in microseconds."""
    results = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        work(count)
        results.append((time.perf_counter_ns() - start) / count / 1000)
    median = statistics.median(results)
    print(f"{name:<44}{median:10.2f} us   (best {min(results):.2f})")
    return median


def appends(directory: Path, title: str, value_bytes: int, count: int, *, idempotent: bool) -> PartitionLog:
    log = open_log(directory, f"append-{value_bytes}-{idempotent}")
    batch = build_batch([Record(0, NOW_MS, None, b"v" * value_bytes)])
    buffer = bytearray(batch)
    batches = []
    if idempotent:
        for sequence in reversed(range(count * ROUNDS)):
            patch_producer(buffer, 0, len(buffer), 7, 0, sequence, False)
            batches.append(bytearray(buffer))

    def run(repeat: int) -> None:
        for _ in range(repeat):
            if idempotent:
                log.append_as_leader(batches.pop(), leader_epoch=3, now_ms=NOW_MS)
            else:
                buffer[:ATTRIBUTES_POSITION] = batch[:ATTRIBUTES_POSITION]  # as in the next request
                log.append_as_leader(buffer, leader_epoch=3, now_ms=NOW_MS)

    measured(title, count, run)
    return log


def plain_writes(directory: Path, size: int, count: int) -> None:
    file = OsDisk().open(str(directory / f"plain-{size}"), create=True)
    data = bytearray(size)
    state = [0]

    def run(repeat: int) -> None:
        for _ in range(repeat):
            file.write_at(state[0], data)
            state[0] += size

    measured(f"write_at alone, {size} B", count, run)


def reads(log: PartitionLog) -> None:
    end = log.end_offset

    def tail(repeat: int) -> None:
        for _ in range(repeat):
            log.read(end - 1, 1 << 20, end_offset=end, at_least_one_batch=True)

    def sequential(repeat: int) -> None:
        step = end // repeat
        for i in range(repeat):
            log.read(i * step, 1 << 20, end_offset=end, at_least_one_batch=True)

    measured("read at the tail", 20_000, tail)
    measured("read anywhere in the active segment", 5_000, sequential)


def many(directory: Path, count: int) -> None:
    cache = SegmentCache()
    start = time.perf_counter_ns()
    logs = [open_log(directory, f"many-{i}", cache) for i in range(count)]
    print(f"{'create an empty partition':<44}{(time.perf_counter_ns() - start) / count / 1000:10.2f} us")
    for log in logs:
        log.close(clean=True)
    start = time.perf_counter_ns()
    for i in range(count):
        open_log(directory, f"many-{i}", cache, clean=True)
    print(f"{'open an empty partition':<44}{(time.perf_counter_ns() - start) / count / 1000:10.2f} us")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        directory = Path(name)
        plain_writes(directory, 170, 20_000)
        log = appends(directory, "append, 100 B", 100, 20_000, idempotent=False)
        appends(directory, "append, 100 B, idempotent", 100, 10_000, idempotent=True)
        reads(log)
        plain_writes(directory, 128 * 1024 - 31, 500)  # the size of the batch below: off the page boundaries
        appends(directory, "append, 128 KiB", 128 * 1024 - 100, 500, idempotent=False)
        many(directory, 1000)


if __name__ == "__main__":
    main()
