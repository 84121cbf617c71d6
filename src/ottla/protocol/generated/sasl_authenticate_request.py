"""SaslAuthenticate request (key 36), versions 0-2, flexible from 2.

Generated from schemas/sasl_authenticate.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, put_uvarint, skip_tags, wrong_length

_u_i = _Struct(">i").unpack_from
_p_i = _Struct(">i").pack


class SaslAuthenticateRequest(Message):
    __slots__ = ("auth_bytes",)
    API_KEY = 36
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        auth_bytes: bytes = b'',
    ) -> None:
        self.auth_bytes = auth_bytes


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SaslAuthenticateRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("auth_bytes", n, end - p)
    auth_bytes_1 = data[p:q].tobytes()
    p = q
    return SaslAuthenticateRequest(auth_bytes_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SaslAuthenticateRequest, int]:
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
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return SaslAuthenticateRequest(auth_bytes_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.auth_bytes
    out += _p_i(len(b))
    out += b


def _write_2(m: Any, out: bytearray) -> None:
    b = m.auth_bytes
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


SaslAuthenticateRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_2}
SaslAuthenticateRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2}
