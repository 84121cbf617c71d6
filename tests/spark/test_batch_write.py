"""`df.write.format("ottla")`: columns, guarantees, batches that come again."""

from typing import Any

import pytest

from ottla.client import Admin, Producer
from ottla.spark.sink_log import SINK_LOG
from tests.spark.conftest import numbers


@pytest.fixture
def write(broker: Any) -> Any:
    def save(frame: Any, topic: str | None = None, **options: Any) -> None:
        writer = frame.write.format("ottla").option("kafka.bootstrap.servers", broker.address).mode("append")
        if topic is not None:
            writer = writer.option("topic", topic)
        for name, value in options.items():
            writer = writer.option(name.replace("_", "."), value)
        writer.save()

    return save


def rows(spark: Any, count: int, tasks: int = 2) -> Any:
    frame = spark.range(0, count, numPartitions=tasks)
    return frame.selectExpr("cast(id % 5 as string) AS key", "cast(id as string) AS value")


@pytest.mark.parametrize("guarantee", ["exactly-once", "at-least-once"])
def test_all_rows_arrive(spark: Any, write: Any, read: Any, new_topic: Any, guarantee: str) -> None:
    topic = new_topic()

    write(rows(spark, 1000), topic, guarantee=guarantee)

    assert numbers(read(topic)) == list(range(1000))
    # A key has one partition.
    assert read(topic).select("key", "partition").distinct().count() == 5


def test_columns_choose_topic_partition_and_headers(spark: Any, write: Any, read: Any, new_topic: Any) -> None:
    first, second = new_topic(), new_topic()
    frame = spark.range(4).selectExpr(
        f"if(id < 2, '{first}', '{second}') AS topic",
        "int(id % 3) AS partition",
        "cast(string(id) AS binary) AS value",
        "array(named_struct('key', 'n', 'value', cast(string(id) AS binary))) AS headers",
        "id AS other",
    )

    write(frame)

    found = {
        (row.topic, int(row.value)): (row.partition, [(h.key, bytes(h.value)) for h in row.headers], row.key)
        for topic in (first, second)
        for row in read(topic, includeHeaders=True).collect()
    }
    assert found == {(first if n < 2 else second, n): (n % 3, [("n", b"%d" % n)], None) for n in range(4)}


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (["id AS value"], {"topic": "t"}, "column value is bigint: must be string or binary"),
        (["string(id) AS vaule"], {"topic": "t"}, "no column value: rows have vaule"),
        (["string(id) AS value"], {}, "no topic: set the option topic"),
        (["string(id) AS value"], {"topic": "t", "garantee": "x"}, "did you mean guarantee"),
        (["string(id) AS value"], {"topic": "t", "queryId": "x"}, "queryId and batchId belong together"),
        (["string(id) AS value"], {"topic": "t", "subscribe": "x"}, "subscribe: an option of reads"),
    ],
)
def test_wrong_columns_and_options_are_errors(
    spark: Any, write: Any, columns: list[str], options: dict[str, str], message: str
) -> None:
    with pytest.raises(Exception, match=message):
        write(spark.range(3).selectExpr(*columns), **options)


def test_a_batch_that_comes_again_is_written_once(spark: Any, write: Any, read: Any, new_topic: Any) -> None:
    topic = new_topic()

    for batch in (0, 0, 1, 1):
        write(rows(spark, 50), topic, queryId=topic, batchId=batch)

    assert numbers(read(topic)) == sorted([*range(50)] * 2)


def test_a_batch_that_comes_again_with_other_rows_fails(spark: Any, write: Any, read: Any, new_topic: Any) -> None:
    topic = new_topic()
    write(rows(spark, 50), topic, queryId=topic, batchId=3)

    with pytest.raises(Exception, match=r"batch 3 of .* has other rows now .* guarantee=at-least-once"):
        write(rows(spark, 52), topic, queryId=topic, batchId=3)
    with pytest.raises(Exception, match="the checkpoint has gone back"):
        write(rows(spark, 50), topic, queryId=topic, batchId=2)

    assert numbers(read(topic)) == list(range(50))


def test_a_job_that_fails_leaves_nothing_to_read(
    spark: Any, write: Any, read: Any, new_topic: Any, admin: Admin
) -> None:
    topic = new_topic()
    frame = spark.range(0, 100, numPartitions=2).selectExpr("if(id = 90, raise_error('no more'), string(id)) AS value")

    with pytest.raises(Exception, match="no more"):
        write(frame, topic)

    assert read(topic).count() == 0
    open_ids = [each.transactional_id for each in admin.list_transactions(states=["Ongoing"])]
    assert not [each for each in open_ids if each.startswith("ottla-spark-batch")]


def test_transactions_of_an_earlier_attempt_are_aborted(
    spark: Any, write: Any, read: Any, new_topic: Any, broker: Any
) -> None:
    topic = new_topic()
    with Producer(bootstrap_servers=broker.address, transactional_id=f"ottla-spark-{topic}.{topic}-7") as earlier:
        earlier.begin_transaction()
        earlier.send(topic, b"99", partition=0).result()
        earlier.detach()

    write(rows(spark, 10), topic, queryId=topic, batchId=0)

    assert numbers(read(topic)) == list(range(10))


def test_the_sink_log_is_compacted(admin: Admin, spark: Any, write: Any, new_topic: Any) -> None:
    from ottla.client import ConfigResource, ConfigResourceType

    topic = new_topic()
    write(rows(spark, 3), topic, queryId=topic, batchId=0)

    log = ConfigResource(ConfigResourceType.TOPIC, SINK_LOG)
    assert admin.describe_configs([log])[log]["cleanup.policy"].value == "compact"


def test_nulls_are_tombstones_and_choices_of_the_partitioner(spark: Any, write: Any, read: Any, new_topic: Any) -> None:
    topic = new_topic()
    frame = spark.sql(
        "SELECT 'k' AS key, cast(NULL AS STRING) AS value, cast(NULL AS INT) AS partition, "
        "cast(NULL AS array<struct<key:string,value:binary>>) AS headers"
    )

    write(frame, topic)

    row = read(topic, includeHeaders=True).first()
    assert (bytes(row.key), row.value, row.headers) == (b"k", None, None)


def test_settings_of_producers_do_not_disturb_the_sink_log(spark: Any, write: Any, read: Any, new_topic: Any) -> None:
    topic = new_topic()

    write(rows(spark, 5), topic, queryId=topic, batchId=0, kafka_retries=5, kafka_compression_type="lz4")

    assert numbers(read(topic)) == list(range(5))


def test_a_row_without_a_topic_is_an_error(spark: Any, write: Any, new_topic: Any) -> None:
    frame = spark.sql(f"SELECT * FROM VALUES ('{new_topic()}', 'a'), (NULL, 'b') AS t(topic, value)")

    with pytest.raises(Exception, match="topic"):
        write(frame)


@pytest.mark.parametrize(("mode", "message"), [("overwrite", "a topic cannot be overwritten"), (None, "(?i)append")])
def test_other_modes_than_append_are_errors_that_name_it(
    spark: Any, broker: Any, new_topic: Any, mode: str | None, message: str
) -> None:
    writer = rows(spark, 1).write.format("ottla").option("kafka.bootstrap.servers", broker.address)
    writer = writer.option("topic", new_topic())

    with pytest.raises(Exception, match=message):
        (writer.mode(mode) if mode else writer).save()
