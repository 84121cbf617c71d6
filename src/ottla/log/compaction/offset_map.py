"""The newest offset of each key, in bounded memory: what compaction decides with."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final

from ottla.records.record_picking import BatchKeys

_DIGEST_BYTES: Final = 16
#: What one entry of the dictionary costs, measured: the digest as an object, the offset, the slot with its spare room.
ENTRY_BYTES: Final = 200


class NewestOffsets:
    """Which of the offsets that went into the map are the newest of their keys, in order."""

    def __init__(self, offsets: Iterable[int]) -> None:
        self._offsets = array("q", sorted(offsets))

    def between(self, first: int, last: int) -> Sequence[int]:
        """Both inclusive."""
        offsets = self._offsets
        start = bisect_left(offsets, first)
        return offsets[start : bisect_right(offsets, last, start)]


class OffsetMap:
    """Keys are kept as 16-byte digests, shorter ones as they are; no digest is shorter, so the two never meet."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        #: The last offset that was taken into account. Nothing is known about offsets above.
        self.latest_offset = -1
        #: The offset; where the newest record is a tombstone, -1 - offset.
        self._offsets: dict[Any, int] = {}

    @classmethod
    def within(cls, memory_bytes: int) -> "OffsetMap":
        return cls(max(1, memory_bytes // ENTRY_BYTES))

    def __len__(self) -> int:
        return len(self._offsets)

    def has_room_for(self, record_count: int) -> bool:
        """An empty map takes any batch: otherwise one that is too large would stop compaction forever."""
        return not self._offsets or len(self._offsets) + record_count <= self.capacity

    def put(self, base_offset: int, found: BatchKeys) -> None:
        """Batches come in the order of their offsets."""
        offsets = self._offsets
        keys = _short(found.keys)
        offsets.update(zip(keys, map(base_offset.__add__, found.deltas), strict=True))
        for index in found.tombstones:
            offset = base_offset + found.deltas[index]
            if offsets[keys[index]] == offset:
                offsets[keys[index]] = -1 - offset
        # What stands for records without a key.
        offsets.pop(None, None)

    def unknown(self, keys: Sequence[bytes | None]) -> list[int]:
        """Which of these keys, counted from 0, have no newer record."""
        offsets = self._offsets
        return [index for index, key in enumerate(_short(keys)) if key is not None and key not in offsets]

    def newest(self) -> NewestOffsets:
        return NewestOffsets(offset if offset >= 0 else -1 - offset for offset in self._offsets.values())

    def newest_tombstones(self) -> NewestOffsets:
        return NewestOffsets(-1 - offset for offset in self._offsets.values() if offset < 0)


def _short(keys: Sequence[bytes | None]) -> Sequence[bytes | None]:
    return [
        key if key is None or len(key) < _DIGEST_BYTES else blake2b(key, digest_size=_DIGEST_BYTES).digest()
        for key in keys
    ]
