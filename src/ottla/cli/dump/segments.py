"""The batches and records of a segment or snapshot as lines.

A damaged file is what this is for: what can be read is shown, and `Findings` says what is wrong. Files are read batch
by batch, so a segment of any size needs the memory of its largest batch only.
"""

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final, NamedTuple

from ottla.cli.dump.decoders import Decoder, compact
from ottla.metadata.snapshot_files import BOOTSTRAP_CHECKPOINT, snapshot_id
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.json_form import json_form
from ottla.records.batch import (
    HEADER_SIZE,
    LENGTH_OVERHEAD,
    MAGIC,
    NO_TIMESTAMP,
    BatchHeader,
    advance_sequence,
    checksum,
    read_header,
)
from ottla.records.compression import Codec
from ottla.records.control import EndTransactionMarker, control_type, read_control
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_records
from ottla.records.record import Record

NO_LIMIT: Final = 2**31 - 1
#: Offset, length, and for message sets before magic 2: CRC, magic, attributes, timestamp (magic 1).
_PREFIX: Final = struct.Struct(">qi4xb")
_MESSAGE: Final = struct.Struct(">qiIbb")
_MESSAGE_TIME: Final = struct.Struct(">q")
#: A message without key and value, magic 0.
_MIN_MESSAGE: Final = 14


@dataclass
class Findings:
    """What is wrong, by file; printed after everything else."""

    gaps: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    index_mismatches: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    time_mismatches: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    time_disorder: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    missing_offsets: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    #: Files that could not be read, with the reason: the exit code is 1.
    failures: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        for path, pairs in self.index_mismatches.items():
            yield f"Mismatches in :{path}"
            yield from (f"  Index offset: {index}, log offset: {log}" for index, log in pairs)
        for path, pairs in self.time_mismatches.items():
            yield f"Found timestamp mismatch in :{path}"
            yield from (f"  Index timestamp: {index}, log timestamp: {log}" for index, log in pairs)
        for path, pairs in self.time_disorder.items():
            yield f"Found out of order timestamp in :{path}"
            yield from (f"  Index timestamp: {now}, Previously indexed timestamp: {before}" for now, before in pairs)
        for pairs in self.missing_offsets.values():
            yield "The following indexed offsets are not found in the log."
            yield from (f"Indexed offset: {index}, found log offset: {log}" for index, log in pairs)
        for path, pairs in self.gaps.items():
            yield f"Non-consecutive offsets in {path}"
            yield from (f"  {first} is followed by {second}" for first, second in pairs)
        yield from (f"error: {failure}" for failure in self.failures)


class LogOptions(NamedTuple):
    """`decoder` None: contents are not printed."""

    decoder: Decoder | None = None
    is_deep: bool = False
    skip_record_metadata: bool = False
    max_bytes: int = NO_LIMIT


class RawBatch(NamedTuple):
    """Any format: `data` is the whole batch or message set."""

    position: int
    magic: int
    data: bytes


def scan(file: BinaryIO, position: int, end: int) -> Iterator[RawBatch]:
    """Batches from a position to the first bytes that cannot be one. Raises CorruptRecord for an impossible length."""
    while position + _PREFIX.size <= end:
        file.seek(position)
        prefix = file.read(_PREFIX.size)
        if len(prefix) < _PREFIX.size:
            return
        _, length, magic = _PREFIX.unpack(prefix)
        smallest = HEADER_SIZE - LENGTH_OVERHEAD if magic >= MAGIC else _MIN_MESSAGE
        if length < smallest:
            raise CorruptRecord(f"at byte {position}: record size {length} is less than the minimum, {smallest}")
        size = length + LENGTH_OVERHEAD
        if position + size > end:
            return
        yield RawBatch(position, magic, prefix + file.read(size - _PREFIX.size))
        position += size


def dump_log(path: str, options: LogOptions, findings: Findings) -> Iterator[str]:
    """Raises OSError when the file cannot be read."""
    yield _title(path)
    with open(path, "rb") as file:
        end = min(os.fstat(file.fileno()).st_size, options.max_bytes)
        valid = 0
        previous: int | None = None
        try:
            for batch in scan(file, 0, end):
                yield batch_line(batch)
                if options.is_deep and batch.magic >= MAGIC:
                    for record, line in _record_lines(batch, options, findings, path):
                        if previous is not None and record.offset != previous + 1:
                            findings.gaps.setdefault(os.path.abspath(path), []).append((previous, record.offset))
                        previous = record.offset
                        yield line
                valid = batch.position + len(batch.data)
        except CorruptRecord as error:
            findings.failures.append(f"{path}: {error}")
        if end > valid and options.max_bytes == NO_LIMIT:
            yield f"Found {end - valid} invalid bytes at the end of {os.path.basename(path)}"


def _title(path: str) -> str:
    name = os.path.basename(path)
    if name == BOOTSTRAP_CHECKPOINT:
        return "KRaft bootstrap snapshot"
    snapshot = snapshot_id(name)
    if snapshot is not None:
        return f"Snapshot end offset: {snapshot[0]}, epoch: {snapshot[1]}"
    return f"Log starting offset: {base_offset_of(path)}"


def base_offset_of(path: str) -> int:
    """Raises ValueError for a name that does not start with an offset."""
    digits = os.path.basename(path).partition(".")[0]
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{path}: the name does not start with an offset")
    return int(digits)


def batch_line(batch: RawBatch) -> str:
    if batch.magic < MAGIC:
        return _message_line(batch)
    header = read_header(batch.data)
    horizon = "OptionalLong.empty" if header.delete_horizon_ms is None else f"OptionalLong[{header.delete_horizon_ms}]"
    return (
        f"baseOffset: {header.base_offset} lastOffset: {header.last_offset} count: {header.record_count}"
        f" baseSequence: {header.base_sequence} lastSequence: {header.last_sequence}"
        f" producerId: {header.producer_id} producerEpoch: {header.producer_epoch}"
        f" partitionLeaderEpoch: {header.leader_epoch} isTransactional: {_yes(header.is_transactional)}"
        f" isControl: {_yes(header.is_control)} deleteHorizonMs: {horizon}"
        f" position: {batch.position} {timestamp_type(header)}: {header.max_timestamp}"
        f" size: {header.size} magic: {header.magic} compresscodec: {_codec(header.codec)} crc: {header.crc}"
        f" isvalid: {_yes(checksum(batch.data, 0, header.size) == header.crc)}"
    )


def _message_line(batch: RawBatch) -> str:
    """Formats before 0.11: shown, not read."""
    offset, _, crc, magic, attributes = _MESSAGE.unpack_from(batch.data)
    timestamp = _MESSAGE_TIME.unpack_from(batch.data, _MESSAGE.size)[0] if magic else NO_TIMESTAMP
    kind = "NoTimestampType" if magic == 0 else "LogAppendTime" if attributes & 8 else "CreateTime"
    is_valid = zlib.crc32(memoryview(batch.data)[16:]) == crc
    return (
        f"offset: {offset} position: {batch.position} {kind}: {timestamp} size: {len(batch.data)} magic: {magic}"
        f" compresscodec: {_codec(attributes & 7)} crc: {crc} isvalid: {_yes(is_valid)}"
    )


def _codec(number: int) -> str:
    return Codec(number).name.lower() if number <= max(Codec) else f"unknown({number})"


def _yes(value: bool) -> str:
    return "true" if value else "false"


def timestamp_type(header: BatchHeader) -> str:
    return "LogAppendTime" if header.uses_log_append_time else "CreateTime"


def _record_lines(batch: RawBatch, options: LogOptions, findings: Findings, path: str) -> Iterator[tuple[Record, str]]:
    header = read_header(batch.data)
    try:
        for record in iterate_records(batch.data, 0, header):
            line = _record_line(record, header, options)
            # As in Kafka an empty line where nothing of the record is printed.
            yield record, f"|{line}" if line else ""
    except (CorruptRecord, RemoteProtocolError) as error:
        findings.failures.append(f"{path}: the batch at position {batch.position} cannot be read: {error}")


def _record_line(record: Record, header: BatchHeader, options: LogOptions) -> str:
    line = "" if options.skip_record_metadata else _metadata(record, header)
    if options.decoder is not None and not header.is_control:
        key, value = options.decoder(record)
        line += f" key: {key}" if key is not None else ""
        line += f" payload: {value}" if value is not None else ""
    return line


def _metadata(record: Record, header: BatchHeader) -> str:
    sequence = -1
    if header.base_sequence >= 0:
        sequence = advance_sequence(header.base_sequence, record.offset - header.base_offset)
    keys = ",".join(name for name, _ in record.headers)
    line = (
        f" offset: {record.offset} {timestamp_type(header)}: {record.timestamp_ms} keySize: {_size(record.key)}"
        f" valueSize: {_size(record.value)} sequence: {sequence} headerKeys: [{keys}]"
    )
    return line + _control(record) if header.is_control else line


def _size(data: bytes | None) -> int:
    return -1 if data is None else len(data)


def _control(record: Record) -> str:
    message = read_control(record)
    if message is None:
        return f" controlType: UNKNOWN({int.from_bytes((record.key or b'')[2:4], 'big')})"
    if isinstance(message, EndTransactionMarker):
        outcome = "COMMIT" if message.is_commit else "ABORT"
        return f" endTxnMarker: {outcome} coordinatorEpoch: {message.coordinator_epoch}"
    kind = control_type(record.key)
    assert kind is not None
    return f" {_CONTROL_NAMES[kind.name]} {compact(json_form(message, message.version))}"


_CONTROL_NAMES: Final = {
    "LEADER_CHANGE": "LeaderChange:",
    "SNAPSHOT_HEADER": "SnapshotHeader",
    "SNAPSHOT_FOOTER": "SnapshotFooter",
    "KRAFT_VERSION": "KRaftVersion",
    "VOTERS": "KRaftVoters",
}
