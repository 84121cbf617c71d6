"""Codes and texts are those Apache Kafka 4.3.0 gave when it was asked the same."""

import pytest

from ottla.metadata.image import TOPIC_RESOURCE
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.generated.create_topics_request import Assignments, Configs, Topics
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.delete_topics_request import Topics as Doomed
from ottla.protocol.generated.delete_topics_response import Responses
from tests.support.controller_host import ControllerHost


def manual(*assignments: tuple[int, list[int]], count: int = -1, factor: int = -1) -> Topics:
    return Topics("t", count, factor, assignments=[Assignments(index, brokers) for index, brokers in assignments])


def configured(*pairs: tuple[str, str | None]) -> Topics:
    return Topics("t", 1, 1, configs=[Configs(name, value) for name, value in pairs])


def test_a_new_topic_has_an_id_and_a_leader_for_each_partition(host: ControllerHost) -> None:
    result = host.create("orders", 3)

    topic = host.image.topic("orders")
    assert (result.error_code, result.error_message, result.num_partitions, result.replication_factor) == (
        0,
        None,
        3,
        1,
    )
    assert topic is not None
    assert topic.topic_id == result.topic_id != NO_TOPIC_ID
    assert [(each.leader, each.leader_epoch, each.isr) for each in topic.partitions.values()] == [(1, 0, (1,))] * 3
    assert topic.partitions[0].directories == (b"\x01" * 16,)


def test_minus_one_means_the_brokers_defaults() -> None:
    host = ControllerHost({"num.partitions": "4"})
    host.start_node()

    assert host.create("orders", -1, -1).num_partitions == 4


def test_configs_are_stored_and_told_with_their_source(host: ControllerHost) -> None:
    result = host.create("orders", cleanup_policy="compact")

    assert host.image.config_overrides(TOPIC_RESOURCE, "orders") == {"cleanup.policy": "compact"}
    rows = {row.name: (row.value, row.config_source) for row in result.configs or []}
    assert rows["cleanup.policy"] == ("compact", 1)
    assert rows["retention.ms"] == ("604800000", 5)


def test_a_config_is_told_as_it_was_given(host: ControllerHost) -> None:
    result = host.create("orders", cleanup_policy="compact, delete", segment_ms=" 7000 ")

    rows = {row.name: row.value for row in result.configs or []}
    assert (rows["cleanup.policy"], rows["segment.ms"]) == ("compact, delete", " 7000 ")


def test_versions_before_five_are_told_neither_configs_nor_counts(host: ControllerHost) -> None:
    result = host.create("orders", version=4)

    assert (result.num_partitions, result.replication_factor, result.configs) == (-1, -1, [])


def test_a_dry_run_answers_as_if_but_writes_nothing(host: ControllerHost) -> None:
    before = host.image

    [result] = host.create_all(Topics("orders", 2, 1), validate_only=True)

    assert (result.error_code, result.num_partitions) == (0, 2)
    assert result.topic_id != NO_TOPIC_ID
    assert host.image is before


@pytest.mark.parametrize(
    ("topic", "code", "text"),
    [
        (Topics("a b", 1, 1), ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic name is invalid: 'a b' contains one or more"),
        (Topics("", 1, 1), ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic name is invalid: the empty string"),
        (Topics("..", 1, 1), ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic name is invalid: '.'"),
        (Topics("x" * 250, 1, 1), ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic name is invalid: the length of"),
        (Topics("there", 1, 1), ErrorCode.TOPIC_ALREADY_EXISTS, "Topic 'there' already exists."),
        (Topics("dot_ted", 1, 1), ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic 'dot_ted' collides with existing topic"),
        (
            Topics("__cluster_metadata", 1, 1),
            ErrorCode.INVALID_REQUEST,
            "Creation of internal topic __cluster_metadata is prohibited.",
        ),
        (Topics("t", 0, 0), ErrorCode.INVALID_REPLICATION_FACTOR, "Replication factor must be larger than 0"),
        (Topics("t", 1, -5), ErrorCode.INVALID_REPLICATION_FACTOR, "Replication factor must be larger than 0"),
        (Topics("t", 0, 2), ErrorCode.INVALID_PARTITIONS, "Number of partitions was set to an invalid"),
        (Topics("t", -5, 1), ErrorCode.INVALID_PARTITIONS, "Number of partitions was set to an invalid"),
        (
            Topics("t", 1, 2),
            ErrorCode.INVALID_REPLICATION_FACTOR,
            "Unable to replicate the partition 2 time(s): The target replication factor of 2 cannot be reached because "
            "only 1 broker(s) are registered or some brokers have all their log directories cordoned.",
        ),
        (configured(("no.such", "1")), ErrorCode.INVALID_CONFIG, "Unknown topic config name: no.such"),
        (
            configured(("retention.ms", "x"), ("no.such", "1")),
            ErrorCode.INVALID_CONFIG,
            "Unknown topic config name: no.such",
        ),
        (
            configured(("retention.ms", "x")),
            ErrorCode.INVALID_CONFIG,
            "Invalid value x for configuration retention.ms: Not a number of type LONG",
        ),
        (
            configured(("retention.ms", None), ("no.such", "1")),
            ErrorCode.INVALID_CONFIG,
            "Null value not supported for topic configs: retention.ms",
        ),
        (manual((1, [1])), ErrorCode.INVALID_REPLICA_ASSIGNMENT, "partitions should be a consecutive 0-based"),
        (manual((-1, [1])), ErrorCode.INVALID_REPLICA_ASSIGNMENT, "partitions should be a consecutive 0-based"),
        (
            manual((0, [5])),
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            "The manual partition assignment includes broker 5, but no such broker is registered.",
        ),
        (manual((0, [])), ErrorCode.INVALID_REPLICA_ASSIGNMENT, "The manual partition assignment includes an empty"),
        (
            manual((0, [1, 1])),
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            "The manual partition assignment includes the broker 1 more than once.",
        ),
        (
            manual((0, [1]), (0, [1])),
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            "Found multiple manual partition assignments for partition 0",
        ),
        (
            manual((0, [1]), factor=1),
            ErrorCode.INVALID_REQUEST,
            "A manual partition assignment was specified, but replication factor was not set to -1.",
        ),
        (
            manual((0, [1]), count=1),
            ErrorCode.INVALID_REQUEST,
            "A manual partition assignment was specified, but numPartitions was not set to -1.",
        ),
    ],
)
def test_a_topic_is_refused_as_apache_kafka_does(
    host: ControllerHost, topic: Topics, code: ErrorCode, text: str
) -> None:
    host.create("there")
    host.create("dot.ted")
    before = host.image

    [result] = host.create_all(topic)

    assert (result.error_code, result.topic_id, result.configs) == (code, NO_TOPIC_ID, [])
    assert (result.num_partitions, result.replication_factor) == (-1, -1)
    assert result.error_message is not None
    assert result.error_message.startswith(text)
    assert host.image is before


def test_assignments_are_taken_in_any_order(cluster: ControllerHost) -> None:
    [result] = cluster.create_all(manual((1, [3, 1]), (0, [2, 3])))

    assert (result.num_partitions, result.replication_factor) == (2, 2)
    assert [cluster.partition("t", index).replicas for index in (0, 1)] == [(2, 3), (3, 1)]
    assert [cluster.partition("t", index).leader for index in (0, 1)] == [2, 3]


def test_assignments_of_different_length_are_refused(cluster: ControllerHost) -> None:
    [result] = cluster.create_all(manual((0, [1, 2]), (1, [3])))

    assert result.error_code == ErrorCode.INVALID_REPLICA_ASSIGNMENT
    assert "which have 2 replica(s)" in (result.error_message or "")


def test_a_name_given_twice_is_refused_once_and_the_others_are_made(host: ControllerHost) -> None:
    results = host.create_all(Topics("twice", 1, 1), Topics("twice", 1, 1), Topics("once", 1, 1))

    assert [(each.name, each.error_code) for each in results] == [("twice", 42), ("once", 0)]
    assert list(host.image.topics.by_name) == ["once"]


def test_too_many_partitions_in_one_request_are_refused_altogether(host: ControllerHost) -> None:
    results = host.create_all(Topics("a", 6000, 1), Topics("b", 4001, 1))

    assert [each.error_code for each in results] == [ErrorCode.POLICY_VIOLATION] * 2
    assert len(host.image.topics) == 0


def test_no_topic_can_be_made_while_no_broker_is_up() -> None:
    host = ControllerHost()

    assert host.create("orders").error_code == ErrorCode.INVALID_REPLICATION_FACTOR


# -- deleting


def delete(host: ControllerHost, *topics: Doomed | str, version: int = 6) -> list[Responses]:
    request = DeleteTopicsRequest(
        topics=[each for each in topics if isinstance(each, Doomed)],
        topic_names=[each for each in topics if isinstance(each, str)],
    )
    return host.run(lambda shard, now: shard.delete_topics(request, version)).responses


def test_topics_are_deleted_by_name_and_by_id(host: ControllerHost) -> None:
    host.create("a")
    topic_id = host.create("b").topic_id

    assert [(each.name, each.error_code) for each in delete(host, "a", version=5)] == [("a", 0)]
    assert [(each.name, each.error_code) for each in delete(host, Doomed(None, topic_id))] == [("b", 0)]
    assert len(host.image.topics) == 0


def test_a_topic_made_again_gets_a_new_id_and_starts_at_epoch_zero(host: ControllerHost) -> None:
    first = host.create("orders").topic_id
    delete(host, "orders")

    assert host.create("orders").topic_id != first
    assert host.partition("orders").leader_epoch == 0


def test_topics_that_are_not_there_are_refused_by_name_and_by_id(host: ControllerHost) -> None:
    results = delete(host, Doomed("nowhere"), Doomed("bad/name"), Doomed(None, b"\x09" * 16))

    assert [(each.name, each.error_code) for each in results] == [("nowhere", 3), ("bad/name", 3), (None, 100)]
    assert results[0].error_message == "This server does not host this topic-partition."
    assert results[2].error_message == "This server does not host this topic ID."


def test_strange_requests_to_delete_are_refused_once_per_topic(host: ControllerHost) -> None:
    topic_id = host.create("orders").topic_id

    def texts(*topics: Doomed) -> list[str | None]:
        results = delete(host, *topics)
        assert [each.error_code for each in results] == [42] * len(results)
        return [each.error_message for each in results]

    assert texts(Doomed("orders"), Doomed("orders")) == ["Duplicate topic name."]
    assert texts(Doomed(None, topic_id), Doomed(None, topic_id)) == ["Duplicate topic id."]
    assert texts(Doomed("orders", topic_id)) == ["You may not specify both topic name and topic id."]
    assert texts(Doomed(None)) == ["Neither topic name nor id were specified."]
    assert texts(Doomed("orders"), Doomed(None, topic_id)) == [
        "The provided topic name maps to an ID that was already supplied."
    ]
    assert host.image.topic("orders") is not None


@pytest.mark.parametrize(("version", "code"), [(2, 42), (3, 73)])
def test_deletion_can_be_switched_off(version: int, code: int) -> None:
    host = ControllerHost({"delete.topic.enable": "false"})
    host.start_node()
    host.create("orders")

    assert [each.error_code for each in delete(host, "orders", version=version)] == [code]
    assert host.image.topic("orders") is not None


def test_ten_thousand_partitions_are_created_and_deleted(host: ControllerHost) -> None:
    # A copy of the image for each record would exceed the timeout of the test.
    host.create_all(*[Topics(f"t{number}", 1000, 1) for number in range(10)])
    replayed = host.replayed()
    delete(host, *[f"t{number}" for number in range(10)])

    assert sum(topic.partition_count for topic in replayed.topics) == 10_000
    assert len(host.image.topics) == 0


def test_all_topics_together_have_a_limit_of_partitions() -> None:
    host = ControllerHost({"ottla.partitions.max": "10"})
    host.start_node()
    assert host.create("first", 6).error_code == 0

    results = host.create_all(Topics("second", 3, 1), Topics("third", 2, 1), Topics("fourth", 1, 1))

    assert [result.error_code for result in results] == [0, ErrorCode.POLICY_VIOLATION, 0]
    assert results[1].error_message == ("There are 9 partitions, and at most 10 are allowed. (ottla.partitions.max)")
    assert host.image.topic("third") is None
