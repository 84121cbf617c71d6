"""AlterClientQuotas response (key 49), versions 0-1, flexible from 1.

Generated from schemas/alter_client_quotas.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_p_ii = _Struct(">ii").pack
_p_hh = _Struct(">hh").pack
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack


class Entity(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = '',
        entity_name: str | None = '',
    ) -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class Entries(Struct):
    __slots__ = ("error_code", "error_message", "entity")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = '',
        entity: list[Entity] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.entity = [] if entity is FRESH else entity


class AlterClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "entries")
    API_KEY = 49
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        throttle_time_ms: int = 0,
        entries: list[Entries] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.entries = [] if entries is FRESH else entries


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterClientQuotasResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("entries", n, end - p, left)
    left[0] -= n
    entries_1: list[Entries] = []
    for _ in range(n):
        error_code_2, n = _u_hh(data, p)
        p += 4
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
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
        entries_1.append(Entries(error_code_2, error_message_2, entity_2))
    return AlterClientQuotasResponse(throttle_time_ms_1, entries_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterClientQuotasResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("entries", n, end - p, left)
    left[0] -= n
    entries_1: list[Entries] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
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
        if n:
            p = skip_tags(data, p - 1, end)
        entries_1.append(Entries(error_code_2, error_message_2, entity_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterClientQuotasResponse(throttle_time_ms_1, entries_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.entries
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_hh(e_1.error_code, n)
        out += b
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


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.entries
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        if e_1.error_message is None:
            out.append(0)
        else:
            b = e_1.error_message.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
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
        out.append(0)
    out.append(0)


AlterClientQuotasResponse._READERS = {0: _read_0, 1: _read_1}
AlterClientQuotasResponse._WRITERS = {0: _write_0, 1: _write_1}
