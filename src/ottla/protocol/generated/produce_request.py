"""Produce request (key 0), versions 3-13, flexible from 9.

Generated from schemas/produce.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import Records, longer, longer_string, put_compact_records, put_records, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_hii = _Struct(">hii").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_hiB = _Struct(">hiB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_h = _Struct(">h").pack
_p_hii = _Struct(">hii").pack
_p_i = _Struct(">i").pack
_p_hi = _Struct(">hi").pack
_p_16s = _Struct(">16s").pack
_new = object.__new__
_ONCE = (0,)


class PartitionData(Struct):
    __slots__ = ("index", "records")

    def __init__(
        self,
        index: int = 0,
        records: Records = None,
    ) -> None:
        self.index = index
        self.records = records


class TopicData(Struct):
    __slots__ = ("topic_id", "name", "partition_data")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        name: str = '',
        partition_data: list[PartitionData] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.name = name
        self.partition_data = [] if partition_data is FRESH else partition_data


class ProduceRequest(Message):
    __slots__ = ("transactional_id", "acks", "timeout_ms", "topic_data")
    API_KEY = 0
    MIN_VERSION = 3
    MAX_VERSION = 13
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: list[TopicData] = FRESH,
    ) -> None:
        self.transactional_id = transactional_id
        self.acks = acks
        self.timeout_ms = timeout_ms
        self.topic_data = [] if topic_data is FRESH else topic_data


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        transactional_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_1 = data[p:q].tobytes().decode()
        p = q
    acks_1, timeout_ms_1, n = _u_hii(data, p)
    p += 10
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topic_data", n, end - p, left)
    left[0] -= n
    topic_data_1: list[TopicData] = []
    for _ in _ONCE if n == 1 else range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 8 > end - p or n > left[0]:
            raise wrong_count("partition_data", n, end - p, left)
        left[0] -= n
        partition_data_2: list[PartitionData] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, n = _u_ii(data, p)
            p += 8
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            o_3 = _new(PartitionData)
            o_3.index = index_3
            o_3.records = records_3
            partition_data_2.append(o_3)
        o_2 = _new(TopicData)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partition_data = partition_data_2
        topic_data_1.append(o_2)
    o_1 = _new(ProduceRequest)
    o_1.transactional_id = transactional_id_1
    o_1.acks = acks_1
    o_1.timeout_ms = timeout_ms_1
    o_1.topic_data = topic_data_1
    return o_1, p


def _read_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        transactional_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_1 = data[p:q].tobytes().decode()
        p = q
    acks_1, timeout_ms_1, n = _u_hiB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topic_data", n, end - p, left)
    left[0] -= n
    topic_data_1: list[TopicData] = []
    for _ in _ONCE if n == 1 else range(n):
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
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("partition_data", n, end - p, left)
        left[0] -= n
        partition_data_2: list[PartitionData] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(PartitionData)
            o_3.index = index_3
            o_3.records = records_3
            partition_data_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(TopicData)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partition_data = partition_data_2
        topic_data_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(ProduceRequest)
    o_1.transactional_id = transactional_id_1
    o_1.acks = acks_1
    o_1.timeout_ms = timeout_ms_1
    o_1.topic_data = topic_data_1
    return o_1, p


def _read_13(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ProduceRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        transactional_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("transactional_id", n, end - p)
        transactional_id_1 = data[p:q].tobytes().decode()
        p = q
    acks_1, timeout_ms_1, n = _u_hiB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topic_data", n, end - p, left)
    left[0] -= n
    topic_data_1: list[TopicData] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("partition_data", n, end - p, left)
        left[0] -= n
        partition_data_2: list[PartitionData] = []
        for _ in _ONCE if n == 1 else range(n):
            index_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n == -1:
                records_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("records", n, end - p)
                records_3 = data[p:q]
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(PartitionData)
            o_3.index = index_3
            o_3.records = records_3
            partition_data_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(TopicData)
        o_2.topic_id = topic_id_2
        o_2.name = ''
        o_2.partition_data = partition_data_2
        topic_data_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(ProduceRequest)
    o_1.transactional_id = transactional_id_1
    o_1.acks = acks_1
    o_1.timeout_ms = timeout_ms_1
    o_1.topic_data = topic_data_1
    return o_1, p


def _write_3(m: Any, out: bytearray) -> None:
    if m.transactional_id is None:
        n, b = -1, b""
    else:
        b = m.transactional_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.topic_data
    out += _p_hii(m.acks, m.timeout_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partition_data
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_i(e_2.index)
            put_records(out, e_2.records)


def _write_9(m: Any, out: bytearray) -> None:
    if m.transactional_id is None:
        out.append(0)
    else:
        b = m.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topic_data
    out += _p_hi(m.acks, m.timeout_ms)
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
        items_2 = e_1.partition_data
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_i(e_2.index)
            put_compact_records(out, e_2.records)
            out.append(0)
        out.append(0)
    out.append(0)


def _write_13(m: Any, out: bytearray) -> None:
    if m.transactional_id is None:
        out.append(0)
    else:
        b = m.transactional_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topic_data
    out += _p_hi(m.acks, m.timeout_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partition_data
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_i(e_2.index)
            put_compact_records(out, e_2.records)
            out.append(0)
        out.append(0)
    out.append(0)


ProduceRequest._READERS = {3: _read_3, 4: _read_3, 5: _read_3, 6: _read_3, 7: _read_3, 8: _read_3, 9: _read_9, 10: _read_9, 11: _read_9, 12: _read_9, 13: _read_13}
ProduceRequest._WRITERS = {3: _write_3, 4: _write_3, 5: _write_3, 6: _write_3, 7: _write_3, 8: _write_3, 9: _write_9, 10: _write_9, 11: _write_9, 12: _write_9, 13: _write_13}
