"""RemoveUserScramCredentialRecord record (key 22), versions 0-0, flexible from 0.

Generated from schemas/records_metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_bB = _Struct(">bB").unpack_from
_p_bx = _Struct(">bx").pack


class RemoveUserScramCredentialRecord(Message):
    __slots__ = ("name", "mechanism")
    RECORD_TYPE = 22
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        name: str = '',
        mechanism: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RemoveUserScramCredentialRecord, int]:
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
    if n:
        p = skip_tags(data, p - 1, end)
    return RemoveUserScramCredentialRecord(name_1, mechanism_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_bx(m.mechanism)


RemoveUserScramCredentialRecord._READERS = {0: _read_0}
RemoveUserScramCredentialRecord._WRITERS = {0: _write_0}
