"""ListGroups response (key 16), versions 0-5, flexible from 3.

Generated from schemas/list_groups.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_hi = _Struct(">hi").unpack_from
_u_ihi = _Struct(">ihi").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_h = _Struct(">h").unpack_from
_p_hi = _Struct(">hi").pack
_p_ihi = _Struct(">ihi").pack
_p_ih = _Struct(">ih").pack
_p_h = _Struct(">h").pack


class Groups(Struct):
    __slots__ = ("group_id", "protocol_type", "group_state", "group_type")

    def __init__(
        self,
        group_id: str = '',
        protocol_type: str = '',
        group_state: str = '',
        group_type: str = '',
    ) -> None:
        self.group_id = group_id
        self.protocol_type = protocol_type
        self.group_state = group_state
        self.group_type = group_type


class ListGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "groups")
    API_KEY = 16
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        groups: list[Groups] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.groups = [] if groups is FRESH else groups


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsResponse, int]:
    error_code_1, n = _u_hi(data, p)
    p += 6
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        s_2, p = _read_Groups_0(data, p, end, left)
        groups_1.append(s_2)
    return ListGroupsResponse(0, error_code_1, groups_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihi(data, p)
    p += 10
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        s_2, p = _read_Groups_0(data, p, end, left)
        groups_1.append(s_2)
    return ListGroupsResponse(throttle_time_ms_1, error_code_1, groups_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, protocol_type_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListGroupsResponse(throttle_time_ms_1, error_code_1, groups_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_state", n, end - p)
        group_state_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, protocol_type_2, group_state_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListGroupsResponse(throttle_time_ms_1, error_code_1, groups_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("protocol_type", n, end - p)
        protocol_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_state", n, end - p)
        group_state_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_type", n, end - p)
        group_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, protocol_type_2, group_state_2, group_type_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListGroupsResponse(throttle_time_ms_1, error_code_1, groups_1), p


def _read_Groups_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Groups, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("protocol_type", n, end - p)
    protocol_type_1 = data[p:q].tobytes().decode()
    p = q
    return Groups(group_id_1, protocol_type_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_hi(m.error_code, len(items_1))
    for e_1 in items_1:
        _write_Groups_0(e_1, out)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_ihi(m.throttle_time_ms, m.error_code, len(items_1))
    for e_1 in items_1:
        _write_Groups_0(e_1, out)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.protocol_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.protocol_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.group_state.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.protocol_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.group_state.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.group_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


def _write_Groups_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.protocol_type.encode()
    out += _p_h(len(b))
    out += b


ListGroupsResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_3, 4: _read_4, 5: _read_5}
ListGroupsResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_3, 4: _write_4, 5: _write_5}
