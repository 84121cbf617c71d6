"""Real clients through their Python interfaces: here the client is the limit, not the broker.

confluent-kafka compares the brokers; our own client is compared with confluent-kafka and aiokafka on each of them.
"""

import statistics
import time

from benchmarks.broker_node import BrokerNode
from benchmarks.client_rates import (
    VALUE_BYTES,
    consume_table,
    consume_with_ottla,
    poll_tables,
    produce_table,
    produce_with_aiokafka,
    produce_with_confluent,
    produce_with_ottla,
    produce_with_ottla_without_asyncio,
)
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.results import Row, at_least, at_most
from benchmarks.topics import create_topic, delete_topic, fresh_name

_TIMEOUT_S = 120
#: aiokafka is slow: this share of the records is enough.
_SLOW_SHARE = 5


def rows(load: Load) -> list[Row]:
    return [
        Row("clients.produce.rate", "confluent-kafka produces 100 B records", "records/s", at_least(1.0)),
        Row("clients.produce.cpu", "confluent-kafka produces 100 B records", "broker CPU us/record", at_most(0.5)),
        Row("clients.consume.rate", "confluent-kafka consumes 100 B records", "records/s", at_least(1.0)),
        Row("clients.consume.cpu", "confluent-kafka consumes 100 B records", "broker CPU us/record", at_most(0.6)),
        Row("clients.ottla.produce", "ottla.client produces 100 B records, one by one", "records/s"),
        Row(
            "clients.ottla.produce.sync",
            "ottla.client produces 100 B records, one by one, without asyncio",
            "records/s",
        ),
        Row("clients.aiokafka.produce", "aiokafka produces 100 B records", "records/s"),
        Row("clients.ottla.confluent", "ottla.client / confluent-kafka", "x", at_least(0.4, is_absolute=True)),
        Row("clients.ottla.aiokafka", "ottla.client / aiokafka", "x", at_least(2.0, is_absolute=True)),
        Row("clients.ottla.consume", "ottla.client consumes 100 B records, by poll", "records/s"),
        Row("clients.arrow.produce", "ottla.client produces 100 B records as a table", "records/s"),
        Row("clients.arrow.consume", "ottla.client consumes 100 B records as a table", "records/s"),
        Row("clients.arrow.poll", "ottla.client consumes 100 B records by poll_arrow", "records/s"),
        Row("clients.consume.confluent", "poll / confluent-kafka", "x", at_least(1.5, is_absolute=True)),
        Row("clients.arrow.produce.confluent", "send_batch / confluent-kafka", "x", at_least(6.0, is_absolute=True)),
        Row("clients.arrow.consume.confluent", "read_topic / confluent-kafka", "x", at_least(10.0, is_absolute=True)),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    topic = fresh_name("clients")
    create_topic(node, topic)
    rates = {}
    touch(load.client_records * VALUE_BYTES)
    for key, work in (("produce", produce_with_confluent), ("consume", consume)):
        cpu_before = node.cpu_seconds()
        seconds = work(node, topic, load.client_records)
        rates[key] = load.client_records / seconds
        put(f"clients.{key}.rate", rates[key])
        put(f"clients.{key}.cpu", (node.cpu_seconds() - cpu_before) / load.client_records * 1e6)
    delete_topic(node, topic)
    measure_ours(node, load, put, confluent_rate=rates["produce"])
    measure_consuming(node, load, put, rates)


def measure_ours(node: BrokerNode, load: Load, put: Put, *, confluent_rate: float) -> None:
    topic = fresh_name("clients")
    create_topic(node, topic)
    touch(2 * load.client_records * VALUE_BYTES)
    ours = load.client_records / produce_with_ottla(node, topic, load.client_records)
    without_asyncio = load.client_records / produce_with_ottla_without_asyncio(node, topic, load.client_records)
    count = load.client_records // _SLOW_SHARE
    aiokafka = count / produce_with_aiokafka(node, topic, count)
    put("clients.ottla.produce", ours)
    put("clients.ottla.produce.sync", without_asyncio)
    put("clients.aiokafka.produce", aiokafka)
    put("clients.ottla.confluent", ours / confluent_rate)
    put("clients.ottla.aiokafka", ours / aiokafka)
    delete_topic(node, topic)


def measure_consuming(node: BrokerNode, load: Load, put: Put, confluent: dict[str, float]) -> None:
    """Tables, and what consumes them. `confluent` has the rates of confluent-kafka."""
    topic = fresh_name("clients")
    create_topic(node, topic)
    count = load.client_records
    touch(count * VALUE_BYTES)
    produced = count / produce_table(node, topic, count)
    # A read takes a tenth of a second: memory that the host hands out anew doubles that of the first.
    consumed = count / statistics.median(consume_table(node, topic, count) for _ in range(3))
    polled = count / consume_with_ottla(node, topic, count)
    put("clients.ottla.consume", polled)
    put("clients.arrow.produce", produced)
    put("clients.arrow.consume", consumed)
    put("clients.arrow.poll", count / poll_tables(node, topic, count))
    put("clients.consume.confluent", polled / confluent["consume"])
    put("clients.arrow.produce.confluent", produced / confluent["produce"])
    put("clients.arrow.consume.confluent", consumed / confluent["consume"])
    delete_topic(node, topic)


def consume(node: BrokerNode, topic: str, count: int) -> float:
    """Seconds from the first record to the last. Without a group: joining one is another row."""
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer(
        {
            "bootstrap.servers": node.address,
            "group.id": "unused",
            "enable.auto.commit": False,
            # With more in its queue than these allow, librdkafka fetches nothing for a second.
            "queued.min.messages": count,
            "queued.max.messages.kbytes": count,
        }
    )
    consumer.assign([TopicPartition(topic, 0, 0)])
    deadline = time.monotonic() + _TIMEOUT_S
    began, seen = 0.0, 0
    while seen < count:
        messages = consumer.consume(10_000, 1.0)
        if messages and not began:
            began = time.perf_counter()
        seen += sum(message.error() is None for message in messages)
        if time.monotonic() > deadline:
            raise RuntimeError(f"confluent-kafka got {seen} of {count} records")
    seconds = time.perf_counter() - began
    consumer.close()
    return seconds


FAMILY = Family("clients", "throughput-and-latency", rows, measure)
