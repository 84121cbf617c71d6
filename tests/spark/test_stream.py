"""`readStream` and `writeStream` with `format("ottla")`: limits, triggers, restarts, exactly once."""

import json
from pathlib import Path
from typing import Any

import pytest

import ottla.spark
from ottla.client import Admin, NewTopic, Producer, TopicPartition
from tests.spark.conftest import numbers
from tests.support.waiting import eventually


@pytest.fixture
def copy(spark: Any, broker: Any, tmp_path: Path) -> Any:
    """Copies a topic to another one until all is copied; the same checkpoint each time. The query's progress."""

    def run(source: str, target: str, write: Any = (), schema: str | None = None, **options: Any) -> list[Any]:
        reader = spark.readStream.format("ottla").option("kafka.bootstrap.servers", broker.address)
        reader = reader.option("subscribe", source).option("startingOffsets", "earliest")
        for name, value in options.items():
            reader = reader.option(name.replace("_", "."), value)
        if schema is not None:
            reader = reader.schema(schema)
        writer = reader.load().select("key", "value").writeStream.format("ottla")
        writer = writer.option("kafka.bootstrap.servers", broker.address).option("topic", target)
        for name, value in dict(write).items():
            writer = writer.option(name, value)
        query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True).start()
        query.awaitTermination()
        return [progress for progress in query.recentProgress if progress["numInputRows"]]

    return run


def test_micro_batches_are_limited_and_a_restart_goes_on(copy: Any, read: Any, new_topic: Any, fill: Any) -> None:
    source, target = new_topic(), new_topic()
    fill(source, 1000)

    first = copy(source, target, maxOffsetsPerTrigger=400)
    fill(source, 10, first=1000)
    second = copy(source, target, maxOffsetsPerTrigger=400)

    assert [progress["numInputRows"] for progress in first] == [400, 400, 200]
    assert [progress["numInputRows"] for progress in second] == [10]
    assert numbers(read(target)) == list(range(1010))


def test_at_least_once_writes_all(copy: Any, read: Any, new_topic: Any, fill: Any) -> None:
    source, target = new_topic(), new_topic()
    fill(source, 100)

    copy(source, target, write={"guarantee": "at-least-once"})

    assert numbers(read(target)) == list(range(100))


def forget_last_commit(checkpoint: Path) -> None:
    """As if the driver had died between the sink's commit and Spark's own."""
    last = max((path for path in (checkpoint / "commits").iterdir() if path.name.isdigit()), key=lambda p: int(p.name))
    last.unlink()
    (last.parent / f".{last.name}.crc").unlink(missing_ok=True)


def test_a_batch_that_spark_has_forgotten_is_not_written_again(
    copy: Any, read: Any, new_topic: Any, fill: Any, tmp_path: Path
) -> None:
    source, target = new_topic(), new_topic()
    fill(source, 300)
    copy(source, target, maxOffsetsPerTrigger=200)

    forget_last_commit(tmp_path / "checkpoint")
    copy(source, target, maxOffsetsPerTrigger=200)

    assert numbers(read(target)) == list(range(300))


def test_a_stream_starts_where_it_is_told(copy: Any, read: Any, new_topic: Any, fill: Any) -> None:
    source, target = new_topic(partitions=1), new_topic()
    fill(source, 10, partitions=1)

    copy(source, target, startingOffsets=json.dumps({source: {"0": 7}}))

    assert numbers(read(target)) == [7, 8, 9]


def test_records_that_were_deleted_stop_the_query_with_advice(
    copy: Any, read: Any, new_topic: Any, fill: Any, admin: Admin
) -> None:
    source, target = new_topic(partitions=1), new_topic()
    fill(source, 5, partitions=1)
    copy(source, target)
    fill(source, 10, first=5, partitions=1)
    admin.delete_records({TopicPartition(source, 0): 8})

    with pytest.raises(Exception, match=f"{source}-0: offsets 5 to 7 are gone.*failOnDataLoss=false"):
        copy(source, target)
    copy(source, target, failOnDataLoss=False)

    assert numbers(read(target)) == [*range(5), *range(8, 15)]


def test_new_partitions_are_read_from_their_first_record(
    copy: Any, read: Any, new_topic: Any, fill: Any, admin: Admin, broker: Any
) -> None:
    source, target = new_topic(partitions=1), new_topic()
    fill(source, 5, partitions=1)
    copy(source, target)

    admin.create_partitions({source: 2})
    with Producer(bootstrap_servers=broker.address) as producer:
        for number in range(5, 15):
            producer.send(source, b"%d" % number, partition=number % 2).result()
    copy(source, target, maxOffsetsPerTrigger=4)

    assert numbers(read(target)) == list(range(15))


def test_update_mode_is_refused_by_spark(spark: Any, broker: Any, new_topic: Any, tmp_path: Path) -> None:
    """Pinned: Spark decides it before it asks the source. docs/spark.md sends users to foreachBatch."""
    topic = new_topic()
    frame = spark.readStream.format("rate").load().selectExpr("string(value) AS value")
    writer = frame.writeStream.format("ottla").outputMode("update").option("topic", topic)

    writer = writer.option("kafka.bootstrap.servers", broker.address).option("checkpointLocation", str(tmp_path / "c"))

    with pytest.raises(Exception, match=r"(?i)update"):
        writer.start().awaitTermination()


def test_complete_mode_writes_the_whole_result_after_each_batch(
    spark: Any, broker: Any, read: Any, new_topic: Any, fill: Any, tmp_path: Path
) -> None:
    source, target = new_topic(partitions=1), new_topic()
    fill(source, 20, partitions=1)
    reader = spark.readStream.format("ottla").option("kafka.bootstrap.servers", broker.address)
    reader = reader.option("subscribe", source).option("startingOffsets", "earliest").option("maxOffsetsPerTrigger", 10)
    counts = reader.load().groupBy().count().selectExpr("string(count) AS value")

    writer = counts.writeStream.format("ottla").outputMode("complete").option("topic", target)
    writer = writer.option("kafka.bootstrap.servers", broker.address).option("checkpointLocation", str(tmp_path / "c"))
    writer.trigger(availableNow=True).start().awaitTermination()

    assert numbers(read(target)) == [10, 20]


def test_a_stream_starts_at_a_time_with_a_projection(copy: Any, read: Any, new_topic: Any, producer: Any) -> None:
    source, target = new_topic(partitions=1), new_topic()
    for number in range(5):
        producer.send(source, b"%d" % number, partition=0, timestamp_ms=1_000_000 + number * 1000)
    producer.flush()

    copy(source, target, schema="value binary, key binary", startingTimestamp=1_003_000)

    assert numbers(read(target)) == [3, 4]


def test_a_micro_batch_waits_for_the_minimum_of_records(
    spark: Any, broker: Any, new_topic: Any, fill: Any, tmp_path: Path
) -> None:
    topic = new_topic()
    reader = spark.readStream.format("ottla").option("kafka.bootstrap.servers", broker.address)
    reader = reader.option("subscribe", topic).option("startingOffsets", "earliest")
    stream = reader.option("minOffsetsPerTrigger", 30).option("maxTriggerDelay", "1h").load()
    query = stream.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "c")).start()
    try:
        fill(topic, 20)
        fill(topic, 20, first=20)
        batches = eventually(
            lambda: [each["numInputRows"] for each in query.recentProgress if each["numInputRows"]],
            within_s=120,
            what="a micro-batch",
        )
    finally:
        query.stop()

    assert batches[0] >= 30


def test_a_topic_that_was_created_again_stops_the_query_with_advice(
    copy: Any, read: Any, new_topic: Any, fill: Any, admin: Admin
) -> None:
    source, target = new_topic(partitions=1), new_topic()
    fill(source, 10, partitions=1)
    copy(source, target)
    admin.delete_topics([source])
    admin.create_topics([NewTopic(source, partitions=1)])
    fill(source, 3, first=10, partitions=1)

    with pytest.raises(Exception, match=f"{source}-0: .*failOnDataLoss=false"):
        copy(source, target)
    copy(source, target, failOnDataLoss=False)

    assert numbers(read(target)) == list(range(13))


def test_update_mode_writes_what_has_changed_by_foreach_batch(
    spark: Any, broker: Any, read: Any, new_topic: Any, fill: Any, tmp_path: Path
) -> None:
    source, target = new_topic(partitions=1), new_topic()
    fill(source, 20, partitions=1)
    reader = spark.readStream.format("ottla").option("kafka.bootstrap.servers", broker.address)
    reader = reader.option("subscribe", source).option("startingOffsets", "earliest").option("maxOffsetsPerTrigger", 10)
    counts = reader.load().groupBy("key").count().selectExpr("key", "string(count) AS value")
    write = ottla.spark.topic_writer(target, query_id=source, bootstrap_servers=broker.address, linger_ms=1)

    for _ in range(2):
        writer = counts.writeStream.outputMode("update").foreachBatch(write).trigger(availableNow=True)
        writer.option("checkpointLocation", str(tmp_path / "c")).start().awaitTermination()
        forget_last_commit(tmp_path / "c")

    assert numbers(read(target)) == [1] * 4 + [2] * 4 + [3] * 6
