"""Logs of one partition, on a disk in memory: opened, filled, read."""

from typing import NamedTuple

from ottla.config.topic_options import TopicOptions
from ottla.doors.disk import Disk
from ottla.log.partition_log import AppendOrigin, PartitionLog
from ottla.model.topic import TopicPartition
from ottla.records.control import build_marker_batch
from ottla.records.reader import iterate_batches, iterate_records
from tests.support.batches import START_MS, batch_of
from tests.support.memory_disk import MemoryDisk

NOW_MS = START_MS
DIRECTORY = "/data/orders-0"
ORDERS = TopicPartition("orders", 0)


def small_segments(**more: str) -> TopicOptions:
    """Rolls after a few batches and indexes every second one. Underscores in the names of settings stand for dots."""
    given = {name.replace("_", "."): value for name, value in more.items()}
    return TopicOptions({"internal.segment.bytes": "600", "index.interval.bytes": "100", **given})


def open_log(disk: Disk, options: TopicOptions | None = None, **how: object) -> PartitionLog:
    given: dict[str, object] = {"now_ms": NOW_MS, "clean": False, **how}
    return PartitionLog.open(disk, DIRECTORY, ORDERS, options or TopicOptions(), **given)  # type: ignore[arg-type]


def new_log(disk: Disk, options: TopicOptions | None = None, **how: object) -> PartitionLog:
    disk.make_directories("/data")
    disk.sync_directory("/")
    log = open_log(disk, options, **how)
    disk.sync_directory("/data")
    return log


def log_with(**settings: str) -> PartitionLog:
    """A new log on a disk of its own. Underscores in the names of settings stand for dots."""
    return new_log(MemoryDisk(), TopicOptions({name.replace("_", "."): value for name, value in settings.items()}))


class Appended(NamedTuple):
    """What `append_as_leader` gives, with names."""

    base_offset: int
    last_offset: int
    log_append_time_ms: int
    is_duplicate: bool


def append(log: PartitionLog, batch: bytearray | None = None, *, epoch: int = 0, now_ms: int = NOW_MS) -> Appended:
    return Appended(
        *log.append_as_leader(batch if batch is not None else batch_of(), leader_epoch=epoch, now_ms=now_ms)
    )


def end_transaction(
    log: PartitionLog, producer_id: int, epoch: int, *, commit: bool, coordinator_epoch: int = 0, version: int = 0
) -> Appended:
    marker = build_marker_batch(
        is_commit=commit, producer_id=producer_id, producer_epoch=epoch, coordinator_epoch=coordinator_epoch,
        timestamp_ms=NOW_MS,
    )  # fmt: skip
    return Appended(
        *log.append_as_leader(
            marker, leader_epoch=0, now_ms=NOW_MS, origin=AppendOrigin.COORDINATOR, transaction_version=version
        )
    )


def flush(log: PartitionLog) -> None:
    job = log.flush_job()
    if job is not None:
        job.run()
        log.flush_done(job)


def content(log: PartitionLog) -> bytes:
    """All batches from the start of the log to its end."""
    parts = []
    offset = log.segments.first_base_offset
    while offset < log.end_offset:
        data = log.read_bytes(max(offset, log.log_start_offset), 1 << 20)
        if not data:
            break
        parts.append(data)
        for _, header in iterate_batches(data):
            offset = header.next_offset
    return b"".join(parts)


def values_in(data: bytes) -> list[bytes | None]:
    return [
        record.value for position, header in iterate_batches(data) for record in iterate_records(data, position, header)
    ]


def filled_log(disk: MemoryDisk | None = None, count: int = 20, **settings: str) -> PartitionLog:
    log = new_log(disk or MemoryDisk(), small_segments(**settings))
    for i in range(count):
        append(log, batch_of(b"%02d" % i, at_ms=NOW_MS + i, producer=(1, 0, i)), epoch=i // 5)
    log.advance_high_watermark(log.end_offset)
    return log
