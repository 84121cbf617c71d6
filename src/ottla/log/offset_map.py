"""The newest offset of each key, in bounded memory: what compaction decides with."""

from hashlib import blake2b
from typing import Final

_DIGEST_BYTES: Final = 16
#: What one entry of the dictionary costs, measured: the digest as an object, the offset, the slot with its spare room.
ENTRY_BYTES: Final = 200


class OffsetMap:
    """Keys are kept as 16-byte digests, shorter ones as they are; no digest is shorter, so the two never meet."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        #: The last offset that was taken into account. Nothing is known about offsets above.
        self.latest_offset = -1
        self._offsets: dict[bytes, int] = {}

    @classmethod
    def within(cls, memory_bytes: int) -> "OffsetMap":
        return cls(max(1, memory_bytes // ENTRY_BYTES))

    def __len__(self) -> int:
        return len(self._offsets)

    def has_room_for(self, record_count: int) -> bool:
        """An empty map takes any batch: otherwise one that is too large would stop compaction for ever."""
        return not self._offsets or len(self._offsets) + record_count <= self.capacity

    def put(self, key: bytes, offset: int) -> None:
        self._offsets[_short(key)] = offset

    def is_newest(self, key: bytes, offset: int) -> bool:
        return offset >= self._offsets.get(_short(key), -1)


def _short(key: bytes) -> bytes:
    return key if len(key) < _DIGEST_BYTES else blake2b(key, digest_size=_DIGEST_BYTES).digest()
