"""ShareGroupDescribe request (key 77), versions 1-1, flexible from 1.

Generated from schemas/share_group_describe.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_tB = _Struct(">?B").unpack_from
_p_tx = _Struct(">?x").pack


class ShareGroupDescribeRequest(Message):
    __slots__ = ("group_ids", "include_authorized_operations")
    API_KEY = 77
    MIN_VERSION = 1
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        group_ids: list[str] = FRESH,
        include_authorized_operations: bool = False,
    ) -> None:
        self.group_ids = [] if group_ids is FRESH else group_ids
        self.include_authorized_operations = include_authorized_operations


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ShareGroupDescribeRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("group_ids", n, end - p, left)
    left[0] -= n
    group_ids_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_ids", n, end - p)
        group_ids_1_element = data[p:q].tobytes().decode()
        p = q
        group_ids_1.append(group_ids_1_element)
    include_authorized_operations_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return ShareGroupDescribeRequest(group_ids_1, include_authorized_operations_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.group_ids
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


ShareGroupDescribeRequest._READERS = {1: _read_1}
ShareGroupDescribeRequest._WRITERS = {1: _write_1}
