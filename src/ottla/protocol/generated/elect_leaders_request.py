"""ElectLeaders request (key 43), versions 0-2, flexible from 2.

Generated from schemas/elect_leaders.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_bi = _Struct(">bi").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_h = _Struct(">h").unpack_from
_p_i = _Struct(">i").pack
_p_bi = _Struct(">bi").pack
_p_b = _Struct(">b").pack
_p_ix = _Struct(">ix").pack
_p_h = _Struct(">h").pack


class TopicPartitions(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class ElectLeadersRequest(Message):
    __slots__ = ("election_type", "topic_partitions", "timeout_ms")
    API_KEY = 43
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        election_type: int = 0,
        topic_partitions: list[TopicPartitions] | None = FRESH,
        timeout_ms: int = 60000,
    ) -> None:
        self.election_type = election_type
        self.topic_partitions = [] if topic_partitions is FRESH else topic_partitions
        self.timeout_ms = timeout_ms


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ElectLeadersRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    topic_partitions_1: list[TopicPartitions] | None = None
    if n != -1:
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("topic_partitions", n, end - p, left)
        left[0] -= n
        topic_partitions_1 = []
        for _ in range(n):
            s_2, p = _read_TopicPartitions_0(data, p, end, left)
            topic_partitions_1.append(s_2)
    (timeout_ms_1,) = _u_i(data, p)
    p += 4
    return ElectLeadersRequest(0, topic_partitions_1, timeout_ms_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ElectLeadersRequest, int]:
    election_type_1, n = _u_bi(data, p)
    p += 5
    topic_partitions_1: list[TopicPartitions] | None = None
    if n != -1:
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("topic_partitions", n, end - p, left)
        left[0] -= n
        topic_partitions_1 = []
        for _ in range(n):
            s_2, p = _read_TopicPartitions_0(data, p, end, left)
            topic_partitions_1.append(s_2)
    (timeout_ms_1,) = _u_i(data, p)
    p += 4
    return ElectLeadersRequest(election_type_1, topic_partitions_1, timeout_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ElectLeadersRequest, int]:
    election_type_1, n = _u_bB(data, p)
    p += 2
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topic_partitions_1: list[TopicPartitions] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topic_partitions", n, end - p, left)
        left[0] -= n
        topic_partitions_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("topic", n, end - p)
            topic_2 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_2, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topic_partitions_1.append(TopicPartitions(topic_2, partitions_2))
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return ElectLeadersRequest(election_type_1, topic_partitions_1, timeout_ms_1), p


def _read_TopicPartitions_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TopicPartitions, int]:
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
    return TopicPartitions(topic_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topic_partitions
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        _write_TopicPartitions_0(e_1, out)
    out += _p_i(m.timeout_ms)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topic_partitions
    out += _p_bi(m.election_type, -1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        _write_TopicPartitions_0(e_1, out)
    out += _p_i(m.timeout_ms)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topic_partitions
    out += _p_b(m.election_type)
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.topic.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_2:
            put_numbers(out, "i", items_2)
        out.append(0)
    out += _p_ix(m.timeout_ms)


def _write_TopicPartitions_0(m: Any, out: bytearray) -> None:
    b = m.topic.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partitions
    out += _p_i(len(items_1))
    if items_1:
        put_numbers(out, "i", items_1)


ElectLeadersRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
ElectLeadersRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
