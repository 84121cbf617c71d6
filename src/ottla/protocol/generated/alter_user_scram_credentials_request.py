"""AlterUserScramCredentials request (key 51), versions 0-0, flexible from 0.

Generated from schemas/alter_user_scram_credentials.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_bB = _Struct(">bB").unpack_from
_u_biB = _Struct(">biB").unpack_from
_p_bx = _Struct(">bx").pack
_p_bi = _Struct(">bi").pack


class Deletions(Struct):
    __slots__ = ("name", "mechanism")

    def __init__(
        self,
        name: str = '',
        mechanism: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism


class Upsertions(Struct):
    __slots__ = ("name", "mechanism", "iterations", "salt", "salted_password")

    def __init__(
        self,
        name: str = '',
        mechanism: int = 0,
        iterations: int = 0,
        salt: bytes = b'',
        salted_password: bytes = b'',
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.iterations = iterations
        self.salt = salt
        self.salted_password = salted_password


class AlterUserScramCredentialsRequest(Message):
    __slots__ = ("deletions", "upsertions")
    API_KEY = 51
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        deletions: list[Deletions] = FRESH,
        upsertions: list[Upsertions] = FRESH,
    ) -> None:
        self.deletions = [] if deletions is FRESH else deletions
        self.upsertions = [] if upsertions is FRESH else upsertions


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterUserScramCredentialsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("deletions", n, end - p, left)
    left[0] -= n
    deletions_1: list[Deletions] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        mechanism_2, n = _u_bB(data, p)
        p += 2
        if n:
            p = skip_tags(data, p - 1, end)
        deletions_1.append(Deletions(name_2, mechanism_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 9 > end - p or n > left[0]:
        raise wrong_count("upsertions", n, end - p, left)
    left[0] -= n
    upsertions_1: list[Upsertions] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_3 = data[p:q].tobytes().decode()
        p = q
        mechanism_3, iterations_3, n = _u_biB(data, p)
        p += 6
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("salt", n, end - p)
        salt_3 = data[p:q].tobytes()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("salted_password", n, end - p)
        salted_password_3 = data[p:q].tobytes()
        p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        upsertions_1.append(Upsertions(name_3, mechanism_3, iterations_3, salt_3, salted_password_3))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterUserScramCredentialsRequest(deletions_1, upsertions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.deletions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_bx(e_1.mechanism)
    items_2 = m.upsertions
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        b = e_2.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_bi(e_2.mechanism, e_2.iterations)
        b = e_2.salt
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
        b = e_2.salted_password
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
        out.append(0)
    out.append(0)


AlterUserScramCredentialsRequest._READERS = {0: _read_0}
AlterUserScramCredentialsRequest._WRITERS = {0: _write_0}
