"""Requests that are valid but far too large: each gets an answer or loses its connection, and nothing else happens."""

from collections.abc import Callable

import pytest

from ottla.protocol.generated import (
    alter_configs_request,
    create_topics_request,
    incremental_alter_configs_request,
    join_group_request,
    offset_commit_request,
)
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.message import Message
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.single_records import send
from tests.support.topics import create_topic
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually
from tests.support.wire import Wire

MIB = 1 << 20
BROKER, TOPIC = 4, 2


def long_config() -> Message:
    """A setting of a broker that no metadata record can hold."""
    config = incremental_alter_configs_request.Configs(name="plugin.setting", config_operation=0, value="x" * 30_000)
    many = [
        incremental_alter_configs_request.Configs(
            name=f"plugin.setting{number}", config_operation=0, value="x" * 30_000
        )
        for number in range(700)
    ]
    resource = incremental_alter_configs_request.Resources(
        resource_type=BROKER, resource_name="1", configs=[config, *many]
    )
    return incremental_alter_configs_request.IncrementalAlterConfigsRequest(resources=[resource])


def replaced_configs() -> Message:
    many = [alter_configs_request.Configs(name=f"plugin.setting{number}", value="x" * 30_000) for number in range(700)]
    resource = alter_configs_request.Resources(resource_type=BROKER, resource_name="1", configs=many)
    return alter_configs_request.AlterConfigsRequest(resources=[resource])


def many_topics() -> Message:
    topics = [
        create_topics_request.Topics(name=f"topic{number:05}" + "x" * 200, num_partitions=1, replication_factor=1)
        for number in range(9_000)
    ]
    return create_topics_request.CreateTopicsRequest(topics=topics, timeout_ms=1000, validate_only=True)


def topic_with_long_settings() -> Message:
    configs = [
        create_topics_request.Configs(name="leader.replication.throttled.replicas", value=",".join(["1:1"] * 8_000))
    ]
    topics = [
        create_topics_request.Topics(name=f"topic{number}", num_partitions=1, replication_factor=1, configs=configs)
        for number in range(600)
    ]
    return create_topics_request.CreateTopicsRequest(topics=topics, timeout_ms=1000)


def large_member() -> Message:
    protocol = join_group_request.Protocols(name="range", metadata=bytes(40 * MIB))
    return join_group_request.JoinGroupRequest(
        group_id="large", session_timeout_ms=10_000, rebalance_timeout_ms=1000, protocol_type="x", protocols=[protocol]
    )


def many_offsets() -> Message:
    partitions = [
        offset_commit_request.Partitions(partition_index=number, committed_offset=1, committed_metadata="x" * 200)
        for number in range(100_000)
    ]
    topic = offset_commit_request.Topics(name="orders", partitions=partitions)
    return offset_commit_request.OffsetCommitRequest(group_id="large", topics=[topic])


CASES: dict[str, tuple[Callable[[], Message], int]] = {
    "configs of 20 MiB": (long_config, 1),
    "replaced configs of 20 MiB": (replaced_configs, 2),
    "9,000 topics with long names": (many_topics, 5),
    "600 topics with long settings": (topic_with_long_settings, 5),
    "a member with 40 MiB of metadata": (large_member, 5),
    "100,000 offsets": (many_offsets, 8),
}


@pytest.mark.parametrize("name", CASES)
def test_a_request_that_is_far_too_large_hurts_nobody(start_broker: StartBroker, name: str) -> None:
    make, version = CASES[name]
    broker = start_broker()
    create_topic(broker, "orders")
    assert send(broker, "orders", b"before") is None
    _wait_for_coordinator(broker)

    outcome = _ask(broker, make(), version)

    assert broker.is_running(), f"{outcome}\n{broker.output()[-3000:]}"
    assert "Traceback" not in broker.output(), outcome
    assert send(broker, "orders", b"after") is None
    with Wire(broker) as wire:
        small = offset_commit_request.Partitions(partition_index=0, committed_offset=1)
        topic = offset_commit_request.Topics(name="orders", partitions=[small])
        answer = wire.ask(offset_commit_request.OffsetCommitRequest(group_id="small", topics=[topic]), 8)
    assert answer.topics[0].partitions[0].error_code == 0, "the coordinator goes on"
    create_topic(broker, "another")
    broker.kill()
    broker.start()
    assert committed_values(broker, "orders") == [b"before", b"after"]


def _wait_for_coordinator(broker: BrokerProcess) -> None:
    def is_there() -> bool:
        with Wire(broker) as wire:
            asked = FindCoordinatorRequest(key_type=0, coordinator_keys=["large", "small"])
            return all(found.error_code == 0 for found in wire.ask(asked, 4).coordinators)

    eventually(is_there, what="the coordinator is there")


def _ask(broker: BrokerProcess, request: Message, version: int) -> str:
    with Wire(broker) as wire:
        wire._socket.settimeout(60)
        try:
            wire.ask(request, version)
            return "answered"
        except ConnectionError as error:
            return str(error)
