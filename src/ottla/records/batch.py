"""The 61-byte header of a record batch (magic 2): view it, check it, patch it in place.

The broker's hot path ends here: a batch is never unpacked, only its header is read and two fields are set.
"""

import struct
from typing import Final, NamedTuple

from ottla.doors.disk import Buffer
from ottla.records.crc import crc32c
from ottla.records.errors import CorruptRecord

HEADER_SIZE: Final = 61
MAGIC: Final = 2
#: Bytes before the length field ends: the length does not count them.
LENGTH_OVERHEAD: Final = 12
_LENGTH_POSITION: Final = 8
MAGIC_POSITION: Final = 16
CRC_POSITION: Final = 17
#: The CRC covers everything from the attributes on, so offset and leader epoch may be set without a new one.
ATTRIBUTES_POSITION: Final = 21
_MAX_TIMESTAMP_POSITION: Final = 35
_PRODUCER_POSITION: Final = 43

CODEC_MASK: Final = 0x07
LOG_APPEND_TIME_BIT: Final = 0x08
TRANSACTIONAL_BIT: Final = 0x10
CONTROL_BIT: Final = 0x20
DELETE_HORIZON_BIT: Final = 0x40
LAST_CODEC: Final = 4
#: What a client may set: codec and transactional (the timestamp type is refused with an error code of its own).
CLIENT_BITS: Final = CODEC_MASK | LOG_APPEND_TIME_BIT | TRANSACTIONAL_BIT

NO_TIMESTAMP: Final = -1
NO_PRODUCER_ID: Final = -1
NO_PRODUCER_EPOCH: Final = -1
NO_SEQUENCE: Final = -1
NO_LEADER_EPOCH: Final = -1
#: After the largest int32 a sequence continues with 0.
SEQUENCE_MASK: Final = 0x7FFFFFFF

HEADER: Final = struct.Struct(">qiibIhiqqqhii")
_INT64: Final = struct.Struct(">q")
_INT32: Final = struct.Struct(">i")
_INT16: Final = struct.Struct(">h")
_UINT32: Final = struct.Struct(">I")
_PRODUCER: Final = struct.Struct(">qhi")


class BatchHeader(NamedTuple):
    base_offset: int
    batch_length: int
    leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    @property
    def size(self) -> int:
        """Bytes of the whole batch, header included."""
        return self.batch_length + LENGTH_OVERHEAD

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> int:
        return self.base_offset + self.last_offset_delta + 1

    @property
    def last_sequence(self) -> int:
        return advance_sequence(self.base_sequence, self.last_offset_delta) if self.base_sequence >= 0 else NO_SEQUENCE

    @property
    def codec(self) -> int:
        return self.attributes & CODEC_MASK

    @property
    def uses_log_append_time(self) -> bool:
        return self.attributes & LOG_APPEND_TIME_BIT != 0

    @property
    def is_transactional(self) -> bool:
        return self.attributes & TRANSACTIONAL_BIT != 0

    @property
    def is_control(self) -> bool:
        return self.attributes & CONTROL_BIT != 0

    @property
    def has_delete_horizon(self) -> bool:
        return self.attributes & DELETE_HORIZON_BIT != 0

    @property
    def delete_horizon_ms(self) -> int | None:
        """When tombstones and markers of this batch may go; None while no cleaning has set it."""
        return self.base_timestamp if self.attributes & DELETE_HORIZON_BIT else None


#: What `BatchHeader._make` does, without its call of Python code: every produced batch passes here.
_new_header = tuple.__new__
_unpack_header = HEADER.unpack_from


def read_header(data: Buffer, position: int = 0) -> BatchHeader:
    """The header at `position`, as it stands: no field is checked but that the 61 bytes are there."""
    try:
        return _new_header(BatchHeader, _unpack_header(data, position))
    except struct.error as error:
        raise CorruptRecord(f"a batch header needs {HEADER_SIZE} bytes, {len(data) - position} are left") from error


def header_problem(header: BatchHeader, available_bytes: int) -> str | None:
    """Why this header cannot begin a batch within `available_bytes`, or None when it can."""
    if header.magic != MAGIC:
        return f"magic {header.magic} is not {MAGIC}"
    if header.batch_length < HEADER_SIZE - LENGTH_OVERHEAD:
        return f"batch length {header.batch_length} is less than a header"
    if header.batch_length + LENGTH_OVERHEAD > available_bytes:
        return f"batch of {header.size} bytes in {available_bytes} bytes"
    if header.base_offset < 0 or header.last_offset_delta < 0:
        return f"offset range {header.base_offset} + {header.last_offset_delta} is negative"
    if header.record_count < 0:
        return f"record count {header.record_count} is negative"
    if header.codec > LAST_CODEC:
        return f"codec {header.codec} is unknown"
    return None


def magic_of(data: Buffer, position: int = 0) -> int:
    """The format of the batch or message set at `position`; it stands at the same byte in all of Kafka's formats."""
    try:
        magic = data[position + MAGIC_POSITION]
    except IndexError as error:
        raise CorruptRecord(f"no magic byte in {len(data) - position} bytes") from error
    return magic - 256 if magic > 127 else magic


def checksum(data: Buffer, position: int, size: int) -> int:
    """CRC-32C of the batch that takes `size` bytes from `position`, as its header should state it."""
    return crc32c(memoryview(data)[position + ATTRIBUTES_POSITION : position + size])


def is_intact(data: Buffer, position: int, header: BatchHeader) -> bool:
    return checksum(data, position, header.size) == header.crc


def patch_offset_and_epoch(data: bytearray | memoryview, position: int, base_offset: int, leader_epoch: int) -> None:
    """What a leader sets in every batch; both fields lie outside the CRC."""
    _INT64.pack_into(data, position, base_offset)
    _INT32.pack_into(data, position + LENGTH_OVERHEAD, leader_epoch)


def patch_log_append_time(data: bytearray | memoryview, position: int, size: int, now_ms: int) -> None:
    """Stamps all records of the batch with `now_ms` (message.timestamp.type=LogAppendTime)."""
    attributes = _INT16.unpack_from(data, position + ATTRIBUTES_POSITION)[0] | LOG_APPEND_TIME_BIT
    _INT16.pack_into(data, position + ATTRIBUTES_POSITION, attributes)
    patch_max_timestamp(data, position, size, now_ms)


def patch_max_timestamp(data: bytearray | memoryview, position: int, size: int, max_timestamp_ms: int) -> None:
    _INT64.pack_into(data, position + _MAX_TIMESTAMP_POSITION, max_timestamp_ms)
    patch_checksum(data, position, size)


def patch_length(batch: bytearray) -> None:
    """`batch` is one whole batch."""
    _INT32.pack_into(batch, _LENGTH_POSITION, len(batch) - LENGTH_OVERHEAD)


def patch_producer(
    data: bytearray | memoryview,
    position: int,
    size: int,
    producer_id: int,
    producer_epoch: int,
    base_sequence: int,
    is_transactional: bool,
) -> None:
    """Who sends the batch, and as its which records: set by a producer that has encoded it before it knew."""
    attributes = _INT16.unpack_from(data, position + ATTRIBUTES_POSITION)[0] & ~TRANSACTIONAL_BIT
    attributes |= TRANSACTIONAL_BIT if is_transactional else 0
    _INT16.pack_into(data, position + ATTRIBUTES_POSITION, attributes)
    _PRODUCER.pack_into(data, position + _PRODUCER_POSITION, producer_id, producer_epoch, base_sequence)
    patch_checksum(data, position, size)


def patch_checksum(data: bytearray | memoryview, position: int, size: int) -> None:
    _UINT32.pack_into(data, position + CRC_POSITION, checksum(data, position, size))


def advance_sequence(sequence: int, count: int) -> int:
    """A producer's sequence `count` records later."""
    return (sequence + count) & SEQUENCE_MASK


def is_later_sequence(sequence: int, other: int) -> bool:
    """Whether a producer comes to `sequence` after `other`: by the shorter way, which may lead over the largest one."""
    return 0 < (sequence - other) & SEQUENCE_MASK <= SEQUENCE_MASK >> 1
