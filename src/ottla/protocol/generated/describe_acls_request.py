"""DescribeAcls request (key 29), versions 1-3, flexible from 2.

Generated from schemas/describe_acls.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_bh = _Struct(">bh").unpack_from
_u_h = _Struct(">h").unpack_from
_u_bb = _Struct(">bb").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_bbB = _Struct(">bbB").unpack_from
_p_bh = _Struct(">bh").pack
_p_h = _Struct(">h").pack
_p_bb = _Struct(">bb").pack
_p_b = _Struct(">b").pack
_p_bbx = _Struct(">bbx").pack


class DescribeAclsRequest(Message):
    __slots__ = ("resource_type_filter", "resource_name_filter", "pattern_type_filter", "principal_filter", "host_filter", "operation", "permission_type")
    API_KEY = 29
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        resource_type_filter: int = 0,
        resource_name_filter: str | None = '',
        pattern_type_filter: int = 3,
        principal_filter: str | None = '',
        host_filter: str | None = '',
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type_filter = resource_type_filter
        self.resource_name_filter = resource_name_filter
        self.pattern_type_filter = pattern_type_filter
        self.principal_filter = principal_filter
        self.host_filter = host_filter
        self.operation = operation
        self.permission_type = permission_type


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeAclsRequest, int]:
    resource_type_filter_1, n = _u_bh(data, p)
    p += 3
    if n == -1:
        resource_name_filter_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name_filter", n, end - p)
        resource_name_filter_1 = data[p:q].tobytes().decode()
        p = q
    pattern_type_filter_1, n = _u_bh(data, p)
    p += 3
    if n == -1:
        principal_filter_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_filter", n, end - p)
        principal_filter_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        host_filter_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host_filter", n, end - p)
        host_filter_1 = data[p:q].tobytes().decode()
        p = q
    operation_1, permission_type_1 = _u_bb(data, p)
    p += 2
    return DescribeAclsRequest(resource_type_filter_1, resource_name_filter_1, pattern_type_filter_1, principal_filter_1, host_filter_1, operation_1, permission_type_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeAclsRequest, int]:
    resource_type_filter_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        resource_name_filter_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name_filter", n, end - p)
        resource_name_filter_1 = data[p:q].tobytes().decode()
        p = q
    pattern_type_filter_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        principal_filter_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_filter", n, end - p)
        principal_filter_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        host_filter_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("host_filter", n, end - p)
        host_filter_1 = data[p:q].tobytes().decode()
        p = q
    operation_1, permission_type_1, n = _u_bbB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeAclsRequest(resource_type_filter_1, resource_name_filter_1, pattern_type_filter_1, principal_filter_1, host_filter_1, operation_1, permission_type_1), p


def _write_1(m: Any, out: bytearray) -> None:
    if m.resource_name_filter is None:
        n, b = -1, b""
    else:
        b = m.resource_name_filter.encode()
        n = len(b)
    out += _p_bh(m.resource_type_filter, n)
    out += b
    if m.principal_filter is None:
        n, b = -1, b""
    else:
        b = m.principal_filter.encode()
        n = len(b)
    out += _p_bh(m.pattern_type_filter, n)
    out += b
    if m.host_filter is None:
        n, b = -1, b""
    else:
        b = m.host_filter.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    out += _p_bb(m.operation, m.permission_type)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_b(m.resource_type_filter)
    if m.resource_name_filter is None:
        out.append(0)
    else:
        b = m.resource_name_filter.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_b(m.pattern_type_filter)
    if m.principal_filter is None:
        out.append(0)
    else:
        b = m.principal_filter.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.host_filter is None:
        out.append(0)
    else:
        b = m.host_filter.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_bbx(m.operation, m.permission_type)


DescribeAclsRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_2}
DescribeAclsRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2}
