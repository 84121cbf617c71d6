"""SaslHandshake response (key 17), versions 0-1, never flexible.

Generated from schemas/sasl_handshake.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NEVER_FLEXIBLE, Message
from ottla.protocol.wire import wrong_count, wrong_length

_u_hi = _Struct(">hi").unpack_from
_u_h = _Struct(">h").unpack_from
_p_hi = _Struct(">hi").pack
_p_h = _Struct(">h").pack


class SaslHandshakeResponse(Message):
    __slots__ = ("error_code", "mechanisms")
    API_KEY = 17
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        error_code: int = 0,
        mechanisms: list[str] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.mechanisms = [] if mechanisms is FRESH else mechanisms


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[SaslHandshakeResponse, int]:
    error_code_1, n = _u_hi(data, p)
    p += 6
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("mechanisms", n, end - p, left)
    left[0] -= n
    mechanisms_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("mechanisms", n, end - p)
        mechanisms_1_element = data[p:q].tobytes().decode()
        p = q
        mechanisms_1.append(mechanisms_1_element)
    return SaslHandshakeResponse(error_code_1, mechanisms_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.mechanisms
    out += _p_hi(m.error_code, len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b


SaslHandshakeResponse._READERS = {0: _read_0, 1: _read_0}
SaslHandshakeResponse._WRITERS = {0: _write_0, 1: _write_0}
