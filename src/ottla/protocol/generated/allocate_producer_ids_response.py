"""AllocateProducerIds response (key 67), versions 0-0, flexible from 0.

Generated from schemas/allocate_producer_ids.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_ihqiB = _Struct(">ihqiB").unpack_from
_p_ihqix = _Struct(">ihqix").pack


class AllocateProducerIdsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id_start", "producer_id_len")
    API_KEY = 67
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id_start: int = 0,
        producer_id_len: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id_start = producer_id_start
        self.producer_id_len = producer_id_len


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AllocateProducerIdsResponse, int]:
    throttle_time_ms_1, error_code_1, producer_id_start_1, producer_id_len_1, n = _u_ihqiB(data, p)
    p += 19
    if n:
        p = skip_tags(data, p - 1, end)
    return AllocateProducerIdsResponse(throttle_time_ms_1, error_code_1, producer_id_start_1, producer_id_len_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ihqix(m.throttle_time_ms, m.error_code, m.producer_id_start, m.producer_id_len)


AllocateProducerIdsResponse._READERS = {0: _read_0}
AllocateProducerIdsResponse._WRITERS = {0: _write_0}
