"""Faults where their rules meet the protocol: who is hit, how often, and what a client sees."""

import pytest

from ottla.client import Admin, ClientError, Producer, RequestRefused
from ottla.protocol.api_keys import ApiKey
from ottla.testing import Broker
from ottla.testing.kafka_releases import newest_versions
from tests.support.waiting import eventually


def test_only_the_client_that_is_named_is_hit() -> None:
    with Broker(topics=["t"]) as broker, broker.fail("Produce", "INVALID_RECORD", client_id="bad") as fault:
        with Producer(broker.config, client_id="good") as producer:
            producer.send("t", b"x").result()
        with (
            Producer(broker.config, client_id="bad") as producer,
            pytest.raises(RequestRefused, match="INVALID_RECORD"),
        ):
            producer.send("t", b"x").result()

        assert fault.hits == 1


def test_a_fault_ends_with_its_block() -> None:
    with Broker(topics=["t"]) as broker, Admin(broker.config) as admin:
        with broker.fail("ListGroups", "GROUP_AUTHORIZATION_FAILED"), pytest.raises(ClientError):
            admin.list_groups()

        assert admin.list_groups() == []


def test_the_kit_itself_is_not_hit() -> None:
    with Broker(topics=["t"]) as broker, broker.drop_connections() as fault:
        broker.send("t", "x")

        assert len(broker.read("t", n=1)) == 1
        assert fault.hits == 0
        assert broker.requests() == []


def test_open_connections_are_dropped_at_once() -> None:
    with Broker(topics=["t"]) as broker, Producer(broker.config, client_id="svc") as producer:
        producer.send("t", b"before").result()
        before = len(broker.requests("ApiVersions", client_id="svc"))

        broker.drop_connections(client_id="svc").stop()
        producer.send("t", b"after").result()

        assert len(broker.requests("ApiVersions", client_id="svc")) > before
        assert [record.value for record in broker.read("t")] == [b"before", b"after"]


def test_a_refused_request_without_acks_closes_its_connection() -> None:
    with Broker(topics=["t"]) as broker, Producer(broker.config, acks=0, enable_idempotence=False) as producer:
        with broker.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1) as fault:
            producer.send("t", b"lost")
            producer.flush()
            eventually(lambda: fault.hits, what="the request")
        while not broker.read("t"):
            producer.send("t", b"stored")
            producer.flush()

        assert {record.value for record in broker.read("t")} == {b"stored"}


def test_metadata_that_is_refused_still_names_the_nodes() -> None:
    with Broker(topics=["t"]) as broker, Admin(broker.config) as admin:
        with broker.fail("Metadata", "TOPIC_AUTHORIZATION_FAILED"), pytest.raises(ClientError):
            admin.describe_topics(["t"])

        assert list(admin.describe_topics(["t"])) == ["t"]


def test_names_that_do_not_exist_are_refused() -> None:
    with Broker() as broker:
        with pytest.raises(ValueError, match="'Produced' is not an API of Kafka"):
            broker.fail("Produced", "NONE")
        with pytest.raises(ValueError, match="'NO_LEADER' is not an error of Kafka"):
            broker.fail("Produce", "NO_LEADER")
        with pytest.raises(ValueError, match="times=0"):
            broker.delay("Produce", 1, times=0)
        with pytest.raises(ValueError, match=r"known are 1\.0 to"):
            broker.max_version("0.8")


def test_a_broker_with_delayed_requests_stops_at_once() -> None:
    broker = Broker(topics=["t"])
    with Producer(broker.config, delivery_timeout_ms=1000, request_timeout_ms=500, linger_ms=0) as producer:
        fault = broker.delay("Produce", 3600)
        delivery = producer.send("t", b"x")
        eventually(lambda: fault.hits, what="the request")
        broker.close()
        # It was handled when the broker stopped.
        assert delivery.result().offset == 0


def test_releases_differ_in_what_they_serve() -> None:
    assert newest_versions("2.8")[ApiKey.PRODUCE] == 9
    assert newest_versions("3.9.1")[ApiKey.PRODUCE] == 11
    assert ApiKey.CONSUMER_GROUP_HEARTBEAT not in newest_versions("3.6")
