"""DescribeGroups request (key 15), versions 0-6, flexible from 5.

Generated from schemas/describe_groups.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_t = _Struct(">?").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_t = _Struct(">?").pack
_p_tx = _Struct(">?x").pack


class DescribeGroupsRequest(Message):
    __slots__ = ("groups", "include_authorized_operations")
    API_KEY = 15
    MIN_VERSION = 0
    MAX_VERSION = 6
    FLEXIBLE_FROM = 5

    def __init__(
        self,
        groups: list[str] = FRESH,
        include_authorized_operations: bool = False,
    ) -> None:
        self.groups = [] if groups is FRESH else groups
        self.include_authorized_operations = include_authorized_operations


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("groups", n, end - p)
        groups_1_element = data[p:q].tobytes().decode()
        p = q
        groups_1.append(groups_1_element)
    return DescribeGroupsRequest(groups_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("groups", n, end - p)
        groups_1_element = data[p:q].tobytes().decode()
        p = q
        groups_1.append(groups_1_element)
    (include_authorized_operations_1,) = _u_t(data, p)
    p += 1
    return DescribeGroupsRequest(groups_1, include_authorized_operations_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeGroupsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("groups", n, end - p)
        groups_1_element = data[p:q].tobytes().decode()
        p = q
        groups_1.append(groups_1_element)
    include_authorized_operations_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeGroupsRequest(groups_1, include_authorized_operations_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b
    out += _p_t(m.include_authorized_operations)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_tx(m.include_authorized_operations)


DescribeGroupsRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_3, 5: _read_5, 6: _read_5}
DescribeGroupsRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_3, 5: _write_5, 6: _write_5}
