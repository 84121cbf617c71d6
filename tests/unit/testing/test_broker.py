"""`Broker`: topics, records, offsets, groups, time; the broker is real, and in this process."""

import threading

import pytest

from ottla.testing import ANY, Broker, NotReceived, PartitionOffsets, StartFailed, UnsupportedHere

HOUR_MS = 3_600_000


def test_what_was_sent_is_read() -> None:
    with Broker() as broker:
        broker.create_topic("t", partitions=3, config={"cleanup.policy": "compact"})

        sent = broker.send("t", {"a": 1}, key="k", headers={"x": "y"})
        (record,) = broker.read("t", n=1)

        assert (record.partition, record.offset) == (sent.partition, sent.offset)
        assert (record.key, record.json(), record.headers) == (b"k", {"a": 1}, (("x", b"y"),))


def test_values_are_bytes_text_json_or_null() -> None:
    with Broker(topics=["t"]) as broker:
        for value in (b"\xff", "é", [1, "two"], None):
            broker.send("t", value)

        assert [record.value for record in broker.read("t", n=4)] == [b"\xff", "é".encode(), b'[1,"two"]', None]


def test_a_read_that_gets_too_little_shows_what_arrived() -> None:
    with Broker(topics=["t"]) as broker:
        broker.send("t", "only one", key="k")

        with pytest.raises(NotReceived, match=r"1 of 2 records arrived in t within 0.05 s:\n.*only one") as raised:
            broker.read("t", n=2, timeout=0.05)

        assert [record.text for record in raised.value.records] == ["only one"]


def test_a_read_without_a_number_takes_what_is_there() -> None:
    with Broker(topics={"t": 2}) as broker:
        assert broker.read("t") == []
        for partition in (0, 1, 1):
            broker.send("t", "x", partition=partition)

        assert len(broker.read("t")) == 3
        assert len(broker.read("t", partition=1)) == 2
        assert [record.offset for record in broker.read("t", partition=1, start={1: 1})] == [1]


def test_a_read_waits_for_what_comes_later() -> None:
    with Broker(topics=["t"]) as broker:
        timer = threading.Timer(0.05, broker.send, ("t", "late"))
        timer.start()

        assert [record.text for record in broker.read("t", n=1)] == ["late"]
        timer.join()


def test_assert_received_finds_a_record_by_its_parts() -> None:
    with Broker(topics=["t"]) as broker:
        broker.send("t", {"a": 1, "b": 2}, key="k1", headers={"h": "1"})
        broker.send("t", None, key="k2")

        assert broker.assert_received("t", {"b": 2, "a": 1}, key="k1", headers={"h": "1"}).offset == 0
        assert broker.assert_received("t", None).key == b"k2"
        assert broker.assert_received("t", ANY, key=b"k2").value is None
        with pytest.raises(NotReceived, match="no record with value='x', key='k1' arrived"):
            broker.assert_received("t", "x", key="k1", timeout=0.05)


def test_offsets_have_the_first_and_the_end_of_each_partition() -> None:
    with Broker(topics={"t": 2}) as broker:
        broker.send("t", "x", partition=1)

        assert broker.offsets("t") == {0: PartitionOffsets(0, 0), 1: PartitionOffsets(0, 1)}


def test_lag_counts_what_a_group_has_not_committed() -> None:
    with Broker(topics={"t": 2}) as broker:
        for partition in (0, 0, 1):
            broker.send("t", "x", partition=partition)
        from ottla.client import TopicPartition

        broker.admin(lambda admin: admin.alter_group_offsets("g", {TopicPartition("t", 0): 1}))

        assert broker.committed("g") == {("t", 0): 1}
        assert broker.lag("g") == 2


def test_a_group_that_is_not_there_is_waited_for_in_vain() -> None:
    with Broker() as broker, pytest.raises(NotReceived, match=r"group g was not Stable with 2 members within"):
        broker.wait_for_group("g", members=2, timeout=0.05)


def test_settings_of_the_broker_are_used() -> None:
    with Broker(config={"num.partitions": 4, "auto.create.topics.enable": True}) as broker:
        broker.send("created-by-use", "x")

        assert len(broker.offsets("created-by-use")) == 4


def test_wrong_settings_stop_the_start() -> None:
    before = threading.active_count()

    with pytest.raises(StartFailed, match=r"num\.partitions"):
        Broker(config={"num.partitions": "many"})

    assert threading.active_count() == before


def test_time_that_passes_makes_records_old() -> None:
    with Broker() as broker:
        broker.create_topic("t", config={"retention.ms": HOUR_MS})
        broker.send("t", "old")
        broker.clock.advance(minutes=59)
        broker.apply_retention()
        assert broker.offsets("t")[0] == PartitionOffsets(0, 1)

        broker.clock.advance(minutes=2)
        broker.send("t", "young", partition=0)
        assert broker.offsets("t")[0] == PartitionOffsets(0, 2)
        broker.clock.advance(minutes=59)
        broker.apply_retention()

        # Its segment is kept for the sake of the young record.
        assert broker.offsets("t")[0] == PartitionOffsets(0, 2)


def test_retention_runs_by_itself_when_its_time_has_come() -> None:
    with Broker() as broker:
        broker.create_topic("t", config={"retention.ms": HOUR_MS})
        broker.send("t", "old")

        broker.clock.advance(hours=2)
        broker.send("t", "young")

        assert broker.offsets("t")[0] == PartitionOffsets(1, 2)


def test_time_does_not_go_back() -> None:
    with Broker() as broker:
        before = broker.clock.now_ms()
        broker.clock.advance(hours=1, minutes=1, seconds=1, ms=1)

        assert broker.clock.now_ms() - before >= HOUR_MS + 61_001
        with pytest.raises(ValueError, match="time cannot go back"):
            broker.clock.advance(seconds=-1)


def test_compaction_leaves_the_last_value_of_each_key() -> None:
    with Broker() as broker:
        broker.create_topic("t", config={"cleanup.policy": "compact"})
        for value in range(5):
            broker.send("t", value, key="k")
        broker.send("t", "other", key="l")

        broker.compact()

        assert [(record.key, record.text) for record in broker.read("t")] == [(b"k", "4"), (b"l", "other")]


def test_several_brokers_live_side_by_side() -> None:
    with Broker(topics=["t"]) as one, Broker(topics=["t"]) as other:
        one.send("t", "for one")

        assert one.bootstrap != other.bootstrap
        assert other.read("t") == []


@pytest.mark.parametrize(
    "act",
    [
        lambda broker: broker.kill(leader_of=("t", 0)),
        lambda broker: broker.restart(1),
        lambda broker: broker.move_leader("t", 0, to=2),
        lambda broker: broker.partition_network({0}, {1, 2}),
    ],
    ids=["kill", "restart", "move_leader", "partition_network"],
)
def test_what_needs_a_cluster_is_refused(act) -> None:  # type: ignore[no-untyped-def]
    with Broker() as broker, pytest.raises(UnsupportedHere, match="until clusters are supported"):
        act(broker)


def test_options_that_are_not_served_are_refused() -> None:
    with pytest.raises(UnsupportedHere, match="nodes=3"):
        Broker(nodes=3)
    with pytest.raises(UnsupportedHere, match="plaintext"):
        Broker(tls=True)
    with pytest.raises(ValueError, match="isolation='docker'"):
        Broker(isolation="docker")


def test_closing_twice_does_no_harm() -> None:
    broker = Broker(topics=["t"])
    broker.close()
    broker.close()


def test_a_description_has_topics_groups_and_requests() -> None:
    from ottla.client import Producer, TopicPartition

    with Broker(topics={"orders": 2}) as broker:
        with Producer(broker.config, client_id="svc") as producer:
            producer.send("orders", b"x", partition=1).result()
        broker.admin(lambda admin: admin.alter_group_offsets("g", {TopicPartition("orders", 1): 1}))

        text = broker.describe()

    assert "topic orders: 0:0..0 1:0..1" in text
    assert "group g: Empty, 0 members, committed orders-1:1" in text
    assert "Produce v" in text
    assert "client=svc" in text
