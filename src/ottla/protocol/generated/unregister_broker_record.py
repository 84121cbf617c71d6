"""UnregisterBrokerRecord record (key 1), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_iqB = _Struct(">iqB").unpack_from
_p_iqx = _Struct(">iqx").pack


class UnregisterBrokerRecord(Message):
    __slots__ = ("broker_id", "broker_epoch")
    RECORD_TYPE = 1
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
        broker_epoch: int = 0,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[UnregisterBrokerRecord, int]:
    broker_id_1, broker_epoch_1, n = _u_iqB(data, p)
    p += 13
    if n:
        p = skip_tags(data, p - 1, end)
    return UnregisterBrokerRecord(broker_id_1, broker_epoch_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_iqx(m.broker_id, m.broker_epoch)


UnregisterBrokerRecord._READERS = {0: _read_0}
UnregisterBrokerRecord._WRITERS = {0: _write_0}
