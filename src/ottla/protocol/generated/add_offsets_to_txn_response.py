"""AddOffsetsToTxn response (key 25), versions 0-4, flexible from 3.

Generated from schemas/add_offsets_to_txn.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_ih = _Struct(">ih").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_p_ih = _Struct(">ih").pack
_p_ihx = _Struct(">ihx").pack


class AddOffsetsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")
    API_KEY = 25
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddOffsetsToTxnResponse, int]:
    throttle_time_ms_1, error_code_1 = _u_ih(data, p)
    p += 6
    return AddOffsetsToTxnResponse(throttle_time_ms_1, error_code_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AddOffsetsToTxnResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n:
        p = skip_tags(data, p - 1, end)
    return AddOffsetsToTxnResponse(throttle_time_ms_1, error_code_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)


def _write_3(m: Any, out: bytearray) -> None:
    out += _p_ihx(m.throttle_time_ms, m.error_code)


AddOffsetsToTxnResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_3}
AddOffsetsToTxnResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_3}
