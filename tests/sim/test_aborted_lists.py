"""A read_committed response lists the aborted transactions of the bytes that it brings, not all there ever were."""

import asyncio
from typing import Any

import pytest

from ottla.broker.fetch import reading as fetch_reading
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import fetch_request
from ottla.records.reader import iterate_batches
from ottla.sim.broker_service import PORT
from ottla.sim.transactional_client import (
    READ_COMMITTED,
    READ_UNCOMMITTED,
    TransactionalSimClient,
    TransferProducer,
    visible_values,
)
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node
from ottla.sim.world import SimWorld, sleep_ms
from tests.support.simulated_story import told

ORDERS = TopicPartition("orders", 0)
SETTINGS = {"transaction.state.log.num.partitions": "1", "transaction.state.log.replication.factor": "1"}
COUNT = 60
WAIT_MS = 1_000
VALUE_SIZE = 1_000
FETCH_BYTES = 8_000
#: A transaction takes a batch with its value and a marker; the offset index has an entry for each 4 KiB.
LISTED_MAX = (FETCH_BYTES + 2 * 4_096) // VALUE_SIZE


def _client(world: SimWorld, name: str) -> TransactionalSimClient:
    network = world.client_doors(name).network
    return TransactionalSimClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000)


async def _fetch(client: TransactionalSimClient, offset: int, max_bytes: int, *, min_bytes: int = 1) -> Any:
    asked = fetch_request.Partitions(ORDERS.partition, fetch_offset=offset, partition_max_bytes=max_bytes)
    request = fetch_request.FetchRequest(
        max_wait_ms=WAIT_MS,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=READ_COMMITTED,
        topics=[fetch_request.Topics(topic=ORDERS.topic, partitions=[asked])],
    )
    return (await client._ask(request, 12)).responses[0].partitions[0]


async def _after_aborts(world: SimWorld) -> TransactionalSimClient:
    """One of ten transactions is committed."""
    node = make_node(world, SETTINGS)
    await node.start()
    await create_topics(_client(world, "admin"), {ORDERS.topic: {}}, partition_count=1)
    producer = TransferProducer(_client(world, "producer"), "orders", [ORDERS], timeout_ms=60_000)
    for number in range(COUNT):
        await producer.transfer(b"%d" % number + bytes(VALUE_SIZE), committed=number % 10 == 9)
    reader = _client(world, "reader")
    while await reader.end_offset(ORDERS, READ_COMMITTED) < await reader.end_offset(ORDERS, READ_UNCOMMITTED):
        await sleep_ms(1)
    return reader


async def _read_all(
    reader: TransactionalSimClient, max_bytes: int, *, min_bytes: int = 1
) -> tuple[list[int], list[int]]:
    """The numbers that a reader is shown, and how many aborted transactions each response lists."""
    offset, listed_counts, seen = 0, [], []
    end_offset = await reader.end_offset(ORDERS, READ_COMMITTED)
    while offset < end_offset:
        found = await _fetch(reader, offset, max_bytes, min_bytes=min_bytes)
        listed_counts.append(len(found.aborted_transactions))
        seen += [int(value.rstrip(b"\0")) for value in visible_values(found)]
        offset = _next_offset(found)
    return seen, listed_counts


def _next_offset(found: Any) -> int:
    return [header.last_offset for _, header in iterate_batches(found.records, allow_partial=True)][-1] + 1


def test_each_response_lists_the_aborted_transactions_near_its_own_records() -> None:
    async def tell(world: SimWorld) -> None:
        reader = await _after_aborts(world)

        seen, listed_counts = await _read_all(reader, FETCH_BYTES)

        assert seen == list(range(9, COUNT, 10))
        assert max(listed_counts) <= LISTED_MAX
        assert len(listed_counts) > COUNT * VALUE_SIZE // FETCH_BYTES

    told(tell)


def test_a_response_with_too_many_aborted_transactions_is_cut_and_does_not_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fetch_reading, "ABORTED_MAX", 5)

    async def tell(world: SimWorld) -> None:
        reader = await _after_aborts(world)
        began = asyncio.get_running_loop().time()

        seen, listed_counts = await _read_all(reader, 1 << 20, min_bytes=20_000)

        assert seen == list(range(9, COUNT, 10))
        assert max(listed_counts) == 5
        # Only the last response, which has little to bring, may have to wait.
        assert asyncio.get_running_loop().time() - began < 2 * WAIT_MS / 1000

    told(tell)
