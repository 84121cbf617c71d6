"""Envelope request (key 58), versions 0-0, flexible from 0.

Generated from schemas/envelope.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, put_uvarint, skip_tags, wrong_length



class EnvelopeRequest(Message):
    __slots__ = ("request_data", "request_principal", "client_host_address")
    API_KEY = 58
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        request_data: bytes = b'',
        request_principal: bytes | None = b'',
        client_host_address: bytes = b'',
    ) -> None:
        self.request_data = request_data
        self.request_principal = request_principal
        self.client_host_address = client_host_address


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[EnvelopeRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("request_data", n, end - p)
    request_data_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n == -1:
        request_principal_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("request_principal", n, end - p)
        request_principal_1 = data[p:q].tobytes()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_host_address", n, end - p)
    client_host_address_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return EnvelopeRequest(request_data_1, request_principal_1, client_host_address_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.request_data
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    if m.request_principal is None:
        out.append(0)
    else:
        b = m.request_principal
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
    b = m.client_host_address
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out.append(0)


EnvelopeRequest._READERS = {0: _read_0}
EnvelopeRequest._WRITERS = {0: _write_0}
