"""Cached decoding and encoding of produce requests that repeat: same topic, same partition, another batch.

A producer's connection sends the same envelope (client id, acks, topic, partition) around different batches. The first
request with an envelope is decoded and kept with it; the next one differs in its correlation id and its records, so
only these are read, and the three numbers of its response are set in bytes that were encoded before. Nothing is
decided here: each request passes the whole pipeline and its handler.
"""

from __future__ import annotations

import struct
from typing import Any, Final

from ottla.broker.requests.context import RequestContext
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.exchange import encode_response
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.generated.produce_response import PartitionResponses, ProduceResponse, Responses

#: No client of today speaks older versions, and their responses have other numbers.
_MIN_VERSION: Final = 7
_FLEXIBLE_FROM: Final = ProduceRequest.FLEXIBLE_FROM
#: Of a connection. What is kept of one takes 2 to 3 KB.
MAX_ENVELOPES: Final = 128
#: They are compared once for each length: that of a producer's topics.
_MAX_LENGTHS: Final = 4
#: Enough for the longest name of a topic and a client id of ordinary length.
MAX_ENVELOPE_BYTES: Final = 512
#: To keep an envelope costs five times a decoding: when so many had no room, those that are kept are out of date.
_LEFT_OUT_MAX: Final = 1000
#: The api key, the version and the correlation id come before the envelope.
_ENVELOPE_START: Final = 8
#: Where the correlation id of a response is: behind its size.
_CORRELATION_ID_POSITION: Final = 4
#: Base offset, log append time and log start offset: neighbours in every version.
_NUMBERS: Final = struct.Struct(">qqq")
#: Behind the records of a flexible request: no tagged fields in the partition, the topic and the request.
_NO_TAGS: Final = b"\0\0\0"
#: Numbers that no response holds, to find their positions in it.
_MARKS: Final = (0x1122334455667788, 0x1122334455667799, 0x11223344556677AA)


#: One batch of a request: its topic, its data, and the part of the response that reports what became of it.
Batch = tuple[TopicData, PartitionData, PartitionResponses]


class StartedResponse:
    """A response to fill: each part where its batch is appended."""

    __slots__ = ("batches", "response")

    def __init__(self, request: ProduceRequest) -> None:
        self.batches: list[Batch] = []
        topics = []
        for topic in request.topic_data:
            partitions = []
            for data in topic.partition_data:
                partition = PartitionResponses(data.index)
                partitions.append(partition)
                self.batches.append((topic, data, partition))
            topics.append(Responses(topic.topic_id, topic.name, partitions))
        self.response = ProduceResponse(topics)


class RepeatedProduce:
    """One envelope. Its request and context are used again: a connection serves one request at a time.

    Between two of them the request has no records: these are views of a receive buffer.
    """

    __slots__ = (
        "_between", "_head", "_pack", "_tail", "context", "data", "is_flexible", "request", "start", "started"
    )  # fmt: skip

    def __init__(self, request: ProduceRequest, context: RequestContext[Any]) -> None:
        self.request = request
        #: Api key and version, read as one number.
        self.start = ApiKey.PRODUCE << 16 | context.version
        self.is_flexible = context.version >= _FLEXIBLE_FROM
        self.context: RequestContext[Any] = RequestContext(
            context.services,
            context.connection,
            context.entry,
            context.version,
            context.correlation_id,
            context.client_id,
            self,
        )
        self.data = request.topic_data[0].partition_data[0]
        #: For the handler to fill; the next request of this envelope uses it again.
        self.started = StartedResponse(request)
        #: What every response has before its correlation id, between that and the numbers, and behind them.
        self._head, self._between, self._tail = _constant_parts(request, context.version)
        self._pack = struct.Struct(f">{len(self._head)}si{len(self._between)}sqqq{len(self._tail)}s").pack

    def encoded(self, response: ProduceResponse | None) -> bytes | None:
        """The response as it goes out; None when it says more than the numbers, or is not the one that was started."""
        # A view that stays here would keep a receive buffer that the connection has given back to the pool.
        self.data.records = None
        started = self.started
        if response is not started.response:
            return None
        _, _, partition = started.batches[0]
        if partition.error_code or response.throttle_time_ms:
            self.started = StartedResponse(self.request)
            return None
        pack = self._pack
        return pack(
            self._head,
            self.context.correlation_id,
            self._between,
            partition.base_offset,
            partition.log_append_time_ms,
            partition.log_start_offset,
            self._tail,
        )


class _EnvelopesOfOneLength:
    __slots__ = ("_read", "_size_min", "known")

    def __init__(self, length: int) -> None:
        self.known: dict[bytes, RepeatedProduce] = {}
        #: Api key and version, correlation id, envelope, and the four bytes in which the length of the records begins.
        self._read = struct.Struct(f">ii{length}sI").unpack_from
        self._size_min = _ENVELOPE_START + length + 4

    def find(self, frame: memoryview) -> RepeatedProduce | None:
        stop = len(frame)
        if stop < self._size_min:
            return None
        read = self._read
        start, correlation_id, envelope, size = read(frame)
        known = self.known.get(envelope)
        if known is None or start != known.start:
            return None
        position = self._size_min
        if known.is_flexible:
            # A varint: seven bits in each byte, the lowest first. Four of them are enough for every frame.
            position -= 3
            byte = size >> 24
            size, shift = byte & 0x7F, 7
            while byte & 0x80 and shift < 28:
                byte = frame[position]
                size |= (byte & 0x7F) << shift
                shift += 7
                position += 1
            size -= 1
            stop -= 3
            if frame[stop:].tobytes() != _NO_TAGS:
                return None
        if position + size != stop:
            return None
        known.context.correlation_id = correlation_id
        known.data.records = frame[position:stop]
        return known


class ProduceEnvelopes:
    """The envelopes of one connection: those of a producer that writes to a few topics."""

    __slots__ = ("_by_length", "_count", "_left_out_count", "_of_each_length")

    def __init__(self) -> None:
        self._by_length: dict[int, _EnvelopesOfOneLength] = {}
        #: The same, to go through.
        self._of_each_length: list[_EnvelopesOfOneLength] = []
        self._count = 0
        self._left_out_count = 0

    def __len__(self) -> int:
        return self._count

    def clear(self) -> None:
        for envelopes in self._of_each_length:
            for known in envelopes.known.values():
                # The two refer to each other and to their connection: only the garbage collector would free them.
                known.context.repeated = None
        self._by_length.clear()
        self._of_each_length.clear()
        self._count = self._left_out_count = 0

    def find(self, frame: memoryview) -> RepeatedProduce | None:
        """The decoded request in this frame, if one with its envelope was kept."""
        for envelopes in self._of_each_length:
            known = envelopes.find(frame)
            if known is not None:
                return known
        return None

    def keep(self, frame: memoryview, request: ProduceRequest, context: RequestContext[Any]) -> RepeatedProduce | None:
        """Remembers the envelope of a request with one batch, where there is room, unless it is written in an unusual
        way: then None."""
        length = _envelope_length(frame, request, context.version)
        if not 0 < length <= MAX_ENVELOPE_BYTES:
            return None
        envelopes = self._by_length.get(length)
        if self._count >= MAX_ENVELOPES or (envelopes is None and len(self._by_length) >= _MAX_LENGTHS):
            self._left_out_count += 1
            if self._left_out_count < _LEFT_OUT_MAX:
                return None
            self.clear()
            envelopes = None
        if envelopes is None:
            envelopes = self._by_length[length] = _EnvelopesOfOneLength(length)
            self._of_each_length.append(envelopes)
        envelope = bytes(frame[_ENVELOPE_START : _ENVELOPE_START + length])
        if envelope in envelopes.known:
            # The same in another version of the request: no client changes between two.
            return None
        kept = envelopes.known[envelope] = RepeatedProduce(request, context)
        self._count += 1
        return kept


def _envelope_length(frame: memoryview, request: ProduceRequest, version: int) -> int:
    """From behind the correlation id to the length of the records; 0 for a request that cannot be kept."""
    if version < _MIN_VERSION or len(request.topic_data) != 1 or len(request.topic_data[0].partition_data) != 1:
        return 0
    records = request.topic_data[0].partition_data[0].records
    if not isinstance(records, memoryview):
        return 0
    end = len(frame) - len(records) - 4
    if version >= _FLEXIBLE_FROM:
        if frame[-3:].tobytes() != _NO_TAGS:
            return 0
        end = len(frame) - 3 - len(records) - ((len(records) + 1).bit_length() + 6) // 7
    return end - _ENVELOPE_START


def _constant_parts(request: ProduceRequest, version: int) -> tuple[bytes, bytes, bytes]:
    """Of a response: what is before the correlation id, between that and the numbers, and behind them."""
    started = StartedResponse(request)
    ((_, _, partition),) = started.batches
    partition.base_offset, partition.log_append_time_ms, partition.log_start_offset = _MARKS
    encoded = bytes(encode_response(0, ApiKey.PRODUCE, version, started.response))
    before, behind = encoded.split(_NUMBERS.pack(*_MARKS))
    return before[:_CORRELATION_ID_POSITION], before[_CORRELATION_ID_POSITION + 4 :], behind
