"""ConsumerGroupRegularExpressionKey record (key 16), versions 0-0, never flexible.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NEVER_FLEXIBLE, Message
from ottla.protocol.wire import wrong_length

_u_h = _Struct(">h").unpack_from
_p_h = _Struct(">h").pack


class ConsumerGroupRegularExpressionKey(Message):
    __slots__ = ("group_id", "regular_expression")
    RECORD_TYPE = 16
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        group_id: str = '',
        regular_expression: str = '',
    ) -> None:
        self.group_id = group_id
        self.regular_expression = regular_expression


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupRegularExpressionKey, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("regular_expression", n, end - p)
    regular_expression_1 = data[p:q].tobytes().decode()
    p = q
    return ConsumerGroupRegularExpressionKey(group_id_1, regular_expression_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.regular_expression.encode()
    out += _p_h(len(b))
    out += b


ConsumerGroupRegularExpressionKey._READERS = {0: _read_0}
ConsumerGroupRegularExpressionKey._WRITERS = {0: _write_0}
