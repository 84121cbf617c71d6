"""CreatePartitions request (key 37), versions 0-3, flexible from 2.

Generated from schemas/create_partitions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_it = _Struct(">i?").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_itB = _Struct(">i?B").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ii = _Struct(">ii").pack
_p_it = _Struct(">i?").pack
_p_itx = _Struct(">i?x").pack


class Assignments(Struct):
    __slots__ = ("broker_ids",)

    def __init__(
        self,
        broker_ids: list[int] = FRESH,
    ) -> None:
        self.broker_ids = [] if broker_ids is FRESH else broker_ids


class Topics(Struct):
    __slots__ = ("name", "count", "assignments")

    def __init__(
        self,
        name: str = '',
        count: int = 0,
        assignments: list[Assignments] | None = FRESH,
    ) -> None:
        self.name = name
        self.count = count
        self.assignments = [] if assignments is FRESH else assignments


class CreatePartitionsRequest(Message):
    __slots__ = ("topics", "timeout_ms", "validate_only")
    API_KEY = 37
    MIN_VERSION = 0
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        topics: list[Topics] = FRESH,
        timeout_ms: int = 0,
        validate_only: bool = False,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreatePartitionsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 10 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        count_2, n = _u_ii(data, p)
        p += 8
        assignments_2: list[Assignments] | None = None
        if n != -1:
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("assignments", n, end - p, left)
            left[0] -= n
            assignments_2 = []
            for _ in range(n):
                (n,) = _u_i(data, p)
                p += 4
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("broker_ids", n, end - p, left)
                left[0] -= n
                broker_ids_3, p = read_numbers("i", 4, data, p, n)
                assignments_2.append(Assignments(broker_ids_3))
        topics_1.append(Topics(name_2, count_2, assignments_2))
    timeout_ms_1, validate_only_1 = _u_it(data, p)
    p += 5
    return CreatePartitionsRequest(topics_1, timeout_ms_1, validate_only_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreatePartitionsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        count_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        assignments_2: list[Assignments] | None = None
        if n != -1:
            if n < 0 or n * 2 > end - p or n > left[0]:
                raise wrong_count("assignments", n, end - p, left)
            left[0] -= n
            assignments_2 = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("broker_ids", n, end - p, left)
                left[0] -= n
                broker_ids_3, p = read_numbers("i", 4, data, p, n)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                assignments_2.append(Assignments(broker_ids_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, count_2, assignments_2))
    timeout_ms_1, validate_only_1, n = _u_itB(data, p)
    p += 6
    if n:
        p = skip_tags(data, p - 1, end)
    return CreatePartitionsRequest(topics_1, timeout_ms_1, validate_only_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.assignments
        out += _p_ii(e_1.count, -1 if items_2 is None else len(items_2))
        for e_2 in items_2 or ():
            items_3 = e_2.broker_ids
            out += _p_i(len(items_3))
            if items_3:
                put_numbers(out, "i", items_3)
    out += _p_it(m.timeout_ms, m.validate_only)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.assignments
        out += _p_i(e_1.count)
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            items_3 = e_2.broker_ids
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "i", items_3)
            out.append(0)
        out.append(0)
    out += _p_itx(m.timeout_ms, m.validate_only)


CreatePartitionsRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_2, 3: _read_2}
CreatePartitionsRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2, 3: _write_2}
