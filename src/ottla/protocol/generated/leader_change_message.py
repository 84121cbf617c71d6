"""LeaderChangeMessage record, versions 0-1, flexible from 0.

Generated from schemas/records_common.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, put_uvarint, skip_tags, wrong_count

_u_hiB = _Struct(">hiB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_i16sB = _Struct(">i16sB").unpack_from
_p_hi = _Struct(">hi").pack
_p_ix = _Struct(">ix").pack
_p_i16sx = _Struct(">i16sx").pack


class Voters(Struct):
    __slots__ = ("voter_id", "voter_directory_id")

    def __init__(
        self,
        voter_id: int = 0,
        voter_directory_id: bytes = NO_UUID,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id


class GrantingVoters(Struct):
    __slots__ = ("voter_id", "voter_directory_id")

    def __init__(
        self,
        voter_id: int = 0,
        voter_directory_id: bytes = NO_UUID,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id


class LeaderChangeMessage(Message):
    __slots__ = ("version", "leader_id", "voters", "granting_voters")
    MIN_VERSION = 0
    MAX_VERSION = 1
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        version: int = 0,
        leader_id: int = 0,
        voters: list[Voters] = FRESH,
        granting_voters: list[GrantingVoters] = FRESH,
    ) -> None:
        self.version = version
        self.leader_id = leader_id
        self.voters = [] if voters is FRESH else voters
        self.granting_voters = [] if granting_voters is FRESH else granting_voters


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaderChangeMessage, int]:
    version_1, leader_id_1, n = _u_hiB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("voters", n, end - p, left)
    left[0] -= n
    voters_1: list[Voters] = []
    for _ in range(n):
        voter_id_2, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        voters_1.append(Voters(voter_id_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 5 > end - p or n > left[0]:
        raise wrong_count("granting_voters", n, end - p, left)
    left[0] -= n
    granting_voters_1: list[GrantingVoters] = []
    for _ in range(n):
        voter_id_3, n = _u_iB(data, p)
        p += 5
        if n:
            p = skip_tags(data, p - 1, end)
        granting_voters_1.append(GrantingVoters(voter_id_3))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return LeaderChangeMessage(version_1, leader_id_1, voters_1, granting_voters_1), p


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[LeaderChangeMessage, int]:
    version_1, leader_id_1, n = _u_hiB(data, p)
    p += 7
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 21 > end - p or n > left[0]:
        raise wrong_count("voters", n, end - p, left)
    left[0] -= n
    voters_1: list[Voters] = []
    for _ in range(n):
        voter_id_2, voter_directory_id_2, n = _u_i16sB(data, p)
        p += 21
        if n:
            p = skip_tags(data, p - 1, end)
        voters_1.append(Voters(voter_id_2, voter_directory_id_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 21 > end - p or n > left[0]:
        raise wrong_count("granting_voters", n, end - p, left)
    left[0] -= n
    granting_voters_1: list[GrantingVoters] = []
    for _ in range(n):
        voter_id_3, voter_directory_id_3, n = _u_i16sB(data, p)
        p += 21
        if n:
            p = skip_tags(data, p - 1, end)
        granting_voters_1.append(GrantingVoters(voter_id_3, voter_directory_id_3))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return LeaderChangeMessage(version_1, leader_id_1, voters_1, granting_voters_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.voters
    out += _p_hi(m.version, m.leader_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_ix(e_1.voter_id)
    items_2 = m.granting_voters
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        out += _p_ix(e_2.voter_id)
    out.append(0)


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.voters
    out += _p_hi(m.version, m.leader_id)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        out += _p_i16sx(e_1.voter_id, e_1.voter_directory_id)
    items_2 = m.granting_voters
    n = len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2:
        out += _p_i16sx(e_2.voter_id, e_2.voter_directory_id)
    out.append(0)


LeaderChangeMessage._READERS = {0: _read_0, 1: _read_1}
LeaderChangeMessage._WRITERS = {0: _write_0, 1: _write_1}
