"""ElectLeaders response (key 43), versions 0-2, flexible from 2.

Generated from schemas/elect_leaders.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_ii = _Struct(">ii").unpack_from
_u_ihi = _Struct(">ihi").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_h = _Struct(">h").unpack_from
_u_i = _Struct(">i").unpack_from
_u_ihh = _Struct(">ihh").unpack_from
_p_ii = _Struct(">ii").pack
_p_ihi = _Struct(">ihi").pack
_p_ih = _Struct(">ih").pack
_p_h = _Struct(">h").pack
_p_i = _Struct(">i").pack
_p_ihh = _Struct(">ihh").pack


class PartitionResult(Struct):
    __slots__ = ("partition_id", "error_code", "error_message")

    def __init__(
        self,
        partition_id: int = 0,
        error_code: int = 0,
        error_message: str | None = '',
    ) -> None:
        self.partition_id = partition_id
        self.error_code = error_code
        self.error_message = error_message


class ReplicaElectionResults(Struct):
    __slots__ = ("topic", "partition_result")

    def __init__(
        self,
        topic: str = '',
        partition_result: list[PartitionResult] = FRESH,
    ) -> None:
        self.topic = topic
        self.partition_result = [] if partition_result is FRESH else partition_result


class ElectLeadersResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "replica_election_results")
    API_KEY = 43
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        replica_election_results: list[ReplicaElectionResults] = FRESH,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.replica_election_results = [] if replica_election_results is FRESH else replica_election_results


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ElectLeadersResponse, int]:
    throttle_time_ms_1, n = _u_ii(data, p)
    p += 8
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("replica_election_results", n, end - p, left)
    left[0] -= n
    replica_election_results_1: list[ReplicaElectionResults] = []
    for _ in range(n):
        s_2, p = _read_ReplicaElectionResults_0(data, p, end, left)
        replica_election_results_1.append(s_2)
    return ElectLeadersResponse(throttle_time_ms_1, 0, replica_election_results_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ElectLeadersResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihi(data, p)
    p += 10
    if n < 0 or n * 6 > end - p or n > left[0]:
        raise wrong_count("replica_election_results", n, end - p, left)
    left[0] -= n
    replica_election_results_1: list[ReplicaElectionResults] = []
    for _ in range(n):
        s_2, p = _read_ReplicaElectionResults_0(data, p, end, left)
        replica_election_results_1.append(s_2)
    return ElectLeadersResponse(throttle_time_ms_1, error_code_1, replica_election_results_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ElectLeadersResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 3 > end - p or n > left[0]:
        raise wrong_count("replica_election_results", n, end - p, left)
    left[0] -= n
    replica_election_results_1: list[ReplicaElectionResults] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("topic", n, end - p)
        topic_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 8 > end - p or n > left[0]:
            raise wrong_count("partition_result", n, end - p, left)
        left[0] -= n
        partition_result_2: list[PartitionResult] = []
        for _ in range(n):
            partition_id_3, error_code_3, n = _u_ihB(data, p)
            p += 7
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            if n == -1:
                error_message_3 = None
            else:
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("error_message", n, end - p)
                error_message_3 = data[p:q].tobytes().decode()
                p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partition_result_2.append(PartitionResult(partition_id_3, error_code_3, error_message_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        replica_election_results_1.append(ReplicaElectionResults(topic_2, partition_result_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ElectLeadersResponse(throttle_time_ms_1, error_code_1, replica_election_results_1), p


def _read_ReplicaElectionResults_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ReplicaElectionResults, int]:
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("topic", n, end - p)
    topic_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    if n < 0 or n * 8 > end - p or n > left[0]:
        raise wrong_count("partition_result", n, end - p, left)
    left[0] -= n
    partition_result_1: list[PartitionResult] = []
    for _ in range(n):
        partition_id_2, error_code_2, n = _u_ihh(data, p)
        p += 8
        if n == -1:
            error_message_2 = None
        else:
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("error_message", n, end - p)
            error_message_2 = data[p:q].tobytes().decode()
            p = q
        partition_result_1.append(PartitionResult(partition_id_2, error_code_2, error_message_2))
    return ReplicaElectionResults(topic_1, partition_result_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.replica_election_results
    out += _p_ii(m.throttle_time_ms, len(items_1))
    for e_1 in items_1:
        _write_ReplicaElectionResults_0(e_1, out)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.replica_election_results
    out += _p_ihi(m.throttle_time_ms, m.error_code, len(items_1))
    for e_1 in items_1:
        _write_ReplicaElectionResults_0(e_1, out)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.replica_election_results
    out += _p_ih(m.throttle_time_ms, m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.topic.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_2 = e_1.partition_result
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_ih(e_2.partition_id, e_2.error_code)
            if e_2.error_message is None:
                out.append(0)
            else:
                b = e_2.error_message.encode()
                n = len(b) + 1
                if n < 128:
                    out.append(n)
                else:
                    put_string_length(out, n)
                out += b
            out.append(0)
        out.append(0)
    out.append(0)


def _write_ReplicaElectionResults_0(m: Any, out: bytearray) -> None:
    b = m.topic.encode()
    out += _p_h(len(b))
    out += b
    items_1 = m.partition_result
    out += _p_i(len(items_1))
    for e_1 in items_1:
        if e_1.error_message is None:
            n, b = -1, b""
        else:
            b = e_1.error_message.encode()
            n = len(b)
        out += _p_ihh(e_1.partition_id, e_1.error_code, n)
        out += b


ElectLeadersResponse._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
ElectLeadersResponse._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
