"""BrokerRegistration response (key 62), versions 0-4, flexible from 0.

Generated from schemas/broker_registration.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_ihqB = _Struct(">ihqB").unpack_from
_p_ihqx = _Struct(">ihqx").pack


class BrokerRegistrationResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "broker_epoch")
    API_KEY = 62
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.broker_epoch = broker_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[BrokerRegistrationResponse, int]:
    throttle_time_ms_1, error_code_1, broker_epoch_1, n = _u_ihqB(data, p)
    p += 15
    if n:
        p = skip_tags(data, p - 1, end)
    return BrokerRegistrationResponse(throttle_time_ms_1, error_code_1, broker_epoch_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ihqx(m.throttle_time_ms, m.error_code, m.broker_epoch)


BrokerRegistrationResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_0, 4: _read_0}
BrokerRegistrationResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_0, 4: _write_0}
