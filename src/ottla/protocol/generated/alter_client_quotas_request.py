"""AlterClientQuotas request (key 49), versions 0-1, flexible from 1.

Generated from schemas/alter_client_quotas.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_dt = _Struct(">d?").unpack_from
_u_t = _Struct(">?").unpack_from
_u_dtB = _Struct(">d?B").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_dt = _Struct(">d?").pack
_p_t = _Struct(">?").pack
_p_dtx = _Struct(">d?x").pack
_p_tx = _Struct(">?x").pack


class Entity(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = '',
        entity_name: str | None = '',
    ) -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class Ops(Struct):
    __slots__ = ("key", "value", "remove")

    def __init__(
        self,
        key: str = '',
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.key = key
        self.value = value
        self.remove = remove


class Entries(Struct):
    __slots__ = ("entity", "ops")

    def __init__(
        self,
        entity: list[Entity] = FRESH,
        ops: list[Ops] = FRESH,
    ) -> None:
        self.entity = [] if entity is FRESH else entity
        self.ops = [] if ops is FRESH else ops


class AlterClientQuotasRequest(Message):
    __slots__ = ("entries", "validate_only")
    API_KEY = 49
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        entries: list[Entries] = FRESH,
        validate_only: bool = False,
    ) -> None:
        self.entries = [] if entries is FRESH else entries
        self.validate_only = validate_only


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterClientQuotasRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("entries", n, end - p, left)
    left[0] -= n
    entries_1: list[Entries] = []
    for _ in range(n):
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("entity", n, end - p, left)
        left[0] -= n
        entity_2: list[Entity] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("entity_type", n, end - p)
            entity_type_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            if n == -1:
                entity_name_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("entity_name", n, end - p)
                entity_name_3 = data[p:q].tobytes().decode()
                p = q
            entity_2.append(Entity(entity_type_3, entity_name_3))
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 11 > end - p or n > left[0]:
            raise wrong_count("ops", n, end - p, left)
        left[0] -= n
        ops_2: list[Ops] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("key", n, end - p)
            key_4 = data[p:q].tobytes().decode()
            p = q
            value_4, remove_4 = _u_dt(data, p)
            p += 9
            ops_2.append(Ops(key_4, value_4, remove_4))
        entries_1.append(Entries(entity_2, ops_2))
    (validate_only_1,) = _u_t(data, p)
    p += 1
    return AlterClientQuotasRequest(entries_1, validate_only_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterClientQuotasRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("entries", n, end - p, left)
    left[0] -= n
    entries_1: list[Entries] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("entity", n, end - p, left)
        left[0] -= n
        entity_2: list[Entity] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("entity_type", n, end - p)
            entity_type_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                entity_name_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("entity_name", n, end - p)
                entity_name_3 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            entity_2.append(Entity(entity_type_3, entity_name_3))
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 11 > end - p or n > left[0]:
            raise wrong_count("ops", n, end - p, left)
        left[0] -= n
        ops_2: list[Ops] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("key", n, end - p)
            key_4 = data[p:q].tobytes().decode()
            p = q
            value_4, remove_4, n = _u_dtB(data, p)
            p += 10
            if n:
                p = skip_tags(data, p - 1, end)
            ops_2.append(Ops(key_4, value_4, remove_4))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        entries_1.append(Entries(entity_2, ops_2))
    validate_only_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterClientQuotasRequest(entries_1, validate_only_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.entries
    out += _p_i(len(items_1))
    for e_1 in items_1:
        items_2 = e_1.entity
        out += _p_i(len(items_2))
        for e_2 in items_2:
            b = e_2.entity_type.encode()
            out += _p_h(len(b))
            out += b
            if e_2.entity_name is None:
                n, b = -1, b""
            else:
                b = e_2.entity_name.encode()
                n = len(b)
            out += _p_h(n)
            out += b
        items_3 = e_1.ops
        out += _p_i(len(items_3))
        for e_3 in items_3:
            b = e_3.key.encode()
            out += _p_h(len(b))
            out += b
            out += _p_dt(e_3.value, e_3.remove)
    out += _p_t(m.validate_only)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.entries
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.entity
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.entity_type.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            if e_2.entity_name is None:
                out.append(0)
            else:
                b = e_2.entity_name.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out.append(0)
        items_3 = e_1.ops
        n = len(items_3) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_3 in items_3:
            b = e_3.key.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            out += _p_dtx(e_3.value, e_3.remove)
        out.append(0)
    out += _p_tx(m.validate_only)


AlterClientQuotasRequest._READERS = {0: _read_0, 1: _read_1}
AlterClientQuotasRequest._WRITERS = {0: _write_0, 1: _write_1}
