"""Transactions as of KIP-890 (Produce 12, TxnOffsetCommit 5, EndTxn 5): how many per second, what copying costs."""

import time

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.group_commits import commit, commit_request
from benchmarks.groups import await_coordinator
from benchmarks.host_memory import touch
from benchmarks.raw_client import RawClient, batch_of, fetch_frame, fetched, records_that_fit
from benchmarks.results import Row, at_least, at_most
from benchmarks.throughput import produce_batches
from benchmarks.topics import create_topic, delete_topic, fresh_name
from benchmarks.transactional_client import TransactionalProducer, copied_batches, send_batches

_WIDTHS = (1, 10, 100)
_BATCH_BYTES = 128 * 1024


def rows(load: Load) -> list[Row]:
    found = []
    for width in _WIDTHS:
        title = f"transactions over {width} partition{'s' if width > 1 else ''}, one producer"
        found += [
            Row(f"transactions.{width}.rate", title, "transactions/s", at_least(1.0)),
            Row(f"transactions.{width}.cpu", title, "CPU us/transaction", at_most(0.5)),
        ]
    return [
        *found,
        Row("copy.plain", "copy, 1 MiB at a time, offsets committed", "MB/s", at_least(1.0)),
        Row("copy.transactional", "copy, 1 MiB per transaction, offsets in it", "MB/s", at_least(1.0)),
        Row("copy.share", "transactional copy beside the plain one", "share", at_least(1.0)),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    await_coordinator(node, "any", 0)
    await_coordinator(node, "any", 1)
    for width in _WIDTHS:
        _transactions(node, width, load, put)
    _copies(node, load, put)


def _transactions(node: BrokerNode, width: int, load: Load, put: Put) -> None:
    topic = fresh_name("transactions")
    create_topic(node, topic, width)
    count = 0
    with RawClient(node) as client:
        producer = TransactionalProducer(client, fresh_name("transactional"))
        producer.transact(topic, width)
        cpu_before, began = node.cpu_seconds(), time.perf_counter()
        while time.perf_counter() - began < load.transaction_seconds:
            producer.transact(topic, width)
            count += 1
        seconds = time.perf_counter() - began
    put(f"transactions.{width}.rate", count / seconds)
    put(f"transactions.{width}.cpu", (node.cpu_seconds() - cpu_before) / count * 1e6)
    delete_topic(node, topic)


def _copies(node: BrokerNode, load: Load, put: Put) -> None:
    source, target = fresh_name("source"), fresh_name("target")
    size = int(load.copy_gb * 1e9)
    create_topic(node, source)
    create_topic(node, target)
    touch(3 * size)
    produce_batches(node, source, batch_of(records_that_fit(_BATCH_BYTES, 1024), 1024), size, partitions=1)
    plain = size / _copy_plain(node, source, target) / 1e6
    transactional = size / _copy_transactional(node, source, target) / 1e6
    put("copy.plain", plain)
    put("copy.transactional", transactional)
    put("copy.share", transactional / plain)
    delete_topic(node, source)
    delete_topic(node, target)


def _copy_plain(node: BrokerNode, source: str, target: str) -> float:
    group, offset, is_over = fresh_name("copier"), 0, False
    with RawClient(node) as reader, RawClient(node) as writer:
        began = time.perf_counter()
        while not is_over:
            reader.send(fetch_frame(source, 0, offset))
            response = fetched(reader.receive(), source, offset)
            send_batches(writer, target, copied_batches(response.records, None))
            offset = response.next_offset
            is_over = offset >= response.high_watermark
            commit(writer, commit_request(group, source, offset))
        return time.perf_counter() - began


def _copy_transactional(node: BrokerNode, source: str, target: str) -> float:
    group, offset, is_over = fresh_name("copier"), 0, False
    with RawClient(node) as reader, RawClient(node) as writer:
        producer = TransactionalProducer(writer, fresh_name("transactional"))
        began = time.perf_counter()
        while not is_over:
            reader.send(fetch_frame(source, 0, offset))
            response = fetched(reader.receive(), source, offset)
            producer.send(target, copied_batches(response.records, producer.identity))
            offset = response.next_offset
            is_over = offset >= response.high_watermark
            producer.commit_offset(group, source, offset)
            producer.commit()
        return time.perf_counter() - began


FAMILY = Family("transactions", "transactions", rows, measure)
