"""RemoveRaftVoter request (key 81), versions 0-0, flexible from 0.

Generated from schemas/remove_raft_voter.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import NO_UUID, Message
from ottla.protocol.wire import longer_string, put_string_length, skip_tags, wrong_length

_u_i16sB = _Struct(">i16sB").unpack_from
_p_i16sx = _Struct(">i16sx").pack


class RemoveRaftVoterRequest(Message):
    __slots__ = ("cluster_id", "voter_id", "voter_directory_id")
    API_KEY = 81
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        cluster_id: str | None = '',
        voter_id: int = 0,
        voter_directory_id: bytes = NO_UUID,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[RemoveRaftVoterRequest, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        cluster_id_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("cluster_id", n, end - p)
        cluster_id_1 = data[p:q].tobytes().decode()
        p = q
    voter_id_1, voter_directory_id_1, n = _u_i16sB(data, p)
    p += 21
    if n:
        p = skip_tags(data, p - 1, end)
    return RemoveRaftVoterRequest(cluster_id_1, voter_id_1, voter_directory_id_1), p


def _write_0(m: Any, out: bytearray) -> None:
    if m.cluster_id is None:
        out.append(0)
    else:
        b = m.cluster_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    out += _p_i16sx(m.voter_id, m.voter_directory_id)


RemoveRaftVoterRequest._READERS = {0: _read_0}
RemoveRaftVoterRequest._WRITERS = {0: _write_0}
