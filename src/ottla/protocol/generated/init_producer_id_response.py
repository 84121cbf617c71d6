"""InitProducerId response (key 22), versions 0-6, flexible from 2.

Generated from schemas/init_producer_id.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_ihqh = _Struct(">ihqh").unpack_from
_u_ihqhB = _Struct(">ihqhB").unpack_from
_u_ihqhqhB = _Struct(">ihqhqhB").unpack_from
_p_ihqh = _Struct(">ihqh").pack
_p_ihqhx = _Struct(">ihqhx").pack
_p_ihqhqhx = _Struct(">ihqhqhx").pack


class InitProducerIdResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch", "ongoing_txn_producer_id", "ongoing_txn_producer_epoch")
    API_KEY = 22
    MIN_VERSION = 0
    MAX_VERSION = 6
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = 0,
        ongoing_txn_producer_id: int = -1,
        ongoing_txn_producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.ongoing_txn_producer_id = ongoing_txn_producer_id
        self.ongoing_txn_producer_epoch = ongoing_txn_producer_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[InitProducerIdResponse, int]:
    throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1 = _u_ihqh(data, p)
    p += 16
    return InitProducerIdResponse(throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[InitProducerIdResponse, int]:
    throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1, n = _u_ihqhB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    return InitProducerIdResponse(throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[InitProducerIdResponse, int]:
    throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1, ongoing_txn_producer_id_1, ongoing_txn_producer_epoch_1, n = _u_ihqhqhB(data, p)
    p += 27
    if n:
        p = skip_tags(data, p - 1, end)
    return InitProducerIdResponse(throttle_time_ms_1, error_code_1, producer_id_1, producer_epoch_1, ongoing_txn_producer_id_1, ongoing_txn_producer_epoch_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ihqh(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_ihqhx(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch)


def _write_6(m: Any, out: bytearray) -> None:
    out += _p_ihqhqhx(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch, m.ongoing_txn_producer_id, m.ongoing_txn_producer_epoch)


InitProducerIdResponse._READERS = {0: _read_0, 1: _read_0, 2: _read_2, 3: _read_2, 4: _read_2, 5: _read_2, 6: _read_6}
InitProducerIdResponse._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2, 3: _write_2, 4: _write_2, 5: _write_2, 6: _write_6}
