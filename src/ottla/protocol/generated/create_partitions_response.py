"""CreatePartitions response (key 37), versions 0-3, flexible from 2.

Generated from schemas/create_partitions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_h = _Struct(">h").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_p_ii = _Struct(">ii").pack
_p_h = _Struct(">h").pack
_p_hh = _Struct(">hh").pack
_p_i = _Struct(">i").pack


class Results(Struct):
    __slots__ = ("name", "error_code", "error_message")

    def __init__(
        self,
        name: str = '',
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name = name
        self.error_code = error_code
        self.error_message = error_message


class CreatePartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    API_KEY = 37
    MIN_VERSION = 0
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[Results] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is FRESH else results


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreatePartitionsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
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
        results_1.append(Results(name_2, error_code_2, error_message_2))
    return CreatePartitionsResponse(throttle_time_ms_1, results_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreatePartitionsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
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
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
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
        if n:
            p = skip_tags(data, p - 1, end)
        results_1.append(Results(name_2, error_code_2, error_message_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return CreatePartitionsResponse(throttle_time_ms_1, results_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_hh(e_1.error_code, n)
        out += b


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_i(m.throttle_time_ms)
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
        out.append(0)
    out.append(0)


CreatePartitionsResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_2, 3: _read_2}
CreatePartitionsResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2, 3: _write_2}
