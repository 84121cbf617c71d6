"""StreamsGroupMetadataKey record (key 17), versions 0-0, never flexible.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message
from ottla.protocol.wire import wrong_length

_u_h = _Struct(">h").unpack_from
_p_h = _Struct(">h").pack


class StreamsGroupMetadataKey(Message):
    __slots__ = ("group_id",)
    RECORD_TYPE = 17
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        group_id: str = '',
    ) -> None:
        self.group_id = group_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupMetadataKey, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    return StreamsGroupMetadataKey(group_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b


StreamsGroupMetadataKey._READERS = {0: _read_0}
StreamsGroupMetadataKey._WRITERS = {0: _write_0}
