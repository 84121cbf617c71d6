"""The Arrow path of the client against a real broker, and against Apache Kafka where it can be had."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from ottla.client import Admin, AsyncProducer, NewTopic, Producer, TopicPartition, read_range, read_topic
from ottla.client.errors import RecordTooLarge, RequestRefused, TimedOut
from tests.support.kafka_process import TARGETS, start_target
from tests.support.topics import new_topic_at
from tests.support.waiting import eventually

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module", params=TARGETS)
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    target = start_target(request.param, tmp_path_factory.mktemp("node"))
    yield target.address
    target.kill()


@pytest.fixture
def topic(servers: str) -> str:
    return new_topic_at(servers, 3)


def test_a_table_comes_back_as_it_was_sent(servers: str, topic: str) -> None:
    at = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
    rows = pa.table(
        {
            "key": pa.array([b"a", None, b"c"], pa.binary()),
            "value": pa.array(["one", "two", None]),
            "timestamp": pa.array([at, at + timedelta(seconds=1), at], pa.timestamp("us", tz="UTC")),
            "partition": pa.array([2, 2, 2], pa.int32()),
            "headers": [[{"key": "h", "value": b"1"}], None, []],
        }
    )

    with Producer(bootstrap_servers=servers) as producer:
        sent = producer.send_batch(topic, rows)
    back = read_topic(topic, bootstrap_servers=servers)

    assert [(each.partition, each.base_offset, each.row_count) for each in sent] == [(2, 0, 3)]
    assert back.schema.names == [
        "key",
        "value",
        "topic",
        "partition",
        "offset",
        "timestamp",
        "timestampType",
        "headers",
    ]
    assert back.column("key").to_pylist() == [b"a", None, b"c"]
    assert back.column("value").to_pylist() == [b"one", b"two", None]
    assert back.column("timestamp").to_pylist() == [at, at + timedelta(seconds=1), at]
    assert back.column("offset").to_pylist() == [0, 1, 2]
    assert back.column("headers").to_pylist() == [[{"key": "h", "value": b"1"}], None, None]


def test_keys_decide_the_partition_as_with_single_records(servers: str, topic: str) -> None:
    keys = [b"k%d" % number for number in range(200)]
    with Producer(bootstrap_servers=servers) as producer:
        singly = {key: producer.send(topic, b"", key=key) for key in keys}
        producer.flush()
        producer.send_batch(topic, pa.table({"key": keys, "value": keys}))
    back = read_topic(topic, columns=["key", "value", "partition"], bootstrap_servers=servers)

    rows = [row for row in back.to_pylist() if row["value"]]
    assert len(rows) == 200
    assert all(singly[row["key"]].result().partition == row["partition"] for row in rows)


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_many_rows_in_every_codec_over_many_batches(servers: str, topic: str, codec: str) -> None:
    values = [b"%012d" % number + b"x" * 100 for number in range(50_000)]
    with Producer(bootstrap_servers=servers, compression_type=codec) as producer:
        sent = producer.send_batch(topic, pa.table({"value": values, "partition": [1] * len(values)}))
    back = read_topic(topic, columns=["value"], bootstrap_servers=servers, max_partition_fetch_bytes=1_100_000)

    assert len(sent) > 1
    assert [each.base_offset for each in sent] == [sum(one.row_count for one in sent[:i]) for i in range(len(sent))]
    assert back.column("value").to_pylist() == values


def test_a_topic_column_and_a_transaction(servers: str, topic: str) -> None:
    with Admin(bootstrap_servers=servers) as admin:
        admin.create_topics([NewTopic(f"{topic}b", partitions=1)])
    rows = pa.table({"topic": [topic, f"{topic}b", None], "value": ["1", "2", "3"]})

    with Producer(bootstrap_servers=servers, transactional_id=topic) as producer:
        with producer.transaction():
            producer.send_batch(topic, rows)
        producer.begin_transaction()
        producer.send_batch(topic, rows)
        producer.abort_transaction()

    committed = read_topic(topic, columns=["value"], isolation="read_committed", bootstrap_servers=servers)
    everything = read_topic(topic, columns=["value"], bootstrap_servers=servers)
    other = read_topic(f"{topic}b", columns=["value"], isolation="read_committed", bootstrap_servers=servers)
    assert sorted(committed.column("value").to_pylist()) == [b"1", b"3"]
    assert sorted(everything.column("value").to_pylist()) == [b"1", b"1", b"3", b"3"]
    assert other.column("value").to_pylist() == [b"2"]


def test_a_range_ends_where_it_should_over_control_records_too(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers, transactional_id=f"{topic}t") as producer:
        for number in range(3):
            with producer.transaction():
                producer.send(topic, b"%d" % number, partition=0)
    place = TopicPartition(topic, 0)

    def offsets(start: int, end: int) -> list[int]:
        batches = read_range(place, start, end, columns=["offset"], batch_rows=1, bootstrap_servers=servers)
        return [row for batch in batches for row in batch.column("offset").to_pylist()]

    assert offsets(0, 6) == [0, 2, 4]
    assert offsets(1, 5) == [2, 4]
    assert offsets(5, 6) == []
    assert offsets(3, 3) == []


def test_a_range_by_time(servers: str, topic: str) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    stamps = [at + timedelta(hours=number) for number in range(10)]
    rows = pa.table({"value": [str(n) for n in range(10)], "timestamp": stamps, "partition": [0] * 10})
    with Producer(bootstrap_servers=servers) as producer:
        producer.send_batch(topic, rows)

    middle = read_topic(topic, start=stamps[3], end=stamps[7], columns=["value"], bootstrap_servers=servers)
    late = read_topic(topic, start=at + timedelta(days=9), columns=["value"], bootstrap_servers=servers)

    assert middle.column("value").to_pylist() == [b"3", b"4", b"5", b"6"]
    assert late.num_rows == 0


def test_offsets_that_are_gone_are_named(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        producer.send_batch(topic, pa.table({"value": ["x"] * 10, "partition": [0] * 10}))
    with Admin(bootstrap_servers=servers) as admin:
        admin.delete_records({TopicPartition(topic, 0): 5})

    with pytest.raises(RequestRefused, match=f"{topic}-0: offset 0 of the range 0 to 10 is not in the log any more"):
        list(read_range(TopicPartition(topic, 0), 0, 10, bootstrap_servers=servers))


def test_a_range_that_is_not_written_yet_times_out_with_the_reason(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        producer.send_batch(topic, pa.table({"value": ["x"] * 3, "partition": [0] * 3}))

    with pytest.raises(TimedOut, match="no record at offset 3 of a range that ends at 5: the log ends at 3"):
        list(
            read_range(
                TopicPartition(topic, 0),
                0,
                5,
                bootstrap_servers=servers,
                default_api_timeout_ms=300,
                fetch_max_wait_ms=100,
                request_timeout_ms=300,
            )
        )


def test_one_row_that_is_too_large_is_refused_and_the_producer_goes_on(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        with pytest.raises(RecordTooLarge, match="row 1 needs a batch of"):
            producer.send_batch(topic, pa.table({"value": [b"x", b"y" * 2_000_000], "partition": [0, 0]}))
        producer.send_batch(topic, pa.table({"value": [b"z"], "partition": [0]}))
    values = read_topic(topic, columns=["value"], bootstrap_servers=servers).column("value").to_pylist()

    assert values[-1] == b"z"


def test_rows_come_after_single_records_that_were_sent_before(servers: str, topic: str) -> None:
    async def send() -> None:
        async with AsyncProducer(bootstrap_servers=servers, linger_ms=5000) as producer:
            producer.send(topic, b"first", partition=0)
            await producer.send_batch(topic, pa.table({"value": ["second"], "partition": [0]}))
            producer.send(topic, b"third", partition=0)

    asyncio.run(send())

    values = read_topic(topic, columns=["value"], bootstrap_servers=servers).column("value").to_pylist()
    assert values == [b"first", b"second", b"third"]


def test_ten_times_the_buffer_is_sent_within_the_buffer(servers: str, topic: str) -> None:
    held: list[int] = []

    async def send() -> None:
        async with AsyncProducer(bootstrap_servers=servers, buffer_memory=2_000_000) as producer:
            watch = asyncio.ensure_future(_watch(producer, held))
            await producer.send_batch(topic, pa.table({"value": [b"x" * 1000] * 20_000, "partition": [0] * 20_000}))
            watch.cancel()

    asyncio.run(send())

    assert read_topic(topic, columns=[], bootstrap_servers=servers).num_rows == 20_000
    assert max(held) <= 2_000_000


@pytest.mark.parametrize("acks", ["1", "0"])
def test_rows_without_idempotence_are_written_too(servers: str, topic: str, acks: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        # Nobody repeats what is sent with acks=0 to a leader that is not ready yet.
        producer.send(topic, b"first", partition=0).result()
    with Producer(bootstrap_servers=servers, enable_idempotence=False, acks=acks) as producer:
        producer.send_batch(topic, pa.table({"value": ["a", "b"], "partition": [0, 0]}))

    def values() -> list[bytes]:
        return list(read_topic(topic, columns=["value"], bootstrap_servers=servers).column("value").to_pylist())

    assert eventually(lambda: found if len(found := values()) == 3 else None) == [b"first", b"a", b"b"]


async def _watch(producer: AsyncProducer, held: list[int]) -> None:
    while True:
        held.append(producer._accumulator.used_bytes)
        await asyncio.sleep(0)


@pytest.mark.parametrize("rows", [[1, 2], "text", None])
def test_what_is_no_table_is_refused(servers: str, topic: str, rows: object) -> None:
    with Producer(bootstrap_servers=servers) as producer, pytest.raises(TypeError, match="is no table"):
        producer.send_batch(topic, rows)


def test_a_reader_that_stops_early_leaves_no_thread(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        producer.send_batch(topic, pa.table({"value": [b"x" * 100] * 10_000, "partition": [0] * 10_000}))
    before = set(threading.enumerate())

    batches = read_range(TopicPartition(topic, 0), 0, 10_000, batch_rows=10, bootstrap_servers=servers)
    assert next(batches).num_rows == 10
    batches.close()  # type: ignore[attr-defined]  # a generator

    assert set(threading.enumerate()) == before
