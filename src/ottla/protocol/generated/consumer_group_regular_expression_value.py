"""ConsumerGroupRegularExpressionValue record (key 16), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_qqB = _Struct(">qqB").unpack_from
_p_qqx = _Struct(">qqx").pack


class ConsumerGroupRegularExpressionValue(Message):
    __slots__ = ("topics", "version", "timestamp")
    RECORD_TYPE = 16
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topics: list[str] = FRESH,
        version: int = 0,
        timestamp: int = 0,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.version = version
        self.timestamp = timestamp


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topics", n, end - p)
        topics_1_element = data[p:q].tobytes().decode()
        p = q
        topics_1.append(topics_1_element)
    version_1, timestamp_1, n = _u_qqB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    return ConsumerGroupRegularExpressionValue(topics_1, version_1, timestamp_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_qqx(m.version, m.timestamp)


ConsumerGroupRegularExpressionValue._READERS = {0: _read_0}
ConsumerGroupRegularExpressionValue._WRITERS = {0: _write_0}
