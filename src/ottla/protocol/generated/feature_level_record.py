"""FeatureLevelRecord record (key 12), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_hB = _Struct(">hB").unpack_from
_p_hx = _Struct(">hx").pack


class FeatureLevelRecord(Message):
    __slots__ = ("name", "feature_level")
    RECORD_TYPE = 12
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        name: str = '',
        feature_level: int = 0,
    ) -> None:
        self.name = name
        self.feature_level = feature_level


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[FeatureLevelRecord, int]:
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
    feature_level_1, n = _u_hB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return FeatureLevelRecord(name_1, feature_level_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_hx(m.feature_level)


FeatureLevelRecord._READERS = {0: _read_0}
FeatureLevelRecord._WRITERS = {0: _write_0}
