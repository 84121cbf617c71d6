"""Producer state on disk: `<offset>.snapshot`, what is known of every producer up to an offset (exclusive).

int16 version 1, uint32 CRC-32C of all that follows, int32 count, then one fixed entry for each producer.
"""

import struct
from collections.abc import Iterable
from typing import Final

from ottla.log.producer_state import BatchMark, ProducerEntry
from ottla.records.batch import advance_sequence
from ottla.records.crc import crc32c

_VERSION: Final = 1
_HEAD: Final = struct.Struct(">hI")
_COUNT: Final = struct.Struct(">i")
_ENTRY: Final = struct.Struct(">qhiqiqiq")


def encode_snapshot(entries: Iterable[ProducerEntry]) -> bytes:
    body = bytearray(_COUNT.size)
    count = 0
    for entry in entries:
        last = entry.batches[-1] if entry.batches else None
        body += _ENTRY.pack(
            entry.producer_id,
            entry.epoch,
            last.last_sequence if last else -1,
            last.last_offset if last else -1,
            last.last_offset - last.base_offset if last else 0,
            entry.last_timestamp,
            entry.coordinator_epoch,
            entry.open_offset,
        )
        count += 1
    _COUNT.pack_into(body, 0, count)
    return _HEAD.pack(_VERSION, crc32c(body)) + body


def decode_snapshot(data: bytes) -> list[ProducerEntry]:
    """Raises ValueError when the bytes are not a whole, undamaged snapshot."""
    if len(data) < _HEAD.size + _COUNT.size:
        raise ValueError("the snapshot is too short")
    version, crc = _HEAD.unpack_from(data)
    body = memoryview(data)[_HEAD.size :]
    if version != _VERSION:
        raise ValueError(f"snapshot version {version} is unknown")
    if crc32c(body) != crc:
        raise ValueError("the snapshot's checksum is wrong")
    (count,) = _COUNT.unpack_from(body)
    if count < 0 or len(body) != _COUNT.size + count * _ENTRY.size:
        raise ValueError("the snapshot's length is wrong")
    return [_entry(*fields) for fields in _ENTRY.iter_unpack(body[_COUNT.size :])]


def _entry(
    producer_id: int,
    epoch: int,
    last_sequence: int,
    last_offset: int,
    offset_delta: int,
    timestamp: int,
    coordinator_epoch: int,
    open_offset: int,
) -> ProducerEntry:
    entry = ProducerEntry(producer_id, epoch)
    entry.last_timestamp = timestamp
    entry.coordinator_epoch = coordinator_epoch
    entry.open_offset = open_offset
    if last_offset >= 0:
        first_sequence = advance_sequence(last_sequence, -offset_delta) if last_sequence >= 0 else -1
        entry.batches.append(
            BatchMark(first_sequence, last_sequence, last_offset - offset_delta, last_offset, timestamp)
        )
        entry.has_older_batches = True
        entry.next_sequence = advance_sequence(last_sequence, 1) if last_sequence >= 0 else 0
    return entry
