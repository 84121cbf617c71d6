"""ExpireDelegationToken response (key 40), versions 1-2, flexible from 2.

Generated from schemas/expire_delegation_token.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_hqi = _Struct(">hqi").unpack_from
_u_hqiB = _Struct(">hqiB").unpack_from
_p_hqi = _Struct(">hqi").pack
_p_hqix = _Struct(">hqix").pack


class ExpireDelegationTokenResponse(Message):
    __slots__ = ("error_code", "expiry_timestamp_ms", "throttle_time_ms")
    API_KEY = 40
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        error_code: int = 0,
        expiry_timestamp_ms: int = 0,
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.throttle_time_ms = throttle_time_ms


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ExpireDelegationTokenResponse, int]:
    error_code_1, expiry_timestamp_ms_1, throttle_time_ms_1 = _u_hqi(data, p)
    p += 14
    return ExpireDelegationTokenResponse(error_code_1, expiry_timestamp_ms_1, throttle_time_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ExpireDelegationTokenResponse, int]:
    error_code_1, expiry_timestamp_ms_1, throttle_time_ms_1, n = _u_hqiB(data, p)
    p += 15
    if n:
        p = skip_tags(data, p - 1, end)
    return ExpireDelegationTokenResponse(error_code_1, expiry_timestamp_ms_1, throttle_time_ms_1), p


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_hqi(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_hqix(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms)


ExpireDelegationTokenResponse._READERS = {1: _read_1, 2: _read_2}
ExpireDelegationTokenResponse._WRITERS = {1: _write_1, 2: _write_2}
