"""OffsetCommit request (key 8), versions 2-10, flexible from 8.

Generated from schemas/offset_commit.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_ih = _Struct(">ih").unpack_from
_u_qi = _Struct(">qi").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iqh = _Struct(">iqh").unpack_from
_u_iqih = _Struct(">iqih").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iqiB = _Struct(">iqiB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_h = _Struct(">h").pack
_p_ih = _Struct(">ih").pack
_p_qi = _Struct(">qi").pack
_p_i = _Struct(">i").pack
_p_iqh = _Struct(">iqh").pack
_p_iqih = _Struct(">iqih").pack
_p_iqi = _Struct(">iqi").pack
_p_16s = _Struct(">16s").pack
_new = object.__new__
_ONCE = (0,)


class Partitions(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "committed_metadata")

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = '',
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.committed_metadata = committed_metadata


class Topics(Struct):
    __slots__ = ("topic_id", "name", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class OffsetCommitRequest(Message):
    __slots__ = ("group_id", "generation_id_or_member_epoch", "member_id", "group_instance_id", "retention_time_ms", "topics")
    API_KEY = 8
    MIN_VERSION = 2
    MAX_VERSION = 10
    FLEXIBLE_FROM = 8

    def __init__(
        self,
        group_id: str = '',
        generation_id_or_member_epoch: int = -1,
        member_id: str = '',
        group_instance_id: str | None = None,
        retention_time_ms: int = -1,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.group_id = group_id
        self.generation_id_or_member_epoch = generation_id_or_member_epoch
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.retention_time_ms = retention_time_ms
        self.topics = [] if topics is FRESH else topics


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_or_member_epoch_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    retention_time_ms_1, n = _u_qi(data, p)
    p += 12
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
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
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, committed_offset_3, n = _u_iqh(data, p)
            p += 14
            if n == -1:
                committed_metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("committed_metadata", n, end - p)
                committed_metadata_3 = data[p:q].tobytes().decode()
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.committed_offset = committed_offset_3
            o_3.committed_leader_epoch = -1
            o_3.committed_metadata = committed_metadata_3
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(OffsetCommitRequest)
    o_1.group_id = group_id_1
    o_1.generation_id_or_member_epoch = generation_id_or_member_epoch_1
    o_1.member_id = member_id_1
    o_1.group_instance_id = None
    o_1.retention_time_ms = retention_time_ms_1
    o_1.topics = topics_1
    return o_1, p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_or_member_epoch_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
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
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, committed_offset_3, n = _u_iqh(data, p)
            p += 14
            if n == -1:
                committed_metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("committed_metadata", n, end - p)
                committed_metadata_3 = data[p:q].tobytes().decode()
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.committed_offset = committed_offset_3
            o_3.committed_leader_epoch = -1
            o_3.committed_metadata = committed_metadata_3
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(OffsetCommitRequest)
    o_1.group_id = group_id_1
    o_1.generation_id_or_member_epoch = generation_id_or_member_epoch_1
    o_1.member_id = member_id_1
    o_1.group_instance_id = None
    o_1.retention_time_ms = -1
    o_1.topics = topics_1
    return o_1, p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_or_member_epoch_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
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
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, committed_offset_3, committed_leader_epoch_3, n = _u_iqih(data, p)
            p += 18
            if n == -1:
                committed_metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("committed_metadata", n, end - p)
                committed_metadata_3 = data[p:q].tobytes().decode()
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.committed_offset = committed_offset_3
            o_3.committed_leader_epoch = committed_leader_epoch_3
            o_3.committed_metadata = committed_metadata_3
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(OffsetCommitRequest)
    o_1.group_id = group_id_1
    o_1.generation_id_or_member_epoch = generation_id_or_member_epoch_1
    o_1.member_id = member_id_1
    o_1.group_instance_id = None
    o_1.retention_time_ms = -1
    o_1.topics = topics_1
    return o_1, p


def _read_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_or_member_epoch_1, n = _u_ih(data, p)
    p += 6
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
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
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, committed_offset_3, committed_leader_epoch_3, n = _u_iqih(data, p)
            p += 18
            if n == -1:
                committed_metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("committed_metadata", n, end - p)
                committed_metadata_3 = data[p:q].tobytes().decode()
                p = q
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.committed_offset = committed_offset_3
            o_3.committed_leader_epoch = committed_leader_epoch_3
            o_3.committed_metadata = committed_metadata_3
            partitions_2.append(o_3)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    o_1 = _new(OffsetCommitRequest)
    o_1.group_id = group_id_1
    o_1.generation_id_or_member_epoch = generation_id_or_member_epoch_1
    o_1.member_id = member_id_1
    o_1.group_instance_id = group_instance_id_1
    o_1.retention_time_ms = -1
    o_1.topics = topics_1
    return o_1, p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_or_member_epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
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
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, committed_offset_3, committed_leader_epoch_3, n = _u_iqiB(data, p)
            p += 17
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                committed_metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("committed_metadata", n, end - p)
                committed_metadata_3 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.committed_offset = committed_offset_3
            o_3.committed_leader_epoch = committed_leader_epoch_3
            o_3.committed_metadata = committed_metadata_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = NO_UUID
        o_2.name = name_2
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(OffsetCommitRequest)
    o_1.group_id = group_id_1
    o_1.generation_id_or_member_epoch = generation_id_or_member_epoch_1
    o_1.member_id = member_id_1
    o_1.group_instance_id = group_instance_id_1
    o_1.retention_time_ms = -1
    o_1.topics = topics_1
    return o_1, p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetCommitRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    generation_id_or_member_epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        group_instance_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_instance_id", n, end - p)
        group_instance_id_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in _ONCE if n == 1 else range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in _ONCE if n == 1 else range(n):
            partition_index_3, committed_offset_3, committed_leader_epoch_3, n = _u_iqiB(data, p)
            p += 17
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                committed_metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("committed_metadata", n, end - p)
                committed_metadata_3 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            o_3 = _new(Partitions)
            o_3.partition_index = partition_index_3
            o_3.committed_offset = committed_offset_3
            o_3.committed_leader_epoch = committed_leader_epoch_3
            o_3.committed_metadata = committed_metadata_3
            partitions_2.append(o_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        o_2 = _new(Topics)
        o_2.topic_id = topic_id_2
        o_2.name = ''
        o_2.partitions = partitions_2
        topics_1.append(o_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    o_1 = _new(OffsetCommitRequest)
    o_1.group_id = group_id_1
    o_1.generation_id_or_member_epoch = generation_id_or_member_epoch_1
    o_1.member_id = member_id_1
    o_1.group_instance_id = group_instance_id_1
    o_1.retention_time_ms = -1
    o_1.topics = topics_1
    return o_1, p


def _write_2(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_ih(m.generation_id_or_member_epoch, len(b))
    out += b
    items_1 = m.topics
    out += _p_qi(m.retention_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            if e_2.committed_metadata is None:
                n, b = -1, b""
            else:
                b = e_2.committed_metadata.encode()
                n = len(b)
            out += _p_iqh(e_2.partition_index, e_2.committed_offset, n)
            out += b


def _write_5(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_ih(m.generation_id_or_member_epoch, len(b))
    out += b
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            if e_2.committed_metadata is None:
                n, b = -1, b""
            else:
                b = e_2.committed_metadata.encode()
                n = len(b)
            out += _p_iqh(e_2.partition_index, e_2.committed_offset, n)
            out += b


def _write_6(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_ih(m.generation_id_or_member_epoch, len(b))
    out += b
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            if e_2.committed_metadata is None:
                n, b = -1, b""
            else:
                b = e_2.committed_metadata.encode()
                n = len(b)
            out += _p_iqih(e_2.partition_index, e_2.committed_offset, e_2.committed_leader_epoch, n)
            out += b


def _write_7(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.member_id.encode()
    out += _p_ih(m.generation_id_or_member_epoch, len(b))
    out += b
    if m.group_instance_id is None:
        n, b = -1, b""
    else:
        b = m.group_instance_id.encode()
        n = len(b)
    out += _p_h(n)
    out += b
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            if e_2.committed_metadata is None:
                n, b = -1, b""
            else:
                b = e_2.committed_metadata.encode()
                n = len(b)
            out += _p_iqih(e_2.partition_index, e_2.committed_offset, e_2.committed_leader_epoch, n)
            out += b


def _write_8(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.generation_id_or_member_epoch)
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.group_instance_id is None:
        out.append(0)
    else:
        b = m.group_instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topics
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
        items_2 = e_1.partitions
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iqi(e_2.partition_index, e_2.committed_offset, e_2.committed_leader_epoch)
            if e_2.committed_metadata is None:
                out.append(0)
            else:
                b = e_2.committed_metadata.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out.append(0)
        out.append(0)
    out.append(0)


def _write_10(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_i(m.generation_id_or_member_epoch)
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    if m.group_instance_id is None:
        out.append(0)
    else:
        b = m.group_instance_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_iqi(e_2.partition_index, e_2.committed_offset, e_2.committed_leader_epoch)
            if e_2.committed_metadata is None:
                out.append(0)
            else:
                b = e_2.committed_metadata.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out.append(0)
        out.append(0)
    out.append(0)


OffsetCommitRequest._READERS = {2: _read_2, 3: _read_2, 4: _read_2, 5: _read_5, 6: _read_6, 7: _read_7, 8: _read_8, 9: _read_8, 10: _read_10}
OffsetCommitRequest._WRITERS = {2: _write_2, 3: _write_2, 4: _write_2, 5: _write_5, 6: _write_6, 7: _write_7, 8: _write_8, 9: _write_8, 10: _write_10}
