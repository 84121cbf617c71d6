"""A service on kafka-python: a table of prices that is kept in a compacted topic."""

import json
import threading
from collections.abc import Iterator

import pytest
from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from ottla.client import ConfigResource, ConfigResourceType
from ottla.testing import Broker

CONFIG = {"cleanup.policy": "compact"}


class Prices:
    """The code under test: writes prices, and reads the whole table when it starts."""

    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self._producer = KafkaProducer(bootstrap_servers=bootstrap, retry_backoff_ms=10)

    def put(self, name: str, price: float | None) -> None:
        value = None if price is None else json.dumps(price).encode()
        self._producer.send("prices", value, key=name.encode()).get(timeout=20)

    def table(self) -> dict[str, float]:
        consumer = KafkaConsumer(bootstrap_servers=self._bootstrap)
        partition = TopicPartition("prices", 0)
        found: dict[str, float] = {}
        try:
            consumer.assign([partition])
            consumer.seek_to_beginning(partition)
            end = consumer.end_offsets([partition])[partition]
            while consumer.position(partition) < end:
                for record in consumer.poll(timeout_ms=500).get(partition, []):
                    if record.value is None:
                        found.pop(record.key.decode(), None)
                    else:
                        found[record.key.decode()] = json.loads(record.value)
        finally:
            consumer.close()
        return found

    def close(self) -> None:
        self._producer.close(timeout=5)


@pytest.fixture
def prices(kafka: Broker) -> Iterator[Prices]:
    kafka.create_topic("prices", config=CONFIG)
    service = Prices(kafka.bootstrap)
    yield service
    service.close()


def test_a_price_is_found_again(prices: Prices) -> None:
    prices.put("apple", 1.5)

    assert prices.table() == {"apple": 1.5}


def test_the_last_price_counts(prices: Prices) -> None:
    prices.put("apple", 1.5)
    prices.put("apple", 2.25)

    assert prices.table() == {"apple": 2.25}


def test_a_price_can_be_removed(kafka: Broker, prices: Prices) -> None:
    prices.put("apple", 1.5)
    prices.put("apple", None)

    assert prices.table() == {}
    assert kafka.read("prices")[-1].value is None


def test_the_table_is_the_same_after_compaction(kafka: Broker, prices: Prices) -> None:
    for number in range(5):
        prices.put("apple", number)
    prices.put("pear", 7)

    kafka.compact()

    assert len(kafka.read("prices")) == 2
    assert prices.table() == {"apple": 4, "pear": 7}


def test_a_price_is_not_lost_with_its_connection(kafka: Broker, prices: Prices) -> None:
    with kafka.drop_connections("Produce", times=1) as fault:
        prices.put("apple", 1.5)

    assert fault.hits == 1
    assert prices.table() == {"apple": 1.5}


def test_a_slow_broker_is_waited_for(kafka: Broker, prices: Prices) -> None:
    done = threading.Event()

    def put() -> None:
        prices.put("apple", 1.5)
        done.set()

    with kafka.delay("Produce", seconds=3600) as fault:
        putting = threading.Thread(target=put)
        putting.start()
        while fault.hits == 0:
            assert not done.wait(0.01)
        kafka.clock.advance(hours=1)
        putting.join(20)

    assert done.is_set()


def test_the_topic_is_compacted(kafka: Broker, prices: Prices) -> None:
    topic = ConfigResource(ConfigResourceType.TOPIC, "prices")

    configs = kafka.admin(lambda admin: admin.describe_configs([topic]))

    assert configs[topic]["cleanup.policy"].value == "compact"
