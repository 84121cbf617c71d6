"""UpdateRaftVoter response (key 82), versions 0-0, flexible from 0.

Generated from schemas/update_raft_voter.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message, Struct, shared_default
from ottla.protocol.wire import longer_string, put_string_length, put_tags, read_tags, skip_tags, wrong_length, wrong_tag_size

_u_ihB = _Struct(">ihB").unpack_from
_u_iiB = _Struct(">iiB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_ih = _Struct(">ih").pack
_p_ii = _Struct(">ii").pack
_p_ix = _Struct(">ix").pack


class CurrentLeader(Struct):
    __slots__ = ("leader_id", "leader_epoch", "host", "port")

    def __init__(
        self,
        leader_id: int = -1,
        leader_epoch: int = -1,
        host: str = '',
        port: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.host = host
        self.port = port


_NO_CURRENT_LEADER = shared_default(CurrentLeader)


class UpdateRaftVoterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "current_leader")
    API_KEY = 82
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        current_leader: CurrentLeader = _NO_CURRENT_LEADER,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.current_leader = current_leader


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[UpdateRaftVoterResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    current_leader_1: Any = _NO_CURRENT_LEADER
    if n:
        spans_1, after_1 = read_tags(data, p - 1, end)
        for tag_1, p, stop_1 in spans_1:
            if tag_1 == 0:
                leader_id_2, leader_epoch_2, n = _u_iiB(data, p)
                p += 9
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > stop_1:
                    raise wrong_length("host", n, stop_1 - p)
                host_2 = data[p:q].tobytes().decode()
                p = q
                port_2, n = _u_iB(data, p)
                p += 5
                if n:
                    p = skip_tags(data, p - 1, stop_1)
                current_leader_1 = CurrentLeader(leader_id_2, leader_epoch_2, host_2, port_2)
            else:
                continue
            if p != stop_1:
                raise wrong_tag_size(tag_1, p, stop_1)
        p = after_1
    return UpdateRaftVoterResponse(throttle_time_ms_1, error_code_1, current_leader_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    tags_1: list[tuple[int, bytes | bytearray]] = []
    if m.current_leader is not _NO_CURRENT_LEADER and m.current_leader != _NO_CURRENT_LEADER:
        tags_1_out = bytearray()
        tags_1_out += _p_ii(m.current_leader.leader_id, m.current_leader.leader_epoch)
        b = m.current_leader.host.encode()
        n = len(b) + 1
        if n < 128:
            tags_1_out.append(n)
        else:
            put_string_length(tags_1_out, n)
        tags_1_out += b
        tags_1_out += _p_ix(m.current_leader.port)
        tags_1.append((0, tags_1_out))
    if tags_1:
        put_tags(out, tags_1)
    else:
        out.append(0)


UpdateRaftVoterResponse._READERS = {0: _read_0}
UpdateRaftVoterResponse._WRITERS = {0: _write_0}
