"""ConsumerProtocolSubscription record, versions 0-3, never flexible.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NEVER_FLEXIBLE, Message, Struct
from ottla.protocol.wire import put_numbers, read_numbers, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack


class OwnedPartitions(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class ConsumerProtocolSubscription(Message):
    __slots__ = ("topics", "user_data", "owned_partitions", "generation_id", "rack_id")
    MIN_VERSION = 0
    MAX_VERSION = 3
    FLEXIBLE_FROM = NEVER_FLEXIBLE

    def __init__(
        self,
        topics: list[str] = FRESH,
        user_data: bytes | None = None,
        owned_partitions: list[OwnedPartitions] = FRESH,
        generation_id: int = -1,
        rack_id: str | None = None,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.user_data = user_data
        self.owned_partitions = [] if owned_partitions is FRESH else owned_partitions
        self.generation_id = generation_id
        self.rack_id = rack_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topics", n, end - p)
        topics_1_element = data[p:q].tobytes().decode()
        p = q
        topics_1.append(topics_1_element)
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
    return ConsumerProtocolSubscription(topics_1, user_data_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topics", n, end - p)
        topics_1_element = data[p:q].tobytes().decode()
        p = q
        topics_1.append(topics_1_element)
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
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("owned_partitions", n, end - p, left)
    left[0] -= n
    owned_partitions_1: list[OwnedPartitions] = []
    for _ in range(n):
        s_2, p = _read_OwnedPartitions_1(data, p, end, left)
        owned_partitions_1.append(s_2)
    return ConsumerProtocolSubscription(topics_1, user_data_1, owned_partitions_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topics", n, end - p)
        topics_1_element = data[p:q].tobytes().decode()
        p = q
        topics_1.append(topics_1_element)
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
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("owned_partitions", n, end - p, left)
    left[0] -= n
    owned_partitions_1: list[OwnedPartitions] = []
    for _ in range(n):
        s_2, p = _read_OwnedPartitions_1(data, p, end, left)
        owned_partitions_1.append(s_2)
    (generation_id_1,) = _u_i(data, p)
    p += 4
    return ConsumerProtocolSubscription(topics_1, user_data_1, owned_partitions_1, generation_id_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topics", n, end - p)
        topics_1_element = data[p:q].tobytes().decode()
        p = q
        topics_1.append(topics_1_element)
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
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("owned_partitions", n, end - p, left)
    left[0] -= n
    owned_partitions_1: list[OwnedPartitions] = []
    for _ in range(n):
        s_2, p = _read_OwnedPartitions_1(data, p, end, left)
        owned_partitions_1.append(s_2)
    generation_id_1, n = _u_ih(data, p)
    p += 6
    if n == -1:
        rack_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("rack_id", n, end - p)
        rack_id_1 = data[p:q].tobytes().decode()
        p = q
    return ConsumerProtocolSubscription(topics_1, user_data_1, owned_partitions_1, generation_id_1, rack_id_1), p


def _read_OwnedPartitions_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OwnedPartitions, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("topic", n, end - p)
    topic_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1, p = read_numbers("i", 4, data, p, n)
    return OwnedPartitions(topic_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b
    if m.user_data is None:
        n, b = -1, b""
    else:
        b = m.user_data
        n = len(b)
    out += _p_i(n)
    out += b


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b
    if m.user_data is None:
        n, b = -1, b""
    else:
        b = m.user_data
        n = len(b)
    out += _p_i(n)
    out += b
    items_2 = m.owned_partitions
    out += _p_i(len(items_2))
    for e_2 in items_2:
        _write_OwnedPartitions_1(e_2, out)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b
    if m.user_data is None:
        n, b = -1, b""
    else:
        b = m.user_data
        n = len(b)
    out += _p_i(n)
    out += b
    items_2 = m.owned_partitions
    out += _p_i(len(items_2))
    for e_2 in items_2:
        _write_OwnedPartitions_1(e_2, out)
    out += _p_i(m.generation_id)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b
    if m.user_data is None:
        n, b = -1, b""
    else:
        b = m.user_data
        n = len(b)
    out += _p_i(n)
    out += b
    items_2 = m.owned_partitions
    out += _p_i(len(items_2))
    for e_2 in items_2:
        _write_OwnedPartitions_1(e_2, out)
    if m.rack_id is None:
        n, b = -1, b""
    else:
        b = m.rack_id.encode()
        n = len(b)
    out += _p_ih(m.generation_id, n)
    out += b


def _write_OwnedPartitions_1(m: Any, out: bytearray) -> None:
    b = m.topic.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partitions
    out += _p_i(len(items_1))
    if items_1:
        put_numbers(out, "i", items_1)


ConsumerProtocolSubscription._READERS = {0: _read_0, 1: _read_1, 2: _read_2, 3: _read_3}
ConsumerProtocolSubscription._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2, 3: _write_3}
