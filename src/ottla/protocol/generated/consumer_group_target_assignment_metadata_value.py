"""ConsumerGroupTargetAssignmentMetadataValue record (key 6), versions 0-0, flexible from 0.

Generated from schemas/records_group.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import read_tags, wrong_tag_size

_u_iB = _Struct(">iB").unpack_from
_u_q = _Struct(">q").unpack_from
_p_i = _Struct(">i").pack
_p_BBBq = _Struct(">BBBq").pack


class ConsumerGroupTargetAssignmentMetadataValue(Message):
    __slots__ = ("assignment_epoch", "assignment_timestamp")
    RECORD_TYPE = 6
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
    ) -> None:
        self.assignment_epoch = assignment_epoch
        self.assignment_timestamp = assignment_timestamp


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ConsumerGroupTargetAssignmentMetadataValue, int]:
    assignment_epoch_1, n = _u_iB(data, p)
    p += 5
    assignment_timestamp_1: Any = 0
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                (assignment_timestamp_1_tagged,) = _u_q(data, p)
                p += 8
                assignment_timestamp_1 = assignment_timestamp_1_tagged
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch_1, assignment_timestamp_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_i(m.assignment_epoch)
    if m.assignment_timestamp != 0:
        out += _p_BBBq(1, 0, 8, m.assignment_timestamp)
    else:
        out.append(0)


ConsumerGroupTargetAssignmentMetadataValue._READERS = {0: _read_0}
ConsumerGroupTargetAssignmentMetadataValue._WRITERS = {0: _write_0}
