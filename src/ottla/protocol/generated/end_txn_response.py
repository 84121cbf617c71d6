"""EndTxn response (key 26), versions 0-5, flexible from 3.

Generated from schemas/end_txn.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_ih = _Struct(">ih").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_ihqhB = _Struct(">ihqhB").unpack_from
_p_ih = _Struct(">ih").pack
_p_ihx = _Struct(">ihx").pack
_p_ihqhx = _Struct(">ihqhx").pack


class EndTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch")
    API_KEY = 26
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndTxnResponse, int]:
    throttle_time_ms_1, error_code_1 = _u_ih(data, p)
    p += 6
    return EndTxnResponse(throttle_time_ms_1, error_code_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndTxnResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n:
        p = skip_tags(data, p - 1, end)
    return EndTxnResponse(throttle_time_ms_1, error_code_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EndTxnResponse, int]:
    throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1, n = _u_ihqhB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    return EndTxnResponse(throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)


def _write_3(m: Any, out: bytearray) -> None:
    out += _p_ihx(m.throttle_time_ms, m.error_code)


def _write_5(m: Any, out: bytearray) -> None:
    out += _p_ihqhx(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch)


EndTxnResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_3, 5: _read_5}
EndTxnResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_3, 5: _write_5}
