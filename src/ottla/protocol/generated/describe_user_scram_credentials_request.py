"""DescribeUserScramCredentials request (key 50), versions 0-0, flexible from 0.

Generated from schemas/describe_user_scram_credentials.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length



class Users(Struct):
    __slots__ = ("name",)

    def __init__(
        self,
        name: str = '',
    ) -> None:
        self.name = name


class DescribeUserScramCredentialsRequest(Message):
    __slots__ = ("users",)
    API_KEY = 50
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        users: list[Users] | None = FRESH,
    ) -> None:
        self.users = [] if users is FRESH else users


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeUserScramCredentialsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    users_1: list[Users] | None = None
    if n != -1:
        if n < 0 or n * 2 > end - p or n > left[0]:
            raise wrong_count("users", n, end - p, left)
        left[0] -= n
        users_1 = []
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
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            users_1.append(Users(name_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeUserScramCredentialsRequest(users_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.users
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out.append(0)


DescribeUserScramCredentialsRequest._READERS = {0: _read_0}
DescribeUserScramCredentialsRequest._WRITERS = {0: _write_0}
