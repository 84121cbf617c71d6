"""Produce requests with batches of a transaction: the coordinator must know of a partition before data goes there.

A partition that the coordinator does not know gets no marker: its data would never be decided, and no read_committed
reader could pass it (KIP-890). So, unless the log already has an open transaction of this producer and epoch:

    Produce <= 11   the coordinator is asked whether the client has added the partition
    Produce >= 12   the partition is added now (TV2)
"""

from __future__ import annotations

from typing import Any

from ottla.broker.coordinators.transaction_coordinators import TransactionCoordinators
from ottla.broker.coordinators.transaction_membership import TRY_AGAIN, join_or_verify
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.produce.appending import Appender, TransactionCheck, refuse_all
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import settled
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.records.batch import HEADER_SIZE, read_header

_ADDS_FROM = 12
_ABORTABLE_FROM = 11


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
        producers, unverified = self._unverified(request, context)
        if len(producers) > 1:
            message = "Transactional records contained more than one producer ID"
            return refuse_all(request, ErrorCode.INVALID_PRODUCER_ID_MAPPING, message)
        adds = context.version >= _ADDS_FROM
        if not unverified or not (adds or self._config.options.transaction_partition_verification_enable):
            return self._appender.append_all(request, context, TransactionCheck({}, must_start_at_zero=adds))
        (producer,) = producers
        return self._ask_then_append(request, context, producer, unverified)

    def _unverified(
        self, request: ProduceRequest, context: RequestContext[Any]
    ) -> tuple[dict[tuple[int, int], None], list[TopicPartition]]:
        """The producers in the request, and the partitions in which they have no open transaction yet."""
        producers: dict[tuple[int, int], None] = {}
        unverified = []
        for topic in request.topic_data:
            try:
                name = self._appender.resolve_topic(topic, context)
            except Refused:
                # The append reports it.
                continue
            for data in topic.partition_data:
                leader = self._partitions.get(name, data.index)
                if leader is None or data.records is None or len(data.records) < HEADER_SIZE:
                    continue
                header = read_header(data.records)
                if not header.is_transactional:
                    continue
                producer = (header.producer_id, header.producer_epoch)
                producers[producer] = None
                if not leader.log.producers.has_open_transaction(*producer):
                    unverified.append(TopicPartition(name, data.index))
        return producers, unverified

    async def _ask_then_append(
        self,
        request: ProduceRequest,
        context: RequestContext[Any],
        producer: tuple[int, int],
        partitions: list[TopicPartition],
    ) -> Any:
        adds = context.version >= _ADDS_FROM
        codes = await join_or_verify(
            self._transactions, request.transactional_id or "", producer, partitions, adds=adds
        )
        refusals = {
            partition: _refusal(code, context.version)
            for partition, code in codes.items()
            if code is not ErrorCode.NONE
        }
        result = self._appender.append_all(request, context, TransactionCheck(refusals, must_start_at_zero=adds))
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
