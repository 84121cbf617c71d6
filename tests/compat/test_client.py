"""Our client against our broker and against Apache Kafka: one suite, two targets. Read back with confluent-kafka."""

import asyncio
import threading

import pytest
from confluent_kafka import Consumer, Message

from ottla.client import Admin, AsyncProducer, Producer
from ottla.client.admin.configs import ConfigResource, ConfigResourceType
from ottla.client.admin.offsets import OffsetSpec
from ottla.client.admin.topics import NewTopic
from ottla.client.errors import ProducerFenced, RequestRefused, UnknownTopic
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from tests.support.kafka_process import Target
from tests.support.topics import new_topic
from tests.support.waiting import eventually
from tests.support.whole_partitions import read_to_ends

pytestmark = pytest.mark.timeout(300)


def read_all(address: str, topic: str, partition: int = 0) -> list[Message]:
    return read_to_ends(address, [(topic, partition)])[topic, partition]


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_records_are_read_as_they_were_sent(target: Target, admin: Admin, codec: str) -> None:
    topic = new_topic(admin)

    with Producer(bootstrap_servers=target.address, compression_type=codec, batch_size=4000) as producer:
        sent = [
            producer.send(
                topic,
                b"v%d" % n * 20,
                key=b"k%d" % n,
                timestamp_ms=1_700_000_000_000 + n,
                headers={"h": b"x", "n": None},
            )
            for n in range(500)
        ]
        producer.send(topic, None, key=b"tombstone")
        producer.flush()

    read = read_all(target.address, topic)
    assert [message.offset() for message in read] == [*(each.result().offset for each in sent), 500]
    assert [message.key() for message in read[:500]] == [b"k%d" % n for n in range(500)]
    assert read[7].value() == b"v7" * 20
    assert read[7].headers() == [("h", b"x"), ("n", None)]
    assert read[7].timestamp()[1] == 1_700_000_000_007
    assert (read[500].key(), read[500].value()) == (b"tombstone", None)


def test_keys_go_to_the_partitions_that_librdkafkas_murmur2_chooses(target: Target, admin: Admin) -> None:
    from confluent_kafka import Producer as ConfluentProducer

    topic = new_topic(admin, 7)
    keys = [b"key-%d" % n for n in range(50)]
    theirs: dict[bytes | None, int | None] = {}
    other = ConfluentProducer({"bootstrap.servers": target.address, "partitioner": "murmur2"})
    for key in keys:
        other.produce(
            topic, b"x", key=key, on_delivery=lambda _, message: theirs.update({message.key(): message.partition()})
        )
    other.flush(20)

    with Producer(bootstrap_servers=target.address) as producer:
        ours = {key: producer.send(topic, b"y", key=key) for key in keys}
        producer.flush()

    assert {key: sent.result().partition for key, sent in ours.items()} == theirs


def test_many_threads_share_a_producer(target: Target, admin: Admin) -> None:
    topic = new_topic(admin, 4)

    def work(producer: Producer, name: int) -> None:
        for number in range(500):
            producer.send(topic, b"%d %d" % (name, number), key=b"%d" % name)

    with Producer(bootstrap_servers=target.address) as producer:
        threads = [threading.Thread(target=work, args=(producer, name)) for name in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    read = [message.value() for partition in range(4) for message in read_all(target.address, topic, partition)]
    for name in range(8):
        mine = [value for value in read if value is not None and value.startswith(b"%d " % name)]
        assert mine == [b"%d %d" % (name, number) for number in range(500)]


def test_transactions_are_seen_whole_or_not_at_all(target: Target, admin: Admin) -> None:
    topic = new_topic(admin, 2)

    with Producer(bootstrap_servers=target.address, transactional_id=f"id-{topic}") as producer:
        for number in range(6):
            producer.begin_transaction()
            for partition in (0, 1):
                producer.send(topic, b"%d" % number, partition=partition)
            (producer.abort_transaction if number % 2 else producer.commit_transaction)()

    for partition in (0, 1):
        assert [message.value() for message in read_all(target.address, topic, partition)] == [b"0", b"2", b"4"]


def test_an_older_producer_is_fenced(target: Target, admin: Admin) -> None:
    topic = new_topic(admin)
    name = f"id-{topic}"

    with Producer(bootstrap_servers=target.address, transactional_id=name) as old:
        old.begin_transaction()
        old.send(topic, b"old").result()
        with Producer(bootstrap_servers=target.address, transactional_id=name) as new, new.transaction():
            new.send(topic, b"new")
        with pytest.raises(ProducerFenced):
            old.commit_transaction()

    assert [message.value() for message in read_all(target.address, topic)] == [b"new"]


@pytest.mark.parametrize("commit", [True, False])
def test_a_detached_transaction_is_ended_elsewhere(target: Target, admin: Admin, commit: bool) -> None:
    topic = new_topic(admin)

    with Producer(bootstrap_servers=target.address, transactional_id=f"id-{topic}") as producer:
        producer.begin_transaction()
        producer.send(topic, b"x")
        producer.send_offsets({TopicPartition(topic, 0): 5}, f"group-{topic}")
        handle = producer.detach()
    assert handle is not None
    admin.end_transaction(handle, commit=commit)

    assert [message.value() for message in read_all(target.address, topic)] == ([b"x"] if commit else [])
    offsets = admin.list_group_offsets(f"group-{topic}", require_stable=True)
    assert {key: value.offset for key, value in offsets.items()} == ({TopicPartition(topic, 0): 5} if commit else {})


def test_a_batch_that_is_too_large_for_the_topic_is_split(target: Target, admin: Admin) -> None:
    topic = new_topic(admin, max_message_bytes="1500")

    with Producer(bootstrap_servers=target.address, batch_size=16_384) as producer:
        sent = [producer.send(topic, b"%05d" % number * 10) for number in range(300)]
        producer.flush()

    assert [each.result().offset for each in sent] == list(range(300))


def test_what_the_broker_refuses_reaches_the_caller(target: Target, admin: Admin) -> None:
    topic = new_topic(admin, max_message_bytes="1500")

    with Producer(bootstrap_servers=target.address) as producer:
        with pytest.raises(RequestRefused) as caught:
            producer.send(topic, bytes(2000)).result()
        assert caught.value.code is ErrorCode.MESSAGE_TOO_LARGE
        assert producer.send(topic, b"small").result().offset == 0


def test_the_asyncio_producer_awaits_each_record(target: Target, admin: Admin) -> None:
    topic = new_topic(admin)

    async def story() -> list[int]:
        async with AsyncProducer({"bootstrap.servers": target.address, "linger.ms": 0}) as producer:
            return [(await producer.send(topic, b"x")).offset for _ in range(20)]

    assert asyncio.run(story()) == list(range(20))


def test_topics_configs_and_offsets(target: Target, admin: Admin) -> None:
    topic = new_topic(admin, 2, retention_ms="60000")
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    first = TopicPartition(topic, 0)

    admin.create_partitions({topic: 4})
    admin.alter_configs({resource: {"max.message.bytes": "2000000", "retention.ms": None}})
    with Producer(bootstrap_servers=target.address) as producer:
        for number in range(10):
            producer.send(topic, b"x", partition=0, timestamp_ms=1_000_000 + 1000 * number)

    configs = admin.describe_configs([resource])[resource]
    assert (configs["max.message.bytes"].value, configs["retention.ms"].is_default) == ("2000000", True)
    assert len(admin.describe_topics([topic])[topic].partitions) == 4
    assert admin.list_offsets({first: OffsetSpec.LATEST})[first].offset == 10
    assert admin.list_offsets({first: 1_004_500})[first].offset == 5
    assert admin.delete_records({first: 3}) == {first: 3}
    assert admin.list_offsets({first: OffsetSpec.EARLIEST})[first].offset == 3
    admin.delete_topics([topic])
    with pytest.raises(UnknownTopic):
        admin.delete_topics([topic])


def test_failures_of_several_topics_are_told_apart(target: Target, admin: Admin) -> None:
    topic = new_topic(admin)
    fresh = f"{topic}-fresh"

    with pytest.raises(RequestRefused) as caught:
        admin.create_topics([NewTopic(topic, 1, 1), NewTopic("not/a/name", 1, 1), NewTopic(fresh, 1, 1)])

    codes = {name: error.code for name, error in caught.value.failures.items()}  # type: ignore[attr-defined]
    assert codes == {topic: ErrorCode.TOPIC_ALREADY_EXISTS, "not/a/name": ErrorCode.INVALID_TOPIC_EXCEPTION}
    eventually(lambda: fresh in {listing.name for listing in admin.list_topics()}, within_s=10, what=lambda: fresh)


def test_groups_and_their_offsets(target: Target, admin: Admin) -> None:
    topic = new_topic(admin)
    group, partition = f"group-{topic}", TopicPartition(topic, 0)

    admin.alter_group_offsets(group, {partition: 7})

    assert admin.list_group_offsets(group)[partition].offset == 7
    assert group in {listing.group_id for listing in admin.list_groups()}
    assert admin.describe_groups([group])[group].state == "Empty"
    admin.delete_group_offsets(group, [partition])
    assert admin.list_group_offsets(group) == {}
    admin.alter_group_offsets(group, {partition: 8})
    admin.delete_groups([group])
    with pytest.raises(RequestRefused) as caught:
        admin.delete_groups([group])
    assert caught.value.code is ErrorCode.GROUP_ID_NOT_FOUND


def test_a_group_with_members_is_described(target: Target, admin: Admin) -> None:
    topic = new_topic(admin, 2)
    group = f"group-{topic}"
    consumer = Consumer({"bootstrap.servers": target.address, "group.id": group, "client.id": "me"})
    consumer.subscribe([topic])
    try:
        while len(consumer.assignment()) < 2:
            consumer.poll(0.2)
        description = admin.describe_groups([group])[group]
    finally:
        consumer.close()

    assert (description.state, description.type, description.assignor) == ("Stable", "classic", "range")
    assert [member.client_id for member in description.members] == ["me"]
    assert description.members[0].assignment == {TopicPartition(topic, 0), TopicPartition(topic, 1)}


def test_open_transactions_and_producers_are_listed(target: Target, admin: Admin) -> None:
    topic = new_topic(admin)
    name, partition = f"id-{topic}", TopicPartition(topic, 0)

    with Producer(bootstrap_servers=target.address, transactional_id=name) as producer:
        producer.begin_transaction()
        producer.send(topic, b"x").result()
        listed = {row.transactional_id: row.state for row in admin.list_transactions()}
        described = admin.describe_transactions([name])[name]
        (state,) = admin.describe_producers([partition])[partition]
        fenced = admin.fence_producers([name])
        with pytest.raises(ProducerFenced):
            producer.commit_transaction()

    assert listed[name] == "Ongoing"
    assert (described.state, described.partitions) == ("Ongoing", frozenset({partition}))
    assert (state.producer_id, state.transaction_start_offset) == (described.producer_id, 0)
    assert fenced[name].transactional_id == name


def test_the_cluster_describes_itself(target: Target, admin: Admin) -> None:
    cluster = admin.describe_cluster()

    assert [node.id for node in cluster.nodes] == [1]
    assert admin.describe_features().finalized["transaction.version"] == 2
    assert [voter.replica_id for voter in admin.describe_quorum().voters] == [1]
    (directory,) = admin.describe_log_dirs()[1]
    assert directory.error is None
    assert directory.total_bytes > 0
    assert admin.list_partition_reassignments() == {}
    broker = ConfigResource(ConfigResourceType.BROKER, "1")
    assert "log.retention.hours" in admin.describe_configs([broker])[broker]
    with pytest.raises(RequestRefused) as caught:
        admin.describe_acls()
    assert caught.value.code is ErrorCode.SECURITY_DISABLED
