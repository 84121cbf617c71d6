"""What recovery made of a log is what a full scan of its batches gives: end, leader epochs, producers.

The scan runs on a copy of the disk without anything that was derived from the batches.
"""

from typing import TYPE_CHECKING, Any

from ottla.log.partition_log import PartitionLog
from ottla.model.errors import CorruptLog
from ottla.model.topic import TopicPartition
from ottla.sim.disk import SimDisk
from ottla.sim.disk_image import DiskImage
from ottla.sim.history import Finding

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

_DERIVED = (".index", ".timeindex", ".txnindex", ".snapshot", "leader-epoch-checkpoint", ".kafka_cleanshutdown")


def recovered_state_findings(service: "BrokerNode", image: DiskImage) -> list[Finding]:
    """Called right after a start, and when nobody writes any more.

    bad-crc-below-end; state-differs-from-log-fold; partition-offline where a log could not be opened.
    """
    findings = [
        Finding("partition-offline", f"{partition}: {reason}") for partition, reason in service.store.offline.items()
    ]
    disk = SimDisk(image.copy())
    disk.image.locks.clear()
    for path, _ in list(disk.image.files()):
        if path.endswith(_DERIVED):
            disk.remove(path)
    for partition, log in service.store.logs.items():
        # Where records are gone on purpose, a scan cannot know what they contained about their producers.
        if log.segments.first_base_offset == 0 and "compact" not in log.options.cleanup_policy:
            findings.extend(_differences(disk, partition, log))
    return findings


def _differences(disk: SimDisk, partition: TopicPartition, log: PartitionLog) -> list[Finding]:
    try:
        scanned = PartitionLog.open(
            disk,
            log.directory,
            partition,
            log.options,
            now_ms=0,
            clean=False,
            recovery_point=0,
            log_start_offset=log.log_start_offset,
        )
    except CorruptLog as error:
        return [Finding("bad-crc-below-end", f"{partition}: {error}")]
    if scanned.end_offset != log.end_offset:
        text = f"{partition}: the end offset of the log is {log.end_offset}, its batches end at {scanned.end_offset}"
        return [Finding("bad-crc-below-end", text)]
    found, expected = _state(log), _state(scanned)
    if found == expected:
        return []
    return [Finding("state-differs-from-log-fold", f"{partition}: {found} instead of {expected}")]


def _state(log: PartitionLog) -> Any:
    return log.state_digest(), _remembered_batches(log)


def _remembered_batches(log: PartitionLog) -> dict[int, list[tuple[int, int, int, int]]]:
    """The last batches of each producer, those included that the log has to be asked for."""
    find_older = log.producers.find_older
    remembered = {}
    for entry in sorted(log.producers.entries.values(), key=lambda entry: entry.producer_id):
        older = find_older(entry).run() if entry.has_older_batches and find_older is not None else []
        remembered[entry.producer_id] = [
            (batch.first_sequence, batch.last_sequence, batch.base_offset, batch.last_offset)
            for batch in (*older, *entry.batches)
        ]
    return remembered
