"""DescribeTopicPartitions response (key 75), versions 0-0, flexible from 0.

Generated from schemas/describe_topic_partitions.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_iB = _Struct(">iB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_16stB = _Struct(">16s?B").unpack_from
_u_hiiiB = _Struct(">hiiiB").unpack_from
_u_b = _Struct(">b").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_16st = _Struct(">16s?").pack
_p_hiii = _Struct(">hiii").pack
_p_ix = _Struct(">ix").pack


class Partitions(Struct):
    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "eligible_leader_replicas", "last_known_elr", "offline_replicas")

    def __init__(
        self,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = FRESH,
        isr_nodes: list[int] = FRESH,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
        offline_replicas: list[int] = FRESH,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is FRESH else replica_nodes
        self.isr_nodes = [] if isr_nodes is FRESH else isr_nodes
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.offline_replicas = [] if offline_replicas is FRESH else offline_replicas


class Topics(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        name: str | None = '',
        topic_id: bytes = NO_UUID,
        is_internal: bool = False,
        partitions: list[Partitions] = FRESH,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is FRESH else partitions
        self.topic_authorized_operations = topic_authorized_operations


class NextCursor(Struct):
    __slots__ = ("topic_name", "partition_index")

    def __init__(
        self,
        topic_name: str = '',
        partition_index: int = 0,
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index


class DescribeTopicPartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics", "next_cursor")
    API_KEY = 75
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[Topics] = FRESH,
        next_cursor: NextCursor | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is FRESH else topics
        self.next_cursor = next_cursor


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeTopicPartitionsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 26 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            name_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_2 = data[p:q].tobytes().decode()
            p = q
        topic_id_2, is_internal_2, n = _u_16stB(data, p)
        p += 18
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 20 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            error_code_3, partition_index_3, leader_id_3, leader_epoch_3, n = _u_hiiiB(data, p)
            p += 15
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("replica_nodes", n, end - p, left)
            left[0] -= n
            replica_nodes_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("isr_nodes", n, end - p, left)
            left[0] -= n
            isr_nodes_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            eligible_leader_replicas_3: list[int] | None = None
            if n != -1:
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("eligible_leader_replicas", n, end - p, left)
                left[0] -= n
                eligible_leader_replicas_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            last_known_elr_3: list[int] | None = None
            if n != -1:
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("last_known_elr", n, end - p, left)
                left[0] -= n
                last_known_elr_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("offline_replicas", n, end - p, left)
            left[0] -= n
            offline_replicas_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(error_code_3, partition_index_3, leader_id_3, leader_epoch_3, replica_nodes_3, isr_nodes_3, eligible_leader_replicas_3, last_known_elr_3, offline_replicas_3))
        topic_authorized_operations_2, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(error_code_2, name_2, topic_id_2, is_internal_2, partitions_2, topic_authorized_operations_2))
    (n,) = _u_b(data, p)
    p += 1
    next_cursor_1: NextCursor | None = None
    if n >= 0:
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_name", n, end - p)
        topic_name_4 = data[p:q].tobytes().decode()
        p = q
        partition_index_4, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        next_cursor_1 = NextCursor(topic_name_4, partition_index_4)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeTopicPartitionsResponse(throttle_time_ms_1, topics_1, next_cursor_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        if e_1.name is None:
            out.append(0)
        else:
            b = e_1.name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        items_2 = e_1.partitions
        out += _p_16st(e_1.topic_id, e_1.is_internal)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.replica_nodes
            out += _p_hiii(e_2.error_code, e_2.partition_index, e_2.leader_id, e_2.leader_epoch)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "i", items_3)
            items_4 = e_2.isr_nodes
            n = len(items_4) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_4:
                put_numbers(out, "i", items_4)
            items_5 = e_2.eligible_leader_replicas
            n = 0 if items_5 is None else len(items_5) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_5:
                put_numbers(out, "i", items_5)
            items_6 = e_2.last_known_elr
            n = 0 if items_6 is None else len(items_6) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_6:
                put_numbers(out, "i", items_6)
            items_7 = e_2.offline_replicas
            n = len(items_7) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_7:
                put_numbers(out, "i", items_7)
            out.append(0)
        out += _p_ix(e_1.topic_authorized_operations)
    if m.next_cursor is None:
        out.append(255)
    else:
        out.append(1)
        b = m.next_cursor.topic_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_ix(m.next_cursor.partition_index)
    out.append(0)


DescribeTopicPartitionsResponse._READERS = {0: _read_0}
DescribeTopicPartitionsResponse._WRITERS = {0: _write_0}
