"""AlterUserScramCredentials response (key 51), versions 0-0, flexible from 0.

Generated from schemas/alter_user_scram_credentials.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack


class Results(Struct):
    __slots__ = ("user", "error_code", "error_message")

    def __init__(
        self,
        user: str = '',
        error_code: int = 0,
        error_message: str | None = '',
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message


class AlterUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    API_KEY = 51
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[Results] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is FRESH else results


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterUserScramCredentialsResponse, int]:
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
            raise wrong_length("user", n, end - p)
        user_2 = data[p:q].tobytes().decode()
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
        results_1.append(Results(user_2, error_code_2, error_message_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterUserScramCredentialsResponse(throttle_time_ms_1, results_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.user.encode()
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


AlterUserScramCredentialsResponse._READERS = {0: _read_0}
AlterUserScramCredentialsResponse._WRITERS = {0: _write_0}
