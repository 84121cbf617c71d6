"""The content of a `.checkpoint` file: a header control batch, batches of metadata records, a footer control batch.

The same form serves snapshots (`<end offset>-<epoch>.checkpoint`) and `bootstrap.checkpoint`. A file without its footer
was not finished; a batch whose CRC is wrong was damaged.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from ottla.metadata.record_frame import MetadataRecordCodec
from ottla.model.errors import CorruptLog, RemoteProtocolError
from ottla.records.batch import is_intact, patch_offset_and_epoch
from ottla.records.builder import build_batch
from ottla.records.control import ControlType, build_control_batch, control_type, read_control
from ottla.records.reader import iterate_batches, iterate_records
from ottla.records.record import Record

_RECORDS_PER_BATCH = 1000
_MAX_BATCH_BYTES = 64 * 1024 * 1024


class Checkpoint(NamedTuple):
    records: list[Any]
    #: Of the newest record that went into it.
    timestamp_ms: int
    #: KRaft version and voters of the quorum, where the file contains them (dynamic voters).
    control_messages: list[Any]


def build_checkpoint(
    records: Iterable[Any], *, timestamp_ms: int, epoch: int = 0, control_messages: Iterable[Any] = ()
) -> bytearray:
    from ottla.protocol.generated.snapshot_footer_record import SnapshotFooterRecord
    from ottla.protocol.generated.snapshot_header_record import SnapshotHeaderRecord

    parts = _Parts(epoch)
    header = SnapshotHeaderRecord(last_contained_log_timestamp=timestamp_ms)
    parts.add(build_control_batch(header, timestamp_ms=timestamp_ms), 1)
    for message in control_messages:
        parts.add(build_control_batch(message, timestamp_ms=timestamp_ms), 1)
    codec = MetadataRecordCodec()
    waiting = iter(records)
    while chunk := list(islice(waiting, _RECORDS_PER_BATCH)):
        values = (codec.encode(record)[1] for record in chunk)
        batch = build_batch([Record(offset, timestamp_ms, None, value) for offset, value in enumerate(values)])
        parts.add(batch, len(chunk))
    parts.add(build_control_batch(SnapshotFooterRecord(), timestamp_ms=timestamp_ms), 1)
    return parts.content


class _Parts:
    """Batches one after another, with offsets that count from 0 as in a log of their own."""

    def __init__(self, epoch: int) -> None:
        self.content = bytearray()
        self._epoch = epoch
        self._next_offset = 0

    def add(self, batch: bytearray, record_count: int) -> None:
        patch_offset_and_epoch(batch, 0, self._next_offset, self._epoch)
        self.content += batch
        self._next_offset += record_count


def parse_checkpoint(data: bytes, path: str) -> Checkpoint:
    """Raises CorruptLog, naming `path`, for anything that is not a whole checkpoint."""
    content = _Content()
    position = 0
    try:
        for position, header in iterate_batches(data):
            if not is_intact(data, position, header):
                raise CorruptLog(path, position, "the CRC of a batch is wrong")
            take = content.take_control if header.is_control else content.take_record
            for record in iterate_records(data, position, header, max_decompressed_bytes=_MAX_BATCH_BYTES):
                take(record)
    except RemoteProtocolError as error:
        raise CorruptLog(path, position, str(error)) from error
    if not content.is_finished:
        raise CorruptLog(path, len(data), "the footer is missing")
    return Checkpoint(content.records, content.timestamp_ms, content.control_messages)


class _Content:
    """What was read so far."""

    def __init__(self) -> None:
        self.records: list[Any] = []
        self.control_messages: list[Any] = []
        self.timestamp_ms = -1
        self.is_finished = False
        self._codec = MetadataRecordCodec()

    def take_record(self, record: Record) -> None:
        decoded = self._codec.decode(record.key, record.value)
        if decoded is not None:
            self.records.append(decoded)

    def take_control(self, record: Record) -> None:
        kind = control_type(record.key)
        message: Any = read_control(record)
        if kind is ControlType.SNAPSHOT_HEADER:
            self.timestamp_ms = message.last_contained_log_timestamp
        elif kind is ControlType.SNAPSHOT_FOOTER:
            self.is_finished = True
        elif message is not None:
            self.control_messages.append(message)
