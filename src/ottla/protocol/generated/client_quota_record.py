"""ClientQuotaRecord record (key 14), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_dtB = _Struct(">d?B").unpack_from
_p_dtx = _Struct(">d?x").pack


class Entity(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = '',
        entity_name: str | None = '',
    ) -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class ClientQuotaRecord(Message):
    __slots__ = ("entity", "key", "value", "remove")
    RECORD_TYPE = 14
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        entity: list[Entity] = FRESH,
        key: str = '',
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.entity = [] if entity is FRESH else entity
        self.key = key
        self.value = value
        self.remove = remove


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ClientQuotaRecord, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("entity", n, end - p, left)
    left[0] -= n
    entity_1: list[Entity] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("entity_type", n, end - p)
        entity_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            entity_name_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("entity_name", n, end - p)
            entity_name_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        entity_1.append(Entity(entity_type_2, entity_name_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("key", n, end - p)
    key_1 = data[p:q].tobytes().decode()
    p = q
    value_1, remove_1, n = _u_dtB(data, p)
    p += 10
    if n:
        p = skip_tags(data, p - 1, end)
    return ClientQuotaRecord(entity_1, key_1, value_1, remove_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.entity
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.entity_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        if e_1.entity_name is None:
            out.append(0)
        else:
            b = e_1.entity_name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out.append(0)
    b = m.key.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_dtx(m.value, m.remove)


ClientQuotaRecord._READERS = {0: _read_0}
ClientQuotaRecord._WRITERS = {0: _write_0}
