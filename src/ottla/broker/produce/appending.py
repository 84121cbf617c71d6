"""Appending the batches of a produce request, and the response that reports it.

A batch is checked, patched and written where it lies in the receive buffer; one whose records are too many to be walked
while others wait is checked in a thread first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ottla.broker.execution.time_slices import TimeSlices
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.produce.committed_wait import CommittedWait, Waits
from ottla.broker.produce.long_checks import LongChecks
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import settled
from ottla.broker.requests.repeated_produce import Batch, StartedResponse
from ottla.broker.storage.faults import StorageFaults
from ottla.doors.clock import Clock
from ottla.log.partition.append_rules import AppendOrigin, NotOneBatch
from ottla.log.producers.older_batches import TakesLong
from ottla.log.producers.verification import NOT_ASKED, Verification
from ottla.log.store.log_store import LogStore
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused
from ottla.model.topic import INTERNAL_TOPICS, TopicPartition
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.generated.produce_response import PartitionResponses, ProduceResponse, RecordErrors
from ottla.records.batch import ATTRIBUTES_POSITION, CODEC_MASK, HEADER_SIZE, MAGIC, magic_of
from ottla.replication.partition_leader import ACKS_ALL

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


@dataclass(slots=True, frozen=True)
class TransactionCheck:
    """What is known of the transaction that the batches of a request belong to."""

    #: The coordinator has responded so.
    refusals: Mapping[TopicPartition, Refused]
    #: What the coordinator was asked about, or `NOT_ASKED`.
    verifications: Mapping[TopicPartition, Verification]

    def verification_of(self, partition: TopicPartition) -> Verification:
        """Raises Refused. A partition that came to this node during the question was not asked about."""
        refusal = self.refusals.get(partition)
        if refusal is not None:
            raise refusal
        return self.verifications.get(partition, NOT_ASKED)


class Appender:
    """Owned by the node."""

    def __init__(
        self,
        partitions: Partitions,
        store: LogStore,
        *,
        metadata: MetadataCache,
        clock: Clock,
        faults: StorageFaults,
        long_checks: LongChecks,
        slices: TimeSlices,
    ) -> None:
        self._partitions = partitions
        self._store = store
        self._metadata = metadata
        self._now_ms = clock.now_ms
        self._faults = faults
        self._long_checks = long_checks
        self._slices = slices

    def append_all(
        self, request: ProduceRequest, context: RequestContext[Any], transaction: TransactionCheck | None = None
    ) -> Any:
        """Appends every batch that is not refused already and gives the response, or what waits for it.

        `transaction` is None where the coordinator need not know of the batches.
        """
        started = StartedResponse(request) if context.repeated is None else context.repeated.started
        if len(started.batches) > _MANY_BATCHES:
            return self._append_in_slices(started, request, context, transaction)
        waits: Waits = []
        long: list[Batch] = []
        for batch in started.batches:
            try:
                self._append(batch, request.acks, context, transaction, waits)
            except TakesLong:
                long.append(batch)
        if long:
            return self._append_long(long, request, context, transaction, started.response, waits)
        return _outcome(request, context, started.response, waits)

    async def _append_in_slices(
        self,
        started: StartedResponse,
        request: ProduceRequest,
        context: RequestContext[Any],
        transaction: TransactionCheck | None,
    ) -> Any:
        """For requests with batches for very many partitions: others are served in between."""
        waits: Waits = []
        long: list[Batch] = []
        pace = self._slices.pace()
        for count, batch in enumerate(started.batches, 1):
            try:
                self._append(batch, request.acks, context, transaction, waits)
            except TakesLong:
                long.append(batch)
            if count % _STEP_BATCHES == 0:
                await pace.step()
        return await self._append_long(long, request, context, transaction, started.response, waits)

    async def _append_long(
        self,
        long: list[Batch],
        request: ProduceRequest,
        context: RequestContext[Any],
        transaction: TransactionCheck | None,
        response: ProduceResponse,
        waits: Waits,
    ) -> Any:
        for batch in long:
            await self._append_when_checked(batch, request.acks, context, transaction, waits)
        return await settled(_outcome(request, context, response, waits))

    async def _append_when_checked(
        self, batch: Batch, acks: int, context: RequestContext[Any], transaction: TransactionCheck | None, waits: Waits
    ) -> None:
        topic, data, response = batch
        while True:
            try:
                self._append(batch, acks, context, transaction, waits)
                return
            except TakesLong as long:
                # Also when the topic's options have changed during the check.
                name = self.resolve_topic(topic, context)
                log = self._partitions.find(name, data.index).log
                try:
                    await self._long_checks.settle(log, long, data.records, self._now_ms())
                except (OSError, CorruptLog) as error:
                    if self._store.logs.get(log.topic_partition) is log:
                        self._report_unreadable(response, name, error)
                        return

    def _append(
        self, batch: Batch, acks: int, context: RequestContext[Any], transaction: TransactionCheck | None, waits: Waits
    ) -> None:
        """Appends one batch and fills its response. Raises TakesLong, and nothing else.

        The topic is the one that has the id at this moment: while a batch is checked, its name may go to another.
        """
        topic, data, response = batch
        name = ""
        log_start_offset = -1
        try:
            # In Kafka's order: clients see the first reason.
            name = self.resolve_topic(topic, context)
            leader = self._partitions.find(name, data.index)
            if context.version < _ZSTD_FROM:
                _check_codec(data)
            verification = None
            if transaction is not None:
                verification = transaction.verification_of(TopicPartition(name, data.index))
            if acks != ACKS_ALL and acks != 1 and acks != 0:
                raise Refused(ErrorCode.INVALID_REQUIRED_ACKS)
            log = leader.log
            log_start_offset = log.log_start_offset
            if acks == ACKS_ALL:
                leader.check_in_sync()
            if data.records is None:
                raise NotOneBatch("a produce request needs exactly one record batch per partition")
            now_ms = self._now_ms
            response.base_offset, last_offset, response.log_append_time_ms, _ = leader.append(
                data.records, now_ms(), _CLIENT, verification
            )
        except TakesLong:
            raise
        except Refused as error:
            refuse(response, error, log_start_offset if _has_log_start(error) else -1)
            return
        except (OSError, CorruptLog) as error:
            self._report_unreadable(response, name, error)
            return
        response.log_start_offset = log.log_start_offset
        # With flush.messages an ack of any kind means "on the device", as Kafka's flush before the response does.
        may_have_to_wait = acks == ACKS_ALL or log.flushes_before_ack or log.counts_to_flush
        if may_have_to_wait and not leader.may_acknowledge(last_offset, acks):
            waits.append((leader, last_offset, response))

    def _report_unreadable(self, response: PartitionResponses, name: str, error: OSError | CorruptLog) -> None:
        """Damage is met where earlier batches of a producer are read back."""
        self._faults.log_failed((name, response.index), error)
        message = error.strerror if isinstance(error, OSError) else "the log is damaged"
        refuse(response, Refused(ErrorCode.KAFKA_STORAGE_ERROR, message))

    def resolve_topic(self, topic: TopicData, context: RequestContext[Any]) -> str:
        """The name of the topic that a request means. Raises Refused where a client may not write there."""
        if context.version < _TOPIC_IDS_FROM:
            name = topic.name
        else:
            found = self._metadata.image.topic_by_id(topic.topic_id)
            if found is None:
                raise Refused(ErrorCode.UNKNOWN_TOPIC_ID)
            name = found.name
        if name in INTERNAL_TOPICS and context.client_id != _ADMIN_CLIENT:
            if self._metadata.image.topic(name) is not None:
                raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, f"{name} is written by the brokers themselves")
        return name


def _outcome(request: ProduceRequest, context: RequestContext[Any], response: ProduceResponse, waits: Waits) -> Any:
    """The response, or what waits for it."""
    if request.acks == 0:
        return _without_response(response, context)
    if waits:
        return CommittedWait(response, waits, request.acks, request.timeout_ms).deferred
    return response


def _has_log_start(error: Refused) -> bool:
    return error.code not in _WITHOUT_LOG_START and not isinstance(error, NotOneBatch)


def _check_codec(data: PartitionData) -> None:
    """KIP-110: readers and writers of older versions do not know zstd."""
    if data.records is not None and len(data.records) >= HEADER_SIZE and magic_of(data.records) == MAGIC:
        if data.records[ATTRIBUTES_POSITION + 1] & CODEC_MASK == _ZSTD:
            raise Refused(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, f"zstd needs Produce version {_ZSTD_FROM} or newer")


def refuse(response: PartitionResponses, error: Refused, log_start_offset: int = -1) -> None:
    response.error_code = error.code
    response.base_offset = response.log_append_time_ms = -1
    response.log_start_offset = log_start_offset
    response.error_message = error.message
    response.record_errors = [
        RecordErrors(batch_index=index, batch_index_error_message=text)
        for index, text in getattr(error, "record_errors", ())
    ]


def refuse_all(request: ProduceRequest, code: ErrorCode, message: str | None = None) -> ProduceResponse:
    started = StartedResponse(request)
    for _, _, response in started.batches:
        refuse(response, Refused(code, message))
    return started.response


def _without_response(response: ProduceResponse, context: RequestContext[Any]) -> None:
    """acks=0 never gets a response: closing the connection is the only way to report an error."""
    for topic in response.responses:
        for partition in topic.partition_responses:
            if partition.error_code:
                context.connection.close(f"produce with acks=0 failed: {ErrorCode(partition.error_code).name}")
                return
