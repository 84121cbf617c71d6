"""`spark.read.format("ottla")`: columns, bounds, projection, splitting, errors."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from ottla.client import Admin, TopicPartition
from tests.spark.conftest import numbers

COLUMNS = ["key", "value", "topic", "partition", "offset", "timestamp", "timestampType"]


def test_every_column_is_that_of_sparks_kafka_source(read: Any, new_topic: Any, producer: Any) -> None:
    topic = new_topic(partitions=1)
    producer.send(topic, b"v", key=b"k", timestamp_ms=1_700_000_000_123, headers=[("h", b"1"), ("n", None)]).result()

    frame = read(topic, includeHeaders=True)
    row = frame.first()

    assert frame.columns == [*COLUMNS, "headers"]
    assert read(topic).columns == COLUMNS
    assert frame.schema.simpleString() == (
        "struct<key:binary,value:binary,topic:string,partition:int,offset:bigint,timestamp:timestamp,"
        "timestampType:int,headers:array<struct<key:string,value:binary>>>"
    )
    assert (bytes(row.key), bytes(row.value), row.topic, row.partition, row.offset) == (b"k", b"v", topic, 0, 0)
    assert row.timestamp.astimezone(UTC) == datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)
    assert [(header.key, header.value) for header in row.headers] == [("h", b"1"), ("n", None)]


def test_offsets_choose_the_range(read: Any, new_topic: Any, fill: Any) -> None:
    topic = new_topic(partitions=2)
    fill(topic, 20, partitions=2)
    starts, ends = json.dumps({topic: {"0": 3, "1": -2}}), json.dumps({topic: {"0": -1, "1": 4}})

    chosen = numbers(read(topic, startingOffsets=starts, endingOffsets=ends))

    assert chosen == sorted([*range(6, 20, 2), *range(1, 8, 2)])


def test_timestamps_choose_the_range(read: Any, new_topic: Any, producer: Any) -> None:
    topic = new_topic(partitions=1)
    for number in range(10):
        producer.send(topic, b"%d" % number, partition=0, timestamp_ms=1_000_000 + number * 1000)
    producer.flush()

    assert numbers(read(topic, startingTimestamp=1_003_000, endingTimestamp=1_006_000)) == [3, 4, 5]
    by_partition = json.dumps({topic: {"0": 1_008_500}})
    assert numbers(read(topic, startingOffsetsByTimestamp=by_partition)) == [9]
    with pytest.raises(Exception, match="startingOffsetsByTimestampStrategy=latest"):
        read(topic, startingTimestamp=2_000_000).count()
    assert read(topic, startingTimestamp=2_000_000, startingOffsetsByTimestampStrategy="latest").count() == 0


def test_a_schema_is_a_projection(read: Any, new_topic: Any, fill: Any) -> None:
    topic = new_topic()
    fill(topic, 9)

    frame = read(topic, schema="offset bigint, value binary")

    assert frame.columns == ["offset", "value"]
    assert sorted((row.offset, int(row.value)) for row in frame.collect()) == [(n // 3, n) for n in range(9)]
    with pytest.raises(Exception, match="column valeu is unknown"):
        read(topic, schema="valeu binary").count()


def test_topics_are_found_by_pattern_and_by_assignment(read: Any, new_topic: Any, fill: Any) -> None:
    topic = new_topic()
    fill(topic, 9)

    assert read(subscribePattern=f"{topic[:-1]}[0-9a-f]").count() == 9
    assert numbers(read(assign=json.dumps({topic: [0, 2]}))) == [0, 2, 3, 5, 6, 8]


def test_large_ranges_are_split_and_small_ones_share_a_task(read: Any, new_topic: Any, fill: Any) -> None:
    topic = new_topic()
    fill(topic, 300)

    assert read(topic).rdd.getNumPartitions() == 1
    assert read(topic, minPartitions=6).rdd.getNumPartitions() == 6
    assert read(topic, maxRecordsPerPartition=40).rdd.getNumPartitions() == 9
    assert numbers(read(topic, maxRecordsPerPartition=40)) == list(range(300))


def test_deleted_offsets_are_named_with_what_to_set(read: Any, new_topic: Any, fill: Any, admin: Admin) -> None:
    topic = new_topic(partitions=1)
    fill(topic, 10, partitions=1)
    admin.delete_records({TopicPartition(topic, 0): 4})
    starts = json.dumps({topic: {"0": 1}})

    with pytest.raises(Exception, match=f"{topic}-0: offsets 1 to 3 are gone.*failOnDataLoss=false"):
        read(topic, startingOffsets=starts).count()
    assert numbers(read(topic, startingOffsets=starts, failOnDataLoss=False)) == list(range(4, 10))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"startingOfsets": "earliest"}, "unknown option startingofsets; did you mean startingOffsets"),
        ({"kafka_fetch_min_byte": "1"}, "unknown configuration fetch.min.byte; did you mean fetch.min.bytes"),
        ({"kafka_auto_offset_reset": "latest"}, "set startingOffsets"),
        ({"minPartitions": "many"}, "minPartitions=many: must be a whole number"),
        ({"assign": '{"a": [0]}'}, "set exactly one of subscribe"),
        ({"endingOffsets": "earliest"}, "endingOffsets=earliest"),
    ],
)
def test_wrong_options_are_errors(
    read: Callable[..., Any], new_topic: Any, options: dict[str, str], message: str
) -> None:
    topic = new_topic()

    with pytest.raises(Exception, match=message):
        read(topic, **options).count()


def test_an_empty_topic_has_no_rows(read: Any, new_topic: Any) -> None:
    assert read(new_topic()).count() == 0


def test_aborted_records_are_not_read(read: Any, new_topic: Any, broker: Any, fill: Any) -> None:
    from ottla.client import Producer

    topic = new_topic(partitions=1)
    with Producer(bootstrap_servers=broker.address, transactional_id=topic) as producer:
        producer.begin_transaction()
        producer.send(topic, b"100", partition=0).result()
        producer.abort_transaction()
    fill(topic, 3, partitions=1)

    assert numbers(read(topic)) == [0, 1, 2]
    assert numbers(read(topic, kafka_isolation_level="read_uncommitted")) == [0, 1, 2, 100]


def test_sql_reads_a_topic_as_a_view(spark: Any, broker: Any, new_topic: Any, fill: Any) -> None:
    topic = new_topic()
    fill(topic, 30)

    spark.sql(
        f"CREATE OR REPLACE TEMP VIEW numbers USING ottla OPTIONS ("
        f"'kafka.bootstrap.servers' '{broker.address}', subscribe '{topic}')"
    )

    assert spark.sql("SELECT sum(int(string(value))) AS total FROM numbers").first().total == sum(range(30))


def test_ends_by_timestamp_and_several_topics(read: Any, new_topic: Any, producer: Any) -> None:
    first, second = new_topic(partitions=1), new_topic(partitions=1)
    for number in range(6):
        producer.send((first, second)[number % 2], b"%d" % number, partition=0, timestamp_ms=1_000_000 + number * 1000)
    producer.flush()

    ends = json.dumps({first: {"0": 1_003_000}})

    assert numbers(read(f"{first},{second}", endingOffsetsByTimestamp=ends)) == [0, 1, 2, 3, 5]


def test_records_of_open_transactions_are_not_read(read: Any, new_topic: Any, broker: Any, fill: Any) -> None:
    from ottla.client import Producer

    topic = new_topic(partitions=1)
    fill(topic, 3, partitions=1)
    with Producer(bootstrap_servers=broker.address, transactional_id=topic) as producer:
        producer.begin_transaction()
        producer.send(topic, b"100", partition=0).result()

        assert numbers(read(topic)) == [0, 1, 2]
        assert numbers(read(topic, kafka_isolation_level="read_uncommitted")) == [0, 1, 2, 100]
        producer.abort_transaction()


def test_a_projection_may_choose_headers(read: Any, new_topic: Any, producer: Any) -> None:
    topic = new_topic(partitions=1)
    producer.send(topic, b"v", headers=[("h", b"1")]).result()

    row = read(topic, schema="headers array<struct<key:string,value:binary>>, topic string").first()

    assert ([(header.key, bytes(header.value)) for header in row.headers], row.topic) == ([("h", b"1")], topic)


def test_timestamps_do_not_depend_on_the_time_zone_of_the_session(
    spark: Any, read: Any, new_topic: Any, producer: Any
) -> None:
    topic = new_topic(partitions=1)
    producer.send(topic, b"v", timestamp_ms=1_700_000_000_000).result()

    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        assert read(topic).selectExpr("unix_millis(timestamp) AS ms").first().ms == 1_700_000_000_000
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_a_topic_that_does_not_exist_is_named(read: Any) -> None:
    with pytest.raises(Exception, match="no-such-topic"):
        read("no-such-topic").count()


def test_json_that_does_not_fit_is_named_or_null(read: Any, new_topic: Any, producer: Any) -> None:
    topic = new_topic(partitions=1)
    for value in (b'{"id": 1}', b"{not json", b'{"id": 3}'):
        producer.send(topic, value, partition=0)
    producer.flush()

    with pytest.raises(Exception, match=f"{topic}-0 offset 1 cannot be decoded"):
        read(topic, schema="id BIGINT", decode="json").collect()
    with pytest.raises(Exception, match="decode=json needs a schema"):
        read(topic, decode="json").collect()
    found = read(topic, schema="id BIGINT, _offset BIGINT, _error STRING", decode="json", decodeErrors="null").collect()
    assert [(row._offset, row.id, row._error is None) for row in found] == [
        (0, 1, True),
        (1, None, False),
        (2, 3, True),
    ]
