"""ShareUpdateKey record (key 1), versions 0-0, never flexible.

Generated from schemas/records_share_state.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, NO_UUID, Message
from ottla.protocol.wire import wrong_length

_u_h = _Struct(">h").unpack_from
_u_16si = _Struct(">16si").unpack_from
_p_h = _Struct(">h").pack
_p_16si = _Struct(">16si").pack


class ShareUpdateKey(Message):
    __slots__ = ("group_id", "topic_id", "partition")
    RECORD_TYPE = 1
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        group_id: str = '',
        topic_id: bytes = NO_UUID,
        partition: int = 0,
    ) -> None:
        self.group_id = group_id
        self.topic_id = topic_id
        self.partition = partition


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareUpdateKey, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    topic_id_1, partition_1 = _u_16si(data, p)
    p += 20
    return ShareUpdateKey(group_id_1, topic_id_1, partition_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    out += _p_16si(m.topic_id, m.partition)


ShareUpdateKey._READERS = {0: _read_0}
ShareUpdateKey._WRITERS = {0: _write_0}
