"""What a node does by itself, at the times that its settings say."""

from confluent_kafka import Consumer, Producer, TopicPartition

from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.topics import create_topic
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually


def test_the_first_round_of_retention_does_not_wait_for_a_whole_interval(start_broker: StartBroker) -> None:
    broker = start_broker(
        log_retention_ms="100", log_retention_check_interval_ms="300000", log_initial_task_delay_ms="300000"
    )
    create_topic(broker, "orders")
    producer = Producer({"bootstrap.servers": broker.address})
    producer.produce("orders", b"old soon")
    assert producer.flush(40) == 0
    assert committed_values(broker, "orders") == [b"old soon"]

    restarted = _with(broker, "log.initial.task.delay.ms", "500")

    consumer = Consumer({"bootstrap.servers": restarted.address, "group.id": "none"})
    place = TopicPartition("orders", 0)
    eventually(lambda: consumer.get_watermark_offsets(place, 40) == (1, 1), what="retention has taken the record")
    consumer.close()


def test_a_metadata_snapshot_is_made_when_the_last_one_is_old(start_broker: StartBroker) -> None:
    broker = start_broker(metadata_log_max_snapshot_interval_ms="1")
    create_topic(broker, "orders")
    folder = broker.log_directory / "__cluster_metadata-0"

    eventually(lambda: list(folder.glob("*.checkpoint")), within_s=30, what="there is a snapshot")

    broker.kill()
    broker.start()
    assert committed_values(broker, "orders") == []


def _with(broker: BrokerProcess, name: str, value: str) -> BrokerProcess:
    assert broker.stop() == 0
    file = broker.directory / "server.properties"
    others = [line for line in file.read_text().splitlines() if not line.startswith(f"{name}=")]
    file.write_text("\n".join([*others, f"{name}={value}"]))
    return broker.start()
