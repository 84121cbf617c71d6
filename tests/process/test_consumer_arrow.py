"""`poll_arrow` against a real broker: positions, groups, commits, isolation and limits are those of `poll`."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from ottla.client import AsyncConsumer, Consumer, Producer, TopicPartition, read_topic
from ottla.testing import Broker
from tests.support.topics import new_topic_at
from tests.support.waiting import eventually

pytestmark = pytest.mark.timeout(120)
both = pytest.mark.parametrize("protocol", ["classic", "consumer"])


@pytest.fixture(scope="module")
def servers() -> Iterator[str]:
    with Broker() as broker:
        yield broker.bootstrap


@pytest.fixture
def topic(servers: str) -> str:
    return new_topic_at(servers, 2)


def fill(servers: str, topic: str, count: int, *, partition: int = 0) -> list[bytes]:
    values = [b"%06d" % number for number in range(count)]
    with Producer(bootstrap_servers=servers) as producer:
        producer.send_batch(topic, pa.table({"value": values, "partition": [partition] * count}))
    return values


def reader(servers: str, topic: str, **options: object) -> Consumer:
    consumer = Consumer(bootstrap_servers=servers, auto_offset_reset="earliest", **options)
    consumer.assign([(topic, 0), (topic, 1)])
    return consumer


def read(consumer: Consumer, row_count: int, **how: Any) -> pa.Table:
    tables: list[pa.Table] = []

    def is_there() -> bool:
        tables.append(consumer.poll_arrow(timeout_ms=200, **how))
        return bool(sum(table.num_rows for table in tables) >= row_count)

    eventually(is_there, within_s=30, what=lambda: f"{row_count} rows; {consumer.health()}")
    return pa.concat_tables(tables)


def test_tables_are_those_of_read_topic(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers, compression_type="lz4") as producer:
        for number in range(100):
            producer.send(topic, b"%d" % number, key=b"k%d" % number, headers=[("h", b"1")] if number % 2 else ())
    with reader(servers, topic) as consumer:
        found = read(consumer, 100)

    expected = read_topic(topic, bootstrap_servers=servers)
    order = [("partition", "ascending"), ("offset", "ascending")]
    assert found.schema == expected.schema
    assert found.sort_by(order).to_pylist() == expected.sort_by(order).to_pylist()


def test_a_table_has_up_to_max_poll_records_rows_and_the_position_is_behind_them(servers: str, topic: str) -> None:
    values = fill(servers, topic, 10_000)
    place = TopicPartition(topic, 0)
    with reader(servers, topic, max_poll_records=3000) as consumer:
        first = read(consumer, 1)
        assert consumer.position(place) == first.num_rows == 3000
        second = consumer.poll_arrow(max_rows=7)
        assert consumer.position(place) == 3007
        rest = read(consumer, 6993, max_rows=100_000)

    assert pa.concat_tables([first, second, rest]).column("value").to_pylist() == values


def test_nothing_to_read_is_an_empty_table(servers: str, topic: str) -> None:
    with reader(servers, topic) as consumer:
        table = consumer.poll_arrow(timeout_ms=10, columns=["value"])

    assert (table.num_rows, table.schema.names) == (0, ["value"])


def test_records_and_tables_can_be_polled_in_turn(servers: str, topic: str) -> None:
    values = fill(servers, topic, 1000)
    found: list[bytes] = []
    # What was fetched in the other form is fetched again, when the request that waits for news has come back.
    with reader(servers, topic, max_poll_records=70, fetch_max_wait_ms=10) as consumer:

        def is_there() -> bool:
            found.extend(record.value for record in consumer.poll(timeout_ms=100, max_records=30))
            found.extend(consumer.poll_arrow(timeout_ms=100).column("value").to_pylist())
            for record in consumer:
                found.append(record.value)
                break
            return len(found) >= 900

        eventually(is_there, within_s=30)

    assert found == values[: len(found)]


@both
def test_a_group_continues_behind_what_was_committed(servers: str, topic: str, protocol: str) -> None:
    values = fill(servers, topic, 500)
    options = {"group_id": f"{topic}{protocol}", "group_protocol": protocol, "enable_auto_commit": False}
    with Consumer(bootstrap_servers=servers, auto_offset_reset="earliest", topics=[topic], **options) as first:
        read(first, 100, max_rows=100)
        first.commit()
        read(first, 100, max_rows=100)
    with Consumer(bootstrap_servers=servers, auto_offset_reset="earliest", topics=[topic], **options) as second:
        found = read(second, 400)

    assert found.column("value").to_pylist() == values[100:]


def test_auto_commit_covers_tables(servers: str, topic: str) -> None:
    fill(servers, topic, 500)
    with Consumer(bootstrap_servers=servers, auto_offset_reset="earliest", topics=[topic], group_id=topic) as consumer:
        read(consumer, 200, max_rows=200)
    with Consumer(bootstrap_servers=servers, group_id=topic) as other:
        committed = other.committed([TopicPartition(topic, 0)])[TopicPartition(topic, 0)]

    assert committed is not None
    assert committed.offset == 200


def test_seek_and_pause_hold_for_tables(servers: str, topic: str) -> None:
    values = fill(servers, topic, 300)
    fill(servers, topic, 300, partition=1)
    with reader(servers, topic) as consumer:
        consumer.pause([TopicPartition(topic, 1)])
        first = read(consumer, 300)
        consumer.seek(TopicPartition(topic, 0), 250)
        again = read(consumer, 50)
        assert consumer.poll_arrow(timeout_ms=50).num_rows == 0
        consumer.resume([TopicPartition(topic, 1)])
        other = read(consumer, 300)

    assert first.column("value").to_pylist() == values
    assert again.column("offset").to_pylist() == list(range(250, 300))
    assert set(other.column("partition").to_pylist()) == {1}


def test_aborted_rows_are_left_out_and_the_position_passes_markers(servers: str, topic: str) -> None:
    place = TopicPartition(topic, 0)
    with Producer(bootstrap_servers=servers, transactional_id=topic) as producer:
        for number in range(6):
            producer.begin_transaction()
            producer.send_batch(topic, pa.table({"value": [b"%d" % number] * 2, "partition": [0, 0]}))
            if number % 2:
                producer.abort_transaction()
            else:
                producer.commit_transaction()
    with reader(servers, topic, isolation_level="read_committed") as consumer:
        found = read(consumer, 6, max_rows=1)
        eventually(lambda: consumer.poll_arrow(timeout_ms=50).num_rows == 0 and consumer.position(place) == 18)

    assert found.column("offset").to_pylist() == [0, 1, 6, 7, 12, 13]
    with reader(servers, topic) as consumer:
        assert read(consumer, 12).num_rows == 12


def test_all_columns_can_be_left_out_and_unknown_ones_are_refused(servers: str, topic: str) -> None:
    fill(servers, topic, 300)

    async def story() -> int:
        async with AsyncConsumer(bootstrap_servers=servers, auto_offset_reset="earliest") as consumer:
            consumer.assign([(topic, 0)])
            with pytest.raises(ValueError, match="columns colour are unknown"):
                await consumer.poll_arrow(columns=["colour"])
            return int((await consumer.poll_arrow(timeout_ms=10_000, columns=[])).num_rows)

    assert asyncio.run(story()) == 300
