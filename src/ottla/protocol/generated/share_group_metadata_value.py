"""ShareGroupMetadataValue record (key 11), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_iqB = _Struct(">iqB").unpack_from
_p_iqx = _Struct(">iqx").pack


class ShareGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash")
    RECORD_TYPE = 11
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareGroupMetadataValue, int]:
    epoch_1, metadata_hash_1, n = _u_iqB(data, p)
    p += 13
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareGroupMetadataValue(epoch_1, metadata_hash_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_iqx(m.epoch, m.metadata_hash)


ShareGroupMetadataValue._READERS = {0: _read_0}
ShareGroupMetadataValue._WRITERS = {0: _write_0}
