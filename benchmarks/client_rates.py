"""Python's clients side by side: ours, confluent-kafka, aiokafka. On one broker, in one run; seconds are returned."""

import asyncio
import os
import time

from benchmarks.broker_node import BrokerNode

VALUE_BYTES = 100
_BATCH_BYTES = 1 << 20
_LINGER_MS = 5
_TIMEOUT_S = 120
#: A producer that never waits would only measure how fast it fills its buffer.
_LOOK_EVERY = 1024


def produce_with_confluent(node: BrokerNode, topic: str, count: int) -> float:
    from confluent_kafka import Producer

    producer = Producer(
        {
            "bootstrap.servers": node.address,
            "linger.ms": _LINGER_MS,
            "batch.size": _BATCH_BYTES,
            "queue.buffering.max.messages": 500_000,
        }
    )
    value = os.urandom(VALUE_BYTES)
    began = time.perf_counter()
    for _ in range(count):
        while True:
            try:
                producer.produce(topic, value)
                break
            except BufferError:
                producer.poll(0.01)
    if producer.flush(_TIMEOUT_S):
        raise RuntimeError("confluent-kafka could not deliver everything")
    return time.perf_counter() - began


def produce_with_ottla(node: BrokerNode, topic: str, count: int) -> float:
    from ottla.client import AsyncProducer

    async def run() -> float:
        async with AsyncProducer(
            bootstrap_servers=node.address, linger_ms=_LINGER_MS, batch_size=_BATCH_BYTES
        ) as producer:
            value = os.urandom(VALUE_BYTES)
            await producer.partitions_for(topic)
            began = time.perf_counter()
            for number in range(count):
                producer.send(topic, value)
                if not number % _LOOK_EVERY:
                    await producer.ready()
            await producer.flush()
            return time.perf_counter() - began

    return asyncio.run(run())


def produce_with_ottla_without_asyncio(node: BrokerNode, topic: str, count: int) -> float:
    from ottla.client import Producer

    with Producer(bootstrap_servers=node.address, linger_ms=_LINGER_MS, batch_size=_BATCH_BYTES) as producer:
        value = os.urandom(VALUE_BYTES)
        producer.partitions_for(topic)
        began = time.perf_counter()
        for _ in range(count):
            producer.send(topic, value)
        producer.flush()
        return time.perf_counter() - began


def produce_with_aiokafka(node: BrokerNode, topic: str, count: int) -> float:
    from aiokafka import AIOKafkaProducer

    async def run() -> float:
        producer = AIOKafkaProducer(
            bootstrap_servers=node.address, linger_ms=_LINGER_MS, max_batch_size=_BATCH_BYTES, acks="all"
        )
        await producer.start()
        try:
            value = os.urandom(VALUE_BYTES)
            began = time.perf_counter()
            for _ in range(count):
                await producer.send(topic, value)
            await producer.flush()
            return time.perf_counter() - began
        finally:
            await producer.stop()

    return asyncio.run(run())


def consume_with_ottla(node: BrokerNode, topic: str, count: int) -> float:
    """From the first record to the last, without a group, as with confluent-kafka."""
    from ottla.client import AsyncConsumer

    async def run() -> float:
        async with AsyncConsumer(bootstrap_servers=node.address, auto_offset_reset="earliest") as consumer:
            consumer.assign([(topic, 0)])
            began, seen = 0.0, 0
            async with asyncio.timeout(_TIMEOUT_S):
                while seen < count:
                    records = await consumer.poll(max_records=10_000)
                    began = began or time.perf_counter()
                    seen += len(records)
            return time.perf_counter() - began

    return asyncio.run(run())


def produce_table(node: BrokerNode, topic: str, count: int) -> float:
    import pyarrow as pa

    from ottla.client import AsyncProducer

    table = pa.table({"value": pa.array([os.urandom(VALUE_BYTES)] * count, pa.binary())})

    async def run() -> float:
        async with AsyncProducer(bootstrap_servers=node.address) as producer:
            await producer.partitions_for(topic)
            began = time.perf_counter()
            await producer.send_batch(topic, table)
            return time.perf_counter() - began

    return asyncio.run(run())


def consume_table(node: BrokerNode, topic: str, count: int) -> float:
    from ottla.client import read_topic

    began = time.perf_counter()
    table = read_topic(topic, bootstrap_servers=node.address)
    seconds = time.perf_counter() - began
    if table.num_rows != count:
        raise RuntimeError(f"read_topic got {table.num_rows} of {count} rows")
    return seconds


def poll_tables(node: BrokerNode, topic: str, count: int) -> float:
    from ottla.client import AsyncConsumer

    async def run() -> float:
        async with AsyncConsumer(bootstrap_servers=node.address, auto_offset_reset="earliest") as consumer:
            consumer.assign([(topic, 0)])
            began, seen = time.perf_counter(), 0
            async with asyncio.timeout(_TIMEOUT_S):
                while seen < count:
                    seen += (await consumer.poll_arrow()).num_rows
            return time.perf_counter() - began

    return asyncio.run(run())
