"""IncrementalAlterConfigs response (key 44), versions 0-1, flexible from 1.

Generated from schemas/incremental_alter_configs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_p_ii = _Struct(">ii").pack
_p_hh = _Struct(">hh").pack
_p_bh = _Struct(">bh").pack
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_b = _Struct(">b").pack


class Responses(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = '',
        resource_type: int = 0,
        resource_name: str = '',
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name


class IncrementalAlterConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")
    API_KEY = 44
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: list[Responses] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses = [] if responses is FRESH else responses


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[IncrementalAlterConfigsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 7 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
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
        resource_type_2, n = _u_bh(data, p)
        p += 3
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        responses_1.append(Responses(error_code_2, error_message_2, resource_type_2, resource_name_2))
    return IncrementalAlterConfigsResponse(throttle_time_ms_1, responses_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[IncrementalAlterConfigsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
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
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        responses_1.append(Responses(error_code_2, error_message_2, resource_type_2, resource_name_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return IncrementalAlterConfigsResponse(throttle_time_ms_1, responses_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.responses
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_hh(e_1.error_code, n)
        out += b
        b = e_1.resource_name.encode()
        out += _p_bh(e_1.resource_type, len(b))
        out += b


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.responses
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
        out += _p_b(e_1.resource_type)
        b = e_1.resource_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


IncrementalAlterConfigsResponse._READERS = {0: _read_0, 1: _read_1}
IncrementalAlterConfigsResponse._WRITERS = {0: _write_0, 1: _write_1}
