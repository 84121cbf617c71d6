"""ProducerIdsRecord record (key 15), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_iqqB = _Struct(">iqqB").unpack_from
_p_iqqx = _Struct(">iqqx").pack


class ProducerIdsRecord(Message):
    __slots__ = ("broker_id", "broker_epoch", "next_producer_id")
    RECORD_TYPE = 15
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = -1,
        next_producer_id: int = 0,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.next_producer_id = next_producer_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProducerIdsRecord, int]:
    broker_id_1, broker_epoch_1, next_producer_id_1, n = _u_iqqB(data, p)
    p += 21
    if n:
        p = skip_tags(data, p - 1, end)
    return ProducerIdsRecord(broker_id_1, broker_epoch_1, next_producer_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_iqqx(m.broker_id, m.broker_epoch, m.next_producer_id)


ProducerIdsRecord._READERS = {0: _read_0}
ProducerIdsRecord._WRITERS = {0: _write_0}
