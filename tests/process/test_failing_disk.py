"""EIO from a real system call: what was acked is there after a restart, and nothing is acked that may not be."""

from pathlib import Path

import pytest
from confluent_kafka import (
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, NewTopic

from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.failing_disk import FailingDisk
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually

SYNCED = {"flush.messages": "1"}


@pytest.fixture
def disk(tmp_path: Path) -> FailingDisk:
    return FailingDisk(tmp_path)


class Writer:
    """Writes one record at a time and remembers which were acked."""

    def __init__(self, broker: BrokerProcess, topic: str) -> None:
        self._topic = topic
        self.acked: list[bytes] = []
        self.refused: list[bytes] = []
        settings = {"bootstrap.servers": broker.address, "linger.ms": 0, "log_level": 0}
        self._patient = Producer({**settings, "message.timeout.ms": 40_000})
        self._hasty = Producer({**settings, "message.timeout.ms": 3000})
        # So that its short time begins with a connection.
        self._hasty.list_topics(topic, timeout=40)

    def write(self, count: int) -> None:
        """Records that are to be taken."""
        self._write(count, self._patient)

    def try_to_write(self, count: int) -> None:
        """Records that are to be refused: the client learns it when its time is over."""
        self._write(count, self._hasty)

    def _write(self, count: int, producer: Producer) -> None:
        for _ in range(count):
            value = b"%s %d" % (self._topic.encode(), len(self.acked) + len(self.refused))
            producer.produce(self._topic, value, on_delivery=self._delivered)
            assert producer.flush(60) == 0

    def _delivered(self, error: KafkaError | None, message: Message) -> None:
        (self.acked if error is None else self.refused).append(message.value() or b"")


def create_topics(broker: BrokerProcess, *names: str, config: dict[str, str] | None = None) -> None:
    admin = AdminClient({"bootstrap.servers": broker.address})
    made = admin.create_topics([NewTopic(name, 1, 1, config=config or SYNCED) for name in names])
    for future in made.values():
        future.result(20)


@pytest.mark.parametrize("kind", ["sync", "write"])
def test_a_failing_disk_ends_the_node_and_takes_nothing_that_was_acked(
    start_broker: StartBroker, disk: FailingDisk, kind: str
) -> None:
    broker = start_broker(python=disk.python)
    create_topics(broker, "orders")
    writer = Writer(broker, "orders")
    writer.write(20)
    assert len(writer.acked) == 20

    disk.fails(kind, "/orders-0/")
    writer.try_to_write(2)

    assert writer.acked[20:] == [], "nothing is acked that may not be on the device"
    eventually(lambda: not broker.is_running(), what="its only directory has failed: the node ends")
    assert "the node stops" in broker.output()
    disk.works()
    broker.start()
    found = committed_values(broker, "orders")
    assert found[:20] == writer.acked
    assert set(found[20:]) <= set(writer.refused)
    again = Writer(broker, "orders")
    again.write(3)
    assert len(again.acked) == 3


def test_a_disk_that_fails_where_offsets_are_committed_ends_the_node(
    start_broker: StartBroker, disk: FailingDisk
) -> None:
    broker = start_broker(python=disk.python)
    create_topics(broker, "orders")
    admin = AdminClient({"bootstrap.servers": broker.address, "socket.timeout.ms": 3000, "log_level": 0})
    assert is_committed(admin, 1)

    disk.fails("write", "/__consumer_offsets-")

    assert not is_committed(admin, 2)

    eventually(lambda: not broker.is_running(), what="its only directory has failed: the node ends")


def is_committed(admin: AdminClient, offset: int) -> bool:
    offsets = ConsumerGroupTopicPartitions("g", [TopicPartition("orders", 0, offset)])
    try:
        found = admin.alter_consumer_group_offsets([offsets], request_timeout=10)["g"].result(40)
    except KafkaException:
        return False
    return found.topic_partitions[0].error is None


def test_a_directory_with_a_failed_fsync_stays_offline_while_others_serve(
    start_broker: StartBroker, disk: FailingDisk, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    broker = start_broker(python=disk.python, log_dirs=f"{first},{second}")
    create_topics(broker, "a", "b", "c", "d")
    # The metadata is in the first directory and must go on.
    lost, kept = (next(name for name in "abcd" if (place / f"{name}-0").exists()) for place in (second, first))
    writers = {name: Writer(broker, name) for name in (lost, kept)}
    for writer in writers.values():
        writer.write(10)

    disk.fails("sync", f"/second/{lost}-0/")
    writers[lost].try_to_write(1)
    eventually(lambda: "it is not retried" in broker.output(), what="the failure is noticed")
    disk.works()
    writers[lost].try_to_write(1)
    writers[kept].write(5)

    assert len(writers[lost].acked) == 10, "the directory is not trusted any more, though syncs would succeed again"
    assert len(writers[kept].acked) == 15
    assert broker.is_running()
    broker.kill()
    broker.start()
    for name, writer in writers.items():
        assert committed_values(broker, name)[: len(writer.acked)] == writer.acked
    back = Writer(broker, lost)
    back.write(2)
    assert len(back.acked) == 2


def test_a_metadata_log_that_cannot_be_synced_ends_the_node_before_it_answers(
    start_broker: StartBroker, disk: FailingDisk
) -> None:
    broker = start_broker(python=disk.python)
    create_topics(broker, "orders")

    disk.fails("sync", "/__cluster_metadata-0/")
    admin = AdminClient({"bootstrap.servers": broker.address, "socket.timeout.ms": 3000, "log_level": 0})
    refused = admin.create_topics([NewTopic("never", 1, 1)], operation_timeout=2, request_timeout=3)["never"]
    with pytest.raises(KafkaException):
        refused.result(40)

    eventually(lambda: not broker.is_running(), what="the node ends")
    disk.works()
    broker.start()
    topics = AdminClient({"bootstrap.servers": broker.address}).list_topics(timeout=40).topics
    assert "orders" in topics


def test_a_failed_fsync_in_the_background_is_remembered(start_broker: StartBroker, disk: FailingDisk) -> None:
    """Acks did not wait for it, so they may be lost with the machine; the next start writes the pages again."""
    broker = start_broker(python=disk.python, ottla_log_background_flush_interval_ms="100")
    create_topics(broker, "orders", config={"flush.messages": "1000000"})
    writer = Writer(broker, "orders")

    disk.fails("sync", "/orders-0/")
    writer.try_to_write(5)
    eventually(lambda: not broker.is_running(), what="the node ends")

    assert (broker.log_directory / ".ottla_disk_error").exists()
    disk.works()
    broker.start()
    assert committed_values(broker, "orders")[: len(writer.acked)] == writer.acked
    assert not (broker.log_directory / ".ottla_disk_error").exists()
