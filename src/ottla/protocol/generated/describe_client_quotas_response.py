"""DescribeClientQuotas response (key 48), versions 0-1, flexible from 1.

Generated from schemas/describe_client_quotas.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihh = _Struct(">ihh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_d = _Struct(">d").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_dB = _Struct(">dB").unpack_from
_p_ihh = _Struct(">ihh").pack
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_d = _Struct(">d").pack
_p_ih = _Struct(">ih").pack
_p_dx = _Struct(">dx").pack


class Entity(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = '',
        entity_name: str | None = '',
    ) -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class Values(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = '',
        value: float = 0.0,
    ) -> None:
        self.key = key
        self.value = value


class Entries(Struct):
    __slots__ = ("entity", "values")

    def __init__(
        self,
        entity: list[Entity] = FRESH,
        values: list[Values] = FRESH,
    ) -> None:
        self.entity = [] if entity is FRESH else entity
        self.values = [] if values is FRESH else values


class DescribeClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "entries")
    API_KEY = 48
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
        entries: list[Entries] | None = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.entries = [] if entries is FRESH else entries


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClientQuotasResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihh(data, p)
    p += 8
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    entries_1: list[Entries] | None = None
    if n != -1:
        if n < 0 or n * 8 > end - p or n > left[0]:
            raise wrong_count("entries", n, end - p, left)
        left[0] -= n
        entries_1 = []
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
            if n < 0 or n * 10 > end - p or n > left[0]:
                raise wrong_count("values", n, end - p, left)
            left[0] -= n
            values_2: list[Values] = []
            for _ in range(n):
                (n,) = _u_h(data, p)
                p += 2
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("key", n, end - p)
                key_4 = data[p:q].tobytes().decode()
                p = q
                (value_4,) = _u_d(data, p)
                p += 8
                values_2.append(Values(key_4, value_4))
            entries_1.append(Entries(entity_2, values_2))
    return DescribeClientQuotasResponse(throttle_time_ms_1, error_code_1, error_message_1, entries_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClientQuotasResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    entries_1: list[Entries] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("entries", n, end - p, left)
        left[0] -= n
        entries_1 = []
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
            if n < 0 or n * 10 > end - p or n > left[0]:
                raise wrong_count("values", n, end - p, left)
            left[0] -= n
            values_2: list[Values] = []
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
                value_4, n = _u_dB(data, p)
                p += 9
                if n:
                    p = skip_tags(data, p - 1, end)
                values_2.append(Values(key_4, value_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            entries_1.append(Entries(entity_2, values_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClientQuotasResponse(throttle_time_ms_1, error_code_1, error_message_1, entries_1), p


def _write_0(m: Any, out: bytearray) -> None:
    if m.error_message is None:
        n, b = -1, b""
    else:
        b = m.error_message.encode()
        n = len(b)
    out += _p_ihh(m.throttle_time_ms, m.error_code, n)
    out += b
    items_1 = m.entries
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
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
        items_3 = e_1.values
        out += _p_i(len(items_3))
        for e_3 in items_3:
            b = e_3.key.encode()
            out += _p_h(len(b))
            out += b
            out += _p_d(e_3.value)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.entries
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
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
        items_3 = e_1.values
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
            out += _p_dx(e_3.value)
        out.append(0)
    out.append(0)


DescribeClientQuotasResponse._READERS = {0: _read_0, 1: _read_1}
DescribeClientQuotasResponse._WRITERS = {0: _write_0, 1: _write_1}
