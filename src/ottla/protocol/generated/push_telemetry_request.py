"""PushTelemetry request (key 72), versions 0-0, flexible from 0.

Generated from schemas/push_telemetry.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import longer, put_uvarint, skip_tags, wrong_length

_u_16sitbB = _Struct(">16si?bB").unpack_from
_p_16sitb = _Struct(">16si?b").pack


class PushTelemetryRequest(Message):
    __slots__ = ("client_instance_id", "subscription_id", "terminating", "compression_type", "metrics")
    API_KEY = 72
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        client_instance_id: bytes = NO_UUID,
        subscription_id: int = 0,
        terminating: bool = False,
        compression_type: int = 0,
        metrics: bytes = b'',
    ) -> None:
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.terminating = terminating
        self.compression_type = compression_type
        self.metrics = metrics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[PushTelemetryRequest, int]:
    client_instance_id_1, subscription_id_1, terminating_1, compression_type_1, n = _u_16sitbB(data, p)
    p += 23
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("metrics", n, end - p)
    metrics_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return PushTelemetryRequest(client_instance_id_1, subscription_id_1, terminating_1, compression_type_1, metrics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_16sitb(m.client_instance_id, m.subscription_id, m.terminating, m.compression_type)
    b = m.metrics
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


PushTelemetryRequest._READERS = {0: _read_0}
PushTelemetryRequest._WRITERS = {0: _write_0}
