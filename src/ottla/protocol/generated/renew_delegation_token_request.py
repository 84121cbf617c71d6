"""RenewDelegationToken request (key 39), versions 1-2, flexible from 2.

Generated from schemas/renew_delegation_token.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, put_uvarint, skip_tags, wrong_length

_u_i = _Struct(">i").unpack_from
_u_q = _Struct(">q").unpack_from
_u_qB = _Struct(">qB").unpack_from
_p_i = _Struct(">i").pack
_p_q = _Struct(">q").pack
_p_qx = _Struct(">qx").pack


class RenewDelegationTokenRequest(Message):
    __slots__ = ("hmac", "renew_period_ms")
    API_KEY = 39
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        hmac: bytes = b'',
        renew_period_ms: int = 0,
    ) -> None:
        self.hmac = hmac
        self.renew_period_ms = renew_period_ms


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RenewDelegationTokenRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("hmac", n, end - p)
    hmac_1 = data[p:q].tobytes()
    p = q
    (renew_period_ms_1,) = _u_q(data, p)
    p += 8
    return RenewDelegationTokenRequest(hmac_1, renew_period_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RenewDelegationTokenRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("hmac", n, end - p)
    hmac_1 = data[p:q].tobytes()
    p = q
    renew_period_ms_1, n = _u_qB(data, p)
    p += 9
    if n:
        p = skip_tags(data, p - 1, end)
    return RenewDelegationTokenRequest(hmac_1, renew_period_ms_1), p


def _write_1(m: Any, out: bytearray) -> None:
    b = m.hmac
    out += _p_i(len(b))
    out += b
    out += _p_q(m.renew_period_ms)


def _write_2(m: Any, out: bytearray) -> None:
    b = m.hmac
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out += _p_qx(m.renew_period_ms)


RenewDelegationTokenRequest._READERS = {1: _read_1, 2: _read_2}
RenewDelegationTokenRequest._WRITERS = {1: _write_1, 2: _write_2}
