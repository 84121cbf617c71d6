"""Transactions and the producers of partitions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, by_topic
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import raise_for
from ottla.client.producer.transaction_handle import TransactionHandle
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import describe_producers_request, write_txn_markers_request
from ottla.protocol.generated.describe_transactions_request import DescribeTransactionsRequest
from ottla.protocol.generated.list_transactions_request import ListTransactionsRequest

#: How long a transaction of a fenced producer could have lasted does not matter any more.
_FENCING_TIMEOUT_MS = 1


class TransactionListing(NamedTuple):
    """From `admin.list_transactions()`.

    >>> options = {"bootstrap.servers": servers, "transactional.id": "mover-1"}
    >>> with Producer(options) as producer, producer.transaction(), Admin(bootstrap_servers=servers) as admin:
    ...     metadata = producer.send("mover-1-moves", b"1").result()
    ...     [each.state for each in admin.list_transactions() if each.transactional_id == "mover-1"]
    ['Ongoing']
    """

    transactional_id: str
    producer_id: int
    state: str
    coordinator_id: int = -1


class TransactionDescription(NamedTuple):
    """From `admin.describe_transactions()`. `start_ms` is -1 while no transaction is open.

    >>> options = {"bootstrap.servers": servers, "transactional.id": "mover-2"}
    >>> with Producer(options) as producer, producer.transaction(), Admin(bootstrap_servers=servers) as admin:
    ...     metadata = producer.send("mover-2-moves", b"1").result()
    ...     admin.describe_transactions(["mover-2"])["mover-2"].partitions
    frozenset({TopicPartition(topic='mover-2-moves', partition=0)})
    """

    transactional_id: str
    state: str
    producer_id: int
    producer_epoch: int
    timeout_ms: int
    start_ms: int
    partitions: frozenset[TopicPartition]
    coordinator_id: int = -1


class ProducerState(NamedTuple):
    """From `admin.describe_producers()`: what a partition knows of a producer.

    `transaction_start_offset` is -1 without an open transaction.

    >>> options = {"bootstrap.servers": servers, "transactional.id": "mover-3"}
    >>> with Producer(options) as producer, producer.transaction(), Admin(bootstrap_servers=servers) as admin:
    ...     metadata = producer.send("mover-3-moves", b"1").result()
    ...     partition = TopicPartition("mover-3-moves", 0)
    ...     [state.transaction_start_offset for state in admin.describe_producers([partition])[partition]]
    [0]
    """

    producer_id: int
    producer_epoch: int
    last_sequence: int
    last_timestamp_ms: int
    coordinator_epoch: int
    transaction_start_offset: int


async def list_transactions(
    call: Call, *, states: Sequence[str], producer_ids: Sequence[int], min_duration_ms: int, pattern: str | None
) -> list[TransactionListing]:
    request = ListTransactionsRequest(
        state_filters=list(states),
        producer_id_filters=list(producer_ids),
        duration_filter=min_duration_ms,
        transactional_id_pattern=pattern,
    )

    def read(response: Any) -> list[TransactionListing]:
        raise_for(response.error_code)
        return [
            TransactionListing(row.transactional_id, row.producer_id, row.transaction_state)
            for row in response.transaction_states
        ]

    found: list[TransactionListing] = []
    for node_id in await call.all_nodes():
        found += [row._replace(coordinator_id=node_id) for row in await call.node(node_id, request, read)]
    return sorted(found)


async def describe_transactions(call: Call, transactional_ids: Sequence[str]) -> dict[str, TransactionDescription]:
    def read(response: Any) -> TransactionDescription:
        row = response.transaction_states[0]
        raise_for(row.error_code, row.transactional_id)
        return TransactionDescription(
            row.transactional_id,
            row.transaction_state,
            row.producer_id,
            row.producer_epoch,
            row.transaction_timeout_ms,
            row.transaction_start_time_ms,
            frozenset(TopicPartition(topic.topic, number) for topic in row.topics for number in topic.partitions),
        )

    found = {}
    for name in transactional_ids:
        coordinator = (CoordinatorKind.TRANSACTION, name)
        row = await call.coordinator(coordinator, DescribeTransactionsRequest([name]), read)
        found[name] = row._replace(coordinator_id=await call.cluster.coordinators.find(*coordinator))
    return found


async def describe_producers(
    call: Call, partitions: Sequence[TopicPartition], broker_id: int | None
) -> dict[TopicPartition, list[ProducerState]]:
    def build(group: list[TopicPartition]) -> describe_producers_request.DescribeProducersRequest:
        return describe_producers_request.DescribeProducersRequest(
            [describe_producers_request.Topics(name, numbers) for name, numbers in by_topic(group).items()]
        )

    def read(response: Any) -> dict[TopicPartition, tuple[int, list[ProducerState]]]:
        return {
            TopicPartition(topic.name, row.partition_index): (
                row.error_code,
                [_producer_state(each) for each in row.active_producers],
            )
            for topic in response.topics
            for row in topic.partitions
        }

    if broker_id is None:
        return await call.leaders(partitions, build, read)

    def read_all(response: Any) -> dict[TopicPartition, list[ProducerState]]:
        for partition, (code, _) in read(response).items():
            raise_for(code, str(partition))
        return {partition: states for partition, (_, states) in read(response).items()}

    return await call.node(broker_id, build(list(partitions)), read_all)


def _producer_state(row: Any) -> ProducerState:
    return ProducerState(
        row.producer_id,
        row.producer_epoch,
        row.last_sequence,
        row.last_timestamp,
        row.coordinator_epoch,
        row.current_txn_start_offset,
    )


async def abort_transaction(call: Call, partition: TopicPartition, state: ProducerState) -> None:
    """Writes the marker itself: for a transaction that its coordinator has forgotten."""

    def build(group: list[TopicPartition]) -> write_txn_markers_request.WriteTxnMarkersRequest:
        marker = write_txn_markers_request.Markers(
            producer_id=state.producer_id,
            producer_epoch=state.producer_epoch,
            transaction_result=False,
            topics=[write_txn_markers_request.Topics(name, numbers) for name, numbers in by_topic(group).items()],
            coordinator_epoch=state.coordinator_epoch,
        )
        return write_txn_markers_request.WriteTxnMarkersRequest([marker])

    def read(response: Any) -> dict[TopicPartition, tuple[int, None]]:
        return {
            TopicPartition(topic.name, row.partition_index): (row.error_code, None)
            for marker in response.markers
            for topic in marker.topics
            for row in topic.partitions
        }

    await call.leaders([partition], build, read)


async def fence_producers(call: Call, transactional_ids: Sequence[str]) -> dict[str, TransactionHandle]:
    from ottla.client.producer import transaction_requests  # few admin clients need the producer's side
    from ottla.client.producer.identity import NOBODY

    fenced = {}
    for name in transactional_ids:
        request = transaction_requests.init_producer_id(name, _FENCING_TIMEOUT_MS, NOBODY)
        response = await call.coordinator(
            (CoordinatorKind.TRANSACTION, name), request, transaction_requests.read_init_producer_id
        )
        fenced[name] = TransactionHandle(name, response.producer_id, response.producer_epoch)
    return fenced


async def end_transaction(call: Call, handle: TransactionHandle, *, commit: bool) -> None:
    from ottla.client.producer import transaction_requests, transactional

    uses_tv2 = await transaction_requests.knows_tv2(call.cluster, handle.transactional_id, timeout_ms=call.left_ms)
    await transactional.end_transaction(call.cluster, handle, commit=commit, timeout_ms=call.left_ms, uses_tv2=uses_tv2)
