"""All that partitions have, read by confluent-kafka's consumer up to their ends."""

from collections.abc import Sequence
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Message, TopicPartition

from tests.support.waiting import eventually


def read_to_ends(
    address: str, places: Sequence[tuple[str, int]], isolation_level: str = "read_committed"
) -> dict[tuple[str, int], list[Message]]:
    """Everything that a reader of this kind is shown, by topic and partition."""
    consumer = Consumer(
        {
            "bootstrap.servers": address,
            "group.id": "check",
            "isolation.level": isolation_level,
            "enable.partition.eof": True,
            "enable.auto.commit": False,
        }
    )
    consumer.assign([TopicPartition(topic, index, OFFSET_BEGINNING) for topic, index in places])
    found: dict[tuple[str, int], list[Message]] = {place: [] for place in places}
    ended: set[tuple[str, int]] = set()

    def read_on() -> bool:
        for message in consumer.consume(5000, 0.2):
            place = (message.topic() or "", message.partition() or 0)
            error = message.error()
            if error is None:
                found[place].append(message)
            elif error.code() == KafkaError._PARTITION_EOF:
                ended.add(place)
        return len(ended) == len(places)

    try:
        eventually(read_on, within_s=60, what="all partitions are read to their ends")
    finally:
        consumer.close()
    return found


def read_topic(
    address: str, topic: str, partition_count: int = 1, isolation_level: str = "read_committed"
) -> list[list[Message]]:
    """Partition by partition."""
    places = [(topic, index) for index in range(partition_count)]
    found = read_to_ends(address, places, isolation_level)
    return [found[place] for place in places]


def sorted_values(address: str, topic: str, isolation_level: str = "read_committed") -> list[bytes]:
    """Of a topic with two partitions."""
    found = read_topic(address, topic, 2, isolation_level)
    return sorted(message.value() or b"" for messages in found for message in messages)


def as_in_manifest(message: Message) -> list[Any]:
    """Offset, time, key, the end of the value, and headers: as the manifests of Kafka's data directories have it."""

    def text(value: bytes | None) -> str | None:
        return None if value is None else value.decode()

    given: Any = message.headers() or ()
    value = text(message.value())
    return [
        message.offset(),
        message.timestamp()[1],
        text(message.key()),
        None if value is None else value[-24:],
        [[name, text(content)] for name, content in given],
    ]
