"""DefaultPrincipalData record, versions 0-0, flexible from 0.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_tB = _Struct(">?B").unpack_from
_p_tx = _Struct(">?x").pack


class DefaultPrincipalData(Message):
    __slots__ = ("type", "name", "token_authenticated")
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        type: str = '',
        name: str = '',
        token_authenticated: bool = False,
    ) -> None:
        self.type = type
        self.name = name
        self.token_authenticated = token_authenticated


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DefaultPrincipalData, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("type", n, end - p)
    type_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    token_authenticated_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return DefaultPrincipalData(type_1, name_1, token_authenticated_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_tx(m.token_authenticated)


DefaultPrincipalData._READERS = {0: _read_0}
DefaultPrincipalData._WRITERS = {0: _write_0}
