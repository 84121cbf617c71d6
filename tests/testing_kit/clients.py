"""Four clients behind one interface: what a service under test does with Kafka."""

import asyncio
import uuid
from collections.abc import Callable
from typing import Protocol

import aiokafka
import confluent_kafka
import kafka as kafka_python

from ottla.client import AsyncConsumer, Producer

TIMEOUT_S = 60


class KafkaClient(Protocol):
    def produce(self, bootstrap: str, topic: str, value: bytes) -> None:
        """One record, acknowledged by an idempotent producer with the client id `svc`."""

    def consume(self, bootstrap: str, topic: str, count: int, group: str, then: Callable[[], None]) -> list[bytes]:
        """The first records of a topic, as a member of a group that commits; `then` runs before it leaves."""

    def produce_in_transaction(self, bootstrap: str, topic: str, value: bytes, then: Callable[[], None]) -> None:
        """One record in a transaction of ten seconds; `then` runs before the commit. Raises if it cannot commit."""


class Confluent:
    def produce(self, bootstrap: str, topic: str, value: bytes) -> None:
        outcome: list[object] = []
        producer = confluent_kafka.Producer(
            {"bootstrap.servers": bootstrap, "client.id": "svc", "enable.idempotence": True, "retry.backoff.ms": 10}
        )
        producer.produce(topic, value, on_delivery=lambda error, message: outcome.append(error))
        assert producer.flush(TIMEOUT_S) == 0
        assert outcome == [None]

    def consume(self, bootstrap: str, topic: str, count: int, group: str, then: Callable[[], None]) -> list[bytes]:
        consumer = confluent_kafka.Consumer(
            {
                "bootstrap.servers": bootstrap,
                "client.id": "svc",
                "group.id": group,
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                "reconnect.backoff.ms": 10,
            }
        )
        consumer.subscribe([topic])
        try:
            found: list[bytes] = []
            while len(found) < count:
                message = consumer.poll(TIMEOUT_S)
                assert message is not None
                if message.error() is None:
                    found.append(message.value() or b"")
            consumer.commit(asynchronous=False)
            then()
            return found
        finally:
            consumer.close()

    def produce_in_transaction(self, bootstrap: str, topic: str, value: bytes, then: Callable[[], None]) -> None:
        producer = confluent_kafka.Producer(
            {"bootstrap.servers": bootstrap, "transactional.id": uuid.uuid4().hex, "transaction.timeout.ms": 10_000}
        )
        producer.init_transactions(TIMEOUT_S)
        producer.begin_transaction()
        producer.produce(topic, value)
        producer.flush(TIMEOUT_S)
        then()
        producer.commit_transaction(TIMEOUT_S)


class AioKafka:
    def produce(self, bootstrap: str, topic: str, value: bytes) -> None:
        async def story() -> None:
            producer = aiokafka.AIOKafkaProducer(
                bootstrap_servers=bootstrap, client_id="svc", enable_idempotence=True, retry_backoff_ms=10
            )
            async with producer:
                await asyncio.wait_for(producer.send_and_wait(topic, value), TIMEOUT_S)

        asyncio.run(story())

    def consume(self, bootstrap: str, topic: str, count: int, group: str, then: Callable[[], None]) -> list[bytes]:
        async def story() -> list[bytes]:
            consumer = aiokafka.AIOKafkaConsumer(
                topic,
                bootstrap_servers=bootstrap,
                client_id="svc",
                group_id=group,
                auto_offset_reset="earliest",
                enable_auto_commit=False,
                retry_backoff_ms=10,
            )
            async with consumer:
                found = [(await asyncio.wait_for(consumer.getone(), TIMEOUT_S)).value for _ in range(count)]
                await consumer.commit()
                await asyncio.to_thread(then)
                return found

        return asyncio.run(story())

    def produce_in_transaction(self, bootstrap: str, topic: str, value: bytes, then: Callable[[], None]) -> None:
        async def story() -> None:
            producer = aiokafka.AIOKafkaProducer(
                bootstrap_servers=bootstrap, transactional_id=uuid.uuid4().hex, transaction_timeout_ms=10_000
            )
            async with producer:
                await producer.begin_transaction()
                await producer.send_and_wait(topic, value)
                await asyncio.to_thread(then)
                await producer.commit_transaction()

        asyncio.run(story())


class KafkaPython:
    def produce(self, bootstrap: str, topic: str, value: bytes) -> None:
        producer = kafka_python.KafkaProducer(
            bootstrap_servers=bootstrap, client_id="svc", enable_idempotence=True, retry_backoff_ms=10
        )
        try:
            producer.send(topic, value).get(timeout=TIMEOUT_S)
        finally:
            producer.close(timeout=5)

    def consume(self, bootstrap: str, topic: str, count: int, group: str, then: Callable[[], None]) -> list[bytes]:
        consumer = kafka_python.KafkaConsumer(
            topic,
            bootstrap_servers=bootstrap,
            client_id="svc",
            group_id=group,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            retry_backoff_ms=10,
            consumer_timeout_ms=TIMEOUT_S * 1000,
        )
        try:
            found = [next(consumer).value for _ in range(count)]
            consumer.commit()
            then()
            return found
        finally:
            consumer.close(timeout_ms=5000)

    def produce_in_transaction(self, bootstrap: str, topic: str, value: bytes, then: Callable[[], None]) -> None:
        producer = kafka_python.KafkaProducer(
            bootstrap_servers=bootstrap, transactional_id=uuid.uuid4().hex, transaction_timeout_ms=10_000
        )
        try:
            producer.init_transactions()
            producer.begin_transaction()
            producer.send(topic, value).get(timeout=TIMEOUT_S)
            then()
            producer.commit_transaction()
        finally:
            producer.close(timeout=5)


class Ottla:
    def produce(self, bootstrap: str, topic: str, value: bytes) -> None:
        with Producer(bootstrap_servers=bootstrap, client_id="svc", retry_backoff_ms=10) as producer:
            producer.send(topic, value).result(TIMEOUT_S * 1000)

    def consume(self, bootstrap: str, topic: str, count: int, group: str, then: Callable[[], None]) -> list[bytes]:
        async def story() -> list[bytes]:
            consumer = AsyncConsumer(
                bootstrap_servers=bootstrap,
                client_id="svc",
                group_id=group,
                auto_offset_reset="earliest",
                enable_auto_commit=False,
                topics=[topic],
            )
            async with consumer:
                found: list[bytes] = []
                async with asyncio.timeout(TIMEOUT_S):
                    async for record in consumer:
                        found.append(record.value)
                        if len(found) == count:
                            break
                await consumer.commit()
                await asyncio.to_thread(then)
                return found

        return asyncio.run(story())

    def produce_in_transaction(self, bootstrap: str, topic: str, value: bytes, then: Callable[[], None]) -> None:
        settings = {"bootstrap.servers": bootstrap, "transactional.id": uuid.uuid4().hex}
        with Producer(settings, transaction_timeout_ms=10_000) as producer:
            producer.init_transactions()
            producer.begin_transaction()
            producer.send(topic, value).result(TIMEOUT_S * 1000)
            then()
            producer.commit_transaction()


CLIENTS: dict[str, KafkaClient] = {
    "confluent-kafka": Confluent(),
    "aiokafka": AioKafka(),
    "kafka-python": KafkaPython(),
    "ottla.client": Ottla(),
}
