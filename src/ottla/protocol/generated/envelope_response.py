"""Envelope response (key 58), versions 0-0, flexible from 0.

Generated from schemas/envelope.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, put_uvarint, skip_tags, wrong_length

_u_hB = _Struct(">hB").unpack_from
_p_hx = _Struct(">hx").pack


class EnvelopeResponse(Message):
    __slots__ = ("response_data", "error_code")
    API_KEY = 58
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        response_data: bytes | None = None,
        error_code: int = 0,
    ) -> None:
        self.response_data = response_data
        self.error_code = error_code


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EnvelopeResponse, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n == -1:
        response_data_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("response_data", n, end - p)
        response_data_1 = data[p:q].tobytes()
        p = q
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return EnvelopeResponse(response_data_1, error_code_1), p


def _write_0(m: Any, out: bytearray) -> None:
    if m.response_data is None:
        out.append(0)
    else:
        b = m.response_data
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
    out += _p_hx(m.error_code)


EnvelopeResponse._READERS = {0: _read_0}
EnvelopeResponse._WRITERS = {0: _write_0}
