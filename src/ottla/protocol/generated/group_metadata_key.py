"""GroupMetadataKey record (key 2), versions 0-0, never flexible.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message
from ottla.protocol.wire import wrong_length

_u_h = _Struct(">h").unpack_from
_p_h = _Struct(">h").pack


class GroupMetadataKey(Message):
    __slots__ = ("group",)
    RECORD_TYPE = 2
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        group: str = '',
    ) -> None:
        self.group = group


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupMetadataKey, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group", n, end - p)
    group_1 = data[p:q].tobytes().decode()
    p = q
    return GroupMetadataKey(group_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group.encode()
    out += _p_h(len(b))
    out += b


GroupMetadataKey._READERS = {0: _read_0}
GroupMetadataKey._WRITERS = {0: _write_0}
