"""CreateTopics request (key 19), versions 2-7, flexible from 5.

Generated from schemas/create_topics.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_ihi = _Struct(">ihi").unpack_from
_u_ii = _Struct(">ii").unpack_from
_u_it = _Struct(">i?").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_itB = _Struct(">i?B").unpack_from
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_ihi = _Struct(">ihi").pack
_p_ii = _Struct(">ii").pack
_p_it = _Struct(">i?").pack
_p_ih = _Struct(">ih").pack
_p_itx = _Struct(">i?x").pack


class Assignments(Struct):
    __slots__ = ("partition_index", "broker_ids")

    def __init__(
        self,
        partition_index: int = 0,
        broker_ids: list[int] = FRESH,
    ) -> None:
        self.partition_index = partition_index
        self.broker_ids = [] if broker_ids is FRESH else broker_ids


class Configs(Struct):
    __slots__ = ("name", "value")

    def __init__(
        self,
        name: str = '',
        value: str | None = '',
    ) -> None:
        self.name = name
        self.value = value


class Topics(Struct):
    __slots__ = ("name", "num_partitions", "replication_factor", "assignments", "configs")

    def __init__(
        self,
        name: str = '',
        num_partitions: int = 0,
        replication_factor: int = 0,
        assignments: list[Assignments] = FRESH,
        configs: list[Configs] = FRESH,
    ) -> None:
        self.name = name
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.assignments = [] if assignments is FRESH else assignments
        self.configs = [] if configs is FRESH else configs


class CreateTopicsRequest(Message):
    __slots__ = ("topics", "timeout_ms", "validate_only")
    API_KEY = 19
    MIN_VERSION = 2
    MAX_VERSION = 7
    FLEXIBLE_FROM = 5

    def __init__(
        self,
        topics: list[Topics] = FRESH,
        timeout_ms: int = 60000,
        validate_only: bool = False,
    ) -> None:
        self.topics = [] if topics is FRESH else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateTopicsRequest, int]:
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 16 > end - p or n > left[0]:
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
        num_partitions_2, replication_factor_2, n = _u_ihi(data, p)
        p += 10
        if n < 0 or n * 8 > end - p or n > left[0]:
            raise wrong_count("assignments", n, end - p, left)
        left[0] -= n
        assignments_2: list[Assignments] = []
        for _ in range(n):
            partition_index_3, n = _u_ii(data, p)
            p += 8
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("broker_ids", n, end - p, left)
            left[0] -= n
            broker_ids_3, p = read_numbers("i", 4, data, p, n)
            assignments_2.append(Assignments(partition_index_3, broker_ids_3))
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("configs", n, end - p, left)
        left[0] -= n
        configs_2: list[Configs] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_4 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            if n == -1:
                value_4 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("value", n, end - p)
                value_4 = data[p:q].tobytes().decode()
                p = q
            configs_2.append(Configs(name_4, value_4))
        topics_1.append(Topics(name_2, num_partitions_2, replication_factor_2, assignments_2, configs_2))
    timeout_ms_1, validate_only_1 = _u_it(data, p)
    p += 5
    return CreateTopicsRequest(topics_1, timeout_ms_1, validate_only_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateTopicsRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 10 > end - p or n > left[0]:
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
        num_partitions_2, replication_factor_2, n = _u_ihB(data, p)
        p += 7
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 6 > end - p or n > left[0]:
            raise wrong_count("assignments", n, end - p, left)
        left[0] -= n
        assignments_2: list[Assignments] = []
        for _ in range(n):
            partition_index_3, n = _u_iB(data, p)
            p += 5
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("broker_ids", n, end - p, left)
            left[0] -= n
            broker_ids_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            assignments_2.append(Assignments(partition_index_3, broker_ids_3))
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("configs", n, end - p, left)
        left[0] -= n
        configs_2: list[Configs] = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("name", n, end - p)
            name_4 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                value_4 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("value", n, end - p)
                value_4 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            configs_2.append(Configs(name_4, value_4))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        topics_1.append(Topics(name_2, num_partitions_2, replication_factor_2, assignments_2, configs_2))
    timeout_ms_1, validate_only_1, n = _u_itB(data, p)
    p += 6
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateTopicsRequest(topics_1, timeout_ms_1, validate_only_1), p


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.topics
    out += _p_i(len(items_1))
    for e_1 in items_1:
        b = e_1.name.encode()
        out += _p_h(len(b))
        out += b
        items_2 = e_1.assignments
        out += _p_ihi(e_1.num_partitions, e_1.replication_factor, len(items_2))
        for e_2 in items_2:
            items_3 = e_2.broker_ids
            out += _p_ii(e_2.partition_index, len(items_3))
            if items_3:
                put_numbers(out, "i", items_3)
        items_4 = e_1.configs
        out += _p_i(len(items_4))
        for e_4 in items_4:
            b = e_4.name.encode()
            out += _p_h(len(b))
            out += b
            if e_4.value is None:
                n, b = -1, b""
            else:
                b = e_4.value.encode()
                n = len(b)
            out += _p_h(n)
            out += b
    out += _p_it(m.timeout_ms, m.validate_only)


def _write_5(m: Any, out: bytearray) -> None:
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
        items_2 = e_1.assignments
        out += _p_ih(e_1.num_partitions, e_1.replication_factor)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            items_3 = e_2.broker_ids
            out += _p_i(e_2.partition_index)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_3:
                put_numbers(out, "i", items_3)
            out.append(0)
        items_4 = e_1.configs
        n = len(items_4) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_4 in items_4:
            b = e_4.name.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            if e_4.value is None:
                out.append(0)
            else:
                b = e_4.value.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out.append(0)
        out.append(0)
    out += _p_itx(m.timeout_ms, m.validate_only)


CreateTopicsRequest._READERS = {2: _read_2, 3: _read_2, 4: _read_2, 5: _read_5, 6: _read_5, 7: _read_5}
CreateTopicsRequest._WRITERS = {2: _write_2, 3: _write_2, 4: _write_2, 5: _write_5, 6: _write_5, 7: _write_5}
