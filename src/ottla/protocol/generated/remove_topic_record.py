"""RemoveTopicRecord record (key 9), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import skip_tags

_u_16sB = _Struct(">16sB").unpack_from
_p_16sx = _Struct(">16sx").pack


class RemoveTopicRecord(Message):
    __slots__ = ("topic_id",)
    RECORD_TYPE = 9
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
    ) -> None:
        self.topic_id = topic_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RemoveTopicRecord, int]:
    topic_id_1, n = _u_16sB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    return RemoveTopicRecord(topic_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_16sx(m.topic_id)


RemoveTopicRecord._READERS = {0: _read_0}
RemoveTopicRecord._WRITERS = {0: _write_0}
