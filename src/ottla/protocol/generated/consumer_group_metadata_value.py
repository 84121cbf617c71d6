"""ConsumerGroupMetadataValue record (key 3), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import read_tags, wrong_tag_size

_u_iB = _Struct(">iB").unpack_from
_u_q = _Struct(">q").unpack_from
_p_i = _Struct(">i").pack
_p_BBBq = _Struct(">BBBq").pack


class ConsumerGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash")
    RECORD_TYPE = 3
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


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupMetadataValue, int]:
    epoch_1, n = _u_iB(data, p)
    p += 5
    metadata_hash_1: Any = 0
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (metadata_hash_1_tagged,) = _u_q(data, p)
                p += 8
                metadata_hash_1 = metadata_hash_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return ConsumerGroupMetadataValue(epoch_1, metadata_hash_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_i(m.epoch)
    if m.metadata_hash != 0:
        out += _p_BBBq(1, 0, 8, m.metadata_hash)
    else:
        out.append(0)


ConsumerGroupMetadataValue._READERS = {0: _read_0}
ConsumerGroupMetadataValue._WRITERS = {0: _write_0}
