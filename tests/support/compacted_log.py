"""A compacted log next to a naive model of what must be left in it."""

from ottla.config.topic_options import TopicOptions
from ottla.log.compaction.cleaner import Cleaner
from ottla.log.compaction.segment_cleaning import clean_segments
from ottla.log.partition_log import AppendOrigin, PartitionLog
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from ottla.records.control import build_marker_batch
from ottla.records.reader import iterate_batches
from tests.support.clocks import HandClock
from tests.support.log_view import uncommitted_view
from tests.support.memory_disk import MemoryDisk

TOPIC = TopicPartition("compacted", 0)
DIRECTORY = "/data/compacted-0"
RETENTION_MS = 1000


def options(**changes: str) -> TopicOptions:
    values = {
        "cleanup.policy": "compact",
        "min.cleanable.dirty.ratio": "0",
        "delete.retention.ms": str(RETENTION_MS),
        "index.interval.bytes": "100",
        "segment.ms": str(10**12),
    }
    return TopicOptions({**values, **{name.replace("_", "."): value for name, value in changes.items()}})


class ModelRecord:
    """What the model knows of a record: who wrote it, and whether that counts."""

    def __init__(self, record: Record, producer_id: int) -> None:
        self.record = record
        self.producer_id = producer_id
        self.is_aborted = False
        #: When a tombstone may go; set by the first cleaning that saw it.
        self.horizon_ms: int | None = None
        self.is_removed = False


class CompactedLog:
    def __init__(self, map_memory_bytes: int = 1 << 20, **changes: str) -> None:
        self.disk = MemoryDisk()
        self.disk.make_directories("/data")
        self.disk.sync_directory("/")
        self.clock = HandClock()
        self.options = options(**changes)
        self.cleaned_to: dict[TopicPartition, int] = {}
        self.map_memory_bytes = map_memory_bytes
        self.cleaner = Cleaner(self.disk, self.cleaned_to, map_memory_bytes=map_memory_bytes)
        self.log = self.open(clean=False)
        self.records: list[ModelRecord] = []
        self.open_transactions: dict[int, list[ModelRecord]] = {}
        self.sequences: dict[int, int] = {}

    def open(self, *, clean: bool, recovery_point: int = 0, directory: str = DIRECTORY) -> PartitionLog:
        return PartitionLog.open(
            self.disk,
            directory,
            TOPIC,
            self.options,
            now_ms=self.clock.now_ms(),
            clean=clean,
            recovery_point=recovery_point,
            topic_id=bytes(range(16)),
        )

    # writing

    def write(
        self, *pairs: tuple[str | None, str | None], producer_id: int = -1, transactional: bool = False, codec: int = 0
    ) -> None:
        now_ms = self.clock.now_ms()
        records = [
            Record(self.log.end_offset + index, now_ms, _bytes(key), _bytes(value), (("h", b"%d" % index),))
            for index, (key, value) in enumerate(pairs)
        ]
        sequence = self.sequences.get(producer_id, 0) if producer_id >= 0 else -1
        batch = build_batch(
            records,
            codec=codec,
            producer_id=producer_id,
            producer_epoch=0 if producer_id >= 0 else -1,
            base_sequence=sequence,
            is_transactional=transactional,
        )
        # The log itself refuses records without a key in a compacted topic; older ones may be there all the same.
        origin = AppendOrigin.CLIENT if all(key is not None for key, _ in pairs) else AppendOrigin.COORDINATOR
        self.log.append_as_leader(batch, leader_epoch=0, now_ms=now_ms, origin=origin)
        if producer_id >= 0:
            self.sequences[producer_id] = sequence + len(records)
        added = [ModelRecord(record, producer_id) for record in records]
        self.records += added
        if transactional:
            self.open_transactions.setdefault(producer_id, []).extend(added)
        self.log.advance_high_watermark(self.log.end_offset)

    def end_transaction(self, producer_id: int, *, commit: bool) -> None:
        for record in self.open_transactions.pop(producer_id, []):
            record.is_aborted = not commit
        marker = build_marker_batch(
            is_commit=commit,
            producer_id=producer_id,
            producer_epoch=0,
            coordinator_epoch=1,
            timestamp_ms=self.clock.now_ms(),
        )
        self.log.append_as_leader(marker, leader_epoch=0, now_ms=self.clock.now_ms(), origin=AppendOrigin.COORDINATOR)
        self.log.advance_high_watermark(self.log.end_offset)

    # cleaning

    def clean(self) -> int | None:
        """Up to where the log was cleaned; None when there was nothing to do."""
        now_ms = self.clock.now_ms()
        plan = self.cleaner.choose([self.log], now_ms)
        if plan is None:
            return None
        result = clean_segments(self.disk, plan)
        self.cleaner.finish(plan, result, self.log)
        self._clean_model(self.cleaned_to[TOPIC], now_ms)
        return self.cleaned_to[TOPIC]

    def clean_all(self) -> None:
        """Rolls, so that everything is cleaned that may be, and cleans even if nothing new was written."""
        self.log.roll()
        self.cleaned_to.pop(TOPIC, None)
        self.clean()

    def _clean_model(self, cleaned_to: int, now_ms: int) -> None:
        below = [entry for entry in self.records if entry.record.offset < cleaned_to and not entry.is_removed]
        newest = {entry.record.key: entry for entry in below if not entry.is_aborted and entry.record.key is not None}
        for entry in below:
            is_newest = entry.record.key is not None and newest.get(entry.record.key) is entry
            if not is_newest:
                entry.is_removed = True
            elif entry.record.value is None:
                if entry.horizon_ms is None:
                    entry.horizon_ms = now_ms + RETENTION_MS
                elif entry.horizon_ms <= now_ms:
                    entry.is_removed = True

    # what must be seen

    def expected_uncommitted(self) -> list[Record]:
        return [entry.record for entry in self.records if not entry.is_removed]

    def expected_committed(self) -> list[Record]:
        end_offset = self.log.last_stable_offset
        return [
            entry.record
            for entry in self.records
            if not entry.is_removed and not entry.is_aborted and entry.record.offset < end_offset
        ]


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def values(compacted: CompactedLog) -> list[tuple[int, bytes | None, bytes | None]]:
    return [(record.offset, record.key, record.value) for record in uncommitted_view(compacted.log)]


def batch_attributes(compacted: CompactedLog) -> dict[int, tuple[bool, int]]:
    """Base offset -> has a delete horizon, base timestamp."""
    found = {}
    for segment in compacted.log.segments:
        for _, header in iterate_batches(segment.file().read_at(0, segment.size)):
            found[header.base_offset] = (header.has_delete_horizon, header.base_timestamp)
    return found
