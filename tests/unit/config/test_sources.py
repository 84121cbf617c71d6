"""Layers of settings, and DescribeConfigs as Apache Kafka 4.3 answers it."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ottla.config.broker_options import BrokerOptions
from ottla.config.sources import BrokerLayers, ConfigRow, Source, Synonym, describe_client_metrics, describe_loggers

ANSWERS = json.loads((Path(__file__).parents[2] / "data" / "kafka-describe-configs.json").read_text(encoding="utf-8"))
#: The settings of the Kafka whose answers are stored (addresses and paths are not compared).
STATIC = {
    "node.id": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
}
RECORDED = BrokerLayers(BrokerOptions(STATIC), {}, {"min.insync.replicas": "1"})


def layers(
    static: dict[str, str], broker: dict[str, str] | None = None, cluster: dict[str, str] | None = None
) -> BrokerLayers:
    return BrokerLayers(BrokerOptions(static), broker, cluster)


def only(rows: Sequence[ConfigRow]) -> ConfigRow:
    assert len(rows) == 1
    return rows[0]


@pytest.mark.parametrize(
    ("label", "rows"),
    [
        ("broker", RECORDED.describe_broker()),
        ("cluster default", RECORDED.describe_cluster_default()),
        ("compacted topic", RECORDED.describe_topic({"cleanup.policy": "compact"})),
        ("plain topic", RECORDED.describe_topic({})),
        ("group", RECORDED.describe_group({})),
        ("client metrics", describe_client_metrics({})),
    ],
)
def test_every_row_is_the_one_apache_kafka_gives(label: str, rows: list[ConfigRow]) -> None:
    mine = {
        row.name: [
            row.value,
            row.source,
            row.kind,
            row.is_sensitive,
            row.read_only,
            [list(synonym) for synonym in row.synonyms],
        ]
        for row in rows
    }

    kafka = ANSWERS[label]

    assert {name: mine[name] for name in kafka} == kafka


def test_internal_settings_are_shown_only_when_somebody_set_them() -> None:
    name = "log.initial.task.delay.ms"

    assert layers({}).describe_broker([name]) == []
    assert only(layers({name: "20000"}).describe_broker([name])).value == "20000"


def test_a_rate_of_replication_is_shown_like_any_number_when_somebody_set_it() -> None:
    name = "leader.replication.throttled.rate"
    limited = layers({}, {name: "1000"}, {name: " 70 "})

    row = only(limited.describe_broker([name]))

    assert layers({}).describe_broker([name]) == []
    assert (row.value, row.source, row.kind, row.is_sensitive, row.read_only) == (
        "1000",
        Source.DYNAMIC_BROKER,
        5,
        False,
        False,
    )
    assert [synonym.value for synonym in row.synonyms] == ["1000", "70"]
    assert only(limited.describe_cluster_default()).value == "70"


def test_an_unknown_setting_is_shown_without_its_value() -> None:
    row = only(layers({"some.unknown": "5"}).describe_broker(["some.unknown"]))

    assert (row.value, row.kind, row.is_sensitive, row.read_only) == (None, 0, True, True)
    assert row.synonyms == (Synonym("some.unknown", None, Source.STATIC_BROKER),)


def test_a_listeners_own_setting_is_shown_with_the_common_one_behind_it() -> None:
    row = only(
        layers({"listener.name.plaintext.max.connections": "70"}).describe_broker(
            ["listener.name.plaintext.max.connections"]
        )
    )

    assert (row.value, row.kind, row.read_only) == ("70", 3, True)
    assert row.synonyms == (
        Synonym("listener.name.plaintext.max.connections", "70", Source.STATIC_BROKER),
        Synonym("max.connections", "2147483647", Source.DEFAULT),
    )


def test_a_password_is_hidden_in_every_layer() -> None:
    row = only(
        layers({"sasl.jaas.config": "secret"}, {"sasl.jaas.config": "other"}).describe_broker(["sasl.jaas.config"])
    )

    assert (row.value, row.is_sensitive) == (None, True)
    assert [synonym.value for synonym in row.synonyms] == [None, None]


def test_dynamic_broker_beats_dynamic_cluster_beats_static_beats_default() -> None:
    name = "log.cleaner.threads"
    texts = [
        layers({}),
        layers({name: "2"}),
        layers({name: "2"}, {}, {name: "3"}),
        layers({name: "2"}, {name: "4"}, {name: "3"}),
    ]

    assert [each.options.log_cleaner_threads for each in texts] == [1, 2, 3, 4]
    assert [only(each.describe_broker([name])).source for each in texts] == [5, 4, 3, 2]
    assert [synonym.value for synonym in only(texts[3].describe_broker([name])).synonyms] == ["4", "3", "2", "1"]


def test_the_value_is_parsed_and_the_synonym_is_raw() -> None:
    row = only(layers({"log.roll.hours": "002"}).describe_broker(["log.roll.hours"]))

    assert row.value == "2"
    assert row.synonyms[0].value == "002"


def test_a_dynamic_value_that_is_not_valid_is_left_out() -> None:
    assert layers({}, {"log.cleaner.threads": "many"}).options.log_cleaner_threads == 1


def test_a_dynamic_value_of_a_read_only_setting_is_left_out() -> None:
    assert layers({}, {"num.partitions": "9"}).options.num_partitions == 1


@pytest.mark.parametrize(
    ("static", "retention_ms"),
    [
        ({}, 604_800_000),
        ({"log.retention.hours": "1"}, 3_600_000),
        ({"log.retention.hours": "1", "log.retention.minutes": "2"}, 120_000),
        ({"log.retention.hours": "1", "log.retention.minutes": "2", "log.retention.ms": "3"}, 3),
        ({"log.retention.hours": "-1"}, -1),
        ({"log.retention.minutes": "-1"}, -1),
    ],
)
def test_the_finest_retention_of_the_broker_counts(static: dict[str, str], retention_ms: int) -> None:
    assert layers(static).topic_options({}).retention_ms == retention_ms


def test_a_topic_takes_the_brokers_settings_under_their_other_names() -> None:
    options = layers(
        {
            "log.segment.bytes": "2097152",
            "log.roll.hours": "2",
            "log.roll.jitter.ms": "7",
            "log.flush.scheduler.interval.ms": "500",
            "log.cleanup.policy": "compact,delete",
            "message.max.bytes": "99",
            "produce.validate": "records",
        }
    ).topic_options({})

    assert options.segment_bytes == 2_097_152
    assert options.segment_ms == 7_200_000
    assert options.segment_jitter_ms == 7
    assert options.flush_ms == 500
    assert options.cleanup_policy == ("compact", "delete")
    assert options.max_message_bytes == 99
    assert options.produce_validate == "records"


def test_a_topics_override_beats_the_broker() -> None:
    both = layers({"log.segment.bytes": "2097152"})

    assert both.topic_options({"segment.bytes": "3145728"}).segment_bytes == 3_145_728
    row = only(both.describe_topic({"segment.bytes": "3145728"}, ["segment.bytes"]))
    assert row.source is Source.TOPIC
    assert [synonym.source for synonym in row.synonyms] == [1, 4, 5]


def test_topics_without_overrides_share_their_options() -> None:
    one = layers({})

    assert one.topic_options({}) is one.topic_options({})


def test_a_stored_override_that_is_not_valid_does_not_lose_the_topic() -> None:
    assert layers({}).topic_options({"segment.bytes": "tiny", "retention.ms": "5"}).retention_ms == 5


def test_retention_hours_leave_the_source_at_default_as_in_kafka() -> None:
    row = only(layers({"log.retention.hours": "1"}).describe_topic({}, ["retention.ms"]))

    assert (row.value, row.source, row.synonyms) == ("3600000", Source.DEFAULT, ())
    assert row.is_default


def test_a_dynamic_retention_shows_the_hours_behind_it() -> None:
    row = only(
        layers({}, {"log.retention.ms": "88888"}, {"log.retention.ms": "77777"}).describe_topic({}, ["retention.ms"])
    )

    assert row.synonyms == (
        Synonym("log.retention.ms", "88888", Source.DYNAMIC_BROKER),
        Synonym("log.retention.ms", "77777", Source.DYNAMIC_DEFAULT_BROKER),
        Synonym("log.retention.hours", "168", Source.DEFAULT),
    )


def test_a_group_takes_the_brokers_default_and_its_own_override() -> None:
    both = layers({"group.consumer.session.timeout.ms": "46000"})

    assert both.group_options({}).consumer_session_timeout_ms == 46_000
    row = only(both.describe_group({"consumer.session.timeout.ms": "50000"}, ["consumer.session.timeout.ms"]))
    assert (row.value, row.source) == ("50000", Source.GROUP)
    assert [synonym.value for synonym in row.synonyms] == ["50000", "46000", "45000"]


def test_keys_that_do_not_exist_are_left_out_and_no_keys_ask_for_all() -> None:
    assert [row.name for row in layers({}).describe_topic({}, ["nope", "retention.ms"])] == ["retention.ms"]
    assert len(layers({}).describe_topic({}, [])) == len(layers({}).describe_topic({}, None))


def test_loggers_are_rows_without_type() -> None:
    row = only(describe_loggers({"ottla.log": "WARN", "root": "INFO"}, ["root"]))

    assert (row.name, row.value, row.source, row.kind, row.read_only) == (
        "root",
        "INFO",
        Source.BROKER_LOGGER,
        0,
        False,
    )
