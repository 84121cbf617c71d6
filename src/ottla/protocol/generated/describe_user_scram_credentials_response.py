"""DescribeUserScramCredentials response (key 50), versions 0-0, flexible from 0.

Generated from schemas/describe_user_scram_credentials.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_biB = _Struct(">biB").unpack_from
_p_ih = _Struct(">ih").pack
_p_h = _Struct(">h").pack
_p_bix = _Struct(">bix").pack


class CredentialInfos(Struct):
    __slots__ = ("mechanism", "iterations")

    def __init__(
        self,
        mechanism: int = 0,
        iterations: int = 0,
    ) -> None:
        self.mechanism = mechanism
        self.iterations = iterations


class Results(Struct):
    __slots__ = ("user", "error_code", "error_message", "credential_infos")

    def __init__(
        self,
        user: str = '',
        error_code: int = 0,
        error_message: str | None = '',
        credential_infos: list[CredentialInfos] = FRESH,
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message
        self.credential_infos = [] if credential_infos is FRESH else credential_infos


class DescribeUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")
    API_KEY = 50
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
        results: list[Results] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results = [] if results is FRESH else results


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeUserScramCredentialsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 6 > end - p or n > left[0]:
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
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("credential_infos", n, end - p, left)
        left[0] -= n
        credential_infos_2: list[CredentialInfos] = []
        for _ in range(n):
            mechanism_3, iterations_3, n = _u_biB(data, p)
            p += 6
            if n:
                p = skip_tags(data, p - 1, end)
            credential_infos_2.append(CredentialInfos(mechanism_3, iterations_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        results_1.append(Results(user_2, error_code_2, error_message_2, credential_infos_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeUserScramCredentialsResponse(throttle_time_ms_1, error_code_1, error_message_1, results_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.results
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
        items_2 = e_1.credential_infos
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_bix(e_2.mechanism, e_2.iterations)
        out.append(0)
    out.append(0)


DescribeUserScramCredentialsResponse._READERS = {0: _read_0}
DescribeUserScramCredentialsResponse._WRITERS = {0: _write_0}
