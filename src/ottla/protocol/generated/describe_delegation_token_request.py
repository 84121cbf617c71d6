"""DescribeDelegationToken request (key 41), versions 1-3, flexible from 2.

Generated from schemas/describe_delegation_token.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack


class Owners(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(
        self,
        principal_type: str = '',
        principal_name: str = '',
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name


class DescribeDelegationTokenRequest(Message):
    __slots__ = ("owners",)
    API_KEY = 41
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        owners: list[Owners] | None = FRESH,
    ) -> None:
        self.owners = [] if owners is FRESH else owners


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeDelegationTokenRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    owners_1: list[Owners] | None = None
    if n != -1:
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("owners", n, end - p, left)
        left[0] -= n
        owners_1 = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_type", n, end - p)
            principal_type_2 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_name", n, end - p)
            principal_name_2 = data[p:q].tobytes().decode()
            p = q
            owners_1.append(Owners(principal_type_2, principal_name_2))
    return DescribeDelegationTokenRequest(owners_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeDelegationTokenRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    owners_1: list[Owners] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("owners", n, end - p, left)
        left[0] -= n
        owners_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_type", n, end - p)
            principal_type_2 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_name", n, end - p)
            principal_name_2 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            owners_1.append(Owners(principal_type_2, principal_name_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeDelegationTokenRequest(owners_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.owners
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        b = e_1.principal_type.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.principal_name.encode()
        out += _p_h(len(b))
        out += b


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.owners
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.principal_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.principal_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


DescribeDelegationTokenRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_2}
DescribeDelegationTokenRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2}
