"""kafka-python: produce, consume, admin."""

import uuid
from collections.abc import Iterator

import kafka
import pytest
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient, NewTopic


@pytest.fixture
def admin(address: str) -> Iterator[KafkaAdminClient]:
    client = KafkaAdminClient(bootstrap_servers=address)
    yield client
    client.close()


@pytest.mark.parametrize("codec", [None, "gzip", "snappy", "lz4", "zstd"])
def test_records_come_back_as_they_were_sent(address: str, admin: KafkaAdminClient, codec: str | None) -> None:
    topic = f"kp-{uuid.uuid4().hex[:8]}"
    admin.create_topics([NewTopic(topic, 2, 1)])
    producer = kafka.KafkaProducer(bootstrap_servers=address, acks="all", compression_type=codec, linger_ms=5)
    for number in range(300):
        producer.send(topic, b"v%d" % number, key=b"%d" % number, headers=[("h", b"x")], partition=number % 2)
    producer.flush(20)
    producer.close()

    consumer = kafka.KafkaConsumer(
        bootstrap_servers=address, auto_offset_reset="earliest", consumer_timeout_ms=40_000, group_id=None
    )
    consumer.assign([kafka.TopicPartition(topic, index) for index in range(2)])
    found = []
    for record in consumer:
        found.append(record)
        if len(found) == 300:
            break
    consumer.close()

    assert sorted(int(record.key) for record in found) == list(range(300))
    assert found[0].headers[0] == ("h", b"x")


def test_admin_describes_what_it_created(admin: KafkaAdminClient) -> None:
    topic = f"kp-{uuid.uuid4().hex[:8]}"

    admin.create_topics([NewTopic(topic, 3, 1, topic_configs={"retention.ms": "12345"})])
    described = admin.describe_topics([topic])
    configs = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
    admin.delete_topics([topic])

    assert len(described[0]["partitions"]) == 3
    assert "12345" in str(configs)
    assert topic not in admin.list_topics()
