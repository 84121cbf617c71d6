"""GetTelemetrySubscriptions response (key 71), versions 0-0, flexible from 0.

Generated from schemas/get_telemetry_subscriptions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_ih16siB = _Struct(">ih16siB").unpack_from
_u_iitB = _Struct(">ii?B").unpack_from
_p_ih16si = _Struct(">ih16si").pack
_p_iit = _Struct(">ii?").pack


class GetTelemetrySubscriptionsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "client_instance_id", "subscription_id", "accepted_compression_types", "push_interval_ms", "telemetry_max_bytes", "delta_temporality", "requested_metrics")
    API_KEY = 71
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        client_instance_id: bytes = NO_UUID,
        subscription_id: int = 0,
        accepted_compression_types: list[int] = FRESH,
        push_interval_ms: int = 0,
        telemetry_max_bytes: int = 0,
        delta_temporality: bool = False,
        requested_metrics: list[str] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.client_instance_id = client_instance_id
        self.subscription_id = subscription_id
        self.accepted_compression_types = [] if accepted_compression_types is FRESH else accepted_compression_types
        self.push_interval_ms = push_interval_ms
        self.telemetry_max_bytes = telemetry_max_bytes
        self.delta_temporality = delta_temporality
        self.requested_metrics = [] if requested_metrics is FRESH else requested_metrics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GetTelemetrySubscriptionsResponse, int]:
    throttle_time_ms_1, error_code_1, client_instance_id_1, subscription_id_1, n = _u_ih16siB(data, p)
    p += 27
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("accepted_compression_types", n, end - p, left)
    left[0] -= n
    accepted_compression_types_1, p = read_numbers("b", 1, data, p, n)
    push_interval_ms_1, telemetry_max_bytes_1, delta_temporality_1, n = _u_iitB(data, p)
    p += 10
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("requested_metrics", n, end - p, left)
    left[0] -= n
    requested_metrics_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("requested_metrics", n, end - p)
        requested_metrics_1_element = data[p:q].tobytes().decode()
        p = q
        requested_metrics_1.append(requested_metrics_1_element)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return GetTelemetrySubscriptionsResponse(throttle_time_ms_1, error_code_1, client_instance_id_1, subscription_id_1, accepted_compression_types_1, push_interval_ms_1, telemetry_max_bytes_1, delta_temporality_1, requested_metrics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.accepted_compression_types
    out += _p_ih16si(m.throttle_time_ms, m.error_code, m.client_instance_id, m.subscription_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "b", items_1)
    items_2 = m.requested_metrics
    out += _p_iit(m.push_interval_ms, m.telemetry_max_bytes, m.delta_temporality)
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        b = e_2.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


GetTelemetrySubscriptionsResponse._READERS = {0: _read_0}
GetTelemetrySubscriptionsResponse._WRITERS = {0: _write_0}
