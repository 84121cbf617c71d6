"""The requests of transactions and what their responses mean."""

from collections.abc import Callable
from typing import Any, TypeVar

from ottla.client.cluster import Cluster
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import raise_for
from ottla.client.nodes import Purpose
from ottla.client.offsets import ConsumerGroupMetadata, Offsets, by_topic
from ottla.client.producer.identity import Identity
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import add_partitions_to_txn_request, txn_offset_commit_request
from ottla.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from ottla.protocol.generated.add_partitions_to_txn_request import AddPartitionsToTxnRequest
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.protocol.message import Message

T = TypeVar("T")
#: Later versions are how a broker sees that the client knows TV2.
LAST_PRODUCE_OF_TV1 = 11
LAST_OFFSET_COMMIT_OF_TV1 = 4
LAST_END_OF_TV1 = 4
#: Later ones are between brokers.
LAST_ADD_PARTITIONS_OF_CLIENTS = 3
_TRANSACTION_VERSION = "transaction.version"


async def ask_coordinator(
    cluster: Cluster,
    coordinator: tuple[CoordinatorKind, str],
    request: Message,
    read: Callable[[Any], T],
    *,
    timeout_ms: int,
    what: str,
    max_version: int | None = None,
) -> T:
    """Asks until there is a result that does not ask to try again."""

    async def attempt() -> T:
        node_id = await cluster.coordinators.find(*coordinator)
        newest = 32767 if max_version is None else max_version
        version = await cluster.version_for(node_id, type(request), newest, purpose=Purpose.COORDINATION)
        return read(await cluster.ask(node_id, request, version=version, purpose=Purpose.COORDINATION))

    return await cluster.retry(attempt, timeout_ms=timeout_ms, what=what, coordinator=coordinator)


async def knows_tv2(cluster: Cluster, transactional_id: str, *, timeout_ms: int) -> bool:
    """Whether the cluster has `transaction.version` 2: as the coordinator reported when its channel was opened."""
    coordinator = (CoordinatorKind.TRANSACTION, transactional_id)

    async def attempt() -> bool:
        channel = await cluster.channel(await cluster.coordinators.find(*coordinator), Purpose.COORDINATION)
        served = channel.versions.get(EndTxnRequest.API_KEY)
        knows_end = served is not None and served.max_version > LAST_END_OF_TV1
        return knows_end and channel.features.get(_TRANSACTION_VERSION, 0) >= 2

    return await cluster.retry(attempt, timeout_ms=timeout_ms, what="find coordinator", coordinator=coordinator)


def read_code(response: Any) -> Any:
    raise_for(response.error_code)
    return response


def init_producer_id(transactional_id: str, timeout_ms: int, identity: Identity) -> InitProducerIdRequest:
    """With a known identity the coordinator raises its epoch, if nobody else has taken it over (KIP-360)."""
    return InitProducerIdRequest(
        transactional_id=transactional_id,
        transaction_timeout_ms=timeout_ms,
        producer_id=identity.producer_id,
        producer_epoch=identity.producer_epoch,
    )


def read_init_producer_id(response: Any) -> Any:
    code = response.error_code
    raise_for(code, "check transaction.timeout.ms" if code == ErrorCode.INVALID_TRANSACTION_TIMEOUT else None)
    return response


def add_partitions(
    transactional_id: str, identity: Identity, partitions: list[TopicPartition]
) -> AddPartitionsToTxnRequest:
    topics: dict[str, list[int]] = {}
    for topic, partition in partitions:
        topics.setdefault(topic, []).append(partition)
    return AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=transactional_id,
        v3_and_below_producer_id=identity.producer_id,
        v3_and_below_producer_epoch=identity.producer_epoch,
        v3_and_below_topics=[
            add_partitions_to_txn_request.V3AndBelowTopics(name=topic, partitions=numbers)
            for topic, numbers in topics.items()
        ],
    )


def read_add_partitions(response: Any) -> None:
    results = [
        (topic.name, row.partition_index, row.partition_error_code)
        for topic in response.results_by_topic_v3_and_below
        for row in topic.results_by_partition
    ]
    # Where one partition is refused, none is added: the code that says why is another one.
    results.sort(key=lambda result: result[2] == ErrorCode.OPERATION_NOT_ATTEMPTED)
    for topic, partition, code in results:
        raise_for(code, f"{topic}-{partition}")


def add_offsets(transactional_id: str, identity: Identity, group_id: str) -> AddOffsetsToTxnRequest:
    return AddOffsetsToTxnRequest(transactional_id, identity.producer_id, identity.producer_epoch, group_id)


def txn_offset_commit(
    transactional_id: str, identity: Identity, offsets: Offsets, group: ConsumerGroupMetadata
) -> TxnOffsetCommitRequest:
    return TxnOffsetCommitRequest(
        transactional_id=transactional_id,
        group_id=group.group_id,
        producer_id=identity.producer_id,
        producer_epoch=identity.producer_epoch,
        generation_id=group.generation_id,
        member_id=group.member_id,
        group_instance_id=group.group_instance_id,
        topics=[
            txn_offset_commit_request.Topics(
                name=topic,
                partitions=[
                    txn_offset_commit_request.Partitions(partition, noted.offset, noted.leader_epoch, noted.metadata)
                    for partition, noted in rows
                ],
            )
            for topic, rows in by_topic(offsets).items()
        ],
    )


def read_offset_commit(response: Any) -> None:
    for topic in response.topics:
        for row in topic.partitions:
            raise_for(row.error_code, f"{topic.name}-{row.partition_index}")


def end_txn(transactional_id: str, producer_id: int, producer_epoch: int, *, commit: bool) -> EndTxnRequest:
    return EndTxnRequest(transactional_id, producer_id, producer_epoch, commit)
