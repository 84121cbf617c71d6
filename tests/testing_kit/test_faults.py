"""Every fault hook, with every client: what the hook promises, and that a healthy client gets over it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from ottla.protocol.api_keys import api
from ottla.testing import Broker, PartitionOffsets
from ottla.testing.kafka_releases import newest_versions
from tests.support.waiting import eventually
from tests.testing_kit.clients import CLIENTS, KafkaClient


@pytest.fixture(params=CLIENTS.values(), ids=list(CLIENTS))
def client(request: pytest.FixtureRequest) -> KafkaClient:
    found: KafkaClient = request.param
    return found


def nothing() -> None:
    pass


@pytest.mark.kafka(topics=["t"])
def test_a_refused_produce_request_is_sent_again(kafka: Broker, client: KafkaClient) -> None:
    with kafka.fail("Produce", error="NOT_LEADER_OR_FOLLOWER", times=2) as fault:
        client.produce(kafka.bootstrap, "t", b"x")

    assert fault.hits == 2
    assert [record.value for record in kafka.read("t")] == [b"x"]
    assert len(kafka.requests("Produce", client_id="svc")) == 3


@pytest.mark.kafka(topics=["t"])
def test_a_refused_fetch_request_is_sent_again(kafka: Broker, client: KafkaClient) -> None:
    kafka.send("t", b"x")

    with kafka.fail("Fetch", error="NOT_LEADER_OR_FOLLOWER", times=2) as fault:
        found = client.consume(kafka.bootstrap, "t", 1, "g", nothing)

    assert found == [b"x"]
    assert fault.hits == 2


@pytest.mark.kafka(topics=["t"])
def test_a_delayed_request_is_handled_when_its_time_has_come(kafka: Broker, client: KafkaClient) -> None:
    with kafka.delay("Produce", seconds=3600) as fault, ThreadPoolExecutor(1) as threads:
        sending = threads.submit(client.produce, kafka.bootstrap, "t", b"x")
        eventually(lambda: fault.hits == 1, within_s=30, what="the request")
        assert kafka.offsets("t") == {0: PartitionOffsets(0, 0)}

        kafka.clock.advance(hours=1)
        sending.result(30)

    assert kafka.offsets("t") == {0: PartitionOffsets(0, 1)}


@pytest.mark.kafka(topics=["t"])
def test_a_client_whose_connection_is_dropped_connects_again(kafka: Broker, client: KafkaClient) -> None:
    with kafka.drop_connections("Produce", times=1, client_id="svc") as fault:
        client.produce(kafka.bootstrap, "t", b"x")

    assert fault.hits == 1
    assert [record.value for record in kafka.read("t")] == [b"x"]


@pytest.mark.kafka(topics=["t"])
def test_a_record_whose_ack_is_lost_is_stored_once(kafka: Broker, client: KafkaClient) -> None:
    with kafka.drop_connections("Produce", times=1, after_handling=True) as fault:
        client.produce(kafka.bootstrap, "t", b"x")

    assert fault.hits == 1
    assert [record.value for record in kafka.read("t")] == [b"x"]
    assert len(kafka.requests("Produce", client_id="svc")) == 2


@pytest.mark.kafka(topics=["t"])
def test_a_member_whose_session_expires_is_removed_from_its_group(kafka: Broker, client: KafkaClient) -> None:
    kafka.send("t", b"x")

    def expire() -> None:
        kafka.wait_for_group("g", members=1)
        kafka.clock.advance(hours=1)
        kafka.wait_for_group("g", members=0, state="Empty")

    assert client.consume(kafka.bootstrap, "t", 1, "g", expire) == [b"x"]


@pytest.mark.kafka(topics=["t"])
def test_a_transaction_that_takes_too_long_is_aborted(kafka: Broker, client: KafkaClient) -> None:
    with pytest.raises(Exception, match=r"."):
        client.produce_in_transaction(kafka.bootstrap, "t", b"x", lambda: kafka.clock.advance(minutes=2))

    assert kafka.read("t") == []
    assert [record.value for record in kafka.read("t", committed=False)] == [b"x"]


@pytest.mark.kafka(topics=["t"])
def test_requests_are_recorded(kafka: Broker, client: KafkaClient) -> None:
    client.produce(kafka.bootstrap, "t", b"x")
    client.consume(kafka.bootstrap, "t", 1, "billing", nothing)

    commit = kafka.requests("OffsetCommit")[-1]
    assert (commit.group, commit.client_id, commit.topics) == ("billing", "svc", ["t"])
    assert commit.body.topics[0].partitions[0].committed_offset == 1
    assert kafka.lag("billing") == 0


@pytest.mark.kafka(topics=["t"])
def test_clients_work_with_an_old_release(kafka: Broker, client: KafkaClient) -> None:
    kafka.max_version("2.8")

    client.produce(kafka.bootstrap, "t", b"x")

    assert client.consume(kafka.bootstrap, "t", 1, "g", nothing) == [b"x"]
    newest = {api(key).name: version for key, version in newest_versions("2.8").items()}
    assert all(each.version <= newest[each.api] for each in kafka.requests())


def test_clients_see_what_compaction_has_left(kafka: Broker, client: KafkaClient) -> None:
    kafka.create_topic("prices", config={"cleanup.policy": "compact"})
    for price in (1, 2, 3):
        kafka.send("prices", price, key="apple")

    kafka.compact()

    assert client.consume(kafka.bootstrap, "prices", 1, "g", nothing) == [b"3"]


def test_clients_see_what_retention_has_left(kafka: Broker, client: KafkaClient) -> None:
    kafka.create_topic("t", config={"retention.ms": 60_000})
    kafka.send("t", "old", timestamp_ms=kafka.clock.now_ms() - 3_600_000)
    kafka.apply_retention()
    kafka.send("t", "new")

    assert client.consume(kafka.bootstrap, "t", 1, "g", nothing) == [b"new"]


@pytest.mark.kafka(topics=["t"])
def test_a_client_whose_every_connection_is_dropped_goes_on(kafka: Broker, client: KafkaClient) -> None:
    kafka.send("t", "x")

    def drop_all() -> None:
        kafka.drop_connections().stop()

    assert client.consume(kafka.bootstrap, "t", 1, "g", drop_all) == [b"x"]
    client.produce(kafka.bootstrap, "t", b"y")
    assert len(kafka.read("t")) == 2
