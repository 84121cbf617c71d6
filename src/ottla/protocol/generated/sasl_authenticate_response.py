"""SaslAuthenticate response (key 36), versions 0-2, flexible from 2.

Generated from schemas/sasl_authenticate.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_length

_u_hh = _Struct(">hh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_q = _Struct(">q").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_qB = _Struct(">qB").unpack_from
_p_hh = _Struct(">hh").pack
_p_i = _Struct(">i").pack
_p_q = _Struct(">q").pack
_p_h = _Struct(">h").pack
_p_qx = _Struct(">qx").pack


class SaslAuthenticateResponse(Message):
    __slots__ = ("error_code", "error_message", "auth_bytes", "session_lifetime_ms")
    API_KEY = 36
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = '',
        auth_bytes: bytes = b'',
        session_lifetime_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.auth_bytes = auth_bytes
        self.session_lifetime_ms = session_lifetime_ms


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SaslAuthenticateResponse, int]:
    error_code_1, n = _u_hh(data, p)
    p += 4
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("auth_bytes", n, end - p)
    auth_bytes_1 = data[p:q].tobytes()
    p = q
    return SaslAuthenticateResponse(error_code_1, error_message_1, auth_bytes_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SaslAuthenticateResponse, int]:
    error_code_1, n = _u_hh(data, p)
    p += 4
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("auth_bytes", n, end - p)
    auth_bytes_1 = data[p:q].tobytes()
    p = q
    (session_lifetime_ms_1,) = _u_q(data, p)
    p += 8
    return SaslAuthenticateResponse(error_code_1, error_message_1, auth_bytes_1, session_lifetime_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SaslAuthenticateResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
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
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("auth_bytes", n, end - p)
    auth_bytes_1 = data[p:q].tobytes()
    p = q
    session_lifetime_ms_1, n = _u_qB(data, p)
    p += 9
    if n:
        p = skip_tags(data, p - 1, end)
    return SaslAuthenticateResponse(error_code_1, error_message_1, auth_bytes_1, session_lifetime_ms_1), p


def _write_0(m: Any, out: bytearray) -> None:
    if m.error_message is None:
        n, b = -1, b""
    else:
        b = m.error_message.encode()
        n = len(b)
    out += _p_hh(m.error_code, n)
    out += b
    b = m.auth_bytes
    out += _p_i(len(b))
    out += b


def _write_1(m: Any, out: bytearray) -> None:
    if m.error_message is None:
        n, b = -1, b""
    else:
        b = m.error_message.encode()
        n = len(b)
    out += _p_hh(m.error_code, n)
    out += b
    b = m.auth_bytes
    out += _p_i(len(b))
    out += b
    out += _p_q(m.session_lifetime_ms)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)
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
    b = m.auth_bytes
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out += _p_qx(m.session_lifetime_ms)


SaslAuthenticateResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
SaslAuthenticateResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
