"""AlterReplicaLogDirs request (key 34), versions 1-2, flexible from 2.

Generated from schemas/alter_replica_log_dirs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class Dirs(Struct):
    __slots__ = ("path", "topics")

    def __init__(
        self,
        path: str = '',
        topics: list[Topics] = FRESH,
    ) -> None:
        self.path = path
        self.topics = [] if topics is FRESH else topics


class AlterReplicaLogDirsRequest(Message):
    __slots__ = ("dirs",)
    API_KEY = 34
    MIN_VERSION = 1
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        dirs: list[Dirs] = FRESH,
    ) -> None:
        self.dirs = [] if dirs is FRESH else dirs


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterReplicaLogDirsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("dirs", n, end - p, left)
    left[0] -= n
    dirs_1: list[Dirs] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("path", n, end - p)
        path_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_i(data, p)
            p += 4
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3, p = read_numbers("i", 4, data, p, n)
            topics_2.append(Topics(name_3, partitions_3))
        dirs_1.append(Dirs(path_2, topics_2))
    return AlterReplicaLogDirsRequest(dirs_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterReplicaLogDirsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("dirs", n, end - p, left)
    left[0] -= n
    dirs_1: list[Dirs] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("path", n, end - p)
        path_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("topics", n, end - p, left)
        left[0] -= n
        topics_2: list[Topics] = []
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
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            topics_2.append(Topics(name_3, partitions_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        dirs_1.append(Dirs(path_2, topics_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterReplicaLogDirsRequest(dirs_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.dirs
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.path.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.topics
        out += _p_i(len(items_2))
        for e_2 in items_2:
            b = e_2.name.encode()
            out += _p_h(len(b))
            out += b
            items_3 = e_2.partitions
            out += _p_i(len(items_3))
            if items_3:
                put_numbers(out, "i", items_3)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.dirs
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.path.encode()
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
            if items_3:
                put_numbers(out, "i", items_3)
            out.append(0)
        out.append(0)
    out.append(0)


AlterReplicaLogDirsRequest._READERS = {1: _read_1, 2: _read_2}
AlterReplicaLogDirsRequest._WRITERS = {1: _write_1, 2: _write_2}
