"""Produce requests with batches of a transaction: the coordinator must know of a partition before data goes there.

A partition that the coordinator does not know gets no marker: its data would never be decided, and no read_committed
reader could pass it (KIP-890). So, unless the log already has an open transaction of this producer and epoch:

    Produce <= 11   the coordinator is asked whether the client has added the partition
    Produce >= 12   the partition is added now (TV2)

The transaction may end before the append, while the coordinator is asked or a batch is checked for long. The log sees
to that: an append needs an open transaction, or the `Verification` that was begun here.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ottla.broker.coordinators.transaction_coordinators import TransactionCoordinators
from ottla.broker.coordinators.transaction_membership import TRY_AGAIN, join_or_verify
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.produce.appending import Appender, TransactionCheck, refuse_all
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import settled
from ottla.log.producers.producer_state import ProducerStates
from ottla.log.producers.verification import NOT_ASKED, Verification
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.records.batch import HEADER_SIZE, MAGIC, BatchHeader, read_header

_ADDS_FROM = 12
_ABORTABLE_FROM = 11

_Batch: TypeAlias = tuple[TopicPartition, ProducerStates, BatchHeader]


class TransactionalProduce:
    """Owned by the node."""

    def __init__(
        self,
        appender: Appender,
        partitions: Partitions,
        transactions: TransactionCoordinators,
        config: DynamicConfig,
    ) -> None:
        self._appender = appender
        self._partitions = partitions
        self._transactions = transactions
        self._config = config

    def produce(self, request: ProduceRequest, context: RequestContext[Any]) -> Any:
        """Appends at once where every partition is known to be in the transaction; asks the coordinator otherwise."""
        if request.transactional_id is None:
            return refuse_all(request, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)
        batches = self._transactional_batches(request, context)
        producers = {(header.producer_id, header.producer_epoch) for _, _, header in batches}
        if len(producers) > 1:
            message = "Transactional records contained more than one producer ID"
            return refuse_all(request, ErrorCode.INVALID_PRODUCER_ID_MAPPING, message)
        adds = context.version >= _ADDS_FROM
        if not adds and not self._config.options.transaction_partition_verification_enable:
            return self._appender.append_all(request, context)
        verifications: dict[TopicPartition, Verification] = {}
        unverified = []
        for partition, states, header in batches:
            producer_id, epoch = header.producer_id, header.producer_epoch
            verifications[partition] = NOT_ASKED
            if states.has_open_transaction(producer_id, epoch):
                continue
            unverified.append(partition)
            # One that is sent again, and late, must not stand in the way of what follows it.
            if not states.is_repeated(header):
                verifications[partition] = states.verifications.begin(
                    producer_id, epoch, header.base_sequence, joins=adds
                )
        if not unverified:
            return self._appender.append_all(request, context, TransactionCheck({}, verifications))
        (producer,) = producers
        return self._ask_then_append(request, context, producer, unverified, verifications)

    def _transactional_batches(self, request: ProduceRequest, context: RequestContext[Any]) -> list[_Batch]:
        """Those for partitions of this node. The append reports what is wrong with the others."""
        found = []
        for topic in request.topic_data:
            try:
                name = self._appender.resolve_topic(topic, context)
            except Refused:
                continue
            for data in topic.partition_data:
                leader = self._partitions.get(name, data.index)
                if leader is None or data.records is None or len(data.records) < HEADER_SIZE:
                    continue
                header = read_header(data.records)
                if header.is_transactional and header.magic == MAGIC:
                    found.append((TopicPartition(name, data.index), leader.log.producers, header))
        return found

    async def _ask_then_append(
        self,
        request: ProduceRequest,
        context: RequestContext[Any],
        producer: tuple[int, int],
        unverified: list[TopicPartition],
        verifications: dict[TopicPartition, Verification],
    ) -> Any:
        adds = context.version >= _ADDS_FROM
        codes = await join_or_verify(
            self._transactions, request.transactional_id or "", producer, unverified, adds=adds
        )
        refusals = {
            partition: _refusal(code, context.version)
            for partition, code in codes.items()
            if code is not ErrorCode.NONE
        }
        result = self._appender.append_all(request, context, TransactionCheck(refusals, verifications))
        return await settled(result)


def _refusal(code: ErrorCode, version: int) -> Refused:
    if code is ErrorCode.PRODUCER_FENCED:
        return Refused(ErrorCode.INVALID_PRODUCER_EPOCH)
    if code is ErrorCode.TRANSACTION_ABORTABLE and version < _ABORTABLE_FROM:
        return Refused(ErrorCode.INVALID_TXN_STATE, "Partition was not added to the transaction")
    if code in TRY_AGAIN:
        # Old clients do not retry after these codes, but they do after this one, and ask for no new metadata.
        return Refused(
            ErrorCode.NOT_ENOUGH_REPLICAS,
            f"the partition could not be verified to be part of the transaction: {code.name}",
        )
    return Refused(code)
