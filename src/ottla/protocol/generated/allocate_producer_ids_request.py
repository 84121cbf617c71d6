"""AllocateProducerIds request (key 67), versions 0-0, flexible from 0.

Generated from schemas/allocate_producer_ids.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_iqB = _Struct(">iqB").unpack_from
_p_iqx = _Struct(">iqx").pack


class AllocateProducerIdsRequest(Message):
    __slots__ = ("broker_id", "broker_epoch")
    API_KEY = 67
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AllocateProducerIdsRequest, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
    if n:
        p = skip_tags(data, p - 1, end)
    return AllocateProducerIdsRequest(broker_id_1, broker_epoch_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_iqx(m.broker_id, m.broker_epoch)


AllocateProducerIdsRequest._READERS = {0: _read_0}
AllocateProducerIdsRequest._WRITERS = {0: _write_0}
