"""DescribeLogDirs response (key 35), versions 1-5, flexible from 2.

Generated from schemas/describe_log_dirs.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_hh = _Struct(">hh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_h = _Struct(">h").unpack_from
_u_iqqt = _Struct(">iqq?").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_qqB = _Struct(">qqB").unpack_from
_u_qqtB = _Struct(">qq?B").unpack_from
_u_iqqtB = _Struct(">iqq?B").unpack_from
_p_ii = _Struct(">ii").pack
_p_hh = _Struct(">hh").pack
_p_i = _Struct(">i").pack
_p_h = _Struct(">h").pack
_p_iqqt = _Struct(">iqq?").pack
_p_ih = _Struct(">ih").pack
_p_qqx = _Struct(">qqx").pack
_p_qqtx = _Struct(">qq?x").pack
_p_iqqtx = _Struct(">iqq?x").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "partition_size", "offset_lag", "is_future_key")

    def __init__(
        self,
        partition_index: int = 0,
        partition_size: int = 0,
        offset_lag: int = 0,
        is_future_key: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.partition_size = partition_size
        self.offset_lag = offset_lag
        self.is_future_key = is_future_key


class Topics(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class Results(Struct):
    __slots__ = ("error_code", "log_dir", "topics", "total_bytes", "usable_bytes", "is_cordoned")

    def __init__(
        self,
        error_code: int = 0,
        log_dir: str = '',
        topics: list[Topics] = FRESH,
        total_bytes: int = -1,
        usable_bytes: int = -1,
        is_cordoned: bool = False,
    ) -> None:
        self.error_code = error_code
        self.log_dir = log_dir
        self.topics = [] if topics is FRESH else topics
        self.total_bytes = total_bytes
        self.usable_bytes = usable_bytes
        self.is_cordoned = is_cordoned


class DescribeLogDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results")
    API_KEY = 35
    MIN_VERSION = 1
    MAX_VERSION = 5
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results: list[Results] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results = [] if results is FRESH else results


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        error_code_2, n = _u_hh(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("log_dir", n, end - p)
        log_dir_2 = data[p:q].tobytes().decode()
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
            if n < 0 or n * 21 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3: list[Partitions] = []
            for _ in range(n):
                partition_index_4, partition_size_4, offset_lag_4, is_future_key_4 = _u_iqqt(data, p)
                p += 21
                partitions_3.append(Partitions(partition_index_4, partition_size_4, offset_lag_4, is_future_key_4))
            topics_2.append(Topics(name_3, partitions_3))
        results_1.append(Results(error_code_2, log_dir_2, topics_2))
    return DescribeLogDirsResponse(throttle_time_ms_1, 0, results_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        s_2, p = _read_Results_2(data, p, end, left)
        results_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeLogDirsResponse(throttle_time_ms_1, 0, results_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        s_2, p = _read_Results_2(data, p, end, left)
        results_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeLogDirsResponse(throttle_time_ms_1, error_code_1, results_1), p


def _read_4(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 21 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("log_dir", n, end - p)
        log_dir_2 = data[p:q].tobytes().decode()
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
            s_3, p = _read_Topics_2(data, p, end, left)
            topics_2.append(s_3)
        total_bytes_2, usable_bytes_2, n = _u_qqB(data, p)
        p += 17
        if n:
            p = skip_tags(data, p - 1, end)
        results_1.append(Results(error_code_2, log_dir_2, topics_2, total_bytes_2, usable_bytes_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeLogDirsResponse(throttle_time_ms_1, error_code_1, results_1), p


def _read_5(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 22 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        error_code_2, n = _u_hB(data, p)
        p += 3
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("log_dir", n, end - p)
        log_dir_2 = data[p:q].tobytes().decode()
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
            s_3, p = _read_Topics_2(data, p, end, left)
            topics_2.append(s_3)
        total_bytes_2, usable_bytes_2, is_cordoned_2, n = _u_qqtB(data, p)
        p += 18
        if n:
            p = skip_tags(data, p - 1, end)
        results_1.append(Results(error_code_2, log_dir_2, topics_2, total_bytes_2, usable_bytes_2, is_cordoned_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeLogDirsResponse(throttle_time_ms_1, error_code_1, results_1), p


def _read_Results_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Results, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("log_dir", n, end - p)
    log_dir_1 = data[p:q].tobytes().decode()
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
        s_2, p = _read_Topics_2(data, p, end, left)
        topics_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Results(error_code_1, log_dir_1, topics_1), p


def _read_Topics_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Topics, int]:
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
    if n < 0 or n * 22 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, partition_size_2, offset_lag_2, is_future_key_2, n = _u_iqqtB(data, p)
        p += 22
        if n:
            p = skip_tags(data, p - 1, end)
        partitions_1.append(Partitions(partition_index_2, partition_size_2, offset_lag_2, is_future_key_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Topics(name_1, partitions_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        b = e_1.log_dir.encode()
        out += _p_hh(e_1.error_code, len(b))
        out += b
        items_2 = e_1.topics
        out += _p_i(len(items_2))
        for e_2 in items_2:
            b = e_2.name.encode()
            out += _p_h(len(b))
            out += b
            items_3 = e_2.partitions
            out += _p_i(len(items_3))
            for e_3 in items_3:
                out += _p_iqqt(e_3.partition_index, e_3.partition_size, e_3.offset_lag, e_3.is_future_key)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_i(m.throttle_time_ms)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Results_2(e_1, out)
    out.append(0)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Results_2(e_1, out)
    out.append(0)


def _write_4(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        b = e_1.log_dir.encode()
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
            _write_Topics_2(e_2, out)
        out += _p_qqx(e_1.total_bytes, e_1.usable_bytes)
    out.append(0)


def _write_5(m: Any, out: bytearray) -> None:
    items_1 = m.results
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_h(e_1.error_code)
        b = e_1.log_dir.encode()
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
            _write_Topics_2(e_2, out)
        out += _p_qqtx(e_1.total_bytes, e_1.usable_bytes, e_1.is_cordoned)
    out.append(0)


def _write_Results_2(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)
    b = m.log_dir.encode()
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
        _write_Topics_2(e_1, out)
    out.append(0)


def _write_Topics_2(m: Any, out: bytearray) -> None:
    b = m.name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.partitions
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_iqqtx(e_1.partition_index, e_1.partition_size, e_1.offset_lag, e_1.is_future_key)
    out.append(0)


DescribeLogDirsResponse._READERS = {1: _read_1, 2: _read_2, 3: _read_3, 4: _read_4, 5: _read_5}
DescribeLogDirsResponse._WRITERS = {1: _write_1, 2: _write_2, 3: _write_3, 4: _write_4, 5: _write_5}
