"""AccessControlEntryRecord record (key 18), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_16sbB = _Struct(">16sbB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_bbB = _Struct(">bbB").unpack_from
_p_16sb = _Struct(">16sb").pack
_p_b = _Struct(">b").pack
_p_bbx = _Struct(">bbx").pack


class AccessControlEntryRecord(Message):
    __slots__ = ("id", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type")
    RECORD_TYPE = 18
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        id: bytes = NO_UUID,
        resource_type: int = 0,
        resource_name: str = '',
        pattern_type: int = 0,
        principal: str = '',
        host: str = '',
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.id = id
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AccessControlEntryRecord, int]:
    id_1, resource_type_1, n = _u_16sbB(data, p)
    p += 18
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("resource_name", n, end - p)
    resource_name_1 = data[p:q].tobytes().decode()
    p = q
    pattern_type_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal", n, end - p)
    principal_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("host", n, end - p)
    host_1 = data[p:q].tobytes().decode()
    p = q
    operation_1, permission_type_1, n = _u_bbB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return AccessControlEntryRecord(id_1, resource_type_1, resource_name_1, pattern_type_1, principal_1, host_1, operation_1, permission_type_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_16sb(m.id, m.resource_type)
    b = m.resource_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_b(m.pattern_type)
    b = m.principal.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.host.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_bbx(m.operation, m.permission_type)


AccessControlEntryRecord._READERS = {0: _read_0}
AccessControlEntryRecord._WRITERS = {0: _write_0}
