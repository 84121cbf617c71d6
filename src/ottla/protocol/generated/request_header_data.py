"""RequestHeaderData record, versions 1-2, flexible from 2.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags, wrong_length

_u_hhih = _Struct(">hhih").unpack_from
_p_hhih = _Struct(">hhih").pack


class RequestHeaderData(Message):
    __slots__ = ("request_api_key", "request_api_version", "correlation_id", "client_id")
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        request_api_key: int = 0,
        request_api_version: int = 0,
        correlation_id: int = 0,
        client_id: str | None = '',
    ) -> None:
        self.request_api_key = request_api_key
        self.request_api_version = request_api_version
        self.correlation_id = correlation_id
        self.client_id = client_id


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RequestHeaderData, int]:
    request_api_key_1, request_api_version_1, correlation_id_1, n = _u_hhih(data, p)
    p += 10
    if n == -1:
        client_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_id", n, end - p)
        client_id_1 = data[p:q].tobytes().decode()
        p = q
    return RequestHeaderData(request_api_key_1, request_api_version_1, correlation_id_1, client_id_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RequestHeaderData, int]:
    request_api_key_1, request_api_version_1, correlation_id_1, n = _u_hhih(data, p)
    p += 10
    if n == -1:
        client_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("client_id", n, end - p)
        client_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return RequestHeaderData(request_api_key_1, request_api_version_1, correlation_id_1, client_id_1), p


def _write_1(m: Any, out: bytearray) -> None:
    if m.client_id is None:
        n, b = -1, b""
    else:
        b = m.client_id.encode()
        n = len(b)
    out += _p_hhih(m.request_api_key, m.request_api_version, m.correlation_id, n)
    out += b


def _write_2(m: Any, out: bytearray) -> None:
    if m.client_id is None:
        n, b = -1, b""
    else:
        b = m.client_id.encode()
        n = len(b)
    out += _p_hhih(m.request_api_key, m.request_api_version, m.correlation_id, n)
    out += b
    out.append(0)


RequestHeaderData._READERS = {1: _read_1, 2: _read_2}
RequestHeaderData._WRITERS = {1: _write_1, 2: _write_2}
