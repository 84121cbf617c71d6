"""CreateDelegationToken request (key 38), versions 1-3, flexible from 2.

Generated from schemas/create_delegation_token.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_q = _Struct(">q").unpack_from
_u_qB = _Struct(">qB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_q = _Struct(">q").pack
_p_qx = _Struct(">qx").pack


class Renewers(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(
        self,
        principal_type: str = '',
        principal_name: str = '',
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name


class CreateDelegationTokenRequest(Message):
    __slots__ = ("owner_principal_type", "owner_principal_name", "renewers", "max_lifetime_ms")
    API_KEY = 38
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        owner_principal_type: str | None = '',
        owner_principal_name: str | None = '',
        renewers: list[Renewers] = FRESH,
        max_lifetime_ms: int = 0,
    ) -> None:
        self.owner_principal_type = owner_principal_type
        self.owner_principal_name = owner_principal_name
        self.renewers = [] if renewers is FRESH else renewers
        self.max_lifetime_ms = max_lifetime_ms


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateDelegationTokenRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("renewers", n, end - p, left)
    left[0] -= n
    renewers_1: list[Renewers] = []
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
        renewers_1.append(Renewers(principal_type_2, principal_name_2))
    (max_lifetime_ms_1,) = _u_q(data, p)
    p += 8
    return CreateDelegationTokenRequest('', '', renewers_1, max_lifetime_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateDelegationTokenRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("renewers", n, end - p, left)
    left[0] -= n
    renewers_1: list[Renewers] = []
    for _ in range(n):
        s_2, p = _read_Renewers_2(data, p, end, left)
        renewers_1.append(s_2)
    max_lifetime_ms_1, n = _u_qB(data, p)
    p += 9
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateDelegationTokenRequest('', '', renewers_1, max_lifetime_ms_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateDelegationTokenRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        owner_principal_type_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("owner_principal_type", n, end - p)
        owner_principal_type_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        owner_principal_name_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("owner_principal_name", n, end - p)
        owner_principal_name_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("renewers", n, end - p, left)
    left[0] -= n
    renewers_1: list[Renewers] = []
    for _ in range(n):
        s_2, p = _read_Renewers_2(data, p, end, left)
        renewers_1.append(s_2)
    max_lifetime_ms_1, n = _u_qB(data, p)
    p += 9
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateDelegationTokenRequest(owner_principal_type_1, owner_principal_name_1, renewers_1, max_lifetime_ms_1), p


def _read_Renewers_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Renewers, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_type", n, end - p)
    principal_type_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_name", n, end - p)
    principal_name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Renewers(principal_type_1, principal_name_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.renewers
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.principal_type.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.principal_name.encode()
        out += _p_h(len(b))
        out += b
    out += _p_q(m.max_lifetime_ms)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.renewers
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Renewers_2(e_1, out)
    out += _p_qx(m.max_lifetime_ms)


def _write_3(m: Any, out: bytearray) -> None:
    if m.owner_principal_type is None:
        out.append(0)
    else:
        b = m.owner_principal_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    if m.owner_principal_name is None:
        out.append(0)
    else:
        b = m.owner_principal_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.renewers
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Renewers_2(e_1, out)
    out += _p_qx(m.max_lifetime_ms)


def _write_Renewers_2(m: Any, out: bytearray) -> None:
    b = m.principal_type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.principal_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out.append(0)


CreateDelegationTokenRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_3}
CreateDelegationTokenRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_3}
