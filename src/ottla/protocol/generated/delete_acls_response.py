"""DeleteAcls response (key 31), versions 1-3, flexible from 2.

Generated from schemas/delete_acls.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_h = _Struct(">h").unpack_from
_u_bb = _Struct(">bb").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_bbB = _Struct(">bbB").unpack_from
_p_ii = _Struct(">ii").pack
_p_hh = _Struct(">hh").pack
_p_i = _Struct(">i").pack
_p_bh = _Struct(">bh").pack
_p_h = _Struct(">h").pack
_p_bb = _Struct(">bb").pack
_p_b = _Struct(">b").pack
_p_bbx = _Struct(">bbx").pack


class MatchingAcls(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = '',
        resource_type: int = 0,
        resource_name: str = '',
        pattern_type: int = 3,
        principal: str = '',
        host: str = '',
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class FilterResults(Struct):
    __slots__ = ("error_code", "error_message", "matching_acls")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = '',
        matching_acls: list[MatchingAcls] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.matching_acls = [] if matching_acls is FRESH else matching_acls


class DeleteAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "filter_results")
    API_KEY = 31
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        filter_results: list[FilterResults] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.filter_results = [] if filter_results is FRESH else filter_results


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteAclsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("filter_results", n, end - p, left)
    left[0] -= n
    filter_results_1: list[FilterResults] = []
    for _ in range(n):
        error_code_2, n = _u_hh(data, p)
        p += 4
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("matching_acls", n, end - p, left)
        left[0] -= n
        matching_acls_2: list[MatchingAcls] = []
        for _ in range(n):
            error_code_3, n = _u_hh(data, p)
            p += 4
            if n == -1:
                error_message_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("error_message", n, end - p)
                error_message_3 = data[p:q].tobytes().decode()
                p = q
            resource_type_3, n = _u_bh(data, p)
            p += 3
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("resource_name", n, end - p)
            resource_name_3 = data[p:q].tobytes().decode()
            p = q
            pattern_type_3, n = _u_bh(data, p)
            p += 3
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
            matching_acls_2.append(MatchingAcls(error_code_3, error_message_3, resource_type_3, resource_name_3, pattern_type_3, principal_3, host_3, operation_3, permission_type_3))
        filter_results_1.append(FilterResults(error_code_2, error_message_2, matching_acls_2))
    return DeleteAclsResponse(throttle_time_ms_1, filter_results_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteAclsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("filter_results", n, end - p, left)
    left[0] -= n
    filter_results_1: list[FilterResults] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 11 > end - p or n > left[0]:
            raise wrong_count("matching_acls", n, end - p, left)
        left[0] -= n
        matching_acls_2: list[MatchingAcls] = []
        for _ in range(n):
            error_code_3, n = _u_hB(data, p)
            p += 3
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                error_message_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("error_message", n, end - p)
                error_message_3 = data[p:q].tobytes().decode()
                p = q
            resource_type_3, n = _u_bB(data, p)
            p += 2
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("resource_name", n, end - p)
            resource_name_3 = data[p:q].tobytes().decode()
            p = q
            pattern_type_3, n = _u_bB(data, p)
            p += 2
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
            matching_acls_2.append(MatchingAcls(error_code_3, error_message_3, resource_type_3, resource_name_3, pattern_type_3, principal_3, host_3, operation_3, permission_type_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        filter_results_1.append(FilterResults(error_code_2, error_message_2, matching_acls_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DeleteAclsResponse(throttle_time_ms_1, filter_results_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.filter_results
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_hh(e_1.error_code, n)
        out += b
        items_2 = e_1.matching_acls
        out += _p_i(len(items_2))
        for e_2 in items_2:
            if e_2.error_message is None:
                n, b = -1, b""
            else:
                b = e_2.error_message.encode()
                n = len(b)
            out += _p_hh(e_2.error_code, n)
            out += b
            b = e_2.resource_name.encode()
            out += _p_bh(e_2.resource_type, len(b))
            out += b
            b = e_2.principal.encode()
            out += _p_bh(e_2.pattern_type, len(b))
            out += b
            b = e_2.host.encode()
            out += _p_h(len(b))
            out += b
            out += _p_bb(e_2.operation, e_2.permission_type)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.filter_results
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        if e_1.error_message is None:
            out.append(0)
        else:
            b = e_1.error_message.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        items_2 = e_1.matching_acls
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_h(e_2.error_code)
            if e_2.error_message is None:
                out.append(0)
            else:
                b = e_2.error_message.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out += _p_b(e_2.resource_type)
            b = e_2.resource_name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            out += _p_b(e_2.pattern_type)
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


DeleteAclsResponse._READERS = {1: _read_1, 2: _read_2, 3: _read_2}
DeleteAclsResponse._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2}
