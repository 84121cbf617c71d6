"""ListConfigResources response (key 74), versions 0-1, flexible from 0.

Generated from schemas/list_config_resources.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_p_ih = _Struct(">ih").pack
_p_bx = _Struct(">bx").pack


class ConfigResources(Struct):
    __slots__ = ("resource_name", "resource_type")

    def __init__(
        self,
        resource_name: str = '',
        resource_type: int = 16,
    ) -> None:
        self.resource_name = resource_name
        self.resource_type = resource_type


class ListConfigResourcesResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "config_resources")
    API_KEY = 74
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        config_resources: list[ConfigResources] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.config_resources = [] if config_resources is FRESH else config_resources


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListConfigResourcesResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("config_resources", n, end - p, left)
    left[0] -= n
    config_resources_1: list[ConfigResources] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        config_resources_1.append(ConfigResources(resource_name_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListConfigResourcesResponse(throttle_time_ms_1, error_code_1, config_resources_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListConfigResourcesResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("config_resources", n, end - p, left)
    left[0] -= n
    config_resources_1: list[ConfigResources] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("resource_name", n, end - p)
        resource_name_2 = data[p:q].tobytes().decode()
        p = q
        resource_type_2, n = _u_bB(data, p)
        p += 2
        if n:
            p = skip_tags(data, p - 1, end)
        config_resources_1.append(ConfigResources(resource_name_2, resource_type_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListConfigResourcesResponse(throttle_time_ms_1, error_code_1, config_resources_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.config_resources
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.resource_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.config_resources
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.resource_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_bx(e_1.resource_type)
    out.append(0)


ListConfigResourcesResponse._READERS = {0: _read_0, 1: _read_1}
ListConfigResourcesResponse._WRITERS = {0: _write_0, 1: _write_1}
