"""confluent-kafka (librdkafka): produce, consume, admin."""

import time
import uuid

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourceType,
)

from tests.support.waiting import eventually
from tests.support.whole_partitions import read_topic

START_MS = int(time.time() * 1000) - 3_600_000
CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]


@pytest.fixture
def admin(address: str) -> AdminClient:
    return AdminClient({"bootstrap.servers": address})


def new_topic(admin: AdminClient, partition_count: int = 1, **config: str) -> str:
    name = f"t-{uuid.uuid4().hex[:12]}"
    settings = {key.replace("_", "."): value for key, value in config.items()}
    for future in admin.create_topics([NewTopic(name, partition_count, 1, config=settings)]).values():
        future.result(20)
    return name


def read_all(address: str, topic: str, partition_count: int = 1) -> list[Message]:
    return [message for messages in read_topic(address, topic, partition_count) for message in messages]


@pytest.mark.parametrize("idempotent", [True, False], ids=["idempotent", "plain"])
@pytest.mark.parametrize("codec", CODECS)
def test_records_come_back_as_they_were_sent(address: str, admin: AdminClient, codec: str, idempotent: bool) -> None:
    topic = new_topic(admin)
    producer = Producer(
        {"bootstrap.servers": address, "compression.type": codec, "enable.idempotence": idempotent, "linger.ms": 5}
    )

    for number in range(1000):
        producer.produce(
            topic,
            b"v%d" % number * 10,
            key=b"k%d" % number,
            headers={"h": b"x", "n": None},
            timestamp=START_MS + number,
        )
    assert producer.flush(20) == 0
    found = read_all(address, topic)

    assert [message.offset() for message in found] == list(range(1000))
    assert [message.key() for message in found] == [b"k%d" % number for number in range(1000)]
    assert found[7].headers() == [("h", b"x"), ("n", None)]
    assert found[7].timestamp()[1] == START_MS + 7


def test_sizes_from_nothing_to_a_mebibyte(address: str, admin: AdminClient) -> None:
    topic = new_topic(admin, max_message_bytes="2000000")
    producer = Producer({"bootstrap.servers": address, "message.max.bytes": 2_000_000})
    values = [b"", b"a", None, b"x" * (1 << 20)]

    for value in values:
        producer.produce(topic, value, key=b"k")
    assert producer.flush(20) == 0

    assert [message.value() for message in read_all(address, topic)] == values


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_every_kind_of_ack(address: str, admin: AdminClient, acks: str) -> None:
    topic = new_topic(admin)
    producer = Producer({"bootstrap.servers": address, "acks": acks, "enable.idempotence": False})

    for number in range(100):
        producer.produce(topic, b"%d" % number)
    assert producer.flush(20) == 0

    assert [message.value() for message in read_all(address, topic)] == [b"%d" % number for number in range(100)]


def test_a_message_that_is_too_large_is_refused(address: str, admin: AdminClient) -> None:
    topic = new_topic(admin, max_message_bytes="1000")
    errors: list[KafkaError | None] = []
    producer = Producer({"bootstrap.servers": address})

    producer.produce(topic, b"x" * 5000, on_delivery=lambda error, _: errors.append(error))
    producer.flush(20)

    assert [error and error.code() for error in errors] == [KafkaError.MSG_SIZE_TOO_LARGE]


def test_admin_creates_grows_describes_alters_and_deletes(admin: AdminClient) -> None:
    topic = new_topic(admin, 2, retention_ms="60000")
    resource = ConfigResource(
        ResourceType.TOPIC,
        topic,
        incremental_configs=[ConfigEntry("segment.ms", "9000000", incremental_operation=AlterConfigOpType.SET)],
    )

    admin.create_partitions([NewPartitions(topic, 5)])[topic].result(20)
    next(iter(admin.incremental_alter_configs([resource]).values())).result(20)
    described = next(iter(admin.describe_configs([ConfigResource(ResourceType.TOPIC, topic)]).values())).result(20)

    assert len(admin.list_topics(topic, timeout=40).topics[topic].partitions) == 5
    assert described["retention.ms"].value == "60000"
    assert described["segment.ms"].value == "9000000"
    assert described["cleanup.policy"].value == "delete"

    admin.delete_topics([topic])[topic].result(20)
    eventually(lambda: topic not in admin.list_topics(timeout=40).topics, what="the topic is gone")


@pytest.mark.parametrize("name", ["a/b", "x" * 250, ".."])
def test_impossible_topic_names_are_refused(admin: AdminClient, name: str) -> None:
    with pytest.raises(KafkaException) as refusal:
        admin.create_topics([NewTopic(name, 1, 1)])[name].result(20)

    assert refusal.value.args[0].code() == KafkaError.TOPIC_EXCEPTION


def test_offsets_by_time_and_deleted_records(address: str, admin: AdminClient) -> None:
    topic = new_topic(admin)
    producer = Producer({"bootstrap.servers": address})
    for number in range(100):
        producer.produce(topic, b"v", timestamp=START_MS + 1000 * number)
    producer.flush(20)
    consumer = Consumer({"bootstrap.servers": address, "group.id": "times"})
    place = TopicPartition(topic, 0)

    by_time = consumer.offsets_for_times([TopicPartition(topic, 0, START_MS + 50_000)], timeout=40)
    admin.delete_records([TopicPartition(topic, 0, 30)])[place].result(20)

    assert by_time[0].offset == 50
    assert consumer.get_watermark_offsets(place, timeout=40) == (30, 100)
    consumer.close()


def test_a_topic_is_created_when_it_is_first_used(address: str) -> None:
    topic = f"auto-{uuid.uuid4().hex[:8]}"
    producer = Producer({"bootstrap.servers": address})

    producer.produce(topic, b"first", partition=3)
    assert producer.flush(20) == 0

    assert [message.value() for message in read_all(address, topic, 4)] == [b"first"]
