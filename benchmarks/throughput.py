"""Bulk produce and fetch: MB/s and the broker's CPU seconds per GB, two connections, five requests in flight."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import (
    RawClient,
    batch_of,
    fetch_frame,
    fetched,
    produce_frame,
    produced_offset,
    records_that_fit,
    side_by_side,
)
from benchmarks.results import Row, at_least, at_most
from benchmarks.topics import create_topic, delete_topic, fresh_name

PARTITIONS = 2
IN_FLIGHT = 5
KIB = 1024


class Shape(NamedTuple):
    key: str
    title: str
    value_bytes: int
    batch_bytes: int
    acks: int
    rate_goal: float
    cpu_goal: float


SHAPES = (
    Shape("1k-128k", "1 KiB records, 128 KiB batches, acks=1", KIB, 128 * KIB, 1, 2.5, 0.25),
    Shape("100b-128k", "100 B records, 128 KiB batches, acks=all", 100, 128 * KIB, -1, 2.5, 0.25),
    Shape("1k-16k", "1 KiB records, 16 KiB batches, acks=1", KIB, 16 * KIB, 1, 2.0, 0.3),
    Shape("10k-1m", "10 KiB records, 1 MB batches, acks=1", 10 * KIB, 1000 * KIB, 1, 2.0, 0.3),
)


def rows(load: Load) -> list[Row]:
    found = []
    for shape in SHAPES:
        found += [
            Row(f"produce.{shape.key}.rate", f"produce {shape.title}", "MB/s", at_least(shape.rate_goal)),
            Row(f"produce.{shape.key}.cpu", f"produce {shape.title}", "CPU s/GB", at_most(shape.cpu_goal)),
        ]
    for shape in SHAPES:
        found += [
            Row(f"fetch.{shape.key}.rate", f"fetch 1 MiB answers of {shape.title}", "MB/s", at_least(1.0)),
            Row(f"fetch.{shape.key}.cpu", f"fetch 1 MiB answers of {shape.title}", "CPU s/GB", at_most(0.6)),
        ]
    found.append(Row("memory.loaded", "memory after the load (Pss)", "MB", at_most(0.12)))
    return found


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    size = int(load.gb * 1e9)
    for shape in SHAPES:
        topic = fresh_name("bulk")
        create_topic(node, topic, PARTITIONS)
        batch = batch_of(records_that_fit(shape.batch_bytes, shape.value_bytes), shape.value_bytes)
        touch(size)
        _timed(node, partial(produce_all, node, topic, batch, size, shape.acks), f"produce.{shape.key}", put)
        _timed(node, partial(fetch_all, node, topic), f"fetch.{shape.key}", put)
        delete_topic(node, topic)
    put("memory.loaded", node.memory_bytes() / 1e6)


def _timed(node: BrokerNode, work: Callable[[], tuple[float, int]], key: str, put: Put) -> None:
    cpu_before = node.cpu_seconds()
    seconds, size = work()
    put(f"{key}.rate", size / seconds / 1e6)
    put(f"{key}.cpu", (node.cpu_seconds() - cpu_before) / size * 1e9)


def produce_all(
    node: BrokerNode, topic: str, batch: bytes, total_bytes: int, acks: int, partitions: int = PARTITIONS
) -> tuple[float, int]:
    """Seconds and bytes."""
    requests = max(1, total_bytes // partitions // len(batch))
    work = [partial(_produce, node, topic, index, batch, requests, acks) for index in range(partitions)]
    return side_by_side(work), requests * partitions * len(batch)


def _produce(node: BrokerNode, topic: str, partition: int, batch: bytes, requests: int, acks: int) -> None:
    frame = produce_frame(topic, partition, batch, acks)
    with RawClient(node) as client:
        for sent in range(requests):
            client.send(frame)
            if sent >= IN_FLIGHT - 1:
                produced_offset(client.receive(), topic)
        for _ in range(min(requests, IN_FLIGHT - 1)):
            produced_offset(client.receive(), topic)


def fetch_all(node: BrokerNode, topic: str, partitions: int = PARTITIONS) -> tuple[float, int]:
    """Seconds and bytes: each partition from its first offset to its end, one connection each."""
    sizes = [0] * partitions

    def fetch(partition: int) -> None:
        offset = 0
        with RawClient(node, buffer_bytes=2 << 20) as client:
            while True:
                client.send(fetch_frame(topic, partition, offset))
                answer = fetched(client.receive(), topic, offset)
                sizes[partition] += len(answer.records)
                if answer.next_offset >= answer.high_watermark:
                    return
                offset = answer.next_offset

    seconds = side_by_side([partial(fetch, index) for index in range(partitions)])
    return seconds, sum(sizes)


FAMILY = Family("throughput", rows, measure)
