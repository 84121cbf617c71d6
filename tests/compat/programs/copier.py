"""Copies one topic to another, exactly once: consume, produce and commit offsets in one transaction. Made to be killed.

    python -m tests.compat.programs.copier KIND ADDRESS SOURCE TARGET NAME

NAME is the group, its only static member and the transactional id, so that the next process takes over at once. Any
error ends the process; whoever started it starts the next one. Tells `copied COUNT` after each committed transaction.
"""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

BATCH = 20
SESSION_MS = 6000
TRANSACTION_MS = 10_000


class Wish(NamedTuple):
    address: str
    source: str
    target: str
    name: str


def tell_copied(count: int) -> None:
    print("copied", count, flush=True)


def confluent(wish: Wish) -> None:
    from confluent_kafka import Consumer, Producer

    # The producer comes first: it ends what the last process has left open.
    producer = Producer(
        {
            "bootstrap.servers": wish.address,
            "transactional.id": wish.name,
            "transaction.timeout.ms": TRANSACTION_MS,
            "linger.ms": 1,
            # Without it librdkafka may wait for ever for a coordinator that it has given up (its issues 5456, 5511).
            "metadata.recovery.strategy": "none",
        }
    )
    producer.init_transactions(30)
    consumer = Consumer(
        {
            "bootstrap.servers": wish.address,
            "group.id": wish.name,
            "group.instance.id": wish.name,
            "session.timeout.ms": SESSION_MS,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "isolation.level": "read_committed",
        }
    )
    consumer.subscribe([wish.source])
    while True:
        messages = [message for message in consumer.consume(BATCH, 0.2) if message.error() is None]
        if not messages:
            continue
        producer.begin_transaction()
        for message in messages:
            producer.produce(wish.target, message.value(), partition=message.partition() or 0)
        producer.send_offsets_to_transaction(
            consumer.position(consumer.assignment()), consumer.consumer_group_metadata(), 30
        )
        producer.commit_transaction(30)
        tell_copied(len(messages))


def _consumer_settings(wish: Wish) -> dict[str, Any]:
    """As kafka-python and aiokafka spell them."""
    return {
        "bootstrap_servers": wish.address,
        "group_id": wish.name,
        "group_instance_id": wish.name,
        "session_timeout_ms": SESSION_MS,
        "heartbeat_interval_ms": 1000,
        "auto_offset_reset": "earliest",
        "enable_auto_commit": False,
        "isolation_level": "read_committed",
    }


def kafka_python(wish: Wish) -> None:
    import kafka

    producer = kafka.KafkaProducer(
        bootstrap_servers=wish.address, transactional_id=wish.name, transaction_timeout_ms=TRANSACTION_MS
    )
    producer.init_transactions()
    consumer = kafka.KafkaConsumer(wish.source, **_consumer_settings(wish))
    while True:
        # Not shorter: a join that ends between two polls makes kafka-python 3.0 drop the assignment, at times for good.
        batches = consumer.poll(timeout_ms=5000, max_records=BATCH)
        if not batches:
            continue
        producer.begin_transaction()
        sent = [
            producer.send(wish.target, record.value, partition=place.partition)
            for place, records in batches.items()
            for record in records
        ]
        offsets = {place: kafka.OffsetAndMetadata(records[-1].offset + 1, "", -1) for place, records in batches.items()}
        producer.send_offsets_to_transaction(offsets, consumer.group_metadata())
        producer.commit_transaction()
        for future in sent:
            future.get(30)
        tell_copied(len(sent))


def aiokafka(wish: Wish) -> None:
    asyncio.run(_aiokafka(wish))


async def _aiokafka(wish: Wish) -> None:
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

    producer = AIOKafkaProducer(
        bootstrap_servers=wish.address, transactional_id=wish.name, transaction_timeout_ms=TRANSACTION_MS
    )
    await producer.start()
    consumer = AIOKafkaConsumer(wish.source, **_consumer_settings(wish))
    await consumer.start()
    while True:
        batches = await consumer.getmany(timeout_ms=200, max_records=BATCH)
        if not batches:
            continue
        async with producer.transaction():
            for place, records in batches.items():
                for record in records:
                    await producer.send(wish.target, record.value, partition=place.partition)
            offsets = {place: records[-1].offset + 1 for place, records in batches.items()}
            await producer.send_offsets_to_transaction(offsets, wish.name)
        tell_copied(sum(map(len, batches.values())))


KINDS: dict[str, Callable[[Wish], None]] = {
    "confluent": confluent,
    "kafka-python": kafka_python,
    "aiokafka": aiokafka,
}


if __name__ == "__main__":
    KINDS[sys.argv[1]](Wish(*sys.argv[2:]))
