"""`ottla e2e-latency` (kafka-e2e-latency.sh): how long a record takes from a producer to a consumer."""

import asyncio
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.connection import read_properties
from ottla.cli.failures import Failure, usage
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool

if TYPE_CHECKING:
    from ottla.client import AsyncConsumer, AsyncProducer

_POLL_MS = 60_000
_REPORT_EVERY = 1000
_ACKS = ("1", "all")
Headers = tuple[tuple[str, bytes], ...]


class Shape(NamedTuple):
    """What a record looks like."""

    record_size: int
    key_size: int = 0
    header_count: int = 0
    header_key_size: int = 0
    header_value_size: int = 0


class Sample(NamedTuple):
    key: bytes | None
    value: bytes
    headers: Headers


@kafka_tool("e2e-latency")
@click.option("--topic", metavar="TOPIC", help="Created with one partition if it does not exist.")
@click.option("--num-records", type=int, metavar="COUNT", help="Records to send, one after the other.")
@click.option("--producer-acks", metavar="1|all", help="Which acknowledgement to wait for.")
@click.option("--record-size", type=int, metavar="BYTES", help="Size of each value.")
@click.option("--record-key-size", type=int, default=0, metavar="BYTES", help="Size of each key; 0: no key.")
@click.option("--num-headers", type=int, default=0, metavar="COUNT", help="Headers of each record.")
@click.option("--record-header-key-size", type=int, default=0, metavar="BYTES", help="Size of the key of a header.")
@click.option("--record-header-size", type=int, default=0, metavar="BYTES", help="Size of the value of a header.")
@click.argument("old_form", nargs=-1)
def e2e_latency(
    run: Run,
    topic: str | None,
    num_records: int | None,
    producer_acks: str | None,
    record_size: int | None,
    record_key_size: int,
    num_headers: int,
    record_header_key_size: int,
    record_header_size: int,
    old_form: tuple[str, ...],
) -> int:
    """Measure the latency from producer to consumer (kafka-e2e-latency.sh).

    The form of older releases works too: BROKERS TOPIC COUNT ACKS BYTES [PROPERTIES-FILE].
    """
    properties: dict[str, str] = {}
    if old_form:
        properties, topic, num_records, producer_acks, record_size = _old_form(old_form)
        run.flags = run.flags._replace(bootstrap=properties.pop("bootstrap.servers"))
    if topic is None or num_records is None or producer_acks is None or record_size is None:
        raise usage("--topic, --num-records, --producer-acks and --record-size are required")
    if producer_acks not in _ACKS:
        raise usage("Latency testing requires synchronous acknowledgement. Please use 1 or all")
    if num_records < 1 or record_size < 1:
        raise usage("--num-records and --record-size must be at least 1")
    shape = Shape(record_size, record_key_size, num_headers, record_header_key_size, record_header_size)
    _create_if_missing(run, topic)
    asyncio.run(_measure(run, properties, topic, num_records, producer_acks, shape))
    return 0


def _old_form(words: tuple[str, ...]) -> tuple[dict[str, str], str, int, str, int]:
    if len(words) not in (5, 6) or not (words[2].isdigit() and words[4].isdigit()):
        raise usage("expected BROKERS TOPIC COUNT ACKS BYTES [PROPERTIES-FILE]")
    properties = read_properties(words[5]) if len(words) == 6 else {}
    properties["bootstrap.servers"] = words[0]
    return properties, words[1], int(words[2]), words[3], int(words[4])


def _create_if_missing(run: Run, topic: str) -> None:
    from ottla.client import NewTopic

    with run.admin() as admin:
        if not any(listing.name == topic for listing in admin.list_topics(include_internal=True)):
            print(f'Topic "{topic}" does not exist. Will create topic with 1 partition(s) and replication factor = 1')
            admin.create_topics([NewTopic(topic, 1, 1)])


async def _measure(run: Run, properties: dict[str, str], topic: str, count: int, acks: str, shape: Shape) -> None:
    from ottla.client import AsyncConsumer, AsyncProducer
    from ottla.config.consumer_options import ConsumerOptions
    from ottla.config.producer_options import ProducerOptions

    reading = {**run.settings(ConsumerOptions, enable_auto_commit=False, auto_offset_reset="latest"), **properties}
    writing = {**run.settings(ProducerOptions, linger_ms=0, max_block_ms=_POLL_MS), **properties, "acks": acks}
    async with AsyncConsumer(reading) as consumer, AsyncProducer(writing) as producer:
        await start_at_end(consumer, topic)
        next_sample = _samples(shape)
        latencies = []
        for number in range(count):
            elapsed_ns = await round_trip(producer, consumer, topic, next_sample())
            if number % _REPORT_EVERY == 0:
                print(f"{number}\t{elapsed_ns / 1e6}")
            latencies.append(elapsed_ns)
    for line in result_lines(latencies):
        print(line)


async def start_at_end(consumer: "AsyncConsumer", topic: str) -> None:
    partitions = [(topic, view.partition) for view in await consumer.partitions_for(topic)]
    consumer.assign(partitions)
    consumer.seek_to_end()
    for partition in consumer.assignment():
        await consumer.position(partition)


async def round_trip(producer: "AsyncProducer", consumer: "AsyncConsumer", topic: str, sample: Sample) -> int:
    """Nanoseconds. Raises Failure when another record comes back."""
    began = time.perf_counter_ns()
    await producer.send(topic, sample.value, sample.key, headers=sample.headers or None)
    records = await consumer.poll(_POLL_MS)
    elapsed_ns = time.perf_counter_ns() - began
    if not records:
        raise Failure(f"poll() timed out before finding a result (timeout:[{_POLL_MS}])")
    if len(records) != 1:
        raise Failure(f"Only one result was expected during this test. We found [{len(records)}]")
    if records[0].value != sample.value or records[0].key != sample.key:
        raise Failure("The record read did not match the record sent: somebody else writes to the topic")
    return elapsed_ns


def _samples(shape: Shape) -> Callable[[], Sample]:
    rng = random.Random(0)

    def filled(size: int) -> bytes:
        return bytes([rng.randrange(26) + 65]) * size

    def sample() -> Sample:
        headers = tuple(
            (filled(shape.header_key_size).decode(), filled(shape.header_value_size)) for _ in range(shape.header_count)
        )
        return Sample(filled(shape.key_size) if shape.key_size else None, filled(shape.record_size), headers)

    return sample


def result_lines(latencies_ns: list[int]) -> list[str]:
    whole_ms = sorted(latency // 1_000_000 for latency in latencies_ns)
    p50, p99, p999 = (whole_ms[int(len(whole_ms) * share)] for share in (0.5, 0.99, 0.999))
    average_ms = sum(latencies_ns) / len(latencies_ns) / 1e6
    return [f"Avg latency: {average_ms:.4f} ms", f"Percentiles: 50th = {p50}, 99th = {p99}, 99.9th = {p999}"]
