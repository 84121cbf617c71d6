"""GetTelemetrySubscriptions request (key 71), versions 0-0, flexible from 0.

Generated from schemas/get_telemetry_subscriptions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import skip_tags

_u_16sB = _Struct(">16sB").unpack_from
_p_16sx = _Struct(">16sx").pack


class GetTelemetrySubscriptionsRequest(Message):
    __slots__ = ("client_instance_id",)
    API_KEY = 71
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        client_instance_id: bytes = NO_UUID,
    ) -> None:
        self.client_instance_id = client_instance_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GetTelemetrySubscriptionsRequest, int]:
    client_instance_id_1, n = _u_16sB(data, p)
    p += 17
    if n:
        p = skip_tags(data, p - 1, end)
    return GetTelemetrySubscriptionsRequest(client_instance_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_16sx(m.client_instance_id)


GetTelemetrySubscriptionsRequest._READERS = {0: _read_0}
GetTelemetrySubscriptionsRequest._WRITERS = {0: _write_0}
