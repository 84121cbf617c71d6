"""One member of a consumer group: consumes, commits after every poll and tells what happens on stdout.

    python -m tests.compat.programs.group_member KIND ADDRESS GROUP TOPIC SESSION_MS [INSTANCE_ID]

A topic that begins with ^ is a regular expression. With the consumer protocol the session is a setting of the broker.
SIGTERM: close, which leaves the group. Lines that are told:

    owns TOPIC-PARTITION …              the whole assignment, whenever it has changed
    revoked TOPIC-PARTITION …           what was taken away (clients that tell)
    read TOPIC PARTITION OFFSET VALUE
    committed TOPIC PARTITION OFFSET    after the broker has said yes
"""

import asyncio
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from aiokafka import AIOKafkaConsumer

HEARTBEAT_MS = 300
#: Topics that appear later must be found by tests that wait.
METADATA_MS = 500


class Place(NamedTuple):
    topic: str
    partition: int


class Wish(NamedTuple):
    kind: str
    address: str
    group: str
    topic: str
    session_ms: int
    instance_id: str | None


class Told:
    """Writes the lines; ends when the process is asked to."""

    def __init__(self) -> None:
        self.has_ended = False
        self._owned: list[Place] | None = None
        signal.signal(signal.SIGTERM, self._end)

    def _end(self, _signal: int, _frame: object) -> None:
        self.has_ended = True

    def owns(self, places: Iterable[tuple[str, int]]) -> None:
        owned = sorted(Place(*place) for place in places)
        if owned != self._owned:
            self._owned = owned
            self.tell("owns", owned)

    def revoked(self, places: Iterable[tuple[str, int]]) -> None:
        self.tell("revoked", sorted(Place(*place) for place in places))

    def tell(self, word: str, places: Iterable[Place]) -> None:
        print(word, *(f"{place.topic}-{place.partition}" for place in places), flush=True)

    def read(self, topic: str, partition: int, offset: int, value: bytes) -> None:
        print("read", topic, partition, offset, value.decode(), flush=True)

    def read_all(self, batches: Mapping[Any, Sequence[Any]]) -> dict[Any, int]:
        """Records by partition, as kafka-python and aiokafka hand them out. Returns the offsets to commit."""
        for place, records in batches.items():
            for record in records:
                self.read(place.topic, place.partition, record.offset, record.value)
        return {place: records[-1].offset + 1 for place, records in batches.items()}

    def committed(self, topic: str, partition: int, offset: int) -> None:
        print("committed", topic, partition, offset, flush=True)


def confluent(wish: Wish, told: Told, settings: dict[str, object]) -> None:
    from confluent_kafka import Consumer, KafkaException, TopicPartition

    consumer = Consumer(
        {
            "bootstrap.servers": wish.address,
            "group.id": wish.group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "topic.metadata.refresh.interval.ms": METADATA_MS,
            **({"group.instance.id": wish.instance_id} if wish.instance_id else {}),
            **settings,
        }
    )

    def on_revoke(_consumer: object, places: list[TopicPartition]) -> None:
        told.revoked((place.topic, place.partition) for place in places)

    consumer.subscribe([wish.topic], on_revoke=on_revoke)
    while not told.has_ended:
        messages = [message for message in consumer.consume(50, 0.05) if message.error() is None]
        told.owns((place.topic, place.partition) for place in consumer.assignment())
        offsets: dict[Place, int] = {}
        for message in messages:
            topic, partition, offset = message.topic(), message.partition(), message.offset()
            assert topic is not None
            assert partition is not None
            assert offset is not None
            told.read(topic, partition, offset, message.value() or b"")
            offsets[Place(topic, partition)] = offset + 1
        if not messages:
            continue
        wanted = [TopicPartition(*place, offset) for place, offset in offsets.items()]
        try:
            done = consumer.commit(offsets=wanted, asynchronous=False)
        except KafkaException:
            continue  # a rebalance came between; the new owner reads it again
        for place in done or ():
            if place.error is None:
                told.committed(place.topic, place.partition, place.offset)
    consumer.close()


def confluent_range(wish: Wish, told: Told) -> None:
    confluent(wish, told, {"session.timeout.ms": wish.session_ms, "heartbeat.interval.ms": HEARTBEAT_MS})


def confluent_cooperative(wish: Wish, told: Told) -> None:
    settings: dict[str, object] = {"session.timeout.ms": wish.session_ms, "heartbeat.interval.ms": HEARTBEAT_MS}
    confluent(wish, told, {**settings, "partition.assignment.strategy": "cooperative-sticky"})


def confluent_consumer(wish: Wish, told: Told) -> None:
    confluent(wish, told, {"group.protocol": "consumer"})


def kafka_python(wish: Wish, told: Told, assignors: list[object]) -> None:
    import kafka
    from kafka.errors import KafkaError

    class Listener(kafka.ConsumerRebalanceListener):  # type: ignore[misc]
        def on_partitions_revoked(self, revoked: Iterable[tuple[str, int]]) -> None:
            told.revoked(revoked)

        def on_partitions_assigned(self, assigned: Iterable[tuple[str, int]]) -> None:
            pass

    settings = {
        "bootstrap_servers": wish.address,
        "group_id": wish.group,
        "group_instance_id": wish.instance_id,
        "auto_offset_reset": "earliest",
        "enable_auto_commit": False,
        "session_timeout_ms": wish.session_ms,
        "heartbeat_interval_ms": HEARTBEAT_MS,
        "metadata_max_age_ms": METADATA_MS,
        "partition_assignment_strategy": assignors,
    }
    consumer = _while_no_broker_answers(lambda: kafka.KafkaConsumer(**settings))
    wanted: dict[str, Any] = {"pattern": wish.topic} if wish.topic.startswith("^") else {"topics": [wish.topic]}
    consumer.subscribe(**wanted, listener=Listener())
    while not told.has_ended:
        # Not shorter: a poll that ends between JoinGroup and SyncGroup makes kafka-python 3.0 drop the assignment.
        batches = _while_no_broker_answers(lambda: consumer.poll(timeout_ms=1000, max_records=50))
        told.owns(consumer.assignment())
        offsets = told.read_all(batches)
        if not offsets:
            continue
        try:
            consumer.commit({place: kafka.OffsetAndMetadata(offset, "", -1) for place, offset in offsets.items()})
        except KafkaError:
            continue
        for place, offset in offsets.items():
            told.committed(place.topic, place.partition, offset)
    consumer.close()


def _while_no_broker_answers(action: Callable[[], Any]) -> Any:
    """kafka-python raises when a broker that is being started again refuses it; other clients wait by themselves."""
    from kafka.errors import KafkaConnectionError

    while True:
        try:
            return action()
        except KafkaConnectionError:
            # Nothing to wait for but the next attempt: the broker is another process, and it is down.
            time.sleep(0.1)


def kafka_python_range(wish: Wish, told: Told) -> None:
    from kafka.coordinator.assignors.range import RangePartitionAssignor

    kafka_python(wish, told, [RangePartitionAssignor])


def kafka_python_cooperative(wish: Wish, told: Told) -> None:
    from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor

    kafka_python(wish, told, [CooperativeStickyAssignor])


def aiokafka(wish: Wish, told: Told) -> None:
    asyncio.run(_aiokafka(wish, told))


async def _aiokafka(wish: Wish, told: Told) -> None:
    while not told.has_ended:
        consumer = await _started_aiokafka(wish, told)
        try:
            await _consume_with_aiokafka(consumer, told)
        except Exception as error:
            if not _is_told_to_join_again(error):
                raise
        finally:
            await consumer.stop()


def _is_told_to_join_again(error: Exception) -> bool:
    """A member that waits in a group which moves to the other protocol is told so; aiokafka 0.14 does not know that
    answer to a join and gives up. A program starts anew then."""
    return "RebalanceInProgressError" in repr(error)


async def _consume_with_aiokafka(consumer: "AIOKafkaConsumer", told: Told) -> None:
    from aiokafka.errors import KafkaError

    while not told.has_ended:
        batches = await consumer.getmany(timeout_ms=50, max_records=50)
        offsets = told.read_all(batches)
        if not offsets:
            continue
        try:
            await consumer.commit(offsets)
        except KafkaError:
            continue
        for place, offset in offsets.items():
            told.committed(place.topic, place.partition, offset)


async def _started_aiokafka(wish: Wish, told: Told) -> "AIOKafkaConsumer":
    """Of all the clients this one gives up when its start goes wrong: then a new one is made."""
    from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener
    from aiokafka.coordinator.assignors.range import RangePartitionAssignor
    from aiokafka.errors import KafkaConnectionError, KafkaError

    class Listener(ConsumerRebalanceListener):  # type: ignore[misc]
        def on_partitions_revoked(self, revoked: Iterable[tuple[str, int]]) -> None:
            told.revoked(revoked)

        def on_partitions_assigned(self, assigned: Iterable[tuple[str, int]]) -> None:
            told.owns(assigned)

    wanted: dict[str, Any] = {"pattern": wish.topic} if wish.topic.startswith("^") else {"topics": [wish.topic]}
    while True:
        consumer = AIOKafkaConsumer(
            bootstrap_servers=wish.address,
            group_id=wish.group,
            group_instance_id=wish.instance_id,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            session_timeout_ms=wish.session_ms,
            heartbeat_interval_ms=HEARTBEAT_MS,
            metadata_max_age_ms=METADATA_MS,
            partition_assignment_strategy=(RangePartitionAssignor,),
        )
        consumer.subscribe(**wanted, listener=Listener())
        try:
            await consumer.start()
            return consumer
        except KafkaError as error:
            await consumer.stop()
            if not isinstance(error, KafkaConnectionError) and not _is_told_to_join_again(error):
                raise
            # As above: the next attempt is all that there is to wait for.
            await asyncio.sleep(0.1)


def ottla(wish: Wish, told: Told, settings: dict[str, object]) -> None:
    from ottla.client import ClientError, Consumer

    class Listener:
        def on_partitions_revoked(self, revoked: Iterable[tuple[str, int]]) -> None:
            told.revoked(revoked)

    with Consumer(
        bootstrap_servers=wish.address,
        group_id=wish.group,
        group_instance_id=wish.instance_id,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        metadata_max_age_ms=METADATA_MS,
        **settings,
    ) as consumer:
        consumer.subscribe([wish.topic], listener=Listener())
        while not told.has_ended:
            batches = consumer.getmany(timeout_ms=50, max_records=50)
            told.owns(consumer.assignment())
            offsets = told.read_all(batches)
            try:
                consumer.commit(offsets)
            except ClientError:
                continue
            for place, offset in offsets.items():
                told.committed(place.topic, place.partition, offset)


def ottla_classic(wish: Wish, told: Told, strategy: str) -> None:
    settings = {"session_timeout_ms": wish.session_ms, "heartbeat_interval_ms": HEARTBEAT_MS}
    ottla(wish, told, {**settings, "partition_assignment_strategy": strategy})


def ottla_range(wish: Wish, told: Told) -> None:
    ottla_classic(wish, told, "range")


def ottla_sticky(wish: Wish, told: Told) -> None:
    ottla_classic(wish, told, "sticky")


def ottla_cooperative(wish: Wish, told: Told) -> None:
    ottla_classic(wish, told, "cooperative-sticky")


def ottla_consumer(wish: Wish, told: Told) -> None:
    ottla(wish, told, {"group_protocol": "consumer"})


KINDS: dict[str, Callable[[Wish, Told], None]] = {
    "confluent-range": confluent_range,
    "confluent-cooperative": confluent_cooperative,
    "confluent-consumer": confluent_consumer,
    "kafka-python": kafka_python_range,
    "kafka-python-cooperative": kafka_python_cooperative,
    "aiokafka": aiokafka,
    "ottla-range": ottla_range,
    "ottla-sticky": ottla_sticky,
    "ottla-cooperative": ottla_cooperative,
    "ottla-consumer": ottla_consumer,
}


def main(words: list[str]) -> None:
    kind, address, group, topic, session_ms, *rest = words
    KINDS[kind](Wish(kind, address, group, topic, int(session_ms), rest[0] if rest else None), Told())


if __name__ == "__main__":
    main(sys.argv[1:])
