"""CreateAcls request (key 30), versions 1-3, flexible from 2.

Generated from schemas/create_acls.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_h = _Struct(">h").unpack_from
_u_bb = _Struct(">bb").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_bbB = _Struct(">bbB").unpack_from
_p_i = _Struct(">i").pack
_p_bh = _Struct(">bh").pack
_p_h = _Struct(">h").pack
_p_bb = _Struct(">bb").pack
_p_b = _Struct(">b").pack
_p_bbx = _Struct(">bbx").pack


class Creations(Struct):
    __slots__ = ("resource_type", "resource_name", "resource_pattern_type", "principal", "host", "operation", "permission_type")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = '',
        resource_pattern_type: int = 3,
        principal: str = '',
        host: str = '',
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.resource_pattern_type = resource_pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class CreateAclsRequest(Message):
    __slots__ = ("creations",)
    API_KEY = 30
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        creations: list[Creations] = FRESH,
    ) -> None:
        self.creations = [] if creations is FRESH else creations


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateAclsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 10 > end - p or n > left[0]:
        raise wrong_count("creations", n, end - p, left)
    left[0] -= n
    creations_1: list[Creations] = []
    for _ in range(n):
        resource_type_2, n = _u_bh(data, p)
        p += 3
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        resource_pattern_type_2, n = _u_bh(data, p)
        p += 3
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal", n, end - p)
        principal_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_2 = data[p:q].tobytes().decode()
        p = q
        operation_2, permission_type_2 = _u_bb(data, p)
        p += 2
        creations_1.append(Creations(resource_type_2, resource_name_2, resource_pattern_type_2, principal_2, host_2, operation_2, permission_type_2))
    return CreateAclsRequest(creations_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateAclsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("creations", n, end - p, left)
    left[0] -= n
    creations_1: list[Creations] = []
    for _ in range(n):
        resource_type_2, n = _u_bB(data, p)
        p += 2
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        resource_pattern_type_2, n = _u_bB(data, p)
        p += 2
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal", n, end - p)
        principal_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host", n, end - p)
        host_2 = data[p:q].tobytes().decode()
        p = q
        operation_2, permission_type_2, n = _u_bbB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        creations_1.append(Creations(resource_type_2, resource_name_2, resource_pattern_type_2, principal_2, host_2, operation_2, permission_type_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateAclsRequest(creations_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.creations
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.resource_name.encode()
        out += _p_bh(e_1.resource_type, len(b))
        out += b
        b = e_1.principal.encode()
        out += _p_bh(e_1.resource_pattern_type, len(b))
        out += b
        b = e_1.host.encode()
        out += _p_h(len(b))
        out += b
        out += _p_bb(e_1.operation, e_1.permission_type)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.creations
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_b(e_1.resource_type)
        b = e_1.resource_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_b(e_1.resource_pattern_type)
        b = e_1.principal.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_bbx(e_1.operation, e_1.permission_type)
    out.append(0)


CreateAclsRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_2}
CreateAclsRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2}
