"""DescribeClientQuotas request (key 48), versions 0-1, flexible from 1.

Generated from schemas/describe_client_quotas.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_bh = _Struct(">bh").unpack_from
_u_t = _Struct(">?").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_tB = _Struct(">?B").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_bh = _Struct(">bh").pack
_p_t = _Struct(">?").pack
_p_b = _Struct(">b").pack
_p_tx = _Struct(">?x").pack


class Components(Struct):
    __slots__ = ("entity_type", "match_type", "match")

    def __init__(
        self,
        entity_type: str = '',
        match_type: int = 0,
        match: str | None = '',
    ) -> None:
        self.entity_type = entity_type
        self.match_type = match_type
        self.match = match


class DescribeClientQuotasRequest(Message):
    __slots__ = ("components", "strict")
    API_KEY = 48
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        components: list[Components] = FRESH,
        strict: bool = False,
    ) -> None:
        self.components = [] if components is FRESH else components
        self.strict = strict


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClientQuotasRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("components", n, end - p, left)
    left[0] -= n
    components_1: list[Components] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("entity_type", n, end - p)
        entity_type_2 = data[p:q].tobytes().decode()
        p = q
        match_type_2, n = _u_bh(data, p)
        p += 3
        if n == -1:
            match_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("match", n, end - p)
            match_2 = data[p:q].tobytes().decode()
            p = q
        components_1.append(Components(entity_type_2, match_type_2, match_2))
    (strict_1,) = _u_t(data, p)
    p += 1
    return DescribeClientQuotasRequest(components_1, strict_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClientQuotasRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("components", n, end - p, left)
    left[0] -= n
    components_1: list[Components] = []
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
        match_type_2, n = _u_bB(data, p)
        p += 2
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            match_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("match", n, end - p)
            match_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        components_1.append(Components(entity_type_2, match_type_2, match_2))
    strict_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClientQuotasRequest(components_1, strict_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.components
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.entity_type.encode()
        out += _p_h(len(b))
        out += b
        if e_1.match is None:
            n, b = -1, b""
        else:
            b = e_1.match.encode()
            n = len(b)
        out += _p_bh(e_1.match_type, n)
        out += b
    out += _p_t(m.strict)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.components
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
        out += _p_b(e_1.match_type)
        if e_1.match is None:
            out.append(0)
        else:
            b = e_1.match.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out.append(0)
    out += _p_tx(m.strict)


DescribeClientQuotasRequest._READERS = {0: _read_0, 1: _read_1}
DescribeClientQuotasRequest._WRITERS = {0: _write_0, 1: _write_1}
