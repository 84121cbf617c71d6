"""A real client, confluent-kafka, through its Python interface: here the client is the limit, not the broker."""

import os
import time

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.results import Row, at_least, at_most
from benchmarks.topics import create_topic, delete_topic, fresh_name

_VALUE_BYTES = 100
_READ_LIMIT_S = 120


def rows(load: Load) -> list[Row]:
    return [
        Row("clients.produce.rate", "confluent-kafka produces 100 B records", "records/s", at_least(1.0)),
        Row("clients.produce.cpu", "confluent-kafka produces 100 B records", "broker CPU us/record", at_most(0.5)),
        Row("clients.consume.rate", "confluent-kafka consumes 100 B records", "records/s", at_least(1.0)),
        Row("clients.consume.cpu", "confluent-kafka consumes 100 B records", "broker CPU us/record", at_most(0.6)),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    topic = fresh_name("clients")
    create_topic(node, topic)
    for key, work in (("produce", produce), ("consume", consume)):
        cpu_before = node.cpu_seconds()
        seconds = work(node, topic, load.client_records)
        put(f"clients.{key}.rate", load.client_records / seconds)
        put(f"clients.{key}.cpu", (node.cpu_seconds() - cpu_before) / load.client_records * 1e6)
    delete_topic(node, topic)


def produce(node: BrokerNode, topic: str, count: int) -> float:
    from confluent_kafka import Producer

    producer = Producer(
        {
            "bootstrap.servers": node.address,
            "linger.ms": 5,
            "batch.size": 1 << 20,
            "queue.buffering.max.messages": 500_000,
        }
    )
    value = os.urandom(_VALUE_BYTES)
    began = time.perf_counter()
    for _ in range(count):
        while True:
            try:
                producer.produce(topic, value)
                break
            except BufferError:
                producer.poll(0.01)
    if producer.flush(_READ_LIMIT_S):
        raise RuntimeError("confluent-kafka could not deliver everything")
    return time.perf_counter() - began


def consume(node: BrokerNode, topic: str, count: int) -> float:
    """Seconds from the first record to the last. Without a group: joining one is another row."""
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": node.address, "group.id": "unused", "enable.auto.commit": False})
    consumer.assign([TopicPartition(topic, 0, 0)])
    limit = time.monotonic() + _READ_LIMIT_S
    began, seen = 0.0, 0
    while seen < count:
        messages = consumer.consume(10_000, 1.0)
        if messages and not began:
            began = time.perf_counter()
        seen += sum(message.error() is None for message in messages)
        if time.monotonic() > limit:
            raise RuntimeError(f"confluent-kafka got {seen} of {count} records")
    seconds = time.perf_counter() - began
    consumer.close()
    return seconds


FAMILY = Family("clients", rows, measure)
