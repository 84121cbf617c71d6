"""The producer snapshots of a partition: `<offset>.snapshot`, what is known of every producer below that offset.

One is written at each roll and at a clean close, as Kafka does, and now and then at a flush, so that recovery after a
crash does not have to read the whole active segment. Kept are those at the base offsets of segments and the newest two.

int16 version 1, uint32 CRC-32C of all that follows, int32 count, then one fixed entry for each producer.
"""

import struct
from collections.abc import Iterable
from typing import Final

from ottla.log.files.small_files import read_if_exists
from ottla.log.producers.producer_entry import ProducerBatch, ProducerEntry
from ottla.log.producers.producer_state import ProducerStates
from ottla.log.segments.log_directory import SNAPSHOT, LogDirectory, offset_of
from ottla.log.segments.segment_list import SegmentList
from ottla.records.batch import advance_sequence
from ottla.records.crc import crc32c

_VERSION: Final = 1
_HEAD: Final = struct.Struct(">hI")
_COUNT: Final = struct.Struct(">i")
_ENTRY: Final = struct.Struct(">qhiqiqiq")


class Snapshots:
    """Owned by one log. `offsets` are those of the files, rising."""

    __slots__ = ("_directory", "offsets", "written_at_bytes")

    def __init__(self, directory: LogDirectory, names: list[str]) -> None:
        self._directory = directory
        self.offsets = sorted(offset for name in names if (offset := offset_of(name, SNAPSHOT)) is not None)
        #: The size of the active segment when the last one was written; 0 at its start.
        self.written_at_bytes = 0

    @property
    def newest(self) -> int:
        return self.offsets[-1] if self.offsets else -1

    def write(self, offset: int, producers: ProducerStates) -> None:
        """Not synced: a snapshot that a power loss damages is seen by its checksum and not needed.

        That is so as long as the log has what it describes: see `sync`.
        """
        if offset == self.newest:
            return
        data = encode_snapshot(producers.entries.values())
        file = self._directory.disk.open(self._directory.file_path(offset, SNAPSHOT), create=True)
        file.write_at(0, data)
        if file.size() != len(data):
            file.truncate(len(data))
        file.close()
        self.offsets.append(offset)
        self.offsets.sort()

    def sync(self, offset: int) -> None:
        """Creates one durable: the log below it is about to be removed. For a thread; raises OSError."""
        file = self._directory.disk.open(self._directory.file_path(offset, SNAPSHOT))
        try:
            file.sync()
        finally:
            file.close()
        self._directory.disk.sync_directory(self._directory.path)

    def load_newest(self, producers: ProducerStates, limit: int) -> int:
        """Loads the newest good one not above `limit` and returns its offset; -1 when there is none.

        Those above are from a future that this log does not have: they are removed, as are damaged ones.
        """
        self.remove_above(limit)
        while self.offsets:
            data = read_if_exists(self._directory.disk, self._directory.file_path(self.newest, SNAPSHOT))
            try:
                producers.load(decode_snapshot(data))
            except ValueError:
                self._remove(self.newest)
                continue
            return self.newest
        producers.load([])
        return -1

    def remove_above(self, offset: int) -> bool:
        """True when there were some."""
        above = [found for found in self.offsets if found > offset]
        for found in above:
            self._remove(found)
        return bool(above)

    def keep_for(self, segments: SegmentList) -> None:
        """Keeps those of segments and the newest two: the last one may be ahead of what is on the device."""
        kept = dict.fromkeys([*(segment.base_offset for segment in segments), *self.offsets[-2:]])
        for found in [offset for offset in self.offsets if offset not in kept]:
            self._remove(found)

    def remove_all(self) -> None:
        self.remove_above(-1)

    def _remove(self, offset: int) -> None:
        self._directory.disk.remove(self._directory.file_path(offset, SNAPSHOT))
        self.offsets.remove(offset)


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
        batch = ProducerBatch(producer_id, epoch, first_sequence, offset_delta, open_offset >= 0)
        batch.place(last_offset - offset_delta, last_offset, timestamp)
        entry.batches.append(batch)
        entry.has_older_batches = True
        entry.next_sequence = advance_sequence(last_sequence, 1) if last_sequence >= 0 else 0
    return entry
