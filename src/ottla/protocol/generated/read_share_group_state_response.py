"""ReadShareGroupState response (key 84), versions 0-0, flexible from 0.

Generated from schemas/read_share_group_state.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, NO_UUID, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_string_length, put_uvarint, skip_tags, wrong_count, wrong_length

_u_16sB = _Struct(">16sB").unpack_from
_u_ihB = _Struct(">ihB").unpack_from
_u_iqB = _Struct(">iqB").unpack_from
_u_qqbhB = _Struct(">qqbhB").unpack_from
_p_16s = _Struct(">16s").pack
_p_ih = _Struct(">ih").pack
_p_iq = _Struct(">iq").pack
_p_qqbhx = _Struct(">qqbhx").pack


class StateBatches(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_state: int = 0,
        delivery_count: int = 0,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count


class Partitions(Struct):
    __slots__ = ("partition", "error_code", "error_message", "state_epoch", "start_offset", "state_batches")

    def __init__(
        self,
        partition: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        state_epoch: int = 0,
        start_offset: int = 0,
        state_batches: list[StateBatches] = FRESH,
    ) -> None:
        self.partition = partition
        self.error_code = error_code
        self.error_message = error_message
        self.state_epoch = state_epoch
        self.start_offset = start_offset
        self.state_batches = [] if state_batches is FRESH else state_batches


class Results(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = NO_UUID,
        partitions: list[Partitions] = FRESH,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is FRESH else partitions


class ReadShareGroupStateResponse(Message):
    __slots__ = ("results",)
    API_KEY = 84
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        results: list[Results] = FRESH,
    ) -> None:
        self.results = [] if results is FRESH else results


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[ReadShareGroupStateResponse, int]:
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    if n < 0 or n * 18 > end - p or n > left[0]:
        raise wrong_count("results", n, end - p, left)
    left[0] -= n
    results_1: list[Results] = []
    for _ in range(n):
        topic_id_2, n = _u_16sB(data, p)
        p += 17
        if n > 127:
            n, p = longer(data, p, n)
        n -= 1
        if n < 0 or n * 21 > end - p or n > left[0]:
            raise wrong_count("partitions", n, end - p, left)
        left[0] -= n
        partitions_2: list[Partitions] = []
        for _ in range(n):
            partition_3, error_code_3, n = _u_ihB(data, p)
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
            state_epoch_3, start_offset_3, n = _u_iqB(data, p)
            p += 13
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 20 > end - p or n > left[0]:
                raise wrong_count("state_batches", n, end - p, left)
            left[0] -= n
            state_batches_3: list[StateBatches] = []
            for _ in range(n):
                first_offset_4, last_offset_4, delivery_state_4, delivery_count_4, n = _u_qqbhB(data, p)
                p += 20
                if n:
                    p = skip_tags(data, p - 1, end)
                state_batches_3.append(StateBatches(first_offset_4, last_offset_4, delivery_state_4, delivery_count_4))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_2.append(Partitions(partition_3, error_code_3, error_message_3, state_epoch_3, start_offset_3, state_batches_3))
        n = data[p]
        p += 1
        if n:
            p = skip_tags(data, p - 1, end)
        results_1.append(Results(topic_id_2, partitions_2))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return ReadShareGroupStateResponse(results_1), p


def _write_0(m: Any, out: bytearray) -> None:
    items_1 = m.results
    n = len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1:
        items_2 = e_1.partitions
        out += _p_16s(e_1.topic_id)
        n = len(items_2) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_2 in items_2:
            out += _p_ih(e_2.partition, e_2.error_code)
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
            items_3 = e_2.state_batches
            out += _p_iq(e_2.state_epoch, e_2.start_offset)
            n = len(items_3) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            for e_3 in items_3:
                out += _p_qqbhx(e_3.first_offset, e_3.last_offset, e_3.delivery_state, e_3.delivery_count)
            out.append(0)
        out.append(0)
    out.append(0)


ReadShareGroupStateResponse._READERS = {0: _read_0}
ReadShareGroupStateResponse._WRITERS = {0: _write_0}
