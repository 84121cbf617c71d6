"""SIGKILL under load: everything acked is read back, in order, once."""

from confluent_kafka import KafkaError, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from ottla.model.error_codes import ErrorCode
from tests.support.batches import batch_of
from tests.support.broker_process import StartBroker
from tests.support.partition_requests import produce
from tests.support.topics import create_topic
from tests.support.waiting import eventually
from tests.support.whole_partitions import read_topic
from tests.support.wire import Wire

KILL_COUNT = 4
PARTITION_COUNT = 2
MAX_IN_FLIGHT = 2000


class Load:
    """A producer that goes on through every kill and remembers what was acked where."""

    def __init__(self, address: str, topic: str) -> None:
        self._topic = topic
        self.sent = 0
        self.acked: dict[tuple[int, int], bytes] = {}
        self.producer = Producer(
            {"bootstrap.servers": address, "enable.idempotence": True, "linger.ms": 1, "message.timeout.ms": 60_000}
        )

    def send_until_acked(self, count: int) -> None:
        """Sends on until so many more records are acked; what is in flight then stays in flight."""
        target = len(self.acked) + count
        while len(self.acked) < target:
            if len(self.producer) > MAX_IN_FLIGHT:
                self.producer.poll(0.01)
                continue
            self.producer.produce(
                self._topic, b"%d" % self.sent, partition=self.sent % PARTITION_COUNT, on_delivery=self._delivered
            )
            self.sent += 1
            self.producer.poll(0)

    def _delivered(self, error: KafkaError | None, message: Message) -> None:
        if error is None:
            self.acked[message.partition() or 0, message.offset() or 0] = message.value() or b""


def read_everything(address: str, topic: str) -> dict[tuple[int, int], bytes]:
    """Values by partition and offset."""
    return {
        (partition, message.offset() or 0): message.value() or b""
        for partition, messages in enumerate(read_topic(address, topic, PARTITION_COUNT))
        for message in messages
    }


def test_what_was_acked_survives_kill_9_under_load(start_broker: StartBroker) -> None:
    broker = start_broker()
    create_topic(broker, "crash", PARTITION_COUNT)
    load = Load(broker.address, "crash")

    for _ in range(KILL_COUNT):
        load.send_until_acked(3000)
        broker.kill()
        broker.start()
    assert load.producer.flush(60) == 0
    found = read_everything(broker.address, "crash")

    lost = {place: value for place, value in load.acked.items() if found.get(place) != value}
    in_order = [[int(found[place]) for place in sorted(found) if place[0] == index] for index in range(PARTITION_COUNT)]
    assert lost == {}
    assert all(values == sorted(set(values)) for values in in_order), "a record twice, or out of order"
    assert sum(map(len, in_order)) == load.sent


def test_a_clean_stop_leaves_the_mark_and_everything_in_place(start_broker: StartBroker) -> None:
    broker = start_broker()
    create_topic(broker, "calm", PARTITION_COUNT)
    load = Load(broker.address, "calm")
    load.send_until_acked(1000)
    load.producer.flush(20)

    assert broker.stop() == 0
    assert (broker.log_directory / ".kafka_cleanshutdown").exists()
    broker.start()

    assert not (broker.log_directory / ".kafka_cleanshutdown").exists()
    assert read_everything(broker.address, "calm") == load.acked


def test_a_topic_of_a_name_that_was_used_before_survives_kill_9(start_broker: StartBroker) -> None:
    """What was synced of the deleted topic, and where it started, says nothing of the next one."""
    broker = start_broker(log_flush_offset_checkpoint_interval_ms="500")
    create_topic(broker, "again", PARTITION_COUNT)
    first = Load(broker.address, "again")
    first.send_until_acked(2000)
    first.producer.flush(20)
    admin = AdminClient({"bootstrap.servers": broker.address})
    for index in range(PARTITION_COUNT):
        place = TopicPartition("again", index, 500)
        admin.delete_records([place])[TopicPartition("again", index)].result(20)
    recovery_points = broker.log_directory / "recovery-point-offset-checkpoint"
    eventually(
        lambda: recovery_points.exists() and "again 0 1" in recovery_points.read_text(),
        what="the recovery point in its file",
    )

    admin.delete_topics(["again"])["again"].result(20)
    create_topic(broker, "again", PARTITION_COUNT)
    second = Load(broker.address, "again")
    second.send_until_acked(10)
    broker.kill()
    broker.start()
    assert second.producer.flush(60) == 0
    assert read_everything(broker.address, "again") == second.acked
    broker.kill()
    broker.start()

    assert read_everything(broker.address, "again") == second.acked


def test_a_retry_is_known_after_retention_and_kill_9(start_broker: StartBroker) -> None:
    """Nothing but a producer snapshot has heard of the batch, and no checkpoint was written since it came."""
    broker = start_broker(
        log_flush_offset_checkpoint_interval_ms="600000",
        log_retention_check_interval_ms="200",
        log_retention_ms="1",
        log_roll_ms="1",
    )
    create_topic(broker, "retried", PARTITION_COUNT)
    batch = bytes(batch_of(b"a", b"b", b"c", at_ms=1, producer=(7, 0, 0)))
    with Wire(broker) as wire:
        assert produce(wire, "retried", batch) == (ErrorCode.NONE, 0)
    folder = broker.log_directory / "retried-0"
    eventually(lambda: (folder / f"{3:020d}.log").exists(), what="a roll")
    eventually(lambda: not (folder / f"{0:020d}.log").exists(), what="retention has taken the batch")

    broker.kill()
    broker.start()
    with Wire(broker) as wire:
        assert produce(wire, "retried", batch) == (ErrorCode.NONE, 0)
