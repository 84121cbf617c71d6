"""ListConfigResources request (key 74), versions 0-1, flexible from 0.

Generated from schemas/list_config_resources.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message
from ottla.protocol.wire import longer, put_numbers, put_uvarint, read_numbers, skip_tags, wrong_count



class ListConfigResourcesRequest(Message):
    __slots__ = ("resource_types",)
    API_KEY = 74
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        resource_types: list[int] = FRESH,
    ) -> None:
        self.resource_types = [] if resource_types is FRESH else resource_types


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListConfigResourcesRequest, int]:
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListConfigResourcesRequest(), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListConfigResourcesRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("resource_types", n, end - p, left)
    left[0] -= n
    resource_types_1, p = read_numbers("b", 1, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListConfigResourcesRequest(resource_types_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.resource_types
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "b", items_1)
    out.append(0)


ListConfigResourcesRequest._READERS = {0: _read_0, 1: _read_1}
ListConfigResourcesRequest._WRITERS = {0: _write_0, 1: _write_1}
