"""SaslHandshake request (key 17), versions 0-1, never flexible.

Generated from schemas/sasl_handshake.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message
from ottla.protocol.wire import wrong_length

_u_h = _Struct(">h").unpack_from
_p_h = _Struct(">h").pack


class SaslHandshakeRequest(Message):
    __slots__ = ("mechanism",)
    API_KEY = 17
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        mechanism: str = '',
    ) -> None:
        self.mechanism = mechanism


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SaslHandshakeRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("mechanism", n, end - p)
    mechanism_1 = data[p:q].tobytes().decode()
    p = q
    return SaslHandshakeRequest(mechanism_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.mechanism.encode()
    out += _p_h(len(b))
    out += b


SaslHandshakeRequest._READERS = {0: _read_0, 1: _read_0}
SaslHandshakeRequest._WRITERS = {0: _write_0, 1: _write_0}
