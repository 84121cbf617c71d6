"""OffsetCommitKey record (key 1), versions 0-0, never flexible.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message
from ottla.protocol.wire import wrong_length

_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack


class OffsetCommitKey(Message):
    __slots__ = ("group", "topic", "partition")
    RECORD_TYPE = 1
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        group: str = '',
        topic: str = '',
        partition: int = 0,
    ) -> None:
        self.group = group
        self.topic = topic
        self.partition = partition


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitKey, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group", n, end - p)
    group_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("topic", n, end - p)
    topic_1 = data[p:q].tobytes().decode()
    p = q
    (partition_1,) = _u_i(data, p)
    p += 4
    return OffsetCommitKey(group_1, topic_1, partition_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group.encode()
    out += _p_h(len(b))
    out += b
    b = m.topic.encode()
    out += _p_h(len(b))
    out += b
    out += _p_i(m.partition)


OffsetCommitKey._READERS = {0: _read_0}
OffsetCommitKey._WRITERS = {0: _write_0}
