"""ControllerRegistration response (key 70), versions 0-0, flexible from 0.

Generated from schemas/controller_registration.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_p_ih = _Struct(">ih").pack


class ControllerRegistrationResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")
    API_KEY = 70
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ControllerRegistrationResponse, int]:
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
    if n:
        p = skip_tags(data, p - 1, end)
    return ControllerRegistrationResponse(throttle_time_ms_1, error_code_1, error_message_1), p


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
    out.append(0)


ControllerRegistrationResponse._READERS = {0: _read_0}
ControllerRegistrationResponse._WRITERS = {0: _write_0}
