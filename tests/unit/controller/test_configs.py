"""Codes and texts are those Apache Kafka 4.3.0 gave when it was asked the same."""

import pytest

from ottla.metadata.image import BROKER_RESOURCE, TOPIC_RESOURCE
from ottla.protocol.generated.alter_configs_request import AlterConfigsRequest
from ottla.protocol.generated.alter_configs_request import Configs as Replacement
from ottla.protocol.generated.alter_configs_request import Resources as Replaced
from ottla.protocol.generated.incremental_alter_configs_request import (
    Configs,
    IncrementalAlterConfigsRequest,
    Resources,
)
from tests.support.controller_host import ControllerHost

SET, DELETE, APPEND, SUBTRACT = range(4)


def alter(
    host: ControllerHost, kind: int, name: str, *changes: tuple[str, int, str | None], dry: bool = False
) -> tuple[int, str | None]:
    rows = [Configs(key, operation, value) for key, operation, value in changes]
    request = IncrementalAlterConfigsRequest(resources=[Resources(kind, name, rows)], validate_only=dry)
    [answer] = host.run(lambda shard, now: shard.incremental_alter_configs(request)).responses
    assert (answer.resource_type, answer.resource_name) == (kind, name)
    return answer.error_code, answer.error_message


def replace(host: ControllerHost, name: str, *pairs: tuple[str, str | None]) -> tuple[int, str | None]:
    request = AlterConfigsRequest(resources=[Replaced(2, name, [Replacement(*pair) for pair in pairs])])
    [answer] = host.run(lambda shard, now: shard.alter_configs(request)).responses
    return answer.error_code, answer.error_message


def overrides(host: ControllerHost, name: str = "t", kind: int = TOPIC_RESOURCE) -> dict[str, str]:
    return dict(host.image.config_overrides(kind, name))


def test_single_settings_are_set_extended_cut_and_deleted(host: ControllerHost) -> None:
    host.create("t")

    assert alter(host, 2, "t", ("retention.ms", SET, "5000")) == (0, None)
    assert alter(host, 2, "t", ("cleanup.policy", APPEND, "compact")) == (0, None)
    assert overrides(host) == {"retention.ms": "5000", "cleanup.policy": "delete,compact"}
    assert alter(host, 2, "t", ("cleanup.policy", SUBTRACT, "delete")) == (0, None)
    assert alter(host, 2, "t", ("retention.ms", DELETE, None)) == (0, None)
    assert overrides(host) == {"cleanup.policy": "compact"}


def test_a_dry_run_of_a_change_is_checked_but_not_written(host: ControllerHost) -> None:
    host.create("t")

    assert alter(host, 2, "t", ("retention.ms", SET, "9"), dry=True) == (0, None)
    assert alter(host, 2, "t", ("retention.ms", SET, "x"), dry=True)[0] == 40
    assert overrides(host) == {}


@pytest.mark.parametrize(
    ("kind", "name", "change", "code", "text"),
    [
        (
            2,
            "t",
            ("retention.ms", SET, "soon"),
            40,
            "Invalid value soon for configuration retention.ms: Not a number of type LONG",
        ),
        (2, "t", ("no.such", SET, "1"), 40, "Unknown topic config name: no.such"),
        (2, "t", ("retention.ms", APPEND, "1"), 40, "Can't APPEND to key retention.ms because its type is not LIST."),
        (2, "t", ("retention.ms", SET, None), 42, "Null value not supported for : retention.ms"),
        (2, "nowhere", ("retention.ms", SET, "1"), 3, "The topic 'nowhere' does not exist."),
        (2, "nowhere", ("no.such", SET, "1"), 40, "Unknown topic config name: no.such"),
        (2, "nowhere", ("retention.ms", SET, None), 42, "Null value not supported for : retention.ms"),
        (2, "", ("retention.ms", SET, "1"), 42, "Default topic resources are not allowed."),
        (4, "1", ("log.dirs", SET, "x"), 42, "Cannot update these configs dynamically: [log.dirs]"),
        (4, "abc", ("log.cleaner.threads", SET, "2"), 42, "Node id must be an integer, but it is: abc"),
        (16, "", ("interval.ms", SET, "1000"), 42, "Subscription name can't be empty"),
        (32, "", ("consumer.session.timeout.ms", SET, "50000"), 42, "Default group resources are not allowed."),
        (32, "g", ("no.such", SET, "1"), 40, "Unknown group config name: no.such"),
        (99, "x", ("a", SET, "1"), 42, "Unknown resource type 99"),
        (8, "1", ("kafka", SET, "INFO"), 42, "Unknown resource type 8"),
    ],
)
def test_a_change_is_refused_as_apache_kafka_does(
    host: ControllerHost, kind: int, name: str, change: tuple[str, int, str | None], code: int, text: str
) -> None:
    host.create("t")
    before = host.image

    assert alter(host, kind, name, change) == (code, text)
    assert host.image is before


def test_one_bad_setting_keeps_the_whole_resource_as_it_is(host: ControllerHost) -> None:
    host.create("t")

    assert alter(host, 2, "t", ("retention.ms", SET, "7"), ("no.such", SET, "1"))[0] == 40
    assert overrides(host) == {}


def test_a_resource_named_twice_is_refused_twice(host: ControllerHost) -> None:
    host.create("t")
    twice = [Resources(2, "t", [Configs("retention.ms", SET, "1")]) for _ in range(2)]

    answer = host.run(
        lambda shard, now: shard.incremental_alter_configs(IncrementalAlterConfigsRequest(resources=twice))
    )

    assert [each.error_code for each in answer.responses] == [42, 42]
    assert answer.responses[0].error_message == "Each resource must appear at most once."
    assert overrides(host) == {}


def test_replacing_drops_what_is_not_named(host: ControllerHost) -> None:
    host.create("t", retention_ms="1", segment_ms="2")

    assert replace(host, "t", ("retention.ms", "1000")) == (0, None)
    assert overrides(host) == {"retention.ms": "1000"}
    assert replace(host, "t") == (0, None)
    assert overrides(host) == {}


def test_replacing_is_refused_as_apache_kafka_does(host: ControllerHost) -> None:
    host.create("t", retention_ms="1")

    assert replace(host, "t", ("retention.ms", "x"))[0] == 40
    assert replace(host, "t", ("retention.ms", None)) == (42, "Null value not supported for : retention.ms")
    assert replace(host, "t", ("retention.ms", "1"), ("retention.ms", "2")) == (
        42,
        "Error due to duplicate config keys",
    )
    assert replace(host, "nowhere", ("retention.ms", "1")) == (3, "The topic 'nowhere' does not exist.")
    assert overrides(host) == {"retention.ms": "1"}


def test_dynamic_settings_of_the_cluster_are_the_defaults_of_new_topics(host: ControllerHost) -> None:
    assert alter(host, 4, "", ("log.retention.ms", SET, "77000")) == (0, None)

    rows = {row.name: (row.value, row.config_source) for row in host.create("t").configs or []}

    assert rows["retention.ms"] == ("77000", 3)
    assert overrides(host, "", BROKER_RESOURCE)["log.retention.ms"] == "77000"
