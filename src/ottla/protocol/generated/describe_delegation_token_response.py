"""DescribeDelegationToken response (key 41), versions 1-3, flexible from 2.

Generated from schemas/describe_delegation_token.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_hi = _Struct(">hi").unpack_from
_u_h = _Struct(">h").unpack_from
_u_qqqh = _Struct(">qqqh").unpack_from
_u_i = _Struct(">i").unpack_from
_u_hB = _Struct(">hB").unpack_from
_u_qqqB = _Struct(">qqqB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_p_hi = _Struct(">hi").pack
_p_h = _Struct(">h").pack
_p_qqqh = _Struct(">qqqh").pack
_p_i = _Struct(">i").pack
_p_qqq = _Struct(">qqq").pack
_p_ix = _Struct(">ix").pack


class Renewers(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(
        self,
        principal_type: str = '',
        principal_name: str = '',
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name


class Tokens(Struct):
    __slots__ = ("principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp", "expiry_timestamp", "max_timestamp", "token_id", "hmac", "renewers")

    def __init__(
        self,
        principal_type: str = '',
        principal_name: str = '',
        token_requester_principal_type: str = '',
        token_requester_principal_name: str = '',
        issue_timestamp: int = 0,
        expiry_timestamp: int = 0,
        max_timestamp: int = 0,
        token_id: str = '',
        hmac: bytes = b'',
        renewers: list[Renewers] = FRESH,
    ) -> None:
        self.principal_type = principal_type
        self.principal_name = principal_name
        self.token_requester_principal_type = token_requester_principal_type
        self.token_requester_principal_name = token_requester_principal_name
        self.issue_timestamp = issue_timestamp
        self.expiry_timestamp = expiry_timestamp
        self.max_timestamp = max_timestamp
        self.token_id = token_id
        self.hmac = hmac
        self.renewers = [] if renewers is FRESH else renewers


class DescribeDelegationTokenResponse(Message):
    __slots__ = ("error_code", "tokens", "throttle_time_ms")
    API_KEY = 41
    MIN_VERSION = 1
    MAX_VERSION = 3
    FLEXIBLE_FROM = 2

    def __init__(
        self,
        error_code: int = 0,
        tokens: list[Tokens] = FRESH,
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.tokens = [] if tokens is FRESH else tokens
        self.throttle_time_ms = throttle_time_ms


def _read_1(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeDelegationTokenResponse, int]:
    error_code_1, n = _u_hi(data, p)
    p += 6
    if n < 0 or n * 38 > end - p or n > left[0]:
        raise wrong_count("tokens", n, end - p, left)
    left[0] -= n
    tokens_1: list[Tokens] = []
    for _ in range(n):
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_type", n, end - p)
        principal_type_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_h(data, p)
        p += 2
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_name", n, end - p)
        principal_name_2 = data[p:q].tobytes().decode()
        p = q
        issue_timestamp_2, expiry_timestamp_2, max_timestamp_2, n = _u_qqqh(data, p)
        p += 26
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("token_id", n, end - p)
        token_id_2 = data[p:q].tobytes().decode()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("hmac", n, end - p)
        hmac_2 = data[p:q].tobytes()
        p = q
        (n,) = _u_i(data, p)
        p += 4
        if n < 0 or n * 4 > end - p or n > left[0]:
            raise wrong_count("renewers", n, end - p, left)
        left[0] -= n
        renewers_2: list[Renewers] = []
        for _ in range(n):
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_type", n, end - p)
            principal_type_3 = data[p:q].tobytes().decode()
            p = q
            (n,) = _u_h(data, p)
            p += 2
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("principal_name", n, end - p)
            principal_name_3 = data[p:q].tobytes().decode()
            p = q
            renewers_2.append(Renewers(principal_type_3, principal_name_3))
        tokens_1.append(Tokens(principal_type_2, principal_name_2, '', '', issue_timestamp_2, expiry_timestamp_2, max_timestamp_2, token_id_2, hmac_2, renewers_2))
    (throttle_time_ms_1,) = _u_i(data, p)
    p += 4
    return DescribeDelegationTokenResponse(error_code_1, tokens_1, throttle_time_ms_1), p


def _read_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeDelegationTokenResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 30 > end - p or n > left[0]:
        raise wrong_count("tokens", n, end - p, left)
    left[0] -= n
    tokens_1: list[Tokens] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_type", n, end - p)
        principal_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_name", n, end - p)
        principal_name_2 = data[p:q].tobytes().decode()
        p = q
        issue_timestamp_2, expiry_timestamp_2, max_timestamp_2, n = _u_qqqB(data, p)
        p += 25
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("token_id", n, end - p)
        token_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("hmac", n, end - p)
        hmac_2 = data[p:q].tobytes()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("renewers", n, end - p, left)
        left[0] -= n
        renewers_2: list[Renewers] = []
        for _ in range(n):
            s_3, p = _read_Renewers_2(data, p, end, left)
            renewers_2.append(s_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        tokens_1.append(Tokens(principal_type_2, principal_name_2, '', '', issue_timestamp_2, expiry_timestamp_2, max_timestamp_2, token_id_2, hmac_2, renewers_2))
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeDelegationTokenResponse(error_code_1, tokens_1, throttle_time_ms_1), p


def _read_3(data: memoryview, p: int, end: int, left: list[int]) -> tuple[DescribeDelegationTokenResponse, int]:
    error_code_1, n = _u_hB(data, p)
    p += 3
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 32 > end - p or n > left[0]:
        raise wrong_count("tokens", n, end - p, left)
    left[0] -= n
    tokens_1: list[Tokens] = []
    for _ in range(n):
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_type", n, end - p)
        principal_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("principal_name", n, end - p)
        principal_name_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("token_requester_principal_type", n, end - p)
        token_requester_principal_type_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("token_requester_principal_name", n, end - p)
        token_requester_principal_name_2 = data[p:q].tobytes().decode()
        p = q
        issue_timestamp_2, expiry_timestamp_2, max_timestamp_2, n = _u_qqqB(data, p)
        p += 25
        if n > 127:
            n, p = longer_string(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("token_id", n, end - p)
        token_id_2 = data[p:q].tobytes().decode()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("hmac", n, end - p)
        hmac_2 = data[p:q].tobytes()
        p = q
        n = data[p]
        p += 1
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("renewers", n, end - p, left)
        left[0] -= n
        renewers_2: list[Renewers] = []
        for _ in range(n):
            s_3, p = _read_Renewers_2(data, p, end, left)
            renewers_2.append(s_3)
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        tokens_1.append(Tokens(principal_type_2, principal_name_2, token_requester_principal_type_2, token_requester_principal_name_2, issue_timestamp_2, expiry_timestamp_2, max_timestamp_2, token_id_2, hmac_2, renewers_2))
    throttle_time_ms_1, n = _u_iB(data, p)
    p += 5
    if n:
        p = skip_tags(data, p - 1, end)
    return DescribeDelegationTokenResponse(error_code_1, tokens_1, throttle_time_ms_1), p


def _read_Renewers_2(data: memoryview, p: int, end: int, left: list[int]) -> tuple[Renewers, int]:
    n = data[p]
    p += 1
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
    if n:
        p = skip_tags(data, p - 1, end)
    return Renewers(principal_type_1, principal_name_1), p


def _write_1(m: Any, out: bytearray) -> None:
    items_1 = m.tokens
    out += _p_hi(m.error_code, len(items_1))
    for e_1 in items_1:
        b = e_1.principal_type.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.principal_name.encode()
        out += _p_h(len(b))
        out += b
        b = e_1.token_id.encode()
        out += _p_qqqh(e_1.issue_timestamp, e_1.expiry_timestamp, e_1.max_timestamp, len(b))
        out += b
        b = e_1.hmac
        out += _p_i(len(b))
        out += b
        items_2 = e_1.renewers
        out += _p_i(len(items_2))
        for e_2 in items_2:
            b = e_2.principal_type.encode()
            out += _p_h(len(b))
            out += b
            b = e_2.principal_name.encode()
            out += _p_h(len(b))
            out += b
    out += _p_i(m.throttle_time_ms)


def _write_2(m: Any, out: bytearray) -> None:
    items_1 = m.tokens
    out += _p_h(m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.principal_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.principal_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_qqq(e_1.issue_timestamp, e_1.expiry_timestamp, e_1.max_timestamp)
        b = e_1.token_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.hmac
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
        items_2 = e_1.renewers
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            _write_Renewers_2(e_2, out)
        out.append(0)
    out += _p_ix(m.throttle_time_ms)


def _write_3(m: Any, out: bytearray) -> None:
    items_1 = m.tokens
    out += _p_h(m.error_code)
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        b = e_1.principal_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.principal_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.token_requester_principal_type.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.token_requester_principal_name.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out += _p_qqq(e_1.issue_timestamp, e_1.expiry_timestamp, e_1.max_timestamp)
        b = e_1.token_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        b = e_1.hmac
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        out += b
        items_2 = e_1.renewers
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            _write_Renewers_2(e_2, out)
        out.append(0)
    out += _p_ix(m.throttle_time_ms)


def _write_Renewers_2(m: Any, out: bytearray) -> None:
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
    out.append(0)


DescribeDelegationTokenResponse._READERS = {1: _read_1, 2: _read_2, 3: _read_3}
DescribeDelegationTokenResponse._WRITERS = {1: _write_1, 2: _write_2, 3: _write_3}
