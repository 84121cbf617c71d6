"""BrokerHeartbeat response (key 63), versions 0-2, flexible from 0.

Generated from schemas/broker_heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_ihtttB = _Struct(">ih???B").unpack_from
_p_ihtttx = _Struct(">ih???x").pack


class BrokerHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "is_caught_up", "is_fenced", "should_shut_down")
    API_KEY = 63
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        is_caught_up: bool = False,
        is_fenced: bool = True,
        should_shut_down: bool = False,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.is_caught_up = is_caught_up
        self.is_fenced = is_fenced
        self.should_shut_down = should_shut_down


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerHeartbeatResponse, int]:
    throttle_time_ms_1, error_code_1, is_caught_up_1, is_fenced_1, should_shut_down_1, n = _u_ihtttB(data, p)
    p += 10
    if n:
        p = skip_tags(data, p - 1, end)
    return BrokerHeartbeatResponse(throttle_time_ms_1, error_code_1, is_caught_up_1, is_fenced_1, should_shut_down_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ihtttx(m.throttle_time_ms, m.error_code, m.is_caught_up, m.is_fenced, m.should_shut_down)


BrokerHeartbeatResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_0}
BrokerHeartbeatResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0}
