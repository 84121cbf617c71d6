"""ListGroups request (key 16), versions 0-5, flexible from 3.

Generated from schemas/list_groups.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length



class ListGroupsRequest(Message):
    __slots__ = ("states_filter", "types_filter")
    API_KEY = 16
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        states_filter: list[str] = FRESH,
        types_filter: list[str] = FRESH,
    ) -> None:
        self.states_filter = [] if states_filter is FRESH else states_filter
        self.types_filter = [] if types_filter is FRESH else types_filter


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsRequest, int]:
    return ListGroupsRequest(), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsRequest, int]:
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListGroupsRequest(), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("states_filter", n, end - p, left)
    left[0] -= n
    states_filter_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("states_filter", n, end - p)
        states_filter_1_element = data[p:q].tobytes().decode()
        p = q
        states_filter_1.append(states_filter_1_element)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListGroupsRequest(states_filter_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListGroupsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("states_filter", n, end - p, left)
    left[0] -= n
    states_filter_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("states_filter", n, end - p)
        states_filter_1_element = data[p:q].tobytes().decode()
        p = q
        states_filter_1.append(states_filter_1_element)
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("types_filter", n, end - p, left)
    left[0] -= n
    types_filter_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("types_filter", n, end - p)
        types_filter_1_element = data[p:q].tobytes().decode()
        p = q
        types_filter_1.append(types_filter_1_element)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListGroupsRequest(states_filter_1, types_filter_1), p


def _write_0(m: Any, out: bytearray) -> None:
    pass


def _write_3(m: Any, out: bytearray) -> None:
    out.append(0)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.states_filter
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
    out.append(0)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.states_filter
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
    items_2 = m.types_filter
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        b = e_2.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


ListGroupsRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_4, 5: _read_5}
ListGroupsRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_4, 5: _write_5}
