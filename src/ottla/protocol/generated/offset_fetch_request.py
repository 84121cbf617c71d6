"""OffsetFetch request (key 9), versions 1-10, flexible from 6.

Generated from schemas/offset_fetch.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_tB = _Struct(">?B").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_tx = _Struct(">?x").pack
_p_16s = _Struct(">16s").pack


class GroupsTopics(Struct):
    __slots__ = ("topic_id", "name", "partition_indexes")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        name: str = '',
        partition_indexes: list[int] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.name = name
        self.partition_indexes = [] if partition_indexes is FRESH else partition_indexes


class Groups(Struct):
    __slots__ = ("group_id", "member_id", "member_epoch", "topics")

    def __init__(
        self,
        group_id: str = '',
        member_id: str | None = None,
        member_epoch: int = -1,
        topics: list[GroupsTopics] | None = FRESH,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.topics = [] if topics is FRESH else topics


class Topics(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: str = '',
        partition_indexes: list[int] = FRESH,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is FRESH else partition_indexes


class OffsetFetchRequest(Message):
    __slots__ = ("groups", "group_id", "topics", "require_stable")
    API_KEY = 9
    MIN_VERSION = 1
    MAX_VERSION = 10
    FLEXIBLE_FROM = 6

    def __init__(
        self,
        groups: list[Groups] = FRESH,
        group_id: str = '',
        topics: list[Topics] | None = FRESH,
        require_stable: bool = False,
    ) -> None:
        self.groups = [] if groups is FRESH else groups
        self.group_id = group_id
        self.topics = [] if topics is FRESH else topics
        self.require_stable = require_stable


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_1(data, p, end, left)
        topics_1.append(s_2)
    return OffsetFetchRequest([], group_id_1, topics_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("group_id", n, end - p)
    group_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_1(data, p, end, left)
            topics_1.append(s_2)
    return OffsetFetchRequest([], group_id_1, topics_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
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
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_6(data, p, end, left)
            topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchRequest([], group_id_1, topics_1), p


def _read_7(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
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
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_6(data, p, end, left)
            topics_1.append(s_2)
    require_stable_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchRequest([], group_id_1, topics_1, require_stable_1), p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
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
        topics_2: list[GroupsTopics] | None = None
        if n != -1:
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("topics", n, end - p, left)
            left[0] -= n
            topics_2 = []
            for _ in range(n):
                s_3, p = _read_GroupsTopics_8(data, p, end, left)
                topics_2.append(s_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, None, -1, topics_2))
    require_stable_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchRequest(groups_1, '', [], require_stable_1), p


def _read_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
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
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            member_id_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("member_id", n, end - p)
            member_id_2 = data[p:q].tobytes().decode()
            p = q
        member_epoch_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        topics_2: list[GroupsTopics] | None = None
        if n != -1:
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("topics", n, end - p, left)
            left[0] -= n
            topics_2 = []
            for _ in range(n):
                s_3, p = _read_GroupsTopics_8(data, p, end, left)
                topics_2.append(s_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, member_id_2, member_epoch_2, topics_2))
    require_stable_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchRequest(groups_1, '', [], require_stable_1), p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[OffsetFetchRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 8 > end - p or n > left[0]:
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
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            member_id_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("member_id", n, end - p)
            member_id_2 = data[p:q].tobytes().decode()
            p = q
        member_epoch_2, n = _u_iB(data, p)
        p += 5
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        topics_2: list[GroupsTopics] | None = None
        if n != -1:
            if n < 0 or n * 18 > end - p or n > left[0]:
                raise wrong_count("topics", n, end - p, left)
            left[0] -= n
            topics_2 = []
            for _ in range(n):
                topic_id_3, n = _u_16sB(data, p)
                p += 17
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("partition_indexes", n, end - p, left)
                left[0] -= n
                partition_indexes_3, p = read_numbers("i", 4, data, p, n)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                topics_2.append(GroupsTopics(topic_id_3, '', partition_indexes_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        groups_1.append(Groups(group_id_2, member_id_2, member_epoch_2, topics_2))
    require_stable_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return OffsetFetchRequest(groups_1, '', [], require_stable_1), p


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
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partition_indexes", n, end - p, left)
    left[0] -= n
    partition_indexes_1, p = read_numbers("i", 4, data, p, n)
    return Topics(name_1, partition_indexes_1), p


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
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partition_indexes", n, end - p, left)
    left[0] -= n
    partition_indexes_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(name_1, partition_indexes_1), p


def _read_GroupsTopics_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[GroupsTopics, int]:
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
    if n < 0 or n * 4 > end - p or n > left[0]:
        raise wrong_count("partition_indexes", n, end - p, left)
    left[0] -= n
    partition_indexes_1, p = read_numbers("i", 4, data, p, n)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return GroupsTopics(NO_UUID, name_1, partition_indexes_1), p


def _write_1(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Topics_1(e_1, out)


def _write_2(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.topics
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        _write_Topics_1(e_1, out)


def _write_6(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.topics
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        _write_Topics_6(e_1, out)
    out.append(0)


def _write_7(m: Any, out: bytearray) -> None:
    b = m.group_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.topics
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        _write_Topics_6(e_1, out)
    out += _p_tx(m.require_stable)


def _write_8(m: Any, out: bytearray) -> None:
    items_1 = m.groups
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
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            _write_GroupsTopics_8(e_2, out)
        out.append(0)
    out += _p_tx(m.require_stable)


def _write_9(m: Any, out: bytearray) -> None:
    items_1 = m.groups
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
        if e_1.member_id is None:
            out.append(0)
        else:
            b = e_1.member_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        items_2 = e_1.topics
        out += _p_i(e_1.member_epoch)
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            _write_GroupsTopics_8(e_2, out)
        out.append(0)
    out += _p_tx(m.require_stable)


def _write_10(m: Any, out: bytearray) -> None:
    items_1 = m.groups
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
        if e_1.member_id is None:
            out.append(0)
        else:
            b = e_1.member_id.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        items_2 = e_1.topics
        out += _p_i(e_1.member_epoch)
        n = 0 if items_2 is None else len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2 or ():
            items_3 = e_2.partition_indexes
            out += _p_16s(e_2.topic_id)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "i", items_3)
            out.append(0)
        out.append(0)
    out += _p_tx(m.require_stable)


def _write_Topics_1(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partition_indexes
    out += _p_i(len(items_1))
    if items_1:
        put_numbers(out, "i", items_1)


def _write_Topics_6(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partition_indexes
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    out.append(0)


def _write_GroupsTopics_8(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partition_indexes
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    if items_1:
        put_numbers(out, "i", items_1)
    out.append(0)


OffsetFetchRequest._READERS = {1: _read_1, 2: _read_2, 3: _read_2, 4: _read_2, 5: _read_2, 6: _read_6, 7: _read_7, 8: _read_8, 9: _read_9, 10: _read_10}
OffsetFetchRequest._WRITERS = {1: _write_1, 2: _write_2, 3: _write_2, 4: _write_2, 5: _write_2, 6: _write_6, 7: _write_7, 8: _write_8, 9: _write_9, 10: _write_10}
