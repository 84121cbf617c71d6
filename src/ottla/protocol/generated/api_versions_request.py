"""ApiVersions request (key 18), versions 0-4, flexible from 3.

Generated from schemas/api_versions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length



class ApiVersionsRequest(Message):
    __slots__ = ("client_software_name", "client_software_version")
    API_KEY = 18
    MIN_VERSION = 0
    MAX_VERSION = 4
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        client_software_name: str = '',
        client_software_version: str = '',
    ) -> None:
        self.client_software_name = client_software_name
        self.client_software_version = client_software_version


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ApiVersionsRequest, int]:
    return ApiVersionsRequest(), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ApiVersionsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_software_name", n, end - p)
    client_software_name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("client_software_version", n, end - p)
    client_software_version_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ApiVersionsRequest(client_software_name_1, client_software_version_1), p


def _write_0(m: Any, out: bytearray) -> None:
    pass


def _write_3(m: Any, out: bytearray) -> None:
    b = m.client_software_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.client_software_version.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out.append(0)


ApiVersionsRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_3, 4: _read_3}
ApiVersionsRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_3, 4: _write_3}
