"""ConsumerProtocolAssignment record, versions 0-3, never flexible.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NEVER_FLEXIBLE, Message, Struct
from ottla.protocol.wire import put_numbers, read_numbers, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack


class AssignedPartitions(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class ConsumerProtocolAssignment(Message):
    __slots__ = ("assigned_partitions", "user_data")
    MIN_VERSION = 0
    MAX_VERSION = 3
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        assigned_partitions: list[AssignedPartitions] = FRESH,
        user_data: bytes | None = None,
    ) -> None:
        self.assigned_partitions = [] if assigned_partitions is FRESH else assigned_partitions
        self.user_data = user_data


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerProtocolAssignment, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("assigned_partitions", n, end - p, left)
    left[0] -= n
    assigned_partitions_1: list[AssignedPartitions] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2, p = read_numbers("i", 4, data, p, n)
        assigned_partitions_1.append(AssignedPartitions(topic_2, partitions_2))
    (n,) = _u_i(data, p)
    p += 4
    if n == -1:
        user_data_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("user_data", n, end - p)
        user_data_1 = data[p:q].tobytes()
        p = q
    return ConsumerProtocolAssignment(assigned_partitions_1, user_data_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.assigned_partitions
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.topic.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        if items_2:
            put_numbers(out, "i", items_2)
    if m.user_data is None:
        n, b = -1, b""
    else:
        b = m.user_data
        n = len(b)
    out += _p_i(n)
    out += b


ConsumerProtocolAssignment._READERS = {0: _read_0, 1: _read_0, 2: _read_0, 3: _read_0}
ConsumerProtocolAssignment._WRITERS = {0: _write_0, 1: _write_0, 2: _write_0, 3: _write_0}
