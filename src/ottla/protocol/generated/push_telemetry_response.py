"""PushTelemetry response (key 72), versions 0-0, flexible from 0.

Generated from schemas/push_telemetry.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_ihB = _Struct(">ihB").unpack_from
_p_ihx = _Struct(">ihx").pack


class PushTelemetryResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")
    API_KEY = 72
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PushTelemetryResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n:
        p = skip_tags(data, p - 1, end)
    return PushTelemetryResponse(throttle_time_ms_1, error_code_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ihx(m.throttle_time_ms, m.error_code)


PushTelemetryResponse._READERS = {0: _read_0}
PushTelemetryResponse._WRITERS = {0: _write_0}
