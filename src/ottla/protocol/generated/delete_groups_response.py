"""DeleteGroups response (key 42), versions 0-2, flexible from 2.

Generated from schemas/delete_groups.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_hx = _Struct(">hx").pack


class Results(Struct):
    __slots__ = ("group_id", "error_code")

    def __init__(
        self,
        group_id: str = '',
        error_code: int = 0,
    ) -> None:
        self.group_id = group_id
        self.error_code = error_code


class DeleteGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    API_KEY = 42
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[Results] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is FRESH else results


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteGroupsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        (error_code_2,) = _u_h(data, p)
        p += 2
        results_1.append(Results(group_id_2, error_code_2))
    return DeleteGroupsResponse(throttle_time_ms_1, results_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteGroupsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
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
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        results_1.append(Results(group_id_2, error_code_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DeleteGroupsResponse(throttle_time_ms_1, results_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.group_id.encode()
        out += _p_h(len(b))
        out += b
        out += _p_h(e_1.error_code)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_i(m.throttle_time_ms)
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
        out += _p_hx(e_1.error_code)
    out.append(0)


DeleteGroupsResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_2}
DeleteGroupsResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2}
