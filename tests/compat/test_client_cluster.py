"""Our client against three nodes of Apache Kafka that leave and come back: leaders and coordinators move."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError
from confluent_kafka import TopicPartition as ConfluentPartition

from ottla.client import Admin, ClientError, NewTopic, Producer, ProducerFenced
from tests.support.kafka_cluster import KafkaCluster
from tests.support.waiting import eventually

pytestmark = pytest.mark.timeout(400)
PARTITIONS = 6


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaCluster]:
    started = KafkaCluster(tmp_path_factory.mktemp("cluster")).start()
    try:
        with Admin(bootstrap_servers=started.address) as admin:
            eventually(lambda: len(admin.describe_cluster().nodes) == 3, within_s=60, what="three brokers")
            admin.create_topics([NewTopic(name, PARTITIONS, 3) for name in ("orders", "transfers")])
        yield started
    finally:
        started.kill()


def read_all(address: str, topic: str) -> dict[int, list[bytes]]:
    consumer = Consumer({"bootstrap.servers": address, "group.id": "unused", "enable.partition.eof": True})
    consumer.assign([ConfluentPartition(topic, number, OFFSET_BEGINNING) for number in range(PARTITIONS)])
    found: dict[int, list[bytes]] = {number: [] for number in range(PARTITIONS)}
    ends: set[int] = set()
    try:
        while len(ends) < PARTITIONS:
            message = consumer.poll(30)
            assert message is not None
            if message.error() is None:
                found[message.partition()].append(message.value())
            elif message.error().code() == KafkaError._PARTITION_EOF:
                ends.add(message.partition())
    finally:
        consumer.close()
    return found


def await_progress(count: Callable[[], int], more: int) -> None:
    before = count()
    eventually(lambda: count() > before + more, within_s=90, what="progress while a node is away")


class Sends(threading.Thread):
    """Sends while nodes come and go, until it is told to stop."""

    def __init__(self, producer: Producer, work: Any) -> None:
        super().__init__()
        self._producer = producer
        self._work = work
        self.stopping = threading.Event()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.stopping.is_set():
                self._work(self._producer)
        except BaseException as error:  # noqa: BLE001  reported by the test
            self.failure = error

    def finish(self) -> None:
        self.stopping.set()
        self.join(120)
        if self.failure is not None:
            raise self.failure


class Work:
    """What was sent, and what was committed."""

    def __init__(self) -> None:
        self.sent: dict[int, list[bytes]] = {number: [] for number in range(PARTITIONS)}
        self.committed: list[bytes] = []

    def send(self, producer: Producer) -> None:
        for partition in range(PARTITIONS):
            value = b"%d" % len(self.sent[partition])
            producer.send("orders", value, partition=partition)
            self.sent[partition].append(value)
        producer.flush()

    def transfer(self, producer: Producer) -> None:
        value = b"%d" % (len(self.committed) + 1)
        try:
            with producer.transaction():
                for partition in range(PARTITIONS):
                    producer.send("transfers", value, partition=partition)
            self.committed.append(value)
        except ProducerFenced:
            raise
        except ClientError:
            pass  # aborted: the number is used again


def test_nodes_that_leave_in_order_and_are_killed_lose_and_double_nothing(cluster: KafkaCluster) -> None:
    work = Work()
    with (
        Producer(bootstrap_servers=cluster.address, request_timeout_ms=5000) as plain,
        Producer(bootstrap_servers=cluster.address, request_timeout_ms=5000, transactional_id="mover") as mover,
    ):
        workers = [Sends(plain, work.send), Sends(mover, work.transfer)]
        for worker in workers:
            worker.start()
        for number, leave in ((1, cluster.stop), (2, cluster.kill)):
            leave(number)
            await_progress(lambda: len(work.sent[0]), 5)
            await_progress(lambda: len(work.committed), 2)
            cluster.start(number)
        for worker in workers:
            worker.finish()

    assert read_all(cluster.address, "orders") == work.sent
    for values in read_all(cluster.address, "transfers").values():
        assert values == work.committed
