"""Produce (key 0), versions 3–13; 0–2 are advertised but not accepted (trap T3).

Appends one batch per partition. The batch is checked, patched and written where it lies in the receive buffer; one
whose records are too many to be walked while others wait is checked in a thread first.
acks=0 gets no response, acks=1 one after the local append, acks=all one when the high watermark has passed the batch.
v5 log start offset · v8 record errors · v9 flexible · v10 leader hints · v12 joins a transaction · v13 topic ids
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ottla.broker.committed_wait import CommittedWait, Waits
from ottla.broker.context import RequestContext
from ottla.broker.deferred import settled
from ottla.broker.registry import handles
from ottla.broker.repeated_produce import empty_response
from ottla.log.append_checks import AppendOrigin, NotOneBatch, TakesLong
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused
from ottla.model.topic import INTERNAL_TOPICS, TopicPartition
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.generated.produce_response import PartitionResponses, ProduceResponse, RecordErrors, Responses
from ottla.records.batch import ATTRIBUTES_POSITION, CODEC_MASK, HEADER_SIZE, MAGIC, TRANSACTIONAL_BIT, magic_of

ALL = -1
_ACKS = (0, 1, ALL)
_CLIENT = AppendOrigin.CLIENT
_ADMIN_CLIENT = "__admin_client"
_TOPIC_IDS_FROM = 13
_ZSTD_FROM = 7
#: A request with more batches is appended in slices, so many at a time.
_MANY_BATCHES = 64
_STEP_BATCHES = 8
_ZSTD = 4
#: Refusals that Kafka reports without the log start offset.
_WITHOUT_LOG_START = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.MESSAGE_TOO_LARGE,
        ErrorCode.RECORD_LIST_TOO_LARGE,
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.KAFKA_STORAGE_ERROR,
    }
)


@handles(ApiKey.PRODUCE, 3, 13, advertised_min=0)
def produce(request: ProduceRequest, context: RequestContext) -> Any:
    if request.acks not in _ACKS:
        return refuse_all(request, ErrorCode.INVALID_REQUIRED_ACKS)
    for topic in request.topic_data:
        for data in topic.partition_data:
            records = data.records
            if (
                records is not None
                and len(records) >= HEADER_SIZE
                and records[ATTRIBUTES_POSITION + 1] & TRANSACTIONAL_BIT
            ):
                return context.broker.transactional_produce(request, context)
    return append_all(request, context)


def append_all(
    request: ProduceRequest,
    context: RequestContext,
    refusals: Mapping[TopicPartition, Refused] | None = None,
    must_start_at_zero: bool = False,
) -> Any:
    """Appends every batch that is not refused already and gives the response, or what waits for it."""
    topics = request.topic_data
    if len(topics) > 1 or (topics and len(topics[0].partition_data) > _MANY_BATCHES):
        if sum(len(topic.partition_data) for topic in topics) > _MANY_BATCHES:
            return _append_in_slices(request, context, refusals, must_start_at_zero)
    response = empty_response(request) if context.repeated is None else context.repeated.response
    waits: Waits = []
    long: list[_LongAppend] = []
    for topic, answered in zip(topics, response.responses, strict=True):
        partitions: list[PartitionResponses] = []
        answered.partition_responses = partitions
        batches = topic.partition_data
        _append_batches(topic, batches, partitions, request, context, refusals, must_start_at_zero, waits, long)
    if long:
        return _append_long(long, request, context, response, waits, must_start_at_zero)
    return _response(request, context, response, waits)


async def _append_in_slices(
    request: ProduceRequest,
    context: RequestContext,
    refusals: Mapping[TopicPartition, Refused] | None,
    must_start_at_zero: bool,
) -> Any:
    """For requests with batches for very many partitions: others are served in between."""
    response = empty_response(request)
    waits: Waits = []
    long: list[_LongAppend] = []
    pace = context.broker.time_slices.pace()
    for topic, answered in zip(request.topic_data, response.responses, strict=True):
        partitions = answered.partition_responses
        for start in range(0, len(topic.partition_data), _STEP_BATCHES):
            batches = topic.partition_data[start : start + _STEP_BATCHES]
            _append_batches(topic, batches, partitions, request, context, refusals, must_start_at_zero, waits, long)
            await pace.step()
    return await settled(_append_long(long, request, context, response, waits, must_start_at_zero))


def _append_batches(
    topic: TopicData,
    batches: list[PartitionData],
    partitions: list[PartitionResponses],
    request: ProduceRequest,
    context: RequestContext,
    refusals: Mapping[TopicPartition, Refused] | None,
    must_start_at_zero: bool,
    waits: Waits,
    long: list[_LongAppend],
) -> None:
    """Batches of one topic; adds to `partitions`, `waits` and `long`. The topic is that of its id at this moment."""
    name, refusal = resolve_topic(topic, context)
    for data in batches:
        problem = refusal
        if refusals is not None and problem is None:
            problem = refusals.get(TopicPartition(name, data.index))
        if problem is not None:
            partitions.append(refused(data.index, problem))
            continue
        try:
            partitions.append(_append(name, data, request.acks, context, waits, must_start_at_zero))
        except TakesLong:
            long.append(_LongAppend(topic, data, partitions, len(partitions)))
            partitions.append(PartitionResponses())


def _response(request: ProduceRequest, context: RequestContext, response: ProduceResponse, waits: Waits) -> Any:
    if request.acks == 0:
        return _without_response(response, context)
    if waits:
        return CommittedWait(response, waits, request.timeout_ms).deferred
    return response


class _LongAppend(NamedTuple):
    """A batch that is not appended yet, and the place of its response."""

    topic: TopicData
    data: PartitionData
    partitions: list[PartitionResponses]
    place: int


async def _append_long(
    long: list[_LongAppend],
    request: ProduceRequest,
    context: RequestContext,
    response: ProduceResponse,
    waits: Waits,
    must_start_at_zero: bool,
) -> Any:
    for topic, data, partitions, place in long:
        partitions[place] = await _append_when_checked(topic, data, request.acks, context, waits, must_start_at_zero)
    return await settled(_response(request, context, response, waits))


async def _append_when_checked(
    topic: TopicData, data: PartitionData, acks: int, context: RequestContext, waits: Waits, must_start_at_zero: bool
) -> PartitionResponses:
    broker = context.broker
    while True:
        # Again each time: its name may belong to another topic by now.
        name, refusal = resolve_topic(topic, context)
        if refusal is not None:
            return refused(data.index, refusal)
        try:
            return _append(name, data, acks, context, waits, must_start_at_zero)
        except TakesLong as long:
            # Also when the topic's options have changed during the check.
            log = broker.partitions.find(name, data.index).log
            try:
                await broker.long_checks.settle(log, long, data.records, broker.clock.now_ms())
            except (OSError, CorruptLog) as error:
                if broker.store.logs.get(log.topic_partition) is log:
                    return _unreadable(name, data.index, error, context)


def _append(
    name: str, data: PartitionData, acks: int, context: RequestContext, waits: Waits, must_start_at_zero: bool
) -> PartitionResponses:
    """Raises TakesLong, and nothing else."""
    broker = context.broker
    records = data.records
    log_start_offset = -1
    try:
        if context.version < _ZSTD_FROM:
            _check_codec(data)
        leader = broker.partitions.find(name, data.index)
        log = leader.log
        log_start_offset = log.log_start_offset
        if acks == ALL:
            leader.check_in_sync()
        if records is None:
            raise NotOneBatch("a produce request needs exactly one record batch per partition")
        base_offset, last_offset, append_time_ms, _ = leader.append(
            records, broker.clock.now_ms(), _CLIENT, must_start_at_zero
        )
    except TakesLong:
        raise
    except Refused as error:
        return refused(data.index, error, log_start_offset if _tells_log_start(error) else -1)
    except (OSError, CorruptLog) as error:
        return _unreadable(name, data.index, error, context)
    response = PartitionResponses(data.index, 0, base_offset, append_time_ms, log.log_start_offset)
    # With flush.messages=1 an ack of any kind means "on the device", as Kafka's flush before the response does.
    if (acks == ALL or log.flushes_before_ack or log.counts_to_flush) and not leader.is_committed(last_offset):
        waits.append((leader, last_offset, response))
    return response


def _unreadable(name: str, index: int, error: OSError | CorruptLog, context: RequestContext) -> PartitionResponses:
    """Damage is met where earlier batches of a producer are read back."""
    context.broker.faults.log_failed((name, index), error)
    message = error.strerror if isinstance(error, OSError) else "the log is damaged"
    return refused(index, Refused(ErrorCode.KAFKA_STORAGE_ERROR, message))


def _tells_log_start(error: Refused) -> bool:
    return error.code not in _WITHOUT_LOG_START and not isinstance(error, NotOneBatch)


def _check_codec(data: PartitionData) -> None:
    """KIP-110: readers and writers of older versions do not know zstd."""
    if data.records is not None and len(data.records) >= HEADER_SIZE and magic_of(data.records) == MAGIC:
        if data.records[ATTRIBUTES_POSITION + 1] & CODEC_MASK == _ZSTD:
            raise Refused(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, f"zstd needs Produce version {_ZSTD_FROM} or newer")


def refused(index: int, error: Refused, log_start_offset: int = -1) -> PartitionResponses:
    problems = getattr(error, "record_errors", ())
    return PartitionResponses(
        index=index,
        error_code=error.code,
        base_offset=-1,
        log_start_offset=log_start_offset,
        error_message=error.message,
        record_errors=[RecordErrors(batch_index=i, batch_index_error_message=text) for i, text in problems],
    )


def resolve_topic(topic: TopicData, context: RequestContext) -> tuple[str, Refused | None]:
    if context.version < _TOPIC_IDS_FROM:
        name = topic.name
    else:
        found = context.broker.image.topic_by_id(topic.topic_id)
        if found is None:
            return "", Refused(ErrorCode.UNKNOWN_TOPIC_ID)
        name = found.name
    if name in INTERNAL_TOPICS and context.client_id != _ADMIN_CLIENT and context.broker.image.topic(name) is not None:
        return name, Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, f"{name} is written by the brokers themselves")
    return name, None


def is_transactional(data: PartitionData) -> bool:
    records = data.records
    return (
        records is not None
        and len(records) >= HEADER_SIZE
        and bool(records[ATTRIBUTES_POSITION + 1] & TRANSACTIONAL_BIT)
    )


def refuse_all(request: ProduceRequest, code: ErrorCode, message: str | None = None) -> ProduceResponse:
    return ProduceResponse(
        responses=[
            Responses(
                topic_id=topic.topic_id,
                name=topic.name,
                partition_responses=[refused(data.index, Refused(code, message)) for data in topic.partition_data],
            )
            for topic in request.topic_data
        ]
    )


def _without_response(response: ProduceResponse, context: RequestContext) -> None:
    """acks=0 never gets a response: closing the connection is the only way to report an error."""
    for topic in response.responses:
        for partition in topic.partition_responses:
            if partition.error_code:
                context.connection.close(f"produce with acks=0 failed: {ErrorCode(partition.error_code).name}")
                return
