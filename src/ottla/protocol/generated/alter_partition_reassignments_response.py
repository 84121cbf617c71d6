"""AlterPartitionReassignments response (key 45), versions 0-1, flexible from 0.

Generated from schemas/alter_partition_reassignments.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_ithB = _Struct(">i?hB").unpack_from
_p_ih = _Struct(">ih").pack
_p_ith = _Struct(">i?h").pack


class Partitions(Struct):
    __slots__ = ("partition_index", "error_code", "error_message")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message


class Responses(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = '',
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is FRESH else partitions


class AlterPartitionReassignmentsResponse(Message):
    __slots__ = ("throttle_time_ms", "allow_replication_factor_change", "error_code", "error_message", "responses")
    API_KEY = 45
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        allow_replication_factor_change: bool = True,
        error_code: int = 0,
        error_message: str | None = '',
        responses: list[Responses] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.error_code = error_code
        self.error_message = error_message
        self.responses = [] if responses is FRESH else responses


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterPartitionReassignmentsResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in range(n):
        s_2, p = _read_Responses_0(data, p, end, left)
        responses_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterPartitionReassignmentsResponse(throttle_time_ms_1, True, error_code_1, error_message_1, responses_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[AlterPartitionReassignmentsResponse, int]:
    throttle_time_ms_1, allow_replication_factor_change_1, error_code_1, n = _u_ithB(data, p)
    p += 8
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("responses", n, end - p, left)
    left[0] -= n
    responses_1: list[Responses] = []
    for _ in range(n):
        s_2, p = _read_Responses_0(data, p, end, left)
        responses_1.append(s_2)
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return AlterPartitionReassignmentsResponse(throttle_time_ms_1, allow_replication_factor_change_1, error_code_1, error_message_1, responses_1), p


def _read_Responses_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Responses, int]:
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
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("partitions", n, end - p, left)
    left[0] -= n
    partitions_1: list[Partitions] = []
    for _ in range(n):
        partition_index_2, error_code_2, n = _u_ihB(data, p)
        p += 7
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        partitions_1.append(Partitions(partition_index_2, error_code_2, error_message_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return Responses(name_1, partitions_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.responses
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Responses_0(e_1, out)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_ith(m.throttle_time_ms, m.allow_replication_factor_change, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    items_1 = m.responses
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        _write_Responses_0(e_1, out)
    out.append(0)


def _write_Responses_0(m: Any, out: bytearray) -> None:
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
        out += _p_ih(e_1.partition_index, e_1.error_code)
        if e_1.error_message is None:
            out.append(0)
        else:
            b = e_1.error_message.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
        out.append(0)
    out.append(0)


AlterPartitionReassignmentsResponse._READERS = {0: _read_0, 1: _read_1}
AlterPartitionReassignmentsResponse._WRITERS = {0: _write_0, 1: _write_1}
