"""DescribeAcls response (key 29), versions 1-3, flexible from 2.

Generated from schemas/describe_acls.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihh = _Struct(">ihh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_bi = _Struct(">bi").unpack_from
_u_h = _Struct(">h").unpack_from
_u_bb = _Struct(">bb").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_bbB = _Struct(">bbB").unpack_from
_p_ihh = _Struct(">ihh").pack
_p_i = _Struct(">i").pack
_p_bh = _Struct(">bh").pack
_p_bi = _Struct(">bi").pack
_p_h = _Struct(">h").pack
_p_bb = _Struct(">bb").pack
_p_ih = _Struct(">ih").pack
_p_b = _Struct(">b").pack
_p_bbx = _Struct(">bbx").pack


class Acls(Struct):
    __slots__ = ("principal", "host", "operation", "permission_type")

    def __init__(
        self,
        principal: str = '',
        host: str = '',
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class Resources(Struct):
    __slots__ = ("resource_type", "resource_name", "pattern_type", "acls")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = '',
        pattern_type: int = 3,
        acls: list[Acls] = FRESH,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.acls = [] if acls is FRESH else acls


class DescribeAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "resources")
    API_KEY = 29
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
        resources: list[Resources] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.resources = [] if resources is FRESH else resources


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeAclsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihh(data, p)
    p += 8
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("resources", n, end - p, left)
    left[0] -= n
    resources_1: list[Resources] = []
    for _ in range(n):
        resource_type_2, n = _u_bh(data, p)
        p += 3
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        pattern_type_2, n = _u_bi(data, p)
        p += 5
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("acls", n, end - p, left)
        left[0] -= n
        acls_2: list[Acls] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal", n, end - p)
            principal_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("host", n, end - p)
            host_3 = data[p:q].tobytes().decode()
            p = q
            operation_3, permission_type_3 = _u_bb(data, p)
            p += 2
            acls_2.append(Acls(principal_3, host_3, operation_3, permission_type_3))
        resources_1.append(Resources(resource_type_2, resource_name_2, pattern_type_2, acls_2))
    return DescribeAclsResponse(throttle_time_ms_1, error_code_1, error_message_1, resources_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeAclsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("resources", n, end - p, left)
    left[0] -= n
    resources_1: list[Resources] = []
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
        pattern_type_2, n = _u_bB(data, p)
        p += 2
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 5 > end - p or n > left[0]:
            raise wrong_count("acls", n, end - p, left)
        left[0] -= n
        acls_2: list[Acls] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal", n, end - p)
            principal_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("host", n, end - p)
            host_3 = data[p:q].tobytes().decode()
            p = q
            operation_3, permission_type_3, n = _u_bbB(data, p)
            p += 3
            if n:
                p = skip_tags(data, p - 1, end)
            acls_2.append(Acls(principal_3, host_3, operation_3, permission_type_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        resources_1.append(Resources(resource_type_2, resource_name_2, pattern_type_2, acls_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeAclsResponse(throttle_time_ms_1, error_code_1, error_message_1, resources_1), p


def _write_1(m: Any, out: bytearray) -> None:
    if m.error_message is None:
        n, b = -1, b""
    else:
        b = m.error_message.encode()
        n = len(b)
    out += _p_ihh(m.throttle_time_ms, m.error_code, n)
    out += b
    items_1 = m.resources
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.resource_name.encode()
        out += _p_bh(e_1.resource_type, len(b))
        out += b
        items_2 = e_1.acls
        out += _p_bi(e_1.pattern_type, len(items_2))
        for e_2 in items_2:
            b = e_2.principal.encode()
            out += _p_h(len(b))
            out += b
            b = e_2.host.encode()
            out += _p_h(len(b))
            out += b
            out += _p_bb(e_2.operation, e_2.permission_type)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.resources
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
        items_2 = e_1.acls
        out += _p_b(e_1.pattern_type)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.principal.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            b = e_2.host.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            out += _p_bbx(e_2.operation, e_2.permission_type)
        out.append(0)
    out.append(0)


DescribeAclsResponse._READERS = {1: _read_1, 2: _read_2, 3: _read_2}
DescribeAclsResponse._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2}
