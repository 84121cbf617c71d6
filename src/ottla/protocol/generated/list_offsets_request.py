"""ListOffsets request (key 2), versions 1-11, flexible from 6.

Generated from schemas/list_offsets.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_ibi = _Struct(">ibi").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iiq = _Struct(">iiq").unpack_from
_u_ibB = _Struct(">ibB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iq = _Struct(">iq").unpack_from
_u_iiqB = _Struct(">iiqB").unpack_from
_p_ii = _Struct(">ii").pack
_p_ibi = _Struct(">ibi").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_iiq = _Struct(">iiq").pack
_p_ib = _Struct(">ib").pack
_p_ix = _Struct(">ix").pack
_p_iq = _Struct(">iq").pack
_p_iiqx = _Struct(">iiqx").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "current_leader_epoch", "timestamp")

    def __init__(
        self,
        partition_index: int = 0,
        current_leader_epoch: int = -1,
        timestamp: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.current_leader_epoch = current_leader_epoch
        self.timestamp = timestamp


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class ListOffsetsRequest(Message):
    __slots__ = ("replica_id", "isolation_level", "topics", "timeout_ms")
    API_KEY = 2
    MIN_VERSION = 1
    MAX_VERSION = 11
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        replica_id: int = 0,
        isolation_level: int = 0,
        topics: list[Topics] = FRESH,
        timeout_ms: int = 0,
    ) -> None:
        self.replica_id = replica_id
        self.isolation_level = isolation_level
        self.topics = [] if topics is FRESH else topics
        self.timeout_ms = timeout_ms


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsRequest, int]:
    replica_id_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    return ListOffsetsRequest(replica_id_1, 0, topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsRequest, int]:
    replica_id_1, isolation_level_1, n = _u_ibi(data, p)
    p += 9
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    return ListOffsetsRequest(replica_id_1, isolation_level_1, topics_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsRequest, int]:
    replica_id_1, isolation_level_1, n = _u_ibi(data, p)
    p += 9
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 16 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, current_leader_epoch_3, timestamp_3 = _u_iiq(data, p)
            p += 16
            partitions_2.append(Partitions(partition_index_3, current_leader_epoch_3, timestamp_3))
        topics_1.append(Topics(name_2, partitions_2))
    return ListOffsetsRequest(replica_id_1, isolation_level_1, topics_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsRequest, int]:
    replica_id_1, isolation_level_1, n = _u_ibB(data, p)
    p += 6
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_6(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ListOffsetsRequest(replica_id_1, isolation_level_1, topics_1), p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ListOffsetsRequest, int]:
    replica_id_1, isolation_level_1, n = _u_ibB(data, p)
    p += 6
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_6(data, p, end, left)
        topics_1.append(s_2)
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return ListOffsetsRequest(replica_id_1, isolation_level_1, topics_1, timeout_ms_1), p


def _read_Topics_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 12 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, timestamp_2 = _u_iq(data, p)
        p += 12
        partitions_1.append(Partitions(partition_index_2, -1, timestamp_2))
    return Topics(name_1, partitions_1), p


def _read_Topics_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
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
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 17 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, current_leader_epoch_2, timestamp_2, n = _u_iiqB(data, p)
        p += 17
        if n:
            p = skip_tags(data, p - 1, end)
        partitions_1.append(Partitions(partition_index_2, current_leader_epoch_2, timestamp_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(name_1, partitions_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.replica_id, len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ibi(m.replica_id, m.isolation_level, len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ibi(m.replica_id, m.isolation_level, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            out += _p_iiq(e_2.partition_index, e_2.current_leader_epoch, e_2.timestamp)


def _write_6(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ib(m.replica_id, m.isolation_level)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_6(e_1, out)
    out.append(0)


def _write_10(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ib(m.replica_id, m.isolation_level)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Topics_6(e_1, out)
    out += _p_ix(m.timeout_ms)


def _write_Topics_1(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partitions
    out += _p_i(len(items_1))
    for e_1 in items_1:
        out += _p_iq(e_1.partition_index, e_1.timestamp)


def _write_Topics_6(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_iiqx(e_1.partition_index, e_1.current_leader_epoch, e_1.timestamp)
    out.append(0)


ListOffsetsRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_2, 4: _read_4, 5: _read_4, 6: _read_6, 7: _read_6, 8: _read_6, 9: _read_6, 10: _read_10, 11: _read_10}
ListOffsetsRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2, 4: _write_4, 5: _write_4, 6: _write_6, 7: _write_6, 8: _write_6, 9: _write_6, 10: _write_10, 11: _write_10}
