"""Metadata request (key 3), versions 0-13, flexible from 9.

Generated from schemas/metadata.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_t = _Struct(">?").unpack_from
_u_ttt = _Struct(">???").unpack_from
_u_tttB = _Struct(">???B").unpack_from
_u_ttB = _Struct(">??B").unpack_from
_u_h = _Struct(">h").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_i = _Struct(">i").pack
_p_t = _Struct(">?").pack
_p_ttt = _Struct(">???").pack
_p_tttx = _Struct(">???x").pack
_p_ttx = _Struct(">??x").pack
_p_h = _Struct(">h").pack
_p_16s = _Struct(">16s").pack


class Topics(Struct):
    __slots__ = ("topic_id", "name")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        name: str | None = '',
    ) -> None:
        self.topic_id = topic_id
        self.name = name


class MetadataRequest(Message):
    __slots__ = ("topics", "allow_auto_topic_creation", "include_cluster_authorized_operations", "include_topic_authorized_operations")
    API_KEY = 3
    MIN_VERSION = 0
    MAX_VERSION = 13
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        topics: list[Topics] | None = FRESH,
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.allow_auto_topic_creation = allow_auto_topic_creation
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.include_topic_authorized_operations = include_topic_authorized_operations


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        s_2, p = _read_Topics_0(data, p, end, left)
        topics_1.append(s_2)
    return MetadataRequest(topics_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 2 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_0(data, p, end, left)
            topics_1.append(s_2)
    return MetadataRequest(topics_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 2 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_0(data, p, end, left)
            topics_1.append(s_2)
    (allow_auto_topic_creation_1,) = _u_t(data, p)
    p += 1
    return MetadataRequest(topics_1, allow_auto_topic_creation_1), p


def _read_8(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 2 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_0(data, p, end, left)
            topics_1.append(s_2)
    allow_auto_topic_creation_1, include_cluster_authorized_operations_1, include_topic_authorized_operations_1 = _u_ttt(data, p)
    p += 3
    return MetadataRequest(topics_1, allow_auto_topic_creation_1, include_cluster_authorized_operations_1, include_topic_authorized_operations_1), p


def _read_9(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 2 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
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
            if n:
                p = skip_tags(data, p - 1, end)
            topics_1.append(Topics(NO_UUID, name_2))
    allow_auto_topic_creation_1, include_cluster_authorized_operations_1, include_topic_authorized_operations_1, n = _u_tttB(data, p)
    p += 4
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataRequest(topics_1, allow_auto_topic_creation_1, include_cluster_authorized_operations_1, include_topic_authorized_operations_1), p


def _read_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_10(data, p, end, left)
            topics_1.append(s_2)
    allow_auto_topic_creation_1, include_cluster_authorized_operations_1, include_topic_authorized_operations_1, n = _u_tttB(data, p)
    p += 4
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataRequest(topics_1, allow_auto_topic_creation_1, include_cluster_authorized_operations_1, include_topic_authorized_operations_1), p


def _read_11(data: memoryview, p: int, end: int, left: list[int]) -> tuple[MetadataRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    topics_1: list[Topics] | None = None
    if n != -1:
        if n < 0 or n * 18 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_1 = []
        for _ in range(n):
            s_2, p = _read_Topics_10(data, p, end, left)
            topics_1.append(s_2)
    allow_auto_topic_creation_1, include_topic_authorized_operations_1, n = _u_ttB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return MetadataRequest(topics_1, allow_auto_topic_creation_1, False, include_topic_authorized_operations_1), p


def _read_Topics_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("name", n, end - p)
    name_1 = data[p:q].tobytes().decode()
    p = q
    return Topics(NO_UUID, name_1), p


def _read_Topics_10(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
    topic_id_1, n = _u_16sB(data, p)
    p += 17
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        name_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("name", n, end - p)
        name_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(topic_id_1, name_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        _write_Topics_0(e_1, out)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        _write_Topics_0(e_1, out)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        _write_Topics_0(e_1, out)
    out += _p_t(m.allow_auto_topic_creation)


def _write_8(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(-1 if items_1 is None else len(items_1))
    for e_1 in items_1 or ():
        _write_Topics_0(e_1, out)
    out += _p_ttt(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations)


def _write_9(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        b = e_1.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    out += _p_tttx(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations)


def _write_10(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        _write_Topics_10(e_1, out)
    out += _p_tttx(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations)


def _write_11(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        _write_Topics_10(e_1, out)
    out += _p_ttx(m.allow_auto_topic_creation, m.include_topic_authorized_operations)


def _write_Topics_0(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    out += _p_h(len(b))
    out += b


def _write_Topics_10(m: Any, out: bytearray) -> None:
    out += _p_16s(m.topic_id)
    if m.name is None:
        out.append(0)
    else:
        b = m.name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out.append(0)


MetadataRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_1, 3: _read_1, 4: _read_4, 5: _read_4, 6: _read_4, 7: _read_4, 8: _read_8, 9: _read_9, 10: _read_10, 11: _read_11, 12: _read_11, 13: _read_11}
MetadataRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_1, 3: _write_1, 4: _write_4, 5: _write_4, 6: _write_4, 7: _write_4, 8: _write_8, 9: _write_9, 10: _write_10, 11: _write_11, 12: _write_11, 13: _write_11}
