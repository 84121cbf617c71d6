"""Options of reads and writes: those of Spark's Kafka source are understood, wrong ones are named. Without Spark."""

from typing import Any

import pytest

from ottla.config.admin_options import AdminOptions
from ottla.config.consumer_options import ConsumerOptions
from ottla.config.producer_options import ProducerOptions
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from ottla.spark.options import GivenOptions
from ottla.spark.read_options import EARLIEST, LATEST, Bound, ReadOptions, Subscription, read_options_of
from ottla.spark.write_options import WriteOptions, write_options_of

SERVERS = {"kafka.bootstrap.servers": "localhost:9092"}


def read(*, is_stream: bool = False, **options: Any) -> ReadOptions:
    return read_options_of(given({"subscribe": "orders", **options}), is_stream=is_stream)


def write(**options: Any) -> WriteOptions:
    return write_options_of(given({"topic": "orders", **options}), is_stream=False)


def given(options: dict[str, Any]) -> GivenOptions:
    """As Spark passes them: names in lower case, values as text. Underscores stand for dots."""
    texts = {name.replace("_", ".").lower(): str(value) for name, value in options.items() if value is not None}
    return GivenOptions({**SERVERS, **texts})


def test_a_batch_reads_all_and_a_stream_what_is_new() -> None:
    assert (read().start, read().end) == (Bound(EARLIEST), Bound(LATEST))
    assert read(is_stream=True).start == Bound(LATEST)


def test_committed_records_are_the_default() -> None:
    assert read().read_committed
    assert not read(kafka_isolation_level="read_uncommitted").read_committed


@pytest.mark.parametrize(
    ("options", "subscription"),
    [
        ({"subscribe": "b, a,b"}, Subscription(topics=("a", "b"))),
        ({"subscribePattern": "o.*"}, Subscription(pattern="o.*")),
        ({"assign": '{"o": [1, 0]}'}, Subscription(partitions=(TopicPartition("o", 0), TopicPartition("o", 1)))),
    ],
)
def test_topics_are_named_in_three_ways(options: dict[str, Any], subscription: Subscription) -> None:
    assert read(**{"subscribe": None, **options}).subscription == subscription


@pytest.mark.parametrize(
    ("options", "bound"),
    [
        ({"startingOffsets": "Latest"}, Bound(LATEST)),
        ({"startingOffsets": '{"o": {"0": 5}}'}, Bound(EARLIEST, offsets={TopicPartition("o", 0): 5})),
        ({"startingTimestamp": 7}, Bound(EARLIEST, timestamp_ms=7, fails_without_match=True)),
        (
            {"startingOffsetsByTimestamp": '{"o": {"0": 7}}', "startingOffsetsByTimestampStrategy": "latest"},
            Bound(EARLIEST, timestamps_ms={TopicPartition("o", 0): 7}),
        ),
        (
            {"startingTimestamp": 7, "startingOffsets": "latest"},
            Bound(EARLIEST, timestamp_ms=7, fails_without_match=True),
        ),
    ],
)
def test_a_start_is_offsets_or_a_time_and_the_time_counts_more(options: dict[str, Any], bound: Bound) -> None:
    assert read(**options).start == bound


@pytest.mark.parametrize(
    ("options", "bound"),
    [
        ({"endingOffsets": '{"o": {"0": -1}}'}, Bound(LATEST, offsets={TopicPartition("o", 0): LATEST})),
        ({"endingTimestamp": 7}, Bound(LATEST, timestamp_ms=7)),
        ({"endingOffsetsByTimestamp": '{"o": {"0": 7}}'}, Bound(LATEST, timestamps_ms={TopicPartition("o", 0): 7})),
    ],
)
def test_an_end_without_a_record_that_young_is_the_end_of_the_log(options: dict[str, Any], bound: Bound) -> None:
    assert read(**options).end == bound


@pytest.mark.parametrize(
    ("text", "expected_ms"), [("500ms", 500), ("30s", 30_000), ("15m", 900_000), ("2 min", 120_000), ("250", 250)]
)
def test_durations_are_written_as_in_spark(text: str, expected_ms: int) -> None:
    assert read(is_stream=True, maxTriggerDelay=text).max_trigger_delay_ms == expected_ms


def test_options_that_change_nothing_here_are_accepted() -> None:
    read(
        groupIdPrefix="x",
        fetchOffset_numRetries=3,
        fetchOffset_retryIntervalMs=10,
        kafkaConsumer_pollTimeoutMs=512,
        kafka_group_id="x",
    )
    write(includeHeaders="true")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"maxTriggerDelay": "soon"}, "maxTriggerDelay=soon: must be a duration"),
        ({"includeHeaders": "yes"}, "includeHeaders=yes: must be true or false"),
        ({"startingOffsets": "first"}, "startingOffsets=first: must be JSON"),
        ({"startingOffsets": '{"o": {"0": -3}}'}, "startingOffsets: o-0 has offset -3"),
        ({"endingOffsets": '{"o": {"0": -2}}'}, "endingOffsets: o-0 has offset -2"),
        ({"decode": "avro"}, "decode=avro: must be one of bytes, json"),
        ({"minOffsetsPerTrigger": 5, "maxOffsetsPerTrigger": 4}, "must not exceed maxOffsetsPerTrigger=4"),
        ({"topic": "orders"}, "topic: an option of writes; to read, set subscribe"),
        ({"kafka_enable_auto_commit": "true"}, "kafka.enable.auto.commit is not supported here: .* set groupId"),
        ({"bootstrap_servers": "x:1"}, "unknown option bootstrap.servers; did you mean kafka.bootstrap.servers"),
    ],
)
def test_wrong_options_of_reads_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        read(**options)


@pytest.mark.parametrize("name", ["endingOffsets", "endingTimestamp", "endingOffsetsByTimestamp"])
def test_a_stream_has_no_end(name: str) -> None:
    with pytest.raises(InvalidConfig, match=f"{name}: a stream has no end"):
        read(is_stream=True, **{name: "latest"})


def test_servers_are_required() -> None:
    with pytest.raises(InvalidConfig, match=r"kafka\.bootstrap\.servers is missing"):
        read_options_of(GivenOptions({"subscribe": "orders"}), is_stream=False)


SECURITY: dict[str, Any] = {
    "kafka_security_protocol": "SASL_SSL",
    "kafka_sasl_mechanism": "SCRAM-SHA-512",
    "kafka_sasl_jaas_config": 'x.ScramLoginModule required username="u" password="p";',
    "kafka_ssl_truststore_location": "ca.pem",
}


def test_security_options_go_to_every_client_of_a_read_and_a_write() -> None:
    expected = {name.removeprefix("kafka_").replace("_", "."): value for name, value in SECURITY.items()}

    for options in (read(**SECURITY), write(**SECURITY)):
        assert expected.items() <= options.client.items()
        assert expected.items() <= options.admin.items()


def test_settings_of_one_kind_of_client_are_kept_from_the_others() -> None:
    producing, reading = (
        write(kafka_retries=5, kafka_linger_ms=1),
        read(kafka_fetch_min_bytes=1, kafka_retry_backoff_ms=9),
    )

    assert {"retries", "linger.ms"} <= producing.client.keys() <= ProducerOptions.rows.keys()
    assert producing.admin.keys() <= AdminOptions.rows.keys() & ConsumerOptions.rows.keys()
    assert reading.client.keys() <= ConsumerOptions.rows.keys()
    assert reading.admin["retry.backoff.ms"] == "9"
