"""ResponseHeaderData record, versions 0-1, flexible from 1.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_i = _Struct(">i").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_i = _Struct(">i").pack
_p_ix = _Struct(">ix").pack


class ResponseHeaderData(Message):
    __slots__ = ("correlation_id",)
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        correlation_id: int = 0,
    ) -> None:
        self.correlation_id = correlation_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ResponseHeaderData, int]:
    (correlation_id_1,) = _u_i(data, p)
    p += 4
    return ResponseHeaderData(correlation_id_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ResponseHeaderData, int]:
    correlation_id_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return ResponseHeaderData(correlation_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_i(m.correlation_id)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_ix(m.correlation_id)


ResponseHeaderData._READERS = {0: _read_0, 1: _read_1}
ResponseHeaderData._WRITERS = {0: _write_0, 1: _write_1}
