"""DeleteTopics request (key 20), versions 1-6, flexible from 4.

Generated from schemas/delete_topics.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_16sB = _Struct(">16sB").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ix = _Struct(">ix").pack
_p_16sx = _Struct(">16sx").pack


class Topics(Struct):
    __slots__ = ("name", "topic_id")

    def __init__(
        self,
        name: str | None = None,
        topic_id: bytes = NO_UUID,
    ) -> None:
        self.name = name
        self.topic_id = topic_id


class DeleteTopicsRequest(Message):
    __slots__ = ("topics", "topic_names", "timeout_ms")
    API_KEY = 20
    MIN_VERSION = 1
    MAX_VERSION = 6
    FLEXIBLE_FROM = 4

    def __init__(
        self,
        topics: list[Topics] = FRESH,
        topic_names: list[str] = FRESH,
        timeout_ms: int = 0,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.topic_names = [] if topic_names is FRESH else topic_names
        self.timeout_ms = timeout_ms


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteTopicsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 2 > end - p or n > left[0]:
        raise wrong_count("topic_names", n, end - p, left)
    left[0] -= n
    topic_names_1: list[str] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_names", n, end - p)
        topic_names_1_element = data[p:q].tobytes().decode()
        p = q
        topic_names_1.append(topic_names_1_element)
    (timeout_ms_1,) = _u_i(data, p)
    p += 4
    return DeleteTopicsRequest([], topic_names_1, timeout_ms_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteTopicsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n > end - p or n > left[0]:
        raise wrong_count("topic_names", n, end - p, left)
    left[0] -= n
    topic_names_1: list[str] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic_names", n, end - p)
        topic_names_1_element = data[p:q].tobytes().decode()
        p = q
        topic_names_1.append(topic_names_1_element)
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DeleteTopicsRequest([], topic_names_1, timeout_ms_1), p


def _read_6(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DeleteTopicsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("topics", n, end - p, left)
    left[0] -= n
    topics_1: list[Topics] = []
    for _ in range(n):
        n = data[p]
        p += 1
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
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, topic_id_2))
    timeout_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DeleteTopicsRequest(topics_1, [], timeout_ms_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.topic_names
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.encode()
        out += _p_h(len(b))
        out += b
    out += _p_i(m.timeout_ms)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.topic_names
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_ix(m.timeout_ms)


def _write_6(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
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
        out += _p_16sx(e_1.topic_id)
    out += _p_ix(m.timeout_ms)


DeleteTopicsRequest._READERS = {1: _read_1, 2: _read_1, 3: _read_1, 4: _read_4, 5: _read_4, 6: _read_6}
DeleteTopicsRequest._WRITERS = {1: _write_1, 2: _write_1, 3: _write_1, 4: _write_4, 5: _write_4, 6: _write_6}
