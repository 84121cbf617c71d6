"""OffsetFetch response (key 9), versions 1-10, flexible from 6.

Generated from schemas/offset_fetch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_iqih = _Struct(">iqih").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iqiB = _Struct(">iqiB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_u_iqh = _Struct(">iqh").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ii = _Struct(">ii").pack
_p_iqih = _Struct(">iqih").pack
_p_iqi = _Struct(">iqi").pack
_p_hx = _Struct(">hx").pack
_p_16s = _Struct(">16s").pack
_p_iqh = _Struct(">iqh").pack


class GroupsTopicsPartitions(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = '',
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


class GroupsTopics(Struct):
    __slots__ = ("topic_id", "name", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        name: str = '',
        partitions: list[GroupsTopicsPartitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class Groups(Struct):
    __slots__ = ("group_id", "topics", "error_code")

    def __init__(
        self,
        group_id: str = '',
        topics: list[GroupsTopics] = FRESH,
        error_code: int = 0,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is FRESH else topics
        self.error_code = error_code


class Partitions(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = '',
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class OffsetFetchResponse(Message):
    __slots__ = ("throttle_time_ms", "groups", "topics", "error_code")
    API_KEY = 9
    MIN_VERSION = 1
    MAX_VERSION = 10
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[Groups] = FRESH,
        topics: list[Topics] = FRESH,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is FRESH else groups
        self.topics = [] if topics is FRESH else topics
        self.error_code = error_code


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    return OffsetFetchResponse(0, [], topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    (error_code_1,) = _u_h(data, p)
    p += 2
    return OffsetFetchResponse(0, [], topics_1, error_code_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    (error_code_1,) = _u_h(data, p)
    p += 2
    return OffsetFetchResponse(throttle_time_ms_1, [], topics_1, error_code_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
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
        if n < 0 or n * 20 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_index_3, committed_offset_3, committed_leader_epoch_3, n = _u_iqih(data, p)
            p += 18
            if n == -1:
                metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("metadata", n, end - p)
                metadata_3 = data[p:q].tobytes().decode()
                p = q
            (error_code_3,) = _u_h(data, p)
            p += 2
            partitions_2.append(Partitions(partition_index_3, committed_offset_3, committed_leader_epoch_3, metadata_3, error_code_3))
        topics_1.append(Topics(name_2, partitions_2))
    (error_code_1,) = _u_h(data, p)
    p += 2
    return OffsetFetchResponse(throttle_time_ms_1, [], topics_1, error_code_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
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
            raise wrong_length("name", n, end - p)
        name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 20 > end - p or n > left[0]:
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
                metadata_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("metadata", n, end - p)
                metadata_3 = data[p:q].tobytes().decode()
                p = q
            error_code_3, n = _u_hB(data, p)
            p += 3
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_index_3, committed_offset_3, committed_leader_epoch_3, metadata_3, error_code_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, partitions_2))
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchResponse(throttle_time_ms_1, [], topics_1, error_code_1), p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[GroupsTopics] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 20 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3: list[GroupsTopicsPartitions] = []
            for _ in range(n):
                s_4, p = _read_GroupsTopicsPartitions_8(data, p, end, left)
                partitions_3.append(s_4)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(GroupsTopics(NO_UUID, name_3, partitions_3))
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, topics_2, error_code_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchResponse(throttle_time_ms_1, groups_1), p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("groups", n, end - p, left)
    left[0] -= n
    groups_1: list[Groups] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("group_id", n, end - p)
        group_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[GroupsTopics] = []
        for _ in range(n):
            topic_id_3, n = _u_16sB(data, p)
            p += 17
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 20 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3: list[GroupsTopicsPartitions] = []
            for _ in range(n):
                s_4, p = _read_GroupsTopicsPartitions_8(data, p, end, left)
                partitions_3.append(s_4)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(GroupsTopics(topic_id_3, '', partitions_3))
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, topics_2, error_code_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchResponse(throttle_time_ms_1, groups_1), p


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
    if n < 0 or n * 16 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, committed_offset_2, n = _u_iqh(data, p)
        p += 14
        if n == -1:
            metadata_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("metadata", n, end - p)
            metadata_2 = data[p:q].tobytes().decode()
            p = q
        (error_code_2,) = _u_h(data, p)
        p += 2
        partitions_1.append(Partitions(partition_index_2, committed_offset_2, -1, metadata_2, error_code_2))
    return Topics(name_1, partitions_1), p


def _read_GroupsTopicsPartitions_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupsTopicsPartitions, int]:
    partition_index_1, committed_offset_1, committed_leader_epoch_1, n = _u_iqiB(data, p)
    p += 17
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        metadata_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("metadata", n, end - p)
        metadata_1 = data[p:q].tobytes().decode()
        p = q
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return GroupsTopicsPartitions(partition_index_1, committed_offset_1, committed_leader_epoch_1, metadata_1, error_code_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)
    out += _p_h(m.error_code)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)
    out += _p_h(m.error_code)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.partitions
        out += _p_i(len(items_2))
        for e_2 in items_2:
            if e_2.metadata is None:
                n, b = -1, b""
            else:
                b = e_2.metadata.encode()
                n = len(b)
            out += _p_iqih(e_2.partition_index, e_2.committed_offset, e_2.committed_leader_epoch, n)
            out += b
            out += _p_h(e_2.error_code)
    out += _p_h(m.error_code)


def _write_6(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(m.throttle_time_ms)
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
            if e_2.metadata is None:
                out.append(0)
            else:
                b = e_2.metadata.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out += _p_hx(e_2.error_code)
        out.append(0)
    out += _p_hx(m.error_code)


def _write_8(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.topics
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            b = e_2.name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_3 = e_2.partitions
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                _write_GroupsTopicsPartitions_8(e_3, out)
            out.append(0)
        out += _p_hx(e_1.error_code)
    out.append(0)


def _write_10(m: Any, out: bytearray) -> None:
    items_1 = m.groups
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.group_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.topics
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.partitions
            out += _p_16s(e_2.topic_id)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                _write_GroupsTopicsPartitions_8(e_3, out)
            out.append(0)
        out += _p_hx(e_1.error_code)
    out.append(0)


def _write_Topics_1(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partitions
    out += _p_i(len(items_1))
    for e_1 in items_1:
        if e_1.metadata is None:
            n, b = -1, b""
        else:
            b = e_1.metadata.encode()
            n = len(b)
        out += _p_iqh(e_1.partition_index, e_1.committed_offset, n)
        out += b
        out += _p_h(e_1.error_code)


def _write_GroupsTopicsPartitions_8(m: Any, out: bytearray) -> None:
    out += _p_iqi(m.partition_index, m.committed_offset, m.committed_leader_epoch)
    if m.metadata is None:
        out.append(0)
    else:
        b = m.metadata.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_hx(m.error_code)


OffsetFetchResponse._READERS = {1: _read_1, 2: _read_2, 3: _read_3, 4: _read_3, 5: _read_5, 6: _read_6, 7: _read_6, 8: _read_8, 9: _read_8, 10: _read_10}
OffsetFetchResponse._WRITERS = {1: _write_1, 2: _write_2, 3: _write_3, 4: _write_3, 5: _write_5, 6: _write_6, 7: _write_6, 8: _write_8, 9: _write_8, 10: _write_10}
