"""Vote request (key 52), versions 0-2, flexible from 0.

Generated from schemas/vote.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iiiiqB = _Struct(">iiiiqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iii16s16siqB = _Struct(">iii16s16siqB").unpack_from
_u_iii16s16siqtB = _Struct(">iii16s16siq?B").unpack_from
_p_iiiiqx = _Struct(">iiiiqx").pack
_p_i = _Struct(">i").pack
_p_iii16s16siqx = _Struct(">iii16s16siqx").pack
_p_iii16s16siqtx = _Struct(">iii16s16siq?x").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "replica_epoch", "replica_id", "replica_directory_id", "voter_directory_id", "last_offset_epoch", "last_offset", "pre_vote")

    def __init__(
        self,
        partition_index: int = 0,
        replica_epoch: int = 0,
        replica_id: int = 0,
        replica_directory_id: bytes = NO_UUID,
        voter_directory_id: bytes = NO_UUID,
        last_offset_epoch: int = 0,
        last_offset: int = 0,
        pre_vote: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.replica_epoch = replica_epoch
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.voter_directory_id = voter_directory_id
        self.last_offset_epoch = last_offset_epoch
        self.last_offset = last_offset
        self.pre_vote = pre_vote


class Topics(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is FRESH else partitions


class VoteRequest(Message):
    __slots__ = ("cluster_id", "voter_id", "topics")
    API_KEY = 52
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[Topics] = FRESH,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics = [] if topics is FRESH else topics


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[VoteRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
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
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 25 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, replica_epoch_3, replica_id_3, last_offset_epoch_3, last_offset_3, n = _u_iiiiqB(data, p)
            p += 25
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, replica_epoch_3, replica_id_3, NO_UUID, NO_UUID, last_offset_epoch_3, last_offset_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return VoteRequest(cluster_id_1, -1, topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[VoteRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    voter_id_1, n = _u_iB(data, p)
    p += 5
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
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 57 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, replica_epoch_3, replica_id_3, replica_directory_id_3, voter_directory_id_3, last_offset_epoch_3, last_offset_3, n = _u_iii16s16siqB(data, p)
            p += 57
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, replica_epoch_3, replica_id_3, replica_directory_id_3, voter_directory_id_3, last_offset_epoch_3, last_offset_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return VoteRequest(cluster_id_1, voter_id_1, topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[VoteRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    voter_id_1, n = _u_iB(data, p)
    p += 5
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
            raise wrong_length("topic_name", n, end - p)
        topic_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 58 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, replica_epoch_3, replica_id_3, replica_directory_id_3, voter_directory_id_3, last_offset_epoch_3, last_offset_3, pre_vote_3, n = _u_iii16s16siqtB(data, p)
            p += 58
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, replica_epoch_3, replica_id_3, replica_directory_id_3, voter_directory_id_3, last_offset_epoch_3, last_offset_3, pre_vote_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(topic_name_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return VoteRequest(cluster_id_1, voter_id_1, topics_1), p


def _write_0(m: Any, out: bytearray) -> None:
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
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
        b = e_1.topic_name.encode()
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
            out += _p_iiiiqx(e_2.partition_index, e_2.replica_epoch, e_2.replica_id, e_2.last_offset_epoch, e_2.last_offset)
        out.append(0)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topics
    out += _p_i(m.voter_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic_name.encode()
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
            out += _p_iii16s16siqx(e_2.partition_index, e_2.replica_epoch, e_2.replica_id, e_2.replica_directory_id, e_2.voter_directory_id, e_2.last_offset_epoch, e_2.last_offset)
        out.append(0)
    out.append(0)


def _write_2(m: Any, out: bytearray) -> None:
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.topics
    out += _p_i(m.voter_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic_name.encode()
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
            out += _p_iii16s16siqtx(e_2.partition_index, e_2.replica_epoch, e_2.replica_id, e_2.replica_directory_id, e_2.voter_directory_id, e_2.last_offset_epoch, e_2.last_offset, e_2.pre_vote)
        out.append(0)
    out.append(0)


VoteRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
VoteRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
