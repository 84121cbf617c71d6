"""TxnOffsetCommit request (key 28), versions 0-5, flexible from 3.

Generated from schemas/txn_offset_commit.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_qhi = _Struct(">qhi").unpack_from
_u_i = _Struct(">i").unpack_from
_u_iqh = _Struct(">iqh").unpack_from
_u_iqih = _Struct(">iqih").unpack_from
_u_qhiB = _Struct(">qhiB").unpack_from
_u_iqiB = _Struct(">iqiB").unpack_from
_p_h = _Struct(">h").pack
_p_qhi = _Struct(">qhi").pack
_p_i = _Struct(">i").pack
_p_iqh = _Struct(">iqh").pack
_p_iqih = _Struct(">iqih").pack
_p_iqi = _Struct(">iqi").pack


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
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class TxnOffsetCommitRequest(Message):
    __slots__ = ("transactional_id", "group_id", "producer_id", "producer_epoch", "generation_id", "member_id", "group_instance_id", "topics")
    API_KEY = 28
    MIN_VERSION = 0
    MAX_VERSION = 5
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        transactional_id: str = '',
        group_id: str = '',
        producer_id: int = 0,
        producer_epoch: int = 0,
        generation_id: int = -1,
        member_id: str = '',
        group_instance_id: str | None = None,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.transactional_id = transactional_id
        self.group_id = group_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.topics = [] if topics is FRESH else topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TxnOffsetCommitRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("transactional_id", n, end - p)
    transactional_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    producer_id_1, producer_epoch_1, n = _u_qhi(data, p)
    p += 14
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
        if n < 0 or n * 14 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
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
            partitions_2.append(Partitions(partition_index_3, committed_offset_3, -1, committed_metadata_3))
        topics_1.append(Topics(name_2, partitions_2))
    return TxnOffsetCommitRequest(transactional_id_1, group_id_1, producer_id_1, producer_epoch_1, -1, '', None, topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TxnOffsetCommitRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("transactional_id", n, end - p)
    transactional_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    producer_id_1, producer_epoch_1, n = _u_qhi(data, p)
    p += 14
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
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
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
            partitions_2.append(Partitions(partition_index_3, committed_offset_3, committed_leader_epoch_3, committed_metadata_3))
        topics_1.append(Topics(name_2, partitions_2))
    return TxnOffsetCommitRequest(transactional_id_1, group_id_1, producer_id_1, producer_epoch_1, -1, '', None, topics_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[TxnOffsetCommitRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("transactional_id", n, end - p)
    transactional_id_1 = data[p:q].tobytes().decode()
    p = q
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
    producer_id_1, producer_epoch_1, generation_id_1, n = _u_qhiB(data, p)
    p += 15
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
    for _ in range(n):
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
        for _ in range(n):
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
            partitions_2.append(Partitions(partition_index_3, committed_offset_3, committed_leader_epoch_3, committed_metadata_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return TxnOffsetCommitRequest(transactional_id_1, group_id_1, producer_id_1, producer_epoch_1, generation_id_1, member_id_1, group_instance_id_1, topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.transactional_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.topics
    out += _p_qhi(m.producer_id, m.producer_epoch, len(items_1))
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


def _write_2(m: Any, out: bytearray) -> None:
    b = m.transactional_id.encode()
    out += _p_h(len(b))
    out += b
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.topics
    out += _p_qhi(m.producer_id, m.producer_epoch, len(items_1))
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


def _write_3(m: Any, out: bytearray) -> None:
    b = m.transactional_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_qhi(m.producer_id, m.producer_epoch, m.generation_id)
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


TxnOffsetCommitRequest._READERS = {0: _read_0, 1: _read_0, 2: _read_2, 3: _read_3, 4: _read_3, 5: _read_3}
TxnOffsetCommitRequest._WRITERS = {0: _write_0, 1: _write_0, 2: _write_2, 3: _write_3, 4: _write_3, 5: _write_3}
