"""QuorumStateData record, versions 0-1, flexible from 0.

Generated from schemas/records_quorum_state.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_iiiqB = _Struct(">iiiqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_iii16sB = _Struct(">iii16sB").unpack_from
_p_iiiq = _Struct(">iiiq").pack
_p_ix = _Struct(">ix").pack
_p_iii16sx = _Struct(">iii16sx").pack


class CurrentVoters(Struct):
    __slots__ = ("voter_id",)

    def __init__(
        self,
        voter_id: int = 0,
    ) -> None:
        self.voter_id = voter_id


class QuorumStateData(Message):
    __slots__ = ("cluster_id", "leader_id", "leader_epoch", "voted_id", "voted_directory_id", "applied_offset", "current_voters")
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        cluster_id: str = '',
        leader_id: int = -1,
        leader_epoch: int = -1,
        voted_id: int = -1,
        voted_directory_id: bytes = NO_UUID,
        applied_offset: int = 0,
        current_voters: list[CurrentVoters] | None = FRESH,
    ) -> None:
        self.cluster_id = cluster_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.voted_id = voted_id
        self.voted_directory_id = voted_directory_id
        self.applied_offset = applied_offset
        self.current_voters = [] if current_voters is FRESH else current_voters


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[QuorumStateData, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("cluster_id", n, end - p)
    cluster_id_1 = data[p:q].tobytes().decode()
    p = q
    leader_id_1, leader_epoch_1, voted_id_1, applied_offset_1, n = _u_iiiqB(data, p)
    p += 21
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    current_voters_1: list[CurrentVoters] | None = None
    if n != -1:
        if n < 0 or n * 5 > end - p or n > left[0]:
            raise wrong_count("current_voters", n, end - p, left)
        left[0] -= n
        current_voters_1 = []
        for _ in range(n):
            voter_id_2, n = _u_iB(data, p)
            p += 5
            if n:
                p = skip_tags(data, p - 1, end)
            current_voters_1.append(CurrentVoters(voter_id_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return QuorumStateData(cluster_id_1, leader_id_1, leader_epoch_1, voted_id_1, NO_UUID, applied_offset_1, current_voters_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[QuorumStateData, int]:
    leader_id_1, leader_epoch_1, voted_id_1, voted_directory_id_1, n = _u_iii16sB(data, p)
    p += 29
    if n:
        p = skip_tags(data, p - 1, end)
    return QuorumStateData('', leader_id_1, leader_epoch_1, voted_id_1, voted_directory_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    b = m.cluster_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.current_voters
    out += _p_iiiq(m.leader_id, m.leader_epoch, m.voted_id, m.applied_offset)
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        out += _p_ix(e_1.voter_id)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    out += _p_iii16sx(m.leader_id, m.leader_epoch, m.voted_id, m.voted_directory_id)


QuorumStateData._READERS = {0: _read_0, 1: _read_1}
QuorumStateData._WRITERS = {0: _write_0, 1: _write_1}
