"""ConfigRecord record (key 4), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_bB = _Struct(">bB").unpack_from
_p_b = _Struct(">b").pack


class ConfigRecord(Message):
    __slots__ = ("resource_type", "resource_name", "name", "value")
    RECORD_TYPE = 4
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = '',
        name: str = '',
        value: str | None = '',
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.name = name
        self.value = value


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConfigRecord, int]:
    resource_type_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("resource_name", n, end - p)
    resource_name_1 = data[p:q].tobytes().decode()
    p = q
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
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        value_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("value", n, end - p)
        value_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ConfigRecord(resource_type_1, resource_name_1, name_1, value_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_b(m.resource_type)
    b = m.resource_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.value is None:
        out.append(0)
    else:
        b = m.value.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


ConfigRecord._READERS = {0: _read_0}
ConfigRecord._WRITERS = {0: _write_0}
