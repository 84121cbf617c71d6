"""Our consumer against our broker and against Apache Kafka: one suite, two targets."""

import asyncio
import uuid
from functools import partial
from typing import Any

import pytest

from ottla.client import (
    Admin,
    AsyncConsumer,
    AsyncProducer,
    CommitFailed,
    Consumer,
    HealthReason,
    Producer,
    TopicPartition,
)
from tests.support import topics
from tests.support.kafka_process import Target
from tests.support.polling import PollingMember, polled
from tests.support.waiting import eventually, until

pytestmark = pytest.mark.timeout(300)
CLASSIC: list[dict[str, Any]] = [
    {"partition_assignment_strategy": name, "heartbeat_interval_ms": 300}
    for name in ("range", "roundrobin", "sticky", "cooperative-sticky")
]
MODERN: dict[str, Any] = {"group_protocol": "consumer"}
every_protocol = pytest.mark.parametrize("protocol", [*CLASSIC, MODERN], ids=lambda each: next(iter(each.values())))
both = pytest.mark.parametrize("protocol", [{"heartbeat_interval_ms": 300}, MODERN], ids=["classic", "consumer"])
#: For the fixture `target`: groups may have sessions and heartbeats that tests can wait for.
TARGET_SETTINGS = {
    "group_min_session_timeout_ms": "1000",
    "group_consumer_min_heartbeat_interval_ms": "100",
    "group_consumer_heartbeat_interval_ms": "300",
}


#: Records have timestamps of 1970: a broker that looks at retention, half a minute after its start, removes them.
new_topic = partial(topics.new_topic, retention_ms="-1")


def write(address: str, topic: str, partition: int, count: int, **options: Any) -> None:
    with Producer(bootstrap_servers=address, **options) as producer:
        for number in range(count):
            producer.send(
                topic, b"%d" % number, key=b"k", partition=partition, timestamp_ms=1000 + number, headers={"h": b"x"}
            )


def committed_offset(client: Consumer, partition: TopicPartition) -> int | None:
    found = client.committed([partition])[partition]
    return None if found is None else found.offset


def consumer(address: str, **options: Any) -> Consumer:
    return Consumer(bootstrap_servers=address, **{"auto_offset_reset": "earliest", **options})


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_records_of_every_codec_are_read_with_all_they_have(target: Target, admin: Admin, codec: str) -> None:
    topic = new_topic(admin)
    write(target.address, topic, 0, 300, compression_type=codec)

    with consumer(target.address) as client:
        client.assign([(topic, 0)])
        records = polled(client, 300)

    assert [record.value for record in records] == [b"%d" % number for number in range(300)]
    first = records[0]
    assert (first.key, first.timestamp_ms, first.headers, first.leader_epoch) == (b"k", 1000, (("h", b"x"),), 0)


def test_offsets_and_times_are_found(target: Target, admin: Admin) -> None:
    topic = new_topic(admin, 2)
    write(target.address, topic, 0, 50)
    zero, one = TopicPartition(topic, 0), TopicPartition(topic, 1)

    with consumer(target.address) as client:
        assert client.beginning_offsets([zero, one]) == {zero: 0, one: 0}
        assert client.end_offsets([zero, one]) == {zero: 50, one: 0}
        found = client.offsets_for_times({zero: 1020, one: 1020})
        assert [None if each is None else each.offset for each in (found[zero], found[one])] == [20, None]
        client.assign([zero])
        client.seek(zero, 45)
        assert [record.offset for record in polled(client, 5)] == list(range(45, 50))
        admin.delete_records({zero: 30})
        client.seek(zero, 3)
        assert polled(client, 20)[0].offset == 30


def test_only_committed_records_are_read_with_that_isolation_level(target: Target, admin: Admin) -> None:
    topic = new_topic(admin)
    with Producer(bootstrap_servers=target.address, transactional_id=topic) as producer:
        producer.init_transactions()
        for number in range(10):
            producer.begin_transaction()
            producer.send(topic, b"%d" % number).result()
            (producer.abort_transaction if number % 2 else producer.commit_transaction)()
        producer.begin_transaction()
        producer.send(topic, b"open").result()
        with consumer(target.address, isolation_level="read_committed") as client:
            client.assign([(topic, 0)])
            assert [record.value for record in polled(client, 5)] == [b"0", b"2", b"4", b"6", b"8"]
            assert client.poll(timeout_ms=1000) == []
            assert client.health().reason is HealthReason.OPEN_TRANSACTION
            producer.commit_transaction()
            assert [record.value for record in polled(client, 1)] == [b"open"]


@every_protocol
def test_members_share_partitions_and_hand_them_over(target: Target, admin: Admin, protocol: dict[str, Any]) -> None:
    topic = new_topic(admin, 6)

    async def story() -> None:
        settings = {"bootstrap_servers": target.address, "group_id": topic, "auto_offset_reset": "earliest", **protocol}
        members = [PollingMember(AsyncConsumer(**settings), topic) for _ in range(3)]
        await until(lambda: sorted(len(member.assigned) for member in members) == [2, 2, 2])
        async with AsyncProducer(bootstrap_servers=target.address) as producer:
            for number in range(600):
                producer.send(topic, b"%d" % number, partition=number % 6)
        await until(lambda: sum(len(member.seen) for member in members) == 600)
        await members[0].stop()
        await until(lambda: sorted(len(member.assigned) for member in members[1:]) == [3, 3])
        async with AsyncProducer(bootstrap_servers=target.address) as producer:
            for number in range(300):
                producer.send(topic, b"%d" % number, partition=number % 6)
        await until(lambda: sum(len(member.seen) for member in members) == 900)
        for member in members[1:]:
            await member.stop()
        seen = sorted(place for member in members for place in member.seen)
        assert seen == [(partition, offset) for partition in range(6) for offset in range(150)]

    asyncio.run(story())
    offsets = admin.list_group_offsets(topic)
    assert sum(row.offset for row in offsets.values()) == 900


@both
def test_commits_are_kept_and_read_back(target: Target, admin: Admin, protocol: dict[str, Any]) -> None:
    topic = new_topic(admin)
    zero = TopicPartition(topic, 0)
    write(target.address, topic, 0, 20)
    settings = {"group_id": topic, "enable_auto_commit": False, **protocol}
    with consumer(target.address, **settings) as client:
        client.subscribe([topic])
        records = polled(client, 20)
        client.commit(records[4])
        assert committed_offset(client, zero) == 5
        assert client.group_metadata().generation_id > 0
        client.pause([zero])
        client.unsubscribe()
        with pytest.raises(ValueError, match="not assigned"):
            client.pause([zero])
    with consumer(target.address, **settings) as client:
        client.subscribe([topic])
        assert polled(client, 15)[0].offset == 5


@both
def test_offsets_are_committed_with_a_transaction(target: Target, admin: Admin, protocol: dict[str, Any]) -> None:
    topic, copies = new_topic(admin), new_topic(admin)
    zero = TopicPartition(topic, 0)
    write(target.address, topic, 0, 20)
    with (
        consumer(target.address, group_id=topic, enable_auto_commit=False, **protocol) as client,
        Producer(bootstrap_servers=target.address, transactional_id=f"copy-{topic}") as producer,
    ):
        client.subscribe([topic])
        producer.init_transactions()
        records = polled(client, 20)
        with producer.transaction():
            for record in records:
                producer.send(copies, record.value)
            producer.send_offsets({zero: records[-1].offset + 1}, client.group_metadata())
        assert committed_offset(client, zero) == 20


@both
def test_a_pattern_finds_topics_that_come_later(target: Target, admin: Admin, protocol: dict[str, Any]) -> None:
    prefix = f"p{uuid.uuid4().hex[:8]}"
    first = new_topic(admin, prefix=prefix)
    with consumer(target.address, group_id=prefix, metadata_max_age_ms=500, **protocol) as client:
        client.subscribe(pattern=f"{prefix}-.*")
        eventually(lambda: client.poll(timeout_ms=100) == [] and client.assignment() == {(first, 0)})
        second = new_topic(admin, prefix=prefix)
        eventually(lambda: client.poll(timeout_ms=100) == [] and client.assignment() == {(first, 0), (second, 0)})


def test_a_member_that_was_removed_says_so_and_joins_again(target: Target, admin: Admin) -> None:
    topic = new_topic(admin)
    write(target.address, topic, 0, 5)
    lost: list[list[TopicPartition]] = []

    class Listener:
        def on_partitions_lost(self, partitions: list[TopicPartition]) -> None:
            lost.append(partitions)

    with consumer(target.address, group_id=topic, enable_auto_commit=False) as client:
        client.subscribe([topic], listener=Listener())
        polled(client, 5)
        admin.remove_members(topic, member_ids=[client.group_metadata().member_id])
        with pytest.raises(CommitFailed):
            client.commit({TopicPartition(topic, 0): 5})
        # The poll that reports the loss may bring the records of the new assignment too.
        again: list[object] = []

        def is_there_again() -> bool:
            again.extend(client.poll(timeout_ms=100))
            return bool(lost) and len(again) >= 5

        eventually(is_there_again)
        assert len(again) == 5
    assert lost == [[TopicPartition(topic, 0)]]
