"""Heartbeat response (key 12), versions 0-4, flexible from 4.

Generated from schemas/heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack
_p_ihx = _Struct(">ihx").pack


class HeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")
    API_KEY = 12
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[HeartbeatResponse, int]:
    (error_code_1,) = _u_h(data, p)
    p += 2
    return HeartbeatResponse(0, error_code_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[HeartbeatResponse, int]:
    throttle_time_ms_1, error_code_1 = _u_ih(data, p)
    p += 6
    return HeartbeatResponse(throttle_time_ms_1, error_code_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[HeartbeatResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n:
        p = skip_tags(data, p - 1, end)
    return HeartbeatResponse(throttle_time_ms_1, error_code_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)


def _write_4(m: Any, out: bytearray) -> None:
    out += _p_ihx(m.throttle_time_ms, m.error_code)


HeartbeatResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_1, 4: _read_4}
HeartbeatResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_1, 4: _write_4}
