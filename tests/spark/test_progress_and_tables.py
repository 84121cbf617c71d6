"""Group offsets of streaming queries, whole topics as tables, typed columns of JSON."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import ottla.spark
from ottla.client import Admin, TopicPartition
from tests.support.waiting import eventually


def positions(admin: Admin, group: str) -> dict[TopicPartition, int]:
    return {each: found.offset for each, found in admin.list_group_offsets(group).items()}


def test_a_stream_publishes_its_position_as_group_offsets(
    spark: Any, broker: Any, new_topic: Any, fill: Any, admin: Admin, tmp_path: Path
) -> None:
    topic = new_topic(partitions=2)
    fill(topic, 11, partitions=2)
    listener = ottla.spark.attach(spark, bootstrap_servers=broker.address, group_id=f"{topic}-{{query}}")

    stream = spark.readStream.format("ottla").option("kafka.bootstrap.servers", broker.address)
    stream = stream.option("subscribe", topic).option("startingOffsets", "earliest").option("groupId", topic).load()
    writer = stream.writeStream.format("noop").queryName("copy").option("checkpointLocation", str(tmp_path / "c"))
    writer.trigger(availableNow=True).start().awaitTermination()

    expected = {TopicPartition(topic, 0): 6, TopicPartition(topic, 1): 5}
    assert positions(admin, topic) == expected
    eventually(lambda: positions(admin, f"{topic}-copy") == expected, within_s=30, what="offsets of the listener")
    spark.streams.removeListener(listener)


def test_a_part_of_a_topic_is_a_table_with_typed_columns(
    spark: Any, broker: Any, new_topic: Any, producer: Any
) -> None:
    topic = new_topic(partitions=1)
    for number in range(10):
        value = json.dumps({"id": number, "at": f"2026-11-16T10:00:0{number}Z"}).encode()
        moment = datetime(2026, 11, 16, 10, 0, number, tzinfo=UTC)
        producer.send(topic, value, partition=0, timestamp_ms=round(moment.timestamp() * 1000))
    producer.flush()

    def table(**bounds: Any) -> list[int]:
        frame = ottla.spark.table(
            spark,
            topic,
            schema="id BIGINT, at TIMESTAMP, _offset BIGINT",
            decode="json",
            bootstrap_servers=broker.address,
            **bounds,
        )
        rows = frame.collect()
        assert all(row.at.astimezone(UTC).second == row.id == row._offset for row in rows)
        return sorted(row.id for row in rows)

    assert table() == list(range(10))
    assert table(start="2026-11-16T10:00:04Z", end=datetime(2026, 11, 16, 10, 0, 7, tzinfo=UTC)) == [4, 5, 6]
    assert table(start={0: 8}) == [8, 9]
    assert table(start="2027-01-01") == []
