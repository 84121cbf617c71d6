"""The calls of the testing kit against Apache Kafka, as `--kafka-bootstrap` runs them."""

from pathlib import Path

import confluent_kafka
import pytest

from ottla.testing import Broker, UnsupportedHere
from tests.support.kafka_process import KafkaProcess


def use(broker: Broker) -> None:
    broker.send("orders", {"id": 1}, key="a", headers={"x": "y"})
    broker.assert_received("orders", {"id": 1}, key="a", headers={"x": "y"}, timeout=30)
    assert len(broker.read("orders", n=1, timeout=30)) == 1
    assert sum(row.latest for row in broker.offsets("orders").values()) == 1


def consume(broker: Broker) -> None:
    consumer = confluent_kafka.Consumer({**broker.config, "group.id": "billing", "auto.offset.reset": "earliest"})
    consumer.subscribe(["orders"])
    message = consumer.poll(60)
    assert message is not None
    broker.wait_for_group("billing", members=1, timeout=30)
    consumer.commit(asynchronous=False)
    consumer.close()
    assert broker.lag("billing") == 0
    assert "topic orders:" in broker.describe()


def test_the_calls_of_the_kit_work_with_apache_kafka(tmp_path: Path) -> None:
    kafka = KafkaProcess(tmp_path).start()
    try:
        with Broker(bootstrap=kafka.address, topics={"orders": 3}) as broker:
            use(broker)
            consume(broker)
            with pytest.raises(UnsupportedHere, match="that the test kit did not start"):
                broker.clock.advance(hours=1)
        with Broker(bootstrap=kafka.address) as broker:
            assert broker.topics() == []
    finally:
        kafka.kill()
