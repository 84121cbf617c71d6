"""ClearElrRecord record (key 28), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length



class ClearElrRecord(Message):
    __slots__ = ("topic_name",)
    RECORD_TYPE = 28
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topic_name: str = '',
    ) -> None:
        self.topic_name = topic_name


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ClearElrRecord, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("topic_name", n, end - p)
    topic_name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ClearElrRecord(topic_name_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.topic_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out.append(0)


ClearElrRecord._READERS = {0: _read_0}
ClearElrRecord._WRITERS = {0: _write_0}
