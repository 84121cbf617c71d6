"""DescribeCluster request (key 60), versions 0-2, flexible from 0.

Generated from schemas/describe_cluster.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import skip_tags

_u_tB = _Struct(">?B").unpack_from
_u_tbB = _Struct(">?bB").unpack_from
_u_tbtB = _Struct(">?b?B").unpack_from
_p_tx = _Struct(">?x").pack
_p_tbx = _Struct(">?bx").pack
_p_tbtx = _Struct(">?b?x").pack


class DescribeClusterRequest(Message):
    __slots__ = ("include_cluster_authorized_operations", "endpoint_type", "include_fenced_brokers")
    API_KEY = 60
    MIN_VERSION = 0
    MAX_VERSION = 2
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        include_cluster_authorized_operations: bool = False,
        endpoint_type: int = 1,
        include_fenced_brokers: bool = False,
    ) -> None:
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.endpoint_type = endpoint_type
        self.include_fenced_brokers = include_fenced_brokers


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations_1, n = _u_tB(data, p)
    p += 2
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClusterRequest(include_cluster_authorized_operations_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations_1, endpoint_type_1, n = _u_tbB(data, p)
    p += 3
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClusterRequest(include_cluster_authorized_operations_1, endpoint_type_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations_1, endpoint_type_1, include_fenced_brokers_1, n = _u_tbtB(data, p)
    p += 4
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeClusterRequest(include_cluster_authorized_operations_1, endpoint_type_1, include_fenced_brokers_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_tx(m.include_cluster_authorized_operations)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_tbx(m.include_cluster_authorized_operations, m.endpoint_type)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_tbtx(m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers)


DescribeClusterRequest._READERS = {0: _read_0, 1: _read_1, 2: _read_2}
DescribeClusterRequest._WRITERS = {0: _write_0, 1: _write_1, 2: _write_2}
