"""Requests with far more elements than the cluster has partitions: refused before they take memory or time."""

from collections.abc import Callable

import pytest

from ottla.protocol.generated import fetch_request, list_offsets_request, metadata_request
from ottla.protocol.generated.incremental_alter_configs_request import (
    Configs,
    IncrementalAlterConfigsRequest,
    Resources,
)
from ottla.protocol.message import Message
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.topics import create_topic
from tests.support.waiting import eventually
from tests.support.wire import Wire

MIB = 1 << 20
BROKER = 4


def fetch(count: int) -> Message:
    partitions = [fetch_request.Partitions(partition=index) for index in range(count - 1)]
    topic = fetch_request.Topics(topic="nowhere", partitions=partitions)
    return fetch_request.FetchRequest(max_wait_ms=0, session_epoch=0, topics=[topic])


def metadata(count: int) -> Message:
    names = [metadata_request.Topics(name=f"{index}") for index in range(count)]
    return metadata_request.MetadataRequest(topics=names, allow_auto_topic_creation=False)


def list_offsets(count: int) -> Message:
    partitions = [list_offsets_request.Partitions(partition_index=index) for index in range(count - 1)]
    topic = list_offsets_request.Topics(name="nowhere", partitions=partitions)
    return list_offsets_request.ListOffsetsRequest(topics=[topic])


#: The request and a version that has all its fields.
REQUESTS: dict[str, tuple[Callable[[int], Message], int]] = {
    "Fetch": (fetch, 12),
    "Metadata": (metadata, 12),
    "ListOffsets": (list_offsets, 7),
}


def is_served(broker: BrokerProcess, request: Message, version: int) -> bool:
    with Wire(broker) as wire:
        try:
            wire.ask(request, version)
        except ConnectionError:
            return False
    return True


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_with_too_many_elements_loses_its_connection(broker: BrokerProcess, name: str) -> None:
    make, version = REQUESTS[name]
    assert is_served(broker, make(10_000), version)
    before = broker.resident_bytes()

    request = make(200_000)
    for _ in range(4):
        assert not is_served(broker, request, version)

    # The frame itself is in memory for a moment.
    assert broker.resident_bytes() - before < 32 * MIB


def test_a_refusal_is_logged_in_one_line(start_broker: StartBroker) -> None:
    broker = start_broker()

    assert not is_served(broker, metadata(10_001), 12)

    (line,) = [line for line in broker.output().splitlines() if "MetadataRequest" in line]
    reason = "MetadataRequest v12: topics has 10001 elements; all arrays together may have 10000"
    assert f"{reason} (ottla.request.elements.max)" in line


def test_the_limit_grows_with_the_cluster(start_broker: StartBroker) -> None:
    broker = start_broker()
    assert not is_served(broker, list_offsets(12_000), 7)

    create_topic(broker, "large", 3_000)

    assert is_served(broker, list_offsets(12_000), 7)
    assert not is_served(broker, list_offsets(12_001), 7)


def test_the_limit_can_be_set_and_changed(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_request_elements_max="100")
    assert is_served(broker, list_offsets(100), 7)
    assert not is_served(broker, list_offsets(101), 7)

    change = Configs(name="ottla.request.elements.max", config_operation=0, value="200")
    resource = Resources(resource_type=BROKER, resource_name="", configs=[change])
    with Wire(broker) as wire:
        wire.ask(IncrementalAlterConfigsRequest(resources=[resource]), 1)

    assert is_served(broker, list_offsets(200), 7)
    assert not is_served(broker, list_offsets(201), 7)


def test_memory_of_fetch_sessions_comes_back_when_the_client_hangs_up(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_request_elements_max="50000", ottla_first_request_timeout_ms="600000")
    request = fetch(50_000)
    assert is_served(broker, request, 12)
    before = broker.resident_bytes()

    wires = [Wire(broker) for _ in range(6)]
    assert all(wire.ask(request, 12).session_id for wire in wires)
    assert broker.resident_bytes() - before > 60 * MIB, "sessions of this size take memory"
    for wire in wires:
        wire.close()

    eventually(lambda: broker.resident_bytes() - before < 30 * MIB, what="the memory is released")


def test_sessions_are_limited_in_memory(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_fetch_sessions_max_bytes="1000000")

    with Wire(broker) as first, Wire(broker) as second:
        assert first.ask(fetch(2_000), 12).session_id
        assert not second.ask(fetch(2_000), 12).session_id, "served without a session"
        first.close()
        eventually(lambda: second.ask(fetch(2_000), 12).session_id, what="the session of the other client is gone")
