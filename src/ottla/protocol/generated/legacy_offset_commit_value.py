"""LegacyOffsetCommitValue record (key 0), versions 0-0, never flexible.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message
from ottla.protocol.wire import wrong_length

_u_qh = _Struct(">qh").unpack_from
_u_q = _Struct(">q").unpack_from
_p_qh = _Struct(">qh").pack
_p_q = _Struct(">q").pack


class LegacyOffsetCommitValue(Message):
    __slots__ = ("offset", "metadata", "commit_timestamp")
    RECORD_TYPE = 0
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        offset: int = 0,
        metadata: str = '',
        commit_timestamp: int = 0,
    ) -> None:
        self.offset = offset
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LegacyOffsetCommitValue, int]:
    offset_1, n = _u_qh(data, p)
    p += 10
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metadata", n, end - p)
    metadata_1 = data[p:q].tobytes().decode()
    p = q
    (commit_timestamp_1,) = _u_q(data, p)
    p += 8
    return LegacyOffsetCommitValue(offset_1, metadata_1, commit_timestamp_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.metadata.encode()
    out += _p_qh(m.offset, len(b))
    out += b
    out += _p_q(m.commit_timestamp)


LegacyOffsetCommitValue._READERS = {0: _read_0}
LegacyOffsetCommitValue._WRITERS = {0: _write_0}
