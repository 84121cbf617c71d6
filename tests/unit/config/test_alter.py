"""AlterConfigs and IncrementalAlterConfigs: codes and messages of Apache Kafka 4.3."""

from collections.abc import Callable

import pytest

from ottla.config.alter import (
    Change,
    alter_broker,
    alter_client_metrics,
    alter_group,
    alter_loggers,
    alter_topic,
    broker_resource,
    check_topic_overrides,
    replacement,
)
from ottla.config.broker_options import BrokerOptions
from ottla.config.sources import BrokerLayers
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused

SET, DELETE, APPEND, SUBTRACT = range(4)
LAYERS = BrokerLayers(BrokerOptions())
INVALID_CONFIG, INVALID_REQUEST = ErrorCode.INVALID_CONFIG, ErrorCode.INVALID_REQUEST


def refusal(act: Callable[[], object]) -> tuple[ErrorCode, str]:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code, caught.value.message or ""


def topic(*changes: Change, **overrides: str) -> dict[str, str | None]:
    return alter_topic({name.replace("_", "."): text for name, text in overrides.items()}, changes, LAYERS)


def broker(*changes: Change, whole_cluster: bool = False) -> dict[str, str | None]:
    return alter_broker({}, changes, BrokerOptions({"log.dirs": "/here"}), whole_cluster=whole_cluster)


def test_set_and_delete_write_only_what_changes() -> None:
    assert topic(Change("retention.ms", SET, "5000")) == {"retention.ms": "5000"}
    assert topic(Change("retention.ms", SET, "5000"), retention_ms="5000") == {}
    assert topic(Change("retention.ms", DELETE, None), retention_ms="5000") == {"retention.ms": None}
    assert topic(Change("retention.ms", DELETE, None)) == {}


def test_append_starts_from_the_default_and_adds_nothing_twice() -> None:
    assert topic(Change("cleanup.policy", APPEND, "compact")) == {"cleanup.policy": "delete,compact"}
    assert topic(Change("cleanup.policy", APPEND, "compact"), cleanup_policy="compact") == {}
    assert topic(Change("cleanup.policy", APPEND, "delete,compact"), cleanup_policy="compact") == {
        "cleanup.policy": "compact,delete"
    }


def test_subtract_may_leave_an_empty_list() -> None:
    assert topic(Change("cleanup.policy", SUBTRACT, "delete"), cleanup_policy="delete,compact") == {
        "cleanup.policy": "compact"
    }
    assert topic(Change("cleanup.policy", SUBTRACT, "delete")) == {"cleanup.policy": ""}


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (
            Change("retention.ms", SET, "soon"),
            40,
            "Invalid value soon for configuration retention.ms: Not a number of type LONG",
        ),
        (Change("no.such", SET, "1"), 40, "Unknown topic config name: no.such"),
        (Change("retention.ms", APPEND, "1"), 40, "Can't APPEND to key retention.ms because its type is not LIST."),
        (Change("retention.ms", SUBTRACT, "1"), 40, "Can't SUBTRACT to key retention.ms because its type is not LIST."),
        (Change("retention.ms", SET, None), 42, "Null value not supported for : retention.ms"),
        (Change("retention.ms", 9, "1"), -1, "Unknown operation 9"),
        (Change("cleanup.policy", SET, "delete,nope"), 40, "String must be one of: compact, delete"),
        (Change("cleanup.policy", SET, ",delete"), 40, "values must not be empty"),
        (
            Change("compression.type", SET, "GZIP"),
            40,
            "String must be one of: uncompressed, zstd, lz4, snappy, gzip, producer",
        ),
        (Change("compression.gzip.level", SET, "0"), 40, "Value must be between 1 and 9 or equal to -1"),
        (Change("min.cleanable.dirty.ratio", SET, "1.5"), 40, "Value must be no more than 1"),
        (Change("leader.replication.throttled.replicas", SET, "x"), 40, "must be the literal '*'"),
        (Change("leader.replication.throttled.replicas", SET, "none"), 40, "must be the literal '*'"),
        (Change("remote.storage.enable", SET, "true"), 40, "Tiered Storage functionality is disabled in the broker."),
        (Change("produce.validate", SET, "everything"), 40, "String must be one of: headers, records"),
    ],
)
def test_a_wrong_change_of_a_topic_is_refused(change: Change, code: int, message: str) -> None:
    found_code, found_message = refusal(lambda: topic(change))

    assert found_code == code
    assert message in found_message


def test_the_same_key_twice_is_refused() -> None:
    changes = (Change("retention.ms", SET, "1"), Change("retention.ms", SET, "2"))

    assert refusal(lambda: topic(*changes)) == (INVALID_REQUEST, "Error due to duplicate config keys")


def test_deleting_what_never_existed_is_fine() -> None:
    assert topic(Change("no.such", DELETE, None)) == {}


def test_throttled_replicas_may_be_all_or_pairs() -> None:
    assert topic(Change("follower.replication.throttled.replicas", APPEND, "0:1,1:1")) != {}
    assert topic(Change("leader.replication.throttled.replicas", SET, "*")) != {}
    assert topic(Change("leader.replication.throttled.replicas", SET, ",")) != {}


def test_a_topic_is_checked_together_with_the_brokers_defaults() -> None:
    layers = BrokerLayers(BrokerOptions({"log.cleaner.min.compaction.lag.ms": "100"}))

    code, message = refusal(lambda: check_topic_overrides({"max.compaction.lag.ms": "50"}, layers))

    assert code is INVALID_CONFIG
    assert message == "conflict topic config setting min.compaction.lag.ms (100) > max.compaction.lag.ms (50)"


def test_alter_configs_sets_what_it_names_and_removes_the_rest() -> None:
    overrides = {"retention.ms": "1", "segment.ms": "2"}

    changes = replacement(overrides, [("retention.ms", "7")])

    assert alter_topic(overrides, changes, LAYERS) == {"retention.ms": "7", "segment.ms": None}


@pytest.mark.parametrize(
    ("change", "whole_cluster", "message"),
    [
        (Change("log.dirs", SET, "x"), False, "Cannot update these configs dynamically: [log.dirs]"),
        (Change("listeners", SET, "x"), True, "broker id must be specified: [listeners]"),
        (Change("ssl.keystore.password", SET, "x"), False, "using the listener prefix: [ssl.keystore.password]"),
        (Change("log.segment.bytes", SET, "1"), False, "log.segment.bytes: Value must be at least 1048576"),
        (Change("log.retention.ms", SET, "0"), False, "log.retention.ms must be unlimited (-1)"),
        (Change("log.cleaner.threads", SET, "20"), False, "should not be greater than double the current value 1"),
        (Change("num.io.threads", SET, "3"), False, "should not be less than half the current value 8"),
        (Change("principal.builder.class", SET, "x"), False, "Class could not be found"),
        (Change("metric.reporters", APPEND, "x"), False, "Class could not be found"),
        (Change("max.connections.per.ip.overrides", SET, "x"), False, "'x' is not of the form address:number"),
        (Change("leader.replication.throttled.rate", SET, "x"), False, "leader.replication.throttled.rate"),
        (Change("follower.replication.throttled.rate", SET, "-1"), True, "Value must be at least 0"),
        (Change("replica.alter.log.dirs.io.max.bytes.per.second", SET, "-1"), False, "Value must be at least 0"),
        (Change("cordoned.log.dirs", SET, "/elsewhere"), False, "Missing entries: /elsewhere"),
        (Change("listeners", SET, "PLAINTEXT://:1"), False, "cannot be changed while the broker runs"),
    ],
)
def test_a_wrong_change_of_a_broker_is_an_invalid_request(change: Change, whole_cluster: bool, message: str) -> None:
    code, found = refusal(lambda: broker(change, whole_cluster=whole_cluster))

    assert code is INVALID_REQUEST
    assert message in found


def test_a_broker_takes_dynamic_unknown_and_per_listener_settings() -> None:
    assert broker(Change("log.cleaner.threads", SET, "2")) == {"log.cleaner.threads": "2"}
    assert broker(Change("no.such", SET, "2")) == {"no.such": "2"}
    assert broker(Change("listener.name.x.ssl.keystore.password", SET, "2")) != {}
    assert refusal(lambda: broker(Change("no.such", APPEND, "2"))) == (INVALID_CONFIG, "Unknown config name: no.such")


@pytest.mark.parametrize("name", ["log.dirs", "ssl.keystore.password", "listeners", "listener.name.x.ssl.key.password"])
@pytest.mark.parametrize("whole_cluster", [True, False])
def test_whatever_a_broker_may_not_be_given_may_be_taken_from_it(name: str, whole_cluster: bool) -> None:
    assert broker(Change(name, DELETE, None), whole_cluster=whole_cluster) == {}


def test_a_broker_takes_what_its_directories_and_listeners_are_anyway() -> None:
    assert broker(Change("cordoned.log.dirs", SET, "/here")) != {}
    assert broker(Change("cordoned.log.dirs", SET, "*")) != {}
    assert broker(Change("listeners", SET, "PLAINTEXT://:9092")) != {}


def test_the_rates_of_replication_are_known_though_no_file_may_set_them() -> None:
    assert broker(Change("leader.replication.throttled.rate", SET, "1000")) != {}
    assert broker(Change("follower.replication.throttled.rate", SET, "0"), whole_cluster=True) != {}


def test_a_brokers_pools_change_in_steps() -> None:
    two = BrokerOptions({"log.cleaner.threads": "2"})

    assert alter_broker({}, [Change("log.cleaner.threads", SET, "4")], two, whole_cluster=False) != {}
    assert alter_broker(
        {"log.cleaner.threads": "4"}, [Change("log.cleaner.threads", SET, "8")], two, whole_cluster=False
    )


def test_only_this_broker_or_the_cluster_can_be_altered() -> None:
    assert broker_resource("1", 1) is True
    assert broker_resource("", 1) is False
    assert refusal(lambda: broker_resource("7", 1)) == (
        INVALID_REQUEST,
        "Unexpected broker id, expected 1, but received 7",
    )
    assert refusal(lambda: broker_resource("x", 1)) == (INVALID_REQUEST, "Node id must be an integer, but it is: x")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("consumer.session.timeout.ms", "5", "must be greater than or equal to group.consumer.min.session.timeout.ms"),
        ("consumer.session.timeout.ms", "70000", "must be less than or equal to group.consumer.max.session.timeout.ms"),
        ("share.delivery.count.limit", "11", "must be less than or equal to group.share.max.delivery.count.limit"),
        ("streams.num.standby.replicas", "9", "must be less than or equal to group.streams.max.standby.replicas"),
        ("share.partition.max.record.locks", "50", "Value must be at least 100"),
        ("share.auto.offset.reset", "by_duration:x", "by_duration"),
        ("no.such", "1", "Unknown group config name: no.such"),
    ],
)
def test_a_group_stays_within_the_brokers_bounds(name: str, value: str, message: str) -> None:
    code, found = refusal(lambda: alter_group({}, [Change(name, SET, value)], LAYERS))

    assert code is INVALID_CONFIG
    assert message in found


@pytest.mark.parametrize("kind", ["consumer", "share", "streams"])
def test_a_member_must_be_able_to_send_a_heartbeat_within_its_session(kind: str) -> None:
    broker = BrokerOptions(
        {
            f"group.{kind}.min.session.timeout.ms": "1000",
            f"group.{kind}.min.heartbeat.interval.ms": "1000",
        }
    )
    layers = BrokerLayers(broker)
    session, heartbeat = f"{kind}.session.timeout.ms", f"{kind}.heartbeat.interval.ms"

    assert refusal(lambda: alter_group({}, [Change(session, SET, "5000")], layers)) == (
        INVALID_CONFIG,
        f"{session} must be greater than {heartbeat}",
    )
    assert alter_group({heartbeat: "1000"}, [Change(session, SET, "1001")], layers)


@pytest.mark.parametrize(
    "value", ["latest", "earliest", "by_duration:PT1H", "by_duration:P1DT2H3M4.5S", "by_duration:P3D"]
)
def test_a_share_group_may_start_at_an_age(value: str) -> None:
    assert alter_group({}, [Change("share.auto.offset.reset", SET, value)], LAYERS) == {
        "share.auto.offset.reset": value
    }


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (
            Change("interval.ms", SET, "x"),
            40,
            "Invalid value x for configuration interval.ms: Not a number of type INT",
        ),
        (Change("interval.ms", SET, "5"), 42, "interval must be between 100 and 3600000 (1 hour)"),
        (Change("match", SET, "x"), 40, "Illegal client matching pattern: x"),
        (Change("match", SET, "client_id=["), 40, "Illegal client matching pattern: client_id=["),
        (Change("match", SET, "foo=a"), 40, "Illegal client matching pattern: foo=a"),
        (Change("match", APPEND, "client_id=a"), 40, "Can't APPEND to key match because its type is not LIST."),
        (Change("nope", SET, "a"), 42, "Unknown client metrics configuration: nope"),
    ],
)
def test_a_wrong_client_metrics_subscription_is_refused(change: Change, code: int, message: str) -> None:
    found_code, found = refusal(lambda: alter_client_metrics({}, [change]))

    assert found_code == code
    assert message in found


def test_a_client_metrics_subscription_matches_by_regular_expressions() -> None:
    changes = [Change("match", SET, "client_id=app-.*"), Change("interval.ms", SET, "500")]

    assert alter_client_metrics({}, changes) == {"match": "client_id=app-.*", "interval.ms": "500"}


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (Change("no.logger", SET, "DEBUG"), 40, "Logger no.logger does not exist!"),
        (Change("ottla.log", SET, "LOUD"), 40, "Valid log levels are DEBUG, ERROR, FATAL, INFO, TRACE, WARN"),
        (Change("ottla.log", APPEND, "INFO"), 42, "APPEND operation is not allowed for the BROKER_LOGGER resource"),
        (Change("root", DELETE, None), 42, "Removing the log level of the root logger is not allowed"),
    ],
)
def test_a_wrong_log_level_is_refused(change: Change, code: int, message: str) -> None:
    found_code, found = refusal(lambda: alter_loggers([change], ["ottla.log"]))

    assert found_code == code
    assert message in found


def test_a_loggers_level_is_set_or_given_back() -> None:
    assert alter_loggers([Change("ottla.log", SET, "DEBUG")], ["ottla.log"]) == {"ottla.log": "DEBUG"}
    assert alter_loggers([Change("ottla.log", DELETE, None)], ["ottla.log"]) == {"ottla.log": None}
    assert alter_loggers([Change("root", SET, "WARN")], []) == {"root": "WARN"}
