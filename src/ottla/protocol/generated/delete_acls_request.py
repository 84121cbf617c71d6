"""DeleteAcls request (key 31), versions 1-3, flexible from 2.

Generated from schemas/delete_acls.txt by ottla.protocol.generator; do not edit.
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


class Filters(Struct):
    __slots__ = ("resource_type_filter", "resource_name_filter", "pattern_type_filter", "principal_filter", "host_filter", "operation", "permission_type")

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


class DeleteAclsRequest(Message):
    __slots__ = ("filters",)
    API_KEY = 31
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        filters: list[Filters] = FRESH,
    ) -> None:
        self.filters = [] if filters is FRESH else filters


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteAclsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 10 > end - p or n > left[0]:
        raise wrong_count("filters", n, end - p, left)
    left[0] -= n
    filters_1: list[Filters] = []
    for _ in range(n):
        resource_type_filter_2, n = _u_bh(data, p)
        p += 3
        if n == -1:
            resource_name_filter_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("resource_name_filter", n, end - p)
            resource_name_filter_2 = data[p:q].tobytes().decode()
            p = q
        pattern_type_filter_2, n = _u_bh(data, p)
        p += 3
        if n == -1:
            principal_filter_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_filter", n, end - p)
            principal_filter_2 = data[p:q].tobytes().decode()
            p = q
        (n,) = _u_h(data, p)
        p += 2
        if n == -1:
            host_filter_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("host_filter", n, end - p)
            host_filter_2 = data[p:q].tobytes().decode()
            p = q
        operation_2, permission_type_2 = _u_bb(data, p)
        p += 2
        filters_1.append(Filters(resource_type_filter_2, resource_name_filter_2, pattern_type_filter_2, principal_filter_2, host_filter_2, operation_2, permission_type_2))
    return DeleteAclsRequest(filters_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteAclsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("filters", n, end - p, left)
    left[0] -= n
    filters_1: list[Filters] = []
    for _ in range(n):
        resource_type_filter_2, n = _u_bB(data, p)
        p += 2
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            resource_name_filter_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("resource_name_filter", n, end - p)
            resource_name_filter_2 = data[p:q].tobytes().decode()
            p = q
        pattern_type_filter_2, n = _u_bB(data, p)
        p += 2
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            principal_filter_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_filter", n, end - p)
            principal_filter_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            host_filter_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("host_filter", n, end - p)
            host_filter_2 = data[p:q].tobytes().decode()
            p = q
        operation_2, permission_type_2, n = _u_bbB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        filters_1.append(Filters(resource_type_filter_2, resource_name_filter_2, pattern_type_filter_2, principal_filter_2, host_filter_2, operation_2, permission_type_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DeleteAclsRequest(filters_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.filters
    out += _p_i(len(items_1))
    for e_1 in items_1:
        if e_1.resource_name_filter is None:
            n, b = -1, b""
        else:
            b = e_1.resource_name_filter.encode()
            n = len(b)
        out += _p_bh(e_1.resource_type_filter, n)
        out += b
        if e_1.principal_filter is None:
            n, b = -1, b""
        else:
            b = e_1.principal_filter.encode()
            n = len(b)
        out += _p_bh(e_1.pattern_type_filter, n)
        out += b
        if e_1.host_filter is None:
            n, b = -1, b""
        else:
            b = e_1.host_filter.encode()
            n = len(b)
        out += _p_h(n)
        out += b
        out += _p_bb(e_1.operation, e_1.permission_type)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.filters
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_b(e_1.resource_type_filter)
        if e_1.resource_name_filter is None:
            out.append(0)
        else:
            b = e_1.resource_name_filter.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out += _p_b(e_1.pattern_type_filter)
        if e_1.principal_filter is None:
            out.append(0)
        else:
            b = e_1.principal_filter.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        if e_1.host_filter is None:
            out.append(0)
        else:
            b = e_1.host_filter.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out += _p_bbx(e_1.operation, e_1.permission_type)
    out.append(0)


DeleteAclsRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_2}
DeleteAclsRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2}
