"""TopicRecord record (key 2), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_16sB = _Struct(">16sB").unpack_from
_p_16sx = _Struct(">16sx").pack


class TopicRecord(Message):
    __slots__ = ("name", "topic_id")
    RECORD_TYPE = 2
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        name: str = '',
        topic_id: bytes = NO_UUID,
    ) -> None:
        self.name = name
        self.topic_id = topic_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TopicRecord, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    topic_id_1, n = _u_16sB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    return TopicRecord(name_1, topic_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_16sx(m.topic_id)


TopicRecord._READERS = {0: _read_0}
TopicRecord._WRITERS = {0: _write_0}
