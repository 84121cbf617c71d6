"""The short way for a producer that repeats itself: same topic, same partition, another batch.

A producer's connection sends the same envelopes again and again around different batches. The first request with an
envelope goes the ordinary way; it leaves behind a lane that knows the envelope byte for byte, the partition it means,
and the answer with its three numbers left open. The next such request is a look-up, the append, and those numbers.
Whatever is not exactly alike goes the ordinary way, so a lane can be wrong about nothing.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Protocol

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.exchange import encode_response
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.protocol.generated.produce_response import PartitionResponses, ProduceResponse, Responses
from ottla.records.batch import ATTRIBUTES_POSITION, HEADER_SIZE, TRANSACTIONAL_BIT
from ottla.twins import compiled_twin

if TYPE_CHECKING:
    from ottla.broker.context import RequestContext
    from ottla.replication.partition_leader import PartitionLeader

_FIRST_VERSION = 7  # below it the codec has to be looked at
FLEXIBLE_FROM = 9
_ALL = -1
MOST_LANES = 256
#: The api key, the version and the correlation id come first: they are read, not looked up.
ENVELOPE_POSITION = 8
#: Behind an envelope: a length of one byte or four, and a batch.
SHORTEST_REST = 4 + HEADER_SIZE
_START = struct.Struct(">hhi")
_INT16 = struct.Struct(">h")
_INT32 = struct.Struct(">i")
#: Base offset, append time and log start offset: neighbours in every version with a lane.
_NUMBERS = struct.Struct(">qqq")
#: Behind the records of a flexible request: no tagged fields in the partition, the topic and the request.
_NO_TAGS = b"\0\0\0"
#: Numbers that no answer holds, to find their places in it.
_OFFSET_MARK, _TIME_MARK, _START_MARK = 0x1122334455667788, 0x1122334455667799, 0x11223344556677AA
_MARKS = _NUMBERS.pack(_OFFSET_MARK, _TIME_MARK, _START_MARK)


class Lanes(Protocol):
    """Where lanes are kept and looked up: the inbox of a connection."""

    def open_lane(self, envelope: bytes, lane: ProduceLane) -> None: ...


def learn(
    lanes: Lanes, request: ProduceRequest, context: RequestContext, frame: memoryview, response: ProduceResponse
) -> None:
    """Opens a lane for requests like this one, which has just been answered, where the short way can be taken."""
    if not _is_simple(request, context.version, response):
        return
    records = request.topic_data[0].partition_data[0].records
    end = _envelope_end(frame, len(records), context.version)
    leader = _leader_of(request, context)
    if end is None or leader is None:
        return
    answer = _marked_answer(response, context.version)
    lane = ProduceLane(context, request.acks, leader, answer, answer.index(_MARKS))
    lanes.open_lane(bytes(frame[ENVELOPE_POSITION:end]), lane)


class ProduceLane:
    """One envelope, one partition; good as long as this leader leads it."""

    __slots__ = (
        "_acks",
        "_answer",
        "_broker",
        "_leader",
        "_leaders",
        "_now_ms",
        "_offset_at",
        "_place",
        "_version",
    )

    def __init__(
        self, context: RequestContext, acks: int, leader: PartitionLeader, answer: bytearray, offset_at: int
    ) -> None:
        """`answer` is right but for its numbers; those of the partition begin at `offset_at`."""
        self._broker = context.broker
        self._leaders = context.broker.partitions.leaders
        self._now_ms = context.broker.clock.now_ms
        self._version = context.version
        self._acks = acks
        self._leader = leader
        self._place = leader.topic_partition
        self._answer = answer
        self._offset_at = offset_at

    def serve(self, view: memoryview, first: int, stop: int, position: int) -> bytearray | None:
        """`position` is the end of the envelope.

        None also after a refusal: nothing was changed then, and the ordinary way finds the same reason again.
        """
        if stop < position + SHORTEST_REST:
            return None
        api_key, version, correlation_id = _START.unpack_from(view, first)
        if api_key != 0 or version != self._version:
            return None
        if version < FLEXIBLE_FROM:
            (size,) = _INT32.unpack_from(view, position)
            position += 4
        else:
            size, position = _compact_size(view, position)
            stop -= 3
            if view[stop : stop + 3] != _NO_TAGS:
                return None
        leader = self._leader
        log = leader.log
        if (
            position + size != stop
            or log.flushes_before_ack
            or log.counts_to_flush
            or self._leaders.get(self._place) is not leader
            or (self._acks == _ALL and leader.in_sync_count < leader.replica_count)
        ):
            return None
        try:
            base_offset = leader.append_quickly(view, position, size, self._now_ms())
            append_time_ms = -1
            if base_offset < 0:
                if size < HEADER_SIZE or view[position + ATTRIBUTES_POSITION + 1] & TRANSACTIONAL_BIT:
                    return None
                base_offset, _, append_time_ms, _ = leader.append(view[position:stop], self._now_ms())
        except (Refused, CorruptLog):
            return None
        except OSError as error:
            self._broker.storage_failed(self._place, error)
            return storage_error_answer(self._answer, self._offset_at, correlation_id)
        answer = self._answer
        _INT32.pack_into(answer, 4, correlation_id)
        _NUMBERS.pack_into(answer, self._offset_at, base_offset, append_time_ms, log.log_start_offset)
        return answer


def storage_error_answer(answer: bytearray, offset_at: int, correlation_id: int) -> bytearray:
    """Not left to the ordinary way: the batch has been given its offset already."""
    answer = bytearray(answer)
    _INT32.pack_into(answer, 4, correlation_id)
    _INT16.pack_into(answer, offset_at - 2, ErrorCode.KAFKA_STORAGE_ERROR)
    _NUMBERS.pack_into(answer, offset_at, -1, -1, -1)
    return answer


def _compact_size(view: memoryview, position: int) -> tuple[int, int]:
    """The length of the records and where they begin."""
    value = shift = 0
    for byte in view[position : position + 5]:
        value |= (byte & 0x7F) << shift
        shift += 7
        position += 1
        if byte < 0x80:
            break
    return value - 1, position


def _is_simple(request: ProduceRequest, version: int, response: ProduceResponse) -> bool:
    if version < _FIRST_VERSION or request.acks == 0 or request.transactional_id is not None:
        return False
    if len(request.topic_data) != 1 or len(request.topic_data[0].partition_data) != 1:
        return False
    return response.responses[0].partition_responses[0].error_code == ErrorCode.NONE


def _marked_answer(response: ProduceResponse, version: int) -> bytearray:
    """The answer with marks where its numbers go."""
    topic = response.responses[0]
    marked = PartitionResponses(
        index=topic.partition_responses[0].index,
        base_offset=_OFFSET_MARK,
        log_append_time_ms=_TIME_MARK,
        log_start_offset=_START_MARK,
    )
    model = ProduceResponse(
        responses=[Responses(topic_id=topic.topic_id, name=topic.name, partition_responses=[marked])]
    )
    return bytearray(encode_response(0, ApiKey.PRODUCE, version, model))


def _envelope_end(frame: memoryview, records_size: int, version: int) -> int | None:
    """Where the length of the records begins."""
    if version < FLEXIBLE_FROM:
        return len(frame) - records_size - 4
    if frame[-3:] != _NO_TAGS:
        return None
    return len(frame) - 3 - records_size - ((records_size + 1).bit_length() + 6) // 7


def _leader_of(request: ProduceRequest, context: RequestContext) -> PartitionLeader | None:
    topic = request.topic_data[0]
    name: str | None = topic.name
    if context.version >= 13:
        found = context.broker.image.topic_by_id(topic.topic_id)
        name = found.name if found is not None else None
    return context.broker.partitions.leaders.get((name or "", topic.partition_data[0].index))


_twin = compiled_twin("ottla.broker._quick_inbox")
if _twin is not None:
    ProduceLane = _twin.ProduceLane  # type: ignore[misc]
