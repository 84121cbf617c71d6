"""Transactions with other people's clients: commit, abort, fencing, time-out, offsets that move with the data."""

import asyncio
import gc
import time
from collections.abc import Iterator

import aiokafka
import kafka
import pytest
from aiokafka.errors import KafkaError as AioKafkaError
from confluent_kafka import Consumer, KafkaException, Producer

from tests.support.broker_process import BrokerProcess
from tests.support.topics import new_topic_at
from tests.support.transactional_client import state_of
from tests.support.waiting import eventually
from tests.support.whole_partitions import sorted_values


@pytest.fixture(autouse=True)
def _no_client_is_left_to_chance() -> Iterator[None]:
    """Abandoned clients are collected here, not in the middle of something that cannot bear their last words."""
    yield
    gc.collect()


@pytest.fixture
def topic(address: str) -> str:
    return new_topic_at(address, 2, prefix="tx")


def transactional(address: str, transactional_id: str, **config: object) -> Producer:
    producer = Producer({"bootstrap.servers": address, "transactional.id": transactional_id, **config})
    producer.init_transactions(20)
    return producer


def test_readers_see_what_was_committed(address: str, topic: str) -> None:
    producer = transactional(address, f"id-{topic}")

    for number in range(6):
        producer.begin_transaction()
        for partition in range(2):
            producer.produce(topic, b"%d" % number, partition=partition)
        producer.flush(20)
        if number % 2 == 0:
            producer.commit_transaction(20)
        else:
            producer.abort_transaction(20)

    assert sorted_values(address, topic) == [b"0", b"0", b"2", b"2", b"4", b"4"]
    assert len(sorted_values(address, topic, "read_uncommitted")) == 12


def test_the_older_of_two_producers_is_fenced(address: str, topic: str) -> None:
    older = transactional(address, f"id-{topic}")
    older.begin_transaction()
    older.produce(topic, b"older", partition=0)
    older.flush(20)

    newer = transactional(address, f"id-{topic}")

    with pytest.raises(KafkaException) as refused:
        older.commit_transaction(20)
    assert refused.value.args[0].fatal()
    newer.begin_transaction()
    newer.produce(topic, b"newer", partition=0)
    newer.commit_transaction(20)
    assert sorted_values(address, topic) == [b"newer"]


def test_an_abandoned_transaction_does_not_hold_readers_for_ever(
    broker: BrokerProcess, address: str, topic: str
) -> None:
    abandoned = transactional(address, f"id-{topic}", **{"transaction.timeout.ms": 8000})
    abandoned.begin_transaction()
    abandoned.produce(topic, b"abandoned", partition=0)
    abandoned.flush(20)
    plain = Producer({"bootstrap.servers": address})
    plain.produce(topic, b"plain", partition=0)
    plain.flush(20)

    seen = sorted_values(address, topic)
    # On a busy machine its time may be over already: then readers go on, and rightly.
    assert seen == [] or state_of(broker, f"id-{topic}") != "Ongoing"
    eventually(lambda: sorted_values(address, topic) == [b"plain"])


def test_offsets_move_with_the_data(address: str, topic: str) -> None:
    """Copies a topic in transactions, of which every third is aborted and done again by the next process."""
    source, group = new_topic_at(address, 2, prefix="tx"), f"copy-{topic}"
    plain = Producer({"bootstrap.servers": address})
    for number in range(200):
        plain.produce(source, b"%03d" % number, partition=number % 2)
    plain.flush(20)

    copied = 0
    life = 0
    while copied < 200:
        life += 1
        assert life < 40  # a busy machine may hand out few records at a time
        copied += copy_some(address, source, topic, group, 200 - copied)

    assert sorted_values(address, topic) == [b"%03d" % number for number in range(200)]


def copy_some(address: str, source: str, target: str, group: str, left: int) -> int:
    """One process: two transactions are committed, the third is aborted."""
    consumer = Consumer(
        {
            "bootstrap.servers": address,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "isolation.level": "read_committed",
        }
    )
    consumer.subscribe([source])
    producer = transactional(address, group)
    copied = transactions = 0
    deadline = time.monotonic() + 20
    while transactions < 3 and copied < left and time.monotonic() < deadline:
        messages = [message for message in consumer.consume(30, 0.5) if message.error() is None]
        if not messages:
            continue
        producer.begin_transaction()
        for message in messages:
            producer.produce(target, message.value(), partition=message.partition() or 0)
        producer.send_offsets_to_transaction(
            consumer.position(consumer.assignment()), consumer.consumer_group_metadata(), 20
        )
        transactions += 1
        if transactions == 3:
            producer.abort_transaction(20)
        else:
            producer.commit_transaction(20)
            copied += len(messages)
    consumer.close()
    return copied


def test_aiokafka_commits_aborts_and_is_fenced(address: str, topic: str) -> None:
    async def work() -> None:
        first = aiokafka.AIOKafkaProducer(bootstrap_servers=address, transactional_id=f"aio-{topic}")
        await first.start()
        async with first.transaction():
            await first.send_and_wait(topic, b"committed", partition=0)
        await first.begin_transaction()
        await first.send_and_wait(topic, b"aborted", partition=1)
        await first.abort_transaction()
        second = aiokafka.AIOKafkaProducer(bootstrap_servers=address, transactional_id=f"aio-{topic}")
        await second.start()
        with pytest.raises(AioKafkaError):
            async with first.transaction():
                await first.send_and_wait(topic, b"fenced", partition=0)
        async with second.transaction():
            await second.send_and_wait(topic, b"second", partition=0)
        await second.stop()
        await first.stop()

    asyncio.run(work())

    assert sorted_values(address, topic) == [b"committed", b"second"]


def test_kafka_python_commits_and_aborts(address: str, topic: str) -> None:
    producer = kafka.KafkaProducer(bootstrap_servers=address, transactional_id=f"kp-{topic}")
    producer.init_transactions()

    for number in range(4):
        producer.begin_transaction()
        producer.send(topic, b"%d" % number, partition=number % 2).get(20)
        if number % 2 == 0:
            producer.commit_transaction()
        else:
            producer.abort_transaction()
    producer.close()

    assert sorted_values(address, topic) == [b"0", b"2"]
