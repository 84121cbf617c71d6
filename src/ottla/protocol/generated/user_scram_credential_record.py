"""UserScramCredentialRecord record (key 11), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_length

_u_bB = _Struct(">bB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_b = _Struct(">b").pack
_p_ix = _Struct(">ix").pack


class UserScramCredentialRecord(Message):
    __slots__ = ("name", "mechanism", "salt", "stored_key", "server_key", "iterations")
    RECORD_TYPE = 11
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        name: str = '',
        mechanism: int = 0,
        salt: bytes = b'',
        stored_key: bytes = b'',
        server_key: bytes = b'',
        iterations: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.salt = salt
        self.stored_key = stored_key
        self.server_key = server_key
        self.iterations = iterations


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[UserScramCredentialRecord, int]:
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
    mechanism_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("salt", n, end - p)
    salt_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("stored_key", n, end - p)
    stored_key_1 = data[p:q].tobytes()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("server_key", n, end - p)
    server_key_1 = data[p:q].tobytes()
    p = q
    iterations_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return UserScramCredentialRecord(name_1, mechanism_1, salt_1, stored_key_1, server_key_1, iterations_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_b(m.mechanism)
    b = m.salt
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    b = m.stored_key
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    b = m.server_key
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out += _p_ix(m.iterations)


UserScramCredentialRecord._READERS = {0: _read_0}
UserScramCredentialRecord._WRITERS = {0: _write_0}
