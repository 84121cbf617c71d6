"""CreateDelegationToken response (key 38), versions 1-3, flexible from 2.

Generated from schemas/create_delegation_token.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import Message
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_length

_u_hh = _Struct(">hh").unpack_from
_u_h = _Struct(">h").unpack_from
_u_qqqh = _Struct(">qqqh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_qqqB = _Struct(">qqqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_hh = _Struct(">hh").pack
_p_h = _Struct(">h").pack
_p_qqqh = _Struct(">qqqh").pack
_p_i = _Struct(">i").pack
_p_qqq = _Struct(">qqq").pack
_p_ix = _Struct(">ix").pack


class CreateDelegationTokenResponse(Message):
    __slots__ = ("error_code", "principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp_ms", "expiry_timestamp_ms", "max_timestamp_ms", "token_id", "hmac", "throttle_time_ms")
    API_KEY = 38
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        error_code: int = 0,
        principal_type: str = '',
        principal_name: str = '',
        token_requester_principal_type: str = '',
        token_requester_principal_name: str = '',
        issue_timestamp_ms: int = 0,
        expiry_timestamp_ms: int = 0,
        max_timestamp_ms: int = 0,
        token_id: str = '',
        hmac: bytes = b'',
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp_ms = issue_timestamp_ms
        self.expiry_timestamp_ms = expiry_timestamp_ms
        self.max_timestamp_ms = max_timestamp_ms
        self.token_id = token_id
        self.hmac = hmac
        self.throttle_time_ms = throttle_time_ms


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateDelegationTokenResponse, int]:
    error_code_1, n = _u_hh(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_type", n, end - p)
    principal_type_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_h(data, p)
    p += 2
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_name", n, end - p)
    principal_name_1 = data[p:q].tobytes().decode()
    p = q
    issue_timestamp_ms_1, expiry_timestamp_ms_1, max_timestamp_ms_1, n = _u_qqqh(data, p)
    p += 26
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("token_id", n, end - p)
    token_id_1 = data[p:q].tobytes().decode()
    p = q
    (n,) = _u_i(data, p)
    p += 4
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("hmac", n, end - p)
    hmac_1 = data[p:q].tobytes()
    p = q
    (throttle_time_ms_1,) = _u_i(data, p)
    p += 4
    return CreateDelegationTokenResponse(error_code_1, principal_type_1, principal_name_1, '', '', issue_timestamp_ms_1, expiry_timestamp_ms_1, max_timestamp_ms_1, token_id_1, hmac_1, throttle_time_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateDelegationTokenResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_type", n, end - p)
    principal_type_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_name", n, end - p)
    principal_name_1 = data[p:q].tobytes().decode()
    p = q
    issue_timestamp_ms_1, expiry_timestamp_ms_1, max_timestamp_ms_1, n = _u_qqqB(data, p)
    p += 25
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("token_id", n, end - p)
    token_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("hmac", n, end - p)
    hmac_1 = data[p:q].tobytes()
    p = q
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateDelegationTokenResponse(error_code_1, principal_type_1, principal_name_1, '', '', issue_timestamp_ms_1, expiry_timestamp_ms_1, max_timestamp_ms_1, token_id_1, hmac_1, throttle_time_ms_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[CreateDelegationTokenResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_type", n, end - p)
    principal_type_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("principal_name", n, end - p)
    principal_name_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("token_requester_principal_type", n, end - p)
    token_requester_principal_type_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("token_requester_principal_name", n, end - p)
    token_requester_principal_name_1 = data[p:q].tobytes().decode()
    p = q
    issue_timestamp_ms_1, expiry_timestamp_ms_1, max_timestamp_ms_1, n = _u_qqqB(data, p)
    p += 25
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("token_id", n, end - p)
    token_id_1 = data[p:q].tobytes().decode()
    p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("hmac", n, end - p)
    hmac_1 = data[p:q].tobytes()
    p = q
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return CreateDelegationTokenResponse(error_code_1, principal_type_1, principal_name_1, token_requester_principal_type_1, token_requester_principal_name_1, issue_timestamp_ms_1, expiry_timestamp_ms_1, max_timestamp_ms_1, token_id_1, hmac_1, throttle_time_ms_1), p


def _write_1(m: Any, out: bytearray) -> None:
    b = m.principal_type.encode()
    out += _p_hh(m.error_code, len(b))
    out += b
    b = m.principal_name.encode()
    out += _p_h(len(b))
    out += b
    b = m.token_id.encode()
    out += _p_qqqh(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, len(b))
    out += b
    b = m.hmac
    out += _p_i(len(b))
    out += b
    out += _p_i(m.throttle_time_ms)


def _write_2(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)
    b = m.principal_type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.principal_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_qqq(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms)
    b = m.token_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.hmac
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out += _p_ix(m.throttle_time_ms)


def _write_3(m: Any, out: bytearray) -> None:
    out += _p_h(m.error_code)
    b = m.principal_type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.principal_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.token_requester_principal_type.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.token_requester_principal_name.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    out += _p_qqq(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms)
    b = m.token_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    b = m.hmac
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    out += b
    out += _p_ix(m.throttle_time_ms)


CreateDelegationTokenResponse._READERS = {1: _read_1, 2: _read_2, 3: _read_3}
CreateDelegationTokenResponse._WRITERS = {1: _write_1, 2: _write_2, 3: _write_3}
