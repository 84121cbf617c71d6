"""UnregisterBroker request (key 64), versions 0-0, flexible from 0.

Generated from schemas/unregister_broker.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_iB = _Struct(">iB").unpack_from
_p_ix = _Struct(">ix").pack


class UnregisterBrokerRequest(Message):
    __slots__ = ("broker_id",)
    API_KEY = 64
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        broker_id: int = 0,
    ) -> None:
        self.broker_id = broker_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[UnregisterBrokerRequest, int]:
    broker_id_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return UnregisterBrokerRequest(broker_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ix(m.broker_id)


UnregisterBrokerRequest._READERS = {0: _read_0}
UnregisterBrokerRequest._WRITERS = {0: _write_0}
