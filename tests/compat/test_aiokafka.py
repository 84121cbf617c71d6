"""aiokafka: produce and consume, with and without idempotence."""

import asyncio
import uuid

import aiokafka
import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic


@pytest.mark.parametrize("idempotent", [True, False], ids=["idempotent", "plain"])
@pytest.mark.parametrize("codec", [None, "gzip", "snappy", "lz4", "zstd"])
def test_records_come_back_as_they_were_sent(address: str, codec: str | None, idempotent: bool) -> None:
    topic = f"aio-{uuid.uuid4().hex[:8]}"

    async def send_and_read() -> list[aiokafka.ConsumerRecord[bytes, bytes]]:
        admin = AIOKafkaAdminClient(bootstrap_servers=address)
        await admin.start()
        await admin.create_topics([NewTopic(topic, 1, 1)])
        await admin.close()
        producer = aiokafka.AIOKafkaProducer(
            bootstrap_servers=address, acks="all", enable_idempotence=idempotent, compression_type=codec
        )
        await producer.start()
        waiting = [await producer.send(topic, b"v%d" % n, key=b"%d" % n, partition=0) for n in range(200)]
        await asyncio.gather(*waiting)
        await producer.stop()
        consumer = aiokafka.AIOKafkaConsumer(bootstrap_servers=address, auto_offset_reset="earliest", group_id=None)
        await consumer.start()
        place = aiokafka.TopicPartition(topic, 0)
        consumer.assign([place])
        found: list[aiokafka.ConsumerRecord[bytes, bytes]] = []
        while len(found) < 200:
            batches = await asyncio.wait_for(consumer.getmany(timeout_ms=1000), 20)
            found.extend(batches.get(place, []))
        await consumer.stop()
        return found

    found = asyncio.run(send_and_read())

    assert [record.offset for record in found] == list(range(200))
    assert [record.value for record in found] == [b"v%d" % number for number in range(200)]
